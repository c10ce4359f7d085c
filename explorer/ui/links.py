"""The settings that a link asks for, judged before any widget exists, and the link that restores the present page.

One state: slugs and plain numbers with a decimal point, never a label of a language. It is read as text when the page
is reached (from an address, a preset, the browser's way back, or "reset"), each control accepts its part or says why
not, and it is written into the address once, when the page stands. No widget is bound to the address by Streamlit,
which drops without a word what it cannot read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import Any, Literal, TypeVar, cast
from urllib.parse import urlencode

import streamlit as st

from explorer.facts import Count, Name, Names
from explorer.navigation import DEFAULT
from explorer.settings.linked import LONGEST_LEDGER
from explorer.settings.typed import AskError
from explorer.text.escaping import markdown
from explorer.ui import lecture, publicaddress
from explorer.ui.caught import caught, waiting
from explorer.ui.language import catalogue
from explorer.ui.linkstate import link_state
from explorer.ui.unusable import UnusableError as UnusableError
from explorer.ui.unusable import none_of as none_of
from explorer.ui.unusable import reader as reader

PROJECT = ("epsilon", "data", "basis")  # project-wide: they travel from page to page
APP = lecture.ALL  # app-wide: they belong to the room, not to the page
LAST_SEED = 999_999_999
LEAST: Literal["min"] = "min"  # with what Streamlit begins a box for a number
ADDED, COUNTERS = ("utm_", "mc_", "embed"), ("fbclid", "gclid")  # what such parameters begin with, or are called
T = TypeVar("T")
First = TypeVar("First")


def arrive(slug: str) -> None:
    """Note the link's requests, and errors in the address that came up before its page was reached."""
    link = link_state()
    _arrive(slug)
    for sentence in link.beforehand:
        complain(sentence)
    link.beforehand = []


def _arrive(slug: str) -> None:
    """Note the link's requests and the travelling settings, once per arrival on a page.

    On the page itself the address differs from the one written there last only where the reader went back, forth, or
    typed another one. While a widget's callback runs it may also lag behind, and is ignored.
    """
    link, here = link_state(), _here()
    touched, moved = link.touched or waiting(), link.moved
    link.touched, link.answered, link.moved, link.known = False, 0, {}, {}
    if link.page == slug:
        link.held |= moved
        if not touched and link.written is not None and here != link.written:
            link.sent = None  # the reader went back or forth, and may have gone on: nothing is written over that
            link.asked = {key: [] for key in link.kept} | here
            link.unusable, link.noticed = [], {}
        return
    for key in chosen_in_rows(slug):
        st.session_state.pop(key, None)
    if not touched and here:
        link.sent = None
    if touched:  # the page has come back to a new session, and what the reader has just done counts
        here = {key: texts for key, texts in here.items() if key not in st.session_state and key not in moved}
    link.held, link.starts = moved, {}
    for key, text in link.travelling.items():
        here.setdefault(key, [text])
    link.page, link.asked, link.unusable, link.noticed = slug, here, [], {}
    for key, text in lecture.unusable().items():
        facts = {"name": Name(key), "asked": Name(text[:60]), "options": Names(lecture.OPTIONS[key])}
        complain(catalogue().markdown(None, "unusable.switch", facts))


def _here() -> dict[str, list[str]]:
    """The parameters of the address, without the room's and those added by other programs."""
    return {key: st.query_params.get_all(key) for key in st.query_params if key not in APP and not _added(key)}


def _added(key: str) -> bool:
    """Whether mail programs and portals add a parameter to links, to count clicks."""
    return key.lower() in COUNTERS or key.lower().startswith(ADDED)


def page() -> str:
    """The slug of the present page; empty before the first arrival."""
    return link_state().page


def settings() -> dict[str, str]:
    """The settings of the present page, as its link writes them."""
    return link_state().settings()


def asked_of(key: str) -> Sequence[str]:
    """The texts in which the address asks for `key`, as long as no control has taken them."""
    return tuple(link_state().asked.get(key, ()))


def ask_instead(key: str, text: str | None) -> None:
    """Ask for `key` in one text, in place of the address's; None asks nothing of it."""
    asked = link_state().asked
    asked.pop(key, None)
    if text is not None:
        asked[key] = [text]


@caught
def touch() -> None:
    """Note that a widget's callback is running; called by every control."""
    link_state().touched = True


def finish() -> None:
    """Write the page's state into its address, once, after every control.

    An address that already says this may be out of date on a slow line: the one written before may still be on its way.
    """
    link, whole = link_state(), settings() | lecture.written()
    link.kept, link.written = tuple(link.known), {key: [text] for key, text in settings().items()}
    here = {key: st.query_params.get_all(key) for key in st.query_params}
    if here != {key: [text] for key, text in whole.items()} or link.sent not in (None, whole):
        st.query_params.from_dict(whole)
    link.sent = whole


def chosen_in_rows(slug: str) -> tuple[str, str]:
    """The keys of the view and of the open part below the figure: no widget holds them, so leaving keeps them."""
    return f"{slug}_tab", f"{slug}_below"


def answering() -> bool:
    """Whether a widget's callback is running: the address may lag behind."""
    return link_state().touched or waiting()


def depart(parameters: Mapping[str, str]) -> None:
    """Leave for another page with these settings and no others; travelling ones stay behind."""
    link_state().travelling = {key: parameters[key] for key in PROJECT if key in parameters}


def request(slug: str, parameters: Mapping[str, str]) -> None:
    """Set the whole page anew: settings that are not named take their default."""
    link = link_state()
    link.asked = {key: [] for key in (*link.known, f"{slug}_tab")} | {key: [text] for key, text in parameters.items()}
    depart(parameters)
    link.page, link.unusable, link.noticed, link.touched, link.requests = slug, [], {}, True, link.requests + 1


def set_anew(key: str) -> bool:
    """Whether a page has been set anew since the last call about a box, whose text no link carries."""
    link = link_state()
    before, link.seen[key] = link.seen.get(key, 0), link.requests
    return before != link.requests


def adopt(parameters: Mapping[str, str]) -> None:
    """Ask for some settings of the present page, and leave all others as they are; each is judged like a link's."""
    link = link_state()
    link.asked, link.noticed = {**link.asked, **{key: [text] for key, text in parameters.items()}}, {}
    touch()


def type_in(name: str, text: str, read: Callable[[str], float], then: Callable[[float], object]) -> None:
    """Take a number typed beside a control, in the reader's own notation; one sentence says why it cannot be used."""
    touch()
    try:
        then(read(text))
    except AskError as problem:
        said = catalogue().label("typed", facts={"name": Name(name), "reason": problem.reason})
        link_state().unusable, link_state().noticed = [markdown(said)], {}


def widget_value(key: str, name: str, default: T, read: Callable[[str], T], write: Callable[[T], str]) -> T:
    """The value of a control: the link's, the reader's, or its default.

    A control that is not there yet begins with its `first_value`. Were its value set beside it, a first run that is
    interrupted would leave it in the browser without: it is told once that a value has changed.
    """
    asked, starts = requested(key, name, default, read, write), link_state().starts
    if asked is not None:
        starts[key] = asked
        put(key, asked)
    return cast("T", st.session_state.get(key, starts.setdefault(key, default)))


def follow(key: str, default: object) -> None:
    """Move a setting that nobody has set to its default, which other settings move."""
    link = link_state()
    former = link.defaults.get(key, default)
    if former != default and st.session_state.get(key) == former:
        link.starts[key] = default
        put(key, default)
    link.defaults[key] = default


def put(key: str, value: object) -> None:
    """Give a control another value; one that is not there yet begins with it (see `widget_value`)."""
    link = link_state()
    if key not in st.session_state:
        link.starts[key] = value
        return
    st.session_state[key] = value
    link.put.add(key)


def draw_again(slug: str) -> None:
    """Move a page's seed on to the next one, if it has one; after the last comes the first."""
    touch()
    key = f"{slug}_seed"
    if key in st.session_state:
        put(key, (st.session_state[key] + 1) % (LAST_SEED + 1))


def default(key: str, bare: T, first: First | None = None) -> T | First:
    """The value to make a control with: `first`, or its beginning; `bare`, which is none, where a value was put.

    Streamlit wants one source of a value, and warns where a default stands beside one that is set by its key.
    """
    link = link_state()
    if key in link.put:
        link.put.discard(key)
        if key in st.session_state:
            return bare
    return link.starts[key] if first is None else first


def first_value(key: str, otherwise: T) -> T:
    """The first value of a control; `otherwise` where nobody has set one."""
    value: T = link_state().starts.get(key, otherwise)
    return value


def stage_value(key: str, name: str, default: T, read: Callable[[str], T], write: Callable[[T], str]) -> T:
    """The value of `key` where no widget holds it, as for the level and the view; leaving the page forgets it.

    As in `widget_value` it is the link's, the reader's, or its default.
    """
    asked, kept = requested(key, name, default, read, write), link_state().held
    if asked is not None:
        kept[key] = asked
    value: T = kept.setdefault(key, default)
    record(key, write(value), write(default))
    return value


def held(key: str, otherwise: T) -> T:
    """The value of `key` that no widget holds, or `otherwise` while there is none."""
    value: T = link_state().held.get(key, otherwise)
    return value


def hold(key: str, value: object) -> None:
    """Hold, from this run on, a value that no widget holds."""
    link_state().held[key] = value


def set_stage_value(key: str, value: object) -> None:
    """Set a value that no widget holds, as the reader has just chosen it."""
    touch()
    link_state().moved[key] = value


def moved_alone(key: str) -> Any:
    """The new value, where nothing but this was moved; none where more has happened since, or a sentence waits."""
    link = link_state()
    alone = len(link.moved) == 1 and answered_alone()
    return link.moved.get(key) if alone and not (link.unusable or waiting()) else None


def answered_alone() -> bool:
    """Whether no more than one callback has run since the page was drawn.

    Where the browser hears two things in one moment, a control of a fragment and a key of the whole page, say, then
    Streamlit runs the fragment by itself, and nobody would draw what the other one has changed.
    """
    return link_state().answered <= 1


def settle() -> None:
    """Hold the moved value, while the rest of the page stays as it is."""
    link = link_state()
    link.held |= link.moved
    link.touched, link.answered, link.moved = False, 0, {}


def requested(key: str, name: str, default: T, read: Callable[[str], T], write: Callable[[T], str]) -> T | None:
    """The requested value, or the default and the reason why it cannot be used; None where nothing is asked."""
    texts: Sequence[str] | None = link_state().asked.pop(key, None)
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


def left_over(elsewhere: Sequence[str] = ()) -> list[str]:
    """The requests that no control takes; project-wide ones travel on, and those of another view (`elsewhere`) wait."""
    link, unknown = link_state(), []
    for key, texts in [(key, texts) for key, texts in link.asked.items() if key not in APP]:
        if key in PROJECT and len(texts) < 2:
            link.travelling.update(zip([key], texts, strict=False))
        elif len(texts) == 1 and len(texts[0]) <= LONGEST_LEDGER and any(fnmatchcase(key, each) for each in elsewhere):
            link.known[key] = texts[0]
        elif link.asked.pop(key):
            unknown.append(key)
    return unknown


def complain(sentence: str) -> None:
    """Remember a sentence for the notice at the top of the page; a repeated one counts as new."""
    if sentence not in (link := link_state()).unusable:
        link.unusable.append(sentence)
    link.noticed.pop(sentence, None)


def complain_on_arrival(sentence: str) -> None:
    """Remember an error in an address whose page is yet to be reached."""
    link_state().beforehand = [sentence]


def complaints() -> list[str]:
    """The unusable requests of the link, and lost data; each is forgotten when the reader sets something after it."""
    link, known = link_state(), dict(link_state().known)
    link.unusable = [each for each in link.unusable if link.noticed.get(each, known) == known]
    link.noticed = dict.fromkeys(link.unusable, known)
    return link.unusable


def record(key: str, text: str, default: str) -> None:
    """Remember a control's present value as links write it.

    Project-wide ones travel to the next page, once somebody has moved them: each page may start at its own default.
    """
    link = link_state()
    link.known[key] = None if text == default else text
    if key in PROJECT and (text != default or key in link.travelling):
        link.travelling[key] = text


def known() -> Mapping[str, str | None]:
    """The value of each control of the page as links write it; None for its default."""
    return MappingProxyType(link_state().known)


def travelling() -> dict[str, str]:
    """The settings that go along to another page: project-wide ones that somebody has moved."""
    return dict(link_state().travelling)


def forget(key: str) -> None:
    """Forget a setting wherever the link keeps it: it travels no further, and its control begins anew."""
    link_state().forget(key)


def requested_family(family: str) -> Mapping[str, Sequence[str]] | None:
    """The requests in a family of parameters (`ask`, `ask_column`, ...), taken once; None where there are none."""
    return link_state().take_family(family) or None


def replace_family(family: str, parameters: Mapping[str, str]) -> None:
    """Replace a family of parameters, whose controls vary in number, everywhere."""
    link_state().replace_family(family, parameters)


def address() -> str:
    """The public address of the app: the configured one, else the one that the reader uses."""
    return publicaddress.address(page())


def link(slug: str, same_room: bool = False) -> str:
    """The link that restores this page; for the `same_room` with the step of a way and what is hidden there.

    The overview is the root and never linked by its slug; the size of a lecture's screen never travels.
    """
    with_it = {"lang", "hide", *lecture.WAY} if same_room else {"lang"}
    parameters = settings() | {key: text for key, text in lecture.written().items() if key in with_it}
    return address() + ("/" if slug == DEFAULT else f"/{slug}") + (f"?{urlencode(parameters)}" if parameters else "")
