"""Reports in a Dask DataFrame or bag: each partition is tallied where it is, and the tallies are merged as a tree."""

from __future__ import annotations

from typing import Any

import dask
import numpy as np

from ldpcore.library.collecting import merged, tally_of_partition
from ldpcore.library.designs import Design
from ldpcore.library.tallied import Tally

TOGETHER = 8  # tallies that one task merges


def dask_tally(design: Design, reports: Any) -> Tally | None:
    """The tally of a Dask collection, on whatever scheduler is in use; None where it is none."""
    if not dask.is_dask_collection(reports):
        return None
    parts = list(np.ravel(np.asarray(reports.to_delayed(), dtype=object)))
    tallies = [dask.delayed(tally_of_partition)(design, part) for part in parts]
    while len(tallies) > 1:
        groups = [tallies[start : start + TOGETHER] for start in range(0, len(tallies), TOGETHER)]
        tallies = [dask.delayed(merged)(group) for group in groups]
    (total,) = dask.compute(*tallies)
    assert isinstance(total, Tally)
    return total
