"""The `mcp` verb: serves campaigns to an assistant over standard input and output."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from hashlib import sha256
from typing import Annotated, Any

import typer

from retold import Address, Arrival, Campaign
from retold.cli import app as o
from retold.cli.campaigns.asking import open_for_program
from retold.cli.campaigns.inbox import Inbox, Proposal, now
from retold.cli.campaigns.settings import Settings
from retold.cli.invocation import UsageError
from retold.cli.verbs.voices import draft_voice
from retold.mcp.protocol.tools import LIBRARY, Opened


def command(
    ctx: typer.Context,
    campaigns: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[CAMPAIGN]...", help="Which; the one here if none is named.", show_default=False
        ),
    ] = None,
    viewer: o.For = "table",
    propose: Annotated[
        bool,
        typer.Option("--propose", help="It may hand in lines for NAME, or revise drafts for gm."),
    ] = False,
) -> None:
    """Let an assistant read a campaign as one viewer may know it, over the Model Context Protocol.

    The assistant's program starts and ends it: see docs/assistant.md. It never writes to the record.

    Examples: retold mcp salt-road · retold mcp salt-road --for gm --propose
    """
    if propose and viewer == "table":
        raise UsageError("--propose goes with --for NAME, for lines, or with --for gm, for drafts.")
    LIBRARY.load("retold mcp")
    from retold.mcp.protocol.server import run

    settings = Settings.of_user()
    named: list[str | None] = [*(campaigns or ())] or [o.merged(ctx, None, None).campaign]
    places = {place.stem: place for place in map(settings.campaign, named)}
    if len(places) < len(named):
        raise UsageError("Two of these campaigns have the same name: start a server for each.")
    with ExitStack() as stack:
        opened = {name: _opened(place, settings, viewer, propose=propose) for name, place in places.items()}
        for one in opened.values():
            stack.enter_context(one.campaign)
        run(opened)


def _opened(place: Address, settings: Settings, viewer: str, *, propose: bool) -> Opened:
    """Opens a campaign for a viewer; Refused if there is no such person."""
    campaign = open_for_program(place, settings, read_only=not propose)
    meant = campaign.lasting(viewer)
    opened = Opened(place.stem, campaign, meant, campaign.catch_up)
    if meant == "gm" and hasattr(campaign, "draft"):
        voice_of = partial(draft_voice, settings)
        opened.draft = partial(campaign.draft, voice_of=voice_of)
        if propose:
            opened.revise = partial(campaign.revise_draft, voice_of=voice_of)
    elif propose:
        inbox = Inbox.at(place, settings.state, campaign.id)
        opened.hand_in = partial(_hand_in, campaign, inbox, meant)
    return opened


def _hand_in(
    campaign: Campaign, inbox: Inbox, viewer: str | Arrival, line: str, assistant: str
) -> dict[str, Any]:
    """Keeps a line as a proposal that waits; returns it with what it would come to.

    The same line again, before anything else is recorded, is the same proposal. A line that only asks is
    answered.
    """
    campaign.catch_up()
    outcome = campaign.check(line, by=viewer)
    would = campaign.sentences(outcome, by=viewer)
    if outcome.said and not outcome.would:
        return {"said": list(outcome.said)}
    id_ = sha256(f"{viewer}\0{campaign.position}\0{line}".encode()).hexdigest()[:32]
    who = f"{campaign.seen_by(viewer).called}, through {assistant}"
    face = " ".join(would) if outcome.sealed else None
    proposal = inbox.hand_in(Proposal(id_, who, line, now(), arrival=str(viewer), face=face))
    return {"proposal": proposal.as_seen_by(viewer), "would": list(would)}
