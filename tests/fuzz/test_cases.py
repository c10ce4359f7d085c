"""What odd files and links once did to the app, each as a test: none of it may come back."""

from __future__ import annotations

import time
import tracemalloc

import pytest

from explorer.text.catalogue import catalogue_of
from ldpcore.costs import MEGABYTE
from ldpcore.reading import dialects
from ldpcore.reading.dialects import read_table
from ldpcore.tables.table import TableError
from tests.rationing import at_night, shared
from tests.screens.opening import answer, complaints, opened


@pytest.mark.parametrize(
    ("raw", "rule"),
    [
        ((",".join(f"c{i}" for i in range(10**5)) + "\n" + "1," * (10**5 - 1) + "1\n").encode(), "file_wide"),
        (b"a,b\n1," + b"x" * 140_000 + b"\n2,y\n", "cell_long"),
        (b"a,b\n" + b"1,2\n" * 30_000 + b"3,\0\n", "file_null"),
    ],
    ids=["a hundred thousand columns", "a cell of 140 kB", "a null character behind 64 kB"],
)
def test_a_file_is_refused_for_its_real_reason(raw: bytes, rule: str) -> None:
    with pytest.raises(TableError) as refused:
        read_table(raw, "table.csv")
    assert refused.value.key == rule


def test_a_separator_that_is_no_ascii_is_read() -> None:
    table, _ = read_table("sep=é\naéb\n1é2\n".encode("cp1252"), "table.csv")
    assert table.n == 1


def test_a_cell_of_sixty_thousand_digits_and_a_letter_is_a_word() -> None:
    table, _ = read_table(b"a,b\n" + b"1,2\n" * 10 + b"9" * 60_000 + b"x,3\n", "table.csv")
    assert table.n == 11 and table.kind("a") == "category"


LINKS = {
    "a title of an own table without digits": ("counting", {"data": "Your own table (\u202f × \u202f)"}),
    "a number of five thousand digits": ("response", {"response_tab": "real", "response_answers": "9" * 5000}),
    "a switch that is neither on nor off": ("counting", {"lecture": "maybe"}),
    "another switch": ("counting", {"hide": "1"}),
    "a condition without ask=own": ("counting", {"ask_column": "schooling", "ask_relation": "lt", "ask_value": "12"}),
    "a condition behind a gap": (
        "counting",
        {"ask": "own", "ask_column": "schooling", "ask_relation": "lt", "ask_value": "12", "ask_column_3": "income"},
    ),
    "a doubled condition": (
        "counting",
        {"ask": "own", "ask_column": ["age", "schooling"], "ask_relation": "lt", "ask_value": "12"},
    ),
    "a misspelt name": ("counting", {"epsilo": "1"}),
    "a number as Python alone writes it": ("frequencies", {"frequencies_k": "1_0_0"}),
    "a bound that is no number": ("trust", {"trust_source": "column", "trust_high": "null"}),
    "a doubled level where there is none": ("reference", {"epsilon": ["1", "2"]}),
}


@pytest.mark.parametrize("case", LINKS)
def test_what_a_link_asks_in_vain_is_named_and_the_page_stands(case: str) -> None:
    slug, parameters = LINKS[case]
    app = opened(slug, **parameters)  # type: ignore[arg-type]
    assert complaints(app), case
    assert not app.error and answer(app)


def test_which_of_several_conditions_counts_is_said() -> None:
    app = opened("counting", ask="own", ask_column=["age", "schooling"], ask_relation="lt", ask_value="12")
    assert "schooling" in " ".join(complaints(app))


@at_night
def test_a_table_of_two_thousand_columns_is_read_in_less_than_five_seconds() -> None:
    row = ",".join(str(place) for place in range(2000))
    began = time.process_time()
    table, _ = read_table("\n".join([row.replace("1", "c"), *[row] * 200]).encode(), "table.csv")
    assert len(table.columns) == 2000 and time.process_time() - began < 5


def test_a_file_of_more_rows_than_are_answered_in_time_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialects, "MOST_ROWS", 1000)
    assert read_table(b"a\n" + b"1\n" * 1000, "table.csv")[0].n == 1000
    with pytest.raises(TableError) as refused:
        read_table(b"a\n" + b"1\n" * 1001, "table.csv")
    assert refused.value.key == "file_long"
    assert "1\u202f000 rows" in catalogue_of("en").refusal(refused.value)


@pytest.mark.parametrize("encoding", shared(["latin-1", "utf-8"], 2, 1))
def test_reading_a_large_file_takes_at_most_twice_its_size_and_a_hundred_megabytes(encoding: str) -> None:
    raw = "größe,ort\n".encode(encoding) + "1234.5,Zürich\n".encode(encoding) * 700_000
    tracemalloc.start()
    try:
        table, _ = read_table(raw, "table.csv")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert table.n == 700_000 and peak <= 2 * len(raw) + 100 * MEGABYTE
