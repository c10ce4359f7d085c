"""The lines of a ledger as people type them: a name, what kind of noise, its level, its δ, and how often.

`daily count: laplace 0.1 x 30` is thirty releases with Laplace noise; `gauss 1 1e-6` is normal noise; a line with a
level alone is any mechanism that keeps it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated

from ldpcore.accounting.releases import AnyRelease, LaplaceRelease, NormalRelease, Release
from ldpcore.parameters import Choice, Declared, Epsilon, Interval, ParameterError, Probability

MOST_ROWS, MOST_LETTERS = 10_000, 1_000_000
KINDS = ("any", "laplace", "gauss")
Kind = Annotated[str, Choice(r"\text{noise}", KINDS)]
Times = Annotated[int, Interval("k", 1, 10**6, (1, 1000), scale="log", integer=True)]
_NAMES: Mapping[str, str] = MappingProxyType(
    {"any": "any", "rr": "any", "laplace": "laplace"} | dict.fromkeys(("gauss", "gaussian", "normal", "gauß"), "gauss")
)
_SIGNS = ".+-eE"  # what a number may hold besides digits
LONGEST = 40  # letters of a number


@dataclass(frozen=True)
class Row(Declared):
    """One line of a ledger."""

    name: str
    kind: Kind
    epsilon: Epsilon
    delta: Probability = 0.0
    times: Times = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        self.release()  # normal noise has no level without a δ

    def release(self) -> Release:
        """What it releases, described by its privacy alone; Laplace noise spends no δ of its own."""
        if self.kind == "gauss":
            return NormalRelease(self.epsilon, self.delta)
        return LaplaceRelease(self.epsilon) if self.kind == "laplace" else AnyRelease(self.epsilon, self.delta)


def read_rows(text: str) -> tuple[Row, ...]:
    """The rows of a text; a line that is none is refused by its number, and empty lines are passed over."""
    if len(text) > MOST_LETTERS:
        raise ParameterError("text_long", most=MOST_LETTERS, got=len(text))
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if len(lines) > MOST_ROWS:
        raise ParameterError("rows_many", most=MOST_ROWS, got=len(lines))
    return tuple(_row(number, line) for number, line in lines)


def _row(number: int, line: str) -> Row:
    """One line: `[name:] [kind] ε [δ] [x times]`."""
    name, _, rest = line.rpartition(":")
    words, times = _repeated(rest.split())
    named = bool(words) and _number(words[0]) is None
    kind = _NAMES.get(words[0].lower()) if named else "any"
    numbers = [_number(word) for word in words[named:]]
    if kind is None or not 1 <= len(numbers) <= 2 or None in numbers:
        raise ParameterError("row_unread", line=number, got=line[:40])
    level, delta = [*numbers, 0.0][:2]
    try:
        return Row(name.strip()[:60], kind, float(level or 0.0), float(delta or 0.0), times)
    except ParameterError as problem:
        if problem.key == "sigma_wide":  # the noise would be endless
            raise ParameterError("row_wide", line=number, got=line[:40]) from problem
        if 0 < problem.fields.get("low", 0) < 1:  # too small to be computed with
            raise ParameterError("row_tiny", line=number, got=line[:40]) from problem
        raise ParameterError("row_refused", line=number, got=line[:40]) from problem


def _repeated(words: list[str]) -> tuple[list[str], int]:
    """The words before `x 30`, `x30` or `×30` at the end, and how often; once where there is none."""
    for kept, last in ((words[:-2], "".join(words[-2:])), (words[:-1], "".join(words[-1:]))):
        if kept and last[:1].lower() in ("x", "×", "*") and last[1:].isdecimal() and len(last) <= 10:
            return kept, int(last[1:])
    return words, 1


def _number(word: str) -> float | None:
    """A number as people write it, with a point or a comma; None for anything else."""
    plain = word.replace(",", ".") if "." not in word else word
    if len(plain) > LONGEST or not all(sign.isdecimal() or sign in _SIGNS for sign in plain):
        return None
    try:
        return float(plain)
    except ValueError:
        return None
