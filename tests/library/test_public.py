"""What is public: a short list that is held here, loaded late, typed, with an example for each name that runs."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
import warnings
from pathlib import Path
from string import Formatter
from types import MappingProxyType, ModuleType

import pytest

import ldpcore
import ldpcore.library
from ldpcore import deprecations
from ldpcore.library.refused import SENTENCES
from tests.cases import for_each

ROOT = Path(__file__).resolve().parent.parent.parent
# What people build on. A name that goes is first moved to `ldpcore/deprecations.py`, for one version.
PUBLIC = (
    *("Answers", "Arithmetic", "Candidates", "Categories", "Design", "Estimate", "Guarantee", "Numbers", "Pairs"),
    *("Plan", "Refusal", "Study", "Tally", "Vectors", "build", "collect", "merge", "plan", "randomness", "serving"),
)
EXTRAS = {"daskcollections", "daskcluster"}  # loaded where somebody asks for Dask


def modules() -> list[ModuleType]:
    """The modules that public names come from, and those beside them."""
    names = [each.name for each in pkgutil.iter_modules(ldpcore.library.__path__) if each.name not in EXTRAS]
    inside = [importlib.import_module(f"ldpcore.library.{name}") for name in names]
    return [
        ldpcore,
        importlib.import_module("ldpcore.randomness"),
        importlib.import_module("ldpcore.refusals"),
        *inside,
    ]


def run(code: str, *flags: str) -> str:
    script = [sys.executable, *flags, "-W", "error", "-c", code]
    return subprocess.run(script, cwd=ROOT, capture_output=True, text=True, check=True, encoding="utf-8").stdout


def test_public_names_are_these() -> None:
    assert tuple(sorted(PUBLIC)) == tuple(ldpcore.__all__) == PUBLIC
    assert set(PUBLIC) <= set(dir(ldpcore))
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = ldpcore.nothing


def test_type_checkers_see_what_is_loaded_late() -> None:
    tree = ast.parse((ROOT / "ldpcore/__init__.py").read_text(encoding="utf-8"))
    (typed,) = [node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    shown = {
        alias.name: node.module for node in ast.walk(typed) if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    assert set(shown) == set(PUBLIC)
    for name in PUBLIC:
        held = getattr(ldpcore, name)
        if inspect.ismodule(held):
            assert held.__name__ == f"ldpcore.{name}"
        else:
            assert held.__module__ == shown[name]


@for_each("name", PUBLIC)
def test_every_public_name_has_an_example(name: str) -> None:
    held = getattr(ldpcore, name)
    told = held.secure if name == "randomness" else held
    if name == "Guarantee":  # its example is that of `ldpcore` itself
        told = ldpcore
    assert inspect.getdoc(held)
    assert ">>> " in (inspect.getdoc(told) or "")


def test_examples_say_the_truth() -> None:
    finder, runner = doctest.DocTestFinder(exclude_empty=True), doctest.DocTestRunner(verbose=False)
    for module in modules():
        for example in finder.find(module, module.__name__):
            assert runner.run(example).failed == 0, example.name
    assert runner.summarize(verbose=False).attempted > 60


def test_five_minutes_run_as_printed(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = re.findall(
        r"## Five minutes\n\n```python\n(.*?)```", (ROOT / "docs/library.md").read_text(encoding="utf-8"), re.DOTALL
    )
    exec(compile(example, "library.md", "exec"), {})
    told = capsys.readouterr().out
    assert "Guarantee(epsilon=1.0, delta=0.0)" in told
    assert "n = 1000" in told and "red" in told


def test_import_loads_nothing_heavy() -> None:
    heavy = "{'numpy', 'scipy', 'pandas', 'pyarrow', 'streamlit', 'plotly'}"
    assert run(f"import sys, ldpcore; print(sorted({heavy} & set(sys.modules)))").strip() == "[]"
    simple = (
        "import sys, ldpcore, numpy\n"
        "survey = ldpcore.build('grr', 1.0, ['a', 'b'])\n"
        "survey.tally(survey.privatize(['a', 'b'], numpy.random.default_rng(0)))\n"
        "print(sorted({'pandas', 'pyarrow', 'streamlit', 'scipy.special', 'scipy.stats'} & set(sys.modules)))"
    )
    assert run(simple).strip() == "[]"


def test_numpy_and_scipy_are_enough() -> None:
    """Everything but tables, Parquet and Dask works where nothing else is; the others say what is missing."""
    blocked = (
        "import sys\n"
        "class Absent:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in ('pandas', 'pyarrow', 'dask', 'streamlit', 'plotly', 'babel', 'segno'):\n"
        "            raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Absent())\n"
        "import ldpcore, numpy\n"
        "from ldpcore.library.command import main\n"
        "rng = numpy.random.default_rng(0)\n"
        "survey = ldpcore.build('olh', 1.0, 9)\n"
        "tally = survey.tally(survey.privatize(range(9), rng))\n"
        "print(ldpcore.Tally.from_json(tally.to_json()).estimate(together=True).n)\n"
        "print(main(['plan', '--k', '9', '--n', '100', '--alpha', '1']))\n"
        "open(sys.argv[1], 'w').write('a')\n"
        "print(main(['table', sys.argv[1], '--column', 'a', '--alpha', '1']))\n"
        "try: ldpcore.collect(survey, sys.argv[1])\n"
        "except ldpcore.Refusal as refused: print(refused)\n"
    )
    target = ROOT / "tests/library/absent.parquet"
    try:
        told = subprocess.run(
            [sys.executable, "-c", blocked, str(target)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
            encoding="utf-8",
        )
    finally:
        target.unlink(missing_ok=True)
    assert told.stdout.splitlines()[0] == "9" and "\n0\n2\n" in told.stdout
    assert "PyArrow must be installed for this: pip install 'ldp-explorer[parquet]'" in told.stdout
    assert "pandas must be installed for this" in told.stderr


USER = '''
"""A user's file: everything that is public, typed."""

import numpy as np

import ldpcore


def survey(level: float, labels: list[str]) -> ldpcore.Design:
    return ldpcore.build("grr", level, labels)


def client(design: ldpcore.Design, values: list[str]) -> list[int]:
    reports = design.privatize(values, ldpcore.randomness.secure())
    columns = design.columns(reports)
    assert list(columns) == ["report"]
    return [int(report) for report in reports]


def collector(text: str, parts: list[list[int]]) -> ldpcore.Estimate:
    design = ldpcore.Design.from_json(text)
    tallies = [design.tally(part) for part in parts]
    total: ldpcore.Tally = ldpcore.merge(tallies) + ldpcore.collect(design, iter(parts))
    again = ldpcore.Tally.from_json(total.to_json())
    return again.estimate(0.9, together=True, sampled=True)


def report(estimate: ldpcore.Estimate) -> dict[str, float]:
    held = {str(line.label): line.value - line.standard_error for line in estimate}
    return held | {"low": estimate["a"].low, "high": estimate["a"].high}


def level(design: ldpcore.Design) -> float:
    guarantee: ldpcore.Guarantee = design.guarantee()
    exact: ldpcore.Arithmetic = design.arithmetic()
    return guarantee.epsilon + guarantee.delta if exact.epsilon is None else exact.epsilon


def main() -> None:
    design = survey(1.0, ["a", "b"])
    print(report(collector(design.to_json(), [client(design, ["a", "b"])])), level(design))
    planned: ldpcore.Plan = ldpcore.plan("auto", 1.0, ldpcore.Numbers(0, 100), n=1000, width=1.0)
    study = ldpcore.Study(["grr"], levels=[1.0], n=[100], k=[5])
    rows = study.run("serial", store="done")
    print(planned.people, rows["squared_error"].mean(), ldpcore.serving(ldpcore.Answers(1)))
    tally = design.simulate({"a": 10, "b": 20}, np.random.default_rng(0))
    try:
        ldpcore.build("laplace", 1.0, ldpcore.Candidates(["x", "y"]))
    except ldpcore.Refusal as refused:
        print(refused.key, tally.n, ldpcore.Vectors({"x": (0, 1)}), ldpcore.Pairs([(0, 1)], 1.0))


main()
'''


def test_strict_type_checker_has_nothing_to_say_about_a_users_file(tmp_path: Path) -> None:
    (tmp_path / "user.py").write_text(USER, encoding="utf-8")
    # The project's own settings, which are strict, so that what the check of the whole has found is not found anew.
    script = [sys.executable, "-m", "mypy", "--strict", str(tmp_path / "user.py")]
    told = subprocess.run(script, cwd=ROOT, capture_output=True, text=True, check=False, encoding="utf-8")
    assert told.stdout.startswith("Success"), told.stdout + told.stderr


def test_deprecated_name_warns_and_still_works(monkeypatch: pytest.MonkeyPatch) -> None:
    going = MappingProxyType({"make": ("build", "0.3")})
    monkeypatch.setattr(deprecations, "DEPRECATED", going)
    with pytest.warns(
        DeprecationWarning, match=r"ldpcore.make is deprecated and goes with version 0.3; use ldpcore.build"
    ):
        assert ldpcore.make is ldpcore.build
    assert "make" not in ldpcore.__all__


def test_names_that_go_lead_to_names_that_stay_and_do_go() -> None:
    version = tuple(int(part) for part in ldpcore.__version__.split("."))
    for name, (instead, gone) in deprecations.DEPRECATED.items():
        assert instead in PUBLIC and name not in PUBLIC
        assert tuple(int(part) for part in gone.split(".")) > version, f"{name} was to go with {gone}"


def refusals() -> list[tuple[str, ast.Call]]:
    """Where the library refuses, and with which fields."""
    return [
        (f"{path.name}:{node.lineno}", node)
        for path in sorted((ROOT / "ldpcore/library").glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "LibraryRefusal"
    ]


def test_every_refusal_has_its_sentence_of_exactly_its_fields() -> None:
    used = set()
    for place, call in refusals():
        key = call.args[0]
        if not isinstance(key, ast.Constant):
            continue  # another's refusal, with another place
        used.add(key.value)
        placeholders = {name for _, name, _, _ in Formatter().parse(SENTENCES[str(key.value)]) if name is not None}
        given = {keyword.arg for keyword in call.keywords}
        assert placeholders <= given | {"got"} and (given <= placeholders or None in given), place
    assert used == set(SENTENCES)


def test_no_warning_is_raised_on_the_way_in() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in PUBLIC:
            assert getattr(ldpcore, name) is not None
