"""The axes of a printed figure: from a quantity to a place on the paper, and the values written along them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from explorer.figures.plot import Axis, AxisData, Figure, Trace, along, axis_name
from explorer.figures.theme import unescape
from ldpcore.numerics.arrays import Reals

_STEPS = (1.0, 2.0, 5.0, 10.0)
_APART = {"x": 90.0, "y": 50.0}  # between two values that are written
_LIST = (list, tuple, np.ndarray)
AxisPlaces = float | AxisData | None


@dataclass(frozen=True)
class AxisWriter:
    """The writing along an axis in a language: a number, and a power of ten by its exponent."""

    number: Callable[[float], str]
    power: Callable[[int], str]
    powers: bool = False  # whether every power of ten on a log axis is written as such, as Plotly does

    def of(self, value: float, log: bool) -> str:
        """A value along an axis; far away on a log axis the powers of ten are written as such."""
        exponent = round(math.log10(value)) if log and value > 0 else 0
        far = (exponent not in (0, 1) if self.powers else not -4 <= exponent <= 5) and math.isclose(
            value, 10.0**exponent
        )
        return self.power(exponent) if far else self.number(value)


@dataclass(frozen=True)
class Scale:
    """One axis: the places of its ends on the paper, and the names along it where it has no quantity."""

    letter: str
    axis: Axis
    ends: tuple[float, float]  # in the axis' own numbers; powers of ten on a log axis
    places: tuple[float, float]  # on the paper
    names: tuple[str, ...] = field(default=())

    @property
    def log(self) -> bool:
        """Whether equal steps are equal ratios."""
        return self.axis.get("type") == "log"

    @property
    def visible(self) -> bool:
        """Whether line, values and title are drawn."""
        return bool(self.axis.get("visible", True))

    def at(self, values: AxisPlaces) -> Reals:
        """The places of values on the paper; a value that cannot be shown has none."""
        if isinstance(values, _LIST) and len(values) and isinstance(values[0], str):
            values = [self.names.index(value) for value in values]
        numbers = np.asarray(values, dtype=float)
        if self.log:
            with np.errstate(divide="ignore", invalid="ignore"):
                numbers = np.log10(numbers)
        (low, high), (start, stop) = self.ends, self.places
        with np.errstate(invalid="ignore"):
            return np.asarray(start + (numbers - low) / (high - low) * (stop - start))

    def floor(self) -> float:
        """The beginning of a bar that has no base of its own."""
        return self.places[0] if self.log else float(self.at(0.0))

    def length(self, width: float) -> float:
        """The length on paper of a distance in the axis's own numbers."""
        return abs(width / (self.ends[1] - self.ends[0]) * (self.places[1] - self.places[0]))

    def as_wide(self, other: Scale) -> Scale:
        """The axis on which one is no longer than on the other, so that circles are round: its ends move apart."""
        longer = self.length(1.0) / other.length(1.0)
        if longer <= 1:
            return self
        (low, high), more = self.ends, (longer - 1) / 2
        return replace(self, ends=(low - more * (high - low), high + more * (high - low)))

    def ticks(self, write: AxisWriter) -> list[tuple[float, str]]:
        """The places and the texts of the marks along the axis."""
        if not self.axis.get("showticklabels", True):
            return []
        low, high = sorted(self.ends)
        values, texts = self._written(write)
        numbers = [math.log10(value) if self.log else value for value in values]
        near = 1e-9 * (high - low)
        return [
            (float(self.at(value)), text)
            for value, number, text in zip(values, numbers, texts, strict=True)
            if low - near <= number <= high + near
        ]

    def _written(self, write: AxisWriter) -> tuple[Sequence[float], Sequence[str]]:
        if "tickvals" in self.axis:
            values = [float(value) for value in self.axis["tickvals"]]
            texts = self.axis.get("ticktext")
            return values, self._numbers(write, values) if texts is None else [unescape(text) for text in texts]
        if self.names:
            return range(len(self.names)), [unescape(name) for name in self.names]
        values = self._powers() if self.log else self._steps()
        return values, self._numbers(write, values)

    def _numbers(self, write: AxisWriter, values: Sequence[float]) -> list[str]:
        return [write.of(value, self.log) for value in values]

    def _most(self) -> float:
        fitting = abs(self.places[1] - self.places[0]) / _APART[self.letter]
        return max(2.0, min(fitting, float(self.axis.get("nticks", math.inf))))

    def _steps(self) -> list[float]:
        low, high = sorted(self.ends)
        step = self.axis.get("dtick") or nice((high - low) / self._most())
        first = float(self.axis.get("tick0", 0.0))
        begin, end = math.ceil((low - first) / step - 1e-9), math.floor((high - first) / step + 1e-9)
        every = max(1, math.ceil((end - begin + 1) / (3 * self._most())))
        return [round(first + place * step, 12) for place in range(begin, end + 1, every)]

    def _powers(self) -> list[float]:
        low, high = sorted(self.ends)
        decades = range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1)
        if len(decades) >= 3:
            every = max(1, math.ceil(len(decades) / (1.4 * self._most())))
            return [10.0**power for power in decades if power % every == 0]
        powers = range(math.floor(low), math.ceil(high) + 1)
        return [digit * 10.0**power for power in powers for digit in (1, 2, 5)]


def nice(step: float, steps: Sequence[float] = _STEPS) -> float:
    """The next of 1, 2 and 5 times a power of ten, or of other steps."""
    power = 10.0 ** math.floor(math.log10(step))
    return next(mark * power for mark in steps if mark * power >= step * (1 - 1e-9))


def names_along(figure: Figure, name: str) -> tuple[str, ...]:
    """The names along an axis, in their order; none where it has a quantity."""
    letter, order = name[0], figure.axis(name).get("categoryarray")
    if order is not None:
        return tuple(order)
    texts = [text for trace in figure.data if axis_name(trace, letter) == name for text in _texts(trace, letter)]
    return tuple(dict.fromkeys(texts))


def _texts(trace: Trace, letter: str) -> list[str]:
    values = along(trace, letter)
    return list(map(str, values)) if values is not None and len(values) and isinstance(values[0], str) else []


def ends_of(figure: Figure, name: str, names: tuple[str, ...]) -> tuple[float, float]:
    """The ends of an axis: its own, or those of all its names or of everything drawn along it."""
    axis = figure.axis(name)
    low, high = axis.get("range") or ((-0.5, len(names) - 0.5) if names else _reach(figure, name))
    turned = axis.get("autorange") == "reversed" and low < high
    return (float(high), float(low)) if turned else (float(low), float(high))


def _reach(figure: Figure, name: str) -> tuple[float, float]:
    """The ends of the marks along an axis that names none, with half a step beyond them for the cells of a map."""
    columns = [along(trace, name[0]) for trace in figure.data if axis_name(trace, name[0]) == name]
    numbers = [np.asarray(column, dtype=float) for column in columns if column is not None]
    values = np.concatenate(numbers or [np.array([0.0, 1.0])])
    values = np.unique(values[np.isfinite(values)]) if np.isfinite(values).any() else np.array([0.0, 1.0])
    step = float(np.diff(values).min()) if len(values) > 1 else 1.0
    return float(values[0] - step / 2), float(values[-1] + step / 2)
