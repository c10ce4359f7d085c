"""Foreign files, links and typed texts drawn at random: all cases, a share of which the tests run by day; for hours.

`FUZZ=0.1` in the environment draws a tenth.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Run both parts, whatever the first one finds; the exit status."""
    told = os.environ | {"LDP_EXPLORER_FUZZ": os.environ.get("FUZZ", "1")}
    shared = [
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        if "tests.rationing" in path.read_text(encoding="utf-8")
    ]
    pytest = [sys.executable, "-m", "pytest", "-q"]
    found = [subprocess.call([*pytest, *more], cwd=ROOT, env=told) for more in (["-s", "tests/fuzz"], shared)]
    return next(filter(None, found), 0)


if __name__ == "__main__":
    sys.exit(main())
