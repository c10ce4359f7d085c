"""Planted mistakes in scenes: each law of `test_scenes.py` turns red for what it was made for.

The counting page's first picture is drawn by somebody careless: who lets the truth through in one place, lets the axes
follow the noise, forgets the catalogue. What no law catches would be a hole in the laws.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from explorer.declarations import PageDeclaration
from explorer.facts import Count, Exact, Facts, Number, Share, Truth
from explorer.figures import marks, plot
from explorer.figures.theme import Look
from explorer.pages.counting.figures import releases as figures
from explorer.predicting import Prediction
from explorer.scenes import Scene
from explorer.text.catalogue import Words
from ldpcore.experiments.counting.neighbors import TwoTablesResult
from tests import leaks, scenes, test_scenes
from tests.scenes import Scenes, Setting

TRUE, DOT = 882, '<circle r="2" fill="red"/>'
TURNS = '<g text-anchor="start"><text>so</text></g>'
ONE = next(setting for setting in scenes.settings() if setting.name == "counting.0.one")
ERROR = {"title": {"text": "error"}, "range": [0, 1]}
CLIPPED = {"cliponaxis": True}
Change = Callable[[plot.Figure, TwoTablesResult, Look, Words], object]


def drawn(change: Change) -> Scenes:
    """The scenes of the first view as somebody careless draws them."""

    def draw(result: TwoTablesResult, look: Look, words: Words) -> plot.Figure:
        figure = figures.bells(result, look, words)
        change(figure, result, look, words)
        return figure

    return Scenes(replace(ONE, view=replace(ONE.view, draw=draw, predicts=Prediction(("answer",), whole=True))))


def changed(change: Callable[[Scene], dict[str, Any]]) -> Scenes:
    """The scenes of the first view with something put in the place of what they say."""

    class Changed(Scenes):
        def scene(self, level: float, truth: bool = True, language: str = "en") -> Scene:
            original = super().scene(level, truth, language)
            return replace(original, **change(original))

    return Changed(ONE)


def around(middle: float) -> tuple[np.ndarray, np.ndarray]:
    """A bell that stands there."""
    x = middle + np.array([-21.5, -10.25, -3.5, 0, 2.25, 11.75, 20.5, 30])
    return x, np.exp(-np.abs(x - middle) / 9)


def leaking_trace(**described: Any) -> Change:
    return lambda figure, result, look, words: figure.add_scatter(name="x", showlegend=False, **described)


def leaking_layout(**described: Any) -> Change:
    return lambda figure, result, look, words: figure.layout.update(described)


def leaking_axis(**described: Any) -> Change:
    return lambda figure, result, look, words: figure.layout["xaxis2"].update(described)


def titled(text: str) -> Callable[[Scene], dict[str, Any]]:
    """A title that writes the truth."""

    def told(scene: Scene) -> dict[str, Any]:
        assert scene.figure is not None
        return {"figure": plot.Figure(scene.figure.data, {**scene.figure.layout, "title": {"text": text}})}

    return told


LEAKS: dict[str, Scenes] = {
    "a title": changed(titled(f"It is {TRUE}.")),
    "a rounded share in a title": drawn(
        lambda figure, result, look, words: figure.layout["xaxis2"].update(
            title={"text": words.write(Share(result.experiment.mechanism.scale / TRUE))}
        )
    ),
    "a title of an axis": drawn(leaking_axis(title={"text": f"counted from {TRUE} (people)"})),
    "the name of a series": drawn(lambda figure, *_: figure.data[0].update(name=f"from {TRUE}")),
    "a hover text": drawn(lambda figure, *_: figure.data[0].update(hovertemplate=f"%{{x}} from {TRUE}")),
    "data behind a hover text": drawn(leaking_trace(x=[1], y=[1], customdata=[[float(TRUE)]])),
    "words behind a hover text": drawn(leaking_trace(x=[1], y=[1], customdata=[[f"{TRUE} people"]])),
    "a text beside a mark": drawn(leaking_trace(x=[1], y=[1], text=[f"{TRUE}"])),
    "a note in the picture": drawn(leaking_layout(annotations=[{"x": 0, "y": 0, "text": f"truth: {TRUE}"}])),
    "the place of a note": drawn(leaking_layout(annotations=[{"x": float(TRUE), "y": 0, "text": "here"}])),
    "a line across": drawn(leaking_layout(shapes=[{"type": "line", "x0": TRUE, "x1": TRUE, "y0": 0, "y1": 1}])),
    "a number in a series": drawn(leaking_trace(x=[TRUE, TRUE], y=[0, 1])),
    "a number in what is decoration": drawn(leaking_trace(x=[TRUE, TRUE], y=[0, 1], meta="decoration")),
    "an error bar": drawn(leaking_trace(x=[1], y=[1], error_y={"type": "data", "array": [TRUE]})),
    "a tick": drawn(leaking_axis(tickvals=[10.5, TRUE], ticktext=["a", "b"])),
    "the words of a tick": drawn(leaking_axis(tickvals=[10.5], ticktext=[f"{TRUE}"])),
    "the middle of an axis": drawn(leaking_axis(range=[TRUE - 60, TRUE + 60])),
    "the end of an axis": drawn(leaking_axis(range=[0, TRUE])),
    "the middle of an axis of powers": drawn(
        leaking_axis(type="log", range=[float(np.log10(TRUE)) - 1, float(np.log10(TRUE)) + 1])
    ),
    "the middle of what is drawn": drawn(leaking_trace(x=np.linspace(TRUE - 60, TRUE + 60, 50), y=np.ones(50))),
    "the tip of a curve": drawn(leaking_trace(x=around(TRUE)[0] + 0.4, y=around(TRUE)[1], mode="lines")),
    "the lowest place of a curve": drawn(leaking_trace(x=around(TRUE)[0], y=1 - around(TRUE)[1], mode="lines")),
    "the tip of a curve that stands upright": drawn(leaking_trace(y=around(TRUE)[0], x=around(TRUE)[1], mode="lines")),
    "the highest bar": drawn(
        lambda figure, *_: figure.add_bar(x=around(TRUE)[0], y=around(TRUE)[1], name="x", showlegend=False)
    ),
    "a number of dots": drawn(
        leaking_trace(x=np.random.default_rng(1).random(TRUE), y=np.random.default_rng(2).random(TRUE), mode="markers")
    ),
    "a note below": changed(lambda scene: {"note": f"{scene.note} It was {TRUE}."}),
    "the answer": changed(lambda scene: {"answer": f"About <b>{TRUE}</b> people."}),
    "the alternative text": changed(lambda scene: {"alt": f"{scene.alt} The peak is at {TRUE}."}),
    "other digits": changed(lambda scene: {"note": "۸۸۲"}),
    "a drawing": changed(lambda scene: {"figure": None, "drawing": f"<svg><text>{TRUE}</text></svg>"}),
    "a drawing's label": changed(lambda scene: {"figure": None, "drawing": f'<svg aria-label="{TRUE} people"></svg>'}),
    "a drawing's data": changed(lambda scene: {"figure": None, "drawing": f'<svg data-people="{TRUE}"></svg>'}),
    "a drawing's marks": changed(lambda scene: {"figure": None, "drawing": "<svg>" + DOT * TRUE + "</svg>"}),
}


@pytest.mark.parametrize("planted", LEAKS.values(), ids=LEAKS)
def test_a_leak_of_each_kind_is_caught(planted: Scenes) -> None:
    with pytest.raises(AssertionError):
        test_scenes.truth_is_hidden(planted)


def test_what_leaks_nothing_is_not_accused() -> None:
    test_scenes.truth_is_hidden(drawn(lambda *_: None))
    test_scenes.truth_is_hidden(drawn(leaking_trace(x=np.arange(0, 2585), y=np.ones(2585), mode="lines")))


@pytest.mark.parametrize("form", ["882", "882.0", "882.00", "+882", "34.1 %", "34.13%", "0.341", "0.34133"])
def test_a_truth_is_found_however_it_is_written(form: str) -> None:
    facts = {"answer": Truth(Count(TRUE)), "share": Truth(Share(TRUE / 2584, 3))}
    secrets = leaks.secrets(facts, "counting")
    scene = replace(Scenes(ONE).scene(0.1), figure=None, drawing="<svg></svg>", note=f"So it is {form}, I think.")
    assert list(leaks.found_in(scene, secrets))


@pytest.mark.parametrize("value", [0, 1, 0.5, 100, 95])
def test_what_everybody_knows_is_no_secret(value: float) -> None:
    assert not leaks.secrets({"answer": Truth(Number(value))}, "counting")  # "95 of 100" stands in the page's texts
    assert not leaks.secrets({"answer": Truth(Number(1234.5)), "public": Number(1234.5)}, "counting")
    assert leaks.secrets({"answer": Truth(Number(1234.5)), "public": Number(1235.5)}, "counting")


def told_with(facts: Callable[[Any], Facts]) -> Setting:
    """The first view of a page that finds something else."""
    page = PageDeclaration(
        "counting", facts, ONE.page.default_level, ONE.page.main, case=ONE.page.case, known=ONE.page.known
    )
    return replace(ONE, page=page)


def copies(result: Any) -> Facts:
    known = dict(ONE.page.facts(result))
    return known | {"clear": known["answer"].quantity} if isinstance(known.get("answer"), Truth) else known


def test_a_truth_that_is_also_a_fact_without_its_mark_is_caught() -> None:
    others = [setting for setting in scenes.settings() if setting.name in ("counting.2.one", "counting.3.one")]
    careless = [replace(setting, page=told_with(copies).page) for setting in (ONE, *others)]
    assert test_scenes.copies_of_truths(careless) == {("answer", "clear")}
    assert not test_scenes.copies_of_truths([ONE, *others])


def follows_the_noise(figure: plot.Figure, result: TwoTablesResult, look: Look, words: Words) -> None:
    scale = 4 * result.experiment.mechanism.scale
    figure.layout["xaxis"]["range"] = [-scale, scale]


def stays(figure: plot.Figure, *_: Any) -> None:
    figure.data = [marks.line([-50, 50], [0.5, 0.5], "x")]


def moves_in_one_half(figure: plot.Figure, result: TwoTablesResult, *_: Any) -> None:
    figure.data = [marks.line([-50, 50], [0.2 if result.experiment.mechanism.scale > 1 else 0.8] * 2, "x")]


def leaves_its_panel(figure: plot.Figure, *_: Any) -> None:
    figure.layout |= {"xaxis3": dict(ERROR), "yaxis3": dict(ERROR)}
    figure.add_scatter(x=[0, 1], y=[5, 6], mode="lines", name="x", xaxis="x3", yaxis="y3")


def forgetful(result: Any) -> Facts:
    """Facts of which one is true and still in the masked result."""
    return dict(ONE.page.facts(result)) | {"most": Truth(Number(getattr(result.experiment, "high", 2584.0)))}


def talkative(result: Any) -> Facts:
    """Facts of which one is in no text."""
    return dict(ONE.page.facts(result)) | {"asked_by_nobody": Number(1.0)}


def heights_of(figure: plot.Figure) -> list[list[float]]:
    """The heights of the curves of the upper panel."""
    return [list(each["y"]) for each in figure.data if each.get("yaxis", "y") == "y" and each.get("mode") == "lines"]


MISTAKES: dict[str, tuple[Callable[[Scenes], None], Scenes]] = {
    "nothing is drawn": (test_scenes.something_is_drawn, drawn(lambda figure, *_: figure.data.clear())),
    "neither figure nor drawing": (test_scenes.something_is_drawn, changed(lambda scene: {"figure": None})),
    "a placeholder": (test_scenes.texts_are_whole, changed(lambda scene: {"note": "off by @{error}"})),
    "no number": (test_scenes.texts_are_whole, changed(lambda scene: {"answer": "off by nan"})),
    "from a number to itself": (test_scenes.numbers_are_said_well, changed(lambda scene: {"note": "It is 5 to 5."})),
    "a number against itself": (
        test_scenes.numbers_are_said_well,
        changed(lambda scene: {"note": "It stays noisy, ± 3 points instead of ± 3 points."}),
    ),
    "one of one": (test_scenes.numbers_are_said_well, changed(lambda scene: {"note": "Here 1 of 1 said yes."})),
    "none of them in digits": (
        test_scenes.numbers_are_said_well,
        changed(lambda scene: {"note": "Red, 0 of them."}),
    ),
    "a range of one number": (
        test_scenes.numbers_are_said_well,
        changed(lambda scene: {"note": "It typically lies in the range from 60\u202f%, and is fair."}),
    ),
    "an answer of three lines": (
        test_scenes.answers_take_two_lines,
        changed(lambda scene: {"answer": "It is off by 100 people on average. " * 7}),
    ),
    "two signs side by side": (
        test_scenes.numbers_are_said_well,
        changed(lambda scene: {"note": "tanh(α/2) = \u2066> 99.9\u202f%\u2069 of it."}),
    ),
    "a sum of what there is not": (
        test_scenes.numbers_are_said_well,
        changed(lambda scene: {"note": "Bias² – + variance – = –."}),
    ),
    "no error to either side": (test_scenes.numbers_are_said_well, changed(lambda scene: {"note": "It is within ±0."})),
    "no answer": (test_scenes.texts_are_whole, changed(lambda scene: {"answer": "<b> </b>"})),
    "no alternative text": (test_scenes.texts_are_whole, changed(lambda scene: {"alt": "A figure"})),
    "no title": (test_scenes.texts_are_whole, drawn(leaking_layout(title={"text": ""}))),
    "an element left open": (test_scenes.markup_is_sound, changed(lambda scene: {"note": "<b>so"})),
    "a drawing that turns over": (
        test_scenes.drawings_stand_still,
        changed(lambda scene: {"figure": None, "drawing": '<svg><text text-anchor="start">so</text></svg>'}),
    ),
    "a drawing of words at their middle, one part of which turns over": (
        test_scenes.drawings_stand_still,
        changed(lambda scene: {"figure": None, "drawing": f'<svg text-anchor="middle">{TURNS}</svg>'}),
    ),
    "a script": (test_scenes.markup_is_sound, changed(lambda scene: {"drawing": "<script>alert(1)</script>"})),
    "another number in the answer": (test_scenes.answer_states_facts, changed(lambda scene: {"answer": "off by 17.3"})),
    "a hundredfold share in the answer": (
        test_scenes.answer_states_facts,
        changed(lambda scene: {"answer": "off by 38.7\u202f%"}),
    ),
    "a bound below what is counted up to it": (
        test_scenes.numbers_keep_their_order,
        changed(lambda scene: {"facts": dict(scene.facts) | {"answer": Number(66_081.4, 4), "n": Count(66_081)}}),
    ),
    "a fact that no text asks for": (test_scenes.facts_are_asked_for, Scenes(told_with(talkative))),
    "no number in the answer": (test_scenes.answer_states_facts, changed(lambda scene: {"answer": "a little"})),
    "a mask that forgets": (test_scenes.figures_know_no_truth, Scenes(told_with(forgetful))),
    "axes that follow the noise": (test_scenes.axes_hold_still, drawn(follows_the_noise)),
    "an axis without a range": (
        test_scenes.axes_hold_still,
        drawn(lambda figure, *_: figure.layout["yaxis"].pop("range")),
    ),
    "shades that follow the noise": (
        test_scenes.colors_hold_still,
        drawn(lambda figure, *_: figure.add(plot.heatmap(z=[[1, 2]], name="x"))),
    ),
    "a picture that stays": (test_scenes.the_picture_moves, drawn(stays)),
    "a picture that stays in one half": (test_scenes.the_picture_moves, drawn(moves_in_one_half)),
    "an empty panel": (test_scenes.no_panel_is_empty, drawn(leaves_its_panel)),
    "a bell cut at half of its height": (
        test_scenes.every_bell_has_its_tip,
        drawn(lambda figure, *_: figure.layout["yaxis"].update(range=[0, max(map(max, heights_of(figure))) / 2])),
    ),
    "a ring that leaves the picture": (
        test_scenes.the_ring_stays,
        drawn(lambda figure, result, look, words: figure.add(marks.ring(result.offset, 0.5, "x", look) | CLIPPED)),
    ),
    "a property that Plotly does not know": (
        test_scenes.plotly_accepts_it,
        drawn(lambda figure, *_: figure.data[0].update(colour="red")),
    ),
    "too many points": (test_scenes.traces_are_light, drawn(leaking_trace(x=np.arange(3000), y=np.arange(3000)))),
    "an axis without a title": (test_scenes.axes_are_named, drawn(leaking_axis(title={"text": ""}))),
    "an axis without a unit": (test_scenes.axes_are_named, drawn(leaking_layout(xaxis=ERROR))),
    "a lower panel without a unit": (
        test_scenes.axes_are_named,
        drawn(leaking_axis(title={"text": "all that is possible"})),
    ),
    "a distance without a unit": (
        test_scenes.axes_are_named,
        drawn(leaking_layout(xaxis={"title": {"text": "counted from the true answer"}})),
    ),
    "two entries of one name": (
        test_scenes.legend_is_clear,
        drawn(lambda figure, *_: figure.data[1].update(name=figure.data[0]["name"])),
    ),
    "an entry without a name": (
        test_scenes.legend_is_clear,
        drawn(lambda figure, *_: figure.add_scatter(x=[1], y=[1])),
    ),
    "an English word": (test_scenes.nothing_is_english, drawn(lambda figure, *_: figure.data[0].update(name="noise"))),
    "an English column": (test_scenes.nothing_is_english, changed(lambda scene: {"note": "<bdi>ward</bdi> = ICU"})),
    "an English word in a note": (test_scenes.nothing_is_english, changed(lambda scene: {"note": "The noise."})),
}


@pytest.mark.parametrize(("law", "planted"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_of_each_kind_is_caught(law: Callable[[Scenes], None], planted: Scenes) -> None:
    law(Scenes(ONE))
    with pytest.raises((AssertionError, ValueError)):
        law(planted)


def test_every_law_but_two_has_a_planted_mistake_here() -> None:
    caught = {law for law, _ in MISTAKES.values()} | {test_scenes.truth_is_hidden}
    elsewhere = {test_scenes.exports_equal_the_picture, test_scenes.code_gives_the_same}  # below
    assert caught | elsewhere == set(test_scenes.LAWS)


@pytest.mark.parametrize("lost", ["names", "arms", "rows"])
def test_an_export_that_differs_from_the_picture_is_caught(lost: str, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = drawn(_with_bars)
    test_scenes.exports_equal_the_picture(planted)
    true = scenes.rows

    def wrong(shown: Scene, language: str = "en") -> list[list[Any]]:
        header, *body = true(shown, language)
        if lost == "names":
            return [header, *([*row[:1], *(0 if cell == "Bonn" else cell for cell in row[1:])] for row in body)]
        if lost == "arms":
            return [row[:-1] for row in (header, *body)]
        return [header, *body[:-1]]

    monkeypatch.setattr(scenes, "rows", wrong)
    with pytest.raises(AssertionError):
        test_scenes.exports_equal_the_picture(planted)


def _with_bars(figure: plot.Figure, *_: Any) -> None:
    arms = {"type": "data", "array": [22.7, 1.5], "arrayminus": [19.83, 1.25]}
    figure.layout["xaxis3"] = {"title": {"text": "town"}, "tickvals": [0, 1], "ticktext": ["Bonn", "Graz"]}
    figure.layout["yaxis3"] = {"title": {"text": "people (number)"}}
    figure.add_bar(x=[0, 1], y=[58.79, 12.5], error_y=arms, name="towns", xaxis="x3", yaxis="y3")


def test_code_that_gives_something_else_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    true = test_scenes.share.snippet
    monkeypatch.setattr(test_scenes, "_executed", set())
    monkeypatch.setattr(test_scenes.share, "snippet", lambda question: true(question).replace("seed=1", "seed=2"))
    with pytest.raises(AssertionError):
        test_scenes.code_gives_the_same(Scenes(ONE))


def test_where_the_level_does_nothing_nothing_may_move() -> None:
    with pytest.raises(AssertionError):
        test_scenes.the_picture_moves(Scenes(replace(ONE, view=replace(ONE.view, handle=False))))


def test_the_largest_number_that_is_read_is_the_exact_one() -> None:
    assert test_scenes.values_of({"n": Exact(2584)}) == [(2584.0, "2\u202f584")]
