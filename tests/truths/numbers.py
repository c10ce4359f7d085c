"""Truths about people who hold numbers: means, quantiles, distances, curves, from everybody's number."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special

from explorer.facts import Facts
from ldpcore.experiments import generator, means, regression, trust, vectors
from ldpcore.experiments.polls import ShownHandsResult
from ldpcore.experiments.shapes import distributions as shapes
from ldpcore.people.curves import ClassModel, CurveModel
from ldpcore.people.scales import ScaledNumbers
from tests.truths import Context, Expected, Near, of

MOST = 2 * 10**6  # people who are listed one by one; more are weighed


class Everybody:
    """The people's numbers in their own unit, listed one by one, or weighed where they are too many."""

    def __init__(self, numbers: ScaledNumbers) -> None:
        people, scale = numbers.people, numbers.scale
        values, counts = np.asarray(people.values, dtype=np.float64), np.asarray(people.counts)  # type: ignore[union-attr]
        values = (scale.low + scale.high) / 2 + values * (scale.high - scale.low) / 2
        self.values, self.weights = values[counts > 0], counts[counts > 0].astype(np.float64)
        if people.n <= MOST:
            self.values, self.weights = np.repeat(values, counts), np.ones(people.n)

    @property
    def mean(self) -> float:
        return float(np.average(self.values, weights=self.weights))

    @property
    def variance(self) -> float:
        return float(np.average((self.values - self.mean) ** 2, weights=self.weights))

    def quantile(self, share: float) -> float:
        """The middle of all numbers with this share of people below or at them, and the rest at or above."""
        if (self.weights == 1).all():
            return float(np.quantile(self.values, share, method="averaged_inverted_cdf"))
        order = np.argsort(self.values)
        running = np.cumsum(self.weights[order]) / self.weights.sum()
        return float(self.values[order][np.searchsorted(running, share)])


def raw(asked: Any) -> np.ndarray | None:
    """The cells of the column as they stand in the table; none of invented people."""
    source = asked.source
    if source.table is None:
        return None
    cells = source.table.frame[source.column].to_numpy(dtype=np.float64)
    return np.asarray(cells[np.isfinite(cells)])


@of(means.MeanSurveyResult)
def _mean(result: means.MeanSurveyResult, told: Facts, context: Context) -> Expected:
    held, scale = Everybody(result.experiment.numbers), result.experiment.numbers.scale
    cells = raw(context.asked)
    before = held.mean if cells is None else float(np.mean(cells))
    error, (low, high) = told["error"].value, result.interval  # type: ignore[attr-defined]
    estimate = told["estimate"].value  # type: ignore[attr-defined]
    reads = "inside" if scale.low <= estimate <= scale.high else "outside"
    varied = np.ptp(held.values) > 0
    return {
        "truth": held.mean,
        "before": before,
        "bias": held.mean - before,
        "moved": 0 if cells is None else int(((cells < scale.low) | (cells > scale.high)).sum()),
        "reads": "nothing" if low <= scale.low and high >= scale.high else reads,
        "price": error**2 * result.n / held.variance + 1 if varied else 0.0,
        "alike": "apart" if varied else "alike",
    }


@of(means.TwoGroupsResult)
def _groups(result: means.TwoGroupsResult, told: Facts, context: Context) -> Expected:
    first, second = (Everybody(group).mean for group in (result.experiment.first, result.experiment.second))
    return {"true_gap": first - second}


@of(means.NumberReportResult)
def _one_report(result: means.NumberReportResult, told: Facts, context: Context) -> Expected:
    question = result.experiment
    coin = generator(question.seed, f"{question.randomizer.slug} report").integers(2)
    return {"sender": ("first", "second")[int(coin)]}


@of(shapes.ReconstructionResult)
def _shape(result: shapes.ReconstructionResult, told: Facts, context: Context) -> Expected:
    held, scale = Everybody(result.experiment.numbers), result.experiment.numbers.scale
    low, middle, high = (held.quantile(share) for share in (0.25, 0.5, 0.75))
    width = scale.high - scale.low
    edges = np.linspace(scale.low, scale.high, len(result.fit.shares) + 1)[1:-1]
    order = np.argsort(held.values, kind="stable")
    running = np.concatenate([[0.0], np.cumsum(held.weights[order])]) / held.weights.sum()
    # Of a number on an edge only rounding says on which side it is.
    nudged = [np.searchsorted(held.values[order], edges + nudge * width) for nudge in (-1e-9, 1e-9)]
    gaps = [np.abs(running[place] - np.cumsum(result.fit.shares)[:-1]).max() for place in nudged]
    estimated = told["median"].value  # type: ignore[attr-defined]
    return {
        "true_half": (low, high),
        "true_median": middle,
        "true_spread": "alike" if round(low / width, 3) == round(high / width, 3) else "apart",
        "off": abs(estimated - middle),
        "distance": moved(result.fit.shares, held, scale.low, scale.high),
        "gap": gaps[int(np.argmin([abs(gap - result.gap) for gap in gaps]))],
    }


@of(shapes.ClimbResult)
def _climb(result: shapes.ClimbResult, told: Facts, context: Context) -> Expected:
    held, scale = Everybody(result.experiment.numbers), result.experiment.numbers.scale
    fits = {"plain": result.plain, "smoothed": result.smoothed}
    ends = {name: moved(fit.shares, held, scale.low, scale.high) for name, fit in fits.items()}
    alike = f"{ends['plain']:.2g}" == f"{ends['smoothed']:.2g}" and result.plain.steps == result.smoothed.steps
    return {f"{name}_distance": end for name, end in ends.items()} | {"climbs": "alike" if alike else "apart"}


def moved(shares: np.ndarray, held: Everybody, low: float, high: float) -> float:
    """∫ |F - G| of the people and of a histogram that is spread evenly in its bins, piece by piece as it crosses."""
    values, counts = np.unique(held.values, return_counts=True)
    weights = counts if (held.weights == 1).all() else held.weights[np.argsort(held.values)]
    running = np.cumsum(weights) / weights.sum()
    edges, climbed = np.linspace(low, high, len(shares) + 1), np.concatenate([[0.0], np.cumsum(shares) / shares.sum()])
    # Where the line meets a step, the area changes its side: these places cut the integral, besides steps and edges.
    meets = np.interp(np.concatenate([[0.0], running]), climbed, edges)
    cuts = np.unique(np.concatenate([edges, values, meets]))
    middles = (cuts[1:] + cuts[:-1]) / 2
    steps = np.concatenate([[0.0], running])[np.searchsorted(values, middles, side="right")]
    return float(np.abs(np.interp(middles, edges, climbed) - steps) @ np.diff(cuts))


@of(trust.ErrorsNowResult)
def _sampled(result: trust.ErrorsNowResult, told: Facts, context: Context) -> Expected:
    held = Everybody(result.experiment.numbers)
    return {"sampled": math.sqrt(held.variance / result.experiment.numbers.n)}


@of(trust.TwoPicturesResult)
def _pictures(result: trust.TwoPicturesResult, told: Facts, context: Context) -> Expected:
    return {"mean": Everybody(result.experiment.numbers).mean}


@of(ShownHandsResult)
def _hands(result: ShownHandsResult, told: Facts, context: Context) -> Expected:
    hands = context.asked.hands
    return {"shown": hands[0] if len(hands) == 1 else hands[0] / sum(hands)}


@of(vectors.VectorSurveyResult)
def _vectors(result: vectors.VectorSurveyResult, told: Facts, context: Context) -> Expected:
    rows = result.experiment.rows
    column = np.repeat(rows.people.values[:, 0], rows.people.counts)
    scale = rows.scales[0]
    below_or_above = sum(clipping.below + clipping.above for clipping in rows.clippings)
    return {"first_truth": scale.low + (column.mean() + 1) / 2 * (scale.high - scale.low), "moved": below_or_above}


@of(vectors.CornersResult)
def _corners(result: vectors.CornersResult, told: Facts, context: Context) -> Expected:
    coin = generator(result.experiment.seed, "corner").integers(2)
    return {"sender": "first" if coin == 0 else context.names[0] if context.names else "one"}


# --- curves ----------------------------------------------------------------------------------------------------------


def at(places: np.ndarray, side: float, heights: np.ndarray) -> np.ndarray:
    """The height of the cell of each place of the line; 0 outside the box."""
    cells = np.clip(np.floor(places / side + 1e-9).astype(int), 0, len(heights) - 1)
    return np.where((places < 0) | (places > 1), 0.0, heights[cells])


def people_of(question: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Places, responses and numbers of the people of a survey."""
    people = question.people
    return people.values[:, 0], people.values[:, -1], np.asarray(people.counts, dtype=np.float64)


def honest(question: Any, k: int) -> tuple[np.ndarray, np.ndarray]:
    """The mean response of the people in each cell, 0 where nobody is, and the share of everybody who is there."""
    x, y, counts = people_of(question)
    inside = (x >= 0) & (x <= 1)
    cells = np.clip(np.floor(x[inside] / question.tuning.side + 1e-9).astype(int), 0, k - 1)
    many = np.array([counts[inside][cells == cell].sum() for cell in range(k)])
    sums = np.array([(counts[inside] * y[inside])[cells == cell].sum() for cell in range(k)])
    return np.divide(sums, many, out=np.zeros(k), where=many > 0), many / counts.sum()


def off(question: Any, heights: np.ndarray, power: int = 2) -> float:
    """The root of the mean square of a step function's distance from the curve, of a table from honest answers.

    With a power of 1, the mean distance.
    """
    source, side = question.source, question.tuning.side
    if isinstance(source, CurveModel):
        distances = np.abs(source.curve - at(source.places[:, 0], side, heights))
        return float(np.average(distances**power, weights=source.weights) ** (1 / power))
    means_, shares = honest(question, len(heights))
    mean = float(np.dot(shares, np.abs(means_ - heights) ** power))
    return mean ** (1 / power) * (source.scale.high - source.scale.low) / 2


def left(model: CurveModel, side: float, k: int) -> float:
    """What the best step function leaves: the curve's distance from its mean in each cell."""
    places, weights = model.places[:, 0], model.weights
    cells = np.clip(np.floor(places / side + 1e-9).astype(int), 0, k - 1)
    best = np.zeros(k)
    for cell in set(cells.tolist()):
        best[cell] = np.average(model.curve[cells == cell], weights=weights[cells == cell])
    return float(np.sqrt(np.average((model.curve - best[cells]) ** 2, weights=weights)))


def _alike(one: float, other: float) -> str:
    """Whether two errors read alike in the two digits in which they are told."""
    return "alike" if float(f"{one:.2g}") == float(f"{other:.2g}") else "apart"


@of(regression.CurveSurveyResult)
def _survey(result: regression.CurveSurveyResult, told: Facts, context: Context) -> Expected:
    question, k = result.experiment, len(result.steps.heights)
    _, y, counts = people_of(question)
    means_, _ = honest(question, k)
    known = isinstance(question.source, CurveModel)
    floor = left(question.source, question.tuning.side, k) if isinstance(question.source, CurveModel) else 0.0
    return {
        "error": off(question, result.steps.heights),
        "absolute": off(question, result.steps.heights, 1),
        "honest": off(question, means_),
        "closeness": _alike(off(question, result.steps.heights), off(question, means_)),
        "flat": off(question, np.zeros(k)),
        "floor": floor if floor > 1e-7 else told_as_nothing(result),
        "leaving": "unknown" if not known else "some" if floor > 1e-6 else "nothing",
        "moved": float(counts[np.abs(y) > question.tuning.bound].sum() / counts.sum()),
    }


def told_as_nothing(result: Any) -> float:
    """An error of nothing but rounding, as it is: below any that is told."""
    assert abs(result.floor) < 1e-6
    return float(result.floor)


@of(regression.CuratorCurveResult)
def _curator(result: regression.CuratorCurveResult, told: Facts, context: Context) -> Expected:
    return {"curator_error": off(result.experiment.survey, result.steps.heights)}


@of(regression.OnePointResult)
def _point(result: regression.OnePointResult, told: Facts, context: Context) -> Expected:
    question = result.experiment
    cell = min(math.floor(question.x / question.tuning.side + 1e-9), len(result.location) - 1) + 1
    guess = told["guess"].value  # type: ignore[attr-defined]
    return {"x": question.x, "y": question.y, "cell": cell, "verdict": "right" if guess == cell else "wrong"}


@of(regression.LabelSurveyResult)
def _labels(result: regression.LabelSurveyResult, told: Facts, context: Context) -> Expected:
    question, along = result.experiment, result.experiment.along
    guesses = np.where(result.sums >= 0, 1, -1)
    people = question.source.people(question.n, question.seed)

    def squares(places: np.ndarray) -> np.ndarray:
        cells = np.clip(np.floor(places * along + 1e-9).astype(int), 0, along - 1)
        return cells[:, 0] * along + cells[:, 1]

    def right(rule: np.ndarray) -> float:
        if isinstance(question.source, ClassModel):
            rows, law = question.source.atoms()
            return float(np.average(rule[squares(rows[:, :2])] == rows[:, 2], weights=law))
        places, labels = people.values[:, :2], people.values[:, 2]
        inside = ((places >= 0) & (places <= 1)).all(axis=1)
        return float(np.average((rule[squares(places)] == labels)[inside], weights=people.counts[inside]))

    inside = ((people.values[:, :2] >= 0) & (people.values[:, :2] <= 1)).all(axis=1)
    held = people.values[inside]
    sums = np.zeros(along**2)
    np.add.at(sums, squares(held[:, :2]), people.counts[inside] * held[:, 2])
    voted = np.where(sums >= 0, 1, -1)
    best = right(voted)
    if isinstance(question.source, ClassModel):
        lower, upper = question.source.densities
        best = float(np.maximum(lower, upper).sum())
    return {
        "right": right(guesses),
        "honest_right": right(voted),
        "best_right": best,
        "differing": int((guesses != voted).sum()),
        "rivals": _rivals(right(guesses), right(voted)) + ("" if isinstance(question.source, ClassModel) else "_table"),
    }


def _rivals(private: float, honest: float) -> str:
    """Whether two shares read alike in three digits."""
    return "alike" if float(f"{private:.3g}") == float(f"{honest:.3g}") else "apart"


@of(regression.LabelErrorsResult)
def _label_errors(result: Any, told: Facts, context: Context) -> Expected:
    """Square by square: by the tail of the normal law of its sum, over the atoms of labels."""
    question = result.experiment
    rows, law = question.source.atoms()
    along, noise = question.along, 8 / question.epsilon**2
    squares = np.floor(rows[:, :2] * along + 1e-9).astype(int)
    plus, minus = np.zeros((along, along)), np.zeros((along, along))
    for counted, label in ((plus, 1), (minus, -1)):
        chosen = rows[:, 2] == label
        np.add.at(counted, tuple(squares[chosen].T), law[chosen])
    mean, square = plus - minus, plus + minus

    def wrong(variance: float) -> float:
        spread = np.sqrt(np.maximum(square - mean**2 + variance, 1e-300) / question.n)
        negative = special.erfc(mean / spread / math.sqrt(2)) / 2
        return float((plus * negative + minus * (1 - negative)).sum())

    return {
        "wrong": Near(wrong(noise), 1e-9),
        "rivals": _rivals(wrong(noise), wrong(0.0)),
        "honest_wrong": Near(wrong(0.0), 1e-9),
        "left_wrong": Near(float(np.minimum(plus, minus).sum()), 1e-9),
    }
