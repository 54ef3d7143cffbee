"""Revisions of drafts: listed, compared, gone back to, and published."""

from __future__ import annotations

import sys
from datetime import datetime

from retold.cli.invocation import DONE
from retold.cli.output.printing import write_json
from retold.cli.output.writing_files import output_meant, write_bytes, written_to
from retold.drafts import files
from retold.drafts.changes import BlockChange, Step, block_changes, change_summary, with_marks
from retold.drafts.making import manuscript
from retold.drafts.naming import writer_named
from retold.drafts.unopened import NotInIt, unopened
from retold.drafts.verb.chosen import sentences_about
from retold.drafts.verb.output import count, entry
from retold.drafts.verb.session import Session, as_json
from retold.journal.grouping import grouped
from retold.journal.refused import Refused
from retold.journal.store.events.acts import Manner
from retold.journal.store.writing.drafts import Draft
from retold.projections.reading import LineView
from retold.projections.reading.viewers import EVERYBODY
from retold.projections.texts import safe


def list_drafts(session: Session) -> int:
    """Prints every draft: `draft`."""
    drafts = [session.campaign.drafts.read(number) for number in session.campaign.drafts.names()]
    if session.options.json:
        write_json({"retold": "drafts", "version": 1, "drafts": [_about(session, draft) for draft in drafts]})
        return DONE
    for draft in drafts:
        published = draft.published
        shown = (
            ""
            if published is None
            else ", published" + ("" if published.revision is None else f" at {published.revision}")
        )
        about = _about(session, draft)
        session.say(
            f"{draft.name}: revision {draft.latest.number}, {count(len(draft.latest.shown), 'block')},"
            f" events {about['first']} to {about['last']} in {draft.scope.voice} for {about['for']}{shown}"
        )
    if not drafts:
        session.say("There is no draft yet: retold draft new NAME begins one.")
    return DONE


def _about(session: Session, draft: Draft) -> dict[str, object]:
    table = LineView(session.campaign, draft.scope.line).table
    reader = draft.scope.reader
    published = draft.published
    return {
        "draft": draft.name,
        "revision": draft.latest.number,
        "line": draft.scope.line,
        "first": draft.scope.first,
        "last": draft.scope.last,
        "voice": draft.scope.voice,
        "lang": draft.scope.lang,
        "for": table.name(reader) if isinstance(reader, int) else reader,
        "published": published is not None,
        "published_revision": None if published is None else published.revision,
    }


def log(session: Session) -> int:
    """Prints every revision of a draft: `draft log [NAME]`."""
    draft = session.meant(*session.asked.words).draft
    sent = grouped((sending.revision, sending.format) for sending in draft.sent)
    if session.options.json:
        revisions = [
            {
                "revision": revision.number,
                "at": revision.at,
                "blocks": len(revision.shown),
                "after": revision.after,
                "joins": revision.joins,
                "restores": revision.restores,
                "writer": revision.writer,
                "sent": sent.get(revision.number, []),
            }
            for revision in draft.revisions
        ]
        write_json({"retold": "draft log", "version": 1, "draft": draft.name, "revisions": revisions})
        return DONE
    for revision in draft.revisions:
        what = change_summary(draft, revision)
        by = f"; by {revision.writer}" if revision.writer else ""
        also = f"; sent as {', '.join(sent[revision.number])}" if revision.number in sent else ""
        session.say(f"{revision.number:>4}  {revision.at[:16].replace('T', ' ')}  {what}{by}{also}")
    return DONE


def diff(session: Session) -> int:
    """Prints the blocks that differ between two revisions, or writes them as DOCX: `draft diff 1 2`."""
    asked = session.asked
    draft = session.meant().draft
    numbers = [_number(word) for word in asked.words] or [draft.latest.number - 1]
    if numbers == [0] and not asked.words:
        raise Refused(f"The draft {draft.name} has one revision, so there is nothing to compare.")
    before, after = (
        draft.revision(numbers[0]),
        draft.revision(numbers[1] if numbers[1:] else draft.latest.number),
    )
    path = output_meant(asked.output)
    if path is not None:
        if path.suffix.casefold() != ".docx":
            raise Refused(
                "A comparison is written as DOCX with tracked changes: name a file with -o FILE.docx."
            )
        was, now = (manuscript(session.campaign, draft, revision) for revision in (before, after))
        data = files.changes(was, now, after.writer or "Retold", datetime.fromisoformat(after.at))
        write_bytes(data, path, force="force" in asked.only)
        written_to(path)
        return DONE
    changes = block_changes(before, after)
    if session.options.json:
        found = [
            {"block": change.id, "step": change.step, "was": change.was, "now": change.now}
            for change in changes
        ]
        write_json(
            {
                "retold": "draft diff",
                "version": 1,
                "draft": draft.name,
                "one": before.number,
                "other": after.number,
                "blocks": found,
            }
        )
        return DONE
    for change in changes:
        entry(str(change.id), f"{change.step}: {_worded(change, by_words='words' in asked.only)}")
    if not changes:
        session.say(f"Revisions {before.number} and {after.number} have the same text.")
    return DONE


def _worded(change: BlockChange, *, by_words: bool) -> str:
    gone = "(redacted)"
    if change.step is not Step.EDITED:
        return (change.was if change.now is None else change.now) or gone
    was, now = change.was or gone, change.now or gone
    return with_marks(was, now) if by_words else f"{was}\n→ {now}"


def _number(word: str) -> int:
    if not word.isdecimal() or len(word) > 9:  # noqa: PLR2004 -- digits of any number that is stored
        raise Refused(f"{word} is not a revision: say its number, as retold draft log has it.")
    return int(word)


def restore(which: str, session: Session) -> int:
    """Restores the previous revision, or the one that was undone: `draft undo`, `draft redo`."""
    draft = session.meant(*session.asked.words).draft
    number = draft.before_latest if which == "undo" else draft.undone_last
    if number is None:
        raise Refused(f"There is nothing to {which} in the draft {draft.name}.")
    with session.campaign.record.writing():
        after = session.campaign.drafts.restore(draft, number, Manner(), session.writer)
    session.say(
        f"The draft {draft.name} is as in revision {number} again, as revision {after.latest.number}."
    )
    return as_json(session, after)


def show_at(session: Session) -> int:
    """Prints the text of a revision: `draft at 1`."""
    draft = session.meant().draft
    revision = draft.revision(_number(session.asked.words[0]))
    data = files.write("markdown", manuscript(session.campaign, draft, revision))
    sys.stdout.write(safe.text(data.decode()))
    return DONE


def by_whom(session: Session) -> int:
    """Keeps the name under which this user writes, or prints it: `draft by [NAME]`."""
    campaign, settings = session.campaign.id, session.settings
    if session.asked.words:
        name = writer_named(session.asked.words[0])
        if not settings.keep_writer(campaign, name):
            return 1
    name = settings.writer(campaign)
    if session.options.json:
        write_json({"retold": "draft by", "version": 1, "writer": name})
    elif name is None:
        session.say("What you write in drafts has no name: retold draft by NAME gives it one.")
    else:
        session.say(
            f"What you write in drafts of this campaign is by {name}: draft log says so, and no export does."
        )
    return DONE


def publish(session: Session) -> int:
    """Makes a draft what exports show by default: `draft publish [NAME]`."""
    campaign, meant = session.campaign, session.meant(*session.asked.words)
    with campaign.record.writing():
        draft = campaign.drafts.publish(meant.draft, meant.revision, Manner())
    which = "its latest revision" if meant.revision is None else f"its revision {meant.revision}"
    session.say(f"Exports of this part show the draft {draft.name} from now on, {which}.")
    revision = draft.revision(meant.number)
    if missing := tuple(unopened(revision.shown, EVERYBODY)):
        for sentence in sentences_about(campaign, [NotInIt(meant._replace(draft=draft), missing)], "table"):
            session.say(sentence)
    return as_json(session, draft)


def withdraw(session: Session) -> int:
    """Takes a publication back: `draft withdraw [NAME]`."""
    draft = session.meant(*session.asked.words).draft
    if draft.published is None:
        raise Refused(f"The draft {draft.name} is not published.")
    with session.campaign.record.writing():
        draft = session.campaign.drafts.withdraw(draft, Manner())
    session.say(f"Exports show the record's words again, not the draft {draft.name}.")
    return as_json(session, draft)
