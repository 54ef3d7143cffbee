"""Verb `expect` of test scripts: compares a fact of the table state with expected values; records nothing."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import Final

from retold.journal.games import BUILT_IN
from retold.journal.language.lexing import Lexed
from retold.journal.language.naming import all_questions, find_conflict, find_conflict_by_name, find_person
from retold.journal.names import CLOSE, SHOWN_AT_MOST, Unknown, find, nearest, normalise
from retold.journal.refused import Refused, none_if_refused
from retold.journal.system import NARRATION, Fact, System
from retold.journal.systems import SYSTEMS
from retold.journal.table import EndedConflict, OpenConflict, Table
from retold.journal.vocabulary.base import GM
from retold.journal.winners import winners_so_far

_WORDS_FOR_OVER: Final = dict.fromkeys(("ended", "none", "closed"), "over")
"""Synonyms accepted for a conflict that is over."""


WINNER_SUBJECT: Final = "winner"

_WORDS_FOR_NOTHING: Final = frozenset({"nobody", "none", "nothing"})
"""Words accepted for a subject without a value."""

SOMEBODY: Final = "somebody"
"""Expected value of a fact that asks whether there is a person."""


def check_expectation(lexed: Lexed, table: Table) -> str:
    """Compares the table state with a line such as `expect conflict over`; returns a confirming sentence.

    Raises Refused, with expected and actual values, if they differ. `expect not …` expects a difference.
    """
    words: Sequence[str] = [*(token.text for token in lexed.tokens), *(lexed.results or ())]
    negated = bool(words) and words[0] == "not"
    words = words[1:] if negated else words
    if not words:
        raise Refused(f"Say what is expected: expect {', '.join(_subjects(table))} …")
    words = _with_subject(table, words)
    subject = words[0].casefold()
    asked_about = _conflict_asked_about(lexed, table, subject)
    found, wanted = _compare(table, subject, words[1:], asked_about)
    holds = (
        [*map(_comparable, _words(found))] == [*map(_comparable, _words(wanted))]
        or _same_values(table, found, wanted)
        or (not found and len(wanted) == 1 and normalise(wanted[0]) in _WORDS_FOR_NOTHING)
    )
    empty, joiner = ("nobody", " + ") if subject == WINNER_SUBJECT else ("nothing", " ")
    if subject == WINNER_SUBJECT and wanted and not {*wanted}.isdisjoint(found):
        holds = negated or {*wanted} <= {*found}  # of several who won together, each has won
    _check_number(subject, found, wanted)
    shown = joiner.join(found) or empty
    expected = joiner.join(wanted) or empty
    if holds is negated:
        no = "not " if negated else ""
        elsewhere = "" if found or asked_about or subject != WINNER_SUBJECT else _winner_elsewhere(table)
        raise Refused(f"Expected {subject} {no}{expected}, found {shown}.{elsewhere}")
    return f"It holds: {subject} is {shown}."


def _check_number(subject: str, found: Sequence[str], wanted: Sequence[str]) -> None:
    """Raises Refused for a word where a number was found: `expect not points Ann TYPO` would always hold."""
    word = next(filter(_is_word, wanted), None)
    if not found or any(map(_is_word, found)) or word is None or normalise(word) in _WORDS_FOR_NOTHING:
        return
    raise Refused(f"“{word}” is no number, and {subject} is one: it is {' '.join(found)}.")


def _conflict_asked_about(lexed: Lexed, table: Table, subject: str) -> OpenConflict | EndedConflict | None:
    """Returns the conflict that `--in` names; None without the flag.

    It has ended only if the subject is `winner`. Raises Refused for other flags.
    """
    strange = lexed.flags.keys() - {"in", "check"}
    if strange:
        raise Refused(f"expect takes no --{min(strange)}: it checks, and records nothing.")
    named = lexed.flags.get("in")
    if named is None:
        return None
    if subject == WINNER_SUBJECT:
        known: dict[int, OpenConflict | EndedConflict] = {**table.ended, **table.conflicts}
        return find_conflict_by_name(named.text, known)
    return table.conflicts[find_conflict(table, named.text)]


def _winner_elsewhere(table: Table) -> str:
    """Returns a sentence that shows how to ask for the last winner of this session; empty without one."""
    last = next((ended for ended in reversed(table.ended.values()) if ended.winners), None)
    if last is None or not table.conflicts:
        return ""
    return (
        f" A conflict is still open; of the last one that was won: expect {WINNER_SUBJECT} … --in {last.id}."
    )


def _words(values: Sequence[str]) -> list[str]:
    return [word for value in values for word in value.split()]


def _same_values(table: Table, found: Sequence[str], wanted: Sequence[str]) -> bool:
    """True if the lists have equal length and each found value equals its expected one.

    An expected value may also be a shortened name of the person found.
    """
    return len(found) == len(wanted) and all(
        _comparable(value) == _comparable(want) or value == _full_name(table, want)
        for value, want in zip(found, wanted, strict=True)
    )


def _comparable(value: str) -> str | int:
    """Returns a value in the form used to compare: an int for numbers, else normalised text.

    Normalisation alone would drop a minus sign.
    """
    try:
        return int(value)
    except ValueError:
        return normalise(value)


def _compare(
    table: Table, subject: str, values: Sequence[str], asked_about: OpenConflict | EndedConflict | None
) -> tuple[Sequence[str], Sequence[str]]:
    if subject == WINNER_SUBJECT:
        wanted = _expected_people(table, values)
        return _names_of_winners(table, asked_about), wanted
    conflict = asked_about if isinstance(asked_about, OpenConflict) else None
    if subject in _OF_THE_TABLE:
        return _OF_THE_TABLE[subject](table, conflict, values)
    fact, conflict = _find_fact(table, subject, conflict)
    if not fact.of_person and fact.keys is not None:
        keys = tuple(fact.keys(table, conflict, None))
        return _compare_personal(fact, keys, fact.read(table, conflict, None), values)
    if not fact.of_person:
        named = (
            _expected_people
            if fact.of_people
            else lambda table, values: [_full_name(table, value) for value in values]
        )
        return fact.read(table, conflict, None), named(table, values)
    if fact.lone and all(not _is_word(value) for value in values):
        return fact.read(table, conflict, None), values
    if not values:
        raise Refused(f"Say whose: expect {subject} NAME VALUE.")
    who, wanted = find_person(table, values[0]), values[1:]
    keys = () if fact.keys is None else tuple(fact.keys(table, conflict, who))
    if fact.of_people:
        wanted = _expected_people(table, wanted)
    return _compare_personal(fact, keys, fact.read(table, conflict, who), wanted)


def _compare_pending(
    table: Table, conflict: OpenConflict | None, values: Sequence[str]
) -> tuple[Sequence[str], Sequence[str]]:
    asked = all_questions(table)
    here = [question for question in asked if conflict is None or question.conflict == conflict.id]
    for value in values:
        _check_question(table, value, {question.name for question in asked})
    return [question.name for question in here], values


def _check_question(table: Table, typed: str, asked: Collection[str]) -> None:
    """Raises Unknown for a word that is not a question's name in the games played here: it never held."""
    games = _systems_asked(table)
    known = {NARRATION, *asked, *chain.from_iterable(game.questions for game in games)}
    any_word = any(game.name not in BUILT_IN and not game.questions for game in games)
    if any_word or normalise(typed) in {*map(normalise, known), *_WORDS_FOR_NOTHING}:
        return
    close = nearest(typed, known, at_least=CLOSE)
    raise Unknown(typed, close, "" if close else f"There are: {', '.join(sorted(known))}.")


def _compare_session(
    table: Table, _conflict: OpenConflict | None, values: Sequence[str]
) -> tuple[Sequence[str], Sequence[str]]:
    word = next(filter(_is_word, values), None)
    if word is not None and normalise(word) not in _WORDS_FOR_NOTHING:
        raise Refused(f"“{word}” is no number of a session: expect session 2; or expect session none.")
    return [str(table.session)] if table.session else [], values


def _compare_conflict(
    table: Table, _conflict: OpenConflict | None, values: Sequence[str]
) -> tuple[Sequence[str], Sequence[str]]:
    words = [_WORDS_FOR_OVER.get(normalise(word), normalise(word)) for word in values]
    for typed, word in zip(values, words, strict=True):
        if word not in ("open", "over"):
            raise Unknown(typed, (), "A conflict is open or over: expect conflict over.")
    return ["open" if table.conflicts else "over"], words


_OF_THE_TABLE: Final = {
    "pending": _compare_pending,
    "session": _compare_session,
    "conflict": _compare_conflict,
}
"""Functions for subjects that are no game's; each returns found and expected values."""


def _names_of_winners(table: Table, asked_about: OpenConflict | EndedConflict | None) -> Sequence[str]:
    """Returns the winners of the conflict asked about, else of the one in play, else of the last that ended.

    Raises Unknown if there is no such conflict, and if there is no winner in a game whose rules name no
    winner.
    """
    conflict = asked_about or table.in_play() or next(reversed(table.ended.values()), None)
    if conflict is None:
        raise Unknown(WINNER_SUBJECT, (), "No conflict is open, and none has ended this session.")
    won = conflict.winners if isinstance(conflict, EndedConflict) else winners_so_far(conflict)
    system = SYSTEMS[conflict.system]
    if not won and WINNER_SUBJECT not in system.facts:
        title = system.called(table)
        raise Unknown(
            WINNER_SUBJECT, (), f"The rules of {title} name none; the table does: end conflict victory NAME."
        )
    return [*map(table.name, won)]


def _expected_people(table: Table, values: Sequence[str]) -> Sequence[str]:
    """Returns the full names of the people expected, each once; raises Unknown for an unknown name.

    A name of several words may stand without quotes, and several names may be joined with `+`. A word for
    nothing is returned unchanged.
    """
    if len(values) == 1 and normalise(values[0]) in _WORDS_FOR_NOTHING:
        return values
    whole = table.called(" ".join(values))
    if whole is not None:
        return [table.name(whole)]
    names = [name for value in values for name in value.split("+") if name]
    try:
        return list(dict.fromkeys(table.name(find_person(table, name)) for name in names))
    except Refused:
        with suppress(Refused):
            return [table.name(find_person(table, " ".join(values)))]
        raise


def _compare_personal(
    fact: Fact, keys: Sequence[str], found: Sequence[str], wanted: Sequence[str]
) -> tuple[Sequence[str], Sequence[str]]:
    if fact.whether and not wanted:
        return found, found or [SOMEBODY]
    if fact.keys is None:
        return found, wanted
    if len(wanted) == 1 and not found and normalise(wanted[0]) in _WORDS_FOR_NOTHING:
        return found, wanted
    wanted = [_find_key(value, keys) if _is_key(value) else value for value in wanted]
    return _select_group(found, wanted, otherwise_key=fact.has_amounts), wanted


def _find_key(typed: str, keys: Sequence[str]) -> str:
    """Returns the full key among `keys` for a full or shortened `typed` one.

    Raises Unknown for any other word: the comparison would find an unknown key equal to itself.
    """
    try:
        return find(typed, {key: (key,) for key in keys})
    except Unknown as unknown:
        if "=" in typed:
            raise Refused(f"Say it without =: {typed.replace('=', ' ')}.") from None
        if (number := re.match(r"\d+", typed)) is not None:
            raise Refused(f"“{typed}” is no number. Did you mean {number.group()}?") from None
        there_are = f"There are: {', '.join(keys[:SHOWN_AT_MOST])}." if keys and not unknown.nearest else ""
        raise Unknown(typed, unknown.nearest, there_are) from None


def _select_group(found: Sequence[str], wanted: Sequence[str], *, otherwise_key: bool) -> Sequence[str]:
    """Returns the part of `found` from the one expected key up to the next key.

    `found` alternates keys and values: from `hp 9 luck 3` the expected key `luck` selects `luck 3`.
    If `found` lacks it, returns the expected key alone (no box of it is marked), or with `otherwise_key`
    False nothing. Returns all of `found` unless exactly one key is expected.
    """
    keys = [value for value in wanted if _is_key(value)]
    if len(keys) != 1:
        return found
    places = [place for place, value in enumerate(found) if _is_key(value)]
    ends = [*places[1:], len(found)][: len(places)]
    groups = [found[start:end] for start, end in zip(places, ends, strict=True)]
    otherwise = keys if otherwise_key else []
    return next((group for group in groups if _comparable(group[0]) == _comparable(keys[0])), otherwise)


def _is_word(value: str) -> bool:
    return isinstance(_comparable(value), str)


def _is_key(value: str) -> bool:
    """True for a word; a number, and how much of a clock is full (`2/6`), are none."""
    return _is_word(value) and re.fullmatch(r"\d+/\d+", value) is None


def _full_name(table: Table, value: str) -> str:
    """Returns a person's full name for a full or shortened one; numbers and unknown names unchanged."""
    if not _is_word(value):
        return value
    try:
        return table.name(find(value, table.names()))
    except Refused:
        return value


def _find_fact(
    table: Table, subject: str, asked_about: OpenConflict | None
) -> tuple[Fact, OpenConflict | None]:
    """Returns the fact called `subject`, such as `turn`, and the open conflict to read it in.

    The conflict is None for a fact outside conflicts. Looks in the conflict named by `--in`; without it, in
    the conflict last addressed, other open ones, then games played here; before any is played, every game.
    Raises Unknown for no such fact.
    """
    if asked_about is not None:
        system = SYSTEMS[asked_about.system]
        if subject not in system.facts:
            raise Unknown(
                subject, nearest(subject, system.facts, at_least=CLOSE), f"{system.called(table)} has none."
            )
        return system.facts[subject], asked_about
    here = table.in_play()
    for conflict in () if here is None else (here, *reversed(table.conflicts.values())):
        if subject in SYSTEMS[conflict.system].facts:
            return SYSTEMS[conflict.system].facts[subject], conflict
    played = dict.fromkeys((*table.shelves, *(ended.system for ended in table.ended.values())))
    for name in played or SYSTEMS:
        if subject in SYSTEMS[name].facts:
            return SYSTEMS[name].facts[subject], None
    homes = [system.title for system in SYSTEMS.values() if subject in system.facts]
    if homes:
        raise Unknown(subject, (), f"It belongs to {' and '.join(homes)}.")
    close = nearest(subject, _subjects(table), at_least=CLOSE)
    raise Unknown(subject, close, "" if close else f"There are: {', '.join(_subjects(table))}.")


def _systems_asked(table: Table) -> list[System]:
    """Returns the games played here, that of the conflict in play first; every game before any is played."""
    here = table.in_play()
    ended = (conflict.system for conflict in table.ended.values())
    played = dict.fromkeys((*(() if here is None else (here.system,)), *table.shelves, *ended))
    return [SYSTEMS[name] for name in played or SYSTEMS if name in SYSTEMS]


def _subjects(table: Table) -> list[str]:
    facts = (name for system in _systems_asked(table) for name in system.facts)
    return sorted({*_OF_THE_TABLE, "refused", WINNER_SUBJECT, *facts})


# --- the subject ------------------------------------------------------------------------------------------


def _with_subject(table: Table, words: Sequence[str]) -> Sequence[str]:
    """Returns the words of an expectation with its subject first: `track Ann hp 9` for `hp Ann 9`.

    The first word may be a verb, the subject's value, or the person. Raises Refused with a line for each
    subject if several have it.
    """
    known = _subjects(table)
    first, *rest = words
    if first.casefold() in known:
        return words
    if (meant := _OF_VERBS.get(first.casefold())) in known:
        return [meant, *rest]
    if not rest:
        return words
    if rest[0].casefold() in known and none_if_refused(lambda: find_person(table, first)) is not None:
        return [rest[0], first, *rest[1:]]
    is_first = none_if_refused(lambda: find_person(table, first)) is not None
    for what, whose in ((rest[0], first),) if is_first else ((first, rest[0]), (rest[0], first)):
        subjects = list(dict.fromkeys(_subjects_with(table, what, whose)))
        if subjects[1:]:
            value = " ".join(rest[1:]) or "…"
            lines = "; or ".join(f"expect {subject} {whose} {what} {value}" for subject in subjects)
            raise Refused(f"Say which: {lines}")
        if subjects:
            find_person(table, whose)
            return [subjects[0], whose, what, *rest[1:]]
    return words


_OF_VERBS: Final = {"clock": "clocks", "status": "condition"}
"""Subjects by the verb that changes them, where the two differ."""


def _subjects_with(table: Table, what: str, whose: str) -> Iterator[str]:
    """Yields the subjects that ask for `what` of a person by its word: `track` for `hp`.

    Of an unknown person these are the subjects that any person may have.
    """
    who = none_if_refused(lambda: find_person(table, whose)) or GM
    here = table.in_play()
    for system in _systems_asked(table):
        conflict = here if here is not None and here.system == system.name else None
        for subject, fact in system.facts.items():
            keys = () if fact.keys is None or not fact.of_person else fact.keys(table, conflict, who)
            if normalise(what) in map(normalise, keys):
                yield subject
