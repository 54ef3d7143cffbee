"""Writes what the table says: one line in, one act recorded, or one sentence why not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from cli import expecting
from cli.language.binding import Bound, Scope, bind
from cli.language.lexing import Lexed, lex
from cli.language.verbs import EXPECT
from cli.moments import Place, find_place
from cli.settings import Settings
from journal.refused import Refused
from journal.store import retcon
from journal.store import undo as undoing
from journal.store.campaign import Campaign, Done, Manner, Writer
from journal.store.reading import Act
from journal.table import Table
from journal.vocabulary import commands as c
from journal.vocabulary.base import Command, Event


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a line: events recorded, or only something to say."""

    done: Done | None = None
    said: tuple[str, ...] = ()
    checked: bool = False
    """True where nothing was to be recorded."""
    would: tuple[Event, ...] = ()
    """With --check: what would have happened."""


C = TypeVar("C", bound=Command)

Ask = Callable[[str], bool]
"""Asks the person a yes-or-no question."""


@dataclass(slots=True)
class Scribe:
    """A line of a campaign open for writing, and the person who writes."""

    campaign: Campaign
    settings: Settings
    line: int
    today: str | None = None
    ask: Ask = field(default=lambda _question: True)
    remembers: bool = True
    """False where a switch of line is nobody's choice to keep (a script being checked)."""
    _writer: Writer | None = None

    @property
    def writer(self) -> Writer:
        """The line's writer, folded when it is first needed."""
        if self._writer is None or self._writer.line != self.line:
            self._writer = self.campaign.writer(self.line)
        return self._writer

    @property
    def table(self) -> Table:
        """The table as this scribe knows it."""
        return self.writer.table

    def close(self) -> None:
        """Keeps what it folded, so that the next to open the campaign need not."""
        if self._writer is not None:
            self._writer.keep_snapshot()

    def read(self, lexed: Lexed) -> Bound:
        """What a line means at this table."""
        return bind(lexed, Scope(self.table, self._position, self.today))

    def say(self, line: str) -> Outcome:
        """Carries out one line of the language."""
        return self.carry_out(lex(line))

    def carry_out(self, lexed: Lexed) -> Outcome:
        """Carries out a line that has been taken apart; Refused leaves nothing behind."""
        if lexed.verb.text in EXPECT:
            return self._expect(lexed)
        lexed = _promotion(lexed)
        if lexed.verb.text == "promote":
            return self._promote(lexed)
        bound = self.read(lexed)
        manages = MANAGE.get(type(bound.command))
        if manages is not None:
            return manages(self, bound)
        if bound.check:
            would = self.writer.would(bound.command, bound.manner)
            return Outcome(checked=True, would=tuple(would))
        return self.record(bound.command, bound.manner)

    def record(self, command: Command, manner: Manner) -> Outcome:
        """Records what a command brings about."""
        done = self.writer.record(command, manner)
        said = []
        if done.others:
            count = "1 act came" if done.others == 1 else f"{done.others} acts came"
            said.append(f"{count} in first, from somebody else.")
        return Outcome(done, tuple(said))

    # --- checking -----------------------------------------------------------------------------------------

    def _expect(self, lexed: Lexed) -> Outcome:
        if lexed.tokens and lexed.tokens[0].text == "refused" and len(lexed.tokens) > 1:
            return self._expect_refused(lexed.rest())
        return Outcome(said=(expecting.check(lexed, self.table),), checked=True)

    def _expect_refused(self, lexed: Lexed) -> Outcome:
        try:
            bound = self.read(lexed)
            self.writer.would(bound.command, bound.manner)
        except Refused as refusal:
            return Outcome(said=(f"It is refused: {refusal}",), checked=True)
        raise Refused(f"Expected a refusal, but {lexed.verb.text} would be accepted.")

    # --- the line itself ----------------------------------------------------------------------------------

    def _undo(self, bound: Bound) -> Outcome:
        command = _as(c.Undo, bound.command)
        acts = undoing.plan_undo(self.writer, command.acts)
        said = ("Taken back: " + "; ".join(self.described(act) for act in acts) + ".",)
        if bound.check:
            return Outcome(said=said, checked=True)
        return Outcome(undoing.undo(self.writer, command.acts), said)

    def _redo(self, bound: Bound) -> Outcome:
        command = _as(c.Redo, bound.command)
        return Outcome(undoing.redo(self.writer, command.acts), ("It counts again.",))

    def _branch(self, bound: Bound) -> Outcome:
        command = _as(c.Branch, bound.command)
        typed = command.name.text or ""
        if typed in ("mainline", "first-line", "list", "promote"):
            raise Refused(f"A branch cannot be called {typed}.")
        parent, at = self.line, command.at or self.writer.head.position
        if bound.check:
            return Outcome(said=(f"{typed} would fork at {at}.",), checked=True)
        line = self.campaign.fork(parent, at, command.name, command.text, manner=bound.manner)
        self.go(line)
        return Outcome(said=(f"{typed} leaves this line at {at}; from now on it is written to.",))

    def _switch(self, bound: Bound) -> Outcome:
        name = _as(c.Switch, bound.command).branch.text or ""
        self.go(self.campaign.line_called(name))
        return Outcome(said=(f"Writing to {self.campaign.lines()[self.line]}, at {self.writer.head.position}.",))

    def go(self, line: int) -> None:
        """Writes to another line from now on, and remembers it."""
        self.line = line
        if self.remembers:
            self.settings.choose_line(self.campaign.id, None if line == self.campaign.mainline() else line)

    def _promote(self, lexed: Lexed) -> Outcome:
        if len(lexed.tokens) != 1:
            raise Refused("Say which branch the table plays from now on: branch promote NAME.")
        line = self.campaign.line_called(lexed.tokens[0].text)
        self.campaign.promote(line)
        self._writer = None
        self.go(line)
        return Outcome(said=(f"{lexed.tokens[0].text} is the mainline now.",))

    def _retcon(self, bound: Bound) -> Outcome:
        command = _as(c.Retcon, bound.command)
        changed = bound.flags.get("as")
        if changed is not None:
            return self._retcon_act(command, lex(changed))
        if command.text is None:
            raise Refused("Say the new words after a colon, or a whole new line with --as.")
        if bound.check:
            return Outcome(said=("The words would change.",), checked=True)
        return Outcome(retcon.reword(self.writer, command.at, command.text))

    def _retcon_act(self, command: c.Retcon, lexed: Lexed) -> Outcome:
        before = self.campaign.table_at(self.line, command.at - 1)
        changed = bind(lexed, Scope(before, self._position, self.today)).command
        plan = retcon.plan(self.writer, command.at, changed)
        name = self._free_name(f"retcon-{command.at}")
        line = retcon.carry_out(plan, name)
        self.go(line)
        said = (*_about(plan), f"Nothing else changes until: branch promote {name}.")
        return Outcome(said=(f"{name} tells it this way; it is written to now.", *said))

    def _fix(self, bound: Bound) -> Outcome:
        command = _as(c.Fix, bound.command)
        plan = retcon.plan(self.writer, command.at, retcon.fixed(self.writer, command.at, command.results))
        about = _about(plan)
        if bound.check:
            return Outcome(said=about, checked=True)
        if not self.ask("\n".join((*about, "Play on with this?"))):
            return Outcome(said=("Nothing was changed.",), checked=True)
        main = self.campaign.mainline()
        name = self._free_name(f"fix-{command.at}")
        was = self.line
        line = retcon.carry_out(plan, name)
        if was == main:
            self.campaign.promote(line)
        self._writer = None
        self.go(line)
        return Outcome(said=(*about, f"Play goes on on the mended line; the old one is kept (branches)."))

    def _free_name(self, wanted: str) -> str:
        names = set(self.campaign.lines().values())
        numbered = (wanted, *(f"{wanted}-{number}" for number in range(2, 1000)))
        return next(name for name in numbered if name not in names)

    def _position(self, typed: str) -> int:
        place: Place = find_place(self.campaign, self.line, typed)
        if place.line != self.line:
            raise Refused(f"{typed} is on another line: switch to it first.")
        return place.position

    def described(self, act: Act) -> str:
        """An act in a few words: where it stands, and what was said."""
        from cli.rendering import line_of

        span = f"{act.first}" if act.first == act.last else f"{act.first}–{act.last}"
        return f"{span} ({line_of(act, self.table)})"


def _about(plan: retcon.Plan) -> tuple[str, ...]:
    lost = tuple(f"No longer holds: {one}" for one in plan.lost)
    return (*plan.changes, *lost) or ("Nothing else changes.",)


def _as(kind: type[C], command: Command) -> C:
    assert isinstance(command, kind)  # noqa: S101 -- the key it stands under
    return command


def _promotion(lexed: Lexed) -> Lexed:
    """`branch promote B` as `promote B`."""
    if lexed.verb.text in ("branch", "br") and len(lexed.tokens) == 2 and lexed.tokens[0].text == "promote":
        return replace(lexed, verb=lexed.tokens[0], tokens=lexed.tokens[1:])
    return lexed


Managing = Callable[[Scribe, Bound], Outcome]

MANAGE: dict[type[Command], Managing] = {
    c.Undo: Scribe._undo,
    c.Redo: Scribe._redo,
    c.Branch: Scribe._branch,
    c.Switch: Scribe._switch,
    c.Retcon: Scribe._retcon,
    c.Fix: Scribe._fix,
}
"""The verbs about the line itself."""

