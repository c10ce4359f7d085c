"""Every parameter of the project, declared once: the declaration validates, draws the control and fills the reference.

A class declares its parameters by annotating its fields; `Declared` checks them where the object is made, so that
formula methods contain only mathematics.
"""

from __future__ import annotations

import math
import numbers
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from ldpcore.refusals import Refusal


class ParameterError(Refusal):
    """A value that breaks its declaration, in one sentence: the name, the rule and the value."""


@dataclass(frozen=True)
class Interval:
    """The numbers a parameter may take, the range people use, and a few values at which it is tested."""

    symbol: str
    low: float
    high: float
    typical: tuple[float, float]
    scale: Literal["linear", "log"] = "linear"
    integer: bool = False
    open_low: bool = False
    open_high: bool = False
    small: tuple[float, ...] = ()
    extreme: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        assert not (self.integer and (self.open_low or self.open_high)), "whole numbers include the ends of their range"

    def refusal(self, name: str, got: object) -> ParameterError:
        """The refusal of a value that breaks the rule: the kind of rule, its numbers and the value."""
        low, high = {"name": name, "low": self.low, "got": got}, {"high": self.high}
        match self.integer, self.open_low, "none" if math.isinf(self.high) else self.open_high:
            case True, _, "none":
                return ParameterError("whole_from", **low)
            case True, _, _:
                return ParameterError("whole_in", **low, **high)
            case _, False, "none":
                return ParameterError("number_from", **low)
            case _, True, "none":
                return ParameterError("number_above", **low)
            case _, False, False:
                return ParameterError("number_in", **low, **high)
            case _, False, _:
                return ParameterError("number_in_below", **low, **high)
            case _, True, False:
                return ParameterError("number_above_in", **low, **high)
        return ParameterError("number_between", **low, **high)

    def admits(self, value: object) -> bool:
        """Whether `value` is a number of this interval; a truth value or a NaN never is."""
        kind = type(value)  # Python's own numbers are known at once; of others it takes long to ask
        if kind not in (float, int) and (kind is bool or not isinstance(value, numbers.Real)):
            return False
        number: Any = value
        whole = kind is int or (kind is not float and isinstance(value, numbers.Integral))
        if not (whole or math.isfinite(number)):
            return False
        if self.integer and number != math.floor(number):
            return False
        above = number > self.low if self.open_low else number >= self.low
        below = number < self.high if self.open_high else number <= self.high
        return bool(above and below)

    def check(self, name: str, value: object) -> None:
        """Refuse a value outside the interval."""
        if not self.admits(value):
            raise self.refusal(name, value)


@dataclass(frozen=True)
class Choice:
    """A parameter that takes one of a few named values."""

    symbol: str
    options: tuple[str, ...]

    def admits(self, value: object) -> bool:
        """Whether `value` is one of the options."""
        return isinstance(value, str) and value in self.options

    def refusal(self, name: str, got: object) -> ParameterError:
        """The refusal of a value that is not an option."""
        return ParameterError("choice", name=name, options=self.options, got=got)

    def check(self, name: str, value: object) -> None:
        """Refuse a value that is not an option."""
        if not self.admits(value):
            raise self.refusal(name, value)


ParameterRule = Interval | Choice

LEVEL_AXIS = (0.01, 10.0)  # the ends of the axis of a level, and what the handle runs through

# Sampling stays exact and every e^epsilon finite up to 50; the theory knows no upper end.
Epsilon = Annotated[
    float,
    Interval(
        r"\varepsilon",
        0,
        50,
        LEVEL_AXIS,
        scale="log",
        open_low=True,
        small=(0.1, 1.0, math.log(3), 2.5),
        extreme=(1e-6, 50.0),
    ),
]
Delta = Annotated[
    float,
    Interval(r"\delta", 0, 1, (1e-9, 1e-3), scale="log", open_low=True, open_high=True, small=(1e-5, 0.1)),
]
Sensitivity = Annotated[
    float, Interval(r"\Delta", 0, 1e15, (1, 1000), scale="log", open_low=True, small=(1.0, 5.0), extreme=(1e-6, 1e12))
]
WholeSensitivity = Annotated[
    int, Interval(r"\Delta", 1, 10**6, (1, 1000), scale="log", integer=True, small=(1, 5), extreme=(1, 10**6))
]
CandidateCount = Annotated[
    int, Interval("k", 2, 1000, (2, 100), scale="log", integer=True, small=(2, 3, 5), extreme=(2, 1000))
]
DomainSize = Annotated[
    int, Interval("k", 2, 65536, (2, 4096), scale="log", integer=True, small=(2, 3, 5), extreme=(2, 10_000))
]
SubsetSize = Annotated[
    int, Interval(r"\omega", 0, 65535, (0, 1024), scale="log", integer=True, small=(0, 1, 2, 3), extreme=(0,))
]
Dimension = Annotated[
    int, Interval("d", 1, 100, (1, 20), scale="log", integer=True, small=(1, 2, 3, 4), extreme=(1, 100))
]
Users = Annotated[int, Interval("n", 1, 10**18, (1, 10**9), scale="log", integer=True)]
Repeats = Annotated[int, Interval("R", 1, 10**12, (1, 10**9), scale="log", integer=True)]
Probability = Annotated[float, Interval("p", 0, 1, (0, 1), small=(0.0, 0.25, 0.5, 1.0))]
Confidence = Annotated[float, Interval(r"1-\beta", 0, 1, (0.5, 0.999), open_low=True, open_high=True)]
Seed = Annotated[int, Interval(r"\text{seed}", 0, 2**63 - 1, (0, 9999), integer=True)]
Neighbors = Annotated[str, Choice(r"\sim", ("add-remove", "replace-one"))]
# Whether the people asked are all who are meant, or were drawn at random from those who are.
Basis = Annotated[str, Choice(r"\text{basis}", ("census", "sample"))]


def declarations(cls: type) -> dict[str, ParameterRule]:
    """The declared parameters of a dataclass, in the order of its fields."""
    return dict(_declared(cls))


@lru_cache(maxsize=256)
def _declared(cls: Any) -> dict[str, ParameterRule]:
    hints = get_type_hints(cls, include_extras=True)
    declarations: dict[str, ParameterRule] = {}
    for field in fields(cls):
        if get_origin(hints[field.name]) is Annotated:
            for note in get_args(hints[field.name])[1:]:
                if isinstance(note, (Interval, Choice)):
                    declarations[field.name] = note
    return declarations


def declaration(annotated: object) -> ParameterRule:
    """The declaration inside a type such as `Epsilon`."""
    return next(note for note in get_args(annotated)[1:] if isinstance(note, (Interval, Choice)))


class Declared:
    """A frozen value whose annotated fields are checked once, where it is made."""

    def __post_init__(self) -> None:
        for name, declared in declarations(type(self)).items():
            declared.check(name, getattr(self, name))

    def parameters(self) -> dict[str, Any]:
        """The declared fields and their values."""
        return {name: getattr(self, name) for name in declarations(type(self))}
