"""One person in a table: a row, or all rows that carry one name in a column, of which at most m are kept.

Each person's rows are chosen by that person's name and rows alone. So tables that differ in one person differ, after
the choice, in at most m rows, and whatever is asked of them moves by what m rows can move (McSherry 2009, Privacy
integrated queries: the stability of a transformation). This holds for every draw of the choice, not on average alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import NDArray

from ldpcore.fingerprints import fingerprint
from ldpcore.parameters import Declared, Interval
from ldpcore.tables.table import Table, shortened

if TYPE_CHECKING:
    from collections.abc import Sequence

ROWS_DRAW = "rows"  # what the draw of each person's rows is called among those of a seed
RowsOfOne = Annotated[int, Interval("m", 1, 1000, (1, 30), scale="log", integer=True)]
_HUMP = re.compile(r"(?<=[a-zäöü])(?=[A-ZÄÖÜ])")
_WORD = re.compile(r"[^\W\d_]+")
_NAMED = 0.05  # different values among the rows, from which on a column of a telling name may say who
_TELLING = 0.5  # and one of words, whatever it is called
_NAMES = frozenset(
    "id uid uuid guid nr no num number nummer kennung person people patient patientin user member employee staff "
    "student pupil schüler client customer kunde kundin kundennummer mitarbeiter mitarbeiterin personalnummer "
    "matrikelnummer name vorname nachname surname firstname lastname email mail pseudonym proband subject participant "
    "teilnehmer respondent account konto card ausweis versicherte versichertennummer".split()
)


@dataclass(frozen=True)
class Unit(Declared):
    """The column that names the person of each row, and the most rows of each person that count."""

    column: str
    most: RowsOfOne = 1


@dataclass(frozen=True)
class Persons:
    """The people that a column names: their number, the most rows of one, and the rows without a name."""

    people: int
    rows: int
    largest: int
    unnamed: int

    @property
    def repeats(self) -> bool:
        """Whether some person has several rows."""
        return self.rows > self.people


def persons(table: Table, column: str) -> Persons:
    """The people in a table, by the column that names them."""
    places, _ = _places(table, column)
    sizes = np.bincount(places[places >= 0], minlength=1)
    return Persons(int(np.count_nonzero(sizes)), int(sizes.sum()), int(sizes.max()), int(np.count_nonzero(places < 0)))


def named(table: Table, column: str) -> tuple[Table, NDArray[np.int64]]:
    """All rows with a name in the column of people, and for each the place of its person."""
    places, _ = _places(table, column)
    if (places >= 0).all():
        return table, places
    kept = places >= 0
    digest = table.digest[:8] + fingerprint((table.digest, column))[8:]
    return Table(table.name, table.frame[kept].reset_index(drop=True), digest, table.synthetic, table.own), places[kept]


def bounded(table: Table, unit: Unit, rng: np.random.Generator) -> Table:
    """The table with at most `unit.most` rows of each person, chosen at random, in their order.

    Rows without a name are left out: whose they are nobody knows, and somebody with m rows may have them too. Its
    digest begins as the table's does, so that whatever is kept under the name of one goes with the other.
    """
    key = rng.bytes(8).hex()
    kept = table.frame[_chosen(table, unit, key)].reset_index(drop=True)
    digest = table.digest[:8] + fingerprint((table.digest, unit, key))[8:]
    return Table(table.name, kept, digest, table.synthetic, table.own, unit=unit)


def _places(table: Table, column: str) -> tuple[NDArray[np.int64], Any]:
    """For each row the place of its person among all names, and -1 for a row without one; and the names."""
    import pandas as pd

    places, names = pd.factorize(table.column(column))
    return np.asarray(places, dtype=np.int64), names


def _chosen(table: Table, unit: Unit, key: str) -> NDArray[np.bool_]:
    """Whether each row is kept: of each person those m with the least numbers, drawn by a keyed hash of name and turn.

    Neither somebody else's rows nor their number goes into it.
    """
    import pandas as pd

    places, names = _places(table, unit.column)
    named = np.flatnonzero(places >= 0)
    person = places[named]
    hashed = pd.util.hash_array(np.array(names.astype(str), dtype=object), hash_key=key, categorize=False)
    drawn = _mixed(hashed[person] + (_turns(person) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15))
    order = np.lexsort((drawn, person))
    kept = np.zeros(table.n, dtype=np.bool_)
    kept[named[order[_turns(person[order]) < unit.most]]] = True
    return kept


def _turns(person: NDArray[np.int64]) -> NDArray[np.uint64]:
    """The number of rows of the same person before each row."""
    import pandas as pd

    return np.asarray(pd.Series(person).groupby(person, sort=False).cumcount(), dtype=np.uint64)


def _mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Steele, Lea and Flood's finalizer (2014, Fast splittable pseudorandom number generators): one-to-one."""
    mixed = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)), dtype=np.uint64)


def suspected(table: Table) -> str | None:
    """The first column that looks like one of names of people, and in which some person has several rows; else none.

    One that is called so with different values in a twentieth of the rows, or one of words with half as many as rows.
    """
    return next(
        (name for name in table.columns if table.kind(name) in ("category", "number") and _says(table, name)), None
    )


def _says(table: Table, column: str) -> bool:
    """Whether a column looks like one of names of people, with repetitions."""
    present = table.n - table.missing(column)
    distinct = table.distinct(column)
    if not 2 <= distinct < present:
        return False
    share = distinct / present
    called = bool(_NAMES.intersection(_words(column)))
    return share >= _NAMED if called else table.kind(column) == "category" and share >= _TELLING


def _words(column: str) -> Sequence[str]:
    """The words of a column's name, such as patient_id, PatientID or Patient-Nr."""
    apart = _HUMP.sub(" ", shortened(column, 200))
    return _WORD.findall(apart.casefold())
