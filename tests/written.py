"""Numbers written for people, a second time: the yardstick for `explorer.text.numerals`, and for what pages say.

Exact decimals are the other route: no line of the yardstick is the line that it measures. The
catalogue must write what these functions write; `readings` takes the numbers out of a sentence again.
"""

from __future__ import annotations

import math
import re
from decimal import ROUND_HALF_EVEN, Context, Decimal

from explorer.text.numerals import MINUS, NARROW, read

_WIDE = Context(prec=1100)  # every digit of any float
_RAISED = dict(zip("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻", strict=True))
_POWER = "10[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+"  # as in "less than 10⁻⁶"
_NUMBER = re.compile(
    rf"{_POWER}|[{MINUS}-]?\d+(?:{NARROW}\d{{3}})*(?:\.\d+)?(?:{NARROW}×{NARROW}10[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)?(?:{NARROW}%)?|{MINUS}?∞"
)


def _power(exponent: int) -> str:
    return "10" + "".join(_RAISED[sign] for sign in str(exponent))


def _grouped(number: Decimal | int) -> str:
    """Digits in groups of three before the point, and a true minus sign; by decimals, where the text goes by floats."""
    return f"{Decimal(number):,f}".replace(",", NARROW).replace("-", MINUS)


def _rounded(value: float, digits: int) -> Decimal | str:
    """So many significant digits without empty ones at the end; or how infinity and an undefined number are written."""
    if not math.isfinite(value):
        return "–" if math.isnan(value) else "∞" if value > 0 else MINUS + "∞"
    exact = Decimal(value)
    return exact.quantize(Decimal(1).scaleb(exact.adjusted() - digits + 1), ROUND_HALF_EVEN, _WIDE).normalize()


def scientific(value: float, digits: int = 2) -> str:
    """A number as a power of ten: `4.3 × 10⁹`."""
    rounded = _rounded(value, digits)
    return rounded if isinstance(rounded, str) else _as_power(rounded)


def _as_power(number: Decimal) -> str:
    return f"{_grouped(number.scaleb(-number.adjusted()))}{NARROW}×{NARROW}{_power(number.adjusted())}"


def significant(value: float, digits: int = 3) -> str:
    """A number rounded to so many significant digits, without empty decimals: `10`, `1.14`, `2 580`."""
    rounded = _rounded(value, digits)
    if isinstance(rounded, str):
        return rounded
    if not rounded:
        return "0"  # which has no sign
    if not -4 <= rounded.adjusted() < 9:
        return scientific(value, digits)
    return _grouped(rounded)


def people(value: float, digits: int = 3) -> str:
    """A number for people: whole numbers in full (`2 584`), others to three digits, giants as powers of ten."""
    if isinstance(value, int) or (math.isfinite(value) and value == math.floor(value) and abs(value) < 10**9):
        whole = int(value)
        return _grouped(whole) if abs(whole) < 10**12 else scientific(float(whole), digits)
    return significant(value, digits)


def noticeable(value: float, least: float = 1e-6, digits: int = 3) -> str:
    """A number that may be too small to matter: `0.012`, or `less than 10⁻⁶`."""
    if value == 0 or abs(value) >= least:
        return people(value, digits)
    return f"less than {_power(round(math.log10(least)))}"


def exact(value: float) -> str:
    """Every digit that matters, for the stops of a control: `1 000 000`, `0.015`; distinct numbers stay distinct."""
    if isinstance(value, int) or (math.isfinite(value) and value == math.floor(value) and abs(value) < 2**53):
        return _grouped(int(value))
    if not math.isfinite(value):
        return significant(value)
    shortest = repr(float(value))
    return _as_power(Decimal(shortest)) if "e" in shortest else _grouped(Decimal(shortest))


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
    numbers = (match.group() for match in _NUMBER.finditer(sentence))
    return [read(f"1{NARROW}×{NARROW}{text}" if re.fullmatch(_POWER, text) else text) for text in numbers]
