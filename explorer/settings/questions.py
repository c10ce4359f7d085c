"""A question while it is being built: the draft, its words, and the texts that carry it in a link.

A draft is plain text throughout: as typed, or as `stated` for links. `query` turns the latter into a frozen question of
`ldpcore.tables.queries` or says in one sentence what is wrong. No widget is drawn here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypedDict

import numpy as np

from explorer.facts import All, Name, Names, Said
from explorer.settings.typed import PLAIN, AskError, Habits, plain, plain_number, value_fact
from explorer.text import listing
from ldpcore.questions import Progress, Question, no_progress
from ldpcore.reading.readings import TRUTHS
from ldpcore.tables.conditions import Compare, Condition, InRange, Missing, NoneOf, OneOf, Present, Where
from ldpcore.tables.queries import BUILT_IN_QUERIES, Clamping, CountQuery, Mean, Sum
from ldpcore.tables.table import Table, label, shortened

COMPARISONS = {"lt": "<", "le": "≤", "eq": "=", "ge": "≥", "gt": ">"}
_ORDERED = (*COMPARISONS, "between", "missing", "present")
_NAMED = ("is", "oneof", "not", "missing", "present")
RELATIONS: Mapping[str, tuple[str, ...]] = {
    "number": _ORDERED,
    "date": _ORDERED,
    "category": _NAMED,
    "truth": _NAMED,
}
WHO, VERBS = ("ready", "own", "everybody"), ("count", "sum", "mean")
MOST_CONDITIONS = 12
Query = CountQuery | Sum | Mean


@dataclass(frozen=True)
class ConditionRow:
    """One condition as typed: a column, a relation, and the texts it is compared with."""

    column: str
    relation: str
    values: tuple[str, ...] = ()


@dataclass(frozen=True)
class QuestionDraft:
    """The draft of a question: its verb, its people, and its bounds."""

    verb: str = "count"
    who: str = "everybody"
    rows: tuple[ConditionRow, ...] = ()
    column: str = ""
    low: str = ""
    high: str = ""


def condition(table: Table, row: ConditionRow, habits: Habits = PLAIN) -> Condition:
    """The condition that a row describes, its texts read as their writer means them."""
    kind = table.kind(row.column)
    if row.relation not in RELATIONS[kind]:
        raise AskError("no_relation", options=Name(", ".join(RELATIONS[kind])))
    if row.relation in ("missing", "present"):
        return Missing(row.column) if row.relation == "missing" else Present(row.column)
    if kind in ("number", "date"):
        if len(row.values) < 1 + (row.relation == "between"):
            raise AskError("no_number", text=Name(""))
        values = [habits.read(text, kind) for text in row.values]
        if row.relation == "between":
            return InRange(row.column, values[0], values[1])
        return Compare(row.column, COMPARISONS[row.relation], values[0])  # type: ignore[arg-type]
    if not row.values:
        raise AskError("no_label", column=Name(shortened(table.head(row.column))))
    return NoneOf(row.column, row.values) if row.relation == "not" else OneOf(row.column, row.values)


def where(table: Table, draft: QuestionDraft) -> Where:
    """The selection of people."""
    if draft.who == "ready" and table.name in BUILT_IN_QUERIES and not table.own:
        return BUILT_IN_QUERIES[table.name].where
    if draft.who != "own":
        return Where()
    return Where(tuple(condition(table, row) for row in draft.rows))


def query(table: Table, draft: QuestionDraft) -> Query:
    """The question that a draft describes, as links write it; an impossible one is refused in one sentence."""
    chosen = where(table, draft)
    if draft.verb == "count":
        return CountQuery(chosen)
    low, high = PLAIN.number(draft.low), PLAIN.number(draft.high)
    if draft.verb == "sum":
        return Sum(draft.column, low, high, chosen)
    if not chosen.count(table):
        raise AskError("nobody_to_average")
    return Mean(draft.column, low, high, chosen)


def stated(table: Table, draft: QuestionDraft, habits: Habits) -> QuestionDraft:
    """The draft as links write it; an unreadable one is refused."""
    rows = draft.rows
    if draft.who == "own":
        rows = tuple(_rewritten(table, row, lambda text, kind: plain(habits.read(text, kind))) for row in draft.rows)
    if draft.verb == "count":
        return replace(draft, rows=rows)
    low, high = (plain(habits.number(text)) for text in (draft.low, draft.high))
    return replace(draft, rows=rows, low=low, high=high)


def spelled(table: Table, draft: QuestionDraft, habits: Habits) -> QuestionDraft:
    """The draft of a link or of the page as its reader would have typed it."""
    rows = tuple(_rewritten(table, row, habits.respelled) for row in draft.rows)
    low, high = map(habits.respelled, (draft.low, draft.high))
    return replace(draft, rows=rows, low=low, high=high)


def _rewritten(table: Table, row: ConditionRow, write: Callable[[str, str], str]) -> ConditionRow:
    """The row with its numbers or days written in another way; its names stay."""
    kind = table.kind(row.column)
    if kind not in ("number", "date"):
        return row
    return replace(row, values=tuple(write(text, kind) for text in row.values))


def default(table: Table) -> QuestionDraft:
    """The first question about a table."""
    ready = not table.own and table.name in BUILT_IN_QUERIES
    columns = table.of_kind("number")
    column = columns[-1] if columns else ""
    low, high = bounds(table, column)
    return QuestionDraft("count", "ready" if ready else "everybody", (), column, low, high)


def bounds(table: Table, column: str) -> tuple[str, str]:
    """The first public bounds: known for the built-in tables, 0 to 100 else; never read off the data."""
    known = () if table.own else listing("labels").listed("public_bounds", table.name, column)
    low, high = [float(end) for end in known if isinstance(end, (int, float))] or (0.0, 100.0)
    return plain_number(low), plain_number(high)


def fresh_row(table: Table, column: str | None = None) -> ConditionRow:
    """The first condition: at least a value, or one name."""
    column = table.columns[0] if column is None else column
    kind = table.kind(column)
    values = starting_values(table, column)
    return ConditionRow(column, "is" if kind in ("category", "truth") else "ge", values)


def starting_values(table: Table, column: str) -> tuple[str, ...]:
    """The first values: of numbers and dates the middle one, of names the most frequent, of yes and no yes.

    A question is public, so about an own table it follows from no count: 0, a day that is always the same, the first
    name by the alphabet.
    """
    kind = table.kind(column)
    present = table.column(column).dropna()
    if kind in ("category", "truth"):
        labels = table.summary(column).first[:3] if table.own else table.categories(column, 3).labels
        agreeing = [text for text in labels if TRUTHS.get(text.lower())]
        plainly = len(labels) == 2 and len(agreeing) == 1 and all(text.lower() in TRUTHS for text in labels)
        return tuple(agreeing) if plainly else labels[:1]
    if kind == "number" and set(present.unique()) == {0, 1}:
        return ("1",)
    if table.own or present.empty:
        return ("0",) if kind == "number" else ("2000-01-01",)
    middle = present.quantile(0.5, interpolation="lower")
    return (plain_number(float(f"{float(middle):.6g}")),) if kind == "number" else (label(middle)[:10],)


def condition_fact(asked: Condition, table: Table) -> Said:
    """A condition on a table as people read it: schooling < 16."""
    column = Name(shortened(table.head(asked.column)))
    match asked:
        case Compare(_, relation, value):
            return Said.of("asking.compared", column=column, relation=Name(relation), value=value_fact(value))
        case InRange(_, low, high):
            return Said.of("asking.between", column=column, low=value_fact(low), high=value_fact(high))
        case OneOf(_, labels) | NoneOf(_, labels):
            many = ("oneof" if len(labels) > 1 else "is") if isinstance(asked, OneOf) else "not"
            return Said.of(f"asking.{many}", column=column, value=Names(tuple(shortened(text, 24) for text in labels)))
        case _:
            return Said.of("asking.missing" if isinstance(asked, Missing) else "asking.present", column=column)


def people_fact(chosen: Where, table: Table) -> Said:
    """The people asked about; in words of their own where a table comes with the question."""
    if not chosen.conditions:
        return Said.of("asking.everybody")
    for name, ready in BUILT_IN_QUERIES.items():
        if chosen is ready.where:
            return Said.of(f"asking.ready_{name}")
    return Said.of("asking.people", conditions=All(tuple(condition_fact(each, table) for each in chosen.conditions)))


def question_fact(asked: Query, table: Table) -> Said:
    """The whole question: people with schooling < 16; the sum of income over everybody."""
    who = people_fact(asked.where, table)
    if isinstance(asked, CountQuery):
        return Said.of("asking.count_of", people=who)
    key = "asking.sum_of" if isinstance(asked, Sum) else "asking.mean_of"
    return Said.of(key, column=Name(shortened(table.head(asked.column))), people=who)


# How a link writes a draft: `ask`, `ask_verb`, `ask_of`, `ask_low`, `ask_high`, then for each condition `ask_column`,
# `ask_relation`, `ask_value` (`ask_value2` where there are two), with `_2`, `_3`, ... from the second on.
_SEPARATOR = "|"


def _key(name: str, position: int) -> str:
    return f"ask_{name}" if position == 0 else f"ask_{name}_{position + 1}"


def to_link(table: Table, draft: QuestionDraft) -> dict[str, str]:
    """The parameters of a draft; none for the default, and never any for a table of the reader's own."""
    start = default(table)
    if table.own or draft == start:
        return {}
    texts = {} if draft.who == start.who else {"ask": draft.who}
    if draft.verb != "count":
        texts |= {"ask_verb": draft.verb, "ask_of": draft.column, "ask_low": draft.low, "ask_high": draft.high}
    for position, row in enumerate(draft.rows if draft.who == "own" else ()):
        texts |= {_key("column", position): row.column, _key("relation", position): row.relation}
        if row.values:
            texts[_key("value", position)] = _SEPARATOR.join(row.values)
    return texts


def from_link(table: Table, texts: Mapping[str, str], verbs: Sequence[str]) -> QuestionDraft:
    """The draft that a link asks for; an unusable one is refused with the rule it breaks."""
    draft = default(table)
    who, verb = texts.get("ask", draft.who), texts.get("ask_verb", "count")
    _known(who, WHO)
    _known(verb, VERBS)
    if verb in verbs and verb != "count":
        column = texts.get("ask_of", draft.column)
        _known(column, table.of_kind("number"))
        start = bounds(table, column)
        low, high = texts.get("ask_low", start[0]), texts.get("ask_high", start[1])
        draft = replace(draft, verb=verb, column=column, low=low, high=high)
    rows: list[ConditionRow] = []
    while who == "own" and _key("column", len(rows)) in texts and len(rows) < MOST_CONDITIONS:
        rows.append(_row(table, texts, len(rows)))
    asked = replace(draft, who=who, rows=tuple(rows))
    query(table, asked)
    return asked


def unused(texts: Mapping[str, str], draft: QuestionDraft) -> list[str]:
    """The unused parts of a link: conditions without `ask=own` or behind a gap, bounds of a count.

    Some may wait for a page that knows them, as a mean does on a page that only counts.
    """
    used = {"ask", "ask_verb"}
    if texts.get("ask_verb", "count") != "count":
        used |= {"ask_of", "ask_low", "ask_high"}
    for position in range(len(draft.rows) if draft.who == "own" else 0):
        used |= {_key(name, position) for name in ("column", "relation", "value")}
    return sorted(texts.keys() - used)


def _row(table: Table, texts: Mapping[str, str], position: int) -> ConditionRow:
    column = texts[_key("column", position)]
    _known(column, table.columns)
    relation = texts.get(_key("relation", position), fresh_row(table, column).relation)
    value = texts.get(_key("value", position), "")
    several = relation in ("oneof", "not", "between")
    return ConditionRow(column, relation, tuple(value.split(_SEPARATOR)) if several else (value,) if value else ())


def _known(text: str, options: Sequence[str]) -> None:
    if text not in options:
        raise AskError("unknown", text=Name(shortened(text)), options=Name(", ".join(options)))


class Outcome(TypedDict):
    """An exact answer, the number of its rows, the effect of clamping, and the least and greatest addition of a row."""

    answer: float
    selected: int
    clamping: Clamping | None
    reach: tuple[float, float] | None


@dataclass(frozen=True)
class TableQuestion(Question[Outcome]):
    """A question put to a table; `run()` is its exact answer, which only the curator knows."""

    query: Query
    table: Table = field(repr=False)

    def run(self, progress: Progress = no_progress) -> Outcome:
        """The answer, the number of its rows, the effect of clamping, and the least and the greatest addition.

        Without bounds a missing value adds nothing.
        """
        if isinstance(self.query, CountQuery):
            rows = self.query.answer(self.table)
            return {"answer": rows, "selected": rows, "clamping": None, "reach": None}
        answer = self.query.answer(self.table)
        values = Sum(self.query.column, self.query.low, self.query.high, self.query.where).values(self.table)
        added = np.nan_to_num(values)
        reach = (float(added.min()), float(added.max())) if len(added) else None
        clamping = self.query.clamping(self.table)
        return {"answer": answer, "selected": clamping.n, "clamping": clamping, "reach": reach}


@dataclass(frozen=True)
class PickableValues(Question[tuple[str, ...]]):
    """The values of a column that can be picked from a list; rarer ones are typed."""

    table: Table = field(repr=False)
    column: str
    limit: int = 300

    def run(self, progress: Progress = no_progress) -> tuple[str, ...]:
        """The most frequent values first."""
        return self.table.categories(self.column, self.limit).labels
