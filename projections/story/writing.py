"""Writing: finished scenes of a story, typeset, with mechanics (rolls, draws) where they are shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, pairwise
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from retold.journal.grouping import grouped
from retold.projections.maps.picture import Picture
from retold.projections.prose import Voice
from retold.projections.prose.beats import REMEMBERED
from retold.projections.prose.sentences import is_certain
from retold.projections.prose.telling import Tag
from retold.projections.story import document
from retold.projections.story.passages import (
    BESIDE,
    Noted,
    ParagraphBuilder,
    PassageBuilder,
    SceneBuilder,
    only_mechanics,
)
from retold.projections.story.running_text import marked_by_teller, marked_together, tense
from retold.projections.story.typography import Letter, typesetter_of

KeepScene = Callable[[document.Scene], document.Scene]
"""Receives a finished scene and returns the part to keep in the transcript."""


class OpeningHeading(NamedTuple):
    """Heading of the scene that is already in progress where a transcript begins."""

    id: str
    title: str
    """Typeset title."""


def written(
    scenes: Iterable[SceneBuilder],
    voice: Voice,
    keep: KeepScene | None = None,
    begun: OpeningHeading | None = None,
) -> Iterator[document.Scene]:
    """Yields the finished scenes that say something, each as `keep` returns it.

    `begun` is the heading for the first scene if that has none. What comes before the first session becomes
    part of it, if it has no words.
    """
    scenes_ = (_scene(scene, voice) for scene in scenes)
    told = (scene for scene in scenes_ if scene.passages or scene.title or scene.chapter)
    set_, held, around = typesetter_of(voice), list[tuple[document.Scene, int]](), 0
    is_open = voice.story and not voice.tense

    def decided() -> Iterator[document.Scene]:
        for shown, own in held:
            is_present = voice.tense == "present" or (own if is_certain(own) else around) > 0
            whole = replace(shown, diary=voice.diary, present=is_present)
            yield whole if keep is None else keep(whole)
        held.clear()

    for number, scene in enumerate(chain(_beginning(*islice(told, 2)), told)):
        shown = typeset(scene, set_)
        if number == 0 and begun is not None and shown.title is None:
            shown = replace(shown, id=begun.id, title=begun.title)
        if shown.chapter is not None:
            yield from decided()
            around = 0
        own = tense(shown.paragraphs()) if is_open else 0
        around += own
        held.append((shown, own))
        if not is_open or is_certain(around):
            yield from decided()
    yield from decided()


def _beginning(*scenes: document.Scene) -> tuple[document.Scene, ...]:
    """Returns the first two scenes; one of both if the first has no words and the other opens a session."""
    for before, first in pairwise(scenes):
        is_told = any(
            passage.conflict or passage.variations or any(paragraph.text for paragraph in passage.paragraphs)
            for passage in before.passages
        )
        if not (before.chapter or before.title or first.chapter is None or is_told):
            return (replace(first, passages=before.passages + first.passages),)
    return scenes


def _scene(scene: SceneBuilder, voice: Voice) -> document.Scene:
    passages = (_passage(passage, voice) for passage in scene.passages)
    return document.Scene(scene.id, scene.title, scene.chapter, tuple(filter(None, passages)))


def _passage(passage: PassageBuilder, voice: Voice) -> document.Passage:
    """Returns a passage, with paragraphs that are marked where they begin a new one, and where they join."""
    kept = [draft for draft in passage.drafts if not draft.dropped]
    act = ""
    for draft in kept:
        if draft.act != act and draft.weight == REMEMBERED:
            draft.page = replace(draft.page, begins=True)
        act = draft.act
    for before, draft in pairwise(kept):
        if draft.page.generated and draft.act != before.act and draft.page.text != before.page.text:
            draft.page = replace(draft.page, begins=True)
    conflict, told, variations = (
        passage.conflict,
        tuple(_with_mechanics(passage)),
        tuple(_variations(passage)),
    )
    if conflict is not None:
        conflict = replace(conflict, mechanics=tuple(passage.heading))
    parted = {variation.after for variation in variations}
    joined = marked_by_teller(told, parted) if voice.story else marked_together(told)
    return document.Passage(conflict, tuple(joined), variations, passage.plate)


def _variations(passage: PassageBuilder) -> Iterator[document.Variation]:
    """Yields each variation, placed after the last paragraph before it that was not dropped."""
    for draft, variation in passage.left:
        before = passage.drafts[: passage.drafts.index(draft) + 1] if draft else []
        after = next((draft.page.id for draft in reversed(before) if not draft.dropped), None)
        yield replace(variation, after=after)


# --- mechanics --------------------------------------------------------------------------------------------

_BEFORE_ALL: Final = -1
"""Place of mechanics that stand before every paragraph."""


def _with_mechanics(passage: PassageBuilder) -> Iterator[document.Paragraph]:
    """Yields the paragraphs that are not dropped, each with the mechanics that it shows.

    Those that stand before every paragraph go to the conflict's heading, or are a paragraph of their own.
    """
    shown = grouped(
        (place, noted.mechanic) for noted, place in zip(passage.noted, _places(passage), strict=True)
    )
    first = shown.get(_BEFORE_ALL, [])
    if passage.conflict is not None:
        passage.heading.extend(first)
    elif first:
        yield replace(only_mechanics(first[0]), mechanics=tuple(first))
    for place, draft in enumerate(passage.drafts):
        if not draft.dropped:
            yield replace(draft.page, mechanics=tuple(shown.get(place, ())))


def _places(passage: PassageBuilder) -> list[int]:
    """Returns the index of the paragraph that shows each mechanic, `_BEFORE_ALL` for none.

    That is the paragraph before it in the same turn, or the next one in that turn; in a turn without
    paragraphs, the one before. So both are in the order of the record, except that a text comes before the
    rolls of its own turn. If no paragraph takes any, the last one that is kept shows them all.
    """
    kept = [(place, draft.page.kind) for place, draft in enumerate(passage.drafts) if not draft.dropped]
    takers = [place for place, kind in kept if kind not in BESIDE]
    if not takers:
        last = max((place for place, kind in kept if kind is not Tag.RIBBON), default=_BEFORE_ALL)
        return [last] * len(passage.noted)
    found: list[int] = []
    told = 0
    for noted in passage.noted:
        while told < len(takers) and takers[told] < noted.place:
            told += 1
        found.append(_place(passage, noted, takers, told))
    for number in range(len(found) - 1, 0, -1):
        found[number - 1] = min(found[number - 1], found[number])
    return found


def _place(passage: PassageBuilder, noted: Noted, takers: Sequence[int], told: int) -> int:
    """Returns the index of the paragraph that shows a mechanic; `told` of the `takers` are before it."""
    drafts = passage.drafts
    goes_on = told < len(takers) and drafts[takers[told]].turn == noted.turn
    if told and drafts[takers[told - 1]].turn == noted.turn:
        following = takers[told] if goes_on else takers[told - 1]
        if _is_of_next(noted, drafts[takers[told - 1]], drafts[following]):
            return following
        place = told - 1  # a generated sentence leaves the mechanics of its own act to the text before it
        while place and drafts[takers[place]].page.generated:
            is_own = drafts[takers[place]].act == noted.act
            if not is_own or drafts[takers[place - 1]].turn != noted.turn:
                break
            place -= 1
        return takers[place]
    if goes_on and not noted.stands:
        return takers[told]
    if told:
        return takers[told - 1]
    return takers[0] if passage.conflict is None else _BEFORE_ALL


def _is_of_next(noted: Noted, before: ParagraphBuilder, following: ParagraphBuilder) -> bool:
    """True if a mechanic behind a generated sentence belongs to the act of the next text."""
    is_text = before.page.generated and not following.page.generated
    return is_text and before.act != noted.act == following.act and not noted.stands


# --- letters ----------------------------------------------------------------------------------------------

_TYPESET: Final[Mapping[type, tuple[str, ...]]] = {
    document.Scene: ("title", "chapter", "passages"),
    document.Chapter: ("title",),
    document.Passage: ("conflict", "paragraphs", "variations", "plate"),
    document.Variation: ("why",),
    document.Conflict: ("title", "sides", "stakes"),
    document.Plate: ("title", "picture"),
    document.Head: ("campaign", "title", "gm", "gms", "players", "absent"),
    document.Played: ("player", "characters", "before"),
    document.Member: ("name", "player", "before"),
    document.End: ("changed", "open", "quotes", "untold"),
    document.Quote: ("who",),
    document.Missing: ("what", "who"),
}
"""Fields with headings, labels and names; words of paragraphs are typeset as they are told."""


def typeset(told: Any, set_: Letter) -> Any:  # noqa: ANN401 -- the same as is given
    """Returns a part of a transcript with typeset headings, labels and names, without session leaders."""
    if not told:
        return told
    if isinstance(told, document.Paragraph):
        return replace(
            told,
            speaker=told.speaker and set_(told.speaker),
            manner=told.manner and set_(told.manner),
            label=told.label and set_(told.label),
            eyes=told.eyes and set_(told.eyes),
            about=told.about and set_(told.about),
        )
    if isinstance(told, str | Picture):
        return set_(told) if isinstance(told, str) else told.spelled(set_)
    if isinstance(told, tuple):
        return tuple(typeset(part, set_) for part in told)
    return replace(told, **{field: typeset(getattr(told, field), set_) for field in _TYPESET[type(told)]})


def typeset_transcript(told: document.Transcript, voice: Voice) -> document.Transcript:
    """Returns the transcript with typeset headings, labels and names; numbers are left alone.

    Its scenes must be typeset already, except the names of session leaders.
    """
    set_ = typesetter_of(voice)
    head, cast, end = (typeset(part, set_) for part in (told.head, told.cast, told.end))
    scenes = (
        scene
        if scene.chapter is None or scene.chapter.gm is None
        else replace(scene, chapter=replace(scene.chapter, gm=set_(scene.chapter.gm)))
        for scene in told.scenes
    )
    return replace(told, head=head, cast=cast, scenes=tuple(scenes), end=end)
