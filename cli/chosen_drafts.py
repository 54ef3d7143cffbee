"""The options --draft and --no-draft of exports: which drafts are told in place of the record's words."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cli.invocation import UsageError
from cli.settings import Settings
from cli.verbs.voices import draft_voice
from journal.store.campaign import CampaignStore
from projections import safe
from projections.exports import Export
from projections.prose import Voice

if TYPE_CHECKING:
    from journal.vocabulary.drafts import Block
    from retold.drafts.naming import DraftMeant
    from retold.drafts.retelling import DraftChosen
    from retold.drafts.unopened import NotInIt


class DraftAsked(NamedTuple):
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

    def found(
        self, campaign: CampaignStore, line: int, settings: Settings, chosen: Export, *, is_wanted: bool
    ) -> tuple[DraftChosen, ...]:
        """Returns the drafts to be told: the typed one, else the published ones of the line.

        With `is_wanted`, a typed draft must tell some of the exported part. Raises Refused for an unknown
        draft, and for a draft in a voice that this user does not have.
        """
        if self.is_off or chosen.tells_record:
            return ()
        if self.named is None and not campaign.drafts.names():
            return ()
        from retold.drafts.naming import draft_meant, published_drafts
        from retold.drafts.retelling import DraftChosen

        is_typed = self.named is not None
        meant = [draft_meant(campaign, self.named)] if is_typed else published_drafts(campaign, line)
        return tuple(
            DraftChosen(choice, draft_voice(settings, choice.draft.scope), is_wanted and is_typed)
            for choice in meant
        )

    def voice(self, drafts: tuple[DraftChosen, ...], otherwise: Voice) -> Voice:
        """Returns the voice of the story around the draft that was typed, which is the draft's own."""
        return drafts[0].voice if drafts and self.named is not None else otherwise


def say_not_in_copy(missing: Iterable[NotInIt], whose: str, *, is_only_draft: bool) -> None:
    """Prints on standard error how many of a writer's paragraphs a copy lacks, and the line that opens them.

    `whose` is the reader of the copy: `table` or a name.
    """
    for meant, blocks in missing:
        sys.stderr.write(f"{safe.line(not_in_copy(meant, blocks, whose, is_only_draft=is_only_draft))}\n")


def not_in_copy(meant: DraftMeant, blocks: Sequence[Block], whose: str, *, is_only_draft: bool) -> str:
    """Returns a sentence about a writer's paragraphs that a copy of a draft lacks."""
    number = len(blocks)
    paragraphs = "1 paragraph of yours is" if number == 1 else f"{number} paragraphs of yours are"
    if meant.number != meant.draft.latest.number:
        return f"{paragraphs} not in it: revision {meant.number} of the draft {meant.draft.name} stays as it is."
    new = [block for block in blocks if block.see is None]
    which = [*(["new"] if new else []), *(str(block.id) for block in blocks if block.see is not None)]
    named = [] if is_only_draft else ["--draft", meant.draft.name]
    typed = shlex.join(["retold", "draft", "open", *which, "--to", whose, *named])
    return f"{paragraphs} not in it, for the game master alone: {typed}"
