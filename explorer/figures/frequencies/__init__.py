"""The pictures of the frequencies page: lies taken out of reports, the ranking, errors, the top list, rules, the plan.

Answers stand below one another, so that their names can be read. Axes of shares are measured by the crowd and by the
mechanism at level 1, whatever the present level is: too much noise leaves the picture, too little is a needle.
"""

from explorer.figures.frequencies.brought import real
from explorer.figures.frequencies.choosing import changes, error_curve, plan, which
from explorer.figures.frequencies.collected import bars, compare, ranks
from explorer.figures.frequencies.decoded import decoding
from explorer.figures.frequencies.lists import after, split, top

__all__ = ["after", "bars", "changes", "compare", "decoding", "error_curve", "plan", "ranks", "real", "split"]
__all__ += ["top", "which"]
