"""Pictures drawn with Plotly: a result goes in, a figure comes out; one module per kind of picture, and the theme.

May import Plotly, NumPy, `ldpcore` and `explorer`; never Streamlit. A figure draws no random number.
"""
