"""Events that every game shares: branches, people, sessions, conflicts, speech, notes, cards and dice.

Positions are event numbers on a branch, people are given by id. `text`, where no other meaning is said,
holds a text that the table added.
"""

from __future__ import annotations

from typing import ClassVar, Final, Literal

from retold.journal.visibility import is_secret_number
from retold.journal.vocabulary.base import (
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
    """First event of a campaign: a random id (128 bits), the format, and the hash of a secret seed if any."""

    kind: ClassVar[str] = "table.campaign-begun"
    campaign: str
    format: Id
    seed: str | None = None


class CampaignNamed(Event):
    """Campaign given a title, in place of any former one."""

    kind: ClassVar[str] = "table.campaign-named"
    title: Words
    text: Words | None = None


class Forked(Event):
    """First event of a new branch, number `line`: it shares events of branch `parent` up to position `at`."""

    kind: ClassVar[str] = "table.forked"
    line: Id
    parent: Id
    at: Id
    parent_hash: str
    name: Words
    why: Words | None = None


class Promoted(Event):
    """This branch became the mainline (the branch that is played) in place of branch `was`."""

    kind: ClassVar[str] = "table.promoted"
    was: Id


class Retired(Event):
    """This branch ceased to be the mainline: play continues on branch `by`."""

    kind: ClassVar[str] = "table.retired"
    by: Id


class LineShown(Event):
    """Branch, which only the game master knew, made known to all or to the people in `to`."""

    kind: ClassVar[str] = "table.line-shown"
    to: tuple[Id, ...] | None = None


class Undone(Event):
    """Acts taken back: the events from position `first` to `last` no longer count."""

    kind: ClassVar[str] = "table.undone"
    first: Id
    last: Id


class Redone(Event):
    """Undone acts brought back: the events from position `first` to `last` count again."""

    kind: ClassVar[str] = "table.redone"
    first: Id
    last: Id


class Reworded(Event):
    """Text changed: text number `word` (from 0) of the event at position `about` reads `text` from now on."""

    kind: ClassVar[str] = "table.reworded"
    only_words: ClassVar[bool] = True
    about: Id
    word: Id
    text: Words


class Redacted(Event):
    """Texts erased for good: those with the numbers `words` (from 0) in the event at position `about`."""

    kind: ClassVar[str] = "table.redacted"
    only_words: ClassVar[bool] = True
    file_field: ClassVar[str | None] = "runs"
    later: ClassVar[frozenset[str]] = frozenset({"runs"})
    about: Id
    words: tuple[Id, ...]
    text: Words | None = None
    runs: str | None = None
    """Keyed digests of what was erased (`journal/store/writing/redacted_words`), on an act's first event.

    Empty if the texts were erased before, and their event is recorded again. None in older records, and where
    no key could be stored.
    """


class Revealed(Event):
    """Hidden event at position `about` made visible for good, to all or to the people in `to`."""

    kind: ClassVar[str] = "table.revealed"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"to"})
    only_words: ClassVar[bool] = True
    about: Id
    to: tuple[Id, ...] | None = None


class Shown(Event):
    """Hidden event at position `about` made visible to all because secret `person` acted openly.

    With `sheet` the hidden event is part of their sheet. Unlike `Revealed`, an undo takes this back.
    """

    kind: ClassVar[str] = "table.shown"
    about: Id
    person: Id
    sheet: bool = False


class Marked(Event):
    """Name given to the moment at position `at`, by which typed lines can refer to it."""

    kind: ClassVar[str] = "table.marked"
    only_words: ClassVar[bool] = True
    name: Words
    at: Id
    text: Words | None = None


# --- people -----------------------------------------------------------------------------------------------


class CastIntroduced(Event):
    """New person, under id `person`: a character, a player, or a side (a group) of conflicts."""

    kind: ClassVar[str] = "table.cast-introduced"
    hideable: ClassVar[bool] = True
    person: Id
    name: Words
    role: Literal["character", "player", "side"] = "character"
    text: Words | None = None

    def subjects(self) -> tuple[str, ...]:
        """Returns the key of this person among the secrets, `person 7`."""
        return (person_subject(self.person),)


class AliasGiven(Event):
    """Further name given to a person, beside the present one; or, with a `case`, a form of the present one.

    The case is a short name such as `acc`, the accusative. The alias `none` takes the form back.
    """

    kind: ClassVar[str] = "table.alias-given"
    hideable: ClassVar[bool] = True
    person: Id
    alias: Words
    case: str | None = None


class Renamed(Event):
    """Person given a new name; the former one still finds them, and its forms (`AliasGiven`) end."""

    kind: ClassVar[str] = "table.renamed"
    hideable: ClassVar[bool] = True
    person: Id
    name: Words


class Described(Event):
    """Phrase that says who a person is, such as “a smuggler, lately caught”, or their pronouns, set again.

    What is None stays as it was. The pronouns `none` take earlier ones back.
    """

    kind: ClassVar[str] = "table.described"
    hideable: ClassVar[bool] = True
    person: Id
    text: Words | None = None
    pronouns: Words | None = None


class PlayerSeated(Event):
    """Player assigned: from now on `player` plays `person`.

    `text` gives the reason for a change of player.
    """

    kind: ClassVar[str] = "table.player-seated"
    hideable: ClassVar[bool] = True
    person: Id
    player: Id
    text: Words | None = None

    def subjects(self) -> tuple[str, ...]:
        """Returns the key of a secret person among the secrets; empty for a person known to all.

        The player of a secret person is as secret as that person.
        """
        return (person_subject(self.person),) if is_secret_number(self.person) else ()


class GameMasterJoined(Event):
    """Game master beside those there: from now on `player` is one too, until a new one is named."""

    kind: ClassVar[str] = "table.game-master-joined"
    player: Id


class Merged(Event):
    """Two entries for one person joined: `person` continues as `into`; the text says who they are."""

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
    """Retired person returned: played again from now on."""

    kind: ClassVar[str] = "table.person-returned"
    person: Id


class SheetChanged(Event):
    """Values on a person's sheet in one game changed, by key; the value None removes its key.

    `text` is the explanation given by the table.
    """

    kind: ClassVar[str] = "table.sheet-changed"
    hideable: ClassVar[bool] = True
    person: Id
    system: str
    values: dict[str, Value | None]
    text: Words | None = None

    def subjects(self) -> tuple[str, ...]:
        """Returns the key of this sheet among the secrets, such as `sheet bruise 7`."""
        return (sheet_subject(self.system, self.person),)


# --- evenings and scenes ----------------------------------------------------------------------------------


class SessionOpened(Event):
    """Session (an evening of play) begun.

    `session` counts from 1; `date` is the day played, as YYYY-MM-DD; `absent` are people who are away.
    """

    kind: ClassVar[str] = "table.session-opened"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"absent"})
    session: Id
    title: Words | None = None
    date: str | None = None
    absent: tuple[Id, ...] = ()
    text: Words | None = None


class SessionClosed(Event):
    """Session number `session` (an evening of play) ended."""

    kind: ClassVar[str] = "table.session-closed"
    session: Id
    text: Words | None = None


class SceneSet(Event):
    """Scene begun; `scene` is its number, `title` its heading, `text` the first words about it."""

    kind: ClassVar[str] = "table.scene-set"
    scene: Id
    title: Words
    text: Words | None = None


class SceneEnded(Event):
    """Scene number `scene` ended before another begins."""

    kind: ClassVar[str] = "table.scene-ended"
    scene: Id
    text: Words | None = None


class OptionSet(Event):
    """Table option `key` set to `value`: for one game, one person (`who`), or the whole table."""

    kind: ClassVar[str] = "table.option-set"
    system: str | None
    key: str
    value: str
    who: Id | None = None
    """Person with a value of their own; None for the game or the table."""
    text: Words | None = None


class Setting(Part):
    """Part of a ruling: operator and value for key `what` of `person`, as in `Zel.hp -= 3`.

    `person` is None for a key of the conflict or table.
    """

    person: Id | None
    what: str
    op: Literal["=", "+=", "-="]
    value: Value


class RulingMade(Anywhere):
    """Decision of the table: an answer to a question of the rules, new values (`sets`), or a house rule."""

    kind: ClassVar[str] = "table.ruling-made"
    question: str | None = None
    answer: int | str | None = None
    sets: tuple[Setting, ...] = ()
    text: Words | None = None


# --- conflicts --------------------------------------------------------------------------------------------


class ConflictOpened(InConflict):
    """Conflict opened in one game. `sides` lists the people of each side; a side's id is its first person.

    `setup` holds the game's own values, `length` how long the conflict is to be.
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
    """Conflict ended; `how` is one word, `winner` the id of the winning side, if any."""

    kind: ClassVar[str] = "table.conflict-ended"
    closing: ClassVar[bool] = True
    leaves_out: ClassVar[frozenset[str]] = frozenset({"winner"})
    how: str
    winner: Id | None = None
    text: Words | None = None


class Joined(InConflict):
    """People joined an open conflict: on the side with id `side`, or as a new side for None."""

    kind: ClassVar[str] = "table.joined"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"people", "side"})
    about_people: ClassVar[str | None] = "people"
    people: tuple[Id, ...]
    side: Id | None = None
    text: Words | None = None


class Left(InConflict):
    """People left a conflict that goes on without them; `side` is the id their side had until then."""

    kind: ClassVar[str] = "table.left"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"people"})
    about_people: ClassVar[str | None] = "people"
    people: tuple[Id, ...]
    side: Id
    text: Words | None = None


class Declared(Event):
    """Person declared what their character is about to do; `text` says it."""

    kind: ClassVar[str] = "table.declared"
    only_words: ClassVar[bool] = True
    who: Id
    text: Words
    conflict: Id | None = None
    setup: dict[str, Value] = {}
    commitment: str | None = None


class CompelOffered(PersonAnywhere):
    """Fate point offered to `who` by `by` for the trouble, told in `text`, that an aspect brings.

    `which` is the aspect's number if its words do not identify it.
    """

    kind: ClassVar[str] = "table.compel-offered"
    aspect: str
    which: Id | None = None
    by: Id
    text: Words


class CompelAccepted(PersonAnywhere):
    """Offered compel accepted: the person takes the fate point and the trouble."""

    kind: ClassVar[str] = "table.compel-accepted"
    text: Words | None = None


class CompelRefused(PersonAnywhere):
    """Offered compel refused: the person pays a fate point and avoids the trouble."""

    kind: ClassVar[str] = "table.compel-refused"
    text: Words | None = None


class ConcessionOffered(PersonInConflict):
    """Offer by a side to end the conflict with the story in `text`, true once the other sides accept."""

    kind: ClassVar[str] = "table.concession-offered"
    text: Words


class ConcessionAccepted(PersonInConflict):
    """Side of `who` accepted the concession that the side of `whose` had offered."""

    kind: ClassVar[str] = "table.concession-accepted"
    whose: Id
    text: Words | None = None


class ConcessionRefused(PersonInConflict):
    """Side of `who` refused the concession that the side of `whose` had offered: play goes on."""

    kind: ClassVar[str] = "table.concession-refused"
    whose: Id
    text: Words | None = None


# --- speech -----------------------------------------------------------------------------------------------


class Narrated(Event):
    """Narration of the story by a person.

    `about` is the position of the event it tells, unless told at once.
    """

    kind: ClassVar[str] = "table.narrated"
    only_words: ClassVar[bool] = True
    who: Id
    text: Words
    conflict: Id | None = None
    about: Id | None = None


class Said(Event):
    """Words that a character speaks; `about` is the position they belong to, if recorded later."""

    kind: ClassVar[str] = "table.said"
    only_words: ClassVar[bool] = True
    who: Id
    text: Words
    conflict: Id | None = None
    about: Id | None = None


UNREAD_SIGN: Final = "[unread]"
"""Begins a note of what an import did not understand."""


class Noted(Event):
    """Note beside the story, hidden from players by default; `quote` marks words heard at the table."""

    kind: ClassVar[str] = "table.noted"
    only_words: ClassVar[bool] = True
    text: Words
    person: Id | None = None
    quote: bool = False
    about: Id | None = None

    @property
    def is_unread(self) -> bool:
        """True for what an import did not understand: kept, and told by no voice."""
        return str(self.text).startswith(UNREAD_SIGN)


class SaidAside(Event):
    """Table talk, no part of the story; `who` is None for an unknown speaker."""

    kind: ClassVar[str] = "table.said-aside"
    only_words: ClassVar[bool] = True
    text: Words
    who: Id | None = None
    about: Id | None = None


PageSort = Literal["blurb", "content", "epigraph", "reflection"]
"""Sorts of texts around a story: what it is about, content notes, a motto before it, reflections after it."""


class PageTextWritten(Event):
    """Text around a story, for the pages of `session`, or of the campaign if that is None.

    `who` wrote a reflection. `about`, where it is set, is a moment of the session that the text is for.
    """

    kind: ClassVar[str] = "table.page-text-written"
    only_words: ClassVar[bool] = True
    sort: PageSort
    text: Words
    session: Id | None = None
    who: Id | None = None
    about: Id | None = None


class PassagePulled(Event):
    """Pull quote: words at position `at`, shown large on their session's page; `text` is the shown part."""

    kind: ClassVar[str] = "table.passage-pulled"
    only_words: ClassVar[bool] = True
    at: Id
    text: Words | None = None


class NarrationOverruled(Anywhere):
    """Narration at position `narration` struck from the story, or kept with a change (`how` edit).

    `by` overruled it, `whose` had narrated it. `how` is the right used: a token paid, the game master's veto
    or edit, or `own` (about one's own party).
    """

    kind: ClassVar[str] = "table.narration-overruled"
    by: Id
    whose: Id
    narration: Id
    how: Literal["token", "veto", "own", "edit"]
    text: Words


# --- threads, places, things ------------------------------------------------------------------------------

Sort = Literal["thread", "place", "thing"]


class MatterOpened(Event):
    """New thread, place or thing to keep notes under; this event's position is its id."""

    kind: ClassVar[str] = "table.matter-opened"
    only_words: ClassVar[bool] = True
    sort: Sort
    name: Words
    text: Words | None = None


class OfMatter(Event):
    """Base class of events about the thread, place or thing that was opened at position `about`."""

    only_words: ClassVar[bool] = True
    about: Id


class MatterNoted(OfMatter):
    """Note added to a thread, place or thing, which opens it again if it was closed."""

    kind: ClassVar[str] = "table.matter-noted"
    text: Words


class MatterClosed(OfMatter):
    """A thread, place or thing was closed, being settled or gone."""

    kind: ClassVar[str] = "table.matter-closed"
    text: Words | None = None


class MatterRenamed(OfMatter):
    """Thread, place or thing given a new name."""

    kind: ClassVar[str] = "table.matter-renamed"
    name: Words


class MatterMerged(OfMatter):
    """Two entries joined: thread, place or thing `about` continues as the one opened at position `into`."""

    kind: ClassVar[str] = "table.matter-merged"
    into: Id


# --- pictures ---------------------------------------------------------------------------------------------

Use = Literal["image", "portrait", "cover", "handout"]


class PictureAdded(Event):
    """Picture added: an image or a handout with a name, a portrait of `person`, or the campaign's cover.

    `picture` is a PNG or JPEG file as a `data:` address, `alt` says what it shows, `credit` who made it.
    `about` is the position at which it was shown, unless that was when it was recorded.
    """

    kind: ClassVar[str] = "table.picture-added"
    only_words: ClassVar[bool] = True
    file_field: ClassVar[str | None] = "picture"
    use: Use
    picture: Words
    alt: Words
    name: Words | None = None
    person: Id | None = None
    credit: Words | None = None
    text: Words | None = None
    about: Id | None = None


class ColourChosen(Event):
    """Colour chosen for a person's name before what they say, as `#7a2e1d`; None for no colour."""

    kind: ClassVar[str] = "table.colour-chosen"
    only_words: ClassVar[bool] = True
    person: Id
    colour: str | None = None
    text: Words | None = None


ToldLater = Narrated | Said | Noted | SaidAside | PictureAdded
"""Events whose words, or picture, may belong to an earlier moment (`about`)."""


# --- chance -----------------------------------------------------------------------------------------------


class CardsDrawn(PersonAnywhere):
    """Cards drawn from a deck into a person's hand, in order; `purpose` is the game's word for the reason."""

    kind: ClassVar[str] = "table.cards-drawn"
    hideable: ClassVar[bool] = True
    luck: ClassVar[str | None] = "cards"
    deck: str
    cards: tuple[str, ...]
    purpose: str


class DiceRolled(Anywhere):
    """Dice rolled; `dice` is the expression, such as 2d6+1d8, `faces` the results in its order."""

    kind: ClassVar[str] = "table.dice-rolled"
    hideable: ClassVar[bool] = True
    luck: ClassVar[str | None] = "faces"
    who: Id | None = None
    dice: str
    faces: tuple[Whole, ...]
    text: Words | None = None


class TotalReached(Anywhere):
    """Total of a roll whose dice are modified, kept in part, or compared with a goal.

    `throw` is the expression, with a number for each name in it; the dice themselves are in the event before,
    unless no one `saw` them. `kept` are the places, from 1, of dice that count, where not all do. Against an
    `opponent` who has yet to throw, goal and margin are None; `under`: less is better. `instead` is the total
    of an earlier throw against the same opponent, unanswered, which counts no longer.
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
    """Dice rolled or cards drawn behind the screen: the roll is public, but `sealed` hides the results.

    The dice or cards themselves are in hidden events of the same act. The commitment in the body proves, once
    those are revealed, that they are the ones that came up then.
    """

    kind: ClassVar[str] = "table.rolled-in-secret"
    hideable: ClassVar[bool] = True
    public: ClassVar[frozenset[str]] = frozenset({"conflict", "what"})
    what: Literal["roll", "draw"]
    sealed: Words


class DeckShuffled(Anywhere):
    """Deck shuffled with the cards returned to it; the new order is unknown. `why` gives the reason."""

    kind: ClassVar[str] = "table.deck-shuffled"
    deck: str
    why: str


SHARED = kinds(vars())
"""Shared events, in order of definition."""


class Unheard(Event):
    """Stand-in for an unreadable event, while a table state is computed. Never recorded.

    Its game is not installed, or has a reason `why` it cannot read it.
    """

    kind: ClassVar[str] = "table.unheard"
    game: str
    why: str | None = None
