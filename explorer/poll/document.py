"""The phone's page as one answer: everything inside it, under a policy that lets nothing else run or load.

The scripts and the style are the same for every room, and named in the policy by their hashes; the card and the words
are data beside them, which no browser runs.
"""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache, lru_cache
from html import escape
from pathlib import Path
from typing import Any

from explorer.poll.denials import DenialError
from explorer.poll.rooms import Card
from explorer.poll.telling import heading, message, sentence, words
from explorer.text import Template
from explorer.text.catalogue import catalogue_of
from explorer.text.typefaces import page_style

_FOLDER = Path(__file__).parent / "phone"
_SCRIPTS = ("toss", "phone")  # what any page mounts that lets a phone answer; `page` is for the one of its own


@cache
def source(*more: str) -> str:
    """The phone's scripts as one module's text, which declares `mountPhone`; with `more` of the folder after them."""
    return "\n".join((_FOLDER / f"{name}.js").read_text("utf-8") for name in (*_SCRIPTS, *more))


@cache
def script() -> str:
    """The script of the phone's own page, in a scope of its own."""
    return f"{{\n{source('page')}}}\n"


@cache
def style() -> str:
    """The phone's style: all is about `.ldp-phone` but the colors and the page's ground; it may be in a shadow."""
    return (_FOLDER / "phone.css").read_text("utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def policy() -> str:
    """The policy of the page: it may run its own script, wear its own style, ask its own server; nothing else."""
    parts = {
        "default-src": "'none'",
        "script-src": _hash(script()),
        "style-src": _hash(style()),
        "connect-src": "'self'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {sources}" for name, sources in parts.items())


def _data(value: Any) -> str:
    """JSON that no parser of HTML takes for the end of its element."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


@cache
def _template() -> Template:
    return Template((_FOLDER / "page.html").read_text("utf-8"))


def _page(language: str, code: str, problem: str, card: dict[str, Any] | None) -> bytes:
    around = {name: heading(name, language, code) for name in ("title", "room")}
    around |= {"code": code, "language": language, "direction": catalogue_of(language).direction}
    # What stands in the room until the script does: for browsers that run none, or none so new.
    around |= {"first": problem or heading("needs", language), "role": "alert" if problem else "note"}
    inside = {"style": style() + page_style(language), "script": script()}
    inside["card"] = _data({"card": card, "words": words(language) if card else None, "language": language})
    return _template().substitute({name: escape(text) for name, text in around.items()} | inside).encode()


@lru_cache(maxsize=64)
def page(card: Card, language: str) -> bytes:
    """The page of a room."""
    return _page(language, card.code, "", message(card, language))


def refusal(problem: DenialError, language: str) -> bytes:
    """A page that says why there is no room."""
    return _page(language, "", sentence(problem, language), None)
