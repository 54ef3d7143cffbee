"""Shared verbs, available at every table; a game may override some."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, Self

from retold.journal.pictures import UNREAD, data_uri, is_data_uri
from retold.journal.visibility import is_secret_number
from retold.journal.vocabulary.base import (
    GM,
    REDACTED,
    Answer,
    Bind,
    Command,
    Event,
    Heard,
    Matter,
    Moment,
    Newcomer,
    OfPeople,
    OfSeveral,
    Person,
    SystemName,
    Value,
    Whole,
    Words,
)
from retold.journal.vocabulary.events import CastIntroduced, PageSort, Setting, Sort, Use

Text = Words | None
Data = Annotated[str, Bind.DATA]
# --- the record -------------------------------------------------------------------------------------------


class NameCampaign(Command):
    """Give the campaign its title."""

    verb: ClassVar[str] = "campaign"
    form: ClassVar[str] = "PHRASE:title [: text]"
    example: ClassVar[str] = "campaign The Salt Road"
    more_examples: ClassVar[tuple[str, ...]] = ("campaign The Drowned Bell: One winter on the estuary.",)
    title: Words
    text: Text = None


class OpenSession(Command):
    """Begin a session; name the absent with --absent."""

    verb: ClassVar[str] = "session"
    short: ClassVar[tuple[str, ...]] = ("ses",)
    form: ClassVar[str] = "[PHRASE:title] --date --absent [: text]"
    example: ClassVar[str] = "session The Long Ebb --date 2026-03-14 --absent Kit"
    more_examples: ClassVar[tuple[str, ...]] = ("session",)
    title: Text = None
    date: str | None = None
    absent: tuple[Person, ...] = ()
    text: Text = None


class SetScene(Command):
    """Begin a scene, titled with its place or time; the text says what is seen first."""

    verb: ClassVar[str] = "scene"
    short: ClassVar[tuple[str, ...]] = ("sc",)
    form: ClassVar[str] = "PHRASE:title [: text]"
    example: ClassVar[str] = "scene The harbour-master's stair: Rain since noon."
    more_examples: ClassVar[tuple[str, ...]] = ("scene The porch, late afternoon",)
    title: Words
    text: Text = None


class Cast(OfSeveral):
    """Introduce a character, name their player, or change their sheet; name= renames, alias= adds a name.

    opens= is what all hear of a secret person with their first word.
    pronouns= says how they are spoken of, forms.acc= (gen, dat …) gives their name in another case.
    """

    verb: ClassVar[str] = "cast"
    hideable: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("ca",)
    form: ClassVar[str] = "PEOPLE:who [NAME:system] KEY=VALUE… --describe [: text]"
    example: ClassVar[str] = "cast Zel bruise by=Jon clubs=4 melee=2: A smuggler, lately caught"
    more_examples: ClassVar[tuple[str, ...]] = ("cast Wolf-1+Wolf-2 health=7 ac=11: Lean and grey",)
    who: Newcomer
    also: tuple[Newcomer, ...] = ()
    system: SystemName | None = None
    by: Newcomer | None = None
    name: Text = None
    alias: Text = None
    pronouns: Text = None
    opens: Text = None
    """Phrase of a secret newcomer that becomes public with their first open act; the text is kept back."""
    forms: dict[str, Words] = {}
    """Forms of the name by case."""
    people: dict[str, Newcomer] = {}
    values: dict[str, Value | None] = {}
    describe: bool | Literal["unasked"] = False
    """`unasked` in a record of version 1, where a text described a known person without the flag."""
    text: Text = None
    version: ClassVar[int] = 2

    @classmethod
    def from_version(cls, version: int, fields: dict[str, Any]) -> dict[str, Any]:
        """Converts version 1 fields: a text then described a known person even without `--describe`."""
        return {**fields, "describe": "unasked"} if version == 1 and "text" in fields else fields

    def sayings(self) -> Iterator[Self]:
        """Yields the command without, then with `--describe`, if a version 1 record has a text."""
        if self.describe == "unasked":
            yield from (self.but({"describe": False}), self.but({"describe": True}))

    def as_recorded(self, events: Sequence[Event]) -> Command:
        """Returns the command with its text as the open phrase, if it was recorded so of a secret newcomer.

        Before 29 November 2026 the whole phrase of a secret person was shown with their first open act.
        """
        opened = any(
            isinstance(event, CastIntroduced) and is_secret_number(event.person) and event.text is not None
            for event in events
        )
        return self.but({"opens": self.text, "text": None}) if opened and self.opens is None else self

    def each(self) -> tuple[Self, ...]:
        """Splits the command into one per person; the text describes each."""
        first = self.but({"also": ()})
        return (first, *(first.but({"who": who}) for who in self.also))


class Merge(Command):
    """Merge two people of the cast who turn out to be one; they keep the second name."""

    verb: ClassVar[str] = "merge"
    form: ClassVar[str] = "NAME:person into NAME:into [: text]"
    example: ClassVar[str] = 'merge Pim into "Captain Pym": A deckhand, as everybody thought.'
    more_examples: ClassVar[tuple[str, ...]] = ("merge Stranger into Baron",)
    mistakes: ClassVar[Mapping[str, str]] = {
        "(thread|place|thing):sort NAME:gone into NAME:stays [: text]": (
            "A thread, a place or a thing is merged with its own verb:"
            ' thread "Who paid" into "Who paid the ferryman"'
        )
    }
    person: Person | None = None
    into: Person | None = None
    text: Text = None


class Retire(OfPeople):
    """Retire a character who is no longer played; nothing is lost, and `cast NAME` brings them back."""

    verb: ClassVar[str] = "retire"
    several: ClassVar[str] = "person"
    further: ClassVar[Mapping[str, str]] = {"person": "also"}
    form: ClassVar[str] = "PEOPLE:person [: text]"
    example: ClassVar[str] = "retire Zel: She takes the morning boat, and does not look back."
    more_examples: ClassVar[tuple[str, ...]] = ("retire Zel+Jon",)
    person: Person
    text: Text = None


class SetOption(Command):
    """Choose a table option, such as `ace=low`; outside a conflict name its system: `bruise.ace=low`."""

    verb: ClassVar[str] = "option"
    short: ClassVar[tuple[str, ...]] = ("op",)
    form: ClassVar[str] = "KEY=VALUE… [: text]"
    example: ClassVar[str] = "option ace=low"
    more_examples: ClassVar[tuple[str, ...]] = ("option table.telling.Zel=first",)
    values: dict[str, str]
    sets: tuple[Setting, ...] = ()
    """Values of single people, such as `table.telling.Zel=first`."""
    text: Text = None


class Rule(Command):
    """Answer a pending question, set a number, or make a house rule; the text says why, or is the rule."""

    verb: ClassVar[str] = "ruling"
    short: ClassVar[tuple[str, ...]] = ("ru",)
    form: ClassVar[str] = "[PHRASE:answer] KEY=VALUE… [: text]"
    example: ClassVar[str] = "ruling Zel: Steel before nerve."
    more_examples: ClassVar[tuple[str, ...]] = ("ruling Zel.hearts=4: She has earned it.",)
    question: str | None = None
    answer: Answer | None = None
    sets: tuple[Setting, ...] = ()
    text: Text = None


class OpenConflict(Command):
    """Open a conflict between two or more sides; the text says what is at stake."""

    verb: ClassVar[str] = "conflict"
    hideable: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("co",)
    form: ClassVar[str] = (
        "[ANY:title] [NAME:system] NAMES:sides (vs NAMES:sides)+ KEY=VALUE… [= results] [: text]"
    )
    example: ClassVar[str] = 'conflict "Out by the stair" bruise Zel vs Guards: freedom'
    more_examples: ClassVar[tuple[str, ...]] = ('conflict "The ford" Thia+Osk vs Wolf-1+Wolf-2',)
    mistakes: ClassVar[Mapping[str, str]] = {
        "ANY:words+ DICE:dice KEY=VALUE… [= results] [: text]": (
            "Dice have no name: what has no sheet is called something, and its dice stand in a key, such as"
            " conflict Hana vs Storm dice=4d6: what is at stake"
        )
    }
    title: Text = None
    system: SystemName | None = None
    sides: tuple[tuple[Newcomer, ...], ...]
    setup: dict[str, Value] = {}
    people: dict[str, Newcomer] = {}
    length: Text = None
    results: tuple[str, ...] | None = None
    text: Text = None


class End(Command):
    """End the conflict, the scene or the session; alone, the innermost conflict or scene."""

    verb: ClassVar[str] = "end"
    short: ClassVar[tuple[str, ...]] = ("e",)
    form: ClassVar[str] = "[(conflict|session|scene):what [ANY:how [NAME:winner]]] [: text]"
    example: ClassVar[str] = "end conflict stalemate"
    more_examples: ClassVar[tuple[str, ...]] = ("end session: They sleep where they fell.",)
    what: Literal["conflict", "session", "scene"] | None = None
    how: Data | None = None
    winner: Person | None = None
    text: Text = None


class Join(Command):
    """Join an open conflict, on a person's side or, with no name, as a new side."""

    verb: ClassVar[str] = "join"
    hideable: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("jo",)
    form: ClassVar[str] = "NAMES:who [with NAME:side | NAME:side] [: text]"
    example: ClassVar[str] = "join Hob Zel: He has seen enough, and comes over the rail."
    more_examples: ClassVar[tuple[str, ...]] = ("join Mara with Zel",)
    who: tuple[Newcomer, ...]
    side: Person | None = None
    text: Text = None


class Leave(Command):
    """Leave a conflict that goes on; the game's rules decide what that costs."""

    verb: ClassVar[str] = "leave"
    short: ClassVar[tuple[str, ...]] = ("lv",)
    form: ClassVar[str] = "NAMES:who [: text]"
    example: ClassVar[str] = "leave Hob: Out by the window, and not looking back."
    more_examples: ClassVar[tuple[str, ...]] = ("leave Hob+Mara",)
    who: tuple[Person, ...]
    text: Text = None


class Mark(Command):
    """Name this moment, to come back to it later."""

    verb: ClassVar[str] = "mark"
    hideable: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("m",)
    form: ClassVar[str] = "NAME:name [: text]"
    example: ClassVar[str] = "mark the-stair"
    more_examples: ClassVar[tuple[str, ...]] = ("mark the-letter --at 412",)
    name: Words
    at: Moment | None = None
    text: Text = None


# --- speech -----------------------------------------------------------------------------------------------


class Declare(Command):
    """Say what a character intends to do, before cards or dice."""

    verb: ClassVar[str] = "declare"
    hideable: ClassVar[bool] = True
    acting: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("d",)
    form: ClassVar[str] = "[NAME:who] KEY=VALUE… [: text]"
    example: ClassVar[str] = "declare Zel: I run one of them through and keep going."
    more_examples: ClassVar[tuple[str, ...]] = ("declare: The tide turns, whatever they do.",)
    mistakes: ClassVar[Mapping[str, str]] = {
        "[NAME:who] --sealed KEY=VALUE… [: text]": (
            "Nothing is declared sealed here. To hide it, add --gm or --to NAMES;"
            " to show it later: reveal MOMENT."
        )
    }
    who: Person | None = None
    setup: dict[str, Value] = {}
    text: Text = None


class Narrate(Command):
    """Tell what happens; --at names an earlier moment, --clock its time in a recording."""

    verb: ClassVar[str] = "narrate"
    hideable: ClassVar[bool] = True
    acting: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("n",)
    form: ClassVar[str] = "[NAME:who] --clock : text"
    example: ClassVar[str] = "narrate Zel: The stair goes up like kindling."
    more_examples: ClassVar[tuple[str, ...]] = ("narrate Zel --at 42: Nobody saw her go.",)
    who: Person | None = None
    at: Moment | None = None
    clock: Heard | None = None
    text: Words

    def as_recorded(self, events: Sequence[Event]) -> Command:
        """Returns the command with the game master as narrator if an event of it is by them.

        Before 30 November 2026 every sentence without a narrator told a tale that was due.
        """
        is_by_gm = self.who is None and any(getattr(event, "by", None) == GM for event in events)
        return self.but({"who": GM}) if is_by_gm else self


class Say(Command):
    """Speak in character; --at names an earlier moment, --clock its time in a recording."""

    verb: ClassVar[str] = "say"
    hideable: ClassVar[bool] = True
    acting: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("s",)
    form: ClassVar[str] = "[NAME:who] --clock : text"
    example: ClassVar[str] = "say Zel: Not today."
    more_examples: ClassVar[tuple[str, ...]] = ("say gm: The gate is shut.",)
    who: Person | None = None
    at: Moment | None = None
    clock: Heard | None = None
    text: Words


class Note(Command):
    """Write a note for yourself, or with --to table for all; --quote keeps words said at the table."""

    verb: ClassVar[str] = "note"
    hideable: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("nt",)
    form: ClassVar[str] = "[NAME:about] --quote : text"
    example: ClassVar[str] = "note Ana --quote: I roll for dignity."
    more_examples: ClassVar[tuple[str, ...]] = ("note: Ask Jon about the lantern.",)
    about: Person | None = None
    quote: bool = False
    at: Moment | None = None
    text: Words


class Aside(Command):
    """Record table talk outside the story: a joke, a question, a memory."""

    verb: ClassVar[str] = "aside"
    hideable: ClassVar[bool] = True
    form: ClassVar[str] = "[NAME:who] : text"
    example: ClassVar[str] = "aside Ana: Is that the same bridge as last time?"
    more_examples: ClassVar[tuple[str, ...]] = ("aside: Pizza is here.",)
    who: Person | None = None
    at: Moment | None = None
    text: Words


class Reveal(Command):
    """Reveal every sealed declaration here at once, or hidden moments, people or clocks."""

    verb: ClassVar[str] = "reveal"
    hideable: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("rv",)
    form: ClassVar[str] = "[MOMENTS:at] --sheet --only [: text]"
    example: ClassVar[str] = "reveal the-letter --to Ana: She finds it under the clock."
    more_examples: ClassVar[tuple[str, ...]] = ("reveal Wolf-1 --only",)
    further: ClassVar[Mapping[str, str]] = {"at": "also"}
    at: Moment | None = None
    also: tuple[Moment, ...] = ()
    sheet: bool = False
    only: bool = False
    """Only what is about the person or thing of each event; records of before reveal the whole act."""
    text: Text = None


class Overrule(Command):
    """Strike a narration: by a token, by --veto (the game master) or --own (about your own party)."""

    verb: ClassVar[str] = "overrule"
    short: ClassVar[tuple[str, ...]] = ("ov",)
    form: ClassVar[str] = "NAME:by NAME:whose --veto --own : text"
    example: ClassVar[str] = "overrule Ana Bea: Nobody has lamps here."
    more_examples: ClassVar[tuple[str, ...]] = ("overrule gm Bea --veto: The bridge is down already.",)
    by: Person
    whose: Person
    veto: bool = False
    own: bool = False
    text: Words


class Compel(Command):
    """Offer a fate point for the trouble an aspect brings."""

    verb: ClassVar[str] = "compel"
    acting: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("cp",)
    form: ClassVar[str] = "NAME:who PHRASE:aspect : text"
    example: ClassVar[str] = "compel Vera never leaves a debt: The old man wants paying now."
    more_examples: ClassVar[tuple[str, ...]] = ("compel Hob fired once: The foreman knows his face.",)
    who: Person
    aspect: Data
    by: Person | None = None
    text: Words


class Concede(Command):
    """Offer to lose on your own terms; the text is the story you offer."""

    verb: ClassVar[str] = "concede"
    acting: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("cc",)
    form: ClassVar[str] = "[NAME:who] [: text]"
    example: ClassVar[str] = "concede Vera: She leaves the ledger and takes the boy."
    more_examples: ClassVar[tuple[str, ...]] = ("concede: We let them pass.",)
    who: Person | None = None
    text: Text = None


class Accept(OfPeople):
    """Take the compel or concession that is offered."""

    verb: ClassVar[str] = "accept"
    acting: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("y",)
    form: ClassVar[str] = "[PEOPLE:who] [: text]"
    example: ClassVar[str] = "accept Hob"
    more_examples: ClassVar[tuple[str, ...]] = ("accept: So be it.",)
    who: Person | None = None
    text: Text = None


class Refuse(OfPeople):
    """Refuse the compel or concession that is offered."""

    verb: ClassVar[str] = "refuse"
    acting: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("no",)
    form: ClassVar[str] = "[PEOPLE:who] [: text]"
    example: ClassVar[str] = "refuse Vera"
    more_examples: ClassVar[tuple[str, ...]] = ("refuse Vera: Not for that.",)
    who: Person | None = None
    text: Text = None


# --- threads, places, things ------------------------------------------------------------------------------


class KeepNote(Command):
    """Base of `thread`, `place` and `thing`, which keep notes under a name."""

    hideable: ClassVar[bool] = True
    sort: ClassVar[Sort]
    what: Matter | None = None
    into: Matter | None = None
    name: Text = None
    done: bool = False
    text: Text = None


class KeepThread(KeepNote):
    """Keep a story thread by name; repeat to add a note, --done closes, name= renames, into merges two."""

    verb: ClassVar[str] = "thread"
    short: ClassVar[tuple[str, ...]] = ("th",)
    form: ClassVar[str] = "NAME:what [into NAME:into] --done KEY=VALUE… [: text]"
    example: ClassVar[str] = 'thread "Who paid the ferryman": Two coins, and neither was ours.'
    more_examples: ClassVar[tuple[str, ...]] = ('thread "Who paid the ferryman" --done: The Baron did.',)
    sort: ClassVar[Sort] = "thread"


class KeepPlace(KeepNote):
    """Keep notes on a place by name; options as for `thread`."""

    verb: ClassVar[str] = "place"
    short: ClassVar[tuple[str, ...]] = ("pl",)
    form: ClassVar[str] = "NAME:what [into NAME:into] --done KEY=VALUE… [: text]"
    example: ClassVar[str] = 'place "The Salt Gate": Shut since the flood, and watched.'
    more_examples: ClassVar[tuple[str, ...]] = ('place "The Salt Gate" name="The Broken Gate"',)
    sort: ClassVar[Sort] = "place"


class KeepThing(KeepNote):
    """Keep notes on a thing by name; options as for `thread`."""

    verb: ClassVar[str] = "thing"
    form: ClassVar[str] = "NAME:what [into NAME:into] --done KEY=VALUE… [: text]"
    example: ClassVar[str] = 'thing "The tide table": Somebody has torn out March.'
    more_examples: ClassVar[tuple[str, ...]] = ('thing "The tide table" into "The almanac"',)
    sort: ClassVar[Sort] = "thing"


# --- around the story -------------------------------------------------------------------------------------


class WritePage(Command):
    """Base of `blurb`, `content`, `epigraph` and `reflection`: texts around a story."""

    hideable: ClassVar[bool] = True
    sort: ClassVar[PageSort]
    at: Moment | None = None
    text: Words


class WriteBlurb(WritePage):
    """Say what the story is about, for those who have not read it; a later blurb takes its place."""

    verb: ClassVar[str] = "blurb"
    form: ClassVar[str] = ": text"
    example: ClassVar[str] = "blurb: Three smugglers, one tide, and a ledger that names them."
    more_examples: ClassVar[tuple[str, ...]] = (
        "blurb --at s2: They went out for salt, and came home with a war.",
    )
    sort: ClassVar[PageSort] = "blurb"


class WriteContent(WritePage):
    """Write content notes, which warn readers at the head of the story; later ones take their place."""

    verb: ClassVar[str] = "content"
    form: ClassVar[str] = ": text"
    example: ClassVar[str] = "content: Drowning, and a dog that is hurt."
    more_examples: ClassVar[tuple[str, ...]] = ("content: None this time.",)
    sort: ClassVar[PageSort] = "content"


class WriteEpigraph(WritePage):
    """Set a motto before the story; a later one takes its place."""

    verb: ClassVar[str] = "epigraph"
    form: ClassVar[str] = ": text"
    example: ClassVar[str] = "epigraph: The sea keeps no books. (A saying of the quay)"
    more_examples: ClassVar[tuple[str, ...]] = ("epigraph --at s3: What the sea takes, it keeps.",)
    sort: ClassVar[PageSort] = "epigraph"


class WriteReflection(WritePage):
    """Look back at the evening, below the story; by= says who writes, and each person has one."""

    verb: ClassVar[str] = "reflection"
    form: ClassVar[str] = "KEY=VALUE… : text"
    example: ClassVar[str] = "reflection by=Jon: I did not expect to like the harbour-master."
    more_examples: ClassVar[tuple[str, ...]] = ("reflection: The best evening so far.",)
    sort: ClassVar[PageSort] = "reflection"
    by: Person | None = None


class Pull(Command):
    """Show words of a moment large at the head of the page; the text is the part of them to show."""

    verb: ClassVar[str] = "pull"
    hideable: ClassVar[bool] = True
    form: ClassVar[str] = "MOMENT:at [: text]"
    example: ClassVar[str] = "pull 412: Not today."
    more_examples: ClassVar[tuple[str, ...]] = ("pull @-3",)
    at: Moment
    text: Text = None


# --- pictures ---------------------------------------------------------------------------------------------


class PictureCommand(Command):
    """Base of the verbs that add a picture: a PNG, JPEG or WebP file, and what it shows."""

    use: ClassVar[Use]
    hideable: ClassVar[bool] = True
    file: Words
    """Path of a file; once that is read, the picture as a `data:` address."""
    alt: Words
    name: Text = None
    who: Person | None = None
    credit: Text = None
    text: Text = None

    @property
    def called(self) -> str:
        """The file's path as typed; `The picture` in place of a `data:` address."""
        file = str(self.file)
        return "The picture" if is_data_uri(file) else file

    def with_file(self, read_file: Callable[[str], bytes]) -> Command:
        """Returns the command with the bytes of its file, as a `data:` address of no known type.

        Unchanged if it holds the picture already, or if that was redacted.
        """
        file = self.file.text
        if file is None or file == REDACTED or is_data_uri(file):
            return self
        return self.but({"file": Words(data_uri(UNREAD, read_file(file)))})


class ShowImage(PictureCommand):
    """Show a picture: a PNG, JPEG or WebP file; alt= says what is seen, --at names an earlier moment."""

    verb: ClassVar[str] = "image"
    form: ClassVar[str] = "NAME:name ANY:file KEY=VALUE… [: text]"
    example: ClassVar[str] = 'image quay quay.jpg alt="Three boats" credit="Mara Lind"'
    more_examples: ClassVar[tuple[str, ...]] = ('image stair stair.png alt="A stair in the rain" --at 42',)
    use: ClassVar[Use] = "image"
    at: Moment | None = None


class GiveHandout(PictureCommand):
    """Hand a picture out: to all, or --to some; alt= says what is on it, --at names an earlier moment."""

    verb: ClassVar[str] = "handout"
    form: ClassVar[str] = "NAME:name ANY:file KEY=VALUE… [: text]"
    example: ClassVar[str] = 'handout letter note.png alt="Come alone, in ink" --to Zel'
    more_examples: ClassVar[tuple[str, ...]] = ('handout map map.png alt="The delta, drawn by hand"',)
    use: ClassVar[Use] = "handout"
    at: Moment | None = None


class SetPortrait(PictureCommand):
    """Give a character a portrait: a PNG, JPEG or WebP file; a later portrait replaces it."""

    verb: ClassVar[str] = "portrait"
    form: ClassVar[str] = "NAME:who ANY:file KEY=VALUE… [: text]"
    example: ClassVar[str] = 'portrait Zel zel.png alt="A woman with a red scarf"'
    more_examples: ClassVar[tuple[str, ...]] = (
        'portrait Osk osk.jpg alt="A man with a net" credit="Mara Lind"',
    )
    use: ClassVar[Use] = "portrait"


class SetCover(PictureCommand):
    """Give the campaign a cover, which books and pages begin with; a later cover replaces it."""

    verb: ClassVar[str] = "cover"
    form: ClassVar[str] = "ANY:file KEY=VALUE… [: text]"
    example: ClassVar[str] = 'cover road.png alt="A road at night" credit="Mara Lind"'
    more_examples: ClassVar[tuple[str, ...]] = ('cover bell.jpg alt="A bell under water"',)
    use: ClassVar[Use] = "cover"


class ChooseColour(Command):
    """Give a character's name a colour where it comes before their speech; none takes it back."""

    verb: ClassVar[str] = "tint"
    hideable: ClassVar[bool] = True
    form: ClassVar[str] = "NAME:who ANY:colour [: text]"
    example: ClassVar[str] = "tint Zel #7a2e1d"
    more_examples: ClassVar[tuple[str, ...]] = ("tint Zel none",)
    who: Person
    colour: Data
    text: Text = None


# --- harm -------------------------------------------------------------------------------------------------


class Clear(OfPeople):
    """Clear harm from a track outside conflicts: all of it, or a number of points."""

    verb: ClassVar[str] = "clear"
    short: ClassVar[tuple[str, ...]] = ("cl",)
    form: ClassVar[str] = "PEOPLE:who NAME:track [INT:n] [: text]"
    example: ClassVar[str] = "clear Hana social 2: She pays for the broken window."
    more_examples: ClassVar[tuple[str, ...]] = ("clear Gatto cool",)
    who: Person
    track: Data
    n: Whole | None = None
    text: Text = None


# --- chance -----------------------------------------------------------------------------------------------


class Draw(Command):
    """Draw cards, a number or for traits; after = stand real cards, else Retold deals."""

    verb: ClassVar[str] = "draw"
    hideable: ClassVar[bool] = True
    acting: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("dr",)
    form: ClassVar[str] = "[NAME:who [INT:count | TRAITS:traits]] [= results] [: text]"
    example: ClassVar[str] = "draw Zel clubs+melee = JH JD 10S 7C 4C 3D"
    more_examples: ClassVar[tuple[str, ...]] = ("draw Guards 4",)
    who: Person | None = None
    count: Whole | None = None
    traits: tuple[Data, ...] = ()
    results: tuple[str, ...] | None = None
    text: Text = None


class Roll(OfPeople):
    """Roll dice, against a number or a person; after = stand real dice, or total and their sum."""

    verb: ClassVar[str] = "roll"
    hideable: ClassVar[bool] = True
    acting: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("r",)
    form: ClassVar[str] = (
        "[PEOPLE:who] [DICE:dice [(adv|dis):twice] [(vs|under):against (INT:target | NAME:opponent)]]"
        " [= results] [: text]"
    )
    example: ClassVar[str] = "roll Vera 2d6+1 vs 9 = 3 5"
    more_examples: ClassVar[tuple[str, ...]] = ("roll 2d6",)
    who: Person | None = None
    dice: Data | None = None
    twice: Literal["adv", "dis"] | None = None
    against: Literal["vs", "under"] | None = None
    target: Whole | None = None
    opponent: Person | None = None
    results: tuple[str, ...] | None = None
    text: Text = None
    unsummed: bool = False
    """True in a record of version 1, in which plain dice have no total."""
    version: ClassVar[int] = 2

    @classmethod
    def from_version(cls, version: int, fields: dict[str, Any]) -> dict[str, Any]:
        """Converts version 1 fields: plain dice were then not added up."""
        return {**fields, "unsummed": True} if version == 1 and "dice" in fields else fields


class Shuffle(Command):
    """Shuffle a deck, if none of its cards lie on the table."""

    verb: ClassVar[str] = "shuffle"
    short: ClassVar[tuple[str, ...]] = ("sh",)
    form: ClassVar[str] = "[NAME:who]"
    example: ClassVar[str] = "shuffle Zel"
    more_examples: ClassVar[tuple[str, ...]] = ("shuffle",)
    who: Person | None = None


# --- about the line itself --------------------------------------------------------------------------------


class Undo(Command):
    """Undo the last act, or several; nothing is erased."""

    verb: ClassVar[str] = "undo"
    short: ClassVar[tuple[str, ...]] = ("u",)
    form: ClassVar[str] = "[INT:acts]"
    example: ClassVar[str] = "undo"
    more_examples: ClassVar[tuple[str, ...]] = ("undo 3",)
    manages: ClassVar[bool] = True
    acts: Whole = 1


class Redo(Command):
    """Redo undone acts, until something new is recorded."""

    verb: ClassVar[str] = "redo"
    form: ClassVar[str] = "[INT:acts]"
    example: ClassVar[str] = "redo"
    more_examples: ClassVar[tuple[str, ...]] = ("redo 2",)
    manages: ClassVar[bool] = True
    acts: Whole = 1


class Branch(Command):
    """Fork a branch at a moment (default now) and write to it; players see it only with --to."""

    verb: ClassVar[str] = "branch"
    hideable: ClassVar[bool] = True
    short: ClassVar[tuple[str, ...]] = ("br",)
    form: ClassVar[str] = "NAME:name [MOMENT:at] [: text]"
    example: ClassVar[str] = "branch kinder the-stair"
    more_examples: ClassVar[tuple[str, ...]] = ("branch promote kinder",)
    manages: ClassVar[bool] = True
    name: Words
    at: Moment | None = None
    text: Text = None


class Switch(Command):
    """Write to another line from now on."""

    verb: ClassVar[str] = "switch"
    short: ClassVar[tuple[str, ...]] = ("sw",)
    form: ClassVar[str] = "NAME:branch"
    example: ClassVar[str] = "switch mainline"
    more_examples: ClassVar[tuple[str, ...]] = ("switch kinder",)
    manages: ClassVar[bool] = True
    branch: Words


class Retcon(Command):
    """Change a moment's words, or with --as the act itself, on a new branch decided again from there.

    Other words: retcon 412: It was the left hand. Another act: retcon 412 --as roll Oda 1d20+4 = 17. Without
    the act: retcon 412 --drop. With the moment alone, the console offers the line as it is recorded.
    """

    verb: ClassVar[str] = "retcon"
    short: ClassVar[tuple[str, ...]] = ("rt",)
    form: ClassVar[str] = "MOMENT:at --as --ruling --drop [: text]"
    example: ClassVar[str] = "retcon 412: It was the left hand."
    more_examples: ClassVar[tuple[str, ...]] = ('retcon 412 --as "roll Vera 2d6+1 vs 9 = 6 5"',)
    manages: ClassVar[bool] = True
    at: Moment
    ruling: Data | None = None
    drop: bool = False
    text: Text = None


class Fix(Command):
    """Correct a mistyped card or die of the last draw or roll, or at a moment; shows changes, then asks.

    The last draw or roll: fix = JH JD 10S. If the table leaves what happened as it was: fix 412 --keep = JH
    JD 10S: why. Without results, the console offers the line with those recorded.
    """

    verb: ClassVar[str] = "fix"
    form: ClassVar[str] = "[MOMENT:at] --ruling --keep --drop [= results] [: text]"
    example: ClassVar[str] = "fix 412 = JH JD 10S"
    more_examples: ClassVar[tuple[str, ...]] = ("fix = 3 6",)
    manages: ClassVar[bool] = True
    at: Moment | None = None
    results: tuple[str, ...] | None = None
    ruling: Data | None = None
    keep: bool = False
    drop: bool = False
    text: Text = None


class Redact(Command):
    """Erase words of a moment for good (--word: one text), or with --person every name of a person."""

    verb: ClassVar[str] = "redact"
    form: ClassVar[str] = "[MOMENT:at] --person --word [: text]"
    example: ClassVar[str] = "redact 412"
    more_examples: ClassVar[tuple[str, ...]] = ("redact --person Jon",)
    manages: ClassVar[bool] = True
    at: Moment | None = None
    person: Person | None = None
    word: Whole | None = None
    text: Text = None


SHARED: tuple[type[Command], ...] = (
    NameCampaign,
    OpenSession,
    SetScene,
    Cast,
    Merge,
    Retire,
    SetOption,
    Rule,
    OpenConflict,
    Join,
    Leave,
    End,
    Mark,
    Declare,
    Narrate,
    Say,
    Note,
    Aside,
    KeepThread,
    KeepPlace,
    KeepThing,
    WriteBlurb,
    WriteContent,
    WriteEpigraph,
    WriteReflection,
    Pull,
    ShowImage,
    GiveHandout,
    SetPortrait,
    SetCover,
    ChooseColour,
    Reveal,
    Overrule,
    Compel,
    Concede,
    Accept,
    Refuse,
    Clear,
    Draw,
    Roll,
    Shuffle,
)
"""Shared verbs decided at the table."""

OF_SOME_GAMES: tuple[type[Command], ...] = (Compel, Concede, Accept, Refuse, Clear, Draw, Shuffle)
"""Shared verbs that are of use only in a game that decides them, or what they answer."""

ANSWERED_BY: Mapping[type[Command], tuple[type[Command], ...]] = dict.fromkeys(
    (Accept, Refuse), (Compel, Concede)
)
"""Verbs that answer an offer, each with the verbs that make one."""


def extended(command: type[Command]) -> type[Command] | None:
    """Shared command that a game's command extends with its own form; None if it extends none."""
    return next((base for base in command.__mro__[1:] if base in SHARED and base.verb == command.verb), None)


LINE_VERBS: tuple[type[Command], ...] = (Undo, Redo, Branch, Switch, Retcon, Fix, Redact)
"""Verbs about the line itself, executed by the store."""
