"""Lines about several people, and several lines typed as one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from msgspec.structs import replace

from retold.journal.language.binding import Scope
from retold.journal.language.habits.shapes import ONE_LINE
from retold.journal.language.lexing import Lexed, line_as_typed
from retold.journal.language.meaning.lookup import Meant, by_habits, only_tells
from retold.journal.language.meaning.spelling import against_each_other, respelled_for, spellings
from retold.journal.language.meaning.tidying import (
    NOT_OF_GROUPS,
    in_place_of,
    is_article,
    verb_for,
    whole_line,
)
from retold.journal.language.meaning.trying import bound_or_none, is_accepted, lexed_or_none
from retold.journal.language.shorthand import are_people
from retold.journal.language.strange_words import titled
from retold.journal.language.suggestions import name_token, singular
from retold.journal.language.tokens import Segment, Token
from retold.journal.language.typed_names import (
    AND,
    group_in,
    joined_names,
    with_group,
    with_joined_names,
    with_numbered,
    with_whole_names,
    without_comma,
)
from retold.journal.language.typed_sheets import is_group, with_numbers, with_sheet
from retold.journal.language.writing import bare_token
from retold.journal.vocabulary import commands as c

AGAINST: Final = "Who is against whom"
NEW_SIDE: Final = "Somebody new on that side"
ALL: Final = "All of them"
ONE: Final = "One of them"


def sides_meant(lexed: Lexed, scope: Scope) -> Meant | None:
    """Returns the conflict between people, some of them new, named with commas; None for other lines."""
    if verb_for(lexed) != c.OpenConflict.verb:
        return None
    typed = replace(lexed, verb=bare_token(c.OpenConflict.verb))
    unjoined = _with_sides_joined(typed, scope)
    if unjoined is not None:
        return Meant("", [unjoined])
    line = against_each_other(typed, scope.table)
    told = None if line.text is None else lexed_or_none(f"{line.verb.text} {line.text}")
    if told is not None:  # `fight Under the pier: Oda against Warden`
        sides = with_group(against_each_other(told, scope.table), scope.table)
        sides = with_joined_names(sides, scope.table, newcomers=True)
        title = " ".join(token.text for token in line.tokens)
        named = replace(sides, tokens=(Token((Segment(title, True),), 1), *sides.tokens)) if title else sides
        if is_accepted(named, scope):
            return Meant(AGAINST if title else "", [named])
    if line.text is None and (called := _with_title(line, scope)) is not None:
        return Meant("", [called])
    against = _with_new_side(line, scope)
    if against is not None:
        return against
    joined = with_joined_names(line, scope.table, newcomers=True)
    quoted = [titled(line)] if lexed.tokens and lexed.tokens[0].text.endswith(",") else []
    lines = [one for one in (joined, *quoted) if one != typed and is_accepted(one, scope)]
    return Meant(AGAINST, lines) if lines else None


def _with_new_side(lexed: Lexed, scope: Scope) -> Meant | None:
    """Returns the conflict with a side of several words as a new name, and with what it is over as its text.

    None for other lines: `Oda vs the old bridge`, `Oda vs Warden over the toll`.
    """
    words = [*lexed.tokens]
    over = next((place for place, word in enumerate(words) if word.text in ("about", "over")), len(words))
    begins = next((place for place, word in enumerate(words) if word.text == "vs"), over) + 1
    side = words[begins:over]
    is_known = bool(side) and all(are_people(word, scope.table) for word in side)
    if not is_known and not (side[1:] and is_article(side[0]) and all(word.text.isalpha() for word in side)):
        return None
    called = " ".join(word.text for word in side[1:])
    name = [name_token(called[:1].upper() + called[1:])]
    text = " ".join(word.text for word in words[over + 1 :]) or lexed.text
    line = replace(lexed, tokens=(*words[:begins], *(side if is_known else name)), text=text)
    return Meant("" if is_known else NEW_SIDE, [line]) if line != lexed and is_accepted(line, scope) else None


def _with_sides_joined(lexed: Lexed, scope: Scope) -> Lexed | None:
    """Returns a conflict between known people, a side's names next to each other, with these joined.

    A quoted title may come first. None for other lines.
    """
    whole = with_whole_names(lexed.tokens, scope.table)
    title = whole[:1] if whole and whole[0].quoted and not are_people(whole[0], scope.table) else []
    names = whole[len(title) :]
    sides = [[*side] for is_vs, side in groupby(names, lambda word: word.text == "vs") if not is_vs]
    if not sides[1:] or not all(are_people(word, scope.table) for side in sides for word in side):
        return None
    joined = [joined_names(side) for side in sides]
    tokens = (*title, joined[0], *(word for side in joined[1:] for word in (bare_token("vs"), side)))
    line = replace(lexed, tokens=tokens)
    return line if is_accepted(line, scope) else None


def _with_title(lexed: Lexed, scope: Scope) -> Lexed | None:
    """Returns a conflict between known people with the words before them as its title; else None."""
    whole = with_group(replace(lexed, tokens=tuple(with_whole_names(lexed.tokens, scope.table))), scope.table)
    words = with_joined_names(whole, scope.table).tokens
    size = next(
        (at for at, word in enumerate(words) if are_people(word, scope.table) and not is_article(word)), 0
    )
    is_title = all(word.bare and not word.text.endswith(",") for word in words[:size])
    title = [Token((Segment(" ".join(word.text for word in words[:size]), True),), 1)] if size else []
    line = replace(whole, tokens=(*title, *words[size:]))
    sides = (word for word in words[size:] if word.text != "vs")
    are_known = is_title and all(are_people(word, scope.table) for word in sides)
    return line if are_known and is_accepted(line, scope) else None


def first_of_several(lexed: Lexed, scope: Scope) -> Meant | None:
    """Returns the first of several lines typed as one: `hp A -2; hp B -3`; None for other lines."""
    for place, word in enumerate(lexed.tokens):
        if word.bare and word.text.endswith((";", "&&")):
            last = [in_place_of(word, rest)] if (rest := word.text.rstrip(";&")) else []
            first = replace(lexed, tokens=(*lexed.tokens[:place], *last), results=None, text=None)
            return None if bound_or_none(first, scope) is None else Meant(ONE_LINE, [first])
    words = [without_comma(word) for word in lexed.tokens if word.text not in ("in", *AND)]
    pairs = [replace(lexed, tokens=pair) for pair in zip(words[::2], words[1::2], strict=False)]
    are_pairs = pairs[1:] and len(words) == 2 * len(pairs)  # `hp W-1 -4 W-2 -8`
    return Meant(ONE_LINE, pairs) if are_pairs and all(is_accepted(line, scope) for line in pairs) else None


def new_people(lexed: Lexed, scope: Scope) -> Meant | None:
    """Returns the line that casts as many people as a number on it says; None for other lines.

    Before it comes a line for one person if the number may be part of their name: `cast Unit 7`.
    """
    typed = with_sheet(lexed, scope.table)  # as it was typed: in `ac 12` is no number to reach
    line = with_numbers(typed, scope.table)
    if line == typed or bound_or_none(line, scope) is None:
        is_named = typed != lexed and lexed.verb.text.endswith(",")
        return by_habits([typed], scope, whole_line(lexed)) if is_named else None
    if is_group(typed, scope.table):
        return Meant("", [line])
    first, number = typed.tokens[:2]
    name = Token((Segment(f"{first.text} {number.text}", True),), first.column)
    one = replace(typed, tokens=(name, *typed.tokens[2:]))
    is_name = number.text.isdecimal() and singular(first.text) == first.text
    return Meant("Somebody new", [one, line] if is_name and is_accepted(one, scope) else [line])


def group_meant(lexed: Lexed, scope: Scope) -> Meant | None:
    """Returns the line for all people that a plural names: Goblin-1+Goblin-2 for `goblins`.

    None if no rule accepts it, or if it names no group.
    """
    if verb_for(lexed) in {*NOT_OF_GROUPS, c.Cast.verb}:
        return None
    line = with_group(lexed, scope.table)
    if line == lexed:
        return None
    respelled = respelled_for(spellings(line, scope.table), lexed, scope)
    if respelled is not None and is_accepted(respelled, scope):
        return Meant("", [respelled])
    names = group_in(lexed, scope.table)
    meant = _of_group(lexed, scope, names)
    if meant is not None or all(_of_group(lexed, scope, [name]) is None for name in (names[0], names[-1])):
        return meant
    able = [name for name in names if _of_group(lexed, scope, [name]) is not None]
    at_one = _of_group(lexed, scope, able[:1])
    is_taken = at_one is not None and is_accepted(at_one.lines[0], scope, with_results=True)
    says = ONE if is_taken else ""  # the rules say what is against it
    return _of_group(lexed, scope, able) or (None if at_one is None else at_one._replace(says=says))


def numbered_meant(lexed: Lexed, scope: Scope, typed: str) -> Meant | None:
    """Returns the line for Wolf-1 and Wolf-2 if it says `Wolf`; None for other lines."""
    line = with_numbered(lexed, scope.table)
    if line == lexed:
        return None
    meant = respelled_for(spellings(line, scope.table), lexed, scope)
    if meant is not None and is_accepted(meant, scope):
        return Meant("" if meant.verb.text in (c.OpenConflict.verb, "initiative") else ALL, [meant])
    found = by_habits([line], scope, typed)
    if (
        found is not None
        and (lexed.results or ())[1:]
        and is_accepted(found.lines[0], scope, with_results=True)
    ):
        return found  # a result for each of them
    of_all = (
        found is not None and not only_tells(found.lines) and found.lines[0].verb.text != c.OpenConflict.verb
    )
    return found._replace(says=ALL) if found is not None and of_all else found


def _of_group(lexed: Lexed, scope: Scope, names: Sequence[str]) -> Meant | None:
    """Returns what a line means by habit with these names instead of a plural; None if it only tells it."""
    found = by_habits([with_group(lexed, scope.table, names)], scope, whole_line(lexed))
    lines = [] if found is None else [line for line in found.lines if is_accepted(line, scope)]
    if found is None or not lines or lines[0].verb.text in NOT_OF_GROUPS:
        return None
    if not found.says and names == group_in(lexed, scope.table):
        return Meant("", lines)
    of_all = all(name in line_as_typed(lines[0]) for name in names) and found.says != ONE_LINE
    return Meant(ALL if of_all else found.says or ALL, lines)
