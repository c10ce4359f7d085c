"""What the pages about budgets and trust say and draw, view by view, against independent formulas; no screen."""

from __future__ import annotations

import math
import re
from html import unescape
from typing import Any

import numpy as np
import pytest
from scipy import stats

from explorer.facts import Number
from explorer.figures.theme import Look
from explorer.pages.budget.settings import Budget
from explorer.pages.trust.settings import KnownColumns, Trust
from explorer.scenes import Scene, scene
from explorer.settings.numbers import PeopleSource
from explorer.text.catalogue import catalogue_of
from ldpcore.accounting.columns import read_rows
from ldpcore.tables.table import built_in
from pages.budget import page as budget_page
from pages.trust import page as trust_page
from tests.written import readings


def shown(view: str, level: float = 0.1, asked: Any = None, **more: Any) -> Scene:
    """A view of either page."""
    told = asked or (Budget() if view in budget_page.views else Trust())
    page = budget_page if isinstance(told, Budget) else trust_page
    own = more.pop("own", page.views[view].at_first(told))
    return scene(page, page.views[view], told, level, Look(truth=more.pop("truth", True)), own=own, **more)


def numbers(html: str) -> list[float]:
    """The numbers of a sentence."""
    return readings(unescape(re.sub("<[^>]+>", "", html)))


def traces(found: Scene, name: str) -> list[dict[str, Any]]:
    """The traces of a name."""
    assert found.figure is not None
    return [each for each in found.figure.data if each.get("name") == name]


# --- budget ----------------------------------------------------------------------------------------------------------


def test_a_ledger_whose_levels_have_no_end_is_drawn_as_far_as_they_have_one() -> None:
    endless = read_rows("any 1 1e-3\n" * 3 + "gauss 1 1e-6 x 400\n" * 2 + "sigma 0.1 x 1000000\n" * 3)
    found = shown("ledger", own=endless)
    (added,) = traces(found, "added up")
    assert found.figure is not None and math.isfinite(found.figure.layout["yaxis"]["range"][1])
    assert np.isnan(added["y"][-1]) and found.answer


def test_the_battery_holds_what_the_exact_rule_leaves_and_is_empty_where_the_total_is_overdrawn() -> None:
    assert traces(shown("totals"), "left")[0]["y"][0] == pytest.approx(1 - 0.47746, abs=5e-5)
    empty = shown("totals", 10.0)
    assert traces(empty, "left")[0]["y"] == [0] and "Overdrawn" in empty.answer
    for drawn, charge in ((shown("totals"), 1 - 0.47746), (empty, 0)):
        (cells,) = [each for each in drawn.figure.data if each["type"] == "bar" and len(each["x"]) == 10]  # type: ignore[union-attr]
        filled = np.asarray(cells["y"]) / 0.076
        assert ((filled >= 0) & (filled <= 1 + 1e-12)).all() and filled.sum() == pytest.approx(10 * charge, abs=0.5)


def test_the_exact_curve_lies_below_all_others_and_the_ring_is_on_it() -> None:
    found = shown("totals")
    (exact,) = [each for each in traces(found, "exact") if each["mode"] == "lines"]
    for name in ("adding up", "“advanced”", "zCDP", "Rényi"):
        (other,) = [each for each in traces(found, name) if each["mode"] == "lines"]
        assert (np.asarray(exact["y"]) <= np.asarray(other["y"]) * (1 + 1e-12)).all()
    assert traces(found, "your questions")[0]["y"] == pytest.approx([4.7746], abs=5e-5)
    assert numbers(found.answer) == [100, 0.1, 4.77, 1e-6, 10, 10, 5.23, 346]


def test_both_ends_of_the_handle_are_told_truly() -> None:
    low, high = shown("totals", 0.01), shown("totals", 10.0)
    assert numbers(low.answer)[2:5] == [0.392, 1e-6, 1] and "pays for one of them" in high.answer
    assert "never pays" in high.note and "pays from" in low.note


def test_people_are_split_at_small_levels_and_the_level_at_large_ones() -> None:
    assert "split the people" in shown("split", 1.0).answer
    assert "split the level" in shown("split", 10.0, own=3).answer
    assert "nothing to split" in shown("split", 1.0, own=1).answer


def test_the_days_show_what_is_learned_about_one_and_about_all() -> None:
    found = shown("daily", 1.0)
    p = 1 / (1 + math.exp(-1))
    exact = 100 * stats.binom.sf(15, 30, p) + 50 * stats.binom.pmf(15, 30, p)
    (fresh,) = traces(found, "guess: fresh coins")
    assert np.interp(30, fresh["x"], fresh["y"]) == pytest.approx(exact)
    assert traces(found, "true share") and not traces(shown("daily", 1.0, truth=False), "true share")


# --- trust -----------------------------------------------------------------------------------------------------------


def test_two_errors_stand_in_the_answer_and_two_rings_on_their_curves() -> None:
    found = shown("curves", 1.0)
    curator = math.sqrt(2) * 100_000 / 2584
    assert numbers(found.answer)[:2] == [1, pytest.approx(curator, rel=5e-3)]
    rings = traces(found, "your people")
    assert len(rings) == 2 and rings[0]["y"][0] == pytest.approx(curator)
    assert traces(found, "any sample") and not traces(shown("curves", 1.0, truth=False), "any sample")


def test_shuffling_that_changes_nothing_is_said() -> None:
    assert "changes nothing" in shown("curves", 10.0, Trust(PeopleSource.of_shape("constant", 20))).answer


def test_the_pictures_hold_true_values_only_while_nothing_is_hidden() -> None:
    open_, hidden = shown("pictures", 1.0), shown("pictures", 1.0, truth=False)
    assert open_.drawing is not None and hidden.drawing is not None
    values = Trust().pictures(1.0).run().result.survey.values
    told = [catalogue_of("en").write(Number(float(value), 3)) for value in values]
    assert all(f">{text}<" in open_.drawing for text in told)
    assert not any(f">{text}<" in hidden.drawing for text in told) and ">?<" in hidden.drawing


def test_bob_is_among_those_who_are_found_by_age_and_sex() -> None:
    clinic = Trust(PeopleSource.of_column(built_in("clinic"), "age", 0, 120))
    found = shown("found", 1.0, clinic)
    assert numbers(found.answer)[0] == 25 and "age and sex" in found.answer
    bars = [trace for trace in found.figure.data if trace["type"] == "bar"]  # type: ignore[union-attr]
    assert sum(bar["customdata"][0] for bar in bars) == 40 and bars[0]["customdata"][0] == 25
    assert all(sum(bar["x"][row] for bar in bars) == pytest.approx(100) for row in range(len(bars[0]["x"])))
    assert "without age" in found.note and "ranges of" in found.note
    by_sex = shown("found", 1.0, clinic, own=KnownColumns(clinic.table, ("sex",)))
    assert by_sex.answer.startswith("Nobody is alone") or "<p>Nobody" in by_sex.answer


def test_each_model_comes_down_to_the_people_at_the_level_that_it_needs() -> None:
    found = shown("plan", 1.0, own=0.01)
    levels, people = Trust().plan(1.0, 0.01)[0].run().result.levels, Trust().numbers.n
    names = ("a curator", "shuffled", "nobody is trusted")
    for diamond, name in zip(traces(found, "level needed"), names, strict=True):
        (curve,) = traces(found, name)
        at = np.exp(np.interp(np.log(diamond["x"][0]), np.log(curve["x"]), np.log(curve["y"])))
        assert diamond["y"][0] == people and at == pytest.approx(people, rel=0.05)
    assert {round(float(each["x"][0]), 6) for each in traces(found, "level needed")} == {
        round(level, 6) for level in levels.values() if level is not None
    }
