"""What is installed, under which version, and with which settings: the files that must agree do."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from types import MappingProxyType

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import ldpcore
from explorer.host.plotlyscript import BUNDLES
from ldpcore.tables.table import BUILT_IN, built_in
from tests.rationing import at_night
from tools import hashes
from tools.installed import BUILT, alone, archive, core
from tools.metadata import absolute

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
LOCKS = {"requirements.txt": PROJECT["dependencies"] + EXTRAS["app"], "requirements-test.txt": EXTRAS["test"]}


@cache
def pins(lock: str) -> dict[str, Requirement]:
    """The requirements of a lock, by their normalized names."""
    text = hashes.bare((ROOT / lock).read_text(encoding="utf-8"))
    lines = [line.partition(" #")[0].strip() for line in text.splitlines()]
    found = [Requirement(line) for line in lines if line and not line.startswith(("#", "-r"))]
    names = [canonicalize_name(requirement.name) for requirement in found]
    assert len(set(names)) == len(names), f"{lock} must pin each package once; got {sorted(names)}"
    return dict(zip(names, found, strict=True))


def pinned(requirement: Requirement) -> str:
    """The one version that a pin admits."""
    specifiers = list(requirement.specifier)
    exact = len(specifiers) == 1 and specifiers[0].operator == "==" and "*" not in specifiers[0].version
    assert exact, f"a lock must say ==version; got {requirement}"
    return specifiers[0].version


SYSTEMS = {  # what a marker asks about a system
    "linux": {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"},
    "macos": {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix"},
    "windows": {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt"},
}
OTHERS = [  # another system and Python as a marker sees them
    system | {"python_version": python, "python_full_version": f"{python}.9"}
    for system in SYSTEMS.values()
    for python in ("3.11", "3.12", "3.13", "3.14")
]


@cache
def asks(name: str) -> list[Requirement]:
    """The requirements of a package, as it is installed here; those of one for other systems are not known here."""
    try:
        return [Requirement(text) for text in requires(name) or []]
    except PackageNotFoundError:
        return []


def reached(starts: list[str], here: Mapping[str, str] = MappingProxyType({})) -> Iterator[tuple[str, str]]:
    """Every package that these requirements bring along on this system or another, and who asks for it."""
    waiting = [(Requirement(start), "pyproject.toml") for start in starts]
    seen: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        wanted, asker = waiting.pop()
        name = canonicalize_name(wanted.name)
        if (name, frozenset(wanted.extras)) in seen:
            continue
        seen.add((name, frozenset(wanted.extras)))
        yield name, asker
        for requirement in asks(name):
            extras = wanted.extras or {""}
            if requirement.marker is None or any(
                requirement.marker.evaluate({**here, "extra": extra}) for extra in extras
            ):
                waiting.append((requirement, name))


@pytest.mark.parametrize(("lock", "ranges"), LOCKS.items(), ids=LOCKS)
def test_every_range_has_its_pin_in_the_lock(lock: str, ranges: list[str]) -> None:
    for requirement in map(Requirement, ranges):
        pin = pins(lock).get(canonicalize_name(requirement.name))
        assert pin is not None, f"{lock} must pin {requirement.name}"
        assert requirement.specifier.contains(pinned(pin)), f"{lock} pins {pin}, outside {requirement}"
        assert pin.extras == requirement.extras


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_lists_everything_that_comes_along(lock: str) -> None:
    """On every system and Python: where a lock has hashes, pip installs nothing that it does not list."""
    known = pins("requirements.txt") | pins(lock)
    for other in OTHERS:
        for name, asker in reached(LOCKS[lock], other):
            marker = known[name].marker if name in known else None
            listed = name in known and (marker is None or marker.evaluate(other))
            assert listed, f"{lock} must pin {name} on {other['sys_platform']}, which {asker} brings along"


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_lists_nothing_that_nobody_asks_for(lock: str) -> None:
    elsewhere = set() if lock == "requirements.txt" else set(pins("requirements.txt"))
    here = {name for name, pin in pins(lock).items() if pin.marker is None or pin.marker.evaluate()}
    assert here <= {name for name, _ in reached(LOCKS[lock])} - elsewhere


@pytest.mark.parametrize("lock", LOCKS)
def test_what_is_installed_is_what_the_lock_says(lock: str) -> None:
    here = {name: pin for name, pin in pins(lock).items() if pin.marker is None or pin.marker.evaluate()}
    assert {name: version(name) for name in here} == {name: pinned(pin) for name, pin in here.items()}


def loose(lock: str) -> list[str]:
    """The pins of a lock behind which no hash stands, or anything else than hashes."""
    found = hashes.hashes_of(lock)
    names = [hashes.named(line) for line in hashes.bare(lock).splitlines() if hashes.named(line)]
    return [name for name in names if not all(map(HASH.fullmatch, found.get(name, [""])))]


HASH = re.compile("sha256:[0-9a-f]{64}")


@pytest.mark.parametrize("lock", [path.name for path in hashes.locks()])
def test_every_pin_has_the_hashes_of_its_files_so_that_pip_takes_no_others(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    assert not loose(text) and len(hashes.hashes_of(text)) > 10
    planted = re.sub(r"\n    --hash=(\S+)", lambda found: f"\n    --hash={found[1][:-1]}", text, count=1)
    assert len(loose(planted)) == 1 and len(loose(f"{text}unhashed==1.0\n")) == 1
    if lock == "requirements.txt":  # compiled: files for four Pythons and three systems
        assert all(
            len(each) > 20 for name, each in hashes.hashes_of(text).items() if name.startswith(("numpy", "scipy"))
        )


def test_hashes_are_written_behind_their_pins_and_nothing_else_of_a_lock_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = (f"sha256:{sign * 64}" for sign in "ab")
    lock = "-r requirements.txt\n# why\n\nA_b[c]==1.0\nd==2; sys_platform == 'win32'\n"
    wanted = lock.replace("1.0", f"1.0 \\\n    --hash={first} \\\n    --hash={second}")
    wanted = wanted.replace("'win32'", f"'win32' \\\n    --hash={second}")
    file = tmp_path / "requirements-x.txt"
    file.write_text(lock, encoding="utf-8")
    monkeypatch.setattr(hashes, "ROOT", tmp_path)
    monkeypatch.setattr(hashes, "asked", lambda text: {"a-b==1.0": [first, second], "d==2": [second]})
    for option, status, text in (("--check", 1, lock), ("", 0, wanted), ("--check", 0, wanted), ("", 0, wanted)):
        monkeypatch.setattr(sys, "argv", ["hashes", *option.split()])
        assert hashes.main() == status and file.read_text(encoding="utf-8") == text
    assert hashes.bare(wanted) == lock
    assert hashes.hashes_of(wanted) == {"a-b==1.0": [first, second], "d==2": [second]}


def test_test_extras_come_on_top_of_the_lock_of_the_app() -> None:
    assert (ROOT / "requirements-test.txt").read_text(encoding="utf-8").startswith("-r requirements.txt\n")
    assert not set(pins("requirements.txt")) & set(pins("requirements-test.txt"))


def test_event_loop_in_c_is_left_out_on_windows() -> None:
    marker = pins("requirements.txt")["uvloop"].marker
    assert marker is not None
    assert not marker.evaluate({"sys_platform": "win32"})
    assert marker.evaluate({"sys_platform": "linux", "platform_python_implementation": "CPython"})


@pytest.mark.parametrize("other", ["uv.lock", "Pipfile", "Pipfile.lock", "environment.yml", "environment.yaml"])
def test_no_other_lock_overrides_requirements(other: str) -> None:
    assert not (ROOT / other).exists(), f"Streamlit Community Cloud would read {other} instead of requirements.txt"


def test_packages_come_from_wherever_the_reader_gets_theirs() -> None:
    for name in ("requirements.txt", "requirements-test.txt", "pyproject.toml", "Makefile", ".ci/run"):
        found = re.findall(
            r"--(?:extra-)?index-url|--find-links|--trusted-host|file://", (ROOT / name).read_text(encoding="utf-8")
        )
        assert not found, f"{name} must not name a package index; got {found}"


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive of the sources."""
    return archive(tmp_path_factory.mktemp("sources"))


def test_the_archive_of_sources_has_no_test_without_its_helpers(sources: Path) -> None:
    """It has none: the tests need the pages as well, which run from a checkout."""
    with tarfile.open(sources) as packed:
        names = [Path(*Path(name).parts[1:]).as_posix() for name in packed.getnames()]
    assert {name for name in BUILT if not any(Path(each).is_relative_to(name) for each in names)} == set()
    assert not [name for name in names if name.startswith("tests")] and "ldpcore/processes.py" in names


@pytest.fixture(scope="module")
def installed(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the package holds that is built from the archive of the sources; nothing is fetched to build it."""
    made, opened = (tmp_path_factory.mktemp(name) for name in ("made", "opened"))
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps"]
    packed = str(sources)
    subprocess.run([*build, "--no-build-isolation", "--no-index", "-w", str(made), packed], check=True)
    (wheel,) = made.glob("*.whl")
    with zipfile.ZipFile(wheel) as inside:
        inside.extractall(opened)
    return opened


def test_built_package_brings_its_tables_along(installed: Path, tmp_path: Path) -> None:
    asked = (
        "from ldpcore.tables.table import BUILT_IN, DATA, built_in\n"
        "print(DATA, *(f'{name} {built_in(name).n} {built_in(name).digest}' for name in BUILT_IN), sep='\\n')"
    )
    script = f"import sys; sys.path.insert(0, {str(installed)!r})\n{asked}"
    told = subprocess.run(
        [sys.executable, "-I", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True, encoding="utf-8"
    )
    place, *tables = told.stdout.splitlines()
    assert Path(place).is_relative_to(installed)
    assert tables == [f"{name} {built_in(name).n} {built_in(name).digest}" for name in BUILT_IN]


def test_built_package_holds_the_library_the_command_and_the_app_inside_it(installed: Path) -> None:
    held = {path.relative_to(installed) for path in installed.rglob("*") if path.is_file()}
    code = {path.relative_to(ROOT) for top in ("ldpcore", "ldp_explorer") for path in (ROOT / top).rglob("*.py")}
    made = {path for path in held if path.parts[0].endswith(".dist-info") or "__pycache__" in path.parts}
    tables = {Path("ldpcore/tables/data", path.name) for path in (ROOT / "data").glob("*.csv")}
    tracked = subprocess.check_output(
        ["git", "ls-files", "app.py", "pages", "explorer", ".streamlit"], cwd=ROOT, text=True, encoding="utf-8"
    )
    fetched = [path.relative_to(ROOT).as_posix() for path in BUNDLES.glob("*.js")]
    app = {Path("ldp_explorer/app", name) for name in [*tracked.splitlines(), *fetched] if ".gitignore" not in name}
    assert code <= held and len(code) > 200 and len(app) > 300
    assert held - code - made == {Path("ldpcore/py.typed"), *tables, *app}  # no test, no tool, no script of the tables
    assert {path.parts[0] for path in held - made} == {"ldpcore", "ldp_explorer"}  # nothing called pages or explorer


def test_a_notebook_that_shows_a_view_learns_of_no_module_of_the_app(installed: Path, tmp_path: Path) -> None:
    """Installed, the pages lie inside the package: `explorer` and `pages` are names that a reader's code may have."""
    asked = (
        "import importlib.util, logging, os, pathlib, sys\n"
        f"sys.path.insert(0, {str(installed)!r})\n"
        "logs = logging.root\n"
        "def around(): return dict(os.environ), [*sys.path], os.getcwd(), [*logs.handlers], logs.manager.disable\n"
        "before = around()\n"
        "import ldp_explorer as lx\n"
        "shown = lx.show('/counting?epsilon=0.1', drawn=True)\n"
        "known = {'app', 'explorer', 'pages', 'streamlit'}\n"
        "print(shown.level, before == around(), known & {name.partition('.')[0] for name in sys.modules})\n"
        "print([name for name in ('app', 'explorer', 'pages') if importlib.util.find_spec(name)], os.listdir())\n"
    )
    told = subprocess.run(
        [sys.executable, "-I", "-c", asked],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    )
    assert told.stdout.splitlines() == ["0.1 True set()", "[] []"], told.stderr


@at_night
def test_most_tests_of_the_core_run_where_nothing_but_the_package_is() -> None:
    """`python -m tools.installed` runs them there; what it takes along needs no other file of the checkout."""
    files = [path for path in core() if path.name.startswith("test_")]
    assert len(files) > 50 and ROOT / "tests/test_mechanisms.py" in files
    assert all(alone(path) for path in core())


def test_ranges_of_the_extras_agree_with_each_other() -> None:
    said: dict[str, set[str]] = {}
    for requirement in map(
        Requirement, [*PROJECT["dependencies"], *(each for extra in EXTRAS.values() for each in extra)]
    ):
        said.setdefault(canonicalize_name(requirement.name), set()).add(str(requirement.specifier))
    assert {name for name, ranges in said.items() if len(ranges) > 1} == set()
    own = {canonicalize_name(Requirement(each).name) for each in PROJECT["dependencies"]}
    assert own == {"numpy", "scipy"}, "the library needs no more than these"
    for name in ("pyarrow", "pandas"):
        (inside,) = said[name]
        assert Requirement(f"{name}{inside}").specifier.contains(pinned(pins("requirements.txt")[name]))


def test_version_is_the_same_wherever_it_is_written() -> None:
    citation = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    newest = re.search(r"^## \[(\d+\.\d+\.\d+)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert citation is not None
    assert newest is not None
    assert "version" in PROJECT["dynamic"], "the built package takes it from ldpcore/__init__.py"
    assert {citation.group(1), newest.group(1)} == {ldpcore.__version__}


def test_every_release_says_which_displayed_numbers_changed() -> None:
    releases = re.split(r"^## \[\d", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    assert releases
    assert all("\n### Numbers\n" in release for release in releases)


def test_no_garbage_collection_stalls_every_session() -> None:
    settings = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))
    assert settings["runner"]["postScriptGC"] is False


def test_yardstick_runs_with_the_settings_of_the_app() -> None:
    theirs = (ROOT / "benchmarks/yardstick/.streamlit/config.toml").read_text(encoding="utf-8")
    assert theirs == (ROOT / ".streamlit/config.toml").read_text(encoding="utf-8")


def test_themes_palettes_have_exactly_ten_colors() -> None:
    theme = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))["theme"]
    palettes = {key: colors for key, colors in theme.items() if key.startswith("chart") and key.endswith("Colors")}
    assert {len(colors) for colors in palettes.values()} == {10}


def test_make_lists_its_commands_when_nothing_is_asked() -> None:
    told = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True, encoding="utf-8").stdout
    for command in ("run", "test", "check", "format", "bench"):
        assert re.search(rf"^  make {command} +\S", told, re.MULTILINE), f"`make` must explain `make {command}`"
    assert PROJECT["requires-python"] == ">=3.11"


def test_continuous_check_needs_no_hands() -> None:
    assert (ROOT / ".ci/run").stat().st_mode & 0o111
    subprocess.run(["bash", "-n", ".ci/run"], cwd=ROOT, check=True)


def test_example_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    example = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert example is not None
    exec(compile(example.group(1), "README.md", "exec"), {})
    estimated = [float(number) for number in re.findall(r"0\.\d+", capsys.readouterr().out)[:2]]
    assert estimated == pytest.approx([0.7, 0.3], abs=0.19)  # 6.2 standard deviations: false alarm below 1e-9


def test_no_link_of_the_built_readme_leads_to_a_file_beside_it() -> None:
    text = absolute((ROOT / "README.md").read_text(encoding="utf-8"), "https://example.org/ldp")
    targets = re.findall(r"\]\(([^)\s]+)\)", text)
    assert len(targets) > 10 and all(re.match("https?://|#|mailto:", each) for each in targets)
    assert "https://example.org/ldp/actions/" in text and "/../" not in text
