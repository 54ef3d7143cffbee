"""Harm that somebody takes, in any order of its parts: track, amount, consequence and its words."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from retold.journal.capabilities import Picture
from retold.journal.guarding import rows_at
from retold.journal.language.binding import Scope
from retold.journal.language.lexing import Lexed
from retold.journal.language.meaning.answers import line_of
from retold.journal.language.meaning.lookup import Meant
from retold.journal.language.meaning.trying import is_accepted
from retold.journal.language.slot_words import verb_of_game
from retold.journal.language.suggestions import name_token
from retold.journal.language.tokens import Segment, Token
from retold.journal.language.typed_names import AND, without_comma
from retold.journal.language.verbs import form_of
from retold.journal.language.writing import bare_token
from retold.journal.names import EVERY_ARTICLE, normalise
from retold.journal.systems import SYSTEMS

TAKES: Final = frozenset({"suffers", "take", "takes"})
"""Words for resisting by what is taken."""
RESISTS: Final = "resist"
TAKEN: Final = frozenset({"amounts", "tracks"})
"""Fields of a command by which somebody takes harm."""
BETWEEN: Final = EVERY_ARTICLE | {*AND, "as", "consequence", "in", "of", "on", "stress", "to", "with"}
"""Words between the parts of harm."""
PARTING: Final = (*AND, "with")
"""Words that end the words of a consequence before the next part."""
ON_WHICH: Final = "On which track"


class _Harm(NamedTuple):
    """What is typed of harm: its track and amount, and the words of each consequence by its slot."""

    tracks: list[str]
    amounts: list[str]
    wordings: dict[str, list[str]]


def with_harm_read(lexed: Lexed, scope: Scope) -> Lexed | None:
    """Returns the line for harm that somebody takes, `resist Rook cool 2 mild as "Cut"`; None for others.

    An amount without a track goes on the track that the rules take; raises Refused with a line for each of
    several.
    """
    table = scope.table
    first, *words = lexed.verb, *lexed.tokens
    if words and table.called(without_comma(first).text) is None:
        first, words[0] = words[0], first
    who = table.called(without_comma(first).text)
    conflict = table.in_play()
    if who is None or not words[1:] or conflict is None:
        return None
    takes = words[0].text.lower() in TAKES
    verb = RESISTS if takes else verb_of_game(table, words[0].text)
    commands = (one for one in SYSTEMS[conflict.system].commands if one.verb == verb)
    command = next((one for one in commands if {*one.__struct_fields__} >= TAKEN), None)
    if command is None:
        return None
    tracks = [
        normalise(row.what) for row in rows_at(table) if row.who == who and row.picture is Picture.STRESS
    ]
    harm = _read(words[1:], form_of(command).words - BETWEEN, tracks)
    if harm is None or (takes and not harm.wordings):
        return None
    wordings = [
        word
        for slot, words_of_it in harm.wordings.items()
        for word in (bare_token(slot), bare_token("as"), _quoted(" ".join(words_of_it).rstrip(",")))
    ]
    amounts = [*map(bare_token, harm.amounts)]
    on = harm.tracks if amounts or not wordings else []
    named = [[name_token(track)] for track in on or (tracks if amounts else [])] or [[]]
    name, taking = name_token(table.name(who)), bare_token(command.verb)
    lines = [replace(lexed, verb=taking, tokens=(name, *track, *amounts, *wordings)) for track in named]
    able = [line for line in lines if is_accepted(line, scope)]
    if takes and not able:
        return None
    return line_of(Meant(ON_WHICH if able[1:] else "", able or lines[:1]), lexed)


def _quoted(words: str) -> Token:
    return Token((Segment(words, True),), 1)


def _read(words: Sequence[Token], slots: Collection[str], tracks: Collection[str]) -> _Harm | None:
    """Returns the parts of harm that words name; None if one of them is of no part, or a part comes twice.

    The words of a consequence end at a comma or `and` before the next part, or before `severe as`.
    """
    harm, slot = _Harm([], [], {}), ""
    for place, word in enumerate(words):
        text, after = normalise(without_comma(word).text), words[place + 1 : place + 2]
        is_open = bool(harm.wordings.get(slot))
        is_parted = text in PARTING or (place > 0 and words[place - 1].text.endswith(","))
        if is_open and is_parted and _begins_part(words[place:], {*slots, *tracks}):
            slot, is_open = "", False
        is_after_as = place > 0 and words[place - 1].text == "as"
        begins = any(one.quoted or one.text == "as" for one in after)
        if word.quoted and slot and not is_open:
            harm.wordings[slot].append(word.text)
            slot = ""
        elif word.bare and text in slots and (begins or not is_open) and text not in harm.wordings:
            slot, harm.wordings[text] = text, []
        elif is_open or (
            slot and (is_after_as or (text not in {*BETWEEN, *tracks} and not text.isdecimal()))
        ):
            harm.wordings[slot].append(word.text)
        elif text.isdecimal():
            harm.amounts.append(text)
        elif text in tracks:
            harm.tracks.append(text)
        elif word.quoted or text not in BETWEEN:
            return None
    is_whole = all(harm.wordings.values()) and not harm.tracks[1:] and not harm.amounts[1:]
    return harm if is_whole else None


def _begins_part(words: Sequence[Token], parts: Collection[str]) -> bool:
    """True if the first of these words that says something is an amount or the name of a part."""
    told = (normalise(without_comma(word).text) for word in words)
    first = next((text for text in told if text not in BETWEEN), "")
    return first.isdecimal() or first in parts
