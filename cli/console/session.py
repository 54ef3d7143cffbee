"""A console session: carries out lines typed, pasted or handed in by players, and prints the results."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum, auto
from io import StringIO
from itertools import islice

from msgspec.structs import replace

from retold.cli.campaigns.asking import TABLE_WORD, RealDecks
from retold.cli.campaigns.inbox import Inbox, Proposal
from retold.cli.console.offers import AS, EDIT, HELPING, LEAVING, Speaker, command_of
from retold.cli.dispatch import dispatch
from retold.cli.invocation import DONE, READING, Options, shell_words
from retold.cli.output.drawing import write_dim, write_recap
from retold.cli.output.printing import columns, fitted, text_width, write_fitted, write_outcome
from retold.cli.verbs.help import help_in_play
from retold.cli.verbs.proposals import take_proposal
from retold.journal.guarding import fault_of
from retold.journal.language.lexing import Lexed, lex
from retold.journal.language.meaning.answers import has_habit, line_read
from retold.journal.language.other_words import READ_AS
from retold.journal.language.shorthand import unknown_speaker
from retold.journal.language.verbs import VERBS
from retold.journal.language.writing import quote_name, write_line
from retold.journal.line import LiveEvent
from retold.journal.packages import guest_errors
from retold.journal.refused import Refused, Unfinished, none_if_refused
from retold.journal.store.contract.errors import (
    Doubtful,
    OutcomeUnknown,
    StoreError,
    Unreached,
    UnreachedToWrite,
)
from retold.journal.store.contract.event_store import Head
from retold.journal.store.events.acts import RecordedAct
from retold.journal.store.events.codec import Recorded, UnknownEvent, decode
from retold.journal.store.events.line_events import Act
from retold.journal.store.writing.rewording import EDITED_AMONG, is_a_name, plan_reword, words_at
from retold.journal.store.writing.undo import former_mainline, plan_undo
from retold.journal.systems import SYSTEMS
from retold.journal.vocabulary.base import REDACTED, Event, Words
from retold.journal.vocabulary.commands import Branch, Cast, Declare, Redact, Retcon, Undo
from retold.journal.vocabulary.events import SessionClosed, SessionOpened
from retold.outcome import Outcome
from retold.projections.plain.lives import notation
from retold.projections.prose.person import person_hints
from retold.projections.texts import safe
from retold.questions import answered
from retold.scribe import Scribe


@dataclass(slots=True)
class OtherWriters:
    """Finds events recorded by other programs since this console last printed, to print them.

    Only the thread that opened the campaign may call it.
    """

    scribe: Scribe
    _line: int = field(init=False)
    _position: int = field(init=False)
    _changes: int = field(init=False)
    _elsewhere: set[tuple[int, int]] = field(default_factory=set)
    """The line and position of everything that others have recorded in this sitting."""

    def __post_init__(self) -> None:
        self._changes = self.scribe.campaign.record.store.changes()
        self._line = self.scribe.line
        self._position = self.scribe.writer.head.position

    def changed(self) -> bool:
        """True if the campaign's file changed, on any branch, since the last call of `arrived`."""
        return self.scribe.campaign.record.store.changes() != self._changes

    def arrived(self) -> list[str] | None:
        """Returns text lines in notation for events recorded by other programs since the last call.

        None if the file is unchanged; empty if only another branch changed. If the branch can no longer be
        written, moves to the new mainline and returns a sentence on it.
        """
        self._turn_to_line()
        changes = self.scribe.campaign.record.store.changes()
        head = self.scribe.writer.head.position
        if changes == self._changes and head == self._position:
            return None
        self._changes = changes
        try:
            self.scribe.writer.catch_up()
        except Refused:
            return [self._move_on()]
        return self._told_up_to(self.scribe.writer.head.position)

    def before(self, done: RecordedAct) -> list[str]:
        """Returns notation of other programs' events recorded before this console's act `done`.

        Counts these and the act's own events as printed, and none that came after an act found in the record.
        """
        self._turn_to_line()
        told = self._told_up_to(done.first - 1)
        end = self.scribe.writer.head.position
        self._position = max(self._position, done.last) if done.again else end
        return told

    def pass_over(self) -> None:
        """Counts every event recorded so far as printed, since this console itself caused them."""
        before = set(self._elsewhere)
        self.arrived()
        self._elsewhere = before

    def from_elsewhere(self, act: Act) -> bool:
        """True if another program recorded this act, on this branch, during this session."""
        return (self.scribe.line, act.first) in self._elsewhere

    def _turn_to_line(self) -> None:
        if self._line != self.scribe.line:
            self._line = self.scribe.line
            self._position = self.scribe.writer.head.position

    def _move_on(self) -> str:
        """Switches to the new mainline after another program promoted a branch; returns a sentence on it."""
        self.scribe.go(self.scribe.campaign.mainline())
        self._turn_to_line()
        return f"The mainline was changed; this console writes there now, at {self._position}."

    def _told_up_to(self, last: int) -> list[str]:
        if last <= self._position:
            return []
        stands = self.scribe.writer.amendments
        rows = self.scribe.campaign.record.rows(self._line, self._position, last)
        found = [decode(row, stands.rewordings.get(row.position)) for row in rows]
        self._elsewhere |= {(self._line, recorded.position) for recorded in found}
        self._position = last
        return [line for recorded in found for line in self._told(recorded)]

    def _told(self, recorded: Recorded) -> list[str]:
        table = self.scribe.table
        by = recorded.envelope.by
        who = "elsewhere" if by is None else f"{table.name(by)}, elsewhere"
        if isinstance(recorded.event, UnknownEvent) or not isinstance(recorded.event, Event):
            return [f"{who}: something this Retold does not know"]
        live = LiveEvent(
            recorded.position, recorded.event, recorded.envelope.luck, recorded.envelope.visible_to
        )
        visible_to = self.scribe.visible_to((live,))
        return [f"{who}: {line}" for line in notation(table, (live,), visible_to=visible_to)]


BEFORE_KEYS = (
    "Type a line of the language, as at the shell without retold. What is not narrated can be told later."
)

KEYS = (
    ("Tab", "what may stand here"),
    ("Up, Ctrl-R", "lines said before"),
    ("Zel: Tea?", "somebody speaks"),
    ('"It rains."', "a text in quotes alone is told by the game master"),
    ("narrate Zel:", "then Enter: a longer text; Alt-Enter gives any text one more line"),
    ("as Zel", "the next lines are Zel's where they name nobody, : Tea? is said by her; as, alone, ends it"),
    ("table real", "a draw or roll asks what came up, and Enter alone deals it; back: table dealt"),
    ("undo, redo", "the last act is taken back, and comes back"),
    ("F7, edit", "edit the last text at the prompt"),
    ("show, log, can", "where you stand"),
    (
        "F2, F3",
        "a pane with the sheet of the person acting, then of the next; with their actions",
    ),
    ("F4, F5, F6", "take what a player hands in, refuse it, look at the next that waits (from serve)"),
    ("Ctrl-C", "drops a half-typed line, never more"),
    ("Ctrl-D, quit", "leaves; everything is recorded"),
)

AFTER_KEYS = (
    "A refused line stays, marked: type over it, or go into it with an arrow key and mend it.",
    "Help: help. All verbs: help all. One of them: help draw.",
)

WIDEST_KEY = max(len(key) for key, _ in KEYS) + 2


class LineResult(Enum):
    """Result of a typed line: done, refused, stopped after something was recorded, or console left."""

    DONE = auto()
    REFUSED = auto()
    """Nothing was recorded, and the sentence that says why has been told."""
    STOPPED = auto()
    """It was broken off after something had been recorded, so it is not to be said again unseen."""
    LEFT = auto()


@dataclass(slots=True)
class KeptLine:
    """Typed line whose act may be unrecorded, with the act's id, which prevents recording it twice."""

    line: str
    act: str
    is_doubtful: bool = False
    """True if it may be recorded."""
    is_found: bool = True
    """False for a line whose act is not found by its id, even if it is recorded."""

    @property
    def in_doubt(self) -> str:
        """The sentence while it is unknown whether it was recorded."""
        return f"Look with log -n 1 whether this was recorded: {self.line}"


IN_TURN = "Take these lines, one after the other?"
KEPT = "Your line is kept."
SAID_AGAIN = "It is said again under the same id: it cannot be recorded twice."
HOW_SAID_AGAIN = "Enter says it again; another line drops it."
SAY_AGAIN = "Say it again."
LOOK_FIRST = "Look with log -n 1 before you say it again."
WAITS = "What was handed in waits: taken again, it cannot be recorded twice."


@dataclass(slots=True)
class ConsoleSession:
    """State of one console: its scribe (which records lines), speaker, real or dealt cards, other writers."""

    scribe: Scribe
    options: Options
    company: OtherWriters = field(init=False)
    speaker: Speaker = field(default_factory=Speaker)
    decks: RealDecks = field(init=False)
    recaps: bool = False
    """True if a user is told how the last session ended when they open the next."""
    unsettled: bool = False
    """True while something recorded has not been folded into the campaign's one file."""
    keeps_lines: bool = False
    """True where the prompt offers a line again that could not be recorded."""
    kept: dict[str, KeptLine] = field(default_factory=dict)
    """The lines that wait for the server, by their text."""
    offered: str = ""
    """Line that the next prompt begins with, to be changed: after `edit`, or after `retcon 412` alone."""
    typed_ahead: str = ""
    """Line typed in place of a yes or no, which is carried out next."""
    shown: tuple[str, ...] = ()
    """Lines that the last answer proposed, to be chosen by number."""
    cut_off: bool = False
    """True after the record could not be read: the scribe's table may hold what was never recorded."""
    _before: Head | None = None
    """The branch's end before the line; None if it could not be read."""
    _told_errors: set[str] = field(default_factory=set)
    """Sentences about guests' errors, each said once an evening."""
    _is_said: bool = False
    """True once the line may have been recorded."""

    def __post_init__(self) -> None:
        self.company = OtherWriters(self.scribe)
        self.decks = RealDecks(self.scribe.campaign.id)
        self.scribe.came_up = self.decks.asked

    def hear_ahead(self, line: str) -> None:
        """Keeps a line typed in place of a yes or no, to be carried out next."""
        self.typed_ahead = line

    def hear(self, line: str, where: str = "") -> LineResult:
        """Carries out one typed line, whose text may follow on further lines; prints and returns its result.

        `where`, such as `line 3: `, is put before the sentence of a refusal.
        """
        shown, self.shown = self.shown, ()
        if line.strip() in map(str, range(1, len(shown) + 1)):
            line = shown[int(line) - 1]
        words = line.split()
        read = self._line_read(line) if words and words[0] not in HELPING else None
        if read is not None:
            line = read
            words = read.split()
        if words and words[0] in LEAVING and len(words) == 1:
            return LineResult.LEFT
        reads = bool(words) and (words[0] in READING or words[0] in ("log", *HELPING) or _is_ours(words))
        if reads and not self._is_of_the_table(line):
            return self._tried(lambda: self._read(line), where)
        saying = self.kept.get(line) or KeptLine(line, self.scribe.campaign.clock.act())
        return self._tried(lambda: self._carry_out(saying), where, saying)

    def _line_read(self, line: str) -> str | None:
        """Returns the line that reads for another table's word, such as `who Oda` for `sheet Oda`.

        None for a line that this table takes as typed.
        """
        with suppress(Refused, StoreError):
            lexed = lex(line)
            word = lexed.verb.text.lower()
            if word in READING:
                return line_read(lexed, self.scribe.table)
            asks = word not in READ_AS and answered(lexed, self.scribe.table) is not None
            if not asks and command_of(lexed, self.scribe) is None:
                return line_read(lexed, self.scribe.table)
        return None

    def _is_of_the_table(self, line: str) -> bool:
        """True for `new scene The cellar` and `can Zel shoot from here?`, which are lines of the table."""
        if line.split()[:1] == ["can"]:
            return "?" in line and line.split()[2:] != []
        if line.split()[:1] != ["new"]:
            return False
        lexed = none_if_refused(lambda: lex(line))
        if lexed is None or not lexed.tokens:
            return False
        return lexed.tokens[0].text.lower() in VERBS or has_habit(lexed, self.scribe.table)

    def take(self, inbox: Inbox, proposal: Proposal) -> LineResult:
        """Records a player's proposal in their name and prints the result.

        If the rules refuse it, it keeps waiting.
        """
        return self._tried(lambda: self._take(inbox, proposal))

    def refuse(self, inbox: Inbox, proposal: Proposal, why: str) -> LineResult:
        """Refuses a player's proposal and prints that; `why` is the reason they read, which may be empty."""
        return self._tried(lambda: self._refuse(inbox, proposal, why))

    def _tried(
        self, do: Callable[[], LineResult], where: str = "", saying: KeptLine | None = None
    ) -> LineResult:
        """Calls `do` as `_result_of` does; then says what errors of guests spoilt, each once an evening."""
        result = self._result_of(do, where, saying)
        for sentence in guest_errors():
            if sentence not in self._told_errors:
                self._told_errors.add(sentence)
                self._say(sentence)
        return result

    def _result_of(self, do: Callable[[], LineResult], where: str, saying: KeptLine | None) -> LineResult:
        """Calls `do` and returns its result; prints an error as a sentence, with `where` before it.

        Returns REFUSED for an error, or STOPPED if something was recorded before it. Raises unexpected errors
        with --debug. `saying` is the line of the table, if it is one.
        """
        self._before = None
        self._is_said = False
        try:
            self._before = self._head()
            if self.cut_off:
                self._renew()
            return do()
        except KeyboardInterrupt:
            self._say("\nInterrupted.")
            return self._broken_off(saying)
        except Refused as refusal:
            return self._refused(refusal, where)
        except (Unreached, UnreachedToWrite, OutcomeUnknown) as error:
            if self.options.debug:
                raise
            self._say(f"{where}{self._on_failure(error, saying)}")
            return self._broken_off(saying)
        except Exception as error:
            if self.options.debug:
                raise
            self._say(f"{where}{_sentence(error)}")
            if isinstance(error, Doubtful) and saying is not None and self._found_recorded(saying):
                return LineResult.STOPPED
            return self._broken_off(saying)

    def _refused(self, refusal: Refused, where: str) -> LineResult:
        """Prints a refusal, with `where` before it; returns REFUSED.

        If a single line lacked its end, offers the whole line to be changed, and returns DONE.
        """
        if isinstance(refusal, Unfinished) and self.keeps_lines and not where:
            self.offered = refusal.edit or ""
            _print(map(str, refusal.ways[1:]))
            return LineResult.DONE
        self._say(f"{where}{chr(10).join(refusal.sentences)}")
        if refusal.are_in_turn and self.scribe.attended and not where:
            if not self.scribe.ask(IN_TURN):
                return LineResult.REFUSED
            kept = (KeptLine(line, self.scribe.campaign.clock.act()) for line in refusal.lines)
            return self._result_of(lambda: [*map(self._carry_out, kept)][-1], where, None)
        if self.keeps_lines and refusal.lines:
            self.shown = refusal.lines
            write_dim(f"Type {' or '.join(map(str, range(1, len(refusal.lines) + 1)))} for the line shown.")
        return LineResult.REFUSED

    # --- lines that could not be recorded -----------------------------------------------------------------

    def _on_failure(
        self, error: Unreached | UnreachedToWrite | OutcomeUnknown, saying: KeptLine | None
    ) -> str:
        """Returns the sentence about a server that was not reached; keeps the line, if the prompt can."""
        self.cut_off = True
        before = saying is not None and saying.is_doubtful
        if isinstance(error, OutcomeUnknown):
            fact, is_doubtful = error.fact, self._is_said
        elif before or (self._is_said and isinstance(error, Unreached)):  # perhaps read after it was recorded
            fact = f"{error.fact.removesuffix('.')}, and cannot be asked yet whether it was recorded."
            is_doubtful = True
        else:
            fact, is_doubtful = f"Nothing was recorded: {error.fact}", False
        if saying is None:
            return f"{fact} {WAITS}" if self._is_said else str(error)
        if self.keeps_lines:
            return f"{fact} {self._keep(saying, is_doubtful=is_doubtful)}"
        return f"{fact} {LOOK_FIRST if is_doubtful else SAY_AGAIN}"

    def _keep(self, saying: KeptLine, *, is_doubtful: bool) -> str:
        """Keeps a line with its id; returns a sentence on how it is said again."""
        saying.is_doubtful = saying.is_doubtful or is_doubtful
        self.kept[saying.line] = saying
        return f"{SAID_AGAIN if saying.is_doubtful else KEPT} {HOW_SAID_AGAIN}"

    def go_on(self) -> None:
        """Goes on with a record that could not be read, and prints that; Unreached if it still cannot."""
        self._head()
        self._renew()
        if self.kept:
            _print([f"{self.scribe.campaign.place.name} can be reached again. {HOW_SAID_AGAIN}"])

    @property
    def is_in_doubt(self) -> bool:
        """True while a kept line may already be recorded: its act is no other program's."""
        return any(kept.is_doubtful for kept in self.kept.values())

    def _settle_kept(self, line: str) -> None:
        """Drops kept lines other than `line`, and prints for each doubtful one whether its act was recorded.

        Raises StoreError, and keeps them, if the record cannot be asked.
        """
        for kept in [one for one in self.kept.values() if one.line != line]:
            if kept.is_doubtful and not self._is_told(kept):
                _print([f"Not recorded: {kept.line}" if kept.is_found else kept.in_doubt])
            del self.kept[kept.line]

    def _is_told(self, kept: KeptLine) -> bool:
        """Prints the act of a line in doubt if the record has it; else returns False."""
        found = self.scribe.recorded(kept.act)
        if found is None or found.done is None:
            return False
        _print([f"It is recorded already, at {found.done.first}."])
        self._told(found)
        return True

    def _found_recorded(self, saying: KeptLine) -> bool:
        """Prints the act of a line that is recorded though an error came back; else returns False."""
        with suppress(StoreError):
            self._renew()
            found = self.scribe.recorded(saying.act)
            if found is not None:
                self.kept.pop(saying.line, None)
                self._told(found)
                return True
        return False

    def last_words(self) -> list[str]:
        """Returns text lines on the kept lines, for the end of the console; empty without any."""
        left = [f"Not recorded: {kept.line}" for kept in self.kept.values() if not kept.is_doubtful]
        with suppress(StoreError):
            self._settle_kept("")
        return left + [kept.in_doubt for kept in self.kept.values() if kept.is_doubtful]

    def tell_company(self) -> bool:
        """Prints events recorded by other programs; returns True if the file changed, on any branch."""
        arrived = self.company.arrived()
        _print(arrived or ())
        return arrived is not None

    def settle(self) -> None:
        """Merges the write-ahead log into the campaign's file, so that a plain file copy is complete."""
        if self.unsettled:
            with suppress(Exception):  # nothing is lost: closing the file merges again
                store = self.scribe.campaign.record.store
                self.unsettled = bool(store.settle()) and store.place.file is not None

    def _take(self, inbox: Inbox, proposal: Proposal) -> LineResult:
        self.tell_company()
        self._is_said = True
        taken = take_proposal(inbox, proposal, self.scribe)
        if taken.scribe is self.scribe:
            self._told(taken.outcome)  # a blocked terminal does not delay submissions
        else:
            _print(taken.outcome.sentences(taken.scribe.table))
        return LineResult.DONE

    def _refuse(self, inbox: Inbox, proposal: Proposal, why: str) -> LineResult:
        _print([inbox.settle(proposal.id, "refused", why).refusal])
        return LineResult.DONE

    def _carry_out(self, saying: KeptLine) -> LineResult:
        self._settle_kept(saying.line)
        if saying.is_doubtful and self._is_told(saying):
            del self.kept[saying.line]
            return LineResult.DONE
        saying.is_doubtful = False
        self.tell_company()
        try:
            lexed = self.speaker.meant(saying.line, self.scribe)
            saying.is_found = VERBS.get(lexed.verb.text) not in (Redact, Branch)
            self._cast_if_new(lexed)
            if not self._may_take_back(lexed):
                self.kept.pop(saying.line, None)
                sys.stdout.write("Nothing was changed.\n")
                return LineResult.DONE
            self._is_said = True
            outcome = self.scribe.carry_out(lexed, saying.act)
        except Refused:
            self.kept.pop(saying.line, None)
            self.tell_company()  # another program's act may be the reason
            raise
        self.kept.pop(saying.line, None)
        self._told(outcome)
        return LineResult.DONE

    def _cast_if_new(self, lexed: Lexed) -> None:
        """Asks whether to cast an unknown person who speaks in this line; casts them if the answer is yes."""
        new = unknown_speaker(lexed, self.scribe.table)
        if new is None or not self.scribe.attended:
            return
        cast = write_line(Cast.verb, [quote_name(new)])
        if "yes" in lexed.flags or self.scribe.ask(f"{new} is new: {cast} and say it?"):
            self._told(self.scribe.say(cast))
            self._before = self._head()  # so the line itself is still unsaid

    def _may_take_back(self, lexed: Lexed) -> bool:
        """Asks before an undo of acts that other programs recorded; returns False if the answer is no."""
        if VERBS.get(lexed.verb.text) is not Undo or lexed.flags.keys() & {"check", "yes"}:
            return True
        command = self.scribe.read(lexed).command
        if not isinstance(command, Undo) or former_mainline(self.scribe.writer) is not None:
            return True
        acts = plan_undo(self.scribe.writer, command.acts)
        theirs = [self.scribe.described(act) for act in acts if self.company.from_elsewhere(act)]
        if not theirs:
            return True
        return self.scribe.ask(f"Recorded elsewhere, not here: {'; '.join(theirs)}.\nTake it back?")

    def hides(self, line: str) -> bool:
        """True for a secret (sealed) declaration, which must not enter the history of typed lines."""
        if "--sealed" in line:
            return True
        line = line.partition(" --as ")[2] or line
        here = self.scribe.table.in_play()
        if here is None or not SYSTEMS[here.system].seals(self.scribe.table):
            return False
        said = (VERBS.get(begun.partition(" ")[0].rstrip(":")) for begun in line.split("\n"))
        return any(command is not None and issubclass(command, Declare) for command in said)

    def _told(self, outcome: Outcome) -> None:
        if outcome.done is not None:
            _print(self.company.before(outcome.done))
        elif not outcome.checked:
            self.company.pass_over()  # the console's own fork or promotion
        self.unsettled = self.unsettled or not outcome.checked
        self.speaker.follow(self.scribe.table)
        told = StringIO()
        write_outcome(self.scribe, outcome, out=told)
        sys.stdout.writelines(f"{line}\n" for line in fitted(told.getvalue().splitlines(), sys.stdout))
        sys.stdout.flush()
        done = () if outcome.done is None else outcome.done.events
        if self.keeps_lines:
            for hint in person_hints(self.scribe.table, done):
                write_dim(f"{hint} (F7 changes the text)")
        if self.recaps and any(isinstance(event, SessionOpened) for event in done):
            write_recap(self.scribe.campaign, self.scribe.line, sys.stdout, short=False)
        if any(isinstance(event, SessionClosed) for event in done):
            self.settle()
            self._say_receipt()

    def _say_receipt(self) -> None:
        """Prints a short receipt of the branch's end, with which a later loss can be detected."""
        from retold.journal.store.verify import receipt_of

        receipt = receipt_of(self.scribe.line, self._head()).short
        _print([f"Receipt {receipt} (kept elsewhere, it shows whether anything is missing: verify --head)"])

    # --- what is not said to the table --------------------------------------------------------------------

    def _read(self, line: str) -> LineResult:
        """Carries out a line for the console alone: reading verbs such as `show`, help, `as`, `table`.

        Reading verbs work on the console's branch.
        """
        if line.split() == [EDIT]:
            self.offered = self.line_to_edit()
            if not self.keeps_lines:
                _print([self.offered])
            return LineResult.DONE
        if _is_ours(line.split()):
            _print([self._turned(line)])
            return LineResult.DONE
        verb, *rest = shell_words(line)
        if verb == "play":
            raise Refused("This is the console already: say a line of the table, or quit.")
        if verb == "?" and not rest:
            rows = columns(KEYS, WIDEST_KEY, text_width(sys.stdout))
            _print([BEFORE_KEYS, "", *rows, "", *AFTER_KEYS])
            return LineResult.DONE
        if verb in HELPING and not rest:
            sys.stdout.write(help_in_play(self.scribe.campaign.record))
            return LineResult.DONE
        if verb in HELPING:
            here = self.scribe.table.in_play()
            of_game = [] if here is None or here.system not in SYSTEMS else ["--game", here.system]
            return self._dispatched(["-c", str(self.scribe.campaign.place), "help", *rest, *of_game])
        campaign = self.scribe.campaign
        branch = campaign.lines()[self.scribe.line]
        return self._dispatched(["-c", str(campaign.place), "--branch", branch, verb, *rest])

    def line_to_edit(self) -> str:
        """Returns a line that would reword the last text, with its current words; Refused without one."""
        writer = self.scribe.writer
        writer.catch_up()
        for act in islice(writer.last_acts(), EDITED_AMONG):
            try:
                event = plan_reword(writer, act.first, Words(EDIT))
            except Refused:
                continue
            text = words_at(writer, event)
            if text != REDACTED and not is_a_name(writer, event):
                return write_line(Retcon.verb, [str(event.about)], text=text)
        raise Refused(
            "No text was recorded lately that could be changed. An earlier one: retcon MOMENT: text."
        )

    def _turned(self, line: str) -> str:
        """Carries out an `as NAME` or `table real` line; returns a sentence on what holds now."""
        if line.split(maxsplit=1)[0] == AS:
            return self.speaker.turn_to(line, self.scribe.table)
        return self.decks.choose(line)

    def _dispatched(self, words: list[str]) -> LineResult:
        code = dispatch(words)
        sys.stdout.flush()
        self.company.pass_over()
        return LineResult.DONE if code == DONE else LineResult.REFUSED

    def _broken_off(self, saying: KeptLine | None) -> LineResult:
        """Replaces the scribe after a line was interrupted, since its table state may be half updated.

        Returns STOPPED if the branch's end has changed, because something was recorded; else REFUSED, also
        for a line that is kept. While the record cannot be read, the scribe stays, to be replaced later.
        """
        self.scribe.campaign.record.roll_back()
        try:
            head = self._head()
        except StoreError:
            self.cut_off = True
            if saying is not None and self.keeps_lines and saying.line not in self.kept:
                self._say(self._keep(saying, is_doubtful=self._is_said))
            return LineResult.REFUSED
        self._renew()
        if self._before in (None, head) or (saying is not None and saying.line in self.kept):
            return LineResult.REFUSED
        self._say("Something was recorded all the same: look at log before you say it again.")
        return LineResult.STOPPED

    def _renew(self) -> None:
        """Replaces the scribe by one that reads the table state from the record."""
        self.scribe = replace(self.scribe)
        self.scribe.begin_again()
        self.company.scribe = self.scribe
        self.cut_off = False

    def _head(self) -> Head:
        return self.scribe.campaign.record.head(self.scribe.line)

    def _say(self, sentence: str) -> None:
        sys.stdout.flush()
        sys.stderr.writelines(f"{line}\n" for line in fitted(safe.text(sentence).splitlines(), sys.stderr))


def _is_ours(words: list[str]) -> bool:
    """True for `edit` and lines beginning with `as` or `table`, words known to the console only."""
    return words[:1] in ([AS], [TABLE_WORD]) or words == [EDIT]


def _sentence(error: Exception) -> str:
    if isinstance(error, StoreError):
        return str(error)
    if isinstance(error, OSError):
        return f"{error.strerror or error}."
    if (fault := fault_of(error)) is not None:
        return str(fault)
    return f"Something went wrong that should not have ({type(error).__name__}: {str(error)[:300]})."


def _print(lines: Iterable[str]) -> None:
    write_fitted(lines, sys.stdout)
