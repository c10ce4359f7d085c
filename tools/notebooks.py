"""The code of the site, run with its output kept: `python -m tools.notebooks`.

The code cells of a notebook, and the blocks of a page that begin with ```python, are run in order in one namespace and
in an empty folder. Kept is their output, and of a cell its last value, as text, or drawn where the library draws it: in
a page in the block of text that follows the code, where there is one. Code of other libraries stands in blocks that
begin with ```py and is not run.
"""

from __future__ import annotations

import ast
import io
import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import chdir, contextmanager, redirect_stdout
from pathlib import Path
from typing import Any, TypedDict

from ldpcore.library.drawn import SelfDrawn
from tools.serving import ROOT

DOCS = ROOT / "docs"
BLOCK = re.compile(r"(?<=```python\n)(?P<code>.*?)```(?:\n\n```text\n(?P<text>.*?)```)?", re.DOTALL)


class Output(TypedDict, total=False):
    """The output of a cell: what it prints, or its last value as HTML and as text."""

    text: list[str]
    data: dict[str, list[str]]


class Cell(TypedDict):
    """One cell of a notebook."""

    cell_type: str
    source: list[str]
    outputs: list[Output]


def notebooks() -> list[Path]:
    """All notebooks of the site."""
    return sorted((DOCS / "notebooks").glob("*.ipynb"))


def pages() -> list[Path]:
    """All pages of the site with code that is run."""
    return [path for path in sorted(DOCS.glob("*.md")) if BLOCK.search(path.read_text("utf-8"))]


@contextmanager
def empty_folder() -> Iterator[None]:
    """While it lasts, the working directory is a new one."""
    with tempfile.TemporaryDirectory() as empty, chdir(empty):
        yield


def ran(code: str, names: dict[str, Any]) -> tuple[str, object]:
    """The print of a piece of code, and the value of its last line where that is an expression."""
    tree = ast.parse(code)
    last = tree.body[-1] if tree.body else None
    last = last if isinstance(last, ast.Expr) else None
    rest = tree.body[:-1] if last else tree.body
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(ast.Module(rest, []), "cell", "exec"), names)
        value = None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    return printed.getvalue(), value


def run(code: str, names: dict[str, Any]) -> str:
    """The print of a piece of code, and its last value as text."""
    printed, value = ran(code, names)
    return printed + ("" if value is None else f"{value!r}\n")


def answered(code: str, names: dict[str, Any]) -> list[Output]:
    """The outputs of a cell; a value that the library draws is drawn."""
    printed, value = ran(code, names)
    drawn = isinstance(value, SelfDrawn)
    if value is not None and not drawn:
        printed += f"{value!r}\n"
    found: list[Output] = [{"text": printed.splitlines(keepends=True)}] if printed else []
    if isinstance(value, SelfDrawn):
        both = {"text/html": value._repr_html_(), "text/plain": str(value)}
        found.append({"data": {kind: text.splitlines(keepends=True) for kind, text in both.items()}})
    return found


def outputs(notebook: Path) -> list[list[Output]]:
    """The present outputs of the code cells, run in an empty folder."""
    names: dict[str, Any] = {"__name__": "__main__"}
    with empty_folder():
        return [answered("".join(cell["source"]), names) for cell in cells(notebook) if cell["cell_type"] == "code"]


def told(found: list[Output]) -> str:
    """The outputs of a cell in one text: what is printed, and what is drawn as HTML."""
    parts = (output["text"] if "text" in output else output["data"]["text/html"] for output in found)
    return "".join(line for part in parts for line in part)


def cells(notebook: Path) -> list[Cell]:
    """The cells of a notebook."""
    held: list[Cell] = json.loads(notebook.read_text("utf-8"))["cells"]
    return held


def kept(notebook: Path) -> list[list[Output]]:
    """The kept outputs of a notebook's code cells."""
    return [cell["outputs"] for cell in cells(notebook) if cell["cell_type"] == "code"]


def formed(output: Output, place: int) -> dict[str, object]:
    """An output as a notebook's format has it."""
    if "text" in output:
        return {"output_type": "stream", "name": "stdout"} | dict(output)
    return {"output_type": "execute_result", "execution_count": place, "metadata": {}} | dict(output)


def renewed(page: Path, given: Mapping[str, Any]) -> str:
    """The text of a page with the present output of its code, begun with these names."""
    names: dict[str, Any] = {"__name__": "__main__", **given}

    def block(place: re.Match[str]) -> str:
        printed = run(place["code"], names)
        return place[0] if place["text"] is None else f"{place['code']}```\n\n```text\n{printed}```"

    with empty_folder():
        return BLOCK.sub(block, page.read_text("utf-8"))


def values_of(page: Path) -> Mapping[str, Any]:
    """The values that the code of a page presumes."""
    return {"values": [number % 50 for number in range(1_000)]} if page.stem == "beside" else {}


def main() -> None:
    """Run all notebooks and pages and keep their outputs."""
    for page in pages():
        page.write_text(renewed(page, values_of(page)), "utf-8")
    for path in notebooks():
        whole = json.loads(path.read_text("utf-8"))
        code = [cell for cell in whole["cells"] if cell["cell_type"] == "code"]
        for place, (cell, found) in enumerate(zip(code, outputs(path), strict=True), 1):
            cell["execution_count"] = place
            cell["outputs"] = [formed(output, place) for output in found]
        path.write_text(json.dumps(whole, ensure_ascii=False, indent=1, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    main()
