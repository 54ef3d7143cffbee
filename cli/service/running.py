"""Running the service: what it prints first, and how it ends."""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Iterator, Sequence
from socket import socket
from typing import Any, Final

import uvicorn

from cli.service.app import application
from cli.service.connections import Counted, connections
from cli.service.inviting import Invitation, held, invitations, linkless, revoked
from cli.service.place import Place, listening
from cli.service.shelf import Shelf

GRACE: Final = 2
"""Seconds that what is being recorded has when the service ends; streams end at once."""


OPEN_TO_READ: Final = (
    "Nothing is encrypted: who shares this network can read along, links too. In one that you do not trust"
    " put a proxy with TLS before it (--proxy)."
)


class Server(uvicorn.Server):
    """A server that ends its streams when it is told to end: it would wait for them otherwise."""

    def __init__(self, config: uvicorn.Config, shelf: Shelf) -> None:
        super().__init__(config)
        self._shelf = shelf

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        """Ends every stream, then all the rest."""
        self._shelf.close_feeds()
        await super().shutdown(sockets)


def serve(shelf: Shelf, place: Place, name: str | None, *, codes: bool, as_json: bool) -> None:
    """Prints a link for everybody, or for one, and answers until Ctrl-C."""
    try:
        place, sockets = listening(place)
        found = invitations(shelf, place, name)
        nameless = [(one.slug, called) for one in shelf.served.values() for called in linkless(one.campaign)]
        shelf.read_links()
    except BaseException:
        shelf.end()
        raise
    for slug, called in nameless:
        sys.stderr.write(f"{slug}: no link for the player {called}: that word is for others. Rename them.\n")
    if as_json:
        sys.stdout.write(_as_json({"at": place.url, "campaigns": _by_campaign(found)}))
    else:
        sys.stdout.writelines(f"{line}\n" for line in _told(place, found, codes=codes))
    sys.stdout.flush()
    _run(shelf, place, sockets)


def show_links(shelf: Shelf, place: Place, new: str | None, revoke: str | None, *, as_json: bool) -> None:
    """Who holds a link; or a new one for somebody instead of those before, or none any more."""
    try:
        if new is not None:
            _show_new(place, invitations(shelf, place, new, only=True), as_json=as_json)
            return
        said = [] if revoke is None else list(revoked(shelf, revoke))
        campaigns = held(shelf)
    finally:
        shelf.end()
    if as_json:
        sys.stdout.write(_as_json({"campaigns": campaigns}))
    else:
        sys.stdout.writelines(f"{line}\n" for line in said or _holders(campaigns))


def server(shelf: Shelf, place: Place, *, log: bool = True) -> Server:
    """What answers for a shelf at a place."""
    config = uvicorn.Config(
        application(shelf, place.answers_to, log=log),
        log_config=None,
        access_log=False,
        server_header=False,
        http=connections(Counted(place.proxies)),
        proxy_headers=bool(place.proxies),
        forwarded_allow_ips=list(place.proxies),
        lifespan="on",
        ws="none",
        timeout_graceful_shutdown=GRACE,
    )
    return Server(config, shelf)


def _run(shelf: Shelf, place: Place, sockets: list[socket]) -> None:
    """Answers until Ctrl-C, then ends at once, whoever is still listening."""
    if not os.environ.get("RETOLD_DEBUG"):  # what it says of streams that end is nobody's to read
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    try:
        server(shelf, place).run(sockets=sockets)
    except KeyboardInterrupt:
        sys.stderr.write("\n")


# --- what is printed --------------------------------------------------------------------------------------


def _told(place: Place, found: Sequence[Invitation], *, codes: bool) -> Iterator[str]:
    where = "this network" if codes else "this computer only"
    yield f"Serving at {place.url} for {where}; Ctrl-C ends it. Each link is a secret of its person."
    if codes and not place.proxies:
        yield OPEN_TO_READ
    for one in found:
        yield ""
        yield f"{one.served.slug}, {_whose(one.viewer)}: {one.link}"
        if codes:
            yield one.qr_code().rstrip("\n")


def _whose(viewer: str) -> str:
    return {"gm": "the game master", "table": "the table's screen"}.get(viewer, viewer)


def _show_new(place: Place, found: Sequence[Invitation], *, as_json: bool) -> None:
    if as_json:
        sys.stdout.write(_as_json({"at": place.url, "campaigns": _by_campaign(found)}))
        return
    for one in found:
        sys.stdout.write(f"{one.served.slug}, {_whose(one.viewer)}: {one.link}\n")
        sys.stdout.write(one.qr_code())


def _holders(campaigns: Sequence[dict[str, Any]]) -> Iterator[str]:
    for campaign in campaigns:
        if not campaign["links"]:
            yield f"{campaign['name']}: nobody holds a link; serve prints them."
        for one in campaign["links"]:
            came = "" if one["joined"] else ", not used yet"
            yield f"{campaign['name']}: {_whose(one['viewer'])}, since {one['made'][:10]}{came}"


def _by_campaign(found: Sequence[Invitation]) -> list[dict[str, Any]]:
    campaigns: dict[str, dict[str, Any]] = {}
    for served, viewer, link in found:
        kept = {"name": served.slug, "file": str(served.campaign.path), "links": []}
        campaigns.setdefault(served.slug, kept)["links"].append({"viewer": viewer, "link": link})
    return list(campaigns.values())


def _as_json(value: dict[str, Any]) -> str:
    return json.dumps({"retold": "serve", "version": 1, **value}) + "\n"
