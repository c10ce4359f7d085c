"""The shared parts of all pictures of two worlds."""

from __future__ import annotations

from explorer.figures.theme import PALETTE

SHARES = (-2, 102)  # an axis of shares, with a little room
FIRST, SECOND = PALETTE[2], PALETTE[6]  # the two worlds, here and where they are drawn by hand
