"""Deeds read from English sentences and from lines of the log."""

from __future__ import annotations

import pytest

from retold.drafts.checking.deeds import Deed, deeds_in, deeds_noted, tokens_of
from retold.projections.views.mentions import Names

ZEL, ANA, EELS = frozenset({1}), frozenset({2}), frozenset({3, 4})
NAMES = Names({ZEL: ["Zel"], ANA: ["Ana", "Captain Ana"], EELS: ["eels"]})
NOBODY: frozenset[int] = frozenset()


def said(text: str) -> list[tuple[str, frozenset[int], frozenset[int]]]:
    return [_bare(deed) for deed in deeds_in(tokens_of(text, NAMES), ZEL)]


def _bare(deed: Deed) -> tuple[str, frozenset[int], frozenset[int]]:
    return deed.sort, deed.agents, deed.patients


@pytest.mark.parametrize(
    ("text", "deeds"),
    [
        ("Ana struck Zel.", [("hit", ANA, ZEL)]),
        ("Zel was struck by Captain Ana.", [("hit", ANA, ZEL)]),
        ("Ana and Zel hit the eels.", [("hit", ANA | ZEL, EELS)]),
        ("Ana swung at Zel and missed.", [("to swin", ANA, ZEL), ("miss", ANA, NOBODY)]),
        ("I kill Ana, and the bell swings.", [("die", ZEL, ANA), ("to swin", NOBODY, NOBODY)]),
        ("Ana drowned.", [("die", NOBODY, ANA)]),
        ("Ana took Zel out of the fight.", [("out", ANA, ZEL)]),
        ("Zel is out of it.", [("out", NOBODY, ZEL)]),
        ("Ana gave up, and Zel won.", [("concede", ANA, NOBODY), ("win", ZEL, NOBODY)]),
        ("Ana gave in to Zel.", [("concede", ANA, ZEL)]),
        ("Ana was carried out.", [("to carr", NOBODY, ANA)]),
        ("Ana passed the salt.", [("to pas", ANA, NOBODY)]),
        ("While they look at Ana I run away.", [("to look", NOBODY, ANA), ("flee", ZEL, NOBODY)]),
        ("Ana taught me to swim.", [("to teac", ANA, ZEL)]),
        ("Ana lost the fight.", [("lose", ANA, NOBODY)]),
        ("Ana lost her way.", [("to los", ANA, NOBODY)]),
        ("Ana lost two of warmth.", [("to los", ANA, NOBODY)]),
        ("Ana cut the rope.", [("to cut", ANA, NOBODY)]),
        ("Ana burned one of the letters.", [("to burn", ANA, NOBODY)]),
        ("Ana drowned twice.", [("die", NOBODY, ANA)]),
        ("Ana ran away.", [("flee", ANA, NOBODY)]),
        ("Hit, and hit again.", [("hit", ZEL, NOBODY), ("hit", ZEL, NOBODY)]),
        ("The hit was hard.", []),
        ("Zel fell to Ana's blade.", [("out", ANA, ZEL)]),
        ("Ana struck Zel down.", [("out", ANA, ZEL)]),
        ("Ana put the lamp out.", [("to put", ANA, NOBODY)]),
        ("Ana brought the hook down on the eels.", [("to brin", ANA, EELS)]),
        ("Ana's kick missed Zel.", [("attack", ANA, NOBODY), ("miss", ANA, ZEL)]),
        ("Ana gave up the road.", [("to giv", ANA, NOBODY)]),
        ("Ana hit Zel, who ran away.", [("hit", ANA, ZEL), ("flee", ZEL, NOBODY)]),
        ("I hear him ask.", [("to hear", ZEL, NOBODY), ("say", NOBODY, NOBODY)]),
        ("I came from the side Ana was not watching.", [("to com", ZEL, ANA)]),
        ("Ana struck one of the eels.", [("hit", ANA, EELS)]),
        ("Ana shook off the cold without a cough.", [("pass", ANA, NOBODY)]),
        ("Trip him.", [("to trip", ZEL, NOBODY)]),
    ],
)
def test_a_sentence_says_who_does_what_to_whom(
    text: str, deeds: list[tuple[str, frozenset[int], frozenset[int]]]
) -> None:
    assert said(text) == deeds


@pytest.mark.parametrize("text", ["Ana did not hit Zel.", "Ana never hit Zel.", "Ana didn't hit Zel."])
def test_a_denied_deed_is_marked(text: str) -> None:
    (deed,) = deeds_in(tokens_of(text, NAMES))

    assert (deed.sort, deed.is_negated) == ("hit", True)


@pytest.mark.parametrize(
    ("text", "deeds"),
    [
        ("Ana hits Zel for 3: 0 left", [("hit", ANA, ZEL)]),
        ("Ana: attack with dex 2 against Zel's ac: a hit", [("attack", ANA, ZEL), ("hit", ANA, ZEL)]),
        ("Zel is taken out on cool by Ana, 8 shifts", [("out", ANA, ZEL)]),
        ("Zel is out of the fight", [("out", NOBODY, ZEL)]),
        ("conflict 1 over: conceded, Ana wins", [("concede", NOBODY, NOBODY), ("win", ANA, NOBODY)]),
        ("Zel, whiskey sheet: die=1 hp=9", []),
        ("round 1 over", []),
    ],
)
def test_a_line_of_the_log_says_it_too(
    text: str, deeds: list[tuple[str, frozenset[int], frozenset[int]]]
) -> None:
    assert [_bare(deed) for deed in deeds_noted(tokens_of(text, NAMES))] == deeds
