"""An assistant of a test: the protocol's own client, which speaks to a server in this process."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import anyio
import mcp_types as types
from mcp import Client

import retold
from retold.mcp.protocol.server import server
from retold.mcp.protocol.tools import Opened

LARGEST: Final = 25_000

EVENING: Final = """\
campaign The Salt Road
cast gm by=Mary
cast Zel bruise by=Jon clubs=4 melee=2: A smuggler
cast Ana bruise by=Kim clubs=3 melee=1: A pilot
session The ferry --date 2026-03-14
scene The quay, at night: Rain since noon.
narrate Zel: I run for the boat and do not look back at the lanterns.
narrate gm --gm: The ferryman is paid by the captain of the watch.
narrate Ana: I cut the rope behind him, and the ferry swings out.
cast "Captain Morvane" bruise --gm clubs=5: He waits on the far bank.
narrate gm: The ferryman pushes off without a word.
narrate Ana --to Ana: The compass in my coat points south.
thread "Who lit the lanterns": Nobody was on the quay.
thread "The drowned ledger" --gm: It lies under the third plank.
mark cast-off
end session: Out, and wet.
session The far bank --date 2026-03-21
narrate Zel: I go ashore first.
"""
SECRETS: Final = ("Morvane", "paid by the captain", "compass", "ledger", "third plank")


def begun(path: Path) -> retold.Campaign:
    """The evening on the ferry, with what only the game master and Kim know."""
    campaign = retold.new(path)
    campaign.play(EVENING)
    return campaign


def opened(campaign: retold.Campaign, viewer: str, **more: Any) -> Opened:  # noqa: ANN401 -- its fields
    return Opened("ferry", campaign, campaign.lasting(viewer), campaign.catch_up, **more)


class Assistant:
    """Asks the server of some campaigns, and keeps how large its answers were."""

    def __init__(self, *campaigns: Opened, name: str = "Claude") -> None:
        self.server = server({one.name: one for one in campaigns})
        self.info = types.Implementation(name=name, version="1")

    def told(self, asked: Callable[[Client], Any]) -> Any:  # noqa: ANN401 -- what the client's method returns
        """What the client's method returns."""

        async def ask() -> Any:  # noqa: ANN401 -- as above
            async with Client(self.server, client_info=self.info, mode="legacy") as client:
                return await asked(client)

        return anyio.run(ask)

    def said(self, tool: str, **arguments: object) -> str:
        """The text of an answer."""
        answer = self.told(lambda client: client.call_tool(tool, arguments))
        (content,) = answer.content
        assert len(content.text.encode()) <= LARGEST
        return str(content.text)

    def ask(self, tool: str, **arguments: object) -> dict[str, Any]:
        """An answer, which is no refusal."""
        found: dict[str, Any] = json.loads(self.said(tool, **arguments))
        return found

    def items(self, tool: str, **arguments: object) -> list[dict[str, Any]]:
        """The items of every page."""
        return [item for page in self.pages(tool, **arguments) for item in page["items"]]

    def pages(self, tool: str, **arguments: object) -> Iterator[dict[str, Any]]:
        after = ""
        while True:
            page = self.ask(tool, after=after, **arguments)
            yield page
            after = page["cursor"]
            if not page["more"]:
                return


async def answered(client: Client, tool: str, **arguments: object) -> dict[str, Any]:
    """The answer of a tool as JSON."""
    (content,) = (await client.call_tool(tool, arguments)).content
    assert isinstance(content, types.TextContent)
    found: dict[str, Any] = json.loads(content.text)
    return found
