"""What the room predicts on this page, view by view, and what of each picture its question is about."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from explorer.predicting import Prediction

PREDICTED: Mapping[str, Prediction] = MappingProxyType(
    {
        "everybody": Prediction(("truth", "estimate"), whole=True, stays=("said",), tells=("n", "confidence")),
        "deny": Prediction(("after_yes", "after_no"), stays=("before",), tells=("prior",), stand=("present",)),
        "again": Prediction(("deviation",), stays=("truth",), tells=("repeats", "unit")),
        "plan": Prediction(("people", "worth"), whole=True, stays=("honest",), tells=("coins", "upto", "onward")),
        "real": Prediction(("estimate", "answered_share"), whole=True, stays=("asked",), tells=("confidence",)),
    }
)
