"""How alike a report looks for two different people, and the way into every other page."""

from explorer import numbers
from explorer.ui import controls, frame

page = frame.open_page("overview")
with page.controls():
    epsilon = controls.level(page)
page.answer(level=numbers.exact(epsilon), ratio=numbers.odds(epsilon))
page.take_away()
