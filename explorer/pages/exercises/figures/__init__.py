"""The pictures of the exercises, by topic."""

from explorer.pages.exercises.figures.bit import asking as asking
from explorer.pages.exercises.figures.bit import differing as differing
from explorer.pages.exercises.figures.bit import estimate as estimate
from explorer.pages.exercises.figures.bit import halves as halves
from explorer.pages.exercises.figures.bit import reports as reports
from explorer.pages.exercises.figures.people import several as several
