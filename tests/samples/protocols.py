"""Telling settings of the page about protocols, and what its views are told there."""

from __future__ import annotations

from explorer.pages.protocols.settings import Protocols
from ldpcore.experiments.protocols import Example
from ldpcore.protocols import UniformCrowd


def samples() -> tuple[Protocols, ...]:
    """Telling settings, the default ones first: two stages, a wide crowd, a search with few steps and few people."""
    return (
        Protocols(),
        Protocols(Example("stages")),
        Protocols(Example("search", UniformCrowd(-0.2342, 0.4), 0.25), 5000, 7),
        Protocols(Example("stages", UniformCrowd(0.1, 0.85)), 64),
        Protocols(Example("steps", UniformCrowd(-0.4, 0.6), 0.2), 200, 3),
    )


TOLD: dict[tuple[int, str], object] = {
    **{(place, "search"): "tail" for place in (1, 2, 3)},
    **{(place, "pair"): ("breaks", 1, 2, 1) for place in (2, 3, 4)},
    (2, "one"): 4000,
    **{(place, "one"): 50 for place in (3, 4)},
    **{(place, "against"): ("rounds", 7) for place in (2, 3)},
}
