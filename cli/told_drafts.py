"""Drafts that an export tells, as the feature that has drafts finds them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from cli.invocation import UsageError
from cli.settings import Settings
from journal.features import added
from journal.store.campaign import CampaignStore
from projections.exports import Export
from projections.prose import Voice
from retold.reading import ToldDrafts

if TYPE_CHECKING:
    from collections.abc import Callable


class DraftsFound(ToldDrafts, Protocol):
    """Drafts that an export of the command line tells."""

    @property
    def voice(self) -> Voice | None:
        """Voice of the story around a draft that was typed; None for published drafts."""

    @property
    def in_notation(self) -> str | None:
        """Name of a draft in notation, which names players; None without one."""


class DraftsAsked(Protocol):
    """The options --draft (NAME or NAME@12) and --no-draft. Without either, published drafts are told."""

    def check(self, chosen: Export, moment: str | None) -> None:
        """Raises UsageError for options that do not fit each other or the format, or a card of a moment."""

    def found(
        self, campaign: CampaignStore, line: int, settings: Settings, chosen: Export, *, is_wanted: bool
    ) -> DraftsFound | None:
        """Returns the drafts to be told; None for none.

        With `is_wanted`, a typed draft must tell some of the exported part. Raises Refused for an unknown
        draft, and for a draft in a voice that this user does not have.
        """


class RecordAlone(NamedTuple):
    """The same options where no feature has drafts."""

    named: str | None
    is_off: bool

    def check(self, chosen: Export, moment: str | None) -> None:  # noqa: ARG002 -- as with drafts
        """Raises UsageError for --draft."""
        if self.named is not None:
            raise UsageError("This Retold has no drafts: leave out --draft.")

    def found(
        self, campaign: CampaignStore, line: int, settings: Settings, chosen: Export, *, is_wanted: bool
    ) -> None:
        """Returns None: the record's own words are told."""


def drafts_asked(named: str | None, *, is_off: bool) -> DraftsAsked:
    """Returns what the options --draft and --no-draft ask for."""
    asked: Callable[[str | None, bool], DraftsAsked] = next(iter(added("retelling")), RecordAlone)
    return asked(named, is_off)
