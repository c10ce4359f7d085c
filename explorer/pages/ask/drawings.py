"""The reports of a room beside the conclusions: HTML that grows with the page, so that a hall can read it.

Left are the reports, true or not; right is their common estimate, with its interval. Nothing
shows the order of the reports, for that is not kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from html import escape

import numpy as np

from explorer.drawings.crowd import MOST_DOTS, REPORT, Panel
from explorer.drawings.crowd import PEOPLE_STYLE as CROWD
from explorer.drawings.intervals import INTERVAL_STYLE as SCALE
from explorer.drawings.intervals import IntervalRow, intervals, mark, ticks, track
from explorer.facts import Count, Hidden, Name, Quantity, Share
from explorer.facts.naming import opened
from explorer.figures.theme import PALETTE, Look
from explorer.pages.ask.facts import kind_of, lies, near
from explorer.text.catalogue import Words
from ldpcore.experiments.named import PerhapsNamed
from ldpcore.experiments.polls import RoomAnswersResult, RoomRoundsResult, ShownHandsResult
from ldpcore.protocols.tossing import TOSS_BARS, PieceToss, SetToss

AHEAD = 5  # rounds that the picture of repetition shows at least
WAITING = 4.0  # how high a bar is that waits
MANY = 6  # answers: more of them are drawn smaller, so that all are on the screen
LONG = 90  # letters of a question
FEW_TICKS = (0.0, 0.5, 1.0)
STYLE = f"""{SCALE}{CROWD}<style>
.ldp-poll {{ display: grid; grid-template-columns: minmax(0, 4fr) minmax(0, 5fr); column-gap: clamp(1rem, 4%, 3rem);
  --ldp-room: min(38vh, 22rem); }}
.ldp-poll .ldp-crowd {{ grid-template-columns: minmax(0, 1fr); }}
.ldp-poll .big {{ font-size: 2rem; font-weight: 650; line-height: 1.25; }}
.ldp-poll .heap {{ display: flex; align-items: flex-end; gap: 2px; height: calc(.75 * var(--ldp-room));
  margin-top: .4rem; }}
.ldp-poll .heap div {{ flex: 1; min-height: 2px; border-radius: .15rem .15rem 0 0; }}
.ldp-poll .ends {{ display: flex; justify-content: space-between; font-size: .875rem; border-top: 1px solid; }}
.ldp-answers {{ display: grid; grid-template-columns: fit-content(28%) minmax(0, 4fr) minmax(0, 6fr);
  column-gap: 1rem; align-items: center; }}
.ldp-answers > div {{ display: contents; }}
.ldp-many {{ zoom: .72; }}
.ldp-answers .said {{ display: flex; align-items: center; gap: .4rem; font-variant-numeric: tabular-nums; }}
.ldp-answers .bar {{ position: relative; flex: 1; height: 1.1rem; }}
.ldp-answers .bar > * {{ position: absolute; inset-block: 0; left: 0; border-radius: .2rem; }}
.ldp-answers .bar .lies {{ width: .18rem; inset-block: -.2rem; }}
.ldp-answers .who {{ font-weight: 600; overflow-wrap: anywhere; }}
.ldp-answers .end {{ min-height: 1.3rem; }}
.ldp-rounds {{ display: flex; align-items: flex-end; gap: .75rem; height: 11rem; margin-top: .5rem; }}
.ldp-rounds > div {{ flex: 1; max-width: 6rem; text-align: center; font-variant-numeric: tabular-nums; }}
.ldp-rounds .bar {{ border: 2px solid; border-radius: .25rem .25rem 0 0; margin: .1rem 0; }}
.ldp-rounds .ahead {{ border-style: dashed; border-bottom-style: solid; }}
@media (max-width: 640px) {{
  .ldp-poll {{ grid-template-columns: minmax(0, 1fr); row-gap: .75rem; --ldp-room: 9rem; }}
  .ldp-poll .big {{ font-size: 1.5rem; }}
  .ldp-answers {{ grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); }}
  .ldp-answers .who {{ grid-column: 1 / -1; }}
  .ldp-answers .head.who {{ display: none; }}
  .ldp-rounds {{ gap: .3rem; }}
}}
</style>"""

Beside = tuple[*tuple[ShownHandsResult, ...], Look, Words]  # what comes after the reports


def tally(answer: PerhapsNamed[RoomAnswersResult], *beside: *Beside) -> str:
    """The answers of a room, by the kind of its question."""
    return {"yesno": yesno, "choice": choice, "number": number}[kind_of(answer)](answer, *beside)


def yesno(answer: PerhapsNamed[RoomAnswersResult], *beside: *Beside) -> str:
    """Everybody's yes and no as dots, and the share of a true yes."""
    *hands, look, words = beside
    result: RoomAnswersResult = opened(answer)[0]
    yes, n = result.question.totals[0], result.question.n
    said = np.arange(n) < yes if n <= MOST_DOTS else None
    if said is None:
        left = _heap([yes, n - yes], (REPORT, look.ghost), words, (words["yes"], words["no"]))
    else:
        left = f'<div class="ldp-crowd">{Panel("said", "", REPORT, said, True).drawn(look, words)}</div>'
    row = IntervalRow(words["row"], result.intervals[0], float(result.estimates[0]), REPORT)
    return _both(left, intervals([row], look, words, _truth(hands)), words)


def number(answer: PerhapsNamed[RoomAnswersResult], *beside: *Beside) -> str:
    """The sent reports, and the mean between the public bounds."""
    *hands, look, words = beside
    result: RoomAnswersResult = opened(answer)[0]
    scale, ((low, high),) = result.question.scale, result.intervals
    shares = ((low + 1) / 2, (high + 1) / 2)
    row = IntervalRow(words["row"], shares, (float(result.estimates[0]) + 1) / 2, REPORT)
    truth = _truth(hands)
    if truth is not None:
        truth = (float(scale.inward(truth)) + 1) / 2
    return _both(_sent(result, look, words), intervals([row], look, words, truth, scale=partial(mark, scale)), words)


def choice(answer: PerhapsNamed[RoomAnswersResult], *beside: *Beside) -> str:
    """A line for each answer: the number of its reports, and its share of people."""
    *hands, look, words = beside
    result, names = opened(answer)
    truths = _shown(hands)
    heads = "".join(
        f'<span class="ldp-quiet head{more}">{escape(words[key])}</span>'
        for key, more in (("answers", " who"), ("said", ""), ("row", ""))
    )
    places = range(len(result.estimates))
    lines = "".join(_line(result, names[1:], place, truths, look, words) for place in places)
    end = f'<span class="end who"></span><span class="end"></span><div>{ticks(words, marked=FEW_TICKS)}</div>'
    many = " ldp-many" if len(places) > MANY else ""
    legend = " ".join(words[key] for key in ("legend", *(["legend_truth"] if truths else [])))
    return (
        f'{STYLE}<div class="ldp-poll-answers" role="img" aria-label="{escape(words["alt"])}">'
        f'<div class="ldp-answers ldp-intervals{many}"><div>{heads}</div>{lines}<div>{end}</div></div>'
        f'<div class="ldp-quiet">{escape(legend)}</div></div>'
    )


def _line(
    result: RoomAnswersResult, names: Sequence[str], place: int, truths: Sequence[float], look: Look, words: Words
) -> str:
    """One answer: its name, its reports with a mark at the number from lies alone, its interval."""
    toss, n, count = result.question.toss, result.question.n, result.question.totals[place]
    assert isinstance(toss, SetToss)
    expected = lies(toss) * n
    most = max(*result.question.totals, expected, 1)
    bar = f'<div style="width: {100 * count / most:.3f}%; background: {REPORT}"></div>'
    mark_of_lies = f'<div class="lies" style="left: {100 * expected / most:.3f}%; background: {look.ink}"></div>'
    row = IntervalRow(names[place], result.intervals[place], float(result.estimates[place]), PALETTE[0]).waiting(look)
    return (
        f'<div><span class="who">{escape(words.write(Name(names[place])))}</span>'
        f'<span class="said"><span class="bar">{bar}{mark_of_lies}</span>{escape(words.write(Count(count)))}</span>'
        f"{track(row, look, truths[place] if truths else None)}</div>"
    )


def rounds(result: RoomRoundsResult, look: Look, words: Words) -> str:
    """The chance of a right guess about one phone, round by round; the addition of fresh tosses to come is dashed."""
    question = result.question
    ahead = result.fresh(max(question.rounds + 1, AHEAD))[1:]
    past = [result.told_apart[-1] if question.kept else share for share in ahead[: question.rounds]]
    bars = [_guess(place, share, REPORT, "past", look, words) for place, share in enumerate(past, 1)]
    more = [_guess(place, ahead[place - 1], look.ghost, "ahead", look, words) for place in _after(past, ahead)]
    return (
        f'{STYLE}<div role="img" aria-label="{escape(words["alt"])}">'
        f'<div class="ldp-name">{escape(words["head"])}</div><div class="ldp-rounds">{"".join((*bars, *more))}</div>'
        f'<div class="ldp-quiet">{escape(words["legend"])}</div></div>'
    )


def _after(past: Sequence[float], ahead: Sequence[float]) -> range:
    """The rounds to come."""
    return range(len(past) + 1, len(ahead) + 1)


def _guess(place: int, share: float, color: str, kind: str, look: Look, words: Words) -> str:
    """The chance after one round, from a coin's one half up; while people predict a frame as high for each."""
    high, fill = 8 * (2 * share - 1), color if kind == "past" else look.paper
    known: Quantity = Share(share)
    if look.predicting:
        high, fill, known = WAITING, look.paper, Hidden()
    return (
        f'<div>{escape(words.write(known))}<div class="bar {kind}" style="height: {high:.3f}rem; '
        f'border-color: {color}; background: {fill}"></div>{escape(words.fill("round", place=Count(place)))}</div>'
    )


def _both(left: str, right: str, words: Words) -> str:
    """Reports on the left, and their conclusion on the right."""
    said = f'<div class="ldp-name">{escape(words["head"])}</div><div class="big">{escape(words["found"])}</div>'
    return f'{STYLE}<div class="ldp-poll"><div>{left}</div><div>{said}{right}</div></div>'


def _sent(result: RoomAnswersResult, look: Look, words: Words) -> str:
    """Two heaps of a bit, or the stretches in which reports of the piecewise mechanism lie."""
    question = result.question
    if not isinstance(question.toss, PieceToss):
        low, high = question.totals
        return _heap([low, high], (look.ghost, REPORT), words, (words["low_bit"], words["high_bit"]))
    scale, toss = question.scale, question.toss
    ends = [float(scale.outward(float(toss.decoded(cell)))) for cell in (0, toss.cells - 1)]
    written = [words.write(near(end, ends[1] - ends[0])) for end in ends]
    return _heap(question.totals[:TOSS_BARS], (REPORT,), words, written)


def _heap(counts: Sequence[int], colors: Sequence[str], words: Words, ends: Sequence[str]) -> str:
    """Bars side by side, and below them the names of the first and the last one."""
    most = max(*counts, 1)
    bars = "".join(
        f'<div style="height: {100 * count / most:.3f}%; background: {colors[place % len(colors)]}"></div>'
        for place, count in enumerate(counts)
    )
    written = [f"{end}: {words.write(Count(count))}" for end, count in zip(ends, counts, strict=False)]
    below = "".join(f"<span>{escape(end)}</span>" for end in (written if len(counts) == 2 else ends))
    alt = f"{words['said_alt']} {' · '.join(written)}" if len(counts) == 2 else words["said_alt"]
    return (
        f'<div role="img" aria-label="{escape(alt)}"><span class="ldp-name">{escape(words["said"])}</span> '
        f'<span class="ldp-quiet">{escape(words["said_note"])}</span>'
        f'<div class="heap">{bars}</div><div class="ends">{below}</div></div>'
    )


def _shown(hands: Sequence[ShownHandsResult]) -> tuple[float, ...]:
    """The shares of hands; none where there were no hands, or while people predict."""
    return hands[0].values if hands else ()


def _truth(hands: Sequence[ShownHandsResult]) -> float | None:
    """The share of hands for the first answer."""
    return next(iter(_shown(hands)), None)


def table(answer: PerhapsNamed[RoomAnswersResult], *beside: *Beside) -> list[list[object]]:
    """The numbers of the picture: for each answer its reports, the raw estimate, both ends, and the hands."""
    *hands, _, words = beside
    result, names = opened(answer)
    question, hand_values = result.question, _shown(hands)
    if not isinstance(question.toss, SetToss):
        return _mean_table(result, hand_values, words)
    called = names[1:] or (words["yes"], words["no"])
    counted = zip(called, question.totals, result.estimates, result.intervals, strict=True)
    rows = [
        [name, count, 100 * float(estimate), *(100 * end for end in ends)] for name, count, estimate, ends in counted
    ]
    if hand_values:
        rows = [[*row, 100 * value] for row, value in zip(rows, hand_values, strict=True)]
    return [[words[key] for key in (*COLUMNS, *(["column_shown"] if hand_values else []))], *rows]


COLUMNS = ("column_answer", "column_reports", "column_estimate", "column_low", "column_high")


def _mean_table(result: RoomAnswersResult, hand_values: Sequence[float], words: Words) -> list[list[object]]:
    """The mean and its interval in the unit of the question, then the number of reports in each stretch."""
    scale, question, ((low, high),) = result.question.scale, result.question, result.intervals
    rows = [[words[key], float(scale.outward(value))] for key, value in _ends(result, low, high)]
    rows += [[words["column_shown"], hand_values[0]]] if hand_values else []
    sent = question.totals[: TOSS_BARS if isinstance(question.toss, PieceToss) else 2]
    rows += [[words.fill("stretch", place=Count(place)), count] for place, count in enumerate(sent, 1)]
    return [[words["column_name"], words["column_value"]], *rows]


def _ends(result: RoomAnswersResult, low: float, high: float) -> list[tuple[str, float]]:
    return [("column_estimate", float(result.estimates[0])), ("column_low", low), ("column_high", high)]


def rounds_table(result: RoomRoundsResult, look: Look, words: Words) -> list[list[object]]:
    """The chance of a right guess about one phone after each round."""
    shares = result.fresh(max(result.question.rounds + 1, AHEAD))[1:]
    rows: list[list[object]] = [[words["column_round"], words["column_right"]]]
    return rows + [[place, 100 * share] for place, share in enumerate(shares, 1)]


def door(code: str, address: str, qr: str, pin: str, counts: tuple[int, int], words: Words) -> str:
    """The way to join: the code as a picture, the address up to the code, which is large, and the number of phones."""
    numbers = "".join(
        f"<div><b>{escape(words.write(Count(count)))}</b> {escape(words[name])}</div>"
        for name, count in zip(("joined", "answered"), counts, strict=True)
    )
    asked = f'<div class="pin">{escape(words["pin_is"])}</div>' if pin else ""
    return (
        f'{DOOR}<div class="ldp-door">'
        f'<div class="ldp-qr" role="img" aria-label="{escape(words["code_alt"])}">{qr}</div>'
        f'<div class="at">{escape(words["join_at"])} {escape(address)}</div>'
        f'<div class="code">{escape(code)}</div>'
        f'{asked}<div class="counts">{numbers}</div></div>'
    )


DOOR = """<style>
.ldp-door { text-align: center; }
.st-key-ask_board { margin-top: -.75rem; }
.st-key-ask_buttons { gap: .4rem; }
.st-key-ask_buttons button { padding: .2rem .4rem; min-height: min(2.5rem, 6.4vh); }
.stApp .st-key-ask_buttons button p { font-size: min(.875rem, 2.6vh); }
@media (max-width: 640px) { .st-key-ask_buttons button { min-height: 2.75rem; padding-inline: .6rem; } }
.ldp-door .ldp-qr svg { max-width: min(100%, 34vh); }
.ldp-door .at { font-size: .9rem; overflow-wrap: anywhere; }
.ldp-door .code { font: 700 2.1rem/1.2 monospace; letter-spacing: .12em; margin-inline-end: -.12em; }
@media (max-width: 640px) { .ldp-door .ldp-qr svg { max-width: 45vw; } }
.ldp-door .pin { font-size: 1.3rem; font-weight: 650; }
.ldp-door .counts { display: flex; justify-content: center; column-gap: .8rem; line-height: 1.3;
  font-variant-numeric: tabular-nums; }
.ldp-door .counts b { display: block; font-size: 1.5rem; }
</style>"""


def spoken(question: str) -> str:
    """The question, for the last row; a long one is smaller, so that the picture stays on the screen."""
    long = " long" if len(question) > LONG else ""
    return f'{ASKED}<h2 class="ldp-asked{long}">{escape(question)}</h2>'


ASKED = """<style>
.ldp-asked { font-size: min(1.6rem, 4.4vh); line-height: 1.25; padding: 0; margin: 0 0 .3rem; overflow-wrap: anywhere; }
.ldp-asked.long { font-size: min(1.2rem, 3.2vh); }
.stApp .ldp-says { font-size: min(1.1rem, 3.3vh); line-height: 1.25; }
.ldp-says p { margin: 0; }
@media (max-width: 640px) { .ldp-asked { font-size: 1.25rem; } }
</style>"""
