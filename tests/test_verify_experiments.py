"""The questions of the page "does it keep its promise?": what they answer, from the result alone."""

from __future__ import annotations

import itertools
import math
from functools import cache

import numpy as np
import pytest

from ldpcore import broken
from ldpcore.estimating.audit import keeps_its_promise, standing
from ldpcore.experiments.verify import AuditPath, FakeGallery, MatrixMerging, MechanismCheck, MechanismVerdict
from ldpcore.experiments.verify.matrixpromises import MatrixPromise, SmallerPromiseOfMatrix
from ldpcore.fingerprints import fingerprint
from ldpcore.laws.channels import Finite
from ldpcore.laws.leaks import delta_curve_of
from ldpcore.mechanisms import REGISTRY
from ldpcore.mechanisms.base import FrequencyOracle, Mechanism
from ldpcore.mechanisms.grr import GeneralizedRandomizedResponse, RandomizedResponse
from ldpcore.mechanisms.hybrid import HybridMechanism
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.mechanisms.localgaussian import LocalGaussian
from ldpcore.mechanisms.piecewise import PiecewiseMechanism
from ldpcore.mechanisms.rappor import Rappor
from ldpcore.mechanisms.thresholding import ThresholdingHistogramEncoding
from ldpcore.mechanisms.unary import OptimizedUnaryEncoding
from ldpcore.parameters import ParameterError, declarations
from ldpcore.reading.matrices import read_matrix
from tests.conformance import instances
from tests.rationing import shared

SLUG = dict(ids=lambda member: member.slug)  # noqa: C408 - reads as the keyword it becomes


@cache
def first_verdict(member: type[Mechanism]) -> MechanismVerdict:
    """What is found of a mechanism at the first of its test values."""
    return MechanismCheck(next(iter(instances(member)))).run()


def witness_loss(verdict: MechanismVerdict) -> float:
    """ln of the likelihood ratio at the witness, from the definition of the mechanism alone."""
    mechanism, place = verdict.check.mechanism, verdict.witness
    own, other = (mechanism.log_density(place.report, value) for value in (place.value, place.other))
    return math.inf if other == -math.inf else own - other


@pytest.mark.parametrize("member", shared(REGISTRY, 2), **SLUG)
def test_the_bar_of_a_registered_mechanism_touches_the_line_and_does_not_cross_it(member: type[Mechanism]) -> None:
    for mechanism in list(instances(member))[:12]:
        verdict = MechanismCheck(mechanism).run()
        assert verdict.keeps
        assert verdict.ratio <= verdict.allowed * (1 + 1e-9)
        assert verdict.level == pytest.approx(verdict.real.epsilon, rel=1e-9, abs=1e-12)
        if verdict.real.delta == 0:
            assert witness_loss(verdict) == pytest.approx(verdict.level, rel=1e-9, abs=1e-12)
            assert not verdict.beyond.any()
        assert verdict.laws.first.sum() == pytest.approx(1) and verdict.laws.second.sum() == pytest.approx(1)
        if 0 < verdict.level < math.inf and verdict.real.delta == 0:
            # The cut shows the loss itself: where the bar touches, an outcome of the two laws attains it.
            assert np.abs(verdict.laws.ratios())[verdict.attained] == pytest.approx(verdict.level, rel=1e-6)


@pytest.mark.parametrize("mistake", broken.GALLERY, **SLUG)
def test_the_bar_of_a_famous_mistake_crosses_the_line_where_its_level_exceeds_its_claim(
    mistake: type[Mechanism],
) -> None:
    crossed = []
    for mechanism in list(instances(mistake))[:20]:
        verdict = MechanismCheck(mechanism).run()
        assert verdict.keeps == keeps_its_promise(mechanism)
        if verdict.claim.delta == 0:
            assert (verdict.level > verdict.claim.epsilon * (1 + 1e-9)) == (not verdict.keeps)
        crossed.append(not verdict.keeps)
    assert any(crossed)


def test_a_promise_about_all_reports_is_told_apart_from_what_one_report_betrays() -> None:
    verdict = MechanismCheck(Rappor.usual(50.0, 20)).run()
    assert verdict.level == pytest.approx(2.197, abs=5e-4)  # one report is noised twice
    assert verdict.together is not None and verdict.together.epsilon == pytest.approx(50.0)
    assert verdict.standing == "attained" and verdict.asked == 50
    for member in set(REGISTRY) - {Rappor}:
        assert first_verdict(member).together is None, member


def test_a_claim_that_is_stricter_than_what_was_asked_for_says_so() -> None:
    verdict = MechanismCheck(ThresholdingHistogramEncoding(1.0, 5)).run()
    assert verdict.asked == 1 and verdict.claim.epsilon == pytest.approx(0.896, abs=5e-4)
    assert verdict.verdict == "stricter" and verdict.standing == "attained"
    for member in REGISTRY:
        found = first_verdict(member)
        assert (found.verdict == "stricter") == isinstance(found.check.mechanism, ThresholdingHistogramEncoding), member
        assert found.standing == "attained"
    assert MechanismCheck(broken.KeptNoiseBit(1.0, 10)).run().standing == "broken"
    assert standing(math.log(2.5), 1.0) == "stricter"  # 2.5 times does not touch 2.718


def test_the_delta_curve_falls_from_total_variation_to_zero_at_the_level() -> None:
    verdict = MechanismCheck(RandomizedResponse(1.0)).run()
    assert verdict.deltas[0] == pytest.approx(math.tanh(0.5))
    assert (np.diff(verdict.deltas) <= 0).all()
    assert (verdict.deltas[verdict.epsilons >= 1.0] == 0).all() and verdict.epsilons[-1] > 1


def test_allowing_a_delta_lowers_the_level_as_the_curve_says() -> None:
    verdict = MechanismCheck(RandomizedResponse(2.0), delta=(math.e**2 - math.e) / (1 + math.e**2)).run()
    assert verdict.level == pytest.approx(1.0, abs=1e-9)


def test_noise_on_a_number_nobody_clipped_has_no_level_whatever_delta_is_allowed() -> None:
    for delta in (0.0, 0.1):
        verdict = MechanismCheck(broken.UnclippedLocalLaplace(1.0), delta).run()
        assert verdict.level == verdict.ratio == math.inf and not verdict.keeps
        assert witness_loss(verdict) == pytest.approx(10)


def test_few_values_are_listed_as_a_matrix_and_many_are_not() -> None:
    small = MechanismCheck(GeneralizedRandomizedResponse(1.0, 16)).run()
    assert small.channel is not None and small.channel.matrix.shape == (16, 16)
    bits = MechanismCheck(OptimizedUnaryEncoding(1.0, 3)).run()
    assert bits.channel is not None and bits.channel.reports[:3] == ("{}", "{2}", "{1}")
    for mechanism in (GeneralizedRandomizedResponse(1.0, 17), OptimizedUnaryEncoding(1.0, 16)):
        assert MechanismCheck(mechanism).run().channel is None


@pytest.mark.parametrize("member", REGISTRY, **SLUG)
def test_a_mechanism_on_ten_thousand_values_is_checked_without_listing_them(member: type[Mechanism]) -> None:
    if issubclass(member, FrequencyOracle) and "k" in declarations(member):
        mechanism = next(instance for instance in instances(member, "extreme") if instance.k == 10_000)
        verdict = MechanismCheck(mechanism).run()
        assert verdict.keeps and verdict.channel is None and len(verdict.laws.first) <= 64


@pytest.mark.parametrize(
    "mechanism",
    [LaplaceMechanism(0.1, 5.0), LaplaceMechanism(8.0), broken.GaussianWithoutDelta(1.0), broken.HalvedNoise(0.5)],
)
def test_the_densities_of_continuous_noise_are_laws_and_show_the_ratio(mechanism: Mechanism) -> None:
    drawn = MechanismCheck(mechanism).run().densities
    assert drawn is not None
    for law in (drawn.first, drawn.second):
        assert np.trapezoid(law, drawn.reports) == pytest.approx(1, abs=0.02)
    if mechanism.guarantee().epsilon < math.inf:
        ratios = np.log(drawn.first / drawn.second)
        assert np.abs(ratios).max() == pytest.approx(mechanism.guarantee().epsilon, rel=1e-6)
    assert MechanismCheck(RandomizedResponse(1.0)).run().densities is None


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 50.0])
def test_densities_with_jumps_are_drawn_on_both_sides_of_every_jump(epsilon: float) -> None:
    mechanism = PiecewiseMechanism(epsilon)
    verdict = MechanismCheck(mechanism).run()
    drawn = verdict.densities
    assert drawn is not None and verdict.keeps
    for law in (drawn.first, drawn.second):
        assert np.trapezoid(law, drawn.reports) == pytest.approx(1, abs=1e-3)
    ratios = np.log(drawn.first / drawn.second)
    assert np.abs(ratios).max() == pytest.approx(epsilon, rel=1e-9)
    assert drawn.reports[[0, -1]] == pytest.approx([-mechanism.reach, mechanism.reach])


def test_bits_mixed_into_a_density_are_shown_as_events_and_normal_noise_with_its_delta() -> None:
    hybrid = MechanismCheck(HybridMechanism(1.0)).run()
    assert hybrid.densities is None and hybrid.keeps
    assert hybrid.laws.outcomes[-2:] == ("-z0", "+z0") and hybrid.level == pytest.approx(1)
    normal = MechanismCheck(LocalGaussian(1.0, 1e-5, "analytic")).run()
    assert normal.keeps and normal.claim.delta == 1e-5 and normal.level == pytest.approx(1, rel=1e-9)
    assert normal.densities is not None and witness_loss(normal) == pytest.approx(1)
    assert np.interp(1.0, normal.epsilons, normal.deltas) == pytest.approx(1e-5, rel=0.05)
    assert MechanismCheck(LocalGaussian(0.5, 1e-5, "classical")).run().level < 0.5


def test_an_audit_closes_in_on_the_level_as_trials_grow() -> None:
    result = AuditPath(GeneralizedRandomizedResponse(1.0, 8)).run()
    assert result.exact == 1.0 and len(result.bounds) == len(result.audit.trials) == 8
    assert result.epsilons[-1] == pytest.approx(1.0, abs=0.002)
    assert abs(result.epsilons[-1] - 1) < abs(result.epsilons[3] - 1)
    assert (result.epsilons <= result.claim.epsilon).all()


def test_an_audit_says_from_which_number_of_trials_on_the_claim_is_proved_wrong() -> None:
    result = AuditPath(broken.HalvedNoise(1.0)).run()
    proved = result.epsilons > result.claim.epsilon
    assert proved[np.array(result.audit.trials) >= 10**5].all() and not proved.all()
    assert result.exact == pytest.approx(2)
    assert (result.epsilons[-1] > result.claim.epsilon) and result.epsilons[-1] == pytest.approx(2, abs=0.01)


def test_questions_repeat_themselves_and_other_seeds_answer_differently() -> None:
    paths = [AuditPath(RandomizedResponse(1.0), seed=seed).run().epsilons.tolist() for seed in (1, 1, 2)]
    assert paths[0] == paths[1] != paths[2]
    assert fingerprint(AuditPath(RandomizedResponse(1.0))) == fingerprint(AuditPath(RandomizedResponse(1.0)))
    same_numbers = MechanismCheck(LaplaceMechanism(1.0)), MechanismCheck(broken.HalvedNoise(1.0))
    assert fingerprint(same_numbers[0]) != fingerprint(same_numbers[1])


def test_merging_the_reports_of_a_matrix_only_lowers_the_level_and_every_delta() -> None:
    channel = read_matrix("0.5 0.3 0.2\n0.2 0.3 0.5\n0.3 0.4 0.3").channel()
    result = MatrixMerging(channel, ((0, 2),)).run()
    assert result.leak.amount == pytest.approx(math.log(2.5))
    assert result.leak.reports.size == 1 and {result.leak.value, result.leak.other} == {0, 1}
    assert result.merged.matrix.shape == (3, 2) and result.merged_leak.amount < result.leak.amount
    epsilons = np.linspace(0, 1.2, 9)
    assert (delta_curve_of(result.merged, epsilons) <= delta_curve_of(channel, epsilons) + 1e-12).all()
    assert [columns for columns, _ in result.ladder] == [3, 2, 1]
    levels = [level for _, level in result.ladder]
    assert levels == sorted(levels, reverse=True) and levels[-1] == pytest.approx(0, abs=1e-12)


def test_trivial_infinite_and_unused_matrices_are_named_as_such() -> None:
    asked = {text: MatrixPromise(read_matrix(text).channel()).run() for text in ("0.3 0.7\n0.3 0.7", "1", "1 0\n1 0")}
    assert [result.verdict for result in asked.values()] == ["trivial", "single", "trivial"]
    assert all(result.level == 0 and result.ratio == 1 and not result.beyond.size for result in asked.values())
    infinite = MatrixPromise(read_matrix("0.5 0.5 0\n0 1 0").channel()).run()
    assert infinite.verdict == "none" and infinite.level == infinite.ratio == math.inf
    assert infinite.beyond.tolist() == infinite.leak.reports.tolist() == [0]


def test_a_large_matrix_reports_its_progress_and_can_be_abandoned() -> None:
    question = SmallerPromiseOfMatrix(Finite(np.random.default_rng(0).dirichlet(np.ones(60), 60)))
    steps: list[float] = []
    question.run(steps.append)
    assert steps == sorted(steps) and steps[-1] == 1 and len(steps) > 8

    def stop(share: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        question.run(stop)


def test_merging_neighbors_step_by_step_never_raises_the_level() -> None:
    for seed in range(20):
        channel = Finite(np.random.default_rng(seed).dirichlet(np.full(7, 2.0), 4))
        levels = [level for _, level in MatrixMerging(channel).run().ladder]
        assert all(after <= before * (1 + 1e-12) + 1e-12 for before, after in itertools.pairwise(levels))


@pytest.mark.parametrize("seed", range(6))
def test_labels_of_a_gallery_are_computed_and_both_kinds_hang_in_it(seed: int) -> None:
    result = FakeGallery(size=8, seed=seed).run()
    assert len(result.exhibits) == 8
    assert 0 < sum(exhibit.sound for exhibit in result.exhibits) < 8
    for exhibit in result.exhibits:
        assert exhibit.sound == keeps_its_promise(exhibit.mechanism)
        assert exhibit.sound or type(exhibit.mechanism) not in REGISTRY
        assert exhibit.audit.audit.trials[-1] == 10**6
        assert 0 < exhibit.claim.epsilon < math.inf


def test_a_gallery_repeats_itself_shows_progress_and_differs_by_seed() -> None:
    steps: list[float] = []
    first, again, other = FakeGallery(seed=1).run(steps.append), FakeGallery(seed=1).run(), FakeGallery(seed=2).run()
    assert [exhibit.mechanism for exhibit in first.exhibits] == [exhibit.mechanism for exhibit in again.exhibits]
    assert [exhibit.mechanism for exhibit in first.exhibits] != [exhibit.mechanism for exhibit in other.exhibits]
    assert steps[-1] == 1
    shown = [type(exhibit.mechanism) for exhibit in first.exhibits]
    assert len(set(shown)) == len(shown), "no mechanism hangs twice while others wait"


def test_the_audit_separates_a_gallery_at_its_confidence() -> None:
    """At 99.9 % a sound exhibit is accused once in a thousand; fifteen of some sixty would have chance 1e-30."""
    exhibits = [exhibit for seed in range(15) for exhibit in FakeGallery(size=8, seed=seed).run().exhibits]
    assert sum(exhibit.caught for exhibit in exhibits if exhibit.sound) < 15
    fakes = [exhibit for exhibit in exhibits if not exhibit.sound]
    assert sum(exhibit.caught for exhibit in fakes) >= 0.8 * len(fakes)


def test_the_score_counts_right_answers_among_those_given() -> None:
    result = FakeGallery(size=4, seed=3).run()
    truth = [exhibit.sound for exhibit in result.exhibits]
    assert result.score(truth) == (4, 4)
    assert result.score([not answer for answer in truth]) == (0, 4)
    assert result.score([truth[0], None, not truth[2], None]) == (1, 2)
    with pytest.raises(ParameterError, match="one for each of 4 exhibits; got 1"):
        result.score([True])


def test_small_galleries_and_few_trials_are_allowed_and_nonsense_is_refused() -> None:
    tiny = FakeGallery(size=2, trials=5, seed=1).run()
    assert sorted(exhibit.sound for exhibit in tiny.exhibits) == [False, True]
    assert tiny.exhibits[0].audit.audit.trials == (5,)
    for wrong in ({"size": 1}, {"trials": 0}, {"confidence": 1.0}, {"seed": -1}):
        with pytest.raises(ParameterError, match=next(iter(wrong))):
            FakeGallery(**wrong)
