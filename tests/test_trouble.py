"""Whatever is raised while a page is built becomes one sentence and a way back; the log has the place and no value."""

from __future__ import annotations

import ast
import logging
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from explorer.text.catalogue import catalogue_of
from explorer.ui import lecture, page, session, trouble
from tests.screens.opening import ROOT, answer, opened

SECRET = "Gräfelfing"


def test_what_is_raised_becomes_a_sentence_and_the_page_can_be_reset(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    app = opened("counting", epsilon="0.3")

    def broken(run: object) -> None:
        raise KeyError(SECRET)

    with monkeypatch.context() as patched, caplog.at_level(logging.ERROR):
        patched.setattr(page._Run, "show", broken)
        app.run()
    assert not app.exception
    (told,) = app.error
    assert told.value == catalogue_of("en").label("frame.trouble") and SECRET not in told.value
    logged = " ".join(record.getMessage() for record in caplog.records if record.name == "explorer.ui.caught")
    assert "KeyError on counting" in logged and "broken" in logged and SECRET not in logged + caplog.text
    next(button for button in app.button if button.key == "trouble").click().run()
    assert not app.error and answer(app)


def test_what_was_entered_stays_when_something_was_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened("counting", epsilon="0.3", counting_seed="7")
    with monkeypatch.context() as patched:
        patched.setattr(page._Run, "show", lambda run: 1 / 0)
        app.run()
        assert app.error
    app.run()
    assert not app.error and "0.3" in str(app.query_params["epsilon"]) and "7" in str(app.query_params["counting_seed"])


def test_where_several_parts_of_a_page_fail_the_way_back_is_offered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened("counting", epsilon="0.3")

    def twice(run: object) -> None:
        trouble.tell("counting", KeyError(SECRET))
        broken(run)

    with monkeypatch.context() as patched:
        patched.setattr(page._Run, "show", twice)
        app.run()
    assert not app.exception and len(app.error) == 2
    next(button for button in app.button if button.key == "trouble").click().run()
    assert not app.error and answer(app)


def broken(*given: object) -> None:
    raise KeyError(SECRET)


def logged(caplog: pytest.LogCaptureFixture) -> str:
    return " ".join(record.getMessage() for record in caplog.records if record.name == "explorer.ui.caught")


def test_what_an_answer_s_callback_raises_is_told_on_the_page_and_all_that_was_entered_stays(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    app = opened("counting", epsilon="0.3", counting_seed="7")
    with monkeypatch.context() as patched, caplog.at_level(logging.ERROR):
        patched.setattr(lecture, "switch", broken)
        app.toggle(key="hide").set_value(True).run()
    assert not app.exception and answer(app)
    (said,) = app.error
    assert said.value == catalogue_of("en").label("frame.caught")
    assert "KeyError on counting" in logged(caplog) and "broken" in logged(caplog) and SECRET not in caplog.text
    assert "0.3" in str(app.query_params["epsilon"]) and "7" in str(app.query_params["counting_seed"])
    app.run()
    assert not app.error and answer(app), "told once"


def test_a_page_can_be_reset_where_an_answer_could_not_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened("verify", verify_mode="matrix")
    box = next(each for each in app.text_area if each.key.startswith("verify_rows"))
    with monkeypatch.context() as patched:
        patched.setattr(session, "keep_matrix", broken)
        box.set_value("1 0\n0 1").run()
    assert not app.exception and [each.value for each in app.error] == [catalogue_of("en").label("frame.caught")]
    next(each for each in app.button if each.key == "caught").click().run()
    assert not app.error and answer(app)


def test_a_button_that_fails_while_the_page_fails_too_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened("counting")
    with monkeypatch.context() as patched:
        patched.setattr(lecture, "switch", broken)
        patched.setattr(page._Run, "show", broken)
        app.toggle(key="hide").set_value(True).run()
    assert not app.exception
    assert [each.value for each in app.error] == [catalogue_of("en").label("frame.trouble")]


def test_what_no_page_has_told_is_told_in_the_same_words(caplog: pytest.LogCaptureFixture) -> None:
    def script() -> None:
        from explorer.ui import trouble

        try:
            raise KeyError("Gräfelfing")
        except KeyError as problem:
            trouble.last(problem)

    app = AppTest.from_function(script).run()
    assert not app.exception
    assert [each.value for each in app.error] == [catalogue_of("en").label("frame.trouble")]
    assert SECRET not in caplog.text


def test_the_log_of_what_was_raised_has_its_place_and_no_value() -> None:
    try:
        broken()
    except KeyError as problem:
        record = logging.LogRecord("streamlit", 40, "", 1, "Uncaught", None, (KeyError, problem, problem.__traceback__))
    assert trouble.Valueless().filter(record)
    said = logging.Formatter().format(record)
    assert "Uncaught: KeyError: broken" in said and SECRET not in said


def handed_over(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """What is handed to Streamlit as a callback: by name, or in a dictionary of such names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from ((word.arg, word.value) for word in node.keywords if (word.arg or "").startswith("on_"))
        if isinstance(node, ast.Dict):
            yield from ((ast.unparse(key), each) for key, each in zip(node.keys, node.values, strict=True) if key)
        if isinstance(node, ast.DictComp):
            yield ast.unparse(node.key), node.value


def careful(tree: ast.AST) -> set[str]:
    """The functions of a module that are declared as callbacks."""
    defined = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    return {each.name for each in defined if any(ast.unparse(one) == "caught" for one in each.decorator_list)}


def test_no_callback_goes_to_streamlit_that_could_raise() -> None:
    paths = [path for folder in ("explorer", "pages") for path in sorted(Path(ROOT / folder).rglob("*.py"))]
    texts = {path.relative_to(ROOT): path.read_text("utf-8") for path in paths}
    trees = {path: ast.parse(text) for path, text in texts.items() if "on_" in text or "@caught" in text}
    declared = {path.stem: careful(tree) for path, tree in trees.items() if path.parts[1] == "ui"}
    seen = 0
    for path, tree in trees.items():
        for name, given in handed_over(tree):
            if not name.strip("f'\"").startswith("on_") or isinstance(given, ast.Constant):
                continue
            seen += 1
            text = ast.unparse(given)
            module, _, function = text.rpartition(".")
            known = declared.get(module, ()) if module else careful(tree)
            assert text.startswith("caught(") or function in known, (path, name, text)
    assert seen > 50


def test_no_callback_stands_in_a_place_without_a_name() -> None:
    for path in sorted(Path(ROOT / "explorer").rglob("*.py")):
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text)) if ".button" in text else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "button":
                assert len(node.args) <= 3, (path, node.lineno)


def test_streamlit_shows_nothing_of_what_is_raised() -> None:
    settings = tomllib.loads(Path(ROOT / ".streamlit/config.toml").read_text("utf-8"))
    assert settings["client"]["showErrorDetails"] == "none"
    assert "on_script_error=trouble.last" in Path(ROOT / "app.py").read_text("utf-8")
