"""What the view of whole tables says, with every noise: whose it is, what one person moves, and what that costs."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any

import pytest

from explorer.facts import Number
from explorer.figures.theme import Look
from explorer.pages.counting.settings import Counting, of_table
from explorer.scenes import Scene, run, scene
from explorer.settings.cells import LAYOUTS, Cells, FirstColumns, TableCells
from explorer.settings.noises import ChosenNoise
from explorer.text.catalogue import catalogue_of
from ldpcore.experiments.counting.tableplan import TablePlan
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from tests import scenes
from tests.rationing import shared
from tests.test_added_noise import instances
from tests.test_releases import asked as of_several
from tests.test_tableplan import smallest_sigma

RELATIONS = "add-remove", "replace-one"
DELTA = 1e-5
ENDS = scenes.STOPS[0], 0.5, scenes.STOPS[-1]
NORM = "\u2113"  # as texts write it


def every_noise() -> list[ChosenNoise]:
    """Each mechanism in each way in which it can be made."""
    return [ChosenNoise(noise.slug).with_settings(**needed(noise)) for noise in instances(0.5)]


def needed(noise: AdditiveNoise) -> dict[str, Any]:
    """What a noise is told beside the level, with the δ of these tests."""
    return {name: DELTA if name == "delta" else noise.parameters()[name] for name in noise.needs()}


def named(noise: ChosenNoise) -> str:
    """How a red line names it."""
    return "-".join(map(str, (noise.slug, *dict(noise.needs).values())))


def shown(asked: Counting, layout: str, level: float, language: str) -> tuple[Scene, TablePlan]:
    """The view, and what it asks."""
    table = asked.question.table
    columns = FirstColumns(table).run()[: 1 if layout == "one" else 2]
    own: Cells = TableCells(table, columns, asked.question.query.where, layout == "crossed").run()
    page = scenes.declared("counting")
    drawn = scene(page, page.views["cells"], asked, level, Look(), language, run, own)
    assert isinstance(drawn.question, TablePlan)
    return drawn, drawn.question


def told(drawn: Scene, name: str, language: str) -> tuple[float, str]:
    """A quantity, and as it is written."""
    quantity = drawn.facts[name]
    assert isinstance(quantity, Number)
    return quantity.value, catalogue_of(language).write(quantity)


def sigma(noise: ChosenNoise, level: float, length: float) -> float:
    """The σ of normal noise for an arrow of a length: the classical one where it is chosen and proved."""
    if dict(noise.needs)["calibration"] == "classical" and level <= 1:
        return length * math.sqrt(2 * math.log(1.25 / DELTA)) / level
    return smallest_sigma(level, DELTA, length)


@pytest.mark.parametrize("noise", every_noise(), ids=named)
@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_whole_table_says_whose_noise_it_has_and_how_far_one_person_moves_it(
    layout: str, relation: str, noise: ChosenNoise
) -> None:
    """In both languages, at both ends and in between, of people with one row and with three at most.

    By day at a fifth of these, in turn: each is met by every noise.
    """
    first = 2 * [*LAYOUTS].index(layout) + RELATIONS.index(relation)
    asks = of_table("clinic", relation), of_several("count", relation, 3)
    cells, joined = (2 if layout == "each" else 1) * (2 if relation == "replace-one" else 1), noise.member.norm == 2
    for asked, level, language in shared(itertools.product(asks, ENDS, ("en", "de")), 5, first):
        drawn, question = shown(replace(asked, noise=noise), layout, level, language)
        said, answer = scenes.without_marks(drawn.note), scenes.without_marks(drawn.answer)
        rows = asked.question.table.each
        assert question.mechanism.slug == noise.slug and question.each == rows
        assert catalogue_of(language).label(f"mechanisms.{noise.slug}.title") in said
        (added, one), (length, other) = (told(drawn, name, language) for name in ("l1", "l2"))
        assert added == rows * cells and length == pytest.approx(rows * math.sqrt(cells))
        assert (f"{NORM}1" in said) == (cells > 1) and (f"{NORM}2" in said) == (cells > 1 or joined)
        assert cells == 1 or (one in said and other in said)
        heads = drawn.table[0] if drawn.table else []
        assert sum(NORM in str(head) for head in heads) == (2 if cells > 1 else 0)
        assert ("δ" in answer) == joined == ("δ" in said) == drawn.case.startswith("l2")
        if joined:
            scale, written = told(drawn, "scale", language)
            assert scale == pytest.approx(sigma(noise, level, length), rel=1e-8)
            assert written in said and told(drawn, "delta", language)[1] in answer


def test_a_mechanism_of_the_page_is_that_of_its_tables_also_where_a_sum_is_asked() -> None:
    """A sum offers no noise in whole numbers; its tables count all the same, with the noise of the page."""
    for verb in ("count", "sum", "mean"):
        for noise in every_noise():
            asked: Any = replace(of_table("income", "add-remove", verb, "everybody"), noise=noise)
            _, question = shown(asked, "one", 0.5, "en")
            assert type(question.mechanism).slug == noise.slug and question.each == 1
