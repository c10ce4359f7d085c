"""Recommendations of a plan as buttons on the stage; taking one sets these settings of the page and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from explorer.facts.recommendations import facts_of
from explorer.scenes import Scene
from explorer.settings.typed import plain_number
from explorer.ui import links, ranges
from explorer.ui.shown import Shown
from ldpcore.questions import Recommendation, SettingValue


def offered(shown: Shown, scene: Scene, level: float, symbol: str) -> list[dict[str, object]]:
    """The buttons of a scene: their texts, whether all is set already, and their settings, as links write them."""
    buttons: dict[tuple[object, ...], dict[str, object]] = {}  # by what each would change: no two change the same
    for recommended in scene.recommended:
        keyed = _keyed(shown.slug, recommended)
        if _possible(keyed):
            changed = tuple((key, value) for key, value in keyed.items() if _present(key, level) != value)
            settings = {key: _plain(value) for key, value in keyed.items()}
            text = _text(shown, recommended, not changed, shown.label(symbol))
            buttons.setdefault(changed, {"text": text, "set": not changed, "settings": settings})
    return list(buttons.values())


def _text(shown: Shown, recommended: Recommendation, is_set: bool, symbol: str) -> str:
    """The text of the button, by its purpose where the plan names one."""
    name = "set" if is_set else recommended.purpose or "use"
    return str(shown.catalogue.label(f"take.{name}", shown.slug, facts_of(recommended, symbol)))


def _keyed(slug: str, recommended: Recommendation) -> dict[str, SettingValue]:
    """The settings by the keys of their controls."""
    return {name if name in links.PROJECT else f"{slug}_{name}": value for name, value in recommended.settings}


def _possible(keyed: Mapping[str, SettingValue]) -> bool:
    """Whether the page has a control for each of the settings, and the control reaches its value."""
    known = links.known()
    return all(key in known and ranges.reaches(key, value) for key, value in keyed.items())


def _present(key: str, level: float) -> Any:
    """The present value of a setting; of the level, the one at a stop of the handle."""
    return level if key == "epsilon" else st.session_state.get(key)


def _plain(value: SettingValue) -> str:
    return value if isinstance(value, str) else plain_number(value)


def take(settings: Mapping[str, object]) -> None:
    """Ask for the settings of a pressed button, as a link does; their controls judge them."""
    links.adopt({str(key): str(text) for key, text in settings.items()})
