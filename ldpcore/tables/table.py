"""A table as a value: named columns of a few kinds, a digest of its content, and the built-in data.

Read `Table.frame` and never write to it; other rows make another table. pandas is loaded with the first
table: it takes a third of a second, and most pages open without one.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time
from functools import cached_property, lru_cache
from heapq import nsmallest
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from ldpcore.costs import Bulk
from ldpcore.fingerprints import Fingerprinted
from ldpcore.refusals import Refusal

if TYPE_CHECKING:
    import pandas as pd

    from ldpcore.tables.units import Unit

ColumnKind = Literal["number", "category", "date", "truth"]
Reals = NDArray[np.float64]

BUILT_IN: tuple[str, ...] = ("income", "clinic", "people")
SYNTHETIC = frozenset({"income", "clinic"})
SLICE = 1 << 20  # rows
LISTED = 300  # values of a column that are kept at hand
_HERE = Path(__file__).resolve()
DATA = next(path for path in (_HERE.with_name("data"), _HERE.parents[2] / "data") if path.is_dir())  # installed, or not


class TableError(Refusal):
    """A table that cannot be read or asked, in one sentence that says what to do."""


class Heading(str):
    """The name of a column of a built-in table, which may be shown in the reader's language."""


@dataclass(frozen=True)
class Categories:
    """The most frequent values of a column with their counts, the number of other values, and the empty cells."""

    labels: tuple[str, ...]
    counts: tuple[int, ...]
    other: int
    missing: int


@dataclass(frozen=True, eq=False)
class Table(Bulk, Fingerprinted):
    """Rows of people and columns of facts; equal to another table exactly when the content is equal."""

    name: str
    frame: pd.DataFrame = field(repr=False)
    digest: str
    synthetic: bool = False
    own: bool = False
    summaries: dict[str, Summary] = field(default_factory=dict, compare=False, repr=False)  # of columns looked at
    sizes: dict[str, int] = field(default_factory=dict, compare=False, repr=False)
    unit: Unit | None = None  # who is one person, where several rows may be theirs

    @classmethod
    def of(cls, frame: pd.DataFrame, name: str, *, synthetic: bool = False, own: bool = False) -> Table:
        """The table of a frame: infinite numbers become missing, objects become text."""
        frame = frame.reset_index(drop=True)
        for column in frame.columns:
            if frame[column].dtype.kind == "f" and np.isinf(frame[column].to_numpy()).any():
                frame[column] = frame[column].where(np.isfinite(frame[column]))
            if frame[column].dtype == object:
                frame[column] = frame[column].map(str, na_action="ignore").astype("str")
        return cls(name, frame, content_digest(frame), synthetic, own)

    def __fingerprint__(self) -> str:
        return self.digest

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    @property
    def n(self) -> int:
        """The number of rows: one per person, unless a `unit` says otherwise."""
        return len(self.frame)

    @property
    def each(self) -> int:
        """The largest number of rows that one person has."""
        return self.unit.most if self.unit else 1

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns, from left to right."""
        return tuple(self.frame.columns)

    def head(self, name: str) -> str:
        """The name of a column as readers see it; for a built-in table, a `Heading`."""
        return name if self.own or self.name not in BUILT_IN else Heading(name)

    def column(self, name: str) -> pd.Series[Any]:
        """The cells of one column; an unknown name is refused."""
        if name not in self.frame.columns:
            raise TableError("column_unknown", column=shortened(name), columns=len(self.columns))
        return self.frame[name]

    def kind(self, column: str) -> ColumnKind:
        """The kind of a column's cells: numbers, categories, dates or truth values."""
        kinds: dict[str, ColumnKind] = {"b": "truth", "i": "number", "u": "number", "f": "number", "M": "date"}
        return kinds.get(self.column(column).dtype.kind, "category")

    def of_kind(self, *kinds: ColumnKind) -> tuple[str, ...]:
        """The columns of these kinds."""
        return tuple(column for column in self.columns if self.kind(column) in kinds)

    def missing(self, column: str) -> int:
        """The number of empty cells of a column."""
        return int(self.column(column).isna().sum())

    def numbers(self, column: str) -> Reals:
        """The cells of a number column as they stand, a missing cell as NaN."""
        if self.kind(column) != "number":
            raise TableError("column_not_numbers", column=shortened(column), kind=self.kind(column))
        return self.column(column).to_numpy(dtype=np.float64, na_value=np.nan)

    def cells(self, column: str) -> NDArray[Any]:
        """The cells of a column as NumPy holds them."""
        return self.column(column).to_numpy()

    def empty(self, column: str) -> NDArray[np.bool_]:
        """Whether each cell of a column is empty."""
        return self.column(column).isna().to_numpy()

    def matches(self, column: str, labels: Sequence[str]) -> NDArray[np.bool_]:
        """Whether each cell carries one of these labels; a missing cell never does."""
        cells = self.column(column)
        wanted: Any = list(labels)
        if cells.dtype == "category":
            # Each category is judged once; a missing cell has the code -1 and meets the False at the end.
            fits, codes = np.append(cells.cat.categories.isin(wanted), False), cells.cat.codes.to_numpy()
            return np.concatenate([fits[codes[start : start + SLICE]] for start in range(0, max(len(codes), 1), SLICE)])
        if self.kind(column) != "category":
            wanted = [value for value in cells.dropna().unique() if label(value) in labels]
        return cells.isin(wanted).to_numpy(dtype=np.bool_)

    def counts(self, column: str, labels: Sequence[str], rows: NDArray[np.bool_] | None = None) -> tuple[int, ...]:
        """The number of cells that carry each of these labels, among all rows or among the given ones."""
        cells = self.column(column) if rows is None else self.column(column)[rows]
        counted = tallied(cells)
        if self.kind(column) == "category":
            return tuple(int(counted[text]) if text in counted.index else 0 for text in labels)
        held = {label(value): int(count) for value, count in counted.items()}
        return tuple(held.get(text, 0) for text in labels)

    def distinct(self, column: str) -> int:
        """The number of different values of a column; counted once."""
        if column in self.summaries:
            return self.summaries[column].distinct
        if column not in self.sizes:
            self.sizes[column] = int(self.column(column).nunique())
        return self.sizes[column]

    def summary(self, column: str) -> Summary:
        """The contents of a column; computed once, as millions of different values take seconds."""
        if column not in self.summaries:
            self.summaries[column] = Summary.of(self.column(column), self.kind(column))
        return self.summaries[column]

    def listed(self, column: str) -> tuple[str, ...]:
        """All values of a column in its own order, numbers by size and others by the alphabet."""
        known = self.summary(column)
        if known.distinct <= LISTED:
            return known.first
        return in_order(tallied(self.column(column)), self.kind(column), None)

    def coded(self, column: str) -> tuple[tuple[str, ...], NDArray[np.int64]]:
        """The values of a column as they first occur, and the place of each row's value: -1 where its cell is empty."""
        import pandas as pd

        codes, values = pd.factorize(self.column(column))
        return tuple(label(value) for value in values), codes.astype(np.int64)

    def categories(self, column: str, limit: int | None = 12) -> Categories:
        """The `limit` most frequent values (None: all) with counts, equally frequent ones in alphabetical order."""
        known = self.summary(column)
        if limit is None and known.distinct > len(known.ordered):
            ordered = most_frequent(tallied(self.column(column)), None)
        elif limit is not None and LISTED < limit and LISTED < known.distinct:
            ordered = most_frequent(tallied(self.column(column)), limit)
        else:
            ordered = known.ordered[:limit]
        labels, counts = tuple(text for _, text in ordered), tuple(-count for count, _ in ordered)
        return Categories(labels, counts, known.present - sum(counts), self.n - known.present)


@dataclass(frozen=True)
class Summary:
    """The contents of a column: its most frequent values with counts below zero, the first in its own order
    (numbers by size, others by the alphabet), the number of different ones, and the number of filled cells."""

    ordered: tuple[tuple[int, str], ...]
    first: tuple[str, ...]
    distinct: int
    present: int

    @classmethod
    def of(cls, cells: pd.Series[Any], kind: ColumnKind) -> Summary:
        """The summary from one count of all values, of which it keeps the few that are ever listed."""
        counted = tallied(cells)
        counted = counted[counted > 0]
        return cls(most_frequent(counted, LISTED), in_order(counted, kind, LISTED), len(counted), int(cells.count()))


def in_order(counted: pd.Series[Any], kind: ColumnKind, limit: int | None) -> tuple[str, ...]:
    """The counted values in their own order, numbers by size and others by the alphabet: the first few."""
    counted = counted[counted > 0]
    values = counted.index.to_series().astype("str") if kind == "category" else counted.index.to_series()
    return tuple(dict.fromkeys(label(value) for value in values.sort_values()[:limit]))


def most_frequent(counted: pd.Series[Any], limit: int | None) -> tuple[tuple[int, str], ...]:
    """Values with their counts below zero, the most frequent first, equally frequent ones by the alphabet."""
    counted = counted[counted > 0]
    # A long list is cut before it is turned into words; ties at the cut are kept, so the order stays lawful.
    if limit is not None and len(counted) > limit > 0:
        counted = counted[counted >= counted.iloc[limit - 1]]
    pairs = ((-int(count), label(value)) for value, count in counted.items())
    return tuple(sorted(pairs) if limit is None else nsmallest(limit, pairs))


def tallied(cells: pd.Series[str | float | datetime]) -> pd.Series[int]:
    """The count of each value, the most frequent first; the codes of categories are counted slice by slice."""
    import pandas as pd

    if not isinstance(cells.dtype, pd.CategoricalDtype):
        return cells.value_counts(dropna=True)
    codes, names = cells.cat.codes.to_numpy(), cells.cat.categories
    counts = np.zeros(len(names) + 1, dtype=np.int64)
    for start in range(0, len(codes), SLICE):  # whole numbers of eight bytes arise on the way, eight times as large
        counts += np.bincount(codes[start : start + SLICE].astype(np.int64) + 1, minlength=len(counts))
    return pd.Series(counts[1:], index=names).sort_values(ascending=False, kind="stable")


def label(value: object) -> str:
    """A cell in words, the same on every page: 12 rather than 12.0, 2024-02-29, true."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)):
        number = float(value)
        return str(int(number)) if number.is_integer() and abs(number) < 2**53 else str(number)
    if isinstance(value, datetime):  # as pandas' own moments are
        return value.strftime("%Y-%m-%d" if value.time() == time() else "%Y-%m-%d %H:%M:%S")
    return str(value)


def shortened(name: str, longest: int = 40) -> str:
    """A name that fits into a sentence or a menu: its beginning and its end."""
    head = longest * 2 // 3
    return name if len(name) <= longest else f"{name[:head]}…{name[head + 1 - longest :]}"


def displayed(names: Sequence[str], longest: int = 40) -> tuple[str, ...]:
    """Names shortened for a menu, still all different where the names are."""
    distinct: dict[str, None] = {}
    tried: dict[str, int] = {}
    for name in names:
        first = short = shortened(name, longest)
        while short in distinct:  # goes on where the last name of this form stopped: one round for all of them
            tried[first] = tried.get(first, 1) + 1
            short = f"{first} ({tried[first]})"
        distinct[short] = None
    return tuple(distinct)


def content_digest(frame: pd.DataFrame) -> str:
    """A digest of names, types and cells, taken in slices so that memory stays bounded."""
    import pandas as pd

    digest = hashlib.blake2b(digest_size=16)
    for name in frame.columns:
        digest.update(f"{len(str(name))}:{name}:{frame[name].dtype}:{len(frame)};".encode("utf-8", "surrogatepass"))
        for start in range(0, len(frame), 1 << 17):
            part = frame[name].iloc[start : start + (1 << 17)]
            digest.update(pd.util.hash_pandas_object(part, index=False).to_numpy().tobytes())
    return digest.hexdigest()


def uniqueness(table: Table, columns: Sequence[str]) -> int:
    """The number of rows alone with their values in these columns: knowing the values is knowing the row.

    Bob, the only man of 34 in the clinic, is unique on (age, sex). A missing cell counts as a value of its own.
    """
    for column in columns:
        table.column(column)
    if not columns:
        return int(table.n == 1)
    return int((~table.frame.duplicated(list(columns), keep=False)).sum())


class BuiltIn(Table):
    """A table that comes with the project: no cell is missing, and its numbers are there without pandas."""

    held: Mapping[str, NDArray[Any] | None]  # the cells of each column of numbers
    rows: int

    def __init__(self, name: str) -> None:
        text = (DATA / f"{name}.csv").read_text(encoding="utf-8")
        head, *rows = csv.reader(text.splitlines())
        held = {column: _numbers(cells) for column, cells in zip(head, zip(*rows, strict=True), strict=True)}
        digest = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
        # A frozen value is made at once; its frame is left out, for that takes loading pandas.
        vars(self).update(
            name=name, digest=digest, synthetic=name in SYNTHETIC, own=False, summaries={}, sizes={}, unit=None
        )
        vars(self).update(held=held, rows=len(rows))

    @cached_property
    def frame(self) -> pd.DataFrame:
        import pandas as pd

        return pd.read_csv(DATA / f"{self.name}.csv", encoding="utf-8", keep_default_na=False)

    @property
    def n(self) -> int:
        return self.rows

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self.held)

    def kind(self, column: str) -> ColumnKind:
        return super().kind(column) if self.held.get(column) is None else "number"

    def missing(self, column: str) -> int:
        return int(self.empty(column).sum())

    def numbers(self, column: str) -> Reals:
        return self.cells(column).astype(np.float64) if self.kind(column) == "number" else super().numbers(column)

    def cells(self, column: str) -> NDArray[Any]:
        cells = self.held.get(column)
        return super().cells(column) if cells is None else cells

    def distinct(self, column: str) -> int:
        cells = self.held.get(column)
        return super().distinct(column) if cells is None else len(np.unique(cells))

    def empty(self, column: str) -> NDArray[np.bool_]:
        return np.zeros(self.n, dtype=np.bool_) if column in self.held else super().empty(column)


def _numbers(cells: Sequence[str]) -> NDArray[Any] | None:
    """The cells of a column as numbers, whole where all are whole; none where one cell is no number."""
    for kind in (np.int64, np.float64):
        try:
            return np.array(cells, dtype=np.str_).astype(kind)
        except ValueError:
            continue
    return None


@lru_cache(maxsize=len(BUILT_IN))
def built_in(name: str) -> Table:
    """One of the tables that come with the project, by its name in `BUILT_IN`."""
    if name not in BUILT_IN:
        raise TableError("dataset_unknown", options=tuple(BUILT_IN), got=shortened(str(name)))
    return BuiltIn(name)
