"""Writes docs/verbs.md, the reference of every verb, from the commands themselves: `python docs/verbs.py`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from retold.journal.language.verbs import own_form
from retold.journal.shell_verbs import SHELL_VERBS
from retold.journal.systems import SYSTEMS
from retold.journal.vocabulary.base import Command
from retold.journal.vocabulary.commands import LINE_VERBS, SHARED

REFERENCE = Path(__file__).with_name("verbs.md")


def reference() -> str:
    """The page, made anew."""
    return "\n".join(_page()) + "\n"


def _page() -> Iterator[str]:
    yield "# Verbs"
    yield ""
    yield "Made from the commands by `python docs/verbs.py`; a test holds it true. The notation of forms:"
    yield "[language.md](language.md). Every verb of the table also takes `--in CONFLICT`, `--by NAME`,"
    yield "`--check`, `--provenance W`, `--when TIME`; some `--gm`, `--to NAMES`, `--at MOMENT`."
    yield from _table("At every table", SHARED)
    yield from _table("About the line itself", LINE_VERBS)
    for system in SYSTEMS.values():
        yield from _table(system.title, system.commands)
        yield ""
        yield f"Options of {system.title}, the default first:"
        yield ""
        for option in system.options:
            values = " ".join(f"`{one}`" for one in (option.default, *option.values) if one)
            yield f"- `{system.name}.{option.key}` {_once(values)}: {option.about}"
        if system.facts:
            yield ""
            subjects = (f"`{key}{' NAME' if fact.of_person else ''}`" for key, fact in system.facts.items())
            yield f"`expect` may ask: {', '.join(subjects)}."
    yield ""
    yield "## Beside the table"
    yield ""
    for verb, declared in SHELL_VERBS.items():
        yield f"- `{verb}`: {declared.about}"


def _once(values: str) -> str:
    return " ".join(dict.fromkeys(values.split()))


def _table(title: str, commands: Iterable[type[Command]]) -> Iterator[str]:
    yield from ("", f"## {title}", "", "| verb | form | example | |", "|---|---|---|---|")
    for command in commands:
        names = ", ".join(f"`{name}`" for name in (command.verb, *command.short))
        form = str(own_form(command)).replace("|", "\\|")
        about = " ".join((command.__doc__ or "").split())
        yield f"| {names} | `{form}` | `{command.example}` | {about} |"


if __name__ == "__main__":
    REFERENCE.write_text(reference(), "utf-8")
