"""What a verdict says: which sentence holds, and the numbers in it, written for people. Nothing is decided here that
the core has not decided."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from explorer.numbers import exact, people, percent, significant, times
from explorer.ui.prose import plain
from ldpcore.audit import LARGEST, best_power, power_bound
from ldpcore.broken.central import BoundedNoiseCount, GaussianWithoutDelta
from ldpcore.channels import Finite, Pair
from ldpcore.experiments.verify import AuditPath, AuditResult, GalleryResult, MechanismVerdict, MergedMatrix
from ldpcore.matrices import Leak, largest_delta
from ldpcore.mechanisms.coins import TwoCoins

SLACK = 1e-9  # levels closer than this are equal: what rounding leaves of a tight bound
Words = Mapping[str, str]


def ratio(level: float) -> str:
    """e^level with as many digits as tell it from 1: `2.718`, `1.0101`, `1.000001`."""
    if not math.isfinite(level) or level > LARGEST:
        return "∞"
    return times(level, 4 if level > 0.1 else min(3 - math.floor(math.log10(level)), 12)) if level > 0 else "1"


def level(epsilon: float) -> str:
    """A level that somebody chose in full, a computed one to four digits."""
    short = exact(epsilon) if math.isfinite(epsilon) else "∞"
    return short if len(short) <= 6 else significant(epsilon, 4)


def case(verdict: MechanismVerdict) -> str:
    """Which of the answers holds for a mechanism."""
    claim, real = verdict.claim, verdict.level
    if claim.delta > 0 and verdict.keeps:
        return "delta"
    if math.isinf(real) and math.isinf(claim.epsilon):
        return "none"
    if real > claim.epsilon * (1 + SLACK):
        return "broken"
    if real <= SLACK * max(claim.epsilon, SLACK):
        return "trivial"
    return "kept" if real >= claim.epsilon * (1 - SLACK) else "room"


def told(verdict: MechanismVerdict, words: Words) -> dict[str, str]:
    """The numbers of a verdict, and the place where its ratio is largest."""
    claim, (first, second) = verdict.claim, verdict.pair
    return {
        "ratio": ratio(verdict.level), "level": level(verdict.level), "claim": level(claim.epsilon),
        "allowed": ratio(claim.epsilon), "delta": people(claim.delta), "first": value(first), "second": value(second),
        "where": where(verdict, words), "mechanism": verdict.check.mechanism.title,
    }  # fmt: skip


def value(true: Any) -> str:
    """A person's true value in a sentence."""
    if isinstance(true, (int, float, np.number)):
        return exact(float(true)) if float(true) != int(true) else exact(int(true))
    text = str(true)
    return text if len(text) <= 24 else text[:23] + "…"


def where(verdict: MechanismVerdict, words: Words) -> str:
    """The reports at which the ratio is largest, as a part of a sentence."""
    channel, report = verdict.channel, verdict.witness.report
    if channel is not None:
        pair = channel.pair(*verdict.pair)
        ratios = np.abs(pair.ratios())
        return listed([str(channel.reports[at]) for at in np.flatnonzero(ratios >= ratios.max() * (1 - SLACK))], words)
    if isinstance(report, float):
        return plain(words["one"], {"some": value(report)})
    return words["classes"] if verdict.laws.outcomes else words["sorted"]


def drawing(verdict: MechanismVerdict) -> str:
    """How all reports can be shown: as a matrix, by what each report does to one value, or by their ratios."""
    if verdict.channel is not None:
        return "heat"
    return "losses" if verdict.factors is None else "factors"


def listed(names: Sequence[str], words: Words) -> str:
    """Some names of many: "at the reports 0, 1 and 14 others"."""
    count = len(names)
    if count == 1:
        return plain(words["one"], {"some": names[0]})
    if count <= 4:
        return plain(words["few"], {"some": ", ".join(names[:-1]), "last": names[-1]})
    return plain(words["many"], {"some": ", ".join(names[:3]), "others": people(count - 3)})


def stricter(verdict: MechanismVerdict, alpha: float) -> float:
    """The δ that the pair shown needs at a promise of α."""
    return verdict.check.mechanism.compare(*verdict.pair).delta(alpha)


def stricter_told(alpha: float, delta: float) -> dict[str, str]:
    """The smaller promise and what it needs."""
    return {"alpha": exact(alpha), "needed": significant(delta, 4)}


def power(laws: Pair, promise: float, delta: float, size: float) -> dict[str, str]:
    """How often a test that accuses the innocent at most so often may be right, and is."""
    allowed, reached = float(power_bound(size, promise, delta)), float(best_power(laws, size))
    return {"size": percent(size, 3), "allowed_power": percent(allowed, 4), "power": percent(reached, 4)}


def audited(result: AuditResult) -> dict[str, str]:
    """What the longest audit proves, and how often it saw the event that betrays."""
    bound = result.bounds[-1]
    own, other = bound.shares if bound.likelier == 0 else bound.shares[::-1]
    return {
        "trials": people(result.audit.trials[-1]), "proven": significant(bound.epsilon, 4),
        "confidence": percent(result.audit.confidence, 4),
        "own_share": percent(own, 3), "other_share": percent(other, 3),
    }  # fmt: skip


# --- a typed matrix --------------------------------------------------------------------------------------------------


def matrix_case(channel: Finite, leak: Leak, promise: float) -> str:
    """Which of the answers holds for a typed matrix."""
    if len(channel.matrix) == 1:
        return "single"
    if math.isinf(leak.amount):
        return "none"
    if leak.amount <= SLACK:
        return "trivial"
    return "kept" if leak.amount <= promise * (1 + SLACK) else "broken"


def matrix_told(channel: Finite, leak: Leak, promise: float) -> dict[str, str]:
    """The numbers of a typed matrix; rows and columns are counted from 1, as its complaints count them."""
    column = int(leak.reports[0]) + 1 if leak.reports.size else 1
    return {
        "ratio": ratio(leak.amount), "level": level(leak.amount), "promise": level(promise), "allowed": ratio(promise),
        "first": people(leak.value + 1), "second": people(leak.other + 1), "report": people(column),
        "rows": people(channel.matrix.shape[0]), "columns": people(channel.matrix.shape[1]),
    }  # fmt: skip


def matrix_stricter(channel: Finite, alpha: float) -> float:
    """The δ that the whole matrix needs at a promise of α."""
    return largest_delta(channel, alpha).amount


def merged_told(verdict: MergedMatrix) -> dict[str, str]:
    """The level before and after merging."""
    return {"before": level(verdict.leak.amount), "after": level(verdict.merged_leak.amount),
            "left": people(verdict.merged.matrix.shape[1])}  # fmt: skip


# --- the gallery -----------------------------------------------------------------------------------------------------


def gallery_told(result: GalleryResult, guesses: Sequence[bool | None]) -> dict[str, str]:
    """What the audits prove, and the score of the guesses so far."""
    right, given = result.score(guesses)
    total = len(result.exhibits)
    return {
        "total": people(total), "trials": people(result.gallery.trials), "right": people(right), "given": people(given),
        "caught": people(sum(exhibit.caught for exhibit in result.exhibits)), "left_open": people(total - given),
        "fakes": people(sum(not exhibit.sound for exhibit in result.exhibits)),
        "confidence": percent(result.gallery.confidence, 4),
    }  # fmt: skip


def gallery_case(result: GalleryResult, guesses: Sequence[bool | None], revealed: bool) -> str:
    """Which of the answers holds for the gallery."""
    if not revealed:
        return "covered"
    given = result.score(guesses)[1]
    return "open" if given < len(result.exhibits) else "revealed"


# --- tasks -----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _tasks() -> tuple[tuple[str, str], ...]:
    bounded, normal = BoundedNoiseCount(1.0), GaussianWithoutDelta(1.0)
    coins = TwoCoins.of_flips()
    proof = AuditPath(bounded, trials=(1000,)).run().bounds[0]
    return tuple({
        "bounded": level(bounded.guarantee().epsilon), "bounded_proven": significant(proof.epsilon),
        "normal": level(normal.guarantee().epsilon),
        "normal_delta": percent(normal.compare(*normal.worst()).delta(1.0), 3),
        "coins": level(coins.guarantee().epsilon), "coins_delta": percent(coins.compare(1, 0).delta(0.5), 3),
    }.items())  # fmt: skip


def tasks() -> dict[str, str]:
    """The numbers of the page's tasks: three mechanisms that never change."""
    return dict(_tasks())
