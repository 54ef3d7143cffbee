"""Decides a recorded act again, on another table state or branch, with its stored command and results.

Ids of people, conflicts and moments in the command are changed to the branch's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain, count, islice, permutations, product
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin

from msgspec import Struct, field
from msgspec.structs import replace

from retold.journal import line as line_
from retold.journal.decks import dice
from retold.journal.decks.chance import Dealer, Luck, Provenance, StackedDealer, UsedResult, has_total
from retold.journal.games import BUILT_IN
from retold.journal.guarding import UNBROKEN, fault_of
from retold.journal.names import normalise
from retold.journal.packages import note
from retold.journal.refused import Refused
from retold.journal.store.contract.errors import Damaged
from retold.journal.store.events.acts import Manner
from retold.journal.store.events.codec import ORDER, audience_of, decode_command, unheard_of
from retold.journal.store.events.kinds import commands_stored_as
from retold.journal.store.events.line_events import Act
from retold.journal.system import System
from retold.journal.systems import SYSTEMS
from retold.journal.table import Somebody, Table, placeholder_name
from retold.journal.visibility import VisibleTo, is_secret_number
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import (
    REFERENCE,
    Bind,
    Command,
    Event,
    Frozen,
    InvalidShape,
    Words,
    types_of,
    values_of,
)
from retold.journal.vocabulary.sealing import DeclareSealed, with_person_ids


def stored_command(
    act: Act, table: Table | None = None, unnamed: Callable[[int], str] = placeholder_name
) -> Command | None:
    """Returns the command stored with an act, with its texts and the recorded dice and cards.

    `table`, the state before the act, tells the game of an act that has no game events. `unnamed` gives the
    name of a person the act introduced whose name is redacted, by the person's id. Returns None for an
    act without a command (a campaign's first event, a promotion), and for an unknown verb: of a game that is
    not installed, or of another release of a guest (a game installed separately), or one whose guest fails at
    it. Raises Damaged for a broken command.
    """
    carried = act.events[0].command
    if carried is None:
        return None
    verb = carried.get("kind")
    games = games_of(act, table)
    if not isinstance(verb, str) or next(commands_stored_as(verb, games), None) is None:
        return None
    try:
        command = decode_command(carried, _texts(act, carried, unnamed), games)
    except InvalidShape as error:
        if all(name in BUILT_IN for name in games - {"table"}):
            raise _broken(act) from error
        return None
    except Exception as error:
        if (fault := fault_of(error, UNBROKEN)) is not None:  # as if its game were not installed
            note(fault)
            return None
        if isinstance(error, ValueError | LookupError | TypeError):
            raise _broken(act) from error
        raise
    return command.as_recorded(act.known)


def _broken(act: Act) -> Damaged:
    return Damaged(f"The command at position {act.first} is broken.")


def games_of(act: Act, table: Table | None = None) -> set[str]:
    """Returns the names of the games of an act's events and, given the state `table`, of their conflicts.

    "table" means events shared by every game.
    """
    games = {recorded.event.kind.partition(".")[0] for recorded in act.events}
    conflicts = {getattr(event, "conflict", None) for event in act.known}
    open_here = () if table is None else table.conflicts.items()
    return games | {conflict.system for number, conflict in open_here if number in conflicts}


def as_typed(table: Table, act: Act) -> Command | None:
    """Returns the command of an act, its keys in the order that leads to the recorded events on `table`.

    Records from before 22 November 2026 do not keep the order in which keys were typed. Possible orders are
    tried, up to MOST_ORDERS, after the readings that an ambiguous old command allows (`Command.sayings`);
    if none fits, the stored command is returned. Returns None for an act without a command, or with an
    unknown verb.
    """
    command = stored_command(act, table)
    if command is None or act.managing or type(command).manages:
        return command
    orders = islice(chain(command.sayings(), _orders(act, command)), MOST_ORDERS)
    return next((typed for typed in orders if reproduces(table, act, typed)), command)


MOST_ORDERS: Final = 120
"""The most key orders tried: all of five keys."""


def _orders(act: Act, command: Command) -> Iterator[Command]:
    """Yields variants of the command, one for each possible typed order of its keys.

    Yields none if the record has the order.
    """
    carried = act.events[0].command or {}
    keyed = [key for key in command.__struct_fields__ if isinstance(getattr(command, key), dict)]
    unsure = [key for key in keyed if len(getattr(command, key)) > 1 and key not in carried.get(ORDER, {})]
    if unsure:
        for order in product(*(permutations(getattr(command, key)) for key in unsure)):
            typed = zip(unsure, order, strict=True)
            yield command.but(
                {key: {inner: getattr(command, key)[inner] for inner in order} for key, order in typed}
            )


def reproduces(table: Table, act: Act, command: Command) -> bool:
    """True if the rules, with the act's recorded results, decide `command` into the act's events."""
    try:
        now, _ = decide_as_recorded(table, act, command)
    except Refused:
        return False
    return equal_but_words([recorded.event for recorded in act.events], now)


def _texts(
    act: Act, carried: Mapping[str, Any], unnamed: Callable[[int], str]
) -> Callable[[int, int], str | None]:
    """Returns a function that gives a text of the act by number of the event and index in the event.

    A redacted name of a person the act introduced becomes the name that `unnamed` gives: without it, two
    newcomers without names could not be told apart.
    """
    names = {place for key in _NEWCOMERS for place in _references(carried.get(key))}

    def text(event: int, index: int) -> str | None:
        found, brought = act.events[event].texts[index], act.events[event].event
        if found is None and (event, index) in names and isinstance(brought, e.CastIntroduced):
            return unnamed(brought.person)
        return found

    return text


def unnamed_newcomers(act: Act) -> tuple[int, ...]:
    """Returns the ids of the people an act introduced whose names are redacted."""
    events = (recorded.event for recorded in act.events)
    return tuple(
        event.person for event in events if isinstance(event, e.CastIntroduced) and event.name.text is None
    )


def without_texts(event: Event, texts: AbstractSet[str]) -> Event:
    """Returns a copy of the event in which every text contained in `texts` is redacted."""
    said = {key: value for key, value in values_of(event).items() if isinstance(value, Words)}
    return event.but({key: Words(None) for key, words in said.items() if words.text in texts})


_NEWCOMERS = ("who", "also", "by", "sides", "people")
"""Command fields that may introduce a person."""


def _references(value: object) -> Iterator[tuple[int, int]]:
    if isinstance(value, dict) and value.keys() == {REFERENCE}:
        event, index = value[REFERENCE]
        yield event, index
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _references(part)


def manner_of(act: Act) -> Manner:
    """Returns the options an act was recorded with: author, audience, provenance, time of play, import."""
    envelopes = [event.envelope for event in act.events]
    return Manner(
        by=envelopes[0].by,
        visible_to=audience_of_act(act),
        provenance=provenance_of(act) or Provenance.CALLED,
        source=envelopes[0].source,
        unit=envelopes[0].unit,
        when=envelopes[0].when,
    )


def audience_of_act(act: Act) -> VisibleTo:
    """Returns the audience of an act's command; single events of the act may have a smaller one."""
    audience: str | Sequence[int] | None = (act.events[0].command or {}).get("see")
    if audience is None:
        return audience_of(recorded.envelope for recorded in act.events)
    return audience if isinstance(audience, str) else tuple(audience)


def provenance_of(act: Act) -> Provenance | None:
    """Returns the origin of an act's dice and cards, such as dealt or called; None if it has none."""
    return next((provenance for event in act.events for provenance in event.envelope.luck), None)


def results_of(act: Act) -> tuple[str, ...]:
    """Returns the cards and die faces that came up in an act, in order, as a dealer names them: "JH", "6".

    If the player typed only a total, returns the results as typed.
    """
    called = (act.events[0].command or {}).get("results")
    if called and has_total(called):
        return tuple(called)
    return tuple(result for event in act.known for result in _results(event))


def _results(event: Event) -> Iterator[str]:
    values: Sequence[str | int] = getattr(event, event.luck) if event.luck else ()
    for source, value in zip(line_.sources(event), values, strict=True):
        yield _FUDGE[value] if source == dice.die_name(dice.FUDGE) and isinstance(value, int) else str(value)


_FUDGE: Mapping[int, str] = {dice.face_value(face): face for face in dice.faces(dice.FUDGE)}


def decide_as_recorded(
    table: Table,
    act: Act,
    command: Command,
    manner: Manner | None = None,
    existed_before: Callable[[int], bool] | None = None,
) -> tuple[list[Event], list[UsedResult]]:
    """Works out the events of `command` by today's rules with the recorded dice and cards of `act`.

    `table` is the state to decide on. Returns (events, results taken). Dealt results are dealt again, others
    are taken as typed. `manner` (author, audience, provenance) replaces the act's if given. A name that the
    act introduced is first taken from a person who now bears it, if `existed_before(person)` (None: from any
    person). Raises Refused if the results do not fit.
    """
    table = _with_names_free(table, act, existed_before)
    if ids := tuple(filter(None, (_secret_id(recorded.event) for recorded in act.events))):
        table = replace(table, recorded_ids=ids)
    results, manner = results_of(act), manner or manner_of(act)
    if provenance_of(act) is not Provenance.DEALT or has_total(results):
        return decide_with(table, command, NO_DEALER, manner)
    dealer = StackedDealer(results)
    dealt = replace(manner, provenance=Provenance.DEALT)
    decided = decide_with(table, without_results(command), dealer, dealt)
    if dealer.left:
        raise Refused(f"{' '.join(dealer.left)} would not be dealt now.")
    return decided


def _secret_id(event: object) -> int | None:
    """Returns the id of the secret person or clock that an event brings; None for other events."""
    number = event.person if isinstance(event, e.CastIntroduced) else getattr(event, "clock", None)
    return number if isinstance(number, int) and is_secret_number(number) else None


def _with_names_free(table: Table, act: Act, existed_before: Callable[[int], bool] | None) -> Table:
    brought = {normalise(name) for recorded in act.events for name in _introduced_names(recorded.event)}
    if not brought:
        return table
    freed = {
        person.id: _without_names(person, brought)
        for person in table.everybody()
        if existed_before is None or existed_before(person.id)
    }
    people = {number: freed.get(person.id, person) for number, person in table.people.items()}
    return replace(table, people=people)


def _introduced_names(event: object) -> Iterator[str]:
    if isinstance(event, e.CastIntroduced | e.Renamed) and event.name.text is not None:
        yield event.name.text
    if isinstance(event, e.AliasGiven) and event.case is None and event.alias.text is not None:
        yield event.alias.text


def _without_names(one: Somebody, names: AbstractSet[str]) -> Somebody:
    """Returns the person without the name and aliases that are in `names`, ignoring case and accents."""
    aliases = [alias for alias in one.aliases if normalise(alias.text or "") not in names]
    if normalise(one.called) not in names:
        return one if len(aliases) == len(one.aliases) else replace(one, aliases=aliases)
    return replace(one, name=Words(None), aliases=aliases)


def decide_with(
    table: Table, command: Command, dealer: Dealer, manner: Manner
) -> tuple[list[Event], list[UsedResult]]:
    """Works out the events of `command` on the state `table` by the rules; returns (events, results taken).

    Results are dice and cards; they come from the command's `results` field or else from `dealer`.
    """
    luck = Luck(dealer, getattr(command, "results", None), manner.provenance)
    luck.behind_screen = line_.deals_behind_screen(table, command, manner.visible_to)
    return line_.decide(table, command, luck, visible_to=manner.visible_to), luck.taken


def without_results(command: Command) -> Command:
    """Returns the command with its `results` field cleared: its dice and cards must then be dealt."""
    return with_results(command, None) if "results" in command.__struct_fields__ else command


def with_results(command: Command, results: Sequence[str] | None) -> Command:
    """Returns the command with `results`, dice and cards by name, in its field; None clears the field."""
    return command.but({"results": None if results is None else tuple(results)})


class _NoDealer:
    """Dealer that refuses each pick, for commands recorded without dealt results."""

    def pick(self, source: str, possible: Sequence[str]) -> str:  # noqa: ARG002 -- it never gives any
        """Always raises Refused."""
        raise Refused(f"Nothing was dealt from {source}.")


NO_DEALER: Final = _NoDealer()


class Renumbering(Struct):
    """Maps ids of people and conflicts and positions of moments from the old branch to a retcon's new branch.

    Numbers from before the `fork` stay; later ones are looked up, and Refused if the new branch lacks them.
    """

    fork: int
    known: frozenset[int]
    conflicts_before: int
    table: Table
    """The branch's table so far."""
    people: dict[int, int] = field(default_factory=dict)
    conflicts: dict[int, int] = field(default_factory=dict)
    positions: dict[int, int] = field(default_factory=dict)

    def apply(self, command: Command) -> Command:
        """Returns the command with its people, conflicts and moments renumbered for the new branch.

        Raises Refused if one of them does not exist there.
        """
        changed = {
            key: _renumbered(annotation, getattr(command, key), self)
            for key, annotation in types_of(type(command)).items()
        }
        if command.conflict is not None:
            changed["conflict"] = self.conflict(command.conflict)
        if isinstance(command, c.Rule):
            here = self._game_of_conflict(changed["conflict"])
            changed["sets"] = tuple(_renumbered_setting(setting, here, self) for setting in command.sets)
        if isinstance(command, DeclareSealed) and command.sealed is not None:
            changed["sealed"] = with_person_ids(command.sealed, self.person)
        return command.but(changed)

    def _game_of_conflict(self, conflict: int | None) -> System | None:
        """Returns the game of a conflict on the new branch; None if the conflict is not open.

        `conflict` None means the one in play.
        """
        here = self.table.in_play() if conflict is None else self.table.conflicts.get(conflict)
        return None if here is None else SYSTEMS[here.system]

    def event(self, event: Event) -> Event:
        """Returns the event with the position it refers to changed to the new branch's.

        Returns it unchanged if it refers to none, or if the new branch lacks that moment.
        """
        key = "at" if isinstance(event, e.Marked | e.PassagePulled) else "about"
        moment = getattr(event, key, None)
        if not isinstance(event, _MOMENT_KINDS) or moment is None:
            return event
        return event.but({key: self.positions.get(moment, moment)})

    def manner(self, manner: Manner) -> Manner:
        """Returns recording options with author and audience renumbered for the new branch.

        If none of the audience is on the branch, it becomes the game master alone, never a stranger with the
        same number.
        """
        visible_to = manner.visible_to
        if isinstance(visible_to, tuple):
            visible_to = self._on_branch(visible_to) or "gm"
        by = None if manner.by is None else next(iter(self._on_branch((manner.by,))), None)
        return replace(manner, by=by, visible_to=visible_to)

    def _on_branch(self, people: Iterable[int]) -> tuple[int, ...]:
        return tuple(
            self.people.get(person, person)
            for person in people
            if person in self.known or person in self.people
        )

    def learn(self, was: Sequence[Event], now: Sequence[Event], first: int, last: int, start: int) -> None:
        """Adds to the maps: events `was` (positions `first` to `last`) became `now`, from `start` on.

        People are matched by name, those whose names are redacted by the order in which they came in, and
        conflicts by the order in which they opened.
        """
        for position in range(first, last + 1):
            self.positions[position] = start + min(position - first, max(len(now) - 1, 0))
        there = dict(_by_name(now))
        self.people |= {person: there[name] for name, person in _by_name(was) if name in there}
        opened = [event.conflict for event in now if isinstance(event, e.ConflictOpened)]
        before = [event.conflict for event in was if isinstance(event, e.ConflictOpened)]
        self.conflicts |= dict(zip(before, opened, strict=False))

    def person(self, person: int) -> int:
        """Returns a person's id on the new branch; Refused if the person was not introduced there."""
        if person in self.known:
            return person
        if person not in self.people:
            raise Refused("It names a person who has not been introduced here.")
        return self.people[person]

    def conflict(self, conflict: int) -> int:
        """Returns a conflict's number on the new branch; Refused if it was never opened there."""
        if conflict <= self.conflicts_before:
            return conflict
        if conflict not in self.conflicts:
            raise Refused("It speaks to a conflict that was not opened here.")
        return self.conflicts[conflict]

    def existed_before(self, person: int) -> bool:
        """True if `person`, an id on the new branch, is also on the old branch, under any id."""
        return person in self.known or person in self.people.values()

    def moment(self, position: int) -> int:
        """Returns the new branch's counterpart of a position of the old one; Refused if there is none."""
        if position <= self.fork:
            return position
        if position not in self.positions:
            raise Refused("It speaks of a moment that did not come about here.")
        return self.positions[position]


_MOMENT_KINDS = e.Marked | e.ToldLater | e.Revealed | e.Shown | e.PageTextWritten | e.PassagePulled
"""Kinds that refer to a moment of their line, in `at` or `about`."""


def _by_name(events: Sequence[Event]) -> Iterator[tuple[str | int, int]]:
    """Yields (name, id) for each person that events introduced; redacted names are numbered from 0."""
    numbers = count()
    for event in events:
        if isinstance(event, e.CastIntroduced):
            yield next(numbers) if event.name.text is None else event.name.text, event.person


def _renumbered(annotation: Any, value: Any, to: Renumbering) -> Any:  # noqa: ANN401 -- a field of any shape
    """Returns a field's `value` with the ids of people and positions of moments in it renumbered.

    `annotation`, the field's type, tells which numbers these are.
    """
    annotation, metadata = _unwrapped(annotation)
    change = next((_CHANGES[item] for item in metadata if isinstance(item, Bind) and item in _CHANGES), None)
    if change is not None:
        return change(to, value) if isinstance(value, int) else value
    if metadata:
        return _renumbered(annotation, value, to)
    parts = get_args(annotation)
    if isinstance(value, tuple) and parts:
        return tuple(_renumbered(parts[0], part, to) for part in value)
    if isinstance(value, dict) and len(parts) > 1:
        return {key: _renumbered(parts[1], part, to) for key, part in value.items()}
    return value


def _renumbered_setting(setting: e.Setting, here: System | None, to: Renumbering) -> e.Setting:
    """Returns one setting of a ruling with its people renumbered, as the game `here` declares them."""
    changed: dict[str, int | str] = {}
    if setting.person is not None:
        changed["person"] = to.person(setting.person)
    what = normalise(setting.what)
    if isinstance(setting.value, int) and here is not None and what in here.ruled_people:
        changed["value"] = to.person(setting.value)
    # A conflict's set-up has values of the form word:person, such as `overwhelming:7`.
    if isinstance(setting.value, str) and here is not None and ":NAME" in here.setup_keys.get(what, ""):
        word, _, who = setting.value.partition(":")
        changed["value"] = f"{word}:{to.person(int(who))}" if who.isdecimal() else setting.value
    return setting.but(changed)


def _unwrapped(annotation: Any) -> tuple[Any, Sequence[Any]]:  # noqa: ANN401 -- an annotation of any shape
    """Returns the type in an annotation (an optional None removed), and its Annotated metadata."""
    if get_origin(annotation) in (Union, UnionType):
        parts = [part for part in get_args(annotation) if part is not NoneType]
        annotation = parts[0] if len(parts) == 1 else annotation
    if get_origin(annotation) is Annotated:
        inner, *metadata = get_args(annotation)
        return inner, metadata
    return annotation, ()


_CHANGES: Mapping[Bind, Callable[[Renumbering, int], int]] = {
    Bind.PERSON: Renumbering.person,
    Bind.NEWCOMER: Renumbering.person,
    Bind.THING: Renumbering.person,
    Bind.KNOWN_THING: Renumbering.person,
    Bind.ANSWER: Renumbering.person,
    Bind.MOMENT: Renumbering.moment,
    Bind.MATTER: Renumbering.moment,
}


def apply_act(table: Table, act: Act) -> None:
    """Changes the table state by the recorded events of an act; one of an unknown kind has no effect."""
    for recorded in act.events:
        if isinstance(recorded.event, Event):
            live = line_.LiveEvent(
                recorded.position, recorded.event, recorded.envelope.luck, recorded.envelope.visible_to
            )
            line_.evolve_recorded(table, live)
        elif (unheard := unheard_of(recorded.event.kind, recorded.position)) and unheard.why is not None:
            line_.evolve(table, line_.LiveEvent(recorded.position, unheard))


def equal_but_words(one: object, other: object) -> bool:
    """True if two events, parts of events, or lists of events are equal apart from their texts.

    A field that older records do not have (`later`) is ignored if either event lacks it.
    """
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(equal_but_words, one, other))
    if isinstance(one, Event) and isinstance(other, Event) and type(one) is type(other):
        unsaid = {key: None for key in one.later if None in (getattr(one, key), getattr(other, key))}
        one, other = one.but(unsaid), other.but(unsaid)
    return bool(_without_texts(one) == _without_texts(other))


def _without_texts(value: Any) -> Any:  # noqa: ANN401 -- a part of an event
    if isinstance(value, Frozen):
        return type(value), {key: _without_texts(part) for key, part in values_of(value).items()}
    if isinstance(value, tuple | list):
        return [_without_texts(part) for part in value]
    if isinstance(value, dict):
        return {key: _without_texts(part) for key, part in value.items()}
    return type(value) if type(value).__name__ == "Words" else value
