"""Every noise that a curator adds: its widths, sums, averages, price and bets, by another route each."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np
import pytest
from scipy import integrate, optimize, stats

from ldpcore.mechanisms import of_kind
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.mechanisms.centralgaussian import GaussianMechanism
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.mechanisms.manyreleases import ONE_BY_ONE
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Choice, declarations
from tests.cases import for_each
from tests.rationing import crossed, shared
from tests.statistics import accept_counts, accept_normal

MEMBERS: list[type[AdditiveNoise]] = list(of_kind(AdditiveNoise))  # type: ignore[type-abstract]
LEVELS = 0.02, 0.3, 1.0, 4.0


def instances(level: float, sensitivity: float = 1.0, relation: str = "add-remove") -> Iterator[AdditiveNoise]:
    """Every noise at a level, in every way in which it can be made."""
    for member in MEMBERS:
        declared = declarations(member)
        choices = [declared[name] for name in member.needs()]
        options = [each.options if isinstance(each, Choice) else (1e-4,) for each in choices]
        for needs in itertools.product(*options):
            yield member.calibrated(level, sensitivity, relation, **dict(zip(member.needs(), needs, strict=True)))


def every(*sensitivities: float) -> list[AdditiveNoise]:
    """Every noise at every level."""
    return [noise for level in LEVELS for each in sensitivities for noise in instances(level, each)]


def named(noise: AdditiveNoise) -> str:
    """How a red line names it."""
    return "-".join(map(str, (noise.slug, *noise.parameters().values())))


def densities(noise: AdditiveNoise, places: np.ndarray, value: float = 0.0) -> np.ndarray:
    """The density at many places: at once, or one by one where a noise knows single places alone."""
    try:
        return np.exp(noise.log_density(places, value))
    except TypeError:
        return np.exp([noise.log_density(place, value) for place in places])


def law(noise: AdditiveNoise) -> tuple[np.ndarray, np.ndarray]:
    """The noise on a fine grid, or on whole numbers: places and their probabilities, from the density alone."""
    if noise.whole:
        reach = math.ceil(40 * noise.standard_deviation() + 40)
        places, step = np.arange(-reach, reach + 1.0), 1.0
    else:  # beyond, there is less than 1e-14 of it
        reach = math.ceil(25 * noise.standard_deviation() + 4)
        places, step = np.linspace(-reach, reach, 100_001, retstep=True)
    return places, densities(noise, places) * step


def test_the_kind_holds_all_noises_of_a_curator() -> None:
    assert {member.slug for member in MEMBERS} >= {"laplace", "discretelaplace", "gauss"}


def in_cells(noise: AdditiveNoise, edges: Reals) -> Reals:
    """The chances of noise to fall between edges, with what lies beyond the outer ones."""
    return np.diff(noise.cdf(edges, 0.0), prepend=0.0, append=1.0)


@for_each("noise", every(1.0, 3.0), ids=named)
def test_a_width_holds_just_as_much_as_is_said_and_a_level_is_the_least_that_keeps_it(noise: AdditiveNoise) -> None:
    for confidence in (0.5, 0.95, 0.999):
        width = noise.width(confidence)
        assert noise.within(width) >= confidence - 1e-12
        assert noise.within(width * (1 - 1e-6) - 1e-9) < confidence or width == 0
        for wished in (0.7, 5.0, 40.0):
            level = noise.level_within(wished, confidence)
            if not 1e-3 < level < 40:
                continue
            assert noise.at_level(level).within(wished) >= confidence - 1e-9
            assert noise.at_level(level * 0.999).within(wished) < confidence


@pytest.mark.parametrize("noise", shared(every(1.0), 2), ids=named)
def test_the_chance_of_the_best_bet_is_half_of_what_two_laws_do_not_share(noise: AdditiveNoise) -> None:
    places, weights = law(noise)
    moved = densities(noise, places, 1.0) * (places[1] - places[0])
    assert (1 + np.abs(weights - moved).sum() / 2) / 2 == pytest.approx(noise.chance, abs=2e-4)
    assert noise.chance <= noise.bound + 1e-12
    likely = weights / weights.max()
    shown = noise.relative(places)
    assert np.abs(likely - shown).max() < 1e-6


@pytest.mark.parametrize("noise", shared(every(1.0), 2, 1), ids=named)
def test_the_cells_and_moments_are_those_of_the_density(noise: AdditiveNoise) -> None:
    places, weights = law(noise)
    rough = 1e-3 if noise.jumps(noise.standard_deviation()).size else 1e-4  # jumps lie between two places of the grid
    assert np.abs(places) ** 3 @ weights == pytest.approx(noise.third_moment(), rel=rough)
    edges = np.array([-7.5, -2.5, -0.5, 0.5, 2.5, 7.5])
    cells = [weights[(places > low) & (places <= high)].sum() for low, high in itertools.pairwise([-9e9, *edges, 9e9])]
    assert in_cells(noise, edges) == pytest.approx(cells, abs=5e-4 * (1 + 1 / noise.scale))


@for_each("noise", every(2.0), ids=named)
@for_each("repeats", [50, 200_000, 10**9])
def test_the_error_of_many_releases_follows_its_law(noise: AdditiveNoise, repeats: int) -> None:
    """Its mean over 200 tries, at a false-alarm rate of 1e-10 each."""
    rng = np.random.default_rng(11)
    tries = [noise.total_absolute_error(repeats, rng) / repeats for _ in range(200)]
    spread = noise.deviation_of_error / math.sqrt(repeats * len(tries))
    assert accept_normal(float(np.mean(tries)), noise.mean_absolute_error(), spread)


def test_the_shifted_gamma_of_many_distances_is_two_millionths_away_at_most() -> None:
    """Of normal noise, whose sum of distances is convolved a hundred thousand times by its Fourier transform."""
    noise = GaussianMechanism(1.0, 1e-5)
    size, span = 1 << 17, 14.0
    step = span * math.sqrt(ONE_BY_ONE) * noise.deviation_of_error / size * 1.5
    reach = 12 * noise.sigma
    fine = np.arange(0, reach, step / 64)
    t = 2 * np.pi * np.fft.rfftfreq(size, step)
    weights = stats.halfnorm(scale=noise.sigma).pdf(fine + step / 128) * step / 64
    shown = np.flatnonzero(t * noise.deviation_of_error * math.sqrt(ONE_BY_ONE) < 12)
    mean = noise.mean_absolute_error()
    turned = np.array([(weights * np.exp(-1j * t[at] * (fine + step / 128 - mean))).sum() for at in shown])
    transform = np.zeros(len(t), dtype=complex)
    transform[shown] = np.exp(ONE_BY_ONE * np.log(turned))
    density = np.roll(np.fft.irfft(transform, size), size // 2)
    below = np.cumsum(density)
    spread = noise.deviation_of_error
    skewed = noise.third_moment() - 3 * mean * noise.variance() + 2 * mean**3
    shape = 4 * ONE_BY_ONE * spread**6 / skewed**2
    ends = (np.arange(size) - size // 2 + 0.5) * step
    stated = stats.gamma(shape).cdf(shape + ends * 2 * spread**2 / skewed)
    assert np.abs(below - stated).max() < 2e-6


@pytest.mark.parametrize("noise", shared(every(1.0), 3), ids=named)
def test_sums_of_noise_have_the_law_of_noise_added_up(noise: AdditiveNoise) -> None:
    """Of three, in eight cells against the sums of single draws; of a trillion, by mean and size (rate 1e-10 each)."""
    rng = np.random.default_rng(5)
    drawn = noise.sum_of_noise(np.full(40_000, 3.0), rng)
    single = noise.release(np.zeros((40_000, 3)), rng).sum(axis=1)
    edges = np.array([-3, -1.5, -0.5, 0, 0.5, 1.5, 3]) * noise.standard_deviation() + (0.25 if noise.whole else 0.0)
    cells = [np.bincount(np.searchsorted(edges, each), minlength=8) for each in (drawn, single)]
    share = (cells[0] + cells[1]) / 80_000
    for one, other, part in zip(*cells, share, strict=True):
        assert accept_normal(float(one - other), 0.0, math.sqrt(2 * 40_000 * part * (1 - part)) + 1)
    many = noise.sum_of_noise(np.full(4000, 1e12), rng) / 1e6
    assert accept_normal(float(many.mean()), 0.0, noise.standard_deviation() / math.sqrt(4000))
    assert accept_normal(float((many**2).mean()), noise.variance(), noise.variance() * math.sqrt(2 / 4000))


@pytest.mark.parametrize(("noise", "repeats"), crossed([*instances(0.5), *instances(2.0)], [1, 2, 5, 16], 4), ids=str)
def test_an_average_lies_within_a_width_as_often_as_convolution_says(noise: AdditiveNoise, repeats: int) -> None:
    reach = math.ceil(30 * noise.standard_deviation() + 20)
    step = 1.0 if noise.whole else noise.standard_deviation() / 200
    places = np.arange(-math.ceil(reach / step), math.ceil(reach / step) + 1) * step
    ends = np.concatenate([places - step / 2, [places[-1] + step / 2]])
    one = densities(noise, places) if noise.whole else in_cells(noise, ends)[1:-1]
    size = 1 << math.ceil(math.log2(len(places) * repeats + 1))
    summed = np.fft.irfft(np.fft.rfft(one, size) ** repeats, size)[: (len(places) - 1) * repeats + 1]
    sums = np.arange(-(len(places) // 2) * repeats, (len(places) // 2) * repeats + 1) * step
    rough = 0.0 if noise.whole else 3e-3
    assert np.abs(sums) @ summed / repeats == pytest.approx(float(noise.average_error(repeats)), rel=1e-8 + rough / 10)
    for width in (0.5, 1.0, 3.0):
        inside = summed[np.abs(sums) <= width * repeats + 1e-9].sum()
        assert inside == pytest.approx(noise.average_within(width, repeats), abs=1e-8 + rough)


@pytest.mark.parametrize("noise", shared([noise for noise in every(3.0) if not noise.whole], 3), ids=named)
def test_the_width_of_an_average_holds_just_as_much_as_is_said(noise: AdditiveNoise) -> None:
    for repeats, confidence in itertools.product((1, 2, 40), (0.9,)):
        assert noise.average_within(noise.average_width(confidence, repeats), repeats) == pytest.approx(confidence)


@pytest.mark.parametrize(("noise", "times"), crossed(every(1.0), [1, 10, 1000], 3), ids=str)
def test_the_price_of_many_releases_is_that_of_their_composed_losses(noise: AdditiveNoise, times: int) -> None:
    """Where δ fails the level: E max(1 - e^{ε - L}, 0) = δ, with L the sum of N normal losses, by quadrature."""
    if not noise.failure:
        assert noise.price(times) == pytest.approx(times * noise.epsilon)
        return
    rho = times * (noise.sensitivity / noise.standard_deviation()) ** 2 / 2

    def lost(level: float) -> float:
        weight = stats.norm(rho, math.sqrt(2 * rho)).pdf
        top = max(rho, level) + 40 * math.sqrt(2 * rho)
        inner = integrate.quad(
            lambda x: -math.expm1(level - x) * weight(x), level, top, points=[max(level, rho)], epsabs=1e-13, limit=400
        )
        return inner[0] / noise.failure - 1

    if lost(1e-9) < 0:
        assert noise.price(times) < 1e-6
        return
    level = optimize.brentq(lost, 1e-9, rho + 20 * math.sqrt(2 * rho) + 1)
    assert noise.price(times) == pytest.approx(level, rel=1e-4, abs=1e-6)
    paid = noise.affordable(level * 1.0001)
    assert paid is not None and times <= paid <= times * 1.01 + 1
    assert noise.price(paid) <= level * 1.0001 * (1 + 1e-9)


@pytest.mark.parametrize(
    ("noise", "times", "level"),
    [
        (GaussianMechanism(0.1, 1e-6), 10, 0.342401),
        (GaussianMechanism(0.1, 1e-6), 1000, 4.178934),
        (GaussianMechanism(0.1, 1e-4, calibration="classical"), 100, 0.704808),
    ],
)
def test_the_price_of_normal_noise_is_what_another_accountant_says(
    noise: GaussianMechanism, times: int, level: float
) -> None:
    """Google's dp-accounting 0.6.0, `from_gaussian_mechanism` and its composition, on losses in steps of 10⁻⁵."""
    assert noise.price(times) == pytest.approx(level, rel=3e-6)


@for_each("noise", every(1.0), ids=named)
def test_two_releases_that_share_a_level_keep_it(noise: AdditiveNoise) -> None:
    part = noise.of_several(2)
    claimed = noise.epsilon if noise.failure == 0 or noise.price(1) > 0.99 * noise.epsilon else noise.price(1)
    assert part.price(2) == pytest.approx(claimed, rel=1e-6)
    assert part.standard_deviation() > noise.standard_deviation()


@pytest.mark.parametrize(("epsilon", "delta"), [(0.01, 0.001), (0.01, 0.01), (0.1, 0.01), (1e-6, 1e-4)])
def test_two_releases_share_normal_noise_also_where_its_failure_is_kept_without_a_level(
    epsilon: float, delta: float
) -> None:
    """The classical σ is so wide that √2 times as much keeps the δ at level 0; two such releases are one with σ."""
    noise = GaussianMechanism(epsilon, delta, calibration="classical")
    part = noise.of_several(2)
    apart = 2 * stats.norm.cdf(1 / (2 * part.sigma)) - 1
    assert apart <= delta and part.delta <= delta
    assert part.sigma == pytest.approx(noise.sigma * math.sqrt(2), rel=1e-8)


def test_the_notebooks_normal_noise_is_the_classical_one_and_the_smallest_is_a_good_half_as_wide() -> None:
    """ε = 0.1 and δ = 10⁻⁴ on the count 882: off by about 35, as the fourth notebook of the series prints."""
    classical = GaussianMechanism(0.1, 1e-4, calibration="classical")
    assert classical.sigma == pytest.approx(math.sqrt(2 * math.log(1.25e4)) / 0.1)
    assert classical.mean_absolute_error() == pytest.approx(34.657, abs=1e-3)
    smallest = GaussianMechanism(0.1, 1e-4)
    assert smallest.mean_absolute_error() == pytest.approx(19.555, abs=1e-3)
    assert classical.guarantee().epsilon < 0.07, "it keeps a stricter level than it is made for"


def test_a_planted_noise_that_is_too_narrow_is_seen() -> None:
    class Narrow(LaplaceMechanism):
        def width(self, confidence: float) -> float:
            return 0.99 * super().width(confidence)

    with pytest.raises(AssertionError):
        test_a_width_holds_just_as_much_as_is_said_and_a_level_is_the_least_that_keeps_it(Narrow(0.3))


def test_releases_fall_into_cells_as_the_law_says() -> None:
    edges = np.linspace(-20.5, 20.5, 9)
    for noise in instances(0.3):
        single = noise.release(7.0, np.random.default_rng(3), 100_000) - 7
        seen = np.bincount(np.searchsorted(edges, single, side="left"), minlength=10)
        assert accept_counts(seen, in_cells(noise, edges))
