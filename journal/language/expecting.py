"""The `expect` verb: compares a table's state with an expected value, records nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from journal.language.lexing import Lexed
from journal.language.naming import all_questions, find_conflict, find_person
from journal.names import CLOSE, SHOWN_AT_MOST, Unknown, find, nearest, normalise
from journal.refused import Refused
from journal.system import Fact
from journal.systems import SYSTEMS
from journal.table import OpenConflict, Table

_WORDS_FOR_OVER: Final = dict.fromkeys(("ended", "none", "closed"), "over")
"""Synonyms accepted for a conflict that is over."""

SOMEBODY: Final = "somebody"
"""Expected value of a fact that asks whether there is anybody."""


def check_expectation(lexed: Lexed, table: Table) -> str:
    """Returns a sentence if the expectation holds; raises Refused with expected and actual value if not."""
    words = [token.text for token in lexed.tokens]
    negated = bool(words) and words[0] == "not"
    words = words[1:] if negated else words
    if not words:
        raise Refused(f"Say what is expected: expect {', '.join(sorted(_subjects()))} …")
    subject = words[0].casefold()
    found, wanted = _compare(table, subject, words[1:], _conflict_asked_about(lexed, table))
    holds = _same_words(found, wanted) or _same_values(table, found, wanted)
    shown = " ".join(found) or "nothing"
    expected = " ".join(wanted) or "nothing"
    if holds is negated:
        no = "not " if negated else ""
        raise Refused(f"Expected {subject} {no}{expected}, found {shown}.")
    return f"It holds: {subject} is {shown}."


def _conflict_asked_about(lexed: Lexed, table: Table) -> OpenConflict | None:
    """The open conflict named by `--in`; None without the flag. Raises Refused for other flags."""
    strange = lexed.flags.keys() - {"in", "check"}
    if strange:
        raise Refused(f"expect takes no --{min(strange)}: it checks, and records nothing.")
    named = lexed.flags.get("in")
    return None if named is None else table.conflicts[find_conflict(table, named.text)]


def _same_words(found: Sequence[str], wanted: Sequence[str]) -> bool:
    """True if both value lists contain the same words, quoted or not: `hearts and spades` is three words."""
    return [*map(_comparable, _words(found))] == [*map(_comparable, _words(wanted))]


def _words(values: Sequence[str]) -> list[str]:
    return [word for value in values for word in value.split()]


def _same_values(table: Table, found: Sequence[str], wanted: Sequence[str]) -> bool:
    """True if each value equals its expected value, or is a person whose name the expected value shortens."""
    return len(found) == len(wanted) and all(
        _comparable(value) == _comparable(want) or value == _full_name(table, want)
        for value, want in zip(found, wanted, strict=True)
    )


def _comparable(value: str) -> str | int:
    """Comparison key of a value: an int for numbers, else normalised text (which would drop a minus sign)."""
    try:
        return int(value)
    except ValueError:
        return normalise(value)


def _compare(
    table: Table, subject: str, values: Sequence[str], conflict: OpenConflict | None
) -> tuple[Sequence[str], Sequence[str]]:
    if subject == "pending":
        asked = all_questions(table)
        here = [question for question in asked if conflict is None or question.conflict == conflict.id]
        return [question.name for question in here], values
    if subject == "session":
        return [str(table.session)] if table.session else [], values
    if subject == "conflict":
        return ["open" if table.conflicts else "over"], [
            _WORDS_FOR_OVER.get(normalise(word), word) for word in values
        ]
    fact, conflict = _find_fact(table, subject, conflict)
    if not fact.of_person:
        return fact.read(table, conflict, None), [_full_name(table, value) for value in values]
    if fact.lone and all(not _is_word(value) for value in values):
        return fact.read(table, conflict, None), values
    if not values:
        raise Refused(f"Say whose: expect {subject} NAME VALUE.")
    who = find_person(table, values[0])
    keys = () if fact.keys is None else tuple(fact.keys(table, conflict, who))
    return _compare_personal(fact, keys, fact.read(table, conflict, who), values[1:])


def _compare_personal(
    fact: Fact, keys: Sequence[str], found: Sequence[str], wanted: Sequence[str]
) -> tuple[Sequence[str], Sequence[str]]:
    if fact.whether and not wanted:
        return found, found or [SOMEBODY]
    if fact.keys is None:
        return found, wanted
    wanted = [_find_key(value, keys) if _is_word(value) else value for value in wanted]
    return _select_group(found, wanted), wanted


def _find_key(typed: str, keys: Sequence[str]) -> str:
    """Returns the key that `typed` means; raises Unknown for an unknown key, which would match vacuously."""
    try:
        return find(typed, {key: (key,) for key in keys})
    except Unknown as unknown:
        if "=" in typed:
            raise Refused(f"Say it without =: {typed.replace('=', ' ')}.") from None
        there_are = f"There are: {', '.join(keys[:SHOWN_AT_MOST])}." if keys and not unknown.nearest else ""
        raise Unknown(typed, unknown.nearest, there_are) from None


def _select_group(found: Sequence[str], wanted: Sequence[str]) -> Sequence[str]:
    """Selects the group of values that begins with the expected key; if missing, returns the key alone.

    Returns the whole of `found` unless exactly one key is expected.
    """
    keys = [value for value in wanted if _is_word(value)]
    if len(keys) != 1:
        return found
    places = [place for place, value in enumerate(found) if _is_word(value)]
    ends = [*places[1:], len(found)][: len(places)]
    groups = [found[start:end] for start, end in zip(places, ends, strict=True)]
    return next((group for group in groups if _comparable(group[0]) == _comparable(keys[0])), keys)


def _is_word(value: str) -> bool:
    return isinstance(_comparable(value), str)


def _full_name(table: Table, value: str) -> str:
    """Returns a person's full name for a shortened one; numbers and unknown names are returned unchanged."""
    if not _is_word(value):
        return value
    try:
        return table.name(find(value, table.names()))
    except Refused:
        return value


def _find_fact(
    table: Table, subject: str, asked_about: OpenConflict | None
) -> tuple[Fact, OpenConflict | None]:
    """Returns the fact called `subject` and the open conflict it is read from, None outside conflicts.

    The named conflict comes first, then the last addressed, then other open ones. Raises Unknown.
    """
    if asked_about is not None:
        system = SYSTEMS[asked_about.system]
        if subject not in system.facts:
            raise Unknown(
                subject, nearest(subject, system.facts, at_least=CLOSE), f"{system.title} has none."
            )
        return system.facts[subject], asked_about
    here = table.in_play()
    for conflict in () if here is None else (here, *reversed(table.conflicts.values())):
        if subject in SYSTEMS[conflict.system].facts:
            return SYSTEMS[conflict.system].facts[subject], conflict
    for name in (*table.shelves, *SYSTEMS):
        if subject in SYSTEMS[name].facts:
            return SYSTEMS[name].facts[subject], None
    raise Unknown(subject, nearest(subject, _subjects(), at_least=CLOSE))


def _subjects() -> set[str]:
    return {
        "conflict",
        "pending",
        "session",
        "refused",
        *(name for system in SYSTEMS.values() for name in system.facts),
    }
