"""Every member of the registry against every law of its kind; every famous mistake against the same laws."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ldpcore import broken
from ldpcore.mechanisms import REGISTRY
from ldpcore.mechanisms.base import Mechanism
from ldpcore.mechanisms.grr import GeneralizedRandomizedResponse
from ldpcore.people.populations import Population
from tests.conformance import Law, follows_joint_law, joint_law, laws_for, loss_never_exceeds_the_level

CASES = [(member, law) for member in REGISTRY for law in laws_for(member)]


@pytest.mark.parametrize(("member", "law"), CASES, ids=[f"{member.slug}:{law.__name__}" for member, law in CASES])
def test_member_keeps_the_law(member: type[Mechanism], law: Law) -> None:
    law(member)


BROKEN_LAWS = [
    *((mistake, "loss_never_exceeds_the_level") for mistake in (*broken.GALLERY, *broken.UNSEEN)),
    *((mistake, mistake.breaks) for mistake in broken.MISCOUNTS),
]


@pytest.mark.parametrize(("mistake", "law"), BROKEN_LAWS, ids=[f"{mistake.slug}:{law}" for mistake, law in BROKEN_LAWS])
def test_famous_mistake_fails_the_law_that_it_names(mistake: type[Mechanism], law: str) -> None:
    named = {each.__name__: each for each in laws_for(mistake)}
    with pytest.raises(AssertionError):
        named[law](mistake)


@pytest.mark.parametrize("mistake", broken.MISCOUNTS, ids=lambda mistake: mistake.slug)
def test_mistake_behind_the_collectors_door_keeps_the_level(mistake: type[Mechanism]) -> None:
    loss_never_exceeds_the_level(mistake)
    assert mistake.slug not in {member.slug for member in (*REGISTRY, *broken.GALLERY)}


def test_famous_mistakes_have_the_real_levels_that_are_told_of_them() -> None:
    assert broken.KeptNoiseBit(1.0, 10).guarantee().epsilon == pytest.approx(1.5514, abs=5e-5)
    assert broken.KeptNoiseBit(1.0, 10).guarantee().epsilon == pytest.approx(math.log(math.e + 2), rel=1e-14)
    assert broken.RoundedFlips(10.0, 5).guarantee().epsilon == pytest.approx(10.5866, abs=5e-5)
    endless = (broken.RoundedFlips(12.0, 5), broken.NeverReset(1.0, 5), broken.BareBit(1.0, 5))
    for mistake in (*endless, broken.ImpossibleAnswer(1.0), broken.BoundedNoiseCount(1.0)):
        assert mistake.guarantee().epsilon == math.inf


def test_matrix_of_laws_and_members_is_complete(capsys: pytest.CaptureFixture[str]) -> None:
    width = max(len(member.slug) for member in REGISTRY)
    rows = [f"{member.slug:<{width}}  {len(laws_for(member)):>3} laws" for member in REGISTRY]
    with capsys.disabled():
        print("\n" + "\n".join([*rows, f"{len(CASES)} pairs of member and law"]))
    assert len({member.slug for member in REGISTRY}) == len(REGISTRY)
    assert all(laws_for(member) for member in REGISTRY)


def test_independent_binomials_in_place_of_the_joint_draw_are_rejected() -> None:
    oracle, population = GeneralizedRandomizedResponse(1.0, 3), Population.of_categories([2, 1, 0])
    rng = np.random.default_rng(1)
    counts = population.counts[:, None]
    independent = rng.binomial(counts, oracle.p, (3, 20_000)) + rng.binomial(
        population.n - counts, oracle.q, (3, 20_000)
    )
    assert not follows_joint_law(independent, joint_law(oracle, population))
