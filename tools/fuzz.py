"""Foreign files, links and typed texts drawn at random: all cases, a share of which the tests run by day; for hours.

The browser's tests are run by themselves: a browser that is open leaves no event loop to the others.

`FUZZ=0.1` in the environment draws a tenth.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Run all three parts, whatever the first ones find; the exit status."""
    told = os.environ | {"LDP_EXPLORER_FUZZ": os.environ.get("FUZZ", "1")}
    tests = ROOT / "tests"
    shared = [path for path in sorted(tests.rglob("test_*.py")) if "tests.rationing" in path.read_text("utf-8")]
    browser, fuzz = ([path for path in shared if path.parent == tests / name] for name in ("browser", "fuzz"))
    parts = ["-s", "tests/fuzz"], sorted({*shared} - {*browser, *fuzz}), browser
    pytest = [sys.executable, "-m", "pytest", "-q"]
    found = [subprocess.call([*pytest, *map(str, part)], cwd=ROOT, env=told) for part in parts]
    return next(filter(None, found), 0)


if __name__ == "__main__":
    sys.exit(main())
