"""Studies: a declared grid of surveys that nobody answers, run wherever there is room, with equal rows everywhere."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ldpcore.fingerprints import fingerprint
from ldpcore.library.designs import build
from ldpcore.library.domains import Categories, Domain, Numbers
from ldpcore.library.extras import require
from ldpcore.library.refused import LibraryRefusal
from ldpcore.library.running import batches, run_batches
from ldpcore.mechanisms import REGISTRY
from ldpcore.mechanisms.base import LocalRandomizer
from ldpcore.parameters import Seed, Users, declaration
from ldpcore.people.populations import Population
from ldpcore.people.scales import SHAPES, numbers_of_shape

if TYPE_CHECKING:
    import pandas as pd

VERSION = 1  # of what a row means; rows of another version are computed anew
CROWDS: tuple[str, ...] = ("uniform", "zipf", "two-point")  # of categories; those of numbers are SHAPES
SHARE = 0.1  # of the second category in a crowd of two points
StudyRow = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """One survey of a grid; `k` is 0 for numbers, which lie in [-1, 1]."""

    mechanism: str
    epsilon: float
    k: int
    n: int
    population: str
    seed: int

    @property
    def digest(self) -> str:
        """The digest by which the row is found again, and from which its randomness follows."""
        return fingerprint((VERSION, *vars(self).values()))

    def row(self) -> StudyRow:
        """The row of this survey: the errors of the estimates, and the exact expected ones."""
        domain, people = _crowd(self)
        design = build(self.mechanism, self.epsilon, domain)
        assert isinstance(design.mechanism, LocalRandomizer)
        rng = np.random.default_rng(np.random.SeedSequence(int(self.digest, 16)))
        tally = design.mechanism.sample_tally(people, rng)
        off = np.atleast_1d(design.mechanism.estimate(tally) - design.mechanism.truth(people))
        expected = np.mean(design.mechanism.variance(people))
        return {
            "digest": self.digest,
            **vars(self),
            "squared_error": float(np.mean(off**2)),
            "largest_error": float(np.abs(off).max()),
            "expected_squared_error": float(expected),
        }


def _crowd(case: Case) -> tuple[Domain, Population]:
    if not case.k:
        return Numbers(-1, 1), numbers_of_shape(case.population, case.n)
    people = {
        "uniform": lambda: Population.uniform(case.k, case.n),
        "zipf": lambda: Population.zipf(case.k, case.n),
        "two-point": lambda: Population.two_point(case.k, case.n, SHARE),
    }[case.population]()
    return Categories.numbered(case.k), people


@dataclass(frozen=True)
class Study:
    """A grid of surveys: mechanisms × levels × k × n × populations × seeds, as a value; a row for each that exists.

    Mechanisms for numbers take no k, and those for two categories no other. Populations of categories are `uniform`,
    `zipf` and `two-point`; those of numbers `skewed`, `two-point`, `constant`, `uniform` and `bell`.

    >>> import ldpcore
    >>> study = ldpcore.Study(["grr", "oue"], levels=[1.0, 2.0], n=[1000], k=[10, 50])
    >>> len(study.cases()), study.run().shape
    (8, (8, 10))
    """

    mechanisms: Sequence[str]
    levels: Sequence[float]
    n: Sequence[int]
    k: Sequence[int] = ()
    populations: Sequence[str] = ("uniform",)
    seeds: Sequence[int] = (0,)

    def __post_init__(self) -> None:
        for name in ("mechanisms", "levels", "n", "k", "populations", "seeds"):
            held = getattr(self, name)
            if isinstance(held, str) or not isinstance(held, Iterable) or (name != "k" and not tuple(held)):
                raise LibraryRefusal("study_axis", name=name, got=held)
            object.__setattr__(self, name, tuple(held))
        for n in self.n:
            declaration(Users).check("n", n)
        for seed in self.seeds:
            declaration(Seed).check("seed", seed)
        self.cases()

    def cases(self) -> tuple[Case, ...]:
        """Every survey of the grid, in its order; a level or a k that a mechanism refuses is refused."""
        return tuple(dict.fromkeys(self._listed()))

    def _listed(self) -> Iterator[Case]:
        for slug in self.mechanisms:
            member = next((each for each in REGISTRY if each.slug == slug), None)
            numbers = member is not None and Numbers(-1, 1).serves(member)
            if not numbers and not self.k:
                raise LibraryRefusal("study_axis", name="k", got=self.k)
            domains: dict[int, Domain] = {k: Categories.numbered(k) for k in self.k}
            domains = {0: Numbers(-1, 1)} if numbers else domains
            served = {k: domain for k, domain in domains.items() if member is not None and domain.serves(member)}
            options = SHAPES if numbers else CROWDS
            for level, (k, domain) in itertools.product(self.levels, (served or domains).items()):
                build(slug, level, domain)  # what it refuses is no grid
                for n, population, seed in itertools.product(self.n, self.populations, self.seeds):
                    if population not in options:
                        raise LibraryRefusal("study_population", slug=slug, options=options, got=population)
                    yield Case(slug, float(level), int(k), int(n), population, int(seed))

    def run(
        self,
        where: str = "serial",
        *,
        store: str | Path | None = None,
        workers: int | None = None,
        progress: bool | None = None,
    ) -> pd.DataFrame:
        """A row for each survey, in the order of the grid: serially, in "processes", or at a Dask scheduler's address.

        The rows are the same however it is run. Finished rows are kept in the folder `store`, in Parquet files by the
        digest of each survey, so that a study that was stopped goes on where it was. A bar on the standard error
        stream says how far it is (`progress`; left out, where somebody looks at it).
        """
        require("tables", "pandas")
        if store is not None:
            require("parquet")
        from ldpcore.library.studyrows import RowStore, as_table

        cases = self.cases()
        kept = RowStore(None if store is None else Path(store))
        done = kept.rows({case.digest for case in cases})
        left = [case for case in cases if case.digest not in done]
        for rows in run_batches(batches(left, where, workers), where, workers, progress, (len(cases), len(done))):
            kept.add(rows)
            done.update({row["digest"]: row for row in rows})
        return as_table([done[case.digest] for case in cases])
