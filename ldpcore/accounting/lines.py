"""The lines of a ledger as people type them: a day, a name, what kind of noise, its size, its δ, and how often.

`2026-03-01 daily count: laplace 0.1 x 30` is thirty releases with Laplace noise; `gauss 1 1e-6` is normal noise for a
level and a δ, `gauss sigma 3` of three times what one person changes, and `gauss rho 0.05` is said by its ρ; `sampled
1.1 0.01 x 1000` is normal noise on samples of one per cent; `zcdp 0.05` is whatever is 0.05-concentrated. A line with a
level alone is any mechanism that keeps it. Text after a `#` is a comment. Words may be English, German
or Persian, numbers in the digits of each. A table with named columns is read by `ldpcore.accounting.columns`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated

from ldpcore.parameters import Choice, Declared, Epsilon, Interval, ParameterError, Probability, declaration
from ldpcore.reading.notations import UNSEEN, day_of, in_latin, spelled_alike
from ldpcore.reading.totals import TOTAL_PHRASES

if TYPE_CHECKING:
    from ldpcore.accounting.releases import AccountedRelease

MOST_ROWS, MOST_LETTERS = 10_000, 1_000_000
LEVELED = ("any", "rr", "laplace", "discrete", "exponential", "gauss")  # described by a level
KINDS = (*LEVELED, "sigma", "sampled", "zcdp")
NoiseKind = Annotated[str, Choice(r"\text{noise}", KINDS)]
Times = Annotated[int, Interval("k", 1, 10**6, (1, 1000), scale="log", integer=True)]
_NORMAL = ("gauss", "gaussian", "normal", "gauß", "گاوسی", "گاوس", "نرمال")
_SAMPLED = "sampled, subsampled, نمونه, نمونه گیری".split(", ")
NORMAL_RHO = "normal-rho"  # said by its ρ, and kept by its σ
_SIGMAS = ("sigma", "σ", "سیگما")
_ON_SAMPLES = (
    *"gauß auf stichproben".split(", "),
    *(f"{how} {kind}" for how in _SAMPLED for kind in _NORMAL),
    *(f"{kind} {how}" for how in _SAMPLED for kind in _NORMAL),
)
_WORDS: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "any": ("any", "irgendein", "beliebig", "هر", "دلخواه"),
        "rr": (
            *"rr, grr, coin, coins, randomized response, zufallsantwort, münze, münzen".split(", "),
            *"پاسخ تصادفی, سکه, دو سکه".split(", "),
        ),
        "laplace": ("laplace", "لاپلاس"),
        "discrete": (
            *"discrete, geometric, discrete laplace, diskret, diskretes laplace, geometrisch".split(", "),
            *"گسسته, لاپلاس گسسته, هندسی".split(", "),
        ),
        "exponential": ("exponential", "exponentiell", "exponentieller", "نمایی"),
        "gauss": _NORMAL,
        NORMAL_RHO: tuple(f"{kind} {sign}" for kind in _NORMAL for sign in ("rho", "ρ", "zcdp", "رو")),
        "sigma": (*_SIGMAS, *(f"{kind} {sign}" for kind in _NORMAL for sign in _SIGMAS)),
        "sampled": (*_SAMPLED, "dpsgd", *_ON_SAMPLES),
        "zcdp": "zcdp, rho, ρ, cdp, zcdp rho, zcdp ρ, رو".split(", "),
    }
)
_NAMES: Mapping[str, NoiseKind] = MappingProxyType({word: kind for kind, words in _WORDS.items() for word in words})
_FILLED = re.compile(
    r"[- ]?(noise|rauschen|mechanism(us)?|mechanism|نویز|مکانیزمی?|سازوکار)\b|\b(by|nach|mit|with|با|روی)\b|[(),=،]"
)
_LEVELS = ("epsilon", "ε", "eps", "alpha", "α", "سطح", "اپسیلون", "آلفا")
_SIZES = (*_LEVELS, *_SIGMAS, "delta", "δ", "دلتا", "q", "rate", "سهم", "نرخ")  # may stand before a number
_SIGNS = ".+-eE"  # what a number may hold besides digits
_DAYS = re.compile(r"(?:(\d{4})[-/](\d\d?)[-/](\d\d?)|(\d\d?)\.(\d\d?)\.(\d{4}))(?=$|[\s:;,،])[\s:;,،]*")
_REST = re.compile(r"\s#.*$")
_COMMENT = re.compile(r"(^|\s)#(\s.*)?$|^#.*$")
TOTALS = "total totals sum summe gesamt insgesamt gesamtsumme".split()  # names of lines that are no release
LONGEST = 40  # letters of a number
_NO_DELTA = Interval(r"\delta", 0, 0, (0, 0))  # of what is described by σ or ρ: it has a level at every δ


@dataclass(frozen=True)
class LedgerRow(Declared):
    """One line of a ledger: `size` is the level, or σ or ρ where its kind is described by one."""

    name: str
    kind: NoiseKind
    size: float
    delta: Probability = 0.0
    times: Times = 1
    rate: Probability = 1.0  # of the people who are in a sample
    day: date | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.kind in LEVELED:
            declaration(Epsilon).check("epsilon", self.size)
        else:
            _NO_DELTA.check("delta", self.delta)
        self.release()  # normal noise has no level without a δ

    def release(self) -> AccountedRelease:
        """The release of this line, described by its privacy alone; with a δ of its own, the worst that keeps both.

        Only normal noise needs its δ to be described. Discrete Laplace noise on counts loses ε or -ε, as randomized
        response does, and no ε-private noise loses more.
        """
        from ldpcore.accounting.described import ExponentialRelease, RhoRelease, SampledRelease, SigmaRelease
        from ldpcore.accounting.releases import AnyRelease, LaplaceRelease, NormalRelease  # where a ledger is read

        match self.kind:
            case "gauss":
                return NormalRelease(self.size, self.delta)
            case kind if self.delta and kind in LEVELED:
                return AnyRelease(self.size, self.delta)
            case "laplace":
                return LaplaceRelease(self.size)
            case "exponential":
                return ExponentialRelease(self.size)
            case "sigma":
                return SigmaRelease(self.size)
            case "sampled":
                return SampledRelease(self.size, self.rate)
            case "zcdp":
                return RhoRelease(self.size)
            case _:
                return AnyRelease(self.size)


def read_lines(text: str) -> tuple[LedgerRow, ...]:
    """The rows of lines, without empty ones and comments; a line that is no row is refused by its number."""
    lines = [(number, uncommented(line.translate(UNSEEN))) for number, line in enumerate(text.splitlines(), 1)]
    lines = [(number, line) for number, line in lines if line]
    if len(lines) > MOST_ROWS:
        raise ParameterError("rows_many", most=MOST_ROWS, got=len(lines))
    return tuple(_row(number, line) for number, line in lines)


def uncommented(line: str) -> str:
    """A line without its comment, which begins with # at its start or between blanks."""
    return _COMMENT.sub("", line.strip()).strip()


def _row(number: int, line: str) -> LedgerRow:
    """One line: `[day] [name:] [kind] size [δ or share] [x times] [# comment]`."""
    day, rest = dated(line)
    name, _, rest = rest.rpartition(":")
    words, times = _repeated(_REST.sub("", rest).split())
    kind, numbers = _described(words)
    least, most = 1 + (kind == "sampled"), 1 + (kind in (*LEVELED, "sampled"))
    if kind is None or not least <= len(numbers) <= most or None in numbers:
        raise ParameterError("row_unread", line=number, got=line[:40])
    first, second = [*numbers, 0.0][:2]
    if kind == NORMAL_RHO:
        kind, first = "sigma", sigma_of(first or 0.0)
    return made(number, line, Raw(name.strip()[:60], kind, float(first or 0.0), float(second or 0.0), times, day))


def sigma_of(rho: float) -> float:
    """The σ of normal noise that is ρ-concentrated, 1/√(2ρ), in twelve digits; none where ρ is no number above 0."""
    return float(f"{1 / math.sqrt(2 * rho):.12g}") if 0 < rho < math.inf else 0.0


@dataclass(frozen=True)
class Raw:
    """The words of a line, before they are judged; `second` is a δ, or of a sample the share."""

    name: str
    kind: str
    size: float
    second: float = 0.0
    times: int = 1
    day: date | None = None


def made(number: int, line: str, raw: Raw) -> LedgerRow:
    """The row of a line, refused by its number and for its reason."""
    if raw.name.strip().lower() in TOTALS or spelled_alike(raw.name) in TOTAL_PHRASES:
        raise ParameterError("row_total", line=number, got=line[:40])
    sampled = raw.kind == "sampled"
    delta, rate = (0.0, raw.second) if sampled else (raw.second, 1.0)
    try:
        return LedgerRow(raw.name, raw.kind, raw.size, delta, raw.times, rate, raw.day)
    except ParameterError as problem:
        got = line[:40]
        if problem.key == "sigma_wide":  # the noise would be endless
            raise ParameterError("row_wide", line=number, got=got) from problem
        if raw.kind not in LEVELED:
            raise ParameterError("row_described", line=number, got=got) from problem
        if 0 < problem.fields.get("low", 0) < 1:  # too small to be computed with
            raise ParameterError("row_tiny", line=number, got=got) from problem
        raise ParameterError("row_refused", line=number, got=got) from problem


def dated(line: str) -> tuple[date | None, str]:
    """The day at the beginning of a line, as 2026-03-01, 1.3.2026 or 1404-12-10, and what follows it."""
    if not (match := _DAYS.match(line)):
        return None, line
    year, month, day, day_first, month_first, year_last = (in_latin(part or "") for part in match.groups())
    read = day_of(year or year_last, month or month_first, day or day_first, solar=True)
    return (None, line) if read is None else (read, line[match.end() :])


def kind_of(words: str) -> NoiseKind | None:
    """The kind of noise that some words name; none where they name no kind, any where there are no words."""
    bare = " ".join(_FILLED.sub(" ", spelled_alike(words)).split())
    return _NAMES.get(bare) if bare else "any"


def _described(words: Sequence[str]) -> tuple[NoiseKind | None, list[float | None]]:
    """The kind that the words before the numbers name, and the numbers, each perhaps with a sign before it."""
    parts = " ".join(words).replace("=", " ").split()
    first = next((place for place, word in enumerate(parts) if number_in(word) is not None), len(parts))
    kind = kind_of(" ".join(parts[:first]))
    sign = spelled_alike(parts[first - 1]) if first else ""
    if kind is None and sign in _SIZES:
        kind = kind_of(" ".join(parts[: first - 1]))
        if sign not in _LEVELS and not (kind == "sampled" and sign in _SIGMAS):  # another size than is read here
            kind = None
    rest = [word for word in parts[first:] if spelled_alike(word) not in _SIZES]
    return kind, [number_in(word) for word in rest]


def _repeated(words: list[str]) -> tuple[list[str], int]:
    """The words before `x 30`, `x30` or `×30` at the end, and the number of times; 1 where there is none."""
    for kept, last in ((words[:-2], "".join(words[-2:])), (words[:-1], "".join(words[-1:]))):
        if kept and last[:1].lower() in ("x", "×", "*") and len(last) <= 10 and in_latin(last[1:]).isdecimal():
            return kept, int(in_latin(last[1:]))
    return words, 1


def number_in(word: str) -> float | None:
    """A number as people write it, with a point or a comma, or as we write it in a sheet; None for anything else."""
    latin = in_latin(word)
    plain = latin.replace(",", ".") if "." not in latin else latin
    if len(plain) > LONGEST or not plain or not all(sign.isdecimal() or sign in _SIGNS for sign in plain):
        return None
    try:
        return float(plain)
    except ValueError:
        return None
