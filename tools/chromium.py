"""The Chromium or Chrome that is installed already, or its installation where that is allowed.

`python -m tools.chromium` prints its path; with `--install` it may ask apt-get for one first. The shell that draws
pages and has no windows of its own comes first: it is the same browser otherwise, at half the processor time.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from playwright.sync_api import sync_playwright

from ldpcore.processes import is_root

SHELL = "chromium-headless-shell"
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
ON_A_MAC = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
ON_WINDOWS = (  # below one of the folders in which Windows keeps programs
    "Google/Chrome/Application/chrome.exe",
    "Chromium/Application/chrome.exe",
    "Microsoft/Edge/Application/msedge.exe",
)
FOLDERS = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
ARGUMENTS = (
    "--no-sandbox",  # root in a container has no user namespace
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=none",  # the shell's letters would be wider than those of a browser with windows
)
ADVICE = (
    "no Chromium or Chrome was found: install one (`apt-get install chromium-headless-shell`, or any Chrome), or let "
    "Playwright fetch its own (`.venv/bin/playwright install chromium`), or name one in LDP_CHROMIUM"
)


def answers(path: str) -> bool:
    """Whether the program runs at all: some systems carry a placeholder that only advises to install the browser."""
    try:
        return subprocess.run([path, "--version"], capture_output=True, timeout=60, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def of_playwright() -> str | None:
    """The browser that `playwright install chromium` has fetched, if any."""
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def on_windows() -> list[str]:
    """Where Windows may keep a browser; nowhere on other systems, which have no such folders in their environment."""
    folders = [Path(os.environ[name]) for name in FOLDERS if os.environ.get(name)]
    return [str(folder / browser) for folder in folders for browser in ON_WINDOWS]


@cache
def chromium() -> str | None:
    """The browser to drive: the one named in LDP_CHROMIUM, else one on the path, else Playwright's own."""
    if named := os.environ.get("LDP_CHROMIUM"):
        if not answers(named):
            raise FileNotFoundError(f"LDP_CHROMIUM must name a browser that runs; got {named!r}")
        return named
    browsers = [path for path in map(shutil.which, NAMES) if path]
    browsers += [path for path in (*ON_A_MAC, *on_windows()) if Path(path).exists()]
    return next(filter(answers, browsers), None) or of_playwright()


def install() -> None:
    """Ask apt-get for the shell, else for Chromium; only root on a Debian may, and a failure is left to the advice."""
    if shutil.which("apt-get") is None or not is_root():
        return
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "-y", SHELL], ["install", "-y", "chromium"]):
        if command[-1] != "chromium" or chromium() is None:
            print("For the browser tests: apt-get", *command, flush=True)
            whole = ["apt-get", "-qq", *command]
            subprocess.run(whole, env=quiet, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False)
            chromium.cache_clear()


def main() -> None:
    """Say which browser the tests will drive, or what to install."""
    named = os.environ.get("LDP_CHROMIUM")
    if "--install" in sys.argv and not named and not shutil.which(SHELL):
        install()
    if path := chromium():
        print(f"Browser tests will drive {path}")
    else:
        print(f"Browser tests will be skipped: {ADVICE}")


if __name__ == "__main__":
    main()
