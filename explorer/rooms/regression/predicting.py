"""What the room predicts on this page, view by view, and what of each picture its question is about."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from explorer.predicting import Prediction

PREDICTED: Mapping[str, Prediction] = MappingProxyType(
    {
        "classes": Prediction(("right",), stays=("private",), tells=("squares", "first", "second")),
        "plan": Prediction(("people", "needed"), tells=("wish",), stays=("present",)),
        "sides": Prediction(("best", "here"), stays=("honest",), stand=("present",)),
        "steps": Prediction(("sunk", "left"), stays=("water",), tells=("x_name", "y_name")),
        "report": Prediction(("guess", "apart"), stays=("location", "response")),
    }
)
