"""Lines of Bruise as they are typed, with the sentences that refuse some of them."""

from __future__ import annotations

from tests.cli.shell import Shell

STAIR = """
cast Ned bruise by=Omar clubs=1 melee=1
conflict "Out" bruise Zel vs Ned vs Guards
"""


def test_A36_a_repeated_key_is_refused(shell: Shell) -> None:
    assert shell.refused("conflict", "Up", "bruise", "Zel", "vs", "Guards", "tied=destiny", "tied=fate") == (
        "tied= is on this line twice: type it once."
    )
    assert shell.refused("option", "bruise.ace=low", "bruise.Ace=high") == (
        "bruise.Ace= is on this line twice: type it once."
    )


def test_a_ruling_may_reckon_with_a_number_twice(shell: Shell) -> None:
    shell.play("ruling Zel.legacy+=1 Zel.legacy+=1: For both of them.")


def test_A36_an_invalid_answer_to_a_tie_lists_the_choices(shell: Shell) -> None:
    shell.play(STAIR + "draw Zel 1 = KS\ndraw Ned 1 = 2S\ndraw Guards 1 = KH\n")

    asked = "Zel and Guards are tied: who takes the hand? Answer with: Zel, Guards."
    assert shell.refused("ruling", "Ned:", "He is nearest.").startswith(asked)
    assert shell.refused("ruling", "tie=Ned:", "He is nearest.").startswith(asked)


def test_tied_fighters_are_named_on_a_line_and_in_dumps(shell: Shell) -> None:
    shell.play(
        STAIR
        + "tie Zel destiny: She was born here.\ntie Ned+Guards fate\ntie neither\n"
        + "draw Zel 6 = KS _ _ _ _ _\nquality Ned 9\nquality Guards 5\nquality Zel K 2 vs Guards\n"
    )

    script = shell.done("dump", "--script")
    for line in ("tie Zel destiny: She was born here.", "tie Ned+Guards fate", "tie neither"):
        assert line in script
    assert "quality Zel K 2 vs Guards" in script


def test_a_ruling_says_what_a_joker_counts_for(shell: Shell) -> None:
    shell.play(STAIR + "option jokers=1\nruling joker=15: Nothing stands above it.\n")

    assert shell.refused("ruling", "joker=16:", "More.").startswith("A ruling sets joker to one of 0, 1,")
    assert shell.refused("ruling", "joker-suit=any:", "More.") == (
        "A ruling sets joker, or somebody's number: ruling Zel.legacy+=1: why."
    )
