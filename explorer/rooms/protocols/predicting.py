"""What the room predicts on this page, view by view, and what of each picture its question is about."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from explorer.predicting import Prediction

TREE = ("looked_at", "other", "h0", "h1", "h00", "h01", "h10", "h11")  # all alike wide
PREDICTED: Mapping[str, Prediction] = MappingProxyType(
    {
        "one": Prediction(("error", "estimate"), stays=("belief", "yes", "no", "left"), tells=("n", "reach")),
        "against": Prediction(
            ("listening", "factor"), stays=("silent", "once", "anew"), tells=("runs",), stand=("present",)
        ),
        "pair": Prediction(("branch", "path"), stays=TREE, tells=("x1", "x2")),
        "search": Prediction(("off", "alone"), stays=("possible",), tells=("reach", "delta", "limit", "tests")),
    }
)
