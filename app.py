"""LDP Explorer: the entry file; run it with `streamlit run app.py`."""

from explorer.ui import shell

shell.run()
