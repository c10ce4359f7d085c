"""Sentences that were false at an end of their settings, each at the setting where it was; facts by another route."""

from __future__ import annotations

import math
import re

import pytest

from explorer.facts import Share, at_most
from explorer.pages.frequencies.settings import Answering, Frequencies, Ruled
from explorer.pages.response.settings import STAGES
from explorer.text import languages
from explorer.text.catalogue import catalogue_of
from ldpcore.laws.divergences import total_variation
from ldpcore.laws.products import RepeatedPair
from ldpcore.mechanisms.rappor import Rappor
from tests.fuzz.drawn import arrived, said
from tests.sentences import sentences


def test_who_is_replaced_moves_a_sum_by_the_width_and_nobody_else_is_spoken_of() -> None:
    link = "counting_tab=one&counting_neighbors="
    for language, more, other in (
        ("en", "Adding or removing", "Replacing"),
        ("de", "mehr oder weniger", "an der Stelle"),
    ):
        assert more in said("counting", link + "add-remove", language=language)
        replaced = said("counting", link + "replace-one", language=language)
        assert other in replaced and more not in replaced


@pytest.mark.parametrize(
    ("language", "points"), [("en", "points to the truth"), ("de", "das Mittel aller zeigt noch auf die Wahrheit")]
)
def test_reports_that_tell_nothing_point_to_nothing(language: str, points: str) -> None:
    assert points in said("means", "", 10, language)
    assert points not in said("means", "", 0.01, language)


def test_a_mean_is_called_impossible_only_where_it_is_told_as_such() -> None:
    for seed in (1, 2, 3, 5, 8):
        run = arrived("means", f"means_source=constant&means_n=1&means_seed={seed}")
        result = run.page.main(run.asked, 10.0).run()
        told = catalogue_of("en").write(run.page.facts(result)["estimate"]).replace("−", "-")
        outside = not 0 <= float(told.replace("\u202f", "")) <= 100
        assert (run.page.case(run.asked, result) == "outside") <= outside


@pytest.mark.parametrize("view", ["variance", "plan"])
def test_names_in_german_keep_their_case(view: str) -> None:
    for level in (0.1, 1.0, 3.0, 10.0):
        text = said("means", f"means_tab={view}", level, "de")
        assert "Verfahren " in text and "irrt Hybrider" not in text and "Mit Lokales" not in text


def test_the_list_of_leaders_is_as_long_as_it_is_said_to_be() -> None:
    text = said("frequencies", "frequencies_tab=top&frequencies_source=two&frequencies_k=10")
    assert "The 5 answers with the largest estimates" in text and "list of 5" in text


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("by", ["shares", "split"])
@pytest.mark.parametrize(("k", "bits"), [(4, 4), (10, 8)])
def test_answers_that_look_the_same_have_no_error_after_any_rule(k: int, bits: int, by: str, language: str) -> None:
    alike = Frequencies(Answering(k=k), Rappor.usual(1.0, k, m=bits, cohorts=1))
    told = sentences("frequencies", "after", alike, 1.0, language, Ruled("clip", by))
    known = sentences("frequencies", "after", Frequencies(), 1.0, language, Ruled("clip", by))
    assert not re.search("–[ |]*[.%٪+=)]", told) and "²" in known and "²" not in told
    lost = {"en": "no rule can separate them", "de": "keine Regel kann sie trennen", "fa": "نمی‌تواند جدایشان کند"}
    assert lost[language] in told and lost[language] not in known


def test_reading_back_that_is_cut_off_is_not_said_to_stop() -> None:
    cut = stopped = 0
    for level in (0.1, 0.3, 1.0, 3.0, 10.0):
        run = arrived("shapes", "shapes_tab=steps")
        facts = run.page.facts(run.view.ask(run.asked, level).run())
        text, most = said("shapes", "shapes_tab=steps", level), facts["plain_steps"].value >= 1000
        assert ("step by step is cut off" in text) == most
        cut, stopped = cut + most, stopped + (not most)
    assert cut or stopped
    for language, never in (("en", "the noise hides it"), ("de", "verdeckt das Rauschen es")):
        assert never not in said("shapes", "shapes_source=uniform&shapes_n=1000000", 10, language)


@pytest.mark.parametrize(("p", "q"), [((0.51, 0.49), (0.49, 0.51)), ((0.503, 0.497), (0.5, 0.5))])
def test_the_fewest_people_are_counted_to_the_last_one(p: tuple[float, float], q: tuple[float, float]) -> None:
    crowd = RepeatedPair.of(p, q)
    fewest = crowd.fewest(0.8)
    assert fewest is not None and fewest > 3000
    shift, middle = abs(p[0] - q[0]) / 2, (p[0] + q[0]) / 2
    normal = 4 * middle * (1 - middle) * (1.2815515655446004 / (2 * shift)) ** 2  # Φ⁻¹(0.9), two bells
    assert abs(fewest / normal - 1) < 0.01
    assert crowd.distance(fewest).low >= 0.8 > crowd.distance(fewest - 1).low


def test_budgets_of_one_are_told_as_of_one() -> None:
    for text in (said("budget", "budget_k=1", 0.01), said("budget", "budget_k=1&budget_total=0.01", 1.0)):
        assert (
            "each" not in text.split("together")[0].split(".")[0] and "One question" in text
        ) or "one question" in text
    assert "all 1" not in said("budget", "budget_tab=split&budget_questions=1")
    daily = said("budget", "budget_tab=daily&budget_days=1", 0.01)
    assert daily.count("50.25 %") == 1 and "with fresh coins as with a kept answer" in daily and "50.2 %" not in daily


def test_what_is_right_at_most_is_never_called_more() -> None:
    for share in (0.5, 0.99, 0.9999, 1 - 1e-7, 1 - 1e-13, 1.0):
        told = catalogue_of("en").write(at_most(share))
        assert ">" not in told and float(told.rstrip("%\u202f")) / 100 >= share - 0.5 * 10 ** -(
            at_most(share).digits - 1
        )
    assert at_most(0.5) == Share(0.5, 3)


def test_where_nobody_is_trusted_the_level_is_alpha() -> None:
    for view in ("split", "daily"):
        assert "α = " in said("budget", f"budget_tab={view}") and "ε = " not in said("budget", f"budget_tab={view}")


def test_trust_at_its_ends() -> None:
    assert "level never" not in said("trust", "trust_tab=plan&trust_confidence=0.999&data=people", 0.1)


@pytest.mark.parametrize("stage", STAGES)
def test_a_survey_of_one_person_is_followed_through_each_of_its_stages(stage: str) -> None:
    alone = arrived("response", f"response_n=1&response_stage={stage}")
    assert alone is not None and alone.asked.n == 1 and (alone.own.step, alone.own.person) == (stage, 1)
    for language in languages():
        assert said("response", f"response_n=1&response_stage={stage}", 1.0, language)


def test_two_laws_that_are_one_keep_no_distance() -> None:
    assert math.isclose(total_variation((0.5, 0.5), (0.5, 0.5)), 0)
    for language, same in (("en", "the same"), ("de", "dieselbe")):
        assert same in said(
            "distinguish",
            "distinguish_kind=coins&distinguish_first=0.5&distinguish_second=0.5&distinguish_tab=before",
            1,
            language,
        )


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 8.1, 9.0, 10.0])
def test_a_bound_that_is_counted_up_to_is_told_once_and_with_all_its_digits(epsilon: float, language: str) -> None:
    text = sentences("frequencies", "which", Frequencies(), epsilon, language)
    last = f"{math.ceil(3 * math.exp(epsilon) + 2) - 1:,}".replace(",", " ")
    assert {"en": f"so up to {last}:", "de": f"also bis {last}:"}[language] in text
    assert "3e^α + 2 =" not in text
