"""What the page about frequencies says of its results."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch

from explorer.numbers import people, percent, percent_within, significant
from ldpcore.experiments import frequencies
from ldpcore.mechanisms.base import FrequencyOracle


@singledispatch
def told(result: object, names: Sequence[str] = ()) -> dict[str, str]:
    """The numbers of a result about answers of these names."""
    raise TypeError(f"a result must be one about frequencies; got {type(result).__name__}")


@told.register
def _collected(result: frequencies.FrequencyResult, names: Sequence[str] = ()) -> dict[str, str]:
    randomizer, top, spread = result.experiment.randomizer, result.top, result.typical_error
    oracle = randomizer if isinstance(randomizer, FrequencyOracle) else None
    return {
        "n": people(result.experiment.population.n), "k": people(randomizer.k), "mechanism": randomizer.title,
        "reference": randomizer.reference, "off": people(result.off), "error": percent(spread, 3), "top": names[top],
        "top_share": percent_within(result.truth[top], spread), "repeats": people(result.experiment.repeats),
        "top_estimate": percent_within(result.first[top], spread), "simulated": percent(result.simulated, 3),
        "p": significant(oracle.p, 4) if oracle else "", "q": significant(oracle.q, 4) if oracle else "",
    }  # fmt: skip


@told.register
def _top(result: frequencies.TopTenResult, names: Sequence[str] = ()) -> dict[str, str]:
    false = [names[index] for index in result.false]
    return {
        "size": people(len(result.true_top)), "right": significant(result.mean_right),
        "standard_error": significant(result.standard_error, 2), "listed": people(result.experiment.repeats),
        "false": ", ".join(false) or "–", "false_count": people(len(false)),
    }  # fmt: skip


@told.register
def _rule(row: frequencies.ProcessedShares, names: Sequence[str] = ()) -> dict[str, str]:
    return {
        "rule": row.rule.title, "bias": significant(row.bias_squared), "variance": significant(row.variance),
        "squared": significant(row.mean_squared_error), "chance": significant(row.chance),
    }  # fmt: skip


@told.register
def _report(result: frequencies.OneReportResult, names: Sequence[str] = ()) -> dict[str, str]:
    return {
        "guess": names[result.guess], "belief": percent(float(result.posterior[result.guess]), 3),
        "value": names[result.experiment.value], "loss": significant(result.loss, 4),
    }  # fmt: skip


@told.register
def _plan(result: frequencies.FrequencyPlanResult, names: Sequence[str] = ()) -> dict[str, str]:
    question = result.experiment
    shares = {"share": question.share, "width": question.width, "confidence": question.confidence}
    return {name: percent(share, 4) for name, share in shares.items()} | {
        "reach": percent(result.width, 3), "people": people(result.people), "floor": percent(result.floor, 3),
        "needed": significant(result.epsilon or 0),
    }  # fmt: skip


def told_of_rule(result: frequencies.AfterEstimateResult, slug: str, names: Sequence[str]) -> dict[str, str]:
    """One rule beside the raw estimate, and what it does to the most frequent value, in a hundredth of everybody."""
    raw, row, top = told(result.row("raw")), result.row(slug), int(result.truth.argmax())
    shares = {"top_mean": result.truth[top] + row.bias_of(top), "top_truth": result.truth[top]}
    return (
        told(row)
        | {f"raw_{name}": text for name, text in raw.items()}
        | {name: percent(share, 3) for name, share in shares.items()}
        | {"asked": people(result.experiment.repeats), "favorite": names[top]}
    )
