"""The reader's settings on the overview, and the question of its one view."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.facts import Exact, Quantity, Term
from ldpcore.experiments.overview import NO, YES, PrivacyLossOfReport
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.mechanisms.laplace import LaplaceMechanism

MODES = ("number", "coin")
SAID = ("no", "yes")
OPENING = 1.5  # a report that tells as much as any may: the page opens where the promise is seen to hold


@dataclass(frozen=True)
class Overview:
    """The report of two people, a number with noise or a yes or no told by a coin, and the report that is seen."""

    mode: str = "number"
    report: float = OPENING
    said: str = "yes"

    def ratio(self, level: float) -> PrivacyLossOfReport:
        """The likeness of the report from the two."""
        if self.mode == "coin":
            return PrivacyLossOfReport(RandomizedResponse(level), YES if self.said == "yes" else NO)
        # Another answer moves the number from 0 to 1.
        return PrivacyLossOfReport(LaplaceMechanism(level, 1.0, "replace-one"), self.report)

    def model(self, view: str) -> str:
        """The party that is trusted: a curator adds noise to a number; everybody alone tosses a yes or no."""
        return "local" if self.mode == "coin" else "central"

    def spoken(self) -> Quantity:
        """The report in words."""
        return Term(f"said_options.{self.said}") if self.mode == "coin" else Exact(self.report)
