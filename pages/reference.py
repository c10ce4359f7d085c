"""The reference: what does every word and every mechanism mean?"""

from explorer.facts import Count, Facts
from explorer.pages.reference import widgets as reference
from explorer.ui import controls
from explorer.ui.page import Page, Shown
from ldpcore.mechanisms import REGISTRY

page = Page[None]("reference")
VIEWS = {
    "documents": reference.documents,
    "mechanisms": reference.mechanisms,
    "words": reference.words,
    "exercises": reference.exercises,
}


@page.body
def body(shown: Shown) -> Facts:
    wanted = controls.search(shown, "find")
    titles = {slug: shown.title(slug) for slug in VIEWS}
    first = "mechanisms" if wanted else "documents"  # as a link with a search alone has always opened
    VIEWS[controls.view(shown, titles, first)](shown, wanted)
    terms = shown.catalogue.listing("glossary").listed("terms")
    return {"mechanisms": Count(len(REGISTRY)), "terms": Count(len(terms))}


page.run()
