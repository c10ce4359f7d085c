"""What the room predicts on this page, view by view, and what of each picture its question is about."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from explorer.predicting import Prediction

SET = ("symbol", "claim", "allowed", "first", "second", "rows", "columns")
PREDICTED: Mapping[str, Prediction] = MappingProxyType(
    {
        "ratio": Prediction(("level",), whole=True, stays=("law", "promise"), tells=SET),
        "audit": Prediction(("proven",), stays=("promise",), tells=("symbol", "trials")),
        "curve": Prediction(("needed",), tells=("symbol", "alpha"), stays=("stricter",)),
        "merging": Prediction(("after",), stays=("promise",), tells=("left",), stand=("present",)),
        "measures": Prediction(("errors",), whole=True, tells=("symbol",)),
        "test": Prediction(("power",), stays=("guessing",), tells=("size",), stand=("present",)),
        "gallery": Prediction(("caught", "fakes"), stays=("promise",), tells=("total",)),
    }
)
