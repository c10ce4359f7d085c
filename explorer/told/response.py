"""What the page about randomized response says of its results."""

from __future__ import annotations

from collections.abc import Mapping
from functools import singledispatch

from explorer.numbers import exact, people, percent, percent_within, significant
from ldpcore.experiments import response


def crowd(expected: float) -> str:
    """An expected number of people: whole from a hundred on, so that it can be compared with a count."""
    return people(round(expected)) if 100 <= expected < 1e15 else significant(round(expected, 2))


def points(deviation: float) -> str:
    """An error of a share in percentage points, without the sign of a percentage."""
    return significant(100 * deviation)


@singledispatch
def told(result: object) -> dict[str, str]:
    """The numbers of a result."""
    raise TypeError(f"a result must be one about randomized response; got {type(result).__name__}")


@told.register
def _estimated(result: response.Estimated) -> dict[str, str]:
    shares = {"low": result.interval[0], "high": result.interval[1], "estimate": result.estimate}
    question = result.experiment
    return {name: percent_within(share, result.spread) for name, share in shares.items()} | {
        "answered": people(result.answered_yes), "n": people(question.n), "lies": crowd(result.lies_alone),
        "projected": percent(result.projected, 3), "confidence": percent(question.confidence, 3),
        "level": significant(question.design.guarantee().epsilon, 4),
    }  # fmt: skip


@told.register
def _class(result: response.ClassSurveyResult) -> dict[str, str]:
    design = result.experiment.design
    a, b = response.chances(design)
    first, second = response.coins_of(design)
    return _estimated(result) | {
        "true_yes": people(result.experiment.yes), "truth": percent_within(result.truth, result.spread),
        "honest_yes": people(result.yes_among_yes), "deviation": points(result.standard_deviation),
        "a": percent_within(a, design.gap / 10), "b": percent_within(b, design.gap / 10),
        "answered_share": percent_within(result.answered_share, design.gap / 10),
        "first": percent(first, 3), "second": percent(second, 3), "variance": significant(result.variance, 4),
    }  # fmt: skip


@told.register
def _real(result: response.RealAnswersResult) -> dict[str, str]:
    ends = dict(zip(("low_sampled", "high_sampled"), result.sampled_interval, strict=True))
    ends |= dict(zip(("low_direct", "high_direct"), result.direct_interval, strict=True))
    return _estimated(result) | {name: percent_within(share, result.spread) for name, share in ends.items()}


def rows(result: response.Estimated, names: Mapping[str, str], truth: bool) -> list[list[object]]:
    """The numbers of a drawing: shares of yes in percent, as they are computed; the true one unless people predict."""
    found = {"reported": result.answered_yes / result.experiment.n, "estimate": result.estimate}
    found |= dict(zip(("low", "high"), result.interval, strict=True))
    if isinstance(result, response.ClassSurveyResult) and truth:
        found = {"truth": result.truth} | found
    if isinstance(result, response.RealAnswersResult):
        found |= dict(zip(("low_sampled", "high_sampled"), result.sampled_interval, strict=True))
        found |= dict(zip(("low_direct", "high_direct"), result.direct_interval, strict=True))
    return [[names["number"], names["share"]], *([names[name], 100 * share] for name, share in found.items())]


@told.register
def _deniability(result: response.DeniabilityResult) -> dict[str, str]:
    return {
        "prior": percent(result.experiment.prior, 3), "most": percent(result.most, 3),
        "after_yes": percent(result.chosen_after_yes, 3), "after_no": percent(result.chosen_after_no, 3),
    }  # fmt: skip


@told.register
def _surveys(result: response.RepeatedSurveysResult) -> dict[str, str]:
    return {
        "impossible": percent(result.impossible, 3), "deviation": points(result.standard_deviation),
        "repeats": people(result.experiment.repeats),
    }  # fmt: skip


@told.register
def _needed(result: response.PeopleNeededResult) -> dict[str, str]:
    return {
        "half": percent(result.experiment.share), "factor": significant(result.factor),
        "instead": crowd(result.instead), "worth": crowd(result.effective),
    }  # fmt: skip


def needed_rows(asked: response.PeopleNeeded) -> list[list[str]]:
    """α and n side by side: the factor, the people in place of n direct answers, what n answers are worth."""
    return [
        [exact(level), f"×\u202f{significant(round(at.factor, 2), 6)}", crowd(at.instead), crowd(at.effective)]
        for level, at in ((level, asked.at(level).run()) for level in response.LEVELS)
    ]


@told.register
def _coins(result: response.CoinDesignResult) -> dict[str, str]:
    a, b = response.chances(result.experiment.design)
    return {
        "case": result.case, "a": percent(a, 3), "b": percent(b, 3), "level": significant(result.level, 4),
        "error": points(result.standard_deviation), "least": points(result.best_standard_deviation),
        "waste": significant(result.waste), "best": percent(result.best.p if result.best else 1.0, 3),
    }  # fmt: skip


@told.register
def _plan(result: response.SurveyPlanResult) -> dict[str, str]:
    return {
        "case": result.case, "width": percent(result.experiment.width, 3), "reach": percent(result.width, 3),
        "needed": significant(result.epsilon or 0), "people": people(result.people or 0),
        "truthful": percent(result.truthful, 3), "direct": crowd(result.truthful_people),
    }  # fmt: skip
