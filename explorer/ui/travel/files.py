"""A view, or a whole way, as one HTML file that asks nobody for anything.

The file holds the stage's own scripts and styles, the scenes at every stop, packed, and Plotly's script or drawings in
its place; a policy in its head forbids every request. What the file's readers may not know is not in it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any

from explorer.host import plotlyscript
from explorer.text.catalogue import catalogue_of
from explorer.text.typefaces import page_style
from explorer.ui import scripts, stage
from explorer.ui.travel.states import TravelState, packed

LARGEST = 8_000_000  # bytes of a file
_HERE = Path(__file__).parent
_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; "
    "form-action 'none'; base-uri 'none'"
)
COLORS = {  # as in .streamlit/config.toml: by the stage's variables, on light and on dark paper
    "text-color": ("#0E141D", "#E8ECF1"),
    "background-color": ("#FFFFFF", "#12161C"),
    "secondary-background-color": ("#F3F5F8", "#1C232C"),
    "primary-color": ("#0B5FA5", "#7CB8EE"),
    "link-color": ("#0B5FA5", "#7CB8EE"),
    "border-color": ("#C9D0D8", "#3D4754"),
}


class TooLargeError(ValueError):
    """A file above its largest size; the message says what to leave off."""


@dataclass(frozen=True)
class TravelVersion:
    """One setting of the control that travels: its title, what it shows, and the states of its view by audience."""

    title: str
    source: str
    link: str
    states: Mapping[str, TravelState]  # "shown", "hidden"


@dataclass(frozen=True)
class TravelStep:
    """A step of a file: its name in the address, its titles, and its versions."""

    name: str
    title: str
    question: str
    versions: tuple[TravelVersion, ...]
    predict: bool = False
    control: str = ""  # what the control that travels is called
    task: tuple[str, str] = ("", "")  # for a reader who goes alone: while the truth is hidden, and then
    remark: str = ""  # what the file has in place of what the app has


@dataclass(frozen=True)
class TravelEdition:
    """A file's steps in one language, and the speaker's notes on them."""

    language: str
    title: str
    steps: tuple[TravelStep, ...]
    notes: str = ""


@dataclass(frozen=True)
class TravelFile:
    """A file that travels: its editions by language, drawn by Plotly or not, told in a room or read alone."""

    editions: tuple[TravelEdition, ...]
    version: str
    drawn: bool = False
    scored: bool = False  # whether a course platform is told when the last step was reached
    complaints: tuple[str, ...] = ()  # about parts of the link that cannot be used

    def html(self) -> str:
        """The whole file."""
        parts: list[tuple[str, str]] = []
        told = [self._edition(edition, parts) for edition in self.editions]
        said = {"version": self.version, "drawn": self.drawn, "scored": self.scored, "editions": told}
        first = catalogue_of(self.editions[0].language)
        parts.append(("engine", packed(engine().encode())))
        if not self.drawn:
            parts.append(("plotly", _plotly()))
        data = "".join(f'<script type="text/plain" id="{name}">{text}</script>\n' for name, text in parts)
        rules = "".join(dict.fromkeys(page_style(edition.language) for edition in self.editions))
        made = (
            f'<!DOCTYPE html>\n<html lang="{first.language}" dir="{first.direction}"><head><meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
            '<meta name="viewport" content="width=device-width"><meta name="referrer" content="no-referrer">\n'
            f'<meta name="generator" content="{escape(self.version, quote=True)}">\n'
            f"<title>{escape(self.editions[0].title)}</title>\n<style>{styles()}{rules}</style></head>\n"
            f'<body><main id="file"><p class="old">{escape(first.label("travel.old"))}</p></main>\n'
            f'<script type="application/json" id="said">{_script_safe(said)}</script>\n{data}'
            f"<script>{_starter()}</script></body></html>\n"
        )
        if len(made) > LARGEST:
            raise TooLargeError(first.label("travel.large_file"))
        return made

    def _edition(self, edition: TravelEdition, parts: list[tuple[str, str]]) -> dict[str, Any]:
        """An edition as the file's script reads it; its states go to `parts`."""
        catalogue = catalogue_of(edition.language)
        return {
            "language": edition.language,
            "direction": catalogue.direction,
            "title": edition.title,
            "labels": dict(catalogue.labels("travel")),
            "notes": edition.notes,
            "steps": [self._step(step, parts) for step in edition.steps],
        }

    def _step(self, step: TravelStep, parts: list[tuple[str, str]]) -> dict[str, Any]:
        """A step as the file's script reads it."""
        versions = []
        for version in step.versions:
            named = {}
            for audience, state in version.states.items():
                named[audience] = f"state-{len(parts)}"
                parts.append((named[audience], state.packed()))
            said = {"title": version.title, "source": version.source}
            versions.append(said | {"link": version.link, "states": named})
        return {
            "name": step.name,
            "title": step.title,
            "question": step.question,
            "predict": step.predict,
            "control": step.control,
            "task": list(step.task),
            "remark": step.remark,
            "versions": versions,
        }


def _script_safe(said: object) -> str:
    """JSON inside of a script element."""
    return json.dumps(said, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


@lru_cache(maxsize=1)
def _plotly() -> str:
    """Plotly's script, packed."""
    return packed(plotlyscript.script().read_bytes())


@lru_cache(maxsize=1)
def engine() -> str:
    """The script of the file, with the stage inside of it."""
    return scripts.run(_HERE / "file.js")


@lru_cache(maxsize=1)
def _starter() -> str:
    """The script that unpacks the others."""
    return scripts.uncommented((_HERE / "starter.js").read_text("utf-8"))


@lru_cache(maxsize=1)
def styles() -> str:
    """The styles of the stage, of the notes and of the file."""
    colors = (
        ":root{" + "".join(f"--st-{name}:{light};" for name, (light, _) in COLORS.items()) + "}"
        ":root[data-dark]{" + "".join(f"--st-{name}:{dark};" for name, (_, dark) in COLORS.items()) + "}"
    )
    files = (_HERE.parent / "notes.css", _HERE / "file.css")
    return "\n".join([colors, stage.styles(), *(each.read_text("utf-8") for each in files)])
