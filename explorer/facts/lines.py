"""Lines of a table as quantities: what a sheet lists beside its sentences, as released numbers or a ledger."""

from __future__ import annotations

from dataclasses import dataclass, replace

from explorer.facts import Count, Facts, Quantity


@dataclass(frozen=True)
class Lines:
    """What stands in each column, by the names of their heads; `named` where the first column is words of the data.

    `heading` is what the heading says besides.
    """

    kind: str
    head: tuple[str, ...]
    rows: tuple[tuple[Quantity, ...], ...]
    named: bool = False
    heading: tuple[tuple[str, Quantity], ...] = ()

    def numbered(self) -> Lines:
        """The lines with their places where words of the data stood."""
        if not self.named:
            return self
        rows = tuple((Count(place), *row[1:]) for place, row in enumerate(self.rows, 1))
        return replace(self, head=("place", *self.head[1:]), rows=rows)

    @property
    def facts(self) -> Facts:
        """What the heading may say."""
        return dict(self.heading)
