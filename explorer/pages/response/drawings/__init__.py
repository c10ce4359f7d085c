"""The drawings of the page about randomized response: people, devices, intervals."""
