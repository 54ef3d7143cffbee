"""Building of transcripts from moments: scenes of paragraphs, each with the mechanics behind it.

Mechanics are dice, cards and numbers. A moment is an event with the table state after it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Final, Literal, NamedTuple, Protocol

from msgspec import Struct
from msgspec.structs import replace

from retold.journal.capabilities import HasThings
from retold.journal.copying import copied
from retold.journal.grammar import first_pronoun, takes_back
from retold.journal.guarding import answer_of
from retold.journal.names import ARTICLES, normalise
from retold.journal.shared.people import bare_purse_of
from retold.journal.store.contract.progress import Progress
from retold.journal.store.events.text_matching import base_letters
from retold.journal.systems import SYSTEMS
from retold.journal.table import OpenConflict, Table
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM
from retold.projections.prose import Voice, primary, report, reporting, voice_of
from retold.projections.prose.articles import is_proper
from retold.projections.prose.awaiting import Awaited
from retold.projections.prose.beats import extreme_rolls
from retold.projections.prose.phrases import LANGUAGE, Phrases
from retold.projections.prose.telling import Tag, numbered, unquoted
from retold.projections.reading import LateAdditions, LineView, Moment, Viewer, source_of, timing
from retold.projections.reading.pictures import Pictures, pictures_of
from retold.projections.reading.sessions import Stretch
from retold.projections.story import document
from retold.projections.story.attendance import Attendance, CastIndex
from retold.projections.story.placing import Placing, Scope, called_in, placed, short_name
from retold.projections.story.transcript.endings import FIRST, fitting, recalled, spoken_aloud, summed_up
from retold.projections.story.transcript.page_texts import page_texts
from retold.projections.story.typography import typesetter_of, typesetter_of_words
from retold.projections.story.variations import PlacedVariation, TellingOptions
from retold.projections.story.variations import variations as branches
from retold.projections.story.weighing import Weighing, weighed
from retold.projections.story.writing import KeepScene, OpeningHeading, typeset_transcript, written
from retold.projections.views import conflicts
from retold.projections.views.naming import conflict_title


def of_session(
    reading: LineView,
    session: int,
    *,
    voice: Voice | str = "report",
    variations: bool = False,
    ribbon: bool = False,
    keep: KeepScene | None = None,
) -> document.Transcript:
    """Returns a session's transcript, limited to the knowledge of the viewer of `reading`.

    `variations` adds the stories of other branches where they fork; `ribbon` adds a status line after each
    turn of a conflict. `keep` is as in `of_range`. Raises Refused if there is no such session.
    """
    manner = TellingOptions(voice_of(voice), ribbon)
    if variations:
        manner = manner.with_others(reading, session)
    stretch = reading.sessions.stretch(session)
    recap = None if stretch.previously else _previously(reading, session - 1, manner.voice)
    told = of_stretch(reading, stretch, manner, Listeners(keep=keep))
    if (
        keep is None
        and manner == TellingOptions(manner.voice)
        and _is_report(reading, stretch, told, manner.voice)
    ):
        by = reporting(manner.voice)
        reading.past.once(("recap", reading.viewer, session), lambda: (by, _first_lines(session, told, by)))
    told = replace(told, lang=manner.voice.page_lang)
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
    """Returns the transcript of positions after+1..upto, by default all, as the viewer may know them.

    `variations` and `ribbon` are as in `of_session`; `prefix` is put before the ids of headings, for
    several transcripts on one page. `told` is called now and then with the number of positions done, `also`
    with each moment; `keep` takes each finished scene and returns the part of it to keep in the transcript.
    `by_many` may have the work done in parts, by several processes.
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
    shown = replace(of_stretch(reading, stretch, manner, hearing), lang=lang or manner.voice.page_lang)
    return shown if opened is None else _placed(opened, shown, manner)


def _is_report(reading: LineView, stretch: Stretch, told: document.Transcript, voice: Voice) -> bool:
    """True if the voice made by `reporting` tells this session in the same words, for the next recap."""
    if replace(voice, asides=False) != replace(reporting(voice), tell=report):
        return False
    overruled = reading.recorded(stretch.after, stretch.upto, (e.NarrationOverruled.kind,))
    return not any(overruled) and all(paragraph.kind is not Tag.ASIDE for paragraph in told.paragraphs())


def _previously(reading: LineView, session: int, voice: Voice) -> str | None:
    """Returns the first lines of a session's recap, to open the next session with; None if it is empty."""
    if session not in reading.sessions.opened:
        return None
    aloud, by = spoken_aloud(reading), reporting(voice)
    unknown: tuple[Voice | None, str | None] = None, None
    known, lines = reading.past.once(("recap", aloud.viewer, session), lambda: unknown)
    if known == by:
        return lines
    return _first_lines(session, of_stretch(aloud, reading.sessions.stretch(session), TellingOptions(by)), by)


def _first_lines(session: int, told: document.Transcript, voice: Voice) -> str | None:
    summary = told.head.summary
    found = recalled(
        session, told.scenes, told.end.quotes, () if summary is None else (summary,), voice.phrases
    )
    return "\n\n".join(words.said(voice.phrases) for words in fitting(found, FIRST, voice.phrases)) or None


def _opened_by(reading: LineView, after: int) -> e.SessionOpened | None:
    """Returns the opening event of the session in progress at position `after`; None outside sessions."""
    session = reading.table_at(after).session
    evenings = reading.sessions
    return evenings.opening(session) if session is not None and session in evenings.opened else None


def _begun(before: Table, manner: TellingOptions) -> OpeningHeading | None:
    """Returns the heading "… (continued)" for the scene in progress in `before`; None outside scenes."""
    if before.scene is None or before.scene_title is None:
        return None
    where = typesetter_of(manner.voice)(str(before.scene_title))
    goes_on = manner.voice.phrases.say("page.continued")
    return OpeningHeading(f"s{before.scene}", f"{where} ({goes_on})")


def _placed(
    opened: e.SessionOpened, shown: document.Transcript, manner: TellingOptions
) -> document.Transcript:
    """Returns the transcript with number, title and date of session `opened`, inside which it begins."""
    if not shown.scenes:
        return shown
    title = None if opened.title is None else typesetter_of(manner.voice)(str(opened.title))
    first, *others = shown.scenes
    if shown.chapters:
        first = replace(first, chapter=document.Chapter(opened.session, title, opened.date))
        return replace(shown, scenes=(first, *others))
    head = replace(shown.head, session=opened.session, title=title, date=opened.date)
    return replace(shown, head=head)


class UntoldResult(NamedTuple):
    """Result without a narration: its position, Retold's own sentence, and the people who may tell it."""

    at: int
    said: str
    left: tuple[int, ...]


class StretchResult(Struct):
    """Result of telling a range of positions: scenes, attendance, quotes, games, untold results."""

    scenes: tuple[document.Scene, ...]
    attendance: Attendance
    quotes: list[document.Quote]
    systems: dict[str, None]
    """Games with a conflict, in order of their first."""
    untold: list[UntoldResult]
    carries: bool
    """True if later events may still change what is told: conflicts or tellings are not finished."""

    def go_on(self, later: StretchResult) -> None:
        """Appends the result of the part that follows; no persons may be merged in that part."""
        self.scenes += later.scenes
        self.attendance.go_on(later.attendance)
        self.quotes += later.quotes
        self.systems.update(later.systems)
        self.untold += later.untold
        self.carries = later.carries

    def led(self) -> tuple[document.Scene, ...]:
        """Returns the scenes, with the game masters in each session's heading unless the same led all."""
        there = self.attendance
        if len(set(there.led.values())) == 1:
            return self.scenes
        return tuple(_led(scene, there) for scene in self.scenes)


def _led(scene: document.Scene, there: Attendance) -> document.Scene:
    chapter = scene.chapter
    if chapter is None or chapter.session not in there.led:
        return scene
    led = ", ".join(there.names[person] for person in there.led[chapter.session] if person in there.names)
    return replace(scene, chapter=replace(chapter, gm=led or None))


class InParallel(Protocol):
    """Callable that tells a whole branch in parts, by several processes."""

    def __call__(
        self,
        reading: LineView,
        upto: int,
        manner: TellingOptions,
        told: Progress | None,
        met: CastIndex | None = None,
    ) -> StretchResult | None:
        """Returns the result of telling positions 1..upto; None if a single process is preferable.

        Fills `met` with the people and places. Calls `told` now and then with the number of positions done.
        """


class Listeners(NamedTuple):
    """Callbacks for telling a range of positions, and the heading of the scene in which the range begins."""

    progress: Progress | None = None
    """Called with the number of positions done."""
    also: Callable[[Moment], None] | None = None
    """Called with each moment."""
    keep: KeepScene | None = None
    begun: OpeningHeading | None = None
    by_many: InParallel | None = None


def of_stretch(
    reading: LineView,
    stretch: Stretch,
    manner: TellingOptions,
    hearing: Listeners = Listeners(),  # noqa: B008 -- it never changes
) -> document.Transcript:
    """Returns the transcript of the positions in `stretch`, told with the options `manner`.

    `hearing` holds the callbacks for progress, moments and finished scenes.
    """
    summary, said = None, reading.revealed.placed(reading.late_additions_since(stretch.after))
    if stretch.session is not None:
        summary, said = summed_up(said, stretch.after + 1)
    beside = list(branches(reading, stretch, manner, of_stretch))
    heard = None
    if hearing.by_many is not None:
        heard = hearing.by_many(reading, stretch.upto, manner, hearing.progress)
    if heard is None:
        heard = story_of(reading, scope_of(reading, stretch, manner, said), hearing, beside)
    after = reading.table_at(stretch.upto)
    shown = pictures_of(reading, after)
    opening = timing.session_opening(reading, stretch.after, stretch.upto)
    cast = tuple(_cast(after, heard.attendance, manner.voice, shown))  # a head has names already
    told = document.Transcript(
        manner.voice.name,
        _eyes(reading.viewer, after),
        replace(_head(stretch, after, heard, manner.voice, summary), campaign=reading.title),
        cast if not manner.voice.story or any(one.phrase or one.portrait for one in cast) else (),
        heard.led(),
        document.End() if manner.voice.story else _end(reading, stretch, heard, beside, manner),
        lang=manner.voice.page_lang,
        opened=None if opening is None else opening.written(),
        source=source_of(reading.campaign),
        phrases=manner.voice.phrases,
        pages=document.PageTexts() if manner.deep else page_texts(reading, stretch, manner.voice),
        cover=shown.cover,
    )
    return typeset_transcript(told, manner.voice)


def scope_of(reading: LineView, stretch: Stretch, manner: TellingOptions, said: LateAdditions) -> Scope:
    """Returns what is told of a branch, and how; `said` are words recorded later."""
    return Scope(
        voice=manner.voice,
        viewer=reading.viewer,
        ids=reading.ids,
        stretch=stretch,
        begins=reading.table_at(stretch.after),
        additions=said,
        opened=timing.session_opening(reading, stretch.after, stretch.upto),
        prefix=manner.prefix,
        ribbon=manner.ribbon,
        kept_back=reading.revealed.kept_back,
        known_to_some=reading.revealed.to_all,
        extremes=extremes_of(reading, stretch) if manner.voice.folds else {},
        is_proper=cache(partial(_is_proper, reading)),
        pronouns=cache(partial(_last_pronouns, reading)),
    )


def story_of(
    reading: LineView,
    scope: Scope,
    hearing: Listeners,
    beside: Iterable[PlacedVariation] = (),
    part: Stretch | None = None,
) -> StretchResult:
    """Returns a story, or one part of it: its events are placed, weighed and written.

    `beside` are the stories of other branches, in order.
    """
    told = scope.stretch if part is None else part
    there = reading.table_at(told.after)
    here = Placing.beginning(scope, there, [(forked.at, forked.variation) for forked in beside])
    story = Weighing(scope, [here.scene], Awaited(scope.additions))

    table = copied(there)  # a copy, because `moments` evolves it
    moments = reading.with_progress(hearing.progress).moments(told.after, told.upto, table=table)
    events = placed(moments, table, here, hearing.also)
    scenes = tuple(written(weighed(events, story), scope.voice, hearing.keep, hearing.begun))

    reading.tables.keep(told.upto, table, alone=part is not None)
    return StretchResult(
        scenes,
        here.attendance,
        story.quotes,
        here.systems,
        [UntoldResult(one.at, ours, tuple(one.left)) for one, ours in story.untold()],
        here.carries or story.waits(),
    )


def _is_proper(reading: LineView, name: str) -> bool:
    """True if a narration has a role as a name, outside of speech."""
    told = (recorded.event for recorded in reading.recorded(kinds=(e.Narrated.kind,)))
    texts = (unquoted(str(event.text)) for event in told if isinstance(event, e.Narrated))
    return any(is_proper(name, text) for text in texts)


def _last_pronouns(reading: LineView) -> dict[int, str]:
    said = (recorded.event for recorded in reading.recorded(kinds=(e.Described.kind,)))
    described = (event for event in said if isinstance(event, e.Described) and event.pronouns is not None)
    return {
        event.person: "" if takes_back(event.pronouns.text) else first_pronoun(event.pronouns.text)
        for event in described
        if event.pronouns
    }


def last_stretch(reading: LineView) -> Stretch:
    """Returns the positions of the last session; of the whole branch if it has no session."""
    known = (*reading.sessions.opened,)
    return reading.sessions.stretch(known[-1]) if known else Stretch(0, reading.position)


def extremes_of(reading: LineView, stretch: Stretch) -> Mapping[int, str]:
    """Returns the highest and the lowest roll of each session that `stretch` touches, for this viewer.

    Rolls outside of sessions are none.
    """
    found: dict[int, str] = {}
    for session, opened in reading.sessions.opened.items():
        upto = reading.sessions.end(session, 0)
        if opened <= stretch.upto and upto > stretch.after:
            found |= extreme_rolls(reading.recorded(opened, upto, (e.DiceRolled.kind,)))
    return found


# --- head, cast and end -----------------------------------------------------------------------------------


def _eyes(viewer: Viewer, table: Table) -> str:
    """Returns the viewer's name for the transcript: `gm`, `table`, or a person's name."""
    if viewer.gm:
        return "gm"
    return "table" if viewer.person is None else table.name(viewer.person)


def _head(
    stretch: Stretch, table: Table, heard: StretchResult, voice: Voice, summary: str | None
) -> document.Head:
    opened, there, told = stretch.session, heard.attendance, typesetter_of_words(voice)
    sat = tuple(map(table.name, table.game_masters))
    led = sat if opened is not None else there.leaders() or sat
    return document.Head(
        None,
        None if opened is None else opened.session,
        None if opened is None or opened.title is None else str(opened.title),
        None if opened is None else opened.date,
        tuple(called_in(voice.phrases, name, table) for name in heard.systems),
        led[-1] if led else None,
        tuple(_played(table, there, () if opened is None else opened.absent)),
        () if opened is None else tuple(map(table.name, opened.absent)),
        None if stretch.previously is None else told(stretch.previously),
        None if summary is None else told(summary),
        led,
        tuple(SYSTEMS[name].credit(table) for name in heard.systems),
    )


def _played(table: Table, there: Attendance, absent: tuple[int, ...]) -> Iterator[document.Played]:
    characters: dict[tuple[int, ...], list[str]] = {}
    for person in table.everybody():
        if person.id in there.seen and person.id != GM:
            players = tuple(player for player in there.players_of(person.id, table) if player not in absent)
            characters.setdefault(players, []).append(person.called)
    for players, played in characters.items():
        if players:
            *before, last = map(table.name, players)
            yield document.Played(last, tuple(played), tuple(before))


def _cast(table: Table, there: Attendance, voice: Voice, shown: Pictures) -> Iterator[document.Member]:
    """Yields the characters who appeared, with their players; a voice that tells a story omits players.

    It omits people without a player of whom nothing is known but their name, too. The party's purse is not a
    person.
    """
    set_, purse = typesetter_of(voice), bare_purse_of(table)
    names = [person.called for person in table.everybody()]
    for person in table.everybody():
        is_known = person.text is not None or person.player is not None or person.id in shown.portraits
        if person.id in there.seen and person.role not in ("player", "gm") and person.id != purse:
            if voice.story and not is_known:
                continue
            players = () if voice.story else there.players_of(person.id, table)
            *before, player = map(table.name, players) if players else (None,)
            phrase = None if person.text is None else set_(str(person.text))
            called = voice.phrases.language.capitalised(numbered(person.called, names, voice.phrases))
            yield document.Member(
                called or person.called,
                person.role,
                player,
                phrase,
                tuple(filter(None, before)),
                shown.portraits.get(person.id),
                shown.colours.get(person.id),
            )


def _end(
    reading: LineView,
    stretch: Stretch,
    heard: StretchResult,
    beside: Sequence[PlacedVariation],
    manner: TellingOptions,
) -> document.End:
    quotes = (*heard.quotes, *(quote for placed in beside for quote in placed.quotes))
    if not manner.ends:
        return document.End(quotes=quotes)
    from retold.projections.story import state_changes  # noqa: PLC0415 -- the console starts without it

    phrases = manner.voice.phrases
    before, after = reading.table_at(stretch.after), reading.table_at(stretch.upto)
    untold = (reading.viewer.gm or manner.untold) and not manner.voice.stage
    changes = tuple(state_changes.in_order(before, after, phrases, heard.attendance.touched))
    missing = (
        document.Missing(
            reading.ids.at(at), said, tuple(after.shown(person, phrases.say("names.gm")) for person in left)
        )
        for at, said, left in heard.untold
    )
    return document.End(
        tuple(change.sentence for change in changes),
        tuple(_open(after, phrases)),
        quotes,
        tuple(missing) if untold else (),
        frozenset(place for place, change in enumerate(changes) if change.names_player),
    )


def _open(table: Table, phrases: Phrases) -> Iterator[str]:
    yield from (not_over(conflict, table, phrases) for conflict in table.conflicts.values())
    waiting = conflicts.pending_of(table).waiting
    if phrases.language.code == LANGUAGE:
        yield from (question.asked for question in waiting)
    elif waiting:  # the rules ask in English
        yield phrases.say("end.questions", number=len(waiting))


def not_over(conflict: OpenConflict, table: Table, phrases: Phrases) -> str:
    """Returns a sentence that says that a conflict is still open, with its game and sides."""
    gm = phrases.say("names.gm")
    return phrases.say(
        "end.not-over",
        conflict=conflict_title(conflict, table, gm),
        system=short_name(phrases, conflict.system, table),
        sides=[" + ".join(table.shown(person, gm) for person in side) for side in conflict.sides],
    )


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
    """Returns the transcript of a whole branch with an index, as the viewer of `reading` may know it.

    Raises Refused for an unknown voice. `told`, `keep` and `by_many` are as in `of_range`.
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
        _entries(found, reading.table), key=lambda entry: (entry.kind, _in_order(entry.name, book.lang))
    )
    set_ = typesetter_of(voice_of(voice))
    return replace(book, index=tuple(replace(entry, name=set_(entry.name)) for entry in entries))


# --- who and what is where --------------------------------------------------------------------------------


def _entries(met: CastIndex, table: Table) -> Iterator[document.Entry]:
    """Yields the index entries of people, things and places under their latest names; no players."""
    found: dict[int | str, tuple[dict[int, None], dict[str, None]]] = {}
    for key, there in met.sessions.items():
        known = found.setdefault(key if isinstance(key, str) else table.whose(key), ({}, {}))
        known[0].update(there)
        known[1].update(met.scenes.get(key, {}))
    for key, (sessions, scenes) in found.items():
        where = tuple(sorted(sessions)), tuple(scenes)
        if isinstance(key, str):
            yield document.Entry(met.names[key], "place", *where)
        elif table.people[key].role not in ("player", "gm"):
            kind: Literal["person", "thing"] = "person" if _is_person(table, key) else "thing"
            yield document.Entry(table.people[key].called, kind, *where)


def _is_person(table: Table, number: int) -> bool:
    """True if person `number` is a character, not a side (a group in a conflict) or a thing of a game."""
    somebody = table.people[number]
    is_side = somebody.role == "side" and somebody.player is None and somebody.text is None
    things = (
        answer_of(system, shelf.things, ())
        for system, shelf in table.shelves.items()
        if isinstance(shelf, HasThings)
    )
    return not is_side and all(number not in found for found in things)


# --- the order of an index --------------------------------------------------------------------------------


def _in_order(name: str, lang: str) -> tuple[list[tuple[int, int, str]], str]:
    """Returns a name's sort key: word by word, ignoring case, accents, signs and a leading article.

    Numbers sort before letters and by size: Deck 2 before Deck 10.
    """
    articles = ARTICLES.get(primary(lang), frozenset())
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
