"""Events shared by every game."""

from __future__ import annotations

from typing import ClassVar, Literal

from journal.visibility import is_secret_number
from journal.vocabulary.base import (
    Anywhere,
    Event,
    Id,
    InConflict,
    Part,
    PersonAnywhere,
    PersonInConflict,
    Value,
    Whole,
    Words,
    kinds,
    person_subject,
    sheet_subject,
)

Sides = tuple[tuple[Id, ...], ...]

# --- the campaign and its lines ---------------------------------------------------------------------------


class CampaignBegun(Event):
    """First event of a campaign: 128 random bits, and the commitment to a seed if it deals from one."""

    kind: ClassVar[str] = "table.campaign-begun"
    campaign: str
    format: Id
    seed: str | None = None


class CampaignNamed(Event):
    """Campaign given a title."""

    kind: ClassVar[str] = "table.campaign-named"
    title: Words
    text: Words | None = None


class Forked(Event):
    """First event of branch `line`, which shares events up to position `at` of line `parent`."""

    kind: ClassVar[str] = "table.forked"
    line: Id
    parent: Id
    at: Id
    parent_hash: str
    name: Words
    why: Words | None = None


class Promoted(Event):
    """Line made the mainline in place of line `was`."""

    kind: ClassVar[str] = "table.promoted"
    was: Id


class Retired(Event):
    """Line given up as mainline: play continues on line `by`."""

    kind: ClassVar[str] = "table.retired"
    by: Id


class LineShown(Event):
    """Branch made visible to the table, or to the people in `to`."""

    kind: ClassVar[str] = "table.line-shown"
    to: tuple[Id, ...] | None = None


class Undone(Event):
    """Acts from position `first` to `last` undone."""

    kind: ClassVar[str] = "table.undone"
    first: Id
    last: Id


class Redone(Event):
    """Acts from position `first` to `last` redone."""

    kind: ClassVar[str] = "table.redone"
    first: Id
    last: Id


class Reworded(Event):
    """Words number `word` (from 0) of the event at position `about` replaced by `text`."""

    kind: ClassVar[str] = "table.reworded"
    only_words: ClassVar[bool] = True
    about: Id
    word: Id
    text: Words


class Redacted(Event):
    """Words of the event at position `about` erased for good."""

    kind: ClassVar[str] = "table.redacted"
    only_words: ClassVar[bool] = True
    about: Id
    words: tuple[Id, ...]
    text: Words | None = None


class Revealed(Event):
    """Hidden event at position `about` revealed to the table, or to the people in `to`."""

    kind: ClassVar[str] = "table.revealed"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"to"})
    only_words: ClassVar[bool] = True
    about: Id
    to: tuple[Id, ...] | None = None


class Shown(Event):
    """Hidden event at position `about` shown to the table because `person` acted in the open.

    With `sheet` that is a part of their sheet. Unlike `Revealed`, an undo takes it back.
    """

    kind: ClassVar[str] = "table.shown"
    about: Id
    person: Id
    sheet: bool = False


class Marked(Event):
    """Moment named: position `at`, or the one before this event."""

    kind: ClassVar[str] = "table.marked"
    only_words: ClassVar[bool] = True
    name: Words
    at: Id
    text: Words | None = None


# --- people -----------------------------------------------------------------------------------------------


class CastIntroduced(Event):
    """Person introduced to the record under a new id."""

    kind: ClassVar[str] = "table.cast-introduced"
    hideable: ClassVar[bool] = True
    person: Id
    name: Words
    role: Literal["character", "player", "side"] = "character"
    text: Words | None = None

    def subjects(self) -> tuple[str, ...]:
        """Subject of the person."""
        return (person_subject(self.person),)


class AliasGiven(Event):
    """Person given an additional name."""

    kind: ClassVar[str] = "table.alias-given"
    hideable: ClassVar[bool] = True
    person: Id
    alias: Words


class Renamed(Event):
    """Person renamed."""

    kind: ClassVar[str] = "table.renamed"
    hideable: ClassVar[bool] = True
    person: Id
    name: Words


class Described(Event):
    """Person's identifying phrase set."""

    kind: ClassVar[str] = "table.described"
    hideable: ClassVar[bool] = True
    person: Id
    text: Words


class PlayerSeated(Event):
    """Player seated: `player` plays `person`; `text` gives the reason for a change of player."""

    kind: ClassVar[str] = "table.player-seated"
    hideable: ClassVar[bool] = True
    person: Id
    player: Id
    text: Words | None = None

    def subjects(self) -> tuple[str, ...]:
        """Subject of a secret person, since their player is as secret as they are; empty for others."""
        return (person_subject(self.person),) if is_secret_number(self.person) else ()


class Merged(Event):
    """Two people merged: `person` continues as `into`; the text becomes their identifying phrase."""

    kind: ClassVar[str] = "table.merged"
    person: Id
    into: Id
    text: Words | None = None


class PersonRetired(Event):
    """Person retired: no longer played, but still in the cast."""

    kind: ClassVar[str] = "table.person-retired"
    person: Id
    text: Words | None = None


class PersonReturned(Event):
    """Retired person played again."""

    kind: ClassVar[str] = "table.person-returned"
    person: Id


class SheetChanged(Event):
    """Values of a person's sheet in one system changed; None removes a key.

    `text` is what was said of the change.
    """

    kind: ClassVar[str] = "table.sheet-changed"
    hideable: ClassVar[bool] = True
    person: Id
    system: str
    values: dict[str, Value | None]
    text: Words | None = None

    def subjects(self) -> tuple[str, ...]:
        """Subject of the sheet."""
        return (sheet_subject(self.system, self.person),)


# --- evenings and scenes ----------------------------------------------------------------------------------


class SessionOpened(Event):
    """Session begun. `session` counts from 1; `date` is the day played, as YYYY-MM-DD."""

    kind: ClassVar[str] = "table.session-opened"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"absent"})
    session: Id
    title: Words | None = None
    date: str | None = None
    absent: tuple[Id, ...] = ()
    text: Words | None = None


class SessionClosed(Event):
    """Session ended."""

    kind: ClassVar[str] = "table.session-closed"
    session: Id
    text: Words | None = None


class SceneSet(Event):
    """Scene begun, with a heading and what is seen first."""

    kind: ClassVar[str] = "table.scene-set"
    scene: Id
    title: Words
    text: Words | None = None


class SceneEnded(Event):
    """Scene ended before another begins."""

    kind: ClassVar[str] = "table.scene-ended"
    scene: Id
    text: Words | None = None


class OptionSet(Event):
    """Table option set, for one system or (None) for the table itself."""

    kind: ClassVar[str] = "table.option-set"
    system: str | None
    key: str
    value: str
    text: Words | None = None


class Setting(Part):
    """Change to one value by a ruling: key `what` of `person`, with operator `op` (= += -=)."""

    person: Id | None
    what: str
    op: Literal["=", "+=", "-="]
    value: Value


class RulingMade(Anywhere):
    """Ruling made: an answer to a question, values set, or a house rule."""

    kind: ClassVar[str] = "table.ruling-made"
    question: str | None = None
    answer: int | str | None = None
    sets: tuple[Setting, ...] = ()
    text: Words


# --- conflicts --------------------------------------------------------------------------------------------


class ConflictOpened(InConflict):
    """Conflict opened in one system. A side is identified by its first person."""

    kind: ClassVar[str] = "table.conflict-opened"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"sides", "setup"})
    system: str
    sides: Sides
    setup: dict[str, Value] = {}
    title: Words | None = None
    length: Words | None = None
    text: Words | None = None


class ConflictEnded(InConflict):
    """Conflict ended; `how` is one word, `winner` the winning side, if any."""

    kind: ClassVar[str] = "table.conflict-ended"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"winner"})
    how: str
    winner: Id | None = None
    text: Words | None = None


class Joined(InConflict):
    """People joined an open conflict, on the side `side` or (None) as a new side."""

    kind: ClassVar[str] = "table.joined"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"people", "side"})
    about_people: ClassVar[str | None] = "people"
    people: tuple[Id, ...]
    side: Id | None = None
    text: Words | None = None


class Left(InConflict):
    """People of one side left a conflict that goes on; `side` is its id until then."""

    kind: ClassVar[str] = "table.left"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"people"})
    about_people: ClassVar[str | None] = "people"
    people: tuple[Id, ...]
    side: Id
    text: Words | None = None


class Declared(Event):
    """Intention declared."""

    kind: ClassVar[str] = "table.declared"
    only_words: ClassVar[bool] = True
    who: Id
    text: Words
    conflict: Id | None = None
    setup: dict[str, Value] = {}
    commitment: str | None = None


class CompelOffered(PersonAnywhere):
    """Compel offered: a fate point for an aspect's trouble; `which` numbers ambiguous aspects."""

    kind: ClassVar[str] = "table.compel-offered"
    aspect: str
    which: Id | None = None
    by: Id
    text: Words


class CompelAccepted(PersonAnywhere):
    """Compel accepted."""

    kind: ClassVar[str] = "table.compel-accepted"
    text: Words | None = None


class CompelRefused(PersonAnywhere):
    """Compel refused at the price of a fate point."""

    kind: ClassVar[str] = "table.compel-refused"
    text: Words | None = None


class ConcessionOffered(PersonInConflict):
    """Concession offered by a side; its story comes true once the others accept."""

    kind: ClassVar[str] = "table.concession-offered"
    text: Words


class ConcessionAccepted(PersonInConflict):
    """Concession offered by `whose` accepted by a side."""

    kind: ClassVar[str] = "table.concession-accepted"
    whose: Id
    text: Words | None = None


class ConcessionRefused(PersonInConflict):
    """Concession offered by `whose` refused by a side: play goes on."""

    kind: ClassVar[str] = "table.concession-refused"
    whose: Id
    text: Words | None = None


# --- speech -----------------------------------------------------------------------------------------------


class Narrated(Event):
    """Narration. `about` is the position it belongs to, if told later."""

    kind: ClassVar[str] = "table.narrated"
    only_words: ClassVar[bool] = True
    who: Id
    text: Words
    conflict: Id | None = None
    about: Id | None = None


class Said(Event):
    """Words spoken in character."""

    kind: ClassVar[str] = "table.said"
    only_words: ClassVar[bool] = True
    who: Id
    text: Words
    conflict: Id | None = None
    about: Id | None = None


class Noted(Event):
    """Note beside the story; `quote` marks words said at the table."""

    kind: ClassVar[str] = "table.noted"
    only_words: ClassVar[bool] = True
    text: Words
    person: Id | None = None
    quote: bool = False
    about: Id | None = None


class SaidAside(Event):
    """Table talk outside the story; `who` is None for an unknown speaker."""

    kind: ClassVar[str] = "table.said-aside"
    only_words: ClassVar[bool] = True
    text: Words
    who: Id | None = None
    about: Id | None = None


ToldLater = Narrated | Said | Noted | SaidAside
"""Events whose words may belong to an earlier moment (`about`)."""


class NarrationOverruled(Anywhere):
    """Narration at position `narration` struck, or (`how` edit) kept with a change."""

    kind: ClassVar[str] = "table.narration-overruled"
    by: Id
    whose: Id
    narration: Id
    how: Literal["token", "veto", "own", "edit"]
    text: Words


# --- threads, places, things ------------------------------------------------------------------------------

Sort = Literal["thread", "place", "thing"]


class MatterOpened(Event):
    """Thread, place or thing opened for notes; this event's position identifies it."""

    kind: ClassVar[str] = "table.matter-opened"
    only_words: ClassVar[bool] = True
    sort: Sort
    name: Words
    text: Words | None = None


class OfMatter(Event):
    """Event about the thread, place or thing opened at position `about`."""

    only_words: ClassVar[bool] = True
    about: Id


class MatterNoted(OfMatter):
    """Note added to a thread, place or thing; reopens a closed one."""

    kind: ClassVar[str] = "table.matter-noted"
    text: Words


class MatterClosed(OfMatter):
    """Thread, place or thing closed: settled or gone."""

    kind: ClassVar[str] = "table.matter-closed"
    text: Words | None = None


class MatterRenamed(OfMatter):
    """Thread, place or thing renamed."""

    kind: ClassVar[str] = "table.matter-renamed"
    name: Words


class MatterMerged(OfMatter):
    """Thread, place or thing merged into the one opened at position `into`."""

    kind: ClassVar[str] = "table.matter-merged"
    into: Id


# --- chance -----------------------------------------------------------------------------------------------


class CardsDrawn(PersonAnywhere):
    """Cards drawn from a deck into a hand, in order. `purpose` is the system's word for the reason."""

    kind: ClassVar[str] = "table.cards-drawn"
    hideable: ClassVar[bool] = True
    luck: ClassVar[str | None] = "cards"
    deck: str
    cards: tuple[str, ...]
    purpose: str


class DiceRolled(Anywhere):
    """Dice rolled. `dice` is the expression, such as 2d6+1d8; `faces` are in its order."""

    kind: ClassVar[str] = "table.dice-rolled"
    hideable: ClassVar[bool] = True
    luck: ClassVar[str | None] = "faces"
    who: Id | None = None
    dice: str
    faces: tuple[Whole, ...]
    text: Words | None = None


class TotalReached(Anywhere):
    """Total of a roll whose dice are modified, partly kept, or compared with a goal.

    `throw` is their expression, with a number for each name in it; the dice themselves are in the event
    before, unless nobody `saw` them. `kept` are the places, from 1, of those that count, where not all do.
    Against an `opponent` who has yet to throw, goal and margin are None; `under`: less is better.
    `instead` is the total of an earlier throw against the same one, unanswered, which counts no longer.
    """

    kind: ClassVar[str] = "table.total-reached"
    hideable: ClassVar[bool] = True
    who: Id | None = None
    throw: str
    kept: tuple[Id, ...] | None = None
    total: Whole
    saw: bool = True
    goal: Whole | None = None
    under: bool = False
    opponent: Id | None = None
    margin: Whole | None = None
    instead: Whole | None = None
    text: Words | None = None


class RolledInSecret(Anywhere):
    """Dice or cards rolled or drawn behind the screen; `sealed` holds their results.

    The dice or cards themselves are in hidden events of the same act. The commitment in the body proves,
    once those are revealed, that they are the ones that came up then.
    """

    kind: ClassVar[str] = "table.rolled-in-secret"
    hideable: ClassVar[bool] = True
    public: ClassVar[frozenset[str]] = frozenset({"conflict", "what"})
    what: Literal["roll", "draw"]
    sealed: Words


class DeckShuffled(Anywhere):
    """Deck shuffled with cards returned to it; the new order is unknown to everyone."""

    kind: ClassVar[str] = "table.deck-shuffled"
    deck: str
    why: str


SHARED = kinds(vars())
"""Shared events, in order of definition."""


class Unheard(Event):
    """Stand-in, while folding, for an event of a game that is not installed. Never recorded."""

    kind: ClassVar[str] = "table.unheard"
    game: str
