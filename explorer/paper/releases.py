"""Releases of the reader's own table: what they cost one person together, their list, and their file."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from types import MappingProxyType

from explorer.facts import All, Count, Exact, Level, Name, Number, Quantity, QuantityRange, Said, Term
from explorer.facts.lines import Lines, ReleaseFacts
from explorer.facts.naming import title_of
from explorer.paper.opendp import VERSION, absent, call, wider
from explorer.settings.ledgers import merged_lines
from explorer.text.catalogue import Catalogue
from ldpcore.accounting.lines import LedgerRow

MOST = 60  # releases on a sheet
# What each noise is called in a line of a ledger; any other release is "any".
KINDS = MappingProxyType({"laplace": "laplace", "discretelaplace": "discrete", "gauss": "gauss"})
COLUMNS = ("noise_of", "level", "moves", "scale", "confidence", "neighbors_of", "unit", "noise_is")


@dataclass(frozen=True)
class Left:
    """A past release, and its time."""

    release: ReleaseFacts
    when: str

    @property
    def bare(self) -> Left:
        """The release without a word of its table."""
        what = Said.of(f"release_kinds.{self.release.asked}")
        return replace(self, release=replace(self.release, what=what, bounds=None))


def together(releases: Sequence[ReleaseFacts]) -> tuple[float, float] | None:
    """The level and δ of releases together, by adding up; none where they protect different units."""
    if len({(each.neighbors, each.who) for each in releases}) > 1:
        return None
    return math.fsum(each.level for each in releases), math.fsum(each.delta for each in releases)


def cost(releases: Sequence[ReleaseFacts]) -> Said:
    """The sentence about what releases cost one person together."""
    total, count = together(releases), Count(len(releases))
    read = Count(sum(each.read_off for each in releases))
    if total is None:
        return Said.of("release.mixed", count=count, read=read)
    level, delta = (Exact(float(f"{each:.9g}")) for each in total)
    return Said.of("release.cost", count=count, total=level, delta=delta, read=read)


def rows(left: Sequence[Left], catalogue: Catalogue) -> tuple[LedgerRow, ...]:
    """The past releases as lines of a ledger, one for each part, without the table's words; as many as a link holds."""
    each = (row for one in left for row in _rows(one, catalogue))
    return merged_lines(list(each))


def _rows(left: Left, catalogue: Catalogue) -> Iterator[LedgerRow]:
    """The lines of one release."""
    release, day = left.release, date.fromisoformat(left.when[:10])
    name = catalogue.label(f"release_kinds.{release.asked}")
    levels = (release.level,) if release.reported else release.levels
    for noise, level in zip(release.noises, levels, strict=True):
        yield LedgerRow(name, KINDS.get(noise, "any"), level, release.delta, day=day)


def ledger(left: Sequence[Left]) -> Lines:
    """The past releases, with level and time, above the cost of all."""
    failing = any(each.release.delta for each in left)
    heads = ("released", "level", *(["delta"] if failing else []), "when")
    rows = tuple(tuple(_line(each, failing)) for each in left[-MOST:])
    heading = (("cost", cost([each.release for each in left])),)
    return Lines("releases", heads, rows, heading=heading)


def _line(left: Left, failing: bool) -> Iterator[Quantity]:
    """The line of a release: its title, its level, its δ where some release has one, and its time."""
    yield left.release.what
    yield Level(left.release.level)
    if failing:
        yield Number(left.release.delta)
    yield Name(left.when)


def about(release: ReleaseFacts) -> dict[str, Quantity]:
    """The lines of a sheet below the released numbers."""
    moves = All(tuple(Number(moved, 12) for moved in dict.fromkeys(release.moves)))
    scale = All(tuple(Number(each, 6) for each in dict.fromkeys(release.scales)))
    names: dict[str, Quantity] = {
        "opendp": Name(VERSION),
        "call": Name(call(release)),
        "noise": All(tuple(map(title_of, dict.fromkeys(release.noises)))),
        "absent": Count(len(absent(release))),
        "held": Count(int(release.by_person)),
        "wider": Number(wider(release), 3),
    }
    return names | {"moves": moves, "parts": Count(len(release.moves)), "scale": scale}


def file(lines: Lines, catalogue: Catalogue, page: str) -> list[list[object]]:
    """The released numbers as rows for a file: with their common facts in columns of each line."""
    release = lines.release
    assert release is not None
    names = (*_heads(lines), *COLUMNS, *(["cells"] if release.asked == "cells" else []))
    head: list[object] = [catalogue.label(f"lists.{name}", "sheet") for name in names]
    parts = release.of or (-1,) * len(lines.rows)
    shared = {part: [_plain(each, catalogue, page) for each in _shared(lines, release, part)] for part in set(parts)}
    rows: list[list[object]] = [head]
    for row, part in zip(lines.rows, parts, strict=True):
        rows.append([*_cells(row, catalogue, page), *shared[part]])
    return rows


def _heads(lines: Lines) -> Iterator[str]:
    """The heads, of an interval both its ends."""
    for head, cell in zip(lines.head, lines.rows[0], strict=True):
        yield from (f"{head}_from", f"{head}_to") if isinstance(cell, QuantityRange) else (head,)


def _cells(row: Sequence[Quantity], catalogue: Catalogue, page: str) -> Iterator[float | str]:
    """The cells of a line, of an interval both its ends; where a cell of a whole table is a range, its words."""
    for cell in row:
        parts = (cell.low, cell.high) if isinstance(cell, QuantityRange) else (cell,)
        yield from (_plain(part, catalogue, page) for part in parts)


def _plain(quantity: Quantity, catalogue: Catalogue, page: str) -> float | str:
    """A number as it is, rounded as on a sheet, whole ones without a point; anything else in words."""
    if not isinstance(quantity, (Number, Exact, Count)):
        return catalogue.write(quantity, page)
    digits = quantity.digits if isinstance(quantity, Number) else 15
    value = float(f"{quantity.value:.{digits}g}")
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def _shared(lines: Lines, release: ReleaseFacts, part: int) -> tuple[Quantity, ...]:
    """The common facts of a part's released numbers."""
    confidence = lines.facts["confidence"]
    return (
        All(tuple(map(title_of, dict.fromkeys(release.noises if part < 0 else release.noises[part : part + 1])))),
        Level(release.level),
        _each(release.moves, part),
        _each(release.scales, part),
        confidence,
        Term(f"neighbors.{release.neighbors}"),
        unit_of(release),
        Said.of("release.simulated", opendp=Name(VERSION)),
        *([Said.of(f"release.{'numbered' if 'place' in lines.head else 'fixed'}")] if release.asked == "cells" else []),
    )


def _each(values: Sequence[float], part: int) -> Quantity:
    """The number of a part; of all, each one's."""
    values = values if part < 0 else values[part : part + 1]
    if len(set(values)) == 1:
        return Number(values[0], 9)
    return Name(" ".join(f"{value:.9g}" for value in values))


def unit_of(release: ReleaseFacts) -> Said:
    """The unit of a release: one person."""
    return Said.of("release.each", each=Count(release.each)) if release.each else Said.of("release.every_row")
