"""How alike a report looks for two different people, and the way into every other page."""

import streamlit as st

from explorer.numbers import exact, times
from explorer.ui import controls, frame, shell

page = frame.open_page("overview")
picture, ways = st.columns([3, 2], gap="large")
with picture:
    epsilon = controls.drawn_level(page)
    page.say("picture")
with ways:
    st.header(page.label("pages"), anchor=False)
    page.say("ways")
    shell.page_links()
    st.header(page.label("presets"), anchor=False)
    page.say("lecture")
    shell.lecture_links()
page.answer(level=exact(epsilon), ratio=times(epsilon))
page.take_away()
