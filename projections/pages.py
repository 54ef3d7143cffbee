"""What a transcript is made of: head, cast, scenes of passages of paragraphs, and what stands at the end."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from projections.maps.picture import Picture
from projections.prose.telling import Tag
from projections.views.sheet import plain

VERSION: Final = 1
"""Of the transcript's JSON; within one version fields are only added."""


@dataclass(frozen=True, slots=True)
class Mechanic:
    """One line of cards, dice or numbers, and where its luck came from (`called`; empty for none)."""

    id: str
    kind: str
    text: str
    luck: str = ""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Something told, with the mechanics that stand behind it.

    `kind` says whose words they are; `generated` that they are nobody's but ours. `speaker` and `manner`
    say who did what with them (`Zel`, `declares`). `eyes` is whom it is for, if not for all; `later`, that
    it was told afterwards; `struck`, that it counts no longer. Its text is empty where there is nothing
    but mechanics. `seconds` counts from `Transcript.opened` to when it was recorded; None for what has no
    place in that time: told later, imported, or from before.

    `label` stands before it as the voice has it, or, if None, as its speaker and manner make it; `quotes`
    are the marks around what is spoken; a `direction` is for the stage, and stands in brackets.
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


@dataclass(frozen=True, slots=True)
class Conflict:
    """The heading of a conflict, or of another stretch of it (`continued`)."""

    id: str
    number: int
    title: str
    system: str
    sides: tuple[tuple[str, ...], ...]
    stakes: str | None
    continued: bool = False
    mechanics: tuple[Mechanic, ...] = ()


@dataclass(frozen=True, slots=True)
class Plate:
    """The map of a conflict as it was when the conflict, or the scene, was over."""

    id: str
    title: str
    picture: Picture


@dataclass(frozen=True, slots=True)
class Variation:
    """How it went on another line, from the moment at which that line leaves the one told.

    It stands under the paragraph `after` of its passage, or above them all. `why` is why somebody left there.
    One that leaves too many others has no scenes: it is named, and told apart.
    """

    id: str
    after: str | None
    name: str
    why: str | None
    scenes: tuple[Scene, ...]


@dataclass(frozen=True, slots=True)
class Passage:
    """Paragraphs in a row, of one conflict or of none; what stands between and beneath them, in order."""

    conflict: Conflict | None
    paragraphs: tuple[Paragraph, ...]
    variations: tuple[Variation, ...] = ()
    plate: Plate | None = None

    def __bool__(self) -> bool:
        return bool(self.conflict or self.paragraphs or self.variations)


@dataclass(frozen=True, slots=True)
class Chapter:
    """The heading of a session, where a transcript has several."""

    session: int
    title: str | None
    date: str | None


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene; what stands before the first has no id and title. `chapter`, where a session begins here."""

    id: str | None
    title: str | None
    chapter: Chapter | None
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A player and the characters they played."""

    player: str
    characters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Head:
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


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody in the cast, with their one phrase."""

    name: str
    role: str
    player: str | None = None
    phrase: str | None = None


@dataclass(frozen=True, slots=True)
class Quote:
    """Something said at the table that must not be lost."""

    id: str
    text: str
    who: str | None = None


@dataclass(frozen=True, slots=True)
class Missing:
    """What nobody told: the paragraph or mechanic it belongs to, what came out, whose it is to tell."""

    id: str
    what: str
    who: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class End:
    """What stands below a transcript: what changed, what is open, quotes, and what is untold."""

    changed: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    quotes: tuple[Quote, ...] = ()
    untold: tuple[Missing, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """Somebody (`person`) or somewhere (`place`) in the index of a book, and the sessions they are in."""

    name: str
    kind: Literal["person", "place"]
    sessions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Transcript:
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

    @property
    def title(self) -> str:
        """What it is called: the session's title, or its number, or the campaign's title."""
        head = self.head
        if head.session is not None:
            return f"Session {head.session}{': ' + head.title if head.title else ''}"
        return head.campaign or "A campaign"

    def to_json(self) -> dict[str, Any]:
        """The transcript as JSON has it."""
        return {"transcript": VERSION, **plain(self)}

    def without_mechanics(self) -> Transcript:
        """The story alone."""
        return replace(self, scenes=tuple(_bare_scene(scene) for scene in self.scenes))


def _bare_scene(scene: Scene) -> Scene:
    return replace(scene, passages=tuple(filter(None, map(_bare_passage, scene.passages))))


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
        yield replace(one, after=after, scenes=tuple(map(_bare_scene, one.scenes)))
