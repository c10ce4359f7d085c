"""A pasted list of answers is counted as it stands, or refused with the first cell that says neither yes nor no."""
# ruff: noqa: RUF001 - these are the letters that people write

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldpcore.reading.answerlists import LONGEST_LIST, SAID_NO, SAID_YES, AnswerTally, ListRefused, read_list
from ldpcore.reading.answers import YesCount

READ = [
    ("yes\nno\nno\nyes\nyes", 3, 5, 0, ""),
    ("Antwort\nJa\n\nNein\r\nja\n", 2, 3, 1, "Antwort"),
    ("1\n0\n0", 1, 3, 0, ""),
    ("ja nein ja", 2, 3, 0, ""),
    ("yes, no, yes", 2, 3, 0, ""),
    ('"TRUE"\n"FALSE"', 1, 2, 0, ""),
    ("id;answer\n7;yes\n8;no\n9;\n", 1, 2, 1, "answer"),
    ("Ada\tja\nBen\tnein", 1, 2, 0, ""),
    ("۱\n۰\n۱", 2, 3, 0, ""),
    ("بله\nنه", 1, 2, 0, ""),
    ("83 yes of 200", 83, 200, 0, ""),
]
REFUSED = [
    ("", "empty", "", 0),
    (" \n\n", "empty", "", 0),
    ("yes\nperhaps\nno", "word", "perhaps", 2),
    ("answer\nyes\nn/a", "word", "n/a", 3),
    ("a;b\nyes;no\nno;no", "columns", "", 0),
    ("3\n4\n5", "word", "4", 2),
    ("y" * (LONGEST_LIST + 1), "long", "", 0),
]


@pytest.mark.parametrize(("text", "yes", "n", "empty", "heading"), READ)
def test_a_list_is_counted_as_it_stands(text: str, yes: int, n: int, empty: int, heading: str) -> None:
    assert read_list(text) == AnswerTally(YesCount(yes, n), empty, heading)


@pytest.mark.parametrize(("text", "reason", "word", "line"), REFUSED)
def test_what_says_neither_yes_nor_no_is_refused_by_its_line(text: str, reason: str, word: str, line: int) -> None:
    refused = read_list(text)
    assert isinstance(refused, ListRefused) and (refused.reason, refused.word, refused.line) == (reason, word, line)


@given(st.lists(st.sampled_from(sorted(SAID_YES | SAID_NO)), min_size=2, max_size=40), st.sampled_from("\n\t,;|"))
def test_every_list_of_words_is_counted_word_by_word(words: list[str], between: str) -> None:
    read = read_list(between.join(words))
    assert isinstance(read, AnswerTally)
    assert read.answers == YesCount(sum(word in SAID_YES for word in words), len(words))


@given(st.text("yesnoja01,;\t\n\"' ", max_size=60))
def test_no_text_breaks_the_reader_and_no_cell_is_lost(text: str) -> None:
    read = read_list(text)
    if isinstance(read, AnswerTally):
        assert 0 <= read.answers.yes <= read.answers.n and read.answers.n >= 1
