"""What a line that cannot be read means by the habits of other tables and tools."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

from msgspec.structs import replace

from retold.journal.decks.chance import TOTAL, FirstDealer, Luck, TooFew
from retold.journal.language.binding import Scope, is_waited_for
from retold.journal.language.habits.evening import SPEAKS
from retold.journal.language.habits.shapes import BY_SKILL, CAME, IN_PLAY_OR_TOLD, ONE_LINE, OR_TOLD
from retold.journal.language.lexing import Lexed, line_as_typed
from retold.journal.language.meaning.acts import act_meant
from retold.journal.language.meaning.answers import MADE_UP, answer_with, filled_in, line_of, told_by
from retold.journal.language.meaning.lookup import Meant, by_habits, by_sign, only_tells
from retold.journal.language.meaning.several import (
    first_of_several,
    group_meant,
    new_people,
    numbered_meant,
    sides_meant,
)
from retold.journal.language.meaning.spelling import (
    renamed,
    respelled_for,
    spellings,
    with_row,
)
from retold.journal.language.meaning.taking import with_harm_read
from retold.journal.language.meaning.tidying import (
    secretly,
    tidy,
    whole_line,
    without_commas,
    without_stop,
)
from retold.journal.language.meaning.trying import (
    bound_or_none,
    is_accepted,
    lexed_or_none,
    of_the_one_able,
    with_bare_results,
)
from retold.journal.language.naming import ShortName
from retold.journal.language.other_words import ABILITIES
from retold.journal.language.proposed import lines_in
from retold.journal.language.shorthand import (
    are_people,
    counter_called,
    expand_shorthand,
    suggest_new_track,
)
from retold.journal.language.slot_words import verb_of_game
from retold.journal.language.strange_words import CHECK, REST, bind_plainly, is_of_another_game
from retold.journal.language.suggestions import name_token
from retold.journal.language.telling import SHORTEST_SENTENCE
from retold.journal.language.tokens import Segment, Token, Unreadable, is_dice
from retold.journal.language.typed_names import AND, joined_names, with_joined_names, without_comma
from retold.journal.language.verbs import VERBS, UnknownVerb, form_of, is_fixed, verbs_of
from retold.journal.language.writing import bare_token
from retold.journal.line import decide
from retold.journal.names import Ambiguous, Unknown, normalise
from retold.journal.refused import Refused, none_if_refused, refusal_of
from retold.journal.system import COUNTED, modifier_of
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Command, OfSeveral

SHORTEST: Final = 2
"""Fewest letters for the beginning of a verb."""
GOES_FIRST: Final = frozenset({"begins", "first", "goes", "raises", "starts", "wins"})
"""Words behind the name that answers who is first, or who wins."""
WANTED: Final = re.compile(r"wanted: (as|from|to|with)\b")
"""A word of a form that was left out, in a refusal."""


def taken(lexed: Lexed, scope: Scope, refusal: Refused) -> Lexed:
    """Returns the line to take for a line that `bind` refuses; raises a refusal, with a line to type."""
    lines = spellings(lexed, scope.table)
    respelled = (
        _answering(lexed, scope)
        or with_harm_read(lexed, scope)
        or _hidden_roll(lexed, scope)
        or _behind_colon(lexed, scope)
        or _of_each(lexed, scope)
        or _begun(lexed, scope)
        or respelled_for((*lines, *with_row(lines[0], scope.table)), lexed, scope)
        or of_the_one_able(lines[0], scope)
    )
    if respelled is not None:
        return respelled
    for several in (
        first_of_several(lexed, scope),
        group_meant(lines[0], scope),
        sides_meant(lines[0], scope),
        new_people(lexed, scope),
    ):
        if several is not None:
            return line_of(several, lexed)
    found = _habit_or_act(lines, lexed, scope, refusal) or _with_word(lines[0], scope, refusal)
    told = told_by(lexed, scope) if found is None or _may_be_told(found, lexed, scope) else None
    if told is not None:
        return told
    is_last_resort = found is None or found.says == IN_PLAY_OR_TOLD or only_tells(found.lines)
    if found is None or is_last_resort or not is_accepted(found.lines[0], scope):
        found = _in_turn(lines[0], scope) or numbered_meant(lines[0], scope, whole_line(lexed)) or found
    if found is None:
        tidied = lines[0]
        joined = with_joined_names(tidied, scope.table)
        own = [tidied] if tidied.verb.text != lexed.verb.text and is_fixed(tidied.verb.text) else []
        flagged = without_commas(tidied, scope.table)
        own += [flagged] if flagged.flags != tidied.flags else []
        for line in (*own, *renamed(tidied), *((joined,) if joined != tidied else ())):
            with suppress(UnknownVerb):
                bind_plainly(line, scope)  # which says what is wrong with it
        turned = _verb_first(tidied, scope.table)
        meant = tidied if bound_or_none(tidied, scope) is not None else turned and _as_if_typed(turned, scope)
        if meant is not None:
            return meant
        raise filled_in(lexed, scope, refusal) from None
    proposed = {one.line for one in lines_in(refusal.sentence) if one.is_whole}
    read = map(lexed_or_none, proposed - {suggest_new_track(lexed, scope.table)})
    proposes = any(line is not None and is_accepted(line, scope) for line in read)
    if found.says and found.lines[0].verb.text == c.Narrate.verb and proposes:
        raise refusal from None
    return line_of(found, lexed)


def _habit_or_act(lines: Sequence[Lexed], lexed: Lexed, scope: Scope, refusal: Refused) -> Meant | None:
    """Returns what a line means by habit, or as an act of the conflict in play if no habit is certain.

    A word of the form that was misspelled is no word of an act.
    """
    found = by_habits(lines, scope, whole_line(lexed)) or by_sign(lexed, scope)
    is_certain = found is not None and not found.says and is_accepted(found.lines[0], scope)
    certain = found if is_certain else None
    if certain is not None and not _lacks_skill(certain.lines[0], scope):
        return certain
    is_misspelled = "Did you mean" in refusal.sentence and lexed.verb.text in VERBS
    act = None if is_misspelled else act_meant(lines[0], scope)
    if act is None or (certain is not None and _lacks_skill(act.lines[0], scope)):
        return found
    return act


def _lacks_skill(line: Lexed, scope: Scope) -> bool:
    """True for a line that names no skill, of a verb that takes one."""
    bound = bound_or_none(line, scope)
    takes_skill = bound is not None and "with" in form_of(type(bound.command)).words
    return takes_skill and all(word.text != "with" for word in line.tokens)


def with_name_in_full(lexed: Lexed, scope: Scope, short: ShortName) -> Lexed:
    """Returns a line that changes the sheet of a person with a player, with their whole name.

    Raises Refused with the line for that person, and for a new one, for other lines.
    """
    first, *values = lexed.tokens or (lexed.verb,)
    whole, new = (
        replace(lexed, tokens=(Token((Segment(name, True),), 1), *values))
        for name in (short.name, short.typed)
    )
    if first.text != short.typed or not is_accepted(whole, scope):
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
    raise answer_with(
        Meant(f"“{short.typed}” may be meant for {short.name}, or new, and then in quotes", [whole, new]),
        lexed,
    )


def check_for_all(lexed: Lexed, command: OfSeveral, scope: Scope) -> None:
    """Raises Refused for a line that the rules accept for some people named, with the line for these."""
    if not any(are_people(token, scope.table) for token in lexed.tokens):
        lexed = expand_shorthand(lexed, scope.table)
    refused = refusal_of(lambda: decide(scope.table, command, Luck(FirstDealer())))
    places = (place for place, token in enumerate(lexed.tokens) if are_people(token, scope.table))
    place = None if refused is None else next(places, None)
    if place is None:
        return
    names = [name_token(scope.table.name(who)) for who in command.named() if isinstance(who, int)]
    able = [name for name in names if is_accepted(_at(lexed, place, name), scope)]
    if able and len(able) < len(names):
        line = line_as_typed(_at(lexed, place, joined_names(able)))
        answer = Unreadable(f"{refused} For the others: {line}.", lexed.tokens[place].column)
        answer.lines = (line,)
        raise answer


def with_other_numbers(lexed: Lexed, command: Command, scope: Scope, refusal: Refused) -> Refused | None:
    """Returns the rules' `refusal` followed by a corrected line that they accept; None without such a line.

    Results that no dice show may be totals, or all the damage; the game may not have a number of the sheet,
    which is then counted beside it.
    """
    for cast in (lexed, _with_modifiers(lexed)) if isinstance(command, c.Cast) else ():
        beside = _beside_sheet(cast, scope)
        if beside:
            return answer_with(Meant(ONE_LINE, beside), lexed)
    if isinstance(command, c.Roll) and lexed.results and not isinstance(refusal, TooFew):
        ways = {"In all": _in_all(lexed)}
    elif isinstance(command, c.Cast) and not any(one.is_whole for one in lines_in(refusal.sentence)):
        ways = {
            "By modifiers": iter([_with_modifiers(lexed)]),
            "With its maximum": _with_maximum(lexed, refusal),
            "Without it": _with_less(lexed),
        }
    else:
        return None
    for says, lines in ways.items():
        line = next((line for line in lines if is_accepted(line, scope, with_results=True)), None)
        if line is not None:
            answer = Unreadable(f"{refusal} {says}: {line_as_typed(line)}.", lexed.verb.column)
            answer.lines = (line_as_typed(line),)
            return answer
    return None


def _in_all(lexed: Lexed) -> Iterator[Lexed]:
    """Yields a roll whose last result is a total, then one whose last result is the whole damage."""
    *dice, last = lexed.results or ()
    if all(map(str.isdecimal, (*dice, last))):
        damage = bare_token("damage"), bare_token(last)
        yield replace(lexed, results=(*dice, TOTAL, last))
        if damage[0] not in lexed.tokens:
            yield replace(lexed, tokens=(*lexed.tokens, *damage), results=tuple(dice))


def _with_modifiers(lexed: Lexed) -> Lexed:
    """Returns the line with the modifiers of its ability scores, `str=3` for `str=16`."""
    return replace(lexed, tokens=tuple(map(_with_modifier, lexed.tokens)))


def _with_modifier(word: Token) -> Token:
    key, _, score = word.text.partition("=")
    if key.lower() not in ABILITIES.values() or not score.isdecimal():
        return word
    return bare_token(f"{key}={modifier_of(int(score))}")


def _with_maximum(lexed: Lexed, refusal: Refused) -> Iterator[Lexed]:
    """Yields the line with a number of a track as its maximum too, `hp=36/36`, where the refusal says so."""
    for token in lexed.tokens:
        both = "" if token.assign is None else f"{token.assign.value.text}/{token.assign.value.text}"
        if both and both in refusal.sentence:
            whole = bare_token(f"{token.text}/{both.partition('/')[2]}")
            yield replace(lexed, tokens=tuple(whole if other is token else other for other in lexed.tokens))


def _with_less(lexed: Lexed) -> Iterator[Lexed]:
    """Yields the line once for each number on its sheet, without that number."""
    for token in lexed.tokens:
        if token.assign is not None:
            yield replace(lexed, tokens=tuple(other for other in lexed.tokens if other is not token))


def _beside_sheet(lexed: Lexed, scope: Scope) -> list[Lexed]:
    """Returns a line that casts somebody, and those that count what no sheet has, as a level; else none."""
    counts = [
        word for word in lexed.tokens if word.assign and counter_called(word.assign.key.text) in COUNTED
    ]
    cast = replace(lexed, tokens=tuple(word for word in lexed.tokens if word not in counts))
    if not counts or not is_accepted(cast, scope):
        return []
    pairs = (word.text.split("=") for word in counts)
    lines = (lexed_or_none(f"{counter_called(key)} {line_as_typed(cast).split()[1]} {n}") for key, n in pairs)
    return [cast, *filter(None, lines)]


def beside_told(lexed: Lexed, scope: Scope) -> str:
    """Returns words and the line that the rules have for a sentence that is told: a roll, or a thing."""
    found = by_habits(spellings(lexed, scope.table), scope, whole_line(lexed))
    if found is None or not _is_beside_story(found):
        return ""
    line = MADE_UP.sub("NUMBER", line_as_typed(found.lines[0]))
    said = line.rpartition(": ")[0] if found.says == BY_SKILL and found.lines[0].text else line
    return f" {OR_TOLD[found.says]} {said.removesuffix('.')}."


def _may_be_told(found: Meant, lexed: Lexed, scope: Scope) -> bool:
    """True for lines instead of which a sentence is told, and for one that the rules do not take now.

    A few words about an act are that act: the rules say what is against it.
    """
    meant = bound_or_none(found.lines[0], scope)
    is_short_act = len(lexed.tokens) < SHORTEST_SENTENCE and meant is not None and meant.command.acting
    return (
        not (is_short_act or is_accepted(found.lines[0], scope))
        or _is_beside_story(found)
        or (found.says != "" and only_tells(found.lines))
    )


def _is_beside_story(found: Meant) -> bool:
    """True for lines that count or roll what a sentence of the story tells."""
    is_rolled = found.lines[0].verb.text in (c.Roll.verb, CHECK)
    return found.says in OR_TOLD and (found.says != BY_SKILL or is_rolled)


def _at(lexed: Lexed, place: int, name: Token) -> Lexed:
    return replace(lexed, tokens=(*lexed.tokens[:place], name, *lexed.tokens[place + 1 :]))


def _answering(lexed: Lexed, scope: Scope) -> Lexed | None:
    """Returns the ruling for a line that is an answer to a question that play waits for; None for others."""
    stopless = without_stop(lexed)
    words = (stopless.verb, *(word for word in stopless.tokens if word.text not in GOES_FIRST))
    is_bare = lexed.text is None and lexed.results is None
    if not is_bare or not is_waited_for(" ".join(word.text for word in words), scope.table):
        return None
    return replace(lexed, verb=bare_token(c.Rule.verb), tokens=words)


def _hidden_roll(lexed: Lexed, scope: Scope) -> Lexed | None:
    """Returns the roll behind a word that hides it, `hidden: Warden wis save`; None for other lines."""
    line = None if lexed.tokens or not lexed.text else lexed_or_none(f"{lexed.verb.text} {lexed.text}")
    secret = line and secretly(replace(line, results=line.results or lexed.results), scope.table)
    return None if secret is None or secret.verb == lexed.verb else _as_taken(secret, scope)


def _behind_colon(lexed: Lexed, scope: Scope) -> Lexed | None:
    """Returns the roll or state behind what somebody does, `Pip casts sleep: Rat wis save vs 13 = 6`."""
    line = None if lexed.text is None else lexed_or_none(lexed.text)
    if line is None or not lexed.tokens or not are_people(lexed.verb, scope.table):
        return None
    line = replace(line, results=line.results or lexed.results)
    is_act = verb_of_game(scope.table, lexed.tokens[0].text) is not None
    is_at_others = is_dice(line.verb) and any(are_people(word, scope.table) for word in lexed.tokens)
    if is_act or is_at_others or not SPEAKS.isdisjoint(word.text.lower() for word in lexed.tokens):
        return None
    own = replace(line, verb=lexed.verb, tokens=(line.verb, *line.tokens))
    wanted = {
        "status",
        *([c.Roll.verb] if line.results or "vs" in (lexed.text or "").replace("dc", "vs") else []),
    }
    lines = (
        _as_taken(one, scope) for one in ((line,) if are_people(line.verb, scope.table) else (line, own))
    )
    accepted = (one for one in lines if one is not None and is_accepted(one, scope, with_results=True))
    read = next((one for one in accepted if one.verb.text in wanted), None)
    if read is None:
        return None
    words = line_as_typed(replace(lexed, text=None, results=None))
    return replace(read, text=": ".join(filter(None, (read.text, words))))


def _as_taken(line: Lexed, scope: Scope) -> Lexed | None:
    """Returns the line to take for another one, with its habits; None if it is refused."""
    unknown = UnknownVerb(line.verb.text)
    is_bound = bound_or_none(line, scope) is not None
    return none_if_refused(lambda: of_this_game(line, scope) if is_bound else taken(line, scope, unknown))


def _of_each(lexed: Lexed, scope: Scope) -> Lexed | None:
    """Returns a roll or rest with a result behind each name, `all dex vs 11 = Oda 9, Ilka 18`; else None.

    Raises Refused with the lines for a colon before the names: the numbers may be in all.
    """
    words = [word.strip(",+") for word in lexed.results or (lexed.text or "").split()]
    names, numbers = [bare_token(word) for word in words[::2]], words[1::2]
    are_pairs = names and len(names) == len(numbers) and all(map(str.isdecimal, numbers))
    are_known = are_pairs and all(are_people(name, scope.table) for name in names)
    bare = replace(lexed, results=None, text=None)
    named = replace(bare, tokens=(*bare.tokens, joined_names(names))) if are_known else bare
    roll = (_as_taken(bare, scope) or _as_taken(named, scope)) if are_known else None
    if roll is None or roll.verb.text not in ((c.Roll.verb, REST) if names[1:] else (REST,)):
        return None
    how = [word for word in roll.tokens[roll.verb.text == c.Roll.verb :] if not are_people(word, scope.table)]
    tokens, ways = (joined_names(names), *how), ((), (TOTAL,))
    faces, totals = (
        replace(roll, tokens=tokens, results=tuple(word for n in numbers for word in (*way, n)))
        for way in ways
    )
    able = [line for line in (faces, totals) if is_accepted(line, scope, with_results=True)]
    return faces if lexed.results or not able else line_of(Meant(CAME if able[1:] else "", able), lexed)


def _begun(lexed: Lexed, scope: Scope) -> Lexed | None:
    """Returns a line about a person whose first word begins a single verb that is accepted: `ch Oda 7H 2`."""
    word = lexed.verb.text
    if len(word) < SHORTEST or not lexed.verb.bare or is_fixed(word) or not lexed.tokens:
        return None
    if not are_people(lexed.tokens[0], scope.table):
        return None
    begun = (verb for verb in verbs_of(scope.table) if verb.startswith(word))
    meant = (replace(lexed, verb=bare_token(verb)) for verb in begun)
    lines = [line for one in meant for line in (one, *with_bare_results(one)) if is_accepted(line, scope)]
    return lines[0] if len(lines) == 1 else None


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


def of_this_game(lexed: Lexed, scope: Scope) -> Lexed:
    """Returns the line to take for a roll of a move or stat that the game does not have; else the same line.

    Raises Refused with a line to type if the line means one by habit and leaves a choice.
    """
    if is_of_another_game(bind_plainly(lexed, scope).command, scope.table) and is_accepted(lexed, scope):
        return lexed
    tidied = tidy(lexed, scope.table)
    found = group_meant(tidied, scope) or by_habits([tidied], scope, whole_line(lexed))
    return lexed if found is None else line_of(found, lexed)


def of_numbered(lexed: Lexed, scope: Scope, several: Ambiguous) -> Lexed:
    """Returns the line with `Wolf 1` as a name, or a fight with every `Wolf`; otherwise raises Refused."""
    tidied = tidy(lexed, scope.table)
    found = numbered_meant(lexed, scope, whole_line(lexed))
    if bound_or_none(tidied, scope) is not None:
        return tidied
    if found is None:
        raise several
    return line_of(found, lexed)


def _in_turn(lexed: Lexed, scope: Scope) -> Meant | None:
    """Splits two lines typed as one, `Pip takes 4, Oda takes 6`; None for a single line or narration."""
    words = (lexed.verb, *lexed.tokens)
    for place, word in enumerate(words[1:-1], start=1):
        is_and = word.bare and word.text.lower() in AND
        if lexed.text is not None or not (is_and or (word.bare and word.text.endswith(","))):
            continue
        halves = words[:place] if is_and else (*words[:place], without_comma(word)), words[place + 1 :]
        if are_people(words[0], scope.table) and not are_people(halves[1][0], scope.table):
            halves = halves[0], (words[0], *halves[1])
        typed = (replace(lexed, verb=verb, tokens=tuple(tokens), results=None) for verb, *tokens in halves)
        read = (_as_taken(line, scope) for line in typed)
        lines = [
            line for line in read if line and line.verb.text != c.Narrate.verb and is_accepted(line, scope)
        ]
        if len(lines) == len(halves):
            return Meant(ONE_LINE, lines)
    return None


def _with_word(lexed: Lexed, scope: Scope, refusal: Refused) -> Meant | None:
    """Returns a line with the word of its form that the refusal wants, such as `as`; None without one."""
    wanted = WANTED.search(refusal.sentence)
    if wanted is None:
        return None
    for place in range(1, len(lexed.tokens) + 1):
        tokens = (*lexed.tokens[:place], bare_token(wanted.group(1)), *lexed.tokens[place:])
        line = replace(lexed, tokens=tokens)
        if bound_or_none(line, scope) is not None:
            is_sure = wanted.group(1) == "as" and all(word.quoted for word in lexed.tokens[place : place + 1])
            return Meant("" if is_sure else "A word is missing", [line])
    return None
