"""Inviting: whom there are links for, a new link as text and as QR code, who holds one, and revoking."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from io import StringIO
from typing import Any, Final, NamedTuple

import segno

from cli.service.links import OPEN, Link
from cli.service.place import Place
from cli.service.shelf import Served, Shelf
from retold import Campaign, Refused

GM: Final = 0
"""The game master's place in the cast."""


class Invitation(NamedTuple):
    """A link for somebody, as it is handed over: nobody can be told it again."""

    served: Served
    viewer: str
    link: str

    def qr_code(self) -> str:
        """It as a QR code for a terminal."""
        drawn = StringIO()
        segno.make(self.link, error="l").terminal(drawn, compact=True, border=2)
        return drawn.getvalue()


def viewers(campaign: Campaign) -> list[str]:
    """Whom there are links for: the game master, the table, and everybody who plays somebody."""
    cast: Sequence[Mapping[str, Any]] = campaign.view("cast").to_json()["cast"]
    chair = next((one["player"]["id"] for one in cast if one["role"] == "gm" and one["player"]), None)
    gone = {one["id"] for one in cast if one["retired"]}
    players = (one["player"] for one in cast if one["player"] and one["id"] not in gone)
    names = (one["name"] for one in players if one["id"] not in {GM, chair, *gone})
    return [*OPEN, *(name for name in dict.fromkeys(names) if name.casefold() not in OPEN)]


def linkless(campaign: Campaign) -> Iterator[str]:
    """The names of players that a link by that name would be everybody's, or the game master's."""
    cast: Sequence[Mapping[str, Any]] = campaign.view("cast").to_json()["cast"]
    names = (one["player"]["name"] for one in cast if one["player"] and not one["retired"])
    return (name for name in dict.fromkeys(names) if name.casefold() in OPEN)


def called(campaign: Campaign, name: str) -> str:
    """The viewer of that name, as they are called now; Refused where nobody is called so."""
    if name.casefold() in ("gm", "table"):
        return name.casefold()
    found = campaign.who_is(name)
    return "gm" if campaign.lasting(found) == "gm" else found


def invitations(shelf: Shelf, place: Place, name: str | None, *, only: bool = False) -> list[Invitation]:
    """A new link for everybody, or for one by name, in each campaign where somebody is called so.

    `only` makes every link they had before worth nothing. Refused where nobody is called so anywhere.
    """
    return [
        Invitation(served, viewer, _link(served, place, viewer, only=only))
        for served, viewer in meant(shelf, name)
    ]


def meant(shelf: Shelf, name: str | None) -> list[tuple[Served, str]]:
    """Everybody there are links for, or one by name, campaign by campaign; Refused where there is none."""
    found: list[tuple[Served, str]] = []
    refusal: Refused | None = None
    for served in shelf.served.values():
        try:
            whose = viewers(served.campaign) if name is None else [called(served.campaign, name)]
        except Refused as error:
            refusal = error
            continue
        found += [(served, viewer) for viewer in whose]
    if refusal is not None and not found:
        raise refusal
    return found


def _link(served: Served, place: Place, viewer: str, *, only: bool) -> str:
    whose = served.campaign.lasting(viewer)
    if only:
        served.links.revoke(_links_of(served, viewer))
    made = datetime.now(UTC).isoformat(timespec="seconds")
    return f"{place.url}#{served.links.new(whose, viewer, made)}"


def _links_of(served: Served, viewer: str) -> list[Link]:
    """The links of whoever is called so now, or was when they were made and is not here."""
    return [one for one in served.links.every() if served.called(one) == viewer]


def revoked(shelf: Shelf, name: str) -> Iterator[str]:
    """Makes every link of somebody worth nothing, and says so for each campaign.

    Also of somebody whom nobody is called any more, by the name that their link has.
    """
    for served in shelf.served.values():
        viewer = name if _links_of(served, name) else called(served.campaign, name)
        count = served.links.revoke(_links_of(served, viewer))
        links = {0: "had no link", 1: "1 link is"}.get(count, f"{count} links are")
        worth = "" if not count else " worth nothing now"
        yield f"{served.slug}: {viewer}: {links}{worth}."


def held(shelf: Shelf) -> list[dict[str, Any]]:
    """Who holds a link, campaign by campaign."""
    return [
        {
            "name": served.slug,
            "file": str(served.campaign.path),
            "links": [
                {"viewer": served.called(one), "made": one.made, "joined": one.joined}
                for one in served.links.every()
            ],
        }
        for served in shelf.served.values()
    ]
