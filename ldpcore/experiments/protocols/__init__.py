"""The gain of listening before answering: one run, both errors, two people whole, a search, one person, more rounds.

An example is a protocol that listens beside one of the same level and as many people that does not. May import what
`ldpcore` may.
"""

from ldpcore.experiments.protocols.examples import FEWEST_USERS, MOST_USERS, PROTOCOL_SLUGS, USERS, Example
from ldpcore.experiments.protocols.pairs import DESIGNS, Quarter, TwoPeople, TwoPeopleResult
from ldpcore.experiments.protocols.rivals import AgainstSilence, AgainstSilenceResult
from ldpcore.experiments.protocols.rounds import ROUNDS, MoreRounds, MoreRoundsResult, ProtocolRounds
from ldpcore.experiments.protocols.runs import NextQuestion, NextQuestionResult, OneRun, OneRunResult
from ldpcore.experiments.protocols.searches import SearchPath, SearchPathResult, SearchTail, SearchTailResult

__all__ = [
    "DESIGNS",
    "FEWEST_USERS",
    "MOST_USERS",
    "PROTOCOL_SLUGS",
    "ROUNDS",
    "USERS",
    "AgainstSilence",
    "AgainstSilenceResult",
    "Example",
    "MoreRounds",
    "MoreRoundsResult",
    "NextQuestion",
    "NextQuestionResult",
    "OneRun",
    "OneRunResult",
    "ProtocolRounds",
    "Quarter",
    "SearchPath",
    "SearchPathResult",
    "SearchTail",
    "SearchTailResult",
    "TwoPeople",
    "TwoPeopleResult",
]
