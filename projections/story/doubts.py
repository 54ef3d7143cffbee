"""Doubts about a first draft: places that an editor should look at, because the record cannot decide them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from msgspec.structs import replace

from retold.journal.system import NAMED_ROLL
from retold.projections.prose import VOICES
from retold.projections.prose.sentences import content_words, says_who
from retold.projections.prose.telling import Tag, in_first_person
from retold.projections.reading import LineView
from retold.projections.reading.ids import readable
from retold.projections.reading.outcomes_told import find_outdated
from retold.projections.reading.sessions import Stretch
from retold.projections.story.document import Paragraph, Passage
from retold.projections.story.transcript.build import last_stretch, of_stretch
from retold.projections.story.variations import TellingOptions
from retold.projections.views.sheet import NOBODY, Row, Seen

WIDEST: Final = 60
"""Characters of a text in the table."""


class Doubt(NamedTuple):
    """A place to look at: `at` is the id of an event or of a conflict's heading, `text` the words there."""

    at: str
    scene: str | None
    who: str | None
    text: str
    why: str

    def row(self) -> Row:
        """Returns this doubt as a table row, with a long text cut."""
        text = " ".join(self.text.split())
        shown = text if len(text) <= WIDEST else f"{text[: WIDEST - 1].rstrip()}…"
        at = readable(self.at) or NOBODY
        return Row((self.at, self.why), (at, self.why, self.who or NOBODY, shown))


class Doubts(Seen, frozen=True):
    """Answer of the doubts view: what an editor should look at in the last session's story.

    JSON: `{"doubts": [{"at", "scene", "who", "text", "why"}]}`.
    """

    view = "doubts"
    title = "Doubts"
    columns = ("At", "Why", "Who", "Text")
    doubts: tuple[Doubt, ...]


ALOUD: Final = "said aloud, or done?"
STRUCK: Final = "follows a struck line that readers do not see"
STAKE: Final = "first mention of a stake"
CHANGED: Final = "written before a change of the outcome"
ENDED: Final = "ended otherwise before the change"


def doubts_of(reading: LineView) -> Doubts:
    """Returns the doubts about the last session, or about the whole branch if it has none."""
    return Doubts(doubts_in(reading, last_stretch(reading)))


def doubts_in(reading: LineView, stretch: Stretch) -> tuple[Doubt, ...]:
    """Returns the doubts about a stretch of a branch, in the order of its story.

    A text may be untrue if a `fix` or a retcon changed the outcome that it tells, and a conflict may end
    otherwise since then. A declared text may be speech if it ends in “!” or has neither a pronoun such as he
    nor another subject. A text by the teller of a struck one, right behind it, may answer it. The stakes of a
    conflict are new if no text before has a word of them.
    """
    voice = replace(VOICES["report"], asides=False)  # keeps struck texts and headings of conflicts
    told = of_stretch(reading, stretch, TellingOptions(voice, ends=False))
    outdated = find_outdated(reading, stretch)
    texts = frozenset(map(reading.ids.at, outdated.texts))
    met: set[str] = set()
    found: list[Doubt] = []
    for scene in told.scenes:
        met |= content_words(scene.title or "")
        for passage in scene.passages:
            heading = passage.conflict
            if heading is not None and not heading.continued and heading.number in outdated.conflicts:
                found.append(Doubt(heading.id, scene.title, None, heading.title, ENDED))
            found += _of_passage(passage, scene.title, met, texts)
    return tuple(found)


def _of_passage(
    passage: Passage, scene: str | None, met: set[str], outdated: Collection[str]
) -> Iterator[Doubt]:
    """Yields the doubts of a passage, and adds its longer words to those `met`."""
    conflict, before = passage.conflict, None
    if conflict is not None and conflict.stakes and not conflict.continued:
        stakes = content_words(conflict.stakes)
        if stakes and stakes.isdisjoint(met):
            yield Doubt(conflict.id, scene, None, conflict.stakes, STAKE)
        met |= stakes
    for paragraph in passage.paragraphs:
        if not paragraph.text or paragraph.generated or paragraph.kind is Tag.RIBBON:
            continue
        if paragraph.kind is Tag.EDIT:  # says why the text before it is struck
            continue
        why = CHANGED if paragraph.id in outdated and not paragraph.struck else _why(paragraph, before)
        if why:
            yield Doubt(paragraph.id, scene, paragraph.speaker, paragraph.text, why)
        met |= content_words(paragraph.text)
        before = paragraph


def _why(paragraph: Paragraph, before: Paragraph | None) -> str:
    """Returns the doubt about a paragraph, given the one before it; empty without one."""
    if paragraph.struck:
        return ""
    if before is not None and before.struck and before.speaker == paragraph.speaker:
        return STRUCK
    is_declared = paragraph.kind is Tag.DECLARATION and paragraph.quotes[0] not in paragraph.text
    is_named = NAMED_ROLL.fullmatch(paragraph.text) is not None
    return ALOUD if is_declared and not is_named and _may_be_speech(paragraph.text) else ""


_SUBJECT: Final = re.compile(r"(?i)\b(?:i|he|she|it|we|they|who|whoever|one|somebody|someone|nobody)\b")


def _may_be_speech(text: str) -> bool:
    has_subject = in_first_person(text) or _SUBJECT.search(text) or says_who(text)
    return text.rstrip().endswith("!") or not has_subject
