"""Which tests a change can reach: a graph of who imports whom, read from the sources and never run.

An arrow costs one step. What is found by looking and not imported (a page by its slug, a text by its language, a script by
its name) stands in `FOUND`, and costs none: a page's own text is as near to the page's tests as the page is.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

FOLDERS = ("ldpcore", "explorer", "pages", "tests", "tools", "benchmarks")
BROWSER = "tests/browser/"
# Files that nobody imports, as a pattern of their paths, and who finds them; {0} is the folder or the stem in parentheses.
FOUND = (
    (r"pages/\w+\.py", ("tests/scenes.py", "tests/screens/opening.py", "explorer/rooms/rendered.py")),
    (r"explorer/text/\w+/(\w+)\.md", ("pages/{0}.py", "explorer/text/catalogue.py")),
    (r"explorer/text/.*\.toml", ("explorer/text/catalogue.py",)),
    (r"explorer/ways/.*\.toml", ("explorer/ways/__init__.py",)),
    (r"explorer/.*\.(?:js|css|ts)", ("tests/test_scripts.py", "tests/browser/test_*.py")),
    (r"tests/scripts/.*\.js", ("tests/test_scripts.py",)),
    (r"tests/samples/\w+\.py", ("tests/scenes.py",)),
    (r"tests/truths/\w+\.py", ("tests/test_truths.py",)),
    (r"ldpcore/mechanisms/\w+\.py", ("tests/test_mechanisms.py", "tests/library/test_designs.py", "tests/test_titles.py")),
)
# A file that belongs to one subject, a page or a mechanism, and where the subject itself stands.
SUBJECTS = (
    (re.compile(r"(?:explorer/rooms/|pages/|explorer/text/\w+/|tests/samples/)(\w+)(?:/.*|\.\w+)"), "pages/{}.py"),
    (re.compile(r"ldpcore/mechanisms/(\w+)\.py"), "ldpcore/mechanisms/{}.py"),
)
WHOLE_TREE = re.compile(r"glob\(\"(?:\*\*/)?\*\.py\"\)")  # a test that reads all sources, which every change of one reaches


def imported(source: str) -> Iterator[str]:
    """The modules and names that a source imports, by their full names."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def module_of(path: str) -> str:
    """The name under which a file is imported."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def is_test(path: str) -> bool:
    """Whether pytest collects a file."""
    return path.startswith("tests/") and path.rpartition("/")[2].startswith("test_") and path.endswith(".py")


@dataclass(frozen=True)
class Tree:
    """The sources of a checkout, and what reaches what in it."""

    root: Path

    @cached_property
    def sources(self) -> dict[str, str]:
        """The text of every Python file, by its path."""
        files = [path for folder in FOLDERS for path in sorted((self.root / folder).rglob("*.py"))]
        files += [path for path in [self.root / "app.py"] if path.exists()]
        return {path.relative_to(self.root).as_posix(): path.read_text("utf-8") for path in files}

    @cached_property
    def users(self) -> dict[str, set[str]]:
        """By module, the files that import it or a name of it; a module that is gone is among them."""
        modules = {module_of(path) for path in self.sources}
        users = defaultdict[str, set[str]](set)
        for path, source in self.sources.items():
            for name in imported(source):
                users[name].add(path)
                if name not in modules:  # a name inside of a module
                    users[name.rpartition(".")[0]].add(path)
        return users

    def finders(self, path: str) -> set[str]:
        """Who finds a file without importing it."""
        named = (
            name.format(*found.groups()) for pattern, names in FOUND if (found := re.fullmatch(pattern, path)) for name in names
        )
        return {each for name in named for each in self.sources if each == name or Path(each).match(name)} - {path}

    def readers(self, path: str) -> set[str]:
        """The tests that read a file: all sources, or one that no module is and that they name."""
        if path.endswith(".py"):
            return {test for test, source in self.sources.items() if is_test(test) and WHOLE_TREE.search(source)}
        name = path.rpartition("/")[2]
        return {test for test, source in self.sources.items() if is_test(test) and name in source}

    def distances(self, changed: Iterable[str]) -> dict[str, int]:
        """Every file that a change can reach, and in how many steps."""
        steps = dict.fromkeys(changed, 0)
        waiting = list(steps)
        while waiting:
            path = waiting.pop(0)
            near = [(each, steps[path]) for each in self.finders(path)]
            far = self.users[module_of(path)] if path.endswith(".py") else set()
            for each, cost in [*near, *((user, steps[path] + 1) for user in sorted(far))]:
                if cost < steps.get(each, cost + 1):
                    steps[each] = cost
                    waiting.append(each)
        for path in tuple(changed):
            for test in self.readers(path):
                steps[test] = min(steps.get(test, 2), 2)
        return steps

    def subjects(self, changed: Iterable[str]) -> tuple[set[str], set[str]]:
        """The pages and mechanisms that a change is about, and those that it cannot reach.

        The second is empty where a part of the change belongs to no subject: then nothing is known of the others.
        """
        own = [subject_of(path) for path in changed]
        about = {subject for subject in own if subject}
        if None in own:
            return about, set()
        reached = set(self.distances(changed))
        places = {each[len("pages/") : -3]: each for each in self.sources if each.startswith("pages/")}
        places |= {Path(each).stem: each for each in self.sources if re.fullmatch(SUBJECTS[1][0], each)}
        return about, {subject for subject, place in places.items() if place not in reached and subject != "__init__"}


def subject_of(path: str) -> str | None:
    """The page or the mechanism to which a file belongs; none where it belongs to several."""
    found = next((found for pattern, _ in SUBJECTS if (found := pattern.fullmatch(path))), None)
    return found[1] if found and found[1] != "__init__" else None
