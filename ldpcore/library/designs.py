"""A design: one mechanism at one level for one domain, all that a client and a collector must agree on."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from difflib import SequenceMatcher
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldpcore.library.domains import Categories, Domain
from ldpcore.library.drawn import Bar, SelfDrawn, bars, drawing, number, table
from ldpcore.library.estimated import Estimate, estimate_of
from ldpcore.library.forms import Form
from ldpcore.library.records import Record, record_of, written
from ldpcore.library.refused import LibraryRefusal
from ldpcore.library.rowdomains import DOMAINS
from ldpcore.library.tallied import Tally
from ldpcore.mechanisms import REGISTRY
from ldpcore.mechanisms.arithmetic import Arithmetic
from ldpcore.mechanisms.base import Guarantee, LocalRandomizer, Mechanism, Reporter
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import declarations
from ldpcore.refusals import Refusal

FORMAT = "ldpcore.design"
SURVEYS = (100, 1_000, 10_000)  # reports whose standard errors are drawn


def serving(domain: object) -> tuple[str, ...]:
    """The slugs of all mechanisms that `build` takes for a domain, in the order of the registry.

    >>> import ldpcore
    >>> ldpcore.serving(ldpcore.Vectors({"x": (0, 1), "y": (0, 1)}))
    ('split', 'sampled', 'hypercube', 'ball')
    """
    held = domain_of(domain)
    return tuple(member.slug for member in REGISTRY if held.serves(member))


def domain_of(domain: object) -> Domain:
    """A domain, or the categories that are listed or counted."""
    if isinstance(domain, Domain):
        return domain
    return Categories.numbered(domain) if isinstance(domain, int) else Categories(domain)


def nearest_names(name: object, most: int = 3) -> tuple[str, ...]:
    """The mechanisms most like a text, by their short names, their titles or their classes."""
    asked = str(name).lower()

    def likeness(member: type[Mechanism]) -> float:
        names = (member.slug, member.title, member.__name__)
        return max(SequenceMatcher(None, asked, each.lower()).ratio() for each in names)

    return tuple(member.slug for member in sorted(REGISTRY, key=likeness, reverse=True)[:most])


def build(mechanism: str, level: float | None, domain: object, **settings: object) -> Design:
    """The design of a mechanism, by its slug, at the level ε for a domain, or for a list or number of labels.

    `settings` of the mechanism that are not given have usual values; `level` is None for a mechanism without one, such
    as two coins. `Refusal` for an unknown slug, a domain that it does not serve, and a value outside its range.

    >>> import ldpcore
    >>> survey = ldpcore.build("grr", 1.0, ["red", "green", "blue"])
    >>> print(survey)
    grr(epsilon=1.0, k=3)
    """
    member = next((each for each in REGISTRY if each.slug == mechanism), None)
    if member is None:
        raise LibraryRefusal("mechanism_unknown", options=nearest_names(mechanism), got=mechanism)
    held = domain_of(domain)
    if not held.serves(member):
        served = next(each.words for each in DOMAINS if issubclass(member, each.kind))
        if isinstance(held, Categories) and issubclass(member, Categories.kind):
            raise LibraryRefusal("domain_size", slug=mechanism, got=held.k)
        raise LibraryRefusal("domain_unfit", slug=mechanism, wanted=served, got=held.words)
    declared = declarations(member)
    own = tuple(name for name in declared if name not in ("epsilon", "k", "d"))
    for name in settings:
        if name not in own:
            raise LibraryRefusal("setting_unknown", slug=mechanism, settings=own, got=name)
    given = held.settings(member, settings) | settings
    if "epsilon" not in declared:
        if level is not None:
            raise LibraryRefusal("level_given", slug=mechanism, settings=own, got=level)
        return Design(_made(member, given), held)
    if level is None:
        raise LibraryRefusal("level_missing", slug=mechanism)
    return Design(_made(member, {"epsilon": level} | given), held)


def _generator(rng: object) -> None:
    """Refuse anything but a generator of NumPy's, such as a seed or its older `RandomState`."""
    if not isinstance(rng, np.random.Generator):
        got = repr(rng) if rng is None or isinstance(rng, int) else type(rng).__name__
        raise LibraryRefusal("rng_unfit", got=got)


def _made(member: type[Reporter], given: dict[str, Any]) -> Reporter:
    """The mechanism with usual values for the settings not given."""
    usual = member.usual(**given)
    if usual is not None:
        return usual
    needed = {field.name for field in fields(member) if field.default is MISSING}  # type: ignore[arg-type]
    if missing := tuple(name for name in declarations(member) if name in needed - set(given)):
        raise LibraryRefusal("setting_missing", slug=member.slug, settings=missing)
    return member.starting(**given)


@dataclass(frozen=True)
class Design(SelfDrawn):
    """One mechanism at one level for one domain: what clients send and how a collector reads it.

    >>> import ldpcore, numpy as np
    >>> survey = ldpcore.build("grr", 2.0, ["red", "green", "blue"])
    >>> reports = survey.privatize(["red", "blue", "red"], np.random.default_rng(1))
    >>> tally = survey.tally(reports)
    >>> tally.n, survey.guarantee().epsilon
    (3, 2.0)
    """

    mechanism: Reporter
    domain: Domain

    def __str__(self) -> str:
        settings = ", ".join(f"{name}={value}" for name, value in self.mechanism.parameters().items())
        return f"{self.slug}({settings})"

    @property
    def slug(self) -> str:
        """The name of the mechanism."""
        return self.mechanism.slug

    @property
    def labels(self) -> tuple[object, ...]:
        """The label of each estimated number."""
        return self.domain.labels(self.mechanism)

    def guarantee(self) -> Guarantee:
        """The level that one report keeps, recomputed from the laws of the reports and never echoed."""
        return self.mechanism.guarantee()

    def lifelong(self) -> Guarantee | None:
        """The level of any number of reports about one value; None where each draws anew, so that levels add up."""
        return self.mechanism.lifelong()

    def arithmetic(self) -> Arithmetic:
        """The level on a computer: an exact one, or what floating-point numbers cannot promise."""
        return self.mechanism.arithmetic()

    # --- a client ----------------------------------------------------------------------------------------------------

    def privatize(self, values: Any, rng: np.random.Generator) -> NDArray[Any]:
        """One report for each value of a list, a NumPy array, or a pandas series, categorical or table.

        Draw from `ldpcore.randomness.secure()` where people are real.
        """
        _generator(rng)
        return np.asarray(self.mechanism.privatize(self.domain.inward(values), rng))

    @cached_property
    def form(self) -> Form:
        """The form in which the reports are written."""
        return Form(self.mechanism, self.privatize(self.domain.somebody(), np.random.default_rng(0)))

    def columns(self, reports: Any) -> dict[str, NDArray[Any]]:
        """The reports as columns of numbers, to be written to a file that `collect` reads.

        >>> import ldpcore, numpy as np
        >>> survey = ldpcore.build("olh", 1.0, 10)
        >>> list(survey.columns(survey.privatize([3], np.random.default_rng(0))))
        ['seed', 'cell']
        """
        return self.form.split(reports)

    def reports(self, columns: Mapping[str, Any]) -> NDArray[Any]:
        """Reports from the columns that they were written to."""
        return self.form.checked(self.form.joined(columns))

    # --- a collector -------------------------------------------------------------------------------------------------

    def empty(self) -> Tally:
        """The tally of no reports."""
        sample = self._tallied(self.form.sample)
        return Tally(self, np.zeros_like(sample.counts), 0)

    def tally(self, reports: Any) -> Tally:
        """The tally of these reports; a report that no client can have made is refused, and nothing is counted."""
        held = self.form.checked(reports)
        return self._tallied(held) if len(held) else self.empty()

    def _tallied(self, reports: NDArray[Any]) -> Tally:
        return Tally(self, np.asarray(self.mechanism.tally(reports).counts), len(reports))

    @property
    def names_one(self) -> bool:
        """Whether each report names one label, so that counts sum to the number of reports."""
        return self.mechanism.names_one

    def most_of(self, n: int) -> int | None:
        """The largest count that n reports can make; None where reports are sums of other numbers."""
        return n if self.mechanism.counts_people or self.names_one else None

    def estimate(
        self, tally: Tally, confidence: float = 0.95, *, together: bool = False, sampled: bool = False
    ) -> Estimate:
        """Unbiased estimates with standard errors and intervals of this confidence, each with its label.

        With `together` all intervals hold at once; with `sampled` they are for the population that the people asked are
        drawn from, else for these people. `Refusal` of another design's tally.

        >>> import ldpcore, numpy as np
        >>> survey = ldpcore.build("grr", 2.0, ["red", "green"])
        >>> tally = survey.simulate({"red": 700, "green": 300}, np.random.default_rng(1))
        >>> round(survey.estimate(tally)["red"].value, 1)
        0.7
        """
        if tally.design != self:
            raise LibraryRefusal("tally_other", first=str(self), other=str(tally.design))
        return estimate_of(self, tally.counts, tally.n, confidence, together, sampled)

    # --- without people ----------------------------------------------------------------------------------------------

    def simulate(self, people: Any, rng: np.random.Generator) -> Tally:
        """A tally with the law of that of all these people's reports, drawn at once: a billion cost what a few do.

        `people` are values, or how many hold each: {"red": 10**9, "green": 5}.
        """
        _generator(rng)
        if not isinstance(self.mechanism, LocalRandomizer):
            return self.tally(self.privatize(list(people), rng))
        drawn = self.mechanism.sample_tally(self.domain.people(people), rng)
        return Tally(self, np.asarray(drawn.counts), int(drawn.n))

    def standard_errors(self, people: Any) -> Reals:
        """The exact standard error of each estimate, for people whose values are known: for studies and plans.

        >>> import ldpcore
        >>> ldpcore.build("sue", 2.0, 3).standard_errors({0: 60, 1: 30, 2: 10}).round(3).tolist()
        [0.096, 0.096, 0.096]
        """
        variance = self.mechanism.variance_among(self.domain.people(people))
        errors = np.sqrt(variance) * self.domain.unit(self.mechanism)
        return np.atleast_1d(np.asarray(errors, dtype=np.float64))

    # --- drawn -------------------------------------------------------------------------------------------------------

    def _repr_html_(self) -> str:
        level, exact, (values, words) = self.guarantee(), self.arithmetic().epsilon, self.domain.crowd()
        most = float(self.standard_errors(values).max()) * math.sqrt(len(values))  # of one report
        errors = [(f"{n:,} reports", most / math.sqrt(n)) for n in SURVEYS]
        said = [("level", number(level.epsilon)), *([("delta", number(level.delta))] if level.delta else [])]
        said.append(("level on a computer", "not exact" if exact is None else number(exact)))
        told = table(("", "of a report"), said), table(("", "standard error"), errors)
        return drawing(str(self), *told, bars([Bar(*each) for each in errors], f"standard error, {words}"))

    # --- stored ------------------------------------------------------------------------------------------------------

    def record(self) -> dict[str, object]:
        """The design as JSON has it."""
        plain = {name: getattr(self.mechanism, name) for name in self.mechanism.parameters()}
        parameters = {name: value.item() if isinstance(value, np.generic) else value for name, value in plain.items()}
        return {"mechanism": self.slug, "parameters": parameters, "domain": self.domain.record()}

    def to_json(self) -> str:
        """The design as text that `Design.from_json` reads back: the same mechanism, or a refusal."""
        return written(FORMAT, self.record())

    @classmethod
    def from_json(cls, text: str) -> Design:
        """The design in a text that `to_json` wrote; `Refusal` of any other text.

        >>> import ldpcore
        >>> survey = ldpcore.build("olh", 1.0, ["red", "green", "blue"])
        >>> ldpcore.Design.from_json(survey.to_json()) == survey
        True
        """
        return design_of(record_of(text, FORMAT, "a design"))


def design_of(record: Record) -> Design:
    """The design that a record describes; parameters that the mechanism refuses, or another domain's, are refused."""
    slug, parameters, written_as = record.text("mechanism"), record.part("parameters").body, record.part("domain")
    member = next((each for each in REGISTRY if each.slug == slug), None)
    if member is None:
        raise LibraryRefusal("mechanism_unknown", options=nearest_names(slug), got=slug)
    kind = next((each for each in DOMAINS if each.name == written_as.body.get("kind")), None)
    if kind is None:
        raise written_as.refusal("kind", "one of " + ", ".join(each.name for each in DOMAINS))
    try:
        domain = kind.read(written_as.body)
    except Refusal:  # of the domain itself: its sentence says what is wrong
        raise
    except (KeyError, TypeError, AttributeError, IndexError, ValueError):
        raise record.refusal("domain", f"the fields of {kind.name}") from None
    if set(parameters) != set(declarations(member)):
        raise record.refusal("parameters", ", ".join(declarations(member)))
    fits = domain.serves(member) and all(
        name not in parameters or parameters[name] == value
        for name, value in domain.settings(member, {}).items()
        if name in ("k", "d", "dimensions", "side", "bound", "sensitivity")
    )
    if not fits:
        raise LibraryRefusal("domain_unfit", slug=slug, wanted="the domain of its parameters", got=str(written_as.body))
    make: Any = member
    return Design(make(**parameters), domain)
