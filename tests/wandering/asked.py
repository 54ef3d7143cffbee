"""What holds at any table after any line: every question is answered, and every number is in its range."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from contextlib import redirect_stderr, redirect_stdout
from itertools import product
from pathlib import Path
from typing import Any, TypeVar

from retold.__main__ import main
from retold.cli.console.toolbar import StatusLine
from retold.cli.verbs.can import lines_of_can
from retold.cli.verbs.show import summary
from retold.journal.capabilities import HasDecks, HasPool, HasRows, Picture
from retold.journal.decks.chance import FirstDealer, Luck
from retold.journal.language.binding import Scope, bind
from retold.journal.language.lexing import lex
from retold.journal.language.naming import answerable_questions
from retold.journal.language.proposed import actions_at
from retold.journal.language.rendering import render
from retold.journal.line import decide
from retold.journal.refused import Refused
from retold.journal.store.verify.rules import verify_chance
from retold.journal.store.writing.replaying import stored_command
from retold.journal.systems import SYSTEMS
from retold.journal.table import OpenConflict, Table
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event
from retold.projections.reading import LineView
from retold.projections.replay.steps import Following
from retold.projections.story import status_line
from retold.projections.texts.wrapping import width
from retold.projections.views import VIEWS
from retold.scribe import Scribe
from tests.cli.test_dump_script import assert_says_the_same_again
from tests.judges.homebrew import Judge
from tests.proposed import holds
from tests.wandering.evening import SEED
from tests.wandering.lines import proposals

T = TypeVar("T")


def table_answers(table: Table) -> None:
    """Everything that can be asked of a table is answered."""
    assert all(list(summary(table, "here")))
    assert all(line.strip() for line in lines_of_can(table, actions_at(table), None))
    for view in VIEWS.values():
        if view.of_table is not None:
            view.of_table(table).sheet()
    for conflict in table.conflicts.values():
        assert width(status_line.of(table, conflict)) <= status_line.LONGEST
    for name in table.shelves:
        for fact in SYSTEMS[name].facts.values():
            people: Iterable[int | None] = table.people if fact.of_person else (None,)
            there = [one for one in table.conflicts.values() if one.system == name]
            conflicts: Iterable[OpenConflict | None] = there or (None,)
            for person, spoken_to in product(people, conflicts):
                assert all(isinstance(value, str) for value in fact.read(table, spoken_to, person))


def numbers_are_in_range(table: Table) -> None:
    """No card is in two places, nobody holds less than nothing or more than the most, in any game."""
    for shelf in table.shelves.values():
        _cards_are_in_one_place(shelf)
        for row in _said(shelf, HasRows.rows):
            assert all(box > 0 for box in row.boxes or ())
            if row.picture in (Picture.POINTS, Picture.FALLOUT):
                assert 0 <= row.value <= _most(row.value, row.most), row
    for conflict in table.conflicts.values():
        for pool in _said(conflict.state, HasPool.pools):
            assert all(die > 0 for die in pool.dice)
            assert not set(pool.kept) - set(pool.dice)


def _cards_are_in_one_place(shelf: object) -> None:
    if isinstance(shelf, HasDecks):
        shelf.check()
        for deck in shelf.decks():
            held = sum(len(cards) for _, cards in deck.hands)
            assert deck.left + len(deck.discarded) + held == deck.size, deck


def _most(value: int, most: int | None) -> int:
    return value if most is None else most


def _said(of: object, ask: Callable[[Any], Iterable[T]]) -> Iterable[T]:
    """What a shelf or a conflict says of itself, if it can."""
    own = getattr(of, ask.__name__, None)
    return () if own is None else own()


def proposals_are_taken(table: Table) -> None:
    """Every line that `can` proposes is read, and refused by no rule; so is every name in it."""
    for line in {render(one, table): None for one in proposals(table)}:
        try:
            decide(table, bind(lex(line), Scope(table, int)).command, Luck(FirstDealer()))
        except Refused as refusal:
            raise AssertionError(f"{line}\nis proposed, and: {refusal}") from refusal


def sentences_propose_what_is_taken(table: Table) -> None:
    """Every line in what is asked, and in how things are said to stand, is taken in the conflict in play."""
    here = table.in_play()
    heard = (None, None if here is None else here.id)
    asked = [question.asked for question in answerable_questions(table) if question.conflict in heard]
    stands = [one for outlook in actions_at(table) if outlook.conflict in heard for one in outlook.stands]
    for sentence in (*asked, *stands):
        holds(sentence, table)


def toolbar_stands(scribe: Scribe) -> None:
    """The console says where the table stands, in the width there is."""
    standing = StatusLine.of(scribe)
    for columns in (40, 80):
        assert all(width(row) <= columns for row in standing.toolbar(columns).splitlines())


def a_second_reading_agrees(scribe: Scribe) -> None:
    """Whatever came of dice, tracks and turns of a table's own game is what its rules page says."""
    judge = Judge()
    for act in reversed(list(scribe.writer.last_acts())):
        if any(isinstance(one.event, e.Merged) for one in act.events):
            return  # two numbers stand for one person from here on, of which a plain reader knows nothing
        judge.hears(stored_command(act), [one.event for one in act.events if isinstance(one.event, Event)])


def record_is_whole(scribe: Scribe) -> None:
    """The seed deals the same again, and the script that a dump writes plays the same again."""
    assert verify_chance(scribe.campaign.record, SEED, scribe.line).proved
    assert_says_the_same_again(scribe.campaign, scribe.line)


def every_board_is_the_one_that_lay_there(scribe: Scribe) -> None:
    """Who steps through the evening sees at each step what somebody sees who comes there at once."""
    reading = LineView(scribe.campaign, scribe.line)
    following = Following.beginning(reading, 0)
    for position, _ in following.steps(reading):
        assert list(following.board.items()) == list(Following.beginning(reading, position).board.items())


READING = (
    *(("verify", "--rules"), ("log",), ("log", "--all"), ("can",), ("stats",), ("dump",), ("branches",)),
    *(
        ("show",),
        ("show", "sessions"),
        ("show", "untold"),
        ("show", "balance"),
        ("replay",),
    ),
    *(("export",), ("export", "--voice", "prose"), ("export", "--mechanics", "inline")),
    *(
        ("export", "-f", "replay", "--for", "gm"),
        ("export", "-f", "replay", "--for", "table", "--mechanics", "none"),
    ),
)
"""The verbs that only read, each in a way of its own."""


def verbs_answer(path: Path) -> None:
    """Every verb that reads says something, and none fails."""
    for words in READING:
        out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            code = main(["--debug", "-c", str(path), *words])
        out.seek(0)
        assert code == 0, f"{' '.join(words)}: {out.read()}{err.getvalue()}"
