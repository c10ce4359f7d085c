"""Telling settings of the page about trust, and what its views are told there."""

from __future__ import annotations

import numpy as np
import pandas as pd

from explorer.pages.trust.settings import KnownColumns, Trust
from explorer.settings.numbers import PeopleSource
from ldpcore.tables.table import Table, built_in


def samples() -> tuple[Trust, ...]:
    """Telling settings, the default ones first: a crowd, few patients, a billion, all alike."""
    clinic = built_in("clinic")
    return (
        Trust(),
        Trust(PeopleSource.of_column(clinic, "age", 0, 120), 1e-3, seed=4),
        Trust(PeopleSource.of_shape("skewed", 10**9), 1e-9),
        Trust(PeopleSource.of_shape("constant", 20), 0.01, 0.8),
    )


def _tables() -> tuple[tuple[Trust, KnownColumns], ...]:
    """Tables of as many people and the same columns, whose values spread ever further."""
    rng = np.random.default_rng(5)
    frames = (
        pd.DataFrame({"age": rng.integers(20, 20 + reach, 60), "sex": rng.choice(["F", "M"], 60)})
        for reach in range(4, 60, 4)
    )
    return tuple((Trust(), KnownColumns(Table.of(frame, "people"), ("age", "sex"))) for frame in frames)


VARIED = {"found": _tables}
TOLD: dict[tuple[int, str], object] = {}
