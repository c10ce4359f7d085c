"""The command: `ldp-explorer`, or `python -m ldp_explorer`."""

import sys

from ldp_explorer.command import main

if __name__ == "__main__":
    sys.exit(main())
