"""The process around the pages: server layers, memory, uploads on their way, long work and whose turn it is.

May import the standard library, `ldpcore` and `explorer.host`; never Streamlit.
"""
