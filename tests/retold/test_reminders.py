"""What wants words is asked for once, right after it: a raise, a track, a meme, Karma, a Quantity (D16)."""

from __future__ import annotations

from pathlib import Path

import pytest

from retold.games.guenask import events as g
from retold.journal.decks.chance import FirstDealer, Luck
from retold.journal.language.proposed import available_actions
from retold.journal.refused import Refused
from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.prose import awaiting
from retold.scribe import Scribe

ARGUING = (
    "cast gm by=Eve",
    "cast Hana guenask by=Jo mind=2 hard=2",
    "cast Bo guenask by=Pa mind=3 hard=3",
    "session S",
    "option guenask.boxes_per_row=3",
    "conflict K guenask Hana vs Bo first=Hana: the boat",
    "approach Hana opposed neutral = 6 6 5 5",
    "approach Bo opposed neutral = 3 3 3 3 3 3",
)
DUEL = (
    "cast gm by=Eve",
    "cast Zel bruise by=Ki clubs=2 meme.spite=3",
    "session S",
    "conflict Z bruise Zel vs Leg tied=destiny",
    "draw Zel clubs+spite = JH JD 10S 7C 2C",
)


def told(path: Path, *lines: str) -> Scribe:
    scribe = Scribe(CampaignStore.create(path / "words.retold"), 1)
    for line in lines:
        scribe.say(line)
    return scribe


def spots(scribe: Scribe) -> list[str]:
    return [one.what for one in awaiting.untold_of(scribe.seen_by("gm")).spots]


def test_D16_a_raise_a_see_and_a_track_without_words_are_asked_for_once(tmp_path: Path) -> None:
    scribe = told(tmp_path, *ARGUING)

    assert scribe.say("raise Hana 6+5").said == ("Hana's raise has no words yet: narrate Hana: …",)
    assert scribe.say("say Bo: Hm.").said == ()
    assert scribe.say("see Bo 3+3+3+3").said == ("Bo's see has no words yet: narrate Bo: …",)
    done = scribe.say("fallout Bo social")
    assert done.said == ("Nobody has said why it is Bo's social track: narrate Bo: …",)
    assert [event.bare for event in done.events if isinstance(event, g.FalloutTaken)] == [True]
    assert spots(scribe)[-1].startswith("Bo took social fallout.")

    scribe.say("narrate Bo: They all heard it.")
    scribe.say("narrate Hana: I name the price.")
    assert spots(scribe) == []


def test_D16_with_words_nothing_is_asked(tmp_path: Path) -> None:
    scribe = told(tmp_path, *ARGUING)
    for line in ("raise Hana 6+5: The price.", "see Bo 3+3+3+3: Oh.", "fallout Bo social: All heard it."):
        done = scribe.say(line)
        assert done.said == ()
        assert not any(getattr(event, "bare", None) for event in done.events)
    assert spots(scribe) == []


def test_D16_a_track_named_with_the_see_is_told_by_it(tmp_path: Path) -> None:
    scribe = told(tmp_path, *ARGUING, "raise Hana 6+5: The price.")

    done = scribe.say("see Bo 3+3+3+3 social: They all hear it.")

    assert done.said == ()
    assert [event.bare for event in done.events if isinstance(event, g.FalloutTaken)] == [None]


def test_D16_a_ruling_on_the_track_says_why(tmp_path: Path) -> None:
    scribe = told(tmp_path, *ARGUING, "raise Hana 6+5: The price.", "see Bo 3+3+3+3: Oh.")

    done = scribe.say("ruling social: They all heard it.")

    assert done.said == ()
    assert [event.bare for event in done.events if isinstance(event, g.FalloutTaken)] == [None]


@pytest.mark.parametrize(
    ("before", "line", "sentence"),
    [
        ((), "raise Hana 6+5", "raise Hana 6+5: what is done, and how"),
        (("raise Hana 6+5: Ha.",), "see Bo 3+3+3+3", "see Bo 3+3+3+3: what is done, and how"),
        (
            ("raise Hana 6+5: Ha.", "see Bo 3+3+3+3: Oh."),
            "fallout Bo social",
            "fallout Bo social: what is done, and how",
        ),
    ],
)
def test_D16_a_table_may_require_the_words(
    tmp_path: Path, before: tuple[str, ...], line: str, sentence: str
) -> None:
    scribe = told(tmp_path, *ARGUING, "option guenask.words=require", *before)
    with pytest.raises(Refused) as refused:
        scribe.say(line)
    assert str(refused.value) == f"Say it in words too (option words): {sentence}"
    assert scribe.say(f"{line}: So it is.").done is not None


def test_D16_a_table_may_let_it_be(tmp_path: Path) -> None:
    scribe = told(tmp_path, *ARGUING, "option guenask.words=off")
    assert scribe.say("raise Hana 6+5").said == ()


def test_D16_the_meme_and_the_karma_belong_in_the_telling(tmp_path: Path) -> None:
    scribe = told(tmp_path, *DUEL)
    scribe.say("karma Zel destiny 2C = KD")

    scribe.say("draw Leg 4 = 9D 8S 5C 2H")

    done = scribe.say("quality")

    takes_up = "Zel's telling takes up the meme spite and a point of Destiny."
    assert done.said == (takes_up,)
    (seen,) = available_actions(scribe.table, Luck(FirstDealer()))
    assert takes_up in seen.stands
    scribe.say("narrate Zel: Out of spite.")
    (seen,) = available_actions(scribe.table, Luck(FirstDealer()))
    assert takes_up not in seen.stands


def test_D16_a_winner_by_unnamed_cards_is_asked_for_the_quantity(tmp_path: Path) -> None:
    scribe = told(tmp_path, *DUEL[:-1], "draw Zel clubs+spite = JH _ _ _ _")

    scribe.say("quality Leg 9")
    assert scribe.say("quality").said == (
        "Zel's telling takes up the meme spite.",
        "Zel's Quantity is still to be said (quality).",
    )


def test_D16_bruise_may_let_it_be(tmp_path: Path) -> None:
    scribe = told(tmp_path, *DUEL, "option bruise.words=off")
    scribe.say("draw Leg 4 = 9D 8S 5C 2H")
    assert scribe.say("quality").said == ()
