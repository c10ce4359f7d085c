"""A reader without a browser, who brings a table of their own and prints, as the front end does."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from http.client import HTTPConnection
from urllib.parse import urlsplit
from uuid import uuid4

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.reader import Reader, Run

PRINTER = "ldp_printer"
UPLOADS, TOKEN = "/_stcore/upload_file", "_streamlit_xsrf"


@dataclass
class Visitor(Reader):
    """One page in one session, with the means of a reader to bring a file, and the page's words so far."""

    fold: str = ""  # where a file is handed over
    uploader: str = ""
    said: list[str] = field(default_factory=list)
    below: tuple[str, str, str] | None = None  # what opens the page's last fold: its control, the fold, their fragment
    printable: bool = False  # whether a sheet has come that can be printed

    async def bring(self, name: str, content: bytes) -> Run:
        """Open the place where a table is brought, send a file, and ask for the page with it."""
        await self._opened(self._state())
        file = f"{UPLOADS}/{self.session}/{uuid4()}"
        status = await asyncio.to_thread(self.send, file, name, content)
        assert status == 204, status
        return await self.hand_over(file, name, len(content))

    async def open(self) -> Run:
        """Open the place where a table is brought."""
        return await self._opened(self._state())

    async def print(self) -> bool:
        """Open the things to be taken along; whether a sheet has come, which the browser prints by itself."""
        assert self.below is not None
        control, fold, fragment = self.below
        state, self.printable = self._state(), False
        state.fragment_id = fragment
        state.widget_states.widgets.add(id=control).string_array_value.data.append(fold)
        await self._ask(state, time.perf_counter())
        return self.printable

    async def hand_over(self, file: str, name: str, size: int) -> Run:
        """Tell the page which file has been sent."""
        state = self._state()
        held = state.widget_states.widgets.add(id=self.uploader).file_uploader_state_value.uploaded_file_info.add()
        held.file_id, held.name, held.size = file.rpartition("/")[2], name, size
        held.file_urls.file_id, held.file_urls.upload_url, held.file_urls.delete_url = held.file_id, file, file
        return await self._opened(state)

    async def _opened(self, state: ClientState) -> Run:
        state.widget_states.widgets.add(id=self.fold).bool_value = True
        self.said.clear()
        return await self._ask(state, time.perf_counter())

    def send(self, file: str, name: str, content: bytes) -> int:
        """Send a file as a browser does; the status of the answer."""
        connection = HTTPConnection(urlsplit(self.url).netloc, timeout=60)
        try:
            connection.request("GET", "/_stcore/health")
            answer = connection.getresponse()
            answer.read()
            token = (answer.getheader("Set-Cookie") or "").partition(f"{TOKEN}=")[2].partition(";")[0].strip('"')
            head = f'--x\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode()
            known = {"Cookie": f"{TOKEN}={token}", "X-Xsrftoken": token}
            kind = {"Content-Type": "multipart/form-data; boundary=x"}
            connection.request("PUT", file, head + content + b"\r\n--x--\r\n", known | kind)
            answer = connection.getresponse()
            answer.read()
            return answer.status
        finally:
            connection.close()

    def _read(self, message: ForwardMsg) -> None:
        super()._read(message)
        if message.WhichOneof("type") == "delta":
            delta = message.delta
            if delta.WhichOneof("type") == "add_block" and delta.add_block.popover.id:
                self.fold = delta.add_block.popover.id
            element = delta.new_element
            kind = element.WhichOneof("type")
            if kind == "file_uploader":
                self.uploader = element.file_uploader.id
            elif kind == "button_group" and element.button_group.id.endswith("_below"):
                last = element.button_group.options[-1]
                self.below = element.button_group.id, f"{last.content_icon} {last.content}".strip(), delta.fragment_id
            self.printable |= kind == "bidi_component" and element.bidi_component.component_name.endswith(PRINTER)
            self.said += [element.alert.body, element.markdown.body, element.html.body]
