"""Words that fit: answers in two lines and three on a phone, labels of controls whose words need not be torn, and
titles of axes that a phone does not cut.

Widths are those of Helvetica, of which the page's letters take 0.85: measured in the browser over a thousand answers,
one in a hundred is said to take a line more than there, and hardly any a line less. Persian letters, measured in
Vazirmatn over three hundred answers, take 0.79 of those of DejaVu Sans.
"""

from __future__ import annotations

import html
import re

import pytest

from explorer.figures.plot import Figure
from explorer.figures.theme import Look, unescape
from explorer.navigation import entries
from explorer.paper.letters import width_of, wrapped
from explorer.scenes import scene
from explorer.text import languages
from explorer.text.catalogue import catalogue_of
from explorer.ways import ORDER, way_of
from explorer.ways.words import told_at
from tests import scenes
from tests.rationing import shared

NARROWER, PERSIAN = 0.85, 0.79
ROOMS = {"a phone": (358, 3), "a laptop": (659, 2)}  # px beside the settings, and lines
SIZE = 20  # px of an answer's letters
NARROWEST = 142, 14  # px of a label on a phone of 320 px beside a question mark, and of its letters
PICTURE, TITLE = 358, 16.8  # px of a phone's picture, and of the letters of an axis' title
TICK, GAP = 14, 12  # px of a tick's letters, and between it, the axis and the title
LEVELS = scenes.STOPS[0], 0.1, 1.1, scenes.STOPS[-1]
PAGES = "averaging", "budget", "counting", "response", "trust"  # the answers of the others are longer
STAGED = sorted({each.page.slug for each in scenes.settings()})


def said(answer: str) -> str:
    """An answer as it is read, without what stands beside it in smaller letters."""
    return html.unescape(re.sub("<[^>]*>", "", answer.partition('<div class="ldp-aside"')[0]))


def narrower(language: str) -> float:
    """The part of a letter's measured width that it takes on a page."""
    return PERSIAN if language == "fa" else NARROWER


def lines(text: str, room: float, language: str = "en") -> int:
    """How many lines a text takes."""
    return len(wrapped(text, room, SIZE * narrower(language)))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("slug", PAGES)
def test_answers_take_two_lines_and_on_a_phone_three_in_every_view_and_at_both_ends(slug: str, language: str) -> None:
    page, mine = scenes.declared(slug), [each for each in scenes.settings() if each.page.slug == slug]
    first = {view: min(each.place for each in mine if each.view.slug == view) for view in page.views}
    long = []
    for place, each in enumerate(each for each in mine if each.place == first[each.view.slug]):
        for level in shared(LEVELS, 2, place + languages().index(language)):
            text = said(scene(page, each.view, each.asked, level, Look(), language, scenes.answered, each.own).answer)
            taken = {
                name: lines(text, room, language)
                for name, (room, most) in ROOMS.items()
                if lines(text, room, language) > most
            }
            long += [(each.name, level, taken, text)] if taken else []
    assert not long, long


def test_a_long_answer_is_found() -> None:
    text = said("Bei ε = 0,1 liegt <strong>das Mittel aus 100 Veröffentlichungen</strong> im Schnitt um 1,13 daneben; ")
    assert lines(text, 358) == 3 and lines(text + "der Preis ist ε = 10, zusammengezählt.", 358) == 4


@pytest.mark.parametrize("language", languages())
def test_no_word_of_a_controls_label_is_wider_than_the_narrowest_phone_has_room(language: str) -> None:
    catalogue, (room, size) = catalogue_of(language), NARROWEST
    tables = [catalogue.listing("labels").table("parameters")]
    tables += [catalogue.page(entry.slug).labels for entry in entries()]
    texts = [text for table in tables for key, text in table.strings().items() if not key.endswith("_help")]
    words = {word for text in texts for word in re.split(r"[\s\u00ad-]", text)}
    wide = sorted(word for word in words if width_of(word, size * narrower(language)) > room)
    assert len(words) > 500 and not wide, wide


@pytest.mark.parametrize("language", languages())
def test_what_is_seen_at_a_step_leaves_a_phone_its_picture(language: str) -> None:
    """At most four lines of what stands above a page, beside the button that goes on."""
    told = [told_at(step, way, catalogue_of(language)) for way in map(way_of, ORDER) for step in way.steps]
    long = [
        each.seen for each in told if len(wrapped(f"Step 12 of 12 · {each.seen}", 236, 15 * narrower(language))) > 4
    ]
    assert any(each.seen for each in told) and not long, long


def too_wide(figure: Figure, language: str) -> dict[str, float]:
    """The titles of lying axes and the pixels by which a phone's picture, beside numbers or texts, is too narrow."""
    margin, found = figure.layout["margin"], {}
    beside = [each for name, axis in scenes.axes(figure).items() if name[0] == "y" for each in axis.get("ticktext", ())]
    beside += [each for trace in figure.data for each in trace.get("y", ()) if isinstance(each, str)]
    texts = max((width_of(unescape(each), TICK * narrower(language)) + 2 * TITLE + GAP for each in beside), default=0)
    left = max(margin["l"], texts)
    for name, axis in scenes.axes(figure).items():
        if name[0] != "x" or axis.get("visible") is False:
            continue
        middle = left + (PICTURE - left - margin["r"]) * sum(axis.get("domain", (0, 1))) / 2
        title = unescape(axis.get("title", {}).get("text", ""))
        much = width_of(title, TITLE * narrower(language)) - 2 * min(middle, PICTURE - middle)
        if much > 0:
            found[title] = round(much)
    return found


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("slug", STAGED)
def test_no_title_of_a_lying_axis_is_wider_than_a_phones_picture(slug: str, language: str) -> None:
    """Plotly breaks no title, and cuts it off: with the truth or without.

    By day all views in their first settings and a sixth of the others, in which all settings of a page are met.
    """
    wide, looks = set(), (Look(), Look(truth=False))
    for place, each in enumerate(each for each in scenes.shared_settings(1) if each.page.slug == slug):
        for look in shared(looks, 2, place + languages().index(language)):
            figure = scene(each.page, each.view, each.asked, 0.3, look, language, scenes.answered, each.own).figure
            if figure is not None:
                wide |= {(each.view.slug, *much) for much in too_wide(figure, language).items()}
    assert not wide, wide


def test_a_title_that_is_cut_is_found() -> None:
    """As wide as the whole plot, beside numbers and beside texts; and below a panel at the right."""
    title, margin = "errors of a share (% of people)", {"l": 80, "r": 8}
    for names, domain, cut in (
        ([1], (0, 1), False),
        (["generalized randomized response"], (0, 1), True),
        ([1], (0.6, 1), True),
    ):
        axis = {"title": {"text": title}, "domain": domain}
        figure = Figure([{"y": names}], {"xaxis": axis, "margin": margin})
        assert bool(too_wide(figure, "en")) is cut, (names, domain)
