"""Parquet, Arrow and Stata files as lines of text, read in pieces; in a process of its own, which alone loads these.

How large a table is stands in its file, and what is too large is refused before a cell of it is read.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any

from ldpcore.reading.held import ReadFile, UnfitError, one_line
from ldpcore.reading.merged import CellRow

ROWS = 4096  # read together
Written = Callable[[Any], str]  # a cell as text


def held_parquet(raw: bytes, most: int, written: Written) -> ReadFile:
    """The table of a Parquet file."""
    import pyarrow as pa
    from pyarrow import parquet

    pa.set_cpu_count(1)
    try:
        file = parquet.ParquetFile(io.BytesIO(raw), pre_buffer=False)
        schema, rows = file.schema_arrow, file.metadata.num_rows
        _judge(schema, rows, most)
        return ReadFile(("Parquet",), "Parquet", _lines(schema.names, _batches(file), written))
    except MemoryError:  # Arrow's is an error of its own too
        raise
    except (pa.ArrowException, OSError, ValueError):
        raise UnfitError("damaged") from None


def _batches(file: Any) -> Iterator[Any]:
    """The rows of a Parquet file, some at a time; an error on the way says that it is damaged."""
    import pyarrow as pa

    try:
        yield from file.iter_batches(ROWS, use_threads=False)
    except MemoryError:  # Arrow's is an error of its own too
        raise
    except (pa.ArrowException, OSError, ValueError):
        raise UnfitError("damaged") from None


def held_arrow(raw: bytes, most: int, written: Written) -> ReadFile:
    """The table of an Arrow file, which some programs call Feather."""
    import pyarrow as pa

    pa.set_cpu_count(1)
    try:
        table = pa.ipc.open_file(io.BytesIO(raw), options=pa.ipc.IpcReadOptions(use_threads=False)).read_all()
        _judge(table.schema, table.num_rows, most)
        return ReadFile(("Arrow",), "Arrow", _lines(table.schema.names, table.to_batches(ROWS), written))
    except MemoryError:  # Arrow's is an error of its own too
        raise
    except (pa.ArrowException, OSError, ValueError):
        raise UnfitError("damaged") from None


def _judge(schema: Any, rows: int, most: int) -> None:
    """Refuse a table with too many cells, or with cells that hold more than one value."""
    import pyarrow as pa

    if rows * len(schema) > most:
        raise UnfitError("large")
    for field in schema:
        if pa.types.is_nested(field.type):
            raise UnfitError("nested", field.name)


def _lines(names: Iterable[str], batches: Iterable[Any], written: Written) -> Iterator[CellRow]:
    """A line of names, and the rows below; without an index that pandas has saved beside the columns."""
    kept = [(place, name) for place, name in enumerate(names) if not name.startswith("__index_level_")]
    yield [one_line(name) for _, name in kept]
    for batch in batches:
        columns = [_short(batch.column(place).to_pylist(), str(batch.column(place).type)) for place, _ in kept]
        yield from _rows(columns, written)


def held_stata(raw: bytes, most: int, written: Written) -> ReadFile:
    """The table of a Stata file; where words stand for numbers, as in 1 "yes", the words."""
    try:
        rows = _stata_lines(raw, most, written, words=True)
        first = next(rows)
    except ValueError:  # two numbers have one word, or the file is damaged, which shows once more
        rows = _stata_lines(raw, most, written, words=False)
        first = next(rows, [])
    return ReadFile(("Stata",), "Stata", chain([first], rows))


def _stata_lines(raw: bytes, most: int, written: Written, words: bool) -> Iterator[CellRow]:
    """A line of names, and the rows below."""
    import pandas as pd

    try:
        done = 0
        with pd.read_stata(io.BytesIO(raw), chunksize=ROWS, convert_categoricals=words) as reader:
            for piece in reader:
                if not done:
                    yield [one_line(str(name)) for name in piece.columns]
                done += piece.size
                if done > most:
                    raise UnfitError("large")
                columns = [_short(cells.astype(object).tolist(), str(cells.dtype)) for _, cells in piece.items()]
                yield from _rows(columns, written)
    except (KeyError, IndexError, TypeError, OverflowError, struct.error, AttributeError, EOFError):
        raise UnfitError("damaged") from None


def _rows(columns: list[list[object]], written: Written) -> Iterator[CellRow]:
    """The rows of columns; missing cells are empty."""
    for cells in zip(*columns, strict=True):
        yield ["" if cell is None or cell != cell else written(cell) for cell in cells]


def _short(cells: list[Any], kind: str) -> list[Any]:
    """Numbers of four bytes as they were written: 0.1, and not the nearest of eight bytes, 0.10000000149."""
    if kind not in ("float", "float32", "halffloat", "float16"):
        return cells
    import numpy as np

    return [cell if cell is None else float(str(np.float32(cell))) for cell in cells]
