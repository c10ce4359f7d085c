"""Famous mistakes, each of which must FAIL the laws. Exempt from the registry; the gallery of fakes lists them.

Each is written as its makers wrote it and claims the level they claimed; `guarantee()` computes the real one.
May import what `ldpcore` may.
"""

from __future__ import annotations

from ldpcore.broken.categories import ImpossibleAnswer
from ldpcore.broken.central import (
    AssumedSensitivity,
    BoundedNoiseCount,
    ForgottenRepeats,
    GaussianWithoutDelta,
    HalvedNoise,
    UnclippedLocalLaplace,
)
from ldpcore.broken.scales import BoundsReadFromData, ShareNoiseOnCount
from ldpcore.mechanisms.base import Mechanism

GALLERY: tuple[type[Mechanism], ...] = (
    BoundedNoiseCount,
    GaussianWithoutDelta,
    HalvedNoise,
    AssumedSensitivity,
    UnclippedLocalLaplace,
    ShareNoiseOnCount,
    BoundsReadFromData,
    ForgottenRepeats,
    ImpossibleAnswer,
)
