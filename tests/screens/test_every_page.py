"""What holds on every page: it opens, explains itself, keeps its anatomy, and survives any link and any setting."""

from __future__ import annotations

import itertools

import pytest

from explorer.navigation import DEFAULT, entries
from explorer.numbers import read
from tests.screens.opening import answer, charts, complaints, numbers_in, opened, tabs

SLUGS = [entry.slug for entry in entries()]
WITHOUT_LEVEL = ("reference",)  # a page without levels lets it pass
BAD_LEVELS = {"zero": "0", "negative": "-1", "tiny": "1e-12", "huge": "1e9", "nan": "NaN", "text": "abc", "empty": ""}


@pytest.mark.parametrize("slug", SLUGS)
def test_page_opens_with_its_question_an_answer_and_at_most_one_chart(slug: str) -> None:
    app = opened(slug)
    question = next(entry.question() for entry in entries() if entry.slug == slug)
    assert [title.value for title in app.title] == [question]
    assert answer(app)
    assert not complaints(app)
    assert len(charts(app)) <= 1


@pytest.mark.parametrize(("slug", "tab"), [(slug, tab) for slug in SLUGS for tab in tabs(slug)])
def test_every_tab_opens_with_a_figure_that_explains_itself(slug: str, tab: str) -> None:
    app = opened(slug, **{f"{slug}_tab": tab})
    assert not complaints(app)
    for chart in charts(app):
        layout = chart["layout"]
        assert layout["title"]["text"] and "@{" not in layout["title"]["text"]
        for axis in ("xaxis", "yaxis"):
            assert layout[axis]["title"]["text"] and "@{" not in layout[axis]["title"]["text"]
        assert len(chart["alt"]) > 20
        assert chart["data"], "a figure without data"
    assert len(charts(app)) <= 1


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("asked", BAD_LEVELS.values(), ids=BAD_LEVELS)
def test_an_unusable_level_in_the_link_gets_one_sentence_and_the_page_works(slug: str, asked: str) -> None:
    app = opened(slug, epsilon=asked)
    assert len(complaints(app)) == (slug not in WITHOUT_LEVEL)
    assert answer(app)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_level_given_twice_and_an_unknown_dataset_get_one_sentence_each(slug: str) -> None:
    app = opened(slug, epsilon=["1", "2"])
    assert len(complaints(app)) == (slug not in WITHOUT_LEVEL)
    app = opened(slug, data="nowhere")
    assert len(complaints(app)) == ("data" in app.session_state)
    assert answer(app)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_page_survives_both_ends_of_every_slider(slug: str) -> None:
    for end in (0, -1):
        app = opened(slug)
        for slider in app.select_slider:
            slider.set_value(read(slider.options[end]))
        for slider in app.slider:
            slider.set_value(slider.min if end == 0 else slider.max)
        for box in app.number_input:
            box.set_value(box.min if end == 0 else box.max)
        app.run()
        assert not app.exception, [error.value for error in app.exception]
        assert answer(app)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_page_survives_every_pair_of_its_choices(slug: str) -> None:
    first = opened(slug)
    named = [box.key for box in first.selectbox if box.key]
    for one, other in itertools.combinations(named, 2):
        sizes = (len(first.selectbox(key=one).options), len(first.selectbox(key=other).options))
        for index in range(max(sizes)):
            app = opened(slug)
            for key, size in zip((one, other), sizes, strict=True):
                boxes = [box for box in app.selectbox if box.key == key]
                if boxes:
                    boxes[0].select_index(min(index % size, len(boxes[0].options) - 1)).run()
            assert not app.exception, (one, other, index, [error.value for error in app.exception])


@pytest.mark.parametrize("slug", [slug for slug in SLUGS if slug not in (DEFAULT, "reference")])
def test_the_answer_states_the_numbers_of_the_page(slug: str) -> None:
    assert numbers_in(answer(opened(slug)))
