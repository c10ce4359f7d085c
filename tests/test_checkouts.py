"""A checkout is the same on every system: no link, one line end, one encoding."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

import pytest

import ldpcore
from ldpcore.reading.dialects import read_table

ROOT = Path(__file__).resolve().parent.parent
MADE = {
    ".git",
    ".venv",
    ".cache",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".hypothesis",
    "__pycache__",
    "build",
    "dist",
}
COPIES = {
    ".dockerignore": ".containerignore",
    "benchmarks/yardstick/.streamlit/config.toml": ".streamlit/config.toml",
}
RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)  # what Windows calls its devices
FORBIDDEN = re.compile(r"[<>:\"\\|?*\x00-\x1f]|[ .]$")
LONGEST = 120  # letters of a path below the checkout: Windows allows 260 in all
AS_THEY_ARE = "tests/fixtures/"  # files of people, whose line ends are what is tested


def files() -> Iterator[Path]:
    """Every file and every link of the checkout, without what is made in it."""
    for folder, inside, names in os.walk(ROOT):
        inside[:] = [name for name in inside if name not in MADE and not name.endswith(".egg-info")]
        yield from (Path(folder, name) for name in (*names, *inside))


def rules() -> dict[str, str]:
    """What `.gitattributes` says of files, by pattern."""
    lines = (ROOT / ".gitattributes").read_text(encoding="utf-8").splitlines()
    return dict(line.split(" ", 1) for line in lines if line and not line.startswith("#"))


def binary(path: Path) -> bool:
    """Whether Git leaves a file as it is."""
    return any(how == "binary" and fnmatch(path.name, pattern) for pattern, how in rules().items())


def test_nothing_in_the_tree_is_a_link_that_windows_would_write_as_a_text_file() -> None:
    links = [path.relative_to(ROOT).as_posix() for path in files() if path.is_symlink() and path.name not in MADE]
    assert not links


def unfit(names: Iterable[str]) -> set[str]:
    """Which names of files Windows or macOS cannot have, or cannot have beside each other."""
    alike = dict[str, set[str]]()
    for name in names:
        for place in (name, *map(str, PurePosixPath(name).parents)):
            alike.setdefault(unicodedata.normalize("NFC", place).casefold(), set()).add(place)
    told_apart = {place for places in alike.values() if len(places) > 1 for place in places}
    parts = {name: PurePosixPath(name).parts for name in names}
    return told_apart | {
        name
        for name, own in parts.items()
        if len(name) > LONGEST or any(RESERVED.fullmatch(part) or FORBIDDEN.search(part) for part in own)
    }


def test_every_file_has_a_name_that_every_system_can_have() -> None:
    names = [path.relative_to(ROOT).as_posix() for path in files() if path.name not in MADE]
    assert len(names) > 1000 and not unfit(names)


@pytest.mark.parametrize(
    "planted",
    [
        ("docs/Level.md", "docs/level.md"),
        ("Docs/a.md", "docs/b.md"),
        ("caf\u00e9.md", "cafe\u0301.md"),
        ("ldpcore/aux.py",),
        ("data/NUL",),
        ("a/com1.tar.gz",),
        ("docs/12:30.md",),
        ("docs/why?.md",),
        ("docs/end.",),
        ("docs/" + "a" * LONGEST,),
    ],
)
def test_a_name_that_some_system_cannot_have_is_found(planted: tuple[str, ...]) -> None:
    found = unfit([*planted, "docs/c.md", "docs/console.md"])
    assert found and found <= {*planted, "Docs", "docs"}


@pytest.mark.parametrize(("copy", "first"), COPIES.items())
def test_what_stands_in_two_places_is_the_same(copy: str, first: str) -> None:
    assert (ROOT / copy).read_bytes() == (ROOT / first).read_bytes()


def test_text_has_the_line_ends_of_unix_in_every_checkout() -> None:
    assert rules()["*"] == "text=auto eol=lf"
    assert (ROOT / AS_THEY_ARE / ".gitattributes").read_text(encoding="utf-8") == "* -text\n"
    seen = [
        path for path in files() if path.is_file() and path.suffix in (".py", ".md", ".csv", ".toml", ".js", ".svg")
    ]
    others = [path for path in seen if not path.relative_to(ROOT).as_posix().startswith(AS_THEY_ARE)]
    assert len(others) > 900 and not [path for path in others if b"\r" in path.read_bytes()]


def test_what_is_no_text_is_called_binary() -> None:
    kinds = {".png", ".ttf", ".gz", ".xlsx", ".xls", ".ods", ".parquet", ".pdf", ".zip", ".whl"}
    found = [
        path for path in files() if path.suffix in kinds and not path.relative_to(ROOT).as_posix().startswith("static/")
    ]
    assert found and all(binary(path) or AS_THEY_ARE in path.as_posix() for path in found)


WRITES = {"open", "read_text", "write_text", "run", "Popen", "check_output", "NamedTemporaryFile", "TemporaryFile"}
NAMED = re.compile(
    r"\b(open|read_text|write_text|NamedTemporaryFile|TemporaryFile)\s*\(|\b(text|universal_newlines)\s*="
)


def without_encoding(source: str) -> list[int]:
    """The lines in which text is read or written in whatever encoding a system has: on Windows another one.

    A source without a word that could do it is not parsed: that is what takes long.
    """
    found = list[int]()
    for node in ast.walk(ast.parse(source)) if NAMED.search(source) else ():
        if not isinstance(node, ast.Call):
            continue
        asked = {each.arg for each in node.keywords}
        name = (
            node.func.attr
            if isinstance(node.func, ast.Attribute)
            else (node.func.id if isinstance(node.func, ast.Name) else "")
        )
        if name not in WRITES or "encoding" in asked or None in asked:
            continue
        owner = ast.unparse(node.func.value) if isinstance(node.func, ast.Attribute) else ""
        places = node.args[:1] if owner else node.args[1:2]  # of the mode; an archive's comes second, and is of bytes
        modes = [*places, *(key.value for key in node.keywords if key.arg == "mode" and len(node.args) == (not owner))]
        said = [each.value for each in modes if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        mode = next((each for each in said if each and set(each) <= set("rwxabt+")), "")
        opens = name == "open" and (owner == "" or bool(mode)) and "b" not in mode
        reads = (name == "read_text" and not node.args) or (name == "write_text" and len(node.args) < 2)
        runs = name in ("run", "Popen", "check_output") and bool(asked & {"text", "universal_newlines"})
        temporary = name in ("NamedTemporaryFile", "TemporaryFile") and mode and "b" not in mode
        if opens or reads or runs or temporary:
            found.append(node.lineno)
    return found


def test_text_is_read_and_written_in_an_encoding_that_is_said() -> None:
    sources = [path for path in files() if path.suffix == ".py" and path.is_file()]
    found = {path.relative_to(ROOT).as_posix(): without_encoding(path.read_text(encoding="utf-8")) for path in sources}
    assert len(found) > 900 and not {path: lines for path, lines in found.items() if lines}


def test_ruff_finds_no_file_that_is_opened_in_whatever_encoding() -> None:
    """Its rule knows paths by their types; it is a preview, which cannot be turned on in the settings for it alone."""
    command = [
        sys.executable,
        "-m",
        "ruff",
        "check",
        "--isolated",
        "--no-cache",
        "--preview",
        "--select",
        "PLW1514",
        ".",
    ]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    assert found.returncode == 0, found.stdout.decode()


@pytest.mark.parametrize(
    "planted",
    [
        "path.read_text()",
        "path.write_text(text)",
        "open(path)",
        "path.open('w')",
        "path.open(mode='w')",
        "open(path, 'a')",
        "subprocess.run([], text=True)",
        "tempfile.NamedTemporaryFile('w')",
    ],
)
def test_text_without_an_encoding_is_found(planted: str) -> None:
    assert without_encoding(planted) == [1]


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_a_table_with_the_line_ends_of_any_system_is_read(end: str) -> None:
    raw = end.join(["name,age", "Ada,36", 'Ben,"41"', "Cem,29", ""]).encode()
    table, _ = read_table(raw, "people.csv")
    assert table.frame["age"].tolist() == [36, 41, 29] and table.frame["name"].tolist() == ["Ada", "Ben", "Cem"]


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_reports_with_the_line_ends_of_any_system_are_collected(end: str, tmp_path: Path) -> None:
    (tmp_path / "reports.csv").write_bytes(end.join(["report", "0", "1", "1", ""]).encode())
    assert ldpcore.collect(ldpcore.build("grr", 1.0, 3), tmp_path / "reports.csv").counts.tolist() == [1, 2, 0]
