"""What somebody at the table may hand in for themselves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import retold
from retold.journal.language.lexing import lex

SCRIPT = """
cast gm by=Mary
cast Zel bruise by=Jon clubs=4 melee=2
cast Odo bruise by=Kit clubs=3
session One
scene The stair
conflict "Out" bruise Zel vs Guards: freedom
declare Zel: I run.
"""


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[retold.Campaign]:
    with retold.new(tmp_path / "salt.retold") as campaign:
        campaign.play(SCRIPT)
        yield campaign


@pytest.mark.parametrize(
    "line",
    [
        "say Zel: Hush.",
        "Zel: Hush.",
        "say Zel --to Kit: Hush.",
        "draw Zel clubs+melee = KS 10S 9S 8S 7S 6S",
        "draw Zel clubs+melee",
        "note: The guard limps.",
        "say Jon: A thought.",
    ],
)
def test_it_is_theirs(campaign: retold.Campaign, line: str) -> None:
    before = campaign.position

    assert campaign.check(line, by="Jon").would
    assert campaign.position == before


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("narrate Odo: Rain.", "Odo is not yours to speak for."),
        ("roll Zel+Odo 2d6 = 3 4 1 1", "Odo is not yours to speak for."),
        ("say Guards: Halt!", "Guards is not yours to speak for."),
        ("undo", "undo is not for you to say now; can lists what is."),
        ("redact --person Odo", "--person is for the game master to say."),
        ("end session", "end is not for you to say now; can lists what is."),
        ("join Zel+Rat", "Say whose it is: join NAME."),
        ("join Odo", "Odo is not yours to speak for."),
        ("scene The cellar", "scene is not for you to say now; can lists what is."),
        ("cast Zel clubs=9", "cast is not for you to say now; can lists what is."),
        ("narrate Zel --gm: Rain.", "--gm is for the game master to say."),
        ("narrate Zel --at 3: Rain.", "--at is for the game master to say."),
        ("narrate: Rain.", "Say whose it is: narrate Zel: Rain."),
        ("draw Zel clubs+melee =dealt KS 10S 9S 8S 7S 6S", "--provenance is for the game master to say."),
        ("ruling Zel.karma=9: because", "ruling is not for you to say now; can lists what is."),
        ("Odo reveals", "Odo is not yours to speak for."),
    ],
)
def test_it_is_not_theirs(campaign: retold.Campaign, line: str, why: str) -> None:
    before = campaign.position

    with pytest.raises(retold.Refused) as refused:
        campaign.say(line, by="Jon")

    assert str(refused.value) == why
    assert campaign.position == before


@pytest.mark.parametrize("eyes", ["table", "gm", "Mary"])
def test_only_a_player_hands_in(campaign: retold.Campaign, eyes: str) -> None:
    with pytest.raises(retold.Refused):
        campaign.say("narrate Zel: Rain.", by=eyes)


def test_it_is_recorded_in_their_name_and_once(campaign: retold.Campaign) -> None:
    first = campaign.say("say Zel: Rain.", by="Jon", act="jons-1")
    again = campaign.say("say Zel: Rain.", by="Jon", act="jons-1")

    assert first.done is not None
    assert again.done is not None
    assert (again.done.again, again.done.first) == (True, first.done.first)


def test_a_note_of_their_own_is_for_their_own_eyes(campaign: retold.Campaign) -> None:
    campaign.say("note: The guard limps.", by="Jon")

    assert "limps" in campaign.seen_by("Jon").happened()[-1].told
    assert all("limps" not in one.told for one in campaign.seen_by("Kit").happened())
    assert "limps" in campaign.happened()[-1].told


SEED = "a seed for tests alone"
DRAW = "draw Zel clubs+melee"


@pytest.fixture
def seeded(tmp_path: Path) -> Iterator[retold.Campaign]:
    with retold.new(tmp_path / "seeded.retold", seed=SEED) as campaign:
        campaign.play(SCRIPT)
        yield campaign


@pytest.mark.parametrize("by", ["Jon", None])
def test_previews_do_not_reveal_what_the_seed_deals_next(by: str | None, seeded: retold.Campaign) -> None:
    """Of 46 cards six come: that ten examples in a row are the very ones the seed deals is not to be met."""
    examples = {seeded.sentences(seeded.check(DRAW, by=by)) for _ in range(10)}
    writer = seeded.scribe.writer
    ahead = writer.would(seeded.scribe.read(lex(DRAW)).command)  # the control: this is what would be shown
    dealt = seeded.say(DRAW, by="Jon")

    assert list(dealt.events) == ahead
    assert len(examples) > 1


def test_if_the_seed_is_not_a_player_is_told_what_they_can_do(
    seeded: retold.Campaign, tmp_path: Path
) -> None:
    with retold.open(seeded.place) as without:
        assert without.check(DRAW, by="Jon").would
        with pytest.raises(retold.Refused) as refused:
            without.say(DRAW, by="Jon")
        assert "RETOLD_SEED" not in str(refused.value)
        assert "say what came up, after =" in str(refused.value)
        assert without.say(f"{DRAW} = KS 10S 9S 8S 7S 6S", by="Jon").done is not None
        without.say("undo")
        with pytest.raises(retold.Refused, match="RETOLD_SEED"):
            without.say(DRAW)


# --- what it comes to is told as far as they may know it ---------------------------------------------------


@pytest.fixture
def secrets(tmp_path: Path) -> Iterator[retold.Campaign]:
    """An evening in which somebody whom Jon knows goes by another name in secret."""
    with retold.new(tmp_path / "secrets.retold") as campaign:
        campaign.play("game d20\ncast Zel by=Jon\ncast Odo by=Kit\ncast Stranger --to Jon\nsession One")
        campaign.play("cast Stranger --gm name=Perameles")
        yield campaign


def test_they_are_told_the_names_they_know(secrets: retold.Campaign) -> None:
    outcome = secrets.check("note Stranger: Limps.", by="Jon")
    assert secrets.sentences(outcome, by="Jon") == ("note on Stranger: “Limps.” (for Jon only)",)

    outcome = secrets.say("note Stranger: Limps.", by="Jon")
    assert secrets.sentences(outcome, by="Jon") == ("note on Stranger: “Limps.” (for Jon only)",)


def test_they_are_told_what_they_whisper_themselves(secrets: retold.Campaign) -> None:
    outcome = secrets.check("say Zel --to Kit: Hush.", by="Jon")

    assert secrets.sentences(outcome, by="Jon") == ("Zel says: “Hush.” (for Kit only)",)


def test_a_track_or_condition_alone_is_no_unknown_verb(campaign: retold.Campaign) -> None:
    campaign.play("game d20\ncast Nela by=Rik health=8")

    (asked,) = campaign.check("hp", by="Rik").said
    assert asked.startswith("hp has no value yet: track NAME hp")
    with pytest.raises(
        retold.Refused, match=r"^poisoned belongs to a person, so a name comes next: poisoned NAME\.$"
    ):
        campaign.check("poisoned", by="Rik")
