"""The findings of the exercises: the quantities of each result, under the names in the texts."""

from explorer.pages.exercises.facts import bit as _bit
from explorer.pages.exercises.facts import bounds as _bounds
from explorer.pages.exercises.facts import distances as _distances
from explorer.pages.exercises.facts import people as _people
from explorer.pages.exercises.facts.registry import facts as facts

__all__ = ["_bit", "_bounds", "_distances", "_people", "facts"]
