"""What a line that cannot be read means by the habits of other tables and tools."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain, pairwise, zip_longest
from typing import Final, NamedTuple

from msgspec.structs import replace

from retold.journal.decks.chance import FirstDealer, Luck
from retold.journal.decks.expressions import TWICE as KEPT_OF_TWO
from retold.journal.decks.french import CARDINALS
from retold.journal.decks.notation import read_results
from retold.journal.games import READING
from retold.journal.guarding import GuestError
from retold.journal.language.binding import Bound, Scope, commands_meant, is_waited_for
from retold.journal.language.completing import completed
from retold.journal.language.dice_words import GOALS
from retold.journal.language.form_parts import Everybody, required_words
from retold.journal.language.forms import Fit, Form
from retold.journal.language.habit_facts import Facts, everybody_at, skill_called, tests, verb_of_game
from retold.journal.language.habits import (
    ACTS,
    ALIASES,
    BLOWS,
    DONE,
    DRAWN,
    EACH,
    GUESSES,
    HABITS,
    LEAVING,
    ONE_LINE,
    PERHAPS,
    READ_AS,
    READS,
    ROUND,
    SIGNED,
    SOAKED,
    STRIKES,
    SURE_ALONE,
    SURE_WITH_RESULTS,
    Habit,
)
from retold.journal.language.lexing import Lexed, join_dice, lex, line_as_typed, takes_value, token_as_typed
from retold.journal.language.naming import (
    EVERYBODY,
    GM_WORDS,
    ShortName,
    find_person,
    find_system,
    party_of,
    words_for_everybody,
)
from retold.journal.language.proposed import lines_in
from retold.journal.language.shorthand import AMOUNT, are_people, is_counted, shorthands, suggest_new_track
from retold.journal.language.strange_words import (
    bind_plainly,
    has_strange_words,
    is_of_another_game,
    results_in_text,
    titled,
)
from retold.journal.language.suggestions import CAME_UP, name_token, reorder_roll, singular
from retold.journal.language.telling import is_told
from retold.journal.language.tokens import Segment, Token, Unreadable, is_dice, split_names
from retold.journal.language.typed_names import (
    AND,
    POSSESSIVES,
    group_in,
    joined_names,
    with_group,
    with_joined_names,
    with_numbered,
    with_whole_flags,
    with_whole_names,
    without_comma,
)
from retold.journal.language.typed_sheets import is_group, with_numbers, with_sheet, with_whole_name
from retold.journal.language.verbs import VERBS, UnknownVerb, form_of, game_of, is_fixed, verbs_of
from retold.journal.language.writing import bare_token
from retold.journal.line import decide, systems_in_play
from retold.journal.names import EVERY_ARTICLE, Ambiguous, Unknown, normalise
from retold.journal.refused import NotSaid, Refused, none_if_refused, refusal_of
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import OfSeveral

SIGNS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("-", "\N{MINUS SIGN}", "\N{EN DASH}", "minus"), "-"),
    **dict.fromkeys(("+", "plus"), "+"),
}
"""Words before a number that are its sign."""
SKILL_IN_TEXT: Final = re.compile(r"(?:.+(?:,| with) )?(\w+)(?: vs [^,]+)?(?:,? [-+0 ]+)?")
"""A text that is or ends with a skill, and perhaps with what opposes it and fudge dice."""
NUMBER: Final = re.compile(r"\d+")
LEAST_GOAL: Final = 10
"""Least number that is to be reached rather than added, where neither is said."""
ABBREVIATED: Final = re.compile(r"([A-Z][a-z]*)(\d+)(?P<change>(?:[+-]\d+)?)(?P<comma>,?)")
"""A name in short with its number, and perhaps a change: it could also be a die."""
CHANGED: Final = re.compile(r"([^\W\d].*?[^\W\d_])([+-]\d+)")
"""A name, and a change that no blank parts from it."""
SCENE: Final = "scene"
"""Name of the scene as something that may have aspects."""
TWICE: Final = {word: "adv" if kept == "h" else "dis" for word, kept in KEPT_OF_TWO.items()}
"""Words for the better or the worse of two dice."""
MOST_WORDS_IN_SKILL: Final = 3
WITH_DICE: Final = frozenset({"raise", "raises", "see", "sees", "blocks", "reverses", "takes"})
"""Words of a line that puts dice of a pool forward."""
ROLLED: Final = frozenset({"roll", "rolls", "makes", "a"})
"""Words of a roll beside its person and its dice."""
SECRETLY: Final = re.compile(
    r"(?P<first>(?:secret|secretly|hidden|blind|private|privately) )"
    r"|(?: (?:in secret|secretly|secret|hidden|privately|behind the screen))$"
)
"""Words before or behind a roll that only the game master sees."""


def _bound(lexed: Lexed | None, scope: Scope) -> Bound | None:
    """Returns what `bind` returns; None if it refuses the line, or for no line."""
    return None if lexed is None else none_if_refused(partial(bind_plainly, lexed, scope))


def _is_of_this_game(lexed: Lexed, scope: Scope) -> bool:
    """True for a line that binds to a command that this table has."""
    bound = _bound(lexed, scope)
    if bound is None or not is_of_another_game(bound.command, scope.table):
        return bound is not None
    game = game_of(type(bound.command))
    return game is not None and game.keeps is not None


def _lexed(line: str) -> Lexed | None:
    """Returns what `lex` returns; None for a syntax error."""
    try:
        return lex(line)
    except Unreadable:
        return None


def taken(lexed: Lexed, scope: Scope, refusal: Refused) -> Lexed:
    """Returns the line to take for a line that `bind` refuses; raises a refusal, with a line to type."""
    lines = _spellings(lexed, scope.table)
    respelled = (
        _answering(lexed, scope)
        or _begun(lexed, scope)
        or _respelled((*lines, *_with_row(lines[0], scope.table)), lexed, scope)
        or _of_the_one_able(lines[0], scope)
    )
    if respelled is not None:
        return respelled
    for several in (
        _first_of_several(lexed, scope),
        _group(lines[0], scope),
        _sides(lines[0], scope),
        _new_people(lexed, scope),
    ):
        if several is not None:
            return _first(several, lexed)
    found = (
        _by_habits(lines, scope, _whole_line(lexed))
        or _by_sign(lexed, scope)
        or _with_word(lines[0], scope, refusal)
    )
    if found is None or _only_tells(found.lines):
        found = _in_turn(lines[0], scope) or _numbered(lines[0], scope, _whole_line(lexed)) or found
    if found is None:
        tidied = lines[0]
        joined = with_joined_names(tidied, scope.table)
        own = [tidied] if tidied.verb.text != lexed.verb.text and is_fixed(tidied.verb.text) else []
        flagged = _uncommaed(tidied, scope.table)
        own += [flagged] if flagged.flags != tidied.flags else []
        for line in (*own, *_renamed(tidied), *((joined,) if joined != tidied else ())):
            bind_plainly(line, scope)  # which says what is wrong with it
        turned = _verb_first(tidied, scope.table)
        meant = tidied if _bound(tidied, scope) is not None else turned and _as_if_typed(turned, scope)
        meant = _told(lexed, scope) if meant is None else meant
        if meant is not None:
            return meant
        raise _filled_in(lexed, scope, refusal) from None
    told = _told(lexed, scope) if found.says and _only_tells(found.lines) else None
    if told is not None:
        return told
    proposed = {one.line for one in lines_in(refusal.sentence) if one.is_whole}
    read = map(_lexed, proposed - {suggest_new_track(lexed, scope.table)})
    proposes = any(line is not None and _is_accepted(line, scope) for line in read)
    if found.says and found.lines[0].verb.text == c.Narrate.verb and proposes:
        raise refusal from None
    return _first(found, lexed)


def with_name_in_full(lexed: Lexed, scope: Scope, short: ShortName) -> Lexed:
    """Returns a line that changes the sheet of a person with a player, with their whole name.

    Raises Refused with the line for that person, and for a new one, for other lines.
    """
    first, *values = lexed.tokens or (lexed.verb,)
    whole, new = (
        replace(lexed, tokens=(Token((Segment(name, True),), 1), *values))
        for name in (short.name, short.typed)
    )
    if first.text != short.typed or not _is_accepted(whole, scope):
        raise short
    has_player = any(scope.table.name(who) == short.name for who in scope.table.party())
    keys = [value.assign and value.assign.key.text for value in values]
    if (
        has_player
        and keys
        and None not in keys
        and "by" not in keys
        and lexed.text is None
        and not lexed.flags
    ):
        return whole
    raise _answer(
        _Meant(f"“{short.typed}” may be meant for {short.name}, or new, and then in quotes", [whole, new]),
        lexed,
    )


def check_for_all(lexed: Lexed, command: OfSeveral, scope: Scope) -> None:
    """Raises Refused for a line that the rules accept for some people named, with the line for these."""
    refused = refusal_of(lambda: decide(scope.table, command, Luck(FirstDealer())))
    places = (place for place, token in enumerate(lexed.tokens) if are_people(token, scope.table))
    place = None if refused is None else next(places, None)
    if place is None:
        return
    names = [name_token(scope.table.name(who)) for who in command.named() if isinstance(who, int)]
    able = [name for name in names if _is_accepted(_at(lexed, place, name), scope)]
    if able and len(able) < len(names):
        line = line_as_typed(_at(lexed, place, joined_names(able)))
        answer = Unreadable(f"{refused} For the others: {line}.", lexed.tokens[place].column)
        answer.lines = (line,)
        raise answer


def _at(lexed: Lexed, place: int, name: Token) -> Lexed:
    return replace(lexed, tokens=(*lexed.tokens[:place], name, *lexed.tokens[place + 1 :]))


def _answering(lexed: Lexed, scope: Scope) -> Lexed | None:
    """Returns the ruling for a line that is an answer to a question that play waits for; None for others."""
    stopless = _unstopped(lexed)
    words = (stopless.verb, *stopless.tokens)
    is_bare = lexed.text is None and lexed.results is None
    if not is_bare or not is_waited_for(" ".join(word.text for word in words), scope.table):
        return None
    return replace(lexed, verb=bare_token(c.Rule.verb), tokens=words)


def _begun(lexed: Lexed, scope: Scope) -> Lexed | None:
    """Returns a line about a person whose first word begins a single verb that is accepted: `ch Oda 7H 2`."""
    word = lexed.verb.text
    if len(word) < SHORTEST or not lexed.verb.bare or is_fixed(word) or not lexed.tokens:
        return None
    if not are_people(lexed.tokens[0], scope.table):
        return None
    begun = (verb for verb in verbs_of(scope.table) if verb.startswith(word))
    meant = (replace(lexed, verb=bare_token(verb)) for verb in begun)
    lines = [line for one in meant for line in (one, *_with_results(one)) if _is_accepted(line, scope)]
    return lines[0] if len(lines) == 1 else None


def _of_the_one_able(lexed: Lexed, scope: Scope) -> Lexed | None:
    """Adds the missing name to a line of the game in play, if the rules accept one name only; else None."""
    here, commands = scope.table.in_play(), none_if_refused(lambda: commands_meant(lexed, scope.table)) or ()
    games = (game_of(command) for command in commands if command.acting)
    is_rolled = any("skill" in command.__struct_fields__ for command in commands)
    is_whole = not is_rolled or lexed.results is not None or "with" in (word.text for word in lexed.tokens)
    if here is None or not is_whole or not any(game is not None and game.keeps is None for game in games):
        return None
    names = (name_token(scope.table.name(who)) for who in here.people)
    named = (replace(lexed, tokens=(name, *lexed.tokens)) for name in names)
    able = [line for one in named for line in (one, *_with_results(one)) if _is_accepted(line, scope)]
    return able[0] if len(able) == 1 else None


def _verb_first(lexed: Lexed, table: Table) -> Lexed | None:
    """Returns a line that begins with people and a verb of the game with the verb first; else None."""
    word = normalise(lexed.tokens[0].text) if lexed.tokens and lexed.tokens[0].bare else ""
    verb = verb_of_game(table, word)
    if verb is None or not are_people(lexed.verb, table):
        return None
    return replace(lexed, verb=bare_token(verb), tokens=(lexed.verb, *lexed.tokens[1:]))


def _as_if_typed(lexed: Lexed, scope: Scope) -> Lexed | None:
    """Returns the line of the same verb to take for a line, as if it was typed so; None without one.

    Raises a refusal if it has lines of this verb to type.
    """
    try:
        bind_plainly(lexed, scope)
    except (Unreadable, UnknownVerb, Unknown) as misread:
        try:
            line = taken(lexed, scope, misread)
        except Refused as refusal:
            if any(line.partition(" ")[0] == lexed.verb.text for line in refusal.lines):
                raise
            return None
        return line if line.verb.text == lexed.verb.text else None
    return lexed


def _respelled(lines: Sequence[Lexed], lexed: Lexed, scope: Scope) -> Lexed | None:
    """Returns the first corrected spelling that binds, with another verb, values or results; else None."""
    for line in lines:
        own = [line] if line != lexed else []
        for meant in (
            *own,
            *_with_verb(line, scope.table),
            *_renamed(line),
            *_with_values(lexed, scope.table),
            *_with_aspect(line, table=scope.table),
            *_with_results(line),
        ):
            bound = _bound(meant, scope)
            if bound is not None and not has_strange_words(meant, bound.command, scope.table):
                return as_rules_take(meant, scope) or meant
    return None


def of_this_game(lexed: Lexed, scope: Scope) -> Lexed:
    """Returns the line to take for a roll of a move or stat that the game does not have; else the same line.

    Raises Refused with a line to type if the line means one by habit and leaves a choice.
    """
    if is_of_another_game(bind_plainly(lexed, scope).command, scope.table) and _is_accepted(lexed, scope):
        return lexed
    tidied = _tidied(lexed, scope.table)
    found = _group(tidied, scope) or _by_habit(tidied, scope, _whole_line(lexed))
    return lexed if found is None else _first(found, lexed)


# --- one word for another ---------------------------------------------------------------------------------


def _spellings(lexed: Lexed, table: Table) -> list[Lexed]:
    """Returns a line tidied, with its names joined, and without its full stop; each line once."""
    tidied = _with_skill_in_text(_tidied(lexed, table), table)
    joined = with_joined_names(tidied, table, newcomers=_verb_meant(tidied) == c.Cast.verb)
    lines: list[Lexed] = []
    stopless = (_unstopped(tidied), _unstopped(joined))
    spelled = (tidied, joined, *stopless, _uncommaed(joined, table), _uncommaed(tidied, table))
    apart = _apart(tidied, table)
    without = [_without_articles(line, table) for line in (tidied, joined, _uncommaed(joined, table))]
    others = (
        _paired(tidied, table),
        _without_colon(tidied, table),
        _versus(tidied, table),
        _with_game(tidied, table),
        *without,
        with_joined_names(without[0], table),
        *(line for one in (tidied, without[0], without[2]) for line in _with_results(one)),
        *_reaching(tidied),
        *_loosely(tidied, table),
        *_loosely(without[0], table),
    )
    for line in (*spelled, apart, *others, _summed(spelled[-1])):
        for secret in (line, _secretly(line, table)):
            lines += [secret] if secret not in lines else []
    return lines


def _summed(lexed: Lexed) -> Lexed:
    """Returns a line about dice put forward with these joined: `raise 5+3` for `raise 5 and 3`."""
    if WITH_DICE.isdisjoint(word.text.lower() for word in (lexed.verb, *lexed.tokens[:1])):
        return lexed
    kept = [word for word in lexed.tokens if word.text.lower() not in (*AND, "+")]
    dice = [word.text.lstrip("+") for word in kept if word.bare and NUMBER.fullmatch(word.text.lstrip("+"))]
    others = (word for word in kept if word.text.lstrip("+") not in dice)
    return replace(lexed, tokens=(*others, bare_token("+".join(dice)))) if dice[1:] else lexed


def _loosely(lexed: Lexed, table: Table) -> Iterator[Lexed]:
    """Yields a line with what people say beside its words left out, or with its text among its words.

    Left out are `and` before what is no name, and the ending of a possessive (`attack Rook's cool`).
    """
    if _verb_meant(lexed) in AS_TYPED:
        return
    first = lexed.tokens[0].text if lexed.tokens else ""
    is_ours = is_fixed(lexed.verb.text) or verb_of_game(table, first) is not None
    unowned = [_unowned(_as_number(word) if is_ours else word, table) for word in lexed.tokens]
    pairs = zip_longest(unowned, unowned[1:])
    words = [word for word, after in pairs if not _joins_no_names(word, after, table)]
    loose = replace(lexed, verb=_unowned(lexed.verb, table), tokens=tuple(words))
    quoted = next((place for place, word in enumerate(words) if word.quoted), 0)
    named = replace(lexed, tokens=(*words[:quoted], bare_token("as"), *words[quoted:]))
    yield from (loose, *_with_results(loose), *([named] if quoted else []))
    if (
        lexed.text is not None
        and words
        and all(_is_known(word, table) or word.text == SCENE for word in words)
    ):
        yield replace(lexed, tokens=(*words, Token((Segment(lexed.text, True),), 1)), text=None)


def _joins_no_names(word: Token, after: Token | None, table: Table) -> bool:
    """True for `and` before a word that is no name, `a` among them."""
    if after is None or not word.bare or word.text.lower() not in AND:
        return False
    return after.text.lower() in ("a", "an") or not are_people(after, table)


def _as_number(word: Token) -> Token:
    """Returns `2` for `two`, from one to ten; other words unchanged."""
    number = CARDINALS.index(word.text) + 1 if word.bare and word.text in CARDINALS else None
    return word if number is None else _instead(word, str(number))


def _unowned(word: Token, table: Table) -> Token:
    """Returns a name without the ending of a possessive; other words unchanged."""
    owner = word.text.removesuffix("'") if word.bare and word.text.endswith("s'") else None
    owner = word.text[:-2] if word.bare and word.text.endswith(POSSESSIVES) else owner
    if owner is None or table.called(word.text) is not None or not are_people(bare_token(owner), table):
        return word
    return _instead(word, owner)


def _with_row(lexed: Lexed, table: Table) -> Iterator[Lexed]:
    """Yields a line with names of people that stand in a row joined: `place Rook+Tully Dock`.

    It is no line for habits: in `heal Ilka Oda 4` one of them may heal the other.
    """
    if _verb_meant(lexed) in AS_TYPED:
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
            words += [_instead(word, part) for part in glued.groups()]
    return replace(lexed, verb=words[0], tokens=tuple(words[1:]))


def _without_articles(lexed: Lexed, table: Table) -> Lexed:
    """Returns a line without the articles before names that are known: `kill Dog` for `kill the Dog`."""
    words = [lexed.verb, *lexed.tokens]
    kept = [
        word
        for word, after in zip_longest(words, words[1:])
        if not (_is_article(word) and after is not None and _is_known(_unowned(after, table), table))
    ]
    return replace(lexed, verb=kept[0], tokens=tuple(kept[1:]))


def _is_article(word: Token) -> bool:
    """True for an article as it is written in a sentence; a capital letter alone is a name."""
    return word.bare and word.text.lower() in EVERY_ARTICLE and (word.text.islower() or word.text[1:] != "")


def _is_known(word: Token, table: Table) -> bool:
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
    told = _lexed(f"{lexed.verb.text} {lexed.text}")
    names_people = told is not None and told.tokens and are_people(without_comma(told.tokens[0]), table)
    return _paired(told, table) if told is not None and names_people else lexed


def _with_skill_in_text(lexed: Lexed, table: Table) -> Lexed:
    """Returns a line with a text that ends with a skill among its words: `Doc hits Rask: brawl, ++00`."""
    skill = SKILL_IN_TEXT.fullmatch(lexed.text or "")
    if skill is None or not any(are_people(word, table) for word in (lexed.verb, *lexed.tokens)[:2]):
        return lexed
    told = (
        _lexed(f"{lexed.verb.text} {lexed.text}") if lexed.tokens and tests(table)["stat"](skill[1]) else None
    )
    return lexed if told is None else replace(lexed, tokens=(*lexed.tokens, *told.tokens), text=None)


def _paired(lexed: Lexed, table: Table) -> Lexed:
    """Returns a line with its names joined and its numbers behind them: `initiative A+B 12 9`.

    Numbers alone are the party's. Other lines than names with a number each are returned unchanged.
    """
    is_initiative = lexed.verb.text in ("initiative", "init")
    words = [without_comma(word) for word in lexed.tokens]
    if is_initiative:
        words = list(with_numbered(replace(lexed, tokens=tuple(words)), table).tokens)
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


def _versus(lexed: Lexed, table: Table) -> Lexed:
    """Returns a conflict's line with `vs` between its sides, and names joined; other lines unchanged."""
    if _verb_meant(lexed) != c.OpenConflict.verb or lexed.text is not None:
        return lexed
    return with_joined_names(_against(lexed, table), table)


def _with_game(lexed: Lexed, table: Table) -> Lexed:
    """Returns a line with a game that is called as dice are in quotes: `cast Neve "d20" dex=3`."""
    if _verb_meant(lexed) not in (c.OpenConflict.verb, c.Cast.verb) or not lexed.tokens[1:]:
        return lexed
    first, game, *rest = lexed.tokens
    if not is_dice(game) or find_system(table, game.text) is None:
        return lexed
    return replace(lexed, tokens=(first, Token((Segment(game.text, True),), game.column), *rest))


def _verb_meant(lexed: Lexed) -> str:
    return ALIASES.get(normalise(lexed.verb.text), lexed.verb.text)


def _sides(lexed: Lexed, scope: Scope) -> _Meant | None:
    """Returns the conflict between people, some of them new, named with commas; None for other lines."""
    if _verb_meant(lexed) != c.OpenConflict.verb:
        return None
    typed = replace(lexed, verb=bare_token(c.OpenConflict.verb))
    line = _against(typed, scope.table)
    told = None if line.text is None else _lexed(f"{line.verb.text} {line.text}")
    if told is not None:  # `fight Under the pier: Oda against Warden`
        sides = with_group(_against(told, scope.table), scope.table)
        sides = with_joined_names(sides, scope.table, newcomers=True)
        title = " ".join(token.text for token in line.tokens)
        named = replace(sides, tokens=(Token((Segment(title, True),), 1), *sides.tokens)) if title else sides
        if _is_accepted(named, scope):
            return _Meant(AGAINST if title else "", [named])
    joined = with_joined_names(line, scope.table, newcomers=True)
    quoted = [titled(line)] if lexed.tokens and lexed.tokens[0].text.endswith(",") else []
    lines = [one for one in (joined, *quoted) if one != typed and _is_accepted(one, scope)]
    return _Meant(AGAINST, lines) if lines else None


def _against(lexed: Lexed, table: Table) -> Lexed:
    """Returns a line with `vs` for other words between the sides of a fight; people have no article."""
    tokens = [
        _instead(token, "vs")
        if token.bare and token.text.lower() in ("against", "versus", "vs.", "v", "v.")
        else token
        for token in lexed.tokens
    ]
    kept = [
        token
        for token, after in zip_longest(tokens, tokens[1:])
        if not (_is_article(token) and after is not None and table.called(after.text) is not None)
    ]
    return replace(lexed, tokens=tuple(kept))


def _first_of_several(lexed: Lexed, scope: Scope) -> _Meant | None:
    """Returns the first of several lines typed as one: `hp A -2; hp B -3`; None for other lines."""
    for place, word in enumerate(lexed.tokens):
        if word.bare and word.text.endswith((";", "&&")):
            last = [_instead(word, rest)] if (rest := word.text.rstrip(";&")) else []
            first = replace(lexed, tokens=(*lexed.tokens[:place], *last), results=None, text=None)
            return None if _bound(first, scope) is None else _Meant(ONE_LINE, [first])
    words = [without_comma(word) for word in lexed.tokens if word.text not in ("in", *AND)]
    pairs = [replace(lexed, tokens=pair) for pair in zip(words[::2], words[1::2], strict=False)]
    are_pairs = pairs[1:] and len(words) == 2 * len(pairs)  # `hp W-1 -4 W-2 -8`
    return _Meant(ONE_LINE, pairs) if are_pairs and all(_is_accepted(line, scope) for line in pairs) else None


def _in_turn(lexed: Lexed, scope: Scope) -> _Meant | None:
    """Splits two lines typed as one, `Pip takes 4, Oda takes 6`; None for a single line or narration."""
    words = (lexed.verb, *lexed.tokens)
    for place, word in enumerate(words[1:-1], start=1):
        is_and = word.bare and word.text.lower() in AND
        if lexed.text is not None or not (is_and or (word.bare and word.text.endswith(","))):
            continue
        halves = words[:place] if is_and else (*words[:place], without_comma(word)), words[place + 1 :]
        typed = (replace(lexed, verb=verb, tokens=tuple(tokens), results=None) for verb, *tokens in halves)
        read = (
            line
            if _bound(line, scope) is not None
            else none_if_refused(partial(taken, line, scope, UnknownVerb(line.verb.text)))
            for line in typed
        )
        lines = [
            line for line in read if line and line.verb.text != c.Narrate.verb and _is_accepted(line, scope)
        ]
        if len(lines) == len(halves):
            return _Meant(ONE_LINE, lines)
    return None


def _with_word(lexed: Lexed, scope: Scope, refusal: Refused) -> _Meant | None:
    """Returns a line with the word of its form that the refusal wants, such as `as`; None without one."""
    wanted = WANTED.search(refusal.sentence)
    if wanted is None:
        return None
    for place in range(1, len(lexed.tokens) + 1):
        tokens = (*lexed.tokens[:place], bare_token(wanted.group(1)), *lexed.tokens[place:])
        line = replace(lexed, tokens=tokens)
        if _bound(line, scope) is not None:
            is_sure = wanted.group(1) == "as" and all(word.quoted for word in lexed.tokens[place : place + 1])
            return _Meant("" if is_sure else MISSING, [line])
    return None


def _new_people(lexed: Lexed, scope: Scope) -> _Meant | None:
    """Returns the line that casts as many people as a number on it says; None for other lines.

    Before it comes a line for one person if the number may be part of their name: `cast Unit 7`.
    """
    typed = with_sheet(lexed, scope.table)  # as it was typed: in `ac 12` is no number to reach
    line = with_numbers(typed, scope.table)
    if line == typed or not _is_accepted(line, scope):
        return None
    first, number = typed.tokens[:2]
    name = Token((Segment(f"{first.text} {number.text}", True),), first.column)
    one = replace(typed, tokens=(name, *typed.tokens[2:]))
    is_name = number.text.isdecimal() and singular(first.text) == first.text
    if is_group(typed):
        return _Meant("", [line])
    return _Meant(NEW, [one, line] if is_name and _is_accepted(one, scope) else [line])


def _group(lexed: Lexed, scope: Scope) -> _Meant | None:
    """Returns the line for all people that a plural names: Goblin-1+Goblin-2 for `goblins`.

    None if no rule accepts it, or if it names no group.
    """
    if _verb_meant(lexed) in {*NOT_OF_GROUPS, c.Cast.verb}:
        return None
    line = with_group(lexed, scope.table)
    if line == lexed:
        return None
    respelled = _respelled(_spellings(line, scope.table), lexed, scope)
    if respelled is not None and _is_accepted(respelled, scope):
        return _Meant("", [respelled])
    names = group_in(lexed, scope.table)
    meant = _of_group(lexed, scope, names)
    if meant is not None or all(_of_group(lexed, scope, [name]) is None for name in (names[0], names[-1])):
        return meant
    able = [name for name in names if _of_group(lexed, scope, [name]) is not None]
    at_one = _of_group(lexed, scope, able[:1])
    return _of_group(lexed, scope, able) or (None if at_one is None else at_one._replace(says=ONE))


def of_numbered(lexed: Lexed, scope: Scope, several: Ambiguous) -> Lexed:
    """Returns the line with `Wolf 1` as a name, or a fight with every `Wolf`; otherwise raises Refused."""
    tidied = _tidied(lexed, scope.table)
    found = _numbered(lexed, scope, _whole_line(lexed))
    if _bound(tidied, scope) is not None:
        return tidied
    if found is None:
        raise several
    return _first(found, lexed)


def _numbered(lexed: Lexed, scope: Scope, typed: str) -> _Meant | None:
    """Returns the line for Wolf-1 and Wolf-2 if it says `Wolf`; None for other lines."""
    line = with_numbered(lexed, scope.table)
    if line == lexed:
        return None
    meant = _respelled(_spellings(line, scope.table), lexed, scope)
    if meant is not None and _is_accepted(meant, scope):
        return _Meant("" if meant.verb.text in (c.OpenConflict.verb, "initiative") else ALL, [meant])
    found = _by_habits([line], scope, typed)
    of_all = (
        found is not None and not _only_tells(found.lines) and found.lines[0].verb.text != c.OpenConflict.verb
    )
    return found._replace(says=ALL) if found is not None and of_all else found


def _of_group(lexed: Lexed, scope: Scope, names: Sequence[str]) -> _Meant | None:
    """Returns what a line means by habit with these names instead of a plural; None if it only tells it."""
    found = _by_habits([with_group(lexed, scope.table, names)], scope, _whole_line(lexed))
    lines = [] if found is None else [line for line in found.lines if _is_accepted(line, scope)]
    if found is None or not lines or lines[0].verb.text in NOT_OF_GROUPS:
        return None
    if not found.says and names == group_in(lexed, scope.table):
        return _Meant("", lines)
    of_all = all(name in line_as_typed(lines[0]) for name in names)
    return _Meant(ALL if of_all else found.says or ALL, lines)


def _tidied(lexed: Lexed, table: Table) -> Lexed:
    """Returns a line with small letters in its verb, signs joined to numbers, and `vs` before a goal.

    Names of several words are one word.
    """
    lexed = with_whole_flags(lexed, table)
    verb, *rest = (part for word in (lexed.verb, *lexed.tokens) for part in _abbreviated(word, table))
    word = verb.text
    if (
        verb.bare
        and not _is_short_name((verb, *rest), table)
        and table.called(word) is None
        and not is_fixed(word)
    ):
        stopless = word.lower().rstrip(",!")
        verb = _instead(verb, stopless if is_fixed(stopless) or stopless in ALIASES else word.lower())
    tokens = [verb, *rest]
    verb, *tokens = _joined(with_whole_names(tokens, table), table)
    return replace(lexed, verb=verb, tokens=tuple(join_dice(_with_whole_skills(tokens))))


def _abbreviated(word: Token, table: Table) -> Iterator[Token]:
    """Yields the whole name for a capital letter and a number, Drowned-3 for `D3`, and what is glued to it.

    Other words come back unchanged.
    """
    short = ABBREVIATED.fullmatch(word.text) if word.bare and table.called(word.text) is None else None
    who = None if short is None else none_if_refused(lambda: find_person(table, f"{short[1]}-{short[2]}"))
    if short is None or who is None:
        yield word
        return
    yield Token((*name_token(table.name(who)).segments, Segment(short["comma"], False)), word.column)
    if short["change"]:
        yield _instead(word, short["change"])


def _is_short_name(words: Sequence[Token], table: Table) -> bool:
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


def _unstopped(lexed: Lexed) -> Lexed:
    """Returns a line without the full stop or exclamation mark behind its last word."""
    *words, last = lexed.verb, *lexed.tokens
    if lexed.text is not None or not last.bare or not last.text.strip(".!?"):
        return lexed
    verb, *tokens = *words, _instead(last, last.text.rstrip(".!?"))
    return replace(lexed, verb=verb, tokens=tuple(tokens))


def _uncommaed(lexed: Lexed, table: Table) -> Lexed:
    """Returns a line without the commas behind its words, and with `--by Doc` for `by=Doc`, `, by Doc`.

    Lines that only tell, cast or open a conflict are returned unchanged.
    """
    if _verb_meant(lexed) in AS_TYPED:
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


def _secretly(lexed: Lexed, table: Table) -> Lexed:
    """Returns `roll Oda dex --gm` for `secret roll Oda dex`, `roll Oda dex, secretly`; else the line."""
    words = [lexed.verb, *lexed.tokens]
    said = [word.text.lower().rstrip(",") for word in words]
    found = SECRETLY.search(" ".join(said))
    if found is None:
        return lexed
    size = len(found[0].split())
    kept = words[size:] if found["first"] else words[:-size]
    is_stat, known = tests(table)["stat"], {*VERBS, *ALIASES, *shorthands(table, table.in_play())}
    first, *rest = [_instead(word, word.text.rstrip(",")) if word.bare else word for word in kept] or words
    flags = {**lexed.flags, "gm": None}
    if first.text in known and first.text not in (*ROLLED, "check"):
        return replace(lexed, verb=first, tokens=tuple(rest), flags=flags)
    words = [word for word in (first, *rest) if word.text.lower() not in ROLLED]
    if not any(is_dice(word) or is_stat(normalise(word.text)) for word in words):
        return lexed
    return replace(lexed, verb=bare_token("roll"), tokens=tuple(words), flags=flags)


def _joined(tokens: Sequence[Token], table: Table) -> list[Token]:
    """Returns tokens with a sign joined to the number behind it, and one `vs` before a number to reach.

    `with advantage` is `adv`.
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
            joined[-1] = _instead(token, SIGNS[before.text] + token.text)
        elif token.text.lower() in TWICE and before.text.lower() == "with" and joined[1:]:
            joined[-1] = _instead(token, TWICE[token.text.lower()])
        elif NUMBER.fullmatch(token.text) and before.text.lower() in GOALS:
            before_that = joined[-2].text.lower() if joined[1:] else ""
            joined[-1:] = [token] if before_that in GOALS else [bare_token("vs"), token]
        else:
            joined.append(token)
    return joined


def _instead(token: Token, text: str) -> Token:
    return Token((Segment(text, False),), token.column)


def _with_verb(lexed: Lexed, table: Table) -> Iterator[Lexed]:
    """Yields a line that begins with dice, or with people and dice, as a roll: `2d6+3`, `Oda 2d6+3`."""
    words = join_dice((lexed.verb, *lexed.tokens))
    if _is_short_name(words, table):
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
    sheet = with_sheet(lexed, table)
    yield from (line for line in (sheet, with_whole_name(sheet)) if line != lexed)


def _with_results(lexed: Lexed) -> Iterator[Lexed]:
    """Yields a line whose last words are cards or fudge dice, and numbers, with these as its results."""
    words = [] if lexed.results is not None else lexed.tokens
    for place in range(len(words)):
        told = [word.text for word in words[place:] if word.bare]
        came_up = none_if_refused(partial(read_results, told)) or ()
        is_one = any(CAME_UP.fullmatch(one) or ":" in one for one in came_up[:1])
        if len(told) == len(words[place:]) and (is_one or CAME_UP.fullmatch("".join(came_up))):
            yield replace(lexed, tokens=tuple(words[:place]), results=came_up)
            return


def _reaching(lexed: Lexed) -> Iterator[Lexed]:
    """Yields a line with `vs` before a number that is followed by the result: `Oda dex vs 12 = 9`."""
    words = [lexed.verb, *lexed.tokens]
    twice = [word for word in words[-1:] if word.bare and word.text in TWICE.values()]
    *before, last = words[: len(words) - len(twice)]
    if lexed.results is None or not before or before[-1].text in GOALS:
        return
    if last.bare and NUMBER.fullmatch(last.text) and int(last.text) >= LEAST_GOAL:
        yield replace(lexed, tokens=(*before[1:], *twice, bare_token("vs"), last))


def _renamed(lexed: Lexed) -> Iterator[Lexed]:
    """Yields a line with another table's word for a verb replaced by this one's: `fight` by `conflict`."""
    verb = ALIASES.get(normalise(lexed.verb.text)) if lexed.verb.bare else None
    if verb is not None:
        yield replace(lexed, verb=bare_token(verb))


# --- habits -----------------------------------------------------------------------------------------------


class _Meant(NamedTuple):
    """Lines that a habit means; the first is taken if nothing is to be said (`says`)."""

    says: str
    lines: list[Lexed]


SHORTEST: Final = 2
"""Fewest letters for the beginning of a verb."""
MOST_SHOWN: Final = 2
AGAINST: Final = "Who is against whom"
NEW: Final = "Somebody new"
ALL: Final = "All of them"
ONE: Final = "One of them"
MISSING: Final = "A word is missing"
WANTED: Final = re.compile(r"wanted: (as|from|to|with)\b")
"""A word of a form that was left out, in a refusal."""
NOT_OF_GROUPS: Final = frozenset({c.Narrate.verb, c.Say.verb, "note", "aside", "describe", "desc"})
"""Verbs whose words stay as they are typed, plurals too."""
AS_TYPED: Final = NOT_OF_GROUPS | {c.Cast.verb, c.OpenConflict.verb}
TOLD: Final = "To tell it"


def _by_habits(lines: Sequence[Lexed], scope: Scope, typed: str) -> _Meant | None:
    """Returns what a line means in the first spelling that is taken, else the first one answered."""
    lines = sorted(lines, key=lambda line: line.results is None)  # dice are dice first, and then words
    meanings = [found for line in lines if (found := _by_habit(line, scope, typed)) is not None]
    sure = [found for found in meanings if not found.says]
    told = [found for found in meanings if found.lines[0].verb.text == c.Narrate.verb]
    shown = [found for found in meanings if found.says and found not in told and found.lines[0].results]
    shown.sort(key=lambda found: -len(found.lines[0].tokens))  # no word of the line is left out
    accepted = (found for found in sure if _is_accepted(found.lines[0], scope))
    certain = next(accepted, next(iter((*shown, *sure)), None))
    if certain is None and len(told) == len(meanings):
        twice = [found for line in lines if (found := _with_advantage(line, scope, typed)) is not None]
        certain = min(twice, key=lambda found: found.says != "", default=None)
    return certain or next((found for found in meanings if found not in told), next(iter(meanings), None))


def _with_advantage(lexed: Lexed, scope: Scope, typed: str) -> _Meant | None:
    """Returns the roll that a line means by habit, with the typed `adv` or `dis`; None for no roll."""
    twice = [token for token in lexed.tokens if token.bare and token.text in TWICE.values()]
    if len(twice) != 1:
        return None
    less = replace(lexed, tokens=tuple(token for token in lexed.tokens if token is not twice[0]))
    found = _by_habit(less, scope, typed)
    if found is None:
        return None
    rolls = [line for line in found.lines if line.verb.text == c.Roll.verb]
    lines = [reorder_roll(replace(line, tokens=(*line.tokens, *twice)), scope.table) for line in rolls]
    accepted = [line for line in lines if _is_accepted(line, scope)]
    return _Meant(found.says, accepted) if accepted else None


def _by_habit(lexed: Lexed, scope: Scope, typed: str) -> _Meant | None:
    """Returns what a line, as `typed`, means by the first habit with a line that the table accepts.

    Without any, the first that takes a line which can be read: the rules then say what is against it.
    """
    verb, first = lexed.verb, typed[: len(lexed.verb.text)]
    if first.lower() == verb.text:
        verb = _instead(verb, first)  # a new name keeps its capital letter
    words = replace(lexed, verb=bare_token("line"), tokens=(verb, *lexed.tokens), flags={}, results=None)
    passes, everybody, readable = tests(scope.table), everybody_at(scope.table), None
    bare = [token for token in words.tokens if token.bare]
    typed_words = {text for token in bare for text in (token.text, *_small_letters(token))}
    for habit in HABITS:
        if any(map(typed_words.isdisjoint, _required_words(habit.form))):
            continue
        fit = _fit(habit, words, passes, everybody)
        if fit is None or scope.table.called(fit.phrase("words") or "") is not None:
            continue
        facts = _facts(fit, lexed, scope.table, typed)
        rest = replace(lexed, text=None) if Form.parse(habit.form).takes_text else lexed
        filled = [
            line for line in _filled(habit, facts) if line.verb.text == c.Roll.verb or _has_text(line, rest)
        ]
        rest = replace(rest, results=None) if facts.has_used_results else rest
        lines = [line for one in filled if _is_of_this_game(line := _with_rest(one, rest), scope)]
        alone = habit.says in SURE_ALONE
        tried = (
            line
            if _is_accepted(line, scope, with_results=alone or habit.says == DRAWN)
            or _lacks_goal(line, scope, with_results=alone)
            else with_bare_flag(line, scope) or (_with_value(line, scope) if habit.says else None)
            for line in lines
        )
        accepted = _told_once(line for line in tried if line is not None)
        says = facts.says(habit.says) or ("" if facts.is_sure else PERHAPS)
        is_act = (habit in (DONE, ROUND, SOAKED) and scope.table.in_play() is not None) or (
            habit in (STRIKES, ACTS) and lexed.results is not None
        )
        if lines and not accepted and is_act:
            return _refused_by_rules(lines[0], scope)
        is_first = accepted[:1] == lines[:1] != []
        if (alone and len(accepted) == 1) or (
            is_first and lexed.results is not None and facts.is_sure and habit.says in SURE_WITH_RESULTS
        ):
            says = ""
        is_told = bool(says and accepted) and _only_tells(accepted)
        if is_told and readable is not None and readable.lines[0].verb.text == c.Declare.verb:
            return readable  # the rules say why it is not declared now
        says = TOLD if is_told else says
        if accepted:
            most = MOST_SHOWN + (habit.says in GUESSES)
            shown = [_with_what_came_up(line, scope) if says else line for line in accepted[:most]]
            return _Meant(says, shown)
        is_rolled = lexed.results is not None and habit.says in SURE_WITH_RESULTS
        if lines and readable is None and (not says or len(habit.lines) == 1 or is_rolled):
            readable = _Meant("", lines[:1])
    return readable


def _refused_by_rules(lexed: Lexed, scope: Scope) -> _Meant:
    """Returns a line that the rules refuse, with a flag or a value that makes them take it, else as it is.

    It is shown with the value that they miss, and taken otherwise: they then say what is against it.
    """
    better = as_rules_take(lexed, scope)
    if better is not None:
        return _Meant("", [better])
    missing, line = _missing(lexed, scope), _with_value(lexed, scope)
    if missing is None or line is None:
        return _Meant("", [lexed])
    return _Meant(missing.sentence.removesuffix("."), [line])


def _with_value(lexed: Lexed, scope: Scope) -> Lexed | None:
    """Returns a line with the value that the rules miss in it, if they then take it; None for others."""
    missing = _missing(lexed, scope)
    line = None if missing is None else completed(lexed, scope, missing)
    return line if line is not None and _is_accepted(line, scope) else None


def as_rules_take(lexed: Lexed, scope: Scope) -> Lexed | None:
    """Returns a line that the rules take, in place of one that they refuse: `invoke Rook oath --free`.

    Its last word is then a flag without its signs or a skill without `with`, or a name in it is a possessive.
    The rules may miss a value behind that skill, such as a track. None for other lines.
    """
    if not lexed.tokens or _is_accepted(lexed, scope):
        return None
    unowned = replace(lexed, tokens=tuple(_unowned(word, scope.table) for word in lexed.tokens))
    *words, last = lexed.tokens
    is_skill = last.bare and tests(scope.table)["skill"](last.text)
    armed = replace(lexed, tokens=(*words, bare_token("with"), last)) if is_skill else lexed
    able = (_of_the_one_able(line, scope) for line in (armed, lexed))
    changed = [line for line in (unowned, armed, *able) if line not in (lexed, None)]
    taken_so = (line for line in changed if _is_accepted(line, scope))
    unsaid = (line for line in changed if _missing(line, scope) is not None)
    return next(taken_so, None) or next(unsaid, None) or with_bare_flag(lexed, scope)


def _missing(lexed: Lexed, scope: Scope) -> NotSaid | None:
    """Returns the refusal that names a value the rules miss in a line; None for other lines."""
    try:
        decide(scope.table, bind_plainly(lexed, scope).command, Luck(FirstDealer()))
    except NotSaid as refusal:
        return refusal
    except (Refused, GuestError):
        pass
    return None


def with_bare_flag(lexed: Lexed, scope: Scope) -> Lexed | None:
    """Returns a line with the flag that one of its words names, if the rules take it so; else None.

    A flag that makes the rules take it without its skill and its dice is shown so.
    """
    flags = set().union(*(form_of(command).flags for command in commands_meant(lexed, scope.table)))
    place = next((place for place, word in enumerate(lexed.tokens) if word.text.rstrip(",") in flags), 0)
    flag = lexed.tokens[place].text.rstrip(",") if place else ""
    if not place or not lexed.tokens[place].bare or flag in lexed.flags:
        return None
    before = lexed.tokens[: place - 1 if lexed.tokens[place - 1].text == "for" else place]  # `for free`
    tokens = (*before[:-1], *map(without_comma, before[-1:]), *lexed.tokens[place + 1 :])
    line = replace(lexed, tokens=tokens, flags={**lexed.flags, flag: None})
    return line if _is_accepted(line, scope) else None


def _only_tells(lines: Sequence[Lexed]) -> bool:
    return all(line.verb.text == c.Narrate.verb for line in lines)


def _has_text(meant: Lexed, lexed: Lexed) -> bool:
    """True if nothing of the typed text is missing in the text of `meant`, or `meant` has none yet."""
    if lexed.text is None or meant.text is None:
        return True
    return re.search(rf"(?<!\w){re.escape(lexed.text)}(?!\w)", meant.text) is not None


def _by_sign(lexed: Lexed, scope: Scope) -> _Meant | None:
    """Returns what a line that begins with a sign may mean; None for other lines."""
    typed = _whole_line(lexed)
    for habit in SIGNED:
        match = re.fullmatch(habit.form, typed)
        if match is None:
            continue
        facts = Facts(scope.table, match.groupdict(), typed)
        lines = _told_once(line for line in _filled(habit, facts) if _is_accepted(line, scope))
        if lines:
            return _Meant(habit.says, lines[:MOST_SHOWN])
    return None


def _fit(
    habit: Habit, words: Lexed, passes: Mapping[str, Callable[[str], bool]], everybody: Everybody
) -> Fit | None:
    form = Form.parse(habit.form)
    if form.takes_text and words.text is None:
        return None
    if words.text is not None and not form.takes_text and not words.tokens[1:]:
        return None
    words = words if form.takes_text else replace(words, text=None)
    tokens = [_as_in_form(token, form) for token in words.tokens]
    typed = {id(token): before for token, before in zip(tokens, words.tokens, strict=True)}
    fit = form.fit(replace(words, tokens=tuple(tokens)), passes, everybody)
    if fit is None:
        return None
    captures = tuple(  # a phrase keeps the letters it was typed in
        capture._replace(tokens=tuple(typed.get(id(token), token) for token in capture.tokens))
        for capture in fit.captures
    )
    fit = replace(fit, captures=captures)
    quotes = fit.slots.get("quote", ())
    return None if any(not token.quoted for group in quotes for token in group) else fit


@cache
def _required_words(form: str) -> tuple[frozenset[str], ...]:
    """Returns sets of words, of each of which a line in this form has at least one; cached."""
    return tuple(required_words(Form.parse(form).part))


def _as_in_form(token: Token, form: Form) -> Token:
    """Returns a word of the form in small letters and without a comma; other tokens unchanged."""
    known = next((one for one in _small_letters(token) if one in form.words), None)
    return _instead(token, known) if token.bare and known is not None else token


def _small_letters(token: Token) -> tuple[str, str]:
    """Returns a token's small letters without apostrophes and a last comma; and those without accents."""
    word = token.text.lower().rstrip(",").replace("'", "")
    return word, normalise(word)


SLOT: Final = re.compile(r"\{(\w+\??)\}")


def _facts(fit: Fit, lexed: Lexed, table: Table, typed: str) -> Facts:
    slots = {name: _typed(name, groups) for name, groups in fit.slots.items()}
    titles = fit.slots.get("title", ())
    slots["data"] = " ".join(token_as_typed(token) for group in titles for token in group if token.assign)
    if lexed.text is not None:
        slots["text"] = lexed.text
    return Facts(table, slots, typed, lexed.results or ())


def _whole_line(lexed: Lexed) -> str:
    return line_as_typed(replace(lexed, flags={}, results=None))


def _told_once(lines: Iterator[Lexed]) -> list[Lexed]:
    """Returns lines of which one at most tells the same words."""
    told: dict[str, Lexed] = {}
    for line in lines:
        is_telling = line.verb.text == c.Narrate.verb and line.text is not None
        told.setdefault(line.text or "" if is_telling else line_as_typed(line), line)
    return [*told.values()]


def _filled(habit: Habit, facts: Facts) -> Iterator[Lexed]:
    """Yields the lines of a habit for which there are all facts."""
    for line in habit.lines:
        values = {name: facts.value(name) for name in SLOT.findall(line)}
        sign, before = facts.sign(), line[line.find("{n}") - 1]
        if sign is not None and "{n}" in line and before not in ("}", sign) and "sign}" not in line:
            continue  # a change, which is no value
        if None in values.values():
            continue
        filled = "".join(
            (values[part] or "") if place % 2 else part for place, part in enumerate(SLOT.split(line))
        )
        head, colon, text = filled.partition(": ")
        one_line = f"{' '.join(head.split())}{colon}{text}"
        meant = _lexed(one_line)
        if meant is not None:
            yield meant


def _typed(name: str, groups: Sequence[Sequence[Token]]) -> str:
    """Returns the words of a slot as typed: names joined with `+`, words of a phrase with blanks."""
    joiner = " " if name in ("words", "more", "title", "values", "why", "named") else "+"
    if name == "quote":
        return groups[0][0].text
    tokens = [token for group in groups for token in group if name != "title" or token.assign is None]
    return joiner.join(map(token_as_typed, tokens))


def _with_rest(meant: Lexed, lexed: Lexed) -> Lexed:
    """Returns a line with flags, results and text of the typed line; a text of its own comes first."""
    text = lexed.text if meant.text is None else meant.text
    if not _has_text(meant, lexed):
        text = f"{meant.text}: {lexed.text}"
    words = line_as_typed(meant)
    data = (token for token in lexed.tokens if token.assign and token_as_typed(token) not in words)
    return replace(
        meant,
        tokens=(*meant.tokens, *data),
        flags={**meant.flags, **lexed.flags},
        results=lexed.results if meant.results is None else meant.results,
        text=text,
    )


def _with_what_came_up(lexed: Lexed, scope: Scope) -> Lexed:
    """Returns a line that takes results and has them as its text with them behind `=`; others unchanged."""
    bound = _bound(lexed, scope)
    came_up = () if bound is None else results_in_text(lexed, bound)
    return replace(lexed, results=came_up, text=None) if came_up else lexed


def _is_accepted(lexed: Lexed, scope: Scope, *, with_results: bool = False) -> bool:
    """True if the rules accept the line now; lines about the record itself are not tried.

    What came up counts only `with_results`.
    """
    try:
        bound = bind_plainly(lexed, scope)
        if not bound.command.manages:
            called = getattr(bound.command, "results", None) if with_results else None
            decide(scope.table, bound.command, Luck(FirstDealer(), called))
    except (Refused, GuestError):
        return False
    return True


def _lacks_goal(lexed: Lexed, scope: Scope, *, with_results: bool) -> bool:
    """True for a roll that the rules accept with a number behind it: the target's is unknown, or hidden."""
    goal = replace(lexed, tokens=(*lexed.tokens, bare_token("1")))
    is_aimed = lexed.verb.text == c.Roll.verb and are_people(lexed.tokens[-1], scope.table)
    return is_aimed and _is_accepted(goal, scope, with_results=with_results)


# --- answers ----------------------------------------------------------------------------------------------


def _first(found: _Meant, lexed: Lexed) -> Lexed:
    """Returns the line to take; raises a refusal with the lines to type if something is to be said."""
    if found.says:
        raise _answer(found, lexed) from None
    return found.lines[0]


def _answer(found: _Meant, lexed: Lexed) -> Refused:
    lines = tuple(map(line_as_typed, found.lines))
    end = "." if found.lines[-1].text is None else ""
    between = "; then " if found.says in (EACH, ONE_LINE) else "; or "
    answer = Unreadable(f"{found.says}: {between.join(lines)}{end}", lexed.verb.column)
    answer.lines = lines
    return answer


def _filled_in(lexed: Lexed, scope: Scope, refusal: Refused) -> Refused:
    """Returns the refusal of an unknown verb, with the line that would tell the words if it proposes none."""
    read = line_read(lexed, scope.table) or (
        line_as_typed(lexed)
        if lexed.verb.text.lower() in READING and lexed.text is None and lexed.results is None
        else None
    )
    if read is not None and isinstance(refusal, (Unreadable, UnknownVerb, Unknown)):
        sentence = f"{read.partition(' ')[0]} records nothing: type it at the console, or as retold {read}"
        return Unreadable(sentence, lexed.verb.column)
    is_number = lexed.verb.text.isdecimal()
    if (
        isinstance(refusal, UnknownVerb)
        and not lexed.tokens
        and (is_number or lexed.verb.text.lower() in LEAVING)
    ):
        said = (
            "A number alone takes the line of an answer, and none is left."
            if is_number
            else "Nothing has to be saved: a line that is taken is recorded."
        )
        return Unreadable(said, lexed.verb.column)
    if not isinstance(refusal, UnknownVerb) or lexed.results is not None:
        return refusal
    words = lexed.tokens
    is_sentence = words[2:] or (words[1:] and lexed.verb.text.istitle())
    if not refusal.is_unlike and (not is_sentence or any(one.is_whole for one in lines_in(refusal.sentence))):
        return refusal
    line = next((line for line in _tellings(lexed, scope.table) if _is_accepted(line, scope)), None)
    if line is None:
        return refusal
    meant = "" if refusal.is_unlike else f"{refusal.sentence.partition('. ')[2]} "
    answer = UnknownVerb(lexed.verb.text, hint=f"{meant}To tell it: {line_as_typed(line)}")
    answer.lines = (line_as_typed(line),)
    return answer


def line_read(lexed: Lexed, table: Table) -> str | None:
    """Returns the line of the console that only reads, such as `who Oda` for `sheet Oda`; None for others."""
    if lexed.text is not None or lexed.results is not None:
        return None
    line = _unstopped(_tidied(lexed, table))
    words = replace(line, verb=bare_token("line"), tokens=(line.verb, *line.tokens), flags={})
    passes, everybody = tests(table), everybody_at(table)
    for habit in READS:
        if (fit := _fit(habit, words, passes, everybody)) is not None:
            return next((line_as_typed(one) for one in _filled(habit, _facts(fit, line, table, ""))), None)
    word = READ_AS.get(lexed.verb.text.lower())
    if word is None or (lexed.tokens and " " in word):
        return None
    return line_as_typed(replace(lexed, verb=bare_token(word)))


def has_habit(lexed: Lexed, table: Table) -> bool:
    """True for a line that some habit is about, whether or not the rules accept its meaning."""
    words = replace(lexed, verb=bare_token("line"), tokens=(lexed.verb, *lexed.tokens))
    passes, everybody = tests(table), everybody_at(table)
    return any(_fit(habit, words, passes, everybody) is not None for habit in HABITS)


_VERB_OF: Final = {
    "{test}": "roll",
    "{own_test}": "roll",
    "{attack}": "roll",
    "{hp}": "track",
    "{track}": "track",
}


def verb_meant(typed: str) -> str | None:
    """Returns the verb that a word or two of other tables stand for, such as `conflict` for `fight`.

    None for other words, and for a verb.
    """
    words = typed.lower().split()
    if not words or words[0] in VERBS or len(words) > MOST_SHOWN:
        return None
    if words[-1] in VERBS or words[0] in ALIASES:
        return ALIASES.get(words[0], words[-1])
    lines = (habit.lines[0] for habit in HABITS if {*words} <= {*Form.parse(habit.form).words})
    verbs = (line.partition(" ")[0].rstrip(":") for line in lines)
    return next((verb for verb in (_VERB_OF.get(verb, verb) for verb in verbs) if verb in VERBS), None)


def _told(lexed: Lexed, scope: Scope) -> Lexed | None:
    """Returns the line that tells a sentence in which nothing is of the rules; None for other lines."""
    tidied = _tidied(lexed, scope.table)
    if tidied.verb.text.islower():
        tidied = replace(tidied, verb=lexed.verb)
    if line_read(lexed, scope.table) is not None or not is_told(tidied, scope.table):
        return None
    lines = (line for line in _tellings(lexed, scope.table) if line.text == line_as_typed(lexed))
    return next((line for line in lines if _is_accepted(line, scope)), None)


def _tellings(lexed: Lexed, table: Table) -> Iterator[Lexed]:
    """Yields lines that tell the words of a line: of the person it begins with, else of the game master."""
    verb, words = bare_token(c.Narrate.verb), replace(lexed, flags={})
    if not lexed.tokens:
        return
    if table.called(lexed.verb.text) is not None:
        first, *rest = lexed.tokens
        told = line_as_typed(replace(words, verb=first, tokens=tuple(rest)))
        yield Lexed(verb, (lexed.verb,), text=told)
    yield Lexed(verb, text=line_as_typed(words))
    yield Lexed(verb, (bare_token(GM_WORDS[0]),), text=line_as_typed(words))
