"""For every test: hypothesis draws the same examples each time, and what is computed once is computed by one worker."""

import gc
import importlib
import re
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from explorer.navigation import entries

settings.register_profile("repeatable", derandomize=True, deadline=None, print_blob=False)
settings.load_profile("repeatable")

SLUG = re.compile(rf"(?<![a-z])({'|'.join(entry.slug for entry in entries())})(?![a-z])")
# Whose tests share the answers of a page, which are dear, by what they share them with.
BY_PAGE = {"screens": "screens"} | dict.fromkeys(("test_scenes", "test_sheets", "test_predicting"), "scenes")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that share what they have computed stay together: those of a file, or of a page of the app."""
    for item in items:
        item.add_marker(pytest.mark.xdist_group(group(item.path, item.name)))


def pytest_collection_finish() -> None:
    """What was imported stays: the collector of garbage looks at it no more, and less often at the rest."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


@pytest.fixture(autouse=True)
def _scenes_of_its_own() -> Iterator[None]:
    """A scene that was made under a planted mistake, or before it, is not shown to the next test."""
    yield
    if (cache := sys.modules.get("explorer.ui.cache")) is not None:
        cache.forget_scenes()


@pytest.fixture(autouse=True)
def _packages_once() -> None:
    """What is installed is looked through once: each page that a test opens would ask every package for components."""
    if "streamlit.testing.v1" in sys.modules:
        scanner = importlib.import_module("streamlit.components.v2.manifest_scanner")
        if not hasattr(scanner.scan_component_manifests, "cache_info"):
            scanner.scan_component_manifests = lru_cache(1)(scanner.scan_component_manifests)


@pytest.fixture(autouse=True)
def _strips_where_looked_at(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """All other stops of a handle are drawn for a test that reads them (`strip`) or asks for them (`all_stops`).

    They are nine tenths of what a page draws. Those of both ends of every control are drawn by
    `screens/test_every_page.py`, and held to the laws by `test_scenes.py`.
    """
    test = getattr(request.node, "function", None)
    if test is None or "streamlit.testing.v1" not in sys.modules or request.node.get_closest_marker("all_stops"):
        return
    if "strip" not in test.__code__.co_names:
        page = importlib.import_module("explorer.ui.page")
        monkeypatch.setattr(page._Run, "_strip", _nothing_ahead)


def _nothing_ahead(run: Any) -> None:
    stage = importlib.import_module("explorer.ui.stage")
    stage.strip(run.key, stage.rolled(run.key, run.token, {}))


def group(path: Path, name: str) -> str:
    """The name of the group to which a test belongs."""
    room = BY_PAGE.get(path.parent.name) or BY_PAGE.get(path.stem)
    page = SLUG.search(name) or SLUG.search(path.stem)
    return f"{room}-{page[1]}" if room and page else path.stem
