"""The `proposals` verb: lists the lines that players handed in by phone, and takes or refuses one."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from retold.cli import app as o
from retold.cli.campaigns.asking import scribe_for
from retold.cli.campaigns.inbox import HANDLE, Inbox, Proposal
from retold.cli.campaigns.opening import opened
from retold.cli.invocation import DONE, Options, UsageError
from retold.cli.output.printing import write_fitted, write_json
from retold.projections.texts import safe

if TYPE_CHECKING:
    from retold.outcome import Outcome
    from retold.scribe import Scribe

LIST, TAKE, REFUSE = "list", "take", "refuse"
SAID = {LIST: range(1), TAKE: range(1, 2), REFUSE: range(1, 1000)}
"""How many words may stand behind each."""
WAYS = "proposals lists what waits; proposals take ID or proposals refuse ID: why answers one."


def command(
    ctx: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[take ID | refuse ID: WHY]", help="Alone it lists them.", show_default=False),
    ] = None,
    campaign: o.Campaign = None,
    branch: o.Branch = None,
    json: o.Json = False,
) -> int:
    """Show unanswered proposals that players sent by phone; accept or refuse them.

    Each follows its ID. What is taken is recorded in the player's name; why may be left out. In play the
    toolbar shows the same, on F4 and F5.

    Examples: retold proposals · retold proposals take 7f3a · retold proposals refuse 7f3a: Not yet.
    """
    options = o.merged(ctx, campaign, branch, json)
    answer, *rest = words or (LIST,)
    if len(rest) not in SAID.get(answer, ()):
        raise UsageError(WAYS)
    with opened(options, read_only=answer != TAKE) as (found, settings):
        inbox = Inbox.at(found.place, settings.state, found.id)
        if answer == LIST:
            return _list(inbox, options)
        proposal = inbox.called(rest[0].removesuffix(":"))
        if answer == TAKE:
            return _take(inbox, proposal, scribe_for(options, found, settings), options)
        return _refuse(inbox, proposal, " ".join(rest[1:]), options)


def _list(inbox: Inbox, options: Options) -> int:
    waiting = inbox.waiting()
    if options.json:
        _say(waiting)
        return DONE
    for proposal in waiting:
        why = f"  ({proposal.why})" if proposal.why else ""
        line = f"{proposal.handle}  {proposal.who}: {proposal.shown}{why}"
        write_fitted([line], sys.stdout, " " * (HANDLE + 2))
    if not waiting:
        sys.stdout.write("Nothing waits.\n")
    return DONE


class Taken(NamedTuple):
    """Proposal that was taken, the scribe that recorded its line, and the outcome."""

    proposal: Proposal
    scribe: Scribe
    outcome: Outcome


def take_proposal(inbox: Inbox, proposal: Proposal, scribe: Scribe) -> Taken:
    """Records a waiting proposal in its player's name, on the branch the player plays.

    `scribe` writes to the game master's branch. Raises Refused if the proposal no longer waits; also if the
    rules refuse its line, and then it keeps waiting.
    """
    from retold.player_lines import record_for_player, scribe_for, sentences_for

    outcomes: list[Outcome] = []
    theirs = scribe_for(scribe, proposal.by)

    def record(waits: Proposal) -> tuple[str, ...]:
        outcomes.append(record_for_player(theirs, waits.line, waits.by, waits.act))
        return sentences_for(theirs, outcomes[0], waits.by)

    taken = inbox.take(proposal.id, record)
    return Taken(taken, theirs, outcomes[0])


def _take(inbox: Inbox, proposal: Proposal, scribe: Scribe, options: Options) -> int:
    from retold.cli.verbs.record import print_outcome

    taken = take_proposal(inbox, proposal, scribe)
    if options.json:
        _say([taken.proposal])
    else:
        print_outcome(taken.scribe, taken.outcome, options)
    return DONE


def _refuse(inbox: Inbox, proposal: Proposal, why: str, options: Options) -> int:
    refused = inbox.settle(proposal.id, "refused", why)
    if options.json:
        _say([refused])
    else:
        sys.stdout.write(f"{safe.line(refused.refusal)}\n")
    return DONE


def _say(proposals: Iterable[Proposal]) -> None:
    found = [{"handle": proposal.handle, **proposal.as_seen_by("gm")} for proposal in proposals]
    write_json({"retold": "proposals", "version": 1, "proposals": found})
