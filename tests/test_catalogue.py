"""One catalogue writes: the numbers, plurals and lists of each language, and data escaped where they land."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer import facts
from explorer import text as texts
from explorer.facts import (
    Count,
    Duration,
    Exact,
    Facts,
    Hidden,
    Level,
    Name,
    Names,
    Noticeable,
    Number,
    Odds,
    PercentagePoints,
    Quantity,
    QuantityRange,
    Scientific,
    Share,
    Term,
    Times,
    Truth,
)
from explorer.text import PageTexts, Texts, languages, listing, negotiate, page_text, pseudo, templates
from explorer.text.catalogue import Catalogue, MissingFactError, catalogue_of
from explorer.text.conventions import conventions_of
from tests import written as numbers

N = "\u202f"
ENGLISH = catalogue_of("en")
STRANGE = catalogue_of("qps")
FOLDER = Path(texts.__file__).parent
PAGES = sorted(path.stem for path in (FOLDER / "en").glob("*.md"))
TABLES = sorted(path.stem for path in (FOLDER / "en").glob("*.toml"))

QUANTITIES = {
    "interval": "@{low} bis @{high}",
    "unnoticeable": "weniger als @{least}",
    "points": "@{n; one: # Prozentpunkt; other: # Prozentpunkte}",
    "more": "@{n} weitere",
    "seconds": "@{n; one: # Sekunde; other: # Sekunden}",
    "minutes": "@{n; one: # Minute; other: # Minuten}",
    "hours": "@{n; one: # Stunde; other: # Stunden}",
    "days": "@{n; one: # Tag; other: # Tage}",
}


def catalogue(
    language: str, page: Mapping[str, Any] | None = None, labels: Mapping[str, Any] | None = None
) -> Catalogue:
    """A catalogue of texts that are written here, in the conventions of a language."""
    words = QUANTITIES if language == "de" else listing("labels")["quantities"]
    short = {"app": {"hidden_number": "?"}, "quantities": words} | dict(labels or {})
    whole = {"labels": {}} | dict(page or {})
    held, made = PageTexts(whole, lambda: Texts(whole["labels"])), Texts(short)
    return Catalogue(language, conventions_of(language), lambda name: held, lambda name: made)


def said(template: str, language: str = "en", sink: str = "text", **named: Quantity) -> str:
    """One template, filled in the conventions of a language."""
    made: str = getattr(catalogue(language, {"answer": template}), sink)("page", "answer", named)
    return made


GERMAN = catalogue("de")
finite = st.floats(allow_nan=False, allow_infinity=False, width=64)
shares = st.floats(0, 1)


# Numbers


@given(finite | st.integers(-(10**15), 10**15), st.integers(1, 6))
def test_english_numbers_are_written_as_ever(value: float, digits: int) -> None:
    assert ENGLISH.write(Count(value)) == numbers.people(value)
    assert ENGLISH.write(Number(value, digits)) == numbers.people(value, digits)
    assert ENGLISH.write(Exact(value)) == ENGLISH.write(Level(value)) == numbers.exact(value)
    assert ENGLISH.write(Scientific(value, digits)) == numbers.scientific(value, digits)
    assert ENGLISH.write(Noticeable(value)) == numbers.noticeable(value)


@given(shares, st.integers(1, 4), st.floats(1e-9, 1))
def test_english_shares_are_written_as_ever(share: float, digits: int, spread: float) -> None:
    assert ENGLISH.write(Share(share, digits)) == numbers.percent(share, digits)
    assert ENGLISH.write(Share(share, spread=spread)) == numbers.percent_within(share, spread)


@given(st.just(0.0) | st.floats(0.005, 800))
def test_english_odds_are_written_as_ever(level: float) -> None:
    assert ENGLISH.write(Odds(level)) == numbers.odds(level)
    assert ENGLISH.write(Times(level)) == numbers.times(level)


@given(st.floats(1e-6, 0.005))
def test_no_level_allows_once_as_much_or_even_odds(level: float) -> None:
    """No report is more than once as likely at level 0 alone; a millionth is told from it."""
    assert ENGLISH.write(Times(level)) == ENGLISH.write(Odds(level)).removesuffix("\u202f:\u202f1") != "1"
    assert float(ENGLISH.write(Times(level))) - 1 == pytest.approx(level, rel=0.51)


WRITTEN: list[tuple[Quantity, str, str, str]] = [
    (Count(2584), f"2{N}584", f"2{N}584", "۲٬۵۸۴"),
    (Count(-3), "−3", "−3", "−۳"),
    (Number(-1.5), "−1.5", "−1,5", "−۱٫۵"),
    (Number(1.1368), "1.14", "1,14", "۱٫۱۴"),
    (Exact(1_000_000), f"1{N}000{N}000", f"1{N}000{N}000", "۱٬۰۰۰٬۰۰۰"),
    (Level(0.015), "0.015", "0,015", "۰٫۰۱۵"),
    (Level(1e-6), f"1{N}×{N}10⁻⁶", f"1{N}×{N}10⁻⁶", f"۱{N}×{N}۱۰⁻⁶"),
    (Share(0.011), f"1.1{N}%", f"1,1{N}%", "۱٫۱٪"),
    (Share(0.99995), f"> 99.9{N}%", f"> 99,9{N}%", "> ۹۹٫۹٪"),
    (Share(1), f"100{N}%", f"100{N}%", "۱۰۰٪"),
    (Share(0.29967, spread=0.001), f"29.97{N}%", f"29,97{N}%", "۲۹٫۹۷٪"),
    (Scientific(4.3e9), f"4.3{N}×{N}10⁹", f"4,3{N}×{N}10⁹", f"۴٫۳{N}×{N}۱۰⁹"),
    (Odds(0.1), f"1.11{N}:{N}1", f"1,11{N}:{N}1", f"۱٫۱۱{N}:{N}۱"),
    (Times(0.1), "1.11", "1,11", "۱٫۱۱"),
    (Times(1000), "∞", "∞", "∞"),
    (Number(float("nan")), "–", "–", "–"),
    (Share(float("nan"), spread=0.1), "–", "–", "–"),
]


@pytest.mark.parametrize(("quantity", "english", "german", "persian"), WRITTEN, ids=lambda each: str(each))
def test_each_language_has_its_own_digits_and_signs(
    quantity: Quantity, english: str, german: str, persian: str
) -> None:
    assert ENGLISH.write(quantity) == english
    assert GERMAN.write(quantity) == german
    assert re.sub("[\u2066\u2069]", "", STRANGE.write(quantity)) == persian


def test_a_number_with_a_sign_keeps_its_order_in_a_sentence_from_right_to_left() -> None:
    assert STRANGE.write(Number(-1.5)) == "\u2066−۱٫۵\u2069"
    assert STRANGE.write(Share(0.11)) == "\u2066۱۱٪\u2069"
    assert STRANGE.write(Count(2584)) == "۲٬۵۸۴"  # nothing that could change places
    assert STRANGE.write(Name("income")) == "\u2068income\u2069"


@given(finite)
def test_no_language_can_be_mistaken_for_another(value: float) -> None:
    german, english = GERMAN.write(Number(value)), ENGLISH.write(Number(value))
    assert german == english.replace(".", ",")
    assert "," not in english
    assert "." not in german


def test_numbers_in_a_formula_are_latex_with_the_decimal_sign_of_the_language() -> None:
    template = "So $x = @{x}$ and $$y = @{n}$$ but @{x}."
    named: dict[str, Quantity] = {"x": Number(1.14), "n": Count(2584)}
    assert said(template, "en", "markdown", **named) == r"So $x = 1.14$ and $$y = 2\,584$$ but 1.14."
    assert said(template, "de", "markdown", **named) == r"So $x = 1{,}14$ and $$y = 2\,584$$ but 1,14."
    assert said(template, "qps", "markdown", **named) == r"So $x = 1.14$ and $$y = 2\,584$$ but ۱٫۱۴."
    assert said("$@{p}$", sink="markdown", p=Share(0.011)) == r"$1.1\,\%$"
    assert said("$@{p}$", sink="markdown", p=Scientific(4.3e9)) == r"$4.3\,\times \,10^{9}$"


def test_plotly_writes_numbers_as_the_language_does() -> None:
    assert ENGLISH.separators == "." + N
    assert GERMAN.separators == "," + N
    assert STRANGE.separators == "٫٬"


# Quantities that need words


def test_quantities_with_words() -> None:
    assert ENGLISH.write(Noticeable(1e-9)) == "less than 10⁻⁶"
    assert ENGLISH.write(Noticeable(-1e-5, least=1e-3)) == "less than 10⁻³"
    assert ENGLISH.write(Noticeable(0)) == "0"
    assert GERMAN.write(Noticeable(1e-9)) == "weniger als 10⁻⁶"
    assert ENGLISH.write(PercentagePoints(0.011)) == "1.1 percentage points"
    assert ENGLISH.write(PercentagePoints(0.01)) == "1 percentage point"
    assert GERMAN.write(PercentagePoints(0.015)) == "1,5 Prozentpunkte"
    assert ENGLISH.write(Duration(0.3)) == "0.3 seconds"
    assert ENGLISH.write(Duration(1)) == "1 second"
    assert ENGLISH.write(Duration(120)) == "2 minutes"
    assert GERMAN.write(Duration(5400)) == "1,5 Stunden"
    assert ENGLISH.write(Duration(86400)) == "1 day"
    assert ENGLISH.write(Duration(0)) == "0 seconds"
    assert ENGLISH.write(Hidden()) == "?"


def test_an_interval_says_its_end_once_where_both_are_written_alike() -> None:
    assert ENGLISH.write(QuantityRange(Count(6), Count(20))) == "6 to 20"
    assert ENGLISH.write(QuantityRange(Number(9.999), Number(10.001))) == "10"
    assert ENGLISH.write(QuantityRange(Share(0.061), Share(0.2))) == f"6.1{N}% to 20{N}%"
    assert GERMAN.write(QuantityRange(Share(0.061), Share(0.2))) == f"6,1{N}% bis 20{N}%"


def test_names_are_listed_in_the_way_of_the_language() -> None:
    assert ENGLISH.write(Names(())) == ""
    assert ENGLISH.write(Names(("a",))) == "a"
    assert ENGLISH.write(Names(("a", "b"))) == "a and b"
    assert ENGLISH.write(Names(("a", "b", "c"))) == "a, b and c"
    assert ENGLISH.write(Names(tuple("abcdefgh"))) == "a, b, c, d, e and 3 more"
    assert ENGLISH.write(Names(tuple("abc"), most=1)) == "a and 2 more"
    assert GERMAN.write(Names(("a", "b", "c"))) == "a, b und c"
    assert re.sub("[\u2066-\u2069\u200f]", "", STRANGE.write(Names(("a", "b", "c")))) == "a، b، و c"


def test_a_term_is_a_word_of_the_page_or_of_all_pages() -> None:
    page = {"answer": "@{m}, @{m; oue: an oracle; other: something else}", "labels": {"fruits": {"apple": "Apple"}}}
    made = catalogue("en", page, {"mechanisms": {"oue": {"title": "Unary *encoding*"}}, "neighbors": {"oue": "one"}})
    assert made.text("page", "answer", {"m": Term("neighbors.oue")}) == "one, an oracle"
    assert made.text("page", "answer", {"m": Term("fruits.apple")}) == "Apple, something else"
    assert made.write(Term("mechanisms.oue.title")) == "Unary *encoding*"
    assert made.markdown("page", "answer", {"m": Term("mechanisms.oue.title")}).startswith(r"Unary \*encoding\*, ")
    with pytest.raises(KeyError, match=r"en: no label 'fruits\.pear'; .* or among the labels of page\.md"):
        made.text("page", "answer", {"m": Term("fruits.pear")})


# Plurals

PEOPLE = "@{n; one: # person; other: # people}"
PERSONEN = "@{n; one: # Person; other: # Personen}"
ARABIC = "@{n; zero: zero #; one: one #; two: two #; few: few #; many: many #; other: other #}"


@pytest.mark.parametrize(
    ("language", "template", "expected"),
    [
        ("en", PEOPLE, ["0 people", "1 person", "2 people", "5 people", "1.5 people"]),
        ("de", PERSONEN, ["0 Personen", "1 Person", "2 Personen", "5 Personen", "1,5 Personen"]),
        ("ar", ARABIC, ["zero 0", "one 1", "two 2", "few 5", "other 1.5"]),
        ("qps", PEOPLE, ["۰ people", "۱ person", "۲ people", "۵ people", "۱٫۵ people"]),
    ],
)
def test_plurals_at_zero_one_two_five_and_one_and_a_half(language: str, template: str, expected: list[str]) -> None:
    assert [said(template, language, n=Number(n)) for n in (0, 1, 2, 5, 1.5)] == expected
    assert [said(template, language, n=Number(float(n))) for n in (0, 1, 2, 5, 1.5)] == expected


@pytest.mark.parametrize(("n", "category"), [(3, "few"), (11, "many"), (99, "many"), (100, "other"), (103, "few")])
def test_the_machinery_knows_all_categories(n: int, category: str) -> None:
    assert said(ARABIC, "ar", n=Count(n)) == f"{category} {n}"


def test_the_plural_is_that_of_the_number_as_it_is_written() -> None:
    assert said(PEOPLE, n=Number(1.0004)) == "1 person"
    assert said(PEOPLE, n=Number(0.99996)) == "1 person"
    assert said(PEOPLE, n=Share(0.01)) == f"1{N}% person"
    assert said(PEOPLE, n=QuantityRange(Count(0), Count(1))) == "0 to 1 person"
    assert said(PEOPLE, n=QuantityRange(Count(1), Count(3))) == "1 to 3 people"
    assert said("@{c; one: column #; other: columns #}", c=Names(("a", "b"))) == "columns a and b"
    assert said(PEOPLE, n=Hidden()) == "? people"
    assert said(PEOPLE, n=Scientific(4.3e9)) == f"4.3{N}×{N}10⁹ people"
    assert said(PEOPLE, n=Number(float("inf"))) == "∞ people"


def test_zero_and_one_read_naturally() -> None:
    template = "@{n; =0: exactly right; =1: off by one person; one: # person; other: off by # people}"
    expected = ["exactly right", "off by one person", "off by 1.5 people", "off by 10 people"]
    assert [said(template, n=Number(n)) for n in (0, 1, 1.5, 10)] == expected
    assert said("@{p; =100: everybody; other: #}", p=Share(1)) == "everybody"
    assert said("@{p; =100: everybody; other: #}", p=Share(0.99999)) == f"> 99.9{N}%"
    assert said("@{p}", sink="html", p=Share(0.99999)) == f"&gt;\u00a099.9{N}%"  # no line ends within it
    assert said("@{d}", sink="html", d=Name("a > b")) == "a &gt; b"
    assert said(template, n=QuantityRange(Count(0), Count(10))) == "off by 0 to 10 people"
    assert said(template, n=QuantityRange(Count(0), Count(0))) == "exactly right"
    assert said("@{c; =0: nothing; other: #}", c=Names(())) == "nothing"
    assert said(template, n=Hidden()) == "off by ? people"


def test_an_interval_that_ends_at_zero_but_begins_below_is_not_nothing() -> None:
    assert said("@{n; =0: nothing; other: #}", n=QuantityRange(Count(-4), Count(0))) == "−4 to 0"


def test_a_case_may_hold_other_facts_formulas_and_cases() -> None:
    template = (
        "@{n; =0: none in $\\frac{1}{2}$; one: # of @{m}; other: # @{k; a: # A; other: @{m; one: a #; other: #s}}}"
    )
    named: dict[str, Quantity] = {"m": Count(7), "k": Name("b")}
    assert said(template, sink="markdown", n=Count(0), **named) == r"none in $\frac{1}{2}$"
    assert said(template, n=Count(1), **named) == "1 of 7"
    assert said(template, n=Count(2), **named) == "2 7s"
    assert said(template, n=Count(2), m=Count(7), k=Name("a")) == "2 a A"
    assert said(r"$@{n; one: 1_{a}; other: \hat{#}}$", sink="markdown", n=Count(2584)) == r"$\hat{2\,584}$"


@pytest.mark.parametrize("template", ["@{Name}", "@{}", "@{n", "@{n; one # person}", "@{n; one: {#}", "@{n; }", "@{1}"])
def test_a_malformed_slot_is_an_error_that_shows_it(template: str) -> None:
    with pytest.raises(ValueError, match=re.escape(template)):
        said(template, n=Count(1))


def test_text_that_only_looks_like_a_slot_stays() -> None:
    assert said("a@b.org, {x}, #5, $y$, @") == "a@b.org, {x}, #5, $y$, @"


# What is missing, and what must not be written


@pytest.mark.parametrize("sink", ["text", "markdown", "html"])
def test_a_missing_fact_names_page_key_and_placeholder(sink: str) -> None:
    with pytest.raises(KeyError, match=r"en/page\.md, ## answer: @\{n\} is not among the facts \['m'\]"):
        said("@{m} of @{n}", sink=sink, m=Count(1))
    with pytest.raises(MissingFactError, match=r"@\{n\} has no case for .*replace-one.*add-remove"):
        said("@{n; add-remove: x}", sink=sink, n=Term("neighbors.replace-one"))
    with pytest.raises(MissingFactError, match=r"@\{m\} is not among"):
        said("@{n; one: @{m}; other: y}", sink=sink, n=Count(1))


def test_a_missing_text_or_label_names_its_place() -> None:
    with pytest.raises(KeyError, match=r"en/response\.md has no ## nothing"):
        ENGLISH.text("response", "nothing")
    with pytest.raises(KeyError, match=r"en: no label 'nothing'; .* or among the labels of response\.md"):
        ENGLISH.label("nothing", "response")


@pytest.mark.parametrize("sink", ["text", "markdown", "html"])
def test_a_truth_is_written_only_when_somebody_has_decided_that_it_may(sink: str) -> None:
    template = "In truth @{answer; =0: nobody; one: # person; other: # people}, @{interval}, $@{answer}$."
    given: Facts = {"answer": Truth(Count(882)), "interval": QuantityRange(Truth(Count(882)), Count(900))}
    made = catalogue("en", {"answer": template})
    hidden = getattr(made, sink)("page", "answer", facts.masked(given))
    assert "882" not in hidden
    assert hidden.count("?") == 3
    assert "882 people" in getattr(made, sink)("page", "answer", facts.plain(given))
    with pytest.raises(TypeError, match="must be masked or opened"):
        getattr(made, sink)("page", "answer", given)


@pytest.mark.parametrize("value", [0, 1, 2, 882])
def test_a_hidden_number_does_not_betray_itself_by_its_case(value: int) -> None:
    template = "@{n; =0: nobody; one: # person; two: both; other: # people}"
    given = facts.masked({"n": Truth(Count(value))})
    assert {said(template, language, **given) for language in ("en", "de", "ar")} == {"? people"}
    assert said("@{k; yes: it is; other: #}", **facts.masked({"k": Truth(Name("yes"))})) == "?"


# Escaping

NASTY = 'a*b_c <script>"&" $x$ [l](u) :tada: `q` #1'


def test_data_show_as_written_wherever_they_land() -> None:
    assert said("@{d}", d=Name(NASTY)) == NASTY
    assert said("@{d}", sink="html", d=Name(NASTY)) == NASTY.replace("&", "&amp;").replace("<", "&lt;").replace(
        ">", "&gt;"
    )
    markdown = said("@{d}", sink="markdown", d=Name(NASTY))
    assert not re.search(r"(?<!\\)[*_$\[\]`#]", markdown)
    assert "<script" not in markdown
    formula = said("$@{d}$", sink="markdown", d=Name("50% of {x}_1"))
    assert formula == r"$\text{50\% of \{x\}\_1}$"


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "$x$",
        "**bold**",
        "`code`",
        "[link](https://a.b)",
        ":smile:",
        ":material/home:",
        "# head",
        "a | b",
        "@{name}",
        "\\frac{1}{2}",
        "=1+1",
        ":red[x]",
        "a\n\n# b",
        "www.example.org",
    ],
)
def test_data_in_markdown_show_as_written(text: str) -> None:
    written = said("Column @{d} here", sink="markdown", d=Name(text))
    assert "<script" not in written and "\n" not in written
    for sign in "*`[]$#|":
        assert all(before == "\\" for before, letter in pairwise(written) if letter == sign)
    assert not any(pair in written for pair in (":s", ":m", ":r", "www."))


def test_marks_of_the_text_count_and_those_of_data_do_not() -> None:
    template = "**@{d}** and *it* < 5 & more\n\nNext  \nline\n\n- one\n- @{d}"
    expected = "<p><strong>*d*</strong> and <em>it</em> &lt; 5 &amp; more</p><p>Next<br>line</p>"
    expected += "<ul><li>one</li><li>*d*</li></ul>"
    assert said(template, sink="html", d=Name("*d*")) == expected
    assert said("**@{n; one: *one*; other: **}**", sink="html", n=Count(1)) == "<strong><em>one</em></strong>"
    assert said("2 * 3 * 4, a_b_c", sink="html") == "2 * 3 * 4, a_b_c"
    assert said("one paragraph", sink="html") == "one paragraph"


def test_a_simple_formula_stands_in_html_from_left_to_right() -> None:
    expected = '<span dir="ltr">3<i>e</i><sup><i>α</i></sup> + 2 = 1.14 &gt; <i>x</i><sub>1</sub></span>'
    assert said(r"$3e^{\alpha} + 2 = @{x} > x_1$", sink="html", x=Number(1.14)) == expected
    for formula in (r"$\frac{a}{b}$", "$e^$", "$e^{a$"):
        with pytest.raises(ValueError, match=re.escape(formula)):
            said(formula, sink="html")


def test_a_hover_text_hands_on_plotlys_codes_and_escapes_data() -> None:
    page = {"labels": {"one": {"hover": "ε = @{x}: @{y; one: # person; other: # people}\n@{who}", "title": "T @{n}"}}}
    words = catalogue("de", page).words("page", "one", {"n": Count(2584), "who": Name("<b>%{x} $y$")})
    expected = "ε = %{x:.3g}: 2,5 people<br>&lt;b&gt;&#37;{x} &#36;y&#36;<extra></extra>"
    assert words.hover("hover", x="%{x:.3g}", y=Number(2.5)) == expected
    assert words.hover("hover", x="%{x}", y="%{y:,}").startswith("ε = %{x}: %{y:,} people<br>")


# Tables of words


def test_a_table_of_words_is_filled_and_says_what_it_lacks() -> None:
    table = {
        "title": "Off by @{n}",
        "each": "bar @{x} of @{n}",
        "plain": "x",
        "rare": {"plain": "y @{n}"},
    }
    made = catalogue("en", {"labels": {"one": table}})
    words = made.words("page", "one", {"n": Count(2584)})
    assert words["title"] == f"Off by 2{N}584"
    assert made.words("page", "one", {"n": Count(2584)}, "rare")["plain"] == f"y 2{N}584"
    assert words.fill("each", x=Number(1.5)) == f"bar 1.5 of 2{N}584"
    assert words.write(Share(0.011)) == f"1.1{N}%"
    with pytest.raises(KeyError, match=r"en/page\.md, ## labels\.one\.each: @\{x\} is not among"):
        words["each"]
    with pytest.raises(KeyError, match=r"labels\.one has no 'nothing'"):
        words["nothing"]


def test_a_label_is_the_pages_own_or_that_of_all_pages() -> None:
    made = catalogue(
        "en", {"labels": {"n": "Class"}}, {"parameters": {"n": "People", "k": "Answers: @{k}"}, "top": "Top"}
    )
    assert made.label("n") == "People"
    assert made.label("n", "page") == "Class"
    assert made.label("k", "page", {"k": Count(3)}) == "Answers: 3"
    assert made.label("parameters.n") == "People"
    assert made.label("top", "page") == "Top"
    assert dict(made.labels("parameters", facts={"k": Count(3)})) == {"n": "People", "k": "Answers: 3"}
    assert made.text(None, "parameters.k", {"k": Count(3)}) == "Answers: 3"


@dataclass(frozen=True)
class Refused:
    """What the core refuses, for these tests."""

    key: str
    fields: Mapping[str, Any] = field(default_factory=dict)


def test_a_refusal_is_worded_with_its_fields() -> None:
    rules = {"least": "@{name} muss mindestens @{least} sein, ist aber @{got}.", "one_of": "erlaubt: @{known}"}
    made = catalogue("de", labels={"refusals": rules})
    refused = Refused("least", {"name": "k", "least": 2, "got": 0.5})
    assert made.refusal(refused) == "k muss mindestens 2 sein, ist aber 0,5."
    assert made.refusal(Refused("one_of", {"known": ["a", "b"]})) == "erlaubt: a und b"
    with pytest.raises(KeyError, match=r"no label 'refusals\.unheard_of'"):
        made.refusal(Refused("unheard_of"))


# The pseudo-language


def strings(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """All texts inside a table, with their paths."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from strings(inner, f"{path}.{key}")
    elif isinstance(value, (list, tuple)):
        for position, inner in enumerate(value):
            yield from strings(inner, f"{path}.{position}")


@cache
def pairs() -> tuple[tuple[str, str, str], ...]:
    """Every English text beside its pseudo one."""
    both = [(dict(strings(page_text(name), name)), dict(strings(pseudo.page(name), name))) for name in PAGES]
    both += [(dict(strings(listing(name), name)), dict(strings(pseudo.listing(name), name))) for name in TABLES]
    assert all(english.keys() == strange.keys() for english, strange in both)
    return tuple((path, english[path], strange[path]) for english, strange in both for path in english)


SLUGS = re.compile(
    r"\.(?:presets|lecture|decisions)\.\d+\.(page|parameters\b.*)|^glossary\.terms\.\d+\.(group|de|fa|also)$"
)
UNTOUCHED = re.compile(
    r"\$\$.+?\$\$|\$[^$\n]+?\$|\]\([^)]*\)|https?://\S+|`[^`]*`|%\{[^}]*\}|</?[a-z][^>]*>|&[#\w]+;|@\{[^;}]*[;}]"
    r"|(?<=[;}])\s*(?:zero|one|two|few|many|other|=\d+|[a-z0-9][\w.-]*)\s*:",
    re.DOTALL,
)


def test_nothing_english_is_left_in_the_pseudo_language() -> None:
    looked_at = [(path, strange) for path, _, strange in pairs() if not SLUGS.search(path)]
    assert len(looked_at) > 1000
    for path, strange in looked_at:
        left = re.search(r"[A-Za-z0-9]", UNTOUCHED.sub("", re.sub(r"^\s*\d+\. ", "", strange, flags=re.MULTILINE)))
        assert left is None, f"{path} still says {left}: {strange}"


def test_slots_formulas_links_and_codes_stay_as_they_are() -> None:
    kept = re.compile(
        r"\$\$.+?\$\$|\$[^$\n]+?\$|\]\([^)]*\)|`[^`]*`|%\{[^}]*\}|<[a-z/][^>]*>|\*\*|^- |\|", re.DOTALL | re.MULTILINE
    )
    seen = 0
    for path, english, strange in pairs():
        slots = list(templates.names(templates.parsed(english)))
        assert list(templates.names(templates.parsed(strange))) == slots, path
        assert kept.findall(strange) == kept.findall(english), path
        seen += len(slots)
    assert seen > 500


def test_the_pseudo_language_is_longer_by_two_fifths() -> None:
    letters = re.compile(r"[^\W\d_]")
    plain = [(e, s) for path, e, s in pairs() if not SLUGS.search(path) and not UNTOUCHED.search(e)]
    english = sum(len(letters.findall(text)) for text, _ in plain)
    strange = sum(len(letters.findall(text)) for _, text in plain)
    assert len(plain) > 300
    assert 1.35 < strange / english < 1.45


def test_cases_keep_their_keys_and_change_their_words() -> None:
    template = "See @{n; =0: nobody; one: # person at $x$; other: @{m; add-remove: one more; other: 16}}"
    strange = pseudo.pseudo(template)
    assert re.findall(r"[\w=-]+(?=:)", strange) == re.findall(r"[\w=-]+(?=:)", template)
    made = catalogue("qps", {"answer": strange})
    assert made.text("page", "answer", {"n": Count(1)}) == "Šééé ۱ þééŕššöñ åţţ $x$"
    assert made.text("page", "answer", {"n": Count(2), "m": Term("a.b")}) == "Šééé ۱۶"


def test_the_pseudo_language_reads_from_right_to_left_and_is_not_offered() -> None:
    assert STRANGE.direction == "rtl"
    assert ENGLISH.direction == GERMAN.direction == "ltr"
    assert STRANGE.language == "qps"
    assert "qps" not in languages()
    assert STRANGE.keys("response") == ENGLISH.keys("response")
    assert STRANGE.has("response", "why")


def test_quantities_are_strange_too() -> None:
    for quantity in (PercentagePoints(0.015), Duration(90), Noticeable(1e-9), QuantityRange(Count(6), Count(20))):
        assert not re.search("[A-Za-z0-9]", STRANGE.write(quantity)), quantity


# Languages


def test_a_language_is_offered_when_it_is_complete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for language, names in (("en", "a.md b.toml"), ("de", "a.md b.toml"), ("fa", "a.md"), ("__pycache__", "c.pyc")):
        (tmp_path / language).mkdir()
        for name in names.split():
            (tmp_path / language / name).touch()
    (tmp_path / "catalogue.py").touch()
    monkeypatch.setattr(texts, "_FOLDER", tmp_path)
    assert languages() == ("de", "en")


@pytest.mark.parametrize(
    ("accepted", "expected"),
    [
        ("de", "de"),
        ("de-AT", "de"),
        ("de_CH", "de"),
        ("DE-at", "de"),
        ("fr, de;q=0.8, en;q=0.9", "en"),
        ("fr-CA,fr;q=0.9", "en"),
        ("fa-IR", "fa"),
        ("zh-Hant", "zh-Hant"),
        ("zh-Hant-TW", "zh-Hant"),
        ("zh", "en"),
        ("den", "en"),
        (None, "en"),
        ("", "en"),
        ("*", "en"),
        ("de;q=0, fa;q=0.1", "fa"),
        ("de;q=x", "en"),
        (";,;", "en"),
    ],
)
def test_a_browsers_preference_finds_the_nearest_language(accepted: str | None, expected: str) -> None:
    assert negotiate(accepted, ("de", "en", "fa", "zh-Hant")) == expected


def test_without_english_the_first_language_is_taken() -> None:
    assert negotiate("fr", ("fa", "de")) == "fa"
