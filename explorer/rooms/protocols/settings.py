"""What the reader has set on the page about protocols that listen, and what each of its views asks then."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from ldpcore.experiments import protocols
from ldpcore.experiments.protocols import Example
from ldpcore.protocols import Crowd

PARTS = ("path", "tail")
PERSON, ROUNDS = 500, 4
Pair = tuple[str, int, int, int]  # design, both quarters, and the answer that is looked at: 0 no, 1 yes
USUAL: Pair = ("listens", 4, 4, 1)


@dataclass(frozen=True)
class Protocols:
    """An example, its crowd, how many are asked, and the seed."""

    example: Example = field(default_factory=Example)
    n: int = 1000
    seed: int = 1

    def one(self, level: float) -> protocols.OneRun:
        """One run."""
        return protocols.OneRun(level, self.example, self.n, self.seed)

    def against(self, level: float) -> protocols.AgainstSilence:
        """Both errors."""
        return protocols.AgainstSilence(level, self.example, self.n, seed=self.seed)

    def pair(self, level: float, own: Pair = USUAL) -> protocols.TwoPeople:
        """Two people."""
        return protocols.TwoPeople(level, *own)

    def search(self, level: float, part: str = "path") -> Any:
        """A search among this crowd, whatever the example is."""
        example = replace(self.example, slug="search")
        if part == "tail":
            return protocols.SearchTail(level, example, self.n, self.seed)
        return protocols.SearchPath(level, example, self.n, self.seed)

    def person(self, level: float, person: int = PERSON) -> protocols.OnePerson:
        """One person of the run."""
        return protocols.OnePerson(level, self.example, self.n, self.seed, min(person, self.n))

    def rounds(self, level: float, k: int = ROUNDS) -> protocols.MoreRounds:
        """More rounds."""
        return protocols.MoreRounds(level, k, self.example.crowd)


def samples() -> tuple[Protocols, ...]:
    """Telling settings, the default ones first: two stages, a wide crowd, a search with few steps and few people."""
    return (
        Protocols(),
        Protocols(Example("stages")),
        Protocols(Example("search", Crowd(-0.2342, 0.4), 0.25), 5000, 7),
        Protocols(Example("stages", Crowd(0.1, 0.85)), 64),
        Protocols(Example("steps", Crowd(-0.4, 0.6), 0.2), 200, 3),
    )


def own(view: str, settings: Protocols) -> Any:
    """What a view asks the reader at first; other settings look at other sides of it."""
    other = settings.n != 1000
    return {
        "pair": ("breaks", 1, 2, 1) if other else USUAL,
        "search": "tail" if settings.example.slug != "steps" else "path",
        "person": 50 if other else PERSON,
        "rounds": 7 if other else ROUNDS,
    }.get(view)
