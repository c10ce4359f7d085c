"""What the room predicts on this page, view by view, and what of each picture its question is about."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from explorer.predicting import Prediction

PREDICTED: Mapping[str, Prediction] = MappingProxyType(
    {
        "dimensions": Prediction(("best_error", "split_error"), stays=("useless",), tells=("d",), stand=("present",)),
        "leak": Prediction(("real_ratio", "guess"), stays=("edges",)),
        "mine": Prediction(("share", "first_estimate"), stays=("bounds",), tells=("columns", "confidence")),
        "plan": Prediction(("fewest_people", "reach"), tells=("d", "width"), stays=("present",)),
    }
)
