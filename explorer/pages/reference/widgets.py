"""The reference, made from the registry, the declarations and the glossary: nothing here names a mechanism."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping, Sequence

import streamlit as st

from explorer.exercises import EXERCISES, PAGE, Exercise
from explorer.facts import All, Exact
from explorer.facts.naming import about_of, option_of, short_of, title_of
from explorer.pages.reference import concordance
from explorer.pages.reference.matching import mentions
from explorer.text.catalogue import Catalogue
from explorer.text.escaping import markdown
from explorer.text.hypertext import letter
from explorer.ui import lecture
from explorer.ui.shown import Shown
from ldpcore.mechanisms import KINDS, REGISTRY
from ldpcore.mechanisms.base import Mechanism
from ldpcore.parameters import Choice, ParameterRule, declarations

_PERSIAN = re.compile(r"[\u0600-\u06ff]")


def documents(shown: Shown, wanted: str) -> None:
    """The items of the four documents that mention the search text, each with a link to where it is seen."""
    room = {key: text for key, text in lecture.written().items() if key not in lecture.WAY}
    made = concordance.documents(shown.catalogue, wanted, room)
    if made:
        st.markdown(shown.catalogue.markdown("reference", "documents"))
        st.html(made)
    else:
        st.markdown(shown.labels.text("nothing"))


def mechanisms(shown: Shown, wanted: str) -> None:
    """The registered mechanisms that mention the search text, by kind."""
    for kind, members in by_kind(shown.catalogue, wanted).items():
        st.header(shown.labels.text("kinds", kind.__name__), anchor=False)
        for member in members:
            st.markdown(entry(member, shown.catalogue, shown.labels.strings()), anchors=False)


def words(shown: Shown, wanted: str) -> None:
    """The glossary's terms that mention the search text."""
    terms = shown.catalogue.listing("glossary")
    entries = [term.strings() for term in terms.tables("terms")]
    st.html(glossary(entries, terms.strings("groups"), shown.labels.strings(), wanted))


def exercises(shown: Shown, wanted: str) -> None:
    """The exercises that mention the search text, each with a link to its view, its page, and its task."""
    room = {key: text for key, text in lecture.written().items() if key not in lecture.WAY}
    chosen = [each for each in EXERCISES if mentions(wanted, *written(each, shown.catalogue))]
    for each in chosen:
        title, page, *_ = written(each, shown.catalogue)
        link = html.escape(f"./{each.link.beside(room)}")
        st.html(f'<h3><a href="{link}" target="_self">{html.escape(title)}</a> <small>{html.escape(page)}</small></h3>')
        st.markdown(shown.catalogue.markdown(PAGE, f"task {each.slug} 1"))
    if not chosen:
        st.markdown(shown.labels.text("nothing"))


def written(exercise: Exercise, catalogue: Catalogue) -> tuple[str, ...]:
    """The title of an exercise, the name of its page, its question to predict, and its task."""
    texts = catalogue.page(PAGE)
    said = (texts.text(key.format(exercise.slug)) for key in ("{} hidden", "task {} 1"))
    return (texts.text(f"view {exercise.slug}"), catalogue.text(exercise.page, "name"), *said)


def by_kind(catalogue: Catalogue, wanted: str = "") -> dict[type[Mechanism], list[type[Mechanism]]]:
    """The registered mechanisms under their most special kind, those that mention the search text."""
    matching: dict[type[Mechanism], list[type[Mechanism]]] = {kind: [] for kind in KINDS}
    for member in REGISTRY:
        kind = next(kind for kind in reversed(KINDS) if issubclass(member, kind))
        words = (catalogue.write(words_of(member.slug)) for words_of in (title_of, short_of, about_of))
        if mentions(wanted, *words, member.title, member.slug, member.reference):  # English names are known everywhere
            matching[kind].append(member)
    return {kind: members for kind, members in matching.items() if members}


def entry(member: type[Mechanism], catalogue: Catalogue, words: Mapping[str, str]) -> str:
    """One mechanism as Markdown: its description, its parameters with their rules, its source."""
    lines = [
        f"### {catalogue.markdown(None, title_of(member.slug).key)} `{member.slug}`",
        catalogue.markdown(None, about_of(member.slug).key) + "\n",
        f"| {words['parameter']} | {words['symbol']} | {words['rule']} | {words['usual']} |",
        "|---|---|---|---|",
        *(
            _row(name, declared, catalogue, symbol(member, name, declared))
            for name, declared in declarations(member).items()
        ),
        "",
        f"{words['source']}: {markdown(member.reference)}",
    ]
    return "\n".join(lines)


def symbol(member: type[Mechanism], name: str, declared: ParameterRule) -> str:
    """The symbol of a parameter in formulas: the level is ε with a curator and α without one."""
    return r"\alpha" if name == "epsilon" and member.without_curator else declared.symbol


def _row(name: str, declared: ParameterRule, catalogue: Catalogue, written: str) -> str:
    rule = markdown(allowed(name, declared, catalogue))
    usual = "" if isinstance(declared, Choice) else " – ".join(catalogue.write(Exact(end)) for end in declared.typical)
    return f"| `{name}` | {letter(written)} | {rule} | {usual} |"


def allowed(name: str, declared: ParameterRule, catalogue: Catalogue) -> str:
    """The allowed values of a parameter, in words."""
    if isinstance(declared, Choice):
        options = All(tuple(option_of(name, option) for option in declared.options))
        return catalogue.label("rules.known", facts={"options": options})
    rule = {(False, False): "number", (True, False): "above", (False, True): "below", (True, True): "inside"}
    key = "whole" if declared.integer else rule[declared.open_low, declared.open_high]
    return catalogue.label(f"rules.{key}", facts={"low": Exact(declared.low), "high": Exact(declared.high)})


def glossary(terms: Iterable[Mapping[str, str]], groups: Mapping[str, str], words: Mapping[str, str], find: str) -> str:
    """The terms that mention the search text as an HTML table by group; Persian runs from right to left."""
    matching = [
        term for term in terms if mentions(find, *(term.get(name, "") for name in ("en", "de", "fa", "also", "text")))
    ]
    rows: list[str] = []
    for key, title in groups.items():
        members = [_term(term) for term in matching if term["group"] == key]
        if members:
            rows += [f'<tr><th colspan="4" scope="rowgroup">{html.escape(title)}</th></tr>', *members]
    head = "".join(f'<th scope="col">{html.escape(words[name])}</th>' for name in ("english", "meaning", "german"))
    head += f'<th scope="col">{html.escape(words["persian"])}</th>'
    return (
        f'<div class="ldp-words"><table><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
        if rows
        else f"<p>{html.escape(words['nothing'])}</p>"
    )


def _term(term: Mapping[str, str]) -> str:
    safe = {name: html.escape(text) for name, text in term.items()}
    also = [each for each in safe.get("also", "").split(" · ") if each]
    latin, persian = ([each for each in also if bool(_PERSIAN.search(each)) is other] for other in (False, True))
    return (
        f'<tr><th scope="row">{safe["en"]}{_others(latin)}</th><td>{safe["text"]}</td><td lang="de">{safe["de"]}</td>'
        f'<td lang="fa" dir="rtl">{safe["fa"]}{_others(persian)}</td></tr>'
    )


def _others(names: Sequence[str]) -> str:
    """Other names of a term, in smaller type below it."""
    return f"<br><small>{' · '.join(names)}</small>" if names else ""
