"""Drafts begun, sent in a file, and taken back from one."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, Literal

from retold.cli.campaigns.asking import asker, can_be_asked, consulter
from retold.cli.campaigns.opening import line_meant
from retold.cli.invocation import DONE, Options
from retold.cli.output.printing import write_json
from retold.cli.output.writing_files import output_meant, write_bytes, written_to
from retold.cli.verbs.voices import draft_language
from retold.drafts import files
from retold.drafts.changes import with_marks
from retold.drafts.making import begin, follow, manuscript, part_of
from retold.drafts.returning import Doubt, Returning, Taking, read_back, sent_blocks
from retold.drafts.showing import is_for_the_game_master
from retold.drafts.standing import latest, reader_for
from retold.drafts.unopened import is_new, tells_only_open_events
from retold.drafts.verb.output import count, note
from retold.drafts.verb.session import Session, as_json
from retold.journal.file_reading import read_regular_file
from retold.journal.refused import Refused
from retold.journal.shell_words import shell_line
from retold.journal.store.events.acts import Manner
from retold.journal.store.writing.drafts import Draft, Scope
from retold.projections.prose import speaking
from retold.projections.reading import LineView
from retold.projections.texts import safe

LARGEST_FILE: Final = files.MOST_PACKED + 1
"""Bytes of a file that are read; its reader refuses a file of that size."""
_TAKEN_ALREADY: Final = "All of it is in the draft already, so nothing is recorded."


def new(session: Session) -> int:
    """Begins a draft: `draft new NAME [PART]`."""
    campaign, asked = session.campaign, session.asked
    name, *part = asked.words
    line = line_meant(campaign, session.settings, session.options)
    reading = LineView(campaign, line)
    first, last = part_of(reading, part[0] if part else None)
    voice = asked.voice or "prose"
    lang = draft_language(session.settings, voice, asked.lang)
    reader = reader_for(reading.called(asked.viewer or "table").viewer)
    scope = Scope(line, first, last, voice, reader, lang)
    draft = begin(campaign, name, scope, session.voice(scope), session.writer)
    told = len(draft.latest.blocks)
    session.say(f"The draft {draft.name} has {count(told, 'block')}. Next: retold {_sending(session, draft)}")
    return as_json(session, draft)


def _sending(session: Session, draft: Draft) -> str:
    """Returns the command that sends a draft, as it is typed; with its name if there are several drafts."""
    options = ["-o", f"{draft.name.replace('/', '-')}.docx"]
    if len(session.campaign.drafts.names()) > 1:
        options += ["--draft", draft.name]
    return shell_line(["draft", "send", *options])


def send(session: Session) -> int:
    """Writes a revision into a file, and records that it was sent: `draft send [NAME]`."""
    campaign, asked = session.campaign, session.asked
    path = output_meant(asked.output)
    format_ = _format(asked.format, path)
    if path is None and format_ == "docx" and sys.stdout.isatty():
        raise Refused("A terminal cannot show docx: name a file with -o FILE.docx.")
    meant = session.meant(*asked.words)
    with campaign.record.writing():
        draft = meant.draft
        if meant.revision is None:
            draft = follow(session.standing(meant), Manner())
        revision = draft.latest if meant.revision is None else draft.revision(meant.revision)
        copy = manuscript(campaign, draft, revision)
        if meant.revision is None:  # an older one can be sent without its voice at hand
            words = LineView(campaign, draft.scope.line).language
            copy = replace(copy, lang=speaking(session.voice(draft.scope), words).page_lang)
        data = files.write(format_, copy, ids="ids" in asked.only)
        known = {(sending.revision, sending.format) for sending in draft.sent}
        is_unfinished = (revision.number, format_) not in known and _has(path, data)
        campaign.drafts.note_sent(draft, revision.number, format_, Manner())
        if not is_unfinished:  # last: if it is refused, nothing is recorded
            write_bytes(data, path, force="force" in asked.only)
    if is_unfinished:
        note("The file was there already, whole, from a send that was stopped: it is recorded as sent now.")
    else:
        written_to(path)
    hidden = sum(is_for_the_game_master(block) for block in revision.shown)
    secret = f"; {count(hidden, 'block')} in it for the game master alone" if hidden else ""
    note(f"Revision {revision.number} of the draft {draft.name}{secret}.")
    return DONE


def _has(path: Path | None, data: bytes) -> bool:
    """True if a file has exactly these bytes."""
    try:
        return path is not None and path.is_file() and path.read_bytes() == data
    except OSError:
        return False


def _format(named: str | None, path: Path | None) -> str:
    short = {"md": "markdown", "txt": "text", "htm": "html"}
    by_suffix = {suffix: name for name, suffix in files.FORMATS.items()}
    if named is None:
        suffix = "" if path is None else path.suffix.casefold()
        named = "markdown" if path is None else by_suffix.get(suffix, suffix.removeprefix("."))
    chosen = short.get(named.casefold(), named.casefold())
    if chosen not in files.FORMATS:
        raise Refused(
            f"A draft is not sent as {chosen or 'a file without an ending'}: say -f"
            f" {', '.join(files.FORMATS)}."
        )
    return chosen


def take(session: Session) -> int:
    """Takes a file back: says what changed, asks, and records the next revision: `draft take FILE`."""
    campaign, asked = session.campaign, session.asked
    (name,) = asked.words
    taking = read_back(campaign, files.read(name, read_file(name)), session.voice, asked.draft)
    if session.options.yes:
        taking = taking.without_unlike()
    if asked.by is not None:
        taking = taking.signed(session.writer)
    draft = taking.draft
    for sentence in taking.left_out:
        note(sentence)
    writer = taking.author or session.writer
    by = f", by {writer}" if writer else ""
    remarks = sum(len(paragraph.remarks) for paragraph in taking.came)
    also = f"; {count(remarks, 'remark')}" if remarks else ""
    session.say(f"{draft.name}, from revision {taking.base.number}{by}: {taking.alignment.summary()}{also}.")
    if taking.is_from_before_redaction and not taking.changes_nothing:
        note(f"Words of revision {taking.base.number} are redacted by now: what is new may be those words.")
    if "check" in asked.only:
        return _check_taken(session, taking)
    if taking.changes_nothing:
        session.say("Nothing changed, so nothing is recorded.")
        return as_json(session, draft)
    _allow_another_text(session, taking)
    _allow_redacted_words(session, taking, writer)
    taking = _answered(taking, session.options)
    if campaign.drafts.has_taken(draft, taking.base.number, taking.blocks(writer)):
        session.say(_TAKEN_ALREADY)
        return as_json(session, draft)
    new_for = _readers_of_new(session, taking)
    ask = asker(session.options)
    if not ask("Shall it be the next revision?"):
        raise Refused("Nothing is taken.")
    with campaign.record.writing():
        blocks = taking.blocks(writer, new_for)
        after = campaign.drafts.take(draft, taking.base.number, blocks, Manner(), writer, again=True)
    _say_taken(session, draft, after)
    return as_json(session, after)


def _allow_another_text(session: Session, taking: Taking) -> None:
    """Asks about a file that may be another text; with --yes that takes --rewritten. Refused if it is not."""
    if not taking.may_be_another_text or "rewritten" in session.asked.only:
        return
    about = _another_text(taking)
    if session.options.yes or not can_be_asked(session.options):
        raise Refused(f"{about} Nothing is changed: --rewritten takes it all the same.")
    if not asker(session.options)(f"{about}\nShall it take the place of the draft?"):
        raise Refused("Nothing is taken.")


def _another_text(taking: Taking) -> str:
    sent = count(len(sent_blocks(taking.base)), "block")
    return (
        f"Of {sent} of the draft {taking.draft.name}, {taking.missing} are missing from the file;"
        f" new in it: {taking.foreign} of {count(len(taking.came), 'paragraph')}. It may be another text."
    )


def _allow_redacted_words(session: Session, taking: Taking, writer: str | None) -> None:
    """Asks about paragraphs that may say what was redacted; with --yes that takes --again.

    Raises Refused if they are not to be taken. Only a question at the terminal has the words.
    """
    returning = () if "again" in session.asked.only else taking.returning(writer)
    if not returning:
        return
    if session.options.yes or not can_be_asked(session.options):
        raise Refused(
            f"{_returning_words(returning)} Nothing is changed: take them out of the file, or say --again."
        )
    said = [f"Paragraph {each.paragraph} says: {each.words}" for each in returning if each.words is not None]
    question = f"{_returning_words(returning)} Shall they be recorded again, for the game master alone?"
    if not asker(session.options)("\n".join((*said, question))):
        raise Refused("Nothing is taken.")


def _returning_words(returning: Sequence[Returning]) -> str:
    numbers = [str(each.paragraph) for each in returning]
    which = f"Paragraph {numbers[0]}" if len(numbers) == 1 else f"Paragraphs {', '.join(numbers)}"
    return f"{which} of the file may say what was redacted."


def _readers_of_new(session: Session, taking: Taking) -> Literal["table"] | None:
    """Returns who may read the new paragraphs of a file, as the user says; None for the game master alone.

    Without an answer it is the table, if the draft is the table's copy and nothing of its part is hidden.
    """
    known = {block.id for block in taking.base.blocks}
    new = sum(is_new(block) and block.id not in known for block in taking.blocks())
    if not new:
        return None
    usual = "table" if tells_only_open_events(session.campaign, taking.draft) else "gm"
    which = "the new paragraph" if new == 1 else f"the {new} new paragraphs"
    answer = consulter(session.options)(f"Who may read {which}, table or gm? [{usual}]")
    said = usual if answer is None or not answer.strip() else answer.strip().casefold()
    if said not in ("table", "gm"):
        raise Refused(f"New paragraphs are for table or gm, not {said}: nothing is taken.")
    return "table" if said == "table" else None


def _check_taken(session: Session, taking: Taking) -> int:
    """Prints what would become of each block."""
    if taking.may_be_another_text:
        session.say(f"{_another_text(taking)} draft take wants --rewritten.")
    if returning := taking.returning():
        session.say(f"{_returning_words(returning)} draft take wants --again.")
    for run in taking.doubt_runs:
        if len(run) == 1:
            session.say(f"Perhaps rewritten, block {run[0].block}: {with_marks(run[0].was, run[0].now)}")
        else:
            session.say(f"Perhaps translated: {_run_of(run)}")
    session.say("(Checked; nothing was recorded.)")
    if session.options.json:
        sent = sent_blocks(taking.base)
        results = [
            {
                "change": result.change,
                "blocks": [sent[block].id for block in result.sent],
                "paragraphs": [taking.came[paragraph].text for paragraph in result.came],
                "moved": result.moved,
                "doubtful": result.doubtful,
            }
            for result in taking.alignment.results
        ]
        write_json(
            {
                "retold": "draft take",
                "version": 1,
                "draft": taking.draft.name,
                "revision": taking.base.number,
                "results": results,
            }
        )
    return DONE


def read_file(name: str) -> bytes:
    """Returns the bytes of a file, or of standard input for `-`; Refused if it cannot be read."""
    try:
        return (
            sys.stdin.buffer.read(LARGEST_FILE)
            if name == "-"
            else read_regular_file(Path(name), LARGEST_FILE)
        )
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise Refused(f"{safe.line(name)} cannot be read: {why}.") from None


def _answered(taking: Taking, options: Options) -> Taking:
    """Returns the file with the user's answers about edits that are guessed from their place."""
    ask = asker(options)
    denied: list[Doubt] = []
    for run in taking.doubt_runs:
        first = f"Block {run[0].block} was: {run[0].was}\nIn its place: {run[0].now}\n"
        if len(run) == 1:
            question = f"{first}Is that the block, rewritten?"
        else:
            question = f"{first}Translated? {_run_of(run)} Are they these blocks?"
        if not ask(question):
            denied += run
    return taking.without(denied)


def _run_of(run: Sequence[Doubt]) -> str:
    """Returns a sentence about blocks with other words, of which only their places speak."""
    return (
        f"{count(len(run), 'paragraph')} with other words in the places of the blocks"
        f" {run[0].block} to {run[-1].block}."
    )


def _say_taken(session: Session, before: Draft, after: Draft) -> None:
    if after.latest.number == before.latest.number:
        session.say(_TAKEN_ALREADY)
        return
    standing = latest(session.campaign, after, session.voice(after.scope))
    session.say(f"Revision {after.latest.number} of the draft {after.name}.")
    for block, wordings in after.latest.other_wordings.items():
        others = ", ".join(str(wording.id) for wording in wordings)
        session.say(
            f"Two wordings of block {block}, the other is {others}: retold draft ok {block}, or ok {others}."
        )
    known = {block.id for block in before.latest.blocks}
    fresh = [block for block in after.latest.shown if block.id not in known and block.sort != "break"]
    closed = [str(block.id) for block in fresh if is_for_the_game_master(block)]
    if closed:
        session.say(f"For the game master alone until you say draft open --to: new {_blocks(closed)}.")
    if opened := [str(block.id) for block in fresh if block.see == "table" and not block.tells]:
        session.say(f"For the table, until you say draft open --to gm: new {_blocks(opened)}.")
    hidden = {block.id for block in before.latest.blocks if is_for_the_game_master(block)}
    if now := [
        str(block.id)
        for block in after.latest.shown
        if block.id in known - hidden and is_for_the_game_master(block)
    ]:
        session.say(f"For the game master alone until you say draft open --to: changed {_blocks(now)}.")
    if standing.stale:
        stale = [str(current.block.id) for current in standing.stale]
        session.say(f"The record changed under {_blocks(stale)}: retold draft show --stale.")
    if standing.untold:
        session.say(
            f"Untold: {count(len(standing.untold), 'paragraph')} of the record: retold draft show --untold."
        )


def _blocks(ids: Sequence[str]) -> str:
    return f"block {ids[0]}" if len(ids) == 1 else f"blocks {', '.join(ids)}"
