"""Telling settings of the page about verifying, and what its views are told there."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from explorer.pages.verify.settings import MISTAKES, Counted, Hung, Judged, JudgedMatrix, Verify
from ldpcore.laws.channels import Finite
from ldpcore.mechanisms import REGISTRY
from ldpcore.reading.matrices import read_matrix


def vendor() -> JudgedMatrix:
    """A matrix as a vendor prints it: names, and shares rounded to whole per cents."""
    typed = read_matrix("; a; b; c\nx; 58%; 21%; 21%\ny; 21%; 58%; 21%\nz; 21%; 21%; 58%")
    return JudgedMatrix(typed.channel(), printed=typed)


@lru_cache(maxsize=1)
def samples() -> tuple[Verify, ...]:
    """Telling settings: the default first, one of each kind of report, matrices good and bad, galleries."""
    by_slug = {member.slug: member for member in (*REGISTRY, *MISTAKES)}
    matrices = ("3/4 1/4\n1/4 3/4", "0.5 0.5\n0 1", "0.3 0.7\n0.3 0.7")
    hung = Hung()
    sound = tuple(exhibit.sound for exhibit in hung.gallery.run().exhibits)
    return (
        Judged(),
        Judged(by_slug["laplace"], (("sensitivity", 1.0),)),
        Judged(by_slug["oue"], (("k", 100),)),
        Judged(by_slug["coins"], (("yes_given_yes", 1.0), ("yes_given_no", 0.5))),
        Judged(by_slug["halved-noise"]),
        *(JudgedMatrix(read_matrix(text).channel()) for text in matrices),
        vendor(),
        Counted(),
        Counted((3, 7), (4, 6)),
        JudgedMatrix(Finite(np.array([[0.25, 0.75]]), (0, 1))),
        JudgedMatrix(None, "row 1 must sum to 1; got 4"),
        Hung(given=(None,) * hung.gallery.size),
        Hung(given=(True,) * hung.gallery.size, sound=sound),
    )


def _matrices() -> tuple[tuple[JudgedMatrix, tuple[tuple[int, ...], ...]], ...]:
    """Matrices as large, drawn at random, of which the first two reports are merged."""
    rng = np.random.default_rng(5)
    drawn = (rng.dirichlet(np.full(4, size), 3) for size in np.geomspace(0.5, 50, 14))
    return tuple((JudgedMatrix(Finite(matrix, (0, 1, 2))), ((0, 1),)) for matrix in drawn)


VARIED = {"merging": _matrices}
TOLD: dict[tuple[int, str], object] = {(place, "merging"): ((0, 1),) for place in (5, 6, 7, 11)}
