"""What a system is: the words it adds, what it decides, and how its events change the table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from typing import Any, Final, Generic, NamedTuple, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from journal import table as shared
from journal.capabilities import Blank, InOrder, Outlook, OwnRoll, Suggestion
from journal.copying import copied
from journal.decks.chance import Luck
from journal.names import quoted
from journal.options import Option
from journal.refused import Refused
from journal.state_copies import StateCopies
from journal.table import Handler, OpenConflict, Table
from journal.visibility import TABLE, VisibleTo
from journal.vocabulary import events as e
from journal.vocabulary.base import Command, Event, Question, Value, fields_of
from journal.vocabulary.commands import extended
from journal.vocabulary.events import ConflictOpened, Joined, Left, OptionSet, RulingMade


class SheetKey(NamedTuple):
    """A key of a sheet, as it is typed; a part in capitals stands for any name."""

    key: str
    about: str
    example: str
    """Key and value as they may be typed: `tl=3`."""
    least: int | None = None
    most: int | None = None
    """The range of a number; None where a number has no such end."""
    words: tuple[str, ...] = ()
    """The words that may be its value, where no others may."""
    form: str = ""
    """How its value is written, where it is neither one of these words nor a number of a range."""

    @property
    def takes(self) -> str:
        """What its value may be, in short: `0 to 20`, or `leader, member`."""
        if self.words:
            return ", ".join(self.words)
        if self.least is None:
            return self.form
        return f"{self.least} or more" if self.most is None else f"{self.least} to {self.most}"


class Count(NamedTuple):
    """Which of its turns a conflict is in, and what the game calls one: `round 2`."""

    what: str
    number: int

    def __str__(self) -> str:
        return f"{self.what} {self.number}"


class Fact(NamedTuple):
    """Something `expect` can ask of a table: who it is about, if anybody, and the values it has now."""

    of_person: bool
    read: Callable[[Table, OpenConflict | None, int | None], tuple[str, ...]]
    about: str
    keys: Callable[[Table, OpenConflict | None, int | None], Iterable[str]] | None = None
    """Every word that may be asked for, where the values come in groups begun by one: a track, its boxes."""
    lone: bool = False
    """True where nobody need be named, for there is only one: the open roll."""
    whether: bool = False
    """True where somebody's name alone asks whether there is any value: `stopped Ann` is, by anybody."""


class Situation(Struct, frozen=True):
    """What a decision may look at: the table as it stands, the conflict spoken to, and luck."""

    table: Table
    luck: Luck
    systems: Mapping[str, System]
    conflict: OpenConflict | None = None
    moulds: StateCopies | None = None
    """Those of this very table, where it stays as it is while many decisions look at it."""
    visible_to: VisibleTo = TABLE
    """Who may know of what is decided."""

    @property
    def here(self) -> OpenConflict:
        """The conflict spoken to; the router has made sure there is one."""
        assert self.conflict is not None  # noqa: S101 -- a router's promise, not input
        return self.conflict

    @property
    def where(self) -> int | None:
        """The conflict spoken to, by its number, as events have it; None outside any."""
        return None if self.conflict is None else self.conflict.id

    def where_in(self, game: str) -> int | None:
        """The same for a conflict of that game; None in another's."""
        return None if self.conflict is None or self.conflict.system != game else self.conflict.id

    def name(self, person: int) -> str:
        """What `person` is called, for a sentence."""
        return self.table.name(person)

    def quoted(self, person: int) -> str:
        """What `person` is called, for a line that a sentence proposes."""
        return self.table.quoted(person)

    def names(self, people: Iterable[int]) -> str:
        """What these people are called, each once, for a sentence."""
        return ", ".join(dict.fromkeys(map(self.name, people)))

    def questions(self) -> tuple[Question, ...]:
        """Everything pending at this table, conflict by conflict."""
        return tuple(
            question
            for conflict in self.table.conflicts.values()
            for question in self.systems[conflict.system].pending(self.table, conflict)
        )

    def nothing_pending(self, conflict: OpenConflict | None = None) -> None:
        """Refuses while a question that stops play is open, in `conflict` or anywhere."""
        for question in self.questions():
            if question.blocks and conflict in (None, self.table.conflicts.get(question.conflict or 0)):
                if not question.answers:
                    raise Refused(question.asked)
                raise Refused(
                    f"{question_with_answers(self.table, question)} Rule on that first (ruling ANSWER: why)."
                )


Upcast = tuple[str, Callable[[dict[str, Any]], dict[str, Any]]]
"""A stored name, and what brings the payload of the one before it into its shape."""

Decision = Callable[[Situation, Any], list[Event]]
"""From a command to what happens, or `Refused`; the command's class is the key it stands under."""


def _title(situation: Situation) -> str:
    return situation.systems[situation.here.system].title


def _no_way_in(situation: Situation, _joined: Joined) -> list[Event]:
    raise Refused(f"{_title(situation)} lets nobody into an open conflict.")


def _no_way_out(situation: Situation, _left: Left) -> list[Event]:
    raise Refused(f"{_title(situation)} lets nobody out of an open conflict.")


def _unanswered(_situation: Situation, _ruling: RulingMade) -> list[Event]:
    raise Refused("This game has nothing that a ruling answers or sets.")


def _no_sheet(key: str, value: str) -> tuple[str, int | str]:
    raise Refused(f"No sheet is kept in this game, so there is no {key}={value}.")


def _nothing(*_asked: object) -> list[Event]:
    return []


def _comes_in(_situation: Situation, opened: ConflictOpened) -> list[Event]:
    return [opened]


class _Required(Struct, frozen=True, kw_only=True, dict=True):
    """What every game has."""

    name: str
    """Its folder, the first word of its options, and what `conflict` calls it."""
    title: str
    about: str
    commands: tuple[type[Command], ...]
    """What it brings: verbs of its own, and shared ones in a form of its own, which are made from those."""
    events: tuple[type[Event], ...]
    decide: Mapping[type[Command], Decision]
    """What it decides in a conflict of its own: its verbs, and the shared ones it answers itself."""
    evolve: Mapping[type[Event], Handler]
    """What its own and the shared events change for it; with an opening it sets the conflict's state."""
    shelf: Callable[[], object]
    """What outlives a conflict, empty."""


class _Sheets(_Required, frozen=True, kw_only=True):
    """For a game that keeps a sheet of somebody."""

    read_sheet: Callable[[str, str], tuple[str, int | str]] = _no_sheet
    """A sheet's key and typed value made regular, or `Refused`."""
    fits: Callable[[Situation, Mapping[str, Value | None]], None] = lambda _situation, _values: None
    """Refuses what may not stand on a sheet at this table, though each key is well written."""
    sheet: tuple[SheetKey, ...] = ()
    """Every key a sheet knows; none where nothing is kept of anybody."""
    mistaken: Mapping[str, str] = field(default_factory=dict)
    """Words that are typed as a key where another is meant, and that other (`level`, for `tl`)."""
    person_keys: frozenset[str] = frozenset()
    """The keys of a sheet, and of a conflict's set-up, whose value is somebody."""
    loose_keys: bool = False
    """True where any key may stand on a sheet (a skill or a trait has no fixed list)."""
    number: Callable[[Table, int, str], int | None] = lambda _table, _person, _name: None
    """A number of somebody's sheet, as dice add it by its name; None where there is none of that name."""
    knows: Callable[[Table, int], bool] = lambda _table, _person: True
    """True if somebody has a sheet here: tells apart systems that decide one verb at any time."""


class _Conflicts(_Sheets, frozen=True, kw_only=True):
    """For a game whose conflicts are set up, joined, left or ended in a way of their own."""

    setup_keys: Mapping[str, str] = field(default_factory=dict)
    """The keys `conflict` takes here, each with its form."""
    open: Callable[[Situation, ConflictOpened], list[Event]] = _comes_in
    """Checks a conflict about to open, or refuses; returns what happens with the opening."""
    join: Callable[[Situation, Joined], list[Event]] = _no_way_in
    """Checks people about to come into the conflict spoken to, or refuses; returns what happens with it.

    The joining stands first. The situation knows newcomers by name; its conflict is as it was before them.
    """
    leave: Callable[[Situation, Left], list[Event]] = _no_way_out
    """Checks people about to leave the conflict spoken to, or refuses; returns what happens with it.

    What it costs stands before the leaving, what it frees after it, and last the end of the conflict where
    that leaves nobody to go on with (`journal/shared/conflicts.py`: `without_them`).
    """
    close: Callable[[Situation, str], list[Event]] = _nothing
    """What happens when the conflict spoken to ends in the way named; refuses if it may not."""
    turn: Callable[[Table, OpenConflict], str] = lambda _table, _conflict: "open"
    """Where the conflict stands, in a few words for a toolbar."""
    count: Callable[[OpenConflict], Count | None] = lambda _conflict: None
    """Which turn of the conflict it is, by whatever the game counts; None while it counts none."""
    order: Callable[[Table, OpenConflict], tuple[InOrder, ...]] = lambda _table, _conflict: ()
    """Everybody in the order in which they go, once there is one."""
    seals: Callable[[Table], bool] = lambda _table: False
    """True where an act is declared face down, whether or not the line says so."""


class _Outside(_Conflicts, frozen=True, kw_only=True):
    """For a game that has options, or goes on between conflicts: with an evening, by verbs at any time."""

    options: tuple[Option, ...] = ()
    chosen: Callable[[Situation, OptionSet], list[Event]] = _nothing
    """What follows at once where one of its options is chosen."""
    plays: Callable[[Table], bool] = lambda _table: True
    """True where a table with a shelf of this game plays it, and does not only keep something there."""
    unnamed: bool = False
    """True for the one game that is meant where nobody has said which."""
    session: Callable[[Situation], list[Event]] = _nothing
    """What happens in this system when an evening begins."""
    anytime: Mapping[type[Command], Decision] = field(default_factory=dict)
    """What it decides whether a conflict is open or not."""


class _Questions(_Outside, frozen=True, kw_only=True):
    """For a game that leaves something to the table, or in which a ruling sets numbers."""

    pending: Callable[[Table, OpenConflict], tuple[Question, ...]] = lambda _table, _conflict: ()
    """The questions that are open in a conflict."""
    answer: Callable[[Situation, RulingMade], list[Event]] = _unanswered
    """What an answered question frees."""
    waiting: Callable[[Table], tuple[Question, ...]] = lambda _table: ()
    """What is open outside any conflict, and stops nothing there: its own verbs answer it, and no ruling."""
    set_number: Callable[[Situation, RulingMade], list[Event]] = _unanswered
    """What a ruling that sets numbers comes to, or `Refused`."""
    reminds: Callable[[Table, Iterable[Event]], Iterable[str]] = lambda _table, _events: ()
    """What of these events, which have just happened, wants words that nobody has said: asked for once."""
    ruled_people: frozenset[str] = frozenset()
    """What a ruling sets whose value is somebody (`Bolt.engage=Dov`), and is kept by id."""


class _Words(_Questions, frozen=True, kw_only=True):
    """For a game that helps with its lines: what may be said, what may be named, what may be asked."""

    titled: Callable[[Table], str] | None = None
    """What it is called at a table, where that is not its title."""
    page: Callable[[str], str | None] = lambda _name: None
    """What help says, as Markdown, of one of several games that are played by it: by the name of one that
    comes with it, or by what the record keeps of one; None for any other word."""
    things: Callable[[Table, OpenConflict | None], Mapping[str, tuple[str, ...]]] = lambda *_: {}
    """What can be named in play beside people: zones, borders, aspects; each by its one name.

    With each stand the things it is called after, as a border is after two zones: a word that may be short
    for one of those or for it means the first.
    """
    shorthands: Callable[[Table], Mapping[str, type[Command]]] = lambda _table: {}
    """Words that begin a line of a verb here, where the verb takes them after the first name."""
    moves: Callable[[Table], Collection[str]] = lambda _table: ()
    """Words that `roll` takes here after the name of whoever rolls: `roll Thia attack`."""
    keeps: type[Command] | None = None
    """The verb by which how much there is of anything is kept of somebody: `track Thia hp 9/12`."""
    outlook: Callable[[Situation], Outlook | None] = lambda _situation: None
    """What may be said now, in the conflict spoken to or outside any, with the numbers it would come to."""
    rolls: Callable[[Situation, int], Iterable[OwnRoll]] = lambda *_: ()
    """What somebody may roll for, whoever's turn it is; the rules may refuse it yet."""
    suggest: Callable[[Table, OpenConflict | None, Blank], Iterable[Suggestion]] = lambda *_: ()
    """What this game knows that may fill a blank of a line, best first; nothing where others know better."""
    pack: Callable[[Table], tuple[str, ...]] = lambda _table: ()
    """Every card of a deck nobody has drawn from yet; none where cards are not called out by name."""
    facts: Mapping[str, Fact] = field(default_factory=dict)
    """What `expect` may ask, by subject."""


class _Past(_Words, frozen=True, kw_only=True):
    """For a game whose kinds had another shape before."""

    upcasts: Mapping[str, Upcast] = field(default_factory=dict)
    """From an old stored name of its kinds to the next one, and the change of payload between them."""


class System(_Past, frozen=True, kw_only=True):
    """One game, as the house sees it: what is `_Required`, and of the rest only what it has."""

    @cached_property
    def says(self) -> Mapping[str, type[Command]]:
        """What it brings by verb and short form."""
        return {word: one for one in self.commands for word in (one.verb, *one.short)}

    @cached_property
    def verbs(self) -> tuple[type[Command], ...]:
        """The verbs of its own, without its forms of shared ones."""
        return tuple(one for one in self.commands if extended(one) is None)

    def called(self, table: Table) -> str:
        """What readers are told that this table plays."""
        return self.title if self.titled is None else self.titled(table)

    def takes(self, command: type[Command]) -> type[Command]:
        """How a command is said here: in this game's form of that shared verb, if it has one."""
        own = self.says.get(command.verb)
        shared = None if own is None else extended(own)
        return command if own is None or shared is None or not issubclass(command, shared) else own


def question_with_answers(table: Table, question: Question) -> str:
    """A question, with the answers it takes, as a sentence."""
    answers = [table.name(answer) if isinstance(answer, int) else answer for answer in question.answers]
    return f"{question.asked} Answer with: {', '.join(answers)}." if answers else question.asked


def unresolved(table: Table, systems: Mapping[str, System]) -> tuple[Question, ...]:
    """Everything that is open outside the conflicts, in the games that were played at this table."""
    asked = (question for name in table.shelves for question in systems[name].waiting(table))
    return (*asked, *(_told_anew(table, who) for who in narrators_struck(table)))


def narrators_struck(table: Table) -> tuple[int, ...]:
    """Whose narration was struck and is of no open conflict: nobody has told it anew this evening."""
    return tuple(
        who for who, one in table.narrations.items() if one.struck and one.conflict not in table.conflicts
    )


def _told_anew(table: Table, who: int) -> Question:
    name = table.name(who)
    asked = f"{name}'s narration was struck: {name} tells it anew (narrate {quoted(name)}: …)."
    return Question("narration", asked, (), None, blocks=False)


def games_played(table: Table, systems: Mapping[str, System]) -> list[System]:
    """The games played at this table; one that only keeps something there is none of them."""
    return [system for system in map(systems.__getitem__, table.shelves) if system.plays(table)]


def system_meant(
    table: Table, systems: Mapping[str, System], conflict: OpenConflict | None, named: str | None
) -> System | None:
    """The system meant: the one named, else that of the conflict spoken to, else the only one played."""
    named = conflict.system if named is None and conflict is not None else named
    if named is not None:
        return systems[named]
    known = games_played(table, systems)
    return known[0] if len(known) == 1 else None


S = TypeVar("S")
P = TypeVar("P")


class StateAccess(Generic[S, P]):
    """Where one game's shelf and the states of its conflicts are found."""

    def __init__(
        self, game: str, shelf: type[S], play: type[P], empty: Callable[[Table], S] | None = None
    ) -> None:
        """`empty` makes the shelf of a table that never played it, where that hangs on its options."""
        self._game, self._shelf, self._play = game, shelf, play
        self._empty = empty or (lambda _table: shelf())

    def shelf(self, table: Table) -> S:
        """What the game keeps on this table, to be read; an empty shelf where it was never played."""
        found = table.shelves.get(self._game)
        if found is None:
            return self._empty(table)
        assert isinstance(found, self._shelf)  # noqa: S101 -- the name is the game's alone
        return found

    def own(self, table: Table) -> S:
        """The shelf for the fold to change, put up when it is first needed."""
        if self._game not in table.shelves:
            table.shelves[self._game] = self._empty(table)
        return self.shelf(table)

    def play(self, conflict: OpenConflict) -> P:
        """The state of a conflict of this game, of the kind that was set when it opened."""
        assert isinstance(conflict.state, self._play)  # noqa: S101 -- no other game sees this conflict
        return conflict.state

    def play_in(self, table: Table, conflict: int | None) -> P:
        """The state of the conflict of that number, which is one of this game's."""
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

HEARD: Final = frozenset(kind for kind in e.SHARED if kind in UNBOUND or "conflict" in fields_of(kind)) - {
    e.ConflictEnded
}
"""Shared events that a game's `evolve` may handle; when a conflict has ended, its state is gone already."""

_SHARED_HANDLERS: Final[Mapping[type[Event], Handler]] = {
    kind: shared.EVOLVE[kind] for kind in (e.Joined, e.Left, e.OptionSet)
}
"""What of the shared words changes sides or options, before the game hears of it."""


def situation_after(situation: Situation, events: Iterable[Event], game: str) -> Situation:
    """The situation as that game will find it once these have happened, a value of its own.

    What other games keep is as it was, and shared with the table now.
    """
    table = separate_table(situation.table, game, situation.moulds)
    apply_events(table, events, situation.systems[game].evolve)
    conflict = None if situation.conflict is None else table.conflicts[situation.conflict.id]
    return replace(situation, table=table, conflict=conflict, moulds=None)


def advanced(situation: Situation, events: Iterable[Event], game: str) -> Situation:
    """A situation that is a value of its own already, brought on by these."""
    apply_events(situation.table, events, situation.systems[game].evolve)
    return situation


def separate_table(table: Table, game: str, moulds: StateCopies | None = None) -> Table:
    """A table of its own for that game to change: its shelf, its conflicts and what is chosen.

    `moulds` are those of this very table.
    """
    ours = {one.id: one for one in table.conflicts.values() if one.system == game}
    own = {game: table.shelves[game]} if game in table.shelves else {}
    changing = ours, own, table.options
    conflicts, shelves, options = copied(changing) if moulds is None else moulds.copy(game, changing)
    return replace(
        table,
        conflicts={**table.conflicts, **conflicts},
        shelves={**table.shelves, **shelves},
        options=options,
    )


def apply_events(table: Table, events: Iterable[Event], evolve: Mapping[type[Event], Handler]) -> None:
    """Changes a table that was set apart as these events do in the game that evolves it so."""
    for event in events:
        for handlers in (_SHARED_HANDLERS, evolve):
            if type(event) in handlers:
                handlers[type(event)](table, event)
