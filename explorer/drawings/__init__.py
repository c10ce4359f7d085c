"""Pictures drawn as SVG text: a result goes in, text comes out, everything that is data is escaped.

May import the standard library, NumPy, `ldpcore` and `explorer`; neither Streamlit nor Plotly.
"""
