"""The pictures of the page about curves: steps above the water, one report, errors, conditions, maps of the plane."""

from __future__ import annotations

from explorer.rooms.regression.figures.errors import plan, price, schedule, sides, users
from explorer.rooms.regression.figures.planes import accuracy, classes, plane
from explorer.rooms.regression.figures.steps import curator, report, steps

__all__ = ["accuracy", "classes", "curator", "plan", "plane", "price", "report", "schedule", "sides", "steps", "users"]
