"""Numbers of docs/rules that no random play comes upon, on lines of the table; only lines are known here.

Given faces are an expectation too: a line with more or fewer of them than the rules roll is refused.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import retold
from retold.journal.refused import Refused

DEPLOYING = """\
cast Gatto edgerunner by=Dana stealth=4
cast Corp edgerunner kind=faction by=Bo logistics=3 focus=1
cast Drones edgerunner kind=mook tl={level}
conflict K edgerunner Gatto vs Corp
map Dock 1 Aisle
place Gatto Dock
exchange
deploy Corp Drones to Aisle with logistics = +000
expect shifts 5
apply
simple Gatto: I wait.
"""
CONTINUED = """\
exchange
continue Corp
expect shifts {shifts}
apply
simple Gatto: I wait.
"""

QUARREL = """\
cast Hana guenask by=Hal body=3 mind=3 soft=3 hard=3
cast Thoss guenask by=Tom body=3 mind=3 soft=3 hard=3
cast Pym guenask by=Pia body=3 mind=3 soft=3 hard=3
option guenask.boxes_per_row=2
conflict K guenask Hana vs Thoss first=Hana: the boat
"""
STRUCK = """\
approach Hana unopposed neutral = 6 6 6 5 5 5
approach Thoss opposed physical = 5 4 3 2 1 1
raise Hana 6+5
see Thoss 5+3+2+1
fallout Thoss mental
"""
JOINED = """\
approach Hana unopposed neutral = 4 4 4 4 1 1
approach Thoss unopposed neutral = 2 2 2 2 1 1
raise Hana 1+1
see Thoss 1+1
join Pym
approach Pym unopposed neutral = {faces}
expect turn {then}
"""

NUMBERS = {
    # docs/rules/edgerunner.md, long actions, ED-25: an hour is six steps above a few moments
    "a problem is as long as the steps between": (
        "cast Gatto edgerunner by=Dana\ncast Lock edgerunner kind=problem takes='an hour'\n"
        "conflict edgerunner Gatto vs Lock\nexchange a few moments\nexpect threshold Lock stress 6"
    ),
    "a longer exchange leaves fewer steps": (
        "cast Gatto edgerunner by=Dana\ncast Lock edgerunner kind=problem takes='an hour'\n"
        "conflict edgerunner Gatto vs Lock\nexchange half an hour\nexpect threshold Lock stress 1"
    ),
    "a task that fits into an exchange is no problem": (
        "cast Gatto edgerunner by=Dana\ncast Lock edgerunner kind=problem takes='an hour'\n"
        "conflict edgerunner Gatto vs Lock\nexchange an afternoon\nexpect threshold Lock stress 0"
    ),
    # the skill of the track's name is added to the base, and a number on the sheet stands instead
    "a threshold is the base and the skill": (
        "cast Gatto edgerunner by=Dana skill.cool=1\ncast Hob edgerunner cool=4\n"
        "conflict edgerunner Gatto vs Hob\n"
        "expect threshold Gatto cool 3 humanity 2 reputation 2\nexpect threshold Hob cool 4"
    ),
    "a base of the table is added to": (
        "option edgerunner.base_threshold=0\ncast Gatto edgerunner by=Dana skill.cool=1\n"
        "cast Hob edgerunner\nconflict edgerunner Gatto vs Hob\nexpect threshold Gatto cool 1 humanity 0"
        " reputation 0"
    ),
    # ED-26: three continues make 8 of a deployment of 5, which is what mooks of level 5 cost
    "a continued deployment gains one": DEPLOYING.format(level=5)
    + CONTINUED.format(shifts=6)
    + CONTINUED.format(shifts=7)
    + CONTINUED.format(shifts=8)
    + "expect zone Drones Aisle",
    # docs/rules/bruise.md: Karma goes up to the rating, and falls with it
    "karma is at most the rating": (
        "cast Zel bruise by=Jon clubs=4\ntilt Zel destiny\nexpect wheel Zel 6 4\nexpect karma Zel 5 4\n"
        'ruling Zel."karma destiny"=6: A favour.\nexpect karma Zel 6 4'
    ),
    # docs/rules/guenask.md, fallout: a row of two boxes is full with two marks, and takes a die of the stat
    "a full row takes one die": QUARREL + STRUCK + "escalate Thoss opposed neutral = 1 2",
    "three marks fill one row of three boxes": QUARREL.replace("row=2", "row=3")
    + STRUCK
    + "escalate Thoss opposed neutral = 1 2",
    "three marks fill no row of four boxes": QUARREL.replace("row=2", "row=4")
    + STRUCK
    + "escalate Thoss opposed neutral = 1 2 3",
    # joining: by their best two, behind an equal sum, never before the first
    "a newcomer comes behind the first": QUARREL + JOINED.format(faces="6 6 6 6 6 6", then="Pym"),
    "a newcomer comes behind an equal sum": QUARREL + JOINED.format(faces="2 2 1 1 1 1", then="Thoss"),
}


def played(tmp_path: Path, lines: str) -> retold.Campaign:
    made = retold.new(tmp_path / "judged.retold")
    made.play(lines.replace("'an hour'", '"an hour"') + "\n")
    return made


@pytest.mark.parametrize("numbers", NUMBERS)
def test_the_rules_numbers_come_out_on_lines(tmp_path: Path, numbers: str) -> None:
    played(tmp_path, NUMBERS[numbers])


@pytest.mark.parametrize(
    ("numbers", "line"),
    [
        ("karma is at most the rating", 'ruling Zel."karma destiny"=7: More.'),
        ("karma is at most the rating", 'ruling Zel."karma fate"=5: More.'),
    ],
)
def test_what_the_rules_forbid_is_refused(tmp_path: Path, numbers: str, line: str) -> None:
    campaign = played(tmp_path, NUMBERS[numbers])

    with pytest.raises(Refused, match=r"^Karma of .* goes up to its rating, "):
        campaign.say(line)
