"""The jobs of the page `docs/beside.md`, run as they are printed there: `python -m benchmarks.beside`.

Each block of code is timed in the Python of its library: ours in this one, the others in an environment of their own,
which the first run makes under `.cache/peers` from `requirements-peers.txt`. It prints the rows of the page's tables.
"""

from __future__ import annotations

import json
import platform
import re
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

from tools.serving import ROOT

PAGE = ROOT / "docs" / "beside.md"
USERS = 100_000

TIMED = """
import contextlib, io, json, math, sys, time, warnings
import numpy as np
warnings.simplefilter("ignore")
rng = np.random.default_rng(7)
weights = 1 / np.arange(1, 51)
values = rng.choice(50, {users}, p=weights / weights.sum()).tolist()
truth = np.bincount(values, minlength=50) / len(values)
if {mean}:
    values = rng.triangular(0, 20, 100, {users}).tolist()
    truth = np.mean(values)
code, seconds = compile({code!r}, "page", "exec"), []
while len(seconds) < 4 and sum(seconds) < 10:
    names = dict(values=values)
    start = time.process_time()
    with contextlib.redirect_stdout(io.StringIO()):
        exec(code, names)
    seconds.append(time.process_time() - start)
error = math.sqrt(np.mean((np.asarray(names["mean" if {mean} else "shares"]) - truth) ** 2))
print(json.dumps([min(seconds), error]))
"""


@dataclass(frozen=True)
class Job:
    """One block of the page: the job, the library, and its code."""

    title: str
    library: str
    code: str

    @property
    def lines(self) -> int:
        """The lines of its code, imports included."""
        return sum(bool(line.strip()) for line in self.code.splitlines())


def jobs() -> list[Job]:
    """The blocks of the page, in its order."""
    sections = re.split(r"^## (.+)$", PAGE.read_text("utf-8"), flags=re.MULTILINE)[1:]
    return [
        Job(title, library, code)
        for title, body in zip(sections[::2], sections[1::2], strict=True)
        for library, code in re.findall(r"\*\*(.+?)\*\*\n\n```py(?:thon)?\n(.*?)```", body, re.DOTALL)
    ]


def measured(job: Job, python: Path) -> tuple[float, float]:
    """Processor seconds of the block, the least of at most four runs, and the error of the last."""
    script = TIMED.format(users=USERS, mean="mean" in job.title, code=job.code)
    ran = subprocess.run(
        [str(python), "-c", script], cwd=ROOT, capture_output=True, text=True, check=True, encoding="utf-8"
    )
    seconds, error = json.loads(ran.stdout.splitlines()[-1])
    return float(seconds), float(error)


def environment(folder: Path = ROOT / ".cache" / "peers") -> Path:
    """The Python of the other libraries' environment, which is made where it is missing."""
    python = folder / ("Scripts" if platform.system() == "Windows" else "bin") / "python"
    if not python.exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder.parent / ".gitignore").write_text("*\n", encoding="utf-8")
        venv.create(folder, with_pip=True)
    pins, done = Path(__file__).with_name("requirements-peers.txt"), folder / "installed.txt"
    wanted = pins.read_text(encoding="utf-8")
    if not done.exists() or done.read_text(encoding="utf-8") != wanted:
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--requirement", pins], check=True)
        done.write_text(wanted, encoding="utf-8")
    return python


def main() -> None:
    """Measure all blocks, job by job."""
    for job in jobs():
        seconds, error = measured(job, Path(sys.executable) if job.library == "ldpcore" else environment())
        print(f"{job.title}: {job.library} | {job.lines} | {seconds:.3g} | {error:.2g}")


if __name__ == "__main__":
    main()
