"""Telling settings of the page about randomized response, and what its views are told there."""

from __future__ import annotations

from explorer.pages.response.settings import HeldDevice, ResponseSettings, SurveyWish, TypedClass


def samples() -> tuple[ResponseSettings, ...]:
    """Some telling settings, the default ones first."""
    hall, town = (
        ResponseSettings(n=800, share=0.05, curator=True),
        ResponseSettings(n=10**6, confidence=0.5, repeats=10**6),
    )
    country = ResponseSettings(n=10**9, share=0.5, curator=True)
    return (
        ResponseSettings(),
        ResponseSettings(n=30, share=0.0, seed=3),
        hall,
        ResponseSettings(n=1, share=1.0),
        town,
        country,
    )


SAMPLED = TypedClass(340, 900, "level", True, 100)
TOLD: dict[tuple[int, str], object] = {
    (1, "deny"): HeldDevice(0.3, "dice"),
    (1, "plan"): SurveyWish(0.1, False, "dice"),
    (2, "deny"): HeldDevice(0.01, "own", 0.5, 1.0),
    (2, "plan"): SurveyWish(0.05, True, "spinner", 0.4, "staff"),
    (4, "plan"): SurveyWish(0.02, True, "coins", 0.25, "patients"),
    (3, "deny"): HeldDevice(0.1, "own", 0.0, 0.0),
    (4, "deny"): HeldDevice(1.0),
    (5, "deny"): HeldDevice(0.0),
    (2, "real"): SAMPLED,
    (3, "real"): TypedClass(1, 1, "level", True, 0),
    (5, "real"): SAMPLED,
}
