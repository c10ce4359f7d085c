"""What is asked of a table: how many, the sum or the mean, of everybody or of those who fulfil every condition.

    table = controls.dataset(shown)
    asked = asking.question(shown, table, verbs=("count", "sum"))

A question about a built-in table travels in the link and from page to page; about a table of the reader's own it stays
in the session, and nothing that was typed or chosen leaves it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from explorer.facts import Count as Counted
from explorer.facts import Facts, Number, Quantity, Term, Truth
from explorer.facts.refusals import reason
from explorer.settings.questions import (
    MOST_CONDITIONS,
    RELATIONS,
    VERBS,
    WHO,
    AskError,
    ColumnLabels,
    Draft,
    Row,
    TableQuestion,
    bounds,
    condition,
    default,
    fresh_row,
    from_link,
    people_fact,
    query,
    starting_values,
    to_link,
    where,
)
from explorer.settings.tables import Asked
from explorer.text.escaping import markdown
from explorer.ui import cache, links
from explorer.ui.language import catalogue
from ldpcore.parameters import Neighbors, declaration
from ldpcore.queries import BUILT_IN_QUERIES, Bars, Histogram, Mean
from ldpcore.refusals import Refusal
from ldpcore.tables import Table, shortened

_REFUSED = (AskError, Refusal)
_MOST_BARS = 30  # a column of more values is sorted into bins, where its values are numbers


def words(key: str, **facts: Quantity) -> str:
    """A short text of the builder, as it is."""
    return catalogue().label(f"asking.{key}", facts=facts)


def _say(key: str, **facts: Quantity) -> str:
    """A sentence of the builder as Markdown."""
    return catalogue().markdown(None, f"asking.{key}", facts)


def _reason(problem: AskError | Refusal) -> Quantity:
    """Why a question is refused."""
    return problem.reason if isinstance(problem, AskError) else reason(problem)


def question(page: Any, table: Table, verbs: Sequence[str] = ("count",), neighbors: str = "add or remove one") -> Asked:
    """Draw what is asked, where the page stands, and return it; what cannot be asked is left out with a sentence.

    A mean over a private number of people takes two releases: it is told so, and its sum is asked instead.
    """
    kept = _drafts()
    name = f"{table.digest}"
    draft, generation = kept.get(name, (default(table), 0))
    arrived = _arrived(page, table, verbs)
    if arrived is not None and arrived != draft:
        draft, generation = arrived, generation + 1
    if draft.verb not in verbs:
        draft = replace(draft, verb=verbs[0])
    draft = _draw(table, draft, verbs, f"asking_{name[:8]}_{generation}")
    kept[name] = (draft, generation)
    links.replace_family("ask", to_link(table, draft))
    asked = _asked(table, draft)
    _after(page, asked)
    if not asked.direct(neighbors):
        st.caption(_say("ratio"))
    return _answered(Asked.of(asked.query, table, neighbors))


def _drafts() -> dict[str, tuple[Draft, int]]:
    """The questions being built, one per table, in the reader's session."""
    return st.session_state.setdefault("_questions", {})  # type: ignore[no-any-return]


def _arrived(page: Any, table: Table, verbs: Sequence[str]) -> Draft | None:
    """The question that a link, a preset or another page brings, judged; None where none is brought."""
    asked = links.requested_family("ask")
    if asked is None or table.own:
        return None
    texts = {key: found[-1] for key, found in asked.items() if found}
    try:
        return from_link(table, texts, verbs)
    except _REFUSED as problem:
        start = default(table)
        links.complain(_say("unusable", rule=_reason(problem), used=people_fact(where(table, start))))
        return start


def _asked(table: Table, draft: Draft) -> Asked:
    """The question of a draft; where it cannot be asked, one sentence and the nearest one that can."""
    try:
        found = query(table, draft)
    except _REFUSED as problem:
        st.warning(_say("left_out", rule=_reason(problem)))
        found = query(table, _mended(table, draft))
    return _answered(Asked(found, table, table.own))


def _answered(asked: Asked) -> Asked:
    """The question with its answer, found once: for everybody, or in the session that brought the table."""
    return asked.answered(cache.run(TableQuestion(asked.query, asked.table), asked.scope))


def _mended(table: Table, draft: Draft) -> Draft:
    """The draft without the conditions and bounds that cannot be used."""
    rows = tuple(row for row in draft.rows if _usable(table, row))
    low, high = bounds(table, draft.column)
    for mended in (
        replace(draft, rows=rows),
        replace(draft, rows=rows, low=low, high=high),
        replace(draft, rows=(), who="everybody"),
    ):
        try:
            query(table, mended)
        except _REFUSED:
            continue
        return mended
    return replace(default(table), who="everybody")


def _usable(table: Table, row: Row) -> bool:
    try:
        condition(table, row)
    except _REFUSED:
        return False
    return True


def _draw(table: Table, draft: Draft, verbs: Sequence[str], key: str) -> Draft:
    """The widgets of a question; returns the draft as it now stands."""
    possible = [verb for verb in VERBS if verb in verbs and (verb == "count" or table.of_kind("number"))]
    if len(possible) > 1:
        verb = st.segmented_control(
            words("verb"), possible, default=draft.verb if draft.verb in possible else possible[0], required=True,
            format_func=words, key=f"{key}_verb", width="stretch",
        )  # fmt: skip
        draft = replace(draft, verb=str(verb))
    if draft.verb != "count":
        draft = _bounds(table, draft, key)
    options = [who for who in WHO if who != "ready" or (not table.own and table.name in BUILT_IN_QUERIES)]
    shown = {"own": words("own"), "everybody": words("everyone")}
    if "ready" in options:
        shown["ready"] = catalogue().write(people_fact(BUILT_IN_QUERIES[table.name].where))
    who = st.radio(
        words("who"), options, options.index(draft.who), lambda option: markdown(shown[option]), f"{key}_who"
    )
    draft = replace(draft, who=str(who))
    if draft.who == "own":
        draft = replace(draft, rows=_rows(table, draft, key))
    return draft


def _bounds(table: Table, draft: Draft, key: str) -> Draft:
    """The column that is added up, and the public bounds into which its values are forced."""
    columns = table.of_kind("number")
    start = columns.index(draft.column) if draft.column in columns else 0
    column = st.selectbox(words("of"), columns, start, shortened, f"{key}_of")
    low, high = (draft.low, draft.high) if column == draft.column else bounds(table, column)
    left, right = st.columns(2)
    place = f"{key}_{columns.index(column)}"
    low = left.text_input(words("low"), low, key=f"{place}_low", help=words("bounds_help"))
    high = right.text_input(words("high"), high, key=f"{place}_high")
    return replace(draft, column=column, low=str(low), high=str(high))


def _rows(table: Table, draft: Draft, key: str) -> tuple[Row, ...]:
    """The conditions, one row of widgets each, and the buttons that add and remove them."""
    rows: dict[int, Row] = st.session_state.setdefault(f"_{key}_rows", dict(enumerate(draft.rows)))
    if not rows:
        rows[0] = fresh_row(table)
    for name in list(rows):
        rows[name] = _row(table, rows[name], f"{key}_{name}", rows, name)

    def another() -> None:
        rows[max(rows) + 1] = fresh_row(table)

    if len(rows) < MOST_CONDITIONS:
        st.button(words("add"), f"{key}_add", on_click=another, icon=":material/add:", type="tertiary")
    return tuple(rows.values())


def _row(table: Table, row: Row, key: str, rows: dict[int, Row], name: int) -> Row:
    """One condition: column, relation, value or values."""
    with st.container(border=True, gap="xsmall"):
        left, right = st.columns([3, 2], gap="xsmall")
        column = left.selectbox(
            words("column"), table.columns, table.columns.index(row.column), shortened, f"{key}_column"
        )
        place = f"{key}_{table.columns.index(column)}"
        if column != row.column:
            row = fresh_row(table, column)
        relations = RELATIONS[table.kind(column)]
        start = relations.index(row.relation) if row.relation in relations else 0
        relation = right.selectbox(
            words("relation"), relations, start, lambda slug: words(f"relation_{slug}"), f"{place}_relation"
        )
        row = replace(row, relation=relation)
        with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
            row = replace(row, values=_values(table, row, f"{place}_{_shape(relation)}"))
            if len(rows) > 1:
                st.button(
                    "", f"{key}_remove", words("remove"), on_click=rows.__delitem__, args=(name,), type="tertiary",
                    icon=":material/close:",
                )  # fmt: skip
    return row


def _shape(relation: str) -> str:
    """Relations that take the same kind of value share their widgets, so that the value stays."""
    return {"between": "two", "oneof": "several", "not": "several", "is": "single"}.get(relation, "one")


def _values(table: Table, row: Row, key: str) -> tuple[str, ...]:
    """The texts that a condition compares with."""
    if row.relation in ("missing", "present"):
        return ()
    held = row.values or starting_values(table, row.column)
    if table.kind(row.column) in ("number", "date"):
        labels = ("from", "to") if row.relation == "between" else ("value",)
        filled = (*held, *held[-1:])
        return tuple(
            str(st.text_input(words(text), filled[place], key=f"{key}_{text}")) for place, text in enumerate(labels)
        )
    listed = cache.run(ColumnLabels(table, row.column), "session" if table.own else "global")
    known = list(dict.fromkeys((*listed, *held)))
    if row.relation == "is":
        start = known.index(held[0]) if held else 0
        chosen = st.selectbox(words("value"), known, start, shortened, f"{key}_value", accept_new_options=True)
        return () if chosen is None else (str(chosen),)
    picked = st.multiselect(
        words("values"), known, list(held), format_func=shortened, key=f"{key}_values", accept_new_options=True
    )
    return tuple(map(str, picked))


def _after(page: Any, asked: Asked) -> None:
    """What the question selects, what clamping does, and why one person counts as much as one person counts."""
    if asked.query.where.conditions:
        selected = Truth(Counted(asked.selected))
        st.caption(_say("selected", **page.facts({"selected": selected, "n": Counted(asked.n)})))
    clamping = asked.found["clamping"]
    if clamping is not None:
        moved = clamping.below + clamping.above
        bias = clamping.mean_bias if isinstance(asked.query, Mean) else clamping.sum_bias
        numbers: Facts = {
            "moved": Truth(Counted(moved)), "n": Counted(clamping.n), "bias": Truth(Number(bias)),
            "missing": Truth(Counted(clamping.missing)), "filled": Number(clamping.filled),
        }  # fmt: skip
        st.caption(_say("clamped", **page.facts(numbers)))
    with page.more():
        st.markdown(sensitivity_words(asked))


def sensitivity_words(asked: Asked) -> str:
    """The sensitivity for both neighbor relations, each with its reason, and what an assumed bound would do."""
    losses = {name: asked.unclamped_loss(name) for name in declaration(Neighbors).options}  # type: ignore[union-attr]
    lines = [catalogue().markdown(None, "sensitivity_of.title"), ""]
    for neighbors, loss in losses.items():
        lines.append("- " + _sensitivity(asked, neighbors))
        if loss > 1:
            leak = {"loss": Number(loss, 3 if loss > 1.01 else 9)}
            lines.append("  - " + catalogue().markdown(None, "sensitivity_of.loss", leak))
    if max(losses.values()) > 1:
        low, high = asked.found["reach"]
        lines.append(
            "- " + catalogue().markdown(None, "sensitivity_of.trap", {"low": Number(low), "high": Number(high)})
        )
    return "\n".join(lines)


def _sensitivity(asked: Asked, neighbors: str) -> str:
    """The sentence about one neighbor relation."""
    relation: Facts = {"neighbors": Term(f"neighbors.{neighbors.replace(' ', '-')}")}
    if not asked.direct(neighbors):
        return catalogue().markdown(None, "sensitivity_of.mean-ratio", relation)
    told = asked.explanation(neighbors)
    parts = {name: Number(getattr(told, name)) for name in ("before", "after", "sensitivity")}
    return catalogue().markdown(None, f"sensitivity_of.{told.key}", {**relation, **parts, "n": Counted(asked.n)})


def column(
    page: Any,
    table: Table,
    name: str = "column",
    kinds: Sequence[Any] = ("category", "truth"),
    default: str | None = None,
) -> str | None:
    """A column to sort by; its name travels in the link only where the table is a built-in one."""
    from explorer.ui import controls

    options = table.of_kind(*kinds)
    if not options:
        return None
    labels = {option: shortened(option) for option in options}
    if table.own:
        start = options.index(default) if default in options else 0
        return st.selectbox(
            page.label(name, words("column")), options, start, shortened, f"own_{table.digest[:8]}_{name}"
        )
    return controls.choice(page, name, labels, default=default if default in options else None)


def histogram(page: Any, asked: Asked, neighbors: str) -> tuple[str, Bars, float]:
    """A column of those asked about, sorted into bars, and the sensitivity of all bars together.

    A column of few values comes first.
    """
    table = asked.table
    options = table.of_kind("category", "truth", "number")
    few = next((name for name in options if 2 <= _distinct(table, name) <= _MOST_BARS), None)
    chosen = column(page, table, kinds=("category", "truth", "number"), default=few) or table.columns[0]
    bars = Histogram(chosen, asked.query.where, edges=_edges(table, chosen), limit=_MOST_BARS)
    return shortened(chosen), bars.answer(table), bars.sensitivity(neighbors)


def _distinct(table: Table, name: str) -> int:
    return int(table.column(name).nunique())


def _edges(table: Table, name: str) -> tuple[float, ...]:
    """Ten bins between round numbers for a number column of many values; none where each value has its own bar."""
    if table.kind(name) != "number" or _distinct(table, name) <= _MOST_BARS:
        return ()
    values = table.numbers(name)
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    if not math.isfinite(high - low):
        return tuple(float(edge) for edge in np.linspace(low / 10, high / 10, 11) * 10)  # their distance overflows
    unit = 10.0 ** math.floor(math.log10(high - low))
    low, high = math.floor(low / unit) * unit, math.ceil(high / unit) * unit
    return tuple(float(edge) for edge in np.linspace(low, high, 11))
