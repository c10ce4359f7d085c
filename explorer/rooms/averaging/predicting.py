"""What the room predicts on this page, view by view, and what of each picture its question is about."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from explorer.predicting import Prediction

PREDICTED: Mapping[str, Prediction] = MappingProxyType(
    {
        "pile": Prediction(
            ("off", "error", "spent"), stays=("truth", "releases", "paid"), tells=("repeats",), centered="xaxis"
        ),
        "path": Prediction(("off", "error", "spent"), stays=("truth",), tells=("repeats",), centered="yaxis"),
        "plan": Prediction(("needed", "once"), stays=("wanted",), tells=("width", "confidence"), stand=("present",)),
    }
)
