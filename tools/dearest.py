"""The dearest settings of every page that a link can reach: for budgets, fuzzing and attackers.

A page is opened without its stage, so that nothing is computed; its declarations, while it draws controls, are noted:
each number with the ends that a link may ask for, each choice with its options. Every option is tried with all numbers
at one end, and so is every view. A page takes part by being a page: nothing is listed here.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from unittest.mock import patch
from urllib.parse import urlencode

from streamlit.testing.v1 import AppTest

from explorer.declarations import PageDeclaration, View
from explorer.navigation import DEFAULT, entries
from explorer.settings.typed import plain_number
from explorer.ui import controls, levels, page
from explorer.ui.sessionkeys import LINK
from explorer.ui.shown import Shown
from ldpcore.parameters import Interval
from tools.serving import ROOT

LEVELS = (0.01, 1.0, 10.0)
PATIENCE = 120.0  # seconds for one page without its stage
ENDS = ("usual", "whole", "high", "low")  # as it is; whole numbers at their highest; all numbers there; at their lowest
_AT_ONCE = threading.Lock()


@dataclass
class Seen:
    """The declarations of a page in one run: its numbers, its choices, and its questions."""

    numbers: dict[str, tuple[Interval, float, float]] = field(default_factory=dict)
    options: dict[str, tuple[str, ...]] = field(default_factory=dict)
    views: tuple[str, ...] = ()
    run: Any = None

    def end(self, which: str) -> dict[str, str]:
        """The link's part that moves all numbers to one end."""
        moved = {}
        for key, (declared, low, high) in self.numbers.items():
            if "seed" in key or which == "usual" or (which == "whole" and not declared.integer):
                continue
            typical = max(low, declared.typical[0]), min(high, declared.typical[1])
            far = {"whole": high, "high": high if declared.integer else typical[1], "low": typical[0]}[which]
            moved[key] = plain_number(float(far))
        return moved


@dataclass(frozen=True)
class Setting:
    """One view of a page under one link, with its questions."""

    slug: str
    view: View[object]
    parameters: tuple[tuple[str, str], ...]
    declared: PageDeclaration[object]
    asked: object
    own: object

    @property
    def link(self) -> str:
        """The address below the server's."""
        return f"/{'' if self.slug == DEFAULT else self.slug}?{urlencode(self.parameters)}"

    def questions(self, level: float) -> list[Any]:
        """The questions of the page at a level: the answer's, the view's, the tasks'."""
        declaration = self.declared
        parts: list[Any] = [declaration.main(self.asked, level)] if declaration.main else []
        for more in (
            self.view.question(self.asked, level, self.own),
            declaration.task(self.asked, level) if declaration.task else (),
        ):
            parts += more if isinstance(more, tuple) else (more,)
        return [question for question in parts if question is not None]


@contextmanager
def noting() -> Iterator[Seen]:
    """While it lasts, pages note their declarations and show no stage."""
    seen = Seen()
    slider, choose, view, shows = controls._slider, controls._choose, levels.view, page._Run.show

    def number(
        shown: Shown, key: str, name: str, declared: Any, default: Any, ends: Any, *more: Any, **named: Any
    ) -> Any:
        seen.numbers[key] = declared, *ends
        return slider(shown, key, name, declared, default, ends, *more, **named)

    def choice(shown: Shown, key: str, name: str, labels: Any, *more: Any, **named: Any) -> Any:
        seen.options[key] = tuple(labels)
        return choose(shown, key, name, labels, *more, **named)

    def looked(shown: Shown, views: Any, titles: Any) -> Any:
        seen.views = tuple(views)
        return view(shown, views, titles)

    def noted(run: Any) -> None:
        seen.run = run

    assert shows is not noted
    with (
        _AT_ONCE,
        patch.object(controls, "_slider", number),
        patch.object(controls, "_choose", choice),
        patch.object(levels, "view", looked),
        patch.object(page._Run, "show", noted),
    ):
        yield seen


class Opened:
    """A page in one session, opened by link after link."""

    def __init__(self, slug: str) -> None:
        self.slug, self.app = slug, AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE)
        with noting():
            self.app.run()
            if slug != DEFAULT:
                self.app.switch_page(f"pages/{slug}.py")

    def by(self, parameters: dict[str, str]) -> Seen:
        """The declarations of the page under these parameters."""
        with noting() as seen:
            self.app.session_state[LINK.name].page = ""  # so that it is an arrival
            self.app.query_params.clear()
            for key, text in parameters.items():
                self.app.query_params[key] = text
            self.app.run()
        assert not self.app.exception, (self.slug, parameters, self.app.exception)
        assert not self.app.error, (self.slug, parameters, [each.value for each in self.app.error])
        return seen


def paths(opened: Opened) -> Iterator[tuple[dict[str, str], Seen]]:
    """The page as it opens, and with each option of each choice; also of choices that an option brings."""
    known: set[str] = set()
    waiting: list[dict[str, str]] = [{}]
    while waiting:
        chosen = waiting.pop(0)
        seen = opened.by(chosen)
        yield chosen, seen
        for key in seen.options.keys() - known:
            known.add(key)
            waiting += [chosen | {key: option} for option in seen.options[key]]


def settings(slug: str, ends: tuple[str, ...] = ENDS, every: int = 1) -> Iterator[Setting]:
    """The views of a page under every option, with all numbers at each of these ends.

    A view that asks something alone is opened anew under each of so many options, another view under the next.
    """
    opened = Opened(slug)
    own: dict[tuple[str, str], dict[str, str]] = {}  # what a view alone asks, at an end
    for option, (chosen, first) in enumerate(paths(opened)):
        if first.run is None:
            continue
        for end in ends:
            base = first.end(end) | chosen
            plain = opened.by(base)
            for place, name in enumerate(plain.views):
                view = plain.run.page.views[name]
                if view.own is not None and option and (option + place) % every:
                    continue
                tab = base if name == plain.views[0] else base | {f"{slug}_tab": name}
                seen = plain
                if view.own is not None:
                    if (name, end) not in own:
                        own[name, end] = opened.by(tab).end(end)
                    tab = own[name, end] | tab
                    seen = opened.by(tab)
                run = seen.run
                yield Setting(slug, view, tuple(tab.items()), run.page, run.asked, run.own if view.own else None)


@cache
def every(ends: tuple[str, ...] = ENDS) -> tuple[Setting, ...]:
    """The settings of all pages that have a stage."""
    return tuple(setting for entry in entries() for setting in settings(entry.slug, ends))
