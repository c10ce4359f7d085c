"""A survey to be printed: the instruction that people hold in their hands, a text for a board, and the form."""

from __future__ import annotations

from html import escape

from explorer.facts import Facts, Number
from explorer.figures.theme import Look
from explorer.paper.document import page
from explorer.rooms.response.drawings.devices import device
from explorer.text.catalogue import Catalogue, Words
from ldpcore.experiments.response import SurveyKitResult

SURE = 0.9  # whoever guesses right so often after an answer has been told nearly all
FIVES, LINES = 12, 5  # boxes in a line for five strokes each, and lines for each answer
STYLE = """<style>
.kit h2 { margin-bottom: .4rem; }
.kit p { margin: .5rem 0; }
.kit .line { border-bottom: 1px solid #0E141D; min-height: 2rem; }
.kit { font-size: 1.1rem; }
.kit .large { font-size: 1.3rem; }
.kit .ldp-device .ldp-rule { font-size: 1.3rem; }
.kit .ldp-device .ldp-rule svg { height: 4rem; }
.kit .ldp-device { min-height: 0; margin: .8rem 0; }
.kit .ldp-device .ldp-disc svg { height: 92mm; }
.kit table { border-collapse: collapse; width: 100%; margin: .8rem 0; }
.kit th, .kit td { border: 1px solid #0E141D; height: 2.4rem; text-align: start; padding: .2rem .4rem; }
.kit th { width: 8rem; }
.kit td.sum { width: 6rem; }
.kit .code { max-width: 8rem; }
</style>"""


def kit(result: SurveyKitResult, facts: Facts, catalogue: Catalogue, link: str, code: str) -> str:
    """The whole file: three pages, with the level and the odds of this device filled in."""
    words, facts = catalogue.words("response", "plan", facts), {**facts, "twice": Number(2 * result.level, 4)}
    title = catalogue.text("kit", "question")
    articles = (
        _card(result, facts, catalogue, words),
        _council(result, facts, catalogue),
        _form(facts, catalogue, link, code),
    )
    body = "".join(f'<article class="kit">{article}</article>' for article in articles)
    return page(title, f"{STYLE}<h1>{escape(title)}</h1>{body}", catalogue)


def _text(catalogue: Catalogue, key: str, facts: Facts) -> str:
    """A text of the kit as paragraphs."""
    html = catalogue.html("kit", key, facts)
    return html if html.startswith("<p") else f"<p>{html}</p>"


def _label(catalogue: Catalogue, name: str) -> str:
    return escape(catalogue.label(name, "kit"))


def _rule(result: SurveyKitResult, facts: Facts, catalogue: Catalogue) -> str:
    """What people are to do, in words."""
    held = result.device
    name = {"alike": "alike", "rare": "rare", "disc": "disc"}.get(held.rule, "two" if held.count == 2 else "one")
    return _text(catalogue, f"rule {name}", facts)


def _card(result: SurveyKitResult, facts: Facts, catalogue: Catalogue, words: Words) -> str:
    """The instruction for the person at the door, with the question to be written in."""
    protection = "protects" if result.sure <= SURE else "protects little"
    return (
        f'<h2>{_label(catalogue, "card")}</h2><p>{_label(catalogue, "question")}</p><div class="line"></div>'
        f'<div class="large">{_text(catalogue, "before", facts)}{_rule(result, facts, catalogue)}</div>'
        f'{device(result, Look(), words)}<div class="large">{_text(catalogue, protection, facts)}</div>'
    )


def _council(result: SurveyKitResult, facts: Facts, catalogue: Catalogue) -> str:
    """The text for a works council or an ethics board."""
    return (
        f"<h2>{_label(catalogue, 'council')}</h2>{_text(catalogue, 'purpose', facts)}"
        f"{_rule(result, facts, catalogue)}{_text(catalogue, 'odds', facts)}"
        f"{_text(catalogue, 'limits', facts)}"
    )


def _form(facts: Facts, catalogue: Catalogue, link: str, code: str) -> str:
    """The form that collects yes and no, and where the sums are evaluated."""
    boxes, more = "<td></td>" * FIVES, f"<tr>{'<td></td>' * FIVES}</tr>" * (LINES - 1)
    whole = f'rowspan="{LINES}"'
    lines = "".join(
        f'<tr><th {whole}>{_label(catalogue, row)}</th>{boxes}<td class="sum" {whole}></td></tr>{more}'
        for row in ("yes", "no", "silent")
    )
    strokes, total = _label(catalogue, "strokes"), _label(catalogue, "sum")
    head = f'<tr><th></th><th colspan="{FIVES}">{strokes}</th><th>{total}</th></tr>'
    alt = escape(catalogue.label("qr_alt"), quote=True)
    address = escape(link, quote=True)
    return (
        f"<h2>{_label(catalogue, 'form')}</h2>{_text(catalogue, 'collect', facts)}<table>{head}{lines}</table>"
        f'{_text(catalogue, "evaluate", facts)}<p><a href="{address}">{address}</a></p>'
        f'<div class="code" role="img" aria-label="{alt}">{code}</div>'
    )
