"""A workbook as calamine reads it: parts packed by deflate and written in UTF-8; any other is packed anew."""

from __future__ import annotations

import codecs
import io
import re
import zipfile
import zlib

PLAIN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # ways to pack that are unpacked step by step
WRITTEN = (".xml", ".rels")  # how the parts with text are called
MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
SAID = re.compile(r"""\A(\ufeff?\s*<\?xml[^>]*?encoding=)["'][^"'>]*["']""")  # the encoding that a part claims


def repacked(raw: bytes) -> bytes:
    """The workbook itself, or one that says the same where a part is packed or written in another way.

    What cannot be packed anew is left as it is: calamine is the judge of what is damaged.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            usual = all(part.compress_type in PLAIN and not _is_wide(archive, part) for part in archive.infolist())
            return raw if usual else _anew(archive)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError):
        return raw


def _anew(archive: zipfile.ZipFile) -> bytes:
    """The workbook with all its parts packed by deflate, and text in UTF-8."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as anew:
        for part in archive.infolist():
            content = archive.read(part)
            anew.writestr(part.filename, _narrow(content) if _is_wide(archive, part) else content)
    return held.getvalue()


def _is_wide(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> bool:
    """Whether a part is text in UTF-16, by its byte order mark."""
    if not part.filename.lower().endswith(WRITTEN):
        return False
    with archive.open(part) as text:
        return text.read(2) in MARKS


def _narrow(text: bytes) -> bytes:
    """A part in UTF-8."""
    return SAID.sub(r'\1"UTF-8"', text.decode("utf-16"), count=1).encode("utf-8", "replace")
