"""A ledger on paper: every kind of line, its days, names and comments, as a table too; and each kind's whole law."""

from __future__ import annotations

import csv
import io
import math
from datetime import date
from functools import cache

import numpy as np
import pytest
import scipy
from scipy import stats

from explorer.figures.theme import Look
from explorer.pages.budget.released import table
from explorer.pages.budget.settings import Budget
from explorer.settings.linked import linked_lines, worded
from explorer.text import languages
from explorer.text.catalogue import catalogue_of
from ldpcore.accounting.columns import read_rows
from ldpcore.accounting.composition import ORDERS, coin_divergences, concentrated_of
from ldpcore.accounting.concentrated import failure, worst_losses
from ldpcore.accounting.described import ExponentialRelease, RhoRelease, SampledRelease, SigmaRelease
from ldpcore.accounting.lines import KINDS, LedgerRow
from ldpcore.accounting.privacylosses import Losses, of_pair
from ldpcore.accounting.releases import COMPOSITION_RULES, Account, AnyRelease, LaplaceRelease, NormalRelease
from ldpcore.experiments.budget import MixedLedger, MixedLedgerResult
from ldpcore.laws.channels import GaussianShift, Pair
from ldpcore.parameters import ParameterError

DELTA = 1e-5
LINES = """# kept by hand, all of 2026
2026-03-01 daily count: laplace 0.1 x 30   # one a day
1.4.2026 mean income: gauss 1 1e-7
Question #3: gauss sigma 3
training: sampled σ=1.1 q=0.01 x 1000
zcdp rho 0.05

discrete laplace 0.5
randomized response 1,5
a: b: exponential .3 × 2
0.4 1e-8"""
ROWS = (
    LedgerRow("daily count", "laplace", 0.1, times=30, day=date(2026, 3, 1)),
    LedgerRow("mean income", "gauss", 1.0, 1e-7, day=date(2026, 4, 1)),
    LedgerRow("Question #3", "sigma", 3.0),
    LedgerRow("training", "sampled", 1.1, times=1000, rate=0.01),
    LedgerRow("", "zcdp", 0.05),
    LedgerRow("", "discrete", 0.5),
    LedgerRow("", "rr", 1.5),
    LedgerRow("a: b", "exponential", 0.3, times=2),
    LedgerRow("", "any", 0.4, 1e-8),
)


def test_every_kind_of_line_is_read_with_its_day_its_name_and_its_comment() -> None:
    assert read_rows(LINES) == ROWS
    assert {row.kind for row in ROWS} == set(KINDS)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("gauss sigma", "a level"),
        ("gauss sigma 0.01", "σ from 0.1"),
        ("sampled 1.1", "a level"),
        ("sampled 1.1 2", "a share"),
        ("zcdp -1", "ρ up to 50"),
        ("zcdp 0.1 0.1", "a level"),
        ("31.2.2026: nothing", "a level"),
        ("2026-03-01", "a level"),
        ("Summe: laplace 0.3", "no total"),
        ("laplace sigma 3", "a level"),
        ("gauss delta 1e-6", "a level"),
        ("sampled q 0.01 sigma 1", "a level"),
    ],
)
def test_a_line_that_is_none_is_refused_by_its_number_and_for_its_reason(line: str, reason: str) -> None:
    with pytest.raises(ParameterError, match=f"line 3 .*{reason}"):
        read_rows(f"# a comment\nlaplace 1\n{line}")


@pytest.mark.parametrize(
    "text",
    [
        "Datum;Frage;Rauschen;Niveau;δ;wie oft\n01.03.2026;Tag;Laplace-Rauschen;0,5;;30\n;;Gauß;1;1e-7;\n;Summe;;;;",
        "sep=,\ndate,name,noise,epsilon,delta,times\n2026-03-01,Tag,laplace,0.5,,30\n,,gaussian,1,1e-7,1\n",
        "date\tname\tnoise\tlevel\tdelta\ttimes\n2026-03-01\tTag\tlaplace\t0.5\t\t30\n\t\tgauss\t1\t1e-7\t1\n",
    ],
)
def test_a_table_with_named_columns_is_a_ledger_and_a_line_of_totals_is_none(text: str) -> None:
    assert read_rows(text) == (
        LedgerRow("Tag", "laplace", 0.5, times=30, day=date(2026, 3, 1)),
        LedgerRow("", "gauss", 1.0, 1e-7),
    )
    with pytest.raises(ParameterError, match="line 2"):
        read_rows("name,level,times\na,much,1\n")
    for line in ("a,1,1e999", "a,1,-1e999", f"a,{'1' * 200_000},1", "Summe,0.3,"):
        with pytest.raises(ParameterError, match="line 2"):
            read_rows(f"name,level,times\n{line}\n")
    with pytest.raises(ParameterError, match="line 2"):
        read_rows("kind,sigma,rate\ngauss,1,1%\n")


@cache
def added_up() -> MixedLedgerResult:
    """All lines, once for all languages."""
    return MixedLedger(ROWS, 10.0, DELTA).run()


@pytest.mark.parametrize("language", languages())
def test_the_table_lists_every_line_and_is_read_back_as_the_same_ledger(language: str) -> None:
    result = added_up()
    catalogue = catalogue_of(language)
    rows = table(result, Look(), catalogue.words("budget", "ledger", {}, "left"))
    assert len(rows) == 1 + len(ROWS) and rows[-1][-2] == pytest.approx(result.spent)
    assert rows[-1][-1] == pytest.approx(result.left) == pytest.approx(10 - result.spent)
    target = io.StringIO()
    csv.writer(target, delimiter=";").writerows(["" if cell is None else cell for cell in row] for row in rows)
    assert read_rows(target.getvalue()) == ROWS


def test_a_delta_beyond_the_allowed_one_is_refused_by_its_line_and_normal_noise_counts_by_its_sigma() -> None:
    over = MixedLedger(read_rows("any 0.1 4e-6\nlaplace 1\nany 0.1 4e-6\nany 0.1 4e-6"), 10.0, 1e-5).run()
    assert over.beyond == 4 and math.isinf(over.spent) and over.left == 0
    counted = MixedLedger(read_rows("gauss 1 0.01\ngauss sigma 3"), 10.0, 1e-6).run()
    assert counted.beyond == 0 and counted.failure == 0.01 and math.isfinite(counted.spent)
    wide = NormalRelease(1.0, 0.01).rho + 1 / 18
    alone = SigmaRelease(math.sqrt(1 / (2 * wide)), 1e-6).guarantee.epsilon
    assert counted.spent == pytest.approx(alone, rel=1e-5)


def enumerated(releases: list[tuple[float, float]], allowed: float) -> float:
    """The least level of all of these (ε, δ) together at a δ, by going through what each may betray.

    At worst it shows who was there with δ, and otherwise tosses the coins of ε: Murtagh, Vadhan (2016), lemma 3.2.
    """
    first, second = np.array([1.0]), np.array([1.0])
    for epsilon, delta in releases:
        coins = (1 - delta) / (1 + np.exp([-epsilon, epsilon]))
        one, other = np.array([delta, *coins, 0.0]), np.array([0.0, *coins[::-1], delta])
        first, second = np.outer(first, one).ravel(), np.outer(second, other).ravel()

    def spare(level: float) -> float:
        return float(np.maximum(first - np.exp(level) * second, 0.0).sum()) - allowed

    most = sum(epsilon for epsilon, _ in releases)
    return float(scipy.optimize.brentq(spare, 0.0, most, xtol=1e-12)) if spare(0.0) > 0 else 0.0


@pytest.mark.parametrize("kind", ["any", "rr", "laplace", "discrete", "exponential"])
def test_the_delta_of_a_line_is_counted_whatever_its_noise_and_comes_back_from_a_link(kind: str) -> None:
    """Against the enumeration of all that three releases may betray: what is printed and not counted makes it wrong."""
    rows = read_rows(f"{kind} 0.5 0.002 x 2\nrr 0.75 0.001")
    assert [row.delta for row in rows] == [0.002, 0.001]
    assert read_rows(worded(linked_lines(rows))) == rows
    result = MixedLedger(rows, 10.0, 0.01).run()
    exact = enumerated([(0.5, 0.002)] * 2 + [(0.75, 0.001)], 0.01)
    assert result.failure == result.together.delta == pytest.approx(0.005)
    assert result.spent == result.levels["exact"] == pytest.approx(exact, abs=1e-9)
    bare = enumerated([(0.5, 0.0)] * 2 + [(0.75, 0.0)], 0.01)
    assert exact > bare + 0.002, "what would be told if it were not counted"
    for refused in (rows, read_rows(f"{kind} 1 0.001\n{kind} 1 1")):
        over = MixedLedger(refused, 10.0, 0.0045).run()
        assert over.beyond == 2 and math.isinf(over.spent)


@pytest.mark.parametrize("size", ["gauss,,3,,", "zcdp,,,0.1,", "gauss,,,0.1,", "sampled,,1.1,,0.01"])
def test_a_delta_of_what_is_described_without_one_is_refused_by_its_line(size: str) -> None:
    head = "noise,level,sigma,rho,rate,delta"
    assert len(read_rows(f"{head}\n{size},\n{size},0")) == 2
    with pytest.raises(ParameterError, match="line 2 must have no delta of its own"):
        read_rows(f"{head}\n{size},1e-6")
    with pytest.raises(ParameterError, match="delta"):
        LedgerRow("", "sigma", 3.0, 1e-6)


# --- the laws --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("sigma", "rate"), [(1.0, 0.01), (0.6, 0.2), (3.0, 0.9), (2.0, 1.0)])
def test_the_losses_of_a_sampled_release_are_those_of_its_mixture_in_both_directions(sigma: float, rate: float) -> None:
    release = SampledRelease(sigma, rate)
    x, wide = np.linspace(-13 * sigma, 1 + 13 * sigma, 200_001, retstep=True)
    none = stats.norm.pdf(x, 0, sigma)
    some = (1 - rate) * none + rate * stats.norm.pdf(x, 1, sigma)
    for level in (0.0, 0.05, 0.5, 2.0):
        out, into = (
            np.maximum(one - math.exp(level) * other, 0).sum() * wide for one, other in ((some, none), (none, some))
        )
        assert release.lattice(1e-3).falling().delta(level) == pytest.approx(out, abs=2e-6) != 1
        assert release.mirrored(1e-3).falling().delta(level) == pytest.approx(into, abs=2e-6)
        level_of = release.sharing(max(out, into) or 1e-9).guarantee.epsilon
        assert level_of == pytest.approx(level, abs=1e-5) or max(out, into) < 1e-9


@pytest.mark.parametrize("order", [2, 5, 32])
def test_divergences_of_a_sampled_release_are_the_sums_of_whole_orders(order: int) -> None:
    """Mironov, Talwar, Zhang (2019): Σ C(a, j) (1-q)^{a-j} q^j e^{j(j-1)/2σ²}."""
    sigma, q = 1.3, 0.05
    parts = (
        math.comb(order, j) * (1 - q) ** (order - j) * q**j * math.exp(j * (j - 1) / (2 * sigma**2))
        for j in range(order + 1)
    )
    exact = math.log(math.fsum(parts)) / (order - 1)
    found = SampledRelease(sigma, q).divergences()
    below, above = (found[np.searchsorted(ORDERS, order) + side] for side in (-1, 0))
    assert below <= exact * (1 + 1e-9) and exact <= above * (1 + 1e-9)
    assert (np.diff(found) >= -1e-12).all()  # no order is too small


def test_private_training_costs_what_a_finer_account_says() -> None:
    account = Account.sharing([(SampledRelease(1.0, 0.01), 1000)], DELTA)
    levels = {rule: account.level(rule) for rule in COMPOSITION_RULES}
    assert levels["exact"] == pytest.approx(1.828, abs=0.002) and levels["renyi"] == pytest.approx(2.102, abs=0.002)
    assert levels["exact"] <= account.exact(1 << 16).level(DELTA) <= levels["exact"] * 1.01
    whole = Account.sharing([(SampledRelease(2.0, 1.0), 10)], DELTA).level("exact")
    assert whole == pytest.approx(SigmaRelease(2 / math.sqrt(10), DELTA).guarantee.epsilon, rel=1e-4)


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
def test_no_choice_of_the_exponential_mechanism_is_more_concentrated_than_is_said(epsilon: float) -> None:
    rng, release = np.random.default_rng(3), ExponentialRelease(epsilon)
    orders = np.array(ORDERS[:200:20])
    for _ in range(200):
        scores = rng.normal(0, rng.choice([0.1, 1, 10]), 6)
        moved = scores + rng.uniform(-1, 1, 6).round(rng.integers(0, 3))
        first, second = (each * epsilon / 2 - np.logaddexp.reduce(each * epsilon / 2) for each in (scores, moved))
        found = np.array([np.logaddexp.reduce(a * first + (1 - a) * second) / (a - 1) for a in orders])
        assert (found <= np.array(release.divergences())[:200:20] * (1 + 1e-9) + 1e-12).all()
    assert release.rho == epsilon**2 / 8


def test_what_has_no_level_of_its_own_gets_one_at_its_share_and_all_rules_hold() -> None:
    told = ((RhoRelease(0.05), 2), (SigmaRelease(3.0), 1), (AnyRelease(0.1, 1e-7), 3), (SampledRelease(2.0, 0.1), 5))
    account = Account.sharing(told, DELTA)
    added = account.basic()
    assert math.isfinite(added.epsilon) and 0.5 * DELTA < added.delta <= DELTA
    levels = [account.level(rule) for rule in COMPOSITION_RULES]
    assert all(0 < level < math.inf for level in levels) and min(levels) >= 0.3
    assert Account.sharing(((AnyRelease(1.0, 1e-5), 1), (RhoRelease(0.1), 1)), DELTA).level("exact") == math.inf


def test_the_lines_travel_in_a_link_without_names_and_days() -> None:
    from explorer.pages.budget.widgets import _worded
    from explorer.settings.linked import linked_lines as _linked

    linked = _linked(ROWS)
    assert "daily" not in linked and "2026" not in linked and "Question" not in linked
    again = read_rows(_worded(linked))
    assert [(row.kind, row.size, row.delta, row.rate, row.times) for row in again] == [
        (row.kind, row.size, row.delta, row.rate, row.times) for row in ROWS
    ]
    assert Budget().ledger(1.0, again).run().spent == Budget().ledger(1.0, ROWS).run().spent


@pytest.mark.parametrize("rho", [1e-9, 0.003, 0.4, 7.0, 50.0])
def test_no_release_that_is_concentrated_betrays_more_than_the_worst_losses(rho: float) -> None:
    """Against normal noise, and coins that have just this ρ, at every ε on both sides of 0."""
    worst = worst_losses(rho)
    assert worst.certain + worst.first.sum() == pytest.approx(1, abs=1e-9) and (worst.first >= 0).all()
    curve = Losses(worst.losses[::-1], worst.first[::-1], worst.certain)
    normal = GaussianShift(1 / math.sqrt(2 * rho), 1.0)
    level = scipy.optimize.brentq(lambda e: (coin_divergences(e) / np.array(ORDERS)).max() - rho, 1e-9, 60.0)
    p, q = 1 / (1 + math.exp(-level)), math.exp(-level) / (1 + math.exp(-level))
    both = np.array([level, -level])
    coins = of_pair(Pair(np.array([p, q]), np.array([q, p]), log_ratio=both), level).falling()
    for epsilon in np.linspace(-0.5, 1.0, 31) * concentrated_of(rho, 1e-9):
        here = curve.delta(epsilon)
        assert here >= normal.delta(epsilon) * (1 - 1e-9) - 1e-14
        assert here >= coins.delta(epsilon) * (1 - 1e-9) - 1e-14
        if epsilon > 0:
            assert here <= float(failure(rho, np.array([epsilon]))[0]) * 1.01 + 1e-14, "and hardly more than is proved"


def test_what_is_concentrated_is_composed_with_all_else_below_what_the_orders_say() -> None:
    """Alone it is what the best order proves, as ρ add up; beside Laplace noise it is less, and never below normal."""
    for told in (((RhoRelease(0.05), 10),), ((RhoRelease(0.1), 3), (RhoRelease(0.2), 1))):
        account = Account.sharing(told, DELTA)
        assert account.level("exact") == pytest.approx(account.level("renyi"), rel=2e-3)
    mixed = ((LaplaceRelease(0.1), 30), (RhoRelease(0.5), 1))
    account, normal = (Account.sharing(told, DELTA) for told in (mixed, (*mixed[:1], (SigmaRelease(1.0), 1))))
    assert normal.level("exact") < account.level("exact") < account.level("renyi")


def test_normal_noise_is_said_by_its_rho_too_and_then_counts_as_normal() -> None:
    text = "gauss rho 0.05\ngauß ρ 0.05 x 3\nnormal zcdp 0.5"
    assert [(row.kind, row.size) for row in read_rows(text)] == [
        ("sigma", pytest.approx(1 / math.sqrt(0.1))),
        ("sigma", pytest.approx(1 / math.sqrt(0.1))),
        ("sigma", 1.0),
    ]
    (row,) = read_rows("noise,rho\nGaussian,0.5\n")
    assert (row.kind, row.size) == ("sigma", 1.0)
    for refused in ("gauss rho 0", "gauss rho -1", "gauss rho nan"):
        with pytest.raises(ParameterError):
            read_rows(refused)
