"""A file that travels, made by a process of its own: its views are opened without a screen, which no server can do."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from explorer.navigation import ROOT
from ldpcore.costs import Cost
from ldpcore.questions import Progress, Question, no_progress

WORK = Cost(bytes=2 * 8_000_000, seconds=12.0)  # for a way in one language; the process' own memory is not this one's


REFUSED = 3  # the exit status of a process whose last line says why there is no file


class UnmadeError(RuntimeError):
    """A file that could not be made; the message says why, and is empty where the process broke off."""


@dataclass(frozen=True)
class TravelQuestion(Question[bytes]):
    """The order for a file: a way by its name, or a view by its link with one more control that travels."""

    kind: str
    of: str
    languages: tuple[str, ...] = ("en",)
    answers: bool = True
    drawn: bool = False
    address: str = ""
    scored: bool = False  # a package for a course platform in place of the file
    control: str = ""  # in JSON: the parameter, its name, its options

    @property
    def arguments(self) -> list[str]:
        """The command's arguments, but for the file's name."""
        switches = [] if self.answers else ["--without-answers"]
        switches += ["--drawn"] if self.drawn else []
        switches += ["--scored"] if self.scored else []
        switches += ["--control", self.control] if self.control else []
        return [*switches, "--address", self.address, "--languages", *self.languages]

    def run(self, progress: Progress = no_progress) -> bytes:
        """The file; the process ends with the work."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "file.html"
            command = [sys.executable, "-m", "explorer.ui.travel", self.kind, self.of, str(path), *self.arguments]
            paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
            known = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONIOENCODING": "utf-8"}
            with subprocess.Popen(
                command, cwd=ROOT, env=known, stderr=subprocess.PIPE, text=True, encoding="utf-8"
            ) as process:
                try:
                    said = _followed(process, progress)
                except BaseException:
                    process.kill()
                    raise
            if process.returncode != 0:
                kind = said.partition(":")[0]
                logging.getLogger(__name__).error("status %d: %s", process.returncode, kind)
                raise UnmadeError(said if process.returncode == REFUSED else "")
            return path.read_bytes()

    def cost(self) -> Cost:
        """The estimated cost: long work, whatever is asked."""
        return WORK


def _followed(process: subprocess.Popen[str], progress: Progress) -> str:
    """The last line that the process has said beside its progress."""
    said = ""
    assert process.stderr is not None
    for line in process.stderr:
        try:
            progress(float(line))
        except ValueError:
            said = line.strip() or said
    return said


def options_of(control: str, name: str, titles: dict[str, str]) -> str:
    """A control that travels, as the command takes it."""
    return json.dumps([control, name, titles], ensure_ascii=False)
