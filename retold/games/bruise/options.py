"""Table options of Bruise (choices between ways to play a rule), with their defaults."""

from __future__ import annotations

from retold.game import Chosen, Option
from retold.games.bruise.rules import Ace, Tie

NAME = "bruise"

OPTIONS = (
    Option("ace", tuple(Ace), Ace.HIGH, "whether an ace counts above the king or below the two"),
    Option(
        "tie",
        tuple(Tie),
        Tie.ASK,
        "what equal Quality comes to: "
        "the table rules, the next cards decide, both draw anew, or one side wins",
    ),
    Option("difficulty", ("drawn", "static"), "drawn", "whether opposition draws a hand or is simply a rank"),
    Option("jokers", ("0", "1", "2"), "0", "how many jokers are in each deck, from when it next is whole"),
    Option(
        "joker", tuple(map(str, range(16))), "0", "the rank a joker counts for, 15 being above every card"
    ),
    Option("karma_per_draw", ("1", "2", "3"), "1", "how often Karma may be spent on one draw", number=True),
    Option(
        "words",
        ("remind", "off"),
        "remind",
        "whether the winner is reminded of the meme and the Karma that belong in the telling",
    ),
    Option("npc_karma", ("yes", "no"), "yes", "whether characters without a player have Karma"),
)

chosen = Chosen(NAME, OPTIONS)
"""Reads a table's choice of an option."""
