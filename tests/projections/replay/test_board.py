"""What lies on the table: laid there by a line of the table, and taken away by another."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from retold.journal.capabilities import Picture, Row
from retold.journal.table import OpenConflict, Somebody, Table
from retold.journal.vocabulary.base import Words
from retold.projections.reading import LineView
from retold.projections.replay import Board, laid
from retold.projections.replay.steps import Following
from tests.projections.replay.stepping import as_json, notations, whole
from tests.projections.test_tracks import Counts
from tests.wandering.evening import Evening, evening

ZEL, NED = 1, 2

BRUISE = (
    "session A night --date 2026-03-14",
    "scene The ford",
    "cast Zel bruise clubs=4 melee=2",
    "cast Ned bruise clubs=2 melee=1",
    'conflict "Out" bruise Zel vs Ned: freedom',
)


@contextmanager
def played(*lines: str) -> Iterator[Evening]:
    """An evening at which every one of these lines is taken."""
    with evening(lines) as night:
        assert not night.refused, night.told()
        yield night


def board(night: Evening) -> dict[str, Any]:
    """What lies there now, as a page has it."""
    reading = LineView(night.scribe.campaign, 1)
    found: dict[str, Any] = as_json(Following.beginning(reading, reading.position).board)
    return found


def of_sort(board: Board, sort: str) -> dict[str, Any]:
    return {key: thing for key, thing in board.items() if key.partition(":")[0] == sort}


# --- who and where ----------------------------------------------------------------------------------------


def test_the_evening_and_the_scene_lie_there_until_they_are_over() -> None:
    with played(*BRUISE[:2]) as night:
        at = {"session": 1, "title": "A night", "date": "2026-03-14", "scene": 1, "place": "The ford"}
        assert board(night)["at"] == at
        night.type("end scene")
        assert board(night)["at"] == {"session": 1, "title": "A night", "date": "2026-03-14"}
        night.type("end session")
        assert board(night)["at"] == {}


def test_people_go_by_number_and_who_they_are_is_said_once() -> None:
    with played("cast Zel by=Jon", "cast Ned", "cast Zel name=Zelda", "retire Ned") as night:
        assert of_sort(board(night), "who") == {
            "who:0": {"name": "the game master", "role": "gm"},
            "who:1": {"name": "Zelda", "role": "character", "player": 2},
            "who:2": {"name": "Jon", "role": "player"},
            "who:3": {"name": "Ned", "role": "character", "retired": True},
        }


def test_a_conflict_shows_its_state() -> None:
    with played(*BRUISE) as night:
        assert board(night)["conflict:1"] == {
            "title": "Out",
            "system": "Bruise",
            "sides": [[ZEL], [NED]],
            "stakes": "freedom",
            "count": "turn 1",
            "stands": "turn 1 · declare, then draw",
        }
        night.type("end conflict")
        assert "conflict:1" not in board(night)


def test_what_is_obeyed_by_no_page_is_not_on_the_board() -> None:
    with played("session A night", 'cast "Zel\u202e"', "scene A\u200broom") as night:
        assert board(night)["who:1"]["name"] == "Zel⟦U+202E⟧"
        assert board(night)["at"]["place"] == "A⟦U+200B⟧room"


# --- cards and dice ---------------------------------------------------------------------------------------


def test_cards_lie_in_hands_and_unnamed_ones_face_down() -> None:
    with played(*BRUISE, "draw Zel clubs+melee = KS QD _ _ _ _") as night:
        lies = board(night)

        assert lies["fell"] == {"who": ZEL, "cards": ["KS", "QD", None, None, None, None]}
        assert lies["hand:bruise:0:1"] == {"who": ZEL, "deck": "deck:bruise:0", "cards": ["KS", "QD"]}
        assert lies["down:1:1"] == {"conflict": 1, "who": ZEL, "cards": [None] * 4}
        deck = {"name": "Tale Weaver", "system": "bruise", "owner": 0, "size": 52, "left": 50}
        assert lies["deck:bruise:0"] == deck


def test_W15_a_check_lies_there_with_its_card_and_its_die_until_something_else_falls() -> None:
    lines = ["cast Irena whiskey balance=2", "cast Oskar whiskey", "check Irena balance vs 2 = 3H 1"]
    with played("session A night", *lines) as night:
        fell = board(night)["fell"]
        assert (fell["cards"], [one["face"] for one in fell["dice"]]) == (["3H"], [1])
        reading = LineView(night.scribe.campaign, 1)
        following = Following.beginning(reading, 0)
        assert [step for _, step in following.steps(reading)]
        assert as_json(following.board)["fell"] == fell
    with played("session A night", *lines, "roll Irena 2d6 = 4 2") as night:
        assert "cards" not in board(night)["fell"]


def test_dice_lie_with_what_they_came_to_until_the_next_scene() -> None:
    with played("session A night", "cast Zel", "roll Zel 2d6kh1+3 vs 6 = 4 2") as night:
        assert board(night)["fell"] == {
            "who": ZEL,
            "dice": [{"sides": 6, "face": 4, "kept": True}, {"sides": 6, "face": 2, "kept": False}],
            "total": 7,
            "against": 6,
            "margin": 1,
        }
        night.type("narrate Zel: It holds.")
        assert "fell" in board(night)
        night.type("scene Elsewhere")
        assert "fell" not in board(night)


def test_a_raise_stays_on_the_board_until_it_is_seen() -> None:
    begun = (
        "cast Zel guenask body=2 mind=2 soft=2 hard=2",
        "cast Ned guenask body=2 mind=2 soft=2 hard=2",
        "option guenask.boxes_per_row=2",
        'conflict "The door" guenask Zel vs Ned first=Zel: the keys',
        "approach Zel opposed neutral = 6 5 2 1",
        "approach Ned opposed neutral = 6 4 3 3",
        "raise 6+5: I lean on it.",
    )
    with played(*begun) as night:
        raised = {"conflict": 1, "by": ZEL, "to": [NED], "dice": [6, 5], "total": 11}
        assert board(night)["raise:1"] == raised
        assert board(night)["pool:1:1"]["dice"] == [1, 2]
        assert night.type("see 6+4+3: It holds.")
        assert of_sort(board(night), "raise") == {}


def test_a_balance_lies_on_its_scale() -> None:
    begun = (
        "cast Ada spacetime",
        "cast Bea spacetime",
        'conflict "The bridge" spacetime Ada vs Bea balance=unbalanced:Bea: who crosses',
    )
    with played(*begun) as night:
        assert board(night)["balance:1"] == {
            "conflict": 1,
            "scale": ["balanced", "unbalanced", "overwhelming", "victory"],
            "level": 1,
            "favours": 2,
            "sides": [[1], [2]],
        }


# --- games that hand over little --------------------------------------------------------------------------


def test_a_game_without_pictures_shows_its_rows() -> None:
    people = {1: Somebody(1, Words("Wick"), "character"), 2: Somebody(2, Words("Boat"), "side")}
    state = Counts([Row(None, "night", 2, 6, Picture.CLOCK), Row("The lamp", "oil", 3)])
    shelf = Counts([Row(1, "scar", 1, picture=Picture.SLOT, words=("burnt",)), Row(1, "scar", 2)])
    conflict = OpenConflict(1, "nobodys", ((1,), (2,)), {}, Words("The ford"), None, 1, state)
    table = Table(people=people, shelves={"nobodys": shelf}, conflicts={1: conflict})

    nobodys = {"system": "nobodys"}
    assert of_sort(laid(table, None, None), "row") == {
        "row:nobodys:-:1:scar": {
            **nobodys, "who": 1, "what": "scar", "picture": "slot", "value": 1, "words": ("burnt",)
        },
        "row:nobodys:-:1:scar:2": {**nobodys, "who": 1, "what": "scar", "picture": "number", "value": 2},
        "row:nobodys:1:-:night": {
            **nobodys, "conflict": 1, "what": "night", "picture": "clock", "value": 2, "most": 6
        },
        "row:nobodys:1:The lamp:oil": {
            **nobodys, "conflict": 1, "who": "The lamp", "what": "oil", "picture": "number", "value": 3
        },
    }  # fmt: skip
    assert laid(table, None, None)["conflict:1"]["title"] == "The ford"


def test_a_campaign_in_which_nothing_was_said_has_a_board_and_no_steps() -> None:
    with evening() as night:
        value = as_json(whole(LineView(night.scribe.campaign, 1)).to_json())

        assert value["lines"] == [
            {
                "name": "mainline",
                "parent": None,
                "at": 0,
                "why": None,
                "steps": {name: [] for name in ("id", "t", "kind", "told", "block", "flags", "delta")},
                "marks": [],
                "board": {"at": {}, "who:0": {"name": "the game master", "role": "gm"}},
                "blocks": [],
            }
        ]


def test_a_campaign_of_one_sentence_is_one_step() -> None:
    with played("narrate gm: It rains.") as night:
        value = as_json(whole(LineView(night.scribe.campaign, 1)).to_json())
        (line,) = value["lines"]

        assert notations(line) == ["gm narrates: “It rains.”"]
        assert (line["steps"]["block"], line["steps"]["flags"], line["steps"]["delta"]) == ([0], [1], [[]])
        assert [one["text"] for one in line["blocks"]] == ["It rains."]
