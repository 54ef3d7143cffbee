"""Links: secrets that open one campaign to one pair of eyes; of each only its hash is kept."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from cli.writing_files import replaced

SECRET_BYTES: Final = 24


@dataclass(frozen=True, slots=True)
class Link:
    """One link: whose eyes, since when, and whether anybody has come by it."""

    viewer: str
    sha256: str
    made: str
    joined: bool = False


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
        return cls(state / f"{campaign}.links.json")

    def every(self) -> list[Link]:
        """All that are good, the first made first; none where the file is spoilt."""
        with suppress(OSError, ValueError, TypeError, KeyError):
            return [Link(**one) for one in json.loads(self.path.read_text("utf-8"))["links"]]
        return []

    def new(self, viewer: str, made: str) -> str:
        """A new secret for these eyes; those before it that nobody came by are worth nothing from now on."""
        secret = secrets.token_urlsafe(SECRET_BYTES)
        kept = [one for one in self.every() if one.viewer != viewer or one.joined]
        self._keep([*kept, Link(viewer, hashed(secret), made)])
        return secret

    def revoke(self, viewer: str) -> int:
        """Makes every link of these eyes worth nothing; how many those were."""
        every = self.every()
        kept = [one for one in every if one.viewer != viewer]
        if len(kept) < len(every):
            self._keep(kept)
        return len(every) - len(kept)

    def join(self, link: Link) -> None:
        """Remembers that somebody has come by a link: it is good until it is revoked."""
        if not link.joined:
            every = self.every()
            self._keep(replace(one, joined=True) if one.sha256 == link.sha256 else one for one in every)

    def stamp(self) -> int:
        """What is another value once a link was made, joined or revoked, whoever did it."""
        try:
            return self.path.stat().st_mtime_ns
        except OSError:
            return 0

    def _keep(self, links: Iterable[Link]) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        replaced(self.path, [json.dumps({"links": [asdict(one) for one in links]}).encode()], 0o600)


def opened_by(secret: str, links: Iterable[Link]) -> Link | None:
    """The link of a secret; every one is compared, and each takes as long whatever it says."""
    found, sought = None, hashed(secret)
    for one in links:
        if hmac.compare_digest(one.sha256, sought):
            found = one
    return found
