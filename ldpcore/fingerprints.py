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

import numpy as np


class Fingerprinted(ABC):
    """What knows a digest of its own content: bulk that is not looked through again."""

    @abstractmethod
    def __fingerprint__(self) -> str:
        """A text that is equal exactly when the content is equal."""


def fingerprint(value: object) -> str:
    """A hexadecimal digest that is equal exactly when class and content are equal."""
    digest = hashlib.blake2b(digest_size=16)
    _feed(digest, value)
    return digest.hexdigest()


def _feed(digest: hashlib.blake2b, value: object) -> None:
    if isinstance(value, Fingerprinted):
        _part(digest, "self", f"{_name(type(value))}:{value.__fingerprint__()}".encode())
    elif isinstance(value, type):
        _part(digest, "type", _name(value).encode())
    elif is_dataclass(value):
        _part(digest, "class", _name(type(value)).encode())
        for field in fields(value):
            _part(digest, "field", field.name.encode())
            _feed(digest, getattr(value, field.name))
    elif isinstance(value, np.ndarray):
        _part(digest, "array", f"{value.dtype.str}{value.shape}".encode())
        _part(digest, "bytes", np.ascontiguousarray(value).tobytes())
    elif isinstance(value, (tuple, list)):
        _part(digest, type(value).__name__, str(len(value)).encode())
        for item in value:
            _feed(digest, item)
    elif isinstance(value, dict):
        _part(digest, "dict", str(len(value)).encode())
        for key, item in value.items():
            _feed(digest, key)
            _feed(digest, item)
    elif isinstance(value, np.generic):
        _feed(digest, value.item())
    elif value is None or isinstance(value, (bool, int, float, str, bytes, date, Decimal)):
        text = value if isinstance(value, bytes) else repr(value).encode("utf-8", "surrogatepass")
        _part(digest, "str" if isinstance(value, str) else type(value).__name__, text)  # a marked name too
    else:
        raise TypeError(f"a {type(value).__name__} has no fingerprint; give it __fingerprint__()")


def _name(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


def _part(digest: hashlib.blake2b, tag: str, content: bytes) -> None:
    digest.update(f"{tag}:{len(content)}:".encode())
    digest.update(content)
