"""The arrays of all computations: real numbers and whole ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]
Reals = NDArray[np.float64]
RealOrWhole = NDArray[np.number]  # of either kind: what is counted, and what is added up of real numbers
