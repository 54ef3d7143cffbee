"""What a program records for some eyes only is hidden from all others, or refused; nothing is dropped.

The check of typed lines (`--gm` belongs to this verb, or not) lies above the writer; an import has none.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from retold.journal.decks.chance import Provenance
from retold.journal.refused import Refused
from retold.journal.store.events.acts import Manner
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Command, Words
from retold.projections.plain.lives import moment_notation
from retold.projections.story.transcript import of_range
from retold.scribe import Scribe

ZEL, JON, ASH, KIM = 2, 3, 4, 5

CAST = """\
cast gm by=Mary
cast Zel bruise by=Jon clubs=4 melee=2
cast Ash bruise by=Kim clubs=3 melee=1
cast Shade bruise clubs=2 --to Jon
cast Wraith bruise clubs=2 --gm
session Rain
"""


@pytest.fixture
def scribe(tmp_path: Path) -> Iterator[Scribe]:
    with CampaignStore.create(tmp_path / "x.retold") as campaign:
        scribe = Scribe(campaign, 1)
        for line in CAST.splitlines():
            scribe.say(line)
        yield scribe


def seen(scribe: Scribe, viewer: str) -> str:
    """All that a viewer has of the line: its log, and what is told."""
    known = scribe.seen_by(viewer)
    log = [moment_notation(moment, known.ids) for moment in known.moments(0)]
    return "\n".join((*log, *(one.text for one in of_range(known).paragraphs())))


CANNOT_BE_HIDDEN: tuple[Command, ...] = (
    c.NameCampaign(title=Words("x")),
    c.SetScene(title=Words("x")),
    c.End(what="session"),
    c.SetOption(values={"table.screen": "silent"}),
    c.Cast(who=ZEL, values={"clubs": 5}, system="bruise"),
    c.Retire(person=ZEL),
    c.Merge(person=ZEL, into=ASH),
    c.OpenConflict(title=Words("x"), system="bruise", sides=((ZEL,), (ASH,))),
    c.Clear(who=ZEL, track="x"),
)


@pytest.mark.parametrize("audience", ["gm", (JON,)], ids=["gm", "to"])
@pytest.mark.parametrize("command", CANNOT_BE_HIDDEN, ids=lambda command: type(command).__name__)
def test_lines_that_cannot_be_hidden_are_refused(
    scribe: Scribe, command: Command, audience: str | tuple[int, ...]
) -> None:
    head = scribe.campaign.record.head(1)
    with pytest.raises(Refused):
        scribe.writer.record(command, Manner(visible_to=audience))
    with pytest.raises(Refused):
        scribe.writer.would(command, Manner(visible_to=audience))

    assert scribe.campaign.record.head(1) == head


@pytest.mark.parametrize("audience", ["gm", (JON,)], ids=["gm", "to"])
def test_an_imported_secret_roll_is_one_behind_the_screen(
    scribe: Scribe, audience: str | tuple[int, ...]
) -> None:
    manner = Manner(visible_to=audience, provenance=Provenance.IMPORTED, source=("ab" * 32, 7))
    roll = c.Roll(who=ZEL, dice="2d20+1", results=("13", "17"), text=Words("Does she hear it?"))
    done = scribe.writer.record(roll, manner)

    assert [(type(live.event), live.visible_to) for live in done.lives] == [
        (e.DiceRolled, audience),
        (e.TotalReached, audience),
        (e.RolledInSecret, "table"),
    ]
    assert done.lives[0].luck == (Provenance.IMPORTED,) * 2
    for viewer in ("table", "Kim", "Ash"):
        assert "the game master rolls behind the screen" in seen(scribe, viewer)
        assert not any(secret in seen(scribe, viewer) for secret in ("13", "17", "31", "Does she hear it?"))
    assert ("13 17" in seen(scribe, "Jon")) == (audience != "gm")


def test_secret_rolls_are_imported_silently_under_a_silent_screen(scribe: Scribe) -> None:
    scribe.say("option table.screen=silent")
    before = seen(scribe, "Kim")
    scribe.writer.record(c.Roll(who=ZEL, dice="2d20", results=("13", "17")), Manner(visible_to="gm"))

    assert seen(scribe, "Kim") == before


def test_a_throw_in_an_open_conflict_is_refused_in_secret(scribe: Scribe) -> None:
    scribe.say("conflict Out bruise Zel vs Ash")
    draw = c.Draw(who=ZEL, traits=("clubs", "melee"), results=("KS", "10D", "8H", "7C", "4C", "3D"))

    with pytest.raises(Refused, match="say it openly"):
        scribe.writer.record(draw, Manner(visible_to="gm"))


@pytest.mark.parametrize("line", ["draw Shade 3 --gm = KS 10D 8H", "draw Shade 3 --to Kim = KS 10D 8H"])
def test_a_draw_cannot_hide_from_viewers_who_know_its_people(scribe: Scribe, line: str) -> None:
    scribe.say("conflict Out bruise Zel vs Shade --to Jon")
    head = scribe.campaign.record.head(1)
    with pytest.raises(Refused, match="Jon may know who is in this draw, so it cannot be hidden from them"):
        scribe.say(line)

    assert scribe.campaign.record.head(1) == head


@pytest.mark.parametrize("audience", ["Jon", "Zel", "Kim,Jon"])
def test_a_draw_may_name_viewers_who_know_its_people(scribe: Scribe, audience: str) -> None:
    scribe.say("conflict Out bruise Zel vs Shade --to Jon")
    scribe.say(f"draw Shade 3 --to {audience} = KS 10D 8H")

    assert "10♦" in seen(scribe, "Jon")
    assert "10♦" not in seen(scribe, "Kim")


def test_people_known_only_to_the_game_master_draw_in_secret(scribe: Scribe) -> None:
    scribe.say("conflict Out bruise Zel vs Ash+Wraith --gm")
    scribe.say("draw Wraith 3 --gm = KS 10D 8H")

    assert "10♦" not in seen(scribe, "Jon")
