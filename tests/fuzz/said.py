"""What no sentence may say, whatever its facts: a grammar of slips, in the languages that the app is written in.

A rule is a pattern with a name; a sentence is looked at as a reader sees it, without markup and with plain blanks.
"""
# ruff: noqa: RUF001 - these are the signs of the languages

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from explorer.text import languages

_TAG = re.compile(r"<(?:script|style).*?</(?:script|style)>|<[^>]*>", re.DOTALL)
_BLOCK = re.compile(r"</?(?:p|div|li|ul|ol|h\d|td|tr)\b[^>]*>|<br */?>")
_FORMULA = re.compile(r"<math.*?</math>|\$\$.*?\$\$|\$[^$]*\$|<span dir=\"ltr\">.*?</span>|<code>.*?</code>", re.DOTALL)
_ISOLATES = re.compile("[\u2066-\u2069]")
OPENS, END, LETTER = "\u2066\u2067\u2068", "\u2069", "[A-Za-zα-ωΑ-Ω]"
_INNER = re.compile(f"[{OPENS}][^{OPENS}{END}]*{END}")
_BLANKS = re.compile("[\u202f\u00a0\u2009 \t]+")
_BEFORE = r"(?<![\d×^] )(?<![\d.,\u2212\-/×^\w])"  # a number that begins here, and is no part of another


EVERY = languages()
# What may be long: bits; the most that a share can be, with as many nines as keep it below all; four digits of little.
_MEANT = r"(?<=[Bb]its )[01]+|(?<=بیت‌های )[01]+|[9۹]{2}[.,٫][9۹]{5,}\d{1,2} ?[%٪]|[0۰][.,٫][0۰]{3}\d{1,4}(?!\d)"


@dataclass(frozen=True)
class Slip:
    """A way of saying something wrong: its name, what it looks like, and the languages in which it is wrong."""

    name: str
    pattern: re.Pattern[str]
    languages: tuple[str, ...]


def _slip(name: str, pattern: str, *languages: str) -> Slip:
    """A slip from its pattern; in every language where none is named."""
    return Slip(name, re.compile(pattern), languages or EVERY)


_RELATION = r"(?:[=<>≈≤≥≠]|\\(?:leq?|geq?|neq?|lt|gt|approx)\b)"
_NEXT = r"(?:\s|\\[,;:!])*"
SIGNS_SIDE_BY_SIDE = (  # "= > 99.9 %", "± ≤ 1", and a sign beside a number that there is not, "= –", "– +"
    rf"(?:{_RELATION}|±|\\pm\b){_NEXT}{_RELATION}|(?:{_RELATION}|[±+]){_NEXT}\u2013|\u2013{_NEXT}(?:{_RELATION}|[±+])"
)
NOTHING_TO_EITHER_SIDE = r"±\s?[0۰](?![.,٫]?\d)"
_NUMBER = r"\d+(?: \d{3})*(?:[.,]\d+)?(?: × 10[⁻⁰¹²³⁴-⁹]+)?"
_PERSIAN, _JOINED = "[\u0620-\u06cc]", "[\u0620-\u06cc\u200c]"
_MANY = r"(?<![\d.,٬٫/×^=] )(?<![\d.,٬٫/×^=\w])(?:[۲-۹]|[۱-۹][۰-۹٬]+)"
_ONE, _MORE = _BEFORE + r"1 ", r"(?<![\d.,/×^] )(?<![\d.,/×^\w])(?:[2-9]|[1-9]\d+) "


def _words(*words: str) -> str:
    """Any of some words, given in lines of them, as a whole word."""
    return rf"(?:{'|'.join(' '.join(words).split())})\b"


SLIPS = (
    _slip("a slot that is not filled", r"@\{|%\{|\{[a-z_]+\}"),
    _slip("no number", r"\b(?:nan|NaN|inf|True|False)\b|(?<![.!?] )(?<!^)\bNone\b"),
    _slip("too many digits", rf"(?!{_MEANT})(?<![\d.,٫])(?:\d{{7,}}|\d+[.,٫]\d{{7,}})"),
    _slip("nothing to either side", NOTHING_TO_EITHER_SIDE),
    _slip("two signs side by side", SIGNS_SIDE_BY_SIDE),
    _slip("a sign apart from its number", r"(?:(?<![\d)%\u2069]) |^)±\s\**[\d۰-۹]"),  # where none stands before it
    _slip("an empty place", r"\u2013\.|: \.|\(\)|[,،] [,،]|\*\*\s*\*\*| [,،]|\(\s|«»|،\."),
    _slip("no blank after a full stop", r"[a-zäöüß\d)%]\.(?=[A-ZÄÖÜ][a-zäöüß])"),
    _slip("no blank after a Persian stop", rf"{_PERSIAN}\u200c?[.،؛؟:](?={_PERSIAN})", "fa"),
    _slip("a blank before a stop", r"(?<=[\w)]) [.;:!?](?= |$)", "en", "de"),
    _slip("a blank before a Persian stop", rf"(?<={_PERSIAN}) [.؛:؟!](?= |$)", "fa"),
    _slip("a stop of another script", rf"{_PERSIAN}\u200c?[,;?]", "fa"),
    _slip("a stop twice", r"(?<!\.)\.\.(?!\.)|,,|;;|: :|،،|؛؛|؟؟"),
    _slip(
        "two bounds at once",
        r"at most (?:>|more than)|at least (?:<|less than)|(?<!rule )about (?:less|more) than",
        "en",
    ),
    _slip(
        "two bounds in German", r"höchstens (?:>|mehr als)|mindestens (?:<|weniger als)|etwa (?:weniger|mehr) als", "de"
    ),
    _slip(
        "two bounds in Persian",
        r"(?:حداکثر|حداقل|دست‌کم|حدود|تقریباً) (?:>|<|بیش از|بیشتر از|کمتر از)",
        "fa",
    ),
    _slip(
        "a range of one number to itself",
        rf"\b(?:from|von) ({_NUMBER}(?: %)?) (?:to|bis) \1(?![\d%]|[.,]\d| \d{{3}}| %)",
    ),
    _slip("a range of one number", r"(?<![\d−٬٫])([\d٬٫]+)٪? تا \1(?![\d٬٫])", "fa"),
    _slip("a number of many in the plural", rf"(?<! و ){_MANY} {_PERSIAN}+\u200cها(?:ی|یی)?\b", "fa"),
    _slip("a letter or digit of Arabic", "[يكىة٠-٩]", "fa"),
    _slip("a joiner at the end of a word", r"\u200c(?![\u0620-\u06cc\u2066-\u2069A-Za-z])|(?<![\w»)])\u200c", "fa"),
    _slip("two bounds that agree", r"(?:less than|weniger als) 10[⁻⁰¹²³⁴-⁹]+, (?:at most|höchstens)"),
    _slip(
        "a bound finer than what it bounds",
        r"10⁻(?:[⁵-⁹]|[¹²³][⁰¹²³⁴-⁹])\** %[^|]*(?:less than|weniger als) 10⁻⁶",
    ),
    _slip("all of one", r"\b(?:[Aa]ll|[Aa]lle) 1\b(?! \d{3})|\ball one\b|همه‌ی ۱(?![\d٬٫])|\bهر ۱(?![\d٬٫])"),
    _slip(
        "one of one",
        r"\b(?:[Oo]ne|(?<!\d )(?<![\d.,])1) of 1\b|\b(?:[Ee]ine[rs]?|(?<!\d )(?<![\d.,])1) von 1\b"
        r"|(?:یکی|(?<!\S)۱) از ۱(?![\d٬٫])",
    ),
    _slip("a level that never is", r"level (?:never|none)\b", "en"),
    _slip(
        "endless people",
        rf"∞ {_words('people person reports answers releases Personen Leute Menschen Meldungen')}|∞ نفر",
    ),
    _slip(
        "a level beyond all numbers",
        r"(?:needs?|takes?|costs?|with|would need|one with|bräuchte|eine mit|braucht) (?:[εα] = )?∞",
    ),
    _slip("no one who takes something", r"\b(?:takes|needs) 0 people\b|braucht 0 Personen\b|به ۰ نفر نیاز"),
    _slip("once as likely at most", r"(?:more than|mehr als|at most|höchstens) (?:e\^[αε] = )?1(?: times\b|-mal\b)"),
    _slip(
        "two numbers written alike",
        rf"(?<![\d.,] )(?<![\d.,])({_NUMBER})(?: (?:instead of|statt)|: the larger, not the sum|, and) \1"
        r"(?![\d%]|[.,]\d| \d{3}| %)(?! (?!for those))",
    ),
    _slip("each of one", r"\bby 1 each\b(?! time)", "en"),
    _slip(
        "one in the plural",
        _ONE
        + _words(
            "times people persons users answers reports questions releases rounds steps cells bits draws groups values",
            "coins tries days others responses cases bars dots levels tosses surveys columns rows tables points",
        ),
        "en",
    ),
    _slip(
        "more than one in the singular",
        _MORE
        + _words(
            "person user answer report question release round step cell bit draw group coin try day toss survey row"
        )
        + r"(?! (?:size|by|of the|in))",
        "en",
    ),
    _slip(
        "one in the German plural",
        _ONE
        + _words(
            "Personen Menschen Leute Antworten Meldungen Fragen Runden Schritte Zellen Ziehungen Gruppen Werten?",
            "Münzen Versuchen? Tagen? Fällen? Balken Punkten? Spalten Zeilen Tabellen Umfragen",
        ),
        "de",
    ),
    _slip(
        "more than one in the German singular",
        _MORE + _words("Person Mensch Antwort Meldung Frage Runde Zelle Ziehung Gruppe Münze Umfrage Zeile Tabelle"),
        "de",
    ),
    _slip(
        "a German case",
        r"\b[Mm]it Lokales\b|\birrt (?:Hybrider|Lokaler|Stückweiser)\b|\bder (?:Hybrider|Lokales)\b"
        r"|bei Ihren einer\b|\bIhren eine[rn]?\b|\bIhre ein\b",
        "de",
    ),
    _slip(
        "a sentence that begins small",
        r"(?:^|(?<=[a-zäöüß)%]{2}[.!?] ))(?!x\b|n\b|k\b|h\b|d\b|p\b|q\b|f\b|ln\b)[a-zäöü][a-zäöüß]+ [a-zäöüß]",
    ),
    _slip("a word twice", r"\b([a-zäöü]{2,}) \1\b(?<!die die)(?<!der der)(?<!das das)(?<!that that)(?<!den den)"),
    _slip(
        "a Persian word twice",
        rf"(?<!{_JOINED})(?!کم کم|تک تک|دوتا دوتا|میلیارد میلیارد)({_JOINED}{{2,}}) \1(?!{_JOINED})",
        "fa",
    ),
)


@cache
def paragraphs(text: str) -> tuple[str, ...]:
    """The paragraphs of a text as they are written: no markup, and one letter for each formula of its own direction."""
    bare = _TAG.sub("", _BLOCK.sub("\n", _FORMULA.sub("\u2066x\u2069", text)))
    return tuple(said for part in html.unescape(bare).split("\n") if (said := part.strip()))


def plainly(text: str) -> list[str]:
    """The paragraphs of a text as they are read: no markup, no formula, one kind of blank, no invisible signs."""
    return [said for part in paragraphs(text) if (said := _BLANKS.sub(" ", _ISOLATES.sub("", part)).strip())]


def unpaired(text: str) -> bool:
    """Whether an isolate is opened and not closed, or closed and not opened."""
    depth = 0
    for letter in text:
        depth += (letter in OPENS) - (letter == END)
        if depth < 0:
            return True
    return depth != 0


def latin_digits(text: str) -> list[str]:
    """The digits of English that stand in a sentence, and neither in a name nor in a formula with letters."""
    while met := _INNER.search(text):
        own = met[0].startswith("\u2068") or re.search(LETTER, met[0]) or not re.search("[0-9]", met[0])
        text = text[: met.start()] + ("x" if own else met[0][1:-1]) + text[met.end() :]
    return re.findall(rf"(?<!{LETTER[:-1]}0-9])[0-9]+", text)


def words_within(text: str) -> list[str]:
    """The formulas that hold a word of the sentence, where no name does: a slot that was filled with words."""
    found = []
    while met := _INNER.search(text):
        formula = met[0][0] == "\u2066" and any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in met[0])
        found += [met[0]] if formula else []
        text = text[: met.start()] + "x" + text[met.end() :]
    return found


def slips(text: str, language: str) -> list[tuple[str, str]]:
    """The slips of a text: the name of each, and the words around it."""
    found: list[tuple[str, str]] = []
    rules = [slip for slip in SLIPS if language in slip.languages]
    if language == "fa":
        for part in paragraphs(text):
            found += [("isolates that do not pair up", part[-60:])] * unpaired(part)
            found += [("a digit of English", each) for each in latin_digits(part)]
            found += [("words in a formula", each) for each in words_within(part)]
    for said in plainly(text):
        met = ((slip.name, slip.pattern.search(said)) for slip in rules)
        found += [(name, said[max(0, it.start() - 50) : it.end() + 50]) for name, it in met if it]
        if said[-1].isalnum() and len(said.split()) > 6:
            found.append(("a sentence without an end", said[-60:]))
    return found
