"""Tests that share what they have computed run in one worker: each says so in its name, or nobody would group it."""

from __future__ import annotations

import os

import pytest

from tests.conftest import group


@pytest.mark.skipif("PYTEST_XDIST_WORKER" not in os.environ, reason="there is one worker alone")
def test_the_name_of_a_test_says_its_group(request: pytest.FixtureRequest) -> None:
    """A version of pytest that does not hear of the groups would compute every page's answers in every worker."""
    if request.config.getoption("loadgroup"):
        assert request.node.nodeid.endswith(f"@{group(request.path, request.node.name)}")
