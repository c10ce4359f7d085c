"""The list of pages: groups, order and icons; read by `app.py`, the cold-link guard, the overview and the tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from explorer.text import LANGUAGE
from explorer.text.catalogue import catalogue_of

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class PageEntry:
    """One page: its slug is its file's name, its address and the prefix of its links' parameters."""

    slug: str
    icon: str

    @property
    def path(self) -> Path:
        """The file that Streamlit runs."""
        return ROOT / "pages" / f"{self.slug}.py"

    @property
    def exists(self) -> bool:
        """Whether the page has been written, its file and its text."""
        return self.path.exists() and (ROOT / "explorer" / "text" / LANGUAGE / f"{self.slug}.md").exists()

    def name(self, language: str = LANGUAGE) -> str:
        """The short name in the navigation."""
        return catalogue_of(language).text(self.slug, "name")

    def question(self, language: str = LANGUAGE) -> str:
        """The question that the page answers."""
        return catalogue_of(language).text(self.slug, "question")


DEFAULT = "overview"
_ORDER: tuple[tuple[str, tuple[PageEntry, ...]], ...] = (
    ("start", (PageEntry("overview", "explore"), PageEntry("ask", "how_to_vote"))),
    (
        "curator",
        (PageEntry("counting", "tag"), PageEntry("averaging", "replay"), PageEntry("budget", "battery_horiz_050")),
    ),
    (
        "local",
        (
            PageEntry("trust", "handshake"),
            PageEntry("response", "casino"),
            PageEntry("frequencies", "bar_chart"),
            PageEntry("means", "speed"),
            PageEntry("vectors", "scatter_plot"),
            PageEntry("shapes", "ssid_chart"),
            PageEntry("regression", "stairs"),
        ),
    ),
    (
        "limits",
        (
            PageEntry("distinguish", "compare"),
            PageEntry("protocols", "hearing"),
            PageEntry("limits", "vertical_align_bottom"),
        ),
    ),
    (
        "tools",
        (PageEntry("verify", "fact_check"), PageEntry("exercises", "exercise"), PageEntry("reference", "menu_book")),
    ),
)


def order() -> tuple[tuple[str, tuple[PageEntry, ...]], ...]:
    """Every planned page, by the key of its group, whether its file exists yet or not."""
    return _ORDER


@lru_cache(maxsize=32)
def groups(language: str = LANGUAGE) -> Mapping[str, tuple[PageEntry, ...]]:
    """The pages that exist, by the full name of their group, in order; looked up once, since every run needs them."""
    titles = catalogue_of(language).labels("groups")
    listed = {str(titles[key]): tuple(e for e in entries if e.exists) for key, entries in _ORDER}
    return MappingProxyType({title: entries for title, entries in listed.items() if entries})


def entries() -> tuple[PageEntry, ...]:
    """The pages that exist, in the order of a lecture."""
    return tuple(entry for members in groups().values() for entry in members)
