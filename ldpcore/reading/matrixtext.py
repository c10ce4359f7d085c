"""Matrices as documents and programs write them, LaTeX, Markdown and NumPy, as lines of entries that `matrices` reads.

No pattern looks at the text; what LaTeX has set is looked at where it is no longer than a page.
"""

from __future__ import annotations

from collections.abc import Sequence

from ldpcore.reading.typeset import is_rule, latex_tables

ONE_BRACKET = str.maketrans("({)}", "[[]]")
LONGEST = 100_000  # letters of what LaTeX has set
BEFORE, AROUND = 200, ("(", "=", ":")  # letters before the first bracket of a program's, and what ends them


def entries_in(text: str) -> str:
    """The text with one row in each line, and nothing that is no entry; what is written otherwise stays as it is."""
    if "\\\\" in text and "&" in text and len(text) <= LONGEST:
        return _of_latex(text)
    if "|" in text:
        return _of_bars(text)
    return _of_program(text)


def _of_latex(text: str) -> str:
    """The first table of a text, or its rows where it has no frame."""
    framed = text if "\\begin{" in text else f"\\begin{{matrix}}{text}\\end{{matrix}}"
    try:
        rows = next((table for table in latex_tables(framed) if table), [])
    except RecursionError:  # braces in braces
        return text
    return "\n".join("\t".join(row) for row in rows) if rows else text


def _of_bars(text: str) -> str:
    """The rows between bars, without lines of dashes and rows of nothing."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not is_rule(line)]
    if not all("|" in line for line in lines):
        return text
    rows = [[cell.strip() for cell in line.removeprefix("|").removesuffix("|").split("|")] for line in lines]
    return "\n".join("\t".join(row) for row in rows if any(row))


def _of_program(text: str) -> str:
    """What stands between the outer brackets of `M = np.array([[0.75, 0.25], [0.25, 0.75]])`, rows in one line each."""
    first, last = text.find("[["), text.rfind("]")
    if first < 0:
        return text
    before = text[:first].strip()
    if len(before) > BEFORE or (before and not before.endswith(AROUND)):
        return text
    return text[first : last + 1].replace("\r", " ").replace("\n", " ")


def unbracketed(text: str) -> str:
    """The text without brackets, a new line where one closes and the next opens: [[…], […]] has one per row."""
    closed, *rest = text.translate(ONE_BRACKET).split("]")
    pieces = [closed]
    for after in rest:
        between, opens, inside = after.partition("[")
        pieces.append("\n" + inside if opens and between.strip() in ("", ",", ";") else " " + after)
    return "".join(pieces).replace("[", " ")


def several(line: str) -> bool:
    """Whether blanks part a line."""
    return len(line.split(None, 1)) > 1


def decimal_commas(lines: Sequence[str], blanks: bool) -> bool:
    """Whether commas are decimal: each stands once between digits, no point is used, and others part the cells.

    With `blanks`, blanks are all that could part them, so every line must have some.
    """
    joined = "\n".join(lines)
    if "," not in joined or "." in joined:
        return False
    first, *between, last = joined.split(",")
    # Between two commas stand the end of one number and the beginning of the next: 25 0 and never 25 alone.
    if not first[-1:].isdecimal() or not last[:1].isdecimal():
        return False
    if not all(part[:1].isdecimal() and part[-1:].isdecimal() and not part.isdecimal() for part in between):
        return False
    return not blanks or all(several(line) for line in lines)
