"""Asking a question again: running means, piles of releases, attacks and accounts."""
