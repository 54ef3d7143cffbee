"""Threads, places and things: opened, noted again, renamed, closed, and refused."""

from __future__ import annotations

import pytest

from retold.games.edgerunner.commands.verbs import Place
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Words
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


def test_a_person_who_is_renamed_is_found_by_either_name() -> None:
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
                "This game has no zones; a note of a place takes one name:"
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


# --- two that are one -------------------------------------------------------------------------------------

SHORT = Words("Who paid")


def two() -> Story:
    """A thread, known by 1, and another, known by 2."""
    return given(c.KeepThread(what=FERRYMAN, text=WORDS), c.KeepThread(what=SHORT))


def test_two_threads_are_one_under_the_second_name() -> None:
    story = two().when(c.KeepThread(what=2, into=1)).then(e.MatterMerged(about=2, into=1))

    assert [one.called for one in story.table.every_matter()] == ["Who paid the ferryman"]
    found = [story.table.matter_called(name) for name in ("who paid", "Who paid the ferryman")]
    assert found == [story.table.matters[1]] * 2
    story.when(c.KeepThread(what=2, text=WORDS)).then(e.MatterNoted(about=1, text=WORDS))
    story.when(c.KeepThread(what=2, done=True)).then(e.MatterClosed(about=1))
    story.when(c.KeepThread(what=2, into=1)).then_refused(
        "Both names are Who paid the ferryman: name two different ones."
    )


def test_a_merge_may_say_what_is_new_and_what_both_are_called() -> None:
    two().when(c.KeepThread(what=2, into=1, name=SHORT, text=WORDS)).then(
        e.MatterMerged(about=2, into=1),
        e.MatterRenamed(about=1, name=SHORT),
        e.MatterNoted(about=1, text=WORDS),
    )
    two().when(c.KeepThread(what=2, into=1, done=True, text=WORDS)).then(
        e.MatterMerged(about=2, into=1), e.MatterClosed(about=1, text=WORDS)
    )


def test_three_are_one_after_two_merges_and_a_third_name_finds_it() -> None:
    story = (
        two()
        .given(c.KeepThread(what=Words("The coin")))
        .given(c.KeepThread(what=2, into=3))
        .given(c.KeepThread(what=3, into=1))
    )

    assert [story.table.matters[at].opened for at in (1, 2, 3)] == [1, 1, 1]
    assert story.table.matters[1].names == ("Who paid the ferryman", "Who paid", "The coin")


def test_what_is_closed_takes_nothing_open_with_it_unsaid() -> None:
    closed = two().given(c.KeepThread(what=1, done=True))

    for command in (c.KeepThread(what=2, into=1), c.KeepThread(what=2, into=1, done=True, text=WORDS)):
        closed.when(command).then_refused(
            'Who paid the ferryman is closed, and Who paid is open. Close it first: thread "Who paid" --done.'
            ' Or say what is new, which opens both: thread "Who paid" into "Who paid the ferryman":'
            " what is new"
        )
    again = closed.when(c.KeepThread(what=2, into=1, text=WORDS)).then(
        e.MatterMerged(about=2, into=1), e.MatterNoted(about=1, text=WORDS)
    )
    assert not again.table.matters[1].closed
    both = closed.given(c.KeepThread(what=2, done=True)).given(c.KeepThread(what=2, into=1))
    assert both.table.matters[1].closed
    still = closed.when(c.KeepThread(what=1, into=2)).then(e.MatterMerged(about=1, into=2))
    assert not still.table.matters[1].closed


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (c.KeepThread(what=1, into=1), "Both names are Who paid the ferryman: name two different ones."),
        (
            c.KeepThread(what=1, into=3),
            "Who paid the ferryman is a thread and The Salt Gate a place, so they are two.",
        ),
        (
            c.KeepThing(what=1, into=2),
            "Who paid the ferryman is a thread: choose another name for the thing.",
        ),
        (c.KeepThread(what=Words("The coin"), into=1), 'There is no thread "The coin" to merge.'),
        (
            c.KeepThread(what=2, into=Words("The coin")),
            (
                'There is no thread "The coin" to merge it into.'
                ' To call it that: thread "Who paid" name="The coin"'
            ),
        ),
        (
            c.KeepThread(what=2, into=1, name=Words("The Salt Gate")),
            "There is a place The Salt Gate already: choose another name.",
        ),
    ],
)
def test_what_cannot_be_one_is_refused(command: c.KeepNote, sentence: str) -> None:
    two().given(c.KeepPlace(what=Words("The Salt Gate"))).when(command).then_refused(sentence)
