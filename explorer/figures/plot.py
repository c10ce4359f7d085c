"""Figures as plain descriptions, in Plotly's words, which Plotly itself sees only when the browser is to draw them.

Measured: Plotly's own objects judge and copy every property of every trace, four times as long as all else that a page
does for a slider's move. So a figure is put together from dictionaries; that Plotly accepts each of them is tested.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

Trace = dict[str, Any]
_PACKED = {"f": "f8", "i": "f8", "u": "f8"}  # Plotly reads no integers of eight bytes


def _trace(kind: str, **described: Any) -> Trace:
    return {"type": kind} | described


scatter = partial(_trace, "scatter")
bar = partial(_trace, "bar")
heatmap = partial(_trace, "heatmap")


@dataclass(init=False)
class Figure:
    """Traces, a layout, and frames where something moves by itself."""

    data: list[Trace] = field(default_factory=list)
    layout: dict[str, Any] = field(default_factory=dict)
    frames: list[dict[str, Any]] = field(default_factory=list)

    def __init__(
        self, data: Trace | Iterable[Trace] = (), layout: dict[str, Any] | None = None, frames: Iterable[Any] = ()
    ) -> None:
        self.data = [data] if isinstance(data, dict) else list(data)
        self.layout, self.frames = dict(layout or {}), list(frames)

    def add(self, trace: Trace) -> None:
        """One more trace, drawn above those that are there."""
        self.data.append(trace)

    def add_scatter(self, **described: Any) -> None:
        """One more line or cloud of points."""
        self.add(scatter(**described))

    def add_bar(self, **described: Any) -> None:
        """One more row of bars."""
        self.add(bar(**described))

    @property
    def bare(self) -> bool:
        """Whether no value is in it: nothing but words and guides, and bars without length."""
        return not any(_shows(trace) for trace in self.data if trace.get("meta") != "decoration")

    def plain(self) -> dict[str, Any]:
        """The whole figure in JSON's own kinds of values."""
        description = _plain(vars(self))
        assert isinstance(description, dict)
        return description

    def json(self) -> str:
        """The whole figure as Plotly reads it in the browser."""
        return json.dumps(self.plain(), separators=(",", ":"), allow_nan=False)


def _shows(trace: Trace) -> bool:
    """Whether a trace has a mark that can be seen."""
    values = np.asarray(trace.get("x" if trace.get("orientation") == "h" else "y", ()), dtype=object).ravel()
    return any(bool(value) for value in values) if trace["type"] == "bar" else len(values) > 0


def _plain(value: Any) -> Any:
    """A value as JSON holds it: long columns of numbers as packed bytes, and what is no number as nothing."""
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, np.ndarray):
        packed = _PACKED.get(value.dtype.kind) if value.ndim == 1 else None
        if packed is None:
            return _plain(value.tolist())
        return {"dtype": packed, "bdata": base64.b64encode(value.astype(f"<{packed}").tobytes()).decode("ascii")}
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, (str, int)) else [_plain(part) for part in value]
