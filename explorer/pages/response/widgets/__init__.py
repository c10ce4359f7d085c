"""What the page about randomized response alone needs on the screen."""
