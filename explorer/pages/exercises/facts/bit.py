"""The findings of exercises about one bit from each."""

from __future__ import annotations

import math

from explorer.facts import Count, Facts, Level, Names, Number, Share, Term, Truth, below_all, written_alike
from explorer.facts.naming import title_of
from explorer.pages.exercises.facts.registry import facts
from ldpcore.experiments.exercises.bit import (
    BitAboutSpreadResult,
    BitAboutTwoResult,
    BitEstimateResult,
    LeftByChannelResult,
    Phi,
    ReportModulusResult,
    bit_size,
)

EQUAL = 1e-9  # in parts of a distance: what a sum may lose
SEEN = 0.005  # of a factor that is told to three digits


def _listed(phi: Phi) -> Names:
    """The values of a function, in the order of the answers."""
    return Names(tuple(Number(value) for value in phi), most=len(phi))


@facts.register
def _asking(result: BitAboutTwoResult) -> Facts:
    asked = result.experiment
    return {
        "epsilon": Level(asked.epsilon),
        "k": Count(asked.worlds.k),
        "phi": _listed(asked.phi),
        "z0": Number(bit_size(asked.phi, asked.epsilon)),
        "mean_first": Number(_clean(result.means[0])),
        "mean_second": Number(_clean(result.means[1])),
        "apart": Number(_clean(result.apart)),
        "left": Truth(Number(_clean(result.left))),
        "best": Truth(Number(_clean(result.most))),
        "bound": Truth(Number(_clean(result.bound))),
        "best_phi": Truth(_listed(result.best.values)),
        "part": Truth(below_all(result.half / result.best.attained, 2) if result.best.attained else Share(1.0)),
    }


def asking_case(result: BitAboutTwoResult) -> str:
    """Whether this function tells anything, and whether another tells more."""
    if not result.half:
        return "nothing" if result.best.attained else "same"
    return "best" if result.half >= result.best.attained * (1 - EQUAL) else "less"


@facts.register
def _estimate(result: BitEstimateResult) -> Facts:
    asked = result.experiment
    return {
        "epsilon": Level(asked.epsilon),
        "n": Count(asked.n),
        "phi": _listed(asked.phi),
        "mean": Number(_clean(result.mean)),
        "z0": Number(bit_size(asked.phi, asked.epsilon)),
        "size": Number(max(map(abs, asked.phi))),
        "spread": Truth(Number(result.spread)),
        "direct": Number(_clean(result.direct)),
        "plus": Truth(below_all(result.plus)),
    }


def estimate_case(result: BitEstimateResult) -> str:
    """Whether the error is larger than all that φ can differ by."""
    return "wide" if result.spread > 2 * max(map(abs, result.experiment.phi)) else "narrow"


@facts.register
def _halves(result: BitAboutSpreadResult) -> Facts:
    asked = result.experiment
    digits = max(3, 1 + math.ceil(math.log10(result.plus / (result.plus - result.alike))))  # that tell both apart
    return {
        "epsilon": Level(asked.epsilon),
        "spread": Number(asked.deviation),
        "square": Number(asked.deviation**2),
        "pull": Number(math.tanh(asked.epsilon / 2)),
        "plus": Truth(below_all(result.plus, digits)),
        "alike": Truth(Share(result.alike, digits)),
        "about_number": Share(result.about_number),
        "needed": Truth(Count(result.needed)),
    }


@facts.register
def _reports(result: ReportModulusResult) -> Facts:
    asked = result.experiment
    return {
        "epsilon": Level(asked.epsilon),
        "n": Count(asked.n),
        "near": Number(asked.n**-0.5),
        "direct": Number(result.direct),
        "private": Truth(Number(result.private)),
        "factor": Truth(Number(result.private / result.direct)),
        "z0": Number(1 / math.tanh(asked.epsilon / 2)),
    }


def reports_case(result: ReportModulusResult) -> str:
    """Whether the reports still exclude any pair of means, and whether they allow more than the numbers."""
    if result.everything:
        return "everything"
    return "more" if result.private >= (1 + SEEN) * result.direct else "equal"


@facts.register
def _differing(result: LeftByChannelResult) -> Facts:
    asked = result.experiment
    return {
        "epsilon": Level(asked.epsilon),
        "k": Count(asked.worlds.k),
        "mechanism": title_of(asked.slug),
        "apart": Number(_clean(result.apart)),
        "pull": Number(math.tanh(asked.epsilon / 2)),
        "bound": Number(_clean(result.bound)),
        "left": Truth(Number(_clean(result.left))),
        "part": Truth(below_all(result.left / result.bound, 2) if result.bound else Share(1.0)),
        "keeping": Truth(Term(f"cases.{_keeping(result)}")),
    }


def _keeping(result: LeftByChannelResult) -> str:
    """Whether there is anything to keep, and whether what is left is written as what there was."""
    if not result.apart:
        return "same"
    return "alike" if written_alike(_clean(result.left), _clean(result.apart)) else "apart"


def differing_case(result: LeftByChannelResult) -> str:
    """Whether the laws differ, and whether a mechanism leaves all that its level may."""
    if not result.apart:
        return "same"
    return "all" if result.left >= result.bound * (1 - EQUAL) else "less"


def _clean(value: float) -> float:
    """A sum of a few products without what rounding has left of nothing."""
    return round(value, 12)
