"""The `new` verb: makes a campaign's file."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from retold.campaign import new as make
from retold.cli import app as o
from retold.cli.campaigns.asking import read_file
from retold.cli.campaigns.opening import check_disk
from retold.cli.campaigns.settings import Settings, new_place
from retold.journal.games import BUILT_IN, OF_FILES
from retold.journal.language.tokens import refuse_control_characters
from retold.journal.names import clean
from retold.journal.refused import Refused
from retold.journal.shell_words import shell_word
from retold.journal.store import places
from retold.projections.texts import safe

SHORTEST_SEED = 8
SAFE_SEED = 20
"""Characters of a seed that cannot be found by trying, though each try takes no time."""


def command(
    name: Annotated[
        str, typer.Argument(help="The campaign's file, such as salt-road, or club:salt-road on a server.")
    ],
    title: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Its title; else name it later with campaign.")
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(metavar="GAME", help="What is played: whiskey, d20, moves … or a file of your own."),
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option(
            metavar="WORDS", help="Deal from this secret, so that every deal can be proved later; - reads it."
        ),
    ] = None,
    shared_disk: o.SharedDisk = False,
) -> None:
    """Begin a campaign: one file that holds everything.

    Examples: retold new salt-road --title "The Salt Road" · retold new orrin --game d20
    """
    place = new_place(name)
    if title is not None:
        title = one_line(title)
    if seed == "-":  # a shell keeps the command line in its history, and others can see it
        seed = sys.stdin.readline().rstrip("\r\n")
    if seed is not None and len(seed) < SHORTEST_SEED:
        raise Refused(f"A seed that short is guessed at once: give at least {SHORTEST_SEED} characters.")
    check_disk(place, allowed=shared_disk)
    ours = next((name for name in BUILT_IN if game is not None and name == game.strip().casefold()), None)
    named = None if ours == OF_FILES else game
    with make(place, title=title, seed=seed and clean(seed), game=named, read_file=read_file) as campaign:
        server = places.server(place)
        kept = seed is not None and Settings.of_user().keep_seed(campaign.id, seed)
    shown = safe.line(str(place))
    sys.stdout.write(f"{shown}\n")
    said = shell_word(shown)
    on = f" on {safe.line(server)}" if server else ""
    sys.stderr.write(
        f"A new campaign{on}. Next: retold play {said}, or line by line: retold -c {said} session\n"
    )
    if ours is not None:
        whose = f"cast NAME {ours} …" if ours == OF_FILES else "cast NAME …"
        sys.stderr.write(f"{ours} needs no file: its players get a sheet ({whose}).\n")
    if seed is not None:
        where = "kept on this computer only" if kept else "kept nowhere: give it as RETOLD_SEED when you play"
        sys.stderr.write(f"Its seed is committed to in the first event and {where}.\n")
        if len(seed) < SAFE_SEED:
            sys.stderr.write(
                "It is short: anyone who has the campaign can try out seeds until one fits, and look ahead. "
                f"With {SAFE_SEED} random characters, no one can.\n"
            )


def one_line(title: str) -> str:
    """Returns the title, normalised; raises Refused if it is empty or has control characters."""
    typed = clean(title).strip()
    if not typed:
        raise Refused("A title without a word is none: leave --title out, and name the campaign later.")
    refuse_control_characters(typed)
    return typed
