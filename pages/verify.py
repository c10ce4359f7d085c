"""Does the mechanism keep its promise?"""

from collections.abc import Callable

from explorer.rooms.verify import drawings as drawn
from explorer.rooms.verify import facts as cases
from explorer.rooms.verify import figures
from explorer.rooms.verify import settings as told_by
from explorer.rooms.verify.facts import facts
from explorer.rooms.verify.predicting import PREDICTED
from explorer.rooms.verify.settings import Counted, Hung, Judged, Typed, Verify
from explorer.rooms.verify.widgets import guesses, matrices, owncounts
from explorer.rooms.verify.widgets import mechanisms as tested
from explorer.ui import controls
from explorer.ui.page import Own, Page, Shown
from ldpcore.parameters import Confidence, Epsilon, Probability

page = Page(
    "verify",
    facts,
    holder="mechanism",
    main=told_by.main,
    case=told_by.case,
    task=told_by.famous,
    line=told_by.line,
    level_name=lambda asked: f"epsilon_{asked.side}",
)
MODES: dict[str, Callable[[Shown], Verify]] = {
    "mechanism": tested.mechanism,
    "matrix": matrices.matrix,
    "counts": owncounts.counts,
    "gallery": guesses.gallery,
}


@page.settings
def settings(shown: Shown) -> Verify:
    return MODES[controls.choice(shown, "mode", shown.labels["mode_options"])](shown)


def smaller(shown: Shown, asked: Verify, first: float) -> float:
    return float(controls.number(shown, "alpha", Epsilon, default=first))


def accused(shown: Shown, asked: Verify, first: float) -> float:
    return float(controls.number(shown, "size", Probability, default=first, low=0.001, high=0.999))


def chance(shown: Shown, asked: Verify, first: tuple[float, int]) -> tuple[float, int]:
    with shown.more():
        confidence = controls.number(shown, "confidence", Confidence, default=first[0], low=0.5, high=0.999)
    return confidence, controls.seed(shown)


one = {"only": told_by.is_mechanism, "handle": told_by.moves}
merged = Own(matrices.groups, Typed.first_groups)
promised = Own(smaller, 0.5)
page.view("ratio", Judged.ratio, figures.largest_ratio, **one)
page.view("reports", Judged.ratio, figures.reports, case=figures.kind_of_reports, **one)
page.view("curve", Judged.curve, figures.delta_of_pair, own=promised, case=cases.enough, **one)
page.view("test", Judged.best_test, figures.power, own=Own(accused, 0.05), case=cases.crossed, **one)
page.view("audit", Judged.audit, figures.audit, own=Own(chance, (0.99, 1)), case=cases.proof, **one)
printed = {"table": drawn.table, "first": False}
page.view("measures", Judged.measures, drawn.measures, only=told_by.is_countable, handle=told_by.moves, **printed)
typed = {"only": told_by.is_matrix}
page.view("matrix-ratio", Typed.main, figures.ratio_of_matrix, **typed)
page.view("matrix-reports", Typed.main, figures.typed_matrix, **typed)
page.view("matrix-curve", Typed.curve, figures.delta_of_matrix, own=promised, case=cases.enough, handle=False, **typed)
page.view("matrix-test", Typed.best_test, figures.power, own=Own(accused, 0.05), case=cases.crossed, **typed)
page.view("merging", Typed.merging, figures.ladder, own=merged, case=cases.unchanged, **typed)
page.view("matrix-measures", Typed.measures, drawn.measures, **typed, **printed)
page.view("counts", Counted.main, figures.own_counts, only=told_by.is_counts)
page.view("matrix-wrong", Typed.main, figures.unreadable, only=told_by.is_no_matrix, handle=False)
page.view("gallery", Hung.exhibits, figures.gallery, only=told_by.is_gallery, handle=False)
page.predicted(PREDICTED)
page.run()
