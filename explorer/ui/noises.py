"""The control that chooses a curator's noise, by iteration over the registry."""

from __future__ import annotations

from explorer import aliases
from explorer.facts.naming import title_of
from explorer.settings.noises import LAPLACE, Noise, noises
from explorer.ui import controls, links
from explorer.ui.language import catalogue
from explorer.ui.shown import Shown
from ldpcore.parameters import declarations


def choose(page: Shown, whole: bool) -> Noise:
    """A mechanism that adds a curator's noise, and what it must be told beside the level: key `<page>_mechanism`."""
    members = noises(whole)
    links.reword(f"{page.slug}_mechanism", lambda text: _whole(whole) if text == aliases.WHOLE else text)
    chosen = controls.choice(page, "mechanism", {slug: catalogue().write(title_of(slug)) for slug in members})
    member, usual = members[chosen], members[chosen].starting(epsilon=1.0).parameters()
    declared = declarations(member)
    return Noise(chosen).with_settings(
        **{name: controls.parameter(page, member, name, declared[name], usual[name]) for name in member.needs()}
    )


def _whole(possible: bool) -> str:
    """Noise in whole numbers where it is possible; elsewhere addresses that asked for it meant Laplace noise."""
    return next(slug for slug, member in noises(True).items() if member.whole) if possible else LAPLACE.slug
