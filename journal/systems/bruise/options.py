"""The table options of Bruise, each with what holds where nobody chose."""

from __future__ import annotations

from journal.system import Option

OPTIONS = (
    Option("ace", ("high", "low"), "high", "whether an ace counts above the king or below the two"),
    Option(
        "tie",
        ("ask", "next_card", "redraw", "actor", "opposition"),
        "ask",
        "what equal Quality comes to: "
        "the table rules, the next cards decide, both draw anew, or one side wins",
    ),
    Option("difficulty", ("drawn", "static"), "drawn", "whether opposition draws a hand or is simply a rank"),
    Option("jokers", ("0", "1", "2"), "0", "how many jokers are in each deck, from when it next is whole"),
    Option(
        "joker", tuple(map(str, range(16))), "0", "the rank a joker counts for, 15 being above every card"
    ),
    Option(
        "joker_suit",
        ("none", "any", "spades", "hearts", "diamonds", "clubs"),
        "none",
        "the suit a joker lends to what it wins",
    ),
    Option("karma_per_draw", ("1", "2", "3"), "1", "how often Karma may be spent on one draw", number=True),
    Option("npc_karma", ("yes", "no"), "yes", "whether characters without a player have Karma"),
)
