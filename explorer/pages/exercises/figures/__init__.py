"""The pictures of the exercises, by topic."""

from explorer.pages.exercises.figures.distances import families as families
from explorer.pages.exercises.figures.distances import hulls as hulls
from explorer.pages.exercises.figures.distances import logarithm as logarithm
from explorer.pages.exercises.figures.distances import packing as packing
from explorer.pages.exercises.figures.distances import products as products
from explorer.pages.exercises.figures.distances import ways as ways
from explorer.pages.exercises.figures.people import several as several
