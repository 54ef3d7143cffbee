"""Words for some ears only: in whose copy they are (C2), and how they are told once revealed (C6)."""

from __future__ import annotations

from pathlib import Path

import pytest

from retold.__main__ import main
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.store.writing.reveal import reveal
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import GM, Command
from retold.projections.exports.page_elements import label
from retold.projections.reading import LineView, Viewer
from retold.projections.story import transcript
from tests.projections.evening import Table, w
from tests.projections.scripted import exported, read_off

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
    shown = transcript.of_session(LineView(table.campaign, 1, viewer=Viewer(False, person, also)), 1)
    told = (one for scene in shown.scenes for passage in scene.passages for one in passage.paragraphs)
    return [label(one) for one in told if SAID in one.text]


@pytest.mark.parametrize("verb", [c.Say, c.Narrate, c.Declare, c.Aside])
def test_C2_a_whisper_is_in_its_speakers_own_copy(table: Table, verb: type[Command]) -> None:
    command = verb.of({"who": table.who("Ana"), "text": TEXT})
    table.do(command, see=(table.who("Bea"),))

    assert [label.endswith("(for Bea)") for label in heard(table, "Jon")] == [True]
    assert len(heard(table, "Bea")) == 1
    assert heard(table, "Kit") == []


def test_C2_what_is_for_the_game_master_is_in_nobodys_copy(table: Table) -> None:
    table.do(c.Narrate(who=table.who("Ana"), text=TEXT), see="gm")

    assert heard(table, "Jon") == []


def test_C2_a_secret_revealed_to_another_stays_hidden_from_its_speaker(table: Table) -> None:
    table.do(c.Narrate(who=table.who("Ana"), text=TEXT), see="gm")
    reveal(table.writer, table.campaign.record.head(1).position, (table.who("Kit"),))

    assert heard(table, "Jon") == []
    assert len(heard(table, "Sam")) == 1


def test_C2_a_whisper_to_the_game_master_is(table: Table) -> None:
    table.do(c.Say(who=table.who("Ana"), text=TEXT), see=(GM,))

    assert len(heard(table, "Jon")) == 1
    assert heard(table, "Kit") == []


def test_C2_it_is_found_there_too(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    table.do(c.Say(who=table.who("Ana"), text=TEXT), see=(table.who("Bea"),))
    path = str(table.campaign.place)

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
    with CampaignStore.open(path, read_only=True) as campaign:
        shown = transcript.of_session(LineView(campaign, 1), 1)
    assert SAID in shown.scenes[0].passages[0].paragraphs[-1].text


# --- what is revealed (C6) --------------------------------------------------------------------------------

SECRET = "At the other end there is nobody."
REVEALED = f"""\
cast gm by=Mary
cast Lan by=Jo
cast Rusk by=Omar
session
narrate gm: The lamp swings.
narrate gm --gm: {SECRET}
mark the-wire --at @
say Rusk --to Lan: Trust me.
narrate Lan: I go up.
reveal the-wire --to Lan: The Captain tells her on the stairs.
narrate Rusk: I light a pipe.
"""
TO_ALL = "reveal the-wire: Now everybody hears it.\n"


def read(folder: Path, lines: str, name: str) -> list[tuple[str, str]]:
    """What a copy has, each text with its label."""
    return read_off(exported(folder, lines, name))


@pytest.mark.parametrize("name", ["Lan", "Jo"])
def test_C6_what_is_revealed_follows_the_words_of_the_reveal_and_is_ones_own(
    tmp_path: Path, name: str
) -> None:
    assert read(tmp_path, REVEALED, name) == [
        ("", "The lamp swings."),
        ("Rusk", "Trust me."),
        ("Lan", "I go up."),
        ("", "The Captain tells her on the stairs."),
        ("", SECRET),
        ("Rusk", "I light a pipe."),
    ]


def test_C6_it_stays_where_one_heard_of_it_once_all_have(tmp_path: Path) -> None:
    told = read(tmp_path, REVEALED + TO_ALL, "Lan")

    assert told[4] == ("", SECRET)
    assert told[-1] == ("", "Now everybody hears it.")


def test_C6_a_person_who_hears_of_it_last_is_told_that_some_had(tmp_path: Path) -> None:
    assert read(tmp_path, REVEALED + TO_ALL, "table")[-2:] == [
        ("", "Now everybody hears it."),
        ("(known to some before)", SECRET),
    ]


def test_C6_the_game_masters_copy_names_the_audience_of_words(tmp_path: Path) -> None:
    told = read(tmp_path, REVEALED, "gm")

    assert told[1:3] == [("(for Lan)", SECRET), ("Rusk (for Lan)", "Trust me.")]
    assert ("(for Lan)", "The Captain tells her on the stairs.") in told
