"""Files that travel: each holds what the page shows, at every stop and on both papers, and nothing that is hidden."""
# ruff: noqa: RUF001 - these are the letters of the languages

from __future__ import annotations

import base64
import io
import json
import logging
import re
import runpy
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from html import escape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from explorer.figures.theme import Look
from explorer.host import plotlyscript
from explorer.paper.leaving import Audience, Viewed
from explorer.scenes import Scene
from explorer.text import languages
from explorer.text.catalogue import catalogue_of
from explorer.ui import stage
from explorer.ui.opening import LinkError, OpenedView, opened
from explorer.ui.travel import files, making, process, states
from explorer.ui.travel.__main__ import main
from explorer.ui.travel.files import TooLargeError, TravelFile
from explorer.ui.travel.making import HALL, TravelOrder, seen_file, view_file, way_file
from explorer.ui.travel.process import REFUSED, TravelQuestion, UnmadeError, options_of
from explorer.ui.travel.prose import prose
from explorer.ui.travel.scorm import packaged
from explorer.ui.travel.states import COLOR, Traveller, shortened
from explorer.ways import ORDER, WayStep, way_of
from tests import leaks, scenes
from tests.guarded import WORDS
from tests.rationing import ALL, shared
from tests.scenes import ENDS, STOPS, Scenes, Setting
from tests.test_public import PAGES, asked_for, pairs
from tests.test_public import settings as settings_of_a_table
from tests.travelling import Held, taken_apart

FIRST = [each for each in scenes.settings() if each.place == 0]
ONE = "/counting?counting_tab=one"
FACTS = states.facts_below
HIDDEN, SHOWN = Audience(hidden=True), Audience()
NUMBER = re.compile(r"[−-]?\d[\d\u202f]*(?:[.,]\d+)*")


@pytest.fixture
def few_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    """The two ends and the middle in place of all stops."""
    monkeypatch.setattr(states, "all_stops", lambda level: tuple(sorted({*ENDS, level})))


@pytest.fixture
def one_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a view stands, in place of all stops."""
    monkeypatch.setattr(states, "all_stops", lambda level: (level,))


def traveller(setting: Setting, audience: Audience = SHOWN, language: str = "en", drawn: bool = False) -> Traveller:
    viewed = Viewed(setting.page, setting.view, setting.asked, setting.own, 0.3, language, scenes.answered)
    return Traveller(OpenedView(viewed, setting.page.slug), audience, drawn)


@cache
def lecture(answers: bool, stops: tuple[float, ...] = ENDS if ALL else ()) -> str:
    """The lecture as a file, where its levels stand, and at these stops; by day with a share of its steps."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(states, "all_stops", lambda level: tuple(sorted({*stops, level})))
        patched.setattr(making, "way_of", lambda slug: replace(way_of(slug), steps=tuple(steps(slug, answers))))
        return way_file("lecture", TravelOrder(answers=answers)).html()


def steps(slug: str, answers: bool = True) -> list[WayStep]:
    """By day every other step and the live room; in a lecture for students those alone that keep something back."""
    told = way_of(slug).steps
    often = [step for step in told if step in shared(told, 2) or step.name == "room"]
    few = not (ALL or answers) and slug == "lecture"
    return [step for step in often if step.name in ("bet", "battery", "room")] if few else often


@cache
def held_by(answers: bool) -> Held:
    """What is in the lecture's file."""
    return taken_apart(lecture(answers))


@cache
def tour(slug: str, answers: bool = True) -> TravelFile:
    """A tour in German for a course platform, where its levels stand; by day with a share of its steps."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(states, "all_stops", lambda level: (level,))
        patched.setattr(making, "way_of", lambda slug: replace(way_of(slug), steps=tuple(steps(slug))))
        return way_file(slug, TravelOrder(("de",), answers=answers, scored=True))


@cache
def edition_of(slug: str, answers: bool = True) -> dict[str, Any]:
    """A tour as its file holds it."""
    (edition,) = taken_apart(tour(slug, answers).html()).said["editions"]
    return edition  # type: ignore[no-any-return]


def numbers(line: str) -> list[float]:
    """The numbers of a figure in JSON, the packed ones unpacked."""
    found: list[float] = []

    def collect(part: Any) -> None:
        if isinstance(part, dict) and "bdata" in part:
            found.extend(np.frombuffer(base64.b64decode(part["bdata"]), "<" + part["dtype"]).tolist())
        elif isinstance(part, (dict, list)):
            for each in part.values() if isinstance(part, dict) else part:
                collect(each)
        elif isinstance(part, (int, float)) and not isinstance(part, bool):
            found.append(float(part))

    collect(json.loads(line))
    return found


def kept(scene: Scene) -> Scene:
    """A scene as it travels: a drawing that one may point at loses the paragraph that says so."""
    return replace(scene, note="") if "data-low=" in (scene.drawing or "") else scene


def on_dark_paper(text: str, usual: dict[str, str], unusual: list[Any]) -> str:
    """A scene in the colors of dark paper, as the file's reader has it."""
    told, place = dict(zip(unusual[::2], unusual[1::2], strict=True)), iter(range(10**9))
    return COLOR.sub(lambda color: told.get(next(place), usual[color[0]]), text)


@pytest.mark.usefixtures("few_stops")
@pytest.mark.parametrize("setting", shared(FIRST, 6), ids=lambda setting: setting.name)
def test_every_view_travels_in_the_colors_of_both_papers(setting: Setting) -> None:
    """The colors that differ tell the picture on dark paper, which is letter by letter what the page draws."""
    made = traveller(setting)
    state = made.state()
    assert len(state.scenes) == (len({*ENDS}) if setting.moves else 1)
    for level, (light, dark) in zip(made.places, state.scenes, strict=True):
        assert on_dark_paper(light, state.colors, state.unusual(light, dark)) == dark
        for look, text in ((Look(separators=made.catalogue.separators), light), (made.look(level, dark=True), dark)):
            words, figure = stage.encoded(kept(made.at(level).scene(look))).split("\n")
            assert {**json.loads(words), "takes": 0} == {**json.loads(text.split("\n")[0]), "takes": 0}
            exact, short = numbers(figure), numbers(text.split("\n")[1])
            assert len(exact) == len(short)
            assert np.allclose(exact, short, rtol=1e-6, atol=1e-6 * max(map(abs, exact), default=0.0), equal_nan=True)


def test_numbers_are_shortened_by_less_than_a_millionth_of_their_range() -> None:
    far = np.array([1e9 + 0.25, 1e9 + 0.5])
    for values, kind in ((np.linspace(-3, 7, 50), "f4"), (far, "f8"), (np.array([np.nan, 1.0]), "f4")):
        line = f'{{"dtype":"f8","bdata":"{base64.b64encode(values.tobytes()).decode()}"}}'
        short = json.loads(shortened(line))
        assert short["dtype"] == kind
        back = np.frombuffer(base64.b64decode(short["bdata"]), "<" + kind)
        assert np.allclose(values, back, rtol=0, atol=1e-6 * np.ptp(values[np.isfinite(values)]), equal_nan=True)
    assert (
        shortened('{"x":[0.12345678901234,5],"t":"0.12345678901234"}') == '{"x":[0.12345679,5],"t":"0.12345678901234"}'
    )


def test_scenes_that_differ_in_more_than_colors_are_refused() -> None:
    with pytest.raises(ValueError, match="must differ in their colors alone"):
        states.recolored("#FFFFFF 1", "#12161C 2")


def betrayed(setting: Setting, audience: Audience = HIDDEN) -> list[str]:
    """The truths of a setting that stand in what a file holds around its scenes, at the ends and in the middle."""
    made, found = traveller(setting, audience), []
    state, truths = made.state(), Scenes(setting)
    for level, (light, _) in zip(made.places, state.scenes, strict=True):
        text = re.sub(r"<[^>]*>", " ", f"{light.split(chr(10))[2]} {state.head['settings']}")
        said = {token.replace("\u202f", "") for token in NUMBER.findall(text)}
        found += [
            name
            for name, secret in leaks.secrets(truths.facts(level), setting.page.slug).items()
            if said & secret.forms
        ]
    return found


@pytest.mark.usefixtures("few_stops")
@pytest.mark.parametrize("setting", shared(FIRST, 6, 1), ids=lambda setting: setting.name)
def test_what_stands_below_a_hidden_scene_tells_no_truth(setting: Setting) -> None:
    found = betrayed(setting)
    assert not {name for name in found if found.count(name) > len(ENDS) / 2}, "told at most stops: not by accident"


def test_a_truth_below_a_hidden_scene_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(states, "all_stops", lambda level: ENDS)
    counting = next(each for each in FIRST if each.name == "counting.0.one")
    assert not betrayed(counting)
    monkeypatch.setattr(states, "facts_below", lambda *given: FACTS(*given[:4], Look(), given[5]))
    assert "answer" in betrayed(counting)


def test_a_file_for_students_holds_no_answer_and_no_notes() -> None:
    """The speaker's file has both; what is hidden in a file for students is not in it."""
    for answers, names in ((True, {"shown", "hidden"}), (False, {"hidden"})):
        held = held_by(answers)
        (edition,) = held.said["editions"]
        assert all(set(version["states"]) == names for step in edition["steps"] for version in step["versions"])
        assert bool(edition["notes"]) == answers
        assert not answers or escape(catalogue_of("en").label("travel.keys")) in edition["notes"]
        assert ("882" in held.text.replace("\u202f", "")) == answers, "the answer of Counting, while people predict"


def test_tasks_keep_their_solutions_while_people_predict() -> None:
    """A solution may say in figures of its own what is predicted; a task never asks about a number that is hidden."""
    held = held_by(True)
    for step in held.said["editions"][0]["steps"]:
        for audience, name in step["versions"][0]["states"].items():
            told = [task for scene in held.scenes(name) for task in scene["below"]["tasks"]]
            assert all(bool(reveal) == (audience == "shown") for _, reveal in told)
            assert not [task for task, _ in told if re.search(r"(^|\s)\?[\s.,]", re.sub(r"<[^>]*>", "", task))]
    assert "4.77" not in held_by(False).text, "what is left of the battery"


def test_a_tour_for_students_who_read_alone_keeps_its_findings_back() -> None:
    for answers in (True, False):
        assert any(step["task"][1] for step in edition_of("notebook", answers)["steps"]) == answers


def test_a_tour_has_every_step_and_the_hall_in_place_of_a_live_room() -> None:
    asked, (edition,) = steps("lecture"), held_by(True).said["editions"]
    assert [step["name"] for step in edition["steps"]] == [step.name for step in asked]
    assert [step["predict"] for step in edition["steps"]] == [step.predict for step in asked]
    remarks = {step["name"]: step["remark"] for step in edition["steps"] if step["remark"]}
    assert remarks == {"room": catalogue_of("en").label("travel.hall")} and "response_n=800" in HALL


@pytest.mark.parametrize("slug", shared([each for each in ORDER if each != "lecture"], 2))
def test_every_tour_can_be_taken_along(slug: str) -> None:
    """By day those that are told in a room without their answers, which the lecture has."""
    edition = edition_of(slug, ALL or way_of(slug).alone)
    assert [step["name"] for step in edition["steps"]] == [step.name for step in steps(slug)]
    assert all(step["question"] and step["title"] for step in edition["steps"]) and edition["language"] == "de"
    assert any(step["task"][0] for step in edition["steps"]) == way_of(slug).alone


def test_a_file_asks_nobody_for_anything() -> None:
    made = lecture(True)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', made)
    assert policy is not None and "default-src 'none'" in policy[1] and "connect" not in policy[1]
    outside = re.sub(r'<script type="text/plain".*?</script>', "", made, flags=re.DOTALL)
    assert not re.search(r"""(?:src|href)=["']?(?!data:|#)\w|url\(|@import|https?://""", outside)


def test_files_are_as_small_as_promised(monkeypatch: pytest.MonkeyPatch) -> None:
    """A view 0.25 MB with drawings and 0.75 MB with Plotly, a lecture 1.5 MB, where the small bundle is fetched."""
    view, drawn = view_file(ONE, TravelOrder()), view_file(ONE, TravelOrder(drawn=True))
    small = 500_000 if plotlyscript.script().parent == plotlyscript.BUNDLES else 1_500_000
    plotly = len(files._plotly())
    assert plotly < 1.3 * small
    assert len(drawn.html()) < 250_000
    assert len(view.html()) - plotly < 130_000
    assert not ALL or len(lecture(True, STOPS)) - plotly < 880_000
    monkeypatch.setattr(files, "LARGEST", 1000)
    with pytest.raises(TooLargeError, match="8 MB"):
        drawn.html()


@pytest.mark.usefixtures("one_stop")
def test_one_more_control_travels_with_its_options() -> None:
    control = ("counting_mechanism", "Noise", {"laplace": "Laplace", "gauss": "Normal"})
    (edition,) = taken_apart(view_file(ONE, TravelOrder(drawn=True), control).html()).said["editions"]
    (step,) = edition["steps"]
    assert step["control"] == "Noise" and [each["title"] for each in step["versions"]] == ["Laplace", "Normal"]
    with pytest.raises(LinkError, match="at most 10 values; this one has 11"):
        view_file(ONE, TravelOrder(), ("n", "n", {str(each): str(each) for each in range(11)}))


def test_a_link_opens_as_it_does_for_everybody() -> None:
    view = opened("/counting?epsilon=0.3&counting_seed=4&counting_tab=one&foo=1", "de")
    assert (view.viewed.level, view.viewed.view.slug, view.viewed.language) == (0.3, "one", "de")
    assert view.link == "counting?counting_seed=4&epsilon=0.3&counting_tab=one" or "counting_seed=4" in view.link
    assert len(view.complaints) == 1 and "foo" in view.complaints[0]


@pytest.mark.parametrize(
    ("language", "nowhere", "viewless", "lost"),
    [
        ("en", "“nothing” is none of them", "The page Reference has no view", "A tour must be one of these"),
        ("de", "„nothing“ ist keine davon", "Die Seite Nachschlagen hat keine Ansicht", "Eine Tour muss eine"),
        ("fa", "«nothing» هیچ‌کدام از آن‌ها نیست", "نمایی ندارد که بشود همراه برد", "مسیر باید یکی از این‌ها باشد"),
    ],
)
def test_a_link_to_nowhere_is_refused_in_the_language_of_its_reader(
    language: str, nowhere: str, viewless: str, lost: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(work: Callable[[], object]) -> str:
        with pytest.raises(LinkError) as problem:
            work()
        return re.sub("[\u2066-\u2069]", "", str(problem.value))

    order = TravelOrder(languages=(language,))
    assert nowhere in refused(lambda: opened("/nothing", language)) == refused(lambda: view_file("/nothing", order))
    assert viewless in refused(lambda: opened("/reference", language))
    assert lost in refused(lambda: way_file("nothing", order))
    assert main(["way", "nothing", "none.html", "--languages", language]) == REFUSED
    assert lost in re.sub("[\u2066-\u2069]", "", capsys.readouterr().err)


def test_a_process_of_its_own_makes_the_same_file() -> None:
    """Of a view that no level moves: it has one stop."""
    link, address = "/limits?limits_tab=exponents", "https://example.org"
    heard: list[float] = []
    made = TravelQuestion("view", link, drawn=True, address=address).run(heard.append).decode()
    assert heard == [1.0] and made == view_file(link, TravelOrder(drawn=True, address=address)).html()
    assert f'"link":"{address}{link}"' in made


def run_by(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask for a file of a process that does something else."""
    begin = process.subprocess.Popen
    monkeypatch.setattr(process.subprocess, "Popen", lambda asked, **named: begin([asked[0], "-c", code], **named))
    TravelQuestion("view", ONE).run()


def test_a_process_says_why_there_is_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command ends with its own status where it refuses; of what such a process says the last line is told."""
    monkeypatch.setattr(logging, "disable", lambda level: None)
    monkeypatch.setattr(sys, "argv", ["travel", "view", "/nothing", "none.html"])
    monkeypatch.delitem(sys.modules, main.__module__)
    with pytest.raises(SystemExit) as ended:
        runpy.run_module(main.__module__, run_name="__main__")
    assert ended.value.code == REFUSED
    with pytest.raises(UnmadeError, match=r"^none of them$"):
        run_by(f"import sys; sys.stderr.write('0.5\\nnone of them\\n'); sys.exit({REFUSED})", monkeypatch)


def test_a_process_that_breaks_off_tells_readers_nothing_of_its_insides(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command lets a mistake end it; what a process that ends so has said is not handed on."""
    monkeypatch.setattr(logging, "disable", lambda level: None)
    with pytest.raises(IndexError):
        main(["view", ONE, "none.html", "--drawn", "--control", "[]"])
    with pytest.raises(UnmadeError, match=r"^$"):
        run_by("raise IndexError('of /home/somebody')", monkeypatch)


@pytest.mark.usefixtures("one_stop")
def test_the_command_says_what_it_cannot_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging, "disable", lambda level: None)
    assert main(["view", f"{ONE}&foo=1", str(tmp_path / "one.html"), "--drawn"]) == 0
    assert "foo" in capsys.readouterr().err
    assert main(["way", "nowhere", str(tmp_path / "way.html")]) == REFUSED
    assert "“nowhere” is none of them" in capsys.readouterr().err
    assert [each.name for each in tmp_path.iterdir()] == ["one.html"]


def test_a_view_cannot_be_scored(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["view", ONE, "one.zip", "--scored"]) == REFUSED
    assert "Only a whole tour can be an activity" in capsys.readouterr().err


def test_an_order_is_written_as_the_command_reads_it() -> None:
    control = options_of("n", "People", {"10": "10"})
    asked = TravelQuestion("view", ONE, ("en", "de"), answers=False, drawn=True, control=control).arguments
    assert asked[:4] == ["--without-answers", "--drawn", "--control", control] and asked[-2:] == ["en", "de"]


def test_formulas_are_typeset_without_a_script() -> None:
    made = prose(r"A **level** $\alpha = \Bigl\lfloor x \Bigr\rfloor$:" + "\n\n" + r"$$\frac{1}{2}$$")
    assert made.count("<math") == 2 and "<mfrac>" in made and "<strong>level</strong>" in made
    assert "\\" not in made, "a command that nobody knows would stand there as it is written"


@pytest.mark.parametrize("language", languages())
def test_every_formula_of_the_catalogue_is_typeset(language: str) -> None:
    for setting in (each for each in FIRST if each.view.slug == next(iter(each.page.views))):
        state = traveller(setting, language=language)
        below = json.loads(state._told_at(0.3, dark=False).split("\n")[2])
        text = below["why"] + "".join(part for task in below["tasks"] for part in task)
        assert not re.search(r"\\[a-zA-Z]|\$", re.sub(r"<[^>]*>", "", text)), (setting.name, text)


@pytest.mark.parametrize("page", PAGES)
def test_of_an_own_table_a_file_for_the_public_holds_nothing(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two tables with the same columns and nothing else in common leave one file, letter by letter.

    By day of a view of each page, which the page's place says, half of them at one level of two; every other file
    also holds what is shown to those who need not predict, which `test_public.py` compares on all of them.
    """
    place, compared = PAGES.index(page), pairs(page)
    monkeypatch.setattr(states, "all_stops", lambda level: (0.1, level)[not ALL and place // 2 % 2 == 0 :])
    order = TravelOrder(("en",), answers=ALL or place % 2 == 0, drawn=True, public=True, own=True)
    for one, other in shared(compared, len(compared), place):
        first, second = (file_of(each, order) for each in (one, other))
        assert first == second, one.name
        text = taken_apart(first).text
        assert not [word for word in WORDS if word in text and word not in asked_for(one)], one.name


def file_of(setting: Setting, order: TravelOrder) -> str:
    viewed = Viewed(setting.page, setting.view, setting.asked, setting.own, 1.0, "en", scenes.answered)
    return seen_file(OpenedView(viewed, "https://example.org/x?data=own&counting_seed=3"), order).html()


def test_a_file_for_the_public_that_tells_of_a_table_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(states, "all_stops", lambda level: (level,))
    monkeypatch.setattr(states, "leaving", lambda viewed, look, audience: viewed.scene(look))
    order = TravelOrder(("en",), drawn=True, public=True, own=True)
    one, other = next(pair for pair in pairs("counting") if pair[0].view.slug == "one")
    assert file_of(one, order) != file_of(other, order)


@pytest.mark.usefixtures("one_stop")
@pytest.mark.parametrize("setting", [each for each in FIRST if each.view.brought], ids=lambda setting: setting.name)
def test_what_a_reader_brought_travels_below_its_question(setting: Setting) -> None:
    (edition,) = taken_apart(file_of(setting, TravelOrder(drawn=True))).said["editions"]
    assert edition["steps"][0]["question"].endswith("?")


@pytest.mark.usefixtures("one_stop")
def test_every_edition_of_a_view_says_in_its_language_where_it_comes_from() -> None:
    setting = next(each for each in FIRST if each.name == "counting.0.one")
    view = replace(traveller(setting).view, seed=4, link="counting")
    editions = taken_apart(seen_file(view, TravelOrder(("en", "de"), drawn=True)).html()).said["editions"]
    told = [edition["steps"][0]["versions"][0]["source"] for edition in editions]
    assert "seed 4" in told[0] and "Startwert 4" in told[1]


@pytest.mark.usefixtures("one_stop")
def test_a_file_for_the_room_says_so() -> None:
    order = TravelOrder(("de",), drawn=True, public=False, own=True)
    held = taken_apart(file_of(settings_of_a_table()[0], order))
    assert held.said["editions"][0]["steps"][0]["remark"] == catalogue_of("de").label("room_alone")


def test_a_view_whose_every_level_is_a_release_travels_at_its_level_alone() -> None:
    (setting, *_) = settings_of_a_table()
    viewed = Viewed(setting.page, setting.view, setting.asked, setting.own, 1.0, "en", scenes.answered)
    asked: list[tuple[float, bool]] = []

    def at(level: float, hidden: bool) -> Viewed[object]:
        asked.append((level, hidden))
        return viewed

    view = OpenedView(viewed, "counting", at=at, still=True)
    state = Traveller(view, Audience(public=False, own=True)).state()
    assert len(state.scenes) == 1 and {*asked} == {(1.0, False)}


def test_a_course_platform_takes_a_tour_as_an_activity() -> None:
    """By SCORM 1.2: a manifest with one page, its parts named as the schema has them; the same bytes each time."""
    made = tour("five")
    package = packaged("ldp-explorer-five", made)
    assert package == packaged("ldp-explorer-five", made)
    archive = zipfile.ZipFile(io.BytesIO(package))
    assert archive.namelist() == ["imsmanifest.xml", "index.html"] and archive.testzip() is None
    manifest = ET.fromstring(archive.read("imsmanifest.xml"))
    ims, adl = "{http://www.imsproject.org/xsd/imscp_rootv1p1p2}", "{http://www.adlnet.org/xsd/adlcp_rootv1p2}"
    (resource,) = manifest.iter(f"{ims}resource")
    assert resource.get(f"{adl}scormtype") == "sco" and resource.get("href") == "index.html"
    (item,) = manifest.iter(f"{ims}item")
    assert item.get("identifierref") == resource.get("identifier")
    assert manifest.findtext(f"{ims}metadata/{ims}schemaversion") == "1.2"
    assert taken_apart(archive.read("index.html").decode()).said["scored"] is True
