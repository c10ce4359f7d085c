"""The widget of a notebook: a view's stage in a cell, by anywidget, with a level that Python and the cell share."""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping
from typing import Any

import anywidget
import traitlets


class ViewWidget(anywidget.AnyWidget):
    """A view in a cell. Its `level` follows the handle, and the handle follows the level.

    `levels` are the stops of the handle: a level between two of them becomes the nearer one. `answer` is the sentence
    at the present level. Listen with `observe(heard, names="level")`.
    """

    _esm = traitlets.Unicode().tag(sync=True)
    _css = traitlets.Unicode().tag(sync=True)
    levels = traitlets.Tuple(help="the stops of the handle")
    level = traitlets.CFloat(help="the level at which the handle stands").tag(sync=True)
    state = traitlets.Bytes().tag(sync=True)
    plotly = traitlets.Bytes().tag(sync=True)
    language = traitlets.Unicode().tag(sync=True)
    question = traitlets.Unicode().tag(sync=True)
    origin = traitlets.Unicode().tag(sync=True)

    def __init__(self, said: Mapping[str, Any]) -> None:
        """Take the content of a cell, as `explorer.ui.travel.notebook` writes it."""
        self._answers, self._still = tuple(said["answers"]), str(said["still"])
        super().__init__(
            _esm=said["module"],
            _css=said["styles"],
            levels=tuple(said["stops"]),
            level=said["level"],
            **{name: base64.b64decode(said[name]) for name in ("state", "plotly")},
            **{name: said[name] for name in ("language", "question", "origin")},
        )

    @property
    def answer(self) -> str:
        """The answer at the present level, as plain text."""
        return str(self._answers[self.levels.index(self.level)])

    @traitlets.validate("level")
    def _at_a_stop(self, proposal: Mapping[str, Any]) -> float:
        """The stop nearest to a level, by their ratio."""
        level = float(proposal["value"])
        if not (math.isfinite(level) and level > 0):
            raise traitlets.TraitError(f"level must be a positive number; got {level:g}")
        return float(min(self.levels, key=lambda stop: abs(math.log(stop / level))))

    def __repr__(self) -> str:
        return f"{self.question} {self.answer}"

    def _repr_mimebundle_(self, **given: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The widget, and the view as it stood at first, for whoever reads the notebook where no widget runs."""
        data, metadata = super()._repr_mimebundle_(**given) or ({}, {})
        return {**data, "text/html": self._still, "text/plain": repr(self)}, metadata
