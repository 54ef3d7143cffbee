"""Proposals: typed lines that players hand in by phone, for the game master to take or refuse.

Each is one attachment of its campaign.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from msgspec import Meta, Struct
from msgspec.json import decode
from msgspec.structs import asdict, replace

from retold.cli.campaigns.attachments import FileAttachments, attachments_of
from retold.journal.refused import Refused
from retold.journal.store.contract.address import Address
from retold.journal.store.contract.attachments import Attachments

if TYPE_CHECKING:
    from retold.projections.reading import Arrival

WAITING: Final = "waiting"
KEPT: Final = timedelta(days=2)
"""How long what became of a proposal can be asked for."""
MOST_WAITING: Final = 40
"""So many of one person may wait at a time."""
HANDLE: Final = 4

ID_PATTERN: Final = "[A-Za-z0-9_-]{8,64}"
"""Regular expression of a proposal's id, which its sender chooses."""

Kept = Annotated[str, Meta(pattern="^[0-9]{1,18}:[0-9]{1,18}$")]
"""An `Arrival`, as a file beside the settings keeps it."""


class Proposal(Struct, frozen=True):
    """A line typed and handed in by a player; its state (`waiting`, `taken` …); the answer given."""

    id: Annotated[str, Meta(pattern=f"^{ID_PATTERN}$")]
    """Made by the sender, so that the same one twice is one."""
    who: str
    line: str
    sent: str
    state: str = WAITING
    """waiting, taken, refused or withdrawn."""
    why: str = ""
    said: tuple[str, ...] = ()
    arrival: Kept | None = None
    """Where they came in, whatever they are called since; None for one kept when names were all there was."""
    face: str | None = None
    """Text shown to others in place of a line that would be sealed."""

    @property
    def by(self) -> str | Arrival:
        """Returns the player who handed it in: the event that introduced them, or a name in older files."""
        from retold.projections.reading import Arrival

        return self.who if self.arrival is None else Arrival.read(self.arrival)

    def is_by(self, viewer: str | Arrival) -> bool:
        """True if `viewer` is the player who handed in this proposal."""
        return self.arrival is not None and self.arrival == str(viewer)

    @property
    def shown(self) -> str:
        """Returns the line as other viewers may read it; a secret (sealed) declaration is replaced."""
        return self.line if self.face is None else self.face

    @property
    def act(self) -> str:
        """Returns the id of the act that recording it makes; the same each time, so it is recorded once."""
        return f"proposal-{hashlib.sha256(f'{self.who}/{self.id}'.encode()).hexdigest()[:22]}"

    @property
    def handle(self) -> str:
        """Returns a short id of four characters, such as `7f3a`, for `proposals take 7f3a`."""
        return self.act.removeprefix("proposal-")[:HANDLE]

    @property
    def refusal(self) -> str:
        """Returns the sentence that confirms to the game master that the proposal was refused."""
        return f"Refused; {self.who} is told: “{self.why}”" if self.why else "Refused, without a reason."

    def to_json(self) -> dict[str, Any]:
        """Returns the proposal as JSON data, as stored in its file."""
        return {**asdict(self), "said": list(self.said)}

    def as_seen_by(self, viewer: str | Arrival) -> dict[str, Any]:
        """Returns JSON data for `viewer`; a sealed line is replaced unless `viewer` handed it in."""
        shown = {**self.to_json(), "line": self.line if self.is_by(viewer) else self.shown}
        del shown["face"], shown["arrival"]
        return shown


class Inbox(Struct, frozen=True):
    """The proposals of one campaign, used by console, service and shell commands alike."""

    attachments: Attachments

    @classmethod
    def of(cls, state: Path, campaign: str) -> Inbox:
        """Returns the inbox of the campaign with id `campaign`; `state` is the user's state folder."""
        return cls(FileAttachments(_folder(state) / campaign))

    @classmethod
    def at(cls, place: Address, state: Path, campaign: str) -> Inbox:
        """Returns the inbox of the campaign at `place`: in the server's database, or the state folder."""
        return cls(attachments_of(place, "proposals", FileAttachments(_folder(state) / campaign)))

    def hand_in(self, proposal: Proposal) -> Proposal:
        """Stores a new proposal and returns it; if its id is stored already, returns the stored one.

        Raises Refused for an invalid id, for an id that another player used, and if the player has 40
        proposals waiting.
        """
        if not re.fullmatch(ID_PATTERN, proposal.id):
            raise Refused("An id is 8 to 64 letters, digits, - and _.")
        with self.attachments.alone():
            known = self.get(proposal.id)
            if known is not None:
                if known.by != proposal.by:
                    raise Refused("That id is taken: make another.")
                return known
            if len([one for one in self.waiting() if one.by == proposal.by]) >= MOST_WAITING:
                raise Refused(
                    f"{MOST_WAITING} lines of yours wait already: let the game master answer them first."
                )
            return self._keep(proposal)

    def take(self, id_: str, record: Callable[[Proposal], Iterable[str]]) -> Proposal:
        """Marks a waiting proposal as taken, after `record` has recorded its line; returns the proposal.

        `record` returns sentences on the result, which are stored with it. The inbox is locked meanwhile.
        Raises Refused if the proposal does not wait. If `record` raises Refused, the proposal keeps waiting,
        with that sentence as its reason.
        """
        with self.attachments.alone():
            waits = self._that_waits(id_)
            try:
                said = tuple(record(waits))
            except Refused as refusal:
                self._keep(replace(waits, why=refusal.sentence))
                raise
            return self._settled(replace(waits, state="taken", why="", said=said))

    def settle(self, id_: str, state: str, why: str = "") -> Proposal:
        """Marks a waiting proposal as `refused` or `withdrawn`, with the reason `why`; returns it.

        Raises Refused if the proposal does not wait.
        """
        with self.attachments.alone():
            return self._settled(replace(self._that_waits(id_), state=state, why=why))

    def get(self, id_: str) -> Proposal | None:
        """Returns the proposal with this id; None for an unknown id or an unreadable file."""
        return _read(self.attachments.get(id_)) if re.fullmatch(ID_PATTERN, id_) else None

    def everything(self) -> list[Proposal]:
        """Returns every stored proposal, answered ones included, oldest first."""
        found = map(_read, self.attachments.every().values())
        return sorted((one for one in found if one is not None), key=lambda one: (one.sent, one.id))

    def waiting(self) -> list[Proposal]:
        """Returns the proposals not answered yet, oldest first."""
        return [one for one in self.everything() if one.state == WAITING]

    def called(self, handle: str) -> Proposal:
        """Returns the waiting proposal with this short id; raises Refused if none or several have it."""
        found = [one for one in self.waiting() if one.handle == handle.casefold()]
        if not found:
            raise Refused(f"Nothing called {handle} waits: proposals lists what does.")
        if len(found) > 1:
            raise Refused(f"Several that wait are called {handle}: answer them in play, or on the page.")
        return found[0]

    def stamp(self) -> object:
        """Returns a value that differs once any proposal has changed."""
        return self.attachments.stamp()

    def tidy(self, now: datetime) -> None:
        """Deletes answered proposals that were handed in more than two days before `now`."""
        for one in self.everything():
            if one.state != WAITING and _when(one.sent) < now - KEPT:
                self.attachments.drop(one.id)

    def forget(self, texts: Iterable[str], names: Iterable[str]) -> int:
        """Deletes proposals that contain one of the texts or names; returns how many."""
        # Tab reads proposals too, and does not need it.
        from retold.journal.store.writing.redact import contains_phrase

        sought, gone = (*texts, *names), 0
        for key, data in self.attachments.every().items():
            one = _read(data)
            held = () if one is None else (one.who, one.line, one.why, *one.said)
            if any(contains_phrase(text, each) for text in held for each in sought):
                self.attachments.drop(key)
                gone += 1
        return gone

    def _settled(self, proposal: Proposal) -> Proposal:
        """Stores an answered proposal and returns it; deletes answered ones older than two days."""
        self.tidy(datetime.now(UTC))
        return self._keep(proposal)

    def _that_waits(self, id_: str) -> Proposal:
        known = self.get(id_)
        if known is None:
            raise Refused("There is no such proposal.")
        if known.state != WAITING:
            raise Refused(f"That is {known.state} already.")
        return known

    def _keep(self, proposal: Proposal) -> Proposal:
        self.attachments.keep(proposal.id, json.dumps(proposal.to_json()).encode())
        return proposal


def now() -> str:
    """Returns the current time in UTC as ISO 8601 text with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def forget(state: Path, texts: Iterable[str], names: Iterable[str]) -> int:
    """Deletes proposals of any campaign that contain one of the texts or names; returns how many.

    Raises OSError if a file cannot be deleted.
    """
    texts = tuple(texts)
    names = tuple(names)
    gone = 0
    for folder in _folder(state).glob("*"):
        gone += Inbox(FileAttachments(folder)).forget(texts, names)
    return gone


def _folder(state: Path) -> Path:
    return state / "inbox"


def _read(data: bytes | None) -> Proposal | None:
    """Returns the proposal in an attachment; None if it is missing or invalid."""
    with suppress(ValueError, RecursionError):
        return None if data is None else decode(data, type=Proposal)
    return None


def _when(sent: str) -> datetime:
    with suppress(ValueError):
        when = datetime.fromisoformat(sent)
        return when if when.tzinfo else when.replace(tzinfo=UTC)
    return datetime.min.replace(tzinfo=UTC)
