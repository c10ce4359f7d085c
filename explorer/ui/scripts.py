"""Scripts for the browser: modules that lie in files, joined into the one text that a component of Streamlit takes.

Another page imports them as one ES module (`module`).

Each module keeps a scope of its own and gives its exports to the modules that import it by name. Nothing else is
understood: `import { a, b } from "./other.js"`, `export const`, `export function`, `export class`, and one
`export default function` in the module that a component starts with. No comment is sent along.
"""

from __future__ import annotations

import re
from pathlib import Path

_IMPORT = re.compile(r'^import \{(\s*\w+(?:,\s*\w+)*,?\s*)\} from "(\.\.?/[\w./]+\.js)"\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:const|class|function|async function) (\w+))", re.MULTILINE)
_DEFAULT = re.compile(r"^export default function\b", re.MULTILINE)
_OTHERS = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_DOCUMENTED = re.compile(r"^ */\*\*.*?\*/ *\n?|/\*\*.*?\*/ *", re.DOTALL | re.MULTILINE)
_NOTED = re.compile(r"(?:^|(?<=\s))//.*")


def joined(entry: Path) -> str:
    """The text of the module `entry` after its imports, each once and after its own imports."""
    *others, first = _ordered(entry)
    return "\n".join([*map(_enclosed, others), _first(first)])


def module(entry: Path) -> str:
    """The text of one ES module that exports what the module `entry` does, for a page that imports it by itself."""
    *others, first = _ordered(entry)
    names = _exported(first.read_text("utf-8"))
    if not names:
        raise ValueError(f"{entry.name} must export something by name, which a page imports")
    return "\n".join(
        [*map(_enclosed, (*others, first)), f"const {{ {names} }} = ${first.stem}\nexport {{ {names} }}\n"]
    )


def run(entry: Path) -> str:
    """The text of a script that runs the module `entry`, once: for a page without modules."""
    return f"(() => {{\n{_DEFAULT.sub('return function', joined(entry))}}})()()\n"


def _ordered(entry: Path) -> list[Path]:
    """The module `entry` after its imports, each once and after its own imports."""
    order: dict[Path, None] = {}
    _list(entry.resolve(), (), order)
    stems = [path.stem for path in order]
    twice = sorted({stem for stem in stems if stems.count(stem) > 1})
    if twice:
        raise ValueError(f"modules that are joined must have names of their own; got {twice[0]}.js twice")
    return list(order)


def _list(path: Path, waiting: tuple[Path, ...], order: dict[Path, None]) -> None:
    """List the imports of a module, theirs first, and the module itself; `waiting` are the modules that led here."""
    if path in waiting:
        circle = " -> ".join(each.name for each in (*waiting[waiting.index(path) :], path))
        raise ValueError(f"a module must not import itself in a circle; got {circle}")
    if path not in order:
        for _, other in _IMPORT.findall(path.read_text("utf-8")):
            _list((path.parent / other).resolve(), (*waiting, path), order)
        order[path] = None


def _enclosed(path: Path) -> str:
    """A module in a scope of its own, as a constant with its exports."""
    text = _linked(path)
    exported = _exported(text)
    body = _EXPORT.sub(r"\1", text)
    _refuse(path, body)
    return f"const ${path.stem} = (() => {{\n{body}return {{ {exported} }}\n}})()"


def _exported(text: str) -> str:
    """The names that a module exports, as they stand between braces."""
    return ", ".join(name for _, name in _EXPORT.findall(text))


def _first(path: Path) -> str:
    """The module that a component starts with, whose default is the component's script."""
    text = _EXPORT.sub(r"\1", _linked(path))
    if len(_DEFAULT.findall(text)) != 1:
        raise ValueError(f"{path.name} must export one default function, which a component starts with")
    _refuse(path, _DEFAULT.sub("function", text))
    return text


def _linked(path: Path) -> str:
    """A module whose imports come from the constants of other modules, without its comments."""
    return _IMPORT.sub(_taken, uncommented(path.read_text("utf-8")))


def _taken(statement: re.Match[str]) -> str:
    """An import as the names taken from another module's constant."""
    names = ", ".join(re.findall(r"\w+", statement[1]))
    return f"const {{ {names} }} = ${Path(statement[2]).stem}\n"


def uncommented(text: str) -> str:
    """A script without its comments: those between `/**` and `*/`, and from `//` after a space to a line's end."""
    lines = (_NOTED.sub("", line) if "//" in line else line for line in _DOCUMENTED.sub("", text).splitlines())
    return "\n".join(filter(None, map(str.rstrip, lines))) + "\n"


def _refuse(path: Path, text: str) -> None:
    """Refuse a module that is not understood, rather than send a script that the browser refuses."""
    if other := _OTHERS.search(text):
        raise ValueError(f"{path.name} must import and export by name, one declaration a line; got {other[0]!r}")
