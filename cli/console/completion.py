"""Tab: the offers for what is being typed, in the form of prompt_toolkit's menu."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from cli.console.offers import Known, offers
from projections import safe

ABOUT_WIDTH = 60


class TableCompleter(Completer):
    """Offers what the table knows; silent inside texts, and unasked for where nothing has been typed yet."""

    def __init__(self, known: Callable[[], Known]) -> None:
        self._known = known

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        """The offers at the cursor."""
        line = document.current_line_before_cursor
        if document.cursor_position_row and line[:1].isspace():
            return
        replaced, found = offers(self._known(), line.lstrip())
        if complete_event.text_inserted and (not replaced or [one.text for one in found] == [replaced]):
            return
        for offer in found:
            yield Completion(
                offer.text,
                start_position=-len(replaced),
                display=safe.line(offer.shown),
                display_meta=safe.line(offer.about)[:ABOUT_WIDTH],
            )
