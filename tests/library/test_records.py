"""What a client and a collector hand each other: versioned, whole, of one design, or refused."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ldpcore
from ldpcore.library.records import VERSION

COIN = ldpcore.build("grr", 1.0, ["red", "green", "blue"])
TALLY = COIN.tally([0, 1, 1, 2])


def changed(text: str, *path: str, to: Any) -> str:
    body = json.loads(text)
    inner = body
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = to
    return json.dumps(body)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "json_unread"),
        (TALLY.to_json()[:-20], "json_unread"),
        ("[1]", "json_unread"),
        ("[" * 100_000, "json_unread"),
        (COIN.to_json(), "json_format"),
        (changed(TALLY.to_json(), "version", to=VERSION + 1), "json_version"),
        (changed(TALLY.to_json(), "n", to=-1), "json_field"),
        (changed(TALLY.to_json(), "n", to=4.0), "json_field"),
        (changed(TALLY.to_json(), "n", to=5), "tally_count"),
        (changed(TALLY.to_json(), "counts", to=[1, 2]), "tally_shape"),
        (changed(TALLY.to_json(), "counts", to=[1, 2, 1.5]), "tally_shape"),
        (changed(TALLY.to_json(), "counts", to=[1, 4, -1]), "tally_count"),
        (changed(TALLY.to_json(), "counts", to=[[1], [2, 3]]), "tally_shape"),
        (changed(TALLY.to_json(), "counts", to=[1, 2, 10**40]), "tally_shape"),
        (changed(TALLY.to_json(), "design", to=3), "json_field"),
        (changed(TALLY.to_json(), "design", "mechanism", to="nothing"), "mechanism_unknown"),
        (changed(TALLY.to_json(), "design", "domain", "kind", to="nothing"), "json_field"),
        (changed(TALLY.to_json(), "design", "domain", "labels", to=["red", "green"]), "domain_unfit"),
        (changed(TALLY.to_json(), "design", "domain", "labels", to=10**9), "whole_in"),
        (changed(TALLY.to_json(), "design", "domain", to={"kind": "numbers", "low": 0, "high": 1}), "domain_unfit"),
        (changed(TALLY.to_json(), "design", "domain", to={"kind": "numbers"}), "json_field"),
        (changed(TALLY.to_json(), "design", "parameters", to={"epsilon": 1.0}), "json_field"),
        (changed(TALLY.to_json(), "design", "parameters", "epsilon", to=-1), "number_above_in"),
        (changed(TALLY.to_json(), "design", "parameters", "k", to="3"), "domain_unfit"),
    ],
)
def test_tally_that_is_not_what_it_says_is_refused(text: str, key: str) -> None:
    with pytest.raises(ldpcore.Refusal) as refused:
        ldpcore.Tally.from_json(text)
    assert refused.value.key == key
    assert len(str(refused.value)) < 600


def test_counts_beyond_the_reports_are_refused() -> None:
    tally = ldpcore.build("oue", 1.0, 3).tally(ldpcore.build("oue", 1.0, 3).form.sample)
    with pytest.raises(ldpcore.Refusal, match="0 to 1; got 2"):
        ldpcore.Tally.from_json(changed(tally.to_json(), "counts", to=[2, 0, 0]))


def test_tallies_of_other_labels_are_not_added() -> None:
    other = ldpcore.build("grr", 1.0, ["red", "green", "black"]).tally([0])
    with pytest.raises(ldpcore.Refusal, match="of one design"):
        TALLY + other


@settings(max_examples=40)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "format",
                        "version",
                        "design",
                        "counts",
                        "n",
                        "mechanism",
                        "parameters",
                        "domain",
                        "kind",
                        "labels",
                        "epsilon",
                        "k",
                    ]
                ),
                inner,
                max_size=6,
            )
        ),
        max_leaves=12,
    ),
    st.sampled_from(
        [
            ("design",),
            ("counts",),
            ("n",),
            ("design", "parameters"),
            ("design", "domain"),
            ("design", "domain", "labels"),
            ("design", "mechanism"),
            ("version",),
            ("format",),
        ]
    ),
)
def test_any_json_is_read_or_refused(value: Any, path: tuple[str, ...]) -> None:
    with suppress(ldpcore.Refusal):
        assert ldpcore.Tally.from_json(changed(TALLY.to_json(), *path, to=value)).n >= 0
