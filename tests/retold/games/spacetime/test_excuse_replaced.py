"""The card in the Excuse's place: whose hand it is in, and that it is drawn before a new round (D2, D5)."""

from __future__ import annotations

from pathlib import Path

import pytest

from retold.games.spacetime import events as s
from retold.journal.refused import Refused
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import events as e
from retold.projections.views import decks
from retold.scribe import Scribe


def told(tmp_path: Path, *lines: str) -> Scribe:
    scribe = Scribe(CampaignStore.create(tmp_path / "excuse.retold"), 1)
    for line in ("cast gm by=Eve", "session S", "option spacetime.require_tactics=no", *lines):
        scribe.say(line)
    return scribe


def test_D2_the_hand_has_the_card_in_the_excuses_place(tmp_path: Path) -> None:
    scribe = told(
        tmp_path,
        "conflict X spacetime A vs B vs C balance=overwhelming:A",
        "draw = T3 T4 Excuse T5 T6 T7",
    )
    assert scribe.say("expect hand B T5").checked

    scribe.say("draw B = T9")

    assert scribe.say("expect hand B T5 T9").checked
    assert scribe.say("expect hand A T3 T4").checked
    held = {pile.who.name: pile.cards for deck in decks.of(scribe.table).decks for pile in deck.hands}
    assert held["B"] == ("T5", "T9")


@pytest.mark.parametrize("line", ["draw B = T3", "draw = T9 T3", "draw"])
def test_D5_a_new_round_waits_for_the_card_in_the_excuses_place(tmp_path: Path, line: str) -> None:
    scribe = told(tmp_path, "conflict X spacetime A vs B", "draw = Excuse T4")

    with pytest.raises(Refused) as refused:
        scribe.say(line)
    assert str(refused.value) == (
        "A draws a card in the Excuse's place first, for the telling alone: draw A."
    )

    scribe.say("draw A = T9")
    scribe.say("draw = T10 T3")
    assert scribe.say("expect balance unbalanced A").checked


def test_D5_a_stated_tactic_goes_on_without_it(tmp_path: Path) -> None:
    scribe = told(tmp_path, "conflict X spacetime A vs B", "draw = Excuse T4")

    done = scribe.say("draw A = T9: I run.").done

    assert done is not None
    assert done.events == (
        s.RoundEnded(conflict=1, round=1),
        done.events[1],
        e.CardsDrawn(conflict=1, who=2, deck="spacetime", cards=("T9",), purpose="flow"),
    )


def test_D12_each_card_against_an_obstacle_raises_the_cost(tmp_path: Path) -> None:
    scribe = told(tmp_path, "conflict X spacetime A vs Cliff obstacle=Cliff mode=draw_until_success")
    assert scribe.say("expect cost 0").checked

    scribe.say("draw A = T3")
    scribe.say("draw A = T4")

    assert scribe.say("expect cost 2").checked
    with pytest.raises(Refused, match="found 2"):
        scribe.say("expect cost 1")
