"""The state of the link, one value in the session: the page's requests, its settings and its written address.

`explorer.ui.links` alone changes it and tells it on; its rules are there. Callbacks are counted here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from explorer.ui.sessionkeys import LINK


@dataclass(slots=True)
class LinkState:
    """The link of one reader's session: texts as links write them, values as controls hold them."""

    page: str = ""  # the slug of the page that is shown; empty before the first arrival
    touched: bool = False  # whether a control is being answered, so that the address may be late
    answering: bool = False  # whether a callback is running
    answered: int = 0  # how many have run since the page was drawn
    asked: dict[str, list[str]] = field(default_factory=dict)  # what is asked for and no control has taken yet
    known: dict[str, str | None] = field(default_factory=dict)  # each control's text in this run; None for its default
    kept: tuple[str, ...] = ()  # the controls of the last whole run
    written: dict[str, list[str]] | None = None  # what that run wrote into the address
    sent: dict[str, str] | None = None  # the whole address of the last run, with the room's part
    travelling: dict[str, str] = field(default_factory=dict)  # what goes along to the next page
    starts: dict[str, Any] = field(default_factory=dict)  # what each control begins with
    defaults: dict[str, object] = field(default_factory=dict)  # which default a control followed last
    put: set[str] = field(default_factory=set)  # controls that were given another value and are not yet drawn with it
    held: dict[str, Any] = field(default_factory=dict)  # what no widget holds: the level, the view
    moved: dict[str, Any] = field(default_factory=dict)  # what the reader has moved of it since the last run
    unusable: list[str] = field(default_factory=list)  # sentences about what was asked for in vain
    beforehand: list[str] = field(default_factory=list)  # such sentences that wait for the page to be reached
    noticed: dict[str, dict[str, str | None]] = field(default_factory=dict)  # what the controls held when each was said
    requests: int = 0  # how often a page was set anew
    seen: dict[str, int] = field(default_factory=dict)  # by boxes that no link carries: after how many of these

    def settings(self) -> dict[str, str]:
        """The settings that a link carries: the controls' values by parameter, without defaults."""
        return {key: text for key, text in self.known.items() if text is not None}

    def forget(self, key: str) -> None:
        """Forget a setting: it travels no further, links do not say it, and its control begins anew."""
        for place in (self.travelling, self.known, self.starts):
            place.pop(key, None)

    def take_family(self, family: str) -> dict[str, list[str]]:
        """The requests in a family of parameters, as `ask`, `ask_column` and so on, which are taken."""
        return {key: self.asked.pop(key) for key in list(self.asked) if _belongs(key, family)}

    def replace_family(self, family: str, parameters: Mapping[str, str]) -> None:
        """Replace the texts of a family of parameters, on this page and on the next."""
        for place in (self.known, self.travelling):
            for key in [key for key in place if _belongs(key, family)]:
                del place[key]
            place.update(parameters)


def _belongs(key: str, family: str) -> bool:
    return key == family or key.startswith(f"{family}_")


def link_state() -> LinkState:
    """The link of this session."""
    state: LinkState | None = LINK.get()
    return LINK.keep(LinkState()) if state is None else state


@contextmanager
def answering() -> Iterator[LinkState]:
    """The link while a callback runs, which is counted once, with all that it calls."""
    link = link_state()
    within, link.answering = link.answering, True
    link.answered += not within
    try:
        yield link
    finally:
        link.answering = within
