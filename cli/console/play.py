"""The `play` verb: opens the console, where a game master writes down the evening as it happens."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from retold.cli import app as o
from retold.cli.campaigns.asking import asker, scribe_for
from retold.cli.campaigns.opening import opened, warn_of_shared_disk
from retold.cli.output.drawing import write_recap
from retold.cli.output.printing import fitted
from retold.journal.refused import Refused
from retold.journal.store.contract.address import Address
from retold.projections.texts import safe

if TYPE_CHECKING:
    from retold.cli.console.session import ConsoleSession
    from retold.cli.invocation import Options

DUMB = ("dumb", "unknown")


def command(
    ctx: typer.Context,
    named: Annotated[
        str | None,
        typer.Argument(
            metavar="[CAMPAIGN]", help="Which; the same as -c. With --tour, the game.", show_default=False
        ),
    ] = None,
    campaign: o.Campaign = None,
    branch: o.Branch = None,
    recap: Annotated[
        bool, typer.Option("--recap/--no-recap", help="Say how the last session ended, here and at the next.")
    ] = True,
    tour: Annotated[
        bool,
        typer.Option("--tour", help="Walk through a first evening, line by line; nothing of it is kept."),
    ] = False,
    over_the_gap: Annotated[
        bool,
        typer.Option(
            "--over-the-gap", help="Continue although the server lacks this computer's last events."
        ),
    ] = False,
) -> int:
    """Write down the evening at a console, with completion and a status line.

    Lines are those of the table (docs/language.md): draw Zel clubs+melee = JH 10S. From a pipe, lines are
    carried out until one is refused, as run does. Leave with Ctrl-D: everything is recorded.

    Examples: retold play salt-road · retold play --tour bruise
    """
    if tour:
        return _walk_through(o.merged(ctx, campaign, branch), named)
    from retold.cli.console.session import ConsoleSession

    options = o.merged(ctx, named or campaign, branch)
    with opened(options, read_only=False, over_the_gap=over_the_gap) as (found, settings):
        warn_of_shared_disk(found.place)
        _check_gaps(found.place, over_the_gap=over_the_gap)
        scribe = scribe_for(options, found, settings)
        session = ConsoleSession(scribe, options, recaps=recap and sys.stdin.isatty())
        try:
            return _converse(session)
        finally:
            session.scribe.close()


def _check_gaps(place: Address, *, over_the_gap: bool) -> None:
    """Accepts the missing ends of a campaign on a server, or raises Refused if there are any."""
    if place.file is not None:
        return
    from retold.cli.campaigns.server_campaigns import Gaps

    gaps = Gaps.at(place)
    if gaps is not None and over_the_gap:
        gaps.accept()
    elif gaps is not None and (missing := gaps.sentence(place)) is not None:
        raise Refused(missing)


def _converse(session: ConsoleSession) -> int:
    if not sys.stdin.isatty():
        from retold.cli.console.script import read_pipe

        return read_pipe(session, sys.stdin.buffer)
    session.scribe.ask = asker(session.options, session.hear_ahead)
    name = session.scribe.campaign.lines()[session.scribe.line]
    begun = (
        f"Writing to {safe.line(name)} of {safe.line(session.scribe.campaign.place.name)},"
        f" at {session.scribe.writer.head.position}."
        " ? shows the keys, help the verbs; Ctrl-D leaves."
    )
    sys.stdout.writelines(f"{line}\n" for line in fitted((begun,), sys.stdout))
    if session.recaps:
        write_recap(session.scribe.campaign, session.scribe.line, sys.stdout, short=True)
    if _only_prints():
        from retold.cli.console.script import ask_plainly

        return ask_plainly(session)
    from retold.cli.console.loop import Console

    return Console.at(session).converse()


def _only_prints() -> bool:
    """True if nothing can be drawn: standard output is not a terminal, or a dumb one."""
    return os.environ.get("TERM", "").casefold() in DUMB or not sys.stdout.isatty()


def _walk_through(options: Options, game: str | None) -> int:
    """Runs a game's guided tour in a temporary campaign; by itself without a keyboard or a full terminal.

    Returns the exit code. Raises Refused for an unknown game.
    """
    from retold.cli.campaigns.settings import Settings
    from retold.cli.console.demo import staged
    from retold.cli.console.script import Tour, read_out
    from retold.cli.console.session import ConsoleSession
    from retold.journal.store.writing.campaign import CampaignStore

    tour = Tour.of(game)
    with staged("tour") as folder, CampaignStore.create(folder / "tour.retold") as campaign:
        session = ConsoleSession(scribe_for(options, campaign, Settings.of_user()), options)
        if not sys.stdin.isatty() or _only_prints():
            return read_out(session, tour)
        from retold.cli.console.loop import Console

        console = Console.at(session)
        console.tour = tour
        return console.converse()
