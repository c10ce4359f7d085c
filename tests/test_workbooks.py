"""Workbooks as people have them: titles, merged cells, several sheets; and those that are made to burst."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from explorer.settings.questions import starting_values
from ldpcore.reading import sheetlines as sheets
from ldpcore.reading import workbooks
from ldpcore.reading.dialects import read_table
from ldpcore.reading.files import MEGABYTE
from ldpcore.reading.foreign import is_workbook
from ldpcore.reading.readings import Reading
from ldpcore.reading.workbooks import sheet_of
from ldpcore.tables.table import TableError
from tests.rationing import ALL
from tests.workbooks import Formula, Percent, altered, locked_ods, locked_xlsx, ods, packed, unfolding, xlsx

PLAIN = [["name", "age", "city"], ["Ada", 36, "Bonn"], ["Ben", 41, "Graz"], ["Cem", 29, "Bonn"]]


def read(raw: bytes, reading: Reading | None = None) -> Any:
    table, understood = read_table(raw, "book.xlsx", reading)
    return table.frame, understood


@pytest.mark.parametrize("written", [xlsx, ods])
def test_a_plain_sheet_is_the_table_that_it_shows(written: Any) -> None:
    frame, understood = read(written({"People": PLAIN}))
    assert list(frame.columns) == PLAIN[0] and frame["age"].tolist() == [36, 41, 29]
    assert understood.reading.sheet == "People" and understood.reading.skip == 0 and understood.sheets == ("People",)


def test_lines_above_the_table_are_found_and_can_be_corrected() -> None:
    raw = xlsx({"Report": [["Staff of the city, 2024"], [], ["as of", dt.date(2024, 5, 1)], [], *PLAIN]})
    frame, understood = read(raw)
    assert understood.reading.skip == 4 and list(frame.columns) == PLAIN[0]
    other, _ = read(raw, Reading("\t", skip=5, header=False, sheet="Report"))
    assert len(other) == 3


def test_names_above_names_become_one() -> None:
    rows = [
        ["Beds by ward"],
        [],
        ["Ward", "2023", None, "2024", None],
        [None, "women", "men", "women", "men"],
        ["North", 1, 2, 3, 4],
        ["South", 5, 6, 7, 8],
    ]
    frame, _ = read(xlsx({"A": rows}, {"A": ("A1:E1", "A3:A4", "B3:C3", "D3:E3")}))
    assert list(frame.columns) == ["Ward", "2023 · women", "2023 · men", "2024 · women", "2024 · men"]
    assert frame.iloc[1].tolist() == ["South", 5, 6, 7, 8]


def test_a_cell_over_several_rows_stands_in_each_of_them() -> None:
    rows = [["ward", "name"], ["North", "Ada"], [None, "Ben"], ["South", "Cem"]]
    frame, _ = read(xlsx({"A": rows}, {"A": ("A2:A3",)}))
    assert frame["ward"].tolist() == ["North", "North", "South"]


@pytest.mark.parametrize("written", [xlsx, ods])
def test_of_several_sheets_the_first_with_a_table_is_read_and_another_can_be_chosen(written: Any) -> None:
    raw = written({"Cover": [["A report"]], "People": PLAIN, "Other": [["x"], [1], [2]]})
    frame, understood = read(raw)
    assert understood.reading.sheet == "People" and understood.sheets == ("Cover", "People", "Other")
    other, _ = read(raw, Reading("\t", sheet="Other"))
    assert other["x"].tolist() == [1, 2] and len(frame) == 3


def test_days_shares_truths_and_the_values_of_formulas_are_what_the_sheet_shows() -> None:
    rows = [
        ["day", "share", "sum", "member"],
        [dt.date(2024, 2, 29), Percent(0.125), Formula("A1*2"), True],
        [dt.date(1999, 12, 31), Percent(0.5), 7.25, False],
    ]
    frame, understood = read(xlsx({"A": rows}))
    assert [column.kind for column in understood.columns] == ["date", "number", "number", "truth"]
    assert str(frame["day"][0])[:10] == "2024-02-29" and frame["share"].tolist() == [0.125, 0.5]
    assert frame["sum"].tolist() == [42, 7.25] and frame["member"].tolist() == [True, False]


def test_empty_columns_and_rows_are_left_out() -> None:
    rows = [[None, "a", None, "b"], [None, 1, None, 2], [], [None, 3, None, None], [None, None, None, 4]]
    frame, understood = read(xlsx({"A": rows}))
    assert list(frame.columns) == ["a", "b"] and len(frame) == 3
    assert [column.missing for column in understood.columns] == [1, 1]


def test_what_stands_in_a_cell_cannot_become_two_cells() -> None:
    rows = [["a\tb", "c"], ['"quoted', "line\nbreak"], ["=1+1", "end"]]
    frame, _ = read(xlsx({"A": rows}))
    assert list(frame.columns) == ["a b", "c"] and frame.iloc[0].tolist() == ["'quoted", "line break"]


def test_money_and_per_cent_signs_are_passed_over() -> None:
    rows = [["wage", "share"], ["1.234,50 €", "12 %"], ["987,00 €", "7,5 %"], ["10.000,00 €", "100 %"]]
    frame, understood = read(xlsx({"A": rows}))
    assert understood.reading.signs
    assert frame["wage"].tolist() == [1234.5, 987.0, 10000.0] and frame["share"].tolist() == [12, 7.5, 100]
    text = "wage;n\n$1,200.50;1\nCHF 90;2\n£3;3\n"
    frame, _ = read(text.encode())
    assert frame["wage"].tolist() == [1200.5, 90, 3]


def test_titles_above_a_table_of_text_are_found_too() -> None:
    for text in (
        "Staff;;\n;;\nname;age;city\nAda;36;Bonn\nBen;41;Graz\n",
        "Staff of the city\n\nname,age,city\nAda,36,Bonn\nBen,41,Graz\n",
    ):
        frame, understood = read(text.encode())
        assert understood.reading.skip == 2 and list(frame.columns) == ["name", "age", "city"]
    one, understood = read(b"value\n1,5\n2,5\n")
    assert understood.reading.skip == 0 and one["value"].tolist() == [1.5, 2.5]
    prose, understood = read(b"comment\nhello, you\nwell, done\n")
    assert list(prose.columns) == ["comment"]


@pytest.mark.parametrize("pair", [("ja", "nein"), ("oui", "non"), ("yes", "no"), ("1", "0"), ("WAHR", "FALSCH")])
def test_yes_and_no_can_be_read_as_such_in_many_words(pair: tuple[str, str]) -> None:
    text = f"name;member\nAda;{pair[0]}\nBen;{pair[1]}\nCem;\n".encode()
    frame, _ = read(text, Reading(";", kinds=(("member", "truth"),)))
    assert frame["member"].tolist()[:2] == [True, False] and frame["member"].isna().tolist() == [False, False, True]


def test_what_a_program_writes_for_true_is_read_as_such_by_itself() -> None:
    _, understood = read(b"name;member\nAda;WAHR\nBen;FALSCH\n")
    assert understood.columns[1].kind == "truth"


def test_names_that_lack_for_the_last_columns_stay_above_their_own() -> None:
    rows = [["ward", "name"], ["North", "Ada", 36], ["South", "Ben", 41]]
    frame, _ = read(xlsx({"A": rows}))
    assert list(frame.columns) == ["ward", "name", "#3"] and frame.iloc[0].tolist() == ["North", "Ada", 36]


@pytest.mark.parametrize("written", [locked_xlsx, locked_ods])
def test_a_workbook_with_a_password_is_called_so(written: Any) -> None:
    with pytest.raises(TableError) as caught:
        read_table(written(), "staff.xlsx")
    assert str(caught.value) == '"staff.xlsx" is locked with a password; open it, save it without one and upload that'


def test_an_old_workbook_is_none_with_a_password() -> None:
    with pytest.raises(TableError) as caught:
        read_table(
            locked_xlsx().replace("EncryptedPackage".encode("utf-16-le"), "Workbook".encode("utf-16-le")), "a.xls"
        )
    assert caught.value.key == "book_damaged"


def test_a_sheet_whose_name_is_endless_can_be_chosen() -> None:
    raw = xlsx({"A": PLAIN, "n" * 5_000: [["x"], [1], [2]]})
    name = read(raw)[1].sheets[1]
    assert len(name) == sheets.LONGEST_NAME
    assert read(raw, Reading("\t", sheet=name))[0]["x"].tolist() == [1, 2]


@pytest.mark.parametrize(("count", "key"), [(900, ""), (3_000, "book_sheets")])
def test_a_workbook_of_very_many_sheets_is_read_or_refused_for_their_number(count: int, key: str) -> None:
    """However long the list of their files is, it is no ZIP archive of something."""
    raw = xlsx({f"S{i}": PLAIN if i == 7 else [] for i in range(count)})
    if not key:
        assert read(raw)[1].reading.sheet == "S7"
        return
    with pytest.raises(TableError) as caught:
        read(raw)
    assert caught.value.key == key and caught.value.fields["sheets"] == count


def test_two_million_cells_are_read_in_the_memory_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """By day a quarter of them, in a quarter of the memory that is left beside a process without a book."""
    share, bare = 1 if ALL else 4, 20 * MEGABYTE
    monkeypatch.setattr(workbooks, "MEMORY", bare + (workbooks.MEMORY - bare) // share)
    sheet = sheet_of(unfolding(workbooks.MOST_CELLS // share), "large.xlsx")
    assert sheet.text.count(b"\n") == workbooks.MOST_CELLS // share // 100


def test_more_cells_are_refused_for_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """By day where few may be: there is memory for them, so that their number alone is what refuses them."""
    monkeypatch.setattr(workbooks, "MOST_CELLS", workbooks.MOST_CELLS if ALL else 20_000)
    with pytest.raises(TableError) as caught:
        sheet_of(unfolding(workbooks.MOST_CELLS + 100), "larger.xlsx")
    assert caught.value.key == "book_large" and caught.value.fields["most"] == workbooks.MOST_CELLS


def test_a_sparse_sheet_that_names_the_last_cell_of_all_takes_no_more_than_its_process_may() -> None:
    sparse = altered(xlsx({"A": [["a", "b"], [1, 2]]}), 'r="B2"', 'r="XFD1048576"')
    with pytest.raises(TableError) as caught:
        sheet_of(sparse, "sparse.xlsx")
    assert caught.value.key == "book_large"


def test_a_workbook_that_unpacks_to_very_much_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """By day of a third of the size, in a third of the memory."""
    share = 1 if ALL else 3
    monkeypatch.setattr(workbooks, "MEMORY", workbooks.MEMORY // share)
    cell = '<c r="A2" t="inlineStr"><is><t>' + "x" * ((150 << 20) // share) + "</t></is></c>"
    whole = '<c r="A2" t="inlineStr"><is><t xml:space="preserve">HERE</t></is></c>'
    bomb = altered(xlsx({"A": [["a"], ["HERE"]]}), whole, cell)
    assert len(bomb) < 1 << 20
    with pytest.raises(TableError) as caught:
        sheet_of(bomb, "bomb.xlsx")
    assert caught.value.key == "book_large"


def test_damaged_and_foreign_zips_are_refused_in_a_sentence() -> None:
    whole = xlsx({"A": PLAIN})
    for raw in (whole[: len(whole) // 2], b"PK\x03\x04 xl/workbook.xml" + bytes(50)):
        assert is_workbook(raw)
        with pytest.raises(TableError) as caught:
            read_table(raw, "broken.xlsx")
        assert caught.value.key == "book_damaged"
    for files in ({"a.txt": "hello"}, {"a.txt": "xl/workbook.xml"}):  # what a file says of workbooks makes none
        with pytest.raises(TableError) as caught:
            read_table(packed(files), "a.zip")
        assert caught.value.key == "file_no_rows"
    with pytest.raises(TableError) as caught:
        read_table(xlsx({"A": []}), "empty.xlsx")
    assert caught.value.key == "book_empty"


def test_a_sheet_that_nobody_waits_for_any_more_is_not_read_on() -> None:
    class LeftError(Exception):
        pass

    def left(share: float) -> None:
        raise LeftError

    rows = [["a", "b"], *([i, i + 1] for i in range(30_000))]
    with pytest.raises(LeftError):
        sheet_of(xlsx({"A": rows}), "long.xlsx", progress=left)


def test_forty_thousand_rows_are_read_whole() -> None:
    """By day a quarter of them: their text is still longer than what a pipe or a block of it holds."""
    count = 40_000 if ALL else 10_000
    rows: list[list[Any]] = [["id", "wage", "city"], *([i, i / 2, f"c{i % 7}"] for i in range(count))]
    frame, _ = read(xlsx({"A": rows}))
    assert len(frame) == count and frame["wage"].iloc[-1] == (count - 1) / 2


def test_numbers_become_text_that_says_all_of_them() -> None:
    assert [sheets.written(cell) for cell in (1.0, -2.5, 0.1, 1e300, True, "a\tb\n", dt.timedelta(hours=1))] == [
        "1",
        "-2.5",
        "0.1",
        "1e+300",
        "true",
        "a b",
        "3600.0",
    ]
    assert sheets.written(dt.datetime(2024, 5, 1, 12, 30)) == "2024-05-01 12:30:00"


@pytest.mark.parametrize(
    ("cells", "first"),
    [
        (("nein", "nein", "ja"), "ja"),
        (("0", "0", "1"), "1"),
        (("non", "oui", "non"), "oui"),
        (("red", "red", "blue"), "blue"),
    ],
)
def test_a_column_of_yes_and_no_is_asked_for_yes_first(cells: tuple[str, ...], first: str) -> None:
    table, _ = read_table(
        "\n".join(["name;member", *(f"p{i};{cell}" for i, cell in enumerate(cells))]).encode(), "t.csv"
    )
    assert starting_values(table, "member") == (first,)


def test_a_condition_on_an_own_table_begins_with_nothing_that_was_counted_in_it() -> None:
    """What is asked leaves with every sheet: a middle of the table, or what is most frequent, would leave with it."""
    heads = "team;pay;born"
    first = read_table(f"{heads}\nred;1200;1980-05-01\nred;1300;1981-02-01\nblue;9000;1999-01-01\n".encode(), "t.csv")[
        0
    ]
    second = read_table(f"{heads}\nred;77;2011-05-01\nblue;78;2012-02-01\nblue;79;2013-01-01\n".encode(), "t.csv")[0]
    for column, start in (("team", "blue"), ("pay", "0"), ("born", "2000-01-01")):
        assert starting_values(first, column) == starting_values(second, column) == (start,)
