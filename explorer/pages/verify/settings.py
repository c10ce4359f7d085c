"""The reader's settings on the page about promises, in each of its modes, and the question of each of its views."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields
from typing import Any

from explorer.facts import Count, Facts, Term
from explorer.facts.naming import title_of
from ldpcore import broken
from ldpcore.broken.scales import BoundsReadFromData
from ldpcore.experiments import verify
from ldpcore.experiments.verify import matrixpromises, measures, mistakes, owncounts, promises
from ldpcore.laws.channels import Finite, Pair
from ldpcore.mechanisms.base import Mechanism
from ldpcore.mechanisms.bloomrandomizer import BloomRandomizer
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.parameters import ParameterError, declarations
from ldpcore.questions import Asking, Questions, Result
from ldpcore.reading.matrices import TypedMatrix

MISTAKES: tuple[type[Mechanism], ...] = (*broken.GALLERY, *broken.UNSEEN)
SLOW = (BloomRandomizer, BoundsReadFromData)  # measured: 30 to 100 ms for each level
MergedReports = tuple[tuple[int, ...], ...]  # reports that are merged, by their places


@dataclass(frozen=True)
class Judged:
    """A mechanism under test, and its parameters beside the level, which is the handle's."""

    member: type[Mechanism] = RandomizedResponse
    given: tuple[tuple[str, object], ...] = ()

    @classmethod
    def like(cls, mechanism: Mechanism) -> Judged:
        """The mechanism at every level, with those of its parameters that are asked for."""
        made: Any = type(mechanism)
        required = {field.name for field in fields(made) if field.default is MISSING} - {"epsilon"} | {*made.settable}
        kept = {name: value for name, value in mechanism.parameters().items() if name in required}
        return cls(type(mechanism), tuple(kept.items()))

    @property
    def leveled(self) -> bool:
        """Whether a level is asked for: coins declare themselves without one."""
        return "epsilon" in declarations(self.member)

    @property
    def side(self) -> str:
        """The party that adds the noise: a curator, whose level is called ε, or everybody (`local`), with α."""
        return "local" if self.member.without_curator else "central"

    def mechanism(self, level: float) -> Mechanism:
        """The mechanism at a level; the usual one where it refuses its other parameters there."""
        made, asked = self.member, {"epsilon": level} if self.leveled else {}
        try:
            return made(**asked, **dict(self.given))
        except ParameterError:
            k = {name: value for name, value in self.given if name == "k"}
            return made.starting(**asked, **k)

    def refused(self, mechanism: Mechanism) -> bool:
        """Whether these parameters gave way to the usual ones."""
        present = mechanism.parameters()
        return any(present[name] != value for name, value in self.given)

    def main(self, level: float) -> verify.MechanismCheck:
        """The real loss, beside the promise."""
        return verify.MechanismCheck(self.mechanism(level))

    def ratio(self, level: float) -> tuple[verify.MechanismCheck, promises.TwoLaws]:
        """The verdict, and the two laws that it comes from."""
        return self.main(level), promises.TwoLaws(self.mechanism(level))

    def curve(self, level: float, alpha: float) -> promises.SmallerPromise:
        """The δ of a smaller promise."""
        return promises.SmallerPromise(self.mechanism(level), alpha)

    def test(self, level: float, size: float) -> promises.BestTest:
        """The power of the best test of one report."""
        return promises.BestTest(self.mechanism(level), size)

    @property
    def countable(self) -> bool:
        """Whether its reports can be counted, so that sums over them are exact."""
        mechanism = self.mechanism(1.0)
        return not issubclass(self.member, SLOW) and isinstance(mechanism.compare(*mechanism.worst()), Pair)

    def measures(self, level: float) -> measures.Measures:
        """The distance of the two values' reports."""
        return measures.Measures(self.mechanism(level))

    def audit(self, level: float, asked: tuple[float, int]) -> verify.AuditPath:
        """The proof of trials alone."""
        confidence, seed = asked
        return verify.AuditPath(self.mechanism(level), confidence=confidence, seed=seed)


@dataclass(frozen=True, eq=False)
class JudgedMatrix:
    """A matrix, or the error in it; the handle is the promise that it is judged against."""

    channel: Finite | None
    problem: str = ""
    printed: TypedMatrix | None = None
    side = "typed"

    @property
    def rows(self) -> int:
        """The number of values."""
        return 0 if self.channel is None else self.channel.matrix.shape[0]

    @property
    def columns(self) -> int:
        """The number of reports."""
        return 0 if self.channel is None else self.channel.matrix.shape[1]

    def _known(self) -> Finite:
        assert self.channel is not None
        return self.channel

    def main(self, level: float) -> matrixpromises.MatrixPromise | matrixpromises.Refused:
        """Whether the promise is kept."""
        if self.channel is None:
            return matrixpromises.Refused(self.problem)
        return matrixpromises.MatrixPromise(self.channel, level, self.printed)

    def ratio(self, level: float) -> matrixpromises.MatrixPromise | matrixpromises.Refused:
        """The verdict, and the matrix that it is about."""
        return self.main(level)

    def measures(self, level: float) -> measures.MeasuresOfMatrix:
        """The distance of its worst two rows."""
        return measures.MeasuresOfMatrix(self._known(), level)

    def curve(self, level: float, alpha: float) -> tuple[Asking, Asking]:
        """δ over all pairs of rows, and at one smaller promise."""
        channel = self._known()
        return matrixpromises.SmallerPromiseOfMatrix(channel), matrixpromises.NeededDelta(channel, alpha)

    def test(self, level: float, size: float) -> matrixpromises.BestTestOfMatrix:
        """The power of the best test of the worst two rows."""
        return matrixpromises.BestTestOfMatrix(self._known(), level, size)

    def first_groups(self) -> MergedReports:
        """The first reports to be merged: the first two, where others are left."""
        return ((0, 1),) if self.columns > 2 else ()

    def merging(self, level: float, groups: MergedReports) -> tuple[Asking, Asking]:
        """The level after merging reports, beside the promise."""
        channel = self._known()
        return verify.MatrixMerging(channel, groups), matrixpromises.MatrixPromise(channel, level, self.printed)


@dataclass(frozen=True)
class Counted:
    """The counts of the reader's own audit; the handle is the promise that it is judged against."""

    first: tuple[int, ...] = (530, 470)
    second: tuple[int, ...] = (180, 820)
    confidence: float = 0.95
    side = "counts"
    quick = True

    def main(self, level: float) -> owncounts.OwnAudit:
        """The proof in the counts."""
        return owncounts.OwnAudit(self.first, self.second, level, self.confidence)

    def audit(self, level: float, asked: tuple[float, int]) -> owncounts.OwnAudit:
        """The proof in the counts, which have a confidence of their own."""
        return self.main(level)


@dataclass(frozen=True)
class Hung:
    """A gallery of sound and broken mechanisms, the guess about each, and the truth once it was asked for."""

    gallery: verify.FakeGallery = verify.FakeGallery(trials=200)  # noqa: RUF009
    given: tuple[bool | None, ...] = ()
    sound: tuple[bool, ...] = ()
    votes: tuple[int, ...] = ()  # of the room, once the truth was asked for
    side = "gallery"

    def main(self, level: float) -> verify.FakeGallery:
        """The exhibits and their audits."""
        return self.gallery

    def exhibits(self, level: float) -> tuple[verify.FakeGallery, mistakes.Guesses]:
        """The exhibits, and the guesses."""
        return self.gallery, mistakes.Guesses(self.given, self.sound, self.votes)


Verify = Judged | JudgedMatrix | Counted | Hung


def line(asked: Verify) -> Facts:
    """The one line in place of the settings."""
    mode: Facts = {"mode": Term(f"modes.{asked.side}")}
    if isinstance(asked, Judged):
        return {**mode, "mechanism": title_of(asked.member.slug)}
    if isinstance(asked, JudgedMatrix):
        return {**mode, "rows": Count(asked.rows), "columns": Count(asked.columns)}
    if isinstance(asked, Counted):
        return {**mode, "runs": Count(sum(asked.first) + sum(asked.second))}
    return {**mode, "total": Count(asked.gallery.size), "trials": Count(asked.gallery.trials)}


# --- what each view asks, whichever is tested, and whom it suits -----------------------------------------------------


def ratio(asked: Verify, level: float) -> Questions:
    """The largest ratio, and its source."""
    assert isinstance(asked, Judged | JudgedMatrix)
    return asked.ratio(level)


def curve(asked: Verify, level: float, alpha: float) -> Questions:
    """The δ of a smaller promise."""
    assert isinstance(asked, Judged | JudgedMatrix)
    return asked.curve(level, alpha)


def test(asked: Verify, level: float, size: float) -> Asking:
    """The power of the best test of one report."""
    assert isinstance(asked, Judged | JudgedMatrix)
    return asked.test(level, size)


def audit(asked: Verify, level: float, chance: tuple[float, int]) -> Asking:
    """The proof of trials."""
    assert isinstance(asked, Judged | Counted)
    return asked.audit(level, chance)


def compared(asked: Verify, level: float) -> Asking:
    """The distance of two values' reports."""
    assert isinstance(asked, Judged | JudgedMatrix)
    return asked.measures(level)


def merging(asked: Verify, level: float, groups: MergedReports) -> Questions:
    """The level after merging reports of a matrix, beside the promise."""
    assert isinstance(asked, JudgedMatrix)
    return asked.merging(level, groups)


def exhibits(asked: Verify, level: float) -> Questions:
    """The exhibits of a gallery, and the guesses."""
    assert isinstance(asked, Hung)
    return asked.exhibits(level)


def is_shown(asked: Verify) -> bool:
    """Whether one mechanism is tested or a matrix judged, even before there is one."""
    return isinstance(asked, Judged | JudgedMatrix)


def is_channel(asked: Verify) -> bool:
    """Whether one mechanism is tested or a matrix judged."""
    return isinstance(asked, Judged) or is_matrix(asked)


def is_matrix(asked: Verify) -> bool:
    """Whether a matrix is judged."""
    return isinstance(asked, JudgedMatrix) and asked.channel is not None


def is_listed(asked: Verify) -> bool:
    """Whether reports are judged that can be counted."""
    return asked.countable if isinstance(asked, Judged) else is_matrix(asked)


def is_tried(asked: Verify) -> bool:
    """Whether trials are judged: those of one mechanism, or an audit's own counts."""
    return isinstance(asked, Judged | Counted)


def is_gallery(asked: Verify) -> bool:
    """Whether fakes are to be spotted."""
    return isinstance(asked, Hung)


def moves(asked: Verify, own: object = None) -> bool:
    """Whether the level has an effect."""
    return asked.leveled if isinstance(asked, Judged) else is_matrix(asked) or isinstance(asked, Counted)


def levels_it(asked: Verify, own: object = None) -> bool:
    """Whether the level moves the chance of failure: of a matrix it is the promise that is judged, and no more."""
    return isinstance(asked, Judged) and asked.leveled


def main(asked: Verify, level: float) -> Asking:
    """The question that the page's answer is about."""
    return asked.main(level)


def famous(asked: Verify, level: float) -> mistakes.ThreeMistakes:
    """The famous mistakes behind the tasks."""
    return mistakes.ThreeMistakes()


def case(asked: Verify, result: Result) -> str:
    """The case of the answer that holds."""
    if isinstance(result, matrixpromises.RefusedResult):
        return "matrix wrong"
    if isinstance(asked, Judged):
        assert isinstance(result, verify.MechanismVerdict)
        return "refused" if asked.refused(result.check.mechanism) else result.verdict
    if isinstance(asked, JudgedMatrix):
        assert isinstance(result, matrixpromises.MatrixPromiseResult)
        return f"matrix {result.verdict}"
    if isinstance(asked, Counted):
        return "counts"
    if not asked.sound:
        return "gallery covered"
    return "gallery open" if None in asked.given else "gallery revealed"
