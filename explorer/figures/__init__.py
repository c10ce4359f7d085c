"""Pictures that Plotly draws in the browser: a result goes in, its description comes out; a module or package per page.

`marks` are shared, `theme` is the look, `plot` the bare description. May import NumPy, `ldpcore` and `explorer`; never
Plotly or Streamlit. A figure draws no random number.
"""
