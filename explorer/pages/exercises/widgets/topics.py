"""The choice of a topic, which a link to an exercise need not name."""

from __future__ import annotations

from explorer.exercises import EXERCISES, PAGE, TOPICS
from explorer.ui import controls, links
from explorer.ui.shown import Shown


def topic(shown: Shown) -> str:
    """The chosen topic; that of the exercise where a link asks for one and names no topic."""
    views = links.asked_of(f"{PAGE}_tab")
    if not links.asked_of(f"{PAGE}_topic"):
        for each in EXERCISES:
            if views == (each.slug,):
                links.ask_instead(f"{PAGE}_topic", each.topic)
    return controls.choice(shown, "topic", TOPICS)
