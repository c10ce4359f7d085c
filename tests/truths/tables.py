"""Truths about rows and categories: counts, sums, means, shares and crowds, from the rows of a table one by one."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np
from scipy import integrate, stats

from explorer.facts import Facts, Quantity, Said, Term
from explorer.facts.naming import called, title_of
from ldpcore.estimating.absoluteerrors import mean_error
from ldpcore.experiments import budget, frequencies, means, response, trust
from ldpcore.experiments.averaging.piles import PileResult
from ldpcore.experiments.averaging.ratios import AveragedRatioResult
from ldpcore.experiments.averaging.running import AveragingResult
from ldpcore.experiments.counting import comparing, neighbors
from ldpcore.experiments.counting import releases as counting
from ldpcore.experiments.counting.ratios import RatioOfReleasesResult
from ldpcore.experiments.counting.tableplan import TablePlanResult
from ldpcore.experiments.frequencies import collecting
from ldpcore.experiments.frequencies.decoding import DecodingResult
from ldpcore.experiments.response import classes
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.mechanisms.centralgaussian import GaussianMechanism
from ldpcore.mechanisms.discretelaplace import DiscreteLaplaceMechanism
from ldpcore.people.populations import Population
from ldpcore.tables.coarser import coarser, valued
from ldpcore.tables.queries import CountQuery
from tests.truths import Context, Expected, Near, alone, of
from tests.truths.rows import added, true_answer


@of(counting.CountingResult)
def _counted(result: counting.CountingResult, told: Facts, context: Context) -> Expected:
    if not context.asked.curated():
        return alone.counted(result, context)
    true = true_answer(context)
    return {"answer": true, "of_answer": told["error"].value / abs(true) if true else math.inf}  # type: ignore[attr-defined]


@of(neighbors.TwoTablesResult)
def _two_tables(result: neighbors.TwoTablesResult, told: Facts, context: Context) -> Expected:
    return {"off": abs(told["released"].value - true_answer(context))}  # type: ignore[attr-defined]


@of(neighbors.BetsResult)
def _bets(result: neighbors.BetsResult, told: Facts, context: Context) -> Expected:
    middle = -result.experiment.mechanism.sensitivity / 2
    rounds = zip(result.offsets, result.inside, strict=True)
    return alone.bets_won([(offset > middle) == inside for offset, inside in rounds])


@of(counting.AgainstUsersResult)
def _crowds(result: counting.AgainstUsersResult, told: Facts, context: Context) -> Expected:
    n, noise = len(context.asked.question.table.frame), result.experiment.mechanism
    share = true_answer(context) / n
    off, two = (_of_difference(one, part) / n for one, part in ((noise, 0.0), (noise.of_several(2), share)))
    return {
        "true_share": share,
        "span": (Near(share - off, 1e-6 * off), Near(share + off, 1e-6 * off)),
        "private_error": Near(two, 1e-6 * off),
    }


def _of_difference(noise: AdditiveNoise, share: float) -> float:
    """E|X - fY| of two noises of one law: over whole numbers one by one, else 2/π ∫ (1 - φ(t))/t² by quadrature.

    Of a law in steps 2 ∫ F(1 - G) + G(1 - F) over all z > 0, F of X and G of fY, between the ends of both one's steps.
    """
    steps = noise.jumps(noise.width(1 - 1e-15))
    if steps.size:
        edges = np.unique(
            [0.0, *steps, *share * steps, *share * noise.sensitivity * np.arange(len(steps) * (share > 0))]
        )
        points, weights = np.polynomial.legendre.leggauss(3)
        half = np.diff(edges)[:, None] / 2
        z = edges[:-1, None] + half * (points + 1)
        left = noise.cdf(-z, 0.0), (noise.cdf(-z / share, 0.0) if share else 0.0 * z)
        return float(2 * ((left[0] * (1 - left[1]) + left[1] * (1 - left[0])) * half * weights).sum())
    if isinstance(noise, DiscreteLaplaceMechanism):
        most = math.ceil(40 * noise.scale)
        j = np.arange(-most, most + 1.0)
        law = np.exp(-np.abs(j) / noise.scale)
        law /= law.sum()
        return float(sum(mass * (law @ np.abs(j - share * y)) for y, mass in zip(j, law, strict=True) if mass > 1e-12))
    normal = isinstance(noise, GaussianMechanism)

    def told_by(t: float) -> float:
        """(1 - φ(t))/t², φ of X - fY with noise of scale 1."""
        laws = [math.exp(-(x**2) / 2) if normal else 1 / (1 + x**2) for x in (t, share * t)]
        return (1 - math.prod(laws)) / t**2 if t else (1 + share**2) * (0.5 if normal else 1.0)

    mean = 2 / math.pi * sum(integrate.quad(told_by, *ends)[0] for ends in ((0, 1), (1, 10), (10, math.inf)))
    return noise.scale * mean


@of(comparing.ErrorsAtLevelResult)
def _errors(result: comparing.ErrorsAtLevelResult, told: Facts, context: Context) -> Expected:
    """A count by the enumerated law of its yeses, sums and means by the best mechanism for the people as listed."""
    asked, level, rows = result.experiment.compared, result.experiment.epsilon, added(context)
    if asked.verb == "count":
        honest, n, held = 1 / (1 + math.exp(-level)), len(rows), int(sum(rows))
        lie = math.exp(-level) * honest
        flips = [np.arange(many + 1) for many in (held, n - held)]
        laws = [stats.binom.pmf(each, each[-1], lie) for each in flips]
        law, more = np.convolve(laws[1], laws[0][::-1]), np.arange(-held, n - held + 1)
        off = float(law @ np.abs(more - (n - 2 * held) * lie)) / math.tanh(level / 2)
        return {"alone": title_of("rr"), "alone_error": Near(off, 1e-8 * off)}
    low, high = asked.scale.low, asked.scale.high
    people = Population.of_numbers([2 * (value - low) / (high - low) - 1 for value in rows])
    errors = {each.slug: mean_error(each, people) or math.inf for each in means.family(level)}
    best = min(errors, key=lambda slug: (round(errors[slug] / min(errors.values()), 6), list(errors).index(slug)))
    unit = (high - low) / 2 * (1 if asked.verb == "mean" else len(rows))
    return {"alone": title_of(best), "alone_error": Near(unit * errors[best], 1e-5 * unit * errors[best])}


@of(comparing.ErrorsAlongLevelsResult)
def _along(result: comparing.ErrorsAlongLevelsResult, told: Facts, context: Context) -> Expected:
    """Where the order of two changes, on the grid of levels: who overtakes whom first is found again by bisection."""
    asked, levels = result.experiment.compared, result.experiment.epsilons
    crossed: list[tuple[float, comparing.Entrant, comparing.Entrant]] = []
    errors = {each: [asked.error(each, level)[0] for level in levels] for each in asked.entrants}
    for one, other in combinations(asked.entrants, 2):
        ahead = [math.log(error / another) for error, another in zip(errors[one], errors[other], strict=True)]
        for place in range(len(levels) - 1):
            before, after = ahead[place : place + 2]
            if min(abs(before), abs(after)) > 1e-7 and before * after < 0:
                crossed.append((levels[place], *((one, other) if before < 0 else (other, one))))
    first = [each for each in result.crossings if each.above.curated < each.below.curated][:1]
    mine = sorted(start for start, below, above in crossed if above.curated < below.curated)
    assert bool(first) == bool(mine)
    lowest = {each: row[0] for each, row in errors.items()}
    early = any(
        lowest[alone] < lowest[with_one]
        for alone in lowest
        for with_one in lowest
        if with_one.curated and not alone.curated
    )
    expected: dict[str, Any] = {"crossings": len(crossed)}
    expected["overtakes"] = "early" if early else "some" if first else "none"
    expected |= {"overtaking": "none", "overtaken": "none", "overtaken_at": 0.0}
    for each in first:
        off = [asked.error(entrant, each.epsilon)[0] for entrant in (each.below, each.above)]
        assert math.isclose(*off, rel_tol=1e-3)
        assert mine[0] <= each.epsilon
        expected |= {"overtaking": full(each.above), "overtaken": full(each.below), "overtaken_at": each.epsilon}
    return expected


def full(each: comparing.Entrant) -> Quantity:
    """A mechanism by its title, and by the way in which its noise is made."""
    title = title_of(each.slug)
    return Said.of("compared.way", name=title, option=Term(f"compared.ways.{each.option}")) if each.option else title


@of(TablePlanResult)
def _cells(result: TablePlanResult, told: Facts, context: Context) -> Expected:
    count = result.experiment.tables[0][0]

    def rounded(number: int) -> int:
        return min(range(0, number + 10, 5), key=lambda multiple: abs(multiple - number))

    here = rounded(count)
    more = next(more for more in range(1, 10) if rounded(count + more) != here)
    return {"rounded": here, "more": more, "following": rounded(count + more)}


@of(counting.AfterwardsResult)
def _afterwards(result: counting.AfterwardsResult, told: Facts, context: Context) -> Expected:
    asked = context.asked.question
    counts = isinstance(asked.query, CountQuery) and asked.mean is None
    true = true_answer(context) if counts else 0  # where no people are counted, an example is told: a count of nobody
    noise, roof = result.experiment.mechanism, result.experiment.ceiling
    assert noise.slug == context.asked.noise.slug, "the noise that is drawn on the page is the one that is told of"
    scale, reach = noise.scale, math.ceil(60 * noise.scale) + 2
    whole = np.arange(-reach, reach + 1)
    law = np.diff(noise.cdf(np.append(whole - 0.5, reach + 0.5), 0.0))
    low, high = np.maximum(-true - whole, 0), np.maximum(true + whole - roof, 0)
    error = float(law @ np.abs(whole + low - high))
    bias = float(law @ (low - high))
    raw = told["raw"].value  # type: ignore[attr-defined]
    return {
        "clamped": true,
        "after": Near(error, 1e-8 * scale),
        "bias": Near(abs(bias), 1e-8 * scale),
        "ends": "far" if abs(bias) <= 0.005 * raw else "top" if bias < 0 else "bottom",
    }


@of(RatioOfReleasesResult)
def _ratio(result: RatioOfReleasesResult, told: Facts, context: Context) -> Expected:
    true = true_answer(context, mean=True)
    off = [float(ratio) - true for ratio in result.ratios]
    bias = math.fsum(off) / len(off)
    spread = math.sqrt(math.fsum((each - bias) ** 2 for each in off) / (len(off) - 1) / len(off))
    share = math.fsum(map(abs, off)) / len(off) / abs(true) if true else math.inf
    seen = "seen" if abs(bias) > 3 * spread else "lost"
    return {"mean": true, "bias": bias, "bias_spread": spread, "of_mean": share, "seen": seen}


def _averaged(result: AveragingResult, told: Facts, context: Context) -> Expected:
    true = true_answer(context)
    more = {} if context.asked.curated() else alone.averaged(result, context)
    return {"answer": true, "average": true + float(result.offsets[-1]), **more}


def _averaged_ratio(result: AveragedRatioResult, told: Facts, context: Context) -> Expected:
    true = true_answer(context, mean=True)
    return {"answer": true, "average": true + float(result.offsets[-1])}


@of(AveragingResult)
def _mean_of_many(result: AveragingResult, told: Facts, context: Context) -> Expected:
    return _averaged(result, told, context)


@of(PileResult)
def _pile(result: PileResult, told: Facts, context: Context) -> Expected:
    one = _averaged if isinstance(result.averaged, AveragingResult) else _averaged_ratio
    return one(result.averaged, told, context)  # type: ignore[arg-type]


@of(budget.EveryDayResult)
def _daily(result: budget.EveryDayResult, told: Facts, context: Context) -> Expected:
    question = result.experiment
    return {"truth": Near(question.share, 0.5 / question.n + 1e-12)}


# --- randomized response ---------------------------------------------------------------------------------------------


@of(response.ClassSurveyResult)
def _class(result: response.ClassSurveyResult, told: Facts, context: Context) -> Expected:
    n = context.asked.n
    yes = min(
        range(max(int(context.asked.share * n) - 1, 0), n + 1)[:4], key=lambda many: abs(many - context.asked.share * n)
    )
    honest = result.answered_yes - result.yes_among_no
    if result.flips is not None:
        honest = sum(bool(said) for said, true in zip(result.flips.answers, result.flips.truth, strict=True) if true)
        assert sum(map(bool, result.flips.truth)) == yes
    return {"true_yes": yes, "truth": yes / n, "share": yes / n, "honest_yes": honest}


@of(classes.CuratorSurveyResult)
def _curator(result: classes.CuratorSurveyResult, told: Facts, context: Context) -> Expected:
    width = told["curator_width"].value  # type: ignore[attr-defined]
    return {"curator": (max(result.estimate - width, 0.0), min(result.estimate + width, 1.0))}


@of(classes.SurveyHistogramResult)
def _surveys(result: classes.SurveyHistogramResult, told: Facts, context: Context) -> Expected:
    survey = result.experiment.survey
    no, yes = (float(row[1]) for row in np.asarray(survey.design.channel().matrix))
    # An estimate is no share where more or fewer say yes than all of either kind would on average.
    few, many = sorted((survey.n * no, survey.n * yes))
    if survey.n <= 4000:
        law = np.convolve(
            stats.binom.pmf(np.arange(survey.yes + 1), survey.yes, yes),
            stats.binom.pmf(np.arange(survey.n - survey.yes + 1), survey.n - survey.yes, no),
        )
        slack = 1e-9 * survey.n
        outside = float(law[(np.arange(survey.n + 1) < few - slack) | (np.arange(survey.n + 1) > many + slack)].sum())
    else:
        mean = survey.yes * yes + (survey.n - survey.yes) * no
        deviation = math.sqrt(survey.yes * yes * (1 - yes) + (survey.n - survey.yes) * no * (1 - no))
        outside = float(stats.norm.cdf((few - mean) / deviation) + stats.norm.sf((many - mean) / deviation))
    told_often = "seldom" if result.impossible < 1e-6 else "sometimes"
    return {"impossible": Near(outside, 1e-9 if survey.n <= 4000 else 2e-3), "often": told_often}


# --- categories ------------------------------------------------------------------------------------------------------


def held(population: Any) -> list[int]:
    """How many people hold each category, of a list with a place for each."""
    return [int(count) for count in population.counts]


@of(frequencies.FrequencyResult)
def _frequencies(result: frequencies.FrequencyResult, told: Facts, context: Context) -> Expected:
    counts = held(result.experiment.population)
    top = counts.index(max(counts))
    return {"top": called(top, len(counts), context.names), "top_share": counts[top] / sum(counts)}


@of(DecodingResult)
def _decoding(result: DecodingResult, told: Facts, context: Context) -> Expected:
    counts, n = held(result.experiment.population), result.experiment.population.n
    proven = [bool(each) for each in result.recovered]
    known = [place for place, raw in enumerate(result.raw) if not math.isnan(raw)]

    def off(shares: Any) -> float:
        squares = [(float(shares[place]) - counts[place] / n) ** 2 for place in known]
        return math.sqrt(math.fsum(squares) / len(squares)) if squares else math.nan

    dot, bar = off(result.raw), off(result.decoded)
    return {
        "missed": sum(count > 0 and not found for count, found in zip(counts, proven, strict=True)),
        "invented": sum(count == 0 and found for count, found in zip(counts, proven, strict=True)),
        "raw_off": dot,
        "fit_off": bar,
        "closer": "alike" if f"{dot:.3g}" == f"{bar:.3g}" else "apart",
    }


@of(frequencies.CategoryReportResult)
def _report(result: frequencies.CategoryReportResult, told: Facts, context: Context) -> Expected:
    return {"value": called(int(context.own), result.experiment.randomizer.k, context.names)}


@of(collecting.OneRuleResult)
def _rule(result: collecting.OneRuleResult, told: Facts, context: Context) -> Expected:
    counts = held(result.experiment.estimate.population)
    top, n = counts.index(max(counts)), sum(counts)
    bias = float(result.chosen.split.bias[top])
    return {
        "favorite": called(top, len(counts), context.names),
        "top_truth": counts[top] / n,
        "top_mean": counts[top] / n + bias,
    }


@of(frequencies.TopTenResult)
def _top(result: frequencies.TopTenResult, told: Facts, context: Context) -> Expected:
    counts, size = held(result.experiment.population), result.experiment.size
    least = max(sorted(counts)[-min(size, len(counts))], 1)
    false = [int(value) for value in result.first if counts[int(value)] < least]
    runs = np.repeat(np.arange(len(result.right)), result.right)
    most = f"{runs.mean():.3g}" == f"{len(result.first):.3g}"
    single, once = "single", "right" if runs[0] else "wrong"
    return {
        "right": float(runs.mean()),
        "finding": (single if len(runs) > 1 else once) if len(result.first) == 1 else "all" if most else "some",
        "found": float(runs.mean()) / min(size, sum(count > 0 for count in counts)),
        "standard_error": float(runs.std() / math.sqrt(len(runs))),
        "false_count": len(false),
        "false": [called(value, len(counts), context.names) for value in false],
    }


@of(trust.BestChoiceResult)
def _choice(result: trust.BestChoiceResult, told: Facts, context: Context) -> Expected:
    counts = list(result.experiment.counts)
    first, second = sorted(counts)[:-3:-1]
    return {"favorite": called(counts.index(first), len(counts), context.names), "lead": first - second}


# --- crowds ----------------------------------------------------------------------------------------------------------


def crowds(columns: list[list[Any]], who: list[Any] | None) -> tuple[int, int]:
    """How many are alone with their values in these columns, and the smallest crowd."""
    rows = list(zip(*columns, strict=True)) if columns else [()] * (len(who) if who is not None else 0)
    people = list(range(len(rows))) if who is None else who
    sizes = {row: len(members) for row, members in _members(rows, people).items()}
    smallest: dict[Any, int] = {}
    for person, row in zip(people, rows, strict=True):
        smallest[person] = min(smallest.get(person, len(rows)), sizes[row])
    return sum(size == 1 for size in smallest.values()), min(smallest.values())


def _members(rows: list[Any], people: list[Any]) -> dict[Any, set[Any]]:
    members: dict[Any, set[Any]] = {}
    for row, person in zip(rows, people, strict=True):
        members.setdefault(row, set()).add(person)
    return members


@of(trust.WhoIsAloneResult)
def _alone(result: trust.WhoIsAloneResult, told: Facts, context: Context) -> Expected:
    table, names, who = context.own.table, list(context.own.columns), context.own.who
    assert not who, "who is one person of several rows needs a route of its own"
    cells = {name: valued(table, name).tolist() for name in table.columns}
    nobody = [[0] * table.n]
    alone, smallest = crowds([cells[name] for name in names] or nobody, None)
    ways: list[tuple[tuple[int, int], str, str, float, int, list[int]]] = []
    for place, name in enumerate(names):
        others = [cells[other] for other in names if other != name] or nobody
        many, least = crowds(others, None)
        ways.append(((many, -least), "without", name, 0.0, place, []))
        for way, step, codes in coarser(table, name, valued(table, name)):
            many, least = crowds([*others, codes.tolist()], None)
            ways.append(((many, -least), way, name, step, place, codes.tolist()))
    known: dict[str, Any] = {"alone": alone, "smallest": smallest, "part": alone / max(table.n, 1)}
    for fact, away in (("away", True), ("coarse", False)):
        better = [each for each in ways if (each[1] == "without") == away and each[0] < (alone, -smallest)]
        known |= _helped(fact, min(better, key=lambda each: each[0], default=None), alone, smallest, table)
    single = [(crowds([cells[name]], None)[0], name) for name in table.columns[:30]]
    telling = sorted(((many, name) for many, name in single if many), key=lambda each: -each[0])
    known["telling"] = len(telling)
    known["single"] = [("telling", {"column": table.head(name)}) for _, name in telling]
    return known | _pair(result, ways, cells, names, (alone, smallest))


def _helped(fact: str, best: Any, alone: int, smallest: int, table: Any) -> dict[str, Any]:
    if best is None:
        return {
            f"{fact}_helps": "none",
            f"{fact}_way": ("present", {}),
            f"{fact}_alone": alone,
            f"{fact}_smallest": smallest,
        }
    (many, least), way, name, *_ = best
    helps = "fewer" if many < alone else "larger"
    said = (way, {"column": table.head(name)})
    return {f"{fact}_helps": helps, f"{fact}_way": said, f"{fact}_alone": many, f"{fact}_smallest": -least}


def _pair(result: Any, ways: Any, cells: Any, names: list[str], present: tuple[int, int]) -> dict[str, Any]:
    """What the two columns that are called coarser at once leave, and that no pair leaves less."""
    tried = [each for each in ways if each[1] != "without"]
    best_alone = min((each[0] for each in tried), default=None)
    least, pair = None, None
    for one, other in combinations(tried, 2):
        if one[4] == other[4]:
            continue
        others = [cells[name] for place, name in enumerate(names) if place not in (one[4], other[4])]
        many, smallest = crowds([*others, one[5], other[5]], None)
        if least is None or (many, -smallest) < least:
            least, pair = (many, -smallest), (one, other)
    if least is None or best_alone is None or least >= best_alone or pair is None:
        return {
            "pair_helps": "none",
            "pair_way": ("present", {}),
            "pair_alone": present[0],
            "pair_smallest": present[1],
        }
    return {"pair_helps": "fewer", "pair_way": ("pair", {}), "pair_alone": least[0], "pair_smallest": -least[1]}
