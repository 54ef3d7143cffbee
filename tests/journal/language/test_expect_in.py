"""`expect --in` asks about the conflict it names, in every game; two are open, and the older is meant too."""

from __future__ import annotations

from pathlib import Path

import pytest

from retold.journal.refused import Refused
from retold.journal.store.writing.campaign import CampaignStore
from retold.scribe import Scribe

TWO_OPEN = {
    "spacetime": """\
option spacetime.require_tactics=no
conflict X spacetime A vs B
conflict Y spacetime C vs D
draw --in X = T1 T2
draw --in Y = T3 T4
""",
    "guenask": """\
cast A guenask mind=2 hard=2
cast B guenask mind=2 hard=2
cast C guenask mind=2 hard=2
conflict X guenask A vs B first=A: s
approach A opposed neutral = 1 1 5 5
conflict Y guenask A vs C first=A: s
approach A opposed neutral = 2 2 3 3
""",
    "bruise": """\
cast A bruise clubs=2 melee=2
cast B bruise clubs=2 melee=2
cast C bruise clubs=2 melee=2
conflict X bruise A vs B
conflict Y bruise A vs C
draw A clubs+melee --in X = JH JD 10S 7C
draw B clubs+melee --in X = 9D 8S 5C 2H
draw A clubs+melee --in Y = QH 9S 3D 2S
draw C clubs+melee --in Y = 8H 8D 4S 3H
""",
}


def table(tmp_path: Path, lines: str) -> Scribe:
    scribe = Scribe(CampaignStore.create(tmp_path / "two.retold"), 1)
    for line in ("cast gm by=Eve", "session S", *lines.splitlines()):
        scribe.say(line)
    return scribe


def test_D1_the_balance_of_either_conflict_is_asked_for(tmp_path: Path) -> None:
    scribe = table(tmp_path, TWO_OPEN["spacetime"])

    for conflict, favoured in (("X", "B"), ("Y", "D"), ("1", "B"), ("2", "D")):
        assert scribe.say(f"expect --in {conflict} balance unbalanced {favoured}").checked
        with pytest.raises(Refused, match=f"found unbalanced {favoured}"):
            scribe.say(f"expect --in {conflict} balance balanced")
    with pytest.raises(Refused, match="found unbalanced B"):
        scribe.say("expect balance unbalanced D --in X")
    assert scribe.say("expect balance unbalanced D").checked, "without it, the one last addressed"


def test_D1_the_dice_in_either_conflict_are_asked_for(tmp_path: Path) -> None:
    scribe = table(tmp_path, TWO_OPEN["guenask"])

    assert scribe.say("expect --in X pool A 1 1 5 5").checked
    assert scribe.say("expect --in Y pool A 2 2 3 3").checked


def test_D1_bruise_asks_about_the_hand_of_either_conflict(tmp_path: Path) -> None:
    scribe = table(tmp_path, TWO_OPEN["bruise"])

    assert scribe.say("expect --in X quality A J").checked
    assert scribe.say("expect --in Y quality A Q").checked


@pytest.mark.parametrize("game", TWO_OPEN)
def test_D1_a_conflict_that_is_not_open_is_refused(game: str, tmp_path: Path) -> None:
    scribe = table(tmp_path, TWO_OPEN[game])

    for line in ("expect --in Z conflict open", "expect --in 3 pending", "expect pending --in Z"):
        with pytest.raises(Refused):
            scribe.say(line)
    with pytest.raises(Refused, match="expect takes no --gm: it checks"):
        scribe.say("expect --gm conflict open")


def test_D1_a_subject_of_another_game_is_refused(tmp_path: Path) -> None:
    scribe = table(tmp_path, TWO_OPEN["spacetime"])

    with pytest.raises(Refused, match="Space·Time has none"):
        scribe.say("expect --in X stress A 2")
