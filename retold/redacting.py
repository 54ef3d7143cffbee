"""What a redaction says: what it would take, before it does; and what became of it, after."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from journal.language.moments import is_number
from journal.store.campaign import Campaign
from journal.store.redact import Plan, Redaction
from retold.outcome import Forgotten

if TYPE_CHECKING:
    from retold.scribe import Scribe

LONGEST_SHOWN: Final = 200
"""How much of a text is shown, in characters."""

MOST_NAMED: Final = 12
"""How many places are named; of more, how many there are."""

QUESTION: Final = "Take it away for good?"


def words_at(scribe: Scribe, typed: str) -> int:
    """The position that a moment means: of `@` and the like, where the last words of that act stand."""
    position = scribe.act_at(typed)
    if is_number(typed):
        return position
    events = scribe.writer.act_at(position).events
    return next((one.position for one in reversed(events) if any(one.texts)), position)


@dataclass(frozen=True, slots=True)
class Saying:
    """Speaks of a plan to somebody who stands on one line of the campaign."""

    campaign: Campaign
    line: int
    plan: Plan

    def before(self) -> Iterator[str]:
        """What would be taken, what would stay, and what nobody can reach."""
        for one in self.plan.taken:
            at = self._place(one.line, one.position)
            for word, text in one.words:
                shown = "what is sealed" if one.sealed else f"“{_shortened(text)}”"
                yield f"{at}, words {word}: {shown}"
        words = [self._place(one.line, one.position) for one in self.plan.elsewhere if not one.data]
        if words:
            yield f"The same is said at {_listed(words)}, and stays there until that is redacted too."
        data = [self._place(one.line, one.position) for one in self.plan.elsewhere if one.data]
        if data:
            yield f"It is also in what the game calls something, at {_listed(data)}: that stays."
        yield "Dumps, exports and backups made before keep it, and so may the history of your shell."

    def after(self, redaction: Redaction, forgotten: Forgotten) -> Iterator[str]:
        """What was taken, and where a copy remains."""
        taken = [self._place(one.line, one.position) for one in self.plan.taken]
        yield f"The words at {_listed(taken)} are gone for good."
        if lines := forgotten.lines:
            yield f"With them went {'1 line' if lines == 1 else f'{lines} lines'} of the console's history."
        record = self.campaign.path
        own = (record.name, record.resolve().name)
        read = [str(path) for path in redaction.left if path.name.startswith(own)]
        if read:
            yield (
                f"A copy remains in {_listed(read)}, because another program is reading the campaign:"
                " it goes with the next line recorded once that has ended."
            )
        if redaction.failed:
            yield (
                f"A copy may remain in {record} or beside it: {redaction.failed}"
                " It goes when the campaign is next written to."
            )
        kept = [path for path in redaction.left if str(path) not in read]
        for path in (*kept, *forgotten.left):
            yield f"A copy may remain in {path}, which could not be changed: delete that file."
        if gone := redaction.swept.gone:
            yield f"What killed programs had left beside it went too: {_listed(one.name for one in gone)}."
        for path in redaction.swept.left:
            yield (
                f"A copy may remain in {path}: another program may be writing it, or it could not be deleted."
                " Delete it once that program has ended."
            )
        yield "Dumps, exports and backups made before are out of reach, and keep them."

    def _place(self, line: int, position: int) -> str:
        if self.campaign.record.home(self.line, position) == line:
            return str(position)
        return f"{self.campaign.lines()[line]}@{position}"


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_SHOWN else f"{line[:LONGEST_SHOWN].rstrip()} …"


def _listed(places: Iterable[str]) -> str:
    found = list(dict.fromkeys(places))
    if len(found) > MOST_NAMED:
        return f"{', '.join(found[:MOST_NAMED])} and {len(found) - MOST_NAMED} more places"
    *others, last = found
    return f"{', '.join(others)} and {last}" if others else last
