"""Words of the table told from speech in character."""

from __future__ import annotations

import pytest

from retold.sources.table_talk import announced, is_table_talk, parted_talk, ruled


@pytest.mark.parametrize(
    "text",
    [
        *(
            "brb",
            "LMAO",
            "stealth pls",
            "roll initiative!",
            "roll me a perception check",
            "dc 15",
            "10/17 hp",
        ),
        *(
            "nat 20",
            "7 bludgeoning",
            "athletics or acrobatics?",
            "can i roll something?",
            "can i see the door?",
        ),
        *(
            "hi all :)",
            "great game <3",
            "\U0001f44d",
            "https://example.org/x",
            "@everyone we start",
            "wrong channel",
        ),
        *(
            "1d20+5 anyone?",
            "W\u00fcrfel mal auf Wahrnehmung",
            "SG 15",
            "jet de perception",
            "tirada de sigilo",
            "sure \U0001f44d",
            "nice!!",
            "&{template:atk} {{name=Rapier}}",
            "how do you want to do this",
            "does a 17 hit?",
        ),
    ],
)
def test_words_of_the_table_are_no_speech(text: str) -> None:
    assert is_table_talk(text)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Roll the barrel over.",
            "He rolled it into the corner.",
            "...",
            "?!",
            "12 fire arrows.",
            "Can I see it?",
        ),
        *(
            "Look: DC Comics",
            '"lol," she says.',
            "Initiative is what you lack.",
            "Here: (the key)",
            "Water.\nHP: 12",
        ),
        "The tide turns. https://example.org/tide is what they call it now.",
    ],
)
def test_words_that_a_character_may_say_are_speech(text: str) -> None:
    assert not is_table_talk(text)


@pytest.mark.parametrize(
    ("text", "talk", "rest"),
    [
        ("17 is plenty. The yard is empty.", "17 is plenty.", "The yard is empty."),
        ("thats a hit. it lights up from inside", "thats a hit.", "it lights up from inside"),
        ("you can\u2019t tell", "you can\u2019t tell", ""),
        ("**End of part 2**\n\nThe rope lifts.", "**End of part 2**", "The rope lifts."),
        ("17 men sleep in the yard.", "", "17 men sleep in the yard."),
        ("You can't tell the stone from the bread.", "", "You can't tell the stone from the bread."),
        ("The end of part of the road.", "", "The end of part of the road."),
    ],
)
def test_a_ruling_before_a_text_is_talk(text: str, talk: str, rest: str) -> None:
    assert parted_talk(text, by_game_master=True, after_roll=True) == (talk, rest)


@pytest.mark.parametrize(
    ("text", "talk"),
    [
        ("ow. 7?", "ow. 7?"),
        ("my turn?", "my turn?"),
        ("whose turn is it", "whose turn is it"),
        ("My turn!", ""),
        ("You can't tell.", ""),
    ],
)
def test_a_question_about_numbers_or_turns_is_talk_after_a_roll(text: str, talk: str) -> None:
    assert parted_talk(text, by_game_master=False, after_roll=True) == (talk, "" if talk else text)
    assert parted_talk(text, by_game_master=False, after_roll=False) == ("", text)


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("ok i go in. axe out", "goes in. Axe out"),
        ("so I sneak up and stab the guard", "sneaks up and stabs the guard"),
        ("I quietly try the door, then hurry back", "quietly tries the door, then hurries back"),
        ("i draw my bow and step left", "I draw my bow and step left"),
        ("I grab the rope and yodel", "I grab the rope and yodel"),
        ("I go where I please.", ""),
        ("I look at you.", ""),
        ("I'm going aboard.", ""),
        ("I know that glove.", ""),
        ("I walk?", ""),
        ('I nod. "Fine."', ""),
    ],
)
def test_an_act_in_the_first_person_is_told_behind_a_name(text: str, act: str) -> None:
    assert announced(text) == act


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("thats a hit. it lights up", "hit"),
        ("17 hits", "hit"),
        ("Miss.", "miss"),
        ("That's not a hit.", "miss"),
        ("The rope hits the water.", ""),
        ("You can't tell.", ""),
    ],
)
def test_a_ruling_tells_the_outcome_of_an_attack(text: str, outcome: str) -> None:
    assert ruled(text) == outcome
