"""The whole distribution: everybody's number through a square wave, and the shape read back."""
