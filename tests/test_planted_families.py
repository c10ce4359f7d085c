"""Planted mistakes in every family: category mechanisms, audit, adviser, intervals, links, masks, figures.

As in `test_planted.py`, each breaks one place, and a named test must turn red for it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import scipy

from ldpcore.estimating import adviser, audit, intervals, tallies
from ldpcore.experiments import frequencies
from ldpcore.experiments.response import survey
from ldpcore.experiments.verify import owncounts
from ldpcore.mechanisms import devices, rappor
from ldpcore.mechanisms.bitnoise import BitNoise
from ldpcore.mechanisms.bloomfit import BloomFit
from ldpcore.mechanisms.grr import GeneralizedRandomizedResponse
from ldpcore.mechanisms.hadamard import HadamardResponse
from ldpcore.mechanisms.hashing import BinaryLocalHashing, LocalHashing
from ldpcore.mechanisms.subset import SubsetSelection
from ldpcore.mechanisms.unary import OptimizedUnaryEncoding, SymmetricUnaryEncoding
from ldpcore.reading import answers, matrices
from tests import (
    conformance,
    scenes,
    test_adviser,
    test_answers,
    test_audit,
    test_decoding,
    test_devices,
    test_intervals,
    test_masks,
    test_matrices,
    test_nonresponse,
    test_owncounts,
    test_rappor,
)
from tests.test_planted import Mistake, law


def cells_of_the_truth_alone(self: LocalHashing, values: Any, rng: np.random.Generator) -> np.ndarray:
    """A lie never hits the own cell."""
    reports = HASHED(self, values, rng)
    lies = rng.random(len(reports)) >= self.p
    reports["cell"] = np.where(lies, (reports["cell"] + 1) % self.g, reports["cell"])
    return reports


HASHED = LocalHashing.privatize
CATEGORIES = (
    Mistake(
        "a level that is not attained: a fair coin for every bit",
        (OptimizedUnaryEncoding, "log_odds", property(lambda self: (0.0, 0.0))),
        law(conformance.loss_is_attained, OptimizedUnaryEncoding),
    ),
    Mistake(
        "less noise than the level asks for: the whole level on each of two bits",
        (SymmetricUnaryEncoding, "log_odds", property(lambda self: (self.epsilon, -self.epsilon))),
        law(conformance.loss_never_exceeds_the_level, SymmetricUnaryEncoding),
    ),
    Mistake(
        "reports of two values that lie too close: a lie that spares the own cell",
        (LocalHashing, "privatize", cells_of_the_truth_alone),
        law(conformance.reports_tell_two_values_apart_as_often_as_their_laws, BinaryLocalHashing),
    ),
    Mistake(
        "who supports a report: q = ω/k for a subset",
        (SubsetSelection, "q", property(lambda self: self.omega / self.k)),
        law(conformance.supports_follow_p_and_q, SubsetSelection),
    ),
    Mistake(
        "an estimate that is biased: Hadamard's gap not halved",
        (HadamardResponse, "gap", property(lambda self: math.tanh(self.epsilon / 2))),
        law(conformance.estimate_is_unbiased, HadamardResponse),
    ),
    Mistake(
        "a printed formula: RAPPOR's level on each hash",
        (rappor.Rappor, "lasting", property(lambda self: BitNoise.symmetric(self.epsilon / self.hashes))),
        test_rappor.test_both_levels_come_from_the_channel_and_equal_the_published_formulas,
    ),
    Mistake(
        "words that share their bits: words that collide keep their own shares",
        (BloomFit, "nonnegative_shares", lambda self, y: np.maximum(np.nan_to_num(self.shares(y)), 0)),
        test_decoding.test_words_that_share_all_their_bits_are_named_and_only_their_total_is_known,
    ),
)


PROOFS = (
    Mistake(
        "a proof: an observed ratio in place of a proof",
        (
            audit,
            "proven",
            lambda own, other, tries, error, delta=0.0: np.log((np.asarray(own) + 0.5) / (np.asarray(other) + 0.5)),
        ),
        lambda: PROOF(0.3, 0.3, 0.0),
    ),
    Mistake(
        "a proof: every event tried without its part of the error",
        (owncounts, "_levels", lambda own, other, n, m, error: LEVELS(own, other, n, m, min(16 * error, 0.49))),
        lambda: test_owncounts.test_more_than_is_true_is_proven_less_often_than_the_error_allows(0.5, 0.5),
    ),
    Mistake(
        "a tolerance: a whole unit excused by rounding",
        (matrices, "_halves", lambda rows: None if HALVES(rows) is None else 2 * HALVES(rows)),
        test_matrices.test_rounding_excuses_no_more_than_half_a_unit_of_the_last_digit,
    ),
)
PROOF = test_audit.test_the_proof_from_one_event_fails_at_most_as_often_as_stated_summed_over_all_outcomes
LEVELS, HALVES = owncounts._levels, matrices._halves

ADVICE = (
    Mistake(
        "advice: a rare value of share one",
        (
            adviser.Adviser,
            "error",
            lambda self, randomizer: float(randomizer.variance_of_shares(1.0, self.population.n)),
        ),
        lambda: CROSSING(1.0, 11),
    ),
)


def normal_tail(counts: Any, held: Any, n: int, p: float, q: float, beyond: Any) -> Any:
    """The normal law for a tally, whose tails are other ones for a handful of reports."""
    mean, variance = held * p + (n - held) * q, held * p * (1 - p) + (n - held) * q * (1 - q)
    below = scipy.special.ndtr((counts - mean) / np.sqrt(np.maximum(variance, 1e-12)))
    return below if beyond is tallies._no_more else 1 - below


CROSSING = test_adviser.test_direct_answers_lose_to_unary_encoding_from_k_of_3_e_to_the_epsilon_plus_2
INTERVALS = (
    Mistake(
        "an interval: the whole error on each side",
        (intervals, "one_tail", lambda confidence, among=1, rule="sidak": 1 - confidence),
        lambda: test_intervals.test_exact_interval_covers_at_least_as_often_as_it_says_for_every_true_count(10),
    ),
    Mistake(
        "an interval: a normal law for a handful of reports",
        (tallies, "_tail_of", normal_tail),
        lambda: HARDLY_ANYBODY(GeneralizedRandomizedResponse(6.0, 2), 100, 50),
    ),
    Mistake(
        "who was asked: the silent hold what the others hold",
        (survey, "worst_case", lambda interval, answered, silent, confidence, sampled=False: interval(confidence)),
        lambda: test_nonresponse.test_in_a_census_the_silent_may_say_what_they_like(test_nonresponse.DESIGNS[0]),
    ),
    Mistake(
        "a device: every die that is rolled asks for the truth",
        (devices.Device, "verdict", lambda self, outcome: "truth"),
        lambda: test_devices.test_the_outcomes_of_a_device_give_exactly_its_level(devices.DICE[0]),
    ),
)
HARDLY_ANYBODY = (
    test_intervals.test_the_share_of_a_value_that_hardly_anybody_else_reports_is_enclosed_as_often_as_stated
)

LINKS = (
    Mistake(
        "what people write: no read as yes",
        (answers, "YES_WORDS", answers.YES_WORDS | answers.NO_WORDS),
        lambda: test_answers.test_what_people_write_is_read_as_they_mean_it("560 no, 340 yes", 340, 900),
    ),
)


def masked_shares() -> None:
    """The law of masks on the answers that a page draws as bars."""
    setting = next(setting for setting in scenes.settings() if setting.name == "frequencies.0.bars")
    results = scenes.Scenes(setting).results(setting.stops[-1])
    (found,) = (result for result in results if isinstance(test_masks.opened(result), frequencies.FrequencyResult))
    test_masks.mask_takes_the_truth_out(setting, found)


MASKS = (
    Mistake(
        "what is masked: a mask that hides nothing of FrequencyResult",
        (frequencies.FrequencyResult, "masked", lambda self: self),
        masked_shares,
    ),
)


ALL = (*CATEGORIES, *PROOFS, *ADVICE, *INTERVALS, *LINKS, *MASKS)


@pytest.mark.parametrize("mistake", ALL, ids=str)
def test_a_planted_mistake_is_caught(mistake: Mistake, monkeypatch: pytest.MonkeyPatch) -> None:
    mistake.is_caught(monkeypatch, TypeError)
