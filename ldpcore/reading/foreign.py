"""The format of a file that is no plain table of text: the kinds that a process of its own opens, by how they begin.

No pattern looks at the file, and no more than its beginning and the list of files at the end of a zip is looked at.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from io import BytesIO
from itertools import pairwise
from typing import Literal

from ldpcore.reading.files import LARGEST, MEGABYTE, first_bytes, guessed_encoding
from ldpcore.reading.repacking import PLAIN
from ldpcore.tables.table import TableError, shortened

FileFormat = Literal["", "book", "parquet", "arrow", "stata", "html", "json", "drawn"]
TEXTS: tuple[FileFormat, ...] = ("html", "json")  # whose bytes are text in some encoding

ZIP, PARTS = b"PK\x03\x04", (b"xl/workbook.xml", b"content.xml")
END = struct.Struct("<12xI6x")  # of a zip, behind its list of files, whose size it tells
COMMENT, MARGIN = 1 << 16, 128  # bytes that may stand behind it, and before it where there are very many files
OLE, LOCKED = b"\xd0\xcf\x11\xe0", "EncryptedPackage".encode("utf-16-le")  # how Excel begins to write with a password
STREAMS = ("Workbook".encode("utf-16-le"), "Book".encode("utf-16-le"))  # of a workbook before 2007
OLD_STATA = frozenset((104, 105, 108, 110, 111, 113, 114, 115))  # versions, in the first byte
MOST_FILES = 1_000  # of a zip
TABULAR = frozenset(
    "csv tsv tab txt dat xlsx xlsm xls ods json jsonl ndjson parquet feather arrow dta html htm".split()
)
NUMBERS, MAC = ".numbers/", "__MACOSX/"  # how a document of Numbers is called; what the Finder packs beside files
ASIDE = ("readme", "license", "licence", "lizenz", "liesmich", "metadata", "codebook")  # files that tell of a table
DOCUMENTS = (  # what else is saved as a zip: a part that it has, what it is, and what to do with it
    ("word/", "document", "save"),
    ("ppt/", "slides", "save"),
    ("xl/workbook.bin", "binary-excel", "sheet"),
    ("Index/Document.iwa", "numbers", "export"),
    ("Index.zip", "numbers", "export"),
    ("content.xml", "document", "save"),
    ("META-INF/container.xml", "document", "save"),
)
PAGES = ("<!doctype html", "<html", "<table", "<head", "<body", "<thead", "<tbody", "<caption")
OPENINGS = (*PAGES, "<?xml", "<!--", "<meta", "<style", "<div", "<center", "<font", "<p>", "<h1", "<h2", "<title")
RULES = frozenset("|+-:= \t")  # what a line of dashes between names and people is made of
LATEX_TABLES = ("tabular", "longtable", "array", "tblr", "matrix")  # tables of LaTeX
CORNERS = ("┌", "╔", "┏", "╭")  # how a terminal's box begins
LOOK = 1 << 16  # bytes that tell


def is_workbook(raw: bytes) -> bool:
    """Whether a file is a workbook of Excel's or LibreOffice's: a zip that lists such parts, an old or a locked one."""
    if raw.startswith(OLE):
        return is_locked(raw) or any(stream in raw for stream in STREAMS)
    if not raw.startswith(ZIP) or b"mimetypeapplication/vnd.oasis.opendocument.text" in raw[:128]:
        return False
    place = _end(raw)
    (size,) = END.unpack_from(raw, place) if 0 <= place <= len(raw) - END.size else (len(raw),)
    end = place if place >= 0 else len(raw)  # a zip whose list is lost may still be a damaged workbook
    return any(raw.find(part, max(end - size - MARGIN, 0), end) >= 0 for part in PARTS)


def _end(raw: bytes) -> int:
    """The place where the end of a zip begins, behind its list of files; -1 where there is none."""
    return raw.rfind(b"PK\x05\x06", max(len(raw) - COMMENT - END.size, 0))


def is_locked(raw: bytes) -> bool:
    """Whether a file is a workbook that Excel has saved with a password: another container, whatever it holds."""
    return raw.startswith(OLE) and LOCKED in raw


def kind_of_file(raw: bytes) -> FileFormat:
    """The kind of a file that only a process of its own may open, or that is refused; nothing for any other."""
    if raw.startswith((ZIP, OLE)):
        return "book" if is_workbook(raw) else ""
    if raw.startswith(b"PAR1"):
        return "parquet"
    if raw.startswith(b"ARROW1\0\0"):
        return "arrow"
    if raw.startswith(b"<stata_dta>") or (
        raw[:1] and raw[0] in OLD_STATA and raw[1:4] in (b"\x01\x01\0", b"\x02\x01\0")
    ):
        return "stata"
    return _kind_of_text(raw)


def _kind_of_text(raw: bytes) -> FileFormat:
    """Whether a text is a web page or JSON, or holds a drawn table, which nobody reads; by how it begins."""
    try:
        head = raw[:LOOK].decode(guessed_encoding(raw[:LOOK], ""), "replace").lstrip("\ufeff \t\r\n")
    except TableError:
        return ""
    if is_json(head, raw):
        return "json"
    if is_page(head):
        return "html"
    return "drawn" if _is_drawn(head.splitlines()) else ""


def is_json(head: str, raw: bytes) -> bool:
    """Whether a text begins as JSON does: an object, or a list of objects, of lists, of numbers or of words."""
    inner = head[1:].lstrip()[:1]
    if head.startswith("{"):
        return inner in ('"', "}")
    if not head.startswith("[") or not inner:
        return False
    return inner in "{[" or (inner in '"-0123456789' and raw[-9:].rstrip().endswith(b"]"))


def is_page(head: str) -> bool:
    """Whether a text begins as a web page, or as a part of one that holds a table."""
    small = head.lower()
    if small.startswith(PAGES):
        return small.startswith(PAGES[:2]) or "<tr" in small
    return small.startswith(OPENINGS) and ("<table" in small or "<html" in small)


def _is_drawn(lines: list[str]) -> bool:
    """Whether a table drawn with signs, or one of LaTeX, begins somewhere; a cell in quotes may hold anything."""
    quotes = 0
    for line, below in pairwise([*lines, ""]):
        inside, quotes = quotes % 2, quotes + line.count('"')
        if not inside and quotes % 2 == 0 and (_begins_table(line) or _names_above(line, below)):
            return True
    return False


def _begins_table(line: str) -> bool:
    """Whether a line begins a table of LaTeX, or a terminal's box."""
    bare = line.strip(" \t$")
    if bare.startswith("\\") and "\\begin{" in bare:
        return any(name in bare for name in LATEX_TABLES)
    return bare.startswith(CORNERS)


def _names_above(line: str, below: str) -> bool:
    """Whether names stand above a line of dashes that is cut as often: |---|:-:|, ---+--- or +=====+."""
    rule = below.replace("=", "-").replace("+", "|")
    if "|" not in line or "|" not in rule or "--" not in rule or RULES.issuperset(line) or not RULES.issuperset(rule):
        return False
    return _bars(line.replace("\\|", "")) == _bars(rule)


def _bars(line: str) -> int:
    """The number of bars in a line, without those at its ends."""
    return line.strip().strip("|").count("|")


def opens_apart(raw: bytes) -> bool:
    """Whether the file, or the one packed in it, is opened by a process of its own: only one may be at a time."""
    head = first_bytes(raw, LOOK)
    return head.startswith((ZIP, OLE)) or kind_of_file(head) not in ("", "drawn")


def only_table(raw: bytes, name: str, largest: int = LARGEST) -> tuple[bytes, str]:
    """The one table that a zip holds, unpacked step by step up to a limit, and its name."""
    place = _end(raw)
    count = int.from_bytes(raw[place + 10 : place + 12], "little") if place >= 0 else 0
    if count > MOST_FILES:
        raise TableError("file_zip", file=shortened(name), count=count)
    try:
        with zipfile.ZipFile(BytesIO(raw)) as archive:
            member = _chosen(archive, shortened(name))
            return _unpacked(archive, member, shortened(name), largest), member.filename.rpartition("/")[2]
    except TableError:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError):
        raise TableError("file_zip_damaged", file=shortened(name)) from None


def _chosen(archive: zipfile.ZipFile, file: str) -> zipfile.ZipInfo:
    """The file of a zip that is its table; documents that are saved as a zip are called what they are."""
    names = archive.namelist()
    for part, kind, remedy in DOCUMENTS:
        if any(each.startswith(part) for each in names):
            raise TableError("file_foreign", file=file, kind=kind, remedy=remedy)
    if any(NUMBERS in f"{each.lower()}/" and not each.startswith(MAC) for each in names):  # or its folder, packed
        raise TableError("file_foreign", file=file, kind="numbers", remedy="export")
    held = _tables(archive)
    if len(held) != 1:
        raise TableError("file_zip", file=file, count=len(held))
    if held[0].flag_bits & 1:
        raise TableError("file_zip_locked", file=file)
    if held[0].compress_type not in PLAIN:
        raise TableError("file_zip_damaged", file=file)
    return held[0]


def _unpacked(archive: zipfile.ZipFile, member: zipfile.ZipInfo, file: str, largest: int) -> bytes:
    """The bytes of a member, whatever it says of its size."""
    opened = bytearray()
    with archive.open(member) as stream:
        while piece := stream.read(MEGABYTE):
            opened += piece
            if len(opened) > largest:
                raise TableError("file_unpacks_large", file=file, most=largest // MEGABYTE)
    return bytes(opened)


def _tables(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """The files that may be tables: of several, those named like tables, and others only where none are."""
    files = [
        member
        for member in archive.infolist()
        if not member.is_dir() and not member.filename.startswith(MAC) and not _leaf(member).startswith(".")
    ]
    called = [member for member in files if _leaf(member).rpartition(".")[2] in TABULAR]
    meant = [member for member in called if not _leaf(member).startswith(ASIDE)]
    return files if len(files) < 2 else meant or called or files


def _leaf(member: zipfile.ZipInfo) -> str:
    """A file's name without its folders, in small letters."""
    return member.filename.rpartition("/")[2].lower()
