"""The proof of trials alone: about one mechanism, and about a whole gallery."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from explorer.facts import Count
from explorer.figures import marks, plot
from explorer.figures.theme import Look, escape
from explorer.pages.verify.facts import level as written_level
from explorer.pages.verify.figures.bar import own_counts
from explorer.pages.verify.figures.scale import BROKEN, FIRST, KEPT, written_each
from explorer.text.catalogue import Words
from ldpcore.experiments.verify import SLACK, AuditResult, GalleryResult
from ldpcore.experiments.verify.mistakes import Guesses
from ldpcore.experiments.verify.owncounts import OwnAuditResult


def proven(result: AuditResult | OwnAuditResult, look: Look, words: Words) -> plot.Figure:
    """The proof of trials: more and more of one mechanism, or those that the reader has counted."""
    return own_counts(result, look, words) if isinstance(result, OwnAuditResult) else audit(result, look, words)


def audit(result: AuditResult, look: Look, words: Words) -> plot.Figure:
    """The level proved by more and more trials, in parts of the promise, closing in from below on the exact one."""
    trials, bounds = np.array(result.audit.trials[: len(result.bounds)], dtype=float), result.epsilons
    claim, unit = result.claim.epsilon, _unit(result.claim.epsilon, result.exact)
    ends, whole = [50.0, 2e9], 210.0
    figure = marks.canvas(
        look,
        words,
        yaxis={"range": [-6, whole], "dtick": 50},
        xaxis={"type": "log", "dtick": 1, "range": [math.log10(end) for end in ends]},
    )
    if math.isfinite(claim):
        figure.add(marks.guide(ends, [100 * claim / unit] * 2, words["promise"], look.ink))
    if look.truth and math.isfinite(result.exact):
        exact = min(100 * result.exact / unit, 2 * whole)
        color = KEPT if result.exact <= claim * (1 + SLACK) else BROKEN
        figure.add(marks.line(ends, [exact] * 2, words["exact"], color, width=2, hoverinfo="name"))
    shares = 100 * bounds / unit
    beyond = np.minimum(shares, 0.97 * whole)
    marker = {"size": 11, "color": FIRST, "symbol": ["triangle-up" if share > whole else "circle" for share in shares]}
    figure.add(
        marks.line(
            trials,
            beyond,
            words["proven"],
            FIRST,
            mode="lines+markers",
            marker=marker,
            customdata=[words.write(written_level(bound)) for bound in bounds.tolist()],
            hovertemplate=words.hover("hover", x="%{x:,.3g}", y="%{customdata}"),
        )
    )
    return figure


def _unit(claim: float, exact: float) -> float:
    """The hundred per cent: the promise, or the exact level where nothing finite was promised."""
    return next((level for level in (claim, exact) if 0 < level < math.inf), 1.0)


def gallery(result: GalleryResult, guesses: Guesses, look: Look, words: Words) -> plot.Figure:
    """The promise of each exhibit, its audit's proof, the guess, and, once revealed, its exact level.

    A click anywhere above an exhibit's number turns the guess.
    """
    places = list(range(1, len(result.exhibits) + 1))
    proven = [float(exhibit.audit.epsilons[-1]) for exhibit in result.exhibits]
    top = 4.5
    figure = _columns(places, top, guesses, look, words)
    figure.add(
        plot.bar(
            x=places,
            y=[min(bound, top) for bound in proven],
            width=0.55,
            name=escape(words["proven"]),
            marker={"color": FIRST},
            customdata=written_each(proven, words, written_level),
            hovertemplate=words.hover("hover", x="%{x}", y="%{customdata}"),
        )
    )
    claims = [exhibit.claim.epsilon for exhibit in result.exhibits]
    hover = words.hover("claim_hover", x="%{x}", y="%{y:.4g}")
    figure.add(marks.strokes(places, claims, words["promise"], look, 30, hovertemplate=hover))
    figure.data += _guessed(guesses, 0.95 * top, words)
    if guesses.sound and look.truth:
        figure.add(_exact_levels(result, places, top, words))
        if any(guesses.votes):
            figure.add(_voted(guesses.votes, places, 0.86 * top, look, words))
    return figure


def _voted(votes: tuple[int, ...], places: list[int], height: float, look: Look, words: Words) -> plot.Trace:
    """The number of people in the room who accuse each exhibit."""
    texts = [escape(words.fill("votes", votes=Count(count))) for count in votes]
    counts = marks.dots(places, [height] * len(places), words["voted"], look.ink, size=1, text=texts)
    return counts | {"mode": "text", "showlegend": False, "hoverinfo": "skip", "textfont": {"color": look.ink}}


def _columns(places: list[int], top: float, guesses: Guesses, look: Look, words: Words) -> plot.Figure:
    """A column for each exhibit, which hears a click wherever it falls until the truth is told."""
    values = [str(place) for place in places]
    return marks.canvas(
        look,
        words,
        plot.bar(
            x=places,
            y=[top] * len(places),
            width=0.8,
            showlegend=False,
            meta="decoration",
            hoverinfo="none",
            marker={"color": look.ghost, "opacity": 0.15},
        ),
        barmode="overlay",
        meta={} if guesses.sound else {"columns": {"view": "gallery", "values": values}},
        yaxis={"range": [0, top]},
        xaxis={"range": [0.4, len(places) + 0.6], "dtick": 1},
    )


def _guessed(guesses: Guesses, height: float, words: Words) -> Iterator[plot.Trace]:
    """The exhibits that were guessed to keep their promise, and those to break it."""
    for name, guess, symbol, color in (
        ("guessed_keeps", True, "circle", KEPT),
        ("guessed_breaks", False, "x", BROKEN),
    ):
        at = [place for place, given in enumerate(guesses.given, 1) if given is guess]
        if at:
            marker = {"symbol": symbol, "size": 14, "color": color}
            yield marks.dots(at, [height] * len(at), words[name], marker=marker, hoverinfo="skip")


def _exact_levels(result: GalleryResult, places: list[int], top: float, words: Words) -> plot.Trace:
    """The exact level of every exhibit, in the color of a promise kept or broken."""
    levels = [exhibit.real.epsilon for exhibit in result.exhibits]
    at, symbols = marks.within(np.array(levels), top)
    colors = [KEPT if exhibit.sound else BROKEN for exhibit in result.exhibits]
    marker = {"symbol": marks.upright(symbols), "size": 14, "color": colors}
    return marks.dots(
        places,
        at,
        words["exact"],
        marker=marker,
        customdata=written_each(levels, words, written_level),
        hovertemplate=words.hover("exact_hover", x="%{x}", y="%{customdata}"),
    )
