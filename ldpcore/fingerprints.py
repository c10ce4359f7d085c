"""One digest of everything a value contains, for cache keys, equality and exports.

Python's own hashes forget the class of a nested dataclass and NumPy's repr forgets all but a few items; this one
feeds the class name, every field and every byte, each with its length.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from dataclasses import fields, is_dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Any

import numpy as np

_PLAIN = frozenset((str, int, float, bool, type(None)))


class Fingerprinted(ABC):
    """A value that knows a digest of its own content, so that its bulk is not read again."""

    @abstractmethod
    def __fingerprint__(self) -> str:
        """A text that is equal exactly when the content is equal."""


def fingerprint(value: object) -> str:
    """A hexadecimal digest that is equal exactly when class and content are equal."""
    digest = hashlib.blake2b(digest_size=16)
    _feed(digest, value)
    return digest.hexdigest()


def _feed(digest: hashlib.blake2b, value: object) -> None:
    kind: Any = type(value)
    if kind in _PLAIN:  # nearly all values, asked first
        _part(digest, kind.__name__, repr(value).encode("utf-8", "surrogatepass"))
    elif isinstance(value, Fingerprinted):
        _part(digest, "self", f"{_name(kind)}:{value.__fingerprint__()}".encode())
    elif isinstance(value, type):
        _part(digest, "type", _name(value).encode())
    elif is_dataclass(value):
        _part(digest, "class", _name(kind).encode())
        for name in _fields(kind):
            _part(digest, "field", name.encode())
            _feed(digest, getattr(value, name))
    elif isinstance(value, np.ndarray):
        _part(digest, "array", f"{value.dtype.str}{value.shape}".encode())
        _part(digest, "bytes", np.ascontiguousarray(value).tobytes())
    elif isinstance(value, (tuple, list)):
        _part(digest, kind.__name__, str(len(value)).encode())
        for item in value:
            _feed(digest, item)
    elif isinstance(value, dict):
        _part(digest, "dict", str(len(value)).encode())
        for key, item in value.items():
            _feed(digest, key)
            _feed(digest, item)
    elif isinstance(value, np.generic):
        _feed(digest, value.item())
    elif isinstance(value, (int, float, str, bytes, date, Decimal)):
        text = value if isinstance(value, bytes) else repr(value).encode("utf-8", "surrogatepass")
        _part(digest, "str" if isinstance(value, str) else kind.__name__, text)  # a marked name too
    else:
        raise TypeError(f"a {kind.__name__} has no fingerprint; give it __fingerprint__()")


@lru_cache(maxsize=512)
def _fields(cls: Any) -> tuple[str, ...]:
    """The names of a dataclass's fields."""
    return tuple(field.name for field in fields(cls))


def _name(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


def _part(digest: hashlib.blake2b, tag: str, content: bytes) -> None:
    digest.update(f"{tag}:{len(content)}:".encode())
    digest.update(content)
