"""The release of a view about an own table: its file, what all releases cost one person, the way to a real one."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime
from functools import partial

import streamlit as st

from explorer.facts.lines import Lines
from explorer.paper import releasing
from explorer.paper.leaving import Viewed
from explorer.paper.numbers import Source, spreadsheet
from explorer.paper.releasing import Left
from explorer.settings.recipes import reseeded
from explorer.ui import links, opendp, session, share, sources
from explorer.ui.caught import caught
from explorer.ui.shown import Shown
from ldpcore import __version__
from ldpcore.fingerprints import fingerprint

SEEDS = 2**63  # far more than anybody tries out


def drawn_anew(viewed: Viewed[object]) -> object:
    """The settings under which the public's numbers are drawn: with a seed that this session alone knows.

    It follows from what is released, so that two views of it, and a sheet that is saved again, have the same numbers.
    """
    lines = _lines(viewed)
    about = lines.release.key if lines is not None and lines.release else (viewed.view.slug, viewed.own, viewed.level)
    question = viewed.asked if lines is None or lines.release is None else None
    seed = int(fingerprint((session.salt(), viewed.page.slug, about, question)), 16) % SEEDS
    return reseeded(viewed.asked, seed)


def _lines(viewed: Viewed[object]) -> Lines | None:
    """What the view lists."""
    listing = viewed.page.lists.get(viewed.view.slug)
    return listing(viewed.asked, viewed.level, viewed.own, viewed.answer) if listing is not None else None


def of(viewed: Viewed[object]) -> Left | None:
    """The release of a view about the reader's own table, as it would leave now; none where there is none."""
    lines = _lines(viewed) if viewed.personal else None
    if lines is None or lines.release is None:
        return None
    return Left(lines.release, f"{datetime.now(UTC):%Y-%m-%d %H:%M UTC}")


def with_present(present: Left | None) -> tuple[Left, ...]:
    """What has left of the table, and what would with this release, which may be one of them."""
    kept = session.releases()
    if present is None or present.release.key in {each.release.key for each in kept}:
        return kept
    return (*kept, present)


def ledger(viewed: Viewed[object]) -> Lines | None:
    """What has left of the table and what would, as a sheet lists it; nothing where nothing has."""
    left = with_present(of(viewed))
    return releasing.ledger(left) if left else None


@caught
def leaves(*left: Left) -> None:
    """What is printed, saved or downloaded joins the ledger."""
    links.touch()
    for each in left:
        session.note_release(each)


def show(shown: Shown, viewed: Viewed[object], public: bool) -> None:
    """What is released, as a file and in Python of a program made for it, and what all of it costs one person."""
    present = of(viewed)
    if present is None:
        return
    labels = shown.catalogue.labels("release")
    st.caption(labels["title"])
    kept = [each.release for each in session.releases()]
    if kept:
        st.markdown(shown.catalogue.markdown(None, "release.so_far", {"cost": releasing.cost(kept)}))
    if present.release.reported:
        return
    lines = _lines(dataclasses.replace(viewed, asked=drawn_anew(viewed)))
    assert lines is not None
    rows = releasing.file(lines.numbered(), shown.catalogue, viewed.page.slug)
    st.download_button(
        labels["file"],
        spreadsheet(rows, Source(()), shown.catalogue.separators[0]),
        f"ldp-explorer-{__version__}-{viewed.page.slug}-release.csv",
        "text/csv",
        f"{viewed.page.slug}_release",
        on_click=caught(partial(leaves, present)),
        icon=":material/download:",
    )
    if lines.named:
        st.caption(shown.catalogue.markdown(None, "release.places"))
    st.caption(shown.catalogue.markdown(None, "release.why", releasing.about(present.release)))
    mine = session.own()
    taken = share.Taken(viewed, sources.version(shown, seeded=False), mine.understood.reading if mine else None, public)
    st.code(opendp.code(taken, present.release), language=None, wrap_lines=True)
