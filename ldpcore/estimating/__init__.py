"""From tallies to answers: estimators, intervals, shapes and curves read back, advice which mechanism errs least.

May import `ldpcore.mechanisms` and what lies below it.
"""
