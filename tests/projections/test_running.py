"""What a reader of a story wants: running text, who tells it, nothing twice, and nobody who was not there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from retold.__main__ import main
from retold.games.whiskey import commands as wh
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.projections.exports import export
from retold.projections.exports.page_elements import authors, label
from retold.projections.prose.sentences import BETWEEN_PARAGRAPHS
from retold.projections.prose.voicefile import read
from retold.projections.reading import EVERYBODY, GAME_MASTER, LineView, Viewer
from retold.projections.story import transcript
from retold.projections.story.document import Paragraph, Transcript
from retold.projections.story.running_text import LONGEST
from retold.projections.story.transcript import build
from tests.projections.evening import Table, w


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Ada and Bo on a quay, and Kit, who is never there."""
    made = Table(tmp_path / "quay.retold", title="The Quay")
    for name, player in (("Ada", "Jon"), ("Bo", "Ilse"), ("Kit", "Sam")):
        made.do(c.Cast(who=w(name), system="bruise", by=w(player), values={"clubs": "4", "melee": "2"}))
    made.do(c.Cast(who=0, by=w("Rana")))
    made.do(c.OpenSession(title=w("Low Water"), date="2026-03-14"))
    made.do(c.SetScene(title=w("The quay"), text=w("Fog, and a bell.")))
    return made


def told(table: Table, voice: str = "prose", viewer: Viewer = GAME_MASTER, session: int = 1) -> Transcript:
    return transcript.of_session(LineView(table.campaign, 1, viewer=viewer), session, voice=voice)


def paragraphs(shown: Transcript) -> list[Paragraph]:
    return [one for scene in shown.scenes for passage in scene.passages for one in passage.paragraphs]


def narrated(table: Table, *told: tuple[str, str]) -> None:
    for who, text in told:
        table.do(c.Narrate(who=0 if who == "gm" else table.who(who), text=w(text)))


# --- running text -----------------------------------------------------------------------------------------


def test_what_one_person_tells_in_a_row_is_one_paragraph_under_their_name(table: Table) -> None:
    narrated(
        table, ("Ada", "I wait."), ("Ada", "I wait longer."), ("Bo", "I do not."), ("gm", "A boat comes.")
    )

    run = paragraphs(told(table).running())
    assert [(label(one), one.text) for one in run] == [
        ("", "Fog, and a bell."),
        ("Ada", "I wait. I wait longer."),
        ("Bo", "I do not."),
        ("", "A boat comes."),
    ]
    assert [len(one.others) for one in run] == [0, 1, 0, 0]


@pytest.mark.parametrize("voice", ["prose", "report"])
def test_words_that_go_on_behind_a_name_are_told_behind_it(table: Table, voice: str) -> None:
    narrated(table, ("Ada", "looks up."), ("Bo", "i look down."))
    table.do(c.Narrate(who=table.who("Ada"), text=w("nods at nobody.")), see="gm")
    table.do(c.Cast(who=table.who("Ada"), name=w("Adela")))
    narrated(table, ("Adela", "looks away."))

    shown = told(table, voice)
    assert [one.text for one in paragraphs(shown)][1] == "looks up."
    assert [(label(one), one.text) for one in paragraphs(shown.running()) if not one.generated][1:] == [
        ("", "Ada looks up."),
        ("Bo", "I look down." if voice == "prose" else "i look down."),
        ("(for the game master)", "Ada nods at nobody."),
        ("", "Adela looks away."),
    ]
    assert all("nods" not in one.text for one in paragraphs(told(table, voice, EVERYBODY)))


def test_an_act_typed_as_a_sentence_stands_behind_its_name_in_prose(table: Table) -> None:
    narrated(table, ("Ada", "Opens the lock."), ("Bo", "Steps, and a lamp."))

    assert [(label(one), one.text) for one in paragraphs(told(table).running())][1:] == [
        ("", "Ada opens the lock."),
        ("Bo", "Steps, and a lamp."),
    ]


def test_stakes_that_are_no_question_stand_behind_a_phrase(table: Table) -> None:
    who = table.who("Ada"), table.who("Bo")
    table.do(c.OpenConflict(system="bruise", sides=((who[0],), (who[1],)), text=w("the rope")))

    assert "The rope." in [one.text for one in paragraphs(told(table))]
    assert "It was about the rope." in paragraphs(told(table).running())[0].text


def test_stakes_that_the_opening_says_are_left_out(table: Table) -> None:
    who = table.who("Ada"), table.who("Bo")
    table.do(c.OpenConflict(system="bruise", sides=((who[0],), (who[1],)), text=w("the bell and the fog")))

    assert [one.text for one in paragraphs(told(table).running())] == ["Fog, and a bell."]


def test_stakes_stand_behind_words_in_the_tense_of_the_scene(table: Table) -> None:
    who = table.who("Ada"), table.who("Bo")
    narrated(table, ("gm", "It is late."))
    table.do(c.OpenConflict(system="bruise", sides=((who[0],), (who[1],)), text=w("how far they go by road")))

    assert paragraphs(told(table).running())[1].text == "Nobody can say yet how far they go by road."


@pytest.mark.parametrize(
    ("stakes", "told_so"),
    [
        ("to get away", "The point was to get away."),
        ("the gang gets away", "Would the gang get away?"),
        ("whether the guards let them pass", "Would the guards let them pass?"),
        ("whether the bridge is safe", "Is the bridge safe?"),
        ("whose night it was", "Whose night was it?"),
        ("which door is open", "Which door is open?"),
        ("what Hesta knows", "Nobody could say yet what Hesta knows."),
        ("nobody dies", "At stake: nobody dies."),
        ("theirs", "At stake: theirs."),
    ],
)
def test_stakes_that_are_no_thing_have_words_of_their_own(table: Table, stakes: str, told_so: str) -> None:
    who = table.who("Ada"), table.who("Bo")
    table.do(c.OpenConflict(system="bruise", sides=((who[0],), (who[1],)), text=w(stakes)))

    assert paragraphs(told(table).running())[0].text == f"Fog, and a bell. {told_so}"


def test_every_text_keeps_its_id(table: Table) -> None:
    narrated(table, ("Ada", "I wait."), ("Ada", "I wait longer."))
    first, second = [one.id for one in paragraphs(told(table))][1:]

    markdown = export("obsidian", told(table), "none").decode()
    page = export("html", told(table), "none").decode()
    assert f"\n**Ada:** I wait. I wait longer. ^{first}\n" in markdown
    assert f'"{second}"' in export("json", told(table), "none").decode()
    assert f'id="{first}"' in page
    assert f'id="{second}"' in page
    assert page.count("I wait") == 2


def test_a_short_speech_goes_on_behind_a_short_deed(table: Table) -> None:
    narrated(table, ("Ada", "Ada sits down on the mooring post."))
    table.do(c.Say(who=table.who("Ada"), text=w("The boat is here.")))
    waits = "She waits" + " and waits" * 8 + "."
    narrated(table, ("Ada", waits))
    table.do(c.Say(who=table.who("Ada"), text=w("So.")))

    assert [one.text for one in paragraphs(told(table).running())[1:]] == [
        f"Ada sits down on the mooring post. “The boat is here.” {waits}",
        "“So,” says Ada.",
    ]


def test_what_is_said_runs_on_in_its_marks(table: Table) -> None:
    narrated(table, ("gm", "A boat comes."))
    table.do(c.Say(who=table.who("Ada"), text=w("Cast off.")))

    table.do(c.Say(who=table.who("Ada"), text=w("Now.")))

    assert [(label(one), one.text) for one in paragraphs(told(table).running())[1:]] == [
        ("", "“Cast off,” says Ada. “Now.”"),
    ]


def test_the_last_words_of_an_evening_stand_apart(table: Table) -> None:
    narrated(table, ("gm", "A boat comes."))
    table.do(c.End(what="session", text=w("And goes.")))

    assert [one.text for one in paragraphs(told(table).running())] == [
        "Fog, and a bell. A boat comes.",
        "And goes.",
    ]


def test_a_paragraph_takes_in_no_more_than_fits_a_third_of_a_page(table: Table) -> None:
    narrated(table, ("Ada", "a" * (LONGEST - 100)), ("Ada", "b" * 200))

    (run,) = paragraphs(told(table).running())[1:]
    assert [one[0] for one in run.text.split(BETWEEN_PARAGRAPHS)] == ["A", "b"]
    assert label(run) == "Ada"


def test_C1_text_after_mechanics_has_its_name_again(table: Table) -> None:
    table.do(c.Narrate(who=table.who("Ada"), text=w("a" * LONGEST)))
    table.do(c.Roll(who=table.who("Ada"), dice="1d6", results=("4",)))
    narrated(table, ("Ada", "b" * LONGEST))

    assert [label(one) for one in paragraphs(told(table).running())[1:]] == ["Ada", "Ada"]


def test_C1_uninterrupted_long_narration_continues_in_a_new_paragraph(table: Table) -> None:
    narrated(table, ("gm", "a" * LONGEST), ("gm", "b" * LONGEST))

    assert [label(one) for one in paragraphs(told(table).running())] == ["", "", ""]


def test_what_is_for_some_eyes_is_joined_to_nothing(table: Table) -> None:
    narrated(table, ("Ada", "I wait."))
    table.do(c.Narrate(who=table.who("Ada"), text=w("I have the key.")), see="gm")

    assert [label(one) for one in paragraphs(told(table).running())[1:]] == [
        "Ada",
        "Ada (for the game master)",
    ]


@pytest.mark.parametrize("name", ["json", "fountain", "srt", "lonelog"])
def test_if_every_text_is_its_own_none_is_joined(table: Table, name: str) -> None:
    narrated(table, ("Ada", "I wait."), ("Ada", "I wait longer."))

    assert "I wait. I wait longer." not in export(name, told(table), "none").decode()


def test_a_report_is_not_run_together(table: Table) -> None:
    narrated(table, ("Ada", "I wait."), ("Ada", "I wait longer."))

    assert [label(one) for one in paragraphs(told(table, "report").running())[1:]] == ["Ada", "Ada"]


def test_a_story_s_cast_names_no_players(table: Table) -> None:
    narrated(table, ("Ada", "I wait."))

    assert [one.player for one in told(table).cast] in ([], [None])
    assert [one.player for one in told(table, "report").cast] == ["Jon"]


# --- nothing but the story --------------------------------------------------------------------------------


def test_without_mechanics_there_are_no_numbers_and_nothing_is_missing(table: Table) -> None:
    table.do(c.OpenConflict(system="bruise", sides=((table.who("Ada"),), (w("Guards"),))))
    table.do(c.Draw(who=table.who("Ada"), count=2, results=("AH", "2D")))
    table.do(c.Draw(who=table.who("Guards"), count=1, results=("9S",)))
    table.do(c.End(what="conflict", how="ended"))
    with_numbers = told(table, "report")

    assert with_numbers.end.untold
    assert with_numbers.end.changed
    bare = export("markdown", with_numbers, "none").decode()
    assert "What changed" not in bare
    assert "Not told yet" not in bare
    assert "[Ada took the hand against Guards.\\]" in bare.replace("\\[", "[")
    assert not told(table, "report", EVERYBODY).end.untold
    assert not told(table, "script").end.untold


def test_sentences_of_ours_in_a_row_are_one_paragraph(table: Table) -> None:
    players = table.who("Ada"), table.who("Bo")
    table.do(c.OpenConflict(system="bruise", sides=(players, (w("Guards"),))))
    table.do(c.Draw(who=players[0], count=1, results=("2H",)))
    table.do(c.Draw(who=players[1], count=1, results=("3D",)))
    table.do(c.Draw(who=table.who("Guards"), count=1, results=("KS",)))

    ours = [one for one in paragraphs(told(table, "report").running()) if one.generated]
    assert [one.text for one in ours] == [
        "Guards took the hand against Ada. Guards took the hand against Bo."
    ]
    assert len(ours[0].others) == 1


def test_what_a_check_is_for_is_no_story(table: Table) -> None:
    table.do(c.Cast(who=w("Ada"), system="whiskey", values={"balance": "4"}))
    table.do(wh.Check(who=table.who("Ada"), stat="balance", y=2, results=("3H", "1"), text=w("at a run")))

    assert "at a run" in [one.text for one in paragraphs(told(table, "report"))]
    assert "at a run" not in [one.text for one in paragraphs(told(table))]


QUARREL = """\
cast Ada guenask mind=3 hard=3
cast Bo guenask mind=3 hard=3
session
conflict guenask Ada vs Bo first=Ada: who goes
approach Ada opposed neutral = 6 6 6 6 6 6
approach Bo opposed neutral = 1 1 1 1 1 1
give Bo{}
"""


@pytest.mark.parametrize(("words", "said"), [(": Have it, then.", "Have it, then."), ("", "Bo gave up.")])
def test_who_won_is_said_once(tmp_path: Path, words: str, said: str) -> None:
    lines, path = tmp_path / "quarrel.session", tmp_path / "quarrel.retold"
    lines.write_text(QUARREL.format(words), "utf-8")
    assert main(["run", "--new", "-q", "-c", str(path), str(lines)]) == 0

    with CampaignStore.open(path, read_only=True) as campaign:
        shown = [one.text for one in paragraphs(transcript.of_session(LineView(campaign, 1), 1))]
    assert said in shown
    assert "Ada won." not in shown


# --- who was there, and who led ---------------------------------------------------------------------------


def next_evening(table: Table, gm: str | None = None) -> None:
    table.do(c.End(what="session"))
    if gm is not None:
        table.do(c.Cast(who=0, by=w(gm)))
    table.do(c.OpenSession(title=w("High Water"), date="2026-03-21"))


def test_an_effect_of_the_opening_makes_no_character_present(table: Table) -> None:
    """Karma is filled up for everybody as a session opens."""
    table.do(c.OpenConflict(system="bruise", sides=((table.who("Ada"),), (w("Guards"),))))
    table.do(c.End(what="conflict", how="ended"))
    next_evening(table)
    narrated(table, ("Ada", "I am back."))

    shown = told(table, "report", session=2)
    assert [one.player for one in shown.head.players] == ["Jon"]
    assert [one.name for one in shown.cast] == ["Ada"]
    assert not any("Kit" in line or "Bo" in line for line in shown.end.changed)
    sessions = {one.name: one.sessions for one in build.of_line(LineView(table.campaign, 1)).index}
    assert sessions["Ada"] == (2,) or sessions["Ada"] == (1, 2)
    assert 2 not in sessions.get("Kit", ())


def test_a_book_names_every_game_master(table: Table) -> None:
    narrated(table, ("Ada", "I wait."))
    next_evening(table, gm="Petra")
    narrated(table, ("Ada", "I am back."))
    whole = build.of_line(LineView(table.campaign, 1))

    assert whole.head.gms == ("Rana", "Petra")
    assert authors(whole)[:2] == ("Rana", "Petra")
    text = export("markdown", whole).decode()
    assert "run by Rana and Petra" in text
    assert "## Session 1: Low Water (2026-03-14, run by Rana)" in text
    assert "## Session 2: High Water (2026-03-21, run by Petra)" in text


def test_numbers_before_the_first_session_are_no_chapter(table: Table) -> None:
    narrated(table, ("Ada", "I wait."))

    first = build.of_line(LineView(table.campaign, 1)).scenes[0]
    assert first.chapter is not None
    assert any(one.mechanics for passage in first.passages for one in passage.paragraphs)


def test_a_stretch_says_which_session_and_scene_it_is_of(table: Table) -> None:
    narrated(table, ("Ada", "I wait."), ("Ada", "I wait longer."))
    head = table.campaign.record.head(1).position
    shown = transcript.of_range(LineView(table.campaign, 1), head - 1)

    assert (shown.head.session, shown.head.title, shown.head.date) == (1, "Low Water", "2026-03-14")
    assert shown.title == "Session 1: Low Water"
    assert [scene.title for scene in shown.scenes] == ["The quay (continued)"]


# --- secrets ----------------------------------------------------------------------------------------------


def test_a_secret_is_told_to_players_where_it_was_revealed(table: Table) -> None:
    table.do(c.Note(text=w("The glove is empty.")), see="gm")
    table.do(c.Mark(name=w("glove")))
    narrated(table, ("Ada", "I look at his hand."))
    position = next(row.position for row in table.campaign.record.rows(1) if row.kind == "table.noted")
    table.writer.manage_all((e.Revealed(about=position),), c.Note(text=w("-")))
    narrated(table, ("Ada", "So that was it."))

    seen = [(label(one), one.text) for one in paragraphs(told(table, "report", EVERYBODY))]
    assert seen[1:] == [
        ("Ada", "I look at his hand."),
        ("Note (known to some before)", "The glove is empty."),
        ("Ada", "So that was it."),
    ]
    kept = [one.text for one in paragraphs(told(table, "report"))]
    assert kept.index("The glove is empty.") < kept.index("I look at his hand.")


# --- screenplays, subtitles, forums -----------------------------------------------------------------------


def test_what_is_wholly_in_marks_is_dialogue(table: Table) -> None:
    narrated(table, ("Ada", '"There is one of her."'))

    assert "@Ada\nThere is one of her.\n" in export("fountain", told(table, "report")).decode()


def test_what_begins_in_marks_is_dialogue_and_what_follows_is_not(table: Table) -> None:
    narrated(table, ("Ada", '"Take her," I say from the floor.'), ("Bo", '"No." I let go.'))
    play = export("fountain", told(table, "report")).decode()

    assert "@Ada\n(I say from the floor)\nTake her.\n" in play
    assert "@Bo\nNo.\n\nI let go.\n" in play


def test_words_after_speech_in_one_sentence_are_in_brackets(table: Table) -> None:
    narrated(table, ("Ada", '"Take her," she says from the floor.'), ("Bo", '"Go," he says, "now."'))
    play = export("fountain", told(table, "report")).decode()

    assert "@Ada\n(she says from the floor)\nTake her.\n" in play
    assert "Bo: “Go,” he says, “now.”\n" in play


def test_a_screenplay_omits_the_verb_declares(table: Table) -> None:
    table.do(c.Declare(who=table.who("Ada"), text=w("I jump.")))

    assert "\nAda: I jump.\n" in export("fountain", told(table, "report")).decode()


def test_subtitles_name_who_speaks_once_and_how_never(table: Table) -> None:
    table.do(c.Declare(who=table.who("Ada"), text=w("I jump.")))
    table.do(c.Say(who=0, text=w("Do you?")))
    table.do(c.Rule(text=w("Jumps are free.")))

    srt, vtt = (export(name, told(table, "report")).decode() for name in ("srt", "webvtt"))
    assert "\nAda: I jump.\n" in srt
    assert "\n<v Ada>I jump.\n" in vtt
    for shown in (srt, vtt):
        assert "\nDo you?\n" in shown
        assert "free" not in shown
        assert "declares" not in shown
        assert "master" not in shown


def test_markdown_has_nothing_only_some_readers_know(table: Table) -> None:
    table.do(c.Roll(who=table.who("Ada"), dice="1d6", results=("4",), text=w("to jump")))
    narrated(table, ("Ada", "I wait."))
    for place in ("folded", "footnotes", "appendix", "inline"):
        shown = export("markdown", told(table, "report"), place).decode()
        assert not any(sign in shown for sign in ("^e", "[!", "[^", "|--", "<", "---\n")), place
        assert "1d6" in shown
    assert "> *Mechanics (1)*" in export("markdown", told(table, "report")).decode()


# --- marks ------------------------------------------------------------------------------------------------


def test_typed_marks_are_set_as_in_print_unless_a_voice_says_otherwise(table: Table, tmp_path: Path) -> None:
    narrated(table, ("Ada", '"It\'s hers."'))
    file = tmp_path / "straight.toml"
    file.write_text("layout.typographic = false", "utf-8")
    straight = read(file)

    assert paragraphs(told(table, "report"))[-1].text == "“It\u2019s hers.”"
    assert "“It's hers.”" in paragraphs(told(table, "plain"))[-1].text
    shown = transcript.of_session(LineView(table.campaign, 1), 1, voice=straight)
    assert paragraphs(shown)[-1].text == '"It\'s hers."'


def test_C4_headings_and_names_are_set_in_print_as_texts_are(tmp_path: Path) -> None:
    lines, path = tmp_path / "quay.session", tmp_path / "quay.retold"
    lines.write_text(
        """\
campaign Who's There
cast gm by=D'Arcy
cast "Ada O'Brien" bruise by=Jo'el clubs=4
session The "Low" Water
scene The harbour-master's stair -- below
conflict "It's late" bruise "Ada O'Brien" vs Guards: Jon's freedom...
say "Ada O'Brien": So.
note --to "Ada O'Brien": hush
end conflict
""",
        "utf-8",
    )
    assert main(["run", "--new", "-q", "-c", str(path), str(lines)]) == 0
    with CampaignStore.open(path, read_only=True) as campaign:
        whole = build.of_line(LineView(campaign, 1), voice="report")
        typed = build.of_line(LineView(campaign, 1), voice="plain")

    for form in ("text", "html", "json", "fountain"):
        shown = (
            export(form, whole, "none").decode().partition("</style>")[-1]
            or export(form, whole, "none").decode()
        )
        assert "O\u2019Brien" in shown, form
        assert "harbour-master\u2019s stair \u2013 below" in shown, form
        assert "It\u2019s late" in shown, form
        assert not re.search(r"\w'\w|\.\.\.|\s--\s", shown), form
    assert typed.head.campaign == "Who's There"


@pytest.mark.parametrize(
    ("first", "second", "run"),
    [
        ("It bites", "Four boots, and a sack", "It bites. Four boots, and a sack."),
        ("It bites!", "Four boots", "It bites! Four boots."),
        ("It bites", "and lets go.", "It bites and lets go."),
        ("“It bites”", "Four boots", "“It bites,” said Ada. Four boots."),
    ],
)
def test_S5_a_text_without_an_end_has_a_full_stop_before_the_next(
    table: Table, first: str, second: str, run: str
) -> None:
    narrated(table, ("Ada", first), ("Ada", second))

    assert paragraphs(told(table).running())[1].text == run
