"""Templates become paragraphs: data are escaped here, once, for the place where they land (Markdown or a formula)."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping

from explorer.numbers import MINUS, NARROW
from explorer.text import Template

_JOINER = "\u2060"  # word joiner: invisible, and parts what Streamlit would turn into an icon, an arrow or a link
_PUNCTUATION = re.compile(r"([\\`*_{}\[\]()#+.!|~$^>=@:/-])")
_FORMULA = re.compile(r"(\$\$.+?\$\$|(?<!\\)\$[^$\n]+?(?<!\\)\$)", re.DOTALL)
_NUMERIC = re.compile(rf"[\d\s.,%:{NARROW}{MINUS}×∞⁰¹²³⁴⁵⁶⁷⁸⁹⁻–-]+")
_RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+")
_POWERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_LATEX = str.maketrans(
    {
        "\\": r"\backslash ",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "%": r"\%",
        "#": r"\#",
        "&": r"\&",
        "_": r"\_",
        "^": r"\hat{\ }",
        "~": r"\sim ",
    }
)


def markdown(value: object) -> str:
    """Data as Markdown text that shows as written: no emphasis, formula, link, icon, arrow or HTML."""
    text = " ".join(str(value).split(" ")).replace("\n", " ").replace("\r", " ")
    if _NUMERIC.fullmatch(text):
        return text
    text = html.escape(text, quote=False)
    text = re.sub(r"(?<=[:@-])(?=\S)|(?<=www)(?=\.)|(?<=<)(?=-)", _JOINER, text)
    return _PUNCTUATION.sub(r"\\\1", text)


def formula(value: object) -> str:
    """Data inside a LaTeX formula: numbers as numbers, anything else as upright text."""
    text = str(value)
    if not _NUMERIC.fullmatch(text):
        return r"\text{" + text.translate(_LATEX).replace("\n", " ") + "}"
    text = _RAISED.sub(lambda match: "^{" + match.group().translate(_POWERS) + "}", text)
    for written, latex in ((NARROW, r"\,"), (MINUS, "-"), ("×", r"\times "), ("∞", r"\infty "), ("%", r"\%")):
        text = text.replace(written, latex)
    return text


def fill(template: str, values: Mapping[str, object]) -> str:
    """A template with its data put in, each piece escaped for where it lands; a missing value is an error."""
    parts = _FORMULA.split(template)
    written = {name: markdown(value) for name, value in values.items()}
    in_formula = {name: formula(value) for name, value in values.items()}
    return "".join(
        Template(part).substitute(in_formula if position % 2 else written) for position, part in enumerate(parts)
    )


def plain(template: str, values: Mapping[str, object]) -> str:
    """A template filled for a place that shows text as it is (an alt text, a file, a figure that escapes itself)."""
    return Template(template).substitute(values)


def placeholders(template: str) -> list[str]:
    """The names that a template asks for."""
    return Template(template).get_identifiers()
