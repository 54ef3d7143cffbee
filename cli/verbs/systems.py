"""The `systems` verb: lists the games, or describes one with its verbs, options and sheet keys."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Annotated, Any, Final

import typer

from retold.cli import app as o
from retold.cli.output.printing import columns, wrapped, write_fitted, write_json
from retold.cli.verbs.help import show_paged
from retold.journal.games import BUILT_IN
from retold.journal.language.verbs import form_of
from retold.journal.names import Unknown, find, nearest
from retold.journal.refused import Refused
from retold.journal.system import System
from retold.journal.systems import SYSTEMS
from retold.journal.vocabulary.base import Command

SHEET_FIELDS: Final = ("key", "about", "example", "least", "most", "words", "form", "takes")
"""Fields of a sheet key in the JSON output."""


def command(
    ctx: typer.Context,
    system: Annotated[str | None, typer.Argument(help="One system; else all of them in short.")] = None,
    sheet: Annotated[
        bool, typer.Option("--sheet", help="Only the keys of a sheet, with values and an example of each.")
    ] = False,
    json: o.Json = False,
) -> None:
    """List the games that can be played, or one game with its verbs, options and sheet.

    Examples: retold systems bruise · retold systems edgerunner --sheet
    """
    if system is None:
        chosen = list(SYSTEMS.values())
    else:
        if trouble := SYSTEMS.trouble(system):
            raise Refused(trouble)
        try:
            chosen = [
                SYSTEMS[find(system, {game.name: (game.name, game.title) for game in SYSTEMS.values()})]
            ]
        except Unknown:
            chosen = [game for game in SYSTEMS.values() if game.page(system) is not None]
            if not chosen:
                raise Unknown(system, nearest(system, SYSTEMS)) from None
            played = f"{system} is played by {chosen[0].title}. What it has: retold help {system}"
            write_fitted([played], sys.stderr)
    if o.merged(ctx, None, None, json).json:
        write_json({"retold": "systems", "version": 1, "systems": [_as_json(game) for game in chosen]})
    elif sheet:
        show_paged("\n".join(sheet_of(game) for game in chosen))
    elif system is None:
        for game in chosen:
            for line in columns([(game.name, f"{game.title}: {game.about}")], 12):
                sys.stdout.write(f"{line}\n")
        sys.stdout.write("\nMore of one: retold systems NAME\n")
        sys.stdout.flush()
        write_fitted((*SYSTEMS.troubles(), *_mistakes(chosen)), sys.stderr)
    else:
        show_paged(describe(chosen[0]))
        write_fitted(_mistakes(chosen), sys.stderr)


def _mistakes(systems: Iterable[System]) -> tuple[str, ...]:
    """Returns sentences on faults in guest games (those from other packages) among these."""
    guests = [system.name for system in systems if system.name not in BUILT_IN]
    if not guests:
        return ()
    from retold.projections.guest_checks import mistakes

    return tuple(mistake for name in guests for mistake in mistakes(name))


def sheet_of(system: System) -> str:
    """Returns a text on the keys of a game's character sheet: accepted values, meaning, example."""
    if not system.sheet:
        return f"{system.title} keeps no sheet: what counts is said when it is used.\n"
    lines = [*wrapped(f"{system.title}: the keys of a sheet (cast NAME {system.name} KEY=VALUE …)"), ""]
    for key in system.sheet:
        lines += columns([(f"{key.key}=", f"{key.about}: {key.takes}"), ("", key.example)], 18)
    line = " ".join([key.example for key in system.sheet if not key.words][:3])
    lines += ["", *wrapped(f"A line: cast Zel {system.name} by=Jon {line}: how they look"), ""]
    lines += [
        "In every game: by= who plays them, alias= and name= what they are called.",
        "KEY=none takes a value away.",
    ]
    return "\n".join(lines) + "\n"


def answered(system: System) -> list[type[Command]]:
    """Returns commands usable in a conflict of this game: its own, and the shared ones it decides."""
    shared = [command for command in system.decide if command not in system.commands]
    return [*system.commands, *shared]


def written(system: System) -> list[str]:
    """Returns a text line on who wrote the rules of a game, and their licence; none if neither is known."""
    told = (f"By {system.author}" if system.author else "", system.licence and f"Licence: {system.licence}")
    return wrapped(". ".join(filter(None, told)) + ".") if any(told) else []


def describe(system: System) -> str:
    """Returns a text on one game: its verbs, options, conflict keys, `expect` subjects and sheet keys."""
    lines = [*wrapped(f"{system.title}: {system.about}"), *written(system), "", "Verbs"]
    for verb in answered(system):
        lines += columns([(verb.verb, (verb.__doc__ or "").partition("\n")[0]), ("", verb.example)], 15)
    if system.options:
        lines += ["", f"Options (option {system.name}.KEY=VALUE; the first is the default)"]
    for option in system.options:
        lines.append(f"  {option.key}={option.known}")
        lines += columns([("", option.about)], 5)
    if system.setup_keys:
        lines += ["", "Keys of conflict", *(f"  {key}={form}" for key, form in system.setup_keys.items())]
    if system.facts:
        lines += ["", "What expect can ask"]
        asked = {
            name + (" NAME" if fact.of_person else ""): fact.about for name, fact in system.facts.items()
        }
        lines += columns(asked.items(), 20)
    if system.sheet:
        keys = ", ".join(key.key for key in system.sheet)
        lines += ["", *wrapped(f"Keys of a sheet: {keys} (more: retold systems {system.name} --sheet)")]
    lines += ["", f"Rules: retold help {system.name}"]
    return "\n".join(lines) + "\n"


def _as_json(system: System) -> dict[str, Any]:
    return {
        "name": system.name,
        "title": system.title,
        "about": system.about,
        "author": system.author or None,
        "licence": system.licence or None,
        "verbs": [
            {"verb": verb.verb, "short": list(verb.short), "form": str(form_of(verb)), "help": verb.__doc__}
            for verb in answered(system)
        ],
        "options": [
            {
                "key": option.key,
                "values": list(option.values),
                "default": option.default,
                "number": option.number,
                "about": option.about,
            }
            for option in system.options
        ],
        "conflict_keys": dict(system.setup_keys),
        "sheet": [{name: getattr(key, name) for name in SHEET_FIELDS} for key in system.sheet],
        "expect": {name: fact.about for name, fact in system.facts.items()},
    }
