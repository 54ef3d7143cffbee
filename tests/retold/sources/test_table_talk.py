"""Words of the table told from speech in character."""

from __future__ import annotations

import pytest

from retold.sources.table_talk import is_table_talk


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
