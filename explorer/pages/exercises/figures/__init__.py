"""The pictures of the exercises, by topic."""

from explorer.pages.exercises.figures.people import several as several
