"""What every system promises the house: contracts over each member of SYSTEMS."""

from __future__ import annotations

import pickle
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from types import NoneType, UnionType
from typing import Union, get_args, get_origin

import msgspec
import pytest

from retold.games.homebrew.rules import Move
from retold.journal import shared
from retold.journal.capabilities import Blank
from retold.journal.decks.chance import FirstDealer, Luck, SeededDealer
from retold.journal.language.form_parts import slots_of
from retold.journal.language.lexing import lex
from retold.journal.language.proposed import available_actions, available_rolls
from retold.journal.language.tokens import Unreadable
from retold.journal.language.verbs import form_of, own_form
from retold.journal.line import LiveEvent, decide, fold
from retold.journal.refused import Refused
from retold.journal.state_copies import StateCopies
from retold.journal.system import UNBOUND, System
from retold.journal.systems import SYSTEMS
from retold.journal.table import EVOLVE, Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Command, Event, Frozen, Words, fields_of, types_of
from tests.every import COMMANDS
from tests.scenario import Story, cast, given

ADA, BEA = 1, 2
WORDS = Words("So be it.")
KIND = re.compile(r"[a-z]+\.[a-z]+(-[a-z]+)*")
KEY = re.compile(r"[a-z]+(_[a-z]+)*")

EVENTS: tuple[type[Event], ...] = (
    *e.SHARED,
    *(event for system in SYSTEMS.values() for event in system.events),
)

every_system = pytest.mark.parametrize("system", SYSTEMS.values(), ids=list(SYSTEMS))
every_command = pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.__name__)
every_event = pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.kind)


# --- a conflict of any system -----------------------------------------------------------------------------


def opened(system: System) -> Story:
    """Ada against Bea, and nothing done yet."""
    return given(*cast("Ada", "Bea"), c.OpenConflict(system=system.name, sides=((ADA,), (BEA,))))


def played(system: System) -> Story:
    """Ada against Bea, after whatever a table might try first; what is refused here did not happen."""
    story = opened(system)
    dealer = SeededDealer(b"contracts", 1, {})
    for wish in (
        *(c.Declare(who=who, text=WORDS) for who in (ADA, BEA)),
        *(c.Draw(who=who, count=4) for who in (ADA, BEA)),
        *(c.Draw(who=who) for who in (ADA, BEA)),
        *(c.Narrate(who=who, text=WORDS) for who in (ADA, BEA)),
    ):
        with suppress(Refused):
            story = story.given(*decide(story.table, wish, Luck(dealer)))
    return story


def tables(system: System) -> Iterator[Table]:
    """A table that never played it, one where a conflict has opened, one in the midst of it."""
    yield given(*cast("Ada", "Bea")).table
    yield opened(system).table
    yield played(system).table


# --- the list ---------------------------------------------------------------------------------------------


def test_a_system_is_registered_under_its_name() -> None:
    assert all(system.name == name for name, system in SYSTEMS.items())
    assert all(system.title and system.about for system in SYSTEMS.values())


# --- events -----------------------------------------------------------------------------------------------


@every_system
def test_every_event_of_its_own_changes_something_or_is_said_to_change_nothing(system: System) -> None:
    assert set(system.events) - set(system.evolve) == set()


@every_system
def test_it_hears_its_own_events_and_shared_ones_only(system: System) -> None:
    assert set(system.evolve) - {*system.events, *e.SHARED} == set()


ELSEWHERE: tuple[Event, ...] = (
    e.SheetChanged(person=ADA, system="whist", values={"trumps": 3}),
    e.OptionSet(system="whist", key="ace", value="low"),
    e.OptionSet(system=None, key="ace", value="low"),
    e.PlayerSeated(person=ADA, player=BEA),
    e.CastIntroduced(person=ADA, name=WORDS),
    e.SessionOpened(session=1),
    e.SessionClosed(session=1),
    e.CompelOffered(who=ADA, aspect="Curious", by=BEA, text=WORDS),
    e.CompelAccepted(who=ADA),
    e.CompelRefused(who=ADA),
    e.DeckShuffled(deck="whist", why="asked"),
)
"""Of each shared kind that belongs to no conflict, one that is about no system of ours."""


@every_system
@pytest.mark.parametrize("event", ELSEWHERE, ids=lambda event: event.kind)
def test_it_hears_nothing_at_a_table_where_it_is_not_in_play(system: System, event: Event) -> None:
    """Such a table is told without it, and it is not even loaded."""
    table = Table()
    handler = system.evolve.get(type(event))
    if handler is not None:
        handler(table, event)

    assert table == Table()


def test_all_that_belongs_to_no_conflict_was_tried() -> None:
    assert {type(event) for event in ELSEWHERE} == UNBOUND


def test_every_shared_event_is_known_to_the_table() -> None:
    assert set(EVOLVE) == set(e.SHARED)


def test_a_kind_is_the_name_of_one_event() -> None:
    assert [kind for kind, times in Counter(event.kind for event in EVENTS).items() if times > 1] == []


@every_system
def test_a_kind_begins_with_the_name_of_its_system(system: System) -> None:
    assert {event.kind.partition(".")[0] for event in system.events} <= {system.name}
    assert {event.kind.partition(".")[0] for event in e.SHARED} == {"table"}


@every_event
def test_a_kind_is_lower_case_words_with_hyphens(event: type[Event]) -> None:
    assert KIND.fullmatch(event.kind)


def described(kind: type[Frozen]) -> Iterator[type[Frozen]]:
    for one in kind.__subclasses__():
        yield one
        yield from described(one)


def unions(annotation: object) -> Iterator[tuple[object, ...]]:
    if get_origin(annotation) in (Union, UnionType):
        yield get_args(annotation)
    for part in get_args(annotation):
        yield from unions(part)


def bounded(annotation: object) -> bool:
    return any(isinstance(mark, msgspec.Meta) for mark in getattr(annotation, "__metadata__", ()))


def test_no_field_takes_a_bounded_value_or_a_tuple() -> None:
    """msgspec 0.22 loses its way in such a union, and the process crashes (docs/decisions/0019)."""
    assert list(unions(types_of(Move)["stat"])) == [(str, tuple[str, ...], NoneType)]
    for kind in described(Frozen):
        for key, annotation in types_of(kind).items():
            for members in unions(annotation):
                several = any(get_origin(one) is tuple for one in members)
                assert not (several and any(map(bounded, members))), f"{kind.__name__}.{key}"


@every_event
def test_chance_results_are_stored_in_a_field(event: type[Event]) -> None:
    assert event.luck is None or event.luck in fields_of(event)


@every_event
def test_the_public_face_is_made_of_fields(event: type[Event]) -> None:
    assert event.public <= set(fields_of(event))


@every_event
def test_an_event_says_what_it_is(event: type[Event]) -> None:
    assert (vars(event)["__doc__"] or "").strip().endswith(".")


# --- commands ---------------------------------------------------------------------------------------------


@every_command
def test_a_command_brings_its_verb_its_form_an_example_and_its_help(command: type[Command]) -> None:
    own = vars(command)

    assert own["verb"] == own["verb"].lower()
    assert own["form"]
    assert own["example"].split()[0].removesuffix(":") == own["verb"]
    assert own["__doc__"].rstrip().endswith(".")


@every_system
def test_the_verbs_of_a_table_are_told_apart(system: System) -> None:
    typed = [verb for command in (*c.SHARED, *c.LINE_VERBS, *system.verbs) for verb in verbs(command)]

    assert [verb for verb, times in Counter(typed).items() if times > 1] == []


def verbs(command: type[Command]) -> tuple[str, ...]:
    return (command.verb, *command.short)


@every_system
def test_its_form_of_a_shared_verb_says_more_than_every_table_can(system: System) -> None:
    for own in set(system.commands) - set(system.verbs):
        shared = c.extended(own)
        assert shared is not None

        assert verbs(own) == verbs(shared)
        assert fields_of(shared).keys() <= fields_of(own).keys()
        assert slots_of(own_form(own).part).keys() <= fields_of(own).keys()
        form_of(own).match(lex(shared.example))  # raises if it does not fit
        with pytest.raises(Unreadable):
            own_form(shared).match(lex(own.example))


@every_system
def test_it_decides_shared_verbs_and_its_own(system: System) -> None:
    decided = {*system.decide, *system.anytime}

    assert decided - {*c.SHARED, *system.commands} == set()
    assert set(system.commands) - decided == set()


def test_every_shared_verb_is_decided_somewhere() -> None:
    of_systems = {command for system in SYSTEMS.values() for command in system.decide}

    assert set(shared.DECIDE) <= set(c.SHARED)
    assert {*shared.DECIDE, *of_systems} >= set(c.SHARED)


# --- options, questions, facts ----------------------------------------------------------------------------


@every_system
def test_an_option_takes_its_default_and_every_value_it_names(system: System) -> None:
    for option in system.options:
        assert option.takes(option.default), option.key
        assert all(map(option.takes, option.values)), option.key
        assert option.default in option.values or option.number, option.key


@every_system
def test_an_option_can_be_chosen_by_its_key(system: System) -> None:
    keys = [option.key for option in system.options]

    assert len(set(keys)) == len(keys)
    assert all(map(KEY.fullmatch, keys))
    for option in system.options:
        typed = f"{system.name}.{option.key}".replace("_", "-")
        given().when(c.SetOption(values={typed: option.default})).then(
            e.OptionSet(system=system.name, key=option.key, value=option.default)
        )


@every_system
def test_a_law_may_be_laid_down_in_any_conflict(system: System) -> None:
    opened(system).when(c.Rule(text=WORDS)).then(e.RulingMade(conflict=1, text=WORDS))


@every_system
def test_a_ruling_on_an_unknown_number_lists_the_known_ones(system: System) -> None:
    ruling = c.Rule(sets=(e.Setting(person=ADA, what="shoe size", op="=", value=43),), text=WORDS)

    with pytest.raises(Refused, match="ruling sets"):
        decide(opened(system).table, ruling, Luck(SeededDealer(b"", 1, {})))


@every_system
def test_a_system_reports_the_turn_and_pending_questions(system: System) -> None:
    for story in (opened(system), played(system)):
        (conflict,) = story.table.conflicts.values()

        assert system.turn(story.table, conflict)
        assert all(question.conflict == 1 for question in system.pending(story.table, conflict))


@every_system
def test_whatever_its_outlook_lists_may_be_said(system: System) -> None:
    for table in tables(system):
        lines = [
            one
            for seen in available_actions(table, Luck(FirstDealer()))
            for one in (*seen.choices, *seen.beside)
        ]
        assert lines or not table.conflicts
        for choice in lines:
            assert choice.comes_to
            assert decide(table, choice.command, Luck(SeededDealer(b"outlook", 1, {})))


@every_system
def test_W6_every_roll_offered_may_be_rolled(system: System) -> None:
    for table in tables(system):
        for who in (ADA, BEA):
            for one in available_rolls(table, Luck(FirstDealer()), who):
                assert (one.who, bool(one.comes_to)) == (who, True)
                assert decide(table, one.command, Luck(SeededDealer(b"rolls", 1, {})))


@every_system
def test_what_is_tried_on_copies_out_of_a_mould_comes_to_the_same(system: System) -> None:
    for table in tables(system):
        before, copies = deepcopy(table), StateCopies()
        for seen in available_actions(table, Luck(FirstDealer())):
            for one in (*seen.choices, *seen.beside):
                first, again = (decide(table, one.command, Luck(FirstDealer()), copies) for _ in range(2))
                assert decide(table, one.command, Luck(FirstDealer())) == first == again
        assert table == before


@every_system
def test_it_suggests_words_for_any_blank_or_none(system: System) -> None:
    filled: tuple[dict[str, tuple[int | str, ...]], ...] = (
        {},
        {"who": (ADA,), "thing": (BEA,)},
        {"who": ("nobody",), "thing": ("nothing",)},
    )
    for table in tables(system):
        for command in COMMANDS:
            for slot in (*fields_of(command), "keys"):
                for before in filled:
                    found = system.suggest(table, table.in_play(), Blank(command, slot, before))
                    assert all(one.text for one in found), (command.verb, slot)


@every_system
def test_every_fact_has_an_answer_at_any_table(system: System) -> None:
    for table in tables(system):
        conflict = table.in_play()
        for subject, fact in system.facts.items():
            for who in (ADA, None):
                answers = fact.read(table, conflict, who)

                assert all(isinstance(answer, str) for answer in answers), subject


# --- tables as values -------------------------------------------------------------------------------------


@every_system
def test_a_folded_table_is_the_same_copied_and_kept(system: System) -> None:
    for table in tables(system):
        assert deepcopy(table) == table
        assert pickle.loads(pickle.dumps(table)) == table


@every_system
def test_a_copied_table_goes_its_own_way(system: System) -> None:
    story, begun = played(system), len(opened(system).events)
    table = opened(system).table
    copied = fold(
        (LiveEvent(position, event) for position, event in enumerate(story.events[begun:], begun + 1)),
        deepcopy(table),
    )

    assert copied == story.table
    assert table == opened(system).table != copied
