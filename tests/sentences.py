"""What a view says at a setting that is named by its value: for tests that hold single sentences to their facts."""

from __future__ import annotations

from typing import Any

from explorer.figures.theme import Look
from explorer.scenes import Scene, scene
from tests.fuzz.said import plainly
from tests.scenes import answered, declared


def scene_at(slug: str, view: str, asked: Any, level: float = 1.0, language: str = "en", own: Any = None) -> Scene:
    """The scene of a page's view at a level, with nothing hidden; what the view alone asks is as it is at first."""
    page = declared(slug)
    chosen = page.views[view]
    return scene(page, chosen, asked, level, Look(), language, answered, chosen.at_first(asked) if own is None else own)


def sentences(slug: str, view: str, asked: Any, level: float = 1.0, language: str = "en", own: Any = None) -> str:
    """Answer, note, title and alternative text, one after the other, without markup and with plain blanks."""
    made = scene_at(slug, view, asked, level, language, own)
    title = made.figure.layout["title"]["text"] if made.figure is not None else ""
    return " | ".join(" ".join(plainly(part)) for part in (made.answer, made.note, title, made.alt))
