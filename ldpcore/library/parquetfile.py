"""Reports in a Parquet file, batch by batch; PyArrow reads it, and no more of it than a batch is held."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from ldpcore.library.forms import Form
from ldpcore.library.refused import LibraryRefusal

BUFFER = 1 << 20  # bytes that are read ahead of a column


def parquet_chunks(form: Form, path: Path, at_once: int) -> Iterator[dict[str, NDArray[Any]]]:
    """The columns of reports, `at_once` rows at a time; a damaged file, other columns and gaps are refused."""
    try:
        with pq.ParquetFile(path, buffer_size=BUFFER, pre_buffer=False) as file:
            names = tuple(file.schema_arrow.names)
            if missing := tuple(name for name in form.columns if name not in names):
                raise LibraryRefusal("file_column", file=path.name, wanted=missing, got=names)
            for batch in file.iter_batches(batch_size=at_once, columns=list(form.columns)):
                yield {name: _column(form, path, name, batch.column(name)) for name in form.columns}
    except (pa.ArrowException, OSError) as broken:
        raise LibraryRefusal("file_damaged", file=path.name, got=str(broken).splitlines()[0]) from None


def _column(form: Form, path: Path, name: str, column: Any) -> NDArray[Any]:
    if column.null_count and not form.gaps:
        raise LibraryRefusal("file_gap", column=name, file=path.name, got=column.null_count)
    return np.asarray(column.to_numpy(zero_copy_only=False))
