"""A page while it is being shown, as every control, widget and part of the stage takes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Literal, TypeAlias

import streamlit as st

from explorer.facts import Facts, Quantity, masked, plain
from explorer.figures.theme import Look
from explorer.text import Texts
from explorer.text.catalogue import Catalogue

if TYPE_CHECKING:
    from explorer.paper.leaving import Viewed
    from ldpcore.tables.table import Table

UNREAD = "unread"  # by this key the style knows settings that the view does not read
TypedRows = Literal["one", "several", "all"]  # of each person in a table
WidgetSpot: TypeAlias = AbstractContextManager[object]  # where widgets stand that are drawn inside of it


class Shown:
    """A page while it is being shown: its places on the screen, and its short texts in the reader's language."""

    viewed: Viewed[object]  # what may be handed on of it; there is none before its scene
    at: Callable[[float, bool], Viewed[object]] | None = None  # where each level has noise of its own
    still = False  # whether every other level would be a release

    def __init__(
        self,
        slug: str,
        catalogue: Catalogue,
        look: Look,
        staged: bool = True,
        brought: str = "",
        view: str = "",
        unread: bool = False,
    ) -> None:
        self._unread, self._asking = unread, False  # whether the view reads nothing of the page; whether this asks now
        self.view = view  # that is probably chosen, "" for the first
        self.slug, self.catalogue, self.look, self.brought = slug, catalogue, look, brought
        self.seed: int | None = None
        self.table: Table | None = None  # that a control of this run has chosen
        self.private = False  # whether what is computed derives from an upload
        self.source: tuple[str, ...] = ()  # where its numbers come from, in a few words each
        self.level = 1.0  # the level that the page shows, for what is proposed beside it
        st.title(catalogue.text(slug, f"question {brought}".strip()), anchor=False)
        self.notice = st.container(key="notice")
        if not staged:
            return
        whole = st.container(key="room")
        if look.lecture:  # one below the other; on a phone columns are so by themselves
            self.stage, self.aside = whole.container(), whole.container()
        else:
            self.stage, self.aside = whole.columns([3, 1], gap="medium")
        self._settings = self.aside.container(key="settings")
        self.view_settings = self._settings.container()
        self._usual = self._settings.container(key=UNREAD if unread else None)
        self._more: WidgetSpot | None = None
        self._unread_more: WidgetSpot | None = None
        self._fold: WidgetSpot | None = None

    @property
    def labels(self) -> Texts:
        """The page's own short texts."""
        return self.catalogue.page(self.slug).labels

    def label(self, name: str, default: str | None = None) -> str:
        """A short text: the page's own, else the project's."""
        try:
            return self.catalogue.label(name, self.slug)
        except KeyError:
            if default is None:
                raise
            return default

    def secret(self, number: str) -> str:
        """A true number as it may be said: not while people predict."""
        return number if self.look.truth else self.label("hidden_number")

    def facts(self, known: Facts) -> Facts:
        """The facts that may be told on this reader's screen."""
        return plain(known) if self.look.truth else masked(known)

    def say(self, key: str, **facts: Quantity) -> str:
        """A text of the page as Markdown."""
        return self.catalogue.markdown(self.slug, key, self.facts(facts))

    def title(self, view: str) -> str:
        """The short title of a view."""
        return self.catalogue.text(self.slug, f"view {view}")

    @contextmanager
    def controls(self) -> Iterator[None]:
        """The place of the page's settings; out of sight, keeping their values, where the view reads none."""
        self._asking = self._unread
        with self._usual:
            yield
        self._asking = False

    def invented(self) -> WidgetSpot:
        """The place of the settings of invented people: folded away while the page is about the reader's own data."""
        if not self.brought:
            return nullcontext()
        if self._fold is None:
            self._fold = st.expander(self.label("invented"))
        return self._fold

    def more(self) -> WidgetSpot:
        """The fold for rare settings."""
        if self._more is None:
            self._more = self._settings.expander(self.label("more"))
            with self._more:
                self._unread_more = st.container(key=f"{UNREAD}_more") if self._unread else None
        return self._unread_more if self._asking and self._unread_more is not None else self._more
