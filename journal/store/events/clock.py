"""Source of the time, the ids and the random salts that new events get."""

from __future__ import annotations

import base64
import secrets
import time
from datetime import UTC, datetime


class Clock:
    """Source of the current time, random ids and salts; tests replace it with a fixed one."""

    def now(self) -> tuple[str, int]:
        """Returns the UTC time (ISO 8601, microseconds, Z) and the local offset in minutes."""
        now = datetime.now(UTC)
        written = now.isoformat(timespec="microseconds").removesuffix("+00:00")
        return f"{written}Z", time.localtime(now.timestamp()).tm_gmtoff // 60

    def today(self) -> str:
        """Returns the local date in ISO 8601."""
        return datetime.now().astimezone().date().isoformat()

    def act(self) -> str:
        """Returns a new act id: 128 random bits in base64url."""
        return base64.urlsafe_b64encode(secrets.token_bytes(16)).rstrip(b"=").decode()

    def salt(self) -> bytes:
        """Returns 16 random bytes."""
        return secrets.token_bytes(16)

    def campaign(self) -> str:
        """Returns a new campaign id: 128 random bits in hexadecimal."""
        return secrets.token_hex(16)


class StoppedClock(Clock):
    """A clock that always gives one time, such as that at which an act was recorded elsewhere."""

    def __init__(self, at: str, offset: int) -> None:
        """Takes the UTC time and the local offset in minutes that it gives."""
        self._time = at, offset

    def now(self) -> tuple[str, int]:
        """Returns that time and offset."""
        return self._time
