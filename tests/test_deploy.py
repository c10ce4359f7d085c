"""What `deploy/` holds can be used as it is: nginx and systemd take it, and a reader stays with one replica."""

from __future__ import annotations

import importlib
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tools import proxying
from tools.serving import ROOT, free_port

DEPLOY = ROOT / "deploy"
with_nginx = pytest.mark.skipif(proxying.program() is None, reason=proxying.ADVICE)


@contextmanager
def replica(name: str, port: int) -> Iterator[None]:
    """A server that says its name, and what of the request came with it."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            told = f"{name} {self.headers.get('Upgrade', '-')} {self.headers.get('X-Forwarded-Proto', '-')}".encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(told)))
            self.end_headers()
            self.wfile.write(told)

        def log_message(self, *parts: object) -> None:
            """Nothing: a test is quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()


def asked(address: str, cookie: str = "", **headers: str) -> tuple[str, str]:
    """What a replica says through the proxy, and the cookie that comes with it."""
    connection = HTTPConnection(address.removeprefix("http://"), timeout=10)
    try:
        connection.request("GET", "/", headers={**({"Cookie": cookie} if cookie else {}), **headers})
        answer = connection.getresponse()
        return answer.read().decode(), (answer.getheader("Set-Cookie") or "").partition(";")[0]
    finally:
        connection.close()


@with_nginx
def test_nobody_is_turned_away_when_both_replicas_are_restarted_in_turn() -> None:
    """A replica that is back is asked at once, also where the other one dies before nginx has heard of it."""
    ports = free_port(), free_port()
    socket = {"Upgrade": "websocket", "Connection": "Upgrade"}
    with ExitStack() as proxy:
        address = proxy.enter_context(proxying.proxying(ports))
        with replica("two", ports[1]):
            for cookie in ("", "ldp_replica=one", "ldp_replica=two"):
                assert all(asked(address, cookie, **socket)[0].startswith("two") for _ in range(3))
        with replica("one", ports[0]):
            for cookie in ("", "ldp_replica=one", "ldp_replica=two"):
                assert all(asked(address, cookie, **socket)[0].startswith("one") for _ in range(3))


@with_nginx
def test_a_reader_stays_with_a_replica_and_goes_to_the_other_when_it_dies() -> None:
    ports = free_port(), free_port()
    with ExitStack() as open_servers:
        dying = ExitStack()
        dying.enter_context(replica("one", ports[0]))
        open_servers.enter_context(replica("two", ports[1]))
        address = open_servers.enter_context(proxying.proxying(ports))
        met = {asked(address)[0].split()[0] for _ in range(20)}
        assert met == {"one", "two"}  # those who come are shared out
        for name in ("one", "two"):
            cookie = f"ldp_replica={name}"
            assert all(asked(address, cookie) == (f"{name} - http", "") for _ in range(5))  # and then stay
        assert asked(address, "ldp_replica=nonsense")[1] in ("ldp_replica=one", "ldp_replica=two")
        assert asked(address, "ldp_replica=two", Upgrade="websocket", Connection="Upgrade")[0].startswith(
            "two websocket"
        )
        dying.close()
        told, cookie = asked(address, "ldp_replica=one")
        assert told.startswith("two") and cookie == "ldp_replica=two"


@with_nginx
def test_nginx_takes_the_server_with_tls(tmp_path: Path) -> None:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("no openssl was found, which makes a certificate for the test")
    key, certificate = tmp_path / "privkey.pem", tmp_path / "fullchain.pem"
    made = f"{openssl} req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=ldp.example.org -keyout {key}"
    subprocess.run([*made.split(), "-out", certificate], check=True, capture_output=True)
    server = (DEPLOY / "nginx" / "server.conf").read_text("utf-8")
    server = server.replace("/etc/letsencrypt/live/ldp.example.org", str(tmp_path))
    server = re.sub(r"listen (\d+)", lambda found: f"listen 127.0.0.1:{free_port()}", server)
    main = proxying.written(tmp_path / "made", (8501, 8502), server)
    assert proxying.checked(main) == ""


NAMED = DEPLOY / "nginx" / "upstreams-compose.conf.template"


def test_both_lists_of_replicas_say_the_same() -> None:
    """Compose's asks for names again and shares what it hears among nginx's workers; else it says the same."""
    own = (DEPLOY / "nginx" / "upstreams.conf").read_text("utf-8").partition("upstream ")[2]
    named = NAMED.read_text("utf-8").partition("upstream ")[2]
    servers = re.findall(r"server .*;", named)
    assert len(servers) == 6 and all(each.endswith(" resolve;") for each in servers)
    assert re.findall(r"upstream (\w+) {\n    zone (\w+) 128k;", f"upstream {named}") == [
        (name, name) for name in ("ldp_any", "ldp_one", "ldp_two")
    ]
    again = re.sub(r"    zone .*\n", "", named).replace(" resolve;", ";")
    assert own.replace("127.0.0.1:8501", "one:8501").replace("127.0.0.1:8502", "two:8502") == again


@with_nginx
def test_nginx_takes_the_replicas_of_compose_by_their_names(tmp_path: Path) -> None:
    """An nginx that is too old to ask for names again is shown the list without that."""
    compose = (DEPLOY / "compose.yaml").read_text("utf-8")
    assert "NGINX_ENTRYPOINT_LOCAL_RESOLVERS" in compose
    image = re.search(r"image: \S*/nginx:([\d.]+)", compose)
    assert image is not None and tuple(map(int, image[1].split("."))) > proxying.ASKS_AGAIN[:2]
    text = NAMED.read_text("utf-8").replace("${NGINX_LOCAL_RESOLVERS}", "127.0.0.11")
    if proxying.version() < proxying.ASKS_AGAIN:
        text = re.sub(r"server (?:one|two):", "server 127.0.0.1:", text).replace(" resolve;", ";")
    server = (DEPLOY / "nginx" / "server-compose.conf").read_text("utf-8")
    main = proxying.written(tmp_path / "made", (8501, 8502), server.replace("listen 80;", "listen 127.0.0.1:8503;"))
    (main.parent / "conf" / "upstreams.conf").write_text(text, "utf-8")
    assert proxying.checked(main) == ""


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd was found, which judges the unit")
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    unit = (DEPLOY / "ldp-explorer@.service").read_text("utf-8")
    own = tmp_path / "ldp-explorer@8501.service"
    own.write_text(unit.replace("/opt/ldp-explorer/.venv/bin/python", sys.executable), "utf-8")
    said = subprocess.run(
        ["systemd-analyze", "verify", str(own)], capture_output=True, text=True, check=False, encoding="utf-8"
    )
    complaints = [line for line in said.stderr.splitlines() if "ldp-explorer" in line]
    assert not complaints, complaints


def compiled_into(unit: str) -> str:
    """The folder of its own in which a service keeps compiled modules; empty where each start compiles them anew."""
    kept = re.search(r"^Environment=.*\bPYTHONPYCACHEPREFIX=/var/cache/(\S+)", unit, re.MULTILINE)
    own = re.search(r"^CacheDirectory=(\S+)$", unit, re.MULTILINE)
    if kept is None or own is None or kept[1] != own[1] or "PYTHONDONTWRITEBYTECODE" in unit:
        return ""
    return own[1]


def test_a_restarted_service_finds_its_modules_compiled() -> None:
    unit = (DEPLOY / "ldp-explorer@.service").read_text("utf-8")
    assert compiled_into(unit) == "ldp-explorer"
    for written, planted in (
        ("CacheDirectory=ldp-explorer\n", ""),
        ("/var/cache/ldp-explorer", "/opt/ldp-explorer"),
        ("PYTHONPYCACHEPREFIX", "PYTHONDONTWRITEBYTECODE=1 PYTHONPYCACHEPREFIX"),
    ):
        assert written in unit and not compiled_into(unit.replace(written, planted))


def test_every_file_that_the_container_and_compose_name_is_there() -> None:
    compose = (DEPLOY / "compose.yaml").read_text("utf-8")
    named = re.findall(r"- \./([\w./-]+):", compose)
    assert len(named) == 4 and all((DEPLOY / name).is_file() for name in named)
    assert (ROOT / "deploy" / "Containerfile").is_file() and "dockerfile: deploy/Containerfile" in compose
    ignored = (ROOT / ".containerignore").read_text("utf-8").splitlines()
    assert {"tests", ".git", ".venv"} <= set(ignored) and not {"data", "docs", "pages", "static"} & set(ignored)


def missing(container: str) -> list[str]:
    """The names that a container's build asks the app for and does not get, and the paths that are not there."""
    asked = re.findall(r"from ((?:explorer|ldpcore|pages|ldp_explorer)[\w.]*) import (\w+)", container)
    names = [f"{module}.{name}" for module, name in asked if name not in vars(importlib.import_module(module))]
    compiled = [name for each in re.findall(r"compileall -q ([^\\\n&]*)", container) for name in each.split()]
    copied = re.findall(r"^COPY (\S+) ", container, re.MULTILINE)
    return names + [name for name in (*compiled, *copied) if not (ROOT / name).exists()]


def test_the_container_is_built_from_what_is_there() -> None:
    container = (DEPLOY / "Containerfile").read_text("utf-8")
    assert "compileall -q ldpcore" in container and not missing(container)
    planted = container.replace("COPY requirements.txt", "COPY required.txt").replace("-q ldpcore", "-q core ldpcore")
    planted += ' && python -c "from explorer.ui.stage import pack; pack()"\n'
    assert missing(planted) == ["explorer.ui.stage.pack", "core", "required.txt"]
    assert not missing((ROOT / "docs" / "hosting.md").read_text("utf-8"))


def test_the_units_command_is_the_containers() -> None:
    unit, container = ((DEPLOY / name).read_text("utf-8") for name in ("ldp-explorer@.service", "Containerfile"))
    started = re.search(r"^ExecStart=\S+ (.*)$", unit, re.MULTILINE)
    assert started is not None
    inside = " ".join(re.findall(r'"([^"]+)"', container.splitlines()[-1])[1:])
    assert started[1].replace("%i", "8501").replace("127.0.0.1", "0.0.0.0") == inside
