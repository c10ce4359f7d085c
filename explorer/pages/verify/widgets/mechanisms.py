"""The mechanism under test, and its parameters beside the level: all registered ones, then the famous mistakes."""

from __future__ import annotations

from functools import partial
from typing import Any

from explorer.facts.naming import title_of
from explorer.pages.verify.settings import MISTAKES, Judged
from explorer.text.catalogue import Catalogue
from explorer.ui import controls
from explorer.ui.shown import Shown
from ldpcore.mechanisms import REGISTRY
from ldpcore.parameters import DomainSize, Interval, declarations

MOST = 2048  # categories
REFERENCE = 1.0  # the level at which the other parameters are first judged


def mechanism(shown: Shown) -> Judged:
    """The controls of one mechanism."""
    members: dict[str, type[Any]] = {member.slug: member for member in (*REGISTRY, *MISTAKES)}
    titles = _titles(shown.slug, shown.catalogue)
    chosen = members[controls.choice(shown, "mechanism", titles, default="rr")]
    size = declarations(chosen).get("k")
    most = min(size.high, MOST) if isinstance(size, Interval) else MOST
    k = partial(controls.number, shown, "k", DomainSize, default=4, high=most)
    return Judged.like(controls.mechanism(shown, chosen, epsilon=REFERENCE, k=k))


def _titles(page: str, catalogue: Catalogue) -> dict[str, str]:
    """The names of all mechanisms; a mistake is called one."""
    mistakes = {member.slug: catalogue.label("mistake", page, {"title": title_of(member.slug)}) for member in MISTAKES}
    return {member.slug: catalogue.write(title_of(member.slug)) for member in REGISTRY} | mistakes
