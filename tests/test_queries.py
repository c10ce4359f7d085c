"""Conditions select who is asked; a query's sensitivity is what brute force over neighboring tables finds."""

from __future__ import annotations

import math
from datetime import date, datetime
from functools import cache
from itertools import combinations_with_replacement, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ldpcore.fingerprints import fingerprint
from ldpcore.parameters import ParameterError, Sensitivity, declaration
from ldpcore.tables.queries import (
    ADD_REMOVE,
    BUILT_IN_QUERIES,
    REPLACE,
    Compare,
    Condition,
    CountQuery,
    InRange,
    Mean,
    Missing,
    NoneOf,
    OneOf,
    Present,
    QueryError,
    Sum,
    Where,
    clamped,
    loss_without_clamping,
)
from ldpcore.tables.table import BUILT_IN, Table, built_in
from tests.cases import for_each
from tests.rationing import crossed

NAN = math.nan


def table(**columns: object) -> Table:
    return Table.of(pd.DataFrame(columns), "test")


VISITORS = table(
    visits=[1, 5, 5, 23, 101],
    weight=[60.5, NAN, 80.0, 71.25, 80.0],
    sex=["F", "M", None, "F", "X"],
    insured=[True, False, True, True, False],
    born=pd.to_datetime(["1990-01-01", "2000-02-29 18:30", None, "2000-03-01", "1985-12-31"], format="ISO8601"),
)


def selected(condition: Condition) -> list[int]:
    return np.flatnonzero(Where((condition,)).rows(VISITORS)).tolist()


# Selecting


@pytest.mark.parametrize(("name", "answer"), [("income", 882), ("people", 3), ("clinic", 9)])
def test_the_ready_made_question_of_each_table_has_its_known_answer(name: str, answer: int) -> None:
    assert BUILT_IN_QUERIES[name].answer(built_in(name)) == answer


def test_every_built_in_table_comes_with_a_question_that_nobody_can_overwrite() -> None:
    assert set(BUILT_IN_QUERIES) == set(BUILT_IN)
    with pytest.raises(TypeError):
        BUILT_IN_QUERIES["income"] = CountQuery()  # type: ignore[index]


def test_the_inequalities_of_the_notebook_are_strict() -> None:
    edge = table(schooling=[16, 15, 15], income=[40_000, 33_761, 33_762])
    assert BUILT_IN_QUERIES["income"].answer(edge) == 1


@for_each(
    ("condition", "rows"),
    [
        (Compare("visits", "<", 5), [0]),
        (Compare("visits", "≤", 5), [0, 1, 2]),
        (Compare("visits", "=", 5), [1, 2]),
        (Compare("visits", "≥", 5), [1, 2, 3, 4]),
        (Compare("visits", ">", 5), [3, 4]),
        (Compare("visits", "<", 5.5), [0, 1, 2]),
        (Compare("visits", "≥", 4.5), [1, 2, 3, 4]),
        (Compare("visits", "=", 4.5), []),
        (Compare("visits", "<", 1e300), [0, 1, 2, 3, 4]),
        (Compare("weight", "=", 80), [2, 4]),
        (Compare("weight", "<", 80), [0, 3]),
        (InRange("visits", 5, 23), [1, 2, 3]),
        (InRange("visits", 5, 5), [1, 2]),
        (OneOf("sex", ("F",)), [0, 3]),
        (OneOf("sex", ("F", "X", "unheard of")), [0, 3, 4]),
        (OneOf("sex", ()), []),
        (NoneOf("sex", ("F",)), [1, 4]),
        (OneOf("insured", ("true",)), [0, 2, 3]),
        (OneOf("visits", ("5",)), [1, 2]),
        (OneOf("weight", ("80",)), [2, 4]),
        (Missing("sex"), [2]),
        (Present("sex"), [0, 1, 3, 4]),
        (Missing("weight"), [1]),
        (Missing("visits"), []),
        (Compare("born", "=", date(2000, 2, 29)), [1]),
        (Compare("born", "≤", date(2000, 2, 29)), [0, 1, 4]),
        (Compare("born", ">", date(2000, 2, 29)), [3]),
        (InRange("born", date(1990, 1, 1), date(2000, 2, 29)), [0, 1]),
        (Missing("born"), [2]),
    ],
)
def test_a_condition_selects_exactly_these_rows(condition: Condition, rows: list[int]) -> None:
    assert selected(condition) == rows


def test_a_moment_of_a_day_is_refused_in_favor_of_the_day() -> None:
    with pytest.raises(QueryError, match="a day without a time"):
        Compare("born", "<", datetime(2000, 2, 29, 12))


def test_whole_numbers_beyond_double_precision_are_compared_exactly() -> None:
    big = table(key=[2**53, 2**53 + 1])
    assert CountQuery(Where((Compare("key", ">", 2**53),))).answer(big) == 1
    assert CountQuery(Where((Compare("key", "=", 2**53 + 1),))).answer(big) == 1


def test_small_integer_columns_meet_large_numbers_without_overflow() -> None:
    small = Table.of(pd.DataFrame({"age": np.array([1, 100], dtype=np.int8)}), "test")
    assert CountQuery(Where((Compare("age", "<", 10**20),))).answer(small) == 2
    assert CountQuery(Where((Compare("age", "≥", -1e200),))).answer(small) == 2


def test_single_precision_columns_are_compared_in_double_precision() -> None:
    single = Table.of(pd.DataFrame({"x": np.array([16, np.nan], dtype=np.float32)}), "test")
    assert CountQuery(Where((Compare("x", "<", 16 + 1e-12),))).answer(single) == 1


def test_conditions_are_joined_by_and() -> None:
    where = Where((Compare("visits", "≥", 5), OneOf("insured", ("true",)), Missing("sex")))
    assert np.flatnonzero(where.rows(VISITORS)).tolist() == [2]
    assert where.columns == ("visits", "insured", "sex")


def test_selecting_nobody_or_everybody_is_fine() -> None:
    nobody = Where((Compare("visits", "<", 0),))
    assert (CountQuery(nobody).answer(VISITORS), CountQuery().answer(VISITORS)) == (0, 5)
    assert Sum("visits", 0, 10, nobody).answer(VISITORS) == 0


def test_a_mean_of_nobody_is_refused_in_one_sentence() -> None:
    with pytest.raises(QueryError, match="at least 1 row"):
        Mean("visits", 0, 10, Where((Compare("visits", "<", 0),))).answer(VISITORS)


@settings(max_examples=60, deadline=None)
@given(
    cells=st.lists(st.one_of(st.integers(-9, 9), st.sampled_from([NAN, 0.5, -2.25])), min_size=1, max_size=8),
    bound=st.one_of(st.integers(-10, 10), st.floats(-10, 10, allow_nan=False)),
)
def test_comparisons_agree_with_python_row_by_row(cells: list[float], bound: float) -> None:
    asked = table(x=cells)
    python = {"<": float.__lt__, "≤": float.__le__, "=": float.__eq__, "≥": float.__ge__, ">": float.__gt__}
    for relation, holds in python.items():
        wanted = [bool(holds(float(cell), float(bound))) for cell in cells]
        assert Where((Compare("x", relation, bound),)).rows(asked).tolist() == wanted  # type: ignore[arg-type]


def test_conditions_and_queries_are_values() -> None:
    first, second = CountQuery(Where((Compare("x", "<", 1),))), CountQuery(Where((Compare("x", "<", 1),)))
    assert first == second
    assert hash(first) == hash(second)
    days = [CountQuery(Where((Compare("x", "<", date(2000, 1, day)),))) for day in (1, 2)]
    assert len({fingerprint(query) for query in [first, *days, Sum("x", 0, 1), Mean("x", 0, 1)]}) == 5
    assert fingerprint(first) == fingerprint(second)


# Refusing


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: InRange("visits", 5, 3), "lower bound must not be greater than the upper bound; got 5 and 3"),
        (lambda: InRange("visits", 5, date(2000, 1, 1)), "both bounds must be numbers or both dates"),
        (lambda: Compare("visits", "<", NAN), "must be a finite number or a date; got nan"),
        (lambda: Compare("visits", "<", "16"), "must be a finite number or a date; got '16'"),
        (lambda: Compare("visits", "!=", 1), "the relation must be one of"),
        (lambda: Sum("visits", 5, 3), "the lower bound must be less than the upper bound; got 5 and 3"),
        (lambda: Sum("visits", 3, 3), "the lower bound must be less than the upper bound; got 3 and 3"),
        (lambda: Mean("visits", 0, math.inf), "the upper bound must be a number from -1e14 to 1e14; got inf"),
        (lambda: Sum("sex", 0, 1).answer(VISITORS), "column 'sex' must be of kind number; it is of kind category"),
        (lambda: Sum("size", 0, 1).answer(VISITORS), "column 'size' must be one of this table's 5 columns"),
        (lambda: CountQuery(Where((Compare("sex", "<", 1),))).answer(VISITORS), "column 'sex' must be of kind number"),
        (
            lambda: CountQuery(Where((Compare("visits", "<", date(2000, 1, 1)),))).answer(VISITORS),
            "must be of kind date",
        ),
        (lambda: CountQuery(Where((OneOf("x" * 500, ("F",)),))).answer(VISITORS), "x…x"),
        (lambda: Mean("visits", 0, 1).sensitivity(ADD_REMOVE, 5), "must be released as SUM and COUNT"),
        (lambda: Mean("visits", 0, 1).sensitivity(REPLACE, 0), "n must be at least 1; got 0"),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused_in_one_short_sentence(ask: object, words: str) -> None:
    with pytest.raises(QueryError) as refusal:
        ask()  # type: ignore[operator]
    message = str(refusal.value)
    assert words in message
    assert "\n" not in message
    assert len(message) < 140


def test_an_unknown_neighbor_relation_is_refused() -> None:
    with pytest.raises(ParameterError, match="neighbors must be one of"):
        CountQuery().sensitivity("swap two")


# Clamping


def test_a_130_year_old_counts_125() -> None:
    done = clamped(np.array([130.0, 30.0]), 0, 125)
    assert (done.above, done.clamped_total, done.sum_bias, done.mean_bias) == (1, 155, -5, -2.5)


def test_clamping_says_how_many_values_it_moved_and_what_it_did_to_the_sum() -> None:
    done = clamped(np.array([-5.0, 0.0, 10.0, 50.0, NAN]), 2, 20)
    assert (done.n, done.below, done.above, done.missing, done.filled) == (5, 2, 1, 1, 2)
    assert (done.total, done.clamped_total, done.sum_bias) == (55, 2 + 2 + 10 + 20 + 2, -19)
    assert done.mean_bias == pytest.approx(36 / 5 - 55 / 4)


@pytest.mark.parametrize(("low", "high", "filled"), [(2, 20, 2), (-20, -2, -2), (-5, 5, 0)])
def test_a_missing_value_counts_as_the_bound_nearest_to_zero(low: float, high: float, filled: float) -> None:
    assert clamped(np.array([NAN]), low, high).clamped_total == filled


def test_the_mean_bias_over_nobody_is_not_a_number() -> None:
    assert math.isnan(clamped(np.array([]), 0, 1).mean_bias)
    assert math.isnan(clamped(np.array([NAN]), 0, 1).mean_bias)


def test_a_clamped_sum_of_whole_numbers_is_exact() -> None:
    incomes = built_in("income").frame["income"].tolist()
    assert Sum("income", 0, 100_000).answer(built_in("income")) == sum(min(income, 100_000) for income in incomes)
    assert Mean("income", 0, 100_000).answer(built_in("income")) == sum(min(i, 100_000) for i in incomes) / 2584


def test_an_assumed_bound_without_clamping_breaks_the_guarantee() -> None:
    for relation in (REPLACE, ADD_REMOVE):
        assert loss_without_clamping(Sum("visits", 0, 100), 1, 101, relation) == pytest.approx(1.01)
        assert loss_without_clamping(Sum("visits", 0, 101), 1, 101, relation) == 1
    assert Sum("visits", 0, 100).answer(VISITORS) == 1 + 5 + 5 + 23 + 100


# Sensitivity, against every pair of neighboring tables over a small universe of rows

LOWS_AND_HIGHS = [(0, 3), (-1, 3), (2, 5), (-5, -2), (-4, 1)]


Row = tuple[float, int, str | None]


def neighbors(universe: list[Row], relation: str) -> list[tuple[tuple[Row, ...], tuple[Row, ...]]]:
    """Every neighboring pair of tables in which at most one other row is present."""
    others: list[tuple[Row, ...]] = [(), *((row,) for row in universe)]
    if relation == REPLACE:
        return [((*rest, one), (*rest, two)) for rest in others for one, two in product(universe, repeat=2)]
    return [(rest, (*rest, one)) for rest in others for one in universe]


@cache
def answers_of(query: CountQuery | Sum | Mean) -> dict[tuple[str, ...], np.ndarray]:
    """The answers about tables that were asked before, for the other relation compares the same tables."""
    return {}


def largest_change(query: CountQuery | Sum | Mean, universe: list[Row], relation: str) -> float:
    """The largest change of the answer, in the sum of absolute values, over all neighboring tables."""
    answers = answers_of(query)

    def answer(rows: tuple[Row, ...]) -> np.ndarray:
        key = tuple(sorted(map(str, rows)))
        if key not in answers:
            x, asked, group = [list(column) for column in zip(*rows, strict=True)] if rows else ([], [], [])
            frame = pd.DataFrame(
                {
                    "x": pd.Series(x, dtype="float64"),
                    "asked": pd.Series(asked, dtype="int64"),
                    "group": pd.Series(group, dtype="str"),
                }
            )
            found = query.answer(Table("test", frame, "unused"))
            answers[key] = np.array([found], float)
        return answers[key]

    return max(float(np.abs(answer(one) - answer(two)).sum()) for one, two in neighbors(universe, relation))


def amounts(low: float, high: float) -> list[Row]:
    """Rows at, between and beyond the bounds, at zero and missing; asked or not."""
    values = [low - 1, low, (low + high) / 2, high, high + 1, 0.0, NAN]
    return [(value, asked, "a") for value, asked in product(values, [0, 1])]


MEMBERS: list[Row] = [(0.0, asked, group) for asked, group in product([0, 1], ["a", "b", "c", None])]
ASKED = Where((Compare("asked", "=", 1),))


@pytest.mark.parametrize("relation", [REPLACE, ADD_REMOVE])
@pytest.mark.parametrize("where", [Where(), ASKED], ids=["everybody", "selected"])
def test_the_sensitivity_of_a_count_is_one(relation: str, where: Where) -> None:
    # With nobody left out, replacing a row leaves the count of rows as it is: 1 is then a bound, never an excuse.
    found = largest_change(CountQuery(where), MEMBERS, relation)
    assert found == (0 if relation == REPLACE and not where.conditions else 1)
    assert CountQuery(where).sensitivity(relation) == 1


@pytest.mark.parametrize(
    ("ends", "asked"),
    crossed(LOWS_AND_HIGHS, [(way, who) for way, who in product((REPLACE, ADD_REMOVE), (Where(), ASKED))]),
    ids=str,
)
def test_the_sensitivity_of_a_clamped_sum_is_the_largest_change(
    ends: tuple[float, float], asked: tuple[str, Where]
) -> None:
    (low, high), (relation, where) = ends, asked
    query = Sum("x", low, high, where)
    assert query.sensitivity(relation) == largest_change(query, amounts(low, high), relation)


@pytest.mark.parametrize(("low", "high"), LOWS_AND_HIGHS)
def test_the_sensitivity_of_a_mean_with_public_n_is_the_range_over_n(low: float, high: float) -> None:
    query = Mean("x", low, high)
    assert query.direct(REPLACE)
    means = [query.answer(table(x=[value, 1.0])) for value, *_ in amounts(low, high)]
    assert max(means) - min(means) == pytest.approx(query.sensitivity(REPLACE, 2), rel=1e-12)
    assert query.sensitivity(REPLACE, 2) == (high - low) / 2


def test_the_sum_follows_the_table_of_neighbor_relations() -> None:
    assert Sum("x", 0, 125).sensitivity(REPLACE) == Sum("x", 0, 125).sensitivity(ADD_REMOVE) == 125
    assert (Sum("x", 20, 50).sensitivity(REPLACE), Sum("x", 20, 50).sensitivity(ADD_REMOVE)) == (30, 50)
    assert (Sum("x", -5, 3).sensitivity(REPLACE), Sum("x", -5, 3).sensitivity(ADD_REMOVE)) == (8, 5)


def test_a_condition_lets_a_row_leave_the_selection() -> None:
    assert Sum("x", 20, 50, ASKED).sensitivity(REPLACE) == 50
    assert Sum("x", -5, 3, ASKED).sensitivity(REPLACE) == 8


@pytest.mark.parametrize("relation", [REPLACE, ADD_REMOVE])
@pytest.mark.parametrize("query", [CountQuery(), Sum("x", 0, 3), Sum("x", -9, -2, ASKED), Sum("x", 2, 5)])
def test_an_explanation_names_a_change_of_the_size_of_the_sensitivity(query: CountQuery, relation: str) -> None:
    why = query.explanation(relation)
    assert abs(why.after - why.before) == why.sensitivity == query.sensitivity(relation)


def test_every_sensitivity_fits_its_declaration() -> None:
    declaration(Sensitivity).check("sensitivity", Sum("x", -1e14, 1e14).sensitivity(REPLACE))


def test_a_mean_over_a_private_number_of_rows_has_two_parts_and_a_ratio_within_the_bounds() -> None:
    query = Mean("x", 2, 5, ASKED)
    assert not query.direct(REPLACE)
    assert not Mean("x", 2, 5).direct(ADD_REMOVE)
    assert query.parts() == (Sum("x", 2, 5, ASKED), CountQuery(ASKED))
    assert [query.ratio(30, 10), query.ratio(300, 10), query.ratio(-1, 10), query.ratio(3, -7)] == [3, 5, 2, 3]


def test_the_ratio_of_exact_parts_is_the_mean() -> None:
    query = Mean("income", 0, 100_000, BUILT_IN_QUERIES["income"].where)
    total, count = (part.answer(built_in("income")) for part in query.parts())
    assert query.ratio(total, count) == query.answer(built_in("income"))


# What an assumed bound leaks, against all that one person of a tiny table can do

BEYOND = [(-1, 3), (-4, 1), (2, 5), (-5, -2), (0, 4)]
Members = tuple[tuple[float, int], ...]


def leaked(query: Sum | Mean, one: Members, two: Members, relation: str) -> float:
    """What unclamped releases betray between two tables, in units of ε: the changes over the noise made for them."""
    former, latter = ([x for x, asked in rows if asked or not query.where.conditions] for rows in (one, two))
    if isinstance(query, Mean) and query.direct(relation):
        return abs(np.mean(former) - np.mean(latter)) / query.sensitivity(relation, len(one))
    total = query.parts()[0] if isinstance(query, Mean) else query
    change = abs(sum(former) - sum(latter)) / total.sensitivity(relation)
    return change if isinstance(query, Sum) else change / 2 + abs(len(former) - len(latter)) / 2


def worst_leak(query: Sum | Mean, values: tuple[float, ...], relation: str) -> float:
    """The most that one person can cause who leaves, joins or is replaced; newcomers keep the bounds or are like these.

    Under a condition somebody else is there as well who is not asked about.
    """
    rows: Members = (*((x, 1) for x in values), *([(50.0, 0)] if query.where.conditions else []))
    others = list(product([*values, query.low, query.high], [0, 1] if query.where.conditions else [1]))
    without = [rows[:place] + rows[place + 1 :] for place in range(len(rows))]
    if relation == REPLACE:
        tables = [(*rest, other) for rest in without for other in others]
    else:
        tables = [*without, *((*rows, other) for other in others)]
    return max(leaked(query, rows, table, relation) for table in tables)


@for_each("relation", [REPLACE, ADD_REMOVE])
@for_each("where", [Where(), ASKED], ids=["everybody", "selected"])
@for_each("kind", [Sum, Mean])
@for_each(("low", "high"), BEYOND)
def test_the_loss_without_clamping_is_the_largest_that_one_person_can_cause(
    kind: type[Sum | Mean], low: float, high: float, where: Where, relation: str
) -> None:
    query = kind("x", low, high, where)
    for values in combinations_with_replacement([-6.0, -4.0, -1.0, 0.0, 2.0, 4.0, 7.0], 2):
        told = loss_without_clamping(query, min(values), max(values), relation)
        assert max(told, 1) == pytest.approx(max(worst_leak(query, values, relation), 1), rel=1e-12), values


def test_signed_bounds_leak_less_of_a_replaced_person_than_of_one_who_goes() -> None:
    query = Sum("x", -5, 5)
    assert loss_without_clamping(query, -5, 15, ADD_REMOVE) == 3
    assert loss_without_clamping(query, -5, 15, REPLACE) == 2


@for_each("relation", [REPLACE, ADD_REMOVE])
@for_each("where", [Where(), ASKED], ids=["everybody", "selected"])
@for_each(("low", "high"), [(0.1, 0.3), (-0.7, 0.1), *BEYOND])
def test_values_that_keep_the_bounds_leak_no_more_than_promised(
    low: float, high: float, where: Where, relation: str
) -> None:
    for query in (Sum("x", low, high, where), Mean("x", low, high, where)):
        assert loss_without_clamping(query, low, high, relation) <= 1
