"""Things that lie about have a zone, and a slip in the name of one is asked about (D4)."""

from __future__ import annotations

from pathlib import Path

import pytest

from retold.games.edgerunner import events as g
from retold.games.edgerunner.state import conflict_state
from retold.journal.decks.chance import FirstDealer, Luck
from retold.journal.language.naming import Mistyped
from retold.journal.language.proposed import available_actions
from retold.journal.language.scripting import script_of
from retold.journal.refused import Refused
from retold.journal.store.verify.rules import verify_rules
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.store.writing.replaying import equal_but_words
from retold.journal.vocabulary.base import Event
from retold.journal.vocabulary.events import ConflictOpened
from retold.projections.views import map as map_view
from retold.scribe import Scribe

WAREHOUSE = """\
cast gm by=Eve
cast Ann edgerunner by=Jo deception=2 track.cool=4
cast Hargan edgerunner track.cool=4
session S
conflict W edgerunner Ann vs Hargan: s
map Dock 1 Aisle 1 Office
place Ann Dock
place Hargan Office
exchange a few moments
next Ann
"""


def table(path: Path, lines: str = WAREHOUSE) -> Scribe:
    scribe = Scribe(CampaignStore.create(path), 1)
    for line in filter(None, lines.splitlines()):
        scribe.say(line)
    return scribe


@pytest.fixture
def scribe(tmp_path: Path) -> Scribe:
    return table(tmp_path / "things.retold")


def events(scribe: Scribe, line: str) -> list[Event]:
    done = scribe.say(line).done
    assert done is not None
    return list(done.events)


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ('maneuver Ann Hargn as "Lit from behind" with deception = 0000', "Hargan"),
        ('maneuver Ann Offce as "Full of smoke" = 0000', "Office"),
        ("aspect Hargn Owes money", "Hargan"),
        ('assess Ann Hargn as "Owes money" with deception = 0000', "Hargan"),
        ('declare Ann maneuver Hargn as "Lit from behind"', "Hargan"),
        ("attack Ann Hargn cool with deception = 0000", "Hargan"),
        ("map Dock 2 Ailse", "Aisle"),
        ("place Hargn Dock", "Hargan"),
    ],
)
def test_D4_a_slip_in_a_target_is_asked(scribe: Scribe, line: str, meant: str) -> None:
    before = scribe.table.position
    with pytest.raises(Mistyped, match=f"Did you mean {meant}"):
        scribe.say(line)
    assert scribe.table.position == before


def test_D4_the_user_at_a_terminal_is_asked_what_was_meant(scribe: Scribe) -> None:
    scribe.consult = lambda _question: "y"

    _, _, shifts = events(scribe, 'maneuver Ann Hargn as "Lit from behind" with deception = 0+00')

    assert shifts == g.ShiftsSet(conflict=1, who=2, shifts=1, dice=1, level=2, range=-2)


def test_D4_a_quoted_name_is_something_new(scribe: Scribe) -> None:
    declared, *_ = events(scribe, 'maneuver Ann "Hargn" as "Lit from behind" with deception = 0000')

    assert isinstance(declared, g.ActionDeclared)
    assert declared.target == "Hargn"


def test_D4_a_thing_that_has_an_aspect_is_known_by_the_beginning_of_its_name(scribe: Scribe) -> None:
    scribe.say("aspect Crate Leaking")

    declared, *_ = events(scribe, 'maneuver Ann Crat as "On fire" = 0000')

    assert isinstance(declared, g.ActionDeclared)
    assert declared.target == "Crate"


def test_D4_a_thing_lies_in_a_zone_and_range_counts(scribe: Scribe) -> None:
    assert events(scribe, 'place "Crate" Office') == [
        g.ThingsPlaced(conflict=1, things=("Crate",), zone="Office")
    ]

    *_, shifts = events(scribe, 'maneuver Ann Crate as "On fire" with deception = 0+00')

    assert shifts == g.ShiftsSet(conflict=1, who=2, shifts=1, dice=1, level=2, range=-2)


def test_D4_an_aspect_of_a_thing_is_as_far_off_as_the_thing(scribe: Scribe) -> None:
    scribe.say("aspect Crate Leaking")
    scribe.say("place Crate Office")

    *_, shifts = events(scribe, "attack Ann Leaking with deception = 0+00")

    assert shifts == g.ShiftsSet(conflict=1, who=2, shifts=1, dice=1, level=2, range=-2)


def test_D4_people_and_things_are_placed_on_one_line(scribe: Scribe) -> None:
    assert events(scribe, 'place Ann+"Crate" Aisle') == [
        g.Placed(conflict=1, who=(2,), zone="Aisle"),
        g.ThingsPlaced(conflict=1, things=("Crate",), zone="Aisle"),
    ]
    with pytest.raises(Refused, match="Ann, Crate are in Aisle already"):
        scribe.say("place Ann+Crate Aisle")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("place Barrel Dock", 'A thing that lies about is quoted where it is first named: "Barrel"'),
        ("place Office Dock", "Office is on the map itself"),
        ("map Office --gone", "In Office stand Hargan|In Office lie Crate: place Crate ZONE"),
        ("place Leaking Dock", "“Leaking” is an aspect"),
    ],
)
def test_D4_what_cannot_lie_somewhere_is_refused(scribe: Scribe, line: str, sentence: str) -> None:
    scribe.say("aspect Crate Leaking")
    scribe.say("place Crate Office")
    scribe.say("place Hargan Aisle")
    with pytest.raises(Refused, match=sentence):
        scribe.say(line)


def test_D4_the_map_shows_what_lies_where(scribe: Scribe) -> None:
    scribe.say('place "Crate" Office')

    (seen,) = map_view.of(scribe.table).open

    assert [(zone.name, zone.things) for zone in seen.zones] == [
        ("Dock", ()),
        ("Aisle", ()),
        ("Office", ("Crate",)),
    ]


def test_D4_a_script_has_new_things_in_quotes_and_comes_to_the_same(scribe: Scribe, tmp_path: Path) -> None:
    for line in (
        'map Dock 2 "Ailse"',
        'place "Hargn" Aisle',
        'maneuver Ann Hargn as "Lit from behind" with deception = 0000',
        "apply",
        "aspect Barrel Leaking",
    ):
        scribe.say(line)
    script = "\n".join(script_of(scribe.campaign, 1))

    again = table(tmp_path / "again.retold", script)

    assert 'map Dock 2 "Ailse"' in script
    assert 'place "Hargn" Aisle' in script
    assert "aspect Barrel Leaking" in script
    assert conflict_state(again.table.conflicts[1]) == conflict_state(scribe.table.conflicts[1])
    assert list(verify_rules(again.campaign, 1)) == []


def test_D3_a_retcon_that_renumbers_people_keeps_an_acts_target(tmp_path: Path) -> None:
    scribe = table(tmp_path / "retold.retold", WAREHOUSE + "attack Ann Hargan cool = ++00\n")

    scribe.say('retcon 4 --as "cast Ann edgerunner deception=2 track.cool=4"')

    act = conflict_state(scribe.table.conflicts[1]).act
    assert act is not None
    assert act.target == scribe.table.called("Hargan") == 3
    assert list(verify_rules(scribe.campaign, scribe.line)) == []


ORDER = """\
cast gm by=Eve
cast Ada edgerunner
cast Bea edgerunner
cast Cyd edgerunner
cast Dov edgerunner
session S
option edgerunner.initiative=order
conflict W edgerunner Ada+Bea vs Cyd+Dov: s
exchange a few moments
"""


def test_D7_where_it_goes_round_the_table_the_turn_is_whose_it_is(tmp_path: Path) -> None:
    scribe = table(tmp_path / "order.retold", ORDER)
    assert scribe.say("expect turn").checked, "nobody has begun"

    scribe.say("simple Bea")

    assert scribe.say("expect turn Cyd").checked
    with pytest.raises(Refused, match="It is Cyd's turn"):
        scribe.say("simple Dov")
    scribe.say("next Cyd")
    assert scribe.say("expect turn Cyd").checked


def test_D13_what_a_track_could_not_take_is_what_is_over(scribe: Scribe) -> None:
    scribe.say("place Hargan Dock")
    scribe.say("attack Ann Hargan cool with deception = ++++")

    done = scribe.say("apply")

    (out,) = [event for event in done.events if isinstance(event, g.TakenOut)]
    assert (out.over, out.beyond) == (6, 2)
    assert "Hargan is taken out on cool by Ann, 6 shifts, 2 over" in done.sentences(scribe.table)


def test_D13_a_ruling_has_nothing_over(scribe: Scribe) -> None:
    done = scribe.say("ruling Hargan.out=1: They surrender.")

    assert "Hargan is taken out (conflict 1)" in done.sentences(scribe.table)


def test_D13_a_record_of_before_is_still_decided_alike() -> None:
    before = g.TakenOut(conflict=1, on=2, by=1, track="cool", over=6)

    assert equal_but_words([before], [before.but({"beyond": 2})])
    assert not equal_but_words([before.but({"beyond": 1})], [before.but({"beyond": 2})])
    assert not equal_but_words([before], [before.but({"beyond": 2, "over": 5})])


def test_the_conflict_says_who_calls(scribe: Scribe) -> None:
    assert scribe.say("expect caller gm").checked, "the referee, where nobody is named"
    scribe.say("simple Ann")
    scribe.say("end conflict agreed")

    opened = events(scribe, "conflict V edgerunner Ann vs Hargan caller=Jo: s")[-1]

    assert isinstance(opened, ConflictOpened)
    assert opened.setup == {"caller": 3}
    assert scribe.say("expect caller Jo").checked
    scribe.say("exchange a few moments")
    (seen, *_) = available_actions(scribe.table, Luck(FirstDealer()))
    assert "Jo calls who is next." in seen.stands


def test_an_unknown_caller_is_refused(scribe: Scribe) -> None:
    with pytest.raises(Refused, match="The caller sits at the table"):
        scribe.say("conflict V edgerunner Ann vs Hargan caller=Bob: s")


def test_the_log_names_who_calls(scribe: Scribe) -> None:
    scribe.say("simple Ann")
    scribe.say("end conflict agreed")
    done = scribe.say("conflict V edgerunner Ann vs Hargan caller=Jo: s")

    assert "conflict 2 “V”, edgerunner: Ann vs Hargan (caller=Jo), at stake: “s”" in done.sentences(
        scribe.table
    )
