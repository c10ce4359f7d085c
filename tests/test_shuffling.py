"""Mixing reports, asking day after day, and crowds of equal rows: against enumeration and printed values."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from ldpcore.accounting import composition, repetition, shuffling
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.people.populations import Population
from ldpcore.tables.table import Table, TableError, built_in, uniqueness
from tests.rationing import ALL, crossed


def enumerated(alpha: float, n: int, epsilon: float) -> float:
    """E_γ of the votes of one person and of a random number of clones, vote by vote."""
    p = 1 / (1 + math.exp(-alpha))
    laws: dict[tuple[int, int], list[float]] = {}
    for clones in range(n):
        chance = stats.binom.pmf(clones, n - 1, math.exp(-alpha))
        for yes in range(clones + 1):
            mass = chance * stats.binom.pmf(yes, clones, 0.5)
            for own, first in ((1, p), (0, 1 - p)):
                votes = laws.setdefault((yes + own, clones - yes + 1 - own), [0.0, 0.0])
                votes[0] += mass * first
                votes[1] += mass * (1 - first)
    return sum(max(first - math.exp(epsilon) * second, 0.0) for first, second in laws.values())


@pytest.mark.parametrize(("alpha", "n"), [(1.0, 2), (1.0, 10), (2.0, 30), (0.5, 25), (3.0, 40)])
def test_the_numeric_reduction_is_the_enumeration_of_votes(alpha: float, n: int) -> None:
    for share in (0.0, 0.2, 0.5, 0.9):
        found = shuffling.delta_of(alpha, n, share * alpha)
        assert found == pytest.approx(enumerated(alpha, n, share * alpha), rel=1e-9)
    assert shuffling.delta_of(alpha, n, alpha) == 0


def closed_form(alpha: float, n: float, delta: float) -> float | None:
    """Theorem 3.1: ln(1 + ((e^α-1)/(e^α+1))(8√(e^α ln(4/δ))/√n + 8e^α/n)) for α ≤ ln(n/(16 ln(2/δ))); else None."""
    if not alpha <= math.log(n / (16 * math.log(2 / delta))):
        return None
    own = math.exp(alpha)
    excess = math.tanh(alpha / 2) * (8 * math.sqrt(own * math.log(4 / delta) / n) + 8 * own / n)
    return min(math.log1p(excess), alpha)


def test_the_closed_form_gives_the_printed_value() -> None:
    assert closed_form(1.0, 10_000, 1e-6) == pytest.approx(0.2140, abs=5e-5)
    assert closed_form(5.0, 10_000, 1e-6) is None, "it says nothing where α is large for n"


@pytest.mark.parametrize(("alpha", "n"), crossed([0.1, 1.0, 3.0], [10**3, 10**4, 10**6, 10**9]))
def test_the_numeric_level_is_never_above_the_closed_form_nor_above_the_local_level(alpha: float, n: int) -> None:
    numeric, closed = shuffling.numeric(alpha, n, 1e-6), closed_form(alpha, n, 1e-6)
    assert 0 <= numeric <= alpha
    assert closed is None or numeric <= closed


def test_more_people_hide_better_and_larger_levels_worse() -> None:
    by_n = [shuffling.numeric(1.0, n, 1e-6) for n in (10, 100, 1000, 10_000)]
    by_alpha = [shuffling.numeric(alpha, 1000, 1e-6) for alpha in (0.5, 1.0, 2.0, 4.0)]
    assert (np.diff(by_n) < 0).all() and (np.diff(by_alpha) > 0).all()


def halved(epsilon: float, n: int, delta: float) -> float:
    """The largest level by halving alone, from ends that are far apart."""
    low, high = epsilon, max(12.0, epsilon)
    if shuffling.delta_of(high, n, epsilon) <= delta:
        return high
    while high - low > 1e-3 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if shuffling.delta_of(middle, n, epsilon) <= delta else (low, middle)
    return low


@pytest.mark.parametrize("delta", [1e-12, 1e-6, 0.05])
def test_the_search_from_beside_finds_the_level_that_halving_finds(delta: float) -> None:
    levels, crowds = (1e-3, 0.01, 0.1, 0.7, 2.0, 5.0, 11.9, 12.0, 30.0), (2, 3, 10, 47, 1000, 10**5, 10**7, 10**9)
    for epsilon, n in crossed(levels, crowds, 3):
        assert shuffling.largest_local(epsilon, n, delta) == halved(epsilon, n, delta)


@pytest.mark.parametrize("delta", [1e-9, 1e-3, 0.05])
def test_many_levels_are_found_together_as_one_by_one_and_none_breaks_its_promise(delta: float) -> None:
    sizes = np.unique(np.rint(np.geomspace(1, 10**12, 25 if ALL else 11)).astype(np.int64))
    levels = np.geomspace(1e-3, 13, len(sizes))
    for epsilon in (0.03, 0.07, 1.0, 4.0, levels, levels[::-1]):
        found = shuffling.largest_locals(epsilon, sizes, delta)
        asked = np.broadcast_to(epsilon, sizes.shape)
        alone = [shuffling.largest_local(level, n, delta) for level, n in zip(asked, sizes.tolist(), strict=True)]
        assert np.array_equal(found, alone) and (found >= asked).all()
        assert (shuffling.deltas(found, sizes, asked) <= delta).all()


@pytest.mark.parametrize("n", [10**13, 10**15, 3 * 10**16, 10**18])
@pytest.mark.parametrize("alpha", [0.1, 1.0, 4.0])
def test_the_largest_crowds_hide_one_person_as_the_normal_law_says(alpha: float, n: int) -> None:
    """Votes of C clones deviate by √C/2, and one person's moves their mean by tanh(α/2)."""
    apart = 2 * math.tanh(alpha / 2) / math.sqrt(n * math.exp(-alpha))
    for times in (0.0, 1.0, 3.0):
        exact = apart * (stats.norm.pdf(times) - times * stats.norm.sf(times))
        assert shuffling.delta_of(alpha, n, times * apart) == pytest.approx(exact, rel=1e-4)
    assert shuffling.numeric(alpha, n, 1e-9) < 5 * apart


def test_where_the_bound_falls_for_a_moment_the_level_still_keeps_its_promise() -> None:
    assert shuffling.delta_of(3.8797, 4642, 0.07) > 0.05 > shuffling.delta_of(3.8798, 4642, 0.07)
    assert shuffling.delta_of(shuffling.largest_local(0.07, 4642, 0.05), 4642, 0.07) <= 0.05


@pytest.mark.parametrize("n", [2, 100, 10**5])
@pytest.mark.parametrize("epsilon", [0.1, 1.0])
def test_the_largest_local_level_keeps_what_was_asked_for(epsilon: float, n: int) -> None:
    alpha = shuffling.largest_local(epsilon, n, 1e-6)
    assert alpha >= epsilon and shuffling.delta_of(alpha, n, epsilon) <= 1e-6
    assert alpha == epsilon or shuffling.delta_of(alpha * 1.01, n, epsilon) > 1e-6


def test_fresh_answers_betray_their_person_day_by_day_and_a_kept_one_does_not() -> None:
    for days in (1, 2, 3, 4, 9):
        p, exact = repetition.truthful(0.7), 0.0
        for answers in itertools.product((0, 1), repeat=days):
            chance = math.prod(p if answer else 1 - p for answer in answers)
            exact += chance * (1.0 if 2 * sum(answers) > days else 0.5 if 2 * sum(answers) == days else 0.0)
        assert float(repetition.guessed(0.7, days)) == pytest.approx(exact, rel=1e-12)
    assert float(repetition.guessed(0.1, 100_000)) > 0.999999
    assert float(repetition.guessed(0.1, 1)) == pytest.approx(repetition.truthful(0.1))


def test_a_change_shows_itself_in_kept_answers_as_often_as_two_coins_differ() -> None:
    p = RandomizedResponse(1.2).p
    enumerated_ = sum(
        (p if own else 1 - p) * (p if not other else 1 - p) for own, other in ((1, 0), (0, 1))
    )  # the kept answer to yes and the kept answer to no
    assert repetition.change_seen(1.2) == pytest.approx(enumerated_)
    assert repetition.change_seen(0.01) == pytest.approx(0.5, abs=1e-4)


def test_thirty_days_of_fresh_answers_cost_thirty_levels_and_a_kept_one_costs_one() -> None:
    assert composition.optimal_of(1.0, 30, 1e-6) <= 30.0
    assert composition.optimal_of(1.0, 1, 1e-6) <= 1.0
    people = Population.of_categories([5, 5])
    assert 10 * RandomizedResponse(1.0).variance(people)[0] == pytest.approx(repetition.coin_variance(1.0))


def test_bob_is_alone_and_whoever_shares_a_row_is_not() -> None:
    table = Table.of(pd.DataFrame({"age": [34, 34, 28, 34], "sex": ["w", "m", "w", "w"]}), "three")
    assert uniqueness(table, ["age", "sex"]) == 2 and uniqueness(table, []) == 0


@pytest.mark.parametrize("name", ["income", "clinic", "people"])
def test_those_who_are_alone_have_a_row_that_stands_once_whatever_columns_are_known(name: str) -> None:
    table = built_in(name)
    for columns in (table.columns[:1], table.columns[:2], table.columns):
        rows = Counter(map(tuple, table.frame[list(columns)].astype(str).to_numpy()))
        assert uniqueness(table, columns) == sum(count == 1 for count in rows.values())


def test_missing_cells_are_a_value_of_their_own_and_unknown_columns_are_refused() -> None:
    table = Table.of(pd.DataFrame({"a": [1.0, None, None, 2.0], "b": ["x", "y", "y", None]}), "gaps")
    assert uniqueness(table, ["a", "b"]) == 2
    with pytest.raises(TableError, match="must be one of"):
        uniqueness(table, ["c"])
