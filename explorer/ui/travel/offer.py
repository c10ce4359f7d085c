"""The offer of a file: the present view, or a whole tour, as one HTML file; beside the other things to take along."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from html import escape

import streamlit as st

from explorer.heads import all_stops
from explorer.paper.leaving import Audience
from explorer.scenes import Scene, run
from explorer.text import languages
from explorer.ui import lecture, links, ranges, work
from explorer.ui.caught import caught
from explorer.ui.opening import OpenedView
from explorer.ui.sessionkeys import TRAVEL_WANTED
from explorer.ui.shown import Shown
from explorer.ui.travel.making import MOST_OPTIONS, TravelOrder, seen_file
from explorer.ui.travel.process import TravelQuestion, UnmadeError, options_of
from explorer.ways import ORDER, Link
from explorer.ways.words import table

PLACE = "travel"  # of the work, beside that of the page
_ICON = ":material/download:"


def show(shown: Shown, seen: Scene, stem: str, link: str, audience: Audience) -> None:
    """A popover that asks what is to travel, and how: a view that has no picture for its audience does not."""
    with st.popover(shown.label("travel.file"), icon=":material/devices:"):
        whole = _whole(shown, seen.figure is not None or bool(seen.drawing))
        order = _order(shown, audience, whole)
        ending = "zip" if order.scored else "html"
        snippet = f"{stem}.html" if whole is None else f"ldp-explorer-{whole}.{ending}"
        if whole is None and (control := _control(shown, audience)) is None:
            view = _seen(shown, link, audience)
            _save(shown, partial(_written, view, order), snippet)
        else:
            _made(shown, whole, order, "" if whole is not None else str(control), snippet)
        st.caption(shown.label("travel.help_scored" if order.scored else "travel.help"))
        if not order.scored:
            st.code(_framed(shown, snippet), language="html", wrap_lines=True)


def _whole(shown: Shown, pictured: bool) -> str | None:
    """The tour that is to travel; none where the present view is."""
    options = ("view", "way") if pictured else ("way",)
    chosen = st.segmented_control(
        shown.label("travel.what"),
        options,
        default=options[0] if lecture.point() is None else "way",
        required=True,
        format_func=lambda name: shown.label(f"travel.{name}"),
        key=f"travel_what_{len(options)}",
        on_change=links.touch,
    )
    if chosen != "way":
        return None
    here = lecture.point()
    start = ORDER.index("lecture" if here is None else here.way.slug)
    titles = {slug: table(shown.catalogue, slug).text("title") for slug in ORDER}
    return str(
        st.selectbox(shown.label("travel.way"), ORDER, start, titles.__getitem__, "travel_way", on_change=links.touch)
    )


def _order(shown: Shown, audience: Audience, whole: str | None) -> TravelOrder:
    """The wishes of who takes a file along; while people predict, no answer is in it."""
    drawn = st.segmented_control(
        shown.label("travel.figures"),
        ("plotly", "drawn"),
        default="plotly",
        required=True,
        format_func=lambda name: shown.label(f"travel.{name}"),
        key="travel_figures",
        on_change=links.touch,
    )
    hidden = not shown.look.truth
    students = st.checkbox(
        shown.label("travel.students"),
        hidden or whole is not None,
        key=f"travel_students_{hidden}_{whole is not None}",
        help=shown.label("travel.students_help"),
        disabled=hidden,
        on_change=links.touch,
    )
    scored = whole is not None and st.checkbox(shown.label("travel.scored"), key="travel_scored", on_change=links.touch)
    every = st.checkbox(shown.label("travel.languages"), key="travel_languages", on_change=links.touch)
    spoken = shown.catalogue.language
    return TravelOrder(
        (spoken, *(each for each in languages() if each != spoken)) if every else (spoken,),
        not students and not hidden,
        drawn == "drawn",
        scored,
        links.address(),
        public=audience.public,
        own=audience.own,
    )


def _control(shown: Shown, audience: Audience) -> str | None:
    """One more control that is to travel, as the maker takes it; of an own table none can."""
    known = links.known()
    offered = {
        key: each
        for key, each in ranges.options().items()
        if key in known and 1 < len(each.titles) <= MOST_OPTIONS and not key.endswith("_seed")
    }
    if audience.own or shown.private or not offered:
        return None
    chosen = st.selectbox(
        shown.label("travel.control"),
        (None, *offered),
        0,
        lambda key: shown.label("travel.none") if key is None else offered[key].label,
        f"{shown.slug}_travel_control",
        on_change=links.touch,
    )
    return None if chosen is None else options_of(chosen, offered[chosen].label, dict(offered[chosen].titles))


def _made(shown: Shown, whole: str | None, order: TravelOrder, control: str, name: str) -> None:
    """A button that has the file made, the bar while it is made, and the button that saves it."""
    kind, of = ("way", whole) if whole is not None else ("view", f"/{Link(shown.slug, links.settings())}")
    question = TravelQuestion(
        kind, of, order.languages, order.answers, order.drawn, order.address, order.scored, control
    )
    if TRAVEL_WANTED.get() != question:
        st.button(
            shown.label("travel.make"),
            "travel_make",
            on_click=caught(partial(_want, question)),
            icon=":material/build:",
        )
        return
    try:
        outcome = work.ask(question, "global", PLACE, needs=PLACE)  # its process has 230 MB at its peak
    except UnmadeError as problem:
        TRAVEL_WANTED.keep(None)  # the next run would start the process again
        st.warning(str(problem) or shown.label("travel.unmade"))
        return
    if isinstance(outcome, work.Done):
        _save(shown, outcome.answer, name)
    elif isinstance(outcome, work.Waiting):
        words = {"working": "travel.making", "queued": "queued", "stop": "stop"}
        work.watch(**{name: shown.label(text) for name, text in words.items()}, place=PLACE)
    else:
        st.button(shown.label("travel.make"), "travel_again", on_click=work.go_on, args=(PLACE,))


def _want(question: TravelQuestion) -> None:
    links.touch()
    work.go_on(PLACE)
    TRAVEL_WANTED.keep(question)


def _written(view: OpenedView, order: TravelOrder) -> bytes:
    return seen_file(view, order).html().encode()


def _save(shown: Shown, content: bytes | Callable[[], bytes], name: str) -> None:
    """A button that saves the file, which is made when it is pressed where it is a call."""
    kind = "application/zip" if name.endswith(".zip") else "text/html"
    key = f"{shown.slug}_travel_{'made' if isinstance(content, bytes) else 'seen'}"
    st.download_button(shown.label("travel.save"), content, name, kind, key=key, on_click="ignore", icon=_ICON)


def _seen(shown: Shown, link: str, audience: Audience) -> OpenedView:
    """The view on the screen; its levels are drawn now, for the file is made outside of the session."""
    viewed, still = replace(shown.viewed, answer=run), shown.still and not audience.public
    seed = None if audience.guarded else shown.seed
    drawn = shown.at
    if drawn is None:
        return OpenedView(viewed, link, seed)
    places = (viewed.level,) if still else all_stops(viewed.level)
    known = {(level, hidden): drawn(level, hidden) for level in places for hidden in (False, True)}
    return OpenedView(viewed, link, seed, at=lambda level, hidden: known[level, hidden], still=still)


def _framed(shown: Shown, name: str) -> str:
    """The lines that show the file inside of a page or a slide."""
    title = escape(shown.title(shown.viewed.view.slug), quote=True)
    return f'<iframe src="{name}" title="{title}" style="width: 100%; height: 36rem; border: 0"></iframe>'
