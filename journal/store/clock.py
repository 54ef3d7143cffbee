"""What enters from outside and is written once: the time, and new random ids and salts."""

from __future__ import annotations

import base64
import secrets
import time
from datetime import UTC, datetime


class Clock:
    """The world outside the record; a test may give another."""

    def now(self) -> tuple[str, int]:
        """The time in UTC (ISO 8601, microseconds, Z), and the table's offset in minutes."""
        now = datetime.now(UTC)
        written = now.isoformat(timespec="microseconds").removesuffix("+00:00")
        return f"{written}Z", time.localtime(now.timestamp()).tm_gmtoff // 60

    def today(self) -> str:
        """The date where the table is, in ISO 8601."""
        return datetime.now().astimezone().date().isoformat()

    def act(self) -> str:
        """A new act's id: 128 random bits in base64url."""
        return base64.urlsafe_b64encode(secrets.token_bytes(16)).rstrip(b"=").decode()

    def salt(self) -> bytes:
        """16 random bytes."""
        return secrets.token_bytes(16)

    def campaign(self) -> str:
        """A campaign's 128 random bits, in hexadecimal."""
        return secrets.token_hex(16)
