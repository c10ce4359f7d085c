"""The tests that a change can reach: a graph of imports, read from the sources and never run.

An arrow costs one step, and none inside of one subject: a page's facts are as near to its tests as the page is. A file
that is found by looking and not imported (a page by its slug, a text by its language) stands in `FOUND`. A file that no
graph knows, a list of versions say, reaches the tests that name it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

FOLDERS = ("ldpcore", "explorer", "pages", "tests", "tools", "benchmarks")
BROWSER = "tests/browser/"
IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)|import[ \t]+([\w., \t]+))"
    r"|import_module\(\"([\w.]+)\"",
    re.MULTILINE,
)
COMMENT = re.compile(r"#[^\n]*")
# Files that nobody imports, as a pattern; who finds them ({0} is what its parentheses hold); in how many steps.
FOUND = (
    (
        r"pages/\w+\.py",
        ("tests/scenes.py", "tests/test_scenes.py", "tests/screens/opening.py", "explorer/pages/rendered.py"),
        0,
    ),
    (r"explorer/text/\w+/(\w+)\.md", ("pages/{0}.py",), 0),
    (r"explorer/text/.*\.md", ("explorer/text/catalogue.py", "explorer/text/__init__.py"), 1),
    (
        r"explorer/text/.*\.(?:md|toml)",
        ("tests/test_catalogue.py", "tests/test_wording.py", "tests/test_*language*.py"),
        0,
    ),
    (r"explorer/text/.*\.(?:py|toml)", ("tests/scenes.py", "tests/test_scenes.py"), 0),
    (r"explorer/paper/.*\.py", ("tests/test_sheets.py", "tests/test_public.py"), 1),
    (r"explorer/text/.*\.toml", ("explorer/text/catalogue.py", "explorer/text/__init__.py"), 0),
    (r"explorer/ways/.*\.toml", ("explorer/ways/__init__.py",), 0),
    (r"(explorer/pages/.*)\.toml", ("{0}.py",), 0),
    (r"explorer/.*\.(?:js|css|ts)", ("tests/test_scripts.py", "tests/browser/test_*.py"), 0),
    (r"(?:explorer/.*/)(\w+)\.(?:js|css)", ("explorer/**/{0}.py", "explorer/**/{0}/__init__.py"), 0),
    (r"tests/scripts/.*\.js", ("tests/test_scripts.py",), 0),
    (r"tests/samples/\w+\.py", ("tests/scenes.py",), 0),
    (r"tests/truths/\w+\.py", ("tests/test_truths.py",), 0),
    (r"tests/screens/(?:conftest\.py|links\.toml)", ("tests/screens/test_*.py",), 0),
    (r"tests/conftest\.py", ("tests/test_*.py", "tests/*/test_*.py"), 0),
    (r"ldpcore/mechanisms/(?!base|__init__)\w+\.py", ("ldpcore/mechanisms/__init__.py",), 1),
    (
        r"ldpcore/mechanisms/(?!base)\w+\.py",
        ("tests/conformance.py", "tests/library/members.py", "tests/test_titles.py"),
        0,
    ),
)
# The files that belong to one page or one mechanism, which the parentheses hold, and where that stands.
SUBJECTS = (
    (
        r"(?:explorer/pages/|ldpcore/experiments/|pages/|explorer/text/\w+/|tests/samples/)(\w+)(?:/.*|\.\w+)",
        "pages/{}.py",
    ),
    (r"ldpcore/mechanisms/(?!base\b|__)(\w+)\.py", "ldpcore/mechanisms/{}.py"),
)
# The tests that read sources as text, or look for modules: each change of a source reaches them.
READS_SOURCES = re.compile(r"glob\(\"(?:\*\*/)?\*\.py\"\)|walk_packages\(")
CLASS = re.compile(r"^class (\w+)", re.MULTILINE)
SLUG = re.compile(r"^    slug\b[^=\n]*= \"(\w+)\"", re.MULTILINE)


def imported(source: str) -> Iterator[str]:
    """The modules and names that a source imports, by their full names."""
    for module, names, modules, found in IMPORT.findall(COMMENT.sub("", source)):
        if module:
            yield from (f"{module}.{name.split()[0]}" for name in names.strip("() \t\n").split(",") if name.strip())
        elif found:
            yield found
        else:
            yield from (name.split()[0] for name in modules.split(",") if name.strip())


def module_of(path: str) -> str:
    """The name under which a file is imported."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def is_test(path: str) -> bool:
    """Whether pytest collects a file."""
    return path.startswith("tests/") and path.rpartition("/")[2].startswith("test_") and path.endswith(".py")


@dataclass(frozen=True)
class Tree:
    """The sources of a checkout, and their graph of uses."""

    root: Path

    @cached_property
    def sources(self) -> dict[str, str]:
        """The text of every Python file, by its path."""
        files = [path for folder in FOLDERS for path in sorted((self.root / folder).rglob("*.py"))]
        files += [path for path in [self.root / "app.py"] if path.exists()]
        return {path.relative_to(self.root).as_posix(): path.read_text("utf-8") for path in files}

    @cached_property
    def tests(self) -> dict[str, str]:
        """The text of every file of tests, by its path."""
        return {path: source for path, source in self.sources.items() if is_test(path)}

    @cached_property
    def imports(self) -> dict[str, frozenset[str]]:
        """The modules and names that every file imports, by its path."""
        return {path: frozenset(imported(source)) for path, source in self.sources.items()}

    @cached_property
    def users(self) -> dict[str, set[str]]:
        """The files that import a module or a name of it, by module; a module that is gone is among them."""
        modules = {module_of(path) for path in self.sources}
        users = defaultdict[str, set[str]](set)
        for path in self.sources:
            for name in self.imports[path]:
                users[name].add(path)
                if name not in modules:  # a name inside of a module
                    users[name.rpartition(".")[0]].add(path)
        return users

    @cached_property
    def subjects(self) -> dict[str, str | None]:
        """By source, the page or the mechanism to which it belongs."""
        return {path: self.found_subject(path) for path in self.sources}

    def subject(self, path: str) -> str | None:
        """The page or the mechanism to which a file belongs, or the file beside it; none where it has none."""
        return self.subjects[path] if path in self.subjects else self.found_subject(path)

    def found_subject(self, path: str) -> str | None:
        """The page or the mechanism that the path of a file names."""
        for pattern, place in SUBJECTS:
            if (found := re.fullmatch(pattern, path)) and (own := place.format(found[1])) in self.sources:
                return own
        return None

    @cached_property
    def followed(self) -> dict[str, tuple[tuple[str, int], ...]]:
        """The arrows of the files that were asked for before, by path."""
        return {}

    def arrows(self, path: str) -> tuple[tuple[str, int], ...]:
        """The files that use a file, and the number of steps."""
        if path not in self.followed:
            self.followed[path] = tuple(self.found_arrows(path))
        return self.followed[path]

    def found_arrows(self, path: str) -> Iterator[tuple[str, int]]:
        """The arrows of a file, as the sources and the list of what is found have them."""
        for pattern, names, steps in FOUND:
            if found := re.fullmatch(pattern, path):
                wanted = [name.format(*found.groups()) for name in names]
                yield from ((each, steps) for each in self.sources if any(matches(each, name) for name in wanted))
        if path.endswith(".py"):
            own = self.subject(path)
            yield from ((user, int(own is None or self.subject(user) != own)) for user in self.users[module_of(path)])

    def readers(self, path: str) -> set[str]:
        """The tests that read a file as text: any source, or a file that they name."""
        if path.endswith(".py"):
            return {test for test, source in self.tests.items() if READS_SOURCES.search(source)}
        name = path.rpartition("/")[2]
        return {test for test, source in self.tests.items() if name in source}

    def distances(self, changed: Iterable[str]) -> dict[str, int]:
        """The files that a change can reach, and the number of steps to each."""
        steps = dict.fromkeys(changed, 0)
        for path in tuple(steps):
            steps |= {test: 2 for test in self.readers(path) if test not in steps}
        waiting = sorted(steps)
        while waiting:
            path = waiting.pop(0)
            for each, cost in self.arrows(path):
                if steps[path] + cost < steps.get(each, 1000):
                    steps[each] = steps[path] + cost
                    waiting.append(each)
        return steps

    def near(self, changed: Iterable[str]) -> list[tuple[int, str]]:
        """The files of tests that a change can reach without a browser, with their distances.

        The nearest come first, and among equally near ones the one that imports the least.
        """
        found = [each for each in self.distances(changed).items() if each[0] in self.tests]
        ranked = sorted((steps, len(self.imports[path]), path) for path, steps in found)
        return [(steps, path) for steps, _, path in ranked if not path.startswith(BROWSER)]

    def words(self, changed: Iterable[str]) -> set[str]:
        """The names under which tests speak of the pages and mechanisms that a change is about.

        A mechanism's file has its slugs and classes; one that has no slug, those of the mechanisms made with it.
        """
        about = {subject for path in changed if (subject := self.subject(path))}
        waiting = sorted(each for each in about if not each.startswith("pages/") and not slugs(self.sources[each]))
        while waiting:
            for user in self.users[module_of(waiting.pop())]:
                if user not in about and self.subject(user) == user and not user.startswith("pages/"):
                    about.add(user)
                    waiting += [] if slugs(self.sources[user]) else [user]
        return {word for path in about for word in self.names_of(path)}

    def names_of(self, subject: str) -> set[str]:
        """The names under which tests speak of a page or a mechanism."""
        source = "" if subject.startswith("pages/") else self.sources[subject]
        return {Path(subject).stem, *slugs(source), *CLASS.findall(source)}

    def others(self, changed: Iterable[str]) -> set[str]:
        """The names of all pages and mechanisms that a change cannot reach."""
        reached = set(self.distances(changed))
        places = {*self.subjects.values()} - {None, *reached}
        return {word for place in places if place for word in self.names_of(place)} - self.words(changed)


def slugs(source: str) -> list[str]:
    """The slugs of the mechanisms that a source declares."""
    return SLUG.findall(source)


def matches(path: str, pattern: str) -> bool:
    """Whether a path is that of a pattern, in which a star stands for what has no stroke and two stand for anything."""
    wanted = re.escape(pattern).replace(r"\*\*/", "(?:.*/)?").replace(r"\*", "[^/]*")
    return re.fullmatch(wanted, path) is not None
