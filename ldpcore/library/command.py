"""The command for the terminal: plain text for people, JSON for programs, refusals in words and exit status 2."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ldpcore.library.answers import CommandOutput, audited, estimated, of_table, planned
from ldpcore.refusals import Refusal

UNUSABLE = 2  # the exit status of input that cannot be used, as argparse has it


def main(arguments: Sequence[str]) -> int:
    """The exit status of the command, after it has printed what the terminal asks for."""
    asked = _parser().parse_args(arguments)
    try:
        answer: CommandOutput = asked.answers(asked)
    except Refusal as refused:
        sys.stderr.write(f"ldpcore: {refused}\n")
        return UNUSABLE
    sys.stdout.write((json.dumps(answer.record, ensure_ascii=False) if asked.json else answer.text) + "\n")
    return 0


def run() -> int:
    """The exit status of what the terminal asks for: the installed command `ldpcore`."""
    return main(sys.argv[1:])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m ldpcore", description="Local differential privacy in a terminal.")
    parts = parser.add_subparsers(required=True, metavar="plan | estimate | audit | table")
    plan = _part(parts, "plan", planned, "which mechanism, level or number of people a precision takes")
    _domain(plan)
    plan.add_argument("--mechanism", default="auto", help="its name, or auto for the best one (the default)")
    plan.add_argument("--n", type=int, required=True, help="how many people answer")
    plan.add_argument("--width", type=float, help="how far an interval may reach to either side")
    plan.add_argument("--share", type=float, help="the share of the value that it is about; left out, 1/k")
    _level(plan)
    estimate = _part(parts, "estimate", estimated, "shares or means from a file of reports")
    estimate.add_argument("file", type=Path, help="a .csv or .parquet file of reports")
    _domain(estimate)
    estimate.add_argument("--mechanism", help="the name of the mechanism that made the reports")
    estimate.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="another setting of it")
    estimate.add_argument("--design", type=Path, help="a file with the JSON of the design, instead of all these")
    _level(estimate, required=False)
    audit = _part(parts, "audit", audited, "the level of a mechanism given by its matrix of probabilities")
    audit.add_argument("file", type=Path, help="a file with one line of probabilities for each value")
    audit.add_argument("--alpha", "--epsilon", type=float, help="a level: does the matrix keep it, or with which δ?")
    table = _part(parts, "table", of_table, "what a private survey would say about a column of a table")
    table.add_argument("file", type=Path, help="a file with a table: one row for each person")
    table.add_argument("--column", required=True, help="the column that is asked about")
    table.add_argument(
        "--missing", action="append", default=[], metavar="TEXT", help="a cell that reads so is a missing one"
    )
    table.add_argument("--mechanism", default="auto", help="its name, or auto for the best one (the default)")
    table.add_argument("--seed", type=int, help="draw the same reports again; left out, the operating system draws")
    _domain(table)
    _level(table)
    return parser


def _part(parts: Any, name: str, answers: Callable[[argparse.Namespace], CommandOutput], words: str) -> Any:
    part = parts.add_parser(name, help=words, description=words[0].upper() + words[1:] + ".", allow_abbrev=False)
    part.set_defaults(answers=answers)
    part.add_argument("--json", action="store_true", help="for programs: one JSON object")
    return part


def _domain(part: Any) -> None:
    part.add_argument("--k", type=int, help="how many categories there are, 0 to k-1")
    part.add_argument("--labels", help="the categories by their names, with commas between them")
    part.add_argument("--low", type=float, help="of numbers: the lower public bound")
    part.add_argument("--high", type=float, help="of numbers: the upper public bound")


def _level(part: Any, required: bool = True) -> None:
    part.add_argument("--alpha", "--epsilon", type=float, required=required, help="the level")
    part.add_argument("--confidence", type=float, default=0.95, help="of the intervals (0.95)")
    part.add_argument("--sampled", action="store_true", help="the people are a sample, and everybody is meant")
