"""The package as others get it: an archive of the sources, built and installed where nothing else is, tested there.

`python -m tools.installed` makes the archive, installs it into an empty environment with NumPy and SciPy alone and
times its import, adds what tables need, and runs the tests of the core from a folder that knows nothing of this
checkout.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from functools import cache
from pathlib import Path

from tools.hashes import bare

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests"
BROUGHT = frozenset(
    {"dask", "distributed", "hypothesis", "ldpcore", "numpy", "packaging", "pandas", "pyarrow", "pytest", "scipy"}
)
EXTRAS = ("pandas", "python-calamine", "pyarrow", "dask[dataframe,distributed]", "pytest", "hypothesis")
BUILT = (  # a package's sources
    *("pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "ldpcore", "data"),
    *("ldp_explorer", "app.py", "pages", "explorer", ".streamlit", "tools/metadata.py"),
)
BESIDE = ("tests",)  # what lies beside them in a checkout, and must stay there
SLOWEST = 0.1  # processor seconds that an import may take
IMPORT = """
import sys, time
began = time.process_time()
import ldpcore
taken = time.process_time() - began
assert not {"scipy", "pandas", "streamlit", "plotly"} & set(sys.modules), "an import loads what it does not need yet"
print(f"{taken:.3f}")
"""


def named(path: Path) -> str:
    """The module name of a test file."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


@cache
def imported(path: Path) -> frozenset[str]:
    """The imports of a file, and every name that it takes from there, under their possible module names."""
    met = set[str]()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            met |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            met |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(met)


def reached(path: Path, files: dict[str, Path], met: dict[Path, None]) -> dict[Path, None]:
    """A file and all test files that it imports, however far."""
    if path not in met:
        met[path] = None
        for name in imported(path) & set(files):
            reached(files[name], files, met)
    return met


def alone(path: Path) -> bool:
    """Whether a file needs nothing but the package, and no other file of the checkout."""
    tops = {name.partition(".")[0] for name in imported(path)}
    outside = tops - set(sys.stdlib_module_names) - BROUGHT - {"tests"}
    return not outside and not re.search(r"parent\.parent|README", path.read_text(encoding="utf-8"))


def core() -> dict[Path, None]:
    """The tests of the core and all their imports: they run where only the package is."""
    files = {named(path): path for path in TESTS.rglob("*.py")}
    met: dict[Path, None] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        every = reached(path, files, {})
        if path.parent.name not in ("browser", "fuzz", "screens") and all(alone(each) for each in every):
            met |= every
    return met


def archive(made: Path, python: str = sys.executable) -> Path:
    """The archive of the sources, made from them as they lie beside the tests."""
    source = made / "source"
    source.mkdir()
    for name in (*BUILT, *BESIDE):
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(exist_ok=True)
            shutil.copy(ROOT / name, source / name)
        else:
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    build = "from hatchling.build import build_sdist; build_sdist('..')"
    subprocess.run([python, "-c", build], cwd=source, check=True, capture_output=True)
    (packed,) = made.glob("*.tar.gz")
    return packed


def pinned(*names: str) -> list[str]:
    """The versions of the locks."""
    locks = [(ROOT / lock).read_text(encoding="utf-8") for lock in ("requirements.txt", "requirements-test.txt")]
    return [line for lock in locks for line in bare(lock).splitlines() if line.partition("==")[0] in names]


def installed(place: Path) -> int:
    """Build, install and test in an empty folder; the tests' exit status."""
    packed = archive(place)
    venv.create(place / "env", with_pip=True, symlinks=os.name != "nt")
    python = str(place / "env" / ("Scripts" if os.name == "nt" else "bin") / "python")
    pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    subprocess.run([*pip, *pinned("numpy", "scipy"), str(packed)], check=True)
    empty = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    times = [
        float(subprocess.check_output([python, "-c", IMPORT], cwd=place, env=empty, text=True, encoding="utf-8"))
        for _ in range(5)
    ]
    print(f"Installed {packed.name}; import takes {min(times):.3f} processor seconds (at most {SLOWEST:g})", flush=True)
    assert min(times) <= SLOWEST
    subprocess.run([*pip, *pinned(*EXTRAS)], check=True)
    for path in core():
        (place / path.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, place / path.relative_to(ROOT))
    shutil.copytree(TESTS / "fixtures", place / "tests" / "fixtures", dirs_exist_ok=True)
    print(f"The tests of the core, in {sum(path.name.startswith('test_') for path in core())} files", flush=True)
    asked = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--import-mode=importlib", "tests"]
    return subprocess.run(asked, cwd=place, env=empty | {"PYTHONPATH": str(place)}, check=False).returncode


def main() -> int:
    """Try the package in a folder of its own, which is removed again."""
    argparse.ArgumentParser(prog="python -m tools.installed", description=(__doc__ or "").splitlines()[0]).parse_args()
    with tempfile.TemporaryDirectory() as place:
        return installed(Path(place))


if __name__ == "__main__":
    sys.exit(main())
