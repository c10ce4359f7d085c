"""Tables of counts are read as they were pasted, or refused in one sentence that names the line."""
# ruff: noqa: RUF001 - these are the letters that people write

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.text import languages
from explorer.text.catalogue import catalogue_of
from ldpcore.reading.answers import MOST_PEOPLE
from ldpcore.reading.counted import LONGEST_TEXT, MOST_ANSWERS, Counted, CountedError, ones, read_counted
from tests.cases import for_each

READ = [
    ("a\t120\nb\t90", ("a", "b"), (120, 90), None),
    ("a;120\nb;90", ("a", "b"), (120, 90), None),
    ("a,120\nb,90", ("a", "b"), (120, 90), None),
    ("a, 120\nb, 90", ("a", "b"), (120, 90), None),
    ("a 120\nb 90", ("a", "b"), (120, 90), None),
    ("a: 120\nb: 90", ("a", "b"), (120, 90), None),
    ("Antwort;Anzahl\nInnere;1.234\nChirurgie;987", ("Innere", "Chirurgie"), (1234, 987), None),
    ("ward\treports\nSurgery\t1,234\nHeart\t987\n", ("Surgery", "Heart"), (1234, 987), None),
    ("Innere;1 234\nChirurgie;987", ("Innere", "Chirurgie"), (1234, 987), None),
    ("Innere\t1.234.567\nChirurgie\t0", ("Innere", "Chirurgie"), (1234567, 0), None),
    ("120;a\n90;b", ("a", "b"), (120, 90), None),
    ("120\n90\n45", (), (120, 90, 45), None),
    ("1.120\n90", (), (1120, 90), None),
    ("1;120\n2;90", ("1", "2"), (120, 90), None),
    ("a;120\nb;90\nSumme;210", ("a", "b"), (120, 90), 210),
    ("a;700\nb;650\nn;1000", ("a", "b"), (700, 650), 1000),
    ('"a";"120"\r\n"b";"90"\r\n', ("a", "b"), (120, 90), None),
    ("Smith, John,12\nDoe, Jane,9", ("Smith, John", "Doe, Jane"), (12, 9), None),
    ("a|1\nb|2", ("a", "b"), (1, 2), None),
    ("الف\t۱۲۰\nب\t۹۰", ("الف", "ب"), (120, 90), None),
]
REFUSED = [
    ("", "counted_none"),
    (" \n\t\n", "counted_none"),
    ("a;1", "counted_few"),
    ("a;1\nTotal;1", "counted_few"),
    ("a;1\na;2", "counted_twice"),
    ("a;1\n7", "counted_unnamed"),
    ("a;b\nc;d\n", "counted_line"),
    ("a;12.5\nb;3", "counted_whole"),
    ("a;12,5\nb;3", "counted_whole"),
    ("a;-3\nb;3", "counted_whole"),
    ("a;12 %\nb;88 %", "counted_whole"),
    ("Ward 3,120\nWard 4,90", "counted_doubt"),
    ("1,120\n2,90", "counted_doubt"),
    ("apple,1,200\nkiwi,3", "counted_doubt"),
    ("Ward 3 120\nb 2", "counted_doubt"),
    ("a;1;2\nb;3;4", "counted_line"),
    ("a;1\nb;2\nsum;3\ntotal;4", "counted_totals"),
    ("x" * 301 + ";3\nb;2", "counted_line"),
    (f"a;{MOST_PEOPLE + 1}\nb;2", "counted_large"),
    ("a" * (LONGEST_TEXT + 1), "counted_long"),
    ("hello", "counted_line"),
    ("\n".join(f"a{i};1" for i in range(MOST_ANSWERS + 1)), "counted_many"),
    ("a;yes\nb;no\nc;1", "counted_line"),
]


@for_each(("text", "names", "counts", "total"), READ)
def test_a_pasted_table_is_read_as_it_was_meant(text: str, names: tuple[str, ...], counts: object, total: int) -> None:
    assert read_counted(text) == Counted(names, counts, total)  # type: ignore[arg-type]


@pytest.mark.parametrize(("text", "key"), REFUSED)
def test_what_is_no_table_of_counts_is_refused_in_one_sentence(text: str, key: str) -> None:
    with pytest.raises(CountedError) as refused:
        read_counted(text)
    assert refused.value.key == key and str(refused.value)
    for language in languages():
        said = catalogue_of(language).refusal(refused.value)
        assert said.endswith(".") and "@{" not in said and len(said) < 260


@given(
    st.lists(
        st.tuples(st.text("abcäÖß -", min_size=1, max_size=9), st.integers(0, MOST_PEOPLE)), min_size=2, max_size=9
    )
)
def test_a_table_with_tabs_is_read_back(rows: list[tuple[str, int]]) -> None:
    named = {" ".join(name.split()): count for name, count in rows if name.split() and name.strip().lower() != "all"}
    if len(named) < 2:
        return
    text = "\n".join(f"{name}\t{count}" for name, count in named.items())
    assert read_counted(text) == Counted(tuple(named), tuple(named.values()))


@given(st.text(max_size=200))
def test_whatever_is_typed_is_read_or_refused(text: str) -> None:
    try:
        read = read_counted(text)
    except CountedError:
        return
    assert len(read.counts) >= 2 and all(0 <= count <= MOST_PEOPLE for count in read.counts)


def test_a_column_of_bits_is_counted_and_anything_else_is_refused() -> None:
    assert ones(np.array([True, False, True]), "a") == 2 and ones(np.array([1.0, 0.0]), "a") == 1
    for cells in (
        np.array([1, 2]),
        np.array([0.5]),
        np.array(["1", "0"], dtype=object),
        np.array(["yes"], dtype=object),
    ):
        with pytest.raises(CountedError) as refused:
            ones(cells, "a")
        assert refused.value.key == "reports_bits"


def test_a_short_word_for_everybody_is_a_total_only_where_it_is_one() -> None:
    assert read_counted("j 300\nk 80\nn 700") == Counted(("j", "k", "n"), (300, 80, 700))
    assert read_counted("a 300\nb 80\nn 380") == Counted(("a", "b"), (300, 80), 380)
    assert read_counted("alle 10\nkeine 20") == Counted(("alle", "keine"), (10, 20))
