"""The findings of the page about counting: the quantities of its results, under the names in its texts."""

from __future__ import annotations

import math
from functools import singledispatch

import numpy as np

from explorer.facts import (
    All,
    Count,
    Exact,
    Facts,
    Level,
    Name,
    Names,
    Noticeable,
    Number,
    Quantity,
    QuantityRange,
    Said,
    Share,
    Term,
    Truth,
    at_most,
    likeness,
    near,
    precise,
    reached,
)
from explorer.facts.naming import short_of, title_of
from explorer.facts.noising import case_of, follows, noise_facts, reports_facts
from explorer.facts.recommendations import planned
from explorer.pages.counting import bounds
from explorer.pages.counting.settings import SURE
from ldpcore.estimating.estimatedanswers import EstimatedAnswer
from ldpcore.experiments.averaging.running import AveragingResult
from ldpcore.experiments.counting import neighbors
from ldpcore.experiments.counting import releases as counting
from ldpcore.experiments.counting.alone import EstimatesInCrowdsResult, OneEstimateResult, ReportBetsResult
from ldpcore.experiments.counting.bounding import BoundedSumResult
from ldpcore.experiments.counting.comparing import Entrant, ErrorsAlongLevelsResult, ErrorsAtLevelResult
from ldpcore.experiments.counting.fromtruth import FromTruthResult
from ldpcore.experiments.counting.ratios import RatioOfReleasesResult
from ldpcore.experiments.counting.releasednumber import ReleasedNumberResult
from ldpcore.experiments.counting.tableplan import Cell, CellPart, TablePlanResult, Valued
from ldpcore.experiments.recommending import sayable
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.mechanisms.noisyanswers import NoisyAnswers

APART = 5e-9  # to either side: two shares that far apart are written differently


@singledispatch
def facts(result: object) -> Facts:
    """The quantities of a result."""
    raise TypeError(f"a result about counting must have its facts registered; got {type(result).__name__}")


def _noise(noise: NoisyAnswers) -> Facts:
    """The quantities of the noise, whatever is asked."""
    if isinstance(noise, EstimatedAnswer):
        return reports_facts(noise)
    assert isinstance(noise, AdditiveNoise)
    return {
        "epsilon": Level(noise.epsilon),
        "scale": Number(noise.scale),
        "sensitivity": Number(noise.sensitivity),
        "deviation": Number(noise.standard_deviation()),
        "error": Count(noise.mean_absolute_error()),
        "relation": Term(f"neighbors.{noise.neighbors}"),
        **noise_facts(noise),
    }


Noisy = (
    neighbors.TwoTablesResult
    | neighbors.BetsResult
    | counting.CountingResult
    | counting.AgainstUsersResult
    | OneEstimateResult
    | EstimatesInCrowdsResult
    | ReportBetsResult
)


def by_noise(result: Noisy | FromTruthResult[Noisy], *others: object) -> str:
    """The case of a view's texts, by its noise."""
    drawn = result.result if isinstance(result, FromTruthResult) else result
    return case_of(drawn.experiment.mechanism)


def by_ratio(result: RatioOfReleasesResult) -> str:
    """The case of the texts of a mean in two releases, by its noise."""
    return f"ratio {case_of(result.experiment.sum_noise)}".rstrip()


def by_plan(curve: counting.ErrorCurveResult, plan: counting.CountPlanResult) -> str:
    """The case of a plan's texts, by whether a level suffices and by the noise."""
    return f"{'' if plan.possible else 'impossible '}{case_of(plan.experiment.mechanism)}".rstrip()


@facts.register
def _from_truth(result: FromTruthResult) -> Facts:  # type: ignore[type-arg]
    return facts(result.result)


@facts.register
def _released(result: counting.CountingResult) -> Facts:
    question, noise = result.experiment, result.experiment.mechanism
    return {
        **_noise(noise),
        "n": Count(question.n),
        "answer": Truth(precise(question.answer)),
        "of_answer": Truth(Share(result.share_of_answer)),
        "of_crowd": follows(noise, Share(result.share_of_crowd)),
        "repeats": Count(result.rounds),
        "simulated": follows(noise, Number(result.simulated_error, 4)),
        "standard_error": follows(noise, Number(result.standard_error)),
        "released": Number(float(result.releases[0]), 4),
        "halved": follows(noise, Count(result.error_at(0.5))),
        "tenth": follows(noise, Count(result.error / 10)),
    }


def _size(public: bool) -> Facts:
    """Whether the number of people may be told at no cost: where neighboring tables have equally many."""
    return {"size": Term(f"sizes.{'public' if public else 'private'}")}


@facts.register
def _two_tables(result: neighbors.TwoTablesResult) -> Facts:
    low, high = result.likely
    return {
        "released": Number(result.released, 4),
        "likely": QuantityRange(Number(low, 4), Number(high, 4)),
        "off": Truth(Count(abs(result.offset))),
        "overlap": Term(f"cases.{_overlap(result.common)}"),
    }


def _overlap(common: float) -> str:
    """The likeness of two laws in a word: their common part is most, some or hardly any of each."""
    return "most" if common >= 0.8 else "some" if common >= 0.2 else "little"


def _part(right: int, rounds: int) -> str:
    """Whether all bets are right, none, or some."""
    return {0: "none", rounds: "all"}.get(right, "some")


@facts.register(neighbors.BetsResult)
@facts.register(ReportBetsResult)
def _bets(result: neighbors.BetsResult | ReportBetsResult) -> Facts:
    return {
        "rounds": Count(result.experiment.rounds),
        "right": Truth(Count(result.right)),
        "winning": Truth(Term(f"cases.{_part(result.right, result.experiment.rounds)}")),
        "chance": Share(result.chance, 3),
        "bound": at_most(result.bound),
    }


@facts.register
def _released_number(result: ReleasedNumberResult) -> Facts:
    return _released_within(result.released, result.width, result.experiment.confidence)


def _released_within(released: float, within: float, confidence: float) -> Facts:
    """The facts of a released number, to the second digit of its possible error."""
    return {
        "released_answer": near(released, within),
        "released_within": Said.of("spreads.within", n=Number(within)) if within else Said("spreads.exact"),
        "released_sure": Share(confidence, 3),
    }


@facts.register
def _estimate(result: OneEstimateResult) -> Facts:
    low, high = result.likely
    return {
        "released": Number(result.released, 4),
        "likely": Truth(QuantityRange(Number(low, 4), Number(high, 4))),
        "off": Truth(Count(abs(result.offset))),
        "best_guess": Share(result.best_guess, 3),
    }


@facts.register
def _estimates(result: EstimatesInCrowdsResult) -> Facts:
    crowd = result.experiment.mechanism
    return {
        "of_ten_crowds": Truth(Share(result.error_at(10 * crowd.n))),
        "error_of_ten_crowds": Truth(Count(10 * crowd.n * result.error_at(10 * crowd.n))),
        "true_share": Truth(Share(crowd.truth, 3)),
    }


@facts.register
def _curve(result: counting.ErrorCurveResult) -> Facts:
    return {}


@facts.register
def _crowds(result: counting.AgainstUsersResult) -> Facts:
    ends = [Share(end, spread=result.error_share) for end in result.span]
    return {
        "true_share": Truth(Share(result.true_share, 3)),
        **_size(result.size_is_public),
        "span": Truth(QuantityRange(*ends)),
        "spans": Term(f"cases.{'range' if result.error_share > APART else 'point'}"),
        "private_error": Truth(Share(result.error_share_of_private_size)),
    }


@facts.register
def _averaged(result: AveragingResult) -> Facts:
    return {
        "averaged": Exact(result.experiment.repeats),
        "average_error": follows(result.experiment.mechanism, Number(result.error)),
        "average": Truth(near(result.average, result.standard_error)),
    }


def _worthy(worth: int, cells: int) -> str:
    """Whether no cell of a table is worth releasing, the only one, one of them, all or some."""
    if not worth:
        return "none"
    if worth == cells:
        return "single" if cells == 1 else "all"
    return "one" if worth == 1 else "some"


@facts.register
def _whole(result: TablePlanResult) -> Facts:
    question, (rounded, more, following) = result.experiment, result.rounding
    drawn, rival = question.drawn, question.rival
    return {
        **noise_facts(question.noises[0]),
        "scale": Number(question.noises[0].scale),
        "pages": Count(question.pages),
        "drawn": QuantityRange(Count(drawn[0] + 1), Count(drawn[-1] + 1)),
        "cells": Count(question.cells),
        "tables": Count(len(question.tables)),
        "each": Count(question.each),
        "width": Number(question.width),
        "confidence": Share(question.confidence, 3),
        "chance": Share(result.chance, 3),
        "needed": planned(result.needed),
        "alone": planned(result.alone),
        "ones": likeness(sayable(result.needed) or 0.0, sayable(result.alone) or 0.0),
        "noise": title_of(question.mechanism.slug),
        "rival": title_of(rival.mechanism.slug),
        "rival_needs": planned(rival.needed),
        "rivaled": Term(f"cases.{'none' if sayable(rival.needed) is None else 'some'}"),
        "moved": Count(question.moved),
        "table_moves": Number(question.sensitivity),
        "l1": Number(question.together(1)),
        "l2": Number(question.together(2)),
        "reach": Number(result.reach),
        "within": Said.of(f"spreads.{'people' if question.each == 1 else 'rows'}", n=Number(result.reach)),
        "lifted": Number(result.lifted),
        "worth": Count(result.worth),
        "worthy": Term(f"cases.{_worthy(result.worth, question.cells)}"),
        "columns": Names(question.columns),
        "parts": All(tuple(Number(float(level)) for level in result.levels)),
        "relation": Term(f"neighbors.{question.mechanism.neighbors}"),
        "cell": _cell(question.names[0][0]),
        "rounded": Truth(Count(rounded)),
        "more": Truth(Count(more)),
        "following": Truth(Count(following)),
    }


def _cell(cell: Cell) -> Quantity:
    """The name of a cell."""
    return All(tuple(named(part) for part in cell))


def named(part: CellPart) -> Quantity:
    """The name of a cell in one column: a value, a range, or all other values."""
    if part is None:
        return Term("asking.others")
    if isinstance(part, str):
        return Name(part)
    if isinstance(part, Valued):
        return Said.of("asking.valued", column=Name(part.column), value=Name(part.value))
    low, high = (Number(end, 6) for end in part)
    if math.isinf(low.value):
        return Said.of("asking.below", high=high)
    return Said.of("asking.from_on", low=low) if math.isinf(high.value) else QuantityRange(low, high)


def by_table(result: TablePlanResult) -> str:
    """The case of a whole table's texts, by the counting of its cells' moves, and by whether a level keeps the wish."""
    norm = "" if result.experiment.apart else "l2"
    return f"{norm} {'' if result.recommended else 'impossible'}".strip()


def entrant(each: Entrant) -> Quantity:
    """The name of a mechanism among others: short, with the source of its noise or a note that no curator is needed."""
    called: Quantity = short_of(each.slug)
    if each.option:
        called = Said.of("compared.way", name=called, option=Term(f"compared.ways.{each.option}"))
    return called if each.curated else Said.of("compared.alone", name=called)


def _in_full(each: Entrant) -> Quantity:
    """A mechanism by its title, and the way its noise is made where there are several."""
    title = title_of(each.slug)
    if not each.option:
        return title
    return Said.of("compared.way", name=title, option=Term(f"compared.ways.{each.option}"))


@facts.register
def _errors(result: ErrorsAtLevelResult) -> Facts:
    best, alone = (result.best(curated) for curated in (True, False))
    return {
        "level": Level(result.experiment.epsilon),
        "delta": Number(result.experiment.compared.delta),
        "best": _in_full(best.entrant) if best.entrant.option else short_of(best.entrant.slug),
        "best_error": Number(best.mean),
        "best_squared": Number(best.deviation),
        "alone": Truth(_in_full(alone.entrant)),
        "alone_error": Truth(Number(alone.mean)),
        "rounds": Count(min(each.rounds for each in result.errors)),
    }


@facts.register
def _along(result: ErrorsAlongLevelsResult) -> Facts:
    first = next((each for each in result.crossings if each.above.curated < each.below.curated), None)
    curated = np.array([each.curated for each in result.experiment.compared.entrants])
    lowest = result.errors[:, 0]
    early = bool(lowest[~curated].min(initial=math.inf) < lowest[curated].max(initial=0.0))
    return {
        "crossings": Truth(Count(len(result.crossings))),
        "overtakes": Truth(Term(f"cases.{'early' if early else 'some' if first else 'none'}")),
        "overtaken_at": Truth(Number(first.epsilon if first else 0.0)),
        "overtaking": Truth(_in_full(first.above) if first else Term("cases.none")),
        "overtaken": Truth(_in_full(first.below) if first else Term("cases.none")),
    }


@facts.register
def _afterwards(result: counting.AfterwardsResult) -> Facts:
    return {
        "clamped": Truth(Count(result.experiment.answer)),
        "raw": Number(result.raw_error),
        "after": Truth(Number(result.error)),
        "bias": Truth(Noticeable(abs(result.bias))),
        "ends": Truth(Term(f"ends.{_end(result)}")),
        **_size(result.experiment.mechanism.neighbors == counting.SAME_SIZE),
    }


def _end(result: counting.AfterwardsResult) -> str:
    """The end of the scale that biases a count after it was moved inside; "far" where neither does noticeably."""
    if abs(result.bias) <= 0.005 * result.raw_error:
        return "far"
    return "top" if result.bias < 0 else "bottom"


@facts.register
def _ratio(result: RatioOfReleasesResult) -> Facts:
    (bias, bias_spread), (error, spread) = result.bias, result.error
    question = result.experiment
    return {
        "seen": Truth(Term(f"biases.{'seen' if abs(bias) > 3 * bias_spread else 'lost'}")),
        "half": reached(question.sum_noise.epsilon),
        **noise_facts(question.sum_noise),
        "tries": Count(question.repeats),
        "bias": Truth(Number(bias)),
        "bias_spread": Truth(Number(bias_spread, 2)),
        "off": Number(error),
        "spread": Number(spread, 2),
        "mean": Truth(precise(result.truth)),
        "of_mean": Truth(Share(result.share_of_truth)),
        "sum_sensitivity": Number(question.sum_noise.sensitivity),
        "sum_scale": Number(question.sum_noise.scale),
        "count_sensitivity": Number(question.count_noise.sensitivity),
        "count_scale": Number(question.count_noise.scale),
        "count_noise": Term(f"noise.{question.count_noise.slug}"),
        **_released_within(result.released, result.widths(SURE)[0], SURE),
    }


@facts.register
def _plan(result: counting.CountPlanResult) -> Facts:
    question, noise = result.experiment, result.experiment.mechanism
    return {
        "width": Number(question.width),
        "confidence": Share(question.confidence, 3),
        "needed": follows(noise, planned(result.epsilon)),
        "reach": follows(noise, Number(result.width)),
        "within": follows(noise, Share(result.chance, 3)),
        "people": Count(result.people),
        "proof": Share(result.proof, 2),
    }


@facts.register
def _bounded(result: BoundedSumResult) -> Facts:
    return bounds.facts(result)
