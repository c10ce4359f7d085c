"""What the reports of each mechanism look like: in an array, in columns of a file, and which ones it can make at all.

A collector that counts what no client can have sent estimates nothing; so every report is looked at, once, in one pass.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldpcore.library.refused import LibraryRefusal
from ldpcore.mechanisms.ball import BallSampling
from ldpcore.mechanisms.base import CentralRelease, Mechanism
from ldpcore.mechanisms.bloomrandomizer import BloomRandomizer
from ldpcore.mechanisms.coins import TwoCoins
from ldpcore.mechanisms.coordinates import CoordinateByCoordinate
from ldpcore.mechanisms.grr import DirectAnswer
from ldpcore.mechanisms.hadamard import HadamardResponse
from ldpcore.mechanisms.hashing import LocalHashing
from ldpcore.mechanisms.hybrid import HybridMechanism
from ldpcore.mechanisms.hypercube import HypercubeSampling
from ldpcore.mechanisms.onebit import BinaryMechanism
from ldpcore.mechanisms.partitionhalves import HalfAndHalf
from ldpcore.mechanisms.plateaus import Plateau
from ldpcore.mechanisms.selector import Selector
from ldpcore.mechanisms.subset import SubsetSelection
from ldpcore.mechanisms.unary import UnaryEncoding

Possible = NDArray[np.bool_]
Rule = tuple[Possible, str]  # which reports can be made, and which ones these are, in words
LOOKED_AT = 1 << 20  # numbers of reports that are looked at together
ROUNDING = 1e-9  # of a report's size: what a file may have lost


def _below(reports: NDArray[Any], ends: int) -> Possible:
    # A negative number is, read without its sign, larger than any end.
    held = reports.astype(np.int64, copy=False).view(np.uint64)
    return np.asarray(held < np.uint64(ends), dtype=np.bool_)


def _places(k: int) -> Callable[[Any, NDArray[Any]], Rule]:
    return lambda mechanism, reports: (_below(reports, k), f"a whole number from 0 to {k - 1}")


def _bits(k: int, rows: NDArray[Any]) -> Possible:
    """Rows of bytes whose last bits, which stand for no value, are 0."""
    whole = np.asarray((rows >= 0).all(axis=1) & (rows <= 255).all(axis=1), dtype=np.bool_)
    return np.asarray(whole & (rows[:, -1] & ((1 << -k % 8) - 1) == 0), dtype=np.bool_)


def _unary(mechanism: UnaryEncoding, reports: NDArray[Any]) -> Rule:
    return _bits(mechanism.k, reports), f"{mechanism.k} bits, eight to the byte, and 0 behind them"


def _hashed(mechanism: LocalHashing, reports: NDArray[Any]) -> Rule:
    return np.asarray(reports["cell"] < mechanism.g, dtype=np.bool_), f"a seed and a cell from 0 to {mechanism.g - 1}"


def _subset(mechanism: SubsetSelection, reports: NDArray[Any]) -> Rule:
    rows = reports.astype(np.int64, copy=False)
    inside = (rows >= 0).all(axis=1) & (rows < mechanism.k).all(axis=1) & (np.diff(rows, axis=1) > 0).all(axis=1)
    words = f"{mechanism.omega} different numbers from 0 to {mechanism.k - 1}, rising"
    return np.asarray(inside, dtype=np.bool_), words


def _bloom(mechanism: BloomRandomizer, reports: NDArray[Any]) -> Rule:
    cohorts, m = mechanism.design.cohorts, mechanism.design.m
    possible = (reports["cohort"] < cohorts) & _bits(m, reports["bits"])
    return possible, f"a cohort from 0 to {cohorts - 1} and {m} bits, eight to the byte"


def _sign(mechanism: Mechanism, reports: NDArray[Any]) -> Rule:
    signs = np.abs(reports) == 1
    return (signs if signs.ndim == 1 else signs.all(axis=1)), "-1 or 1" if signs.ndim == 1 else "a row of -1 and 1"


def _plateau(mechanism: Plateau, reports: NDArray[Any]) -> Rule:
    reach = mechanism.reach
    return np.abs(reports) <= reach * (1 + ROUNDING), f"a number from {-reach:.6g} to {reach:.6g}"


def _hybrid(mechanism: HybridMechanism, reports: NDArray[Any]) -> Rule:
    piecewise, bit = mechanism.parts
    possible = np.abs(np.abs(reports) - bit.z0) <= ROUNDING * bit.z0
    if not mechanism.weight:
        return possible, f"{-bit.z0:.6g} or {bit.z0:.6g}"
    near = np.abs(reports) <= piecewise.reach * (1 + ROUNDING)
    return possible | near, f"a number from {-piecewise.reach:.6g} to {piecewise.reach:.6g}, or ±{bit.z0:.6g}"


def _coordinates(mechanism: CoordinateByCoordinate, reports: NDArray[Any]) -> Rule:
    asked = ~np.isnan(reports)
    possible = (asked.sum(axis=1) == mechanism.m) & np.isfinite(np.where(asked, reports, 0.0)).all(axis=1)
    return possible, f"{mechanism.m} of {mechanism.d} finite numbers and nothing elsewhere"


def _direction(mechanism: BallSampling, reports: NDArray[Any]) -> Rule:
    return np.abs(np.einsum("ij,ij->i", reports, reports) - 1) <= 1e-6, f"a row of {mechanism.d} numbers of length 1"


def _halves(mechanism: HalfAndHalf, reports: NDArray[Any]) -> Rule:
    possible = np.isfinite(reports).all(axis=1) & np.isin(reports[:, 0], (0.0, 1.0))
    return possible, "a coin, 0 or 1, and finite numbers"


def _release(mechanism: CentralRelease, reports: NDArray[Any]) -> Rule:
    if mechanism.whole:
        return np.isfinite(reports) & (reports == np.rint(reports)), "a whole number"
    return np.isfinite(reports), "a finite number"


def _finite(mechanism: Mechanism, reports: NDArray[Any]) -> Rule:
    finite = np.isfinite(reports)
    return (finite if finite.ndim == 1 else finite.all(axis=1)), "finite numbers"


def _k_places(mechanism: Any, reports: NDArray[Any]) -> Rule:
    return _places(mechanism.k)(mechanism, reports)


def _outputs(mechanism: HadamardResponse, reports: NDArray[Any]) -> Rule:
    return _places(mechanism.size)(mechanism, reports)


# The first kind that a mechanism is of decides.
RULES: tuple[tuple[type[Mechanism], Callable[[Any, NDArray[Any]], Rule]], ...] = (
    (DirectAnswer, _k_places),
    (TwoCoins, _k_places),
    (Selector, _k_places),
    (HadamardResponse, _outputs),
    (UnaryEncoding, _unary),
    (LocalHashing, _hashed),
    (SubsetSelection, _subset),
    (BloomRandomizer, _bloom),
    (BinaryMechanism, _sign),
    (HypercubeSampling, _sign),
    (Plateau, _plateau),
    (HybridMechanism, _hybrid),
    (CoordinateByCoordinate, _coordinates),
    (BallSampling, _direction),
    (HalfAndHalf, _halves),
    (CentralRelease, _release),
    (Mechanism, _finite),
)


@dataclass(frozen=True, eq=False)
class Form:
    """How reports of one mechanism are written: like this sample, one of its own reports."""

    mechanism: Mechanism
    sample: NDArray[Any]

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The columns of a file of reports: `report`, `report_0` …, or the parts of a report by their names."""
        if self.sample.dtype.names is None:
            return _spread("report", self.sample.shape[1:])
        return tuple(name for field in self.sample.dtype.names for name in _spread(field, self._part(field)))

    def _part(self, field: str) -> tuple[int, ...]:
        return self.sample[field].shape[1:]

    @property
    def words(self) -> str:
        """What the reports are, in words."""
        kind = "whole numbers" if self.sample.dtype.kind in "iu" else "numbers"
        if self.sample.dtype.names is not None:
            return f"rows of {', '.join(self.sample.dtype.names)}"
        return f"{kind} in one list" if self.sample.ndim == 1 else f"{kind} in rows of {self.sample.shape[1]}"

    def checked(self, reports: Any) -> NDArray[Any]:
        """The reports as the mechanism makes them; one that it cannot have made is refused by its place."""
        held = self._typed(self._array(reports))
        if not len(held):
            return held
        rule = next(rule for kind, rule in RULES if isinstance(self.mechanism, kind))
        step = max(1, LOOKED_AT * len(held) // max(held.size, 1))
        for start in range(0, len(held), step):
            possible, words = rule(self.mechanism, held[start : start + step])
            if not possible.all():
                place = start + int(np.argmin(possible))
                got = held[place].tolist()
                raise LibraryRefusal("report_impossible", place=place, slug=self.mechanism.slug, wanted=words, got=got)
        return held.astype(self.sample.dtype, copy=False) if held.dtype.names is None else held

    @property
    def gaps(self) -> bool:
        """Whether reports may have places that say nothing."""
        return isinstance(self.mechanism, CoordinateByCoordinate)

    def _array(self, reports: Any) -> NDArray[Any]:
        """Reports as an array; a list of several fields each by their order."""
        if self.sample.dtype.names is None or isinstance(reports, np.ndarray):
            try:
                return np.asarray(reports)
            except ValueError:  # rows of different lengths
                got = "rows of different lengths"
                raise LibraryRefusal("reports_unread", slug=self.mechanism.slug, wanted=self.words, got=got) from None
        try:
            return np.array([tuple(report) for report in reports], dtype=self.sample.dtype)
        except (TypeError, ValueError, OverflowError) as unread:
            raise LibraryRefusal(
                "reports_unread", slug=self.mechanism.slug, wanted=self.words, got=str(unread)
            ) from None

    def _typed(self, held: NDArray[Any]) -> NDArray[Any]:
        kinds = "iu" if self.sample.dtype.kind in "iu" else "iuf"
        fits = (
            held.dtype == self.sample.dtype
            if self.sample.dtype.names is not None
            else held.dtype.kind in kinds or not held.size
        )
        if not fits or not held.ndim or held.shape[1:] != self.sample.shape[1:]:
            shape = (
                f"{held.dtype} with {held.ndim} axes" if held.ndim != 2 else f"{held.dtype} in rows of {held.shape[1]}"
            )
            raise LibraryRefusal("reports_unread", slug=self.mechanism.slug, wanted=self.words, got=shape)
        return held if held.size else held.astype(self.sample.dtype)

    def split(self, reports: Any) -> dict[str, NDArray[Any]]:
        """The reports as columns of numbers, for a file."""
        held = self.checked(reports)
        if held.dtype.names is None:
            return dict(zip(self.columns, _across(held), strict=True))
        parts = [column for field in held.dtype.names for column in _across(held[field])]
        return dict(zip(self.columns, parts, strict=True))

    def joined(self, columns: Mapping[str, Any]) -> NDArray[Any]:
        """Reports from columns of numbers; other columns are left aside."""
        if missing := [name for name in self.columns if name not in columns]:
            raise LibraryRefusal("columns_missing", slug=self.mechanism.slug, wanted=tuple(missing), got=tuple(columns))
        parts = [_column(columns[name]) for name in self.columns]
        if len({len(part) for part in parts}) > 1:
            raise LibraryRefusal("columns_lengths", got=tuple(len(part) for part in parts))
        if self.sample.dtype.names is None:
            return parts[0] if self.sample.ndim == 1 else np.stack(parts, axis=1)
        return self._structured(parts)

    def _structured(self, parts: list[NDArray[Any]]) -> NDArray[Any]:
        reports, place = np.empty(len(parts[0]), dtype=self.sample.dtype), 0
        for field in self.sample.dtype.names or ():
            width = int(np.prod(self._part(field), dtype=np.int64))
            own = np.stack(parts[place : place + width], axis=1)
            kind, place = self.sample.dtype[field].base, place + width
            limits = np.iinfo(kind)
            if own.dtype.kind not in "iu" or (own.size and not (own.min() >= 0 and own.max() <= limits.max)):
                wanted = f"whole numbers from 0 to {limits.max} in {field}"
                got = str(own.dtype) if own.dtype.kind not in "iu" else f"{own.min()} to {own.max()}"
                raise LibraryRefusal("reports_unread", slug=self.mechanism.slug, wanted=wanted, got=got)
            reports[field] = own.reshape(reports[field].shape)
        return reports


def _column(column: Any) -> NDArray[Any]:
    """A column as an array; whole numbers beyond 2^63 beside smaller ones keep their digits."""
    held = np.asarray(column)
    if held.dtype.kind == "f" and isinstance(column, list) and all(isinstance(each, int) for each in column):
        with suppress(OverflowError):  # below 0 or beyond 2^64
            return np.array(column, dtype=np.uint64)
    return held


def _spread(name: str, shape: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(f"{name}_{place}" for place in range(shape[0])) if shape else (name,)


def _across(held: NDArray[Any]) -> list[NDArray[Any]]:
    return [held] if held.ndim == 1 else list(held.T)
