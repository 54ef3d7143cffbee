"""What a line that is refused may have meant: only what can be said at this table is proposed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from retold.journal.refused import Refused
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import events as e
from retold.scribe import Scribe

PLAYED = """\
campaign X
game d20
cast gm by=Eve
cast Ana health=18 str=2: A fighter.
cast Ogre health=22
session One
"""


@pytest.fixture
def scribe(tmp_path: Path) -> Iterator[Scribe]:
    """A table that plays d20 and nothing else."""
    with CampaignStore.create(tmp_path / "x.retold") as campaign:
        scribe = Scribe(campaign, 1)
        for line in PLAYED.splitlines():
            scribe.say(line)
        yield scribe


def refusal(scribe: Scribe, line: str) -> str:
    with pytest.raises(Refused) as refused:
        scribe.say(line)
    return refused.value.sentence


@pytest.mark.parametrize("line", ["roll Ana 1d8+2 3", "give Ana rope"])
def test_N11_nothing_is_to_be_quoted_that_is_no_name(scribe: Scribe, line: str) -> None:
    assert "Quote it" not in refusal(scribe, line)


def test_N11_a_known_name_of_several_words_needs_no_quotes(scribe: Scribe) -> None:
    scribe.say('cast "Old Hob"')

    (said,) = scribe.say("say Old Hob: Halt.").events
    assert isinstance(said, e.Said)
    assert scribe.table.name(said.who) == "Old Hob"
    assert refusal(scribe, "say Old Hib: Halt.") == '“Hib” does not fit here. Quote it: say "Old Hib": Halt.'


@pytest.mark.parametrize("line", ["aside Eve --gm: Hm.", "aside --to Eve: Hm.", "aside --gm: Hm."])
def test_N12_an_aside_may_be_for_some_only(scribe: Scribe, line: str) -> None:
    outcome = scribe.say(line)

    assert outcome.done is not None
    assert outcome.visible_to == (("gm",) if "--gm" in line else ((1,),))


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("maneuverr Ana", "There is no verb maneuverr. To tell it: narrate: maneuverr Ana"),
        ("postponed Ana on", "There is no verb postponed. Did you mean poisoned?"),
        ("attack Ana Ogre", "To attack: roll Ana attack str vs Ogre."),
        (
            "option ac=12",
            "There is no option ac. Known here: table.proposals, table.acting, table.screen, table.copies, ",
        ),
        ("secret Odalys: Run.", "There is no verb secret. For somebody's eyes alone: note --to NAME: TEXT."),
        ("whisper", "There is no verb whisper. For somebody's eyes alone: note --to NAME: TEXT."),
        ("narate Ana: Rain.", "There is no verb narate. Did you mean narrate?"),
    ],
)  # fmt: skip
def test_N13_what_is_proposed_is_of_the_games_in_play(scribe: Scribe, line: str, sentence: str) -> None:
    assert refusal(scribe, line).startswith(sentence)


def test_N13_if_no_game_is_in_play_every_verb_is_proposed(tmp_path: Path) -> None:
    with CampaignStore.create(tmp_path / "new.retold") as campaign:
        assert refusal(Scribe(campaign, 1), "postpon A") == "There is no verb postpon. Did you mean postpone?"
