"""Where the table stands, and the line that is due, under the prompt; and the prompt itself."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from itertools import islice
from typing import Final, NamedTuple

from msgspec import Struct, field
from prompt_toolkit.application import get_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.enums import DEFAULT_BUFFER
from prompt_toolkit.filters import Condition, has_focus
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout.processors import AfterInput, ConditionalProcessor, Processor

from cli.inbox import Inbox, Proposal
from cli.printing import hung
from cli.verbs.can import group_by_meaning, group_label, lines_due, proposed_lines
from cli.verbs.can import lines_of_can as what_may_be_done
from cli.verbs.replay import cropped
from journal.capabilities import Outlook
from journal.language.lexing import has_text, lex
from journal.language.naming import find_person
from journal.language.proposed import actions_at
from journal.language.shorthand import expand_speech
from journal.language.tokens import Unreadable
from journal.language.verbs import takes_text
from journal.language.writing import INDENT, write_text
from journal.names import Unknown
from journal.store.campaign import LineWriter
from journal.system import unresolved
from journal.systems import SYSTEMS
from journal.table import OpenConflict, Table
from journal.vocabulary.base import GM
from projections import safe
from projections.views import conflicts
from projections.wrapping import cut
from projections.wrapping import width as columns_of
from retold.scribe import Scribe

PROMPT_WIDTH = 32
BETWEEN = " · "
MAINLINE = "mainline"
MORE = "…"
FEWEST_COLUMNS = 12
"""A part that is narrower than this says nothing any more."""
MOST_DUE = 24
"""More lines than a row has room for; each is written out to be shown."""


class StatusLine(Struct, frozen=True):
    """What toolbar and prompt say, each part safe to show; an empty part is not there."""

    session: str
    scene: str
    conflict: str
    due: tuple[str, ...]
    """The lines that are waited for, the first ones first; of many alike, how they begin."""
    beside: tuple[str, ...]
    """What is open and holds nothing up, with the lines that answer it."""
    line: str
    position: str
    prompt: str

    @classmethod
    def of(cls, scribe: Scribe, speaker: str | None = None, *, ahead: bool = True) -> StatusLine:
        """Where the scribe's line stands now; the prompt says whose the lines are that do not say it.

        What may be done, which takes longest, is left out where nobody looks `ahead`.
        """
        table, here = scribe.table, scribe.table.in_play()
        name, seen = scribe.campaign.lines()[scribe.line], actions_at(table) if ahead else ()
        every = (line for one in seen for line in lines_due(table, one))
        return cls(
            session=f"s{table.session}" if table.session else "no session",
            scene=_safe(table.scene_title.text or "" if table.scene_title else ""),
            conflict=_safe(_conflict(table, here)) if here else "",
            due=tuple(_safe(line) for line in islice(every, MOST_DUE)),
            beside=tuple(map(_safe, _beside(table, seen))),
            line="" if name == MAINLINE else _safe(name),
            position=f"#{scribe.writer.head.position}",
            prompt=_prompt(f"as {speaker}" if speaker else _sides(table, here) if here else ""),
        )

    def toolbar(self, width: int) -> str:
        """Where it stands and, below that, what may be typed where something is open; no row over `width`."""
        rows = [self._place(width), self._open(width)]
        return "\n".join(filter(None, rows))

    def _place(self, width: int) -> str:
        """Session, scene, conflict, branch and position; the scene is cut first, the position stays."""
        around = [self.session, self.conflict, self.line, self.position]
        room = width - columns_of(BETWEEN.join(filter(None, around))) - len(BETWEEN)
        scene = cut(self.scene, room) if room >= min(FEWEST_COLUMNS, columns_of(self.scene)) else ""
        shown = BETWEEN.join(filter(None, (self.session, scene, self.conflict, self.line, self.position)))
        if columns_of(shown) <= width:
            return shown
        room = width - columns_of(self.position) - len(BETWEEN)
        if room < FEWEST_COLUMNS:
            return cut(self.conflict or shown, width)
        return f"{cut(self.conflict or self.session, room)}{BETWEEN}{self.position}"

    def _open(self, width: int) -> str:
        """As many of the lines as fit, those that are due first; what holds nothing up has the end."""
        beside = fitting(self.beside, width if not self.due else width // 2)
        left = width - columns_of(beside) - len(" | ") if beside else width
        return " | ".join(filter(None, (fitting(self.due, left), beside)))


def fitting(parts: Sequence[str], width: int) -> str:
    """The first of the parts, as many as fit `width` columns, with an ellipsis for the others."""
    for kept in range(len(parts), 0, -1):
        shown = BETWEEN.join((*parts[:kept], *([MORE] if kept < len(parts) else [])))
        if columns_of(shown) <= width:
            return shown
    return cut(parts[0], width) if parts else ""


def _beside(table: Table, seen: Sequence[Outlook]) -> list[str]:
    """Each question and offer that holds nothing up: the lines that answer it, or its words if none does."""
    said = [f"{table.name(who)} offers to concede" for who in _conceding(table)]
    said += [
        group_label(one) for each in seen for one in group_by_meaning(proposed_lines(table, each.beside))
    ]
    return [*said, *(one.asked for one in unresolved(table, SYSTEMS))]


def _conceding(table: Table) -> Iterator[int]:
    for conflict in table.conflicts.values():
        if conflict.concession is not None:
            yield conflict.concession.whose


def _conflict(table: Table, conflict: OpenConflict) -> str:
    system = SYSTEMS[conflict.system]
    more = len(table.conflicts) - 1
    others = f" (+{more} open)" if more else ""
    return f"{system.called(table)}{others}: {system.turn(table, conflict)}"


def _prompt(says: str) -> str:
    return f"{cut(_safe(says), PROMPT_WIDTH)}> "


def _sides(table: Table, conflict: OpenConflict) -> str:
    return " vs ".join(map(table.name, conflict.leads))


def _safe(text: str) -> str:
    return safe.line(text)


NOBODY = "Nobody is waited for. as NAME says whose lines, and whose sheet, these are."


LOOKED_BACK: Final = 12
"""How many acts are looked through for whoever did something last."""


class Pane(Enum):
    """What the pane shows; its value is the key that opens and shuts it."""

    SHEET = "f2"
    CAN = "f3"


def pane_content(
    pane: Pane, table: Table, speaker: str | None, *, page: int = 0, acted: int | None = None
) -> list[str]:
    """The lines of a pane as the table stands, safe to show; `acted` is whoever did something last."""
    found = (
        _sheets(table, _sheet_page(sheet_pages(table, speaker, acted), page))
        if pane is Pane.SHEET
        else _can(table)
    )
    return [safe.line(line) for line in found]


def laid_out(lines: Iterable[str], width: int, most: int) -> str:
    """The lines broken at words, each as wide as the pane, in at most so many rows."""
    broken = [row for line in lines for row in (hung(line, width) if columns_of(line) > width else [line])]
    rows = cropped(broken, most, width)
    return "".join(f"{row}{' ' * (width - columns_of(row))}\n" for row in rows)


def _can(table: Table) -> Iterator[str]:
    return what_may_be_done(table, actions_at(table), None)


class SheetPage(NamedTuple):
    """The people whose sheets the pane shows together, and a heading such as `Ana has the turn`."""

    people: tuple[int, ...]
    turn: str = ""


def sheet_pages(table: Table, speaker: str | None, acted: int | None = None) -> list[SheetPage]:
    """The pages of the pane in the order in which F2 shows them.

    Whose the lines are; else who has the turn, and then who is next; else everybody who is waited for; else
    whoever did something last.
    """
    if speaker is not None:
        try:
            return [SheetPage((find_person(table, speaker),))]
        except Unknown:  # an undo took them back
            return []
    here = table.in_play()
    places = () if here is None else conflicts.turn_order(table, here)
    if any(one.now for one in places):
        now = [SheetPage((one.who,), "has the turn") for one in places if one.now]
        return [*now, *(SheetPage((one.who,), "is next") for one in places if one.next and not one.now)]
    waited = tuple(dict.fromkeys(who for who in _waited_for(table) if who != GM))
    people = waited or (() if acted in (None, GM) else (acted,))
    return [SheetPage(people)] if people else []


def _sheet_page(found: Sequence[SheetPage], page: int) -> SheetPage:
    return found[page] if page < len(found) else SheetPage(())


def _waited_for(table: Table) -> Iterator[int]:
    for seen in actions_at(table):
        yield from (one.person for one in seen.moves)
        yield from (one.who for one in seen.choices)


def last_actor(writer: LineWriter) -> int | None:
    """The last person to act, within the last few acts; None if there is none."""
    events = (one.event for act in islice(writer.last_acts(), LOOKED_BACK) for one in act.events)
    found = (getattr(event, "who", None) for event in events)
    return next((who for who in found if isinstance(who, int) and who in writer.table.people), None)


def _sheets(table: Table, page: SheetPage) -> Iterator[str]:
    if not page.people:
        yield NOBODY
    for who in page.people:
        yield from _sheet(table, who, page.turn)


def _sheet(table: Table, who: int, turn: str) -> Iterator[str]:
    """Who it is, how they stand now, and what is on their sheets."""
    from projections.dossiers import current_numbers
    from projections.views import cast

    one = cast.person(table, table.people[who])
    called = f"{table.name(who)} {turn}".rstrip()
    yield " · ".join(filter(None, (called, "" if one.player is None else one.player.name, one.phrase)))
    yield from (f"  {what}: {now}" for what, now in current_numbers(table, who))
    yield from (f"  {sheet}" for sheet in cast.told_sheets(one).values())


NEXT_LINE = f"\n{INDENT}"
ENDS = "(an empty line ends it)"


def console_keys(turn: Callable[[Pane], None]) -> KeyBindings:
    """Enter carries out, or goes on with a long text; Alt-Enter adds a line; a paste is put in, never run.

    Ctrl-D leaves also where a refused line is still there, marked. Of the key of a pane, `turn` is told.
    """
    keys = KeyBindings()
    here = has_focus(DEFAULT_BUFFER)

    @keys.add("enter", filter=here)
    def _enter(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if goes_on(buffer.document):
            buffer.insert_text(NEXT_LINE)
        else:
            buffer.validate_and_handle()

    @keys.add("escape", "enter", filter=here)
    def _another_line(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text(NEXT_LINE)

    for pane in Pane:
        keys.add(pane.value)(lambda _, pane=pane: turn(pane))

    marked = here & Condition(lambda: is_marked(get_app().current_buffer) and not get_app().is_done)

    @keys.add("c-d", filter=marked)
    def _leave(event: KeyPressEvent) -> None:
        event.app.exit(exception=EOFError)

    # Eagerly, for a region that is marked gives Ctrl-C other meanings, which would wait for one more key.
    @keys.add("c-c", filter=marked, eager=True)
    @keys.add("c-u", filter=marked)
    def _clear(event: KeyPressEvent) -> None:
        event.current_buffer.cut_selection()

    @keys.add(Keys.BracketedPaste, filter=here)
    def _paste(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if is_marked(buffer):
            buffer.cut_selection()
        buffer.insert_text(pasted(event.data, buffer.document))

    return keys


def mark_all(buffer: Buffer) -> None:
    """Marks what stands there: typing takes its place, and an arrow key goes into it to mend it."""
    buffer.cursor_position = 0
    buffer.start_selection()
    buffer.cursor_position = len(buffer.text)
    if buffer.selection_state is not None:
        buffer.selection_state.enter_shift_mode()


def is_marked(buffer: Buffer) -> bool:
    """True where what stands there would give way to what is typed."""
    selected = buffer.selection_state
    return bool(buffer.text) and selected is not None and selected.shift_mode


def how_it_ends() -> Processor:
    """Says beside the empty line of a long text that Enter ends it there."""
    there = Condition(lambda: ends_here(get_app().current_buffer.document))
    return ConditionalProcessor(AfterInput([("fg:ansibrightblack", ENDS)]), there)


def ends_here(document: Document) -> bool:
    """True on the empty line below a text, where Enter ends it."""
    below = document.cursor_position_row > 0 and document.is_cursor_at_the_end
    return below and not document.current_line.strip() and not _is_several_commands(document)


def _is_several_commands(document: Document) -> bool:
    return any(line and not line[0].isspace() for line in document.lines[1:])


def goes_on(document: Document) -> bool:
    """True if Enter at the end of this begins another line of text: after `narrate Zel:`, or in such a text.

    An empty line ends the text. Anywhere but at the end, and under several commands, Enter carries them out.
    """
    if not document.is_cursor_at_the_end:
        return False
    last = document.current_line
    if document.cursor_position_row and last[:1].isspace():
        if _is_several_commands(document):
            return False
        return bool(last.strip())
    try:
        lexed = expand_speech(lex(last.strip()))
    except Unreadable:
        return False
    return lexed.text == "" and takes_text(lexed.verb.text)


def pasted(data: str, document: Document) -> str:
    """What a paste puts in: into a text, lines of that text; anywhere else, commands at the margin."""
    data = data.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    if "\n" not in data:
        return data
    if not in_text(document):
        return textwrap.dedent(data)
    lines = "\n".join(line.strip() for line in data.split("\n"))
    return write_text(lines).removeprefix(f":{NEXT_LINE}")


def in_text(document: Document) -> bool:
    """True if the cursor stands in what is for people to read."""
    line = document.current_line_before_cursor
    if document.cursor_position_row and line[:1].isspace():
        return True
    try:
        return has_text(line)
    except Unreadable:
        return False


TAKE, REFUSE, NEXT = "f4", "f5", "f6"
WHY = "Why not?> "
HOW_REFUSED = "  (Enter refuses, Ctrl-C lets it wait)"
FEWEST_PROPOSAL_COLUMNS = 24
"""A line has so many columns beside the keys, or the keys are not shown."""


class ProposalPrompt(Struct):
    """What waits in a campaign's inbox, and the one that the keys are about."""

    inbox: Inbox
    waiting: tuple[Proposal, ...] = ()
    refusing: Proposal | None = None
    """The one whose refusal is being given a reason, in the prompt."""
    _chosen: str | None = None
    _stamp: frozenset[tuple[str, int]] | None = None
    _told: set[str] = field(default_factory=set)
    _typed: tuple[Document, bool] = (Document(), False)
    """What stood in the prompt before the reason was asked for, and whether it was marked."""

    @property
    def chosen(self) -> Proposal | None:
        """The one that the keys are about: the one gone to, or else the oldest."""
        found = [one for one in self.waiting if one.id == self._chosen]
        return next(iter((*found, *self.waiting)), None)

    def look(self) -> bool:
        """Looks again where anything has changed, whoever changed it; True if so."""
        stamp = self.inbox.stamp()
        if stamp == self._stamp:
            return False
        self._stamp, self.waiting = stamp, tuple(self.inbox.waiting())
        return True

    def news(self) -> list[str]:
        """What waits and has not been told here yet, each whole, safe to show."""
        new = [one for one in self.waiting if one.id not in self._told]
        self._told.update(one.id for one in new)
        return [told_of(one) for one in new]

    def go_on(self) -> None:
        """Goes to the next that waits; after the last comes the first."""
        ids = [one.id for one in self.waiting]
        if self.chosen is not None:
            self._chosen = ids[(ids.index(self.chosen.id) + 1) % len(ids)]

    def row(self, width: int) -> str:
        """Whose it is, what it says, and the keys, in at most so many columns; empty where nothing waits."""
        one = self.refusing or self.chosen
        if one is None:
            return ""
        several = f", F6 next of {len(self.waiting)}" if len(self.waiting) > 1 else ""
        keys = HOW_REFUSED if self.refusing else f"  (F4 take, F5 refuse{several})"
        room = width - columns_of(keys)
        return cut(told_of(one), room) + keys if room >= FEWEST_PROPOSAL_COLUMNS else cut(told_of(one), width)

    # --- a reason -----------------------------------------------------------------------------------------

    def ask_why(self, buffer: Buffer) -> None:
        """Asks for a reason in the prompt; what is half typed there comes back after it."""
        self._typed = buffer.document, is_marked(buffer)
        self.refusing = self.chosen
        buffer.document = Document()

    def leave(self, buffer: Buffer) -> None:
        """Asks no more."""
        self.refusing = None
        buffer.document, marked = self._typed
        if marked:
            mark_all(buffer)


def told_of(one: Proposal) -> str:
    """Who hands what in, in one line; what would be sealed is shut."""
    return safe.line(f"{one.who} hands in: {one.shown}")


def handed_in_keys(
    handed: ProposalPrompt, take: Callable[[Proposal], None], refuse: Callable[[Proposal, str], None]
) -> KeyBindings:
    """One key takes what is shown, one refuses it, one goes to the next; `refuse` is told why, or nothing."""
    keys = KeyBindings()
    asked = has_focus(DEFAULT_BUFFER) & Condition(lambda: handed.refusing is not None)
    there = Condition(lambda: handed.refusing is None and handed.chosen is not None and not get_app().is_done)

    @keys.add(TAKE, filter=there)
    def _take(_: KeyPressEvent) -> None:
        if handed.chosen is not None:
            take(handed.chosen)

    @keys.add(REFUSE, filter=there)
    def _ask_why(event: KeyPressEvent) -> None:
        event.app.layout.focus(DEFAULT_BUFFER)
        handed.ask_why(event.current_buffer)

    @keys.add(NEXT, filter=there)
    def _go_on(_: KeyPressEvent) -> None:
        handed.go_on()

    @keys.add("enter", filter=asked)
    def _refuse(event: KeyPressEvent) -> None:
        one, why = handed.refusing, " ".join(event.current_buffer.text.split())
        handed.leave(event.current_buffer)
        if one is not None:
            refuse(one, why)

    @keys.add("c-c", filter=asked, eager=True)
    @keys.add("c-d", filter=asked, eager=True)
    @keys.add("<sigint>", filter=asked, eager=True)
    def _leave(event: KeyPressEvent) -> None:
        handed.leave(event.current_buffer)

    return keys
