"""What readers read stands in the catalogue: no sentence in the code, and no text asked for that is not there.

A literal with two words side by side is suspected, and so is the glue of an f-string, a word with a blank at its edge.
It is no text for readers, and stays, when it is
- a docstring, or part of what is raised, asserted, logged or warned of (refusals have an English of their own);
- the rule of a parameter, in a method called `rule`, or what `repr` and `str` say to developers;
- an option of a declared parameter, or the key of a text, of a case or of a stream of random numbers;
- CSS, JavaScript or HTML: a constant of a module with braces or brackets, markup without words between its tags, a list
  of classes (`ldp-...`) or of fonts, an attribute of Plotly's or of SVG's (`...position=`);
- what is read and not said: a pattern, words that are split or compared, a beginning or an end that is taken off;
- a formula's commands, and code to take away, in a function called `snippet`;
- the title of a mechanism in the core, its source (a year in parentheses), the key of a table, or a sample, in a
  function called `samples`.
One file is English by design: `ldpcore/refusals.py` says to developers what the catalogue says to readers.
"""

from __future__ import annotations

import ast
import itertools
import math
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from explorer.facts import Term, plain
from explorer.navigation import entries
from explorer.pages.frequencies.facts import facts as frequency_facts
from explorer.pages.reference import widgets as reference
from explorer.pages.response import settings
from explorer.pages.response.facts import facts as response_facts
from explorer.text import languages, page_text
from explorer.text.catalogue import catalogue_of
from ldpcore import broken
from ldpcore.experiments import frequencies, response
from ldpcore.experiments.verify import at_small_parameters
from ldpcore.mechanisms import REGISTRY, by_slug, of_kind
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.mechanisms.hashing import LocalHashing
from ldpcore.mechanisms.rappor import Rappor
from ldpcore.parameters import Choice, Neighbors, declaration
from tests.cases import for_each

ROOT = Path(__file__).resolve().parent.parent
SEEN = ("ldpcore", "explorer", "pages")
ENGLISH = (
    "ldpcore/refusals.py",
    "ldpcore/deprecations.py",
    "ldpcore/mechanisms/arithmetic.py",
    "ldpcore/mechanisms/possible.py",
    "explorer/ui/sessionkeys.py",
    "explorer/paper/opendp.py",
)
PROGRAMMERS = "ldpcore/library/"  # what the library and its command say to whoever programs
WORDS = re.compile(r"[^\W\d_]{2,} [^\W\d_]{2,}")
GLUE = re.compile(r"^ [^\W\d_]{2,}|(?<![^\W\d_])[^\W\d_]{2,} $")
COMMANDS = re.compile(r"\\[A-Za-z]+")
MARKUP = re.compile(r"<[^<>]*>?|^[^<>]*>|[\w:-]+=\"[^\"]*\"?|^[^\"]*\"(?=[ />])|[\w-]+: [^;]*;|^; [\w-]+: .*$")
RAISES = ("Error", "Refusal", "Problem")
READS = frozenset(
    {"deferred", "compile", "sub", "fullmatch", "removeprefix", "removesuffix", "startswith", "endswith", "split"}
)
STREAMS = frozenset({"generator", "Repetitions", "averaged_noise"})  # of random numbers, by name
KEYS = frozenset({"label", "text", "markdown", "html", "say", "Term", "Said", "of", "has", "_first"}) | STREAMS
DEVELOPERS = frozenset({"possible", "rule", "samples", "snippet", "__str__", "__repr__"})


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), path.name)


def options() -> set[str]:
    """The options of declared parameters: keys in links and code, worded by the catalogue."""
    found = declaration(Neighbors)
    assert isinstance(found, Choice)
    return set(found.options)


@cache
def case_keys() -> set[str]:
    """The cases that texts have by name: `## note case one` is asked for as `case one`."""
    files = (*(entry.slug for entry in entries()), "sheet", "kit")
    headings = [key.split() for file in files for key in page_text(file)]
    return {" ".join(words[start:]) for words in headings for start in range(len(words)) if len(words) - start > 1}


def ancestors(tree: ast.Module) -> dict[ast.AST, ast.AST]:
    return {child: parent for parent in ast.walk(tree) for child in ast.iter_child_nodes(parent)}


def above(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> Iterator[ast.AST]:
    """Everything around a part of the source, from the inside."""
    while node in parents:
        node = parents[node]
        yield node


def is_harmless(node: ast.Constant, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether the place of a literal says that no reader meets it."""
    around = list(above(node, parents))
    if isinstance(around[0], ast.Expr):
        return True
    for place in around:
        match place:
            case ast.Raise() | ast.Assert():
                return True
            case ast.Call(func=func):
                name = ast.unparse(func).split(".")[-1]
                if name.endswith(RAISES) or name in READS | KEYS | {"Choice", "Interval", "warning", "cast"}:
                    return True
            case ast.Attribute(attr=attr) if attr in READS:
                return True
            case ast.Compare():
                return True
            case ast.FunctionDef(name=name) if name in DEVELOPERS:
                return True
            case ast.Assign(targets=[ast.Name(id=name)]) if re.fullmatch(r"_?[A-Z][A-Z_]*", name):
                if re.search(r"[{}<>;]", str(node.value)):
                    return True
            case ast.Assign(targets=[ast.Name(id="title" | "reference")]):
                return True  # what a mechanism is called among developers, and where it comes from
            case ast.AnnAssign(target=ast.Name(id="title" | "reference")):
                return True
            case ast.Dict(keys=keys) if node in keys:
                return True
            case ast.Assign(targets=[ast.Name(id="purpose")]):
                return True  # the name of a stream of random numbers
            case ast.keyword(arg=arg) if str(arg).endswith("position"):
                return True
    return False


def is_code(text: str, known: set[str]) -> bool:
    """Whether a literal is a key, a style or a source."""
    bare = text.strip()
    return (
        bare in known
        or bare.startswith(("ldp-", ".ldp-", "Source Sans"))
        or bare.endswith(("sans-serif", "digits"))
        or bool(re.fullmatch(r"(top|middle|bottom) (left|center|right)", bare))
        or bool(re.search(r"\((19|20)\d\d\)", text))
    )


def spoken(path: Path, known: set[str]) -> Iterator[str]:
    """The literals of a file that look like words for readers."""
    tree, suspected = parsed(path), []
    nodes = [*ast.walk(tree)]
    alone = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            text = MARKUP.sub(" ", node.value) if re.search('[<>";]', node.value) else COMMANDS.sub("", node.value)
            if (WORDS.search(text) or GLUE.search(text)) and not is_code(node.value, known):
                suspected.append((node, bool(WORDS.search(text))))
    parents = ancestors(tree) if suspected else {}
    for node, whole in suspected:
        if (whole or isinstance(parents[node], ast.JoinedStr)) and not is_harmless(node, parents):
            yield f"{path.relative_to(ROOT).as_posix()}:{node.lineno}: {node.value!r}"


def read(folder: str) -> list[Path]:
    """The files of a folder, but for what is English by design."""
    names = {path.relative_to(ROOT).as_posix(): path for path in sorted((ROOT / folder).rglob("*.py"))}
    return [path for name, path in names.items() if name not in ENGLISH and not name.startswith(PROGRAMMERS)]


@pytest.mark.parametrize("folder", SEEN)
def test_no_sentence_stands_in_the_code(folder: str) -> None:
    known = options() | case_keys() | {word for key in case_keys() for word in key.split()}
    assert len(read(folder)) > 5
    assert not [hit for path in read(folder) for hit in spoken(path, known)]


@pytest.mark.parametrize(
    "source",
    [
        'st.caption("The noise is large")',
        'figure.add(name="true answer")',
        'words = {"alt": "two bells"}',
        'svg = f"<text>noise added</text>{x}"',
        'html = "<b>two words</b>"',
        'TITLE = "Two words"',
        'label = f"{low} to {high}"',
        'name = f"column {place}"',
        'names = (f"{count} yes" for count in counts)',
    ],
)
def test_a_sentence_in_the_code_would_be_found(source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    (tmp_path / "page.py").write_text(f'"""A page of two words."""\n{source}\n', "utf-8")
    assert len(list(spoken(tmp_path / "page.py", set()))) == 1


@pytest.mark.parametrize(
    "source",
    [
        'raise ValueError("two words")',
        'svg = f\'<line x1="{x}" stroke="red blue"/>\'',
        'x = "one_word"',
        '_CSS = ".a { color: two words }"',
        're.compile("two words")',
        'rng = generator(seed, "two words")',
    ],
)
def test_what_no_reader_meets_is_let_pass(source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    (tmp_path / "page.py").write_text(f'"""A page of two words."""\n{source}\n', "utf-8")
    assert not list(spoken(tmp_path / "page.py", set()))


@pytest.mark.parametrize("language", languages())
def test_every_report_that_is_a_word_has_one_in_the_catalogue(language: str) -> None:
    """What the core calls the reports of two laws is a number, a sign or a key."""
    named, rng = catalogue_of(language).page("verify")["labels"]["ratio"], np.random.default_rng(1)
    members = [at_small_parameters(member, rng) for member in (*REGISTRY, *broken.GALLERY)]
    laws = [member.compare(*member.worst()) for member in members if member is not None]
    words = {word for law in laws for word in getattr(law, "outcomes", ()) if re.search(r"[^\W\d_]{2,}", word)}
    assert len(words) > 5 and all(f"class_{word}" in named for word in words), words


@cache
def labels_asked_for() -> list[tuple[str, str, str]]:
    """Every label that the screen asks for by a constant: (file, method, key)."""
    found = []
    for path in [*(ROOT / "explorer/ui").rglob("*.py"), *(ROOT / "pages").glob("*.py")]:
        for node in ast.walk(parsed(path)):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            method = node.func.attr
            given = [part.value if isinstance(part, ast.Constant) else ... for part in node.args]
            if method in ("label", "labels") and len(given) == 1 and isinstance(given[0], str):
                found.append((path.relative_to(ROOT).as_posix(), method, given[0]))
            if method in ("text", "markdown", "html") and given[:1] == [None] and isinstance(given[1], str):
                found.append((path.relative_to(ROOT).as_posix(), "label", given[1]))
    return found


@pytest.mark.parametrize("language", languages())
def test_every_label_that_is_asked_for_exists(language: str) -> None:
    catalogue, asked = catalogue_of(language), labels_asked_for()
    assert len(asked) > 60
    missing = []
    for place, _, key in asked:
        own = place.removeprefix("pages/").removesuffix(".py") if place.startswith("pages/") else None
        slugs = [own] if own else [None, *(entry.slug for entry in entries())]  # a part belongs to some page
        if not any(exists(catalogue, key, slug) for slug in slugs):
            missing.append((place, key))
    assert not missing


def exists(catalogue: object, key: str, slug: str | None) -> bool:
    try:
        return catalogue._label(key, slug) is not None  # type: ignore[attr-defined]
    except KeyError:
        return False


EVERY = (*REGISTRY, *broken.GALLERY, *broken.UNSEEN, *broken.MISCOUNTS)


@for_each("language", languages())
@for_each("member", EVERY, ids=lambda member: member.slug)
def test_the_level_is_called_alpha_without_a_curator_and_epsilon_with_one(member: type, language: str) -> None:
    words = catalogue_of(language).listing("labels")["mechanisms"][member.slug]
    foreign = "ε" if member.without_curator else "α"
    assert not [text for text in words.values() if foreign in text]
    entry = reference.entry(member, catalogue_of(language), catalogue_of(language).page("reference")["labels"])
    table = "".join(line for line in entry.splitlines() if line.startswith("|"))
    assert f"| {foreign} |" not in table and not re.search(r"\\[A-Za-z]", table), "letters, and no typesetter for them"


@pytest.mark.parametrize("language", languages())
def test_what_is_said_of_hashing_says_that_the_hash_is_ideal(language: str) -> None:
    mechanisms = catalogue_of(language).listing("labels")["mechanisms"]
    for member in of_kind(LocalHashing):
        assert re.search("ideal(en)? [hH]ash|درهم‌سازی آرمانی|درهم‌ساز آرمانی", mechanisms[member.slug]["about"]), (
            member.slug
        )


LEVELS = (0.001, 0.01, 0.1, 1.1, 5.0, 10.0, 37.0, 50.0)


@for_each("language", languages())
@for_each("level", LEVELS)
def test_an_answer_lifts_a_belief_and_proves_nothing_at_any_level(language: str, level: float) -> None:
    """Never from 10 % to 10 %, nor to all or nothing, nor by a factor of one: the digits tell."""
    for prior in (0.001, 0.1, 0.5, 0.999):
        result = response.Deniability(RandomizedResponse(level), prior).run()
        facts = {name: fact for name, fact in response_facts(result).items() if not isinstance(fact, Term)}
        told = {name: catalogue_of(language).write(fact) for name, fact in facts.items()}
        assert len({told["prior"], told["after_yes"], told["after_no"]}) == 3, told
        bare = {name: text.replace("\u202f", "").replace("\u00a0", "") for name, text in told.items()}
        sure = {bare[name] for name in ("after_yes", "after_no", "most") if name in bare}
        assert not {"100%", "0%"} & sure and bare["ratio"] != "1", told


@pytest.mark.parametrize("level", LEVELS)
def test_the_chance_after_a_no_keeps_its_digits(level: float) -> None:
    result = response.Deniability(RandomizedResponse(level), 0.1).run()
    assert result.chosen_after_no == pytest.approx(0.1 / (0.1 + 0.9 * math.exp(level)), rel=1e-12)


@pytest.mark.parametrize("language", languages())
def test_no_interval_is_written_with_more_digits_than_it_can_tell(language: str) -> None:
    for level, yes, n in itertools.product(LEVELS, (0, 3, 30, 29), (30,)):
        result = response.RealAnswers(RandomizedResponse(level), yes, n).run()
        for name in ("interval", "sampled", "direct"):
            written = catalogue_of(language).write(response_facts(result)[name])
            assert all(len(re.sub(r"\D", "", part)) <= 5 for part in re.split("[%٪]", written)), (level, yes, written)


@pytest.mark.parametrize("language", languages())
def test_a_plan_that_no_level_can_keep_says_so_in_its_title_too(language: str) -> None:
    """BLH to ±0.01 % and RAPPOR with its fixed plan: no level and no number of it is named."""
    for mechanism, k in ((by_slug("blh"), 10), (Rappor, 10)):
        made = Rappor.usual(1.0, k) if mechanism is Rappor else mechanism(1.0, k)  # type: ignore[call-arg]
        result = frequencies.FrequencyPlan(made, 1000, 0.1, 0.0001).run()
        assert result.case in ("impossible", "fixed")
        words = catalogue_of(language).words("frequencies", "plan", plain(frequency_facts(result)))
        assert "α =" not in words["title"] and words["title"].strip()


@pytest.mark.parametrize("language", languages())
def test_surveys_that_hardly_ever_come_are_not_counted_in_powers_of_ten(language: str) -> None:
    histogram = settings.ResponseSettings(n=10).again(10.0).run()
    note = catalogue_of(language).text("response", "again", plain(response_facts(histogram)))
    assert "⁻" not in note


def test_a_case_ends_without_a_blank_which_would_be_lost() -> None:
    """What surrounds a case is cut off, so that the blank between two sentences stands outside of it."""
    lost = re.compile(r"[.!?] +;[^{}]*\}[^\s{}]|[a-z0-9]: {2,}\S")
    for path in sorted((ROOT / "explorer" / "text").glob("*/*.*")):
        if path.suffix in (".md", ".toml"):
            hit = lost.search(path.read_text(encoding="utf-8"))
            assert hit is None, (path.name, hit)


# Several words, as a case whose slot follows a word.
STUCK = re.compile(r"[^\W\d_]@\{\w+(?:[^{}]|@?\{[^{}]*\})*?; [=\w-]+: (?P<case>[^\W\d_]+ [^;}]*)")


def stuck(text: str) -> list[str]:
    """Cases of several words that follow a word without a blank: the catalogue leaves none at an end of a case."""
    return [found["case"] for found in STUCK.finditer(text)]


@pytest.mark.parametrize("language", languages())
def test_no_case_sticks_to_the_word_before_it(language: str) -> None:
    folder = ROOT / "explorer" / "text" / language
    found = {file.name: stuck(file.read_text(encoding="utf-8")) for file in sorted(folder.iterdir()) if file.is_file()}
    assert not {name: cases for name, cases in found.items() if cases}
    assert stuck("left@{mechanism; gauss: , dearer; other: and cost a hundred times as much}")
    assert not stuck("release@{n; one: ; other: s} and a rest @{kind; one: of some words; other: of more}")
