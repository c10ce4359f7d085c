"""A Persian sentence reads from right to left, and each formula and signed number in it from left to right.

What stands where is computed by the rules of Unicode as fpdf2 carries them out, which knows nothing of our isolates.
"""
# ruff: noqa: RUF001 - these are the digits and marks that people read

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from fpdf.bidi import BidiParagraph
from fpdf.enums import TextDirection

from explorer.text.bidirectional import isolated, settled
from tests.cases import for_each
from tests.fuzz.said import END, LETTER, OPENS, latin_digits, paragraphs, unpaired, words_within
from tests.rationing import ALL, shared
from tests.scenes import ENDS, Scenes, settings, texts

_DIGITS = "۰-۹0-9"
_NUMBER = rf"[{_DIGITS}]+(?:[٬٫.,][{_DIGITS}]+)*"
_THIN = "[ \u00a0\u202f]?"
ORDERED = (  # what is read from left to right wherever it stands
    re.compile(rf"[−±√]{_THIN}(?:{_NUMBER}|{LETTER}|∞)"),  # a sign or a root, and its number
    re.compile(rf"(?<!{LETTER})[<>≤≥≈~]{_THIN}−?(?:{_NUMBER})"),
    re.compile(rf"(?:{_NUMBER}|{LETTER})/(?:{_NUMBER}|{LETTER})"),  # a fraction
    re.compile(rf"{_NUMBER}{_THIN}×{_THIN}[۱1][۰0][⁰¹²³⁴-⁹⁻]+"),  # a power of ten
    re.compile(rf"{LETTER}[₀-₉⁰¹²³⁴-⁹]*(?:\([^()\s]*\))?{_THIN}[=≤≥<>≈]{_THIN}−?(?:{_NUMBER}|{LETTER})"),  # an equation
    re.compile(rf"{_NUMBER}{_THIN}[−+=<>≤≥≈]{_THIN}{LETTER}"),  # and one that begins with a number
    re.compile(rf"\((?:{_NUMBER}|{LETTER})(?:{_THIN}[+−,]{_THIN}(?:{_NUMBER}|{LETTER}))+\)"),  # a sum, a pair
)


def places(text: str, base: TextDirection) -> dict[int, int]:
    """Where each letter stands on the line, counted from its left end; those of no width stand nowhere."""
    line = BidiParagraph(text=text, base_direction=base).get_reordered_characters()
    return {each.character_index: place for place, each in enumerate(line)}


def turned_around(text: str, base: TextDirection = TextDirection.RTL) -> Iterator[str]:
    """The formulas and numbers of a paragraph whose parts do not stand one after the other from left to right."""
    stands = places(text, base)
    for pattern in ORDERED:
        for met in pattern.finditer(text):
            order = [stands[at] for at in range(*met.span()) if at in stands and text[at] not in OPENS + END]
            if order != sorted(order):
                yield met[0]


def faults(text: str, base: TextDirection = TextDirection.RTL) -> list[str]:
    """The faults of a text that is read from right to left."""
    found = []
    for said in paragraphs(text):
        found += [f"turned around: {each}" for each in turned_around(said, base)]
        found += [f"in English digits: {each}" for each in latin_digits(said)]
        found += [f"words in a formula: {each}" for each in words_within(said)]
        found += ["isolates that do not pair up"] if unpaired(said) else []
    return found


@pytest.mark.parametrize(
    "text",
    [
        "نتیجه −۳٫۵ است.",
        "نتیجه حدود ±۲ است.",
        "یعنی √۲ برابر.",
        "احتمال ۱/√۲ است.",
        "خطا ۴٫۳ × ۱۰⁹ است.",
        "یعنی ۱ − α است.",
        "سطح (g − ۱) است.",
        "اطمینان > ۹۹٫۹٪ است.",
        "نسبت ۲ ≤ x است.",
        "\u2066میانگین درآمد ± ۰٫۰۱\u2069 است.",
        "\u2066−۳ نتیجه است.",
        "نتیجه\u2069 است \u2066−۳.",
        "نتیجه 3 است.",
        "نتیجه \u2066−3.5\u2069 است.",
        "<p>نتیجه <b>12</b> است.</p>",
    ],
)
def test_a_fault_is_noticed(text: str) -> None:
    assert faults(text)


@pytest.mark.parametrize(
    "text",
    [
        "نتیجه \u2066−۳٫۵\u2069 است.",
        "در \u2066α = −۱\u2069 و \u2066√(۲/۳)\u2069 و \u2066۴٫۳ × ۱۰⁹\u2069.",
        "نام \u2068GRR 2\u2069 و \u20683\u2069، و گزارش S209 و \u20662x² − 1\u2069.",
        '<p>یعنی <span dir="ltr">1 - <i>e</i><sup>-2</sup></span> و $x_1 = -2$ و <code>x = 1</code>.</p>',
        "۱۲ نفر از ۶۰٬۰۰۰ نفر، ۵۰٪.",
    ],
)
def test_what_is_in_order_passes(text: str) -> None:
    assert not faults(text)


FORMULAS = ["−۳", "±۲", "√۲", "√(۲/۳)", "۱/n", "۴ × ۱۰⁹", "α = −۱", "(ε, δ)", "> ۹۹٫۹٪", "x ≤ ۲", "۱ − α"]
AROUND = [
    "پس {} است.",
    "پس **{}** است.",
    "{}: این است.",
    "(آن {} است)",
    "این (یعنی {}) است.",
    "با ({}، آن) است.",
    "مقدار φ ({} تا ۱).",
]


@for_each("formula", FORMULAS)
@for_each("around", AROUND)
def test_a_formula_between_persian_words_is_isolated(formula: str, around: str) -> None:
    bare = around.format(formula).replace("**", "")
    made = isolated(around.format(formula)).replace("**", "")
    assert not faults(made) and re.sub(f"[{OPENS}{END}]", "", made) == bare
    assert isolated(made) == made


@pytest.mark.parametrize(
    ("filled", "told"),
    [
        ("با \u2066± ۵ واحد درصد\u2069.", "با \u2066± ۵\u2069 واحد درصد."),
        ("با \u2066±\u2066۴ × ۱۰⁹\u2069 نفر\u2069.", "با \u2066±\u2066۴ × ۱۰⁹\u2069\u2069 نفر."),
        ("نویز \u2066(مکانیزم لاپلاس)\u2069", "نویز (مکانیزم لاپلاس)"),
        ("\u2066\u2068سن\u2069 با گام ۲۰ + \u2068قد\u2069\u2069", "\u2068سن\u2069 با گام ۲۰ + \u2068قد\u2069"),
        ("\u2066α = \u2068سن\u2069\u2069", "\u2066α = \u2068سن\u2069\u2069"),  # a name is no word of the sentence
        ("\u2066α = ۱\u2069 و \u2069", "\u2066α = ۱\u2069 و \u2069"),
    ],
)
def test_a_formula_that_was_filled_with_words_lets_them_go(filled: str, told: str) -> None:
    assert settled(filled) == told
    assert unpaired(filled) or not faults(told)


def test_formulas_stand_in_order_in_every_view_in_persian() -> None:
    every = [each for each in settings() if each.place == 0 or ALL]
    met: list[tuple[str, str, float, str]] = []
    read = 0
    for place, setting in enumerate(every):
        tested = Scenes(setting)
        for level in ENDS if ALL else shared(ENDS, 3, place):
            for truth in (True, False) if ALL else shared((True, False), 2, place):
                made = tested.scene(level, truth, "fa")
                for name, text in {"answer": made.answer, "note": made.note, "alt": made.alt}.items():
                    read += 1
                    met += [(setting.name, name, level, fault) for fault in faults(text)]
                for name, text in texts(made).items():  # a figure is drawn from left to right
                    if name.endswith(("title", "name")):
                        kept = [f"turned around: {each}" for each in turned_around(text, TextDirection.LTR)]
                        met += [(setting.name, name, level, fault) for fault in kept + unpaired(text) * ["unpaired"]]
    assert not met, met
    assert read >= 3 * len(every) > 150
