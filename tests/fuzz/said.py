"""What no sentence may say, whatever its facts: a grammar of slips, in the languages that the app is written in.

A rule is a pattern with a name; a sentence is looked at as a reader sees it, without markup and with plain blanks.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

_TAG = re.compile(r"<(?:script|style).*?</(?:script|style)>|<[^>]*>", re.DOTALL)
_BLOCK = re.compile(r"</(?:p|div|li|ul|ol|h\d|td|tr)>|<br */?>")
_FORMULA = re.compile(r"<math.*?</math>|\$\$.*?\$\$|\$[^$]*\$", re.DOTALL)
_BLANKS = re.compile("[\u202f\u00a0\u2009 \t]+")
_BEFORE = r"(?<![\d.,\u2212\-/×^\w] )(?<![\d.,\u2212\-/×^\w])"  # a number that begins here, and is no part of another


@dataclass(frozen=True)
class Slip:
    """A way of saying something wrong: its name, what it looks like, and the languages in which it is wrong."""

    name: str
    pattern: re.Pattern[str]
    languages: tuple[str, ...] = ("en", "de")


def _slip(name: str, pattern: str, *languages: str) -> Slip:
    """A slip from its pattern; in both languages where none is named."""
    return Slip(name, re.compile(pattern), languages or ("en", "de"))


_ONE = _BEFORE + r"1 "
SLIPS = (
    _slip("a slot that is not filled", r"@\{|%\{|\{[a-z_]+\}"),
    _slip("no number", r"\b(?:nan|NaN|inf|True|False)\b|(?<![.!?] )(?<!^)\bNone\b"),
    _slip("too many digits", r"\d{7,}|\.\d{7,}|,\d{7,}"),
    _slip("nothing to either side", r"± ?0(?![.,\d])"),
    _slip("an empty place", r"\u2013\.|: \.|\(\)|, ,|\*\*\s*\*\*| ,|\(\s"),
    _slip("no blank after a full stop", r"[a-zäöüß)%]\.(?=[A-ZÄÖÜ][a-zäöüß])"),
    _slip("a blank before a stop", r"(?<=[\w)]) [.;:!?](?= |$)"),
    _slip("a stop twice", r"(?<!\.)\.\.(?!\.)|,,|;;|: :"),
    _slip(
        "two bounds at once",
        r"at most (?:>|more than)|at least (?:<|less than)|about (?:less|more) than|höchstens (?:>|mehr als)|mindestens (?:<|weniger als)|etwa (?:weniger|mehr) als",
    ),
    _slip("two bounds that agree", r"less than 10[\u207b⁰¹²³⁴-⁹]+, at most|weniger als 10[\u207b⁰¹²³⁴-⁹]+, höchstens"),
    _slip("all of one", r"\b[Aa]ll 1\b|\b[Aa]lle 1\b|\ball one\b"),
    _slip("one of one", r"\b[Oo]ne of 1\b|\b[Ee]ine[rs]? von 1\b"),
    _slip("a level that never is", r"level (?:never|none)\b"),
    _slip("each of one", r"\bby 1 each\b"),
    _slip(
        "one in the plural",
        _ONE
        + r"(?:times|people|persons|users|answers|reports|questions|releases|rounds|steps|cells|bits|draws|groups|values|coins|tries|days|others|responses|cases|bars|dots|levels|tosses|surveys|columns|rows|tables|points|classes)\b",
        "en",
    ),
    _slip(
        "more than one in the singular",
        r"(?<![\d.,/×^] )(?<![\d.,/×^\w])(?:[2-9]|[1-9]\d+) (?:person|user|answer|report|question|release|round|step|cell|bit|draw|group|coin|try|day|toss|survey|row)\b(?! (?:size|by|of the|in))",
        "en",
    ),
    _slip(
        "one in the German plural",
        _ONE
        + r"(?:Personen|Menschen|Leute|Antworten|Meldungen|Fragen|Runden|Schritte|Zellen|Ziehungen|Gruppen|Werte|Werten|Münzen|Versuche|Versuchen|Tage|Tagen|Fälle|Fällen|Balken|Punkte|Punkten|Spalten|Zeilen|Tabellen|Umfragen)\b",
        "de",
    ),
    _slip(
        "more than one in the German singular",
        r"(?<![\d.,/×^] )(?<![\d.,/×^\w])(?:[2-9]|[1-9]\d+) (?:Person|Mensch|Antwort|Meldung|Frage|Runde|Zelle|Ziehung|Gruppe|Münze|Umfrage|Zeile|Tabelle)\b",
        "de",
    ),
    _slip(
        "a German case",
        r"\b[Mm]it Lokales\b|\birrt (?:\w+ )?(?:Hybrider|Lokaler|Stückweiser)\b|\bvon der Hybrider\b|\bder Lokales\b|bei Ihren einer\b|\bIhren eine[rn]?\b|\bIhre ein\b",
        "de",
    ),
    _slip(
        "a sentence that begins small",
        r"(?:^|(?<=[a-zäöüß)%]{2}[.!?] ))(?!e\^|x\b|n\b|k\b|h\b|d\b|p\b|q\b|f\b|ln\b)[a-zäöü][a-zäöüß]+ [a-zäöüß]",
    ),
    _slip(
        "a word twice",
        r"\b([a-zäöü]{2,}) \1\b(?<!die die)(?<!der der)(?<!das das)(?<!that that)(?<!had had)(?<!den den)",
    ),
)
_TAIL = re.compile(r"[.!?…:\u201c\u201d\")»]$")


def plainly(text: str) -> list[str]:
    """What a reader reads, paragraph by paragraph: no markup, no formula, one kind of blank."""
    broken = _BLOCK.sub("\n", _FORMULA.sub("x", text))
    return [
        said for part in html.unescape(_TAG.sub("", broken)).split("\n") if (said := _BLANKS.sub(" ", part).strip())
    ]


def slips(text: str, language: str) -> list[tuple[str, str]]:
    """The slips of a text: the name of each, and the words around it."""
    found = []
    for said in plainly(text):
        for slip in SLIPS:
            if language in slip.languages and (met := slip.pattern.search(said)):
                found.append((slip.name, said[max(0, met.start() - 50) : met.end() + 50]))
        if said[-1].isalnum() and len(said.split()) > 6:
            found.append(("a sentence without an end", said[-60:]))
    return found
