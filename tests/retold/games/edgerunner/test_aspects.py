"""Aspects that are said, declared and said to be gone: `docs/rules/edgerunner.md` §3."""

from __future__ import annotations

import pytest

from retold.games.edgerunner import events as g
from retold.games.edgerunner import rules
from retold.games.edgerunner.commands import verbs as v
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM, Event
from tests.retold.games.edgerunner.at_the_warehouse import (
    FEET_WORDS,
    GATTO,
    HARGAN,
    JADE,
    PEOPLE,
    REX,
    SHEETS,
    TEXT,
    begun,
    kept,
    results,
    rolled,
)
from tests.scenario import given

TABLE = given(*PEOPLE, *SHEETS)
"""Nobody fights."""


def dice(who: int | None, faces: str) -> e.DiceRolled:
    return rolled(GM, faces, conflict=None).but({"who": who})


def aspect(thing: int | str, wording: str, **fields: object) -> v.PlaceAspect:
    return v.PlaceAspect.of({"thing": thing, "aspect": wording, "text": TEXT, **fields})


def there(
    number: int, on: int | str, wording: str, conflict: int | None = None, **fields: object
) -> g.AspectPlaced:
    said = {"conflict": conflict, "aspect": number, "on": on, "wording": wording, "how": "said"}
    return g.AspectPlaced.of({**said, "text": TEXT, **fields})


def test_an_aspect_may_simply_be_said() -> None:
    """ED-12: the compel is accepted, and then the shoes are old and comfortable."""
    TABLE.when(aspect(JADE, "Old comfortable shoes")).then(there(4, JADE, "Old comfortable shoes"))


def test_an_unknown_thing_is_a_plain_name() -> None:
    story = TABLE.when(aspect("Warehouse", "Ankle-deep in oil")).then(
        there(4, "Warehouse", "Ankle-deep in oil")
    )

    story.when(aspect("warehouse", "Dark")).then(there(5, "Warehouse", "Dark"))


def test_a_zone_and_a_border_have_the_names_of_the_map() -> None:
    story = begun()

    story.when(aspect("dock", "Dark")).then(there(4, "Dock", "Dark", conflict=1))
    story.when(aspect("dock-aisle", "Dark")).then(there(4, "Dock-Aisle", "Dark", conflict=1))


def test_a_declaration_is_for_those_who_are_for_it_against_the_others_and_the_dice() -> None:
    """ED-11: two for it and one against are 1; dice of 1; 2 shifts are how lasting it is."""
    declared = aspect("Dock", "A way out", support=2, oppose=1, results=results("0++-"), by=REX)

    story = TABLE.when(declared).then(
        dice(REX, "0++-"),
        there(4, "Dock", "A way out", how="declaration", by=REX, shifts=2, free=1),
    )
    assert kept(story).aspects[4].free == {REX: 1}


def test_a_declaration_without_an_author_gives_no_free_invokes() -> None:
    declared = aspect("Dock", "A way out", support=2, oppose=1)

    TABLE.when(declared, dealt="0 + + -").then(
        dice(None, "0++-"), there(4, "Dock", "A way out", how="declaration", shifts=2)
    )


def test_a_declaration_holds_from_0_shifts_on() -> None:
    TABLE.when(aspect("Dock", "A way out", results=results("+-00"))).then(
        dice(None, "+-00"), there(4, "Dock", "A way out", how="declaration", shifts=0)
    )
    TABLE.when(aspect("Dock", "A way out", oppose=1, results=results("+-00"))).then(
        dice(None, "+-00"), g.DeclarationFailed(on="Dock", wording="A way out", shifts=-1, text=TEXT)
    )


def test_an_aspect_goes_when_it_makes_no_sense_any_more() -> None:
    story = TABLE.given(aspect("Warehouse", "Dark"))

    gone = story.when(aspect("warehouse", "dark", gone=True)).then(
        g.AspectRemoved(aspect=4, on="Warehouse", wording="Dark", why="said", text=TEXT)
    )
    assert list(kept(gone).aspects) == [1, 2, 3]
    gone.when(aspect("Warehouse", "Dark")).then(there(5, "Warehouse", "Dark"))


WOUNDED: tuple[Event, ...] = (
    g.ConsequenceTaken(
        who=GATTO, severity=rules.Severity.MILD, worth=1, aspect=4, wording="Torn", why="boost"
    ),
)


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        (aspect(GM, "Tired"), "The game master has no aspects: name the person or thing that it is on."),
        (aspect(JADE, "LIGHT on her feet"), "Jade has that aspect already: invoke it, or find other words."),
        (aspect("Dock", " - "), "An aspect is words: aspect Dock Ankle-deep in oil."),
        (
            aspect("torn", "Dirty"),
            "“torn” is an aspect itself: name the person or thing that the other is on.",
        ),
        (
            aspect("Dock", "A way out", support=100),
            "Say how many are for it and how many against: 0 to 99 each.",
        ),
        (
            aspect("Dock", "A way out", oppose=-1),
            "Say how many are for it and how many against: 0 to 99 each.",
        ),
        (aspect("Dock", "Dark", gone=True), "Dock has no aspect that could go."),
        (aspect(GATTO, "Drak", gone=True), "There is no “Drak” here."),
        (
            aspect(JADE, "light on her", gone=True),
            f"“{FEET_WORDS}” is on Jade's sheet: cast Jade aspect.feet=none.",
        ),
        (aspect(GATTO, "torn", gone=True), "“Torn” is a consequence: clear Gatto mild."),
    ],
)
def test_an_aspect_is_refused(typed: v.PlaceAspect, sentence: str) -> None:
    TABLE.given(*WOUNDED).when(typed).then_refused(sentence)


def test_what_goes_is_not_rolled_for() -> None:
    story = TABLE.given(aspect("Warehouse", "Dark"))
    gone = aspect("Warehouse", "Dark", gone=True, results=results("++++"))

    story.when(gone).then_refused("4 results too many: + + + +.")


def test_a_conflict_of_another_game_is_no_conflict_here() -> None:
    beside = TABLE.given(c.OpenConflict(system="bruise", sides=((GATTO,), (HARGAN,))))

    beside.when(aspect("Dock", "Dark")).then(there(4, "Dock", "Dark"))
