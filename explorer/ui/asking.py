"""The question to a table: a count, a sum or a mean, of everybody or of the people who fulfil every condition.

    table = controls.dataset(shown)
    asked = asking.question(shown, table, verbs=("count", "sum"))

A question about a built-in table travels in the link and from page to page; about a table of the reader's own it stays
in the session, and nothing that was typed or chosen leaves it.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import streamlit as st

from explorer.facts import Count as Counted
from explorer.facts import Facts, Name, Number, Quantity, Truth
from explorer.settings.questions import (
    MOST_CONDITIONS,
    RELATIONS,
    VERBS,
    WHO,
    ConditionRow,
    PickableValues,
    QuestionDraft,
    TableQuestion,
    bounds,
    condition,
    condition_fact,
    default,
    fresh_row,
    from_link,
    people_fact,
    query,
    spelled,
    stated,
    to_link,
    unused,
    where,
)
from explorer.settings.tables import AnsweredQuestion
from explorer.settings.typed import AskError, Habits
from explorer.text.escaping import markdown
from explorer.text.refusals import reason
from explorer.ui import cache, links, typed
from explorer.ui.caught import caught
from explorer.ui.language import catalogue
from explorer.ui.sensitivity import sensitivity_words
from explorer.ui.sessionkeys import CONDITIONS, QUESTION
from explorer.ui.shown import Shown
from ldpcore.refusals import Refusal
from ldpcore.tables.queries import BUILT_IN_QUERIES, Mean
from ldpcore.tables.table import ColumnKind, Table, shortened

_REFUSED = (AskError, Refusal)


def words(key: str, **facts: Quantity) -> str:
    """A short text of the builder, as it is."""
    return catalogue().label(f"asking.{key}", facts=facts)


def _say(key: str, **facts: Quantity) -> str:
    """A sentence of the builder as Markdown."""
    return catalogue().markdown(None, f"asking.{key}", facts)


def called(table: Table, name: str, longest: int = 40) -> str:
    """The name of a column in a menu: its table's own, or one of ours in the reader's language."""
    return shortened(catalogue().headed(table.head(name)), longest)


def _reason(problem: AskError | Refusal) -> Quantity:
    """The reason why a question is refused."""
    return problem.reason if isinstance(problem, AskError) else reason(problem)


@dataclass(frozen=True)
class _Building:
    """A question while it is built: its typed draft, the last valid question, and its widgets."""

    draft: QuestionDraft
    asked: QuestionDraft
    habits: Habits
    generation: int = 0

    def again(self, draft: QuestionDraft, habits: Habits) -> _Building:
        """This building with another question in its boxes, which are drawn anew."""
        return replace(self, draft=draft, habits=habits, generation=self.generation + 1)


def question(
    page: Shown, table: Table, verbs: Sequence[str] = ("count",), neighbors: str = "add-remove"
) -> AnsweredQuestion:
    """Draw the builder of a question where the page stands, and return it; an unusable draft keeps the last question.

    A mean over a private number of people takes two releases: a sentence says this, and its sum is asked instead.
    """
    written, start = typed.habits(table), default(table)
    building = _building(table) or _Building(spelled(table, start, written), start, written)
    if building.habits != written or links.set_anew(f"ask_{table.digest}"):
        building = building.again(spelled(table, building.asked, written), written)
    arrived = _arrived(page, table, verbs)
    if arrived is not None and arrived != building.asked:
        building = building.again(spelled(table, arrived, written), written)
    draft = building.draft if building.draft.verb in verbs else replace(building.draft, verb=verbs[0])
    draft = _draw(table, draft, verbs, f"asking_{table.digest[:8]}_{building.generation}", written)
    exact, refused = _stated(table, draft, written)
    last = building.asked if building.asked.verb in verbs else replace(building.asked, verb=verbs[0])
    building = replace(building, draft=draft, asked=last if exact is None else exact)
    QUESTION.of(table.digest[:8]).keep(building)
    links.replace_family("ask", to_link(table, building.asked))
    asked = _answered(AnsweredQuestion(query(table, building.asked), table, table.own))
    _after(page, asked, refused)
    _offer(page, asked, building, written)
    if not asked.direct(neighbors):
        st.caption(_say("ratio"))
    return _answered(replace(AnsweredQuestion.of(asked.query, table, neighbors), old=refused is not None))


def _offer(page: Shown, asked: AnsweredQuestion, building: _Building, written: Habits) -> None:
    """Offer, where values are missing, a question about the people whose value is known, one click away."""
    clamping = asked.outcome["clamping"]
    if clamping is None or not 0 < clamping.missing < clamping.n or not page.look.truth or asked.old:
        return
    draft = building.asked
    known = replace(
        draft, who="own", rows=(*(draft.rows if draft.who == "own" else ()), ConditionRow(draft.column, "present"))
    )

    @caught
    def ask() -> None:
        links.touch()
        again = building.again(spelled(asked.table, known, written), written)
        QUESTION.of(asked.table.digest[:8]).keep(replace(again, asked=known))

    if draft.who != "ready" and len(known.rows) <= MOST_CONDITIONS:
        column = Name(shortened(asked.table.head(draft.column)))
        page.notice.button(words("only_known", column=column), "only_known", on_click=ask, icon=":material/filter_alt:")


def _building(table: Table) -> _Building | None:
    """The question that is built about a table, in the reader's session; None before the first."""
    building = QUESTION.of(table.digest[:8]).get()
    return building if isinstance(building, _Building) else None


def _arrived(page: Shown, table: Table, verbs: Sequence[str]) -> QuestionDraft | None:
    """The question that a link, a preset or another page brings, judged; None where none is brought."""
    asked = links.requested_family("ask")
    if asked is None or table.own:
        return None
    texts = {key: given[-1] for key, given in asked.items() if given}
    for key, given in asked.items():
        if len(given) > 1:
            again: Facts = {"name": Name(key), "count": Counted(len(given)), "used": Name(shortened(given[-1]))}
            links.complain(catalogue().markdown(None, "frame.twice", again))
    try:
        draft = from_link(table, texts, verbs)
    except _REFUSED as problem:
        start = default(table)
        links.complain(_say("unusable", rule=_reason(problem), used=people_fact(where(table, start), table)))
        return start
    for key in unused(texts, draft):
        links.complain(catalogue().markdown(None, "frame.unused", {"name": Name(key)}))
    return draft


def _stated(
    table: Table, draft: QuestionDraft, written: Habits
) -> tuple[QuestionDraft | None, AskError | Refusal | None]:
    """The question of a draft as links write it; or none and the reason, where it cannot be asked."""
    try:
        exact = stated(table, draft, written)
        query(table, exact)
    except _REFUSED as problem:
        return None, problem
    return exact, None


def alone(asked: AnsweredQuestion) -> AnsweredQuestion:
    """The question as it is put to everybody alone, with its answer."""
    return asked if asked.mean is None else _answered(asked.alone())


def _answered(asked: AnsweredQuestion) -> AnsweredQuestion:
    """The question with its answer, found once: for everybody, or in the session that brought the table."""
    return asked.answered(cache.run(TableQuestion(asked.query, asked.table), asked.scope))


def _draw(table: Table, draft: QuestionDraft, verbs: Sequence[str], key: str, written: Habits) -> QuestionDraft:
    """Draw the widgets of a question, and return its draft as it now stands."""
    possible = [verb for verb in VERBS if verb in verbs and (verb == "count" or table.of_kind("number"))]
    if len(possible) > 1:
        verb = st.segmented_control(
            words("verb"),
            possible,
            default=draft.verb if draft.verb in possible else possible[0],
            required=True,
            format_func=words,
            key=f"{key}_verb",
            width="stretch",
            on_change=links.touch,
        )
        draft = replace(draft, verb=str(verb))
    if draft.verb != "count":
        draft = _bounds(table, draft, key, written)
    options = [who for who in WHO if who != "ready" or (not table.own and table.name in BUILT_IN_QUERIES)]
    names = {"own": words("own"), "everybody": words("everyone")}
    if "ready" in options:
        names["ready"] = catalogue().write(people_fact(BUILT_IN_QUERIES[table.name].where, table))
    who = st.radio(
        words("who"),
        options,
        options.index(draft.who),
        lambda option: markdown(names[option]),
        f"{key}_who",
        on_change=links.touch,
    )
    draft = replace(draft, who=str(who))
    if draft.who == "own":
        draft = replace(draft, rows=_rows(table, draft, key, written))
    return draft


def _bounds(table: Table, draft: QuestionDraft, key: str, written: Habits) -> QuestionDraft:
    """The column that is added up, and the public bounds into which its values are forced."""
    columns = table.of_kind("number")
    start = columns.index(draft.column) if draft.column in columns else 0
    column = st.selectbox(words("of"), columns, start, shortened, f"{key}_of", on_change=links.touch)
    usual = map(written.respelled, bounds(table, column))
    low, high = (draft.low, draft.high) if column == draft.column else usual
    left, right = st.columns(2)
    place = f"{key}_{columns.index(column)}"
    low = typed.box(words("low"), low, f"{place}_low", written, place=left, help=words("bounds_help"))
    high = typed.box(words("high"), high, f"{place}_high", written, place=right)
    return replace(draft, column=column, low=low, high=high)


def _rows(table: Table, draft: QuestionDraft, key: str, written: Habits) -> tuple[ConditionRow, ...]:
    """The conditions, one row of widgets each, and the buttons that add and remove them."""
    rows: dict[int, ConditionRow] = CONDITIONS.of(key).held()
    if not rows:
        rows |= enumerate(draft.rows or (_fresh(table, None, written),))
    for name in list(rows):
        rows[name] = _row(table, rows[name], f"{key}_{name}", rows, name, written)

    @caught
    def another() -> None:
        links.touch()
        rows[max(rows) + 1] = _fresh(table, None, written)

    if len(rows) < MOST_CONDITIONS:
        st.button(words("add"), f"{key}_add", on_click=another, icon=":material/add:", type="tertiary")
    return tuple(rows.values())


def _fresh(table: Table, column: str | None, written: Habits) -> ConditionRow:
    """A first condition, as its reader would have typed it."""
    return spelled(table, QuestionDraft(rows=(fresh_row(table, column),)), written).rows[0]


def _row(
    table: Table, row: ConditionRow, key: str, rows: dict[int, ConditionRow], name: int, written: Habits
) -> ConditionRow:
    """One condition: column, relation, value or values; and how it is read."""
    named = {name: called(table, name) for name in table.columns}
    with st.container(border=True, gap="xsmall"):
        left, right = st.columns([3, 2], gap="xsmall")
        at, box = table.columns.index(row.column), f"{key}_column"
        column = left.selectbox(words("column"), table.columns, at, named.__getitem__, box, on_change=links.touch)
        place = f"{key}_{table.columns.index(column)}"
        if column != row.column:
            row = _fresh(table, column, written)
        relations = RELATIONS[table.kind(column)]
        start = relations.index(row.relation) if row.relation in relations else 0
        relation = right.selectbox(
            words("relation"),
            relations,
            start,
            lambda slug: words(f"relation_{slug}"),
            f"{place}_relation",
            on_change=links.touch,
        )
        row = replace(row, relation=relation)
        with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
            row = replace(row, values=_values(table, row, f"{place}_{_shape(relation)}", written))
            if len(rows) > 1:
                st.button(
                    "",
                    f"{key}_remove",
                    words("remove"),
                    on_click=caught(rows.__delitem__),
                    args=(name,),
                    type="tertiary",
                    icon=":material/close:",
                )
        _echo(table, row, written)
    return row


def _echo(table: Table, row: ConditionRow, written: Habits) -> None:
    """The numbers and days that were read, in words."""
    if table.kind(row.column) in ("number", "date") and row.values:
        with suppress(*_REFUSED):  # why it cannot be used is said once, below the question
            st.caption(_say("read", condition=condition_fact(condition(table, row, written), table)))


def _shape(relation: str) -> str:
    """The name of the widgets that relations with one kind of value share, so that the value stays."""
    return {"between": "two", "oneof": "several", "not": "several", "is": "single"}.get(relation, "one")


def _values(table: Table, row: ConditionRow, key: str, written: Habits) -> tuple[str, ...]:
    """The texts that a condition compares with."""
    if row.relation in ("missing", "present"):
        return ()
    held, kind = row.values or _fresh(table, row.column, written).values, table.kind(row.column)
    if kind in ("number", "date"):
        labels = ("from", "to") if row.relation == "between" else ("value",)
        filled = (*held, *held[-1:])
        return tuple(
            typed.box(words(text), filled[place], f"{key}_{text}", written, kind) for place, text in enumerate(labels)
        )
    listed = cache.run(PickableValues(table, row.column), "session" if table.own else "global")
    known = list(dict.fromkeys((*listed, *held)))
    if row.relation == "is":
        start = known.index(held[0]) if held else 0
        chosen = st.selectbox(words("value"), known, start, shortened, f"{key}_value", accept_new_options=True)
        return () if chosen is None else (str(chosen),)
    picked = st.multiselect(
        words("values"), known, list(held), format_func=shortened, key=f"{key}_values", accept_new_options=True
    )
    return tuple(map(str, picked))


def _after(page: Shown, asked: AnsweredQuestion, refused: AskError | Refusal | None) -> None:
    """Say why the last question stands, what it selects, what clamping does, and why one person counts like another."""
    if refused is not None:
        st.warning(_say("left_out", rule=_reason(refused)), icon=":material/edit:")
    if asked.query.where.conditions:
        selected = Truth(Counted(asked.selected))
        st.caption(_say("selected", **page.facts({"selected": selected, "n": Counted(asked.n)})))
    clamping = asked.outcome["clamping"]
    if clamping is not None and (clamping.below or clamping.above or clamping.missing):
        moved = clamping.below + clamping.above
        bias = clamping.mean_bias if isinstance(asked.query, Mean) else clamping.sum_bias
        numbers: Facts = {
            "moved": Truth(Counted(moved)),
            "n": Counted(clamping.n),
            "bias": Truth(Number(bias)),
            "missing": Truth(Counted(clamping.missing)),
            "filled": Number(clamping.filled),
        }
        st.caption(_say("clamped", **page.facts(numbers)))
    with page.more():
        st.markdown(sensitivity_words(asked))


def column(
    page: Shown,
    table: Table,
    name: str = "column",
    kinds: Sequence[ColumnKind] = ("category", "truth"),
    default: str | None = None,
) -> str | None:
    """A column to sort by; its name travels in the link only where the table is a built-in one."""
    from explorer.ui import controls

    options = table.of_kind(*kinds)
    if not options:
        return None
    labels = {option: called(table, option) for option in options}
    if table.own:
        start = options.index(default) if default in options else 0
        return st.selectbox(
            page.label(name, words("column")), options, start, shortened, f"own_{table.digest[:8]}_{name}"
        )
    return controls.choice(page, name, labels, default=default if default in options else None)
