"""Options of every verb, exit codes, and reading verbs (verbs other than the table's, such as `show`)."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from retold.journal import games

DONE, FAILED, USAGE = 0, 1, 2

READING = games.READING - {"help", "log"}
"""The verbs that are not the table's: each is a module of the command line, or a feature's (`module_of`)."""

_BESIDE = {
    "demo": "retold.cli.console.demo",
    "play": "retold.cli.console.play",
    "serve": "retold.cli.service.serve",
}
"""Verbs that lie beside what they start; the others are modules of `cli/verbs`."""


@cache
def _verbs_of_the_core() -> frozenset[str]:
    """Returns the names of the modules of `retold.cli.verbs`."""
    listed = os.listdir(Path(__file__).with_name("verbs"))  # noqa: PTH208 -- iterdir makes a Path of each
    return frozenset(name.removesuffix(".py") for name in listed)


def module_of(verb: str) -> str | None:
    """Returns the module of a verb outside the table's verbs: `new-game` → `retold.cli.verbs.new_game`.

    None for the verb of a feature that is not installed.
    """
    if verb in _BESIDE:
        return _BESIDE[verb]
    name = verb.replace("-", "_")
    if name in _verbs_of_the_core():
        return f"retold.cli.verbs.{name}"
    from retold.journal.features import named

    return named("verbs", verb)


def is_available(verb: str) -> bool:
    """False for the verb of a feature that is not installed; True for every other, of the table too."""
    return verb not in READING or module_of(verb) is not None


def reading_verbs(begun: str = "") -> list[str]:
    """Returns the verbs in `READING` that `begun` begins; those of installed features are among them."""
    return [verb for verb in READING if verb.startswith(begun.casefold()) and is_available(verb)]


def shell_words(line: str) -> list[str]:
    """Returns the words of a typed command line, quotes removed; Refused for a quote that is never closed."""
    from retold.journal.refused import Refused
    from retold.journal.shell_words import split_command

    try:
        return split_command(line)
    except ValueError:
        raise Refused("A quote in this line is never closed.") from None


class Options(NamedTuple):
    """Options of every verb: campaign file, branch name, --json, --debug and --yes."""

    campaign: str | None = None
    branch: str | None = None
    json: bool = False
    debug: bool = False
    yes: bool = False


class UsageError(Exception):
    """Raised for a wrong command line, such as an unknown option; the program exits with code 2."""


def _without_colour(options: Options) -> Options:
    """Sets the environment variable NO_COLOR, which switches colours off; returns `options` unchanged."""
    os.environ["NO_COLOR"] = "1"
    return options


FLAGS: Mapping[str, Callable[[Options], Options]] = {
    "--json": lambda options: options._replace(json=True),
    "--debug": lambda options: options._replace(debug=True),
    "--yes": lambda options: options._replace(yes=True),
    "--no-color": _without_colour,
}
VALUES: Mapping[str, str] = {"-c": "FILE", "--campaign": "FILE", "--branch": "NAME"}
"""Options of every verb with a value, and its placeholder."""

BEHIND_THE_VERB: Mapping[str, bool] = {
    **dict.fromkeys(("--at", "--by", "--for", "--in", "--lang", "--provenance", "--to", "--when"), True),
    **dict.fromkeys(("--check", "--gm"), False),
}
"""Flags that many verbs have and that may stand before the verb too, and whether each has a value."""


def take_option(options: Options, words: list[str]) -> Options | None:
    """Returns `options` with the option of every verb that `words` begin with, and takes it off `words`.

    None if they begin with something else. Raises UsageError for an option without its value.
    """
    name, equals, value = words[0].partition("=")
    if name in FLAGS and not equals:
        words.pop(0)
        return FLAGS[name](options)
    if name not in VALUES:
        return None
    words.pop(0)
    if not equals:
        if not words:
            raise UsageError(f"{name} wants a value: {name} {VALUES[name]}.")
        value = words.pop(0)
    return options._replace(branch=value) if name == "--branch" else options._replace(campaign=value)


def take_options(
    options: Options, words: Sequence[str], names: Collection[str], *, ends: Collection[str] = ("#",)
) -> tuple[Options, list[str]]:
    """Returns `options` with those of `names` that stand among `words`, and the words without them.

    Words from one of `ends` on, or behind one that ends in a colon and so begins a text, stay as they are.
    """
    left = list(words)
    kept: list[str] = []
    while left and left[0] not in ends and not left[0].endswith(":"):
        taken = take_option(options, left) if left[0].partition("=")[0] in names else None
        if taken is None:
            kept.append(left.pop(0))
        else:
            options = taken
    return options, [*kept, *left]
