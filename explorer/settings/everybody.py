"""The question of a page to everybody alone: the value that each person reports on, by the table's rows."""

from __future__ import annotations

import numpy as np

from explorer.settings.noises import Alone
from explorer.settings.tables import AnsweredQuestion
from ldpcore.estimating.estimatedanswers import EstimatedAnswer, EstimatedCount, EstimatedNumber
from ldpcore.experiments.counting.comparing import Compared
from ldpcore.mechanisms.base import FrequencyOracle, NumberRandomizer
from ldpcore.numerics.arrays import Reals
from ldpcore.people.populations import Population
from ldpcore.people.scales import PublicScale
from ldpcore.tables.queries import CountQuery


def compared(asked: AnsweredQuestion, neighbors: str, delta: float) -> Compared:
    """The comparison: a count is of selected people; others add nothing to a sum."""
    query, sensitivity = asked.query, asked.sensitivity(neighbors)
    if isinstance(query, CountQuery):
        yes = int(asked.answer)
        people = Population.of_categories([asked.n - yes, yes])
        return Compared("count", people, sensitivity, neighbors, delta=delta)
    everybody = not query.where.conditions
    low, high = (query.low, query.high) if everybody else (min(query.low, 0.0), max(query.high, 0.0))
    people = Population.of_numbers(PublicScale(low, high).inward(_added(asked)))
    return Compared(asked.verb, people, sensitivity, neighbors, PublicScale(low, high), delta)


def _added(asked: AnsweredQuestion) -> Reals:
    """The value that each row adds: inside the bounds, nearest to zero where missing, none where unselected."""
    query = asked.query
    assert not isinstance(query, CountQuery)
    values, filled = asked.table.numbers(query.column), min(max(0.0, query.low), query.high)
    inside = np.clip(np.where(np.isnan(values), filled, values), query.low, query.high)
    return np.where(query.where.rows(asked.table), inside, 0.0)


def estimated(question: Compared, mechanism: Alone, level: float, again: bool = True) -> EstimatedAnswer:
    """The answer as it is estimated from everybody's report; asked `again`, people randomize anew."""
    randomizer = mechanism.at(level)
    if isinstance(randomizer, FrequencyOracle):
        return EstimatedCount(randomizer, question.people, float(question.people.n), again)
    assert isinstance(randomizer, NumberRandomizer)
    return EstimatedNumber(randomizer, question.people, question.unit, again)
