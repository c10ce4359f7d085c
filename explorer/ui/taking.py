"""What a plan recommends becomes a button on the stage; taking it sets these settings of the page and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from explorer.facts.taking import told
from explorer.scenes import Scene
from explorer.ui import controls, links
from ldpcore.experiments.recommending import Recommendation, Value


def offered(shown: Any, scene: Scene, level: float) -> list[dict[str, Any]]:
    """The buttons of a scene: what they say, whether all of it is set already, and what they set, as links write it."""
    symbol = shown.label("level_symbol")
    return [
        {
            "text": _text(shown, recommended, _is_set(shown.slug, recommended, level), symbol),
            "set": _is_set(shown.slug, recommended, level),
            "settings": {key: _plain(value) for key, value in _keyed(shown.slug, recommended).items()},
        }
        for recommended in scene.recommended
        if _possible(shown.slug, recommended)
    ]  # fmt: skip


def _text(shown: Any, recommended: Recommendation, is_set: bool, symbol: str) -> str:
    """What the button says, by its purpose where the page names one."""
    name = "set" if is_set else recommended.purpose or "use"
    return str(shown.catalogue.label(f"take.{name}", shown.slug, told(recommended, symbol)))


def _keyed(slug: str, recommended: Recommendation) -> dict[str, Value]:
    """The settings by the keys of their controls."""
    return {name if name in links.PROJECT else f"{slug}_{name}": value for name, value in recommended.settings}


def _possible(slug: str, recommended: Recommendation) -> bool:
    """Whether the page has a control for each of the settings, and the control reaches so far."""
    known = st.session_state["_known"]
    return all(key in known and controls.reaches(key, value) for key, value in _keyed(slug, recommended).items())


def _is_set(slug: str, recommended: Recommendation, level: float) -> bool:
    """Whether the page stands there already."""
    present = {"epsilon": level}
    keyed = _keyed(slug, recommended).items()
    return all(present.get(key, st.session_state.get(key)) == value for key, value in keyed)


def _plain(value: Value) -> str:
    return value if isinstance(value, str) else controls.plain_number(value)


def take(settings: Mapping[str, Any]) -> None:
    """A button was pressed: its settings are asked for as a link asks, and judged by their controls."""
    links.adopt({str(key): str(text) for key, text in settings.items()})
