"""The report of a benchmark: printed, and written to a file on request."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path


def options(description: str | None) -> argparse.ArgumentParser:
    """The options of every benchmark; some add to them."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--output", type=Path, help="write the report here as well")
    return parser


def hand_over(report: str, output: Path | None) -> None:
    """Print the report, and write it where a file was named."""
    print(report)
    if output is not None:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(report.rstrip("\n") + "\n", encoding="utf-8")


def judge(title: str, lines: Sequence[str], missed: Sequence[str], output: Path | None) -> None:
    """Hand over the measured lines with their verdict, and fail where an aim is missed."""
    verdict = "All aims are reached." if not missed else "Missed: " + "; ".join(missed)
    hand_over("\n".join([title, "", *lines, "", verdict, ""]), output)
    if missed:
        raise SystemExit(1)
