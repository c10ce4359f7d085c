"""What can be done in a checkout, with make and without it: the same names, on every system, set up once."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.test_packaging import LOCKS
from tools import __main__ as tools
from tools import chromium, ranges

ROOT = Path(__file__).resolve().parent.parent


def test_make_has_the_names_of_the_tools_and_no_others() -> None:
    names = re.search(r"^NAMES := (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert names is not None and set(names.group(1).split()) == {*tools.COMMANDS, "clean"}
    assert all((ROOT / each).is_file() for lists in tools.LISTS.values() for each in lists)


@pytest.mark.parametrize("name", tools.COMMANDS)
def test_every_command_runs_modules_that_exist(name: str) -> None:
    for module, *_ in tools.COMMANDS[name].modules:
        assert module in ("sphinx", "streamlit") or importlib.util.find_spec(module) is not None, module


@pytest.mark.parametrize("version", [(3, 10), (3, 15)])
def test_a_python_without_wheels_is_refused_before_anything_is_installed(
    version: tuple[int, int], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "version_info", (*version, 0, "final", 0))
    monkeypatch.setattr(tools, "prepared", lambda needs: pytest.fail("it was set up"))
    assert tools.main(["run"]) == 1
    assert f"Python 3.11 to 3.14 is needed, and this is Python 3.{version[1]}" in capsys.readouterr().err


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tools, "ENVIRONMENT", tmp_path)
    return tmp_path


def installed(place: Path, monkeypatch: pytest.MonkeyPatch, uv: bool, fails: bool = False) -> list[list[str]]:
    """The commands that set up the tests, where uv is there or not, and works or not."""
    called: list[list[str]] = []

    def call(command: list[str], **_: object) -> int:
        called.append(command)
        tools.interpreter().parent.mkdir(exist_ok=True)
        tools.interpreter().touch()
        return int(fails and command[0] == "uv")

    monkeypatch.setattr(tools.shutil, "which", lambda name: "/usr/bin/uv" if uv and name == "uv" else None)
    monkeypatch.setattr(tools.subprocess, "call", call)
    monkeypatch.setattr(tools.venv, "create", lambda *_, **__: call(["venv"]))
    assert tools.prepared("test") == 0
    return called


def test_uv_installs_where_it_is_there_and_pip_where_it_is_not_or_fails(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [each[0] for each in installed(place, monkeypatch, uv=True)] == ["uv", "uv"]
    assert installed(place, monkeypatch, uv=True) == []  # once
    for stamp in place.glob("installed-*"):
        stamp.unlink()
    assert [each[:2] for each in installed(place, monkeypatch, uv=True, fails=True)] == [
        ["uv", "pip"],
        [str(tools.interpreter()), "-m"],
    ]


def test_a_list_that_has_changed_is_installed_again_and_the_tests_bring_the_app(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [each[0] for each in installed(place, monkeypatch, uv=False)] == ["venv", str(tools.interpreter())]
    assert {each.name for each in place.glob("installed-*")} == {"installed-test", "installed-run"}
    assert tools.prepared("run") == 0 and installed(place, monkeypatch, uv=False) == []
    os.utime(place / "installed-test", (0, 0))
    assert len(installed(place, monkeypatch, uv=False)) == 1


@pytest.mark.parametrize(("needs", "compiles"), [("run", True), ("test", False), ("docs", False)])
def test_pip_compiles_for_whoever_opens_the_app_and_not_for_checks(
    needs: str, compiles: bool, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[list[str]] = []
    monkeypatch.setattr(tools.subprocess, "call", lambda command, **_: called.append(command))
    monkeypatch.setattr(tools.venv, "create", lambda *_, **__: None)
    tools.by_pip(Path(tools.LISTS[needs][0]))
    assert ["--no-compile" not in command for command in called] == [compiles]
    whole = tools.LISTS[needs][0] in LOCKS  # which names all that comes along
    assert ["--no-deps" in command for command in called] == [whole]


def test_minutes_of_the_environment_reach_the_commands_that_take_them(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[list[str]] = []
    monkeypatch.setenv("MINUTES", "2")
    monkeypatch.setattr(tools, "prepared", lambda needs: 0)
    monkeypatch.setattr(tools, "ended", lambda process: 0)
    monkeypatch.setattr(tools.subprocess, "Popen", lambda command, **_: called.append(command))
    assert tools.main(["soak"]) == tools.main(["quick"]) == 0
    assert called[0][-2:] == ["--minutes", "2"] and "--minutes" not in called[1]


@pytest.fixture
def untidy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout of one file that is not in its standard form, and has an import that nobody needs."""
    monkeypatch.setattr(tools, "ROOT", tmp_path)
    monkeypatch.setattr(tools, "prepared", lambda needs: 0)
    monkeypatch.setattr(tools, "interpreter", lambda: Path(sys.executable))
    file = tmp_path / "untidy.py"
    file.write_text("import os\nx = ( 1,2 )\n", encoding="utf-8")
    return file


@pytest.mark.parametrize("option", sorted(tools.LOOKING))
def test_format_that_only_looks_finds_what_is_untidy_and_changes_no_file(
    untidy: Path, option: str, capfd: pytest.CaptureFixture[str]
) -> None:
    before = untidy.read_bytes()
    assert tools.main(["format", option]) != 0
    told = capfd.readouterr()
    assert untidy.read_bytes() == before
    assert "F401" in told.out and "reformatted" in told.out + told.err  # both were asked
    assert tools.main(["format"]) == 0 and untidy.read_text(encoding="utf-8") == "x = (1, 2)\n"
    assert tools.main(["format", option]) == 0


USED = re.compile(r"uses: ([\w./-]+)@([^\s'\"]+)(.*)")
PINNED = re.compile(r"[0-9a-f]{40}")


def loosely_used(workflow: str) -> list[str]:
    """The actions of a workflow that are not named by the hash of one version, which stands beside it."""
    used = re.findall(r"uses:\s*(.*)", workflow)
    return [
        line
        for line in used
        if (found := USED.fullmatch(f"uses: {line}")) is None
        or not PINNED.fullmatch(found[2])
        or not re.fullmatch(r" # v\d+\.\d+\.\d+", found[3])
    ]


def pinned_apart(texts: Iterable[str]) -> set[str]:
    """The actions that are pinned by two hashes, or by one hash under two versions."""
    pins = {found for text in texts for found in USED.findall(text)}
    actions = [action for action, *_ in pins]
    return {action for action in actions if actions.count(action) > 1}


def workflows() -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in (ROOT / ".github" / "workflows").glob("*.yml")}


def test_every_action_is_pinned_by_its_hash_and_by_one_everywhere() -> None:
    texts = workflows()
    assert len(texts) >= 2 and not {name: loose for name, text in texts.items() if (loose := loosely_used(text))}
    assert sum(len(USED.findall(text)) for text in texts.values()) > 10 and not pinned_apart(texts.values())


@pytest.mark.parametrize(
    "planted",
    [
        "actions/checkout@v5",
        f"actions/checkout@{'a' * 40}",
        f"actions/checkout@{'a' * 39} # v5.0.0",
        f"actions/checkout@{'a' * 40} # v5",
        "'actions/checkout@v5' # v5.0.0",
        "docker://alpine:3 # v3.0.0",
        "actions/checkout",
    ],
)
def test_an_action_that_may_change_is_found(planted: str) -> None:
    assert loosely_used(f"      - uses: {planted}\n") == [planted]


def test_two_hashes_of_an_action_and_two_versions_of_a_hash_are_found() -> None:
    first, other, said = (f"uses: a/b@{sign * 40} # v{said}\n" for sign, said in ("a1", "b1", "a2"))
    assert not pinned_apart([first, first])
    assert pinned_apart([first, other]) == pinned_apart([first + said]) == {"a/b"}


FOLLOWED = {  # what Dependabot follows, and the files in which it finds versions
    "pip": ("requirements*.txt", "pyproject.toml"),
    "github-actions": (".github/workflows/*.yml",),
    "npm": ("package.json", "**/package.json"),
    "docker": ("**/Dockerfile", "**/Containerfile"),
}


def test_dependabot_follows_every_file_that_names_versions_and_no_file_that_is_not_there() -> None:
    text = (ROOT / ".github" / "dependabot.yml").read_text(encoding="utf-8")
    followed = set(re.findall(r"package-ecosystem: (\S+)\n +directory: (\S+)", text))
    listed = subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True, encoding="utf-8").splitlines()
    there = {
        (kind, "/" if kind in ("pip", "github-actions") else f"/{Path(name).parent}".removesuffix("/."))
        for kind, patterns in FOLLOWED.items()
        for name in listed
        if any(Path(name).match(pattern) for pattern in patterns)
    }
    assert followed == there and {("pip", "/"), ("github-actions", "/")} < followed


def test_what_the_continuous_check_runs_exists() -> None:
    ran = [each for text in workflows().values() for each in re.findall(r"run: (.*)", text)]
    names = {name for each in ran for name in re.findall(r"(?:make|python -m tools) (\w+)", each)}
    assert {"bundle", "docs", "systems"} <= names <= {*tools.COMMANDS}
    modules = {module for each in ran for module in re.findall(r"python3? -m (tools\.\w+)", each)}
    assert modules >= {"tools.ranges", "tools.trial"}
    assert all(importlib.util.find_spec(module) is not None for module in modules)


def test_the_oldest_and_the_newest_are_taken_of_every_range_of_the_app(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[list[str]] = []

    def run(command: list[str], **_: object) -> int:
        called.append(command)
        return 0

    def create(place: Path, **_: object) -> None:
        (place / "bin").mkdir(parents=True)
        (place / "bin" / "python").touch()

    monkeypatch.setattr(ranges.subprocess, "run", run)
    monkeypatch.setattr(ranges.subprocess, "call", run)
    monkeypatch.setattr(ranges.venv, "create", create)
    assert any(each.startswith("streamlit") for each in ranges.wanted()) and "streamlit==1.66.1" in ranges.wanted(
        "1.66.1"
    )
    assert ranges.main(["oldest"]) == ranges.main(["newest", "--", "tests/screens/test_units.py"]) == 0
    resolved = [each[each.index("--resolution") + 1] for each in called if "--resolution" in each]
    assert resolved == ["lowest-direct", "highest"]
    assert "tests/screens" in called[2] and called[-1][-1] == "tests/screens/test_units.py"


def test_a_browser_is_found_where_windows_keeps_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in chromium.FOLDERS:
        monkeypatch.delenv(name, raising=False)
    assert chromium.on_windows() == []
    edge = tmp_path / chromium.ON_WINDOWS[-1]
    edge.parent.mkdir(parents=True)
    edge.touch()
    monkeypatch.setenv("PROGRAMFILES", str(tmp_path))
    monkeypatch.delenv("LDP_CHROMIUM", raising=False)
    monkeypatch.setattr(chromium, "answers", lambda path: path == str(edge))
    chromium.chromium.cache_clear()
    assert chromium.chromium() == str(edge)
    chromium.chromium.cache_clear()


def test_ctrl_c_lets_a_command_end_in_its_own_order() -> None:
    class Interrupted:
        waits = 0

        def wait(self) -> int:
            self.waits += 1
            if self.waits < 3:
                raise KeyboardInterrupt
            return 7

    assert tools.ended(Interrupted()) == 7  # type: ignore[arg-type]
