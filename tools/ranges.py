"""Run the tests of the screens with the oldest, or the newest, of everything that pyproject.toml allows.

`python -m tools.ranges oldest` makes an environment of its own and installs there the lowest version of each range;
`newest` takes what is published today. `--streamlit 1.66.1` asks for one version of Streamlit. What stands behind `--`
is for pytest, which otherwise runs `tests/screens` and what the app takes from inside Streamlit.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESOLUTIONS = {"oldest": "lowest-direct", "newest": "highest"}  # as uv calls them
TESTS = ("-q", "-n", "auto", "tests/screens", "tests/test_internals.py")


def wanted(streamlit: str | None = None) -> list[str]:
    """The ranges of the app and of its tests, with Streamlit's narrowed to one version where it is given."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    ranges = [*project["dependencies"], *extras["app"], *extras["parquet"], *extras["test"]]
    return [*ranges, *([] if streamlit is None else [f"streamlit=={streamlit}"])]


def made(place: Path, which: str, streamlit: str | None) -> Path:
    """The Python of a new environment in which the ranges are installed, by uv: pip knows no oldest version."""
    venv.create(place / "env", with_pip=True, symlinks=os.name != "nt")
    python = next(each for each in (place / "env/bin/python", place / "env/Scripts/python.exe") if each.exists())
    listed = place / "ranges.txt"
    listed.write_text("\n".join(wanted(streamlit)), encoding="utf-8")
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    subprocess.run([*pip, "uv"], check=True)
    resolved = ["--resolution", RESOLUTIONS[which], "--only-binary", ":all:", "-r", str(listed)]
    subprocess.run([str(python), "-m", "uv", "pip", "install", "--python", str(python), *resolved], check=True)
    return python


def main(arguments: Sequence[str] | None = None) -> int:
    """Install, and test; the exit status."""
    asked = argparse.ArgumentParser(prog="python -m tools.ranges", description=(__doc__ or "").splitlines()[0])
    asked.add_argument("which", choices=RESOLUTIONS)
    asked.add_argument("--streamlit", metavar="VERSION", help="one version of Streamlit")
    asked.add_argument("tests", nargs="*", default=TESTS, help="what pytest is told, behind --")
    options = asked.parse_args(arguments)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        python = made(Path(place), options.which, options.streamlit)
        return subprocess.call([str(python), "-m", "pytest", "-p", "no:cacheprovider", *options.tests], cwd=ROOT)


if __name__ == "__main__":
    sys.exit(main())
