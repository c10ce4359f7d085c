"""Escaping of data, once, for the place where they land: Markdown, a formula, HTML, or a figure's hover text."""

from __future__ import annotations

import html
import re

from explorer.text.numerals import MINUS, NARROW

_JOINER = "\u2060"  # word joiner: invisible, and parts what Streamlit would turn into an icon, an arrow or a link
_PUNCTUATION = re.compile(r"([\\`*_{}\[\]()#+.!|~$^>=@:/-])")
FORMULA = re.compile(r"(\$\$.+?\$\$|(?<!\\)\$[^$\n]+?(?<!\\)\$)", re.DOTALL)
_NUMERIC = re.compile(rf"[\d\s.,%:{NARROW}{MINUS}×∞⁰¹²³⁴⁵⁶⁷⁸⁹⁻–-]+")
_OVER = re.compile(r"&gt; (?=\d)")
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


def hypertext(value: object) -> str:
    """Data as HTML text that shows as written; no line ends within `> 99.9`."""
    return _OVER.sub("&gt;\u00a0", html.escape(str(value), quote=False))


def hover(value: object) -> str:
    """Data in a hover text, where Plotly reads some HTML, formulas and codes like `%{x}`."""
    return html.escape(str(value), quote=False).replace("$", "&#36;").replace("%{", "&#37;{")
