"""What the page about promises alone needs on the screen."""
