"""Help pages as Markdown: one on the language of typed lines, and one on each game's rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from json import loads
from pathlib import Path

from retold.cli.help.screens import sentence
from retold.journal.games import Guest, guests
from retold.journal.language.verbs import added_commands
from retold.journal.names import Unknown, find, normalise
from retold.journal.refused import Refused
from retold.journal.store.events.record import Record
from retold.journal.system import System
from retold.journal.systems import SYSTEMS

LANGUAGE, TABLE = "language", "table"
"""Two words for the page on the language of the table."""

_COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)


def folder() -> Path:
    """Returns the folder of the help pages: inside the installed package, else `docs` in the sources."""
    package = Path(__file__).resolve().parents[1]
    built = package / "docs"
    return built if built.is_dir() else package.parent / "docs"


def topics() -> Mapping[str, str]:
    """Returns the help page's path of each topic, relative to `folder()`: `d20` → `rules/d20.md`."""
    return {LANGUAGE: "language.md", **{name: f"rules/{name}.md" for name in SYSTEMS}}


def topic(typed: str) -> str | None:
    """Returns the topic named `typed`: `language`, or a game's name; None if unknown.

    A game may be typed as the beginning of its name or title.
    """
    if typed in (LANGUAGE, TABLE):
        return LANGUAGE
    try:
        return find(typed, {one.name: (one.title, one.name) for one in SYSTEMS.values()})
    except Unknown:
        return None


def in_a_file(typed: str, record: Record | None) -> str | None:
    """Returns the rules page, in Markdown, of a game defined in a file (not a built-in or installed one).

    Looks in the campaign's `record` for the last file of that name, then among the bundled ones; None if
    neither has it.
    """
    for system in SYSTEMS.values():
        rows = () if record is None else record.everything((f"{system.name}.game-chosen",))
        chosen = [loads(row.body)["data"] for row in rows]
        own = next(
            (one["definition"] for one in reversed(chosen) if normalise(one["name"]) == normalise(typed)),
            typed,
        )
        found = system.page(own)
        if found is not None:
            return f"{verbs_page(system, typed)}\n{found}"
    return None


def page(name: str) -> str:
    """Returns the help page on a topic: the language, or a game with its verbs first, then its rules.

    Raises Refused if the page is not installed.
    """
    return (
        paper(name)
        if name == LANGUAGE
        else f"{verbs_page(SYSTEMS[name], SYSTEMS[name].title)}\n{paper(name)}"
    )


def verbs_page(system: System, title: str) -> str:
    """Returns the verbs that a game adds to a table, in Markdown: an example of each, and its sentence."""
    commands = dict.fromkeys((*system.commands, *added_commands(system)))
    told = (f"- `{command.example}`: {sentence(command)}" for command in commands)
    lines = [f"# {title}: its verbs", "", *told]
    lines += ["", f"One of them: `retold help VERB`. Options and sheets: `retold systems {system.name}`."]
    return "\n".join(lines) + "\n"


def paper(name: str) -> str:
    """Returns the Markdown page on a topic; raises Refused if the page is not installed."""
    guest = guests().get(name)
    if guest is not None:
        return _of_guest(guest)
    path = folder() / topics()[name]
    try:
        return _COMMENT.sub("", path.read_text("utf-8"))
    except FileNotFoundError:
        raise Refused(f"The paper on {name} is not here ({path}): install Retold again.") from None


def _of_guest(guest: Guest) -> str:
    text = guest.paper("rules.md")
    if text is None:
        raise Refused(f"{guest.distribution} brings no paper on {guest.name}: retold systems {guest.name}.")
    return _COMMENT.sub("", text)
