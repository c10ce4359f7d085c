"""A matrix of the reader's own: typed, pasted or brought as a file, judged in one sentence, kept in the session alone.

Nothing that was typed is lost: a text that is no channel stays as it is, and rows that do not sum to one are only
divided by their sums where the reader asks for it. A link says that there was a matrix, never what was in it.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import streamlit as st

from explorer.numbers import people
from explorer.ui import controls, links, prose, session, share
from explorer.ui.frame import Page
from ldpcore.channels import Finite, Pair
from ldpcore.experiments.verify import MatrixCheck
from ldpcore.files import encoding_of, unpacked
from ldpcore.matrices import Leak, MatrixError, TypedMatrix, largest_loss, read_matrix
from ldpcore.tables import TableError

OWN = "own"
SHOWN_LETTERS = 20_000  # a longer text is kept, and not put back into the box
WRITTEN_CELLS = 400  # a larger matrix is read from a file in the Python that reproduces it


@dataclass(frozen=True, eq=False)
class Typed:
    """A text and the matrix in it, or the one sentence that says why there is none."""

    text: str
    matrix: TypedMatrix | None
    problem: str

    @classmethod
    def of(cls, text: str) -> Typed:
        """Read a text."""
        try:
            return cls(text, read_matrix(text), "")
        except MatrixError as problem:
            return cls(text, None, str(problem))


@dataclass(frozen=True, eq=False)
class Asked:
    """What the page is to judge: a channel, or a problem; whether it is the reader's own, and was normalized."""

    channel: Finite | None
    problem: str
    own: bool
    normalized: bool = False

    @property
    def scope(self) -> Any:
        """Who may share what is computed from it."""
        return "session" if self.own else "global"


def matrix(page: Page) -> Asked:
    """The controls of a matrix: an example or one's own, the box to type in, a file, and the offer to normalize."""
    chosen = _choice(page)
    typed = _box(page, chosen)
    _file(page)
    if typed.matrix is None:
        st.error(prose.markdown(_sentence(typed.problem)), icon=":material/grid_off:")
        return Asked(None, typed.problem, chosen == OWN)
    normalized = bool(typed.matrix.unbalanced) and _offer(page, typed)
    if typed.matrix.unbalanced and not normalized:
        return Asked(None, typed.matrix.complaint, chosen == OWN)
    kept = typed.matrix.normalized() if normalized else typed.matrix
    return Asked(kept.channel(), "", chosen == OWN, normalized)


def _sentence(problem: str) -> str:
    return problem[:1].upper() + problem[1:] + "."


def _choice(page: Page) -> str:
    """An example or the reader's own; a link that speaks of an own one is judged first."""
    key, names = f"{page.slug}_matrix", {slug: example["title"] for slug, example in page.labels["examples"].items()}
    own = page.label("own_matrix")
    asked = st.session_state.get("_asked", {})
    if session.matrix() is None and asked.get(key) in ([OWN], [own]):
        del asked[key]
        links.complain(page.label("own_matrix_link"))
    return controls.choice(page, "matrix", names | {OWN: own})


def _box(page: Page, chosen: str) -> Typed:
    """The text as it stands; whatever is typed becomes the reader's own."""
    held = session.matrix()
    typed = (held or Typed.of("")) if chosen == OWN else Typed.of(page.labels["examples"][chosen]["rows"].strip())
    if len(typed.text) > SHOWN_LETTERS:
        size = (0, 0) if typed.matrix is None else typed.matrix.entries.shape
        told = {"letters": people(len(typed.text)), "rows": people(size[0]), "columns": people(size[1])}
        st.caption(prose.fill(page.label("long_text" if typed.matrix is None else "long_matrix"), told))
        st.button(page.label("forget_matrix"), f"{page.slug}_forget", on_click=_forget, icon=":material/delete:")
        return typed
    key = f"{page.slug}_rows_{chosen}_{_digest(typed.text)}"
    st.text_area(
        page.label("rows"), typed.text, key=key, height=150, help=page.label("rows_help"), on_change=_type,
        args=(f"{page.slug}_matrix", key), placeholder=page.label("rows_placeholder"),
    )  # fmt: skip
    return typed


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:10]


def _type(choice: str, key: str) -> None:
    _keep(choice, st.session_state[key])


def _keep(choice: str, text: str) -> None:
    """Keep a text as the reader's own matrix, and turn to it."""
    session.keep_matrix(Typed.of(text))
    st.session_state[choice] = OWN


def _forget() -> None:
    session.keep_matrix(None)


def _file(page: Page) -> None:
    """A file becomes a text like any other; what is no text is refused in one sentence."""
    generation = st.session_state.setdefault("_matrix_files", 0)
    key = f"{page.slug}_file_{generation}"
    with st.popover(page.label("upload"), icon=":material/upload_file:", width="stretch"):
        st.file_uploader(
            page.label("upload"), key=key, on_change=_bring, args=(f"{page.slug}_matrix", key),
            label_visibility="collapsed",
        )  # fmt: skip
    refused = st.session_state.pop("_matrix_refused", "")
    if refused:
        st.error(prose.markdown(_sentence(refused)), icon=":material/block:")


def _bring(choice: str, key: str) -> None:
    """Read the file and let go of it."""
    file = st.session_state[key]
    if file is None:
        return
    st.session_state["_matrix_files"] += 1
    try:
        raw = unpacked(file.getvalue(), file.name)
        text = raw.decode(encoding_of(raw, file.name), "replace").lstrip("\ufeff")
    except TableError as problem:
        st.session_state["_matrix_refused"] = str(problem)
        return
    _keep(choice, text)


def _offer(page: Page, typed: Typed) -> bool:
    """The complaint about rows that do not sum to one, and the offer to divide each by its sum."""
    assert typed.matrix is not None
    st.warning(prose.markdown(_sentence(typed.matrix.complaint)), icon=":material/functions:")
    return st.toggle(page.label("normalize"), key=f"{page.slug}_normalize_{_digest(typed.text)}")


def whose(page: Page, asked: Asked) -> str:
    """How the answer names the matrix."""
    return page.label("whose_own" if asked.own else "whose_example") + (
        page.label("whose_normalized") if asked.normalized else ""
    )


def judged(channel: Finite) -> tuple[MatrixCheck, Leak, Pair]:
    """The whole question about a channel, its level, which takes no time, and the two rows that differ most."""
    leak = largest_loss(channel)
    return MatrixCheck(channel), leak, channel.pair(leak.value, leak.other)


def groups(page: Page, asked: Asked) -> tuple[tuple[int, ...], ...]:
    """The reports that the reader wants to see merged; at first the first two."""
    columns = 0 if asked.channel is None else asked.channel.matrix.shape[1]
    key = f"{page.slug}_merge_{'own' if asked.own else 'example'}_{columns}"
    first = [0, 1] if columns > 2 else []
    chosen = st.multiselect(
        page.label("merge"), range(columns), first, lambda report: f"{page.label('report')} {report + 1}", key=key,
        placeholder=page.label("merge_none"),
    )  # fmt: skip
    return (tuple(chosen),) if len(chosen) > 1 else ()


def snippet(check: MatrixCheck) -> str:
    """Python that judges the same matrix: written out where it is small, read from the reader's file where not."""
    if check.channel.matrix.size <= WRITTEN_CELLS:
        return share.snippet(check)
    return (
        "from pathlib import Path\n\nfrom ldpcore.experiments.verify import MatrixCheck\n"
        "from ldpcore.matrices import read_matrix\n\n"
        'channel = read_matrix(Path("matrix.csv").read_text(encoding="utf-8")).normalized().channel()\n'
        f"result = MatrixCheck(channel, {check.groups!r}).run()\nprint(result.leak)"
    )
