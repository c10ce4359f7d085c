"""The making of a release, drawn for *Why*: data, question, noise, and the number that leaves the curator.

Without a curator noise comes first: a report leaves each person, and the answer is estimated from all of them.
Drawn twice: side by side for wide screens, one below the other for phones.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from explorer.figures.theme import Look
from explorer.settings.noises import noises
from explorer.text.catalogue import Words

BOXES = ("data", "question", "noise", "release")  # in the order in which a release is made; the last one has left
ALONE = ("people", "chance", "reports", "estimate")  # without a curator; the last two have left
HIGH, EDGE = 120, 12  # how high a box is, and how far from them the line lies around what the curator alone sees
BESIDE, BELOW = (210, 52), (340, 44)  # how wide a box is, and the gap to the next one, in either copy
LARGEST, LETTERS = 32, 1.6  # the letters of a number, and how many of their sizes a letter of a long one takes
CURATOR, PERSON = "#009E73", "#0072B2"  # the lines around what the curator sees alone, or each person


def flow(why: str, look: Look, words: Words) -> str:
    """The four steps of one release with the present numbers, and of hidden ones a question mark.

    Nothing is drawn above any other formula, as of two releases and their ratio.
    """
    if why in ("why local", "why local number"):
        return _both(ALONE, 2, look, words)
    return _both(BOXES, 3, look, words) if {*why.split()} <= {"why", *noises(True)} else ""


def _both(names: tuple[str, ...], kept: int, look: Look, words: Words) -> str:
    """Both copies of the steps, of which the first ones are `kept` from everybody else."""
    alt, (wide, across), (tall, down) = escape(words[f"{names[-1]}_alt"]), BESIDE, BELOW
    beside = [(place * (wide + across), 0) for place in range(len(names))]
    below = [(0, place * (HIGH + down)) for place in range(len(names))]
    copies = (
        ("ldp-wide", _drawn(names, kept, beside, wide, (across, 0), look, words)),
        ("ldp-tall", _drawn(names, kept, below, tall, (0, down), look, words)),
    )
    return "".join(f'<div class="{kind}" role="img" aria-label="{alt}">{copy}</div>' for kind, copy in copies)


def _drawn(
    names: tuple[str, ...],
    kept: int,
    corners: list[tuple[int, int]],
    width: int,
    gap: tuple[int, int],
    look: Look,
    words: Words,
) -> str:
    """Boxes at these corners, an arrow over each gap, and the line around those that are kept."""
    (x, y), (right, down) = corners[kept - 1], corners[-1]
    boxes = (_box(name, *corner, width, look, words) for name, corner in zip(names, corners, strict=True))
    arrows = (_arrow(corner, width, gap, look) for corner in corners[1:])
    color = CURATOR if names is BOXES else PERSON
    fence = (
        f'<rect x="{-EDGE}" y="{-EDGE}" width="{x + width + 2 * EDGE}" height="{y + HIGH + 2 * EDGE}" rx="16" '
        f'fill="{color}" fill-opacity="0.08" stroke="{color}" stroke-width="2.5" stroke-dasharray="9 7"/>'
    )
    size = (right + width + 2 * EDGE + 4, down + HIGH + 2 * EDGE + 4)
    return (
        f'<svg viewBox="{-EDGE - 2} {-EDGE - 2} {size[0]} {size[1]}" xmlns="http://www.w3.org/2000/svg" '
        f'aria-hidden="true" style="max-width:{size[0]}px" direction="ltr" text-anchor="middle" font-family="inherit">'
        f"{''.join((fence, *boxes, *arrows))}</svg>"
    )


def _box(name: str, x: int, y: int, width: int, look: Look, words: Words) -> str:
    """One step: its name, its number, and a word on it."""
    number, middle = words[f"{name}_number"], x + width / 2
    size = min(LARGEST, LETTERS * (width - 20) / max(len(number), 1))
    lines: Iterable[tuple[str, float, float, int, str]] = (
        (words[name], 30, 19, 400, look.ink),
        (number, 68, size, 600, look.accent),
        (words[f"{name}_note"], 100, 17, 400, look.ink),
    )
    texts = (
        f'<text x="{middle:g}" y="{y + down:g}" font-size="{letters:.3g}" font-weight="{weight}" fill="{color}">'
        f"{escape(text)}</text>"
        for text, down, letters, weight, color in lines
    )
    return (
        f'<rect x="{x + 1}" y="{y + 1}" width="{width - 2}" height="{HIGH - 2}" rx="12" fill="{look.paper}" '
        f'stroke="{look.ghost}" stroke-width="1.5"/>{"".join(texts)}'
    )


def _arrow(corner: tuple[int, int], width: int, gap: tuple[int, int], look: Look) -> str:
    """An arrow that ends at the box of this corner, over the gap before it."""
    (x, y), (across, down) = corner, gap
    end = (x - 5, y + HIGH / 2) if across else (x + width / 2, y - 4)
    start = (end[0] - across + 10, end[1]) if across else (end[0], end[1] - down + 8)
    feather = ((-11, -7), (-11, 7)) if across else ((-7, -11), (7, -11))
    head = " ".join(f"{end[0] + dx:g},{end[1] + dy:g}" for dx, dy in ((0, 0), *feather))
    return (
        f'<line x1="{start[0]:g}" y1="{start[1]:g}" x2="{end[0]:g}" y2="{end[1]:g}" stroke="{look.ink}" '
        f'stroke-width="2.5"/><polygon points="{head}" fill="{look.ink}"/>'
    )
