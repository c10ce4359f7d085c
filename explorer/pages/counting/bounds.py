"""Sensitivity on invented sums: the example, its upper bound, and the findings."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.facts import Count, Exact, Facts, Number, Term
from ldpcore.experiments.counting.bounding import BoundedSumResult
from ldpcore.tables.examples import EXAMPLES

RECORDS = frozenset({"visits", "cinema", "ages"})  # examples that sum records, beside those of a function of x


@dataclass(frozen=True)
class ChosenBound:
    """An example, and the upper bound of its values."""

    example: str = "visits"
    bound: float = EXAMPLES["visits"].assumed


def chosen(asked: object, own: ChosenBound) -> Facts:
    """The line of settings: the example and its bound."""
    return {"example": Term(f"example_options.{own.example}"), "bound": Exact(own.bound)}


def kind(result: BoundedSumResult) -> str:
    """The case of the view's texts: about records of an example, or about a function of x."""
    example = result.experiment.example
    return f"{'records' if example in RECORDS else 'function'} {example}"


def facts(result: BoundedSumResult) -> Facts:
    """The sensitivity at the bound, its noise and bias, the best bound, and the loss of an assumed one."""
    question, best = result.experiment, result.best
    at_best = result.error <= result.errors[best]
    return {
        "protected": Term(f"units.{'evening' if question.example == 'cinema' else 'person'}"),
        "bound": Exact(question.bound),
        "moved": Number(result.moved),
        "bound_noise": Number(result.scale),
        "cut": Number(result.cut),
        "above": Count(result.above),
        "bound_error": Number(result.error),
        "best_bound": Exact(float(f"{result.bounds[best]:.6g}")),
        "best_error": Number(float(result.errors[best])),
        "reached": Term(f"cases.{'best' if at_best else 'other'}"),
        "records": Count(len(result.values)),
        "largest": Exact(float(result.values.max())),
        "newcomer": Exact(question.records.newcomer),
        "fits": Term(f"cases.{'fits' if question.records.newcomer <= question.bound else 'leaks'}"),
        "true_level": Number(result.unenforced, 4),
    }
