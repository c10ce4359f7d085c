"""Matrices as documents and programs write them, LaTeX, Markdown and NumPy, as lines of entries that `matrices` reads.

No pattern looks at the text; what LaTeX has set is looked at where it is no longer than a page.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from string import ascii_letters

from ldpcore.reading.foreign import LATEX_TABLES, RULES

ONE_BRACKET = str.maketrans("({)}", "[[]]")
LONGEST = 100_000  # letters of what LaTeX has set
BEFORE, AROUND = 200, ("(", "=", ":")  # letters before the first bracket of a program's, and what ends them
ARGUMENTS = {"{": "}", "[": "]", "(": ")"}
LAST = ("multicolumn", "multirow", "textcolor")  # commands that set their last argument
SILENT = ("label", "caption", "color", "cline", "cmidrule", "addlinespace", "rowcolor")  # commands that set no text
ESCAPED, LITERAL = (("\\&", "\x00"), ("\\%", "\x01")), str.maketrans("\x00\x01~", "&% ", "{}$")


def entries_in(text: str) -> str:
    """The text with one row in each line, and nothing that is no entry; other texts stay as they are."""
    if "\\\\" in text and "&" in text and len(text) <= LONGEST:
        return _of_latex(text) or text
    if "|" in text:
        return _of_bars(text)
    return _of_program(text)


def _of_latex(text: str) -> str:
    """The first table of a text that holds any cell, or its rows where it has no frame."""
    for escaped, held in ESCAPED:
        text = text.replace(escaped, held)
    plain = "\n".join(line.partition("%")[0] for line in text.splitlines())  # without comments
    for piece in plain.split("\\begin{")[1:] or ["matrix}" + plain]:
        name, _, body = piece.partition("}")
        if any(table in name for table in LATEX_TABLES):
            body = body.partition("\\end{")[0]
            rows = (body if "matrix" in name else _behind_arguments(body)).split("\\\\")
            cells = [[_bare(cell) for cell in _behind_space(row).split("&")] for row in rows]
            if lines := ["\t".join(row) for row in cells if any(row)]:
                return "\n".join(lines)
    return ""


def _behind_space(row: str) -> str:
    """A row without the space that was asked for above it: [2pt]."""
    row = row.lstrip()
    return row.partition("]")[2] if row.startswith("[") else row


def _behind_arguments(text: str) -> str:
    """A text without the arguments that it begins with: [t]{@{}lrr@{}}, or (lr){2-3}."""
    text = text.lstrip()
    while closing := ARGUMENTS.get(text[:1], ""):
        depths = accumulate((letter == text[0]) - (letter == closing) for letter in text)
        end = next((place for place, depth in enumerate(depths) if not depth), len(text))
        text = text[end + 1 :].lstrip()
    return text


def _bare(cell: str) -> str:
    r"""The text that LaTeX sets: \frac{1}{3} is 1/3, 0{,}75 is 0,75, 75\,\% is 75 %, \textbf{yes} is yes."""
    first, *pieces = cell.split("\\")
    made = [first]
    for piece in pieces:
        behind = piece.lstrip(ascii_letters)
        name = piece[: len(piece) - len(behind)]
        if not name:
            made.append((piece[:1] if piece[:1] in "_#" else " ") + piece[1:])
        elif name in SILENT:
            made.append(_behind_arguments(behind))
        elif name in LAST:
            made.append(behind.rpartition("{")[2])
        else:
            made.append(behind.replace("}{", "/", 1) if name.endswith("frac") else behind)
    return " ".join("".join(made).translate(LITERAL).split())


def _of_bars(text: str) -> str:
    """The rows between bars, without lines of dashes and rows of nothing."""
    lines = [line.strip() for line in text.splitlines() if not RULES.issuperset(line)]
    if not all("|" in line for line in lines):
        return text
    rows = [[cell.strip() for cell in line.removeprefix("|").removesuffix("|").split("|")] for line in lines]
    return "\n".join("\t".join(row) for row in rows if any(row))


def _of_program(text: str) -> str:
    """The contents of the outer brackets of `M = np.array([[0.75, 0.25], [0.25, 0.75]])`, rows in one line each."""
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
