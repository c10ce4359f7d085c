"""Every answer has the headers, a path of several names is one page's, and a session has one uploaded file."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from explorer.server import Depth, Headers, OneFile, headers, inline_scripts, policy


class Inside:
    """The server behind a layer: notes what it is asked for, and answers."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked.append((scope["method"], scope["path"]))
        await send({"type": "http.response.start", "status": 200, "headers": [(b"x-content-type-options", b"sniff")]})
        await send({"type": "http.response.body", "body": b""})


def asked(layer: Any, method: str, path: str, query: bytes = b"") -> dict[str, Any]:
    """How a layer answers."""
    messages: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        messages.append(message)

    scope = {"type": "http", "method": method, "path": path, "query_string": query, "headers": []}
    asyncio.run(layer(scope, receive, send))
    return messages[0]


def test_every_answer_has_each_header_once() -> None:
    answer = asked(Headers(Inside()), "GET", "/")
    names = [name for name, _ in answer["headers"]]
    assert len(names) == len(set(names)) and dict(answer["headers"])[b"x-content-type-options"] == b"nosniff"
    assert b"content-security-policy" in names


def test_no_other_site_may_frame_the_app_unless_it_is_named() -> None:
    assert policy().endswith("frame-ancestors 'self'")
    site = dict(headers("https://moodle.example.org"))[b"content-security-policy"].decode()
    assert site.endswith("frame-ancestors 'self' https://moodle.example.org")


def test_no_text_becomes_code_and_nothing_comes_from_elsewhere() -> None:
    assert "unsafe-eval" not in policy() and "http" not in policy() and "*" not in policy()
    (scripts,) = (part for part in policy().split("; ") if part.startswith("script-src"))
    assert "unsafe-inline" not in scripts and len(inline_scripts()) >= 1


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/counting/deep", "/counting_deep"),
        ("/a/b/c", "/a_b_c"),
        ("//evil.example/x", "/evil_example_x"),
        ("/counting/%0d%0ax", "/counting__0d_0ax"),
    ],
)
def test_a_path_of_several_names_becomes_one_which_no_page_has(path: str, name: str) -> None:
    inside = Inside()
    answer = asked(Depth(inside), "GET", path, b"epsilon=1")
    assert answer["status"] == 307 and dict(answer["headers"])[b"location"] == name.encode() + b"?epsilon=1"
    assert not inside.asked


@pytest.mark.parametrize(
    "path", ["/", "/counting", "/counting/", "/_stcore/health", "/app/static/x.gz", "/static/js/a.js"]
)
def test_a_path_that_is_served_is_left_alone(path: str) -> None:
    inside = Inside()
    assert asked(Depth(inside), "GET", path)["status"] == 200 and inside.asked


def test_below_another_path_the_same_holds() -> None:
    inside = Inside()
    layer = Depth(inside, "ldp")
    assert asked(layer, "GET", "/ldp/counting")["status"] == 200
    assert dict(asked(layer, "GET", "/ldp/counting/deep")["headers"])[b"location"] == b"/ldp/counting_deep"


def test_whoever_uploads_another_file_takes_the_one_before_away() -> None:
    inside = Inside()
    layer = OneFile(inside)
    for session, file in (("s", "1"), ("s", "2"), ("t", "3"), ("s", "2"), ("s", "4")):
        asked(layer, "PUT", f"/_stcore/upload_file/{session}/{file}")
    gone = [path for method, path in inside.asked if method == "DELETE"]
    assert gone == ["/_stcore/upload_file/s/1", "/_stcore/upload_file/s/2"]
    assert len([method for method, _ in inside.asked if method == "PUT"]) == 5
