"""Resolves typed names to people, threads, places, zones, games, conflicts and answers to questions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final, Protocol, TypeVar

from retold.journal.capabilities import Picture
from retold.journal.games import why_missing
from retold.journal.guarding import rows_at
from retold.journal.language.writing import in_quotes, quote_name
from retold.journal.line import systems_in_play
from retold.journal.names import (
    Ambiguous,
    Unknown,
    clean,
    find,
    matching,
    nearest,
    normalise,
    without_article,
)
from retold.journal.refused import Refused, none_if_refused
from retold.journal.system import Situation, System, unresolved
from retold.journal.systems import SYSTEMS
from retold.journal.table import EndedConflict, OpenConflict, Table
from retold.journal.visibility import TABLE
from retold.journal.vocabulary.base import GM, Bind, Question, Words

GM_WORDS = ("gm", "game master")
ALMOST = 88
"""Similarity (0 to 100) from which a new name is taken for a misspelled known one."""
SHORTEST_LIKE = 4
"""Shortest name, in characters, checked for misspellings other than two swapped letters."""


OFFERED_FOR_EVERYBODY: Final = ("all", "party")
EVERYBODY: Final = (*OFFERED_FOR_EVERYBODY, "everyone", "everybody", "heroes", "pcs", "players", "us")
"""Words for all people with a player, where a verb takes several people."""


def words_for_everybody(table: Table) -> frozenset[str]:
    """Returns the words that stand for the party at this table: `all`, `party`.

    A word that names a person or a thing in play, with or without an article, is left out.
    """
    here = table.in_play()
    things = (name for system in systems_in_play(table) for name in system.things(table, here))
    people = (name for names in table.names().values() for name in names)
    return frozenset(EVERYBODY).difference(map(without_article, (*people, *things)))


def party_of(table: Table) -> tuple[int, ...]:
    """Returns the ids of known characters who have a player and are not retired."""
    return tuple(person for person in table.party() if not table.people[person].retired)


class Mistyped(Refused):
    """Refusal of an unknown name that resembles a known one; `name` is the known one."""

    def __init__(self, typed: str, name: str, new: str = "a new name") -> None:
        """Builds the sentence “Did you mean NAME?”, which also shows how to quote `typed` if it is `new`."""
        super().__init__(f'Did you mean {name}? If “{typed}” is {new}, quote the name: "{typed}".')
        self.typed = typed
        self.name = name
        self.new = new


class ShortName(Refused):
    """Refusal of a new name that may be short for the known `name`."""

    def __init__(self, typed: str, name: str) -> None:
        super().__init__(
            f"“{typed}” may be meant for {name}: write the whole name if it is,"
            f' or quote it if it is a new name ("{typed}").'
        )
        self.args = (typed, name)  # pickle calls the class with `args`
        self.typed, self.name = typed, name


def find_person(table: Table, typed: str) -> int:
    """Returns the id of a person by full or shortened name; people in the open conflict take precedence.

    Raises Unknown for no such person, Ambiguous for several.
    """
    known = find_by_whole_name(table, typed)
    if known is not None:
        return known
    names = {who: names for who, names in table.names().items() if who != GM}  # in full alone
    conflict = table.in_play()
    if conflict is not None:
        try:
            return find(typed, {who: names[who] for who in conflict.people if who != GM})
        except Unknown:
            pass
    return find(typed, names)


def find_by_whole_name(table: Table, typed: str) -> int | None:
    """Returns the id of the person with this full name, present or former; None if unknown."""
    if normalise(typed) in GM_WORDS:
        return GM
    known = table.called(typed)
    return table.once_called(typed) if known is None else known


def find_thing(table: Table, typed: str, *, quoted: bool = False) -> int | str:
    """Returns a person's id or the name of a thing in play (zone, border, aspect); an unknown word as typed.

    People come before things with the same full name, and share abbreviations with them; in quotes a thing's
    name is written in full. An abbreviation of a zone never means a border of it: `Do` is Dock, not
    Dock-Aisle; a person's never means an aspect with their name in it. Raises Mistyped for an unquoted new
    word that resembles a known name.
    """
    if normalise(typed) in GM_WORDS:
        return GM
    known = table.called(typed)
    if known is not None:
        return known
    here = table.in_play()
    things: dict[str, tuple[str, ...]] = {}
    for system in systems_in_play(table):
        things |= system.things(table, here)
    exact = [name for name in things if normalise(name) == normalise(typed)]
    if exact:
        return exact[0]
    names = table.names()
    for people in (here.people if here else (), names):
        named: dict[int | str, Sequence[str]] = {who: names[who] for who in people}
        named |= {} if quoted else {name: (name,) for name in things}
        try:
            found = _shortened(typed, named, things)
        except Unknown:
            continue
        return found if isinstance(found, int) else _named_in(table, typed, found)
    if not quoted:
        check_no_slip(typed, (*names.values(), *((name,) for name in things)), "something else")
    return typed


def find_known_thing(table: Table, typed: str, *, quoted: bool) -> int | str:
    """Returns a person's id, or the name of a thing in play.

    Raises Unknown for an unquoted name of neither.
    """
    found = find_thing(table, typed, quoted=quoted)
    here = table.in_play()
    if (
        found != typed
        or quoted
        or any(typed in system.things(table, here) for system in systems_in_play(table))
    ):
        return found
    hint = f'A thing that lies about is quoted where it is first named: "{typed}".'
    raise Unknown(typed, nearest(typed, (name for given in table.names().values() for name in given)), hint)


def check_zone_name(table: Table, typed: str, *, quoted: bool = False) -> str:
    """Returns the name of a zone as typed; raises Mistyped if it is unquoted and resembles a known name."""
    if not quoted:
        here = table.in_play()
        known = [name for system in systems_in_play(table) for name in system.things(table, here)]
        if normalise(typed) not in map(normalise, known):
            check_no_slip(typed, ((name,) for name in known), "another zone")
    return typed


class NameLookup(Protocol):
    """Signature of functions that resolve a typed name of a person or thing in play."""

    def __call__(self, table: Table, typed: str, *, quoted: bool) -> int | str:
        """Returns the person's id, or the thing's name; `quoted` is true for a name typed in quotes."""


THINGS: Final[Mapping[Bind | None, NameLookup]] = {
    Bind.THING: find_thing,
    Bind.KNOWN_THING: find_known_thing,
    Bind.ZONE: check_zone_name,
}
"""Name lookups for fields that hold a thing, by `Bind`."""


def _shortened(
    typed: str, named: Mapping[int | str, Sequence[str]], things: Mapping[str, tuple[str, ...]]
) -> int | str:
    try:
        return find(typed, named)
    except Ambiguous as ambiguous:
        meant = set(ambiguous.candidates)
        people = [given[0] for who, given in named.items() if isinstance(who, int) and given[0] in meant]
        called_after = [
            name
            for name, others in things.items()
            if name in meant and (meant & {*others} or any(_holds_name(name, person) for person in people))
        ]
        if not called_after:
            raise
        return find(typed, {key: given for key, given in named.items() if key not in called_after})


def _named_in(table: Table, typed: str, thing: str) -> int | str:
    """Returns the person of that short name, if the thing's name contains theirs; otherwise the thing.

    Raises Ambiguous if a whole word of another person's name is typed.
    """
    person = none_if_refused(lambda: find_person(table, typed))
    if person is None or _holds_name(thing, table.name(person)):
        return thing if person is None else person
    if _holds_name(table.name(person), typed):
        raise Ambiguous(typed, [table.name(person), thing])
    return thing


def _holds_name(longer: str, name: str) -> bool:
    return f" {normalise(name)} " in f" {normalise(longer)} "


def find_or_name_person(table: Table, typed: str, *, quoted: bool, sides: bool) -> int | Words:
    """Returns a known person's id, or `Words` with the name of a newcomer; raises Refused in cases of doubt.

    With `sides` (sides of a conflict) a known name may be shortened, but for the game master's; on a `cast`
    line it must be written in full, a player's too. A quoted name that is unknown always means a newcomer.
    """
    known = table.called(typed)
    if known is not None or normalise(typed) in GM_WORDS:
        return GM if known is None else known
    check_not_reserved(typed)
    if quoted:
        return parse_name(typed)
    former = table.once_called(typed)
    if former is not None and sides:
        return former
    if former is not None:
        name = table.name(former)
        raise Refused(
            f"“{typed}” is called {name} now: write {quote_name(name)} if they are meant,"
            f' or quote it if it is a new name ("{typed}").'
        )
    try:
        meant = find(typed, table.names())
    except Ambiguous as several:
        hint = f'Write one of those names whole, or quote it if it is a new name: "{typed}".'
        raise Ambiguous(typed, several.candidates, hint) from None
    except Unknown:
        check_no_slip(typed, table.names().values())
        return parse_name(typed)
    if sides and meant != GM:
        return meant
    raise ShortName(typed, table.name(meant))


def check_not_reserved(typed: str) -> None:
    """Raises Refused for a new name that means the whole table, as in `--to table`."""
    if normalise(typed) == TABLE:
        raise Refused(
            f"“{typed}” means the whole table, as in --to table, so it cannot be a name."
            " Choose a longer name, such as Long-table."
        )


def quote_new_name(table: Table, typed: str) -> str:
    """Returns a newcomer's name as written on a `cast` line: in quotes if it resembles a known name."""
    with suppress(Refused):
        if find_or_name_person(table, typed, quoted=False, sides=False) == Words(typed):
            return quote_name(typed)
    return in_quotes(typed)


def parse_name(typed: str) -> Words:
    """Returns a typed name as `Words`, cleaned; raises Refused for a name without letter or digit."""
    if not normalise(typed):
        raise Refused(f"“{typed}” is no name: it needs a letter or a digit.")
    return Words(clean(typed))


def parse_title(typed: str) -> Words:
    """Returns a typed title as `Words`, cleaned; raises Refused for a title of blanks alone."""
    if not typed.strip():
        raise Refused("A title needs at least one word.")
    return Words(clean(typed))


def find_or_name_matter(table: Table, sort: str, typed: str, *, quoted: bool) -> int | Words:
    """Returns the id of a known thread, place or thing, or `Words` with the name of a new one.

    The id is the position of the event that opened it. A full name matches threads, places and things alike;
    an abbreviation only those of `sort` ("thread", "place" or "thing"). Raises Mistyped for an unquoted name
    that resembles a known one.
    """
    known = table.matter_called(typed)
    if known is not None:
        return known.opened
    if quoted:
        return parse_name(typed)
    names = {matter.opened: matter.names for matter in table.every_matter() if matter.sort == sort}
    try:
        return find(typed, names)
    except Unknown:
        check_no_slip(typed, names.values(), f"another {sort}")
        return parse_name(typed)


def find_clock(table: Table, typed: str) -> str | None:
    """Returns the full name of a clock at this table, as `typed` or in short; None if unknown.

    Leading articles are ignored. Raises Ambiguous for several.
    """
    clocks = {
        row.what: (row.what,) for row in rows_at(table) if row.who is None and row.picture is Picture.CLOCK
    }
    try:
        return find(typed, clocks)
    except Unknown:
        wanted = without_article(typed)
        return next((name for name in clocks if wanted and without_article(name) == wanted), None)


def find_or_name_clock(table: Table, typed: str, value: str, *, quoted: bool) -> Words:
    """Returns the name of a clock: a known one's in full, else the name typed.

    Raises Mistyped for an unquoted name that may be short for a known clock or new, as the `value` is no
    change of a clock; Ambiguous for several clocks.
    """
    known = None if quoted else find_clock(table, typed)
    if known is None or normalise(known) == normalise(typed):
        return parse_title(typed)
    if not re.fullmatch(CHANGE_OF_CLOCK, value.casefold()):
        raise Mistyped(typed, known, "another clock")
    return Words(known)


CHANGE_OF_CLOCK: Final = r"[+-]\d+|done|off|gone"
"""Pattern of what is done to a clock that exists."""


def check_no_slip(typed: str, known: Iterable[Sequence[str]], new: str = "a new name") -> None:
    """Raises Mistyped if a name resembles one of the `known` names; does nothing otherwise.

    `new` says in the error what the name means if it is no typing error, such as "a new name".
    """
    folded = normalise(typed)
    for names in known:
        for name in names:
            if _is_slip(folded, normalise(name)):
                raise Mistyped(typed, name, new)


def _is_slip(typed: str, known: str) -> bool:
    """True if `typed` probably misspells `known`; names that differ only in a number are distinct."""
    from rapidfuzz import fuzz
    from rapidfuzz.distance import OSA, Levenshtein

    if typed == known or typed.rstrip("0123456789") == known.rstrip("0123456789"):
        return False
    if len(known) < SHORTEST_LIKE <= len(typed) and typed[:-1] == known:
        return True
    slips = OSA.distance(typed, known)
    if slips == 1 and len(typed) < SHORTEST_LIKE:
        return Levenshtein.distance(typed, known) > 1
    if (
        typed[:1] == known[:1]
        and len(known) >= SHORTEST_LIKE
        and (slips == 1 or sorted(typed) == sorted(known))
    ):
        return True
    return len(typed) >= SHORTEST_LIKE and fuzz.ratio(typed, known) >= ALMOST


def find_system(table: Table, typed: str) -> System | None:
    """Returns the game of this name or title, ignoring dots and blanks; None if unknown.

    A game in a file has its name and title at this table too: `d20`.
    Raises Refused for a guest game that cannot be loaded, or that this table plays and is not installed.
    """
    meant = _without_blanks(typed)
    if meant in SYSTEMS:
        return SYSTEMS[meant]
    trouble = SYSTEMS.trouble(meant)
    if trouble is None and meant in table.games():
        trouble = why_missing(meant)
    if trouble is not None:
        raise Refused(trouble)
    return next((system for system in SYSTEMS.values() if meant in _names_of_game(system, table)), None)


def _names_of_game(system: System, table: Table) -> Iterator[str]:
    for name in (system.title, system.name_at(table), system.called(table)):
        yield _without_blanks(name)


def _without_blanks(name: str) -> str:
    return normalise(name).replace(" ", "").replace("·", "")


def conflict_addressed(table: Table, conflict: int | None) -> OpenConflict | None:
    """Returns the open conflict with this id, or the one last addressed if `conflict` is None.

    None if that conflict is not open.
    """
    return table.in_play() if conflict is None else table.conflicts.get(conflict)


def find_conflict(table: Table, typed: str) -> int:
    """Returns the id of the open conflict with this number or title; raises Unknown if there is none."""
    return find_conflict_by_name(typed, table.conflicts).id


C = TypeVar("C", OpenConflict, OpenConflict | EndedConflict)


def find_conflict_by_name(typed: str, conflicts: Mapping[int, C]) -> C:
    """Returns the one of these conflicts, by id, that has the number or the title typed.

    Raises Unknown for no such conflict, Ambiguous for several, with their numbers.
    """
    if typed.isdecimal() and int(typed) in conflicts:
        return conflicts[int(typed)]
    named = {
        conflict.id: (conflict.title.text,)
        for conflict in conflicts.values()
        if conflict.title is not None and conflict.title.text is not None
    }
    try:
        return conflicts[find(typed, named)]
    except Ambiguous:
        found = matching(typed, named)
        shown = [f"{named[number][0]} ({number})" for number in found]
        raise Ambiguous(typed, shown, f"Say its number: --in {found[0]}.") from None


def answerable_questions(table: Table) -> tuple[Question, ...]:
    """Returns the pending questions of the rules that a `ruling` can answer at this table."""
    from retold.journal.decks.chance import FirstDealer, Luck

    return Situation(table, Luck(FirstDealer()), SYSTEMS).questions()


def all_questions(table: Table) -> tuple[Question, ...]:
    """Returns every pending question of the rules, even those outside conflicts that no `ruling` answers."""
    return (*answerable_questions(table), *unresolved(table, SYSTEMS))


def find_answer(table: Table, pending: Sequence[Question], typed: str) -> int | str:
    """Returns the allowed answer that `typed` means: a person's id, or a word; names may be shortened.

    If one of the `pending` questions accepts free text, any other text is returned unchanged. Raises Unknown
    for a text that is neither an answer nor a person's name.
    """
    allowed = [answer for question in pending for answer in question.answers]
    if not allowed:
        return typed
    free = any(not question.answers for question in pending)
    names = table.names()
    known: dict[int | str, tuple[str, ...]] = {
        answer: names[answer] if isinstance(answer, int) else (answer,) for answer in allowed
    }
    try:
        return find(typed, known)
    except Unknown:
        if free:
            return typed
        somebody = table.called(typed)
        if somebody is None:
            raise
        return somebody  # no valid answer: the rules refuse it and list the valid ones
