"""Codes, keys and tickets: a room's name, the presenter's key to it, and the price of a report.

A ticket is a random name, signed by its room; the mark that it has been used in a round is a keyed hash, from which
neither the ticket nor its mark in another round can be told.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable

from explorer.poll.denials import DenialError, Reason
from ldpcore.reading.notations import in_latin

ALPHABET = "BCDFGHJKLMNPQRSTVWXYZ"  # no 0 and O, no 1 and I, and no vowels, which would make words
CODE, TICKET, MARK = 6, 12, 16  # letters of a code; bytes of the others
_FAIR = 256 - 256 % len(ALPHABET)  # bytes from here on would favor the first letters


def code_read(typed: str) -> str:
    """A code as it is kept, however it was typed; an impossible one is refused as no room's."""
    code = "".join(letter for letter in typed.upper() if letter.isalnum())
    if len(code) != CODE or set(code) - set(ALPHABET):
        raise DenialError(Reason.UNKNOWN)
    return code


def code_drawn(source: Callable[[int], bytes]) -> str:
    """Six letters, all equally likely."""
    letters = ""
    while len(letters) < CODE:
        letters += "".join(ALPHABET[byte % len(ALPHABET)] for byte in source(CODE) if byte < _FAIR)
    return letters[:CODE]


def letters(raw: bytes) -> str:
    """Bytes as the letters of a link."""
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def hashed(key: str) -> bytes:
    """The hash of a presenter's key, which is all that is kept of it."""
    return hashlib.sha256(_bytes(key)).digest()


def same(typed: str, kept: str) -> bool:
    """Whether a typed text is the kept one, in a time that does not tell how much of it was right.

    Spaces count for nothing, and digits alike in every script: phones and screens have keyboards of their own.
    """
    return hmac.compare_digest(*(_bytes("".join(in_latin(text).split())) for text in (kept, typed)))


def issued(secret: bytes, name: bytes) -> str:
    """The ticket of this name."""
    return letters(name + _signed(secret, b"ticket", name)[:TICKET])


def named(ticket: str, secret: bytes) -> bytes | None:
    """The random name in a ticket; None where this room has not signed it."""
    try:
        raw = base64.b64decode(ticket.encode("ascii"), altchars=b"-_", validate=True)
    except (UnicodeEncodeError, ValueError):
        return None
    name, mark = raw[:TICKET], raw[TICKET:]
    whole = len(name) == TICKET and letters(raw) == ticket
    return name if whole and hmac.compare_digest(mark, _signed(secret, b"ticket", name)[:TICKET]) else None


def used(secret: bytes, serial: int, name: bytes) -> bytes:
    """The mark of a ticket that has bought its report of a round."""
    return _signed(secret, b"used", b"%d " % serial + name)[:MARK]


def _bytes(typed: str) -> bytes:
    """The bytes of a typed text, whatever it is: half a letter of Unicode becomes a question mark."""
    return typed.encode("utf-8", "replace")


def _signed(secret: bytes, purpose: bytes, text: bytes) -> bytes:
    return hmac.digest(secret, purpose + b" " + text, "sha256")
