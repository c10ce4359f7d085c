"""For every test: hypothesis draws the same examples each time, and takes the time it needs."""

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None, print_blob=False)
settings.load_profile("repeatable")
