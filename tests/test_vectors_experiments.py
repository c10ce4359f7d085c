"""The questions of the page about vectors: what they answer, against enumeration, simulation and plain arithmetic."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from explorer.pages.vectors.facts import facts
from explorer.pages.vectors.settings import Columns, VectorsSettings, invented, usual_columns
from ldpcore.estimating.meanintervals import mean_reach
from ldpcore.experiments import generator, vectors
from ldpcore.experiments.vectors.corners import PRINTED
from ldpcore.experiments.vectors.curves import DIMENSIONS, DOTTED
from ldpcore.mechanisms.ball import BallSampling
from ldpcore.mechanisms.hypercube import THRESHOLD_RULES
from ldpcore.mechanisms.splitting import SplitLevel
from ldpcore.parameters import ParameterError
from ldpcore.people.rows import NumberRows
from ldpcore.people.scales import PublicScale
from ldpcore.tables.table import built_in
from tests.statistics import RATE

SCALES = (PublicScale(0, 10), PublicScale(-1, 1))


def test_rows_with_a_gap_are_left_out_and_counted_and_numbers_beyond_the_bounds_are_moved() -> None:
    gap = math.nan
    rows = NumberRows.of([[1, gap, 5, 20, 3], [0, 0, gap, 0.5, -7]], SCALES)
    assert (rows.n, rows.missing, rows.moved) == (3, 2, (1, 1))
    assert rows.outward(rows.means) == pytest.approx([(1 + 10 + 3) / 3, (0 + 0.5 - 1) / 3])
    assert rows.hidden().n == 3 and not rows.hidden().people.values.any()


@pytest.mark.parametrize(
    ("columns", "scales", "sentence"),
    [
        ([], (), "d must be a whole number"),
        ([[1.0, 2.0], [1.0]], SCALES, "equally long"),
        ([[1.0]], SCALES, "equally long"),
        ([[math.nan, 1.0], [1.0, math.inf]], SCALES, "at least one number"),
        ([[1.0]] * 101, (PublicScale(),) * 101, "d must be a whole number"),
    ],
)
def test_columns_that_make_no_rows_are_refused(columns: list, scales: tuple, sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        NumberRows.of(columns, scales)


def test_invented_people_answer_between_the_bounds_and_are_not_all_alike() -> None:
    for d in (1, 7, 100):
        rows = NumberRows.invented(d, 1000)
        assert rows.n == 1000 and rows.d == d and np.abs(rows.people.values).max() <= 1
        assert np.ptp(rows.people.values, axis=0).min() > 0.5


def test_splitting_grows_with_the_number_of_questions_and_the_others_with_its_root() -> None:
    result = vectors.AgainstDimension(1.0, 10, 5000, 0).run()
    grows = {slug: result.at(slug, 100) / result.at(slug, 1) for slug in vectors.METHODS}
    assert grows["split"] == pytest.approx(100, rel=1e-9)
    for slug in set(vectors.METHODS) - {"split"}:
        assert 8 < grows[slug] < 13, slug
    assert result.exact.shape == (len(vectors.METHODS), len(DIMENSIONS)) and np.isnan(result.dots).all()
    assert result.at("split") == pytest.approx(math.sqrt(SplitLevel(1.0, 10).worst_variance() / 5000), rel=1e-12)


def test_sampling_is_best_for_small_levels_and_the_best_cap_for_large_ones() -> None:
    best = [vectors.AgainstDimension(epsilon, 10, 5000, 0).run().best for epsilon in (0.01, 1.0, 3.0, 10.0)]
    assert best[:2] == ["sampled", "sampled"] and best[-1] == "tuned"


def test_simulated_crowds_lie_on_the_lines() -> None:
    """Means of some forty squares: a χ² band at 1e-9 each; the line is the worst case, which people stay below."""
    for epsilon in (0.1, 1.0):
        result = vectors.AgainstDimension(epsilon, 10, 5000).run()
        for row, slug in enumerate(vectors.METHODS):
            for column, d in enumerate(DOTTED):
                share = (result.dots[row, column] / result.exact[row, DIMENSIONS.index(d)]) ** 2
                squares = d * max(1, min(40 // d, (1 << 17) // (5000 * d) if slug == "ball" else 40))
                assert share < stats.chi2.isf(RATE, squares) / squares * 1.2, (slug, d)
                assert share > 0.5 * stats.chi2.ppf(RATE, squares) / squares, (slug, d)
    assert np.isnan(vectors.AgainstDimension(1.0, 10, 10**9).run().dots[vectors.METHODS.index("ball")]).all()


def test_the_balls_dots_are_crowds_drawn_report_by_report_with_the_same_luck_at_every_level() -> None:
    for epsilon, seed in ((0.02, 1), (1.0, 1), (6.0, 2)):
        dots = vectors.AgainstDimension(epsilon, 10, 3000, seed=seed).run().dots[vectors.METHODS.index("ball")]
        for d, dot in zip(DOTTED, dots, strict=True):
            ball, people = BallSampling(epsilon, d, math.sqrt(d)), NumberRows.invented(d, 3000).people
            rounds = max(1, min(40 // d, (1 << 17) // (3000 * d)))
            tally = ball.user_by_user(people, generator(seed, f"ball {d}"), rounds)
            errors = ball.estimate(tally) - ball.truth(people)[:, None]
            assert dot == pytest.approx(math.sqrt((errors**2).mean()), rel=1e-9)


@pytest.mark.parametrize("d", [2, 3])
def test_the_corners_drawn_are_the_enumerated_law(d: int) -> None:
    result = vectors.Corners(1.0, d, second=(-1.0, 1.0, 1.0)).run()
    for law, own in ((result.first, np.ones(d)), (result.second, np.array([-1.0, 1.0, 1.0])[:d])):
        agree = result.corners @ own
        weights = np.where(agree > 0, math.e, 1.0)
        assert law == pytest.approx(weights / weights.sum(), rel=1e-12)
    assert result.level == pytest.approx(1, rel=1e-12) and abs(result.loss) <= 1 + 1e-12
    guess = np.maximum(result.first, result.second).sum() / 2
    assert result.best_guess == pytest.approx(guess) and guess <= 1 / (1 + math.exp(-1))


def test_somebody_undecided_sends_every_corner_alike() -> None:
    result = vectors.Corners(3.0, 3, second=(0.0, 0.0, 0.0)).run()
    assert result.second == pytest.approx(np.full(8, 1 / 8), rel=1e-12)
    assert vectors.Corners(1.0, seed=5).run().sent == vectors.Corners(1.0, seed=5).run().sent


def test_the_leak_is_the_logarithm_of_one_more_and_every_repair_keeps_the_level() -> None:
    for epsilon in (0.01, 1.0, 10.0):
        others = ((-1.0, 1.0, 1.0), (-1.0,) * 3, (0.0,) * 3)
        worst = {
            (rule, d): max(vectors.Corners(epsilon, d, rule, second=other).run().level for other in others)
            for rule in (PRINTED, *THRESHOLD_RULES)
            for d in (2, 3)
        }
        assert worst.pop((PRINTED, 2)) == pytest.approx(math.log(math.exp(epsilon) + 1), rel=1e-9)
        assert max(worst.values()) == pytest.approx(epsilon, rel=1e-9)
        bounds = {rule: vectors.Corners(epsilon, 2, rule).run().bound for rule in THRESHOLD_RULES}
        assert bounds["tuned"] <= bounds["lower"] < bounds["split"] < bounds["upper"]


def test_red_corners_are_those_that_are_likelier_than_was_promised() -> None:
    """From + + and − +: a tie of the one lies below for the other at + − and at − −, the latter the other way round."""
    result = vectors.Corners(1.0, 2, PRINTED).run()
    assert result.corners[result.leaking].tolist() == [[-1, -1], [1, -1]]
    ratios = np.exp(np.log(result.first) - np.log(result.second))[result.leaking]
    assert ratios == pytest.approx([1 / (math.e + 1), math.e + 1])
    assert not vectors.Corners(1.0, 2, "lower").run().leaking.any()


def test_all_means_of_a_table_lie_in_their_intervals_as_often_as_stated() -> None:
    """200 surveys at 80 %: all three intervals hold at once in at least so many, by Bonferroni (binomial tail 1e-9)."""
    rows, hold = usual_columns(built_in("income")).rows, 0
    for seed in range(200):
        result = vectors.VectorSurvey(1.0, rows, "hypercube", 0.8, seed).run()
        hold += bool((np.abs(result.chosen - result.truth) <= result.widths).all())
    assert hold >= stats.binom.ppf(RATE, 200, 0.8)


def test_the_masked_survey_knows_nothing_of_the_people() -> None:
    result = vectors.VectorSurvey(1.0, NumberRows.invented(3, 100)).run()
    assert not result.masked().truth.any() and result.masked().estimates is result.estimates


def test_a_plan_is_right_backwards() -> None:
    plan = vectors.VectorPlan(1.0, 6, 5000, 0.05, 0.9).run()
    z, each = stats.norm.isf(0.1 / 6 / 2), 1 - 0.1 / 6
    for need in plan.needs:
        here = vectors.method(need.slug, 1.0, 6)
        assert need.reach == pytest.approx(mean_reach(here, 5000, each) / 2, rel=1e-9)
        normal = here.worst_variance() * (z / 0.1) ** 2
        assert mean_reach(here, need.people, each) <= 0.1 and normal <= need.people <= 1.02 * normal
        if need.epsilon is not None:
            back = mean_reach(vectors.method(need.slug, need.epsilon, 6), 5000, each) / 2
            assert back <= 0.05 * (1 + 1e-9) and back == pytest.approx(0.05, rel=5e-3)
    assert [need.slug for need in plan.needs if need.epsilon is None] == ["ball"]
    assert plan.fewest.slug == "sampled"
    assert vectors.VectorPlan(1.0, 100, 10, 0.005).run().best is None


def test_what_the_page_asks_of_a_table_is_its_columns_between_usual_bounds() -> None:
    columns = usual_columns(built_in("clinic"))
    assert columns.rows.d == len(columns.names) >= 2
    assert Columns.of(built_in("income"), ("income",), ((0.0, 1e5),)).rows.scales == (PublicScale(0, 1e5),)
    assert invented().rows.d == 4 and facts(VectorsSettings().questions(1.0).run())["d"].value == 10


def test_what_is_proved_of_one_sampled_question_gets_sharper_with_the_level_whatever_rounding_does() -> None:
    """At some levels the last frequency was taken for one beyond a whole turn: 0.0489 at 0.0225, 0.0522 at 0.023."""
    asked = vectors.VectorPlan(1.0, 100, 10**9)
    reaches = [asked.reach("sampled", float(level), asked.n) for level in np.geomspace(0.01, 0.5, 150)]
    assert (np.diff(reaches) < 0).all()
    assert asked.reach("sampled", 0.0225, asked.n) == pytest.approx(0.04893, abs=1e-5)
    assert asked.reach("sampled", 0.023, asked.n) == pytest.approx(0.04786, abs=2e-5)


def test_the_mean_absolute_error_is_told_by_the_normal_law_of_the_typical_one() -> None:
    result = vectors.AgainstDimension(1.0, 5, 10_000, means=0).run()
    told = facts(result)
    typical, absolute = (told[name].value for name in ("best_error", "best_absolute"))  # type: ignore[attr-defined]
    assert absolute == pytest.approx(typical * stats.halfnorm.mean(), rel=1e-12)


@pytest.mark.parametrize("level", [1.0, 10.0, 50.0])
@pytest.mark.parametrize("d", [2, 10])
def test_the_delta_of_a_split_level_is_that_of_its_parts_convolved(d: int, level: float) -> None:
    """The losses of one part lie on a lattice, so that convolution adds them up in another way."""
    whole = SplitLevel(level, d)
    laws, one = whole.compare(*whole.worst()), whole._one(-1.0, 1.0)
    losses = np.sort(one.ratios())
    step = float(np.diff(losses)[np.diff(losses) > 1e-9].min())
    places = np.rint((one.ratios() - losses[0]) / step).astype(int)
    assert one.ratios() == pytest.approx(losses[0] + step * places, abs=1e-9)
    part = np.bincount(places, one.first)
    total = np.ones(1)
    for _ in range(d):
        total = np.convolve(total, part)
    sums = d * losses[0] + step * np.arange(len(total))
    for epsilon in np.linspace(0, level * 0.95, 8):
        exact = float((total * -np.expm1(np.minimum(epsilon - sums, 0))).sum())
        assert laws.delta(float(epsilon)) == pytest.approx(exact, rel=1e-7, abs=1e-12)
