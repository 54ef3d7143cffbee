"""Suggestions for mistyped lines: `Bandit-2 -5` lacks a verb, `check wis` lacks a name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from retold.journal.language.lexing import Lexed, line_as_typed
from retold.journal.language.shorthand import AMOUNT, are_people, move_words, shorthands
from retold.journal.language.tokens import CLASSES, SIGNED, Segment, Token, split_names
from retold.journal.language.verbs import game_of, verbs_of
from retold.journal.language.writing import bare_token, quote_name, write_names
from retold.journal.names import CLOSE, find, nearest, normalise
from retold.journal.refused import Refused
from retold.journal.shared.conflicts import fallen
from retold.journal.shared.people import purse_of
from retold.journal.systems import SYSTEMS
from retold.journal.table import OpenConflict, Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import GM, Command

CanRead = Callable[[Lexed], bool]
"""True if a line binds to a command at the table."""

MOST_WORDS_IN_NAME: Final = 4
"""Most words of a name typed without its hyphens."""


def name_token(name: str) -> Token:
    """Returns a token for a name, quoted if the name needs quotes."""
    return Token((Segment(name, quote_name(name) != name),), 1)


# --- whose roll it is -------------------------------------------------------------------------------------


def suggest_roll(lexed: Lexed, meant: Sequence[type[Command]], table: Table, reads: CanRead) -> str | None:
    """Returns a sentence with the roller's name inserted, for a line such as `check wis` or `roll check wis`.

    `reads` tells whether a corrected line binds to a command. None if the verb belongs to a game played here,
    or if the line names no move.
    """
    conflict = table.in_play()
    known = move_words(table, conflict)
    if lexed.verb.text == c.Roll.verb:
        first = lexed.tokens[0].text if lexed.tokens else ""
        if normalise(first) not in known or table.called(first) is not None:
            return None
        move, rest = lexed.tokens[0], lexed.tokens[1:]
    elif normalise(lexed.verb.text) in known and not _is_played(meant, table):
        move, rest = lexed.verb, lexed.tokens
    else:
        return None
    who = whose_turn(table, conflict)
    people = [table.called(token.text) for token in rest]
    if people and people[0] is not None and (any(people[1:]) or any(token.text == "vs" for token in rest)):
        who, rest = people[0], rest[1:]
    name = bare_token("WHO") if who is None else name_token(table.name(who))
    roll = replace(lexed, verb=bare_token(c.Roll.verb), tokens=(name, move, *rest))
    ordered = reorder_roll(roll, table)
    whole = ordered if reads(ordered) or who is None else roll
    return f"A roll says whose it is: {line_as_typed(whole)}."


def _is_played(meant: Sequence[type[Command]], table: Table) -> bool:
    games = [game_of(command) for command in meant]
    return any(game is None or game.name in table.games() for game in games)


def whose_turn(table: Table, conflict: OpenConflict | None) -> int | None:
    """Returns the id of the person whose turn it is; None outside conflicts and without a turn order."""
    if conflict is None:
        return None
    order = SYSTEMS[conflict.system].order(table, conflict)
    return next((turn.who for turn in order if turn.now), None)


def reorder_roll(lexed: Lexed, table: Table) -> Lexed:
    """Returns a roll's line with its words in the required order: who and move stay first.

    Then follow stat, bonus, `adv` or `dis`, `vs` or `under` with its target, and `damage`. Without `vs`, a
    person's name among the words becomes the target: `vs` is added before it.
    """
    begin, left = lexed.tokens[:2], list(lexed.tokens[2:])
    parts: dict[str, list[Token]] = {"rest": [], "bonus": [], "twice": [], "against": [], "damage": []}
    while left:
        token = left.pop(0)
        if token.bare and token.text in ("vs", "under", "damage"):
            part = "damage" if token.text == "damage" else "against"
            parts[part] += [token, *left[:1]]
            left = left[1:]
        elif token.bare and token.text in ("adv", "dis"):
            parts["twice"].append(token)
        elif CLASSES[SIGNED](token, ()):
            parts["bonus"].append(token)
        else:
            parts["rest"].append(token)
    if not parts["against"]:
        target = next((token for token in parts["rest"] if table.called(token.text) is not None), None)
        if target is not None:
            parts["rest"].remove(target)
            parts["against"] = [bare_token("vs"), target]
    return replace(lexed, tokens=(*begin, *(token for part in parts.values() for token in part)))


def ordered_roll(lexed: Lexed, table: Table, reads: CanRead) -> Lexed | None:
    """Returns a `roll` line with its words in the required order, which may add `vs` before a name.

    None for other lines, if the order is right already, or if no order makes a valid line.
    """
    if lexed.verb.text != c.Roll.verb or not lexed.tokens[1:]:
        return None
    if normalise(lexed.tokens[1].text) not in move_words(table, table.in_play()):
        return None
    ordered = reorder_roll(lexed, table)
    return None if ordered.tokens == lexed.tokens or not reads(ordered) else ordered


def with_advantage_moved(lexed: Lexed, table: Table, reads: CanRead) -> Lexed | None:
    """Returns a `roll` line with its `adv` or `dis` moved where the form has it, all else as it was typed.

    None for other lines, and if anything else is out of order.
    """
    ordered = ordered_roll(lexed, table, reads)
    if ordered is None or _but_advantage(ordered.tokens) != _but_advantage(lexed.tokens):
        return None
    return ordered


def _but_advantage(tokens: Sequence[Token]) -> list[str]:
    return [token.text for token in tokens if not (token.bare and token.text in ("adv", "dis"))]


# --- lines that begin with a name -------------------------------------------------------------------------


VERB_FIRST: Final = "A line begins with what is done: "


CARD: Final = r"(?:(?:[2-9TJQKA]|10)[CDHScdhs♣♦♥♠])"
CAME_UP: Final = re.compile(rf"{CARD}|[+0-]{{3,4}}")
"""A card, or fudge dice, as results."""
_CAME_UP: Final = re.compile(
    r"(?:(?i:rolled |nat |natural |a )*[-+]?\d+(?i:,? nat(?:ural)?)?"
    rf"|{CARD}"
    r"|[-+0](?:[ ,]*[-+0]){2,3})"
    r"(?:[ ,]+(?:\d+|[-+0]+))*[.!]?"
)
"""Numbers, a card or fudge dice, as typed for a result."""
_BESIDE_RESULTS: Final = frozenset({"rolled", "nat", "natural", "a"})


def results_in(text: str | None) -> tuple[str, ...]:
    """Returns what came up, if a text says that alone: `14`, `rolled 14`, `++0-`."""
    text = (text or "").strip()
    words = re.findall(r"[^\s,.!]+", text) if _CAME_UP.fullmatch(text) else ()
    return tuple(word for word in words if word.lower() not in _BESIDE_RESULTS)


def suggest_verb_first(lexed: Lexed, table: Table, reads: CanRead) -> str | None:
    """Returns a sentence with lines to type in place of a line that begins with a person's name.

    None for other lines.
    """
    people = split_names(lexed.verb)
    if not people or any(table.called(name.text) is None for name in people):
        return None
    if not are_people(lexed.verb, table) or not SYSTEMS.among(table.games()):
        return None
    who = line_as_typed(replace(lexed, tokens=(), flags={}, results=None, text=None))
    came_up = () if lexed.results is not None else results_in(lexed.text)
    typed = [replace(lexed, results=came_up, text=None), lexed] if came_up else [lexed]
    candidates = (line for each in typed for line in _verb_first_candidates(each, table))
    likely = next((line for line in candidates if reads(line)), None)
    first = "" if likely is None else f"{line_as_typed(likely)}; "
    told = "" if people[1:] else f"narrate {who}: …; or, where they speak, {who}: …"
    lines = f"{first}{told}".rstrip("; ")
    return f"{VERB_FIRST}{lines}" if lines else None


def _verb_first_candidates(lexed: Lexed, table: Table) -> Iterator[Lexed]:
    """Yields probable corrections of a line that begins with a person's name, the likeliest first."""
    if not lexed.tokens:
        return
    who, second, rest = lexed.verb, lexed.tokens[0], lexed.tokens[1:]
    kept = _first_track(table)
    if kept is not None and not rest and re.fullmatch(AMOUNT, second.text):
        yield replace(lexed, verb=bare_token(kept), tokens=(who, second))
    if not second.bare:
        return
    if second.text in verbs_of(table):
        yield replace(lexed, verb=second, tokens=(who, *rest))
    known = move_words(table, table.in_play())
    for close in nearest(second.text, known, 1, at_least=CLOSE):
        move = name_token(close)
        yield reorder_roll(replace(lexed, verb=bare_token(c.Roll.verb), tokens=(who, move, *rest)), table)
    begins = [*shorthands(table, table.in_play()), *verbs_of(table)]
    for close in nearest(second.text, begins, 1, at_least=CLOSE):
        yield replace(lexed, verb=name_token(close), tokens=(who, *rest))


def _first_track(table: Table) -> str | None:
    """Returns the first track's name of the game in play, usually that of hit points; None without tracks."""
    keeps = {system.keeps for system in SYSTEMS.among(table.games()) if system.keeps is not None}
    return next((word for word, command in shorthands(table).items() if command in keeps), None)


# --- what is kept -----------------------------------------------------------------------------------------


def people_begun_like(typed: str, table: Table) -> list[str]:
    """Returns the names that begin like a word or like the singular of it; empty if fewer than two do."""
    folded = normalise(typed)
    people = [person.called for person in table.everybody() if person.id != GM and not person.retired]
    singulars = (folded.removesuffix("s"), folded.removesuffix("es"), singular(folded))
    for begun in dict.fromkeys((folded, *singulars)):
        found = [name for name in people if normalise(name).startswith(begun)]
        if begun and found[1:]:
            return found
    return []


def numbered_people(typed: str, table: Table) -> list[str]:
    """Returns numbered names such as Wolf-1 and Wolf-2 for `Wolf`, without secret people."""
    is_numbered = re.compile(rf"{re.escape(normalise(typed))}[- ]\d+").fullmatch
    down = {*fallen(table), *(person.id for person in table.everybody() if person.retired)}
    able = (person for person in table.everybody() if person.id not in down and not table.secret(person.id))
    return [person.called for person in able if is_numbered(normalise(person.called))]


FOES: Final = frozenset({"enemies", "foes", "monsters", "opponents"})
"""Words for all on the other sides of a fight."""


def people_of_plural(typed: str, table: Table) -> list[str]:
    """Returns the names that a plural means: public people whose names begin like it and who are up.

    In a conflict only people in it count, if any of them is. Empty for other words.
    """
    folded, conflict = typed.lower(), table.in_play()
    if not folded.endswith("s") or table.called(folded) is not None:
        return []
    if folded in FOES and conflict is not None:
        sides = (side for side in conflict.sides if not {*table.party()} & {*side})
        return [
            table.name(who)
            for side in sides
            for who in side
            if who not in fallen(table) and table.secret(who) is None
        ]
    called = {name: table.called(name) for name in people_begun_like(folded, table)}
    down = {*fallen(table), purse_of(table)}
    able = {
        name: who
        for name, who in called.items()
        if who is not None and who not in down and table.secret(who) is None
    }
    here = [] if conflict is None else [name for name, who in able.items() if who in conflict.people]
    return [name for name in here or able if name[-1:].isdigit()] or here or [*able]


_SINGULAR: Final[Mapping[str, str]] = {
    **{f"{one[:-1]}ves": one for one in ("dwarf", "elf", "thief", "werewolf", "wolf")},
    **{f"{one}s": one for one in ("genie", "pixie", "valkyrie", "zombie")},
    "heroes": "hero",
}
"""Plurals whose ending does not tell the singular."""


def singular(plural: str) -> str:
    """Returns the singular of an English plural: `harpy` for `harpies`; a word that is none unchanged."""
    if (known := _SINGULAR.get(plural.lower())) is not None:
        return known
    if plural.endswith(("ss", "us", "ves")):
        return plural
    return re.sub(r"ies$", "y", re.sub(r"(?<=ch|sh|ss)es$|(?<=[xz])es$|(?<!ie)s$", "", plural))


def suggest_place_in_text(command: type[Command], lexed: Lexed, table: Table) -> str | None:
    """Returns a sentence with the corrected line for `declare Ann guard the stairs`; None for other lines.

    The place moves from the slot for a person into the text: `declare Ann guard: the stairs`.
    """
    tokens = [token for token in lexed.tokens if token.assign is None]
    words = [token.text for token in tokens]
    if not issubclass(command, c.Declare) or len(words) < 3 or f"{words[1]}:act" not in command.form:  # noqa: PLR2004 -- who, act, where
        return None
    who, act, place = split_names(tokens[0]), words[1], " ".join(words[2:])
    if act not in ("guard", "advance") or _is_likely_person(table, place):
        return None
    if not all(_is_likely_person(table, name.text) for name in who):
        return None
    text = f"{place}. {lexed.text}" if lexed.text else place
    return f"A place follows a colon: declare {write_names(name.text for name in who)} {act}: {text}"


def _is_likely_person(table: Table, typed: str) -> bool:
    """True if `typed` is a person's name in full or shortened, or resembles one."""
    try:
        find(typed, table.names())
    except Refused as refusal:
        return bool(getattr(refusal, "nearest", ()) or getattr(refusal, "candidates", ()))
    return True
