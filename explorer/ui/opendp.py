"""Python that makes a release of the reader's own file with OpenDP: one paste, with every number filled in."""

from __future__ import annotations

from dataclasses import replace

from explorer.facts.lines import ReleaseFacts
from explorer.paper.leaving import fresh
from explorer.paper.opendp import NEEDS, START, program
from explorer.settings.recipes import own_table
from explorer.ui.share import Taken, Writing, settings_of


def code(taken: Taken, release: ReleaseFacts) -> str:
    """The whole program: read the file as it was read here, ask, and add OpenDP's noise.

    Its noise needs no seed of ours: the one behind the released numbers stands nowhere in it.
    """
    table, writing = own_table(taken.viewed.settings), Writing(own=True)
    assert table is not None
    seedless = replace(taken, viewed=replace(taken.viewed, asked=fresh(taken.viewed.asked)))
    lines = [*START, *settings_of(writing, seedless, table), *program(release, writing.name)]
    return f"{NEEDS}\n{writing.snippet(*lines)}"
