"""Answers to questions such as `hp Warden`: a person's amount of a track, or how full a clock is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from retold.journal.capabilities import Picture
from retold.journal.language.naming import find_person, party_of, words_for_everybody
from retold.journal.language.shorthand import shorthands
from retold.journal.language.suggestions import people_begun_like
from retold.journal.language.tokens import JOINERS, Token
from retold.journal.names import Unknown, find, normalise, without_article
from retold.journal.possessives import possessive
from retold.journal.refused import Refused
from retold.journal.system import COINS, COUNTED
from retold.journal.table import Table
from retold.journal.vocabulary.base import GM
from retold.projections.views.naming import Who
from retold.projections.views.tracks import Tracks, TrackSeen, every_row


class Asked(NamedTuple):
    """A question for values: whose (empty for all people's), and of which name (None for all they have)."""

    whose: tuple[int, ...]
    what: str | None


def asked(table: Table, words: Sequence[Token]) -> Asked | None:
    """Returns what one or two words ask for at this table, in either order: `hp Warden`, `Warden hp`, `hp`.

    People may be joined with `+`, and `all` is the party. None if the words ask for nothing kept here.
    """
    whose = [_people(table, word) for word in words]
    named = [word.text for word, people in zip(words, whose, strict=True) if not people]
    who = tuple(dict.fromkeys(person for people in whose for person in people))
    if len(words) > 2 or len(named) > 1 or sum(map(bool, whose)) > 1:  # noqa: PLR2004 -- whose, and of what
        return None
    if not named:
        return Asked(who, None) if who else None
    what = kept_name(table, named[0]) or (_begun(table, named[0]) if who else None)
    return None if what is None else Asked(who, what)


def unknown_person(table: Table, words: Sequence[Token]) -> Unknown | None:
    """Returns the refusal of a question about an unknown person, such as `hp Zed`; None for other words."""
    kept = [kept_name(table, word.text) is not None for word in words]
    unknown = [word for word, is_kept in zip(words, kept, strict=True) if not is_kept]
    if not any(kept) or len(unknown) != 1 or unknown[0].text.isdecimal():
        return None
    try:
        find_person(table, unknown[0].text)
    except Unknown as nobody:
        return nobody
    except Refused:
        return None
    return None


def _people(table: Table, word: Token) -> tuple[int, ...]:
    """Returns the people that a word names, also several joined; empty if part of it is unknown."""
    found: list[int] = []
    everybody = words_for_everybody(table)
    for part in word.split(JOINERS):
        if part.bare and part.text in everybody:
            found += party_of(table)
            continue
        if part.bare and kept_name(table, part.text) is not None and table.called(part.text) is None:
            return ()
        try:
            found.append(find_person(table, part.text))
        except Refused:
            known = [*filter(None, map(table.called, people_begun_like(part.text, table)))]
            if not known:
                return ()
            found += known
    return () if GM in found else tuple(dict.fromkeys(found))


def kept_name(table: Table, typed: str) -> str | None:
    """Returns the name of the track, counter or clock that is typed, perhaps in short for a clock."""
    known = dict.fromkeys(one.what for one in every_row(table).tracks)
    here = shorthands(table, table.in_play())
    of_games = (word for word, command in here.items() if command.asks)
    exact = next(
        (name for name in (*known, *of_games, *COUNTED) if normalise(name) == normalise(typed)), None
    )
    if exact is not None:
        return exact
    clocks = {one.what: (one.what,) for one in every_row(table).tracks if one.picture is Picture.CLOCK}
    try:
        return find(typed, clocks)
    except Unknown:
        return next((name for name in clocks if without_article(name) == without_article(typed)), None)
    except Refused:
        return None


SHORTEST_BEGUN = 3
"""Fewest letters of a name that stand for the whole."""


def _begun(table: Table, typed: str) -> str | None:
    """Returns the only track that begins with these letters; None if none or several do."""
    known = {one.what for one in every_row(table).tracks}
    found = [name for name in known if normalise(name).startswith(normalise(typed))]
    return found[0] if len(found) == 1 and len(typed) >= SHORTEST_BEGUN else None


def answer(table: Table, question: Asked) -> Tracks:
    """Returns the values asked for, as far as this table shows them."""
    return Tracks(
        tuple(
            one
            for one in every_row(table).tracks
            if (not question.whose or (isinstance(one.who, Who) and one.who.id in question.whose))
            and (question.what is None or one.what == question.what)
        )
    )


def sentences(table: Table, question: Asked) -> Iterator[str]:
    """Yields the answer in sentences, people in the order asked: `Warden's hp: 0 of 20 (out).`.

    Without a name of what is asked for, a line for each person. For an unset value, how to set it.
    """
    seen = answer(table, question).tracks
    if question.what is None:
        for person in question.whose:
            own = [one for one in seen if isinstance(one.who, Who) and one.who.id == person]
            kept = ", ".join(filter(None, map(_in_a_list, own))) or "nothing is kept"
            yield f"{table.name(person)}: {kept}."
        return
    for one in seen:
        whose = one.who.name if isinstance(one.who, Who) else one.who
        yield f"{one.what if whose is None else f'{possessive(whose)} {one.what}'}: {stands(one)}."
    known = {one.who.id for one in seen if isinstance(one.who, Who)}
    for person in question.whose:
        if person not in known and question.what in COUNTED:
            yield f"{table.name(person)} has no {question.what}."
        elif person not in known:
            yield (
                f"{possessive(table.name(person))} {question.what} has no value yet:"
                f" track {table.quoted(person)} {question.what} 9/12."
            )
    if not seen and not question.whose and question.what in COINS:
        yield f"No one has any {question.what}. For the party's purse: {question.what} N."
    elif not seen and not question.whose:
        yield f"{question.what} has no value yet: track NAME {question.what} 9/12."


def _in_a_list(one: TrackSeen) -> str:
    if _is_on_or_off(one):
        return one.what if one.value else ""
    return f"{one.what} {stands(one)}"


def _is_on_or_off(one: TrackSeen) -> bool:
    return one.picture is Picture.BOXES and one.most == 1


def stands(one: TrackSeen) -> str:
    """Returns a value in words: `0 of 20 (out)`, `12`, `on`."""
    value = str(one.value) if one.most is None else f"{one.value} of {one.most}"
    if _is_on_or_off(one):
        value = "on" if one.value else "off"
    elif one.boxes is not None and one.boxes != tuple(range(1, one.value + 1)):
        value += f" ({'box' if one.value == 1 else 'boxes'} {' '.join(map(str, one.boxes))})"
    words = "; ".join(filter(None, one.words))
    return f"{value}{' (out)' if one.out else ''}{f' · {words}' if words else ''}"
