"""The app as a package: `ldp-explorer`, or `python -m ldp_explorer`, starts it and opens the browser.

Installed, the pages and everything they need lie in `app`, beside this file; in a checkout they are the checkout's own.
Nothing is written where the package lies.
"""

from ldpcore import __version__

__all__ = ["__version__"]
