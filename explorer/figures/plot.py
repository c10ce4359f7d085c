"""Figures as plain descriptions, in Plotly's words, which Plotly itself sees only when the browser is to draw them.

Measured: Plotly's own objects judge and copy every property of every trace, four times as long as all else that a page
does for a slider's move. So a figure is put together from dictionaries; that Plotly accepts each of them is tested.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

Trace = dict[str, Any]
Column = Sequence[object] | NDArray[np.generic]  # what stands along an axis
_PACKED = {"f": "f8", "i": "f8", "u": "f8"}  # Plotly reads no integers of eight bytes


def _trace(kind: str, **described: object) -> Trace:
    return {"type": kind} | described


scatter = partial(_trace, "scatter")
bar = partial(_trace, "bar")
heatmap = partial(_trace, "heatmap")


@dataclass(init=False)
class Figure:
    """Traces, a layout, and frames where something moves by itself."""

    data: list[Trace] = field(default_factory=list)
    layout: dict[str, Any] = field(default_factory=dict)
    frames: list[dict[str, object]] = field(default_factory=list)

    def __init__(
        self,
        data: Trace | Iterable[Trace] = (),
        layout: Mapping[str, object] | None = None,
        frames: Iterable[dict[str, object]] = (),
    ) -> None:
        self.data = [data] if isinstance(data, dict) else list(data)
        self.layout, self.frames = dict(layout or {}), list(frames)

    def add(self, trace: Trace) -> None:
        """One more trace, drawn above those that are there."""
        self.data.append(trace)

    def add_scatter(self, **described: object) -> None:
        """One more line or cloud of points."""
        self.add(scatter(**described))

    def add_bar(self, **described: object) -> None:
        """One more row of bars."""
        self.add(bar(**described))

    def plain(self) -> dict[str, Any]:
        """The whole figure in JSON's own kinds of values."""
        description = _plain(vars(self))
        assert isinstance(description, dict)
        return description

    def json(self) -> str:
        """The whole figure as Plotly reads it in the browser."""
        return json.dumps(self.plain(), separators=(",", ":"), allow_nan=False)


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
