"""From moments to a transcript: what was told, scene by scene, with its mechanics beside it."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import replace

from journal.store.campaign import Campaign
from journal.store.codec import TABLE, Recorded
from journal.store.verify import STEP, Progress
from journal.systems import SYSTEMS
from journal.table import Table
from journal.vocabulary import events as e
from journal.vocabulary.base import GM
from projections import changes, evenings, pages, timing
from projections.outcomes import Outcomes
from projections.prose import Voice, voice_of
from projections.prose.phrases import Phrases
from projections.replay import (
    KEEPER,
    Afterwards,
    Ids,
    Viewer,
    afterwards,
    moments,
    table_at,
)
from projections.ribbon import Ribbons
from projections.scribe import Scribe, Stretch
from projections.variations import Manner, Placed
from projections.variations import variations as branches
from projections.views import pending
from projections.views.asked import titled


def of_session(
    campaign: Campaign,
    line: int,
    session: int,
    *,
    voice: Voice | str = "report",
    viewer: Viewer = KEEPER,
    as_of: int | None = None,
    lang: str | None = None,
    variations: bool = False,
    ribbon: bool = False,
) -> pages.Transcript:
    """One evening of `line`, as known at `as_of` (its head if None); Refused if there is no such session.

    With `variations`, how it went on other lines stands where they leave; with a `ribbon`, where everybody
    stands after each turn of a conflict.
    """
    stretch = evenings.stretch(campaign, line, session, as_of)
    manner = Manner(voice_of(voice), viewer, as_of, ribbon)
    if variations:
        manner = manner.with_others(campaign, line, session)
    return replace(_told(campaign, line, stretch, manner), lang=lang or manner.voice.lang)


def of_range(
    campaign: Campaign,
    line: int,
    after: int = 0,
    upto: int | None = None,
    *,
    voice: Voice | str = "report",
    viewer: Viewer = KEEPER,
    as_of: int | None = None,
    lang: str | None = None,
    variations: bool = False,
    ribbon: bool = False,
    prefix: str = "",
    told: Progress | None = None,
) -> pages.Transcript:
    """Positions after+1..upto of `line`, the whole of it unless said otherwise, as known at `as_of`.

    `variations` and `ribbon` are as for a session; a `prefix` stands before the ids of headings, where
    several transcripts are on one page. `told` hears now and then how many positions up to `upto` are done.
    """
    head = campaign.file.head(line).position
    stretch = Stretch(after, head if upto is None else min(upto, head), None, None)
    manner = Manner(voice_of(voice), viewer, as_of, ribbon, prefix)
    if variations:
        manner = manner.with_others(campaign, line)
    return replace(_told(campaign, line, stretch, manner, told), lang=lang or manner.voice.lang)


def _told(
    campaign: Campaign, line: int, stretch: Stretch, manner: Manner, progress: Progress | None = None
) -> pages.Transcript:
    viewer, as_of = manner.viewer, manner.as_of
    judged = campaign.file.head(line).position if as_of is None else as_of
    before = table_at(campaign, line, stretch.after, as_of=judged)
    after = copy.deepcopy(before)  # which the replay brings to the end of the stretch
    summary, said = _summed_up(afterwards(campaign, line, judged, viewer=viewer), stretch)
    outcomes = Outcomes(said)
    ids = Ids.of(campaign, line, viewer)
    opening = timing.opening(campaign, line, stretch.after, stretch.upto, judged)
    opened = None if opening is None else timing.time_of(opening.at)
    beside = list(branches(campaign, line, stretch, manner, _told))
    scribe = Scribe(
        manner.voice,
        viewer,
        ids,
        outcomes,
        stretch,
        before,
        opened,
        manner.prefix,
        Ribbons.beginning(before) if manner.ribbon else None,
        [(one.at, one.variation) for one in beside],
    )
    for moment in moments(
        campaign, line, stretch.after, stretch.upto, viewer=viewer, as_of=judged, table=after
    ):
        scribe.hear(moment)
        if progress is not None and moment.position % STEP == 0:
            progress(moment.position, stretch.upto)
    scribe.finish(after)
    return pages.Transcript(
        manner.voice.name,
        "gm" if viewer.gm else "table" if viewer.person is None else after.name(viewer.person),
        _head(stretch, after, scribe, summary),
        tuple(_cast(after, scribe.seen)),
        scribe.scenes(),
        pages.End() if manner.voice.story else _end(before, after, scribe, beside),
        opened=None if opening is None else opening.at,
    )


# --- head, cast and end -----------------------------------------------------------------------------------


def _summed_up(said: Afterwards, stretch: Stretch) -> tuple[str | None, Afterwards]:
    """What was noted, for all to see, about the opening of the session that is told, and the other words."""
    opening = stretch.after + 1
    about = said.words.get(opening, ()) if stretch.session is not None else ()
    notes: list[str] = []
    rest: list[Recorded] = []
    for one in about:
        event = one.event
        if isinstance(event, e.Noted) and not event.quote and one.envelope.see == TABLE:
            notes.append(str(event.text))
        else:
            rest.append(one)
    return "\n\n".join(notes) or None, replace(said, words={**said.words, opening: rest})


def _head(stretch: Stretch, table: Table, scribe: Scribe, summary: str | None) -> pages.Head:
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
        summary,
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


def _end(before: Table, after: Table, scribe: Scribe, beside: Sequence[Placed]) -> pages.End:
    phrases = scribe.voice.phrases
    return pages.End(
        tuple(_changed(before, after, phrases)),
        tuple(_open(after, phrases)),
        (*scribe.quotes, *(quote for one in beside for quote in one.quotes)),
        tuple(_untold(after, scribe)),
    )


def _changed(before: Table, after: Table, phrases: Phrases) -> Iterator[str]:
    yield from (phrases.say("end.joined", who=name) for name in changes.newcomers(before, after))
    yield from (f"{change.sentence()}." for change in changes.numbers(before, after))


def _open(table: Table, phrases: Phrases) -> Iterator[str]:
    for conflict in table.conflicts.values():
        yield phrases.say(
            "end.not-over",
            conflict=titled(conflict, table),
            system=SYSTEMS[conflict.system].title,
            sides=[" + ".join(map(table.name, side)) for side in conflict.sides],
        )
    for one in pending.of(table).waiting:
        yield one.asked


def _untold(table: Table, scribe: Scribe) -> Iterator[pages.Missing]:
    for waiting, said in scribe.spots():
        yield pages.Missing(
            scribe.ids.at(waiting.at), said, tuple(_named(table, one, scribe) for one in waiting.left)
        )


def _named(table: Table, person: int, scribe: Scribe) -> str:
    """What somebody is called in a sentence of ours."""
    name = table.name(person)
    return scribe.voice.phrases.say("names.gm") if person == GM and name == "gm" else name
