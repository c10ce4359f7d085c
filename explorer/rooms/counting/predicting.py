"""What the room predicts on this page, view by view, and what of each picture its question is about."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from explorer.predicting import Prediction

PREDICTED: Mapping[str, Prediction] = MappingProxyType(
    {
        "bet": Prediction(("chance", "right"), stays=("released", "middle"), tells=("rounds",)),
        "crowds": Prediction(("of_crowd", "error"), tells=("n",)),
        "ratio": Prediction(("off", "bias"), stays=("truth",)),
        "ten": Prediction(
            ("error", "average_error", "average"), stays=("truth",), tells=("repeats", "averaged"), centered="yaxis"
        ),
        "cells": Prediction(("worth", "reach"), stays=("released",), tells=("cells", "columns", "pages", "drawn")),
        "plan": Prediction(("reach",), stays=("wanted",), tells=("width", "confidence"), stand=("present",)),
        "bound": Prediction(
            ("best_bound", "best_error", "bound_error"),
            stays=("kept", "above", "bound", "newcomer"),
            tells=("bound", "records", "newcomer", "largest"),
            stand=("present",),
        ),
        "one": Prediction(("error",), stays=("released",), centered="xaxis"),
    }
)
