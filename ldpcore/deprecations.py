"""Public names that are going away: each warns for one version and names its replacement."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from types import MappingProxyType

# The old name, what takes its place, and the version that no longer has it.
DEPRECATED: Mapping[str, tuple[str, str]] = MappingProxyType({})


def replacement(name: str) -> str:
    """The replacement of a deprecated public name; warns with the version that removes the old one."""
    instead, gone = DEPRECATED[name]
    message = f"ldpcore.{name} is deprecated and goes with version {gone}; use ldpcore.{instead}"
    warnings.warn(message, DeprecationWarning, stacklevel=3)
    return instead
