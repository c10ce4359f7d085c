"""From tallies to answers: estimators, intervals, shapes and curves, and advice on which mechanism errs least.

May import `ldpcore.mechanisms` and what lies below it.
"""
