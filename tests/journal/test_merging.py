"""Two of the cast are one; somebody is played no longer, and comes back."""

from __future__ import annotations

import pytest

from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM, Words
from tests.scenario import Story, given

PIM, PYM, JON, ANA = 1, 2, 3, 4
WORDS = Words("A deckhand, as everybody thought.")


def crew() -> Story:
    """Pim, who has a phrase and a player, and Captain Pym, who has neither."""
    return given(
        c.Cast(who=Words("Pim"), text=Words("A deckhand")),
        c.Cast(who=Words("Captain Pym"), alias=Words("The Captain")),
        c.Cast(who=PIM, by=Words("Jon")),
        e.CastIntroduced(person=ANA, name=Words("Ana"), role="player"),
    )


MERGE = c.Merge(person=PIM, into=PYM)


def test_what_only_one_of_them_has_is_kept_and_both_numbers_are_theirs() -> None:
    story = crew().when(MERGE).then(e.Merged(person=PIM, into=PYM))
    table = story.table
    pym = table.people[PYM]

    assert table.people[PIM] is pym
    assert (pym.called, str(pym.text), pym.player) == ("Captain Pym", "A deckhand", JON)
    assert [one.id for one in table.everybody()] == [GM, PYM, JON, ANA]
    assert table.names()[PYM] == ("Captain Pym", "The Captain", "Pim")
    assert (table.once_called("pim"), table.called("pim"), table.name(PIM)) == (PYM, None, "Captain Pym")
    assert (table.numbers(PYM), table.next_person()) == ((PIM, PYM), 5)


def test_a_person_who_was_merged_twice_is_still_found() -> None:
    story = crew().given(c.Cast(who=Words("The Ferryman")), MERGE, c.Merge(person=PYM, into=5))

    assert story.table.numbers(5) == (PIM, PYM, 5)
    assert story.table.once_called("Pim") == 5


def test_characters_go_with_their_merged_player() -> None:
    players = crew().given(c.Merge(person=JON, into=ANA))

    assert players.table.people[PIM].player == ANA


def test_of_two_phrases_one_is_said() -> None:
    both = crew().given(c.Cast(who=PYM, text=Words("She commands")))

    both.when(MERGE).then_refused(
        "Both have a phrase: say which they have from now on, after a colon: merge Pim into"
        ' "Captain Pym": She commands'
    )
    said = both.when(c.Merge(person=PIM, into=PYM, text=WORDS)).then(
        e.Merged(person=PIM, into=PYM, text=WORDS)
    )
    assert said.table.people[PYM].text == WORDS


def test_of_two_players_one_plays_both_first() -> None:
    story = crew().given(c.Cast(who=PYM, by=ANA))

    story.when(MERGE).then_refused(
        "Jon plays Pim, and Ana plays Captain Pym: say who plays them both first: cast Pim by=Ana"
    )
    story.given(c.Cast(who=PIM, by=ANA)).when(MERGE).then(e.Merged(person=PIM, into=PYM))


@pytest.mark.parametrize(
    ("one", "other", "sentence"),
    [
        (PYM, PYM, "Both names are Captain Pym: name two different ones."),
        (PYM, GM, "The game master cannot be merged: cast gm by=NAME names the player."),
        (GM, PYM, "The game master cannot be merged: cast gm by=NAME names the player."),
        (JON, PYM, "Jon is a player and Captain Pym is not, so they are two."),
    ],
)
def test_a_person_who_cannot_be_one_is_refused(one: int, other: int, sentence: str) -> None:
    crew().when(c.Merge(person=one, into=other)).then_refused(sentence)


def test_two_in_an_open_conflict_are_two_there() -> None:
    both = crew().given(c.OpenConflict(system="bruise", sides=((PIM,), (PYM,))))
    one = crew().given(c.OpenConflict(system="bruise", sides=((PIM,), (Words("Fog"),))))

    both.when(MERGE).then_refused(
        "Pim and Captain Pym are two in an open conflict, and can be one once it is over."
    )
    one.when(MERGE).then_refused("Pim is in an open conflict, and can be merged once it is over.")


def test_what_a_game_keeps_stays_under_its_number() -> None:
    played = crew().given(e.SheetChanged(person=PIM, system="bruise", values={"clubs": 3}))

    played.when(MERGE).then_refused(
        "Bruise keeps what Pim has under that name, so merge the other way round: merge"
        ' "Captain Pym" into Pim. A new name comes after it: cast Pim name=NAME.'
    )
    turned = played.given(c.Merge(person=PYM, into=PIM), c.Cast(who=PIM, name=Words("Captain Pym")))
    assert turned.table.names()[PIM] == ("Captain Pym", "The Captain", "Captain Pym", "Pim")
    two = played.given(e.SheetChanged(person=PYM, system="whiskey", values={"hp": 5}))
    two.when(MERGE).then_refused(
        "Pim has a sheet of Bruise, and Captain Pym one of Whiskey, and Retold cannot choose between"
        " them. Play on as one of them, and retire the other: retire Pim."
    )


def test_a_person_who_is_retired_is_still_known_and_comes_back() -> None:
    story = crew().when(c.Retire(person=PIM, text=WORDS)).then(e.PersonRetired(person=PIM, text=WORDS))

    assert story.table.called("Pim") == PIM
    story.when(c.Retire(person=PIM)).then_refused("Pim is retired already: cast Pim brings them back.")
    back = story.when(c.Cast(who=PIM)).then(e.PersonReturned(person=PIM))
    back.when(c.Cast(who=PIM)).then_refused("Pim is in the cast already, and nothing about them changes.")
    back.when(c.Retire(person=GM)).then_refused(
        "The game master cannot be retired: cast gm by=NAME names another player for it."
    )
