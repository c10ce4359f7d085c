"""The library on top of the mathematics: one way to build, privatize, tally, merge, estimate, store and plan.

May import what `ldpcore` may, and every package of it; pandas, PyArrow and Dask in the files that are named after what
they read. Its public names are those of `ldpcore.__all__`; no formula is written here a second time.
"""
