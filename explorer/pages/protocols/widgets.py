"""The listening protocol, its crowd, and two people with their values."""

from __future__ import annotations

from typing import Annotated

import streamlit as st

from explorer.pages.protocols.settings import RIVALS, ListeningChoice, Protocols, Rival
from explorer.text.escaping import markdown
from explorer.ui import controls
from explorer.ui.shown import Shown
from ldpcore.experiments.protocols import DESIGNS, PROTOCOL_SLUGS, Example, ProtocolRounds, Quarter
from ldpcore.parameters import Interval, ParameterError, Users
from ldpcore.protocols import UniformCrowd

Center = Annotated[float, Interval("c", -0.95, 0.95, (-0.95, 0.95))]
CrowdWidth = Annotated[float, Interval("w", 0.02, 1, (0.02, 1))]
StepWidth = Annotated[float, Interval(r"\Delta", 0.06, 1, (0.06, 1))]
HISTORY = ("no", "yes")


def example(shown: Shown) -> Example:
    """The example and its crowd; a crowd that leaves the range is moved inside, and one sentence says so."""
    slug = controls.choice(shown, "example", PROTOCOL_SLUGS, row=True)
    center = controls.number(shown, "center", Center, default=0.63)
    width = controls.number(shown, "width", CrowdWidth, default=0.1)
    with shown.more():
        delta = controls.number(shown, "delta", StepWidth, default=0.1)
    try:
        crowd = UniformCrowd(center, width)
    except ParameterError as problem:
        st.warning(markdown(shown.catalogue.refusal(problem)), icon=":material/edit:")
        crowd = UniformCrowd(center, 1 - abs(center))
    return Example(slug, crowd, delta)


def person(shown: Shown, asked: Protocols, first: int) -> int:
    """One of the people who are asked, by their number."""
    return int(controls.number(shown, "i", Users, default=first, high=asked.n))


def rival(shown: Shown, asked: Protocols, first: Rival) -> Rival:
    """The rival of listening, and the number of times that its people are asked."""
    name = controls.choice(shown, "rival", RIVALS, default=first[0])
    if name == "silence":
        return name, first[1]
    return name, int(controls.number(shown, "k", ProtocolRounds, default=first[1]))


def pair(shown: Shown, asked: Protocols, first: ListeningChoice) -> ListeningChoice:
    """The way the second person is asked, both people's values, and the answer before."""
    design = controls.choice(shown, "design", DESIGNS, default=first[0])
    left, right = st.columns(2)
    with left:
        one = controls.number(shown, "first", Quarter, default=first[1])
    with right:
        other = controls.number(shown, "second", Quarter, default=first[2])
    history = controls.choice(shown, "history", HISTORY, default=HISTORY[first[3]], row=True)
    return design, int(one), int(other), HISTORY.index(history)
