"""A guest that fails at each of its doors in turn: the rest of every page is there, and it is named."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import retold
from retold.__main__ import main
from retold.cli.console.offers import Known, offers
from retold.game import check
from retold.journal import games, packages
from retold.journal.games import Guest
from retold.journal.language import proposed
from retold.journal.language.naming import find_thing
from retold.journal.systems import SYSTEMS
from retold.projections import games as rooms
from retold.projections import plain, prose
from tests.guests.wreckers.planted import FAILING

WRECKERS = Guest("wreckers", "retold-wreckers 1.0", "tests.guests.wreckers")
EVENING = """campaign Reef
cast gm by=Ines
cast Ada by=Ann wreckers lungs=3
cast Teo by=Ben wreckers lungs=4
session First tide
scene The quay
conflict "The wreck" wreckers Ada vs Teo
swim Ada: Under the hull.
swim Teo
note: The bell rings twice.
narrate Ada: I come up with the bell.
"""
FIRST_SWIM = 16
"""Position of the first swim."""


@pytest.fixture(scope="module")
def installed() -> Iterator[set[str]]:
    """Wreckers as if it were installed; the set holds the doors at which it fails."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(games, "_installed", lambda: (WRECKERS,))
        assert "wreckers" in SYSTEMS, SYSTEMS.troubles()
        yield FAILING
    SYSTEMS._loaded.pop("wreckers", None)
    for cached in (rooms.load_room, plain.noted, prose.game):
        cached.cache_clear()


@pytest.fixture(scope="module")
def played(installed: set[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The evening, played while nothing fails."""
    assert not installed
    path = tmp_path_factory.mktemp("played") / "evening.retold"
    with retold.new(path) as campaign:
        campaign.play(EVENING)
    return path


class Ended(NamedTuple):
    """What a command came to."""

    code: int
    out: str
    err: str


class Table:
    """A folder with the evening in it, where commands are said."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def say(self, line: str) -> Ended:
        """Runs a command in this process."""
        self.capsys.readouterr()
        code = main(line.split(" "))
        return Ended(code, *self.capsys.readouterr())


@pytest.fixture
def table(
    played: Path,
    installed: set[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Iterator[Table]:
    """A fresh copy of the evening, without anything kept beside it."""
    (tmp_path / "evening.retold").write_bytes(played.read_bytes())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RETOLD_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
    proposed._CACHE.clear()
    packages.guest_errors()
    yield Table(capsys)
    installed.clear()


READING = (
    *("show", "show tracks", "show cast", "show decks", "show map", "show stress", "show clashes"),
    *(
        "show balance",
        "show pending",
        "can",
        "log -n 0",
        "recap",
        "stats",
        "export --for gm -o -",
        "replay --state",
    ),
    *("export --for gm -f json -o -", "export --for gm -f replay -o -", "export --for gm --ribbon -o -"),
    *("who Ada", "diff @-2", "verify", "dump --script"),
)
NAMED = "wreckers (retold-wreckers 1.0) could not "


def _one_line(text: str) -> str:
    return " ".join(text.split())


SHOWING = {
    "rows": ("show tracks", "Who"),
    "rows of the conflict": ("show", "The quay"),
    "decks": ("show decks", ""),
    "check": ("show decks", "tides"),
    "sheets": ("show cast", "Ada"),
    "dice_sums": ("show cast", "Ada"),
    "things of the shelf": ("export --for gm --book -o -", "The bell rings twice."),
    "aspects_in_play": ("show stress", ""),
    "balance": ("show balance", ""),
    "melee": ("show clashes", ""),
    "plan": ("show map", ""),
    "fallen": ("show", "The quay"),
    "face_down": ("export --for gm -f replay -o -", "Reef"),
    "pools": ("show", "The quay"),
    "put_forward": ("export --for gm -f replay -o -", "Reef"),
    "turn": ("show", "The quay"),
    "count": ("export --for gm -f replay -o -", "Reef"),
    "order": ("show", "The quay"),
    "pending": ("show", "The quay"),
    "outlook": ("can", ""),
    "waiting": ("show", "The quay"),
    "titled": ("show", "The quay"),
    "teller": ("export --for gm -o -", "The bell rings twice."),
    "due": ("export --for gm -o -", "The bell rings twice."),
    "beat": ("show beats", ""),
    "decide": ("can", ""),
}
"""Doors behind which something is shown: a command that goes through it, and what it says all the same."""


@pytest.mark.parametrize(("door", "line", "rest"), [(door, *shown) for door, shown in SHOWING.items()])
def test_L6_a_guest_that_fails_behind_a_view_is_named_and_the_rest_is_there(
    door: str, line: str, rest: str, table: Table, installed: set[str]
) -> None:
    installed.add(door)

    shown = table.say(line)

    assert shown.code == 0, shown.err
    assert rest in shown.out
    told = _one_line(shown.err)
    assert NAMED in told
    assert "KeyError: 'Hold' (planted.py, line 14)" in told


@pytest.mark.parametrize("door", [*SHOWING, "notation", "rolls", "knows", "number", "plays", "seals", "lay"])
def test_L6_no_door_of_a_guest_ends_any_page(door: str, table: Table, installed: set[str]) -> None:
    installed.add(door)
    with retold.open("evening.retold") as campaign:
        whole = campaign.seen_by("gm")
        whole.view("cast")
        assert "The bell rings twice." in whole.tell()
        assert [*whole.happened()]
        assert campaign.say("note: And again.").done

    ended = [table.say(line) for line in ("show", "stats", "replay --state")]

    assert [one.code for one in ended] == [0, 0, 0], ended


TYPING = {
    "suggest": "swim ",
    "shorthands": "na",
}
"""Doors behind which a line is completed, and the line."""


@pytest.mark.parametrize("fails", ["raises", "answers None"])
@pytest.mark.parametrize(("door", "line"), TYPING.items())
def test_L4_a_guest_that_fails_while_a_line_is_completed_is_named_and_others_complete_it(
    door: str, line: str, fails: str, table: Table, installed: set[str]
) -> None:
    with retold.open("evening.retold") as campaign:
        known = Known(campaign.scribe.table, campaign.branches)
        _, expected = offers(known, line)
        installed.add(door if fails == "raises" else f"{door}: None")
        _, offered = offers(known, line)

    assert {one.text for one in offered} <= {one.text for one in expected}
    assert offered
    (told,) = packages.guest_errors()
    assert told.startswith(f"{NAMED}answer {door}: "), told


SAYING = {
    "moves": "Ada dive",
    "shorthands": "dive Ada",
    "reminds": "note: Once more.",
    "session": "session Second tide",
}
"""Doors behind which a line is read or carried out, and the line."""


@pytest.mark.parametrize("fails", ["raises", "answers None"])
@pytest.mark.parametrize(("door", "line"), SAYING.items())
def test_L4_a_guest_that_fails_beside_a_line_changes_nothing_of_it(
    door: str, line: str, fails: str, table: Table, installed: set[str]
) -> None:
    def say(path: Path) -> str:
        with retold.open(path) as campaign:
            if door == "session":
                campaign.say("end session")
            before = len(campaign.happened())
            try:
                campaign.say(line)
            except retold.Refused as refused:
                return refused.sentence
            return " ".join(one.told for one in campaign.happened()[before:])

    expected = say(Path(shutil.copy("evening.retold", "other.retold")))
    installed.add(door if fails == "raises" else f"{door}: None")

    said = say(Path("evening.retold"))

    assert said == expected
    assert any(told.startswith(f"{NAMED}answer {door}: ") for told in packages.guest_errors())


@pytest.mark.parametrize("fails", ["things", "things: None"])
def test_L4_a_guest_that_cannot_name_its_things_leaves_a_word_as_it_is_typed(
    fails: str, table: Table, installed: set[str]
) -> None:
    installed.add(fails)
    with retold.open("evening.retold") as campaign:
        found = find_thing(campaign.scribe.table, "Moon", quoted=True)

    assert found == "Moon"
    assert any(told.startswith(f"{NAMED}answer things: ") for told in packages.guest_errors())


def test_L4_a_guest_without_a_page_is_named_and_leaves_the_games_to_be_listed(
    table: Table, installed: set[str]
) -> None:
    installed.add("page")

    shown = table.say("systems reef")

    assert shown.code == 1
    assert "There is no “reef” here." in shown.err
    assert f"{NAMED}answer page: KeyError: 'Hold' (planted.py, line 14)" in _one_line(shown.err)


def test_L4_a_guest_that_cannot_say_who_may_see_its_event_records_nothing(
    table: Table, installed: set[str]
) -> None:
    """Whoever may see an event has to be known before it is recorded."""
    with retold.open("evening.retold") as campaign:
        before = len(campaign.happened())
        installed.add("subjects")
        with pytest.raises(retold.Refused, match="Nothing was recorded") as refused:
            campaign.say("swim Ada")

        assert str(refused.value).startswith(NAMED)
        assert len(campaign.happened()) == before


def test_L4_a_guest_that_cannot_read_its_own_line_breaks_no_record(table: Table, installed: set[str]) -> None:
    whole = table.say("dump --script").out
    installed.add("from_version")

    script = table.say("dump --script")
    verified = table.say("verify")

    assert script.code == 0, script.err
    assert [line for line in whole.splitlines() if line not in script.out and "swim" not in line] == []
    assert NAMED in _one_line(script.err)
    assert (verified.code, "The record is whole" in verified.out) == (0, True)


DECIDING = {
    "decide": "swim Ada",
    "open": 'conflict "Again" wreckers Ada vs Teo',
    "close": "end conflict",
    "join": "join Mia with Ada",
    "leave": "leave Ada",
    "chosen": "option wreckers.tide=high",
    "answer": "ruling Ada: She had it first.",
    "set_number": "ruling Ada.air=2: She breathed.",
    "fits": "cast Ada lungs=5",
    "read_sheet": "cast Ada lungs=5",
    "facts": "expect swims Ada 1",
}


@pytest.mark.parametrize(("door", "line"), DECIDING.items())
def test_L4_a_decision_of_a_guest_that_fails_records_nothing_and_is_named(
    door: str, line: str, table: Table, installed: set[str]
) -> None:
    installed.add(door)
    with retold.open("evening.retold") as campaign:
        installed.clear()
        campaign.say("cast Mia by=Mo")
        installed.add(door)
        before = len(campaign.seen_by("gm").happened())
        with pytest.raises(retold.Refused) as refused:
            campaign.say(line)

        assert str(refused.value).startswith(NAMED), line
        assert "KeyError: 'Hold' (planted.py, line 14)" in str(refused.value)
        assert str(refused.value).endswith("Nothing was recorded.")
        assert len(campaign.seen_by("gm").happened()) == before


def test_L4_an_event_that_its_own_handler_cannot_take_is_no_intruder(
    table: Table, installed: set[str]
) -> None:
    installed.add("handler")
    fault = (
        f"{NAMED}take its own event at {FIRST_SWIM}: KeyError: 'Hold' (planted.py, line 14)."
        " Nothing is wrong with the record."
    )

    ended = {line: table.say(line) for line in READING}

    assert {line: one.code for line, one in ended.items()} == dict.fromkeys(ended, 0), ended
    assert fault in _one_line(ended["show"].err)
    assert "The bell rings twice." in ended["export --for gm -o -"].out
    assert "whole" in ended["verify"].out
    assert [line for line, one in ended.items() if "Another program" in one.out + one.err] == []
    assert table.say("note: We go on.").code == 0
    refused = table.say("swim Ada")
    assert (refused.code, fault in _one_line(refused.err)) == (1, True)
    installed.clear()
    assert table.say("swim Ada").code == 0


def test_L4_a_new_event_that_its_handler_cannot_take_is_not_recorded(
    table: Table, installed: set[str]
) -> None:
    with retold.open("evening.retold") as campaign:
        campaign.say("note: Before.")
        before = len(campaign.seen_by("gm").happened())
        installed.add("handler")
        with pytest.raises((retold.StoreError, retold.Refused)) as refused:
            campaign.say("swim Ada")

        assert len(campaign.seen_by("gm").happened()) == before
    assert f"Nothing was recorded. {NAMED}take its own event at" in str(refused.value)


def test_L4_what_fails_is_told_once_and_can_be_asked_by_a_program(table: Table, installed: set[str]) -> None:
    installed.add("rows")
    with retold.open("evening.retold") as campaign:
        campaign.seen_by("gm").view("tracks")
        campaign.seen_by("gm").view("tracks")

    (told,) = retold.guest_errors()
    assert told.startswith(f"{NAMED}answer rows: KeyError: 'Hold'")
    assert retold.guest_errors() == ()


def test_L4_a_player_does_not_read_the_text_of_an_exception(table: Table, installed: set[str]) -> None:
    installed.add("decide")
    with retold.open("evening.retold") as campaign, pytest.raises(retold.Refused) as refused:
        campaign.say("swim Ada")

    assert "Hold" not in (refused.value.for_players or "Hold")


def test_L4_a_failing_guest_is_no_refusal_that_a_script_expects(table: Table, installed: set[str]) -> None:
    installed.add("decide")
    with retold.open("evening.retold") as campaign, pytest.raises(retold.Refused, match="could not decide"):
        campaign.say("expect refused swim Ada")


def test_L6_check_calls_what_shows_and_tells_on_the_guest_s_own_evening(
    table: Table, installed: set[str]
) -> None:
    assert check("wreckers", EVENING) == ()
    for door in ("teller", "rows", "outlook", "beat", "due", "handler", "decide"):
        installed.clear()
        installed.add(door)
        proposed._CACHE.clear()

        found = check("wreckers", EVENING)

        assert any("KeyError: 'Hold' (planted.py, line 14)" in mistake for mistake in found), (door, found)
