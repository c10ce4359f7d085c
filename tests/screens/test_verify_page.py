"""The page about promises loses nothing that was typed, judges its links, and remembers guesses."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from explorer.facts.naming import about_of
from explorer.text.catalogue import catalogue_of
from explorer.ui import share
from ldpcore import broken
from ldpcore.experiments.verify import FakeGallery
from ldpcore.experiments.verify.matrixpromises import MatrixPromise
from ldpcore.laws.channels import Finite
from ldpcore.mechanisms import REGISTRY
from ldpcore.reading.matrices import LETTERS
from tests.rationing import shared
from tests.screens.opening import below, complaints, link_of, opened, pointed_at
from tests.written import read, readings


def staged(app: AppTest) -> dict[str, Any]:
    """What the stage shows: its head and the words of its scene."""
    (stage,) = [part for part in app.get("bidi_component") if part.proto.component_name.endswith("ldp_stage")]
    head, words, _ = stage.proto.bytes.decode().split("\n", 2)
    return json.loads(head) | json.loads(words)  # type: ignore[no-any-return]


def answer(app: AppTest) -> str:
    return str(staged(app)["answer"])


def numbers(app: AppTest) -> list[float]:
    return readings(answer(app).replace("<strong>", "").replace("</strong>", ""))


def plain(app: AppTest) -> str:
    return " ".join(str(text.value) for text in (*app.markdown, *app.error, *app.warning)).replace("\\", "")


def test_a_view_that_both_modes_have_stays_when_the_mode_changes() -> None:
    app = opened("verify", verify_tab="test")
    app.selectbox(key="verify_mode").set_value("matrix").run()
    assert staged(app)["chosen"] == "test"
    app.selectbox(key="verify_mode").set_value("mechanism").run()
    assert staged(app)["chosen"] == "test"


@pytest.mark.parametrize("member", shared(REGISTRY, 4), ids=lambda member: member.slug)
def test_every_mechanism_survives_both_ends_of_its_controls(member: Any) -> None:
    """By day one has its low ends and the next its high ones."""
    for end in shared((0, -1), 2, REGISTRY.index(member) // 4):
        app = opened("verify", verify_mechanism=member.slug)
        for slider in app.select_slider:
            slider.set_value(read(slider.options[end]))
        app.run()
        assert not app.exception, [error.value for error in app.exception]
        assert answer(app)


@cache
def sound() -> AppTest:
    """The page with a channel, in one session for one text after the other that is none."""
    return typed("0.9 0.1\n0.1 0.9")


def typed(text: str, **parameters: str) -> AppTest:
    """The page after somebody has typed a matrix."""
    app = opened("verify", verify_mode="matrix", **parameters)
    app.text_area[0].set_value(text).run()
    assert not app.exception, [error.value for error in app.exception]
    return app


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "row; the text is empty"),
        ("0.5 yes\n0.5 0.5", 'must be a number; got "yes"'),
        ("1.2 -0.2\n0.5 0.5", "must be at least 0; got −0.2"),
        ("1 0\n1", "must have 2 entries like row 1; got 1"),
        ("1 0\n0 0", "must have an entry greater than 0"),
        ("<b>$x$", "must be a number"),
        ("nan 1\n0 1", "finite number"),
    ],
)
def test_what_is_no_channel_gets_one_clear_sentence_and_stays_in_the_box(text: str, problem: str) -> None:
    app = sound()
    app.text_area[0].set_value(text).run()
    assert not app.exception and len(app.error) == 1
    for said in (app.error[0].value, answer(app)):
        assert problem in said.replace("\\", "").replace("\u2060", "").replace("&#x27;", "'").replace("&#39;", "'")
    assert app.text_area[0].value == text and staged(app)["handle"] is None


def test_rows_that_do_not_sum_to_one_are_normalized_only_on_request_and_the_text_stays() -> None:
    app = typed("1.5 0.5\n0.5 1.5")
    assert "Row 1 must sum to 1; got 2" in answer(app)
    app.toggle(key=next(toggle.key for toggle in app.toggle if "normalize" in toggle.key)).set_value(True).run()
    assert numbers(app)[1] == 3 and app.text_area[0].value == "1.5 0.5\n0.5 1.5"
    app.text_area[0].set_value("0.5 1\n0.9 1.2").run()
    assert "must sum to 1" in answer(app), "the next text is not normalized behind the reader's back"


def test_a_long_matrix_is_kept_though_no_box_shows_it() -> None:
    matrix = np.random.default_rng(3).dirichlet(np.full(100, 5.0), 100)
    app = typed("\n".join(" ".join(map(repr, row)) for row in matrix.tolist()))
    assert not app.text_area
    assert "100 rows and 100 columns" in " ".join(str(caption.value) for caption in app.caption)


def test_a_text_that_is_longer_than_any_matrix_is_refused_with_its_length_and_not_kept() -> None:
    long = ("hello world " * 1_400_000)[: LETTERS + 1]  # the browser's box takes no more
    app = typed(long)
    assert any("15\u202f000\u202f001 letters" in str(caption.value) for caption in app.caption)
    kept = app.session_state["_own_matrix"]
    assert kept.text == "" and kept.matrix is None and kept.problem.key == "text_long"


def test_a_typed_matrix_survives_other_modes_and_pages_and_travels_in_the_link() -> None:
    app = typed("0.8125 0.1875\n0.1875 0.8125")
    app.selectbox(key="verify_mode").set_value("gallery").run()
    app.selectbox(key="verify_mode").set_value("matrix").run()
    app.switch_page("pages/counting.py").run()
    app.query_params.clear()
    app.query_params["verify_mode"] = "matrix"
    app.query_params["verify_matrix"] = "own"
    app.switch_page("pages/verify.py").run()
    assert not complaints(app) and app.text_area[0].value == "0.8125 0.1875\n0.1875 0.8125"
    assert numbers(app)[1] == pytest.approx(13 / 3, rel=1e-3)
    known = link_of(app).settings()
    assert "0.8125;0.1875|0.1875;0.8125" in str(known) and known["verify_matrix"] == "own"


def test_a_link_to_a_matrix_that_was_typed_says_that_it_does_not_carry_it() -> None:
    app = opened("verify", verify_mode="matrix", verify_matrix="own")
    assert len(complaints(app)) == 1 and "does not carry" in complaints(app)[0]


def test_the_python_of_a_large_matrix_reads_the_file_and_holds_no_number_of_it(tmp_path: Any, monkeypatch: Any) -> None:
    matrix = np.random.default_rng(1).dirichlet(np.full(30, 5.0), 30)
    source = share.snippet(MatrixPromise(Finite(matrix)))
    assert len(source) < 500
    (tmp_path / "matrix.csv").write_text(
        "\n".join(",".join(map(repr, row)) for row in matrix.tolist()), encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {}
    exec(source, namespace)
    assert namespace["result"].ratio == pytest.approx((matrix.max(axis=0) / matrix.min(axis=0)).max())


def test_guesses_are_remembered_and_the_truth_is_told_on_demand() -> None:
    result = FakeGallery(6, 200).run()
    app = opened("verify", verify_mode="gallery")
    for exhibit in result.exhibits:
        assert exhibit.mechanism.title not in plain(app)
    for place, exhibit in enumerate(result.exhibits):
        app.segmented_control(key=f"verify_guess_6_1_{place}").set_value("keeps" if exhibit.sound else "breaks")
    app.run()
    assert numbers(app)[-1] == 6
    app.select_slider(key="verify_trials").set_value(10**9).run()
    assert numbers(app)[1] == 10**9 and numbers(app)[-1] == 6
    app.selectbox(key="verify_mode").set_value("mechanism").run()
    app.selectbox(key="verify_mode").set_value("gallery").run()
    assert numbers(app)[-1] == 6
    app.button(key="verify_reveal").click().run()
    assert "all 6</strong> rightly" in answer(app)
    app.button(key="verify_draw").click().run()
    assert "judged none" in answer(app)


def test_a_click_above_an_exhibits_number_turns_its_guess() -> None:
    app, key = opened("verify", verify_mode="gallery"), "verify_guess_6_1_2"
    for guess, judged in (("breaks", 1), ("keeps", 1), (None, 0), ("breaks", 1)):
        pointed_at(app, "gallery", "3")
        assert app.segmented_control(key=key).value == guess
        assert ("judged none" in answer(app)) is (judged == 0)
        assert [app.segmented_control(key=f"verify_guess_6_1_{place}").value for place in (0, 5)] == [None, None]
    app.button(key="verify_reveal").click().run()
    pointed_at(app, "gallery", "3")
    assert app.segmented_control(key=key).value == "breaks"


def test_after_the_truth_every_mistake_tells_its_story_and_its_source() -> None:
    result = FakeGallery(12, 200, seed=1).run()
    assert any(isinstance(exhibit.mechanism, tuple(broken.GALLERY)) for exhibit in result.exhibits)
    app = opened("verify", verify_mode="gallery", verify_exhibits="12")
    app.button(key="verify_reveal").click().run()
    said = plain(app).replace("\u2060", "")
    for exhibit in result.exhibits:
        made = type(exhibit.mechanism)
        assert made.title in said
        if not exhibit.sound:
            assert catalogue_of("en").write(about_of(made.slug)) in said and made.reference[:30] in said, made


BELOW = ("numbers", "why", "tasks", "take_away")


@pytest.mark.parametrize("mode", ["mechanism", "matrix", "gallery"])
def test_what_is_below_the_stage_can_be_opened_in_every_mode(mode: str) -> None:
    app = opened("verify", verify_mode=mode)
    for name in shared(BELOW, 2, len(mode)):  # of 9, 6 and 7 letters: neighbors have the others
        assert not below(app, name).exception, [error.value for error in app.exception]
