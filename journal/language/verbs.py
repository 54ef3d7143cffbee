"""Registry of verbs: maps typed words to command classes, those of every table and those of the games."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache, partial
from typing import Final

from retold.journal.games import BUILT_IN, guests, why_missing
from retold.journal.language.forms import Form
from retold.journal.language.lexing import FLAGS
from retold.journal.language.naming import find_person
from retold.journal.names import CLOSE, nearest
from retold.journal.offered_verbs import offered_verbs
from retold.journal.options import GAME, of_the_table
from retold.journal.refused import Refused, none_if_refused
from retold.journal.store.events.kinds import COMMANDS, Registry
from retold.journal.system import System
from retold.journal.systems import SYSTEMS
from retold.journal.table import OpenConflict, Table
from retold.journal.vocabulary.base import Command
from retold.journal.vocabulary.commands import (
    ANSWERED_BY,
    LINE_VERBS,
    OF_SOME_GAMES,
    SHARED,
    Branch,
    Reveal,
    extended,
)


def _words(commands: Iterable[type[Command]]) -> Iterator[tuple[str, type[Command]]]:
    return ((word, command) for command in commands for word in (command.verb, *command.short))


class _Verbs(Registry[type[Command]]):
    """Registry of verbs and short forms; a verb that several games share maps to one of them."""

    def __getitem__(self, word: str) -> type[Command]:
        game, named, verb = word.rpartition(".")
        return SYSTEMS[game].says[verb] if named and game in SYSTEMS else super().__getitem__(word)


_SHARED = dict(_words((*SHARED, *LINE_VERBS)))

VERBS: Mapping[str, type[Command]] = _Verbs(
    _SHARED.items(), lambda system: _words(system.commands), lambda _word: SYSTEMS.loaded_first()
)
"""Verbs and short forms, spelled exactly, with their commands."""

EXPECT = ("expect", "x")
"""Words of the `expect` verb, which records nothing and so is no command."""


def is_fixed(word: str) -> bool:
    """True for a verb that every table knows: a shared verb, or one of a built-in game."""
    return word in _SHARED or word in EXPECT or any(word in SYSTEMS[name].says for name in BUILT_IN)


def is_absent_guest_verb(word: str, table: Table) -> bool:
    """True for a verb that only guest games have (games installed beside Retold), none played here."""
    here = SYSTEMS.among(table.games())
    return "." not in word and not is_fixed(word) and not any(word in system.says for system in here)


ALL = "All verbs: help."
TO_TELL = f"To tell it: narrate NAME: what happens. {ALL}"


WHISPERS = frozenset({"secret", "whisper", "w", "pm", "dm"})
"""Verbs of other tools for a message to one person."""
TO_WHISPER = "For somebody's eyes alone: note --to NAME: TEXT."


def verbs_of(table: Table) -> tuple[str, ...]:
    """Returns the verbs to offer at this table: those of every table, and those of the games played.

    Before one is played the chosen game counts; without any, returns the verbs of every game.
    """
    return offered_verbs(
        table.games() or {game.name for game in SYSTEMS.among({of_the_table(table, GAME)})}, guest_verbs
    )


def guest_verbs(games: Collection[str]) -> Iterator[str]:
    """Yields the verbs that the guests among `games` add to a table; those of every guest for no games."""
    for name in games or guests():
        if name not in BUILT_IN and name in SYSTEMS:
            yield from (command.verb for command in added_commands(SYSTEMS[name]))


def added_commands(system: System) -> Iterator[type[Command]]:
    """Yields the commands that a game adds to a table: its own verbs, and shared ones of some games only.

    The latter as the game has them.
    """
    decided = {*system.decide, *system.anytime}
    yield from system.verbs
    for command in OF_SOME_GAMES:
        if any(system.takes(one) in decided for one in ANSWERED_BY.get(command, (command,))):
            yield system.takes(command)


def _shorthands_at(table: Table) -> Iterator[str]:
    """Yields names of tracks and conditions that may begin a line in place of a verb, such as `hp`."""
    for system in SYSTEMS.among(table.games()):
        yield from system.shorthands(table)


class UnknownVerb(Refused):
    """Refusal of a line whose first word is not a verb; `is_unlike` if it also resembles none."""

    is_unlike: bool

    def __init__(
        self,
        typed: str,
        beside: Iterable[str] = (),
        *,
        table: Table | None = None,
        hint: str | None = None,
        missing: Iterable[str] = (),
    ) -> None:
        """Builds the error's sentence, which proposes verbs similar to `typed`, or similar words in `beside`.

        Without a `table` verbs of every game are proposed, else those of its games. `hint` replaces the
        proposal; `missing` names games that may have the verb but are not installed.
        """
        hint = TO_WHISPER if hint is None and typed in WHISPERS else hint
        verbs = COMMANDS if table is None else [*verbs_of(table), *_shorthands_at(table)]
        close = nearest(typed, [*verbs, EXPECT[0], *beside], at_least=CLOSE)
        meant = f"Did you mean {' or '.join(close)}?" if close else (TO_TELL if typed[:1].isalpha() else ALL)
        to_install_first = " ".join(map(why_missing, missing))
        if to_install_first:
            meant = f"{meant} {to_install_first}" if close else to_install_first
        self.is_unlike = hint is None and meant in (TO_TELL, ALL)
        meant = meant if hint is None else hint
        if typed in EXPECT:
            super().__init__(
                f"{typed} only checks, and records nothing: it is a line of its own, and the game master's."
            )
            return
        if typed in close:  # `typed` is a track or condition without a name
            super().__init__(f"{typed} belongs to a person, so a name comes next: {typed} NAME.")
            return
        who = None if table is None else none_if_refused(partial(find_person, table, typed))
        is_known = table is not None and who is not None and table.secret(who) is None
        super().__init__(meant if is_known else f"There is no verb {typed.rstrip('.,;!?') or typed}. {meant}")


def commands_said(word: str, table: Table, conflict: OpenConflict | None = None) -> tuple[type[Command], ...]:
    """Returns the command classes that a word may mean, in this conflict or outside conflicts.

    There are several if games share the word. Order of precedence: the conflict's game, shared verbs, other
    games played here. A prefix (`lanterns.mend`) selects a game. Raises UnknownVerb for a word that is no
    verb.
    """
    game, named, verb = word.rpartition(".")
    if named and word in VERBS:
        return (SYSTEMS[game].says[verb],)
    here = None if conflict is None else SYSTEMS[conflict.system]
    if here is not None and word in here.says:
        return (here.says[word],)
    shared = _SHARED.get(word)
    if here is not None and shared is not None:
        return (shared,)
    played = [system for system in SYSTEMS.among(table.shelves) if word in system.says]
    found = tuple(system.says[word] for system in played if system.says[word] in system.anytime)
    if shared is not None:
        return found if len(found) == 1 else (shared, *found)
    found = found or tuple(system.says[word] for system in played or games_with_verb(word))
    if not found:
        raise UnknownVerb(word, table=table, missing=games_missing(table))
    return found


def games_missing(table: Table) -> list[str]:
    """Returns the names of games that this table plays but that are not installed, sorted."""
    return sorted(game for game in table.games() if game not in SYSTEMS)


def games_with_verb(word: str) -> list[System]:
    """Returns the games that define the verb `word`; guest games only if no built-in game does."""
    ours = [SYSTEMS[name] for name in BUILT_IN if word in SYSTEMS[name].says]
    return ours or [system for system in SYSTEMS.values() if word in system.says]


def game_of(command: type[Command]) -> System | None:
    """Returns the game that defines a command class; None for shared commands."""
    return next((system for system in SYSTEMS.values() if command in system.commands), None)


def own_form(command: type[Command]) -> Form:
    """Returns the parsed form that the command class itself declares."""
    return Form.parse(command.form)


@cache
def form_of(command: type[Command]) -> Form:
    """Returns the parsed form of lines with this verb.

    A game's variant of a shared verb accepts both forms.
    """
    shared = extended(command)
    return own_form(command) if shared is None else own_form(command).beside(own_form(shared))


ANY_VERB: Final = ("by", "check", "when", "yes")
"""Flags that mean something for every verb."""


def flags_of(command: type[Command]) -> list[str]:
    """Returns the flags that change what a line with this verb does, sorted, without those of `ANY_VERB`."""
    form = form_of(command)
    flags = set(form.flags)
    if not command.manages:
        flags.add("in")
    if "at" in command.__struct_fields__ and not re.search(r":at\b", command.form):
        flags.add("at")
    if command.hideable:
        flags.add("to")
    if command.hideable and command not in (Branch, Reveal):
        flags.add("gm")
    if form.takes_results and not command.manages:
        flags.add("provenance")
    return sorted(flags)


def explain_unknown_flag(command: type[Command], verb: str, flag: str) -> str:
    """Returns a refusal of a flag that `command` does not take, with the flag meant, or all it has."""
    own = flags_of(command)
    wrong = f"{verb} has no --{flag}." if flag in FLAGS else f"There is no flag --{flag}."
    close = nearest(flag, {*own, *ANY_VERB}, 1, at_least=CLOSE)
    if close:
        return f"{wrong} Did you mean --{close[0]}?"
    has = "It has" if flag in FLAGS else f"{verb} has"
    return f"{wrong} {has} {', '.join(f'--{name}' for name in own or ANY_VERB)}."


def takes_text(verb: str) -> bool:
    """True if a line with this verb may end in a colon and a text."""
    command = VERBS.get(verb)
    return command is not None and form_of(command).takes_text
