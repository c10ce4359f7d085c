"""The control that chooses the source of noise, a curator or everybody alone, by iteration over the registry."""

from __future__ import annotations

from explorer.facts.naming import title_of
from explorer.settings.noises import LAPLACE, Alone, ChosenNoise, noises, randomizers
from explorer.settings.tables import AnsweredQuestion
from explorer.ui import asking, controls, links, unseen
from explorer.ui.language import catalogue
from explorer.ui.shown import Shown
from ldpcore.parameters import Choice, Neighbors, declaration, declarations
from ldpcore.tables.queries import REPLACE


def relation(page: Shown) -> str:
    """The relation of neighbors: key `<page>_neighbors`; without a curator one person's answer is replaced."""
    declared = declaration(Neighbors)
    assert isinstance(declared, Choice)
    with page.more():
        if _likely_alone(page):
            unseen.choice(page, "neighbors", declared)
            return REPLACE
        return controls.choice(page, "neighbors", Neighbors)


def _likely_alone(page: Shown) -> bool:
    """Whether everybody probably answers alone, before the question is known."""
    chosen = unseen.likely(f"{page.slug}_mechanism")
    return any(chosen in randomizers(verb) for verb in ("count", "sum"))


def choose(page: Shown, asked: AnsweredQuestion) -> tuple[AnsweredQuestion, ChosenNoise, Alone | None]:
    """The source of noise and its parameters beside the level: key `<page>_mechanism`; and the question as it is asked.

    Without a curator the noise of a curator's release is Laplace noise.
    """
    members = noises(asked.counts or asked.mean is not None)
    titles = {slug: catalogue().write(title_of(slug)) for slug in members}
    if asked.alone_too:
        verb = asked.alone().verb
        words = {slug: {"name": title_of(slug)} for slug in randomizers(verb)}
        titles |= {slug: catalogue().label("without_curator", page.slug, facts) for slug, facts in words.items()}
    _keep_alone(page, titles)
    chosen = controls.choice(page, "mechanism", titles)
    if chosen in members:
        member, usual = members[chosen], members[chosen].starting(epsilon=1.0).parameters()
        declared = declarations(member)
        return (
            asked,
            ChosenNoise(chosen).with_settings(
                **{name: controls.parameter(page, member, name, declared[name], usual[name]) for name in member.needs()}
            ),
            None,
        )
    randomizer = randomizers(asked.alone().verb)[chosen]
    usual, declared = randomizer.starting(epsilon=1.0).parameters(), declarations(randomizer)
    needs = {
        name: controls.parameter(page, randomizer, name, declared[name], usual[name])
        for name in Alone.asked_of(randomizer)
    }
    return asking.alone(asked), LAPLACE, Alone(chosen).with_settings(**needs)


def _keep_alone(page: Shown, titles: dict[str, str]) -> None:
    """Put another mechanism of everybody alone in place of one that the new question takes away."""
    key = f"{page.slug}_mechanism"
    first = next((slug for slug in titles if slug not in noises(True)), None)
    if first is not None and not links.asked_of(key) and _likely_alone(page) and unseen.likely(key) not in titles:
        links.put(key, first)
