"""The `log` verb: prints events in notation, straight from the stored rows, so that it starts fast.

Undone and reworded events, and audiences, come from `journal/store/events/amendments`. Loading the whole
branch to learn them would take about three times as long as all of `log`.
"""

from __future__ import annotations

import json
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from retold.journal.store.events.amendments import (
    HIDDEN_WITH,
    current_audience,
    read_amendments,
    read_reveals,
)
from retold.journal.visibility import TABLE, VisibleTo, common_audience
from retold.projections import games, plain
from retold.projections.plain.ink import Ink, Lookup, with_audience
from retold.projections.plain.joining import joined
from retold.projections.plain.shared import revealed_words
from retold.projections.texts import safe

if TYPE_CHECKING:
    from retold.cli.invocation import Options
    from retold.journal.store.contract.event_store import Row
    from retold.journal.store.events.amendments import Reveals
    from retold.journal.store.events.record import Record
    from retold.projections.reading import LineView, Moment

HELP = """Show what was recorded, event by event, in notation.

  retold log s2..
  retold log -n 50 --for Jon

retold log [A..B] [OPTIONS]

Arguments
  A..B           only from moment A to moment B; an end left out is the
                 beginning, or now

Options
  -n, --limit N  the last N events (20, or all of a range); -n 0 is all of them
  --all          also what was undone, struck through with ~~
  --at MOMENT    as it stood then: 412, s3, s3:42, @-3, a mark, branch@412;
                 a range is told as it stands now
  --branch NAME  another line than the one you write to
  --for NAME     what that viewer (gm, table or somebody) may know of it,
                 without numbers; what was undone is the game master's alone
  --ids          with --for: each event's id before it, which --at takes
  --json         one JSON object a line, for machines
  -c FILE        the campaign; else RETOLD_CAMPAIGN, else the one here
"""
FEW = 20

NAMING = ("table.cast-introduced", "table.renamed")
"""The kinds that give a person's name."""

RETIRING = ("table.person-retired", "table.person-returned")
"""The kinds that say who is played no longer, and who is again."""


class Wanted(NamedTuple):
    """Arguments of one `log` command: range, number of events, moment, branch, viewer, campaign, JSON.

    `everything` includes undone events.
    """

    range: str | None = None
    number: int | None = None
    everything: bool = False
    at: str | None = None
    branch: str | None = None
    viewer: str = "gm"
    campaign: str | None = None
    json: bool = False
    ids: bool = False

    @property
    def most(self) -> int:
        """Number of events to print; 0 means every event."""
        if self.number is None:
            return FEW if self.range is None else 0
        return self.number


def log(options: Options, words: Sequence[str]) -> int:
    """Prints the events that `words` ask for, one a text line, or as JSON; returns the exit code."""
    if set(words) & {"-h", "--help"}:
        sys.stdout.write(HELP)
        return 0
    wanted = _wanted(options, words)
    from retold.cli.campaigns.settings import Settings
    from retold.journal.store import places
    from retold.journal.store.events.record import Record

    settings = Settings.of_user()
    with closing(places.opened(settings.campaign(wanted.campaign), read_only=True)) as store:
        record = Record(store)
        line, first, last = _stretch(record, settings, wanted)
        as_of = last if wanted.range is None else record.head(line).position
        known = _known(record, line, as_of, wanted.viewer)
        if known is None:
            page = Page(record, line, first, last, as_of)
            _print(page.entries(wanted.most, everything=wanted.everything), wanted)
        else:
            _print(_known_entries(known, first, last, wanted), wanted)
    return 0


def _print(entries: Iterable[Entry | KnownEntry], wanted: Wanted) -> None:
    if wanted.json:
        sys.stdout.writelines(f"{safe.in_json(entry.as_json())}\n" for entry in entries)
    else:
        for entry, more in joined(entries, lambda entry: (entry.kind, entry.data, entry.luck)):
            if more != "":
                sys.stdout.writelines(f"{line}\n" for line in _fitted(entry.as_text(more or "")))
    sys.stdout.flush()


def _known(record: Record, line: int, as_of: int, viewer: str) -> LineView | None:
    """Returns the branch as a viewer other than the game master may know it; None for the game master."""
    if viewer == "gm":
        return None
    from retold.journal.store.writing.campaign import CampaignStore
    from retold.projections.reading import LineView

    known = LineView(CampaignStore(record), line, as_of).called(viewer)
    return None if known.viewer.gm else known


def _known_entries(known: LineView, first: int, last: int, wanted: Wanted) -> Iterable[KnownEntry]:
    """Returns the last events of the range that the viewer may know, as many as asked for, oldest first."""
    from retold.cli.invocation import UsageError

    if wanted.everything:
        raise UsageError("--all is for the game master: others are not shown what was undone.")
    entries = (KnownEntry.of(moment, known, ids=wanted.ids) for moment in known.moments(first - 1, last))
    return deque(entries, wanted.most) if wanted.most else entries


def _fitted(told: str) -> Iterable[str]:
    """Returns an event's text as lines: wrapped and indented on a terminal, else as it is."""
    if not sys.stdout.isatty():
        return (told,)
    from retold.cli.output.printing import fitted

    return fitted((told,), sys.stdout, "       ")


def _wanted(options: Options, words: Sequence[str]) -> Wanted:
    """Returns the arguments in `words`, with those typed before the verb; UsageError for others."""
    from retold.cli.invocation import UsageError

    given: dict[str, Any] = {}
    left = list(words)
    while left:
        word = _GUESSED.get(word := left.pop(0), word)
        name, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
        if name in _FLAGS:
            given[_FLAGS[name]] = True
        elif name in _VALUES:
            if not equals:
                if not left:
                    raise UsageError(f"{name} wants a value.")
                value = left.pop(0)
            given[_VALUES[name]] = _number(value) if _VALUES[name] == "number" else value
        elif word.startswith("-n") and word[2:].isdecimal():
            given["number"] = int(word[2:])
        elif word.startswith("-"):
            raise UsageError(f"log has no {word}; retold log --help says what there is.")
        elif "range" in given:
            raise UsageError("log takes one range, such as s3..@.")
        else:
            given["range"] = word
    wanted = Wanted(branch=options.branch, campaign=options.campaign, json=options.json)._replace(**given)
    if wanted.range is not None and wanted.at is not None:
        raise UsageError(f"log takes a range or --at: as it was at {wanted.at} is ..{wanted.at}.")
    return wanted


_GUESSED: Mapping[str, str] = {
    **dict.fromkeys(("--gm", "--hidden", "--secret", "--secrets"), "--for=gm"),
    **dict.fromkeys(("--last", "--lines", "--tail"), "-n"),
}
"""Options of other tools, and those that they mean."""
_FLAGS: Mapping[str, str] = {"--all": "everything", "--json": "json", "--ids": "ids"}
_VALUES: Mapping[str, str] = {
    **dict.fromkeys(("-n", "--limit"), "number"),
    **dict.fromkeys(("-c", "--campaign"), "campaign"),
    "--at": "at",
    "--branch": "branch",
    "--for": "viewer",
}
"""Options with a value, and the field of `Wanted` that each sets; those of `_FLAGS` have none."""


def _number(value: str) -> int:
    from retold.cli.invocation import UsageError

    if not value.isdecimal():
        raise UsageError(f"-n wants a number, not {value}.")
    return int(value)


def _stretch(record: Record, settings: Any, wanted: Wanted) -> tuple[int, int, int]:  # noqa: ANN401 -- lazily loaded
    """Returns branch number, and first and last event position, to print."""
    if wanted.range is None and wanted.at is None and wanted.branch is None and wanted.viewer == "gm":
        line = written_to(record, settings)
        return line, 1, record.head(line).position
    from retold.cli.campaigns.opening import line_meant
    from retold.cli.invocation import Options
    from retold.journal.store.writing.campaign import CampaignStore
    from retold.projections.reading import LineView, find_place, find_range

    campaign = CampaignStore(record)
    line = line_meant(campaign, settings, Options(branch=wanted.branch), wanted.viewer)
    whole = LineView(campaign, line)
    if wanted.range is not None:
        start, end = find_range(whole, wanted.range, wanted.viewer)
        return start.line, start.position, end.position
    if wanted.at is not None:
        place = find_place(whole, wanted.at, wanted.viewer)
        return place.line, 1, place.position
    return line, 1, record.head(line).position


def written_to(record: Record, settings: Any) -> int:  # noqa: ANN401 -- lazily loaded
    """Returns the number of the branch this user writes to: the one switched to, else the mainline."""
    first = next(record.rows(1, 0, 1), None)
    if first is None:
        return 1
    chosen: int | None = settings.chosen_line(json.loads(first.body)["data"]["campaign"])
    if chosen is not None and chosen in record.store.streams():
        return chosen
    promoted = [row.line for row in record.everything(("table.promoted",))]
    return promoted[-1] if promoted else 1


class Entry(NamedTuple):
    """One event to print: its row, data in the current shape, text in notation, and audience."""

    row: Row
    head: Mapping[str, Any]
    kind: str
    """Without a version."""
    data: Mapping[str, Any]
    """In today's shape."""
    texts: Sequence[str | None]
    told: str
    """Without the commitments of sealed words, which are in its JSON."""
    counts: bool
    see: VisibleTo
    """Who may see it: those it was recorded for, and those it was revealed to since."""
    visible_to: VisibleTo
    """Who may see it by now: of those, who see what it is put on."""
    names: Mapping[int, str]

    @property
    def luck(self) -> Sequence[str]:
        """Sources of the event's cards or dice."""
        luck = self.head.get("luck")
        return [luck] if isinstance(luck, str) else luck or ()

    @property
    def viewers(self) -> str | Sequence[str]:
        """Audience that may know the event now: `table` (all), `gm`, or a list of names."""
        if isinstance(self.visible_to, str):
            return self.visible_to
        ink = Ink(self.texts.__getitem__, self.names)
        return list(dict.fromkeys(map(ink.who, self.visible_to)))

    def as_text(self, more: str) -> str:
        """Returns the event as one text line: position, notation, `more`, audience if it is restricted.

        An undone event is between ~~; its time of play, if given, follows.
        """
        told = with_audience(self.told + more, self.visible_to, self.names)
        told = told if self.counts else f"~~{told}~~ (undone)"
        return f"{self.row.position:>5}  {told}{_played(self.head.get('when'))}"

    def _sealed(self) -> str:
        """Returns the commitments of sealed words in brackets; empty for other events."""
        return f" [{' '.join(self.head.get('words', ()))}]" if plain.sealed(self.kind) else ""

    @property
    def _data(self) -> Mapping[str, Any]:
        file = plain.FILE_FIELDS.get(self.kind)
        return {key: value for key, value in self.data.items() if key != file}

    def as_json(self) -> str:
        """Returns the event as JSON text on one line; docs/json.md promises its fields."""
        return json.dumps(
            {
                "retold": "event",
                "version": 1,
                "line": self.row.line,
                "position": self.row.position,
                "kind": self.kind,
                "at": self.head["at"],
                "act": self.head["act"],
                "i": self.head["i"],
                "n": self.head["n"],
                "see": self.see,
                "luck": self.head.get("luck"),
                "data": _with_texts(self._data, self.texts),
                "counts": self.counts,
                "told": self.told + self._sealed(),
                "visible_to": self.viewers,
                **_when(self.head.get("when")),
            },
            ensure_ascii=False,
        )


class KnownEntry(NamedTuple):
    """One event to print for a viewer other than the game master: its text line and its JSON fields."""

    told: str
    """Its text line, up to its audience and its time of play."""
    after: str
    kind: str
    data: Mapping[str, Any]
    luck: Sequence[str]
    fields: Mapping[str, Any]

    @classmethod
    def of(cls, moment: Moment, known: LineView, *, ids: bool) -> KnownEntry:
        """Builds the entry of a moment that the viewer of `known` sees; it discloses no position.

        Its text begins with the event's id if `ids` is set.
        """
        from retold.projections.plain.lives import data_as_json, moment_notation, told_notation

        envelope = moment.envelope
        name = known.ids.at(moment.position)
        lucks = [provenance.value for provenance in envelope.luck]
        fields = {
            "line": None,
            "position": None,
            "id": name,
            "kind": moment.event.kind,
            "at": envelope.at,
            "act": None,
            "i": None,
            "n": None,
            "see": None,
            "luck": lucks if len(set(lucks)) > 1 else next(iter(lucks), None),
            "data": known.ids.shown(moment.event, data_as_json(moment.event)),
            "counts": True,
            "told": moment_notation(moment, known.ids),
            "visible_to": known.visible_to(envelope),
            **_when(envelope.when),
        }
        told = f"{name}  {moment_notation(moment, known.ids)}" if ids else told_notation(moment, known.ids)
        names = {number: who.called for number, who in moment.table.people.items()}
        after = f"{with_audience('', envelope.visible_to, names)}{_played(envelope.when)}"
        return cls(told, after, moment.event.kind, data_as_json(moment.event), lucks, fields)

    def as_text(self, more: str) -> str:
        """Returns the event as one text line: its id if asked for, notation, `more`, audience."""
        return f"{self.told}{more}{self.after}"

    def as_json(self) -> str:
        """Returns the event as JSON text on one line; docs/json.md promises its fields."""
        return json.dumps({"retold": "event", "version": 1, **self.fields}, ensure_ascii=False)


class Page:
    """Range of a branch's events to print; names, undos and rewordings are those of position `as_of`."""

    def __init__(self, record: Record, line: int, first: int, last: int, as_of: int) -> None:
        self._record = record
        self._line = line
        self._first = first
        self._last = last
        self._as_of = as_of
        self._stands = read_amendments(record, line, as_of)
        self._names = self._named()
        self._games: dict[str, list[tuple[int, str]]] = {}

    @property
    def names(self) -> Mapping[int, str]:
        """Maps a person's id to their current name; people whose introduction was undone are missing."""
        return self._names

    @cached_property
    def retired(self) -> frozenset[int]:
        """Ids of the retired people."""
        found: set[int] = set()
        for row in self._record.rows(self._line, 0, self._as_of, RETIRING):
            if self._stands.counts(row.position):
                person = json.loads(row.body)["data"]["person"]
                (found.add if row.kind == RETIRING[0] else found.discard)(person)
        return frozenset(found)

    def entries(self, number: int, *, everything: bool) -> Iterator[Entry]:
        """Yields the last `number` events of the range, oldest first; 0 means every event.

        `everything` includes undone events.
        """
        found: list[Entry] = []
        if number == 0:
            for row in self._record.rows(self._line, self._first - 1, self._last):
                if everything or self._stands.counts(row.position):
                    yield self._entry(row)
            return
        for row in self._record.backwards(self._line, self._last + 1):
            if row.position < self._first or len(found) >= number:
                break
            if everything or self._stands.counts(row.position):
                found.append(self._entry(row))
        yield from reversed(found)

    def _entry(self, row: Row) -> Entry:
        try:
            return self._told(row)
        except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
            from retold.journal.store.contract.errors import Damaged

            raise Damaged(
                f"The event at position {row.position} of line {row.line} is broken: verify says more."
            ) from None

    def _told(self, row: Row) -> Entry:
        head = json.loads(row.body)
        texts = self._texts(row, head)
        luck = head.get("luck")
        lucks = [luck] if isinstance(luck, str) else luck or ()
        kind, data = plain.current(row.kind, head["data"])
        told = plain.line(kind, data, _getter(texts), self._names, lucks, lookup=self._lookup(row.position))
        if plain.sealed(kind):
            texts = [None] * len(texts)
        counts = self._stands.counts(row.position)
        see = self._seen_by(row, head)
        return Entry(row, head, kind, data, texts, told, counts, see, self._visible_to(row, see), self._names)

    def _texts(self, row: Row, head: Mapping[str, Any]) -> list[str | None]:
        """Returns the texts of a row as they read now; None for redacted ones."""
        texts: list[str | None] = [None] * len(head.get("words", ()))
        if row.words is not None:
            texts = [text and text[1] for text in json.loads(row.words)]
        for index, text in self._stands.rewordings.get(row.position, {}).items():
            texts[index] = text
        return texts

    def _lookup(self, position: int) -> Lookup:
        """Returns functions that find the names which an event at `position` only points to."""

        def game(system: str) -> str:
            kind = getattr(games.room(system, "notation"), "CHOOSES", None)
            return system if kind is None else self._chosen_game(kind, position)

        return Lookup(game, self._branch, self._moment, self._revealed)

    def _chosen_game(self, kind: str, position: int) -> str:
        """Returns the name in the last event of `kind` at or before `position`; empty if there is none."""
        if kind not in self._games:
            rows = self._record.rows(self._line, 0, self._as_of, (kind,))
            counting = (row for row in rows if self._stands.counts(row.position))
            self._games[kind] = [(row.position, json.loads(row.body)["data"]["name"]) for row in counting]
        return next((name for at, name in reversed(self._games[kind]) if at <= position), "")

    def _branch(self, line: int) -> str:
        from retold.journal.store.events.line_events import line_names

        return line_names(self._record).get(line, f"line {line}")

    def _moment(self, position: int) -> str:
        """Returns a position as people type it: `s2:14`, or `#3` before the first session."""
        rows = self._record.rows(self._line, 0, position, ("table.session-opened",))
        opened = [row for row in rows if self._stands.counts(row.position)]
        if not opened:
            return f"#{position}"
        return f"s{json.loads(opened[-1].body)['data']['session']}:{position - opened[-1].position + 1}"

    def _revealed(self, position: int) -> str:
        """Returns what a reveal of the event at `position` shows."""
        row = self._record.row(self._line, position)
        if row is None:
            return ""
        head = json.loads(row.body)
        kind, data = plain.current(row.kind, head["data"])
        if plain.sealed(kind):
            return ""
        texts = _getter(self._texts(row, head))
        told = plain.line(kind, data, texts, self._names, lookup=self._lookup(position))
        return revealed_words(kind, data, told, Ink(texts, self._names))

    def _seen_by(self, row: Row, head: Mapping[str, Any]) -> VisibleTo:
        """Returns the event's audience: recorded with it, or widened by a later reveal.

        Other events that it refers to are ignored here.
        """
        return (
            current_audience(head.get("see", TABLE), row.position, self._reveals) if "see" in head else TABLE
        )

    def _visible_to(self, row: Row, see: VisibleTo) -> VisibleTo:
        """Returns viewers within the audience `see` who may know every event that this event refers to."""
        if not self._has_secret_people:
            return self._narrowed(row, see)
        from retold.journal.store.events.codec import decode

        return self._reading.sight.as_seen(decode(row)).envelope.visible_to

    def _narrowed(self, row: Row, see: VisibleTo) -> VisibleTo:
        """Returns viewers within the audience `see` who may know the event this row is attached to.

        Examples: a note on a thread is attached to the thread's first event, a mark to the event it names.
        """
        for field in HIDDEN_WITH.get(row.kind, ()):
            about = json.loads(row.body)["data"][field]
            on = self._record.row(self._line, about) if type(about) is int and about < row.position else None
            if on is not None:
                see = common_audience(see, self._narrowed(on, self._seen_by(on, json.loads(on.body))))
        return see

    @cached_property
    def _reading(self) -> LineView:
        """The branch as a `LineView`, loaded only if it has secret people, since loading is slow."""
        from retold.journal.store.writing.campaign import CampaignStore
        from retold.projections.reading import LineView

        return LineView(CampaignStore(self._record), self._line, self._as_of)

    @cached_property
    def _has_secret_people(self) -> bool:
        """True if the introduction of any person on this branch has a restricted audience."""
        rows = self._record.rows(self._line, 0, self._as_of, ("table.cast-introduced",))
        return any('"see":' in row.body for row in rows)

    @cached_property
    def _reveals(self) -> Reveals:
        """Reveals (secret events made known later) recorded on this branch, read on first use."""
        return read_reveals(self._record, self._line, self._as_of)

    def _named(self) -> dict[int, str]:
        names: dict[int, str] = {}
        for row in self._record.rows(self._line, 0, self._as_of, NAMING):
            if not self._stands.counts(row.position):
                continue
            data = json.loads(row.body)["data"]
            text = self._stands.text(row, data["name"])
            if text is not None:
                names[data["person"]] = text
        return names


def _when(when: str | None) -> Mapping[str, str]:
    """Returns the JSON field `when`, an event's time of play; no field if not given."""
    return {} if when is None else {"when": when}


def _played(when: str | None) -> str:
    """Returns an event's time of play as shown after its notation; "" if not given."""
    return "" if when is None else f" (played {when.replace('T', ' ')})"


def _getter(texts: Sequence[str | None]) -> Any:  # noqa: ANN401 -- a bound method of a list
    return texts.__getitem__


def _with_texts(value: Any, texts: Sequence[str | None]) -> Any:  # noqa: ANN401 -- JSON's own shapes
    if isinstance(value, dict):
        if value.keys() == {"~"}:
            return texts[value["~"]]
        return {key: _with_texts(field, texts) for key, field in value.items()}
    return [_with_texts(item, texts) for item in value] if isinstance(value, list) else value
