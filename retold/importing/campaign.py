"""Method of `Campaign` that takes in logs of other tools."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from retold.reading import Reading, under_lock

if TYPE_CHECKING:
    from retold.importing.intake import Intake
    from retold.scribe import Scribe
    from retold.sources import Source
    from retold.sources.answers import Answers


class ImportsOfCampaign(Reading):
    """Method of `Campaign` for imports."""

    scribe: Scribe

    @under_lock
    def take_in(
        self,
        sources: Sequence[Source],
        answers: Answers,
        *,
        check: bool = False,
        tell: Callable[[int, int], None] | None = None,
        agreed: bool = False,
    ) -> Intake:
        """Records what is new in logs of other tools (`retold.sources.read`), by the table's answers.

        Returns the report. With `check` nothing is recorded. `tell` gets the number of steps done and of all,
        after each transaction: what is recorded stays after an interruption, and the same call finishes it.
        `agreed` goes on although known units are gone or in another order, or although throws older than
        those of the campaign can be told as words alone. Raises Refused, with nothing recorded, for want of
        an answer or of agreement, for a damaged source, and while a conflict is open.
        """
        from retold.importing.taking_in import take_in  # noqa: PLC0415 -- few programs import

        return take_in(self.scribe.writer, sources, answers, check=check, tell=tell, agreed=agreed)
