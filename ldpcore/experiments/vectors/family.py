"""The methods side by side: every mechanism for vectors as it is usually set, the hypercube with the best cap too."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Annotated, Any

from ldpcore.mechanisms import of_kind
from ldpcore.mechanisms.ball import BallSampling
from ldpcore.mechanisms.hypercube import HypercubeSampling
from ldpcore.mechanisms.vectors import VectorRandomizer
from ldpcore.parameters import Choice

TUNED = "tuned"  # the hypercube with its best cap
# The ball of radius √d is the smallest one that holds the whole cube.
_SETTINGS: Mapping[type[Any], Callable[[int], dict[str, Any]]] = MappingProxyType(
    {BallSampling: lambda d: {"radius": math.sqrt(d)}}
)
_MEMBERS: Mapping[str, type[Any]] = MappingProxyType(
    {member.slug: member for member in of_kind(VectorRandomizer)}  # type: ignore[type-abstract]
)
METHODS: tuple[str, ...] = (*_MEMBERS, TUNED)
Method = Annotated[str, Choice(r"\mathcal{M}", METHODS)]


def method(slug: str, epsilon: float, d: int) -> VectorRandomizer:
    """The method at a level, for d questions whose answers lie in [-1, 1]."""
    if slug == TUNED:
        return HypercubeSampling(epsilon, d, TUNED)
    member = _MEMBERS[slug]
    made: VectorRandomizer = member(epsilon, d, **_SETTINGS[member](d) if member in _SETTINGS else {})
    return made
