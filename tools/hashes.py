"""The hashes of the locks: behind each pin, one for every file of that version, on every system.

`python -m tools.hashes` asks uv for them and writes them; `--check` says which locks are not as uv has them, and writes
nothing. A pip that finds a hash takes nothing without one, so that a lock also lists what other systems bring along.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST = "3.11.5"  # of the Pythons for which every pin has a file
_PIN = re.compile(r"(?P<name>[\w.-]+)(?:\[[^\]]*\])?==(?P<version>[^\s;]+)")


def locks() -> list[Path]:
    """The locks of the checkout."""
    return sorted(ROOT.glob("requirements*.txt"))


def bare(lock: str) -> str:
    """A lock without its hashes, as one reads and changes it."""
    lines = [line for line in lock.splitlines() if not line.lstrip().startswith("--hash=")]
    return "".join(f"{line.removesuffix(chr(92)).rstrip()}\n" for line in lines)


def named(pin: str) -> str:
    """The version that a line pins, under the package's normalized name; empty where it pins none."""
    found = _PIN.match(pin)
    return f"{re.sub('[-_.]+', '-', found['name']).lower()}=={found['version']}" if found else ""


def hashed(lock: str, hashes: dict[str, list[str]]) -> str:
    """A lock with the hashes of each version behind its pin."""
    joined = (
        " \\\n    ".join([line, *(f"--hash={each}" for each in hashes[named(line)])]) if named(line) else line
        for line in bare(lock).splitlines()
    )
    return "".join(f"{line}\n" for line in joined)


def hashes_of(lock: str) -> dict[str, list[str]]:
    """The hashes that stand behind each pinned version."""
    found: dict[str, list[str]] = {}
    version = ""
    for line in lock.splitlines():
        version = named(line) or version
        if line.lstrip().startswith("--hash="):
            found.setdefault(version, []).append(line.strip().removeprefix("--hash=").removesuffix(" \\"))
    return found


def asked(lock: str) -> dict[str, list[str]]:
    """The hashes that the index has for each version, by uv."""
    uv = shutil.which("uv")
    if uv is None:
        raise SystemExit("uv must be installed, which asks the index for hashes: python -m pip install uv")
    with tempfile.TemporaryDirectory() as place:
        pins = Path(place, "pins.in")
        pins.write_text("".join(f"{line}\n" for line in bare(lock).splitlines() if named(line)), encoding="utf-8")
        how = ["--universal", "--python-version", OLDEST, "--no-deps", "--generate-hashes", "--no-header", "--quiet"]
        told = subprocess.run([uv, "pip", "compile", *how, str(pins)], capture_output=True, text=True, encoding="utf-8")
    if told.returncode:
        raise SystemExit(told.stderr.strip())
    return hashes_of(told.stdout)


def main() -> int:
    """Write the hashes, or compare them; the exit status."""
    options = argparse.ArgumentParser(prog="python -m tools.hashes", description=(__doc__ or "").splitlines()[0])
    options.add_argument("--check", action="store_true", help="say which locks are not as uv has them, write nothing")
    check, worst = options.parse_args().check, 0
    for path in locks():
        present = path.read_text(encoding="utf-8")
        wanted = hashed(present, asked(present))
        if check:
            print(f"{path.name} {'is' if present == wanted else 'is not'} as uv has it")
            worst |= present != wanted
        else:
            path.write_text(wanted, encoding="utf-8", newline="\n")
            print(f"{path.name} has {wanted.count('--hash=')} hashes")
    return int(worst)


if __name__ == "__main__":
    sys.exit(main())
