"""The reader's settings on the page about protocols that listen, and the question of each of its views."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ldpcore.experiments import protocols
from ldpcore.experiments.protocols import Example
from ldpcore.questions import Asking

PARTS = ("path", "tail")
PERSON = 500
ListeningChoice = tuple[str, int, int, int]  # design, both quarters, and the answer that is looked at: 0 no, 1 yes
Rival = tuple[str, int]  # what is compared, and how many rounds where people are asked again
RIVALS = ("silence", "rounds")
FIRST_RIVAL: Rival = (RIVALS[0], 4)
USUAL: ListeningChoice = ("listens", 4, 4, 1)


@dataclass(frozen=True)
class Protocols:
    """An example, its crowd, the number of people asked, and the seed."""

    example: Example = field(default_factory=Example)
    n: int = 1000
    seed: int = 1

    def one(self, level: float, person: int) -> tuple[protocols.OneRun, protocols.NextQuestion]:
        """One run, and one person's view of it."""
        run = protocols.OneRun(level, self.example, self.n, self.seed)
        return run, protocols.NextQuestion(level, self.example, self.n, self.seed, min(person, self.n))

    def main(self, level: float) -> protocols.OneRun:
        """The run of the page's answer."""
        return protocols.OneRun(level, self.example, self.n, self.seed)

    def against(self, level: float, rival: Rival) -> Asking:
        """The listeners against those who do not listen, or against themselves, asked again."""
        name, k = rival
        if name == "rounds":
            return protocols.MoreRounds(level, k, self.example.crowd)
        return protocols.AgainstSilence(level, self.example, self.n, seed=self.seed)

    def pair(self, level: float, pair: ListeningChoice) -> protocols.TwoPeople:
        """Two people."""
        return protocols.TwoPeople(level, *pair)

    def search(self, level: float, part: str) -> Asking:
        """A search among this crowd, whatever the example is."""
        example = replace(self.example, slug="search")
        if part == "tail":
            return protocols.SearchTail(level, example, self.n, self.seed)
        return protocols.SearchPath(level, example, self.n, self.seed)

    def first_person(self) -> int:
        """The first person to look at, by their number."""
        return min(PERSON, self.n)
