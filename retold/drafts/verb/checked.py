"""A draft or a file held against the record: `draft check [DRAFT|FILE]`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from retold.cli.campaigns.opening import line_meant
from retold.cli.invocation import DONE
from retold.cli.output.printing import write_json
from retold.drafts import files
from retold.drafts.checking import Checked, Checker, Verdict, vouched
from retold.drafts.naming import find_draft
from retold.drafts.showing import SeenDraft
from retold.drafts.standing import Standing, reader_of
from retold.drafts.verb.exchange import read_file
from retold.drafts.verb.output import count, entry
from retold.drafts.verb.session import Session
from retold.projections.reading import LineView

_SAID: Final = {
    Verdict.TOLD: "told",
    Verdict.KNOWN: "known",
    Verdict.NOT_IN_RECORD: "not in the record",
    Verdict.AGAINST: "against the record",
    Verdict.NOT_FOR_READER: "not for this reader",
    Verdict.CANNOT_TELL: "cannot tell",
    Verdict.HERS: "hers",
}


class _Found(NamedTuple):
    """Sentence that was checked: the id of its block or the number of its paragraph, and its number there."""

    place: int
    number: int
    checked: Checked


def check(session: Session) -> int:
    """Prints each sentence of a draft or a file with what the record says of it."""
    asked = session.asked
    word = asked.words[0] if asked.words else None
    if (
        word is not None
        and asked.draft is None
        and find_draft(session.campaign, word.partition("@")[0]) is None
    ):
        reading = LineView(session.campaign, line_meant(session.campaign, session.settings, session.options))
        reading = reading.called(asked.viewer or "table")
        what, found = word, [*_of_file(word, reading)]
    else:
        standing = session.standing(session.meant(*asked.words))
        reading = LineView(session.campaign, standing.here.line)
        if asked.viewer is None:
            reader = standing.draft.scope.reader
            reading = reading.through(reader_of(session.campaign, standing.here.line, reader))
        else:
            reading = reading.called(asked.viewer)
        what, found = (
            f"{standing.draft.name}, revision {standing.revision.number}",
            [*_of_draft(standing, reading)],
        )
    person = reading.viewer.person
    whose = "gm" if reading.viewer.gm else "table" if person is None else reading.table.name(person)
    if session.options.json:
        write_json(
            {"retold": "draft check", "version": 1, "viewer": whose, "sentences": [*map(_as_json, found)]}
        )
        return DONE
    counts = Counter(one.checked.verdict for one in found)
    summary = ", ".join(f"{counts[verdict]} {said}" for verdict, said in _SAID.items() if counts[verdict])
    session.say(f"{what}, for {whose}: {count(len(found), 'sentence')}: {summary or 'nothing to check'}.")
    for place, number, checked in found:
        events = f" ({', '.join(checked.events)})" if checked.events else ""
        entry(f"{place}.{number}", f"{_SAID[checked.verdict]}{events}: {checked.text}")
        if checked.why:
            entry("", checked.why)
    return DONE


def _of_file(name: str, reading: LineView) -> Iterator[_Found]:
    paragraphs = files.read(name, read_file(name)).under("")
    checker = Checker(reading)
    for place, paragraph in enumerate(paragraphs, 1):
        found = _checked(checker, paragraph.sort, paragraph.text)
        yield from (_Found(place, *one) for one in enumerate(found, 1))


def _checked(checker: Checker, sort: str, text: str) -> Iterable[Checked]:
    if sort == "heading":
        return (checker.heading(text),)
    return () if sort == "break" else checker.paragraph(text)


def _of_draft(standing: Standing, reading: LineView) -> Iterator[_Found]:
    """Yields the sentences of a draft; a block with the record's words tells its events."""
    checker, seen = Checker(reading), SeenDraft(standing, reading)
    for current in standing.blocks:
        block = current.block
        if block.edited or not current.events or block.sort == "break":
            found = [*vouched(block, _checked(checker, block.sort, current.text))]
        elif seen.knows_all(block):
            found = [Checked(current.text, Verdict.TOLD, tuple(map(str, current.events)))]
        else:
            found = [Checked(current.text, Verdict.NOT_FOR_READER, why="it tells what only others may know")]
        yield from (_Found(block.id, *one) for one in enumerate(found, 1))


def _as_json(found: _Found) -> dict[str, object]:
    checked = found.checked
    return {
        "place": found.place,
        "sentence": found.number,
        "text": checked.text,
        "verdict": checked.verdict,
        "events": list(checked.events),
        "why": checked.why,
    }
