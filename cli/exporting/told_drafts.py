"""The options --draft and --no-draft of exports, as the feature of drafts handles them, or as without it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from retold.cli.campaigns.settings import Settings
from retold.cli.invocation import UsageError
from retold.journal.features import added
from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.exports import Export
from retold.projections.prose import Voice
from retold.reading import ToldDrafts

if TYPE_CHECKING:
    from collections.abc import Callable


class DraftsToTell(ToldDrafts, Protocol):
    """Drafts that an export of the command line tells."""

    @property
    def voice(self) -> Voice | None:
        """Voice of the draft that --draft names, also for the story around it; None for published drafts."""

    @property
    def in_notation(self) -> str | None:
        """Name of the first draft in notation, which names players; None if there is none."""


class DraftOptions(Protocol):
    """Options --draft (NAME or NAME@12) and --no-draft. Without either, an export tells published drafts."""

    def check(self, chosen: Export, moment: str | None) -> None:
        """Raises UsageError if the options contradict each other, the format, or a card of a moment."""

    def find(
        self, campaign: CampaignStore, line: int, settings: Settings, chosen: Export, *, is_wanted: bool
    ) -> DraftsToTell | None:
        """Returns the drafts that the export tells; None if it tells none.

        With `is_wanted`, the draft that --draft names must tell some of the exported part. Raises Refused for
        an unknown draft, and for a draft in a voice that this user does not have.
        """


class NoDrafts(NamedTuple):
    """The options where drafts are not installed: an export tells the record alone."""

    named: str | None
    is_off: bool

    def check(self, chosen: Export, moment: str | None) -> None:  # noqa: ARG002 -- the protocol's
        """Raises UsageError if --draft is given."""
        if self.named is not None:
            raise UsageError("This Retold has no drafts: leave out --draft.")

    def find(
        self, campaign: CampaignStore, line: int, settings: Settings, chosen: Export, *, is_wanted: bool
    ) -> None:
        """Returns None."""


def draft_options(named: str | None, *, is_off: bool) -> DraftOptions:
    """Returns the options, typed as --draft (`named`) and --no-draft (`is_off`)."""
    options: Callable[[str | None, bool], DraftOptions] = next(iter(added("draft_options")), NoDrafts)
    return options(named, is_off)
