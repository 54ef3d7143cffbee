"""What is said at the table beside the story, and what a story keeps of what was only worded (C3)."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from retold.__main__ import main
from retold.journal.games import BUILT_IN
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import commands as c
from retold.projections.exports import EXPORTS, export
from retold.projections.exports.page_elements import label
from retold.projections.prose import VOICES, Voice
from retold.projections.prose.telling import Tag
from retold.projections.prose.voicefile import read
from retold.projections.reading import EVERYBODY, LineView
from retold.projections.story import transcript
from retold.projections.story.document import Paragraph, Transcript
from retold.scribe import Scribe
from retold.script_player import Script, play_script
from tests.projections.evening import Table, w

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def talk(tmp_path: Path) -> Table:
    """Ada on a quay, and two words at the table."""
    made = Table(tmp_path / "quay.retold", title="The Quay")
    made.do(c.Cast(who=w("Ada"), by=w("Jon")))
    made.do(c.OpenSession(title=w("Low Water")))
    made.do(c.SetScene(title=w("The quay"), text=w("Fog, and a bell.")))
    made.do(c.Narrate(who=made.who("Ada"), text=w("I wait.")))
    made.do(c.Aside(who=made.who("Jon"), text=w("Is there cake?")))
    made.do(c.Aside(text=w("There is no cake.")), see="gm")
    made.do(c.Narrate(who=made.who("Ada"), text=w("I wait longer.")))
    return made


def told(table: Table, voice: Voice | str) -> Transcript:
    return transcript.of_session(LineView(table.campaign, 1), 1, voice=voice)


def paragraphs(shown: Transcript) -> list[Paragraph]:
    return [one for scene in shown.scenes for passage in scene.passages for one in passage.paragraphs]


def test_C3_table_talk_is_no_story(talk: Table) -> None:
    run = paragraphs(told(talk, "prose").running())

    assert [(label(one), one.text) for one in run] == [
        ("", "Fog, and a bell."),
        ("Ada", "I wait. I wait longer."),
    ]


def test_C3_a_report_has_it_under_a_name_of_its_own(talk: Table) -> None:
    shown = paragraphs(told(talk, "report"))

    assert [(label(one), one.text) for one in shown if one.kind is Tag.ASIDE] == [
        ("Jon, at the table", "Is there cake?"),
        ("At the table (for the game master)", "There is no cake."),
    ]
    for_all = transcript.of_session(LineView(talk.campaign, 1, viewer=EVERYBODY), 1)
    assert [one.text for one in paragraphs(for_all) if one.kind is Tag.ASIDE] == ["Is there cake?"]


@pytest.mark.parametrize("voice", VOICES)
@pytest.mark.parametrize("name", [name for name, form in EXPORTS.items() if form.is_text])
def test_C3_a_voice_has_it_or_not_as_it_is_asked_to(talk: Table, name: str, voice: str) -> None:
    speaks = VOICES[voice]
    with_it, without = (
        export(name, told(talk, replace(speaks, asides=asides)), "inline").decode()
        for asides in (True, False)
    )

    is_notation_aloud = voice == "plain"
    assert ("Is there cake?" in with_it) is (is_notation_aloud or not EXPORTS[name].is_timed)
    assert "cake" not in without


def test_C3_in_a_story_that_has_it_it_joins_nothing(talk: Table) -> None:
    shown = told(talk, replace(VOICES["prose"], asides=True)).running()

    assert [(label(one), one.text) for one in paragraphs(shown)][1:] == [
        ("Ada", "I wait."),
        ("Jon, at the table", "Is there cake?"),
        ("At the table (for the game master)", "There is no cake."),
        ("Ada", "I wait longer."),
    ]


def test_C3_a_voice_of_one_s_own_says_whether_it_tells_it(talk: Table, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('base = "prose"\nlayout.asides = true', "utf-8")

    assert "Is there cake?" in [one.text for one in paragraphs(told(talk, read(file)))]


def test_C3_a_moment_that_is_past_may_be_talked_about(talk: Table) -> None:
    at = next(row.position for row in talk.campaign.record.rows(1) if row.kind == "table.scene-set")
    talk.do(c.Aside(who=talk.who("Jon"), at=at, text=w("That was the bell, then.")))

    assert [one.text for one in paragraphs(told(talk, "report"))][:2] == [
        "Fog, and a bell.",
        "That was the bell, then.",
    ]
    assert "That was the bell, then." not in [one.text for one in paragraphs(told(talk, "prose"))]


def test_C3_it_has_a_switch(talk: Table, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(talk.campaign.place)

    def exported(*switches: str) -> str:
        capsys.readouterr()
        assert main(["-c", path, "export", "--for", "gm", "-f", "text", *switches]) == 0
        return capsys.readouterr().out

    assert "cake" in exported()
    assert "cake" not in exported("--no-asides")
    assert "cake" not in exported("--voice", "prose")
    assert "cake" in exported("--voice", "prose", "--asides")


def test_C3_what_players_were_quoted_with_before_keeps_its_meaning(talk: Table) -> None:
    talk.do(c.Note(about=talk.who("Jon"), quote=True, text=w("I roll for dignity.")))

    assert [one.text for one in told(talk, "report").end.quotes] == ["I roll for dignity."]


# --- what a story keeps -----------------------------------------------------------------------------------

WORDED = """\
cast Ada edgerunner by=Jon cool=4 guns=4 medicine=2 calm=4
cast Bo edgerunner by=Ilse cool=3 guns=3
session
scene A yard
aspect Yard a winch chain --support 2 --by Ada = 0000
roll Ada medicine = 0000: Hold still.
conflict edgerunner Ada vs Bo
map Yard
place Ada+Bo Yard
exchange
maneuver Bo Ada as "Sand in the eyes" with guns = ++++
apply{told}
"""


def story(tmp_path: Path, told: str, voice: str = "prose") -> list[tuple[str, str]]:
    lines, path = tmp_path / "yard.session", tmp_path / "yard.retold"
    lines.write_text(WORDED.format(told=told), "utf-8")
    assert main(["run", "--new", "-q", "-c", str(path), str(lines)]) == 0
    with CampaignStore.open(path, read_only=True) as campaign:
        shown = transcript.of_session(LineView(campaign, 1), 1, voice=voice)
    return [(label(one), one.text) for one in paragraphs(shown.running()) if one.text]


def test_C3_a_story_has_the_fact_that_was_worded_and_what_is_tried(tmp_path: Path) -> None:
    assert story(tmp_path, "") == [
        ("", "There was a winch chain."),
        ("Ada (medicine)", "Hold still."),
        ("Bo", "Sand in the eyes."),
    ]


def test_C3_words_told_about_a_maneuver_replace_its_wording(tmp_path: Path) -> None:
    assert story(tmp_path, ": I kick up half the yard.")[-1] == ("Bo", "I kick up half the yard.")


def test_C3_a_report_says_what_is_tried_and_has_the_wording_with_its_numbers(tmp_path: Path) -> None:
    assert story(tmp_path, "", "report")[0] == ("Ada tries medicine", "Hold still.")


# --- for some only ----------------------------------------------------------------------------------------

WITH_A_CONFLICT = {
    path.parent.name: path
    for path in sorted(EXAMPLES.glob("*/*.session"), reverse=True)
    if "\nconflict " in path.read_text("utf-8")
}


def test_an_aside_is_tried_in_every_game_of_ours() -> None:
    assert WITH_A_CONFLICT.keys() >= set(BUILT_IN)


@pytest.mark.parametrize("game", WITH_A_CONFLICT)
def test_an_aside_may_be_for_some_in_every_game_in_a_conflict_and_outside(game: str, tmp_path: Path) -> None:
    with CampaignStore.create(tmp_path / "quay.retold") as campaign:
        scribe = Scribe(campaign, 1)
        for name in ("Ana", "Bo"):
            scribe.say(f"cast {name}")
        outside = said_aside(scribe)
        script = WITH_A_CONFLICT[game]
        for _ in play_script(scribe, Script(script.name, script.read_bytes())):
            if scribe.table.in_play() is not None:
                break

        assert scribe.table.in_play() is not None
        assert said_aside(scribe) == outside


def said_aside(scribe: Scribe) -> list[str]:
    """What is answered to table talk for some."""
    lines = ("aside Ana --to Bo: Psst.", "aside --to Ana,Bo: Cake?", "aside --gm: Hm.")
    told = [one for line in lines for one in scribe.say(line).sentences(scribe.table)]

    assert told == [
        "aside by Ana: “Psst.” (for Bo only)",
        "aside: “Cake?” (for Ana and Bo only)",
        "aside: “Hm.” (for the game master only)",
    ]
    return told


def test_a_private_aside_reaches_its_addressees_and_its_speaker(tmp_path: Path) -> None:
    with CampaignStore.create(tmp_path / "quay.retold") as campaign:
        scribe = Scribe(campaign, 1)
        for line in ("cast Ana", "cast Bo", "cast Cy", "aside Ana --to Bo: Psst.", "aside --gm: Hm."):
            scribe.say(line)

        def heard(whose: str) -> list[str]:
            shown = transcript.of_range(LineView(campaign, 1).called(whose))
            return [one.text for one in paragraphs(shown) if one.kind is Tag.ASIDE]

        assert {whose: heard(whose) for whose in ("gm", "Ana", "Bo", "Cy", "table")} == {
            "gm": ["Psst.", "Hm."],
            "Ana": ["Psst."],
            "Bo": ["Psst."],
            "Cy": [],
            "table": [],
        }
        for at in (5, 6):
            scribe.say(f"reveal {at}")
        assert heard("table") == ["Psst.", "Hm."]
