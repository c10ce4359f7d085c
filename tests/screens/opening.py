"""Open a page as a link does, move what a reader moves, and read what is on it."""

from __future__ import annotations

import base64
import gzip
import html
import json
import re
import time
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go
from streamlit.testing.v1 import AppTest

from explorer.navigation import DEFAULT
from explorer.text import page_text
from explorer.ui import page
from explorer.ui.linkstate import LinkState
from explorer.ui.sessionkeys import LINK, declared
from tests.clocks import PATIENCE
from tests.conftest import nothing_ahead
from tests.written import readings

ROOT = Path(__file__).resolve().parents[2]
TIMEOUT = 120  # seconds: the first run of a process also imports pandas and Plotly
_TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True)
class Stage:
    """What the stage was sent last: its views, its handle, and the scene at the present level."""

    head: dict[str, Any]
    words: dict[str, Any]
    figure: dict[str, Any] | None

    @property
    def chosen(self) -> str:
        """The slug of the view that is shown."""
        return str(self.head["chosen"])

    @property
    def views(self) -> list[str]:
        """The slugs of all views that can be chosen."""
        return [view["slug"] for view in (*self.head["views"], *self.head["more"])]

    @property
    def level(self) -> float:
        """Where the handle stands."""
        handle = self.head["handle"]
        return float(handle["stops"][handle["index"]])


def opened(slug: str, **parameters: str | list[str]) -> AppTest:
    """The page of a slug, reached by a link with these parameters: a reader's first run is that page's."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=TIMEOUT)
    for key, text in parameters.items():
        app.query_params[key] = text
    if slug != DEFAULT:
        app.switch_page(f"pages/{slug}.py")
    app.run()
    assert not app.exception, [error.value for error in app.exception]
    if LINK.name in app.session_state and link_of(app).page not in ("", slug):  # the view that was asked for is there
        app.switch_page(f"pages/{link_of(app).page}.py")
    return answered(app)


def answered(app: AppTest, patience: float = PATIENCE) -> AppTest:
    """The page once long work is done: a browser asks every half second, a test asks here."""
    until = time.monotonic() + patience
    while any(str(button.key).endswith("_stop") for button in app.button) and time.monotonic() < until:
        time.sleep(0.1)
        app.run()
    return app


def _sent(app: AppTest, name: str) -> list[bytes]:
    """What the components of a name were sent, in the order of the page."""
    return [bytes(each.proto.bytes) for each in app.get("bidi_component") if each.proto.component_name.endswith(name)]


def drawings(app: AppTest) -> list[str]:
    """The drawings of the page that stand off its stage, as HTML."""
    parts = [each.proto for each in app.get("bidi_component") if each.proto.component_name.endswith("ldp_drawing")]
    return [str(json.loads(part.json)["html"]) for part in parts]


def staged(app: AppTest) -> bool:
    """Whether the page has a stage."""
    return bool(_sent(app, "ldp_stage"))


def stage(app: AppTest) -> Stage:
    """The stage of the page."""
    (sent,) = _sent(app, "ldp_stage")
    return _read(sent)


@lru_cache(8)
def _read(sent: bytes) -> Stage:
    """The stage's message is read once, however often a test asks what it says."""
    head, words, figure = map(json.loads, sent.decode().split("\n"))
    words.pop("sketch", None)  # the first figure's drawing, which stands until Plotly has come
    return Stage(head, words, figure)


def strip(app: AppTest) -> dict[int, dict[str, Any]]:
    """The scenes at all stops as the browser gets them, by place; none where they were sent before."""
    assert page._Run.look_ahead is not nothing_ahead, "mark the test `all_stops`: else no other stop is drawn"
    for sent in _sent(app, "ldp_strip"):
        head, _, rest = sent.partition(b"\n")
        if not (stops := json.loads(head)["stops"]):
            return {}
        lines = gzip.decompress(rest).decode().split("\n")
        scenes = zip(stops, lines[::2], lines[1::2], strict=True)
        return {int(place): json.loads(words) | {"figure": json.loads(figure)} for place, words, figure in scenes}
    return {}


def moved(app: AppTest, level: float) -> AppTest:
    """The handle is let go at a level."""
    return _held(app, "epsilon", level)


def looked_at(app: AppTest, view: str) -> AppTest:
    """Another view is chosen."""
    return _held(app, f"{link_of(app).page}_tab", view)


def pointed_at(app: AppTest, view: str, value: str) -> AppTest:
    """A row or a column of a figure is clicked."""
    link_of(app).starts[f"{link_of(app).page}_value"] = value
    return looked_at(app, view)


def taken(app: AppTest, place: int = 0) -> AppTest:
    """A plan's button is pressed: its settings are asked for as a link asks."""
    settings = stage(app).words["takes"][place]["settings"]
    link_of(app).asked = {key: [text] for key, text in settings.items()}
    link_of(app).touched = True
    return answered(app.run())


def _held(app: AppTest, key: str, value: object) -> AppTest:
    """What the stage tells the server: a value that no widget holds."""
    hold(app, {key: value})
    return answered(app.run())


def hold(app: AppTest, values: dict[str, object]) -> None:
    """What the stage has told when the page runs next."""
    link_of(app).held |= values
    link_of(app).touched = True


def link_of(app: AppTest) -> LinkState:
    """The state of the link that this session holds."""
    state: LinkState = app.session_state[LINK.name]
    return state


def undeclared(app: AppTest) -> list[str]:
    """The private keys that this session holds and nobody has declared."""
    held = [name for name in app.session_state._state.filtered_state if name.startswith("_")]
    assert LINK.name in held
    return [name for name in held if not any(fnmatchcase(name, key.name) for key in declared())]


def plain(marked: str) -> str:
    """HTML as it is read."""
    spaced = marked.replace("<br>", " ").replace("</p>", " ").replace("<div", " <div").replace("\u00a0", " ")
    return html.unescape(_TAG.sub("", spaced))


def answer(app: AppTest) -> str:
    """The sentence that answers the page's question."""
    return plain(stage(app).words["answer"]) if staged(app) else str(app.markdown[0].value)


def headline(app: AppTest) -> str:
    """The answer's sentence as it is sent, without what stands beside it."""
    return str(stage(app).words["answer"]).partition('<div class="ldp-aside"')[0]


def note(app: AppTest) -> str:
    """The paragraph of the view."""
    return plain(stage(app).words["note"])


def numbers_in(sentence: str) -> list[float]:
    """The numbers of a sentence, without Markdown's marks."""
    return readings(sentence.replace("*", "").replace("\\", ""))


def below(app: AppTest, name: str) -> AppTest:
    """Open what stands below the figure: `numbers`, `why`, `tasks` or `take_away`."""
    app.session_state[f"{link_of(app).page}_below"] = name
    return answered(app.run())


def charts(app: AppTest) -> list[dict[str, Any]]:
    """The figures on the page, as the browser gets them, each with its alt text; Plotly itself must accept them."""
    found = [json.loads(part) for part in _sent(app, "ldp_figure")]
    texts = [(str(part["figure"]), part["alt"]) for part in found]
    for sent in _sent(app, "ldp_stage"):
        _, words, figure = sent.decode().split("\n")
        texts += [] if figure == "null" else [(figure, json.loads(words)["alt"])]
    for text, _ in texts:
        _accepted(text)
    return [json.loads(text) | {"alt": alt} for text, alt in texts]


@lru_cache(64)
def _accepted(text: str) -> None:
    """Plotly looks at each figure once, however often a test asks for it: that is dearer than to open the page."""
    figure = json.loads(text)
    go.Figure(figure["data"], figure["layout"], figure["frames"])


def complaints(app: AppTest) -> list[str]:
    """What the page says about a link it could not use."""
    return [str(warning.value) for warning in app.warning]


def tabs(slug: str) -> list[str]:
    """The slugs of a page's views, from its catalogue, in the order of telling."""
    return [key.split()[1] for key in page_text(slug) if key.split()[0] in ("view", "tab")]


def values(array: Any) -> np.ndarray:
    """A trace's numbers, which travel as base64 where they were a NumPy array."""
    if isinstance(array, dict):
        shape = [int(size) for size in str(array.get("shape", "-1")).split(",")]
        return np.frombuffer(base64.b64decode(array["bdata"]), dtype=array["dtype"]).reshape(shape)
    return np.asarray(array)
