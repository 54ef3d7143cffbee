"""The console on a terminal: prompt, completion menu, toolbar, and events recorded by other programs."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Lock, Thread

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app, run_in_terminal
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer, Completion, ConditionalCompleter
from prompt_toolkit.data_structures import Size
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import merge_key_bindings
from prompt_toolkit.output import Output

from retold.cli.campaigns.following import follow
from retold.cli.campaigns.inbox import Inbox, Proposal
from retold.cli.campaigns.settings import Settings
from retold.cli.console.offers import Known, known_to, offers
from retold.cli.console.script import ITS_END, Tour, carry_out
from retold.cli.console.session import ConsoleSession, LineResult
from retold.cli.console.toolbar import (
    WHY,
    Pane,
    ProposalPrompt,
    StatusLine,
    console_keys,
    handed_in_keys,
    how_it_ends,
    is_marked,
    laid_out,
    last_actor,
    mark_all,
    pane_content,
    sheet_pages,
)
from retold.cli.invocation import DONE
from retold.cli.output.printing import fitted, write_fitted
from retold.journal.refused import Refused
from retold.journal.store import places
from retold.journal.store.contract.address import Address
from retold.journal.store.contract.errors import Unreached
from retold.projections.texts import safe

ABOUT_WIDTH = 60


class TableCompleter(Completer):
    """Completer for lines typed at the console.

    It offers nothing inside a free text; before a word is begun, only when Tab asks.
    """

    def __init__(self, known: Callable[[], Known]) -> None:
        self._known = known

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        """Yields completions for the word at the cursor, each with a short explanation."""
        line = document.current_line_before_cursor
        if document.cursor_position_row and line[:1].isspace():
            return
        replaced, found = offers(self._known(), line.lstrip())
        if complete_event.text_inserted and (not replaced or [offer.text for offer in found] == [replaced]):
            return
        for offer in found:
            yield Completion(
                offer.text,
                start_position=-len(replaced),
                display=safe.line(offer.shown),
                display_meta=safe.line(offer.about)[:ABOUT_WIDTH],
            )


LOOK_EVERY = 0.2
"""Seconds between two looks at whether others have recorded or handed in anything."""

MENU_ROWS = 5

KEPT_ROWS = MENU_ROWS + 6
"""Rows that no pane takes: the menu, the prompt with a few lines before it, and the toolbar."""

FEWEST_ROWS = 3
"""A pane has so many rows on the lowest terminal."""

QUIET_AFTER = 20.0
"""Seconds without a key after which the campaign's file is made whole."""


@dataclass(slots=True)
class Console:
    """The interactive console: a session, and the prompt, toolbar, pane and keys drawn around it."""

    session: ConsoleSession
    prompt_session: PromptSession[str]
    handed: ProposalPrompt
    standing: StatusLine = field(init=False)
    branches: tuple[str, ...] = ()
    offered: str = ""
    """What the next prompt begins with: a line that was refused, and what should have come after it."""
    tour: Tour | None = None
    """What a newcomer is walked through."""
    pane: Pane | None = None
    """The pane above the toolbar; it stays until its key closes it."""
    _page: int = 0
    """Which page of the sheets it is, from 0."""
    _shown: tuple[str, ...] = ()
    """The lines of the pane for the current table."""
    _touched: float = 0.0
    _changes: ChangeSignal = field(init=False)
    _watching: bool = True
    _asking: bool = False
    """True while the prompt is there: its text may be half a line."""
    _stale: bool = False
    """True until toolbar and prompt know what came of the last line."""
    _is_edited: bool = False
    """True if what is offered is a text to be changed, and no refused line to be typed over."""
    _hurried: bool = False
    """True until the first prompt is there, and the toolbar says what may be done."""

    @classmethod
    def at(
        cls, session: ConsoleSession, *, source: Input | None = None, screen: Output | None = None
    ) -> Console:
        """Returns a console for a session; `source` and `screen` replace the process's terminal, in tests."""
        settings, campaign = Settings.of_user(), session.scribe.campaign
        handed = ProposalPrompt(Inbox.at(campaign.place, settings.state, campaign.id))
        prompt_session: PromptSession[str] = PromptSession(
            history=_history(settings.history(), session.hides),
            multiline=True,
            prompt_continuation="",
            input_processors=[how_it_ends()],
            complete_while_typing=True,
            reserve_space_for_menu=MENU_ROWS,
            enable_suspend=True,
            enable_open_in_editor=True,
            input=source,
            output=screen,
        )
        console = cls(session, prompt_session, handed)
        answering = handed_in_keys(handed, console.take, console.refuse)
        prompt_session.key_bindings = merge_key_bindings(
            (console_keys(console.turn, console.edit), answering)
        )
        offering = TableCompleter(
            lambda: Known(session.scribe.table, console.branches, settings, partial(known_to, session.scribe))
        )
        prompt_session.completer = ConditionalCompleter(offering, Condition(lambda: handed.refusing is None))
        prompt_session.bottom_toolbar = lambda: console.below(get_app().output.get_size())
        prompt_session.default_buffer.on_text_changed += lambda _: console._touch()
        return console

    def __post_init__(self) -> None:
        self.session.keeps_lines = True
        self._changes = ChangeSignal(self.session.scribe.campaign.place, self.handed.inbox.stamp)
        self._look_round(ahead=False)
        self._hurried = True

    def converse(self) -> int:
        """Reads and carries out typed lines until the user leaves; returns the exit code.

        Ctrl-C never ends it; it drops the half-typed line.
        """
        try:
            while True:
                try:
                    if self._heard() is LineResult.LEFT:
                        break
                except EOFError:
                    break
                except KeyboardInterrupt:
                    self._drop()
        finally:
            self._changes.end()
        self._say_goodbye()
        return DONE

    def _heard(self) -> LineResult:
        """Waits for one typed line and carries it out; returns its result, such as DONE or REFUSED."""
        if self._stale:
            self._look_round()
        return self._carry_out(self._ask()) if self.tour is None else self._toured(self.tour)

    def _toured(self, tour: Tour) -> LineResult:
        """Offers the next line of a guided tour, and carries out the line typed; returns its result.

        A refused line is offered again before the next. LEFT after the last.
        """
        self.offered = self.offered or tour.offer()
        typed = self._ask()
        heard = self._carry_out(typed)
        if heard is LineResult.DONE:
            tour.take(typed)
        if not tour.steps:
            sys.stdout.write(f"\n# {ITS_END}\n")
            return LineResult.LEFT
        return heard

    def _ask(self) -> str:
        offered, self.offered = self.offered, ""
        is_replaced, self._is_edited = not self._is_edited, False
        self._touch()
        self._tell_handed_in()
        if isinstance(self.prompt_session.history, _Lines):
            self.prompt_session.history.look_again()

        def begin() -> None:
            if self._hurried:
                get_app().create_background_task(self._look_ahead())
            self._watch_in_background()
            if offered and is_replaced:
                mark_all(get_app().current_buffer)

        self._asking = True
        typed = self.prompt_session.prompt(self._says, default=offered, pre_run=begin)
        self._asking = False
        return typed

    def _carry_out(self, typed: str) -> LineResult:
        self._stale = True
        left = carry_out(self.session, typed)
        self.offered, self._is_edited = left.rest, bool(left.rest) and left.heard is LineResult.DONE
        self._page = 0
        self._look_round()
        return left.heard

    def _look_round(self, *, ahead: bool = True) -> None:
        """Computes toolbar, prompt, pane and branch names again after a change of the table state.

        Without `ahead` the possible actions, which take longest to find, are left out of the toolbar. While
        the record cannot be read, all of it stays as it was.
        """
        self._stale = self._hurried = False
        if self.session.cut_off:
            return
        try:
            self._look(ahead=ahead)
        except Unreached:
            self.session.cut_off = True

    def _look(self, *, ahead: bool) -> None:
        self.standing = StatusLine.of(self.session.scribe, self.session.speaker.name, ahead=ahead)
        self.branches = tuple(self.session.scribe.campaign.lines().values())
        self._fill_pane()

    # --- the lines below ------------------------------------------------------------------------------

    def turn(self, pane: Pane) -> None:
        """Opens the pane of sheets or actions above the toolbar, or shows its next page.

        After its last page it is closed.
        """
        following = self._page + 1 if self.pane is pane else 0
        self.pane = None if following and following >= self._pages() else pane
        self._page = following if self.pane else 0
        with suppress(Unreached):  # it shows what it showed
            self._fill_pane()

    def edit(self, buffer: Buffer) -> None:
        """Puts a line into the prompt that would reword the last text; a half-typed line goes to the history.

        While a refusal's reason is asked for, nothing happens.
        """
        if self.handed.refusing is not None:
            return
        try:
            line = self.session.line_to_edit()
        except (Refused, Unreached) as error:
            sentence = str(error)
            run_in_terminal(lambda: print(safe.line(sentence)))
            return
        if buffer.text.strip() and not is_marked(buffer):
            buffer.append_to_history()
        buffer.exit_selection()
        buffer.document = Document(line)

    def below(self, size: Size) -> StyleAndTextTuples:
        """Returns the styled text below the prompt: open pane, a player's proposal, toolbar.

        It leaves rows for the prompt and the completion menu.
        """
        pane = laid_out(self._shown, size.columns, max(FEWEST_ROWS, size.rows - KEPT_ROWS))
        rows = filter(None, (self.handed.row(size.columns), self.standing.toolbar(size.columns)))
        return [("noreverse", pane), ("", "\n".join(rows))]

    def _pages(self) -> int:
        """Returns the number of pages in the open pane; 1 unless it shows sheets."""
        table, speaker = self.session.scribe.table, self.session.speaker.name
        return len(sheet_pages(table, speaker)) if self.pane is Pane.SHEET else 1

    def _fill_pane(self) -> None:
        scribe, speaker = self.session.scribe, self.session.speaker.name
        acted = last_actor(scribe.writer) if self.pane is Pane.SHEET else None
        self._shown = (
            ()
            if self.pane is None
            else tuple(pane_content(self.pane, scribe.table, speaker, page=self._page, acted=acted))
        )

    # --- what players hand in -------------------------------------------------------------------------

    def take(self, proposal: Proposal) -> None:
        """Records a player's proposal and prints the result above the prompt; a half-typed line stays."""
        self._answer(lambda: self.session.take(self.handed.inbox, proposal))

    def refuse(self, proposal: Proposal, why: str) -> None:
        """Refuses a player's proposal, with the reason `why`, and prints that above the prompt."""
        self._answer(lambda: self.session.refuse(self.handed.inbox, proposal, why))

    def _answer(self, answer: Callable[[], LineResult]) -> None:
        def answered() -> None:
            answer()
            self._look_round()
            self._tell_handed_in()

        self._stale = True
        run_in_terminal(answered)

    def _tell_handed_in(self) -> None:
        """Prints players' proposals that arrived since the last call above the prompt, in full."""
        with suppress(Unreached):
            self.handed.look()
        sys.stdout.writelines(f"{line}\n" for line in fitted(self.handed.news(), sys.stdout))

    def _says(self) -> str:
        return WHY if self.handed.refusing else self.standing.prompt

    # --- leaving ------------------------------------------------------------------------------------------

    def _drop(self) -> None:
        """Moves a half-typed line to the history, after Ctrl-C; without one, prints how to leave."""
        buffer = self.prompt_session.default_buffer
        if self._asking and buffer.text.strip():
            buffer.append_to_history()
        else:
            sys.stderr.write("To leave: Ctrl-D, or quit. Everything is recorded.\n")
        self._asking = False

    def _say_goodbye(self) -> None:
        if self.tour is not None:  # nothing of it is kept
            return
        if self._hurried:
            self._look_round()
        left = self.session.last_words()
        write_fitted(left, sys.stdout)
        campaign = self.session.scribe.campaign
        try:
            name = campaign.lines()[self.session.scribe.line]
        except Unreached as error:
            sys.stdout.write(f"{safe.line(str(error))}\n")
            return
        everything = "Everything else" if left else "Everything"
        sys.stdout.write(
            f"{everything} is recorded in {safe.line(campaign.place.name)}, on {safe.line(name)} up to"
            f" {self.session.scribe.writer.head.position}.\n"
        )
        stands = [part for part in (self.standing.conflict, *self.standing.due[:1]) if part]
        if stands:
            sys.stdout.write(f"It stands at: {' · '.join(stands)}\n")

    # --- while typing -------------------------------------------------------------------------------------

    def _touch(self) -> None:
        self._touched = time.monotonic()

    def _watch_in_background(self) -> None:
        if self._watching:
            get_app().create_background_task(self._watch())

    async def _look_ahead(self) -> None:
        """Adds the possible actions to the toolbar once the first prompt is drawn; Ctrl-C skips them."""
        with suppress(KeyboardInterrupt):
            self._look_round()
        get_app().invalidate()

    async def _watch(self) -> None:
        """Background task: while no key is pressed, prints events and proposals from other programs.

        It runs in the prompt's thread, since no other may read the campaign, until an error ends it.
        """
        await asyncio.sleep(LOOK_EVERY)  # the first prompt goes before the library that follows
        changed = self._changes.attach()
        while self._watching:
            with suppress(TimeoutError):  # not wait_for, which may lose a cancellation in Python 3.11
                async with asyncio.timeout(self._seconds_until_quiet()):
                    await changed.wait()
            changed.clear()
            try:
                self._changes.check()
                place = self.session.scribe.campaign.place
                if place.file is not None or await asyncio.to_thread(places.answers, place):
                    with suppress(Unreached):  # it is signalled again once it answers
                        await self._glance()
            except Exception as error:  # noqa: BLE001 -- what others do never ends this evening
                self._watching = False
                sentence = f"What others record is no longer shown here ({error})."
                await run_in_terminal(lambda: print(sentence))  # noqa: B023 -- run before the next turn

    def _seconds_until_quiet(self) -> float | None:
        """Returns the seconds until the write-ahead log may be merged into the campaign's file.

        None if there is nothing to merge.
        """
        if not self.session.unsettled:
            return None
        return max(LOOK_EVERY, self._touched + QUIET_AFTER - time.monotonic())

    async def _glance(self) -> None:
        if self.handed.look():
            await run_in_terminal(self._tell_handed_in)  # which draws the toolbar anew
        if self.session.cut_off:
            await run_in_terminal(self.session.go_on)
        if self.session.is_in_doubt:
            return
        if self.session.company.changed():
            await run_in_terminal(self.session.tell_company)
            self._look_round()
            get_app().invalidate()
        elif time.monotonic() - self._touched > QUIET_AFTER:
            self.session.settle()


class ChangeSignal:
    """Watches a campaign's file and inbox in a thread, and signals changes by other programs to the prompt.

    `stamp` returns a value that differs once the inbox has changed.
    """

    def __init__(self, place: Address, stamp: Callable[[], object]) -> None:
        self._place = place
        self._stamp = stamp
        self._lock = Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed = asyncio.Event()
        self._thread: Thread | None = None
        self._leave: Callable[[], None] | None = None
        self._ended = False
        self._error: Exception | None = None

    def attach(self) -> asyncio.Event:
        """Returns an asyncio event of the running loop, set now and after each change.

        The first call starts the watching thread.
        """
        with self._lock:
            self._loop, self._changed = asyncio.get_running_loop(), asyncio.Event()
            self._changed.set()
            if self._thread is None:  # loading the library takes longer than a key may wait
                self._thread = Thread(target=self._follow, name="following", daemon=True)
                self._thread.start()
        return self._changed

    def check(self) -> None:
        """Raises the error that stopped the watching thread, if there is one."""
        if self._error is not None:
            raise self._error

    def end(self) -> None:
        """Stops the watching, even if its thread is only about to start."""
        with self._lock:
            self._ended, self._loop = True, None
            leave, self._leave = self._leave, None
        if leave is not None:
            leave()

    def _follow(self) -> None:
        try:
            leave = follow(self._place, self._stamp, self._wake, LOOK_EVERY)
        except Exception as error:  # noqa: BLE001 -- said at the prompt, in the loop's own thread
            self._error = error
            self._wake()
            return
        with self._lock:
            ended = self._ended
            self._leave = None if ended else leave
        if ended:
            leave()

    def _wake(self) -> None:
        with self._lock:
            loop, changed = self._loop, self._changed
        if loop is not None:
            with suppress(RuntimeError):  # that prompt is gone, and the next looks by itself
                loop.call_soon_threadsafe(changed.set)


def _history(path: Path, hides: Callable[[str], bool]) -> History:
    """Returns the history of typed lines, in a file only this user can read; in memory if there is none.

    Lines for which `hides` returns True are not stored.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError:
        return InMemoryHistory()
    return _Lines(str(path), hides)


class _Lines(FileHistory):
    """History file of typed lines; leaves out secret ones, and ignores write errors."""

    _file: tuple[int, int] | None = None

    def __init__(self, path: str, hides: Callable[[str], bool]) -> None:
        super().__init__(path)
        self._hides = hides

    def append_string(self, string: str) -> None:
        """Adds a typed line to the history, unless `hides` returns True for it."""
        if not self._hides(string):
            super().append_string(string)

    def look_again(self) -> None:
        """Forgets the lines read from the file if it was replaced since, as a redaction does."""
        with suppress(OSError):
            stat = Path(os.fsdecode(self.filename)).stat()
            file = stat.st_dev, stat.st_ino
            if self._file not in (None, file):
                self._loaded, self._loaded_strings = False, []
            self._file = file

    def store_string(self, string: str) -> None:
        """Writes one typed line to the history file; ignores write errors."""
        with suppress(OSError):
            super().store_string(string)
