"""Plans made before anybody is asked: the mechanism, the level, or the number of people for a precision."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ldpcore.estimating.adviser import comparable
from ldpcore.estimating.sharereaches import share_reach
from ldpcore.experiments.frequencies.plan import FrequencyPlan
from ldpcore.experiments.means.family import slugs
from ldpcore.experiments.means.plan import MeanPlan
from ldpcore.experiments.needs import EVERYBODY
from ldpcore.library.designs import Design, build, domain_of
from ldpcore.library.domains import Categories, Numbers
from ldpcore.library.drawn import Bar, SelfDrawn, bars, drawing, number, table
from ldpcore.library.refused import LibraryRefusal
from ldpcore.mechanisms.base import CategoryRandomizer, NumberRandomizer
from ldpcore.parameters import Epsilon, Users, declaration

AUTO = "auto"


@dataclass(frozen=True)
class Option:
    """The reach of one mechanism's intervals at the level, to either side."""

    mechanism: str
    width: float


@dataclass(frozen=True)
class Plan(SelfDrawn):
    """A design for n people, its precision, and the cost of a wanted one.

    `width` is how far an interval reaches to either side now; `level` the strictest that reaches `wanted` for n people
    and `people` the fewest that do at the level of the design: None where none will do, or nothing was wanted.

    >>> import ldpcore
    >>> planned = ldpcore.plan("grr", 1.0, 10, n=20_000, width=0.02)
    >>> planned.people, round(planned.level, 2)
    (39923, 1.28)
    """

    design: Design
    n: int
    width: float
    confidence: float
    wanted: float | None
    level: float | None
    people: int | None
    options: tuple[Option, ...]

    def __str__(self) -> str:
        percent = f"{100 * self.confidence:g} %"
        lines = [f"{self.design}: {percent} intervals of {self.n} people reach {number(self.width)} to either side"]
        return "\n".join([*lines, *(f"{what}: {taken}" for what, taken in self._price)])

    @property
    def _price(self) -> list[tuple[str, str]]:
        """The cost of the wanted width, in levels and in people; nothing where none was wanted."""
        if self.wanted is None:
            return []
        level = "none will do" if self.level is None else number(self.level)
        people = "no number will do" if self.people is None else str(self.people)
        wanted = f"to reach {number(self.wanted)}"
        return [(f"{wanted}, level for {self.n} people", level), (f"{wanted}, people at this level", people)]

    def _repr_html_(self) -> str:
        options = self.options or (Option(self.design.slug, self.width),)
        reaches = [(option.mechanism, option.width) for option in options]
        interval = f"{100 * self.confidence:g} % interval reaches"
        told = [
            table(("mechanism", interval), reaches),
            *([table(("", "it takes"), self._price)] if self._price else []),
        ]
        return drawing(f"{self.design}, {self.n} people", *told, bars([Bar(*each) for each in reaches], interval))

    def record(self) -> dict[str, object]:
        """The plan as plain values, for JSON."""
        plain = {name: getattr(self, name) for name in ("n", "width", "confidence", "wanted", "level", "people")}
        return {"design": self.design.record()} | plain | {"options": [vars(option) for option in self.options]}


def plan(
    mechanism: str,
    level: float,
    domain: object,
    *,
    n: int,
    width: float | None = None,
    confidence: float = 0.95,
    share: float | None = None,
    sampled: bool = False,
) -> Plan:
    """The precision of a survey of n people at a level, and the cost of ±width; "auto" takes the best mechanism.

    Categories: for a value of this `share`, by default an even one, by the exact law of its tally. Numbers: by the
    bound on the mean proved for every crowd, in the unit of the bounds. `Refusal` for any other domain.

    >>> import ldpcore
    >>> ldpcore.plan("auto", 1.0, 50, n=20_000).design.slug
    'subset'
    """
    declaration(Users).check("n", n)
    declaration(Epsilon).check("level", level)
    held = domain_of(domain)
    if isinstance(held, Numbers):
        return _of_mean(mechanism, level, held, n, width, confidence, sampled)
    if not isinstance(held, Categories):
        raise LibraryRefusal("plan_kind", slug="plan", got=held.words)
    return _of_shares(mechanism, level, held, n, width, confidence, 1 / held.k if share is None else share, sampled)


def _of_shares(
    mechanism: str,
    level: float,
    domain: Categories,
    n: int,
    width: float | None,
    confidence: float,
    share: float,
    sampled: bool,
) -> Plan:
    options: tuple[Option, ...] = ()
    if mechanism == AUTO:
        able = comparable(level, domain.k)
        reached = [(share_reach(share, each, n, confidence, sampled), each.slug) for each in able]
        if not reached:
            raise LibraryRefusal("plan_none", k=domain.k)
        # Equal widths keep the order of the registry, but for rounding in the last digits.
        options = tuple(
            Option(slug, reach) for reach, slug in sorted(reached, key=lambda each: float(f"{each[0]:.9e}"))
        )
        mechanism = options[0].mechanism
    design = build(mechanism, level, domain)
    assert isinstance(design.mechanism, CategoryRandomizer)
    now = share_reach(share, design.mechanism, n, confidence, sampled)
    if width is None:
        return Plan(design, n, now, confidence, None, None, None, options)
    solved = FrequencyPlan(design.mechanism, n, share, width, confidence, sampled).run()
    people = int(solved.people) if math.isfinite(solved.people) and solved.people <= EVERYBODY else None
    return Plan(design, n, now, confidence, width, solved.epsilon, people, options)


def _of_mean(
    mechanism: str, level: float, domain: Numbers, n: int, width: float | None, confidence: float, sampled: bool
) -> Plan:
    chosen = slugs() if mechanism == AUTO else (mechanism,)
    options = []
    for slug in chosen:
        design = build(slug, level, domain)
        assert isinstance(design.mechanism, NumberRandomizer)
        question = _question(design, n, width or domain.scale.half, confidence, sampled)
        options.append((question.reach(slug, level, n), design, question))
    reach, design, question = min(options, key=lambda each: float(f"{each[0]:.9e}"))
    listed = tuple(Option(each.slug, far) for far, each, _ in sorted(options, key=lambda option: option[0]))
    listed = listed if mechanism == AUTO else ()
    if width is None:
        return Plan(design, n, reach, confidence, None, None, None, listed)
    (need,) = question.run().needs
    return Plan(design, n, need.reach, confidence, width, need.epsilon, need.people, listed)


def _question(design: Design, n: int, width: float, confidence: float, sampled: bool) -> MeanPlan:
    domain, mechanism = design.domain, design.mechanism
    assert isinstance(domain, Numbers)
    assert mechanism.level is not None
    settings = tuple((name, value) for name, value in mechanism.parameters().items() if name != "epsilon")
    return MeanPlan(mechanism.level, n, width, confidence, domain.scale, (design.slug,), settings, sampled)
