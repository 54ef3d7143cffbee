"""Threads, places and things: opened, noted again, renamed, closed, and refused."""

from __future__ import annotations

import pytest

from journal.systems.edgerunner.commands.verbs import Place
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.words import Words
from tests.scenario import Story, given

FERRYMAN = Words("Who paid the ferryman")
WORDS = Words("Two coins, and neither was ours.")


def opened() -> Story:
    """A thread, known by 1: it is the first that happened."""
    return given(c.KeepThread(what=FERRYMAN, text=WORDS))


def test_a_thread_is_opened_by_its_name_and_known_by_where_that_was() -> None:
    first = given().when(c.KeepThread(what=FERRYMAN, text=WORDS))

    story = first.then(e.MatterOpened(sort="thread", name=FERRYMAN, text=WORDS))

    story.when(c.KeepThread(what=1, text=WORDS)).then(e.MatterNoted(about=1, text=WORDS))
    story.when(c.KeepThread(what=Words("WHO PAID the ferryman"), text=WORDS)).then(
        e.MatterNoted(about=1, text=WORDS)
    )
    story.when(c.KeepPlace(what=Words("Salt Gate"))).then(
        e.MatterOpened(sort="place", name=Words("Salt Gate"))
    )


def test_a_closed_thread_is_opened_again_by_a_note() -> None:
    closed = (
        opened().when(c.KeepThread(what=1, done=True, text=WORDS)).then(e.MatterClosed(about=1, text=WORDS))
    )

    closed.when(c.KeepThread(what=1, done=True)).then_refused(
        "The thread Who paid the ferryman is closed already."
    )
    again = closed.when(c.KeepThread(what=1, text=WORDS)).then(e.MatterNoted(about=1, text=WORDS))
    again.when(c.KeepThread(what=1, done=True)).then(e.MatterClosed(about=1))


def test_who_is_renamed_is_found_by_either_name() -> None:
    story = (
        opened()
        .when(c.KeepThread(what=1, name=Words("The coin"), text=WORDS))
        .then(e.MatterRenamed(about=1, name=Words("The coin")), e.MatterNoted(about=1, text=WORDS))
    )

    found = [
        story.table.matter_called(name) for name in ("the COIN", "coin", "Who paid the ferryman", "Who paid")
    ]
    assert found == [story.table.matters[1]] * 3 + [None]


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (
            c.KeepThread(what=1),
            (
                "There is a thread Who paid the ferryman already. To say more of it:"
                ' thread "Who paid the ferryman": what is new'
            ),
        ),
        (
            c.KeepThing(what=1, text=WORDS),
            "Who paid the ferryman is a thread: choose another name for the thing.",
        ),
        (c.KeepThread(what=Words("The coin"), done=True), 'There is no thread "The coin" to close.'),
        (
            c.KeepThread(what=Words("The coin"), name=Words("Two coins")),
            'There is no thread "The coin" to rename.',
        ),
        (
            Place(who=(0,), zone="Dock"),
            (
                "Nobody is placed in a zone here; a note of a place is about one name:"
                ' place "The Salt Gate": Shut since the flood, and watched.'
            ),
        ),
    ],
)
def test_what_cannot_be_meant_is_refused(command: c.KeepNote, sentence: str) -> None:
    opened().when(command).then_refused(sentence)


def test_two_do_not_share_a_name() -> None:
    two = opened().given(c.KeepPlace(what=Words("The Salt Gate")))

    two.when(c.KeepPlace(what=2, name=FERRYMAN)).then_refused(
        "There is a thread Who paid the ferryman already: choose another name."
    )
