"""Toy."""

import plotly.graph_objects as go
import numpy as np
from explorer import numbers
from explorer.figures import theme
from explorer.ui import controls, frame
from ldpcore.mechanisms.base import CentralRelease
from ldpcore.parameters import Neighbors, Repeats, Probability

page = frame.open_page("reference")
with page.controls():
    data = controls.dataset(page)
    epsilon = controls.level(page, default=0.1)
    repeats = controls.number(page, "repeats", Repeats, default=1000, high=10**9)
    with page.more():
        neighbors = controls.choice(page, "neighbors", Neighbors)
        p = controls.number(page, "p", Probability, default=0.5)
        mechanism = controls.mechanism(page, CentralRelease, epsilon=epsilon, sensitivity=1.0)
    seed = controls.seed(page)
page.answer(level=numbers.exact(epsilon), scale=numbers.people(1 / epsilon), data=data.name)
for key in ("one", "two"):
    with page.tab(key) as tab:
        if tab.open:
            x = np.linspace(-50, 50, 201)
            fig = go.Figure(layout=theme.layout(page.look, f"Toy {key} {seed}", "released count (people)", "density"))
            fig.add_scatter(x=x, y=np.exp(-abs(x) * epsilon) * epsilon / 2, name="Laplace", meta="pin", mode="lines")
            page.figure(fig, alt="toy")
page.why(scale=numbers.people(1 / epsilon))
page.tasks(double=numbers.people(2 / epsilon))
page.take_away(mechanism)
