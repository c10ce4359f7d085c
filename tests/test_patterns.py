"""Whatever somebody types or uploads, the time to look at it grows with its length and no faster.

Python's patterns hold the interpreter while they run: one that is quadratic would stop every reader. So every pattern
of the core is listed here with the texts that would be worst for it, and a new one without such texts fails.
"""

from __future__ import annotations

import ast
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import pytest

from ldpcore.reading import readings
from ldpcore.reading.counted import LONGEST_TEXT, CountedError, read_counted
from ldpcore.reading.dialects import read_table
from ldpcore.reading.matrices import MatrixError, read_matrix
from ldpcore.reading.matrixtext import LONGEST as LONGEST_LATEX
from ldpcore.reading.readings import (
    THOUSANDS,
    Reading,
    date_format,
    guessed,
    kind_of,
    number_pattern,
    split,
    unique_names,
)
from ldpcore.tables.table import TableError, displayed
from tests.cases import for_each
from tests.rationing import ALL, shared

ROOT = Path(__file__).parent.parent / "ldpcore"
SHORT, LONG = 10**3, 10**5 if ALL else 2 * 10**4
MOST = 2 * LONG // SHORT  # times as long; a quadratic pattern takes (LONG / SHORT)² times as long

# Where a pattern is made, and the pieces whose repetition, with an end that does not fit, is worst for it.
WORST: dict[str, tuple[str, ...]] = {
    "accounting/lines.py _FILLED": ("-", "- ", "noise", "noise ", "by", "mit ", "(", "mechanismus"),
    "accounting/lines.py _DAYS": ("2", "2024-1-1", "1.1.2024", "1.1.2024 ", ":;", " "),
    "accounting/lines.py _REST": (" ", "#", " #", "# ", " #a", "\t"),
    "accounting/lines.py _COMMENT": (" ", "#", " #", "# ", " #a", "#a "),
    "tables/units.py _HUMP": ("aB", "a", "A", "Äö"),
    "tables/units.py _WORD": ("a", "a1", "_", "ä ", "1"),
    "reading/files.py MAC_LETTER": ("a", "A", "a\x8a", "\x9f", "\x9fA"),
    "reading/files.py WESTERN_LETTER": ("a", "\x9f", "\x80"),
    "reading/repacking.py SAID": (" ", "<?xml", "encoding=", "<?xml encoding=", '<?xml encoding="', "'", '"'),
    "reading/readings.py SLASHED": ("1", "1/", "/1"),
    "reading/readings.py QUOTED": ('"', ',"', ',""', ',"a', '""', '"\n', 'a,"b""'),
    "reading/readings.py ROUGHLY_A_NUMBER": ("1", "1.", ".", ".1", ",", "1e", "e1", "+"),
    "reading/readings.py SIGNS": ("€", " ", "€ ", " €", "CHF", "E", "1€"),
    "reading/readings.py number_pattern": ("1", "111", "1.", "111.", ".111", "1,", ",111", "1.111", "1e", "'111"),
}


def made(path: Path, tree: ast.Module) -> Iterator[str]:
    """The names of the module's constants or functions that make a pattern or use one that is not made before."""
    for top in tree.body:
        name = ast.unparse(top.targets[0]) if isinstance(top, ast.Assign) else getattr(top, "name", "")
        for node in ast.walk(top):
            called = node.func if isinstance(node, ast.Call) else None
            if isinstance(called, ast.Attribute) and called.attr != "escape" and ast.unparse(called.value) == "re":
                yield f"{path.relative_to(ROOT)} {name}"


def test_every_pattern_of_the_core_is_listed_with_its_worst_texts() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(ROOT.rglob("*.py"))}
    trees = {path: ast.parse(text) for path, text in texts.items() if "re" in text.split() or ".str" in text}
    found = {pattern for path, tree in trees.items() for pattern in made(path, tree)}
    assert found == set(WORST)
    # Patterns made elsewhere would escape the list: pandas' are given number_pattern, and `re` is imported whole.
    for path, text in texts.items():
        assert "from re import" not in text and "import regex" not in text, path
        for node in ast.walk(trees[path]) if ".str" in text else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and ".str" in ast.unparse(node.func):
                called = ast.unparse(node)
                assert node.func.attr not in ("match", "contains", "extract", "extractall", "findall", "split"), called
                assert node.func.attr != "fullmatch" or "number()" in called, called
                assert node.func.attr != "replace" or "regex=False" in called or "SIGNS" in called, called


def repeated(piece: str, size: int, end: str = "x") -> str:
    """A text of this size."""
    return (piece * (size // len(piece) + 1))[:size] + end


def seconds(work: Callable[[], object]) -> float:
    """The processor time of one go."""
    start = time.thread_time()
    work()
    return time.thread_time() - start


def grows_with_its_length(work: Callable[[str], object], piece: str, end: str = "x") -> bool:
    """Whether twenty times the text takes at most forty times as long; what is over in no time is fine.

    The shortest times count, for what else the machine does only ever adds to them: a busy one spoils caches now and
    then, while a quadratic pattern, which takes four hundred times as long, is slow every time. At night a hundred
    times the text.
    """
    short, long = (repeated(piece, size, end) for size in (SHORT, LONG))
    brief = lasting = float("inf")
    for _ in range(30):
        brief = min(brief, seconds(lambda: [work(short) for _ in range(10)]) / 10)
        lasting = min(lasting, seconds(lambda: work(long)))
        if lasting <= MOST * max(brief, 1e-6):
            return True
    return False


NOTATIONS = [
    number_pattern(mark, group, signs)
    for mark in ".,"
    for group in THOUSANDS
    if group != mark
    for signs in (False, True)
]


@for_each(("name", "piece"), [(name, piece) for name, pieces in WORST.items() for piece in pieces])
def test_the_steps_of_every_pattern_grow_with_the_length_of_the_text(name: str, piece: str) -> None:
    path, _, constant = name.partition(" ")
    made_here = getattr(import_module("ldpcore." + path.removesuffix(".py").replace("/", ".")), constant)
    patterns = NOTATIONS if made_here is number_pattern else [made_here]
    for pattern in patterns:
        if isinstance(pattern.pattern, bytes):
            assert grows_with_its_length(lambda text, own=pattern: own.search(text.encode("latin-1")), piece), pattern
            continue
        assert grows_with_its_length(pattern.fullmatch, piece), pattern
        # A pattern that is searched for starts anew at every letter; only those that are need to stand that.
        if pattern is readings.QUOTED or constant.startswith("_"):
            assert grows_with_its_length(lambda text, pattern=pattern: pattern.sub("Q", text), piece), pattern


def refused_or_read(text: str, place: int) -> None:
    """A file with such a cell, as a reader would upload it; by day one of four such files, in turn."""
    samples = f"a,b\n{text},1\n", f"a b\n{text} 1\n", f"{text};1\n2;3\n", text
    for sample in shared(samples, 4, place):
        try:
            read_table(sample.encode(), "t.csv")
        except TableError:
            continue


def typed(text: str) -> None:
    """A text typed as a matrix."""
    try:
        read_matrix(f"0.5 0.5{text}")
    except MatrixError:
        return


PIECES = ("1", ".", "1.", "1,", " ", "\t", '"', ',"', '""', "1 ", "é", "\n", "1/", ":")


@pytest.mark.parametrize("piece", PIECES)
def test_the_steps_of_reading_a_file_grow_with_its_length(piece: str) -> None:
    assert grows_with_its_length(lambda text: refused_or_read(text, PIECES.index(piece)), piece)


@pytest.mark.parametrize(
    "piece", ["] ", " ", "]", "[", "],", "] [", "/", " /", ",", ".,", "1,", ";", "%", "\n", "\t", "1"]
)
def test_the_steps_of_reading_a_typed_matrix_grow_with_its_length(piece: str) -> None:
    assert grows_with_its_length(typed, piece)
    assert grows_with_its_length(lambda text: typed("]" + text), piece)


@pytest.mark.parametrize("piece", ["{", "{}", "[", "\\frac{", "\\begin{matrix}", "\\cline{", "%\n", "&", "\\\\"])
def test_the_steps_of_reading_a_matrix_of_latex_grow_with_its_length(piece: str) -> None:
    assert grows_with_its_length(
        lambda text: typed(f"& 1 \\\\ \\begin{{tabular}}{text[: LONGEST_LATEX - 100]} & 1"), piece
    )


def pasted(text: str) -> None:
    """A text pasted as a table of counts, alone and between lines that are sound."""
    for table in (text, f"a;1\n{text}\nb;2", text.replace("x", "\n")):
        try:
            read_counted(table[:LONGEST_TEXT])
        except CountedError:
            continue


@pytest.mark.parametrize(
    "piece", ["1", "1,", ",1", "1 ", "a,1 ", "a;1\n", "a;", "\t", '"', "a 1\n", "1\n", ";", "é", " "]
)
def test_the_steps_of_reading_a_pasted_table_of_counts_grow_with_its_length(piece: str) -> None:
    assert grows_with_its_length(pasted, piece)


@pytest.mark.parametrize("piece", ["1", "1.", "1/1/", "2024-01-01 ", "2024-01-01" + " " * 90, "0"])
def test_the_steps_of_judging_a_cell_grow_with_its_length(piece: str) -> None:
    for reading in (Reading(), Reading(decimal=",", thousands="."), Reading(thousands=" ")):
        assert grows_with_its_length(lambda text, reading=reading: kind_of([text], reading), piece)
    assert grows_with_its_length(lambda text: date_format([text], False), piece)
    assert grows_with_its_length(lambda text: guessed(text, "utf-8"), piece)


def test_a_cell_of_many_digits_is_no_number_and_a_pattern_never_sees_it() -> None:
    for cell in ("1" * 60_000, "1" * 60_000 + "x", "1.000" * 8_000):
        assert not Reading().is_number(cell) and kind_of([cell], Reading()) == ("category", "")
        table, understood = read_table(f"a;b\n{cell};2\n".encode(), "t.csv")
        assert table.kind("a") == "category" and understood.columns[0].kind == "category"
        far = "a;b\n" + "1.234,5;2\n" * 40_000 + f"{cell};2\n"  # below the lines that are looked at first
        assert read_table(far.encode(), "t.csv")[0].kind("a") == "category"


@for_each("mark", [bytes([code]) for code in range(32, 256)])
def test_whatever_separator_a_first_line_names_the_table_is_read_or_refused_in_a_sentence(mark: bytes) -> None:
    table, understood = read_table(b"sep=" + mark + b"\na;b\n1;2\n", "t.csv")
    announced = mark.decode("latin-1") in ",\t|:!#$%&*/@^_~ "
    if not announced and mark != b'"':  # a quote alone names nothing: that line is a row like the others
        assert understood.reading.separator == ";" and table.columns == ("a", "b")


def test_names_that_are_all_alike_take_one_round_to_tell_apart() -> None:
    def told_apart(text: str) -> None:
        names = [f"{'x' * 60}{letter}{'y' * 30}" for letter in text]
        assert len(set(displayed(names))) == len(names)
        assert len(set(unique_names(["age"] * len(text)))) == len(text)

    short, long = "a" * 100, "a" * 10_000
    assert seconds(lambda: told_apart(long)) <= 400 * seconds(lambda: told_apart(short))


def test_a_long_text_is_cut_into_cells_in_one_round() -> None:
    for piece in ("a,", '"a",', "a,\n"):
        assert grows_with_its_length(lambda text: split(text, ","), piece)
