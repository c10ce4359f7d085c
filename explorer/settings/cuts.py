"""The cut of a column into cells: each value by itself, ranges of numbers, or groups that the reader has made.

All values have a cell, in an order that follows no count; "all others" is one only where the reader has asked for it.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from explorer.facts import Count, Name
from explorer.settings.typed import AskError, plain_number
from ldpcore.experiments.counting.tableplan import Valued
from ldpcore.tables.table import displayed, shortened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from explorer.settings.typed import Habits
    from ldpcore.experiments.counting.tableplan import CellPart
    from ldpcore.tables.table import Table

MOST_BARS = 30  # different numbers that have a cell of their own; more are cut into ranges
BINS = 10
MOST_RANGES = 500
LONGEST = 24  # letters of a value in a cell's name


@dataclass(frozen=True)
class Group:
    """The name of a cell, and the values that share it."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Cut:
    """The reader's beginnings of ranges, or groups of values, and whether all other values share a cell."""

    edges: tuple[float, ...] = ()
    groups: tuple[Group, ...] = ()
    together: bool = False

    @property
    def fixed(self) -> bool:
        """Whether the cells follow from the reader's text alone."""
        return bool(self.edges) or (bool(self.groups) and self.together)


@dataclass(frozen=True)
class Parted:
    """The cells of one column by their names, and each row's cell: -1 for none, where it has no value."""

    parts: tuple[CellPart, ...]
    codes: NDArray[np.int64]
    joined: bool = False  # whether there were more values than cells


def listed(table: Table, name: str) -> tuple[str, ...]:
    """All values of a column, numbers by size and others by the alphabet: an order that follows no count."""
    return table.listed(name)


def edges(table: Table, name: str) -> tuple[float, ...]:
    """Bins between round numbers for a number column of many values; none where each value has its own bar."""
    if table.kind(name) != "number" or table.distinct(name) <= MOST_BARS:
        return ()
    values = table.numbers(name)
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    if not math.isfinite(high - low):
        return tuple(float(edge) for edge in np.linspace(low / BINS, high / BINS, BINS + 1) * BINS)  # it overflows
    unit = 10.0 ** math.floor(math.log10(high - low))
    low, high = math.floor(low / unit) * unit, math.ceil(high / unit) * unit
    return tuple(float(edge) for edge in np.linspace(low, high, BINS + 1))


def cells_of(table: Table, name: str, cut: Cut) -> int:
    """The largest number of cells of a cut column."""
    if cut.edges:
        return len(cut.edges) + 1
    if ends := edges(table, name):
        return len(ends) - 1
    rest = 1 if cut.together else table.distinct(name)
    return len(cut.groups) + rest if cut.groups else table.distinct(name)


def parted(table: Table, name: str, cut: Cut, most: int, alone: bool = False) -> Parted:
    """The cells of a column, at most `most`, and each row's cell; `alone`, so that its name says what numbers are."""
    if cut.edges:
        ends = (-math.inf, *cut.edges, math.inf)
        return _ranges(table.numbers(name), ends)
    if ends := edges(table, name):
        return _ranges(table.numbers(name), ends)
    return _values(table, name, cut, most, alone)


def _ranges(values: NDArray[np.float64], ends: Sequence[float]) -> Parted:
    """A cell for each range from one end to before the next; the last one holds its own end."""
    codes = np.searchsorted(np.array(ends), values, side="right") - 1
    codes[values == ends[-1]] = len(ends) - 2
    return Parted(tuple(pairwise(ends)), np.where(np.isnan(values), -1, codes).astype(np.int64))


def _values(table: Table, name: str, cut: Cut, most: int, alone: bool) -> Parted:
    """A cell for each group, then for each other value, or one for all of these where that was asked."""
    place = {value: at for at, group in enumerate(cut.groups) for value in group.values}
    others = [value for value in listed(table, name) if value not in place]
    together = bool(cut.groups) and cut.together
    own = [] if together else others[: max(most - len(cut.groups), 0)]
    joined = not together and len(own) < len(others)
    if joined and own:
        own = own[:-1]
    place |= {value: at for at, value in enumerate(own, len(cut.groups))}
    column = shortened(table.head(name), 16) if table.kind(name) == "number" and not alone else ""
    called = displayed([*(group.name for group in cut.groups), *own], LONGEST)
    rest, grouped = len(called), len(cut.groups)
    names = (*called[:grouped], *(Valued(column, each) if column else each for each in called[grouped:]))
    parts: tuple[CellPart, ...] = (*names, None) if len(own) < len(others) else names
    labels, held = table.coded(name)
    where = np.array([*(place.get(value, rest) for value in labels), -1], dtype=np.int64)
    return Parted(parts, where[held], joined)


def read_edges(text: str, written: Habits) -> tuple[float, ...]:
    """The beginnings of ranges, as people type them: 20; 40; 60 in their own notation, in any order."""
    text = text.replace("؛", ";").replace("،", ", ")
    if ";" in text:
        texts = text.split(";")
    elif re.search(r",\s", text):
        texts = re.split(r",\s+", text)
    elif "," in text and written.notation.decimal == ".":
        texts = text.split(",")
    else:
        texts = text.split()
    begins = sorted({float(written.number(each.strip())) for each in texts if each.strip()})
    if len(begins) >= MOST_RANGES:
        raise AskError("ranges_many", most=Count(MOST_RANGES), got=Count(len(begins) + 1))
    return tuple(begins)


def read_groups(text: str, known: Sequence[str]) -> tuple[Group, ...]:
    """Groups as people type them, one in each line: "North: Kiel, Lübeck", or the values alone."""
    values, taken, groups = set(known), set[str](), list[Group]()
    for line in (line.strip() for line in text.splitlines()):
        if not line:
            continue
        name, colon, rest = (part.strip() for part in line.partition(":"))
        if line in values or not (colon and name and rest):
            name, rest = "", line
        mark = next((mark for mark in ";؛،" if mark in rest), ",")
        members = (rest,) if rest in values else tuple(dict.fromkeys(filter(None, map(str.strip, rest.split(mark)))))
        for again in members:
            if again in taken:
                raise AskError("group_twice", value=Name(shortened(again)))
        taken.update(members)
        groups.append(Group(name or " + ".join(members), members))
    return tuple(group for group in groups if group.values)


def linked_cut(cut: Cut, known: Sequence[str]) -> str:
    """A cut as a link writes it: numbers, and values by their places in the column's own order; never a name."""
    if cut.edges:
        return "_".join(map(plain_number, cut.edges))
    places = {value: str(at) for at, value in enumerate(known)}
    groups = ("_".join(places[value] for value in group.values if value in places) for group in cut.groups)
    text = ".".join(group for group in groups if group)
    return f"{text}.x" if text and cut.together else text


def unlinked(text: str, known: Sequence[str]) -> Cut:
    """The groups of a link; refused where it names a place that the column does not have, or one twice."""
    *places, last = text.split(".")
    together = last == "x"
    given = [[int(at) for at in group.split("_")] for group in (places if together else [*places, last])]
    every = [at for group in given for at in group]
    if not every or min(every) < 0 or len(set(every)) < len(every):
        raise ValueError(text)
    members = [tuple(known[at] for at in group) for group in given]
    groups = [Group(" + ".join(values), values) for values in members]
    return Cut(groups=tuple(groups), together=together)
