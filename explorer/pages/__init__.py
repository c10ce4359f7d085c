"""Pages, a folder each: things that change together lie together.

`settings` (what the reader has set, and what each view asks then), `facts` (what was found, as quantities), `figures`
and `drawings` (pictures) are pure; `widgets` alone may import Streamlit. May import `ldpcore`, the kits and itself.
"""
