"""The app as a package: `ldp-explorer`, or `python -m ldp_explorer`, starts it and opens the browser.

    import ldp_explorer as lx

    lx.show("/counting?epsilon=0.1")  # in a notebook
    lx.save("/counting?epsilon=0.1", "counting.html")

Installed, the pages and everything they need lie in `app`, beside this file; in a checkout they are the checkout's own.
Nothing is written where the package lies.
"""

from ldp_explorer.views import LinkError, save, show
from ldpcore import __version__

__all__ = ["LinkError", "__version__", "save", "show"]
