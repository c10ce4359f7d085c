"""The pictures of the page about two worlds: both errors, distances, crowds, the best test, games, information."""

from explorer.figures.distinguish.crowds import guess as guess
from explorer.figures.distinguish.crowds import many as many
from explorer.figures.distinguish.distances import before as before
from explorer.figures.distinguish.distances import before_table as before_table
from explorer.figures.distinguish.errors import errors as errors
from explorer.figures.distinguish.single import best as best
from explorer.figures.distinguish.single import information as information
