"""What this table has that a line may name: people, traits, cards, answers, moments, options."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from journal.capabilities import Blank, Deck, HasDecks, Suggestion
from journal.decks import notation, spacetime
from journal.language.fields import bind_of_type
from journal.language.naming import person, questions, thing
from journal.language.writing import quote_name, write_phrase, write_word
from journal.names import fold
from journal.options import OF_THE_TABLE
from journal.refused import Refused
from journal.systems import SYSTEMS
from journal.table import Table
from journal.vocabulary.base import GM, Bind, Command, fields_of

ROLES: Mapping[str, int] = {"character": 0, "side": 1, "player": 2, "gm": 3}
"""Who is meant more often comes first."""


class Offer(NamedTuple):
    """Something that may stand at the cursor: what is typed, and a word about it."""

    text: str
    about: str = ""
    names: tuple[str, ...] = ()
    """What it is also known by, such as a verb's short forms."""

    @property
    def shown(self) -> str:
        """What the menu shows."""
        return f"{self.text}  {' '.join(self.names)}" if self.names else self.text


def who(table: Table, typed: str | None) -> int | None:
    """The person meant, if exactly one can be."""
    try:
        return None if typed is None else person(table, typed)
    except Refused:
        return None


def people(table: Table, words: Collection[str] = (), *, but: Collection[int] = ()) -> Iterator[Offer]:
    """Everybody `but` those: those in the conflict first, then the cast, then players, then the chair."""
    here = table.in_play()
    inside = here.people if here else ()
    others = sorted(table.everybody(), key=lambda one: (one.retired, ROLES.get(one.role, 1)))
    for one in dict.fromkeys((*inside, *(other.id for other in others))):
        somebody = table.people.get(one)
        if somebody is None or somebody.name.text is None or somebody.id in but:
            continue
        aliases = tuple(alias.text for alias in somebody.aliases if alias.text and one != GM)
        with suppress(Refused):  # a name that no line can hold
            about = "in this conflict" if one in inside else "retired" if somebody.retired else somebody.role
            yield Offer(quote_name(somebody.name.text, words), about, aliases)


def matters(
    table: Table, words: Collection[str] = (), sort: str | None = None, *, but: str | None = None
) -> Iterator[Offer]:
    """What is kept a note of, of all sorts or one, but the one called so; those that are open first."""
    without = None if but is None else table.matter_called(but)
    for one in sorted(table.every_matter(), key=lambda one: one.closed):
        if sort not in (None, one.sort) or one is without:
            continue
        with suppress(Refused):  # a name that no line can hold
            yield Offer(quote_name(one.called, words), f"{one.sort}, closed" if one.closed else one.sort)


def things(table: Table) -> Iterator[Offer]:
    """What can be named in play beside people: zones, borders, aspects."""
    here = table.in_play()
    for system in (SYSTEMS[here.system],) if here else SYSTEMS.values():
        with suppress(Refused):
            yield from (Offer(quote_name(name)) for name in dict.fromkeys(system.things(table, here)))


def suggested(table: Table, blank: Blank) -> Iterator[Suggestion]:
    """What the game in play knows that may fill a blank; outside conflicts, every game played here."""
    here = table.in_play()
    for name in (here.system,) if here else table.shelves:
        yield from SYSTEMS[name].suggest(table, here, blank)


def meant(table: Table, command: type[Command], slot: str, typed: str) -> int | str:
    """Who or what fills a slot of a verb, as far as that can be told; else the word as it was typed."""
    bound = bind_of_type(command, slot) if slot in fields_of(command) else None
    if bound in (Bind.PERSON, Bind.NEWCOMER):
        somebody = who(table, typed)
        return typed if somebody is None else somebody
    if bound in (Bind.THING, Bind.KNOWN_THING):
        with suppress(Refused):
            return thing(table, typed)
    return typed


def written(kind: str, text: str, words: Collection[str] = ()) -> str:
    """A word of the game's own as a slot of that class takes it."""
    if kind == "PHRASE":
        return write_phrase(text)
    return quote_name(text, words) if kind in ("NAME", "NAMES", "PEOPLE", "TRAITS") else _as_it_is(kind, text)


def _as_it_is(kind: str, text: str) -> str:
    return text if kind in ("INT", "SIGNED", "SUM") else write_word(text)


def _shelves(table: Table) -> list[object]:
    """The shelf of the system in play, or all of them."""
    here = table.in_play()
    names = [here.system] if here else list(table.shelves)
    return [table.shelves[name] for name in names if name in table.shelves]


# --- cards ------------------------------------------------------------------------------------------------


def cards_left(table: Table, drawer: int | None, typed: Sequence[str]) -> Iterator[Offer]:
    """The cards that may still come from the deck somebody draws from, less those typed on the line."""
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
    """The cards in somebody's hand, less those typed on the line."""
    deck = _deck(table, holder)
    held = [card for one, cards in deck.hands if one == holder for card in cards] if deck else []
    return (Offer(card) for card in held if card not in _canonical(typed))


def _deck(table: Table, drawer: int | None) -> Deck | None:
    shelves = [shelf for shelf in _shelves(table) if isinstance(shelf, HasDecks)]
    decks = {deck.owner: deck for shelf in shelves for deck in shelf.decks()}
    return next((decks[owner] for owner in _owners(table, drawer) if owner in decks), None)


def _owners(table: Table, drawer: int | None) -> Iterator[int | None]:
    """Whose deck it may be: the table's, the player's, one's own, for a side the game master's."""
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
            found += [spacetime.upright(one) for one in notation.results((card,))]
    return found


# --- answers, moments, conflicts, options -----------------------------------------------------------------


def answers(table: Table, question: str | None = None) -> Iterator[Offer]:
    """What may be answered to a question, or to any that is pending."""
    for asked in questions(table):
        if question is None or fold(asked.name) == fold(question):
            for answer in asked.answers:
                text = table.name(answer) if isinstance(answer, int) else answer
                yield Offer(write_phrase(text) if question is None else quote_name(text), asked.asked)


def moments(table: Table, *, counted: bool = True) -> Iterator[Offer]:
    """Marks, one act back, and where each session begins; with the positions of marks if `counted`."""
    for mark, position in table.marks.items():
        yield Offer(quote_name(mark.replace(" ", "-")), f"#{position}" if counted else "")
    yield Offer("~1", "one act back")
    for session in range(table.sessions, 0, -1):
        yield Offer(f"s{session}", f"session {session}")


def conflicts(table: Table) -> Iterator[Offer]:
    """The open conflicts by title, else by number."""
    for one in table.conflicts.values():
        yield Offer(write_word(str(one.title or one.id)), SYSTEMS[one.system].called(table))


def option_keys(table: Table) -> Iterator[Offer]:
    """Every table option as it is written here: alone within its system's conflict, else with its system."""
    here = table.in_play()
    for system in SYSTEMS.values():
        inside = here is not None and here.system == system.name
        for option in system.options:
            yield Offer(f"{option.key if inside else f'{system.name}.{option.key}'}=", option.about)
    for option in OF_THE_TABLE.values():
        yield Offer(f"table.{option.key}=", option.about)


def option_values(key: str) -> Iterator[Offer]:
    """What an option may be set to."""
    named, _, name = key.rpartition(".")
    systems = [system for system in SYSTEMS.values() if named in ("", system.name)]
    found = [option for system in systems for option in system.options if option.key == name]
    own = OF_THE_TABLE.get(name) if named in ("", "table") else None
    for option in found if own is None else [own]:
        yield from (Offer(value) for value in option.values)
