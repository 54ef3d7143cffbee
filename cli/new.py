"""`new`: begins a campaign."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from cli.dispatch import DONE
from cli.settings import SUFFIX, Settings
from journal.refused import Refused
from journal.store.campaign import Campaign


def command(
    name: Annotated[str, typer.Argument(help="The campaign's file, such as salt-road.")],
    title: Annotated[str | None, typer.Option(help="Its title; else name it later with campaign.")] = None,
    seed: Annotated[
        str | None, typer.Option(help="Deal from this secret, so that every deal can be proved later.")
    ] = None,
) -> int:
    """Begin a campaign: one file that holds everything.

    Example: retold new salt-road --title "The Salt Road"
    """
    path = Path(name)
    path = path if path.suffix == SUFFIX else path.with_name(path.name + SUFFIX)
    if seed is not None and len(seed) < 8:
        raise Refused("A seed that short is guessed at once: give at least 8 characters.")
    data = None if seed is None else seed.encode()
    with Campaign.create(path, title=title, seed=data) as campaign:
        if seed is not None:
            Settings.of_user().keep_seed(campaign.id, seed)
    sys.stdout.write(f"{path}\n")
    sys.stderr.write(
        f"A new campaign. Next: retold -c {path} play, or: retold -c {path} session, scene, cast, conflict …\n"
    )
    if seed is not None:
        sys.stderr.write("Its seed is committed to in the first event and kept on this computer only.\n")
    return DONE
