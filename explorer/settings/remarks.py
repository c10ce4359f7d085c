"""Settings with a remark, which is shown beside the answer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

from explorer.facts import Quantity


class Remarked(ABC):
    """A view's own setting, with its remarks beside the answer."""

    @abstractmethod
    def asides(self, truth: bool) -> Iterable[Quantity]:
        """The remarks; those that are true of people only with `truth`."""
