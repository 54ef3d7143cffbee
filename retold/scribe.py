"""Executes lines for a writer on one line of a campaign: one act recorded, or a refusal."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any, Final, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from journal.decks.chance import Dealer, SystemDealer
from journal.hiding import ActsInSecret, audiences
from journal.language import expecting
from journal.language.binding import Bound, Scope, audience_said, bind
from journal.language.lexing import Lexed, lex
from journal.language.moments import (
    LinePosition,
    find_act,
    find_place,
    is_number,
    reads_as_moment,
    renumbered,
)
from journal.language.naming import Mistyped, conflict_addressed
from journal.language.tokens import Unreadable
from journal.language.verbs import EXPECT, UnknownVerb
from journal.language.writing import quote_name, write_assign, write_line
from journal.line import LiveEvent, systems_in_play
from journal.names import normalise, quoted
from journal.refused import Refused
from journal.store.acts import Manner, RecordedAct
from journal.store.amendments import HIDDEN_WITH, read_amendments
from journal.store.campaign import CampaignStore, LineWriter
from journal.store.codec import decode, decode_event
from journal.store.line_events import Act
from journal.table import Table
from journal.visibility import GAME_MASTER_ONLY, TABLE, VisibleTo
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import Command, Event
from projections.reading import GAME_MASTER, Arrival, LineView
from projections.reading.recorded_line import RecordedLine
from retold.outcome import Forgotten, Outcome

Ask = Callable[[str], bool]
"""Asks the person a yes-or-no question."""

Consult = Callable[[str], str | None]
"""Asks the person for a line; None where nobody says one."""


Forget = Callable[[Iterable[str], Iterable[str]], Forgotten]
"""Takes texts, and names, out of what a person keeps beside the record."""


_HIDING_FLAG: Final = r"(?:^|\s)(?P<flag>--gm|--to \S+)\s*$"


def _flag_in_text(command: Command) -> str | None:
    """Hiding flag typed at the end of the text, where it has no effect; None if absent."""
    text = getattr(command, "text", None)
    found = None if text is None else re.search(_HIDING_FLAG, str(text))
    return None if found is None else found["flag"]


def _no_file(name: str) -> bytes:
    raise Refused(f"No file is read here: what stands in {name} is said at a shell, or at the console.")


class Scribe(Struct):
    """Writer on one line of a campaign, with callbacks to ask the user."""

    campaign: CampaignStore
    line: int
    today: str | None = None
    ask: Ask = field(default=lambda _question: True)
    consult: Consult = field(default=lambda _question: None)
    attended: bool = False
    """True where somebody sits there who answers, or has answered beforehand."""
    came_up: Callable[[Lexed, Scribe], Lexed] = field(default=lambda lexed, _scribe: lexed)
    """The line with what came up, where whoever sits there draws and rolls for themselves."""
    chose: Callable[[int | None], None] = field(default=lambda _line: None)
    """Is told which line is written to from now on; None is whatever the table plays."""
    read_file: Callable[[str], bytes] = field(default=_no_file)
    """What stands in a file that a line names."""
    forget: Forget = field(default=lambda _texts, _names: Forgotten())
    """Takes what is redacted out of what the person keeps beside the record."""
    _writer: LineWriter | None = None

    @property
    def writer(self) -> LineWriter:
        """Store writer of the current line, created on first use."""
        if self._writer is None or self._writer.line != self.line:
            self._writer = self.campaign.writer(self.line)
        return self._writer

    @property
    def table(self) -> Table:
        """Current table of the line."""
        return self.writer.table

    @property
    def scope(self) -> Scope:
        """Binding context for a line typed now."""
        return Scope(self.table, self.position, self.today)

    def _scope_of(self, verb: str) -> Scope:
        """Binding context for a verb: `reveal` also finds named secrets, `redact` texts, `branch` moments."""
        if verb in LEAVING:
            return self.scope
        if verb == c.Redact.verb:
            from retold.disclosure import position_of_words

            return Scope(self.table, lambda typed: position_of_words(self, typed), self.today)
        if verb in REVEALING:
            from retold.disclosure import position_of_secret

            return Scope(self.table, lambda typed: position_of_secret(self, typed), self.today)
        return Scope(self.table, self.act_at, self.today)

    def seen_by(self, viewer: str | Arrival) -> LineView:
        """Line up to its head as `gm`, `table` or a person sees it; raises Refused for an unknown name."""
        past = RecordedLine(self.campaign, self.line, self.table.position)
        past.keep(past.position, self.table)
        return LineView(self.campaign, self.line, past.position, GAME_MASTER, past).called(viewer)

    def close(self) -> None:
        """Saves a snapshot of the table, so that opening the campaign again is fast."""
        if self._writer is not None:
            self._writer.keep_snapshot()

    def read(self, lexed: Lexed) -> Bound:
        """Binds a lexed line; asks the user whether a nearly known name was a typing error."""
        scope = self._scope_of(lexed.verb.text)
        for _ in lexed.tokens:
            try:
                return bind(lexed, scope)
            except Mistyped as slip:
                lexed = self._as_meant(lexed, slip)
        return bind(lexed, scope)

    def _as_meant(self, lexed: Lexed, slip: Mistyped) -> Lexed:
        """Asks about a similar name and returns the corrected line; raises `slip` without an answer."""
        asked = f"Did you mean {slip.name}? y is {slip.name}; n: “{slip.typed}” is {slip.new}. [y/n]"
        match (self.consult(asked) or "").strip().casefold()[:1]:
            case "y":
                return lexed.instead(slip.typed, slip.name)
            case "n":
                return lexed.instead(slip.typed, slip.typed)
            case _:
                raise slip

    def say(self, line: str, act: str | None = None) -> Outcome:
        """Executes one line of the command language; an act id already recorded is not executed again.

        If that act made a branch, switches to the branch, as it did then.
        """
        if act is not None and (done := self._already(act)) is not None:
            return Outcome(done)
        return self._carry_out(self.came_up(lex(line), self), only_checked=False, act=act)

    def _already(self, act: str) -> RecordedAct | None:
        row = self.campaign.branches.begun_by(act)
        if row is None:
            return self.writer.already(act)
        if row.line != self.line:
            self.go(row.line)
        return RecordedAct(row.position, row.position, (decode_event(row)[0],), again=True)

    def carry_out(self, lexed: Lexed) -> Outcome:
        """Executes a lexed line; raises Refused with nothing recorded."""
        return self._carry_out(self.came_up(lexed, self), only_checked=False)

    def check(self, lexed: Lexed) -> Outcome:
        """Returns the outcome a line would have, recording nothing; raises Refused as `carry_out` would."""
        return self._carry_out(lexed, only_checked=True)

    def _carry_out(self, lexed: Lexed, *, only_checked: bool, act: str | None = None) -> Outcome:
        if lexed.verb.text in EXPECT:
            return self._expect(lexed)
        branch = _branch_request(lexed)
        if branch is not None:
            only_checked = only_checked or "check" in lexed.flags
            about = {"promote": self._promote, "show": self._show}[branch.what]
            return about(branch.name, lexed, act, only_checked=only_checked)
        bound = self.read(lexed)
        command = bound.command.with_file(self.read_file)
        bound = replace(bound, command=command, check=bound.check or only_checked)
        if not isinstance(command, c.Redact):  # which goes on where it was cut off
            bound = replace(bound, manner=replace(bound.manner, act=act))
        if isinstance(bound.command, c.Reveal) and bound.command.at is not None:
            return self._reveal(bound.command.at, bound.command, bound, _moment_typed(lexed))
        if bound.command.manages:
            return self._manage(bound)
        if isinstance(command, c.Cast):
            confirm_same_person(self, command, consulted=not bound.check)
        if bound.check:
            would = tuple(self.writer.would(bound.command, bound.manner, self._example()))
            wanted = audiences(self.table, bound.command, would, bound.manner.visible_to)
            return Outcome(checked=True, would=would, visible_to=self._seen_by(would, wanted))
        return self.record(bound.command, bound.manner)

    def _example(self) -> Dealer | None:
        """Random dealer for checks: a seeded table must not disclose its next results."""
        return None if self.table.seed is None else SystemDealer()

    def record(self, command: Command, manner: Manner, *, counts_others: bool = True) -> Outcome:
        """Records a command's act; `counts_others` adds a sentence about acts others recorded first."""
        said: list[str] = []
        if isinstance(command, c.Cast):
            said += cast_again_note(self, command)
        try:
            done = self.writer.record(command, manner)
        except ActsInSecret as refusal:
            from retold.disclosure import reveal_before_acting

            reveal_before_acting(self, refusal)
            done = self.writer.record(command, manner)
        if done.others and counts_others:
            count = "1 act came" if done.others == 1 else f"{done.others} acts came"
            said.append(f"{count} in first, from somebody else.")
        if isinstance(command, c.Cast) and command.people:
            said += self._without_player(command)
        if manner.visible_to == TABLE and (flag := _flag_in_text(command)):
            said.append(f"{flag} stands in the text, so this is for all: undo, and say it before the colon.")
        said += (
            one for system in systems_in_play(self.table) for one in system.reminds(self.table, done.events)
        )
        if isinstance(command, c.Mark) and manner.visible_to == TABLE:
            said += self._as_hidden(done)
        return Outcome(done, tuple(said), visible_to=self.visible_to(done.lives))

    def visible_to(self, lives: Iterable[LiveEvent]) -> tuple[VisibleTo, ...]:
        """Audience of each event; events that depend on something hidden are hidden too."""
        lives = tuple(lives)
        return self._seen_by([live.event for live in lives], [live.visible_to for live in lives])

    def _seen_by(self, events: Sequence[Event], wanted: Sequence[VisibleTo]) -> tuple[VisibleTo, ...]:
        depends = self.table.secrets or any(event.kind in HIDDEN_WITH for event in events)
        if not depends or any(isinstance(event, e.Shown) for event in events):
            return tuple(wanted)  # an act that shows somebody is open, also while it is only checked
        head = self.writer.head.position
        sight = LineView(self.campaign, self.line, head).sight
        return tuple(sight.shown_to(*one, head + 1) for one in zip(events, wanted, strict=True))

    def _as_hidden(self, done: RecordedAct) -> list[str]:
        """Sentence for a mark on a hidden moment, which is hidden as well; empty otherwise."""
        at = next(event.at for event in done.events if isinstance(event, e.Marked))
        row = self.campaign.record.row(self.line, at)
        if row is None or decode(row).envelope.visible_to == TABLE:
            return []
        return [f"As hidden as what it stands on, at {at}; one for all: mark NAME --at MOMENT."]

    def _without_player(self, command: c.Cast) -> list[str]:
        """Sentence for a character who has an owner but no player; empty otherwise."""
        who = command.who if isinstance(command.who, int) else self.table.called(command.who.text or "")
        if who is None or self.table.people[who].player is not None:
            return []
        name = self.table.name(who)
        paid = "so what they spend and gain is the game master's"
        return [f"Nobody plays {name} yet, {paid}: cast {quote_name(name)} by=NAME."]

    # --- checking -----------------------------------------------------------------------------------------

    def _expect(self, lexed: Lexed) -> Outcome:
        if lexed.tokens and lexed.tokens[0].text == "refused" and len(lexed.tokens) > 1:
            return self._expect_refused(lexed.rest())
        return Outcome(said=(expecting.check_expectation(lexed, self.table),), checked=True)

    def _expect_refused(self, lexed: Lexed) -> Outcome:
        """Checks that the table refuses a line; syntax errors and unknown verbs are raised instead."""
        try:
            self.check(lexed)
        except (Unreadable, UnknownVerb):
            raise
        except Refused as refusal:
            return Outcome(said=(f"It is refused: {refusal}",), checked=True)
        raise Refused(f"Expected a refusal, but {lexed.verb.text} would be accepted.")

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
            raise Refused(f"{bound.command.verb} is not for a line.")
        return handler(bound.command, bound)

    def _undo(self, command: c.Undo, bound: Bound) -> Outcome:
        from journal.store import undo as undoing

        former = undoing.former_mainline(self.writer)
        if former is not None and command.acts == 1:
            return self._promote_again(former, command, bound)
        acts = undoing.plan_undo(self.writer, command.acts)
        described = "; ".join(self.described(act) for act in acts)
        if bound.check:
            return Outcome(said=(f"Would be taken back: {described}.",), checked=True)
        done = undoing.undo(self.writer, command.acts, bound.manner)
        return Outcome(done, (f"Taken back: {described}.", *self._reads_again(acts)))

    def _redo(self, command: c.Redo, bound: Bound) -> Outcome:
        from journal.store import undo as undoing

        again = undoing.undone_promotion(self.writer)
        if again is not None and command.acts == 1:
            return self._promote_again(again, command, bound)
        if bound.check:
            would = "; ".join(map(self.described, self._undone(command.acts)))
            return Outcome(said=(f"Would count again: {would}.",), checked=True)
        acts = self._undone(command.acts)
        described = "; ".join(map(self.described, acts))
        done = undoing.redo(self.writer, command.acts, bound.manner)
        return Outcome(done, (f"It counts again: {described}.", *self._reads_again(acts)))

    def _promote_again(self, line: int, command: c.Undo | c.Redo, bound: Bound) -> Outcome:
        """Promotes `line` to mainline again: undo or redo of the last promotion."""
        if bound.check:
            name = quoted(self.campaign.lines()[line])
            return Outcome(said=(f"Would be the mainline again: {name}.",), checked=True)
        again, left = quoted(self.campaign.lines()[line]), self.line
        self.campaign.promote(line, bound.manner, command)
        self._writer = None
        self.go(line)
        kept, head = quoted(self.campaign.lines()[left]), self.campaign.record.head(line).position
        back = "redo" if isinstance(command, c.Undo) else "undo"
        said = f"{again} is the mainline again, at {head}. The line you left is called {kept} now."
        return Outcome(said=(f"{said} To return to it: {back}.",))

    def _undone(self, acts: int) -> list[Act]:
        """Acts that a redo of `acts` would restore, in order."""
        from journal.store import line_events
        from journal.store import undo as undoing

        stretches = sorted(undoing.plan_redo(self.writer, acts))
        return [
            act
            for first, last in stretches
            for act in line_events.acts(self.campaign.record, self.line, first - 1, last, undone=True)
        ]

    def _reads_again(self, acts: Iterable[Act]) -> Iterator[str]:
        """Yields sentences with the current words of moments whose rewording was undone or redone."""
        from journal.store.rewording import words_at

        changed = [one.event for act in acts for one in act.events if isinstance(one.event, e.Reworded)]
        for event in {(event.about, event.word): event for event in changed}.values():
            if self.writer.stands.counts(event.about):
                yield f"{event.about} reads again: “{words_at(self.writer, event)}”"

    def _branch(self, command: c.Branch, bound: Bound) -> Outcome:
        typed = command.name.text or ""
        self._check_branch_name(typed, shown=bound.manner.visible_to != "gm")
        parent, at = self.line, command.at or self.writer.head.position
        to = bound.manner.visible_to
        self._check_there(to, parent, at)
        if bound.check:
            return Outcome(said=(f"{typed} would leave this line at {at}.",), checked=True)
        manner = replace(bound.manner, visible_to=TABLE)  # whom it is shown to is an event of its own
        line = self.campaign.fork(parent, at, command.name, command.text, manner=manner, to=to)
        self.go(line)
        return Outcome(said=(f"{typed} leaves this line at {at}; from now on it is written to.",))

    def _check_there(self, to: str | tuple[int, ...], line: int, at: int) -> None:
        """Raises Refused if a person in `to` joins the cast after the fork: the branch lacks them."""
        if not isinstance(to, tuple):
            return
        there = self.campaign.table_at(line, at).people
        late = [quote_name(self.table.name(one)) for one in to if one not in there]
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
        return Outcome(said=(f"{name} is shown to {whom} from now on; that is not taken back.",))

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
        name, head = self.campaign.lines()[line], self.campaign.record.head(line).position
        if bound.check:
            return Outcome(said=(f"Would write to {name}, at {head}.",), checked=True)
        self.go(line)
        return Outcome(said=(f"Writing to {name}, at {head}.",))

    def go(self, line: int) -> None:
        """Switches to another line and notifies `chose`."""
        self.line = line
        self.chose(None if line == self.campaign.mainline() else line)

    def _promote(self, typed: str, _lexed: Lexed, act: str | None, *, only_checked: bool) -> Outcome:
        line = self.campaign.line_called(typed)
        name = self.campaign.lines()[line]
        if only_checked:
            if line == self.campaign.mainline():
                raise Refused(f"{name} is the mainline already.")
            return Outcome(said=(f"{name} would be the mainline.",), checked=True)
        self.campaign.promote(line, Manner(act=act))
        self._writer = None
        self.go(line)
        return Outcome(said=(f"{name} is the mainline now; the line it leaves is kept (branches).",))

    def _retcon(self, command: c.Retcon, bound: Bound) -> Outcome:
        from journal.store import rewording

        changed = bound.flags.get("as")
        if changed is not None:
            from retold.corrections import RetconCommand

            return RetconCommand(self, command, changed, bound).carried_out()
        if command.text is None or not command.text.text:
            raise Refused("Say the new words after a colon, or a whole new line with --as.")
        plan = rewording.plan_reword(self.writer, command.at, command.text)
        was = rewording.words_at(self.writer, plan)
        said: tuple[str, ...] = (f"{plan.about} read: “{was}”", f"It reads from now on: “{command.text}”")
        if rewording.is_a_name(self.writer, plan):
            act = self.described(self.writer.act_at(plan.about))
            named = f"“{was}” is a name, in {act}: it is “{command.text}” from now on, wherever it stands."
            said = (*said, named)
            if not bound.check and not self.ask(f"{named}\n{CHANGE_A_NAME}"):
                return Outcome(said=("Nothing was changed.",), checked=True)
        if bound.check:
            return Outcome(said=said, checked=True)
        return Outcome(rewording.reword(self.writer, command.at, command.text, bound.manner), said)

    def _fix(self, command: c.Fix, bound: Bound) -> Outcome:
        from retold.corrections import FixCommand

        return FixCommand(self, command, bound).carried_out()

    def _redact(self, command: c.Redact, bound: Bound) -> Outcome:
        from journal.store import redact
        from retold import disclosure

        plan = redact.plan_redaction(self.writer, command)
        saying = disclosure.RedactionNotice(self.campaign, self.line, plan)
        before = tuple(saying.before())
        if bound.check:
            return Outcome(said=before, checked=True)
        if not self.ask("\n".join((*before, disclosure.CONFIRM_REDACTION))):
            return Outcome(said=("Nothing was changed.",), checked=True)
        # First what lies beside the record: said again after an interruption, the texts are known no more.
        forgotten = self.forget(plan.texts, plan.names)
        redaction = redact.redact(self.writer, plan, bound.manner)
        return Outcome(redaction.done, tuple(saying.after(redaction, forgotten)))

    def _reveal(self, at: int, command: c.Reveal, bound: Bound, typed: str | None) -> Outcome:
        """Reveals the hidden event at `at`; describes it if a moment was `typed` rather than a name."""
        from journal.store import reveal as revealing
        from retold.disclosure import sealed_roll_proofs

        see = bound.manner.visible_to
        if see == GAME_MASTER_ONLY:
            raise Refused("The game master knows it: reveal it to all, or --to NAMES.")
        to = see if isinstance(see, tuple) else None
        would = revealing.plan_reveal(self.writer, at, to, sheet=command.sheet)
        about = () if typed is None else (f"What is hidden there: {self.described(self.writer.act_at(at))}.",)
        if bound.check:
            return Outcome(said=about, checked=True, would=would, visible_to=(see,) * len(would))
        if about and self.attended and not self.ask("\n".join((*about, SHOW_FOR_GOOD))):
            return Outcome(said=("Nothing was changed.",), checked=True)
        done = revealing.reveal(self.writer, at, to, command.text, bound.manner, sheet=command.sheet)
        return Outcome(done, (*about, *sealed_roll_proofs(self, at)), visible_to=self.visible_to(done.lives))

    def free_name(self, wanted: str) -> str:
        """Unused branch name, `wanted` or numbered; contains no position, since players may see it."""
        names = set(self.campaign.lines().values())
        numbered = (wanted, *(f"{wanted}-{number}" for number in range(2, 1000)))
        return next(name for name in numbered if name not in names)

    def position(self, typed: str) -> int:
        """Position of a moment on this line; raises Refused for a moment on another."""
        place: LinePosition = find_place(self.campaign, self.line, typed)
        if place.line != self.line:
            raise Refused(f"{typed} is on another line: switch to it first.")
        return self._as_numbered(typed, place.position)

    def act_at(self, typed: str) -> int:
        """Position of the act a moment means on this line, by `find_act`."""
        position = self.position(typed)
        return position if is_number(typed) else find_act(self.campaign, self.line, typed).position

    def _as_numbered(self, typed: str, position: int) -> int:
        """Asks about a number whose event a `fix` moved; returns the position meant, or raises Refused."""
        moved = renumbered(self.campaign, self.line, typed)
        if moved is None:
            return position
        name = quote_name(self.campaign.lines()[self.line])
        was, now = (self.described(self.writer.act_at(one)) for one in (moved.position, position))
        about = f"Numbers moved when the line was changed: what was {position} is now {was}."
        asked = f"{about} Go on with {moved.position}?"
        if self.attended and self.ask(asked):
            return moved.position
        other = f"Write {name}@{position} for {now}"
        raise Refused(f"{other}." if self.attended else f"{about} {other}, or {name}@{moved.position}.")

    def described(self, act: Act) -> str:
        """Short description of an act: its positions and its line."""
        return f"{_span(act.first, act.last)} ({_in_short(act, self.table)})"

    def line_said(self, act: Act) -> str:
        """Line that recorded an act, joined on one line."""
        return _line_said(act, self.table)

    def begin_again(self) -> None:
        """Discards the cached writer, after a branch was made beside it."""
        self._writer = None


def _span(first: int, last: int) -> str:
    return f"{first}" if first == last else f"{first}\N{EN DASH}{last}"


def _moment_typed(lexed: Lexed) -> str | None:
    """Moment typed on a `reveal` line, such as @-1 or 412; None if it names a secret."""
    typed = lexed.tokens[0].text if lexed.tokens else ""
    return typed if reads_as_moment(typed) else None


SHOW_FOR_GOOD: Final = "Show it? That is not taken back."


def _in_short(act: Act, table: Table) -> str:
    """Line that recorded an act, cut after `LONGEST_SHOWN` characters."""
    line = _line_said(act, table)
    return line if len(line) <= LONGEST_SHOWN else f"{line[:LONGEST_SHOWN]} …"


def _line_said(act: Act, table: Table) -> str:
    from journal.language.rendering import line_of

    try:
        line = line_of(act, table)
    except Refused:  # a name that no line can hold
        return ", ".join(type(one.event).__name__ for one in act.events)
    return " ".join(line.split())


LONGEST_SHOWN = 200
CHANGE_A_NAME: Final = "Change the name?"
REVEALING: Final = frozenset((c.Reveal.verb, *c.Reveal.short))
LEAVING: Final = frozenset((c.Branch.verb, *c.Branch.short))


_BRANCH_REQUESTS: Final = {
    "promote": "Say which branch the table plays from now on, and nothing more: branch promote NAME.",
    "show": "Say which branch others may know of, and who, if not everybody: branch show NAME --to NAMES.",
}


class _BranchRequest(NamedTuple):
    """Parsed `branch promote B` or `branch show B`."""

    what: str
    name: str


def _branch_request(lexed: Lexed) -> _BranchRequest | None:
    """Parses lines that promote or show a branch; returns None for other lines."""
    what, *names = [token.text for token in lexed.tokens] or [""]
    if lexed.verb.text not in (c.Branch.verb, *c.Branch.short) or what not in _BRANCH_REQUESTS:
        return None
    strange = what == "show" and not {*lexed.flags} <= {"to", "gm", "check"}
    if len(names) != 1 or lexed.text is not None or lexed.results is not None or strange:
        raise Refused(_BRANCH_REQUESTS[what])
    return _BranchRequest(what, names[0])


def cast_again_note(scribe: Scribe, command: c.Cast) -> list[str]:
    """Sentence for a `cast` line that changes an existing sheet while naming a game; empty otherwise."""
    who, table = _person_cast_again(scribe, command), scribe.table
    if who is None:
        return []
    return [
        (
            f"{table.name(who)} has a sheet already, which this changes. "
            f"{_second_person_hint(table, who, command)}"
        )
    ]


def confirm_same_person(scribe: Scribe, command: c.Cast, *, consulted: bool) -> None:
    """Asks whether a person already in the fight is meant; raises Refused with both lines if not."""
    table, here = scribe.table, conflict_addressed(scribe.table, command.conflict)
    if here is None or here.system != command.system or command.who not in here.people:
        return
    who = _person_cast_again(scribe, command)
    if who is None:
        return
    name, values = table.name(who), " ".join(_cast_assigns(command))
    there = f"{name} is in this conflict and has a sheet."
    asked = f"{there} Is this the same {name}, whose sheet reads so from now on? [y/n]"
    if consulted and (scribe.consult(asked) or "").strip().casefold()[:1] == "y":
        return
    raise Refused(
        f"{there} If the same {name} is meant, leave out {command.system}: cast {quote_name(name)} {values}."
        f" {_second_person_hint(table, who, command)}"
    )


def _person_cast_again(scribe: Scribe, command: c.Cast) -> int | None:
    """Person whose existing sheet a `cast` line would replace; None for other lines."""
    who, game = command.who, command.system
    if not isinstance(who, int) or game is None or not command.values:
        return None
    return who if _has_sheet(scribe, who, game) else None


def _has_sheet(scribe: Scribe, who: int, game: str) -> bool:
    record, stands = scribe.campaign.record, read_amendments(scribe.campaign.record, scribe.line)
    sheets = (
        decode(row).event
        for row in record.rows(scribe.line, 0, None, (e.SheetChanged.kind,))
        if stands.counts(row.position)
    )
    numbers = scribe.table.numbers(who)
    return any(
        isinstance(sheet, e.SheetChanged) and sheet.system == game and sheet.person in numbers
        for sheet in sheets
    )


def _second_person_hint(table: Table, who: int, command: c.Cast) -> str:
    name = table.name(who)
    other = next(other for number in count(2) if table.called(other := f"{name} {number}") is None)
    line = write_line("cast", [quote_name(other), str(command.system), *_cast_assigns(command)])
    return f"For a second one: {line}."


def _cast_assigns(command: c.Cast) -> Iterator[str]:
    for key, value in command.values.items():
        yield write_assign(key, "=", "none" if value is None else str(value))
