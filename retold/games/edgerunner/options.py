"""Table options of Edgerunner (choices between ways to play a rule), with their defaults."""

from __future__ import annotations

from retold.game import Chosen, Option
from retold.games.edgerunner.rules import FreeMove, Marking, MookDeploy, RangePenalty

NAME = "edgerunner"

CALLER = "caller"
"""Setup key of `conflict` for the person who calls turns and takes bids."""

OPTIONS = (
    Option(
        "fp_start",
        ("5",),
        "5",
        "the fate points each player has when a session begins, whatever was left",
        number=True,
    ),
    Option(
        "initiative",
        ("social", "order"),
        "social",
        "who acts next: anyone who wants to, by bids if several do; or in order from the caller's pick",
    ),
    Option(
        "boost_with_stress",
        ("any", "move_only"),
        "any",
        "which rolls of one's own may be raised by taking stress; a consequence may raise any",
    ),
    Option(
        "free_move",
        tuple(FreeMove),
        FreeMove.ONE,
        "how far one goes without a roll, once a turn: over a border of pass value 1 (a higher one loses 1 "
        "each time), nowhere, or over any border",
    ),
    Option(
        "range_penalty",
        tuple(RangePenalty),
        RangePenalty.ALL,
        "which acts lose a shift for each border to their target: all, defence alone, or none",
    ),
    Option(
        "spin",
        ("diaspora", "off"),
        "diaspora",
        "whether a move that goes wrong gives the other side spin, one for each full 3 below 0",
    ),
    Option(
        "stress_marking",
        tuple(Marking),
        Marking.DIASPORA,
        "which boxes stress marks: that of its number and all below, that one alone, or as many more",
    ),
    Option(
        "split_stress",
        ("no", "yes"),
        "no",
        "whether one resist or boost may mark several tracks",
    ),
    Option(
        "base_threshold",
        ("2",),
        "2",
        "the threshold of a character's track before the skill of its name is added",
        number=True,
    ),
    Option(
        "conflict_opposition",
        ("none", "skill"),
        "none",
        "what an act in a conflict is rolled against: nothing, or a skill of its target",
    ),
    Option(
        "mook_deploy",
        tuple(MookDeploy),
        MookDeploy.LESS_ONE_DOUBLED,
        "the shifts to deploy mooks, from their threat level: one less and then doubled (8 for level 5), "
        "or doubled and then one less (9)",
    ),
    Option(
        "defense_floor",
        ("no", "yes"),
        "no",
        "whether a defence that comes out below the track's own threshold leaves it as it is",
    ),
    Option(
        "applies",
        ("next", "said"),
        "next",
        "what ends an open roll: the next act, turn or exchange as well as apply, or apply alone",
    ),
    Option(
        "joins",
        ("this_exchange", "next_exchange"),
        "this_exchange",
        "when a person who joins a conflict first acts: in that exchange, or the next",
    ),
    Option(
        "concession_reward",
        ("no", "yes"),
        "no",
        "whether a person who concedes gets a fate point",
    ),
)

chosen = Chosen(NAME, OPTIONS)
"""Reads a table's choice of an option."""
