"""Drafts by the names that users type, and the drafts that exports show by default."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from retold.drafts.files.kept_words import LONGEST_NAME
from retold.drafts.places import Here
from retold.journal.names import find, normalise, quoted
from retold.journal.refused import Refused
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.store.writing.drafts import Draft
from retold.projections.texts import safe

_WITH_REVISION: Final = re.compile(r"(?s)(.*)@([0-9]{1,9})")


def writer_named(typed: str | None) -> str | None:
    """Returns the name of a writer as it was typed; None if none was.

    Raises Refused for a name that cannot be shown on a line.
    """
    name = "" if typed is None else typed.strip()
    if not name:
        return None
    if safe.line(name) != name or len(name) > LONGEST_NAME:
        raise Refused(f"A writer has a name of 1 to {LONGEST_NAME} visible characters: say another.")
    return name


class DraftMeant(NamedTuple):
    """Draft that was typed, and its revision; None means the latest."""

    draft: Draft
    revision: int | None = None

    @property
    def number(self) -> int:
        """Number of the revision that is meant."""
        return self.draft.latest.number if self.revision is None else self.revision


def draft_meant(campaign: CampaignStore, typed: str | None) -> DraftMeant:
    """Returns the draft called `NAME` or `NAME@12`; without a name the only one of the campaign.

    Case, accents and abbreviations are forgiven. Raises Refused for a name that fits none or several, for a
    revision that does not exist, and without a name if there are several drafts, or none.
    """
    names = campaign.drafts.names()
    if not names:
        raise Refused("There is no draft yet: retold draft new NAME begins one.")
    if typed is None:
        if len(names) > 1:
            raise Refused(f"There are several drafts: say --draft and one of {_listed(names.values())}.")
        return DraftMeant(campaign.drafts.read(next(iter(names))))
    by_number: dict[int, Sequence[str]] = {number: (name,) for number, name in names.items()}
    ending = _WITH_REVISION.fullmatch(typed)
    if ending is None or typed in names.values():
        return DraftMeant(campaign.drafts.read(_found(typed, by_number)))
    draft = campaign.drafts.read(_found(ending[1], by_number))
    return DraftMeant(draft, draft.revision(int(ending[2])).number)


def find_draft(campaign: CampaignStore, name: str) -> Draft | None:
    """Returns the draft with exactly this name, as files state it; None if there is none."""
    found = [
        number for number, other in campaign.drafts.names().items() if normalise(other) == normalise(name)
    ]
    return campaign.drafts.read(found[0]) if found else None


def _found(typed: str, names: Mapping[int, Sequence[str]]) -> int:
    try:
        return find(typed, names)
    except Refused:
        known = _listed(name for given in names.values() for name in given)
        raise Refused(f"No draft, or more than one, is called {quoted(typed)}. There are: {known}.") from None


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(quoted, names))


def published_drafts(campaign: CampaignStore, line: int) -> list[DraftMeant]:
    """Returns the drafts of a line that exports show by default, the one published last first."""
    drafts = map(campaign.drafts.read, campaign.drafts.names())
    found = [
        (draft.published.at, DraftMeant(draft, draft.published.revision))
        for draft in drafts
        if draft.published is not None and Here(campaign, draft.scope).line == line
    ]
    return [meant for _, meant in sorted(found, key=lambda pair: pair[0], reverse=True)]
