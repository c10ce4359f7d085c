"""Can a lie tell the truth?"""

import streamlit as st

from explorer.drawings import intervals, people
from explorer.figures import response as figures
from explorer.numbers import exact, percent, significant
from explorer.told.response import needed_rows, rows, told
from explorer.ui import answers, cache, controls, frame, tables
from ldpcore.experiments import response
from ldpcore.mechanisms.coins import TwoCoins
from ldpcore.parameters import Confidence, Probability, Repeats

page = frame.open_page("response")
with page.controls():
    n = controls.number(page, "n", response.ClassSize, default=100)
    share = controls.number(page, "share", Probability, default=0.3)
    with page.more():
        confidence = controls.number(page, "confidence", Confidence, default=0.95, low=0.5, high=0.99)
        repeats = controls.number(page, "repeats", Repeats, default=1000, high=10**9)
    seed = controls.seed(page)


def shown() -> None:
    with page.controls():
        alpha = controls.level(page, default=1.1)
    best, designs = response.designed("level", alpha), page.labels["design_options"]
    question = response.ClassSurvey.of_share(best, n, share, confidence, seed)
    result = cache.run(question)
    page.said = {**told(result), "alpha": exact(alpha), "share": percent(share, 3)}
    page.answer(reading=page.phrase(f"reading_{result.reading}"))

    def everybody() -> None:
        few = people.drawable(result)
        stage = controls.choice(page, "stage", people.STAGES, default="everybody", row=True) if few else "everybody"
        person = 1 if stage == "everybody" else controls.number(page, "person", response.ClassSize, default=1, high=n)
        drawn = people.survey(result, page.look, page.words("class"), stage, person)
        page.drawing(drawn, "class", rows(result, page.labels["rows"], page.look.truth))
        page.say(f"class {stage}")

    def real() -> None:
        typed = answers.answers(page, "answers", default="83 yes of 200")
        design = controls.choice(page, "design", designs)
        page.say(f"design {design}")
        if typed is not None:
            page.experiment = response.RealAnswers(response.designed(design, alpha), *typed, confidence)
            found = cache.run(page.experiment)
            page.say(f"real {found.reading}", **told(found))
            drawn = intervals.real(found, page.look, page.words("real", **told(found)))
            page.drawing(drawn, "real", rows(found, page.labels["rows"], page.look.truth))

    def show(view, draw, asked, *beside, **more) -> None:  # type: ignore[no-untyped-def]
        page.experiment = asked
        found = cache.run(asked)
        page.show(view, draw, found, *beside, **told(found), **more)

    def deny() -> None:
        prior = controls.number(page, "prior", Probability, default=0.1)
        show("deny", figures.deniability, response.Deniability(best, prior))

    def again() -> None:
        show("again", figures.surveys, response.RepeatedSurveys(best, n, question.yes, repeats, seed=seed))

    def needed() -> None:
        asked = response.PeopleNeeded(best, 0.5, n, 0.05, 8.0)
        show("needed", figures.needed, asked, alpha, own=significant(response.people_factor(best, share)))
        st.html(tables.table([page.labels["needed_head"], *needed_rows(asked)], page.label("needed_table")))

    def coins() -> None:
        tosses = (controls.number(page, name, Probability, default=p) for name, p in (("first", 0.5), ("second", 0.8)))
        show("coins", figures.coins, response.CoinDesign(TwoCoins.of_flips(*tosses), n, share), designs)

    def plan() -> None:
        width = controls.number(page, "width", response.Width, default=0.05, low=0.001, high=0.5)
        show("plan", figures.plan, response.SurveyPlan(best, n, share, width, confidence), alpha)

    page.views(
        everybody=everybody, real=real, needed=needed, coins=coins, plan=plan,
        deny=deny,
        again=again,
    )  # fmt: skip
    page.why()
    low = significant(response.people_factor(response.designed("level", 0.1), 0.5))
    page.tasks(neighbor=told(cache.run(response.Deniability(best, 0.1)))["after_yes"], low=low)
    page.take_away(question)


page.follow(shown)
