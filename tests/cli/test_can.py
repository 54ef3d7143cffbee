"""`can` lists what may be done now, with its numbers, and chooses nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from retold.__main__ import main
from tests.cli.shell import Shell

EVENING = """\
campaign Dice on the table
cast Hana guenask mind=3 hard=3 body=3 soft=3
cast Thoss guenask mind=3 hard=3 body=3 soft=3 stages=5
conflict "The egg" guenask Hana vs Thoss first=Hana: the egg
ruling boxes=3: As offered.
approach Hana opposed neutral = 1 2 2 3 4 4
approach Thoss opposed neutral = 1 1 3 4 5 6
mark rolled
raise 4+3: Hand it over.
mark raised
see 6+1: No.
raise 1+3: Leave.
mark small
see 4: You leave.
mark reversed
"""


@pytest.fixture
def campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """A quarrel, played up to a reversal."""
    monkeypatch.setenv("RETOLD_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("RETOLD_CAMPAIGN", raising=False)
    script = tmp_path / "evening.session"
    script.write_text(EVENING, "utf-8")
    path = str(tmp_path / "dice.retold")
    assert main(["run", "--new", "-q", "-c", path, str(script)]) == 0
    capsys.readouterr()
    return path


def test_every_raise_is_listed_by_what_it_comes_to(campaign: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-c", campaign, "can", "--at", "rolled"]) == 0

    assert capsys.readouterr().out == (
        "Hana to raise (The egg)\n"
        "  Raises:\n"
        "    4+4 = 8 · 4+3 = 7 · 4+2 = 6 · 4+1 = 5 · 3+2 = 5 · 3+1 = 4 · and 2 more\n"
        "  escalate Hana …     another approach, and what it rolls\n"
        "    unopposed neutral · unopposed physical · opposed physical\n"
        "  raise Hana none: …  the stakes are lost\n"
        "  give Hana: …        out, without fallout\n"
    )


def test_a_see_is_listed_by_what_it_would_be(campaign: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-c", campaign, "can", "--at", "raised"]) == 0

    assert capsys.readouterr().out == (
        "Thoss to see 7 (The egg)\n"
        "  Block (two dice):\n"
        "    4+3 = 7 · 6+1 = 7 · 5+3 = 8 · 5+4 = 9 · 6+3 = 9 · 6+4 = 10 · and 1 more\n"
        "  Take the blow (three dice or more), 2 fallout, resisted by a die of 3 or more:\n"
        "    5+1+1 = 7 · 4+3+1+1 = 9 · 5+4+3+1+1 = 14 · 6+5+4+3+1+1 = 20\n"
        "  escalate Thoss …   another approach, and what it rolls\n"
        "    unopposed neutral · unopposed physical · opposed physical\n"
        "  see Thoss none: …  the stakes are lost\n"
        "  give Thoss: …      out, without fallout\n"
    )


def test_a_reversal_is_named_and_a_kept_die_is_in_every_raise(
    campaign: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["-c", campaign, "can", "--at", "small"]) == 0
    assert "  Reverse the blow (one die, kept for the next raise):\n    4\n" in capsys.readouterr().out

    assert main(["-c", campaign, "can"]) == 0
    assert capsys.readouterr().out.startswith(
        "Hana to raise, with the 4 kept (The egg)\n  Raises:\n    4+2 = 6 · 4+1 = 5\n"
    )


def test_for_machines_all_of_them_are_told(campaign: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-c", campaign, "can", "Thoss", "--at", "raised", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    (moves,) = said["moves"]

    assert (said["retold"], said["version"], moves["task"], moves["against"]) == ("can", 1, "see", 7)
    assert moves["who"]["name"] == "Thoss"
    line = {"line": "see Thoss 6+5: …"}
    assert {"what": "block", "dice": [6, 5], "total": 11, "fallout": None, **line} in moves["ways"]
    line = {"line": "see Thoss 5+1+1: …"}
    assert {"what": "blow", "dice": [5, 1, 1], "total": 7, "fallout": 2, **line} in moves["ways"]


def test_acting_out_of_turn_names_whose_turn_it_is(campaign: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-c", campaign, "can", "Thoss"]) == 0

    assert capsys.readouterr().out == ("Nothing is for Thoss to do now: Hana to raise, with the 4 kept.\n")


def test_if_nothing_is_open_it_says_so_and_is_no_refusal(
    campaign: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["-c", campaign, "give", "Thoss"]) == 0
    assert main(["-c", campaign, "can"]) == 0

    assert capsys.readouterr().out.endswith(
        "Nothing is open: no conflict, no roll, no offer that waits for an answer.\n"
    )


def test_it_records_nothing(campaign: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = Path(campaign).read_bytes()
    main(["-c", campaign, "can"])

    assert Path(campaign).read_bytes() == before
    assert capsys.readouterr().err == ""


BLOW = """\
cast Hana guenask mind=3 hard=3
cast Thoss guenask mind=3 hard=3
conflict "The egg" guenask Hana vs Thoss first=Hana: the egg
ruling boxes=3: As offered.
approach Hana opposed neutral = 1 2 2 3 4 4
approach Thoss opposed neutral = 1 1 3 4 5 6
raise 4+3: Hand it over.
see 5+1+1: No.
mark struck
fallout Thoss social: Everybody heard.
"""


def test_a_blow_lists_its_tracks_and_the_dice_that_resist_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """§6: 1 and Hard are 2 fallout; of the 3, 4 and 6 that are left, each is more than that."""
    monkeypatch.setenv("RETOLD_HOME", str(tmp_path / "home"))
    script, path = tmp_path / "blow.session", str(tmp_path / "blow.retold")
    script.write_text(BLOW, "utf-8")
    assert main(["run", "--new", "-q", "-c", path, str(script)]) == 0
    capsys.readouterr()

    assert main(["-c", path, "can", "--at", "struck"]) == 0
    assert capsys.readouterr().out == (
        "Thoss takes 2 fallout: fallout Thoss TRACK: why (The egg)\n"
        "  fallout Thoss …  0 of 9 marked\n"
        "    physical · mental · social · societal\n"
        "  resist Thoss …   cancels the 2 fallout of that blow\n"
        "    3 · 4 · 6\n"
    )

    assert main(["-c", path, "can"]) == 0
    told = capsys.readouterr().out
    assert told.startswith(
        "Thoss to raise (The egg)\nThoss may still resist that blow with a die of 3 or more.\n"
    )
    assert "cancels the 2 fallout of that blow\n    3 · 4 · 6\n" in told


# --- turns and rolls --------------------------------------------------------------------------------------

NIGHT = """\
campaign Down at the canal
cast Gatto edgerunner by=Teo athletics=3 firearms=3 cool=3 aspect.gun="This gun jams"
cast Hargan edgerunner by=Ewan firearms=4 cool=4 aspect.style="Nobody walks past"
session The night shift --date 2026-06-13
conflict "The office" Gatto vs Hargan: the names
map Gate 3 Office
place Gatto Gate
place Hargan Office
exchange a few moments
mark begun
attack Hargan Gatto cool with firearms = 000-
mark shot
apply
simple Gatto
mark waited
end conflict agreed
mark over
"""


@pytest.fixture
def night(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """A shot in a warehouse, and the quiet after it."""
    monkeypatch.setenv("RETOLD_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("RETOLD_CAMPAIGN", raising=False)
    script = tmp_path / "night.session"
    script.write_text(NIGHT, "utf-8")
    path = str(tmp_path / "night.retold")
    assert main(["run", "--new", "-q", "-c", path, str(script)]) == 0
    capsys.readouterr()
    return path


def test_on_a_turn_it_says_who_may_go_how_far(night: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-c", night, "can", "--at", "begun"]) == 0

    assert capsys.readouterr().out == (
        "Yet to act: Gatto, Hargan. Of several who want to, the highest bid is next. (The office)\n"
        "Gatto is in Gate; borders to others: Hargan 1.\n"
        "Hargan is in Office; borders to others: Gatto 1.\n"
        "An act of Gatto's may be made with athletics 3, firearms 3: … with athletics.\n"
        "An act of Hargan's may be made with firearms 4: … with firearms.\n"
        "  next Gatto                   the turn is theirs\n"
        "  next Hargan                  the turn is theirs\n"
        "  move Gatto to Office --free  2 left of the border for Gatto\n"
        "  move Gatto to Office         takes 3 shifts\n"
        "  move Gatto Hargan to Gate    somebody else is moved\n"
        "  attack Gatto …               the shifts are stress\n"
        "    Hargan cool · Hargan humanity · Hargan reputation · Gate-Office\n"
        "  defend Gatto …               the shifts are the threshold\n"
        "    cool · humanity · reputation\n"
        "  maneuver Gatto …             an aspect, with free invokes\n"
        "    Gatto as … · Hargan as … · Gate as … · Office as …\n"
        "  simple Gatto: …              no dice, or to wait\n"
        "  move Hargan to Gate --free   2 left of the border for Hargan\n"
        "  move Hargan to Gate          takes 3 shifts\n"
        "  move Hargan Gatto to Office  somebody else is moved\n"
        "  attack Hargan …              the shifts are stress\n"
        "    Gatto cool · Gatto humanity · Gatto reputation · Gate-Office\n"
        "  defend Hargan …              the shifts are the threshold\n"
        "    cool · humanity · reputation\n"
        "  maneuver Hargan …            an aspect, with free invokes\n"
        "    Gatto as … · Hargan as … · Gate as … · Office as …\n"
        "  simple Hargan: …             no dice, or to wait\n"
    )


def test_each_line_of_a_roll_shows_its_result(night: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Four and -1 at a range of 1: 2 shifts."""
    assert main(["-c", night, "can", "--at", "shot"]) == 0

    assert capsys.readouterr().out == (
        "Hargan's attack on Gatto stands at 2 shifts. (The office)\n"
        "An invoke may have the dice thrown again instead: --reroll.\n"
        "  apply                       Gatto cool 1 2\n"
        "  invoke Hargan …             4 shifts, a fate point to Teo: Gatto is taken out\n"
        "    This gun jams · Nobody walks past\n"
        "  boost Hargan mild as …      3 shifts: Gatto cool 1 2 3\n"
        "  boost Hargan moderate as …  4 shifts: Gatto is taken out\n"
        "  boost Hargan severe as …    6 shifts: Gatto is taken out\n"
        "  boost Hargan cool 4         6 shifts, cool 1 2 3 4: Gatto is taken out\n"
        "  boost Hargan humanity 2     4 shifts, humanity 1 2: Gatto is taken out\n"
        "  boost Hargan reputation 2   4 shifts, reputation 1 2: Gatto is taken out\n"
        "  invoke Gatto …              0 shifts, a fate point to Ewan: nothing comes of\n"
        "                              it\n"
        "    This gun jams · Nobody walks past\n"
        "  resist Gatto mild as …      1 shift: Gatto cool 1\n"
        "  resist Gatto moderate as …  0 shifts: nothing comes of it\n"
    )


def test_one_persons_lines_may_be_asked_for(night: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-c", night, "can", "Gatto", "--at", "shot"]) == 0

    told = capsys.readouterr().out
    assert "  resist Gatto mild as …      1 shift: Gatto cool 1\n" in told
    assert "boost" not in told


def test_a_fight_summary_shows_zones_and_marked_boxes(night: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Two shifts on a track of 4 mark boxes 1 and 2."""
    assert main(["-c", night, "show", "--at", "waited"]) == 0

    told = capsys.readouterr().out
    assert "  Gatto in Gate · Hargan in Office\n" in told
    assert "Gatto cool [x][x]" in told


def test_a_fight_without_a_title_names_its_sides_once(night: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-c", night, "conflict", "Gatto", "vs", "Hargan"]) == 0
    capsys.readouterr()

    assert main(["-c", night, "show"]) == 0
    assert "\nGatto vs Hargan (Edgerunner)\n" in capsys.readouterr().out


def test_machines_are_told_every_line(night: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-c", night, "can", "--at", "shot", "--json"]) == 0
    (seen,) = json.loads(capsys.readouterr().out)["outlooks"]

    assert (seen["conflict"], seen["title"]) == (1, "The office")
    assert seen["stands"][0] == "Hargan's attack on Gatto stands at 2 shifts."
    assert seen["choices"][1] == {
        "who": {"id": 3, "name": "Hargan"},
        "line": "invoke Hargan This gun jams",
        "comes_to": "4 shifts, a fate point to Teo: Gatto is taken out",
        "shifts": 4,
    }


def test_an_idle_fighter_is_told_the_state_of_play(night: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-c", night, "can", "Teo", "--at", "shot"]) == 0

    assert capsys.readouterr().out == (
        "Nothing is for Teo to do now: Hargan's attack on Gatto stands at 2 shifts.\n"
    )


def test_when_nothing_is_open_it_says_so(night: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-c", night, "can", "--at", "over"]) == 0

    assert capsys.readouterr().out == (
        "Nothing is open: no conflict, no roll, no offer that waits for an answer.\n"
    )


def test_what_may_be_said_in_another_conflict_names_it_once_for_all_its_ends(shell: Shell) -> None:
    shell.play('conflict "A" bruise Zel vs Guards\nconflict "B" bruise Zel vs Wolves\n')

    said = shell.done("can")

    assert "  draw Guards … --in 2" in said
    assert "1 · 2 · 3" in said
    assert "declare Zel --in 2: …" in said


def test_W6_can_with_a_name_lists_what_they_may_roll_at_any_time(shell: Shell) -> None:
    shell.done("new", "yard", "--game", "d20")
    shell.done("-c", "yard", "cast", "Osk", "dex=3")

    assert (
        shell.done("-c", "yard", "can")
        == "Nothing is open: no conflict, no roll, no offer that waits for an answer.\n"
    )
    told = shell.done("-c", "yard", "can", "Osk").splitlines()
    assert told[1:3] == ["Osk may roll at any time:", "  roll Osk …"]
    assert told[3].startswith("    check str · check dex · ")
    found = json.loads(shell.done("-c", "yard", "can", "Osk", "--json"))["rolls"]
    assert [found[1][key] for key in ("line", "number", "comes_to")] == [
        "roll Osk check dex",
        3,
        "1d20+3[dex]",
    ]


def test_can_for_a_viewer_lists_what_their_own_people_may_do(shell: Shell) -> None:
    shell.play('conflict "A" bruise Zel vs Guards\n')

    def lines(*words: str) -> set[str]:
        found = json.loads(shell.done("can", *words, "--json"))["outlooks"]
        return {choice["who"]["name"] for seen in found for choice in (*seen["choices"], *seen["beside"])}

    assert lines() == lines("--for", "gm") == {"gm", "Zel", "Guards"}
    assert lines("--for", "Jon") == lines("--for", "Zel") == lines("Zel", "--for", "Jon") == {"Zel"}
    assert lines("--for", "table") == lines("Guards", "--for", "Jon") == set()
    assert json.loads(shell.done("can", "--for", "Jon", "--json"))["at"] is None
    assert "draw Zel" in shell.done("can", "--for", "Jon")
    assert "draw Guards" not in shell.done("can", "--for", "Jon")


def test_can_for_a_viewer_has_the_rolls_of_their_own_people_alone(shell: Shell) -> None:
    shell.done("new", "yard", "--game", "d20")
    for words in (("Osk", "by=Ada", "dex=3"), ("Thia", "by=Ben", "dex=1")):
        shell.done("-c", "yard", "cast", *words)

    def rolls(*words: str) -> object:
        return json.loads(shell.done("-c", "yard", "can", *words, "--json"))["rolls"]

    assert rolls("Osk", "--for", "Ada") == rolls("Osk")
    assert rolls("Osk", "--for", "Ben") == []
    assert "may roll" not in shell.done("-c", "yard", "can", "Osk", "--for", "Ben")
