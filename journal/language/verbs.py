"""Every verb of the table by the word that says it, made from the commands: none has a file of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from journal.games import BUILT_IN, install_hint
from journal.language.forms import Form
from journal.names import CLOSE, nearest
from journal.refused import Refused
from journal.store.kinds import COMMANDS, Registry
from journal.system import System
from journal.systems import SYSTEMS
from journal.table import OpenConflict, Table
from journal.vocabulary.base import Command
from journal.vocabulary.commands import LINE_VERBS, SHARED, extended


def _words(commands: Iterable[type[Command]]) -> Iterator[tuple[str, type[Command]]]:
    return ((word, command) for command in commands for word in (command.verb, *command.short))


class _Verbs(Registry[type[Command]]):
    """Verbs and short forms; where several games say something with one, any of them."""

    def __getitem__(self, word: str) -> type[Command]:
        game, named, verb = word.rpartition(".")
        return SYSTEMS[game].says[verb] if named and game in SYSTEMS else super().__getitem__(word)


_SHARED = dict(_words((*SHARED, *LINE_VERBS)))

VERBS: Mapping[str, type[Command]] = _Verbs(
    _SHARED.items(), lambda system: _words(system.commands), lambda _word: SYSTEMS.loaded_first()
)
"""Every word that says a verb, spelled exactly: a record never abbreviates by itself."""

EXPECT = ("expect", "x")
"""Checks and records nothing, so it is no command."""


def is_fixed(word: str) -> bool:
    """True for a verb at any table: a shared one, or one of a game of ours."""
    return word in _SHARED or word in EXPECT or any(word in SYSTEMS[name].says for name in BUILT_IN)


def is_absent_guest_verb(word: str, table: Table) -> bool:
    """True for a verb that only guests have, none of which is in play at this table."""
    here = SYSTEMS.among(table.games())
    return "." not in word and not is_fixed(word) and not any(word in system.says for system in here)


ALL = "All verbs: help."
TO_TELL = f"To tell it: narrate NAME: what happens. {ALL}"


WHISPERS = frozenset({"secret", "whisper", "w", "pm", "dm"})
"""What other tools say something to one person with."""
TO_WHISPER = "For somebody's eyes alone: note --to NAME: TEXT."


def verbs_of(table: Table) -> list[str]:
    """The verbs that mean something at this table: shared ones and its games', all where it has no game."""
    games = list(SYSTEMS.among(table.games()))
    played = {verb for system in games for verb in system.says}
    return [verb for verb in COMMANDS if not games or verb in _SHARED or verb in played]


def _kept_at(table: Table) -> Iterator[str]:
    """What is kept at this table and begins a line as a verb does: tracks and conditions."""
    for system in SYSTEMS.among(table.games()):
        yield from system.shorthands(table)


class UnknownVerb(Refused):
    """A line that begins with no verb."""

    def __init__(
        self,
        typed: str,
        beside: Iterable[str] = (),
        *,
        table: Table | None = None,
        hint: str | None = None,
        missing: Iterable[str] = (),
    ) -> None:
        """Refuse `typed` with the verbs it may have been meant for, those `beside` the table's among them.

        Without a `table` the verbs of every game are proposed, else those of its games. `hint` says what to
        type where that is known; `missing` are games it may be a verb of.
        """
        hint = TO_WHISPER if hint is None and typed in WHISPERS else hint
        verbs = COMMANDS if table is None else [*verbs_of(table), *_kept_at(table)]
        close = nearest(typed, [*verbs, EXPECT[0], *beside], at_least=CLOSE)
        meant = f"Did you mean {' or '.join(close)}?" if close else (TO_TELL if typed[:1].isalpha() else ALL)
        to_install_first = " ".join(map(install_hint, missing))
        if to_install_first:
            meant = f"{meant} {to_install_first}" if close else to_install_first
        meant = meant if hint is None else hint
        if typed in EXPECT:
            super().__init__(
                f"{typed} only checks, and records nothing: it is a line of its own, and the game master's."
            )
            return
        if typed in close:  # a track or a condition alone
            super().__init__(f"{typed} is somebody's, so a name comes next: {typed} NAME.")
            return
        super().__init__(f"There is no verb {typed.rstrip('.,;!?')}. {meant}")


def commands_said(word: str, table: Table, conflict: OpenConflict | None = None) -> tuple[type[Command], ...]:
    """What a word says in this conflict, or outside any: one command, or those of several games.

    The game of the conflict comes before what every table has, that before the games played here; and with
    its name before the verb (`lanterns.mend`) a game is always meant. UnknownVerb for a word that is none.
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
    """The games that were played at this table and are not here."""
    return sorted(game for game in table.games() if game not in SYSTEMS)


def games_with_verb(word: str) -> list[System]:
    """The games that say something of their own with a word; guests only where none of ours does."""
    ours = [SYSTEMS[name] for name in BUILT_IN if word in SYSTEMS[name].says]
    return ours or [system for system in SYSTEMS.values() if word in system.says]


def game_of(command: type[Command]) -> System | None:
    """The game that brings a command; None for what every table has."""
    return next((one for one in SYSTEMS.values() if command in one.commands), None)


def own_form(command: type[Command]) -> Form:
    """The form that a command itself describes."""
    return Form.parse(command.form)


@cache
def form_of(command: type[Command]) -> Form:
    """The form a command's line has: its own, and where it is a game's form of a shared verb, also that."""
    shared = extended(command)
    return own_form(command) if shared is None else own_form(command).beside(own_form(shared))


def takes_text(verb: str) -> bool:
    """True if a line with this verb may end in a text."""
    command = VERBS.get(verb)
    return command is not None and form_of(command).takes_text
