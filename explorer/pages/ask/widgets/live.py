"""The room as it answers: the way to join, the picture that grows, and the presenter's buttons."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, cast

import streamlit as st

from explorer.declarations import PageDeclaration
from explorer.facts import Facts, Level, Name, Odds, Term
from explorer.navigation import entries
from explorer.pages.ask.drawings import door, spoken
from explorer.pages.ask.widgets import draft
from explorer.pages.ask.widgets.hands import hands
from explorer.paper.leaving import Viewed
from explorer.poll.collected import CollectedAnswers, elsewhere
from explorer.poll.denials import DenialError
from explorer.poll.rooms import Presenter, Room, Rooms, rooms
from explorer.scenes import Scene, run, scene, told_of
from explorer.text.escaping import markdown
from explorer.ui import below, links, presenting, share, sources, trouble
from explorer.ui.caught import caught
from explorer.ui.drawing import drawing
from explorer.ui.sessionkeys import NEXT_QUESTION
from explorer.ui.shown import Shown

EVERY = 1.0  # seconds between two looks at an open round
SELDOM = 3.0  # seconds between two looks at a room that cannot be reached
ACTIONS: Mapping[str, Callable[[Rooms, Presenter], None]] = MappingProxyType(
    {"close": Rooms.close, "reopen": Rooms.reopen, "repeat": Rooms.again, "forget": Rooms.forget}
)
ICONS: Mapping[str, str] = MappingProxyType(
    {"close": "stop_circle", "reopen": "play_circle", "repeat": "replay", "next": "add_comment", "forget": "delete"}
)
TIGHT: Final = "xsmall"  # between the board's parts: all of it is to stand on one screen of a hall
State = tuple[str, int, int]


def body(shown: Shown, page: PageDeclaration[CollectedAnswers]) -> Facts:
    """The question that is written, or the room that answers it; the facts of the page's answer."""
    presenting.remember()
    room = presenting.look()
    if said := presenting.refused():
        shown.notice.warning(markdown(said), icon=":material/meeting_room:")
    if room is None and presenting.presenter() is not None:  # the database is away for a moment
        st.fragment(_look_again, run_every=SELDOM)()
        return {"stage": Term("stages.unready")}
    if room is None or room.current is None or NEXT_QUESTION.get():
        return _before(shown, room)
    return _present(shown, page, room)


def _look_again() -> None:
    """Show the whole page as soon as the room can be reached."""
    if presenting.look() is not None or presenting.presenter() is None:
        st.rerun()


def _before(shown: Shown, room: Room | None) -> Facts:
    """The next question of a room, or its first one."""
    if room is None or room.current is None:
        NEXT_QUESTION.keep(False)
    facts = draft.compose(shown, room, lambda: NEXT_QUESTION.keep(False))
    if room is None:
        return facts
    _buttons(shown, ("cancel", "forget") if room.current else ("forget",), room)
    return {"stage": Term("stages.waiting"), "code": Name(room.card.code)}


def _state(room: Room) -> State:
    """The state that the whole page depends on."""
    return room.card.stage, room.card.serial, room.card.round


def _present(shown: Shown, page: PageDeclaration[CollectedAnswers], room: Room) -> Facts:
    """The board, the buttons, and, once the round is closed, the uses of its tally."""
    current, asked, is_open = room.current, room.card.asked, room.card.stage == "open"
    assert current is not None
    assert asked is not None
    shown.level, shown.brought = asked.epsilon, asked.kind
    together = st.container(gap=TIGHT, key=f"{shown.slug}_board")
    place = together.container()
    with together:
        known = _buttons(shown, ("close", "forget") if is_open else ("reopen", "repeat", "next", "forget"), room)

    def board() -> None:
        try:
            _board(shown, page, _state(room), known)
        except Exception as problem:  # see `Page.run`: inside a fragment Streamlit would tell it in its own way
            trouble.tell(shown.slug, problem)

    with place:
        st.fragment(board, run_every=EVERY if is_open else None)()
    _rounds(shown, page, room)
    if current.rounds[-1].answered and not is_open:
        _after(shown, page, CollectedAnswers.of(current, hands=known))
    facts = {"stage": Term(f"stages.{room.card.stage}"), "code": Name(room.card.code)}
    return facts | {"level": Level(asked.epsilon), "odds": Odds(asked.epsilon)}


def _scene(shown: Shown, page: PageDeclaration[CollectedAnswers], collected: CollectedAnswers) -> Scene:
    """The scene of the collected answers."""
    view, language = page.views["tally"], shown.catalogue.language
    return scene(page, view, collected, shown.level, shown.look, language, run, collected)


def _board(shown: Shown, page: PageDeclaration[CollectedAnswers], state: State, known: tuple[float, ...]) -> None:
    """The way to join, and the answers so far; looked at again and again while the round is open."""
    room = presenting.look()
    if room is None or _state(room) != state:
        st.rerun()
    assert room.current is not None
    sides = st.columns([1, 3], gap="medium")
    with sides[0]:
        _door(shown, room)
    with sides[1], st.container(gap=TIGHT):
        st.html(spoken(room.current.asked.text))
        _told(shown, page, CollectedAnswers.of(room.current, hands=known))


def _told(shown: Shown, page: PageDeclaration[CollectedAnswers], collected: CollectedAnswers) -> None:
    """The picture and its sentence."""
    if not collected.n:
        st.markdown(shown.say("told first"))
        return
    present = _scene(shown, page, collected)
    drawing(present.drawing or "", f"{shown.slug}_picture")
    st.html(f'<div class="ldp-says">{present.answer}</div>')


def _door(shown: Shown, room: Room) -> None:
    """The code, and the number of phones."""
    code = room.card.code
    words = shown.catalogue.labels("door", shown.slug, {"pin": Name(room.pin)})
    counts = room.joined, room.current.rounds[-1].answered if room.current else 0
    qr = share.qr_svg(presenting.address(code))
    drawing(door(code, presenting.short(code), qr, room.pin, counts, words), f"{shown.slug}_door")


def _buttons(shown: Shown, names: tuple[str, ...], room: Room) -> tuple[float, ...]:
    """A button for each possible action, and the way on to another device; the hands that were counted."""
    with st.container(horizontal=True, vertical_alignment="center", key=f"{shown.slug}_buttons"):
        for name in names:
            _button(shown, name)
        known = hands(shown, room.card.asked, room.card.serial) if "reopen" in names and room.card.asked else ()
        with st.popover(shown.label("device"), icon=":material/devices:"):
            st.markdown(shown.say("key"))
            st.code(presenting.own_link(), language=None, wrap_lines=True)
    return known


def _button(shown: Shown, name: str) -> None:
    """One button."""
    st.button(
        shown.label(name),
        f"{shown.slug}_{name}",
        on_click=_act,
        args=(name,),
        icon=f":material/{ICONS.get(name, 'arrow_back')}:",
    )


@caught
def _act(name: str) -> None:
    """Take the action of a button; the next run tells a refusal of the room."""
    links.touch()
    NEXT_QUESTION.keep(name == "next")
    held = presenting.presenter()
    if name not in ACTIONS or held is None:
        return
    try:
        ACTIONS[name](rooms(), held)
    except DenialError as problem:
        presenting.refuse(problem)
    else:
        if name == "forget":
            presenting.drop()


def _rounds(shown: Shown, page: PageDeclaration[CollectedAnswers], room: Room) -> None:
    """The level spent so far; after further rounds, the gain of a guess about one phone."""
    assert room.current is not None
    if len(room.current.rounds) > 1:
        collected = CollectedAnswers.of(room.current)
        present = scene(page, page.views["rounds"], collected, shown.level, shown.look, shown.catalogue.language)
        said = shown.catalogue.html(shown.slug, present.said[0], shown.facts(present.facts))
        st.html(f'<div class="ldp-says">{said}</div>')
        drawing(present.drawing or "", f"{shown.slug}_rounds")
    if len(room.questions) > 1:
        st.markdown(shown.say("spent", level=Level(round(room.spent, 6))))


def _after(shown: Shown, page: PageDeclaration[CollectedAnswers], collected: CollectedAnswers) -> None:
    """The uses of the tally: the page about such answers, its numbers, its formula, its sheet."""
    view, present = page.views["tally"], _scene(shown, page, collected)
    if (way := elsewhere(collected)) is not None:
        _elsewhere(shown, *way)
    shown.source = (sources.line(shown, told_of(page, view, collected, None), present),)
    viewed = Viewed(page, view, collected, collected, shown.level, shown.catalogue.language)
    shown.viewed = cast("Viewed[object]", viewed)
    below.show(shown, page, present, lambda: present.facts)


def _elsewhere(shown: Shown, slug: str, parameters: Mapping[str, str]) -> None:
    """The link to the page about such answers, with the counts."""
    entry = next(entry for entry in entries() if entry.slug == slug)
    title = shown.catalogue.text(slug, f"view {parameters[f'{slug}_tab']}")
    label = shown.catalogue.label("other_page", shown.slug, {"page": Name(title)})
    st.page_link(entry.path, label=label, icon=f":material/{entry.icon}:", query_params=dict(parameters))
