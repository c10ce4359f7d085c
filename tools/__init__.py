"""Tools that drive the real app in a browser and run the checks: shared by the Makefile, the tests and the benchmarks.

May import the standard library and the test extras; nothing of the app imports it.
"""
