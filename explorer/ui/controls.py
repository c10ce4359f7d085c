"""Declared parameters become widgets, each bound to the link under its key.

`level` and `dataset` are project-wide (`epsilon`, `data`); every other key carries its page's prefix. A control judges
the link's text before its widget exists, inserts an odd but admissible value among its stops, and hands on a plain
Python number. Labels come from the page's `## labels` (by the parameter's name, help under `<name>_help`, names of
options as a table `<name>_options`), else from `labels.toml`; a mechanism that calls its parameter by a name of its own
has it under `<slug>_<name>`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, fields
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any, TypeVar, cast

import streamlit as st

from explorer.facts import Count, Exact, Name
from explorer.facts.naming import option_of, title_of
from explorer.settings.grids import grid
from explorer.settings.typed import Habits, plain_number
from explorer.text.catalogue import catalogue_of
from explorer.text.refusals import reason
from explorer.ui import cache, links, ranges
from explorer.ui.caught import caught
from explorer.ui.language import catalogue
from explorer.ui.shown import Shown, TypedRows
from ldpcore.mechanisms import of_kind
from ldpcore.mechanisms.base import Mechanism
from ldpcore.parameters import Choice, Epsilon, Interval, ParameterError, Seed, declaration, declarations
from ldpcore.tables.table import BUILT_IN, Table, built_in

ChosenMechanism = TypeVar("ChosenMechanism", bound=Mechanism)
Number = TypeVar("Number", bound=float)  # whole where the default is
EXACT_WIDTH = 96  # px of the box beside a slider
_NOTHING: Mapping[str, str] = MappingProxyType({})


@lru_cache(8192)
def _written(language: str, value: float) -> str:
    """A stop in the reader's notation."""
    return catalogue_of(language).write(Exact(value))


def _slider(
    page: Shown,
    key: str,
    name: str,
    declared: Interval,
    default: float,
    ends: tuple[float, float],
    typical: tuple[float, float] | None = None,
) -> float:
    """A slider over written stops or a number box, as the declaration asks.

    Streamlit's own slider of numbers knows one notation alone; stops are written in the reader's.
    A number that nobody has set follows its default where other settings move that, as the width of an answer does.
    """
    label, low, high = page.label(name), *ends
    ranges.remember(key, ends)
    links.follow(key, default)
    if declared.integer:
        few = _few(grid(declared, ends, typical))
        ranges.remember_options(key, label, {plain_number(each): catalogue().write(Exact(each)) for each in few})
    held = links.widget_value(key, label, default, links.reader(declared, low, high), plain_number)
    if not low <= held <= high:  # a range that has shrunk takes its value along
        held = min(max(held, low), high)
        links.put(key, held)
    start = min(max(links.first_value(key, default), low), high)
    tip = page.label(f"{name}_help", "") or None
    if declared.integer and declared.scale == "linear":
        begun = links.default(key, links.LEAST, int(start))
        value: float = st.number_input(label, int(low), int(high), begun, 1, key=key, help=tip, on_change=links.touch)
    else:
        usual = grid(declared, ends, typical)
        stops, first = sorted({*usual, default, start, held}), links.default(key, None, start)
        with _beside(label, key, held, ends, declared.integer):
            written = partial(_written, catalogue().language)
            value = st.select_slider(label, stops, first, written, key, tip, on_change=links.touch)
    number: float = int(value) if declared.integer else float(value)
    links.record(key, plain_number(number), plain_number(default))
    return number


def _few(stops: Sequence[float], most: int = 5) -> list[float]:
    """A few of many stops, evenly among them, with both ends."""
    last = len(stops) - 1
    places = dict.fromkeys(round(place * last / (most - 1)) for place in range(most)) if last > 0 else [0]
    return [stops[place] for place in places]


@contextmanager
def _beside(label: str, key: str, held: float, ends: tuple[float, float], integer: bool = False) -> Iterator[None]:
    """A slider, and beside it a box for an exact value in the reader's own notation."""
    box, written = f"{key}_exact", Habits.of(catalogue().language)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key=f"{key}_row"):
        yield
        value = st.session_state.get(key, held)
        st.session_state[box] = written.spelled(int(value) if integer else value)

        @caught
        def type_in() -> None:
            read = partial(written.between, low=ends[0], high=ends[1], whole=integer)
            links.type_in(label, st.session_state[box], read, partial(links.put, key))

        exact = catalogue().label("exact_of", facts={"name": Name(label)})
        st.text_input(exact, max_chars=24, key=box, on_change=type_in, label_visibility="collapsed", width=EXACT_WIDTH)


def number(
    page: Shown,
    name: str,
    annotated: object,
    *,
    default: Number,
    low: float | None = None,
    high: float | None = None,
    typical: tuple[float, float] | None = None,
) -> Number:
    """A control for a declared number: key `<page>_<name>`; `low` and `high` narrow what the screen offers.

    `typical` is the range of a slider's stops, in place of the usual one.
    """
    declared = declaration(annotated)
    if not isinstance(declared, Interval):
        raise TypeError(f"{name} is not a number; use choice")
    ends = (declared.low if low is None else low, declared.high if high is None else high)
    return cast("Number", _slider(page, f"{page.slug}_{name}", name, declared, default, ends, typical=typical))


def level(page: Shown, default: float) -> float:
    """The project-wide level as a slider, on a page whose stage has no handle for it."""
    declared = declaration(Epsilon)
    assert isinstance(declared, Interval)
    low, high = declared.extreme
    return _slider(page, "epsilon", "epsilon", declared, default, (low, high))


def choice(
    page: Shown,
    name: str,
    options: Mapping[str, str] | Sequence[str] | object,
    *,
    default: str | None = None,
    row: bool = False,
) -> str:
    """A choice from a few options: a mapping from slug to label, slugs named in `<name>_options`, or a declared type.

    `row` shows them as buttons however many they are: for steps that follow one another.
    """
    if not isinstance(options, (Mapping, list, tuple)):
        declared = declaration(options)
        assert isinstance(declared, Choice)
        options = declared.options
    named = page.labels.strings(f"{name}_options")
    labels = dict(options) if isinstance(options, Mapping) else {slug: named.get(slug, slug) for slug in options}
    return _choose(page, f"{page.slug}_{name}", name, labels, default, row)


def _choose(
    page: Shown,
    key: str,
    name: str,
    labels: Mapping[str, str],
    default: str | None,
    row: bool = False,
) -> str:
    """A row of buttons for up to three short options, else a list; the link carries the slug."""
    slugs = list(labels)
    ranges.remember_options(key, page.label(name), labels)
    first = slugs[0] if default is None else default
    known = partial(_option, labels)
    if links.widget_value(key, page.label(name), first, known, labels.__getitem__) not in labels:
        links.put(key, first)
    start = links.first_value(key, first)
    start = start if start in labels else first
    tip = page.label(f"{name}_help", "") or None
    if row or (len(labels) <= 3 and sum(map(len, labels.values())) <= 36):
        chosen = st.segmented_control(
            page.label(name),
            slugs,
            default=links.default(key, None, start),
            required=True,
            format_func=labels.__getitem__,
            key=key,
            help=tip,
            width="stretch",
            on_change=links.touch,
        )
    else:
        place = links.default(key, 0, slugs.index(start))
        chosen = st.selectbox(page.label(name), slugs, place, labels.__getitem__, key, tip, on_change=links.touch)
    slug = first if chosen is None else str(chosen)
    links.record(key, slug, first)
    return slug


def _option(labels: Mapping[str, str], text: str) -> str:
    """The option that a link names by its slug."""
    if text not in labels:
        raise links.none_of(labels.values())
    return text


def switch(page: Shown, name: str, *, default: bool = False) -> bool:
    """A yes or no: key `<page>_<name>`."""
    key = f"{page.slug}_{name}"

    def truth(text: str) -> bool:
        if text.lower() not in ("true", "false"):
            raise links.none_of(("true", "false"))
        return text.lower() == "true"

    links.widget_value(key, page.label(name), default, truth, str)
    tip = page.label(f"{name}_help", "") or None
    chosen = st.toggle(page.label(name), links.default(key, False), key, tip, on_change=links.touch)
    links.record(key, str(chosen).lower(), str(default).lower())
    return chosen


def view(page: Shown, titles: Mapping[str, str], default: str | None = None) -> str:
    """The chosen view of a page without a stage, at first the first; the link carries its slug."""
    return _choose(page, f"{page.slug}_tab", "view", titles, default, row=True)


def search(page: Shown, name: str) -> str:
    """A box that filters while people type: key `<page>_<name>`."""
    key = f"{page.slug}_{name}"
    links.widget_value(key, page.label(name), "", lambda text: text[:80], str)
    wanted: str = st.text_input(
        page.label(name),
        links.default(key, ""),
        key=key,
        type="search",
        live=True,
        max_chars=80,
        on_change=links.touch,
        placeholder=page.label(f"{name}_help"),
        icon=":material/search:",
    )
    links.record(key, wanted, "")
    return wanted


def dataset(
    page: Shown, default: str | None = None, names: Sequence[str] | None = None, rows: TypedRows = "one"
) -> Table:
    """The table that the page works on, one for all pages; a table of the reader's own comes first.

    Below it, it can be looked at, an own one also brought and corrected; `rows` of it are read for each person.
    """
    from explorer.ui import doubts, session, units, uploads

    labels = {
        name: catalogue().label(f"parameters.data_{name}", facts={"n": Count(built_in(name).n)})
        for name in (BUILT_IN if names is None else names)
    }
    first = next(iter(labels)) if default is None else default
    place = st.container()
    table_fold = st.popover(
        page.label("table"), icon=":material/table_view:", width="stretch", key=f"{page.slug}_table", on_change="rerun"
    )
    if table_fold.open:
        with table_fold:
            uploads.upload_box(f"{page.slug}_file")
    session.judge_link()
    own = session.slug()
    with place:
        listed = labels if own is None else {own: session.title()} | labels
        chosen = _choose(page, "data", "data", listed, first)
    held = session.own()
    table = held.table if held is not None and chosen == own else built_in(chosen)
    page.private = cache.keep_private(table.own)
    if table_fold.open:
        with table_fold:
            uploads.show(table, f"{page.slug}_table")
    if table.own:
        doubts.ask(page)
    return units.chosen(page, table, rows)


def member(
    page: Shown,
    kind: type[ChosenMechanism],
    *,
    default: str | None = None,
    fits: Callable[[type[ChosenMechanism]], bool] = lambda member: True,
) -> type[ChosenMechanism]:
    """The reader's choice among the fitting mechanisms of a kind; `mechanism` asks for its parameters."""
    members = {member.slug: member for member in of_kind(kind) if fits(member)}
    named = {slug: catalogue().write(title_of(slug)) for slug in members}
    return members[_choose(page, f"{page.slug}_mechanism", "mechanism", named, default)]


def mechanism(page: Shown, cls: type[ChosenMechanism], **given: object) -> ChosenMechanism:
    """A mechanism, with controls for the parameters it requires beyond the `given`, and for those it calls `settable`.

    They start at what the class calls `usual`, or at their default; other parameters that may be left out keep theirs.
    A given value may be a control that is only shown where the mechanism declares it, as
    `epsilon=partial(controls.level, page)`.
    """
    chosen: Any = cls
    held = {name: given[name] for name in declarations(chosen) if name in given}
    values = {name: value() if callable(value) else value for name, value in held.items()}
    usual = cls.usual(**values)
    left_out = {field.name: field.default for field in fields(chosen) if field.default is not MISSING}
    start = left_out if usual is None else usual.parameters()
    asked = [field.name for field in fields(chosen) if field.name not in left_out or field.name in cls.settable]
    for name in (name for name in asked if name not in values):
        with page.more():
            values[name] = parameter(page, chosen, name, declarations(chosen)[name], start.get(name))
    try:
        return cast("ChosenMechanism", chosen(**values))
    except ParameterError as problem:
        if usual is None:
            raise
        st.warning(catalogue().markdown(None, "frame.mechanism_refused", {"rule": reason(problem)}))
        return usual


def parameter(page: Shown, chosen: type[Mechanism], name: str, declared: Interval | Choice, usual: Any) -> Any:
    """A control for one more parameter: labelled by the mechanism's own name of it, else by the shared one."""
    own = f"{chosen.slug}_{name}"
    key, called = f"{page.slug}_{own}", own if page.label(own, "") else name
    if isinstance(declared, Choice):
        return _choose(
            page,
            key,
            called,
            {option: catalogue().write(option_of(name, option)) for option in declared.options},
            usual,
        )
    low, high = declared.typical
    middle = math.sqrt(low * high) if declared.scale == "log" else (low + high) / 2
    default = usual if usual is not None else round(middle) if declared.integer else middle
    return _slider(page, key, called, declared, default, (declared.low, declared.high))


def several(page: Shown, name: str, options: Mapping[str, str], default: Sequence[str], most: int) -> tuple[str, ...]:
    """A choice of up to `most` options: key `<page>_<name>`; the link carries their slugs with commas between."""
    key, label = f"{page.slug}_{name}", page.label(name)

    def known(text: str) -> tuple[str, ...]:
        slugs = tuple(dict.fromkeys(text.split(",")))
        if not set(slugs) <= set(options) or len(slugs) > most:
            raise links.none_of(options.values())
        return slugs

    asked = links.requested(key, label, tuple(default), known, lambda slugs: ", ".join(map(options.__getitem__, slugs)))
    box = f"{key}_box"
    if asked is not None or box not in st.session_state:
        st.session_state[box] = list(default if asked is None else asked)
    st.session_state[box] = [slug for slug in st.session_state[box] if slug in options] or list(default)
    picked = st.multiselect(
        label, list(options), format_func=options.__getitem__, key=box, max_selections=most, on_change=links.touch
    )
    chosen: tuple[str, ...] = tuple(picked) or tuple(default)
    links.record(key, ",".join(chosen), ",".join(default))
    return chosen


def seed(page: Shown, default: int = 1) -> int:
    """The seed, and the button that moves to the next one; every random number of the page follows from it."""
    key = f"{page.slug}_seed"
    declared = declaration(Seed)
    assert isinstance(declared, Interval)
    read = links.reader(declared, 0, links.LAST_SEED)
    links.widget_value(key, page.label("seed"), default, read, plain_number)
    st.button(
        page.label("draw_again"),
        f"{page.slug}_draw",
        on_click=caught(links.draw_again),
        args=(page.slug,),
        icon=":material/casino:",
    )
    with page.more():
        chosen = st.number_input(
            page.label("seed"),
            0,
            links.LAST_SEED,
            links.default(key, "min"),
            1,
            key=key,
            help=page.label("seed_help"),
            on_change=links.touch,
        )
    links.record(key, str(chosen), str(default))
    page.seed = int(chosen)
    return int(chosen)
