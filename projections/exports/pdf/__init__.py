"""A transcript as PDF: tagged pages of A5, set by Typst; to it all that was typed is data, never markup."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Collection, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from journal.refused import Refused
from projections.exports import layout, typesetting
from projections.exports.layout import Place
from projections.exports.pdf.data import data
from projections.pages import Transcript

PAGE: Final = Path(__file__).with_name("page.typ")
_ATTEMPTS: Final = 4
_NAMED: Final = 12


def render(transcript: Transcript, place: Place) -> bytes:
    """The transcript as a PDF in the fonts Typst brings, the same on every machine.

    What none of them has is set in a font of this machine. A character that no font here has is shown by its
    number, and a sentence at the beginning names it: to refuse would cost somebody an evening for one picture
    in it. Refused if Typst can make no such PDF.
    """
    date = datetime.fromisoformat(layout.played(transcript)).replace(tzinfo=UTC)
    missing: set[str] = set()
    for _ in range(_ATTEMPTS):
        found = _set(_shown(transcript, place, missing), date)
        if isinstance(found, bytes):
            return found
        missing |= found
    raise Refused(f"No PDF can be set of this: no font here shows {', '.join(_named(missing))}.")


def _set(told: str, date: datetime) -> bytes | set[str]:
    """The PDF of this data; or the characters that no font has."""
    return typesetting.pdf(PAGE.read_bytes(), {"transcript": told}, date)


def _shown(transcript: Transcript, place: Place, missing: Collection[str]) -> str:
    """The data as JSON, its characters that no font has replaced by their numbers."""
    spell = typesetting.spelling(missing)
    told = data(transcript, place, spell)
    if missing:
        names, more = _named(missing), len(missing) - _NAMED
        if more > 0:
            names.append(transcript.phrases.say("page.more", number=more))
        told = {**told, "unshown": transcript.phrases.say("page.unshown", characters=names)}
    return spell(json.dumps(told, ensure_ascii=False))


def _named(characters: Iterable[str]) -> list[str]:
    """The first dozen characters by their numbers and names."""
    known = sorted(characters)[:_NAMED]
    return [f"U+{ord(one):04X} {unicodedata.name(one, '').lower()}".strip() for one in known]
