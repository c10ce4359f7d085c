"""What people may type: well-formed texts of wild numbers, from 1e-320 to 1e308 and a billion times, for every box.

Each text is of the form that its box asks for, or nearly; its numbers are whatever a double or a whole number can be,
in every notation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from hypothesis import strategies as st

from explorer.settings.questions import RELATIONS, VERBS, ConditionRow, QuestionDraft
from ldpcore.tables.table import Table

Texts = st.SearchStrategy[str]
Cell = TypeVar("Cell")
PERSIAN = str.maketrans("0123456789.,;-", "۰۱۲۳۴۵۶۷۸۹\u066b،؛\u2212")
TELLING = (
    *("0", "-0", "1", "2", "0.5", "50", "1e-6", "1e-100", "1e-300", "1e-308", "2.2250738585072014e-308", "1e-320"),
    *("5e-324", "1e-400", "-1", "-1e-320", "1e9", "1e12", "1e15", "1e16", "9007199254740993", "1e18", "1e100", "1e308"),
    *("1.7976931348623157e308", "1e400", "0.999999", "0.9999999999999999", "1.0000000000000002", "49.99999999"),
    *("0.1", "0.30000000000000004", "1e-12", "1e-30", "0." + "3" * 30, "0." + "0" * 60 + "1", "1" + "0" * 40, "7/3"),
)
COUNTS = (0, 1, 2, 3, 10, 83, 1000, 10**6, 10**9 - 1, 10**9, 10**12, 10**15, 10**15 + 1, 10**18, 2**63, 10**30)
DAYS = ("2024-02-29", "0001-01-01", "9999-12-31", "01.01.0001", "29.02.2023", "1/2/2024", "31.12.1899", "2100-01-01")


def numbers() -> Texts:
    """Any number, as Python writes it or as a person does."""
    wild = st.floats(allow_nan=False, allow_infinity=False)
    powers = st.builds("{}{}e{}".format, st.sampled_from(("", "-")), st.integers(1, 9), st.integers(-330, 310))
    sane = st.floats(1e-6, 50.0).map(lambda value: f"{value:.4g}")
    persian = st.one_of(sane, wild.map(repr)).map(in_persian)
    return st.one_of(st.sampled_from(TELLING), wild.map(repr), powers, sane, sane.map(_with_comma), persian)


def _with_comma(text: str) -> str:
    return text.replace(".", ",")


def in_persian(text: str) -> str:
    """A text in the digits and with the marks of a Persian keyboard."""
    return text.translate(PERSIAN)


def levels() -> Texts:
    """A number that mostly is a level: above 0, at most 50."""
    small = st.builds("{}e-{}".format, st.integers(1, 9), st.integers(0, 330))
    sane = st.floats(1e-3, 5.0).map("{:.3f}".format)
    return st.one_of(*[st.floats(1e-100, 50.0).map(repr), sane, sane] * 3, small, numbers())


def counts(most: int = 10**9) -> st.SearchStrategy[int]:
    """How many: nobody, few, as many as the box takes, and now and then more."""
    telling = st.sampled_from([count for count in COUNTS if count <= most] + [most])
    return st.one_of(telling, st.integers(0, 1000), st.integers(0, most), st.sampled_from(COUNTS))


# --- the boxes -------------------------------------------------------------------------------------------------------


def ledgers() -> Texts:
    """Lines of a ledger: few wild ones, and sometimes one of them hundreds of times or at hundreds of levels."""
    often = st.one_of(*[st.integers(1, 10**6)] * 6, counts(10**6))
    times = st.one_of(st.just(""), often.map(" x {}".format), st.sampled_from((" x 510", " x 1000000")))
    kinds = st.sampled_from(("laplace", "any", "gauss", "rr", "", "normal", "لاپلاس", "نویز گاوسی با سطح"))
    fails = st.builds("{}e-{}".format, st.integers(1, 9), st.integers(1, 40))
    odd = st.sampled_from(("", "0.999999", "1e-30", "1e-299", "1e-320", "1", "0"))
    deltas = st.one_of(fails, fails, fails, st.just("1e-6"), odd)
    noisy = st.builds("{} {} {}{}".format, kinds, levels(), deltas, times)
    line = st.one_of(noisy, st.builds("{} {}{}".format, st.sampled_from(("laplace", "any")), levels(), times))
    few = st.lists(line, min_size=1, max_size=5)
    copies = st.builds(lambda lines, many: (lines * many)[:many], few, st.sampled_from((100, 1000, 10_000)))
    return st.one_of(few, few, few, few, _ladders(), copies).map("\n".join)


def _ladders() -> st.SearchStrategy[list[str]]:
    """One kind of noise at many levels, each so many times."""

    def rungs(kind: str, low: float, step: float, many: int, times: int) -> list[str]:
        return [f"{kind} {low + step * place!r} {'1e-9' if kind == 'gauss' else ''} x {times}" for place in range(many)]

    steps = st.sampled_from((1e-12, 1e-5, 1e-3))
    return st.builds(
        rungs,
        st.sampled_from(("laplace", "any", "gauss")),
        st.floats(1e-100, 40.0),
        steps,
        st.integers(2, 120),
        st.sampled_from((1, 1000, 10**6)),
    )


def matrices() -> Texts:
    """Rows of a matrix: wild weights as they are or divided by their sum, fractions of wild numbers, large ones too."""
    wild = st.one_of(st.floats(0, 1.7e308), st.floats(0, 1), st.sampled_from((0.0, 5e-324, 1e-308, 1e-16, 1.0)))
    shapes = st.tuples(st.integers(1, 6), st.integers(1, 8))
    rows = shapes.flatmap(lambda shape: st.lists(_row(wild, shape[1]), min_size=shape[0], max_size=shape[0]))
    fraction = st.builds("{}/{}".format, numbers(), numbers())
    fractions = shapes.flatmap(lambda shape: st.lists(_row(fraction, shape[1]), min_size=shape[0], max_size=shape[0]))
    large = st.builds(
        lambda n, m, tiny: [[repr(1.0 - tiny), repr(tiny)] + ["0"] * (m - 2)] * n,
        st.sampled_from((2, 60, 700)),
        st.sampled_from((2, 60, 700)),
        st.sampled_from((0.5, 1e-300, 5e-324)),
    )
    divided = rows.map(lambda table: [_shares(row) for row in table])
    plain = rows.map(lambda table: [[repr(weight) for weight in row] for row in table])
    return st.builds(_laid_out, st.one_of(divided, divided, plain, fractions, large), st.sampled_from((" ", ", ", ";")))


def _row(cell: st.SearchStrategy[Cell], width: int) -> st.SearchStrategy[list[Cell]]:
    return st.lists(cell, min_size=width, max_size=width)


def _shares(weights: Sequence[float]) -> list[str]:
    """Weights divided by their sum; those that have none worth the name stay as they are."""
    total = sum(weight / len(weights) for weight in weights)
    return [repr(weight / len(weights) / total if total > 0 else weight) for weight in weights]


def _laid_out(table: Sequence[Sequence[str]], mark: str) -> str:
    return "\n".join(mark.join(row) for row in table)


def answers() -> Texts:
    """A show of hands: so many yes, so many no, so many of all."""
    forms = ("{0} yes, {1} no", "{0} of {1}", "{0}/{1}", "{0} ja von {1}", "{1} no {0} yes", "{0} {1}")
    ordered = st.builds(lambda a, b: (min(a, b), max(a, b)), st.integers(0, 10**9), st.integers(1, 10**9))
    pairs = st.one_of(ordered, ordered, st.tuples(counts(), counts()), st.tuples(numbers(), numbers()))
    return st.builds(lambda form, pair: form.format(*pair), st.sampled_from(forms), pairs)


def tables_of_counts() -> Texts:
    """An answer and how often it was reported, in each line."""
    sane = st.integers(0, 10**9)
    cell = st.one_of(counts().map(str), counts().map("{:,}".format), numbers())
    odd, few = (st.lists(each.map(str), min_size=2, max_size=8) for each in (cell, sane))
    many = st.builds(
        lambda cells, size: (cells * size)[:size],
        st.lists(sane.map(str), min_size=1, max_size=4),
        st.sampled_from((40, 41, 1000, 4096)),
    )
    total = st.one_of(st.just(""), st.just(""), counts().map("\ntotal\t{}".format))
    return st.builds(
        lambda cells, last: "\n".join(f"{place}\t{cell}" for place, cell in enumerate(cells, 1)) + last,
        st.one_of(few, few, few, odd, many),
        total,
    )


def audits() -> st.SearchStrategy[tuple[str, str]]:
    """Counts of outcomes under two inputs; mostly as many of both."""
    cell = counts(10**15)
    pairs = st.lists(st.tuples(cell, cell), min_size=2, max_size=6)
    many = st.builds(lambda cells, size: (cells * size)[:size], pairs, st.sampled_from((100, 1000)))
    lines = st.one_of(pairs, pairs, pairs, many).map(lambda both: tuple(zip(*both, strict=True)))
    odd = st.tuples(st.lists(cell, max_size=4), st.lists(cell, max_size=4))
    written = st.one_of(lines, lines, odd).map(lambda both: tuple(", ".join(map(str, each)) for each in both))
    return written.map(lambda both: (both[0], both[1]))


def heights() -> st.SearchStrategy[tuple[str, str]]:
    """Two rows of bars of any heights; mostly as many of both."""
    wild = st.one_of(st.floats(0, 1.7e308).map(repr), st.sampled_from(("0", "5e-324", "1e308", "1e-16", "1e16", "1")))
    cell = st.one_of(st.floats(0, 10).map("{:.3g}".format), wild)
    pairs = st.lists(st.tuples(cell, cell), min_size=2, max_size=12)
    odd = st.lists(st.tuples(numbers(), numbers()), min_size=1, max_size=13)
    pairs = st.one_of(pairs, pairs, pairs, odd)
    return pairs.map(lambda both: (" ".join(a for a, _ in both), "; ".join(b for _, b in both)))


def drafts(table: Table) -> st.SearchStrategy[QuestionDraft]:
    """A question about a table: up to three conditions, and public bounds where numbers are added up."""
    rows = st.lists(st.sampled_from(table.columns).flatmap(lambda name: _conditions(table, name)), max_size=3)
    ends = st.one_of(st.tuples(numbers(), numbers()), st.just(("0", "100")), st.just(("-1e14", "1e14")))
    return st.builds(
        lambda verb, rows, column, ends: QuestionDraft(
            verb, "own" if rows else "everybody", tuple(rows), column, *ends
        ),
        st.sampled_from(VERBS),
        rows,
        st.sampled_from(table.of_kind("number")),
        ends,
    )


def _conditions(table: Table, column: str) -> st.SearchStrategy[ConditionRow]:
    kind = table.kind(column)
    typed = numbers() if kind == "number" else st.sampled_from(DAYS) if kind == "date" else _labels(table, column)
    return st.builds(
        ConditionRow,
        st.just(column),
        st.sampled_from(RELATIONS[kind]),
        st.lists(typed, min_size=1, max_size=2).map(tuple),
    )


def _labels(table: Table, column: str) -> Texts:
    return st.one_of(st.sampled_from(table.categories(column, 5).labels), numbers())
