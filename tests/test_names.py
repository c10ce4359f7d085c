"""One name has one meaning: a type wherever it is imported, a function or a constant wherever it leaves its package.

Pages are told apart by their folder, and speak in it as they like: each has its `facts`.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = "explorer.pages."
Trees = Mapping[str, ast.Module]


def module_of(path: Path) -> str:
    """The dotted name of a file; that of a package for its `__init__`, which counts as inside."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def house() -> dict[str, ast.Module]:
    """All modules of the product, parsed."""
    files = [
        ROOT / "app.py",
        *(path for name in ("explorer", "ldpcore", "pages") for path in (ROOT / name).rglob("*.py")),
    ]
    return {module_of(path): ast.parse(path.read_text("utf-8")) for path in files}


def defined(tree: ast.Module) -> Iterator[str]:
    """The public names that a module defines."""
    for node in tree.body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            yield node.name
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name))


@cache
def names(tree: ast.Module) -> set[str]:
    """All names that a module defines."""
    return set(defined(tree))


@cache
def imported(tree: ast.Module) -> list[tuple[str, str]]:
    """The modules and names that a module imports from; an expression holds none."""
    found, waiting = list[tuple[str, str]](), list[ast.AST](tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.ImportFrom) and node.module:
            found += ((node.module, name.name) for name in node.names)
        waiting += (each for each in ast.iter_child_nodes(node) if not isinstance(each, ast.expr))
    return found


def home(module: str, name: str, trees: Trees) -> str | None:
    """The module that defines a name which another hands on; none for a stranger's."""
    for place in (module, f"{module}.__init__"):
        if place in trees:
            if name in names(trees[place]):
                return place
            onward = next((other for other, each in imported(trees[place]) if each == name), None)
            return home(onward, name, trees) if onward and onward != module else None
    return None


def folder(module: str) -> str:
    """The folder in which a name is at home: that of a page with its declarations, else the module's own."""
    if module.startswith("pages."):
        return PAGES + module.removeprefix("pages.")
    if module.startswith(PAGES):
        return ".".join(module.split(".")[:3])
    return module.rpartition(".")[0]


def leaves(place: str, user: str) -> bool:
    """Whether a user stands outside of the folder in which a name is at home."""
    return not f"{folder(user)}.".startswith(f"{folder(place)}.")


def ambiguous(trees: Trees) -> dict[str, list[str]]:
    """The public names with several definitions that others import."""
    users = defaultdict[tuple[str, str], set[str]](set)
    for user, tree in trees.items():
        for module, name in imported(tree):
            place = home(module, name, trees)
            if place not in (None, user):
                users[str(place), name].add(user)
    places = defaultdict[str, list[str]](list)
    for (place, name), by in users.items():
        is_type = name[0].isupper() and not name.isupper()
        if not name.startswith("_") and (is_type or any(leaves(place, user) for user in by)):
            places[name].append(place)
    return {name: sorted(found) for name, found in places.items() if len(found) > 1}


def test_a_public_name_has_one_meaning() -> None:
    assert ambiguous(house()) == {}


@pytest.mark.parametrize(
    "second",
    [
        {"ldpcore.b.other": "class Kind: ...", "explorer.user": "from ldpcore.b.other import Kind"},
        {
            "ldpcore.b.other": "Kind = int",
            "ldpcore.b.__init__": "from ldpcore.b.other import Kind",
            "app": "from ldpcore.b import Kind",
        },
        {"explorer.pages.one.settings": "class Kind: ...", "pages.one": "from explorer.pages.one.settings import Kind"},
    ],
)
def test_a_second_type_of_a_name_is_found_at_home_and_handed_on(second: dict[str, str]) -> None:
    first = {"ldpcore.a": "class Kind: ...", "ldpcore.c.user": "from ldpcore.a import Kind"}
    trees = {name: ast.parse(text) for name, text in (first | second).items()}
    assert list(ambiguous(trees)) == ["Kind"]


def test_pages_have_functions_of_a_name_of_their_own_and_packages_share_none() -> None:
    uses = {
        "pages.one": "from explorer.pages.one.facts import facts",
        "pages.two": "from explorer.pages.two.facts import facts",
    }
    own = {f"explorer.pages.{page}.facts": "def facts(): ..." for page in ("one", "two")}
    assert not ambiguous({name: ast.parse(text) for name, text in (uses | own).items()})
    shared = {
        "explorer.ui.x": "from explorer.pages.one.facts import facts",
        "app": "from explorer.pages.two.facts import facts",
    }
    assert list(ambiguous({name: ast.parse(text) for name, text in (shared | own).items()})) == ["facts"]
