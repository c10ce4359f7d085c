"""What people do in their first hour that cannot work: each is answered in one sentence that says what to do."""

from __future__ import annotations

import math
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ldpcore
from ldpcore.library.command import main
from ldpcore.library.designs import nearest_names
from ldpcore.mechanisms import REGISTRY
from tests.cases import for_each
from tests.library.members import design_of
from tests.workbooks import xlsx

ROOT = Path(__file__).resolve().parent.parent.parent
GRR = ldpcore.build("grr", 1.0, 3)
ALONE = {
    "pandas": "pandas must be installed for this: pip install 'ldp-explorer[tables]'; got none",
    "python_calamine": "python-calamine must be installed for this: pip install 'ldp-explorer[tables]'; got none",
    "pyarrow": "PyArrow must be installed for this: pip install 'ldp-explorer[parquet]'; got none",
    "distributed": "Dask must be installed for this: pip install 'ldp-explorer[dask]'; got none",
}
STUDY = "ldpcore.Study(['grr'], levels=[1.0], n=[100], k=[3], seeds=range(2))"
ASKED = [
    ("pandas", f"{STUDY}.run()"),
    ("pyarrow", f"{STUDY}.run(store='done')"),
    ("distributed", f"{STUDY}.run('tcp://127.0.0.1:9')"),
    ("pandas", "ldpcore.build('rr', 1.0, 2).tally([0, 1]).estimate().table()"),
    ("pyarrow", "ldpcore.collect(ldpcore.build('rr', 1.0, 2), 'reports.parquet')"),
    ("pandas", "of_table('ages.csv')"),
    ("python_calamine", "of_table('ages.csv')"),
    ("pyarrow", "of_table('ages.parquet')"),
]
SCRIPT = """
import sys
for name in {without!r}:
    sys.modules[name] = None
import ldpcore
from ldpcore.library.command import _parser

def of_table(name):
    asked = _parser().parse_args(["table", name, "--column", "age", "--alpha", "1"])
    asked.answers(asked)

for asked in {asked!r}:
    try:
        eval(asked)
    except ldpcore.Refusal as refused:
        print(refused)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the present one, with files whose columns are asked about."""
    frame = pd.DataFrame({"age": range(10)})
    frame.to_csv(tmp_path / "ages.csv", index=False)
    frame.to_parquet(tmp_path / "ages.parquet")
    pd.DataFrame({"report": [0, 1]}).to_parquet(tmp_path / "reports.parquet")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return tmp_path


@pytest.mark.parametrize("absent", ALONE)
def test_what_is_not_installed_is_named_with_its_extra(folder: Path, absent: str) -> None:
    asked = [call for name, call in ASKED if name == absent]
    script = SCRIPT.format(without=[absent], asked=asked)
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, encoding="utf-8")
    assert not run.stderr and run.stdout.splitlines() == [ALONE[absent]] * len(asked)
    assert not (folder / "done").exists()  # it is said before anything is done


@pytest.mark.parametrize("given", [7, None, np.random.RandomState(0), np.random, np.random.PCG64(1), "7"])
@pytest.mark.parametrize("call", ["privatize", "simulate"])
def test_what_is_no_generator_is_refused_with_what_makes_one(given: Any, call: str) -> None:
    for member in (
        GRR,
        ldpcore.build("laplace", 1.0, ldpcore.Answers()),
        ldpcore.build("hm", 1.0, ldpcore.Numbers(0, 1)),
    ):
        draw = member.privatize if call == "privatize" else member.simulate
        with pytest.raises(ldpcore.Refusal) as refused:
            draw([0, 1], given)
        assert str(refused.value).startswith("rng must be a numpy.random.Generator: numpy.random.default_rng(seed), or")
        assert refused.value.fields["got"] in (repr(given), type(given).__name__)


def test_one_table_array_or_series_of_reports_is_collected_as_it_is() -> None:
    for reports in (
        pd.DataFrame({"report": [0, 1, 1]}),
        pd.Series([0, 1, 1]),
        np.array([0, 1, 1]),
        {"report": [0, 1, 1]},
        [[0, 1], [1]],
    ):
        assert ldpcore.collect(GRR, reports) == GRR.tally([0, 1, 1])


@for_each("member", REGISTRY, ids=lambda member: member.slug)
def test_the_reports_of_every_mechanism_are_collected_from_one_table(member: Any) -> None:
    design, values = design_of(member)
    reports = design.privatize(values, np.random.default_rng(0))
    assert ldpcore.collect(design, pd.DataFrame(design.columns(reports))) == design.tally(reports)


def test_a_mechanism_that_nobody_knows_is_answered_with_the_nearest_three() -> None:
    for given, meant in [
        ("lapace", "laplace"),
        ("generalised randomised response", "grr"),
        ("GRR", "grr"),
        ("rapor", "rappor"),
        ("OLH-optimal local hashing", "olh"),
        ("subset selection", "subset"),
    ]:
        with pytest.raises(ldpcore.Refusal) as refused:
            ldpcore.build(given, 1.0, 3)
        named = refused.value.fields["options"]
        assert meant in named and len(named) == 3 and len(str(refused.value)) < 160
    assert all(nearest_names(member.slug)[0] == member.slug for member in REGISTRY)


@pytest.mark.parametrize("member", REGISTRY, ids=lambda member: member.slug)
def test_an_estimate_is_equal_after_pickling(member: Any) -> None:
    design, values = design_of(member)
    estimate = design.tally(design.privatize(values, np.random.default_rng(0))).estimate()
    kept = pickle.loads(pickle.dumps(estimate))
    assert kept == estimate and hash(kept) == hash(estimate) and kept is not estimate
    assert estimate != design.tally(design.privatize(values, np.random.default_rng(1))).estimate(0.9)


def test_estimates_of_other_numbers_are_not_equal() -> None:
    one, other = (GRR.tally(reports).estimate() for reports in ([0, 1, 1], [0, 0, 1]))
    assert one != other and one == GRR.tally([1, 1, 0]).estimate() and one != "an estimate"


@pytest.mark.parametrize(("given", "place", "got"), [([1, "x"], 1, "x"), ([1, None, 2], 1, None), ([0, "1"], 1, "1")])
def test_a_value_that_is_no_number_is_refused_by_its_place(given: list[Any], place: int, got: Any) -> None:
    for values in (given, pd.Series(given, dtype=object), np.array(given, dtype=object)):
        with pytest.raises(ldpcore.Refusal) as refused:
            ldpcore.build("hm", 1.0, ldpcore.Numbers(0, 100)).privatize(values, np.random.default_rng(0))
        assert str(refused.value) == f"value {place} must be a number; got {got!r}"
    with pytest.raises(ldpcore.Refusal) as refused:
        ldpcore.build("laplace", 1.0, ldpcore.Answers()).privatize(given, np.random.default_rng(0))
    assert str(refused.value) == f"value {place} must be a number; got {got!r}"
    rows = [[0.5, 0.5] if isinstance(value, int) else [0.5, value] for value in given]
    with pytest.raises(ldpcore.Refusal) as refused:
        ldpcore.build("split", 1.0, ldpcore.Vectors({"x": (0, 1), "y": (0, 1)})).privatize(
            rows, np.random.default_rng(0)
        )
    assert str(refused.value) == f"value {place} must be a number; got {got!r}"
    numbers = ldpcore.Numbers(0, 100).inward(np.array([0, 50.0, np.int64(100)], dtype=object))
    assert numbers.tolist() == [-1, 0, 1]


AGES = [str(18 + i % 74) for i in range(5000)]
ASK = ("table", "ages", "--column", "age", "--low", "0", "--high", "100", "--alpha", "1", "--seed", "1")


def written(folder: Path, text: str | bytes) -> None:
    (folder / "ages").write_bytes(text if isinstance(text, bytes) else text.encode())


def answered(capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, str]:
    status = main([*ASK, *more])
    heard = capsys.readouterr()
    return status, heard.err or heard.out


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("age\n" + "\n".join([*AGES[:3169], "x", *AGES[3169:]]) + "\n", "line 3171"),
        ("age\r\n" + "\r\n".join([*AGES[:3169], "x", *AGES[3169:]]) + "\r\n", "line 3171"),
        ("\n".join(["a survey of 2024", "", "name;age", *(f"p;{age}" for age in AGES), "p;x"]), "line 5004"),
        ("name,age\n" + "".join(f'"a\nb",{age}\n' for age in [*AGES[:9], "x", *AGES]), "line 21"),
        ("\n".join([*AGES[:5], "x", *AGES]).join(("age\n\n", "\n")), "line 8"),
        (xlsx({"A": [["age"], *([int(age)] for age in AGES[:50]), ["x"], [30]]}), "row 51"),
    ],
    ids=["unix", "windows", "title", "quoted", "blank", "workbook"],
)
def test_a_cell_that_is_no_number_is_refused_by_its_line_where_bounds_are_given(
    folder: Path, capsys: pytest.CaptureFixture[str], text: str | bytes, where: str
) -> None:
    written(folder, text)
    status, said = answered(capsys)
    rule = "must hold a number in column 'age', or --missing must name what stands there; got 'x'"
    assert (status, said) == (2, f"ldpcore: {where} of ages {rule}\n")
    status, said = answered(capsys, "--missing", "x")
    assert status == 0 and "\nmean " in said and "1 rows without a value take no part" in said


@pytest.mark.parametrize("cell", ["inf", "-inf", "1e999", "Infinity"])
def test_a_number_without_end_is_refused_by_its_line_too(
    folder: Path, capsys: pytest.CaptureFixture[str], cell: str
) -> None:
    written(folder, "age\n" + "\n".join([*AGES[:9], "NaN", cell, *AGES]) + "\n")
    status, said = answered(capsys)
    assert status == 2 and "line 12 of ages must hold a number" in said and f"got '{cell}'" in said
    status, said = answered(capsys, f"--missing={cell}")
    assert status == 0 and "2 rows without a value" in said  # what is written as not a number is a gap


def test_a_text_that_is_called_missing_is_missing_in_every_column(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(folder, "age\n" + "\n".join([*AGES, "999", "999", "NA"]) + "\n")
    status, said = answered(capsys, "--missing", "999", "--missing", "x")
    assert status == 0 and "n = 5000" in said and "3 rows without a value" in said
    true = np.mean(np.array(AGES, dtype=float))
    estimate = float(said.split("mean")[1].split()[0])
    assert math.isclose(estimate, true, abs_tol=6 * 100 / math.sqrt(5000))
    written(folder, "age\n" + "\n".join(["young", "old", "refused"] * 50) + "\n")
    assert main(["table", "ages", "--column", "age", "--alpha", "1", "--missing", "refused"]) == 0
    said = capsys.readouterr().out
    assert "refused" not in said and "n = 100" in said


def test_what_stands_in_a_cell_is_quoted_safely(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(folder, "age\n" + "\n".join([*AGES, "\x1b[31m" + "y" * 500]) + "\n")
    status, said = answered(capsys)
    assert status == 2 and "\x1b" not in said and len(said) < 250 and said.count("\n") == 1
