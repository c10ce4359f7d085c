"""Which noise a curator adds: a mechanism of the registry, and what it must be told beside the level."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from ldpcore.mechanisms import of_kind
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.mechanisms.laplace import LaplaceMechanism


@lru_cache(maxsize=2)
def noises(whole: bool) -> dict[str, type[AdditiveNoise]]:
    """The mechanisms by their slugs; those in whole numbers where what is released has a part that is one."""
    return {member.slug: member for member in of_kind(AdditiveNoise) if whole or not member.whole}  # type: ignore[type-abstract]


@dataclass(frozen=True)
class Noise:
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

    def real(self) -> Noise:
        """The noise of what is no whole number: Laplace noise where this one is in whole numbers."""
        return Noise() if self.whole else self

    def with_settings(self, **needs: float | str) -> Noise:
        """This mechanism with settings of its own."""
        return replace(self, needs=tuple(sorted(needs.items())))

    def at(self, level: float, sensitivity: float, neighbors: str) -> AdditiveNoise:
        """The noise at a level, for what one person moves so far."""
        return self.member.calibrated(level, sensitivity, neighbors, **dict(self.needs))


LAPLACE = Noise()  # what old addresses mean, which name no mechanism
