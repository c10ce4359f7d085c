"""The trial of the built wheel with nothing else installed: install it, draw a page, read a workbook, start it.

`python -m tools.trial dist` takes the wheel of a folder, or a wheel; it needs `tools` alone.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import venv
import zipfile
from http.client import HTTPConnection
from pathlib import Path

from tools.serving import free_port, healthy

PARTS = {  # the smallest workbook: one sheet with names in its first line
    "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default '
    'Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/'
    'workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override '
    'PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.'
    'worksheet+xml"/></Types>',
    "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship '
    'Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/'
    'workbook.xml"/></Relationships>',
    "xl/workbook.xml": '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://'
    'schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="People" sheetId="1" '
    'r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" '
    'Target="worksheets/sheet1.xml"/></Relationships>',
}
ROWS = [("person", "age"), *((f"p{place}", 20 + place) for place in range(40))]
READ = """
import sys
from ldp_explorer.command import folder
sys.path.insert(0, str(folder()))
from ldpcore.reading.dialects import Opened
opened = Opened.of(open(sys.argv[1], "rb").read(), "people.xlsx", "", lambda share: None)
table, _ = opened.read(None, lambda share: None)
assert (table.n, len(table.columns)) == (40, 2)
print(f"read a workbook of {table.n} rows and {len(table.columns)} columns")
"""
DRAW = """
import sys
from ldp_explorer.command import folder
sys.path.insert(0, str(folder()))
from explorer.pages.rendered import render
render()
print("drew the first page's sentence and the next page's figure")
"""
SCRIPT = """
import sys
from ldp_explorer.command import folder
sys.path.insert(0, str(folder()))
from explorer.host.plotlyscript import address
print(address())
"""
PATIENCE = 120.0  # seconds for a start


def workbook(place: Path) -> Path:
    """A workbook of forty people."""

    def cell(value: object) -> str:
        return f"<c><v>{value}</v></c>" if isinstance(value, int) else f'<c t="inlineStr"><is><t>{value}</t></is></c>'

    rows = "".join(f"<row>{''.join(map(cell, row))}</row>" for row in ROWS)
    sheet = f'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{rows}</sheetData></worksheet>'
    with zipfile.ZipFile(place / "people.xlsx", "w") as packed:
        for name, text in {**PARTS, "xl/worksheets/sheet1.xml": sheet}.items():
            packed.writestr(name, text)
    return place / "people.xlsx"


def wheel_of(place: Path) -> Path:
    """The wheel to be tried."""
    found = [place] if place.is_file() else sorted(place.glob("*.whl"))
    if len(found) != 1:
        raise SystemExit(f"{place} must hold one wheel; it holds {len(found)}: build it with python -m build")
    return found[0]


def waited(port: int, server: subprocess.Popen[bytes]) -> float:
    """The seconds until a server answers."""
    began = time.monotonic()
    while not healthy(port):
        if server.poll() is not None:
            raise SystemExit(f"the server has ended with {server.returncode}")
        if time.monotonic() - began > PATIENCE:
            raise SystemExit(f"the server must answer within {PATIENCE:g} seconds")
        time.sleep(0.2)
    return time.monotonic() - began


def tried(wheel: Path, place: Path) -> None:
    """Install, draw, read, start, and fetch the script that draws figures."""
    began = time.monotonic()
    venv.create(place / "env", with_pip=True, symlinks=os.name != "nt")
    scripts = place / "env" / ("Scripts" if os.name == "nt" else "bin")
    python = str(scripts / "python")
    pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    subprocess.run([*pip, f"ldp-explorer[app] @ {wheel.resolve().as_uri()}"], check=True)
    print(f"installed {wheel.name} in {time.monotonic() - began:.0f} s", flush=True)
    empty = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    for script in ([python, "-c", DRAW], [python, "-c", READ, str(workbook(place))]):
        subprocess.run(script, cwd=place, env=empty, check=True)
    port = free_port()
    command = [str(scripts / "ldp-explorer"), "--no-browser", "--host", "127.0.0.1", "--port", str(port)]
    server = subprocess.Popen(command, cwd=place, env=empty)
    try:
        print(f"answered after {waited(port, server):.1f} s", flush=True)
        asked = [python, "-c", SCRIPT]
        path = subprocess.check_output(asked, cwd=place, env=empty, text=True, encoding="utf-8").strip()
        connection = HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("GET", f"/{path}")
        answer = connection.getresponse()
        begun = answer.read()[:200]
        connection.close()
        if answer.status != 200 or b"plotly.js" not in begun:
            raise SystemExit(f"the server must serve {path}; it answers {answer.status}")
        print(f"served {path}", flush=True)
    finally:
        server.terminate()
        server.wait(30)


def main() -> int:
    """Try a wheel; the exit status."""
    asked = argparse.ArgumentParser(prog="python -m tools.trial", description=(__doc__ or "").splitlines()[0])
    asked.add_argument("place", type=Path, help="a wheel, or the folder that holds one")
    asked.add_argument("--same-version", metavar="VERSION", help="only check that the wheel is of this version")
    options = asked.parse_args()
    wheel = wheel_of(options.place)
    if options.same_version is not None:
        if f"-{options.same_version}-" not in wheel.name:
            raise SystemExit(f"the tag says {options.same_version}, the wheel is {wheel.name}")
        return 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        tried(wheel, Path(place))
    return 0


if __name__ == "__main__":
    sys.exit(main())
