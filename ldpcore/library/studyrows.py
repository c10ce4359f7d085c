"""The rows of a study as a table, and their store: Parquet files in a folder, each whole or not there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from ldpcore.fingerprints import fingerprint
from ldpcore.library.refused import LibraryRefusal

if TYPE_CHECKING:
    from ldpcore.library.studies import StudyRow

COLUMNS = (
    "digest",
    "mechanism",
    "epsilon",
    "k",
    "n",
    "population",
    "seed",
    "squared_error",
    "largest_error",
    "expected_squared_error",
)


def as_table(rows: list[StudyRow]) -> pd.DataFrame:
    """Rows as a tidy table."""
    return pd.DataFrame(rows, columns=list(COLUMNS))


@dataclass(frozen=True)
class RowStore:
    """A folder of rows that are done, found by their digests; without a folder nothing is kept."""

    folder: Path | None

    def rows(self, wanted: set[str]) -> dict[str, StudyRow]:
        """The wanted rows that are there; a file that holds something else is refused by its name."""
        if self.folder is None or not self.folder.exists():
            return {}
        if not self.folder.is_dir():
            raise LibraryRefusal("study_store", file=str(self.folder), got="no folder")
        there: dict[str, StudyRow] = {}
        for path in sorted(self.folder.glob("*.parquet")):
            there.update({row["digest"]: row for row in _read(path) if row["digest"] in wanted})
        return there

    def add(self, rows: list[StudyRow]) -> None:
        """Keep these rows in a file of their own, which has its name only when it is whole."""
        if self.folder is None or not rows:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{fingerprint(tuple(row['digest'] for row in rows))}.parquet"
        unfinished = path.with_suffix(".unfinished")
        as_table(rows).to_parquet(unfinished, index=False)
        unfinished.replace(path)


def _read(path: Path) -> list[StudyRow]:
    try:
        table = pd.read_parquet(path)
    except ImportError:
        raise
    except Exception as broken:  # what PyArrow raises has no common class
        raise LibraryRefusal("study_store", file=path.name, got=str(broken).splitlines()[0]) from None
    if tuple(table.columns) != COLUMNS:
        raise LibraryRefusal("study_store", file=path.name, got=f"the columns {', '.join(map(str, table.columns))}")
    return [dict(zip(COLUMNS, row, strict=True)) for row in table.itertuples(index=False, name=None)]
