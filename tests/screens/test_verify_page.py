"""The verify page says what the core computes, in all three of its modes, and loses nothing that was typed."""

from __future__ import annotations

import inspect
import math
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from explorer.numbers import read, readings
from explorer.ui import matrices
from ldpcore import broken
from ldpcore.channels import Finite
from ldpcore.experiments.verify import AuditPath, FakeGallery, GalleryResult, MatrixCheck
from ldpcore.mechanisms import REGISTRY
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.parameters import declarations
from tests.screens.opening import answer, below, charts, complaints, numbers_in, opened, values

TABS = ("ratio", "reports", "curve", "test", "audit")
MATRIX_TABS = ("ratio", "reports", "curve", "test", "merging")


def near(shown: float, exact: float, digits: float = 1e-3) -> bool:
    """Whether a number on screen is the exact one, rounded to four digits."""
    return bool(np.isclose(shown, exact, rtol=digits, atol=0)) if exact else shown == 0


def told(app: AppTest) -> list[float]:
    """Every number in the paragraphs of a page."""
    return [number for text in app.markdown for number in numbers_in(str(text.value))]


def trace(app: AppTest, name: str) -> dict[str, Any]:
    return next(trace for trace in charts(app)[0]["data"] if trace.get("name") == name)


def html(app: AppTest) -> str:
    return " ".join(str(text.value) for text in (*app.markdown, *app.error, *app.warning)).replace("\\", "")


# --- one mechanism ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [1e-6, 0.01, 0.5, 1.0, 2.5, 50.0])
def test_the_answer_states_the_largest_ratio_and_the_promise(epsilon: float) -> None:
    app = opened("verify", epsilon=str(epsilon))
    ratio, promise = numbers_in(answer(app))
    assert near(ratio, math.exp(epsilon)) and promise == epsilon
    assert ratio > 1, "so many digits that it differs from one"
    assert "exactly" in answer(app)


@pytest.mark.parametrize("member", [member for member in REGISTRY if "epsilon" in declarations(member)],
                         ids=lambda member: member.slug)  # fmt: skip
def test_every_registered_mechanism_can_be_checked_and_keeps_its_promise(member: Any) -> None:
    app = opened("verify", epsilon="2", verify_mechanism=member.slug, verify_tab="reports")
    numbers = numbers_in(answer(app))
    assert not complaints(app) and "kept" in answer(app)
    assert numbers[0] <= math.exp(2) * (1 + 1e-3)
    assert len(charts(app)) == 1


@pytest.mark.parametrize("slug", ["grr", "sue", "oue", "blh", "olh", "she", "hadamard", "laplace"])
def test_a_tight_mechanism_touches_its_promise(slug: str) -> None:
    app = opened("verify", epsilon="2", verify_mechanism=slug)
    assert near(numbers_in(answer(app))[0], math.e**2)
    bar, line = trace(app, "largest ratio"), trace(app, "promised")
    assert values(bar["x"])[0] == pytest.approx(2) and values(line["x"]).tolist() == pytest.approx([2, 2])


def test_one_report_of_rappor_betrays_less_than_all_of_them_together() -> None:
    """h ln(q*(1-p*)/(p*(1-q*))) with the page's usual h = 2, p = 1/2, q = 3/4 at ε = 1 for all reports."""
    flip = 1 / (1 + math.exp(1 / 4))
    own, other = (1 - flip) * 0.75 + flip * 0.5, flip * 0.75 + (1 - flip) * 0.5
    level = 2 * math.log(own * (1 - other) / (other * (1 - own)))
    app = opened("verify", epsilon="1", verify_mechanism="rappor")
    ratio, promise, real = numbers_in(answer(app))
    assert near(ratio, math.exp(level)) and promise == 1 and near(real, level)


def test_coins_that_exclude_an_answer_have_no_finite_level_and_it_is_said() -> None:
    app = opened("verify", verify_mechanism="coins", verify_coins_yes_given_yes="1", verify_coins_yes_given_no="0.5")
    assert numbers_in(answer(app)) == [math.inf] and "no finite" in answer(app)
    assert "the bar has no end" in charts(app)[0]["layout"]["title"]["text"].lower()


def test_coins_that_do_not_listen_betray_nothing() -> None:
    app = opened("verify", verify_mechanism="coins", verify_coins_yes_given_yes="0.5", verify_coins_yes_given_no="0.5")
    assert numbers_in(answer(app)) == [1, 0]
    for tab in TABS:
        opened("verify", verify_mechanism="coins", verify_tab=tab, verify_coins_yes_given_yes="0.5")


def test_the_heat_map_is_the_channel_and_its_rings_are_on_the_largest_ratio() -> None:
    app = opened("verify", epsilon="1", verify_mechanism="grr", verify_k="16", verify_tab="reports")
    matrix = values(trace(app, "probability")["z"])
    same = np.eye(16, dtype=bool)
    assert matrix[same] == pytest.approx(math.e / (math.e + 15)) and matrix[~same] == pytest.approx(1 / (math.e + 15))
    rings = trace(app, "largest ratio")
    cells = [matrix[int(row), int(column)] for row, column in zip(rings["y"], rings["x"], strict=True)]
    assert max(cells) / min(cells) == pytest.approx(math.e)


def test_above_sixteen_values_the_factors_of_one_report_are_shown() -> None:
    app = opened("verify", epsilon="1", verify_mechanism="oue", verify_k="1000", verify_tab="reports")
    cells = values(trace(app, "probability")["z"])
    zero = 1 / (1 + math.e)
    assert cells == pytest.approx(np.array([[0.5, 0.5], [zero, 1 - zero]]))


def test_the_ratio_of_two_densities_stays_between_its_promises() -> None:
    app = opened("verify", epsilon="0.7", verify_mechanism="laplace", verify_tab="reports")
    loss = values(trace(app, "value 0 against value 1")["y"])
    assert np.abs(loss).max() == pytest.approx(0.7) and loss[0] == pytest.approx(0.7) == -loss[-1]


@pytest.mark.parametrize(("level", "alpha"), [(1.0, 0.5), (2.0, 1.0), (0.5, 0.1), (1.0, 2.0)])
def test_a_smaller_promise_needs_the_delta_of_the_formula(level: float, alpha: float) -> None:
    app = opened("verify", epsilon=str(level), verify_tab="curve", verify_alpha=str(alpha))
    exact = max((math.exp(level) - math.exp(alpha)) / (1 + math.exp(level)), 0)
    paragraph = next(str(text.value) for text in app.markdown if str(text.value).startswith("If only"))
    assert numbers_in(paragraph)[0] == alpha and near(numbers_in(paragraph)[1], exact)
    assert "pair of values" in paragraph
    assert trace(app, "your α")["y"] == pytest.approx([exact])
    curve = trace(app, "this pair of values")
    assert values(curve["y"])[0] == pytest.approx(math.tanh(level / 2))


def test_a_test_of_one_report_is_held_by_two_lines_and_reaches_them() -> None:
    app = opened("verify", epsilon="1", verify_tab="test", verify_size="0.05")
    assert sum(near(number, 0.05 * math.e) for number in told(app)) == 2
    bound, best = trace(app, "most that the promise allows"), trace(app, "best test of these reports")
    x, y = values(bound["x"]) / 100, values(bound["y"]) / 100
    assert y == pytest.approx(np.minimum(x * math.e, 1 - math.exp(-1) * (1 - x)))
    assert values(best["y"]) / 100 == pytest.approx(y)


def test_the_audit_on_screen_is_the_results_and_closes_in() -> None:
    app = opened("verify", epsilon="1", verify_tab="audit", verify_seed="7")
    path = AuditPath(RandomizedResponse(1.0), seed=7).run()
    assert values(trace(app, "proven by trials")["y"]) == pytest.approx(path.epsilons)
    for number in (10**9, 0.99, float(path.epsilons[-1]), 1, path.bounds[-1].shares[0], path.bounds[-1].shares[1]):
        assert any(near(shown, number) for shown in told(app)), number
    assert values(trace(app, "exact level")["y"]).tolist() == [1, 1]


def test_the_exact_level_is_nowhere_while_people_predict() -> None:
    for tab in TABS:
        app = opened("verify", epsilon="1", verify_tab=tab)
        app.toggle(key="hide").set_value(True).run()
        names = [trace.get("name") for trace in charts(app)[0]["data"]]
        assert not {"largest ratio", "exact level"} & set(names), tab
        assert "hidden" in answer(app)
        assert "2.718" not in html(app)


@pytest.mark.parametrize("member", REGISTRY, ids=lambda member: member.slug)
def test_every_mechanism_survives_both_ends_of_its_controls(member: Any) -> None:
    for end in (0, -1):
        app = opened("verify", verify_mechanism=member.slug)
        for slider in app.select_slider:
            slider.set_value(read(slider.options[end]))
        for slider in app.slider:
            slider.set_value(slider.min if end == 0 else slider.max)
        app.run()
        assert not app.exception, [error.value for error in app.exception]
        assert answer(app)


# --- a matrix --------------------------------------------------------------------------------------------------------


def typed(text: str, **parameters: str) -> AppTest:
    """The page after somebody has typed a matrix."""
    app = opened("verify", verify_mode="matrix", **parameters)
    app.text_area[0].set_value(text).run()
    assert not app.exception, [error.value for error in app.exception]
    return app


@pytest.mark.parametrize(("matrix", "tab"), [(slug, tab) for slug in ("coins", "three", "useless", "excluded")
                                             for tab in MATRIX_TABS])  # fmt: skip
def test_every_example_shows_every_view(matrix: str, tab: str) -> None:
    app = opened("verify", verify_mode="matrix", verify_matrix=matrix, verify_tab=tab)
    assert not complaints(app) and not app.error
    (chart,) = charts(app)
    layout = chart["layout"]
    for text in (layout["title"]["text"], layout["xaxis"]["title"]["text"], layout["yaxis"]["title"]["text"]):
        assert text and "@{" not in text
    assert len(chart["alt"]) > 20 and "@{" not in chart["alt"]


def test_two_coins_protect_at_the_logarithm_of_three() -> None:
    app = opened("verify", verify_mode="matrix", verify_matrix="coins", epsilon="2")
    level, ratio, promise = numbers_in(answer(app))
    assert near(level, math.log(3)) and ratio == 3 and promise == 2 and "kept" in answer(app)
    app = opened("verify", verify_mode="matrix", verify_matrix="coins", epsilon="0.5")
    level, ratio, promise, allowed = numbers_in(answer(app))
    assert near(level, math.log(3)) and ratio == 3 and promise == 0.5 and near(allowed, math.exp(0.5))
    assert "broken" in answer(app)


def test_a_typed_matrix_is_judged_and_its_worst_report_named() -> None:
    app = typed("0.5 0.3 0.2\n0.2 0.4 0.4\n0.25 0.35 0.4")
    assert answer(app).startswith("Your matrix")
    level, ratio = numbers_in(answer(app))[:2]
    assert ratio == 2.5 and near(level, math.log(2.5))
    assert "value 1 and value 2" in html(app) and "Report 1 betrays most" in html(app)


def test_a_column_that_mixes_zero_and_positive_is_infinite_and_said_so() -> None:
    app = typed("0.5 0.5 0\n0.4 0.4 0.2\n0.5 0.5 0")
    assert math.inf in numbers_in(answer(app))
    assert "report 3 is possible for value 2 and impossible for value 1" in answer(app)
    for tab in MATRIX_TABS:
        app = typed("0.5 0.5 0\n0.4 0.4 0.2\n0.5 0.5 0", verify_tab=tab)
        assert len(charts(app)) == 1


@pytest.mark.parametrize(("text", "problem"), [
    ("", "row; got an empty text"), ("0.5 yes\n0.5 0.5", "must be a number; got 'yes'"),
    ("1.2 -0.2\n0.5 0.5", "must be at least 0; got -0.2"), ("1 0\n1", "must have 2 entries like row 1; got 1"),
    ("1 0\n0 0", "must have an entry greater than 0"), ("<b>$x$", "must be a number"), ("nan 1\n0 1", "finite number"),
])  # fmt: skip
def test_what_is_no_channel_gets_one_clear_sentence_and_stays_in_the_box(text: str, problem: str) -> None:
    app = typed("0.9 0.1\n0.1 0.9")
    app.text_area[0].set_value(text).run()
    assert not app.exception
    assert len(app.error) == 1
    for said in (app.error[0].value, answer(app)):
        assert problem in said.replace("\\", "").replace("\u2060", "").replace("&#x27;", "'")
    assert app.text_area[0].value == text
    assert not charts(app)


def test_rows_that_do_not_sum_to_one_are_normalized_only_on_request_and_the_text_stays() -> None:
    app = typed("3 1\n1 3")
    assert "row 1 must sum to 1; got 4" in answer(app) and not charts(app)
    app.toggle(key=next(toggle.key for toggle in app.toggle if "normalize" in toggle.key)).set_value(True).run()
    assert numbers_in(answer(app))[1] == 3 and "divided by its sum" in answer(app)
    assert app.text_area[0].value == "3 1\n1 3"
    app.text_area[0].set_value("1 1\n3 1").run()
    assert "must sum to 1" in answer(app), "the next text is not normalized behind the reader's back"


@pytest.mark.parametrize("text", ["1", "0.5 0.5", "1\n1\n1"])
def test_a_single_row_or_column_protects_completely(text: str) -> None:
    for tab in MATRIX_TABS:
        app = typed(text, verify_tab=tab)
        assert 0 in numbers_in(answer(app)) and "**0**" in answer(app)
        assert len(charts(app)) == 1


def test_columns_of_zeros_never_come_and_change_nothing() -> None:
    assert numbers_in(answer(typed("0.75 0 0.25\n0.25 0 0.75")))[1] == 3


def test_five_hundred_rows_and_columns_are_judged() -> None:
    matrix = np.random.default_rng(3).dirichlet(np.full(500, 5.0), 500)
    app = typed("\n".join(" ".join(map(repr, row)) for row in matrix.tolist()))
    worst = float((matrix.max(axis=0) / matrix.min(axis=0)).max())
    assert near(numbers_in(answer(app))[1], worst)
    assert not app.text_area, "too long for a box, but kept"
    assert "500 rows and 500 columns" in " ".join(str(caption.value) for caption in app.caption)
    (chart,) = charts(app)
    assert all(len(values(trace["x"])) <= 64 for trace in chart["data"] if "x" in trace)


def test_a_typed_matrix_survives_other_modes_and_pages_and_is_in_no_link() -> None:
    app = typed("0.8125 0.1875\n0.1875 0.8125")
    app.segmented_control(key="verify_mode").set_value("gallery").run()
    app.segmented_control(key="verify_mode").set_value("matrix").run()
    app.switch_page("pages/counting.py").run()
    app.query_params.clear()
    app.query_params["verify_mode"] = "matrix"
    app.query_params["verify_matrix"] = "own"
    app.switch_page("pages/verify.py").run()
    assert not complaints(app)
    assert app.text_area[0].value == "0.8125 0.1875\n0.1875 0.8125"
    assert near(numbers_in(answer(app))[1], 13 / 3)
    known = {key: text for key, text in app.session_state["_known"].items() if text is not None}
    assert "8125" not in str(known) and known["verify_matrix"] == "own"


def test_a_link_to_a_matrix_that_was_typed_says_that_it_does_not_carry_it() -> None:
    app = opened("verify", verify_mode="matrix", verify_matrix="own")
    assert len(complaints(app)) == 1 and "does not carry" in complaints(app)[0]
    assert near(numbers_in(answer(app))[0], math.log(3))


def test_merging_reports_never_raises_the_level() -> None:
    app = opened("verify", verify_mode="matrix", verify_matrix="three", verify_tab="merging")
    paragraph = next(str(text.value) for text in app.markdown if str(text.value).startswith("Calling"))
    # Merging the first two of three: the rows 0.8 0.2, 0.7 0.3, 0.5 0.5.
    assert [near(*pair) for pair in zip(numbers_in(paragraph), (math.log(2.5), math.log(2.5), 2), strict=True)]
    app.multiselect[0].set_value([0, 2]).run()
    paragraph = next(str(text.value) for text in app.markdown if str(text.value).startswith("Calling"))
    before, after, left = numbers_in(paragraph)
    assert near(before, math.log(2.5)) and near(after, math.log(4 / 3)) and left == 2
    line = values(trace(app, "two by two")["y"])
    assert (np.diff(line) <= 0).all() and line[-1] == 0


def test_the_python_of_a_matrix_gives_its_level() -> None:
    check = MatrixCheck(Finite(np.array([[0.75, 0.25], [0.25, 0.75]]), (0, 1)))
    namespace: dict[str, Any] = {}
    exec(matrices.snippet(check).replace("print(result)", ""), namespace)
    assert namespace["result"].leak.amount == pytest.approx(math.log(3))


def test_the_python_of_a_large_matrix_reads_the_file_and_holds_no_number_of_it(tmp_path: Any, monkeypatch: Any) -> None:
    matrix = np.random.default_rng(1).dirichlet(np.full(30, 5.0), 30)
    source = matrices.snippet(MatrixCheck(Finite(matrix)))
    assert len(source) < 500
    (tmp_path / "matrix.csv").write_text("\n".join(",".join(map(repr, row)) for row in matrix.tolist()))
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {}
    exec(source.replace("print(result.leak)", ""), namespace)
    assert math.exp(namespace["result"].leak.amount) == pytest.approx((matrix.max(axis=0) / matrix.min(axis=0)).max())


# --- spot the fake ---------------------------------------------------------------------------------------------------


def guess(app: AppTest, result: GalleryResult, wrong: int = 0, left_open: int = 0) -> AppTest:
    """Judge every exhibit, the first `wrong` ones wrongly, and leave the last ones open."""
    count = len(result.exhibits)
    for place, exhibit in enumerate(result.exhibits[: count - left_open]):
        sound = exhibit.sound != (place < wrong)
        key = f"verify_guess_{result.gallery.size}_{result.gallery.seed}_{place}"
        app.segmented_control(key=key).set_value("keeps" if sound else "breaks")
    return app.run()


def test_the_gallery_tells_how_many_are_proven_to_lie_and_none_of_their_names() -> None:
    app = opened("verify", verify_mode="gallery", verify_trials="1000")
    result = FakeGallery(6, 1000).run()
    assert numbers_in(answer(app)) == [6, 1000, sum(exhibit.caught for exhibit in result.exhibits), 0]
    bars = trace(app, "proven by the audit")
    assert values(bars["y"]) == pytest.approx([exhibit.audit.epsilons[-1] for exhibit in result.exhibits])
    for exhibit in result.exhibits:
        assert exhibit.mechanism.title not in html(app)


@pytest.mark.parametrize(("wrong", "left_open"), [(0, 0), (1, 0), (6, 0), (2, 3)])
def test_the_score_is_told_after_the_truth(wrong: int, left_open: int) -> None:
    result = FakeGallery(6, 200).run()
    app = guess(opened("verify", verify_mode="gallery"), result, wrong, left_open)
    assert numbers_in(answer(app))[-1] == 6 - left_open
    app.button(key="verify_reveal").click().run()
    shown = numbers_in(answer(app))
    assert shown[:2] == [6 - left_open - wrong, 6 - left_open]
    fakes = sum(not exhibit.sound for exhibit in result.exhibits)
    assert fakes in shown[2:]
    levels = [exhibit.real.epsilon for exhibit in result.exhibits]
    inside = [y for y, level in zip(values(trace(app, "exact level")["y"]), levels, strict=True) if level < 2.5]
    assert inside == pytest.approx([level for level in levels if level < 2.5])


def test_after_the_truth_every_mistake_tells_its_story_and_its_source() -> None:
    famous = {broken.BoundedNoiseCount, broken.GaussianWithoutDelta, broken.UnclippedLocalLaplace}
    for seed in range(1, 200):
        result = FakeGallery(12, 200, seed=seed).run()
        shown = {type(exhibit.mechanism) for exhibit in result.exhibits}
        if famous & shown:
            app = opened("verify", verify_mode="gallery", verify_exhibits="12", verify_seed=str(seed))
            app.button(key="verify_reveal").click().run()
            said = html(app).replace("\u2060", "")
            for exhibit in result.exhibits:
                made = type(exhibit.mechanism)
                assert made.title in said
                if not exhibit.sound:
                    story = " ".join((inspect.getdoc(made) or "").split("\n\n")[0].split())
                    assert story[:30] in said and made.reference[:30] in said, made
            famous -= shown
        if not famous:
            return
    pytest.fail(f"{famous} hang in no gallery")


def test_more_trials_keep_the_exhibits_and_the_guesses() -> None:
    app = guess(opened("verify", verify_mode="gallery"), FakeGallery(6, 200).run())
    app.select_slider(key="verify_trials").set_value(10**9).run()
    assert numbers_in(answer(app))[1] == 10**9 and numbers_in(answer(app))[-1] == 6
    app.segmented_control(key="verify_mode").set_value("mechanism").run()
    app.segmented_control(key="verify_mode").set_value("gallery").run()
    assert numbers_in(answer(app))[-1] == 6
    app.button(key="verify_draw").click().run()
    assert numbers_in(answer(app))[-1] == 0


# --- around them -----------------------------------------------------------------------------------------------------


def test_the_tasks_are_answered_by_the_core() -> None:
    from explorer.told import verify as verdicts

    said = verdicts.tasks()
    assert said["bounded"] == said["normal"] == "∞"
    assert near(readings(said["coins"])[0], math.log(3))
    assert near(readings(said["coins_delta"])[0], (3 - math.exp(0.5)) / 4)
    assert readings(said["normal_delta"])[0] == pytest.approx(0.127, abs=5e-4)
    bound = AuditPath(broken.BoundedNoiseCount(1.0), trials=(1000,)).run().bounds[0].epsilon
    assert near(readings(said["bounded_proven"])[0], bound, 5e-3) and bound > 1


@pytest.mark.parametrize("mode", ["mechanism", "matrix", "gallery"])
def test_the_folds_of_every_mode_can_be_opened(mode: str) -> None:
    app = opened("verify", verify_mode=mode)
    for name in ("numbers", "why", "tasks", "take_away"):
        assert not below(app, name).exception, [error.value for error in app.exception]


@pytest.mark.parametrize("asked", [
    {"verify_mode": "nonsense"}, {"verify_tab": "merging"}, {"verify_mechanism": "halved-noise"},
    {"verify_mechanism": "grr", "verify_k": "1"}, {"verify_trials": "1", "verify_mode": "gallery"},
])  # fmt: skip
def test_an_unusable_wish_gets_one_sentence(asked: dict[str, str]) -> None:
    app = opened("verify", **asked)
    assert len(complaints(app)) == 1 and answer(app)
