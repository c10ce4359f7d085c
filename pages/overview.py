"""How alike a report looks for two different people, and the way into every other page."""

import streamlit as st

from explorer.facts import Facts, Level, Times
from explorer.ui import levels, shell
from explorer.ui.page import Page, Shown
from explorer.ui.parts import ratio_picture

page = Page("overview", default_level=1.0)


@page.body
def body(shown: Shown) -> Facts:
    level = levels.asked(shown, page.default_level)
    picture, links = st.columns([3, 2], gap="large")
    with picture:
        ratio_picture.show(shown, level, levels.stops(level), levels.move)
        st.markdown(shown.say("picture"))
    with links:
        st.header(shown.label("decisions"), anchor=False)
        with st.container(gap=None):
            shell.decision_links()
        st.header(shown.label("pages"), anchor=False)
        st.markdown(shown.say("ways"))
        shell.page_links()
    st.header(shown.label("presets"), anchor=False)
    st.markdown(shown.say("lecture"))
    shell.lecture_links()
    return {"level": Level(level), "ratio": Times(level)}


page.run()
