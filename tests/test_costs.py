"""Every question says beforehand what it takes, and its memory stays within what it said."""

from __future__ import annotations

import importlib
import inspect
import itertools
import pkgutil
import tracemalloc
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ldpcore import experiments
from ldpcore.costs import EACH, MEGABYTE, Cost, carried
from ldpcore.estimating.adviser import Adviser, candidates
from ldpcore.experiments import generator
from ldpcore.experiments.frequencies import (
    AfterEstimate,
    CategoryReport,
    FrequencyExperiment,
    FrequencyPlan,
    RivalPlans,
    TopTen,
)
from ldpcore.experiments.frequencies.collecting import OneRule
from ldpcore.experiments.means import SideBySide
from ldpcore.experiments.repetitions import Repetitions
from ldpcore.experiments.response import ClassSurvey, RealAnswers, RepeatedSurveys
from ldpcore.experiments.trust import WhoIsAlone
from ldpcore.experiments.verify import MatrixMerging, MechanismCheck
from ldpcore.experiments.verify.matrixpromises import SmallerPromiseOfMatrix
from ldpcore.mechanisms.bloom import bloom_design
from ldpcore.mechanisms.bloomfit import bloom_fit
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.mechanisms.rappor import Rappor
from ldpcore.people.populations import Population
from ldpcore.people.scales import ScaledNumbers
from ldpcore.questions import Question, no_progress, seconds
from ldpcore.reading.matrices import read_matrix
from ldpcore.tables.table import Table
from tests.rationing import shared


def questions() -> set[type[Any]]:
    """Everything in the experiments that has a run()."""
    found = set()
    for module in pkgutil.walk_packages(experiments.__path__, "ldpcore.experiments."):
        for _, member in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
            if callable(getattr(member, "run", None)) and member.__module__.startswith(
                ("ldpcore.experiments", "ldpcore.estimating")
            ):
                found.add(member)
    return found


def test_everything_that_can_be_run_says_what_it_takes() -> None:
    assert len(questions()) >= 30 and Adviser in questions()
    for question in questions():
        assert issubclass(question, Question), question


def test_a_question_that_nobody_follows_reports_to_no_progress() -> None:
    followed = {each: inspect.signature(each.run).parameters["progress"].default for each in questions()}
    assert not {each.__qualname__ for each, default in followed.items() if default is not no_progress}


def peak(question: Any) -> int:
    for part in ("linalg", "optimize", "signal", "sparse", "special", "stats"):  # loaded once, whoever asks first
        importlib.import_module(f"scipy.{part}")
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        kept = question.run()
        return tracemalloc.get_traced_memory()[1] - before if kept is not None else 0
    finally:
        tracemalloc.stop()


MATRIX = read_matrix("0.75 0.25\n0.25 0.75").channel()
SMALL: list[Any] = [
    MechanismCheck(RandomizedResponse(1.0)),
    SmallerPromiseOfMatrix(MATRIX),
    MatrixMerging(MATRIX, ((0, 1),)),
    ClassSurvey(RandomizedResponse(1.0), 10**7, 10**6),
    RealAnswers(RandomizedResponse(1.0), 4 * 10**6, 10**7),
    RepeatedSurveys(RandomizedResponse(1.0), 10**7, 10**6),
    RivalPlans(("grr", "oue"), 50, 10_000),
    Adviser(Population.zipf(100, 1000), 1.0),
]


@pytest.mark.parametrize("question", SMALL, ids=lambda question: type(question).__name__)
def test_a_question_takes_no_more_memory_than_it_said(question: Any) -> None:
    assert peak(question) <= question.cost().bytes and question.cost().seconds > 0


@pytest.mark.parametrize("k", shared([2, 200, 1500], 2))
def test_a_collection_takes_no_more_memory_than_it_said_by_any_mechanism(k: int) -> None:
    for place, randomizer in enumerate(candidates(1.0, k)):
        population = Population.zipf(k, 50_000)
        questions = (
            FrequencyExperiment(randomizer, population, 5),
            TopTen(randomizer, population, 5),
            AfterEstimate(randomizer, population, 3),
            CategoryReport(randomizer),
            FrequencyPlan(randomizer, 1000),
        )
        for question in shared(questions, 3, place + (k > 2)):
            assert peak(question) <= question.cost().bytes, (randomizer, type(question))


def test_a_collection_of_words_takes_no_more_memory_than_it_said() -> None:
    for k, m, cohorts in ((50, 64, 8), (600, 128, 64), (600, 8, 4)):
        bloom_design.cache_clear(), bloom_fit.cache_clear()
        question = FrequencyExperiment(Rappor.usual(1.0, k, m=m, cohorts=cohorts), Population.zipf(k, 10**5), 3)
        assert peak(question) <= question.cost().bytes, (k, m, cohorts)


@pytest.mark.parametrize(
    ("k", "m", "cohorts", "repeats"), shared([(15, 512, 64, 100), (2, 64, 64, 600), (15, 64, 64, 200)], 2)
)
def test_long_tallies_of_few_words_take_no_more_memory_than_was_said(
    k: int, m: int, cohorts: int, repeats: int
) -> None:
    """Many of them are drawn together, for there are so few words; a tally has a number for every bit of a cohort."""
    rappor, words = Rappor.usual(1.0, k, m=m, cohorts=cohorts), Population.zipf(k, 10**5)
    after = AfterEstimate(rappor, words, repeats)
    bloom_design.cache_clear(), bloom_fit.cache_clear()
    said = {type(each).__name__: each.cost().bytes for each in (TopTen(rappor, words, repeats), after, OneRule(after))}
    assert peak(after) <= min(said.values()) and max(said.values()) <= 200 * MEGABYTE, said


def test_tallies_that_are_handed_over_in_parts_are_those_of_one_call() -> None:
    rappor, words = Rappor.usual(1.0, 15, m=512, cohorts=64), Population.zipf(15, 10**4)
    drawn = list(Repetitions(rappor, words, 100, 3, "parts").tallies())
    whole = rappor.sample_tally(words, generator(3, "parts 1"), 99)
    parts = [tally.counts for tally in drawn[1:]]
    assert len(parts) > 1 and all(part.shape[1] <= rappor.tallies_at_once() for part in parts)
    assert np.array_equal(np.concatenate(parts, axis=1), whole.counts)


def test_more_of_anything_never_costs_less() -> None:
    def seconds(k: int, repeats: int, cohorts: int) -> float:
        rappor = Rappor.usual(1.0, k, cohorts=cohorts)
        return FrequencyExperiment(rappor, Population.zipf(k, 1000), repeats).cost().seconds

    for first, second in itertools.product((10, 100), (1, 50)):
        assert seconds(first, second, 8) <= seconds(2 * first, second, 8)
        assert seconds(first, second, 8) <= seconds(first, 2 * second, 8) <= seconds(first, 2 * second, 16)


def test_the_largest_question_that_a_control_can_ask_stays_within_150_megabytes() -> None:
    largest = FrequencyExperiment(Rappor(1.0, 2048, 512, 2, 128, 0.5, 0.75), Population.zipf(2048, 10**9), 100)
    assert largest.cost().bytes <= 150 * MEGABYTE and largest.cost().seconds > 1
    assert Cost(3, 1).then(Cost(2, 5)) == Cost(3, 6) and Cost(3, 1).times(4) == Cost(3, 4)


def test_a_question_about_millions_of_numbers_is_long_work_whatever_it_says_itself() -> None:
    crowd = ScaledNumbers.of(np.random.default_rng(1).random(10**6), 0, 1)
    question = SideBySide(1.0, crowd)
    assert carried(question) >= 2 * 10**6  # values, and how many hold each
    assert seconds(question) == EACH * carried(question) > question.cost().seconds
    few = SideBySide(1.0, ScaledNumbers.of(np.arange(10), 0, 9))
    assert carried(few) < 200 and seconds(few) == few.cost().seconds


def test_a_table_counts_by_its_rows_and_what_stands_in_tuples_counts() -> None:
    table = Table.of(pd.DataFrame({"x": np.arange(5000)}), "table.csv")
    question = WhoIsAlone(table, ("x",))
    assert carried(question) >= 5000 and question.run().alone == 5000
    assert seconds(WhoIsAlone(Table.of(pd.DataFrame({"x": np.zeros(10**7, dtype=np.int8)}), "t"), ("x",))) > 1
