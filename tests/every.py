"""What the house has of a sort, all of it: for tests that hold for each."""

from journal.systems import SYSTEMS
from journal.vocabulary.base import Command
from journal.vocabulary.commands import LINE_VERBS, SHARED

COMMANDS: tuple[type[Command], ...] = (
    *(*SHARED, *LINE_VERBS),
    *(command for system in SYSTEMS.values() for command in system.commands),
)
