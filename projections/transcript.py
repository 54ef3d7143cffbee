"""From moments to a transcript: what was told, scene by scene, with its mechanics beside it."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import replace

from journal.refused import Refused
from journal.store import reading
from journal.store.campaign import Campaign
from journal.store.codec import decode_event
from journal.store.verify import STEP, Progress
from journal.systems import SYSTEMS
from journal.table import Table
from journal.vocabulary import events as e
from journal.vocabulary.base import GM
from projections import pages
from projections.outcomes import Outcomes
from projections.prose import VOICES
from projections.replay import KEEPER, Ids, Viewer, afterwards, moments, table_at
from projections.scribe import Scribe, Stretch
from projections.views import pending, table_changes
from projections.views.asked import titled
from projections.views.cast import sheet_changes
from projections.views.sheet import Change


def of_session(
    campaign: Campaign,
    line: int,
    session: int,
    *,
    voice: str = "report",
    viewer: Viewer = KEEPER,
    as_of: int | None = None,
    lang: str = "en",
) -> pages.Transcript:
    """One evening of `line`, as known at `as_of` (its head if None); Refused if there is no such session."""
    stretch = _stretch(campaign, line, session, as_of)
    told = _told(campaign, line, stretch, voice=voice, viewer=viewer, as_of=as_of)
    return replace(told, lang=lang)


def of_range(
    campaign: Campaign,
    line: int,
    after: int = 0,
    upto: int | None = None,
    *,
    voice: str = "report",
    viewer: Viewer = KEEPER,
    as_of: int | None = None,
    lang: str = "en",
    told: Progress | None = None,
) -> pages.Transcript:
    """Positions after+1..upto of `line`, the whole of it unless said otherwise, as known at `as_of`.

    `told` hears now and then how many of the positions up to `upto` are done.
    """
    head = campaign.file.head(line).position
    stretch = Stretch(after, head if upto is None else min(upto, head), None, None)
    transcript = _told(campaign, line, stretch, voice=voice, viewer=viewer, as_of=as_of, progress=told)
    return replace(transcript, lang=lang)


def _stretch(campaign: Campaign, line: int, session: int, as_of: int | None) -> Stretch:
    """Where an evening begins and ends: with its closing, else before the next, else where the line does."""
    head = campaign.file.head(line).position if as_of is None else as_of
    stands = reading.standing(campaign.file, line, as_of)
    opened: dict[int, tuple[int, e.SessionOpened]] = {}
    closed: dict[int, tuple[int, e.SessionClosed]] = {}
    for row in campaign.file.rows(line, 0, as_of, ("table.session-opened", "table.session-closed")):
        if not stands.counts(row.position):
            continue
        event = decode_event(row, stands.rewordings.get(row.position))[0]
        if isinstance(event, e.SessionOpened):
            opened[event.session] = (row.position, event)
        elif isinstance(event, e.SessionClosed):
            closed[event.session] = (row.position, event)
    if session not in opened:
        known = ", ".join(map(str, opened)) or "none yet"
        raise Refused(f"There is no session {session} on this line. There are: {known}.")
    begins, event = opened[session]
    ends = closed[session][0] if session in closed else opened.get(session + 1, (head + 1,))[0] - 1
    last = closed.get(session - 1)
    previously = None if last is None or last[1].text is None else str(last[1].text)
    return Stretch(begins - 1, ends, event, previously)


def _told(
    campaign: Campaign,
    line: int,
    stretch: Stretch,
    *,
    voice: str,
    viewer: Viewer,
    as_of: int | None,
    progress: Progress | None = None,
) -> pages.Transcript:
    if voice not in VOICES:
        raise Refused(f"There is no voice {voice}. There are: {', '.join(VOICES)}.")
    judged = campaign.file.head(line).position if as_of is None else as_of
    before = table_at(campaign, line, stretch.after, as_of=judged)
    after = copy.deepcopy(before)  # which the replay brings to the end of the stretch
    outcomes = Outcomes(afterwards(campaign, line, judged, viewer=viewer))
    ids = Ids.of(campaign, line, viewer)
    scribe = Scribe(VOICES[voice], viewer, ids, outcomes, stretch, before)
    for moment in moments(
        campaign, line, stretch.after, stretch.upto, viewer=viewer, as_of=judged, table=after
    ):
        scribe.hear(moment)
        if progress is not None and moment.position % STEP == 0:
            progress(moment.position, stretch.upto)
    scribe.finish()
    return pages.Transcript(
        voice,
        "gm" if viewer.gm else "table" if viewer.person is None else after.name(viewer.person),
        _head(stretch, after, scribe),
        tuple(_cast(after, scribe.seen)),
        scribe.scenes(),
        pages.End(
            tuple(_changed(before, after)),
            tuple(_open(after)),
            tuple(scribe.quotes),
            tuple(_untold(after, scribe)),
        ),
    )


# --- head, cast and end -----------------------------------------------------------------------------------


def _head(stretch: Stretch, table: Table, scribe: Scribe) -> pages.Head:
    opened = stretch.session
    keeper = table.people[GM].player
    return pages.Head(
        None if table.title is None else str(table.title),
        None if opened is None else opened.session,
        None if opened is None or opened.title is None else str(opened.title),
        None if opened is None else opened.date,
        tuple(SYSTEMS[name].title for name in scribe.systems),
        None if keeper is None else table.name(keeper),
        tuple(_played(table, scribe.seen, () if opened is None else opened.absent)),
        () if opened is None else tuple(map(table.name, opened.absent)),
        stretch.previously,
    )


def _played(table: Table, seen: set[int], absent: tuple[int, ...]) -> Iterator[pages.Played]:
    characters: dict[int, list[str]] = {}
    for one in table.everybody():
        if one.player is not None and one.id in seen and one.id != GM and one.player not in absent:
            characters.setdefault(one.player, []).append(one.called)
    for player, played in characters.items():
        yield pages.Played(table.name(player), tuple(played))


def _cast(table: Table, seen: set[int]) -> Iterator[pages.Member]:
    for one in table.everybody():
        if one.id in seen and one.role not in ("player", "gm"):
            player = None if one.player is None else table.name(one.player)
            yield pages.Member(one.called, one.role, player, None if one.text is None else str(one.text))


CHANGES_TOLD = frozenset({"points", "balance", "fallout", "health", "stress"})
"""The views whose changes over an evening a reader wants to know."""


def _changed(before: Table, after: Table) -> Iterator[str]:
    """What the views that a story cares for say has changed; a newcomer's numbers are no change."""
    new = after.people.keys() - before.people.keys()
    newcomers = {after.name(person) for person in new}
    for person in sorted(new):
        if after.people[person].role != "player":
            yield f"{after.name(person)} joined the cast."
    for change in table_changes(before, after):
        known = change.about.split(", ")[0] not in newcomers
        if known and (change.view in CHANGES_TOLD or _is_about_them(change)):
            yield f"{change.sentence()}."
    for change in sheet_changes(before, after):
        yield f"{change.sentence()}."


def _is_about_them(change: Change) -> bool:
    """True for somebody's role, player or phrase; their sheet is told number by number."""
    return change.view == "cast" and change.was is not None and not change.about.endswith(", sheet")


def _open(table: Table) -> Iterator[str]:
    for conflict in table.conflicts.values():
        sides = " vs ".join(" + ".join(map(table.name, side)) for side in conflict.sides)
        yield f"{titled(conflict, table)} ({SYSTEMS[conflict.system].title}, {sides}) is not over."
    for one in pending.of(table).waiting:
        yield one.asked


def _untold(table: Table, scribe: Scribe) -> Iterator[pages.Missing]:
    for waiting, said in scribe.spots():
        yield pages.Missing(
            scribe.ids.at(waiting.at), said, tuple(_named(table, one) for one in waiting.left)
        )


def _named(table: Table, person: int) -> str:
    """What somebody is called in a sentence of ours."""
    name = table.name(person)
    return "the game master" if person == GM and name == "gm" else name
