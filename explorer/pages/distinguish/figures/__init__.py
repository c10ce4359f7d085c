"""The pictures of the page about two worlds: both errors, distances, crowds, the best test, games, information."""

from explorer.pages.distinguish.figures.crowds import guess as guess
from explorer.pages.distinguish.figures.distances import before as before
from explorer.pages.distinguish.figures.distances import before_table as before_table
from explorer.pages.distinguish.figures.errors import errors as errors
from explorer.pages.distinguish.figures.single import best as best
