"""The findings of the page about promises: the quantities of its results, under the names in its texts."""

from __future__ import annotations

import math
from functools import singledispatch
from numbers import Real
from operator import index
from typing import SupportsIndex

from explorer.facts import Count, Exact, Facts, Level, Name, Names, Noticeable, Number, Quantity, Share, Term, Truth
from explorer.facts.naming import title_of
from explorer.facts.odds import odds_at
from ldpcore.estimating.audit import outputs_of_largest_loss
from ldpcore.experiments import verify
from ldpcore.experiments.verify import matrixpromises, measures, mistakes, owncounts, promises
from ldpcore.mechanisms.base import Mechanism

NAMED = 3  # reports named in a sentence
LITTLE = 1e-9  # of a smaller chance of failure no digits are told
SURE = 0.999  # from this share on more digits are told
BROKEN = 1 + 1e-9  # times the promise is more than rounding
CERTAIN = 1 - 1e-6  # what is at most this much is at most everything


@singledispatch
def facts(result: object) -> Facts:
    """The quantities of a result."""
    raise TypeError(f"a result about promises must have its facts registered; got {type(result).__name__}")


def level(epsilon: float) -> Number:
    """A level that was computed, to four digits."""
    return Number(epsilon, 4)


def value(true: object) -> Quantity:
    """A person's true value in a sentence."""
    if isinstance(true, Real):
        return Exact(float(true))
    text = str(true)
    if isinstance(true, tuple) and all(isinstance(part, Real) for part in true):
        text = f"({', '.join(f'{part:.6g}' for part in true)})".replace("-", "\u2212")
    return Name(text if len(text) <= 24 else text[:23] + "…")


def symbol(mechanism: Mechanism) -> Term:
    """The symbol of the level: ε with a curator, α without one."""
    return Term("symbols.local" if mechanism.without_curator else "symbols.central")


@facts.register
def _verdict(result: verify.MechanismVerdict) -> Facts:
    mechanism, claim, (first, second) = result.check.mechanism, result.claim, result.pair
    asked = math.nan if mechanism.level is None else mechanism.level
    return {
        "symbol": symbol(mechanism),
        "mechanism": title_of(mechanism.slug),
        "asked": Level(asked),
        "claim": Level(asked) if asked == claim.epsilon else level(claim.epsilon),
        "allowed": odds_at(claim.epsilon),
        "delta": Number(claim.delta),
        "ratio": Truth(odds_at(result.level)),
        "level": Truth(level(result.level)),
        "first": value(first),
        "second": value(second),
        **_where(result),
    }


def _where(result: verify.MechanismVerdict) -> Facts:
    """The reports at which the ratio is largest: their names, or their kind."""
    channel, report = result.channel, result.witness.report
    names: tuple[str, ...] = ()
    place = "classes" if result.laws.outcomes else "sorted"
    if channel is not None:
        first, second = result.pair
        assert isinstance(first, SupportsIndex)  # for the values of a channel are its rows
        assert isinstance(second, SupportsIndex)
        attained = outputs_of_largest_loss(channel.pair(index(first), index(second)))
        place, names = "reports", tuple(str(channel.reports[at]) for at in attained.nonzero()[0])
    elif isinstance(report, float):
        place = "number"
    one = Number(report, 4) if place == "number" and isinstance(report, float) else Name("")
    return {"place": Truth(Term(f"places.{place}")), "reports": Truth(Names(names, NAMED)), "report": Truth(one)}


@facts.register
def _laws(result: promises.TwoLawsResult) -> Facts:
    return {}


@facts.register
def _smaller(result: promises.SmallerPromiseResult) -> Facts:
    if math.isnan(result.alpha):  # a curve alone
        return {}
    return {"alpha": Level(result.alpha), "needed": Truth(_failing(result)), "over": Term("over.pair")}


def _failing(result: promises.SmallerPromiseResult | matrixpromises.NeededDeltaResult) -> Noticeable:
    """The δ that a smaller promise needs; where rounding has made nothing of a little, still a little."""
    return Noticeable(result.needed or (0.0 if result.enough else math.ulp(0.0)), LITTLE, 4)


@facts.register
def _needed(result: matrixpromises.NeededDeltaResult) -> Facts:
    return {"alpha": Level(result.alpha), "needed": Truth(_failing(result)), "over": Term("over.rows")}


@facts.register
def _test(result: promises.BestTestResult) -> Facts:
    return {
        "size": Share(result.size, 3),
        "allowed_power": _rightly(result.allowed),
        "power": Truth(_rightly(result.reached)),
    }


def _rightly(share: float) -> Share:
    """The chance of a right accusation; told so finely that "at most" never meets a "more than"."""
    return Share(share, 4) if share < SURE else Share(1.0 if share > CERTAIN else share, 6)


@facts.register
def _audit(result: verify.AuditResult) -> Facts:
    bound = result.bounds[-1]
    own, other = bound.shares if bound.likelier == 0 else bound.shares[::-1]
    return {
        "trials": Count(result.audit.trials[-1]),
        "confidence": Share(result.audit.confidence, 4),
        "proven": Truth(level(bound.epsilon)),
        "exact": Truth(level(result.exact)),
        "ends": Truth(Term(f"places.{'finite' if math.isfinite(result.exact) else 'endless'}")),
        "own_share": Truth(Share(own, 3)),
        "other_share": Truth(Share(other, 3)),
    }


@facts.register
def _matrix(result: matrixpromises.MatrixPromiseResult) -> Facts:
    leak, promise, shape = result.leak, result.question.promise, result.question.channel.matrix.shape
    column = int(leak.reports[0]) if leak.reports.size else 0
    return {
        "symbol": Term("symbols.local"),
        "ratio": Truth(odds_at(result.level)),
        "level": Truth(level(result.level)),
        "claim": Level(promise),
        "allowed": odds_at(promise),
        "first": Truth(true_value(result, leak.value)),
        "second": Truth(true_value(result, leak.other)),
        "report": Truth(report_of(result, column)),
        "rows": Count(shape[0]),
        "columns": Count(shape[1]),
        "beyond": Truth(Count(len(result.beyond))),
    }


def true_value(result: matrixpromises.MatrixPromiseResult, row: int) -> Quantity:
    """The name of a row: its own where it was typed with one, else its place."""
    named = result.question.printed.values if result.question.printed else ()
    return value(named[row]) if named else Count(row + 1)


def report_of(result: matrixpromises.MatrixPromiseResult, column: int) -> Quantity:
    """The name of a column."""
    named = result.question.printed.reports if result.question.printed else ()
    return value(named[column]) if named else Count(column + 1)


@facts.register
def _measures(result: measures.MeasuresResult) -> Facts:
    row = next(row for row in result.rows if row.slug == "errors")
    return {"errors": Truth(Share(row.forth, 4)), "errors_allowed": Share(row.allowed, 4)}


@facts.register
def _counted(result: owncounts.OwnAuditResult) -> Facts:
    question, proof = result.question, result.proof
    return {
        "symbol": Term("symbols.local"),
        "claim": Level(question.promise),
        "allowed": odds_at(question.promise),
        "proven": Truth(level(result.level)),
        "ratio": Truth(odds_at(result.level)),
        "confidence": Share(question.confidence, 4),
        "outcome": Truth(Count(proof.outcome + 1)),
        "runs": Count(sum(question.first) + sum(question.second)),
        "event": Truth(Term("events.all_but_one" if proof.complement else "events.one")),
        "likelier": Truth(Count(proof.likelier + 1)),
    }


@facts.register
def _refused(result: matrixpromises.RefusedResult) -> Facts:
    return {"problem": Name(result.question.problem)}


@facts.register
def _merged(result: verify.MergedMatrix) -> Facts:
    return {
        "before": Truth(level(result.leak.amount)),
        "after": Truth(level(result.merged_leak.amount)),
        "left": Count(result.merged.matrix.shape[1]),
    }


@facts.register
def _gallery(result: verify.GalleryResult) -> Facts:
    return {
        "total": Count(len(result.exhibits)),
        "trials": Count(result.gallery.trials),
        "caught": Count(sum(exhibit.caught for exhibit in result.exhibits)),
        "fakes": Truth(Count(sum(not exhibit.sound for exhibit in result.exhibits))),
        "confidence": Share(result.gallery.confidence, 4),
    }


def _score(result: mistakes.Guesses) -> str:
    """Whether all guesses are right, and whether there is only one."""
    if not 0 < result.right == result.judged:
        return "some"
    return "single" if result.judged == 1 else "all"


@facts.register
def _guesses(result: mistakes.Guesses) -> Facts:
    return {
        "given": Count(result.judged),
        "right": Truth(Count(result.right)),
        "score": Truth(Term(f"cases.{_score(result)}")),
        "left_open": Count(len(result.given) - result.judged),
    }


@facts.register
def _mistakes(result: mistakes.ThreeMistakesResult) -> Facts:
    return {
        "bounded": level(result.bounded),
        "bounded_proven": Number(result.bounded_proven),
        "normal": level(result.normal),
        "normal_delta": Share(result.normal_delta, 3),
        "coins": level(result.coins),
        "coins_delta": Share(result.coins_delta, 3),
    }


# --- which sentence holds ---------------------------------------------------------------------------------------------


def enough(*results: promises.SmallerPromiseResult | matrixpromises.NeededDeltaResult) -> str:
    """The case of a smaller promise: one that needs no δ has a sentence of its own, as has one that needs little."""
    last = results[-1]
    return "enough" if last.enough else "hardly" if last.needed < LITTLE else ""


def crossed(result: promises.BestTestResult) -> str:
    """The case of a best test: whether it beats what the promise allows."""
    return "beyond" if result.beyond else ""


def bar(result: object, *_: object) -> str:
    """The case of a bar: that of a matrix, unless its verdict has a paragraph of its own."""
    if not isinstance(result, matrixpromises.MatrixPromiseResult):
        return ""
    return "" if result.verdict in ("single", "trivial") else "matrix"


def proof(result: verify.AuditResult | owncounts.OwnAuditResult) -> str:
    """The case of an audit: it proves a lie, errs by chance, proves less than was promised, or proves nothing."""
    if isinstance(result, owncounts.OwnAuditResult):
        return f"counts {result.verdict}"
    last = float(result.epsilons[-1])
    if last > result.claim.epsilon:
        return "caught" if result.exact > BROKEN * result.claim.epsilon else "errs"
    return "" if last else "nothing"


def unchanged(result: verify.MergedMatrix, _: matrixpromises.MatrixPromiseResult) -> str:
    """The case of a merging: not begun, one that leaves the level as it was, or one that lowers it."""
    if not result.question.groups:
        return "none"
    return "same" if result.same else ""
