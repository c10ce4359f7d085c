"""The command that starts the app: its options, the address that the browser opens, one sentence where it cannot."""

from __future__ import annotations

import argparse
import errno
import importlib.util
import os
import secrets
import socket
import ssl
import sys
import threading
import time
import tomllib
import urllib.request
import webbrowser
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote, urlencode

from ldpcore import __version__

HERE = Path(__file__).resolve().parent
NEEDED = (
    "streamlit",
    "plotly",
    "pandas",
    "babel",
    "segno",
    "sqlalchemy",
    "python_calamine",
    "fpdf",
    "uharfbuzz",
    "latex2mathml",
)
PORT = 8501
TABLE, TOKEN = "LDP_EXPLORER_TABLE", "LDP_EXPLORER_TABLE_TOKEN"  # how the server hears of a table and its link
ROOMS = "LDP_EXPLORER_ROOMS"  # where rooms are kept: a path, or an address
# The path below which the app is served, and the certificate with which it speaks TLS, as Streamlit hears of them.
BELOW, CERTIFICATE = "STREAMLIT_SERVER_BASE_URL_PATH", "STREAMLIT_SERVER_SSL_CERT_FILE"
ORIGINS = "STREAMLIT_SERVER_CORS_ALLOWED_ORIGINS"
UNUSABLE = 2  # the exit status of an option that cannot be used, as argparse has it
LECTURE = {"lecture": "true", "way": "lecture", "step": "1", "hide": "true"}  # its first step, before it is shown


def folder() -> Path:
    """The folder of `app.py`: inside the package where it is installed, above it in a checkout."""
    return next(each for each in (HERE / "app", HERE.parent) if (each / "app.py").is_file())


def parser() -> argparse.ArgumentParser:
    """The options of the command."""
    asked = argparse.ArgumentParser(
        prog="ldp-explorer", description="See what privacy costs: start LDP Explorer and open it in the browser."
    )
    asked.add_argument("--port", type=int, help=f"the port to listen on; left out, {PORT} or the next free one")
    asked.add_argument("--host", default="localhost", help="the address to listen on; 0.0.0.0 lets others in")
    asked.add_argument("--no-browser", action="store_true", help="print the address, open nothing")
    asked.add_argument("--lecture", action="store_true", help="open the lecture at its first step")
    asked.add_argument("--table", type=Path, metavar="FILE", help="a table of your own, read once, where it lies")
    asked.add_argument("--version", action="version", version=f"LDP Explorer {__version__}")
    return asked


def main(arguments: Sequence[str] | None = None) -> int:
    """Start the app as the options say; the exit status."""
    asked = parser().parse_args(arguments)
    if trouble := unusable(asked):
        sys.stderr.write(f"ldp-explorer: {trouble}\n")
        return UNUSABLE
    port = asked.port or free_port(asked.host)
    parameters = LECTURE if asked.lecture else {}
    if asked.table is not None:
        os.environ[TABLE], os.environ[TOKEN] = str(asked.table.expanduser().resolve()), secrets.token_urlsafe(12)
        parameters = parameters | {"table": os.environ[TOKEN]}
    page = "counting" if asked.table is not None and not asked.lecture else ""
    server = f"{scheme()}://{_reachable(asked.host)}:{port}{base_path()}"
    address = f"{forwarded(port) or server}/{page}" + (f"?{urlencode(parameters)}" if parameters else "")
    _say(f"LDP Explorer {__version__} opens at {address}", "Ctrl+C ends it.")
    threading.Thread(target=_announce, args=(server, address, not asked.no_browser), daemon=True).start()
    return serve(asked.host, port)


def missing() -> list[str]:
    """The packages of others that the app needs and that are not installed."""
    return [name for name in NEEDED if importlib.util.find_spec(name) is None]


def forwarded(port: int) -> str:
    """The address under which GitHub shows a codespace's port to the reader's browser; empty anywhere else."""
    name, domain = os.environ.get("CODESPACE_NAME"), os.environ.get("GITHUB_CODESPACES_PORT_FORWARDING_DOMAIN")
    return f"https://{name}-{port}.{domain}{base_path()}" if name and domain else ""


def base_path() -> str:
    """The path below which Streamlit's settings put the app, with a slash before it; empty where they name none."""
    path = quote(_setting("baseUrlPath", BELOW).strip("/"))
    return f"/{path}" if path else ""


def scheme() -> str:
    """The first word of the address: `https` where Streamlit's settings name a certificate."""
    return "https" if _setting("sslCertFile", CERTIFICATE) else "http"


def _setting(name: str, variable: str) -> str:
    """The value of one of Streamlit's settings of the server; empty where nothing sets it.

    As Streamlit has it, the environment goes before the app's own file, and that before the reader's. Streamlit itself
    is not asked: importing it would hold the first line back.
    """
    files = [place / ".streamlit" / "config.toml" for place in (folder(), Path.home())]
    named = (os.environ.get(variable) or None, *(_written(file, name) for file in files))
    return next((each for each in named if each is not None), "")


def _written(file: Path, name: str) -> str | None:
    """The setting of this name in a file of Streamlit's, if it is there; of one that cannot be read Streamlit tells."""
    try:
        settings = tomllib.loads(file.read_text(encoding="utf-8"))
        return str(settings["server"][name])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def unusable(asked: argparse.Namespace) -> str:
    """The sentence about an option or an installation that cannot be used, and what to do; empty where all is well."""
    if lacking := missing():
        return f'the app needs {", ".join(lacking)}: install it with pip install "ldp-explorer[app]"'
    if asked.port is not None and not 0 < asked.port < 65536:
        return f"a port must be a whole number from 1 to 65535; got {asked.port}"
    if (problem := _refusal(asked.host, asked.port or 0)) is not None:
        if problem.errno == errno.EADDRINUSE:
            return f"port {asked.port} is taken: stop what listens there, or choose another with --port"
        where = asked.host if asked.port is None else f"{asked.host}, port {asked.port}"
        return f"nothing can listen at {where} ({problem.strerror}): choose another --host or --port"
    if asked.table is not None and not asked.table.expanduser().is_file():
        return f"there is no file {asked.table}: say where the table lies, as in --table people.csv"
    return ""


def serve(host: str, port: int) -> int:
    """Run Streamlit's server in this process, until it is stopped."""
    from streamlit.web import cli

    rooms = os.environ.get(ROOMS, "").strip()
    if rooms and "://" not in rooms:
        os.environ[ROOMS] = str(Path(rooms).resolve())  # as meant where the command was given
    os.chdir(folder())  # where Streamlit looks for `.streamlit/config.toml`
    options = {"server.address": host, "server.port": str(port), "server.headless": "true"}
    options |= {"server.showEmailPrompt": "false", "server.fileWatcherType": "none"}
    if (origin := forwarded(port)) and not _setting("corsAllowedOrigins", ORIGINS):  # else Streamlit refuses that page
        options["server.corsAllowedOrigins"] = origin.removesuffix(base_path())
    sys.argv = ["streamlit", "run", "app.py", *(f"--{name}={value}" for name, value in options.items())]
    with suppress(KeyboardInterrupt):
        cli.main(standalone_mode=False)
    return 0


def free_port(host: str) -> int:
    """The usual port, or the first free one behind it."""
    return next(port for port in range(PORT, 65536) if _refusal(host, port) is None)


def _refusal(host: str, port: int) -> OSError | None:
    """The reason why nothing can listen at an address; none where it can.

    A name may stand for several addresses, of which a system may lack some; one that is taken would get our readers.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return OSError(errno.EADDRNOTAVAIL, "this computer has no such address")
    refusals = [_bound(family, address) for family, _, _, _, address in found]
    taken = next((each for each in refusals if each is not None and each.errno == errno.EADDRINUSE), None)
    return taken or (None if None in refusals else refusals[0])


def _bound(family: int, address: tuple[object, ...]) -> OSError | None:
    """The system's refusal to listen at one address, if it refuses."""
    try:
        with socket.socket(family, socket.SOCK_STREAM) as tried:
            if os.name != "nt":  # there the option would let two programs share a port
                tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind(address)
    except OSError as problem:
        return problem
    return None


def _reachable(host: str) -> str:
    """The name under which this computer reaches a server that listens at an address."""
    host = "localhost" if host in ("0.0.0.0", "::") else host
    return f"[{host}]" if ":" in host else host


def _announce(server: str, address: str, browser: bool) -> None:
    """Open the browser as soon as the server answers; a proxy knows nothing of this computer's own.

    Whether a certificate holds is for the browser to say: many are made for another name than this computer's.
    """
    trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # which reads no list of authorities
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=trusting))
    for _ in range(600):
        try:
            with opener.open(f"{server}/_stcore/health", timeout=1):
                break
        except OSError:
            time.sleep(0.1)
    else:
        return
    if browser and not webbrowser.open(address):
        _say("No browser was found: open the address above in one.")


def _say(*lines: str) -> None:
    """Print lines on the terminal, at once."""
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()
