"""The keys of the console that are its own: Enter, Alt-Enter, and what is pasted."""

from __future__ import annotations

import textwrap
from collections.abc import Callable

from prompt_toolkit.application import get_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.enums import DEFAULT_BUFFER
from prompt_toolkit.filters import Condition, has_focus
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout.processors import AfterInput, ConditionalProcessor, Processor

from cli.console.pane import Pane
from journal.language.lexing import has_text, lex
from journal.language.speech import spoken
from journal.language.tokens import Unreadable
from journal.language.verbs import takes_text
from journal.language.writing import INDENT, write_text

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
        lexed = spoken(lex(last.strip()))
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
