"""What the room predicts on this page, view by view, and what of each picture its question is about."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from explorer.predicting import Prediction

PREDICTED: Mapping[str, Prediction] = MappingProxyType(
    {
        "shape": Prediction(("half", "spread", "true_half"), stays=("reports",), tells=("low", "high", "unit")),
        "report": Prediction(("belief", "times"), stays=("sent", "first", "second"), tells=("first", "second", "unit")),
        "steps": Prediction(("plain_steps", "smoothed_steps"), stays=("step",), tells=("unit",)),
    }
)
