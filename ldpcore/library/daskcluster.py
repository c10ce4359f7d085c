"""A Dask cluster at an address: batches are sent there and come back as they are done."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import distributed


def cluster_rows(run: Callable[[Any], list[Any]], parts: Sequence[Any], address: str) -> Iterator[list[Any]]:
    """The results of `run` for each part on the cluster; its workers need the same version of this package."""
    with distributed.Client(address, set_as_default=False) as client:
        futures = client.map(run, parts, pure=False)
        for _, rows in distributed.as_completed(futures, loop=client.loop, with_results=True):
            yield rows
