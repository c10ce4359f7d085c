"""The shared parts of all pictures that Plotly draws in the browser; each page has its own in `figures`.

`marks` are shared, `theme` is the look, `plot` the bare description. May import NumPy, `ldpcore` and `explorer.text`;
never Plotly or Streamlit. A figure draws no random number.
"""
