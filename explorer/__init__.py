"""Everything between the mathematics and the screen: navigation, numbers for people, text, controls and pictures.

May import the standard library, `ldpcore` and itself; `explorer.ui` also Streamlit, `explorer.figures` also Plotly.
"""
