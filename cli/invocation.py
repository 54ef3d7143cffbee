"""Options before a verb, exit codes, and reading verbs (verbs other than the table's, such as `show`)."""

from __future__ import annotations

from keyword import iskeyword
from typing import NamedTuple

DONE, FAILED, USAGE = 0, 1, 2

READING = frozenset(
    {
        "backup",
        "branches",
        "can",
        "completion",
        "copy",
        "demo",
        "diff",
        "doctor",
        "draft",
        "dump",
        "export",
        "head",
        "import",
        "load",
        "new",
        "new-game",
        "play",
        "proposals",
        "recap",
        "replay",
        "run",
        "search",
        "serve",
        "server",
        "show",
        "stats",
        "sync",
        "systems",
        "verify",
        "voices",
        "who",
    }
)
"""The verbs that are not the table's: each has a module of its name (`module_of`)."""


def module_of(verb: str) -> str:
    """Returns the module of a verb outside the table's verbs: `new-game` → `cli.verbs.new_game`.

    A keyword of Python gets an underscore behind it: `import` → `cli.verbs.import_`.
    """
    return f"cli.verbs.{verb.replace('-', '_')}{'_' * iskeyword(verb)}"


class Options(NamedTuple):
    """Options typed before the verb: campaign file, branch name, --json, --debug and --yes."""

    campaign: str | None = None
    branch: str | None = None
    json: bool = False
    debug: bool = False
    yes: bool = False


class UsageError(Exception):
    """Raised for a wrong command line, such as an unknown option; the program exits with code 2."""
