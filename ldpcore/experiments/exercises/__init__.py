"""Exercises about the theory: a frozen question for each, and its result."""
