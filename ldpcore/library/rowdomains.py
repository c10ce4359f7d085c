"""Values of more than one category or number, and the answers and candidates of a curator."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ldpcore.library.domains import Categories, Domain, Label, Numbers, numbers_in
from ldpcore.library.estimated import Found, of_cells, of_choices, of_means, of_releases
from ldpcore.library.pandasvalues import columns_of
from ldpcore.library.refused import LibraryRefusal
from ldpcore.mechanisms.ball import BallSampling
from ldpcore.mechanisms.base import CentralRelease, Mechanism
from ldpcore.mechanisms.base import ReportTally as Counted
from ldpcore.mechanisms.pairs import PairRandomizer
from ldpcore.mechanisms.selector import Selector
from ldpcore.mechanisms.vectors import VectorRandomizer
from ldpcore.numerics.arrays import Reals
from ldpcore.people.scales import PublicScale


@dataclass(frozen=True)
class Vectors(Domain):
    """Several numbers of one person, each between public bounds of its own, by their names.

    >>> import ldpcore
    >>> body = ldpcore.Vectors({"height": (100, 220), "weight": (0, 200)})
    >>> body.inward([[160, 50]]).tolist()
    [[0.0, -0.5]]
    """

    bounds: tuple[tuple[str, float, float], ...]

    kind: ClassVar[type[object]] = VectorRandomizer
    name: ClassVar[str] = "vectors"
    words: ClassVar[str] = "several numbers of each person"

    def __init__(self, bounds: Mapping[str, tuple[float, float]]) -> None:
        held = tuple((str(name), low, high) for name, (low, high) in bounds.items())
        for _, low, high in held:
            PublicScale(low, high)
        if not held:
            raise LibraryRefusal("axes_few")
        object.__setattr__(self, "bounds", held)

    @property
    def d(self) -> int:
        """The number of numbers that everybody has."""
        return len(self.bounds)

    @cached_property
    def scales(self) -> tuple[PublicScale, ...]:
        """The scale of each column's numbers to [-1, 1]."""
        return tuple(PublicScale(low, high) for _, low, high in self.bounds)

    def settings(self, member: type[Mechanism], given: Mapping[str, object]) -> dict[str, object]:
        # A ball of this radius holds every row of the cube, so that none is shortened.
        return {"d": self.d} | ({"radius": math.sqrt(self.d)} if member is BallSampling else {})

    def inward(self, values: Any) -> Reals:
        rows = numbers_in(columns_of(values, [name for name, _, _ in self.bounds]), 2)
        if rows.shape[1] != self.d:
            raise LibraryRefusal("values_unread", wanted=f"rows of {self.d} numbers", got=f"rows of {rows.shape[1]}")
        return np.stack([scale.inward(column) for scale, column in zip(self.scales, rows.T, strict=True)], axis=1)

    def outward(self, estimate: Reals, mechanism: Mechanism) -> Reals:
        return np.array([float(scale.outward(x)) for scale, x in zip(self.scales, estimate, strict=True)])

    def unit(self, mechanism: Mechanism) -> Reals:
        return np.array([scale.half for scale in self.scales])

    def somebody(self) -> Any:
        return [[low for _, low, _ in self.bounds]]

    def found(self, mechanism: Any, tally: Counted, confidence: float, sampled: bool) -> Found:
        return of_means(mechanism, tally, confidence, sampled)

    def labels(self, mechanism: Mechanism) -> tuple[str, ...]:
        return tuple(name for name, _, _ in self.bounds)

    def record(self) -> dict[str, object]:
        return {"kind": self.name, "bounds": {name: [low, high] for name, low, high in self.bounds}}

    @classmethod
    def read(cls, record: Mapping[str, Any]) -> Vectors:
        return cls({name: (low, high) for name, (low, high) in record["bounds"].items()})


@dataclass(frozen=True)
class Pairs(Domain):
    """The place of a person, x in a public box cut into cells, and a response y of [-bound, bound]: for regression.

    A value is a row of the coordinates of x and then y; the estimates are, cell by cell, the share of people in it and
    the mean over all people of the response of those in it. Their ratio is the curve.

    >>> import ldpcore
    >>> place = ldpcore.Pairs([(0, 24)], bound=10, cells=4)
    >>> place.inward([[6, 3.5]]).tolist(), place.cells
    ([[0.25, 3.5]], 4)
    """

    box: tuple[tuple[float, float], ...]
    bound: float
    cells: int = 8

    kind: ClassVar[type[object]] = PairRandomizer
    name: ClassVar[str] = "pairs"
    words: ClassVar[str] = "pairs of a place and a response"
    of_people: ClassVar[bool] = False

    def __init__(self, box: Iterable[tuple[float, float]], bound: float, cells: int = 8) -> None:
        held = tuple((low, high) for low, high in box)
        for low, high in held:
            PublicScale(low, high)
        if not held:
            raise LibraryRefusal("axes_few")
        if not isinstance(cells, int) or cells < 1:
            raise LibraryRefusal("cells_whole", got=cells)
        for name, value in (("box", held), ("bound", bound), ("cells", cells)):
            object.__setattr__(self, name, value)

    def settings(self, member: type[Mechanism], given: Mapping[str, object]) -> dict[str, object]:
        return {"side": 1 / self.cells, "dimensions": len(self.box), "bound": self.bound}

    def inward(self, values: Any) -> Reals:
        rows, width = numbers_in(columns_of(values, None), 2), len(self.box) + 1
        if rows.shape[1] != width:
            raise LibraryRefusal("values_unread", wanted=f"rows of {width} numbers", got=f"rows of {rows.shape[1]}")
        places = [(x - low) / (high - low) for (low, high), x in zip(self.box, rows.T, strict=False)]
        return np.stack([*places, rows[:, -1]], axis=1)

    def somebody(self) -> Any:
        return [[*(low for low, _ in self.box), 0.0]]

    def found(self, mechanism: Any, tally: Counted, confidence: float, sampled: bool) -> Found:
        return of_cells(mechanism, tally, confidence, sampled)

    def labels(self, mechanism: Mechanism) -> tuple[tuple[str, int], ...]:
        assert isinstance(mechanism, PairRandomizer)
        kinds = ("share", "response") if mechanism.locates else ("response",)
        return tuple((kind, cell) for kind in kinds for cell in range(mechanism.partition.k))

    def record(self) -> dict[str, object]:
        return {"kind": self.name, "box": [list(ends) for ends in self.box], "bound": self.bound, "cells": self.cells}

    @classmethod
    def read(cls, record: Mapping[str, Any]) -> Pairs:
        return cls([(low, high) for low, high in record["box"]], record["bound"], record["cells"])


@dataclass(frozen=True)
class Answers(Domain):
    """A curator's true answer to a query that one person moves by the sensitivity at most.

    >>> import ldpcore
    >>> ldpcore.build("laplace", 0.5, ldpcore.Answers(sensitivity=1)).guarantee().epsilon
    0.5
    """

    sensitivity: float = 1.0

    kind: ClassVar[type[object]] = CentralRelease
    name: ClassVar[str] = "answers"
    words: ClassVar[str] = "a curator's answers"
    of_people: ClassVar[bool] = False

    def settings(self, member: type[Mechanism], given: Mapping[str, object]) -> dict[str, object]:
        return {"sensitivity": self.sensitivity}

    def inward(self, values: Any) -> Reals:
        return numbers_in(values if np.ndim(values) else [values], 1)

    def somebody(self) -> Any:
        return [0.0]

    def found(self, mechanism: Any, tally: Counted, confidence: float, sampled: bool) -> Found:
        return of_releases(mechanism, tally, confidence, sampled)

    def labels(self, mechanism: Mechanism) -> tuple[str, ...]:
        return ("answer",)

    def record(self) -> dict[str, object]:
        return {"kind": self.name, "sensitivity": self.sensitivity}

    @classmethod
    def read(cls, record: Mapping[str, Any]) -> Answers:
        return cls(record["sensitivity"])


@dataclass(frozen=True)
class Candidates(Domain):
    """Candidates among which a curator chooses by scores that one person moves by the sensitivity at most.

    >>> import ldpcore, numpy as np
    >>> choice = ldpcore.build("exponential", 2.0, ldpcore.Candidates(["north", "south"], sensitivity=1))
    >>> choice.privatize([[90, 10]], np.random.default_rng(0)).tolist()
    [0]
    """

    of: tuple[Label, ...]
    sensitivity: float = 1.0
    _among: Categories = field(init=False, repr=False, compare=False)

    kind: ClassVar[type[object]] = Selector
    name: ClassVar[str] = "candidates"
    words: ClassVar[str] = "a curator's choice among candidates"
    of_people: ClassVar[bool] = False

    def __init__(self, labels: Sequence[Label], sensitivity: float = 1.0) -> None:
        among = Categories(labels)
        for name, value in (("of", among.of), ("sensitivity", sensitivity), ("_among", among)):
            object.__setattr__(self, name, value)

    def settings(self, member: type[Mechanism], given: Mapping[str, object]) -> dict[str, object]:
        return {"k": len(self.of), "sensitivity": self.sensitivity}

    def inward(self, values: Any) -> Reals:
        rows = numbers_in(values, 2)
        if rows.shape[1] != len(self.of):
            wanted = f"rows of {len(self.of)} scores"
            raise LibraryRefusal("values_unread", wanted=wanted, got=f"rows of {rows.shape[1]}")
        return rows

    def somebody(self) -> Any:
        return [[0.0] * len(self.of)]

    def found(self, mechanism: Any, tally: Counted, confidence: float, sampled: bool) -> Found:
        return of_choices(mechanism, tally, confidence, sampled)

    def labels(self, mechanism: Mechanism) -> tuple[Any, ...]:
        return self.of

    def record(self) -> dict[str, object]:
        return {"kind": self.name, "labels": list(self.of), "sensitivity": self.sensitivity}

    @classmethod
    def read(cls, record: Mapping[str, Any]) -> Candidates:
        return cls(record["labels"], record["sensitivity"])


DOMAINS: tuple[type[Domain], ...] = (Categories, Numbers, Vectors, Pairs, Answers, Candidates)
