"""Resolves names of moments to positions: 412, s3, s3:42, @, @-3, ~3, e412, a mark, branch@412."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from retold.journal.language.writing import quote_name
from retold.journal.names import Ambiguous, matching, nearest, normalise
from retold.journal.refused import Refused
from retold.journal.store.contract.event_store import Row
from retold.journal.store.events import line_events
from retold.journal.store.events.amendments import read_amendments
from retold.journal.store.events.codec import decode, decode_event
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import events as e

_NUMBER = r"#?(\d{1,15})"
_PRINTED = r"(?a)e(?:(\d{1,9})-)?(\d{1,15})"
_SESSION = r"s(\d{1,6})(?::(\d{1,9}))?"
_BACK = r"(?:@-|~)(\d{1,9})"
SESSION_ALONE = r"(?:.*@)?s(\d{1,6})"
"""Pattern of a whole session, on this line or another: s3, branch@s3."""
_WORDS_FOR_LAST = frozenset({"last", "latest", "previous", "it", "that"})
_NOT_A_NAME = r"[#~@]?-?\d+|s\d+(:\d+)?|e(\d+-)?\d+|.*@.*|.*\.\..*"


class LinePosition(NamedTuple):
    """Event position on one branch, given by the branch's number."""

    line: int
    position: int


def find_place(campaign: CampaignStore, line: int, typed: str) -> LinePosition:
    """Resolves a moment's name, such as `@-3` or `branch@412`, seen from branch `line`.

    Raises Refused for an unknown moment, and for a position past the end of the branch.
    """
    branch, at, moment = typed.rpartition("@")
    if at and branch and not re.fullmatch(_BACK, "@" + moment):
        line = campaign.line_called(branch)
        return find_place(campaign, line, moment or "@")
    if at and branch:
        return find_place(campaign, campaign.line_called(branch), "@" + moment)
    printed = re.fullmatch(_PRINTED, typed)
    if printed is not None and normalise(typed) not in campaign.table_at(line).marks:
        return _find_printed(campaign, line, int(printed[1] or 1), int(printed[2]))
    return LinePosition(line, _position(campaign, line, typed))


def find_act(campaign: CampaignStore, line: int, typed: str) -> LinePosition:
    """Resolves a moment's name to an act, and returns the position of the act's last event.

    `@` is the last act of branch `line`, or of the branch named in the moment; `@-3` is the act three before
    it. Undone acts are not counted, nor acts about the branch itself (undo, reveal, redact, a branch made or
    promoted); a mark on one of these means the last other act before it. An event's number is returned as
    that event's own position, even within an act.
    """
    place = find_place(campaign, line, typed)
    if is_number(typed):
        return place
    stands = read_amendments(campaign.record, place.line)
    before = line_events.acts_backwards(campaign.record, place.line, place.position + 1, stands)
    told = next((act for act in before if not act.managing), None)
    return place if told is None else LinePosition(place.line, told.last)


def is_number(typed: str) -> bool:
    """True for a moment named by number, `412`, `s3`, `s3:42` or `e412`, also on a branch (`branch@412`)."""
    return (
        re.fullmatch(f"(?:.*@)?(?:{_NUMBER}|{_SESSION}|{_PRINTED.removeprefix('(?a)')})", typed) is not None
    )


def renumbered(campaign: CampaignStore, line: int, typed: str) -> LinePosition | None:
    """Returns the current position of an event that a `fix` or `retcon` moved to a new branch.

    `typed` is its number before that change. None if the event did not move, and from the next session on,
    when numbers are read off the new branch.
    """
    number = re.fullmatch(_NUMBER, typed)
    forked = next((row for row in campaign.record.forks() if row.line == line), None)
    if number is None or forked is None:
        return None
    position, event = int(number[1]), decode_event(forked)[0]
    if not isinstance(event, e.Forked) or position <= event.at:
        return None
    if campaign.table_at(line).sessions > campaign.table_at(event.parent).sessions:
        return None
    was, now = campaign.record.row(event.parent, position), campaign.record.row(line, position)
    if was is None or _act_and_index(was) == (None if now is None else _act_and_index(now)):
        return None
    own = campaign.record.rows(line, event.at)
    return next(
        (LinePosition(line, row.position) for row in own if _act_and_index(row) == _act_and_index(was)), None
    )


def _act_and_index(row: Row) -> tuple[str, int]:
    """Returns the id of a row's act and its index in the act.

    A `fix` that records the act again keeps both.
    """
    envelope = decode(row).envelope
    return envelope.act, envelope.i


def reads_as_moment(name: str) -> bool:
    """True if a branch name could be taken for a moment (s3), a place on a branch (a@b) or a range (a..b)."""
    return re.fullmatch(_NOT_A_NAME, name) is not None


def find_range(campaign: CampaignStore, line: int, typed: str) -> tuple[LinePosition, LinePosition]:
    """Returns the first and last position of a range `A..B`; an omitted end is that of the branch.

    A session alone (`s3`) gives its whole range; another moment alone is both ends. Raises Refused for a
    range across branches, or backwards.
    """
    first, dots, last = typed.partition("..")
    if not dots:
        place = find_place(campaign, line, typed)
        session = re.fullmatch(SESSION_ALONE, typed)
        ends = _end_of_session(campaign, place, int(session[1])) if session else place.position
        return place, LinePosition(place.line, ends)
    start = find_place(campaign, line, first) if first else LinePosition(line, 1)
    end = find_place(campaign, start.line, last or "@")
    if end.line != start.line:
        raise Refused(f"{typed} goes from one line to another: a range lies on one.")
    if end.position < start.position:
        raise Refused(f"{typed} runs backwards: {end.position} comes before {start.position}.")
    return start, end


def _position(campaign: CampaignStore, line: int, typed: str) -> int:
    head = campaign.record.head(line).position
    if typed == "@":
        return head
    if number := re.fullmatch(_NUMBER, typed):
        return _check_position(int(number[1]), head)
    if back := re.fullmatch(_BACK, typed):
        return _acts_back(campaign, line, int(back[1]))
    if session := re.fullmatch(_SESSION, typed):
        return _in_session(campaign, line, int(session[1]), session[2])
    own = campaign.table_at(line).marks
    marks = own if normalise(typed) in own else _marks_known_on(campaign, line)
    if normalise(typed) in marks:
        return marks[normalise(typed)]
    if found := matching(typed, {mark: (mark,) for mark in marks}):
        if found[1:]:
            raise Ambiguous(typed, [mark.replace(" ", "-") for mark in found])
        return marks[found[0]]
    elsewhere = [
        quote_name(f"{name}@{normalise(typed).replace(' ', '-')}")
        for number, name in campaign.lines().items()
        if normalise(typed) in campaign.table_at(number).marks
    ]
    close = [mark.replace(" ", "-") for mark in nearest(typed, marks)]
    hint = f"Did you mean {' or '.join(close)}?" if close else FORMS
    if normalise(typed) in _WORDS_FOR_LAST:
        hint = "The last one is @, the one before it @-1."
    refusal = Refused(f"There is no moment “{typed}”. {hint}")
    if elsewhere:  # players know of no other line
        refusal, plain = Refused(f"“{typed}” is marked on another line: {' or '.join(elsewhere)}."), refusal
        refusal.for_players = plain.sentence
    raise refusal


def _marks_known_on(campaign: CampaignStore, line: int) -> dict[str, int]:
    """Returns the positions of a line's own marks, and of those its parents have at or before the fork."""
    marks = dict(campaign.table_at(line).marks)
    forks = {row.line: decode_event(row)[0] for row in campaign.record.forks()}
    upto = campaign.record.head(line).position
    while isinstance(fork := forks.get(line), e.Forked):
        line, upto = fork.parent, min(upto, fork.at)
        there = {mark: at for mark, at in campaign.table_at(line).marks.items() if at <= upto}
        marks = {**there, **marks}
    return marks


FORMS = "Write 412, s3, s3:42, @, @-3, e412 or a mark's name."


def _find_printed(campaign: CampaignStore, line: int, stored: int, position: int) -> LinePosition:
    """Resolves an event's number as printed on a page: `e412`, or `e3-51` for branch 3.

    The result lies on branch `line` if it shares that event, else on the branch `stored`.
    """
    if stored not in campaign.lines():
        raise Refused(f"There is no line {stored}, so there is no e{stored}-{position}.")
    _check_position(position, campaign.record.head(stored).position)
    seen = position <= campaign.record.head(line).position
    same = seen and campaign.record.row(line, position) == campaign.record.row(stored, position)
    return LinePosition(line if same else stored, position)


def _check_position(position: int, head: int) -> int:
    if position < 1:
        raise Refused("Moments count from 1.")
    if position > head:
        raise Refused(f"Moment {position} has not come yet: the line ends at {head}.")
    return position


def _acts_back(campaign: CampaignStore, line: int, back: int) -> int:
    """Returns the position before the last `back` acts; raises Refused if the branch has fewer acts."""
    head = campaign.record.head(line).position
    if back == 0:
        return head
    stands = read_amendments(campaign.record, line)
    seen = 0
    for act in line_events.acts_backwards(campaign.record, line, head + 1, stands):
        if act.managing:
            continue
        seen += 1
        if seen == back:
            return act.first - 1
    raise Refused(f"The line has only {seen} acts, so there is no moment {back} acts back.")


def _in_session(campaign: CampaignStore, line: int, number: int, nth: str | None) -> int:
    """Returns the position at which session `number` begins, or of its event number `nth`, from 1.

    Raises Refused for an unknown session or event.
    """
    starts = _boundaries(campaign, line, "table.session-opened")
    start = session_start(starts, number)
    if nth is None:
        return start
    end = starts.get(number + 1, campaign.record.head(line).position + 1)
    position = start + int(nth) - 1
    if not start <= position < end:
        raise Refused(f"Session {number} has {end - start} events: {nth} is not among them.")
    return position


def session_start(starts: Mapping[int, int], number: int) -> int:
    """Returns the position at which session `number` begins, one of `starts`; Refused for an unknown one."""
    if number not in starts:
        known = f"The last is s{max(starts)}." if starts else "There is none yet."
        raise Refused(f"There is no session {number}. {known}")
    return starts[number]


def _boundaries(campaign: CampaignStore, line: int, kind: str) -> dict[int, int]:
    """Maps each session number to the position of its event of this `kind`: its opening or its closing."""
    stands = read_amendments(campaign.record, line)
    return {
        getattr(decode_event(row)[0], "session", 0): row.position
        for row in campaign.record.rows(line, 0, None, (kind,))
        if stands.counts(row.position)
    }


def _end_of_session(campaign: CampaignStore, start: LinePosition, number: int) -> int:
    """Returns a session's last position: its closing event, or the last event before the next session.

    Without either, the last position of the branch.
    """
    closes = _boundaries(campaign, start.line, "table.session-closed")
    if number in closes:
        return closes[number]
    following = _boundaries(campaign, start.line, "table.session-opened").get(number + 1)
    return campaign.record.head(start.line).position if following is None else following - 1
