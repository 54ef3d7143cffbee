"""The `draft` verb: a story made of the record, sent to an editor, taken back, and shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Final, NamedTuple

import typer

from retold.cli import app as o
from retold.cli.campaigns.opening import opened
from retold.cli.invocation import DONE, UsageError
from retold.cli.output.printing import write_json
from retold.drafts import files
from retold.drafts.choosing import Choice
from retold.drafts.doubtful import doubts_about
from retold.drafts.manuscript import BREAK
from retold.drafts.showing import SeenDraft
from retold.drafts.standing import Standing, reader_for
from retold.drafts.verb.checked import check as check_text
from retold.drafts.verb.exchange import new, send, take
from retold.drafts.verb.output import entry, facts, headline, note, print_block, print_untold
from retold.drafts.verb.revisions import by_whom, diff, list_drafts, log, publish, restore, show_at, withdraw
from retold.drafts.verb.session import Asked, Session, as_json
from retold.journal.grouping import grouped
from retold.journal.refused import Refused
from retold.journal.store.events.acts import Manner
from retold.journal.vocabulary.drafts import Block
from retold.projections.reading import LineView

WAYS: Final = (
    "draft new NAME [s1..s3]; draft send -o FILE; draft take FILE; draft check [FILE]; draft show;"
    " draft ok, take-new or cut ID; draft vouch ID.N; draft settle ID; draft open ID --to table;"
    " draft by NAME; draft log; draft diff 1 2; draft undo, redo; draft at 1; draft publish, withdraw"
)


def _way(what: str) -> str:
    """Returns the form of a command of `draft`; all forms for an unknown command."""
    return next((way for way in WAYS.split("; ") if what in re.findall("[a-z-]+", way)[1:]), WAYS)


def command(
    ctx: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[new|send|take|check|show …]",
            help=f"Alone it lists the drafts. {WAYS}.",
            show_default=False,
        ),
    ] = None,
    campaign: o.Campaign = None,
    branch: o.Branch = None,
    draft: Annotated[
        str | None,
        typer.Option(
            "--draft", metavar="NAME[@N]", help="Which draft, and which revision; else the only one."
        ),
    ] = None,
    voice: Annotated[
        str | None,
        typer.Option(metavar="NAME", rich_help_panel="With new", help="Who tells, as in export; else prose."),
    ] = None,
    lang: o.Lang = None,
    viewer: Annotated[
        str | None,
        typer.Option(
            "--for",
            metavar="gm|table|NAME",
            help="With new: whose copy, else the table's. With show or check: what they may read.",
        ),
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="table|gm|NAME",
            rich_help_panel="With open",
            help="Who may see the block.",
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="NAME",
            help="The writer, for draft log; otherwise the one that `draft by` or the file names.",
        ),
    ] = None,
    output: o.Output = None,
    format_: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            metavar="NAME",
            rich_help_panel="With send",
            help=f"{', '.join(files.FORMATS)}; else by the file.",
        ),
    ] = None,
    ids: Annotated[
        bool,
        typer.Option("--ids", rich_help_panel="With send", help="Mark each paragraph with its id."),
    ] = False,
    check: Annotated[
        bool,
        typer.Option(
            "--check",
            rich_help_panel="With take",
            help="Say what it would do, and record nothing.",
        ),
    ] = False,
    again: Annotated[
        bool,
        typer.Option(
            "--again",
            rich_help_panel="With take",
            help="Take paragraphs that may say what was redacted, for the gm.",
        ),
    ] = False,
    rewritten: Annotated[
        bool,
        typer.Option(
            "--rewritten",
            rich_help_panel="With take",
            help="Take a file although most of the draft is not in it.",
        ),
    ] = False,
    cut: Annotated[bool, typer.Option("--cut", rich_help_panel="With show", help="What was cut.")] = False,
    untold: Annotated[
        bool,
        typer.Option(
            "--untold",
            rich_help_panel="With show",
            help="What the record tells and the draft does not.",
        ),
    ] = False,
    stale: Annotated[
        bool,
        typer.Option(
            "--stale",
            rich_help_panel="With show",
            help="Edited blocks whose record changed since.",
        ),
    ] = False,
    doubts: Annotated[
        bool,
        typer.Option(
            "--doubts",
            rich_help_panel="With show",
            help="What an editor should look at, as in show doubts.",
        ),
    ] = False,
    words_: Annotated[
        bool, typer.Option("--words", rich_help_panel="With diff", help="Word by word.")
    ] = False,
    force: o.Force = False,
    json: o.Json = False,
) -> int:
    """Make a text of the record, have it edited elsewhere, take it back, and see what the record changed.

    The draft keeps what every paragraph tells. Unedited paragraphs follow the record; edited ones are kept,
    and listed as stale if the record changes. `draft check` holds any text against the record.

    Examples: retold draft new second s1 · retold draft send -o second.docx · retold draft take second.docx
    """
    options = o.merged(ctx, campaign, branch, json)
    given = {"ids": ids, "check": check, "cut": cut, "untold": untold, "stale": stale}
    given |= {"doubts": doubts, "words": words_, "force": force, "again": again, "rewritten": rewritten}
    what, *rest = words or ("list",)
    only = frozenset(name for name, is_set in given.items() if is_set)
    asked = Asked(tuple(rest), draft, voice, lang, viewer, to, by, output, format_, only)
    if what not in _ACTS:
        raise UsageError(f"draft does not know {what}. {WAYS}.")
    act = _ACTS[what]
    act.check(what, asked)
    with opened(options, read_only=not act.writes or (what == "take" and check)) as (found, settings):
        return act.carry_out(Session(found, settings, options, asked))


def _show(session: Session) -> int:
    asked = session.asked
    meant = session.meant(*asked.words)
    standing = session.standing(meant)
    chosen = asked.only & {"cut", "untold", "stale", "doubts"}
    if asked.viewer is not None:
        if chosen:
            raise UsageError(f"--for shows what they get to read: leave out --{min(chosen)}.")
        return _show_for(session, standing, asked.viewer)
    doubtful = doubts_about(standing) if "doubts" in asked.only else ()
    if session.options.json:
        document = facts(standing)
        if "doubts" in asked.only:
            document["doubts"] = [
                {
                    "block": doubt.block.block.id,
                    "event": str(doubt.event),
                    "text": doubt.text,
                    "why": doubt.why,
                }
                for doubt in doubtful
            ]
        write_json(document)
        return DONE
    session.say(headline(standing))
    if not chosen:
        _print_whole(standing)
    for current in standing.stale if "stale" in chosen else ():
        print_block(standing, current)
    if "untold" in chosen:
        print_untold(standing.untold)
    for block in standing.revision.cut if "cut" in chosen else ():
        entry(str(block.id), f"cut: {block.text.text or '(redacted)'}")
    for doubt in doubtful:
        entry(str(doubt.block.block.id), f"{doubt.event}: {doubt.text} ({doubt.why})")
    return DONE


def _print_whole(standing: Standing) -> None:
    """Prints every block, with untold words of the record where they belong."""
    offers = grouped((untold.after, untold) for untold in standing.untold)
    print_untold(offers.pop(None, ()))
    for current in standing.blocks:
        print_block(standing, current)
        print_untold(offers.pop(current.block.id, ()))
    for block in standing.redacted:
        entry(str(block.id), f"(redacted: retold draft take-new {block.id} takes what the record still has)")
        print_untold(offers.pop(block.id, ()))
    for left in offers.values():
        print_untold(left)


def _show_for(session: Session, standing: Standing, whose: str) -> int:
    """Prints a draft for a viewer, and its words that are secret from the viewer."""
    reading = LineView(session.campaign, standing.here.line).called(whose)
    seen = SeenDraft(standing, reading)
    if session.options.json:
        blocks = [
            {"id": block.id, "sort": block.sort, "text": block.text, "events": list(block.events)}
            for block in seen.blocks
        ]
        leaks = [{"block": leak.block, "words": leak.words} for leak in seen.leaks]
        write_json({"retold": "draft", "version": 1, "viewer": whose, "blocks": blocks, "gives_away": leaks})
        return DONE
    who = "the table" if reading.viewer.person is None else whose
    for leak in seen.leaks:
        note(
            f"Block {leak.block} says “{leak.words}”, which {who} may not know: no export for {who} shows"
            " this draft until that is reworded, or revealed."
        )
    for block in seen.blocks:
        entry(str(block.id), block.text or BREAK)
    return DONE


Chosen = Callable[[Choice, Asked], tuple[Block, ...]]


def _choose(chosen: Chosen, session: Session) -> int:
    meant = session.meant()
    if meant.revision is not None:
        raise Refused("Only the latest revision can be changed: leave out the number of the revision.")
    with session.campaign.record.writing():
        blocks = chosen(Choice(session.standing(meant)), session.asked)
        draft = session.campaign.drafts.revise(meant.draft, blocks, Manner(), session.writer)
    if draft.latest.number == meant.draft.latest.number:
        session.say("That is so already, so nothing is recorded.")
    else:
        session.say(f"Revision {draft.latest.number} of the draft {draft.name}.")
    return as_json(session, draft)


def _opens(choice: Choice, asked: Asked) -> tuple[Block, ...]:
    """Returns all blocks, with the named blocks opened to the people of --to."""
    reading = LineView(choice.standing.campaign, choice.standing.here.line)
    reader = reader_for(reading.called(asked.to or "").viewer)
    return choice.opens(asked.words, (reader,) if isinstance(reader, int) else reader)


class Act(NamedTuple):
    """Command of the verb `draft`: its function, how many words may follow, and its options."""

    carry_out: Callable[[Session], int]
    least: int
    most: int
    takes: frozenset[str]
    writes: bool = True

    def check(self, what: str, asked: Asked) -> None:
        """Raises UsageError for too few or too many words, and for an option of another word."""
        if not self.least <= len(asked.words) <= self.most:
            raise UsageError(f"draft {what} wants other words behind it: {_way(what)}.")
        values = {
            "voice": asked.voice,
            "lang": asked.lang,
            "for": asked.viewer,
            "to": asked.to,
            "by": asked.by,
            "output": asked.output,
        }
        given = {name for name, value in {**values, "format": asked.format}.items() if value is not None}
        foreign = sorted((given | asked.only) - self.takes)
        if foreign:
            raise UsageError(f"--{foreign[0]} is not for draft {what}. {WAYS}.")
        if what == "open" and asked.to is None:
            raise UsageError("Say for whom: draft open ID --to table, gm or a name.")


_MANY: Final = 1000


def _choosing(chosen: Chosen, *options: str) -> Act:
    """Returns the command that makes a choice about blocks."""
    return Act(partial(_choose, chosen), 1, _MANY, frozenset({"by", *options}))


_ACTS: Final[Mapping[str, Act]] = {
    "list": Act(list_drafts, 0, 0, frozenset(), writes=False),
    "new": Act(new, 1, 2, frozenset({"voice", "lang", "for", "by"})),
    "send": Act(send, 0, 1, frozenset({"output", "format", "ids", "force"})),
    "take": Act(take, 1, 1, frozenset({"check", "by", "again", "rewritten"})),
    "check": Act(check_text, 0, 1, frozenset({"for"}), writes=False),
    "show": Act(_show, 0, 1, frozenset({"cut", "untold", "stale", "doubts", "for"}), writes=False),
    "ok": _choosing(lambda choice, asked: choice.stands(asked.words)),
    "take-new": _choosing(lambda choice, asked: choice.takes_new(asked.words)),
    "cut": _choosing(lambda choice, asked: choice.cuts(asked.words)),
    "vouch": _choosing(lambda choice, asked: choice.vouches(asked.words)),
    "settle": _choosing(lambda choice, asked: choice.settles(asked.words)),
    "open": _choosing(_opens, "to"),
    "by": Act(by_whom, 0, 1, frozenset(), writes=False),
    "log": Act(log, 0, 1, frozenset(), writes=False),
    "diff": Act(diff, 0, 2, frozenset({"words", "output", "force"}), writes=False),
    "undo": Act(partial(restore, "undo"), 0, 1, frozenset({"by"})),
    "redo": Act(partial(restore, "redo"), 0, 1, frozenset({"by"})),
    "at": Act(show_at, 1, 1, frozenset(), writes=False),
    "publish": Act(publish, 0, 1, frozenset()),
    "withdraw": Act(withdraw, 0, 1, frozenset()),
}
