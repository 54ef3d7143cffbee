"""Lines of Guenašk that somebody would guess: they are taken, or the refusal says what is meant."""

from __future__ import annotations

import pytest

from tests.cli.shell import Shell

QUARREL = """\
campaign Slips
option guenask.boxes_per_row=3
cast gm by=Eve
cast Hana guenask by=Ann body=3 mind=3 soft=3 hard=3 brother=1d6
cast Thoss guenask body=3 mind=3 soft=3 hard=3
cast Bea guenask body=2 mind=2 soft=2 hard=2
conflict "The egg" guenask Hana vs Thoss: the egg
"""

ROLLED = """\
approach Hana opposed neutral = 1 1 2 3 6 8
approach Thoss opposed neutral = 1 1 2 3 4 4
"""


@pytest.fixture
def quarrel(shell: Shell) -> Shell:
    """Hana and Thoss want the same thing, and have no dice yet."""
    (shell.folder / "evening.retold").unlink()
    shell.done("run", "--new", "-q", "-c", "evening.retold", "-", stdin=QUARREL.encode())
    return shell


def refusal(shell: Shell, line: str) -> str:
    """The sentence that refuses a line."""
    said = shell.say("run", "-c", "evening.retold", "-q", "-", stdin=line.encode())

    assert said.code
    return said.err.partition(": ")[2].removesuffix(" No line is recorded.\n")


@pytest.mark.parametrize(
    "line",
    [
        "approach Hana opposed physical with knife=1d4 = 1 1 1 1 1 1 4",
        "approach Hana opposed physical knife=1d4 --dangerous = 1 1 1 1 1 1 4",
        "approach Hana opposed physical with danger.knife=1d4 = 1 1 1 1 1 1 4",
        "approach Hana opposed physical with brother knife=1d4 = 1 1 1 1 1 1 6 4",
    ],
)
def test_a_knife_comes_in_however_it_is_said(quarrel: Shell, line: str) -> None:
    quarrel.play(f"{line}\n")

    dangerous = "danger" in line
    assert f"knife 1d4 ({'belonging, dangerous' if dangerous else 'trait'})" in quarrel.done("log")


def test_escalating_takes_what_is_dangerous_too(quarrel: Shell) -> None:
    quarrel.play(ROLLED.replace("8", "6"))
    quarrel.play("escalate Hana opposed physical knife=1d4 --dangerous = 1 1 1 4\nexpect cost Thoss 3\n")


@pytest.mark.parametrize(
    "line",
    [
        "fallout Hana physical mental: Both.",
        "fallout Hana physical and mental: Both.",
        "fallout Hana physical+mental: Both.",
        "see 1+1+2 social mental: Both.",
        "see 1+1+2 social+mental: Both.",
    ],
)
def test_one_blow_is_not_split(quarrel: Shell, line: str) -> None:
    assert refusal(quarrel, line) == ("One blow is not split over tracks: choose one of them, and say why.")


def test_dice_without_an_approach_are_rolled(quarrel: Shell) -> None:
    assert refusal(quarrel, "approach Thoss 4d6 = 1 2 3 4: Rain.") == (
        "Dice that are on no sheet are rolled, without an approach: roll NAME 4d6."
    )


def test_a_ruling_says_who_begins_by_name(quarrel: Shell) -> None:
    quarrel.play(ROLLED.replace("8", "6") + "expect turn Hana\nruling first=Thoss: He came to us.\n")

    assert "ruling first = Thoss: “He came to us.”" in quarrel.done("log")
    assert "ruling first=Thoss: He came to us." in quarrel.done("dump", "--script")
    quarrel.play("expect turn Thoss\n")


def test_the_opposition_is_rolled_in_a_script_and_again_from_its_dump(quarrel: Shell) -> None:
    quarrel.play(
        'conflict "Home before dark" guenask Hana vs gm: home before dark\n'
        "roll gm 4d6 = 1 4 5 6: The wind comes round.\n"
        "approach Hana unopposed physical = 1 2 2 3 4 4\n"
        "expect cost gm 0\n"
        "raise Hana 4+4: I lean into it.\n"
        "see 4+1+6: Spray.\n"
        "roll gm 2d6 = 3 3: Sleet.\n"
    )
    script = quarrel.done("dump", "--script")

    assert "roll gm 4d6 = 1 4 5 6: The wind comes round." in script
    quarrel.done("run", "--new", "-q", "-c", "again.retold", "-", stdin=script.encode())
    again, before = quarrel.done("-c", "again.retold", "show"), quarrel.done("-c", "evening.retold", "show")
    assert again.splitlines()[1:] == before.splitlines()[1:]
