"""The options --draft and --no-draft of exports: which drafts are told in place of the record's words."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from retold.cli.campaigns.settings import Settings
from retold.cli.invocation import UsageError
from retold.cli.verbs.voices import draft_voice
from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.exports import Export
from retold.projections.prose import Voice

if TYPE_CHECKING:
    from retold.drafts.retelling import DraftChosen
    from retold.drafts.unopened import NotInIt
    from retold.projections.reading import LineView
    from retold.projections.reading.sessions import Stretch
    from retold.projections.story.document import Transcript


class TypedDraftOptions(NamedTuple):
    """Options --draft (NAME or NAME@12) and --no-draft. Without either, published drafts are told."""

    named: str | None
    is_off: bool = False

    def check(self, chosen: Export, moment: str | None) -> None:
        """Raises UsageError for both options at once, and for what always tells the record."""
        if self.named is None:
            return
        if self.is_off:
            raise UsageError("--draft tells a draft and --no-draft tells none: leave one out.")
        if moment is not None:
            raise UsageError("A card of a moment has the record's own words: leave out --draft.")
        if chosen.tells_record:
            raise UsageError(f"{chosen.name} always tells the record's own words: leave out --draft.")

    def find(
        self, campaign: CampaignStore, line: int, settings: Settings, chosen: Export, *, is_wanted: bool
    ) -> ChosenDrafts | None:
        """Returns the drafts to be told: the typed one, else the published ones of the line; None for none.

        With `is_wanted`, a typed draft must tell some of the exported part. Raises Refused for an unknown
        draft, and for a draft in a voice that this user does not have.
        """
        if self.is_off or chosen.tells_record:
            return None
        if self.named is None and not campaign.drafts.names():
            return None
        from retold.drafts.naming import draft_meant, published_drafts
        from retold.drafts.retelling import DraftChosen

        is_typed = self.named is not None
        meant = [draft_meant(campaign, self.named)] if is_typed else published_drafts(campaign, line)
        chosen_drafts = tuple(
            DraftChosen(choice, draft_voice(settings, choice.draft.scope), is_wanted and is_typed)
            for choice in meant
        )
        return ChosenDrafts(chosen_drafts, is_typed) if chosen_drafts else None


class ChosenDrafts(NamedTuple):
    """Drafts that an export tells, at least one."""

    drafts: tuple[DraftChosen, ...]
    is_typed: bool

    @property
    def voice(self) -> Voice | None:
        """Voice of the story around the draft that was typed, which is the draft's own; else None."""
        return self.drafts[0].voice if self.is_typed else None

    @property
    def in_notation(self) -> str | None:
        """Name of a draft in notation, which names players; None without one."""
        noted = (chosen.meant.draft.name for chosen in self.drafts if chosen.voice.as_recorded)
        return next(noted, None)

    def told(self, transcript: Transcript, reading: LineView, stretch: Stretch) -> Transcript:
        """Returns a transcript of `stretch` with the words of these drafts, as `retelling.retold` does."""
        from retold.drafts.retelling import retold

        return retold(transcript, reading, stretch, self.drafts)

    def not_told(self, reading: LineView, stretch: Stretch, whose: str) -> Iterator[str]:
        """Yields sentences about paragraphs of writers that are not in the copy of `whose`."""
        from retold.drafts.unopened import not_in_copy

        return sentences_about(reading.campaign, not_in_copy(reading, stretch, self.drafts), whose)

    def voices(self, reading: LineView, stretch: Stretch, voice: Voice) -> Iterator[tuple[Stretch, Voice]]:
        """Yields a stretch in pieces, each with the voice that tells it: that of a draft, or else `voice`."""
        from retold.drafts.retelling import parts_told

        after = stretch.after
        every = [chosen._replace(is_wanted=False) for chosen in self.drafts]
        for part, chosen in sorted(parts_told(reading, stretch, every), key=lambda told: told[0].start):
            if part.start > after + 1:
                yield replace(stretch, after=after, upto=part.start - 1), voice
            yield replace(stretch, after=part.start - 1, upto=part.stop - 1), chosen.voice
            after = part.stop - 1
        if after < stretch.upto:
            yield replace(stretch, after=after), voice


def sentences_about(campaign: CampaignStore, missing: Iterable[NotInIt], whose: str) -> Iterator[str]:
    """Yields how many of a writer's paragraphs a copy lacks, and the line that opens them, for each draft.

    `whose` is the reader of the copy: `table` or a name.
    """
    is_only = len(campaign.drafts.names()) == 1
    for meant, blocks in missing:
        number = len(blocks)
        paragraphs = "1 paragraph of yours is" if number == 1 else f"{number} paragraphs of yours are"
        if meant.number != meant.draft.latest.number:
            stays = f"revision {meant.number} of the draft {meant.draft.name} stays as it is."
            yield f"{paragraphs} not in it: {stays}"
            continue
        new = ["new"] if any(block.see is None for block in blocks) else []
        others = [str(block.id) for block in blocks if block.see is not None]
        named = [] if is_only else ["--draft", meant.draft.name]
        typed = shlex.join(["retold", "draft", "open", *new, *others, "--to", whose, *named])
        yield f"{paragraphs} not in it, for the game master alone: {typed}"
