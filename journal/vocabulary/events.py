"""What can happen at any table, whatever is being played."""

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
    """A campaign's first event: its 128 random bits, and the commitment to a seed if it deals from one."""

    kind: ClassVar[str] = "table.campaign-begun"
    campaign: str
    format: Id
    seed: str | None = None


class CampaignNamed(Event):
    """The campaign has a title."""

    kind: ClassVar[str] = "table.campaign-named"
    title: Words
    text: Words | None = None


class Forked(Event):
    """First on `line`: it shares everything up to position `at` of line `parent`, and goes on alone."""

    kind: ClassVar[str] = "table.forked"
    line: Id
    parent: Id
    at: Id
    parent_hash: str
    name: Words
    why: Words | None = None


class Promoted(Event):
    """This line is now the one the table plays; `was` was it before."""

    kind: ClassVar[str] = "table.promoted"
    was: Id


class Retired(Event):
    """Play went on from here on line `by`."""

    kind: ClassVar[str] = "table.retired"
    by: Id


class LineShown(Event):
    """Everybody may know of this line from here on, or (`to`) these people may."""

    kind: ClassVar[str] = "table.line-shown"
    to: tuple[Id, ...] | None = None


class Undone(Event):
    """The acts from position `first` to `last` count no longer."""

    kind: ClassVar[str] = "table.undone"
    first: Id
    last: Id


class Redone(Event):
    """The acts from position `first` to `last` count again."""

    kind: ClassVar[str] = "table.redone"
    first: Id
    last: Id


class Reworded(Event):
    """The words number `word` (from 0) of the event at position `about` read `text` from now on."""

    kind: ClassVar[str] = "table.reworded"
    only_words: ClassVar[bool] = True
    about: Id
    word: Id
    text: Words


class Redacted(Event):
    """The words of the event at position `about` were taken away, beyond recall."""

    kind: ClassVar[str] = "table.redacted"
    only_words: ClassVar[bool] = True
    about: Id
    words: tuple[Id, ...]
    text: Words | None = None


class Revealed(Event):
    """What the event at position `about` hid is open, to everybody or to the people named."""

    kind: ClassVar[str] = "table.revealed"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"to"})
    only_words: ClassVar[bool] = True
    about: Id
    to: tuple[Id, ...] | None = None


class Shown(Event):
    """Everybody knows of `person` what the event at position `about` hid, for they acted in the open.

    With `sheet` that is a part of their sheet. Unlike `Revealed`, an undo takes it back.
    """

    kind: ClassVar[str] = "table.shown"
    about: Id
    person: Id
    sheet: bool = False


class Marked(Event):
    """A moment has a name: position `at`, or the one before this event."""

    kind: ClassVar[str] = "table.marked"
    only_words: ClassVar[bool] = True
    name: Words
    at: Id
    text: Words | None = None


# --- people -----------------------------------------------------------------------------------------------


class CastIntroduced(Event):
    """Somebody enters the record under an id of their own."""

    kind: ClassVar[str] = "table.cast-introduced"
    hideable: ClassVar[bool] = True
    person: Id
    name: Words
    role: Literal["character", "player", "side"] = "character"
    text: Words | None = None

    def subjects(self) -> tuple[str, ...]:
        """The person."""
        return (person_subject(self.person),)


class AliasGiven(Event):
    """A person answers to one more name."""

    kind: ClassVar[str] = "table.alias-given"
    hideable: ClassVar[bool] = True
    person: Id
    alias: Words


class Renamed(Event):
    """A person is called otherwise from now on."""

    kind: ClassVar[str] = "table.renamed"
    hideable: ClassVar[bool] = True
    person: Id
    name: Words


class Described(Event):
    """A person's one identifying phrase."""

    kind: ClassVar[str] = "table.described"
    hideable: ClassVar[bool] = True
    person: Id
    text: Words


class PlayerSeated(Event):
    """`player` plays `person` from now on; why, where somebody else did before."""

    kind: ClassVar[str] = "table.player-seated"
    hideable: ClassVar[bool] = True
    person: Id
    player: Id
    text: Words | None = None

    def subjects(self) -> tuple[str, ...]:
        """The person, where they came in secret: who plays them is known when they are."""
        return (person_subject(self.person),) if is_secret_number(self.person) else ()


class Merged(Event):
    """`person` and `into` are one, and go on as `into`; the text is their phrase from now on."""

    kind: ClassVar[str] = "table.merged"
    person: Id
    into: Id
    text: Words | None = None


class PersonRetired(Event):
    """Somebody is played no longer; they stay who they were."""

    kind: ClassVar[str] = "table.person-retired"
    person: Id
    text: Words | None = None


class PersonReturned(Event):
    """Somebody who was retired is played again."""

    kind: ClassVar[str] = "table.person-returned"
    person: Id


class SheetChanged(Event):
    """A person's sheet in one system: the values that are new; None takes a key away.

    `text` is what was said of the change.
    """

    kind: ClassVar[str] = "table.sheet-changed"
    hideable: ClassVar[bool] = True
    person: Id
    system: str
    values: dict[str, Value | None]
    text: Words | None = None

    def subjects(self) -> tuple[str, ...]:
        """The sheet."""
        return (sheet_subject(self.system, self.person),)


# --- evenings and scenes ----------------------------------------------------------------------------------


class SessionOpened(Event):
    """An evening begins. `session` counts from 1; `date` is the day played, as YYYY-MM-DD."""

    kind: ClassVar[str] = "table.session-opened"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"absent"})
    session: Id
    title: Words | None = None
    date: str | None = None
    absent: tuple[Id, ...] = ()
    text: Words | None = None


class SessionClosed(Event):
    """An evening ends."""

    kind: ClassVar[str] = "table.session-closed"
    session: Id
    text: Words | None = None


class SceneSet(Event):
    """A scene begins: a heading, and what is seen first."""

    kind: ClassVar[str] = "table.scene-set"
    scene: Id
    title: Words
    text: Words | None = None


class SceneEnded(Event):
    """A scene ends before the next is set."""

    kind: ClassVar[str] = "table.scene-ended"
    scene: Id
    text: Words | None = None


class OptionSet(Event):
    """A table option, of one system or (None) of the table itself."""

    kind: ClassVar[str] = "table.option-set"
    system: str | None
    key: str
    value: str
    text: Words | None = None


class Setting(Part):
    """One number that a ruling sets: `what` of `person`, by `op` (= += -=) `value`."""

    person: Id | None
    what: str
    op: Literal["=", "+=", "-="]
    value: Value


class RulingMade(Anywhere):
    """The table decided: an answer to a question, numbers set, or simply a law of this table."""

    kind: ClassVar[str] = "table.ruling-made"
    question: str | None = None
    answer: int | str | None = None
    sets: tuple[Setting, ...] = ()
    text: Words


# --- conflicts --------------------------------------------------------------------------------------------


class ConflictOpened(InConflict):
    """A conflict of one system. A side is known by the first of its people."""

    kind: ClassVar[str] = "table.conflict-opened"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"sides", "setup"})
    system: str
    sides: Sides
    setup: dict[str, Value] = {}
    title: Words | None = None
    length: Words | None = None
    text: Words | None = None


class ConflictEnded(InConflict):
    """A conflict is over; `how` in a word, `winner` a side if one won."""

    kind: ClassVar[str] = "table.conflict-ended"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"winner"})
    how: str
    winner: Id | None = None
    text: Words | None = None


class Joined(InConflict):
    """People come into an open conflict: to the side known by `side`, or (None) as a side of their own."""

    kind: ClassVar[str] = "table.joined"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"people", "side"})
    about_people: ClassVar[str | None] = "people"
    people: tuple[Id, ...]
    side: Id | None = None
    text: Words | None = None


class Left(InConflict):
    """People of one side leave a conflict that goes on; `side` is whom it was known by until then."""

    kind: ClassVar[str] = "table.left"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"people"})
    about_people: ClassVar[str | None] = "people"
    people: tuple[Id, ...]
    side: Id
    text: Words | None = None


class Declared(Event):
    """Somebody says what they intend."""

    kind: ClassVar[str] = "table.declared"
    only_words: ClassVar[bool] = True
    who: Id
    text: Words
    conflict: Id | None = None
    setup: dict[str, Value] = {}
    commitment: str | None = None


class CompelOffered(PersonAnywhere):
    """A fate point is held out against an aspect's trouble; `which` is its number where words do not do."""

    kind: ClassVar[str] = "table.compel-offered"
    aspect: str
    which: Id | None = None
    by: Id
    text: Words


class CompelAccepted(PersonAnywhere):
    """A compel is taken."""

    kind: ClassVar[str] = "table.compel-accepted"
    text: Words | None = None


class CompelRefused(PersonAnywhere):
    """A compel is bought off."""

    kind: ClassVar[str] = "table.compel-refused"
    text: Words | None = None


class ConcessionOffered(PersonInConflict):
    """A side offers how it loses; the story is true once the others accept it."""

    kind: ClassVar[str] = "table.concession-offered"
    text: Words


class ConcessionAccepted(PersonInConflict):
    """A side accepts the concession offered by `whose`."""

    kind: ClassVar[str] = "table.concession-accepted"
    whose: Id
    text: Words | None = None


class ConcessionRefused(PersonInConflict):
    """A side will not have the concession offered by `whose`: play goes on."""

    kind: ClassVar[str] = "table.concession-refused"
    whose: Id
    text: Words | None = None


# --- speech -----------------------------------------------------------------------------------------------


class Narrated(Event):
    """Somebody tells what happens. `about` is the position it belongs to, if it was told later."""

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
    """A note beside the story; `quote` for something said at the table that must not be lost."""

    kind: ClassVar[str] = "table.noted"
    only_words: ClassVar[bool] = True
    text: Words
    person: Id | None = None
    quote: bool = False
    about: Id | None = None


class SaidAside(Event):
    """Words said at the table and not in the story; of nobody in particular where `who` is None."""

    kind: ClassVar[str] = "table.said-aside"
    only_words: ClassVar[bool] = True
    text: Words
    who: Id | None = None
    about: Id | None = None


ToldLater = Narrated | Said | Noted | SaidAside
"""The kinds whose words may be about a moment that is past (`about`)."""


class NarrationOverruled(Anywhere):
    """The narration at position `narration` counts no longer, or (edit) stands with this change."""

    kind: ClassVar[str] = "table.narration-overruled"
    by: Id
    whose: Id
    narration: Id
    how: Literal["token", "veto", "own", "edit"]
    text: Words


# --- threads, places, things ------------------------------------------------------------------------------

Sort = Literal["thread", "place", "thing"]


class MatterOpened(Event):
    """From now on a note is kept of a thread, a place or a thing, which is known by this event's position."""

    kind: ClassVar[str] = "table.matter-opened"
    only_words: ClassVar[bool] = True
    sort: Sort
    name: Words
    text: Words | None = None


class OfMatter(Event):
    """Something about the thread, place or thing that was opened at position `about`."""

    only_words: ClassVar[bool] = True
    about: Id


class MatterNoted(OfMatter):
    """More is known of it; where it was closed, it is open again."""

    kind: ClassVar[str] = "table.matter-noted"
    text: Words


class MatterClosed(OfMatter):
    """It is settled, gone or done with."""

    kind: ClassVar[str] = "table.matter-closed"
    text: Words | None = None


class MatterRenamed(OfMatter):
    """It is called otherwise from now on."""

    kind: ClassVar[str] = "table.matter-renamed"
    name: Words


class MatterMerged(OfMatter):
    """It and the one that was opened at position `into` are one, and go on as that."""

    kind: ClassVar[str] = "table.matter-merged"
    into: Id


# --- chance -----------------------------------------------------------------------------------------------


class CardsDrawn(PersonAnywhere):
    """Cards left a deck for somebody's hand, in this order. `purpose` is the system's word for why."""

    kind: ClassVar[str] = "table.cards-drawn"
    hideable: ClassVar[bool] = True
    luck: ClassVar[str | None] = "cards"
    deck: str
    cards: tuple[str, ...]
    purpose: str


class DiceRolled(Anywhere):
    """Dice on the table. `dice` is their expression, such as 2d6+1d8; the faces stand in its order."""

    kind: ClassVar[str] = "table.dice-rolled"
    hideable: ClassVar[bool] = True
    luck: ClassVar[str | None] = "faces"
    who: Id | None = None
    dice: str
    faces: tuple[Whole, ...]
    text: Words | None = None


class TotalReached(Anywhere):
    """What dice came to that were more than laid there: added to, picked from, thrown against something.

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
    """Dice or cards came up behind the screen: all may know that, and `sealed` holds what they came to.

    The dice or cards themselves are in hidden events of the same act. The commitment in the body proves,
    once those are revealed, that they are the ones that came up then.
    """

    kind: ClassVar[str] = "table.rolled-in-secret"
    hideable: ClassVar[bool] = True
    public: ClassVar[frozenset[str]] = frozenset({"conflict", "what"})
    what: Literal["roll", "draw"]
    sealed: Words


class DeckShuffled(Anywhere):
    """Cards went back into a deck and it was shuffled; the new order is nobody's to know."""

    kind: ClassVar[str] = "table.deck-shuffled"
    deck: str
    why: str


SHARED = kinds(vars())
"""Every kind that is recorded at any table, in the order above."""


class Unheard(Event):
    """What an event of a game that is not here comes to in a fold: that it happened. It is never recorded."""

    kind: ClassVar[str] = "table.unheard"
    game: str
