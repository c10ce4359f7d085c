"""What the room predicts on this page, view by view, and what of each picture its question is about."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from explorer.predicting import Prediction

PREDICTED: Mapping[str, Prediction] = MappingProxyType(
    {
        "curves": Prediction(
            ("factor",), stays=("curator", "useless"), tells=("low", "high", "unit"), stand=("present",)
        ),
        "pictures": Prediction(("factor", "outer"), whole=True, stays=("local_title",), tells=("n",)),
        "found": Prediction(("alone", "smallest"), stays=("everybody",), tells=("columns",)),
        "choose": Prediction(("chosen_by", "noisy_by")),
        "plan": Prediction(("people_curator", "people_local"), tells=("width",), stand=("present",), stays=("there",)),
    }
)
