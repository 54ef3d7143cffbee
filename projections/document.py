"""What a transcript is made of: head, cast, scenes of passages of paragraphs, and what stands at the end."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any, ClassVar, Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from projections.maps.picture import Picture
from projections.prose.phrases import ENGLISH, Phrases
from projections.prose.telling import Tag
from projections.replay.value import Replay
from projections.views.sheet import plain

VERSION: Final = 1
"""Of the transcript's JSON; within one version fields are only added."""


class Mechanic(Struct, frozen=True, gc=False):
    """One line of cards, dice or numbers, and where its luck came from (`called`; empty for none)."""

    id: str
    kind: str
    text: str
    luck: str = ""


class Paragraph(Struct, frozen=True, gc=False):
    """Something told, with the mechanics that stand behind it.

    `kind` says whose words they are; `generated` that they are nobody's but ours. `speaker` and `manner`
    say who did what with them (`Zel`, `declares`). `eyes` is whom it is for, if not for all; `later`, that
    it was told afterwards; `struck`, that it counts no longer. Its text is empty where there is nothing
    but mechanics. `seconds` counts from `Transcript.opened` to when it was recorded; None for what has no
    place in that time: told later, imported, or from before. Of what was told later they are those that
    somebody gave (--clock), in a recording that begins as the session does.

    `label` stands before it as the voice has it, or, if None, as its speaker and manner make it; `quotes`
    are the marks around what is spoken; a `direction` is for the stage, and stands in brackets.

    `cue` is what a story keeps, in brackets in the label, of the manner in which something was said.

    `joins` says that it goes on in the paragraph before it wherever text runs on. `others` are the ids of
    those that went on in this one. `begins` says that a round was over before it, or, of a sentence of ours,
    another act: where it joins, it is a paragraph of its own under the same name.
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

    beside: ClassVar = frozenset({"others", "begins"})
    """The fields that its JSON leaves out."""


class Conflict(Struct, frozen=True):
    """The heading of a conflict, or of another stretch of it (`continued`)."""

    id: str
    number: int
    title: str
    system: str
    sides: tuple[tuple[str, ...], ...]
    stakes: str | None
    continued: bool = False
    mechanics: tuple[Mechanic, ...] = ()


class Plate(Struct, frozen=True):
    """The map of a conflict as it was when the conflict, or the scene, was over."""

    id: str
    title: str
    picture: Picture


class Variation(Struct, frozen=True):
    """How it went on another line, from the moment at which that line leaves the one told.

    It stands under the paragraph `after` of its passage, or above them all. `why` is why somebody left there.
    One that leaves too many others has no scenes: it is named, and told apart.
    """

    id: str
    after: str | None
    name: str
    why: str | None
    scenes: tuple[Scene, ...]


class Passage(Struct, frozen=True):
    """Paragraphs in a row, of one conflict or of none; what stands between and beneath them, in order.

    It is false where it says nothing: a conflict is named when it opens, and again only over something.
    """

    conflict: Conflict | None
    paragraphs: tuple[Paragraph, ...]
    variations: tuple[Variation, ...] = ()
    plate: Plate | None = None

    def __bool__(self) -> bool:
        named = self.conflict is not None and bool(not self.conflict.continued or self.conflict.mechanics)
        return bool(named or self.paragraphs or self.variations or self.plate)


class Chapter(Struct, frozen=True):
    """The heading of a session, where a transcript has several."""

    session: int
    title: str | None
    date: str | None
    gm: str | None = None
    """Who led the game then, where it was not the same in every session."""


class Scene(Struct, frozen=True):
    """A scene; what stands before the first has no id and title. `chapter`, where a session begins here."""

    id: str | None
    title: str | None
    chapter: Chapter | None
    passages: tuple[Passage, ...]

    def without_mechanics(self) -> Scene:
        """The story alone, as a transcript has it without mechanics."""
        return replace(self, passages=tuple(filter(None, map(_bare_passage, self.passages))))

    def running(self) -> Scene:
        """The same with every paragraph that joins the one before it run on into that."""
        return replace(self, passages=tuple(map(_running_passage, self.passages)))


class Played(Struct, frozen=True):
    """A player and the characters they played; `before` played these earlier, in order."""

    player: str
    characters: tuple[str, ...]
    before: tuple[str, ...] = ()


class Head(Struct, frozen=True):
    """What stands above a transcript. `title` is the session's, and `session` None for several."""

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
    """What somebody noted about the session as a whole."""
    gms: tuple[str, ...] = ()
    """Everybody who led the game, in the order of their first sessions; `gm` is the last."""


class Member(Struct, frozen=True):
    """Somebody in the cast, with their one phrase; `before` played them earlier, in order."""

    name: str
    role: str
    player: str | None = None
    phrase: str | None = None
    before: tuple[str, ...] = ()


class Quote(Struct, frozen=True):
    """Something said at the table that must not be lost."""

    id: str
    text: str
    who: str | None = None
    quotes: tuple[str, str] = ("“", "”")
    """The marks around it, where it stands in a line."""


class Missing(Struct, frozen=True):
    """What nobody told: the paragraph or mechanic it belongs to, what came out, whose it is to tell."""

    id: str
    what: str
    who: tuple[str, ...]


class End(Struct, frozen=True):
    """What stands below a transcript: what changed, what is open, quotes, and what is untold."""

    changed: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    quotes: tuple[Quote, ...] = ()
    untold: tuple[Missing, ...] = ()


class Entry(Struct, frozen=True):
    """Somebody (`person`), a side or a thing (`thing`), or somewhere (`place`) in the index of a book.

    `sessions` are those they are in, and `scenes` the ids of the scenes, in the order of the book.
    """

    name: str
    kind: Literal["person", "thing", "place"]
    sessions: tuple[int, ...]
    scenes: tuple[str, ...] = ()


class Transcript(Struct, frozen=True):
    """A stretch of a line as one voice tells it to one viewer."""

    voice: str
    viewer: str
    head: Head
    cast: tuple[Member, ...]
    scenes: tuple[Scene, ...]
    end: End
    lang: str = "en"
    """The language of what is typed and of our own sentences, as HTML names languages."""
    index: tuple[Entry, ...] = ()
    """Who and what is in which session; a book has one."""
    opened: str | None = None
    """When the first session it tells was opened: UTC, ISO 8601; None if it tells none."""
    source: str = ""
    """Which campaign it is of: a keyed digest, the same in all its transcripts and in no other's."""
    phrases: Phrases = ENGLISH
    """What a page of it says of its own accord: headings and labels. Not in its JSON."""
    replay: Replay | None = None
    """The same step by step, where somebody asked for that. Not in its JSON."""

    beside: ClassVar = frozenset({"phrases", "replay"})
    """The fields that its JSON leaves out."""

    def plates(self) -> Iterator[Plate]:
        """Its maps, in the order in which they stand, those of variations too."""
        return (plate for scene in self.scenes for plate in _plates(scene))

    @property
    def title(self) -> str:
        """What it is called: the session's title, or its number, or the campaign's title."""
        head = self.head
        if head.session is not None:
            session = self.phrases.say("page.session", number=head.session)
            return f"{session}: {head.title}" if head.title else session
        return head.campaign or self.phrases.say("page.campaign")

    def to_json(self) -> dict[str, Any]:
        """The transcript as JSON has it."""
        return {"transcript": VERSION, **plain(self)}

    def without_mechanics(self) -> Transcript:
        """The story alone: without what changed in numbers, and without what it still lacks."""
        scenes = tuple(scene.without_mechanics() for scene in self.scenes)
        replay = None if self.replay is None else self.replay.without_mechanics()
        return replace(self, scenes=scenes, end=replace(self.end, changed=(), untold=()), replay=replay)

    def running(self) -> Transcript:
        """The same with every paragraph that joins the one before it run on into that."""
        return replace(self, scenes=tuple(scene.running() for scene in self.scenes))


def _plates(scene: Scene) -> Iterator[Plate]:
    for passage in scene.passages:
        for variation in passage.variations:
            yield from (plate for inner in variation.scenes for plate in _plates(inner))
        if passage.plate is not None:
            yield passage.plate


def _bare_passage(passage: Passage) -> Passage:
    """The passage without numbers; a map, with what its borders take, is left out too."""
    kept = [one for one in passage.paragraphs if one.kind not in (Tag.MECHANICS, Tag.RIBBON)]
    return Passage(
        None if passage.conflict is None else replace(passage.conflict, mechanics=()),
        tuple(replace(one, mechanics=()) for one in kept),
        tuple(_bare_variations(passage, {one.id for one in kept})),
    )


def _bare_variations(passage: Passage, kept: Container[str]) -> Iterator[Variation]:
    """Each under the last paragraph before it that is still there."""
    told = [one.id for one in passage.paragraphs]
    for one in passage.variations:
        before = told[: told.index(one.after) + 1] if one.after in told else []
        after = next((each for each in reversed(before) if each in kept), None)
        yield replace(one, after=after, scenes=tuple(scene.without_mechanics() for scene in one.scenes))


# --- running text -----------------------------------------------------------------------------------------

LONGEST: Final = 700
"""Characters up to which a paragraph takes in another, about a third of a page."""

BETWEEN_PARAGRAPHS: Final = "\n\n"
"""What stands in a text where another paragraph of it begins."""


def joined_by_teller(scenes: tuple[Scene, ...]) -> tuple[Scene, ...]:
    """Scenes in which what the same person tells in a row joins what they told before.

    After a heading, mechanics or another line nothing joins. Every text keeps its name, for a page may
    have it stand alone.
    """
    return tuple(replace(one, passages=tuple(map(_joined_by_teller, one.passages))) for one in scenes)


def together(scenes: tuple[Scene, ...]) -> tuple[Scene, ...]:
    """Scenes in which a sentence of ours joins the one before it of the same act.

    Where numbers stand between, it does not.
    """
    return tuple(replace(one, passages=tuple(map(_together, one.passages))) for one in scenes)


def _together(passage: Passage) -> Passage:
    told: list[Paragraph] = []
    for one in passage.paragraphs:
        joins = bool(told) and one.generated and told[-1].generated and not one.begins
        joins = joins and not (one.mechanics or one.eyes or told[-1].eyes)
        told.append(replace(one, joins=True) if joins else one)
    return replace(passage, paragraphs=tuple(told))


def _joined_by_teller(passage: Passage) -> Passage:
    parted = {one.after for one in passage.variations}
    told: list[Paragraph] = []
    for one in passage.paragraphs:
        joins = bool(told) and told[-1].id not in parted and _goes_on(told[-1], one)
        told.append(replace(one, joins=True) if joins else one)
    return replace(passage, paragraphs=tuple(told))


_BESIDE: Final = frozenset({Tag.MECHANICS, Tag.RIBBON, Tag.ASIDE})
"""What joins nothing, and nothing joins it."""


def _goes_on(before: Paragraph, one: Paragraph) -> bool:
    """True if the same person tells both, and tells them to the same eyes; what has a cue begins anew.

    Two speeches in a row without a name may be two people's: the game master has many mouths.
    """
    is_plain = all(not each.struck and each.kind not in _BESIDE for each in (before, one))
    if before.kind is one.kind is Tag.SPEECH and not one.label:
        return False
    return is_plain and not one.cue and (one.speaker, one.eyes) == (before.speaker, before.eyes)


def _running_passage(passage: Passage) -> Passage:
    told: list[Paragraph] = []
    parted = {one.after for one in passage.variations}
    for one in passage.paragraphs:
        joins = one.joins and told and not parted & {told[-1].id, *told[-1].others}
        if joins and not one.begins and _has_room(told[-1], one):
            told[-1] = _joined(told[-1], one)
        elif joins and _stays_with_its_name(told[-1]):
            told[-1] = _joined(told[-1], one, BETWEEN_PARAGRAPHS)
        else:
            told.append(one)
    ids = {other: one.id for one in told for other in one.others}
    inner = (
        replace(
            one,
            after=None if one.after is None else ids.get(one.after, one.after),
            scenes=tuple(scene.running() for scene in one.scenes),
        )
        for one in passage.variations
    )
    return replace(passage, paragraphs=tuple(told), variations=tuple(inner))


def _has_room(before: Paragraph, one: Paragraph) -> bool:
    last = before.text.rpartition(BETWEEN_PARAGRAPHS)[-1]
    return len(last) + len(one.text) < LONGEST


def _stays_with_its_name(before: Paragraph) -> bool:
    """True if what goes on may be another paragraph of the same text; its mechanics would be far from it."""
    return bool(before.label) and not before.mechanics


def _joined(before: Paragraph, one: Paragraph, between: str = " ") -> Paragraph:
    return replace(
        before,
        kind=before.kind if one.kind is before.kind is Tag.GENERATED else Tag.NARRATION,
        text=before.text
        if _says_it_again(before, one)
        else _run_together(_in_marks(before), _in_marks(one), one.quotes, between),
        mechanics=before.mechanics + one.mechanics,
        later=before.later and one.later,
        others=(*before.others, one.id, *one.others),
    )


def _says_it_again(before: Paragraph, one: Paragraph) -> bool:
    """Whether the last sentence of ours is told once more: the numbers say that it came twice."""
    ours = one.kind is before.kind is Tag.GENERATED
    return ours and (before.text == one.text or before.text.endswith((f". {one.text}", f"! {one.text}")))


def _run_together(before: str, text: str, quotes: tuple[str, str], between: str) -> str:
    """Two texts, one after the other; what is spoken in both is spoken in one, if they are one paragraph."""
    opening, closing = quotes
    if between == " " and before.endswith(closing) and text.startswith(opening):
        return f"{before.removesuffix(closing)} {text.removeprefix(opening)}"
    if between == " " and _ends_open(before) and not text[:1].islower():
        return f"{before}. {text}"
    return f"{before}{between}{text}"


def _ends_open(text: str) -> bool:
    """True where a text has no sign at its end, in a script that has full stops."""
    last = text[-1:]
    return last.islower() or last.isupper() or last.isdecimal()


def _in_marks(one: Paragraph) -> str:
    """Its text, what is spoken in quotation marks."""
    return f"{one.quotes[0]}{one.text}{one.quotes[1]}" if one.kind is Tag.SPEECH else one.text
