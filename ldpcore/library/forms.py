"""The form of each mechanism's reports: in an array, in columns of a file, and which ones it can make at all.

A collector that counts what no client can have sent estimates nothing; so every report is looked at, once, in one pass.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldpcore.library.refused import LibraryRefusal
from ldpcore.mechanisms.base import Reporter

LOOKED_AT = 1 << 20  # numbers of reports that are looked at together


@dataclass(frozen=True, eq=False)
class Form:
    """The form of one mechanism's reports, shown by a sample of its own."""

    mechanism: Reporter
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
        """The reports in words."""
        kind = "whole numbers" if self.sample.dtype.kind in "iu" else "numbers"
        if self.sample.dtype.names is not None:
            return f"rows of {', '.join(self.sample.dtype.names)}"
        return f"{kind} in one list" if self.sample.ndim == 1 else f"{kind} in rows of {self.sample.shape[1]}"

    def checked(self, reports: Any) -> NDArray[Any]:
        """The reports as the mechanism makes them; one that it cannot have made is refused by its place."""
        held = self._typed(self._array(reports))
        if not len(held):
            return held
        step = max(1, LOOKED_AT * len(held) // max(held.size, 1))
        for start in range(0, len(held), step):
            possible, words = self.mechanism.possible(held[start : start + step])
            if not possible.all():
                place = start + int(np.argmin(possible))
                got = held[place].tolist()
                raise LibraryRefusal("report_impossible", place=place, slug=self.mechanism.slug, wanted=words, got=got)
        return held.astype(self.sample.dtype, copy=False) if held.dtype.names is None else held

    @property
    def gaps(self) -> bool:
        """Whether reports may have places without a value."""
        return self.mechanism.gaps

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
