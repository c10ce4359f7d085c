"""What a benchmark does with its report: print it, and write it to the file that was asked for."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path


def options(description: str | None) -> argparse.ArgumentParser:
    """What every benchmark can be asked; some add to it."""
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
    """Hand over what was measured with its verdict, and fail where an aim is missed."""
    verdict = "All aims are reached." if not missed else "Missed: " + "; ".join(missed)
    hand_over("\n".join([title, "", *lines, "", verdict, ""]), output)
    if missed:
        raise SystemExit(1)
