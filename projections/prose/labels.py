"""What stands before a paragraph: who said it and in what manner, whom it is for, whether it still holds."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from journal.vocabulary.base import GM
from projections.pages import Paragraph
from projections.prose import Voice
from projections.prose.phrases import Phrases
from projections.prose.telling import Sentence, Tag, Telling
from projections.prose.typography import typeset

_BESIDE: Final = {Tag.NOTE: "label.note", Tag.RULING: "label.ruling", Tag.ASIDE: "label.aside"}
_UNLABELLED: Final = frozenset({Tag.GENERATED, Tag.NOTATION, Tag.MECHANICS, Tag.RIBBON})
_READS_AS_NARRATION: Final = frozenset({Tag.DECLARATION, Tag.EDIT})
"""What does, once nothing stands before it."""


def headed(page: Paragraph, sentence: Sentence, telling: Telling, voice: Voice) -> Paragraph:
    """The paragraph of a sentence, with who said it and how, as this voice has it."""
    who = None if sentence.speaker is None else telling.subject(sentence.speaker)
    if who is not None and sentence.beside:
        who = telling.say("names.several", who=[who, *map(telling.who, sentence.beside)])
    by_gm = sentence.speaker == GM
    narrated = page.kind is Tag.NARRATION
    is_told = narrated or (voice.story and page.kind in _READS_AS_NARRATION)
    nameless = voice.story and by_gm
    if voice.story and sentence.cue:
        page = replace(page, cue=sentence.cue)
    return replace(
        page,
        kind=Tag.NARRATION if is_told else page.kind,
        text=typeset(page.text, voice.quotes) if voice.typographic else page.text,
        speaker=None if is_told and by_gm else who,
        manner=sentence.manner,
        label=label(voice.phrases, page, None if nameless else who, sentence.manner, by_gm=by_gm),
        quotes=voice.quotes,
        direction=voice.stage and narrated and who is None,
    )


def label(
    phrases: Phrases, page: Paragraph, speaker: str | None, manner: str = "", *, by_gm: bool = False
) -> str:
    """The label of a paragraph in these phrases, perhaps empty."""
    asides = (page.cue, page.eyes, phrases.say("label.overruled") if page.struck else None)
    head = _head(phrases, page.kind, speaker, manner, by_gm=by_gm)
    return " ".join(part for part in (head, *(f"({one})" for one in asides if one)) if part)


def _head(phrases: Phrases, kind: Tag, speaker: str | None, manner: str, *, by_gm: bool) -> str:
    if kind in _BESIDE:
        return manner or phrases.say(_BESIDE[kind], who=speaker)
    if kind in _UNLABELLED or (speaker is None and kind is Tag.NARRATION):
        return ""
    if speaker is None:
        return phrases.say("label.deed-of-nobody", manner=manner)
    if kind is Tag.NARRATION:
        return phrases.say("label.narration", who=speaker, manner=manner, gm=by_gm).strip()
    return phrases.say("label.deed", who=speaker, manner=manner).strip()
