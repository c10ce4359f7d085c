"""Protocols: the order in which people send, and what each knows of earlier reports.

`transcripts` holds protocols over few values, whose law is computed whole: every history, every report, every level.
`crowd` says how numbers in a public range are spread, and how one private yes comes about; `steps`, `stages` and
`search` are three protocols that listen, each beside one of the same level and as many people that does not. May import
what `ldpcore` may.
"""

from ldpcore.protocols.crowd import Run, UniformCrowd, largest_share, smallest_share, z0
from ldpcore.protocols.search import Grid, SearchAlone, SearchByGroups
from ldpcore.protocols.stages import OneStage, TwoStages
from ldpcore.protocols.steps import FixedThresholds, NoisySteps, sampled_runs
from ldpcore.protocols.transcripts import ChainRule, Fixed, History, Kernel, Listening, Protocol, Turn

__all__ = [
    "ChainRule",
    "Fixed",
    "FixedThresholds",
    "Grid",
    "History",
    "Kernel",
    "Listening",
    "NoisySteps",
    "OneStage",
    "Protocol",
    "Run",
    "SearchAlone",
    "SearchByGroups",
    "Turn",
    "TwoStages",
    "UniformCrowd",
    "largest_share",
    "sampled_runs",
    "smallest_share",
    "z0",
]
