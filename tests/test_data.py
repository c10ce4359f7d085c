"""The built-in data are what their README says."""

from __future__ import annotations

import pickle
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ldpcore.tables.table import BUILT_IN, DATA, Table, built_in, uniqueness


def income(column: str) -> np.ndarray:
    return built_in("income").numbers(column)


def test_every_built_in_table_has_a_file_and_every_file_a_line_in_the_readme() -> None:
    readme = (DATA / "README.md").read_text(encoding="utf-8")
    files = sorted(path.name for path in DATA.glob("*.csv"))
    assert files == sorted(f"{name}.csv" for name in BUILT_IN)
    assert all(f"`{name}`" in readme for name in files)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    (folder / "make.py").write_bytes((DATA / "make.py").read_bytes())
    subprocess.run([sys.executable, "-I", str(folder / "make.py")], check=True, cwd=folder)
    return folder


@pytest.mark.parametrize("name", ["income.csv", "clinic.csv"])
def test_the_script_reproduces_the_file_byte_for_byte(made: Path, name: str) -> None:
    assert (made / name).read_bytes() == (DATA / name).read_bytes()


def test_income_has_2584_people_and_three_columns() -> None:
    table = built_in("income")
    assert (table.n, table.columns) == (2584, ("score", "schooling", "income"))


def test_exactly_882_people_have_little_schooling_and_a_high_income() -> None:
    assert int(((income("schooling") < 16) & (income("income") > 33_761)).sum()) == 882


def test_scores_lie_between_0_and_100_with_three_decimals() -> None:
    lines = (DATA / "income.csv").read_text(encoding="utf-8").splitlines()[1:]
    assert all(len(line.split(",")[0].split(".")[1]) == 3 for line in lines)
    assert income("score").min() >= 0
    assert income("score").max() <= 100


def test_most_people_have_twelve_years_of_schooling_of_6_to_20_whole_years() -> None:
    years, counts = np.unique(income("schooling"), return_counts=True)
    assert years.tolist() == list(range(6, 21))
    assert years[counts.argmax()] == 12
    assert counts.max() > 2 * sorted(counts)[-2]


def test_incomes_are_whole_and_heavy_tailed_with_a_median_near_38000() -> None:
    incomes = income("income")
    assert (incomes == np.floor(incomes)).all()
    assert incomes.min() > 0
    assert np.median(incomes) == pytest.approx(38_000, abs=200)
    assert incomes.mean() > 1.2 * np.median(incomes)
    assert incomes.max() > 20 * np.median(incomes)


@pytest.mark.parametrize(
    ("first", "second", "wanted"),
    [("score", "schooling", 0.60), ("schooling", "income", 0.35), ("score", "income", 0.31)],
)
def test_the_correlations_are_the_published_ones(first: str, second: str, wanted: float) -> None:
    assert np.corrcoef(income(first), income(second))[0, 1] == pytest.approx(wanted, abs=0.005)


def test_the_readme_quotes_the_numbers_of_the_file() -> None:
    readme = (DATA / "README.md").read_text(encoding="utf-8")
    incomes = income("income")
    quoted = [int(np.median(incomes)), round(incomes.mean()), int(incomes.max())]
    quoted += [int((income("schooling") == 12).sum())]
    assert all(f"{number:,}".replace(",", " ") in readme for number in quoted)


PRINTED = ["6.841,12,5500", "99.393,16,65000", "47.412,12,19000", "44.022,14,36000"]  # by the teaching notebook


def test_income_begins_with_the_four_rows_that_the_notebook_prints_and_has_none_of_them_twice() -> None:
    lines = (DATA / "income.csv").read_text(encoding="utf-8").splitlines()
    assert lines[1:5] == PRINTED
    assert all(lines.count(row) == 1 for row in PRINTED)


def test_the_printed_rows_move_no_count_no_median_and_no_sum_of_incomes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without them the script makes people of whom all of these are the same, and of whom none is lost or doubled."""
    made = runpy.run_path(str(DATA / "make.py"))["income"]
    with_them = made().splitlines()[1:]
    monkeypatch.setitem(made.__globals__, "PRINTED", {})
    without = made().splitlines()[1:]
    assert len(set(without) - set(with_them)) == len(set(with_them) - set(without)) == len(PRINTED)
    assert sum(before != after for before, after in zip(without, with_them, strict=True)) == 2 * len(PRINTED)
    found = [np.array([row.split(",") for row in rows], dtype=np.float64) for rows in (without, with_them)]
    years, incomes = ([table[:, column] for table in found] for column in (1, 2))
    assert sorted(years[0]) == sorted(years[1])
    assert incomes[0].sum() == incomes[1].sum()
    assert [np.median(table, axis=0).tolist() for table in found[1:]] == [np.median(found[0], axis=0).tolist()]
    assert np.corrcoef(found[0].T) == pytest.approx(np.corrcoef(found[1].T), abs=1e-3)
    assert found[0].mean(axis=0) == pytest.approx(found[1].mean(axis=0), abs=4e-4)
    for below in range(7, 21):
        counts = {int(((year < below) & (each > 33_761)).sum()) for year, each in zip(years, incomes, strict=True)}
        assert len(counts) == 1


def test_income_and_clinic_are_labeled_synthetic() -> None:
    assert [name for name in BUILT_IN if built_in(name).synthetic] == ["income", "clinic"]
    assert not any(built_in(name).own for name in BUILT_IN)


def test_three_of_the_five_people_are_women() -> None:
    people = built_in("people").frame
    assert people["first name"].tolist() == ["Heinz", "Maria", "Jolanda", "Markus", "Sarah"]
    assert people["year of birth"].tolist() == [1958, 1965, 1968, 1978, 1994]
    assert "".join(people["sex"]) == "MFFMF"


def test_the_clinic_begins_with_alice_bob_and_zoey() -> None:
    rows = built_in("clinic").frame[["name", "age", "sex", "diabetes"]].head(3)
    assert [tuple(row) for row in rows.itertuples(index=False)] == [
        ("Alice", 34, "F", 0),
        ("Bob", 34, "M", 1),
        ("Zoey", 28, "F", 0),
    ]
    assert built_in("clinic").n == 40


def test_bob_is_the_only_man_of_34_and_so_his_diagnosis_is_disclosed() -> None:
    clinic = built_in("clinic").frame
    like_bob = clinic[(clinic["age"] == 34) & (clinic["sex"] == "M")]
    assert like_bob["name"].tolist() == ["Bob"]
    assert like_bob["diabetes"].tolist() == [1]
    alone = ~clinic.duplicated(["age", "sex"], keep=False)
    assert uniqueness(built_in("clinic"), ["age", "sex"]) == int(alone.sum())
    assert alone[clinic["name"] == "Bob"].all()


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_built_in_table_says_without_pandas_what_pandas_reads(name: str) -> None:
    ours, frame = built_in(name), pd.read_csv(DATA / f"{name}.csv", keep_default_na=False)
    theirs = Table.of(frame, name)
    assert (ours.n, ours.columns, ours.own) == (theirs.n, theirs.columns, False)
    for column in theirs.columns:
        assert ours.kind(column) == theirs.kind(column)
        assert ours.cells(column).dtype == theirs.cells(column).dtype
        assert ours.cells(column).tolist() == theirs.cells(column).tolist() == ours.column(column).tolist()
        assert ours.distinct(column) == theirs.distinct(column)
        assert ours.missing(column) == theirs.missing(column) == int(ours.empty(column).sum()) == 0
    for column in theirs.of_kind("number"):
        assert ours.numbers(column).tolist() == theirs.numbers(column).tolist()
    assert pickle.loads(pickle.dumps(ours)) == ours != theirs
