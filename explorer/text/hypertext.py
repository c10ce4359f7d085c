"""The little Markdown that an answer or a note may carry, as HTML; everything else is shown as written.

Bold, italics, struck words, line breaks, paragraphs, lists, and formulas of one line with letters, powers and
indices: the stage stands in the page without Streamlit's Markdown and without a typesetter of formulas.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape

from explorer.text.escaping import FORMULA, hypertext

_STRONG = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*", re.DOTALL)
_EMPHASIS = re.compile(r"(?<![\w*\\])\*(?=[^\s*])(.+?)(?<=[^\s*\\])\*(?![\w*])", re.DOTALL)
_STRUCK = re.compile(r"~~(?=\S)(.+?)(?<=\S)~~", re.DOTALL)
_HARD_BREAK = re.compile(r"(?: {2,}|\\)\n")
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+.!|~$>@:-])")
_PARAGRAPHS = re.compile(r"\n\s*\n")
_SLOT = "\ue000-\uf8ff"  # where a fact will stand, as `templates` marks it
# No line ends within `α = 10`, nor behind `>` where a fact will stand; what is written is kept by `hypertext`.
_TOGETHER = re.compile(rf"(?<=\w) = (?=\**[\d−{_SLOT}])|(?<=&gt;) (?=[{_SLOT}])")
_TOKEN = re.compile(r"\\[A-Za-z]+ ?|\\.|.")
_SCRIPTS = {"^": "sup", "_": "sub"}
_SYMBOLS = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "Delta": "Δ",
    "varepsilon": "ε",
    "lambda": "λ",
    "mu": "μ",
    "pi": "π",
    "sigma": "σ",
    "tau": "τ",
    "theta": "θ",
    "varphi": "φ",
    "omega": "ω",
    "mathcal{M}": "M",
    "approx": "≈",
    "cdot": "·",
    "ge": "≥",
    "infty": "∞",
    "le": "≤",
    "ln": "ln\u2009",
    "pm": "±",
    "sim": "~",
    "times": "×",
    ",": "\u2009",
    "%": "%",
}


def _group(tokens: list[str], source: str) -> str:
    """The next letter, sign or group in braces of a formula, taken off the tokens."""
    if not tokens:
        raise ValueError(f"a formula must not end with a power or an open brace; got {source}")
    token = tokens.pop(0)
    if token in _SCRIPTS:
        return f"<{_SCRIPTS[token]}>{_group(tokens, source)}</{_SCRIPTS[token]}>"
    if token == "{":
        inside = ""
        while tokens and tokens[0] != "}":
            inside += _group(tokens, source)
        return inside + tokens.pop(0).replace("}", "") if tokens else _group(tokens, source)
    if token.startswith("\\"):
        name = token[1:].strip()
        if name not in _SYMBOLS:
            raise ValueError(f"a formula in an answer or a note must be letters, powers and indices; got {source}")
        symbol = _SYMBOLS[name]
        return f"<i>{symbol}</i>" if symbol.isalpha() and len(symbol) == 1 else symbol
    return f"<i>{token}</i>" if token.isascii() and token.isalpha() else escape(token, quote=False)


def formula(source: str) -> str:
    """A simple formula, which reads from left to right in every language."""
    tokens, made = _TOKEN.findall(source.strip("$")), ""
    while tokens:
        made += _group(tokens, source)
    return f'<span dir="ltr">{made}</span>'


def letter(source: str) -> str:
    """A formula of one letter or sign as that letter, for which no typesetter need come."""
    return _SYMBOLS.get(source.removeprefix("\\"), source)


def inline(text: str, typeset: Callable[[str], str] = formula) -> str:
    """A part of a sentence with bold, italics, struck words and hard line breaks, and formulas among them."""
    formulas = [typeset(source) for source in FORMULA.findall(text)]
    words = _TOGETHER.sub(lambda kept: kept[0].replace(" ", "\u00a0"), hypertext(FORMULA.sub("\x00", text)))
    words = _STRUCK.sub(r"<s>\1</s>", words)
    words = _EMPHASIS.sub(r"<em>\1</em>", _STRONG.sub(r"<strong>\1</strong>", _HARD_BREAK.sub("<br>", words)))
    first, *rest = _ESCAPED.sub(r"\1", words).split("\x00")
    return first + "".join(made + after for made, after in zip(formulas, rest, strict=True))


def _block(text: str, typeset: Callable[[str], str]) -> str:
    """A paragraph, or a list where every line begins with a hyphen."""
    lines = text.split("\n")
    if all(line.startswith("- ") for line in lines):
        return "<ul>" + "".join(f"<li>{inline(line[2:], typeset)}</li>" for line in lines) + "</ul>"
    return f"<p>{inline(text, typeset)}</p>"


def blocks(text: str, typeset: Callable[[str], str] = formula) -> str:
    """Paragraphs and lists; a single paragraph stays without its element."""
    parts = [part.strip() for part in _PARAGRAPHS.split(text)]
    whole = "".join(_block(part, typeset) for part in parts)
    return whole.removeprefix("<p>").removesuffix("</p>") if whole.count("<p>") == len(parts) == 1 else whole
