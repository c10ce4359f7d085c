"""The intervals of quantiles that are read back from a square wave: exact chances, worst crowds, and coverage."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from explorer.pages.shapes.released import quantiles
from explorer.pages.shapes.settings import SHARES, Shapes
from explorer.scenes import run
from explorer.settings.numbers import PeopleSource
from ldpcore.estimating.wavequantiles import SLACK, WaveQuantiles
from ldpcore.estimating.waves import WaveInBins
from ldpcore.experiments import generator
from ldpcore.experiments.shapes.distributions import Reconstruction
from ldpcore.experiments.shapes.quantiles import QuantileIntervals
from ldpcore.mechanisms.squarewave import SquareWave
from ldpcore.people.scales import ScaledNumbers
from tests.rationing import crossed

CROWDS = [
    [(0.0, 1)],
    [(-1.0, 1), (1.0, 1)],
    [(-1.0, 3), (-0.5, 2), (0.25, 4), (1.0, 1)],
    [(-31 / 32, 1), (-31 / 32 + 1e-9, 1), (15 / 32, 5), (15 / 32 - 1e-9, 3)],  # at an edge, and just below
]


def law_of(chances: list[float]) -> np.ndarray:
    """How many of people with these chances say yes, by going through them one by one."""
    law = np.ones(1)
    for chance in chances:
        law = np.convolve(law, [1 - chance, chance])
    return law


@pytest.mark.parametrize("least", [0.0, 0.3, 0.97, 0.99999])
@pytest.mark.parametrize("n", [1, 2, 7, 24])
def test_the_chance_that_everybody_has_on_average_is_inside_as_often_as_is_said(n: int, least: float) -> None:
    """The law of a sum of people with unlike chances, exactly; on either side no more than its part of the risk."""
    channel = WaveInBins(SquareWave(1.0), 2)
    rng = generator(n, "chances")
    for _ in range(12):
        chances = (least + (1 - least) * rng.random(n) ** 2).tolist()
        law, mean = law_of(chances), float(np.mean(chances))
        missed = np.zeros(2)
        for below, chance in enumerate(law):
            counts = np.zeros(channel.cells, dtype=np.int64)
            counts[[0, -1]] = below, n - below
            found = WaveQuantiles(channel, counts, 0.8)
            low, high = (ends[0] for ends in found.chances)
            missed += chance * np.array([mean < low, mean > high])
        assert (missed <= 0.2 / (2 * len(found.cuts)) + 1e-12).all()


@pytest.mark.parametrize(("crowd", "level"), crossed(CROWDS, [0.3, 2.0]))
def test_whatever_the_crowd_its_quantile_is_inside_while_the_chances_are(
    crowd: list[tuple[float, int]], level: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The chances told exactly, of everybody's own number and not of the middle of a bin."""
    channel = WaveInBins(SquareWave(level), 16)
    values, counts = np.array([x for x, _ in crowd]), np.array([n for _, n in crowd])
    told = WaveQuantiles(channel, np.zeros(channel.cells, dtype=np.int64))
    places = 2 * (told.cuts - channel.aside) / channel.bins - 1
    chances = sum(n * channel.wave.cdf(places, x) for x, n in crowd) / counts.sum()
    vars(told)["chances"] = (chances - SLACK, chances + SLACK)
    for share in (0.1, 0.5):
        low, high = told.interval(share)
        true = (values[np.searchsorted(np.cumsum(counts) / counts.sum(), share - 1e-12)] + 1) / 2
        assert low <= true <= high


@pytest.mark.parametrize("level", [0.5, 4.0])
def test_intervals_narrow_as_the_crowd_grows_and_hold_its_quantiles(level: float) -> None:
    widths = []
    for n in (40, 400_000):
        numbers = ScaledNumbers.synthetic("skewed", n, 0, 100)
        answer = QuantileIntervals(Reconstruction(level, numbers, 32, seed=5), (0.5,)).run()
        ((low, high),) = answer.intervals
        assert low <= float(answer.read.true_quantiles([0.5])[0]) <= high and low <= answer.values[0] <= high
        widths.append(high - low)
    assert widths[1] < widths[0] / 2


def test_a_miscount_of_the_risk_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the places' risk not shared out, the exact law finds it."""
    monkeypatch.setattr(WaveQuantiles, "cuts", property(lambda self: np.arange(1, 2)))
    channel, n, missed = WaveInBins(SquareWave(1.0), 2), 24, 0.0
    for below, chance in enumerate(law_of([0.4] * n)):
        counts = np.zeros(channel.cells, dtype=np.int64)
        counts[[0, -1]] = below, n - below
        low, high = (ends[0] for ends in WaveQuantiles(channel, counts, 0.8).chances)
        missed += chance * (not low <= 0.4 <= high)
    assert missed > 0.2 / (channel.cells - 1)


def test_the_sheet_lists_each_quantile_within_its_interval() -> None:
    listed: Any = quantiles(Shapes(PeopleSource.of_shape("skewed", 5000), bins=16), 2.0, None, run)
    assert listed.head == ("below", "value", "interval") and len(listed.rows) == len(SHARES)
    assert all(cell.low.value <= value.value <= cell.high.value for _, value, cell in listed.rows)
