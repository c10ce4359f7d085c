"""What readers take along: the code that makes the view, the QR code of its link, its numbers as a table."""

from __future__ import annotations

from typing import Any

from explorer.ui import share, tables
from ldpcore.mechanisms.laplace import LaplaceMechanism


def test_an_html_table_escapes_its_cells() -> None:
    html = tables.table([["<b>"], ["<script>"], [2584]], 'alt "quoted"')
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert "&quot;quoted&quot;" in html


def test_a_snippet_rebuilds_the_question() -> None:
    source = share.snippet(LaplaceMechanism(0.1, neighbors="replace-one"))
    namespace: dict[str, Any] = {}
    exec(source.split("\nresult")[0] + "\nbuilt = " + source.split("result = ")[1].split(".run()")[0], namespace)
    assert namespace["built"] == LaplaceMechanism(0.1, neighbors="replace-one")


def test_a_qr_code_is_drawn_as_svg() -> None:
    svg = share.qr_svg("https://example.org/counting?epsilon=0.1")
    assert svg.startswith("<svg")
    assert "path" in svg
