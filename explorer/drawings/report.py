"""One report, bit by bit: one person's truth, the chance of every bit, the report, and what it makes others think."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.figures.theme import PALETTE, Look
from explorer.numbers import people, percent, significant
from ldpcore.experiments.frequencies import OneReportResult
from ldpcore.mechanisms.base import FrequencyOracle
from ldpcore.mechanisms.bloomrandomizer import BloomRandomizer
from ldpcore.mechanisms.bloomreports import unpacked
from ldpcore.mechanisms.grr import DirectAnswer

Words = Mapping[str, str]
MOST_LINES = 12
SUPPORTED_LINES = 5
FLIPPED = PALETTE[1]
ROW, CELL = 40, 30
FORMS = ("value", "number", "set", "bits", "numbers", "cell", "bloom", "other")


@dataclass(frozen=True)
class Line:
    """One bit: whose it is, whether it is truly set, with which chance it would be, what is reported, what follows."""

    label: str
    before: bool
    chance: str
    after: str
    flipped: bool
    belief: float | None


@dataclass(frozen=True)
class Lines:
    """The bits that are shown, and how many more there are, so many of them set."""

    shown: tuple[Line, ...]
    more: int
    more_set: int


def form(result: OneReportResult) -> str:
    """What a report is, told by its shape: a value, a number, a set, bits, noisy numbers, a cell, Bloom bits."""
    report, fields = result.report, getattr(result.report, "dtype", np.dtype(int)).names
    if fields:
        return {"seed cell": "cell", "cohort bits": "bloom"}.get(" ".join(fields), "other")
    if isinstance(result.experiment.randomizer, DirectAnswer):
        return "value"
    array = np.asarray(report)
    if array.ndim == 0:
        return "number"
    return {"f": "numbers"}.get(array.dtype.kind, "bits" if array.dtype == np.uint8 else "set")


def written(result: OneReportResult, names: Sequence[str]) -> dict[str, str]:
    """The report in words, by the names under which the texts of its form ask for it."""
    report, kind = result.report, form(result)
    told = {"k": people(len(names))}
    if kind == "value":
        told["reported"] = names[int(report)]
    elif kind == "number":
        told["reported"] = people(int(report))
    elif kind == "set":
        told["reported"] = ", ".join(names[index] for index in report[:8]) + (", …" if len(report) > 8 else "")
        told["size"] = people(len(report))
    elif kind == "bits" and result.after is not None:
        told["reported"] = _digits(result.after)
    elif kind == "cell":
        told |= {"cell": people(int(report["cell"]) + 1), "seed": f"{int(report['seed']):016x}"}
    elif kind == "bloom":
        told["cohort"] = people(int(report["cohort"]) + 1)
    return told


def _digits(bits: NDArray[np.bool_], most: int = 24) -> str:
    return "".join("1" if bit else "0" for bit in bits[:most]) + ("…" if len(bits) > most else "")


def lines(result: OneReportResult, names: Sequence[str]) -> Lines:
    """The bits worth seeing: the own one, the best guess, some that are reported, and the first ones."""
    randomizer: Any = result.experiment.randomizer
    if isinstance(randomizer, BloomRandomizer):
        return _bloom_lines(result, randomizer)
    before, after = result.before, result.after
    reported = np.flatnonzero(after) if after is not None else np.argsort(-result.report)
    places = _chosen(len(names), (result.experiment.value, result.guess, *reported[:SUPPORTED_LINES].tolist()))
    shown = tuple(
        Line(
            names[v], bool(before[v]), _chance(randomizer, bool(before[v])), _reported(result, v),
            after is not None and bool(after[v] != before[v]), float(result.posterior[v]),
        )
        for v in places
    )  # fmt: skip
    more_set = 0 if after is None else int(after.sum() - after[list(places)].sum())
    return Lines(shown, len(names) - len(shown), more_set)


def ending(result: OneReportResult, found: Lines) -> str:
    """Which text follows: for noisy numbers, for all the bits, for some of them."""
    if form(result) == "numbers":
        return "numbers"
    return "more" if found.more else "whole"


def _bloom_lines(result: OneReportResult, randomizer: BloomRandomizer) -> Lines:
    """A word's bits in its cohort, before and after the noise; beliefs are about words and not about bits."""
    cohort, after = unpacked(randomizer.design, result.report)
    before, noise = randomizer.design.bits[cohort, result.experiment.value], randomizer.reported
    wanted = (*np.flatnonzero(before).tolist(), *np.flatnonzero(after)[:SUPPORTED_LINES].tolist())
    places = _chosen(len(before), wanted)
    shown = tuple(
        Line(
            people(bit + 1), bool(before[bit]), percent(noise.kept if before[bit] else noise.raised, 3),
            str(int(after[bit])), bool(after[bit] != before[bit]), None,
        )
        for bit in places
    )  # fmt: skip
    return Lines(shown, len(before) - len(shown), int(after.sum() - after[list(places)].sum()))


def _chosen(size: int, wanted: Sequence[int]) -> tuple[int, ...]:
    """The wanted places and the first ones, at most `MOST_LINES`, in order."""
    return tuple(sorted(list(dict.fromkeys((*wanted, *range(min(size, MOST_LINES)))))[:MOST_LINES]))


def _chance(randomizer: Any, own: bool) -> str:
    """The chance that a report supports the value."""
    if not isinstance(randomizer, FrequencyOracle):
        return "–"
    return percent(randomizer.p if own else randomizer.q, 3)


def _reported(result: OneReportResult, value: int) -> str:
    """What the report says about a value."""
    return significant(float(result.report[value]), 3) if result.after is None else str(int(result.after[value]))


def report(found: Lines, look: Look, words: Words) -> str:
    """The bits one below the other, once for wide screens and once for phones."""
    name = escape(words["alt"], quote=True)
    return "".join(
        f'<div class="{kind}" role="img" aria-label="{name}">{_drawn(found, look, words, width)}</div>'
        for kind, width in (("ldp-wide", 640), ("ldp-tall", 360))
    )


def _drawn(found: Lines, look: Look, words: Words, width: int) -> str:
    """A header and one line per bit; columns at fixed shares of the width."""
    at = [0.0, 0.36 * width, 0.47 * width, 0.66 * width, 0.74 * width]
    size = 16 if width > 400 else 13
    beliefs = any(line.belief is not None for line in found.shown)
    heads = [
        ("answer" if beliefs else "bit", at[0], "start"), ("before", at[1], "middle"),
        ("chance", (at[2] + at[3] - CELL) / 2, "middle"), ("after", at[3], "middle"),
        *([("belief", at[4], "start")] if beliefs else []),
    ]  # fmt: skip
    most = max((line.belief or 0.0 for line in found.shown), default=1.0)
    inside = "".join(_text(x, 20, escape(words[key]), look.ink, size - 1, anchor) for key, x, anchor in heads)
    for index, line in enumerate(found.shown):
        inside += _line(line, ROW * (index + 1), at, width, size, look, most)
    height = ROW * (len(found.shown) + 1)
    return (
        f'<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg" aria-hidden="true" '
        f'font-family="inherit">{inside}</svg>'
    )


def _line(line: Line, y: float, at: Sequence[float], width: int, size: int, look: Look, most: float) -> str:
    """One bit; the bar of the largest belief takes all the room there is."""
    middle = y + ROW / 2 + size / 3
    letters = int(0.3 * width / (0.55 * size))
    label = line.label if len(line.label) <= letters else line.label[: letters - 1] + "…"
    weight = ' font-weight="700"' if line.before else ""
    drawn = _text(at[0], middle, escape(label), look.ink, size, "start", weight)
    drawn += _cell(at[1], y, "1" if line.before else "0", line.before, False, size, look)
    drawn += _text((at[2] + at[3] - CELL) / 2, middle, escape(line.chance), look.ink, size, "middle")
    drawn += _cell(at[3], y, line.after, line.after == "1", line.flipped, size, look)
    if line.belief is not None:
        room = (width - at[4] - 4.2 * size) / max(most, 1e-300)
        drawn += (
            f'<rect x="{at[4]:.1f}" y="{y + 12}" width="{max(room * line.belief, 1):.1f}" height="{ROW - 24}" rx="3" '
            f'fill="{look.accent}"/>'
        )
        drawn += _text(at[4] + room * line.belief + 6, middle, percent(line.belief, 2), look.ink, size - 1, "start")
    return drawn


def _cell(x: float, y: float, digit: str, filled: bool, flipped: bool, size: int, look: Look) -> str:
    """A bit as a square: filled where it is one, with a dashed frame where it is not the truth."""
    stroke, wide, dash = (FLIPPED, 4, ' stroke-dasharray="6 3"') if flipped else (look.ghost, 1.5, "")
    fill, ink = (look.accent, look.paper) if filled else (look.paper, look.ink)
    across = max(CELL, 0.62 * size * len(digit) + 8)
    return (
        f'<rect x="{x - across / 2:.1f}" y="{y + (ROW - CELL) / 2}" width="{across:.1f}" height="{CELL}" rx="5" '
        f'fill="{fill}" stroke="{stroke}" stroke-width="{wide}"{dash}/>'
        + _text(x, y + ROW / 2 + size / 3, escape(digit), ink, size, "middle")
    )


def _text(x: float, y: float, inside: str, color: str, size: float, anchor: str, more: str = "") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{color}" text-anchor="{anchor}"{more}>{inside}</text>'
    )
