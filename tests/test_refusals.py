"""What the core refuses: each key has an English template and a sentence in every language, of the same fields."""

from __future__ import annotations

import ast
import copy
import pickle
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from string import Formatter

import numpy as np
import pytest

from explorer.text import languages
from explorer.text.catalogue import catalogue_of
from explorer.text.conventions import PSEUDO
from explorer.text.templates import asked
from ldpcore.accounting import BudgetError, Ledger
from ldpcore.parameters import Choice, Interval, ParameterError
from ldpcore.reading.files import SIGNATURES
from ldpcore.reading.matrices import MatrixError, read_matrix
from ldpcore.refusals import TEMPLATES, WORDS, Refusal
from ldpcore.tables.conditions import QueryError
from ldpcore.tables.table import TableError

CORE = Path(__file__).resolve().parent.parent / "ldpcore"
ERRORS = {"ParameterError", "TableError", "QueryError", "MatrixError", "BudgetError", "CountsError", "CountedError"}
DECLARED = {"low": {"name", "low", "got"}, "high": {"high"}}  # what `Interval.refusal` hands on in two dictionaries


def made() -> Iterator[tuple[str, ast.Call]]:
    """Every place where a refusal is made, and where it stands."""
    for path in sorted(CORE.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)) if any(error in source for error in ERRORS) else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ERRORS:
                yield f"{path.relative_to(CORE)}:{node.lineno}", node


def fields_of(call: ast.Call) -> set[str]:
    """The fields that a call hands on."""
    named = {keyword.arg for keyword in call.keywords if keyword.arg is not None}
    spread = [ast.unparse(keyword.value) for keyword in call.keywords if keyword.arg is None]
    return named.union(*(DECLARED[name] for name in spread))


def key_of(call: ast.Call) -> str:
    """The key of a refusal, which is written where it is made."""
    (key,) = call.args
    assert isinstance(key, ast.Constant) and isinstance(key.value, str), ast.unparse(call)
    return key.value


def placeholders(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def test_a_refusal_names_a_rule_with_exactly_its_fields_and_every_rule_is_used() -> None:
    places = [*made()]
    wrong = [place for place, call in places if placeholders(TEMPLATES[key_of(call)]) != fields_of(call)]
    assert not wrong and {key_of(call) for _, call in places} == set(TEMPLATES)


def test_all_refusals_are_of_one_kind() -> None:
    for error in (ParameterError, TableError, QueryError, MatrixError, BudgetError):
        assert issubclass(error, Refusal) and issubclass(error, ValueError)


@pytest.mark.parametrize("language", [*languages(), PSEUDO])
def test_every_language_says_every_rule_in_a_whole_sentence_with_the_same_fields(language: str) -> None:
    texts = catalogue_of(language).listing("labels")["refusals"]
    assert set(texts) == set(TEMPLATES)
    for key, template in TEMPLATES.items():
        assert asked(texts[key]) == placeholders(template), key
        assert texts[key].endswith(".") and not texts[key][0].islower(), key


@pytest.mark.parametrize("language", languages())
def test_every_file_that_is_no_table_has_its_words(language: str) -> None:
    for _, kind, remedy in SIGNATURES:
        refused = TableError("file_foreign", file="a.csv", kind=kind, remedy=remedy)
        assert WORDS[kind] in str(refused) and WORDS[remedy] in str(refused)
        assert "a.csv" in catalogue_of(language).refusal(refused)


@pytest.mark.parametrize(
    ("refused", "developer", "english", "german"),
    [
        (
            Interval("p", 0, 1, (0, 1), open_low=True).refusal("p", 1.5),
            "p must be greater than 0 and at most 1; got 1.5",
            "The parameter p must be greater than 0 and at most 1; got 1.5.",
            "Der Parameter p muss größer als 0 und höchstens 1 sein, nicht 1,5.",
        ),
        (
            Choice("X", ("a", "b")).refusal("shape", "c"),
            "shape must be one of a, b; got 'c'",
            "The parameter shape must be one of a and b; got c.",
            "Für den Parameter shape stehen nur a und b zur Wahl, nicht c.",
        ),
        (
            BudgetError("budget_exceeded", left=Decimal("0.1"), total=Decimal(1), got=Decimal("0.25")),
            "a question must cost at most what is left, 0.1 of 1; got 0.25",
            "A question must cost at most what is left, 0.1 of 1; this one costs 0.25.",
            "Eine Frage darf höchstens kosten, was noch da ist: 0,1 von 1; diese kostet 0,25.",
        ),
        (
            QueryError("bounds_mixed", low=1, high=date(2024, 2, 29)),
            "both bounds must be numbers or both dates; got 1 and 2024-02-29",
            "Both bounds must be numbers or both dates; got 1 and 29 Feb 2024.",
            "Beide Grenzen müssen Zahlen oder beide Tage sein, anders als 1 und 29.02.2024.",
        ),
    ],
)
def test_one_refusal_in_three_wordings(refused: Refusal, developer: str, english: str, german: str) -> None:
    assert str(refused) == developer
    assert catalogue_of("en").refusal(refused) == english
    assert catalogue_of("de").refusal(refused) == german


@pytest.mark.parametrize("got", [None, float("nan"), float("inf"), True, np.int64(3), np.float64(0.5), [], {}])
def test_whatever_was_handed_over_can_be_said(got: object) -> None:
    refused = Interval("k", 2, 9, (2, 9), integer=True).refusal("k", got)
    assert str(refused) == f"k must be a whole number at least 2 and at most 9; got {got!r}"
    assert "from 2 to 9" in catalogue_of("en").refusal(refused)


def test_a_refusal_survives_copying_and_pickling() -> None:
    with pytest.raises(MatrixError) as caught:
        read_matrix("0.5 x")
    with pytest.raises(BudgetError) as spent:
        Ledger.of("1").asked("how many", "1.5")
    for refused in (caught.value, spent.value):
        for again in (pickle.loads(pickle.dumps(refused)), copy.deepcopy(refused)):
            assert type(again) is type(refused) and str(again) == str(refused)
            assert (again.key, dict(again.fields)) == (refused.key, dict(refused.fields))
