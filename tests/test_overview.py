"""The overview's picture: one report, seen from two people."""

from __future__ import annotations

import math
import re
from itertools import pairwise

import pytest
from scipy import stats

from explorer.facts import Number, Times, Truth
from explorer.figures.theme import Look
from explorer.pages.overview import drawings as ratio
from explorer.pages.overview.facts import chance, facts, tells, times
from explorer.pages.overview.settings import OPENING, Overview
from explorer.scenes import Scene, scene
from explorer.settings.grids import even_grid
from explorer.text import languages
from explorer.text.catalogue import catalogue_of
from ldpcore.experiments.overview import HIGH, LOW, NO, YES, PrivacyLossOfReport
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.parameters import ParameterError
from tests.scenes import STOPS, declared

REPORTS = even_grid(LOW, HIGH)


def seen(asked: Overview, level: float, language: str = "en", truth: bool = True) -> Scene:
    page = declared("overview")
    return scene(page, page.views["ratio"], asked, level, Look(truth=truth), language)


def filled(shown: Scene) -> float:
    """How far the bar of a drawing is filled, in percent."""
    width = re.search(r'class="bar"[^>]*><i style="width: ([\d.e+-]+)%', shown.drawing or "")
    assert width is not None
    return float(width[1])


@pytest.mark.parametrize("level", [0.01, 0.37, 1.0, 10.0])
def test_the_loss_is_that_of_two_laplace_densities(level: float) -> None:
    for report in REPORTS:
        likely = [stats.laplace.logpdf(report, loc=person, scale=1 / level) for person in (NO, YES)]
        result = Overview(report=report).ratio(level).run()
        assert result.loss == pytest.approx(likely[0] - likely[1], rel=1e-9, abs=1e-12)
        for person in (NO, YES):
            peak = stats.laplace.logpdf(person, loc=person, scale=1 / level)
            assert result.likely(report, person) == pytest.approx(math.exp(likely[person] - peak), rel=1e-9)


@pytest.mark.parametrize("level", [0.01, 1.0, 10.0, 50.0])
def test_the_coin_tells_the_truth_with_its_probability(level: float) -> None:
    honest = math.exp(level) / (1 + math.exp(level))
    result = Overview("coin").ratio(level).run()
    assert [result.likely(YES, who) for who in (NO, YES)] == pytest.approx(
        [1 / (1 + math.exp(level)), honest], rel=1e-9
    )
    assert [result.likely(NO, who) for who in (NO, YES)] == pytest.approx([honest, 1 / (1 + math.exp(level))], rel=1e-9)
    assert result.loss == pytest.approx(-level, rel=1e-9) == -Overview("coin", said="no").ratio(level).run().loss


@pytest.mark.parametrize("level", STOPS)
def test_no_report_passes_the_limit_and_those_beyond_the_two_reach_it(level: float) -> None:
    for report in REPORTS:
        result = Overview(report=report).ratio(level).run()
        assert abs(result.loss) <= level * (1 + 1e-9)
        assert (tells(result) == "all") is (report <= NO or report >= YES), report
        assert (tells(result) == "nothing") is (report == 0.5), report


def test_the_page_opens_where_the_bar_is_full_and_stops() -> None:
    assert declared("overview").default_level == 1.0 and Overview().report == OPENING
    first = seen(Overview(), 1.0)
    assert filled(first) == 100.0 and "no report tells more" in (first.drawing or "")
    assert filled(seen(Overview(report=2 * OPENING), 1.0)) == 100.0
    assert 99 > filled(seen(Overview(report=0.9), 1.0)) > filled(seen(Overview(report=0.7), 1.0)) > 0
    assert filled(seen(Overview(report=0.5), 1.0)) == 0.0


def test_the_bar_is_in_the_color_of_the_likelier_one() -> None:
    for report, color in ((-1.0, Look().accent), (2.0, "#D55E00")):
        assert f'<i style="width: 100%; background: {color}">' in (seen(Overview(report=report), 1.0).drawing or "")


def test_while_people_predict_neither_bar_nor_words_say_how_far_a_report_tells() -> None:
    for asked in (Overview(), Overview(report=0.7), Overview("coin")):
        hidden = seen(asked, 3.0, truth=False)
        assert filled(hidden) == 0.0
        assert "20.1" not in hidden.drawing + hidden.answer + hidden.note  # type: ignore[operator]
    assert math.isnan(Overview().ratio(3.0).run().masked().loss)
    assert isinstance(facts(Overview().ratio(3.0).run())["times"], Truth)


@pytest.mark.parametrize("language", languages())
def test_numbers_are_written_as_e_to_the_loss_has_always_been(language: str) -> None:
    write = catalogue_of(language).write
    for level in (*STOPS, 0.37, math.log(3), 50.0):
        for report in REPORTS:
            loss = abs(Overview(report=report).ratio(level).run().loss)
            if math.expm1(loss) >= 0.005 or loss < 1e-12:
                assert write(times(loss)) == write(Times(loss)), (level, report)


def test_what_is_likelier_is_never_called_as_likely() -> None:
    write = catalogue_of("en").write
    assert [write(times(loss)) for loss in (0.004, 1e-4, 1e-7)] == ["1.004", "1.0001", "1.0000001"]
    assert times(0.0) == Number(1.0, 3)


def test_a_coin_is_never_sure() -> None:
    write = catalogue_of("en").write
    honest = Overview("coin").ratio(50.0).run()
    assert write(chance(honest.likely(YES, YES))).startswith("> 99.9")
    assert write(chance(honest.likely(NO, YES))).startswith("1.93\u202f×\u202f10⁻²⁰")


def test_curves_lie_as_high_as_the_densities_and_in_order() -> None:
    for level in (0.01, 10.0):
        drawing = seen(Overview(), level).drawing or ""
        lines = re.findall(r'd="M-9 100V[\d.]+L([\d. e+-]+)H', drawing)
        assert len(lines) == 2
        for person, line in enumerate(lines):
            points = [tuple(map(float, point)) for point in re.findall(r"(\S+) (\S+)", line)]
            assert all(one[0] < other[0] for one, other in pairwise(points))
            for x, y in points:
                report = LOW + x / ratio.WIDE * (HIGH - LOW)
                height = math.exp(-level * abs(report - person))
                assert 1 - y / ratio.HIGHEST == pytest.approx(height, abs=0.02 if level > 1 else 1e-3)


def test_the_table_holds_what_is_drawn() -> None:
    number, coin = seen(Overview(), 1.0).table, seen(Overview("coin"), 1.0).table
    assert number is not None and coin is not None
    peaks = {row[0]: row[1:] for row in number[1:]}
    assert peaks[0.0] == pytest.approx([1.0, math.exp(-1)]) and peaks[1.0] == pytest.approx([math.exp(-1), 1.0])
    assert [row[0] for row in coin[1:]] == ["report: no", "report: yes"]
    assert all(sum(column) == pytest.approx(1) for column in zip(*(row[1:] for row in coin[1:]), strict=True))


def test_a_report_is_a_number_that_people_may_type() -> None:
    for wrong in (math.nan, math.inf, 1e7):
        with pytest.raises(ParameterError, match="report must be"):
            PrivacyLossOfReport(LaplaceMechanism(1.0), wrong)
    for wrong in (0.5, 2):
        with pytest.raises(ParameterError, match="values"):
            PrivacyLossOfReport(RandomizedResponse(1.0), wrong)
    assert PrivacyLossOfReport(RandomizedResponse(1.0), YES).cost().seconds < 0.1
