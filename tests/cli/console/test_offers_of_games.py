"""What Tab knows of each game: whom a line is about, skills, tracks, zones, aspects, times, dice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from retold.cli.console.nameable import Offer
from retold.cli.console.offers import Known, offers
from retold.cli.console.script import carry_out
from retold.cli.console.session import ConsoleSession, LineResult
from retold.cli.invocation import Options
from retold.journal.store.writing.campaign import CampaignStore
from retold.scribe import Scribe

WAREHOUSE = """
cast gm by=Runa
cast Gatto edgerunner by=Teo role=solo athletics=3 firearms=4 cool=3 aspect.gun="This gun jams"
cast Gatto edgerunner upgrade.sight=firearms+1/0
cast Jade edgerunner by=Mirja deception=4
cast Hargan edgerunner by=Ewan firearms=3 stealth=1 cool=4 aspect.style="Nobody walks past"
cast Drones edgerunner kind=mook tl=3
cast Corp edgerunner kind=faction logistics=2
session The night shift --date 2026-06-13
conflict "The office" Gatto+Jade vs Hargan+Corp
map Gate 3 "Long aisle" open:1,break:4 Office
place Gatto+Jade Gate
place Hargan+Corp "Long aisle"
exchange half a minute
maneuver Jade Hargan as "Blind with steam" with deception = 0000
apply
"""
SHOT = "attack Gatto Hargan cool with firearms = 0000"

QUARREL = """
cast Hana guenask mind=3 hard=3 body=3 soft=3 rel.Thoss=1d8 pistol=1d4
cast Thoss guenask mind=3 hard=3 body=3 soft=3 stages=5
session The egg --date 2026-05-09
conflict "The egg" guenask Hana vs Thoss first=Hana: the egg
ruling boxes=3: As offered.
approach Hana opposed neutral with Thoss = 1 2 2 3 4 4 7
approach Thoss opposed neutral = 1 1 3 4 5 6
"""

FORD = """
cast Alice whiskey combat=5 base=10 die=6 hp=10 stealth=4
cast Sword whiskey combat=3 base=10 die=6 hp=5
session The ford --date 2026-05-09
conflict "The ford" whiskey Alice vs Sword
"""


@pytest.fixture
def seat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ConsoleSession]:
    monkeypatch.setenv("RETOLD_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("RETOLD_CAMPAIGN", raising=False)
    with CampaignStore.create(tmp_path / "salt.retold") as campaign:
        yield ConsoleSession(Scribe(campaign, 1, today="2026-06-13"), Options())


def at(seat: ConsoleSession, script: str) -> ConsoleSession:
    assert carry_out(seat, script).heard is LineResult.DONE
    return seat


def found(seat: ConsoleSession, typed: str) -> list[Offer]:
    return offers(Known(seat.scribe.table, ("mainline",)), typed)[1]


def offered(seat: ConsoleSession, typed: str) -> list[str]:
    return [one.text for one in found(seat, typed)]


# --- Edgerunner -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("attack ", ["Gatto", "Hargan", "Corp", "Jade"]),
        ("attack Gatto Hargan ", ["cool", "humanity", "reputation", "with"]),
        ("attack Gatto Blind", ['"Blind with steam"']),
        ("attack Gatto Hargan cool with ", ["firearms", "athletics"]),
        ("attack Gatto Hargan cool with firearms --upgrade ", ["sight"]),
        ("assess Jade Hargan as x with deception vs ", ["firearms", "stealth"]),
        ("defend Gatto ", ["Gatto", "Jade", "Hargan"]),
        ("move Gatto to ", ['"Long aisle"']),
        ('move Gatto to "Long aisle" O', ["Office:open", "Office:break"]),
        ("place Drones ", ["in", "Gate", '"Long aisle"']),
        ("deploy Corp ", ["Drones"]),
        ("deploy Corp Drones to ", ["Gate", '"Long aisle"', "Office"]),
        ("declare Gatto a", ["attack"]),
        ("declare Gatto eng", []),
        ("exchange ", ["half a minute", "a minute"]),
        ("exchange a few m", ["a few minutes", "a few moments"]),
        ("exchange a few", ["a few minutes", "a few hours", "a few days", "a few weeks"]),
        ("aspect Hargan Bl", ["Blind with steam"]),
        ("aspect Hargan Nob", []),
        ("cast Rex edgerunner ki", ["kind="]),
        ("cast Rex edgerunner kind=fac", ["faction"]),
        ("cast Rex edgerunner role=no", ["nomad"]),
        ('cast Rex edgerunner takes="a few h', ['"a few hours"']),
        ("cast Rex edgerunner fire", ["firearms="]),
        ("cast Nephrite edgerunner of=Ja", ["Jade"]),
    ],
)
def test_an_edgerunner_line_is_completed(seat: ConsoleSession, typed: str, expected: list[str]) -> None:
    assert offered(at(seat, WAREHOUSE), typed)[: len(expected)] == expected


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("invoke ", ["Gatto", "Hargan"]),
        ("invoke Gatto ", ["Blind with steam", "This gun jams", "Nobody walks past"]),
        ("invoke Gatto with st", ["Blind with steam"]),
        ("invoke Gatto Blind with st", ["Blind with steam"]),
        ("invoke Gatto jams", ["This gun jams"]),
        ("invoke Gatto --re", ["--reroll"]),
        ("boost ", ["Gatto"]),
        ("boost Gatto ", ["mild", "moderate", "severe", "cool"]),
        ("resist ", ["Hargan"]),
        ("resist Hargan cool ", ["3"]),
    ],
)
def test_an_open_roll_is_completed(seat: ConsoleSession, typed: str, expected: list[str]) -> None:
    at(seat, WAREHOUSE + SHOT)

    assert offered(seat, typed)[: len(expected)] == expected


def test_an_aspect_that_was_invoked_is_not_offered_again(seat: ConsoleSession) -> None:
    at(seat, f"{WAREHOUSE}{SHOT}\ninvoke Gatto blind --free")

    assert offered(seat, "invoke Gatto ") == ["This gun jams", "Nobody walks past"]


def test_what_an_offer_says_of_itself_are_its_numbers(seat: ConsoleSession) -> None:
    at(seat, f"{WAREHOUSE}{SHOT}\napply")

    about = {
        one.text: one.about
        for typed in ("attack Jade Hargan ", "move Jade to ")
        for one in found(seat, typed)
    }
    assert about["cool"] == "goes to 4, 1 2 3 marked"
    assert about['"Long aisle"'] == "takes 3"
    assert [one.about for one in found(seat, "invoke Jade blind")] == ["on Hargan, 2 free"]


def test_the_boxes_a_recovery_could_clear_are_offered(seat: ConsoleSession) -> None:
    """Three shifts, boxes 1 to 3 marked: 1 and 2 use them all, and so does 3."""
    at(seat, f"{WAREHOUSE}{SHOT}\napply\nrecover Hargan cool with firearms = 0000")

    assert offered(seat, "apply ") == ["1 2", "3", "2", "1"]


def test_the_character_asked_is_offered_first(seat: ConsoleSession) -> None:
    at(seat, f"{WAREHOUSE}declare Hargan attack Jade cool")
    assert offered(seat, "compel ")[0] == "Hargan"
    assert offered(seat, "compel Hargan ")[0] == "Nobody walks past"

    at(seat, "compel Hargan nobody walks: He waits.")
    assert offered(seat, "refuse ")[0] == "Hargan"


def test_a_roll_outside_conflicts_is_completed(seat: ConsoleSession) -> None:
    at(seat, f'{WAREHOUSE}end conflict agreed\nroll Gatto firearms takes="a day" = ++++')

    assert offered(seat, "roll Gatto fi") == ["firearms"]
    assert offered(seat, 'roll Gatto firearms takes="a we') == ['"a week"', '"a few weeks"']
    assert offered(seat, "roll Gatto firearms vs Hargan st") == ["stealth"]
    assert offered(seat, "spend ")[0] == "Gatto"
    assert offered(seat, "spend Gatto ") == ["time"]
    assert offered(seat, "clear Gatto ") == ["stress"]


# --- the others -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("raise ", ["Hana", "Thoss"]),
        ("raise Hana 4+", ["4+4", "4+3", "4+2", "4+1"]),
        ("escalate Hana unopposed physical with ", ["pistol"]),
        ("see Hana 1+2+3 so", ["social"]),
        ("cast Hana guenask st", ["stages="]),
    ],
)
def test_a_guenask_line_is_completed(seat: ConsoleSession, typed: str, expected: list[str]) -> None:
    assert [one for one in offered(at(seat, QUARREL), typed) if one in expected] == expected


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("declare Alice ", ["engage", "guard", "advance", "stand", "other"]),
        ("check Alice ste", ["stealth"]),
        ("check Alice stealth vs Sword co", ["combat"]),
        ("cast Alice whiskey ste", ["stealth="]),
    ],
)
def test_a_whiskey_line_is_completed(seat: ConsoleSession, typed: str, expected: list[str]) -> None:
    assert offered(at(seat, FORD), typed)[: len(expected)] == expected
