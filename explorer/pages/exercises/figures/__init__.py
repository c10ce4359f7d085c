"""The pictures of the exercises, by topic."""

from explorer.pages.exercises.figures.people import consistency as consistency
from explorer.pages.exercises.figures.people import deployments as deployments
from explorer.pages.exercises.figures.people import levels as levels
from explorer.pages.exercises.figures.people import notions as notions
from explorer.pages.exercises.figures.people import several as several
