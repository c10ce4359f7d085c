"""Merged cells of a sheet, as a person looking at it reads them.

A value over several rows stands in each of them, in its first column; what it hides is not there. A name over several
columns heads each of them, and names below it are added: 2023 above women and men is "2023 · women", "2023 · men".
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

Span = tuple[tuple[int, int], tuple[int, int]]  # row and column of its first and of its last cell, counted from 0
CellRow = list[str]
TOP = 30  # rows among which names may stand one above the other
YEARS = range(1800, 2201)  # numbers that may be names


def placed(spans: Iterable[Span], start: tuple[int, int], width: int) -> list[Span]:
    """The spans of a sheet in the table of `width` columns whose first cell is the sheet's `start`, from the top.

    A span that begins beside the table is empty, and a wider one ends with it.
    """
    above, before = start
    return sorted(
        ((first - above, left - before), (last - above, min(right - before, width - 1)))
        for (first, left), (last, right) in spans
        if first >= above and 0 <= left - before < width and (first, left) != (last, right)
    )


def unmerged(rows: Iterable[CellRow], spans: Sequence[Span]) -> Iterator[CellRow]:
    """The rows of a table with what its merged cells show, names that stand one above the other in one row."""
    rows = spread(rows, spans)
    yield from headed(list(islice(rows, TOP)), spans)
    yield from rows


def spread(rows: Iterable[CellRow], spans: Sequence[Span]) -> Iterator[CellRow]:
    """The rows, each with the values that begin above it and reach down to it; rows that are merged whole are one."""
    if not spans:
        yield from rows
        return
    starting, held = defaultdict[int, list[Span]](list), list[tuple[Span, str]]()
    sizes: dict[int, int] = {}  # how many cells are filled where spans begin
    for span in spans:
        starting[span[0][0]].append(span)
    for place, row in enumerate(rows):
        held = [(span, value) for span, value in held if span[1][0] >= place]
        above = [span[0][0] for span, value in held if value]
        held += [(span, row[span[0][1]]) for span in starting.get(place, ())]
        for ((_, first), (_, last)), value in held:
            row[first : last + 1] = [value, *[""] * (last - first)]
        sizes = {start: sizes[start] for start in {*above}} | {place: sum(map(bool, row))}
        whole = len({*above}) == 1 and sizes[place] == len(above) == sizes[above[0]]
        yield [""] * len(row) if whole else row


def headed(top: list[CellRow], spans: Sequence[Span]) -> list[CellRow]:
    """The first rows of a sheet, with the names that stand one above the other in the lowest of their rows."""
    spans = [span for span in spans if span[0][0] < len(top)]
    seen = [list(row) for row in top]
    for (first, left), (last, right) in spans:
        for row in seen[first : last + 1]:
            row[left : right + 1] = [top[first][left]] * (right - left + 1)
    head = _first_of_names(top, seen, spans)
    if head is None:
        return top
    last = head
    while _named_below(top, seen, spans, last):
        last += 1
    top[head:last] = [[""] * len(row) for row in top[head:last]]
    parts = zip(*seen[head : last + 1], strict=True)
    top[last] = [" · ".join(dict.fromkeys(filter(None, names))) for names in parts]
    return top


def _first_of_names(top: list[CellRow], seen: list[CellRow], spans: Sequence[Span]) -> int | None:
    """The row that begins the names, if a merged cell is among them; a single cell or one above a gap is a title."""
    widths = Counter(width for row in seen if (width := sum(map(bool, row))) > 1)
    usual = max(widths, key=lambda width: (widths[width], width), default=0)
    for row in range(len(top) - 1):
        if sum(map(bool, top[row])) < 2 or sum(map(bool, seen[row])) < 0.6 * usual:
            continue
        if not any(first <= row <= last and left < right for (first, left), (last, right) in spans):
            return None
        if any(top[row + 1]) or _reaching(spans, row):
            return row
    return None


def _reaching(spans: Sequence[Span], row: int) -> set[int]:
    """The columns whose cells reach from a row into the next."""
    return {c for (one, left), (end, right) in spans if one <= row < end for c in range(left, right + 1)}


def _named_below(top: list[CellRow], seen: list[CellRow], spans: Sequence[Span], row: int) -> bool:
    """Whether the next row adds names to these, rather than being the first of the people.

    It does where it names each column below a merged cell, and something tells: what stands beside the merged cells
    reaches down to it or stands over nothing, its words stand over numbers, or it says the same below each.
    """
    reaching = _reaching(spans, row)
    if row + 1 >= len(top) or not any(top[row + 1]):
        return row + 1 < len(top) and bool(reaching)  # a row of names that is two rows high
    over = [range(left, right + 1) for (one, left), (end, right) in spans if one <= row == end and left < right]
    below = {c: cell for c, cell in enumerate(top[row + 1]) if cell and c not in reaching}
    named = [tuple(seen[row + 1][c] for c in each) for each in over if all(seen[row + 1][c] for c in each)]
    if not named or any(_is_number(cell) and not is_year(cell) for cell in below.values()):
        return False
    beside = {c for c, cell in enumerate(seen[row]) if cell and not any(c in each for each in over)}
    if beside and not beside & below.keys():
        return True
    words = not any(map(_is_number, below.values()))
    if words and any(_is_number(later[c]) for later in top[row + 2 :] for c in below):
        return True
    corner = any(not seen[row][c] for c in below)
    return len(named) > 1 and (corner or (len(set(named)) == 1 and len(set(named[0])) > 1))


def _is_number(cell: str) -> bool:
    try:
        return float(cell) == float(cell)
    except ValueError:
        return False


def is_year(cell: str) -> bool:
    """Whether a cell is a year, which may be a name."""
    return cell.isdecimal() and len(cell) == 4 and int(cell) in YEARS
