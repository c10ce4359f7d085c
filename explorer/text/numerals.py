"""Numbers as plain digits that a language then translates: point, narrow groups, true minus, powers of ten.

The digits here are neutral: `2 584`, `1.14`, `−3`, `4.3 × 10⁹`. The catalogue translates sign by sign.
"""

from __future__ import annotations

import math
from decimal import Decimal

NARROW = "\u202f"  # narrow no-break space: groups digits, and never breaks a line
MINUS = "\u2212"
UNKNOWN = "–"
INFINITE = "∞"
_RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_TIMES_TEN = f"{NARROW}×{NARROW}10"


def _grouped(plain: str) -> str:
    """Digits in groups of three before the point (from four digits on), and a true minus sign."""
    sign, digits = (MINUS, plain[1:]) if plain.startswith("-") else ("", plain)
    whole, point, rest = digits.partition(".")
    return sign + f"{int(whole):,}".replace(",", NARROW) + point + rest


def _outside(value: float) -> str | None:
    """The writing of infinity and of an undefined number; none of others."""
    if math.isnan(value):
        return UNKNOWN
    if math.isinf(value):
        return INFINITE if value > 0 else MINUS + INFINITE
    return None


def power_of_ten(exponent: int) -> str:
    """A bare power: `10⁻⁶`."""
    return f"10{str(exponent).translate(_RAISED)}"


def scientific(value: float, digits: int = 2) -> str:
    """A number as a power of ten: `4.3 × 10⁹`."""
    special = _outside(value)
    if special is not None:
        return special
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa.replace('-', MINUS)}{NARROW}×{NARROW}{power_of_ten(int(exponent))}"


def significant(value: float, digits: int = 3) -> str:
    """A number rounded to `digits` significant digits, without empty decimals: `10`, `1.14`, `2 580`."""
    special = _outside(value)
    if special is not None:
        return special
    if value == 0:
        return "0"
    exponent = int(f"{value:.{digits - 1}e}".split("e")[1])
    if exponent >= 9 or exponent < -4:
        return scientific(value, digits)
    decimals = max(digits - 1 - exponent, 0)
    plain = f"{round(value, digits - 1 - exponent):.{decimals}f}"
    return _grouped(plain.rstrip("0").rstrip(".") if "." in plain else plain)


def number(value: float, digits: int = 3) -> str:
    """Whole numbers in full (`2 584`), others to `digits` significant digits, giants as powers of ten."""
    if isinstance(value, int) or (math.isfinite(value) and value == math.floor(value) and abs(value) < 10**9):
        whole = int(value)
        return _grouped(str(whole)) if abs(whole) < 10**12 else scientific(float(whole), digits)
    return significant(value, digits)


def exact(value: float) -> str:
    """Every digit that matters: `1 000 000`, `0.015`; distinct numbers stay distinct."""
    special = _outside(value)
    if special is not None:
        return special
    if isinstance(value, int) or (value == math.floor(value) and abs(value) < 2**53):
        return _grouped(str(int(value)))
    shortest = repr(float(value))
    if "e" in shortest:
        mantissa, exponent = shortest.split("e")
        return f"{mantissa.replace('-', MINUS)}{NARROW}×{NARROW}{power_of_ten(int(exponent))}"
    return _grouped(shortest)


def percentage(share: float, digits: int = 2) -> str:
    """A share times a hundred, without the sign; almost everything is not written as everything: `> 99.9`."""
    text = significant(100 * share, digits)
    if text == "100" and share < 1:
        return "> 99.9" if share > 0.999 else "> 99"
    return text


def percentage_within(share: float, spread: float) -> str:
    """A share times a hundred, to the second digit of its uncertainty: `33`, `29.97`."""
    if not math.isfinite(share):
        return significant(share)
    decimals = 1 - math.floor(math.log10(min(max(100 * spread, 1e-5), 10)))
    return significant(round(100 * share, decimals), 15)


def written_value(neutral: str) -> Decimal | None:
    """The number in a text, with the decimals that can be seen; None where it is no plain number."""
    plain = (
        neutral.removesuffix(NARROW + "%")
        .replace(MINUS, "-")
        .replace(_TIMES_TEN, "E")
        .replace(NARROW, "")
        .translate(_LOWERED)
    )
    try:
        return Decimal(plain)
    except ArithmeticError:  # "∞", "–", "> 99.9", "1.11 : 1"
        return None


def read(text: str) -> float:
    """The number that one of these functions wrote, percentages as shares: the inverse, up to rounding."""
    share = text.endswith("%")
    plain = text.removesuffix("%").replace(NARROW, "").replace(MINUS, "-").strip()
    if "∞" in plain:
        return math.inf if plain == "∞" else -math.inf
    mantissa, times, power = plain.replace(" ", "").partition("×10")
    value = float(mantissa)
    if times:
        value = float(f"{mantissa}e{power.translate(_LOWERED)}")
    return value / 100 if share else value
