"""A page with several modes: one switch, and for each mode texts and tabs of its own.

In the page's Markdown a text of a mode carries its name in front (`## matrix answer`, `## matrix tab curve`); the texts
without one belong to the first mode, and, tabs apart, to every mode that has none of its own.
"""

from __future__ import annotations

from explorer.ui import controls
from explorer.ui.frame import Page


def choose(page: Page) -> str:
    """The switch; from here on the page speaks the texts of the chosen mode."""
    names = page.labels["mode_options"]
    mode = controls.choice(page, "mode", names)
    if mode != next(iter(names)):
        own = {key.removeprefix(f"{mode} "): text for key, text in page.texts.items() if key.startswith(f"{mode} ")}
        shared = {key: text for key, text in page.texts.items() if not key.startswith("tab ")}
        page.texts = shared | own
    return mode


def answer(page: Page, case: str, **values: str) -> None:
    """The answer of a case (`## answer broken` for "broken"), its numbers for every text, its title for the figures.

    While people predict, the numbers that the page's `secrets` name are not said anywhere.
    """
    page.texts = dict(page.texts) | {"answer": page.texts[f"answer {case}"]}
    page.said |= {
        name: page.secret(value) if name in page.labels["secrets"] else value for name, value in values.items()
    }
    titles = page.labels["titles"]
    page.said["title"] = titles.get(case, "") if page.look.truth else titles["hidden"]
    page.answer()
