"""The pictures of the exercises, by topic."""

from explorer.pages.exercises.figures.bit import asking as asking
from explorer.pages.exercises.figures.bit import differing as differing
from explorer.pages.exercises.figures.bit import estimate as estimate
from explorer.pages.exercises.figures.bit import halves as halves
from explorer.pages.exercises.figures.bit import reports as reports
from explorer.pages.exercises.figures.bounds import elbows as elbows
from explorer.pages.exercises.figures.bounds import eta as eta
from explorer.pages.exercises.figures.bounds import gap as gap
from explorer.pages.exercises.figures.bounds import losses as losses
from explorer.pages.exercises.figures.bounds import modulus as modulus
from explorer.pages.exercises.figures.bounds import smooth as smooth
from explorer.pages.exercises.figures.distances import families as families
from explorer.pages.exercises.figures.distances import hulls as hulls
from explorer.pages.exercises.figures.distances import logarithm as logarithm
from explorer.pages.exercises.figures.distances import packing as packing
from explorer.pages.exercises.figures.distances import products as products
from explorer.pages.exercises.figures.distances import ways as ways
from explorer.pages.exercises.figures.people import consistency as consistency
from explorer.pages.exercises.figures.people import deployments as deployments
from explorer.pages.exercises.figures.people import levels as levels
from explorer.pages.exercises.figures.people import notions as notions
from explorer.pages.exercises.figures.people import several as several
