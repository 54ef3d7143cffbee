"""A line looked up among the habits of other tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from msgspec.structs import replace

from retold.journal.decks.chance import TOTAL
from retold.journal.language.binding import Scope
from retold.journal.language.completing import completed
from retold.journal.language.form_parts import Everybody, required_words
from retold.journal.language.forms import Fit, Form
from retold.journal.language.habit_facts import Facts
from retold.journal.language.habits import HABITS
from retold.journal.language.habits.shapes import (
    ACTS,
    AN_ATTACK,
    CAME,
    DONE,
    DRAWN,
    EACH,
    GUESSES,
    NATURAL,
    ONE_LINE,
    PERHAPS,
    REACHED,
    ROUND,
    SOAKED,
    STRIKES,
    SURE_ALONE,
    SURE_WITH_RESULTS,
    Habit,
)
from retold.journal.language.habits.signs import SIGNED
from retold.journal.language.lexing import Lexed, line_as_typed, token_as_typed
from retold.journal.language.meaning.tidying import NUMBER, TWICE, in_place_of, whole_line
from retold.journal.language.meaning.trying import (
    as_rules_take,
    bound_or_none,
    is_accepted,
    is_of_this_game,
    lacks_goal,
    lexed_or_none,
    missing_value,
    with_bare_flag,
)
from retold.journal.language.roll_facts import RollFacts
from retold.journal.language.slot_words import everybody_at, tests
from retold.journal.language.strange_words import results_in_text
from retold.journal.language.suggestions import reorder_roll
from retold.journal.language.tokens import Token
from retold.journal.language.writing import bare_token
from retold.journal.names import normalise
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c

MOST_SHOWN: Final = 2
TOLD: Final = "To tell it"
OWN_DICE: Final = re.compile(r"\b\d*d(?:20|100|%|F)", re.IGNORECASE)
"""Dice that a roll has without being told."""
DICE: Final = re.compile(r"\b\d*d\d+\b", re.IGNORECASE)
THROWN: Final = re.compile(
    r",?(?: for| deals| does| takes| taking)? \d*d\d+(?:[+-]\d+)*(?:(?: \w+)? (?:damage|dmg|hp))?(?=[,.;]|$)",
    re.IGNORECASE,
)
"""Dice in words about them."""
SLOT: Final = re.compile(r"\{(\w+\??)\}")


class Meant(NamedTuple):
    """Lines that a habit means; the first is taken if nothing is to be said (`says`)."""

    says: str
    lines: list[Lexed]


def by_habits(lines: Sequence[Lexed], scope: Scope, typed: str) -> Meant | None:
    """Returns what a line means in the first spelling that is taken, else the first one answered."""
    lines = sorted(lines, key=lambda line: line.results is None)  # dice are dice first, and then words
    meanings = [found for line in lines if (found := by_habit(line, scope, typed)) is not None]
    sure = [found for found in meanings if not found.says]
    told = [found for found in meanings if found.lines[0].verb.text == c.Narrate.verb]
    shown = [found for found in meanings if found.says and found not in told and found.lines[0].results]
    shown.sort(key=lambda found: -len(found.lines[0].tokens))  # no word of the line is left out
    accepted = (found for found in sure if is_accepted(found.lines[0], scope))
    certain = next(accepted, next(iter((*shown, *sure)), None))
    if certain is None and len(told) == len(meanings):
        twice = [found for line in lines if (found := _with_advantage(line, scope, typed)) is not None]
        certain = min(twice, key=lambda found: found.says != "", default=None)
    return certain or next((found for found in meanings if found not in told), next(iter(meanings), None))


def _with_advantage(lexed: Lexed, scope: Scope, typed: str) -> Meant | None:
    """Returns the roll that a line means by habit, with the typed `adv` or `dis`; None for no roll."""
    twice = [token for token in lexed.tokens if token.bare and token.text in TWICE.values()]
    if len(twice) != 1:
        return None
    less = replace(lexed, tokens=tuple(token for token in lexed.tokens if token is not twice[0]))
    found = by_habit(less, scope, typed)
    if found is None:
        return None
    rolls = [line for line in found.lines if line.verb.text == c.Roll.verb]
    lines = [reorder_roll(replace(line, tokens=(*line.tokens, *twice)), scope.table) for line in rolls]
    accepted = [line for line in lines if is_accepted(line, scope)]
    return Meant(found.says, accepted) if accepted else None


def by_habit(lexed: Lexed, scope: Scope, typed: str) -> Meant | None:
    """Returns what a line, as `typed`, means by the first habit with a line that the table accepts.

    Without any, the first that takes a line which can be read: the rules then say what is against it.
    """
    verb, first = lexed.verb, typed[: len(lexed.verb.text)]
    if first.lower() == verb.text:
        verb = in_place_of(verb, first)  # a new name keeps its capital letter
    words = replace(lexed, verb=bare_token("line"), tokens=(verb, *lexed.tokens), flags={}, results=None)
    passes, everybody, readable = tests(scope.table), everybody_at(scope.table), None
    bare = [token for token in words.tokens if token.bare]
    typed_words = {text for token in bare for text in (token.text, *_small_letters(token))}
    for habit in HABITS:
        if any(map(typed_words.isdisjoint, words_required(habit.form))):
            continue
        fit = fit_of(habit, words, passes, everybody)
        if fit is None or scope.table.called(fit.phrase("words") or "") is not None:
            continue
        facts = facts_of(fit, lexed, scope.table, typed)
        rest = replace(lexed, text=None) if Form.parse(habit.form).takes_text else lexed
        filled = [
            line
            for line in filled_lines(habit, facts)
            if line.verb.text == c.Roll.verb or _has_text(line, rest)
        ]
        rest = replace(rest, results=None) if facts.has_used_results else rest
        lines = [line for one in filled if is_of_this_game(line := _with_rest(one, rest), scope)]
        alone = habit.says in SURE_ALONE
        tried = (
            line
            if _rules_take(line, scope, with_results=_has_own_results(line, lexed, habit))
            else with_bare_flag(line, scope) or (_with_value(line, scope) if habit.says else None)
            for line in lines
        )
        says = facts.says(habit.says) or ("" if facts.is_sure else PERHAPS)
        is_each = not says or habit.says in (EACH, ONE_LINE)
        accepted = _told_once(
            line for line in tried if line is not None and (is_each or _has_numbers(line, typed, lexed))
        )
        if lines and not accepted and _is_act(habit, fit, lexed, scope.table):
            return _refused_by_rules(lines[0], scope)
        is_first = accepted[:1] == lines[:1] != []
        is_dice = lexed.results is not None or any(token.text in TWICE.values() for token in bare)
        is_dice = is_dice or facts.is_only_attack
        if (alone and len(accepted) == 1) or (
            is_first and is_dice and facts.is_sure and habit.says in SURE_WITH_RESULTS
        ):
            says = ""
        able = _with_what_came(accepted, lexed, scope)
        says = "" if accepted and not able else says  # the rules say what is against all of them
        accepted = able or accepted
        is_told = bool(says and accepted) and only_tells(accepted)
        if is_told and readable is not None and readable.lines[0].verb.text == c.Declare.verb:
            return readable  # the rules say why it is not declared now
        says = TOLD if is_told else says
        if accepted:
            most = MOST_SHOWN + (habit.says in (*GUESSES, ONE_LINE))
            shown = [_with_what_came_up(line, scope) if says else line for line in accepted[:most]]
            last = (TOTAL,) if habit.says == CAME else ()  # what is in all comes after what is on the die
            return Meant(
                says, sorted(shown, key=lambda one: one.results is not None and one.results[:1] == last)
            )
        is_rolled = lexed.results is not None and habit.says in SURE_WITH_RESULTS
        is_whole = bool(lines) and (
            is_each
            or (lexed.results is not None and not DICE.search(OWN_DICE.sub("", typed)))
            or _has_numbers(lines[0], typed, lexed)
        )
        if is_whole and readable is None and (not says or len(habit.lines) == 1 or is_rolled):
            readable = Meant("", lines[:1])
    return readable


def _is_act(habit: Habit, fit: Fit, lexed: Lexed, table: Table) -> bool:
    """True for a line about an act of which the rules say what is against it."""
    return (
        "pool" in fit.slots
        or habit.says == AN_ATTACK
        or (habit in (DONE, NATURAL, ROUND, SOAKED) and table.in_play() is not None)
        or (habit in (STRIKES, ACTS) and lexed.results is not None)
    )


def _has_own_results(meant: Lexed, lexed: Lexed, habit: Habit) -> bool:
    """True for a line whose results say which line is meant, and for one whose habit made them."""
    is_said = habit.says in (*SURE_ALONE, DRAWN, REACHED)
    return is_said or meant.results != lexed.results


def _rules_take(lexed: Lexed, scope: Scope, *, with_results: bool) -> bool:
    """True for a line that the rules accept, perhaps with a number to reach behind it."""
    return is_accepted(lexed, scope, with_results=with_results) or lacks_goal(
        lexed, scope, with_results=with_results
    )


def _with_what_came(lines: list[Lexed], lexed: Lexed, scope: Scope) -> list[Lexed]:
    """Returns the lines that the rules take with the results of `lexed`; all of them if it has none."""
    if lexed.results is None:
        return lines
    return [line for line in lines if _rules_take(line, scope, with_results=True)]


def _refused_by_rules(lexed: Lexed, scope: Scope) -> Meant:
    """Returns a line that the rules refuse, with a flag or a value that makes them take it, else as it is.

    It is shown with the value that they miss, and taken otherwise: they then say what is against it.
    """
    better = as_rules_take(lexed, scope)
    if better is not None:
        return Meant("", [better])
    missing, line = missing_value(lexed, scope), _with_value(lexed, scope)
    if missing is None or line is None:
        return Meant("", [lexed])
    return Meant(missing.sentence.removesuffix("."), [line])


def _with_value(lexed: Lexed, scope: Scope) -> Lexed | None:
    """Returns a line with the value that the rules miss in it, if they then take it; None for others."""
    missing = missing_value(lexed, scope)
    line = None if missing is None else completed(lexed, scope, missing)
    return line if line is not None and is_accepted(line, scope) else None


def only_tells(lines: Sequence[Lexed]) -> bool:
    """True for lines that are all narration."""
    return all(line.verb.text == c.Narrate.verb for line in lines)


def _has_numbers(meant: Lexed, typed: str, lexed: Lexed) -> bool:
    """True if a roll has every number that was typed, but those of its own dice; other lines may count."""
    numbers = {*NUMBER.findall(OWN_DICE.sub("", typed)), *NUMBER.findall(" ".join(lexed.results or ()))}
    return meant.verb.text != c.Roll.verb or numbers <= {*NUMBER.findall(line_as_typed(meant))}


def _has_text(meant: Lexed, lexed: Lexed) -> bool:
    """True if nothing of the typed text is missing in the text of `meant`, or `meant` has none yet."""
    if lexed.text is None or meant.text is None:
        return True
    return re.search(rf"(?<!\w){re.escape(lexed.text)}(?!\w)", meant.text) is not None


def by_sign(lexed: Lexed, scope: Scope) -> Meant | None:
    """Returns what a line that begins with a sign may mean; None for other lines."""
    typed = whole_line(lexed)
    for habit in SIGNED:
        match = re.fullmatch(habit.form, typed)
        if match is None:
            continue
        facts = Facts(scope.table, match.groupdict(), typed)
        lines = _told_once(line for line in filled_lines(habit, facts) if is_accepted(line, scope))
        if lines:
            return Meant(habit.says, lines[:MOST_SHOWN])
    return None


def fit_of(
    habit: Habit, words: Lexed, passes: Mapping[str, Callable[[str], bool]], everybody: Everybody
) -> Fit | None:
    """Returns how a line fits the form of a habit; None if it does not."""
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
def words_required(form: str) -> tuple[frozenset[str], ...]:
    """Returns sets of words, of each of which a line in this form has at least one; cached."""
    return tuple(required_words(Form.parse(form).part))


def _as_in_form(token: Token, form: Form) -> Token:
    """Returns a word of the form in small letters and without a comma; other tokens unchanged."""
    known = next((one for one in _small_letters(token) if one in form.words), None)
    return in_place_of(token, known) if token.bare and known is not None else token


def _small_letters(token: Token) -> tuple[str, str]:
    """Returns a token's small letters without apostrophes and a last comma; and those without accents."""
    word = token.text.lower().rstrip(",").replace("'", "").strip("()")
    return word, normalise(word)


def facts_of(fit: Fit, lexed: Lexed, table: Table, typed: str) -> RollFacts:
    """Returns the facts of a line that fits the form of a habit."""
    slots = {name: _typed(name, groups) for name, groups in fit.slots.items()}
    titles = fit.slots.get("title", ())
    slots["data"] = " ".join(token_as_typed(token) for group in titles for token in group if token.assign)
    if lexed.text is not None:
        slots["text"] = lexed.text
    return RollFacts(table, slots, typed, lexed.results or ())


def _told_once(lines: Iterator[Lexed]) -> list[Lexed]:
    """Returns lines of which one at most tells the same words."""
    told: dict[str, Lexed] = {}
    for line in lines:
        is_telling = line.verb.text == c.Narrate.verb and line.text is not None
        told.setdefault(line.text or "" if is_telling else line_as_typed(line), line)
    return [*told.values()]


def filled_lines(habit: Habit, facts: Facts) -> Iterator[Lexed]:
    """Yields the lines of a habit for which there are all facts."""
    for line in habit.lines:
        values = {name: facts.value(name) for name in SLOT.findall(line)}
        if "line" in values and line.startswith("{hp}") and " " in (told := THROWN.sub("", facts.line)):
            values["line"] = told
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
        meant = lexed_or_none(one_line)
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
    bound = bound_or_none(lexed, scope)
    came_up = () if bound is None else results_in_text(lexed, bound)
    return replace(lexed, results=came_up, text=None) if came_up else lexed
