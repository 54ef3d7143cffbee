"""An act decided once more looks names up as they were when it was said, whatever a retcon made of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from retold.journal.language.scripting import script_of
from retold.journal.store.events import line_events
from retold.journal.store.verify.rules import verify_rules
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.systems import SYSTEMS
from retold.journal.vocabulary import events as e
from retold.scribe import Scribe

GAMES = sorted(SYSTEMS)


def told(tmp_path: Path, *lines: str) -> Scribe:
    tmp_path.mkdir(exist_ok=True)
    scribe = Scribe(CampaignStore.create(tmp_path / "then.retold"), 1)
    for line in ("cast gm by=Eve", *lines):
        scribe.say(line)
    return scribe


def position(scribe: Scribe, name: str) -> int:
    """Where somebody of that name is introduced."""
    lives = line_events.live_events(scribe.campaign.record, scribe.line)
    return next(
        live.position
        for live in lives
        if isinstance(live.event, e.CastIntroduced) and live.event.name.text == name
    )


def decided_otherwise(scribe: Scribe) -> list[str]:
    return [str(one) for one in verify_rules(scribe.campaign, scribe.line)]


@pytest.mark.parametrize("game", GAMES)
def test_D3_a_name_freed_by_a_retcon_is_a_new_character(game: str, tmp_path: Path) -> None:
    scribe = told(tmp_path, f"cast A {game} by=Pa", f"cast Cox {game} by=Pc", "session S")
    scribe.say(f"retcon {position(scribe, 'Cox')}: The Captain")
    scribe.say(f"conflict K {game} A vs Cox: s")

    assert len(scribe.table.conflicts[1].people) == 2
    assert scribe.table.called("Cox") != scribe.table.called("The Captain")
    assert decided_otherwise(scribe) == []


@pytest.mark.parametrize("game", GAMES)
def test_D3_a_later_retcon_keeps_both_apart(game: str, tmp_path: Path) -> None:
    scribe = told(tmp_path, f"cast A {game}", f"cast Cox {game}", "session S", "mark here", "scene The stair")
    stair = scribe.writer.head.position
    scribe.say(f"retcon {position(scribe, 'Cox')}: The Captain")
    scribe.say(f"conflict K {game} A vs Cox: s")
    people = scribe.table.conflicts[1].people

    scribe.say(f'retcon {stair} --as "scene The cellar"')

    assert scribe.table.conflicts[1].people == people
    assert [scribe.table.name(one) for one in people] == ["A", "Cox"]
    assert decided_otherwise(scribe) == []


def test_D3_a_retconned_name_is_not_confused_with_its_later_bearer(tmp_path: Path) -> None:
    scribe = told(
        tmp_path, "session S", "mark here", "scene The stair", "cast Cox", "cast Dan", "cast Dan name=Dee"
    )
    stair = scribe.writer.head.position - 3
    scribe.say(f"retcon {position(scribe, 'Cox')}: Dan")

    scribe.say(f'retcon {stair} --as "scene The cellar"')

    assert [one.called for one in scribe.table.everybody()][-2:] == ["Dan", "Dee"]
    assert decided_otherwise(scribe) == []


def test_D3_a_name_passed_to_another_character_may_be_used(tmp_path: Path) -> None:
    scribe = told(tmp_path, "cast Ann", "cast Cox", "session S")
    scribe.say(f"retcon {position(scribe, 'Cox')}: The Captain")
    scribe.say("cast Ann name=Cox")
    scribe.say("cast Cox alias=Coxswain")

    assert decided_otherwise(scribe) == []


def test_D3_a_thread_called_otherwise_since_is_not_the_one_opened_under_its_name(tmp_path: Path) -> None:
    scribe = told(tmp_path, "session S", "thread Ledger")
    opened = scribe.writer.head.position
    scribe.say(f"retcon {opened}: The old book")
    scribe.say("thread Ledger: Another one.")

    assert len(list(scribe.table.every_matter())) == 2
    assert decided_otherwise(scribe) == []


def test_D3_a_side_favoured_by_the_name_it_had_is_read_again(tmp_path: Path) -> None:
    scribe = told(tmp_path, "cast A spacetime", "cast Cox spacetime", "session S")
    scribe.say(f"retcon {position(scribe, 'Cox')}: The Captain")
    scribe.say("conflict K spacetime A vs Captain balance=unbalanced:Captain: s")
    scribe.say("ruling balance=overwhelming:Captain: they brought friends")

    assert decided_otherwise(scribe) == []


def test_D3_a_fix_keeps_both_apart(tmp_path: Path) -> None:
    scribe = told(tmp_path, "game d20", "cast A str=2", "cast Cox str=1", "session S")
    scribe.say("roll A str = 4")
    scribe.say(f"retcon {position(scribe, 'Cox')}: The Captain")
    scribe.say("cast Cox str=3")

    scribe.say("fix = 5")

    assert [one.called for one in scribe.table.everybody()][-2:] == ["The Captain", "Cox"]
    assert decided_otherwise(scribe) == []


def test_D3_a_script_says_each_name_as_it_was_then(tmp_path: Path) -> None:
    scribe = told(tmp_path, "session S", "cast Cox", "cast Dan", "cast Dan name=Dee")
    scribe.say(f"retcon {position(scribe, 'Cox')}: Dan")
    scribe.say("conflict K bruise Dee vs Cox")
    script = list(filter(None, script_of(scribe.campaign, 1)))

    again = told(tmp_path / "again", *script[1:])

    assert script[2:] == [
        "cast Cox",
        "cast Dan",
        'cast Dan name="Dee"',
        "retcon 5: Dan",
        'conflict "K" bruise Dee vs Cox',
    ]
    assert [one.called for one in again.table.everybody()] == [one.called for one in scribe.table.everybody()]
