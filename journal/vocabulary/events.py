"""Events that every game shares: campaign and branches, people, sessions, conflicts, words, cards and dice.

An event's position is its number on its branch, from 1; an act is the group of events of one command.
"""

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
    """First event of a campaign: its random id, the record's format, and the hash of a seed, if any."""

    kind: ClassVar[str] = "table.campaign-begun"
    campaign: str
    format: Id
    seed: str | None = None


class CampaignNamed(Event):
    """The campaign got its title."""

    kind: ClassVar[str] = "table.campaign-named"
    title: Words
    text: Words | None = None


class Forked(Event):
    """First event of branch `line`, which shares the events of branch `parent` up to position `at`."""

    kind: ClassVar[str] = "table.forked"
    line: Id
    parent: Id
    at: Id
    parent_hash: str
    name: Words
    why: Words | None = None


class Promoted(Event):
    """This branch became the mainline, in place of the branch `was`."""

    kind: ClassVar[str] = "table.promoted"
    was: Id


class Retired(Event):
    """This branch is no longer the mainline: play continues on the branch `by`."""

    kind: ClassVar[str] = "table.retired"
    by: Id


class LineShown(Event):
    """Hidden branch made visible to the table or, if given, to the people in `to`."""

    kind: ClassVar[str] = "table.line-shown"
    to: tuple[Id, ...] | None = None


class Undone(Event):
    """Events from position `first` to `last`, whole acts, undone: they no longer count."""

    kind: ClassVar[str] = "table.undone"
    first: Id
    last: Id


class Redone(Event):
    """Undone events from position `first` to `last`, whole acts, count again."""

    kind: ClassVar[str] = "table.redone"
    first: Id
    last: Id


class Reworded(Event):
    """Text number `word` (from 0) in the event at position `about` replaced by `text`."""

    kind: ClassVar[str] = "table.reworded"
    only_words: ClassVar[bool] = True
    about: Id
    word: Id
    text: Words


class Redacted(Event):
    """Texts number `words` (from 0) in the event at position `about` erased for good."""

    kind: ClassVar[str] = "table.redacted"
    only_words: ClassVar[bool] = True
    about: Id
    words: tuple[Id, ...]
    text: Words | None = None


class Revealed(Event):
    """Hidden event at position `about` made visible to the table or, if given, to the people in `to`."""

    kind: ClassVar[str] = "table.revealed"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"to"})
    only_words: ClassVar[bool] = True
    about: Id
    to: tuple[Id, ...] | None = None


class Shown(Event):
    """Hidden event at position `about` made visible to all, because the secret `person` acted openly.

    With `sheet` it is part of that person's sheet. Unlike `Revealed`, undoing the act hides it again.
    """

    kind: ClassVar[str] = "table.shown"
    about: Id
    person: Id
    sheet: bool = False


class Marked(Event):
    """The moment at position `at` got a name, to go back to."""

    kind: ClassVar[str] = "table.marked"
    only_words: ClassVar[bool] = True
    name: Words
    at: Id
    text: Words | None = None


# --- people -----------------------------------------------------------------------------------------------


class CastIntroduced(Event):
    """A person entered the cast: a character, a player, or a group on one side of a conflict."""

    kind: ClassVar[str] = "table.cast-introduced"
    hideable: ClassVar[bool] = True
    person: Id
    name: Words
    role: Literal["character", "player", "side"] = "character"
    text: Words | None = None

    def subjects(self) -> tuple[str, ...]:
        """Returns the key of the introduced person's secrecy, such as `person 7`."""
        return (person_subject(self.person),)


class AliasGiven(Event):
    """A person got an additional name."""

    kind: ClassVar[str] = "table.alias-given"
    hideable: ClassVar[bool] = True
    person: Id
    alias: Words


class Renamed(Event):
    """A person got a new name in place of the old one."""

    kind: ClassVar[str] = "table.renamed"
    hideable: ClassVar[bool] = True
    person: Id
    name: Words


class Described(Event):
    """A person got a new phrase that describes them."""

    kind: ClassVar[str] = "table.described"
    hideable: ClassVar[bool] = True
    person: Id
    text: Words


class PlayerSeated(Event):
    """From now on `player` plays `person`; `text` gives the reason for a change of player."""

    kind: ClassVar[str] = "table.player-seated"
    hideable: ClassVar[bool] = True
    person: Id
    player: Id
    text: Words | None = None

    def subjects(self) -> tuple[str, ...]:
        """Returns the key of a secret person's secrecy, as their player is hidden with them; else nothing."""
        return (person_subject(self.person),) if is_secret_number(self.person) else ()


class Merged(Event):
    """Two people turned out to be one: `person` continues as `into`; `text` is their new phrase."""

    kind: ClassVar[str] = "table.merged"
    person: Id
    into: Id
    text: Words | None = None


class PersonRetired(Event):
    """A person is no longer played, but stays in the cast."""

    kind: ClassVar[str] = "table.person-retired"
    person: Id
    text: Words | None = None


class PersonReturned(Event):
    """A retired person is played again."""

    kind: ClassVar[str] = "table.person-returned"
    person: Id


class SheetChanged(Event):
    """Values on a person's sheet in one game changed; the value None removes its key.

    `text` is the explanation given by the table.
    """

    kind: ClassVar[str] = "table.sheet-changed"
    hideable: ClassVar[bool] = True
    person: Id
    system: str
    values: dict[str, Value | None]
    text: Words | None = None

    def subjects(self) -> tuple[str, ...]:
        """Returns the key of the sheet's secrecy, such as `sheet bruise 7`."""
        return (sheet_subject(self.system, self.person),)


# --- evenings and scenes ----------------------------------------------------------------------------------


class SessionOpened(Event):
    """A session of play began. `session` counts from 1; `date` is the day played, as YYYY-MM-DD."""

    kind: ClassVar[str] = "table.session-opened"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"absent"})
    session: Id
    title: Words | None = None
    date: str | None = None
    absent: tuple[Id, ...] = ()
    text: Words | None = None


class SessionClosed(Event):
    """The session ended."""

    kind: ClassVar[str] = "table.session-closed"
    session: Id
    text: Words | None = None


class SceneSet(Event):
    """A scene began; `text` describes it."""

    kind: ClassVar[str] = "table.scene-set"
    scene: Id
    title: Words
    text: Words | None = None


class SceneEnded(Event):
    """The scene ended, and no other scene began yet."""

    kind: ClassVar[str] = "table.scene-ended"
    scene: Id
    text: Words | None = None


class OptionSet(Event):
    """An option of the game `system` got a new value; with `system` None, an option of the table itself."""

    kind: ClassVar[str] = "table.option-set"
    system: str | None
    key: str
    value: str
    text: Words | None = None


class Setting(Part):
    """One number or word that a ruling sets: the value `what` of `person`, by the operator `op`."""

    person: Id | None
    what: str
    op: Literal["=", "+=", "-="]
    value: Value


class RulingMade(Anywhere):
    """The table made a ruling: an answer to a rule question, values set, or a house rule in words."""

    kind: ClassVar[str] = "table.ruling-made"
    question: str | None = None
    answer: int | str | None = None
    sets: tuple[Setting, ...] = ()
    text: Words


# --- conflicts --------------------------------------------------------------------------------------------


class ConflictOpened(InConflict):
    """A conflict between two or more sides began, under the rules of the game `system`.

    The first person of a side identifies it.
    """

    kind: ClassVar[str] = "table.conflict-opened"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"sides", "setup"})
    system: str
    sides: Sides
    setup: dict[str, Value] = {}
    title: Words | None = None
    length: Words | None = None
    text: Words | None = None


class ConflictEnded(InConflict):
    """A conflict ended; `how` is its outcome in a word, `winner` the first person of the winning side."""

    kind: ClassVar[str] = "table.conflict-ended"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"winner"})
    how: str
    winner: Id | None = None
    text: Words | None = None


class Joined(InConflict):
    """People joined an open conflict; `side` is the first person of their side, None for a new side."""

    kind: ClassVar[str] = "table.joined"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"people", "side"})
    about_people: ClassVar[str | None] = "people"
    people: tuple[Id, ...]
    side: Id | None = None
    text: Words | None = None


class Left(InConflict):
    """People of one side left a conflict that goes on; `side` is the side's first person until then."""

    kind: ClassVar[str] = "table.left"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"people"})
    about_people: ClassVar[str | None] = "people"
    people: tuple[Id, ...]
    side: Id
    text: Words | None = None


class Declared(Event):
    """Intention of a person, declared in words before acting."""

    kind: ClassVar[str] = "table.declared"
    only_words: ClassVar[bool] = True
    who: Id
    text: Words
    conflict: Id | None = None
    setup: dict[str, Value] = {}
    commitment: str | None = None


class CompelOffered(PersonAnywhere):
    """A compel: `by` offers `who` a fate point for trouble caused by an aspect, a phrase about them.

    `which` numbers aspects of the same wording.
    """

    kind: ClassVar[str] = "table.compel-offered"
    aspect: str
    which: Id | None = None
    by: Id
    text: Words


class CompelAccepted(PersonAnywhere):
    """An offered compel accepted: the person takes the trouble and the fate point."""

    kind: ClassVar[str] = "table.compel-accepted"
    text: Words | None = None


class CompelRefused(PersonAnywhere):
    """An offered compel refused, at the price of a fate point."""

    kind: ClassVar[str] = "table.compel-refused"
    text: Words | None = None


class ConcessionOffered(PersonInConflict):
    """A side offered to give up the conflict; its story, `text`, comes true once the others accept."""

    kind: ClassVar[str] = "table.concession-offered"
    text: Words


class ConcessionAccepted(PersonInConflict):
    """The side `who` accepted the concession that the side `whose` had offered."""

    kind: ClassVar[str] = "table.concession-accepted"
    whose: Id
    text: Words | None = None


class ConcessionRefused(PersonInConflict):
    """The side `who` refused the concession that the side `whose` had offered; play goes on."""

    kind: ClassVar[str] = "table.concession-refused"
    whose: Id
    text: Words | None = None


# --- speech -----------------------------------------------------------------------------------------------


class Narrated(Event):
    """A person narrated part of the story; `about` is the earlier position it belongs to, if told later."""

    kind: ClassVar[str] = "table.narrated"
    only_words: ClassVar[bool] = True
    who: Id
    text: Words
    conflict: Id | None = None
    about: Id | None = None


class Said(Event):
    """A person spoke in character; `about` is the earlier position it belongs to, if added later."""

    kind: ClassVar[str] = "table.said"
    only_words: ClassVar[bool] = True
    who: Id
    text: Words
    conflict: Id | None = None
    about: Id | None = None


class Noted(Event):
    """A note beside the story; with `quote`, words said at the table."""

    kind: ClassVar[str] = "table.noted"
    only_words: ClassVar[bool] = True
    text: Words
    person: Id | None = None
    quote: bool = False
    about: Id | None = None


class SaidAside(Event):
    """Table talk that is no part of the story; `who` is None if the speaker is unknown."""

    kind: ClassVar[str] = "table.said-aside"
    only_words: ClassVar[bool] = True
    text: Words
    who: Id | None = None
    about: Id | None = None


ToldLater = Narrated | Said | Noted | SaidAside
"""Events whose words may belong to an earlier moment (`about`)."""


class NarrationOverruled(Anywhere):
    """The narration at position `narration` was struck; with `how` "edit" it stays, with a change."""

    kind: ClassVar[str] = "table.narration-overruled"
    by: Id
    whose: Id
    narration: Id
    how: Literal["token", "veto", "own", "edit"]
    text: Words


# --- threads, places, things ------------------------------------------------------------------------------

Sort = Literal["thread", "place", "thing"]


class MatterOpened(Event):
    """A thread, place or thing was opened for notes; the position of this event identifies it."""

    kind: ClassVar[str] = "table.matter-opened"
    only_words: ClassVar[bool] = True
    sort: Sort
    name: Words
    text: Words | None = None


class OfMatter(Event):
    """Base of events about the thread, place or thing opened at position `about`."""

    only_words: ClassVar[bool] = True
    about: Id


class MatterNoted(OfMatter):
    """A thread, place or thing got another note; a closed one is open again."""

    kind: ClassVar[str] = "table.matter-noted"
    text: Words


class MatterClosed(OfMatter):
    """A thread, place or thing was closed, being settled or gone."""

    kind: ClassVar[str] = "table.matter-closed"
    text: Words | None = None


class MatterRenamed(OfMatter):
    """A thread, place or thing got a new name."""

    kind: ClassVar[str] = "table.matter-renamed"
    name: Words


class MatterMerged(OfMatter):
    """A thread, place or thing turned out to be the one opened at position `into`."""

    kind: ClassVar[str] = "table.matter-merged"
    into: Id


# --- chance -----------------------------------------------------------------------------------------------


class CardsDrawn(PersonAnywhere):
    """A person drew cards from a deck, in this order; `purpose` is the game's word for the reason."""

    kind: ClassVar[str] = "table.cards-drawn"
    hideable: ClassVar[bool] = True
    luck: ClassVar[str | None] = "cards"
    deck: str
    cards: tuple[str, ...]
    purpose: str


class DiceRolled(Anywhere):
    """Dice were rolled: `dice` is the expression, such as 2d6+1d8; `faces` are in its order."""

    kind: ClassVar[str] = "table.dice-rolled"
    hideable: ClassVar[bool] = True
    luck: ClassVar[str | None] = "faces"
    who: Id | None = None
    dice: str
    faces: tuple[Whole, ...]
    text: Words | None = None


class TotalReached(Anywhere):
    """Total of a throw with modifiers, added numbers or a goal, or of which only the total was typed.

    `throw` is its expression, with a number for each name in it. The dice are in the event before, unless
    the total alone was typed (`saw` is False). `kept` lists the numbers (from 1) of the dice that count; None
    for all. With `under`, the total must not exceed the goal. Against an `opponent` who has yet to throw,
    goal and margin are None. `instead` is the total of an earlier unanswered throw against the same
    opponent, which no longer counts.
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
    """Dice were rolled, or cards drawn, behind the screen (hidden from players); `sealed` holds the results.

    The dice or cards themselves are in hidden events of the same act. Once these are revealed, the hash
    stored here proves that they are unchanged.
    """

    kind: ClassVar[str] = "table.rolled-in-secret"
    hideable: ClassVar[bool] = True
    public: ClassVar[frozenset[str]] = frozenset({"conflict", "what"})
    what: Literal["roll", "draw"]
    sealed: Words


class DeckShuffled(Anywhere):
    """Cards were put back into a deck and it was shuffled; nobody knows the new order."""

    kind: ClassVar[str] = "table.deck-shuffled"
    deck: str
    why: str


SHARED = kinds(vars())
"""Shared events, in order of definition."""


class Unheard(Event):
    """Stand-in for an event of a game that is not installed, while a branch is folded; never recorded."""

    kind: ClassVar[str] = "table.unheard"
    game: str
