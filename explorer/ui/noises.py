"""The control that chooses a curator's noise, by iteration over the registry."""

from __future__ import annotations

from explorer.facts.naming import title_of
from explorer.settings.noises import Noise, noises
from explorer.ui import controls
from explorer.ui.language import catalogue
from explorer.ui.shown import Shown
from ldpcore.parameters import declarations


def choose(page: Shown, whole: bool) -> Noise:
    """A mechanism that adds a curator's noise, and what it must be told beside the level: key `<page>_mechanism`."""
    members = noises(whole)
    chosen = controls.choice(page, "mechanism", {slug: catalogue().write(title_of(slug)) for slug in members})
    member, usual = members[chosen], members[chosen].starting(epsilon=1.0).parameters()
    declared = declarations(member)
    return Noise(chosen).with_settings(
        **{name: controls.parameter(page, member, name, declared[name], usual[name]) for name in member.needs()}
    )
