"""What readers may set on several pages, as frozen values: questions to a table, whose numbers, what is typed.

May import the standard library, NumPy, `ldpcore`, `explorer.facts` and `explorer.text`; never Streamlit.
"""
