"""The command: words for people, JSON for programs, and refusals in words with exit status 2."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ldpcore
from ldpcore.library.command import main

ROOT = Path(__file__).resolve().parent.parent.parent
PEOPLE = "name,age,sex\n" + "".join(f"p{i},{i % 90},{'FM'[i % 3 == 0]}\n" for i in range(600)) + "last,,\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files of every kind that is asked about, which is the present one."""
    survey = ldpcore.build("grr", 1.0, 12)
    reports = survey.simulate(dict.fromkeys(range(12), 100), np.random.default_rng(0)).counts
    lines = "".join(f"{v}\n" * int(count) for v, count in enumerate(reports))
    (tmp_path / "reports.csv").write_text("report\n" + lines, encoding="utf-8")
    (tmp_path / "foreign.csv").write_text("report\n0\n12\n", encoding="utf-8")
    (tmp_path / "matrix.csv").write_text("0.75,0.25\n0.25,0.75\n", encoding="utf-8")
    (tmp_path / "wrong.csv").write_text("0.75,0.35\n0.25,0.75\n", encoding="utf-8")
    (tmp_path / "endless.csv").write_text("1,0\n0.5,0.5\n", encoding="utf-8")
    (tmp_path / "data.csv").write_text(PEOPLE, encoding="utf-8")
    (tmp_path / "design.json").write_text(survey.to_json(), encoding="utf-8")
    (tmp_path / "picture.csv").write_bytes(b"\xff\xfe\x00\x01" * 9)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 0
    told = capsys.readouterr()
    assert not told.err
    return told.out


def test_plan_says_what_a_precision_takes(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("plan", "--mechanism", "auto", "--k", "50", "--n", "20000", "--alpha", "1", "--width", "0.01")
    text = said(capsys, *asked)
    record = json.loads(said(capsys, *asked, "--json"))
    best = ldpcore.plan("auto", 1.0, 50, n=20_000, width=0.01)
    assert record["design"]["mechanism"] == best.design.slug == "subset"
    assert f"{best.people} people are needed" in text and record["people"] == best.people
    assert record["level"] == best.level
    closer = ldpcore.plan("subset", best.level or 0, 50, n=20_000)
    assert closer.width == pytest.approx(0.01, rel=1e-6)
    assert ldpcore.plan("subset", 1.0, 50, n=best.people or 0).width <= 0.01
    means = json.loads(said(capsys, "plan", "--low", "0", "--high", "100", "--n", "20000", "--alpha", "1", "--json"))
    assert means["design"]["mechanism"] == "hm" and means["people"] is None
    endless = said(capsys, "plan", "--k", "9", "--n", "10", "--alpha", "1", "--width", "0.01", "--sampled")
    assert "no level is enough" in endless


def test_estimate_says_what_the_reports_say(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("estimate", "reports.csv", "--mechanism", "grr", "--k", "12", "--alpha", "1")
    text = said(capsys, *asked)
    record = json.loads(said(capsys, *asked, "--json"))
    survey = ldpcore.build("grr", 1.0, 12)
    estimate = ldpcore.collect(survey, files / "reports.csv").estimate()
    assert str(estimate) in text
    assert [line["value"] for line in record["estimates"]] == estimate.values.tolist()
    assert said(capsys, "estimate", "reports.csv", "--design", "design.json") == text
    names = ",".join("abcdefghijkl")
    assert "\nl  " in said(capsys, "estimate", "reports.csv", "--mechanism", "grr", "--labels", names, "--alpha", "1")
    coins = (
        "estimate",
        "foreign.csv",
        "--mechanism",
        "coins",
        "--set",
        "yes_given_yes=0.75",
        "--set",
        "yes_given_no=1",
    )
    assert main(coins) == 2
    assert "one that coins can make" in capsys.readouterr().err


def test_audit_says_the_level_of_a_matrix(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "audit", "matrix.csv").startswith("Level: 1.09861\n")
    assert "Level 2: kept" in said(capsys, "audit", "matrix.csv", "--alpha", "2")
    record = json.loads(said(capsys, "audit", "matrix.csv", "--alpha", "1", "--json"))
    assert not record["kept"] and record["delta"] == pytest.approx(0.75 - np.e * 0.25)
    assert "none is finite" in said(capsys, "audit", "endless.csv")
    assert json.loads(said(capsys, "audit", "endless.csv", "--json"))["level"] is None


def test_table_says_what_a_private_survey_would(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("table", "data.csv", "--column", "age", "--alpha", "1", "--seed", "0")
    text = said(capsys, *asked)
    assert "bounds are 0 and 100" in text and "1 rows without a value take no part" in text and "n = 600" in text
    assert said(capsys, *asked) == text
    assert "bounds" not in said(capsys, *asked, "--low", "0", "--high", "120")
    fresh = [said(capsys, "table", "data.csv", "--column", "age", "--alpha", "1") for _ in range(3)]
    assert len(set(fresh)) > 1  # 600 reports alike three times: less than 2^-500
    sex = said(capsys, "table", "data.csv", "--column", "sex", "--alpha", "1", "--seed", "0")
    assert "labels were read off the table" in sex and "\nF" in sex
    assert "labels" not in said(
        capsys, "table", "data.csv", "--column", "sex", "--alpha", "1", "--labels", "F,M,X"
    ).lower().replace("label ", "")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("plan --k 50 --n 20000 --alpha -1", "level must be greater than 0 and at most 50; got -1.0"),
        ("plan --k 1 --n 20000 --alpha 1", "k must be a whole number at least 2"),
        ("plan --k 50 --n 0 --alpha 1", "n must be a whole number at least 1"),
        ("plan --n 20 --alpha 1", "--k, --labels, or --low and --high must be given; got none"),
        ("plan --low 0 --n 20 --alpha 1", "--low, --high must be given together; got one of them"),
        ("plan --k 50 --n 20 --alpha 1 --mechanism nothing", "mechanism must be one of"),
        ("plan --k 50 --n 20 --alpha 1 --width 0", "width must be greater than 0"),
        ("plan --k 50 --n 20 --alpha 1 --confidence 1", "confidence must be greater than 0 and less than 1"),
        ("estimate reports.csv --k 12 --alpha 1", "--mechanism (or --design) must be given; got none"),
        ("estimate absent.csv --mechanism grr --k 12 --alpha 1", "absent.csv must be a file that can be read"),
        (
            "estimate foreign.csv --mechanism grr --k 12 --alpha 1",
            "foreign.csv: report 1 must be one that grr can make",
        ),
        ("estimate reports.csv --mechanism grr --k 12", "grr must be built from a level; got none"),
        ("estimate reports.csv --design matrix.csv", "a design must be JSON"),
        ("audit wrong.csv", "row 1 must sum to 1; got 1.1"),
        ("audit picture.csv", "picture.csv must be a file that can be read; got no text"),
        ("audit matrix.csv --alpha 0", "alpha must be greater than 0"),
        ("table data.csv --column height --alpha 1", "column 'height' must be one of this table's 3 columns"),
        ("table data.csv --column age --alpha 99", "alpha must be greater than 0 and at most 50"),
        ("table data.csv --column sex --alpha 1 --labels X,Y", "must be one of the 2 labels of the domain"),
        ("table data.csv --column age --alpha 1 --mechanism grr", "grr must be built for categories"),
    ],
)
def test_bad_input_is_refused_in_words(
    files: Path, capsys: pytest.CaptureFixture[str], arguments: str, sentence: str
) -> None:
    assert main(arguments.split()) == 2
    told = capsys.readouterr()
    assert not told.out
    assert told.err.startswith("ldpcore: ") and sentence in told.err
    assert told.err.count("\n") == 1


@pytest.mark.parametrize("arguments", ["", "nothing", "plan --k many --n 20 --alpha 1", "audit"])
def test_unreadable_arguments_have_the_same_status(arguments: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(arguments.split())
    assert left.value.code == 2
    assert "usage: python -m ldpcore" in capsys.readouterr().err


def test_it_runs_as_a_module() -> None:
    run = [sys.executable, "-W", "error", "-m", "ldpcore", "plan", "--k", "9", "--n", "100", "--alpha", "-2"]
    told = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=False, encoding="utf-8")
    assert told.returncode == 2 and told.stderr.startswith("ldpcore: level must be")
