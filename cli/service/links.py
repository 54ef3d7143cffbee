"""Links: secrets that open one campaign to one viewer; of each only its hash is kept."""

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

from msgspec import Meta, ValidationError, convert
from msgspec.json import decode

from cli.inbox import Kept
from cli.writing_files import replaced
from retold import Arrival, Refused

SECRET_BYTES: Final = 24
WHOM_BYTES: Final = 6

ENDING: Final = ".links.json"
OPEN: Final = ("gm", "table")
"""The viewers that are no person."""
NAMELESS: Final = "somebody"
"""Stands for a name that was taken away."""

Whose = str | Arrival
"""`gm`, `table`, or somebody, by where they came in."""


@dataclass(frozen=True, slots=True)
class Link:
    """One link: who looks through it, since when, and whether anybody has come by it."""

    viewer: str
    """`gm`, `table`, or the name they had when it was made."""
    sha256: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    made: str
    joined: bool = False
    arrival: Kept | None = None
    """Where they came in, whatever they are called since; None for `gm` and `table`."""

    @property
    def whose(self) -> Whose:
        """Whom it is for; Refused for a name that nobody had when the link was last looked up."""
        if self.arrival is not None:
            return Arrival.read(self.arrival)
        if self.viewer in OPEN:
            return self.viewer
        raise Refused(f"There is no “{self.viewer}” here.")

    def whom(self, key: str) -> str:
        """The part of an address that says whom it is for: `gm`, `table`, or letters that say no name.

        The letters stay the same for ever; without the `key`, in hexadecimal, they do not tell where a person
        came in.
        """
        if self.arrival is None and self.viewer in OPEN:
            return self.viewer
        whom = (self.arrival or self.viewer).encode()
        return hashlib.blake2b(whom, key=bytes.fromhex(key), digest_size=WHOM_BYTES).hexdigest()

    def is_for(self, viewer: Whose) -> bool:
        """Whether it is for this viewer."""
        if isinstance(viewer, str):
            return self.arrival is None and self.viewer == viewer
        return self.arrival == str(viewer)


def hashed(secret: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Links:
    """The links of one campaign, in a file of its own in the user's folder of state."""

    path: Path

    @classmethod
    def of(cls, state: Path, campaign: str) -> Links:
        """Those of the campaign with this id."""
        return cls(state / f"{campaign}{ENDING}")

    def every(self) -> list[Link]:
        """All that are good, the first made first; none where the file is spoilt, and none that is itself."""
        kept: Iterable[object] = ()
        with suppress(OSError, ValueError, TypeError, KeyError, RecursionError):
            kept = tuple(decode(self.path.read_bytes())["links"])
        found: list[Link] = []
        for one in kept:
            with suppress(ValidationError):
                found.append(convert(one, Link))
        return found

    def new(self, viewer: Whose, called: str, made: str) -> str:
        """A new secret for this viewer; those before it that nobody came by are worth nothing from now on."""
        secret = secrets.token_urlsafe(SECRET_BYTES)
        kept = [one for one in self.every() if not one.is_for(viewer) or one.joined]
        arrival = None if isinstance(viewer, str) else str(viewer)
        self.keep([*kept, Link(called, hashed(secret), made, arrival=arrival)])
        return secret

    def revoke(self, gone: Collection[Link]) -> int:
        """Makes these links worth nothing; how many of them there were."""
        every, secrets_gone = self.every(), {one.sha256 for one in gone}
        kept = [one for one in every if one.sha256 not in secrets_gone]
        if len(kept) < len(every):
            self.keep(kept)
        return len(every) - len(kept)

    def join(self, link: Link) -> None:
        """Marks a link as used; from then on it is valid until it is revoked."""
        if not link.joined:
            every = self.every()
            self.keep(replace(one, joined=True) if one.sha256 == link.sha256 else one for one in every)

    def look_up(self, lasting: Callable[[str], Whose]) -> None:
        """Binds each link that was made for a name alone, as they once were, to whoever has that name now."""
        every = self.every()
        found = [one if one.arrival else _bound(one, lasting) for one in every]
        if found != every:
            self.keep(found)

    def stamp(self) -> int:
        """What is another value once a link was made, joined or revoked, whoever did it."""
        try:
            return self.path.stat().st_mtime_ns
        except OSError:
            return 0

    def keep(self, links: Iterable[Link]) -> None:
        """These are the links from now on."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        replaced(self.path, [json.dumps({"links": [asdict(one) for one in links]}).encode()], 0o600)


def forget(state: Path, is_gone: Callable[[str], bool]) -> None:
    """Keeps no name that is gone with a link of any campaign; whose each is stays known, and it stays good.

    Raises OSError where that cannot be written.
    """
    for path in state.glob(f"*{ENDING}"):
        links = Links(path)
        every = links.every()
        kept = [
            one if one.viewer in OPEN or not is_gone(one.viewer) else replace(one, viewer=NAMELESS)
            for one in every
        ]
        if kept != every:
            links.keep(kept)


def _bound(link: Link, lasting: Callable[[str], Whose]) -> Link:
    with suppress(Refused):
        whose = lasting(link.viewer)
        if not isinstance(whose, str):
            return replace(link, arrival=str(whose))
    return link


def opened_by(secret: str, links: Iterable[Link]) -> Link | None:
    """The link of a secret; every one is compared, and each takes as long whatever it says."""
    found, sought = None, hashed(secret)
    for one in links:
        if hmac.compare_digest(one.sha256, sought):
            found = one
    return found
