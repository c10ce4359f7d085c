"""No text of any view says what must not be said, wherever its settings and its level stand, in any language."""

# ruff: noqa: RUF001 - these are the signs of the languages

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from explorer.declarations import View
from explorer.figures.theme import Look
from explorer.scenes import Scene, scene
from explorer.text import languages
from ldpcore.questions import seconds
from tests.cases import for_each
from tests.fuzz.drawn import drawn
from tests.fuzz.said import slips
from tests.fuzz.test_fuzz import PART, STAGED, WHOLE, questions
from tests.scenes import STOPS, answered

LIGHT = 1.0  # processor seconds of a question
SETTINGS = max(int(600 * PART), 1) if WHOLE else 1  # of each page: whole, a million texts are filled


def texts(made: Scene) -> dict[str, str]:
    """What a scene says: its answer, its note, and what is read aloud in place of its picture."""
    return {"answer": made.answer, "note": made.note, "alt": made.alt}


def undrawn(view: View) -> View:
    """A view that says what it says and draws nothing."""
    return replace(view, draw=lambda *_: "", table=None)


def light(slug: str, seed: int) -> tuple[dict[str, str], Any]:
    """The first of some settings with this number that does not ask for long work, and what the page asks under it."""
    for again in range(6):
        link, seen = drawn(slug, seed + 1_000_000 * again)
        if seen.run is not None and max(map(seconds, questions(seen.run)), default=0.0) <= LIGHT:
            return link, seen.run
    return {}, None


def levels(usual: float, seed: int) -> set[float]:
    """Where a setting is looked at: as it stands and at one end, by turns; at night wherever the handle can rest."""
    return {usual, *STOPS} if WHOLE else {usual, STOPS[-(seed % 2)]}


@pytest.mark.parametrize("slug", STAGED)
def test_no_text_says_what_must_not_be_said(slug: str) -> None:
    became, met = Counter[str](), []
    for seed in range(SETTINGS):
        link, run = light(slug, seed)
        if run is None:
            became["long work"] += 1
            continue
        for level in levels(run.level, seed + STAGED.index(slug)):
            for language in languages():
                made = scene(run.page, undrawn(run.view), run.asked, level, Look(), language, answered, run.own)
                for name, text in texts(made).items():
                    became["text"] += 1
                    met += [
                        (slip, words, run.view.slug, name, language, level, link)
                        for slip, words in slips(text, language)
                    ]
    assert not met, met[:5]
    assert became["text"] > SETTINGS, became
    if WHOLE:
        print(slug, dict(became))


@for_each(
    ("text", "language"),
    [
        ("It is 1 times as much.", "en"),
        ("It is right in at most > 99.9 % of all cases.", "en"),
        ("With confidence all 1 means are within it.", "en"),
        ("A curator needs level never; shuffling needs 16.6.", "en"),
        ("For 10 counts that one person moves by 1 each, noise errs.", "en"),
        ("±0.5 % for all takes ∞ people.", "en"),
        ("Das braucht bei Ihrem α ∞ Personen.", "de"),
        ("This takes 90 releases, where a single one would need ε = ∞.", "en"),
        ("At your α, Local Gaussian noise takes 0 people, and One bit takes the fewest.", "en"),
        ("No report is more than e^α = 1 times as likely.", "en"),
        ("The typical error is 0.675, and 0.675 for those who do not listen.", "en"),
        ("Both keep the level 2: the larger, not the sum 2.", "en"),
        ("Dann sind es 10 statt 10.", "de"),
        ("It never leaves the band (from 50 % to 50 %).", "en"),
        ("Sie reicht von 1,5 bis 1,5.", "de"),
        ("less than 10⁻⁶, at most 6 × 10⁻¹² %", "en"),
        ("With probability at most 5.99 × 10⁻¹² % it is off. In this crowd it is less than 10⁻⁶.", "en"),
        ("No number brings that back.Move α: the noise is the same.", "en"),
        ("The share is nan of all.", "en"),
        ("A reach of ±0 is promised.", "en"),
        ("Of 20 people to ± **0.3**.", "en"),
        ("The most is tanh(α/2) = > 99.9 % of it.", "en"),
        ("Bias² – + variance 3 is too much.", "en"),
        ("بیشترین مقدار = \u2066> ۹۹٫۹٪\u2069 است.", "fa"),
        ("A level of α = 0.09877970249406895 is kept.", "en"),
        ("The crossings are –.", "en"),
        ("It stops after 1 steps.", "en"),
        ("Hier irrt Hybrider Mechanismus am wenigsten.", "de"),
        ("Mit Lokales Laplace-Rauschen geht es.", "de"),
        ("Bei Ihren einer Person liegen sie daneben.", "de"),
        ("Das liegt um etwa weniger als 10⁻⁹ daneben.", "de"),
        ("Alle 1 Zelle steht über dem Wasser.", "de"),
        ("Nobody's number is. evenly spread: some people.", "en"),
        ("بازه از ۵٪ تا ۵٪ است.", "fa"),
        ("همه‌ی ۱ خانه بالای آب است.", "fa"),
        ("این یکی از ۱ پاسخ است.", "fa"),
        ("At α = 0.01, 1 of 1 said yes.", "en"),
        ("Bei α = 0,01 sagten 1 von 1 Ja.", "de"),
        ("در اینجا ۱ از ۱ پاسخ «بله» بود.", "fa"),
        ("با ۱۲ گزارش‌ها چنین است.", "fa"),
        ("این مرز از از آن دور است.", "fa"),
        ("نتیجه 12 است.", "fa"),
        ("نتیجه \u206612\u2069 است.", "fa"),
        ("این يك جمله است.", "fa"),
        ("این كم است، ٣ نفر.", "fa"),
        ("حداکثر بیش از ۵ نفر.", "fa"),
        ("با خطای \u2066± ۵ واحد درصد\u2069.", "fa"),
        ("با خطای \u2066± ۵ است.", "fa"),
        ("با خطای ± ۵\u2069 است.", "fa"),
        ("این است.آن نیست.", "fa"),
        ("این است ؛ آن نیست.", "fa"),
        ("این است, آن نیست.", "fa"),
        ("این است،، آن نیست.", "fa"),
        ("این می‌ شود.", "fa"),
        ("سطح ۰٫۰۹۸۷۷۹۷۰۲۴۹ است.", "fa"),
        ("با دسترسی ± ۰ است.", "fa"),
        ("سطح nan است.", "fa"),
    ],
)
def test_a_slip_is_seen(text: str, language: str) -> None:
    assert slips(f"<p>{text}</p>", language)


@pytest.mark.parametrize(
    "text",
    [
        "همه‌ی ۱٬۴۵۱ نفر شمرده می‌شوند، از \u2066−۱\u2069 تا ۱، و \u2066α = ۰٫۱\u2069 برای \u2068column 3\u2069.",
        "در مرحله‌ی ۲، گزارش‌ها کم کم می‌آیند. یکی از ۱۲ نفر ۹۹٫۹۹۹۹۹۹۹٪ پنهان است.",
        "From 50 % to 50.1 % and from 2 to 2\u202f584 it keeps 10 instead of 10.5, and not 1 instead of 12.",
        "In all 1\u202f451\u202f353 people are counted, and 1\u202f000 people more.",
        "None of them is wrong. About 0.1 times as much, 21 times at most.",
        "The noise of the same level would be off by 1 each time.",
        "A report is <b>1.01 times</b> as likely.<div>The bounds change 1 of 20 values.</div>",
    ],
)
def test_what_is_right_passes(text: str) -> None:
    assert not slips(text, "fa" if "ی" in text else "en")
