"""Endings of sessions quoted from the table's own words, for recaps and for “Previously”."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import chain
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from retold.journal.store.events.codec import Recorded
from retold.journal.store.events.text_matching import count_words
from retold.journal.visibility import TABLE
from retold.journal.vocabulary import events as e
from retold.projections.prose.phrases import Phrases
from retold.projections.prose.telling import Tag
from retold.projections.reading import EVERYBODY, LateAdditions, LineView
from retold.projections.story import document
from retold.projections.texts import emphasis
from retold.projections.texts.line_ends import reflowed

FIRST: Final = 60
"""Most words of a recap's first lines, shown under “Previously”."""

LAST: Final = 3
"""Number of last paragraphs to choose from."""

OWN: Final = frozenset({Tag.NARRATION, Tag.DECLARATION, Tag.SPEECH, Tag.EDIT})
"""Kinds of paragraphs in players' own words."""

What = Literal["summary", "scene", "words", "quote"]

_WEIGHTS: Final[dict[What, int]] = {"summary": 0, "scene": 1, "words": 2, "quote": 3}
"""Order of choice if space is short."""

_END: Final = "[.!?\u2026]+[\"'\u201d\u2019\u00bb\u201c\u00ab)\\]]*(?=\\s|$)"
_UNSPACED_END: Final = "[\u3002\uff01\uff1f]+[\u300d\u300f\u201d\u2019\uff09]*"
_SENTENCE: Final = re.compile(rf".+?(?:{_END}|{_UNSPACED_END}|$)\s*", re.DOTALL)


class Recalled(Struct, frozen=True):
    """Words quoted from a session; `what` is summary, scene title, last words or memorable quote.

    `label` precedes them on a page, `marks` around them.
    """

    what: What
    session: int | None
    text: str
    who: str | None = None
    label: str = ""
    marks: tuple[str, str] = ("", "")

    def said(self, phrases: Phrases) -> str:
        """Returns the quoted words joined to one line, with label and quotation marks."""
        text = f"{self.marks[0]}{' '.join(self.text.split())}{self.marks[1]}"
        if self.what == "scene":
            return phrases.say("recap.scene", scene=text)
        if self.what == "quote":
            return phrases.say("recap.quote", quote=text, who=self.who)
        return f"{self.label}{phrases.language.colon} {text}" if self.label else text


# --- what there is to choose from -------------------------------------------------------------------------


def spoken_aloud(reading: LineView) -> LineView:
    """Returns the reading as it may be read aloud: for the game master with the whole table's knowledge."""
    return reading.through(EVERYBODY) if reading.viewer.gm else reading


def summed_up(said: LateAdditions, opening: int) -> tuple[str | None, LateAdditions]:
    """Splits off the public notes about the session opened at position `opening`, as its summary.

    Returns the notes as text (None if there are none), and the other later additions.
    """
    notes: list[str] = []
    rest: list[Recorded] = []
    for recorded in said.words.get(opening, ()):
        event = recorded.event
        if isinstance(event, e.Noted) and not event.quote and recorded.envelope.visible_to == TABLE:
            notes.append(str(event.text))
        else:
            rest.append(recorded)
    return "\n\n".join(notes) or None, replace(said, words={**said.words, opening: rest})


def recalled(
    session: int | None,
    scenes: Sequence[document.Scene],
    quotes: Iterable[document.Quote],
    summaries: Iterable[str],
    phrases: Phrases,
    *,
    most: int = LAST,
) -> tuple[Recalled, ...]:
    """Returns the ending of a session in reading order: summaries, last scene, its last words, quotes.

    The last scene is the last in which a player told something. If no player told anything in it, generated
    sentences give the results. Its last words are at most `most` paragraphs. Redacted words, as the language
    of `phrases` marks them, are left out.
    """
    is_redacted = phrases.language.is_redacted
    closing = tuple(summary for summary in map(emphasis.words, summaries) if not is_redacted(summary))
    there = [(scene, list(ending_told(scene, closing, OWN, phrases))) for scene in scenes]
    ours = [
        paragraph for scene in scenes for paragraph in ending_told(scene, closing, {Tag.GENERATED}, phrases)
    ]
    titled = [(scene, ours) for scene in scenes if scene.title]
    told = [pair for pair in there if pair[1]] or titled or [(document.Scene(None, None, None, ()), ours)]
    scene, last = told[-1]
    return (
        *(Recalled("summary", session, summary) for summary in closing),
        *(
            Recalled("scene", session, title)
            for title in (scene.title,)
            if title is not None and not is_redacted(title)
        ),
        *(recalled_words(session, paragraph) for paragraph in last[-most:]),
        *(
            Recalled("quote", session, emphasis.words(quote.text), quote.who, marks=quote.quotes)
            for quote in quotes
            if not is_redacted(quote.text)
        ),
    )


def ending_told(
    scene: document.Scene, besides: Iterable[str], kinds: Container[Tag], phrases: Phrases
) -> Iterator[document.Paragraph]:
    """Yields a scene's paragraphs of these kinds that still count, except the texts in `besides`."""
    for paragraph in chain.from_iterable(passage.paragraphs for passage in scene.passages):
        if (
            paragraph.kind in kinds
            and emphasis.words(paragraph.text) not in ("", *besides)
            and not phrases.language.is_redacted(paragraph.text)
            and not paragraph.struck
        ):
            yield paragraph


def recalled_words(session: int | None, paragraph: document.Paragraph) -> Recalled:
    """Returns a paragraph as words quoted from a session."""
    marks = paragraph.quotes if paragraph.kind is Tag.SPEECH else ("", "")
    text = reflowed(emphasis.words(paragraph.text))
    return Recalled("words", session, text, paragraph.speaker, paragraph.label or "", marks)


def with_previously(book: document.Transcript) -> document.Transcript:
    """Returns a book whose chapters, but for the first, begin with how the session before them ended.

    That is a paragraph of the book's own words, at most `FIRST`, without those for some eyes alone.
    """
    scenes: list[document.Scene] = []
    before: list[document.Scene] = []
    session: int | None = None
    for scene in book.scenes:
        chapter = scene.chapter
        if chapter is not None:
            told = fitting(recalled(session, before, (), (), book.phrases), FIRST, book.phrases)
            text = " ".join(words.said(book.phrases) for words in told) if session is not None else ""
            session, before = chapter.session, []
            scenes.append(replace(scene, chapter=replace(chapter, previously=text or None)))
        else:
            scenes.append(scene)
        before.append(replace(scene, passages=tuple(map(_for_all, scene.passages))))
    return replace(book, scenes=tuple(scenes))


def _for_all(passage: document.Passage) -> document.Passage:
    kept = (paragraph for paragraph in passage.paragraphs if paragraph.eyes is None)
    return replace(passage, paragraphs=tuple(kept))


# --- what is chosen ---------------------------------------------------------------------------------------


def fitting(told: Sequence[Recalled], room: int, phrases: Phrases) -> tuple[Recalled, ...]:
    """Selects quotations of at most `room` words together, and returns them in their order.

    Selected first is a summary, then the last scene, the last words, and quotes. If the first of its kind
    is too long, it is cut at the end of a sentence; further ones that do not fit are left out.
    """
    chosen: dict[int, Recalled] = {}
    for place in sorted(
        range(len(told)),
        key=lambda place: (_WEIGHTS[told[place].what], -place if told[place].what == "words" else place),
    ):
        words = told[place]
        is_first = all(other.what != words.what for other in chosen.values())
        beside = count_words(replace(words, text="").said(phrases))
        if is_first:
            words = replace(words, text=cut(words.text, room - beside, force=not chosen))
        used = count_words(words.said(phrases))
        if words.text and used <= room:
            chosen[place] = words
            room -= used
    return tuple(chosen[place] for place in sorted(chosen))


def cut(text: str, room: int, *, force: bool = False) -> str:
    """Returns the first sentences of a text, up to `room` words; empty if the first sentence is too long.

    With `force` the first sentence is cut between two words instead.
    """
    if count_words(text) <= room:
        return text
    kept = _up_to(_SENTENCE.findall(text), room)
    if not kept.strip() and force:
        kept = _up_to(re.findall(r"\S+\s*", text), room)
    return f"{kept.rstrip()} …" if kept.strip() else ""


def first_sentence(text: str) -> str:
    """Returns the first sentence of a text, without blanks around it."""
    return next(iter(_SENTENCE.findall(text.strip())), "").strip()


def _up_to(parts: Iterable[str], room: int) -> str:
    kept = ""
    for part in parts:
        room -= count_words(part)
        if room < 0:
            break
        kept += part
    return kept
