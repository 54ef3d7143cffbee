"""Rules of sealed choices: each person seals (hides) a choice, and one reveal opens all of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from msgspec import Struct

from retold.journal.refused import Forgotten, Refused
from retold.journal.shared import notes_and_speech
from retold.journal.shared.notes_and_speech import gm_narration
from retold.journal.system import Situation
from retold.journal.table import Handler, OpenConflict, Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Event, Words
from retold.journal.vocabulary.sealing import (
    ChoicesRevealed,
    DeclareSealed,
    Meant,
    SealedChoice,
    unseal,
    words_field,
)


class SealedChoices(Struct, frozen=True, kw_only=True):
    """Rules of sealed (hidden until revealed) choices for one game, with its event classes and its checks."""

    sealed: type[SealedChoice]
    revealed: type[ChoicesRevealed]
    held: Callable[[OpenConflict], dict[int, Words]]
    """Sealed words by person, in the order sealed: a dict in the conflict's state."""
    waits_for: Callable[[Table, OpenConflict], Collection[int]]
    """People who have yet to choose, openly or sealed."""
    choose: Callable[[Situation, int, Meant], Event]
    """Returns the open choice of a person; raises Refused if the rules do not allow it now."""
    opened: Callable[[Situation, int, Meant], Event] | None = None
    """Returns the open choice at the reveal, when its time is over; `choose` if None."""
    form: str
    """Words after `declare NAME` in a proposed line, such as `high NAME, or low`."""
    round: str = "round"
    """What the game calls the time in which all choose once."""

    def declare(self, situation: Situation, command: DeclareSealed) -> list[Event]:
        """Returns the event of a `declare` line: a sealed choice, or an open one as `choose` builds it.

        Raises Refused without a person.
        """
        who = command.who
        if who is None:
            raise Refused(f"Say who chooses: declare NAME {self.form}.")
        if command.sealed is not None:
            return [self.seal(situation, who, command.sealed)]
        return [self.choose(situation, who, Meant(command.act or "", command.target, command.text))]

    def seal(self, situation: Situation, who: int, words: Words) -> SealedChoice:
        """Returns the event of a sealed choice, after checking by `choose` that the rules allow the choice.

        The check is skipped if the choice's text was redacted.
        """
        meant = unseal(words)
        if meant is not None:
            self.choose(situation, who, meant)
        elif words.text is not None:
            line = f"declare {situation.quoted(who)} {self.form}"
            raise Refused(f"What {situation.name(who)} sealed cannot be read: {line}.")
        fields = {"conflict": situation.here.id, "who": who, words_field(self.sealed): words}
        return self.sealed.of(fields)

    def reveal(self, situation: Situation, command: c.Reveal) -> list[Event]:
        """Returns the events of a `reveal` line: the reveal, each opened choice, then the text as narration.

        Raises Refused while a choice is missing, Forgotten if a choice was redacted.
        """
        here = situation.here
        held = self.held(here)
        if command.at is not None or not held:
            return notes_and_speech.reveal(situation, command)
        if missing := self.waits_for(situation.table, here):
            yet = f"these have not declared yet this {self.round}: {situation.names(missing)}"
            raise Refused(f"All is revealed at once, and {yet}.")
        opened = [self._opened(situation, who, words) for who, words in held.items()]
        return [
            self.revealed(conflict=here.id, people=tuple(held)),
            *opened,
            *gm_narration(situation, command.text),
        ]

    def _opened(self, situation: Situation, who: int, words: Words) -> Event:
        meant = unseal(words)
        if meant is None:
            line = f"declare {situation.quoted(who)} {self.form}"
            raise Forgotten(f"What {situation.name(who)} sealed was redacted, so say it again: {line}.")
        return (self.opened or self.choose)(situation, who, meant)

    @property
    def evolve(self) -> Mapping[type[Event], Handler]:
        """Event handlers for a game's `evolve`: storing a sealed choice, and removing revealed choices."""
        return {self.sealed: self._hold, self.revealed: self._release}

    def _hold(self, table: Table, event: SealedChoice) -> None:
        hold(self.held(table.conflicts[event.conflict]), event)

    def _release(self, table: Table, event: ChoicesRevealed) -> None:
        held = self.held(table.conflicts[event.conflict])
        for who in event.people:
            held.pop(who, None)


def hold(held: dict[int, Words], event: SealedChoice) -> None:
    """Stores a person's sealed choice (secret until revealed) in `held`, in place of an earlier one.

    The new choice is last in the mapping.
    """
    held.pop(event.who, None)
    held[event.who] = event.sealed
