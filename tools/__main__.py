"""The commands of a checkout, on every system: `python -m tools` lists them, `python -m tools run` opens the app.

It needs nothing but Python: each command first puts what it needs into `.venv`, by uv where that is there and by pip
where it is not, and once until a list of requirements changes. `make` has the same names.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
OLDEST, NEWEST = (3, 11), (3, 14)  # the versions of Python for which NumPy, SciPy, pandas and pyarrow have wheels
LISTS = {  # the requirements of each user; the tests and the site need the app's too
    "run": ("requirements.txt",),
    "test": ("requirements-test.txt", "requirements.txt"),
    "docs": ("requirements-docs.txt", "requirements.txt"),
    "mutants": ("requirements-mutants.txt", "requirements-test.txt", "requirements.txt"),
}
LOOKING = frozenset({"--check", "--diff"})  # options with which a command changes no file
TIMED = ("mutants", "soak")  # commands that `MINUTES` in the environment makes shorter
CHROMIUM = ("tools.chromium", "--install")


@dataclass(frozen=True)
class Command:
    """A command of the checkout: its purpose, its list of requirements, and the modules that it runs, one by one."""

    about: str
    needs: str
    modules: tuple[tuple[str, ...], ...]
    all_of_them: bool = False  # whether one that fails hides no later one
    looking: tuple[tuple[str, ...], ...] = ()  # modules in their place where the reader asks to change nothing

    def run(self, python: str, more: Sequence[str]) -> int:
        """Run the command's modules; the arguments behind its name go to the last one."""
        worst, looks = 0, bool(self.looking and LOOKING.intersection(more))
        modules = self.looking if looks else self.modules
        for place, module in enumerate(modules):
            told = [*module, *more] if place == len(modules) - 1 else list(module)
            status = ended(subprocess.Popen([python, "-m", *told], cwd=ROOT))
            worst = worst or status
            if status and not (self.all_of_them or looks):
                break
        return worst


def ended(process: subprocess.Popen[bytes]) -> int:
    """The exit status of a process, which Ctrl+C reaches too: it ends in its own order."""
    while True:
        with suppress(KeyboardInterrupt):
            return process.wait()


COMMANDS = {
    "run": Command("set up what the app needs, then open it", "run", (("ldp_explorer",),)),
    "edit": Command(
        "the same for those who change the code: a saved file shows at once",
        "run",
        (("streamlit", "run", "app.py", "--server.showEmailPrompt=false", "--server.fileWatcherType=auto"),),
    ),
    "test": Command("set up the test extras too, then run every check", "test", (CHROMIUM, ("tools.layers",))),
    "quick": Command("style, types and the tests that your change can reach", "test", (("tools.quick",),)),
    "check": Command("style, types and the tests that need no browser", "test", (("tools.layers", "--quick"),)),
    "browser": Command("the tests in a real browser", "test", (CHROMIUM, ("tools.layers", "--only", "browser"))),
    "format": Command(
        "put the code into its standard form; with --check, only look",
        "test",
        (("ruff", "check", "--fix", "."), ("ruff", "format", ".")),
        looking=(("ruff", "check", "."), ("ruff", "format", ".")),
    ),
    "docs": Command(
        "build the library's site into docs/build; a warning is an error",
        "docs",
        (("sphinx", "-W", "--keep-going", "-q", "-E", "-b", "html", "docs", "docs/build"),),
    ),
    "site": Command("write the project's home page into build/site", "run", (("tools.site",),)),
    "installed": Command(
        "build the library, install it where nothing else is, test it", "test", (("tools.installed",),)
    ),
    "systems": Command(
        "check the types as they are on macOS and on Windows",
        "test",
        (("mypy", "--platform", "darwin"), ("mypy", "--platform", "win32")),
    ),
    "oldest": Command("the screens with the oldest of everything allowed", "run", (("tools.ranges", "oldest"),)),
    "newest": Command("the screens with the newest of everything allowed", "run", (("tools.ranges", "newest"),)),
    "pictures": Command(
        "draw the README's pictures and the overview's from the app as it is",
        "test",
        (CHROMIUM, ("tools.pictures",), ("tools.portraits",)),
    ),
    "bundle": Command("fetch the small bundle of Plotly", "run", (("tools.bundle",),)),
    "fuzz": Command("files, links and texts drawn at random: hours; FUZZ=0.1", "test", (CHROMIUM, ("tools.fuzz",))),
    "mutants": Command("mistakes made at random; MINUTES=5 for a shorter look", "mutants", (("tools.mutants",),)),
    "bench": Command(
        "measure the pages in a real browser", "test", (CHROMIUM, ("benchmarks.browser",), ("benchmarks.drag",)), True
    ),
    "slow": Command("measure the first picture over a slow network", "test", (CHROMIUM, ("benchmarks.slow",))),
    "soak": Command("fifty readers for half an hour: what is left behind", "test", (("benchmarks.soak",),)),
}


def main(arguments: Sequence[str]) -> int:
    """Run the named command, or list all of them; the exit status."""
    name, *more = arguments or ["help"]
    if name == "clean":
        for each in (".venv", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis"):
            shutil.rmtree(ROOT / each, ignore_errors=True)
        return 0
    if name not in COMMANDS:
        before = "make" if "MAKELEVEL" in os.environ else "python -m tools"
        print(*(f"  {before} {each:<10} {command.about}" for each, command in COMMANDS.items()), sep="\n")
        print(f"  {before} {'clean':<10} remove the environment and the caches")
        return 0 if name in ("help", "-h", "--help") else 2
    if trouble := unfit(sys.version_info[:2]):
        print(trouble, file=sys.stderr)
        return 1
    command = COMMANDS[name]
    if name in TIMED and "MINUTES" in os.environ:
        more = ["--minutes", os.environ["MINUTES"], *more]
    return prepared(command.needs) or command.run(str(interpreter()), more)


def unfit(version: tuple[int, int]) -> str:
    """The reason why this Python cannot run the app, and what to do; empty where it can."""
    if OLDEST <= version <= NEWEST:
        return ""
    oldest, newest, here = (".".join(map(str, each)) for each in (OLDEST, NEWEST, version))
    return (
        f"Python {oldest} to {newest} is needed, and this is Python {here}: install one from your system's packages or "
        "from https://www.python.org/downloads/ and try again."
    )


def interpreter() -> Path:
    """The Python of the environment."""
    return ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def prepared(needs: str) -> int:
    """Put the requirements into the environment, unless they are there; the exit status."""
    stamp = ENVIRONMENT / f"installed-{needs}"
    lists = [ROOT / each for each in LISTS[needs]]
    if (
        interpreter().exists()
        and stamp.exists()
        and all(stamp.stat().st_mtime >= each.stat().st_mtime for each in lists)
    ):
        return 0
    ways: list[Callable[[Path], int]] = [by_uv, by_pip] if shutil.which("uv") else [by_pip]
    for way in ways:
        if (status := way(lists[0])) == 0:
            for done in {each for each, wanted in LISTS.items() if set(wanted) <= set(LISTS[needs])}:
                (ENVIRONMENT / f"installed-{done}").touch()
            return 0
    return status


def by_uv(wanted: Path) -> int:
    """Install a list by uv, which takes seconds and shows its progress."""
    print(f"Installing {wanted.name} into {ENVIRONMENT.name} by uv ...", flush=True)
    if not interpreter().exists():
        made = subprocess.call(["uv", "venv", "--quiet", "--seed", "--python", sys.executable, str(ENVIRONMENT)])
        if made:
            return made
    install = ["uv", "pip", "install", "--python", str(interpreter()), "-r", str(wanted)]
    status = subprocess.call(install, cwd=ROOT)
    if status:
        print("uv could not install it; pip tries.", flush=True)
    return status


def by_pip(wanted: Path) -> int:
    """Install a list by pip, with its bar; quietly where nobody looks."""
    if not interpreter().exists():
        print(f"Creating {ENVIRONMENT.name} with Python {sys.version.split()[0]} ...", flush=True)
        try:
            venv.create(ENVIRONMENT, with_pip=True, symlinks=os.name != "nt")
        except (OSError, subprocess.CalledProcessError):
            shutil.rmtree(ENVIRONMENT, ignore_errors=True)
            print(
                "A virtual environment could not be created: install python3-venv (Debian, Ubuntu: apt-get install "
                "python3-venv) and try again.",
                file=sys.stderr,
            )
            return 1
    print(f"Installing {wanted.name} into {ENVIRONMENT.name} by pip, about a minute ...", flush=True)
    quietly = ["--quiet", "--progress-bar", "off"] if os.environ.get("CI") else []
    # Who opens the app first waits for no compiling; checks compile what they load, a third of all, as after uv.
    lazily = [] if wanted.name == LISTS["run"][0] else ["--no-compile"]
    pip = [str(interpreter()), "-m", "pip", "--disable-pip-version-check"]
    # A law holds these two lists to name all that comes along: no package is asked for what it brings.
    whole = ["--no-deps"] if wanted.name in (LISTS["run"][0], LISTS["test"][0]) else []
    return subprocess.call([*pip, "install", *whole, *quietly, *lazily, "-r", str(wanted)], cwd=ROOT)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
