"""The groups of rows with equal values, and the ways to make a column coarser."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ldpcore.tables.table import Table

FEW = 10  # people: values that fewer hold are put together
STEPS = (1, 2, 5, 10)  # times a power of ten: how wide ranges of numbers are
RANGES = (20, 5)  # about this many of them
Codes = NDArray[np.int64]  # which crowd each row is in
Coarser = Literal["ranges", "month", "year", "letters", "rare"]


def valued(table: Table, name: str) -> Codes:
    """The value of each row as a code; a missing cell is a value too."""
    labels, codes = table.coded(name)
    return np.where(codes < 0, len(labels), codes)


def crowded(first: Codes, second: Codes) -> Codes:
    """The group of each row by two columns at once."""
    import pandas as pd

    return pd.factorize(first * (int(second.max(initial=0)) + 1) + second)[0].astype(np.int64)


def held_by(codes: Codes, who: Codes | None = None) -> Codes:
    """The number of rows that hold each value, or of different people in `who`."""
    if who is None:
        return np.bincount(codes)
    import pandas as pd

    people = int(who.max(initial=0)) + 1
    return np.bincount(pd.unique(codes * people + who) // people, minlength=int(codes.max(initial=-1)) + 1)


def coarser(table: Table, name: str, codes: Codes, who: Codes | None = None) -> Iterator[tuple[Coarser, float, Codes]]:
    """The ways to make a column coarser that put some of its values together and not all; `who` says whose a row is."""
    distinct = len(np.unique(codes))
    for way, step, coarse in _tried(table, name, codes, who):
        if 1 < len(np.unique(coarse)) < distinct:
            yield way, step, coarse


def _tried(table: Table, name: str, codes: Codes, who: Codes | None) -> Iterator[tuple[Coarser, float, Codes]]:
    """Wider ranges of numbers, months and years of days, the first letters of codes, rare values together."""
    kind = table.kind(name)
    if kind == "number":
        values = table.numbers(name)
        for width in _widths(values):
            yield "ranges", width, _grouped(np.floor(values / width))
    elif kind == "date":
        cells = table.cells(name)
        for way, unit in (("month", "datetime64[M]"), ("year", "datetime64[Y]")):
            yield way, 0.0, _grouped(cells.astype(unit).astype(np.int64))  # type: ignore[misc]
    elif kind == "category":
        labels, _ = table.coded(name)
        for letters in _letters(labels):
            heads = {head: place for place, head in enumerate(dict.fromkeys(text[:letters] for text in labels))}
            yield "letters", letters, np.array([*(heads[text[:letters]] for text in labels), len(heads)])[codes]
        yield "rare", FEW, np.where(held_by(codes, who)[codes] < FEW, len(labels) + 1, codes)


def _grouped(values: NDArray[np.generic]) -> Codes:
    """The code of each row's value, with one code for all that are missing."""
    import pandas as pd

    return pd.factorize(values, use_na_sentinel=False)[0].astype(np.int64)


def _widths(values: NDArray[np.float64]) -> list[float]:
    """Round widths that cut numbers into about twenty and about five ranges."""
    low, high = float(np.nanmin(values, initial=np.inf)), float(np.nanmax(values, initial=-np.inf))
    span = high - low
    if not 0 < span < np.inf:
        return []
    widths = []
    for ranges in RANGES:
        unit = 10.0 ** np.floor(np.log10(span / ranges))
        widths.append(float(next(step * unit for step in STEPS if step * unit >= span / ranges * (1 - 1e-12))))
    return list(dict.fromkeys(widths))


def _letters(labels: Sequence[str]) -> list[int]:
    """Numbers of letters of codes that may stay, as of postcodes: none of words."""
    lengths = {len(text) for text in labels}
    if len(lengths) != 1 or not all(any(letter.isdigit() for letter in text) for text in labels):
        return []
    (length,) = lengths
    return [letters for letters in dict.fromkeys((length - 2, 1)) if 0 < letters < length]
