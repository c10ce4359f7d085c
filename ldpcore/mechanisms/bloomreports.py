"""Reports of Bloom bits, one person at a time: drawn, drawn again from lasting bits, and counted."""

from __future__ import annotations

import itertools

import numpy as np
import scipy
from numpy.typing import NDArray

from ldpcore.mechanisms.bitnoise import BitNoise
from ldpcore.mechanisms.bloom import BloomDesign
from ldpcore.mechanisms.unary import blocks, count_columns
from ldpcore.numerics.arrays import Counts
from ldpcore.numerics.tosses import toss

BloomReports = NDArray[np.void]  # rows (cohort, bits), eight bits to the byte
MARKS = 1 << 18  # bits handled at once, one byte each: they stay in the processor's cache


def packed(cohorts: Counts, bits: NDArray[np.bool_]) -> BloomReports:
    """Reports from cohorts and rows of bits."""
    rows = np.packbits(bits, axis=1)
    reports = np.empty(len(rows), dtype=np.dtype([("cohort", np.uint16), ("bits", np.uint8, rows.shape[1:])]))
    reports["cohort"], reports["bits"] = cohorts, rows
    return reports


def unpacked(design: BloomDesign, report: np.void) -> tuple[int, NDArray[np.bool_]]:
    """Cohort and bits of one report."""
    return int(report["cohort"]), np.unpackbits(report["bits"], count=design.m).view(np.bool_)


def noised(design: BloomDesign, values: Counts, noise: BitNoise, rng: np.random.Generator) -> BloomReports:
    """The reports of people: a cohort, drawn evenly, and the Bloom bits behind this noise."""
    width = -(-design.m // 8)
    reports = np.empty(len(values), dtype=np.dtype([("cohort", np.uint16), ("bits", np.uint8, (width,))]))
    reports["cohort"] = rng.integers(design.cohorts, size=len(values))
    for rows in blocks(len(values), MARKS // design.m):
        own = design.positions[reports["cohort"][rows], values[rows]].astype(np.int64)
        # Every bit is drawn as a 0, then the own ones afresh; a bit that two functions set is drawn once more, and its
        # chance stays what it was.
        bits = toss(noise.raised, len(own) * design.m, rng).reshape(len(own), design.m)
        bits[np.arange(len(own))[:, None], own] = toss(noise.kept, own.size, rng).reshape(own.shape)
        reports["bits"][rows] = np.packbits(bits, axis=1)
    return reports


def sent_again(
    design: BloomDesign, lasting: BloomReports, p: float, q: float, rng: np.random.Generator
) -> BloomReports:
    """A report from lasting bits: each 1 is sent with chance q, each 0 with p."""
    reports = lasting.copy()
    for rows in blocks(len(reports), MARKS // design.m):
        bits = np.unpackbits(lasting["bits"][rows], axis=1, count=design.m).view(np.bool_)
        ones, zeros = (toss(chance, bits.size, rng).reshape(bits.shape) for chance in (q, p))
        reports["bits"][rows] = np.packbits(np.where(bits, ones, zeros), axis=1)
    return reports


def counted(design: BloomDesign, reports: BloomReports) -> tuple[Counts, Counts]:
    """How many people of each cohort reported, and how many of them reported each bit, (cohort, bit)."""
    packed = reports["bits"][np.argsort(reports["cohort"], kind="stable")]
    sizes = np.bincount(reports["cohort"], minlength=design.cohorts).astype(np.int64)
    ends = np.cumsum(sizes)
    ones = [count_columns(packed[end - size : end], design.m) for size, end in zip(sizes, ends, strict=True)]
    return sizes, np.array(ones)


def best_guess(design: BloomDesign, noise: BitNoise, simulated: int = 4096) -> float:
    """How often the likeliest candidate is the true one, all being equally frequent: the mean of the best posterior.

    Exact for up to 8 bits; with more, over simulated reports of a fixed seed, whose best posteriors hardly differ.
    """
    rng, total = np.random.default_rng(0), 0.0
    rows = np.array(list(itertools.product((False, True), repeat=design.m))) if design.m <= 8 else None
    for bits in map(design.table, range(design.cohorts)):
        if rows is not None:
            total += np.exp(noise.log_chances(rows, bits)).max(axis=1).sum() / design.k
        else:
            owners = bits[rng.integers(design.k, size=-(-simulated // design.cohorts))]
            reported = rng.random(owners.shape) < np.where(owners, noise.kept, noise.raised)
            chances = noise.log_chances(reported, bits)
            total += np.exp(chances.max(axis=1) - scipy.special.logsumexp(chances, axis=1)).mean()
    return float(total / design.cohorts)
