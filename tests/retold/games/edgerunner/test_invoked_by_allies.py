"""Given an act on an ally, when the ally invokes, then it helps the act or resists it, as the line says."""

from __future__ import annotations

import pytest

from retold.games.edgerunner.commands.verbs import Invoke
from retold.journal.store.events.codec import decode_command
from tests.retold.games.edgerunner.at_the_warehouse import (
    FEET,
    FEET_WORDS,
    GATTO,
    GUN_WORDS,
    HARGAN,
    JADE,
    JON,
    SANDRA,
    ActName,
    shifts,
)
from tests.retold.games.edgerunner.open_rolls import invoke, invoked, open_act, paid, resist
from tests.retold.games.edgerunner.test_outlook import outlook
from tests.scenario import Story


def on_an_ally(act: ActName = "maneuver") -> Story:
    """Gatto's roll against Jade, who is on his side, stands at 3."""
    if act == "attack":
        return open_act(GATTO, act, 3, target=JADE, track="cool")
    return open_act(GATTO, act, 3, target=JADE, aspect="Watched")


HELPS = (
    invoked(JADE, FEET, JADE, FEET_WORDS),
    paid(SANDRA, 0, "invoke"),
    shifts(GATTO, 5, level=3, invoked=2),
)
RESISTS = (
    invoked(JADE, FEET, JADE, FEET_WORDS, "-2"),
    paid(SANDRA, JON, "invoke"),
    shifts(GATTO, 1, level=3, resisted=-2),
)
GATTOS_LINE = f'invoke Gatto "{GUN_WORDS}"'
BY_JADE = invoke(JADE, FEET_WORDS)


def test_R6_an_ally_who_has_not_resisted_helps() -> None:
    on_an_ally().when(BY_JADE).then(*HELPS)


def test_R6_an_ally_resists_with_less() -> None:
    on_an_ally().when(BY_JADE.but({"less": True})).then(*RESISTS)


def test_R6_an_ally_who_resists_goes_on_to_resist() -> None:
    story = on_an_ally().given(resist(JADE, mild="Annoyed")).when(BY_JADE)

    assert story.events[-1] == shifts(GATTO, 0, level=3, resisted=-3)
    assert story.events[0] == RESISTS[0]


def test_R6_an_ally_who_resisted_helps_with_more() -> None:
    story = on_an_ally().given(resist(JADE, mild="Annoyed")).when(BY_JADE.but({"more": True}))

    assert story.events[-1] == shifts(GATTO, 4, level=3, invoked=2, resisted=-1)


def test_R6_an_attacked_ally_resists() -> None:
    on_an_ally("attack").when(BY_JADE).then(*RESISTS)


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (
            invoke(GATTO, GUN_WORDS).but({"less": True}),
            f"Gatto is no target of Gatto's roll, so an invoke of theirs is 2 more: {GATTOS_LINE}.",
        ),
        (
            BY_JADE.but({"more": True, "less": True}),
            "An invoke is 2 more or 2 less, and not both: take --more or --less away.",
        ),
    ],
)
def test_R6_a_way_that_does_not_fit_is_refused(command: Invoke, sentence: str) -> None:
    on_an_ally().when(command).then_refused(sentence)


def test_R6_an_opponent_who_is_the_target_cannot_help() -> None:
    story = open_act(HARGAN, "attack", 3, target=JADE, track="cool")

    story.when(BY_JADE.but({"more": True})).then_refused(
        f'Jade is the target of Hargan\'s roll, so an invoke of theirs is 2 less: invoke Jade "{FEET_WORDS}".'
    )
    assert story.when(BY_JADE.but({"less": True})).events == story.when(BY_JADE).events


def test_R6_an_invoke_of_version_1_helps_as_it_did() -> None:
    old = decode_command(
        {"v": 1, "kind": "invoke", "who": JADE, "aspect": FEET_WORDS}, lambda *_: "", ("edgerunner",)
    )

    assert old == Invoke(who=JADE, aspect=FEET_WORDS, more="unasked")
    story = on_an_ally("attack")
    assert story.when(BY_JADE.but({"more": "unasked"})).events == HELPS
    assert [command.more for command in old.sayings()] == [False, True]


def test_R6_it_is_offered_in_both_ways() -> None:
    ways = {
        (choice.command.more, choice.command.less)
        for choice in outlook(on_an_ally()).choices
        if isinstance(choice.command, Invoke) and choice.command.who == JADE
    }

    assert ways == {(True, False), (False, True)}
