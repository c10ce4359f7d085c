"""What an axis says that its numbers are: a density where noise has one, a probability where it is in whole numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from explorer.figures.theme import Look, unescape
from explorer.pages.counting.settings import of_table
from explorer.scenes import scene
from explorer.settings.noises import ChosenNoise, noises
from explorer.text import languages
from explorer.text.catalogue import catalogue_of
from tests import scenes

WORDS = {
    "density": {"en": "density", "de": "Dichte", "fa": "چگالی"},
    "probability": {"en": "probability", "de": "Wahrscheinlichkeit", "fa": "احتمال"},
}


def called(slug: str, language: str) -> str:
    """What the upright axis of the two laws says, for a noise by its slug."""
    page = scenes.declared("counting")
    needs = {name: noises(True)[slug].starting(epsilon=1.0).parameters()[name] for name in noises(True)[slug].needs()}
    asked = replace(of_table("income", "add-remove"), noise=ChosenNoise(slug).with_settings(**needs))
    figure = scene(page, page.views["one"], asked, 0.3, Look(), language).figure
    assert figure is not None
    return unescape(str(figure.layout["yaxis"]["title"]["text"]))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("slug", noises(True))
def test_the_height_of_a_bell_is_a_density_and_that_of_a_staircase_of_whole_numbers_a_probability(
    slug: str, language: str
) -> None:
    said = "probability" if noises(True)[slug].whole else "density"
    other = "density" if noises(True)[slug].whole else "probability"
    title = called(slug, language)
    assert WORDS[said][language] in title and WORDS[other][language] not in title


@pytest.mark.parametrize("slug", ["counting", "verify"])
def test_an_axis_of_heights_is_a_density_in_every_language_or_in_none(slug: str) -> None:
    """The label with the key of the axis, on both pages that draw laws relative to their peak."""
    for key in ({"counting": ("one", "y"), "verify": ("ratio", "density")}[slug],):
        titles = {code: catalogue_of(code).page(slug).labels.table(key[0]).text(key[1]) for code in languages()}
        assert all(WORDS["density"][code] in title for code, title in titles.items()), titles
