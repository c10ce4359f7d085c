"""The house keeps its own rules: who may import whom, what must be registered, written down and named."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
import tokenize
import tomllib
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import explorer.figures.theme as theme
from explorer import navigation
from explorer.text import languages, listing, page_text, templates
from explorer.text.catalogue import catalogue_of
from ldpcore import mechanisms
from ldpcore.mechanisms.base import Mechanism
from tests.scenes import declared

ROOT = Path(__file__).resolve().parent.parent
OURS = ("app", "pages", "explorer", "ldpcore", "tools", "benchmarks")
HEAVY = {"babel", "python_calamine", "numpy", "scipy", "pandas", "streamlit", "plotly", "segno", "sqlalchemy"}


def sources(*folders: str) -> list[Path]:
    """The Python files of some folders of the project."""
    return sorted(
        path
        for folder in folders
        for path in ([ROOT / folder] if folder.endswith(".py") else (ROOT / folder).rglob("*.py"))
    )


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imports(tree: ast.AST) -> Iterator[str]:
    """The full names of all imported modules."""
    for node in walked(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(text_of(path), named(path))


@cache
def walked(tree: ast.AST) -> tuple[ast.AST, ...]:
    """All parts of a file, gone through once for all who ask."""
    return tuple(ast.walk(tree))


FILES = sources("ldpcore", "explorer", "pages", "app.py")


def guesses(path: Path) -> Iterator[str]:
    """Where a file asks whether something has a name, or reads one that it does not write down.

    Fields of a dataclass may be gone through (`field.name`), and what is one's own may be asked for by name.
    """
    for node in walked(parsed(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("hasattr", "getattr"):
            held, name = map(ast.unparse, node.args[:2])
            reads = node.func.id == "getattr" and len(node.args) == 2
            if not reads or not (held == "self" or name.endswith(".name") or named(path).startswith("ldpcore/")):
                yield f"{named(path)}:{node.lineno}: {ast.unparse(node)}"


def test_nobody_guesses_what_another_folder_hands_over() -> None:
    found = [guess for path in FILES for guess in guesses(path)]
    assert not found, "a contract is a type: say on the class what everybody may ask of it"


TYPED = ("ldpcore", "pages", "tools", "explorer")  # where a signature says what it takes
THROUGHOUT = ("pages/", "explorer/")  # where the methods of a class that is handed on do so too
Meant = tuple[str, str]  # the module where something is written, and its name there
ANY: Meant = ("typing", "Any")


def module_of(path: Path) -> str:
    return named(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")


MODULES = {module_of(path): path for path in [*FILES, *sources("tools", "benchmarks")]}


@cache
def taken_in(module: str) -> dict[str, Meant]:
    """What a module imports by name, as it calls it."""
    nodes = [node for node in walked(parsed(MODULES[module])) if isinstance(node, ast.ImportFrom)]
    return {alias.asname or alias.name: (node.module or "", alias.name) for node in nodes for alias in node.names}


def written(module: str, name: str) -> Meant:
    """Where a name of a module is written: a folder hands on what its files hold."""
    while module in MODULES and taken_in(module).get(name, (module, name)) != (module, name):
        module, name = taken_in(module)[name]
    return (module, name) if name != "Any" else ANY


def meant(module: str, node: ast.AST) -> Iterator[Meant]:
    """Whatever an expression of a module names, also in quotes."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            yield written(module, part.id)
        elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
            yield written(".".join(written(module, part.value.id)), part.attr)
        elif isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield from (written(module, name) for name in re.findall(r"\w+", part.value))


@cache
def handed_over() -> set[Meant]:
    """What files of other folders use."""
    handed = set()
    for module, path in MODULES.items():
        own = taken_in(module)
        used = {written(module, name) for name in own}
        for node in walked(parsed(path)):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in own:
                used.add(written(".".join(own[node.value.id]), node.attr))
        handed |= {each for each in used if each[0] in MODULES and MODULES[each[0]].parent != path.parent}
    return handed


def called(node: ast.stmt) -> tuple[str, ast.expr | None]:
    """The name of what a module holds, and what stands behind it where that is no function and no class."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return node.name, None
    target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    quoted = isinstance(node, ast.AnnAssign) and "TypeAlias" in ast.unparse(node.annotation)
    value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
    type_ = value if quoted or isinstance(value, (ast.Name, ast.Attribute, ast.Subscript, ast.BinOp)) else None
    return (target.id if isinstance(target, ast.Name) else "_"), type_


@cache
def just_anything() -> set[Meant]:
    """`Any`, and every name of a type that it is part of."""
    loose: set[Meant] = set()
    more = {ANY}
    while more - loose:
        loose |= more
        for module, path in MODULES.items():
            types = (called(node) for node in parsed(path).body)
            more |= {(module, name) for name, type_ in types if type_ and not loose.isdisjoint(meant(module, type_))}
    return loose


def annotations(node: ast.stmt, methods: bool) -> Iterator[ast.expr]:
    """What a function takes and gives; what a class is made of, and its public `methods`; or a type by its name."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        own = node.args
        every = (*own.posonlyargs, *own.args, *own.kwonlyargs, own.vararg, own.kwarg)
        yield from filter(None, (node.returns, *(each.annotation for each in every if each)))
    elif isinstance(node, ast.ClassDef):
        yield from node.bases
        yield from (part.annotation for part in node.body if isinstance(part, ast.AnnAssign))
        inside = node.body if methods else ()
        public = [part for part in inside if (name := called(part)[0])[0] != "_" or name.endswith("__")]
        yield from (each for part in public for each in annotations(part, methods))
    elif (type_ := called(node)[1]) is not None:
        yield type_


def test_nothing_that_another_folder_uses_takes_or_gives_just_anything() -> None:
    assert len(handed_over()) > 1000
    loose = [
        f"{named(path)}:{node.lineno}: {called(node)[0]}"
        for path in sources(*TYPED)
        for node in parsed(path).body
        if not called(node)[0].startswith("_") and (module_of(path), called(node)[0]) in handed_over()
        for each in annotations(node, named(path).startswith(THROUGHOUT))
        if not just_anything().isdisjoint(meant(module_of(path), each))
    ]
    assert not loose, "between folders stands a type; what may be anything is an object"


LONG = 600  # lines, from which on a file is worth a second look
LEANING = re.compile(r"(The same|Of|So has)\b")  # on the docstring above, or on the name below
NOUNS_FIRST = ("app.py", "pages", "ldp_explorer", "ldpcore", "explorer", "tools", "benchmarks")
NOUNLESS = re.compile(r"(Who|Whose|Whom|Whoever|What|So|As|That|Those|Them|It|They|Its|Each)\b")
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
OUR_NAME = re.compile(r"`((?:ldpcore|explorer)(?:\.\w+)+)(?:\(\))?`")


def docstrings(path: Path) -> Iterator[tuple[str, str]]:
    """The place and the text of every docstring of a file."""
    for node in walked(parsed(path)):
        if isinstance(node, DOCUMENTED) and (text := ast.get_docstring(node)):
            yield f"{named(path)}:{node.body[0].lineno}", text


def leans(place: str, text: str) -> bool:
    """Whether a docstring begins with a word that stands for a noun said elsewhere."""
    nounless = re.match(rf"({'|'.join(map(re.escape, NOUNS_FIRST))})[/:]", place) and NOUNLESS.match(text)
    return bool(LEANING.match(text) or nounless)


def test_a_docstring_stands_alone() -> None:
    held = [each for path in [*FILES, *sources("ldp_explorer", "tools", "benchmarks")] for each in docstrings(path)]
    leaning = [place for place, text in held if leans(place, text)]
    assert not leaning, "a docstring names its noun first: what comes back, of what, and needs no other to be read"


@pytest.mark.parametrize(
    "riddle", ["Each of them.", "So many more are done.", "That of a count of nobody.", "Who is it?"]
)
@pytest.mark.parametrize("place", ["ldpcore/questions.py", "explorer/host/pool.py", "pages/ask.py", "tools/quick.py"])
def test_a_docstring_without_a_noun_is_seen(place: str, riddle: str) -> None:
    assert leans(f"{place}:1", riddle)
    assert not leans(f"{place}:1", "The number of people.")
    assert not leans(f"{place}:1", "Assouad's bounds, from 2^d worlds.")


def exists(name: str) -> bool:
    """Whether a dotted name is a module of ours, or something that one holds."""
    module, _, last = name.rpartition(".")
    return name in MODULES or (
        module in MODULES
        and (last in taken_in(module) or last in {called(node)[0] for node in parsed(MODULES[module]).body})
    )


def test_a_module_that_a_docstring_names_exists() -> None:
    assert exists("ldpcore.laws.divergences") and exists("ldpcore.randomness.secure")
    assert not exists("ldpcore.divergences") and not exists("ldpcore.laws.divergences.nothing")
    names = {
        (place, name)
        for path in MODULES.values()
        for place, text in docstrings(path)
        for name in OUR_NAME.findall(text)
    }
    assert len(names) > 20
    assert not sorted((place, name) for place, name in names if not exists(name))


def test_what_a_view_asks_is_a_question_and_never_any_value() -> None:
    methods = [
        (named(path), node)
        for path in sources("explorer/pages")
        for node in walked(parsed(path))
        if path.stem == "settings" and isinstance(node, ast.FunctionDef) and "level" in [a.arg for a in node.args.args]
    ]
    assert len(methods) > 90
    loose = [f"{file}: {node.name}" for file, node in methods if "Any" in ast.unparse(node.returns or ast.Name("Any"))]
    assert not loose, "Asking and Questions are in ldpcore/questions.py"


def test_every_folder_says_what_it_is_and_what_it_may_import() -> None:
    folders = sorted({path.parent for path in FILES} - {ROOT, ROOT / "pages"})
    texts = {folder: ast.get_docstring(parsed(folder / "__init__.py")) or "" for folder in folders}
    assert not [named(folder) for folder, text in texts.items() if not text]
    silent = [folder for folder, text in texts.items() if "ay import" not in text]
    assert not [named(folder) for folder in silent if folder.parent in (ROOT, ROOT / "explorer")]


def test_no_top_level_name_shadows_the_standard_library_or_a_dependency() -> None:
    dependencies = HEAVY | {"pytest", "hypothesis", "mypy", "ruff", "playwright"}
    for name in OURS:
        assert name not in sys.stdlib_module_names
        assert name not in dependencies


def test_no_module_keeps_something_that_can_change() -> None:
    for path in FILES:
        for node in parsed(path).body:
            kept = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) != "__all__"
            if kept and isinstance(node.value, (ast.List, ast.Set, ast.ListComp, ast.SetComp)):
                pytest.fail(f"{named(path)}:{node.lineno} keeps a list or a set at module level; make it a tuple")


def test_nothing_heavy_is_loaded_before_it_is_used() -> None:
    """A first run waits for what it imports; SciPy's parts and pandas come with the first call that needs them."""
    asked = {
        ast.unparse(node)
        for path in sources("pages", "app.py")
        for node in walked(parsed(path))
        if isinstance(node, (ast.Import, ast.ImportFrom))
    }
    heavy = {
        "fontTools",
        "fpdf",
        "pandas",
        "pyarrow",
        *(f"scipy.{part}" for part in ("linalg", "optimize", "signal", "special", "stats")),
    }
    code = "\n".join([*sorted(asked), "import sys", f"print(*sorted({heavy} & set(sys.modules)))"])
    process = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, encoding="utf-8"
    )
    assert process.stdout.split() == []


# What Streamlit keeps to itself may be gone tomorrow.
KEPT_TO_ITSELF = (
    "_rerun_data",
    "requests._state",
    "get_session_state(",
    "is_bound",
    "is_history_navigation",
    "set_initial_query_params_from_current",
    "uploaded_file_mgr",
)
INSIDE = (
    "explorer/ui/internals.py"  # which alone goes past Streamlit's front door; tests/test_internals.py says where to
)
BEHIND = ("st.runtime", "st.errors", "st.components", "st.proto", "st.web")
LAYERS = "starlette.middleware.Middleware"  # how streamlit.App takes the layers around the server


def past_the_front_door(tree: ast.AST) -> Iterator[str]:
    """What a file takes of Streamlit, or of its server, but by `import streamlit as st`."""
    for node in walked(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield from {f"{node.value.id}.{node.attr}"} & {*BEHIND}
    yield from (name for name in imports(tree) if re.match(r"(streamlit|starlette)\.", name))


def test_nothing_that_streamlit_keeps_to_itself_is_read() -> None:
    assert not {(named(path), name) for path in FILES for name in KEPT_TO_ITSELF if name in text_of(path)}
    for path in FILES:
        for node in walked(parsed(path)):
            if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__"):
                owner = ast.unparse(node.value)
                assert owner.split(".")[0] != "st", f"{named(path)}:{node.lineno} {owner}.{node.attr}"


def test_one_module_alone_goes_past_the_front_door_of_streamlit() -> None:
    used = {named(path): set(past_the_front_door(parsed(path))) for path in FILES}
    assert used.pop(INSIDE)
    assert used.pop("app.py") == {LAYERS, LAYERS.rpartition(".")[0]}
    assert not {place: names for place, names in used.items() if names}


@pytest.mark.parametrize(
    "planted",
    [
        "from streamlit.runtime import get_instance",
        "import streamlit.proto.BackMsg_pb2",
        "def hidden():\n    from starlette.routing import Route",
        "import streamlit as st\nst.runtime.exists()",
        "import streamlit as st\nBOX = st.components.v2.component('box')",
    ],
)
def test_a_way_past_the_front_door_is_found(planted: str) -> None:
    assert list(past_the_front_door(ast.parse(planted)))


def test_a_long_file_is_warned_of() -> None:
    """No rule: one file may be longer than others for a reason. Whoever reads the warning knows whether it has one."""
    for path in FILES:
        if (lines := len(text_of(path).splitlines())) > LONG:
            warnings.warn(f"{named(path)} has {lines} lines; does it hold two ideas?", stacklevel=1)


LEFT_ALONE = 0  # tables that the formatter does not lay out: each looks shorter than it is, and must say why


def comments(path: Path) -> Iterator[str]:
    with tokenize.open(path) as file:
        yield from (token.string for token in tokenize.generate_tokens(file.readline) if token.type == tokenize.COMMENT)


def test_what_the_formatter_leaves_alone_is_rare_and_has_its_reason() -> None:
    files = [*FILES, *sources("tests", "tools", "benchmarks", "data")]
    files = [path for path in files if re.search(r"#\s*(fmt|yapf):", text_of(path))]
    marks = [(named(path), note) for path in files for note in comments(path) if re.match(r"#\s*(fmt|yapf):", note)]
    assert len(marks) <= LEFT_ALONE, marks
    assert all(re.match(r"# fmt: skip # \w+ \w+", note) for _, note in marks), marks


def concrete(module: Any) -> Iterator[type[Mechanism]]:
    """The mechanisms that a module defines and that can be made."""
    for _, member in inspect.getmembers(module, inspect.isclass):
        if issubclass(member, Mechanism) and member.__module__ == module.__name__ and not inspect.isabstract(member):
            yield member


def test_every_mechanism_is_registered_once() -> None:
    defined: set[type[Mechanism]] = set()
    for module in pkgutil.walk_packages(mechanisms.__path__, "ldpcore.mechanisms."):
        defined |= {cls for cls in concrete(importlib.import_module(module.name)) if "slug" in vars(cls)}
    assert defined == set(mechanisms.REGISTRY), {cls.__name__ for cls in defined ^ set(mechanisms.REGISTRY)}
    slugs = [member.slug for member in mechanisms.REGISTRY]
    assert len(set(slugs)) == len(slugs) == len(mechanisms.REGISTRY)


def test_the_registry_finds_each_mechanism_by_its_slug_and_by_every_kind_it_is_of() -> None:
    """By classes all of which are loaded: the registry itself loads by what its lines say, and they could be wrong."""
    for member in mechanisms.REGISTRY:
        assert mechanisms.by_slug(member.slug) is member
    kinds = {base for member in mechanisms.REGISTRY for base in member.__mro__ if issubclass(base, Mechanism)}
    assert {*mechanisms.KINDS} < kinds
    for kind in kinds:
        assert mechanisms.of_kind(kind) == tuple(each for each in mechanisms.REGISTRY if issubclass(each, kind)), kind


@pytest.mark.parametrize(("asked", "strangers"), [("CentralRelease", "grr pm"), ("CategoryRandomizer", "gauss pm")])
def test_a_kind_loads_no_mechanism_of_another(asked: str, strangers: str) -> None:
    code = f"import sys; from ldpcore.mechanisms import base, of_kind; of_kind(base.{asked}); print(*sys.modules)"
    process = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    others = {mechanisms.by_slug(slug).__module__ for slug in strangers.split()}
    assert others.isdisjoint(process.stdout.split()), "a page pays for what it does not show"


def test_every_mechanism_explains_itself() -> None:
    for member in mechanisms.REGISTRY:
        assert member.title
        assert member.reference
        assert inspect.getdoc(member)


def test_every_kind_has_a_heading_on_the_reference_page() -> None:
    titles = page_text("reference")["labels"]["kinds"]
    assert {kind.__name__ for kind in mechanisms.KINDS} <= set(titles)


PAGES = navigation.entries()


def test_every_page_file_is_in_the_navigation_and_the_other_way_round() -> None:
    assert {entry.path for entry in PAGES} == set((ROOT / "pages").glob("*.py"))
    assert navigation.entries()[0].slug == navigation.DEFAULT


def test_every_page_has_an_icon_that_streamlit_knows() -> None:
    known = importlib.import_module("streamlit.material_icon_names").ALL_MATERIAL_ICONS
    planned = [entry for _, entries in navigation.order() for entry in entries]
    assert not [(entry.slug, entry.icon) for entry in planned if entry.icon not in known]


@pytest.mark.parametrize("entry", PAGES, ids=lambda entry: entry.slug)
def test_a_page_names_its_slug_ends_by_running_and_has_its_texts(entry: navigation.PageEntry) -> None:
    for language in languages():
        texts = page_text(entry.slug, language)
        assert texts["question"].endswith(("?", "؟"))
        answers = {key for key in texts if key.split()[0] == "answer"}
        told = {"answer"} <= answers or {key.split()[1] for key in answers} == {*declared(entry.slug).views}
        assert "name" in texts and told, "one answer for the page, or one for each of its views"
        reveals = {key for key in texts if key.startswith("task ") and not key.endswith(" reveal")}
        assert {f"{key} reveal" for key in reveals} <= set(texts)
    source = entry.path.read_text(encoding="utf-8")
    assert re.search(rf'^page = Page\[\w+\]\(\s*"{entry.slug}"', source, re.MULTILINE)
    assert source.endswith("\npage.run()\n")


STAGED = [entry for entry in PAGES if declared(entry.slug).views]


@pytest.mark.parametrize("entry", STAGED, ids=lambda entry: entry.slug)
def test_every_view_has_a_title_and_says_what_its_picture_shows(entry: navigation.PageEntry) -> None:
    views = declared(entry.slug).views
    assert views
    for language in languages():
        texts = page_text(entry.slug, language)
        assert {f"view {slug}" for slug in views} <= set(texts), language
        silent = [slug for slug in views if not says_its_alt(texts["labels"].get(slug, {}))]
        assert not silent, f"{language}/{entry.slug}.md: no alt in {silent}"


def says_its_alt(table: Any) -> bool:
    """Whether a view's words have a text for those who cannot see it: one for all, or one for each of its cases."""
    cases = [case for name, case in table.items() if name != "hidden" and hasattr(case, "items")]
    return "alt" in table or (bool(cases) and all("alt" in case for case in cases))


def asked_for(entry: navigation.PageEntry) -> Iterator[tuple[str, str]]:
    """The methods of the page and the text keys, written as constants, that it calls them with."""
    for node in ast.walk(parsed(entry.path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            first = node.args[0]
            if ast.unparse(node.func.value) == "shown" and isinstance(first, ast.Constant):
                yield node.func.attr, str(first.value)


@pytest.mark.parametrize("entry", PAGES, ids=lambda entry: entry.slug)
def test_a_page_asks_only_for_texts_that_exist(entry: navigation.PageEntry) -> None:
    texts = page_text(entry.slug)
    for method, key in asked_for(entry):
        if method == "say":
            assert key in texts, f"{entry.slug}.md has no ## {key}"
        if method == "title":
            assert f"view {key}" in texts, f"{entry.slug}.md has no ## view {key}"
        if method == "label":
            assert catalogue_of("en").label(key, entry.slug)


def strings(value: Any) -> Iterator[str]:
    """All texts inside a table of texts."""
    if isinstance(value, str):
        yield value
    elif hasattr(value, "values"):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from strings(inner)


def test_every_placeholder_can_be_filled() -> None:
    for language in languages():
        folder = ROOT / "explorer" / "text" / language
        tables = [page_text(path.stem, language) for path in folder.glob("*.md")]
        tables += [listing(path.stem, language) for path in folder.glob("*.toml")]
        for text in (text for table in tables for text in strings(table)):
            asked = list(templates.names(templates.parsed(text)))  # raises where a slot is malformed
            assert len(asked) >= text.count("@{"), text


def test_every_language_says_everything() -> None:
    reference = {path.name for path in (ROOT / "explorer/text/en").iterdir()}
    for language in languages():
        assert {path.name for path in (ROOT / "explorer/text" / language).iterdir()} == reference


def test_every_preset_sets_known_pages_with_texts() -> None:
    known = {entry.slug for _, entries in navigation.order() for entry in entries}
    for preset in listing("labels")["presets"]:
        assert preset["page"] in known
        assert preset["title"]
        for key, value in preset["parameters"].items():
            assert isinstance(value, str), f"{key} must be a text, as links are"
            assert key in ("epsilon", "data") or key.startswith(preset["page"] + "_")


def test_every_term_has_a_german_and_a_persian_name() -> None:
    glossary = listing("glossary")
    terms = [term["en"] for term in glossary["terms"]]
    assert len(set(terms)) == len(terms)
    for term in glossary["terms"]:
        assert term["group"] in glossary["groups"]
        assert term["de"]
        assert any("\u0600" <= letter <= "\u06ff" for letter in term["fa"]), term["en"]
        assert term["text"].endswith(".")


def config() -> dict[str, Any]:
    return tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))


def test_the_server_is_set_as_measured() -> None:
    settings = config()
    assert settings["runner"]["postScriptGC"] is False
    assert settings["server"]["fileWatcherType"] == "none"
    assert settings["server"]["maxUploadSize"] == 60
    assert settings["browser"]["gatherUsageStats"] is False
    assert {"light", "dark"} <= set(settings["theme"])


def test_palettes_have_ten_colors_each_and_are_those_of_the_figures() -> None:
    themes = config()["theme"]
    for palette in ("chartCategoricalColors", "chartSequentialColors", "chartDivergingColors"):
        assert len(set(themes[palette])) == 10
    assert tuple(themes["chartCategoricalColors"]) == theme.PALETTE


def test_page_and_figures_share_paper_and_ink() -> None:
    themes = config()["theme"]
    for name, look in (("light", theme.Look()), ("dark", theme.Look(dark=True))):
        assert themes[name]["backgroundColor"] == look.paper
        assert themes[name]["textColor"] == look.ink
