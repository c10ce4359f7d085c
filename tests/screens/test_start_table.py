"""A table that was named at the start: whoever has the command's address works on it, and nobody else meets it."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.navigation import DEFAULT
from explorer.ui import starttable
from ldp_explorer import command
from tests.screens.opening import opened

WORD = "a-word-that-nobody-guesses"


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    file = tmp_path / "people.csv"
    file.write_text("name;age\n" + "".join(f"person{place};{20 + place}\n" for place in range(40)), encoding="utf-8")
    monkeypatch.setenv(starttable.TABLE, str(file))
    monkeypatch.setenv(starttable.TOKEN, WORD)
    return file


def test_whoever_opens_the_commands_address_counts_in_the_named_table_and_its_word_leaves_the_address(
    named: Path,
) -> None:
    app = opened("counting", table=WORD)
    assert not app.exception and not app.error
    assert app.query_params["data"] == "own-40x2"
    assert starttable.PARAMETER not in app.query_params


def test_the_first_run_offers_to_forget_it_beside_every_page(named: Path) -> None:
    app = opened("counting", table=WORD)
    assert not app.button(key="forget").click().run().exception
    assert "data" not in app.query_params and not [each for each in app.button if each.key == "forget"]


def test_a_lecture_that_opens_with_it_counts_in_it_and_keeps_it_to_the_next_steps(named: Path) -> None:
    app = opened(DEFAULT, **command.LECTURE, table=WORD)
    assert not app.exception and not app.error and starttable.PARAMETER not in app.query_params
    assert all(app.query_params[name] == text for name, text in command.LECTURE.items())
    for step in ("1", "2", "3"):  # what is predicted is shown before the next step
        while app.query_params["step"] == step:
            app.button(key="next").click().run()
            assert not app.exception
        table = next(each for each in app.selectbox if each.key == "data")
        if step == "1":
            assert table.value == app.query_params["data"] == "own-40x2"
        assert any("40 × 2" in option for option in table.options)


@pytest.mark.parametrize("word", ["", "another-word", "ä"])
def test_others_on_the_same_server_never_meet_it(named: Path, word: str) -> None:
    app = opened("counting", table=word)
    assert not app.exception and "data" not in app.query_params and starttable.PARAMETER not in app.query_params
    assert not app.run().exception


@pytest.mark.parametrize(("content", "said"), [(None, "cannot be opened any more"), (b"\x89PNG\r\n", "picture")])
def test_a_file_that_cannot_be_used_gets_one_sentence_and_the_page_stands(
    named: Path, content: bytes | None, said: str
) -> None:
    named.unlink() if content is None else named.write_bytes(content)
    app = opened("counting", table=WORD)
    assert not app.exception and said in app.error[0].value
    assert "data" not in app.query_params


def test_the_word_is_good_for_one_session(named: Path) -> None:
    assert opened("counting", table=WORD).query_params["data"] == "own-40x2"
    assert "data" not in opened("counting", table=WORD).query_params
