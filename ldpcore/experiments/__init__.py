"""Frozen questions with `run()`, which answer with frozen results: a package per page, a module while it is small.

May import what `ldpcore` may. The seed is a field and the generator is made inside `run()`, so that equal questions
have equal answers; `progress`, where given, is called with the share that is done and may raise to abandon the work.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Progress = Callable[[float], None]


def generator(seed: int, purpose: str) -> np.random.Generator:
    """The generator of one purpose of a seed: one question's draws never shift because another asks for more."""
    return np.random.default_rng([seed, *purpose.encode()])
