"""The texts of a language as one PO file, for Weblate, Poedit and other programs that translators use, and back.

    python -m tools.po export de german.po
    python -m tools.po import german.po

An entry is one text: `msgctxt` is its file and key, `msgid` its English, and a comment names its facts and choices.
An import that finds a mistake writes nothing. It writes every file all texts of which are translated; a language that
is not there yet begins with empty entries, and is offered to readers as soon as its last file is written.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from babel.core import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import PoFileError, read_po, write_po

import explorer.text as texts
from explorer.text import LANGUAGE, pseudo
from explorer.text.conventions import PSEUDO
from explorer.text.templates import Slot, TemplateParts, names, parsed
from ldpcore import __version__
from tools.textfiles import places, read, replaced

FOLDER = Path(texts.__file__).parent
PLURALS = frozenset({"zero", "one", "two", "few", "many"})  # up to the language, as are exact numbers
UNDATED = datetime(1970, 1, 1, tzinfo=UTC)  # a file says the same whenever it is exported

Files = Mapping[str, Mapping[str, str]]  # texts by their keys, by the names of their files


@dataclass(frozen=True)
class ImportedLanguage:
    """The result of a PO file: each file as it will be written, the texts that wait, and the refused ones."""

    language: str
    written: Mapping[str, str]
    waiting: Mapping[str, int]
    refused: tuple[str, ...]


def told(language: str, folder: Path = FOLDER) -> Files:
    """The texts of a language; none of one that does not exist yet."""
    if language == PSEUDO:
        english = told(LANGUAGE, folder)
        return {file: {key: pseudo.pseudo(text) for key, text in entry.items()} for file, entry in english.items()}
    files = sorted((folder / language).glob("*.*"))
    return {path.name: {place.key: place.text for place in places(path)} for path in files}


def cases(pieces: TemplateParts) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The choices of a text: the fact of each, and the cases that every language has; other plurals are its own."""
    for piece in pieces:
        if isinstance(piece, Slot) and piece.cases:
            yield piece.name, tuple(key for key, _ in piece.cases if key not in PLURALS and not key.startswith("="))
            for _, text in piece.cases:
                yield from cases(text)


def comments(english: str) -> list[str]:
    """The notes for a translator of a text: the facts that must stand in it, and its choices."""
    pieces = parsed(english)
    chosen = dict.fromkeys(cases(pieces))
    facts = dict.fromkeys(names(pieces))
    told = [f"Facts: {', '.join(f'@{{{name}}}' for name in facts)}"] if facts else []
    for name, kept in chosen:
        cased = (
            f"keep the cases {', '.join(kept)} in this order" if len(kept) > 1 else "use the plurals of your language"
        )
        told.append(f"Choice @{{{name}; …}}: {cased}")
    return told


def exported(language: str, folder: Path = FOLDER) -> Catalog:
    """The texts of a language as a catalogue of PO entries, in the order of the English files."""
    catalog = Catalog(
        locale=language,
        header_comment=f"# The texts of LDP Explorer ({language}): see “Add a language” in CONTRIBUTING.md.",
        project="LDP Explorer",
        version=__version__,
        creation_date=UNDATED,
        revision_date=UNDATED,
        fuzzy=False,
    )
    own = told(language, folder)
    for file, english in told(LANGUAGE, folder).items():
        for key, text in english.items():
            said = own.get(file, {}).get(key, "")
            entry = catalog.add(text, said, context=f"{file}: {key}", auto_comments=comments(text))
            entry.flags -= {"python-format", "python-brace-format"}  # a per cent sign is only a per cent sign here
    return catalog


def faults(english: str, said: str) -> Iterator[str]:
    """The faults of a translation, one after the other."""
    try:
        wanted, found = parsed(english), parsed(said)
    except ValueError as error:
        yield f"{error}"
        return
    facts, asked = dict.fromkeys(names(wanted)), set(names(found))
    yield from (f"@{{{name}}} is missing" for name in facts if name not in asked)
    yield from (f"@{{{name}}} is no fact of this text" for name in dict.fromkeys(names(found)) if name not in facts)
    chosen = set(cases(found))
    for name, kept in dict.fromkeys(cases(wanted)):
        if len(kept) > 1 and (name, kept) not in chosen:
            yield f"the choice @{{{name}; …}} must have the cases {', '.join(kept)} in this order"
    yield from (f"the choice @{{{name}; …}} needs the case “other”" for name, kept in cases(found) if not kept)


def _refused(file: str, key: str, english: str | None, message: Message) -> Iterator[str]:
    """The reasons why an entry cannot be taken, in whole sentences."""
    if english is None:
        yield f"{file}, {key}: English has no such text; export again."
    elif message.id != english:
        yield f"{file}, {key}: the English has changed since this was exported; export again."
    elif message.string and not message.fuzzy:
        said = str(message.string)
        yield from (f"{file}, {key}: {fault}." for fault in faults(english, said))
        if file.endswith(".md") and any(line.startswith("## ") for line in said.splitlines()):
            yield f"{file}, {key}: no line may begin with ##, as the headings of a file do."


def imported(catalog: Catalog, folder: Path = FOLDER) -> ImportedLanguage:
    """The language that a catalogue of PO entries makes."""
    english = told(LANGUAGE, folder)
    said: dict[str, dict[str, str]] = {file: {} for file in english}
    refused: list[str] = []
    for message in catalog:
        if message.id and message.context:
            file, _, key = message.context.partition(": ")
            refused += _refused(file, key, english.get(file, {}).get(key), message)
            if message.string and not message.fuzzy:
                said.setdefault(file, {})[key] = str(message.string)
    waiting = {file: len(entry) - len(said[file]) for file, entry in english.items()}
    language = str(catalog.locale_identifier)
    complete = [] if refused else [file for file, left in waiting.items() if left <= 0]
    written = {file: replaced(_pattern(folder, language, file), said[file]) for file in complete}
    return ImportedLanguage(
        language, written, {file: left for file, left in waiting.items() if left > 0}, tuple(refused)
    )


def _pattern(folder: Path, language: str, file: str) -> Path:
    """The file into which the texts are put: the language's own, or English where that has other keys or is missing."""
    english, own = folder / LANGUAGE / file, folder / language / file
    if own.exists() and [place.key for place in places(own)] == [place.key for place in places(english)]:
        return own
    return english


def known(language: str) -> bool:
    """Whether Babel knows a language, or the project makes it."""
    try:
        return language == PSEUDO or bool(Locale.parse(language))
    except (UnknownLocaleError, ValueError):
        return False


def _export(language: str, path: Path) -> Iterable[str]:
    """Write the PO file of a language; yield its faults."""
    if not known(language):
        return [f"The language must be a code that Babel knows, such as fr; got {language!r}."]
    written = BytesIO()
    write_po(written, exported(language, FOLDER), width=100)
    path.write_bytes(written.getvalue())
    return []


def _import(path: Path) -> Iterable[str]:
    """Write the files of a language from its PO file; yield its faults."""
    try:
        with path.open("rb") as file:
            catalog = read_po(file, abort_invalid=True)
    except PoFileError as error:
        return [f"{path} is no PO file: {error}."]
    if not known(str(catalog.locale_identifier)):
        return [f"The header of {path} must say its language."]
    made = imported(catalog, FOLDER)
    for name, source in made.written.items():
        own = FOLDER / made.language / name
        if not own.exists() or read(own) != source:
            own.parent.mkdir(exist_ok=True)
            own.write_bytes(source.encode("utf-8"))
            print(f"{name}: written")
    for name, left in made.waiting.items():
        print(f"{name}: not written; texts without a translation: {left}")
    return made.refused


def main(arguments: list[str] | None = None) -> int:
    """Export or import, and say each fault in one sentence."""
    parser = argparse.ArgumentParser(prog="python -m tools.po", description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    export = commands.add_parser("export", help="write the texts of a language into a PO file")
    export.add_argument("language")
    export.add_argument("file", type=Path)
    commands.add_parser("import", help="write the files of a language from a PO file").add_argument("file", type=Path)
    given = parser.parse_args(arguments)
    wrong = list(_export(given.language, given.file) if given.command == "export" else _import(given.file))
    print(*wrong, sep="\n", end="\n" * bool(wrong), file=sys.stderr)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
