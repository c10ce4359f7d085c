"""A reader without a browser: Streamlit's own web socket, spoken as its front end speaks it.

The socket is `/_stcore/stream`. The reader asks for a run (`BackMsg.rerun_script`: page, query string, what the widgets
hold, and which messages it remembers), and the server answers with messages until `script_finished`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from urllib.parse import parse_qsl, urlencode, urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.protocol import State
from websockets.typing import Subprotocol

REMEMBERED = 1000  # runs for which the front end keeps a message (global.maxCachedMessageAge)
STRIP = "ldp_strip"
LEVEL = "epsilon"  # the key, the parameter and the symbol of what is moved


@dataclass(frozen=True)
class Handle:
    """The handle of a reader: its stops, and the browser's message for each of them."""

    id: str
    stops: tuple[float | str, ...]
    state: Callable[[WidgetState, float | str], None]
    parameter: str = ""  # of the address, where the browser writes it there
    fragment: str = ""  # what alone is run again

    def at(self, place: float) -> float | str:
        """The stop at a fraction of its length."""
        return self.stops[min(int(place * len(self.stops)), len(self.stops) - 1)]


def _numbers(state: WidgetState, stop: float | str) -> None:
    state.double_array_value.data.append(float(stop))


def _texts(state: WidgetState, stop: float | str) -> None:
    state.string_array_value.data.append(str(stop))


def _component(state: WidgetState, stop: float | str) -> None:
    state.json_value = json.dumps({"level": {"level": stop, "at": time.time()}})


def slider(element: Element, key: str) -> Handle | None:
    """Streamlit's slider, or its slider of texts, with this key."""
    found = element.slider
    if element.WhichOneof("type") != "slider" or not found.id.endswith(f"-{key}"):
        return None
    if found.options:
        return Handle(found.id, tuple(found.options), _texts, found.query_param_key)
    count = round((found.max - found.min) / found.step) + 1
    stops = tuple(round(found.min + found.step * index, 10) for index in range(count))
    return Handle(found.id, stops, _numbers, found.query_param_key)


def stage(element: Element, key: str) -> Handle | None:
    """A component whose data declare a handle with stops; its state is the level, whatever the component is called."""
    if element.WhichOneof("type") != "bidi_component":
        return None
    found = element.bidi_component
    try:
        head = bytes(found.bytes).partition(b"\n")[0]  # a scene follows it
        data = json.loads(head or found.json or found.mixed.json or "{}")
        if isinstance(data, dict) and isinstance(data.get("json"), str):
            data = json.loads(data["json"])
        handle = data.get("handle") if isinstance(data, dict) else None
    except ValueError:
        return None
    if not handle:
        return None
    return Handle(found.id, tuple(handle["stops"]), _component)


def strip(element: Element) -> tuple[int, bool] | None:
    """The number of scenes in a strip, and whether they are still to be made; none where it is no strip."""
    if element.WhichOneof("type") != "bidi_component" or not element.bidi_component.component_name.endswith(STRIP):
        return None
    head = json.loads(bytes(element.bidi_component.bytes).partition(b"\n")[0])
    return len(head["stops"]), bool(head["late"])


@dataclass(frozen=True)
class Run:
    """The wait of a reader: seconds until the script was finished, and the bytes that came."""

    seconds: float
    bytes: int
    ended: int = 0

    @property
    def complete(self) -> bool:
        """Whether the page, or the requested fragment, ran to its end."""
        return self.ended in (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)


@dataclass
class Reader:
    """One page in one session."""

    url: str
    key: str = LEVEL
    socket: ClientConnection | None = None
    handle: Handle | None = None
    problems: list[str] = field(default_factory=list)
    page: str = ""  # the server's name of the page, once it has told it
    query: str = ""
    strip: int | None = None  # how many scenes the last one brought
    late: str = ""  # the fragment in which a strip is still to be made
    seen: dict[str, int] = field(default_factory=dict)  # messages by their digest, and the run in which they came last
    runs: int = 0
    session: str = ""  # the server's name of the session; of the one before, while the reader comes back
    cookie: str = ""  # what a proxy has given the reader to stay with one replica

    async def arrive(self) -> Run:
        """Open the page and wait for its first run; then have the strip made, as the front end does."""
        run = await self.open_page()
        await self.have_strip_made()
        return run

    async def have_strip_made(self) -> Run | None:
        """Ask for the scenes of all other stops and wait for them; nothing where none are late."""
        if not self.late:
            return None
        state = self._state()
        state.fragment_id = self.late
        return await self._ask(state, time.perf_counter())

    async def open_page(self) -> Run:
        """Open the page and wait for its first run, and for nothing that is only asked for after it."""
        start = time.perf_counter()
        address = urlsplit(self.url)
        self.query = address.query
        self.socket = await connect(
            f"ws://{address.netloc}/_stcore/stream",
            subprotocols=[Subprotocol(each) for each in self._protocols()],
            max_size=None,
            compression=None,
            open_timeout=120,
            ping_interval=None,
            additional_headers={"Cookie": self.cookie} if self.cookie else None,
        )
        state = self._state()
        state.page_name = address.path.strip("/")
        return await self._ask(state, start)

    async def move(self, place: float) -> Run:
        """Let the handle go at a fraction of its length and wait for the end of the run."""
        assert self.handle is not None
        start, stop = time.perf_counter(), self.handle.at(place)
        state = self._state()
        if self.handle.parameter:
            self.query = urlencode(dict(parse_qsl(self.query)) | {self.handle.parameter: stop})
            state.query_string = self.query
        state.fragment_id = self.handle.fragment
        widget = state.widget_states.widgets.add(id=self.handle.id)
        self.handle.state(widget, stop)
        return await self._ask(state, start)

    async def again(self) -> Run:
        """Ask for the page once more, as a reader who waits for its answer does."""
        return await self._ask(self._state(), time.perf_counter())

    def back(self, url: str) -> Reader:
        """The reader in the same window, with everything that the front end keeps when a server goes."""
        return replace(self, url=url, socket=None, seen=dict(self.seen), problems=[], query="", page="", strip=None)

    @property
    def closed(self) -> bool:
        """Whether the server has gone, or has sent the reader away."""
        return self.socket is None or self.socket.state is not State.OPEN

    async def leave(self) -> None:
        """Close the page."""
        if self.socket is not None:
            await self.socket.close()

    def _protocols(self) -> tuple[str, ...]:
        """The protocols in the front end's request, one of which names its former session."""
        return ("streamlit", "PLACEHOLDER_AUTH_TOKEN", self.session) if self.session else ("streamlit",)

    def _state(self) -> ClientState:
        """The browser's part of every request; it forgets the messages of long ago."""
        self.runs += 1
        self.seen = {digest: run for digest, run in self.seen.items() if run >= self.runs - REMEMBERED}
        state = ClientState(query_string=self.query, page_script_hash=self.page)
        state.cached_message_hashes.extend(self.seen)
        state.context_info.url, state.context_info.locale = self.url, "en-US"
        state.context_info.timezone, state.context_info.color_scheme = "UTC", "light"
        return state

    async def _ask(self, state: ClientState, start: float) -> Run:
        assert self.socket is not None
        await self.socket.send(BackMsg(rerun_script=state).SerializeToString())
        received = 0
        while True:
            frame = await self.socket.recv()
            received += len(frame)
            message = ForwardMsg.FromString(frame if isinstance(frame, bytes) else frame.encode())
            finished = message.WhichOneof("type") == "script_finished"
            if finished and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:  # that one begins again
                return Run(time.perf_counter() - start, received, message.script_finished)
            self._read(message)

    def _read(self, message: ForwardMsg) -> None:
        """Remember a message, as the front end does."""
        kind = message.WhichOneof("type")
        if message.metadata.cacheable or kind == "ref_hash":
            self.seen[message.ref_hash or message.hash] = self.runs
        if kind == "navigation":
            self.page = message.navigation.page_script_hash
        elif kind == "new_session":
            self.session = message.new_session.initialize.session_id
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            self._look(message.delta.new_element, message.delta.fragment_id)

    def _look(self, element: Element, fragment: str) -> None:
        if element.WhichOneof("type") == "exception":
            self.problems.append(f"{element.exception.type}: {element.exception.message}")
        if (brought := strip(element)) is not None:
            self.strip, self.late = brought[0], fragment if brought[1] else ""
        found = slider(element, self.key) or stage(element, self.key)
        if found is not None:
            self.handle = Handle(found.id, found.stops, found.state, found.parameter, fragment)
