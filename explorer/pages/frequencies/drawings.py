"""One report, bit by bit: one person's truth, the chance of every bit, the report, and the beliefs after it.

While people predict, whose answer it was is not told: no line is marked as the own one, and none as a lie.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from explorer.facts import Count, Number, Quantity, Share
from explorer.facts.naming import called, opened
from explorer.figures.theme import PALETTE, Look
from explorer.text.catalogue import Words
from ldpcore.experiments.frequencies import CategoryReportResult
from ldpcore.experiments.named import PerhapsNamed
from ldpcore.mechanisms.base import FrequencyOracle
from ldpcore.mechanisms.bloomrandomizer import BloomRandomizer
from ldpcore.mechanisms.bloomreports import unpacked

MOST_LINES = 12
SUPPORTED_LINES = 5
FLIPPED = PALETTE[1]
ROW, CELL = 40, 30


@dataclass(frozen=True)
class Line:
    """One bit: its answer, whether it is truly set, its chance of being set, the report, and the belief after it."""

    label: Quantity
    before: bool
    chance: Quantity | None
    after: Quantity
    flipped: bool
    belief: float | None


@dataclass(frozen=True)
class Lines:
    """The bits that are shown, and the numbers of further ones and of set ones among these."""

    seen: tuple[Line, ...]
    more: int
    more_set: int


def lines(result: CategoryReportResult, names: tuple[str, ...], truth: bool = True) -> Lines:
    """The bits worth seeing: the own one, the best guess, some of the reported ones, and the first ones."""
    randomizer: Any = result.experiment.randomizer
    if isinstance(randomizer, BloomRandomizer):
        return _bloom_lines(result, randomizer)
    before, after, k = result.before, result.after, randomizer.k
    reported = np.flatnonzero(after) if after is not None else np.argsort(-np.asarray(result.report))
    own = (result.experiment.value,) if truth else ()
    places = _chosen(k, (*own, result.guess, *reported[:SUPPORTED_LINES].tolist()))
    seen = tuple(
        Line(
            called(v, k, names),
            bool(before[v]),
            _chance(randomizer, bool(before[v])),
            _reported(result, v),
            after is not None and bool(after[v] != before[v]),
            float(result.posterior[v]),
        )
        for v in places
    )
    more_set = 0 if after is None else int(after.sum() - after[list(places)].sum())
    return Lines(seen, k - len(seen), more_set)


def _bloom_lines(result: CategoryReportResult, randomizer: BloomRandomizer) -> Lines:
    """A word's bits in its cohort, before and after the noise; beliefs are about words and not about bits."""
    assert isinstance(result.report, np.void)
    cohort, after = unpacked(randomizer.design, result.report)
    before, noise = randomizer.design.bits[cohort, result.experiment.value], randomizer.reported
    wanted = (*np.flatnonzero(before).tolist(), *np.flatnonzero(after)[:SUPPORTED_LINES].tolist())
    places = _chosen(len(before), wanted)
    seen = tuple(
        Line(
            Count(bit + 1),
            bool(before[bit]),
            Share(noise.kept if before[bit] else noise.raised, 3),
            Count(int(after[bit])),
            bool(after[bit] != before[bit]),
            None,
        )
        for bit in places
    )
    return Lines(seen, len(before) - len(seen), int(after.sum() - after[list(places)].sum()))


def _chosen(size: int, wanted: Sequence[int]) -> tuple[int, ...]:
    """The wanted places and the first ones, at most `MOST_LINES`, in order."""
    return tuple(sorted(list(dict.fromkeys((*wanted, *range(min(size, MOST_LINES)))))[:MOST_LINES]))


def _chance(randomizer: Any, own: bool) -> Quantity | None:
    """The chance that a report supports the value."""
    if not isinstance(randomizer, FrequencyOracle):
        return None
    return Share(randomizer.p if own else randomizer.q, 3)


def _reported(result: CategoryReportResult, value: int) -> Quantity:
    """The report about a value."""
    if result.after is None:
        return Number(float(np.asarray(result.report)[value]))
    return Count(int(result.after[value]))


def report(result: PerhapsNamed[CategoryReportResult], look: Look, words: Words) -> str:
    """The bits one below the other, once for wide screens and once for phones."""
    bits = lines(*opened(result), look.truth)
    name = escape(words["alt"], quote=True)
    drawn = "".join(
        f'<div class="{kind}" role="img" aria-label="{name}">{_drawn(bits, look, words, width)}</div>'
        for kind, width in (("ldp-wide", 640), ("ldp-tall", 360))
    )
    rest = words.fill("more", more=Count(bits.more), more_set=Count(bits.more_set)) if bits.more else ""
    return drawn + (f'<p class="ldp-quiet">{escape(rest)}</p>' if rest else "")


def _drawn(bits: Lines, look: Look, words: Words, width: int) -> str:
    """A header and one line per bit; columns at fixed shares of the width."""
    at = [0.0, 0.36 * width, 0.51 * width, 0.68 * width, 0.76 * width]
    size = 16 if width > 400 else 13
    beliefs = any(line.belief is not None for line in bits.seen)
    heads = [
        ("answer" if beliefs else "bit", at[0], "start"),
        ("before", at[1], "middle"),
        ("chance", at[2], "middle"),
        ("after", at[3], "middle"),
        *([("belief", at[4], "start")] if beliefs else []),
    ]
    most = max((line.belief or 0.0 for line in bits.seen), default=1.0)
    inside = "".join(_text(x, 20, escape(words[key]), look.ink, size - 1, anchor) for key, x, anchor in heads)
    for index, line in enumerate(bits.seen):
        inside += _line(line, ROW * (index + 1), at, width, size, look, most, words)
    height = ROW * (len(bits.seen) + 1)
    return (
        f'<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg" aria-hidden="true" '
        f'direction="ltr" font-family="inherit">{inside}</svg>'
    )


def _line(
    line: Line, y: float, at: Sequence[float], width: int, size: int, look: Look, most: float, words: Words
) -> str:
    """One bit; the bar of the largest belief takes all the room there is."""
    middle, own = y + ROW / 2 + size / 3, line.before and look.truth
    letters, name = int(0.3 * width / (0.55 * size)), words.write(line.label)
    label = name if len(name) <= letters else name[: letters - 1] + "…"
    chance = "–" if line.chance is None else words.write(line.chance) if look.truth else words["waits"]
    before = words.write(Count(int(line.before))) if look.truth else words["waits"]
    after = words.write(line.after)
    drawn = _text(at[0], middle, escape(label), look.ink, size, "start", ' font-weight="700"' if own else "")
    drawn += _cell(at[1], y, before, own, False, size, look)
    drawn += _text(at[2], middle, escape(chance), look.ink, size, "middle")
    drawn += _cell(at[3], y, after, line.after == Count(1), line.flipped and look.truth, size, look)
    if line.belief is not None and not look.predicting:
        drawn += _belief(line.belief, at[4], y, (width - at[4] - 4.2 * size) / max(most, 1e-300), size, look, words)
    return drawn


def _belief(share: float, x: float, y: float, room: float, size: int, look: Look, words: Words) -> str:
    """The belief in an answer: a bar, and the share."""
    bar = (
        f'<rect x="{x:.1f}" y="{y + 12}" width="{max(room * share, 1):.1f}" height="{ROW - 24}" rx="3" '
        f'fill="{look.accent}"/>'
    )
    written = words.write(Share(share))
    return bar + _text(x + room * share + 6, y + ROW / 2 + size / 3, written, look.ink, size - 1, "start")


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
