"""Verb `expect` of test scripts: compares a fact of the table state with expected values; records nothing."""

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
    """Compares the table state with a line such as `expect conflict over`; returns a confirming sentence.

    Raises Refused, with expected and actual values, if they differ. `expect not …` expects a difference.
    """
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
    """Returns the open conflict that `--in` names; None without the flag. Raises Refused for other flags."""
    strange = lexed.flags.keys() - {"in", "check"}
    if strange:
        raise Refused(f"expect takes no --{min(strange)}: it checks, and records nothing.")
    named = lexed.flags.get("in")
    return None if named is None else table.conflicts[find_conflict(table, named.text)]


def _same_words(found: Sequence[str], wanted: Sequence[str]) -> bool:
    """True if both lists consist of the same words in order, however these are grouped by quotes.

    `"hearts and spades"` as one value equals the three words `hearts and spades`.
    """
    return [*map(_comparable, _words(found))] == [*map(_comparable, _words(wanted))]


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
    """Returns the full key among `keys` for a full or shortened `typed` one.

    Raises Unknown for any other word: the comparison would find an unknown key equal to itself.
    """
    try:
        return find(typed, {key: (key,) for key in keys})
    except Unknown as unknown:
        if "=" in typed:
            raise Refused(f"Say it without =: {typed.replace('=', ' ')}.") from None
        there_are = f"There are: {', '.join(keys[:SHOWN_AT_MOST])}." if keys and not unknown.nearest else ""
        raise Unknown(typed, unknown.nearest, there_are) from None


def _select_group(found: Sequence[str], wanted: Sequence[str]) -> Sequence[str]:
    """Returns the part of `found` from the one expected key up to the next key.

    `found` alternates keys and values: from `hp 9 luck 3` the expected key `luck` selects `luck 3`. Returns
    the expected key alone if `found` lacks it, and all of `found` unless exactly one key is expected.
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
    the conflict last addressed, other open ones, games with state at this table, then every game. Raises
    Unknown for no such fact.
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
