"""Two copies of a campaign: compared by their chains, brought together, and told apart where both went on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from journal.refused import Refused
from journal.store import line_events, sync
from journal.store.acts import Manner
from journal.store.campaign import CampaignStore
from journal.store.clock import Clock
from journal.store.dump import dump
from journal.store.errors import CannotWrite, StoreError
from journal.store.event_store import Row
from journal.store.record import Record
from journal.store.redact import plan_redaction, redact
from journal.store.retcon import carry_out, plan_retcon
from journal.store.reveal import reveal
from journal.store.rewording import reword
from journal.store.sqlite.file import restore
from journal.store.sync import Comparison, bring_together, compare, copy_into, words_standing
from journal.store.sync_apart import MovedLine, move_acts
from journal.store.undo import redo, undo
from journal.store.verify import verify, verify_rules
from journal.visibility import TABLE
from journal.vocabulary import commands as c
from journal.vocabulary.base import Words
from tests.journal.store.memory import InMemory, Memory
from tests.journal.store.played import evening, notes, play, played


def begun() -> CampaignStore:
    """A campaign in memory with somebody in it."""
    store = InMemory(Memory())
    with store.writing():
        camp = CampaignStore.begin(store, title="The Salt Road")
    play(camp.writer(1), [c.OpenSession(title=Words("One")), c.Cast(who=Words("Zel"))])
    return camp


def copied(camp: CampaignStore) -> CampaignStore:
    """Another copy of a campaign, in a memory of its own."""
    store = InMemory(Memory())
    copy_into(store, camp.record)
    return CampaignStore(Record(store))


def dumped(camp: CampaignStore) -> list[str]:
    """A campaign's dump, in the order of branch and position: between branches, copies may differ."""
    return sorted(dump(camp.record))


def texts_in(camp: CampaignStore) -> str:
    return "\n".join(dump(camp.record))


def acts_of(camp: CampaignStore, line: int) -> dict[str, line_events.Act]:
    """The live acts of a branch that are no acts about the branch itself, by id."""
    acts = line_events.acts(camp.record, line)
    return {act.events[0].envelope.act: act for act in acts if not act.managing}


WHO = st.integers(0, 1)
NUMBER = st.integers(0, 10**6)


class TwoCopies(RuleBasedStateMachine):
    """Two copies that play, undo, branch, redact, reveal, change and sync in any order."""

    @initialize()
    def begin(self) -> None:
        first = begun()
        self.copies = [first, copied(first)]
        self.numbers = count(1)
        self.gone: set[str] = set()
        """Texts that are redacted in one of the copies."""

    def line(self, who: int, pick: int) -> int:
        lines = self.copies[who].record.store.streams()
        return lines[pick % len(lines)]

    def said(self) -> Words:
        return Words(f"word{next(self.numbers)}x")

    def ends(self, who: int, line: int) -> list[int]:
        """The positions of a branch at which an act ends."""
        rows = self.copies[who].record.rows(line)
        bodies = [(row.position, json.loads(row.body)) for row in rows]
        return [position for position, body in bodies if body["i"] == body["n"]]

    @rule(who=WHO, pick=NUMBER, secret=st.booleans())
    def note(self, who: int, pick: int, *, secret: bool) -> None:
        manner = Manner(visible_to="gm" if secret else TABLE)
        self.copies[who].writer(self.line(who, pick)).record(c.Note(text=self.said()), manner)

    @rule(who=WHO, pick=NUMBER)
    def cast(self, who: int, pick: int) -> None:
        name = Words(f"Somebody {next(self.numbers)}")
        self.copies[who].writer(self.line(who, pick)).record(c.Cast(who=name, text=self.said()))

    @rule(who=WHO, pick=NUMBER, person=NUMBER)
    def narrate(self, who: int, pick: int, person: int) -> None:
        writer = self.copies[who].writer(self.line(who, pick))
        people = sorted(writer.table.people)
        self.tried(lambda: writer.record(c.Narrate(who=people[person % len(people)], text=self.said())))

    @rule(who=WHO, pick=NUMBER)
    def next_session(self, who: int, pick: int) -> None:
        writer = self.copies[who].writer(self.line(who, pick))
        self.tried(lambda: play(writer, [c.End(what="session"), c.OpenSession()]))

    @rule(who=WHO, pick=NUMBER, acts=st.integers(1, 2))
    def undo(self, who: int, pick: int, acts: int) -> None:
        self.tried(lambda: undo(self.copies[who].writer(self.line(who, pick)), acts))

    @rule(who=WHO, pick=NUMBER)
    def redo(self, who: int, pick: int) -> None:
        self.tried(lambda: redo(self.copies[who].writer(self.line(who, pick))))

    @rule(who=WHO, pick=NUMBER, at=NUMBER, open_to_all=st.booleans())
    def fork(self, who: int, pick: int, at: int, *, open_to_all: bool) -> None:
        line = self.line(who, pick)
        ends = self.ends(who, line)
        name = Words(f"branch {next(self.numbers) % 3}")
        to = TABLE if open_to_all else "gm"
        self.tried(lambda: self.copies[who].fork(line, ends[at % len(ends)], name, to=to))

    @rule(who=WHO, pick=NUMBER)
    def promote(self, who: int, pick: int) -> None:
        self.tried(lambda: self.copies[who].promote(self.line(who, pick)))

    @rule(who=WHO, pick=NUMBER, at=NUMBER)
    def redact(self, who: int, pick: int, at: int) -> None:
        self.redact_at(who, self.line(who, pick), at)

    def redact_at(self, who: int, line: int, at: int) -> None:
        rows = [row for row in self.copies[who].record.rows(line) if row.words is not None]
        row = rows[at % len(rows)]
        writer = self.copies[who].writer(line)
        before = texts_in(self.copies[who])
        self.tried(lambda: redact(writer, plan_redaction(writer, c.Redact(at=row.position))))
        after = texts_in(self.copies[who])
        self.gone |= {text for text in _words(before) if text not in after}

    @rule(who=WHO, pick=NUMBER, at=NUMBER)
    def reveal(self, who: int, pick: int, at: int) -> None:
        self.tried(lambda: reveal(self.copies[who].writer(self.line(who, pick)), at % 30 + 1))

    @rule(who=WHO, pick=NUMBER, at=NUMBER)
    def reword(self, who: int, pick: int, at: int) -> None:
        self.tried(lambda: reword(self.copies[who].writer(self.line(who, pick)), at % 30 + 1, self.said()))

    @rule(who=WHO, pick=NUMBER, at=NUMBER, promoted=st.booleans())
    def retcon(self, who: int, pick: int, at: int, *, promoted: bool) -> None:
        writer = self.copies[who].writer(self.line(who, pick))
        name = f"retcon {next(self.numbers)}"
        self.tried(
            lambda: carry_out(
                plan_retcon(writer, at % 30 + 1, c.Note(text=self.said())), name, promoted=promoted
            )
        )

    @rule()
    def sync(self) -> None:
        here, there = self.copies
        before = [dumped(copy) for copy in self.copies]
        events = {one.hash for copy in self.copies for one in copy.record.everything()}
        done = bring_together(here.record, there.record)
        if done.comparison.apart:
            assert [dumped(copy) for copy in self.copies] == before
            return
        assert dumped(here) == dumped(there)
        assert {one.hash for one in here.record.everything()} == events
        assert here.record.store.size() == len(events)
        assert here.mainline() == there.mainline()
        standing = (*done.came.standing, *done.went.standing)
        for one in standing:
            writer = here.writer(one.line)
            at = one.position
            self.tried(lambda: redact(writer, plan_redaction(writer, c.Redact(at=at))))  # noqa: B023
        if standing:
            bring_together(here.record, there.record)
        assert not self.gone & _words(texts_in(here))

    @rule(name=st.sampled_from([None, "from here"]))
    def move(self, name: str | None) -> None:
        here, there = self.copies
        comparison = compare(here.record, there.record)
        if not comparison.apart:
            return
        for who, seen in ((0, comparison), (1, comparison.turned())):
            for standing in words_standing(self.copies[who].record, self.copies[1 - who].record, seen):
                writer = self.copies[who].writer(standing.line)
                at = standing.position
                self.tried(lambda: redact(writer, plan_redaction(writer, c.Redact(at=at))))  # noqa: B023
        comparison = compare(here.record, there.record)
        assert not words_standing(here.record, there.record, comparison)
        if name is not None and name in there.lines().values():
            name = f"from here {next(self.numbers)}"
        made, main, known = copied(there), there.mainline(), set(dumped(there)[1:-1])
        moved = move_acts(here, made, comparison, name, "laptop")
        assert verify(made.record).whole
        if not self.gone:
            assert not [one for line in made.lines() for one in verify_rules(made, line)]
        assert made.mainline() == main
        for one in moved:
            kept, now = acts_of(here, one.line), acts_of(made, one.now)
            lost = {int(sentence.partition(" ")[0].partition("–")[0]) for sentence in one.lost}
            rest = [act for id_, act in kept.items() if id_ not in now and act.first not in lost]
            rest = [act for act in rest if act.first > comparison.common(one.line)]
            tables = here.table_at(one.line), made.table_at(one.now)
            for id_ in kept.keys() & now.keys():
                whos = [
                    [table.name(who) for event in act.events if (who := getattr(event.event, "who", None))]
                    for table, act in zip(tables, (kept[id_], now[id_]), strict=True)
                ]
                assert whos[0] == whos[1] or self.gone
            assert [act for act in rest if type(act.events[0].event).kind != "table.reworded"] == []
        assert move_acts(here, copied(made), comparison_after(here, made), name, "laptop") is not None
        done = bring_together(made.record, there.record)
        assert not done.comparison.apart
        assert done.came.events == 0
        assert dumped(made) == dumped(there)
        assert known - set(dumped(there)) == set()
        self.copies[0] = made

    @invariant()
    def each_is_sound(self) -> None:
        for copy in getattr(self, "copies", ()):
            assert verify(copy.record).whole

    def tried(self, do: Callable[[], object]) -> None:
        """Does it, unless it is refused."""
        try:
            do()
        except Refused:
            return


def comparison_after(here: CampaignStore, made: CampaignStore) -> Comparison:
    return compare(here.record, made.record)


def _words(text: str) -> set[str]:
    return {
        word.strip('"')
        for word in text.replace("[", " ").replace(",", " ").replace("]", " ").split()
        if "word" in word
    }


TestTwoCopies = TwoCopies.TestCase
