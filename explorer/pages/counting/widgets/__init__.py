"""What the page about counting alone needs on the screen."""
