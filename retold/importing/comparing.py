"""Comparison of a source with a campaign: new, known, changed, gone and late units."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import chain
from typing import Final, NamedTuple

from retold.importing.imported_acts import ImportedAct
from retold.importing.intake import Changed, Gone, Intake
from retold.importing.known import AMENDING_KINDS, SETUP_KINDS, Known, instant_of
from retold.importing.merging import Entry, Identity, Merged, is_alike, said_at
from retold.importing.people import NOBODY, Part, on_one_line
from retold.importing.planning import (
    CARD,
    DEED,
    FACTS,
    FILES,
    LATER,
    MARK,
    MOST_DEEDS,
    REST,
    ROOM,
    SECRET,
    WORDS,
    Planned,
    Planner,
    Verb,
)
from retold.importing.throws import beside_words
from retold.journal.refused import Refused
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM
from retold.sources.chat_marks import of_discord, of_whatsapp
from retold.sources.evenings import START
from retold.sources.placeholders import without_placeholders
from retold.sources.unit import FactKind, Place, Precision, Sort, Unit

MOST_GONE: Final = 0.02
"""Share of known units that may be gone or in another order before the user is asked."""
_AROUND: Final = ' \n"\u201c\u201d()*_'
"""Signs around words, one of which half a unit may lack."""
_ANYWHERE: Final = (-1, "")
_KINDS: Final = {
    Verb.SAY: ("table.said",),
    Verb.NARRATE: ("table.narrated",),
    Verb.DECLARE: ("table.declared",),
    Verb.ASIDE: ("table.said-aside",),
    Verb.NOTE: ("table.noted",),
    Verb.SCENE: ("table.scene-set",),
    Verb.MARK: ("table.marked",),
    Verb.ROLL: ("table.dice-rolled", "table.total-reached", "table.rolled-in-secret"),
}


class New(NamedTuple):
    """Unit to record, with its planned acts."""

    entry: Entry
    planned: list[Planned]
    about: int | None = None
    """Position of the moment that it is told later of; None for what comes at the end."""
    instead: tuple[int, ...] = ()
    """Positions of acts to take back first, latest first: those of the half of it that came in before."""


class Rewording(NamedTuple):
    """Act whose words changed at the source."""

    entry: Entry
    part: int
    act: ImportedAct
    text: str
    number: int
    """Number of wordings before this one, the first not counted."""


class NotAgreed(Refused):
    """Raised for want of the user's agreement; `agreed` goes on all the same."""


class SameEvening(NotAgreed):
    """Raised if the same evening came in from another file."""


@dataclass
class Comparison:
    """Units of a source compared with a campaign: new ones, rewordings, the last known unit."""

    new: list[New] = field(default_factory=list)
    rewordings: list[Rewording] = field(default_factory=list)
    last_known: Entry | None = None
    """Last unit that the campaign had."""
    last_live: ImportedAct | None = None
    """Its last act that is not undone."""
    continued: int = -1
    """Session, by number of its evening, whose units stand at the end of the line; -1 without one."""
    known_evenings: set[int] = field(default_factory=set)


def compare(
    merged: Merged, planner: Planner, known: Known | None, intake: Intake, *, agreed: bool
) -> Comparison:
    """Compares all units with the campaign, and counts them in the report.

    Raises NotAgreed if units are gone or in another order, if throws are older than what is there, or if the
    same evening came in from a file of another format.
    """
    planner.read_ahead(merged.entries)
    if known is None:
        planned = [New(entry, list(planner.acts(entry))) for entry in merged.entries]
        new = [one for one in planned if one.planned]
        _set_scenes(new)
        intake.new, intake.known = len(new), len(planned) - len(new)
        return Comparison(new)
    return _Comparing(merged, planner, known, intake).compared(agreed=agreed)


def _set_scenes(new: Iterable[New], last: Entry | None = None) -> None:
    """Sets a scene before the first words of each public room, where a session has several.

    `last` is the unit at the end of the line.
    """
    evening, room = (-1, "") if last is None else (last.evening, last.room)
    for entry, planned, about, _ in new:
        if about is not None or all(one.eyes is not None for one in planned):
            continue
        if entry.room and (entry.evening, entry.room) != (evening, room):
            planned.insert(0, Planned(ROOM, Verb.SCENE, NOBODY, on_one_line(entry.room)))
        evening, room = entry.evening, entry.room


class _Comparing:
    """State of one comparison."""

    def __init__(self, merged: Merged, planner: Planner, known: Known, intake: Intake) -> None:
        self._people = planner.people
        self._merged = merged
        self._planner = planner
        self._known = known
        self._intake = intake
        self._found = Comparison()
        self._matched: dict[int, dict[str, list[ImportedAct]]] = defaultdict(dict)
        """Acts of the campaign whose units came back, by number of the file and by channel, in file order."""
        self._at_end: Entry | None = None
        """Unit of the last act that is not undone."""
        self._claimed: set[str] = set()
        """Ids of the acts that the units of the source became."""
        self._former: set[Identity] = set()
        """Units that an earlier release recorded, or other answers, under another identity."""
        self._instead: dict[Identity, tuple[int, ...]] = {}

    def compared(self, *, agreed: bool) -> Comparison:
        """The comparison."""
        fresh: list[tuple[int, Entry, list[Planned]]] = []
        last = -1
        previous: dict[int, int] = {}
        # position of the last act before, in a room of a session or in all of it
        positions: dict[tuple[int, str], int] = {}
        again = self._taken_back()
        for place, entry in enumerate(self._merged.entries):
            planned = list(self._planner.acts(entry))
            acts = self._acts(entry) if entry not in again else {}
            if not acts and self._is_all_known(planned):
                self._intake.known += bool(planned)
                self._intake.unchanged += not planned
                continue
            here = (entry.evening, entry.room) if self._merged.is_by_room else _ANYWHERE
            if not acts:
                fresh.append((place, entry, planned))
                if here in positions:
                    previous[place] = positions[here]
                continue
            self._intake.known += 1
            self._found.known_evenings.add(entry.evening)
            self._found.last_known = entry
            channel = self._matched[entry.log.number].setdefault(entry.unit.channel, [])
            channel.append(next(iter(acts.values())))
            live = {part: act for part, act in acts.items() if self._known.is_live(act)}
            self._compare_unit(entry, planned, acts, live)
            if live:
                last = place
                act = max(live.values(), key=lambda one: one.position)
                positions[here] = act.position
                live_before = self._found.last_live
                if act.about is None and (live_before is None or act.position > live_before.position):
                    self._found.last_live, self._found.continued = act, entry.evening
                    self._at_end = entry
        self._intake.otherwise += self._left_out_now()
        fresh = list(self._without_grown(fresh))
        self._check_growth(agreed=agreed)
        if not agreed:
            self._check_alike(fresh)
        for place, entry, planned in fresh:
            is_older = self._is_before_the_last(entry) or (place < last and not self._is_newest(entry))
            is_older = is_older and entry not in again
            about = self._moment_before(entry, previous.get(place)) if is_older else None
            self._found.new.append(New(entry, planned, about, self._instead.get(entry.identity, ())))
        _set_scenes(self._found.new, self._at_end)
        self._intake.new = len(fresh)
        self._intake.told_later = sum(one.about is not None for one in self._found.new)
        self._check_throws(agreed=agreed)
        self._intake.sessions_known = len(self._found.known_evenings)
        return self._found

    def _taken_back(self) -> Sequence[Entry]:
        """Units from the first deed that grew on, if the line ends with their acts: they come in again."""
        entries = self._merged.entries
        first = next((place for place, one in enumerate(entries) if one in self._planner.grown), None)
        units = [] if first is None else [one for one in entries[first:] if self._acts(one)]
        acts = sorted(
            (act for one in units for act in self._acts(one).values()), key=lambda act: act.position
        )
        was_mended = any(act.is_redacted or act.text_at in self._known.wordings for act in acts)
        if not acts or was_mended or not self._known.ends_with(acts):
            return ()
        self._instead[units[0].identity] = tuple(act.position for act in reversed(acts))
        self._found.known_evenings.add(units[0].evening)
        self._found.last_known = self._at_end = units[-1]
        self._found.last_live, self._found.continued = acts[-1], units[-1].evening
        return units

    def _left_out_now(self) -> int:
        """Number of units that the campaign has and every source now leaves out; claims their acts."""
        there = {entry.identity for entry in self._merged.entries}
        gone = {entry.identity: entry for entry in self._merged.left_out}
        found = [self._acts(gone[identity]) for identity in gone.keys() - there]
        return sum(any(part < MARK for part in acts) for acts in found)

    def _without_grown(
        self, fresh: Sequence[tuple[int, Entry, list[Planned]]]
    ) -> Iterator[tuple[int, Entry, list[Planned]]]:
        """Yields new units, and of the unit in whose middle an earlier file ended, only what it lacked.

        Such a unit has another key in a log without ids. Words that begin with those it had are reworded;
        what reads otherwise by its half, such as dice, takes the place of the half.
        """
        halves: dict[int, list[tuple[str, ImportedAct]]] = defaultdict(list)
        if any(not entry.log.has_ids for _, entry, _ in fresh):
            known = self._known.acts
            digests = {known[one].source[0] for one in self._claimed}
            for one, act in known.items():
                if act.source[0] in digests and one not in self._claimed and self._may_be_gone(act, None):
                    halves[act.source[1]].append((one, act))
        for place, entry, planned in fresh:
            half = sorted(halves.get(entry.unit.place.first, ()), key=lambda one: one[1].position)
            is_half = not entry.log.has_ids and bool(half) and self._is_half(planned, half)
            is_all = is_half and len(planned) == len(half)
            is_instead = not is_all and self._is_cut_off(entry, [act for _, act in half])
            is_half = is_half and not is_instead
            if not (is_half or is_instead):
                yield place, entry, planned
                continue
            self._claimed.update(one for one, _ in half)
            self._intake.known += is_half
            self._found.known_evenings.add(entry.evening)
            self._found.last_known = entry
            for had, (_, act) in zip(planned, half, strict=False) if is_half else ():
                self._compare_words(entry, had, act, {had.text}, is_live=True)
            last = half[-1][1]
            if self._found.last_live is None or last.position > self._found.last_live.position:
                self._found.last_live, self._found.continued, self._at_end = last, entry.evening, entry
            if is_instead:
                where, was = f"{entry.log.name}, {entry.unit.place}", half[0][1].text or ""
                self._intake.changed.append(Changed(where, was, entry.unit.text))
                self._instead[entry.identity] = tuple(act.position for _, act in reversed(half))
            if rest := planned if is_instead else planned[len(half) :]:
                yield place, entry, rest

    def _is_cut_off(self, entry: Entry, half: Sequence[ImportedAct]) -> bool:
        """True if acts at the end of the line came from the half of a unit that ended an earlier file."""
        if entry.log.has_ids or not half or not self._known.ends_with(half):
            return False
        if any(act.is_redacted or act.text_at in self._known.wordings for act in half):
            return False
        return entry.log.was_cut_off_at(entry.unit.place, half[0].source[0])

    def _is_half(self, planned: Sequence[Planned], half: Sequence[tuple[str, ImportedAct]]) -> bool:
        """True if acts are those of a unit as it began: of its kinds, by the same person, in its words."""
        if len(half) > len(planned):
            return False
        for one, (_, act) in zip(planned, half, strict=False):
            if (
                one.verb is Verb.ROLL
                or act.kind not in _KINDS.get(one.verb, ())
                or not self._known.is_live(act)
            ):
                return False
            wording = self._known.wordings.get(act.text_at)
            came = wording.text if wording is not None and wording.is_imported else act.text
            came = (came or "").removeprefix(f"{one.who.label}: ").strip(_AROUND)
            is_told = bool(came) and _folded(one.text.strip(_AROUND)).startswith(_folded(came))
            if not (is_told or act.is_redacted):
                return False
        return all(not self._is_otherwise(one, act) for one, (_, act) in zip(planned, half, strict=False))

    def _is_all_known(self, planned: Iterable[Planned]) -> bool:
        """True if a unit tells nothing new: it only names people of the cast and their known players."""
        for one in planned:
            fact = one.fact
            if fact is None or fact.kind is not FactKind.PERSON or fact.value:
                return False
            somebody = self._people.named(fact.name)
            person = self._known.person(somebody) if somebody.is_person else GM
            if person is None or (fact.player and not self._known.has_player(person)):
                return False
        return True

    def _acts(self, entry: Entry) -> dict[int, ImportedAct]:
        """Acts of the campaign that came from a unit, by their number; under its former identities too."""
        parts = [WORDS, *range(1, len(entry.unit.throws) + 1)]
        parts += range(FACTS, FACTS + len(entry.unit.facts))
        parts += (REST, MARK, SECRET, CARD)
        parts += (ROOM,) if entry.unit.channel else ()
        parts += (FILES,) if entry.unit.attached else ()
        parts += (DEED,) if entry.unit.throws or entry.unit.sort is Sort.NOTICE else ()
        has_marks = "*" in entry.unit.text or "_" in entry.unit.text
        parts += range(LATER, LATER + max(len(entry.unit.order), MOST_DEEDS * has_marks))
        known = self._known.acts
        for identity in (entry.identity, *entry.former_identities) if known else ():
            id_of = self._known.ids_of(identity)
            ids = {part: act for part in parts if (act := id_of(part)) in known}
            if ids:
                self._claimed.update(ids.values())
                if identity != entry.identity:
                    self._former.add(entry.identity)
                return {part: known[act] for part, act in ids.items()}
        return {}

    # --- older than what is there ---

    def _is_before_the_last(self, entry: Entry) -> bool:
        latest = self._known.latest
        if latest is None or entry.order == START or not entry.log.is_timed or entry.unit.when is None:
            return False
        blur = timedelta(minutes=1) if entry.unit.when.precision is Precision.MINUTE else timedelta()
        return entry.order + blur < latest

    def _is_newest(self, entry: Entry) -> bool:
        """True if a unit was played after everything that the campaign has, as in a room entered again."""
        latest = self._known.latest
        if latest is None or entry.instant is None:
            return False
        return self._merged.is_by_room and entry.instant > latest

    def _moment_before(self, entry: Entry, previous: int | None) -> int | None:
        """Position of the act after which a unit belongs; that of the first act if it is before all."""
        places = self._known.places
        if previous is not None and self._merged.is_by_room:
            return previous
        if entry.instant is not None and places:
            at = bisect_right(places, entry.instant, key=lambda place: place[0])
            return places[max(at - 1, 0)][1]
        if previous is not None:
            return previous
        positions = [act.position for act in self._known.acts.values() if self._known.is_live(act)]
        return min(positions, default=None)

    def _check_throws(self, *, agreed: bool) -> None:
        late = [one for one in self._found.new if one.about is not None]
        throws = sum(planned.verb is Verb.ROLL for one in late for planned in one.planned)
        if throws and not agreed:
            many = "1 throw is" if throws == 1 else f"{throws:,} throws are"
            raise NotAgreed(
                f"{many} older than what the campaign has, and dice cannot be recorded before other dice:"
                " take all files together into a new campaign, or agree that they are told as words."
            )

    # --- the same unit ---

    def _compare_unit(
        self,
        entry: Entry,
        planned: Sequence[Planned],
        acts: dict[int, ImportedAct],
        live: dict[int, ImportedAct],
    ) -> None:
        parts = {one.part for one in planned if one.verb not in (Verb.FACT, Verb.MARK) and one.part < FACTS}
        reads_otherwise = parts != {part for part in acts if part < FACTS and part not in (MARK, ROOM)}
        are_alike = {part for part in parts if part < REST} == {part for part in acts if part < REST}
        lacking = [one.throw.words for one in planned if one.throw is not None and one.part not in acts]
        is_whole = not any(part in (CARD, FILES) or part >= LATER for part in acts)
        is_in_parts = any(one.part >= LATER for one in planned)
        is_former = entry.identity in self._former  # its key has its words: they are as they were
        for one in planned:
            act = acts.get(one.part)
            if act is None or one.verb in (Verb.SCENE, Verb.FACT, Verb.MARK):
                continue
            reads_otherwise = reads_otherwise or (act.about is None and self._is_otherwise(one, act))
            if is_former or (one.throw is not None and not (are_alike and _is_same_sort(one, act))):
                continue
            came = _folded(act.text or "")
            if any(_folded(words) in came for words in lacking):
                continue  # the words of a throw that an earlier release did not know
            if one.throw is not None and not one.text and came == _folded(one.throw.words):
                continue  # what its dice say
            now = one.whole if one.whole and is_whole else one.text
            forms = {now} if is_whole and is_in_parts and one.whole else {now, one.text}
            if one.whole:
                title, _, rest = one.whole.partition("\n")
                is_card = entry.unit.sort in (Sort.CARD, Sort.NOTICE)
                forms |= {one.whole, title, f"{title}: {rest}"} if is_card else {one.whole}
            self._compare_words(entry, replace(one, text=now), act, forms, is_live=one.part in live)
        self._intake.otherwise += reads_otherwise

    def _is_otherwise(self, planned: Planned, act: ImportedAct) -> bool:
        if planned.throw is not None and not _is_same_sort(planned, act):
            return not (act.text or "").endswith(beside_words(planned.throw, planned.text))
        if act.kind not in _KINDS[planned.verb]:
            return True
        if planned.verb is Verb.NOTE:
            return False
        if planned.who.part is Part.GAME_MASTER:
            return act.who not in (GM, None)
        if planned.who.is_person:
            who = self._known.person(planned.who)
            return act.who is not None and who is not None and act.who not in (who, GM)
        return act.who not in (None, GM)

    def _compare_words(
        self, entry: Entry, planned: Planned, act: ImportedAct, forms: set[str], *, is_live: bool
    ) -> None:
        """Notes that the words of an act changed at the source, if they are none of some forms."""
        wording = self._known.wordings.get(act.text_at)
        came = wording.text if wording is not None and wording.is_imported else act.text
        texts = forms | set(map(_without_quote, forms))
        if act.is_redacted or came is None or not texts.isdisjoint(_readings(came, planned.who.label)):
            return
        left = ""
        if wording is not None and not wording.is_imported:
            if not texts.isdisjoint(_readings(act.text or "", planned.who.label)):
                return
            left = "" if not texts.isdisjoint(_readings(wording.text, planned.who.label)) else "mended"
            if not left:
                return
        elif not is_live:
            left = "undone"
        place = f"{entry.log.name}, {entry.unit.place}"
        self._intake.changed.append(Changed(place, came, planned.text, left))
        if not left and planned.text:
            number = 0 if wording is None else wording.number
            label = f"{planned.who.label}: "
            text = label + planned.text if act.who == GM and came.startswith(label) else planned.text
            self._found.rewordings.append(Rewording(entry, planned.part, act, text, number))

    # --- gone, in another order, in another format ---

    def _check_growth(self, *, agreed: bool) -> None:
        there = {self._known.acts[one].source for one in self._claimed}
        gone: dict[tuple[str, int], Gone] = {}
        matched = 0
        for number, channels in self._matched.items():
            log = self._merged.logs[number]
            acts = list(chain.from_iterable(channels.values()))
            digests = {act.source[0] for act in acts}
            matched += len(acts)
            times = [entry.instant for entry in self._merged.entries if entry.log is log and entry.instant]
            span = (min(times), max(times)) if times else None
            for act in self._known.acts.values():
                if act.source[0] in digests and act.source not in there and self._may_be_gone(act, span):
                    gone.setdefault(act.source, Gone(f"place {act.source[1]}", act.text or ""))
        self._intake.gone = list(gone.values())
        moved = sum(self._moved(acts) for channels in self._matched.values() for acts in channels.values())
        if agreed:
            return
        if len(gone) > MOST_GONE * (len(gone) + matched):
            many = "1 unit" if len(gone) == 1 else f"{len(gone):,} units"
            raise NotAgreed(
                f"{many} of {len(gone) + matched:,} that came in before are gone from the source: see whether"
                " it is the right file, and say it again if you agree to go on."
            )
        if moved > MOST_GONE * matched:
            raise NotAgreed(
                f"{moved:,} of {matched:,} units that came in before are in another order now: see whether it"
                " is the right file, and say it again if you agree to go on."
            )

    def _may_be_gone(self, act: ImportedAct, span: tuple[datetime, datetime] | None) -> bool:
        if act.kind in SETUP_KINDS or act.kind in AMENDING_KINDS or not act.kind.startswith("table."):
            return False
        if not self._known.is_live(act):
            return False
        if span is None:
            return True
        time = instant_of(act)
        return time is not None and span[0] <= time <= span[1]

    def _moved(self, acts: Iterable[ImportedAct]) -> int:
        """Fewest acts whose removal leaves the rest in the branch's order."""
        ends: list[int] = []
        number = 0
        for act in acts:
            if act.about is not None:
                continue
            number += 1
            at = bisect_right(ends, act.position)
            ends[at : at + 1] = [act.position]
        return number - len(ends)

    def _check_alike(self, fresh: Sequence[tuple[int, Entry, list[Planned]]]) -> None:
        there = {said_at(instant_of(act), act.text) for act in self._known.acts.values() if act.text}
        said = [
            said_at(entry.instant, one.text)
            for _, entry, planned in fresh
            for one in planned[:1]
            if one.verb is not Verb.ROLL
        ]
        undated = {
            said_at(None, act.text) for act in self._known.acts.values() if act.text and not instant_of(act)
        }
        if is_alike(said, there) or is_alike([("", words) for _, words in said], undated):
            raise SameEvening(
                "The new units say what the campaign has of the same minutes: the same evening came in from"
                " another file or format. Take that one again, grown, or agree that they come in beside it."
            )


def _is_same_sort(planned: Planned, act: ImportedAct) -> bool:
    """True if a throw is recorded with its dice now as it was then, or without them as it was then."""
    return (planned.verb is Verb.ROLL) == (act.kind in _KINDS[Verb.ROLL])


def _folded(text: str) -> str:
    return " ".join(text.split())


def _readings(came: str, label: str) -> Iterator[str]:
    """Yields words as they were recorded, then as they would be now: earlier releases kept a chat's signs."""
    behind = "" if came == label else came.removeprefix(f"{label}: ")
    told = came.removeprefix(f"{e.UNREAD_SIGN} ")
    texts = dict.fromkeys((came, behind, _without_quote(came), _without_quote(behind), told))
    yield from texts
    for text in filter(None, texts):
        yield of_discord(text).text
        read = without_placeholders(Unit(Place(1, 1), "", Sort.SAID, text, speaker=label))
        yield "\n".join(filter(None, (of_whatsapp(read.text).text, *read.attached)))


def _without_quote(text: str) -> str:
    """Words of a reply, without a quoted first line."""
    first, _, rest = text.partition("\n")
    return rest if first.startswith("> ") and rest else text
