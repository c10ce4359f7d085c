"""Roots are found where SciPy finds them, to the last bit, and nothing that is no root is returned."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import optimize

from ldpcore.numerics.roots import brent_root

SHAPES: dict[str, Callable[[float], float]] = {
    "line": lambda x: x,
    "cube": lambda x: x**3,
    "flat": lambda x: x**9,
    "exponential": lambda x: math.expm1(min(x, 700.0)),
    "logistic": lambda x: math.tanh(x),
    "jump": lambda x: -1.0 if x < 0 else 2.0,
    "tiny": lambda x: 1e-200 * math.atan(x),
    "wave": lambda x: x + math.sin(5 * x),
}


@given(
    st.sampled_from(sorted(SHAPES)),
    st.floats(-50, 50),
    st.floats(1e-6, 80),
    st.floats(1e-6, 80),
    st.sampled_from([2e-12, 1e-3, 1e-300]),
    st.sampled_from([1e-9, 1e-14, 8.9e-16]),
)
@settings(max_examples=300, deadline=None, derandomize=True)
def test_a_root_is_the_double_that_scipy_finds(
    shape: str, root: float, left: float, right: float, xtol: float, rtol: float
) -> None:
    def function(x: float) -> float:
        return SHAPES[shape](x - root)

    ends = root - left, root + right
    assume((function(ends[0]) < 0) != (function(ends[1]) < 0))
    theirs, told = optimize.brentq(function, *ends, xtol=xtol, rtol=rtol, full_output=True, disp=False)
    assert brent_root(function, *ends, xtol=xtol, rtol=rtol, must_settle=False) == theirs
    if not told.converged:
        with pytest.raises(RuntimeError, match="within 100 steps"):
            brent_root(function, *ends, xtol=xtol, rtol=rtol)


def test_ends_of_one_sign_and_values_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="different signs at 1 and 2"):
        brent_root(lambda x: x, 1, 2)
    with pytest.raises(ValueError, match="a value at"):
        brent_root(lambda x: math.nan if 0 < x < 1 else x - 0.5, 0, 1)
    assert brent_root(lambda x: x - 1, 1, 2) == 1 == brent_root(lambda x: x - 1, 0, 1)
