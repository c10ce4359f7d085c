"""The value of a control that a view does not show, for it does nothing there: kept in the session and in the link."""

from __future__ import annotations

from explorer.settings.typed import plain_number
from explorer.ui import links, ranges
from explorer.ui.shown import Shown
from ldpcore.parameters import Interval, Seed, declaration


def number(page: Shown, name: str, annotated: object, *, default: float, high: float) -> float:
    """What `controls.number` with the same name and range was set to, or a link asks for."""
    declared = declaration(annotated)
    assert isinstance(declared, Interval)
    key, ends = f"{page.slug}_{name}", (declared.low, high)
    ranges.remember(key, ends)
    held = float(links.widget_value(key, page.label(name), default, links.reader(declared, *ends), plain_number))
    links.put(key, int(held) if declared.integer else held)
    links.record(key, plain_number(held), plain_number(default))
    return int(held) if declared.integer else held


def seed(page: Shown, default: int = 1) -> int:
    """What `controls.seed` was set to, or a link asks for, where nothing of a view is drawn."""
    key, declared = f"{page.slug}_seed", declaration(Seed)
    assert isinstance(declared, Interval)
    read = links.reader(declared, 0, links.LAST_SEED)
    held = int(links.widget_value(key, page.label("seed"), default, read, plain_number))
    links.put(key, held)
    links.record(key, str(held), str(default))
    return held
