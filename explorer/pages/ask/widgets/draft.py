"""A question as it is written: typed or taken from an example, with the meaning of its level, until it is opened."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import streamlit as st

from explorer.facts import Facts, Level, Name, Odds, Share, Term
from explorer.facts.naming import title_of
from explorer.pages.ask.facts import reached
from explorer.pages.ask.settings import KINDS, PollDraft, reach
from explorer.poll import telling
from explorer.poll.collected import SURELY
from explorer.poll.denials import DenialError
from explorer.poll.questions import AnswerKind, PollQuestion
from explorer.poll.rooms import Room, rooms
from explorer.settings.typed import AskError, plain_number
from explorer.text import Texts
from explorer.text.escaping import markdown
from explorer.ui import controls, links, presenting, typed
from explorer.ui.caught import caught
from explorer.ui.sessionkeys import OPENING
from explorer.ui.shown import Shown
from ldpcore.parameters import ParameterError

USUAL = 1.1  # even odds become 3 : 1
AGAIN = ("kept", "fresh")


def compose(shown: Shown, room: Room | None, asked_now: Callable[[], object]) -> Facts:
    """The boxes, their meaning, and the button that opens them; the facts of the page's answer.

    `asked_now` hears that the question has been put.
    """
    boxes, meaning = st.columns([3, 2], gap="large")
    with boxes, st.container(gap="xsmall"):
        draft = _draft(shown)
        level = controls.level(shown, USUAL)
        pin = "" if room else _pin(shown)
        asked = _judged(shown, draft, level)
    if OPENING.take() and asked is not None:
        _put(asked, pin, asked_now)
    with meaning:  # first, so that it stands on the first screen of a hall too; on a phone it follows the boxes
        st.button(
            shown.label("put" if room else "open"),
            _key(shown, "open"),
            on_click=_open,
            type="primary",
            icon=":material/campaign:",
            disabled=asked is None,
        )
    if asked is None:
        return {"stage": Term("stages.unready")}
    with meaning:
        _meaning(shown, asked)
    return {"stage": Term("stages.none"), "level": Level(asked.epsilon), "odds": Odds(asked.epsilon)}


def _pin(shown: Shown) -> str:
    """The PIN on the screen, which phones must type to join; empty where none is wanted."""
    return st.text_input(shown.label("pin"), max_chars=40, key=_key(shown, "pin"), help=shown.label("pin_help"))


def _key(shown: Shown, name: str) -> str:
    return f"{shown.slug}_{name}"


def _draft(shown: Shown) -> PollDraft | None:
    """The draft in the boxes; None, and a sentence, where bounds cannot be read."""
    if links.asked_of(_key(shown, "tab")) in (("tally",), ("rounds",)):  # views without anything to show yet
        links.ask_instead(_key(shown, "tab"), KINDS[0])
    kind = cast("AnswerKind", controls.view(shown, {kind: shown.title(kind) for kind in KINDS}))
    slug = controls.choice(shown, f"example_{kind}", tuple(shown.labels.table(f"example_{kind}_options")))
    example, place = shown.labels.table("examples", slug), _key(shown, f"{slug}_{shown.catalogue.language}")
    text = st.text_input(shown.label("question"), example.text("text"), 400, key=f"{place}_text", on_change=links.touch)
    answers, ends = (_answers(shown, kind, example, place), _bounds(shown, kind, example, place))
    kept = controls.choice(shown, "again", AGAIN) == "kept"
    return None if ends is None else PollDraft(kind, text, answers, *ends, kept)


def _answers(shown: Shown, kind: AnswerKind, example: Texts, place: str) -> tuple[str, ...]:
    """The answers to choose from, one a line."""
    if kind != "choice":
        return ()
    usual, tip = "\n".join(map(str, example.listed("answers"))), shown.label("answers_help")
    text = st.text_area(
        shown.label("answers"), usual, 150, 2000, key=f"{place}_answers", help=tip, on_change=links.touch
    )
    return tuple(text.split("\n"))


def _bounds(shown: Shown, kind: AnswerKind, example: Texts, place: str) -> tuple[float, float] | None:
    """The public bounds of a number; None, and a sentence, where one cannot be read."""
    if kind != "number":
        return 0.0, 1.0
    written, ends = typed.habits(), []
    for name, side in zip(("low", "high"), st.columns(2), strict=True):
        end = example[name]
        assert isinstance(end, (int, float))
        start, tip = written.respelled(plain_number(end)), shown.label("bounds_help")
        text = typed.box(shown.label(name), start, f"{place}_{name}", written, place=side, help=tip)
        try:
            ends.append(written.number(text))
        except AskError as problem:
            said = shown.catalogue.label("typed", facts={"name": Name(shown.label(name)), "reason": problem.reason})
            st.warning(markdown(said), icon=":material/edit:")
            return None
    return ends[0], ends[1]


def _judged(shown: Shown, draft: PollDraft | None, level: float) -> PollQuestion | None:
    """The question as it would be asked; None, and one sentence, where it cannot be."""
    if draft is None:
        return None
    try:
        return draft.asked(level)
    except DenialError as problem:
        said = telling.sentence(problem, shown.catalogue.language)
    except ParameterError as problem:
        said = shown.catalogue.refusal(problem)
    st.warning(markdown(said), icon=":material/edit:")
    return None


def _meaning(shown: Shown, asked: PollQuestion) -> None:
    """Tell one report's cost, the knowledge from all of them, and the instruction of each phone."""
    catalogue, named = shown.catalogue, telling.facts(asked)
    rule = Name(catalogue.text(telling.PAGE, f"before {telling.case(asked)}", named))
    st.markdown(shown.say("meaning", odds=Odds(asked.epsilon), rule=rule))
    known = reached(reach(asked.toss).run(), asked)
    key = "meaning mean" if asked.kind == "number" else "meaning shares"
    st.markdown(shown.say(key, confidence=Share(SURELY, 3), **known))
    st.markdown(shown.say("meaning rounds", again=Term(f"again_options.{'kept' if asked.kept else 'fresh'}")))
    st.caption(shown.say("fixed", mechanism=title_of(asked.toss.mechanism.slug)))


@caught
def _open() -> None:
    """Note that the question is to be opened: the next run reads what was typed just before."""
    links.touch()
    OPENING.keep(True)


def _put(asked: PollQuestion, pin: str, asked_now: Callable[[], object]) -> None:
    """Open a room where there is none, and put the question to it."""
    try:
        held = presenting.presenter()
        if held is None:
            held = rooms().open(pin)
            presenting.keep(held)
        rooms().ask(held, asked)
        asked_now()
    except DenialError as problem:
        presenting.refuse(problem)
    st.rerun()
