"""For every test: hypothesis draws the same examples by day, and what is computed once is computed by one worker."""

import gc
import importlib
import logging
import re
import secrets
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from explorer.navigation import entries
from tests.rationing import ALL

settings.register_profile(
    "repeatable", derandomize=True, deadline=None, print_blob=False, max_examples=100 if ALL else 20
)
settings.register_profile("nightly", deadline=None, print_blob=True)
settings.load_profile("nightly" if ALL else "repeatable")

LONGEST_NAME = 200  # letters of a text that a test is called after
SLUG = re.compile(rf"(?<![a-z])({'|'.join(entry.slug for entry in entries())})(?![a-z])")
WITH = {"test_sentences": "test_fuzz"}  # files that go once through the controls of all pages
# Whose tests share the answers of a page, which are dear, by what they share them with.
BY_PAGE = {"screens": "screens"} | dict.fromkeys(("test_scenes", "test_sheets", "test_predicting"), "scenes")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """At night examples are drawn from a seed of their own, which the report names: `--hypothesis-seed` repeats it."""
    if ALL and config.getoption("hypothesis_seed") is None:
        config.option.hypothesis_seed = str(secrets.randbits(32))


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """A long text's name and length: it would be sent to every worker and back, as part of the test's name."""
    return f"{argname}-of-{len(val)}" if isinstance(val, (str, bytes)) and len(val) > LONGEST_NAME else None


def pytest_report_header(config: pytest.Config) -> str:
    """The seed of the night's examples."""
    return f"hypothesis seed: {config.getoption('hypothesis_seed') or 'the same each time'}"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests that share what they have computed stay together: those of a file, or of a page of the app.

    What is for the night is left to it, but where tests are chosen: by the name of one of the same file, by words or
    by a marker, or because they failed before.
    """
    named = {Path(asked.partition("::")[0]).resolve() for asked in config.args if "::" in asked}
    if not ALL and not any(config.getoption(option, False) for option in ("keyword", "markexpr", "lf")):
        left = {item for item in items if item.get_closest_marker("at_night") and item.path not in named}
        config.hook.pytest_deselected(items=[*left])
        items[:] = [item for item in items if item not in left]
    for item in items:
        item.add_marker(pytest.mark.xdist_group(group(item.path, item.name)))


def pytest_collection_finish() -> None:
    """Imported modules stay: the collector of garbage looks at them no more, and less often at the rest.

    Streamlit's loggers hand on to the root what they are told: pytest would bind and free each of them for each test.
    """
    for logger in logging.Logger.manager.loggerDict.values():
        if isinstance(logger, logging.Logger):
            logger.propagate = True
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
    """The installed packages are looked through once, and a page is compiled once, not for each test that opens it."""
    if "streamlit.testing.v1" in sys.modules:
        importlib.import_module("explorer.ui.internals").look_once()


@pytest.fixture(autouse=True)
def _strips_where_looked_at(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """All other stops of a handle are drawn for a test that is marked as reading them (`all_stops`).

    They are nine tenths of what a page draws. Those of both ends of every control are drawn by
    `screens/test_every_page.py`, and held to the laws by `test_scenes.py`. A tester has no browser that would ask for
    those that are late, so that they come at once.
    """
    if "streamlit.testing.v1" in sys.modules:
        page = importlib.import_module("explorer.ui.page")
        if request.node.get_closest_marker("all_stops"):
            monkeypatch.setattr(page._Run, "_made_now", lambda run: True)
        else:
            monkeypatch.setattr(page._Run, "look_ahead", nothing_ahead)


def nothing_ahead(run: Any) -> None:
    stage = importlib.import_module("explorer.ui.stage")
    stage.strip(run.key, stage.rolled(run.key, run.token, {}))


def group(path: Path, name: str) -> str:
    """The name of the group to which a test belongs."""
    room = BY_PAGE.get(path.parent.name) or BY_PAGE.get(path.stem)
    page = SLUG.search(name) or SLUG.search(path.stem)
    return f"{room}-{page[1]}" if room and page else WITH.get(path.stem, path.stem)
