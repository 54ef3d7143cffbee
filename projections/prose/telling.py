"""Building blocks of voices: an event to be told, tagged sentences, and each game's rules for telling."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache, lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from retold.journal import marks
from retold.journal.table import UNNAMED_GM, OpenConflict, Somebody, Table
from retold.journal.vocabulary.base import GM, Event, Frozen, Words, values_of
from retold.projections import plain
from retold.projections.plain.lives import lookup_at
from retold.projections.prose.articles import article_of, no_name
from retold.projections.prose.phrases import ENGLISH, Phrases, agreement
from retold.projections.reading import Ids, Moment

if TYPE_CHECKING:
    from retold.projections.prose.phrases.sandbox import Value


class Tag(StrEnum):
    """Type of a sentence. The first eight hold a person's own words, which are never changed."""

    NARRATION = "narration"
    DECLARATION = "declaration"
    SPEECH = "speech"
    NOTE = "note"
    QUOTE = "quote"
    RULING = "ruling"
    EDIT = "edit"
    ASIDE = "aside"
    """Table talk outside the story."""
    GENERATED = "generated"
    """Generated sentence in place of a narration."""
    NOTATION = "notation"
    """Spoken words in notation, by the voice `plain`."""
    MECHANICS = "mechanics"
    """Cards, dice and numbers; not part of the story."""
    PICTURE = "picture"
    """What a picture shows, in its place."""
    RIBBON = "ribbon"
    """Status line: the state of all when a turn ends; added outside the voices."""


class Sentence(NamedTuple):
    """Sentence with its tag (kind of words), its speaker, and `manner`, a phrase for speaking (`declares`).

    `cue` is the part of the manner a story needs, such as the skill tried. A sentence that `yields` is left
    out if an actual narration follows.
    """

    tag: Tag
    text: str
    speaker: int | None = None
    manner: str = ""
    cue: str = ""
    yields: bool = False
    if_used: bool = False
    """True for a wording that a story tells only if a later text of the scene uses a word of it."""
    led: str = ""
    """Text in running text, behind words of Retold's: `At stake: the rope.`; empty for `text` itself."""
    led_present: str = ""
    """The same in a scene told in the present tense; empty for `led`."""
    stakes: bool = False
    """True for the stakes of a conflict."""
    opens: bool = False
    """True for words that begin a paragraph of a story, such as a clock's."""
    beside: tuple[int, ...] = ()
    """Other people named by the command, acting with the speaker."""
    about: int | None = None
    """Subject of words without a speaker, such as a person who is hurt."""


Sentences = tuple[Sentence, ...]

SILENCE: Final[Sentences] = ()
"""Explicit empty result, for events a voice does not tell."""


class Called(Mapping[int, str]):
    """Names by person number, read from the table state at each lookup."""

    __slots__ = ("_table",)

    def __init__(self, table: Table) -> None:
        self._table = table

    def __getitem__(self, person: int) -> str:
        return self._table.people[person].called

    def __iter__(self) -> Iterator[int]:
        return iter(self._table.people)

    def __len__(self) -> int:
        return len(self._table.people)


class Telling(Struct, frozen=True):
    """Input of a voice: an event with its table state, names of people just before it, ids and phrases."""

    moment: Moment
    names: Mapping[int, str]
    ids: Ids
    phrases: Phrases = ENGLISH
    follows: type[Event] | None = None
    """Kind of the previous event in the same act; None for the first."""
    present: bool = False
    """True to tell in the present tense."""
    out: Collection[int] = frozenset()
    """People who were put out of a fight of the scene."""
    by: int | None = None
    """Who did the harm that the event tells, if known."""
    tellers: Collection[int] = frozenset()
    """Who narrated a part of the outcome that the event tells."""
    told: Collection[int] = frozenset()
    """People whom they named."""
    purpose: str = ""
    """What the roll of an attempt is for, if that is a word or two: `stealth`."""
    is_proper: Callable[[str], bool] = no_name
    """Returns True for a role that is a name in the table's words, without an article: `says Miller`."""
    numbered: bool = True
    """False for Retold's sentences alone: mechanics have no text."""

    @property
    def in_present(self) -> Telling:
        """The same in the present tense."""
        return replace(self, present=True)

    @property
    def verb(self) -> str:
        """Verb of the command that recorded the event; empty if the event is not the command's first."""
        return str((self.moment.recorded.command or {}).get("kind", ""))

    @property
    def beside(self) -> tuple[int, ...]:
        """Other people named in the event's command; empty if the event is not the command's first."""
        also = (self.moment.recorded.command or {}).get("also", ())
        return tuple(person for person in also if isinstance(person, int))

    def who(self, person: int) -> str:
        """Returns a person's name for use inside a sentence (`the game master` for one without a name).

        In a language other than English, an article at its beginning has a small letter. It is a `PersonName`
        for a person with pronouns, or with forms of this name.
        """
        return self.phrases.language.inside(self._named(person))

    def _named(self, person: int) -> str:
        known = self.names.get(person)
        if person == GM and known in (None, UNNAMED_GM):
            return self.say("names.gm")
        if known is None:
            return self.say("names.somebody", number=person)
        if one_of_many := numbered(known, self.names.values(), self.phrases, map(self.names.get, self.out)):
            return one_of_many
        somebody = self.moment.table.people.get(person)
        if somebody is None or somebody.called != known:
            return known
        takes_article = self.article(somebody) == "the"
        return (takes_article and self.say("names.role", role=known)) or somebody.named

    def article(self, somebody: Somebody) -> str:
        """Returns the article of a person who is named by a role alone (`the` warden); else empty."""
        found = article_of(somebody, self.moment.table)
        return "" if found and self.is_proper(somebody.called) else found

    def in_groups(self, people: Iterable[int]) -> list[str]:
        """Returns names for a first sentence: several with a number are `four goblins`, others as `who`."""
        found: list[str] = []
        for kind, same in groupby(people, self.kind):
            names = [self.who(person) for person in same]
            several = group(kind, len(names), self.phrases)
            found += [several] if several else names
        return found

    def kind(self, person: int) -> str:
        """Returns what a person is one of, if they have a number: `Goblin` for Goblin-2; else empty."""
        known = self.names[person]
        return "" if self.who(person) == known else _kind(known)

    def subject(self, person: int) -> str:
        """Returns a person's name for the beginning of a sentence, capitalised if necessary."""
        found = self._begun(self._named(person))
        return found if found == self.names.get(person) else self.phrases.language.capitalised(found)

    def say(self, key: str, **values: Value) -> str:
        """Returns phrase `key` of this voice, with values filled in."""
        return self.phrases.say(key, **{"present": self.present, **values})

    def ours(self, key: str, **values: Value) -> Sentences:
        """Returns a generated sentence from phrase `key`; no sentence if this voice's phrase is empty."""
        phrase = self.say(key, **values)
        text = self.phrases.language.capitalised(self._begun(phrase))
        return (Sentence(Tag.GENERATED, text),) if phrase.strip() else SILENCE

    def _begun(self, text: str, nameless: str | None = None) -> str:
        """Returns `text`, capitalised if it begins with “the game master”, the only name in lower case."""
        if text[:1].isupper():
            return text
        nameless = self.say("names.gm") if nameless is None else nameless
        begins = nameless and text.startswith(nameless)
        return f"{text[:1].upper()}{text[1:]}" if begins else text

    def notation(self, *, texts: bool = True, places: bool = True) -> str:
        """Returns the event in notation, which is English, without the source of its dice or cards.

        `texts` False omits `text`; `places` False omits event positions, which matter only for audits. While
        several conflicts are open, the end of a turn names its own.
        """
        event = self.moment.event
        payload, kept = body(event)
        if not texts:
            payload.pop("text", None)
        conflict = getattr(event, "conflict", None)
        is_english = self.phrases.language == ENGLISH.language
        nameless = (self.phrases if is_english else ENGLISH).say("names.gm")
        names = self.names if self.names.get(GM) != UNNAMED_GM else {**self.names, GM: nameless}
        line = plain.line(
            event.kind,
            payload,
            kept.__getitem__,
            names,
            place=self.ids.place if places else lambda _: "",
            conflict=None if event.closing and len(self.moment.table.conflicts) > 1 else conflict,
            known=True,
            lookup=lookup_at(self.moment.table, self.ids),
        )
        return self._begun(line, nameless)

    def numbers(self, *, texts: bool = False) -> Sentence:
        """Returns the event's mechanics (cards, dice, numbers) as a sentence in notation.

        Its text is left out, since it is told in words; with `texts` it is kept.
        """
        return Sentence(Tag.MECHANICS, self.notation(texts=texts, places=False) if self.numbered else "")

    def with_numbers(self, text: Words | None, told: Sentences) -> Sentences:
        """Returns what an event's text is told as and its mechanics; a label belongs to the latter alone."""
        return (self.numbers(texts=True),) if is_label(text) else (*told, self.numbers())


_NUMBERED: Final = re.compile(r"(.*[^\W\d_])[- ](\d\d?)")


def _kind(name: str) -> str:
    found = _NUMBERED.fullmatch(name)
    return "" if found is None else found[1]


def group(kind: str, count: int, phrases: Phrases) -> str:
    """Returns what several of a kind are called: `two goblins`; empty without a kind or a number for it."""
    number = phrases.say("names.numbers").split(", ")[count - 2 : count - 1] if kind and count > 1 else []
    if not any(number):
        return ""
    return phrases.say("names.group", number=number[0], kind=kind, kinds=agreement.plural(kind))


def numbered(name: str, names: Iterable[str], phrases: Phrases, out: Iterable[str | None] = ()) -> str:
    """Returns what a story calls one of several people with a number: `the second goblin` for Goblin-2.

    It is `the goblin` if the others are all `out`. Empty for another name, for a number without a word in
    `names.ordinals`, and in voices without these.
    """
    found = _NUMBERED.fullmatch(name)
    if found is None or not (ordinals := phrases.say("names.ordinals")):
        return ""
    kind, number, words_ = found[1], int(found[2]), ordinals.split(", ")
    others = {other for other in names if other != name and _kind(other) == kind}
    if not 0 < number <= len(words_) or not others:
        return ""
    return phrases.say("names.numbered", kind=kind, ordinal=words_[number - 1], last=others.issubset(out))


def body(event: Event) -> tuple[dict[str, Any], list[str | None]]:
    """Returns an event's public fields in stored form, and a list of its texts.

    Each text in the fields is a reference `{"~": index}` into that list.
    """
    texts: list[str | None] = []
    shown = {}
    for key in _shown(type(event)):
        value = getattr(event, key)
        if value is not None:
            shown[key] = value if type(value) in _AS_IT_IS else _plain(value, texts)
    return shown, texts


_AS_IT_IS: Final = frozenset({str, int, bool})


@cache
def _shown(kind: type[Event]) -> tuple[str, ...]:
    """Returns names of the public fields of an event kind."""
    face = kind.face()
    return tuple(key for key in kind.__struct_fields__ if key in face)


def _plain(value: object, texts: list[str | None]) -> object:
    if isinstance(value, Words):
        texts.append(value.text)
        return {"~": len(texts) - 1}
    if isinstance(value, tuple):
        return [item if type(item) in _AS_IT_IS else _plain(item, texts) for item in value]
    fields = values_of(value).items() if isinstance(value, Frozen) else None
    return value if fields is None else {key: _plain(one, texts) for key, one in fields if one is not None}


Teller = Callable[[Any, Telling], Sentences]
"""Function that tells events of one class."""


class Due(NamedTuple):
    """People who may narrate an outcome (`tellers`); one of them is enough unless `each` is set.

    If not `owed`, it is optional: a narration replaces the generated sentence. `tells_for` maps people to the
    person whose part they may narrate, such as an ally. `announced_by` is the person whose announced intent
    came true, so that its words narrate the outcome. With `in_deed`, the text of the next act narrates it as
    well, if it carries the outcome out. With `lasts`, it may be narrated until its conflict ends, and the
    generated sentence stays beside a narration, which may be about something else. With `in_parts`, a
    narration tells what its teller did, and what came to people whom it names; Retold tells the rest.
    """

    tellers: tuple[int, ...]
    each: bool = False
    owed: bool = True
    tells_for: Mapping[int, int] = {}
    announced_by: int | None = None
    in_deed: bool = False
    lasts: bool = False
    in_parts: bool = False


NOT_DUE: Final = Due((), each=True)
"""No narration is due: the event needs none, or has been told."""


class Beat(NamedTuple):
    """Weight of an event in a story, from 0 to 3, and the reason: 3 decides, 2 turns, 1 is told at length."""

    weight: int
    why: str


How = Literal["", "light", "hard"]
"""How badly a person was hurt."""


def how_hard(lost: int, whole: int) -> How:
    """Returns how badly a loss hurts: half of the whole or more is hard, a sixth or less is light."""
    return "hard" if lost * 2 >= whole else "light" if lost * 6 <= whole else ""


class Harm(NamedTuple):
    """Harm to a person: its author `by`, if known, and its severity `how`."""

    who: int
    by: int | None = None
    how: How = ""
    what: str = ""
    """What was lost or taken, in the voice's words, such as strain; empty for a wound."""
    grows: bool = False
    """True if `what` was taken and not lost."""
    turn: int | None = None
    """Opponent whose turn it is, who did it if the person hurt rolled in that turn."""
    is_corrected: bool = False
    """True for harm that was forgotten: the last one to hit the person did it."""
    is_measured: bool = True
    """False for a hit whose damage may follow."""
    is_out: bool = False
    """True if it put the person out."""
    is_missed: bool = False
    """True for a blow that did no harm."""
    is_of_body: bool = True
    """False for harm to composure, standing or the like."""
    means: str = ""
    """What it was done with, such as an axe; empty if unknown."""
    said: str = ""
    """The game's own sentence on it, such as on a condition; empty for Retold's."""
    said_in_present: str = ""
    """The same in the present tense."""


class Game(Struct, frozen=True):
    """Rules for telling the events of one game, by event kind."""

    tellers: Mapping[type[Event], Teller]
    """Tellers by event kind; other kinds hold no words and are told as mechanics."""
    due: Mapping[type[Event], Callable[[Any, Telling], Due]] = field(default_factory=dict)
    """Event kinds with outcomes to narrate, and functions that name the narrators."""
    turn_ends: frozenset[type[Event]] = frozenset()
    """Event kinds that end a turn, so that later narration is about the next one."""
    orders: frozenset[type[Event]] = frozenset()
    """Event kinds that set the turn order; their numbers precede the words of the person whose turn it is."""
    rounds: frozenset[type[Event]] = frozenset()
    """Event kinds that begin a round; their own words belong to it."""
    wordings: Mapping[type[Event], Callable[[Any, Telling], Sentences]] = field(default_factory=dict)
    """Event kinds that word a fact of the story, and how a story tells it without numbers."""
    fragments: frozenset[type[Event]] = frozenset()
    """Event kinds whose words are incomplete alone, such as a roll's purpose."""
    concessions: frozenset[type[Event]] = frozenset()
    """Event kinds that end a conflict by concession, so that no further sentence says so."""
    decisions: Mapping[type[Event], Callable[[Any], bool]] = field(default_factory=dict)
    """Event kinds that win a conflict if the function is true, so that no further sentence says so."""
    announced: frozenset[type[Event]] = frozenset()
    """Event kinds in which a person (`who`) states their intent in words (`text`)."""
    narrated: frozenset[type[Event]] = frozenset()
    """Event kinds whose text is narration, regardless of its author."""
    beats: Mapping[type[Event], Callable[[Any, Telling], Beat | None]] = field(default_factory=dict)
    """Event kinds that weigh in a story, and functions that say how much and why; None for no weight."""
    never_silent: frozenset[type[Event]] = frozenset()
    """Event kinds that Retold tells without a narration, of any weight, such as lasting harm."""
    checks: Mapping[type[Event], Callable[[Any, Telling], bool]] = field(default_factory=dict)
    """Event kinds that are a person's attempt (`who`) if the function is true; Retold tells untold ones."""
    harms: Mapping[type[Event], Callable[[Any, Telling], Harm | None]] = field(default_factory=dict)
    """Event kinds that may hurt a person, and functions to that person; Retold tells untold ones."""
    wishes: frozenset[type[Event]] = frozenset()
    """Event kinds in which a person (`who`) says (`text`) what comes about if they win."""
    standing: Callable[[OpenConflict, Telling], Sentences] | None = None
    """Says the state of a conflict that ends without a winner; None if no side can be ahead."""
    notes: Mapping[type[Event], str] = field(default_factory=dict)
    """Phrase before a note recorded in one act with this kind, if it says more than a note."""


def always(weight: int, why: str) -> Callable[[Any, Telling], Beat | None]:
    """Returns a function that gives every event of a kind this weight, for this reason."""
    beat = Beat(weight, why)
    return lambda _event, _telling: beat


def words(tag: Tag, text: Words | None, speaker: int | None, manner: str = "") -> Sentences:
    """Returns a sentence with a person's own words; empty if `text` is None."""
    return SILENCE if text is None else (Sentence(tag, str(text), speaker, manner),)


def led(sentence: Sentence, key: str, telling: Telling, **values: Value) -> Sentence:
    """Returns a person's own words behind words of Retold's in running text: phrase `key`, in both tenses.

    Unchanged without a key, and with a phrase that is empty.
    """
    past, present = (
        as_sentence(told.say(key, **values) if key else "") for told in (telling, telling.in_present)
    )
    return sentence._replace(led=past, led_present=present)


def is_label(text: Words | None) -> bool:
    """True for words that are not a sentence, and belong to the number beside them: `off the bailiffs`."""
    typed = "" if text is None else str(text)
    return typed[:1].islower() and typed[-1:].isalnum()


def opening_words(text: Words | None) -> Sentences:
    """Returns narration that begins a paragraph of a story; empty if `text` is None."""
    return tuple(sentence._replace(opens=True) for sentence in words(Tag.NARRATION, text, None))


def as_sentence(text: str) -> str:
    """Returns a wording as a sentence: `cut off` → `Cut off.`; text that ends in a sign gets no full stop."""
    ended = f"{text}." if marks.plain(text)[-1:].isalnum() else text
    at = len(text) - len(text.lstrip("*_"))
    return f"{ended[:at]}{ended[at : at + 1].upper()}{ended[at + 1 :]}"


_ENOUGH_FOR_A_CAUSE: Final = 4
"""Words from which a purpose is an act; fewer name it (`the lock`)."""

_PRONOUN: Final = re.compile(r"(?i)\b(?:i|you|he|she|it|we|they|me|him|her|us|them|this|that)\b")


_TYPED_AS_A_SENTENCE: Final = re.compile(r"[^\W\d_a-z].*\s.*[.!?\u2026]", re.DOTALL)


_ROLL: Final = re.compile(r"(?i)\b(?:attack|check|save|saving throw)s?\W*\Z")
"""The name of a roll, which ends a purpose: `Sneak attack.`."""

_SAVE: Final = re.compile(r"(?i)\b(?:save|saving throw)\W*\Z")


def gives_a_cause(purpose: str) -> bool:
    """True for a purpose that a story needs: long enough, or typed as a sentence (`Shoulder first.`)."""
    return says_what_is_done(purpose) or (
        _TYPED_AS_A_SENTENCE.fullmatch(purpose.strip()) is not None and _ROLL.search(purpose) is None
    )


def tried_with(purpose: str, telling: Telling) -> str:
    """Returns what somebody tries with a roll: `stealth`, and `to resist` for a saving throw (`wis save`).

    Empty for a skill of which `skilled` says what came of it.
    """
    tried = telling.say("label.to-resist") if _SAVE.search(purpose) else purpose.partition(": ")[0]
    return "" if skilled(purpose, "", "", telling, passed=True) else tried


def skilled(purpose: str, who: str, whom: str, telling: Telling, *, passed: bool) -> str:
    """Returns what came of an attempt whose purpose is a skill: `Nim was not noticed`; empty for others."""
    typed, _, other = purpose.partition(": ")[0].partition(" against ")
    key = telling.phrases.skills.get(typed.casefold().rstrip(".!"), "")
    said = telling.say(key, who=who, whom=whom or other, passed=passed) if key else ""
    return said.partition(": ")[2]


def says_what_is_done(text: str) -> bool:
    """True for a text that needs no name of what is tried: four words or more, or a pronoun among them."""
    return len(text.split()) >= _ENOUGH_FOR_A_CAUSE or _PRONOUN.search(text) is not None


_OF_US: Final = re.compile(
    r"\b(?i:me|my|mine|myself|we|our|ours|ourselves)\b|\b[Uu]s\b"
    r"|\b(?:[Ii]ch|[Ww]ir|[Jj]e|[Nn]ous|[Ii]k|[Ww]ij)\b|\b[Jj][\u2019'](?=[^\W\d_])"
)
"""First persons in English but `I`; I and we in German, French and Dutch, which say them with each verb."""

_I: Final = re.compile(r"(?<![\w.\u2010-])I(?!\w|[\u2010-]\w|\.\w)")
_COUNTED: Final = re.compile(
    r"(?i:war|part|act|chapter|book|volume|vol\.|scene|episode|section|mark|phase|stage|type|class|level|tier"
    r"|grade|model|no\.|number|king|queen|pope|emperor|elizabeth|charles|james|napoleon|wilhelm)\s+$"
)
"""Text before the Roman numeral I."""
_AS_A_NUMBER: Final = re.compile(r"\s*(?:[\u2013/&]|and|to|or|,)\s*[IVX]+\b|\s+(?:is|has|does)\b")
"""Text after the Roman numeral I: `I and II`, `I is`."""
_LIST_BEFORE: Final = re.compile(r"(?:^|\n|\()\s*$")
_CAPITAL_BEFORE: Final = re.compile(r"\b[^\W\d_a-z]\w+\s$")

_QUOTED: Final = re.compile(
    r'"[^"]*"'
    r"|(?<![\w'])''(?=[^\s'])[^\n]{0,2000}?(?<=[^\s'])''(?!['\w])"
    r"|\u201c[^\u201d]*(?:\u201d|\Z)|\u201d[^\u201d]*\u201d|\u201e[^\u201c\u201d]*(?:[\u201c\u201d]|\Z)"
    r"|\u00ab[^\u00bb]*(?:\u00bb|\Z)|\u00bb[^\u00ab]*(?:\u00ab|\Z)"
    r"|\u2039[^\u2039\u203a]*\u203a|\u203a[^\u2039\u203a]*\u2039|\u201a[^\u201a\u2018]*\u2018"
    r"|\u300c[^\u300d]*(?:\u300d|\Z)|\u300e[^\u300f]*(?:\u300f|\Z)"
    r"|\u2018(?:[^\u2018\u2019\n]|\u2019\w){0,300}+\u2019(?!\w)"
    r"|(?<!\w)'(?!\s)(?:[^'\n]|'\w){0,200}+(?<!\s)'(?!\w)"
    r"|(?:^|(?<=\n))[^\S\n]*[\u2014\u2015][^\n]*"
)
"""Speech in the quotation marks of several languages, or after a dash at the beginning of a paragraph."""


@lru_cache(maxsize=256)  # asked about a text by several judges of it
def in_first_person(text: str) -> bool:
    """True if the text says I or we outside of quotation marks; the Roman numeral I is neither."""
    told = unquoted(text)
    return _OF_US.search(told) is not None or any(not _is_numeral(told, found) for found in _I.finditer(told))


def says_i_or_we(text: str) -> bool:
    """True if I or we is the subject outside of quotation marks: not in `Stay behind me, child`."""
    return in_first_person(_OBJECTS.sub(" ", unquoted(text)))


_OBJECTS: Final = re.compile(r"\b(?:(?i:me|my|mine|myself|our|ours|ourselves)|[Uu]s)\b")


def _is_numeral(text: str, found: re.Match[str]) -> bool:
    """True if an I is a Roman numeral or begins an item of a list."""
    before, after = text[: found.start()], text[found.end() :]
    if _COUNTED.search(before) or _AS_A_NUMBER.match(after):
        return True
    ends = re.match(r"[.):]", after) is not None
    return (ends and _LIST_BEFORE.search(before) is not None) or (
        re.match(r"[.,;:!?)]|\s*$", after) is not None and _CAPITAL_BEFORE.search(before) is not None
    )


def unquoted(text: str) -> str:
    """Returns a text without its speech, in the quotation marks of any language."""
    return _QUOTED.sub(" ", text)


def told_of(who: int, text: Words | None, telling: Telling) -> Sentences:
    """Returns words typed with a change of a person as narration; in first person, told by that person.

    Of a person without a player, the game master says I.
    """
    if text is None:
        return SILENCE
    is_played = telling.moment.table.people[who].player is not None
    if is_played and in_first_person(str(text)):
        return words(Tag.NARRATION, text, who)
    return tuple(sentence._replace(about=who) for sentence in words(Tag.NARRATION, text, None))


_ASKS: Final = re.compile(r"(?i)(?:does|do|did|is|are|was|were|will|can|could|would|has|have)\s")


def stakes_as_sentence(stakes: str) -> str:
    """Returns stakes as a sentence, a question with its sign: `does it ring` → `Does it ring?`."""
    words_ = marks.plain(stakes)
    return as_sentence(f"{stakes}?" if words_[-1:].isalnum() and _ASKS.match(words_) else stakes)


def said(tag: Tag, manner: str = "", *, by_nobody: bool = False) -> Teller:
    """Returns a teller (function from event to sentences) of an event's text, spoken by `who` if given.

    `manner` is the key of a phrase such as `declares`.
    """
    return lambda event, telling: words(
        tag, event.text, None if by_nobody else event.who, telling.say(manner) if manner else ""
    )


def with_numbers(teller: Teller) -> Teller:
    """Returns a teller that appends mechanics (cards, dice, numbers) to the sentences of `teller`."""
    return lambda event, telling: (*teller(event, telling), telling.numbers())


def after_numbers(teller: Teller) -> Teller:
    """Returns a teller of mechanics (cards, dice, numbers), then the sentences of `teller`."""
    return lambda event, telling: (telling.numbers(), *teller(event, telling))


def own_words(manner: str = "") -> Teller:
    """Returns a teller of an event's text, if any, then its mechanics (cards, dice, numbers).

    `manner` is the key of a phrase such as `declares`.
    """
    return with_numbers(said(Tag.DECLARATION, manner))


def in_words(manner: str, ours: Teller | str) -> Teller:
    """Returns a teller of an event's text, or of a generated sentence if it has none, then its mechanics.

    `ours` is a teller of that sentence, or a phrase key whose phrase gets the value `who`.
    """
    theirs = said(Tag.DECLARATION, manner)

    def tell(event: Any, telling: Telling) -> Sentences:  # noqa: ANN401 -- several kinds
        if found := theirs(event, telling):
            return found
        return (
            telling.ours(ours, who=telling.who(event.who)) if isinstance(ours, str) else ours(event, telling)
        )

    return with_numbers(tell)


def numbers(_event: Event, telling: Telling) -> Sentences:
    """Returns only the event's mechanics (cards, dice and numbers), in notation."""
    return (telling.numbers(),)


def silent(_event: Event, _telling: Telling) -> Sentences:
    """Returns no sentence, for events outside the story."""
    return SILENCE
