"""A new language is a folder of texts and nothing else."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import explorer.text as texts
from explorer.text import LANGUAGE, languages, listing, negotiate, page_text
from explorer.text.catalogue import catalogue_of
from tests import scenes

FOLDER = Path(texts.__file__).parent


@pytest.fixture
def pashto(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder `ps` beside the others, its texts still in English: all that a new language takes."""
    shutil.copytree(FOLDER, tmp_path / "text", ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    shutil.copytree(FOLDER / LANGUAGE, tmp_path / "text" / "ps")
    monkeypatch.setattr(texts, "_FOLDER", tmp_path / "text")
    yield
    for kept in (catalogue_of, page_text, listing):
        kept.cache_clear()


def test_a_new_language_needs_no_code(pashto: None) -> None:
    """A folder is enough: it is offered, reads from right to left, has its own digits, and fills every scene."""
    catalogue = catalogue_of("ps")
    assert "ps" in languages() and negotiate("ps-AF, de;q=0.5", languages()) == "ps"
    assert catalogue.direction == "rtl" and catalogue.separators[0] == "\u066b"
    firsts = {setting.page.slug: setting for setting in reversed(scenes.settings()) if setting.place == 0}
    assert len(firsts) > 5
    for setting in firsts.values():
        for truth in (True, False):
            scene = scenes.Scenes(setting).scene(setting.page.default_level, truth, "ps")
            said = " ".join(scenes.texts(scene).values())
            assert "@{" not in said, (setting.name, truth)
            assert not truth or re.search("[\u06f0-\u06f9]", scene.answer), setting.name
