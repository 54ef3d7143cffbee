"""The lines a Whiskey table types, from the words to the command and back (docs/rules/whiskey.md §9)."""

from __future__ import annotations

from pathlib import Path

import pytest

from retold.games.whiskey.commands import Check, Clash
from retold.games.whiskey.commands.verbs import Declare
from retold.journal.language.binding import Scope, bind
from retold.journal.language.lexing import lex
from retold.journal.language.rendering import render
from retold.journal.refused import Refused
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Command, Words
from retold.scribe import Scribe
from tests.retold.games.whiskey.at_the_ford import HOOK, PIKE, RUNA, SLING, TOBIN, begun


def said(line: str, table: Table | None = None) -> Command:
    return bind(lex(line), Scope(table or begun().table, int)).command


LINES: dict[str, Command] = {
    "declare Runa engage Pike: Mine.": Declare(who=RUNA, act="engage", target=PIKE, text=Words("Mine.")),
    "declare Pike guard Sling": Declare(who=PIKE, act="guard", target=SLING),
    "declare Pike guard: the steps": Declare(who=PIKE, act="guard", text=Words("the steps")),
    "declare Hook advance": Declare(who=HOOK, act="advance"),
    "declare Tobin stand": Declare(who=TOBIN, act="stand"),
    "declare Sling other: a stone": Declare(who=SLING, act="other", text=Words("a stone")),
    "declare Runa engage Pike --sealed: Mine.": Declare(who=RUNA, sealed=Words("engage 3: Mine.")),
    "declare Pike guard Sling --sealed": Declare(who=PIKE, sealed=Words("guard 5")),
    "declare Tobin stand --sealed": Declare(who=TOBIN, sealed=Words("stand")),
    "declare Sling other --sealed: a stone": Declare(who=SLING, sealed=Words("other: a stone")),
    "reveal: They turn them over.": c.Reveal(text=Words("They turn them over.")),
    "declare Runa: And I shout.": c.Declare(who=RUNA, text=Words("And I shout.")),
    "declare: Nobody moves.": c.Declare(text=Words("Nobody moves.")),
    "clash": Clash(),
    "clash = 3": Clash(results=("3",)),
    "clash Runa Sling: They meet.": Clash(one=RUNA, other=SLING, text=Words("They meet.")),
    "check": Check(),
    "check Runa": Check(who=RUNA),
    "check Tobin Pike = 5H 2": Check(who=TOBIN, whom=PIKE, results=("5H", "2")),
    "check Runa = -7 2": Check(who=RUNA, results=("-7", "2")),
    "check Runa stealth vs 12 = 4H 2": Check(who=RUNA, stat="stealth", y=12, results=("4H", "2")),
    "check Runa 10 vs 12": Check(who=RUNA, x=10, y=12),
    "check Runa stealth vs Pike": Check(who=RUNA, stat="stealth", whom=PIKE),
    "check Runa stealth vs Pike notice wanted=no": Check(
        who=RUNA, stat="stealth", whom=PIKE, theirs="notice", setup={"wanted": "no"}
    ),
}


@pytest.mark.parametrize("line", LINES)
def test_a_line_means_its_command(line: str) -> None:
    assert said(line) == LINES[line]


@pytest.mark.parametrize("line", LINES)
def test_a_command_is_written_as_its_line(line: str) -> None:
    assert render(LINES[line], begun().table) == line


def test_a_redacted_intent_is_written_as_one_that_says_so() -> None:
    gone = Declare(who=RUNA, sealed=Words(None))

    assert render(gone, begun().table) == "declare Runa other --sealed: [redacted]"


def test_if_the_table_seals_every_act_is_sealed_and_no_other_words() -> None:
    table = begun(options={"declaration": "sealed"}).table

    assert said("declare Tobin stand", table) == Declare(who=TOBIN, sealed=Words("stand"))
    assert said("declare Tobin: I wait.", table) == c.Declare(who=TOBIN, text=Words("I wait."))


def test_an_intent_is_for_all_to_see() -> None:
    with pytest.raises(Refused) as refused:
        said("declare Runa engage Pike --gm")

    assert refused.value.sentence == "declare changes what all can see, so it cannot be for some eyes only."
    assert said("declare Runa --gm: To myself.") == c.Declare(who=RUNA, text=Words("To myself."))


def test_a_table_can_be_played_by_its_lines(tmp_path: Path) -> None:
    with CampaignStore.create(tmp_path / "ford.retold") as campaign:
        scribe = Scribe(campaign, 1)
        for line in (
            "cast Runa whiskey by=Ana combat=10 base=4 die=1 hp=12 stealth=3",
            "cast Pike whiskey combat=10 base=4 die=1 hp=12 faction=river",
            'conflict "The ford" whiskey Runa vs Pike',
            "declare Runa engage Pike: Now.",
            "declare Pike stand",
            "clash",
            "check Runa Pike = 6 3",
            "expect check 16 passed",
            "expect hp Pike 5",
            "expect faction Pike river",
            "ruling Pike.hp-=2: The stone is loose.",
            "expect hp Pike 3",
            "check Runa stealth vs 12 = 4H 2",
            "end conflict",
        ):
            scribe.say(line)
