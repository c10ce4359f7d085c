"""What a session keeps is declared once, and belongs to one file."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from explorer.ui import sessionkeys
from explorer.ui.sessionkeys import Goes, Key, declared
from tests.test_architecture import ROOT, named, parsed, sources

DECLARATION = "explorer/ui/sessionkeys.py"
SCREEN = [path for path in sources("explorer", "pages", "app.py", "tools") if named(path) != DECLARATION]
STATE = "st.session_state"
METHODS = {"get", "pop", "setdefault"}


def constants(tree: ast.AST) -> dict[str, list[ast.expr]]:
    """What each name of a file is set to, the parts of tuples apart."""
    values: dict[str, list[ast.expr]] = {}
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Assign, ast.AnnAssign)) or node.value is None:
            continue
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            pairs = [(target, node.value)]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = list(zip(target.elts, node.value.elts, strict=False))  # the last target may take several
            for name, value in pairs:
                if isinstance(name, ast.Name):
                    values.setdefault(name.id, []).append(value)
    return values


def beginnings(key: ast.expr, values: dict[str, list[ast.expr]], depth: int = 3) -> Iterator[str]:
    """How a key may begin, as far as the file says: a text, a text with holes, or a name of one of them."""
    if isinstance(key, ast.Constant) and isinstance(key.value, str):
        yield key.value
    elif isinstance(key, ast.JoinedStr) and key.values:
        first = key.values[0]
        yield from beginnings(first.value if isinstance(first, ast.FormattedValue) else first, values, depth)
    elif isinstance(key, ast.Name) and depth:
        for value in values.get(key.id, []):
            yield from beginnings(value, values, depth - 1)


def private_literals(tree: ast.AST) -> set[str]:
    """The beginnings with an underscore of all keys that a file hands to Streamlit's session state or to a widget."""
    values = constants(tree)
    state = {STATE} | {name for name, meant in values.items() if any(ast.unparse(one) == STATE for one in meant)}
    keys: list[ast.expr] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) in state:
            keys.append(node.slice)
        elif isinstance(node, ast.Compare) and ast.unparse(node.comparators[0]) in state:
            keys.append(node.left)
        elif isinstance(node, ast.Call):
            asked = node.func
            if isinstance(asked, ast.Attribute) and asked.attr in METHODS and ast.unparse(asked.value) in state:
                keys.append(node.args[0])
            keys += [given.value for given in node.keywords if given.arg == "key"]
    return {text for key in keys for text in beginnings(key, values) if text.startswith("_")}


def test_every_private_key_is_declared() -> None:
    undeclared = {named(path): private_literals(parsed(path)) for path in SCREEN}
    assert len(undeclared) > 100 and not {path: keys for path, keys in undeclared.items() if keys}


@pytest.mark.parametrize(
    "source",
    [
        'st.session_state["_new"] = 1',
        'st.session_state.get("_new")',
        'kept = st.session_state\nkept.setdefault("_new", {})',
        'asked, state = 1, st.session_state\nif "_new" in state: pass',
        '_KEY = "_new"\nst.session_state.pop(_KEY)',
        'A, B = "_new", "_newer"\nst.session_state[A]',
        'def f(key): return st.session_state.setdefault(f"_new{key}", {})',
        'place = f"_{1}"\nst.session_state[f"{place}_low"] = 2',
        'st.button("x", key="_new")',
    ],
)
def test_a_private_key_of_ones_own_is_seen_however_it_is_written(source: str) -> None:
    assert private_literals(ast.parse(source))


def users(tree: ast.AST, module: str) -> set[str]:
    """What a file takes from a module; the module's own name where it takes all of it."""
    package, _, name = module.rpartition(".")
    taken = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == module:
            taken |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module == package:
            taken |= {name for alias in node.names if alias.name == name}
        elif isinstance(node, ast.Import):
            taken |= {name for alias in node.names if alias.name == module}
    return taken


def test_a_private_key_is_used_by_its_owner_alone() -> None:
    keys = {name: key for name, key in vars(sessionkeys).items() if isinstance(key, Key)}
    used: dict[str, set[str]] = {}
    for path in SCREEN:
        for name in users(parsed(path), "explorer.ui.sessionkeys"):
            if named(path).partition("/")[0] != "tools":  # which look at a session from outside
                used.setdefault(name, set()).add(named(path))
    assert used.pop("forget_with") == {"explorer/ui/session.py"}
    assert used == {name: {key.owner} for name, key in keys.items()}
    assert len({key.name for key in declared()}) == len(declared()) == len(keys)


def test_the_state_of_the_link_is_changed_by_links_alone() -> None:
    told = {named(path): users(parsed(path), "explorer.ui.linkstate") for path in SCREEN}
    changing = {"explorer/ui/links.py"}
    assert {path for path, names in told.items() if names} == {*changing, "explorer/ui/caught.py"}
    text = (ROOT / "explorer/ui/caught.py").read_text("utf-8")
    assert told["explorer/ui/caught.py"] == {"answering"}
    assert re.findall(r"\blink\.\S*", text) == ["link.page)"]  # which it tells the log


def test_a_key_with_a_star_stands_for_many() -> None:
    key = Key("_*_rows", dict, "rows", DECLARATION, Goes.NAMED)
    assert key.of("asking_0123abcd_0").name == "_asking_0123abcd_0_rows"
    for each in declared():
        assert each.name.startswith("_") and each.name.count("*") <= 1
        assert each.goes is not Goes.NAMED or "*" in each.name
        assert fnmatchcase(each.of("part").name, each.name)
        assert Path(ROOT / each.owner).is_file()


def _remembering() -> None:
    """A page that counts in one key, and forgets another."""
    import streamlit as st

    from explorer.ui.sessionkeys import RANGES, TURN

    before = TURN.get()
    TURN.keep(("again", {}))
    RANGES.held()["runs"] = (float(st.session_state.get("runs", 0)), 1.0)
    st.session_state["runs"] = st.session_state.get("runs", 0) + 1
    st.write(f"{before} {TURN.take()} {TURN.get()} {RANGES.get()} {st.session_state['_ranges'] is RANGES.held()}")


def test_what_a_run_has_read_of_its_session_is_no_other_session_s_nor_older_than_the_session() -> None:
    here, there = (AppTest.from_function(_remembering, default_timeout=30) for _ in range(2))
    said = [app.run().markdown[0].value for app in (here, here, there)]
    assert said == [
        "None ('again', {}) None {'runs': (0.0, 1.0)} True",
        "None ('again', {}) None {'runs': (1.0, 1.0)} True",
        "None ('again', {}) None {'runs': (0.0, 1.0)} True",
    ]
    here.session_state["_turn"] = ("elsewhere", {})
    assert here.run().markdown[0].value.startswith("('elsewhere', {}) ('again', {}) None")
