"""The `log` verb: prints events in notation, straight from the stored rows, so that it starts fast.

Undone and reworded events, and audiences, come from `journal.store.amendments`. Loading the whole branch to
learn them would take about three times as long as all of `log`.
"""

from __future__ import annotations

import json
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from journal.store.amendments import HIDDEN_WITH, current_audience, read_amendments, read_reveals
from journal.visibility import TABLE, VisibleTo, common_audience
from projections import plain, safe
from projections.plain.ink import Ink, with_audience

if TYPE_CHECKING:
    from cli.invocation import Options
    from journal.store.amendments import Reveals
    from journal.store.event_store import Row
    from journal.store.record import Record
    from projections.reading import LineView, Moment

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
                 numbered by ids; what was undone is the game master's alone
  --json         one JSON object a line, for machines
  -c FILE        the campaign; else RETOLD_CAMPAIGN, else the one here
"""
FEW = 20

NAMING = ("table.cast-introduced", "table.renamed")
"""The kinds that say what somebody is called."""

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
    from cli.settings import Settings
    from journal.store import places
    from journal.store.record import Record

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
    for entry in entries:
        if wanted.json:
            sys.stdout.write(f"{safe.in_json(entry.as_json())}\n")
        else:
            sys.stdout.writelines(f"{line}\n" for line in _fitted(entry.as_text()))
    sys.stdout.flush()


def _known(record: Record, line: int, as_of: int, viewer: str) -> LineView | None:
    """Returns the branch as a viewer other than the game master may know it; None for the game master."""
    if viewer == "gm":
        return None
    from journal.store.campaign import CampaignStore
    from projections.reading import LineView

    known = LineView(CampaignStore(record), line, as_of).called(viewer)
    return None if known.viewer.gm else known


def _known_entries(known: LineView, first: int, last: int, wanted: Wanted) -> Iterable[KnownEntry]:
    """Returns the last events of the range that the viewer may know, as many as asked for, oldest first."""
    from cli.invocation import UsageError

    if wanted.everything:
        raise UsageError("--all is for the game master: nobody else is shown what was undone.")
    entries = (KnownEntry.of(moment, known) for moment in known.moments(first - 1, last))
    return deque(entries, wanted.most) if wanted.most else entries


def _fitted(told: str) -> Iterable[str]:
    """Returns an event's text as lines: wrapped and indented on a terminal, else as it is."""
    if not sys.stdout.isatty():
        return (told,)
    from cli.printing import fitted

    return fitted((told,), sys.stdout, "       ")


def _wanted(options: Options, words: Sequence[str]) -> Wanted:
    """Returns the arguments in `words`, with those typed before the verb; UsageError for others."""
    from cli.invocation import UsageError

    given: dict[str, Any] = {}
    left = list(words)
    while left:
        word = left.pop(0)
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
        raise UsageError(f"log takes a range or --at: as it stood at {wanted.at} is ..{wanted.at}.")
    return wanted


_FLAGS: Mapping[str, str] = {"--all": "everything", "--json": "json"}
_VALUES: Mapping[str, str] = {
    **dict.fromkeys(("-n", "--limit"), "number"),
    **dict.fromkeys(("-c", "--campaign"), "campaign"),
    "--at": "at",
    "--branch": "branch",
    "--for": "viewer",
}
"""Options with a value, and the field of `Wanted` that each sets; those of `_FLAGS` have none."""


def _number(value: str) -> int:
    from cli.invocation import UsageError

    if not value.isdecimal():
        raise UsageError(f"-n wants a number, not {value}.")
    return int(value)


def _stretch(record: Record, settings: Any, wanted: Wanted) -> tuple[int, int, int]:  # noqa: ANN401 -- lazily loaded
    """Returns branch number, and first and last event position, to print."""
    if wanted.range is None and wanted.at is None and wanted.branch is None and wanted.viewer == "gm":
        line = written_to(record, settings)
        return line, 1, record.head(line).position
    from cli.invocation import Options
    from cli.opening import line_meant
    from journal.store.campaign import CampaignStore
    from projections.reading import LineView, find_place, find_range

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
    counts: bool
    see: VisibleTo
    """Who may see it: those it was recorded for, and those it was revealed to since."""
    visible_to: VisibleTo
    """Who may see it by now: of those, who see what it is put on."""
    names: Mapping[int, str]

    @property
    def viewers(self) -> str | Sequence[str]:
        """Audience that may know the event now: `table` (everybody), `gm`, or a list of names."""
        if isinstance(self.visible_to, str):
            return self.visible_to
        ink = Ink(self.texts.__getitem__, self.names)
        return list(dict.fromkeys(map(ink.who, self.visible_to)))

    def as_text(self) -> str:
        """Returns the event as one text line: position, notation, audience if it is restricted.

        An undone event stands between ~~; its time of play, if somebody said it, follows.
        """
        told = with_audience(self.told, self.visible_to, self.names)
        told = told if self.counts else f"~~{told}~~ (undone)"
        return f"{self.row.position:>5}  {told}{_played(self.head.get('when'))}"

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
                "told": self.told,
                "visible_to": self.viewers,
                **_when(self.head.get("when")),
            },
            ensure_ascii=False,
        )


class KnownEntry(NamedTuple):
    """One event to print for a viewer other than the game master: its text line and its JSON fields."""

    text: str
    fields: Mapping[str, Any]

    @classmethod
    def of(cls, moment: Moment, known: LineView) -> KnownEntry:
        """Builds the entry of a moment that the viewer of `known` sees; it discloses no position."""
        from projections.plain.lives import data_as_json, moment_notation

        ids, envelope = known.ids, moment.envelope
        name = ids.at(moment.position)
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
            "data": ids.shown(moment.event, data_as_json(moment.event)),
            "counts": True,
            "told": moment_notation(moment, ids),
            "visible_to": known.visible_to(envelope),
            **_when(envelope.when),
        }
        told = moment_notation(moment, ids, (envelope.visible_to,))
        return cls(f"{name}  {told}{_played(envelope.when)}", fields)

    def as_text(self) -> str:
        """Returns the event as one text line: id, notation, audience if it is restricted."""
        return self.text

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
            from journal.store.errors import Damaged

            raise Damaged(
                f"The event at position {row.position} of line {row.line} is broken: verify says more."
            ) from None

    def _told(self, row: Row) -> Entry:
        head = json.loads(row.body)
        texts: list[str | None] = [None] * len(head.get("words", ()))
        if row.words is not None:
            texts = [text and text[1] for text in json.loads(row.words)]
        for index, text in self._stands.rewordings.get(row.position, {}).items():
            texts[index] = text
        luck = head.get("luck")
        lucks = [luck] if isinstance(luck, str) else luck or ()
        kind, data = plain.current(row.kind, head["data"])
        told = plain.line(kind, data, _getter(texts), self._names, lucks)
        if plain.sealed(kind):
            told += f" [{' '.join(head.get('words', ()))}]"
            texts = [None] * len(texts)
        counts = self._stands.counts(row.position)
        see = self._seen_by(row, head)
        return Entry(row, head, kind, data, texts, told, counts, see, self._visible_to(row, see), self._names)

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
        from journal.store.codec import decode

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
        from journal.store.campaign import CampaignStore
        from projections.reading import LineView

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
    """Returns the JSON field `when`, an event's time of play; no field if nobody said it."""
    return {} if when is None else {"when": when}


def _played(when: str | None) -> str:
    """Returns an event's time of play as it stands after its notation; "" if nobody said it."""
    return "" if when is None else f" (played {when.replace('T', ' ')})"


def _getter(texts: Sequence[str | None]) -> Any:  # noqa: ANN401 -- a bound method of a list
    return texts.__getitem__


def _with_texts(value: Any, texts: Sequence[str | None]) -> Any:  # noqa: ANN401 -- JSON's own shapes
    if isinstance(value, dict):
        if value.keys() == {"~"}:
            return texts[value["~"]]
        return {key: _with_texts(field, texts) for key, field in value.items()}
    if isinstance(value, list):
        return [_with_texts(item, texts) for item in value]
    return value
