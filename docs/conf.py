"""The site's settings, for Sphinx: Markdown by MyST, the reference by autodoc, notebooks as they are kept.

Everything comes from the repository: no page is fetched, no other site is looked up, and warnings are errors.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from myst_parser.parsers.sphinx_ import MystParser

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import ldpcore  # noqa: E402  only after its place is known

project = "ldpcore"
author = "The LDP Explorer developers"
version = release = ldpcore.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["build", "hosting.md", "rooms.md", "rooms.fa.md", "travel.md"]  # the others are about the app
myst_heading_anchors = 3
myst_enable_extensions = ["attrs_block", "colon_fence"]

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True}
python_use_unqualified_type_names = True
maximum_signature_line_length = 88

html_theme = "furo"
html_title = f"ldpcore {version}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False


class Notebook(MystParser):
    """A notebook as Markdown: its texts, its code, and the outputs that are kept in it."""

    supported = ("notebook",)

    def parse(self, inputstring: str, document: Any) -> None:
        """Read the cells in their order."""
        super().parse("\n\n".join(map(_cell, json.loads(inputstring)["cells"])), document)


def _cell(cell: dict[str, Any]) -> str:
    text = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return text
    return "\n\n".join([f"```python\n{text}\n```", *map(_output, cell["outputs"])])


def _output(output: dict[str, Any]) -> str:
    """The output of a cell: its printed text, or the library's drawing of its last value."""
    if "text" in output:
        return f"```text\n{''.join(output['text'])}```"
    return f"```{{raw}} html\n{''.join(output['data']['text/html'])}\n```"


def setup(app: Any) -> None:
    """Let Sphinx read notebooks."""
    app.add_source_suffix(".ipynb", "notebook")
    app.add_source_parser(Notebook)
