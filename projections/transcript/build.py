"""From moments to a transcript: what was told, scene by scene, with its mechanics beside it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final, Literal, NamedTuple, Protocol

from msgspec.structs import replace

from journal.capabilities import HasThings
from journal.copying import copied
from journal.names import ARTICLES, normalise
from journal.store.progress import Progress
from journal.store.text_matching import base_letters
from journal.systems import SYSTEMS
from journal.table import OpenConflict, Table
from journal.vocabulary import events as e
from journal.vocabulary.base import GM
from projections import document
from projections.prose import Voice, reporting, voice_of
from projections.prose.awaiting import Awaited
from projections.prose.phrases import Phrases
from projections.reading import Ids, LineView, Moment, Viewer, source_of, timing
from projections.reading.sessions import Stretch
from projections.transcript.attendance import Attendance, CastIndex
from projections.transcript.builders import FinishedScenes, KeepScene, OpeningHeading, StretchResult
from projections.transcript.chronicler import Chronicler
from projections.transcript.endings import FIRST, fitting, recalled, spoken_aloud, summed_up
from projections.transcript.status_line import StatusLines
from projections.transcript.variations import PlacedVariation, TellingOptions
from projections.transcript.variations import variations as branches
from projections.typography import typeset_transcript, typesetter_of
from projections.views import conflicts
from projections.views.naming import conflict_title


def of_session(
    reading: LineView,
    session: int,
    *,
    voice: Voice | str = "report",
    lang: str | None = None,
    variations: bool = False,
    ribbon: bool = False,
    keep: KeepScene | None = None,
) -> document.Transcript:
    """One evening, as its reader may know it; Refused if there is no such session.

    With `variations`, how it went on other lines stands where they leave; with a `ribbon`, where everybody
    stands after each turn of a conflict. `keep` is as for a range.
    """
    manner = TellingOptions(voice_of(voice), ribbon)
    if variations:
        manner = manner.with_others(reading, session)
    stretch = reading.evenings.stretch(session)
    recap = None if stretch.previously else _previously(reading, session - 1, manner.voice)
    told = replace(of_stretch(reading, stretch, manner, Listeners(keep=keep)), lang=lang or manner.voice.lang)
    return replace(told, head=replace(told.head, previously=recap)) if recap else told


def of_range(
    reading: LineView,
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
    keep: KeepScene | None = None,
    by_many: InParallel | None = None,
) -> document.Transcript:
    """Positions after+1..upto, all that is read unless said otherwise, as its reader may know them.

    `variations` and `ribbon` are as for a session; a `prefix` stands before the ids of headings, where
    several transcripts are on one page. `told` hears now and then how many positions up to `upto` are done,
    and `also` every moment of it; `keep` takes each scene once it is finished, and gives what of it is to be
    in the transcript. `by_many` may have all of that done in parts, by others.
    """
    end = reading.position
    stretch = Stretch(after, end if upto is None else min(upto, end))
    manner = TellingOptions(voice_of(voice), ribbon, prefix)
    if variations:
        manner = manner.with_others(reading)
    opened = None if prefix or not after else _opened_by(reading, after)
    begun = None if opened is None else _begun(reading.table_at(after), manner)
    by_many = None if after or prefix or variations else by_many
    hearing = Listeners(told, also, keep, begun, by_many)
    shown = replace(of_stretch(reading, stretch, manner, hearing), lang=lang or manner.voice.lang)
    return shown if opened is None else _placed(opened, shown, manner)


def _previously(reading: LineView, session: int, voice: Voice) -> str | None:
    """How a session ended that nobody closed with a summary: the first lines of its recap."""
    if session not in reading.evenings.opened:
        return None
    stretch = reading.evenings.stretch(session)
    told = of_stretch(spoken_aloud(reading), stretch, TellingOptions(reporting(voice)))
    summary = told.head.summary
    found = recalled(session, told.scenes, told.end.quotes, () if summary is None else (summary,))
    return "\n\n".join(one.said(voice.phrases) for one in fitting(found, FIRST, voice.phrases)) or None


def _opened_by(reading: LineView, after: int) -> e.SessionOpened | None:
    """The opening of the session in the middle of which a stretch begins; None where it begins with one."""
    session = reading.table_at(after).session
    evenings = reading.evenings
    return evenings.opening(session) if session is not None and session in evenings.opened else None


def _begun(before: Table, manner: TellingOptions) -> OpeningHeading | None:
    """The scene in the middle of which a stretch begins, by its title."""
    if before.scene is None or before.scene_title is None:
        return None
    where = typesetter_of(manner.voice)(str(before.scene_title))
    goes_on = manner.voice.phrases.say("page.continued")
    return OpeningHeading(f"s{before.scene}", f"{where} ({goes_on})")


def _placed(
    opened: e.SessionOpened, shown: document.Transcript, manner: TellingOptions
) -> document.Transcript:
    """A transcript that begins in the middle of a session, under its number and date."""
    if not shown.scenes:
        return shown
    title = None if opened.title is None else typesetter_of(manner.voice)(str(opened.title))
    first, *others = shown.scenes
    if any(scene.chapter for scene in shown.scenes):
        first = replace(first, chapter=document.Chapter(opened.session, title, opened.date))
        return replace(shown, scenes=(first, *others))
    head = replace(shown.head, session=opened.session, title=title, date=opened.date)
    return replace(shown, head=head)


class InParallel(Protocol):
    """Has all of a line told in parts, by others, who keep its scenes as they are to be kept."""

    def __call__(
        self,
        reading: LineView,
        upto: int,
        manner: TellingOptions,
        told: Progress | None,
        met: CastIndex | None = None,
    ) -> StretchResult | None:
        """What is heard of positions 1..upto, and in `met` who is met; None where one had better tell it.

        `told` hears now and then how many positions are done.
        """


class Listeners(NamedTuple):
    """Who hears of a stretch while it is told, and where it begins."""

    progress: Progress | None = None
    """Hears how many positions are done."""
    also: Callable[[Moment], None] | None = None
    """Hears every moment."""
    keep: KeepScene | None = None
    begun: OpeningHeading | None = None
    by_many: InParallel | None = None


def of_stretch(
    reading: LineView,
    stretch: Stretch,
    manner: TellingOptions,
    hearing: Listeners = Listeners(),  # noqa: B008 -- it never changes
) -> document.Transcript:
    """One stretch in this manner."""
    summary, said = None, reading.revealed.placed(reading.late_additions_since(stretch.after))
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
    opening = timing.session_opening(reading, stretch.after, stretch.upto)
    told = document.Transcript(
        manner.voice.name,
        _eyes(reading.viewer, after),
        _head(stretch, after, heard, manner.voice, summary),
        tuple(_cast(after, heard.attendance, manner.voice)),
        heard.led(),
        document.End() if manner.voice.story else _end(reading, stretch, heard, beside, manner),
        opened=None if opening is None else opening.at,
        source=source_of(reading.campaign),
        phrases=manner.voice.phrases,
    )
    return typeset_transcript(told, manner.voice)


def _heard(reading: LineView, stretch: Stretch, chronicler: Chronicler, hearing: Listeners) -> StretchResult:
    """All that is heard of a stretch, from its first moment to its last."""
    chronicler.finished = FinishedScenes(chronicler.voice, hearing.keep, hearing.begun)
    table = copied(reading.table_at(stretch.after))  # which the moments bring to the end of the stretch
    for moment in reading.with_progress(hearing.progress).moments(stretch.after, stretch.upto, table=table):
        chronicler.hear(moment)
        if hearing.also is not None:
            hearing.also(moment)
    reading.tables.keep(stretch.upto, table)
    chronicler.finish(table)
    return chronicler.heard()


def chronicler_of(
    reading: LineView, stretch: Stretch, manner: TellingOptions, outcomes: Awaited, there: Table
) -> Chronicler:
    """Who writes down a stretch, and has heard nothing of it yet but how the table stands `there`."""
    opening = timing.session_opening(reading, stretch.after, stretch.upto)
    return Chronicler(
        manner.voice,
        reading.ids,
        outcomes,
        stretch,
        reading.table_at(stretch.after),
        Attendance.beginning(there),
        FinishedScenes(manner.voice),
        None if opening is None else timing.time_of(opening.at),
        manner.prefix,
        StatusLines.beginning(there) if manner.ribbon else None,
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


def _head(
    stretch: Stretch, table: Table, heard: StretchResult, voice: Voice, summary: str | None
) -> document.Head:
    opened, there, set_ = stretch.session, heard.attendance, typesetter_of(voice)
    game_master = table.people[GM].player
    sat = () if game_master is None else (table.name(game_master),)
    led = sat if opened is not None else there.leaders() or sat
    return document.Head(
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


def _played(table: Table, there: Attendance, absent: tuple[int, ...]) -> Iterator[document.Played]:
    characters: dict[tuple[int, ...], list[str]] = {}
    for one in table.everybody():
        if one.id in there.seen and one.id != GM:
            players = tuple(player for player in there.players_of(one.id, table) if player not in absent)
            characters.setdefault(players, []).append(one.called)
    for players, played in characters.items():
        if players:
            *before, last = map(table.name, players)
            yield document.Played(last, tuple(played), tuple(before))


def _cast(table: Table, there: Attendance, voice: Voice) -> Iterator[document.Member]:
    """Everybody who was there; a story does not say who played them."""
    set_ = typesetter_of(voice)
    for one in table.everybody():
        if one.id in there.seen and one.role not in ("player", "gm"):
            players = () if voice.story else there.players_of(one.id, table)
            *before, player = map(table.name, players) if players else (None,)
            phrase = None if one.text is None else set_(str(one.text))
            yield document.Member(one.called, one.role, player, phrase, tuple(filter(None, before)))


def _end(
    reading: LineView,
    stretch: Stretch,
    heard: StretchResult,
    beside: Sequence[PlacedVariation],
    manner: TellingOptions,
) -> document.End:
    quotes = (*heard.quotes, *(quote for one in beside for quote in one.quotes))
    if not manner.ends:
        return document.End(quotes=quotes)
    from projections import state_changes  # noqa: PLC0415 -- who begins the console does not wait for it

    phrases = manner.voice.phrases
    before, after = reading.table_at(stretch.after), reading.table_at(stretch.upto)
    untold = (reading.viewer.gm or manner.untold) and not manner.voice.stage
    return document.End(
        tuple(state_changes.sentences(before, after, phrases, heard.attendance.touched)),
        tuple(_open(after, phrases)),
        quotes,
        tuple(_untold(after, heard, reading.ids, phrases)) if untold else (),
    )


def _open(table: Table, phrases: Phrases) -> Iterator[str]:
    yield from (not_over(conflict, table, phrases) for conflict in table.conflicts.values())
    for one in conflicts.pending_of(table).waiting:
        yield one.asked


def not_over(conflict: OpenConflict, table: Table, phrases: Phrases) -> str:
    """That a conflict is open, as a sentence."""
    gm = phrases.say("names.gm")
    return phrases.say(
        "end.not-over",
        conflict=conflict_title(conflict, table, gm),
        system=SYSTEMS[conflict.system].called(table),
        sides=[" + ".join(table.shown(one, gm) for one in side) for side in conflict.sides],
    )


def _untold(table: Table, heard: StretchResult, ids: Ids, phrases: Phrases) -> Iterator[document.Missing]:
    gm = phrases.say("names.gm")
    for at, said, left in heard.untold:
        yield document.Missing(ids.at(at), said, tuple(table.shown(one, gm) for one in left))


_WORD: Final = re.compile(r"\d+|[^\W\d_]+")


def of_line(
    reading: LineView,
    *,
    voice: Voice | str = "report",
    lang: str | None = None,
    variations: bool = False,
    ribbon: bool = False,
    told: Progress | None = None,
    keep: KeepScene | None = None,
    by_many: InParallel | None = None,
) -> document.Transcript:
    """All that is read, as its reader may know it; Refused if there is no such voice.

    `told` hears now and then how many positions are done; `keep` takes each scene, and `by_many` may have it
    told in parts, as of a range.
    """
    found = CastIndex()
    book = of_range(
        reading,
        voice=voice,
        lang=lang,
        variations=variations,
        ribbon=ribbon,
        told=told,
        also=found.hear,
        keep=keep,
        by_many=None if by_many is None else partial(by_many, met=found),
    )
    entries = sorted(
        _entries(found, reading.table), key=lambda one: (one.kind, _in_order(one.name, book.lang))
    )
    set_ = typesetter_of(voice_of(voice))
    return replace(book, index=tuple(replace(one, name=set_(one.name)) for one in entries))


# --- who and what is where --------------------------------------------------------------------------------


def _entries(met: CastIndex, table: Table) -> Iterator[document.Entry]:
    """People by the names they bear at the end; players and game masters are in no story."""
    found: dict[int | str, tuple[dict[int, None], dict[str, None]]] = {}
    for one, there in met.sessions.items():
        known = found.setdefault(one if isinstance(one, str) else table.whose(one), ({}, {}))
        known[0].update(there)
        known[1].update(met.scenes.get(one, {}))
    for one, (sessions, scenes) in found.items():
        where = tuple(sorted(sessions)), tuple(scenes)
        if isinstance(one, str):
            yield document.Entry(met.names[one], "place", *where)
        elif table.people[one].role not in ("player", "gm"):
            kind: Literal["person", "thing"] = "person" if _is_person(table, one) else "thing"
            yield document.Entry(table.people[one].called, kind, *where)


def _is_person(table: Table, one: int) -> bool:
    """True for who was cast as somebody; a side of a conflict may be a fog, a crowd, a whole phrase."""
    somebody = table.people[one]
    is_side = somebody.role == "side" and somebody.player is None and somebody.text is None
    shelves = (shelf for shelf in table.shelves.values() if isinstance(shelf, HasThings))
    return not is_side and all(one not in shelf.things() for shelf in shelves)


# --- the order of an index --------------------------------------------------------------------------------


def _in_order(name: str, lang: str) -> tuple[list[tuple[int, int, str]], str]:
    """Where a name stands: word by word, without regard to case, accents, signs and an article before it.

    Numbers stand before letters, and each by its size: Deck 2 before Deck 10.
    """
    articles = ARTICLES.get(lang.partition("-")[0].lower(), frozenset())
    letters = "".join(map(base_letters, normalise(name)))
    words = _WORD.findall(letters if "l" in articles else letters.replace("'", ""))
    if len(words) > 1 and words[0] in articles:
        del words[0]
    return [_key(word) for word in words], name


def _key(word: str) -> tuple[int, int, str]:
    if word.isdecimal():
        digits = word.lstrip("0")
        return 0, len(digits), digits
    return 1, 0, word
