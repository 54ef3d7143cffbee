"""The state of a told event changes with its words, its people's names and its eyes, and holds no word."""

from __future__ import annotations

from pathlib import Path

import pytest

from retold.journal.store.events.acts import Manner
from retold.journal.store.events.record import Record
from retold.journal.store.events.told_states import ToldStates
from retold.journal.store.writing.campaign import LineWriter
from retold.journal.store.writing.redact import plan_redaction, redact
from retold.journal.store.writing.reveal import reveal
from retold.journal.store.writing.rewording import reword
from retold.journal.store.writing.undo import redo, undo
from retold.journal.visibility import is_secret_number
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Words
from retold.journal.vocabulary.drafts import Told
from tests.journal.store.memory import InMemory, Memory
from tests.journal.store.played import campaign

ZEL, DOV = 1, 2


@pytest.fixture
def writer(tmp_path: Path) -> LineWriter:
    """Zel and Dov; a third person known to the game master alone."""
    made = campaign(tmp_path / "a.retold").writer(1)
    for name in ("Zel", "Dov"):
        made.record(c.Cast(who=Words(name)))
    made.record(c.Cast(who=Words("Ebb")), Manner(visible_to="gm"))
    return made


def said(writer: LineWriter, who: int, text: str, visible_to: str = "table") -> int:
    return writer.record(c.Say(who=who, text=Words(text)), Manner(visible_to=visible_to)).first


class Watch:
    """Says of some events whether their state changed since it was asked last."""

    def __init__(self, writer: LineWriter, *positions: int) -> None:
        self._writer, self._positions = writer, positions
        self.changed()

    def changed(self) -> list[int]:
        before = getattr(self, "states", {})
        states = ToldStates(self._writer.campaign.record, 1)
        self.states = {at: states.of(at) for at in self._positions}
        return [at for at in self._positions if before.get(at) != self.states[at]]


def test_a_state_changes_with_what_is_told(writer: LineWriter) -> None:
    rain, sun = said(writer, ZEL, "Rain."), said(writer, DOV, "Sun.")
    secret = said(writer, DOV, "Mined.", "gm")
    watch = Watch(writer, rain, sun, secret)
    first = dict(watch.states)
    assert len(set(first.values())) == 3
    assert watch.changed() == []

    reword(writer, rain, Words("Hail."))
    assert watch.changed() == [rain]
    writer.record(c.Note(text=Words("Another.")))
    assert watch.changed() == [], "what is recorded later changes nothing"
    reveal(writer, secret)
    assert watch.changed() == [secret]
    writer.record(c.Cast(who=Words("Zel"), name=Words("Zelda")))
    assert watch.changed() == [rain]
    undo(writer)
    assert watch.changed() == [rain]
    redo(writer)
    assert watch.changed() == [rain]
    writer.record(c.Cast(who=Words("Dov"), alias=Words("The Crow")))
    assert watch.changed() == [sun, secret]
    writer.record(c.Merge(person=ZEL, into=DOV))
    assert watch.changed() == [rain, sun, secret]
    writer.record(c.Cast(who=Words("Dov"), name=Words("Dovid")))
    assert watch.changed() == [rain, sun, secret], "a merged person is called as the other from then on"


def test_an_event_that_is_undone_has_its_state_again_when_it_is_redone(writer: LineWriter) -> None:
    at = said(writer, ZEL, "Rain.")
    watch = Watch(writer, at)
    before = watch.states[at]
    undo(writer)
    assert watch.changed() == [at]
    redo(writer)
    watch.changed()
    assert watch.states[at] == before


def test_a_secret_person_who_is_shown_changes_what_names_them(writer: LineWriter) -> None:
    ebb = next(person for person in writer.table.people if is_secret_number(person))
    at = said(writer, ebb, "I am here.", "gm")
    watch = Watch(writer, at)
    reveal(writer, at - 1)
    assert watch.changed() == [at]


def test_a_redaction_changes_the_state_and_leaves_nothing_to_guess(writer: LineWriter) -> None:
    at = said(writer, ZEL, "No.")
    watch = Watch(writer, at)
    redact(writer, plan_redaction(writer, c.Redact(at=at)))
    assert watch.changed() == [at]
    rows = [row._replace(words=None) for _, row in writer.campaign.record.store.log()]
    bare = ToldStates(Record(InMemory(Memory(rows=rows))), 1)
    assert bare.of(at) == watch.states[at], "it is made without the words: from hashes of salted commitments"


def test_states_are_read_for_many_events_at_once_and_for_what_a_block_tells(writer: LineWriter) -> None:
    said(writer, ZEL, "Rain.")
    states = ToldStates(writer.campaign.record, 1)
    assert states.between(2, 4) == {at: states.of(at) for at in (2, 3, 4)}
    assert states.of(99) is states.of(0) is None
    assert states.now(Told(line=1, position=3, state="")) == states.of(3)
    assert states.now(Told(line=7, position=3, state="")) is None
