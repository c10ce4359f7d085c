"""The devices in people's hands at the door: coins, dice or a disc, the instruction of each outcome, the cost."""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape
from typing import Any

from explorer.facts import Count
from explorer.figures.theme import PALETTE, Look
from explorer.text.catalogue import Words
from ldpcore.experiments.response import EXAMPLE_LEVELS, SurveyKitResult, SurveyPlanResult
from ldpcore.experiments.response.needed import people_factor
from ldpcore.mechanisms.devices import FACES, Device
from ldpcore.mechanisms.grr import RandomizedResponse

STYLE = """<style>
.ldp-device { display: flex; flex-wrap: wrap; gap: .9rem 2rem; align-items: center; align-content: center;
  min-height: min(var(--ldp-height, 20rem), 24rem); }
.ldp-device .ldp-rules { flex: 1 1 18rem; display: grid; gap: .9rem; }
.ldp-device .ldp-disc { flex: 1 1 15rem; }
.ldp-device .ldp-rule { display: grid; grid-template-columns: minmax(4rem, 13rem) 1fr; gap: .4rem 1rem;
  align-items: center; font-size: 1.1rem; }
.ldp-device svg { display: block; width: 100%; height: 3.1rem; }
.ldp-device .ldp-disc svg { height: min(18rem, var(--ldp-height, 18rem)); }
.ldp-device strong { display: block; }
.ldp-device .ldp-worth { flex: 1 1 100%; font-size: 1.1rem; }
.ldp-device .ldp-worth svg { height: clamp(2.2rem, 6vh, 4.5rem); margin-bottom: .3rem; }
</style>"""
VERDICTS = {"yes": PALETTE[1], "no": PALETTE[0], "truth": PALETTE[2]}
SIZE, GAP = 40, 8
LIED = "#D55E00"  # an answer that may be a lie, as in the crowd of reports
ACROSS, ASIDE, DOT = 24, 2, 0.8  # how much wider than high the dots are, where the others begin, and their size
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    6: ((-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)),
}


def device(result: SurveyKitResult, look: Look, words: Words) -> str:
    """The device with its rules, one below the other; of a spinner the disc too."""
    held = result.device
    disc = f'<div class="ldp-disc">{spinner(held, look, words)}</div>' if held.kind == "spinner" else ""
    body = "".join(_rule(*rule, look, words) for rule in rules(held, words))
    seen = f'{disc}<div class="ldp-rules">{body}</div>'
    return f'{STYLE}<div class="ldp-device" role="img" aria-label="{escape(words["held"])}">{seen}</div>'


def plan(result: SurveyPlanResult, kit: SurveyKitResult, look: Look, words: Words) -> str:
    """The device with its rules, and below it the cost: one honest answer beside its equivalent of others."""
    return f"{device(kit, look, words).removesuffix('</div>')}{_worth(kit.factor, look, words)}</div>"


def _worth(factor: float, look: Look, words: Words) -> str:
    """One honest answer as a dot, and its equivalent of answers that may be lies; a row of them is one dashed line."""
    n = 0 if look.predicting else math.ceil(factor - 1e-9)
    columns = max(math.ceil(math.sqrt(ACROSS * n)), 8)
    full, last = divmod(n, columns)
    rows = max(full + (last > 0), 1)
    ends = [*[columns] * full, *([last] if last else [])]
    lines = "".join(f"M{ASIDE} {row}H{ASIDE + end - 0.5}" for row, end in enumerate(ends))
    style = f'stroke-width="{DOT}" stroke-dasharray="0 1"'
    return (
        f'<div class="ldp-worth"><svg viewBox="-.5 -.5 {ASIDE + columns} {rows}" preserveAspectRatio="xMinYMid meet" '
        f'aria-hidden="true" stroke-linecap="round" fill="none"><path d="M0 {(rows - 1) / 2}h0" stroke="{look.ink}" '
        f'stroke-width="{DOT}"/><path d="{lines}" stroke="{LIED}" {style}/></svg>'
        f"{escape(words['honest'])} {escape(words['worth'])}</div>"
    )


def worth_table(result: SurveyPlanResult, kit: SurveyKitResult, look: Look, words: Words) -> list[list[object]]:
    """The numbers at α side by side: the factor, the people for the wish, and the worth of the present answers."""
    rows: list[list[object]] = [[words[f"row_{name}"] for name in ("level", "factor", "people", "worth")]]
    for level in EXAMPLE_LEVELS:
        best = RandomizedResponse(level)
        factor, people = people_factor(best, 0.5), result.experiment.people(best)
        rows.append([level, round(factor, 2), people, result.experiment.n / factor])
    return rows


def rules(held: Device, words: Words) -> Iterator[tuple[tuple[Any, ...], str, str]]:
    """The outcomes in words, and their instructions: a coin is heads or tails, a die its face, a color a part."""
    match held.rule:
        case "alike":
            mixed = (("heads", "tails") * held.count)[: held.count]
            yield ("heads",) * held.count, words.fill("all_heads", coins=Count(held.count)), "yes"
            yield ("tails",) * held.count, words.fill("all_tails", coins=Count(held.count)), "no"
            yield mixed, words["otherwise"], "truth"
        case "rare":
            yield ("heads",) * held.count, words.fill("all_heads", coins=Count(held.count)), "truth"
            yield ("heads",), words["then_heads"], "yes"
            yield ("tails",), words["then_tails"], "no"
        case "disc":
            for verdict in VERDICTS:
                yield (VERDICTS[verdict],), words[f"part_{verdict}"], verdict
        case _:
            yield from _dice(held, words)


def _dice(held: Device, words: Words) -> Iterator[tuple[tuple[Any, ...], str, str]]:
    low, high = held.forced, (FACES + 1) * held.count - held.forced
    if held.count == 1:
        faces = tuple(range(1, FACES + 1))
        yield faces[:low], words["low_faces"], "yes"
        yield faces[high - 1 :], words["high_faces"], "no"
        yield faces[low : high - 1], words["otherwise"], "truth"
        return
    yield (1, low - 1), words["low_sums"], "yes"
    yield (FACES, high - FACES), words["high_sums"], "no"
    yield (3, 4), words["otherwise"], "truth"


def _rule(seen: tuple[Any, ...], said: str, verdict: str, look: Look, words: Words) -> str:
    """One line: the picture, its chance, and the instruction."""
    width = len(seen) * (SIZE + GAP)
    marks = "".join(_mark(each, place * (SIZE + GAP) + GAP / 2, look, words) for place, each in enumerate(seen))
    picture = f'<svg viewBox="0 0 {width} {SIZE}" preserveAspectRatio="xMaxYMid meet" aria-hidden="true">{marks}</svg>'
    sentence = f"{escape(said)} <strong>{escape(words[f'say_{verdict}'])}</strong>"
    return f'<div class="ldp-rule"><div>{picture}</div><div>{sentence}</div></div>'


def _mark(seen: Any, x: float, look: Look, words: Words) -> str:
    """A coin, a die or a patch of color."""
    middle, box = x + SIZE / 2, f'stroke="{look.ink}" stroke-width="2"'
    if seen in ("heads", "tails"):
        fill = look.faint if seen == "heads" else look.paper
        return (
            f'<circle cx="{middle}" cy="{SIZE / 2}" r="{SIZE / 2 - 2}" fill="{fill}" {box}/>'
            f'<text x="{middle}" y="{SIZE / 2}" dy=".36em" text-anchor="middle" font-size="18" fill="{look.ink}">'
            f"{escape(words[seen])}</text>"
        )
    fill, pale = (seen, 0.55) if isinstance(seen, str) else (look.paper, 1)  # as pale as its part of the disc
    place = f'x="{x + 2}" y="2" width="{SIZE - 4}" height="{SIZE - 4}" rx="7"'
    face = f'<rect {place} fill="{fill}" fill-opacity="{pale}" {box}/>'
    pips = PIPS.get(seen, ())
    return face + "".join(
        f'<circle cx="{middle + 9 * dx}" cy="{SIZE / 2 + 9 * dy}" r="3.6" fill="{look.ink}"/>' for dx, dy in pips
    )


def spinner(held: Device, look: Look, words: Words) -> str:
    """The disc: a sector for yes, as large a one for no, the rest for the truth; a mark where the clip turns."""
    shares = {"yes": held.f, "no": held.f, "truth": 1 - 2 * held.f}
    start, sectors = 0.0, []
    for verdict, share in shares.items():
        sectors.append(_sector(start, share, VERDICTS[verdict], look, escape(words[f"part_{verdict}"])))
        start += share
    mark = f'<circle cx="0" cy="0" r="2.5" fill="{look.paper}" stroke="{look.ink}"/>'
    return f'<svg viewBox="-104 -104 208 208" aria-hidden="true">{"".join(sectors)}{mark}</svg>'


def _sector(start: float, share: float, color: str, look: Look, name: str) -> str:
    """A sector from a part of the turn on, with its name where there is room."""
    one, other, middle = (_at(part, 100) for part in (start, start + share, start + share / 2))
    large = int(share > 0.5)
    text = _at(start + share / 2, 60)
    label = (
        f'<text x="{text[0]:.1f}" y="{text[1]:.1f}" dy=".36em" text-anchor="middle" font-size="13" font-weight="600" '
        f'fill="{look.ink}">{name}</text>'
    )
    path = f"M0 0L{one[0]:.2f} {one[1]:.2f}A100 100 0 {large} 1 {other[0]:.2f} {other[1]:.2f}Z"
    if share > 1 - 1e-6:  # a sector of the whole disc is no path
        path = "M0 -100A100 100 0 1 1 -0.01 -100Z"
    shape = f'<path d="{path}" fill="{color}" fill-opacity=".55" stroke="{look.ink}" stroke-width="1"/>'
    return shape + (label if share > 0.04 and middle else "")


def _at(part: float, radius: float) -> tuple[float, float]:
    """A place on a circle, clockwise from the top."""
    angle = 2 * math.pi * part
    return radius * math.sin(angle), -radius * math.cos(angle)
