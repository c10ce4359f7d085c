"""Numbers written for people, a second time: the yardstick for `explorer.text.numerals`, and for what pages say.

The catalogue must write what these functions write; `readings` takes the numbers out of a sentence again.
"""

from __future__ import annotations

import math
import re

from explorer.text.numerals import MINUS, NARROW, read

_RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_NUMBER = re.compile(
    rf"[{MINUS}-]?\d+(?:{NARROW}\d{{3}})*(?:\.\d+)?(?:{NARROW}×{NARROW}10[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)?(?:{NARROW}%)?|{MINUS}?∞"
)


def _grouped(plain: str) -> str:
    """Digits in groups of three before the point (from four digits on), and a true minus sign."""
    sign, digits = (MINUS, plain[1:]) if plain.startswith("-") else ("", plain)
    whole, point, rest = digits.partition(".")
    return sign + f"{int(whole):,}".replace(",", NARROW) + point + rest


def _outside(value: float) -> str | None:
    """How infinity and an undefined number are written."""
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else MINUS + "∞"
    return None


def scientific(value: float, digits: int = 2) -> str:
    """A number as a power of ten: `4.3 × 10⁹`."""
    special = _outside(value)
    if special is not None:
        return special
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    power = f"10{str(int(exponent)).translate(_RAISED)}"
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    mantissa = mantissa.replace("-", MINUS)
    return f"{mantissa}{NARROW}×{NARROW}{power}"


def significant(value: float, digits: int = 3) -> str:
    """A number rounded to so many significant digits, without empty decimals: `10`, `1.14`, `2 580`."""
    special = _outside(value)
    if special is not None:
        return special
    if value == 0:
        return "0"
    exponent = int(f"{value:.{digits - 1}e}".split("e")[1])
    if exponent >= 9 or exponent < -4:
        return scientific(value, digits)
    decimals = max(digits - 1 - exponent, 0)
    rounded = round(value, digits - 1 - exponent)
    plain = f"{rounded:.{decimals}f}"
    return _grouped(plain.rstrip("0").rstrip(".") if "." in plain else plain)


def people(value: float, digits: int = 3) -> str:
    """A number for people: whole numbers in full (`2 584`), others to three digits, giants as powers of ten."""
    if isinstance(value, int) or (math.isfinite(value) and value == math.floor(value) and abs(value) < 10**9):
        whole = int(value)
        return _grouped(str(whole)) if abs(whole) < 10**12 else scientific(float(whole), digits)
    return significant(value, digits)


def noticeable(value: float, least: float = 1e-6, digits: int = 3) -> str:
    """A number that may be too small to matter: `0.012`, or `less than 10⁻⁶`."""
    if value == 0 or abs(value) >= least:
        return people(value, digits)
    return f"less than 10{str(round(math.log10(least))).translate(_RAISED)}"


def exact(value: float) -> str:
    """Every digit that matters, for the stops of a control: `1 000 000`, `0.015`; distinct numbers stay distinct."""
    if isinstance(value, int) or (math.isfinite(value) and value == math.floor(value) and abs(value) < 2**53):
        return _grouped(str(int(value)))
    shortest = repr(float(value))
    if "e" in shortest:
        mantissa, exponent = shortest.split("e")
        return f"{mantissa.replace('-', MINUS)}{NARROW}×{NARROW}10{str(int(exponent)).translate(_RAISED)}"
    return _grouped(shortest)


def percent(share: float, digits: int = 2) -> str:
    """A share as a percentage: `1.1 %`; almost everything is not written as everything: `> 99.9 %`."""
    text = significant(100 * share, digits)
    if text == "100" and share < 1:
        text = "> 99.9" if share > 0.999 else "> 99"
    return text + NARROW + "%"


def percent_within(share: float, spread: float) -> str:
    """A share as a percentage to the second digit of its uncertainty: `33 %`, `29.97 %`."""
    if not math.isfinite(share):
        return significant(share)
    decimals = 1 - math.floor(math.log10(min(max(100 * spread, 1e-5), 10)))
    return significant(round(100 * share, decimals), 15) + NARROW + "%"


def odds(epsilon: float, digits: int = 3) -> str:
    """What ε means for a bet: even odds become at most e^ε to one: `1.11 : 1`."""
    return f"{times(epsilon, digits)}{NARROW}:{NARROW}1"


def times(epsilon: float, digits: int = 3) -> str:
    """e^ε, the largest likelihood ratio that a level allows: `1.11`."""
    return significant(math.exp(epsilon) if epsilon < 700 else math.inf, digits)


def readings(sentence: str) -> list[float]:
    """Every number in a sentence, in order, so that a test can hold a sentence to its result."""
    return [read(match.group()) for match in _NUMBER.finditer(sentence)]
