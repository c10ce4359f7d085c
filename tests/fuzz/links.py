"""Links as people mistype, bend and forge them: what a page knows, or nearly, with values from everywhere."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

NUMBERS = (
    "0",
    "1",
    "-1",
    "0.5",
    "1e3",
    "1e-12",
    "1e400",
    "1_0_0",
    "1,5",
    " 1 ",
    "+1",
    "01",
    "0x10",
    "١٢٣",
    "½",
    "∞",
    "NaN",
    "-0",
    "1e",
    "1 000",
    "1\u202f000",
    "100%",
    "9" * 60,
    "9" * 5000,
    "1/3",
    "0.1.2",
    "--1",
    "1e9",
    "50",
    "10",
    "1000000000",
    "2048",
    "1.0000000000000002",
)
TEXTS = (
    "",
    " ",
    "true",
    "TRUE",
    "maybe",
    "null",
    "None",
    "<script>",
    "$x$",
    "@{n}",
    "%s",
    "{0}",
    "../..",
    "own",
    "own-3x3",
    "own-0x0",
    "own-999999999999x999999",
    "Your own table (\u202f × \u202f)",
    "Your own table (3 × 3)",
    "a|b",
    "|",
    ",",
    "a,b,c",
    "\x00",
    "\ud7ff",
    "x" * 3000,
    "(" * 500,
    " " * 3000 + "x",
    "data",
    "😀",
    "\u202e",
    "grr",
    "income",
    "clinic",
    "en",
    "qps",
    "zz",
    "1,2",
    "2024-02-29",
)
OTHERS = (
    "lecture",
    "hide",
    "lang",
    "data",
    "epsilon",
    "epsilo",
    "Epsilon",
    "foo",
    "",
    "ask",
    "ask_verb",
    "ask_of",
    "ask_low",
    "ask_high",
    "ask_column",
    "ask_relation",
    "ask_value",
    "ask_column_2",
    "ask_relation_2",
    "ask_value_2",
    "ask_column_3",
    "embed_x",
    "_link",
    "k",
)
Link = dict[str, list[str]]


def value(chance: random.Random, options: Sequence[str]) -> str:
    """One of what is known, a number, or anything."""
    kind = chance.random()
    if options and kind < 0.4:
        known = chance.choice(options)
        return known if chance.random() < 0.8 else chance.choice((known.upper(), known[:-1], known + " ", known * 2))
    if kind < 0.75:
        return (
            chance.choice(NUMBERS)
            if chance.random() < 0.8
            else repr(chance.uniform(-5, 5) * 10 ** chance.randint(-9, 12))
        )
    return chance.choice(TEXTS)


def link(seed: int, known: Mapping[str, Sequence[str]]) -> Link:
    """The link with this number to a page that knows these parameters, each with its options if it has any."""
    chance, parameters = random.Random(f"link {seed}"), {}
    names = list(known)
    for _ in range(chance.randint(1, 6)):
        name = chance.choice(names) if names and chance.random() < 0.75 else chance.choice(OTHERS)
        if chance.random() < 0.05:
            name = chance.choice((name[:-1], name + "s", name.upper(), f" {name}"))
        times = 1 if chance.random() < 0.9 else chance.randint(2, 4)
        parameters[name] = [value(chance, known.get(name, ())) for _ in range(times)]
    return {name: texts for name, texts in parameters.items() if name}
