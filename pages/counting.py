"""How much noise hides one person in a count?"""

from collections.abc import Callable
from dataclasses import replace

from explorer.drawings.flow import Step, flow
from explorer.figures import counting as figures
from explorer.numbers import exact, noticeable, people, percent, significant
from explorer.ui import asking, cache, controls, frame
from ldpcore.experiments import counting
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.parameters import Confidence, Neighbors, Repeats

page = frame.open_page("counting")
with page.controls():
    table = controls.dataset(page)
    with page.more():
        neighbors = controls.choice(page, "neighbors", Neighbors)
    asked = asking.question(page, table, ("count", "sum", "mean"), neighbors)
    epsilon = controls.level(page, default=0.1)
    with page.more():
        repeats = controls.number(page, "repeats", Repeats, default=1000, high=10**9)
    seed = controls.seed(page)

noise = LaplaceMechanism(epsilon, asked.sensitivity(neighbors), neighbors)
question = counting.CountingExperiment(noise, asked.answer, asked.n, repeats=repeats, seed=seed)
result = cache.run(question, asked.scope)
page.said = {
    "epsilon": exact(epsilon), "error": people(result.error), "n": people(asked.n),
    "answer": page.secret(people(asked.answer)), "of_answer": percent(result.share_of_answer),
    "of_crowd": percent(result.share_of_crowd), "sensitivity": people(noise.sensitivity), "repeats": people(repeats),
}  # fmt: skip
kind = "people" if asked.counts else "values"
unit = page.label("unit_person" if asked.counts and page.said["error"] == "1" else f"unit_{kind}")
share = page.phrase("share_some" if asked.answer else "share_none")
crowd = page.phrase("crowd_person" if asked.counts and asked.n == 1 else f"crowd_{kind}")
page.answer(unit=unit, share=share, crowd=crowd)


def ten() -> None:
    page.show("ten", figures.one_after_the_other, result)


def error() -> None:
    curve = cache.run(counting.ErrorCurve(noise, counting.level_grid(), repeats, seed))
    simulated, spread = significant(result.simulated_error, 4), significant(result.standard_error)
    page.show("error", figures.error_curve, curve, result, simulated=simulated, standard_error=spread)


def crowds() -> None:
    crowd = cache.run(counting.Crowds(noise, asked.answer, asked.n), asked.scope)
    true_share, low, high = (page.secret(percent(share, 3)) for share in (crowd.true_share, *crowd.span))
    page.show("crowds", figures.crowds, crowd, true_share=true_share, low=low, high=high)


def many() -> None:
    histogram = result.histogram()
    page.show("many", figures.many, histogram, outside=people(histogram.outside))


def categories() -> None:
    column, bars, sensitivity = asking.histogram(page, asked, neighbors)
    sorted_noise = replace(noise, sensitivity=sensitivity)
    noisy = cache.run(counting.CategoryCounts(sorted_noise, bars.counts, seed), asked.scope)
    left_out = page.phrase("left_out", others=people(bars.other), missing=people(bars.missing))
    told = {"column": column, "error": people(noisy.error)}
    told["left_out"] = left_out if page.look.truth and (bars.other or bars.missing) else ""
    page.show("categories", figures.categories, noisy, bars.labels, **told)


def afterwards() -> None:
    after = cache.run(counting.Afterwards(noise, asked.answer, asked.n), asked.scope)
    errors = {"raw": people(after.raw_error), "after": people(after.error), "bias": noticeable(after.bias)}
    page.show("afterwards", figures.afterwards, after, **errors)


def steps() -> None:
    page.say("flow")
    words = page.words("flow")
    numbers = people(asked.n), page.secret(people(asked.answer)), f"± {people(result.error)}"
    released = people(float(result.releases[0]), 4)
    boxes = zip(("data", "query", "noise", "output"), (*numbers, released), strict=True)
    drawn = [Step(words[key], number, words[f"{key}_note"]) for key, number in boxes]
    page.drawing(flow(drawn, page.look, words["alt"]))


def ratio() -> None:
    if asked.mean is None or not asked.selected:
        page.say("ratio other")
        return
    pair = counting.RatioOfReleases.of(epsilon, asked.mean, asked.answer, asked.selected, neighbors, seed)
    found = cache.run(pair, asked.scope)
    (bias, bias_spread), (error, spread) = found.bias, found.error
    page.show(
        "ratio", figures.ratio, found, case="mean", half=exact(pair.sum_noise.epsilon),
        repeats_shown=people(pair.repeats), bias=significant(bias), bias_spread=significant(bias_spread, 2),
        ratio_error=significant(error), ratio_spread=significant(spread, 2),
    )  # fmt: skip


def plan() -> None:
    width = controls.number(page, "width", counting.Width, default=5.0, low=1.0, high=1e6)
    confidence = controls.number(page, "confidence", Confidence, default=0.95, low=0.5, high=0.999)
    found = cache.run(counting.CountPlan(noise, asked.n, width, confidence))
    told = {"width": people(width), "reach": people(found.width), "needed": significant(found.epsilon)}
    told |= {"confidence": percent(confidence, 3), "chance": percent(found.chance, 3)}
    told["other_crowd"] = page.phrase("other_crowd", people=people(found.people), **told) if asked.counts else ""
    page.show("plan", figures.plan, found, case="possible" if found.possible else "impossible", **told)


def of_people(view: Callable[[], None]) -> Callable[[], None]:
    return view if asked.counts else lambda: page.say("counts only")


page.views(
    one=lambda: page.show("one", figures.releases, result), ten=ten, error=error, crowds=of_people(crowds), many=many,
    categories=categories, afterwards=of_people(afterwards), flow=steps, ratio=ratio, plan=plan,
)  # fmt: skip
five = counting.CountPlan(noise, asked.n).run()
page.why(scale=people(noise.scale), deviation=people(noise.standard_deviation()))
tenfold = {"of_crowd_tenfold": percent(result.share_of_larger_crowd(10)), "tenth": people(result.error_at(10))}
page.tasks(
    halved=people(result.error_at(0.5)), tenfold=page.phrase(f"tenfold_{asked.verb}", **tenfold),
    needed=significant(five.epsilon), chance=percent(five.chance, 3),
)  # fmt: skip
page.take_away(question)
