"""Lines that begin with what is kept: `hp Thia -5`."""

from __future__ import annotations

import pytest

from retold.games.homebrew.commands.verbs import Keep
from retold.journal.language.binding import Scope, bind
from retold.journal.language.lexing import lex
from retold.journal.language.rendering import render
from retold.journal.language.verbs import UnknownVerb
from retold.journal.names import Ambiguous
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Command, Words
from tests.retold.games.homebrew.at_the_bridge import CHOSEN, THIA, bridge
from tests.scenario import cast, given


def said(line: str, table: Table) -> Command:
    return bind(lex(line), Scope(table, int)).command


@pytest.mark.parametrize("line", ["hp Thia -5", "HP Thia -5", "track Thia hp -5"])
def test_HB_30_the_name_of_a_track_begins_a_line(line: str) -> None:
    kept = said(line, bridge().table)

    assert isinstance(kept, Keep)
    assert (kept.who, kept.track.casefold(), kept.value) == (THIA, "hp", "-5")


def test_HB_30_an_unkept_track_is_answered_with_how_to_keep_it() -> None:
    table = given(*cast("Thia")).table

    with pytest.raises(UnknownVerb) as refused:
        said("hp Thia -5", table)

    assert str(refused.value) == ("There is no verb hp. To keep how much there is of it: track Thia hp 9/12.")
    assert isinstance(said("track Thia hp 9/12", table), Keep)


def test_a_verb_is_never_hidden_by_what_is_kept() -> None:
    table = bridge(game=False).given(Keep(who=THIA, track="note", value="3")).table

    assert said("note Thia: rain", table).verb == "note"


def test_what_is_only_kept_beside_a_game_leaves_its_sheets_as_they_were() -> None:
    zel, osk = 1, 2
    table = given(
        *cast("Zel", "Osk"),
        c.Cast(who=osk, system="bruise", people={"doula": zel}),
        Keep(who=zel, track="hp", value="9/12"),
    ).table

    assert said("cast Zel doula=Osk", table) == c.Cast(who=zel, people={"doula": osk})


@pytest.mark.parametrize("game", ["bruise", "edgerunner", "guenask", "homebrew", "spacetime", "whiskey"])
def test_HB_14_dice_that_have_an_equals_sign_are_no_data_in_any_game(game: str) -> None:
    table = given(*cast("Thia", "Osk"), c.OpenConflict(system=game, sides=((1,), (2,)))).table
    command = said("roll Thia 8d10>=7", table)

    assert isinstance(command, c.Roll)
    assert command.dice == "8d10>=7"
    assert said(render(command, table), table) == command


@pytest.mark.parametrize(
    ("line", "long"),
    [
        ("Thia strike str vs 12 = 9", "roll Thia strike str vs 12 = 9"),
        ("thi strike str vs Osk", "roll Thia strike str vs Osk"),
        ('Thia "hold on" dots', 'roll Thia "hold on" dots'),
        ("Thia hp 4: An arrow.", "hp Thia 4: An arrow."),
        ("Thia+Osk hp 4", "hp Thia+Osk 4"),
        ("Osk cursed on", "track Osk cursed on"),
    ],
)
def test_reader_a_line_may_begin_with_who_does_it(line: str, long: str) -> None:
    table = bridge().table

    assert said(line, table) == said(long, table)
    assert said(render(said(line, table), table), table) == said(long, table)


def test_reader_speech_about_a_move_is_only_speech() -> None:
    assert said("Thia: strike str", bridge().table) == c.Say(who=THIA, text=Words("strike str"))


def test_reader_a_name_that_several_have_is_asked_before_their_move() -> None:
    table = given(*cast("Bandit-1", "Bandit-2"), CHOSEN).table

    with pytest.raises(Ambiguous, match=r"^Band may be Bandit-1 or Bandit-2"):
        said("Band strike str", table)


def test_reader_a_person_called_like_a_verb_hides_none() -> None:
    table = given(*cast("Roll", "Thia"), CHOSEN).table

    assert said("Roll strike str", table) == said('roll "Roll" strike str', table)
    assert said("roll Thia strike str", table).verb == "roll"
