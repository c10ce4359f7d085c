"""Spot the fake: a guess for each exhibit of the gallery, then the truth, with the story of every mistake."""

from __future__ import annotations

from typing import Any

import streamlit as st

from explorer.facts import Count, Name, Term
from explorer.facts.naming import about_of, title_of
from explorer.facts.odds import odds_at
from explorer.pages.verify.facts import level
from explorer.pages.verify.settings import Hung
from explorer.pages.verify.widgets import votes
from explorer.settings.typed import plain_number
from explorer.ui import cache, controls, levels, links
from explorer.ui.caught import caught
from explorer.ui.sessionkeys import GUESSED, REVEALED
from explorer.ui.shown import Shown
from ldpcore import broken
from ldpcore.experiments.verify import Exhibit, FakeGallery, GallerySize
from ldpcore.parameters import Repeats

KEEPS, BREAKS = "keeps", "breaks"
Key = tuple[int, int]


def gallery(shown: Shown) -> Hung:
    """The controls of a gallery, and the guesses about it."""
    size = controls.number(shown, "exhibits", GallerySize, default=6, low=2, high=12)
    trials = controls.number(shown, "trials", Repeats, default=200, low=100, high=10**9)
    asked = FakeGallery(size, trials, seed=controls.seed(shown))
    _point(shown, asked, levels.pointed_at(shown.slug))
    sound = tuple(exhibit.sound for exhibit in cache.run(asked).exhibits) if _revealed(asked) else ()
    hung = Hung(asked, tuple(_given(asked)), sound, votes.votes(asked) if sound else ())
    _ask(shown, hung)
    return hung


def _key(gallery: FakeGallery) -> Key:
    """The key of a gallery's guesses: more trials show its exhibits more clearly, so that guesses stay."""
    return gallery.size, gallery.seed


def _given(gallery: FakeGallery) -> list[bool | None]:
    """The guesses: whether each exhibit keeps its promise; None where nothing was said."""
    kept = GUESSED.held().setdefault(_key(gallery), {})
    return [kept.get(place) for place in range(gallery.size)]


def _control(shown: Shown, gallery: FakeGallery, place: int) -> str:
    return f"{shown.slug}_guess_{gallery.size}_{gallery.seed}_{place}"


def _word(guess: bool | None) -> str | None:
    return None if guess is None else KEEPS if guess else BREAKS


def _point(shown: Shown, gallery: FakeGallery, number: str) -> None:
    """Turn the guess of the exhibit that was clicked: it breaks its promise, it keeps it, nothing was said."""
    if not number.isdecimal() or not 1 <= int(number) <= gallery.size or _revealed(gallery):
        return
    place = int(number) - 1
    turned = {None: False, False: True, True: None}[_given(gallery)[place]]
    GUESSED.held()[_key(gallery)][place] = turned
    st.session_state[_control(shown, gallery, place)] = _word(turned)


def _revealed(gallery: FakeGallery) -> bool:
    """Whether the reader has asked for the truth about this gallery."""
    return _key(gallery) in REVEALED.get()


def _ask(shown: Shown, hung: Hung) -> None:
    """A line for each exhibit: its promise, its audit's finding, the guess; below, the button that reveals."""
    result, known = cache.run(hung.gallery), bool(hung.sound) and shown.look.truth
    for place, (exhibit, guess) in enumerate(zip(result.exhibits, hung.given, strict=True)):
        with st.container(border=known, gap="xsmall"):
            _line(shown, hung.gallery, place, exhibit, guess, known)
    st.button(
        shown.label("cover" if known else "reveal_all"),
        f"{shown.slug}_reveal",
        on_click=_turn,
        args=(hung.gallery,),
        icon=":material/visibility_off:" if known else ":material/visibility:",
        type="secondary" if known else "primary",
        disabled=not shown.look.truth,
    )
    if known:
        _mistakes(shown)
    else:
        votes.ask(shown, hung.gallery)


def _line(shown: Shown, gallery: FakeGallery, place: int, exhibit: Exhibit, guess: bool | None, known: bool) -> None:
    """One exhibit."""
    names = shown.labels.strings("guess_options")
    bound = exhibit.audit.bounds[-1]
    own, other = bound.hits if bound.likelier == 0 else bound.hits[::-1]
    facts = {
        "place": Count(place + 1),
        "allowed": odds_at(exhibit.claim.epsilon),
        "own": Count(own),
        "other": Count(other),
    }
    st.markdown(shown.say("exhibit", **facts))
    key = _control(shown, gallery, place)
    if key not in st.session_state:
        st.session_state[key] = _word(guess)
    st.segmented_control(
        shown.catalogue.label("guess", shown.slug, facts),
        (KEEPS, BREAKS),
        format_func=names.__getitem__,
        key=key,
        on_change=_remember,
        disabled=known,
        args=(gallery, place, key),
        label_visibility="collapsed",
        width="stretch",
    )
    if known:
        _story(shown, place, exhibit, guess)


def _story(shown: Shown, place: int, exhibit: Exhibit, guess: bool | None) -> None:
    """The name of an exhibit, its exact level, whether the guess was right; of a mistake also its history."""
    made = type(exhibit.mechanism)
    outcome = "open" if guess is None else "right" if guess == exhibit.sound else "wrong"
    icon = {"open": "help", "right": "check_circle", "wrong": "cancel"}[outcome]
    facts = {
        "title": title_of(made.slug),
        "claim": level(exhibit.claim.epsilon),
        "level": level(exhibit.real.epsilon),
        "source": Name(made.reference),
        "outcome": Term(f"outcome.{outcome}"),
    }
    st.markdown(f":material/{icon}: " + shown.say("story sound" if exhibit.sound else "story broken", **facts))
    if not exhibit.sound:
        with st.expander(shown.label("story"), type="compact"):
            st.markdown(shown.say("told", text=about_of(made.slug)))
            st.markdown(shown.say("source", **facts))
            st.button(
                shown.label("open_one"),
                f"{shown.slug}_open_{place}",
                on_click=caught(links.request),
                args=(
                    shown.slug,
                    {
                        f"{shown.slug}_mode": "mechanism",
                        f"{shown.slug}_mechanism": made.slug,
                        "epsilon": plain_number(exhibit.claim.epsilon),
                    },
                ),
            )


def _mistakes(shown: Shown) -> None:
    """The famous mistakes with their sources: those that can hang here, those too subtle, those that miscount."""
    rooms = {"hung": broken.GALLERY, "unseen": broken.UNSEEN, "miscounts": broken.MISCOUNTS}
    with st.expander(shown.label("all_mistakes"), icon=":material/menu_book:"):
        for room, members in rooms.items():
            st.markdown(f"**{shown.label(room)}**")
            for made in members:
                st.markdown("- " + shown.say("mistake", title=title_of(made.slug), source=Name(made.reference)))


@caught
def _remember(gallery: FakeGallery, place: int, key: str) -> None:
    choice: Any = st.session_state[key]
    GUESSED.held()[_key(gallery)][place] = None if choice is None else choice == KEEPS


@caught
def _turn(gallery: FakeGallery) -> None:
    REVEALED.keep(REVEALED.get() ^ {_key(gallery)})
