"""Spot the fake: a guess for each exhibit of the gallery, then the truth, with the story of every mistake."""

from __future__ import annotations

import inspect
from typing import Any

import streamlit as st

from explorer.numbers import people
from explorer.told import verify as verdicts
from explorer.ui import prose
from explorer.ui.frame import Page
from ldpcore.experiments.verify import Exhibit, FakeGallery, GalleryResult

KEEPS, BREAKS = "keeps", "breaks"
Key = tuple[int, int]


def _key(gallery: FakeGallery) -> Key:
    """More trials show the same exhibits more clearly, so that guesses stay."""
    return gallery.size, gallery.seed


def given(gallery: FakeGallery) -> list[bool | None]:
    """What was guessed so far: whether each exhibit keeps its promise; None where nothing was said."""
    kept: dict[int, bool | None] = st.session_state.setdefault("_guesses", {}).setdefault(_key(gallery), {})
    return [kept.get(place) for place in range(gallery.size)]


def revealed(gallery: FakeGallery) -> bool:
    """Whether the reader has asked for the truth about this gallery."""
    return _key(gallery) in st.session_state.setdefault("_revealed", set())


def ask(page: Page, result: GalleryResult, shown: bool) -> None:
    """A line for each exhibit: its promise, what the audit saw, the guess; below, the button that reveals."""
    guessed = given(result.gallery)
    for place, (exhibit, guess) in enumerate(zip(result.exhibits, guessed, strict=True)):
        with st.container(border=shown):
            _line(page, result.gallery, place, exhibit, guess, shown)
    st.button(
        page.label("cover" if shown else "reveal_all"), f"{page.slug}_reveal", on_click=_turn, args=(result.gallery,),
        icon=":material/visibility_off:" if shown else ":material/visibility:",
        type="secondary" if shown else "primary",
    )  # fmt: skip


def _line(page: Page, gallery: FakeGallery, place: int, exhibit: Exhibit, guess: bool | None, shown: bool) -> None:
    names = page.labels["guess_options"]
    bound = exhibit.audit.bounds[-1]
    own, other = bound.hits if bound.likelier == 0 else bound.hits[::-1]
    numbers = {
        "place": people(place + 1), "allowed": verdicts.ratio(exhibit.claim.epsilon), "own": people(own),
        "other": people(other),
    }  # fmt: skip
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(prose.fill(page.label("exhibit"), numbers), width=700)
        key = f"{page.slug}_guess_{gallery.size}_{gallery.seed}_{place}"
        st.segmented_control(
            prose.plain(page.label("guess"), numbers), (KEEPS, BREAKS), format_func=names.__getitem__, key=key,
            default=None if guess is None else KEEPS if guess else BREAKS, on_change=_remember, disabled=shown,
            args=(gallery, place, key), label_visibility="collapsed", width="content",
        )  # fmt: skip
    if shown:
        _story(page, exhibit, guess)


def _story(page: Page, exhibit: Exhibit, guess: bool | None) -> None:
    """The name of an exhibit, its exact level, whether the guess was right; of a mistake also how it came about."""
    names, made = page.labels["outcome"], type(exhibit.mechanism)
    told = {
        "title": made.title, "claim": verdicts.level(exhibit.claim.epsilon),
        "level": verdicts.level(exhibit.real.epsilon), "source": made.reference,
    }  # fmt: skip
    mark = "open" if guess is None else "right" if guess == exhibit.sound else "wrong"
    icon = {"open": "help", "right": "check_circle", "wrong": "cancel"}[mark]
    sentence = page.label("sound_story" if exhibit.sound else "broken_story")
    st.markdown(f":material/{icon}: {names[mark]} {prose.fill(sentence, told)}")
    if not exhibit.sound:
        parts = [prose.markdown(" ".join(part.split())) for part in (inspect.getdoc(made) or "").split("\n\n")]
        st.markdown("\n\n".join([*parts, prose.fill(page.label("source"), told)]))


def _remember(gallery: FakeGallery, place: int, key: str) -> None:
    choice: Any = st.session_state[key]
    st.session_state["_guesses"][_key(gallery)][place] = None if choice is None else choice == KEEPS


def _turn(gallery: FakeGallery) -> None:
    st.session_state["_revealed"] ^= {_key(gallery)}
