"""Plotly's script comes from memory, packed, under a name of its version; the small bundle only with its right hash."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import io
import tarfile
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pytest

from explorer.host import plotlyscript
from explorer.host.asgi import Message, Receive, Scope, Send, answer
from explorer.host.plotlyscript import PlotlyScript
from tools import bundle


async def behind(scope: Scope, receive: Receive, send: Send) -> None:
    await answer(scope, send, 418)


def asked(
    path: str, base: str = "", method: str = "GET", accepts: bytes = b"gzip"
) -> tuple[int, dict[bytes, bytes], bytes]:
    said: list[Message] = []

    async def heard(message: Message) -> None:
        said.append(message)

    async def nothing() -> Message:
        return {"type": "http.request"}

    scope: Scope = {"type": "http", "method": method, "path": path, "headers": [(b"accept-encoding", accepts)]}
    asyncio.run(PlotlyScript(behind, base)(scope, nothing, heard))
    return said[0]["status"], dict(said[0]["headers"]), said[1]["body"]


packed_once = cache(plotlyscript.packed)


@pytest.mark.parametrize("base", ["", "ldp", "/ldp/"])
def test_the_script_is_served_packed_below_the_apps_address_and_kept_for_a_year(
    base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plotlyscript, "packed", packed_once)
    path = f"/{base.strip('/')}/{plotlyscript.address()}".replace("//", "/")
    status, fields, body = asked(path, base)
    assert (status, fields[b"content-encoding"], fields[b"vary"]) == (200, b"gzip", b"Accept-Encoding")
    assert b"immutable" in fields[b"cache-control"] and fields[b"content-type"].startswith(b"text/javascript")
    assert gzip.decompress(body) == plotlyscript.script().read_bytes()
    assert asked(path, base, accepts=b"identity")[2] == plotlyscript.script().read_bytes()
    assert asked(path, base, "HEAD")[2] == b"" and asked(path, base, "HEAD")[1][b"content-length"] == b"%d" % len(body)


@pytest.mark.parametrize("path", ["/", "/app/static/other.js", "/counting", "/x/" + plotlyscript.address()])
def test_everything_else_is_left_to_the_app(path: str) -> None:
    assert asked(path)[0] == 418
    assert asked(f"/{plotlyscript.address()}", method="POST")[0] == 418


def test_the_name_says_which_script_of_which_version_it_is() -> None:
    name = Path(plotlyscript.address()).name
    assert name == plotlyscript.BUNDLE or name == f"plotly-{version('plotly')}.min.js"
    assert bundle.VERSION in plotlyscript.BUNDLE


@pytest.fixture
def chosen_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A bundle that is there, before anybody has asked which script is served."""
    monkeypatch.setattr(plotlyscript, "BUNDLES", tmp_path)
    (tmp_path / plotlyscript.BUNDLE).write_bytes(b"// the bundle")
    for kept in (plotlyscript.script, plotlyscript.address):
        kept.cache_clear()
    yield tmp_path / plotlyscript.BUNDLE
    for kept in (plotlyscript.script, plotlyscript.address):
        kept.cache_clear()


@pytest.mark.parametrize("other", ["7.0.0", "7.1.1"])
def test_another_version_of_the_package_draws_with_its_own_whole_script_under_its_own_name(
    other: str, chosen_anew: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plotlyscript, "version", lambda name: other)
    package = find_spec("plotly")
    assert package is not None and package.origin is not None
    whole = Path(package.origin).parent / "package_data" / "plotly.min.js"
    assert plotlyscript.script() == whole and whole.is_file()
    assert Path(plotlyscript.address()).name == f"plotly-{other}.min.js"  # another name: no browser keeps the last one
    assert gzip.decompress(asked(f"/{plotlyscript.address()}")[2]) == whole.read_bytes()


def test_the_tested_version_draws_with_the_bundle_where_it_is_there(chosen_anew: Path) -> None:
    assert plotlyscript.script() == chosen_anew and Path(plotlyscript.address()).name == plotlyscript.BUNDLE
    assert gzip.decompress(asked(f"/{plotlyscript.address()}")[2]) == b"// the bundle"


def test_the_bundle_is_that_of_the_installed_package() -> None:
    package = find_spec("plotly")
    assert package is not None and package.origin is not None
    whole = (Path(package.origin).parent / "package_data" / "plotly.min.js").read_text(encoding="utf-8")[:200]
    assert f"plotly.js v{bundle.VERSION}" in whole, (
        "another version of Plotly: name its bundle and hash in tools/bundle.py"
    )
    assert version("plotly") == plotlyscript._FOR


def archive(content: bytes, name: str = bundle.INSIDE) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as opened:
        member = tarfile.TarInfo(name)
        member.size = len(content)
        opened.addfile(member, io.BytesIO(content))
    return packed.getvalue()


def test_a_bundle_with_another_hash_is_refused_and_nothing_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bundle, "BUNDLES", tmp_path)
    file = tmp_path / "other.tgz"
    for content in (archive(b"alert(1)"), archive(b"x", "package/other.js"), b"no archive"):
        file.write_bytes(content)
        monkeypatch.setattr("sys.argv", ["bundle", str(file)])
        assert bundle.main() == 1 and [each.name for each in tmp_path.iterdir()] == ["other.tgz"]
        assert capsys.readouterr().err.startswith("No bundle was kept, the whole script is served: ")
    script = b"// right"
    monkeypatch.setattr(bundle, "SHA256", hashlib.sha256(script).hexdigest())
    file.write_bytes(archive(script))
    assert bundle.main() == 0 and (tmp_path / plotlyscript.BUNDLE).read_bytes() == script
    monkeypatch.setattr("sys.argv", ["bundle", "--check"])
    assert bundle.main() == 0


@pytest.mark.skipif(plotlyscript.script().parent != plotlyscript.BUNDLES, reason="the whole script is served here")
def test_the_bundle_draws_every_kind_of_series_that_figures_have() -> None:
    script = plotlyscript.script().read_text(encoding="utf-8")
    assert "Copyright 2012" in script[:200] and "MIT" in script[:200]
    assert all(f'"{kind}"' in script for kind in ("scatter", "bar", "heatmap", "contour", "histogram"))


def test_the_script_is_packed_once_for_all_who_come_together(monkeypatch: pytest.MonkeyPatch) -> None:
    times: list[int] = []
    monkeypatch.setattr(plotlyscript, "packed", lambda: times.append(1) or b"packed")
    bodies: list[bytes] = []

    async def heard(message: Message) -> None:
        bodies.append(message.get("body", b""))

    async def nothing() -> Message:
        return {"type": "http.request"}

    async def together() -> None:
        path, fields = f"/{plotlyscript.address()}", [(b"accept-encoding", b"gzip")]
        scope: Scope = {"type": "http", "method": "GET", "path": path, "headers": fields}
        layer = PlotlyScript(behind)
        await asyncio.gather(*(layer(scope, nothing, heard) for _ in range(20)))

    asyncio.run(together())
    assert len(times) == 1 and bodies.count(b"packed") == 20
