"""What a benchmark does with its report: print it, or write it to the file that was asked for."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path


def print_or_write(description: str | None, measured: Callable[[], str]) -> None:
    """Measure once and print or write the report."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--output", type=Path)
    output, told = parser.parse_args().output, measured()
    if output is None:
        print(told)
    else:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(told, encoding="utf-8")
