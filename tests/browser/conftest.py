"""The real app in a real Chromium: each worker has a server and a browser of its own, each test a fresh visitor."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, expect, sync_playwright

from tests.browser.walking import Tabs
from tests.browser.windows import Windows
from tools.browsing import launched
from tools.chromium import ADVICE, chromium
from tools.serving import Server, serving

TURNED_OFF = (  # by Playwright, whose list one's own replaces; a test holds them together
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "TcpPortRandomizationWin",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
    "msForceBrowserSignIn",
    "msEdgeUpdateLaunchServicesPreferredVersion",
)
SPARING = (  # what a page costs less by, where all processors are busy anyway; what it does stays
    "--process-per-site",  # the pages of a window share the scripts that were read (`windows.py`)
    # Scripts are read where they have come: read as they come, those that are known would be read once more.
    f"--disable-features={','.join((*TURNED_OFF, 'ScriptStreaming'))}",
    # No page is open for so long that better code would pay; with room for what is new, little of it is collected.
    "--js-flags=--single-threaded --no-opt --no-maglev --max-lazy --min-semi-space-size=64 --max-semi-space-size=64",
)
PATIENCE = 20_000  # milliseconds: a busy machine of two cores is slow, not wrong
expect.set_options(timeout=PATIENCE)

HARMLESS: tuple[tuple[str, str], ...] = (
    (
        r"404 .*/\w+/_stcore/(health|host-config)$",
        "a deep link: Streamlit's front end looks for its server there first",
    ),
    (r"does not seem to exist", "an unknown page in the address: Streamlit says so and shows the overview"),
)
"""Console errors that a test may leave behind: (pattern of message and address, reason)."""
SILENT = "the browser's console must stay free of errors; got:\n"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The Chromium that is there; without one the test is skipped and says what to install."""
    if chromium() is None:
        pytest.skip(ADVICE)
    with sync_playwright() as playwright:
        launched_browser = launched(playwright, *SPARING)
        yield launched_browser
        launched_browser.close()


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of the database in which the app of this worker keeps its rooms."""
    return f"sqlite:///{tmp_path_factory.mktemp('rooms') / 'rooms.sqlite'}"


@pytest.fixture(scope="session")
def server(browser: Browser, database: str) -> Iterator[Server]:
    """The app, served once for all tests of this worker; asked for after the browser, so that a skip costs nothing.

    It tells whoever asks what it holds in memory, and a test may open its rooms beside it.
    """
    with serving(environment={"LDP_EXPLORER_ROOMS": database, "LDP_EXPLORER_METRICS": "1"}) as running:
        yield running


@pytest.fixture
def fresh_server(browser: Browser) -> Iterator[Callable[[], Server]]:
    """Makes a server process that nobody has asked anything yet."""
    with ExitStack() as running:
        yield lambda: running.enter_context(serving())


@pytest.fixture(scope="session")
def windows(browser: Browser) -> Windows:
    """The windows of this worker, which visitors are lent one after the other."""
    return Windows(browser)


@pytest.fixture
def visit(windows: Windows, server: Server) -> Iterator[Callable[..., Page]]:
    """Opens a page for a new visitor (options of `Windows.lent`); a console error fails the test at its end.

    Another server's address may be given as `url`.
    """
    complaints: list[str] = []
    with ExitStack() as open_windows:

        def new_visitor(url: str = server.url, **options: object) -> Page:
            return open_windows.enter_context(listened(windows, url, complaints, options))

        yield new_visitor
    assert not complaints, SILENT + "\n".join(complaints)


@contextmanager
def listened(windows: Windows, url: str, complaints: list[str], options: dict[str, object]) -> Iterator[Page]:
    """A page whose console errors and uncaught exceptions are written down."""

    def hear_console(message: ConsoleMessage) -> None:
        said = f"{message.text} {message.location.get('url', '')}"
        if message.type == "error" and not any(re.search(pattern, said) for pattern, _ in HARMLESS):
            complaints.append(f"console: {said}")

    def hear_error(error: Error) -> None:
        complaints.append(f"exception: {error}")

    with windows.lent(url, **options) as page:  # type: ignore[arg-type]
        page.on("console", hear_console)
        page.on("pageerror", hear_error)
        yield page


@pytest.fixture(scope="session")
def tabs(windows: Windows, server: Server) -> Iterator[Tabs]:
    """The tabs that stay open from test to test."""
    found = Tabs(lambda complaints, options: listened(windows, server.url, complaints, options))
    yield found
    found.close()


@pytest.fixture
def tab(tabs: Tabs) -> Iterator[Callable[[str, str], Page]]:
    """Turns the tab of a screen to a page; a console error fails the test at its end, and then the tabs are closed."""
    yield tabs.at
    complaints = [*tabs.complaints]
    tabs.complaints.clear()
    assert not complaints, SILENT + "\n".join(complaints)


@pytest.fixture
def page(visit: Callable[..., Page]) -> Page:
    """A laptop, 1440 × 900, in light colors."""
    return visit()


@pytest.fixture
def phone(visit: Callable[..., Page]) -> Page:
    """A phone, 390 × 844, held upright."""
    return visit(width=390, height=844, touch=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """A failed browser test shows the end of what its server has said, and leaves no tab open for the next."""
    report = yield
    kept = getattr(item, "funcargs", {}).values()
    for each in kept if report.failed else ():
        if isinstance(each, (Tabs, ExitStack)):
            each.close()
    server = getattr(item, "funcargs", {}).get("server")
    if report.failed and isinstance(server, Server) and server.log.exists():
        report.sections.append(("server log", server.said()[-4000:]))
    return report


@pytest.fixture
def from_disk(browser: Browser, tmp_path: Path) -> Iterator[Callable[[str], Page]]:
    """Opens an HTML text as a file in a window without a network; whatever it asks for or complains of is an error.

    A file `beside` it may be shown inside of it.
    """
    said: list[str] = []
    with ExitStack() as windows:

        def opened(html: str, beside: Path | None = None, *, width: int = 1440, height: int = 900) -> Page:
            file = tmp_path / "page.html"
            file.write_text(html, "utf-8")
            window = browser.new_context(viewport={"width": width, "height": height}, offline=True)
            windows.callback(window.close)
            page = window.new_page()
            near = [each.as_uri() for each in (file, beside) if each is not None]
            page.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
            page.on("pageerror", lambda error: said.append(f"exception: {error}"))
            page.on(
                "request", lambda request: request.url.split("#")[0] in near or said.append(f"asked for {request.url}")
            )
            page.goto(file.as_uri())
            return page

        yield opened
    assert not said, SILENT + "\n".join(said)
