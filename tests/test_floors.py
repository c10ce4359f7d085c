"""The floors of the house: which package stands on which, inside `ldpcore` and inside `explorer`; no arrow runs up."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# What a package may import beside itself; `ldpcore` and `explorer` are the single modules at their top.
STANDS_ON: dict[str, set[str]] = {
    "ldpcore": set(),
    "ldpcore/numerics": set(),
    "ldpcore/laws": {"ldpcore", "ldpcore/numerics"},
    "ldpcore/people": {"ldpcore", "ldpcore/numerics"},
    "ldpcore/tables": {"ldpcore"},
    "ldpcore/reading": {"ldpcore", "ldpcore/numerics", "ldpcore/laws", "ldpcore/tables"},
    "ldpcore/mechanisms": {"ldpcore", "ldpcore/numerics", "ldpcore/laws", "ldpcore/people"},
    "ldpcore/broken": {"ldpcore", "ldpcore/numerics", "ldpcore/laws", "ldpcore/mechanisms"},
    "ldpcore/accounting": {"ldpcore", "ldpcore/numerics", "ldpcore/laws", "ldpcore/mechanisms"},
    "ldpcore/estimating": {"ldpcore", "ldpcore/numerics", "ldpcore/laws", "ldpcore/people", "ldpcore/mechanisms"},
    "ldpcore/limits": {"ldpcore", "ldpcore/numerics", "ldpcore/laws"},
    "ldpcore/protocols": {"ldpcore", "ldpcore/numerics", "ldpcore/laws", "ldpcore/mechanisms"},
    "ldpcore/experiments": {
        *("ldpcore", "ldpcore/numerics", "ldpcore/laws", "ldpcore/people", "ldpcore/tables", "ldpcore/reading"),
        *("ldpcore/mechanisms", "ldpcore/broken", "ldpcore/accounting", "ldpcore/estimating", "ldpcore/limits"),
        "ldpcore/protocols",
    },
    "ldpcore/library": {
        *("ldpcore", "ldpcore/laws", "ldpcore/people", "ldpcore/reading", "ldpcore/tables", "ldpcore/mechanisms"),
        *("ldpcore/numerics", "ldpcore/estimating", "ldpcore/experiments"),
    },
    "explorer/facts": set(),
    "explorer/text": {"explorer/facts"},
    "explorer/figures": {"explorer/text"},
    "explorer/drawings": {"explorer/facts", "explorer/text", "explorer/figures"},
    "explorer/settings": {"explorer/facts", "explorer/text"},
    "explorer/host": {"explorer/text"},
    "explorer/poll": {"explorer/facts", "explorer/text", "explorer/settings", "explorer/host"},
    "explorer": {
        "explorer/facts",
        "explorer/text",
        "explorer/figures",
        "explorer/settings",
    },  # navigation, scenes
    "explorer/ways": {"explorer", "explorer/text"},
    "explorer/paper": {
        *("explorer", "explorer/ways", "explorer/facts", "explorer/text", "explorer/figures", "explorer/settings"),
    },
    "explorer/ui": {
        *("explorer", "explorer/facts", "explorer/text", "explorer/figures", "explorer/settings", "explorer/paper"),
        *("explorer/host", "explorer/poll", "explorer/ways"),
    },
    "explorer/pages": {
        *("explorer/facts", "explorer/text", "explorer/figures", "explorer/settings", "explorer/paper"),
        *("explorer/host", "explorer/poll", "explorer/ui", "explorer", "explorer/ways", "explorer/drawings"),
    },
}
DOORS = (("ldpcore", "__init__.py"), ("ldpcore", "__main__.py"))  # how the library is entered, though they lie below
FILES = [path for folder in ("ldpcore", "explorer") for path in sorted((ROOT / folder).rglob("*.py"))]


def package_of(path: Path) -> str:
    """The package that a file belongs to: the folder right below the top, or the top itself."""
    parts = path.relative_to(ROOT).parts
    if parts in DOORS:
        return "ldpcore/library"
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


def place_of(name: str) -> Path | None:
    """The file or the folder of a module of ours."""
    path = ROOT / name.replace(".", "/")
    return path.with_suffix(".py") if path.with_suffix(".py").exists() else path if path.is_dir() else None


def imported(path: Path) -> Iterator[str]:
    """The packages of ours that a file imports from, its own left out."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if place_of(name) else node.module for name in names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            if name.split(".")[0] in ("ldpcore", "explorer") and (place := place_of(name)):
                package = package_of(place / "__init__.py" if place.is_dir() else place)
                if package != package_of(path):
                    yield package


def test_every_package_has_its_place() -> None:
    assert {package_of(path) for path in FILES} == set(STANDS_ON)


@pytest.mark.parametrize("top", ["ldpcore", "explorer"])
def test_no_arrow_runs_up(top: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports from {package}"
        for path in FILES
        if package_of(path).startswith(top)
        for package in imported(path)
        if package.startswith(top) and package not in STANDS_ON[package_of(path)]
    ]
    assert not wrong, "\n".join(wrong)


def test_no_floor_carries_itself() -> None:
    order = list(TopologicalSorter(STANDS_ON).static_order())
    assert len(order) == len(STANDS_ON) and order.index("explorer/pages") > order.index("explorer/facts")


def test_what_a_package_may_import_is_what_it_imports() -> None:
    used: dict[str, set[str]] = {package: set() for package in STANDS_ON}
    for path in FILES:
        used[package_of(path)] |= set(imported(path))
    assert not {package: sorted(may - used[package]) for package, may in STANDS_ON.items() if may - used[package]}
    core = [each for package, uses in used.items() if package.startswith("ldpcore") for each in uses]
    assert core and all(each.startswith("ldpcore") for each in core)
