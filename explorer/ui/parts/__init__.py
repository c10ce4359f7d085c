<<<<<<< HEAD
"""What a single page needs on the screen, and no other.

May import what `explorer.ui` may.
"""
=======
"""What a single page needs on the screen beside what all pages use."""
>>>>>>> 28a56a5 (Randomized response is declared as scenes: dots turn one after the other while the level moves, a curator stands beside them)
