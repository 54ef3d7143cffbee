from __future__ import annotations

import pytest

from retold.journal.language.lexing import Lexed, lex, lex_words
from retold.journal.language.tokens import Unreadable

TELLING = {"narrate", "say", "note"}


def read(*words: str) -> Lexed:
    return lex_words(words, TELLING.__contains__)


def refused(*words: str) -> str:
    with pytest.raises(Unreadable) as caught:
        read(*words)
    return caught.value.sentence


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["draw", "Zel", "clubs+melee", "=", "JH", "10S"], "draw Zel clubs+melee = JH 10S"),
        (["narrate", "Zel:", "I'd not stop."], "narrate Zel: I'd not stop."),
        (["narrate", "Zel:", "I'd", "not: stop", "# = x"], "narrate Zel: I'd not: stop # = x"),
        (["narrate", "Zel", "I'd not stop."], "narrate Zel: I'd not stop."),
        (["narrate", "Zel", 'He "ran": off'], 'narrate Zel: He "ran": off'),
        (["narrate", "Zel", "one\ntwo"], "narrate Zel:\n one\n two"),
        (["narrate", "Zel:"], "narrate Zel:"),
        (["narrate", "Captain Thoss:", "Halt."], 'narrate "Captain Thoss": Halt.'),
        (["narrate", ":", "Halt."], "narrate: Halt."),
        (["narrate:", "Halt."], "narrate: Halt."),
        (["narrate", "Zel:", "-"], "narrate Zel: -"),
        (["narrate", "Zel", "-"], "narrate Zel -"),
        (["give", "Captain Thoss"], 'give "Captain Thoss"'),
        (["declare", "Zel", "I go"], 'declare Zel "I go"'),
        (["cast", "Zel", "by=Jo Ann", "a+=b c"], 'cast Zel by="Jo Ann" a+="b c"'),
        (["cast", "Zel", '"leg brace"=1d8'], 'cast Zel "leg brace"=1d8'),
        (["place", '"Captain Thoss"+Zel', "Dock"], 'place "Captain Thoss"+Zel Dock'),
        (["say", "--to", "Captain Thoss", "Zel:", "x"], 'say --to "Captain Thoss" Zel: x'),
        (["say", "--to=Captain Thoss", "Zel:", "x"], 'say --to="Captain Thoss" Zel: x'),
        (["cast", ""], 'cast ""'),
        (["draw", "Zel", "#", "a:", "b c"], "draw Zel # a: b c"),
        (["roll", "Vera", "=", "--0+"], "roll Vera = --0+"),
    ],
)
def test_words_mean_the_same_as_the_line(words: list[str], line: str) -> None:
    assert read(*words) == lex(line)


def test_what_words_cannot_be() -> None:
    assert refused("draw", "Zel", "=JH").startswith("Put a space after =")
    assert refused("draw", "Zel", "=", "JH JD") == "A quoted word is never a result: take the quotes off."
    assert refused("give up", "Zel") == "A quoted word is never a verb: a line begins with what is done."
    assert refused("say", "Zel::", "x") == "One colon too many after Zel."
    assert refused("cast", "a\nb") == "Only a text may hold several lines."
    assert refused("cast", '"a": b') == 'A word with quotes holds no text and no comment: "a": b.'
    assert "no verb" in refused()


def test_columns_count_in_the_words_joined_with_one_blank() -> None:
    assert [token.column for token in read("say", "Captain Thoss", "b").tokens] == [5, 19]
