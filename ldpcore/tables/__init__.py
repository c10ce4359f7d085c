"""Tables as values, and the questions that a curator can be asked about one: conditions, queries, examples.

May import pandas, and the vocabulary at the top of `ldpcore`.
"""
