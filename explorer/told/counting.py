"""What the page about counting says of its results."""

from __future__ import annotations

from functools import singledispatch

from explorer.numbers import exact, noticeable, people, percent, significant
from ldpcore.experiments import counting


@singledispatch
def told(result: object) -> dict[str, str]:
    """The numbers of a result."""
    raise TypeError(f"a result must be one about counting; got {type(result).__name__}")


@told.register
def _released(result: counting.CountingResult) -> dict[str, str]:
    question, noise = result.experiment, result.experiment.mechanism
    return {
        "epsilon": exact(noise.epsilon), "error": people(result.error), "n": people(question.n),
        "answer": people(question.answer), "of_answer": percent(result.share_of_answer),
        "of_crowd": percent(result.share_of_crowd), "sensitivity": people(noise.sensitivity),
        "repeats": people(question.repeats), "simulated": significant(result.simulated_error, 4),
        "standard_error": significant(result.standard_error), "scale": people(noise.scale),
        "deviation": people(noise.standard_deviation()), "released": people(float(result.releases[0]), 4),
        "halved": people(result.error_at(0.5)), "tenth": people(result.error_at(10)),
        "of_crowd_tenfold": percent(result.share_of_larger_crowd(10)),
    }  # fmt: skip


@told.register
def _crowds(result: counting.CrowdsResult) -> dict[str, str]:
    low, high = result.span
    return {"true_share": percent(result.true_share, 3), "low": percent(low, 3), "high": percent(high, 3)}


@told.register
def _many(result: counting.ReleaseHistogram) -> dict[str, str]:
    return {"outside": people(result.outside)}


@told.register
def _categories(result: counting.CategoryCountsResult) -> dict[str, str]:
    return {"error": people(result.error)}


@told.register
def _afterwards(result: counting.AfterwardsResult) -> dict[str, str]:
    return {"raw": people(result.raw_error), "after": people(result.error), "bias": noticeable(result.bias)}


@told.register
def _ratio(result: counting.RatioOfReleasesResult) -> dict[str, str]:
    (bias, bias_spread), (error, spread) = result.bias, result.error
    return {
        "half": exact(result.experiment.sum_noise.epsilon), "repeats_shown": people(result.experiment.repeats),
        "bias": significant(bias), "bias_spread": significant(bias_spread, 2), "ratio_error": significant(error),
        "ratio_spread": significant(spread, 2), "mean": people(result.truth),
        "of_mean": percent(result.share_of_truth), **_noises(result.experiment),
    }  # fmt: skip


def _noises(question: counting.RatioOfReleases) -> dict[str, str]:
    """The two sensitivities, and the scales of their noises."""
    parts = {"sum": question.sum_noise, "count": question.count_noise}
    told_of = {f"{name}_sensitivity": people(noise.sensitivity) for name, noise in parts.items()}
    return told_of | {f"{name}_scale": people(noise.scale) for name, noise in parts.items()}


@told.register
def _plan(result: counting.CountPlanResult) -> dict[str, str]:
    question = result.experiment
    return {
        "width": people(question.width), "confidence": percent(question.confidence, 3),
        "needed": significant(result.epsilon), "reach": people(result.width), "chance": percent(result.chance, 3),
        "people": people(result.people),
    }  # fmt: skip
