"""The page on the screen: page, stage, controls, links, cache, long work, tables and sharing.

May import Streamlit, `ldpcore` and `explorer`; never Plotly (a figure arrives finished).
"""
