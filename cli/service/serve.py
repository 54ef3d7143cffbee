"""The `serve` verb: shows a campaign live on its players' phones and on a shared screen."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Annotated

import typer

from retold.cli import app as o
from retold.cli.campaigns.opening import warn_of_encryption, warn_of_shared_disk
from retold.cli.campaigns.settings import Settings
from retold.cli.invocation import UsageError


def command(
    ctx: typer.Context,
    campaigns: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[CAMPAIGN]...", help="Which; the one here if none is named.", show_default=False
        ),
    ] = None,
    lan: Annotated[
        bool, typer.Option("--lan", help="For this computer's network: a link and a QR code for each person.")
    ] = False,
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65535, help="0 takes a free one.")
    ] = 7655,
    host: Annotated[
        list[str] | None,
        typer.Option("--host", metavar="NAME", help="A further name it answers to, which its links have."),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            "--proxy",
            "--behind",
            metavar="ADDRESS",
            help="A proxy's or balancer's that speaks HTTPS for it, as --host NAME.",
        ),
    ] = None,
    viewer: Annotated[
        str | None, typer.Option("--for", metavar="gm|table|NAME", help="Print the link of one person only.")
    ] = None,
    links: Annotated[bool, typer.Option("--links", help="List who holds a link, and serve nothing.")] = False,
    new: Annotated[
        str | None,
        typer.Option("--new", metavar="NAME", help="With --links: a new link instead of those before."),
    ] = None,
    invite: Annotated[
        bool, typer.Option("--invite", help="With --links: a link for everyone without one.")
    ] = False,
    revoke: Annotated[
        str | None,
        typer.Option("--revoke", metavar="NAME", help="With --links: their links are worth nothing now."),
    ] = None,
    json: o.Json = False,
) -> None:
    """Put a campaign on its players' phones, live, and take the lines they hand in.

    Each link opens one campaign to one viewer. Only this computer can reach it, unless --lan says otherwise.
    serve club: serves every campaign of a server, on as many computers as you like. Ctrl-C ends it.

    Examples: retold serve --lan · retold serve salt-road iron-vale · retold serve --links --revoke Jon
    """
    if (new or revoke) and not links:
        raise UsageError("--new and --revoke go with --links: serve --links --revoke NAME.")
    if invite and (not links or new or revoke):
        raise UsageError("--invite goes with --links alone: serve --links --invite.")
    if proxy and not host:
        raise UsageError("--proxy goes with --host: name what the proxy is called outside, --host NAME.")
    for one in proxy or ():
        _check_address(one)
    options = o.merged(ctx, None, None, json)
    settings = Settings.of_user()
    named: list[str | None] = [*(campaigns or ())] or [options.campaign]
    addresses = [settings.campaign(one) for one in named]
    from retold.cli.service import running
    from retold.cli.service.network import LOOPBACK, NetworkAddress, lan_address
    from retold.cli.service.served_campaigns import open_campaigns

    address = NetworkAddress(lan_address() if lan else LOOPBACK, port, tuple(host or ()), tuple(proxy or ()))
    served_campaigns = open_campaigns(dict.fromkeys(addresses), settings)
    for place in addresses:
        warn_of_shared_disk(place)
    warn_of_encryption(addresses[0])
    if links:
        running.show_links(served_campaigns, address, new, revoke, invite=invite, as_json=options.json)
    else:
        running.serve(served_campaigns, address, viewer, codes=lan, as_json=options.json)


def _check_address(typed: str) -> None:
    """Raises UsageError unless a proxy's address is an IP address; a host name could be redirected."""
    try:
        ip_address(typed)
    except ValueError:
        raise UsageError(
            f"--proxy takes the address of a proxy, such as 127.0.0.1: {typed} is none."
        ) from None
