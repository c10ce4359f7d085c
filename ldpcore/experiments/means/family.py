"""The mechanisms that estimate a mean, side by side at one level: made from the registry, never listed."""

from __future__ import annotations

from ldpcore.mechanisms import by_slug, of_kind
from ldpcore.mechanisms.base import NumberRandomizer
from ldpcore.mechanisms.binary import AlphaBinary
from ldpcore.mechanisms.squarewave import SquareWave
from ldpcore.parameters import ParameterError, declarations

Settings = tuple[tuple[str, object], ...]  # further parameters by name, such as (("delta", 1e-5), ("steps", 100))


def slugs() -> tuple[str, ...]:
    """All mechanisms made for the mean of the numbers themselves, in the order of the registry."""
    members = of_kind(NumberRandomizer)  # type: ignore[type-abstract]
    return tuple(member.slug for member in members if not issubclass(member, (AlphaBinary, SquareWave)))


def at(slug: str, epsilon: float, settings: Settings = ()) -> NumberRandomizer | None:
    """A mechanism at a level, with its usual settings but for those given that it knows; none where it is refused."""
    member = by_slug(slug)
    if not issubclass(member, NumberRandomizer):
        raise ParameterError("slug_not_numbers", got=slug)
    known = {name: value for name, value in settings if name in declarations(member)}
    try:
        return member.starting(epsilon=epsilon, **known)
    except ParameterError:
        return None


def nearest(slug: str, epsilon: float, settings: Settings = ()) -> NumberRandomizer:
    """The mechanism at a level with as many of the settings as it takes there: settings that it refuses give way."""
    numbers = tuple((name, value) for name, value in settings if not isinstance(value, str))
    made = at(slug, epsilon, settings) or at(slug, epsilon, numbers) or at(slug, epsilon)
    assert made is not None
    return made


def family(epsilon: float, among: tuple[str, ...] = (), settings: Settings = ()) -> tuple[NumberRandomizer, ...]:
    """The mechanisms of these slugs (none given: all) that exist at this level."""
    made = (at(slug, epsilon, settings) for slug in among or slugs())
    return tuple(randomizer for randomizer in made if randomizer is not None)
