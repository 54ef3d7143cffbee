"""Where the service is to be reached: its address, its port, the names it answers to, its sockets."""

from __future__ import annotations

import socket
import sys
from dataclasses import dataclass, replace
from typing import Final

from retold import Refused

LOOPBACK: Final = "127.0.0.1"
PORT: Final = 7655
NOWHERE: Final = ("192.0.2.1", 9)
"""An address that leads nowhere: nothing is sent to it, it only tells which way out would be taken."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the service is to be reached."""

    address: str
    port: int
    hosts: tuple[str, ...] = ()
    """Further names it answers to."""
    proxies: tuple[str, ...] = ()
    """The addresses of proxies that speak HTTPS for it; what they say of whom they speak for is believed."""

    @property
    def url(self) -> str:
        """What its links begin with."""
        if self.proxies and self.hosts:
            return f"https://{self.hosts[0]}/"
        return f"http://{self.hosts[0] if self.hosts else self.address}:{self.port}/"

    @property
    def answers_to(self) -> frozenset[str]:
        """The host names of requests that are meant for it."""
        return frozenset({LOOPBACK, "localhost", self.address, *(one.casefold() for one in self.hosts)})


def lan_address() -> str:
    """This computer's address in its network; Refused where it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(NOWHERE)
            found = str(asked.getsockname()[0])
        except OSError:
            found = LOOPBACK
    if found.startswith("127."):
        raise Refused("This computer is in no network: connect it, or leave --lan out.")
    return found


def listening(place: Place) -> tuple[Place, list[socket.socket]]:
    """The sockets it answers at, and where that is by now; Refused where the port is taken."""
    sockets: list[socket.socket] = []
    port = place.port
    for address in dict.fromkeys((place.address, LOOPBACK)):
        # a stream by its protocol's name: asyncio sends small answers at once on no other
        one = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        sockets.append(one)
        if sys.platform != "win32":
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            one.bind((address, port))
            one.listen()
        except (OSError, OverflowError) as error:
            for each in sockets:
                each.close()
            raise Refused(
                f"Port {port} of {address} cannot be had ({error}): name another with --port."
            ) from None
        port = one.getsockname()[1]
    return replace(place, port=port), sockets
