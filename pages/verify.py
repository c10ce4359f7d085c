"""Does the mechanism keep its promise?"""

from functools import partial
from typing import Any

from explorer import verdicts
from explorer.figures import verify as figures
from explorer.numbers import exact, significant
from explorer.ui import cache, controls, frame, guesses, matrices, modes
from ldpcore.experiments import verify
from ldpcore.matrices import largest_loss
from ldpcore.mechanisms.base import Mechanism
from ldpcore.parameters import Confidence, DomainSize, Epsilon, Probability, Repeats

page = frame.open_page("verify")


def curve(draw: Any, needed: Any) -> None:
    alpha = controls.number(page, "alpha", Epsilon, default=0.5)
    delta = needed(alpha)
    told = {"alpha": exact(alpha), "needed": significant(delta, 4), "pairs": page.label(f"pairs_{mode}")}
    page.show("curve", partial(draw, stricter=(alpha, delta)), **told)


def best_test(laws: Any, promise: float, delta: float) -> None:
    size = controls.number(page, "size", Probability, default=0.05, low=0.001, high=0.999)
    told = verdicts.power(laws, promise, delta, size)
    page.show("test", partial(figures.power, laws, promise, delta, size), **told)


def mechanism() -> dict[str, Any]:
    with page.controls():
        level, size = partial(controls.level, page), partial(controls.number, page, "k", DomainSize, default=4)
        tested = controls.mechanism(page, Mechanism, default="rr", epsilon=level, k=size)  # type: ignore[type-abstract]
    question = verify.MechanismCheck(tested)
    verdict = cache.run(question)
    page.said |= verdicts.told(verdict, page.labels["where"])
    modes.answer(page, verdicts.case(verdict))

    def audit() -> None:
        with page.more():
            confidence = controls.number(page, "confidence", Confidence, default=0.99, low=0.5, high=0.999)
        with page.controls():
            seed = controls.seed(page)
        path = cache.run(verify.AuditPath(tested, confidence=confidence, seed=seed))
        page.show("audit", figures.audit, path, **verdicts.audited(path))

    kind, classes = verdicts.drawing(verdict), page.labels["classes"]
    page.views(
        ratio=lambda: page.show("ratio", figures.largest_ratio, verdict, classes),
        reports=lambda: page.show(kind, getattr(figures, kind), verdict),
        curve=lambda: curve(partial(figures.delta_of_pair, verdict), partial(verdicts.stricter, verdict)),
        test=lambda: best_test(verdict.laws, verdict.claim.epsilon, verdict.claim.delta), audit=audit,
    )  # fmt: skip
    return {"experiment": question}


def matrix() -> dict[str, Any]:
    with page.controls():
        asked = matrices.matrix(page)
        promise = controls.level(page)
    channel = asked.channel
    if channel is None:
        modes.answer(page, "wrong", problem=asked.problem)
        return {}
    leak = largest_loss(channel)
    page.said |= verdicts.matrix_told(channel, leak, promise)
    modes.answer(page, verdicts.matrix_case(channel, leak, promise), whose=matrices.whose(page, asked))
    check = verify.MatrixCheck(channel)

    def merging() -> None:
        groups = matrices.groups(page, channel, asked.own)
        merged = cache.run(verify.MatrixCheck(channel, groups), asked.scope)
        page.show("merging", figures.ladder, merged, **verdicts.merged_told(merged))

    laws = channel.pair(leak.value, leak.other)
    page.views(
        ratio=lambda: page.show("ratio", figures.ratio_of_matrix, leak.amount, promise, laws),
        reports=lambda: page.show("typed", figures.typed_matrix, channel, leak),
        curve=lambda: curve(
            partial(figures.delta_of_matrix, cache.run(check, asked.scope)), partial(verdicts.matrix_stricter, channel)
        ),
        test=lambda: best_test(laws, promise, 0.0), merging=merging,
    )  # fmt: skip
    return {"experiment": check, "snippet": matrices.snippet(check)}


def gallery() -> dict[str, Any]:
    with page.controls():
        size = controls.number(page, "size_of_gallery", verify.GallerySize, default=6, low=2, high=12)
        trials = controls.number(page, "trials", Repeats, default=200, low=100, high=10**9)
        seed = controls.seed(page)
    question = verify.FakeGallery(size, trials, seed=seed)
    result = cache.run(question)
    shown, given = guesses.revealed(question), guesses.given(question)
    page.said |= verdicts.gallery_told(result, given)
    modes.answer(page, verdicts.gallery_case(result, given, shown))
    page.show("gallery", figures.gallery, result, shown)
    guesses.ask(page, result, shown)
    return {"experiment": question}


mode = modes.choose(page)
taken = {"mechanism": mechanism, "matrix": matrix, "gallery": gallery}[mode]()
page.why()
page.tasks(**verdicts.tasks())
page.take_away(**taken)
