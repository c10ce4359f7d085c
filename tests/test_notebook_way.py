"""The way of the teaching notebook: what its texts say is what the pages find, and what the notebook prints."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from explorer.figures.theme import Look
from explorer.scenes import Scene, scene
from explorer.text import languages
from explorer.text.catalogue import catalogue_of
from explorer.ways import way_of
from explorer.ways.words import Told, told_at
from ldpcore.experiments.counting.neighbors import Bets
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.tables.table import built_in
from tests.samples.averaging import samples as averaged
from tests.samples.counting import samples as counted
from tests.scenes import answered, declared, numbers_in, numeric

WAY = way_of("notebook")
STEPS = {step.name: step for step in WAY.steps}
TEN = (3.26, 7.94, -14.1, -7.37, -7.23, 7.13, -1.88, 21.1, -3.65, 1.24)  # as printed, to three digits
MEANS = (4.77, 3.06, 2.983, 3.0065)  # of 10, 1 000, 100 000 and 1 000 000 releases
LANGUAGES = pytest.mark.parametrize("language", languages())


def told(name: str, language: str) -> Told:
    return told_at(STEPS[name], WAY, catalogue_of(language))


def said(text: str, language: str) -> list[float]:
    """The numbers of a text."""
    return numbers_in(re.sub("\u202f?([%٪])", r" \1", text), language)


@LANGUAGES
def test_what_the_notebook_prints_is_said_where_it_is_shown(language: str) -> None:
    assert said(told("ten", language).shown_then, language)[-10:] == list(TEN)
    assert said(told("means", language).shown_then, language)[-4:] == list(MEANS)
    errors = {"ten": 10.196, "tenth": 10.162, "ninth": 1.144, "table": 884.5}
    for name, printed in errors.items():
        words = told(name, language)
        assert printed in said(f"{words.shown_then} {words.say}", language), name


@LANGUAGES
def test_what_is_shown_then_is_what_is_true_there(language: str) -> None:
    """Errors, shares and prices by hand: the mean of |Lap(b)| is b, and of a mean of N nearly 2b/√(πN)."""
    income, people = built_in("income"), built_in("people")
    women = int((people.column("sex") == "F").sum())
    years, pay = income.numbers("schooling"), income.numbers("income")
    rich = int(((years < 16) & (pay > 33_761)).sum())
    assert said(told("list", language).shown_then, language) == [women, 1 / 0.1]
    bet = Bets(LaplaceMechanism(3.0, 1.0, "add-remove"), seed=1).run()
    win = 100 * (1 - math.exp(-1.5) / 2)
    assert said(told("larger", language).shown_then, language) == [bet.right, 20, round(win, 1)]
    assert said(told("ten", language).shown_then, language)[0] == 1 / 0.1
    off, price = said(told("means", language).shown_then, language)[:2]
    assert off == pytest.approx(2 * 10 / math.sqrt(math.pi * 1e6), rel=2e-3) and price == 1e6 * 0.1
    assert said(told("means", language).say, language) == [1, 100, 10_000, 100_000]
    assert said(told("share", language).shown_then, language) == [200, 100 * women / 5, 260, -140]
    assert said(told("table", language).say, language)[:2] == [rich, income.n]
    share, error = 100 * rich / income.n, 1000 / income.n
    found = said(told("tenth", language).shown_then, language)
    assert found == pytest.approx([error, error, share, share - error, share + error], abs=0.04)
    assert said(told("ninth", language).shown_then, language)[:2] == pytest.approx(
        [1 / 0.9, 100 / 0.9 / income.n], rel=5e-3
    )
    assert {round(math.exp(0.9), 2), round(math.exp(0.1), 2)} <= {*said(told("ninth", language).say, language)}
    assert said(told("two", language).shown_then, language)[0] == pytest.approx(-math.log(0.05) / 5, abs=2e-3)


SHOWN = {"ten": ("ten", TEN, "y"), "means": ("path", MEANS, "y"), "table": ("one", (884.5,), "x")}
PRINTED = pytest.mark.parametrize("name", SHOWN)


def crosses(found: Scene, language: str = "en") -> list[dict[str, np.ndarray]]:
    """Where a picture has crosses for what the notebook prints, as often as its legend names them."""
    assert found.figure is not None
    name = catalogue_of(language).label("way.printed")
    traces = [trace for trace in found.figure.data if trace.get("name") == name]
    return [{letter: numeric(trace[letter]) for letter in ("x", "y")} for trace in traces]  # type: ignore[literal-required]


def drawn(name: str, look: Look, language: str = "en") -> Scene:
    """The view of a step, as its picture is drawn with a look."""
    page, view = declared(STEPS[name].link.page), SHOWN[name][0]
    asked = (averaged() if page.slug == "averaging" else counted())[0]
    return scene(page, page.views[view], asked, 0.1, look, language, answered, page.views[view].at_first(asked))


@LANGUAGES
@PRINTED
def test_what_is_printed_is_a_cross_where_it_lies_with_its_own_entry_in_the_legend(name: str, language: str) -> None:
    _, numbers, letter = SHOWN[name]
    (found,) = crosses(drawn(name, Look(printed=STEPS[name].printed), language), language)
    assert found[letter] == pytest.approx(numbers, rel=5e-3)
    if letter == "y":
        assert found["x"].tolist() == (list(range(1, 11)) if name == "ten" else [10, 1_000, 100_000, 1_000_000])
    assert not crosses(drawn(name, Look(), language), language)


@PRINTED
def test_no_cross_is_left_while_the_room_predicts_and_its_entry_stays(name: str) -> None:
    (found,) = crosses(drawn(name, Look(truth=False, printed=STEPS[name].printed)))
    assert not any(np.isfinite(values).any() for values in found.values())
