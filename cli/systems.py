"""`systems`: what is played, with each one's verbs and options."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from cli import options as o
from cli.columns import columns, wrapped
from cli.dispatch import DONE
from cli.language.verbs import form_of
from cli.telling import say_json
from journal.names import Unknown, find, nearest
from journal.system import System
from journal.systems import SYSTEMS
from journal.vocabulary.base import Command


def command(
    ctx: typer.Context,
    system: Annotated[str | None, typer.Argument(help="One system; else all of them in short.")] = None,
    json: o.Json = False,
) -> int:
    """List the systems that can be played, or one with its verbs, options and sheet.

    Example: retold systems bruise
    """
    if system is None:
        chosen = list(SYSTEMS.values())
    else:
        try:
            chosen = [SYSTEMS[find(system, {one.name: (one.name, one.title) for one in SYSTEMS.values()})]]
        except Unknown:
            raise Unknown(system, nearest(system, SYSTEMS)) from None
    if o.merged(ctx, None, None, json).json:
        say_json({"retold": "systems", "version": 1, "systems": [_as_json(one) for one in chosen]})
    elif system is None:
        for one in chosen:
            for line in columns([(one.name, f"{one.title}: {one.about}")], 12):
                sys.stdout.write(f"{line}\n")
        sys.stdout.write("\nMore of one: retold systems NAME\n")
    else:
        sys.stdout.write(describe(chosen[0]))
    return DONE


def answered(system: System) -> list[type[Command]]:
    """The verbs that mean something in a conflict of this system: its own, and shared ones it answers."""
    shared = [command for command in system.decide if command not in system.commands]
    return [*system.commands, *shared]


def describe(system: System) -> str:
    """A page about one system."""
    lines = [*wrapped(f"{system.title}: {system.about}"), "", "Verbs"]
    for verb in answered(system):
        lines += columns([(verb.verb, (verb.__doc__ or "").partition("\n")[0]), ("", verb.example)], 15)
    lines += ["", f"Options (option {system.name}.KEY=VALUE; the first holds where nobody chose)"]
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
    lines += ["", f"Rules: docs/rules/{system.name}.md"]
    return "\n".join(lines) + "\n"


def _as_json(system: System) -> dict[str, Any]:
    return {
        "name": system.name,
        "title": system.title,
        "about": system.about,
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
        "expect": {name: fact.about for name, fact in system.facts.items()},
    }
