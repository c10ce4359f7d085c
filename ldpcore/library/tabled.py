"""Results as tables of pandas."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

if TYPE_CHECKING:
    from ldpcore.library.estimated import Estimate


def table_of(estimate: Estimate) -> pd.DataFrame:
    """An estimate, a row for each label, whose name is that of the index."""
    columns = {
        "estimate": estimate.values,
        "standard_error": estimate.standard_errors,
        "low": estimate.low,
        "high": estimate.high,
    }
    return pd.DataFrame(columns, index=pd.Index(list(estimate.labels), name="label", tupleize_cols=False))
