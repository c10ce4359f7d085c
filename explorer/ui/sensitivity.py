"""The sensitivity of an answer, in words: for both neighbor relations, each with its reason."""

from __future__ import annotations

from explorer.facts import Count as Counted
from explorer.facts import Facts, Number, Term
from explorer.settings.tables import AnsweredQuestion
from explorer.ui.language import catalogue
from ldpcore.parameters import Neighbors, declaration


def sensitivity_words(asked: AnsweredQuestion) -> str:
    """The sensitivity for both neighbor relations, each with its reason, and what an assumed bound would do."""
    losses = {name: asked.unclamped_loss(name) for name in declaration(Neighbors).options}  # type: ignore[union-attr]
    lines = [catalogue().markdown(None, "sensitivity_of.title"), ""]
    for neighbors, loss in losses.items():
        lines.append("- " + _sensitivity(asked, neighbors))
        if loss > 1:
            leak = {"loss": Number(loss, 3 if loss > 1.01 else 9)}
            lines.append("  - " + catalogue().markdown(None, "sensitivity_of.loss", leak))
    if max(losses.values()) > 1 and (reach := asked.outcome["reach"]) is not None:
        low, high = reach
        lines.append(
            "- " + catalogue().markdown(None, "sensitivity_of.trap", {"low": Number(low), "high": Number(high)})
        )
    return "\n".join(lines)


def _sensitivity(asked: AnsweredQuestion, neighbors: str) -> str:
    """The sentence about one neighbor relation."""
    relation: Facts = {"neighbors": Term(f"neighbors.{neighbors}")}
    if not asked.direct(neighbors):
        return catalogue().markdown(None, "sensitivity_of.mean-ratio", relation)
    reason = asked.explanation(neighbors)
    numbers = {"before": reason.before, "after": reason.after, "sensitivity": reason.sensitivity}
    each = Counted(asked.table.each)
    parts = {name: Number(number) for name, number in numbers.items()}
    return catalogue().markdown(
        None, f"sensitivity_of.{reason.key}", {**relation, **parts, "n": Counted(asked.n), "each": each}
    )
