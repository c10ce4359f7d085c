"""A matrix of the reader's own: typed, pasted or uploaded, judged in one sentence, kept in the session alone.

Nothing that was typed is lost: a text that is no channel stays as it is, and rows that do not sum to one are only
divided by their sums where the reader asks for it. A link carries the entries of a small matrix as they were typed, and
no name; of a larger one it says that there was a matrix.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from explorer.facts import Count, Name
from explorer.host.inbox import inbox
from explorer.pages.verify.settings import JudgedMatrix, MergedReports
from explorer.text.catalogue import Catalogue
from explorer.text.refusals import reason
from explorer.ui import books, controls, links, mail, session
from explorer.ui.caught import caught
from explorer.ui.sessionkeys import DIVIDED, MATRIX_GAVE_WAY, MATRIX_REFUSED, MATRIX_UPLOADER, MATRIX_WAITING
from explorer.ui.shown import Shown
from ldpcore.reading.files import encoding_of, uncompressed
from ldpcore.reading.foreign import kind_of_file
from ldpcore.reading.matrices import LETTERS, PER_CENT, MatrixError, TypedMatrix, bare_rows, read_matrix
from ldpcore.refusals import Refusal
from ldpcore.tables.table import TableError

OWN = "own"
PLACE = "own_matrix_file"  # where the opening of a workbook is asked for
SHOWN_LETTERS = 20_000  # a longer text is kept, and not put back into the box
LINKED = 64  # entries that a link carries


@dataclass(frozen=True, eq=False)
class Text:
    """A text and the matrix in it, or the reason why there is none; one that is longer than any matrix is not kept."""

    text: str
    letters: int
    matrix: TypedMatrix | None
    problem: MatrixError | None = None

    @classmethod
    def of(cls, text: str) -> Text:
        """Read a text."""
        try:
            return cls(text, len(text), read_matrix(text))
        except MatrixError as problem:
            return cls("" if problem.key == "text_long" else text, len(text), None, problem)


def matrix(shown: Shown) -> JudgedMatrix:
    """The controls of a matrix: an example or one's own, the box to type in, a file, and the offer to normalize."""
    _open_apart(shown)  # before the choice, which it may change
    chosen = _choice(shown)
    shown.private = chosen == OWN  # nothing that is computed from it is shared
    text = _box(shown, chosen)
    _file(shown)
    if text.matrix is None:
        assert text.problem is not None
        st.error(_sentence(shown, text.problem), icon=":material/grid_off:")
        return JudgedMatrix(None, shown.catalogue.refusal(text.problem))
    complaint = text.matrix.complaint
    if complaint is None:
        return JudgedMatrix(text.matrix.channel(), printed=text.matrix)
    if not _offered(shown, text, text.matrix, complaint):
        return JudgedMatrix(None, shown.catalogue.refusal(complaint))
    divided = text.matrix.normalized()
    return JudgedMatrix(divided.channel(), printed=divided)


def _sentence(shown: Shown, problem: Refusal) -> str:
    """The error in a text, as Markdown."""
    return shown.say("refused", problem=reason(problem))


def _choice(shown: Shown) -> str:
    """The choice of an example or the reader's own; a link with an own one is judged first."""
    key = f"{shown.slug}_matrix"
    names = _names(shown.slug, shown.catalogue)
    _arrived(shown)
    if session.matrix() is None and links.asked_of(key) == (OWN,):
        links.ask_instead(key, None)
        links.complain(shown.label("own_matrix_link"))
    chosen = controls.choice(shown, "matrix", names)
    links.record(_linked(shown), _entries(_own()) if chosen == OWN else "", "")
    return chosen


def _linked(shown: Shown) -> str:
    """The parameter of a link that carries the entries."""
    return f"{shown.slug}_own_matrix"


def _arrived(shown: Shown) -> None:
    """Keep the matrix that a link brings; a page that is set anew asks for none, and keeps the one that was typed."""
    key = _linked(shown)
    asked = bool(links.asked_of(key))
    text = links.requested(key, shown.label("matrix"), "", _worded(shown), str)
    if asked and text:
        session.keep_matrix(Text.of(text))


def _worded(shown: Shown) -> Callable[[str], str]:
    """A reader of the entries of a link."""

    def text(asked: str) -> str:
        lines = asked[: 20 * LINKED].replace("|", "\n")
        if Text.of(lines).matrix is None:
            raise links.UnusableError("matrix unusable", shown.slug)
        return lines

    return text


def _entries(held: Text | None) -> str:
    """The entries of a matrix as a link writes them; empty for one that is too large or no matrix."""
    if held is None or held.matrix is None or held.matrix.entries.size > LINKED:
        return ""
    return "|".join(";".join(cell.strip() for cell in row) for row in bare_rows(held.text))


def _names(page: str, catalogue: Catalogue) -> dict[str, str]:
    """The names of the examples, and of the reader's own."""
    examples = catalogue.page(page).labels.table("examples")
    return {slug: examples.text(slug, "title") for slug in examples} | {OWN: catalogue.label("own_matrix", page)}


def _own() -> Text | None:
    """The reader's own text; none where there is none."""
    held = session.matrix()
    return held if isinstance(held, Text) else None


def _box(shown: Shown, chosen: str) -> Text:
    """The text as it stands; an edited one becomes the reader's own."""
    held = _own()
    if links.set_anew(f"{shown.slug}_rows") and held is not None and held.matrix is None:
        session.keep_matrix(held := Text.of(""))
    typed = (held or Text.of("")) if chosen == OWN else Text.of(shown.labels.text("examples", chosen, "rows").strip())
    if typed.letters > SHOWN_LETTERS:
        size = (0, 0) if typed.matrix is None else typed.matrix.entries.shape
        sizes = {"letters": Count(typed.letters), "rows": Count(size[0]), "columns": Count(size[1])}
        st.caption(shown.catalogue.label("long_text" if typed.matrix is None else "long_matrix", shown.slug, sizes))
        st.button(shown.label("forget_matrix"), f"{shown.slug}_forget", on_click=_forget, icon=":material/delete:")
        return typed
    key = f"{shown.slug}_rows_{chosen}_{_digest(typed.text)}"
    st.text_area(
        shown.label("rows"),
        typed.text,
        key=key,
        height=150,
        max_chars=LETTERS + 1,  # what is longer is cut, and refused: a message of 25 MB would end the connection
        help=shown.label("rows_help"),
        on_change=_type,
        args=(f"{shown.slug}_matrix", key),
        placeholder=shown.label("rows_placeholder"),
    )
    return typed


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:10]


@caught
def _type(choice: str, key: str) -> None:
    _keep(choice, st.session_state[key])


def _keep(choice: str, text: str) -> None:
    """Keep a text as the reader's own matrix, and turn to it."""
    session.keep_matrix(Text.of(text))
    links.put(choice, OWN)


@caught
def _forget() -> None:
    session.keep_matrix(None)


def _file(shown: Shown) -> None:
    """Take a file as a text like any other; one that is no text is refused in one sentence."""
    _look_for_it()
    key = f"{shown.slug}_file_{MATRIX_UPLOADER.get()}"
    with st.popover(shown.label("upload"), icon=":material/upload_file:", width="stretch"):
        st.file_uploader(
            shown.label("upload"),
            key=key,
            on_change=_bring,
            args=(f"{shown.slug}_matrix", key),
            label_visibility="collapsed",
        )
    refused = MATRIX_REFUSED.take()
    if refused is not None:
        shown.notice.error(_sentence(shown, refused), icon=":material/block:")
    if MATRIX_GAVE_WAY.take():
        shown.notice.error(shown.catalogue.label("own.gave_way"), icon=":material/block:")


def _look_for_it() -> bool:
    """Whether the sent file was dropped for others, which is noted, and a fresh uploader comes."""
    gone = mail.gave_way()
    if gone:
        MATRIX_GAVE_WAY.keep(True)
        MATRIX_UPLOADER.keep(MATRIX_UPLOADER.get() + 1)
    return gone


@caught
def _bring(choice: str, key: str) -> None:
    """Read the file and delete it."""
    file = st.session_state[key]
    if file is None:
        return
    if _look_for_it():
        return
    MATRIX_UPLOADER.keep(MATRIX_UPLOADER.get() + 1)
    inbox().read(file.file_id)
    try:
        raw = uncompressed(file.getvalue(), file.name)
        if kind_of_file(raw) in ("book", "html"):  # a process opens it, for which one may have to wait
            MATRIX_WAITING.keep((file.name, raw))
            return
        text = raw.decode(encoding_of(raw, file.name), "replace").lstrip("\ufeff")
    except TableError as problem:
        MATRIX_REFUSED.keep(problem)
        return
    _keep(choice, text)


def _open_apart(shown: Shown) -> None:
    """Put the text that a process of its own has opened into the box like any other."""
    read = books.text_of(shown, MATRIX_WAITING.get(), MATRIX_WAITING.take, PLACE)
    if isinstance(read, str):
        _keep(f"{shown.slug}_matrix", read)
    elif read is not None:
        MATRIX_REFUSED.keep(read)


def _offered(shown: Shown, text: Text, typed: TypedMatrix, complaint: MatrixError) -> bool:
    """The possible meanings of rows that do not sum to one, asked beside the answer; whether they are to be divided.

    Counts of trials are never divided: an audit says what they prove.
    """
    if typed.turned:
        with shown.notice.container(horizontal=True, vertical_alignment="center"):
            st.markdown(shown.label("turned"))
            turned = (f"{shown.slug}_matrix", _written(text, typed))
            st.button(shown.label("turn"), f"{shown.slug}_turn", on_click=caught(_keep), args=turned)
        return False
    if len(typed.entries) > 1 and (typed.counted or bool((typed.sums == PER_CENT).all())):
        _offer_audit(shown, typed)
    return not typed.counted and _offer(shown, text.text, complaint)


def _written(text: Text, typed: TypedMatrix) -> str:
    """The text of the matrix whose rows are these columns, with the names there are."""
    rows = [list(row) for row in zip(*bare_rows(text.text), strict=True)]
    if typed.reports:
        rows = [[name, *row] for name, row in zip(typed.reports, rows, strict=True)]
    head = [["", *typed.values] if typed.reports else [*typed.values]] if typed.values else []
    return "\n".join("\t".join(row) for row in head + rows)


def _offer_audit(shown: Shown, typed: TypedMatrix) -> None:
    """The link to the audit, with two rows of the counts; of several the reader says which."""
    names = [str(name) for name in typed.values or range(1, len(typed.entries) + 1)]
    with shown.notice.container(horizontal=True, vertical_alignment="bottom"):
        first, second = 0, 1
        if len(names) > 2:
            first, second = (
                st.selectbox(shown.label(f"audit_{which}"), range(len(names)), at, names.__getitem__, f"_audit_{which}")
                for at, which in enumerate(("first", "second"))
            )
        lines = tuple(", ".join(str(int(count)) for count in typed.entries[row]) for row in (first, second))
        st.button(shown.label("audit_counts"), f"{shown.slug}_audit", on_click=_audit, args=(shown.slug, *lines))


@caught
def _audit(slug: str, first: str, second: str) -> None:
    """Open the audit with these counts."""
    links.put(f"{slug}_counts_first", first)
    links.put(f"{slug}_counts_second", second)
    links.put(f"{slug}_mode", "counts")
    links.touch()


def _offer(shown: Shown, text: str, complaint: MatrixError) -> bool:
    """The complaint about rows that do not sum to one, and the offer to divide each by its sum, which is remembered."""
    key = f"{shown.slug}_normalize_{_digest(text)}"
    start = key in DIVIDED.get()  # no widget's, so that leaving does not forget it
    offer = shown.notice.container()
    offer.warning(_sentence(shown, complaint), icon=":material/functions:")
    return offer.toggle(shown.label("normalize"), start, key, on_change=_remember, args=(key,))


@caught
def _remember(key: str) -> None:
    """Keep the choice for this text alone: another one is not divided behind the reader's back."""
    DIVIDED.keep(DIVIDED.get() ^ {key})


def groups(shown: Shown, typed: JudgedMatrix, first: MergedReports) -> MergedReports:
    """The reports that the reader wants to see merged."""
    key = f"{shown.slug}_merge_{'own' if shown.private else 'example'}_{typed.columns}"
    reports = typed.printed.reports if typed.printed else ()
    places = [Name(reports[place]) if reports else Count(place + 1) for place in range(typed.columns)]
    names = [shown.catalogue.label("report", shown.slug, {"place": place}) for place in places]
    chosen = st.multiselect(
        shown.label("merge"),
        range(typed.columns),
        [place for group in first for place in group],
        names.__getitem__,
        key=key,
        placeholder=shown.label("merge_none"),
    )
    return (tuple(chosen),) if len(chosen) > 1 else ()
