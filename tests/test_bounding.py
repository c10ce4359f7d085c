"""Sensitivity by an upper bound: all neighboring tables tried one by one, and the errors by quadrature."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from scipy import integrate, stats

from explorer.figures.theme import Look
from explorer.pages.counting.bounds import ChosenBound, kind
from explorer.pages.counting.facts import facts
from explorer.pages.counting.figures.bounds import EXTENTS, noise_and_bias
from explorer.scenes import scene
from explorer.text import languages
from explorer.text.catalogue import catalogue_of
from ldpcore.broken import AssumedSensitivity
from ldpcore.experiments.counting.bounding import BoundedSum
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.parameters import ParameterError
from ldpcore.tables.examples import EXAMPLES
from tests import scenes
from tests.rationing import ALL, shared

RELATIONS = ("add-remove", "replace-one")
WRITTEN: dict[str, Callable[[float], float]] = {"twice": lambda x: x + x, "five": lambda x: 5 * x}  # all others: x
CASES = [(example, relation) for example in EXAMPLES for relation in RELATIONS]


def added(example: str, table: tuple[float, ...], bound: float) -> float:
    """The sum of an example over a table, cut at a bound: one record after the other."""
    total = 0.0
    for value in table:
        total += WRITTEN.get(example, lambda x: x)(min(value, bound))
    return total


def neighbors(table: tuple[float, ...], relation: str, values: tuple[float, ...]) -> Iterator[tuple[float, ...]]:
    """Every table that differs in one record from this one."""
    for value in values:
        if relation == "add-remove":
            yield (*table, value)
        else:
            yield from ((*table[:place], value, *table[place + 1 :]) for place in range(len(table)))


def most_moved(example: str, relation: str, bound: float, values: tuple[float, ...]) -> float:
    """How far one record moves the sum at most, among all tables of up to three records with these values."""
    return max(
        abs(added(example, table, bound) - added(example, other, bound))
        for size in range(4)
        for table in itertools.product(values, repeat=size)
        for other in neighbors(table, relation, values)
    )


def off_by_quadrature(scale: float, bias: float) -> float:
    """The mean absolute error of Laplace noise around a sum that lacks `bias`: the chances to be off by more than t."""

    def beyond(t: float) -> float:
        return float(stats.laplace.cdf(bias - t, scale=scale) + stats.laplace.sf(bias + t, scale=scale))

    parts = zip((0.0, bias), (bias, bias + 60 * scale), strict=True)  # it bends where t is the bias
    return sum(integrate.quad(beyond, low, high, limit=200, epsabs=0, epsrel=1e-10)[0] for low, high in parts if high)


@pytest.mark.parametrize(("example", "relation"), CASES)
def test_the_sensitivity_of_a_bounded_sum_is_the_largest_change_over_all_neighbors(example: str, relation: str) -> None:
    records = EXAMPLES[example]
    for bound in (records.least, records.assumed, 0.37 * records.most):
        values = (0.0, bound / 3, bound, 1.7 * bound, records.newcomer, 1000 * bound)
        told = BoundedSum(1.0, example, bound, relation).sensitivity(bound)
        assert told == pytest.approx(most_moved(example, relation, bound, values), rel=1e-12)


@pytest.mark.parametrize(("example", "relation"), CASES)
def test_without_a_bound_the_sensitivity_is_unbounded(example: str, relation: str) -> None:
    records = EXAMPLES[example]
    moved = [most_moved(example, relation, math.inf, (0.0, records.newcomer * 10.0**power)) for power in range(4)]
    assert moved == pytest.approx([moved[0] * 10.0**power for power in range(4)])
    with pytest.raises(ParameterError, match="bound"):
        BoundedSum(1.0, example, math.inf)


def test_x_moves_by_one_twice_x_by_two_and_five_x_by_five() -> None:
    functions = ("once", "twice", "five")
    assert [BoundedSum(1.0, name, 1.0).sensitivity(1.0) for name in functions] == [1, 2, 5]
    assert [most_moved(name, "replace-one", 1.0, (0.0, 0.5, 1.0)) for name in functions] == [1, 2, 5]


@pytest.mark.parametrize("relation", RELATIONS)
def test_one_evening_moves_the_seats_sold_in_a_cinema_by_all_its_seats_under_either_relation(relation: str) -> None:
    result = BoundedSum(0.1, "cinema", 1000.0, relation).run()
    assert (result.moved, result.cut) == (1000, 0)
    assert result.unenforced == 0.1, "nobody comes to a seat that there is not"


@pytest.mark.parametrize("example", EXAMPLES)
def test_noise_and_bias_of_every_bound_are_those_of_the_records_one_by_one(example: str) -> None:
    result = BoundedSum(0.3, example, EXAMPLES[example].assumed).run()
    whole = tuple(result.values.tolist())
    for place in range(0, len(result.bounds), 9 if ALL else 19):
        bound = float(result.bounds[place])
        bias = added(example, whole, math.inf) - added(example, whole, bound)
        assert result.cuts[place] == pytest.approx(bias, rel=1e-12, abs=1e-9)
        scale = most_moved(example, "add-remove", bound, (0.0, bound)) / 0.3
        assert result.errors[place] == pytest.approx(off_by_quadrature(scale, bias), rel=1e-8)


@pytest.mark.parametrize("level", shared([0.01, 0.1, 1.0, 10.0], 3))
def test_no_bound_that_is_compared_does_better_than_the_best(level: float) -> None:
    for example, records in EXAMPLES.items():
        result = BoundedSum(level, example, records.assumed).run()
        whole = tuple(result.values.tolist())
        found = []
        for bound in (
            best := float(result.bounds[result.best]),
            *result.bounds[:: 1 + len(result.bounds) // (8 if ALL else 4)],
        ):
            bias = added(example, whole, math.inf) - added(example, whole, float(bound))
            found.append(off_by_quadrature(records.times * float(bound) / level, bias))
        assert found[0] <= min(found) * (1 + 1e-9), (example, best)
        near = [place for place in (result.best - 1, result.best + 1) if 0 <= place < len(result.bounds)]
        assert all(result.errors[result.best] <= result.errors[place] for place in near)


def test_at_a_tenth_a_bound_of_9_visits_is_best_and_that_of_100_nine_times_as_far_off() -> None:
    result = BoundedSum(0.1).run()
    assert result.bounds[result.best] == 9
    assert result.error == pytest.approx(1000)
    assert 9 < result.error / result.errors[result.best] < 9.2


def test_each_example_holds_the_records_that_its_texts_name() -> None:
    held = {name: records.values for name, records in EXAMPLES.items()}
    assert [len(held[name]) for name in ("visits", "cinema", "ages", "five")] == [200, 60, 200, 50]
    assert np.flatnonzero(held["visits"] >= 20).size == 1 and held["visits"].max() == 23
    assert held["cinema"].max() == 1000 and 0 <= held["ages"].min() <= held["ages"].max() < 125
    assert np.allclose(np.diff([0, *held["once"]]), 0.02) and held["once"].max() == 1


@pytest.mark.parametrize("relation", RELATIONS)
def test_a_record_of_101_where_100_was_assumed_takes_the_level_to_exactly_101_hundredths(relation: str) -> None:
    level = 0.1
    result = BoundedSum(level, "visits", 100.0, relation).run()
    noise = LaplaceMechanism(level, result.moved, relation)
    losses = [abs(noise.log_density(report, 0.0) - noise.log_density(report, 101.0)) for report in range(-300, 401, 25)]
    assert max(losses) == pytest.approx(result.unenforced, rel=1e-12)  # attained, and never more
    assert result.unenforced == pytest.approx(level * 101 / 100, rel=1e-12)
    enforced = [abs(noise.log_density(report, 0.0) - noise.log_density(report, 100.0)) for report in range(-300, 401)]
    assert max(enforced) == pytest.approx(level, rel=1e-12)  # where it is cut to 100 the level is kept


@pytest.mark.parametrize(("example", "relation"), CASES)
def test_the_level_of_an_assumed_bound_is_the_worst_that_the_newcomer_brings_about(example: str, relation: str) -> None:
    records = EXAMPLES[example]
    for bound in (records.least, 0.7 * records.most, records.most):
        result = BoundedSum(0.5, example, bound, relation).run()
        values = (0.0, bound / 2, bound, records.newcomer)
        shift = most_moved(example, relation, math.inf, values)
        assert result.unenforced == pytest.approx(LaplaceMechanism(0.5, result.moved).compare(0, shift).loss())
        if records.newcomer > bound:
            mistake = AssumedSensitivity(0.5, records.times * bound, records.times * records.newcomer)
            assert result.unenforced == pytest.approx(mistake.guarantee().epsilon)


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_picture_holds_all_records_the_lines_of_the_result_and_the_best_bound(example: str) -> None:
    records = EXAMPLES[example]
    bound = 0.4 * records.most
    result, unit = BoundedSum(0.2, example, bound).run(), EXTENTS[example].unit
    words = catalogue_of("en").words("counting", "bound", facts(result), "function", kind(result))
    drawn = {str(trace["name"]): trace for trace in noise_and_bias(result, Look(), words).data}
    held, above = (sum(drawn[name]["y"]) for name in ("up to the bound", "above the bound"))  # type: ignore[arg-type]
    assert (held + above, above) == (len(records.values), result.above)
    for name, values in (("noise", result.scales), ("cut off (bias)", result.cuts), ("both together", result.errors)):
        assert np.allclose(np.asarray(drawn[name]["y"], dtype=float) * unit, values)
    (best,), (x,) = drawn["best bound"]["x"], drawn["your bound"]["x"]
    assert (best, x) == (result.bounds[result.best], bound)
    beyond = np.asarray(drawn["above the bound"]["x"], dtype=float)
    assert (beyond + EXTENTS[example].width / 2 > bound).all()


@pytest.mark.parametrize("example", EXAMPLES)
def test_a_newcomer_breaks_the_promise_in_words_exactly_where_the_bound_is_below_that_record(example: str) -> None:
    page = scenes.declared("counting")
    view, asked = page.views["bound"], next(each.asked for each in scenes.settings() if each.page is page)
    newcomer = EXAMPLES[example].newcomer
    for language, bound in itertools.product(languages(), (0.5 * newcomer, newcomer, 1.5 * newcomer)):
        told = scene(page, view, asked, 0.3, Look(), language, own=ChosenBound(example, bound))
        assert told.figure is not None
        marks = [str(trace["name"]) for trace in told.figure.data]
        broken = bound < newcomer
        assert ("÷" in told.note) is broken, (language, bound, told.note)
        assert any("ε = " in mark for mark in marks) is broken, (language, bound, marks)
