"""The transcript's document model: head, cast, scenes, passages, paragraphs and closing parts."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from itertools import chain
from typing import Any, ClassVar, Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from retold.journal.system import Credit
from retold.projections.maps.picture import Picture
from retold.projections.prose.phrases import ENGLISH, Phrases
from retold.projections.prose.telling import Tag, in_first_person
from retold.projections.reading.pictures import Image
from retold.projections.replay.value import Replay
from retold.projections.story.paragraph import Mechanic as Mechanic  # noqa: PLC0414 -- of this model
from retold.projections.story.paragraph import Paragraph as Paragraph  # noqa: PLC0414
from retold.projections.story.paragraph import Tags as Tags  # noqa: PLC0414
from retold.projections.story.paragraph import TagWords as TagWords  # noqa: PLC0414
from retold.projections.story.running_text import (
    Company,
    kept_apart,
    running,
    words_of,
)
from retold.projections.texts import emphasis
from retold.projections.views.sheet import plain

VERSION: Final = 1
"""Of the transcript's JSON; within one version fields are only added."""


class Conflict(Struct, frozen=True):
    """Heading of a conflict, or of a later part of the same conflict (`continued`)."""

    id: str
    number: int
    title: str
    system: str
    sides: tuple[tuple[str, ...], ...]
    stakes: str | None
    continued: bool = False
    mechanics: tuple[Mechanic, ...] = ()


class Plate(Struct, frozen=True):
    """Conflict map, drawn as at the end of the conflict or scene."""

    id: str
    title: str
    picture: Picture


class Variation(Struct, frozen=True):
    """Alternative story on another branch, from the moment where that branch forks.

    It comes under the paragraph `after` of its passage, or above all paragraphs if `after` is None. `why` is
    the reason given for the branch. If too many branches fork, the later ones have no scenes: they are named
    here and told in files of their own.
    """

    id: str
    after: str | None
    name: str
    why: str | None
    scenes: tuple[Scene, ...]


class Passage(Struct, frozen=True):
    """Consecutive paragraphs told in one conflict, or outside any, with their variations and map.

    False if it says nothing: a continued conflict is named again only where there is something to tell.
    """

    conflict: Conflict | None
    paragraphs: tuple[Paragraph, ...]
    variations: tuple[Variation, ...] = ()
    plate: Plate | None = None

    def __bool__(self) -> bool:
        named = self.conflict is not None and bool(not self.conflict.continued or self.conflict.mechanics)
        return bool(named or self.paragraphs or self.variations or self.plate)


class Chapter(Struct, frozen=True):
    """Heading of a session, in a transcript of several sessions."""

    session: int
    title: str | None
    date: str | None
    gm: str | None = None
    """Game master of the session, if this changed between sessions."""
    previously: str | None = None
    """How the session before it ended, in a book that begins its chapters with that."""

    rare: ClassVar = frozenset({"previously"})
    """Fields left out of the JSON if they are None."""


class Scene(Struct, frozen=True):
    """A scene; text before the first one has no id or title. `chapter` is set where a session begins."""

    id: str | None
    title: str | None
    chapter: Chapter | None
    passages: tuple[Passage, ...]
    diary: bool = False
    """True if running text is laid out in entries (`in_entries`)."""
    present: bool | None = None
    """True if Retold's sentences have the present tense; None if the scene's own texts decide it."""

    beside: ClassVar = frozenset({"diary", "present"})
    """Fields left out of the JSON."""

    def paragraphs(self) -> Iterator[Paragraph]:
        """Yields paragraphs of all passages."""
        return (paragraph for passage in self.passages for paragraph in passage.paragraphs)

    def without_mechanics(self) -> Scene:
        """Copy of the scene without mechanics, status lines and maps."""
        return replace(self, passages=tuple(filter(None, map(_bare_passage, self.passages))))

    def running(self, *, part_of: Company | None = None) -> Scene:
        """Copy of the scene in which each joining paragraph is merged into the paragraph before it.

        For a few paragraphs of a scene, `part_of` is the company of that scene: its tense and its articles
        are those of tags.
        """
        company = self.company()
        if part_of is not None:
            company = part_of._replace(only_i=company.only_i)
        passages = tuple(_running_passage(passage, company) for passage in self.passages)
        return replace(self, passages=tuple(in_entries(passages)) if self.diary else passages)

    def company(self) -> Company:
        """Returns the tense of the scene, and its people with special rules."""
        return Company.of(self.paragraphs(), present=self.present)

    def sparing(self) -> Scene:
        """Copy of the scene without labels that the text makes unnecessary; paragraphs stay apart."""
        company = self.company()
        passages = (
            replace(passage, paragraphs=kept_apart(passage.paragraphs, _parted(passage), company))
            for passage in self.passages
        )
        return replace(self, passages=tuple(passages))


class Played(Struct, frozen=True):
    """A player and the characters they played; `before` lists earlier players of these, in order."""

    player: str
    characters: tuple[str, ...]
    before: tuple[str, ...] = ()


class Head(Struct, frozen=True):
    """Front matter of a transcript. `title` is the session's; `session` is None for several sessions."""

    campaign: str | None
    session: int | None = None
    title: str | None = None
    date: str | None = None
    systems: tuple[str, ...] = ()
    gm: str | None = None
    players: tuple[Played, ...] = ()
    absent: tuple[str, ...] = ()
    previously: str | None = None
    summary: str | None = None
    """Notes about the session as a whole."""
    gms: tuple[str, ...] = ()
    """Game masters in order of their first sessions; `gm` is the last of them."""
    credits: tuple[Credit, ...] = ()
    """Titles, authors and licences of `systems`, for an imprint."""

    beside: ClassVar = frozenset({"credits"})
    """Fields left out of the JSON."""


class Member(Struct, frozen=True):
    """A cast member with a short description; `before` lists earlier players, in order."""

    name: str
    role: str
    player: str | None = None
    phrase: str | None = None
    before: tuple[str, ...] = ()
    portrait: Image | None = None
    colour: str | None = None
    """Colour of the name before what they say, such as `#7a2e1d`."""

    rare: ClassVar = frozenset({"portrait", "colour"})
    """Fields left out of the JSON if they are None."""


class Quote(Struct, frozen=True):
    """A memorable remark from the table, kept with `quote`."""

    id: str
    text: str
    who: str | None = None
    quotes: tuple[str, str] = ("“", "”")
    """Quotation marks around it."""
    marks: emphasis.Places | None = None
    """Emphasis in the text, in JSON alone."""

    rare: ClassVar = frozenset({"marks"})
    """Fields left out of the JSON if they are None."""


class Missing(Struct, frozen=True):
    """An untold mechanic: its id, the result, and the people who may tell it."""

    id: str
    what: str
    who: tuple[str, ...]


class End(Struct, frozen=True):
    """Closing parts of a transcript: changes, open matters, quotes and untold mechanics."""

    changed: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    quotes: tuple[Quote, ...] = ()
    untold: tuple[Missing, ...] = ()
    naming_players: frozenset[int] = frozenset()
    """Places in `changed` of the sentences on who plays a person."""

    beside: ClassVar = frozenset({"naming_players"})
    """Fields left out of the JSON."""


class PageTexts(Struct, frozen=True):
    """Texts around a story: before it blurb, content notes, epigraph and pull quote, below it reflections.

    False if there are none.
    """

    blurb: str | None = None
    content: str | None = None
    epigraph: str | None = None
    pull: Quote | None = None
    """Words of the story set out large, and who said them."""
    reflections: tuple[Quote, ...] = ()

    def __bool__(self) -> bool:
        return self != PageTexts()

    def texts(self) -> Iterator[str]:
        """Yields the texts in the order in which a page shows them."""
        quotes = (*(() if self.pull is None else (self.pull,)), *self.reflections)
        found = (self.blurb, self.content, self.epigraph, *(quote.text for quote in quotes))
        yield from (text for text in found if text)


class Entry(Struct, frozen=True):
    """Index entry of a book: a person, a place, or a `thing` (sides included).

    `sessions` are the numbers and `scenes` the ids of the sessions and scenes that mention it, in book order.
    """

    name: str
    kind: Literal["person", "thing", "place"]
    sessions: tuple[int, ...]
    scenes: tuple[str, ...] = ()


class Transcript(Struct, frozen=True):
    """Story of events on one branch (such as a session's), told in one voice for one viewer."""

    voice: str
    viewer: str
    head: Head
    cast: tuple[Member, ...]
    scenes: tuple[Scene, ...]
    end: End
    lang: str = "en"
    """Language of the people's words, as an HTML language code."""
    index: tuple[Entry, ...] = ()
    """Index of people, things and places; only books have one."""
    opened: str | None = None
    """Opening time of its first session (UTC, ISO 8601); None without sessions."""
    source: str = ""
    """Keyed digest of the campaign, the same in all its transcripts and in no other's."""
    phrases: Phrases = ENGLISH
    """Phrases for headings and labels. Not in its JSON."""
    replay: Replay | None = None
    """Replay of the same stretch, if requested. Not in its JSON."""
    pages: PageTexts = PageTexts()
    """Texts around the story; in its JSON only if there are any."""
    cover: Image | None = None
    """The campaign's cover."""

    beside: ClassVar = frozenset({"phrases", "replay", "pages"})
    """Fields left out of the JSON."""
    rare: ClassVar = frozenset({"cover"})
    """Fields left out of the JSON if they are None."""

    def paragraphs(self) -> Iterator[Paragraph]:
        """Yields paragraphs of all scenes."""
        return (paragraph for scene in self.scenes for paragraph in scene.paragraphs())

    @property
    def chapters(self) -> list[Chapter]:
        """Headings of the sessions that begin in this transcript."""
        return [scene.chapter for scene in self.scenes if scene.chapter]

    def plates(self) -> Iterator[Plate]:
        """Yields the maps in document order, those of variations included."""
        return (passage.plate for passage in _passages(self.scenes) if passage.plate is not None)

    def images(self) -> Iterator[Image]:
        """Yields the pictures, each file once: the cover, portraits, and those in the story."""
        portraits = [member.portrait for member in self.cast]
        told = (paragraph for passage in _passages(self.scenes) for paragraph in passage.paragraphs)
        shown = (paragraph.image for paragraph in told)
        found = (image for image in (self.cover, *portraits, *shown) if image is not None)
        return iter({image.sha256: image for image in found}.values())

    @property
    def title(self) -> str:
        """Title of the document: the session's title or number, else the campaign's title."""
        head = self.head
        if head.session is not None:
            session = self.phrases.say("page.session", number=head.session)
            return f"{session}{self.phrases.language.colon} {head.title}" if head.title else session
        return head.campaign or self.phrases.say("page.campaign")

    def to_json(self) -> dict[str, Any]:
        """Transcript as JSON values, with its format version; texts are words, with their `marks` beside."""
        told = {"transcript": VERSION, **plain(self), **({"pages": plain(self.pages)} if self.pages else {})}
        return {key: emphasis.in_json(value) for key, value in told.items()} if self._has_emphasis else told

    @property
    def _has_emphasis(self) -> bool:
        """False if certainly no text has emphasis."""
        passages = [passage for scene in self.scenes for passage in scene.passages]
        told = (paragraph.text for passage in passages for paragraph in passage.paragraphs)
        around = (self.head.previously, self.head.summary, *(quote.text for quote in self.end.quotes))
        texts = chain(told, self.pages.texts(), filter(None, around))
        return any(passage.variations for passage in passages) or any(map(emphasis.is_marked, texts))

    def without_mechanics(self) -> Transcript:
        """Copy without mechanics, maps, number changes and untold mechanics."""
        scenes = tuple(scene.without_mechanics() for scene in self.scenes)
        replay = None if self.replay is None else self.replay.without_mechanics()
        return replace(self, scenes=scenes, end=replace(self.end, changed=(), untold=()), replay=replay)

    def without_players(self) -> Transcript:
        """Copy without the names of players and game masters around the story; characters keep theirs.

        The text on the session before is left out, since it may quote players by name; so are numbers that
        name a player, such as `Kit strikes (token)`.
        """
        head = replace(self.head, gm=None, gms=(), players=(), absent=(), previously=None)
        cast = tuple(replace(member, player=None, before=()) for member in self.cast)
        characters = {member.name for member in self.cast}

        def unnamed(quote: Quote) -> Quote:
            return quote if quote.who in characters else replace(quote, who=None)

        nameless = _Nameless(_players_of(self.head) - characters, characters, self.phrases)
        scenes = tuple(map(nameless.scene, self.scenes))
        changed = (
            sentence
            for place, sentence in enumerate(self.end.changed)
            if place not in self.end.naming_players
        )
        end = replace(
            self.end,
            changed=tuple(changed),
            quotes=tuple(map(unnamed, self.end.quotes)),
            naming_players=frozenset(),
        )
        pull, reflections = self.pages.pull, tuple(map(unnamed, self.pages.reflections))
        told = replace(self.pages, pull=pull and unnamed(pull), reflections=reflections)
        return replace(self, head=head, cast=cast, scenes=scenes, end=end, pages=told)

    def running(self) -> Transcript:
        """Copy in which each joining paragraph is merged into the paragraph before it."""
        return replace(self, scenes=tuple(scene.running() for scene in self.scenes))


def _players_of(head: Head) -> frozenset[str]:
    """Returns the names of players and game masters in a transcript's front matter."""
    played = (name for player in head.players for name in (player.player, *player.before))
    return frozenset(name for name in (head.gm, *head.gms, *head.absent, *played) if name)


class _Nameless(Struct, frozen=True):
    """Copies of scenes without the names of `players`; table talk keeps those of `characters` alone."""

    players: frozenset[str]
    characters: Container[str]
    phrases: Phrases

    def scene(self, scene: Scene) -> Scene:
        chapter = None if scene.chapter is None else replace(scene.chapter, gm=None)
        return replace(scene, chapter=chapter, passages=tuple(map(self.passage, scene.passages)))

    def passage(self, passage: Passage) -> Passage:
        conflict = passage.conflict
        if conflict is not None:
            conflict = replace(conflict, mechanics=self.mechanics(conflict.mechanics))
        variations = (
            replace(variation, scenes=tuple(map(self.scene, variation.scenes)))
            for variation in passage.variations
        )
        paragraphs = tuple(map(self.paragraph, passage.paragraphs))
        return replace(passage, conflict=conflict, paragraphs=paragraphs, variations=tuple(variations))

    def paragraph(self, paragraph: Paragraph) -> Paragraph:
        shown = replace(paragraph, mechanics=self.mechanics(paragraph.mechanics))
        is_player = paragraph.kind is Tag.ASIDE and paragraph.speaker not in self.characters
        if paragraph.speaker is None or not (is_player or paragraph.speaker in self.players):
            return shown
        key = "label.aside" if paragraph.kind is Tag.ASIDE else "label.deed-of-nobody"
        told = self.phrases.say(key, who=None, manner=paragraph.manner)
        label = " ".join((told, *(f"({aside})" for aside in (paragraph.eyes,) if aside))).strip()
        return replace(shown, speaker=None, label=label)

    def mechanics(self, mechanics: tuple[Mechanic, ...]) -> tuple[Mechanic, ...]:
        return tuple(
            mechanic
            for mechanic in mechanics
            if not any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", mechanic.text) for name in self.players)
        )


def _passages(scenes: Iterable[Scene]) -> Iterator[Passage]:
    """Yields the passages of scenes in document order, those of variations included."""
    for passage in (passage for scene in scenes for passage in scene.passages):
        for variation in passage.variations:
            yield from _passages(variation.scenes)
        yield passage


def _bare_passage(passage: Passage) -> Passage:
    """Copy without mechanics, status lines and map; the map goes too, since its borders show numbers."""
    kept = [
        paragraph for paragraph in passage.paragraphs if paragraph.kind not in (Tag.MECHANICS, Tag.RIBBON)
    ]
    return Passage(
        None if passage.conflict is None else replace(passage.conflict, mechanics=()),
        tuple(replace(paragraph, mechanics=()) for paragraph in kept),
        tuple(_bare_variations(passage, {paragraph.id for paragraph in kept})),
    )


def _bare_variations(passage: Passage, kept: Container[str]) -> Iterator[Variation]:
    """Yields each variation, moved under the last remaining paragraph before its place."""
    told = [paragraph.id for paragraph in passage.paragraphs]
    for variation in passage.variations:
        before = told[: told.index(variation.after) + 1] if variation.after in told else []
        after = next((each for each in reversed(before) if each in kept), None)
        yield replace(
            variation, after=after, scenes=tuple(scene.without_mechanics() for scene in variation.scenes)
        )


# --- running text -----------------------------------------------------------------------------------------


def _parted(passage: Passage) -> frozenset[str | None]:
    """Returns the ids of the paragraphs that have a variation below."""
    return frozenset(variation.after for variation in passage.variations)


def _running_passage(passage: Passage, company: Company) -> Passage:
    told = running(passage.paragraphs, _parted(passage), company=company)
    ids = {other: paragraph.id for paragraph in told for other in paragraph.others}
    inner = (
        replace(
            variation,
            after=None if variation.after is None else ids.get(variation.after, variation.after),
            scenes=tuple(scene.running() for scene in variation.scenes),
        )
        for variation in passage.variations
    )
    return replace(passage, paragraphs=told, variations=tuple(inner))


# --- a diary ----------------------------------------------------------------------------------------------

MOST_NAMES: Final = 6
"""Names in the head of an entry; the next teller begins a new one."""

LONGEST_ENTRY: Final = 160
"""Words after which the next teller begins a new entry."""

SHORTEST_ENTRY: Final = 120
"""Words from which a new round begins a new entry."""


class _Entry(Struct):
    """Entry under construction: the place of its first paragraph, its tellers in order, and its length."""

    first: int
    names: list[str]
    last: str | None = None
    """Teller of its last named text."""
    tellers: int = 0
    """Number of tellers named so far."""
    words: int = 0
    goes_on: bool = False
    """True if its last teller has several texts side by side, and so tells the rest of it."""
    is_narrated: bool = False
    """True if its last text is the narrator's."""


def in_entries(passages: Iterable[Passage]) -> Iterator[Passage]:
    """Yields passages of running text as a diary: entries with a number and their tellers as the head.

    Within an entry no name is repeated: the head has the names in the order of their texts. An entry takes
    the texts of a turn or a round, as many as its names can tell apart. Numbers count from 1.
    """
    number = 0
    for passage in passages:
        parted = {variation.after for variation in passage.variations}
        told: list[Paragraph] = []
        entries: list[_Entry] = []
        entry: _Entry | None = None
        for paragraph in passage.paragraphs:
            if not _is_of_an_entry(paragraph):
                entry = None
            elif entry is None or not _takes(entry, paragraph):
                entry = _Entry(len(told), []) if paragraph.label else None
                entries += [] if entry is None else [entry]
            if entry is not None:
                _enter(entry, paragraph)
            told.append(replace(paragraph, label="") if entry is not None else paragraph)
            if paragraph.id in parted:
                entry = None
        for written in entries:
            number += 1
            head = f"{number}. {', '.join(written.names)}"
            told[written.first] = replace(told[written.first], label=head)
        yield replace(passage, paragraphs=tuple(told))


def _is_of_an_entry(paragraph: Paragraph) -> bool:
    """True for narration and speech for every reader; notes, secrets and struck texts keep their labels."""
    is_told = paragraph.kind in (Tag.NARRATION, Tag.DECLARATION, Tag.SPEECH, Tag.GENERATED)
    named = not paragraph.label or paragraph.speaker is not None
    return is_told and named and not (paragraph.eyes or paragraph.struck)


def _takes(entry: _Entry, paragraph: Paragraph) -> bool:
    """True if the paragraph may stand in the entry, whose order of names still says who tells what."""
    if not _has_name(paragraph):
        return True
    if paragraph.speaker is None or (paragraph.begins and entry.words >= SHORTEST_ENTRY):
        return False
    if paragraph.speaker == entry.last and not entry.is_narrated:
        return True
    return entry.tellers < MOST_NAMES and entry.words < LONGEST_ENTRY and not entry.goes_on


def _has_name(paragraph: Paragraph) -> bool:
    """True if the head of an entry names who tells the paragraph."""
    return bool(paragraph.label) or in_first_person(words_of(paragraph))


def _enter(entry: _Entry, paragraph: Paragraph) -> None:
    """Adds a paragraph to the entry, and its teller to the head; `…` there means the narrator."""
    entry.words += len(paragraph.text.split())
    if not _has_name(paragraph):
        entry.is_narrated = True
        return
    says_i = in_first_person(words_of(paragraph))
    goes_on = paragraph.speaker == entry.last
    if goes_on and not entry.is_narrated:
        entry.goes_on = True
        return
    if entry.is_narrated and (goes_on or not says_i):
        entry.names.append("…")
    cue = f" ({paragraph.cue})" if paragraph.cue else ""
    entry.names.append(f"{paragraph.speaker}{cue}")
    entry.last, entry.is_narrated = paragraph.speaker, False
    entry.tellers += 1
