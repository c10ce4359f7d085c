"""What the room predicts on this page, view by view, and what of each picture its question is about."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from explorer.predicting import Prediction

PREDICTED: Mapping[str, Prediction] = MappingProxyType(
    {
        "ratio": Prediction(("times", "ratio"), tells=("model",), whole=True),
    }
)
