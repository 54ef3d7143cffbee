"""What the house has of a sort, all of it: for tests that hold for each."""

from retold.journal.systems import SYSTEMS
from retold.journal.vocabulary.base import Command
from retold.journal.vocabulary.commands import LINE_VERBS, SHARED

COMMANDS: tuple[type[Command], ...] = (
    *(*SHARED, *LINE_VERBS),
    *(command for system in SYSTEMS.values() for command in system.commands),
)
