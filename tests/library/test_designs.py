"""One way for every mechanism: laws over the registry, of what a client and a collector do with a design."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ldpcore
from ldpcore.mechanisms import REGISTRY
from ldpcore.mechanisms.arithmetic import FLOATING
from ldpcore.mechanisms.base import CategoryRandomizer, LocalRandomizer, Mechanism, NumberRandomizer
from ldpcore.mechanisms.grr import GeneralizedRandomizedResponse
from ldpcore.mechanisms.hybrid import HybridMechanism
from ldpcore.mechanisms.possible import PossibleReports
from ldpcore.mechanisms.vectors import VectorRandomizer
from tests.cases import for_each
from tests.library.members import COLORS, design_of
from tests.rationing import shared

MEMBERS = for_each("member", REGISTRY, ids=lambda member: member.slug)
COUNTED = tuple(member for member in REGISTRY if issubclass(member, LocalRandomizer))


@MEMBERS
def test_tallies_of_parts_add_up_to_the_tally_of_the_whole(member: type[Mechanism]) -> None:
    design, values = design_of(member)
    reports = design.privatize(values, np.random.default_rng(1))
    whole = design.tally(reports)
    for cut in (0, 1, len(reports) // 2, len(reports)):
        parts = ldpcore.merge([design.tally(reports[cut:]), design.empty(), design.tally(reports[:cut])])
        assert parts.n == whole.n == len(values)
        if whole.counts.dtype.kind in "iu":
            assert np.array_equal(parts.counts, whole.counts)
        else:
            assert np.allclose(parts.counts, whole.counts, rtol=1e-12, atol=1e-9)


@MEMBERS
def test_facade_tallies_and_estimates_as_the_mechanism_does(member: type[Mechanism]) -> None:
    design, values = design_of(member)
    if not isinstance(design.mechanism, LocalRandomizer):
        return
    inward = design.domain.inward(values)
    reports = design.privatize(values, np.random.default_rng(2))
    assert reports.tobytes() == design.mechanism.privatize(inward, np.random.default_rng(2)).tobytes()
    own = design.mechanism.tally(reports)
    assert np.array_equal(design.tally(reports).counts, own.counts)
    estimate = design.tally(reports).estimate()
    unit = design.domain.outward(np.atleast_1d(design.mechanism.estimate(own)), design.mechanism)
    assert np.array_equal(estimate.values, unit, equal_nan=True)


@MEMBERS
def test_reports_survive_their_columns(member: type[Mechanism]) -> None:
    design, values = design_of(member)
    reports = design.privatize(values, np.random.default_rng(3))
    columns = design.columns(reports)
    assert tuple(columns) == design.form.columns
    assert np.array_equal(design.tally(design.reports(columns)).counts, design.tally(reports).counts)
    lists = {name: column.tolist() for name, column in columns.items()}
    assert np.array_equal(design.tally(design.reports(lists)).counts, design.tally(reports).counts)


@MEMBERS
def test_design_and_tally_are_read_back_from_json(member: type[Mechanism]) -> None:
    design, values = design_of(member, 1.0 / 3)
    tally = design.tally(design.privatize(values, np.random.default_rng(4)))
    assert ldpcore.Design.from_json(design.to_json()) == design
    assert ldpcore.Tally.from_json(tally.to_json()) == tally
    assert ldpcore.Tally.from_json(design.empty().to_json()).n == 0


@MEMBERS
def test_guarantee_is_that_of_the_mechanism_and_never_echoed(member: type[Mechanism]) -> None:
    design, _ = design_of(member)
    assert design.guarantee() == design.mechanism.guarantee()
    assert design.guarantee().epsilon <= design.mechanism.claim().epsilon * (1 + 1e-9)


@MEMBERS
def test_exact_arithmetic_keeps_the_level_or_says_why_not(member: type[Mechanism]) -> None:
    """The fractions that the coins meet are within rounding of the level; what is no fraction says so in words."""
    for level in (1e-3, 1.0, 3.0):
        design, _ = design_of(member, level)
        exact = design.arithmetic()
        assert len(exact.words) > 40
        sent = design.form.sample
        if sent.dtype.kind in "iu":
            assert exact.words != FLOATING, (
                f"{member.slug} sends whole numbers: its `arithmetic` must say what a computer makes of its level"
            )
        if exact.epsilon is not None:
            assert isinstance(exact.odds, Fraction)
            assert math.isclose(exact.epsilon, design.guarantee().epsilon, rel_tol=1e-11, abs_tol=1e-12)


def test_floating_point_noise_promises_no_exact_level() -> None:
    silent = {member.slug for member in REGISTRY if design_of(member)[0].arithmetic().epsilon is None}
    assert {"laplace", "gauss", "locallaplace", "gaussian", "pm", "hm", "sw", "she", "cells", "ball"} <= silent
    assert not silent & {"rr", "coins", "grr", "sue", "oue", "blh", "olh", "the", "subset", "hadamard", "onebit", "abm"}


@for_each("member", COUNTED, ids=lambda member: member.slug)
def test_standard_errors_given_everybody_are_exact(member: type[Mechanism]) -> None:
    """The stated error is the root of the mechanism's variance in the unit of the values."""
    design, values = design_of(member)
    assert isinstance(design.mechanism, LocalRandomizer)
    people = design.domain.people(values)
    unit = design.domain.unit(design.mechanism)
    assert np.allclose(design.standard_errors(values), np.sqrt(design.mechanism.variance(people)) * unit, rtol=1e-12)


@pytest.mark.parametrize("member", shared(COUNTED, 2), ids=lambda member: member.slug)
def test_estimated_standard_error_is_not_too_small(member: type[Mechanism]) -> None:
    """Of many people the error at the estimate is within five hundredths of the exact one, or above it."""
    design, values = design_of(member, 4.0)
    many = design.simulate(values * 200, np.random.default_rng(5)).estimate()
    exact = design.standard_errors(values * 200)
    assert (many.standard_errors >= 0.95 * exact).all()


KINDS_WITH_MEANS = (CategoryRandomizer, NumberRandomizer, VectorRandomizer)


@pytest.mark.parametrize(
    "member", shared([m for m in COUNTED if issubclass(m, KINDS_WITH_MEANS)], 5), ids=lambda member: member.slug
)
def test_intervals_hold_and_hold_together_wider(member: type[Mechanism]) -> None:
    """Of 40 surveys at 99 % at most nine intervals of a label miss: P(Bin(40, 0.01) > 9) < 1e-11."""
    design, values = design_of(member, 2.0)
    truth = design.simulate(values, np.random.default_rng(0)).estimate()
    people = design.domain.people(values)
    assert isinstance(design.mechanism, LocalRandomizer)
    true = design.domain.outward(np.atleast_1d(design.mechanism.truth(people)), design.mechanism)
    misses = np.zeros(len(truth))
    for seed in range(40):
        tally = design.simulate(values, np.random.default_rng(seed))
        single, together = tally.estimate(0.99), tally.estimate(0.99, together=True)
        sample = tally.estimate(0.99, sampled=True)
        assert (together.low <= single.low + 1e-9).all() and (together.high >= single.high - 1e-9).all()
        assert (sample.standard_errors >= single.standard_errors - 1e-12).all()
        misses += (single.low > true) | (single.high < true)
    assert misses.max() <= 9


def test_labels_come_in_every_container() -> None:
    survey = ldpcore.build("grr", 50.0, COLORS)  # at this level nobody ever lies
    expected = [0, 2, 0, 1]
    values = ["red", "blue", "red", "green"]
    containers: list[Any] = [
        values,
        tuple(values),
        np.array(values),
        np.array(values, dtype=object),
        pd.Series(values),
        pd.Series(values, dtype="category"),
        pd.Categorical(values, categories=["green", "blue", "red"]),
        pd.Index(values),
    ]
    for held in containers:
        assert survey.privatize(held, np.random.default_rng(0)).tolist() == expected
    assert ldpcore.build("grr", 1.0, pd.Categorical(values, categories=COLORS)).labels == tuple(COLORS)
    assert ldpcore.build("grr", 1.0, pd.Series(values)).labels == ("blue", "green", "red")
    assert ldpcore.build("rr", 1.0, [False, True]).privatize([True, False], np.random.default_rng(0)).size == 2
    assert ldpcore.build("grr", 50.0, [10, 20, 5]).privatize([5, 10], np.random.default_rng(0)).tolist() == [2, 0]
    table = pd.DataFrame({"weight": [50.0], "height": [160.0]})
    rows = ldpcore.Vectors({"height": (100, 220), "weight": (0, 200)}).inward(table)
    assert rows.tolist() == [[0.0, -0.5]]


@pytest.mark.parametrize(
    ("values", "key"),
    [
        (["red", "purple"], "value_unknown"),
        (["red", None], "value_unknown"),
        ([["red"], ["red", "blue"]], "value_unknown"),
        (np.array([["red"]]), "values_one_list"),
        (pd.Series(["red", None], dtype="category"), "value_unknown"),
        ([0, 1], "value_unknown"),
    ],
)
def test_value_that_is_no_label_is_refused(values: Any, key: str) -> None:
    with pytest.raises(ldpcore.Refusal) as refused:
        ldpcore.build("grr", 1.0, COLORS).privatize(values, np.random.default_rng(0))
    assert refused.value.key == key
    assert str(refused.value)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (
            lambda: ldpcore.build("nothing", 1.0, 3),
            "mechanism must be one of those that ldpcore.serving(domain) names, such as",
        ),
        (lambda: ldpcore.build("grr", None, 3), "grr must be built from a level; got none"),
        (lambda: ldpcore.build("grr", 1.0, 1), "k must be a whole number at least 2"),
        (lambda: ldpcore.build("rr", 1.0, 3), "rr must be built for a number of labels that it serves; got 3"),
        (lambda: ldpcore.build("grr", 1.0, ldpcore.Numbers(0, 1)), "grr must be built for categories; got numbers"),
        (
            lambda: ldpcore.build("onebit", 1.0, 3),
            "onebit must be built for numbers between two bounds; got categories",
        ),
        (lambda: ldpcore.build("grr", 1.0, 3, g=2), "a setting of grr must be one of ; got 'g'"),
        (lambda: ldpcore.build("coins", 1.0, 2), "coins must be built from yes_given_yes, yes_given_no and no level"),
        (lambda: ldpcore.build("abm", 1.0, ldpcore.Numbers(0, 1)), "must be built with the setting function; got none"),
        (lambda: ldpcore.build("grr", 1.0, ["a", "a"]), "every label must stand once in a domain; got 'a' twice"),
        (lambda: ldpcore.build("grr", 1.0, ["a", None]), "a label must be a text, a number or a truth value; got None"),
        (lambda: ldpcore.Numbers(3, 1), "low must be less than high; got 3 and 1"),
        (lambda: ldpcore.merge([]), "at least one tally must be there to be merged; got none"),
        (lambda: ldpcore.build("grr", 1.0, 3).empty().estimate(), "an estimate needs at least one report; got 0"),
        (
            lambda: ldpcore.build("grr", 1.0, 3).tally([0]) + ldpcore.build("grr", 2.0, 3).tally([0]),
            "tallies must be of one design to be merged; got grr(epsilon=1.0, k=3) and grr(epsilon=2.0, k=3)",
        ),
    ],
)
def test_bad_input_is_refused_in_one_sentence(asked: Any, said: str) -> None:
    with pytest.raises(ldpcore.Refusal) as refused:
        asked()
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def refusal_of(design: ldpcore.Design, reports: Any) -> ldpcore.Refusal | None:
    try:
        design.tally(reports)
    except ldpcore.Refusal as problem:
        return problem
    return None


def test_everybody_is_refused_what_nobody_can_have_sent() -> None:
    """For each mechanism, a report beside those it can make is refused by its place, and nothing is counted."""
    wrong = 0
    for member in REGISTRY:
        design, values = design_of(member)
        reports = design.privatize(values, np.random.default_rng(6))
        if reports.dtype.names is not None:
            spoilt = reports.copy()
            spoilt[spoilt.dtype.names[-1]][1] = 255 if "bits" not in spoilt.dtype.names else 0
            if "bits" in (spoilt.dtype.names or ()):
                spoilt["cohort"][1] = 60_000
        else:
            spoilt = reports.astype(np.float64 if reports.dtype.kind == "f" else np.int64)
            spoilt[1] = np.inf if reports.dtype.kind == "f" else -77 if member.slug != "geometric" else spoilt[1]
        if member.slug == "geometric":
            continue  # every whole number can be sent
        refused = refusal_of(design, spoilt)
        assert refused is not None, f"{member.slug}: its `possible` must say what it can send"
        assert refused.key == "report_impossible", member.slug
        assert refused.fields["place"] == 1
        wrong += 1
    assert wrong == len(REGISTRY) - 1


@dataclass(frozen=True)
class NeverFirst(GeneralizedRandomizedResponse):
    """A mechanism that the library has never seen: the first value is never sent."""

    def possible(self, reports: Any) -> PossibleReports:
        return reports > 0, "anything but the first"

    def arithmetic(self) -> ldpcore.Arithmetic:
        return ldpcore.Arithmetic(Fraction(3), "thrown by hand")


def test_a_mechanism_says_itself_what_it_can_send_and_what_a_computer_makes_of_its_level() -> None:
    design = ldpcore.Design(NeverFirst(1.0, 3), ldpcore.Categories.numbered(3))
    refused = refusal_of(design, [1, 2, 0])
    assert refused is not None and refused.key == "report_impossible" and refused.fields["place"] == 2
    assert design.tally([1, 2, 1]).n == 3 and design.names_one and design.most_of(5) == 5
    assert design.arithmetic().words == "thrown by hand"


def test_hybrid_knows_its_bits_at_small_levels() -> None:
    design = ldpcore.build("hm", 0.5, ldpcore.Numbers(-1, 1))
    assert isinstance(design.mechanism, HybridMechanism)
    reports = design.privatize([0.1] * 50, np.random.default_rng(0))
    assert design.tally(reports).n == 50
    with pytest.raises(ldpcore.Refusal, match="must be one that hm can make"):
        design.tally([0.3])


def test_crowds_of_any_size_are_drawn_at_once() -> None:
    survey = ldpcore.build("oue", 1.0, COLORS)
    estimate = survey.simulate({"red": 10**12, "blue": 10**12}, np.random.default_rng(0)).estimate()
    assert estimate.n == 2 * 10**12
    # Within seven exact standard errors: a normal tail below 3e-12 for each of three labels.
    assert np.abs(estimate.values - [0.5, 0, 0.5]).max() < 7 * estimate.standard_errors.max() < 1e-4


def test_estimate_is_a_table_and_plain_values() -> None:
    estimate = ldpcore.build("grr", 1.0, COLORS).tally([0, 1, 1, 2]).estimate()
    table = estimate.table()
    assert table.index.tolist() == COLORS and table.columns.tolist() == ["estimate", "standard_error", "low", "high"]
    assert [line["label"] for line in estimate.record()["estimates"]] == COLORS
    assert estimate["green"].value == table.loc["green", "estimate"]
    assert len(estimate) == 3 and {line.label for line in estimate} == set(COLORS)
