"""The collector: reports become one tally as they come, in bounded memory, wherever they are."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from ldpcore.library.csvfile import csv_chunks
from ldpcore.library.designs import Design
from ldpcore.library.extras import require
from ldpcore.library.pandasvalues import columns_in, is_whole
from ldpcore.library.refused import LibraryRefusal
from ldpcore.library.tallied import Tally, merge

AT_ONCE = 1 << 20  # reports of a file that are held at a time


def collect(design: Design, reports: object, at_once: int = AT_ONCE) -> Tally:
    """The tally of all reports of a design, read piece by piece: all of them, or a refusal and nothing half counted.

    Reports come as an iterator of chunks (arrays, lists, tables or mappings of columns), as one array or table, as the
    path of a `.csv` or `.parquet` file with the columns of `Design.columns`, of which `at_once` rows are held at a
    time, or as a Dask DataFrame or bag, tallied where it lies. `Refusal` of a report that no client can have made.

    >>> import ldpcore
    >>> survey = ldpcore.build("grr", 1.0, ["red", "green"])
    >>> ldpcore.collect(survey, iter([[0, 1, 1], [0]])).counts.tolist()
    [2, 2]
    """
    if is_whole(reports):  # what an iterator makes of it is no chunks
        return _of_chunks(design, [reports], "")
    if isinstance(reports, (str, Path)):
        return _of_chunks(design, _file(design, Path(reports), at_once), str(reports))
    if "dask" in sys.modules:
        from ldpcore.library.daskcollections import dask_tally

        tally = dask_tally(design, reports)
        if tally is not None:
            return tally
    if isinstance(reports, Iterable) and not isinstance(reports, bytes):
        return _of_chunks(design, reports, "")
    raise LibraryRefusal("source_unknown", got=type(reports).__name__)


def _file(design: Design, path: Path, at_once: int) -> Iterable[Any]:
    kind = path.suffix.lower()
    if kind not in (".csv", ".parquet"):
        raise LibraryRefusal("source_unknown", got=str(path))
    if not path.is_file():
        raise LibraryRefusal("file_missing", file=str(path), got="no file" if not path.exists() else "a folder")
    if kind == ".csv":
        return csv_chunks(design.form, path, at_once)
    require("parquet")
    from ldpcore.library.parquetfile import parquet_chunks

    return parquet_chunks(design.form, path, at_once)


def _of_chunks(design: Design, chunks: Iterable[Any], name: str) -> Tally:
    """The tally of all chunks; a refusal names the file, if there is one, and the report by its place in the whole."""
    total, done = design.empty(), 0
    for chunk in chunks:
        try:
            tally = tally_of(design, chunk)
        except LibraryRefusal as refused:
            if refused.key == "report_impossible":
                refused = LibraryRefusal(refused.key, **{**refused.fields, "place": done + refused.fields["place"]})
            raise (LibraryRefusal("file_row", file=name, reason=str(refused)) if name else refused) from None
        total, done = total + tally, done + tally.n
    return total


def tally_of(design: Design, chunk: Any) -> Tally:
    """The tally of one chunk: a list of reports, or columns of them."""
    columns = columns_in(chunk)
    return design.tally(chunk) if columns is None else design.tally(design.form.joined(columns))


def tally_of_partition(design: Design, partition: Any) -> Tally:
    """The tally of a partition of a Dask collection: a table, a series, or an iterator of single reports."""
    held = partition if columns_in(partition) is not None or isinstance(partition, np.ndarray) else list(partition)
    return tally_of(design, held)


def merged(tallies: list[Tally]) -> Tally:
    """One tally of several, as Dask calls it."""
    return merge(tallies)
