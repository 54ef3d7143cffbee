"""`--when` on any line: kept through scripts, dumps, corrections and branches, and read by no rule."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from retold.journal.language.lexing import lex
from retold.journal.language.scripting import script_of
from retold.journal.refused import Refused
from retold.journal.store.copies.dump import dump, load
from retold.journal.store.events import line_events
from retold.journal.store.events.acts import Manner
from retold.journal.store.events.codec import Recorded
from retold.journal.store.verify import verify
from retold.journal.store.verify.row_check import is_body
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Words
from retold.player_lines import record_for_player
from retold.scribe import Scribe
from retold.script_player import Script, play_script

PLAYED = """\
campaign X
cast gm by=Mary
cast Zel bruise by=Jon clubs=4 melee=2 --when 2026-03-01T19:38
cast Guards bruise spades=3 dodge=2
session Rain --when 2026-03-01T19:40
say Zel --when 2026-03-01T19:42:10.5+01:00: Not today.
note --when 2026-03-01: They split up.
roll 2d6 --when 2026-03-01T19:43Z --provenance imported = 3 4
conflict Out bruise Zel vs Guards --when 2026-03-01T19:50: freedom
draw Zel clubs+melee --when 2026-03-01T19:51 = KS 10D 8H 7C 4C 3D
draw Guards 5 = JS 9S 5S 4S 2D
end conflict --when 2026-03-01T20:40
narrate gm: Rain.
end session
"""


def begun(path: Path, script: str = PLAYED) -> Scribe:
    scribe = Scribe(CampaignStore.create(path), 1, today="2026-11-26")
    for line in script.splitlines():
        scribe.say(line)
    return scribe


@pytest.fixture
def scribe(tmp_path: Path) -> Iterator[Scribe]:
    scribe = begun(tmp_path / "x.retold")
    with scribe.campaign:
        yield scribe


def live(scribe: Scribe) -> list[Recorded]:
    """What counts on the line written to."""
    return [one for act in line_events.acts(scribe.campaign.record, scribe.line) for one in act.events]


def times(scribe: Scribe) -> list[tuple[str, str | None]]:
    """Kind and time of play of everything that counts."""
    return [(type(one.event).__name__, one.envelope.when) for one in live(scribe)]


def played(scribe: Scribe) -> Mapping[str, str | None]:
    """The time of play by kind, of the last event of each."""
    return dict(times(scribe))


def test_every_event_of_the_act_has_the_time(scribe: Scribe) -> None:
    cast = [when for kind, when in times(scribe)[3:] if when == "2026-03-01T19:38"]

    assert len(cast) == 4  # Zel and Jon are introduced, Jon is seated, and Zel has a sheet
    assert played(scribe)["Said"] == "2026-03-01T19:42:10.5+01:00"
    assert played(scribe)["Noted"] == "2026-03-01"
    assert played(scribe)["DiceRolled"] == "2026-03-01T19:43Z"
    assert played(scribe)["Narrated"] is None
    assert verify(scribe.campaign.record).whole


def test_a_session_date_follows_when_unless_date_is_given(tmp_path: Path) -> None:
    with begun(
        tmp_path / "y.retold",
        "session --when 2026-03-01T23:50\nend session\n"
        "session --date 2026-02-27 --when 2026-03-01\nend session\nsession",
    ).campaign as campaign:
        opened = [
            one.event.date for one in live(Scribe(campaign, 1)) if isinstance(one.event, e.SessionOpened)
        ]

    assert opened == ["2026-03-01", "2026-02-27", "2026-11-26"]


def test_a_script_plays_again_to_the_same_events_and_times(scribe: Scribe, tmp_path: Path) -> None:
    script = "\n".join(script_of(scribe.campaign, 1))
    assert "say Zel --when 2026-03-01T19:42:10.5+01:00: Not today." in script
    assert "roll 2d6 --when 2026-03-01T19:43Z --provenance imported = 3 4" in script

    with CampaignStore.create(tmp_path / "again.retold") as campaign:
        again = Scribe(campaign, 1)
        list(play_script(again, Script("again", script.encode())))

        assert times(again) == times(scribe)
        assert [one.event for one in live(again)][1:] == [one.event for one in live(scribe)][1:]
        assert "\n".join(script_of(campaign, 1)) == script


def test_a_dump_is_loaded_with_the_times(scribe: Scribe, tmp_path: Path) -> None:
    load(dump(scribe.campaign.record), tmp_path / "loaded.retold")

    with CampaignStore.open(tmp_path / "loaded.retold") as loaded:
        assert times(Scribe(loaded, 1)) == times(scribe)


def test_a_changed_card_and_all_that_came_after_keep_their_times(scribe: Scribe) -> None:
    before = times(scribe)
    drawn = next(one.position for one in live(scribe) if type(one.event).__name__ == "CardsDrawn")
    scribe.say(f"fix {drawn} = KH 10D 8H 7C 4C 3D")

    assert scribe.line != 1
    assert [one for one in times(scribe) if one[0] not in ("Forked", "Promoted")] == before


@pytest.mark.parametrize(
    ("line", "when"),
    [
        ("say Zel: Not tomorrow.", "2026-03-01T19:42:10.5+01:00"),
        ("say Zel --when 2026-03-02: Not tomorrow.", "2026-03-02"),
        ("say Zel --to Jon: Not tomorrow.", "2026-03-01T19:42:10.5+01:00"),
        ("say Zel --to Jon --when 2026-03-02: Not tomorrow.", "2026-03-02"),
    ],
)
def test_a_changed_line_keeps_the_time_unless_it_says_another(scribe: Scribe, line: str, when: str) -> None:
    at = next(one.position for one in live(scribe) if isinstance(one.event, e.Said))
    scribe.say(f'retcon {at} --as "{line}"')

    said = [(str(one.event.text), one.envelope.when) for one in live(scribe) if isinstance(one.event, e.Said)]
    assert said == [("Not tomorrow.", when)]


def test_undo_and_redo_keep_the_time(scribe: Scribe) -> None:
    before = times(scribe)
    scribe.say("undo 6")
    scribe.say("redo")

    assert [one for one in times(scribe) if one[0] not in ("Undone", "Redone")] == before


def test_a_branch_shares_the_times(scribe: Scribe) -> None:
    before = times(scribe)
    scribe.say("branch what-if --when 2026-03-02")

    assert times(scribe)[: len(before)] == before
    assert times(scribe)[-1] == ("Forked", "2026-03-02")


@pytest.mark.parametrize(
    "line", ["say Zel --when yesterday: x", "end --when 2026-02-30", "mark x --when 2026-03-01T25:00"]
)
def test_a_slip_records_nothing(scribe: Scribe, line: str) -> None:
    head = scribe.campaign.record.head(1)
    with pytest.raises(Refused, match="--when"):
        scribe.say(line)
    with pytest.raises(Refused, match="--when"):
        scribe.check(lex(line))

    assert scribe.campaign.record.head(1) == head


def test_a_program_that_gives_no_time_records_nothing(scribe: Scribe) -> None:
    head = scribe.campaign.record.head(1)
    with pytest.raises(Refused, match="There is no day 2026-02-30"):
        scribe.writer.record(c.Say(who=1, text=Words("x")), Manner(when="2026-02-30"))

    assert scribe.campaign.record.head(1) == head
    assert scribe.say("say Zel: Still here.").done is not None


def test_a_player_hands_in_no_time(scribe: Scribe) -> None:
    with pytest.raises(Refused):
        record_for_player(scribe, "say Zel --when 2026-03-01: x", "Jon")


def test_no_rule_reads_it(tmp_path: Path) -> None:
    bare = re.sub(r" --when \S+?(?=:?(?: |\n))", "", PLAYED)
    with begun(tmp_path / "a.retold").campaign as one, begun(tmp_path / "b.retold", bare).campaign as other:
        mine, theirs = one.table_at(1), other.table_at(1)
    assert mine.people == theirs.people
    assert mine.shelves == theirs.shelves
    assert mine.dealt == theirs.dealt


@pytest.mark.parametrize(
    "when", ["yesterday", "2026-02-30", "2026-03-01 19:42", "2026-03-01T19:42+00:00", "", 1]
)
def test_a_record_holds_no_time_that_retold_would_not_write(when: object) -> None:
    body = {"act": "x", "at": "2026-03-14T20:00:00.000000Z", "data": {}, "i": 1, "n": 1, "tz": 0}

    assert is_body({**body, "when": "2026-03-01T19:42Z"})
    assert not is_body({**body, "when": when})
