"""Executes typed lines on one branch of a campaign: each line records one act or is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from retold.command_recorder import CommandRecorder
from retold.journal.decks.chance import Dealer, SystemDealer
from retold.journal.guarding import GuestError
from retold.journal.hiding import audiences
from retold.journal.language import expecting
from retold.journal.language.binding import Bound, Scope, audience_said
from retold.journal.language.forms import COMMON_FLAGS
from retold.journal.language.lexing import Lexed, lex, line_as_typed
from retold.journal.language.meant import as_meant, bind_as_meant
from retold.journal.language.moments import (
    reads_as_moment,
)
from retold.journal.language.naming import Mistyped
from retold.journal.language.shorthand import without_sort
from retold.journal.language.tokens import Token, Unreadable
from retold.journal.language.verbs import EXPECT, UnknownVerb
from retold.journal.language.writing import quote_name
from retold.journal.line import LiveEvent
from retold.journal.names import normalise, quoted
from retold.journal.refused import NotSaid, Refused
from retold.journal.store.events.acts import Manner, RecordedAct
from retold.journal.store.events.codec import decode_event
from retold.journal.store.events.line_events import Act, live_events
from retold.journal.visibility import GAME_MASTER_ONLY, TABLE
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Command, Event
from retold.outcome import UNCHANGED, Forgotten, Outcome
from retold.projections.plain.lives import notation
from retold.questions import answered
from retold.recasting import confirm_newcomers, confirm_same_person, same_fight
from retold.repeating import repeated
from retold.write_context import yes

Forget = Callable[[Iterable[str], Iterable[str]], Forgotten]
"""Removes texts and names from files the user keeps beside the record."""


def no_file(path: str) -> bytes:
    """Raises Refused: here no file can be read."""
    raise Refused(
        f"Files are not read here: say this line at the console or in a shell, where {path} can be read."
    )


class Scribe(CommandRecorder):
    """Executes typed lines of the command language on one branch of a campaign."""

    came_up: Callable[[Lexed, Scribe], Lexed] = field(default=lambda lexed, _scribe: lexed)
    """Adds results the user draws or rolls to a line that lacks them."""
    read_file: Callable[[str], bytes] = field(default=no_file)
    """Reads a file named on a line."""
    forget: Forget = field(default=lambda _texts, _names: Forgotten())
    """Removes redacted words from files the user keeps beside the record."""

    def scope_of(self, verb: str) -> Scope:
        """Returns the binding context of a verb: table state, and the function that resolves typed moments.

        For `reveal` it also finds secrets by name, for `redact` events with words, for `branch` any event;
        for other verbs it finds acts.
        """
        if verb in LEAVING:
            return self.scope
        if verb == c.Redact.verb:
            from retold.disclosure import position_of_words

            return Scope(self.table, lambda typed: position_of_words(self, typed), self.today)
        if verb in REVEALING:
            from retold.disclosure import position_of_secret

            return Scope(self.table, lambda typed: position_of_secret(self, typed), self.today)
        return Scope(self.table, self.act_at, self.today)

    def read(self, lexed: Lexed) -> Bound:
        """Binds a lexed line to a command.

        Asks the user whether a name that resembles a known one was mistyped.
        """
        return self._corrected_line(lexed)[1]

    def _corrected_line(self, lexed: Lexed) -> tuple[Lexed, Bound]:
        """Returns a line with the names that the user meant, where asked, and its command."""
        scope = self.scope_of(lexed.verb.text)
        for _ in lexed.tokens:
            try:
                return lexed, bind_as_meant(lexed, scope)
            except Mistyped as slip:
                lexed = self._corrected(lexed, slip)
        return lexed, bind_as_meant(lexed, scope)

    def _read_helpfully(self, lexed: Lexed) -> tuple[Lexed, Bound]:
        """Corrects and binds a lexed line; a refusal of a `retcon` or `fix` shows the line to type."""
        try:
            return self._corrected_line(lexed)
        except Unreadable as refusal:
            if lexed.verb.text not in CORRECTING:
                raise
            from retold.corrections import explain_misfit

            raise explain_misfit(self, lexed, refusal) from None

    def _corrected(self, lexed: Lexed, slip: Mistyped) -> Lexed:
        """Asks which name is meant, and returns the corrected line; raises `slip` again without an answer."""
        asked = f"Did you mean {slip.name}? y is {slip.name}; n: “{slip.typed}” is {slip.new}. [y/n]"
        match (self.consult(asked) or "").strip().casefold()[:1]:
            case "y":
                return lexed.instead(slip.typed, slip.name)
            case "n":
                return lexed.instead(slip.typed, slip.typed)
            case _:
                raise slip

    def say(self, line: str, act: str | None = None) -> Outcome:
        """Executes a typed line and returns its outcome.

        Records nothing if the act id `act` is recorded already. If that act made a branch, switches to the
        branch, as it did then. Raises Refused, with nothing recorded, if language or rules reject the line.
        """
        if act is not None and (done := self._recorded_act(act)) is not None:
            return Outcome(done)
        return self._carry_out(self.came_up(lex(line), self), only_checked=False, act=act)

    def _recorded_act(self, act: str) -> RecordedAct | None:
        row = self.campaign.branches.begun_by(act)
        if row is None:
            return self.writer.already(act)
        if row.line != self.line:
            self.go(row.line)
        return RecordedAct(row.position, row.position, (decode_event(row)[0],), again=True)

    def recorded(self, act: str) -> Outcome | None:
        """Returns the outcome of the recorded act with id `act`, and its events; None if no such act exists.

        Takes the lock, so that an act which is not there cannot appear later. If the act made a branch,
        switches to the branch. Does not find a redaction, nor what showed a branch to players.
        """
        with self.campaign.record.writing():
            self.begin_again()
            done = self._recorded_act(act)
        if done is None:
            return None
        writer = self.writer
        lives = live_events(self.campaign.record, self.line, done.first - 1, done.last, writer.amendments)
        done = done._replace(lives=tuple(lives))
        return Outcome(done, visible_to=self.visible_to(done.lives))

    def carry_out(self, lexed: Lexed, act: str | None = None) -> Outcome:
        """Executes a lexed line and returns its outcome; raises Refused, with nothing recorded.

        `act` is the id to record it under, which no act has yet.
        """
        return self._carry_out(self.came_up(lexed, self), only_checked=False, act=act, is_new=True)

    def check(self, lexed: Lexed) -> Outcome:
        """Returns the outcome a line would have, recording nothing; raises Refused if it would be refused."""
        return self._carry_out(lexed, only_checked=True)

    def _carry_out(
        self, lexed: Lexed, *, only_checked: bool, act: str | None = None, is_new: bool = False
    ) -> Outcome:
        if "yes" in lexed.flags:
            return self._answering_yes(lexed, only_checked=only_checked, act=act, is_new=is_new)
        return self._carry_out_asking(lexed, only_checked=only_checked, act=act, is_new=is_new)

    def _carry_out_asking(
        self, lexed: Lexed, *, only_checked: bool, act: str | None, is_new: bool
    ) -> Outcome:
        lexed = without_sort(lexed)
        if (outcome := self._without_record(lexed)) is not None:
            return outcome
        branch = _branch_request(lexed)
        if branch is not None:
            only_checked = only_checked or "check" in lexed.flags
            about = {"promote": self._promote, "show": self._show}[branch.what]
            return about(branch.name, lexed, act, only_checked=only_checked)
        lexed, bound = self._read_helpfully(repeated(self, lexed))
        command = self.with_files(bound.command)
        bound = replace(bound, command=command, check=bound.check or only_checked)
        if not isinstance(command, c.Redact):  # an interrupted redaction continues under no id
            bound = replace(bound, manner=replace(bound.manner, act=act, is_new=is_new))
        if isinstance(bound.command, c.Reveal) and bound.command.at is not None:
            return self._reveal(bound.command.at, bound.command, bound, lexed.tokens[0])
        if bound.command.manages:
            return self._manage(bound)
        if isinstance(command, c.Cast):
            confirm_same_person(self, command, consulted=not bound.check)
        if isinstance(command, c.OpenConflict | c.Join) and not bound.check:
            confirm_newcomers(self, command, lexed)
        if isinstance(command, c.OpenConflict):
            return self._open_conflict(command, bound)
        return self._act_or_complete(lexed, bound)

    def _act_or_complete(self, lexed: Lexed, bound: Bound) -> Outcome:
        """Records an act, or only checks it; refuses a line that lacks a value with the line that has it."""
        try:
            outcome = self._act(bound)
        except NotSaid as refusal:
            from retold.journal.language.completing import completed  # no line that is taken needs it

            line = completed(as_meant(lexed, self.scope), self.scope, refusal)
            if line is None:
                raise
            end = "." if line.text is None else ""
            answer = Refused(f"{refusal.sentence.removesuffix('.')}: {line_as_typed(line)}{end}")
            answer.lines = (line_as_typed(line),)
            raise answer from None
        except Refused as refusal:
            from retold.journal.language.meaning import with_other_numbers

            better = with_other_numbers(as_meant(lexed, self.scope), bound.command, self.scope, refusal)
            if better is None:
                raise
            raise better from None
        is_told = isinstance(bound.command, c.Narrate) and str(bound.command.text) == line_as_typed(lexed)
        if not is_told:
            return outcome
        from retold.journal.language.meaning import beside_told

        return replace(outcome, said=(f"{TOLD}{beside_told(lexed, self.scope)}", *outcome.said))

    def _open_conflict(self, command: c.OpenConflict, bound: Bound) -> Outcome:
        """Opens a conflict; asks the user, if present, before the same fight is opened a second time."""
        again = same_fight(self.table, command)
        asks = again is not None and self.attended and not bound.check
        if asks and not self.ask(ANOTHER_ONE):
            return UNCHANGED
        outcome = self._act(bound)
        return outcome if again is None or asks else replace(outcome, said=(*outcome.said, again))

    def _act(self, bound: Bound) -> Outcome:
        """Records an act of the table, or only checks it."""
        if bound.check and isinstance(bound.command, c.Mark):
            bound = replace(bound, command=self.on_known_moment(bound.command, bound.manner))
        if bound.check:
            would = tuple(self.writer.would(bound.command, bound.manner, self._example()))
            wanted = audiences(self.table, bound.command, would, bound.manner.visible_to)
            return Outcome(checked=True, would=would, visible_to=self._audiences(would, wanted))
        return self.record(bound.command, bound.manner)

    def _answering_yes(self, lexed: Lexed, *, only_checked: bool, act: str | None, is_new: bool) -> Outcome:
        """Carries out a line with `--yes`: yes to its questions, and no text where one is asked for."""
        lexed = replace(lexed, flags={name: value for name, value in lexed.flags.items() if name != "yes"})
        before = self.ask, self.consult, self.attended
        self.ask = yes
        self.consult = lambda _question: None
        self.attended = True
        try:
            return self._carry_out_asking(lexed, only_checked=only_checked, act=act, is_new=is_new)
        finally:
            self.ask, self.consult, self.attended = before

    def with_files(self, command: Command) -> Command:
        """Returns the command with what is in the file that it names; unchanged if it names none.

        Raises Refused if the file cannot be read, or is not what the command wants.
        """
        read = command.with_file(self.read_file)
        if isinstance(read, c.PictureCommand) and isinstance(command, c.PictureCommand):
            from retold.picture_files import with_picture

            return with_picture(read, command.called)
        return read

    def _example(self) -> Dealer | None:
        """Returns a random dealer for checks, so that a seeded table does not disclose its next results.

        None for a table without a seed.
        """
        return None if self.table.seed is None else SystemDealer()

    # --- checking -----------------------------------------------------------------------------------------

    def _expect(self, lexed: Lexed) -> Outcome:
        if lexed.tokens and lexed.tokens[0].text == "refused" and len(lexed.tokens) > 1:
            return self._expect_refused(lexed.rest())
        return Outcome(said=(expecting.check_expectation(lexed, self.table),), checked=True)

    def _expect_refused(self, lexed: Lexed) -> Outcome:
        """Returns a sentence if the rules refuse the line after `expect refused`.

        Raises Refused if they accept it. Raises the line's own error for a syntax error, an unknown
        verb, or a game that fails.
        """
        try:
            self.check(lexed)
        except (Unreadable, UnknownVerb, GuestError):
            raise
        except Refused as refusal:
            return Outcome(said=(f"It is refused: {refusal}",), checked=True)
        raise Refused(f"Expected a refusal, but {lexed.verb.text} would be accepted.")

    def _without_record(self, lexed: Lexed) -> Outcome | None:
        """Returns the outcome of a line that only checks or asks; None for a line that records something."""
        if lexed.verb.text in EXPECT:
            return self._expect(lexed)
        told = answered(lexed, self.table)
        return None if told is None else Outcome(said=told, checked=True)

    # --- the line itself ----------------------------------------------------------------------------------

    def _manage(self, bound: Bound) -> Outcome:
        handlers: Mapping[type[Command], Callable[[Any, Bound], Outcome]] = {
            c.Undo: self._undo,
            c.Redo: self._redo,
            c.Branch: self._branch,
            c.Switch: self._switch,
            c.Retcon: self._retcon,
            c.Fix: self._fix,
            c.Redact: self._redact,
        }
        handler = handlers.get(type(bound.command))
        if handler is None:
            raise Refused(f"{bound.command.verb} cannot be recorded as a line.")
        return handler(bound.command, bound)

    def _undo(self, command: c.Undo, bound: Bound) -> Outcome:
        from retold.journal.store.writing import undo as undoing

        former = undoing.former_mainline(self.writer)
        if former is not None and command.acts == 1:
            return self._promote_former(former, command, bound)
        acts = undoing.plan_undo(self.writer, command.acts)
        if bound.check:
            return self._in_words("Would be taken back:", acts)
        described = "; ".join(map(self.described, acts))
        done = undoing.undo(self.writer, command.acts, bound.manner, acts)
        return Outcome(done, (f"Taken back: {described}.", *self._restored_words(acts)))

    def _redo(self, command: c.Redo, bound: Bound) -> Outcome:
        from retold.journal.store.writing import undo as undoing

        again = undoing.undone_promotion(self.writer)
        if again is not None and command.acts == 1:
            return self._promote_former(again, command, bound)
        acts = self._redoable_acts(command.acts)
        if bound.check:
            return self._in_words("Would be brought back:", acts)
        described = "; ".join(map(self.described, acts))
        done = undoing.redo(self.writer, command.acts, bound.manner)
        return Outcome(done, (f"Brought back: {described}.", *self._restored_words(acts)))

    def _in_words(self, said: str, acts: Iterable[Act]) -> Outcome:
        """Returns the outcome of a check: `said`, then acts by their events as the log words them.

        An act of a game that is not installed is told by its typed line.
        """
        sentences = [said]
        for act in acts:
            lives = [
                LiveEvent(one.position, one.event, one.envelope.luck, one.envelope.visible_to)
                for one in act.events
                if isinstance(one.event, Event)
            ]
            sentences += notation(self.table, lives, named=False) if lives else [self.described(act)]
        return Outcome(said=tuple(sentences), checked=True)

    def _promote_former(self, line: int, command: c.Undo | c.Redo, bound: Bound) -> Outcome:
        """Makes branch `line` the mainline again: undo or redo of the last promotion."""
        if bound.check:
            name = quoted(self.campaign.lines()[line])
            return Outcome(said=(f"Would be the mainline again: {name}.",), checked=True)
        again = quoted(self.campaign.lines()[line])
        left = self.line
        self.campaign.promote(line, bound.manner, command)
        self.begin_again()
        self.go(line)
        kept = quoted(self.campaign.lines()[left])
        head = self.campaign.record.head(line).position
        back = "redo" if isinstance(command, c.Undo) else "undo"
        said = f"{again} is the mainline again, at {head}. The line you left is called {kept} now."
        return Outcome(said=(f"{said} To return to it: {back}.",))

    def _redoable_acts(self, acts: int) -> list[Act]:
        """Returns the undone acts that `redo` of this number of acts would restore, in order."""
        from retold.journal.store.events import line_events
        from retold.journal.store.writing import undo as undoing

        stretches = sorted(undoing.plan_redo(self.writer, acts))
        return [
            act
            for first, last in stretches
            for act in line_events.acts(self.campaign.record, self.line, first - 1, last, undone=True)
        ]

    def _restored_words(self, acts: Iterable[Act]) -> Iterator[str]:
        """Yields sentences with the current texts of events whose rewording `acts` undid or redid."""
        from retold.journal.store.writing.rewording import words_at

        changed = [
            stored.event for act in acts for stored in act.events if isinstance(stored.event, e.Reworded)
        ]
        for event in {(event.about, event.word): event for event in changed}.values():
            if self.writer.amendments.counts(event.about):
                yield f"{event.about} reads again: “{words_at(self.writer, event)}”"

    def _branch(self, command: c.Branch, bound: Bound) -> Outcome:
        typed = command.name.text or ""
        self._check_branch_name(typed, shown=bound.manner.visible_to != "gm")
        parent, at = self.line, command.at or self.writer.head.position
        to = bound.manner.visible_to
        self._check_in_cast(to, parent, at)
        if bound.check:
            return Outcome(said=(f"A new branch {typed} would start at moment {at}.",), checked=True)
        manner = replace(bound.manner, visible_to=TABLE)  # the audience of a branch is recorded as LineShown
        line = self.campaign.fork(parent, at, command.name, command.text, manner=manner, to=to)
        self.go(line)
        return Outcome(said=(f"New branch {typed}, from moment {at}. You are on it now.",))

    def _check_in_cast(self, to: str | tuple[int, ...], line: int, at: int) -> None:
        """Raises Refused if a person in `to` is not in the cast at position `at`, where the branch begins."""
        if not isinstance(to, tuple):
            return
        there = self.campaign.table_at(line, at).people
        late = [quote_name(self.table.name(person)) for person in to if person not in there]
        if late:
            raise Refused(
                f"{late[0]} is not in the cast at {at}, where the branch leaves:"
                " name a later moment, or show it to the table."
            )

    def _show(self, typed: str, lexed: Lexed, act: str | None, *, only_checked: bool) -> Outcome:
        line = self.campaign.line_called(typed)
        name = self.campaign.lines()[line]
        table = self.campaign.table_at(line)
        to = audience_said(lexed, Scope(table, self.position, self.today)) or TABLE
        if to == "gm":
            raise Refused(f"The game master knows of {name}: show it to the table, or --to NAMES.")
        whom = " and ".join(map(table.name, to)) if isinstance(to, tuple) else "everybody"
        if only_checked:
            return Outcome(said=(f"{name} would be shown to {whom}.",), checked=True)
        self.campaign.show(line, to, Manner(act=act))
        return Outcome(said=(f"{name} is shown to {whom} from now on; this cannot be undone.",))

    def _check_branch_name(self, typed: str, *, shown: bool) -> None:
        if typed == "list":
            raise Refused("A branch cannot be called list; the branches there are: branches.")
        if typed in ("mainline", "first-line", "promote", "show"):
            raise Refused(f"A branch cannot be called {typed}.")
        if reads_as_moment(typed):
            raise Refused(f"{typed} reads as a moment already: choose another name.")
        if normalise(typed) in map(normalise, self.campaign.lines().values()):
            that = f" To let others know of that one: branch show {quote_name(typed)}." if shown else ""
            raise Refused(f"There is a branch {typed} already: choose another name.{that}")

    def _switch(self, command: c.Switch, bound: Bound) -> Outcome:
        line = self.campaign.line_called(command.branch.text or "")
        name = self.campaign.lines()[line]
        head = self.campaign.record.head(line).position
        if bound.check:
            return Outcome(said=(f"Would write to {name}, at {head}.",), checked=True)
        self.go(line)
        return Outcome(said=(f"Writing to {name}, at {head}.",))

    def _promote(self, typed: str, _lexed: Lexed, act: str | None, *, only_checked: bool) -> Outcome:
        line = self.campaign.line_called(typed)
        name = self.campaign.lines()[line]
        if only_checked:
            if line == self.campaign.mainline():
                raise Refused(f"{name} is the mainline already.")
            return Outcome(said=(f"{name} would be the mainline.",), checked=True)
        self.campaign.promote(line, Manner(act=act))
        self.begin_again()
        self.go(line)
        return Outcome(said=(f"{name} is the mainline now; the line it leaves is kept (branches).",))

    def _retcon(self, command: c.Retcon, bound: Bound) -> Outcome:
        from retold.journal.store.writing import rewording

        if "as" in bound.flags or command.drop or command.text is None or not command.text.text:
            from retold.corrections import RetconCommand

            return RetconCommand.of(self, command, bound, self.with_files).carried_out()
        try:
            plan = rewording.plan_reword(self.writer, command.at, command.text)
        except Refused as refusal:
            from retold.corrections import with_recorded_line

            raise with_recorded_line(self, command.at, refusal) from None
        was = rewording.words_at(self.writer, plan)
        said: tuple[str, ...] = (f"{plan.about} read: “{was}”", f"It reads from now on: “{command.text}”")
        if rewording.is_a_name(self.writer, plan):
            act = self.described(self.writer.act_at(plan.about))
            named = f"“{was}” is a name, in {act}: it is “{command.text}” from now on, everywhere."
            said = (*said, named)
            if not bound.check and not self.ask(f"{named}\n{CHANGE_A_NAME}"):
                return UNCHANGED
        if bound.check:
            return Outcome(said=said, checked=True)
        return Outcome(rewording.reword(self.writer, command.at, command.text, bound.manner), said)

    def _fix(self, command: c.Fix, bound: Bound) -> Outcome:
        from retold.corrections import FixCommand

        return FixCommand(self, command, bound).carried_out()

    def _redact(self, command: c.Redact, bound: Bound) -> Outcome:
        from retold import disclosure
        from retold.journal.store.writing import redact

        plan = redact.plan_redaction(self.writer, command)
        saying = disclosure.RedactionNotice(self.campaign, self.line, plan)
        before = tuple(saying.before())
        if bound.check:
            return Outcome(said=before, checked=True)
        if not self.ask("\n".join((*before, disclosure.CONFIRM_REDACTION))):
            return UNCHANGED
        # First the copies beside the record: after an interruption the erased texts would be unknown.
        forgotten = self.forget(plan.texts, plan.names)
        redaction = redact.redact(self.writer, plan, bound.manner)
        return Outcome(redaction.done, tuple(saying.after(redaction, forgotten)))

    def _reveal(self, at: int, command: c.Reveal, bound: Bound, typed: Token) -> Outcome:
        """Reveals hidden people and things by name, or the hidden events of the acts at typed moments.

        What is hidden at a moment is described, and the user, if present, asked first. With `--check` reveals
        nothing. Raises Refused for `--gm`, and for names and moments on one line.
        """
        from retold import disclosure
        from retold.journal.store.writing import reveal as revealing

        see = bound.manner.visible_to
        if see == GAME_MASTER_ONLY:
            raise Refused("The game master knows it: reveal it to all, or --to NAMES.")
        to = see if isinstance(see, tuple) else None
        places = tuple(dict.fromkeys((at, *command.also)))
        by_name = disclosure.are_names(self, typed)
        if by_name:
            whole = (revealing.whole_person(self.writer, place) for place in places)
            places = tuple(dict.fromkeys(chain.from_iterable(whole)))
        only = command.only or by_name
        would = revealing.plan_reveal(self.writer, places, to, sheet=command.sheet, only=only)
        shown = disclosure.now_known(self, would, to)
        about: tuple[str, ...] = ()
        if not by_name:
            acts = "; ".join(self.described(self.writer.act_at(place)) for place in places)
            about = (f"What is hidden there: {acts}.", *disclosure.opens_more(self, would, places, only=only))
        if bound.check:
            return Outcome(said=(*about, *shown), checked=True, would=would, visible_to=(see,) * len(would))
        if about and self.attended and not self.ask("\n".join((*about, SHOW_FOR_GOOD))):
            return UNCHANGED
        done = revealing.reveal(
            self.writer, places, to, command.text, bound.manner, sheet=command.sheet, only=only
        )
        proofs = (proof for place in places for proof in disclosure.sealed_roll_proofs(self, place))
        return Outcome(done, (*about, *proofs, *shown), visible_to=self.visible_to(done.lives))


SHOW_FOR_GOOD: Final = "Show it? This cannot be undone."
TOLD: Final = "Told as typed; undo takes it back."
ANOTHER_ONE: Final = "That fight is open already. Another one?"


CHANGE_A_NAME: Final = "Change the name?"
REVEALING: Final = frozenset((c.Reveal.verb, *c.Reveal.short))
CORRECTING: Final = frozenset((c.Retcon.verb, *c.Retcon.short, c.Fix.verb))
LEAVING: Final = frozenset((c.Branch.verb, *c.Branch.short))


_BRANCH_REQUESTS: Final = {
    "promote": "Say which branch the table plays from now on, and nothing more: branch promote NAME.",
    "show": "Say which branch others may know of, and who, if not everyone: branch show NAME --to NAMES.",
}


class _BranchRequest(Struct, frozen=True):
    """Parts of a line `branch promote NAME` or `branch show NAME`; `what` is "promote" or "show"."""

    what: str
    name: str


def _branch_request(lexed: Lexed) -> _BranchRequest | None:
    """Returns the parts of a line that promotes or shows a branch; None for other lines.

    Raises Refused if such a line lacks the branch's name, or says more.
    """
    what, *names = [token.text for token in lexed.tokens] or [""]
    if lexed.verb.text not in (c.Branch.verb, *c.Branch.short) or what not in _BRANCH_REQUESTS:
        return None
    taken = {"to", "gm", "check", "yes"} if what == "show" else COMMON_FLAGS
    strange = not {*lexed.flags} <= taken
    if len(names) != 1 or lexed.text is not None or lexed.results is not None or strange:
        raise Refused(_BRANCH_REQUESTS[what])
    return _BranchRequest(what, names[0])
