"""How alike a report looks for two different people, and the way into every other page."""

import streamlit as st

from explorer.facts import Facts, Term
from explorer.rooms.overview import drawings as ratio
from explorer.rooms.overview.facts import facts, tells
from explorer.rooms.overview.settings import MODES, OPENING, SAID, Overview
from explorer.ui import controls, shell
from explorer.ui.page import Page, Shown
from ldpcore.experiments.overview import HIGH, LOW, Report

page = Page("overview", facts, default_level=1.0, main=Overview.ratio)


@page.settings
def settings(shown: Shown) -> Overview:
    mode = controls.choice(shown, "mode", MODES)
    if mode == "coin":
        return Overview(mode, said=controls.choice(shown, "said", SAID, default="yes"))
    return Overview(mode, controls.number(shown, "value", Report, default=OPENING, low=LOW, high=HIGH))


@page.settings_line
def line(asked: Overview) -> Facts:
    return {"mode": Term(f"mode_options.{asked.mode}"), "report": asked.spoken()}


@page.around
def ways(shown: Shown) -> None:
    with shown.aside:
        st.header(shown.label("decisions"), anchor=False)
        with st.container(gap=None):
            shell.decision_links()
    st.header(shown.label("pages"), anchor=False)
    st.markdown(shown.say("ways"))
    shell.page_links()
    st.header(shown.label("presets"), anchor=False)
    st.markdown(shown.say("lecture"))
    shell.lecture_links()


page.view("ratio", Overview.ratio, ratio.ratio, case=tells, table=ratio.table)
page.run()
