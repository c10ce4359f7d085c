"""What does every word and every mechanism mean?"""

import streamlit as st

from explorer.numbers import people
from explorer.text import listing
from explorer.ui import controls, frame, reference
from ldpcore.mechanisms import REGISTRY

page = frame.open_page("reference")
terms = listing("glossary")
wanted = controls.search(page, "find")


def mechanisms() -> None:
    for kind, members in reference.by_kind(wanted).items():
        st.header(page.labels["kinds"][kind.__name__], anchor=False)
        for member in members:
            st.markdown(reference.entry(member, page.labels), anchors=False)


def words() -> None:
    st.html(reference.glossary(terms["terms"], terms["groups"], page.labels, wanted))


page.views(mechanisms=mechanisms, words=words)
page.answer(mechanisms=people(len(REGISTRY)), terms=people(len(terms["terms"])))
page.take_away()
