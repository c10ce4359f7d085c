"""What the room predicts on this page, view by view, and what of each picture its question is about."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from explorer.predicting import Prediction

PREDICTED: Mapping[str, Prediction] = MappingProxyType(
    {
        "everybody": Prediction(
            ("estimate", "truth"), stays=("bounds", "reports"), tells=("shown", "n", "low", "high", "outside", "unit")
        ),
        "groups": Prediction(("gap", "gap_error"), stays=("bounds", "zero"), tells=("unit", "confidence")),
        "plan": Prediction(("people", "needed"), tells=("width", "unit"), stays=("present",)),
        "real": Prediction(("estimate", "error"), whole=True, stays=("row",), tells=("low", "high")),
        "report": Prediction(("belief", "times"), stays=("sent", "first", "second"), tells=("first", "second", "unit")),
        "variance": Prediction(("best_one", "best_error"), tells=("unit",)),
    }
)
