"""Famous mistakes, each of which must FAIL the laws. Exempt from the registry; the gallery of fakes lists them.

Each is written as its makers wrote it and claims the level they claimed; `guarantee()` computes the real one. Those of
the gallery break their level and trials show it; the unseen break it where no trials would; the miscounts keep it,
spoil the answer, and name the law that they fail.
May import what `ldpcore` may.
"""

from __future__ import annotations

from ldpcore.broken.bloom import NeverReset, RoundedFlips
from ldpcore.broken.categories import BareBit, ImpossibleAnswer, KeptNoiseBit
from ldpcore.broken.central import (
    AssumedSensitivity,
    BoundedNoiseCount,
    ForgottenRepeats,
    GaussianWithoutDelta,
    HalvedNoise,
    UnclippedLocalLaplace,
)
from ldpcore.broken.miscounts import ClippedEstimate, CodingFromOne, ForgetfulReset, Miscount, VarianceAtZero
from ldpcore.broken.scales import BoundsReadFromData, ShareNoiseOnCount
from ldpcore.broken.vectors import InvertedConstant, TiesInBothHalves
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
    KeptNoiseBit,
    BareBit,
    NeverReset,
    TiesInBothHalves,
)

# At a level of 10 a report of chance e^-10 decides, which a million trials hardly see: only the exact laws do.
UNSEEN: tuple[type[Mechanism], ...] = (RoundedFlips,)

MISCOUNTS: tuple[type[Miscount], ...] = (
    ClippedEstimate,
    CodingFromOne,
    ForgetfulReset,
    VarianceAtZero,
    InvertedConstant,
)
