"""The questions of the page about trust: against independent formulas, simulation and bad input."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from explorer.settings.grids import log_grid
from ldpcore.accounting import shuffling
from ldpcore.accounting.shuffling import delta_of
from ldpcore.experiments.means.survey import MeanSurveyResult
from ldpcore.experiments.recommending import sayable
from ldpcore.experiments.trust import (
    MODELS,
    BestChoice,
    ErrorsOverPeople,
    ManyStatistics,
    PeopleByModel,
    TrustPlan,
    TwoPictures,
    WhoIsAlone,
    plan,
)
from ldpcore.experiments.trust.models import noise_error
from ldpcore.parameters import ParameterError
from ldpcore.people.scales import ScaledNumbers
from ldpcore.tables.table import Table, TableError, built_in
from tests.rationing import ALL, crossed
from tests.statistics import accept_normal

CROWD = ScaledNumbers.synthetic("skewed", 5000, 0, 100)


# --- three models ----------------------------------------------------------------------------------------------------


def test_the_curators_noise_is_that_of_a_mean_over_a_public_number_of_people() -> None:
    for epsilon in (0.1, 1.0, 5.0):
        assert noise_error("curator", epsilon, CROWD, 400, 1e-6) == pytest.approx(math.sqrt(2) * 100 / 400 / epsilon)


def test_the_price_is_about_the_noise_and_grows_like_the_root_of_the_crowd() -> None:
    """Central O(1/n), local O(1/√n): of the noise; the sampling error σ/√n stays in both."""
    small, large = (ErrorsOverPeople(1.0, ScaledNumbers.synthetic("skewed", n, 0, 100)).run() for n in (10**4, 10**6))
    assert large.now.here["curator"] == pytest.approx(small.now.here["curator"] / 100)
    assert large.now.here["local"] == pytest.approx(small.now.here["local"] / 10, rel=1e-3)
    assert large.now.factor == pytest.approx(10 * small.now.factor, rel=1e-3)
    assert large.now.sampled == pytest.approx(small.now.sampled / 10, rel=1e-2)
    assert large.now.sampled > large.now.here["curator"], "a sample of so many errs more than the curator's noise"


def test_without_a_curator_the_error_is_that_of_simulated_surveys(monkeypatch: pytest.MonkeyPatch) -> None:
    """400 surveys: the mean square over the stated variance, by the normal law of a sum of many."""
    pictures = [TwoPictures(1.0, CROWD, seed) for seed in range(400)]
    results = [pictures[0].run()]
    monkeypatch.setattr(MeanSurveyResult, "mean_absolute_error", 0.0)  # it is dear, and the same in all of them
    results += [question.run() for question in pictures[1:]]
    for model, found in (
        ("local", np.array([each.survey.estimate for each in results])),
        ("curator", np.array([each.release for each in results])),
    ):
        scores = ((found - CROWD.mean) / results[0].error(model)) ** 2
        spread = math.sqrt((2 if model == "local" else 5) / 400)  # of one squared normal, and of one squared Laplace
        assert accept_normal(float(scores.mean()), 1.0, spread), (model, scores.mean())


@pytest.mark.parametrize("epsilon", [0.01, 0.3, 1.0, 10.0])
def test_shuffling_never_errs_more_than_trusting_nobody_and_keeps_its_promise(epsilon: float) -> None:
    result = ErrorsOverPeople(epsilon, CROWD).run()
    assert (result.curves["shuffled"] <= result.curves["local"] * (1 + 1e-12)).all()
    assert result.now.alpha >= epsilon
    assert delta_of(result.now.alpha, CROWD.n, epsilon) <= 1e-6
    assert all((np.diff(curve) <= 1e-15).all() for name, curve in result.curves.items() if name != "shuffled")


@pytest.mark.parametrize("level", [0.01, 0.3, 1.0, 4.0, 10.0])
@pytest.mark.parametrize("model", MODELS)
def test_the_people_needed_are_enough_and_fewer_are_not(model: str, level: float) -> None:
    """Of shuffled people one in 500 may be too many."""
    question = PeopleByModel(level, CROWD, 0.01)
    n, width = int(question.needed(model)), 1.0
    if model == "curator":
        # P(|Lap(100/nε)| > 1) = e^{-nε/100} falls to 5 % at n = 100 ln 20/ε.
        assert n == math.ceil(100 * math.log(20) / level)
    fewer = math.floor(n * (0.997 if model == "shuffled" else 0.9999)) if n > 500 else n - 1
    assert question.reach(model, n) <= width < question.reach(model, fewer)


@pytest.mark.parametrize(("model", "n"), crossed(MODELS, [1, 20, 1000, 10**6]))
def test_the_planned_levels_reach_the_wish_and_smaller_ones_do_not(model: str, n: int) -> None:
    for width, confidence in ((0.02, 0.95), (0.3, 0.5), (0.001, 0.999)):
        wish = TrustPlan(ScaledNumbers.synthetic("skewed", n, 0, 100), width, confidence)
        level = wish.run().levels[model]
        if level is None:
            assert wish.at(50.0).reach(model, n) > 100 * width
            continue
        said = sayable(level)
        assert said is not None and wish.at(level).reach(model, n) <= 100 * width * (1 + 1e-9)
        assert wish.at(said).reach(model, n) <= 100 * width * (1 + 1e-9), "the level as it is said and taken"
        below = 0.995 * level
        assert below < 1e-6 or wish.at(below).reach(model, n) > 100 * width


def test_trusting_less_never_takes_a_smaller_level_or_fewer_people() -> None:
    levels = TrustPlan(CROWD, 0.02).run().levels
    assert levels["curator"] == pytest.approx(math.log(20) / (0.02 * 5000))
    assert levels["curator"] < levels["shuffled"] < levels["local"]  # type: ignore[operator]
    for level in np.geomspace(0.01, 10, 10 if ALL else 3).tolist():
        here = PeopleByModel(level, CROWD, 0.02).run().here
        assert here["curator"] <= here["shuffled"] <= here["local"]
    assert TrustPlan(ScaledNumbers.synthetic("skewed", 1, 0, 100), 1e-9).run().levels["local"] is None


def test_all_stops_of_a_plan_share_its_curve_and_ask_few_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work is counted, not time: shufflings that are judged for the plan, and for the people at all 19 stops."""
    judged, counted = shuffling.deltas, [0]

    def counting(alpha: Any, n: Any, epsilon: Any) -> Any:
        counted[0] += len(alpha)
        return judged(alpha, n, epsilon)

    monkeypatch.setattr(shuffling, "deltas", counting)
    monkeypatch.setattr(plan, "deltas", counting)
    wish = TrustPlan(ScaledNumbers.synthetic("skewed", 1234, 0, 100), 0.0123)
    wish.run()
    once, stops = counted[0], log_grid(0.01, 10)
    for level in stops:
        wish.at(level).run()
    along = counted[0] - once
    assert len(stops) == 19 and 0 < once <= 500 and 0 < along <= 8 * len(stops), (once, along)


# --- who could be found ----------------------------------------------------------------------------------------------


def test_bob_is_found_and_alice_and_zoey_too() -> None:
    rows = {"name": ["Alice", "Bob", "Zoey"], "age": [34, 34, 28], "sex": ["F", "M", "F"], "diabetes": [0, 1, 0]}
    table = Table.of(pd.DataFrame(rows), "three")
    assert WhoIsAlone(table, ("age", "sex")).run().alone == 3
    assert WhoIsAlone(table, ("age",)).run().alone == 1  # Zoey
    result = WhoIsAlone(table, ("sex",)).run()
    assert result.alone == 1 and result.smallest == 1 and result.n == 3


def test_columns_that_identify_everybody_leave_everybody_alone_and_none_leave_one_crowd() -> None:
    table = built_in("clinic")
    everybody = WhoIsAlone(table, table.columns).run()
    assert everybody.alone == everybody.n == table.n == 40
    nothing = WhoIsAlone(table, ()).run()
    assert nothing.alone == 0 and nothing.smallest == 40
    with pytest.raises(TableError):
        WhoIsAlone(table, ("no such column",)).run()


def test_an_empty_table_has_no_crowds() -> None:
    empty = WhoIsAlone(Table.of(pd.DataFrame({"x": np.array([], dtype=np.float64)}), "empty"), ("x",)).run()
    assert empty.n == 0 and empty.smallest == 0


ROWS = 900
RNG = np.random.default_rng(11)
MIXED = pd.DataFrame(
    {
        "age": RNG.integers(18, 67, ROWS),
        "plz": [f"24{code:03d}x" for code in RNG.integers(0, 60, ROWS)],
        "town": [f"T{town}" for town in np.minimum(RNG.geometric(0.08, ROWS), 60)],
        "day": pd.Timestamp("2020-01-01") + pd.to_timedelta(RNG.integers(0, 900, ROWS), unit="D"),
        "sex": [("F", "M", None)[place % 3] for place in range(ROWS)],
    }
)
COARSE: dict[str, Callable[[Any, float], object]] = {
    "without": lambda value, step: 0,
    "ranges": lambda value, step: value // step,
    "month": lambda value, step: (value.year, value.month),
    "year": lambda value, step: value.year,
    "letters": lambda value, step: value[: int(step)],
}


def test_each_way_to_make_a_column_coarser_is_counted_as_row_by_row() -> None:
    columns = ("age", "plz", "town", "day", "sex")
    result = WhoIsAlone(Table.of(MIXED, "mixed"), columns).run()
    tried = {(each.way, each.column) for each in result.ways}
    assert {("ranges", "age"), ("letters", "plz"), ("rare", "town"), ("month", "day"), ("year", "day")} <= tried
    assert {("without", name) for name in columns} <= tried
    frequent = Counter(MIXED["town"])
    rows = [tuple(row) for row in MIXED.itertuples(index=False)]
    for each in (result.present, *result.ways):
        place = columns.index(each.column) if each.column else -1

        def seen(row: tuple[Any, ...], each: Any = each, place: int = place) -> tuple[Any, ...]:
            if each.way == "present":
                return row
            if each.way == "rare":
                value: object = row[place] if frequent[row[place]] >= each.step else "rare"
            else:
                value = COARSE[each.way](row[place], each.step)
            return (*row[:place], value, *row[place + 1 :])

        sizes = Counter(seen(row) for row in rows)
        held = [sizes[seen(row)] for row in rows]
        assert each.alone == held.count(1) and each.smallest == min(held) and sum(each.people) == ROWS, each
        assert each.people[2] == sum(3 <= size <= 5 for size in held)
    single = {each.column: each.alone for each in result.single}
    assert single == {name: list(Counter(MIXED[name].fillna("none")).values()).count(1) for name in columns}


def test_the_best_way_leaves_fewest_alone_and_the_hidden_result_tells_nobody_apart() -> None:
    result = WhoIsAlone(Table.of(MIXED, "mixed"), ("age", "town", "day")).run()
    away, coarse = result.best(True), result.best(False)
    assert away is not None and coarse is not None and away.way == "without"
    assert away.alone == min(each.alone for each in result.ways if each.way == "without")
    assert coarse.alone == min(each.alone for each in result.ways if each.way != "without")
    hidden = result.masked()
    assert not any(each.smallest or any(each.people) for each in (hidden.present, *hidden.ways)) and not hidden.single
    assert [each.way for each in hidden.ways] == ["without"] * 3
    assert hidden.n == 0 and len(result.drawn(5)) == 6 and result.drawn(5)[0] is result.present


def _least_crowds(rows: list[tuple[Any, ...]], who: list[Any]) -> list[int]:
    """For each person the people in the smallest crowd of theirs, counted by sets of names."""
    crowds: dict[tuple[Any, ...], set[Any]] = {}
    for values, name in zip(rows, who, strict=True):
        crowds.setdefault(values, set()).add(name)
    least: dict[Any, int] = {}
    for values, name in zip(rows, who, strict=True):
        least[name] = min(least.get(name, len(rows)), len(crowds[values]))
    return list(least.values())


@pytest.mark.parametrize("several", [False, True])
def test_people_are_counted_and_not_their_rows_and_the_best_pair_is_the_best_of_all(several: bool) -> None:
    frame = MIXED.assign(who=[f"p{place}" for place in np.random.default_rng(3).integers(0, 400, ROWS)])
    frame.loc[::40, "who"] = None
    known = ("age", "plz", "day")
    result = WhoIsAlone(Table.of(frame, "visits"), known, "who" if several else "").run()
    kept = frame.dropna(subset=["who"]) if several else frame.assign(who=range(ROWS))
    who, frequent = list(kept["who"]), kept.groupby("plz")["who"].nunique()
    rows = list(kept[list(known)].itertuples(index=False, name=None))
    assert result.n == len(set(who))

    def seen(row: tuple[Any, ...], each: Any) -> tuple[Any, ...]:
        place = known.index(each.column)
        value = row[place]
        rare = each.way == "rare"
        coarse = (value if frequent[value] >= each.step else "") if rare else COARSE[each.way](value, each.step)
        return (*row[:place], coarse, *row[place + 1 :])

    def judged(*ways: Any) -> tuple[int, int]:
        values = rows
        for way in ways:
            values = [seen(row, way) for row in values]
        least = _least_crowds(values, who)
        return least.count(1), -min(least)

    assert result.present.order == judged() and all(each.order == judged(each) for each in result.ways)
    coarse = [each for each in result.ways if each.way != "without"]
    pairs = [judged(one, two) for one in coarse for two in coarse if one.column < two.column]
    best = min(pairs)
    alone = min(each.order for each in coarse)
    assert len(pairs) > 5 and (result.pair.order if result.pair else alone) == min(best, alone)
    if result.pair is not None:
        assert judged(*result.pair.parts) == result.pair.order


@pytest.mark.parametrize("values", [[0.0] * 5, [0.0, 1.0] * 3, [-1e308, 1e308], [math.nan] * 4, [1.5, 1.5000001, 2]])
def test_columns_of_odd_numbers_are_made_no_coarser_than_they_can_be(values: list[float]) -> None:
    result = WhoIsAlone(Table.of(pd.DataFrame({"x": values}), "odd"), ("x",)).run()
    assert all(each.order <= result.present.order for each in result.ways) and result.n == len(values)


# --- many statistics and choices -------------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [0.01, 0.1, 1.0, 5.0])
@pytest.mark.parametrize("delta", [1e-9, 1e-6, 1e-2])
def test_normal_noise_errs_less_exactly_from_the_crossing_on(epsilon: float, delta: float) -> None:
    result = ManyStatistics(epsilon, 10, delta).run()
    question, k = result.experiment, result.crossing
    assert question.error("analytic", k) < question.error("laplace", k)
    assert k == 1 or question.error("analytic", k - 1) >= question.error("laplace", k - 1) * (1 - 1e-12)


def test_the_classical_size_is_larger_and_not_told_above_level_one() -> None:
    question = ManyStatistics(0.5, 10)
    assert question.error("classical", 10) == pytest.approx(math.sqrt(10 * 2 * math.log(1.25e6)) / 0.5)
    assert question.error("classical", 10) > question.error("analytic", 10)
    assert math.isnan(ManyStatistics(1.5).error("classical", 10))


def test_the_better_choice_is_told_with_its_chance() -> None:
    result = BestChoice(0.5, (30, 20, 20, 5)).run()
    weights = np.exp(0.25 * np.array([30, 20, 20, 5]))
    assert result.right("exponential") == pytest.approx(weights[0] / weights.sum())
    assert result.right("noisymax") >= result.right("exponential") and result.best == 0
    assert BestChoice(0.5, (7, 7)).run().right("exponential") == 1.0
    assert len(set(BestChoice(1.0, (3, 2)).run().masked().experiment.counts)) == 1


@pytest.mark.parametrize("counts", [(), (5,), (3, -1)])
def test_a_choice_needs_two_candidates_and_counts(counts: tuple[int, ...]) -> None:
    with pytest.raises(ParameterError):
        BestChoice(1.0, counts).run()
