"""What a link asks of a page, judged before any widget exists, and the link that asks for the present page.

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
    """Take note of what is asked for, and of what was wrong with the address before its page was reached."""
    link = link_state()
    _arrive(slug)
    for sentence in link.beforehand:
        complain(sentence)
    link.beforehand = []


def _arrive(slug: str) -> None:
    """Take note of what is asked for, once per arrival on a page: its link, and what travels between pages.

    On the page itself the address differs from what was written there last only where the reader went back, forth, or
    typed another one. While a control is being answered it may also be late, and says nothing.
    """
    link, here = link_state(), _here()
    touched, moved = link.touched or waiting(), link.moved
    link.touched, link.moved, link.known = False, {}, {}
    if link.page == slug:
        link.held |= moved
        if not touched and link.written is not None and here != link.written:
            link.asked = {key: [] for key in link.kept} | here
            link.unusable, link.noticed = [], {}
        return
    for key in chosen_in_rows(slug):
        st.session_state.pop(key, None)
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
    """The parameters of the address, but for those of the room and those that others have added to it."""
    return {key: st.query_params.get_all(key) for key in st.query_params if key not in APP and not _added(key)}


def _added(key: str) -> bool:
    """Whether mail programs and portals add a parameter to links, to count who follows them."""
    return key.lower() in COUNTERS or key.lower().startswith(ADDED)


def page() -> str:
    """The slug of the page that is shown; empty before the first arrival."""
    return link_state().page


def settings() -> dict[str, str]:
    """What is set on the present page, as its link says it."""
    return link_state().settings()


def asked_of(key: str) -> Sequence[str]:
    """The texts in which the address asks for `key`, as long as no control has taken them."""
    return tuple(link_state().asked.get(key, ()))


def ask_instead(key: str, text: str | None) -> None:
    """Ask for `key` in one text, in place of what the address says; None asks nothing of it."""
    asked = link_state().asked
    asked.pop(key, None)
    if text is not None:
        asked[key] = [text]


@caught
def touch() -> None:
    """Note that a control is being answered; every control's callback."""
    link_state().touched = True


def finish() -> None:
    """Write the state of the page into its address, once, when every control has said what it holds."""
    link = link_state()
    link.kept, link.written = tuple(link.known), {key: [text] for key, text in settings().items()}
    whole = settings() | lecture.written()
    if {key: st.query_params.get_all(key) for key in st.query_params} != {k: [text] for k, text in whole.items()}:
        st.query_params.from_dict(whole)


def chosen_in_rows(slug: str) -> tuple[str, str]:
    """Where the view and what is open below the figure are kept: no widget's, so leaving does not forget them."""
    return f"{slug}_tab", f"{slug}_below"


def answering() -> bool:
    """Whether a control is being answered, so that the address may be late."""
    return link_state().touched or waiting()


def depart(parameters: Mapping[str, str]) -> None:
    """Leave for another page with these settings and no others: what travelled stays behind."""
    link_state().travelling = {key: parameters[key] for key in PROJECT if key in parameters}


def request(slug: str, parameters: Mapping[str, str]) -> None:
    """Set the whole page anew: what is not named takes its default."""
    link = link_state()
    link.asked = {key: [] for key in (*link.known, f"{slug}_tab")} | {key: [text] for key, text in parameters.items()}
    depart(parameters)
    link.page, link.unusable, link.noticed, link.touched, link.requests = slug, [], {}, True, link.requests + 1


def set_anew(key: str) -> bool:
    """Whether a page has been set anew since this was last asked about a box, whose text no link carries."""
    link = link_state()
    before, link.seen[key] = link.seen.get(key, 0), link.requests
    return before != link.requests


def adopt(parameters: Mapping[str, str]) -> None:
    """Ask for some settings of the present page, and leave all others as they are; each is judged like a link's."""
    link = link_state()
    link.asked, link.noticed = {**link.asked, **{key: [text] for key, text in parameters.items()}}, {}
    touch()


def type_in(name: str, text: str, read: Callable[[str], float], then: Callable[[float], object]) -> None:
    """A number was typed beside a control, in the reader's own notation; one sentence says why it cannot be used."""
    touch()
    try:
        then(read(text))
    except AskError as problem:
        said = catalogue().label("typed", facts={"name": Name(name), "reason": problem.reason})
        link_state().unusable, link_state().noticed = [markdown(said)], {}


def widget_value(key: str, name: str, default: T, read: Callable[[str], T], write: Callable[[T], str]) -> T:
    """What a control holds: what the link asks for, what the reader has set, or its default.

    A control that is not there yet begins with its `first_value`. Were its value set beside it, a first run that is
    interrupted would leave it in the browser without: it is told once that a value has changed.
    """
    asked, starts = requested(key, name, default, read, write), link_state().starts
    if asked is not None:
        starts[key] = asked
        put(key, asked)
    return cast("T", st.session_state.get(key, starts.setdefault(key, default)))


def follow(key: str, default: object) -> None:
    """What nobody has set follows its default, where other settings move it."""
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
    """What a control is made with: `first`, or what it begins with; `bare`, which is none, where a value was put.

    For Streamlit wants one source of a value, and says so where a default stands beside one that is set by its key.
    """
    link = link_state()
    if key in link.put:
        link.put.discard(key)
        if key in st.session_state:
            return bare
    return link.starts[key] if first is None else first


def first_value(key: str, otherwise: T) -> T:
    """What a control shows at first; `otherwise` where nobody has said."""
    value: T = link_state().starts.get(key, otherwise)
    return value


def stage_value(key: str, name: str, default: T, read: Callable[[str], T], write: Callable[[T], str]) -> T:
    """What `key` stands at where no widget holds it, as the level and the view; leaving the page forgets it.

    Like `widget_value` it is what the link asks for, what the reader has moved it to, or its default.
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
    """Hold a value that no widget holds, from this run on."""
    link_state().held[key] = value


def set_stage_value(key: str, value: object) -> None:
    """What the reader has just chosen in the place of a value that no widget holds."""
    touch()
    link_state().moved[key] = value


def moved_alone(key: str) -> Any:
    """What this was moved to; none where more has happened since, or a sentence waits."""
    link = link_state()
    return link.moved.get(key) if len(link.moved) == 1 and not (link.unusable or waiting()) else None


def settle() -> None:
    """Hold what was moved, while the rest of the page stays as it stands."""
    link = link_state()
    link.held |= link.moved
    link.touched, link.moved = False, {}


def requested(key: str, name: str, default: T, read: Callable[[str], T], write: Callable[[T], str]) -> T | None:
    """The value that is asked for, or the default and a sentence that says why not; None where nothing is asked."""
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
    """Settings that no control asks for; project-wide ones travel on, and those of another view (`elsewhere`) wait."""
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
    """Remember what could not be used, for the notice at the top of the page; what is said again counts as new."""
    if sentence not in (link := link_state()).unusable:
        link.unusable.append(sentence)
    link.noticed.pop(sentence, None)


def complain_on_arrival(sentence: str) -> None:
    """Remember what is wrong with an address whose page is yet to be reached."""
    link_state().beforehand = [sentence]


def complaints() -> list[str]:
    """What the link asked for in vain, and what was lost; each is forgotten when the reader sets something after it."""
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
    """What each control of the page holds as links write it; None for its default."""
    return MappingProxyType(link_state().known)


def travelling() -> dict[str, str]:
    """What goes along to another page: the project-wide settings that somebody has moved."""
    return dict(link_state().travelling)


def forget(key: str) -> None:
    """Forget a setting wherever the link keeps it: it travels no further, and its control begins anew."""
    link_state().forget(key)


def requested_family(family: str) -> Mapping[str, Sequence[str]] | None:
    """What is asked for in a family of parameters (`ask`, `ask_column`, ...), taken once; None where nothing is."""
    return link_state().take_family(family) or None


def replace_family(family: str, parameters: Mapping[str, str]) -> None:
    """Put a family of parameters, of controls whose number varies, in place of the present one everywhere."""
    link_state().replace_family(family, parameters)


def address() -> str:
    """The public address of the app: the configured one, else the one that the reader uses."""
    return publicaddress.address(page())


def link(slug: str, same_room: bool = False) -> str:
    """The link that restores this page, with the step of a way and what is hidden there for the `same_room`.

    The overview is the root and never linked by its slug; how large a lecture's screen is never travels.
    """
    with_it = {"lang", "hide", *lecture.WAY} if same_room else {"lang"}
    parameters = settings() | {key: text for key, text in lecture.written().items() if key in with_it}
    return address() + ("/" if slug == DEFAULT else f"/{slug}") + (f"?{urlencode(parameters)}" if parameters else "")
