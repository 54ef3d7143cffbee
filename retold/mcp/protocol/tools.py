"""Tools for an assistant: what each takes, and the items that it answers with."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from threading import RLock
from typing import Annotated, Any, Final, Never

import msgspec
from msgspec import Meta, Struct

from retold import Arrival, Campaign, Happened, Reading, Refused, Told
from retold.journal.extras import Extra
from retold.mcp.protocol.pages import Item, Listed
from retold.projections.comparison.diff import compare
from retold.projections.dossiers import heading, sections
from retold.projections.reading import LineView
from retold.projections.story.document import Scene
from retold.projections.story.paragraph import Paragraph

LIBRARY: Final = Extra("mcp", "mcp.server.lowlevel", "mcp")
MOST_KEPT: Final = 64
"""So many lists are kept until the campaign changes."""
MOST_TYPED: Final = 100_000
"""Characters of a text that is sent to a tool."""
MOST_FOUND: Final = 500
"""Texts that a search answers with."""
WHOLE: Final = "book"
"""The part that is every session."""
_EVENT: Final = re.compile(r"e[0-9a-f]+")
"""Id of an event; scenes, conflicts and blocks have others."""


def _refuse(*_: object) -> Never:
    """Refuses what was not allowed when the campaign was opened."""
    raise Refused("That is not allowed here.")


@dataclass
class Opened:
    """A campaign as one viewer may know it, and what was listed of it since it last changed."""

    name: str
    campaign: Campaign
    viewer: str | Arrival
    catch_up: Callable[[], object]
    """Brings the campaign to the branch being played, as it is now."""
    hand_in: Callable[[str, str], Mapping[str, Any]] = _refuse
    """Hands in a line as a proposal, by an assistant's name."""
    draft: Callable[[str], Any] = _refuse
    """Returns a draft as its writer sees it."""
    revise: Callable[[str, str, str], str] = _refuse
    """Takes a text back into a draft, by an assistant's name."""
    assistant: str = ""
    """Name of the assistant that asks."""
    alone: RLock = field(default_factory=RLock)
    """Held while one call is answered."""
    _told: Told = field(default_factory=Told)
    _events: Listed = field(default_factory=Listed)
    _kept: dict[bytes, Listed] = field(default_factory=dict)
    _checkers: dict[str, Any] = field(default_factory=dict)
    _sessions: list[int | None] = field(default_factory=list)
    """Session of each event listed."""
    _seen: object = None

    def reading(self) -> Reading:
        """Returns the branch being played; forgets what was listed before a change."""
        with self.alone:
            self.catch_up()
            now = self.campaign.changes, self.campaign.scribe.line
            if self._seen != now:
                self._seen = now
                self._kept.clear()
                self._checkers.clear()
            return self.campaign.seen_by(self.viewer)

    def listed(self, call: Paged) -> Listed:
        """Returns all items that a call answers with, page by page."""
        self.reading()
        key = msgspec.json.encode((type(call).__name__, msgspec.structs.replace(call, after="", limit=1)))
        if key not in self._kept:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[key] = Listed(call.items(self))
        return self._kept[key]

    def happened(self) -> Listed:
        """Returns all events; those that read otherwise now are withdrawn, and follow again."""
        names = _names(self.reading())
        gone, came = self.campaign.news(self.viewer, self._told)
        self._events.drop(gone)
        del self._sessions[len(self._sessions) - gone :]
        self._events.extend([self._event(event, names) for event in came])
        return self._events

    def _event(self, event: Happened, names: Mapping[int, str]) -> Item:
        session = getattr(event.event, "session", self._sessions[-1] if self._sessions else None)
        self._sessions.append(session)
        who = getattr(event.event, "who", None)
        return _item(
            event.id,
            session,
            at=event.at,
            kind=event.kind,
            who=names.get(who) if isinstance(who, int) else None,
            text=event.told,
            readers=event.visible_to,
        )

    def checker(self, reader: str) -> Any:  # noqa: ANN401 -- of a feature that may be missing
        """Returns what checks texts for a reader; kept until the campaign changes, since it reads all of it.

        Raises Refused if a viewer other than the game master names a reader.
        """
        self.reading()
        if reader and self.viewer != "gm":
            raise Refused("Only the game master may name a reader.")
        if reader not in self._checkers:
            known_to = reader or ("table" if self.viewer == "gm" else self.viewer)
            self._checkers[reader] = self.campaign.checker(known_to, secrets=self.viewer == "gm")
        return self._checkers[reader]


def _item(id_: str, session: int | None, **fields: object) -> Item:
    """Returns an item without empty fields; that of an event has a link into the replay of its session."""
    has_link = session is not None and _EVENT.fullmatch(id_)
    link = {"link": f"replay.html?part=s{session}#{id_}"} if has_link else {}
    return {"id": id_, **{key: value for key, value in fields.items() if value}, **link}


def _names(reading: Reading) -> Mapping[int, str]:
    return {person["id"]: person["name"] for person in reading.view("cast").to_json()["cast"]}


Named = Annotated[str, Meta(description="Name of the campaign; left out if there is only one.")]


class Tool(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Call of a tool; the docstring of each is what an assistant reads of it."""

    campaign: Named = ""

    def answer(self, opened: Opened) -> Mapping[str, Any]:
        """Returns the answer to an assistant of this name."""
        raise NotImplementedError


class Paged(Tool, frozen=True, kw_only=True):
    """Call of a tool that answers with a page of items."""

    after: Annotated[str, Meta(description="Cursor of the page before, or the id of an item.")] = ""
    limit: Annotated[int, Meta(ge=1, description="Most items.")] = 100

    def answer(self, opened: Opened) -> Mapping[str, Any]:
        """Returns the page of items behind the cursor."""
        return opened.listed(self).page(self.after, self.limit)

    def items(self, opened: Opened) -> Iterable[Item]:
        """Yields all items."""
        raise NotImplementedError


class Recap(Paged, frozen=True, kw_only=True):
    """How the last sessions ended, what changed, what is open, and who is who."""

    part: Annotated[str, Meta(description="s3, or s3..s7; the last session if left out.")] = ""
    length: Annotated[str, Meta(description="sentence, paragraph or page; some 200 words if left out.")] = ""

    def items(self, opened: Opened) -> Iterator[Item]:
        """Yields the title, how it ended, and a line each of what changed, what is open and who is who."""
        recap = opened.reading().recap(self.part or None, length=self.length or None).to_json()
        yield {"what": "title", "text": recap["title"]}
        yield from recap["happened"]
        for what in ("changed", "open", "people"):
            yield from ({"what": what, "text": text} for text in recap[what])


class Session(Paged, frozen=True, kw_only=True):
    """The story of an evening, or of all: each paragraph with who tells it and the dice behind it."""

    n: Annotated[int | str, Meta(description="Number of the session, or book for all.")]

    def items(self, opened: Opened) -> Iterator[Item]:
        """Yields scenes, conflicts and paragraphs in order."""
        part = str(self.n).removeprefix("s")
        session = int(part[:9]) if part.isdecimal() else None
        for scene in opened.reading().transcript(str(self.n)).scenes:
            session = session if scene.chapter is None else scene.chapter.session
            yield from _scene(scene, session)


def _scene(scene: Scene, session: int | None) -> Iterator[Item]:
    if scene.title is not None:
        yield _item(scene.id or "", session, kind="scene", text=scene.title)
    for passage in scene.passages:
        if (conflict := passage.conflict) is not None:
            yield _item(
                conflict.id,
                session,
                kind="conflict",
                text=conflict.title,
                sides=conflict.sides,
                stakes=conflict.stakes,
                dice=[one.text for one in conflict.mechanics],
            )
        yield from (_paragraph(one, session) for one in passage.paragraphs)


def _paragraph(paragraph: Paragraph, session: int | None) -> Item:
    return _item(
        paragraph.id,
        session,
        kind=paragraph.kind,
        who="Retold" if paragraph.generated else paragraph.speaker,
        text=paragraph.text,
        dice=[one.text for one in paragraph.mechanics],
        readers=paragraph.eyes,
        struck=paragraph.struck,
    )


class HappenedAfter(Paged, frozen=True, kw_only=True):
    """All that was recorded, event by event, in the notation of the log; with the last cursor, what is new.

    `reset` says that earlier events were undone, redacted or replaced: begin again without a cursor.
    """

    def answer(self, opened: Opened) -> Mapping[str, Any]:
        """Returns the page of events behind the cursor."""
        return opened.happened().page(self.after, self.limit)


class Who(Paged, frozen=True, kw_only=True):
    """All that is known of a person, a thread, a place or a thing."""

    name: str

    def items(self, opened: Opened) -> Iterator[Item]:
        """Yields a heading, and a line of each section."""
        known = opened.reading().who(self.name)
        yield _item(str(known.id), None, kind=known.kind, text=heading(known))
        for section in sections(known):
            for line in section.lines:
                session = line.session if line.id else None
                yield _item(line.id or "", session, kind=section.title, text=line.text)


class Search(Paged, frozen=True, kw_only=True):
    """The last 500 recorded texts that have all these words, the latest last."""

    words: str

    def items(self, opened: Opened) -> Iterator[Item]:
        """Yields a text each."""
        for match in opened.reading().search(*self.words.split(), last=MOST_FOUND):
            who = ", ".join(person.name for person in match.who)
            yield _item(
                match.id, match.session, kind=match.what, who=who, text=match.text, struck=match.struck
            )


class Threads(Paged, frozen=True, kw_only=True):
    """Threads of the story with their notes; `closed` is null while a thread is open."""

    def items(self, opened: Opened) -> Iterator[Item]:
        """Yields a thread each."""
        yield from opened.reading().view("threads").to_json()["matters"]


class Board(Paged, frozen=True, kw_only=True):
    """What lies on the table now, or lay there at a moment: cards, dice, points, maps."""

    at: Annotated[str, Meta(description="A moment: s3, a mark, the id of an event.")] = ""

    def items(self, opened: Opened) -> Iterator[Item]:
        """Yields a thing each; `who:2` is the person of number 2."""
        reading = opened.reading()
        then = reading.at(self.at) if self.at else reading
        yield from ({"id": key, "value": value} for key, value in then.board().items())


class Compare(Paged, frozen=True, kw_only=True):
    """What differs between two branches or moments: in numbers, then in the story since they parted."""

    one: Annotated[str, Meta(description="A branch, or a moment.")]
    other: Annotated[str, Meta(description="Another; the branch being played if left out.")] = ""

    def items(self, opened: Opened) -> Iterator[Item]:
        """Yields a value each, then a paragraph each of both stories."""
        reading = opened.reading()
        places = [_place(reading, typed) if typed else reading for typed in (self.one, self.other)]
        with opened.campaign.shared.lock:
            one, other = (LineView(at.shared.store, at.line, at.position).called(at.viewer) for at in places)
            difference = compare(one, other)
        for change in difference.state:
            yield {"kind": change.view, "what": change.about, "was": change.was, "now": change.now}
        for name, told in zip((difference.one, difference.other), difference.told, strict=True):
            yield from ({"branch": name, **_paragraph(one, None)} for one in told)


def _place(reading: Reading, typed: str) -> Reading:
    """Returns the branch of this name, else a moment; Refused if the viewer knows neither."""
    return reading.branch(typed) if typed in reading.branches else reading.at(typed)


class Can(Paged, frozen=True, kw_only=True):
    """Lines that the rules would take now, and the result of each."""

    who: Annotated[str, Meta(description="A person; all if left out.")] = ""

    def items(self, opened: Opened) -> Iterator[Item]:
        """Yields a line each."""
        yield from (proposal._asdict() for proposal in opened.reading().can(self.who or None))


class Check(Paged, frozen=True, kw_only=True):
    """A text held against the record, sentence by sentence, without a model.

    Verdicts: told, known, not-in-record, against, not-for-reader, cannot-tell.
    """

    text: Annotated[str, Meta(max_length=MOST_TYPED)]
    reader: Annotated[
        str, Meta(description="Who will read it: table (if left out) or a name; for the game master.")
    ] = ""

    def items(self, opened: Opened) -> Iterator[Item]:
        """Yields a sentence each, with its verdict, the events and the reason."""
        checker = opened.checker(self.reader)
        with opened.campaign.shared.lock:
            for number, text in enumerate(filter(None, map(str.strip, self.text.splitlines())), 1):
                title = text.lstrip("#").strip()
                for one in [checker.heading(title)] if text.startswith("#") else checker.paragraph(text):
                    yield {"paragraph": number, **msgspec.to_builtins(one._asdict())}


class Draft(Paged, frozen=True, kw_only=True):
    """The blocks of a draft as it is now, each beside what the record says."""

    name: str

    def items(self, opened: Opened) -> Iterator[Item]:
        """Yields a block each."""
        for block in opened.draft(self.name).blocks:
            yield _item(
                block.id,
                None,
                kind=block.sort,
                who=block.writer,
                text=block.text,
                state=block.state,
                record=block.record,
            )


class Propose(Tool, frozen=True, kw_only=True):
    """Hands in a line for the game master to take or refuse; nothing is recorded before that."""

    line: Annotated[str, Meta(max_length=MOST_TYPED)]

    def answer(self, opened: Opened) -> Mapping[str, Any]:
        """Returns the proposal, and what the line would come to."""
        return opened.hand_in(self.line, opened.assistant)


class Revise(Tool, frozen=True, kw_only=True):
    """Takes a text back into a draft as its next revision; new paragraphs wait for the game master."""

    name: Annotated[str, Meta(description="Name of the draft.")]
    text: Annotated[str, Meta(max_length=MOST_TYPED, description="All of it, as Markdown.")]

    def answer(self, opened: Opened) -> Mapping[str, Any]:
        """Returns a sentence about the revision."""
        return {"said": opened.revise(self.name, self.text, opened.assistant)}


def tools_of(opened: Iterable[Opened]) -> Mapping[str, type[Tool]]:
    """Returns the tools that are offered for these campaigns, by name."""
    every: tuple[tuple[str, type[Tool], Callable[[Opened], object]], ...] = (
        *((name, tool, lambda _: True) for name, tool in _READING.items()),
        ("check", Check, lambda one: hasattr(one.campaign, "checker")),
        ("draft", Draft, lambda one: one.draft is not _refuse),
        ("propose", Propose, lambda one: one.hand_in is not _refuse),
        ("revise", Revise, lambda one: one.revise is not _refuse),
    )
    campaigns = tuple(opened)
    return {name: tool for name, tool, is_offered in every if all(map(is_offered, campaigns))}


_READING: Final[Mapping[str, type[Tool]]] = {
    "recap": Recap,
    "session": Session,
    "happened": HappenedAfter,
    "who": Who,
    "search": Search,
    "threads": Threads,
    "board": Board,
    "compare": Compare,
    "can": Can,
}
