"""The page that asks a room: what is typed, opened, answered, closed and forgotten, and what is refused in words."""

from __future__ import annotations

from urllib.parse import urlsplit

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from explorer.pages.ask.settings import PollDraft
from explorer.poll.collected import CollectedAnswers, elsewhere
from explorer.poll.denials import DenialError
from explorer.poll.questions import PollQuestion, choice, number, yes_or_no
from explorer.poll.rooms import Presenter, Rooms
from explorer.text import languages
from explorer.text.catalogue import catalogue_of
from explorer.ui.sessionkeys import PRESENTER
from ldpcore.experiments.means import RealMean
from ldpcore.experiments.polls import RoomAnswers
from ldpcore.mechanisms.onebit import OneBit
from tests.rationing import crossed
from tests.samples.ask import samples
from tests.screens.opening import (
    answer,
    below,
    complaints,
    link_of,
    looked_at,
    numbers_in,
    opened,
    plain,
    stage,
    undeclared,
)

COPIED = yes_or_no("Have you ever copied in an exam?", 1.1)
WAY = choice("How did you come?", ("On foot", "By bicycle", "By bus"), 2.0)
SLEEP = number("How long did you sleep?", 0, 12, 1.0, kept=False)


def pressed(app: AppTest, name: str) -> AppTest:
    """A button of the page is pressed."""
    app.button(key=f"ask_{name}").click().run()
    assert not app.exception, [error.value for error in app.exception]
    return app


def opener(app: AppTest) -> Presenter:
    """Whoever presents in this session."""
    held = app.session_state[PRESENTER.name]
    assert isinstance(held, Presenter)
    return held


def answered(rooms: Rooms, code: str, n: int, pin: str = "") -> np.ndarray:
    """So many phones join and answer with a yes, or with the first answer; the sums of their reports."""
    card, rng = rooms.card(code), np.random.default_rng(n)
    assert card.asked is not None
    toss = card.asked.toss
    totals = np.zeros(toss.places, dtype=np.int64)
    for _ in range(n):
        report = toss.report(0, int(rng.integers(toss.total)))
        rooms.report(code, rooms.join(code, pin), card.serial, report)
        for place, more in toss.increments(report):
            totals[place] += more
    return totals


def presented(rooms: Rooms, asked: PollQuestion, n: int = 0, **link: str) -> tuple[AppTest, Presenter]:
    """The page of a presenter who comes with the key of a room in which a question is open."""
    held = rooms.open()
    rooms.ask(held, asked)
    answered(rooms, held.code, n)
    app = opened("ask", **link)
    app.session_state[PRESENTER.name] = held
    return app.run(), held


def pictures(app: AppTest) -> str:
    """All drawings of the page."""
    sent = [each for each in app.get("bidi_component") if each.proto.component_name.endswith("ldp_drawing")]
    return "".join(each.proto.json or bytes(each.proto.bytes).decode() for each in sent)


def said(app: AppTest) -> str:
    """The sentences of the board, as they are read."""
    return " ".join(plain(str(each.proto.body)) for each in app.get("html") if 'class="ldp-says"' in each.proto.body)


def test_a_question_is_opened_answered_closed_and_forgotten(rooms: Rooms) -> None:
    app = pressed(opened("ask"), "open")
    held = opener(app)
    room = rooms.look(held)
    assert room.current is not None and room.current.asked.text.startswith("Have you ever copied")
    assert room.card.stage == "open" and held.code in answer(app) and held.code in pictures(app)
    totals = answered(rooms, held.code, 40)
    app.run()
    assert f"{totals[0]} yes" in pictures(app).replace("\u00a0", " ") and "40 phones" in said(app)
    pressed(app, "close")
    assert rooms.card(held.code).stage == "closed" and not undeclared(app)
    assert pressed(pressed(app, "reopen"), "close") and rooms.look(held).joined == 40
    pressed(app, "forget")
    assert "ask_open" in [button.key for button in app.button] and PRESENTER.name not in app.session_state
    with pytest.raises(DenialError):
        rooms.look(held)


def test_a_room_votes_on_the_fakes_and_its_votes_are_told_with_the_truth_and_never_before(rooms: Rooms) -> None:
    app = opened("verify", verify_mode="gallery", verify_exhibits="3")
    app.button(key="verify_ballot").click().run()
    held = opener(app)
    totals = answered(rooms, held.code, 40)
    told = [f"{count} votes" for count in totals if count > 1]
    assert totals.sum() == 40 and totals[0] > 30 and not any(each in staged(app.run()) for each in told)
    app.button(key="verify_reveal").click().run()
    assert all(each in staged(app) for each in told) and not complaints(app)
    app.number_input(key="verify_seed").set_value(2).run()
    app.button(key="verify_reveal").click().run()
    assert not any(each in staged(app) for each in told)  # nobody has voted about these


def staged(app: AppTest) -> str:
    """All that the stage is sent."""
    sent = [each for each in app.get("bidi_component") if each.proto.component_name.endswith("ldp_stage")]
    return "".join(each.proto.json or each.proto.bytes.decode(errors="replace") for each in sent)


def test_the_estimate_on_the_screen_is_that_of_the_core(rooms: Rooms) -> None:
    app, held = presented(rooms, COPIED, 200)
    current = rooms.look(held).current
    assert current is not None
    result = current.answers()
    assert result is not None
    low, high = result.run().intervals[0]
    assert numbers_in(said(app).replace("\u202f", ""))[1:3] == pytest.approx([100 * low, 100 * high], abs=1)


@pytest.mark.parametrize(
    ("asked", "lang"), crossed([COPIED, WAY, SLEEP], languages(), 3), ids=lambda part: getattr(part, "kind", str(part))
)
def test_nobody_one_and_many_are_told_in_every_language(rooms: Rooms, asked: PollQuestion, lang: str) -> None:
    app, held = presented(rooms, asked, lang=lang)
    assert catalogue_of(lang).text("ask", "told first") in [text.value for text in app.markdown]
    for more in (1, 30):
        answered(rooms, held.code, more)
        app.run()
        assert not app.exception and not complaints(app) and not app.error
        assert "ldp-poll" in pictures(app) and "@{" not in said(app)


def test_a_second_round_says_what_the_rounds_have_cost(rooms: Rooms) -> None:
    app, held = presented(rooms, SLEEP, 20)
    pressed(pressed(app, "close"), "repeat")
    assert rooms.card(held.code).round == 2
    assert "α = 2" in said(app) and "ldp-rounds" in pictures(app)
    pressed(app, "close")
    pressed(app, "next")
    app.text_input(key="ask_copied_en_text").set_value("Another one?").run()
    pressed(app, "open")
    room = rooms.look(held)
    assert [question.asked.text for question in room.questions] == [SLEEP.text, "Another one?"]
    assert room.spent == pytest.approx(3.1)
    assert any("α = 3.1" in text.value for text in app.markdown), [text.value for text in app.markdown]


BAD = {
    "a question of 10 000 letters": ("copied", "text", "x" * 10_000, {}, "300"),
    "no question": ("copied", "text", "  ", {}, "question"),
    "13 answers": ("way", "answers", "\n".join(map(str, range(13))), {"ask_tab": "choice"}, "12"),
    "one answer": ("way", "answers", "alone", {"ask_tab": "choice"}, "two"),
    "bounds that are reversed": ("sleep", "low", "13", {"ask_tab": "number"}, "13"),
    "a bound that is none": ("sleep", "high", "many", {"ask_tab": "number"}, "many"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_asked_gets_one_sentence_and_opens_nothing(rooms: Rooms, case: str) -> None:
    example, name, text, link, hint = BAD[case]
    app = opened("ask", **link)
    box = app.text_area if name == "answers" else app.text_input
    box(key=f"ask_{example}_en_{name}").set_value(text).run()
    (complaint,) = complaints(app)
    assert hint in complaint and app.button(key="ask_open").disabled and not app.exception
    assert PRESENTER.name not in app.session_state


def test_a_level_beyond_all_is_refused(rooms: Rooms) -> None:
    app = opened("ask", epsilon="1e9")
    assert len(complaints(app)) == 1
    pressed(app, "open")
    current = rooms.look(opener(app)).current
    assert current is not None and current.asked.epsilon == 1.1


def test_a_pin_is_asked_for_where_one_is_typed(rooms: Rooms) -> None:
    app = opened("ask")
    app.text_input(key="ask_pin").set_value("4711").run()
    app = pressed(app, "open")
    code = opener(app).code
    assert "4711" in pictures(app)
    with pytest.raises(DenialError):
        rooms.join(code)
    answered(rooms, code, 3, "4711")
    app = opened("ask")
    app.text_input(key="ask_pin").set_value("1" * 13).run()
    app = pressed(app, "open")
    assert len(complaints(app)) == 1 and PRESENTER.name not in app.session_state


def test_the_key_is_in_its_own_link_and_nowhere_else(rooms: Rooms) -> None:
    app, held = presented(rooms, COPIED, 5)
    assert not dict(app.query_params)
    (own,) = [code.value for code in app.code]
    assert urlsplit(own).fragment == f"key={held.code}.{held.key}" and not urlsplit(own).query
    below(pressed(app, "close"), "take_away")
    assert [held.key in code.value for code in app.code].count(True) == 1
    assert held.key not in pictures(app) + said(app)
    assert all(held.key not in text.value for text in (*app.markdown, *app.caption))


@pytest.mark.parametrize("key", ["", "BCDFGH", "BCDFGH.wrong", "nonsense.x", "\ud800.\ud800"])
def test_a_key_of_no_room_gets_one_sentence(rooms: Rooms, key: str) -> None:
    app = opened("ask")
    code, _, secret = key.partition(".")
    app.session_state[PRESENTER.name] = Presenter(code, secret)
    app.run()
    assert len(complaints(app)) == 1 and "ask_open" in [button.key for button in app.button]
    assert not app.exception and not app.error and PRESENTER.name not in app.session_state


def test_a_room_that_was_forgotten_elsewhere_is_said_to_be_gone(rooms: Rooms) -> None:
    app, held = presented(rooms, COPIED, 5)
    rooms.forget(held)
    app.run()
    assert len(complaints(app)) == 1 and PRESENTER.name not in app.session_state
    assert not complaints(app.run())


def test_phones_are_told_which_view_the_screen_shows(rooms: Rooms) -> None:
    app, held = presented(rooms, COPIED)
    app.switch_page("pages/response.py").run()
    assert rooms.card(held.code).screen == "/response"
    app.session_state["_room"]["hide"] = True
    link_of(app).held["epsilon"], link_of(app).touched = 0.3, True
    app.run()
    assert rooms.card(held.code).screen == "/response?epsilon=0.3&hide=true"
    app.switch_page("pages/ask.py").run()
    assert rooms.card(held.code).screen == ""


def test_a_show_of_hands_stands_beside_the_estimate_and_hides_with_the_truth(rooms: Rooms) -> None:
    app, _ = presented(rooms, COPIED, 30)
    pressed(app, "close")
    for place, hands in enumerate((21, 9)):
        app.number_input(key=f"ask_hands_1_{place}").set_value(hands).run()
    assert "70" in said(app) and 'class=\\"truth\\"' in pictures(app)
    app.session_state["_room"]["hide"] = True
    app.run()
    assert "70" not in said(app) and 'class=\\"truth\\"' not in pictures(app)


@pytest.mark.parametrize("asked", [COPIED, WAY, SLEEP, number("Savings?", 0, 100, 4.0)], ids=["rr", "grr", "bit", "pm"])
def test_the_same_tally_opens_on_the_page_about_such_answers(rooms: Rooms, asked: PollQuestion) -> None:
    app, held = presented(rooms, asked, 60)
    pressed(app, "close")
    current = rooms.look(held).current
    assert current is not None
    way = elsewhere(CollectedAnswers.of(current))
    assert way is not None
    slug, parameters = way
    other = opened(slug, **parameters)
    assert not complaints(other) and stage(other).chosen == "real"
    result = current.answers()
    assert result is not None
    low, high = max(result.run().intervals, key=lambda ends: ends[0] + ends[1])
    ends = [float(asked.scale.outward(end)) for end in (low, high)] if asked.kind == "number" else [low, high]
    scale = 1 if asked.kind == "number" else 100
    read = numbers_in(answer(other).replace("\u202f", ""))
    for end in ends:
        assert any(value == pytest.approx(scale * end, abs=0.01 * scale) for value in read), (end, read)


def test_a_plan_s_evaluation_takes_the_count_of_the_presenter_s_own_room_once_its_round_is_closed(rooms: Rooms) -> None:
    app, held = presented(rooms, COPIED, 60)
    app.switch_page("pages/response.py").run()
    looked_at(app, "real")
    assert "response_room_count" not in {each.key for each in app.button}  # people still answer
    rooms.close(held)
    app.run()
    current = rooms.look(held).current
    assert current is not None
    app.button(key="response_room_count").click().run()
    assert not app.exception and app.query_params["response_answers"] == f"{current.rounds[-1].totals[0]}/60"
    assert app.query_params["response_design"] == "level" and stage(app).level == COPIED.epsilon


def test_every_tally_leads_elsewhere_with_its_own_numbers() -> None:
    for collected in samples():
        way = elsewhere(collected)
        assert way is not None and way[1][f"{way[0]}_tab"] == "real"
    assert elsewhere(CollectedAnswers(COPIED, (0, 0), 0)) is None


def test_a_draft_becomes_the_question_that_it_says() -> None:
    assert PollDraft("yesno", COPIED.text).asked(1.1) == COPIED
    assert PollDraft("choice", WAY.text, ("On foot", "", " By bicycle ", "By bus")).asked(2.0) == WAY
    assert PollDraft("number", SLEEP.text, (), 0, 12, kept=False).asked(1.0) == SLEEP


def test_a_tally_of_bits_and_its_mean_tell_the_same() -> None:
    toss, n, up = SLEEP.toss, 80, 30
    told = RoomAnswers(toss, (n - up, up), n, scale=SLEEP.scale).run()
    mean = float(SLEEP.scale.outward(told.estimates[0]))
    again = RealMean(OneBit(SLEEP.epsilon), mean, n, SLEEP.scale).run()
    assert again.interval == pytest.approx([float(SLEEP.scale.outward(end)) for end in told.intervals[0]])
