"""The release of a view about an own table: its draw, its file, one person's cost of all releases, a real one."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime
from functools import partial

import streamlit as st

from explorer.declarations import PageSettings
from explorer.facts.lines import Lines, ReleaseFacts
from explorer.figures.theme import Look
from explorer.paper import releases
from explorer.paper.leaving import Viewed
from explorer.paper.releases import Left
from explorer.settings.linked import linked_lines
from explorer.settings.recipes import reseeded, seed_of
from explorer.ui import links, session, shell, sources
from explorer.ui.caught import caught
from explorer.ui.language import catalogue
from explorer.ui.shown import Shown
from explorer.ways import Link
from ldpcore import __version__
from ldpcore.fingerprints import fingerprint

SEEDS = 2**63  # far more than anybody tries out


def drawn(viewed: Viewed[PageSettings], hidden: bool = False) -> PageSettings:
    """The settings as this session draws them: of an own table from a seed that it alone knows, never from the link's.

    Where numbers are released the seed follows from the release and from the page's seed: two views of it, and a
    sheet that is saved again, have the same numbers, while every other level or question has noise of its own. Of all
    else one seed holds at every level, so that pictures move with the handle. A picture that counts from the true
    answer while that is `hidden` has other noise than the release: a reader of both would know the answer.
    """
    if not viewed.personal:
        return viewed.asked
    release = _release(viewed)
    about = (session.salt(), viewed.page.slug, release.key if release is not None else "", seed_of(viewed.asked))
    secret = fingerprint((*about, "hidden") if hidden and _offset(viewed) else about)
    return reseeded(viewed.asked, int(secret, 16) % SEEDS)


def _offset(viewed: Viewed[PageSettings]) -> bool:
    """Whether the view pictures the distance of released numbers from the truth, and no number while that is hidden."""
    listing = viewed.page.lists.get(viewed.view.slug)
    return listing is not None and listing.offset


def _release(viewed: Viewed[PageSettings]) -> ReleaseFacts | None:
    """The release of the view, whatever the noise."""
    listing = viewed.page.lists.get(viewed.view.slug)
    return listing.release(viewed.asked, viewed.level, viewed.own) if listing is not None else None


def of(viewed: Viewed[PageSettings]) -> Left | None:
    """The release of a view about the reader's own table, as it was drawn; none where there is none."""
    release = _release(viewed) if viewed.personal else None
    if release is None:
        return None
    key = fingerprint((release.key, seed_of(viewed.asked)))
    who = fingerprint((session.salt(), release.who)) if release.who else ""  # it stays when the column's name goes
    return Left(dataclasses.replace(release, key=key, who=who), f"{datetime.now(UTC):%Y-%m-%d %H:%M UTC}")


def waits(viewed: Viewed[PageSettings]) -> bool:
    """Whether the view shows released numbers of an own table, each of which costs a level.

    Then only the stop under the handle is drawn.
    """
    listing = viewed.page.lists.get(viewed.view.slug)
    return listing is not None and listing.on_screen and of(viewed) is not None


def note_shown(viewed: Viewed[object], look: Look) -> None:
    """Enter the released numbers on the screen into the ledger, also while people predict their truth.

    A picture that counts from the hidden answer shows none.
    """
    left = of(viewed)
    if left is not None and (look.truth or not _offset(viewed)) and waits(viewed):
        session.note_release(left)


def with_present(present: Left | None) -> tuple[Left, ...]:
    """The past releases of the table together with this one, which may be one of them."""
    kept = session.releases()
    if present is None or present.release.key in {each.release.key for each in kept}:
        return kept
    return (*kept, present)


def ledger(viewed: Viewed[object]) -> Lines | None:
    """The past releases of the table and this one, as a sheet lists them; none where there are none."""
    left = with_present(of(viewed))
    return releases.ledger(left) if left else None


@caught
def leaves(*left: Left) -> None:
    """Enter a printed, saved or downloaded release into the ledger."""
    links.touch()
    for each in left:
        session.note_release(each)


@caught
def _open(slug: str) -> None:
    """Open the page about budgets with these releases as its lines; the link says what each costs."""
    rows = linked_lines(releases.rows(session.releases(), catalogue()))
    shell.lead(slug, Link("budget", {"budget_tab": "ledger", "budget_ledger": rows}))


def show(shown: Shown, viewed: Viewed[object], public: bool) -> None:
    """Show the release, as a file and in Python of a program made for it, and one person's cost of all releases."""
    from explorer.paper.numbers import NumbersSource, spreadsheet
    from explorer.ui import opendp, share  # only here: no picture needs what is taken along

    present = of(viewed)
    if present is None:
        return
    labels = shown.catalogue.labels("release")
    st.caption(labels["title"])
    kept = [each.release for each in session.releases()]
    if kept:
        st.markdown(shown.catalogue.markdown(None, "release.so_far", {"cost": releases.cost(kept)}))
        if releases.together(kept) is not None:
            st.button(labels["ledger"], f"{viewed.page.slug}_ledger", on_click=_open, args=(viewed.page.slug,))
    if present.release.reported:
        return
    lines = viewed.page.lists[viewed.view.slug].lines(viewed.asked, viewed.level, viewed.own, viewed.answer)
    assert lines is not None
    rows = releases.file(lines.numbered(), shown.catalogue, viewed.page.slug)
    st.download_button(
        labels["file"],
        spreadsheet(rows, NumbersSource(()), shown.catalogue.typed_decimal),
        f"ldp-explorer-{__version__}-{viewed.page.slug}-release.csv",
        "text/csv",
        f"{viewed.page.slug}_release",
        on_click=caught(partial(leaves, present)),
        icon=":material/download:",
    )
    if lines.named:
        st.caption(shown.catalogue.markdown(None, "release.places"))
    st.caption(shown.catalogue.markdown(None, "release.why", releases.about(present.release)))
    mine = session.own()
    taken = share.Taken(viewed, sources.version(shown, seeded=False), mine.understood.reading if mine else None, public)
    st.code(opendp.code(taken, present.release), language=None, wrap_lines=True)
