"""The answers of the command: the words for people and the values for programs, from one and the same result."""

from __future__ import annotations

import argparse
import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ldpcore.laws.leaks import largest_delta, largest_loss
from ldpcore.library.collecting import collect
from ldpcore.library.designs import Design, build
from ldpcore.library.domains import Categories, Domain, Numbers
from ldpcore.library.extras import require
from ldpcore.library.planning import AUTO, Plan, plan
from ldpcore.library.refused import LibraryRefusal
from ldpcore.parameters import Confidence, Epsilon, Seed, declaration
from ldpcore.randomness import secure
from ldpcore.reading.foreign import kind_of_file
from ldpcore.reading.matrices import read_matrix

LARGEST_FILE = 1 << 28  # bytes of a table that is read as a whole


@dataclass(frozen=True)
class CommandOutput:
    """The output on the terminal."""

    text: str
    record: dict[str, Any]


# --- plan ------------------------------------------------------------------------------------------------------------


def planned(asked: argparse.Namespace) -> CommandOutput:
    """The precision that a survey gives, and the people or the level that a precision takes."""
    result = plan(
        asked.mechanism,
        asked.alpha,
        _domain(asked),
        n=asked.n,
        width=asked.width,
        confidence=asked.confidence,
        share=asked.share,
        sampled=asked.sampled,
    )
    return CommandOutput(_of_plan(result), result.record())


def _of_plan(result: Plan) -> str:
    percent = f"{100 * result.confidence:g} %"
    lines = [
        f"Mechanism: {result.design}" + (", the best of those compared" if result.options else ""),
        f"{result.n} people: {percent} intervals reach {result.width:.4g} to either side",
    ]
    if result.wanted is not None:
        wanted = f"To reach {result.wanted:g}"
        lines.append(
            f"{wanted}, {result.n} people need a level of {result.level:.4g}"
            if result.level is not None
            else f"{wanted} with {result.n} people no level is enough"
        )
        lines.append(
            f"{wanted} at level {result.design.mechanism.level:g}, {result.people} people are needed"
            if result.people is not None
            else f"{wanted} at level {result.design.mechanism.level:g} no number of people is enough"
        )
    if len(result.options) > 1:
        others = ", ".join(f"{option.mechanism} {option.width:.4g}" for option in result.options[1:])
        lines.append(f"Others: {others}")
    return "\n".join(lines)


# --- estimate --------------------------------------------------------------------------------------------------------


def estimated(asked: argparse.Namespace) -> CommandOutput:
    """Estimates from a file of reports."""
    design = _design(asked)
    estimate = collect(design, asked.file).estimate(asked.confidence, sampled=asked.sampled)
    return CommandOutput(f"{design}\n{estimate}", {"design": design.record()} | estimate.record())


def _design(asked: argparse.Namespace) -> Design:
    if asked.design is not None:
        return Design.from_json(_text(asked.design))
    if asked.mechanism is None:
        raise LibraryRefusal("option_needed", option="--mechanism (or --design)")
    settings = dict(_setting(each) for each in asked.set)
    two = asked.mechanism in ("rr", "coins") and asked.k is None and asked.labels is None
    return build(asked.mechanism, asked.alpha, Categories.numbered(2) if two else _domain(asked), **settings)


def _setting(text: str) -> tuple[str, Any]:
    name, _, value = text.partition("=")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _domain(asked: argparse.Namespace) -> Domain:
    """The domain that the options describe."""
    if asked.low is not None or asked.high is not None:
        if asked.low is None or asked.high is None:
            raise LibraryRefusal("option_pair", options=("--low", "--high"), got="one of them")
        return Numbers(asked.low, asked.high)
    if asked.labels is not None:
        return Categories([label.strip() for label in asked.labels.split(",")])
    if asked.k is None:
        raise LibraryRefusal("option_needed", option="--k, --labels, or --low and --high")
    return Categories.numbered(asked.k)


# --- audit -----------------------------------------------------------------------------------------------------------


def audited(asked: argparse.Namespace) -> CommandOutput:
    """The level of a matrix, the two values that it tells apart best, and whether it keeps a level."""
    matrix = read_matrix(_text(asked.file))
    leak = largest_loss(matrix.channel())
    names = [
        values[place] if values else str(place)
        for values, place in ((matrix.values, leak.value), (matrix.values, leak.other))
    ]
    reports = [matrix.reports[place] if matrix.reports else str(place) for place in leak.reports]
    finite = math.isfinite(leak.amount)
    lines = [
        f"Level: {leak.amount:.6g}" if finite else "Level: none is finite; some report excludes a value",
        f"Told apart best: {names[0]} and {names[1]}, by report {', '.join(reports)}"
        if reports
        else "Reports tell nothing: all rows are equal",
    ]
    record: dict[str, Any] = {"level": leak.amount if finite else None, "values": names, "reports": reports}
    if asked.alpha is not None:
        declaration(Epsilon).check("alpha", asked.alpha)
        delta = largest_delta(matrix.channel(), asked.alpha).amount
        kept = leak.amount <= asked.alpha * (1 + 1e-9)
        lines.append(f"Level {asked.alpha:g}: " + ("kept" if kept else f"broken, unless δ = {delta:.6g} is allowed"))
        record |= {"alpha": asked.alpha, "kept": kept, "delta": 0.0 if kept else delta}
    return CommandOutput("\n".join(lines), record)


# --- table -----------------------------------------------------------------------------------------------------------


def of_table(asked: argparse.Namespace) -> CommandOutput:
    """The answer of a private survey about a column; the true values are used to draw reports and for nothing else."""
    declaration(Epsilon).check("alpha", asked.alpha)
    declaration(Confidence).check("confidence", asked.confidence)
    values, domain, note = _column(asked)
    name = asked.mechanism
    if name == AUTO:
        name = plan(AUTO, asked.alpha, domain, n=max(len(values), 1), confidence=asked.confidence).design.slug
    design = build(name, asked.alpha, domain)
    if asked.seed is not None:
        declaration(Seed).check("seed", asked.seed)
    rng = secure() if asked.seed is None else np.random.default_rng(asked.seed)
    step = 1 << 17  # people whose reports are held at a time
    parts = (design.privatize(values[start : start + step], rng) for start in range(0, len(values), step))
    estimate = collect(design, parts).estimate(asked.confidence, sampled=asked.sampled)
    record = {"column": asked.column, "note": note, "design": design.record()} | estimate.record()
    return CommandOutput("\n".join([f"{asked.column}: {design}", str(estimate), *([note] if note else [])]), record)


def _column(asked: argparse.Namespace) -> tuple[Any, Domain, str]:
    """The values of a column without its gaps, its domain, and a remark about it."""
    raw, name = _bytes(asked.file), asked.file.name
    require("tables")
    if kind_of_file(raw) in ("parquet", "arrow"):
        require("parquet")
    from ldpcore.library.tablecolumns import column_values

    named, bounded = asked.labels is not None or asked.k is not None, asked.low is not None or asked.high is not None
    held = column_values(raw, name, asked.column, bounded and not named, asked.missing)
    left_out = f"{held.gaps} rows without a value take no part. " if held.gaps else ""
    if held.numeric and not named:
        domain = _domain(asked) if bounded else Numbers(0, 100)
        said = "" if bounded else "The public bounds are 0 and 100; give --low and --high where others are meant."
        return held.values, domain, (left_out + said).strip()
    values = [value.item() if isinstance(value, np.generic) else value for value in held.values.tolist()]
    if named:
        return values, _domain(asked), left_out.strip()
    texts = [str(value) for value in values]
    said = "The labels were read off the table; give --labels where nobody may know which of them occur."
    return texts, Categories(sorted(set(texts))), left_out + said


def _bytes(path: Path) -> bytes:
    try:
        size = path.stat().st_size
        if size > LARGEST_FILE:
            raise LibraryRefusal("file_missing", file=str(path), got=f"more than {LARGEST_FILE >> 20} MB")
        return path.read_bytes()
    except OSError as trouble:
        raise LibraryRefusal("file_missing", file=str(path), got=trouble.strerror or "no file") from None


def _text(path: Path) -> str:
    try:
        return _bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise LibraryRefusal("file_missing", file=str(path), got="no text") from None
