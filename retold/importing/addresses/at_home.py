"""A log that is brought in at home: its questions one by one, the report, and the way to its campaign."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import parse_qs

from anyio import open_file
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from retold.cli.service.at_home import AtHome, FileForm
from retold.cli.service.endpoints import HTTPError, in_a_thread, json_response
from retold.importing.verb.log_page import page
from retold.importing.verb.on_page import BACK, NAMED, ROLES, LogOnPage

LOG: Final = "/home/log/"
FORM: Final = FileForm(
    "Bring a log in",
    "A log of Discord, Foundry, Roll20, Telegram or another tool, or a text: choose it, or drop it here",
    "You are asked what only you know. Nothing is recorded before you have seen what will come of it.",
    "Look at it",
    f"{LOG}file",
)
SETTLES: Final = 2.0
"""Seconds that an answer waits for what comes next."""


class Logs:
    """The log that comes in now, if any."""

    def __init__(self, home: AtHome) -> None:
        self.home = home
        self.log: LogOnPage | None = None
        self._folder: TemporaryDirectory[str] | None = None

    def routes(self) -> list[BaseRoute]:
        """Returns the routes below home."""
        acts = {"file": self.bring, "answer": self.answer, "record": self.record, "cancel": self.cancel}
        guarded = self.home.guarded
        return [
            Route(LOG, guarded(self.show)),
            Route(f"{LOG}play", guarded(self.play), methods=["POST"]),
            *(Route(f"{LOG}{name}", guarded(act), methods=["POST"]) for name, act in acts.items()),
        ]

    async def bring(self, request: Request) -> Response:
        """Takes a log, and begins to read it; a log that came before is given up."""
        self._give_up()
        self._folder = TemporaryDirectory(prefix="retold-log-", ignore_cleanup_errors=True)
        name = re.sub(r"[^\w.,()+ -]+", "_", Path(request.query_params.get("name", "")).name).strip(". ")
        path = Path(self._folder.name, name[-80:] or "log")
        async with await open_file(path, "wb") as file:
            async for part in request.stream():
                await file.write(part)
        self.log = LogOnPage(path, self.home.make)
        return json_response({"at": LOG})

    async def show(self, _: Request) -> Response:
        """Answers with the page: the question that waits, the report, or how far it is."""
        log = self.log
        if log is None:
            return RedirectResponse("/home/", 303)
        await in_a_thread(lambda: log.settle(SETTLES))
        return Response(page(log), 200, dict(self.home.headers), "text/html")

    async def answer(self, request: Request) -> Response:
        """Answers the question that waits."""
        form = parse_qs((await request.body()).decode("utf-8", "replace"), keep_blank_values=True)
        who, typed, name = (", ".join(form.get(field, ())).strip() for field in ("who", "typed", "name"))
        said = who if typed in ROLES and " " not in typed else "", typed, name if typed in NAMED else ""
        if self.log is not None:
            self.log.answer(BACK if "back" in form else " ".join(filter(None, said)))
        return RedirectResponse(LOG, 303)

    async def record(self, request: Request) -> Response:
        """Records the log in a new campaign."""
        form = parse_qs((await request.body()).decode("utf-8", "replace"))
        if self.log is not None:
            self.log.record(form.get("title", [""])[0])
        return RedirectResponse(LOG, 303)

    async def cancel(self, _: Request) -> Response:
        """Gives the log up; nothing of it is left."""
        self._give_up()
        return RedirectResponse("/home/", 303)

    async def play(self, request: Request) -> Response:
        """Opens the campaign that was made of the log."""
        made = None if self.log is None else self.log.made
        if made is None:
            raise HTTPError(422, "Nothing was recorded.")
        self._give_up()
        return await self.home.enter(request, made)

    def _give_up(self) -> None:
        if self.log is not None:
            self.log.cancel()
        self.log = None
        if self._folder is not None:
            self._folder.cleanup()


def routes(home: AtHome) -> Sequence[BaseRoute]:
    """Returns the routes of logs that are brought in."""
    return Logs(home).routes()
