"""The address `mcp` of a served campaign: an assistant reads it by a link, as the viewer of that link."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Final

from starlette.responses import Response

from retold.cli.service.endpoints import Answering, AuthorizedRequest, HTTPError, in_a_thread
from retold.mcp.protocol.tools import LIBRARY, Opened

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

MOST_KEPT: Final = 32
"""So many viewers are kept with what was listed for them."""

_kept: dict[tuple[str, str], Opened] = {}


async def mcp(asked: AuthorizedRequest) -> Response:
    """Answers a request of an assistant, which can only read here; HTTPError 400 for another program's."""
    headers = asked.request.headers
    if any("application/json" not in headers.get(name, "") for name in ("accept", "content-type")):
        raise HTTPError(400, "Only a program that speaks the Model Context Protocol is answered here.")
    return _Answer(await in_a_thread(lambda: _opened(asked)))


def _opened(asked: AuthorizedRequest) -> Opened:
    """Returns the campaign for the viewer of a link; Refused if the protocol's library is missing."""
    LIBRARY.load("This address")
    served, key = asked.served, (asked.served.slug, str(asked.viewer))
    opened = _kept.pop(key, None)
    if opened is None or opened.campaign is not served.aside:
        opened = Opened(
            served.slug,
            served.aside,
            asked.viewer,
            lambda: served.aside.go(served.campaign.scribe.line),
        )
    _kept[key] = opened
    for old in list(_kept)[:-MOST_KEPT]:
        del _kept[old]
    return opened


class _Answer(Response):
    """What the protocol's library answers to one request."""

    def __init__(self, opened: Opened) -> None:
        super().__init__()
        self.opened = opened

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends the answer."""
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        from retold.mcp.protocol.server import server

        made = server({self.opened.name: self.opened})
        manager = StreamableHTTPSessionManager(made, json_response=True, stateless=True)
        async with manager.run():
            await manager.handle_request(scope, receive, send)


BELOW: Final[tuple[tuple[str, str, Answering], ...]] = (("POST", "mcp", mcp),)
"""Addresses below a campaign's."""

FILES: Final = Path(__file__).with_name("pages")
"""Folder of what pages load: there are none."""

PAGES: Final[Mapping[str, Answering]] = {}
"""Pages below a campaign's address: there are none."""


def description() -> ModuleType:
    """Returns the module that describes this address."""
    from retold.mcp.addresses import description as described

    return described
