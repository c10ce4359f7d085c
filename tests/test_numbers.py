"""Numbers as files: each program reads back what was written, and the file itself says what must be known of it."""

from __future__ import annotations

import csv
import io
import json
import zipfile

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from explorer.figures.plot import Figure, bar, scatter
from explorer.figures.theme import Look, layout
from explorer.paper import numbers
from explorer.paper.numbers import NumbersSource
from explorer.paper.plates import panels

ROWS = [["series", "people, N", "off by", "off by"], ["a; b", 1000, 0.125, None], ['"c"', 2, -1e-300, np.float64(2.5)]]
PLAIN = NumbersSource((("made with", "LDP Explorer 0.1.0, seed 3"), ("link", "https://a.example/counting?epsilon=0.3")))
ROOM = NumbersSource(PLAIN.lines, "For the room alone.", "audience")


@pytest.mark.parametrize(
    "text",
    [
        "=1",
        "+1",
        "-1",
        "@A1",
        "\t=1",
        "\r=1",
        "\n=1",
        "  =1",
        "\u00a0=1",
        "\u202f=1",
        "\u3000=1",
        "\u200b=1",
        "\ufeff=1",
        "\u2068=1\u2069",
        "＝1",
        "＋1",
        "－1",
        "＠A1",
        " ＝1",
        "﹢1",
        "\n＝1",
        "\tplain",
        "\nplain",
    ],
)
def test_no_cell_is_run_as_a_formula(text: str) -> None:
    assert numbers.cell(text) == "'" + text


@pytest.mark.parametrize("text", ["", "a=b", "3 − 2", "−3", "μ", " plain", "5 people", "−", "\u200bplain"])
def test_other_cells_stay_as_they_are(text: str) -> None:
    assert numbers.cell(text) == text


def test_a_program_reads_names_and_then_rows_to_the_last_digit() -> None:
    table = pd.read_csv(io.StringIO(numbers.program(ROWS, PLAIN)))
    assert list(table.columns) == ["series", "people, N", "off by", "off by.1"] and len(table) == 2
    assert table["off by"].tolist() == [0.125, -1e-300] and table["people, N"].tolist() == [1000, 2]
    assert pd.isna(table["off by.1"][0]) and table["off by.1"][1] == 2.5


@pytest.mark.parametrize(("decimal", "separator"), [(",", ";"), (".", ",")])
def test_a_spreadsheet_in_each_language_opens_the_table_and_says_below_where_it_comes_from(
    decimal: str, separator: str
) -> None:
    text = numbers.spreadsheet(ROWS, PLAIN, decimal)
    assert text.encode().startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff")), delimiter=separator))
    assert rows[0] == ROWS[0] and rows[3] == [] and rows[4:] == [list(line) for line in PLAIN.lines]
    table = pd.read_csv(io.StringIO(text.removeprefix("\ufeff")), sep=separator, decimal=decimal, nrows=2)
    assert table["off by"].tolist() == [0.125, -1e-300] and table["series"].tolist() == ["a; b", '"c"']


def test_columns_are_numbers_where_all_of_them_are_and_carry_where_they_come_from() -> None:
    table = pq.read_table(io.BytesIO(numbers.parquet(ROWS, PLAIN)))
    assert table.column_names == ["series", "people, N", "off by", "off by 2"]
    assert table.to_pylist()[1] == {"series": '"c"', "people, N": 2, "off by": -1e-300, "off by 2": 2.5}
    assert json.loads(table.schema.metadata[b"origin"]) == dict(PLAIN.lines)
    mixed = pq.read_table(io.BytesIO(numbers.parquet([["a", "b"], [1, 2], ["x", 0.5]], PLAIN)))
    assert mixed.to_pylist() == [{"a": "1", "b": 2.0}, {"a": "x", "b": 0.5}]


def test_every_file_for_the_room_says_so_itself() -> None:
    program = list(csv.DictReader(io.StringIO(numbers.program(ROWS, ROOM))))
    assert [row["audience"] for row in program] == [ROOM.warning] * 2
    assert numbers.spreadsheet(ROWS, ROOM, ",").splitlines()[0] == "\ufeffFor the room alone."
    assert json.loads(numbers.origin(ROOM))["audience"] == ROOM.warning
    columns = pq.read_table(io.BytesIO(numbers.parquet(ROWS, ROOM)))
    assert columns["audience"].to_pylist() == [ROOM.warning] * 2


def test_several_files_are_one_archive_that_is_the_same_whenever_it_is_made() -> None:
    files = {"a.csv": numbers.program(ROWS, PLAIN), "a-origin.json": numbers.origin(PLAIN)}
    archive = numbers.packed(files)
    assert archive == numbers.packed(files)
    with zipfile.ZipFile(io.BytesIO(archive)) as packed:
        assert {name: packed.read(name).decode() for name in packed.namelist()} == files


def test_each_panel_is_a_table_of_its_own_and_traces_in_one_place_stay_together() -> None:
    axes = {"xaxis": {"domain": [0, 0.4]}, "yaxis": {}, "xaxis2": {"domain": [0.6, 1]}, "yaxis2": {"anchor": "x2"}}
    right = [bar(x=[1], y=[2], xaxis="x2", yaxis="y2", name="right")]
    left = [scatter(x=[1], y=[2], name="left"), scatter(x=[3], y=[4], name="left too")]
    drawn = Figure([*right, *left], layout(Look(), "t", "x", "y") | axes)
    assert [[trace["name"] for trace in part.data] for part in panels(drawn)] == [["left", "left too"], ["right"]]
    assert len(panels(Figure(left, layout(Look(), "t", "x", "y")))) == 1
