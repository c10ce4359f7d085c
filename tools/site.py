"""The project's home page as a static folder: `python -m tools site` writes it into build/site.

Its parts are the app's own: the five minutes and the lecture as files that travel, a gallery with a small file of every
view, and the library's documentation where it has been built (`python -m tools docs`). Nothing is fetched.
"""

from __future__ import annotations

import argparse
import logging
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from types import MappingProxyType

from explorer.navigation import DEFAULT, groups
from explorer.paper import printing
from explorer.paper.sheets import numerals_of
from explorer.text import languages
from explorer.text.catalogue import catalogue_of
from explorer.ui.opening import LinkError, OpenedView, opened
from explorer.ui.travel.files import styles
from explorer.ui.travel.making import TravelOrder, shown_scene, view_file, way_file
from explorer.ways.words import table
from tools.serving import ROOT

FOLDER = ROOT / "build" / "site"
DOCS = ROOT / "docs" / "build"
TOURS = ("five", "lecture")
SPOKEN = "en"
# Views that a page has under some settings alone, with a link to each.
SPECIAL: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        ("counting", "ratio"): "ask=everybody&ask_verb=mean&ask_of=income&ask_low=0&ask_high=100000",
        ("frequencies", "decoding"): "frequencies_mechanism=rappor",
        ("verify", "merging"): "verify_mode=matrix&verify_matrix=excluded",
        ("verify", "gallery"): "verify_mode=gallery",
    }
)
_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-src 'self'; base-uri 'none'; "
    "form-action 'none'"
)
_STYLE = """
body { margin: 0; background: var(--st-background-color); color: var(--st-text-color);
  font: 1.0625rem/1.5 system-ui, "Segoe UI", Roboto, Arial, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 2.25rem; line-height: 1.15; margin: 0 0 .5rem; }
h2 { margin: 2.5rem 0 .5rem; }
h3 { margin: 1.5rem 0 .5rem; font-size: 1.0625rem; }
.lead { font-size: 1.25rem; max-width: 44rem; margin: 0 0 1.25rem; }
.doors { display: flex; flex-wrap: wrap; gap: .75rem; padding: 0; margin: 0 0 1.5rem; list-style: none; }
.doors a { display: block; padding: .6rem 1.1rem; border-radius: .6rem; border: 1px solid var(--st-primary-color);
  text-decoration: none; font-weight: 600; }
.doors li:first-child a { background: var(--st-primary-color); color: var(--st-background-color); }
iframe { width: 100%; height: min(46rem, 90vh); border: 1px solid var(--st-border-color); border-radius: .6rem; }
.views { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 1rem; padding: 0;
  list-style: none; }
.views a { display: block; height: 100%; box-sizing: border-box; padding: .6rem; border-radius: .6rem;
  border: 1px solid var(--st-border-color); text-decoration: none; color: inherit; }
.views a:hover, .views a:focus-visible { border-color: var(--st-primary-color); }
.views img { width: 100%; height: 9rem; object-fit: contain; display: block; background: #fff; border-radius: .35rem; }
.views strong { display: block; margin-top: .4rem; color: var(--st-link-color); }
a { color: var(--st-link-color); }
footer { margin-top: 3rem; font-size: .875rem; opacity: .8; }
@media (prefers-color-scheme: dark) { :root { color-scheme: dark; } }
"""


@dataclass(frozen=True)
class GalleryView:
    """A view of the gallery: its page and its slug, its titles, and the link that opens it."""

    page: str
    slug: str
    title: str
    question: str
    link: str

    @property
    def file(self) -> str:
        """The file's name."""
        return f"{self.page}-{self.slug}.html"


def gallery() -> Iterator[tuple[str, list[GalleryView]]]:
    """Every view of every page that has views, by the page's name."""
    catalogue = catalogue_of(SPOKEN)
    for members in groups(SPOKEN).values():
        for entry in members:
            address = f"/{'' if entry.slug == DEFAULT else entry.slug}"
            try:
                page = opened(address, SPOKEN).viewed.page
            except LinkError:  # a page without views
                continue
            yield (
                entry.name(SPOKEN),
                [
                    GalleryView(
                        entry.slug,
                        slug,
                        catalogue.text(entry.slug, f"view {slug}"),
                        entry.question(SPOKEN),
                        f"{address}?{SPECIAL.get((entry.slug, slug), '')}&{entry.slug}_tab={slug}".replace("?&", "?"),
                    )
                    for slug in page.views
                ],
            )


def picture(view: OpenedView) -> str:
    """The drawing of a view for the gallery; empty where it has no figure."""
    shown = shown_scene(view)
    if shown.figure is None:
        return ""
    return printing.svg(shown.figure, numerals_of(catalogue_of(view.viewed.language)), shown.alt)


def home(views: Sequence[tuple[str, Sequence[GalleryView]]], drawn: set[str], documented: bool) -> str:
    """The home page: what the project is, the tours, and the gallery."""
    catalogue = catalogue_of(SPOKEN)
    titles = {slug: table(catalogue, slug).text("title") for slug in TOURS}
    doors = [(f"{slug}.html", titles[slug]) for slug in TOURS]
    doors += [("docs/index.html", "The library")] if documented else []
    listed = "".join(
        f"<h3>{escape(page)}: {escape(each[0].question)}</h3><ul class='views'>"
        + "".join(_card(view, view.file in drawn) for view in each)
        + "</ul>"
        for page, each in views
    )
    return (
        f'<!DOCTYPE html>\n<html lang="{SPOKEN}"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width"><meta name="description" '
        'content="See what privacy costs: differential privacy to look at, to move and to take along.">\n'
        f"<title>LDP Explorer</title>\n<style>{colors()}{_STYLE}</style></head>\n<body><main>"
        "<h1>See what privacy costs</h1>"
        '<p class="lead">LDP Explorer shows what a private answer costs, whom it hides, and what changes when nobody '
        "is trusted with the data. Each page asks one question, answers it in one sentence, and draws the answer as "
        "one figure that follows the slider.</p>"
        f'<ul class="doors">{"".join(_door(*door) for door in doors)}</ul>'
        f'<iframe src="five.html" title="{escape(titles["five"], quote=True)}" loading="lazy"></iframe>'
        "<h2>Every view</h2><p>Each opens as one small page that works without a network. Move its handle.</p>"
        f"{listed}<footer>Files on this site ask nobody for anything: no script from elsewhere, no counter, no cookie."
        "</footer></main></body></html>\n"
    )


def _door(address: str, title: str) -> str:
    """A link to one of the main parts."""
    return f'<li><a href="{address}">{escape(title)}</a></li>'


def _card(view: GalleryView, drawn: bool) -> str:
    """A view's card; one without a figure has its title alone."""
    shown = f'<img src="views/{view.page}-{view.slug}.svg" alt="" loading="lazy">' if drawn else ""
    return f'<li><a href="views/{view.file}">{shown}<strong>{escape(view.title)}</strong></a></li>'


def colors() -> str:
    """The colors of light and dark paper, by what the browser prefers."""
    light, dark = styles().split("\n", 1)[0].split(":root[data-dark]", 1)
    return f"{light}@media (prefers-color-scheme: dark){{:root{dark}}}"


def write(folder: Path, most: int | None = None, say: Callable[[str], object] = lambda line: None) -> list[Path]:
    """Write the site, or with `most` views of each page, and return its pages."""
    views = [(page, each[:most]) for page, each in gallery()]
    (folder / "views").mkdir(parents=True, exist_ok=True)
    made, drawn = [folder / "index.html"], set[str]()
    for slug in TOURS:
        made.append(folder / f"{slug}.html")
        made[-1].write_text(way_file(slug, TravelOrder(languages())).html(), "utf-8")
        say(f"{made[-1].name}: {made[-1].stat().st_size / 1e6:.2f} MB")
    for view in (view for _, each in views for view in each):
        made.append(folder / "views" / view.file)
        made[-1].write_text(view_file(view.link, TravelOrder((SPOKEN,), drawn=True)).html(), "utf-8")
        seen = opened(view.link, SPOKEN)
        if seen.viewed.view.slug != view.slug:
            raise LinkError(f"{view.link} must open the view {view.slug}; got {seen.viewed.view.slug}")
        if svg := picture(seen):
            drawn.add(view.file)
            made[-1].with_suffix(".svg").write_text(svg, "utf-8")
        say(f"{made[-1].name}: {made[-1].stat().st_size / 1e6:.2f} MB")
    if DOCS.is_dir():
        shutil.copytree(DOCS, folder / "docs", dirs_exist_ok=True)
    made[0].write_text(home(views, drawn, DOCS.is_dir()), "utf-8")
    return made


def main() -> int:
    """Write the whole site; the exit status."""
    asked = argparse.ArgumentParser(prog="python -m tools.site", description=(__doc__ or "").splitlines()[0])
    asked.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    folder: Path = asked.parse_args().folder
    logging.disable(logging.WARNING)  # Streamlit's, of a session without a server
    shutil.rmtree(folder, ignore_errors=True)
    made = write(folder, say=print)
    print(f"{len(made)} pages, {sum(each.stat().st_size for each in folder.rglob('*') if each.is_file()) / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
