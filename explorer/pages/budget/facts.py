"""The findings of the page about budgets: the quantities of its results, under the names in its texts."""

from __future__ import annotations

import math
from functools import singledispatch

from explorer.facts import (
    Count,
    Exact,
    Facts,
    Level,
    Noticeable,
    Number,
    PercentagePoints,
    Quantity,
    Share,
    Term,
    Truth,
    at_most,
    is_all,
    likeness,
    written_alike,
)
from ldpcore.experiments import budget

ALIKE = 0.995  # levels closer than this are told as one
SPENT = 1e-6  # a part of the total that is as good as nothing


@singledispatch
def facts(result: object) -> Facts:
    """The quantities of a result."""
    raise TypeError(f"a result about budgets must have its facts registered; got {type(result).__name__}")


def _level(value: float) -> Quantity:
    """A total level to three digits; an unproved one as a word."""
    return Number(value) if math.isfinite(value) else Term("cases.none")


@facts.register
def _totals(result: budget.TotalLevelsResult) -> Facts:
    question, sum_, spent = result.experiment, result.present["basic"], result.spent
    bound = result.present[result.best_bound]
    left = result.left if result.left > SPENT * question.total else 0.0
    advanced = "worse" if result.advanced_is_worse else "better"
    return {
        "epsilon": Level(question.epsilon),
        "k": Count(question.k),
        "total": Exact(question.total),
        "delta": Number(question.delta),
        "spent": Number(spent),
        "sum": Number(sum_),
        "saves": Term(f"cases.{'saves' if spent < ALIKE * sum_ else 'alike'}"),
        "left": Number(left),
        "charge": Share(left / question.total),
        "affordable": Count(result.affordable("exact")),
        "bound": Number(bound),
        "bound_name": Term(f"rules.{'basic' if written_alike(bound, sum_) else result.best_bound}"),
        "advanced": Number(result.present["advanced"]),
        "compared": Term(f"cases.{advanced}"),
        "pays": Count(result.pays),
        "ever": Term(f"cases.{'once' if result.pays else 'never'}"),
    }


def _deltas(result: budget.MixedLedgerResult) -> str:
    """Whether the lines have a chance of failure of their own, and whether the allowed one holds them."""
    if not result.failure:
        return "none"
    if result.failure <= result.experiment.delta:
        return "part"
    return "over" if result.beyond else "counted"  # normal noise, which is counted by its σ


@facts.register
def _ledger(result: budget.MixedLedgerResult) -> Facts:
    question = result.experiment
    return {
        "entries": Count(len(question.rows)),
        "releases": Count(result.releases),
        "ledger_sum": Number(result.sum),
        "ledger_spent": _level(result.spent),
        "ledger_left": Number(result.left),
        "ledger_best": Term(f"rules.{result.best}"),
        "ledger_delta": Number(result.failure),
        "ledger_deltas": Term(f"cases.{_deltas(result)}"),
        "ledger_error": Noticeable(result.error, 1e-9, 2),
        "ledger_total": Exact(question.total),
        "ledger_zcdp": Count(sum(row.kind == "zcdp" for row in question.rows)),
        "refused": Count(result.refused),
        "beyond": Count(result.beyond),
    }


@facts.register
def _split(result: budget.SplitChoiceResult) -> Facts:
    question, by_level, by_people = result.experiment, result.at("level"), result.at("people")
    return {
        "questions": Count(question.k),
        "n": Count(question.n),
        "confidence": Share(question.confidence, 3),
        "by_level": PercentagePoints(by_level, 3),
        "by_people": PercentagePoints(by_people, 3),
        "by_better": PercentagePoints(min(by_level, by_people), 3),
        "ways": likeness(by_level, by_people),
        "each": Number(question.epsilon / question.k),
        "asked": Count(question.n // question.k),
    }


@facts.register
def _groups(result: budget.GroupBetsResult) -> Facts:
    together = result.together
    return {
        "g": Count(result.experiment.g),
        "group_level": Number(together.epsilon),
        "group_delta": Number(together.delta),
        "alone": at_most(result.experiment.bet("promise", 1)),
        "promise": at_most(result.at("promise")),
        "hides": Term(f"cases.{'nothing' if is_all(result.at('promise')) else 'something'}"),
        "laplace": Share(result.at("laplace"), 3),
        "normal": Share(result.at("normal"), 3),
    }


@facts.register
def _daily(result: budget.EveryDayResult) -> Facts:
    question, (guess, estimate) = result.experiment, result.present
    return {
        "days": Count(question.days),
        "n": Count(question.n),
        "guess": Share(guess, 4),
        "kept_guess": Share(result.kept_guess, 4),
        "coins": likeness(guess, result.kept_guess, 4),
        "days_sum": Number(result.sum),
        "days_level": Number(result.together),
        "change": Share(result.change, 3),
        "estimate": Share(estimate, spread=result.error(question.days)),
        "kept_estimate": Share(result.kept, spread=result.error(1)),
        "error": PercentagePoints(result.error(question.days), 3),
        "kept_error": PercentagePoints(result.error(1), 3),
        "truth": Truth(Share(result.truth, 4)),
    }


@facts.register
def _plan(result: budget.BudgetPlanResult) -> Facts:
    return {
        "allowed": Level(result.allowed),
        "allowed_sum": Number(result.present["basic"]),
        "gain": Number(result.gain),
    }
