"""What does the whole distribution look like? Everybody's number through a square wave, and the shape read back."""
