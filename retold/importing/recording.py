"""Recording of the acts of new units, in transactions of about a thousand acts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from retold.importing.comparing import New, Rewording
from retold.importing.intake import Intake
from retold.importing.known import Known
from retold.importing.merging import Entry
from retold.importing.people import Part, Participant, People, is_name, on_one_line
from retold.importing.planning import Planned, Verb
from retold.importing.sessions import Begin, End, Step, TakeBack
from retold.importing.throws import beside_words, results_of, rungs, target_of
from retold.journal.decks.chance import Provenance
from retold.journal.language.binding import Scope, bind
from retold.journal.language.lexing import lex
from retold.journal.names import normalise, quoted
from retold.journal.options import LANGUAGE
from retold.journal.refused import Refused
from retold.journal.store.events.acts import Manner, RecordedAct
from retold.journal.store.writing.campaign import LineWriter
from retold.journal.store.writing.rewording import reword_each
from retold.journal.store.writing.undo import plan_undo, undo
from retold.journal.visibility import GAME_MASTER_ONLY, TABLE, VisibleTo
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import GM, Command, Words
from retold.sources.answers import folded_label
from retold.sources.dice import Rung, Throw
from retold.sources.unit import Fact, FactKind

MOST_ACTS: Final = 1_000
"""Number of acts after which a transaction ends, once the unit is whole."""
MOVED_ON: Final = (
    "Another writer recorded something meanwhile: what came in so far stays. Say it again for the rest."
)
_MOST_EQUAL: Final = 100
_CLOSED: Final = frozenset({"closed", "done", "resolved", "ended", "completed", "abandoned"})

Record = Callable[[Command, Manner], RecordedAct]
Tell = Callable[[int, int], None]


class Recorder:
    """Records steps on a line, and counts in the report what it recorded."""

    def __init__(self, writer: LineWriter, known: Known, people: People, intake: Intake) -> None:
        self._writer = writer
        self._known = known
        self._people = people
        self._intake = intake

    def carry_out(self, steps: Sequence[Step], rewordings: Sequence[Rewording], tell: Tell) -> None:
        """Records all steps, then the rewordings.

        `tell` gets the number of steps done and of all, after each transaction. What was recorded stays if it
        is interrupted: each transaction is whole. Raises Refused if the line does not take what a unit
        became, or if another writer records meanwhile.
        """
        total, done = len(steps) + len(rewordings), 0
        while done < len(steps):
            step = steps[done]
            if isinstance(step, TakeBack):
                self._take_back(step)
                done += 1
            else:
                done += self._transaction(steps[done:])
            tell(done, total)
        for first in range(0, len(rewordings), MOST_ACTS):
            some = rewordings[first : first + MOST_ACTS]
            reword_each(self._writer, [self._change(one) for one in some])
            self._intake.acts += len(some)
            done += len(some)
            tell(done, total)

    def _take_back(self, step: TakeBack) -> None:
        (act,) = plan_undo(self._writer)
        if act.first != step.at:
            raise Refused(MOVED_ON)
        undo(self._writer, 1, Manner(source=step.entry.source, when=step.entry.when))
        self._intake.acts += 1

    def _change(self, one: Rewording) -> tuple[int, Words, Manner]:
        act = self._known.id_of(one.entry.identity, one.part, f"reworded {one.number + 1}")
        return one.act.text_at, Words(one.text), Manner(source=one.entry.source, act=act)

    def _transaction(self, steps: Sequence[Step]) -> int:
        """Records steps until there are acts enough; returns their number."""
        expected, done = self._writer.head, 0
        with self._writer.one_transaction() as record:
            if self._writer.head != expected:
                raise Refused(MOVED_ON)
            recording = _Recording(self._writer, self._known, self._people, record)
            for step in steps:
                begins = done > 0 and isinstance(steps[done - 1], Begin)  # no session without a unit
                if isinstance(step, TakeBack) or (recording.acts >= MOST_ACTS and not begins):
                    break
                recording.carry_out(step)
                done += 1
        self._intake.acts += recording.acts
        self._intake.secret_throws += recording.secret_throws
        self._intake.throws.update(recording.throws)
        return done


class _Told(NamedTuple):
    """Words of an act; the speaker's id, or None without a speaker."""

    who: int | None
    text: str
    step: New


class _Recording:
    """Records steps in one transaction."""

    def __init__(self, writer: LineWriter, known: Known, people: People, record: Record) -> None:
        self._writer = writer
        self._known = known
        self._all = people
        self._record = record
        self._people: dict[Participant, int | None] = {}
        self._are_seated = False
        self.acts = 0
        self.secret_throws = 0
        self.throws: list[Rung] = []

    def carry_out(self, step: Step) -> None:
        """Records one step."""
        if isinstance(step, Begin):
            title = Words(step.title) if step.title else None
            self._set_up(c.OpenSession(title=title, date=step.date), step.entry, "session", step.entry.when)
        elif isinstance(step, End):
            self._set_up(c.End(what="session"), step.entry, "end", step.when, once=step.is_last)
        elif isinstance(step, New):
            if any(planned.eyes is None for planned in step.planned):
                self._name_language(step.entry)
            for planned in step.planned:
                self._act(step, planned)

    # --- sessions and cast ---

    def _set_up(
        self, command: Command, entry: Entry, about: str, when: str | None, *, once: bool = False
    ) -> None:
        """Records an act beside those of units; with `once` not again if it was undone."""
        part = 0
        while (act := self._known.id_of(entry.identity, part, about)) in self._known.acts:
            if once:
                return
            part += 1
        self._do(command, Manner(source=entry.source, when=when, act=act, is_new=True))

    def _name_language(self, entry: Entry) -> None:
        """Sets the language of the words once, as the answers say, unless the table has chosen one."""
        language = self._all.language
        act = self._known.id_of_person(language, "language")
        if (
            language
            and act not in self._known.acts
            and LANGUAGE.key not in self._writer.table.options.get("", {})
        ):
            command = c.SetOption(values={f"table.{LANGUAGE.key}": language})
            self._do(command, Manner(source=entry.source, when=entry.when, act=act, is_new=True))

    def _person(self, speaker: Participant, entry: Entry, *, openly: bool) -> int | None:
        """Id of a person, cast if they are new; None if they may not or cannot be.

        A person played by the game master comes in `openly` only: a whisper does not tell of them.
        """
        if self._people.get(speaker) is None:  # another label may have brought them in since
            self._people[speaker] = self._known.person(speaker)
        found = self._people[speaker]
        if found is None and speaker.character:
            self._person(self._all.speaker(speaker.character), entry, openly=openly)
            found = self._people[speaker] = self._known.person(speaker)
        if found is None and (openly or speaker.player):
            found = self._people[speaker] = self._cast(speaker, entry)
        elif found is not None and speaker.player and self._writer.table.people[found].player is None:
            self._seat(found, speaker, entry)
        return found

    def _cast(self, speaker: Participant, entry: Entry) -> int | None:
        command = c.Cast(who=Words(speaker.name), by=Words(speaker.player) if speaker.player else None)
        try:
            self._do(command, self._manner_of_cast(speaker, entry, "cast"))
        except Refused:
            return None
        return self._writer.table.called(speaker.name)

    def _seat(self, person: int, speaker: Participant, entry: Entry) -> None:
        """Names the player of a person who has none, once."""
        manner = self._manner_of_cast(speaker, entry, f"seat {normalise(speaker.player)}")
        if person != GM and manner.act not in self._known.acts:
            try:
                self._do(c.Cast(who=person, by=Words(speaker.player)), manner)
            except Refused:
                return

    def _manner_of_cast(self, speaker: Participant, entry: Entry, about: str) -> Manner:
        number, named = 1, about
        while about == "cast" and self._known.id_of_person(speaker.name, named) in self._known.acts:
            number += 1
            named = f"{about} {number}"
        act = self._known.id_of_person(speaker.name, named)
        return Manner(source=entry.source, when=entry.when, act=act, is_new=True)

    # --- units ---

    def _act(self, step: New, planned: Planned) -> None:
        entry = step.entry
        visible_to = self._visible_to(planned, entry)
        who, text = self._speaker(planned, entry), planned.text
        if planned.who.is_person and who is None:
            who, text = GM, f"{planned.who.label}: {text}" if text else planned.who.label
        manner = Manner(
            by=self._teller(planned.who, entry),
            visible_to=visible_to,
            provenance=Provenance.IMPORTED,
            source=entry.source,
            unit=Words(entry.unit.key) if entry.log.has_ids else None,
            when=entry.when,
            act=self._known.id_of(entry.identity, planned.part),
            is_new=True,
        )
        if planned.verb is Verb.MARK:
            self._mark(text, step, manner)
        elif planned.fact is not None:
            self._fact(planned.fact, step, manner)
        elif planned.throw is not None:
            self._throw(planned.throw, _Told(who, text, step), manner)
        else:
            told = _Told(who, text, step)
            self._do(_words(planned.verb, told, is_hidden=visible_to != TABLE), manner)

    def _speaker(self, planned: Planned, entry: Entry) -> int | None:
        if planned.who.is_person:
            return self._person(planned.who, entry, openly=planned.eyes is None)
        return GM if planned.who.part is Part.GAME_MASTER else None

    def _teller(self, who: Participant, entry: Entry) -> int | None:
        """Id of the game master who told a unit, where there are several; seats them with the first unit."""
        masters, table = self._all.game_masters, self._writer.table
        if who.part is not Part.GAME_MASTER or len(masters) < 2 or not all((who.name, *masters)):  # noqa: PLR2004 - two or more
            return None
        act = self._known.id_of_person("+".join(sorted(map(folded_label, masters))), "game masters")
        if act not in self._known.acts and not self._are_seated:
            self._are_seated = True
            manner = Manner(source=entry.source, when=entry.when, act=act, is_new=True)
            try:
                self._do(c.Cast(who=GM, by=Words("+".join(masters))), manner)
            except Refused:
                return None
        told = self._writer.table.called(who.name)
        return told if told in table.game_masters else None

    def _visible_to(self, planned: Planned, entry: Entry) -> VisibleTo:
        if planned.eyes is None:
            return TABLE
        people = [self._person(one, entry, openly=False) for one in planned.eyes]
        known = tuple(sorted({person for person in people if person is not None and person != GM}))
        return known or GAME_MASTER_ONLY

    def _throw(self, throw: Throw, told: _Told, manner: Manner) -> None:
        """Records a throw on the highest rung that the rules accept."""
        self.secret_throws += manner.visible_to != TABLE
        for lower in rungs(throw) if told.step.about is None else ():
            if lower.rung is Rung.WORDS:
                break
            try:
                self._do(_roll(lower, told), manner)
            except Refused:
                continue
            self.throws.append(lower.rung)
            return
        words = told.text if throw.rung is Rung.WORDS else beside_words(throw, told.text)
        self._do(c.Aside(who=told.who, text=Words(words), at=told.step.about), manner)
        self.throws.append(Rung.WORDS)

    def _mark(self, name: str, step: New, manner: Manner) -> None:
        """Names the moment of a pinned unit; adds a number if the name is taken."""
        for number in range(1, _MOST_EQUAL) if step.about is None else ():
            try:
                self._do(c.Mark(name=Words(name if number == 1 else f"{name} {number}")), manner)
            except Refused:
                continue
            return

    def _fact(self, fact: Fact, step: New, manner: Manner) -> None:
        """Records a fact of a source by the fitting command, or as a note if none fits."""
        name, is_open = on_one_line(fact.name), manner.visible_to == TABLE
        if fact.kind is FactKind.PERSON:
            somebody = self._all.named(name)
            who = self._person(somebody, step.entry, openly=is_open) if somebody.is_person else None
            said = fact.value if who is not None else ": ".join(filter(None, (name, fact.value)))
            player = on_one_line(fact.player)
            if who is not None and is_open and is_name(player) and not self._known.has_player(who):
                self._seat(who, replace(somebody, player=player), step.entry)
            if said:
                self._do(c.Note(about=who, text=Words(said), at=step.about), manner)
            return
        if fact.kind is FactKind.TITLE and is_open and self._writer.table.title is None:
            self._do(c.NameCampaign(title=Words(name)), manner)
            return
        for line in _lines_of(fact) if is_open and step.about is None else ():  # a hidden one is a note
            if self._line(line, manner):
                return
        whose = f"{on_one_line(fact.whose)}, " if fact.whose else ""
        said = f"{whose}{fact.kind.value} {name}" + (f": {fact.value}" if fact.value else "")
        self._do(c.Note(text=Words(said), at=step.about), manner)

    def _line(self, line: str, manner: Manner) -> bool:
        """Records a typed line; returns False if the rules refuse it."""
        try:
            self._do(bind(lex(line), Scope(self._writer.table)).command, manner)
        except Refused:
            return False
        return True

    def _do(self, command: Command, manner: Manner) -> None:
        self._record(command, manner)
        self.acts += 1


def _words(verb: Verb, told: _Told, *, is_hidden: bool) -> Command:
    """Command for words; what has no form for hidden or older words is narrated."""
    who, text, about = told.who, told.text, told.step.about
    clock = told.step.entry.unit.clock
    heard = round(clock.total_seconds() * 1_000) if clock is not None and about is not None else None
    words = Words(text)
    if verb is Verb.SAY:
        return c.Say(who=who, text=words, at=about, clock=heard)
    if verb is Verb.ASIDE:
        return c.Aside(who=who, text=words, at=about)
    if verb is Verb.NOTE:
        return c.Note(about=who or None, text=words, at=about)
    if verb is Verb.DECLARE and about is None:
        return c.Declare(who=who, text=words)
    if verb is Verb.SCENE and about is None and not is_hidden:
        title, _, rest = text.strip().partition("\n")
        return c.SetScene(title=Words(on_one_line(title)), text=Words(rest) if rest.strip() else None)
    return c.Narrate(who=who, text=words, at=about, clock=heard)


def _roll(throw: Throw, told: _Told) -> c.Roll:
    words = Words(told.text) if told.text else None
    roll = c.Roll(who=told.who, dice=throw.dice, results=results_of(throw), text=words)
    target = target_of(throw)
    if target is None:
        return roll
    return roll.but({"against": "under" if target.under else "vs", "target": target.number})


def _lines_of(fact: Fact) -> Iterable[str]:
    """Lines that may state a fact, the likeliest first."""
    called = quoted(on_one_line(fact.name))
    value = fact.value.strip()
    said = f": {value}" if value else ""
    if fact.kind in (FactKind.PLACE, FactKind.THREAD):
        if fact.kind is FactKind.THREAD and value.casefold() in _CLOSED:
            yield f"thread {called} --done"
        yield f"{fact.kind.value} {called}{said}"
    elif fact.kind is FactKind.GAME_MASTER:
        yield f"cast gm by={called}"
    elif fact.kind is FactKind.CLOCK:
        yield from (f"clock {called} {number}" for number in _numbers(value))
    elif fact.whose:
        whose = quoted(on_one_line(fact.whose))
        yield from (f"track {whose} {called} {number}" for number in _numbers(value))


def _numbers(value: str) -> tuple[str, ...]:
    """Value of a row as it is typed: the number and the most, then the number alone."""
    plain = value.replace(" ", "")
    return tuple(dict.fromkeys((plain, plain.partition("/")[0]))) if plain else ()
