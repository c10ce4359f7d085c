"""A reader's own files on the server: whether the last one is still there, and that it goes with the session."""

from __future__ import annotations

from explorer.host.inbox import inbox
from explorer.ui.internals import current_run
from explorer.ui.sessionkeys import LETTER_BOX


def gave_way() -> bool:
    """Whether the file that this reader has sent gave way to others before a page had read it; it is told once.

    Whoever asks has a box, in which files wait no longer than the session lasts.
    """
    run = current_run()
    if run is None:
        return False
    if LETTER_BOX.get() is None:
        LETTER_BOX.keep(inbox().box(run.session_id))
    return inbox().gave_way(run.session_id)
