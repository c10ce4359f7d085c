"""The audit against independent routes: every event, every test, exact binomial sums, and its own stated rates."""

from __future__ import annotations

import dataclasses
import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from ldpcore import broken
from ldpcore.estimating import audit
from ldpcore.laws.channels import Comparison, Finite, GaussianShift, LaplaceShift, Pair
from ldpcore.laws.leaks import largest_delta, largest_loss
from ldpcore.mechanisms import REGISTRY
from ldpcore.mechanisms.base import CategoryRandomizer, FrequencyOracle, Mechanism
from ldpcore.mechanisms.grr import GeneralizedRandomizedResponse, RandomizedResponse
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.parameters import ParameterError, declarations
from tests.cases import for_each
from tests.conformance import instances
from tests.rationing import shared
from tests.statistics import RATE, Counted, accept_counts

SLUG = dict(ids=lambda member: member.slug)  # noqa: C408 - reads as the keyword it becomes


def audited(
    laws: Comparison, trials: int, rng: np.random.Generator, confidence: float = 0.95, delta: float = 0.0
) -> audit.LowerBound:
    """The bound that so many trials prove."""
    return audit.audit_path(laws, (trials,), rng, confidence, delta)[0]


def at_level(member: type[Mechanism], epsilon: float, k: int = 16) -> Mechanism | None:
    """The member with defaults at this level and, where it has categories, k of them; none where it has no level."""
    given_parameters = {"epsilon": epsilon, "k": k}
    required = [
        field.name
        for field in dataclasses.fields(member)
        if field.default is dataclasses.MISSING and field.name in declarations(member)
    ]
    if "epsilon" not in declarations(member) or set(required) - set(given_parameters):
        return None
    return member(**{name: given_parameters[name] for name in ("epsilon", "k") if name in declarations(member)})


def ordinary(member: type[Mechanism]) -> Mechanism:
    """One small instance with a finite, positive claim."""
    found = [mechanism for mechanism in instances(member) if 0 < mechanism.claim().epsilon < 3]
    return found[len(found) // 2]


@st.composite
def small_pairs(draw: st.DrawFn) -> Pair:
    size = draw(st.integers(2, 5))
    mass = st.one_of(st.just(0.0), st.floats(1e-3, 1.0))
    weights = [np.array(draw(st.lists(mass, min_size=size, max_size=size))) for _ in range(2)]
    for law in weights:
        law[0] += 0.1 * (not law.any())
    return Pair(weights[0] / weights[0].sum(), weights[1] / weights[1].sum())


# --- exact -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("member", REGISTRY, **SLUG)
def test_the_exact_level_is_the_one_the_mechanism_recomputes_and_every_enumeration_gives(
    member: type[Mechanism],
) -> None:
    for mechanism in instances(member):
        real, laws = mechanism.guarantee(), mechanism.compare(*mechanism.worst())
        level = audit.level_at(laws, real.delta)
        assert math.isclose(level, real.epsilon, rel_tol=1e-9, abs_tol=1e-12), mechanism
        assert audit.keeps_its_promise(mechanism)
        channel = mechanism.channel()
        if channel is not None:
            whole = largest_loss(channel)
            assert math.isclose(whole.amount, level, rel_tol=1e-9, abs_tol=1e-12), mechanism
            for epsilon in (0.0, 0.3, 1.0):
                # The pair with the largest loss need not have the largest δ, but where all pairs are alike it has.
                most, shown = largest_delta(channel, epsilon).amount, laws.delta(epsilon)
                assert most >= shown - 1e-12, mechanism
                assert not isinstance(mechanism, FrequencyOracle) or math.isclose(most, shown, abs_tol=1e-12)


@pytest.mark.parametrize("mistake", broken.GALLERY, **SLUG)
def test_no_famous_mistake_keeps_its_promise_in_every_small_case(mistake: type[Mechanism]) -> None:
    assert not all(audit.keeps_its_promise(mechanism) for mechanism in instances(mistake))


@for_each("b", [0.5, 1.0, 2.0, 5.0])
@for_each("alpha", [0.0, 0.1, 0.5, 1.0, 3.0])
def test_randomized_response_of_level_b_breaks_a_smaller_level_with_delta(alpha: float, b: float) -> None:
    laws = RandomizedResponse(b).compare(1, 0)
    expected = max((math.exp(b) - math.exp(alpha)) / (1 + math.exp(b)), 0.0)
    assert audit.delta_curve(laws, alpha)[0] == pytest.approx(expected, abs=1e-12)
    if expected > 0:
        assert audit.level_at(laws, expected) == pytest.approx(alpha, abs=1e-9)


@pytest.mark.parametrize(
    "laws",
    [LaplaceShift(1.0, 1.0), GaussianShift(7.46126, 2.0), RandomizedResponse(2.0).compare(0, 1)],
    ids=["laplace", "gaussian", "rr"],
)
def test_level_and_delta_undo_each_other(laws: LaplaceShift | GaussianShift | Pair) -> None:
    for epsilon in (0.2, 0.5, 0.9):
        assert audit.level_at(laws, laws.delta(epsilon)) == pytest.approx(epsilon, abs=1e-9)
    assert audit.level_at(laws, 1.0) == 0.0


def test_gaussian_noise_has_no_pure_level_and_the_delta_of_the_exercise() -> None:
    laws = GaussianShift(7.46126, 2.0)
    assert laws.loss() == math.inf and audit.level_at(laws) == math.inf
    assert laws.delta(1.0) == pytest.approx(1e-5, rel=1e-5)
    for sigma, alpha in itertools.product((0.5, 1.0, 3.0), (0.1, 1.0, 4.0)):
        formula = stats.norm.cdf(1 / sigma - alpha * sigma / 2) - math.exp(alpha) * stats.norm.cdf(
            -1 / sigma - alpha * sigma / 2
        )
        assert GaussianShift(sigma, 2.0).delta(alpha) == pytest.approx(formula, rel=1e-9, abs=1e-15)
        grid = np.linspace(-12 * sigma, 2 + 12 * sigma, 400_001)
        excess = stats.norm.pdf(grid, 0, sigma) - math.exp(alpha) * stats.norm.pdf(grid, 2, sigma)
        assert GaussianShift(sigma, 2.0).delta(alpha) == pytest.approx(
            np.trapezoid(np.maximum(excess, 0), grid), abs=1e-8
        )


def test_a_level_is_infinite_where_even_the_largest_epsilon_needs_more_than_delta() -> None:
    laws = broken.BoundedNoiseCount(1.0).compare(0, 1)
    assert audit.level_at(laws) == audit.level_at(laws, 0.05) == math.inf
    assert audit.level_at(laws, 0.1) == 0.0


@given(small_pairs(), st.floats(0, 3))
def test_the_outputs_that_are_named_attain_the_largest_loss_and_the_largest_delta(laws: Pair, epsilon: float) -> None:
    named = audit.outputs_of_largest_loss(laws)
    losses = np.abs(laws.ratios())
    assert np.allclose(losses[named], laws.loss()) if laws.loss() > 0 else not named.any()
    assert (losses[~named] < laws.loss()).all() or laws.loss() == 0
    event, reverse = audit.outputs_beyond(laws, epsilon)
    own, other = (laws.second, laws.first) if reverse else (laws.first, laws.second)
    attained = own[event].sum() - math.exp(epsilon) * other[event].sum()
    assert attained == pytest.approx(laws.delta(epsilon), abs=1e-12)
    every = np.array(list(itertools.product((0, 1), repeat=len(own))))
    brute = max((every @ p - math.exp(epsilon) * (every @ q)).max() for p, q in ((own, other), (other, own)))
    assert attained == pytest.approx(brute, abs=1e-12)


# --- power -----------------------------------------------------------------------------------------------------------


def test_the_power_of_a_test_on_a_private_report_has_the_stated_numbers() -> None:
    assert audit.power_bound(0.05, 1.0) == pytest.approx(0.135914, abs=5e-7)
    assert 1 - math.exp(-1) * (1 - 0.05) == pytest.approx(0.650515, abs=5e-7)
    assert audit.power_bound(0.9, 1.0) == pytest.approx(1 - math.exp(-1) * 0.1)
    assert audit.power_bound([0.0, 1.0], math.inf).tolist() == [1.0, 1.0]
    assert audit.power_bound(0.05, 1.0, delta=0.1) == pytest.approx(0.235914, abs=5e-7)


@given(small_pairs(), st.floats(0, 1))
def test_the_best_power_is_the_upper_hull_of_all_tests(laws: Pair, size: float) -> None:
    every = np.array(list(itertools.product((0.0, 1.0), repeat=len(laws.first))))
    sizes, powers = every @ laws.second, every @ laws.first
    # A randomized test is a mixture of two deterministic ones, one on either side of the size.
    low, high = np.meshgrid(np.arange(len(every)), np.arange(len(every)))
    left, right = sizes[low], sizes[high]
    between = (left <= size + 1e-12) & (right >= size - 1e-12)
    weight = np.clip(np.divide(size - left, right - left, out=np.zeros_like(left), where=right > left), 0, 1)
    mixed = np.where(right > left, (1 - weight) * powers[low] + weight * powers[high], powers[high])
    assert audit.best_power(laws, size) == pytest.approx(mixed[between].max(), abs=1e-9)


@given(small_pairs(), st.floats(0, 1))
def test_no_test_on_a_private_report_has_more_power_than_the_bound(laws: Pair, size: float) -> None:
    level = laws.loss()
    assert audit.best_power(laws, size) <= audit.power_bound(size, level) + 1e-12
    for epsilon in (0.0, 0.5, 2.0):
        assert audit.best_power(laws, size) <= audit.power_bound(size, epsilon, laws.delta(epsilon)) + 1e-9


@pytest.mark.parametrize("alpha", [0.1, 1.0, 3.0])
def test_randomized_response_attains_the_power_bound_everywhere(alpha: float) -> None:
    sizes = np.linspace(0, 1, 101)
    laws = RandomizedResponse(alpha).compare(1, 0)
    assert np.allclose(audit.best_power(laws, sizes), audit.power_bound(sizes, alpha), atol=1e-12)


# --- empirical -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("hits", "trials"), [(0, 10), (1, 10), (7, 10), (10, 10), (300, 1000), (1, 10**9)])
@pytest.mark.parametrize("error", [0.05, 1e-6])
def test_exact_binomial_limits_are_the_shares_at_which_the_tails_have_the_stated_error(
    hits: int, trials: int, error: float
) -> None:
    low, high = float(audit.share_at_least(hits, trials, error)), float(audit.share_at_most(hits, trials, error))
    assert low == 0 if hits == 0 else stats.binom.sf(hits - 1, trials, low) == pytest.approx(error, rel=1e-6)
    assert high == 1 if hits == trials else stats.binom.cdf(hits, trials, high) == pytest.approx(error, rel=1e-6)
    assert low == pytest.approx(1 - float(audit.share_at_most(trials - hits, trials, error)), abs=1e-12)


@pytest.mark.parametrize("share", [0.01, 0.2, 0.5, 0.93])
def test_exact_binomial_limits_fail_at_most_as_often_as_stated(share: float) -> None:
    n, error = 60, 0.05
    hits = np.arange(n + 1)
    mass = stats.binom.pmf(hits, n, share)
    assert mass[audit.share_at_least(hits, n, error) > share].sum() <= error
    assert mass[audit.share_at_most(hits, n, error) < share].sum() <= error


@pytest.mark.parametrize(("p", "q", "delta"), [(0.5, 0.2, 0.0), (0.3, 0.3, 0.0), (0.05, 0.01, 0.0), (0.5, 0.2, 0.1)])
def test_the_proof_from_one_event_fails_at_most_as_often_as_stated_summed_over_all_outcomes(
    p: float, q: float, delta: float
) -> None:
    n, error = 40, 0.1
    truth = math.log((p - delta) / q)
    event = (p + q) / 2
    wrong = 0.0
    for coins in range(n + 1) if delta else [None]:
        if delta == 0:  # counts of the event under either input, the rest of the trials elsewhere
            own, other = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
            total = own + other
            chance = np.where(
                total <= n, stats.binom.pmf(total, n, event) * stats.binom.pmf(own, total, p / (p + q)), 0
            )
            bounds = audit.proven(own, other, (n, n), error)
        else:
            own, other = np.meshgrid(np.arange(coins + 1), np.arange(n - coins + 1), indexing="ij")
            chance = stats.binom.pmf(own, coins, p) * stats.binom.pmf(other, n - coins, q)
            chance = chance * stats.binom.pmf(coins, n, 0.5)
            bounds = audit.proven(own, other, (coins, n - coins), error, delta)
        wrong += float(chance[bounds > truth].sum())
    assert wrong <= error


def test_trials_follow_the_fair_coin_and_the_laws() -> None:
    laws = GeneralizedRandomizedResponse(1.0, 4).compare(0, 1)
    seen = audit.Trials.draw(laws, 100_000, np.random.default_rng(1))
    assert seen.n == 100_000
    both = np.concatenate([seen.first, seen.second])
    assert accept_counts(both, np.concatenate([laws.first, laws.second]) / 2)


AUDITED = [*REGISTRY, *broken.GALLERY]


def bounds_of(laws: Pair, runs: int, trials: int, confidence: float, delta: float = 0.0) -> np.ndarray:
    rng = np.random.default_rng(5)
    return np.array([audited(laws, trials, rng, confidence, delta).epsilon for _ in range(runs)])


@pytest.mark.parametrize("member", shared(AUDITED, 3, 2), **SLUG)
def test_the_bound_exceeds_the_true_level_in_at_most_the_stated_share_of_audits(member: type[Mechanism]) -> None:
    """300 audits at 90 %: as many failures as a fair 10 % would give with probability 1e-9 are too many."""
    mechanism = ordinary(member)
    laws = mechanism.compare(*mechanism.worst())
    failures = int((bounds_of(laws.cut(), 300, 10_000, 0.9) > laws.loss()).sum())
    assert failures <= stats.binom.isf(RATE, 300, 0.1), (mechanism, failures)


@pytest.mark.parametrize("delta", [1e-3, 0.05])
@pytest.mark.parametrize("laws", [GaussianShift(1.0, 1.0), LaplaceShift(1.0, 1.0)], ids=["gaussian", "laplace"])
def test_the_bound_with_delta_exceeds_the_true_level_in_at_most_the_stated_share_of_audits(
    laws: GaussianShift | LaplaceShift, delta: float
) -> None:
    failures = int((bounds_of(laws.cut(), 300, 10_000, 0.9, delta) > audit.level_at(laws, delta)).sum())
    assert failures <= stats.binom.isf(RATE, 300, 0.1)
    closest = bounds_of(laws.cut(), 5, 10**8, 0.9, delta).max()
    assert closest >= 0.9 * audit.level_at(laws, delta)


def test_an_audit_that_measures_on_the_trials_it_chose_from_fails_the_coverage_test() -> None:
    laws = Pair(np.full(64, 1 / 64), np.full(64, 1 / 64))
    rng = np.random.default_rng(5)
    failures = 0
    for _ in range(300):
        seen = audit.Trials.draw(laws, 10_000, rng)
        event, likelier = audit.choose_event(seen, 0.1 / audit.CAUTION)
        hits = int(seen.first[event].sum()), int(seen.second[event].sum())
        failures += bool(audit.proven(hits[likelier], hits[1 - likelier], (1, 1), 0.1) > 0)
    assert failures > stats.binom.isf(RATE, 300, 0.1)


CLOSE = [
    (member, epsilon)
    for member in REGISTRY
    for epsilon in (0.5, 1.0, 2.0)
    if issubclass(member, CategoryRandomizer)
    and (mechanism := at_level(member, epsilon)) is not None
    and mechanism.guarantee().epsilon > 0.4  # a report of a lower level than was asked for takes more trials
]


@for_each(("member", "epsilon"), CLOSE, ids=[f"{member.slug}:{epsilon}" for member, epsilon in CLOSE])
def test_ten_million_trials_come_within_five_per_cent_of_the_level(member: type[Mechanism], epsilon: float) -> None:
    """k = 16. One bound misses the 5 % with probability below 1e-8 (six standard errors), the median of nine never."""
    mechanism = at_level(member, epsilon)
    laws = mechanism.compare(*mechanism.worst())
    bounds = bounds_of(laws, 9, 10**7, 0.95)
    assert np.median(bounds) >= 0.95 * laws.loss(), (mechanism, bounds)


@pytest.mark.parametrize("mistake", broken.GALLERY, **SLUG)
def test_every_famous_mistake_is_caught_by_a_million_trials(mistake: type[Mechanism]) -> None:
    caught = []
    for mechanism in [at_level(mistake, 1.0), *instances(mistake)]:
        if mechanism is not None and not audit.keeps_its_promise(mechanism):
            bound = audited(
                mechanism.compare(*mechanism.worst()), 10**6, np.random.default_rng(1), 0.999, mechanism.claim().delta
            )
            caught.append(bound.epsilon > mechanism.claim().epsilon)
        if caught[:1] == [True]:
            break
    assert any(caught), mistake


def test_a_record_of_101_where_100_was_assumed_costs_one_per_cent_which_only_a_hundred_million_trials_see() -> None:
    mechanism = broken.AssumedSensitivity(1.0, 100.0, 101.0)
    assert mechanism.guarantee().epsilon == pytest.approx(1.01, rel=1e-12)
    laws = mechanism.compare(*mechanism.worst())
    assert audited(laws, 10**8, np.random.default_rng(1), 0.999).epsilon > 1
    assert audited(laws, 10**5, np.random.default_rng(1), 0.999).epsilon < 1


def test_a_billion_trials_cost_two_draws_and_no_more() -> None:
    for laws in (
        GeneralizedRandomizedResponse(1.0, 16).compare(0, 1),
        LaplaceMechanism(1.0).compare(0, 1),
        GeneralizedRandomizedResponse(1.0, 64).channel().pair(0, 1),
    ):
        rng = Counted(1)
        audited(laws, 10**9, rng)  # type: ignore[arg-type]
        assert 0 < rng.drawn <= 4 * 4096


def test_an_audit_that_goes_on_uses_all_trials_so_far_and_repeats_itself() -> None:
    laws = RandomizedResponse(1.0).compare(0, 1)
    grid = (10, 1000, 10**5, 10**7)
    paths = [audit.audit_path(laws, grid, np.random.default_rng(3)) for _ in range(2)]
    assert [bound.epsilon for bound in paths[0]] == [bound.epsilon for bound in paths[1]]
    assert [sum(bound.tries) for bound in paths[0]] == [5, 500, 50_000, 5_000_000]
    assert paths[0][-1].epsilon > paths[0][1].epsilon
    assert paths[0][-1].shares[paths[0][-1].likelier] == pytest.approx(laws.first[0], abs=0.01)


def test_equal_laws_prove_nothing_and_one_trial_is_enough_to_say_so() -> None:
    laws = Finite(np.array([[0.3, 0.7], [0.3, 0.7]])).pair(0, 1)
    assert audit.level_at(laws) == 0 and audit.level_at(laws, 0.1) == 0
    assert audited(laws, 1, np.random.default_rng(1)).epsilon == 0
    assert audited(Pair(np.ones(1), np.ones(1)), 1000, np.random.default_rng(1), 0.999).epsilon < 0.5


@pytest.mark.parametrize(
    ("grid", "confidence", "delta", "sentence"),
    [
        ((0,), 0.95, 0.0, "trials must be"),
        ((100, 10), 0.95, 0.0, "must rise"),
        ((100,), 1.0, 0.0, "confidence must be"),
        ((100,), 0.95, 1.5, "delta must be"),
    ],
)
def test_what_no_audit_can_mean_is_refused(grid: tuple, confidence: float, delta: float, sentence: str) -> None:
    with pytest.raises((ParameterError, ValueError), match=sentence):
        audit.audit_path(LaplaceShift(1.0, 1.0), grid, np.random.default_rng(0), confidence, delta)


# --- the stories behind the fakes ------------------------------------------------------------------------------------


@pytest.mark.parametrize("mistake", broken.GALLERY, **SLUG)
def test_every_famous_mistake_tells_its_level_and_its_source(mistake: type[Mechanism]) -> None:
    assert mistake.__doc__ and "level" in mistake.__doc__
    assert len(mistake.reference) > 20 and mistake.title[0].isupper()
    assert mistake.slug not in {member.slug for member in REGISTRY}


def test_the_levels_told_in_the_stories_are_the_exact_ones() -> None:
    assert broken.HalvedNoise(1.0).guarantee().epsilon == pytest.approx(2)
    assert broken.AssumedSensitivity(1.0).guarantee().epsilon == pytest.approx(1.5)
    assert broken.ShareNoiseOnCount(1.0).guarantee().epsilon == pytest.approx(20)
    assert broken.ForgottenRepeats(1.0).guarantee().epsilon == pytest.approx(10)
    for mistake in (broken.BoundedNoiseCount, broken.GaussianWithoutDelta, broken.UnclippedLocalLaplace):
        assert mistake(1.0).guarantee().epsilon == math.inf
    assert broken.GaussianWithoutDelta(1.0).compare(0.0, 1.0).delta(1.0) == pytest.approx(0.127, abs=5e-4)


def test_unclipped_noise_breaks_its_promise_from_a_value_of_two_on() -> None:
    mechanism = broken.UnclippedLocalLaplace(1.0)
    for x in (0.5, 2.0, 2.1, 10.0):
        at_most_zero = mechanism.cdf(0.0, 0.0) / mechanism.cdf(0.0, x)
        assert at_most_zero == pytest.approx(math.exp(x / 2))
        assert (at_most_zero > math.e * (1 + 1e-9)) == (x > 2)


def test_forgotten_repeats_compose_exactly_as_independent_answers_do() -> None:
    mechanism, once = broken.ForgottenRepeats(0.7, 3), RandomizedResponse(0.7)
    whole = [np.ones(1), np.ones(1)]
    for _ in range(3):
        whole = [np.outer(law, row).ravel() for law, row in zip(whole, once.channel().matrix, strict=True)]
    for epsilon in (0.0, 0.5, 1.0, 2.0):
        assert mechanism.compare(1, 0).delta(epsilon) == pytest.approx(Pair(*whole).delta(epsilon), abs=1e-12)
    reports = mechanism.privatize(np.ones(50_000, dtype=int), np.random.default_rng(1))
    assert accept_counts(np.bincount(reports, minlength=4), mechanism.compare(1, 0).first)


@pytest.mark.parametrize("record", [2.0, 10.0])
def test_noise_as_wide_as_the_largest_record_has_the_delta_that_quadrature_gives(record: float) -> None:
    mechanism = broken.BoundsReadFromData(1.0, record)
    laws, grid = mechanism.compare(*mechanism.worst()), np.linspace(-200, 200, 2_000_001)
    p, q = (stats.laplace.pdf(grid, value, mechanism.scale(value)) for value in mechanism.worst())
    for epsilon in (0.0, 0.5, 1.0, 3.0):
        numeric = max(np.trapezoid(np.maximum(a - math.exp(epsilon) * b, 0), grid) for a, b in ((p, q), (q, p)))
        assert laws.delta(epsilon) == pytest.approx(numeric, abs=1e-6)
        assert laws.cut().delta(epsilon) <= laws.delta(epsilon) + 1e-12


def test_normal_noise_of_laplaces_scale_betrays_more_than_promised_three_times_in_ten() -> None:
    """ln p/q = ½ - z exceeds 1 below -½. The δ of 0.127 is no chance of that: it counts how much more is betrayed."""
    noise = broken.GaussianWithoutDelta(1.0)
    assert noise.log_density(-0.5, 0.0) - noise.log_density(-0.5, 1.0) == pytest.approx(1.0)
    assert float(noise.cdf(-0.5, 0.0)) == pytest.approx(0.3085, abs=1e-4)
    labels = (Path(__file__).parents[1] / "explorer/text/en/labels.toml").read_text("utf-8")
    assert "at ε = 1 three releases in ten betray more than was promised." in labels
