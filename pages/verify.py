"""Does the mechanism keep its promise?"""

from functools import partial
from typing import Any

from explorer.figures import verify as figures
from explorer.told import verify as verdicts
from explorer.ui import cache, controls, frame, guesses, matrices, modes, patience
from ldpcore.experiments import verify
from ldpcore.mechanisms.base import Mechanism
from ldpcore.parameters import Confidence, DomainSize, Epsilon, Probability, Repeats

page = frame.open_page("verify")


def curve(draw: Any, verdict: Any, needed: Any) -> None:
    alpha = controls.number(page, "alpha", Epsilon, default=0.5)
    delta = needed(alpha)
    told = verdicts.stricter_told(alpha, delta) | {"pairs": page.label(f"pairs_{mode}")}
    page.show("curve", partial(draw, stricter=(alpha, delta)), verdict, **told)


def best_test(laws: Any, promise: float, delta: float) -> None:
    size = controls.number(page, "size", Probability, default=0.05, low=0.001, high=0.999)
    told = verdicts.power(laws, promise, delta, size)
    page.show("test", figures.power, laws, promise, delta, size, **told)


def mechanism() -> dict[str, Any]:
    with page.controls():
        level = partial(controls.level, page)
        size = partial(controls.number, page, "k", DomainSize, default=4, high=2048)
        tested = controls.mechanism(page, member, epsilon=level, k=size)
    question = verify.MechanismCheck(tested)
    verdict = cache.run(question)
    modes.answer(page, verdicts.case(verdict), **verdicts.told(verdict, page.labels["where"]))
    kind, classes, claim = verdicts.drawing(verdict), page.labels["classes"], verdict.claim

    def audit() -> None:
        with page.more():
            confidence = controls.number(page, "confidence", Confidence, default=0.99, low=0.5, high=0.999)
        with page.controls():
            seed = controls.seed(page)
        path = cache.run(verify.AuditPath(tested, confidence=confidence, seed=seed))
        page.show("audit", figures.audit, path, exact=page.secret(verdicts.level(path.exact)), **verdicts.audited(path))

    page.views(
        ratio=lambda: page.show("ratio", figures.largest_ratio, verdict, classes),
        reports=lambda: page.show(kind, getattr(figures, kind), verdict),
        curve=lambda: curve(figures.delta_of_pair, verdict, partial(verdicts.stricter, verdict)),
        test=lambda: best_test(verdict.laws, claim.epsilon, claim.delta), audit=audit,
    )  # fmt: skip
    return {"experiment": question}


def matrix() -> dict[str, Any]:
    with page.controls():
        asked = matrices.matrix(page)
        promise = controls.level(page)
    if asked.channel is None:
        modes.answer(page, "wrong", problem=asked.problem)
        return {}
    check, leak, laws = matrices.judged(asked.channel)
    told = verdicts.matrix_told(check.channel, leak, promise)
    modes.answer(page, verdicts.matrix_case(check.channel, leak, promise), **told, whose=matrices.whose(page, asked))
    needed = partial(verdicts.matrix_stricter, check.channel)

    def merging() -> None:
        merged = cache.run(verify.MatrixMerging(check.channel, matrices.groups(page, asked)), asked.scope)
        page.show("merging", figures.ladder, merged, **verdicts.merged_told(merged))

    page.views(
        ratio=lambda: page.show("ratio", figures.ratio_of_matrix, leak.amount, promise, laws),
        reports=lambda: page.show("typed", figures.typed_matrix, check.channel, leak),
        curve=lambda: curve(figures.delta_of_matrix, patience.run(page, check, asked.scope), needed),
        test=lambda: best_test(laws, promise, 0.0), merging=merging,
    )  # fmt: skip
    return {"experiment": check, "snippet": matrices.snippet(check)}


def gallery() -> dict[str, Any]:
    with page.controls():
        size = controls.number(page, "exhibits", verify.GallerySize, default=6, low=2, high=12)
        trials = controls.number(page, "trials", Repeats, default=200, low=100, high=10**9)
        question = verify.FakeGallery(size, trials, seed=controls.seed(page))
    result, shown, given = cache.run(question), guesses.revealed(question), guesses.given(question)
    modes.answer(page, verdicts.gallery_case(result, given, shown), **verdicts.gallery_told(result, given))
    page.show("gallery", figures.gallery, result, shown)
    guesses.ask(page, result, shown)
    return {"experiment": question}


def shown() -> None:
    taken = {"mechanism": mechanism, "matrix": matrix, "gallery": gallery}[mode]()
    page.why()
    page.tasks(**verdicts.tasks())
    page.take_away(**taken)


mode = modes.choose(page)
with page.controls():
    if mode == "mechanism":
        member = controls.member(page, Mechanism, default="rr")  # type: ignore[type-abstract]
page.follow(shown)
