"""Definition of a game (a system): its verbs, its decisions about commands, and its event handlers.

A decision takes a `Situation` and a command, and returns the events caused or raises Refused. The house is
the part of Retold that all games share.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import product
from typing import Any, Final, Generic, NamedTuple, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from retold.journal import table as shared
from retold.journal.capabilities import Blank, Choice, InOrder, Moves, Outlook, OwnRoll, Suggestion
from retold.journal.copying import copied
from retold.journal.decks.chance import Luck
from retold.journal.names import quoted
from retold.journal.options import GAME, Option, of_the_table
from retold.journal.possessives import possessive
from retold.journal.refused import Refused
from retold.journal.state_copies import StateCopies
from retold.journal.table import Handler, OpenConflict, Table
from retold.journal.visibility import TABLE, VisibleTo
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import YET_TO_FIND, Command, Event, Question, Value
from retold.journal.vocabulary.commands import extended
from retold.journal.vocabulary.events import ConflictOpened, Joined, Left, OptionSet, RulingMade


class SheetKey(Struct, frozen=True):
    """Definition of a sheet key, such as `tl` or `skill.NAME`, with its allowed values.

    A part in capitals matches any name.
    """

    key: str
    about: str
    example: str
    """Example of key and value: `tl=3`."""
    least: int | None = None
    most: int | None = None
    """Upper end of the range; None if unlimited."""
    words: tuple[str, ...] = ()
    """The only allowed words, if the value is a word."""
    form: str = ""
    """Form of the value, if it is neither one of `words` nor a number in a range."""
    refusal: str = ""
    """Sentence for a value that does not fit; it may use {key}, {name}, {value}, {least}, {most}, {words}."""
    read: Callable[[str, str], int | str] | None = None
    """Parses a value, given the key's name without its prefix; None where range or words are enough."""
    same_as: tuple[str, ...] = ()
    """Keys of this table that mean the same as the name alone, so that the prefix is dropped."""

    @property
    def takes(self) -> str:
        """Allowed values as text for a sentence: `0 to 20`, or `leader, member`."""
        if self.words:
            return ", ".join(self.words)
        if self.least is None:
            return self.form
        return f"{self.least} or more" if self.most is None else f"{self.least} to {self.most}"


class Credit(Struct, frozen=True):
    """Title of a game, who wrote its rules, and their licence; the last two are empty if unknown."""

    title: str
    author: str = ""
    licence: str = ""


class Count(Struct, frozen=True):
    """Number of a conflict's current round or turn, with the game's word for it: `round 2`."""

    what: str
    number: int

    def __str__(self) -> str:
        return f"{self.what} {self.number}"


class Fact(Struct, frozen=True):
    """A subject checked by the verb `expect`, such as a person's stress; `read` returns its values."""

    of_person: bool
    read: Callable[[Table, OpenConflict | None, int | None], tuple[str, ...]]
    about: str
    keys: Callable[[Table, OpenConflict | None, int | None], Iterable[str]] | None = None
    """Every possible keyword, if the values come in groups that each begin with one: a track, its boxes."""
    lone: bool = False
    """True if no person need be named, as with the open roll."""
    whether: bool = False
    """True where a person's name alone asks whether there is any value: `stopped Ann` is."""
    of_people: bool = False
    """True if the values are names of people."""
    has_amounts: bool = True
    """False if nothing follows a keyword of `keys`: a person has it or not, as a condition."""


class Situation(Struct, frozen=True):
    """Input of a decision beside the command: table state, random results, games, and current conflict."""

    table: Table
    luck: Luck
    systems: Mapping[str, System]
    conflict: OpenConflict | None = None
    copies: StateCopies | None = None
    """Copies of this very table's states, if many decisions look at it unchanged."""
    visible_to: VisibleTo = TABLE
    """Audience of the decided events."""

    @property
    def here(self) -> OpenConflict:
        """The conflict that the command is for; AssertionError outside conflicts."""
        assert self.conflict is not None  # noqa: S101 -- a router's promise, not input
        return self.conflict

    @property
    def where(self) -> int | None:
        """Id of the conflict that the command is for, to be stored in events; None outside conflicts."""
        return None if self.conflict is None else self.conflict.id

    def where_in(self, game: str) -> int | None:
        """Returns the id of the current conflict if it is played by `game`; else None."""
        return None if self.conflict is None or self.conflict.system != game else self.conflict.id

    def name(self, person: int) -> str:
        """Returns the person's name, for a sentence."""
        return self.table.name(person)

    def quoted(self, person: int) -> str:
        """Returns the name of `person` as typed in a command, in quotes if necessary."""
        return self.table.quoted(person)

    def names(self, people: Iterable[int]) -> str:
        """Returns the names of `people` joined by commas, each once."""
        return ", ".join(dict.fromkeys(map(self.name, people)))

    def questions(self) -> tuple[Question, ...]:
        """Returns every rule question that waits for a ruling, conflict by conflict."""
        return tuple(
            question
            for conflict in self.table.conflicts.values()
            for question in self.systems[conflict.system].pending(self.table, conflict)
        )

    def nothing_pending(self, conflict: OpenConflict | None = None) -> None:
        """Raises Refused if a rule question that blocks play is unanswered in `conflict`.

        For None, questions in any conflict count.
        """
        for question in self.questions():
            if question.blocks and conflict in (None, self.table.conflicts.get(question.conflict or 0)):
                if not question.answers:
                    raise Refused(question.asked)
                first = question.answers[0]
                answer = self.table.quoted(first) if isinstance(first, int) else first
                alike = [other for other in self.questions() if first in other.answers]
                which = f"{question.name}=" if alike[1:] else ""
                asked = question_with_answers(self.table, question)
                raise Refused(f"{asked} Rule on that first (ruling {which}{answer}: why).")


class Tried(Struct, frozen=True):
    """A command accepted by the rules, its situation, and the events it would cause."""

    situation: Situation
    command: Any
    events: list[Event]


Result = tuple[str, int | None]
"""What a command comes to, in words, and where an open roll would stand."""


TO_FIND: Final = (YET_TO_FIND,)
"""Values of a trial's field that takes words which the user has yet to write."""


class Trial(Struct, frozen=True):
    """Candidates for one verb: possible values of its fields, and a function that describes the result.

    The house builds a command from each combination of the values, in order, drops those that the game
    refuses, and asks `comes_to` for a sentence about each of the rest.
    """

    command: type[Command]
    fields: Mapping[str, Iterable[Any]]
    """Values by field, best first; a mapping among the values fills several fields at once."""
    comes_to: str | Callable[[Tried], str | tuple[str, int | None]]
    by: int | None = None
    """The person whose action it is; None for the command's `who`, or without one the game master."""
    first_of: str | None = None
    """A field of which each value is offered once, with the first combination that is not refused."""
    until: Callable[[Choice], bool] | None = None
    """True for the last choice worth offering; a refusal ends the list as well."""
    order: Callable[[Choice], Any] | None = None
    """Sort key of the choices, where it is not the order of the values."""

    def commands(self) -> Iterator[Command]:
        """Yields a command for each combination of field values, whether or not the game would refuse it."""
        for values in product(*self.fields.values()):
            filled: dict[str, Any] = {}
            for name, value in zip(self.fields, values, strict=True):
                filled |= value if isinstance(value, Mapping) else {name: value}
            yield self.command(**filled)


class UntriedOutlook(NamedTuple):
    """An `Outlook` before the house has tried its commands: sentences about the situation, and trials.

    A `Choice` among the trials is a single command whose sentence is known.
    """

    stands: tuple[str, ...]
    trials: tuple[Trial | Choice, ...]
    moves: tuple[Moves, ...] = ()
    beside: tuple[Trial | Choice, ...] = ()


Upcast = tuple[str, Callable[[dict[str, Any]], dict[str, Any]]]
"""Next stored name of a kind, and the function that converts the old payload."""

Decision = Callable[[Situation, Any], list[Event]]
"""From a command to what happens, or `Refused`; the command's class is its key."""


def _title(situation: Situation) -> str:
    return situation.systems[situation.here.system].title


def _no_way_in(situation: Situation, _joined: Joined) -> list[Event]:
    raise Refused(f"{_title(situation)} has no way into an open conflict.")


def _no_way_out(situation: Situation, _left: Left) -> list[Event]:
    raise Refused(f"{_title(situation)} has no way out of an open conflict.")


def _unanswered(_situation: Situation, _ruling: RulingMade) -> list[Event]:
    raise Refused("This game has nothing that a ruling answers or sets.")


def _no_sheet(key: str, value: str) -> tuple[str, int | str]:
    raise Refused(f"No sheet is kept in this game, so there is no {key}={value}.")


def _nothing(*_asked: object) -> list[Event]:
    return []


def _only_open(_situation: Situation, opened: ConflictOpened) -> list[Event]:
    return [opened]


class _Required(Struct, frozen=True, kw_only=True, dict=True):
    """Fields of `System` that every game must set."""

    name: str
    """Its folder, the first word of its options, and what `conflict` calls it."""
    title: str
    """What readers see."""
    about: str
    """The game in one line."""
    commands: tuple[type[Command], ...]
    """Commands of the game: its own verbs, and its versions of shared ones, as subclasses of these."""
    events: tuple[type[Event], ...]
    """Kinds of the game's own."""
    decide: Mapping[type[Command], Decision]
    """Decisions within the game's conflicts: for its own verbs, and for shared ones it handles itself."""
    evolve: Mapping[type[Event], Handler]
    """Event handlers for own and shared events; the one for an opening sets the conflict's state."""
    shelf: Callable[[], object]
    """Builds the empty game state, which outlives conflicts."""


class _Sheets(_Required, frozen=True, kw_only=True):
    """Fields of `System` for games with character sheets."""

    read_sheet: Callable[[str, str], tuple[str, int | str]] = _no_sheet
    """A sheet's key and typed value made regular, or `Refused`."""
    fits: Callable[[Situation, Mapping[str, Value | None]], None] = lambda _situation, _values: None
    """Refuses what may not stand on a sheet at this table, though each key is well written."""
    sheet: tuple[SheetKey, ...] = ()
    """Keys of a sheet; empty without sheets."""
    mistaken: Mapping[str, str] = field(default_factory=dict)
    """Words commonly mistaken for a key, each with the right key (`level`, for `tl`)."""
    person_keys: frozenset[str] = frozenset()
    """Keys of sheets and conflict set-ups with a person as value."""
    number: Callable[[Table, int, str], int | None] = lambda _table, _person, _name: None
    """Number on a person's sheet that dice may add by name; None if unknown."""
    knows: Callable[[Table, int], bool] = lambda _table, _person: True
    """True if a person has a sheet here: tells apart systems that decide one verb at any time."""


class _Conflicts(_Sheets, frozen=True, kw_only=True):
    """Fields of `System` for games with own rules for opening, joining, leaving or closing a conflict."""

    setup_keys: Mapping[str, str] = field(default_factory=dict)
    """Keys allowed in `conflict`, each with its form."""
    open: Callable[[Situation, ConflictOpened], list[Event]] = _only_open
    """Checks a conflict about to open, or refuses; returns what happens with the opening."""
    join: Callable[[Situation, Joined], list[Event]] = _no_way_in
    """Checks people about to come into the conflict spoken to, or refuses; returns what happens with it.

    The joining comes first. The situation knows newcomers by name; its conflict is as it was before them.
    """
    leave: Callable[[Situation, Left], list[Event]] = _no_way_out
    """Checks people about to leave the conflict spoken to, or refuses; returns what happens with it.

    Costs come before the leaving, freed things after it, and last the end of a conflict that cannot go on
    (`journal/shared/conflicts.py`: `end_without_sides`).
    """
    close: Callable[[Situation, str], list[Event]] = _nothing
    """Returns further events when the conflict ends in the named way, or refuses."""
    turn: Callable[[Table, OpenConflict], str] = lambda _table, _conflict: "open"
    """State of the conflict in a few words, for a toolbar."""
    count: Callable[[OpenConflict], Count | None] = lambda _conflict: None
    """Current turn or round of the conflict; None before the first."""
    order: Callable[[Table, OpenConflict], tuple[InOrder, ...]] = lambda _table, _conflict: ()
    """Turn order of the conflict; empty before it is settled."""
    seals: Callable[[Table], bool] = lambda _table: False
    """True where an act is declared face down, whether or not the line says so."""


class _Outside(_Conflicts, frozen=True, kw_only=True):
    """Fields of `System` for games with options, session starts, or verbs outside conflicts."""

    options: tuple[Option, ...] = ()
    """Table options of the game."""
    chosen: Callable[[Situation, OptionSet], list[Event]] = _nothing
    """Returns further events when an option of the game is chosen."""
    plays: Callable[[Table], bool] = lambda _table: True
    """True if the table plays this game; False if it merely stores something in its state."""
    unnamed: bool = False
    """True for the one game used if no game is named."""
    session: Callable[[Situation], list[Event]] = _nothing
    """Returns further events when a session begins."""
    anytime: Mapping[type[Command], Decision] = field(default_factory=dict)
    """Decisions available with or without an open conflict."""


class _Questions(_Outside, frozen=True, kw_only=True):
    """Fields of `System` for games with rule questions, or with numbers that a ruling may set."""

    pending: Callable[[Table, OpenConflict], tuple[Question, ...]] = lambda _table, _conflict: ()
    """Pending questions of a conflict."""
    questions: frozenset[str] = frozenset()
    """Names of the questions that `pending` and `waiting` may return: `expect pending` takes no other word.

    Empty in a guest: it then takes any word.
    """
    answer: Callable[[Situation, RulingMade], list[Event]] = _unanswered
    """Returns the events that follow an answered question."""
    waiting: Callable[[Table], tuple[Question, ...]] = lambda _table: ()
    """Open matters outside conflicts that block nothing; own verbs answer them, not rulings."""
    set_number: Callable[[Situation, RulingMade], list[Event]] = _unanswered
    """Returns the events of a ruling that sets numbers, or refuses."""
    reminds: Callable[[Table, Iterable[Event]], Iterable[str]] = lambda _table, _events: ()
    """Reminders about recent events that lack words, each given once."""
    doubts: Callable[[Table, Command], Iterable[str]] = lambda _table, _command: ()
    """Questions that a user who can be asked answers with yes before the command is recorded."""
    ruled_people: frozenset[str] = frozenset()
    """Ruling keys with a person as value (`Bolt.engage=Dov`), stored by id."""


COINS: Final = frozenset(
    {
        *(
            "cash",
            "coin",
            "coins",
            "copper",
            "credits",
            "crowns",
            "dollars",
            "electrum",
            "gold",
            "money",
            "platinum",
        ),
        *("pounds", "silver", "cp", "ep", "gp", "pp", "sp"),
    }
)
"""Words for money: counters from 0 without an end, which any person may have in any game."""
GOODS: Final = frozenset({"arrows", "bolts", "bullets", "darts", "potions", "rations", "torches"})
"""Words for things that are counted: counters of every game, as money is."""
COUNTED: Final = COINS | GOODS | {"level", "xp"}
"""Words for counters that any person may have in any game: money, goods, and what is learned."""
SKILLS: Final[Mapping[str, str]] = {
    "athletics": "str",
    **dict.fromkeys(("acrobatics", "sleight", "sleight of hand", "stealth", "thieves tools"), "dex"),
    **dict.fromkeys(("arcana", "history", "investigation", "nature", "religion"), "int"),
    **dict.fromkeys(("animal handling", "insight", "medicine", "perception", "survival"), "wis"),
    "concentration": "con",
    **dict.fromkeys(("deception", "intimidation", "performance", "persuasion"), "cha"),
}
"""Skills of games with six abilities, with the ability that each is rolled with if a sheet lacks it."""
HIGHEST_MODIFIER: Final = 5
"""Modifier of the best ability that a character begins with: a higher number may be the ability's score."""


def modifier_of(score: int) -> int:
    """Returns the modifier of an ability score: 3 for 16 and 17."""
    return (score - 10) // 2


NAMED_ROLL: Final = re.compile(rf"{'|'.join(SKILLS)}|(?:\w+ )?save", re.IGNORECASE)
"""Text of a roll that only names it: a skill, or a save."""


class ReadyGame(Struct, frozen=True):
    """A game that a campaign may choose by its name."""

    name: str
    title: str
    about: str
    """What it is, in a few words."""


class _Words(_Questions, frozen=True, kw_only=True):
    """Fields of `System` that help users type commands: suggestions, named things, checkable facts."""

    titled: Callable[[Table], str] | None = None
    """Title of the game at a table, if it differs from `title`."""
    named: Callable[[Table], str] | None = None
    """Name of the game at a table, if it differs from `name`; empty before a game is chosen."""
    author: str = ""
    """Who wrote the game's rules, for the imprint of a book."""
    licence: str = ""
    """Licence of the game's rules in a few words, for the imprint of a book: `CC BY-SA 4.0`."""
    credited: Callable[[Table], Credit] | None = None
    """Title, author and licence of the game at a table, if they differ from the fields of these names."""
    page: Callable[[str], str | None] = lambda _name: None
    """What help says, as Markdown, of one of several games that are played by it: by the name of one that
    comes with it, or by what the record keeps of one; None for any other word."""
    ready: Callable[[], Iterable[ReadyGame]] = lambda: ()
    """Games that are played by it and come with it."""
    things: Callable[[Table, OpenConflict | None], Mapping[str, tuple[str, ...]]] = lambda *_: {}
    """Nameable things beside people: zones, borders, aspects; each by its one name.

    With each stand the things it is called after, as a border is after two zones: a word that may be short
    for one of those or for it means the first.
    """
    shorthands: Callable[[Table], Mapping[str, type[Command]]] = lambda _table: {}
    """Words that begin a line of a verb here, where the verb takes them after the first name."""
    moves: Callable[[Table], Collection[str]] = lambda _table: ()
    """Words that `roll` takes here after the roller's name: `roll Thia attack`."""
    counts: tuple[str, ...] = ()
    """Numbers that play changes and that are not rolled, in normalised words: `hp Irena -2` is a ruling on
    them.
    """
    ruled: Mapping[str, str] = {}
    """Keys of rulings that change a row of the board, by its name or its picture; {what} is its name."""
    harmed: Callable[[Table], Mapping[str, int]] = lambda _table: {}
    """Tracks that harm goes to, each with -1 if harm makes it smaller and 1 if it makes it larger."""
    keeps: type[Command] | None = None
    """Command that stores an amount of anything for a person: `track Thia hp 9/12`.

    Its fields are `who`, `track` and `value`; a word for it in `shorthands` may be a key of `cast`: `hp=12`.
    """
    plainly: Callable[[Table], Table] | None = None
    """Copy of a table without states of people which dice are read; None if there are none.

    A line is asked about if its typed results could be read at both tables, and as other dice.
    """
    hides_numbers: Callable[[Table], bool] = lambda _table: False
    """True if players are not shown the numbers of opponents, unless the table chooses otherwise."""
    without_numbers: Callable[[Table, Event, Collection[int], Callable[[], object]], Event] = (
        lambda _table, event, _people, _after: event
    )
    """Event without the numbers of these opponents; the last argument returns what was recorded next."""
    outlook: Callable[[Situation], Outlook | UntriedOutlook | None] = lambda _situation: None
    """Possible choices now, in or outside conflicts, with their numbers; the house tries trials."""
    rolls: Callable[[Situation, int], Iterable[OwnRoll]] = lambda *_: ()
    """Possible rolls of a person, in turn or not; the rules may still refuse one."""
    suggest: Callable[[Table, OpenConflict | None, Blank], Iterable[Suggestion]] = lambda *_: ()
    """The game's suggestions for a blank of a line, best first."""
    pack: Callable[[Table], tuple[str, ...]] = lambda _table: ()
    """Full deck before the first draw; empty if cards are never called out by name."""
    facts: Mapping[str, Fact] = field(default_factory=dict)
    """Subjects that `expect` can check."""


class _Past(_Words, frozen=True, kw_only=True):
    """Fields of `System` for games whose stored event kinds have changed their payload."""

    upcasts: Mapping[str, Upcast] = field(default_factory=dict)
    """From an old stored name of its kinds to the next one, and the change of payload between them."""


class System(_Past, frozen=True, kw_only=True):
    """One game: its verbs, events, decisions, handlers and texts.

    The fields up to `shelf` are needed, all others optional.
    """

    @cached_property
    def says(self) -> Mapping[str, type[Command]]:
        """The game's command classes by verb, and by the verb's short forms."""
        return {word: command for command in self.commands for word in (command.verb, *command.short)}

    @cached_property
    def verbs(self) -> tuple[type[Command], ...]:
        """Command classes of the game's own verbs; its versions of shared verbs are left out."""
        return tuple(command for command in self.commands if extended(command) is None)

    def called(self, table: Table) -> str:
        """Returns the game's title at this table; for a homebrew game, the title in its game file."""
        return self.title if self.titled is None else self.titled(table)

    def name_at(self, table: Table) -> str:
        """Returns the game's name at this table: of a game in a file, the one that `game NAME` takes.

        Empty if the table has chosen none.
        """
        return self.name if self.named is None else self.named(table)

    def credit(self, table: Table) -> Credit:
        """Returns title, author and licence of the game at this table (homebrew: of the game in its file)."""
        if self.credited is not None:
            return self.credited(table)
        return Credit(self.called(table), self.author, self.licence)

    def takes(self, command: type[Command]) -> type[Command]:
        """Returns the game's own class for a shared command class; without one, `command` itself."""
        own = self.says.get(command.verb)
        shared = None if own is None else extended(own)
        return command if own is None or shared is None or not issubclass(command, shared) else own


def question_with_answers(table: Table, question: Question) -> str:
    """Returns a question's text followed by its allowed answers, such as `Answer with: Zel, Dov`."""
    answers = [table.name(answer) if isinstance(answer, int) else answer for answer in question.answers]
    return f"{question.asked} Answer with: {', '.join(answers)}." if answers else question.asked


def unresolved(table: Table, systems: Mapping[str, System]) -> tuple[Question, ...]:
    """Returns the questions that wait for an answer outside conflicts, in the games with state at this table.

    Struck narrations that must be told again come last.
    """
    asked = (question for name in table.shelves for question in systems[name].waiting(table))
    return (*asked, *(_retelling_question(table, who) for who in narrators_struck(table)))


def narrators_struck(table: Table) -> tuple[int, ...]:
    """Returns the ids of people whose narration was struck and must be told again.

    Narrations of open conflicts are left out.
    """
    return tuple(
        who
        for who, narration in table.narrations.items()
        if narration.struck and narration.conflict not in table.conflicts
    )


NARRATION: Final = "narration"
"""Name of the question for a narration that was struck, in every game."""


def _retelling_question(table: Table, who: int) -> Question:
    name = table.name(who)
    asked = f"{possessive(name)} narration was struck: {name} tells it anew (narrate {quoted(name)}: …)."
    return Question(NARRATION, asked, (), None, blocks=False)


def games_played(table: Table, systems: Mapping[str, System]) -> list[System]:
    """Returns the games played at this table, without games that only keep some state in its record."""
    return [system for system in map(systems.__getitem__, table.shelves) if system.plays(table)]


def system_meant(
    table: Table, systems: Mapping[str, System], conflict: OpenConflict | None, named: str | None
) -> System | None:
    """Returns the game called `named`, else the conflict's, else the campaign's, else the only game played.

    None if no game is named or chosen for the campaign, and several or none are played.
    """
    named = conflict.system if named is None and conflict is not None else named
    if named is not None:
        return systems[named]
    known = games_played(table, systems)
    return systems.get(of_the_table(table, GAME)) or (known[0] if len(known) == 1 else None)


S = TypeVar("S")
P = TypeVar("P")


class StateAccess(Generic[S, P]):
    """Typed access to one game's state at a table (its shelf) and to the states of its conflicts."""

    def __init__(
        self, game: str, shelf: type[S], play: type[P], empty: Callable[[Table], S] | None = None
    ) -> None:
        """Takes the game's name and the classes of its state (`shelf`) and of its conflicts' state (`play`).

        `empty` builds the initial state of a table, if it depends on the table's options.
        """
        self._game, self._shelf, self._play = game, shelf, play
        self._empty = empty or (lambda _table: shelf())

    def shelf(self, table: Table) -> S:
        """Returns the game's state at `table`, for reading; an empty state if the game was never played."""
        found = table.shelves.get(self._game)
        if found is None:
            return self._empty(table)
        assert isinstance(found, self._shelf)  # noqa: S101 -- the name is the game's alone
        return found

    def own(self, table: Table) -> S:
        """Returns the game's state at `table` for event handlers to change; stores an empty one first."""
        if self._game not in table.shelves:
            table.shelves[self._game] = self._empty(table)
        return self.shelf(table)

    def play(self, conflict: OpenConflict) -> P:
        """Returns the state of an open conflict of this game, as set by the handler of its opening."""
        assert isinstance(conflict.state, self._play)  # noqa: S101 -- no other game sees this conflict
        return conflict.state

    def play_in(self, table: Table, conflict: int | None) -> P:
        """Returns the state of this game's open conflict with the id `conflict`."""
        return self.play(table.conflicts[conflict or 0])


UNBOUND: Final = frozenset(
    {
        *(
            e.SheetChanged,
            e.PlayerSeated,
            e.SessionOpened,
            e.SessionClosed,
            e.CastIntroduced,
            e.OptionSet,
            e.DeckShuffled,
        ),
        *(e.CompelOffered, e.CompelAccepted, e.CompelRefused),
    }
)
"""Shared events that belong to no conflict: every system in play that has a handler for one hears it."""

HEARD: Final = frozenset(
    kind for kind in e.SHARED if kind in UNBOUND or "conflict" in kind.__struct_fields__
) - {e.ConflictEnded}
"""Shared events that a game's `evolve` may handle; when a conflict has ended, its state is gone already."""

_SHARED_HANDLERS: Final[Mapping[type[Event], Handler]] = {
    kind: shared.EVOLVE[kind] for kind in (e.Joined, e.Left, e.OptionSet)
}
"""Table handlers of shared events that a game's handlers rely on."""


def situation_after(situation: Situation, events: Iterable[Event], game: str) -> Situation:
    """Returns a copied situation in which one game's `events` have happened.

    Only that game's state is copied; the state of other games stays shared with the original table.
    """
    table = _separated(situation.table, game, situation.copies)
    apply_events(table, events, situation.systems[game].evolve)
    conflict = None if situation.conflict is None else table.conflicts[situation.conflict.id]
    return replace(situation, table=table, conflict=conflict, copies=None)


def advanced(situation: Situation, events: Iterable[Event], game: str) -> Situation:
    """Applies `events` to the table of a situation, which is changed in place, and returns that situation.

    The situation must come from `situation_after`, which has copied the table.
    """
    apply_events(situation.table, events, situation.systems[game].evolve)
    return situation


def separate_table(table: Table, game: str) -> Table:
    """Returns a copy of the table state in which one game's state, conflicts and options may be changed.

    All else is shared with the original.
    """
    return _separated(table, game, None)


def _separated(table: Table, game: str, copies: StateCopies | None) -> Table:
    ours = {conflict.id: conflict for conflict in table.conflicts.values() if conflict.system == game}
    own = {game: table.shelves[game]} if game in table.shelves else {}
    changing = ours, own, table.options
    conflicts, shelves, options = copied(changing) if copies is None else copies.copy(game, changing)
    return replace(
        table,
        conflicts={**table.conflicts, **conflicts},
        shelves={**table.shelves, **shelves},
        options=options,
    )


def apply_events(table: Table, events: Iterable[Event], evolve: Mapping[type[Event], Handler]) -> None:
    """Changes a copied table by `events`, with the handlers `evolve` of one game.

    Of the table's own handlers, those for joining, leaving and options run first.
    """
    for event in events:
        for handlers in (_SHARED_HANDLERS, evolve):
            if type(event) in handlers:
                handlers[type(event)](table, event)
