"""Deeds of cards: attacks and damage of each tool, in the languages that have sentences for them."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

import retold.sources.deeds
from retold.sources.deeds import Deed, deed_in, deeds_in, is_same_act, sentence
from retold.sources.dice import Rung, Throw


def thrown(text: str, total: int = 18, **more: str) -> Throw:
    fields: dict[str, Any] = {"text": text, **more}
    return Throw(Rung.TOTAL, f"= {total}", "1d20", (), total, **fields)


AVRAE = "Ysolde attacks with a Glaive! Heron"
MISSED = "Melee Strike: Oar1\nx\nTarget: Heron (AC 19)\nResult: Miss by -4"
OAR = (thrown("Oar", act="attack"), thrown("Oar", 4, act="attack"))
CARDS = [
    (
        (thrown(f"{AVRAE} To Hit"), thrown(f"{AVRAE} Damage", 9)),
        "attacks Heron with a glaive and hits: 9 damage",
    ),
    ((thrown(f"{AVRAE} To Hit", verdict="Miss!"),), "attacks Heron with a glaive and misses"),
    (
        (thrown("Ysolde attacks with a Net! Meta To Hit"), thrown("Ysolde attacks with a Net! Damage", 9)),
        "attacks with a net: 9 damage if it hits",
    ),
    (
        (thrown("Ysolde attacks Heron with a Net! To Hit (CRIT!)", verdict="CRITICAL!"),),
        "attacks Heron with a net and hits",
    ),
    (
        (thrown("Ysolde casts Ray at Heron! To Hit"), thrown("Ysolde casts Ray at Heron! Damage", 4)),
        "casts ray at Heron and hits: 4 damage",
    ),
    ((thrown("Ysolde uses Breath! Damage", 4),), "uses breath: 4 damage"),
    (
        (thrown("Oar: Attack", against="AC 13"), thrown("Oar: Damage", 7)),
        "attacks with an oar and hits: 7 damage",
    ),
    ((thrown("Oar: Attack", 8, against="AC 13"), thrown("Oar: Damage", 7)), "attacks with an oar and misses"),
    ((*OAR, thrown("Oar: dmg1", 7), thrown("Oar: dmg2", 2)), "attacks with an oar: 9 damage if it hits"),
    ((thrown("Oar - Attack Roll", target="Heron"),), "attacks Heron with an oar"),
    ((thrown("Oar \u2013 Damage Roll (Bludgeoning)", 7),), "hits with an oar: 7 damage"),
    ((thrown("Ruder - Angriffswurf", act="attack"),), "attacks with a ruder"),
    ((thrown(MISSED),), "attacks Heron with an oar and misses"),
    ((thrown("Damage Roll: Oar (Hit)", 7),), "hits with an oar: 7 damage"),
    ((thrown("[ATTACK (M)] Oar [at Heron] [HIT]", verdict="HIT"),), "attacks Heron with an oar and hits"),
    ((thrown("[DAMAGE (M)] Oar [TYPE: cold (1d6=3)]", 3),), "hits with an oar: 3 damage"),
    ((thrown("Ysolde attacks with a **Sack**! Heron To Hit"),), "attacks Heron with a sack"),
    ((thrown("**Sack** - Attack Roll"),), "attacks with a sack"),
    ((thrown("Stealth"),), ""),
    ((thrown("Ysolde makes a Stealth check!"),), ""),
]


@pytest.mark.parametrize(("throws", "told"), CARDS)
def test_a_card_tells_its_attack_and_its_damage(throws: tuple[Throw, ...], told: str) -> None:
    assert "; ".join(sentence(deed, "en") for deed in deeds_in(throws)) == told


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Attack [17] -> [at Heron] [HIT]", "hits Heron"),
        ("Attack [4] -> [at Heron] [AUTOMATIC MISS]", "misses Heron"),
        ("Attack [4] -> [at Heron] [STATUS: Wounded]", None),
        ("[CAST] Light [at Heron]", "casts light at Heron"),
        ("[TURN] Heron", None),
    ],
)
def test_a_line_of_fantasy_grounds_tells_a_result_or_a_spell(line: str, told: str | None) -> None:
    deed = deed_in(line)

    assert (deed and sentence(deed, "")) == told


def test_a_language_without_sentences_tells_nothing() -> None:
    (deed,) = deeds_in([thrown("Oar: Attack")])

    assert (sentence(deed, "pt-BR"), sentence(deed, "fi")) == ("ataca com oar", "")


def test_an_article_of_another_language_is_left_out() -> None:
    (deed,) = deeds_in([thrown(f"{AVRAE} To Hit")])

    assert sentence(deed, "de") == "greift Heron mit Glaive an"


def test_each_language_has_each_sentence() -> None:
    table = tomllib.loads(Path(retold.sources.deeds.__file__).with_suffix(".toml").read_text("utf-8"))

    assert {name: [*forms] for name, forms in table.items()} == {name: [*table["en"]] for name in table}


@pytest.mark.parametrize(
    ("kind", "what", "told"),
    [
        ("attacks", "GREATAXE", "attacks with a greataxe"),
        ("attacks", "Crossbow, Light", "attacks with a light crossbow"),
        ("attacks", "+1 Longsword (Two-Handed)", "attacks with a longsword"),
        ("attacks", "Claws", "attacks with claws"),
        ("attacks", "Unarmed Strike", "attacks with an unarmed strike"),
        ("attacks", "AK-47", "attacks with an AK-47"),
        ("casts", "GUIDING BOLT", "casts guiding bolt"),
        ("casts", "Bigby's Hand", "casts Bigby's hand"),
        ("uses", "Second Wind", "uses second wind"),
        ("uses", "Potion of Healing", "uses a potion of healing"),
    ],
)
def test_names_of_weapons_and_spells_are_plain_words(kind: str, what: str, told: str) -> None:
    assert sentence(Deed(kind, what), "en") == told


def test_names_keep_the_capitals_that_their_language_has() -> None:
    given = [("es", "Luz"), ("de", "Licht"), ("fr", "LUMI\u00c8RE")]
    names = [sentence(Deed("casts", what), language) for language, what in given]

    assert names == ["lanza luz", "wirkt Licht", "lance lumi\u00e8re"]
    assert sentence(Deed("attacks", "Net", "The Ferryman"), "en") == "attacks the Ferryman with a net"


@pytest.mark.parametrize(
    ("came", "is_same"),
    [
        ("attacks with GREATAXE", True),
        ("attacks with a Greataxe", True),
        ("attacks with a greataxe and hits", False),
        ("attacks with a greataxe: 9 damage", False),
    ],
)
def test_the_words_of_an_earlier_release_tell_the_same_act(came: str, is_same: bool) -> None:
    assert is_same_act(came, "attacks with a greataxe") is is_same
    assert is_same_act("deals 9 damage with Rapier", "hits with a rapier: 9 damage")
