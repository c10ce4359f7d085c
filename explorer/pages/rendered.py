"""One page put together as readers see it, which proves that the server can: see `explorer.host.health`.

The first page's sentence and the first view of the page that follows it are made anew, by the functions behind
readers' pages and without kept results.
"""

from __future__ import annotations

import runpy

from explorer.declarations import PageDeclaration
from explorer.facts import Level, Term, Times
from explorer.figures.theme import Look
from explorer.navigation import DEFAULT, entries
from explorer.scenes import scene
from explorer.text import LANGUAGE
from explorer.text.catalogue import catalogue_of


def render() -> None:
    """Put the first page's sentence and the first view of the next page together, in the default language."""
    from explorer.pages.counting.settings import of_table  # when somebody asks: no page of another kind needs it

    level = _declared(DEFAULT).default_level
    said = {"model": Term("models.local"), "level": Level(level), "ratio": Times(level)}
    first = catalogue_of(LANGUAGE).html(DEFAULT, "answer", said)
    page = _declared("counting")
    view = next(iter(page.views.values()))
    second = scene(page, view, of_table("income", "add-remove"), page.default_level, Look(), LANGUAGE)
    if not (first and second.answer and (second.figure or second.drawing)):
        raise ValueError("a page must have a sentence and a picture; one is empty")


def _declared(slug: str) -> PageDeclaration[object]:
    """A page as its file declares it."""
    path = next(entry.path for entry in entries() if entry.slug == slug)
    page: PageDeclaration[object] = runpy.run_path(str(path))["page"]
    return page
