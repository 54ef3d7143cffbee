"""Many acts in one transaction: all of them or none, without those that the rules refuse."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from retold.journal import line as line_
from retold.journal.refused import Refused
from retold.journal.store.contract.errors import CannotWrite
from retold.journal.store.events.acts import Manner
from retold.journal.store.verify import verify
from retold.journal.store.writing.campaign import CampaignStore, LineWriter
from retold.journal.store.writing.rewording import reword_each
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Command, Words
from tests.journal.store.played import campaign, evening, play

ZEL = 1


@pytest.fixture
def camp(tmp_path: Path) -> Iterator[CampaignStore]:
    with campaign(tmp_path / "a.retold") as made:
        play(made.writer(1), evening())
        yield made


def say(text: str) -> Command:
    return c.Say(who=ZEL, text=Words(text))


def as_stored(camp: CampaignStore, writer: LineWriter) -> bool:
    """True if the writer's table and head are those of the record."""
    return writer.table == camp.table_at(1) and writer.head == camp.record.head(1)


def test_all_are_recorded_one_after_the_other(camp: CampaignStore, writer: LineWriter) -> None:
    head = writer.head.position
    with writer.one_transaction() as record:
        done = [record(say(text), Manner(act=f"said-{text}")) for text in ("one", "two", "three")]

    assert [act.first for act in done] == [head + 1, head + 2, head + 3]
    assert as_stored(camp, writer)
    assert verify(camp.record).whole
    again = writer.already("said-two")
    assert again is not None
    assert again.first == head + 2


def test_what_the_rules_refuse_is_left_out(camp: CampaignStore, writer: LineWriter) -> None:
    head = writer.head.position
    with writer.one_transaction() as record:
        record(say("one"), Manner())
        for refused, manner in (
            (c.OpenSession(), Manner()),
            (say("\0"), Manner()),
            (c.SetScene(title=Words("x")), Manner(visible_to="gm")),
            (say("x"), Manner(when="2026-02-30")),
            (say("x"), Manner(unit=Words("\0"))),
        ):
            with pytest.raises(Refused):
                record(refused, manner)
        record(say("two"), Manner())

    assert writer.head.position == head + 2
    assert as_stored(camp, writer)
    assert verify(camp.record).whole


def _record_and_raise(writer: LineWriter, error: type[BaseException] | BaseException) -> None:
    with writer.one_transaction() as record:
        record(say("one"), Manner())
        raise error


def _record_past_a_failure(writer: LineWriter) -> None:
    with writer.one_transaction() as record:
        record(say("one"), Manner())
        with patch.object(line_, "evolve", side_effect=LookupError), pytest.raises(CannotWrite):
            record(say("two"), Manner())
        record(say("three"), Manner())


@pytest.mark.parametrize("error", [KeyboardInterrupt, Refused("x"), ValueError])
def test_an_exception_takes_all_of_them_back(
    camp: CampaignStore, writer: LineWriter, error: type[BaseException] | BaseException
) -> None:
    before = camp.record.head(1)
    with pytest.raises((KeyboardInterrupt, Refused, ValueError)):
        _record_and_raise(writer, error)

    assert camp.record.head(1) == before
    assert as_stored(camp, writer)
    assert writer.record(say("two")).first == before.position + 1


def test_a_failed_act_rolls_back_the_transaction_even_if_caught(
    camp: CampaignStore, writer: LineWriter
) -> None:
    before = camp.record.head(1)
    with pytest.raises(CannotWrite):
        _record_past_a_failure(writer)

    assert camp.record.head(1) == before
    assert as_stored(camp, writer)


def test_what_others_recorded_first_is_followed(camp: CampaignStore, writer: LineWriter) -> None:
    other = camp.writer(1).record(say("first"))
    with writer.one_transaction() as record:
        done = record(say("one"), Manner())

    assert done.first == other.last + 1
    assert as_stored(camp, writer)


def test_an_empty_transaction_records_nothing(camp: CampaignStore, writer: LineWriter) -> None:
    before = camp.record.head(1)
    with writer.one_transaction():
        pass

    assert camp.record.head(1) == before


# --- rewordings -------------------------------------------------------------------------------------------


def test_several_rewordings_are_an_act_each(camp: CampaignStore, writer: LineWriter) -> None:
    first = [writer.record(say(text)).first for text in ("one", "two")]
    head = writer.head.position
    reword_each(writer, [(at, Words(f"not {at}"), Manner(act=f"r{at}")) for at in first])

    assert writer.head.position == head + 2
    assert as_stored(camp, writer)
    assert {about: writer.amendments.rewordings[about][0] for about in first} == {
        about: f"not {about}" for about in first
    }
    again = writer.already(f"r{first[1]}")
    assert again is not None
    assert again.first == head + 2
    assert verify(camp.record).whole


def test_none_of_several_rewordings_is_recorded_if_one_fails(camp: CampaignStore, writer: LineWriter) -> None:
    at = writer.record(say("one")).first
    before = list(camp.record.everything())
    manners = (Manner(), Manner(when="yesterday"))
    with pytest.raises(Refused, match="--when"):
        reword_each(writer, [(at, Words("x"), manner) for manner in manners])

    assert list(camp.record.everything()) == before
    assert as_stored(camp, writer)
    writer.record(say("two"))
    assert verify(camp.record).whole
