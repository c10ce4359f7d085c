"""Views opened by their links without a screen, for files that travel, notebooks and tools.

    view = opened("/counting?epsilon=0.1")

A page draws its controls into a session that nobody sees, judges the link as it does for everybody, and shows no stage.
Streamlit's own tester holds the session; it takes the place of a server, so that no server may run in this process.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from explorer.facts import Name, Names, Quantity
from explorer.navigation import DEFAULT, entries
from explorer.paper.leaving import Viewed
from explorer.text.catalogue import catalogue_of
from explorer.ui import internals
from explorer.ui.sessionkeys import UNSTAGED
from explorer.ways import PrintedPoints

APP = Path(__file__).resolve().parents[2] / "app.py"
PATIENCE = 120.0  # seconds for one page without its stage


class LinkError(ValueError):
    """A link that leads to no view; the message says why, in the language in which it was to open."""

    @classmethod
    def of(cls, language: str, why: str, **facts: Quantity) -> LinkError:
        """The reason in the words of a language."""
        return cls(catalogue_of(language).label(f"travel.{why}", facts=facts))


@dataclass(frozen=True)
class OpenedView:
    """A view as its link opens it.

    `at` is the view by level, and by whether the truth is hidden, where a session draws each with noise of its own; a
    `still` one has its level alone, since every other would be a release. `printed` are numbers that a way's text
    prints of it, at one level; `complaints` are sentences about parts of the link that cannot be used.
    """

    viewed: Viewed[object]
    link: str
    seed: int | None = None  # of its draws, where one is set and may be told
    printed: tuple[float, PrintedPoints] | None = None
    at: Callable[[float, bool], Viewed[object]] | None = None
    still: bool = False
    complaints: tuple[str, ...] = ()


def unseen() -> list[OpenedView] | None:
    """The place for the views of a session without a screen; none in every other session."""
    return UNSTAGED.get()


def opened(link: str, language: str = "en") -> OpenedView:
    """The view to which a link leads; a page that shows no view is refused."""
    address = urlsplit(link)
    page = address.path.strip("/") or DEFAULT
    if page not in (known := [entry.slug for entry in entries()]):
        raise LinkError.of(language, "no_page", pages=Names(tuple(known), most=len(known)), page=Name(page))
    app = internals.tester(APP, PATIENCE)
    views: list[OpenedView] = []
    app.session_state[UNSTAGED.name] = views
    for key, texts in {**parse_qs(address.query, keep_blank_values=True), "lang": [language]}.items():
        app.query_params[key] = texts
    if page != DEFAULT:
        app.switch_page(f"pages/{page}.py")  # before the first run: the way a visitor arrives
    app.run()
    if app.exception:
        raise LinkError.of(language, "unopened", link=Name(link), reason=Name(app.exception[0].value))
    if not views:
        raise LinkError.of(language, "no_view", page=Name(catalogue_of(language).text(page, "name")))
    view: OpenedView = views[-1]
    return view
