"""Records commands, and adds sentences that tell the user of consequences."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from typing import Final

from retold.journal.counting import counted
from retold.journal.decks.chance import SystemDealer
from retold.journal.hiding import ActsInSecret
from retold.journal.language.writing import quote_name
from retold.journal.line import LiveEvent, systems_in_play
from retold.journal.refused import Refused
from retold.journal.shared import conflicts
from retold.journal.shared.dice import understood
from retold.journal.store.events.acts import Manner, RecordedAct
from retold.journal.store.events.amendments import HIDDEN_WITH
from retold.journal.store.events.codec import decode
from retold.journal.store.events.text_matching import has_part
from retold.journal.store.writing.replaying import stored_command
from retold.journal.visibility import GAME_MASTER_ONLY, TABLE, VisibleTo
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Command, Event, Words, numbers_in
from retold.outcome import Outcome
from retold.projections.reading import EVERYBODY, LineView, last_known_to, viewer_of
from retold.recasting import cast_again_note, newcomers_note
from retold.write_context import WriteContext

_HIDING_FLAG: Final = r"(?:^|\s)(?P<flag>--gm|--to \S+)\s*$"


def _flag_in_text(command: Command) -> str | None:
    """Returns a hiding flag (`--gm`, `--to NAMES`) typed at the end of a text, which has no effect there.

    None if the text ends in no such flag.
    """
    text = getattr(command, "text", None)
    found = None if text is None else re.search(_HIDING_FLAG, str(text))
    return None if found is None else found["flag"]


def _is_same(before: Command, command: Command) -> bool:
    """True if a recorded command equals one that is typed now; results that were dealt count as equal."""
    dealt = hasattr(command, "results") and getattr(command, "results", None) is None
    return type(before) is type(command) and (before.but({"results": None}) if dealt else before) == command


_EARLIER_MARK: Final = (
    "This mark is on moment {at}, the last one that its readers know."
    " To mark the hidden moment for yourself: mark NAME --gm."
)


class CommandRecorder(WriteContext):
    """Branch open for writing (`WriteContext`) that can record commands."""

    def record(self, command: Command, manner: Manner, *, counts_others: bool = True) -> Outcome:
        """Records a command's act, and returns the outcome with sentences about consequences.

        `counts_others` adds a sentence if other programs recorded acts first. Asks the user whether a secret
        person who acts, or is the target of a public person, is to be revealed. Raises Refused, with nothing
        recorded, if the rules refuse the command.
        """
        said: list[str] = []
        if isinstance(command, c.Cast):
            said += cast_again_note(self, command)
        if isinstance(command, c.Mark):
            marked = self.on_known_moment(command, manner)
            said += [] if marked is command else [_EARLIER_MARK.format(at=marked.at)]
            command = marked
        command, agreed = self._with_targets_shown(command, manner)
        self._confirm_repeat(command, manner)
        self._confirm_doubts(command)
        if (self.attended or self.may_refuse) and getattr(command, "results", None):
            from retold.dice_readings import confirm_reading

            confirm_reading(self, command, manner)
        try:
            done = self.writer.record(command, manner)
        except ActsInSecret as refusal:
            from retold.disclosure import reveal_before_acting

            reveal_before_acting(self, refusal, agreed=refusal.person in agreed)
            done = self.writer.record(command, manner)
        if done.others and counts_others:
            said.append(f"{counted(done.others, 'act')} came in first, from another writer.")
        if isinstance(command, c.Cast) and command.people:
            said += self._no_player_note(command)
        if manner.visible_to == TABLE and (flag := _flag_in_text(command)):
            said.append(f"{flag} is in the text, so this is for all: undo, and type it before the colon.")
        if (spoken := self._spoken_line(command)) is not None:
            said.append(f"This is spoken. To do it: undo, and {spoken}.")
        else:
            said += (
                reminder
                for system in systems_in_play(self.table)
                for reminder in system.reminds(self.table, done.events)
            )
        said += self._kept_back_note(done)
        said += self._notes(command, done, manner)
        return Outcome(done, tuple(said), visible_to=self.visible_to(done.lives))

    def _notes(self, command: Command, done: RecordedAct, manner: Manner) -> list[str]:
        """Returns sentences on what a recorded command of a certain kind leaves hidden, unsaid or unclear."""
        said: list[str] = []
        if self.attended and manner.visible_to == TABLE:
            said += newcomers_note(self, command, done)
        if isinstance(command, c.OpenConflict | c.Join) and self.table.secrets:
            said += self._still_secret_note(done)
        if isinstance(command, c.OpenConflict | c.Join) and manner.visible_to != TABLE:
            said += self._public_words_note(command, done)
        if isinstance(command, c.Mark) and manner.visible_to == TABLE:
            said += self._hidden_mark_note(done)
        if isinstance(command, c.Pull):
            said += self._pull_note(command)
        said += filter(None, (understood(command),))
        return said

    def _spoken_line(self, command: Command) -> str | None:
        """Returns a person's spoken words as a line of the game; None if they cannot be read."""
        if not isinstance(command, c.Say) or not self.attended:
            return None
        from retold.spoken_lines import spoken_line

        return spoken_line(self.table, command)

    def _with_targets_shown(self, command: Command, manner: Manner) -> tuple[Command, Collection[int]]:
        """Asks the user, if one is present, whether the secret targets of an act may be seen.

        Returns the command, with the number that is then public, and the people agreed to. Raises Refused for
        a no.
        """
        asks = (self.attended or self.may_refuse) and manner.visible_to == TABLE and command.acting
        if not asks or not self.table.secrets:
            return command, ()
        from retold.disclosure import show_targets

        return show_targets(self, command, manner)

    def _confirm_repeat(self, command: Command, manner: Manner) -> None:
        """Asks the user, if one is present, about a line typed twice in a row that would end something more.

        Raises Refused for a no.
        """
        if not (self.attended or self.may_refuse) or self.table.in_play() is None:
            return
        last = next(self.writer.last_acts(), None)
        before = None if last is None else stored_command(last, self.table)
        if last is None or before is None or not _is_same(before, command):
            return
        would = self.writer.would(command, manner, None if self.table.seed is None else SystemDealer())
        ends = tuple(event for event in would if event.closing)
        if not ends:
            return
        more = "; ".join(Outcome(checked=True, would=ends).notation(self.table))
        asked = f"That was typed just before, as {self.described(last)}. Typed again: {more}. Go on?"
        if not self.ask(asked):
            raise Refused(f"Nothing was recorded: {self.described(last)} was typed once.")

    def _confirm_doubts(self, command: Command) -> None:
        """Asks the user, if one is present, what a game asks before the command; raises Refused for a no."""
        if not (self.attended or self.may_refuse):
            return
        of_games = (system.doubts(self.table, command) for system in systems_in_play(self.table))
        for asked in chain(conflicts.doubts(self.table, command), *of_games):
            if not self.ask(asked):
                raise Refused("Nothing was recorded.")

    def _kept_back_note(self, done: RecordedAct) -> list[str]:
        """Returns a sentence for each person shown by this act whose phrase is still hidden."""
        shown = dict.fromkeys(
            event.person for event in done.events if isinstance(event, e.Shown) and not event.sheet
        )
        if not shown:
            return []
        from retold.journal.store.writing.reveal import hidden_of_person

        kept_back = [
            person
            for person in shown
            if any(
                isinstance(recorded.event, e.Described) and recorded.event.text is not None
                for recorded in hidden_of_person(self.writer, person)
            )
        ]
        return [
            f"What you wrote of {self.table.name(person)} is kept back: reveal {self.table.quoted(person)}."
            for person in kept_back
        ]

    def _still_secret_note(self, done: RecordedAct) -> list[str]:
        """Returns a sentence that names the secret people who came into a conflict; empty if none did."""
        table = self.table
        numbers = dict.fromkeys(number for event in done.events for number in numbers_in(event))
        secret = [person for person in numbers if table.secret(person) is not None]
        if not secret:
            return []
        names = ", ".join(map(table.name, secret))
        line = "+".join(map(table.quoted, secret))
        unseen = f"Still secret, and not seen in this fight by the others until they act: {names}."
        return [f"{unseen} To show them now: reveal {line}."]

    def _public_words_note(self, command: Command, done: RecordedAct) -> list[str]:
        """Returns a sentence if the words of a `conflict` or `join` line are public, though it says `--gm`.

        The line hides its newcomers alone.
        """
        parts = {
            "title": "the title",
            "text": "the stakes" if isinstance(command, c.OpenConflict) else "the text",
        }
        worded = [what for field, what in parts.items() if getattr(command, field, None) is not None]
        opened = zip(done.lives, self.visible_to(done.lives), strict=True)
        seen = any(isinstance(live.event, e.ConflictOpened | e.Joined) and to == TABLE for live, to in opened)
        if not worded or not seen:
            return []
        words = " and ".join(worded)
        said = f"Everyone can read {words} of this {command.verb}: --gm and --to hide the new people alone."
        return [f"{said} If that gives them away: undo, and say it in other words."]

    def visible_to(self, lives: Iterable[LiveEvent]) -> tuple[VisibleTo, ...]:
        """Returns the audience of each event, in order.

        An event that depends on a hidden person or thing is hidden as they are.
        """
        lives = tuple(lives)
        return self._audiences([live.event for live in lives], [live.visible_to for live in lives])

    def _audiences(self, events: Sequence[Event], wanted: Sequence[VisibleTo]) -> tuple[VisibleTo, ...]:
        depends = self.table.secrets or any(event.kind in HIDDEN_WITH for event in events)
        if not depends or any(isinstance(event, e.Shown) for event in events):
            return tuple(wanted)  # an act that shows a secret person is visible, even in a check
        head = self.writer.head.position
        sight = LineView(self.campaign, self.line, head).sight
        return tuple(sight.shown_to(*pair, head + 1) for pair in zip(events, wanted, strict=True))

    def on_known_moment(self, command: c.Mark, manner: Manner) -> c.Mark:
        """Returns an open mark of now with the last moment known to its whole audience.

        Unchanged if they know the last one, if the line names a moment, and for a mark of the game master's.
        """
        if command.at is not None or manner.visible_to == GAME_MASTER_ONLY:
            return command
        reading = LineView(self.campaign, self.line, self.writer.head.position)
        viewers = (
            [EVERYBODY]
            if isinstance(manner.visible_to, str)
            else [viewer_of(self.table, person) for person in manner.visible_to]
        )
        at = last_known_to([reading.through(viewer) for viewer in viewers])
        return command if at in (None, self.table.position) else command.but({"at": at})

    def _hidden_mark_note(self, done: RecordedAct) -> list[str]:
        """Returns a sentence that a mark is hidden from players because the moment it names is.

        An empty list for a mark on a public moment.
        """
        at = next(event.at for event in done.events if isinstance(event, e.Marked))
        row = self.campaign.record.row(self.line, at)
        if row is None or decode(row).envelope.visible_to == TABLE:
            return []
        return [
            f"This mark is hidden, because moment {at} is. For a mark everyone sees: mark NAME --at MOMENT."
        ]

    def _pull_note(self, command: c.Pull) -> list[str]:
        """Returns a sentence if the moment of a pull quote has no words, or not these; else an empty list."""
        row = self.campaign.record.row(self.line, command.at)
        reworded = self.writer.amendments.rewordings.get(command.at)
        words = None if row is None else getattr(decode(row, reworded).event, "text", None)
        if not isinstance(words, Words):
            return [
                f"There are no words at {command.at}, so no page shows them: undo, and name a text's moment."
            ]
        part = None if command.text is None else command.text.text
        if part and not has_part(words.text or "", part):
            return [f"This is not in the words at {command.at}, so a page shows all of those."]
        return []

    def _no_player_note(self, command: c.Cast) -> list[str]:
        """Returns a sentence that no player plays the person cast yet; an empty list if one does.

        Used for `cast` lines that name a second person by a key of the game, such as `doula=Mary`. The
        sentence says that the game master spends and gains for the character, and how to name a player.
        """
        who = command.who if isinstance(command.who, int) else self.table.called(command.who.text or "")
        if who is None or self.table.people[who].player is not None:
            return []
        name = self.table.name(who)
        paid = "so what they spend and gain is the game master's"
        return [f"No one plays {name} yet, {paid}: cast {quote_name(name)} by=NAME."]
