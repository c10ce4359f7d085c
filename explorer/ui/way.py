"""A way through the app: the step that the address names, the next one, and what the page says of it.

Off its page a step waits: one key leads back to it. The first page without a way in its address begins anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from explorer.facts import Count, Name
from explorer.navigation import DEFAULT
from explorer.text.escaping import markdown
from explorer.ui import lecture, links
from explorer.ui.caught import caught
from explorer.ui.language import catalogue
from explorer.ways import ORDER, Link, Point, PrintedPoints, Way, way_of
from explorer.ways.words import Told, table, told_at


def follow(page: str) -> None:
    """Stand where the address says: the reader has come with a link, gone back or forth, or begun anew.

    While a widget's callback runs the address may lag behind, and is ignored.
    """
    if links.answering():
        return
    slug = st.query_params.get("way", "").lower()
    if slug in ORDER:
        before, here = lecture.point(), _asked(way_of(slug))
        lecture.stand(here)
        if here is not None and here != before:  # a step is a whole page: what travelled between others stays behind
            links.depart({key: st.query_params[key] for key in links.PROJECT if key in st.query_params})
    elif "way" in st.query_params or page == DEFAULT:
        lecture.stand(None)


def _asked(way: Way) -> Point | None:
    """The step that the address names; none, and a sentence, where the way has no such step."""
    place = st.query_params.get("step", "1")
    if place.isascii() and place.isdigit() and len(place) < 4 and 1 <= int(place) <= len(way.steps):
        return Point(way, int(place), st.query_params.get("hide", "").lower() == "true")
    asked, title = Name(place[:60]), Name(table(catalogue(), way.slug).text("title"))
    facts = {"asked": asked, "way": title, "steps": Count(len(way.steps))}
    links.complain_on_arrival(catalogue().markdown(None, "way.unusable", facts))
    return None


def turns(page: str) -> dict[str, str]:
    """The addresses to which one key leads from here, on a way: the next state, the one before, the first page."""
    here = lecture.point()
    if here is None:
        return {}
    away = here.step.link.page != page
    there = {"next": here if away else here.next(), "previous": here if away else here.previous()}
    addresses = {key: address(point) for key, point in there.items() if away or point != here}
    return addresses | {"home": f"./{Link(DEFAULT, lecture.written())}"}


def address(point: Point) -> str:
    """The address of a step in its state, as this room writes it; what the way carries goes along."""
    return f"./{Link(point.step.link.page, {**_along(point).parameters, **lecture.written_at(point)})}"


def _along(point: Point) -> Link:
    """The link of a step with what the way carries."""
    along = {key: text for key, text in links.travelling().items() if key in point.way.carries}
    return point.step.link.beside(along)


def further(page: str) -> Link | None:
    """The link one key further; none where it only shows the hidden truth. Off its page, back to the step."""
    return _moved(page, forth=True)


def back(page: str) -> Link | None:
    """The link one key back; off its page, back to the step."""
    return _moved(page, forth=False)


def _moved(page: str, forth: bool) -> Link | None:
    here = lecture.point()
    assert here is not None
    if here.step.link.page != page:
        return _to(here)
    there = here.next() if forth else here.previous()
    if there.place != here.place:
        return _to(there)
    links.touch()
    lecture.show(hidden=there.hidden)
    return None


def _to(point: Point) -> Link:
    """Stand at a step, and lead to its page; what the way carries goes along."""
    lecture.stand(point)
    return _along(point)


def _words() -> Told | None:
    """The texts of the present step, if the room is on a way."""
    here = lecture.point()
    return None if here is None else told_at(here.step, here.way, catalogue())


def place(page: str) -> str:
    """The number of this step among all, and the minutes gone at its end; off its page, the way back."""
    here = lecture.point()
    assert here is not None
    facts = {"step": Count(here.place), "steps": Count(len(here.way.steps))}
    facts["minutes"] = Count(here.way.minutes(here.place))
    away = here.step.link.page != page
    return catalogue().label("way.place", facts=facts) + (f" · {_title(here)}" if away else "")


def _title(point: Point) -> str:
    return told_at(point.step, point.way, catalogue()).title


def signal() -> str:
    """The room's place for the window of the notes: `lecture 7 hidden`; empty off every way."""
    here = lecture.point()
    return "" if here is None else f"{here.way.slug} {here.place} {'hidden' if here.hidden else 'shown'}"


def ends() -> tuple[bool, bool]:
    """Whether the way goes back and forth from here."""
    here = lecture.point()
    assert here is not None
    return here.previous() != here, here.next() != here


def printed(page: str, settings: Mapping[str, str], usual: float) -> tuple[float, PrintedPoints] | None:
    """The level and the numbers that a text prints at the present step; none where the page is set otherwise.

    A draw by another seed, or at another level, is still about the same question.
    """
    here = lecture.point()
    if here is None or not here.step.printed or here.step.link.page != page:
        return None
    asked = here.step.link.parameters
    same = {key: text for key, text in settings.items() if key != "epsilon" and not key.endswith("_seed")}
    if same != {key: text for key, text in asked.items() if key != "epsilon"}:
        return None
    return float(asked.get("epsilon", usual)), here.step.printed


def task(page: str, then: Callable[[], None]) -> None:
    """The task at this step for a reader who goes alone, above the page, and the way on.

    A way that is for a room too says nothing of it in a lecture, whose speaker has the notes.
    """
    here, said = lecture.point(), _words()
    if here is None or said is None or not said.do or here.step.link.page != page:
        return
    if here.way.room and lecture.switched("lecture"):
        return
    facts = {"step": Count(here.place), "steps": Count(len(here.way.steps))}
    with st.container(horizontal=True, vertical_alignment="center", key="task"):
        st.markdown(f"**{markdown(catalogue().label('way.step', facts=facts))}** · {markdown(said.alone(here.hidden))}")
        if ends()[1]:
            st.button(catalogue().label("app.next"), "task_next", on_click=caught(then), type="primary")
