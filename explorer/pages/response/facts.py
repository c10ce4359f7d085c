"""The findings of the page about randomized response: the quantities of its results, under the names in its texts."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import singledispatch

from explorer.facts import (
    Count,
    Facts,
    Level,
    Noticeable,
    Number,
    Odds,
    PercentagePoints,
    Quantity,
    QuantityRange,
    Said,
    Share,
    Term,
    Truth,
    at_most,
    is_all,
)
from explorer.facts.odds import odds_at
from explorer.facts.recommendations import planned
from ldpcore.experiments import response
from ldpcore.experiments.frequencies.enclosing import Enclosing
from ldpcore.experiments.response import classes
from ldpcore.experiments.response.needed import people_factor

WHOLE = 0.9995  # to both sides, as it is written, leaves any share possible
SELDOM = 1e-6  # of a share below it no digits are told
CLEAR = math.log(999)  # from this level on one answer in a thousand or fewer is a coin's that lies


@singledispatch
def facts(result: object) -> Facts:
    """The quantities of a result."""
    raise TypeError(f"a result about randomized response must have its facts registered; got {type(result).__name__}")


def expected(people: float) -> Quantity:
    """An expected number of people: whole from a hundred on, so that it can be compared with a count."""
    return Count(round(people)) if 100 <= people < 1e15 else Number(round(people, 2))


def belief(share: float, apart: float, prior: float) -> Quantity:
    """The belief after an answer, with the digits that tell it from the belief before."""
    if 0 < share < SELDOM:
        return Noticeable(share, SELDOM)
    if 0 < prior < 1 and share == 1:  # what rounding has made of almost
        share = math.nextafter(1.0, 0.0)
    plain = apart == 0 or apart > 1e-3 or 1 - share < apart / 10
    return Share(share, 3) if plain else Share(share, spread=apart)


def reading(result: response.Estimated, *beside: object) -> str:
    """The case of an estimate: inside the shares, below or above them, far from them, or without any information.

    An estimate that is written like the nearest share is not told as one that no share can be.
    """
    if result.reading != "outside":
        return result.reading
    if abs(result.estimate - result.projected) < result.spread / 10:
        return "inside"
    return "below" if result.estimate < 0 else "above"


def _interval(ends: tuple[float, float], spread: float) -> QuantityRange:
    """Two ends, to the second digit of the spread or of the width, whichever is coarser."""
    digits = max(spread, (ends[1] - ends[0]) / 10 or 1e-3)  # of a point nobody reads more than a tenth of a per cent
    return QuantityRange(*(Share(end, spread=digits) for end in ends))


def _told(yes: int, n: int) -> Said:
    """The answers in words: how many of how many said yes, none of them, or the only person asked."""
    if n == 1:
        return Said.of(f"told.{'yes' if yes else 'no'}")
    return Said.of("told.some" if yes else "told.none", answered=Count(yes), n=Count(n))


def _estimated(result: response.Estimated) -> Facts:
    """The facts of every estimate."""
    question, spread = result.experiment, result.spread
    a, b = response.chances(question.design)
    return {
        "a": Share(a, spread=question.design.gap / 10),
        "b": Share(b, spread=question.design.gap / 10),
        "answered_share": Share(result.answered_yes / question.n, spread=question.design.gap / 10),
        "answered": Count(result.answered_yes),
        "n": Count(question.n),
        "told": (told := _told(result.answered_yes, question.n)),
        "opening": replace(told, key=told.key.replace("told", "opening")),
        "lies": expected(result.lies_alone),
        "estimate": Share(result.estimate, spread=spread),
        "interval": _interval(result.interval, spread),
        "projected": Share(result.projected, 3),
        "confidence": Share(question.confidence, 3),
        "level": Number(question.design.guarantee().epsilon, 4),
        "veiled": Term(f"cases.{'some' if question.design.guarantee().epsilon < CLEAR else 'none'}"),
    }


@facts.register
def _class(result: response.ClassSurveyResult) -> Facts:
    design = result.experiment.design
    first, second = response.coins_of(design)
    return {
        **_estimated(result),
        "alpha": Level(design.guarantee().epsilon),
        "true_yes": Truth(Count(result.experiment.yes)),
        "truth": Truth(Share(result.truth, spread=result.spread)),
        "share": Truth(Share(result.truth, 3)),
        "honest_yes": Truth(Count(result.yes_among_yes)),
        "deviation": PercentagePoints(result.standard_deviation, 3),
        "variance": Number(result.variance, 4),
        "first": Share(first, 3),
        "second": Share(second, 3),
    }


@facts.register
def _person(result: classes.ClassMemberResult) -> Facts:
    return {"person": Count(result.experiment.person)}


@facts.register
def _curator(result: classes.CuratorSurveyResult) -> Facts:
    return {
        "curator": Truth(_interval(result.interval, result.half_width)),
        "curator_width": PercentagePoints(result.half_width),
    }


@facts.register
def _real(result: response.RealAnswersResult) -> Facts:
    return {
        **_estimated(result),
        "sampled": _interval(result.sampled_interval, result.spread),
        "direct": _interval(result.direct_interval, result.spread),
        "silent": Count(result.experiment.silent),
        "invited": Count(result.experiment.n + result.experiment.silent),
        "worst": _interval(result.worst_interval, result.spread),
        "sampled_worst": _interval(result.sampled_worst_interval, result.spread),
    }


@facts.register
def _enclosing(result: Enclosing) -> Facts:
    return {"meant": Term("cases.everybody" if result.sampled else "cases.asked")}


@facts.register
def _deniability(result: response.DeniabilityResult) -> Facts:
    prior = result.experiment.prior
    return {
        "prior": Share(prior, 3),
        "believed": Term(f"cases.{'nobody' if prior == 0 else 'everybody' if prior == 1 else 'some'}"),
        "most": (most := _highest(result.most, prior)),
        "raised": Term(f"cases.{_raised(most, prior)}"),
        "after_yes": _after(result.chosen_after_yes, prior),
        "after_no": _after(result.chosen_after_no, prior),
        "ratio": odds_at(result.experiment.design.guarantee().epsilon),
    }


def _raised(most: Quantity, prior: float) -> str:
    """How far an answer may lift a belief: to practical certainty, some way, or nowhere where all are alike."""
    if prior in (0, 1):
        return "nowhere"
    return "certain" if isinstance(most, Term) else "some"


def _highest(share: float, prior: float) -> Quantity:
    """The largest belief after an answer: a number, or all but everything."""
    if is_all(share) and prior < 1:
        return Term("cases.certain")
    sure = belief(share, abs(share - prior), prior)
    return at_most(share) if isinstance(sure, Share) and sure.spread is None else sure


def _after(share: float, prior: float) -> Quantity:
    """The belief after an answer; after one that never comes, the belief before."""
    share = prior if math.isnan(share) else share
    return belief(share, abs(share - prior), prior)


@facts.register
def _surveys(result: classes.SurveyHistogramResult) -> Facts:
    return {
        "impossible": Truth(Share(result.impossible, 3)),
        "often": Truth(Term("cases.seldom" if result.impossible < SELDOM else "cases.sometimes")),
        "repeats": Count(result.experiment.survey.repeats),
        "outside": Count(result.outside),
        "unit": Number(100 * result.unit, 1),
    }


@facts.register
def _needed(result: response.RandomizationFactorResult) -> Facts:
    return {
        "factor": Number(result.factor),
        "instead": expected(result.instead),
        "worth": _worth(result.effective),
    }


def _worth(people: float) -> Quantity:
    """The worth of the randomized answers in direct ones."""
    return expected(people) if people >= 1 else Noticeable(people, 0.01)


@facts.register
def _coins(result: response.CoinDesignResult) -> Facts:
    a, b = response.chances(result.experiment.design)
    return {
        "a": Share(a, 3),
        "b": Share(b, 3),
        "level": Number(result.level, 4),
        "error": PercentagePoints(result.standard_deviation, 3),
        "least": PercentagePoints(result.best_standard_deviation, 3),
        "waste": Number(result.waste),
        "best": Share(result.best.p if result.best else 1.0, 3),
    }


@facts.register
def _kit(result: response.SurveyKitResult) -> Facts:
    device, question = result.device, result.experiment.plan
    return {
        "alpha": Level(result.experiment.epsilon),
        "level": Number(result.level, 4),
        "kept": Term("cases.kept" if result.kept else "cases.more"),
        "keeping": Term(f"cases.{'' if result.kept else 'no_'}{device.kind}"),
        "thin": Term(
            "cases.thin" if device.kind == "spinner" and min(device.f, 1 - 2 * device.f) < 0.01 else "cases.wide"
        ),
        "device": Term(f"cases.{device.kind}"),
        "coins": Count(device.count),
        "tossed": Count(device.count + (device.rule == "rare")),
        "dice": Count(device.count),
        "upto": Count(device.forced),
        "onward": Count(7 * device.count - device.forced),
        "forced": belief(device.f, 0, 0.5),
        "honest": belief(1 - 2 * device.f, 2 * device.f, 0.5),
        "sure": belief(result.sure, device.f, 0.5),
        "prior": Share(0.1),
        "after_yes": belief(result.after(0.1, yes=True), 0, 0.1),
        "after_no": belief(result.after(0.1, yes=False), 0, 0.1),
        "times": odds_at(result.level),
        "factor": Number(result.factor),
        "held": Number(result.level, 4),
        "held_odds": Odds(result.level),
        "held_sure": belief(result.sure, device.f, 0.5),
        "crowd": Said.of(f"crowd.{result.experiment.crowd}", n=Count(question.n if question else 1)),
        "whom": Term(f"crowds.{result.experiment.crowd}"),
        **(_with_device(result, question) if question else {}),
    }


def _with_device(result: response.SurveyKitResult, plan: response.SurveyPlan) -> Facts:
    """The plan with the device in people's hands."""
    return {
        "n": Count(plan.n),
        "confidence": Share(plan.confidence, 3),
        "fewer": Term(f"cases.{'some' if plan.unanswered else 'none'}"),
        "coming": Count(plan.answers),
        "wider": Term(f"cases.{'wider' if result.wider else 'same'}"),
        "remedy": Term(f"cases.{_remedy(result, plan)}"),
        "held_reach": PercentagePoints(result.reach, 3),
        "held_people": Count(result.people or 0),
        "instead": Term(f"instead.{'_'.join(result.nearer) or 'spinner'}"),
    }


def _remedy(result: response.SurveyKitResult, plan: response.SurveyPlan) -> str:
    """The remedy where a device makes a plan's interval wider: more people, or only another device."""
    if not result.wider:
        return "none"
    return "ask" if plan.sampled else "take"


@facts.register
def _plan(result: response.SurveyPlanResult) -> Facts:
    return {
        "width": PercentagePoints(result.experiment.width, 3),
        "reach": PercentagePoints(result.width, 3),
        "reaching": Term("cases.far" if result.width >= WHOLE else "cases.near"),
        "needed": planned(result.epsilon) if result.said is None else Level(result.said),
        "people": Count(result.people or 0),
        "worth": _worth(result.experiment.n / people_factor(result.experiment.design, 0.5)),
        "truthful": PercentagePoints(result.truthful, 3),
        "truthful_people": Count(result.truthful_people or 0),
        "honest": Term("cases.same" if result.people == result.truthful_people else "cases.fewer"),
        "meant": Term("cases.everybody" if result.experiment.sampled else "cases.asked"),
    }
