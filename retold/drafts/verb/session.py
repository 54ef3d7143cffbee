"""State of one call of the verb `draft`: the open campaign, and the words and options that were typed."""

from __future__ import annotations

import sys
from typing import NamedTuple

from retold.cli.campaigns.settings import Settings
from retold.cli.invocation import DONE, Options, UsageError
from retold.cli.output.printing import fitted, write_json
from retold.cli.verbs.voices import draft_voice
from retold.drafts.naming import DraftMeant, draft_meant, writer_named
from retold.drafts.standing import Standing, latest
from retold.drafts.verb.output import facts
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.store.writing.drafts import Draft, Scope
from retold.projections.prose import Voice
from retold.projections.texts import safe


class Asked(NamedTuple):
    """Words and options that follow `draft`."""

    words: tuple[str, ...]
    draft: str | None
    voice: str | None
    lang: str | None
    viewer: str | None
    to: str | None
    by: str | None
    output: str | None
    format: str | None
    only: frozenset[str]
    """Names of the switches that are set, without hyphens."""


class Session(NamedTuple):
    """Open campaign, the user's settings, and the typed words."""

    campaign: CampaignStore
    settings: Settings
    options: Options
    asked: Asked

    def voice(self, scope: Scope) -> Voice:
        """Returns the voice of a draft, in the draft's language."""
        return draft_voice(self.settings, scope)

    def say(self, sentence: str) -> None:
        """Prints a sentence; on standard error if JSON was asked for."""
        out = sys.stderr if self.options.json else sys.stdout
        out.writelines(f"{line}\n" for line in fitted([safe.line(sentence)], out))

    @property
    def writer(self) -> str | None:
        """Writer's name from --by, or from `draft by`; None without either."""
        if self.asked.by is not None:
            return writer_named(self.asked.by)
        return self.settings.writer(self.campaign.id)

    def meant(self, typed: str | None = None) -> DraftMeant:
        """Returns the draft that was typed, as a word or with --draft."""
        if typed is not None and self.asked.draft is not None:
            raise UsageError("The draft is named twice: leave out --draft.")
        return draft_meant(self.campaign, typed or self.asked.draft)

    def standing(self, meant: DraftMeant) -> Standing:
        """Returns a revision of a draft in its current state."""
        revision = meant.draft.revision(meant.number)
        return Standing(self.campaign, meant.draft, revision, self.voice(meant.draft.scope))


def as_json(session: Session, draft: Draft) -> int:
    """Prints a draft as JSON data if that was asked for; returns the exit code."""
    if session.options.json:
        write_json(facts(latest(session.campaign, draft, session.voice(draft.scope))))
    return DONE
