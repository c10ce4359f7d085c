"""What people write down about a show of hands is read as they mean it, in their language, or refused."""
# ruff: noqa: RUF001 - these are the letters that people write

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from ldpcore.reading.answers import LONGEST, MOST_PEOPLE, AnswersRefused, YesCount, read_answers
from tests.cases import for_each

READ = [
    ("560 no, 340 yes", 340, 900),
    ("340 yes, 560 no", 340, 900),
    ("340 yes out of 900 (no names)", 340, 900),
    ("340 ja, 560 nein", 340, 900),
    ("560 nein und 340 ja", 340, 900),
    ("340 ja von 900", 340, 900),
    ("Von 900 Befragten sagten 340 ja", 340, 900),
    ("Of 900 people, 340 said yes.", 340, 900),
    ("900 people, 340 yes", 340, 900),
    ("yes: 340, no: 560", 340, 900),
    ("Yes 340 No 560", 340, 900),
    ("340 of 900 said yes", 340, 900),
    ("340 of 900 said no", 560, 900),
    ("83 yes of 200", 83, 200),
    ("83/200", 83, 200),
    ("83 out of 200", 83, 200),
    ("yes 83/200", 83, 200),
    ("total 900, yes 340", 340, 900),
    ("900 asked; 560 no", 340, 900),
    ("340 yes + 560 no of 900", 340, 900),
    ("1,200 yes of 3,400", 1200, 3400),
    ("1.200 ja von 3.400", 1200, 3400),
    ("1 200 oui sur 3 400", 1200, 3400),
    ("12\u202f345 yes, 1 no", 12345, 12346),
    ("0 yes of 30", 0, 30),
    ("30 no, 0 yes", 0, 30),
    ("۳۴۰ بله، ۵۶۰ خیر", 340, 900),
    ("۵۶۰ نه و ۳۴۰ بله", 340, 900),
    ("۳۴۰ بله از ۹۰۰", 340, 900),
    ("از ۹۰۰ نفر ۳۴۰ بله", 340, 900),
    ("۳۴۰ نفر از ۹۰۰ نفر گفتند بله", 340, 900),
    ("۱٬۲۰۰ بله از ۳٬۴۰۰", 1200, 3400),
]

REFUSED = [
    ("", "empty"),
    (" \n", "empty"),
    ("yes", "form"),
    ("340", "form"),
    ("340 yes", "form"),
    ("83, 200", "form"),
    ("83 200", "form"),
    ("3 yes, 4 no, 5 maybe", "form"),
    ("340 yes of 900 no", "form"),
    ("340 yes, n=900", "form"),
    ("340 yes, 5 yes", "form"),
    ("340 of 900 of 1000", "form"),
    ("in 2024: 340 yes of 900", "form"),
    ("37.8 % yes of 900", "share"),
    ("37,8 ja von 900", "share"),
    ("40% yes, 60% no", "share"),
    ("340 yes, 500 no, 900 asked", "sum"),
    ("9 of 3", "range"),
    ("-3 of 10", "range"),
    ("0 yes, 0 no", "range"),
    (f"1 yes of {MOST_PEOPLE + 1}", "range"),
    ("3 yes of 9" + " " * LONGEST, "long"),
    ("3² yes of 9", "share"),
    ("½ yes of 9", "share"),
    ("<5 yes of 30", "form"),
    ("~340 yes of 900", "form"),
]


@for_each(("text", "yes", "n"), READ)
def test_what_people_write_is_read_as_they_mean_it(text: str, yes: int, n: int) -> None:
    assert read_answers(text) == YesCount(yes, n)
    assert read_answers(f"  {text.upper()} ") == YesCount(yes, n)


@for_each(("text", "reason"), REFUSED)
def test_what_does_not_say_which_number_is_which_is_refused_with_its_reason(text: str, reason: str) -> None:
    found = read_answers(text)
    assert isinstance(found, AnswersRefused) and found.reason == reason


def test_every_order_and_language_of_the_same_counts_says_the_same() -> None:
    for yes, no in (("yes", "no"), ("ja", "nein"), ("oui", "non"), ("بله", "خیر")):
        for first, second in itertools.permutations([(yes, 340), (no, 560)]):
            for between in (", ", " and ", "; ", " und ", "، ", "\n"):
                after = read_answers(f"{first[1]} {first[0]}{between}{second[1]} {second[0]}")
                before = read_answers(f"{first[0]}: {first[1]}{between}{second[0]}: {second[1]}")
                assert after == before == YesCount(340, 900), (first, second, between)


@given(st.text(alphabet="0123456789 ,./()%yesnojafk²½۰۹بلهاز-", max_size=60))
def test_whatever_is_typed_gives_possible_counts_or_a_refusal(text: str) -> None:
    found = read_answers(text)
    if isinstance(found, YesCount):
        assert 0 <= found.yes <= found.n and 1 <= found.n <= MOST_PEOPLE
        assert any(letter.isdigit() for letter in text)
