"""What the pictures and sentences of the page about promises say is what the core computes, in all of its modes."""

from __future__ import annotations

import math
from dataclasses import MISSING, fields
from typing import Any

import numpy as np
import pytest

import pages.verify as declared
from explorer.figures.theme import Look
from explorer.pages.verify.settings import MISTAKES, Hung, Judged, JudgedMatrix, Verify
from explorer.scenes import Scene, scene
from explorer.ui.levels import stops
from ldpcore import broken
from ldpcore.experiments.verify import AuditPath, FakeGallery
from ldpcore.experiments.verify.mistakes import ThreeMistakes
from ldpcore.laws.channels import Finite
from ldpcore.mechanisms import REGISTRY
from ldpcore.mechanisms.base import LocalRandomizer, Mechanism
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.parameters import Choice, declarations
from ldpcore.reading.matrices import read_matrix
from tests.cases import for_each
from tests.rationing import crossed
from tests.samples.verify import samples
from tests.written import readings

VIEWS = declared.page.views
MATRICES = {
    "coins": "3/4 1/4\n1/4 3/4",
    "three": "0.5 0.3 0.2\n0.3 0.4 0.3\n0.2 0.3 0.5",
    "useless": "0.3 0.7\n0.3 0.7",
    "excluded": "0.5 0.5\n0 1",
    "one row": "0.5 0.5",
    "one column": "1\n1\n1",
}


def seen(view: str, told: Verify, level: float = 1.0, truth: bool = True, asked: Any = None) -> Scene:
    """A view at a level, as a reader without settings of their own sees it."""
    return scene(
        declared.page,
        VIEWS[view],
        told,
        level,
        Look(truth=truth),
        own=VIEWS[view].at_first(told) if asked is None else asked,
    )


def typed(name: str) -> JudgedMatrix:
    return JudgedMatrix(read_matrix(MATRICES.get(name, name)).channel())


def small(member: type[Mechanism]) -> Judged:
    """A mechanism at small values of what it requires beside the level."""
    needed = {
        name: kind.options[0] if isinstance(kind, Choice) else kind.small[0]
        for name, kind in declarations(member).items()
    }
    needs_no_others = member.usual.__func__ is Mechanism.usual.__func__  # type: ignore[attr-defined]
    usual: Any = member if needs_no_others else member.usual
    required = (
        {field.name for field in fields(member) if field.default is MISSING} if usual is member else {"epsilon", "k"}
    )
    asked = {name: value for name, value in (needed | {"epsilon": 1.0}).items() if name in required & set(needed)}
    return Judged.like(usual(**asked))


def trace(found: Scene, name: str) -> dict[str, Any]:
    assert found.figure is not None
    return next(each for each in found.figure.data if each.get("name") == name)


def names(found: Scene) -> set[str]:
    assert found.figure is not None
    return {each["name"] for each in found.figure.data if each.get("name")}


def title(found: Scene) -> str:
    assert found.figure is not None
    return str(found.figure.layout["title"]["text"])


def said(found: Scene) -> list[float]:
    """The numbers of the answer."""
    return readings(found.answer.replace("<strong>", "").replace("</strong>", ""))


def near(shown: float, exact: float) -> bool:
    return bool(np.isclose(shown, exact, rtol=1e-3, atol=0)) if exact else shown == 0


def axes(found: Scene) -> dict[str, Any]:
    assert found.figure is not None
    return {name: axis.get("range") for name, axis in found.figure.layout.items() if name[1:5] == "axis"}


# --- one mechanism ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [1e-6, 0.01, 0.5, 1.0, 2.5, 50.0])
def test_the_answer_states_the_largest_ratio_and_the_promise(epsilon: float) -> None:
    found = seen("ratio", Judged(), epsilon)
    ratio, promise = said(found)
    assert near(ratio, math.exp(epsilon)) and promise == epsilon
    assert ratio > 1, "so many digits that it differs from one"
    assert "exactly" in found.answer


@for_each(
    ("member", "level"), crossed([member for member in REGISTRY if "epsilon" in declarations(member)], (0.1, 2.0))
)
def test_every_registered_mechanism_keeps_its_promise_under_its_own_symbol(
    member: type[Mechanism], level: float
) -> None:
    symbols, judged = ("α", "ε") if issubclass(member, LocalRandomizer) else ("ε", "α"), small(member)
    found = seen("ratio", judged, level)
    assert said(found)[0] <= math.exp(level) * (1 + 1e-3)
    assert "broken" not in found.answer and "beyond any bound" not in found.answer
    assert symbols[0] in found.answer and symbols[1] not in found.answer
    assert judged.side == ("local" if symbols[0] == "α" else "central")


@pytest.mark.parametrize("member", MISTAKES, ids=lambda member: member.slug)
def test_the_bar_of_a_mistake_leaves_its_promise(member: type[Mechanism]) -> None:
    told = small(member)
    found = seen("ratio", told, 10.0 if member in broken.UNSEEN else 1.0)
    assert "broken" in found.answer and found.case in ("broken", "unbounded")
    bar, beyond = trace(found, "largest ratio"), trace(found, "beyond the promise")
    assert max(bar["x"]) == pytest.approx(min(beyond["x"])) and max(beyond["x"]) > max(bar["x"])


@pytest.mark.parametrize("slug", ["grr", "sue", "oue", "blh", "olh", "she", "hadamard", "laplace"])
def test_a_tight_mechanism_fills_its_promise(slug: str) -> None:
    found = seen("ratio", small(next(member for member in REGISTRY if member.slug == slug)), 2.0)
    assert near(said(found)[0], math.e**2)
    line = [each for each in found.figure.data if each.get("name") == "promised"][-1]  # type: ignore[union-attr]
    assert max(trace(found, "largest ratio")["x"]) == pytest.approx(line["x"][0]) == pytest.approx(math.sqrt(2))
    assert "fills" in title(found) and "beyond the promise" not in names(found)


def test_one_report_of_rappor_betrays_less_than_is_promised_for_all_of_them() -> None:
    """h ln(q*(1-p*)/(p*(1-q*))) with the page's usual h = 2, p = 1/2, q = 3/4 at ε = 1 for all reports."""
    flip = 1 / (1 + math.exp(1 / 4))
    real, other = (1 - flip) * 0.75 + flip * 0.5, flip * 0.75 + (1 - flip) * 0.5
    level = 2 * math.log(real * (1 - other) / (other * (1 - real)))
    found = seen("ratio", small(next(member for member in REGISTRY if member.slug == "rappor")))
    ratio, shown, promise = said(found)
    assert near(ratio, math.exp(level)) and near(shown, level) and promise == 1
    assert "all reports" in found.answer and "would be" not in found.answer


def test_thresholding_is_said_to_be_stricter_than_asked() -> None:
    found = seen("ratio", small(next(member for member in REGISTRY if member.slug == "the")))
    assert found.case == "stricter" and "exactly" not in found.answer
    ratio, asked, kept = said(found)
    assert asked == 1 and kept < 1 and near(ratio, math.exp(kept))


def test_coins_that_exclude_an_answer_have_no_finite_level_and_no_handle() -> None:
    told = Judged.like(_coins(1.0, 0.5))
    found = seen("ratio", told)
    assert "no finite" in found.answer and "no end" in title(found)
    assert not declared.told_by.moves(told) and declared.told_by.moves(Judged())


def test_coins_that_do_not_listen_betray_nothing() -> None:
    assert said(seen("ratio", Judged.like(_coins(0.5, 0.5))))[0] == 1


def _coins(yes: float, no: float) -> Mechanism:
    member: Any = next(member for member in REGISTRY if member.slug == "coins")
    made: Mechanism = member(yes, no)
    return made


def test_the_cells_are_the_matrix_and_their_frames_are_on_the_largest_ratio() -> None:
    channel = next(member for member in REGISTRY if member.slug == "grr")(1.0, 16).channel()  # type: ignore[call-arg]
    found = seen("ratio", JudgedMatrix(channel))
    matrix, same = np.asarray(trace(found, "probability")["z"]), np.eye(16, dtype=bool)
    assert matrix[same] == pytest.approx(math.e / (math.e + 15)) and matrix[~same] == pytest.approx(1 / (math.e + 15))
    frames = trace(found, "reached here")
    corners = [(x, y) for x, y in zip(frames["x"], frames["y"], strict=True) if x is not None]
    first, second = (np.array(corners[part]) for part in (slice(5), slice(5, 10)))
    cells = [matrix[int(y), int(x)] for x, y in (np.rint(corners.mean(axis=0)) for corners in (first[:4], second[:4]))]
    assert max(cells) / min(cells) == pytest.approx(math.e) and len(corners) == 10
    assert np.abs(first[:4] - first[:4].mean(axis=0)).ravel() == pytest.approx(0.46)


def test_the_ratio_of_two_densities_stays_between_its_promises() -> None:
    found = seen("ratio", Judged(LaplaceMechanism, (("sensitivity", 1.0),)), 0.7)
    one, other = (np.log(trace(found, f"value {value}")["y"]) for value in (0, 1))
    assert np.abs(one - other).max() == pytest.approx(0.7) and one[0] - other[0] == pytest.approx(other[-1] - one[-1])


@pytest.mark.parametrize("level", [0.01, 1.0])
def test_of_gaussian_noise_no_smaller_promise_is_told_as_kept_without_a_chance_of_failure(level: float) -> None:
    normal = next(member for member in REGISTRY if member.slug == "gaussian")
    usual: Any = normal
    scene = seen("curve", Judged.like(usual.usual(1.0)), level, asked=0.5)
    assert "without any chance" not in scene.answer and "needs no" not in scene.figure.layout["title"]["text"]
    assert ("less than 10" in scene.answer) == (level == 0.01), scene.answer


@for_each("level", [*stops(1.0), 12.0, 15.0, 50.0])
def test_at_most_never_meets_a_more_than_where_somebody_is_rightly_accused(level: float) -> None:
    assert "&gt;" not in seen("test", Judged(), level).answer


@pytest.mark.parametrize(("level", "alpha"), [(1.0, 0.5), (2.0, 1.0), (0.5, 0.1), (1.0, 2.0), (1.0, 1.0)])
def test_a_smaller_promise_needs_the_delta_of_the_formula(level: float, alpha: float) -> None:
    found = seen("curve", Judged(), level, asked=alpha)
    exact = max((math.exp(level) - math.exp(alpha)) / (1 + math.exp(level)), 0)
    assert said(found)[0] == alpha and trace(found, "your smaller promise")["y"] == pytest.approx([exact], abs=1e-12)
    if exact:
        assert near(said(found)[1], exact)
    else:
        assert "without" in found.answer and "δ = 0" not in found.answer + title(found)
    curve = trace(found, "this pair of values")
    inside = np.asarray(curve["x"]) < level
    formula = (math.exp(level) - np.exp(np.asarray(curve["x"])[inside])) / (1 + math.exp(level))
    assert np.asarray(curve["y"])[inside] == pytest.approx(formula)


def test_a_test_of_one_report_is_held_by_two_lines_and_reaches_them() -> None:
    found = seen("test", Judged())
    assert [near(number, 0.05 * math.e) for number in said(found)] == [False, True, True]
    bound, best = trace(found, "most that the promise allows"), trace(found, "best test of these reports")
    x, y = np.asarray(bound["x"]) / 100, np.asarray(bound["y"]) / 100
    assert y == pytest.approx(np.minimum(x * math.e, 1 - math.exp(-1) * (1 - x)))
    assert np.asarray(best["y"]) / 100 == pytest.approx(y)
    assert "stays below" in found.alt and "crosses" in seen("test", small(broken.HalvedNoise)).alt


def test_the_audit_is_the_results_and_closes_in() -> None:
    found = seen("audit", Judged(), asked=(0.99, 7))
    path = AuditPath(RandomizedResponse(1.0), seed=7).run()
    assert np.asarray(trace(found, "proven by trials")["y"]) == pytest.approx(100 * path.epsilons)
    assert said(found)[0] == 10**9 and near(said(found)[2], float(path.epsilons[-1]))
    assert trace(found, "exact level")["y"] == pytest.approx([100, 100])
    assert "a lie" in seen("audit", small(broken.HalvedNoise)).answer


# --- a matrix --------------------------------------------------------------------------------------------------------


def test_two_coins_protect_at_the_logarithm_of_three_and_the_handle_is_the_promise() -> None:
    level, ratio, promise = said(seen("ratio", typed("coins"), 2.0))
    assert near(level, math.log(3)) and ratio == 3 and promise == 2
    found = seen("ratio", typed("coins"), 0.5)
    level, ratio, promise, allowed = said(found)
    assert near(level, math.log(3)) and ratio == 3 and promise == 0.5 and near(allowed, math.exp(0.5))
    assert "broken" in found.answer and "leaves" in title(found) and "leaves" in found.alt


def test_a_matrix_with_room_is_not_said_to_fill_its_promise() -> None:
    found = seen("ratio", typed("three"), 1.0)
    assert near(said(found)[1], 2.5) and "stays inside" in title(found) and "fills" not in title(found) + found.alt
    assert "exactly" in seen("ratio", typed("coins"), math.log(3)).answer


def test_a_column_that_mixes_zero_and_positive_is_infinite_and_said_so() -> None:
    found = seen("ratio", typed("0.5 0.5 0\n0.4 0.4 0.2\n0.5 0.5 0"))
    assert "report 3 is possible for value 2 and impossible for value 1" in found.answer


def test_the_reports_that_break_the_promise_are_marked() -> None:
    found = seen("ratio", typed("0.5 0.3 0.2\n0.2 0.4 0.4\n0.25 0.35 0.4"), 0.5)
    assert trace(found, "betrays more than the promise")["x"] == [0, 2]
    assert trace(seen("ratio", typed("three"), 5.0), "betrays more than the promise")["x"] == [None]


def test_merging_reports_never_raises_the_level() -> None:
    # Merging the first two of three: the rows 0.8 0.2, 0.7 0.3, 0.5 0.5; then the first and the last.
    found = seen("merging", typed("three"))
    assert said(found)[0] == 2 and near(said(found)[1], math.log(2.5)) and "as before" in found.answer
    left, before, after = said(seen("merging", typed("three"), asked=((0, 2),)))
    assert left == 2 and near(before, math.log(2.5)) and near(after, math.log(4 / 3))
    line = np.asarray(trace(found, "two by two")["y"])
    assert (np.diff(line) <= 0).all() and line[-1] == 0


def test_five_hundred_rows_and_columns_are_judged_and_drawn_in_part() -> None:
    matrix = np.random.default_rng(3).dirichlet(np.full(500, 5.0), 500)
    told = JudgedMatrix(Finite(matrix))
    found = seen("ratio", told)
    assert near(said(found)[1], float((matrix.max(axis=0) / matrix.min(axis=0)).max()))
    assert found.figure is not None and all(len(each["x"]) <= 64 for each in found.figure.data)
    assert np.asarray(trace(found, "probability")["z"]).shape == (2, 50)


# --- the gallery -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("wrong", "left_open"), [(0, 0), (1, 0), (6, 0), (2, 3)])
def test_the_score_is_told_after_the_truth(wrong: int, left_open: int) -> None:
    gallery = FakeGallery(6, 200)
    result = gallery.run()
    sound = tuple(exhibit.sound for exhibit in result.exhibits)
    given = tuple(None if place >= 6 - left_open else truth != (place < wrong) for place, truth in enumerate(sound))
    covered = seen("gallery", Hung(gallery, given))
    caught = sum(exhibit.caught for exhibit in result.exhibits)
    assert said(covered) == [6, 200, caught, 6 - left_open] and "exact level" not in names(covered)
    found = seen("gallery", Hung(gallery, given, sound))
    score = [6 - left_open - wrong, 6 - left_open] if wrong or left_open else [6]  # "all 6"
    assert said(found)[: len(score)] == score
    assert sum(not truth for truth in sound) in said(found)[len(score) :]
    shown = np.asarray(trace(found, "exact level")["y"])
    levels = np.array([exhibit.real.epsilon for exhibit in result.exhibits])
    assert shown[levels < 4] == pytest.approx(levels[levels < 4])


def test_the_tasks_are_answered_by_the_core() -> None:
    found = ThreeMistakes().run()
    assert found.bounded == found.normal == math.inf
    assert found.coins == pytest.approx(math.log(3))
    assert found.coins_delta == pytest.approx((3 - math.exp(0.5)) / 4)
    assert found.normal_delta == pytest.approx(0.127, abs=5e-4) and found.bounded_proven > 1


# --- all of them -----------------------------------------------------------------------------------------------------


CASES = [(told, view) for told in samples() for view in VIEWS.values() if view.only(told)]


def _named(value: Any) -> str:
    return value.slug if hasattr(value, "slug") else type(value).__name__
