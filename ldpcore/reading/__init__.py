"""From text and files to values: numbers, days, counts, matrices, workbooks and tables as people write them.

May import `ldpcore.tables`, `ldpcore.laws` and the vocabulary at the top of `ldpcore`; pandas where rows are read.
"""
