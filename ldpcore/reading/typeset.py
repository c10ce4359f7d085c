r"""Tables that are drawn with signs, as Markdown and the terminals of databases have them, and those of LaTeX.

No pattern looks at the text, so that the time grows with its length alone. Loaded by a process that has little memory:
nothing but the standard library.
"""

from __future__ import annotations

from collections.abc import Iterator

from ldpcore.reading.held import Held, largest, one_line
from ldpcore.reading.merged import Row, Span, unmerged

RULES = frozenset("|+-:= \t")  # what a line between names and people is made of
EMPHASIS = ("**", "__", "*", "_", "`")
TABLES = ("tabular", "tabular*", "tabularx", "tabulary", "longtable", "array", "tblr", "matrix", "pmatrix", "bmatrix")
DRAWN = (
    "\\hline",
    "\\toprule",
    "\\midrule",
    "\\bottomrule",
    "\\endhead",
    "\\endfirsthead",
    "\\endfoot",
    "\\endlastfoot",
)
RANGED = ("\\cline", "\\cmidrule", "\\addlinespace", "\\rowcolor", "\\specialrule", "\\noalign")
SIGNS = {
    "%": "%",
    "&": "&",
    "_": "_",
    "#": "#",
    "$": "$",
    "{": "{",
    "}": "}",
    ",": "\u202f",
    ";": " ",
    " ": " ",
    "-": "",
}
NAMED = {
    "euro": "€",
    "pounds": "£",
    "textdegree": "°",
    "textbar": "|",
    "ldots": "…",
    "dots": "…",
    "textasciitilde": "~",
}
SILENT = ("label", "footnote", "tablefootnote", "color", "textcolor", "cite", "caption", "hspace", "vspace")


def is_rule(line: str) -> bool:
    """Whether a line parts the names of a drawn table from its rows: |---|:-:|, ---+--- or +=====+."""
    return "--" in line.replace("=", "-") and ("|" in line or "+" in line) and set(line.rstrip("\r")) <= RULES


def held_drawn(text: str, wanted: str, most: int) -> Held:
    """The wanted table of those that are drawn, or the longest."""
    lines = text.splitlines()
    tables, place = list[list[Row]](), 0
    while place < len(lines) - 1:
        if is_rule(lines[place + 1]) and "|" in lines[place] and not is_rule(lines[place]):
            table = [_drawn_cells(lines[place])]
            place += 1
            while place < len(lines) and ("|" in lines[place] or is_rule(lines[place])):
                if not is_rule(lines[place]):
                    table.append(_drawn_cells(lines[place]))
                place += 1
            tables.append(table)
        else:
            place += 1
    return _largest(tables, wanted, most)


def _largest(tables: list[list[Row]], wanted: str, most: int) -> Held:
    """The wanted one of these tables, or the largest."""
    sizes = [len(table) * max(map(len, table), default=0) for table in tables]
    return largest([""] * len(tables), tables, sizes, wanted, most)


def _drawn_cells(line: str) -> Row:
    """The cells of a line between bars; a bar behind a backslash is one of a cell."""
    kept = line.replace("\\|", "\x00")
    bare = kept.strip().removeprefix("|").removesuffix("|")
    return [_plain(cell.replace("\x00", "|")) for cell in bare.split("|")]


def _plain(cell: str) -> str:
    """A cell without the marks of its emphasis."""
    cell = one_line(cell)
    for mark in EMPHASIS:
        if len(cell) > 2 * len(mark) and cell.startswith(mark) and cell.endswith(mark):
            return _plain(cell[len(mark) : -len(mark)])
    return cell


# --- LaTeX -----------------------------------------------------------------------------------------------------------


def held_latex(text: str, wanted: str, most: int) -> Held:
    """The wanted table of a text of LaTeX, or the largest."""
    return _largest(list(latex_tables(text)), wanted, most)


def latex_tables(text: str) -> Iterator[list[Row]]:
    """The tables and matrices of a text, in the order in which they end."""
    plain = "\n".join(map(_uncommented, text.splitlines()))
    opening = "\\begin{"
    starts = plain.split(opening)
    for piece in starts[1:]:
        name, _, rest = piece.partition("}")
        if name in TABLES:
            body, ends, _ = rest.partition("\\end{" + name + "}")
            yield _latex_rows(_behind_layout(body, name) if ends or "\\\\" in body else "")


def _uncommented(line: str) -> str:
    """A line up to the sign that begins a comment."""
    start = 0
    while (at := line.find("%", start)) >= 0:
        if at == 0 or line[at - 1] != "\\":
            return line[:at]
        start = at + 1
    return line


def _behind_layout(body: str, name: str) -> str:
    """A table's rows, without what says how its columns are set: [t]{\\textwidth}{lrr}."""
    body = body.lstrip()
    if name.endswith("matrix"):
        return body
    while body[:1] in ("{", "["):
        if body[0] == "[" and "]" not in body:
            break
        _, body = _group(body, 0) if body[0] == "{" else ("", body.partition("]")[2])
        body = body.lstrip()
    return body


def _group(text: str, start: int) -> tuple[str, str]:
    """What stands between the brace at `start` and the one that closes it, and what follows."""
    depth = 0
    for at in range(start, len(text)):
        if text[at] == "{" and text[at - 1 : at] != "\\":
            depth += 1
        elif text[at] == "}" and text[at - 1 : at] != "\\":
            depth -= 1
            if not depth:
                return text[start + 1 : at], text[at + 1 :]
    return text[start + 1 :], ""


def _latex_rows(body: str) -> list[Row]:
    """The rows of a table, with what spans columns."""
    for line in DRAWN:
        body = body.replace(line, " ")
    rows, spans = list[Row](), list[Span]()
    for line in body.split("\\\\"):
        cells, row = Row(), len(rows)
        for written in _cut(_unruled(line)):
            text, wide, high = _latex_cell(written)
            if wide > 1 or high > 1:
                spans.append(((row, len(cells)), (row + high - 1, len(cells) + wide - 1)))
            cells += [text, *[""] * (wide - 1)]
        if any(cells):
            rows.append(cells)
    width = max(map(len, rows), default=0)
    rows = [row + [""] * (width - len(row)) for row in rows]
    spans = [(first, (min(last[0], len(rows) - 1), last[1])) for first, last in spans if first[0] < len(rows)]
    return [row for row in unmerged(rows, spans) if any(row)]


def _unruled(line: str) -> str:
    """A row without the space that was asked for behind the last, [2pt], and without the lines drawn above it."""
    line = line.lstrip()
    if line.startswith("[") and "]" in line[:12]:
        line = line.partition("]")[2].lstrip()
    while (name := next((name for name in RANGED if line.startswith(name)), "")) != "":
        line = line[len(name) :].lstrip()
        while line[:1] in ("{", "(", "["):
            closing = {"{": "}", "(": ")", "[": "]"}[line[0]]
            if closing not in line:
                return ""
            line = line.partition(closing)[2].lstrip()
    return line


def _cut(line: str) -> list[str]:
    """The cells of a row: a & behind a backslash is one of a cell."""
    return [cell.replace("\x00", "\\&") for cell in line.replace("\\&", "\x00").split("&")]


def _latex_cell(written: str) -> tuple[str, int, int]:
    r"""A cell's text, and how many columns and rows it spans: \multicolumn{2}{c}{2023} is two columns wide."""
    text, wide, high = written.strip(), 1, 1
    for _ in range(2):
        for name in ("\\multicolumn", "\\multirow"):
            if text.startswith(name + "{"):
                count, rest = _group(text, len(name))
                _, rest = _group(rest.lstrip(), 0)
                inner, _ = _group(rest.lstrip(), 0)
                number = min(int(count), 100) if count.isascii() and count.isdecimal() and len(count) < 4 else 1
                wide, high = (max(number, 1), high) if name == "\\multicolumn" else (wide, max(number, 1))
                text = inner.strip()
    return one_line(" ".join(bare_latex(text).split(" "))), wide, high


def bare_latex(text: str) -> str:
    r"""The text that LaTeX sets: \textbf{12} is 12, \frac{1}{3} is 1/3, 12{,}5 is 12,5, 5\,\% is 5 %."""
    made, at = list[str](), 0
    while at < len(text):
        letter = text[at]
        if letter != "\\":
            made.append({"~": " ", "{": "", "}": "", "$": ""}.get(letter, letter))
            at += 1
            continue
        end = at + 1
        while end < len(text) and text[end].isalpha():
            end += 1
        name = text[at + 1 : end]
        if not name:
            made.append(SIGNS.get(text[end : end + 1], ""))
            at = end + 1
        elif name in ("frac", "tfrac", "dfrac", "nicefrac") and text[end : end + 1] == "{":
            top, rest = _group(text, end)
            bottom, rest = _group(rest, 0) if rest.startswith("{") else ("", rest)
            return "".join(made) + f"{bare_latex(top)}/{bare_latex(bottom)}" + bare_latex(rest)
        elif name in SILENT and text[end : end + 1] == "{":
            return "".join(made) + bare_latex(_group(text, end)[1])
        else:
            made.append(NAMED.get(name, ""))
            at = end
    return "".join(made).strip()
