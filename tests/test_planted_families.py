"""Planted mistakes in every family: category mechanisms, audit, adviser, intervals, links, masks, figures.

As in `test_planted.py`, each breaks one place, and a named test must turn red for it.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
import scipy

from explorer.pages.frequencies.figures import answers as rows_of_answers
from explorer.pages.frequencies.figures import collected
from explorer.pages.verify.figures import bar
from ldpcore.estimating import adviser, audit, intervals, sharereaches, tallies
from ldpcore.experiments import frequencies
from ldpcore.experiments.frequencies import decoding, enclosing
from ldpcore.experiments.response import survey
from ldpcore.experiments.verify import matrixpromises, measures, owncounts
from ldpcore.mechanisms import devices, rappor
from ldpcore.mechanisms.additive import SummationHistogramEncoding
from ldpcore.mechanisms.base import Guarantee
from ldpcore.mechanisms.bitnoise import BitNoise
from ldpcore.mechanisms.bloomfit import BloomFit
from ldpcore.mechanisms.grr import GeneralizedRandomizedResponse
from ldpcore.mechanisms.hadamard import HadamardResponse
from ldpcore.mechanisms.hashing import BinaryLocalHashing, LocalHashing, OptimizedLocalHashing
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.mechanisms.subset import SubsetSelection
from ldpcore.mechanisms.thresholding import ThresholdingHistogramEncoding
from ldpcore.mechanisms.unary import OptimizedUnaryEncoding, SymmetricUnaryEncoding, UnaryEncoding
from ldpcore.reading import answers, matrices
from tests import (
    conformance,
    test_adviser,
    test_answers,
    test_audit,
    test_decoding,
    test_devices,
    test_intervals,
    test_masks,
    test_matrices,
    test_measures,
    test_nonresponse,
    test_owncounts,
    test_planted,
    test_rappor,
)
from tests.screens import test_frequencies_page
from tests.test_planted import Mistake, law


def own_bit_flipped_again(self: UnaryEncoding, values: Any, rng: np.random.Generator) -> np.ndarray:
    """The own bit keeps the noise that was drawn for it, and a coin is added."""
    true = self.categories(values)
    bits = rng.random((len(true), self.k)) < self.q
    bits[np.arange(len(true)), true] |= rng.random(len(true)) < self.p
    return np.packbits(bits, axis=1)


def cells_of_the_truth_alone(self: LocalHashing, values: Any, rng: np.random.Generator) -> np.ndarray:
    """A lie never hits the own cell."""
    reports = HASHED(self, values, rng)
    lies = rng.random(len(reports)) >= self.p
    reports["cell"] = np.where(lies, (reports["cell"] + 1) % self.g, reports["cell"])
    return reports


HASHED = LocalHashing.privatize
CATEGORIES = (
    Mistake(
        "a fair coin for every bit",
        OptimizedUnaryEncoding,
        "log_odds",
        property(lambda self: (0.0, 0.0)),
        law(conformance.loss_is_attained, OptimizedUnaryEncoding),
    ),
    Mistake(
        "the whole level on each of two bits",
        SymmetricUnaryEncoding,
        "log_odds",
        property(lambda self: (self.epsilon, -self.epsilon)),
        law(conformance.loss_never_exceeds_the_level, SymmetricUnaryEncoding),
    ),
    Mistake(
        "noise kept on the own bit",
        UnaryEncoding,
        "privatize",
        own_bit_flipped_again,
        law(conformance.privatize_follows_the_channel, OptimizedUnaryEncoding),
    ),
    Mistake(
        "as many cells as categories of the level",
        OptimizedLocalHashing,
        "log_odds",
        property(lambda self: (self.epsilon, -math.log(self.g - 1))),
        law(conformance.loss_never_exceeds_the_level, OptimizedLocalHashing),
    ),
    Mistake(
        "a lie that spares the own cell",
        LocalHashing,
        "privatize",
        cells_of_the_truth_alone,
        law(conformance.reports_tell_two_values_apart_as_often_as_their_laws, BinaryLocalHashing),
    ),
    Mistake(
        "q = ω/k for a subset",
        SubsetSelection,
        "q",
        property(lambda self: self.omega / self.k),
        law(conformance.supports_follow_p_and_q, SubsetSelection),
    ),
    Mistake(
        "an own value put in always",
        SubsetSelection,
        "free",
        property(lambda self: 0.0),
        law(conformance.privatize_follows_the_channel, SubsetSelection),
    ),
    Mistake(
        "Hadamard's gap not halved",
        HadamardResponse,
        "gap",
        property(lambda self: math.tanh(self.epsilon / 2)),
        law(conformance.estimate_is_unbiased, HadamardResponse),
    ),
    Mistake(
        "a quarter of Hadamard's outputs forgotten",
        HadamardResponse,
        "best_guess",
        lambda self: 2 * self.p / self.k,
        law(conformance.best_guess_is_the_channels, HadamardResponse),
    ),
    Mistake(
        "one number moved where two are",
        SummationHistogramEncoding,
        "noise",
        property(lambda self: LaplaceMechanism(self.epsilon, 1.0)),
        law(conformance.loss_never_exceeds_the_level, SummationHistogramEncoding),
    ),
    Mistake(
        "half of what the cut leaves",
        ThresholdingHistogramEncoding,
        "claim",
        lambda self: Guarantee(self.epsilon / 2),
        law(conformance.loss_never_exceeds_the_level, ThresholdingHistogramEncoding),
    ),
    Mistake(
        "RAPPOR's level on each hash",
        rappor.Rappor,
        "lasting",
        property(lambda self: BitNoise.symmetric(self.epsilon / self.hashes)),
        test_rappor.test_both_levels_come_from_the_channel_and_equal_the_published_formulas,
    ),
    Mistake(
        "RAPPOR's f rounded to two decimals",
        rappor.Rappor,
        "f",
        property(lambda self: round(2 / (1 + math.exp(self.epsilon / 4)), 2)),
        test_rappor.test_f_is_never_rounded_so_that_10_and_12_are_delivered_as_asked,
    ),
    Mistake(
        "words that collide keep their own shares",
        BloomFit,
        "nonnegative_shares",
        lambda self, y: np.maximum(np.nan_to_num(self.shares(y)), 0),
        test_decoding.test_words_that_share_all_their_bits_are_named_and_only_their_total_is_known,
    ),
)


def loaded(cls: type[audit.Trials], laws: Any, trials: int, rng: np.random.Generator) -> audit.Trials:
    both = np.concatenate([0.6 * laws.first, 0.4 * laws.second])
    counts = rng.multinomial(trials, both / both.sum())
    return cls(counts[: len(laws.first)], counts[len(laws.first) :])


PROOFS = (
    Mistake(
        "an observed share in place of a bound",
        audit,
        "at_least",
        lambda hits, trials, error: np.asarray(hits) / trials,
        lambda: test_audit.test_exact_binomial_limits_fail_at_most_as_often_as_stated(0.3),
    ),
    Mistake(
        "an observed ratio in place of a proof",
        audit,
        "proven",
        lambda own, other, tries, error, delta=0.0: np.log((np.asarray(own) + 0.5) / (np.asarray(other) + 0.5)),
        lambda: PROOF(0.3, 0.3, 0.0),
    ),
    Mistake(
        "an input chosen by a loaded coin",
        audit.Trials,
        "draw",
        classmethod(loaded),
        test_audit.test_trials_follow_the_fair_coin_and_the_laws,
    ),
    Mistake(
        "every event tried without its part of the error",
        owncounts,
        "_levels",
        lambda own, other, n, m, error: LEVELS(own, other, n, m, min(16 * error, 0.49)),
        lambda: test_owncounts.test_more_than_is_true_is_proven_less_often_than_the_error_allows(0.5, 0.5),
    ),
    Mistake(
        "a bound of another level",
        measures,
        "_bit",
        lambda promise: BIT(2 * promise),
        lambda: test_measures.test_one_bit_of_randomized_response_has_the_closed_forms(1.0),
    ),
    Mistake(
        "a whole unit excused by rounding",
        matrices,
        "_halves",
        lambda rows: None if HALVES(rows) is None else 2 * HALVES(rows),
        test_matrices.test_rounding_excuses_no_more_than_half_a_unit_of_the_last_digit,
    ),
)
PROOF = test_audit.test_the_proof_from_one_event_fails_at_most_as_often_as_stated_summed_over_all_outcomes
LEVELS, BIT, HALVES = owncounts._levels, measures._bit, matrices._halves

ADVICE = (
    Mistake(
        "margins of typical errors",
        adviser.Advice,
        "margins",
        property(lambda self: tuple(math.sqrt(each.error / self.options[0].error) for each in self.options)),
        test_adviser.test_error_margins_are_ratios_to_the_best,
    ),
    Mistake(
        "bits that nobody counts",
        adviser.Adviser,
        "option",
        lambda self, randomizer: adviser.Option(randomizer, self.error(randomizer), randomizer.bits(), True),
        test_adviser.test_a_cap_on_bits_leaves_only_short_reports,
    ),
    Mistake(
        "a rare value of share one",
        adviser.Adviser,
        "error",
        lambda self, randomizer: float(randomizer.variance_of_shares(1.0, self.population.n)),
        lambda: CROSSING(1.0, 11),
    ),
)


def rate_as_it_came(interval: Any, answered: int, silent: int, confidence: float, sampled: bool = False) -> Any:
    """The share of those who answered is taken for the population's."""
    rate, bounds = answered / (answered + silent), interval(confidence).clamped()
    return intervals.Bounds(bounds.low * rate, 1 - rate * (1 - bounds.high), confidence)


def normal_tail(counts: Any, held: Any, n: int, p: float, q: float, beyond: Any) -> Any:
    """The normal law for a tally, whose tails are other ones for a handful of reports."""
    mean, variance = held * p + (n - held) * q, held * p * (1 - p) + (n - held) * q * (1 - q)
    below = scipy.special.ndtr((counts - mean) / np.sqrt(np.maximum(variance, 1e-12)))
    return below if beyond is tallies._no_more else 1 - below


REACH_OF_TALLY = sharereaches._reach_of_tally
CROSSING = test_adviser.test_direct_answers_lose_to_unary_encoding_from_k_of_3_e_to_the_epsilon_plus_2
INTERVALS = (
    Mistake(
        "the whole error on each side",
        intervals,
        "one_tail",
        lambda confidence, among=1, rule="sidak": 1 - confidence,
        lambda: test_intervals.test_exact_interval_covers_at_least_as_often_as_it_says_for_every_true_count(10),
    ),
    Mistake(
        "a point where fewer yes came than the coins bring",
        intervals,
        "exact_bounds",
        lambda *given, **more: intervals.Bounds(np.zeros(1), np.zeros(1), 0.95),
        test_intervals.test_three_yes_of_thirty_may_still_be_a_third_of_the_class,
    ),
    Mistake(
        "a normal law for a handful of reports",
        tallies,
        "_tail_of",
        normal_tail,
        lambda: HARDLY_ANYBODY(GeneralizedRandomizedResponse(6.0, 2), 100, 50),
    ),
    Mistake(
        "one by one where all at once is meant",
        enclosing.Enclosing,
        "bounds",
        lambda self, result: result.bounds(self.confidence),
        test_frequencies_page.test_intervals_for_all_at_once_are_wider_and_those_for_everybody_wider_still,
    ),
    Mistake(
        "a sample read as a census",
        enclosing.Enclosing,
        "reaches",
        lambda self, curator: np.full(len(curator.shares), curator.reach),
        test_frequencies_page.test_a_curator_of_a_sample_covers_at_least_as_often_as_stated,
    ),
    Mistake(
        "who was drawn is no chance",
        sharereaches,
        "_reach_of_tally",
        lambda share, p, q, n, tail, sampled: REACH_OF_TALLY(share, p, q, n, tail, False),
        lambda: test_nonresponse.test_eight_hundred_employees_are_known_better_as_a_census(1.1, 0.3, 0.061, 0.069),
    ),
    Mistake(
        "the silent hold what the others hold",
        survey,
        "worst_case",
        lambda interval, answered, silent, confidence, sampled=False: interval(confidence),
        lambda: test_nonresponse.test_in_a_census_the_silent_may_say_what_they_like(test_nonresponse.DESIGNS[0]),
    ),
    Mistake(
        "the whole error spent on those who answer",
        survey,
        "worst_case",
        rate_as_it_came,
        test_nonresponse.test_how_many_of_a_population_would_answer_is_uncertain_too,
    ),
    Mistake(
        "every die that is rolled asks for the truth",
        devices.Device,
        "verdict",
        lambda self, outcome: "truth",
        lambda: test_devices.test_the_outcomes_of_a_device_give_exactly_its_level(devices.DICE[0]),
    ),
)
HARDLY_ANYBODY = (
    test_intervals.test_the_share_of_a_value_that_hardly_anybody_else_reports_is_enclosed_as_often_as_stated
)

LINKS = (
    Mistake(
        "no read as yes",
        answers,
        "YES",
        answers.YES_WORDS | answers.NO_WORDS,
        lambda: test_answers.test_what_people_write_is_read_as_they_mean_it("560 no, 340 yes", 340, 900),
    ),
)


def mask_of(name: str) -> Any:
    """The law of masks on the class of that name, as a check."""

    def check() -> None:
        (found,) = (pair for pair in test_masks.masked_results() if type(test_masks.opened(pair[1])).__name__ == name)
        test_masks.mask_takes_the_truth_out(*found)

    return check


MASKS = tuple(
    Mistake(f"a mask that hides nothing of {cls.__name__}", cls, "masked", lambda self: self, mask_of(cls.__name__))
    for cls in (
        matrixpromises.MatrixPromiseResult,
        decoding.DecodingResult,
        frequencies.FrequencyResult,
        frequencies.TopTenResult,
        owncounts.OwnAuditResult,
        measures.MeasuresResult,
    )
)


def estimates_for_truths(shares: Any, labels: Any, look: Any, words: Any, **more: Any) -> Any:
    return STROKES(np.asarray(shares) + 1, labels, look, words, **more)


STROKES = rows_of_answers.true_strokes
FIGURES = (
    Mistake(
        "strokes beside the truth",
        collected,
        "true_strokes",
        estimates_for_truths,
        lambda: test_frequencies_page.test_the_bars_are_the_first_repetition_with_its_intervals_and_the_truth(),
    ),
    Mistake(
        "a bar of the level in place of its place",
        bar,
        "stretched",
        lambda level: level,
        lambda: test_the_end_of_the_bar_stands_at_the_root_of_the_level(),
    ),
)


def test_the_end_of_the_bar_stands_at_the_root_of_the_level() -> None:
    """The end of the bar stands at the root of the level on the axis, which is the same at all levels."""
    from tests.test_verify_figures import Judged, seen

    for level in (0.3, 1.0, 4.0):
        figure = seen("ratio", Judged(), level).figure
        assert figure is not None
        block = next(trace for trace in figure.data if trace.get("name") == "largest ratio")
        assert max(block["x"]) == pytest.approx(math.sqrt(level))


FAMILIES = {
    "categories": CATEGORIES,
    "proofs": PROOFS,
    "advice": ADVICE,
    "intervals": INTERVALS,
    "links": LINKS,
    "masks": MASKS,
    "figures": FIGURES,
}
ALL = tuple(itertools.chain(*FAMILIES.values()))


@pytest.mark.parametrize("mistake", ALL, ids=lambda mistake: mistake.name)
def test_a_planted_mistake_is_caught(mistake: Mistake, monkeypatch: pytest.MonkeyPatch) -> None:
    mistake.is_caught(monkeypatch, TypeError)


def test_at_least_sixty_mistakes_are_planted_over_all_families() -> None:
    before = test_planted.CORE + test_planted.NUMBERS + test_planted.SCREEN
    assert len(ALL) + len(before) >= 60 and all(FAMILIES.values())
    assert len({mistake.name for mistake in (*ALL, *before)}) == len(ALL) + len(before)
