"""What was struck is to be told anew, in the fight and after it; a hand that beat several (D8, D14, D15)."""

from __future__ import annotations

from pathlib import Path

import pytest

from retold.games.bruise import events as b
from retold.journal.decks.chance import FirstDealer, Luck
from retold.journal.language.naming import all_questions
from retold.journal.language.proposed import available_actions
from retold.journal.refused import Refused
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Words
from retold.scribe import Scribe

WON = (
    "cast gm by=Eve",
    "cast Zel bruise by=Jo clubs=2 melee=2",
    "cast Leg bruise clubs=2 melee=2",
    "session S",
    "conflict K bruise Zel vs Leg",
    "draw Zel clubs+melee = JH JD 10S 7C",
    "draw Leg clubs+melee = 9D 8S 5C 2H",
    "narrate Zel: One last cry.",
)
STRUCK = "Zel's narration was struck: Zel tells it anew (narrate Zel: …)."


def told(path: Path, *lines: str) -> Scribe:
    scribe = Scribe(CampaignStore.create(path / "anew.retold"), 1)
    for line in lines:
        scribe.say(line)
    return scribe


def tellers(scribe: Scribe) -> list[int]:
    """Who may narrate, as `can` has it."""
    seen = available_actions(scribe.table, Luck(FirstDealer()))
    return [
        one.command.who or 0 for view in seen for one in view.choices if isinstance(one.command, c.Narrate)
    ]


def asked(scribe: Scribe) -> list[str]:
    return [question.asked for question in all_questions(scribe.table)]


def test_D8_a_struck_tale_is_offered_again_in_its_turn(tmp_path: Path) -> None:
    scribe = told(tmp_path, *WON)
    assert tellers(scribe) == []

    scribe.say("overrule gm Zel --veto: smaller")

    assert tellers(scribe) == [scribe.table.called("Zel")]
    (seen,) = available_actions(scribe.table, Luck(FirstDealer()))
    assert seen.stands[0] == "turn 1 · Zel narrates, Quantity 3."
    scribe.say("narrate Zel: A small cry.")
    assert tellers(scribe) == []


def test_D8_an_edit_strikes_nothing(tmp_path: Path) -> None:
    scribe = told(tmp_path, *WON, "overrule gm Zel: It was a whisper.")

    assert tellers(scribe) == []


def test_D15_after_the_fight_it_is_pending_and_offered_until_it_is_told(tmp_path: Path) -> None:
    scribe = told(tmp_path, *WON, "end conflict", "overrule gm Zel --veto: smaller")

    assert asked(scribe) == [STRUCK]
    assert tellers(scribe) == [scribe.table.called("Zel")]

    scribe.say("narrate Zel: A small cry.")

    assert asked(scribe) == []
    assert tellers(scribe) == []


def test_D15_the_next_evening_does_not_ask_for_it(tmp_path: Path) -> None:
    scribe = told(tmp_path, *WON, "end conflict", "overrule gm Zel --veto: smaller", "end session")

    scribe.say("session T")

    assert asked(scribe) == []
    with pytest.raises(Refused, match="Zel has no narration to strike"):
        scribe.say("overrule gm Zel --veto: again")


def test_D14_the_quantity_against_each_of_several_is_asked_for(tmp_path: Path) -> None:
    scribe = told(
        tmp_path,
        *WON[:3],
        "cast Ott bruise clubs=2 melee=2",
        "session S",
        "conflict K bruise Zel vs Leg+Ott",
        "draw Zel clubs+melee = QH JD 10S 7C",
        "draw Leg clubs+melee = JS 8S 5C 2H",
        "draw Ott clubs+melee = 9D 8C 5S 2S",
    )

    assert scribe.say("expect quantity Zel Leg 2").checked
    assert scribe.say("expect quantity Zel Ott 3").checked
    with pytest.raises(Refused, match="found Ott 3"):
        scribe.say("expect quantity Zel Ott 2")
    with pytest.raises(Refused, match="Did you mean Ott"):
        scribe.say("expect not quantity Zel Oot 2")


def test_how_long_a_turn_lasts_is_kept_until_the_turn_is_over(tmp_path: Path) -> None:
    scribe = told(tmp_path, *WON[:5])

    done = scribe.say("lasts the whole night: At the oars.").done

    assert done is not None
    assert done.events == (
        b.TurnMeasured(conflict=1, turn=1, length=Words("the whole night"), text=Words("At the oars.")),
    )
    assert scribe.say("expect length the whole night").checked
    (seen,) = available_actions(scribe.table, Luck(FirstDealer()))
    assert seen.stands[0].startswith("turn 1 (the whole night) · ")
    for line in (*WON[5:], "declare Zel: On."):
        scribe.say(line)
    assert scribe.say("expect length").checked, "the next turn has no length yet"
    with pytest.raises(Refused, match="Say how long, in words"):
        scribe.say('lasts "-"')
