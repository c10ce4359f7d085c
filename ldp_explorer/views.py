"""Views outside of the app: in a cell of a notebook, or as one file, made from their links.

The views are made by a process of its own. What opens them takes the place of a server, with an event loop and a log,
and imports the app by names that are common: none of that is to be in a notebook's own process.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, overload

from ldp_explorer.command import folder, missing

if TYPE_CHECKING:
    from ldp_explorer.notebook import ViewWidget
    from ldpcore.library.drawn import SelfDrawn
    from ldpcore.questions import Question

Held = TypeVar("Held", bound="SelfDrawn")


class LinkError(ValueError):
    """A link, or a wish, of which no view can be made; the message says why."""


@overload
def show(what: str, *, language: str = "en", answers: bool = True, drawn: bool = False) -> ViewWidget: ...
@overload
def show(what: Held, *, language: str = "en", answers: bool = True, drawn: bool = False) -> Held: ...
@overload
def show(what: Question[object], *, language: str = "en", answers: bool = True, drawn: bool = False) -> SelfDrawn: ...


def show(what: object, *, language: str = "en", answers: bool = True, drawn: bool = False) -> ViewWidget | SelfDrawn:
    """A view by its link as a widget of a notebook, or what the library draws of a design, an estimate or a question.

    The last line of a cell shows it. `answers=False` leaves the truth out, so that people can predict; `drawn=True`
    takes drawings in place of Plotly, for a small notebook. `LinkError` where a link leads to no view.
    """
    from ldpcore.library.drawn import SelfDrawn
    from ldpcore.library.drawnanswer import drawn_answer
    from ldpcore.questions import Question

    if isinstance(what, SelfDrawn):
        return what
    if isinstance(what, Question):
        return drawn_answer(what)
    if not isinstance(what, str):
        raise TypeError(f"show must be given a link, a question or an object of ldpcore; got {type(what).__name__}")
    try:
        from ldp_explorer.notebook import ViewWidget
    except ModuleNotFoundError as problem:
        raise ModuleNotFoundError(
            f'a notebook needs {problem.name}: install it with pip install "ldp-explorer[app,notebook]"'
        ) from None
    made = _cell(what, language, answers, drawn)
    said: dict[str, object] = json.loads(made)
    for sentence in _texts(said.pop("complaints")):
        warnings.warn(sentence, stacklevel=2)
    return ViewWidget(said)


def save(
    link: str,
    file: str | Path,
    *,
    languages: Iterable[str] = ("en",),
    answers: bool = True,
    drawn: bool = False,
) -> Path:
    """Write the view to which a link leads as one HTML file that needs no server and no network; the file's path.

    With several `languages` it has a switch; `answers` and `drawn` are those of `show`.
    """
    path = Path(file).resolve()
    _run("explorer.ui.travel", "view", link, str(path), *_wishes(answers, drawn), "--languages", *languages)
    return path


@lru_cache(maxsize=32)
def _cell(link: str, language: str, answers: bool, drawn: bool) -> str:
    """The content of a cell, made once for a link and its wishes."""
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "cell.json"
        _run("explorer.ui.travel.notebook", link, str(file), *_wishes(answers, drawn), "--language", language)
        return file.read_text("utf-8")


def _wishes(answers: bool, drawn: bool) -> list[str]:
    """The switches of the commands."""
    return [*([] if answers else ["--without-answers"]), *(["--drawn"] if drawn else [])]


def _texts(held: object) -> list[str]:
    assert isinstance(held, list)
    return [str(each) for each in held]


def _run(module: str, *given: str) -> None:
    """Run a command of the app's in a process of its own; what it complains of is a `LinkError`."""
    if lacking := missing():
        raise ModuleNotFoundError(f'views need {", ".join(lacking)}: install them with pip install "ldp-explorer[app]"')
    paths = [str(folder()), *filter(None, [os.environ.get("PYTHONPATH")])]
    known = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", module, *given]
    done = subprocess.run(
        command, cwd=folder(), env=known, capture_output=True, text=True, encoding="utf-8", check=False
    )
    if "Traceback" in done.stderr:
        raise RuntimeError(f"{module} must make the view; it ended with\n{done.stderr}")
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise LinkError(lines[-1].partition("error: ")[2] or lines[-1] if lines else f"{module} ended early")
