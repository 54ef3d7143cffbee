"""What is typed in a Whiskey fight beside acts: answers, numbers, and words of who has still to declare."""

from __future__ import annotations

from retold.games.whiskey.commands import reminders
from tests.retold.games.whiskey.spoken import come_of, outlook, refusal, table, typed

GUARDED = (
    "conflict whiskey Ann+Bob vs Xena+Yul+Zed",
    "declare Ann guard Bob",
    "declare Bob stand",
    "declare Xena+Yul engage Bob",
)


def test_Q37_a_guards_target_is_asked_for_when_it_matters() -> None:
    story = table(*GUARDED, "declare Zed stand")

    assert refusal(story, "clash").startswith(
        "Ann guards Bob, and Xena and Yul are coming: whom does Ann stop?"
    )
    assert typed(story, "ruling Yul", "clash", "expect stopped Yul Ann").events


def test_Q37_a_stopped_guards_target_is_not_asked_for() -> None:
    story = table(*GUARDED, "declare Zed engage Ann")

    assert outlook(story).stands == ("phase 1 · clash.",)
    clashed = typed(story, "clash", "expect stopped Ann Zed", "expect clash Xena Bob", "expect clash Yul Bob")
    asked = typed(story, "ruling Xena", "clash", "expect stopped Ann Zed", "expect clash Xena Bob")
    assert clashed.table.conflicts.keys() == asked.table.conflicts.keys()


def test_Q37_two_guards_are_asked_about_as_before() -> None:
    story = table(
        "conflict whiskey Ann+Bob+Dee vs Xena+Yul+Zed",
        "declare Ann guard Bob",
        "declare Dee guard Bob",
        "declare Bob stand",
        "declare Xena+Yul engage Bob",
        "declare Zed engage Ann",
    )

    assert "whom does Ann stop?" in refusal(story, "clash")


def test_Q37_a_number_is_set_without_a_reason_and_a_law_needs_its_words() -> None:
    assert typed(table(), "ruling Bob.hp-=3", "expect hp Bob 17").events[-1].kind == "whiskey.number-set"
    assert refusal(table(), "ruling") == "Say what holds from now on: ruling: TEXT."


def test_Q37_words_like_an_act_of_who_has_still_to_declare_are_remarked_on() -> None:
    story = table("conflict whiskey Ann+Bob vs Xena", "declare Ann stand", "declare Xena stand")

    said = come_of(story, "say Bob: hides behind the cart")
    assert list(reminders(story.table, said)) == [
        "Bob has still to declare; if that is it: undo, then declare Bob other: hides behind the cart"
    ]
    for line in ("say Bob: Run!", "say Bob: run.", "say Ann: hides behind the cart", "narrate Bob: hides"):
        assert list(reminders(story.table, come_of(story, line))) == []
