"""The `home` verb: opens the campaigns of a folder in the browser."""

from __future__ import annotations

from typing import Annotated

import typer

from retold.cli.campaigns.settings import Settings

Port = Annotated[int, typer.Option("--port", metavar="N", min=0, max=65535, help="0 takes a free one.")]


def command(port: Port = 7650) -> None:
    """Open your campaigns in the browser, for this computer alone: begin one, play, bring one back.

    A second start opens the first one's page again. Ctrl-C, or the page's own button, ends it.

    Examples: retold home · retold home --port 8000
    """
    from retold.home.addresses.running import run
    from retold.home.shelf.campaigns import Shelf

    run(Shelf(Settings.of_user()), port)
