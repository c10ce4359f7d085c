"""The adviser in words: the best mechanism, the next one, and where the choice changes."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.naming import short
from explorer.numbers import people, percent, significant
from explorer.ui.frame import Page
from ldpcore.adviser import Change, Option
from ldpcore.experiments.frequencies import WhichOneResult
from ldpcore.mechanisms import by_slug


def told(page: Page, found: WhichOneResult) -> dict[str, str]:
    """The numbers and names of the advice, by the names under which the texts ask for them."""
    options, adviser = found.advice.options, found.experiment.adviser
    first, next_one = options[0], options[1] if len(options) > 1 else options[0]
    return {
        "best": first.randomizer.title, "best_error": percent(first.typical_error, 3), "best_bits": _bits(first),
        "next": next_one.randomizer.title, "margin": significant(found.advice.margins[1 if len(options) > 1 else 0], 4),
        "along_k": _path(page, "k", found.along_k, adviser.best(adviser.epsilon, adviser.population.k)),
        "along_epsilon": _path(page, "epsilon", found.along_epsilon, first.randomizer.slug),
        "threshold": significant(found.threshold, 4), "last": people(found.last),
    }  # fmt: skip


def _bits(option: Option) -> str:
    """How long a report is."""
    return significant(option.bits)


def _path(page: Page, axis: str, changes: Sequence[Change], everywhere: str) -> str:
    """The best mechanisms along an axis, one after the other."""
    if not changes:
        return page.phrase(f"{axis}_only", member=_name(everywhere))
    pieces = [page.phrase(f"{axis}_first", member=_name(changes[0].before), at=_at(axis, changes[0], -1))]
    pieces += [page.phrase(f"{axis}_next", member=_name(change.after), at=_at(axis, change, 0)) for change in changes]
    return "; ".join(pieces)


def _at(axis: str, change: Change, aside: int) -> str:
    """A number of answers (or the one before it), or a level."""
    return people(int(change.at) + aside) if axis == "k" else significant(change.at, 4)


def _name(slug: str) -> str:
    return short(by_slug(slug)) if slug else "–"
