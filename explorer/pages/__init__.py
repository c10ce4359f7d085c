"""Pages, a folder each: things that change together lie together.

`settings` (the reader's settings, and each view's question), `facts` (the findings, as quantities), `figures`
and `drawings` (pictures) are pure; `widgets` alone may import Streamlit. May import `ldpcore`, the kits and itself.
"""
