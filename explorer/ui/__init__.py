"""The page on the screen: frame, controls, cache, prose, tables and sharing.

May import Streamlit, `ldpcore` and `explorer`; never Plotly (a figure arrives finished).
"""
