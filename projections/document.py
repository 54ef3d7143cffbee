"""The transcript's document model: head, cast, scenes, passages, paragraphs and closing parts."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from typing import Any, ClassVar, Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from projections.maps.picture import Picture
from projections.prose.phrases import ENGLISH, Phrases
from projections.prose.sentences import BETWEEN_PARAGRAPHS, divided, first_end, is_named, says_who
from projections.prose.telling import Tag, in_first_person
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
    tags: tuple[str, str] | None = None
    """Tags behind speech in place of a label, such as `said Zel` and `asked Zel`."""
    round: int = 0
    """Number of the round in its conflict; 0 outside of rounds."""
    folded: int = 0
    """Number of acts without words that this sentence tells; 0 for any other paragraph."""
    played_by_gm: bool = False
    """True for a teller without a player, whose words are the game master's."""

    beside: ClassVar = frozenset({"others", "begins", "spare", "tags", "round", "folded", "played_by_gm"})
    """Fields left out of the JSON."""


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

    def paragraphs(self) -> Iterator[Paragraph]:
        """Yields paragraphs of all passages."""
        return (paragraph for passage in self.passages for paragraph in passage.paragraphs)

    def without_mechanics(self) -> Scene:
        """Copy of the scene without mechanics, status lines and maps."""
        return replace(self, passages=tuple(filter(None, map(_bare_passage, self.passages))))

    def running(self) -> Scene:
        """Copy of the scene in which each joining paragraph is merged into the paragraph before it.

        Where one person tells it alone, their name stands once, under its heading.
        """
        speaks = _only_i(self)
        passages = tuple(_running_passage(passage, speaks) for passage in self.passages)
        view = _only_teller(self)
        if view is None or sum(_is_removable(paragraph, view) for paragraph in _all(passages)) < _TWICE:
            return replace(self, passages=passages)
        first, *others = (_running_passage(passage, view, view) for passage in self.passages)
        name = Paragraph(f"{self.id}-view", Tag.VIEW, view, label="")
        return replace(self, passages=(replace(first, paragraphs=(name, *first.paragraphs)), *others))

    def sparing(self) -> Scene:
        """Copy of the scene without labels that the text makes unnecessary; paragraphs stay apart."""
        speaks = _only_i(self)
        return replace(self, passages=tuple(_sparing_passage(passage, speaks) for passage in self.passages))


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
    naming_players: frozenset[int] = frozenset()
    """Places in `changed` of the sentences on who plays somebody."""

    beside: ClassVar = frozenset({"naming_players"})
    """Fields left out of the JSON."""


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

    beside: ClassVar = frozenset({"phrases", "replay"})
    """Fields left out of the JSON."""

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

    @property
    def title(self) -> str:
        """Title of the document: the session's title or number, else the campaign's title."""
        head = self.head
        if head.session is not None:
            session = self.phrases.say("page.session", number=head.session)
            return f"{session}: {head.title}" if head.title else session
        return head.campaign or self.phrases.say("page.campaign")

    def to_json(self) -> dict[str, Any]:
        """Transcript as JSON values, with its format version."""
        return {"transcript": VERSION, **plain(self)}

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
        quotes = tuple(
            quote if quote.who in characters else replace(quote, who=None) for quote in self.end.quotes
        )
        nameless = _Nameless(_players_of(self.head) - characters, characters, self.phrases)
        scenes = tuple(map(nameless.scene, self.scenes))
        changed = (
            sentence
            for place, sentence in enumerate(self.end.changed)
            if place not in self.end.naming_players
        )
        end = replace(self.end, changed=tuple(changed), quotes=quotes, naming_players=frozenset())
        return replace(self, head=head, cast=cast, scenes=scenes, end=end)

    def running(self) -> Transcript:
        """Copy in which each joining paragraph is merged into the paragraph before it."""
        return replace(self, scenes=tuple(scene.running() for scene in self.scenes))


def _players_of(head: Head) -> frozenset[str]:
    """Returns the names of players and game masters in a transcript's front matter."""
    played = (name for player in head.players for name in (player.player, *player.before))
    return frozenset(name for name in (head.gm, *head.gms, *head.absent, *played) if name)


class _Nameless(Struct, frozen=True):
    """Copies of scenes and their parts without the names of `players`; table talk names `characters` alone."""

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
        return tuple(mechanic for mechanic in mechanics if not self._is_named(mechanic.text))

    def _is_named(self, text: str) -> bool:
        return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for name in self.players)


def _plates(scene: Scene) -> Iterator[Plate]:
    for passage in scene.passages:
        for variation in passage.variations:
            yield from (plate for inner in variation.scenes for plate in _plates(inner))
        if passage.plate is not None:
            yield passage.plate


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


_BESIDE: Final = frozenset({Tag.MECHANICS, Tag.RIBBON, Tag.ASIDE})
"""Kinds of paragraphs that never join others."""


def _goes_on(before: Paragraph, after: Paragraph) -> bool:
    """True if the same person tells both paragraphs to the same readers; a cue or a speech begins anew.

    Consecutive speeches without a label do not join: the game master may speak for several characters.
    """
    is_plain = all(not each.struck and each.kind not in _BESIDE for each in (before, after))
    if after.kind is Tag.SPEECH and (before.kind is not Tag.SPEECH or not after.label):
        return False
    return is_plain and not after.cue and (after.speaker, after.eyes) == (before.speaker, before.eyes)


def _running_passage(passage: Passage, only_i: str | None = None, view: str | None = None) -> Passage:
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
    told = list(in_exchanges(in_rounds(told, parted), parted))
    told = list(map(_divided, sparingly_named(told, parted, only_i=only_i, view=view)))
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


def _divided(paragraph: Paragraph) -> Paragraph:
    """The paragraph of a story, with a long text divided into paragraphs under the same id."""
    if not paragraph.spare or paragraph.kind in (Tag.SPEECH, Tag.EXCHANGE):
        return paragraph
    return replace(paragraph, text=divided(paragraph.text, paragraph.quotes))


# --- who tells ---

_TWICE: Final = 2


def _all(passages: Iterable[Passage]) -> Iterator[Paragraph]:
    return (paragraph for passage in passages for paragraph in passage.paragraphs)


def _only_i(scene: Scene) -> str | None:
    """Returns the only person who says I in a scene, outside of quotations; None if there is another."""
    saying = {(paragraph.speaker, paragraph.eyes) for paragraph in scene.paragraphs() if _says_i(paragraph)}
    speaker, eyes = saying.pop() if len(saying) == 1 else (None, None)
    return None if eyes else speaker


def _only_teller(scene: Scene) -> str | None:
    """Returns the only person who tells a scene beside the game master, and says I; None without one.

    None for a scene without a heading, with variations, or with an I of the game master's.
    """
    told = [paragraph for paragraph in scene.paragraphs() if paragraph.text]
    named = [paragraph for paragraph in told if paragraph.label]
    if scene.title is None or any(passage.variations for passage in scene.passages):
        return None
    if any(_says_i(paragraph) for paragraph in told if not paragraph.label):
        return None
    speakers = {paragraph.speaker for paragraph in named}
    is_plain = all(_is_plain(replace(paragraph, cue="")) for paragraph in named)
    if len(speakers) != 1 or not is_plain or not any(map(_says_i, named)):
        return None
    return speakers.pop()


def _is_removable(paragraph: Paragraph, view: str) -> bool:
    return bool(paragraph.label) and paragraph.speaker == view and not paragraph.cue


def _is_plain(paragraph: Paragraph) -> bool:
    """True for a paragraph of a story whose label has a name and nothing else."""
    return paragraph.spare and not (paragraph.cue or paragraph.eyes or paragraph.struck)


def _says_i(paragraph: Paragraph) -> bool:
    return in_first_person(_in_marks(paragraph))


_SEVERAL: Final = 3
"""People from whom texts in a row are a block."""

_SHORT: Final = 32
"""Most words of a text in a round that is one block."""

_FEW: Final = 3
"""Most sentences of such a text."""


def in_rounds(paragraphs: Iterable[Paragraph], parted: Container[str | None]) -> Iterator[Paragraph]:
    """Yields the paragraphs; short texts by three or more people in a row are one paragraph.

    Its label has their names in the order of their texts. Texts of one sentence each run on; in a round of a
    conflict short texts of a few sentences are too, and each is then a paragraph of its own.
    """
    block: list[Paragraph] = []
    for paragraph in paragraphs:
        met = {one.speaker for one in block}
        first = block[0] if block else paragraph
        if not _fits_a_round(paragraph):
            yield from _block(block)
            yield paragraph
            block = []
        elif (
            paragraph.speaker in met
            or (paragraph.cue, paragraph.round) != (first.cue, first.round)
            or paragraph.begins
        ):
            yield from _block(block)
            block = [paragraph]
        else:
            block.append(paragraph)
        if block and (paragraph.mechanics or _is_parted(paragraph, parted)):
            yield from _block(block)
            block = []
    yield from _block(block)


def _fits_a_round(paragraph: Paragraph) -> bool:
    is_plain = paragraph.spare and not (paragraph.eyes or paragraph.struck)
    is_told = paragraph.kind is Tag.NARRATION and bool(paragraph.label) and paragraph.speaker is not None
    text = paragraph.text
    if not (is_plain and is_told) or paragraph.quotes[0] in text or BETWEEN_PARAGRAPHS in text:
        return False
    sentences = _sentences(text)
    return sentences == 1 or bool(paragraph.round and 1 < sentences <= _FEW and len(text.split()) <= _SHORT)


def _sentences(text: str) -> int:
    return len(_ENDS.findall(text))


_ENDS: Final = re.compile(r"[.!?\u2026:](?=\s|$)")


def _block(block: list[Paragraph]) -> Iterator[Paragraph]:
    if len(block) < _SEVERAL:
        yield from block
        return
    names = ", ".join(paragraph.speaker or "" for paragraph in block)
    cue = f" ({block[0].cue})" if block[0].cue else ""
    runs_on = all(_sentences(paragraph.text) == 1 for paragraph in block)
    yield replace(
        block[0],
        text=(" " if runs_on else BETWEEN_PARAGRAPHS).join(paragraph.text for paragraph in block),
        speaker=names,
        label=f"{names}{cue}",
        others=_ids(block)[1:],
        mechanics=tuple(mechanic for paragraph in block for mechanic in paragraph.mechanics),
        spare=False,
    )


def in_exchanges(
    paragraphs: Iterable[Paragraph], parted: Container[str | None], *, apart: bool = False
) -> Iterator[Paragraph]:
    """Yields the paragraphs; speeches by three or more people in a row are one block of lines.

    Each line has the name and the speech: `Zel: “Go.”`. With `apart` each line is a paragraph.
    """
    run: list[Paragraph] = []
    for paragraph in paragraphs:
        if not _is_speech(paragraph):
            yield from _exchange(run, apart=apart)
            yield paragraph
            run = []
            continue
        run.append(paragraph)
        if paragraph.mechanics or _is_parted(paragraph, parted):
            yield from _exchange(run, apart=apart)
            run = []
    yield from _exchange(run, apart=apart)


def _is_speech(paragraph: Paragraph) -> bool:
    """True for a paragraph of a story that is one quotation and nothing else, of a person with a name."""
    opening, closing = paragraph.quotes
    text = _in_marks(paragraph)
    inside = text.removeprefix(opening).removesuffix(closing)
    is_whole = text.startswith(opening) and text.endswith(closing) and opening not in inside
    is_named = bool(paragraph.label) and paragraph.speaker is not None
    return _is_plain(paragraph) and is_named and is_whole and BETWEEN_PARAGRAPHS not in text


def _exchange(run: list[Paragraph], *, apart: bool) -> Iterator[Paragraph]:
    if len({paragraph.speaker for paragraph in run}) < _SEVERAL:
        yield from run
    elif apart:
        yield from (
            replace(
                paragraph,
                kind=Tag.EXCHANGE,
                text=_in_marks(paragraph),
                label="" if paragraph.joins else paragraph.label,
                spare=False,
            )
            for paragraph in run
        )
    else:
        yield replace(
            run[0],
            kind=Tag.EXCHANGE,
            text=BETWEEN_PARAGRAPHS.join(f"{one.label}: {_in_marks(one)}" for one in run),
            speaker=None,
            label="",
            others=_ids(run)[1:],
            mechanics=run[-1].mechanics,
            spare=False,
        )


def _ids(paragraphs: Iterable[Paragraph]) -> tuple[str, ...]:
    """Returns the ids of the paragraphs and of those joined to them."""
    return tuple(id_ for paragraph in paragraphs for id_ in (paragraph.id, *paragraph.others))


def _is_parted(paragraph: Paragraph, parted: Container[str | None]) -> bool:
    """True if a variation stands under the paragraph, or under one that was joined to it."""
    return any(id_ in parted for id_ in (paragraph.id, *paragraph.others))


def _sparing_passage(passage: Passage, only_i: str | None) -> Passage:
    parted = {variation.after for variation in passage.variations}
    lines = in_exchanges(passage.paragraphs, parted, apart=True)
    told = sparingly_named(lines, parted, apart=True, only_i=only_i)
    return replace(passage, paragraphs=tuple(told))


def sparingly_named(
    paragraphs: Iterable[Paragraph],
    parted: Container[str | None],
    *,
    apart: bool = False,
    only_i: str | None = None,
    view: str | None = None,
) -> Iterator[Paragraph]:
    """Yields the paragraphs without labels where the text makes clear who tells it.

    That is: the teller's name is in the first sentence; the text says I, as the one who said it last; a
    sentence of the game master's has a subject of its own; speech has a tag (`said Zel`), or takes turns
    between two; a round has the names of the one before it. After mechanics, a secret or a variation
    (`parted`) a name stands again. `apart` is true where joining paragraphs stay apart: they have no label.
    `only_i` is the only person of the scene who says I, if there is one, and is named once. `view` is the
    only teller of the scene, if it has one: their name stands under its heading.
    """
    narrator: str | None = None
    turns: list[str] = []
    met, round_ = view is not None, ""
    for paragraph in paragraphs:
        shown, speaker, is_plain = paragraph, paragraph.speaker, _is_plain(paragraph)
        text = _in_marks(paragraph)
        says_i = in_first_person(text)
        speaks = paragraph.quotes[0] in text
        if paragraph.kind is Tag.EXCHANGE:
            narrator = None
        elif paragraph.round and not is_plain and not apart and paragraph.label == round_:
            shown, narrator = replace(paragraph, label=""), None
        elif not paragraph.label:
            narrator = None if says_i and not paragraph.joins else narrator
        elif is_plain and speaker is not None:
            answers = not says_i and speaks and turns[-2:-1] == [speaker]
            is_clear = (
                (apart and paragraph.joins)
                or (says_i and (speaker in (narrator, view) or (met and speaker == only_i)))
                or answers
                or (not says_i and (is_named(text, speaker) or _is_game_masters(paragraph)))
            )
            tagged = None if is_clear or says_i else _tagged(paragraph, text)
            if is_clear or (tagged is None and speaker == view):
                shown = replace(paragraph, label="")
            elif tagged is not None:
                shown = replace(paragraph, kind=Tag.NARRATION, text=tagged, label="")
            elif narrator != speaker:
                narrator = speaker if says_i else None
            met = met or speaker == only_i
            if narrator != speaker and not _is_game_masters(paragraph):
                narrator = None  # somebody else spoke, so that an I after it needs a name again
        else:
            is_open = paragraph.spare and not (paragraph.eyes or paragraph.struck)
            narrator = speaker if is_open and says_i else None
            met = met or (is_open and speaker == only_i)
        round_ = "" if paragraph.spare or paragraph.eyes else paragraph.label or ""
        turns = [*turns[-1:], speaker] if speaks and speaker is not None and is_plain else []
        if paragraph.mechanics or paragraph.eyes or _is_parted(paragraph, parted):
            narrator, turns, round_, met = None, [], "", view is not None
        yield shown


def _is_game_masters(paragraph: Paragraph) -> bool:
    """True for a text in third person that the game master tells for somebody, whose subject it says."""
    return paragraph.played_by_gm and says_who(_in_marks(paragraph))


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
    first, behind = first_end(said)
    tag = paragraph.tags[first.endswith("?")]
    if first.endswith(".") or first[-1:].isalnum():
        first = f"{first.removesuffix('.')},"
    goes_on = f" {opening}{behind}{closing}" if behind else ""
    return f"{opening}{first}{closing} {tag}.{goes_on}{rest}"


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
