"""Table options of Guenašk, each with its default."""

from __future__ import annotations

from retold.game import Chosen, Option
from retold.games.guenask.rules import Order

NAME = "guenask"

ASK = "ask"

OPTIONS = (
    Option(
        "boxes_per_row",
        (ASK, *map(str, range(1, 10))),
        ASK,
        "how many boxes a row of fallout has; asked once, and the answer is remembered",
    ),
    Option(
        "turn_order",
        tuple(Order),
        Order.BEST_TWO,
        "who raises next among three or more: by their opening best two dice, in the order of the conflict, "
        "or as named",
    ),
    Option(
        "danger_scope",
        ("conflict", "own", "opponent"),
        "conflict",
        "which dangerous objects add to a person's fallout: all in play, their own, or the other sides'",
    ),
    Option(
        "loss_fallout",
        ("none", "blow"),
        "none",
        "whether who cannot or will not see also takes the fallout of a blow",
    ),
    Option(
        "overflow",
        ("lost", "other_track"),
        "lost",
        "what becomes of fallout beyond a track's last box",
    ),
    Option(
        "give_keeps",
        ("no", "yes"),
        "no",
        "whether who gives instead of raising keeps their best die for their next conflict",
    ),
    Option(
        "npc_stage",
        ("row", "point", "blow"),
        "row",
        "what fills a stage of an NPC: as much as fills a row, one point, or one blow",
    ),
    Option(
        "family_dice",
        ("1d6", "1d4", "1d8", "1d10", "2d6"),
        "1d6",
        "the dice of a relationship to unlisted family (rel.NAME=family)",
    ),
    Option(
        "words",
        ("remind", "require", "off"),
        "remind",
        "whether a raise, a see and a track without words are reminded of, refused, or let be",
    ),
    Option("physical_stat", ("body", "mind", "soft", "hard"), "body", "the stat a Physical row takes from"),
    Option("mental_stat", ("mind", "body", "soft", "hard"), "mind", "the stat a Mental row takes from"),
    Option("social_stat", ("soft", "body", "mind", "hard"), "soft", "the stat a Social row takes from"),
    Option("societal_stat", ("hard", "body", "mind", "soft"), "hard", "the stat a Societal row takes from"),
)

chosen = Chosen(NAME, OPTIONS)
"""The values a table has chosen for these options."""
