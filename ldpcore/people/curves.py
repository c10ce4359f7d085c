"""Invented people for regression and classification: a curve, where people are, and how they scatter around it.

All of it is finite: places on a fine grid, responses on a few steps of noise. So a billion people are one multinomial
draw, and an integral over the law of the places is a sum over the grid. Curves lie between -1 and 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Annotated

import numpy as np

from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Choice, Declared
from ldpcore.people.partitions import Box
from ldpcore.people.populations import Population
from ldpcore.people.scales import UNIT, PublicScale

ALONG, PLANE = 3072, 96  # places along a line, and along each axis of the plane: 2^a·3 cells fit exactly
LINES: tuple[str, ...] = ("sine", "step", "bump", "line", "constant", "sawtooth")
SURFACES: tuple[str, ...] = ("saddle", "ring")
CLASSES: tuple[str, ...] = ("blobs", "moons", "rings")
Function = Annotated[str, Choice("m", (*LINES, *SURFACES))]
PlacesDesign = Annotated[str, Choice("X", ("uniform", "bell", "gap"))]
Scatter = Annotated[str, Choice("Y - m", ("none", "normal", "heavy"))]
Shape = Annotated[str, Choice("P", CLASSES)]


@dataclass(frozen=True)
class Roughness:
    """The roughness assumed of a curve beforehand: its mean squared slope, and the squares of its jumps."""

    slope: float  # the mean of |∇m|² over the box, jumps left out
    jumps: float = 0.0  # the sum of squared jumps, in the plane times the length of the line on which they lie

    def bias(self, side: float, dimensions: int) -> float:
        """The squared error of cell means, h²·mean|∇m|²/12 + h·jumps/6: a jump lies anywhere in its cell."""
        return self.slope * side**2 / 12 + self.jumps * side / 6


@dataclass(frozen=True)
class CurveModel(Declared):
    """A curve over the line or the plane, where people are, and the scatter of their responses around it."""

    function: Function = "sine"
    design: PlacesDesign = "uniform"
    scatter: Scatter = "normal"

    @property
    def dimensions(self) -> int:
        """One for a line, two for a surface."""
        return 1 if self.function in LINES else 2

    @property
    def boxes(self) -> tuple[Box, ...]:
        """The public bounds of the places."""
        return (Box(),) * self.dimensions

    @property
    def scale(self) -> PublicScale:
        """The scale of a response: 1 is 1."""
        return UNIT

    @cached_property
    def places(self) -> Reals:
        """The grid of places, one row each."""
        return grid(self.dimensions)

    @cached_property
    def weights(self) -> Reals:
        """The share of people at each place."""
        return design(self.design, self.places)

    @cached_property
    def curve(self) -> Reals:
        """The mean response at each place."""
        return curve(self.function, self.places)

    @cached_property
    def noise(self) -> tuple[Reals, Reals]:
        """The steps of the scatter, and their probabilities: mean 0, symmetric."""
        return scatter(self.scatter)

    @property
    def roughness(self) -> Roughness:
        """The roughness of this curve, known by its name and not from anybody's data."""
        return ROUGH[self.function]

    @property
    def largest(self) -> float:
        """The largest size of a response."""
        return float(np.abs(self.curve).max() + np.abs(self.noise[0]).max())

    def people(self, n: int, seed: int) -> Population:
        """n people drawn at random, as counts of the same atoms; a place and a response each."""
        return drawn_people(self, n, seed)

    def atoms(self) -> tuple[Reals, Reals]:
        """The rows (x, y) that people hold, and their probabilities."""
        steps, chances = self.noise
        law = np.multiply.outer(self.weights, chances).ravel()
        rows = np.column_stack(
            [
                np.repeat(self.places, len(steps), axis=0),
                np.add.outer(self.curve, steps).ravel(),
            ]
        )
        return rows, law / law.sum()


@dataclass(frozen=True)
class ClassModel(Declared):
    """Two kinds of people in the plane, labeled -1 and +1, who overlap: no rule is always right."""

    shape: Shape = "moons"

    dimensions = 2
    boxes = (Box(), Box())

    @cached_property
    def places(self) -> Reals:
        """The grid of places, one row each."""
        return grid(2)

    @cached_property
    def densities(self) -> tuple[Reals, Reals]:
        """The share of all people who are at each place with the label -1, and with +1."""
        lower, upper = (density / density.sum() / 2 for density in two_densities(self.shape, self.places))
        return lower, upper

    @property
    def weights(self) -> Reals:
        """The share of people at each place."""
        return np.asarray(sum(self.densities), dtype=np.float64)

    @property
    def curve(self) -> Reals:
        """The mean label at each place, 2η - 1; the sign of it is the best rule that there is."""
        lower, upper = self.densities
        return np.asarray((upper - lower) / (upper + lower), dtype=np.float64)

    @property
    def best(self) -> float:
        """The chance that the best rule is right."""
        return float(np.maximum(*self.densities).sum())

    def people(self, n: int, seed: int) -> Population:
        """n people drawn at random, as counts of the same atoms; a place and a label each."""
        return drawn_people(self, n, seed)

    def atoms(self) -> tuple[Reals, Reals]:
        """The rows (x, label) that people hold, and their probabilities."""
        law, labels = np.concatenate(self.densities), np.repeat([-1.0, 1.0], len(self.places))
        return np.column_stack([np.tile(self.places, (2, 1)), labels]), law / law.sum()


@lru_cache(maxsize=16)
def drawn_people(model: CurveModel | ClassModel, n: int, seed: int) -> Population:
    """The people of a model, drawn once: the same ones at every level."""
    rows, law = model.atoms()
    counts = np.random.default_rng([seed, *b"people"]).multinomial(n, law)
    return Population(rows[counts > 0], counts[counts > 0])


def grid(dimensions: int) -> Reals:
    """The middles of equal steps, along a line or over the plane."""
    if dimensions == 1:
        return ((np.arange(ALONG) + 0.5) / ALONG)[:, None]
    steps = (np.arange(PLANE) + 0.5) / PLANE
    return np.column_stack([part.ravel() for part in np.meshgrid(steps, steps, indexing="ij")])


def design(name: str, places: Reals) -> Reals:
    """The density of people: even; most in the middle; or hardly anybody between 0.55 and 0.75 of the first axis."""
    x = places[:, 0]
    weights = {
        "uniform": np.ones(len(x)),
        "bell": 0.05 + np.exp(-(((places - 0.5) / 0.2) ** 2).sum(axis=1) / 2),
        "gap": np.where((x > 0.55) & (x < 0.75), 0.02, 1.0),
    }[name]
    return np.asarray(weights / weights.sum(), dtype=np.float64)


def scatter(name: str) -> tuple[Reals, Reals]:
    """No scatter; a bell of standard deviation 0.3 in nine steps; or the bell with one person in fifty 3 off."""
    if name == "none":
        return np.zeros(1), np.ones(1)
    steps = np.linspace(-0.9, 0.9, 9)
    bell = np.exp(-((steps / 0.3) ** 2) / 2)
    bell /= bell.sum()
    if name == "normal":
        return steps, bell
    return np.array([-3.0, *steps, 3.0]), np.array([0.01, *(0.98 * bell), 0.01])


def curve(name: str, places: Reals) -> Reals:
    """The built-in curves, all between -1 and 1."""
    x = places[:, 0]
    match name:
        case "sine":
            heights = 0.9 * np.sin(2 * np.pi * x)
        case "step":
            heights = np.where(x < 0.4, -0.6, 0.8)
        case "bump":
            heights = 1.6 * np.exp(-(((x - 0.5) / 0.12) ** 2) / 2) - 0.7
        case "line":
            heights = 1.6 * x - 0.8
        case "constant":
            heights = np.full(len(x), 0.5)
        case "sawtooth":
            heights = 1.6 * np.mod(3 * x + 0.4, 1) - 0.8
        case "saddle":
            heights = 0.9 * (2 * x - 1) * (2 * places[:, 1] - 1)
        case _:
            radius = np.hypot(x - 0.5, places[:, 1] - 0.5)
            heights = 1.7 * np.exp(-(((radius - 0.3) / 0.1) ** 2) / 2) - 0.8
    return np.asarray(heights, dtype=np.float64)


def two_densities(shape: str, places: Reals) -> tuple[Reals, Reals]:
    """The densities of the people labeled -1, and of those labeled +1, up to a factor."""

    def around(centers: Reals, spread: float) -> Reals:
        squares = ((places[:, None, :] - centers[None]) ** 2).sum(axis=2)
        return np.asarray(np.exp(-squares / (2 * spread**2)).sum(axis=1) + 1e-12, dtype=np.float64)

    turn = np.linspace(0, np.pi, 24)
    if shape == "blobs":
        return around(np.array([[0.33, 0.36]]), 0.14), around(np.array([[0.67, 0.62]]), 0.14)
    if shape == "moons":
        upper = np.column_stack([0.38 + 0.26 * np.cos(turn), 0.45 + 0.3 * np.sin(turn)])
        lower = np.column_stack([0.62 - 0.26 * np.cos(turn), 0.55 - 0.3 * np.sin(turn)])
        return around(upper, 0.06), around(lower, 0.06)
    circle = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    ring = np.column_stack([0.5 + 0.34 * np.cos(circle), 0.5 + 0.34 * np.sin(circle)])
    return around(ring, 0.06), around(np.array([[0.5, 0.5]]), 0.12)


# By integration: 0.81(2π)²/2; 1.4²; 1.6²√π/(2·0.12); 1.6²; 4.8² and three jumps of 1.6; 4·0.81·2/3 (∂x² + ∂y²).
ROUGH = {
    "sine": Roughness(15.989),
    "step": Roughness(0.0, 1.96),
    "bump": Roughness(18.905),
    "line": Roughness(2.56),
    "constant": Roughness(0.0),
    "sawtooth": Roughness(23.04, 7.68),
    "saddle": Roughness(2.16),
    "ring": Roughness(47.9),
}
