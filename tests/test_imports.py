"""Each contract of `.importlinter` turns red for an import that it forbids, and no package comes in without one."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from configparser import ConfigParser
from pathlib import Path

from tools.layers import IMPORTS, ROOT
from tools.reach import Tree, imported

CONTRACT = "importlinter:contract:"
PLANTS = {  # by contract, the file that imports what it must not
    "core": ("ldpcore/numerics/bisection.py", "ldpcore.mechanisms.base"),
    "app": ("explorer/settings/recipes.py", "explorer.paper.leaving"),
    "pages": ("explorer/pages/counting/facts.py", "explorer.pages.budget.facts"),
    "kits": ("explorer/ui/page.py", "explorer.ui.parts.curators"),
    "widgets": ("explorer/pages/counting/settings.py", "explorer.ui.ranges"),
    "widgets-users": ("explorer/pages/budget/facts.py", "explorer.pages.budget.widgets"),
    "limits": ("ldpcore/limits/bounds.py", "ldpcore.mechanisms.base"),
    "process": ("explorer/host/pool.py", "explorer.figures.marks"),
    "frugal": ("ldpcore/reading/merged.py", "numpy"),
    "quantities": ("explorer/facts/__init__.py", "numpy"),
    "above": ("explorer/figures/marks.py", "plotly"),
    "figures": ("explorer/ui/page.py", "explorer.figures.marks"),
    "streamlit": ("explorer/scenes.py", "streamlit"),
    "pandas": ("explorer/figures/marks.py", "pandas"),
    "scipy": ("explorer/settings/recipes.py", "scipy"),
    "arrow": ("ldpcore/people/scales.py", "pyarrow"),
    "dask": ("ldpcore/people/scales.py", "dask"),
    "words": ("explorer/figures/marks.py", "babel"),
    "database": ("explorer/poll/tickets.py", "sqlalchemy"),
    "codes": ("explorer/paper/sheets.py", "segno"),
    "workbooks": ("ldpcore/tables/table.py", "python_calamine"),
    "forms": ("explorer/host/server.py", "starlette"),
    "papers": ("explorer/paper/flow.py", "fpdf"),
    "formulas": ("explorer/paper/flow.py", "latex2mathml"),
    "notebooks": ("ldp_explorer/views.py", "anywidget"),
    "apart": ("ldp_explorer/command.py", "explorer.navigation"),
}
OURS = ("explorer", "ldp_explorer", "ldpcore")
PAGES = {"explorer", "ldpcore", "streamlit"}  # what declarations need


def contracts() -> dict[str, dict[str, str]]:
    """The contracts, by their names in the file."""
    parser = ConfigParser()
    parser.read(ROOT / ".importlinter", encoding="utf-8")
    return {name.removeprefix(CONTRACT): dict(parser[name]) for name in parser.sections() if name.startswith(CONTRACT)}


def linted(root: Path) -> dict[str, str]:
    """What became of each contract in a tree, by its title."""
    command = [sys.executable, "-c", IMPORTS]
    environment = os.environ | {"COLUMNS": "200", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        command, cwd=root, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
    )
    return dict(re.findall(r"^(.+) (KEPT|BROKEN)\b", done.stdout, re.MULTILINE))


def test_each_contract_turns_red_for_an_import_that_it_forbids(tmp_path: Path) -> None:
    for folder in ("explorer", "ldp_explorer", "ldpcore"):
        shutil.copytree(
            ROOT / folder, tmp_path / folder, ignore=lambda _, names: [n for n in names if n == "__pycache__"]
        )
    shutil.copy(ROOT / ".importlinter", tmp_path)
    titles = {name: contract["name"] for name, contract in contracts().items()}
    assert linted(tmp_path) == dict.fromkeys(titles.values(), "KEPT")
    for file, module in PLANTS.values():
        with (tmp_path / file).open("a", encoding="utf-8") as source:
            source.write(f"\nimport {module}\n")
    after = linted(tmp_path)
    assert {name for name, title in titles.items() if after[title] == "BROKEN"} == set(PLANTS) == set(titles)


def test_every_package_that_comes_in_has_a_contract_that_says_where() -> None:
    held = {name for each in contracts().values() for name in each.get("protected_modules", "").split()}
    known = sys.stdlib_module_names | {*OURS} | held
    foreign = defaultdict[str, set[str]](set)
    for path, source in Tree(ROOT).sources.items():
        allowed = (
            PAGES
            if path.startswith("pages/")
            else known
            if path.startswith(tuple(f"{each}/" for each in OURS))
            else None
        )
        names = {name.partition(".")[0] for name in imported(source)} - sys.stdlib_module_names
        foreign[path] |= names - allowed if allowed else set()
    assert not {path: names for path, names in foreign.items() if names}
