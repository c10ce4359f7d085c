"""Typed texts are read alike in Persian, Arabic and Latin digits, with the marks and words of each."""
# ruff: noqa: RUF001 - these are the digits and marks that people write

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from explorer.pages.verify.widgets.matrices import Text, _entries
from explorer.poll.tickets import same
from explorer.settings.cuts import read_edges, read_groups
from explorer.settings.drawnbars import bars
from explorer.settings.typed import AskError, Habits
from explorer.text.catalogue import catalogue_of
from ldpcore.accounting.columns import _heads, read_rows
from ldpcore.accounting.lines import LedgerRow
from ldpcore.experiments.exercises.bit import read_phi
from ldpcore.experiments.verify.owncounts import read_counts
from ldpcore.parameters import ParameterError
from ldpcore.reading.answerlists import read_list
from ldpcore.reading.answers import read_answers
from ldpcore.reading.counted import read_counted
from ldpcore.reading.dialects import read_table
from ldpcore.reading.matrices import MatrixError, read_matrix
from ldpcore.reading.notations import LONGEST, Unreadable, in_latin, read_day, read_number
from ldpcore.reading.readings import Reading
from ldpcore.reading.totals import is_total
from ldpcore.refusals import Refusal
from tests.cases import for_each
from tests.rationing import crossed
from tests.test_patterns import grows_with_its_length
from tests.workbooks import ods, xlsx

PERSIAN = Habits.of("fa")


def entries(text: str) -> Any:
    return read_matrix(text).entries.tolist(), read_matrix(text).values, read_matrix(text).reports


def edges(text: str) -> Any:
    return read_edges(text, PERSIAN)


def between(text: str) -> float:
    return PERSIAN.between(text, 0, 1)


def phi(text: str) -> Any:
    return read_phi(text, 4)


def costs(text: str) -> Any:
    return [(row.name, row.kind, row.size, row.delta, row.rate, row.times, row.day) for row in read_rows(text)]


# Who reads, what it is in Latin digits, and the same as people write it in Persian.
ALIKE: list[tuple[Callable[[str], Any], str, str]] = [
    (read_number, "-1234.5", "−۱٬۲۳۴٫۵"),
    (read_number, "-1234.5", "\u2066−۱۲۳۴٫۵\u2069"),  # as it is copied from a sentence of ours
    (read_number, "0.5", "٠٫٥"),
    (between, "0.5", "۵۰٪"),
    (between, "0.5", "\u2066۵۰٪\u2069"),
    (phi, "-1 0.5 0 1", "−۱ ۰٫۵ ۰ ۱"),
    (phi, "-1;0,5;0;1", "-۱؛ ۰٫۵؛ ۰؛ ۱"),
    (phi, "-1 0.5 0 1", "-۱، ۰٫۵، ۰، ۱"),
    (bars, "9 6.5 3 1000", "۹ ۶٫۵ ۳ ۱٬۰۰۰"),
    (bars, "9;6.5;3;0", "۹؛۶٫۵؛۳؛۰"),
    (edges, "20; 40; 60", "۲۰؛ ۴۰؛ ۶۰"),
    (edges, "20; 40; 60", "۶۰، ۴۰، ۲۰"),
    (edges, "20; 40; 1000", "۲۰،۴۰،۱٬۰۰۰"),
    (edges, "0.5; 2.5", "۰٫۵ ۲٫۵"),
    (read_counts, "530, 470", "۵۳۰، ۴۷۰"),
    (read_counts, "1530; 470", "۱٬۵۳۰؛ ۴۷۰"),
    (read_counts, "530, 470", "٥٣٠ ٤٧٠"),
    (entries, "0.75 0.25\n0.25 0.75", "۰٫۷۵ ۰٫۲۵\n۰٫۲۵ ۰٫۷۵"),
    (entries, "0.75, 0.25\n0.25, 0.75", "۰٫۷۵، ۰٫۲۵\n۰٫۲۵، ۰٫۷۵"),
    (entries, "0.75; 0.25\n0.25; 0.75", "۰٫۷۵؛ ۰٫۲۵\n۰٫۲۵؛ ۰٫۷۵"),
    (entries, "75%\t25%\n1/4\t3/4", "۷۵٪\t۲۵٪\n۱/۴\t۳/۴"),
    (entries, "1000 250\n250 1000", "۱٬۰۰۰ ۲۵۰\n۲۵۰ ۱٬۰۰۰"),
    (
        entries,
        "\tگزارش ۱\tگزارش ۲\nبله\t0.75\t0.25\nنه\t0.25\t0.75",
        "\tگزارش ۱\tگزارش ۲\nبله\t۰٫۷۵\t۰٫۲۵\nنه\t۰٫۲۵\t۰٫۷۵",
    ),
    (read_counted, "ری\t1234\nقم\t56\ntotal\t1300", "ری\t۱٬۲۳۴\nقم\t۵۶\nجمع کل\t۱٬۳۰۰"),
    (read_counted, "ری;12\nقم;56\ntotal;70", "ری؛ ۱۲\nقم؛ ۵۶\nمجموع:؛ ۷۰"),
    (read_counted, "ری 3, 12\nقم, 56", "ری 3، ۱۲\nقم، ۵۶"),
    (read_counted, "ری;12\nقم;56\nn;68", "ری;۱۲\nقم;۵۶\nكل;۶۸"),  # with the letter of an Arabic keyboard
    (read_answers, "340 yes of 900", "۳۴۰ بله از ۹۰۰"),
    (read_answers, "340 yes, 560 no", "۳۴۰ بلي، ۵۶۰ خير"),
    (read_list, "yes, no, no, yes", "بله، خیر، نه، بلي"),
    (read_list, "answer\nyes\nno", "پاسخ\n«بله»\n«خیر»".replace("پاسخ", "answer")),
    (costs, "laplace 0.1 x 30", "لاپلاس ۰٫۱ × ۳۰"),
    (costs, "laplace 0.1 x 30", "نویز لاپلاس با سطح ۰٫۱ ×۳۰"),
    (costs, "روزانه: laplace 0.1 x 1000", "روزانه: لاپلاس ٠٫١ × ۱٬۰۰۰"),
    (costs, "2026-03-01 شمارش ۳: laplace 0.1", "۲۰۲۶-۰۳-۰۱ شمارش ۳: لاپلاس ۰٫۱"),
    (costs, "2026-03-01 شمارش: laplace 0.1", "۱۴۰۴/۱۲/۱۰ شمارش: لاپلاس ۰٫۱"),
    (costs, "gauss 1 1e-6", "گاوسی ۱ ۱e-۶"),
    (costs, "gauss 1 0.000001", "نویز گاوسی ۱، δ=۰٫۰۰۰۰۰۱".replace("،", "")),
    (costs, "gauss sigma 3", "گاوسی با سیگما ۳"),
    (costs, "gauss sigma 3", "گاوسي σ ۳"),
    (costs, "gauss rho 0.05", "گاوسی رو ۰٫۰۵"),
    (costs, "sampled 1.1 0.01 x 1000", "گاوسی نمونه‌گیری ۱٫۱ ۰٫۰۱ × ۱۰۰۰"),
    (costs, "discrete 0.5", "لاپلاس گسسته ۰٫۵"),
    (costs, "rr 1", "پاسخ تصادفی ۱"),
    (costs, "exponential 1", "مکانیزم نمایی ۱"),
    (costs, "any 1", "هر مکانیزم ۱"),
    (costs, "zcdp 0.05", "zcdp ۰٫۰۵"),
    (
        costs,
        "date,name,noise,level,times\n2026-03-01,x,laplace,0.1,30\n,y,gauss sigma,1,1\n".replace("gauss sigma", "rr"),
        "تاریخ;نام;نویز;سطح;تعداد دفعات\n۱۴۰۴/۱۲/۱۰;x;لاپلاس;۰٫۱;۳۰\n;y;پاسخ تصادفی;۱;۱\n",
    ),
    (costs, "name,sigma,rate\nx,1.1,0.01\n", "نام؛سیگما؛سهم\nx؛۱٫۱؛۰٫۰۱\n"),
    (costs, "level,delta\n1,0.001\n", "سطح\tδ\n۱\t۰٫۰۰۱\n"),
]


@for_each(("read", "latin", "persian"), ALIKE)
def test_a_persian_text_is_read_as_its_latin_one(read: Callable[[str], Any], latin: str, persian: str) -> None:
    meant = read(latin)
    assert not isinstance(meant, Unreadable)
    assert read(persian) == meant


@pytest.mark.parametrize("text", ["۱٬۲", "۱۲۳۴٬۵۶۷", "٬۱۲۳", "۱٫۲٫۳", "۱٬۲۳۴٬۵"])
def test_a_mark_between_thousands_parts_threes_or_there_is_no_number(text: str) -> None:
    number = read_number(text)
    assert number == Unreadable("form", text), "as its writer sees it"
    with pytest.raises(ValueError, match="could not convert"):
        float(in_latin(text))
    for read in (bars, read_counts, phi, costs, read_matrix):
        with pytest.raises((ParameterError, Refusal)):
            read(f"۱ {text} ۰ ۱" if read is not costs else f"لاپلاس {text}")


@pytest.mark.parametrize("read", [bars, read_counts, phi, costs, read_matrix, read_counted, PERSIAN.number, edges])
@pytest.mark.parametrize("text", ["۱ ۱٬۲x", "\u2066۱\u2069 ۱٬۲\u2067x"])
def test_a_persian_refusal_is_one_sentence_with_the_text_as_it_was_typed(read: Callable[[str], Any], text: str) -> None:
    with pytest.raises((Refusal, AskError)) as refused:
        read(text)
    problem: Any = refused.value
    catalogue = catalogue_of("fa")
    said = catalogue.refusal(problem) if isinstance(problem, Refusal) else catalogue.write(problem.reason)
    assert said.endswith(".") and "\ue000" not in said and "\ue001" not in said
    assert said.count("\u2066") + said.count("\u2068") == said.count("\u2069")


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("۱۴۰۴/۱۲/۱۰", date(2026, 3, 1)),
        ("۱۰ اسفند ۱۴۰۴", date(2026, 3, 1)),
        ("1 فروردين 1403", date(2024, 3, 20)),
        ("۱۴۰۳/۱۲/۳۰", date(2025, 3, 20)),
        ("۱ مارس ۲۰۲۶", date(2026, 3, 1)),
        ("۲۰۲۶-۰۳-۰۱", date(2026, 3, 1)),
        ("1404-12-10", date(1404, 12, 10)),  # in other digits, as ever
        ("۱۴۰۴/۱۲/۳۰", Unreadable("form", "۱۴۰۴/۱۲/۳۰")),  # no leap year
    ],
)
def test_a_day_in_persian_digits_is_one_of_the_calendar_of_iran(text: str, day: date | Unreadable) -> None:
    assert read_day(text) == day


def test_what_a_persian_reader_finds_in_a_box_is_written_in_persian_and_read_back() -> None:
    for value in (0.5, -3, 60000, 1.125, 1e-6, 1.5e-12, 1e300):
        written = PERSIAN.spelled(value)
        assert not any(letter in "0123456789." for letter in written) and PERSIAN.number(written) == value
    for day in (date(2026, 3, 1), date(1900, 1, 1), date(2100, 12, 31)):
        assert PERSIAN.spelled(day)[0] == "۱" and PERSIAN.day(PERSIAN.spelled(day)) == day
    assert PERSIAN.day(PERSIAN.spelled(date(1500, 5, 6))) == date(1500, 5, 6)


def test_groups_part_their_values_by_persian_marks() -> None:
    known = ("رشت", "ساری", "قم، مرکز")
    for text in ("شمال: رشت؛ ساری", "شمال: رشت، ساری", "شمال: رشت; ساری"):
        (group,) = read_groups(text, known)
        assert group.name == "شمال" and group.values == ("رشت", "ساری")
    assert read_groups("قم، مرکز", known)[0].values == ("قم، مرکز",)


def test_a_total_in_persian_stands_alone_or_before_a_year() -> None:
    for text in ("جمع", "جمع کل", "جمع كل:", "مجموع ۱۴۰۳", "کل", "میانگین"):
        assert is_total(text), text
    for text in ("جمع آوری", "مجموع دریافتی", "کل کشور", "میانگین سن"):
        assert not is_total(text), text
    with pytest.raises(ParameterError, match="total"):
        read_rows("جمع کل: لاپلاس ۱")


def test_a_pin_is_the_same_in_every_keyboard_s_digits() -> None:
    for typed, kept in (("۱۲۳۴", "1234"), ("1234", "۱۲۳۴"), ("١٢٣ ٤", "1234"), ("ab۱", "ab1")):
        assert same(typed, kept)
    assert not same("۱۲۳۵", "1234") and not same("", "1234")


def test_a_link_carries_a_matrix_in_the_digits_of_links() -> None:
    assert _entries(Text.of("۰٫۷۵ ۰٫۲۵\n۰٫۲۵ ۰٫۷۵")) == "0.75;0.25|0.25;0.75"


@pytest.mark.parametrize("piece", ["٬", "۱٬", "۱۲۳٬", "٫", "۱۲۳", "\u2066", "ی\u200c"])
def test_the_steps_of_reading_persian_grow_with_the_length_of_the_text(piece: str) -> None:
    assert grows_with_its_length(in_latin, piece)
    assert len(in_latin(piece * LONGEST)) <= len(piece) * LONGEST


def test_the_words_of_a_ledger_in_persian_are_those_of_its_page() -> None:
    """The name of each kind of noise on the page can be typed."""
    names = catalogue_of("fa").page("budget").labels.strings("noises")
    read = {
        kind: read_rows(f"{name} {'۱ ۰٫۰۱' if kind in ('gauss', 'sampled') else '۱'}") for kind, name in names.items()
    }
    assert all(isinstance(rows[0], LedgerRow) and rows[0].kind == kind for kind, rows in read.items()), read


def test_a_matrix_of_persian_words_is_refused_by_its_place() -> None:
    with pytest.raises(MatrixError) as refused:
        read_matrix("۰٫۵ ۰٫۵\n۰٫۵ ۰٫x")
    assert refused.value.key == "entry_no_number"


def test_the_examples_in_the_help_are_read_as_they_stand() -> None:
    budget, refused = catalogue_of("fa").page("budget").labels, catalogue_of("fa").listing("labels")["refusals"]
    shown = re.findall("«([^»]*[۰-۹][^»]*)»|`([^`]*[۰-۹][^`]*)`", budget.text("rows_help") + refused["row_unread"])
    shown = ["".join(each) for each in shown]
    days = [text for text in shown if isinstance(read_day(text), date)]
    lines = [text for text in shown if text not in days and "@" not in text]
    assert len(days) == 1 and len(lines) == 8 and all(len(read_rows(text)) == 1 for text in lines), shown
    heads = budget.text("rows_file_help").partition("نام‌دار: ")[2].partition(".")[0].split("، ")
    assert len(_heads(heads)) == len(heads) == 9


def cells(raw: bytes, column: str, reading: Reading | None = None) -> Any:
    table, understood = read_table(raw, "people.csv", reading)
    return table.frame[column].tolist(), next(one.kind for one in understood.columns if one.name == column)


TABLES = {  # a column's cells in Persian, and the numbers that they are
    "whole": (["۳۴", "۲۱", "۵۶"], [34, 21, 56]),
    "Arabic": (["٣٤", "٢١٫٥", "١٬٢٣٤٫٥"], [34, 21.5, 1234.5]),
    "marks": (["۱٬۲۳۴٫۵", "-۹۸۷", "۱۲٬۰۰۰٬۰۰۰"], [1234.5, -987, 12e6]),
    "per cent": (["۱۲٪", "۷٫۵٪", "۱۰۰ ٪"], [12, 7.5, 100]),
    "money": (["۱۲۰۰ ریال", "۹٬۵۰۰ ریال", "۵۰ ریال"], [1200, 9500, 50]),
    "a point": (["۱.۵", "۲.۲۵", "۳"], [1.5, 2.25, 3]),
    "both scripts": (["12", "۱۳", "14.5"], [12, 13, 14.5]),
}


FORMS: list[tuple[Any, int]] = [(";", 1), ("\t", 1), (",", 1), (";", 700), (xlsx, 1), (ods, 1)]


@pytest.mark.parametrize(("case", "form"), crossed(TABLES, FORMS, len(FORMS)))
def test_a_column_of_persian_numbers_is_numbers(case: str, form: tuple[Any, int]) -> None:
    written, times = form
    texts, numbers = TABLES[case]
    rows = [["نام", "درآمد"], *([f"نفر {place}", text] for place, text in enumerate(texts * times))]
    raw = "\n".join(map(written.join, rows)).encode() if isinstance(written, str) else written({"A": rows})
    assert cells(raw, "درآمد") == (numbers * times, "number")
    assert cells(raw, "نام")[1] == "category"


def test_a_decimal_comma_between_persian_digits_is_read_as_between_others() -> None:
    assert cells("a;x\n۱;۱,۵\n۲;۲,۲۵\n".encode(), "x") == ([1.5, 2.25], "number")
    _, asked = read_table("a;x\n۱;۱.۲۳۴\n۲;۲.۵۰۰\n".encode(), "people.csv")
    assert asked.number_in_doubt == "۱.۲۳۴"
    _, clear = read_table("a;x\n۱;۱٫۲۳۴\n۲;۲٫۵۰۰\n".encode(), "people.csv")
    assert not clear.number_in_doubt


def test_words_keys_and_days_in_persian_digits_stay_as_they_are_written() -> None:
    rows = "استان,کد,روز\nاستان ۱,۰۱۲۳۴,۱۴۰۳/۰۱/۱۵\nاستان ۲,۰۵۵۵۵,۱۴۰۳/۰۲/۱۵\n".encode()
    assert cells(rows, "استان") == (["استان ۱", "استان ۲"], "category")
    assert cells(rows, "کد") == (["۰۱۲۳۴", "۰۵۵۵۵"], "category")
    assert cells(rows, "روز") == (["۱۴۰۳/۰۱/۱۵", "۱۴۰۳/۰۲/۱۵"], "category")


def test_persian_digits_far_below_others_are_numbers_too_and_words_there_are_words() -> None:
    above = "".join(f"{place},1\n" for place in range(1500))
    assert cells(f"a,b\n{above}۱۵۰۰,۲\n".encode(), "a") == ([*range(1501)], "number")
    told, kind = cells(f"a,b\n{above}هیچ,۲\n".encode(), "a")
    assert kind == "category" and told[-1] == "هیچ"
    assert cells(f"a,b\n{above}هیچ,۲\n".encode(), "b")[1] == "number"
