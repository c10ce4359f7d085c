"""What a link asks of a page, judged before any widget exists, and the link that asks for the present page.

One state: slugs and plain numbers with a decimal point, never a label of a language. It is read as text when the page
is reached (from an address, a preset, the browser's way back, or "reset"), each control accepts its part or says why
not, and it is written into the address once, when the page stands. No widget is bound to the address by Streamlit,
which drops without a word what it cannot read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar
from urllib.parse import urlencode, urlsplit

import streamlit as st

from explorer import aliases
from explorer.facts import Count, Exact, Name, Names, Quantity
from explorer.navigation import DEFAULT
from explorer.settings.typed import AskError
from explorer.text.escaping import markdown
from explorer.text.numerals import read
from explorer.ui import room
from explorer.ui.caught import caught, waiting
from explorer.ui.language import catalogue
from ldpcore.parameters import Interval

PROJECT = ("epsilon", "data", "basis")  # project-wide: they travel from page to page
APP = room.ALL  # app-wide: they belong to the room, not to the page
LAST_SEED = 999_999_999
T = TypeVar("T")


class UnusableError(ValueError):
    """A text that cannot be used as a value: the key of the sentence that says so, a page's or the project's own."""

    def __init__(self, key: str, page: str | None = None, **facts: Quantity) -> None:
        super().__init__(key)
        self.key, self.page, self.facts = key, page, facts


def reader(declared: Interval, low: float, high: float) -> Callable[[str], Any]:
    """Reads a number from a link as people or programs write it, and holds it to its rule."""

    def number(text: str) -> Any:
        kind = "whole" if declared.integer else "number"
        refusal = UnusableError(f"unusable.{kind}", low=Exact(low), high=Exact(high))
        try:
            value = read(text.strip().replace("_", "?"))  # Python alone reads 1_0 as 10
        except ValueError:
            raise refusal from None
        if not declared.admits(value) or not low <= value <= high:
            raise refusal
        return int(value) if declared.integer else float(value)

    return number


def none_of(options: Iterable[str]) -> UnusableError:
    """That a link must name one of a few, and does not."""
    names = tuple(options)
    return UnusableError("unusable.option", options=Names(names, len(names)))


def arrive(slug: str) -> None:
    """Take note of what is asked for, once per arrival on a page: its link, and what travels between pages.

    On the page itself the address differs from what was written there last only where the reader went back, forth, or
    typed another one. While a control is being answered it may also be late, and says nothing.
    """
    state, here = st.session_state, _here()
    touched, moved, state["_known"] = state.pop("_touched", False), state.pop("_moved", {}), {}
    if state.get("_page") == slug:
        state["_held"] |= moved
        if not touched and here != state.get("_written", here):
            state["_asked"] = {key: [] for key in state.get("_kept", ())} | here
            state["_unusable"], state["_noticed"] = [], None
        return
    for key in chosen_in_rows(slug):
        state.pop(key, None)
    if touched:  # the page has come back to a new session, and what the reader has just done counts
        here = {key: texts for key, texts in here.items() if key not in state and key not in moved}
    state["_held"], state["_starts"] = moved, {}
    for key, text in state.get("_project", {}).items():
        here.setdefault(key, [text])
    state["_page"], state["_asked"], state["_unusable"], state["_noticed"] = slug, here, [], None
    for key, text in room.unusable().items():
        facts = {"name": Name(key), "asked": Name(text[:60]), "options": Names(room.OPTIONS[key])}
        complain(catalogue().markdown(None, "unusable.switch", facts))


def _here() -> dict[str, list[str]]:
    """The parameters of the address, but for those of the room."""
    return _now({key: st.query_params.get_all(key) for key in st.query_params if key not in APP})


def _now(asked: dict[str, list[str]]) -> dict[str, list[str]]:
    """What an address asks for, as it is asked for now."""
    present = {key: texts for key, texts in asked.items() if key not in aliases.SETTINGS}
    for key in aliases.SETTINGS.keys() & asked.keys():
        tab = f"{key.partition('_')[0]}_tab"
        views, others = aliases.SETTINGS[key], asked[key] if key == tab else []
        chosen = [views.get(text, text) for text in asked[key] if text in views or text in others]
        if chosen and (key != tab or tab not in present):
            present[tab] = chosen
    for key in aliases.RENAMED.keys() & asked.keys():
        texts = present.pop(key)
        present.setdefault(aliases.RENAMED[key], [aliases.option(key, text) or text for text in texts])
    return present


def reword(key: str, how: Callable[[str], str]) -> None:
    """What an address asks of a control, in other words: how it was written once, and how it is written now."""
    asked = st.session_state.get("_asked", {})
    if key in asked:
        asked[key] = [how(text) for text in asked[key]]


def renamed(former: str, key: str, how: Callable[[str], str]) -> None:
    """What an address asks of a control under its former name and in another unit; what is no number stays as it is."""
    asked = st.session_state.get("_asked", {})
    for text in asked.pop(former, ()):
        with suppress(ValueError):
            text = how(text)
        asked.setdefault(key, [text])


@caught
def touch() -> None:
    """Note that a control is being answered; every control's callback."""
    st.session_state["_touched"] = True


def finish() -> None:
    """Write the state of the page into its address, once, when every control has said what it holds."""
    state = st.session_state
    wanted = {key: text for key, text in state["_known"].items() if text is not None}
    state["_kept"], state["_written"] = tuple(state["_known"]), {key: [text] for key, text in wanted.items()}
    whole = wanted | room.written()
    if {key: st.query_params.get_all(key) for key in st.query_params} != {k: [text] for k, text in whole.items()}:
        st.query_params.from_dict(whole)


def chosen_in_rows(slug: str) -> tuple[str, str]:
    """Where the view and what is open below the figure are kept: no widget's, so leaving does not forget them."""
    return f"{slug}_tab", f"{slug}_below"


def request(slug: str, parameters: Mapping[str, str]) -> None:
    """Set the whole page anew: what is not named takes its default."""
    state = st.session_state
    known = state.get("_known", {})
    state["_asked"] = {key: [] for key in (*known, f"{slug}_tab")} | {key: [text] for key, text in parameters.items()}
    state["_project"] = {key: parameters[key] for key in PROJECT if key in parameters}
    state["_page"], state["_unusable"], state["_noticed"], state["_touched"] = slug, [], None, True


def adopt(parameters: Mapping[str, str]) -> None:
    """Ask for some settings of the present page, and leave all others as they are; each is judged like a link's."""
    state = st.session_state
    state["_asked"] = {**state.get("_asked", {}), **{key: [text] for key, text in parameters.items()}}
    state["_noticed"] = None
    touch()


def type_in(name: str, text: str, read: Callable[[str], float], then: Callable[[float], object]) -> None:
    """A number was typed beside a control, in the reader's own notation; one sentence says why it cannot be used."""
    touch()
    try:
        then(read(text))
    except AskError as problem:
        said = catalogue().label("typed", facts={"name": Name(name), "reason": problem.reason})
        st.session_state["_unusable"], st.session_state["_noticed"] = [markdown(said)], None


def widget_value(key: str, name: str, default: T, read: Callable[[str], T], write: Callable[[T], str]) -> T:
    """What a control holds: what the link asks for, what the reader has set, or its default.

    A control that is not there yet begins with `first_value(key)`. Were its value set beside it, a first run that is
    interrupted would leave it in the browser without: it is told once that a value has changed.
    """
    asked, state = requested(key, name, default, read, write), st.session_state
    starts = state.setdefault("_starts", {})
    if asked is not None:
        starts[key] = asked
        put(key, asked)
    value: T = state.get(key, starts.setdefault(key, default))
    return value


def follow(key: str, default: object) -> None:
    """What nobody has set follows its default, where other settings move it."""
    state = st.session_state
    defaults = state.setdefault("_defaults", {})
    former = defaults.get(key, default)
    if former != default and state.get(key) == former:
        state["_starts"][key] = default
        put(key, default)
    defaults[key] = default


def put(key: str, value: object) -> None:
    """Give a control another value; one that is not there yet begins with it (see `widget_value`)."""
    state = st.session_state
    if key not in state:
        state.setdefault("_starts", {})[key] = value
        return
    state[key] = value
    state.setdefault("_put", set()).add(key)


def draw_again(slug: str) -> None:
    """Move a page's seed on to the next one, if it has one; after the last comes the first."""
    touch()
    key = f"{slug}_seed"
    if key in st.session_state:
        put(key, (st.session_state[key] + 1) % (LAST_SEED + 1))


def default(key: str, bare: Any, first: Any = None) -> Any:
    """What a control is made with: `first`, or what it begins with; `bare`, which is none, where a value was put.

    For Streamlit wants one source of a value, and says so where a default stands beside one that is set by its key.
    """
    state = st.session_state
    waiting = state.setdefault("_put", set())
    if key in waiting:
        waiting.discard(key)
        if key in state:
            return bare
    return first_value(key) if first is None else first


def first_value(key: str) -> Any:
    """What a control shows at first."""
    return st.session_state["_starts"][key]


def stage_value(key: str, name: str, default: T, read: Callable[[str], T], write: Callable[[T], str]) -> T:
    """The same for what no widget holds: the level and the view belong to the stage; leaving the page forgets them."""
    asked, kept = requested(key, name, default, read, write), st.session_state["_held"]
    if asked is not None:
        kept[key] = asked
    value: T = kept.setdefault(key, default)
    record(key, write(value), write(default))
    return value


def set_stage_value(key: str, value: object) -> None:
    """What the reader has just chosen in the place of a value that no widget holds."""
    touch()
    st.session_state.setdefault("_moved", {})[key] = value


def moved_alone(key: str) -> Any:
    """What this was moved to; none where more has happened since, or a sentence waits."""
    state = st.session_state
    moved = state.get("_moved", {})
    return moved.get(key) if len(moved) == 1 and not (state["_unusable"] or waiting()) else None


def settle() -> None:
    """Hold what was moved, while the rest of the page stays as it stands."""
    state = st.session_state
    state["_touched"] = False
    state["_held"] |= state.pop("_moved")


def requested(key: str, name: str, default: T, read: Callable[[str], T], write: Callable[[T], str]) -> T | None:
    """The value that is asked for, or the default and a sentence that says why not; None where nothing is asked."""
    texts: Sequence[str] | None = st.session_state.get("_asked", {}).pop(key, None)
    if texts is None:
        return None
    facts = {"name": Name(name), "used": Name(write(default))}
    if len(texts) > 1:
        complain(catalogue().markdown(None, "frame.twice", {**facts, "count": Count(len(texts))}))
    elif texts:
        try:
            return read(texts[0])
        except UnusableError as problem:
            why = {**facts, "asked": Name(texts[0][:60]), **problem.facts}
            complain(catalogue().markdown(problem.page, problem.key, why))
    return default


def left_over() -> list[str]:
    """What no control of this page has asked for; what is project-wide waits for one, and travels on to other pages."""
    asked, unknown = st.session_state.get("_asked", {}), []
    for key in [key for key in asked if key not in APP]:
        if key in PROJECT and len(asked[key]) < 2:
            for text in asked[key]:
                st.session_state.setdefault("_project", {})[key] = text
        elif asked.pop(key):
            unknown.append(key)
    return unknown


def complain(sentence: str) -> None:
    """Remember what could not be used, for the notice at the top of the page."""
    if sentence not in st.session_state["_unusable"]:
        st.session_state["_unusable"].append(sentence)


def complaints() -> list[str]:
    """What the link asked for in vain; forgotten as soon as the reader sets something."""
    state = st.session_state
    if state["_noticed"] is None:
        state["_noticed"] = dict(state["_known"])
    elif state["_noticed"] != state["_known"]:
        state["_unusable"] = []
    sentences: list[str] = state["_unusable"]
    return sentences


def record(key: str, text: str, default: str) -> None:
    """Remember a control's present value as links write it.

    Project-wide ones travel to the next page, once somebody has moved them: each page may start at its own default.
    """
    state = st.session_state
    state["_known"][key] = None if text == default else text
    travelling = state.setdefault("_project", {})
    if key in PROJECT and (text != default or key in travelling):
        travelling[key] = text


def requested_family(family: str) -> dict[str, Sequence[str]] | None:
    """What is asked for in a family of parameters (`ask`, `ask_column`, ...), taken once; None where nothing is."""
    asked = st.session_state.get("_asked", {})
    family_asked = {key: asked.pop(key) for key in list(asked) if _belongs(key, family)}
    return family_asked or None


def replace_family(family: str, parameters: Mapping[str, str]) -> None:
    """Put a family of parameters in place of the present one: in links, in the address, and on the way between pages.

    For controls whose number varies.
    """
    state = st.session_state
    for place in (state.setdefault("_known", {}), state.setdefault("_project", {})):
        for key in [key for key in place if _belongs(key, family)]:
            del place[key]
        place.update(parameters)


def _belongs(key: str, family: str) -> bool:
    return key == family or key.startswith(f"{family}_")


def address() -> str:
    """The public address of the app: the configured one, else the one that the reader uses."""
    configured = os.environ.get("LDP_EXPLORER_URL", "")
    if not configured:
        try:
            configured = str(st.secrets.get("LDP_EXPLORER_URL", ""))
        except FileNotFoundError:
            configured = ""
    if configured:
        return configured.rstrip("/")
    here = urlsplit(st.context.url or "")
    path = here.path.rstrip("/").removesuffix("/" + st.session_state.get("_page", ""))
    return f"{here.scheme}://{here.netloc}{path}".rstrip("/")


def link(slug: str) -> str:
    """The link that restores this page; the overview is the root and never linked by its slug."""
    parameters = {key: text for key, text in st.session_state.get("_known", {}).items() if text is not None}
    parameters |= {key: text for key, text in room.written().items() if key == "lang"}
    path = "/" if slug == DEFAULT else f"/{slug}"
    return address() + path + (f"?{urlencode(parameters)}" if parameters else "")
