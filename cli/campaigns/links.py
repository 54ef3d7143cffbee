"""Links: secret addresses that open one campaign to one viewer; only hashes of the secrets are stored."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Final
from urllib.parse import quote, unquote

from msgspec import Meta, ValidationError, convert
from msgspec.json import decode

from retold import Address, Arrival, Refused
from retold.cli.campaigns.attachments import Attachments, FileAttachments, attachments_of
from retold.cli.campaigns.inbox import Kept

SECRET_BYTES: Final = 24
WHOM_BYTES: Final = 6

ENDING: Final = ".links.json"
SORT: Final = "links"
"""The sort of attachments on a server."""
WHOLE: Final = ""
"""The key of the one attachment that holds every link of a campaign."""
OPEN: Final = ("gm", "table")
"""The viewers that are no person."""
NAMELESS: Final = "somebody"
"""Replaces a name that was taken away."""

Whose = str | Arrival
"""`gm`, `table`, or a person, by where they came in."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link to the service: its viewer, hash of its secret, date, and whether it was used."""

    viewer: str
    """`gm`, `table`, or the name they had when it was made."""
    sha256: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    made: str
    joined: bool = False
    arrival: Kept | None = None
    """Where they came in, whatever they are called since; None for `gm` and `table`."""

    @property
    def whose(self) -> Whose:
        """Viewer of the link: `gm`, `table`, or a person.

        Raises Refused if the link stores only a name and no person of that name was found.
        """
        if self.arrival is not None:
            return Arrival.read(self.arrival)
        if self.viewer in OPEN:
            return self.viewer
        raise Refused(f"There is no “{self.viewer}” here.")

    def whom(self, key: str) -> str:
        """Returns the viewer's segment in paths: `gm`, `table`, or 12 letters and digits for a person.

        It never changes. Without `key` (hexadecimal) it does not reveal the person.
        """
        if self.arrival is None and self.viewer in OPEN:
            return self.viewer
        whom = (self.arrival or self.viewer).encode()
        return hashlib.blake2b(whom, key=bytes.fromhex(key), digest_size=WHOM_BYTES).hexdigest()

    def is_for(self, viewer: Whose) -> bool:
        """True if `viewer` (`gm`, `table` or a person) is the link's viewer."""
        if isinstance(viewer, str):
            return self.arrival is None and self.viewer == viewer
        return self.arrival == str(viewer)


def new_secret() -> str:
    """Returns a secret that nobody can guess, in letters, digits, - and _."""
    return secrets.token_urlsafe(SECRET_BYTES)


def hashed(secret: str) -> str:
    """Returns the SHA-256 hash of a link's secret, in hexadecimal."""
    return hashlib.sha256(secret.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Links:
    """The links of one campaign: together one attachment."""

    attachments: Attachments
    ending: str = ""
    """What each secret ends in: on a server it says of which campaign it is, `.salt-road`."""

    @classmethod
    def of(cls, state: Path, campaign: str) -> Links:
        """Returns the links of the campaign with id `campaign`; `state` is the state folder."""
        return cls(FileAttachments(state, campaign, ENDING))

    @classmethod
    def at(cls, place: Address, state: Path, campaign: str) -> Links:
        """Returns the links of the campaign at `place`: in the server's database, or the state folder.

        `campaign` is the id of a campaign in a file.
        """
        attachments = attachments_of(place, SORT, FileAttachments(state, campaign, ENDING))
        return cls(attachments, f".{quote(place.stem, safe='')}" if place.file is None else "")

    def every(self) -> list[Link]:
        """Returns the valid links, oldest first; none if the attachment is missing or unreadable."""
        kept: Iterable[object] = ()
        with suppress(ValueError, TypeError, KeyError, RecursionError):
            kept = tuple(decode(self.attachments.get(WHOLE) or b"")["links"])
        found: list[Link] = []
        for link in kept:
            with suppress(ValidationError):
                found.append(convert(link, Link))
        return found

    def new(self, viewer: Whose, called: str, made: str) -> str:
        """Makes a new link for a viewer and returns its secret; revokes the viewer's unused links.

        `called` is the viewer's name, `made` the time.
        """
        secret = f"{new_secret()}{self.ending}"
        arrival = None if isinstance(viewer, str) else str(viewer)
        with self.attachments.alone():
            kept = [link for link in self.every() if not link.is_for(viewer) or link.joined]
            self._keep([*kept, Link(called, hashed(secret), made, arrival=arrival)])
        return secret

    def revoke(self, gone: Collection[Link]) -> int:
        """Revokes the links `gone`; returns how many of them were still valid."""
        secrets_gone = {link.sha256 for link in gone}
        with self.attachments.alone():
            every = self.every()
            kept = [link for link in every if link.sha256 not in secrets_gone]
            if len(kept) < len(every):
                self._keep(kept)
        return len(every) - len(kept)

    def join(self, link: Link) -> None:
        """Marks a link as used; a used link stays valid until it is revoked."""
        if not link.joined:
            with self.attachments.alone():
                every = self.every()
                self._keep(
                    replace(kept, joined=True) if kept.sha256 == link.sha256 else kept for kept in every
                )

    def look_up(self, lasting: Callable[[str], Whose]) -> None:
        """Adds the person to each stored link that has only a name, as older releases made them.

        `lasting` returns the person of a name.
        """
        self._change(lambda link: link if link.arrival else _bound(link, lasting))

    def take_name(self, is_gone: Callable[[str], bool]) -> None:
        """Replaces names for which `is_gone` is true by `somebody`; the links stay valid."""
        self._change(
            lambda link: (
                link if link.viewer in OPEN or not is_gone(link.viewer) else replace(link, viewer=NAMELESS)
            )
        )

    def stamp(self) -> object:
        """Returns a value that differs once any link has changed."""
        return self.attachments.stamp()

    def _change(self, change: Callable[[Link], Link]) -> None:
        """Replaces each stored link by `change(link)`; writes nothing if none differs."""
        if not (every := self.every()) or list(map(change, every)) == every:
            return
        with self.attachments.alone():
            self._keep(map(change, self.every()))

    def _keep(self, links: Iterable[Link]) -> None:
        """Replaces the campaign's stored links by `links`; call inside `alone`."""
        self.attachments.keep(WHOLE, json.dumps({"links": [asdict(link) for link in links]}).encode())


def forget(state: Path, is_gone: Callable[[str], bool]) -> None:
    """Replaces names by `somebody` in the links of all campaigns; the links stay valid.

    `is_gone` returns True for a name to replace. Raises OSError if a file cannot be written.
    """
    for campaign in FileAttachments(state, ending=ENDING).every():
        Links.of(state, campaign).take_name(is_gone)


def _bound(link: Link, lasting: Callable[[str], Whose]) -> Link:
    with suppress(Refused):
        whose = lasting(link.viewer)
        if not isinstance(whose, str):
            return replace(link, arrival=str(whose))
    return link


def name_in(secret: str) -> str:
    """Returns the campaign's name at the end of a link's secret (`….salt-road`); empty without one."""
    return unquote(secret.partition(".")[2])


def opened_by(secret: str, links: Iterable[Link]) -> Link | None:
    """Returns the link with this secret, None without one; comparison time does not depend on the secret."""
    sought = hashed(secret)
    found = [link for link in links if hmac.compare_digest(link.sha256, sought)]
    return found[-1] if found else None
