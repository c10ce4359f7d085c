"""What people hold at the door gives the level that the kit says: every outcome of every device, enumerated."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction

import pytest

from explorer.pages.response.drawings.kit import kit
from explorer.pages.response.facts import facts
from explorer.text import languages
from explorer.text.catalogue import catalogue_of
from explorer.ui.share import qr_svg
from ldpcore.experiments.response import SurveyKit
from ldpcore.mechanisms.devices import COINS, DICE, FACES, Device, device_at, keeps, spinner
from ldpcore.mechanisms.grr import RandomizedResponse
from tests.rationing import crossed

EVERY = (*COINS, *DICE)
LEVELS = (0.01, 0.05, 0.1, 0.3, 0.5, 0.7, 1.0, 1.1, 1.5, 1.7, 2.0, 3.0, 5.0, 7.0, 10.0, 50.0)


def outcomes(device: Device) -> list[tuple[int, ...]]:
    """All equally likely outcomes: of a rare rule with the coin that may not be needed."""
    sides = range(2) if device.kind == "coins" else range(1, FACES + 1)
    return list(itertools.product(sides, repeat=device.count + (device.rule == "rare")))


@pytest.mark.parametrize("device", EVERY, ids=[f"{each.kind}-{each.rule}-{each.count}-{each.forced}" for each in EVERY])
def test_the_outcomes_of_a_device_give_exactly_its_level(device: Device) -> None:
    every = outcomes(device)
    told = Counter(device.verdict(outcome) for outcome in every)
    assert len(every) == device.outcomes and told["yes"] == told["no"] > 0 and told["truth"] > 0
    assert Fraction(told["yes"], len(every)) == device.part
    yes_if_true, yes_if_not = told["yes"] + told["truth"], told["yes"]
    assert device.level == pytest.approx(math.log(yes_if_true / yes_if_not), rel=1e-12)
    design = device.design()
    assert design.guarantee().epsilon == pytest.approx(device.level, rel=1e-12)
    best = RandomizedResponse(device.level)
    assert best.p == pytest.approx(design.yes_given_yes) and best.q == pytest.approx(design.yes_given_no)


def test_well_known_devices_have_their_well_known_levels() -> None:
    levels = {round(device.level, 9) for device in EVERY}
    assert {round(math.log(x), 9) for x in (3, 7, 15, 31, 5, 2, 35, 11)} <= levels
    assert len(levels) == len(EVERY), "no two devices are worth the same"


@pytest.mark.parametrize("epsilon", LEVELS)
def test_the_device_keeps_the_level_as_nearly_as_its_kind_can(epsilon: float) -> None:
    for kind, known in (("coins", COINS), ("dice", DICE)):
        device = device_at(kind, epsilon)
        if keeps(device, epsilon):
            assert not [each for each in known if device.level < each.level <= epsilon]
        else:
            assert device.level == min(each.level for each in known) > epsilon
    assert spinner(epsilon).level == pytest.approx(epsilon, rel=1e-9) and device_at("spinner", epsilon).f < 0.5


def test_a_level_written_with_four_digits_is_the_devices_own() -> None:
    assert device_at("coins", 1.0986).rule == "alike" and device_at("dice", 1.6094).count == 1
    assert device_at("coins", 1.09).rule == "rare"


@pytest.mark.parametrize(("epsilon", "language"), crossed(LEVELS, languages(), 3))
def test_the_kit_is_whole_and_says_the_level_of_the_device(epsilon: float, language: str) -> None:
    catalogue = catalogue_of(language)
    for kind in ("coins", "dice", "spinner"):
        result = SurveyKit(kind, epsilon).run()
        link = "https://ldp.example.org/response?response_tab=real&x=<y>"
        told = facts(result)
        html = kit(result, told, catalogue, link, qr_svg(link))
        assert html.count("<article") == 3 and html.count("<h2") == 3 and "@{" not in html
        assert "<script" not in html and "src=" not in html and "<y>" not in html and "&lt;y&gt;" in html
        assert html.replace("\u00a0", " ").count(f"α = {catalogue.write(told['level'])}") >= 2
        assert "nan" not in html.lower().replace("nano", "") and "inf " not in html


def test_odds_of_the_kit_are_those_of_bayes() -> None:
    result = SurveyKit("dice", 1.7).run()
    device = result.device
    joint = {
        (true, said): (0.1 if true else 0.9) * chance
        for true in (True, False)
        for said, chance in (("yes", 1 - device.f if true else device.f), ("no", device.f if true else 1 - device.f))
    }
    after = joint[True, "yes"] / (joint[True, "yes"] + joint[False, "yes"])
    assert result.after(0.1, yes=True) == pytest.approx(after) == pytest.approx(0.1 * 5 / (0.1 * 5 + 0.9))
    assert result.sure == pytest.approx(5 / 6) and result.factor == pytest.approx((6 / 4) ** 2)
