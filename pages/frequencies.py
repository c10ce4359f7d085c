"""Which answers are popular, when nobody tells the truth?"""

from dataclasses import replace

import streamlit as st

from explorer.drawings import report as drawn
from explorer.figures import frequencies as figures
from explorer.numbers import exact, people, percent
from explorer.told.frequencies import told, told_of_rule
from explorer.ui import cache, controls, crowds, frame, patience, ranking
from ldpcore.adviser import Adviser, Criterion, candidates
from ldpcore.experiments import frequencies
from ldpcore.mechanisms.base import FrequencyOracle

page = frame.open_page("frequencies")
with page.controls():
    crowd = crowds.crowd(page)
    member = crowds.chosen(page, crowd)
    among = crowds.compared(page, crowd)
    with page.more():
        repeats = crowds.repeats(page, member, crowd)
    seed = controls.seed(page)


def shown() -> None:
    with page.controls():
        epsilon = controls.level(page)
        mechanism = crowds.randomizer(page, member, epsilon, crowd)
    names, population, k, n = crowd.names, crowd.population, crowd.population.k, crowd.population.n
    question = frequencies.Survey(mechanism, crowd.family, n, repeats, seed)
    result = patience.run(page, question, crowd.scope, replace(question, repeats=1))
    hidden = {} if page.look.truth else dict.fromkeys(("top_share", "top_truth"), page.label("hidden"))
    page.said = told(result, names) | {"epsilon": exact(epsilon)} | hidden
    page.answer()

    def bars() -> None:
        if among:
            asked = [replace(question, randomizer=member, repeats=1) for member in candidates(epsilon, k, among)]
            page.show("compared", figures.compare, [patience.run(page, one, crowd.scope) for one in asked], names)
        elif k > figures.MOST_BARS and controls.choice(page, "shown", ("bars", "ranks")) == "ranks":
            page.show("ranks", figures.ranks, result)
        else:
            page.show("bars", figures.bars, result, names, case=result.case)

    def error() -> None:
        asked = crowds.curve(crowd, mechanism, among, crowds.axes(page), seed)
        found = patience.run(page, asked, crowd.scope, replace(asked, draws=1))
        page.show("error", figures.error_curve, found, result, case=asked.metric)

    def which() -> None:
        criterion = controls.choice(page, "criterion", Criterion)
        found = cache.run(frequencies.WhichOne(Adviser(population, epsilon, criterion=criterion)), crowd.scope)
        numbers = ranking.told(page, found)
        page.show("which", figures.which, found, **numbers)
        page.say("which changes", **numbers)

    def top() -> None:
        asked = frequencies.TopTen(mechanism, population, repeats, seed=seed)
        found = patience.run(page, asked, crowd.scope, replace(asked, repeats=1))
        page.show("top", figures.top, found, names, case=found.case, **told(found, names))

    def report() -> None:
        value = crowds.person(page, crowd)
        found = cache.run(frequencies.OneReport(mechanism, value, seed), crowd.scope)
        lines = drawn.lines(found, names)
        page.say(f"report as {drawn.form(found)}", **told(found, names) | drawn.written(found, names))
        page.drawing(drawn.report(lines, page.look, page.words("report")), "report")
        more = {"more": people(lines.more), "more_set": people(lines.more_set)}
        page.say(f"report {drawn.ending(found, lines)}", **told(found, names), **more)

    def after() -> None:
        rule, view = crowds.rule(page, mechanism)
        asked = frequencies.AfterEstimate(mechanism, population, max(repeats, crowds.OFTEN), seed)
        found = patience.run(page, asked, crowd.scope, replace(asked, repeats=2))
        page.show(view, figures.AFTER[view], found, rule, names, **told_of_rule(found, rule, names) | hidden)
        st.latex(found.row(rule).rule.formula)

    def plan() -> None:
        found = cache.run(frequencies.FrequencyPlan(mechanism, n, *crowds.precision(page)), crowd.scope)
        page.show("plan", figures.plan, found, case=found.case, **told(found))

    page.views(bars=bars, error=error, which=which, top=top, report=report, after=after, plan=plan)
    page.why("" if isinstance(mechanism, FrequencyOracle) else "numbers")
    best = cache.run(Adviser(population, epsilon), crowd.scope).options[0]
    page.tasks(
        halved=percent(result.typical_error_at(0.5), 3), fourfold=percent(result.typical_error_with(4), 3),
        best=best.randomizer.title, best_error=percent(best.typical_error, 3),
    )  # fmt: skip
    page.take_away(question)


page.follow(shown)
