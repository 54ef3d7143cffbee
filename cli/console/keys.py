"""The keys of the console that are its own: Enter, Alt-Enter, and what is pasted."""

from __future__ import annotations

import textwrap

from prompt_toolkit.document import Document
from prompt_toolkit.enums import DEFAULT_BUFFER
from prompt_toolkit.filters import has_focus
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from cli.language.lexing import has_text, lex
from cli.language.tokens import Unreadable
from cli.language.verbs import takes_text
from cli.language.writing import INDENT, write_text

NEXT_LINE = f"\n{INDENT}"


def console_keys() -> KeyBindings:
    """Enter carries out, or goes on with a long text; Alt-Enter adds a line; a paste is put in, never run."""
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

    @keys.add(Keys.BracketedPaste, filter=here)
    def _paste(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        buffer.insert_text(pasted(event.data, buffer.document))

    return keys


def goes_on(document: Document) -> bool:
    """True if Enter at the end of this begins another line of text: after `narrate Zel:`, or in such a text.

    An empty line ends the text. Anywhere but at the end, and under several commands, Enter carries them out.
    """
    if not document.is_cursor_at_the_end:
        return False
    last = document.current_line
    if document.cursor_position_row and last[:1].isspace():
        if any(line and not line[0].isspace() for line in document.lines[1:]):
            return False
        return bool(last.strip())
    try:
        lexed = lex(last.strip())
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
