"""`retcon MOMENT --as LINE`: an act told anew on a branch, and what the table must say to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from journal.language.binding import Bound, bind
from journal.language.lexing import lex
from journal.language.writing import quote_name, write_line, write_value
from journal.refused import Refused
from journal.store import retcon
from journal.store.acts import Manner
from journal.store.replaying import manner_of
from journal.system import choices
from journal.vocabulary import commands as c
from retold.fixing import GO_ON, no_longer_holding, told
from retold.outcome import Outcome
from retold.rulings import Rulings, answered, lost

if TYPE_CHECKING:
    from retold.scribe import Scribe


_EYES: Final = {"gm": "the game master alone", "table": "everybody"}


@dataclass(frozen=True, slots=True)
class Retelling:
    """One `retcon` line with --as, and what comes of it."""

    scribe: Scribe
    command: c.Retcon
    line: str
    """The act as it should have been."""
    bound: Bound

    def carried_out(self) -> Outcome:
        """What came of it; Refused, and nothing changed, where the table has to say more first."""
        plan = self._planned()
        changes = (*self._seen(plan), *told(plan, self.scribe))  # by the names of the line it leaves
        if self.bound.check:
            return Outcome(said=changes, checked=True)
        if plan.lost and not self.command.drop:
            if not self.scribe.attended:
                raise Refused(self._what_to_do(plan))
            if not self.scribe.ask("\n".join((*changes, GO_ON))):
                return Outcome(said=("Nothing was changed.",), checked=True)
        name = self.scribe.free_name("retcon")
        line = retcon.carry_out(plan, name, self.command.text, self.bound.manner)
        self.scribe.go(line)
        until = f"branch promote {quote_name(name)}"
        said = (*changes, f"The line the table plays stays as it is until: {until}.")
        return Outcome(said=(f"{name} tells it this way; it is written to now.", *said))

    def _planned(self) -> retcon.Plan:
        scribe, at = self.scribe, self.command.at
        before = scribe.campaign.table_at(scribe.line, scribe.writer.act_at(at).first - 1)
        bound = bind(lex(self.line), replace(scribe.scope, table=before))
        silent = self.command.drop or self.bound.check
        rulings = Rulings.brought(scribe, self.command.ruling, silent=silent)
        plan = retcon.plan(scribe.writer, at, bound.command, self._manner(bound), judge=rulings.judge)
        rulings.check_used()
        return plan

    def _seen(self, plan: retcon.Plan) -> tuple[str, ...]:
        """Who may see the act, where that is somebody else than before."""
        step = plan.steps[0]
        see = step.manner.visible_to
        if see == manner_of(step.act).visible_to:
            return ()
        names = ", ".join(map(plan.table.name, see)) if isinstance(see, tuple) else _EYES[see]
        return (f"It can be seen by {names} now.",)

    def _manner(self, bound: Bound) -> Manner | None:
        """The manner of the act, for other eyes where the new line says whose; None where it does not."""
        if not {"gm", "to"}.intersection(bound.flags):
            return None
        recorded = manner_of(self.scribe.writer.act_at(self.command.at))
        return replace(recorded, visible_to=bound.manner.visible_to)

    def _what_to_do(self, plan: retcon.Plan) -> str:
        """What would be lost, and the lines that bring a ruling where one is wanted, or go on without."""
        said = [lost(plan), *(_ended(one) for one in no_longer_holding(plan, self.scribe))]
        for question in plan.unanswered[:1]:
            rule = self._again(*answered(plan.table, question))
            said.append(f"{choices(plan.table, question)} To rule: {rule}.")
        return " ".join((*said, f"To go on without them: {self._again('--drop')}."))

    def _again(self, *flags: str) -> str:
        """This line with other flags."""
        return write_line("retcon", [str(self.command.at), "--as", write_value(self.line), *flags])


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith((".", ".)")) else f"{sentence}."
