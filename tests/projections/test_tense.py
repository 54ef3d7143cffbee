"""Retold's own sentences in `prose`: tense, verbs for one and for several, checks that nobody told."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from retold.journal.grammar import PersonName
from retold.projections.prose import VOICES
from retold.projections.prose.phrases import new_sandbox
from retold.projections.prose.sentences import kind_of_wish, within_a_sentence
from retold.projections.reading import LineView
from retold.projections.story import transcript
from tests.projections.test_decided import night, story

TABLE = """\
game d20
cast Osk dex=2 str=1 hp=12 ac=12 by=Jo
cast Thia dex=1 str=1 hp=12 ac=12 by=Ada
cast Guards str=2 hp=9 ac=11
session One
scene The pier: {opening}
"""
FIGHT = """\
conflict "On the pier" Osk and Thia vs Guards
roll Guards attack str vs Osk damage 1d6 = 15 4
"""


def told(opening: str, lines: str) -> list[str]:
    with night(TABLE.format(opening=opening) + lines) as there:
        return story(there)[1:]


@pytest.mark.parametrize(
    ("opening", "ours"),
    [
        (
            "He waits, and looks up. It is late.",
            "[The guards stand in the way. The guards hit Osk.]",
        ),
        (
            "He waited, and looked up. It was late.",
            "[The guards stood in the way. The guards hit Osk.]",
        ),
    ],
)
def test_a_name_in_the_plural_has_a_plural_verb(opening: str, ours: str) -> None:
    assert told(opening, FIGHT) == [ours]


@pytest.mark.parametrize(
    ("opening", "ours"),
    [
        ("He waits, and looks up. It is late.", "[The guards are hurt.]"),
        ("He waited, and looked up. It was late.", "[The guards were hurt.]"),
        ("Fog.", "[The guards were hurt.]"),
    ],
)
def test_a_sentence_of_retold_has_the_tense_of_its_scene(opening: str, ours: str) -> None:
    assert told(opening, "hp Guards -3") == [ours]


@pytest.mark.parametrize(("tense", "ours"), [("past", "Osk was hurt."), ("present", "Osk is hurt.")])
@pytest.mark.parametrize("opening", ["It is late. He is here.", "It was late. He was here."])
@pytest.mark.parametrize("voice", ["prose", "report"])
def test_a_voice_fixes_the_tense(voice: str, opening: str, tense: str, ours: str) -> None:
    chosen = replace(VOICES[voice], tense=tense)
    with night(TABLE.format(opening=opening) + "roll Osk check dex vs 15 = 3") as there:
        shown = transcript.of_range(LineView(there.scribe.campaign, 1), voice=chosen).running()

    said = " ".join(one.text for one in shown.paragraphs() if one.generated)
    if voice == "prose":
        assert said == f"Osk {'failed' if tense == 'past' else 'fails'} a test of agility."
    else:
        assert said == "Osk, check: a failure."


@pytest.mark.parametrize(
    ("words", "ours"),
    [
        ("", ["[Osk fails a test of agility.]"]),
        ("declare Thia: I wait.", ["[Osk fails a test of agility.]", "I wait."]),
        ("declare Osk: I slip.", ["[Osk fails a test of agility.]", "I slip."]),
        ("narrate: Wet stone.", []),
        ("say Guards: Ha.", ["[Osk fails a test of agility.]", "“Ha,” say the guards."]),
        ("roll Thia check dex vs 5 = 9\nnarrate: Wet stone.", []),
    ],
)
def test_a_check_is_told_if_the_words_behind_it_do_not(words: str, ours: list[str]) -> None:
    assert told("He waits, and looks up. It is late.", f"roll Osk check dex vs 15 = 3\n{words}") == ours


@pytest.mark.parametrize(
    ("who", "tells", "verb"),
    [
        ("Zel", False, "won"),
        ("Zel", True, "wins"),
        ("Guards", True, "win"),
        ("Ferrymen", True, "win"),
        ("Hans", True, "wins"),
        ("James", True, "wins"),
        (PersonName("Rivers", "f", {}), True, "wins"),
        (["Zel", "Bo"], True, "win"),
        (["Zel"], True, "wins"),
        (["Zel", "Bo"], False, "won"),
    ],
)
def test_a_verb_agrees_with_people_and_tense(who: str | list[str], verb: str, *, tells: bool) -> None:
    phrase = new_sandbox().template("{{ who|verb(past='won', one='wins', other='win') }}")

    assert phrase.render({"who": who, "present": tells}) == verb


@pytest.mark.parametrize(
    ("wish", "key"),
    [
        ("The bell is heard.", "label.hopes-that"),
        ("The bell rings.", ""),
        ("The children sleep.", ""),
        ("The ferries win back the right to cross.", "label.hopes-that"),
        ("Something happens", "label.hopes-that"),
        ("One crossing, in silence", "label.hopes-for"),
        ("The front page, still.", "label.hopes-for"),
        ("We are left alone", ""),
        ("My boat gets home", ""),
        ("The bell rings. The fog lifts.", ""),
        ("Peace", ""),
    ],
)
def test_a_wish_goes_on_behind_hopes(wish: str, key: str) -> None:
    assert kind_of_wish(wish) == key


def test_a_sentence_behind_a_colon_begins_with_a_small_article() -> None:
    assert within_a_sentence("The bell rings") == "the bell rings"
    assert within_a_sentence("Zel rings it") == "Zel rings it"
