"""The sources of untyped counts of yes and no: a pasted list of answers, or the room of this session.

Both put their two numbers into the box, from which all else follows: a link carries these, and no line of a list.
"""

from __future__ import annotations

import streamlit as st

from explorer.facts import Count, Facts, Name, Quantity
from explorer.ui import links, presenting
from explorer.ui.caught import caught
from explorer.ui.shown import Shown
from ldpcore.reading.answerlists import LONGEST_LIST, AnswerTally, ListRefused, read_list
from ldpcore.reading.answers import YesCount


def counted_elsewhere(shown: Shown, name: str) -> None:
    """A list that is counted into the box above, and the count of a room whose round is closed."""
    with st.popover(shown.label("list"), icon=":material/format_list_numbered:", width="stretch"):
        _list(shown, name)
    _room(shown)


def _list(shown: Shown, name: str) -> None:
    """A box for the list; as soon as it can be counted, its numbers stand in the other box."""
    place = f"{shown.slug}_list"

    @caught
    def count() -> None:
        links.touch()
        read = read_list(str(st.session_state[place]))
        if isinstance(read, AnswerTally):
            links.put(f"{shown.slug}_{name}", written(shown, name, read.answers))

    if links.set_anew(place):
        links.put(place, "")
    text = st.text_area(
        shown.label("list_box"),
        links.default(place, "", ""),
        180,
        LONGEST_LIST,
        place,
        shown.label("list_help"),
        on_change=count,
    )
    if not text.strip():
        return
    read = read_list(text)
    if isinstance(read, ListRefused):
        facts: Facts = {"word": Name(read.word[:40]), "line": Count(read.line), "most": Count(LONGEST_LIST)}
        st.warning(shown.say(f"list {read.reason}", **facts), icon=":material/edit:")
        return
    facts = {
        "yes": Count(read.answers.yes),
        "n": Count(read.answers.n),
        "missing": Count(read.empty),
        "heading": Name(read.heading[:40]),
        "headed": Count(int(bool(read.heading))),
    }
    st.caption(shown.say("list read", **facts))


def _room(shown: Shown) -> None:
    """A button for the latest answers of this session's room, where they were yes or no."""
    if presenting.presenter() is None:
        return
    room = presenting.look()
    current = room.current if room is not None else None
    if current is None or current.asked.kind != "yesno" or current.rounds[-1].open:
        return
    from explorer.poll.collected import YES_PLACE, CollectedAnswers, elsewhere  # where a room is presented

    collected = CollectedAnswers.of(current)
    way = elsewhere(collected)
    if way is None:
        return
    facts: dict[str, Quantity] = {"yes": Count(collected.totals[YES_PLACE]), "n": Count(collected.n)}
    label = shown.catalogue.label("room_count", shown.slug, facts)
    st.button(
        label,
        f"{shown.slug}_room_count",
        shown.catalogue.label("room_count_help", shown.slug, {"question": Name(collected.question.text)}),
        on_click=_adopt,
        args=(dict(way[1]),),
        icon=":material/groups:",
    )


@caught
def _adopt(parameters: dict[str, str]) -> None:
    """The counts of the room, at the level at which its phones tossed."""
    links.adopt(parameters)


def written(shown: Shown, name: str, read: YesCount) -> str:
    """Answers as the reader would type them into the box of this name."""
    return shown.catalogue.label(f"{name}_written", shown.slug, {"yes": Count(read.yes), "n": Count(read.n)})
