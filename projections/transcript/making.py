"""From moments to a transcript: what was told, scene by scene, with its mechanics beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, Protocol

from msgspec.structs import replace

from journal.copying import copied
from journal.store.progress import Progress
from journal.systems import SYSTEMS
from journal.table import OpenConflict, Table
from journal.vocabulary import events as e
from journal.vocabulary.base import GM
from projections import pages
from projections.prose import Voice, reporting, voice_of
from projections.prose.awaiting import Awaited
from projections.prose.lettering import letter, lettered
from projections.prose.phrases import Phrases
from projections.reading import Ids, Moment, Reading, Viewer, source_of, timing
from projections.reading.evenings import Stretch
from projections.transcript.attendance import Attendance
from projections.transcript.chronicler import Chronicler
from projections.transcript.endings import FIRST, aloud, fitting, recalled, summed_up
from projections.transcript.finishing import Begun, Finished, Keep
from projections.transcript.heard import Heard
from projections.transcript.meeting import Met
from projections.transcript.ribbon import Ribbons
from projections.transcript.variations import Manner, Placed
from projections.transcript.variations import variations as branches
from projections.views import pending
from projections.views.naming import titled


def of_session(
    reading: Reading,
    session: int,
    *,
    voice: Voice | str = "report",
    lang: str | None = None,
    variations: bool = False,
    ribbon: bool = False,
    keep: Keep | None = None,
) -> pages.Transcript:
    """One evening, as its reader may know it; Refused if there is no such session.

    With `variations`, how it went on other lines stands where they leave; with a `ribbon`, where everybody
    stands after each turn of a conflict. `keep` is as for a range.
    """
    manner = Manner(voice_of(voice), ribbon)
    if variations:
        manner = manner.with_others(reading, session)
    stretch = reading.evenings.stretch(session)
    recap = None if stretch.previously else _previously(reading, session - 1, manner.voice)
    told = replace(of_stretch(reading, stretch, manner, Hearing(keep=keep)), lang=lang or manner.voice.lang)
    return replace(told, head=replace(told.head, previously=recap)) if recap else told


def of_range(
    reading: Reading,
    after: int = 0,
    upto: int | None = None,
    *,
    voice: Voice | str = "report",
    lang: str | None = None,
    variations: bool = False,
    ribbon: bool = False,
    prefix: str = "",
    told: Progress | None = None,
    also: Callable[[Moment], None] | None = None,
    keep: Keep | None = None,
    by_many: ByMany | None = None,
) -> pages.Transcript:
    """Positions after+1..upto, all that is read unless said otherwise, as its reader may know them.

    `variations` and `ribbon` are as for a session; a `prefix` stands before the ids of headings, where
    several transcripts are on one page. `told` hears now and then how many positions up to `upto` are done,
    and `also` every moment of it; `keep` takes each scene once it is finished, and gives what of it is to be
    in the transcript. `by_many` may have all of that done in parts, by others.
    """
    end = reading.position
    stretch = Stretch(after, end if upto is None else min(upto, end))
    manner = Manner(voice_of(voice), ribbon, prefix)
    if variations:
        manner = manner.with_others(reading)
    opened = None if prefix or not after else _opened_by(reading, after)
    begun = None if opened is None else _begun(reading.table_at(after), manner)
    by_many = None if after or prefix or variations else by_many
    hearing = Hearing(told, also, keep, begun, by_many)
    shown = replace(of_stretch(reading, stretch, manner, hearing), lang=lang or manner.voice.lang)
    return shown if opened is None else _placed(opened, shown, manner)


def _previously(reading: Reading, session: int, voice: Voice) -> str | None:
    """How a session ended that nobody closed with a summary: the first lines of its recap."""
    if session not in reading.evenings.opened:
        return None
    stretch = reading.evenings.stretch(session)
    told = of_stretch(aloud(reading), stretch, Manner(reporting(voice)))
    summary = told.head.summary
    found = recalled(session, told.scenes, told.end.quotes, () if summary is None else (summary,))
    return "\n\n".join(one.said(voice.phrases) for one in fitting(found, FIRST, voice.phrases)) or None


def _opened_by(reading: Reading, after: int) -> e.SessionOpened | None:
    """The opening of the session in the middle of which a stretch begins; None where it begins with one."""
    session = reading.table_at(after).session
    evenings = reading.evenings
    return evenings.opening(session) if session is not None and session in evenings.opened else None


def _begun(before: Table, manner: Manner) -> Begun | None:
    """The scene in the middle of which a stretch begins, by its title."""
    if before.scene is None or before.scene_title is None:
        return None
    where = letter(manner.voice)(str(before.scene_title))
    goes_on = manner.voice.phrases.say("page.continued")
    return Begun(f"s{before.scene}", f"{where} ({goes_on})")


def _placed(opened: e.SessionOpened, shown: pages.Transcript, manner: Manner) -> pages.Transcript:
    """A transcript that begins in the middle of a session, under its number and date."""
    if not shown.scenes:
        return shown
    title = None if opened.title is None else letter(manner.voice)(str(opened.title))
    first, *others = shown.scenes
    if any(scene.chapter for scene in shown.scenes):
        first = replace(first, chapter=pages.Chapter(opened.session, title, opened.date))
        return replace(shown, scenes=(first, *others))
    head = replace(shown.head, session=opened.session, title=title, date=opened.date)
    return replace(shown, head=head)


class ByMany(Protocol):
    """Has all of a line told in parts, by others, who keep its scenes as they are to be kept."""

    def __call__(
        self, reading: Reading, upto: int, manner: Manner, told: Progress | None, met: Met | None = None
    ) -> Heard | None:
        """What is heard of positions 1..upto, and in `met` who is met; None where one had better tell it.

        `told` hears now and then how many positions are done.
        """


class Hearing(NamedTuple):
    """Who hears of a stretch while it is told, and where it begins."""

    progress: Progress | None = None
    """Hears how many positions are done."""
    also: Callable[[Moment], None] | None = None
    """Hears every moment."""
    keep: Keep | None = None
    begun: Begun | None = None
    by_many: ByMany | None = None


def of_stretch(
    reading: Reading,
    stretch: Stretch,
    manner: Manner,
    hearing: Hearing = Hearing(),  # noqa: B008 -- it never changes
) -> pages.Transcript:
    """One stretch in this manner."""
    summary, said = None, reading.revealed.placed(reading.afterwards_beyond(stretch.after))
    if stretch.session is not None:
        summary, said = summed_up(said, stretch.after + 1)
    beside = list(branches(reading, stretch, manner, of_stretch))
    heard = None
    if hearing.by_many is not None:
        heard = hearing.by_many(reading, stretch.upto, manner, hearing.progress)
    if heard is None:
        there = reading.table_at(stretch.after)
        chronicler = chronicler_of(reading, stretch, manner, Awaited(said), there)
        chronicler.variations = [(one.at, one.variation) for one in beside]
        heard = _heard(reading, stretch, chronicler, hearing)
    after = reading.table_at(stretch.upto)
    opening = timing.opening(reading, stretch.after, stretch.upto)
    told = pages.Transcript(
        manner.voice.name,
        _eyes(reading.viewer, after),
        _head(stretch, after, heard, manner.voice, summary),
        tuple(_cast(after, heard.attendance, manner.voice)),
        heard.led(),
        pages.End() if manner.voice.story else _end(reading, stretch, heard, beside, manner),
        opened=None if opening is None else opening.at,
        source=source_of(reading.campaign),
        phrases=manner.voice.phrases,
    )
    return lettered(told, manner.voice)


def _heard(reading: Reading, stretch: Stretch, chronicler: Chronicler, hearing: Hearing) -> Heard:
    """All that is heard of a stretch, from its first moment to its last."""
    chronicler.finished = Finished(chronicler.voice, hearing.keep, hearing.begun)
    table = copied(reading.table_at(stretch.after))  # which the moments bring to the end of the stretch
    for moment in reading.telling(hearing.progress).moments(stretch.after, stretch.upto, table=table):
        chronicler.hear(moment)
        if hearing.also is not None:
            hearing.also(moment)
    reading.tables.keep(stretch.upto, table)
    chronicler.finish(table)
    return chronicler.heard()


def chronicler_of(
    reading: Reading, stretch: Stretch, manner: Manner, outcomes: Awaited, there: Table
) -> Chronicler:
    """Who writes down a stretch, and has heard nothing of it yet but how the table stands `there`."""
    opening = timing.opening(reading, stretch.after, stretch.upto)
    return Chronicler(
        manner.voice,
        reading.ids,
        outcomes,
        stretch,
        reading.table_at(stretch.after),
        Attendance.beginning(there),
        Finished(manner.voice),
        None if opening is None else timing.time_of(opening.at),
        manner.prefix,
        Ribbons.beginning(there) if manner.ribbon else None,
        kept_back=reading.revealed.kept_back,
        known_to_some=reading.revealed.to_all,
        viewer=reading.viewer,
    )


# --- head, cast and end -----------------------------------------------------------------------------------


def _eyes(viewer: Viewer, table: Table) -> str:
    """Through whose eyes it is told."""
    if viewer.gm:
        return "gm"
    return "table" if viewer.person is None else table.name(viewer.person)


def _head(stretch: Stretch, table: Table, heard: Heard, voice: Voice, summary: str | None) -> pages.Head:
    opened, there, set_ = stretch.session, heard.attendance, letter(voice)
    game_master = table.people[GM].player
    sat = () if game_master is None else (table.name(game_master),)
    led = sat if opened is not None else there.leaders() or sat
    return pages.Head(
        None if table.title is None else str(table.title),
        None if opened is None else opened.session,
        None if opened is None or opened.title is None else str(opened.title),
        None if opened is None else opened.date,
        tuple(SYSTEMS[name].called(table) for name in heard.systems),
        led[-1] if led else None,
        tuple(_played(table, there, () if opened is None else opened.absent)),
        () if opened is None else tuple(map(table.name, opened.absent)),
        None if stretch.previously is None else set_(stretch.previously),
        None if summary is None else set_(summary),
        led,
    )


def _played(table: Table, there: Attendance, absent: tuple[int, ...]) -> Iterator[pages.Played]:
    characters: dict[tuple[int, ...], list[str]] = {}
    for one in table.everybody():
        if one.id in there.seen and one.id != GM:
            players = tuple(player for player in there.players_of(one.id, table) if player not in absent)
            characters.setdefault(players, []).append(one.called)
    for players, played in characters.items():
        if players:
            *before, last = map(table.name, players)
            yield pages.Played(last, tuple(played), tuple(before))


def _cast(table: Table, there: Attendance, voice: Voice) -> Iterator[pages.Member]:
    """Everybody who was there; a story does not say who played them."""
    set_ = letter(voice)
    for one in table.everybody():
        if one.id in there.seen and one.role not in ("player", "gm"):
            players = () if voice.story else there.players_of(one.id, table)
            *before, player = map(table.name, players) if players else (None,)
            phrase = None if one.text is None else set_(str(one.text))
            yield pages.Member(one.called, one.role, player, phrase, tuple(filter(None, before)))


def _end(
    reading: Reading, stretch: Stretch, heard: Heard, beside: Sequence[Placed], manner: Manner
) -> pages.End:
    quotes = (*heard.quotes, *(quote for one in beside for quote in one.quotes))
    if not manner.ends:
        return pages.End(quotes=quotes)
    from projections.comparing import changes  # noqa: PLC0415 -- who begins the console does not wait for it

    phrases = manner.voice.phrases
    before, after = reading.table_at(stretch.after), reading.table_at(stretch.upto)
    untold = (reading.viewer.gm or manner.untold) and not manner.voice.stage
    return pages.End(
        tuple(changes.sentences(before, after, phrases, heard.attendance.touched)),
        tuple(_open(after, phrases)),
        quotes,
        tuple(_untold(after, heard, reading.ids, phrases)) if untold else (),
    )


def _open(table: Table, phrases: Phrases) -> Iterator[str]:
    yield from (not_over(conflict, table, phrases) for conflict in table.conflicts.values())
    for one in pending.of(table).waiting:
        yield one.asked


def not_over(conflict: OpenConflict, table: Table, phrases: Phrases) -> str:
    """That a conflict is open, as a sentence."""
    gm = phrases.say("names.gm")
    return phrases.say(
        "end.not-over",
        conflict=titled(conflict, table, gm),
        system=SYSTEMS[conflict.system].called(table),
        sides=[" + ".join(table.shown(one, gm) for one in side) for side in conflict.sides],
    )


def _untold(table: Table, heard: Heard, ids: Ids, phrases: Phrases) -> Iterator[pages.Missing]:
    gm = phrases.say("names.gm")
    for at, said, left in heard.untold:
        yield pages.Missing(ids.at(at), said, tuple(table.shown(one, gm) for one in left))
