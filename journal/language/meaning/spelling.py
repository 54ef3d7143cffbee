"""Other spellings of a line: with `vs`, with results, without articles."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, combinations, pairwise, zip_longest
from typing import Final

from msgspec.structs import replace

from retold.journal.decks.french import CARDINALS
from retold.journal.language.binding import Scope, commands_meant
from retold.journal.language.dice_words import GOALS
from retold.journal.language.lexing import Lexed, join_dice
from retold.journal.language.meaning.tidying import (
    AS_TYPED,
    NUMBER,
    SIGNS,
    SKILL_IN_TEXT,
    TWICE,
    in_place_of,
    is_article,
    is_short_name,
    secretly,
    tidy,
    verb_for,
    without_commas,
    without_owner,
    without_stop,
)
from retold.journal.language.meaning.trying import (
    as_rules_take,
    bound_or_none,
    lexed_or_none,
    with_bare_results,
)
from retold.journal.language.naming import EVERYBODY, find_clock, find_system, party_of, words_for_everybody
from retold.journal.language.other_words import ALIASES
from retold.journal.language.shorthand import AMOUNT, INITIATIVE, are_people, is_counted, is_stat, shorthands
from retold.journal.language.slot_words import tests, verb_of_game
from retold.journal.language.strange_words import has_strange_words
from retold.journal.language.suggestions import name_token, people_of_plural
from retold.journal.language.tokens import Segment, Token, is_dice, split_names
from retold.journal.language.typed_names import (
    AND,
    joined_names,
    with_group,
    with_joined_names,
    with_numbered,
    without_comma,
)
from retold.journal.language.typed_sheets import with_sheet, with_whole_name
from retold.journal.language.verbs import form_of, is_fixed
from retold.journal.language.writing import bare_token
from retold.journal.line import systems_in_play
from retold.journal.names import normalise
from retold.journal.refused import none_if_refused
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c

LEAST_GOAL: Final = 10
"""Least number that is to be reached rather than added, where neither is said."""
NUMBERS: Final = re.compile(r"\d+(?: \d+)+")
CHANGED: Final = re.compile(r"([^\W\d].*?[^\W\d_])([+-]\d+)")
"""A name, and a change that no blank parts from it."""
WITH_DICE: Final = frozenset(
    ("raise raises see sees answers bids blocks matches puts reverses takes").split()
)
"""Words of a line that puts dice of a pool forward."""


def spellings(lexed: Lexed, table: Table) -> list[Lexed]:
    """Returns a line tidied, with its names joined, and without its full stop; each line once."""
    tidied = _with_skill_in_text(tidy(lexed, table), table)
    joined = with_joined_names(tidied, table, newcomers=verb_for(tidied) == c.Cast.verb)
    lines: list[Lexed] = []
    stopless = (without_stop(tidied), without_stop(joined))
    spelled = (tidied, joined, *stopless, without_commas(joined, table), without_commas(tidied, table))
    apart = _apart(tidied, table)
    without = [_without_articles(line, table) for line in (tidied, joined, without_commas(joined, table))]
    others = (
        _paired(tidied, table),
        _without_colon(next(renamed(tidied), tidied) if tidied.verb.text == "inits" else tidied, table),
        _versus(tidied, table),
        _with_game(tidied, table),
        *without,
        with_joined_names(without[0], table),
        *(line for one in (tidied, without[0], without[2]) for line in with_bare_results(one)),
        *_reaching(tidied),
        *_loosely(tidied, table),
        *_loosely(without[0], table),
        _with_clock(tidied, table),
    )
    for line in (*spelled, apart, *others, _summed(spelled[-1])):
        for secret in (line, secretly(line, table)):
            lines += [secret] if secret not in lines else []
    return lines


def _with_clock(lexed: Lexed, table: Table) -> Lexed:
    """Returns a line with the words of a clock's name as one: `tick "ice cracks"` for `tick ice cracks`."""
    words = (lexed.verb, *lexed.tokens)
    spans = ((start, end) for start, end in combinations(range(len(words) + 1), 2) if end > start + 1)
    for start, end in spans:
        typed = " ".join(word.text for word in words[start:end])
        name = none_if_refused(partial(find_clock, table, typed))
        if name is not None and normalise(name).endswith(normalise(typed)):
            clock = Token((Segment(name, True),), words[start].column)
            whole = (*words[:start], clock, *words[end:])
            return replace(lexed, verb=whole[0], tokens=whole[1:])
    return lexed


def _summed(lexed: Lexed) -> Lexed:
    """Returns a line about dice put forward with these joined: `raise 5+3` for `raise 5 and 3`."""
    if WITH_DICE.isdisjoint(word.text.lower() for word in (lexed.verb, *lexed.tokens[:1])):
        return lexed
    told = lexed.text.split() if lexed.text and NUMBERS.fullmatch(lexed.text) else []
    kept = [word for word in lexed.tokens if word.text.lower() not in (*AND, "+", "with")]
    words = [word.text.lstrip("+") if word.bare else "" for word in kept] + told
    dice = [word for word in words if NUMBER.fullmatch(word)]
    if not dice[1:]:
        return lexed
    start = words.index(dice[0])
    others = [word for word, text in zip_longest(kept[start:], words[start:]) if word and text not in dice]
    tokens = (*kept[:start], bare_token("+".join(dice)), *others)
    return replace(lexed, tokens=tokens, text=None if told else lexed.text)


def _loosely(lexed: Lexed, table: Table) -> Iterator[Lexed]:
    """Yields a line with what people say beside its words left out, or with its text among its words.

    Left out are `and` before what is no name, and the ending of a possessive (`attack Rook's cool`).
    """
    if verb_for(lexed) in AS_TYPED:
        return
    first = lexed.tokens[0].text if lexed.tokens else ""
    is_ours = is_fixed(lexed.verb.text) or verb_of_game(table, first) is not None
    unowned = [without_owner(_as_number(word) if is_ours else word, table) for word in lexed.tokens]
    pairs = zip_longest(unowned, unowned[1:])
    words = [word for word, after in pairs if not _joins_no_names(word, after, table)]
    loose = replace(lexed, verb=without_owner(lexed.verb, table), tokens=tuple(words))
    quoted = next((place for place, word in enumerate(words) if word.quoted), 0)
    named = replace(lexed, tokens=(*words[:quoted], bare_token("as"), *words[quoted:]))
    yield from (loose, *with_bare_results(loose), *([named] if quoted else []))
    if (
        lexed.text is not None
        and words
        and all(is_known(word, table) or word.text == "scene" for word in words)
    ):
        yield replace(lexed, tokens=(*words, Token((Segment(lexed.text, True),), 1)), text=None)


def _joins_no_names(word: Token, after: Token | None, table: Table) -> bool:
    """True for `and` before a word that is no name, `a` among them."""
    if after is None or not word.bare or word.text.lower() not in AND:
        return False
    return after.text.lower() in ("a", "an") or not are_people(after, table)


def _as_number(word: Token) -> Token:
    """Returns `2` for `two`, from one to ten; other words unchanged."""
    is_one = word.bare and word.text in CARDINALS
    return in_place_of(word, str(CARDINALS.index(word.text) + 1)) if is_one else word


def with_row(lexed: Lexed, table: Table) -> Iterator[Lexed]:
    """Yields a line with names of people that stand in a row joined: `place Rook+Tully Dock`.

    It is no line for habits: in `heal Ilka Oda 4` one of them may heal the other.
    """
    if verb_for(lexed) in AS_TYPED:
        return
    joined: list[Token] = []
    before = False
    for word in lexed.tokens:
        names = are_people(word, table)
        joined = [*joined[:-1], joined_names([joined[-1], word])] if names and before else [*joined, word]
        before = names
    if len(joined) < len(lexed.tokens):
        yield replace(lexed, tokens=tuple(joined))


def _apart(lexed: Lexed, table: Table) -> Lexed:
    """Returns a line with a change apart from the name before it: `tide +1` for `tide+1`.

    Names that end so are left as they are.
    """
    words: list[Token] = []
    for word in (lexed.verb, *lexed.tokens):
        glued = CHANGED.fullmatch(word.text) if word.bare and not is_dice(word) else None
        if glued is None or are_people(word, table) or is_counted(word, table):
            words.append(word)
        else:
            words += [in_place_of(word, part) for part in glued.groups()]
    return replace(lexed, verb=words[0], tokens=tuple(words[1:]))


def _without_articles(lexed: Lexed, table: Table) -> Lexed:
    """Returns a line without articles and numbers before names that are known: `kill Dog` for `kill the Dog`.

    `two thugs` are the thugs of the cast.
    """
    words = [lexed.verb, *lexed.tokens]
    kept = [
        word
        for word, after in zip_longest(words, words[1:])
        if not (is_article(word) or (word.bare and word.text.lower() in CARDINALS))
        or after is None
        or not (is_known(owner := without_owner(after, table), table) or _has_in_name(owner, table))
    ]
    return replace(lexed, verb=kept[0], tokens=tuple(kept[1:]))


def _has_in_name(word: Token, table: Table) -> bool:
    """True for a word of the name of one person alone: `boss` of Goblin Boss."""
    word_of = normalise(word.text)
    having = [
        who
        for who, names in table.names().items()
        if any(word_of in normalise(name).split() for name in names)
    ]
    return word.bare and len(having) == 1


def is_known(word: Token, table: Table) -> bool:
    """True for people, words for the whole party, and things of the game in play, by the whole name."""
    if table.called(word.text) is not None or word.text.lower() in words_for_everybody(table):
        return True
    here, name = table.in_play(), normalise(word.text)
    things = (thing for system in systems_in_play(table) for thing in system.things(table, here))
    return any(normalise(thing) == name for thing in things)


def _without_colon(lexed: Lexed, table: Table) -> Lexed:
    """Returns a line with its text among its words: `next Brick` for `next: Brick`, `hp A 8` for `hp A: 8`.

    Only a text behind a verb alone, or of one amount, is no text.
    """
    if lexed.text is None or are_people(lexed.verb, table):
        return lexed
    if lexed.tokens and re.fullmatch(AMOUNT, lexed.text):
        return replace(lexed, tokens=(*lexed.tokens, bare_token(lexed.text)), text=None)
    if lexed.tokens or lexed.flags or not is_fixed(lexed.verb.text):
        return lexed
    if any(form_of(command).fit(lexed, {}) is not None for command in commands_meant(lexed, table)):
        return lexed
    told = lexed_or_none(f"{lexed.verb.text} {lexed.text}")
    names_people = told is not None and told.tokens and are_people(without_comma(told.tokens[0]), table)
    return _paired(told, table) if told is not None and names_people else lexed


def _with_skill_in_text(lexed: Lexed, table: Table) -> Lexed:
    """Returns a line with a text that ends with a skill among its words: `Doc hits Rask: brawl, ++00`."""
    skill = SKILL_IN_TEXT.fullmatch(lexed.text or "")
    if skill is None or not any(are_people(word, table) for word in (lexed.verb, *lexed.tokens)[:2]):
        return lexed
    told = (
        lexed_or_none(f"{lexed.verb.text} {lexed.text}")
        if lexed.tokens and tests(table)["stat"](skill[1])
        else None
    )
    return lexed if told is None else replace(lexed, tokens=(*lexed.tokens, *told.tokens), text=None)


def _paired(lexed: Lexed, table: Table) -> Lexed:
    """Returns a line with its names joined and its numbers behind them: `initiative A+B 12 9`.

    Numbers alone are the party's. Other lines than names with a number each are returned unchanged.
    """
    is_initiative = lexed.verb.text in INITIATIVE
    words = [without_comma(word) for word in lexed.tokens]
    if is_initiative:
        words = [part for word in words for part in _key_and_value(word)]
        words = list(with_group(with_numbered(replace(lexed, tokens=tuple(words)), table), table).tokens)
    are_the_partys = is_initiative and all(word.text.isdecimal() for word in words)
    words = [*([bare_token(EVERYBODY[0])] if are_the_partys else []), *words]
    starts = [place for place, word in enumerate(words) if not word.text.isdecimal()]
    names = [words[start] for start in starts]
    if not (names[1:] or are_the_partys) or starts[0] or not all(are_people(name, table) for name in names):
        return lexed
    party = [name_token(table.name(who)) for who in party_of(table)]
    everybody = words_for_everybody(table)
    people = [party if name.text in everybody else split_names(name) for name in names]
    numbers = [words[start + 1 : end] for start, end in pairwise((*starts, len(words)))]
    each = [few * len(many) if len(few) == 1 else few for few, many in zip(numbers, people, strict=True)]
    if [*map(len, each)] != [*map(len, people)]:
        return lexed
    return replace(lexed, tokens=(joined_names([*chain(*people)]), *chain(*each)))


def _key_and_value(word: Token) -> Iterator[Token]:
    """Yields the name and the number of `Tavik=14`; other words unchanged."""
    if word.assign is None:
        yield word
        return
    yield bare_token(word.assign.key.text)
    yield bare_token(word.assign.value.text)


def _versus(lexed: Lexed, table: Table) -> Lexed:
    """Returns a conflict's line with `vs` between its sides, and names joined; other lines unchanged."""
    if verb_for(lexed) != c.OpenConflict.verb or lexed.text is not None:
        return lexed
    return with_joined_names(against_each_other(lexed, table), table)


def _with_game(lexed: Lexed, table: Table) -> Lexed:
    """Returns a line with a game that is called as dice are in quotes: `cast Neve "d20" dex=3`."""
    if verb_for(lexed) not in (c.OpenConflict.verb, c.Cast.verb) or not lexed.tokens[1:]:
        return lexed
    first, game, *rest = lexed.tokens
    if not is_dice(game) or find_system(table, game.text) is None:
        return lexed
    return replace(lexed, tokens=(first, Token((Segment(game.text, True),), game.column), *rest))


def against_each_other(lexed: Lexed, table: Table) -> Lexed:
    """Returns a line with `vs` for other words between the sides of a fight; people have no article."""
    tokens = [
        in_place_of(token, "vs")
        if token.bare and token.text.lower() in ("against", "versus", "vs.", "v", "v.")
        else token
        for token in lexed.tokens
    ]
    kept = [
        token
        for token, after in zip_longest(tokens, tokens[1:])
        if not (
            is_article(token)
            and after is not None
            and (are_people(without_comma(after), table) or people_of_plural(after.text, table))
        )
    ]
    return replace(lexed, tokens=tuple(kept))


def with_verb(lexed: Lexed, table: Table) -> Iterator[Lexed]:
    """Yields a line that begins with dice, or with people and dice, as a roll: `2d6+3`, `Oda 2d6+3`."""
    words = join_dice((lexed.verb, *lexed.tokens))
    if is_short_name(words, table):
        return  # who acts, and no die
    goal = words[:1] and words[0].text.lower() in GOALS
    if any(word.text[:1] in SIGNS for word in words[:2]) or (
        words[1:] and are_people(words[-1], table) and any(word.text in ("damage", "dmg") for word in words)
    ):
        return  # added to something, or harm to somebody
    if is_dice(words[0]) or (not goal and words[1:] and is_dice(words[1]) and are_people(words[0], table)):
        yield replace(lexed, verb=bare_token(c.Roll.verb), tokens=tuple(words))


def _with_aspect(lexed: Lexed, table: Table) -> Iterator[Lexed]:
    """Yields a line with the words behind `as` as one: `resist Vera mild as A torn sleeve`."""
    begun = next((place for place, word in enumerate(lexed.tokens, 1) if word.bare and word.text == "as"), 0)
    if not begun or none_if_refused(lambda: commands_meant(lexed, table)) is None:
        return
    known = set().union(*(form_of(command).words for command in commands_meant(lexed, table)))
    ends = (place for place, word in enumerate(lexed.tokens) if place > begun and word.text in known)
    end = next(ends, len(lexed.tokens))
    words = lexed.tokens[begun:end]
    if words[1:] and all(word.bare for word in words):
        aspect = Token((Segment(" ".join(word.text for word in words), True),), words[0].column)
        yield replace(lexed, tokens=(*lexed.tokens[:begun], aspect, *lexed.tokens[end:]))


def _with_values(lexed: Lexed, table: Table) -> Iterator[Lexed]:
    """Yields a line that casts a person whose numbers are typed without a sign: `cast Doro str 4`."""
    known = replace(lexed, verb=bare_token(c.Cast.verb), tokens=(lexed.verb, *lexed.tokens))
    sheet = with_sheet(known, table)
    keys = [one.assign.key.text if one.assign else "" for one in sheet.tokens[1:]]
    kept = {"damage", *shorthands(table), *(key for key in keys if is_stat(table, key))}
    if keys[1:] and are_people(lexed.verb, table) and kept.issuperset(keys):
        yield sheet
    sheet = with_sheet(lexed, table)
    yield from (line for line in (sheet, with_whole_name(sheet, table)) if line != lexed)


def _reaching(lexed: Lexed) -> Iterator[Lexed]:
    """Yields a line with `vs` before a number that is followed by the result: `Oda dex vs 12 = 9`."""
    words = [lexed.verb, *lexed.tokens]
    twice = [word for word in words[-1:] if word.bare and word.text in TWICE.values()]
    *before, last = words[: len(words) - len(twice)] or words
    if lexed.results is None or not before or before[-1].text in GOALS:
        return
    if last.bare and NUMBER.fullmatch(last.text) and int(last.text) >= LEAST_GOAL:
        yield replace(lexed, tokens=(*before[1:], *twice, bare_token("vs"), last))


def renamed(lexed: Lexed) -> Iterator[Lexed]:
    """Yields a line with another table's word for a verb replaced by this one's: `fight` by `conflict`."""
    verb = ALIASES.get(normalise(lexed.verb.text)) if lexed.verb.bare else None
    if verb is not None:
        yield replace(lexed, verb=bare_token(verb))


def respelled_for(lines: Sequence[Lexed], lexed: Lexed, scope: Scope) -> Lexed | None:
    """Returns the first corrected spelling that binds, with another verb, values or results; else None."""
    for line in lines:
        own = [line] if line != lexed else []
        for meant in (
            *own,
            *with_verb(line, scope.table),
            *renamed(line),
            *_with_values(lexed, scope.table),
            *_with_aspect(line, table=scope.table),
            *with_bare_results(line),
        ):
            bound = bound_or_none(meant, scope)
            if bound is not None and not has_strange_words(meant, bound.command, scope.table):
                return as_rules_take(meant, scope) or meant
    return None
