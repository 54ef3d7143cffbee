"""Starts and stops the service; makes, lists and revokes links."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from socket import socket
from typing import Any, Final

import uvicorn
from starlette.routing import BaseRoute

from retold import Refused
from retold.cli.campaigns.server_campaigns import ServerCampaigns
from retold.cli.service.app import application
from retold.cli.service.invitations import (
    Invitation,
    links_for,
    new_link,
    players_without_link,
    viewer_named,
    viewers,
)
from retold.cli.service.network import (
    LIMITS,
    LOOPBACK,
    Counted,
    NetworkAddress,
    bind_sockets,
    connections,
    lan_address,
    listening_at,
)
from retold.cli.service.served_campaigns import ServedCampaign, ServedCampaigns


def invitations(
    served_campaigns: ServedCampaigns, address: NetworkAddress, name: str | None, *, only: bool = False
) -> list[Invitation]:
    """Makes and returns new links, one per campaign and viewer; with `name`, for that viewer only.

    `only` first revokes their earlier links. Raises Refused if no campaign has a person of that name.
    """
    return [
        Invitation(served, viewer, new_link(served, address.url, viewer, only=only))
        for served, viewer in campaigns_and_viewers(served_campaigns, name)
    ]


def campaigns_and_viewers(
    served_campaigns: ServedCampaigns, name: str | None
) -> list[tuple[ServedCampaign, str]]:
    """Returns pairs of a campaign and a viewer's name; with `name`, only pairs with that viewer.

    Raises Refused if no campaign has a person of that name.
    """
    found: list[tuple[ServedCampaign, str]] = []
    refusal: Refused | None = None
    for served in served_campaigns.served.values():
        try:
            whose = viewers(served.campaign) if name is None else [viewer_named(served.campaign, name)]
        except Refused as error:
            refusal = error
            continue
        found += [(served, viewer) for viewer in whose]
    if refusal is not None and not found:
        raise refusal
    return found


def missing_invitations(served_campaigns: ServedCampaigns, address: NetworkAddress) -> list[Invitation]:
    """Makes and returns a new link for each viewer of a campaign who holds none."""
    found: list[Invitation] = []
    for served in served_campaigns.served.values():
        held = {served.called(one) for one in served.links.every()}
        without = [viewer for viewer in viewers(served.campaign) if viewer not in held]
        found += [Invitation(served, one, new_link(served, address.url, one)) for one in without]
    return found


def revoke_links(served_campaigns: ServedCampaigns, name: str) -> Iterator[str]:
    """Revokes a viewer's links in every campaign; yields a sentence for each campaign.

    A former name works too, if it is stored in a link. Raises Refused if a campaign has no person of that
    name.
    """
    for served in served_campaigns.served.values():
        viewer = name if links_for(served, name) else viewer_named(served.campaign, name)
        count = served.links.revoke(links_for(served, viewer))
        links = {0: "had no link", 1: "1 link is"}.get(count, f"{count} links are")
        worth = "" if not count else " worth nothing now"
        yield f"{served.slug}: {viewer}: {links}{worth}."


def links_held(served_campaigns: ServedCampaigns) -> list[dict[str, Any]]:
    """Returns each campaign with its links' viewers, dates and use, as JSON data."""
    return [
        {
            "name": served.slug,
            "file": str(served.campaign.place),
            "links": [
                {"viewer": served.called(one), "made": one.made, "joined": one.joined}
                for one in served.links.every()
            ],
        }
        for served in served_campaigns.served.values()
    ]


LINKS_OF: Final = "retold serve {}NAME --links --invite"

GRACE: Final = 2
"""Seconds that what is being recorded has when the service ends; streams end at once."""


OPEN_TO_READ: Final = (
    "Nothing is encrypted: who shares this network can read along, links too. In one that you do not trust"
    " put a proxy with TLS before it (--proxy)."
)


class Server(uvicorn.Server):
    """Uvicorn server that closes event streams when it stops; plain uvicorn would wait for their end.

    `hosts` are the names it answers to; listening in the network adds one.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        served_campaigns: ServedCampaigns,
        address: NetworkAddress,
        hosts: set[str],
    ) -> None:
        super().__init__(config)
        self._served_campaigns, self._address, self._hosts = served_campaigns, address, hosts
        served_campaigns.url = self._url

    async def _url(self) -> str:
        return self._address.url

    async def url_in_network(self) -> str:
        """Listens at this computer's address in its network too; returns the start of links' addresses.

        In no network it is the loopback address. Raises Refused if another program has the port there.
        """
        try:
            ip = lan_address()
        except Refused:
            ip = LOOPBACK
        address = replace(self._address, address=ip, hosts=())
        if ip not in self._hosts:
            found = listening_at(ip, address.port)
            self._hosts.add(ip)
            config = self.config
            made = partial(
                config.http_protocol_class,
                config,  # type: ignore[call-arg]
                self.server_state,
                self.lifespan.state,
            )
            self.servers.append(await asyncio.get_running_loop().create_server(made, sock=found))
        return address.url

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        """Closes every event stream, then shuts the server down."""
        self._served_campaigns.close_feeds()
        await super().shutdown(sockets)


def serve(
    served_campaigns: ServedCampaigns,
    address: NetworkAddress,
    name: str | None,
    *,
    codes: bool,
    as_json: bool,
) -> None:
    """Prints new links and serves the campaigns until Ctrl-C.

    Of a campaign on a server, only who holds no link gets one. `name` limits the links to one viewer's;
    `codes` adds QR codes; `as_json` prints JSON.
    """
    try:
        if name is not None:
            _check_named(served_campaigns.server)
        address, sockets = bind_sockets(address)
        if served_campaigns.server is None or name is not None:
            found = invitations(served_campaigns, address, name)
        else:  # links that another node has printed stay good
            found = missing_invitations(served_campaigns, address)
        nameless = [
            (one.slug, called)
            for one in served_campaigns.served.values()
            for called in players_without_link(one.campaign)
        ]
        served_campaigns.read_links()
    except BaseException:
        served_campaigns.end()
        raise
    for slug, called in nameless:
        sys.stderr.write(f"{slug}: no link for the player {called}: that word is for others. Rename them.\n")
    if as_json:
        sys.stdout.write(_as_json({"at": address.url, "campaigns": _by_campaign(found)}))
    else:
        told = _told(address, found, served_campaigns.server, codes=codes)
        sys.stdout.writelines(f"{line}\n" for line in told)
    sys.stdout.flush()
    run(server(served_campaigns, address), sockets)


def show_links(
    served_campaigns: ServedCampaigns,
    address: NetworkAddress,
    new: str | None,
    revoke: str | None,
    *,
    invite: bool = False,
    as_json: bool,
) -> None:
    """Prints who holds links, or new links, or which links it revoked; serves nothing.

    `new` names a viewer who gets a new link in place of earlier ones, `revoke` one who loses theirs; `invite`
    makes a link for all who hold none. Closes the campaigns. Raises Refused for a whole server.
    """
    try:
        _check_named(served_campaigns.server)
        if invite:
            _show_new(address, missing_invitations(served_campaigns, address), as_json=as_json)
            return
        if new is not None:
            _show_new(address, invitations(served_campaigns, address, new, only=True), as_json=as_json)
            return
        said = [] if revoke is None else list(revoke_links(served_campaigns, revoke))
        campaigns = links_held(served_campaigns)
    finally:
        served_campaigns.end()
    if as_json:
        sys.stdout.write(_as_json({"campaigns": campaigns}))
    else:
        sys.stdout.writelines(f"{line}\n" for line in said or _holders(campaigns))


def _check_named(server: ServerCampaigns | None) -> None:
    """Raises Refused if links are wanted of every campaign of a server."""
    if server is not None and not server.named:
        raise Refused(f"Links are of one campaign: name it, serve {server.server}NAME --links.")


def server(
    served_campaigns: ServedCampaigns,
    address: NetworkAddress,
    *,
    log: bool = True,
    more: Sequence[BaseRoute] = (),
    limits: Mapping[str, tuple[int, str]] = LIMITS,
) -> Server:
    """Returns a server, not yet running, for these campaigns; `log` prints each request.

    `more` and `limits` are as in `application`.
    """
    hosts = set(address.answers_to)
    config = uvicorn.Config(
        application(served_campaigns, hosts, log=log, more=more, limits=limits),
        log_config=None,
        access_log=False,
        server_header=False,
        http=connections(Counted(address.proxies)),
        proxy_headers=bool(address.proxies),
        forwarded_allow_ips=list(address.proxies),
        lifespan="on",
        ws="none",
        timeout_graceful_shutdown=GRACE,
    )
    return Server(config, served_campaigns, address, hosts)


def run(server: Server, sockets: list[socket]) -> None:
    """Serves until Ctrl-C, then stops at once, even while event streams are open."""
    if not os.environ.get("RETOLD_DEBUG"):  # its messages about ended streams help no reader
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    try:
        server.run(sockets=sockets)
    except KeyboardInterrupt:
        sys.stderr.write("\n")


# --- what is printed --------------------------------------------------------------------------------------


def _told(
    address: NetworkAddress, found: Sequence[Invitation], server: ServerCampaigns | None, *, codes: bool
) -> Iterator[str]:
    where = "this network" if codes else "this computer only"
    yield f"Serving at {address.url} for {where}; Ctrl-C ends it. Each link is a secret of its person."
    if codes and not address.proxies:
        yield OPEN_TO_READ
    if server is not None and not server.named:
        many = "1 campaign" if server.many == 1 else f"{server.many:,} campaigns"
        yield f"It serves {many} of {server.server} and those made later."
        yield f"Links: {LINKS_OF.format(server.server)}"
    for one in found:
        yield ""
        yield f"{one.served.slug}, {_whose(one.viewer)}: {one.link}"
        if codes:
            yield one.qr_code().rstrip("\n")


def _whose(viewer: str) -> str:
    return {"gm": "the game master", "table": "the table's screen"}.get(viewer, viewer)


def _show_new(address: NetworkAddress, found: Sequence[Invitation], *, as_json: bool) -> None:
    if as_json:
        sys.stdout.write(_as_json({"at": address.url, "campaigns": _by_campaign(found)}))
        return
    for one in found:
        sys.stdout.write(f"{one.served.slug}, {_whose(one.viewer)}: {one.link}\n")
        sys.stdout.write(one.qr_code())


def _holders(campaigns: Sequence[dict[str, Any]]) -> Iterator[str]:
    for campaign in campaigns:
        if not campaign["links"]:
            yield f"{campaign['name']}: there is no link yet; serve prints them."
        for one in campaign["links"]:
            came = "" if one["joined"] else ", not used yet"
            yield f"{campaign['name']}: {_whose(one['viewer'])}, since {one['made'][:10]}{came}"


def _by_campaign(found: Sequence[Invitation]) -> list[dict[str, Any]]:
    campaigns: dict[str, dict[str, Any]] = {}
    for served, viewer, link in found:
        kept = {"name": served.slug, "file": str(served.campaign.place), "links": []}
        campaigns.setdefault(served.slug, kept)["links"].append({"viewer": viewer, "link": link})
    return list(campaigns.values())


def _as_json(value: dict[str, Any]) -> str:
    return json.dumps({"retold": "serve", "version": 1, **value}) + "\n"
