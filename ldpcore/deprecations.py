"""Public names that go: each warns for one version, and names what takes its place."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from types import MappingProxyType

# The old name, what takes its place, and the version that no longer has it.
DEPRECATED: Mapping[str, tuple[str, str]] = MappingProxyType({})


def replacement(name: str) -> str:
    """What takes the place of a deprecated public name, with a warning that says so and until when it is heard."""
    instead, gone = DEPRECATED[name]
    message = f"ldpcore.{name} is deprecated and goes with version {gone}; use ldpcore.{instead}"
    warnings.warn(message, DeprecationWarning, stacklevel=3)
    return instead
