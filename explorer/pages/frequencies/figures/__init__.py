"""The pictures of the frequencies page: lies taken out of reports, the top list, rules, the best mechanism, the plan.

Answers stand below one another, so that their names can be read. Axes of shares are measured by the crowd and by the
mechanism at level 1, whatever the present level is: too much noise leaves the picture, too little is a needle.
"""

from explorer.pages.frequencies.figures.brought import real
from explorer.pages.frequencies.figures.choosing import plan, which
from explorer.pages.frequencies.figures.collected import bars
from explorer.pages.frequencies.figures.decoded import decoding
from explorer.pages.frequencies.figures.lists import after, top

__all__ = ["after", "bars", "decoding", "plan", "real", "top", "which"]
