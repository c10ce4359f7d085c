"""The values that people can hold, and how they become what a mechanism takes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ldpcore.library.estimated import Found, of_mean, of_shares
from ldpcore.library.pandasvalues import categories_of, codes_of
from ldpcore.library.refused import LibraryRefusal
from ldpcore.mechanisms.base import CategoryRandomizer, Mechanism, NumberRandomizer
from ldpcore.mechanisms.base import ReportTally as Counted
from ldpcore.mechanisms.geometric import IntegerSensitivity, LocalGeometric
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import DomainSize, declaration, declarations
from ldpcore.people.populations import Population
from ldpcore.people.scales import PublicScale

Label = str | int | float | bool


class Domain(ABC):
    """The values that people can hold; public, and chosen before anybody looks at the data."""

    kind: ClassVar[type[object]]  # which mechanisms serve it: a kind of `mechanisms.KINDS`
    name: ClassVar[str]  # what it is called in JSON
    words: ClassVar[str]  # what it is called in a refusal
    of_people: ClassVar[bool] = True  # whether its values are people's, who may be a random sample of more

    @abstractmethod
    def settings(self, member: type[Mechanism], given: Mapping[str, object]) -> dict[str, object]:
        """The settings that a mechanism takes from the domain, beside the given ones."""

    @abstractmethod
    def inward(self, values: Any) -> Any:
        """Values as the mechanism takes them; anything else is refused."""

    @abstractmethod
    def somebody(self) -> Any:
        """A list with one person's value."""

    def crowd(self) -> tuple[Any, str]:
        """The values of a few people at whom errors can be told, and the words for them."""
        return self.somebody(), "everybody alike"

    @abstractmethod
    def found(self, mechanism: Any, tally: Counted, confidence: float, sampled: bool) -> Found:
        """The estimates of a mechanism of its kind from a tally, with intervals."""

    @abstractmethod
    def labels(self, mechanism: Mechanism) -> tuple[Any, ...]:
        """The label of each estimated number."""

    @abstractmethod
    def record(self) -> dict[str, object]:
        """The domain as JSON has it."""

    @classmethod
    @abstractmethod
    def read(cls, record: Mapping[str, Any]) -> Self:
        """The domain that a record describes."""

    def outward(self, estimate: Reals, mechanism: Mechanism) -> Reals:
        """Estimates, or ends of intervals, in the unit of the values."""
        return estimate

    def unit(self, mechanism: Mechanism) -> Reals | float:
        """The length in the unit of the values of 1 on the mechanism's scale."""
        return 1.0

    def serves(self, member: type[Mechanism]) -> bool:
        """Whether a mechanism can be built for it."""
        return bool(issubclass(member, self.kind))

    def people(self, given: Any) -> Population:
        """The people, from everybody's values or from the number who hold each of them."""
        if isinstance(given, Mapping):
            held = self.inward(list(given))
            return Population(held, np.array(list(given.values())))
        values, counts = np.unique(np.asarray(self.inward(given)), axis=0, return_counts=True)
        return Population(values, counts)


@dataclass(frozen=True)
class Categories(Domain):
    """One of k categories, by their labels: texts, numbers or truth values, in the order of the results.

    >>> import ldpcore
    >>> colors = ldpcore.Categories(["red", "green", "blue"])
    >>> colors.k, colors.inward(["blue", "red"]).tolist()
    (3, [2, 0])
    >>> ldpcore.Categories.numbered(4).of[:2]
    (0, 1)
    """

    of: tuple[Label, ...]

    kind: ClassVar[type[object]] = CategoryRandomizer
    name: ClassVar[str] = "categories"
    words: ClassVar[str] = "categories"

    def __init__(self, labels: Any) -> None:
        listed = categories_of(labels)
        held = tuple(_label(each) for each in (labels if listed is None else listed))
        if len(held) < 2:
            raise LibraryRefusal("labels_few", got=len(held))
        if len(set(held)) < len(held):
            raise LibraryRefusal("labels_twice", got=next(each for each in held if held.count(each) > 1))
        object.__setattr__(self, "of", held)

    @classmethod
    def numbered(cls, k: int) -> Categories:
        """The categories 0 … k-1."""
        declaration(DomainSize).check("k", k)
        return cls(range(k))

    @property
    def k(self) -> int:
        """The number of categories."""
        return len(self.of)

    @cached_property
    def _place(self) -> dict[Label, int]:
        return {label: place for place, label in enumerate(self.of)}

    @cached_property
    def _is_numbered(self) -> bool:
        return all(type(label) is int and label == place for place, label in enumerate(self.of))

    def settings(self, member: type[Mechanism], given: Mapping[str, object]) -> dict[str, object]:
        return {"k": self.k} if "k" in declarations(member) else {}

    def serves(self, member: type[Mechanism]) -> bool:
        return issubclass(member, CategoryRandomizer) and member.serves(self.k)

    def inward(self, values: Any) -> NDArray[np.int64]:
        coded = codes_of(values)
        if coded is not None:
            codes, labels = coded
            table = np.array([self._place.get(label, -1) for label in labels] + [-1], dtype=np.int64)
            return self._checked(table[codes], values)
        held = values if isinstance(values, np.ndarray) else _listed(values)
        if held.ndim != 1:
            raise LibraryRefusal("values_one_list", axes=held.ndim)
        if held.dtype.kind in "iu" and self._is_numbered:
            places = held.astype(np.int64, copy=False)
            inside = (places >= 0) & (places < self.k)
            return self._checked(np.where(inside, places, -1), held)
        if held.dtype.kind == "O":
            return self._checked(np.array([self._find(each) for each in held.tolist()], dtype=np.int64), held)
        different, place = np.unique(held, return_inverse=True)
        table = np.array([self._find(each) for each in different.tolist()], dtype=np.int64)
        return self._checked(table[place] if len(table) else np.empty(0, dtype=np.int64), held)

    def _find(self, value: Any) -> int:
        try:
            return self._place.get(value, -1)
        except TypeError:  # a list or another value that cannot be looked up
            return -1

    def _checked(self, places: NDArray[np.int64], values: Any) -> NDArray[np.int64]:
        if places.size and places.min() < 0:
            place = int(np.argmin(places >= 0))
            got = np.asarray(values, dtype=object)[place]
            raise LibraryRefusal("value_unknown", place=place, k=self.k, got=got)
        return places

    def people(self, given: Any) -> Population:
        if isinstance(given, Mapping):
            counts = np.zeros(self.k, dtype=np.int64)
            counts[self.inward(list(given))] = list(given.values())
            return Population.of_categories(counts)
        return Population.of_categories(np.bincount(self.inward(given), minlength=self.k))

    def somebody(self) -> Any:
        return [self.of[0]]

    def crowd(self) -> tuple[Any, str]:
        return list(self.of), "each answer equally often"

    def found(self, mechanism: Any, tally: Counted, confidence: float, sampled: bool) -> Found:
        return of_shares(mechanism, tally, confidence, sampled)

    def labels(self, mechanism: Mechanism) -> tuple[Any, ...]:
        return self.of

    def record(self) -> dict[str, object]:
        return {"kind": self.name, "labels": self.k if self._is_numbered else list(self.of)}

    @classmethod
    def read(cls, record: Mapping[str, Any]) -> Categories:
        labels = record["labels"]
        return cls.numbered(labels) if isinstance(labels, int) else cls(labels)


def _label(value: Any) -> Label:
    plain = value.item() if isinstance(value, np.generic) else value
    if not isinstance(plain, (str, int, float)) or plain != plain:
        raise LibraryRefusal("label_kind", got=value)
    return plain


def _listed(values: Any) -> NDArray[Any]:
    """A list as an array that keeps its items' types: NumPy would turn [1, "a"] into texts."""
    if not isinstance(values, (list, tuple)):
        return np.asarray(values)
    kinds = {type(value) for value in values}
    if len(kinds) == 1 and kinds <= {int, str, bool, float}:
        return np.asarray(values)
    held = np.empty(len(values), dtype=object)
    held[:] = [value.item() if isinstance(value, np.generic) else value for value in values]
    return held


@dataclass(frozen=True)
class Numbers(Domain):
    """One number between the public bounds `low` and `high`; a number outside is moved to the nearer bound.

    >>> import ldpcore
    >>> ages = ldpcore.Numbers(0, 100)
    >>> ages.inward([25, 50, 120]).tolist()
    [-0.5, 0.0, 1.0]
    """

    low: float
    high: float

    kind: ClassVar[type[object]] = NumberRandomizer
    name: ClassVar[str] = "numbers"
    words: ClassVar[str] = "numbers between two bounds"

    def __post_init__(self) -> None:
        PublicScale(self.low, self.high)

    @cached_property
    def scale(self) -> PublicScale:
        """The scale from these numbers to [-1, 1]."""
        return PublicScale(self.low, self.high)

    def settings(self, member: type[Mechanism], given: Mapping[str, object]) -> dict[str, object]:
        between = self.high - self.low
        whole = float(self.low).is_integer() and float(self.high).is_integer()
        if member is LocalGeometric and whole and declaration(IntegerSensitivity).admits(between):
            return {"steps": int(between)}
        return {}

    def inward(self, values: Any) -> Reals:
        return self.scale.inward(numbers_in(values, 1))

    def outward(self, estimate: Reals, mechanism: Mechanism) -> Reals:
        return self.scale.outward(estimate) if _about_itself(mechanism) else estimate

    def unit(self, mechanism: Mechanism) -> float:
        return self.scale.half if _about_itself(mechanism) else 1.0

    def somebody(self) -> Any:
        return [0.0]

    def crowd(self) -> tuple[Any, str]:
        return [self.low, self.high], "half at each bound"

    def found(self, mechanism: Any, tally: Counted, confidence: float, sampled: bool) -> Found:
        return of_mean(mechanism, tally, confidence, sampled)

    def labels(self, mechanism: Mechanism) -> tuple[str, ...]:
        return ("mean",) if _about_itself(mechanism) else (f"mean of {mechanism.parameters()['function']}",)

    def record(self) -> dict[str, object]:
        return {"kind": self.name, "low": self.low, "high": self.high}

    @classmethod
    def read(cls, record: Mapping[str, Any]) -> Numbers:
        return cls(record["low"], record["high"])


def _about_itself(mechanism: Mechanism) -> bool:
    """Whether the estimate is that of the numbers' mean, and not of another function of them."""
    return bool(mechanism.parameters().get("function", "identity") == "identity")


def numbers_in(values: Any, axes: int) -> Reals:
    """Finite numbers in a list, or in rows; truth values, texts and gaps are none."""
    held = np.asarray(values)
    if held.dtype.kind in "OUS" and held.ndim == axes:
        held = _numbers_among(np.asarray(values, dtype=object))  # NumPy would turn [1, "a"] into texts
    if held.dtype.kind not in "iuf" or held.ndim != axes:
        wanted = "numbers in one list" if axes == 1 else "numbers in rows"
        raise LibraryRefusal("values_unread", wanted=wanted, got=f"{held.dtype} with {held.ndim} axes")
    numbers = np.asarray(held, dtype=np.float64)
    if not np.isfinite(numbers).all():
        got = numbers.ravel()[int(np.argmin(np.isfinite(numbers.ravel())))]
        raise LibraryRefusal("values_unread", wanted="finite numbers", got=str(got))
    return numbers


def _numbers_among(held: NDArray[Any]) -> NDArray[Any]:
    """Numbers that stand in a list of anything, or in rows; the first that is none is refused by its place."""
    for place, value in enumerate(held.ravel().tolist()):
        if not isinstance(value, (int, float, np.number)) or isinstance(value, bool):
            raise LibraryRefusal("value_no_number", place=place * len(held) // held.size, got=value)
    return held.astype(np.float64)
