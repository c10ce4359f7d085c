"""Laws of reports side by side: channels, divergences, contraction, best tests and guessing games.

May import `ldpcore.numerics` and the vocabulary at the top of `ldpcore`.
"""
