"""Links as they are made: who may have one, and the secret address with its QR code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from io import StringIO
from typing import Any, Final, NamedTuple

import segno

from retold import Campaign
from retold.cli.campaigns.links import OPEN, Link
from retold.cli.service.served_campaigns import ServedCampaign

GM: Final = 0
"""The game master's id in the cast."""


class Invitation(NamedTuple):
    """A new link for one viewer of a campaign; its secret is shown now and never again."""

    served: ServedCampaign
    viewer: str
    link: str

    @property
    def image(self) -> str:
        """A QR code of the link, as the address of an image (`data:`)."""
        return segno.make(self.link, error="l").svg_data_uri(scale=4, border=4, light="white")

    def qr_code(self) -> str:
        """Returns a QR code of the link, drawn with characters for a terminal."""
        drawn = StringIO()
        segno.make(self.link, error="l").terminal(drawn, compact=True, border=2)
        return drawn.getvalue()


def viewers(campaign: Campaign) -> list[str]:
    """Returns names of the viewers who get links: `gm`, `table` (shared screen), and each player."""
    cast: Sequence[Mapping[str, Any]] = campaign.view("cast").to_json()["cast"]
    chair = next((one["player"]["id"] for one in cast if one["role"] == "gm" and one["player"]), None)
    gone = {one["id"] for one in cast if one["retired"]}
    players = (one["player"] for one in cast if one["player"] and one["id"] not in gone)
    names = (one["name"] for one in players if one["id"] not in {GM, chair, *gone})
    return [*OPEN, *(name for name in dict.fromkeys(names) if name.casefold() not in OPEN)]


def players_without_link(campaign: Campaign) -> Iterator[str]:
    """Yields names of players called `gm` or `table`: they get no link, as these words name other viewers."""
    cast: Sequence[Mapping[str, Any]] = campaign.view("cast").to_json()["cast"]
    names = (one["player"]["name"] for one in cast if one["player"] and not one["retired"])
    return (name for name in dict.fromkeys(names) if name.casefold() in OPEN)


def viewer_named(campaign: Campaign, name: str) -> str:
    """Returns `gm`, `table`, or the current name of the person called `name`; Refused if unknown."""
    if name.casefold() in ("gm", "table"):
        return name.casefold()
    found = campaign.who_is(name)
    return "gm" if campaign.lasting(found) == "gm" else found


def new_link(served: ServedCampaign, url: str, viewer: str, *, only: bool = False) -> str:
    """Returns a new link that opens a campaign to a viewer, below the service's `url`.

    `only` first revokes the viewer's earlier links.
    """
    whose = served.campaign.lasting(viewer)
    if only:
        served.links.revoke(links_for(served, viewer))
    made = datetime.now(UTC).isoformat(timespec="seconds")
    return f"{url}#{served.links.new(whose, viewer, made)}"


def links_for(served: ServedCampaign, viewer: str) -> list[Link]:
    """Returns links of a viewer, found by current name, else by the name stored in the link."""
    return [one for one in served.links.every() if served.called(one) == viewer]
