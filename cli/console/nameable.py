"""Completions for names in a typed line: people, traits, cards, answers, moments, options."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from msgspec import Struct

from retold.journal.capabilities import Blank, Deck, HasDecks, Suggestion
from retold.journal.decks import notation, spacetime
from retold.journal.guarding import answer_of
from retold.journal.language.command_values import bind_of_type
from retold.journal.language.form_parts import Attempt, Wanted, Word
from retold.journal.language.forms import Form
from retold.journal.language.lexing import Lexed, lex, takes_value
from retold.journal.language.naming import (
    OFFERED_FOR_EVERYBODY,
    answerable_questions,
    find_person,
    find_thing,
    party_of,
    words_for_everybody,
)
from retold.journal.language.tokens import ORIGINS, Unreadable
from retold.journal.language.writing import quote_name, write_key, write_phrase, write_word
from retold.journal.names import normalise
from retold.journal.options import OF_A_PERSON, OF_THE_TABLE, split_person
from retold.journal.refused import Refused, none_if_refused
from retold.journal.systems import SYSTEMS
from retold.journal.table import Table
from retold.journal.vocabulary.base import GM, Bind, Command

ROLES: Mapping[str, int] = {"character": 0, "side": 1, "player": 2, "gm": 3}
"""Who is meant more often comes first."""


class Offer(NamedTuple):
    """One completion in the menu: text to insert, short explanation, alternative names such as `dr`."""

    text: str
    about: str = ""
    names: tuple[str, ...] = ()
    """What it is also known by, such as a verb's short forms."""

    @property
    def shown(self) -> str:
        """Returns the text in the menu: the completion and its alternative names."""
        return f"{self.text}  {' '.join(self.names)}" if self.names else self.text


def who(table: Table, typed: str | None) -> int | None:
    """Returns the id of the person named by `typed`; None for no name, or if unknown or ambiguous."""
    return None if typed is None else none_if_refused(lambda: find_person(table, typed))


def people(table: Table, words: Collection[str] = (), *, but: Collection[int] = ()) -> Iterator[Offer]:
    """Yields completions: names of people in the conflict, then characters, sides, players, game master.

    Names are quoted if they equal one of `words`, the keywords of the line's form. `but` holds ids left out.
    Retired people come last.
    """
    here = table.in_play()
    inside = here.people if here else ()
    others = sorted(table.everybody(), key=lambda person: (person.retired, ROLES.get(person.role, 1)))
    for person in dict.fromkeys((*inside, *(other.id for other in others))):
        somebody = table.people.get(person)
        if somebody is None or somebody.name.text is None or somebody.id in but:
            continue
        aliases = tuple(alias.text for alias in somebody.aliases if alias.text and person != GM)
        with suppress(Refused):  # a name that cannot be written on a line
            about = (
                "in this conflict" if person in inside else "retired" if somebody.retired else somebody.role
            )
            yield Offer(quote_name(somebody.name.text, words), about, aliases)


def party(table: Table) -> Iterator[Offer]:
    """Yields words for the whole party; nothing if nobody has a player."""
    people = [table.name(person) for person in party_of(table)]
    known = words_for_everybody(table)
    yield from (Offer(word, ", ".join(people)) for word in OFFERED_FOR_EVERYBODY if people and word in known)


def matters(
    table: Table, words: Collection[str] = (), sort: str | None = None, *, but: str | None = None
) -> Iterator[Offer]:
    """Yields completions: threads, places and things, closed ones last; `sort` limits them to one kind.

    Names are quoted if they equal one of `words`, the keywords of the line's form. `but` is a name left out.
    """
    without = None if but is None else table.matter_called(but)
    for matter in sorted(table.every_matter(), key=lambda matter: matter.closed):
        if sort not in (None, matter.sort) or matter is without:
            continue
        with suppress(Refused):  # a name that cannot be written on a line
            yield Offer(
                quote_name(matter.called, words), f"{matter.sort}, closed" if matter.closed else matter.sort
            )


def things(table: Table) -> Iterator[Offer]:
    """Yields completions: zones, borders, aspects and the like in the conflict; without one, of all games."""
    here = table.in_play()
    for system in (SYSTEMS[here.system],) if here else SYSTEMS.values():
        with suppress(Refused):
            yield from (Offer(quote_name(name)) for name in dict.fromkeys(system.things(table, here)))


def suggested(table: Table, blank: Blank) -> Iterator[Suggestion]:
    """Yields a game's suggestions for a blank: the part of a line typed next, such as a trait.

    They come from the game in conflict; without a conflict, from every game played in this campaign.
    """
    here = table.in_play()
    for name in (here.system,) if here else table.shelves:
        yield from SYSTEMS[name].suggest(table, here, blank)


def meant(table: Table, command: type[Command], slot: str, typed: str) -> int | str:
    """Returns the id of the person or thing that a typed word names; the word itself if it names none.

    The field `slot` of `command` says whether a person or a thing is expected.
    """
    bound = bind_of_type(command, slot) if slot in command.__struct_fields__ else None
    if bound in (Bind.PERSON, Bind.NEWCOMER):
        somebody = who(table, typed)
        return typed if somebody is None else somebody
    if bound in (Bind.THING, Bind.KNOWN_THING):
        with suppress(Refused):
            return find_thing(table, typed)
    return typed


def written(kind: str, text: str, words: Collection[str] = ()) -> str:
    """Returns a game's word or name quoted as a typed line needs it in a form part of class `kind`."""
    if kind == "PHRASE":
        return write_phrase(text)
    return quote_name(text, words) if kind in ("NAME", "NAMES", "PEOPLE", "TRAITS") else _as_it_is(kind, text)


def _as_it_is(kind: str, text: str) -> str:
    return text if kind in ("INT", "SIGNED", "SUM") else write_word(text)


def _shelves(table: Table) -> list[tuple[str, object]]:
    """Returns games with their states: the game in conflict; without a conflict, each game played."""
    here = table.in_play()
    names = [here.system] if here else list(table.shelves)
    return [(name, table.shelves[name]) for name in names if name in table.shelves]


# --- cards ------------------------------------------------------------------------------------------------


def cards_left(table: Table, drawer: int | None, typed: Sequence[str]) -> Iterator[Offer]:
    """Yields completions: cards left in the deck that the person draws from, without those typed already.

    Nothing outside a conflict.
    """
    here = table.in_play()
    if here is None:
        return
    deck = _deck(table, drawer)
    pack = SYSTEMS[here.system].pack(table) if deck is None else deck.cards
    gone = Counter(_canonical(typed))
    if deck is not None:
        gone.update(deck.discarded)
        gone.update(card for _, hand in deck.hands for card in hand)
    for card in pack:
        if gone[card]:
            gone[card] -= 1
        else:
            yield Offer(card)


def hand(table: Table, holder: int | None, typed: Sequence[str]) -> Iterator[Offer]:
    """Returns completions: cards in a person's hand, without those typed already."""
    deck = _deck(table, holder)
    held = [card for whose, cards in deck.hands if whose == holder for card in cards] if deck else []
    return (Offer(card) for card in held if card not in _canonical(typed))


def _deck(table: Table, drawer: int | None) -> Deck | None:
    decks = {
        deck.owner: deck
        for system, shelf in _shelves(table)
        if isinstance(shelf, HasDecks)
        for deck in answer_of(system, shelf.decks, (), each=Deck)
    }
    return next((decks[owner] for owner in _owners(table, drawer) if owner in decks), None)


def _owners(table: Table, drawer: int | None) -> Iterator[int | None]:
    """Yields owners of decks that a person may draw from, in the order to look: None is the table's deck.

    Then their player or, without a player, the person; for one of the game master's side, the game master.
    """
    yield None
    somebody = None if drawer is None else table.people.get(drawer)
    if somebody is not None:
        yield somebody.id if somebody.player is None else somebody.player
        if somebody.role == "side":
            yield GM


def _canonical(cards: Sequence[str]) -> list[str]:
    found: list[str] = []
    for card in cards:
        with suppress(Refused):
            found += [spacetime.upright(drawn) for drawn in notation.read_results((card,))]
    return found


# --- answers, moments, conflicts, options -----------------------------------------------------------------


def answers(table: Table, question: str | None = None) -> Iterator[Offer]:
    """Yields completions: answers to the open question named `question`, or without it to every open one."""
    for asked in answerable_questions(table):
        if question is None or normalise(asked.name) == normalise(question):
            for answer in asked.answers:
                text = table.name(answer) if isinstance(answer, int) else answer
                yield Offer(write_phrase(text) if question is None else quote_name(text), asked.asked)


def moments(table: Table, *, counted: bool = True) -> Iterator[Offer]:
    """Yields completions for a moment: marks, `~1` (one act back), sessions such as `s3`.

    With `counted`, each mark is explained by its event position.
    """
    for mark, position in table.marks.items():
        yield Offer(quote_name(mark.replace(" ", "-")), f"#{position}" if counted else "")
    yield Offer("~1", "one act back")
    for session in range(table.sessions, 0, -1):
        yield Offer(f"s{session}", f"session {session}")


def conflicts(table: Table) -> Iterator[Offer]:
    """Yields an offer for each open conflict: its title, or its number if untitled."""
    for conflict in table.conflicts.values():
        yield Offer(write_word(str(conflict.title or conflict.id)), SYSTEMS[conflict.system].called(table))


def option_keys(table: Table) -> Iterator[Offer]:
    """Yields completions for option keys, such as `table.copies=`.

    Keys of the game in conflict are offered without the game's name before them.
    """
    here = table.in_play()
    for system in SYSTEMS.values():
        inside = here is not None and here.system == system.name
        for option in system.options:
            yield Offer(f"{option.key if inside else f'{system.name}.{option.key}'}=", option.about)
    for option in OF_THE_TABLE.values():
        yield Offer(f"table.{option.key}=", option.about)
    for key in sorted(OF_A_PERSON):
        for person in table.everybody():
            if person.role != "character" or person.retired:
                continue
            with suppress(Refused):  # a name that no line can hold
                yield Offer(f"{write_key(f'table.{key}.{person.called}')}=", OF_THE_TABLE[key].about)


def option_values(key: str) -> Iterator[Offer]:
    """Yields completions for an option's possible values; `key` is its name, such as `table.copies`."""
    whose = split_person(key)
    named, _, name = ("table", "", whose[0]) if whose else key.rpartition(".")
    systems = [system for system in SYSTEMS.values() if named in ("", system.name)]
    found = [option for system in systems for option in system.options if option.key == name]
    own = OF_THE_TABLE.get(name) if named in ("", "table") else None
    for option in found if own is None else [own]:
        yield from (Offer(value) for value in option.values)


WORDS = re.compile(r'(?:"(?:[^"]|"")*(?:"|\Z)|“[^”]*(?:”|\Z)|[^\s"“])+')
QUOTED = re.compile(r'"(?:[^"]|"")*"|“[^”]*”')
MOST_WORDS = 60
"""Longer heads are not followed through their form: no user completes the sixty-first word."""


class Cursor(Struct, frozen=True):
    """Cursor at the end of a typed line: the complete words before it, and the unfinished one, `fragment`."""

    words: tuple[str, ...]
    fragment: str
    results: tuple[str, ...] | None = None
    """The results typed so far; None before any `=`."""
    typed: str = ""
    """The whole of it, unchanged."""

    @property
    def verb(self) -> str:
        """First word of the line; empty while it is being typed."""
        return self.words[0] if self.words else ""

    @property
    def flag(self) -> str | None:
        """Name of the flag whose value is being typed: `by` after `--by`; None elsewhere."""
        last = self.words[-1] if self.words else ""
        name = last.removeprefix("--")
        return name if last != name and takes_value(name) and self.results is None else None

    def head(self) -> Lexed | None:
        """Returns the complete words before the cursor, lexed; None if they are not readable as a line."""
        words = self.words[:-1] if self.flag else self.words
        try:
            return lex(" ".join(words))
        except Unreadable:
            return None


def cursor_at(typed: str) -> Cursor | None:
    """Returns the cursor at the end of the typed line; None inside a free text or comment."""
    words: list[str] = []
    fragment = ""
    for found in WORDS.finditer(typed):
        at_end = found.end() == len(typed)
        if _begins_text(found.group()) or (found.group() == "#" and not at_end) or typed.startswith("#"):
            return None
        if at_end:
            fragment = found.group()
        else:
            words.append(found.group())
    begin = next((place for place, word in enumerate(words) if word in ORIGINS), None)
    if begin is None:
        return Cursor(tuple(words), fragment, typed=typed)
    return Cursor(tuple(words[:begin]), fragment, tuple(words[begin + 1 :]), typed)


def _begins_text(word: str) -> bool:
    bare = QUOTED.sub("q", word)
    return bare.endswith(":") and '"' not in bare and "“" not in bare


def wanted_at(form: Form, head: Lexed) -> list[Wanted]:
    """Returns the parts of a verb's form that may follow the typed words `head`, in the form's order."""
    attempt = _attempt(form, head)
    for _ in form.part.ways(attempt, (0, ())):
        pass
    return list(dict.fromkeys(attempt.next_parts))


def filled(form: Form, head: Lexed) -> Wanted:
    """Returns the slots that a complete line fills; no slots if the words do not complete the form."""
    attempt = _attempt(form, head)
    ways = form.part.ways(attempt, (0, ()))
    whole = next((captures for end, captures in ways if end == len(attempt.tokens)), ())
    return Wanted(Word(""), whole)


def _attempt(form: Form, head: Lexed) -> Attempt:
    tokens = [token for token in head.tokens if not form.takes_data or token.assign is None]
    return Attempt(tokens=tokens[:MOST_WORDS], words=form.words)
