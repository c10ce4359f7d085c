"""Open a page as a link does and read what is on it."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go
from streamlit.testing.v1 import AppTest

from explorer.navigation import DEFAULT
from explorer.numbers import readings

ROOT = Path(__file__).resolve().parents[2]
TIMEOUT = 30  # seconds: the first run of a process also imports pandas and Plotly


def opened(slug: str, **parameters: str | list[str]) -> AppTest:
    """The page of a slug, reached by a link with these parameters."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=TIMEOUT)
    app.run()
    for key, text in parameters.items():
        app.query_params[key] = text
    if slug != DEFAULT:
        app.switch_page(f"pages/{slug}.py")
    else:
        app.session_state["_page"] = None
    app.run()
    assert not app.exception, [error.value for error in app.exception]
    return app


def answer(app: AppTest) -> str:
    """The sentence that answers the page's question."""
    return str(app.markdown[0].value)


def numbers_in(sentence: str) -> list[float]:
    """The numbers of a sentence, without Markdown's marks."""
    return readings(sentence.replace("*", "").replace("\\", ""))


def below(app: AppTest, name: str) -> AppTest:
    """Open what stands below the figure: `numbers`, `why`, `tasks` or `take_away`."""
    app.session_state[f"{app.session_state['_page']}_below"] = name
    return app.run()


def charts(app: AppTest) -> list[dict[str, Any]]:
    """The figures on the page, as the browser gets them, each with its alt text; Plotly itself must accept them."""
    parts = [
        json.loads(part.proto.bytes) for part in app.get("bidi_component") if "ldp_figure" in part.proto.component_name
    ]
    found = [json.loads(part["figure"]) | {"alt": part["alt"]} for part in parts]
    for figure in found:
        go.Figure(figure["data"], figure["layout"], figure["frames"])
    return found


def complaints(app: AppTest) -> list[str]:
    """What the page says about a link it could not use."""
    return [str(warning.value) for warning in app.warning]


def tabs(slug: str) -> list[str]:
    """The keys of a page's tabs, from its catalogue."""
    from explorer.text import page_text

    return [key.removeprefix("tab ") for key in page_text(slug) if key.startswith("tab ")]


def values(array: Any) -> np.ndarray:
    """A trace's numbers, which travel as base64 where they were a NumPy array."""
    if isinstance(array, dict):
        shape = [int(size) for size in str(array.get("shape", "-1")).split(",")]
        return np.frombuffer(base64.b64decode(array["bdata"]), dtype=array["dtype"]).reshape(shape)
    return np.asarray(array)
