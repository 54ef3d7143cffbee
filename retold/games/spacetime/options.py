"""Table options of Space·Time, each with its default."""

from __future__ import annotations

from retold.game import Chosen, Option
from retold.games.spacetime.rules import BeatsTable, MultiParty

NAME = "spacetime"

OPTIONS = (
    Option(
        "orientation",
        ("random", "chosen", "ignored"),
        "random",
        "which way up a card lies: as it falls, as its drawer says (T14:r, else upright), or always upright",
    ),
    Option(
        "reshuffle",
        ("when_empty", "every_round", "every_conflict"),
        "when_empty",
        "when the deck is made whole; cards on the table stay there, whatever is chosen",
    ),
    Option(
        "beats_table",
        tuple(BeatsTable),
        BeatsTable.AUTHOR,
        "which card beats which: the author's table, or the higher Triumph; a table of your own is not built",
    ),
    Option("require_tactics", ("yes", "no"), "yes", "whether every party states a tactic before the draw"),
    Option(
        "overrule_tokens",
        ("0", "1", "2", "3"),
        "3",
        "how many narrations each player and the game master may overrule in a session",
        number=True,
    ),
    Option(
        "stop_scope",
        ("conflict", "party"),
        "conflict",
        "whether a party that concedes stops the conflict for all, or leaves it and the others go on",
    ),
    Option(
        "obstacle_mode",
        ("conflict", "draw_until_success", "challenge"),
        "conflict",
        "how an obstacle is met where its conflict does not say (mode=)",
    ),
    Option(
        "multi_party",
        tuple(MultiParty),
        MultiParty.ALL,
        "whether the balance takes a step against all other parties, or against more than half of them",
    ),
    Option(
        "blank_cards",
        ("none", "suits"),
        "none",
        "whether each suit's two blanks are in the deck; blank Triumphs are not to be had",
    ),
)

chosen = Chosen(NAME, OPTIONS)
"""The values a table has chosen for these options."""
