"""The names of columns: `Heading` marks those of the tables that come with the project."""

from __future__ import annotations

from ldpcore.tables.table import Heading

__all__ = ["Heading"]
