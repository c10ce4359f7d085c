"""A tally that knows the design of its reports, adds up, and can be stored."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ldpcore.library.drawn import Bar, SelfDrawn, bars, drawing, label_of, number, table
from ldpcore.library.records import Record, record_of, written
from ldpcore.library.refused import LibraryRefusal
from ldpcore.numerics.arrays import RealOrWhole

if TYPE_CHECKING:
    from ldpcore.library.designs import Design
    from ldpcore.library.estimated import Estimate

FORMAT = "ldpcore.tally"


@dataclass(frozen=True, eq=False)
class Tally(SelfDrawn):
    """The sums of n reports of one design: all that an estimate needs, and nothing about any one report.

    Counts add up exactly, in any order; sums of real numbers up to their rounding, about one part in 10¹⁵.

    >>> import ldpcore, numpy as np
    >>> coin = ldpcore.build("rr", 1.0, ["no", "yes"])
    >>> (coin.tally([0, 1, 1]) + coin.tally([1])).counts.tolist()
    [1, 3]
    """

    design: Design
    counts: RealOrWhole
    n: int

    def __add__(self, other: Tally) -> Tally:
        if not isinstance(other, Tally):
            return NotImplemented
        if self.design != other.design:
            raise LibraryRefusal("tally_other", first=str(self.design), other=str(other.design))
        return Tally(self.design, np.asarray(self.counts + other.counts), self.n + other.n)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        same = self.design == other.design and self.n == other.n
        return same and np.array_equal(self.counts, other.counts)

    __hash__ = None  # type: ignore[assignment]  # its counts are an array

    def estimate(self, confidence: float = 0.95, *, together: bool = False, sampled: bool = False) -> Estimate:
        """The estimates of the design from this tally, see `Design.estimate`."""
        return self.design.estimate(self, confidence, together=together, sampled=sampled)

    def __str__(self) -> str:
        return f"n = {self.n}: {self.counts.tolist()}"

    def _repr_html_(self) -> str:
        labels, whole = self.design.labels, self.counts.dtype.kind in "iu"
        counts = np.ravel(self.counts).astype(np.float64).tolist()
        names = list(map(label_of, labels if len(labels) == len(counts) else range(len(counts))))
        sums = [f"{each:.0f}" if whole else number(each) for each in counts]
        told = table(("sum", "of all reports"), zip(names, sums, strict=True))
        drawn = bars([Bar(*each) for each in zip(names, counts, strict=True)], "sums of all reports")
        return drawing(f"n = {self.n}, {self.design}", told, drawn)

    def to_json(self) -> str:
        """The tally with its design, as text that `Tally.from_json` reads back in any release of this format."""
        body = {"design": self.design.record(), "n": self.n, "counts": self.counts.tolist()}
        return written(FORMAT, body)

    @classmethod
    def from_json(cls, text: str) -> Tally:
        """The tally in a text that `to_json` wrote; `Refusal` of counts that its design cannot have.

        >>> import ldpcore
        >>> stored = ldpcore.build("rr", 1.0, ["no", "yes"]).tally([0, 1, 1]).to_json()
        >>> ldpcore.Tally.from_json(stored).n
        3
        """
        from ldpcore.library.designs import design_of

        record = record_of(text, FORMAT, "a tally")
        design = design_of(record.part("design"))
        n = record.whole("n")
        return cls(design, _counts(design, record, n), n)


def _counts(design: Design, record: Record, n: int) -> NDArray[Any]:
    empty = design.empty().counts
    try:
        held = np.array(record.body.get("counts"))
    except (ValueError, OverflowError):  # rows of different lengths, or a number that no array holds
        held = np.array(None)
    slug = design.slug
    if held.dtype.kind not in ("iu" if empty.dtype.kind in "iu" else "iuf") or held.shape != empty.shape:
        wanted = f"{empty.size} whole" if empty.dtype.kind in "iu" else f"{empty.size} finite"
        raise LibraryRefusal("tally_shape", slug=slug, wanted=wanted, got=f"{held.dtype} of shape {held.shape}")
    counts = held.astype(empty.dtype)
    if not np.isfinite(counts).all():
        raise LibraryRefusal("tally_count", slug=slug, n=n, wanted="finite numbers", got="one that is not")
    most = design.most_of(n)
    if most is not None and counts.size and not (counts.min() >= 0 and counts.max() <= most):
        got = int(counts.min()) if counts.min() < 0 else int(counts.max())
        raise LibraryRefusal("tally_count", slug=slug, n=n, wanted=f"0 to {most}", got=got)
    if design.names_one and int(counts.sum()) != n:
        raise LibraryRefusal("tally_count", slug=slug, n=n, wanted=f"{n} in all", got=int(counts.sum()))
    return counts


def merge(tallies: Iterable[Tally]) -> Tally:
    """The sum of one or more tallies of one design, in pairs, so that no order matters; `Refusal` of any others.

    >>> import ldpcore
    >>> coin = ldpcore.build("rr", 1.0, ["no", "yes"])
    >>> ldpcore.merge([coin.tally([0]), coin.tally([1, 1]), coin.tally([0])]).counts.tolist()
    [2, 2]
    """
    stack: list[tuple[int, Tally]] = []
    for tally in tallies:
        height, held = 0, tally
        while stack and stack[-1][0] == height:
            held = stack.pop()[1] + held
            height += 1
        stack.append((height, held))
    if not stack:
        raise LibraryRefusal("tally_none")
    total = stack.pop()[1]
    while stack:
        total = stack.pop()[1] + total
    return total
