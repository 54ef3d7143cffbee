"""Table options of Whiskey, each with its default."""

from __future__ import annotations

from retold.game import Chosen, Option
from retold.games.whiskey.rules import DeckMode

NAME = "whiskey"

OPTIONS = (
    Option(
        "deck",
        tuple(DeckMode),
        DeckMode.HALVES,
        "what each faction draws from: two halves in turn, one whole deck, or a d26 less 13",
    ),
    Option(
        "checker",
        ("attacker", "player", "choose"),
        "attacker",
        "who checks in a clash: the attacker, and if both attack the one with a player; "
        "the only one of the two with a player, else the attacker; or the person named",
    ),
    Option(
        "declaration",
        ("open", "sealed"),
        "open",
        "whether intents are declared openly, or face down and revealed at once",
    ),
    Option(
        "loop_break",
        ("first_pc", "random", "gm"),
        "first_pc",
        "who gets through in a ring of fighters: the player's character who declared first "
        "(by lot if there is none), one by lot, or the one the game master names",
    ),
    Option(
        "unwanted_checks",
        ("refuse", "allow"),
        "refuse",
        "whether a check may be made that its maker hopes to fail (check … wanted=no)",
    ),
    Option(
        "incapacitated_at",
        ("0",),
        "0",
        "the hit points at or below which a person is out of the fight",
        number=True,
        below_zero=True,
    ),
    Option(
        "reset_deck",
        ("never", "battle", "session"),
        "never",
        "when every deck is made whole before it is spent: never, with each conflict, or with each session",
    ),
)

chosen = Chosen(NAME, OPTIONS)
"""The values a table has chosen for these options."""
