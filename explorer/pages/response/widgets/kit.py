"""The uses of a plan, one button each: a file to be printed, and the page where its form is evaluated."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import streamlit as st

from explorer.pages.response.drawings.kit import kit as printed
from explorer.pages.response.facts import facts
from explorer.pages.response.settings import ResponseSettings, SurveyWish
from explorer.ui import controls, links, share, unseen
from explorer.ui.caught import caught
from explorer.ui.parts.census import CENSUS, SAMPLE, asks_sample
from explorer.ui.shown import Shown
from ldpcore.experiments import response
from ldpcore.mechanisms.devices import DeviceKind
from ldpcore.parameters import Probability


def true_share(shown: Shown) -> float:
    """The share of people who would say yes; beside a plan nobody has been asked, and none is stated."""
    ask = unseen.number if shown.view == "plan" else controls.number
    return float(ask(shown, "share", Probability, default=0.3, high=1.0))


def wish(shown: Shown, asked: ResponseSettings, first: SurveyWish) -> SurveyWish:
    """The precision, the population, the number of the silent and the device; below them their consequences."""
    width = controls.number(shown, "width", response.SurveyWidth, default=first.width, low=0.001, high=0.5)
    everybody = asks_sample(shown, first.sampled)
    unanswered = controls.number(shown, "unanswered", response.Unanswered, default=first.unanswered)
    crowd = controls.choice(shown, "crowd", response.SurveyedCrowd, default=first.crowd)
    device = controls.choice(shown, "device", DeviceKind, default=first.device)
    planned = SurveyWish(float(width), everybody, device, float(unanswered), crowd)
    offered(shown, asked, planned)
    return planned


def offered(shown: Shown, asked: ResponseSettings, wish: SurveyWish) -> None:
    """The file with instruction, text for a board and form, and the link for the returned forms."""
    planned, held = asked.plan(shown.level, wish)
    plan, survey = planned.run(), held.run()
    evaluated = {"response_design": "level", "epsilon": f"{survey.level:.10g}"}
    along = {"basis": SAMPLE if wish.sampled else CENSUS, "response_confidence": f"{asked.confidence:g}"}
    link = _address({"response_tab": "real", **evaluated, **along, "lang": shown.catalogue.language})
    known: Any = {**facts(plan), **facts(survey)}
    st.download_button(
        shown.label("kit_save"),
        printed(survey, known, shown.catalogue, link, share.qr_svg(link)),
        f"survey-kit-{wish.device}-alpha-{survey.level:.3g}-{asked.n}-{wish.crowd}.html",
        "text/html",
        f"{shown.slug}_kit",
        on_click="ignore",
        icon=":material/print:",
        help=shown.label("kit_save_help"),
    )
    st.button(
        shown.label("kit_evaluate"),
        f"{shown.slug}_evaluate",
        on_click=_evaluate,
        args=(evaluated,),
        icon=":material/calculate:",
        help=shown.label("kit_evaluate_help"),
    )


@caught
def _evaluate(parameters: dict[str, str]) -> None:
    """Open the evaluation of returned forms, at the level that the device really gives; all else stays as it is set."""
    links.adopt(parameters)
    links.set_stage_value("response_tab", "real")


def _address(parameters: dict[str, str]) -> str:
    """The address where the sums of the form are evaluated."""
    return f"{links.address()}/response?{urlencode(parameters)}"
