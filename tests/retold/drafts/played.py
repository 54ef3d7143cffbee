"""An evening with secrets, and helpers that edit drafts of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from retold.drafts import files
from retold.drafts.making import begin, follow, manuscript
from retold.drafts.naming import draft_meant
from retold.drafts.returning import Taking, read_back
from retold.drafts.showing import ShownBlock, shown
from retold.drafts.standing import Standing, latest
from retold.journal.store.events.acts import Manner
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.store.writing.drafts import Draft, Reader, Scope
from retold.projections.prose import voice_of
from retold.projections.reading import LineView
from retold.scribe import Scribe
from tests.journal.store.played import StoppedClock

EVENING = """\
campaign The Salt Road
cast gm by=Mary
cast Zel bruise by=Jon clubs=4 melee=2: A smuggler
cast Ana bruise by=Kim clubs=3 melee=1: A pilot
session The ferry --date 2026-03-14
scene The quay, at night: Rain since noon.
narrate Zel: I run for the boat and do not look back at the lanterns.
narrate Ana: I cut the rope behind him, and the ferry swings out.
say Zel: Push off, before they count us!
narrate gm: The ferryman pushes off without a word.
narrate Ana: I watch the far bank until it has a shape.
scene The far bank: Nobody lights a lamp.
narrate Zel: I go ashore first."""

SECRETS = {
    "narrate Ana: I cut": "narrate gm --gm: The ferryman is paid by the captain of the watch.",
    "narrate gm: The ferryman": 'cast "Captain Morvane" bruise --gm clubs=5: He waits on the far bank.',
    "narrate Ana: I watch": "narrate Ana --to Ana: The compass in my coat points south.",
    "scene The far bank": 'thread "The drowned ledger" --gm: It lies under the third plank.',
}
"""Lines of the game master, or of one player alone, each said before the line that begins so."""


@dataclass
class Table:
    """A campaign in a file, played line by line, and the hand of somebody who edits its drafts."""

    campaign: CampaignStore
    scribe: Scribe = field(init=False)

    def __post_init__(self) -> None:
        self.scribe = Scribe(self.campaign, self.campaign.mainline())

    def say(self, *lines: str) -> None:
        for line in lines:
            self.scribe.say(line)

    def position(self, begins: str) -> int:
        """Position of the last event whose words begin so."""
        told = [one for one in LineView(self.campaign, 1).recorded() if begins in str(one.event)]
        return told[-1].position

    def begin(self, name: str = "second", reader: Reader = "table", voice: str = "prose") -> Draft:
        line = self.campaign.mainline()
        scope = Scope(line, 1, self.campaign.record.head(line).position, voice, reader)
        return begin(self.campaign, name, scope, voice_of(voice))

    def draft(self, name: str | None = None) -> Draft:
        return draft_meant(self.campaign, name).draft

    def standing(self, name: str | None = None) -> Standing:
        draft = self.draft(name)
        return latest(self.campaign, draft, voice_of(draft.scope.voice))

    def sent(self, name: str | None = None) -> str:
        """The draft as Markdown, recorded as sent."""
        with self.campaign.record.writing():
            draft = follow(self.standing(name), Manner())
            self.campaign.drafts.note_sent(draft, draft.latest.number, "markdown", Manner())
        return files.write("markdown", manuscript(self.campaign, draft, draft.latest)).decode()

    def back(self, text: str, named: str | None = None) -> Taking:
        return read_back(
            self.campaign, files.read("second.md", text.encode()), lambda scope: voice_of(scope.voice), named
        )

    def take(self, text: str, named: str | None = None) -> Draft:
        taking = self.back(text, named)
        with self.campaign.record.writing():
            return self.campaign.drafts.take(taking.draft, taking.base.number, taking.blocks(), Manner())

    def shown_to(self, whose: str, name: str | None = None) -> tuple[ShownBlock, ...]:
        draft = self.draft(name)
        reading = LineView(self.campaign, self.campaign.mainline()).called(whose)
        return shown(reading, draft, voice_of(draft.scope.voice))

    def read_by(self, whose: str, name: str | None = None) -> list[str]:
        return [block.text for block in self.shown_to(whose, name)]


def played(folder: Path, name: str = "evening", *, secrets: bool = False, told: str = EVENING) -> Table:
    """The evening, with or without what the game master says behind it; or another one."""
    campaign = CampaignStore.create(folder / f"{name}.retold", clock=StoppedClock())
    table = Table(campaign)
    for line in told.splitlines():
        secret = next((said for begins, said in SECRETS.items() if line.startswith(begins)), None)
        table.say(*([secret] if secrets and secret else []), line)
    return table


def edited(text: str, *changes: tuple[str, str]) -> str:
    """A text with each old wording replaced once by its new one."""
    for was, now in changes:
        assert text.count(was) == 1, was
        text = text.replace(was, now)
    return text
