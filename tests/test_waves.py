"""The square wave and EM against the printed numbers, explicit matrices and a second implementation of everything."""

from __future__ import annotations

import math
from decimal import Decimal, getcontext

import numpy as np
import pytest
from scipy import stats

from ldpcore.estimating import shapes, waves
from ldpcore.estimating.waves import WaveDecoder, WaveInBins, smoothed
from ldpcore.mechanisms.squarewave import SquareWave
from ldpcore.parameters import ParameterError
from ldpcore.people.populations import Population
from ldpcore.people.scales import numbers_of_shape
from tests.statistics import accept_counts


def test_printed_numbers_of_the_wave() -> None:
    wave = SquareWave(1.0)
    assert (wave.b, wave.p, wave.q) == pytest.approx((0.256083, 1.136305, 0.418023), abs=5e-7)


@pytest.mark.parametrize("epsilon", ["1e-8", "1e-6", "0.001", "0.3", "0.499999", "0.5", "0.500001", "3", "50"])
def test_the_wave_is_stable_from_tiny_levels_to_large_ones(epsilon: str) -> None:
    """b with eighty decimal digits; mass one; p = e^ε q."""
    getcontext().prec = 80
    level = Decimal(epsilon)
    e = level.exp()
    exact = (level * e - e + 1) / (2 * e * (e - 1 - level))
    wave = SquareWave(float(epsilon))
    assert wave.b == pytest.approx(float(exact), rel=1e-13)
    assert 2 * wave.b * wave.p + wave.q == pytest.approx(1, rel=1e-12)
    assert wave.p / wave.q == pytest.approx(math.exp(float(epsilon)), rel=1e-12)
    assert wave.pull == pytest.approx(float(2 * exact * (e - 1) / (2 * exact * e + 1)), rel=1e-13)


def overlap(edges: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """How much of each cell (rows) lies between two numbers (columns)."""
    low, high = edges[:-1, None], edges[1:, None]
    return np.clip(np.minimum(high, right) - np.maximum(low, left), 0, None)


def explicit(wave: SquareWave, k: int, points: int = 400) -> np.ndarray:
    """P(cell | bin) point by point: the mean over many numbers of the bin of what the wave covers of the cell."""
    aside, b = math.ceil(wave.b * k), wave.b
    edges = (np.arange(k + 2 * aside + 1) - aside) / k
    x = (np.arange(k * points) + 0.5) / (k * points)
    law = wave.q * overlap(edges, np.array(-b), np.array(1 + b)) + (wave.p - wave.q) * overlap(edges, x - b, x + b)
    return law.reshape(len(law), k, points).mean(axis=2)


@pytest.mark.parametrize("epsilon", [0.05, 1.0, 3.0])
@pytest.mark.parametrize("k", [2, 3, 16])
def test_the_matrix_that_is_never_made_is_the_explicit_one(epsilon: float, k: int) -> None:
    channel = WaveInBins(SquareWave(epsilon), k)
    matrix = explicit(channel.wave, k)
    assert channel.matrix() == pytest.approx(matrix, abs=2e-5 * channel.wave.p)
    assert channel.matrix().sum(axis=0) == pytest.approx(np.ones(k), rel=1e-12)
    weights = np.random.default_rng(1).random(channel.cells)
    assert channel.backward(weights) == pytest.approx(channel.matrix().T @ weights, rel=1e-12)


@pytest.mark.parametrize("epsilon", [1e-6, 0.3, 10.0, 50.0])
def test_a_thousand_bins_lose_nobody(epsilon: float) -> None:
    channel = WaveInBins(SquareWave(epsilon), 1024)
    shares = np.random.default_rng(1).dirichlet(np.ones(1024))
    assert channel.forward(shares).sum() == pytest.approx(1, rel=1e-9)
    assert channel.backward(np.ones(channel.cells)) == pytest.approx(np.ones(1024), rel=1e-9)


def test_reports_in_cells_follow_the_law_of_the_cells() -> None:
    """60 000 reports of one number, binned, and the multinomial draw of the same: both by exact tails (1e-9 each)."""
    channel, rng = WaveInBins(SquareWave(1.0), 16), np.random.default_rng(2)
    law = channel.cell_laws(np.array([0.37]))[0]
    assert accept_counts(channel.cells_of(channel.wave.privatize(np.full(60_000, 0.37), rng)), law)
    assert accept_counts(channel.sample(Population(np.array([0.37]), np.array([60_000])), rng), law)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 10.0])
@pytest.mark.parametrize("k", [16, 256])
def test_the_likelihood_of_plain_em_never_falls(epsilon: float, k: int) -> None:
    channel = WaveInBins(SquareWave(epsilon), k)
    counts = channel.sample(numbers_of_shape("bell", 10**5), np.random.default_rng(1))
    fit = WaveDecoder(channel, "plain", 2000).decode(counts)
    assert (np.diff(fit.likelihoods) >= -1e-13).all() and len(fit.likelihoods) > 4
    assert fit.shares.sum() == pytest.approx(1, rel=1e-12) and (fit.shares >= 0).all()


def dense_em(matrix: np.ndarray, counts: np.ndarray, steps: int, smooth: bool) -> np.ndarray:
    """EM by the book with a whole matrix, smoothing with a matrix too."""
    k = matrix.shape[1]
    kernel = np.diag(np.full(k, 0.5)) + np.diag(np.full(k - 1, 0.25), 1) + np.diag(np.full(k - 1, 0.25), -1)
    kernel[0, 0] = kernel[-1, -1] = 0.75
    shares = np.full(k, 1 / k)
    for _ in range(steps):
        shares = shares * (matrix.T @ (counts / (matrix @ shares))) / counts.sum()
        shares = kernel @ shares if smooth else shares
    return shares


@pytest.mark.parametrize("smoothing", ["plain", "smoothed"])
def test_steps_of_em_are_those_of_a_whole_matrix(smoothing: str) -> None:
    channel = WaveInBins(SquareWave(1.0), 16)
    counts = channel.sample(numbers_of_shape("skewed", 10**5), np.random.default_rng(3))
    fit = WaveDecoder(channel, smoothing, 40).decode(counts, (0, 7, 40))
    for step, shares in fit.kept:
        assert shares == pytest.approx(dense_em(channel.matrix(), counts, step, smoothing == "smoothed"), abs=1e-10)
    assert fit.steps == 40 and [step for step, _ in fit.kept] == [0, 7, 40]


def test_where_em_stops_the_likelihood_is_nearly_the_largest() -> None:
    """Against 20 000 steps: the logarithm has come within a thousandth of its whole way up."""
    channel = WaveInBins(SquareWave(2.0), 32)
    counts = channel.sample(numbers_of_shape("bell", 10**5), np.random.default_rng(1))
    fit = WaveDecoder(channel, "plain").decode(counts)
    best = dense_em(channel.matrix(), counts, 20_000, smooth=False)
    law = channel.matrix() @ best
    most = float((counts * np.log(law)).sum()) / counts.sum()
    assert fit.likelihoods[-1] <= most + 1e-12
    assert most - fit.likelihoods[-1] < 1e-3 * (most - fit.likelihoods[0])


# The distances of a second implementation: whole matrices averaged point by point, reports drawn one by one, the same
# rule for stopping. Mean and spread over 24 seeds at 10⁵ people, ten at 10⁶.
REFERENCE = {
    (10**5, "plain"): (0.00703, 0.00146),
    (10**5, "smoothed"): (0.00883, 0.00155),
    (10**6, "plain"): (0.00275, 0.00045),
    (10**6, "smoothed"): (0.00885, 0.00036),
}


@pytest.mark.parametrize(("n", "smoothing"), REFERENCE, ids=str)
def test_the_distance_to_the_truth_is_that_of_an_independent_computation(n: int, smoothing: str) -> None:
    """The mean of five crowds within five of its spreads: wrong with probability below 1e-5, and the seed is fixed."""
    people = numbers_of_shape("bell", n)
    channel, found = WaveInBins(SquareWave(1.0), 64), []
    for seed in range(5):
        fit = WaveDecoder(channel, smoothing).decode(channel.sample(people, np.random.default_rng(seed)))
        found.append(shapes.wasserstein(fit.shares, shapes.bins_of(people, 64)))
    mean, spread = REFERENCE[n, smoothing]
    assert abs(np.mean(found) - mean) < 5 * spread * math.sqrt(1 / 5 + 1 / 10)


def test_smoothing_keeps_everybody_and_only_spreads() -> None:
    shares = np.zeros(9)
    shares[4] = 1
    assert smoothed(shares)[3:6] == pytest.approx([0.25, 0.5, 0.25])
    edge = smoothed(np.eye(9)[0])
    assert edge[:2] == pytest.approx([0.75, 0.25]) and edge.sum() == pytest.approx(1)
    assert smoothed(np.full(9, 1 / 9)) == pytest.approx(np.full(9, 1 / 9))


def test_distances_are_those_of_finely_cut_samples() -> None:
    rng = np.random.default_rng(1)
    for k in (2, 3, 20):
        one, other = rng.dirichlet(np.ones(k)), rng.dirichlet(np.ones(k))
        spots = (np.arange(4000 * k) + 0.5) / (4000 * k)
        fine = [np.repeat(shares / 4000, 4000) for shares in (one, other)]
        reference = stats.wasserstein_distance(spots, spots, *fine)
        assert shapes.wasserstein(one, other) == pytest.approx(reference, abs=1e-4)
        gap = np.abs(np.cumsum(fine[0]) - np.cumsum(fine[1])).max()
        assert shapes.kolmogorov(one, other) == pytest.approx(gap, abs=1e-3)
    assert shapes.wasserstein([1, 0, 0, 0], [0, 0, 0, 1]) == pytest.approx(0.75)
    assert shapes.kolmogorov([1, 0], [0, 1]) == 1 and shapes.wasserstein([0.5, 0.5], [0.5, 0.5]) == 0


def test_quantiles_undo_the_cumulative_shares() -> None:
    shares = np.array([0.2, 0.3, 0.0, 0.5])
    assert shapes.quantiles(shares, [0.1, 0.2, 0.35, 0.75, 1.0]) == pytest.approx([0.125, 0.25, 0.375, 0.875, 1.0])
    assert shapes.quantiles(shares, 0.5) in (pytest.approx(0.5), pytest.approx(0.75))  # anywhere in the empty bin


@pytest.mark.parametrize("bins", [1, 0, 10**6, 2.5])
def test_one_bin_and_a_million_are_refused(bins: float) -> None:
    with pytest.raises(ParameterError, match="bins must be a whole number"):
        WaveInBins(SquareWave(1.0), bins)  # type: ignore[arg-type]


def test_counts_of_reports_are_drawn_number_by_number_wherever_a_part_of_the_list_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Draws of a million people on 201 numbers and of 10 without anybody, against one multinomial draw for each."""
    shares = np.r_[np.linspace(1, 3, 201), np.zeros(10)]
    people = Population(np.linspace(-1, 1, 211), np.random.default_rng(5).multinomial(10**6, shares / shares.sum()))
    channel, rng = WaveInBins(SquareWave(1.0), 16), np.random.default_rng(7)
    held = [(float(x), int(count)) for x, count in zip(people.values, people.counts, strict=True) if count]
    alone = sum(rng.multinomial(count, channel.cell_laws(np.array([x]))[0]) for x, count in held)
    for at_once in (1, 100, 1 << 17):
        monkeypatch.setattr(waves, "AT_ONCE", at_once)
        assert np.array_equal(channel.sample(people, np.random.default_rng(7)), alone)


@pytest.mark.parametrize("smoothing", ["plain", "smoothed"])
@pytest.mark.parametrize("level", [0.05, 1.0, 10.0])
def test_the_small_matrix_climbs_as_the_band_does(
    level: float, smoothing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    channel = WaveInBins(SquareWave(level), 64)
    counts = channel.sample(numbers_of_shape("bell", 10**5), np.random.default_rng(1))
    by_matrix = WaveDecoder(channel, smoothing, 300).decode(counts)
    monkeypatch.setattr(waves, "SMALL", 0)
    by_band = WaveDecoder(channel, smoothing, 300).decode(counts)
    assert by_matrix.steps == by_band.steps and by_matrix.shares == pytest.approx(by_band.shares, abs=1e-12)
