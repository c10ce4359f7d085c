"""What a reader may set on each page, as frozen values, and what each of its views asks then: a module per page.

May import the standard library, NumPy, `ldpcore` and the rest of `explorer` but its screen; never Streamlit.
"""
