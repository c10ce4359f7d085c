"""A survey to be printed: the instruction in people's hands, a text for a board, and the form."""

from __future__ import annotations

import math
from html import escape

from explorer.facts import Count, Facts, Number, Quantity
from explorer.figures.theme import Look
from explorer.pages.response.drawings.devices import device
from explorer.paper.document import page
from explorer.paper.leaving import is_near
from explorer.text.catalogue import Catalogue, Words
from ldpcore.experiments.response import SurveyKitResult

SURE = 0.9  # an answer that lets guesses be right this often tells nearly all
FIVES, STROKES = 16, 5  # boxes in a line, and strokes in each of them
MOST = 2000  # people on one form, which is printed as often as it takes
SILENT = 0.1  # the least share of people for whom the form has room to stay silent
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
.kit th, .kit td { border: 1px solid #0E141D; height: 1.9rem; text-align: start; padding: .2rem .4rem; }
.kit th { width: 7rem; }
.kit tr { break-inside: avoid; }
.kit td.sum { width: 5rem; }
.kit .code { max-width: 8rem; }
</style>"""


def kit(result: SurveyKitResult, facts: Facts, catalogue: Catalogue, link: str, code: str) -> str:
    """The whole file: three parts, with the level, the odds and the crowd of this plan filled in."""
    words, facts = catalogue.words("response", "plan", facts), {**facts, "twice": Number(2 * result.level, 4)}
    title = catalogue.text("kit", "question")
    articles = (
        _card(result, facts, catalogue, words),
        _council(result, facts, catalogue),
        _form(result, facts, catalogue, link, code),
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
    """The instruction to people, in words."""
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
    board = _label(catalogue, f"council_{result.experiment.crowd}")
    return (
        f"<h2>{board}</h2>{_text(catalogue, 'purpose', facts)}"
        f"{_rule(result, facts, catalogue)}{_text(catalogue, 'odds', facts)}"
        f"{_text(catalogue, 'limits', facts)}"
    )


def lines_of(result: SurveyKitResult) -> dict[str, int]:
    """The number of lines for each answer, so that none runs out of room: for the largest likely number of strokes.

    Whatever the true share, no answer is given by more than the share 1 - f on average; one line more is luck's.
    """
    plan = result.experiment.plan
    asked, unanswered = (min(plan.n, MOST), plan.unanswered) if plan else (MOST, 0.0)
    answers = asked * (1 - unanswered) * (1 - result.device.f)
    given = math.ceil(answers / (FIVES * STROKES)) + 1
    return {"yes": given, "no": given, "silent": math.ceil(asked * max(unanswered, SILENT) / (FIVES * STROKES))}


def _form(result: SurveyKitResult, facts: Facts, catalogue: Catalogue, link: str, code: str) -> str:
    """The form that collects yes and no, as long as the crowd, and where the sums are evaluated."""
    rows = "".join(_strokes(_label(catalogue, row), lines) for row, lines in lines_of(result).items())
    strokes, total = _label(catalogue, "strokes"), _label(catalogue, "sum")
    head = f'<tr><th></th><th colspan="{FIVES}">{strokes}</th><th>{total}</th></tr>'
    alt = escape(catalogue.label("qr_alt"), quote=True)
    address = escape(link, quote=True)
    plan = result.experiment.plan
    copies: dict[str, Quantity] = {**facts, "copies": Count(math.ceil(plan.n / MOST) if plan else 1)}
    planned = _text(catalogue, "planned", copies) if plan else ""
    near = f" {escape(catalogue.label('near', 'sheet'))}" if is_near(link) else ""
    return (
        f"<h2>{_label(catalogue, 'form')}</h2>{planned}{_text(catalogue, 'collect', facts)}<table>{head}{rows}</table>"
        f'{_text(catalogue, "evaluate", facts)}<p><a href="{address}">{address}</a>{near}</p>'
        f'<div class="code" role="img" aria-label="{alt}">{code}</div>'
    )


def _strokes(name: str, lines: int) -> str:
    """The lines of boxes beside the name of an answer, and room for their sum."""
    boxes, more = "<td></td>" * FIVES, f"<tr>{'<td></td>' * FIVES}</tr>" * (lines - 1)
    whole = f'rowspan="{lines}"'
    return f'<tr><th {whole}>{name}</th>{boxes}<td class="sum" {whole}></td></tr>{more}'
