"""Make a file that travels: `python -m explorer.ui.travel view "/counting?epsilon=0.1" one.html`, or `way lecture …`.

The app calls it as a process of its own: the views are opened without a screen, which no server can do. Its progress
goes to its error stream, a share between 0 and 1 in a line. A `--scored` way is a package for a course platform.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
from pathlib import Path

from explorer.text import languages
from explorer.ui.opening import LinkError
from explorer.ui.travel.files import TooLargeError
from explorer.ui.travel.making import TravelOrder, view_file, way_file
from explorer.ui.travel.process import REFUSED
from explorer.ui.travel.scorm import packaged


def main(given: list[str] | None = None) -> int:
    """Make one file; the exit status."""
    asked = argparse.ArgumentParser(prog="python -m explorer.ui.travel", description=(__doc__ or "").splitlines()[0])
    asked.add_argument("kind", choices=("view", "way"))
    asked.add_argument("of")
    asked.add_argument("file", type=Path)
    asked.add_argument("--languages", nargs="+", choices=languages(), default=["en"])
    asked.add_argument("--without-answers", action="store_true")
    asked.add_argument("--drawn", action="store_true")
    asked.add_argument("--scored", action="store_true")
    asked.add_argument("--address", default="")
    asked.add_argument("--control")
    options = asked.parse_args(given)
    logging.disable(logging.WARNING)  # Streamlit's, of a session without a server
    address, spoken = options.address.rstrip("/"), tuple(options.languages)
    order = TravelOrder(spoken, not options.without_answers, options.drawn, options.scored, address)

    def progress(share: float) -> None:
        sys.stderr.write(f"{share:.3f}\n")
        sys.stderr.flush()

    try:
        if options.scored and options.kind == "view":
            raise LinkError.of(spoken[0], "scored_view")
        if options.kind == "way":
            made = way_file(options.of, order, progress)
        else:
            made = view_file(options.of, order, json.loads(options.control) if options.control else None, progress)
        content = packaged(f"ldp-explorer-{options.of}", made) if options.scored else made.html().encode()
        options.file.write_bytes(content)
    except (LinkError, TooLargeError, OSError) as problem:
        sys.stderr.write(f"{problem}\n")
        return REFUSED
    sys.stderr.writelines(f"{complaint}\n" for complaint in made.complaints)
    return 0


if __name__ == "__main__":
    sys.exit(main())
