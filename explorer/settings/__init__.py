"""The readers' settings that several pages share, as frozen values: questions to a table, people's numbers, typed text.

May import the standard library, NumPy, `ldpcore`, `explorer.facts` and `explorer.text`; never Streamlit.
"""
