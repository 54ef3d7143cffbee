"""Events as a page tells them while they are recorded: one block for an act, words as in a replay."""

from __future__ import annotations

from pathlib import Path

import retold

EVENING = """
game d20
cast gm by=Mary
cast Osk by=Jon str=2 dex=3 health=12 ac=12 damage=1d6+dex
cast Wolf health=7 ac=11 str=1 damage=1d6
session The Yard
scene Yard: Rain since noon.
conflict "At the gate" Osk vs Wolf
roll Osk attack dex vs Wolf = 15 4: I put the knife where it has no fur.
say Osk: Hush, all of you.
note --gm: It is tame.
mark here
"""


def told(folder: Path, viewer: str, script: str = EVENING) -> list[tuple[object, ...]]:
    """Every event that a page tells, without those that set the table."""
    with retold.new(folder / "yard.retold", seed="for tests alone") as campaign:
        campaign.play(script)
        every = [tuple(one) for one in campaign.seen_by(viewer).told_live(0).values() if any(one[1:])]
    return every[next(n for n, one in enumerate(every) if one[1] == "The Yard") :]


def test_W8_a_throw_is_one_block_of_words_and_numbers(tmp_path: Path) -> None:
    scene, conflict, *throw, said = told(tmp_path, "Jon")[1:]

    assert scene == (True, "Yard", (("", "Rain since noon.", False),), "")
    assert conflict[:2] == (True, "At the gate")
    assert [one[0] for one in throw] == [True, *[False] * (len(throw) - 1)]
    assert [words for one in throw for words in one[2]] == [  # type: ignore[attr-defined]
        ("Osk rolls:", "I put the knife where it has no fur.", False),
        ("", "Osk hit Wolf.", True),
        ("", "Wolf went down.", True),
    ]
    assert [one[3] for one in throw] == [
        "Osk rolls 1d20: 15",
        "Osk: 1d20+3[dex] is 18",
        "Osk: attack with dex 3 against Wolf's ac: a hit",
        "Osk rolls 1d6: 4",
        "Osk: 1d6[damage]+3[dex] is 7",
        "Osk's attack: Wolf is out",
    ]
    assert said == (True, "", (("Osk:", "“Hush, all of you.”", False),), "")


def test_W8_no_page_tells_hashes_ids_or_how_the_record_is_kept(tmp_path: Path) -> None:
    lines = told(tmp_path, "gm", EVENING + "branch fix @-1\nswitch fix\n")

    assert lines[-1][2] == (("Note:", "It is tame.", False),)
    assert [one for one in lines if "parent" in str(one) or "format" in str(one)] == []


def test_a_page_tells_nothing_that_its_viewer_may_not_know(tmp_path: Path) -> None:
    assert "tame" in str(told(tmp_path, "gm"))
    (tmp_path / "yard.retold").unlink()

    assert "tame" not in str(told(tmp_path, "Jon"))
