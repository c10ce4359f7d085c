"""The command: `python -m ldpcore plan`, `estimate`, `audit` and `table`."""

import sys

from ldpcore.library.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
