"""What the room predicts on this page, view by view, and what of each picture its question is about."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from explorer.predicting import Prediction

PREDICTED: Mapping[str, Prediction] = MappingProxyType(
    {
        "people": Prediction(
            ("floor", "reach"),
            stays=("direct", "blind", "wish"),
            tells=("n", "slope_open", "loss", "width"),
            stand=("present",),
        ),
        "worlds": Prediction(("guess",), stays=("first", "second", "same"), tells=("few", "crowd")),
        "exponents": Prediction(("private_exponent", "simple_ratio"), stays=("direct", "here", "unit")),
        "vectors": Prediction(("cube_floor", "cube_reach"), tells=("d",), stand=("present",)),
    }
)
