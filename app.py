"""LDP Explorer: the entry file; run it with `streamlit run app.py`.

Streamlit finds the server here, and the server runs the same file for each reader.
"""

import streamlit as st
from starlette.formparsers import MultiPartParser
from starlette.middleware import Middleware

from explorer import memory, server, turns
from explorer.ui import shell, trouble

if __name__ == "__main__":
    shell.run()
else:
    MultiPartParser.spool_max_size = st.get_option("server.maxUploadSize") << 20  # an upload is never on disk
    turns.take_short_turns()
    layers = server.layers(st.get_option("server.baseUrlPath"), st.get_option("server.disconnectedSessionTTL"))
    stack = [Middleware(layer, **options) for layer, options in layers]
    app = st.App(__file__, middleware=stack, on_script_error=trouble.last)
    trouble.listen()
    memory.settle()
