"""What the room predicts on this page, view by view, and what of each picture its question is about."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from explorer.predicting import Prediction

PREDICTED: Mapping[str, Prediction] = MappingProxyType(
    {
        "totals": Prediction(
            ("spent", "charge"), stays=("basic", "total", "battery"), tells=("k", "total"), stand=("present",)
        ),
        "daily": Prediction(("guess", "days_level"), stays=("present",), tells=("days",)),
        "groups": Prediction(("promise", "laplace", "normal"), tells=("g",), stand=("present",)),
        "ledger": Prediction(("ledger_spent", "ledger_sum"), stays=("total",), tells=("ledger_total",)),
        "split": Prediction(("by_level", "by_people"), stays=("useless",), tells=("questions",), stand=("present",)),
    }
)
