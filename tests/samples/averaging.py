"""Telling settings of the page about averaging, and what its views are told there."""

from __future__ import annotations

from dataclasses import replace

from explorer.pages.averaging.settings import RELATION, Averaging
from explorer.settings.noises import Alone, ChosenNoise
from explorer.settings.questions import Query
from explorer.settings.tables import AnsweredQuestion
from ldpcore.tables.queries import BUILT_IN_QUERIES, Mean, Sum
from ldpcore.tables.table import built_in


def samples() -> tuple[Averaging, ...]:
    """Settings that show what the page can: the default, five people, giants, one release, sums, means, other noise."""

    def asked(data: str = "income", query: Query | None = None, relation: str = RELATION) -> Averaging:
        chosen = BUILT_IN_QUERIES[data] if query is None else query
        return Averaging(AnsweredQuestion.of(chosen, built_in(data), relation), relation)

    def alone(setting: Averaging, slug: str) -> Averaging:
        return replace(setting, question=setting.question.alone(), alone=Alone(slug))

    usual, score = asked(), Mean("score", 0, 100)
    return (
        usual,
        replace(asked("people"), repeats=10**6),
        replace(asked(relation="replace-one"), repeats=1, total=0.001),
        replace(usual, repeats=10**12, seed=7),
        asked(query=Sum("income", 0, 100_000)),
        asked(query=score),
        asked(query=score, relation="replace-one"),
        replace(usual, noise=ChosenNoise("gauss").with_settings(delta=1e-6, calibration="analytic")),
        replace(asked("people"), repeats=1000, noise=ChosenNoise("discretelaplace"), away=True),
        replace(asked(query=score), noise=ChosenNoise("gauss").with_settings(delta=1e-4, calibration="classical")),
        replace(asked("people"), noise=ChosenNoise("staircase")),
        alone(asked(relation="replace-one"), "rr"),
        replace(alone(asked("people", relation="replace-one"), "rr"), again=False, repeats=10**6),
        replace(alone(asked(query=Sum("income", 0, 100_000), relation="replace-one"), "hm"), repeats=10**6, away=True),
        alone(asked(query=score, relation="replace-one"), "geometric"),
    )


TOLD: dict[tuple[int, str], object] = {}
