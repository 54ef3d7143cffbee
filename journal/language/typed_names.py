"""Names as people type them: `Oda, Ilka and Tam`, `Goblin 1` for Goblin-1, `Old Tam`, `Oda's` for Oda."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import chain, takewhile, zip_longest
from typing import Final

from msgspec.structs import replace

from retold.journal.language.lexing import Lexed
from retold.journal.language.naming import find_person
from retold.journal.language.shorthand import are_people
from retold.journal.language.suggestions import (
    MOST_WORDS_IN_NAME,
    name_token,
    numbered_people,
    people_of_plural,
    singular,
)
from retold.journal.language.tokens import Segment, Token, is_dice, split_names
from retold.journal.language.verbs import is_fixed
from retold.journal.language.writing import bare_token
from retold.journal.refused import none_if_refused
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c

AND: Final = ("and", "&", "+")
"""Words between names, beside commas."""
ORDINALS: Final[Mapping[str, str]] = {
    word: str(number)
    for number, word in enumerate(("first", "second", "third", "fourth", "fifth", "sixth"), 1)
}
"""Words before a name that has a number: `the second rat`."""
NUMBERED: Final = re.compile(r"(?P<name>\S+) (?P<numbers>(?:\d+,? )+(?:and|&|\+) \d+),?(?!\S)")
"""A name with several numbers, and a word before the last one."""
POSSESSIVES: Final = ("'s", "\N{RIGHT SINGLE QUOTATION MARK}s")


# --- one name ---------------------------------------------------------------------------------------------


def with_whole_names(tokens: Sequence[Token], table: Table) -> list[Token]:
    """Returns tokens with each name as it is known: Goblin-1 for `Goblin 1`, "Old Tam", Oda for `Oda's`."""
    whole: list[Token] = []
    left = unjoined(tokens, table)
    while left:
        size, name = _whole(left, whole, table)
        if name is None:
            size, name = 1, _owner(left[0], whole, table)
        whole.append(left[0] if name is None else name)
        left = left[size:]
    return whole


def _whole(tokens: Sequence[Token], before: Sequence[Token], table: Table) -> tuple[int, Token | None]:
    """Returns how many of the first tokens are a known name of several words, and the name, else None."""
    size, row = _numbered(tokens, table)
    if row[1:]:
        return size, joined_names([name_token(table.name(who)) for who in row])
    for size in range(2, min(MOST_WORDS_IN_NAME, len(tokens)) + 1):
        *first, last = tokens[:size]
        if not all(token.bare for token in tokens[:size]):
            break
        begun = " ".join(token.text for token in first)
        ends = ("", ",", *(POSSESSIVES if _may_own(before) else ()))
        ended = next((end for end in reversed(ends) if last.text.endswith(end)), "")
        named = last.text.removesuffix(ended)
        number = ORDINALS.get(begun.lower())
        who = table.called(f"{begun} {named}" if number is None else f"{named} {number}")
        if who is not None and table.called(begun) is None:
            comma = (Segment(",", False),) if ended == "," else ()
            return size, Token((*name_token(table.name(who)).segments, *comma), first[0].column)
    return 1, None


def _numbered(tokens: Sequence[Token], table: Table) -> tuple[int, list[int]]:
    """Returns how many of the first tokens are a name with several numbers, and its people: `Rat 1, 2 and 3`.

    Nobody if a number is nobody's.
    """
    found = NUMBERED.match(" ".join(token.text for token in takewhile(lambda token: token.bare, tokens)))
    names = () if found is None else (found["name"], singular(found["name"]))
    people = [
        next(filter(None, (table.called(f"{name} {number}") for name in names)), None)
        for number in re.findall(r"\d+", "" if found is None else found["numbers"])
    ]
    known = [who for who in people if who is not None]
    return (1, []) if found is None or len(known) < len(people) else (len(found[0].split()), known)


def with_whole_flags(lexed: Lexed, table: Table) -> Lexed:
    """Returns a line with each name behind a flag as it is known: `--by "Old Tam"` for `--by Old Tam`."""
    flags, tokens = {**lexed.flags}, [*lexed.tokens]
    for flag, value in lexed.flags.items():
        span = [] if value is None or not value.bare else [value]
        while span:
            end = span[-1].column + len(span[-1].text) + 1
            after = next((token for token in tokens if token.column == end), None)
            if after is None or len(span) == MOST_WORDS_IN_NAME:
                break
            span.append(after)
            size, name = _whole(span, (), table)
            if name is not None and size == len(span):
                flags[flag] = name
                tokens = [token for token in tokens if token not in span]
                break
    return replace(lexed, flags=flags, tokens=tuple(tokens))


def _may_own(before: Sequence[Token]) -> bool:
    """True where a possessive may stand: it begins a line or a roll, or is behind `of`."""
    return not before or (not before[1:] and before[0].text == c.Roll.verb) or before[-1].text == "of"


def _owner(token: Token, before: Sequence[Token], table: Table) -> Token | None:
    """Returns the name in a possessive that begins a line or a roll: Oda for `oda's`; else None."""
    if not _may_own(before) or not token.bare or not token.text.endswith(POSSESSIVES):
        return None
    who = (
        none_if_refused(lambda: find_person(table, token.text[:-2]))
        if table.called(token.text) is None
        else None
    )
    return None if who is None else name_token(table.name(who))


def unjoined(tokens: Sequence[Token], table: Table | None = None) -> list[Token]:
    """Returns tokens with a comma for a `+` beside a name of several words: `Orc 1, Orc 2` for `Orc 1+Orc 2`.

    Such a name ends with a number, or the table knows it: `Oda, Old Tam` for `Oda+Old Tam`.
    """
    apart: list[Token] = []
    for token, after in zip_longest(tokens, tokens[1:]):
        number, plus, name = token.text.rpartition("+")
        is_two = plus and name[:1].isalpha() and token.bare and number.isdecimal() and not is_dice(token)
        is_whole = (
            after is not None and table is not None and table.called(f"{name} {after.text}") is not None
        )
        if (plus and token.bare and is_whole) or (is_two and apart and apart[-1].bare):
            apart += [Token((Segment(f"{number},", False),), token.column), bare_token(name)]
        else:
            apart.append(token)
    return apart


# --- several names ----------------------------------------------------------------------------------------


def with_joined_names(lexed: Lexed, table: Table, *, newcomers: bool = False) -> Lexed:
    """Returns a line with names behind commas and `and` joined: `hp Oda+Ilka -3` for `hp Oda, Ilka -3`.

    Joins known people only; with `newcomers` also names that begin with a capital letter or a digit.
    """
    verb, *tokens = _joined((lexed.verb, *lexed.tokens), table, newcomers=newcomers)
    flags, tokens = _flags_joined(lexed.flags, tokens, table)
    return replace(lexed, verb=verb, tokens=tuple(tokens), flags=flags)


def _joined(tokens: Sequence[Token], table: Table, *, newcomers: bool) -> list[Token]:
    joined: list[Token] = []
    left = [*tokens]
    while left:
        may_begin = joined or not is_fixed(left[0].text)
        size = _size_of_list(left, table, newcomers=newcomers) if may_begin else 1
        names = [without_comma(token) for token in left[:size] if not _is_and(token) and token.text != ","]
        joined.append(joined_names(names) if names[1:] else left[0])
        left = left[size:]
    return joined


def _size_of_list(tokens: Sequence[Token], table: Table, *, newcomers: bool) -> int:
    """Returns how many of the first tokens are a list of names: 3 for `Oda, Ilka and`; 1 without a list."""
    place = size = 1 if _is_of_list(tokens[0], table, newcomers=newcomers) else 0
    ended_with_comma = tokens[0].text.endswith(",")
    while size and place < len(tokens):
        separator = _is_and(tokens[place]) or (tokens[place].bare and tokens[place].text == ",")
        name = place + separator
        while name < len(tokens) and _is_and(tokens[name]):
            name += 1
        if name >= len(tokens) or not (separator or ended_with_comma or name > place):
            break
        if not _is_of_list(tokens[name], table, newcomers=newcomers):
            break
        place = size = name + 1
        ended_with_comma = tokens[name].text.endswith(",")
    return max(1, size)


def _is_and(token: Token) -> bool:
    return token.bare and token.text.lower() in AND


def _is_of_list(token: Token, table: Table, *, newcomers: bool) -> bool:
    name = without_comma(token)
    if are_people(name, table):
        return True
    begins = name.text[:1].isupper() or name.text[:1].isdigit() or name.quoted
    return newcomers and begins and bool(split_names(name))


def without_comma(token: Token) -> Token:
    """Returns a word without a comma or exclamation mark at its end."""
    *before, last = token.segments
    if last.quoted or not last.text.endswith((",", "!")):
        return token
    text = last.text.rstrip(",!")
    return Token((*before, *((Segment(text, False),) if text else ())), token.column)


def joined_names(names: Sequence[Token]) -> Token:
    """Returns one token for several names, with `+` between them."""
    segments = [segment for name in names for segment in (Segment("+", False), *name.segments)]
    return Token(tuple(segments[1:]), names[0].column)


def _flags_joined(
    flags: Mapping[str, Token | None], tokens: Sequence[Token], table: Table
) -> tuple[Mapping[str, Token | None], list[Token]]:
    """Returns flags with the names that a comma cut off their values, and the tokens that are left."""
    left = [*tokens]
    joined = {**flags}
    for flag, value in flags.items():
        if value is None or not value.text.endswith(","):
            continue
        behind = [token for token in left if token.column > value.column]
        size = _size_of_list([value, *behind], table, newcomers=False)
        names = [value, *behind[: size - 1]]
        if size > 1:
            joined[flag] = joined_names([without_comma(name) for name in names if not _is_and(name)])
            left = [token for token in left if all(token is not name for name in names)]
    return joined, left


# --- a plural ---------------------------------------------------------------------------------------------


def with_group(lexed: Lexed, table: Table, names: Sequence[str] = ()) -> Lexed:
    """Returns a line with all people whose names begin like a plural: Goblin-1+Goblin-2 for `goblins`.

    `names` are put instead of them. `all` and `the` before the plural are left out. Other lines are returned
    unchanged.
    """
    whole: list[Token] = []
    for token in (lexed.verb, *lexed.tokens):
        people = _begun_like(token, table, before=whole[-1] if whole else None)
        if people:
            while whole and whole[-1].bare and whole[-1].text.lower() in ("all", "both", "the"):
                whole.pop()
        whole.append(joined_names([name_token(name) for name in names or people]) if people else token)
    verb, *tokens = whole
    return replace(lexed, verb=verb, tokens=tuple(tokens))


def with_numbered(lexed: Lexed, table: Table) -> Lexed:
    """Returns a line with Wolf-1+Wolf-2 for `Wolf`, a name that several have with a number."""

    def named(token: Token) -> Token:
        each = [[*map(name_token, numbered_people(one.text, table))] or [one] for one in split_names(token)]
        return joined_names([*chain(*each)]) if token.bare and each else token

    return replace(lexed, verb=named(lexed.verb), tokens=tuple(map(named, lexed.tokens)))


def group_in(lexed: Lexed, table: Table) -> list[str]:
    """Returns the names meant by a plural on a line; empty without one."""
    words = (lexed.verb, *lexed.tokens)
    pairs = zip((None, *words), words, strict=False)
    groups = (_begun_like(token, table, before=before) for before, token in pairs)
    return next(filter(None, groups), [])


def _begun_like(token: Token, table: Table, *, before: Token | None) -> list[str]:
    """Returns the names meant by an unquoted plural; empty for other words.

    Behind a person it is what they do: `Guard-1 guards Gorr`.
    """
    is_deed = is_fixed(token.text.lower()) if before is None else table.called(before.text) is not None
    if not token.bare or is_deed:
        return []
    return people_of_plural(token.text.rstrip(","), table)
