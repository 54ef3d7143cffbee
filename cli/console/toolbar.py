"""Prompt, toolbar, pane (the block above the toolbar, on F2 or F3) and keys of the console."""

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

from retold.cli.campaigns.inbox import Inbox, Proposal
from retold.cli.output.printing import hung
from retold.cli.verbs.can import group_by_meaning, group_label, lines_due, proposed_lines
from retold.cli.verbs.can import lines_of_can as what_may_be_done
from retold.cli.verbs.replay import cropped
from retold.journal.capabilities import Outlook
from retold.journal.language.lexing import has_text, lex
from retold.journal.language.naming import find_person
from retold.journal.language.proposed import actions_at
from retold.journal.language.shorthand import expand_speech
from retold.journal.language.tokens import Unreadable
from retold.journal.language.verbs import takes_text
from retold.journal.language.writing import INDENT, write_text
from retold.journal.names import Unknown
from retold.journal.possessives import possessive
from retold.journal.store.writing.campaign import LineWriter
from retold.journal.system import unresolved
from retold.journal.systems import SYSTEMS
from retold.journal.table import OpenConflict, Table
from retold.journal.vocabulary.base import GM
from retold.journal.vocabulary.commands import Declare
from retold.projections.texts import safe
from retold.projections.texts.wrapping import cut
from retold.projections.texts.wrapping import width as columns_of
from retold.projections.views import conflicts
from retold.projections.views.naming import conflict_title, fallen_by_conflict
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
    """Texts in toolbar and prompt, safe to print: session, scene, conflict, actions to do, branch, position.

    Empty texts are left out.
    """

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
        """Returns the texts for the current table state; `speaker` is the name shown in the prompt.

        Between sessions it is nobody's turn there, though a conflict stays open.
        Without `ahead` the possible actions, which take longest to find, are left out.
        """
        table, here = scribe.table, scribe.table.in_play()
        name, seen = scribe.campaign.lines()[scribe.line], actions_at(table) if ahead else ()
        is_between = table.session is None and table.sessions > 0
        says = f"as {speaker}" if speaker else _turn(table, here, seen) if here and not is_between else ""
        every = (line for outlook in seen for line in lines_due(table, outlook))
        return cls(
            session=f"s{table.session}" if table.session else "no session",
            scene=safe.line(table.scene_title.text or "" if table.scene_title else ""),
            conflict=safe.line(_conflict(table, here)) if here else "",
            due=tuple(safe.line(line) for line in islice(every, MOST_DUE)),
            beside=tuple(map(safe.line, _beside(table, seen))),
            line="" if name == MAINLINE else safe.line(name),
            position=f"#{scribe.writer.head.position}",
            prompt=f"{cut(safe.line(says), PROMPT_WIDTH)}> ",
        )

    def toolbar(self, width: int) -> str:
        """Returns the toolbar, rows of at most `width` columns: session and scene; then actions to do."""
        return "\n".join(filter(None, (self._place(width), self._open(width))))

    def _place(self, width: int) -> str:
        """Returns the first row: session, scene, conflict, branch, event position.

        If it is too wide, the scene is cut first; the position stays longest.
        """
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
        """Returns the second row: lines that the game waits for, as many as fit, then other questions."""
        beside = fitting(self.beside, width if not self.due else width // 2)
        left = width - columns_of(beside) - len(" | ") if beside else width
        return " | ".join(filter(None, (fitting(self.due, left), beside)))


def fitting(parts: Sequence[str], width: int) -> str:
    """Returns the first of `parts` that fit `width` columns, joined by dots; an ellipsis for the others."""
    for kept in range(len(parts), 0, -1):
        shown = BETWEEN.join((*parts[:kept], *([MORE] if kept < len(parts) else [])))
        if columns_of(shown) <= width:
            return shown
    return cut(parts[0], width) if parts else ""


def _beside(table: Table, seen: Sequence[Outlook]) -> list[str]:
    """Returns unanswered questions and offers that do not stop play, each as a line to type or a sentence."""
    said = [f"{table.name(who)} offers to concede" for who in _conceding(table)]
    said += [
        group_label(group) for each in seen for group in group_by_meaning(proposed_lines(table, each.beside))
    ]
    return [*said, *(question.asked for question in unresolved(table, SYSTEMS))]


def _conceding(table: Table) -> Iterator[int]:
    for conflict in table.conflicts.values():
        if conflict.concession is not None:
            yield conflict.concession.whose


def _conflict(table: Table, conflict: OpenConflict) -> str:
    system = SYSTEMS[conflict.system]
    more = len(table.conflicts) - 1
    others = f" (+{more} open)" if more else ""
    return f"{system.called(table)}{others}: {system.turn(table, conflict)}"


def _turn(table: Table, conflict: OpenConflict, seen: Sequence[Outlook]) -> str:
    """Returns whose turn it is: `Oda's turn`; the conflict's title if the next person is unknown.

    In a game without turn order it is the turn of the only person who may act; where all declare, the last
    one is `Hound to declare`. People who are out have no turn.
    """
    places, declares = conflicts.turn_order(table, conflict), False
    acting = {place.who for place in places if place.now}
    if not places:
        here = [outlook for outlook in seen if outlook.conflict == conflict.id]
        acting = {moves.person for outlook in here for moves in outlook.moves}
        choices = [choice for outlook in here for choice in outlook.choices]
        acting |= {choice.who for choice in choices}
        declares = bool(choices) and all(isinstance(choice.command, Declare) for choice in choices)
    out = {person for fallen in fallen_by_conflict(table) for person in fallen}
    out |= {place.who for place in places if place.out}
    if len(acting) != 1 or acting & {*out, GM}:
        return conflict_title(conflict, table)
    name = table.name(*acting)
    return f"{name} to declare" if declares else f"{possessive(name)} turn"


NOBODY = "No action is due. To see somebody's sheet and speak for them: as NAME."


LOOKED_BACK: Final = 12
"""How many acts are searched for the last person to act."""


class Pane(Enum):
    """Kinds of pane: sheets (F2) and possible actions (F3); each value is the key that opens it."""

    SHEET = "f2"
    CAN = "f3"


def pane_content(
    pane: Pane, table: Table, speaker: str | None, *, page: int = 0, acted: int | None = None
) -> list[str]:
    """Returns the pane's text lines, safe to print: sheets of page `page`, or the possible actions.

    `speaker` is the name set by `as NAME`, `acted` the id of the last person to act.
    """
    found = (
        _sheets(table, _sheet_page(sheet_pages(table, speaker, acted), page))
        if pane is Pane.SHEET
        else what_may_be_done(table, actions_at(table), None)
    )
    return [safe.line(line) for line in found]


def laid_out(lines: Iterable[str], width: int, most: int) -> str:
    """Returns the text lines as one text, wrapped and padded to `width` columns, cut to `most` rows."""
    broken = [row for line in lines for row in (hung(line, width) if columns_of(line) > width else [line])]
    rows = cropped(broken, most, width)
    return "".join(f"{row}{' ' * (width - columns_of(row))}\n" for row in rows)


class SheetPage(NamedTuple):
    """One page of the sheet pane: ids of the people shown, and a heading such as `has the turn`."""

    people: tuple[int, ...]
    turn: str = ""


def sheet_pages(table: Table, speaker: str | None, acted: int | None = None) -> list[SheetPage]:
    """Returns the pages of the sheet pane, in the order F2 shows them; empty if no sheet is wanted.

    The speaker alone; else the person whose turn it is, then the next one; else all with an action due; else
    the last person to act.
    """
    if speaker is not None:
        try:
            return [SheetPage((find_person(table, speaker),))]
        except Unknown:  # an undo took them back
            return []
    here = table.in_play()
    places = () if here is None else conflicts.turn_order(table, here)
    if any(place.now for place in places):
        now = [SheetPage((place.who,), "has the turn") for place in places if place.now]
        return [
            *now,
            *(SheetPage((place.who,), "is next") for place in places if place.next and not place.now),
        ]
    waited = tuple(dict.fromkeys(who for who in _people_to_act(table) if who != GM))
    people = waited or (() if acted in (None, GM) else (acted,))
    return [SheetPage(people)] if people else []


def _sheet_page(found: Sequence[SheetPage], page: int) -> SheetPage:
    return found[page] if page < len(found) else SheetPage(())


def _people_to_act(table: Table) -> Iterator[int]:
    for seen in actions_at(table):
        yield from (moves.person for moves in seen.moves)
        yield from (choice.who for choice in seen.choices)


def last_actor(writer: LineWriter) -> int | None:
    """Returns the person id of the last actor, looking through 12 acts at most; None without one."""
    events = (recorded.event for act in islice(writer.last_acts(), LOOKED_BACK) for recorded in act.events)
    found = (getattr(event, "who", None) for event in events)
    return next((who for who in found if isinstance(who, int) and who in writer.table.people), None)


def _sheets(table: Table, page: SheetPage) -> Iterator[str]:
    if not page.people:
        yield NOBODY
    for who in page.people:
        yield from _sheet(table, who, page.turn)


def _sheet(table: Table, who: int, turn: str) -> Iterator[str]:
    """Yields text lines on a person: name and player, current values such as stress, character sheets."""
    from retold.projections.dossiers import current_numbers
    from retold.projections.views import cast

    person = cast.person(table, table.people[who])
    called = f"{table.name(who)} {turn}".rstrip()
    yield " · ".join(
        filter(None, (called, "" if person.player is None else person.player.name, person.phrase))
    )
    yield from (f"  {what}: {now}" for what, now in current_numbers(table, who))
    yield from (f"  {sheet}" for sheet in cast.told_sheets(person).values())


NEXT_LINE = f"\n{INDENT}"
ENDS = "(an empty line ends it)"


EDIT_KEY: Final = "f7"


def console_keys(turn: Callable[[Pane], None], edit: Callable[[Buffer], None]) -> KeyBindings:
    """Returns the console's key bindings; `turn` is called with a pane when its key is pressed.

    `edit` is called with the prompt's buffer at F7. Enter carries out the line, or continues a text;
    Alt-Enter adds a text line; a paste runs nothing. Ctrl-D leaves, even with a refused line marked.
    """
    keys = KeyBindings()
    here = has_focus(DEFAULT_BUFFER)

    @keys.add("enter", filter=here)
    def _enter(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if continues_text(buffer.document):
            buffer.insert_text(NEXT_LINE)
        else:
            buffer.validate_and_handle()

    @keys.add("escape", "enter", filter=here)
    def _another_line(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text(NEXT_LINE)

    for pane in Pane:
        keys.add(pane.value)(lambda _, pane=pane: turn(pane))

    @keys.add(EDIT_KEY, filter=here)
    def _edit(event: KeyPressEvent) -> None:
        edit(event.current_buffer)

    marked = here & Condition(lambda: is_marked(get_app().current_buffer) and not get_app().is_done)

    @keys.add("c-d", filter=marked)
    def _leave(event: KeyPressEvent) -> None:
        event.app.exit(exception=EOFError)

    # Eager, because a marked region gives Ctrl-C longer bindings that would wait for another key.
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
    """Selects the text in the prompt: typing replaces it, an arrow key goes into it."""
    buffer.cursor_position = 0
    buffer.start_selection()
    buffer.cursor_position = len(buffer.text)
    if buffer.selection_state is not None:
        buffer.selection_state.enter_shift_mode()


def is_marked(buffer: Buffer) -> bool:
    """True if the text in the prompt is selected, so that typing replaces it."""
    selected = buffer.selection_state
    return bool(buffer.text) and selected is not None and selected.shift_mode


def how_it_ends() -> Processor:
    """Returns a processor that shows `(an empty line ends it)` on the empty text line below a text."""
    there = Condition(lambda: ends_here(get_app().current_buffer.document))
    return ConditionalProcessor(AfterInput([("fg:ansibrightblack", ENDS)]), there)


def ends_here(document: Document) -> bool:
    """True if the cursor is on the empty text line below a text, where Enter ends it."""
    below = document.cursor_position_row > 0 and document.is_cursor_at_the_end
    return below and not document.current_line.strip() and not _is_several_commands(document)


def _is_several_commands(document: Document) -> bool:
    return any(line and not line[0].isspace() for line in document.lines[1:])


def continues_text(document: Document) -> bool:
    """True if Enter adds a text line instead of running: after `narrate Zel:`, or inside such a text.

    An empty text line ends the text. Elsewhere, and below several commands, Enter carries them out.
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
    """Returns pasted text as it is inserted: inside a text indented, elsewhere without common indent."""
    data = data.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    if "\n" not in data:
        return data
    if not in_text(document):
        return textwrap.dedent(data)
    lines = "\n".join(line.strip() for line in data.split("\n"))
    return write_text(lines).removeprefix(f":{NEXT_LINE}")


def in_text(document: Document) -> bool:
    """True if the cursor is inside free text."""
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
    """Players' waiting proposals in the toolbar; the keys F4 to F6 take, refuse, or choose the next."""

    inbox: Inbox
    waiting: tuple[Proposal, ...] = ()
    refusing: Proposal | None = None
    """The one whose refusal is being given a reason, in the prompt."""
    _chosen: str | None = None
    _stamp: object = None
    _told: set[str] = field(default_factory=set)
    _typed: tuple[Document, bool] = (Document(), False)
    """Text of the prompt before the reason was asked for, and whether it was marked."""

    @property
    def chosen(self) -> Proposal | None:
        """Proposal that F4 and F5 apply to: the one chosen with F6, else the oldest waiting; or None."""
        found = [proposal for proposal in self.waiting if proposal.id == self._chosen]
        return next(iter((*found, *self.waiting)), None)

    def look(self) -> bool:
        """Reads the inbox again if it changed; returns True if it did."""
        stamp = self.inbox.stamp()
        if stamp == self._stamp:
            return False
        self._stamp, self.waiting = stamp, tuple(self.inbox.waiting())
        return True

    def news(self) -> list[str]:
        """Returns one text line for each proposal not yet printed at this console; counts it as printed."""
        new = [proposal for proposal in self.waiting if proposal.id not in self._told]
        self._told.update(proposal.id for proposal in new)
        return [told_of(proposal) for proposal in new]

    def go_on(self) -> None:
        """Chooses the next waiting proposal; after the last, the first."""
        ids = [proposal.id for proposal in self.waiting]
        if self.chosen is not None:
            self._chosen = ids[(ids.index(self.chosen.id) + 1) % len(ids)]

    def row(self, width: int) -> str:
        """Returns the toolbar row with the chosen proposal and its keys, at most `width` wide; else empty."""
        proposal = self.refusing or self.chosen
        if proposal is None:
            return ""
        several = f", F6 next of {len(self.waiting)}" if len(self.waiting) > 1 else ""
        keys = HOW_REFUSED if self.refusing else f"  (F4 take, F5 refuse{several})"
        room = width - columns_of(keys)
        return (
            cut(told_of(proposal), room) + keys
            if room >= FEWEST_PROPOSAL_COLUMNS
            else cut(told_of(proposal), width)
        )

    # --- a reason -----------------------------------------------------------------------------------------

    def ask_why(self, buffer: Buffer) -> None:
        """Asks in the prompt why the chosen proposal is refused; saves the half-typed line."""
        self._typed = buffer.document, is_marked(buffer)
        self.refusing = self.chosen
        buffer.document = Document()

    def leave(self, buffer: Buffer) -> None:
        """Stops asking why a proposal is refused, and restores the half-typed line."""
        self.refusing = None
        buffer.document, marked = self._typed
        if marked:
            mark_all(buffer)


def told_of(proposal: Proposal) -> str:
    """Returns one row, `Jon hands in: draw Zel clubs`, for a proposal; a sealed line is replaced."""
    return safe.line(f"{proposal.who} hands in: {proposal.shown}")


def handed_in_keys(
    handed: ProposalPrompt, take: Callable[[Proposal], None], refuse: Callable[[Proposal, str], None]
) -> KeyBindings:
    """Returns key bindings for proposals: F4 calls `take`, F5 asks why, then calls `refuse`; F6 next.

    `refuse` gets the proposal and the reason, which may be empty.
    """
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
        proposal, why = handed.refusing, " ".join(event.current_buffer.text.split())
        handed.leave(event.current_buffer)
        if proposal is not None:
            refuse(proposal, why)

    @keys.add("c-c", filter=asked, eager=True)
    @keys.add("c-d", filter=asked, eager=True)
    @keys.add("<sigint>", filter=asked, eager=True)
    def _leave(event: KeyPressEvent) -> None:
        handed.leave(event.current_buffer)

    return keys
