"""The app without routes of its own, as hosts show it that serve nothing but Streamlit's pages."""

from explorer.ui import shell

shell.run()
