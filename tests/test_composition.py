"""What k releases cost together: printed values, binomial sums, and the convolution against both."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from ldpcore.accounting import composition, releases
from ldpcore.accounting import privacylosses as losses
from ldpcore.accounting.privacylosses import Lattice, Losses, convolved, of_pair
from ldpcore.accounting.releases import Account, AnyRelease, LaplaceRelease, NormalRelease
from ldpcore.laws.channels import GaussianShift, LaplaceShift, Pair
from ldpcore.laws.divergences import renyi
from ldpcore.mechanisms.base import Guarantee
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.parameters import ParameterError
from tests.cases import for_each

DELTA = 1e-6


def binomial_delta(epsilon: float, k: int, level: float) -> float:
    """Σ_j C(k, j) max(p^j q^{k-j} - e^ε' q^j p^{k-j}, 0), from SciPy's binomial law."""
    p, truths = 1 / (1 + math.exp(-epsilon)), np.arange(k + 1)
    first, second = stats.binom.pmf(truths, k, p), stats.binom.pmf(truths, k, 1 - p)
    return float(np.maximum(first - math.exp(level) * second, 0).sum())


# --- closed forms ----------------------------------------------------------------------------------------------------


def test_a_hundred_releases_at_a_tenth_cost_what_is_printed_under_each_rule() -> None:
    assert composition.basic([Guarantee(0.1)] * 100).epsilon == 10
    assert composition.advanced_of(0.1, 100, DELTA) == pytest.approx(6.3082, abs=5e-5)
    assert composition.optimal_of(0.1, 100, DELTA) == pytest.approx(4.7746, abs=5e-5)
    assert composition.concentrated_of(100 * composition.concentration(0.1), DELTA) == pytest.approx(5.7565, abs=5e-5)


def test_the_advanced_rule_gives_the_printed_values_and_is_worse_than_adding_up_for_ten() -> None:
    for k, level, digits in ((10, 1.6226, 5e-5), (100, 5.8502, 5e-5), (1000, 25.691, 5e-4)):
        assert composition.advanced_of(0.1, k, 1e-5) == pytest.approx(level, abs=digits)
        assert composition.advanced([0.1], 1e-5, [k]) == pytest.approx(composition.advanced_of(0.1, k, 1e-5))
        assert (level > k * 0.1) == (k == 10)


def test_a_group_of_five_at_a_tenth_has_half_and_delta_grows_faster_than_the_group() -> None:
    assert composition.group(Guarantee(0.1), 5) == Guarantee(0.5)
    found = composition.group(Guarantee(0.1, DELTA), 5)
    assert found.epsilon == 0.5 and found.delta == pytest.approx(5 * math.exp(0.4) * DELTA, rel=1e-12)
    assert composition.group(Guarantee(1.0, 0.1), 1) == Guarantee(1.0, pytest.approx(0.1))
    assert composition.group(Guarantee(50.0, 0.1), 1000).delta == 1.0


@pytest.mark.parametrize("g", [1, 2, 5, 20])
def test_the_group_rule_holds_for_normal_noise_whose_groups_are_known_exactly(g: int) -> None:
    release = NormalRelease(0.5, 1e-6)
    bound = composition.group(release.guarantee, g)
    assert GaussianShift(1.0, g * math.sqrt(2 * release.rho)).delta(bound.epsilon) <= bound.delta * (1 + 1e-9)


def test_groups_that_are_asked_apart_cost_the_largest_level() -> None:
    """Two people, one answer each: both answers together betray of either no more than the larger level."""
    one, other = (RandomizedResponse(level).channel().matrix for level in (0.7, 0.2))
    joint = np.einsum("ax,by->abxy", one, other)
    both = list(itertools.product((0, 1), repeat=2))
    apart = [(a, b) for a, b in itertools.product(both, both) if (a[0] != b[0]) != (a[1] != b[1])]
    moved = [abs(np.log(joint[a] / joint[b])).max() for a, b in apart]
    assert max(moved) == pytest.approx(0.7, rel=1e-12) and min(moved) == pytest.approx(0.2, rel=1e-12)


@for_each("epsilon", [0.01, 0.1, 1.0, 5.0])
@for_each("k", [1, 2, 7, 100, 3000])
def test_the_optimal_level_needs_exactly_delta_by_binomial_sums(epsilon: float, k: int) -> None:
    level = composition.optimal_of(epsilon, k, DELTA)
    if level < 600:
        assert binomial_delta(epsilon, k, level) == pytest.approx(DELTA, rel=1e-5)
        assert binomial_delta(epsilon, k, level * (1 - 1e-6)) > DELTA
    assert level <= k * epsilon


@for_each("epsilon", [0.01, 0.1, 1.0, 5.0])
@for_each("k", [1, 2, 10, 100, 3000])
@for_each("delta", [1e-12, 1e-6, 0.01])
def test_the_exact_level_is_never_above_any_bound(epsilon: float, k: int, delta: float) -> None:
    account = Account(((AnyRelease(epsilon), k),), delta)
    exact = composition.optimal_of(epsilon, k, delta)
    for rule in ("basic", "advanced", "zcdp", "renyi"):
        assert exact <= account.level(rule) * (1 + 1e-12), rule
    assert account.level("renyi") <= account.level("zcdp") * (1 + 1e-3)


def test_renyi_divergences_of_coins_noise_and_normal_noise_are_those_of_their_laws() -> None:
    for epsilon in (0.1, 1.0, 4.0):
        p = RandomizedResponse(epsilon).p
        laws = LaplaceMechanism(epsilon).compare(0, 1).cut(4000)
        for place in range(60, len(releases.ORDERS), 40):
            order = releases.ORDERS[place]
            coin = composition.coin_divergences(epsilon)[place]
            assert coin == pytest.approx(renyi([p, 1 - p], [1 - p, p], order), rel=1e-6)
            # Fine events tell a little less than the noise itself.
            noise = LaplaceRelease(epsilon).divergences()[place]
            assert noise == pytest.approx(renyi(laws.first, laws.second, order), rel=1e-3)
            assert noise <= coin * (1 + 1e-12)
    z = np.linspace(-12, 13, 200_001)
    p, q = (stats.norm.pdf(z - mean) / stats.norm.pdf(z - mean).sum() for mean in (0, 1))
    place = releases.ORDERS.index(releases.ORDERS[80])
    assert composition.gaussian_divergences(0.5)[place] == pytest.approx(renyi(p, q, releases.ORDERS[place]), rel=1e-6)


@pytest.mark.parametrize("delta", [float("1e-400"), 1.0, -0.1, math.nan])
def test_a_delta_that_is_no_probability_between_the_ends_is_refused(delta: float) -> None:
    for rule in (lambda: composition.advanced_of(0.1, 10, delta), lambda: composition.concentrated_of(0.5, delta)):
        with pytest.raises(ParameterError, match="delta must be greater than 0 and less than 1"):
            rule()
    with pytest.raises(ParameterError, match="delta must be greater than 0 and less than 1"):
        Account(((AnyRelease(1.0), 1),), delta)


def test_no_releases_cost_nothing_and_none_of_a_kind_cannot_be_asked() -> None:
    assert Account((), DELTA).level("exact") == Account((), DELTA).level("basic") == 0
    with pytest.raises(ParameterError, match="k must be at least 1; got 0"):
        composition.optimal_of(0.1, 0, DELTA)


# --- convolution -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("epsilon", "k"), [(0.1, 1), (0.1, 100), (0.5, 30), (0.1, 10_000), (0.01, 10_000)])
def test_the_convolution_of_coins_is_the_binomial_sum(epsilon: float, k: int) -> None:
    found = Account(((AnyRelease(epsilon), k),), DELTA).exact()
    assert found.step[1], "coins lie on the lattice"
    for level in (0.0, 0.3 * epsilon * math.sqrt(k), composition.optimal_of(epsilon, k, DELTA)):
        exact = composition.coins(epsilon, k).delta(level)
        assert exact - 1e-12 <= found.delta(level) <= exact + found.error(level) + 1e-11
        assert found.error(level) < 1e-9


def test_ten_thousand_releases_are_composed_with_an_error_below_a_millionth() -> None:
    found = Account(((AnyRelease(0.0987654321987), 10_000),), DELTA).exact(1 << 21)
    assert not found.step[1]
    for level in (0.0, 20.0, 45.0, 60.0, 90.0):
        exact = composition.coins(0.0987654321987, 10_000).delta(level)
        assert exact <= found.delta(level) + 1e-12
        assert found.delta(level) - exact <= found.error(level) + 1e-11
        assert found.error(level) < 1e-6


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_convolution_of_a_finite_channel_is_its_enumeration(k: int) -> None:
    first, second = np.array([0.5, 0.2, 0.2, 0.1]), np.array([0.3, 0.1, 0.35, 0.25])
    laws = Pair(first, second)
    found = convolved([(of_pair(laws, 1e-4), k)])[0]
    for epsilon in (0.0, 0.1, 0.4, 1.0):
        exact = 0.0
        for outcome in itertools.product(range(4), repeat=k):
            p, q = (float(np.prod(law[list(outcome)])) for law in (first, second))
            exact += max(p - math.exp(epsilon) * q, 0.0)
        assert exact - 1e-12 <= found.delta(epsilon) <= exact + 1e-7


def test_reports_that_one_person_cannot_send_betray_for_certain() -> None:
    laws = of_pair(Pair(np.array([0.9, 0.1, 0.0]), np.array([0.5, 0.0, 0.5])), 0.01)
    assert laws.certain == pytest.approx(0.1)
    found = convolved([(laws, 2)])[0]
    assert found.certain == pytest.approx(1 - 0.9**2) and found.level(0.1) == math.inf


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_the_losses_of_laplace_noise_are_those_of_its_law(epsilon: float) -> None:
    found = LaplaceRelease(epsilon).lattice(1e-3).falling()
    for level in (0.0, 0.3 * epsilon, 0.9 * epsilon):
        exact = LaplaceShift(1 / epsilon, 1.0).delta(level)
        assert exact - 1e-13 <= found.delta(level) <= exact + 1e-6


@pytest.mark.parametrize("k", [1, 10, 1000])
def test_normal_noise_composes_to_normal_noise(k: int) -> None:
    release = NormalRelease(0.3, 1e-5)
    found = Account(((release, k),), 1e-5).exact()
    exact = GaussianShift(1.0, math.sqrt(2 * k * release.rho))
    for level in (0.1, 1.0, exact.level(1e-5)):
        assert exact.delta(level) - 1e-12 <= found.delta(level) <= exact.delta(level) + found.error(level) + 1e-11
    assert found.level(1e-5) == pytest.approx(exact.level(1e-5), rel=1e-6)


def test_a_mixed_account_is_never_dearer_than_any_rule_and_never_cheaper_than_its_dearest_release() -> None:
    mixed = ((LaplaceRelease(0.5), 2), (AnyRelease(0.1), 30), (NormalRelease(1.0, 1e-7), 3), (AnyRelease(0.3, 1e-8), 3))
    account = Account(mixed, DELTA)
    exact = account.level("exact")
    assert 1.0 < exact
    for rule in ("basic", "advanced", "zcdp", "renyi"):
        assert exact <= account.level(rule) * (1 + 1e-9), rule


def test_more_releases_never_cost_less() -> None:
    levels = [Account(((LaplaceRelease(0.2), k), (AnyRelease(0.1), 1)), DELTA).level("exact") for k in (1, 5, 10, 50)]
    assert (np.diff(levels) > 0).all()


def test_ten_repeats_are_never_cheaper_than_the_exact_value() -> None:
    exact = composition.optimal_of(1.0, 10, DELTA)
    account = Account(((AnyRelease(1.0), 10),), DELTA)
    assert all(account.level(rule) >= exact * (1 - 1e-9) for rule in releases.COMPOSITION_RULES)
    assert exact > 9.9, "ten runs at 1 are no bargain at this δ"


def test_an_account_of_ten_thousand_different_rows_is_composed_from_above() -> None:
    rows = tuple((AnyRelease(round(0.001 + 0.0001 * row, 4)), 1) for row in range(10_000))
    account = Account(rows, DELTA)
    coarse = tuple((AnyRelease(level), 2500) for level in (0.001, 0.2509, 0.5009, 0.7509))  # each row cheaper
    assert Account(coarse, DELTA).level("exact") <= account.level("exact") <= 1.02 * account.level("renyi")


def test_what_is_certain_adds_up_and_leaves_no_level_below_it() -> None:
    account = Account(((AnyRelease(0.1, 1e-6), 10),), 1e-6)
    assert account.level("exact") == account.level("basic") == account.level("advanced") == math.inf
    assert Account(((AnyRelease(0.1, 1e-8), 10),), 1e-6).level("exact") < 1.0001


def test_extremes_stay_silent_and_finite() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for epsilon, k, delta in itertools.product((1e-6, 1.0, 50.0), (1, 1000, 10**6), (1e-300, 1e-6, 0.999)):
            assert 0 <= composition.optimal_of(epsilon, k, delta) <= epsilon * k
            account = Account(((AnyRelease(epsilon), k),), delta)
            assert all(account.level(rule, 1 << 12) >= 0 for rule in releases.COMPOSITION_RULES)


# --- bounded lattices ------------------------------------------------------------------------------------------------


def enough(level: float, mean: float, width: float) -> float:
    """ln of what may go wrong at a level if losses are normal, from the tails' own logarithms: no double is too far."""
    own, other = (stats.norm.logsf((level - center) / width) for center in (mean, -mean))
    return float(own + math.log1p(-math.exp(min(level + other - own, 0.0)))) if level + other < own else -math.inf


@pytest.mark.parametrize(
    ("epsilon", "delta", "k"), [(50.0, 0.999999, 10**6), (10.0, 1e-6, 10**5), (10.0, 1e-6, 10**4), (50.0, 1e-6, 3000)]
)
def test_normal_noise_far_out_is_composed_from_above_and_hardly_above(epsilon: float, delta: float, k: int) -> None:
    release = NormalRelease(epsilon, delta)
    found = Account(((release, k),), DELTA).exact()
    rho = k * release.rho
    level, (step, _) = found.level(DELTA), found.step
    assert enough(level, rho, math.sqrt(2 * rho)) <= math.log(DELTA)
    assert enough(level - 3 * step, rho, math.sqrt(2 * rho)) > math.log(DELTA)
    assert 10 * step < math.sqrt(2 * rho)


@pytest.mark.parametrize("epsilon", [50.0, 49.99999999, 20.000000001, 12.3456789012])
@pytest.mark.parametrize("k", [510, 10**5, 10**6])
def test_coins_that_hardly_ever_lie_are_composed_from_above_in_a_narrow_window(epsilon: float, k: int) -> None:
    found = Account(((AnyRelease(epsilon), k),), DELTA).exact(1 << 14)
    assert len(found.fine[0].losses) <= losses.WIDE
    exact = composition.optimal_of(epsilon, k, DELTA)
    assert exact * (1 - 1e-12) <= found.level(DELTA) <= k * (epsilon + found.step[0])


@pytest.mark.parametrize("sigma", [0.5, 3.0, 20.0])
@pytest.mark.parametrize(("epsilon", "k"), [(1e-100, 10**6), (1e-9, 10**6), (0.01, 900), (0.5, 12), (3.0, 40)])
def test_a_coarser_lattice_betrays_more_than_a_finer_one_and_both_more_than_the_truth(
    epsilon: float, k: int, sigma: float
) -> None:
    """Coins beside normal noise are known without a lattice: δ(ε) is the mean of normal noise's δ(ε - their loss)."""
    noise = GaussianShift(sigma, 1.0)
    release = NormalRelease(1.0, noise.delta(1.0))
    coins, normal = composition.coins(epsilon, k), GaussianShift(1.0, math.sqrt(2 * release.rho))
    account = Account(((AnyRelease(epsilon), k), (release, 1)), DELTA)
    lattices = {points: account.exact(points) for points in (1 << 8, 1 << 11, 1 << 14)}
    for level in (0.0, 0.3, 1.0, 4.0):
        truth = float(np.dot(coins.first, tail(normal, level - coins.losses)))
        before = 1.0
        for points, lattice in lattices.items():
            found = lattice.delta(level)
            assert truth * (1 - 1e-9) <= found <= before * (1 + 1e-9) + 1e-8, (level, points)
            before = found
        assert before <= truth + 1e-3


def tail(noise: GaussianShift, levels: np.ndarray) -> np.ndarray:
    """E[max(1 - e^{level - loss}, 0)] of normal losses, at levels of either sign."""
    own, other = (stats.norm.logsf(levels / noise.shift + side * noise.shift / 2) for side in (-1, 1))
    return np.asarray(np.exp(own) - np.exp(levels + other))


def test_a_loss_however_small_is_not_rounded_to_none() -> None:
    found = Lattice.of_outcomes([1.0], [1e-12], 1e-3)
    assert found.masses[1] == pytest.approx(1e-9, rel=1e-2) and found.lowest == 0
    assert Lattice.of_outcomes([0.5, 0.5], [0.3, -0.3], 0.1).masses.tolist()[:2] == [0.5, 0.0]


def test_no_lattice_of_more_points_than_there_is_room_for_is_made() -> None:
    made = (
        lambda: Lattice.of_outcomes([0.5, 0.5], [1e300, -1e300], 1e-3),
        lambda: Lattice.of_outcomes([0.5, 0.5], [math.inf, -1.0], 1e-3),
        lambda: LaplaceRelease(50.0).lattice(1e-6),
        lambda: releases.normal_losses(1e12, 1e-2),
        lambda: convolved([(Lattice.of_outcomes([0.5, 0.5], [1.0, -1.0], 1e-5), 10**6)]),
    )
    for make in made:
        with pytest.raises(ParameterError, match="at most 2097152 points"):
            make()


@pytest.mark.parametrize(
    ("make", "rule"),
    [
        (lambda: AnyRelease(1e-101), "epsilon must be at least 1e-100"),
        (lambda: LaplaceRelease(1e-320), "epsilon must be at least 1e-100"),
        (lambda: NormalRelease(1.0, 1e-320), "delta must be at least 1e-300"),
        (lambda: NormalRelease(1e-12, 1e-30), "must allow a σ of at most 1e\\+08"),
    ],
)
def test_what_no_lattice_can_hold_is_refused_where_it_is_described(make: Callable[[], object], rule: str) -> None:
    with pytest.raises(ParameterError, match=rule):
        make()


def test_composing_can_be_abandoned_at_every_part() -> None:
    shares: list[float] = []
    account = Account(tuple((LaplaceRelease(0.1 + row / 1000), 2) for row in range(30)), DELTA)
    account.level("exact", 1 << 12, shares.append)
    assert len(shares) >= 60 and shares == sorted(shares) and 0 <= shares[0] and shares[-1] <= 1

    def enough_of_it(share: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        account.level("exact", 1 << 12, enough_of_it)


def test_halving_the_step_never_raises_what_is_betrayed() -> None:
    rough, fine = (Losses(*_falling(step)) for step in (0.02, 0.01))
    for epsilon in (0.0, 0.05, 0.11, 0.2):
        assert fine.delta(epsilon) <= rough.delta(epsilon) + 1e-15


def _falling(step: float) -> tuple[np.ndarray, np.ndarray]:
    found = Lattice.of_outcomes([0.5, 0.3, 0.2], [0.213, 0.011, -0.7], step)
    return found.points[::-1], found.masses[::-1]
