"""Settings that something must be known about, which is said beside the answer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

from explorer.facts import Quantity


class Remarked(ABC):
    """What a view alone asks the reader, and what must be known of it beside the answer."""

    @abstractmethod
    def asides(self, truth: bool) -> Iterable[Quantity]:
        """What must be known; what is true of people only with `truth`."""
