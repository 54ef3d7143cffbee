"""An upgrade may give an act beside one's turn, and strains for it."""

from __future__ import annotations

import pytest

from retold.games.edgerunner import events as g
from tests.retold.games.edgerunner.at_the_warehouse import (
    GATTO,
    HARGAN,
    JADE,
    apply_,
    attack,
    begun,
    claimed,
    declare,
    declared,
    exchange,
    go_on,
    rolled,
    sheet,
    shifts,
    simple,
    state,
    waits,
)
from tests.scenario import Story

WIRED = sheet(GATTO, humanity=3, upgrade__wires="extra/4")


def wired() -> Story:
    return begun(sheets=(WIRED,))


def test_an_upgrade_gives_a_second_act_and_strains_for_it() -> None:
    story = wired().given(simple(GATTO))

    story = story.when(attack(GATTO, HARGAN, "cool", "firearms", "-000", extra=True)).then(
        claimed(GATTO),
        declared(GATTO, "attack", "firearms", 2, target=HARGAN, track="cool", upgrade="wires", extra=True),
        rolled(GATTO, "-000"),
        shifts(GATTO, 1, dice=-1, level=2),
        g.UpgradeStrained(conflict=1, who=GATTO, upgrade="wires", track="humanity", amount=3),
    )
    assert state(story).extras == {GATTO}


@pytest.mark.parametrize(
    ("story", "who", "sentence"),
    [
        (wired(), GATTO, "Gatto has yet to act in this exchange: leave out --extra."),
        (wired().given(simple(JADE)), JADE, "Jade has no upgrade for it: cast Jade upgrade.NAME=extra/4."),
    ],
)
def test_an_extra_act_needs_a_first_act_and_the_upgrade(story: Story, who: int, sentence: str) -> None:
    story.when(attack(who, HARGAN, "cool", faces="0000", extra=True)).then_refused(sentence)


def test_it_comes_once_an_exchange_and_is_never_gone_on_with() -> None:
    story = wired().given(
        attack(GATTO, HARGAN, "cool", "firearms", "----"),
        apply_(),
        attack(GATTO, HARGAN, "cool", "firearms", "----", extra=True),
        apply_(),
    )
    again = attack(GATTO, HARGAN, "cool", "firearms", "0000", extra=True)

    story.when(again).then_refused("Gatto has made the extra act of this exchange.")
    story = story.given(*waits(JADE, HARGAN), exchange())
    assert not state(story).last[GATTO].extra
    story = story.given(go_on(GATTO), apply_())
    assert story.when(again).events
    story.when(declare(GATTO, "continue", extra=True)).then_refused(
        "An extra act cannot continue an earlier one: leave out --extra."
    )


def test_no_other_upgrade_tells_on_it() -> None:
    wired().given(simple(GATTO)).when(
        attack(GATTO, HARGAN, "cool", faces="0000", extra=True, upgrade="wires")
    ).then_refused("An extra act is rolled, and is an upgrade's own: leave out --upgrade.")
