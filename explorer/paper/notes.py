"""The speaker's notes on a way: for every step the question, the prediction, the finding and the words to say.

One document for two uses: on a second screen the script shows the present step and the next one, on paper stand all.
"""

from __future__ import annotations

from html import escape

from explorer.facts import Count, Name
from explorer.text.catalogue import Catalogue
from explorer.ways import Way, WayStep
from explorer.ways.words import table, told_at


def notes(way: Way, catalogue: Catalogue, keys: str = "way.keys") -> str:
    """All steps of a way as HTML, each a section of its own, below the time and the keys, told by their label."""
    title = catalogue.label("way.notes_of", facts={"way": Name(table(catalogue, way.slug).text("title"))})
    sections = "".join(_section(way, place, step, catalogue) for place, step in enumerate(way.steps, 1))
    return (
        f"<header><h1>{escape(title)}</h1>"
        f'<button type="button" class="clock" title="{escape(catalogue.label("way.elapsed"), quote=True)}"></button>'
        f'<button type="button" class="print">{escape(catalogue.label("way.print"))}</button></header>'
        f'<p class="quiet">{escape(catalogue.label(keys))}</p>{sections}'
        f'<p class="quiet">{escape(catalogue.label("way.waiting"))}</p>'
    )


def _section(way: Way, place: int, step: WayStep, catalogue: Catalogue) -> str:
    """One step: its place, its title, its notes, and the next step."""
    words = told_at(step, way, catalogue)
    facts = {"step": Count(place), "steps": Count(len(way.steps)), "minutes": Count(way.minutes(place))}
    lines = words.notes() or (("do", words.do),)
    items = "".join(
        f'<div class="{kind}"><dt>{escape(catalogue.label(f"way.{kind}"))}</dt><dd>{escape(text)}</dd></div>'
        for kind, text in lines
    )
    return (
        f'<section data-step="{place}"><p class="place">{escape(catalogue.label("way.place", facts=facts))}</p>'
        f"<h2>{escape(words.title)}</h2>{_truth(step, catalogue)}<dl>{items}</dl>"
        f'<p class="coming">{escape(_coming(way, place, catalogue))}</p></section>'
    )


def _truth(step: WayStep, catalogue: Catalogue) -> str:
    """The note whether the room sees the truth, where it predicts first; one of the two is shown."""
    if not step.predict:
        return ""
    return "".join(f'<p class="{kind}">{escape(catalogue.label(f"way.{kind}"))}</p>' for kind in ("hidden", "truth"))


def _coming(way: Way, place: int, catalogue: Catalogue) -> str:
    """The name of the next step, or a note that there is none."""
    if place == len(way.steps):
        return catalogue.label("way.last")
    following = told_at(way.steps[place], way, catalogue)
    return catalogue.label("way.next", facts={"title": Name(following.title)})
