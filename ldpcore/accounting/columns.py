"""A ledger as a table: a line of names (English, German or Persian), then a line for each release, as programs save it.

`read_rows` takes both, lines as people type them and a table whose columns are named; a ledger kept in a
spreadsheet is saved as CSV, or its cells are copied.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from ldpcore.accounting.lines import (
    LEVELED,
    MOST_LETTERS,
    MOST_ROWS,
    NORMAL_RHO,
    LedgerRow,
    Raw,
    dated,
    kind_of,
    made,
    number_in,
    read_lines,
    sigma_of,
)
from ldpcore.parameters import ParameterError
from ldpcore.reading.notations import UNSEEN, spelled_alike

_HEADS: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "day": ("day", "date", "datum", "tag", "روز", "تاریخ"),
        "name": "name, question, release, bezeichnung, frage, veröffentlichung, نام, عنوان, پرسش, انتشار".split(", "),
        "kind": (
            *("noise", "kind", "mechanism", "rauschen", "art", "mechanismus", "verfahren"),
            *"نویز, نوع, نوع نویز, مکانیزم".split(", "),
        ),
        "level": "level, epsilon, ε, eps, alpha, α, niveau, سطح, سطح محرمانگی, اپسیلون, آلفا".split(", "),
        "delta": ("delta", "δ", "دلتا"),
        "sigma": ("sigma", "σ", "سیگما"),
        "rho": ("rho", "ρ", "رو"),
        "rate": "rate, q, sampling rate, share, anteil, سهم, نرخ".split(", "),
        "times": "times, how often, count, wie oft, anzahl, دفعات, تعداد, تعداد دفعات, چند بار".split(", "),
    }
)
_NAMED: Mapping[str, str] = MappingProxyType({word: name for name, words in _HEADS.items() for word in words})
_SIZES = ("level", "sigma", "rho")


def read_rows(text: str) -> tuple[LedgerRow, ...]:
    """The rows of a text: of a table where its first line names a size, else of lines."""
    if len(text) > MOST_LETTERS:
        raise ParameterError("text_long", most=MOST_LETTERS, got=len(text))
    text = text.removeprefix("\ufeff").translate(UNSEEN)
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1)]
    lines = [(number, line) for number, line in lines if line.strip() and not line.lstrip().startswith("#")]
    if lines and lines[0][1].startswith("sep="):  # as some spreadsheets begin
        del lines[0]
    separator = _separator(*lines[0]) if lines else ""
    if not separator:
        return read_lines(text)
    if len(lines) - 1 > MOST_ROWS:
        raise ParameterError("rows_many", most=MOST_ROWS, got=len(lines) - 1)
    heads = _heads(_cells(*lines[0], separator))
    rows = (_row(number, line, heads, _cells(number, line, separator)) for number, line in lines[1:])
    return tuple(row for row in rows if row is not None)


def _separator(number: int, line: str) -> str:
    """The separator of a table's columns in its line of names; none where the line is no such one."""
    return next((sign for sign in "\t;,|؛،" if set(_heads(_cells(number, line, sign))) & set(_SIZES)), "")


def _cells(number: int, line: str, separator: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=separator))]
    except csv.Error:  # a cell longer than any
        raise ParameterError("row_unread", line=number, got=line[:40]) from None


def _heads(cells: Sequence[str]) -> dict[str, int]:
    """The column of each known name; none of a line of a single word, or with a number in it."""
    if len(cells) < 2 or any(number_in(cell) is not None for cell in cells):
        return {}
    named = ((_NAMED.get(spelled_alike(cell)), place) for place, cell in enumerate(cells))
    return {name: place for name, place in reversed(list(named)) if name is not None}


def _row(number: int, line: str, heads: Mapping[str, int], cells: Sequence[str]) -> LedgerRow | None:
    """One line of the table; none where nothing is released in it, as in a line of totals."""
    said = {name: cells[place] for name, place in heads.items() if place < len(cells) and cells[place]}
    sizes = [name for name in _SIZES if name in said]
    kind = kind_of(said.get("kind", ""))
    if not sizes:
        if set(said) - {"name", "day"} or kind is None:
            raise ParameterError("row_unread", line=number, got=line[:40])
        return None
    if kind in ("gauss", "any") and sizes == ["sigma"]:
        kind = "sampled" if number_in(said.get("rate", "")) not in (None, 1.0) else "sigma"
    if kind == "any" and sizes == ["rho"]:
        kind = "zcdp"
    if kind == "gauss" and sizes == ["rho"]:
        kind = NORMAL_RHO
    wanted = {"sigma": "sigma", "sampled": "sigma", "zcdp": "rho", NORMAL_RHO: "rho"}.get(kind or "", "level")
    size, times = number_in(said.get(wanted, "")), number_in(said.get("times", "1"))
    delta = number_in(said.get("delta", "0"))
    if kind not in (None, *LEVELED) and delta != 0:
        raise ParameterError("row_delta", line=number, got=line[:40])
    second = number_in(said.get("rate", "0")) if kind == "sampled" else delta
    whole = times is not None and math.isfinite(times) and times == int(times)
    if number_in(said.get("rate", "1")) is None:
        kind = None
    if kind is None or size is None or second is None or times is None or not whole:
        raise ParameterError("row_unread", line=number, got=line[:40])
    if kind == NORMAL_RHO:
        kind, size = "sigma", sigma_of(size)
    day, _ = dated(said.get("day", ""))
    return made(number, line, Raw(said.get("name", "")[:60], kind, size, second, int(times), day))
