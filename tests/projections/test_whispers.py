"""Words for some ears only are in the copy of those they are for, and of whoever said them (C2)."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.__main__ import main
from journal.store.campaign import Campaign
from journal.store.reveal import reveal
from journal.vocabulary import commands as c
from journal.vocabulary.base import GM, Command
from projections import transcript
from projections.exports.layout import label
from projections.replay import Viewer
from tests.projections.evening import Table, w

SAID = "I have the key."
TEXT = w(SAID)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Ana, Bea and Kit, each with a player."""
    made = Table(tmp_path / "quay.retold")
    for name, player in (("Ana", "Jon"), ("Bea", "Ilse"), ("Kit", "Sam")):
        made.do(c.Cast(who=w(name), by=w(player)))
    made.do(c.OpenSession(title=w("Low Water")))
    return made


def heard(table: Table, name: str) -> list[str]:
    """The label of what was said, in the copy of somebody's player."""
    person = table.who(name)
    also = frozenset(
        one.id
        for one in table.writer.table.everybody()
        if person in (one.id, one.player) and one.id != person
    )
    shown = transcript.of_session(table.campaign, 1, 1, viewer=Viewer(False, person, also))
    told = (one for scene in shown.scenes for passage in scene.passages for one in passage.paragraphs)
    return [label(one) for one in told if SAID in one.text]


@pytest.mark.parametrize("verb", [c.Say, c.Narrate, c.Declare, c.Aside])
def test_C2_whoever_whispers_has_it_in_their_own_copy(table: Table, verb: type[Command]) -> None:
    command = verb.model_validate({"who": table.who("Ana"), "text": TEXT})
    table.do(command, see=(table.who("Bea"),))

    assert [label.endswith("(for Bea)") for label in heard(table, "Jon")] == [True]
    assert len(heard(table, "Bea")) == 1
    assert heard(table, "Kit") == []


def test_C2_what_is_for_the_game_master_is_in_nobodys_copy(table: Table) -> None:
    table.do(c.Narrate(who=table.who("Ana"), text=TEXT), see="gm")

    assert heard(table, "Jon") == []


def test_C2_it_stays_so_when_it_is_revealed_to_somebody_else(table: Table) -> None:
    table.do(c.Narrate(who=table.who("Ana"), text=TEXT), see="gm")
    reveal(table.writer, table.campaign.file.head(1).position, (table.who("Kit"),))

    assert heard(table, "Jon") == []
    assert len(heard(table, "Sam")) == 1


def test_C2_a_whisper_to_the_game_master_is(table: Table) -> None:
    table.do(c.Say(who=table.who("Ana"), text=TEXT), see=(GM,))

    assert len(heard(table, "Jon")) == 1
    assert heard(table, "Kit") == []


def test_C2_it_is_found_there_too(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    table.do(c.Say(who=table.who("Ana"), text=TEXT), see=(table.who("Bea"),))
    path = str(table.campaign.file.path)

    found = {name: main(["-c", path, "search", "key", "--for", name]) for name in ("Jon", "Bea", "Kit")}
    capsys.readouterr()
    assert found == {"Jon": 0, "Bea": 0, "Kit": 1}


LINES = """\
cast Ana by=Jon
cast Bea by=Ilse
session
say Ana --to gm: I have the key.
"""


def test_C2_the_language_has_it(tmp_path: Path) -> None:
    lines, path = tmp_path / "key.session", tmp_path / "key.retold"
    lines.write_text(LINES, "utf-8")

    assert main(["run", "--new", "-q", "-c", str(path), str(lines)]) == 0
    with Campaign.open(path, read_only=True) as campaign:
        shown = transcript.of_session(campaign, 1, 1)
    assert SAID in shown.scenes[0].passages[0].paragraphs[-1].text
