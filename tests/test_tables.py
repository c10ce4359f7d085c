"""A reader's file is read as it was meant, whatever its dialect, or refused in one sentence that says what to do."""

from __future__ import annotations

import csv
import gzip
import io
import json
import math
import string
import subprocess
import sys
import tracemalloc
import zlib
from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from ldpcore.fingerprints import fingerprint
from ldpcore.reading.dialects import Understood, read_table
from ldpcore.reading.files import LARGEST, MEGABYTE, uncompressed
from ldpcore.reading.growing import Growing
from ldpcore.reading.readings import MISSING, Reading, kind_of, unique_names
from ldpcore.tables import table as tables
from ldpcore.tables.queries import BUILT_IN_QUERIES, Compare, CountQuery, Where
from ldpcore.tables.table import BUILT_IN, LISTED, Table, TableError, built_in, displayed, label, shortened, uniqueness
from tests.rationing import ALL, at_night, shared

FIXTURES = Path(__file__).parent / "fixtures"
DIALECTS = sorted(
    path.name for path in FIXTURES.iterdir() if path.suffix not in (".md", "") and "printed" not in path.name
)


def read(text: str | bytes, reading: Reading | None = None) -> tuple[Table, Understood]:
    return read_table(text if isinstance(text, bytes) else text.encode(), "table.csv", reading)


def cells(table: Table) -> list[list[object]]:
    """All cells column by column, in plain Python, None where one is missing."""
    return [[None if pd.isna(cell) else cell for cell in table.frame[name].tolist()] for name in table.columns]


# A fixture per format


@pytest.mark.parametrize("name", DIALECTS)
def test_every_dialect_of_the_same_table_is_read_as_the_same_table(name: str) -> None:
    table, understood = read_table((FIXTURES / name).read_bytes(), name)
    assert cells(table) == [
        ["Jürgen", "Zoë; née Ünal, Dr.", 'the "quick" one'],
        [1234.5, -0.25, 1_000_000],
        [3, None, 12],
        [pd.Timestamp("2024-02-29"), pd.Timestamp("2023-12-31"), pd.Timestamp("2024-01-01")],
        [True, False, True],
    ]
    assert table.columns == ("name", "amount", "visits", "day", "member")
    assert [table.kind(column) for column in table.columns] == ["category", "number", "number", "date", "truth"]
    assert [column.kind for column in understood.columns] == ["category", "number", "number", "date", "truth"]
    assert [column.missing for column in understood.columns] == [0, 0, 1, 0, 0]
    assert understood.rows == table.n == 3
    assert table.own
    assert not table.synthetic


@pytest.mark.parametrize(
    ("name", "separator", "encoding", "decimal", "thousands"),
    [
        ("comma.csv", ",", "utf-8", ".", ""),
        ("comma_thousands.csv", ",", "utf-8", ".", ","),
        ("semicolon_decimal_comma.csv", ";", "utf-8", ",", "."),
        ("semicolon_swiss.csv", ";", "utf-8", ".", "'"),
        ("tabs.tsv", "\t", "utf-8", ".", ""),
        ("pipes.txt", "|", "utf-8", ".", ""),
        ("spaces_quoted_header.dat", " ", "utf-8", ".", ""),
        ("byte_order_mark.csv", ",", "utf-8", ".", ""),
        ("utf16.csv", ";", "utf-16", ".", ""),
        ("utf16_without_mark.csv", ",", "utf-16-le", ".", ""),
        ("western.csv", ";", "cp1252", ",", ""),
        ("old_line_ends.csv", ",", "utf-8", ".", ""),
        ("excel_separator_line.csv", ";", "utf-8", ".", ""),
        ("compressed.csv.gz", ",", "utf-8", ".", ""),
    ],
)
def test_what_was_understood_is_reported(
    name: str, separator: str, encoding: str, decimal: str, thousands: str
) -> None:
    _, understood = read_table((FIXTURES / name).read_bytes(), name)
    assert understood.reading == Reading(separator, encoding, decimal, thousands)
    assert understood.compressed == name.endswith(".gz")
    assert understood.first[0][0] == "Jürgen"
    assert understood.renamed == 0


def test_every_dialect_fixture_has_its_expectation() -> None:
    assert len(DIALECTS) == 14


def test_the_four_printed_rows_of_the_study_are_read_from_a_space_delimited_file_with_a_quoted_header() -> None:
    table, understood = read_table((FIXTURES / "printed_rows.dat").read_bytes(), "income.dat")
    assert table.columns == ("AFQT", "Jahre Schulbildung", "Einkommen")
    assert [tuple(row) for row in table.frame.itertuples(index=False)] == [
        (6.841, 12, 5500),
        (99.393, 16, 65000),
        (47.412, 12, 19000),
        (44.022, 14, 36000),
    ]
    assert understood.reading.separator == " "


def test_a_space_delimited_file_of_2584_rows_with_a_quoted_header_gives_882() -> None:
    lines = (FIXTURES.parent.parent / "data" / "income.csv").read_text(encoding="utf-8").splitlines()[1:]
    text = '"AFQT" "schooling" "income"\n' + "\n".join(line.replace(",", " ") for line in lines) + "\n"
    table, _ = read(text)
    assert (table.n, len(table.columns)) == (2584, 3)
    assert BUILT_IN_QUERIES["income"].answer(table) == 882


# Reading it otherwise


def test_what_was_understood_can_be_corrected() -> None:
    text = "a;b\n1.234;5\n"
    assert cells(read(text)[0]) == [[1.234], [5]]
    assert cells(read(text, Reading(";", decimal=",", thousands="."))[0]) == [[1234], [5]]
    assert read(text, Reading(","))[0].columns == ("a;b",)
    assert cells(read(text, Reading(";", header=False))[0])[1] == ["b", "5"]


def test_a_correction_changes_the_digest_and_equal_files_have_equal_digests() -> None:
    text = "a;b\n1.234;5\n"
    first, again, other = read(text)[0], read(text)[0], read(text, Reading(";", decimal=",", thousands="."))[0]
    assert first == again
    assert hash(first) == hash(again)
    assert first != other
    assert fingerprint(first) == fingerprint(again) != fingerprint(other)


def test_mixed_text_and_numbers_stay_a_category_and_say_how_many_are_no_numbers() -> None:
    text = "x,y\n1,a\nabout 5,b\n3,c\n,d\n"
    table, understood = read(text)
    first = understood.columns[0]
    assert (table.kind("x"), first.mixed, first.numbers, first.not_numbers, first.missing) == (
        "category",
        True,
        2,
        1,
        1,
    )
    assert not understood.columns[1].mixed
    table, understood = read(text, Reading(kinds=(("x", "number"),)))
    assert cells(table)[0] == [1, None, 3, None]
    assert (understood.columns[0].not_numbers, understood.columns[0].missing) == (1, 2)


def test_words_far_below_the_first_rows_turn_a_number_column_back_into_its_exact_text() -> None:
    text = "x,y\n" + "1.50,1\n" * 150_000 + "foo,1\n"
    table, understood = read(text)
    assert table.categories("x").labels == ("1.50", "foo")
    assert table.categories("x").counts == (150_000, 1)
    assert (understood.columns[0].numbers, understood.columns[0].not_numbers) == (150_000, 1)
    assert table.kind("y") == "number"


def test_dates_and_truths_that_break_off_far_below_become_categories() -> None:
    text = "d,t\n" + "2024-01-02,true\n" * 2000 + "someday,maybe\n"
    table, _ = read(text)
    assert table.categories("d").counts == table.categories("t").counts == (2000, 1)


def test_any_column_can_be_read_as_another_kind() -> None:
    text = "n,d,t\n5,2024-01-02,true\n6,later,maybe\n7,2024-01-03,false\n"
    kinds = (("n", "category"), ("d", "date"), ("t", "truth"))
    table, _ = read(text, Reading(kinds=kinds))
    day = pd.Timestamp
    assert cells(table) == [["5", "6", "7"], [day("2024-01-02"), None, day("2024-01-03")], [True, None, False]]
    assert [table.kind(column) for column in table.columns] == ["category", "date", "truth"]
    assert table.categories("t").labels == ("false", "true")
    assert table.missing("t") == 1


def test_infinite_and_not_a_number_are_missing_and_reported() -> None:
    table, understood = read("x,y\n1,inf\nNaN,-inf\n3,4\nNA,1e400\n")
    assert cells(table) == [[1, None, 3, None], [None, None, 4, None]]
    assert [(column.missing, column.infinite) for column in understood.columns] == [(2, 0), (3, 3)]


def test_keys_with_leading_zeros_keep_them() -> None:
    assert cells(read("zip,n\n01234,1\n98765,2\n")[0])[0] == ["01234", "98765"]


def test_whole_numbers_beyond_double_precision_are_kept_exactly() -> None:
    assert cells(read(f"x,y\n{2**53 + 1},1\n{2**62 + 1},2\n")[0])[0] == [2**53 + 1, 2**62 + 1]
    assert cells(read(f"x,y\n{10**30},1\n5,2\n")[0])[0] == [str(10**30), "5"]


def test_month_before_day_is_recognized_where_a_day_beyond_twelve_shows_it() -> None:
    assert cells(read("d,n\n01/02/2024,1\n12/31/2024,2\n")[0])[0][0] == pd.Timestamp("2024-01-02")
    assert cells(read("d,n\n01/02/2024,1\n")[0])[0][0] == pd.Timestamp("2024-02-01")
    assert cells(read("d,n\n01/02/2024,1\n", Reading(month_first=True))[0])[0][0] == pd.Timestamp("2024-01-02")


def test_dates_of_a_file_answer_conditions() -> None:
    table, _ = read("d,n\n2024-01-02 23:59,1\n2024-01-03 00:00,2\n")
    assert CountQuery(Where((Compare("d", "≤", date(2024, 1, 2)),))).answer(table) == 1


def test_a_file_without_a_header_gets_numbered_names() -> None:
    table, understood = read("1,2\n3,4\n")
    assert table.columns == ("#1", "#2")
    assert cells(table) == [[1, 3], [2, 4]]
    assert not understood.reading.header


def test_row_names_without_a_name_of_their_own_are_kept_as_the_first_column() -> None:
    table, _ = read('"a" "b"\n"r1" 1 2\n"r2" 3 4\n')
    assert table.columns == ("#1", "a", "b")
    assert cells(table) == [["r1", "r2"], [1, 3], [2, 4]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x\n1,5\n2,5\n", [[1.5, 2.5]]),
        ("name\nBob Smith\nAl Gore\n", [["Bob Smith", "Al Gore"]]),
        ("full name,age\nBob Smith,5\nAl Gore,6\n", [["Bob Smith", "Al Gore"], [5, 6]]),
        ("1,5 2,5\n3,5 4,5\n", [[1.5, 3.5], [2.5, 4.5]]),
        ("  a   b\n  1   2\n 10  20\n", [[1, 10], [2, 20]]),
        ("a, b\n1, x\n2, y \n", [[1, 2], ["x", "y"]]),
        ("\n\na,b\n1,2\n\n3,4\n\n", [[1, 3], [2, 4]]),
        ("a,b,c\n1,2,3\n4,5\n", [[1, 4], [2, 5], [3, None]]),
        ("a;b\n1\u202f234,5;x\n2\u202f000;y\n", [[1234.5, 2000], ["x", "y"]]),
        ('a,b\n"two\nlines",1\n', [["two\nlines"], [1]]),
        ("a,b\n=1+1,<b>\n$x$,*y*\n", [["=1+1", "$x$"], ["<b>", "*y*"]]),
    ],
)
def test_files_that_could_be_misread_are_not(text: str, expected: list[list[object]]) -> None:
    assert cells(read(text)[0]) == expected


# Names


def test_empty_and_repeated_names_are_made_unique_and_counted() -> None:
    table, understood = read("age,age,,age,age (2)\n1,2,3,4,5\n")
    assert table.columns == ("age", "age (3)", "#3", "age (4)", "age (2)")
    assert understood.renamed == 3
    assert cells(table) == [[1], [2], [3], [4], [5]]


@given(st.lists(st.sampled_from(["", "a", "a (2)", "a (3)", "#1", "#2"]), max_size=9))
def test_unique_names_are_unique_and_keep_every_first_use(header: list[str]) -> None:
    names = unique_names(header)
    assert len(set(names)) == len(names) == len(header)
    assert {name for name in header if name} <= set(names)


def test_names_of_500_characters_stay_apart_and_are_shown_short() -> None:
    long = ["z" * 500 + "a", "z" * 500 + "b", "z" * 250 + "q" + "z" * 250, "z" * 250 + "r" + "z" * 250]
    table, _ = read(",".join(long) + "\n1,2,3,4\n")
    assert table.columns == tuple(long)
    shown = displayed(table.columns)
    assert len(set(shown)) == 4
    assert max(map(len, shown)) <= 44
    assert shortened("short") == "short"


def test_three_hundred_columns_work() -> None:
    names = [f"c{i}" for i in range(300)]
    table, _ = read(",".join(names) + "\n" + "\n".join(",".join(str(i * j) for i in range(300)) for j in range(50)))
    assert table.columns == tuple(names)
    assert table.numbers("c299").tolist() == [299 * j for j in range(50)]


def test_one_row_works() -> None:
    assert cells(read("a,b\n1,x\n")[0]) == [[1], ["x"]]
    assert cells(read("a,b\n1,x")[0]) == [[1], ["x"]]
    assert cells(read("1,2")[0]) == [[1], [2]]


# Refusals


def bomb(size: int) -> bytes:
    """A gzip file of zeros that unpacks to `size` bytes, made without ever holding them."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    piece = b"0" * MEGABYTE
    return b"".join(packer.compress(piece) for _ in range(size // MEGABYTE)) + packer.flush()


PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(100)


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"", "is empty; use a file with"),
        (b" \n\r\n  ", "is empty; use a file with"),
        (b"\xef\xbb\xbf", "is empty; use a file with"),
        (b"\xff\xfe", "is empty; use a file with"),
        (gzip.compress(b"", mtime=0), "is empty; use a file with"),
        (b"name,age\n", "has column names only; add at least one row"),
        (b"name,age", "has column names only; add at least one row"),
        (PNG, "is a PNG picture, not a table of text; save the table as CSV"),
        (b"\xff\xd8\xff\xe0" + bytes(50), "is a JPEG picture"),
        (b"PK\x03\x04" + bytes(50), "is a ZIP archive that is damaged or packed in a rare way"),
        (b"\xd0\xcf\x11\xe0" + bytes(50), "is an old Office document, not a table of text; save the table as CSV"),
        (b"%PDF-1.7\n1 0 obj", "is a PDF document"),
        (b"PAR1" + bytes(50), "is a Parquet file"),
        (gzip.compress(PNG, mtime=0), "is a PNG picture"),
        (bytes(range(256)) * 40, "is not a table of text"),
        (gzip.compress(b"a,b\n1,2\n", mtime=0)[:-9], "is a damaged gzip file"),
        (b"\x1f\x8b\x08 no gzip at all", "is a damaged gzip file"),
        (b'a,b\n"x,1\n2,3\n', "opens a quote that never ends; close it, or read without quotes"),
        (b"a,b\n1,2\n3,4,5\n", "line 3 of"),
        (b"a,b\n1,2\n3,4,5\n", "has 3 cells, more than the first, which has 2; check the separator, or quote"),
        ((",".join(["x"] * 2001) + "\n" + ",".join(["1"] * 2001)).encode(), "use a table of at most 2000"),
        ((";".join(f"column{i}" for i in range(10**5)) + "\r1;2\r").encode(), "has 100000 columns; use a table of"),
        (b"a,b\n" + b"1,2\n" * 40_000 + b"3\x00,4\n", "has a null character, which no text has"),
        ("a,b\n1,2\n3\x00,4\n".encode("utf-16"), "has a null character, which no text has"),
        (b'[{"a": 1, "b": [2, 3]}, {"a": 4}]', "is a JSON file with lists or records inside column 'b'"),
        (b'{"rows": [[1, 2], [3]]}', "is a JSON file with lists or records inside"),
        (b'{"a": 1}\n{"b": [2]}\n', "is a JSON file with lists or records inside"),
        (b"[[1, 2],\n[3]]", "is JSON"),
    ],
)
def test_a_file_that_is_no_table_is_refused_in_one_sentence_that_says_what_to_do(raw: bytes, words: str) -> None:
    with pytest.raises(TableError) as refusal:
        read(raw)
    message = str(refusal.value)
    assert words in message
    assert '"table.csv"' in message
    assert "\n" not in message
    assert len(message) < 180


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x" * 300_000 + "\n1\n", "a cell of row 1 has more than 131072 letters; shorten it"),
        ("a,b\n1," + "x" * 140_000 + "\n3,4\n", "a cell of row 2 has more than 131072 letters; shorten it"),
        ('a,b\n1,"' + "x" * 140_000 + '"\n3,4\n', "a cell of row 2 has more than 131072 letters; shorten it"),
        ('a,b\n1,2\n1,"' + "x, \n" * 60_000, "a quoted cell does not end in row 3; close the quote, or read"),
    ],
)
def test_a_cell_that_is_too_long_is_told_apart_from_a_quote_that_never_ends(text: str, words: str) -> None:
    with pytest.raises(TableError) as refusal:
        read(text)
    assert words in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "doubtful"),
    [
        ("name,age\nBob,34\nEve,28\n", False),
        ("Bob,34\nEve,28\n", False),
        ("name,city\nBob,Bonn\nEve,Ulm\n", True),  # or is somebody called name, from a town called city?
        ("Bob,Bonn\nEve,Ulm\n", True),
        ("country,2019,2020,2021\nDE,1.5,2.5,3\nFR,2,3,4\n", True),
        ("day,member\n2024-01-01,true\n", False),
        ("1,2\n3,4\n", True),
        ("7,3\n3,4\n", False),
        ("a,b\n,\n", False),
    ],
)
def test_a_first_line_that_could_be_names_or_people_is_asked_about_until_somebody_says(
    text: str, doubtful: bool
) -> None:
    understood = read(text)[1]
    assert understood.header_in_doubt == doubtful
    for header in (True, False):
        assert not read(text, replace(understood.reading, header=header))[1].header_in_doubt


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("pay;n\n1.234;1\n7.000;3\n", "1.234"),
        ("pay\tn\n7.000\t3\n\t4\n-12.500\t1\n", "7.000"),
        ("size;n\n1,234;1\n2,345;3\n", "1,234"),  # or from a country that writes commas between thousands
        ("pay;n\n1.234 €;1\n7.000 €;3\n", "1.234"),
        ("pay;n\n1.234;1\n7.5;3\n", ""),  # a mark that once parts no thousands never does
        ("pay;n\n1.234;0.5\n7.000;3\n", ""),
        ("pay;n\n0.234;1\n7.000;3\n", ""),  # nobody writes a zero before thousands
        ("pay;n\n1.234;1\n7.000,5;3\n", ""),
        ("pay;n\n1.234.567;1\n7.000;3\n", ""),
        ("pay,n\n1.234,1\n7.000,3\n", ""),
        ("version;n\n1.234;1\nb;3\n", ""),  # no number at all
        ("n\n1234\n7000\n", ""),
        ("day;n\n01.02.2024;1\n", ""),
    ],
)
def test_a_number_that_may_be_a_thousand_times_larger_is_asked_about_until_somebody_says(
    text: str, number: str
) -> None:
    understood = read(text)[1]
    assert understood.number_in_doubt == number
    reading = understood.reading
    thousands = replace(reading, thousands=reading.decimal, decimal="," if reading.decimal == "." else ".")
    for said in (reading, thousands) if number else (reading,):
        assert not read(text, said)[1].number_in_doubt
    if number == "1.234":
        assert cells(read(text, thousands)[0])[0] == [1234, 7000]


def test_what_is_odd_is_reported_of_every_column_however_many_there_are() -> None:
    names = [f"c{i}" for i in range(300)]
    rows = [["1"] * 300 for _ in range(30)]
    rows[3][250], rows[4][299], rows[5][299] = "", "x", "inf"
    found = read("\n".join(",".join(row) for row in [names, *rows]))[1]
    assert [(column.name, column.odd) for column in found.odd] == [("c250", ("missing",)), ("c299", ("mixed",))]
    wanted = read("a\n1\nx\ninf\n", Reading(kinds=(("a", "number"),)))[1].columns[0]
    assert wanted.odd == ("missing", "infinite", "not-numbers")


def test_a_quote_that_never_ends_can_be_read_without_quotes() -> None:
    assert cells(read('a,b\n"x,1\n2,3\n', Reading(quote=""))[0]) == [['"x', "2"], [1, 3]]


def test_a_wrong_encoding_is_refused_in_one_sentence() -> None:
    for encoding in ("utf-8", "utf-16", "no-such-code"):
        with pytest.raises(TableError, match=f"is not written in {encoding}; choose another encoding"):
            read("näme,b\nJürgen,1\n".encode("cp1252") * 3 + b"x", Reading(encoding=encoding))


def test_a_gzip_file_that_unpacks_to_ten_gigabytes_is_stopped_early() -> None:
    # 10 GB of zeros are a thousand times the same gzip member of 10 MB: the format allows members in a row.
    raw = bomb(10 * MEGABYTE) * 1000
    tracemalloc.start()
    try:
        with pytest.raises(TableError, match="unpacks to more than 60 MB; use a table of at most 60 MB"):
            read_table(raw, "bomb.csv.gz")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 2.5 * LARGEST


def test_a_file_that_is_too_large_is_refused_before_it_is_read() -> None:
    with pytest.raises(TableError, match="has 3 MB; use a table of at most 1 MB"):
        uncompressed(bytes(3 * MEGABYTE), "table.csv", largest=MEGABYTE)


# Large files


@at_night
def test_five_million_rows_are_read_with_progress_in_a_small_multiple_of_their_size() -> None:
    raw = b"x,y\n" + b"17,0\n3,1\n" * 2_500_000
    seen: list[float] = []
    tracemalloc.start()
    try:
        table, understood = read_table(raw, "large.csv", progress=seen.append)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert table.n == understood.rows == 5_000_000
    assert CountQuery(Where((Compare("x", ">", 16),))).answer(table) == 2_500_000
    assert seen == sorted(seen)
    assert len(seen) > 20
    assert seen[-1] == 1.0
    assert peak < 3 * len(raw)


WESTERNS = {  # lines with thousands marks, and many words: rows by day, and megabytes that a file of any size may take
    "{1}.{2:03},5;7.000;Zoë {2}\n": (50_000, 6),
    "Müller{0};Straße {1};{1},5\n": (100_000, 11),
}


def test_a_western_file_of_words_and_marks_is_read_in_twice_its_size() -> None:
    """By day marks alone, in a smaller file with a smaller allowance: a superfluous copy of it is smaller too."""
    cases = {line: (250_000, 16) if ALL else by_day for line, by_day in shared(WESTERNS.items(), 2)}
    asked = [text for line, (rows, _) in cases.items() for text in (str(rows), line)]
    command, root = [sys.executable, "-m", "tests.westerns", *asked], Path(__file__).parent.parent
    told = json.loads(subprocess.run(command, cwd=root, capture_output=True, check=True).stdout)
    for (encoding, found, taken, size), (rows, beside) in zip(told, cases.values(), strict=True):
        assert encoding == "cp1252" and found == rows
        assert taken <= 2 * size + beside * MEGABYTE, (taken, size)


def test_progress_never_goes_back_when_a_column_is_read_again() -> None:
    seen: list[float] = []
    read_table(b"x,y\n" + b"1.5,1\n" * 200_000 + b"foo,1\n", "large.csv", progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


def test_many_different_words_are_kept_as_text_and_counted_the_same() -> None:
    rows = 40_000
    text = "key,group\n" + "".join(f"person {i},group {i % 3}\n" for i in range(rows))
    table, _ = read(text)
    assert table.kind("key") == table.kind("group") == "category"
    assert uniqueness(table, ["key"]) == rows
    assert table.categories("group").counts == (13_334, 13_333, 13_333)
    assert table.matches("key", ["person 7", "nobody"]).sum() == 1


# The round trip: random tables in random dialects


SPELLINGS = st.tuples(
    st.sampled_from([",", ";", "\t", "|", " "]),
    st.sampled_from([(".", ""), (",", ""), (".", ","), (",", "."), (".", "'"), (",", " "), (",", "\u202f")]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"]),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),  # everything quoted, or only what must be
    st.booleans(),  # gzip
)
NUMBERS = st.one_of(
    st.integers(-(2**53), 2**53), st.integers(-9, 99), st.floats(allow_nan=False, allow_infinity=False, width=64)
)
WILD = st.text(
    st.characters(codec="cp1252", exclude_categories=["Cc", "Cs"], include_characters='",;|\t \n'), max_size=12
)
TAME = st.text(string.ascii_letters + "äöüßéñ'-.()", min_size=1, max_size=9).map("w{}".format)


def columns(texts: st.SearchStrategy[str], least: int) -> st.SearchStrategy[list[tuple[str, list[object]]]]:
    """A few columns of one length: numbers, words, dates or truths, some cells missing."""

    def of_length(n: int) -> st.SearchStrategy[list[tuple[str, list[object]]]]:
        def column(kind: str, values: st.SearchStrategy[object]) -> st.SearchStrategy[tuple[str, list[object]]]:
            return st.tuples(st.just(kind), st.lists(st.one_of(values, values, st.none()), min_size=n, max_size=n))

        words = texts.map(str.strip).filter(lambda text: text not in MISSING)
        days = st.dates(date(1000, 1, 1))
        kinds = [("number", NUMBERS), ("category", words), ("date", days), ("truth", st.booleans())]
        return st.lists(st.one_of([column(kind, values) for kind, values in kinds]), min_size=least, max_size=5)

    return st.integers(1, 8).flatmap(of_length)


def spelled(value: object, decimal: str, thousands: str) -> str:
    """A cell as people of this notation write it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        text = repr(value)
        if thousands and "e" not in text:
            whole, point, rest = text.partition(".")
            text = f"{int(whole):,}".replace(",", thousands) + point.replace(".", decimal) + rest
            return text if value >= 0 or text.startswith("-") else "-" + text
        return text.replace(".", decimal)
    return value.isoformat() if isinstance(value, date) else str(value)


def written(table: list[tuple[str, list[object]]], names: list[str], dialect: tuple) -> bytes:  # type: ignore[type-arg]
    """The table as a file in a dialect."""
    separator, (decimal, thousands), encoding, end, everything, packed = dialect
    out = io.StringIO()
    quoting = csv.QUOTE_ALL if everything or separator == " " else csv.QUOTE_MINIMAL
    writer = csv.writer(out, delimiter=separator, lineterminator=end, quoting=quoting)
    writer.writerow(names)
    writer.writerows(zip(*([spelled(cell, decimal, thousands) for cell in held] for _, held in table), strict=True))
    raw = out.getvalue().encode(encoding, errors="xmlcharrefreplace")
    return gzip.compress(raw, mtime=0) if packed else raw


def expected(table: list[tuple[str, list[object]]]) -> list[list[object]]:
    return [[pd.Timestamp(cell) if isinstance(cell, date) else cell for cell in held] for _, held in table]


def fits(encoding: str, thousands: str) -> bool:
    return not (encoding == "cp1252" and thousands == "\u202f")


@settings(
    max_examples=200 if ALL else 25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(table=columns(WILD, 1), dialect=SPELLINGS)
def test_random_tables_in_random_dialects_are_read_back_equal(
    table: list[tuple[str, list[object]]],
    dialect: tuple,  # type: ignore[type-arg]
) -> None:
    separator, (decimal, thousands), encoding, _, _, _ = dialect
    assume(fits(encoding, thousands))
    names = [f"{kind}, {place}; «{kind}»" for place, (kind, _) in enumerate(table)]
    # Here the reading is known, so cells may contain anything; kinds are told where a column's cells are ambiguous.
    kinds = tuple(
        (name, kind)
        for name, (kind, held) in zip(names, table, strict=True)
        if kind == "category" or all(cell is None for cell in held)
    )
    encoding = "utf-8" if encoding == "utf-8-sig" else encoding
    reading = Reading(separator, encoding, decimal, thousands, kinds=kinds)  # type: ignore[arg-type]
    back, understood = read(written(table, names, dialect), reading)
    assert back.columns == tuple(names)
    assert [column.kind for column in understood.columns] == [kind for kind, _ in table]
    assert cells(back) == expected(table)


@settings(
    max_examples=200 if ALL else 25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(table=columns(TAME, 2), dialect=SPELLINGS)
def test_the_dialect_of_a_random_table_is_guessed(
    table: list[tuple[str, list[object]]],
    dialect: tuple,  # type: ignore[type-arg]
) -> None:
    (decimal, thousands), encoding = dialect[1], dialect[2]
    assume(fits(encoding, thousands))
    # Two columns that leave no doubt: a key made of letters, and an amount that shows both marks.
    n = len(table[0][1])
    table = [*table, ("category", ["key"] * n), ("number", [1234567.5] * n)]
    names = [f"{kind} {place}" for place, (kind, _) in enumerate(table)]
    whole = [[cell is not None for cell in held] for _, held in table]
    assume(all(any(present) for present in whole))
    back, understood = read(written(table, names, dialect))
    assert understood.reading.separator == dialect[0]
    if thousands:
        assert (understood.reading.decimal, understood.reading.thousands) == (decimal, thousands)
    assert cells(back) == expected(table)


# The pieces


@given(st.lists(st.lists(st.one_of(NUMBERS, st.just(math.nan)), max_size=6), max_size=6))
def test_growing_arrays_keep_every_number_exactly(parts: list[list[float]]) -> None:
    growing = Growing(3)
    for part in parts:
        values = np.array(part, dtype=np.int64 if part and all(isinstance(x, int) for x in part) else np.float64)
        growing.add(values)
    kept = growing.finish()
    wanted = [float(x) for part in parts for x in part]
    assert np.array_equal(kept.astype(np.float64), np.array(wanted, dtype=np.float64), equal_nan=True)


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([0, 1], "int8"),
        ([0, 300], "int16"),
        ([70_000], "int32"),
        ([2**40], "int64"),
        ([0.5], "float64"),
        ([1.0, math.nan], "float32"),
        ([2.0**25, math.nan], "float64"),
        ([1.0, 2.0], "int8"),
        ([2.0**60], "float64"),
    ],
)
def test_numbers_take_as_few_bytes_as_they_need(values: list[float], dtype: str) -> None:
    growing = Growing(1)
    growing.add(np.array(values))
    assert growing.finish().dtype == dtype


def test_kinds_are_told_by_the_cells() -> None:
    reading = Reading()
    assert kind_of(["1", "2.5", "", "1e-5"], reading) == ("number", "")
    assert kind_of(["True", "false", "NA"], reading) == ("truth", "")
    assert kind_of(["29.02.2024"], reading) == ("date", "%d.%m.%Y")
    assert kind_of(["30.02.2024"], reading) == ("category", "")
    assert kind_of(["1", "2,5"], reading) == ("category", "")
    assert kind_of(["1.234.567,5"], Reading(decimal=",", thousands=".")) == ("number", "")
    assert kind_of(["1.2345"], Reading(decimal=",", thousands=".")) == ("category", "")


# Tables as values


def test_tables_are_equal_exactly_when_their_content_is() -> None:
    frame = pd.DataFrame({"a": [1, 2], "b": ["x", None]})
    table = Table.of(frame, "one")
    assert table == Table.of(frame.copy(), "two")
    for other in ({"a": [1, 3], "b": ["x", None]}, {"a": [1, 2], "c": ["x", None]}, {"b": ["x", None], "a": [1, 2]}):
        assert table != Table.of(pd.DataFrame(other), "one")
    assert {table: 1}[Table.of(frame, "one")] == 1
    assert "x" not in repr(table)


def test_a_table_does_not_change_the_frame_it_is_made_of() -> None:
    frame = pd.DataFrame({"a": [1.0, math.inf]}, index=[5, 6])
    table = Table.of(frame, "t")
    assert math.isinf(frame["a"].iloc[1])
    assert table.missing("a") == 1


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_built_in_table_written_out_is_read_back_equal(name: str) -> None:
    table, _ = read(built_in(name).frame.to_csv(index=False))
    assert cells(table) == cells(built_in(name))


def test_categories_name_the_most_frequent_values_and_the_rest() -> None:
    table, _ = read("x,y\n" + "".join(f"{word},1\n" for word in ["b", "a", "b", "c", "a", "d", ""]))
    found = table.categories("x", 2)
    assert (found.labels, found.counts, found.other, found.missing) == (("a", "b"), (2, 2), 2, 1)
    assert table.categories("x", None).labels == ("a", "b", "c", "d")
    assert built_in("income").categories("schooling", 1).labels == ("12",)


def test_numbers_of_a_column_of_words_are_refused() -> None:
    with pytest.raises(TableError, match="column 'sex' must hold numbers; it holds category values"):
        built_in("people").numbers("sex")
    with pytest.raises(TableError, match="column 'size' must be one of this table's 4 columns"):
        built_in("people").kind("size")
    with pytest.raises(TableError, match="the dataset must be one of income, clinic, people; got 'taxes'"):
        built_in("taxes")


def test_uniqueness_counts_rows_that_are_alone_with_their_values() -> None:
    table, _ = read("age,sex,n\n34,F,1\n34,M,2\n28,F,3\n28,F,4\n,F,5\n")
    counts: list[tuple[list[str], int]] = [(["age"], 1), (["age", "sex"], 3), (["n"], 5), (["sex"], 1), ([], 0)]
    for chosen, alone in counts:
        assert uniqueness(table, chosen) == alone
    with pytest.raises(TableError, match="must be one of this table's"):
        uniqueness(table, ["size"])


@pytest.mark.parametrize("seed", range(4))
def test_what_is_kept_of_a_column_says_the_same_as_a_count_of_all_its_values(seed: int) -> None:
    rng, n = np.random.default_rng(seed), 3000 - 900 * seed
    frame = pd.DataFrame(
        {
            "whole": rng.integers(0, 40 + 700 * seed, n),
            "real": np.where(rng.random(n) < 0.1, np.nan, rng.integers(0, 900, n) / 4),
            "word": pd.Series([f"w{each}é" for each in rng.integers(0, 900, n)], dtype="str"),
            "few": pd.Categorical([str(each) for each in rng.integers(0, 9, n)]),
            "truth": rng.random(n) < 0.5,
        }
    )
    table = Table.of(frame, "table.csv")
    for column in frame:
        counted = Counter(label(value) for value in frame[column].dropna())
        ordered = sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
        assert table.distinct(column) == len(counted)
        for limit in (1, 12, LISTED, LISTED + 1, None):
            listed = table.categories(column, limit)
            assert [*zip(listed.labels, listed.counts, strict=True)] == ordered[:limit]
            assert listed.other == counted.total() - sum(listed.counts) and listed.missing == n - counted.total()
        in_order = sorted(counted, key=float if table.kind(column) == "number" else str)
        assert list(table.summary(column).first) == in_order[:LISTED]
        assert table.distinct(column) == len(counted)  # from what is kept by now


def test_what_is_kept_of_a_column_is_small_and_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table.of(pd.DataFrame({"x": np.arange(50_000)}), "table.csv")
    first = table.summary("x")
    assert len(first.ordered) == len(first.first) == LISTED and first.distinct == first.present == 50_000
    monkeypatch.setattr(tables, "tallied", None)
    assert table.summary("x") is first and table.categories("x", 3).labels == ("0", "1", "10")
