"""Nothing that anybody types or brings makes a traceback, takes five seconds or all memory, is dropped in silence."""

from __future__ import annotations

import os
import resource
import time
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache, partial
from itertools import cycle
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from streamlit.testing.v1 import AppTest

from explorer.figures.theme import Look
from explorer.host.turns import DEAR
from explorer.navigation import DEFAULT, entries
from explorer.scenes import scene
from explorer.settings.questions import AskError, from_link, query, unused
from explorer.text import languages
from explorer.text.catalogue import catalogue_of
from explorer.text.conventions import PSEUDO
from explorer.ui import lecture, trouble
from explorer.ui import links as judged
from explorer.ui.linkstate import LinkState
from explorer.ui.sessionkeys import LINK, ROOM
from ldpcore.questions import seconds
from ldpcore.reading.dialects import read_table
from ldpcore.refusals import Refusal
from ldpcore.tables.table import BUILT_IN, TableError, built_in
from tests.fuzz.drawn import opened as settled
from tests.fuzz.drawn import readers, walked
from tests.fuzz.files import file
from tests.fuzz.links import Link, link
from tests.rationing import shared
from tests.scenes import STOPS, declared
from tools.serving import ROOT

PART = float(os.environ.get("LDP_EXPLORER_FUZZ", "0"))  # 1 for all of them
WHOLE = PART > 0
FILES, LINKS, SCENES, PAGES = (
    (int(10_000 * PART), int(100_000 * PART), int(100_000 * PART), int(1_000 * PART)) if WHOLE else (40, 200, 16, 16)
)
LONGEST = 5.0 if WHOLE else 10.0  # processor seconds; twice as many where the cores are shared with other tests
MOST = 600.0  # megabytes beyond what the process held
SLUGS = [entry.slug for entry in entries()]
STAGED = [slug for slug in SLUGS if declared(slug).on_stage]


def held() -> float:
    """Megabytes that this process held at its peak."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def within(what: str, work: Callable[[], Any]) -> Any:
    """What comes of it; it must not take too long."""
    began = time.process_time()
    outcome = work()
    taken = time.process_time() - began
    assert taken < LONGEST, f"{what} takes {taken:.1f} s"
    return outcome


def read(seed: int) -> str:
    """What becomes of a file: a table, or the key of the sentence that refuses it."""
    name, raw = file(seed)
    try:
        table, understood = read_table(raw, name)
    except TableError as refusal:
        for language in languages():
            sentence = catalogue_of(language).refusal(refusal)
            assert 10 < len(sentence) < 500 and "@{" not in sentence, (seed, sentence)
        return refusal.key
    assert table.n == understood.rows > 0 and len(table.columns) == len(set(table.columns)) > 0, seed
    for column in table.columns[:20]:
        table.categories(column)
    return "table"


def test_files_become_tables_or_are_refused_in_one_sentence() -> None:
    before, became = held(), Counter[str]()
    for seed in range(FILES):
        became[within(f"file {seed}", partial(read, seed))] += 1
    assert held() - before < MOST
    assert became["table"] > FILES / 10 and len(became) > 5, became
    if WHOLE:
        print(became, f"{held() - before:.0f} MB")


TROUBLE = catalogue_of("en").label("frame.trouble")


def known(slug: str) -> dict[str, tuple[str, ...]]:
    return {key: reader["options"] for key, reader in readers(slug).items()}


def accepted(reader: Callable[[str], Any], text: str) -> bool:
    """Whether a control takes a text; it says why not, or it is right."""
    try:
        reader(text)
    except judged.UnusableError as problem:
        return not str(problem)
    return True


def asked(parameters: Link, place: int) -> bool:
    """Whether a question about a built-in table can be asked as a link says; its parts are used, named or refused."""
    texts = {key: given[-1] for key, given in parameters.items() if key.split("_")[0] == "ask"}
    table = built_in(BUILT_IN[place % len(BUILT_IN)])
    try:
        draft = from_link(table, texts, ("count", "sum", "mean"))
        assert set(unused(texts, draft)) <= set(texts)
        query(table, draft).answer(table)
    except (AskError, Refusal):
        return False
    return bool(texts)


def test_every_part_of_a_link_is_read_or_refused_with_its_rule() -> None:
    counted = Counter[str]()
    for seed in range(LINKS):
        slug = SLUGS[seed % len(SLUGS)]
        parameters = link(seed, known(slug))
        for key, texts in parameters.items():
            if key in readers(slug):
                fits = within(f"link {seed}", partial(accepted, readers(slug)[key]["read"], texts[0]))
                counted["accepted" if fits else "refused"] += 1
        counted["asked"] += within(f"link {seed}", partial(asked, parameters, seed))
    assert min(counted["accepted"], counted["refused"]) > LINKS / 20 and counted["asked"] > LINKS / 100, counted


def shown(seed: int) -> str:
    """What becomes of a link to a page with a stage: the scene at some level, or why there is none."""
    slug, chance = STAGED[seed % len(STAGED)], Random(seed)
    parameters = {key: texts[-1] for key, texts in link(seed, known(slug)).items() if key not in lecture.ALL}
    opened = settled(slug)
    try:
        run = opened.by(parameters).run
    except AssertionError:  # a page that refuses says so instead
        said = " ".join(error.value for error in opened.app.error)
        assert said and not opened.app.exception and TROUBLE not in said, (seed, parameters, said)
        return "refused"
    if run is None:
        return "nothing"
    if max((seconds(question) for question in questions(run)), default=0.0) > DEAR:
        return "long work"
    look = Look(dark=chance.random() < 0.5, lecture=chance.random() < 0.3, truth=chance.random() < 0.7)
    language = chance.choice((*languages(), PSEUDO))
    level = run.level if chance.random() < 0.5 else chance.choice(STOPS)
    made = scene(run.page, run.view, run.asked, level, look, language, own=run.own)
    words = (made.answer, made.note, made.alt)
    assert made.answer and not any("@{" in text or "%{" in text for text in words), (seed, words)
    assert "nan" not in made.answer.lower().split(), (seed, made.answer)
    return "scene"


def questions(run: Any) -> list[Any]:
    """All that a scene asks."""
    asked_for = (
        run.page.main(run.asked, run.level) if run.page.main else None,
        run.view.question(run.asked, run.level, run.own),
    )
    return [each for more in asked_for for each in (more if isinstance(more, tuple) else (more,)) if each is not None]


def test_scenes_stand_under_any_link() -> None:
    before, became = held(), Counter[str]()
    for seed in range(SCENES):
        try:
            became[within(f"the scene of link {seed}", partial(shown, seed))] += 1
        except Exception as problem:
            raise AssertionError(f"link {seed} to {STAGED[seed % len(STAGED)]}: {problem!r}") from problem
    assert held() - before < MOST
    assert became["scene"] > SCENES / 2 and became["nothing"] == 0, became
    if WHOLE:
        print(became, f"{held() - before:.0f} MB")


@pytest.mark.parametrize("slug", shared(STAGED, 4, 1))
def test_what_cannot_be_used_has_its_sentence_on_every_page(slug: str, no_trouble: list[str]) -> None:
    page = settled(slug)
    for (chosen, seen), nonsense in zip(walked(slug)[1], cycle(("null", "1e400"))):
        page.by({key: nonsense for key in (*known(slug), *seen.numbers) if key not in seen.options} | chosen)
        assert not no_trouble, (chosen, no_trouble)


class Visited:
    """A page that link after link is opened on, with all that it shows."""

    def __init__(self, slug: str) -> None:
        self.slug, self.app = slug, AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
        self.app.run()
        if slug != DEFAULT:
            self.app.switch_page(f"pages/{slug}.py").run()

    def by(self, parameters: Mapping[str, list[str]]) -> tuple[list[str], str]:
        """What of a link was dropped without a word, and what the page complains of."""
        state, judged_keys = self.app.session_state, set[str]()
        wish, claim = judged.requested, judged.requested_family

        def wished(key: str, *more: Any) -> Any:
            judged_keys.add(key)
            return wish(key, *more)

        def claimed(family: str) -> Any:
            family_asked = claim(family)
            judged_keys.update(family_asked or ())
            return family_asked

        if ROOM.name in state:
            del state[ROOM.name]
        link: LinkState = state[LINK.name]
        link.page, link.travelling = "", {}
        self.app.query_params.clear()
        for key, texts in parameters.items():
            self.app.query_params[key] = texts
        with patch.object(judged, "requested", wished), patch.object(judged, "requested_family", claimed):
            self.app.run()
        complaints = " ".join(link.unusable)
        aside = {key for key in judged.PROJECT if key in link.travelling} | {"lang", "embed", "embed_options"}
        spared = {key for key in lecture.SWITCHES if parameters.get(key, [""])[-1].lower() in ("true", "false")}
        named = {key for key in parameters if escaped(key) in complaints}
        waiting = {
            key for key, texts in parameters.items() if link.known.get(key) in texts
        }  # for the view that asks it
        heard = judged_keys | aside | spared | named | waiting
        return sorted(key for key in parameters if key not in heard), complaints


def escaped(key: str) -> str:
    """A parameter's name as a complaint writes it."""
    from explorer.facts import Name

    return catalogue_of("en").markdown(None, "frame.unknown", {"name": Name(key)}).split("sets ")[1].split(", which")[0]


@pytest.fixture
def no_trouble(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What went wrong while a page was built."""
    met: list[str] = []
    tell = trouble.tell

    def noted(slug: str, problem: Exception) -> None:
        met.append(f"{slug}: {problem!r}")
        tell(slug, problem)

    monkeypatch.setattr(trouble, "tell", noted)
    return met


def test_pages_stand_under_any_link_and_name_what_they_cannot_use(no_trouble: list[str]) -> None:
    before, visited, dropped = held(), cache(Visited), list[Any]()
    for seed in range(0, PAGES, 1 if WHOLE else 2):  # by day on every other page, beside those above
        slug = SLUGS[seed % len(SLUGS)]
        parameters = link(seed, known(slug)) | {"lang": ["en"]}
        page = visited(slug)
        silent, _ = within(f"link {seed} on {slug}", partial(page.by, parameters))
        assert not page.app.exception and not no_trouble, (seed, slug, parameters, no_trouble, page.app.exception)
        dropped += [(seed, slug, key, parameters[key]) for key in silent]
    assert not dropped, dropped
    assert held() - before < MOST
