"""The transcript's document model: head, cast, scenes, passages, paragraphs and closing parts."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from typing import Any, ClassVar, Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from projections.maps.picture import Picture
from projections.pictures import Image
from projections.prose.phrases import ENGLISH, Phrases
from projections.prose.phrases.languages import Comma
from projections.prose.telling import Tag, in_first_person, unquoted
from projections.replay.value import Replay
from projections.views.sheet import plain

VERSION: Final = 1
"""Of the transcript's JSON; within one version fields are only added."""


class Mechanic(Struct, frozen=True, gc=False):
    """A line of cards, dice or numbers; `luck` is its provenance, such as `called`, or empty."""

    id: str
    kind: str
    text: str
    luck: str = ""


class Tags(Struct, frozen=True, gc=False):
    """Tags behind speech: after a statement (`said Zel`), after a question (`asked Zel`).

    `comma` is the place of the comma between speech and tag: before the closing mark in place of the full
    stop (`inside`), behind it (`outside`), or behind it after a question or exclamation too (`always`).
    """

    said: str
    asked: str
    comma: Comma = "inside"


class Paragraph(Struct, frozen=True, gc=False):
    """Paragraph of a transcript with its mechanics (rolls, draws, numbers).

    `kind` says whose words they are; `generated` marks Retold's own sentences. `speaker` and `manner` say
    who did what with them (`Zel`, `declares`). `eyes` names the readers of a paragraph that is not for all;
    `later` marks one told afterwards, `struck` one that no longer counts. `text` is empty where there are
    only mechanics.

    `seconds` is the time from `Transcript.opened` to that of the event, of play or of recording; None if it
    is unknown or earlier. For text told later it is the time given with --clock, in an audio recording
    that starts with the session; None without --clock.

    `label` stands before the text as the voice words it; if None, speaker and manner make it. `quotes` are
    the marks around speech; a `direction` is a stage direction and stands in brackets. `cue` is the manner of
    speaking that a story keeps, in brackets, in the label.

    `joins` marks a paragraph that continues the one before it in running text. `others` are the ids of the
    paragraphs that were joined to this one. `begins` marks a new round or, for a generated sentence, a new
    act: where such a paragraph joins, a blank line sets its text apart under the same label.
    """

    id: str
    kind: Tag
    text: str
    speaker: str | None = None
    manner: str = ""
    mechanics: tuple[Mechanic, ...] = ()
    generated: bool = False
    eyes: str | None = None
    later: bool = False
    struck: bool = False
    seconds: float | None = None
    label: str | None = None
    quotes: tuple[str, str] = ("“", "”")
    direction: bool = False
    cue: str = ""
    joins: bool = False
    others: tuple[str, ...] = ()
    begins: bool = False
    spare: bool = False
    """True where running text leaves out a name that the text makes clear."""
    tags: Tags | None = None
    """Tags behind speech in place of a label."""
    third: bool = False
    """True if the table tells in third person, where a text itself says whose it is."""
    lined: bool = False
    """True if line ends inside a paragraph stay, as in verse; otherwise they are those of the typing."""
    recorded: str = ""
    """The record's own words where the text is that of a draft and has others."""
    image: Image | None = None
    """The picture shown here, of a paragraph that says what it shows."""

    beside: ClassVar = frozenset({"others", "begins", "spare", "tags", "third", "lined", "recorded"})
    """Fields left out of the JSON."""
    rare: ClassVar = frozenset({"image"})
    """Fields left out of the JSON if they are None."""


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

    It stands under the paragraph `after` of its passage, or above all paragraphs if `after` is None. `why`
    is the reason given for the branch. If too many branches fork, the later ones have no scenes: they are
    named here and told in files of their own.
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


class Scene(Struct, frozen=True):
    """A scene; text before the first one has no id or title. `chapter` is set where a session begins."""

    id: str | None
    title: str | None
    chapter: Chapter | None
    passages: tuple[Passage, ...]
    diary: bool = False
    """True if running text is laid out in entries (`in_entries`)."""

    beside: ClassVar = frozenset({"diary"})
    """Fields left out of the JSON."""

    def paragraphs(self) -> Iterator[Paragraph]:
        """Yields paragraphs of all passages."""
        return (paragraph for passage in self.passages for paragraph in passage.paragraphs)

    def without_mechanics(self) -> Scene:
        """Copy of the scene without mechanics, status lines and maps."""
        return replace(self, passages=tuple(filter(None, map(_bare_passage, self.passages))))

    def running(self) -> Scene:
        """Copy of the scene in which each joining paragraph is merged into the paragraph before it."""
        passages = tuple(map(_running_passage, self.passages))
        return replace(self, passages=tuple(in_entries(passages)) if self.diary else passages)

    def sparing(self) -> Scene:
        """Copy of the scene without labels that the text makes unnecessary; paragraphs stay apart."""
        return replace(self, passages=tuple(map(_sparing_passage, self.passages)))


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
    """Language of the texts, as an HTML language code."""
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
        return (plate for scene in self.scenes for plate in _plates(scene))

    def images(self) -> Iterator[Image]:
        """Yields the pictures, each file once: the cover, portraits, and those in the story."""
        portraits = [member.portrait for member in self.cast]
        shown = (image for scene in self.scenes for image in _images(scene))
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
        """Transcript as JSON values, with its format version."""
        return {"transcript": VERSION, **plain(self), **({"pages": plain(self.pages)} if self.pages else {})}

    def without_mechanics(self) -> Transcript:
        """Copy without mechanics, maps, number changes and untold mechanics."""
        scenes = tuple(scene.without_mechanics() for scene in self.scenes)
        replay = None if self.replay is None else self.replay.without_mechanics()
        return replace(self, scenes=scenes, end=replace(self.end, changed=(), untold=()), replay=replay)

    def without_players(self) -> Transcript:
        """Copy without the names of players and game masters around the story; characters keep theirs.

        The text on the session before is left out, since it may quote players by name.
        """
        head = replace(self.head, gm=None, gms=(), players=(), absent=(), previously=None)
        cast = tuple(replace(member, player=None, before=()) for member in self.cast)
        characters = {member.name for member in self.cast}
        quotes = tuple(
            quote if quote.who in characters else replace(quote, who=None) for quote in self.end.quotes
        )
        scenes = tuple(
            replace(scene, chapter=replace(scene.chapter, gm=None)) if scene.chapter else scene
            for scene in self.scenes
        )
        pages, pull = self.pages, self.pages.pull
        if pull is not None and pull.who not in characters:
            pull = replace(pull, who=None)
        reflections = tuple(
            one if one.who in characters else replace(one, who=None) for one in pages.reflections
        )
        return replace(
            self,
            head=head,
            cast=cast,
            scenes=scenes,
            end=replace(self.end, quotes=quotes),
            pages=replace(pages, pull=pull, reflections=reflections),
        )

    def running(self) -> Transcript:
        """Copy in which each joining paragraph is merged into the paragraph before it."""
        return replace(self, scenes=tuple(scene.running() for scene in self.scenes))


def _plates(scene: Scene) -> Iterator[Plate]:
    for passage in scene.passages:
        for variation in passage.variations:
            yield from (plate for inner in variation.scenes for plate in _plates(inner))
        if passage.plate is not None:
            yield passage.plate


def _images(scene: Scene) -> Iterator[Image]:
    for passage in scene.passages:
        for variation in passage.variations:
            yield from (image for inner in variation.scenes for image in _images(inner))
        yield from (paragraph.image for paragraph in passage.paragraphs if paragraph.image is not None)


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

LONGEST: Final = 700
"""Characters up to which a paragraph takes in another, about a third of a page."""

BETWEEN_PARAGRAPHS: Final = "\n\n"
"""Separator of the paragraphs within a text."""


def joined_by_teller(scenes: tuple[Scene, ...]) -> tuple[Scene, ...]:
    """Scenes in which consecutive paragraphs of the same teller are marked as joining.

    Nothing joins across a heading, mechanics or a variation. Every paragraph keeps its label, for a page may
    show it alone.
    """
    return tuple(replace(scene, passages=tuple(map(_joined_by_teller, scene.passages))) for scene in scenes)


def together(scenes: tuple[Scene, ...]) -> tuple[Scene, ...]:
    """Scenes in which generated sentences of the same act are marked as joining.

    Sentences do not join if mechanics stand between them, or if one is not for all readers.
    """
    return tuple(replace(scene, passages=tuple(map(_together, scene.passages))) for scene in scenes)


def _together(passage: Passage) -> Passage:
    told: list[Paragraph] = []
    for paragraph in passage.paragraphs:
        joins = bool(told) and paragraph.generated and told[-1].generated and not paragraph.begins
        joins = joins and not (paragraph.mechanics or paragraph.eyes or told[-1].eyes)
        told.append(replace(paragraph, joins=True) if joins else paragraph)
    return replace(passage, paragraphs=tuple(told))


def _joined_by_teller(passage: Passage) -> Passage:
    parted = {variation.after for variation in passage.variations}
    told: list[Paragraph] = []
    for paragraph in passage.paragraphs:
        joins = bool(told) and told[-1].id not in parted and _goes_on(told[-1], paragraph)
        told.append(replace(paragraph, joins=True) if joins else paragraph)
    return replace(passage, paragraphs=tuple(told))


_BESIDE: Final = frozenset({Tag.MECHANICS, Tag.RIBBON, Tag.ASIDE, Tag.PICTURE})
"""Kinds of paragraphs that never join others."""


def _goes_on(before: Paragraph, after: Paragraph) -> bool:
    """True if the same person tells both paragraphs to the same readers; a cue always begins anew.

    Consecutive speeches without a label do not join: the game master may speak for several characters.
    """
    is_plain = all(not each.struck and each.kind not in _BESIDE for each in (before, after))
    if before.kind is after.kind is Tag.SPEECH and not after.label:
        return False
    return is_plain and not after.cue and (after.speaker, after.eyes) == (before.speaker, before.eyes)


def _running_passage(passage: Passage) -> Passage:
    told: list[Paragraph] = []
    parted = {variation.after for variation in passage.variations}
    for paragraph in passage.paragraphs:
        joins = paragraph.joins and told and not parted & {told[-1].id, *told[-1].others}
        if joins and not paragraph.begins and _has_room(told[-1], paragraph):
            told[-1] = _joined(told[-1], paragraph)
        elif joins and _stays_with_its_name(told[-1]):
            told[-1] = _joined(told[-1], paragraph, BETWEEN_PARAGRAPHS)
        else:
            told.append(paragraph)
    told = list(sparingly_named(in_rounds(told, parted), parted))
    ids = {other: paragraph.id for paragraph in told for other in paragraph.others}
    inner = (
        replace(
            variation,
            after=None if variation.after is None else ids.get(variation.after, variation.after),
            scenes=tuple(scene.running() for scene in variation.scenes),
        )
        for variation in passage.variations
    )
    return replace(passage, paragraphs=tuple(told), variations=tuple(inner))


_ROUND: Final = 3
"""Tellers from which texts of one sentence each are a block."""


def in_rounds(paragraphs: Iterable[Paragraph], parted: Container[str | None]) -> Iterator[Paragraph]:
    """Yields the paragraphs; texts of one sentence by three or more people in a row are one paragraph.

    Its label has their names in the order of their sentences.
    """
    block: list[Paragraph] = []
    for paragraph in paragraphs:
        met = {one.speaker for one in block}
        cue = block[0].cue if block else paragraph.cue
        if not _is_one_sentence(paragraph):
            yield from _block(block)
            yield paragraph
            block = []
        elif paragraph.speaker in met or paragraph.cue != cue or paragraph.begins:
            yield from _block(block)
            block = [paragraph]
        else:
            block.append(paragraph)
        if block and (paragraph.mechanics or paragraph.id in parted):
            yield from _block(block)
            block = []
    yield from _block(block)


def _is_one_sentence(paragraph: Paragraph) -> bool:
    is_plain = paragraph.spare and not (paragraph.eyes or paragraph.struck or paragraph.others)
    is_told = paragraph.kind is Tag.NARRATION and bool(paragraph.label) and paragraph.speaker is not None
    text = paragraph.text
    if paragraph.third and not in_first_person(text):
        return False
    return is_plain and is_told and paragraph.quotes[0] not in text and len(_ENDS.findall(text)) == 1


_ENDS: Final = re.compile(r"[.!?\u2026:](?=\s|$)")


def _block(block: list[Paragraph]) -> Iterator[Paragraph]:
    if len(block) < _ROUND:
        yield from block
        return
    names = ", ".join(paragraph.speaker or "" for paragraph in block)
    cue = f" ({block[0].cue})" if block[0].cue else ""
    yield replace(
        block[0],
        text=" ".join(paragraph.text for paragraph in block),
        speaker=names,
        label=f"{names}{cue}",
        others=tuple(paragraph.id for paragraph in block[1:]),
        mechanics=tuple(mechanic for paragraph in block for mechanic in paragraph.mechanics),
        spare=False,
    )


def _sparing_passage(passage: Passage) -> Passage:
    parted = {variation.after for variation in passage.variations}
    told = sparingly_named(passage.paragraphs, parted, apart=True)
    return replace(passage, paragraphs=tuple(told))


def sparingly_named(
    paragraphs: Iterable[Paragraph], parted: Container[str | None], *, apart: bool = False
) -> Iterator[Paragraph]:
    """Yields the paragraphs without labels where the text makes clear who tells it.

    That is: the teller's name is in the first sentence; the text says I, as the one who said it last; the
    table tells in third person, and the text begins with no pronoun; speech has a tag (`said Zel`), or takes
    turns between two. After mechanics, a secret or a variation (`parted`) a name stands again. `apart` is
    true where joining paragraphs stay apart: they have no label.
    """
    narrator: str | None = None
    teller: str | None = None
    turns: list[str] = []
    for paragraph in paragraphs:
        shown, speaker = paragraph, paragraph.speaker
        is_plain = paragraph.spare and not (paragraph.cue or paragraph.eyes or paragraph.struck)
        text = _in_marks(paragraph)
        says_i = in_first_person(text)
        speaks = paragraph.quotes[0] in text
        if not paragraph.label:
            narrator = None if says_i and not paragraph.joins else narrator
        elif is_plain and speaker is not None:
            is_clear = (
                (apart and paragraph.joins)
                or (paragraph.third and not says_i and _says_whose(text, teller == speaker))
                or (says_i and narrator == speaker)
                or (not says_i and (_is_named(text, speaker) or (speaks and turns[-2:-1] == [speaker])))
            )
            tagged = None if is_clear or says_i else _tagged(paragraph, text)
            if is_clear:
                shown = replace(paragraph, label="")
            elif tagged is not None:
                shown = replace(paragraph, kind=Tag.NARRATION, text=tagged, label="")
            elif narrator != speaker:
                narrator = speaker if says_i else None
            if narrator != speaker:  # somebody else spoke, so that an I after it needs a name again
                narrator = None
        else:
            narrator = None
        turns = [*turns[-1:], speaker] if speaks and speaker is not None and is_plain else []
        if paragraph.mechanics or paragraph.eyes or paragraph.id in parted:
            narrator, turns = None, []
        teller = speaker
        yield shown


_PRONOUN_FIRST: Final = re.compile(r"\W*(?:He|She|They|His|Her|Their)\b")


def _says_whose(text: str, goes_on: bool) -> bool:
    """True if a text in third person needs no name: it tells something, and begins with no pronoun.

    With `goes_on` the text before it was the same teller's, so that a pronoun is clear too.
    """
    told = unquoted(text)
    return bool(told.strip()) and (goes_on or _PRONOUN_FIRST.match(told) is None)


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

    Within an entry nobody is named again: the head has the names in the order of their texts. An entry takes
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
    has_room = entry.tellers + _count_tellers(paragraph) <= MOST_NAMES and entry.words < LONGEST_ENTRY
    return has_room and not entry.goes_on


def _has_name(paragraph: Paragraph) -> bool:
    """True if the head of an entry names who tells the paragraph."""
    return bool(paragraph.label) or in_first_person(_in_marks(paragraph))


def _count_tellers(paragraph: Paragraph) -> int:
    return 1 + len(paragraph.others if ", " in (paragraph.speaker or "") else ())


def _enter(entry: _Entry, paragraph: Paragraph) -> None:
    """Adds a paragraph to the entry, and its teller to the head; `…` there stands for the narrator."""
    entry.words += len(paragraph.text.split())
    if not _has_name(paragraph):
        entry.is_narrated = True
        return
    says_i = in_first_person(_in_marks(paragraph))
    goes_on = paragraph.speaker == entry.last
    if goes_on and not entry.is_narrated:
        entry.goes_on = True
        return
    if entry.is_narrated and (goes_on or not says_i):
        entry.names.append("…")
    cue = f" ({paragraph.cue})" if paragraph.cue else ""
    entry.names.append(f"{paragraph.speaker}{cue}")
    entry.last, entry.is_narrated = paragraph.speaker, False
    entry.tellers += _count_tellers(paragraph)


_FIRST_SENTENCE: Final = re.compile(r".*?[.!?\u2026](?=\s|$)|.*", re.DOTALL)
_SHORTEST_NAME: Final = 4
"""Letters from which one word of a name is enough."""


def _is_named(text: str, speaker: str) -> bool:
    """True if the first sentence has the speaker's name, or a longer word of it, outside of quotations."""
    found = _FIRST_SENTENCE.match(unquoted(text))
    names = [speaker, *(word for word in speaker.split() if len(word) >= _SHORTEST_NAME)]
    return found is not None and any(re.search(rf"\b{re.escape(name)}\b", found[0]) for name in names)


_SENTENCE_ENDS: Final = re.compile(r"(?<=[a-z]{3}[.])\s+(?=[^\W\d_a-z])|(?<=[!?])\s+(?=[^\W\d_a-z])")


def _tagged(paragraph: Paragraph, text: str) -> str | None:
    """Returns a text that begins with speech, with a tag behind its first sentence; None if it takes none.

    A full stop before the tag becomes a comma; nothing else changes.
    """
    opening, closing = paragraph.quotes
    said, found, rest = text.removeprefix(opening).partition(closing)
    if paragraph.tags is None or not text.startswith(opening) or not found or not said:
        return None
    if opening in said or BETWEEN_PARAGRAPHS in said or not re.match(r"\s+[^\W\d_a-z]|\s*$", rest):
        return None
    end = _SENTENCE_ENDS.search(said)
    first, behind = (said, "") if end is None else (said[: end.start()], said[end.end() :])
    tag = paragraph.tags.asked if first.endswith("?") else paragraph.tags.said
    inside, outside = "", ""
    is_plain = first.endswith(".") or first[-1:].isalnum()
    if is_plain:
        first = first.removesuffix(".")
        inside = "," if paragraph.tags.comma == "inside" else ""
    if not inside and (is_plain or paragraph.tags.comma == "always"):
        outside = ","
    goes_on = f" {opening}{behind}{closing}" if behind else ""
    return f"{opening}{first}{inside}{closing}{outside} {tag}.{goes_on}{rest}"


def _has_room(before: Paragraph, after: Paragraph) -> bool:
    last = before.text.rpartition(BETWEEN_PARAGRAPHS)[-1]
    return len(last) + len(after.text) < LONGEST


def _stays_with_its_name(before: Paragraph) -> bool:
    """True if another paragraph may follow under this label: labelled, and without mechanics."""
    return bool(before.label) and not before.mechanics


def _joined(before: Paragraph, after: Paragraph, between: str = " ") -> Paragraph:
    return replace(
        before,
        kind=before.kind if after.kind is before.kind is Tag.GENERATED else Tag.NARRATION,
        text=before.text
        if _says_it_again(before, after)
        else _run_together(_in_marks(before), _in_marks(after), after.quotes, between),
        mechanics=before.mechanics + after.mechanics,
        later=before.later and after.later,
        others=(*before.others, after.id, *after.others),
    )


def _says_it_again(before: Paragraph, after: Paragraph) -> bool:
    """True if a generated sentence repeats the last one; the numbers already show that it happened twice."""
    ours = after.kind is before.kind is Tag.GENERATED
    return ours and (
        before.text == after.text or before.text.endswith((f". {after.text}", f"! {after.text}"))
    )


def _run_together(before: str, text: str, quotes: tuple[str, str], between: str) -> str:
    """Joins two texts; consecutive speeches in one paragraph share one pair of quotation marks."""
    opening, closing = quotes
    if between == " " and before.endswith(closing) and text.startswith(opening):
        return f"{before.removesuffix(closing)} {text.removeprefix(opening)}"
    if between == " " and _ends_open(before) and not text[:1].islower():
        return f"{before}. {text}"
    return f"{before}{between}{text}"


def _ends_open(text: str) -> bool:
    """True if the text ends in a letter or digit of a script that uses full stops."""
    last = text[-1:]
    return last.islower() or last.isupper() or last.isdecimal()


def _in_marks(paragraph: Paragraph) -> str:
    """Text of the paragraph, in quotation marks if it is speech."""
    return (
        f"{paragraph.quotes[0]}{paragraph.text}{paragraph.quotes[1]}"
        if paragraph.kind is Tag.SPEECH
        else paragraph.text
    )
