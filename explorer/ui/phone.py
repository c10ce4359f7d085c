"""The phone's page inside a page of Streamlit, `/room?code=…`: for hosts that show nothing but Streamlit's own pages.

Its script is the one that `/room/CODE` runs. A request there is a message of the session here; the answer is
tossed on the phone all the same, and nothing of a message outlives the run that answers it.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import streamlit as st

from explorer.poll import document, forms, telling
from explorer.poll.denials import DenialError, Reason
from explorer.poll.rooms import rooms
from explorer.text.escaping import markdown
from explorer.ui import internals, scripts
from explorer.ui.caught import caught
from explorer.ui.language import language
from explorer.ui.sessionkeys import PHONE_ANSWER

_KEY, _TYPED = "phone", "phone_code"
# Nothing around it: no list of pages, and no dimming while an answer is on its way.
_BARE = """<style>
[data-testid="stSidebar"], [data-testid="stHeader"], [data-testid="stExpandSidebarButton"] { display: none; }
[data-testid="stMainBlockContainer"] { padding: 0; max-width: 34rem; }
.stApp [data-stale=true] { opacity: 1; }
.st-key-phone_door { padding: 1rem 1.1rem; }
</style>"""
_PHONE = internals.component(
    "ldp_phone",
    html='<div class="ldp-phone"><header></header><div></div></div>\n',
    css=document.style(),
    js=document.source() + scripts.joined(Path(__file__).with_suffix(".js")),
)


def title() -> str:
    """The title of the window."""
    return telling.heading("title", language(), st.query_params.get("code", "").upper()[:12])


def show() -> None:
    """The phone's page of the room in the address; where it names none, a box for the code."""
    st.html(_BARE)
    code, answer, spoken = st.query_params.get("code", ""), PHONE_ANSWER.take(), language()
    try:
        card = telling.message(rooms().card(code), spoken) if code else None
    except DenialError as problem:
        card = None
        if answer is None:
            _door(telling.sentence(problem, spoken))
            return
    if card is None and answer is None:
        _door("")
        return
    data = {
        "card": card,
        "words": telling.words(spoken),
        "language": spoken,
        "heading": [telling.heading("room", spoken), "" if card is None else card["code"]],
        "answer": answer,
    }
    _PHONE(data=data, key=_KEY, height="content", on_asked_change=caught(_hear))


def _door(said: str) -> None:
    """The box for a code, below the error of the last one.

    Code and button are one message: of two, the second may come from the address that the first was about to leave.
    """
    spoken = language()
    with st.container(key=f"{_KEY}_door"):
        st.title(telling.heading("which", spoken), anchor=False)
        if said:
            st.warning(markdown(said), icon=":material/meeting_room:")
        with st.form(f"{_KEY}_code_form", border=False):
            st.text_input(telling.heading("code", spoken), key=_TYPED, max_chars=20)
            join = telling.words(spoken)["join"]
            st.form_submit_button(join, on_click=caught(_enter), type="primary", width="stretch")


def _enter() -> None:
    """Write the typed code into the address."""
    st.query_params["code"] = str(st.session_state[_TYPED])


def _hear() -> None:
    """Answer a message of the phone's page with this run."""
    message: Any = st.session_state[_KEY]["asked"]
    if isinstance(message, dict) and type(message.get("id")) is int:
        PHONE_ANSWER.keep({"id": message["id"], **_answered(message.get("asked"), message.get("fields"))})


def _answered(asked: object, fields: object) -> dict[str, Any]:
    """The status and the body of an answer, as over HTTP."""
    try:
        return {"status": 200, "body": done(st.query_params.get("code", ""), asked, fields)}
    except DenialError as problem:
        said = {"problem": problem.reason.key, "sentence": telling.sentence(problem, language())}
        return {"status": problem.reason.status, "body": said}


def done(code: str, asked: object, fields: object) -> dict[str, Any]:
    """The answer to a message about a room, once it is done; a message of no known kind is refused."""
    if len(json.dumps(fields)) > forms.LARGEST:
        raise DenialError(Reason.LARGE)
    match asked:
        case "join":
            pin = forms.joining(fields)
            time.sleep(rooms().admission(code))  # a thread of this session alone
            return {"ticket": rooms().join(code, pin)}
        case "report":
            rooms().report(code, *forms.reporting(fields))
            return {"counted": True}
        case "state":
            forms.checked(fields, {})
            return telling.message(rooms().card(code), language())
    raise DenialError(Reason.FIELDS)
