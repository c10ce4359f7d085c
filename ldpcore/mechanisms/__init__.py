"""THE REGISTRY: every mechanism, once. Pages, figures, laws and the reference iterate over it and never list it again.

May import what `ldpcore` may; a mechanism is added by one file in this folder and one line below.
"""

from __future__ import annotations

from typing import TypeVar

from ldpcore.mechanisms.additive import SummationHistogramEncoding
from ldpcore.mechanisms.ball import BallSampling
from ldpcore.mechanisms.base import (
    CategoryRandomizer,
    CentralRelease,
    FrequencyOracle,
    LocalRandomizer,
    Mechanism,
    NumberRandomizer,
    Reporter,
)
from ldpcore.mechanisms.binary import AlphaBinary
from ldpcore.mechanisms.centralgaussian import GaussianMechanism
from ldpcore.mechanisms.coins import TwoCoins
from ldpcore.mechanisms.discretelaplace import DiscreteLaplaceMechanism
from ldpcore.mechanisms.exponential import ExponentialMechanism
from ldpcore.mechanisms.geometric import LocalGeometric
from ldpcore.mechanisms.grr import GeneralizedRandomizedResponse, RandomizedResponse
from ldpcore.mechanisms.hadamard import HadamardResponse
from ldpcore.mechanisms.hashing import BinaryLocalHashing, OptimizedLocalHashing
from ldpcore.mechanisms.hybrid import HybridMechanism
from ldpcore.mechanisms.hypercube import HypercubeSampling
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.mechanisms.localgaussian import LocalGaussian
from ldpcore.mechanisms.locallaplace import LocalLaplace
from ldpcore.mechanisms.noisymax import ReportNoisyMax
from ldpcore.mechanisms.onebit import OneBit
from ldpcore.mechanisms.pairs import PairRandomizer
from ldpcore.mechanisms.partition import PartitionReports, ResponseReports
from ldpcore.mechanisms.partitionhalves import HalfAndHalf
from ldpcore.mechanisms.piecewise import PiecewiseMechanism
from ldpcore.mechanisms.rappor import Rappor
from ldpcore.mechanisms.selector import Selector
from ldpcore.mechanisms.splitting import SampledCoordinates, SplitLevel
from ldpcore.mechanisms.squarewave import SquareWave
from ldpcore.mechanisms.staircase import StaircaseMechanism
from ldpcore.mechanisms.subset import SubsetSelection
from ldpcore.mechanisms.thresholding import ThresholdingHistogramEncoding
from ldpcore.mechanisms.unary import OptimizedUnaryEncoding, SymmetricUnaryEncoding
from ldpcore.mechanisms.vectors import VectorRandomizer

MechanismType = TypeVar("MechanismType", bound=Mechanism)

REGISTRY: tuple[type[Reporter], ...] = (
    LaplaceMechanism,
    DiscreteLaplaceMechanism,
    GaussianMechanism,
    StaircaseMechanism,
    ExponentialMechanism,
    ReportNoisyMax,
    RandomizedResponse,
    TwoCoins,
    GeneralizedRandomizedResponse,
    SymmetricUnaryEncoding,
    OptimizedUnaryEncoding,
    BinaryLocalHashing,
    OptimizedLocalHashing,
    SummationHistogramEncoding,
    ThresholdingHistogramEncoding,
    SubsetSelection,
    HadamardResponse,
    Rappor,
    LocalLaplace,
    OneBit,
    AlphaBinary,
    PiecewiseMechanism,
    HybridMechanism,
    LocalGaussian,
    LocalGeometric,
    PartitionReports,
    HalfAndHalf,
    ResponseReports,
    SquareWave,
    SplitLevel,
    SampledCoordinates,
    HypercubeSampling,
    BallSampling,
)

KINDS: tuple[type[Mechanism], ...] = (
    CentralRelease,
    Selector,
    LocalRandomizer,
    CategoryRandomizer,
    FrequencyOracle,
    NumberRandomizer,
    PairRandomizer,
    VectorRandomizer,
)


def of_kind(kind: type[MechanismType]) -> tuple[type[MechanismType], ...]:
    """The registered mechanisms of one kind, in the order of the registry."""
    return tuple(member for member in REGISTRY if issubclass(member, kind))


def by_slug(slug: str) -> type[Mechanism]:
    """The registered mechanism of this name in links; a `KeyError` names the unknown one."""
    return {member.slug: member for member in REGISTRY}[slug]
