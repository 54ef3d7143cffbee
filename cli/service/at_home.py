"""Contract between `home` and the features that add pages to it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from retold import Address, Campaign
from retold.cli.service.endpoints import Endpoint


class AtHome(NamedTuple):
    """Home, for the addresses of a feature below it."""

    guarded: Callable[[Callable[[Request], Awaitable[Response]]], Endpoint]
    """Wraps an act: only the browser that home has opened may ask for it, and refusals are answered."""
    make: Callable[[str, Callable[[Campaign], object]], Address]
    """Makes a campaign in the user's folder: its title, and what fills it; if that fails, no file is left."""
    enter: Callable[[Request, Address], Awaitable[Response]]
    """Opens a campaign, and redirects to the game master's page of it."""
    headers: Mapping[str, str]
    """Headers of a page with forms."""


class FileForm(NamedTuple):
    """A form on home's page to which a file is brought."""

    heading: str
    label: str
    note: str
    button: str
    address: str
    """Path to which the file's content is sent; the answer has the page's path as `at`."""
