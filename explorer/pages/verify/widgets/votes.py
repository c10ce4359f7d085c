"""The vote of the room about the exhibit of the gallery that it accuses, on phones; told with the truth alone.

A ballot is a question of the room like any other: phones toss before they answer, here at a level at which few lie.
"""

from __future__ import annotations

import streamlit as st

from explorer.facts import Count
from explorer.poll import questions
from explorer.poll.denials import DenialError
from explorer.poll.rooms import rooms
from explorer.text import languages
from explorer.text.catalogue import catalogue_of
from explorer.ui import presenting
from explorer.ui.caught import caught
from explorer.ui.shown import Shown
from ldpcore.experiments.verify import FakeGallery

LEVEL = 5.0  # of a vote that nobody need be ashamed of: among six exhibits 97 phones of 100 send what was chosen


def ballot(gallery: FakeGallery, language: str) -> questions.PollQuestion:
    """The question to the room about a gallery."""
    words, drawn = catalogue_of(language), {"draw": Count(gallery.seed)}
    exhibits = [words.label("ballot_exhibit", "verify", {"place": Count(at + 1)}) for at in range(gallery.size)]
    return questions.choice(words.label("ballot", "verify", drawn), exhibits, LEVEL)


def votes(gallery: FakeGallery) -> tuple[int, ...]:
    """The number of phones that report an accusation of each exhibit, in the last vote; none without a vote."""
    room, ballots = presenting.look(), [ballot(gallery, language) for language in languages()]
    asked = reversed(room.questions) if room else ()
    return next((each.rounds[-1].totals for each in asked if each.asked in ballots and each.rounds), ())


def ask(shown: Shown, gallery: FakeGallery) -> None:
    """The button that starts the room's vote, or a note that it votes at present."""
    asked, room = ballot(gallery, shown.catalogue.language), presenting.look()
    if room and room.current and room.current.asked == asked:
        st.caption(shown.label("ballot_open"))
        return
    key = f"{shown.slug}_ballot"
    st.button(shown.label("ballot_ask"), key, on_click=_put, args=(asked,), icon=":material/how_to_vote:")
    if sentence := presenting.refused():
        st.warning(sentence)


@caught
def _put(asked: questions.PollQuestion) -> None:
    """Ask the room, which is opened where there is none."""
    try:
        held = presenting.presenter()
        if held is None:
            held = rooms().open()
            presenting.keep(held)
        rooms().ask(held, asked)
    except DenialError as problem:
        presenting.refuse(problem)
