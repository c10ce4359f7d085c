"""What if I ask again?"""

from explorer.figures import averaging as figures
from explorer.numbers import exact, people, percent, significant
from explorer.ui import account, asking, cache, controls, frame
from ldpcore.accounting import written
from ldpcore.experiments import averaging
from ldpcore.experiments.counting import Width
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.parameters import Confidence, Neighbors

page = frame.open_page("averaging")
with page.controls():
    table = controls.dataset(page)
    with page.more():
        neighbors = controls.choice(page, "neighbors", Neighbors)
    asked = asking.question(page, table, ("count", "sum", "mean"), neighbors)
    repeats = controls.number(page, "repeats", averaging.Times, default=1_000_000)
    seed = controls.seed(page)


def shown() -> None:
    with page.controls():
        epsilon = controls.level(page, default=0.1)
    noise = LaplaceMechanism(epsilon, asked.sensitivity(neighbors), neighbors)
    question = averaging.AveragingExperiment(noise, asked.answer, repeats, seed)
    result = cache.run(question, asked.scope)
    page.said = {
        "epsilon": exact(epsilon), "repeats": exact(repeats), "error": significant(result.error),
        "spent": exact(result.spent), "scale": people(noise.scale), "sensitivity": people(noise.sensitivity),
        "standard_error": significant(result.standard_error), "average": significant(result.average, 6),
        "chance": percent(result.chance, 3), "answer": page.secret(people(asked.answer)),
    }  # fmt: skip

    def releases(n: int) -> str:
        return page.phrase("releases_one" if n == 1 else "releases_many", repeats=exact(n))

    def reached(found: averaging.AveragingPlanResult) -> dict[str, str]:
        return {"needed": releases(found.repeats or found.most), "price": exact(found.spent or 0)}

    page.said["releases"] = releases(repeats)
    page.answer(result=page.label("result_plain" if asked.mean is None else "result_sum"))

    def attacker() -> None:
        attack = cache.run(averaging.Attack(noise, repeats), asked.scope)
        page.show("attacker", figures.attacker, attack, median=percent(attack.present[1], 3))

    def shared() -> None:
        found = cache.run(averaging.SharedBudget(noise, repeats, seed=seed), asked.scope)
        told = {"shared": people(found.error), "factor": significant(found.factor), "share": significant(found.share)}
        page.show("shared", figures.shared, found, case="once" if repeats == 1 else "", **told)

    def ledger() -> None:
        page.say("ledger")
        kept = account.ledger(page, asked.words, epsilon)
        words = page.words("ledger", paid=written(kept.spent), total=written(kept.total))
        page.figure(figures.ledger(kept, page.look, words), alt=words["alt"], name="ledger")

    def plan() -> None:
        width = controls.number(page, "width", Width, default=1.0, low=0.001, high=1e9)
        confidence = controls.number(page, "confidence", Confidence, default=0.95, low=0.5, high=0.999)
        found = cache.run(averaging.AveragingPlan(noise, width, confidence), asked.scope)
        told = {"width": people(width), "confidence": percent(confidence, 3), "once": significant(found.once)}
        told |= reached(found)
        page.show(
            "plan", figures.plan, found, found.attack, case=found.case, way=page.phrase(found.case, **told), **told
        )

    page.views(
        path=lambda: page.show("path", figures.path, result), error=lambda: page.show("error", figures.error, result),
        attacker=attacker, shared=shared, ledger=ledger, plan=plan,
    )  # fmt: skip
    page.why()
    rounded = cache.run(averaging.AveragingPlan(noise, 0.5), asked.scope)
    page.tasks(
        error_of_four=significant(result.error_at(4)), spent_of_four=exact(result.spent_at(4)),
        until=page.phrase("until_reached" if rounded.repeats else "until_beyond", **reached(rounded)),
        shared_by_ten=significant(averaging.SharedBudget(noise, 10).error),
    )  # fmt: skip
    page.take_away(question)


page.follow(shown)
