"""Sessions that Streamlit remembers no longer, on a server that nobody visits any more.

Streamlit looks for those whose time is over when it stores another one, that is when somebody else leaves, and at no
other time; and the loop that sends its messages holds on to the last reader whom it has sent some. So the tables of
the last readers would stay for hours. Who comes, is answered and leaves makes both let go.
"""

from __future__ import annotations

import asyncio
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime import RuntimeState, SessionClient, exists, get_instance

PATIENCE = 5.0  # seconds for an answer
_OPEN = (RuntimeState.NO_SESSIONS_CONNECTED, RuntimeState.ONE_OR_MORE_SESSIONS_CONNECTED)


class _Nobody(SessionClient):
    """A reader for whom no page is run; notes that an answer has come."""

    def __init__(self) -> None:
        self.answered = asyncio.Event()

    def write_forward_msg(self, msg: Any) -> None:
        self.answered.set()


async def expire() -> None:
    """Let go of every session whose time is over: nobody comes, is answered, leaves, and is forgotten at once.

    To be awaited on the server's event loop.
    """
    if not exists() or get_instance().state not in _OPEN:
        return
    runtime, nobody = get_instance(), _Nobody()
    session = runtime.connect_session(nobody, {})
    try:
        runtime.handle_backmsg(session, BackMsg(app_heartbeat=True))
        await asyncio.wait_for(nobody.answered.wait(), PATIENCE)
    finally:
        runtime.disconnect_session(session)  # it is stored, and there Streamlit looks
        runtime.close_session(session)
