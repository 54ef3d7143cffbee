"""After each turn one line says where everybody in the conflict stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.games.bruise import commands as b
from retold.games.spacetime.commands.verbs import DesireOutcome
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.events import Setting
from retold.projections.exports import export
from retold.projections.prose.telling import Tag
from retold.projections.reading import LineView
from retold.projections.story import status_line, transcript
from retold.projections.story.document import Transcript
from retold.projections.story.status_line import LONGEST, StatusLines
from retold.projections.texts.wrapping import width
from retold.scribe import Scribe
from retold.script_player import Script, play_script
from tests.projections.evening import Table, w
from tests.projections.test_whiskey import ford, fought, people
from tests.projections.warehouse import EVENING, recorded

EXAMPLES = Path(__file__).parents[2] / "examples"


def told(table: Table, voice: str = "report") -> Transcript:
    return transcript.of_range(LineView(table.campaign, 1), voice=voice, ribbon=True)


def story(transcript_: Transcript) -> list[str]:
    """What is told, ribbons in angle brackets, without what stands outside of conflicts."""
    return [
        f"<{one.text}>" if one.kind is Tag.RIBBON else one.text
        for scene in transcript_.scenes
        for passage in scene.passages
        if passage.conflict
        for one in passage.paragraphs
    ]


def ribbons(transcript_: Transcript) -> list[str]:
    return [one[1:-1] for one in story(transcript_) if one.startswith("<")]


@contextmanager
def played(example: str, folder: Path) -> Iterator[CampaignStore]:
    """An example's campaign."""
    with CampaignStore.create(folder / "played.retold") as campaign:
        scribe = Scribe(campaign, 1)
        for _ in play_script(scribe, Script(example, (EXAMPLES / f"{example}.session").read_bytes())):
            pass
        yield campaign


def now(table: Table) -> str:
    """The ribbon of the conflict in play."""
    conflict = table.writer.table.in_play()
    assert conflict is not None
    return status_line.of(table.writer.table, conflict)


@pytest.fixture
def gate(tmp_path: Path) -> Iterator[Table]:
    """Reeve against the pedlars, and after the first round another."""
    table = Table(tmp_path / "gate.retold")
    table.do(c.OpenSession())
    table.do(c.Cast(who=w("Reeve"), by=w("Ana")))
    table.do(c.Cast(who=w("Pedlars"), by=w("Bo")))
    reeve, pedlars = people(table, "Reeve", "Pedlars")
    table.do(c.OpenConflict(title=w("The gate"), system="spacetime", sides=((reeve,), (pedlars,))))
    for who in (reeve, pedlars):
        table.do(DesireOutcome(who=who, text=w("My way.")))
        table.do(c.Declare(who=who, text=w("I push.")))
    table.do(c.Draw(who=reeve, results=("T14",)))
    table.do(c.Draw(who=pedlars, results=("unknown:ruler:r",)))
    table.do(c.Narrate(who=reeve, text=w("It holds.")))
    table.do(c.Narrate(who=pedlars, text=w("We sing on.")))
    table.do(c.Declare(who=reeve, text=w("Another bar.")))
    yield table
    table.campaign.close()


# --- when it stands ---------------------------------------------------------------------------------------


def test_the_ribbon_follows_a_told_turn_and_precedes_the_next(gate: Table) -> None:
    """Ana has 3 tokens to overrule, and Bo; 65 of the 67 cards are left."""
    assert story(told(gate)) == [
        "My way.",
        "I push.",
        "My way.",
        "I push.",
        "It holds.",
        "We sing on.",
        "<Balance: unbalanced, Reeve · Ana 3 tokens · Bo 3 tokens · deck 65/67 · round 1>",
        "Another bar.",
    ]


def test_an_open_turn_is_not_mentioned(gate: Table) -> None:
    assert now(gate) != ribbons(told(gate))[-1]
    assert len(ribbons(told(gate))) == 1


def test_only_who_asks_for_it_gets_it(gate: Table) -> None:
    plainly = transcript.of_range(LineView(gate.campaign, 1))

    assert ribbons(plainly) == []
    assert [one for one in story(told(gate)) if not one.startswith("<")] == story(plainly)


def test_what_a_turn_left_as_it_was_is_not_said_again(table: Table) -> None:
    ribbons_ = StatusLines.beginning(table.writer.table)
    ribbons_.see(table.writer.table, 50, 2)

    assert ribbons_.due(2) is None
    assert ribbons_.due(7) is None


def test_every_end_of_a_conflict_has_its_last_turn_once(table: Table) -> None:
    """In Bruise the end of a conflict ends its turn too: one ribbon, of the table before both.

    Zel draws six cards, then one, and on the second evening twice two, of which the second turn is open.
    """
    assert ribbons(told(table)) == [
        "Zel 1 legacy · Jon deck 46/52 · turn 1",
        "Zel 1 legacy · Jon deck 51/52 · turn 2",
        "Zel 1 legacy · Jon deck 50/52 · turn 1",
    ]


def test_a_stretch_that_begins_in_a_turn_says_what_came_of_it(gate: Table) -> None:
    resolved = next(
        at
        for at in range(1, gate.writer.head.position)
        if "unbalanced" in str(gate.campaign.table_at(1, at).conflicts.get(1))
    )
    late = transcript.of_range(LineView(gate.campaign, 1), resolved - 1, ribbon=True)

    assert ribbons(late) == ribbons(told(gate))


# --- what it says -----------------------------------------------------------------------------------------


def test_hit_points_of_those_who_are_hurt(tmp_path: Path) -> None:
    table = ford(tmp_path / "ford.retold")
    assert now(table) == "phase 1"
    fought(table)

    assert now(table) == "Tobin HP 4/12 · Pike HP 5/12 · … · phase 2"


def test_a_person_who_is_out_is_said(tmp_path: Path) -> None:
    table = ford(tmp_path / "ford.retold")
    (sling,) = people(table, "Sling")
    table.do(c.Rule(text=w("The fall."), sets=(Setting(person=sling, what="hp", op="=", value=0),)))

    assert now(table) == "Sling HP 0/12 (out) · phase 1"


def test_stress_and_fate_points(tmp_path: Path) -> None:
    """Hargan's 2 shifts mark boxes 1 and 2; Jon is paid for a compel and an invoke (5 + 1 + 1)."""
    table = recorded(tmp_path / "steam.retold", EVENING)

    assert ribbons(told(table)) == [
        "Jon 5 fate points · Sandra 5 fate points · William 5 fate points · exchange 1",
        "Gatto cool [x][x][ ][ ] · Jon 5 fate points · … · exchange 1",
        "Gatto cool [x][x][ ][ ] · Jon 6 fate points · … · exchange 2",
        "Gatto cool [x][x][ ][ ] · Jon 7 fate points · … · exchange 2",
    ]


def test_dice_before_each_and_fallout_borne(tmp_path: Path) -> None:
    """The pools are those the session itself expects (`expect pool`); who gave has none left."""
    with played("guenask/three-endings", tmp_path) as campaign:
        line = campaign.line_called("the-chase")

        assert ribbons(transcript.of_range(LineView(campaign, line), ribbon=True)) == [
            "Maren dice 1 2 2 3 4 4 7 · Captain Rusk dice 1 1 1 3 4 5 6 6",
            "Maren dice 1 2 2 4 7 · Captain Rusk dice 1 1 1 5 6 6",
            "Maren dice 1 2 2 · Captain Rusk dice 1 1 1 6",
            "Maren dice 1 · Captain Rusk dice 1 1 1 6",
            "Maren dice 1 1 4 5 5 5 6 · Captain Rusk dice 1 1",
            "Captain Rusk stages 3/15 · Maren dice 1 1 4 5 6",
        ]


def test_karma_that_is_spent_and_nothing_that_is_whole(table: Table) -> None:
    table.do(b.Tilt(who=table.who("Zel"), potential="destiny"))

    assert "destiny 5/6" in now(table)
    assert "fate" not in now(table)


def test_only_people_of_the_conflict_are_in_it(table: Table) -> None:
    table.do(c.Cast(who=w("Pip"), system="bruise", by=w("Lou"), values={"clubs": "2"}))
    table.do(b.Tilt(who=table.who("Pip"), potential="fate"))

    assert "Pip" not in now(table)


def test_the_ribbon_omits_conditions_from_another_game(tmp_path: Path) -> None:
    """Hargan has the first box of Cool marked, which no hand of Bruise will ever ask for."""
    with CampaignStore.create(tmp_path / "two.retold") as campaign:
        scribe = Scribe(campaign, 1)
        for line in (
            "cast Hargan edgerunner skill.cool=2 by=Ewan",
            'conflict "In" edgerunner Hargan vs Guards',
            "ruling Hargan.cool-stress+=1: A bad night.",
        ):
            scribe.say(line)
        within = scribe.table.in_play()
        assert within is not None
        assert "Hargan cool [x]" in status_line.of(scribe.table, within)

        scribe.say('conflict "Out" bruise Hargan vs Guards')
        within = scribe.table.in_play()
        assert within is not None
        assert "cool" not in status_line.of(scribe.table, within)


# --- how long it is ---------------------------------------------------------------------------------------


@given(
    st.lists(
        st.text(st.characters(codec="utf-8", exclude_characters="\n"), min_size=1, max_size=40), max_size=9
    )
)
def test_it_is_never_longer_than_a_line(parts: list[str]) -> None:
    said = status_line._fitted(parts, ["exchange 12"])

    assert width(said) <= LONGEST
    assert said.endswith("exchange 12")
    assert ("…" in said) or said == " · ".join((*parts, "exchange 12"))


def test_what_does_not_fit_is_said_to_be_missing() -> None:
    assert status_line._fitted(["a" * 40, "b" * 40], ["turn 2"]) == f"{'a' * 40} · … · turn 2"
    assert status_line._fitted(["a" * 90], []) == "…"
    assert status_line._fitted([], []) == ""


# --- on a page --------------------------------------------------------------------------------------------

SAID = "Balance: unbalanced, Reeve · Ana 3 tokens · Bo 3 tokens · deck 65/67 · round 1"


def test_every_format_has_it_in_its_own_way(gate: Table) -> None:
    shown = {name: export(name, told(gate)).decode() for name in ("obsidian", "html", "text", "json")}

    assert re.search(rf"\n\n\*{SAID}\* \^e\d+r\n\n", shown["obsidian"])
    assert re.search(rf'<div class="told ribbon" id="e\d+r">\s*<p><em [^>]*>{SAID}</em></p>', shown["html"])
    assert f"\n\n{SAID}\n\n" in shown["text"]
    assert '"kind": "ribbon"' in shown["json"]


def test_it_is_a_mechanic_and_leaves_with_them(gate: Table) -> None:
    assert ribbons(told(gate).without_mechanics()) == []


def test_the_plain_voice_has_the_ribbon_between_lines_of_notation(gate: Table) -> None:
    lines = story(told(gate, "plain"))
    at = lines.index(f"<{SAID}>")

    assert lines[at - 1] == "Pedlars narrates: “We sing on.”"
