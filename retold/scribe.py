"""Writes what the table says: one line in, one act recorded, or one sentence why not."""

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
    """The flag that was to hide a line, where it stands at the end of its text and hides nothing."""
    text = getattr(command, "text", None)
    found = None if text is None else re.search(_HIDING_FLAG, str(text))
    return None if found is None else found["flag"]


def _no_file(name: str) -> bytes:
    raise Refused(
        f"Files are not read here: say this line at the console or in a shell, where {name} can be read."
    )


class Scribe(Struct):
    """A line of a campaign open for writing, and the person who writes."""

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
        """The line's writer, folded when it is first needed."""
        if self._writer is None or self._writer.line != self.line:
            self._writer = self.campaign.writer(self.line)
        return self._writer

    @property
    def table(self) -> Table:
        """The table as this scribe knows it."""
        return self.writer.table

    @property
    def scope(self) -> Scope:
        """Where a line is bound that is said now."""
        return Scope(self.table, self.position, self.today)

    def _scope_of(self, verb: str) -> Scope:
        """Where a line is bound: a `reveal` names people and clocks too, and a branch leaves a moment."""
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
        """The line up to here as `gm`, `table` or somebody knows it; Refused where nobody is called so."""
        past = RecordedLine(self.campaign, self.line, self.table.position)
        past.keep(past.position, self.table)
        return LineView(self.campaign, self.line, past.position, GAME_MASTER, past).called(viewer)

    def close(self) -> None:
        """Keeps what it folded, so that the next to open the campaign need not."""
        if self._writer is not None:
            self._writer.keep_snapshot()

    def read(self, lexed: Lexed) -> Bound:
        """What a line means at this table; whoever sits there is asked whether a slip was one."""
        scope = self._scope_of(lexed.verb.text)
        for _ in lexed.tokens:
            try:
                return bind(lexed, scope)
            except Mistyped as slip:
                lexed = self._as_meant(lexed, slip)
        return bind(lexed, scope)

    def _as_meant(self, lexed: Lexed, slip: Mistyped) -> Lexed:
        """The line with the name that was meant; the slip itself where nobody says."""
        asked = f"Did you mean {slip.name}? y is {slip.name}; n: “{slip.typed}” is {slip.new}. [y/n]"
        match (self.consult(asked) or "").strip().casefold()[:1]:
            case "y":
                return lexed.instead(slip.typed, slip.name)
            case "n":
                return lexed.instead(slip.typed, slip.typed)
            case _:
                raise slip

    def say(self, line: str, act: str | None = None) -> Outcome:
        """Carries out one line of the language; nothing, where an act of that id was recorded already.

        Where that act made a branch, it is written to from now on, as it was then.
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
        """Carries out a line that has been taken apart; Refused leaves nothing behind."""
        return self._carry_out(self.came_up(lexed, self), only_checked=False)

    def check(self, lexed: Lexed) -> Outcome:
        """What would come of a line, with nothing recorded; Refused where it would be."""
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
        """Deals what is only looked at: of what a seed deals next nobody gets to know by asking."""
        return None if self.table.seed is None else SystemDealer()

    def record(self, command: Command, manner: Manner, *, counts_others: bool = True) -> Outcome:
        """Records what a command brings about; where others came first, says how many if `counts_others`."""
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
        """Who may see each of these: what depends on something hidden is hidden with it."""
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
        """A sentence where a mark that was meant for all stands on what is not for all."""
        at = next(event.at for event in done.events if isinstance(event, e.Marked))
        row = self.campaign.record.row(self.line, at)
        if row is None or decode(row).envelope.visible_to == TABLE:
            return []
        return [
            f"This mark is hidden, because event {at} is. For a mark everybody sees: mark NAME --at MOMENT."
        ]

    def _without_player(self, command: c.Cast) -> list[str]:
        """A sentence where somebody who belongs to somebody else is played by nobody."""
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
        """Holds where the table refuses the line; one that says nothing at all is not refused but wrong."""
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
            raise Refused(f"{bound.command.verb} cannot be recorded as a line.")
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
            return Outcome(said=(f"Would be brought back: {would}.",), checked=True)
        acts = self._undone(command.acts)
        described = "; ".join(map(self.described, acts))
        done = undoing.redo(self.writer, command.acts, bound.manner)
        return Outcome(done, (f"Brought back: {described}.", *self._reads_again(acts)))

    def _promote_again(self, line: int, command: c.Undo | c.Redo, bound: Bound) -> Outcome:
        """Makes `line` the mainline again: an undo or redo of the promotion that came last."""
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
        """What redo would bring back, in order."""
        from journal.store import line_events
        from journal.store import undo as undoing

        stretches = sorted(undoing.plan_redo(self.writer, acts))
        return [
            act
            for first, last in stretches
            for act in line_events.acts(self.campaign.record, self.line, first - 1, last, undone=True)
        ]

    def _reads_again(self, acts: Iterable[Act]) -> Iterator[str]:
        """Where words were changed in these acts: what stands there now that they went, or came back."""
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
            return Outcome(said=(f"{typed} would be a new branch, from {at}.",), checked=True)
        manner = replace(bound.manner, visible_to=TABLE)  # whom it is shown to is an event of its own
        line = self.campaign.fork(parent, at, command.name, command.text, manner=manner, to=to)
        self.go(line)
        return Outcome(said=(f"New branch {typed}, from {at}. You are on it now.",))

    def _check_there(self, to: str | tuple[int, ...], line: int, at: int) -> None:
        """Refuses to show a branch to somebody who comes in later than it leaves: nobody there is them."""
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
        name, head = self.campaign.lines()[line], self.campaign.record.head(line).position
        if bound.check:
            return Outcome(said=(f"Would write to {name}, at {head}.",), checked=True)
        self.go(line)
        return Outcome(said=(f"Writing to {name}, at {head}.",))

    def go(self, line: int) -> None:
        """Writes to another line from now on, and remembers it."""
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
        """Shows what is hidden at `at`; where a moment was `typed`, not a name, it says what stands there."""
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
        """A branch's name that is not taken; it says no position, for players are told it."""
        names = set(self.campaign.lines().values())
        numbered = (wanted, *(f"{wanted}-{number}" for number in range(2, 1000)))
        return next(name for name in numbered if name not in names)

    def position(self, typed: str) -> int:
        """The position a moment means on this line; Refused where it lies on another."""
        place: LinePosition = find_place(self.campaign, self.line, typed)
        if place.line != self.line:
            raise Refused(f"{typed} is on another line: switch to it first.")
        return self._as_numbered(typed, place.position)

    def act_at(self, typed: str) -> int:
        """The position of the act a moment means on this line, as `find_act` has it."""
        position = self.position(typed)
        return position if is_number(typed) else find_act(self.campaign, self.line, typed).position

    def _as_numbered(self, typed: str, position: int) -> int:
        """The position of a number; where a `fix` moved what had it before, whoever sits there is asked."""
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
        """An act in a few words: where it stands, and what was said."""
        return f"{_span(act.first, act.last)} ({_in_short(act, self.table)})"

    def line_said(self, act: Act) -> str:
        """The line that said an act, all of it on one line."""
        return _line_said(act, self.table)

    def begin_again(self) -> None:
        """Forgets what it folded: a line it may write to has come into being beside it."""
        self._writer = None


def _span(first: int, last: int) -> str:
    return f"{first}" if first == last else f"{first}\N{EN DASH}{last}"


def _moment_typed(lexed: Lexed) -> str | None:
    """The moment that a `reveal` names, such as @-1 or 412; None for a name."""
    typed = lexed.tokens[0].text if lexed.tokens else ""
    return typed if reads_as_moment(typed) else None


SHOW_FOR_GOOD: Final = "Show it? This cannot be undone."


def _in_short(act: Act, table: Table) -> str:
    """The line that said an act, without the end of a long text."""
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
    """A branch that a line is about, and what becomes of it: `promote` or `show`."""

    what: str
    name: str


def _branch_request(lexed: Lexed) -> _BranchRequest | None:
    """The branch that `branch promote B` or `branch show B` is about; None for any other line."""
    what, *names = [token.text for token in lexed.tokens] or [""]
    if lexed.verb.text not in (c.Branch.verb, *c.Branch.short) or what not in _BRANCH_REQUESTS:
        return None
    strange = what == "show" and not {*lexed.flags} <= {"to", "gm", "check"}
    if len(names) != 1 or lexed.text is not None or lexed.results is not None or strange:
        raise Refused(_BRANCH_REQUESTS[what])
    return _BranchRequest(what, names[0])


def cast_again_note(scribe: Scribe, command: c.Cast) -> list[str]:
    """A sentence where a line introduces somebody to a game that has their sheet already."""
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
    """Asks whether somebody in the fight is meant; Refused where nobody says so, with both ways to say it."""
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
    """Whom a line introduces to a game that has their sheet already; None for any other line."""
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
