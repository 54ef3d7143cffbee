"""A typed line tidied: signs joined to numbers, whole names, no full stop."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Final

from msgspec.structs import replace

from retold.journal.decks.expressions import TWICE as KEPT_OF_TWO
from retold.journal.language.binding import commands_meant
from retold.journal.language.dice_words import GOALS
from retold.journal.language.habits.shapes import BLOWS
from retold.journal.language.lexing import Lexed, join_dice, line_as_typed, takes_value
from retold.journal.language.naming import find_person
from retold.journal.language.other_words import ALIASES
from retold.journal.language.shorthand import are_people, shorthands
from retold.journal.language.slot_words import skill_called, tests
from retold.journal.language.suggestions import name_token, numbered_people, people_of_plural
from retold.journal.language.tokens import Segment, Token, is_dice
from retold.journal.language.typed_names import POSSESSIVES, with_whole_flags, with_whole_names, without_comma
from retold.journal.language.verbs import VERBS, form_of, is_fixed
from retold.journal.language.writing import bare_token
from retold.journal.names import EVERY_ARTICLE, normalise
from retold.journal.refused import none_if_refused
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c

SIGNS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("-", "\N{MINUS SIGN}", "\N{EN DASH}", "minus"), "-"),
    **dict.fromkeys(("+", "plus"), "+"),
}
"""Words before a number that are its sign."""
SKILL_IN_TEXT: Final = re.compile(r"(?:.+(?:,| with) )?(\w+)(?: vs [^,]+)?(?:,? [-+0 ]+)?")
"""A text that is or ends with a skill, and perhaps with what opposes it and fudge dice."""
NUMBER: Final = re.compile(r"\d+")
ABBREVIATED: Final = re.compile(r"([A-Z][a-z]*)(\d+)(?P<change>(?:[+-]\d+)?)(?P<comma>,?)")
"""A name in short with its number, and perhaps a change: it could also be a die."""
GLUED: Final = re.compile(r"([+-]?\d+)((?:hp|xp|dmg|[cegsp]p),?)", re.IGNORECASE)
"""A number and what it counts, without a blank."""
TWICE: Final = {word: "adv" if kept == "h" else "dis" for word, kept in KEPT_OF_TWO.items()}
"""Words for the better or the worse of two dice."""
BONUS_DICE: Final = {"bless": "+1d4", "guidance": "+1d4"}
"""Spells that add a die to a roll."""
MOST_WORDS_IN_SKILL: Final = 3
ROLLED: Final = frozenset({"roll", "rolls", "makes", "a"})
"""Words of a roll beside its person and its dice."""
SECRETLY: Final = re.compile(
    r"(?P<first>(?:secret|secretly|hidden|blind|private|privately|[gd]m(?= rolls?\b)) )"
    r"|(?: (?:in secret|secretly|secret|hidden|privately|behind the screen))$"
)
"""Words before or behind a roll that only the game master sees."""
NOT_OF_GROUPS: Final = frozenset({c.Narrate.verb, c.Say.verb, "note", "aside", "describe", "desc"})
"""Verbs whose words stay as they are typed, plurals too."""
AS_TYPED: Final = NOT_OF_GROUPS | {c.Cast.verb, c.OpenConflict.verb}


def tidy(lexed: Lexed, table: Table) -> Lexed:
    """Returns a line with small letters in its verb, signs joined to numbers, and `vs` before a goal.

    Names of several words are one word.
    """
    lexed = with_whole_flags(lexed, table)
    verb, *rest = (part for word in (lexed.verb, *lexed.tokens) for part in _abbreviated(word, table))
    word = verb.text
    if (
        verb.bare
        and not is_short_name((verb, *rest), table)
        and table.called(word) is None
        and not is_fixed(word)
    ):
        stopless = word.lower().rstrip(",!")
        verb = in_place_of(verb, stopless if is_fixed(stopless) or stopless in ALIASES else word.lower())
    tokens = [verb, *rest]
    if lexed.results is not None:  # a result for each
        tokens = [word for word, after in zip_longest(tokens, rest) if not _is_all(word, after, table)]
    words = _advantage_last(_joined(with_whole_names(tokens, table), lexed, table))
    verb, *tokens = _with_whole_skills(words)
    return replace(lexed, verb=verb, tokens=tuple(join_dice(tokens)))


def _is_all(word: Token, after: Token | None, table: Table) -> bool:
    """True for `all` before a word for several people, who are all meant: `all Rats`."""
    if after is None or not word.bare or word.text.lower() != "all":
        return False
    return bool(people_of_plural(after.text, table) or numbered_people(after.text, table))


def _abbreviated(word: Token, table: Table) -> Iterator[Token]:
    """Yields the whole name for a capital letter and a number, Drowned-3 for `D3`, and both parts of `45gp`.

    Other words come back unchanged.
    """
    glued = GLUED.fullmatch(word.text) if word.bare else None
    if glued is not None:
        yield from (in_place_of(word, part) for part in glued.groups())
        return
    short = ABBREVIATED.fullmatch(word.text) if word.bare and table.called(word.text) is None else None
    who = None if short is None else none_if_refused(lambda: find_person(table, f"{short[1]}-{short[2]}"))
    if short is None or who is None:
        yield word
        return
    yield Token((*name_token(table.name(who)).segments, Segment(short["comma"], False)), word.column)
    if short["change"]:
        yield in_place_of(word, short["change"])


def is_short_name(words: Sequence[Token], table: Table) -> bool:
    """True for words that begin with who acts in short, `D8 bites Pip`, even if nobody is called so."""
    first, *others = words
    is_short = ABBREVIATED.fullmatch(first.text) is not None
    return is_short and any(word.text in BLOWS or are_people(word, table) for word in others)


def _with_whole_skills(tokens: Sequence[Token]) -> list[Token]:
    """Returns tokens with each skill of several words as one: `"thieves tools"` for `thieves tools`."""
    whole: list[Token] = []
    left = [*tokens]
    while left:
        spans = (left[:size] for size in range(min(MOST_WORDS_IN_SKILL, len(left)), 1, -1))
        typed = (" ".join(token.text for token in span) for span in spans if all(one.bare for one in span))
        skill = next((words for words in typed if skill_called(words) is not None), None)
        size = 1 if skill is None else skill.count(" ") + 1
        whole.append(left[0] if skill is None else Token((Segment(skill, True),), left[0].column))
        left = left[size:]
    return whole


def without_stop(lexed: Lexed) -> Lexed:
    """Returns a line without the full stop or exclamation mark behind its last word."""
    *words, last = lexed.verb, *lexed.tokens
    if lexed.text is not None or not last.bare or not last.text.strip(".!?"):
        return lexed
    verb, *tokens = *words, in_place_of(last, last.text.rstrip(".!?"))
    return replace(lexed, verb=verb, tokens=tuple(tokens))


def without_commas(lexed: Lexed, table: Table) -> Lexed:
    """Returns a line without the commas behind its words, and with `--by Doc` for `by=Doc`, `, by Doc`.

    Lines that only tell, cast or open a conflict are returned unchanged.
    """
    if verb_for(lexed) in AS_TYPED:
        return lexed
    commands = none_if_refused(lambda: commands_meant(lexed, table)) or ()
    known = {"by"}.union(*(form_of(command).flags for command in commands))
    flags, words = {**lexed.flags}, []
    left, before = [*lexed.tokens], Segment("", False)
    while left:
        word, *left = left
        key = word.text if word.assign is None else word.assign.key.text
        is_apart = before.quoted or before.text.endswith(",")
        before = word.segments[-1]
        if key not in known or not takes_value(key) or (word.assign is None and not (is_apart and left)):
            words.append(without_comma(word))
        elif word.assign is not None:
            flags[key] = word.assign.value
        else:
            flags[key], *left = left
    return replace(lexed, tokens=tuple(word for word in words if word.segments and word.text), flags=flags)


def secretly(lexed: Lexed, table: Table) -> Lexed:
    """Returns `roll Oda dex --gm` for `secret roll Oda dex`, `roll Oda dex, secretly`; else the line."""
    words = [lexed.verb, *lexed.tokens]
    said = [word.text.lower().rstrip(",") for word in words]
    found = SECRETLY.search(" ".join(said))
    if found is None:
        return lexed
    size = len(found[0].split())
    kept = words[size:] if found["first"] else words[:-size]
    is_stat, known = tests(table)["stat"], {*VERBS, *ALIASES, *shorthands(table, table.in_play())}
    first, *rest = [in_place_of(word, word.text.rstrip(",")) if word.bare else word for word in kept] or words
    flags = {**lexed.flags, "gm": None}
    if first.text in known and first.text not in (*ROLLED, "check"):
        return replace(lexed, verb=first, tokens=tuple(rest), flags=flags)
    words = [word for word in (first, *rest) if word.text.lower() not in ROLLED]
    if not any(is_dice(word) or is_stat(normalise(word.text)) for word in words):
        return lexed
    return replace(lexed, verb=bare_token("roll"), tokens=tuple(words), flags=flags)


def _joined(tokens: Sequence[Token], lexed: Lexed, table: Table) -> list[Token]:
    """Returns tokens with a sign joined to the number behind it, and one `vs` before a number to reach.

    `with advantage` is `adv`, and `with bless` a die, but for a line with one result.
    """
    joined: list[Token] = []
    for token in tokens:
        before = joined[-1] if joined and joined[-1].bare else None
        if before is None or not token.bare:
            joined.append(token)
        elif (
            NUMBER.fullmatch(token.text)
            and before.text in SIGNS
            and (not joined[1:] or table.called(f"{joined[-2].text} {token.text}") is None)  # `Bandit - 3`
        ):
            joined[-1] = in_place_of(token, SIGNS[before.text] + token.text)
        elif token.text.strip("()").lower() in TWICE and before.text.lower() in ("at", "with"):
            joined[-1] = in_place_of(token, TWICE[token.text.strip("()").lower()])
        elif token.text[:1] == "(" and token.text.strip("()").lower() in TWICE:
            joined.append(in_place_of(token, TWICE[token.text.strip("()").lower()]))
        elif (
            token.text.lower() in BONUS_DICE
            and before.text.lower() in (*SIGNS, "and", "with")
            and len(lexed.results or ()) != 1
        ):
            joined[-1] = in_place_of(token, BONUS_DICE[token.text.lower()])
        elif (
            before.text.lower() in GOALS
            and NUMBER.fullmatch(token.text if before.text == "vs" else token.text.rstrip(","))
            and verb_for(lexed) != c.Cast.verb
        ):
            before_that, goal = joined[-2].text.lower() if joined[1:] else "", without_comma(token)
            joined[-1:] = [goal] if before_that in GOALS else [bare_token("vs"), goal]
        else:
            joined.append(token)
    return joined


def _advantage_last(words: list[Token]) -> list[Token]:
    """Returns words with an `adv` or `dis` that begins a line at its end: `Oda dex adv` for `adv Oda dex`."""
    first, *others = words
    twice = TWICE.get(first.text.lower()) if first.bare and others else None
    return words if twice is None else [*others, in_place_of(first, twice)]


def without_owner(word: Token, table: Table) -> Token:
    """Returns a name without the ending of a possessive; other words unchanged."""
    owner = word.text.removesuffix("'") if word.bare and word.text.endswith("s'") else None
    owner = word.text[:-2] if word.bare and word.text.endswith(POSSESSIVES) else owner
    if owner is None or table.called(word.text) is not None or not are_people(bare_token(owner), table):
        return word
    return in_place_of(word, owner)


def verb_for(lexed: Lexed) -> str:
    """Returns the verb of this table for the first word of a line."""
    return ALIASES.get(normalise(lexed.verb.text), lexed.verb.text)


def is_article(word: Token) -> bool:
    """True for an article as it is written in a sentence; a capital letter alone is a name."""
    return word.bare and word.text.lower() in EVERY_ARTICLE and (word.text.islower() or word.text[1:] != "")


def in_place_of(token: Token, text: str) -> Token:
    """Returns a bare token with this text in the column of another one."""
    return Token((Segment(text, False),), token.column)


def whole_line(lexed: Lexed) -> str:
    """Returns a line as typed, without its flags and results."""
    return line_as_typed(replace(lexed, flags={}, results=None))
