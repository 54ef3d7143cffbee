"""A served campaign answers an assistant at `/c/CAMPAIGN/mcp`, by the link of one viewer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.cli.service.phone import Phone, Serving, serving
from tests.patience import PATIENCE
from tests.retold.mcp.assistant import SECRETS, answered, begun


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    folder = tmp_path_factory.mktemp("served")
    begun(folder / "ferry.retold").close()
    with serving(folder / "ferry.retold", home=folder / "home") as found:
        yield found


def asking(phone: Phone, asked: Callable[[Client], Awaitable[Any]], mode: str) -> Any:  # noqa: ANN401 -- as asked
    url = f"http://127.0.0.1:{phone.place.port}/c/{phone.slug}/mcp"

    async def ask() -> Any:  # noqa: ANN401 -- as above
        headers = {"Authorization": f"Bearer {phone.secret}"}
        http = httpx2.AsyncClient(headers=headers, timeout=PATIENCE)
        async with http, Client(streamable_http_client(url, http_client=http), mode=mode) as client:
            return await asked(client)

    return anyio.run(ask)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_link_reads_as_its_viewer(service: Serving, mode: str) -> None:
    async def asked(client: Client) -> list[str]:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        answers = [await client.call_tool(name, {}) for name in ("campaigns", "happened", "recap", "board")]
        return [str(one) for one in (tools, *answers)]

    jon, gm = (asking(service.phone(viewer), asked, mode) for viewer in ("Jon", "gm"))

    assert '"viewer":"Jon"' in jon[1]
    assert [secret for secret in SECRETS if secret in "".join(jon)] == []
    assert "compass" in gm[2]
    assert "propose" not in gm[0] + jon[0]


def test_what_is_recorded_meanwhile_is_read(service: Serving) -> None:
    async def asked(client: Client) -> list[str]:
        cursor = (await answered(client, "happened"))["cursor"]
        service.campaign.say("narrate Ana: I follow.")
        page = await answered(client, "happened", after=cursor)
        return [item["text"] for item in page["items"]]

    assert asking(service.phone("table"), asked, "auto") == ["Ana narrates: “I follow.”"]


@pytest.mark.parametrize("secret", [None, "wrong"])
def test_without_a_link_there_is_nothing(service: Serving, secret: str | None) -> None:
    stranger = Phone(service.place, service.slug, secret)
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}

    answer = stranger.ask("mcp", body, accept="application/json, text/event-stream")

    assert answer.status == 401
    assert answer.body["error"].startswith("There is nothing here without a link")


def test_it_takes_nothing_but_requests(service: Serving) -> None:
    phone = service.phone("Jon")

    assert phone.ask("mcp").status == 405
    assert phone.ask("mcp", raw=b"no JSON", content_type="application/json").status in (400, 406)
