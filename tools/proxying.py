"""The nginx of `deploy/` on this machine: the files as they are, with ports of one's own and without TLS."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ldpcore.processes import is_root
from tools.serving import ROOT, free_port

FILES = ROOT / "deploy" / "nginx"
ADVICE = "no nginx was found: install one (Debian, Ubuntu: `apt-get install nginx-light`)"
ASKS_AGAIN = (1, 27, 3)  # the version from which nginx asks for the names of servers again
MAIN = """
{user}worker_processes 1;
worker_rlimit_nofile 8192;
daemon off;
pid {folder}/pid;
error_log {folder}/error.log warn;
events {{ worker_connections 4096; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {files}
}}
"""


def program() -> str | None:
    """The path of nginx: Debian keeps it off the path of ordinary users."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")


def version() -> tuple[int, ...]:
    """The version of nginx."""
    nginx = program()
    assert nginx is not None, ADVICE
    said = subprocess.run((nginx, "-v"), capture_output=True, text=True, check=True, encoding="utf-8").stderr
    number = re.search(r"nginx/(\d+)\.(\d+)\.(\d+)", said)
    assert number is not None, said
    return tuple(map(int, number.groups()))


def user() -> str:
    """The user of nginx's workers: root's would be somebody else, who may not write long answers to the folder."""
    return "user root;\n" if is_root() else ""


def written(folder: Path, ports: tuple[int, int], server: str) -> Path:
    """The configuration in a folder: the replicas on these ports, and this server in front of them."""
    conf = folder / "conf"
    (conf / "ldp-explorer").mkdir(parents=True)
    for name in ("upstreams.conf", "sticky.conf", "location.conf"):
        text = (FILES / name).read_text("utf-8")
        for usual, own in zip((8501, 8502), ports, strict=True):
            text = re.sub(rf":{usual}\b", f":{own}", text)
        (conf / ("ldp-explorer" if name == "location.conf" else "") / name).write_text(text, "utf-8")
    (conf / "server.conf").write_text(server.replace("include ldp-explorer/", f"include {conf}/ldp-explorer/"), "utf-8")
    main = folder / "nginx.conf"
    files = " ".join(f"include {conf}/{name}.conf;" for name in ("upstreams", "sticky", "server"))
    main.write_text(MAIN.format(folder=folder, user=user(), files=files), "utf-8")
    return main


def checked(main: Path) -> str:
    """The errors that nginx finds in a configuration; empty where it takes it."""
    nginx = program()
    assert nginx is not None, ADVICE
    said = subprocess.run(
        (nginx, "-t", "-q", "-c", str(main)), capture_output=True, text=True, check=False, encoding="utf-8"
    )
    return said.stderr if said.returncode else ""


@contextmanager
def running(main: Path, patience: float = 10.0) -> Iterator[None]:
    """The proxy of a configuration, which names the file `pid` beside it."""
    nginx = program()
    assert nginx is not None, ADVICE
    process = subprocess.Popen((nginx, "-c", str(main)), stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + patience
        while not main.with_name("pid").exists():
            if process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"nginx must start; it says: {checked(main)}")
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait(10)


@contextmanager
def proxying(ports: tuple[int, int]) -> Iterator[str]:
    """The address of a proxy in front of two replicas, without TLS, as compose has it."""
    port = free_port()
    with tempfile.TemporaryDirectory() as name:
        server = (FILES / "server-compose.conf").read_text("utf-8").replace("listen 80;", f"listen 127.0.0.1:{port};")
        with running(written(Path(name), ports, server)):
            yield f"http://127.0.0.1:{port}"
