"""As `tests.alive`, with room for a share of the files that may wait to be read: `python -m tests.crowded run app.py`.

The share stands in `LDP_EXPLORER_CROWDED`, as the number of such shares in the whole room.
"""

from __future__ import annotations

import os
import runpy

from explorer.host import inbox

SHARES = "LDP_EXPLORER_CROWDED"

if __name__ == "__main__":
    inbox.Inbox.__init__.__defaults__ = (inbox.MOST // int(os.environ[SHARES]),)
    runpy.run_module("tests.alive", run_name="__main__", alter_sys=True)
