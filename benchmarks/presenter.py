"""The presenter's page of a room, without a browser: it takes the key of a link and looks again on the server's word.

Streamlit's front end asks for a fragment anew as often as the server has said (`auto_rerun`); so does this one.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from dataclasses import dataclass, field

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.reader import Reader, Run
from explorer.poll.rooms import Presenter

KEY = "presenting"  # of the component that takes a key
TRIGGERED = "$$STREAMLIT_INTERNAL_KEY_{}__events"  # what Streamlit calls the triggers of a component
COUNTED = re.compile(r"<b>([^<]+)</b> answered")  # in groups of three digits


@dataclass
class Screen(Reader):
    """A presenter's page: the looks at its board, and the number of answers in each."""

    looks: list[Run] = field(default_factory=list)
    shown: list[int] = field(default_factory=list)
    every: float = 0.0  # seconds between two looks, as the server has said
    board: str = ""  # the fragment that is asked for anew
    taking: str = ""  # the component that takes a key

    async def present(self, held: Presenter) -> None:
        """Open the page and hand it the key, as a link does behind its #."""
        await self.arrive()
        state = self._state()
        pressed = [{"event": "back", "value": f"{held.code}.{held.key}"}]
        widget = state.widget_states.widgets.add(id=TRIGGERED.format(self.taking))
        widget.json_trigger_value = json.dumps(pressed)
        run = await self._ask(state, time.perf_counter())
        if not self.board or not run.complete:
            self.problems.append("the presenter's page shows no open board")

    async def follow(self) -> None:
        """Look at the board again and again, as often as the server has said."""
        while True:
            await asyncio.sleep(self.every)
            state = self._state()
            state.fragment_id, state.is_auto_rerun = self.board, True
            run = await self._ask(state, time.perf_counter())
            self.looks.append(run)
            if not run.complete:
                self.problems.append(f"a look at the board ended with {run.ended}")

    def _read(self, message: ForwardMsg) -> None:
        super()._read(message)
        if message.WhichOneof("type") == "auto_rerun":
            self.every, self.board = message.auto_rerun.interval, message.auto_rerun.fragment_id
        if message.WhichOneof("type") != "delta" or message.delta.WhichOneof("type") != "new_element":
            return
        element = message.delta.new_element
        if element.WhichOneof("type") != "bidi_component":
            return
        found = element.bidi_component
        if found.id.endswith(f"-{KEY}"):
            self.taking = found.id
        told = json.dumps(json.loads(found.json or "null"), ensure_ascii=False)
        self.shown += [int("".join(filter(str.isdecimal, count))) for count in COUNTED.findall(told)]
