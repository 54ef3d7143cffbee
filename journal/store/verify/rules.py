"""What today's rules say of the acts of a line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from journal.games import OURS
from journal.line import Live
from journal.refused import Forgotten, NotHere, Refused
from journal.release import RELEASE
from journal.store import reading, replaying
from journal.store.campaign import Campaign
from journal.store.codec import Unknown
from journal.store.errors import Damaged
from journal.store.kinds import game_missing
from journal.store.progress import Progress
from journal.store.reading import Act
from journal.store.rewording import names_anything
from journal.table import Table
from journal.vocabulary.base import Command, Event
from journal.vocabulary.events import Reworded, Unheard


@dataclass(frozen=True, slots=True)
class Difference:
    """An act that today's rules would decide otherwise."""

    position: int
    command: Command
    recorded: tuple[Event, ...]
    now: tuple[Event, ...]
    """What would come now; nothing where it would be refused."""
    refusal: str | None = None
    release: str | None = None
    """The release that decided it, as the record has it; None where it says nothing of that."""
    guest: str | None = None
    """The game that decided it, if that is a guest's: the record does not have its release."""

    @property
    def by_these_rules(self) -> bool:
        """True where the record says that these very rules decided it, so that no mended rule explains it."""
        return self.guest is None and self.release == RELEASE

    @property
    def decided_by(self) -> str:
        """Whose decision it was, and what that says, in a sentence."""
        mended = "a rule may have been mended since."
        if self.guest is not None:
            return f"The guest {self.guest} decided it, whose release the record does not have."
        if self.release is None:
            return f"An earlier release decided it (0.1, or one before): {mended}"
        if self.release != RELEASE:
            return f"Release {self.release} decided it, and this is {RELEASE}: {mended}"
        if ".dev" in RELEASE:
            return f"The same release decided it ({RELEASE}), which is in the making: {mended}"
        return f"The same release decided it ({RELEASE}), so no mended rule explains it."

    def __str__(self) -> str:
        then = ", ".join(event.kind for event in self.recorded)
        now = self.refusal or ", ".join(event.kind for event in self.now)
        if not self.refusal and [type(one) for one in self.recorded] == [type(one) for one in self.now]:
            now = "the same with other values"
        said = f"{self.position} ({self.command.verb}): recorded {then}; today: {now.rstrip('.')}."
        return f"{said} {self.decided_by}"


def verify_rules(campaign: Campaign, line: int, on_progress: Progress | None = None) -> Iterator[Difference]:
    """The live acts of `line` that today's rules would decide otherwise, with the luck they had.

    What was recorded stays what happened; a mended rule or another option shows here. An act that would have
    to read what was redacted since, or whose game is not here, is taken as it was recorded. Names are those
    of then: a name that a retcon changed later is what it was called by.
    """
    table = Table()
    total = campaign.record.head(line).position
    for act in reading.acts(campaign.record, line, as_written=True):
        difference = _decided_otherwise(table, act)
        if difference is not None:
            yield difference
        take_in(table, act)
        if any(_renames(campaign, line, one.event) for one in act.events):
            table = reading.table_as_called(campaign.record, line, act.last)
        if on_progress:
            on_progress(act.last, total)


def _renames(campaign: Campaign, line: int, event: object) -> bool:
    return isinstance(event, Reworded) and names_anything(campaign.record, line, event)


def _decided_otherwise(table: Table, act: Act) -> Difference | None:
    command = replaying.as_typed(table, act)
    if command is None or act.managing or type(command).manages:
        return None
    recorded = tuple(one.event for one in act.events if isinstance(one.event, Event))
    if len(recorded) < len(act.events):  # something of a game that is not here
        return None
    try:
        now, _ = replaying.decide_as_recorded(table, act, command)
    except (Forgotten, NotHere):
        return None
    except Refused as refusal:
        return Difference(act.first, command, recorded, (), refusal.sentence, *_decided_by(act))
    if replaying.alike(list(recorded), now):
        return None
    return Difference(act.first, command, recorded, tuple(now), None, *_decided_by(act))


def _decided_by(act: Act) -> tuple[str | None, str | None]:
    """The release that decided an act, and the guest it is of."""
    games = (one.event.kind.partition(".")[0] for one in act.events)
    guest = next((game for game in games if game != "table" and game not in OURS), None)
    return act.events[0].envelope.release, guest


def take_in(table: Table, act: Act) -> None:
    """An act as it was recorded; raises Damaged for a kind that this Retold should know and does not."""
    for one in act.events:
        event = one.event
        if isinstance(event, Unknown):
            game = game_missing(event.kind)
            if game is None:
                raise Damaged(f"Position {one.position} holds {event.kind}, which this Retold does not know.")
            event = Unheard(game=game)
        luck = one.envelope.luck if event is one.event else ()
        reading.take_in(table, Live(one.position, event, luck, one.envelope.visible_to))
