"""Sentences of the story are told as they stand; slips of a line of the rules are asked about."""

from __future__ import annotations

from pathlib import Path

import pytest

from retold.campaign import Campaign
from retold.journal.language.binding import Scope
from retold.journal.language.lexing import lex
from retold.journal.language.meant import bind_as_meant
from retold.journal.refused import Refused
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Words
from retold.scribe import TOLD

PLAYED = (
    *("cast gm by=Mary", "game d20", "cast Oda by=Ana str=4 dex=2 health=9", "cast Ilka by=Ben health=9"),
    *("cast Goblin-1+Goblin-2+Wolf health=7", "cast Spy --gm"),
    *("session One", "scene The pier", "conflict all vs Goblin-1+Goblin-2+Wolf"),
)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    with CampaignStore.create(tmp_path_factory.mktemp("told") / "x.retold") as store:
        campaign = Campaign.of(store)
        for line in PLAYED:
            campaign.say(line)
        return campaign.scribe.table


@pytest.mark.parametrize(
    "typed",
    [
        "Oda kicks the door in",
        "Goblin-2 cowers behind a barrel",
        "Ilka nods",
        "Ilka quietly closes the hatch",
        "Oda lifts Ilka onto the wall",
        "Oda went down to the old mill",
        "Wolf howls at the moon",
        "Wolf misses Oda",
        "Oda drags the boat ashore, out of breath",
        "The goblins cheer.",
        "They walk on through the rain.",
        "It rains!",
        "Ilka casts sleep on the Wolf",
        "The wind rattles the shutters.",
        "Water drips from the vault.",
        "Three drowned men rise from the water.",
        "The goblin chief laughs.",
        "Goblins pour out of the reeds",
        "Ilka slips behind the bar",
        "The lake hangs overhead like a ceiling.",
        "The bell cracks. Seven people breathe in.",
    ],
)
def test_a_sentence_without_a_word_of_the_rules_is_told_as_it_stands(typed: str, table: Table) -> None:
    assert bind_as_meant(lex(typed), Scope(table)).command == c.Narrate(text=Words(typed))


def test_a_short_name_begins_a_sentence_too(tmp_path: Path) -> None:
    with CampaignStore.create(tmp_path / "x.retold") as store:
        campaign = Campaign.of(store)
        for line in ("game d20", 'cast "Bram Holloway" health=9', 'cast "Marta Quill"', 'cast "Jon Quill"'):
            campaign.say(line)
        scope = Scope(campaign.scribe.table)

        assert bind_as_meant(lex("Bram opens the hatch"), scope).command == c.Narrate(
            text=Words("Bram opens the hatch")
        )
        with pytest.raises(Refused):
            bind_as_meant(lex("Quill opens the hatch"), scope)


@pytest.mark.parametrize(
    "typed",
    [
        *("Oda atacks Wolf", "Oda attcks the goblin", "Oda stbas Goblin-2", "Wolf bits Oda"),
        *("Ilka stelth", "Ilka snaeks", "Ilka serches the room", "Ilka perceptoin check"),
        *("Oda rets", "Oda reests short", "Oda rols dex", "Oda rolls dexx", "Oda saaves", "Oda levls up"),
        *("Oda takes five damage", "Oda takes two", "Oda loses half her health", "Ilka helas Oda"),
        *("Oda is posioned", "Oda fals unconscious", "Oda unconsious", "Oda gains inspriation"),
        *("Oda initative", "Oda joins teh fight", "Goblin-1 leavs", "Goblin-1 surenders"),
        *("Oda hits the goblin", "Oda shoots Wlof", "Oda 3 arrows", "Oda = 14", "it rains", "Rain falls"),
        *(
            "Atack the goblin now.",
            "Odda goes home early.",
            "Roll for the door.",
            "Narate this.",
        ),
        *("Spy waves", "Oda waves to Spy", "Someone"),
    ],
)
def test_a_slip_a_number_a_foe_and_somebody_secret_are_asked_about(typed: str, table: Table) -> None:
    with pytest.raises(Refused):
        bind_as_meant(lex(typed), Scope(table))


def test_what_is_told_so_says_so_and_undo_takes_it_back(tmp_path: Path) -> None:
    with CampaignStore.create(tmp_path / "x.retold") as store:
        campaign = Campaign.of(store)
        for line in PLAYED[:3]:
            campaign.say(line)

        assert campaign.say("Oda kicks the door in").said == (TOLD,)
        assert campaign.say("narrate It rains.").said == ()
        assert campaign.say("undo 2").done is not None
