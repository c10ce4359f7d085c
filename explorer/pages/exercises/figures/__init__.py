"""The pictures of the exercises, by topic."""

from explorer.pages.exercises.figures.bounds import elbows as elbows
from explorer.pages.exercises.figures.bounds import eta as eta
from explorer.pages.exercises.figures.bounds import gap as gap
from explorer.pages.exercises.figures.bounds import losses as losses
from explorer.pages.exercises.figures.bounds import modulus as modulus
from explorer.pages.exercises.figures.bounds import smooth as smooth
from explorer.pages.exercises.figures.people import several as several
