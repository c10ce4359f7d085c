"""Results as numbers for people, by the names under which a page's texts speak of them: one module per page.

May import NumPy, `ldpcore` and `explorer.numbers`; every number is a field or a property of a result, only written.
"""
