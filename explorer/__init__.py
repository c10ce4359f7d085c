"""Everything between the mathematics and the screen: navigation, settings, facts, texts, pictures, scenes, controls.

May import the standard library, `ldpcore` and itself; `explorer.ui` alone also Streamlit, and `explorer.poll` what
keeps and serves a room. Nobody imports Plotly: a figure is its description, and the browser draws it.
"""
