"""What the room predicts on this page, view by view, and what of each picture its question is about."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from explorer.predicting import Prediction

PREDICTED: Mapping[str, Prediction] = MappingProxyType(
    {
        "errors": Prediction(
            ("reached",), stays=("guessing", "direct"), tells=("size", "mechanism"), stand=("present",)
        ),
        "before": Prediction(
            ("left", "nearest", "crowd", "here", "bits"),
            stays=("before", "larger", "direct", "open"),
            tells=("right", "mechanism", "factor", "order"),
        ),
        "best": Prediction(("accused", "missed"), stays=("first", "second")),
        "guess": Prediction(("best", "assouad"), stays=("blind",), tells=("groups",), stand=("present",)),
    }
)
