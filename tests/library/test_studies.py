"""Studies: the same rows however they are run, also where they were stopped and went on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ldpcore
from ldpcore.library.studies import Case
from tests.clocks import waited

ROOT = Path(__file__).resolve().parent.parent.parent
STUDY = ldpcore.Study(["grr", "oue", "onebit"], levels=[0.5, 2.0], n=[100, 10**9], k=[3, 20], seeds=range(3))


def test_grid_is_declared_and_every_row_is_a_survey_of_it() -> None:
    rows = STUDY.run()
    assert len(rows) == len(STUDY.cases()) == (2 * 2 + 1) * 2 * 2 * 3
    assert rows["digest"].is_unique
    assert rows["mechanism"].tolist() == [case.mechanism for case in STUDY.cases()]
    assert (rows.loc[rows["mechanism"] == "onebit", "k"] == 0).all()
    grr = rows.query("mechanism == 'grr' and k == 3 and n == 100 and epsilon == 2.0")
    exact = ldpcore.build("grr", 2.0, 3).standard_errors({0: 34, 1: 33, 2: 33})
    assert np.allclose(grr["expected_squared_error"], np.mean(exact**2))


def test_rows_do_not_depend_on_where_they_are_run_or_in_which_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))  # which a page may have been, in another test
    serial = STUDY.run()
    pd.testing.assert_frame_equal(STUDY.run("processes", workers=2), serial)
    turned = ldpcore.Study(STUDY.mechanisms[::-1], STUDY.levels[::-1], STUDY.n, STUDY.k, seeds=STUDY.seeds).run()
    both = [table.sort_values("digest", ignore_index=True) for table in (turned, serial)]
    pd.testing.assert_frame_equal(*both)
    STUDY.run(store=tmp_path)
    pd.testing.assert_frame_equal(STUDY.run(store=tmp_path), serial)


def test_what_is_done_is_not_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part = ldpcore.Study(["grr"], levels=[0.5], n=[100], k=[3], seeds=range(3)).run(store=tmp_path)
    rows, computed = Case.row, []

    def counted(case: Case) -> dict[str, Any]:
        computed.append(case)
        return rows(case)

    monkeypatch.setattr(Case, "row", counted)
    whole = STUDY.run(store=tmp_path)
    assert len(computed) == len(whole) - len(part)
    assert set(part["digest"]) <= set(whole["digest"])


def test_killed_study_goes_on_and_equals_the_one_that_was_not(tmp_path: Path) -> None:
    script = (
        "import sys, ldpcore\n"
        "ldpcore.Study(['hadamard'], levels=[0.5, 1.0, 2.0], n=[10**6], k=[200, 300], seeds=range(12))"
        ".run(store=sys.argv[1])\n"
    )
    study = ldpcore.Study(["hadamard"], [0.5, 1.0, 2.0], [10**6], [200, 300], seeds=range(12))
    running = subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], cwd=ROOT)
    waited(lambda: len(list(tmp_path.glob("*.parquet"))) >= 2 or running.poll() is not None)
    running.kill()
    running.wait()
    before = sum(len(pd.read_parquet(path)) for path in tmp_path.glob("*.parquet"))
    assert 0 < before
    pd.testing.assert_frame_equal(study.run(store=tmp_path), study.run())


def test_damaged_file_of_a_store_is_named(tmp_path: Path) -> None:
    STUDY.run(store=tmp_path)
    path = min(tmp_path.glob("*.parquet"))
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(ldpcore.Refusal, match=f"{path.name} must hold rows of a study"):
        STUDY.run(store=tmp_path)
    pd.DataFrame({"a": [1]}).to_parquet(path)
    with pytest.raises(ldpcore.Refusal, match="got the columns a"):
        STUDY.run(store=tmp_path)


def test_progress_is_told_on_the_standard_error_stream(capsys: pytest.CaptureFixture[str]) -> None:
    ldpcore.Study(["grr"], levels=[1.0], n=[10], k=[3], seeds=range(20)).run(progress=True)
    told = capsys.readouterr()
    assert "20 of 20" in told.err and not told.out
    ldpcore.Study(["grr"], levels=[1.0], n=[10], k=[3]).run(progress=False)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (lambda: ldpcore.Study([], [1.0], [10], [3]), "mechanisms of a study must be a list of at least one"),
        (lambda: ldpcore.Study("grr", [1.0], [10], [3]), "mechanisms of a study must be a list"),
        (lambda: ldpcore.Study(["grr"], 1.0, [10], [3]), "levels of a study must be a list"),  # type: ignore[arg-type]
        (lambda: ldpcore.Study(["grr"], [1.0], [10]), "k of a study must be a list of at least one"),
        (lambda: ldpcore.Study(["rr"], [1.0], [10], [3, 4]), "rr must be built for a number of labels that it serves"),
        (lambda: ldpcore.Study(["nothing"], [1.0], [10], [3]), "mechanism must be one of"),
        (lambda: ldpcore.Study(["grr"], [-1.0], [10], [3]), "epsilon must be greater than 0"),
        (lambda: ldpcore.Study(["grr"], [1.0], [0], [3]), "n must be a whole number at least 1"),
        (
            lambda: ldpcore.Study(["grr"], [1.0], [10], [3], ["bell"]),
            "a population of grr must be one of uniform, zipf",
        ),
        (lambda: ldpcore.Study(["hypercube"], [1.0], [10], [3]), "hypercube must be built for several numbers"),
        (lambda: STUDY.run("somewhere"), "a study must be run in 'serial', in 'processes' or at a scheduler's address"),
    ],
)
def test_study_that_cannot_be_run_is_refused(asked: Any, said: str) -> None:
    with pytest.raises(ldpcore.Refusal) as refused:
        asked()
    assert said in str(refused.value)
