"""Notes of a campaign's readers: files beside its proposals, never in its record."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Annotated, Final, NamedTuple

from msgspec import Meta, Struct
from msgspec.json import decode, encode
from msgspec.structs import replace

from retold import Refused
from retold.cli.campaigns.attachments import Attachments
from retold.cli.campaigns.inbox import ID_PATTERN

LONGEST: Final = 2_000
"""Most letters of a note."""
LONGEST_NAME: Final = 40
MOST: Final = 1_000
"""Most notes of a campaign."""
MOST_A_MINUTE: Final = 6
"""Most notes of one viewer in a minute."""


class Note(Struct, frozen=True):
    """Note at an event of the record; only the game master sees it until it is `shown`.

    `line` has its words: a redaction finds them under the names that a proposal's file has.
    """

    id: Annotated[str, Meta(pattern=f"^{ID_PATTERN}$")]
    who: Annotated[str, Meta(max_length=LONGEST_NAME)]
    line: Annotated[str, Meta(min_length=1, max_length=LONGEST)]
    sent: str
    viewer: str
    """Viewer of the link: `table`, `gm`, or where a person was introduced."""
    place: Annotated[str, Meta(pattern="^[0-9]{1,18}:[0-9]{1,18}$")]
    shown: bool = False


class Notes(NamedTuple):
    """The notes of one campaign."""

    kept: Attachments

    def every(self) -> list[Note]:
        """Returns all notes, oldest first; an unreadable file is left out."""
        found = []
        for data in self.kept.every().values():
            with suppress(ValueError, RecursionError):
                found.append(decode(data, type=Note))
        return sorted(found, key=lambda note: (note.sent, note.id))

    def add(self, note: Note) -> Note:
        """Stores a note and returns it, or the note of this id that is stored already.

        Raises Refused for an id of another viewer, and if there are too many notes.
        """
        with self.kept.alone():
            every = self.every()
            for known in every:
                if known.id == note.id:
                    if known.viewer != note.viewer:
                        raise Refused("That id is taken: make another.")
                    return known
            since = (datetime.now(UTC) - timedelta(minutes=1)).isoformat()
            if sum(one.viewer == note.viewer and one.sent > since for one in every) >= MOST_A_MINUTE:
                raise Refused(f"{MOST_A_MINUTE} notes came from this link in a minute: wait a little.")
            if len(every) >= MOST:
                raise Refused(f"There are {MOST} notes: the game master can delete some.")
            return self._keep(note)

    def show(self, note: Note, *, shown: bool) -> Note:
        """Shows a note to other readers, or hides it from them; returns it."""
        with self.kept.alone():
            return self._keep(replace(note, shown=shown))

    def _keep(self, note: Note) -> Note:
        self.kept.keep(note.id, encode(note))
        return note
