"""What is asked of a table: built from conditions, told in words, carried by links, and never off a reader's table."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from explorer.facts import Quantity
from explorer.settings import questions
from explorer.settings.questions import AskError, ConditionRow, QuestionDraft
from explorer.text import languages
from explorer.text.catalogue import catalogue_of
from explorer.ui import asking
from explorer.ui.sensitivity import sensitivity_words
from ldpcore.tables.conditions import Compare, InRange, Missing, NoneOf, OneOf, Present, QueryError, Where
from ldpcore.tables.queries import BUILT_IN_QUERIES, CountQuery, Mean, Sum
from ldpcore.tables.table import BUILT_IN, Table, built_in
from tests.screens.opening import answer, complaints, numbers_in, opened

INCOME = built_in("income")
CLINIC = built_in("clinic")
DAYS = Table.of(pd.DataFrame({"day": pd.to_datetime(["2024-02-29", "2024-03-01", None]), "x": [1, 2, 3]}), "days")
EXAMPLES = {
    "<": (INCOME, ConditionRow("schooling", "lt", ("16",)), Compare("schooling", "<", 16)),
    "≤": (INCOME, ConditionRow("schooling", "le", ("16",)), Compare("schooling", "≤", 16)),
    "=": (INCOME, ConditionRow("schooling", "eq", ("16",)), Compare("schooling", "=", 16)),
    "≥": (INCOME, ConditionRow("schooling", "ge", ("16",)), Compare("schooling", "≥", 16)),
    ">": (INCOME, ConditionRow("income", "gt", ("33 761",)), Compare("income", ">", 33761)),
    "between": (INCOME, ConditionRow("income", "between", ("1e4", "20,000")), InRange("income", 10_000, 20_000)),
    "is": (CLINIC, ConditionRow("sex", "is", ("F",)), OneOf("sex", ("F",))),
    "one of": (CLINIC, ConditionRow("ward", "oneof", ("Surgery", "Medicine")), OneOf("ward", ("Surgery", "Medicine"))),
    "is not": (CLINIC, ConditionRow("ward", "not", ("Surgery",)), NoneOf("ward", ("Surgery",))),
    "missing": (CLINIC, ConditionRow("ward", "missing"), Missing("ward")),
    "known": (CLINIC, ConditionRow("ward", "present"), Present("ward")),
    "day": (DAYS, ConditionRow("day", "ge", ("2024-03-01",)), Compare("day", "≥", date(2024, 3, 1))),
}


def written(told: Quantity) -> str:
    """A part of a question as an English reader sees it."""
    return catalogue_of("en").write(told)


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_relation_becomes_its_condition_and_a_sentence(name: str) -> None:
    table, row, condition = EXAMPLES[name]
    assert questions.condition(table, row) == condition
    for language in languages():
        told = catalogue_of(language).write(questions.people_fact(Where((condition,)), table))
        assert catalogue_of(language).headed(table.head(row.column)) in told and "@{" not in told


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_condition_on_a_built_in_table_comes_back_from_its_link(name: str) -> None:
    table, row, _ = EXAMPLES[name]
    draft = QuestionDraft("count", "own", (row, row), *_column(table))
    texts = questions.to_link(table, draft)
    assert questions.from_link(table, texts, ("count",)) == draft
    assert all(key.startswith("ask") for key in texts)


def _column(table: Table) -> tuple[str, str, str]:
    start = questions.default(table)
    return start.column, start.low, start.high


def test_sums_and_means_travel_with_their_bounds() -> None:
    for verb in ("sum", "mean"):
        draft = QuestionDraft(verb, "everybody", (), "income", "0", "50000")
        assert questions.from_link(INCOME, questions.to_link(INCOME, draft), questions.VERBS) == draft
        assert questions.query(INCOME, draft) == (Sum if verb == "sum" else Mean)("income", 0, 50_000)


def test_the_default_question_leaves_no_trace_in_the_link() -> None:
    for name in ("income", "clinic", "people"):
        table = built_in(name)
        assert questions.to_link(table, questions.default(table)) == {}
        assert questions.query(table, questions.default(table)) == BUILT_IN_QUERIES[name]


def test_a_question_about_a_readers_own_table_never_enters_a_link() -> None:
    own = Table.of(pd.DataFrame({"secret": [1, 2, 3]}), "mine.csv", own=True)
    draft = QuestionDraft("sum", "own", (ConditionRow("secret", "gt", ("1",)),), "secret", "0", "3")
    assert questions.to_link(own, draft) == {}
    assert questions.query(own, draft) == Sum("secret", 0, 3, Where((Compare("secret", ">", 1),)))


@pytest.mark.parametrize(
    ("texts", "rule"),
    [
        ({"ask": "nobody"}, "must be one of ready, own, everybody"),
        ({"ask": "own", "ask_column": "age"}, '"age" must be one of score, schooling, income'),
        ({"ask": "own", "ask_column": "score", "ask_value": "many"}, 'The value must be a number; got "many"'),
        ({"ask": "own", "ask_column": "score", "ask_relation": "is", "ask_value": "1"}, "The relation must be one of"),
        ({"ask_verb": "sum", "ask_of": "age"}, '"age" must be one of'),
        ({"ask_verb": "sum", "ask_low": "5", "ask_high": "2"}, "lower bound must be less than the upper bound"),
        ({"ask": "own", "ask_column": "score", "ask_relation": "between", "ask_value": "1"}, "must be a number"),
    ],
)
def test_an_unusable_question_in_a_link_breaks_a_rule_with_a_name(texts: dict[str, str], rule: str) -> None:
    with pytest.raises((QueryError, AskError)) as refusal:
        questions.from_link(INCOME, texts, questions.VERBS)
    assert rule in str(refusal.value)


@pytest.mark.parametrize("language", languages())
def test_every_column_that_comes_with_the_project_has_a_name_in_each_language(language: str) -> None:
    known = catalogue_of(language).listing("labels").at("headings")
    assert isinstance(known, Mapping)
    columns = [name for table in BUILT_IN for name in built_in(table).columns]
    assert set(columns) == set(known) and len(set(known.values())) == len(known)


def test_the_readymade_question_is_told_in_words() -> None:
    english = catalogue_of("en")
    told = english.write(questions.people_fact(BUILT_IN_QUERIES["income"].where, INCOME))
    assert told == "people with fewer than 16 years of schooling and an income above 33\u202f761 dollars"
    typed = Where((Compare("schooling", "<", 16), Compare("income", ">", 33_761)))  # as of a table of one's own
    assert english.write(questions.people_fact(typed, INCOME)) == "people with schooling < 16 and income > 33\u202f761"
    assert catalogue_of("de").write(questions.people_fact(typed, INCOME)).startswith("Personen mit Schuljahre < 16")
    own = Table.of(INCOME.frame, "mine", own=True)
    assert "schooling < 16" in catalogue_of("de").write(questions.people_fact(typed, own))
    german = catalogue_of("de").write(questions.people_fact(BUILT_IN_QUERIES["income"].where, INCOME))
    assert german == "Personen mit weniger als 16 Schuljahren und mehr als 33\u202f761 Dollar Einkommen"
    assert english.write(questions.people_fact(Where(), INCOME)) == "everybody"
    assert english.write(questions.question_fact(Sum("income", 0, 1), INCOME)).endswith("income over everybody")


def test_long_names_and_long_lists_are_shortened_in_words() -> None:
    long = OneOf("c" * 500, tuple(f"label {i}" for i in range(100)))
    told = catalogue_of("en").write(questions.condition_fact(long, INCOME))
    assert len(told) < 200
    assert "and 95 more" in told


# On screen, on the counting page.


def test_a_link_with_three_conditions_selects_what_the_core_selects() -> None:
    asked = {
        "ask": "own",
        "ask_column": "schooling",
        "ask_relation": "lt",
        "ask_value": "16",
        "ask_column_2": "income",
        "ask_relation_2": "gt",
        "ask_value_2": "33761",
        "ask_column_3": "score",
        "ask_relation_3": "between",
        "ask_value_3": "20|80",
    }
    app = opened("counting", data="income", **asked)
    conditions = (*BUILT_IN_QUERIES["income"].where.conditions, InRange("score", 20, 80))
    exact = CountQuery(Where(conditions)).answer(INCOME)
    assert exact in numbers_in(answer(app))
    assert not complaints(app)
    assert {key: app.query_params[key] for key in asked} == asked


def test_an_unusable_question_gets_one_sentence_and_the_ready_one_is_asked() -> None:
    app = opened("counting", ask="own", ask_column="nope")
    assert len(complaints(app)) == 1
    assert 882 in numbers_in(answer(app))


def _box(app: AppTest, kind: str, label: str) -> AppTest:
    return [widget for widget in getattr(app, kind) if widget.label == label][-1]


def test_conditions_are_added_and_removed_row_by_row() -> None:
    app = opened("counting", data="clinic")
    app.radio[0].set_value("own").run()
    _box(app, "button", "Add a condition").click().run()
    _box(app, "selectbox", "Column").set_value("age").run()
    _box(app, "selectbox", "Relation").set_value("lt").run()
    _box(app, "text_input", "Value").set_value("34").run()
    assert app.query_params["ask_column_2"] == "age"
    assert app.query_params["ask_value_2"] == "34"
    next(button for button in app.button if button.help == "Remove this condition").click().run()
    assert "ask_column_2" not in app.query_params
    assert app.query_params["ask_column"] == "age"
    exact = CountQuery(Where((Compare("age", "<", 34),))).answer(CLINIC)
    assert exact in numbers_in(answer(app))
    assert not app.exception


def test_a_typed_word_where_a_number_belongs_leaves_the_last_answer_and_says_so() -> None:
    app = opened("counting", ask="own", ask_column="income", ask_relation="gt", ask_value="33761")
    before = numbers_in(answer(app))
    app.text_input[0].set_value("a lot").run()
    assert not app.exception
    assert [text.replace("\\", "") for text in complaints(app)] == [
        'Not asked yet: The value must be a number; got "a lot". The page still answers the last question.'
    ]
    assert app.text_input[0].value == "a lot"
    assert numbers_in(answer(app))[: len(before)] == before
    assert "Still the last question: how many: people with income > 33\u202f761" in answer(app)
    assert app.query_params["ask_value"] == "33761"
    app.text_input[0].set_value("33 761").run()
    assert not complaints(app)
    assert "Still" not in answer(app)


def test_a_text_of_two_meanings_is_asked_about_and_the_choice_is_written_into_the_box() -> None:
    app = opened("counting", ask="own", ask_column="income", ask_relation="gt", ask_value="33761")
    app.text_input[0].set_value("60.000").run()
    assert "Still the last question" in answer(app)
    which = next(choice for choice in app.segmented_control if "60.000" in choice.label)
    assert which.options == ["60", "60\u202f000"]
    which.set_value(60_000).run()
    assert app.text_input[0].value == "60000"
    assert CountQuery(Where((Compare("income", ">", 60_000),))).answer(INCOME) in numbers_in(answer(app))
    assert app.query_params["ask_value"] == "60000"


def test_a_german_reader_types_thousands_points_and_decimal_commas() -> None:
    app = opened("counting", ask="own", ask_column="income", ask_relation="gt", ask_value="33761.5", lang="de")
    assert app.text_input[0].value == "33761,5"
    app.text_input[0].set_value("60.000").run()
    assert CountQuery(Where((Compare("income", ">", 60_000),))).answer(INCOME) in numbers_in(answer(app))
    assert any("Einkommen &gt; 60\u202f000" in str(text.value) for text in app.caption)
    assert app.query_params["ask_value"] == "60000"


def test_conditions_that_select_nobody_or_everybody_are_answered() -> None:
    for value, count in (("1e12", 0), ("-1", 2584)):
        app = opened("counting", ask="own", ask_column="income", ask_relation="gt", ask_value=value)
        assert not app.exception
        assert count in numbers_in(app.caption[1].value)
        assert f"The conditions select {'every' if count else 'no'}body." in answer(app)


def test_a_question_travels_from_one_page_to_the_next() -> None:
    app = opened("counting", data="clinic", ask="own", ask_column="age", ask_relation="lt", ask_value="34")
    app.switch_page("pages/averaging.py").run()
    assert app.query_params["ask_value"] == "34"
    assert app.text_input[0].value == "34"
    assert not complaints(app)


def test_a_sum_shows_what_its_bounds_do_and_how_far_one_person_moves_it() -> None:
    app = opened("averaging", ask="everybody", ask_verb="sum", ask_of="income", ask_low="0", ask_high="100000")
    clamping = Sum("income", 0, 100_000).clamping(INCOME)
    told = [number for text in app.caption for number in numbers_in(str(text.value))]
    assert clamping.below + clamping.above in told
    assert any(abs(number - clamping.sum_bias) <= 5e-3 * abs(clamping.sum_bias) for number in told)
    explained = next(str(text.value) for text in app.markdown if "How far can one person" in str(text.value))
    assert explained.count("100\u202f000") >= 3
    assert "10.8 ε" in explained.replace(
        "\\", ""
    )  # the largest income is 1 083 129: assumed without being enforced, a loss of 10.8 ε


SIGNED = Table.of(pd.DataFrame({"x": [-5.0, 1.0, 15.0], "kind": ["a", "b", "b"]}), "signed")
KIND_B = Where((OneOf("kind", ("b",)),))


@pytest.mark.parametrize(
    ("query", "replaced", "added"),
    [
        (Sum("x", -5, 5), 2, 3),  # 15 becomes -5: 20 of 10; 15 goes: 15 of 5
        (Sum("x", -5, 15), 1, 1),
        (Sum("x", -5, 5, KIND_B), 2, 3),
        (Sum("x", 10, 15), 4, 1),  # 15 becomes -5: 20 of 5; nobody adds more than 15
        (Mean("x", -5, 5), 2, 2),  # in two releases: half of 3 for the sum, half for the count
        (Mean("x", -5, 5, KIND_B), 1.25, 2),  # 15 leaves: half of 15 of 10 for the sum, half for the count
        (Sum("x", 0, 5, Where((OneOf("kind", ("c",)),))), 1, 1),
        (CountQuery(), 1, 1),
    ],
)
def test_what_an_assumed_bound_leaks_is_told_for_each_relation(
    query: questions.Question, replaced: float, added: float
) -> None:
    asked = asking.AnsweredQuestion(query, SIGNED, own=False)
    assert (asked.unclamped_loss("replace-one"), asked.unclamped_loss("add-remove")) == (replaced, added)
    words = sensitivity_words(asked)
    for loss, told in zip((replaced, added), _parts(words), strict=True):
        assert (f"would already leak **{loss} ε**" in told.replace("\\", "")) == (loss > 1), told
    assert ("must be enforced" in words) == (max(replaced, added) > 1)


def _parts(words: str) -> list[str]:
    """What is said of one replaced, and of one more or less."""
    lines = words.split("\n")
    replaced, added = (
        next(i for i, line in enumerate(lines) if name in line) for name in ("replaced:", "more or less:")
    )
    first, second = sorted((replaced, added))
    parts = {first: "\n".join(lines[first:second]), second: "\n".join(lines[second:])}
    return [parts[replaced], parts[added]]


def test_without_bounds_a_missing_value_adds_nothing() -> None:
    gap = Table.of(pd.DataFrame({"x": [3.0, None, 5.0]}), "gap")
    asked = asking.AnsweredQuestion(Sum("x", 3, 5), gap, own=False)
    assert asked.unclamped_loss("replace-one") == 2.5  # 5 in the place of nothing: 5 of 2
    assert "goes from 0 to 5" in sensitivity_words(asked)


def test_a_bound_that_is_hardly_exceeded_still_leaks_more_than_the_level() -> None:
    near = Table.of(pd.DataFrame({"x": [0.0, 100.04]}), "near")
    assert "**1.0004 ε**" in sensitivity_words(asking.AnsweredQuestion(Sum("x", 0, 100), near, False)).replace("\\", "")


def test_bounds_the_wrong_way_round_get_one_sentence_and_the_page_goes_on() -> None:
    app = opened("averaging", ask="everybody", ask_verb="sum", ask_of="income", ask_low="0", ask_high="100000")
    _box(app, "text_input", "Lower bound").set_value("200000").run()
    assert not app.exception
    assert len(complaints(app)) == 1
    assert "lower bound must be less than the upper bound" in complaints(app)[0]
    assert answer(app)


def test_a_mean_over_a_private_number_of_people_says_that_it_takes_two_releases() -> None:
    app = opened("averaging", ask="everybody", ask_verb="mean", ask_of="schooling", ask_low="0", ask_high="20")
    assert any("takes two releases" in str(text.value) for text in app.caption)
    app = opened(
        "averaging",
        ask="everybody",
        ask_verb="mean",
        ask_of="schooling",
        ask_low="0",
        ask_high="20",
        averaging_neighbors="replace-one",
    )
    assert not any("takes two releases" in str(text.value) for text in app.caption)
    assert not app.exception


GAPS = Table.of(pd.DataFrame({"age": [20.0, None, 40.0, 90.0], "x": [1, 2, 3, 4]}), "gaps")


@pytest.mark.parametrize(
    ("query", "told"),
    [
        (Sum("age", 0, 50), ("change 1 of 4 values", "by −40: 27\u202f% of 150", "counts as 0")),
        (Mean("age", 0, 50), ("without them it is 50", "by −13.3", "the mean is 36.667")),
        (Mean("age", 0, 100), ("1 of 4 people", "no known age", "the mean is 50.")),
        (Sum("x", 0, 3), ("by −1: 10\u202f% of 10",)),
        (CountQuery(Where((Compare("x", ">", 9),))), ("select nobody",)),
        (CountQuery(Where((Compare("x", ">", 0),))), ("select everybody",)),
    ],
)
def test_the_headline_says_whom_it_is_about_what_bounds_cut_off_and_what_is_missing(
    query: questions.Question, told: tuple[str, ...]
) -> None:
    english = catalogue_of("en")
    asked = asking.AnsweredQuestion.of(query, GAPS, "replace-one")
    said = " ".join(english.write(aside) for aside in asked.asides(truth=True))
    assert all(part in said for part in told), said
    assert not list(asked.asides(truth=False))


def test_bounds_that_change_nothing_and_full_columns_are_passed_over() -> None:
    assert not list(asking.AnsweredQuestion(Sum("x", 0, 4), GAPS, own=False).asides(truth=True))
    assert not list(asking.AnsweredQuestion(CountQuery(), GAPS, own=False).asides(truth=True))


def beside(table: Table, low: float, high: float, truth: bool = True, language: str = "en") -> str:
    """What is said beside a mean of grades."""
    asides = asking.AnsweredQuestion(Mean("grade", low, high), table, own=table.own).asides(truth)
    return " ".join(catalogue_of(language).write(each) for each in asides)


def test_bounds_far_wider_than_an_own_column_are_spoken_of_and_never_chosen_by_it() -> None:
    grades = Table.of(pd.DataFrame({"grade": [1.0, 2.0, 6.0, 3.0]}), "class", own=True)
    assert "between 1 and 6." in beside(grades, 0, 100)
    assert "zwischen 1 und 6." in beside(grades, 0, 100, language="de")
    assert not beside(grades, 0, 100, truth=False) and not beside(grades, 1, 6) and not beside(grades, 0, 10)
    assert not beside(Table.of(grades.frame, "lent"), 0, 100)
