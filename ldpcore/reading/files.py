"""From the bytes of a reader's file to text: unpack within a limit, refuse other contents, find the encoding."""

from __future__ import annotations

import codecs
import io
import re
import zlib
from gzip import BadGzipFile, GzipFile

from ldpcore.tables.table import TableError, shortened

MEGABYTE = 1 << 20
LARGEST = 60 * MEGABYTE
ENCODINGS = ("utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252", "latin-1", "mac-roman")

SIGNATURES = (  # how files begin that are no text, what they are, and what to do with them
    (b"\x89PNG", "png", "save"),
    (b"\xff\xd8\xff", "jpeg", "save"),
    (b"GIF8", "gif", "save"),
    (b"%PDF", "pdf", "save"),
    (b"PK\x03\x04", "zip", "unpack"),
    (b"\xd0\xcf\x11\xe0", "old-office", "save"),
    (b"SQLite format 3", "database", "save"),
    (b"7z\xbc\xaf", "seven-zip", "unpack"),
    (b"Rar!", "rar", "unpack"),
    (b"BZh", "bzip2", "unpack"),
    (b"\xfd7zXZ", "xz", "unpack"),
    (b"\x28\xb5\x2f\xfd", "zstd", "unpack"),
    (b"$FL2", "spss", "save"),
    (b"$FL3", "spss", "save"),
    (bytes(12) + b"\xc2\xea\x81\x60", "sas", "save"),
    (b"HEADER RECORD*******LIB", "sas", "save"),
    (b"RDX", "r-data", "save"),
    (b"X\n\0\0\0", "r-data", "save"),
    (b"\x89HDF", "hdf", "save"),
    (b"\x93NUMPY", "numpy", "save"),
    (b"MATLAB 5.0", "matlab", "save"),
    (b"{\\rtf", "document", "save"),
    (b"MIME-Version:", "mail", "save"),
    (b"<?xml", "xml", "save"),
)
MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (codecs.BOM_UTF8, "utf-8"),
)
# ä and é behind a small letter, ü, è, ê, ç, Å and ù on the Mac; in Windows-1252, small letters from à on.
MAC_LETTER = re.compile(rb"[a-z][\x8a\x8e]|[A-Za-z][\x9f\x8f\x90\x8d\x81\x9d]|[\x9f\x8f\x90\x8d\x81\x9d][a-z]")
WESTERN_LETTER = re.compile(rb"[\xdf-\xff]")
GZIP = b"\x1f\x8b"
BLANK = b" \t\n\r\f\v\xef\xbb\xbf\xff\xfe"  # white space and byte order marks


def uncompressed(raw: bytes, name: str, largest: int = LARGEST) -> bytes:
    """The bytes of the table; gzip is unpacked step by step and stopped as soon as it exceeds the limit."""
    file, most = shortened(name), largest // MEGABYTE
    if len(raw) > largest:
        raise TableError("file_large", file=file, size=round(len(raw) / MEGABYTE), most=most)
    if not raw.startswith(GZIP):
        return raw
    opened = bytearray()
    try:
        with GzipFile(fileobj=io.BytesIO(raw)) as stream:
            while piece := stream.read(MEGABYTE):
                opened += piece
                if len(opened) > largest:
                    raise TableError("file_unpacks_large", file=file, most=most)
    except (EOFError, BadGzipFile, zlib.error):
        raise TableError("file_damaged", file=file) from None
    return bytes(opened)


def first_bytes(raw: bytes, size: int) -> bytes:
    """The first bytes of a file, unpacked where it is packed; nothing where that is damaged."""
    if not raw.startswith(GZIP):
        return raw[:size]
    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(raw[: 1 << 16], size)
    except zlib.error:
        return b""


def encoding_of(raw: bytes, name: str) -> str:
    """The encoding of a text: its byte order mark, UTF-16 by its zeros, UTF-8 where all of it is valid, else Western.

    An empty file, or one that is no text, is refused.
    """
    if not any(raw[start : start + MEGABYTE].strip(BLANK) for start in range(0, len(raw), MEGABYTE)):
        raise TableError("file_empty", file=shortened(name))
    for signature, kind, remedy in SIGNATURES:
        if raw.startswith(signature):
            raise TableError("file_foreign", file=shortened(name), kind=kind, remedy=remedy)
    encoding = guessed_encoding(raw, name)
    if holds_null(raw, encoding):
        raise TableError("file_null", file=shortened(name))
    return encoding


def holds_null(raw: bytes, encoding: str) -> bool:
    """Whether a null character stands anywhere in a text."""
    if not encoding.startswith(("utf-16", "utf-32")):
        return b"\0" in raw
    decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
    return any("\0" in decoder.decode(raw[start : start + MEGABYTE]) for start in range(0, len(raw), MEGABYTE))


def guessed_encoding(raw: bytes, name: str) -> str:
    """The encoding, by its mark, its zeros or the meaning of its bytes; a file of control characters is refused."""
    for mark, encoding in MARKS:
        if raw.startswith(mark):
            return encoding
    head = raw[: 1 << 16]
    zeros = head.count(0)
    if zeros > 0.2 * len(head) and abs(head[0::2].count(0) - head[1::2].count(0)) > 0.9 * zeros:
        return "utf-16-be" if head[0] == 0 else "utf-16-le"
    controls = sum(head.count(code) for code in range(32) if code not in b"\t\n\r\f\v\x1a\x1b")
    if zeros or controls > 0.01 * len(head):
        raise TableError("file_no_text", file=shortened(name))
    if raw.isascii() or valid(raw, "utf-8"):
        return "utf-8"
    if _is_of_old_mac(head):
        return "mac-roman"
    # Five bytes mean nothing in Windows-1252; Latin-1 gives every byte a meaning.
    return "cp1252" if valid(raw, "cp1252") else "latin-1"


def _is_of_old_mac(head: bytes) -> bool:
    """Whether letters can only be meant as Excel for Mac writes them: no Western text has Š or Ž behind a small letter.

    In Windows-1252 the other signs that tell are Ÿ, or nothing; and small letters with accents, which are signs or
    capitals on the Mac, say that it is Western.
    """
    return MAC_LETTER.search(head) is not None and WESTERN_LETTER.search(head) is None


def valid(raw: bytes, encoding: str) -> bool:
    """Whether all bytes are text in this encoding, checked in pieces so that no second copy arises."""
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        for start in range(0, len(raw), MEGABYTE):
            decoder.decode(raw[start : start + MEGABYTE], final=start + MEGABYTE >= len(raw))
    except UnicodeDecodeError:
        return False
    return True


def beginning(raw: bytes, encoding: str, size: int = 1 << 18) -> str:
    """The first lines as text, without a byte order mark and, where the file goes on, without the last piece."""
    decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
    text = decoder.decode(raw[:size], final=len(raw) <= size).lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if len(raw) > size and "\n" in text:
        text = text[: text.rindex("\n") + 1]
    return text
