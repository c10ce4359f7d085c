"""One run of another library's frequency oracle, user by user, as its own examples do; run by its own Python.

`python peers.py LIBRARY SLUG K EPSILON USERS PATIENCE` prints one line of JSON: how many users were run, the processor
seconds of the part that grows with them and of the rest, the mean squared error, and the megabytes added at the peak.
All USERS are run where that takes at most PATIENCE seconds, else as many as take a third of it; the median of three
runs where they are short. It imports neither our code nor anything that our code needs beyond NumPy.
"""

from __future__ import annotations

import json
import platform
import resource
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

Run = Callable[[Any], tuple[float, float, Any]]  # values -> seconds that grow, seconds that do not, shares


def pure_ldp(slug: str, k: int, epsilon: float) -> Run:
    """pure-ldp 1.2.0: a client object and a server object, users one by one; categories from 0 through a mapper."""
    import pure_ldp.frequency_oracles as oracles

    def same(value: int) -> int:
        return value

    shared = {"epsilon": epsilon, "d": k, "index_mapper": same}
    makers = {
        "grr": lambda: (oracles.DEClient(**shared), oracles.DEServer(**shared)),
        "sue": lambda: (oracles.UEClient(use_oue=False, **shared), oracles.UEServer(use_oue=False, **shared)),
        "oue": lambda: (oracles.UEClient(use_oue=True, **shared), oracles.UEServer(use_oue=True, **shared)),
        "blh": lambda: (oracles.LHClient(g=2, **shared), oracles.LHServer(g=2, **shared)),
        "olh": lambda: (oracles.LHClient(use_olh=True, **shared), oracles.LHServer(use_olh=True, **shared)),
        "she": lambda: (oracles.HEClient(**shared), oracles.HEServer(**shared)),
        "the": lambda: (oracles.HEClient(**shared), oracles.HEServer(use_the=True, **shared)),
        "hadamard": lambda: hadamard(oracles, shared),
    }

    def run(values: Any) -> tuple[float, float, Any]:
        client, server = makers[slug]()
        users = values.tolist()
        start = time.process_time()
        for value in users:
            server.aggregate(client.privatise(value))
        middle = time.process_time()
        estimates = np.array(server.estimate_all(range(k), suppress_warnings=True))
        return middle - start, time.process_time() - middle, estimates / len(users)

    if slug not in makers:
        raise KeyError(slug)
    return run


def hadamard(oracles: Any, shared: dict[str, Any]) -> tuple[Any, Any]:
    """Its client takes the hash functions of its server."""
    server = oracles.HadamardResponseServer(**shared)
    return oracles.HadamardResponseClient(hash_funcs=server.get_hash_funcs(), **shared), server


def multi_freq_ldpy(slug: str, k: int, epsilon: float) -> Run:
    """multi-freq-ldpy 0.2.5: a compiled client per user, a list of reports, one aggregator."""
    from multi_freq_ldpy.pure_frequency_oracles import GRR, HE, LH, SS, UE

    pairs: dict[str, tuple[Callable[[int], Any], Callable[[Any], Any]]] = {
        "grr": (lambda v: GRR.GRR_Client(v, k, epsilon), lambda r: GRR.GRR_Aggregator_MI(r, k, epsilon)),
        "sue": (lambda v: UE.UE_Client(v, k, epsilon, False), lambda r: UE.UE_Aggregator_MI(r, epsilon, False)),
        "oue": (lambda v: UE.UE_Client(v, k, epsilon, True), lambda r: UE.UE_Aggregator_MI(r, epsilon, True)),
        "blh": (lambda v: LH.LH_Client(v, k, epsilon, False), lambda r: LH.LH_Aggregator_MI(r, k, epsilon, False)),
        "olh": (lambda v: LH.LH_Client(v, k, epsilon, True), lambda r: LH.LH_Aggregator_MI(r, k, epsilon, True)),
        "she": (lambda v: HE.HE_Client(v, k, epsilon), lambda r: HE.HE_Aggregator_MI(r, k, epsilon, False)),
        "the": (lambda v: HE.HE_Client(v, k, epsilon), lambda r: HE.HE_Aggregator_MI(r, k, epsilon, True)),
        "subset": (lambda v: SS.SS_Client(v, k, epsilon), lambda r: SS.SS_Aggregator_MI(r, k, epsilon)),
    }
    client, aggregator = pairs[slug]
    aggregator([client(value) for value in range(3)])  # compiled outside the clock

    def run(values: Any) -> tuple[float, float, Any]:
        users = values.tolist()
        start = time.process_time()
        shares = aggregator([client(value) for value in users])
        return time.process_time() - start, 0.0, np.asarray(shares)

    return run


LIBRARIES: dict[str, Callable[[str, int, float], Run]] = {"pure-ldp": pure_ldp, "multi-freq-ldpy": multi_freq_ldpy}


def zipf(k: int, n: int) -> Any:
    """n users, shuffled, whose v-th value has a share proportional to 1/v, up to rounding."""
    weights = 1 / np.arange(1, k + 1)
    counts = np.floor(weights / weights.sum() * n).astype(np.int64)
    counts[0] += n - counts.sum()
    return np.random.default_rng(1).permutation(np.repeat(np.arange(k), counts))


def memory(entry: str) -> float:
    """Megabytes that this process holds (VmRSS) or has held at most (VmHWM)."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text(encoding="utf-8").splitlines() if line.startswith(entry))
        return int(line.split()[1]) / 1024
    unit = 1 if platform.system() == "Darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / (1 << 20)


def patiently(run: Run, k: int, n: int, patience: float) -> tuple[int, float, float, Any, Any]:
    """All users where that is quick enough, else so many as take a third of the patience."""
    users = min(n, 500)
    while True:
        values = zipf(k, users)
        grows, rest, shares = run(values)
        expected = grows / len(values) * n + rest
        if len(values) >= n or (expected > patience and grows + rest > patience / 6):
            times = [(grows, rest)]
            while len(times) < 3 and len(times) * (grows + rest) + grows + rest <= patience / 2:
                times.append(run(values)[:2])
            grows, rest = sorted(times)[len(times) // 2]
            return len(values), grows, rest, shares, np.bincount(values, minlength=k) / len(values)
        reachable = n if expected <= patience else int(patience / 3 / max(grows / len(values), 1e-9))
        users = min(n, max(reachable, users + 1), 20 * users)


def main() -> None:
    """Measure what the command line asks for."""
    warnings.simplefilter("ignore")
    library, slug, k, epsilon, n, patience = sys.argv[1:]
    try:
        run = LIBRARIES[library](slug, int(k), float(epsilon))
    except KeyError:
        print(json.dumps(None))
        return
    idle = memory("VmRSS")
    users, grows, rest, shares, truth = patiently(run, int(k), int(n), float(patience))
    error = float(((shares - truth) ** 2).mean())
    added = max(memory("VmHWM") - idle, 0.0)
    print(json.dumps({"users": users, "grows": grows, "rest": rest, "error": error, "added": added}))


if __name__ == "__main__":
    main()
