"""What the room predicts on this page, view by view, and what of each picture its question is about."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from explorer.predicting import Prediction

PREDICTED: Mapping[str, Prediction] = MappingProxyType(
    {
        "bars": Prediction(("top_estimate", "error"), stays=("lies", "left"), tells=("hold", "meant")),
        "top": Prediction(("right", "found"), stays=("rest", "listed", "begins"), tells=("size", "list")),
        "which": Prediction(("best_error", "margin")),
        "decoding": Prediction(("proven",), tells=("words", "hold")),
        "after": Prediction(("squared", "top_mean"), stays=("once",), tells=("rule",)),
        "plan": Prediction(("needed", "reach"), stays=("wanted",), tells=("width", "confidence"), stand=("present",)),
        "real": Prediction(("top_estimate", "error"), stays=("lies", "left"), tells=("hold",)),
        "report": Prediction(("belief",), whole=True, stays=("after",)),
    }
)
