"""Verbs that several games say: whose is meant, how another's is said, and what a guest may not say."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from inspect import signature
from pathlib import Path
from types import ModuleType
from typing import ClassVar

import pytest
from msgspec.structs import replace

from retold.journal import games
from retold.journal.decks.chance import FirstDealer, Luck
from retold.journal.games import Guest
from retold.journal.language.binding import Scope, bind
from retold.journal.language.lexing import lex
from retold.journal.language.rendering import render
from retold.journal.line import decide
from retold.journal.refused import Refused
from retold.journal.system import Decision, System
from retold.journal.systems import SYSTEMS
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Command, Person, Words
from tests.journal import test_systems as contracts
from tests.scenario import Story, cast, given

LANTERNS = Path(__file__).resolve().parents[3] / "examples/guests/lanterns"
WICK, INES = 1, 2


class Mend(Command):
    """Somebody of Embers is mended."""

    verb: ClassVar[str] = "mend"
    form: ClassVar[str] = "NAME:who INT:harm [: text]"
    example: ClassVar[str] = "mend Wick 1"
    who: Person
    harm: int
    text: c.Text = None


class Declare(c.Declare):
    """Say by which of the embers something is done."""

    verb: ClassVar[str] = "declare"
    form: ClassVar[str] = "NAME:who by NAME:ember [: text]"
    example: ClassVar[str] = "declare Wick by red: I hold it up."
    ember: c.Data | None = None


class Show(Mend):
    """A verb that the command line has."""

    verb: ClassVar[str] = "show"


@pytest.fixture
def lanterns(monkeypatch: pytest.MonkeyPatch) -> Iterator[System]:
    """The example guest and one made from it, called Embers, as if both were installed."""
    monkeypatch.syspath_prepend(LANTERNS)
    brought = [Guest("embers", "retold-embers 1.0", "embers_of_a_test")]
    brought.append(Guest("lanterns", "retold-lanterns 0.1.0", "retold_lanterns"))
    monkeypatch.setattr(games, "_installed", lambda: tuple(brought))
    yield SYSTEMS["lanterns"]
    for name in ("lanterns", "embers"):
        SYSTEMS._loaded.pop(name, None)
        games.TROUBLES.pop(name, None)


def embers(monkeypatch: pytest.MonkeyPatch, like: System, *commands: type[Command]) -> None:
    """Brings Embers, with these commands."""
    game = ModuleType("embers_of_a_test")
    said: dict[type[Command], Decision] = {command: lambda *_: [] for command in commands}
    vars(game)["SYSTEM"] = replace(
        like,
        name="embers",
        title="Embers",
        commands=commands,
        events=(),
        decide=said,
        anytime=said,
        evolve={},
    )
    monkeypatch.setitem(sys.modules, "embers_of_a_test", game)


def said(line: str, story: Story) -> Command:
    return bind(lex(line), Scope(story.table, lambda _moment: 1)).command


def playing(*systems: str) -> Story:
    """Wick and Ines, with a conflict of each of these games that has ended, but for the last."""
    story = given(*cast("Wick", "Ines"))
    for system in systems:
        story = story.given(c.OpenConflict(system=system, sides=((WICK,), (INES,))))
    return story


def test_of_two_games_with_one_verb_that_of_the_conflict_is_meant(
    lanterns: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    embers(monkeypatch, lanterns, Mend)
    theirs = lanterns.says["mend"]

    assert type(said("mend Wick 1", playing("embers"))) is Mend
    assert type(said("mend Wick 1", playing("lanterns"))) is theirs
    assert type(said("mend Wick 1", playing("embers", "lanterns"))) is theirs
    assert type(said("mend Wick 1 --in 1", playing("embers", "lanterns"))) is Mend


def test_if_none_of_two_games_is_meant_it_is_said_with_the_game_before_the_verb(
    lanterns: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    embers(monkeypatch, lanterns, Mend)
    story = playing("whiskey")
    sentence = "mend is a verb of Embers and Lanterns: say which, embers.mend or lanterns.mend."

    with pytest.raises(Refused) as refused:
        said("mend Wick 1", story)

    assert refused.value.sentence == sentence
    assert type(said("embers.mend Wick 1", story)) is Mend
    for line in ("embers.mend Wick 1", "lanterns.mend Wick 1"):
        assert render(said(line, story), story.table) == line


def test_a_guest_says_a_shared_verb_in_a_form_of_its_own(
    lanterns: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    embers(monkeypatch, lanterns, Declare)
    here, elsewhere = playing("embers"), playing("lanterns")

    contracts.test_its_form_of_a_shared_verb_says_more_than_every_table_can(SYSTEMS["embers"])
    by_red = said("declare Wick by red: Up.", here)
    assert by_red == Declare(who=WICK, ember="red", text=Words("Up."))
    assert render(by_red, here.table) == "declare Wick by red: Up."
    assert said("declare Wick: Up.", here) == c.Declare(who=WICK, text=Words("Up."))
    with pytest.raises(Refused):
        decide(playing("whiskey").table, by_red, Luck(FirstDealer()))
    with pytest.raises(Refused):
        said("declare Wick by", elsewhere)


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (Show, "says show anew, which is a word of the command line"),
        (c.Undo, "says undo anew, which is a verb already"),
    ],
)
def test_a_guest_that_takes_what_is_not_its_own_is_not_played_and_the_others_are(
    command: type[Command], why: str, lanterns: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    embers(monkeypatch, lanterns, command)

    assert "embers" not in SYSTEMS
    assert SYSTEMS.trouble("embers") == f"retold-embers 1.0 {why}: its game embers is not played."
    assert "lanterns" in SYSTEMS


def test_a_verb_of_a_game_that_is_gone_says_what_to_install() -> None:
    table = Table(shelves={"lanterns": None})

    with pytest.raises(Refused) as refused:
        bind(lex("hurt Wick 2"), Scope(table, lambda _moment: 1))

    assert refused.value.sentence == (
        "There is no verb hurt. The game lanterns is not installed here, so its events cannot be read:"
        " install the package that brings it (usually called retold-lanterns)."
    )


INSTALL_LANTERNS = (
    "The game lanterns is not installed here, so its events cannot be read: install the package that brings"
    " it (usually called retold-lanterns)."
)
UNKNOWN_LANTERNS = (
    "“lanterns” does not fit here; wanted: a name (SYSTEM) or nothing more. A name of several words is"
    ' quoted: cast "Wick lanterns" bold=3. The form is: cast WHO [SYSTEM] [--describe] KEY=VALUE… [: text].'
)


@pytest.mark.parametrize(
    ("played", "sentence"),
    [({"lanterns": None}, INSTALL_LANTERNS), ({}, UNKNOWN_LANTERNS)],
    ids=["of this table", "of another"],
)
def test_a_game_that_another_record_misses_is_unknown_at_this_table(
    played: dict[str, object], sentence: str
) -> None:
    assert not SYSTEMS.has("lanterns"), "a record of another campaign asked for it"

    with pytest.raises(Refused) as refused:
        bind(lex("cast Wick lanterns bold=3"), Scope(Table(shelves=played), lambda _moment: 1))

    assert refused.value.sentence == sentence


OF_WHAT_MAY_BE_LEFT_OUT = (
    contracts.test_whatever_its_outlook_lists_may_be_said,
    contracts.test_a_ruling_on_an_unknown_number_lists_the_known_ones,
)
CONTRACTS = [
    one
    for name, one in vars(contracts).items()
    if name.startswith("test_") and [*signature(one).parameters] == ["system"]
    if one not in OF_WHAT_MAY_BE_LEFT_OUT
]


@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda one: one.__name__)
def test_a_guest_promises_what_every_system_does(
    contract: Callable[[System], None], lanterns: System
) -> None:
    contract(lanterns)
