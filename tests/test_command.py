"""The command `ldp-explorer`: what it opens, whom it refuses in one sentence, and where it finds the app."""

from __future__ import annotations

import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from explorer.navigation import DEFAULT
from explorer.ui import starttable
from explorer.ways import arrived, way_of
from ldp_explorer import command
from ldpcore import __version__
from tools.serving import free_port
from tools.trial import waited

ROOT = Path(__file__).resolve().parent.parent
CODESPACE = {"CODESPACE_NAME": "quiet-lamp", "GITHUB_CODESPACES_PORT_FORWARDING_DOMAIN": "app.github.dev"}


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """The command without its server and its browser: what each of them was asked for."""
    asked: list[tuple[object, ...]] = []
    monkeypatch.setattr(command, "serve", lambda *told: asked.append(told) or 0)
    monkeypatch.setattr(command, "_announce", lambda *told: asked.append(told))
    for name in (command.TABLE, command.TOKEN):
        monkeypatch.setenv(name, "")
    for name in (command.CERTIFICATE, *CODESPACE):
        monkeypatch.delenv(name, raising=False)
    return asked


class QuietHandler(SimpleHTTPRequestHandler):
    """A server of files that prints nothing."""

    def log_message(self, *parts: object) -> None:
        """Nothing: a test is quiet."""


def address_of(opened: list[tuple[object, ...]]) -> str:
    return str(next(told[1] for told in opened if len(told) == 3))


def test_the_app_of_a_checkout_is_the_checkouts_own() -> None:
    assert command.folder() == ROOT


def test_a_free_port_is_found_and_one_that_is_taken_refused(
    opened: list[tuple[object, ...]], capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as taken:
        taken.bind(("localhost", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert command.main(["--port", str(port)]) == command.UNUSABLE
        assert f"port {port} is taken" in capsys.readouterr().err
    assert not opened
    free = command.free_port("localhost")
    assert free >= command.PORT and command.main(["--port", str(free), "--no-browser"]) == 0
    assert address_of(opened) == f"http://localhost:{free}/"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--port", "70000"], "from 1 to 65535; got 70000"),
        (["--table", "nowhere.csv"], "there is no file nowhere.csv: say where the table lies"),
    ],
)
def test_what_cannot_be_used_gets_one_sentence(
    options: list[str], said: str, opened: list[tuple[object, ...]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(options) == command.UNUSABLE
    told = capsys.readouterr().err
    assert said in told and told.count("\n") == 1 and not opened


def test_what_is_not_installed_is_named_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, opened: list[tuple[object, ...]], capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "NEEDED", ("streamlit", "no_such_package"))
    assert command.main([]) == command.UNUSABLE
    assert 'the app needs no_such_package: install it with pip install "ldp-explorer[app]"' in capsys.readouterr().err


def test_a_lecture_opens_at_its_first_step_before_it_is_shown(opened: list[tuple[object, ...]]) -> None:
    assert command.main(["--lecture", "--no-browser"]) == 0
    parts, first = urlsplit(address_of(opened)), arrived(way_of("lecture"), 1)
    assert first.step.link.page == DEFAULT and not first.step.link.parameters and first.hidden
    assert {name: texts[0] for name, texts in parse_qs(parts.query).items()} == command.LECTURE
    assert command.LECTURE["hide"] == "true" and (parts.path, command.LECTURE["step"]) == ("/", "1")


def test_a_table_opens_where_people_are_counted_under_a_word_that_nobody_guesses(
    opened: list[tuple[object, ...]], tmp_path: Path
) -> None:
    file = tmp_path / "people.csv"
    file.write_text("name;age\nAda;36\n", encoding="utf-8")
    words = set()
    for _ in range(3):
        assert command.main(["--table", str(file), "--no-browser"]) == 0
        parts = urlsplit(address_of(opened[-2:]))
        (word,) = parse_qs(parts.query)[starttable.PARAMETER]
        assert parts.path == "/counting" and word == os.environ[command.TOKEN] and len(word) >= 16
        assert os.environ[command.TABLE] == str(file) and file.name not in parts.query
        words.add(word)
    assert len(words) == 3
    assert (command.TABLE, command.TOKEN) == (starttable.TABLE, starttable.TOKEN)


def test_a_server_for_everybody_is_reached_by_its_own_computer_as_localhost(opened: list[tuple[object, ...]]) -> None:
    assert command.main(["--host", "0.0.0.0", "--no-browser"]) == 0
    assert address_of(opened).startswith("http://localhost:")


def test_a_codespace_is_read_under_the_address_that_github_gives_its_port(
    opened: list[tuple[object, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in CODESPACE.items():
        monkeypatch.setenv(name, value)
    assert command.main(["--no-browser", "--lecture"]) == 0
    port = next(told[1] for told in opened if len(told) == 2)
    assert address_of(opened).startswith(f"https://quiet-lamp-{port}.app.github.dev/?")


def test_a_codespaces_own_page_is_answered_and_a_strangers_refused() -> None:
    """Streamlit takes every other origin for a page that nobody has opened, and would leave the reader waiting."""
    port = free_port()
    run = [sys.executable, "-m", "ldp_explorer", "--no-browser", "--port", str(port)]
    named = {name: value for name, value in os.environ.items() if not name.startswith("STREAMLIT_")} | CODESPACE
    with subprocess.Popen(run, cwd=ROOT, env=named, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            waited(port, server)
            assert shaken(port, f"https://quiet-lamp-{port}.app.github.dev") == "101"
            assert shaken(port, f"https://loud-lamp-{port}.app.github.dev") == "403"
        finally:
            server.terminate()


def shaken(port: int, origin: str) -> str:
    """The status with which the server answers a page of an origin that wishes to talk."""
    asked = (
        f"GET /_stcore/stream HTTP/1.1\r\nHost: localhost:{port}\r\nOrigin: {origin}\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    with socket.create_connection(("localhost", port), timeout=60) as line:
        line.sendall(asked.encode())
        return line.recv(64).decode().split()[1]


def test_the_version_is_that_of_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main(["--version"])
    assert ended.value.code == 0 and capsys.readouterr().out == f"LDP Explorer {__version__}\n"


BELOW = {  # the path that the environment, the app's file and the reader's file name, and the one that is served
    "nobody": (None, None, None, ""),
    "environment": ("from/environment", "file", "home", "/from/environment"),
    "slashes": ("/with/slashes/", None, None, "/with/slashes"),
    "nothing": ("", "file", "home", "/file"),
    "file": (None, "file", "home", "/file"),
    "no_path": (None, "", "home", ""),
    "home": (None, None, "home", "/home"),
    "space": ("a hall", None, None, "/a%20hall"),
}
STREAMLITS = """
import json, os, sys
from streamlit import config
from streamlit.web import bootstrap, cli
found = []
def run(script, hello, arguments, flag_options, **_):
    bootstrap.load_config_options(flag_options)
    found.append(config.get_option("server.baseUrlPath").strip("/"))
bootstrap.run = run
sys.argv = ["streamlit", "run", "app.py"]
for place, home, named in json.loads(sys.stdin.read()):
    os.chdir(place)
    os.environ["HOME"] = os.environ["USERPROFILE"] = home
    os.environ.pop("STREAMLIT_SERVER_BASE_URL_PATH", None)
    os.environ |= {} if named is None else {"STREAMLIT_SERVER_BASE_URL_PATH": named}
    cli.main(standalone_mode=False)
sys.stderr.write(json.dumps(found))
"""


def settings(place: Path, named: str | None) -> str:
    """A folder with a file of Streamlit's settings that names a path, or none."""
    (place / ".streamlit").mkdir(parents=True)
    (place / "app.py").touch()
    text = "[browser]\ngatherUsageStats = false\n" + ("" if named is None else f'[server]\nbaseUrlPath = "{named}"\n')
    (place / ".streamlit" / "config.toml").write_text(text, encoding="utf-8")
    return str(place)


@pytest.fixture(scope="module")
def streamlits(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Path, str]]:
    """The folder and the home of each case, and the path that Streamlit itself serves there."""
    tops = {name: tmp_path_factory.mktemp(name) for name in BELOW}
    asked = [
        (settings(tops[name] / "app", app), settings(tops[name] / "home", home), named)
        for name, (named, app, home, _) in BELOW.items()
    ]
    told = subprocess.run(
        [sys.executable, "-c", STREAMLITS], input=json.dumps(asked), capture_output=True, text=True, encoding="utf-8"
    )
    found = json.loads(told.stderr.splitlines()[-1])
    return {name: (Path(app), Path(home), path) for name, (app, home, _), path in zip(BELOW, asked, found, strict=True)}


@pytest.mark.parametrize("name", BELOW)
def test_the_address_holds_the_path_below_which_streamlit_serves(
    name: str,
    streamlits: dict[str, tuple[Path, Path, str]],
    opened: list[tuple[object, ...]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    app, home, served = streamlits[name]
    named, *_, path = BELOW[name]
    assert quote(f"/{served}" if served else "") == path
    monkeypatch.setattr(command, "folder", lambda: app)
    monkeypatch.setattr(Path, "home", lambda: home)
    monkeypatch.delenv(command.BELOW, raising=False)
    if named is not None:
        monkeypatch.setenv(command.BELOW, named)
    assert command.main(["--port", "8765", "--lecture"]) == 0
    server, address, browser = next(told for told in opened if len(told) == 3)
    assert server == f"http://localhost:8765{path}" and browser is True  # asked there whether it answers
    assert str(address).startswith(f"{server}/?lecture=true") and str(address) in capsys.readouterr().out


@pytest.mark.parametrize("by", ["environment", "file", "nobody"])
def test_the_address_says_that_the_server_speaks_tls(
    by: str, tmp_path: Path, opened: list[tuple[object, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "folder", lambda: tmp_path)
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "nowhere")
    monkeypatch.setenv(command.BELOW, "/private/")
    if by == "environment":
        monkeypatch.setenv(command.CERTIFICATE, "/etc/chain.pem")
    named = {"file": 'sslCertFile = "/etc/chain.pem"', "nobody": 'sslCertFile = ""'}.get(by, "")
    (tmp_path / ".streamlit").mkdir()
    (tmp_path / ".streamlit" / "config.toml").write_text(f"[server]\n{named}\n", encoding="utf-8")
    assert command.main(["--port", "8765"]) == 0
    assert address_of(opened) == f"http{'' if by == 'nobody' else 's'}://localhost:8765/private/"


@pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl was found, which makes a certificate")
def test_the_browser_opens_at_a_server_whose_certificate_is_made_for_another_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "chain.pem"
    made = (
        f"openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=ldp.example.org -keyout {key} -out {certificate}"
    )
    subprocess.run(made.split(), check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    opened: list[str] = []
    monkeypatch.setattr(command.webbrowser, "open", lambda address: opened.append(address) or True)
    (tmp_path / "_stcore").mkdir()
    (tmp_path / "_stcore" / "health").write_text("ok", encoding="utf-8")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=str(tmp_path))) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"https://localhost:{server.server_port}"
        command._announce(address, f"{address}/", True)
        server.shutdown()
    assert opened == [f"{address}/"]


def test_settings_that_nobody_can_read_name_no_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "folder", lambda: tmp_path)
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "nowhere")
    monkeypatch.delenv(command.BELOW, raising=False)
    (tmp_path / ".streamlit").mkdir()
    for text in (b"[server", b"server = 1", b"[server]\nport = 1", b"\xff"):
        (tmp_path / ".streamlit" / "config.toml").write_bytes(text)
        assert command.base_path() == ""


@pytest.mark.parametrize("port", [[], ["--port", "9999"]])
@pytest.mark.parametrize("host", ["203.0.113.7", "no.such.name.invalid"])
def test_a_host_that_is_not_this_computer_gets_one_sentence_that_names_it(
    host: str, port: list[str], opened: list[tuple[object, ...]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(["--host", host, *port]) == command.UNUSABLE
    told = capsys.readouterr().err
    assert f"nothing can listen at {host}" in told and "taken" not in told and told.count("\n") == 1 and not opened
