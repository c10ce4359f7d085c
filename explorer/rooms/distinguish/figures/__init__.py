"""The pictures of the page about two worlds: both errors, distances, crowds, the best test, games, information."""

from explorer.rooms.distinguish.figures.crowds import guess as guess
from explorer.rooms.distinguish.figures.distances import before as before
from explorer.rooms.distinguish.figures.distances import before_table as before_table
from explorer.rooms.distinguish.figures.errors import errors as errors
from explorer.rooms.distinguish.figures.single import best as best
