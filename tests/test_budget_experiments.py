"""The questions of the page about budgets: against independent formulas, enumeration and bad input."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from ldpcore.accounting import composition
from ldpcore.accounting.columns import read_rows
from ldpcore.accounting.lines import MOST_ROWS, LedgerRow
from ldpcore.costs import MEGABYTE
from ldpcore.experiments.budget import BOUNDS, BudgetPlan, EveryDay, GroupBets, MixedLedger, SplitChoice, TotalLevels
from ldpcore.experiments.budget.split import SPLITS
from ldpcore.experiments.budget.totals import MOST, RULES, total_of
from ldpcore.parameters import ParameterError
from tests.rationing import ALL, crossed, shared
from tests.test_costs import peak

LEDGER = "histogram: laplace 0.5\nmean income: gauss 1 1e-7\ndaily count: laplace 0.1 x 30\n0,3 1e-8 x 3"


# --- totals ----------------------------------------------------------------------------------------------------------


def test_a_hundred_questions_at_a_tenth_cost_the_printed_totals_and_leave_half_of_ten() -> None:
    result = TotalLevels(0.1).run()
    assert result.present["basic"] == 10
    assert result.present["advanced"] == pytest.approx(6.3082, abs=5e-5)
    assert result.present["exact"] == pytest.approx(4.7746, abs=5e-5)
    assert result.present["zcdp"] == pytest.approx(5.7565, abs=5e-5)
    assert result.left == pytest.approx(10 - 4.7746, abs=5e-5) and result.best_bound == "renyi"


@pytest.mark.parametrize("epsilon", [0.01, 0.1, 1.0, 10.0])
def test_the_exact_rule_is_never_above_another_and_pays_for_at_least_as_many(epsilon: float) -> None:
    result = TotalLevels(epsilon).run()
    for rule in BOUNDS:
        assert (result.levels["exact"] <= result.levels[rule] * (1 + 1e-12)).all()
        assert result.affordable("exact") >= result.affordable(rule)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("epsilon", [0.05, 0.3])
def test_what_a_total_pays_for_fits_and_one_more_does_not(rule: str, epsilon: float) -> None:
    result = TotalLevels(epsilon, total=5.0).run()
    k = result.affordable(rule)
    assert total_of(rule, epsilon, k, 1e-6) <= 5.0 * (1 + 1e-9)
    assert total_of(rule, epsilon, k + 1, 1e-6) > 5.0


@pytest.mark.parametrize(("epsilon", "total"), crossed([1e-6, 8e-6, 6e-5, 1e-3, 0.006], [0.46, 10.0, 1000.0]))
def test_what_a_total_pays_for_is_found_in_few_levels_of_few_outcomes(
    epsilon: float, total: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    coins = composition.coins

    def counted(*given: Any) -> Any:
        losses = coins(*given)
        sizes.append(len(losses.first))
        return losses

    monkeypatch.setattr(composition, "coins", counted)
    question = TotalLevels(epsilon, total=total)
    result = question.run()
    assert result.affordable("exact") <= MOST
    assert sum(size > 10_000 for size in sizes) <= 16 and max(sizes) < 2**19
    assert 64 * max(sizes) <= question.cost().bytes


@pytest.mark.parametrize(("epsilon", "total"), shared([(0.006, 1000.0), (6e-5, 10.0), (1e-6, 1000.0)], 2))
def test_the_search_takes_the_memory_that_it_said(epsilon: float, total: float) -> None:
    question = TotalLevels(epsilon, total=total)
    assert peak(question) <= question.cost().bytes <= 150 * MEGABYTE


def test_all_outcomes_of_a_few_coins_are_there() -> None:
    few = composition.coins(3.0, 4)
    assert few.losses.tolist() == [12.0, 6.0, 0.0, -6.0, -12.0]
    assert few.first.sum() == pytest.approx(1, abs=1e-14)


@pytest.mark.parametrize("epsilon", [0.01, 0.1, 0.5, 0.69])
def test_advanced_says_less_than_adding_up_from_the_stated_number_on(epsilon: float) -> None:
    k = TotalLevels(epsilon).run().pays
    assert composition.advanced_of(epsilon, k, 1e-6) <= k * epsilon * (1 + 1e-12)
    assert composition.advanced_of(epsilon, k - 1, 1e-6) > (k - 1) * epsilon


def test_advanced_never_pays_above_ln_two_and_a_level_above_the_total_pays_for_nothing() -> None:
    assert TotalLevels(0.7).run().pays == 0
    assert TotalLevels(10.0, total=5.0).run().affordable("exact") == 0
    assert TotalLevels(10.0, total=5.0).run().left == 0


@pytest.mark.parametrize("rule", RULES)
def test_the_planned_level_uses_the_total_up(rule: str) -> None:
    plan = BudgetPlan(7.0, 50, 1e-5).run()
    assert total_of(rule, plan.present[rule], 50, 1e-5) == pytest.approx(7.0, rel=1e-5)
    assert plan.present["exact"] >= plan.present[rule] * (1 - 1e-9)
    assert np.interp(50, plan.ks, plan.totals) == pytest.approx(7.0, rel=1e-5)


@pytest.mark.parametrize("bad", [{"k": 0}, {"delta": float("1e-400")}, {"delta": 1.0}, {"epsilon": math.nan}])
def test_totals_refuse_what_makes_no_sense(bad: dict[str, float]) -> None:
    with pytest.raises(ParameterError, match=next(iter(bad))):
        TotalLevels(**{"epsilon": 0.1, **bad})


# --- the ledger ------------------------------------------------------------------------------------------------------


def test_a_ledger_is_read_as_people_write_it() -> None:
    assert read_rows(LEDGER) == (
        LedgerRow("histogram", "laplace", 0.5),
        LedgerRow("mean income", "gauss", 1.0, 1e-7),
        LedgerRow("daily count", "laplace", 0.1, times=30),
        LedgerRow("", "any", 0.3, 1e-8, 3),
    )
    assert read_rows("\n \n") == ()
    assert read_rows("a: b: rr .5 × 2") == (LedgerRow("a: b", "rr", 0.5, times=2),)


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("abc", "must be a level"),
        ("1 2 3", "must be a level"),
        ("nan", "must be a level"),
        ("", ""),
        ("gauss 1", "above 0"),
        ("gauss 1 1e-400", "above 0"),
        ("laplace -1", "above 0"),
        ("0", "above 0"),
        ("1e999", "above 0"),
        ("1 1", ""),
        ("any 1 2", "above 0"),
        ("laplace 1 x 0", "above 0"),
        ("=1+1", "must be"),
        ("laplace 1e-320", "at least 1e-100"),
        ("laplace 1e-300 x 1000000", "at least 1e-100"),
        ("gauss 1 1e-320", "of 1e-300"),
        ("gauss 1e-12 1e-30", "σ of at most 1e8"),
    ],
)
def test_a_line_that_is_none_is_refused_by_its_number(line: str, rule: str) -> None:
    if not rule:
        assert len(read_rows(line)) <= 1
        return
    with pytest.raises(ParameterError, match=f"line 2 .*{rule}"):
        read_rows(f"laplace 1\n{line}")


def test_a_ledger_of_too_many_lines_is_refused_and_one_of_ten_thousand_is_not() -> None:
    with pytest.raises(ParameterError, match="at most 10000 rows; got 10001"):
        read_rows("1\n" * (MOST_ROWS + 1))
    assert len(read_rows("1\n" * MOST_ROWS)) == MOST_ROWS  # of which `WILD` runs some


def test_a_mixed_ledger_costs_less_than_its_sum_and_its_error_is_stated() -> None:
    result = MixedLedger(read_rows(LEDGER)).run()
    assert result.sum == pytest.approx(5.4) and result.failure == pytest.approx(1.3e-7)
    assert result.best == "exact" and 1 < result.spent < 3.8
    assert (result.exact <= result.added * (1 + 1e-9)).all() and (np.diff(result.exact) > 0).all()
    assert 0 < result.error < 1e-9
    assert result.releases == 35


def test_a_ledger_whose_failures_exceed_the_allowed_one_has_no_level_and_nothing_left() -> None:
    result = MixedLedger(read_rows("any 0.1 1e-3")).run()
    assert result.spent == math.inf and result.left == 0 and result.error == 0
    assert MixedLedger(()).run().spent == 0


WILD = (
    "gauss 50 0.999999 x 1000000",
    "gauss 10 1e-6 x 100000",
    "any 50 x 1000000",
    "any 49.99999999 x 1000000\nany 1e-100 x 1000000",
    "laplace 50 x 1000000\nlaplace 1e-100 x 510",
    "any 1e-9 x 1000000\nlaplace 50\ngauss 50 0.99999999999999 x 1000000\ngauss 1e-6 1e-9",
    "\n".join(f"laplace {0.001 + row / 10_000:.4f} x 999999" for row in range(48 if ALL else 16)),
    "any 0.1 x 1000000\n" * (MOST_ROWS if ALL else 3000),
    "\n".join(f"gauss {0.1 + row / 100_000:.5f} 1e-6 x 1000000" for row in range(1000 if ALL else 300)),
)


@pytest.mark.parametrize("text", shared(WILD, 3), ids=lambda text: text[:30])
def test_a_ledger_of_wild_numbers_takes_the_memory_that_it_said(text: str) -> None:
    question = MixedLedger(read_rows(text))
    assert peak(question) <= question.cost().bytes <= 150 * MEGABYTE


@pytest.mark.parametrize("text", shared(WILD, 3, 1), ids=lambda text: text[:30])
def test_a_ledger_of_wild_numbers_costs_no_less_than_a_single_line_and_no_more_than_all_added_up(text: str) -> None:
    result, single = MixedLedger(read_rows(text)).run(), MixedLedger(read_rows(text.partition("\n")[0])).run()
    assert single.spent * (1 - 1e-9) <= result.spent <= result.sum or result.failure > 1e-6
    assert result.error >= 0


def test_a_long_ledger_says_how_far_it_is_all_the_time_and_so_can_be_stopped() -> None:
    shares: list[float] = []
    text = "\n".join(f"gauss {0.1 + row / 100_000:.5f} 1e-6\nlaplace {0.1 + row / 100_000:.5f}" for row in range(600))
    MixedLedger(read_rows(text)).run(shares.append)
    assert len(shares) > 500 and shares == sorted(shares) and shares[-1] == pytest.approx(1)
    assert np.diff([0.0, *shares]).max() < 0.25


def test_a_ledger_of_many_laws_is_long_work_and_one_of_a_few_lines_is_not() -> None:
    few = MixedLedger(read_rows(LEDGER))
    many = MixedLedger(read_rows("\n".join(f"laplace {0.1 + row / 1000:.3f}" for row in range(120))))
    assert few.cost().seconds < 0.25 and many.cost().seconds > 1
    assert MixedLedger(read_rows("any 0.1 x 1000000\n" * MOST_ROWS)).cost().seconds > 1


# --- splitting -------------------------------------------------------------------------------------------------------


def test_splitting_people_beats_splitting_the_level_unless_the_level_is_large() -> None:
    assert SplitChoice(1.0, 10).run().better == "people"
    assert SplitChoice(10.0, 3).run().better == "level"
    assert SplitChoice(1.0, 1).run().better == "alike"


def yes_told(held: int, n: int, alpha: float) -> Any:
    """The law of how many of n people say yes at a level, so many of whom hold one."""
    p = 1 / (1 + math.exp(-alpha))
    coins = [stats.binom.pmf(np.arange(many + 1), many, chance) for many, chance in ((held, p), (n - held, 1 - p))]
    return np.convolve(*coins)


def least_kept(question: SplitChoice, split: str, reach: float) -> float:
    """How often one answer is within a reach, for the share among all n for which it is so least often."""
    n, alpha, asked = question.n, question.epsilon, question.n
    if split == "level":
        alpha /= question.k
        laws = np.array([yes_told(held, n, alpha) for held in range(n + 1)])
    else:
        asked = n // question.k
        drawn = stats.hypergeom.pmf(np.arange(asked + 1), n, np.arange(n + 1)[:, None], asked)  # without replacement
        laws = drawn @ np.array([yes_told(held, asked, alpha) for held in range(asked + 1)])
    q = 1 / (1 + math.exp(alpha))
    estimates = np.clip((np.arange(asked + 1) / asked - q) / (1 - 2 * q), 0, 1)
    within = np.abs(estimates - np.arange(n + 1)[:, None] / n) <= reach + 1e-9
    return float((laws * within).sum(axis=1).min())


def broken_splits(narrower: float = 1.0) -> list[SplitChoice]:
    """Where k answers miss together more often than the confidence allows, by Bonferroni, of surveys of 1 to 100."""
    ends, found = list(itertools.product((0.01, 1.0, 10.0), (1, 2, 10, 100), (0.5, 0.95, 0.999))), []
    for n, (alpha, k, confidence) in crossed(range(1, 101), ends, 36):
        question = SplitChoice(alpha, k, n, confidence)
        for split in SPLITS:
            reach = question.reach(split, k)
            if reach < 1 and k * (1 - least_kept(question, split, narrower * reach)) > 1 - confidence + 1e-9:
                found.append(question)
    return found


def test_all_answers_of_a_split_keep_their_confidence_for_every_number_of_people() -> None:
    assert not (found := broken_splits()), (len(found), found[:5])


def test_reaches_a_tenth_narrower_break_the_promise_of_a_split() -> None:
    assert len(broken_splits(0.9)) > (20 if ALL else 10)  # of half as many


def test_what_the_normal_law_says_of_a_split_is_caught() -> None:
    """At level 10 its reach for 100 people, half of them yes, is exceeded where few are: a single lie lies far off."""
    question = SplitChoice(10.0, 1, 100, 0.999)
    assert least_kept(question, "level", stats.norm.isf(0.0005) * math.exp(-5) / 10) < 0.999


def test_a_curve_of_splits_stands_at_one_at_the_question_asked_and_at_the_most() -> None:
    for k in (1, 7, 10, 150, 10_000):
        result = SplitChoice(1.0, k).run()
        assert {1, min(k, 200)} <= set(result.ks) and result.ks[-1] == min(200, max(2 * k, 20))
        for split in SPLITS:
            there = dict(zip(result.ks, result.reaches[split], strict=True)).get(k, result.at(split))
            assert there == result.at(split) and (np.diff(result.reaches[split]) >= 0).all()


def test_a_question_for_nobody_may_be_off_by_the_whole_scale() -> None:
    assert SplitChoice(10.0, 10, 9).run().at("people") == 1
    assert SplitChoice(10.0, 10**6, 10**9, 1 - 1e-12).run().at("people") == 1  # a confidence that no double knows


# --- groups and days -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [0.01, 0.1, 1.0, 10.0])
def test_no_noise_betrays_a_group_more_than_the_promise_allows(epsilon: float) -> None:
    result = GroupBets(epsilon).run()
    for name in ("laplace", "normal"):
        assert (result.bets[name] <= result.bets["promise"] * (1 + 1e-12)).all(), name
    assert result.together.epsilon == pytest.approx(5 * epsilon)
    assert all((0.5 <= bet).all() and (bet <= 1).all() for bet in result.bets.values())


def test_the_bet_about_a_group_is_half_of_one_plus_total_variation() -> None:
    result = GroupBets(0.2, 7).run()
    z = np.linspace(-400, 407, 2_000_001)
    densities = [stats.laplace.pdf(z, center, 5) for center in (0, 7)]
    tv = np.abs(densities[0] - densities[1]).sum() * (z[1] - z[0]) / 2
    assert result.at("laplace") == pytest.approx((1 + tv) / 2, abs=1e-6)


def test_fresh_answers_estimate_the_share_ever_better_and_betray_ever_more() -> None:
    result = EveryDay(1.0, 30, 10_000, 0.3).run()
    late = result.days >= 100
    assert np.abs(result.estimates[late] - 0.3).max() < 7 * result.error(100)
    assert (np.diff(result.guess) >= -1e-12).all() and result.guess[-1] > 0.999
    assert abs(result.kept - 0.3) < 7 * result.error(1)
    assert result.together <= result.sum == 30


def test_estimates_over_days_have_the_stated_error() -> None:
    """2 000 seeds: mean (normal tail) and variance (χ²) of the tenth day's estimate, rate 1e-9 each."""
    found = np.array([EveryDay(1.0, 10, 500, 0.3, seed=seed).run().present[1] for seed in range(2000)])
    error = EveryDay(1.0, 10, 500, 0.3).run().error(10)
    assert abs(found.mean() - 0.3) < 6.2 * error / math.sqrt(2000)
    score = float((((found - 0.3) / error) ** 2).sum())
    assert min(stats.chi2(2000).cdf(score), stats.chi2(2000).sf(score)) >= 1e-9 / 2


def test_without_the_truth_no_share_is_left() -> None:
    hidden = EveryDay(1.0).run().masked()
    assert math.isnan(hidden.truth) and hidden.experiment.share == 0.5
