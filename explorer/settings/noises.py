"""The source of an answer's noise: a curator by a mechanism of the registry, or everybody alone by another."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from ldpcore.mechanisms import by_slug, of_kind
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.mechanisms.base import LocalRandomizer
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.parameters import Interval, declarations


@lru_cache(maxsize=2)
def noises(whole: bool) -> dict[str, type[AdditiveNoise]]:
    """The mechanisms by their slugs; those in whole numbers where a part of the release is one."""
    return {member.slug: member for member in of_kind(AdditiveNoise) if whole or not member.whole}  # type: ignore[type-abstract]


@dataclass(frozen=True)
class ChosenNoise:
    """A mechanism by its slug, and its own settings by their names."""

    slug: str = LaplaceMechanism.slug
    needs: tuple[tuple[str, float | str], ...] = ()

    @property
    def member(self) -> type[AdditiveNoise]:
        """The mechanism."""
        return noises(True)[self.slug]

    @property
    def whole(self) -> bool:
        """Whether the noise is in whole numbers."""
        return self.member.whole

    def real(self) -> ChosenNoise:
        """The noise of a real number: Laplace noise where this one is in whole numbers."""
        return ChosenNoise() if self.whole else self

    def with_settings(self, **needs: float | str) -> ChosenNoise:
        """This mechanism with settings of its own."""
        return replace(self, needs=tuple(sorted(needs.items())))

    def at(self, level: float, sensitivity: float, neighbors: str) -> AdditiveNoise:
        """The noise at a level, for the change that one person can make."""
        return self.member.calibrated(level, sensitivity, neighbors, **dict(self.needs))


@lru_cache(maxsize=4)
def randomizers(verb: str) -> dict[str, type[LocalRandomizer]]:
    """The mechanisms by which everybody alone can answer, by their slugs."""
    from ldpcore.experiments.counting.comparing import reporters  # where everybody is asked

    return {slug: randomizer(slug) for slug in reporters(verb)}


def randomizer(slug: str) -> type[LocalRandomizer]:
    """The mechanism of a slug, by which one person reports."""
    member = by_slug(slug)
    assert issubclass(member, LocalRandomizer)
    return member


@dataclass(frozen=True)
class Alone:
    """A mechanism without a curator by its slug, and its own settings by their names."""

    slug: str
    needs: tuple[tuple[str, float], ...] = ()

    @property
    def member(self) -> type[LocalRandomizer]:
        """The mechanism."""
        return randomizer(self.slug)

    @staticmethod
    def asked_of(member: type[LocalRandomizer]) -> tuple[str, ...]:
        """The numbers that a mechanism needs beside the level."""
        return tuple(
            name for name, one in declarations(member).items() if name != "epsilon" and isinstance(one, Interval)
        )

    def with_settings(self, **needs: float) -> Alone:
        """This mechanism with settings of its own."""
        return replace(self, needs=tuple(sorted(needs.items())))

    def at(self, level: float) -> LocalRandomizer:
        """The mechanism at a level."""
        return self.member.starting(epsilon=level, **dict(self.needs))


LAPLACE = ChosenNoise()  # what old addresses mean, which name no mechanism
