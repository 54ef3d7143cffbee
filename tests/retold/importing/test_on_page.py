"""A log that is brought in at home: the questions of the terminal as pages, and nothing half done."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import retold
from retold.importing.verb.answers import AnswersFile
from retold.importing.verb.on_page import LogOnPage
from retold.sources import read
from tests.patience import PATIENCE
from tests.retold.home.browser import IN_THE_NETWORK, LARGEST, Answer, Browser, Running, at_home

LOG: Final = """--- Log opened Sun Mar 01 19:30:00 2026
19:42 <Mary> The ferry has not moved since noon.
19:43 <Zel> Somebody is aboard.
19:44 <Zel> 3d6 [1, 4, 6] = 11
19:45 <Odo> I hold the lamp.
19:46 <Odo> And the rope.
19:47 <Odo> And the knife.
19:48 <Odo> And the key.
"""
ANSWERS: Final[dict[str, dict[str, str]]] = {
    "Which time zone": {"typed": "Lisbon"},
    "Who is the game master": {"typed": "Mary"},
    "Who is Odo": {"typed": "npc", "name": "nobody of that name"},
    "Who is Zel": {"typed": "by", "name": "Jon"},
}

ACTS: Final = ("file", "answer", "record", "cancel", "play")


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    with at_home(tmp_path / "state", tmp_path / "campaigns") as found:
        yield found


@pytest.fixture
def browser(running: Running) -> Browser:
    return running.browser()


def bring(browser: Browser, data: bytes = LOG.encode(), name: str = "the-ferry.log") -> Answer:
    answer = browser.ask(f"/home/log/file?name={name}", raw=data, accept="application/json")
    assert (answer.status, answer.json) == (200, {"at": "/home/log/"})
    return shown(browser)


def shown(browser: Browser) -> Answer:
    """The page once it waits for its user."""
    for _ in range(int(PATIENCE)):  # each waits for two seconds
        answer = browser.ask("/home/log/")
        if b"One moment" not in answer.body and b" of " not in answer.said.encode():
            return answer
    raise AssertionError


def heading(answer: Answer) -> str:
    found = re.search(r"<h2[^>]*>(.*?)</h2>", answer.body.decode())
    return found[1] if found else ""


def say(browser: Browser, **form: str | list[str]) -> Answer:
    browser.ask("/home/log/answer", form)
    return shown(browser)


def answered(browser: Browser) -> list[str]:
    """Answers all that is asked; returns the questions."""
    asked, answer = [], shown(browser)
    while (question := heading(answer)) not in ("This will come of it", "It cannot come in"):
        asked.append(question)
        form = next((form for begins, form in ANSWERS.items() if question.startswith(begins)), {"typed": ""})
        answer = say(browser, **form)
    return asked


def test_a_log_comes_in_as_the_same_answers_would_bring_it_in(
    running: Running, browser: Browser, tmp_path: Path
) -> None:
    bring(browser)
    assert [question.partition("?")[0] for question in answered(browser)] == [
        "Which time zone are the times in",
        "Who is the game master",
        "Who is Odo",
        "Who is Zel",
    ]
    assert [*running.folder.iterdir()] == []
    browser.ask("/home/log/record", {"title": "The Ferry"})
    done = shown(browser)
    at = browser.ask("/home/log/play", {}).headers["location"]

    assert heading(done) == "It is recorded"
    assert at == "/c/the-ferry/as/gm/"
    (tmp_path / "the-ferry.log").write_text(LOG, "utf-8")
    file = AnswersFile(tmp_path / "answers.toml")
    file.write(
        'zone = "Europe/Lisbon"\ngame_master = ["Mary"]\n'
        '[people.Zel]\nplays = "Jon"\n[people.Odo]\nrole = "npc"\n'
    )
    with retold.new(tmp_path / "typed.retold", title="The Ferry") as typed:
        typed.take_in([read(tmp_path / "the-ferry.log")], file.answers)
        with retold.open(running.folder / "The Ferry.retold", read_only=True) as made:
            assert [one.told for one in made.happened()] == [one.told for one in typed.happened()]


def test_an_answer_that_is_not_understood_is_asked_again_with_the_reason(browser: Browser) -> None:
    bring(browser)
    answer = say(browser, typed="Nowhere at all")

    assert heading(answer).startswith("Which time zone")
    assert "Nowhere at all" in answer.said


def test_the_lines_that_a_question_is_about_are_shown(browser: Browser) -> None:
    bring(browser)
    say(browser, typed="Lisbon")
    answer = say(browser, typed="Mary")

    assert heading(answer).startswith("Who is Odo")
    assert "I hold the lamp." in answer.body.decode()


def test_the_game_master_is_chosen_from_those_who_speak(browser: Browser) -> None:
    bring(browser)
    answer = say(browser, typed="Lisbon")
    offered = re.findall(r'name="typed" value="([^"]*)" type="checkbox"', answer.body.decode())
    several = say(browser, typed=["Mary", "Zel"])

    assert offered == ["Odo", "Zel", "Mary", "nobody"]
    assert heading(several).startswith("Who is Odo")
    assert b"Who is Zel" not in say(browser, typed="npc").body


def test_one_of_many_is_chosen_with_what_they_are(running: Running, browser: Browser) -> None:
    lines = LOG.replace("<Odo> And", "<Mary> And").replace("<Zel> 3d6", "<The Old One> 3d6")
    bring(browser, lines.encode())
    say(browser, typed="Lisbon")
    answer = say(browser, typed="Mary")
    assert "<option>The Old One</option>" in answer.body.decode()
    say(browser, who="The Old One", typed="by", name="Kit")
    say(browser, who="Zel", typed="as proposed", name="ignored")
    browser.ask("/home/log/record", {"title": "The Ferry"})
    shown(browser)

    with retold.open(running.folder / "The Ferry.retold", read_only=True) as made:
        cast = made.view("cast").to_json()["cast"]
    assert {one["name"]: (one["player"] or {}).get("name") for one in cast if one["role"] == "character"} == {
        "The Old One": "Kit",
        "Zel": None,
        "Odo": None,
    }


def test_the_question_before_is_asked_again(browser: Browser) -> None:
    bring(browser)
    say(browser, typed="Lisbon")

    assert heading(say(browser, back="1")).startswith("Which time zone")
    assert len(answered(browser)) == 4


def test_a_log_given_up_leaves_nothing(running: Running, browser: Browser) -> None:
    bring(browser)
    answered(browser)
    assert browser.ask("/home/log/cancel", {}).headers["location"] == "/home/"

    assert browser.ask("/home/log/").headers["location"] == "/home/"
    assert [*running.folder.iterdir()] == []


def test_given_up_while_it_is_recorded_nothing_is_left(running: Running, tmp_path: Path) -> None:
    path = tmp_path / "log" / "ferry.log"
    path.parent.mkdir()
    path.write_text(LOG, "utf-8")
    log = LogOnPage(path, running.home.shelf.make)
    for typed in ("Lisbon", "Mary", "npc", "by Jon"):
        log.settle(PATIENCE)
        log.answer(typed)
    log.settle(PATIENCE)
    assert log.is_ready

    log.cancel()
    log.record("The Ferry")
    log.settle(PATIENCE)

    assert (log.made, log.report) == (None, ("Given up; nothing is recorded.",))
    assert log.done > 0  # some of it was recorded by then
    assert [*running.folder.iterdir()] == []


def test_another_log_takes_its_place(browser: Browser) -> None:
    bring(browser)
    say(browser, typed="Lisbon")

    assert heading(bring(browser)).startswith("Which time zone")


@pytest.mark.parametrize(
    ("name", "data"),
    [("a.log", b""), ("a.json", b"{"), ("photo.png", b"\x89PNG\r\n\x1a\n"), ("a.zip", b"PK\3\4")],
)
def test_files_other_than_logs_are_refused(
    running: Running, browser: Browser, name: str, data: bytes
) -> None:
    answer = bring(browser, data, name)

    assert heading(answer) == "It cannot come in"
    assert "should not have" not in answer.body.decode()
    assert [*running.folder.iterdir()] == []


@pytest.mark.parametrize("name", ["../../up.log", "/etc/up.log", "..", "", "\0", "a" * 300 + ".log"])
def test_a_log_stays_in_its_own_folder(running: Running, browser: Browser, tmp_path: Path, name: str) -> None:
    before = {*tmp_path.iterdir()}
    browser.ask(
        f"/home/log/file?name={name.replace(chr(0), '%00')}", raw=LOG.encode(), accept="application/json"
    )

    assert heading(shown(browser))
    assert {*tmp_path.iterdir()} == before


@pytest.mark.parametrize("name", ["file", "answer", "record", "cancel", "play"])
def test_only_the_browser_at_home_brings_a_log_in(running: Running, browser: Browser, name: str) -> None:
    stranger = Browser(running.port)

    assert stranger.ask(f"/home/log/{name}", {}).status == 403
    assert browser.ask(f"/home/log/{name}", {}, headers={"origin": "http://evil.example"}).status == 403


def test_acts_without_a_log_change_nothing(running: Running, browser: Browser) -> None:
    for name in ("answer", "record", "cancel"):
        assert browser.ask(f"/home/log/{name}", {"title": "x", "typed": "x"}).status == 303
    assert browser.ask("/home/log/play", {}).status == 422
    assert [*running.folder.iterdir()] == []


def test_a_log_that_is_too_large_is_not_read(browser: Browser) -> None:
    answer = browser.ask("/home/log/file?name=a", raw=b"0" * (LARGEST + 1), accept="application/json")

    assert answer.status == 413


# --- who may ask ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": None},
        {"origin": "null"},
        {"origin": "http://evil.example"},
        {"origin": "http://127.0.0.1:1"},
        {"sec-fetch-site": "cross-site"},
        {"host": IN_THE_NETWORK},
        {"host": "evil.example"},
    ],
    ids=str,
)
def test_no_page_of_another_site_and_no_phone_changes_a_log(
    running: Running, browser: Browser, headers: dict[str, str | None]
) -> None:
    before = heading(bring(browser))

    answers = [browser.ask(f"/home/log/{name}", {"typed": "x"}, headers=headers) for name in ACTS]

    assert {answer.status for answer in answers} <= {400, 403}
    assert heading(shown(browser)) == before
    assert [*running.folder.iterdir()] == []
