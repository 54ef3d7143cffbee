"""Sheets of new people as they are typed: `cast Doro str 4, ac 17`, `npc goblins x3`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import count, dropwhile, islice, pairwise, takewhile
from typing import Final

from msgspec.structs import replace

from retold.journal.language.lexing import Lexed
from retold.journal.language.other_words import ALIASES
from retold.journal.language.strange_words import SPAN, played_at
from retold.journal.language.suggestions import people_of_plural, singular
from retold.journal.language.tokens import Segment, Token, is_dice
from retold.journal.language.typed_names import unjoined, without_comma
from retold.journal.language.writing import bare_token
from retold.journal.names import CLOSE, nearest
from retold.journal.refused import none_if_refused
from retold.journal.systems import SYSTEMS
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c

MAKES: Final = frozenset({"add", "create", "introduce", "make", "new", "spawn", "summon"})
"""Words before a word for a person: `add monster Ghoul`."""
_CAPITALS: Final = frozenset({"AC", "HP", "XP", "STR", "DEX", "CON", "INT", "WIS", "CHA"})
"""Keys that are often typed in capitals."""
_OF_ALL: Final = frozenset({"ac", "health", "hp"})
"""Numbers that everybody's sheet has."""
_NUMBER: Final = re.compile(r"\d+x?|x\d+")
"""How many people a line introduces."""
_DAMAGE: Final[Mapping[str, str]] = {"damage": "damage", "dmg": "damage"}
"""Words for the dice of a blow."""
_TITLES: Final = frozenset(
    (
        "Aunt Baron Baroness Black Brother Captain Count Countess Doctor Duchess Duke Father Grey King Lady "
        "Little Lord Master Mistress Mother Old Prince Princess Queen Red Saint Sergeant Sir Sister Uncle "
        "White Young"
    ).split()
)
"""Words that begin the name of one person."""
_AROUND: Final = "(),:;"
MOST: Final = 20
"""Most people of one name that a line introduces."""


def with_sheet(lexed: Lexed, table: Table) -> Lexed:
    """Returns a `cast` line with signs in its values: `str=4` for `str 4`, `kind=goon` for `goon`, `by=Jo`.

    Other lines are returned unchanged.
    """
    line = _casting(lexed, table)
    if line is None:
        return lexed
    words = [without_comma(token) for token in line.tokens]
    sorts = {word: row.key for game in played_at(table) for row in game.sheet for word in row.words}
    name, left, values = words[:1], words[1:], []
    while left:
        *before, value = left
        sort = sorts.get(value.text.strip(_AROUND)) if value.bare else None
        found = value if value.assign is not None else _alone(value)
        if sort is not None:
            found = bare_token(f"{sort}={value.text.strip(_AROUND)}")
            while before and before[-1].text in ("a", "an", "as"):
                before.pop()
        if found is None and before:
            *before, key = before
            is_behind = value.text.strip(_AROUND).lower() == "hp"  # `24 hp`
            found = _named(key, value) or (_named(value, key) if is_behind else None)
        if found is None and (size := _size_of_phrase(left[1:], table)):
            before, phrase = left[: -size - 1], " ".join(word.text for word in left[-size - 1 : -1])
            found = Token((Segment(phrase, True), Segment(f"={value.text}", False)), value.column)
        if found is None:
            break
        values.append(found)
        left = before
    if {value.assign and value.assign.key.text for value in values} == {"by"} and words[-1].assign is None:
        return lexed  # `cast Stand by Me` may be a name
    tokens = (*name, *left, *reversed(values))
    return lexed if tokens == line.tokens else replace(line, tokens=tokens)


def _size_of_phrase(words: Sequence[Token], table: Table) -> int:
    """Returns how many words before the dice at the end name them, as in `quick tongue 2d6`; 0 without any.

    The words follow a comma or a value. Only some games have such dice on a sheet.
    """
    named = takewhile(lambda word: word.bare and word.text.replace("'", "").isalpha(), reversed(words[:-1]))
    size = len([*named])
    games = played_at(table) if size and is_dice(words[-1]) else ()
    read = (none_if_refused(partial(game.read_sheet, "a phrase", words[-1].text)) for game in games)
    return size if any(read) else 0


def _casting(lexed: Lexed, table: Table) -> Lexed | None:
    """Returns the line as a `cast`, also `npc Bob`, `new monster Ghoul` and `4 thugs hp 16`; else None."""
    words = [lexed.verb, *lexed.tokens]
    if words[1:] and words[0].text in MAKES:
        words = words[1:]
    has_values = any(_named(*pair) for pair in pairwise(words[1:]))
    is_made = (
        words[0] is not lexed.verb
        and words[0].text not in ALIASES
        and (has_values or words[0].text.isdecimal())
    )
    is_new = is_made or _begins_sheet(words, table)
    verb, *tokens = (bare_token(c.Cast.verb), *words) if is_new else words
    if ALIASES.get(verb.text, verb.text) != c.Cast.verb:
        return None
    return replace(lexed, verb=bare_token(c.Cast.verb), tokens=tuple(tokens))


def _begins_sheet(words: Sequence[Token], table: Table) -> bool:
    """True for a new name with a comma, or a number with new people, before a sheet: `3x ghoul hp 22`."""
    keys = (key.text.strip(_AROUND).lower() for key, value in pairwise(words[1:]) if _named(key, value))
    if _OF_ALL.isdisjoint(keys) or ALIASES.get(words[0].text, words[0].text) == c.Cast.verb:
        return False
    first, second, *_ = (word.text for word in words)
    name = first.removesuffix(",")
    if _NUMBER.fullmatch(first):
        return not people_of_plural(second, table)
    is_new = table.called(name) is None and not people_of_plural(name, table)
    return is_new and (_NUMBER.fullmatch(second) is not None or (name != first and name.istitle()))


def _named(key: Token, value: Token) -> Token | None:
    """Returns `hp=24` for `hp 24`, `HP: 24` and `(hp 24)`, `by=Jo` for `by Jo`; None for other words."""
    name, text = (word.text.strip(_AROUND) for word in (key, value))
    if not key.bare or not name.isalpha() or not (name.islower() or name in _CAPITALS):
        return None
    name = name.lower()
    if name == "by":
        return Token((Segment("by=", False), *value.segments), key.column)
    if re.fullmatch(r"[+-]?\d+(/\d+)?", text) or (name in _DAMAGE and re.match(r"\d*d\d", text)):
        return Token((Segment(f"{_DAMAGE.get(name, name)}={text}", False),), key.column)
    return None


def _alone(word: Token) -> Token | None:
    """Returns `hp=24` for `24hp`, and `pronouns=she/her` for `(she/her)`; None for other words."""
    text = word.text.strip(_AROUND).lower()
    if word.bare and (counted := re.fullmatch(r"(\d+(?:/\d+)?)hp", text)):
        return Token((Segment(f"hp={counted[1]}", False),), word.column)
    if word.bare and re.fullmatch(r"\([^\W\d_]+(?:/[^\W\d_]+)+\)", word.text):
        return Token((Segment(f"pronouns={text}", False),), word.column)
    return None


def with_numbers(lexed: Lexed, table: Table) -> Lexed:
    """Returns `cast Goblin-1+Goblin-2` for `cast goblins x2` and `cast 2 goblins`; other lines unchanged.

    Their numbers begin behind those that are taken.
    """
    line = _casting(lexed, table)
    span = None if line is None or not line.tokens else SPAN.fullmatch(line.tokens[0].text)
    if line is None or not (span or line.tokens[1:]):
        return lexed
    if span is not None and 0 < int(span[3]) - int(span[2]) < MOST:
        names = [f"{span[1]}-{each}" for each in range(int(span[2]), int(span[3]) + 1)]
        return replace(line, tokens=(bare_token("+".join(names)), *line.tokens[1:]))
    names, rest = _names_with_numbers(line.tokens)
    if names[1:]:
        return replace(line, tokens=(bare_token("+".join(names)), *rest))
    first, second, *rest = line.tokens
    for name, number in ((first, second), (second, first)):
        found = re.fullmatch(r"x?(\d+)x?", number.text) if number.bare else None
        if found is not None and name.bare and name.text.isalpha() and 1 < int(found[1]) <= MOST:
            one = singular(name.text)
            numbered = (f"{one[:1].upper()}{one[1:]}-{each}" for each in count(1))
            free = dropwhile(lambda each: table.called(each) is not None, numbered)
            return replace(line, tokens=(bare_token("+".join(islice(free, int(found[1])))), *rest))
    return lexed


def is_group(lexed: Lexed, table: Table) -> bool:
    """True for a line that casts a plural or several names by their numbers: `2 wolves`, `Hook 1, Hook 2`."""
    line = _casting(lexed, table)
    if line is None or not line.tokens:
        return False
    plural = SPAN.fullmatch(line.tokens[0].text) is not None or any(
        word.bare and (singular(word.text) != word.text or re.fullmatch(r"x\d+|\d+x", word.text))
        for word in line.tokens[:2]
    )
    return plural or line.tokens[0].text.isdecimal() or bool(_names_with_numbers(line.tokens)[0][1:])


def with_whole_name(lexed: Lexed, table: Table) -> Lexed:
    """Returns `cast "Baron Vess"` for `cast Baron Vess`; other lines unchanged.

    Capital letters alone may be several people's: one person has a title, a player or a text.
    """
    line = _casting(lexed, table)
    if line is None:
        return lexed
    words = [*takewhile(lambda word: word.bare and word.text.isalpha() and word.text.istitle(), line.tokens)]
    has_sheet = any(word.assign is not None for word in line.tokens[len(words) :])
    has_game = any(word.text in SYSTEMS for word in line.tokens[len(words) : len(words) + 1])
    is_said = (
        line.text
        or has_sheet
        or has_game
        or "by" in (word.assign.key.text for word in line.tokens if word.assign is not None)
    )
    is_one = words[1:] and (words[0].text in _TITLES or is_said)
    if not is_one or any(nearest(word.text, SYSTEMS, 1, at_least=CLOSE) for word in words):
        return lexed
    name = Token((Segment(" ".join(word.text for word in words), True),), words[0].column)
    return replace(line, tokens=(name, *line.tokens[len(words) :]))


def _names_with_numbers(words: Sequence[Token]) -> tuple[list[str], Sequence[Token]]:
    """Returns the names that words with numbers are, Hook-1 for `Hook 1,`, and the other words."""
    names: list[str] = []
    left = [word for word in unjoined(words) if not (word.bare and word.text.lower() in (",", "and", "&"))]
    while left[1:] and left[0].bare and left[0].text.isalpha() and left[1].bare:
        number = left[1].text.rstrip(",")
        if not number.isdecimal():
            break
        names.append(f"{left[0].text}-{number}")
        left = left[2:]
    return names, left
