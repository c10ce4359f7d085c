"""How much noise hides one person in a count?"""

from collections.abc import Callable
from dataclasses import replace

from explorer.drawings.flow import Step, flow
from explorer.figures import counting as figures
from explorer.told.counting import told
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
    with page.more():
        repeats = controls.number(page, "repeats", Repeats, default=1000, high=10**9)
    seed = controls.seed(page)


def shown() -> None:
    with page.controls():
        epsilon = controls.level(page, default=0.1)
    noise = LaplaceMechanism(epsilon, asked.sensitivity(neighbors), neighbors)
    question = counting.CountingExperiment(noise, asked.answer, asked.n, repeats=repeats, seed=seed)
    result = cache.run(question, asked.scope)
    page.said = page.secretly(told(result), "answer")
    pair = asked.in_two(epsilon, neighbors, seed)
    in_two = cache.run(pair, asked.scope) if pair else None

    def answer() -> None:
        people = "people" if asked.counts else "values"
        unit = "person" if asked.counts and page.said["error"] == "1" else people
        crowd = page.phrase("crowd_person" if asked.counts and asked.n == 1 else f"crowd_{people}")
        share, off = page.phrase("share_some" if asked.answer else "share_none"), page.said["error"]
        if in_two:
            share, off = page.phrase("share_ratio", **told(in_two)), told(in_two)["ratio_error"]
        quantity = page.label(f"quantity_{'mean' if in_two else asked.verb}")
        page.answer(quantity=quantity, off=off, unit=page.label(f"unit_{unit}"), share=share, crowd=crowd)

    def show(view: str, draw: Callable, found: object, *beside: object, secrets: tuple = (), **more: str) -> None:  # type: ignore[type-arg]
        page.show(view, draw, found, *beside, **(page.secretly(told(found), *secrets) | more))

    def error() -> None:
        curve = cache.run(counting.ErrorCurve(noise, counting.level_grid(), repeats, seed))
        page.show("error", figures.error_curve, curve, result)

    def crowds() -> None:
        crowd = cache.run(counting.Crowds(noise, asked.answer, asked.n), asked.scope)
        show("crowds", figures.crowds, crowd, secrets=("true_share", "low", "high"))

    def categories() -> None:
        column, bars, sensitivity = asking.histogram(page, asked, neighbors)
        noisy = cache.run(
            counting.CategoryCounts(replace(noise, sensitivity=sensitivity), bars.counts, seed), asked.scope
        )
        some = page.look.truth and (bars.other or bars.missing)
        left_out = page.phrase("left_out", others=str(bars.other), missing=str(bars.missing)) if some else ""
        show("categories", figures.categories, noisy, bars.labels, column=column, left_out=left_out)

    def afterwards() -> None:
        found = cache.run(counting.Afterwards(noise, asked.answer, asked.n), asked.scope)
        show("afterwards", figures.afterwards, found)

    def steps() -> None:
        page.say("flow")
        words = page.words("flow")
        boxes = ("data", "query", "noise", "output")
        drawn = [Step(words[box], words[f"{box}_number"], words[f"{box}_note"]) for box in boxes]
        page.drawing(flow(drawn, page.look, words["alt"]))

    def ratio() -> None:
        if in_two:
            show("ratio", figures.ratio, in_two, case="mean")
        else:
            page.say("ratio other")

    def plan() -> None:
        width = controls.number(page, "width", counting.Width, default=5.0, low=1.0, high=1e6)
        confidence = controls.number(page, "confidence", Confidence, default=0.95, low=0.5, high=0.99)
        found = cache.run(counting.CountPlan(noise, asked.n, width, confidence))
        other = page.phrase("other_crowd", **told(found)) if asked.counts else ""
        show("plan", figures.plan, found, case="possible" if found.possible else "impossible", other_crowd=other)

    def of_people(view: Callable[[], None]) -> Callable[[], None]:
        return view if asked.counts else lambda: page.say("counts only")

    def of_sum(view: Callable[[], None]) -> None:
        if in_two:
            page.say("sum of mean")
        view()

    answer()
    page.views(
        one=ratio if in_two else lambda: page.show("one", figures.releases, result), ratio=ratio,
        ten=lambda: of_sum(lambda: page.show("ten", figures.one_after_the_other, result)), error=lambda: of_sum(error),
        many=lambda: of_sum(lambda: show("many", figures.many, result.histogram())), plan=lambda: of_sum(plan),
        flow=lambda: of_sum(steps), crowds=of_people(crowds), afterwards=of_people(afterwards), categories=categories,
    )  # fmt: skip
    page.why(**({"case": "mean"} | page.secretly(told(in_two), "mean") if in_two else {}))
    page.tasks(tenfold=page.phrase(f"tenfold_{asked.verb}"), **told(counting.CountPlan(noise, asked.n).run()))
    page.take_away(pair or question)


page.follow(shown)
