"""What the page about frequencies alone needs on the screen."""
