"""The lines an Edgerunner table types, from the words to the command and back, and what `expect` is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from retold.games.edgerunner import events as g
from retold.games.edgerunner.commands import COMMANDS
from retold.games.edgerunner.commands import verbs as v
from retold.games.edgerunner.rules import Severity
from retold.journal.language import expecting
from retold.journal.language.binding import Scope, bind
from retold.journal.language.lexing import lex
from retold.journal.language.meant import bind_as_meant
from retold.journal.language.rendering import render
from retold.journal.language.scripting import script_of
from retold.journal.names import Ambiguous
from retold.journal.refused import Refused
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Command, Words
from retold.scribe import Scribe
from retold.script_player import Script, play_script
from tests.retold.games.edgerunner.at_rest import TABLE
from tests.retold.games.edgerunner.at_the_warehouse import (
    CORP,
    DRONES,
    GATTO,
    HARGAN,
    JADE,
    REX,
    begun,
    claimed,
    marked,
    out,
)
from tests.retold.games.edgerunner.open_rolls import open_act, outside_roll

OIL = g.AspectPlaced(
    conflict=1, aspect=4, on="Dock", wording="Ankle-deep in oil", how="said", by=JADE, free=1
)
HERE = begun().given(OIL).table
"""Gatto and Jade against Hargan, all at the dock, which is ankle-deep in oil."""

FOUR = ("+", "0", "-", "-")


def said(line: str, table: Table = HERE) -> Command:
    return bind(lex(line), Scope(table, int)).command


def setting(who: int | None, what: str, op: str, value: int) -> e.Setting:
    return e.Setting.of({"person": who, "what": what, "op": op, "value": value})


WHY = Words("why")

LINES: dict[str, Command] = {
    "map Dock-Aisle --gone": v.MapZones(zones=("Dock-Aisle",), gone=True),
    "merge Gatto+Jade: one mob": v.Merge(who=(GATTO, JADE), text=Words("one mob")),
    'alter Gatto severe as "A sling"': v.Alter(who=GATTO, severe="A sling"),
    "continue Gatto humanity": v.Continue(who=GATTO, track="humanity"),
    "continue Gatto as Blind": v.Continue(who=GATTO, aspect="Blind"),
    "defend Gatto Dock-Aisle with resolve": v.Defend(who=GATTO, track="Dock-Aisle", skill="resolve"),
    "recover Jade Hargan cool --agreed": v.Recover(who=JADE, thing=HARGAN, track="cool", agreed=True),
    "attack Gatto Hargan cool --extra": v.Attack(who=GATTO, thing=HARGAN, track="cool", extra=True),
    "map Dock 3 Aisle open:1,break:4 Office": v.MapZones(
        zones=("Dock", "Aisle", "Office"), passes=("3", "open:1,break:4")
    ),
    "map Yard: a fence": v.MapZones(zones=("Yard",), text=Words("a fence")),
    'map Yard 0 "Back street" threshold=4 yard=0,2': v.MapZones(
        zones=("Yard", "Back street"), passes=("0",), setup={"threshold": 4, "yard": "0,2"}
    ),
    "place Gatto+Jade Aisle": v.Place(who=(GATTO, JADE), zone="Aisle"),
    "aspect Jade Old comfortable shoes": v.PlaceAspect(thing=JADE, aspect="Old comfortable shoes"),
    "aspect Warehouse Dark: at last": v.PlaceAspect(thing="Warehouse", aspect="Dark", text=Words("at last")),
    "aspect Dock-Aisle Rusty": v.PlaceAspect(thing="Dock-Aisle", aspect="Rusty"),
    "aspect Dock A way out --support 2 --oppose 1 = + 0 - -": v.PlaceAspect(
        thing="Dock", aspect="A way out", support=2, oppose=1, results=FOUR
    ),
    "aspect Dock Ankle-deep in oil --gone": v.PlaceAspect(
        thing="Dock", aspect="Ankle-deep in oil", gone=True
    ),
    "exchange a few moments": v.BeginExchange(length="a few moments"),
    "exchange": v.BeginExchange(),
    "next Gatto": v.ClaimTurn(who=GATTO),
    "next Gatto 2 Hargan 1 Jade 0": v.ClaimTurn(who=GATTO, bid=2, rivals=(HARGAN, JADE), bids=(1, 0)),
    "forfeit Gatto: no": v.Forfeit(who=GATTO, text=Words("no")),
    "forfeit": v.Forfeit(),
    "move Gatto to Aisle Office with athletics = + 0 - -": v.Move(
        who=GATTO, zones=("Aisle", "Office"), skill="athletics", results=FOUR
    ),
    "move Gatto to Aisle:break --free": v.Move(who=GATTO, zones=("Aisle:break",), free=True),
    "move Jade Hargan to Aisle with deception": v.Move(
        who=JADE, whom=(HARGAN,), zones=("Aisle",), skill="deception"
    ),
    "move Jade Hargan+Rex to Aisle": v.Move(who=JADE, whom=(HARGAN, REX), zones=("Aisle",)),
    "attack Hargan Gatto cool with firearms --upgrade smartlink = + 0 - -": v.Attack(
        who=HARGAN, thing=GATTO, track="cool", skill="firearms", upgrade="smartlink", results=FOUR
    ),
    "attack Hargan Dock-Aisle": v.Attack(who=HARGAN, thing="Dock-Aisle"),
    'attack Hargan "Ankle-deep in oil" with firearms': v.Attack(
        who=HARGAN, thing="Ankle-deep in oil", skill="firearms"
    ),
    "defend Gatto cool with firearms": v.Defend(who=GATTO, track="cool", skill="firearms"),
    "defend Gatto Jade cool --against stealth": v.Defend(
        who=GATTO, thing=JADE, track="cool", against="stealth"
    ),
    'maneuver Jade Hargan as "Blind with steam" with deception --interrupt': v.Maneuver(
        who=JADE, thing=HARGAN, aspect="Blind with steam", skill="deception", interrupt=True
    ),
    "recover Gatto cool": v.Recover(who=GATTO, track="cool"),
    "recover Jade Gatto cool with medicine": v.Recover(who=JADE, thing=GATTO, track="cool", skill="medicine"),
    "deploy Corp Drones to Dock with logistics": v.Deploy(
        who=CORP, asset=DRONES, zones=("Dock",), skill="logistics"
    ),
    "simple Jade: She bolts the door.": v.Simple(who=JADE, text=Words("She bolts the door.")),
    "continue Gatto": v.Continue(who=GATTO),
    "continue Gatto to Aisle": v.Continue(who=GATTO, zones=("Aisle",)),
    "invoke Hargan fired once --reroll = + 0 - -": v.Invoke(
        who=HARGAN, aspect="fired once", reroll=True, results=FOUR
    ),
    "invoke Jade oil --free": v.Invoke(who=JADE, aspect="oil", free=True),
    'boost Gatto mild as "Torn sleeve" cool 2': v.Boost(
        who=GATTO, mild="Torn sleeve", tracks=("cool",), amounts=(2,)
    ),
    "spin Hargan": v.SpendSpin(who=HARGAN),
    "apply": v.Apply(),
    "apply 1 3: He breathes.": v.Apply(boxes=(1, 3), text=Words("He breathes.")),
    'assess Jade Hargan as "Never lets go" with empathy vs 2 = + 0 - -': v.Assess(
        who=JADE, thing=HARGAN, aspect="Never lets go", skill="empathy", target=2, results=FOUR
    ),
    "assess Jade Hargan as never with empathy vs stealth": v.Assess(
        who=JADE, thing=HARGAN, aspect="never", skill="empathy", opposing="stealth"
    ),
    "spend Rex integrity 3 anti-intrusion 1: It holds.": v.Spend(
        who=REX, on=("integrity", "anti-intrusion"), shifts=(3, 1), text=Words("It holds.")
    ),
    "spend Rex time -2": v.Spend(who=REX, on=("time",), shifts=(-2,)),
    # --- the shared verbs, as they are said here
    "declare Gatto move to Aisle:break with athletics": v.Declare(
        who=GATTO, act="move", zones=("Aisle:break",), skill="athletics"
    ),
    "declare Jade move Hargan to Aisle": v.Declare(who=JADE, act="move", whom=(HARGAN,), zones=("Aisle",)),
    "declare Hargan attack Gatto cool with firearms: Down.": v.Declare(
        who=HARGAN, act="attack", thing=GATTO, track="cool", skill="firearms", text=Words("Down.")
    ),
    "declare Gatto defend Jade cool": v.Declare(who=GATTO, act="defend", thing=JADE, track="cool"),
    "declare Gatto defend cool": v.Declare(who=GATTO, act="defend", track="cool"),
    'declare Jade maneuver Dock as "On fire"': v.Declare(
        who=JADE, act="maneuver", thing="Dock", aspect="On fire"
    ),
    "declare Gatto recover cool with resolve": v.Declare(
        who=GATTO, act="recover", track="cool", skill="resolve"
    ),
    "declare Corp deploy Drones to Dock": v.Declare(who=CORP, act="deploy", asset=DRONES, zones=("Dock",)),
    "declare Gatto continue": v.Declare(who=GATTO, act="continue"),
    "declare Gatto continue to Aisle Office": v.Declare(who=GATTO, act="continue", zones=("Aisle", "Office")),
    "declare Gatto simple --interrupt": v.Declare(who=GATTO, act="simple", interrupt=True),
    "roll": c.Roll(),
    "roll Gatto = + 0 - -": c.Roll(who=GATTO, results=FOUR),
    "roll Gatto 2d6": c.Roll(who=GATTO, dice="2d6"),
    "roll Gatto athletics = + 0 - -": v.Roll(who=GATTO, traits=("athletics",), results=FOUR),
    'roll Gatto athletics vs 3 takes="a few weeks"': v.Roll(
        who=GATTO, traits=("athletics",), target=3, setup={"takes": "a few weeks"}
    ),
    "roll Gatto athletics vs Hargan stealth --upgrade legs": v.Roll(
        who=GATTO, traits=("athletics",), opponent=HARGAN, skill="stealth", upgrade="legs"
    ),
    'resist Gatto mild as "Torn sleeve" cool 2': v.Resist(
        who=GATTO, mild="Torn sleeve", tracks=("cool",), amounts=(2,)
    ),
    "resist Gatto cool": v.Resist(who=GATTO, tracks=("cool",)),
    "resist Jade cool 3 --for Gatto": v.Resist(who=JADE, tracks=("cool",), amounts=(3,), comrade=GATTO),
    'resist Jade moderate as Burnt severe as "No hand" --upgrade plating': v.Resist(
        who=JADE, moderate="Burnt", severe="No hand", upgrade="plating"
    ),
    "clear Gatto cool: a night": c.Clear(who=GATTO, track="cool", text=Words("a night")),
    "clear Gatto mild": c.Clear(who=GATTO, track="mild"),
    "compel Jade light on her feet --by Hargan: She runs.": c.Compel(
        who=JADE, aspect="light on her feet", by=HARGAN, text=Words("She runs.")
    ),
    "ruling Gatto.points+=1 Hargan.cool-stress-=2: why": c.Rule(
        sets=(setting(GATTO, "points", "+=", 1), setting(HARGAN, "cool-stress", "-=", 2)), text=WHY
    ),
    "ruling Dock-Aisle=4: why": c.Rule(sets=(setting(None, "Dock-Aisle", "=", 4),), text=WHY),
    "ruling Gatto.dead=1 Hargan.killer=1: why": c.Rule(
        sets=(setting(GATTO, "dead", "=", 1), setting(HARGAN, "killer", "=", 1)), text=WHY
    ),
}

WITH_A_HAND = {line for line in LINES if "--by" in line}
"""Who does it stands with the act, and is written back from there."""


@pytest.mark.parametrize("line", LINES)
def test_a_line_means_its_command(line: str) -> None:
    assert said(line) == LINES[line]


@pytest.mark.parametrize("line", sorted(LINES.keys() - WITH_A_HAND))
def test_a_command_is_written_as_its_line(line: str) -> None:
    assert render(LINES[line], HERE) == line


def test_fate_points_are_no_skill() -> None:
    with pytest.raises(Refused, match=r"^Did you mean ruling NAME\.points=3\?"):
        bind(lex("cast Gatto edgerunner fate=3"), Scope(HERE))


def test_words_behind_a_quoted_aspect_are_no_part_of_it() -> None:
    typed = 'maneuver Gatto Hargan as "Blind with steam" with firearms against Hargan stealth = 00+-'
    with pytest.raises(Refused, match="against"):
        bind_as_meant(lex(typed), Scope(HERE))


def test_every_verb_of_the_game_has_a_line() -> None:
    assert set(COMMANDS) - {type(command) for command in LINES.values()} == set()


# --- names ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "thing"),
    [
        ("gatto", GATTO),
        ("dock", "Dock"),
        ("dock-aisle", "Dock-Aisle"),
        ("Off", "Office"),
        ('"ankle-deep in oil"', "Ankle-deep in oil"),
        ("Ankle", "Ankle-deep in oil"),
        ("Warehouse", "Warehouse"),
    ],
)
def test_a_thing_is_a_person_element_or_plain_name(typed: str, thing: int | str) -> None:
    assert said(f"aspect {typed} Wet") == v.PlaceAspect(thing=thing, aspect="Wet")


@pytest.mark.parametrize(
    ("typed", "thing"), [("Do", "Dock"), ("Do-A", "Dock-Aisle"), ("dock-ai", "Dock-Aisle"), ("Ai", "Aisle")]
)
def test_what_may_be_short_for_a_zone_is_never_short_for_its_border(typed: str, thing: str) -> None:
    assert said(f"aspect {typed} Wet") == v.PlaceAspect(thing=thing, aspect="Wet")


def test_a_zone_is_not_guessed_among_others_of_its_beginning() -> None:
    more = begun().given(
        v.MapZones(zones=("Dock", "Docker"), passes=("1",)),
        g.AspectPlaced(conflict=1, aspect=9, on="Dock", wording="Doctored wires", how="said"),
    )

    with pytest.raises(Ambiguous, match=r"Do may be Dock or Docker or Doctored wires\.$"):
        said("aspect Do Wet", more.table)


# --- answers ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["ruling 4: steel", "ruling threshold=4: steel"])
def test_what_a_border_can_take_is_any_number(tmp_path: Path, typed: str) -> None:
    with evening(tmp_path, "attack Hargan Dock-Aisle with firearms = ++00") as campaign:
        table = campaign.writer(1).table
        command = said(typed, table)

        assert isinstance(command, c.Rule)
        assert command.answer == "4"


def test_the_holder_of_spin_is_a_person() -> None:
    table = begun().given(g.SpinGained(conflict=1, who=HARGAN, holder=None, spins=1)).table

    assert said("ruling spin=Jade: why", table) == c.Rule(question="spin", answer=JADE, text=WHY)


# --- a script ---------------------------------------------------------------------------------------------

OPENING = """\
cast Gatto edgerunner by=Jon athletics=3 cool=3 aspect.gun="Only if it fired" upgrade.legs=athletics+2/1
cast Hargan edgerunner firearms=3 stealth=2 aspect.grudge="Never lets go"
session
roll Gatto athletics vs Hargan stealth takes="a few weeks" --upgrade legs = +++-
resist Gatto moderate as "Out of breath" humanity 1
spend Gatto time 2 quality 1
clear Gatto moderate
assess Hargan Gatto as "Only if it fired" with stealth vs 1 = ++00
aspect Warehouse Ankle-deep in oil --support 2 --oppose 1 --by Gatto = 0++-
aspect Warehouse Dark
aspect Warehouse Dark --gone
conflict edgerunner Gatto vs Hargan: the crate
map Dock 3 Aisle open:1,break:4 Office dock=0,0
place Gatto+Hargan Dock
exchange a few moments
"""


def evening(folder: Path, *more: str) -> CampaignStore:
    """A campaign with the opening played into it, and these lines."""
    campaign = CampaignStore.create(folder / "evening.retold")
    script = OPENING + "\n".join(more)
    writer = Scribe(campaign, 1)
    for _ in play_script(writer, Script("evening.session", script.encode())):
        pass
    return campaign


MORE = (
    "attack Hargan Dock-Aisle with firearms = ++00",
    "ruling threshold=4: a steel door",
    "ruling Hargan.shifts+=1: a good day",
    "apply",
    "map Dock 1 Aisle: what is left of it",
    "ruling Hargan.cool-stress+=3: a beam comes down",
    "end session",
)


def test_a_script_is_written_as_it_was_said(tmp_path: Path) -> None:
    with evening(tmp_path, *MORE) as campaign:
        script = "\n".join(script_of(campaign, 1))
    again = tmp_path / "again"
    again.mkdir()
    with CampaignStore.create(again / "again.retold") as campaign:
        writer = Scribe(campaign, 1)
        for _ in play_script(writer, Script("again.session", script.encode())):
            pass
        assert "\n".join(script_of(campaign, 1)) == script

    for line in ("ruling threshold=4: a steel door", "spend Gatto time 2 quality 1"):
        assert line in script.splitlines()


# --- what is expected -------------------------------------------------------------------------------------

HURT = begun(at={HARGAN: "Office"}).given(
    OIL,
    marked(GATTO, "cool", 1, 1, threshold=3),
    marked(GATTO, "humanity", 2, 1, 2, threshold=2),
    g.ConsequenceTaken(
        conflict=1, who=GATTO, severity=Severity.MILD, worth=1, aspect=5, wording="Torn sleeve", why="boost"
    ),
    g.SpinGained(conflict=1, who=HARGAN, holder=GATTO, spins=2),
)


@pytest.mark.parametrize(
    ("table", "line"),
    [
        (HURT.table, "stress Gatto cool 1 humanity 1 2"),
        (HURT.table, "stress Gatto cool 1"),
        (HURT.table, "stress Gatto humanity 1 2"),
        (HURT.table, "stress Gatto reputation"),
        (HURT.table, "stress Jade"),
        (HURT.table, "threshold Gatto cool 3 humanity 2 reputation 2"),
        (HURT.table, "threshold Gatto cool 3"),
        (HURT.table, "threshold Lock stress 4"),
        (HURT.table, 'consequences Gatto "Torn sleeve"'),
        (HURT.table, "consequences Jade"),
        (HURT.table, 'aspects "ankle deep in oil" "Torn sleeve"'),
        (HURT.table, 'invokes Jade "Ankle-deep in oil" 1'),
        (HURT.table, "invokes Gatto"),
        (HURT.table, "zone Gatto Dock"),
        (HURT.table, "zone Lock"),
        (HURT.table, "range Gatto Hargan 2"),
        (HURT.table, "range Gatto Jade 0 Hargan 2"),
        (HURT.table, "spin Gatto 2"),
        (HURT.table, "points Gatto 5"),
        (HURT.table, "points Jon 5"),
        (HURT.table, "points Rex"),
        (HURT.table, "exchange 1"),
        (HURT.table, "turn"),
        (HURT.given(claimed(JADE)).table, "turn Jade"),
        (HURT.table, "acted"),
        (HURT.table, "out"),
        (HURT.table, "shifts Gatto"),
        (HURT.given(out(JADE, "cool", 9)).table, "out Jade"),
        (HURT.given(g.CharacterKilled(conflict=1, who=JADE)).table, "dead Jade"),
        (open_act(total=5).table, "shifts Hargan 5"),
        (open_act(total=5).table, "shifts Gatto"),
        (open_act(total=5).table, "shifts 5"),
        (outside_roll(GATTO, 3, level=3).table, "shifts 3"),
        (HURT.table, "shifts"),
        (HURT.table, "conflict open"),
        (HURT.table, "not conflict over"),
        (TABLE.table, "conflict over"),
        (TABLE.table, "conflict ended"),
        (outside_roll(GATTO, 3, level=3, takes=13).table, 'takes "a few weeks"'),
        (outside_roll(GATTO, 3, level=3).table, "shifts Gatto 3"),
        (outside_roll(GATTO, 3, level=3).table, "takes"),
        (TABLE.table, "zone Gatto"),
        (TABLE.table, "exchange"),
        (TABLE.table, "range Gatto"),
    ],
)
def test_expectations_hold(table: Table, line: str) -> None:
    assert expecting.check_expectation(lex(f"expect {line}"), table).startswith("It holds: ")


@pytest.mark.parametrize("line", ["stress Jade cool", "not stress Jade cool 1", "not range Lock Gatto 1"])
def test_A45_of_what_is_nothing_a_part_may_be_asked_for(line: str) -> None:
    assert expecting.check_expectation(lex(f"expect {line}"), HURT.table).startswith("It holds: ")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("stress Gatto cool 2", "Expected stress cool 2, found cool 1."),
        ("stress Gatto reputation 1", "Expected stress reputation 1, found reputation."),
        ("stress Gatto", "Expected stress nothing, found cool 1 humanity 1 2."),
        ("threshold Gatto mood 4", "There is no “mood” here. There are: cool, humanity, reputation."),
        ("range Gatto Hargan 1", "Expected range Hargan 1, found Hargan 2."),
    ],
)
def test_a_false_expectation_names_the_actual_value(line: str, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        expecting.check_expectation(lex(f"expect {line}"), HURT.table)

    assert refused.value.sentence == sentence
