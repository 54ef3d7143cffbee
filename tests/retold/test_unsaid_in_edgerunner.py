"""Lines of Edgerunner that leave something out, and what an act leaves to do (Q37)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from retold.journal.refused import Refused
from retold.journal.store.writing.campaign import CampaignStore
from retold.scribe import Scribe

PLAYED = """\
cast gm by=Hal
cast Rook edgerunner by=Anna firearms=4 cool=4 humanity=3 reputation=3 aspects="By the book, Never late"
cast Tully edgerunner by=Cem empathy=3 cool=3 humanity=4 reputation=2
cast Guards kind=mook tl=3 firearms=2
cast "Madame Oh" kind=extra empathy=3 cool=4 humanity=3
session One
conflict Rook+Tully vs Guards
exchange
"""


@pytest.fixture
def scribe(tmp_path: Path) -> Iterator[Scribe]:
    with CampaignStore.create(tmp_path / "x.retold") as campaign:
        scribe = Scribe(campaign, 1)
        for line in PLAYED.splitlines():
            scribe.say(line)
        yield scribe


def refusal(scribe: Scribe, line: str) -> str:
    with pytest.raises(Refused) as refused:
        scribe.say(line)
    return refused.value.sentence


def said(scribe: Scribe, line: str) -> tuple[str, ...]:
    return scribe.say(line).said


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("attack Guards Rook = +0-+: Low.", "attack Guards Rook cool = +0-+: Low."),
        (
            "attack Guards Rook with firearms --check",
            "attack Guards Rook cool with firearms --check.",
        ),
        ("declare Guards attack Rook with firearms", "declare Guards attack Rook cool with firearms."),
        ("at Guards Rook", "at Guards Rook cool."),
    ],
)
def test_Q37_a_line_without_its_track_is_shown_whole(scribe: Scribe, typed: str, shown: str) -> None:
    assert refusal(scribe, typed) == f"Say on which of Rook's tracks: cool, humanity, reputation: {shown}"


def test_Q37_an_attack_is_on_the_track_of_the_latest_that_the_target_has(scribe: Scribe) -> None:
    scribe.say("attack Rook Guards with firearms = ----")
    scribe.say("attack Guards Rook reputation = ----")

    scribe.say("attack Tully Guards = ----")
    scribe.say("exchange")
    scribe.say("simple Rook")
    assert "reputation" in " ".join(scribe.say("attack Guards Tully = ++++").notation(scribe.table))


def test_Q37_a_contest_without_the_other_skill_is_shown_whole(scribe: Scribe) -> None:
    scribe.say("end conflict")

    assert refusal(scribe, 'roll Tully empathy vs "Madame Oh" = +0+-') == (
        'Say with which skill Madame Oh opposes: roll Tully empathy vs "Madame Oh" empathy = +0+-.'
    )


def test_Q37_a_list_of_aspects_is_several(scribe: Scribe) -> None:
    assert scribe.say("expect refused aspect Rook Never late").checked
    scribe.say('cast Tully aspects="By the book; Off the book"')
    assert said(scribe, "expect invokes Tully nothing")
    assert refusal(scribe, "aspect Tully off the book").startswith("Tully has that aspect already")


def test_Q37_a_new_scene_says_what_is_left_to_clear(scribe: Scribe) -> None:
    scribe.say("attack Guards Tully cool with firearms = ++00")
    scribe.say('resist Tully cool 3 mild as "Cracked visor"')
    scribe.say("apply")
    scribe.say("end conflict")

    assert said(scribe, "scene The quay") == (
        "A mild consequence ends with the scene: clear Tully mild.",
        "Stress stays until the next session, or: clear Tully cool.",
    )
    scribe.say("clear Tully visor")
    scribe.say("clear Tully cool")
    assert said(scribe, "scene The tower") == ()


def test_Q37_an_unattributed_declaration_explains_who_would_get_free_invokes(scribe: Scribe) -> None:
    assert said(scribe, "aspect scene A service lift = ++0-") == (
        "The person who declares it has a free invoke of it: undo, and name them with --by NAME.",
    )
    assert said(scribe, "aspect scene A second lift --by Rook = ++0-") == ()
    assert said(scribe, "aspect scene A third lift = 000-") == ()


def test_Q37_a_number_of_boxes_says_which_if_they_are_not_the_first(scribe: Scribe) -> None:
    scribe.say("attack Guards Tully cool with firearms = +000")
    scribe.say("resist Tully")
    assert said(scribe, "Tully cool") == ("Tully's cool: 3 of 3.",)
    scribe.say("apply")
    scribe.say("recover Tully cool = +000")
    scribe.say("apply 1")

    assert said(scribe, "Tully cool") == ("Tully's cool: 2 of 3 (boxes 2 3).",)


def test_Q37_people_are_placed_in_a_conflict(scribe: Scribe) -> None:
    scribe.say("end conflict")
    scribe.say("map Shaft 1 Gantry")

    assert refusal(scribe, "place Rook Tully Shaft") == (
        "People are placed on the map of an open conflict."
        ' To open one: conflict Rook+Tully vs Guards+"Madame Oh".'
    )


def test_Q37_all_accept_once_a_side(scribe: Scribe) -> None:
    scribe.say("concede Guards: They run.")

    outcome = scribe.say("accept all")
    assert outcome.done is not None
    assert sum(event.kind == "table.concession-accepted" for event in outcome.done.events) == 1
