"""What readers read stands in the catalogue: no sentence in the code, and no text asked for that is not there.

A literal with two words side by side is suspected. It is no text for readers, and stays, when it is
- a docstring, or part of what is raised, asserted, logged or warned of (refusals have an English of their own);
- the rule of a parameter, in a method called `rule`, or what `repr` and `str` say to developers;
- an option of a declared parameter, or the key of a text, of a case or of a stream of random numbers;
- CSS, JavaScript or HTML: a constant of a module with braces or brackets, markup without words between its tags, a list
  of classes (`ldp-...`) or of fonts, an attribute of Plotly's or of SVG's (`...position=`);
- what is read and not said: a pattern, words that are split, a beginning or an end that is taken off;
- the title of a mechanism in the core, its source (a year in parentheses), the key of a table, or a sample, in a
  function called `samples`.
In the core the English of refusals also stands in tables and arguments; it begins with a small letter, since it is the
end of a sentence. What begins with a capital there would be a text of its own.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from explorer.navigation import entries
from explorer.text import languages, page_text
from explorer.text.catalogue import catalogue_of
from ldpcore.parameters import Choice, Neighbors, declaration

ROOT = Path(__file__).resolve().parent.parent
SEEN = ("explorer/figures", "explorer/drawings", "explorer/ui", "explorer/settings", "explorer/facts", "pages")
WORDS = re.compile(r"[^\W\d_]{2,} [^\W\d_]{2,}")
MARKUP = re.compile(r"<[^<>]*>?|^[^<>]*>|[\w:-]+=\"[^\"]*\"?|^[^\"]*\"(?=[ />])|[\w-]+: [^;]*;|^; [\w-]+: .*$")
RAISES = ("Error", "Refusal", "Problem")
READS = frozenset({"compile", "sub", "fullmatch", "removeprefix", "removesuffix", "startswith", "endswith", "split"})
KEYS = frozenset({"generator", "label", "text", "markdown", "html", "say", "Term", "Said", "of"})
DEVELOPERS = frozenset({"rule", "samples", "__str__", "__repr__"})


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), path.name)


def options() -> set[str]:
    """The options of declared parameters: keys in links and code, worded by the catalogue."""
    found = declaration(Neighbors)
    assert isinstance(found, Choice)
    return set(found.options)


def case_keys() -> set[str]:
    """The cases that texts have by name: `## note case one` is asked for as `case one`."""
    headings = [key.split() for entry in entries() for key in page_text(entry.slug)]
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
            case ast.keyword(arg=arg) if str(arg).endswith("position"):
                return True
    return False


def is_code(text: str, known: set[str]) -> bool:
    """Whether a literal is a key, a style or a source."""
    bare = text.strip()
    return (
        bare in known
        or bare.startswith("ldp-")
        or bare.endswith("sans-serif")
        or bool(re.fullmatch(r"(top|middle|bottom) (left|center|right)", bare))
        or bool(re.search(r"\((19|20)\d\d\)", text))
    )


def spoken(path: Path, known: set[str]) -> Iterator[str]:
    """The literals of a file that look like words for readers."""
    tree = parsed(path)
    parents = ancestors(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = MARKUP.sub(" ", node.value) if re.search('[<>";]', node.value) else node.value
            if WORDS.search(text) and not is_code(node.value, known) and not is_harmless(node, parents):
                yield f"{path.relative_to(ROOT).as_posix()}:{node.lineno}: {node.value!r}"


@pytest.mark.parametrize("folder", SEEN)
def test_no_sentence_stands_in_the_code(folder: str) -> None:
    known = options() | case_keys()
    found = [hit for path in sorted((ROOT / folder).rglob("*.py")) for hit in spoken(path, known)]
    assert not found


def test_the_core_says_nothing_but_refusals() -> None:
    known = options()
    found = [hit for path in sorted((ROOT / "ldpcore").rglob("*.py")) for hit in spoken(path, known)]
    assert not [hit for hit in found if re.search(r": [\"'] ?[A-Z][a-z]+ ", hit)]


@pytest.mark.parametrize(
    "source",
    [
        'st.caption("The noise is large")', 'figure.add(name="true answer")', 'words = {"alt": "two bells"}',
        'svg = f"<text>noise added</text>{x}"', 'html = "<b>two words</b>"', 'TITLE = "Two words"',
    ],
)  # fmt: skip
def test_a_sentence_in_the_code_would_be_found(source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    (tmp_path / "page.py").write_text(f'"""A page of two words."""\n{source}\n', "utf-8")
    assert len(list(spoken(tmp_path / "page.py", set()))) == 1


@pytest.mark.parametrize(
    "source",
    [
        'raise ValueError("two words")', 'svg = f\'<line x1="{x}" stroke="red blue"/>\'', 'x = "one_word"',
        '_CSS = ".a { color: two words }"', 're.compile("two words")', 'rng = generator(seed, "two words")',
    ],
)  # fmt: skip
def test_what_no_reader_meets_is_let_pass(source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    (tmp_path / "page.py").write_text(f'"""A page of two words."""\n{source}\n', "utf-8")
    assert not list(spoken(tmp_path / "page.py", set()))


def labels_asked_for() -> Iterator[tuple[str, str, str]]:
    """Every label that the screen asks for by a constant: (file, method, key)."""
    for path in [*(ROOT / "explorer/ui").rglob("*.py"), *(ROOT / "pages").glob("*.py")]:
        for node in ast.walk(parsed(path)):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            method = node.func.attr
            given = [part.value if isinstance(part, ast.Constant) else ... for part in node.args]
            if method in ("label", "labels") and len(given) == 1 and isinstance(given[0], str):
                yield path.relative_to(ROOT).as_posix(), method, given[0]
            if method in ("text", "markdown", "html") and given[:1] == [None] and isinstance(given[1], str):
                yield path.relative_to(ROOT).as_posix(), "label", given[1]


@pytest.mark.parametrize("language", languages())
def test_every_label_that_is_asked_for_exists(language: str) -> None:
    catalogue, asked = catalogue_of(language), list(labels_asked_for())
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
