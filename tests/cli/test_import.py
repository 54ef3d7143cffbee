"""The `import` verb: a log comes in once, by what the program says; what only the table knows is asked."""

from __future__ import annotations

import io
import json
import random
import re
import shlex
import shutil
import signal
import struct
import sys
import tomllib
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from retold.__main__ import main
from retold.importing.intake import Intake
from retold.importing.verb import recording as import_recording
from retold.journal.refused import Refused
from retold.sources import PATTERN, readers
from retold.sources.answers import Answers, Person, Unmarked, Use, read_answers
from tests.cli.shell import ROOT, Said, Shell

EXAMPLES = ROOT / "examples/imports"
ANSWERED = """\
# Ours.
family = "discord"
game_master = ["Mary"]   # who else

[people.Zel]
plays = "Jon"
labels = ["Jon"]
[people.'Odd <b>"&" Sons</b>']
labels = ["Odd"]
role = "npc"
[people.Pell]
role = "npc"
"""


class Terminal(io.StringIO):
    """Somebody who sits there and types, or reads."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def table(shell: Shell) -> Shell:
    """A shell in a folder with nothing but the example logs."""
    for path in shell.folder.iterdir():
        if path.is_file():
            path.unlink()
    for path in EXAMPLES.iterdir():
        if path.is_dir():
            shutil.copytree(path, shell.folder / path.name)
        else:
            shutil.copyfile(path, shell.folder / path.name)
    return shell


def typed(table: Shell, answers: str, *words: str) -> Said:
    """What a command says to somebody who types these lines when they are asked."""
    shown = Terminal()
    table.capsys.readouterr()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", Terminal(answers))
        patch.setattr(sys, "stderr", shown)
        patch.setenv("COLUMNS", "200")
        code = main(words)
    return Said(code, table.capsys.readouterr().out, shown.getvalue())


def kept(table: Shell, name: str = "discord.import.toml") -> Answers:
    return read_answers((table.folder / name).read_text("utf-8"), name)


def campaigns(table: Shell) -> list[str]:
    return sorted(path.name for path in table.folder.glob("*.retold"))


# --- looked at --------------------------------------------------------------------------------------------


def test_a_log_is_looked_at_and_nothing_is_recorded(table: Shell) -> None:
    said = table.say("import", "discord.json")

    assert said.code == 1
    assert said.out.startswith("discord.json: Discord (JSON), 31 units (messages, lines) of #the-table, ")
    assert "  Read: 24. Unread: 0. Left out: 7 " in said.out
    assert "  2 sessions by the rule “gap 4h”.\n" in said.out
    assert said.err.startswith("6 questions are open; nothing is recorded. They are in discord.import.toml:")
    assert said.err.endswith("Then:\n  retold import discord.json --into the-table\n")
    assert len((said.out + said.err).splitlines()) <= 24
    assert campaigns(table) == []
    assert kept(table) == Answers(family="discord")


def test_answers_are_taken_from_the_file_and_the_log_comes_in_once(table: Shell) -> None:
    (table.folder / "discord.import.toml").write_text(ANSWERED)

    first = table.say("import", "discord.json", "--into", "salt-road", "--title", "The Salt Road")
    again = table.say("import", "discord.json", "--into", "salt-road")

    assert (first.code, again.code) == (0, 0)
    assert "New: 24. Known already: 0.\n" in first.out
    assert "New: 0. Known already: 24.\n" in again.out
    assert "\nNext: retold -c salt-road.retold recap, " in first.err
    assert (table.folder / "discord.import.toml").read_text() == ANSWERED
    log = table.done("-c", "salt-road", "log", "-n", "0")
    assert "Zel rolls " in log
    assert "gm narrates: “The ferry has not moved since noon." in log
    assert "The Salt Road" in table.done("-c", "salt-road", "show")
    assert table.done("-c", "salt-road", "verify", "--rules").startswith("The record is whole")


@pytest.mark.parametrize(
    ("log", "title"),
    [
        ("roll20.html", "Salt"),
        ("foundry-world", "The ferry"),
        ("chat.txt", "Old Road"),
        ("the-table.json", "The Table"),
    ],
)
def test_a_new_campaign_has_the_title_of_its_source_and_no_tools_name(
    table: Shell, log: str, title: str
) -> None:
    (table.folder / "chat.txt").write_text("Zel: One.\nPell: Two.\n" * 3)

    said = table.say("import", log, "--into", "old-road", "--yes", "--game-master", "nobody")

    assert (said.code, "New: " in said.out) == (0, True)
    assert title in table.done("-c", "old-road", "show")


def test_I17_as_names_the_format_of_one_file(table: Shell) -> None:
    (table.folder / "notes.md").write_text("Zel: One.\nPell: Two.\nZel: Three.\nPell: Four.\nZel: Five.\n")

    said = table.say("import", "notes.md", "plain.txt", "--as", "notes.md=plain")
    other = table.say("import", "notes.md", "--as", "nots.md=plain")

    assert said.out.startswith("2 files: lines of text, ")
    assert other.code == 2
    assert "--as nots.md=plain: nots.md is none of the files that come in." in other.err


def test_B19_an_export_without_words_makes_no_campaign(table: Shell) -> None:
    log = json.loads((table.folder / "discord.json").read_text("utf-8"))
    for message in log["messages"]:
        message |= {"content": "", "embeds": [], "attachments": [], "stickers": [], "type": "Default"}
        message.pop("forwardedMessage", None)
    (table.folder / "blank.json").write_text(json.dumps(log), "utf-8")
    (table.folder / "blank.import.toml").write_text(ANSWERED)

    for words in ((), ("--into", "blank"), ("--into", "blank", "--game-master", "Mary")):
        said = table.say("--yes", "import", "blank.json", *words)

        assert said.code == 1
        assert "Nothing in blank.json can be told: all is left out (empty " in said.err
        assert "may not read the words" in said.err
        assert "Next: " not in said.err
    assert campaigns(table) == []


def test_B19_an_export_that_is_mostly_blank_says_why(table: Shell) -> None:
    log = json.loads((table.folder / "discord.json").read_text("utf-8"))
    for message in log["messages"][3:]:
        message |= {"content": "", "embeds": [], "attachments": [], "stickers": [], "type": "Default"}
        message.pop("forwardedMessage", None)
    (table.folder / "blank.json").write_text(json.dumps(log), "utf-8")

    assert "may not read the words" in table.say("import", "blank.json").out


def test_a_grown_log_brings_what_is_new_and_asks_about_new_people_alone(table: Shell) -> None:
    (table.folder / "discord.import.toml").write_text(ANSWERED)
    log = json.loads((EXAMPLES / "discord.json").read_text("utf-8"))
    grown = json.loads(json.dumps(log))
    later = {**log["messages"][-1], "id": "1477900000000000000", "timestamp": "2026-03-02T00:43:00+00:00"}
    later["author"] = {
        **later["author"],
        "id": "900000000000000077",
        "name": "Kit",
        "isBot": False,
        "nickname": "Kit",
    }
    grown["messages"].append(later)
    table.done("import", "discord.json", "--into", "salt-road")
    (table.folder / "discord.json").write_text(json.dumps({**grown, "messageCount": 32}))

    asked = table.say("import", "discord.json", "--into", "salt-road")
    came = typed(table, "by Ada\n", "import", "discord.json", "--into", "salt-road")

    assert asked.code == 1
    assert asked.err.splitlines()[1].startswith("  Kit: 1 unit: ")
    assert (came.code, "New: 1. Known already: 24.\n" in came.out) == (0, True)
    assert kept(table).people["Kit"] == Person("Ada", accounts=("@1",))


def test_a_log_of_another_name_comes_in_by_the_answers_of_last_time(table: Shell) -> None:
    (table.folder / "discord.import.toml").write_text(ANSWERED)
    table.done("import", "discord.json", "--into", "salt-road")
    (table.folder / "discord.json").rename(table.folder / "discord, March.json")

    again = table.done("import", "discord, March.json", "--into", "salt-road")
    other = table.say("import", "foundry", "--into", "salt-road")

    assert "New: 0. Known already: 24.\n" in again
    assert "It is in foundry.import.toml:" in other.err
    assert (table.folder / "discord.import.toml").read_text() == ANSWERED


def test_a_check_records_nothing_and_says_what_would_come(table: Shell) -> None:
    (table.folder / "discord.import.toml").write_text(ANSWERED)

    said = table.done("import", "discord.json", "--into", "salt-road", "--check")

    assert "New: 24. Known already: 0.\n" in said
    assert said.endswith("Nothing was recorded: this was a check.\n")
    assert campaigns(table) == []
    table.done("import", "discord.json", "--into", "salt-road")
    before = table.bytes("salt-road.retold")
    assert "New: 0. Known already: 24.\n" in table.done(
        "import", "discord.json", "--into", "salt-road", "--check"
    )
    assert table.bytes("salt-road.retold") == before


def test_every_proposal_is_taken_with_yes(table: Shell) -> None:
    said = table.say("--yes", "import", "discord.json", "--into", "salt-road", "--game-master", "Mary")

    assert said.code == 0
    assert said.err.startswith("Who is Jon? 8 units, 4 throws. player\n")
    assert kept(table).people["Jon"].plays == "Jon"
    assert kept(table).people["Pell"].role == "npc"


def test_the_report_is_json_for_a_program_and_for_a_file(table: Shell) -> None:
    open_ = table.say("import", "discord.json", "--json")
    (table.folder / "discord.import.toml").write_text(ANSWERED)
    came = json.loads(
        table.done("import", "discord.json", "--into", "salt-road", "--json", "--report", "report.json")
    )

    assert open_.code == 1
    asked = json.loads(open_.out)["questions"]
    assert [(one["about"], one["label"]) for one in asked][:2] == [("game master", None), ("person", "Jon")]
    assert (came["retold"], came["version"], came["new"], came["questions"]) == ("import", 1, 24, [])
    assert json.loads((table.folder / "report.json").read_text("utf-8")) == came
    refused = table.refused("import", "discord.json", "--into", "other", "--report", "report.json")
    assert refused.startswith("report.json is there already, or its folder is not")
    assert campaigns(table) == ["salt-road.retold"]


def test_what_was_not_understood_is_listed_with_its_place(table: Shell) -> None:
    (table.folder / "discord.import.toml").write_text(ANSWERED)
    log = table.folder / "discord.json"
    export = json.loads(log.read_text("utf-8"))
    poll = next(one for one in export["messages"] if one["type"] == "46")
    poll |= {"content": "", "embeds": [{"title": poll["content"]}]}
    log.write_text(json.dumps(export), "utf-8")

    assert table.done("import", "discord.json", "--unread").endswith(
        "discord.json, 29: a poll nobody answered\n"
    )


def test_formats_are_listed_with_how_each_is_had(table: Shell) -> None:
    said = table.done("import", "--formats")
    found = json.loads(table.done("import", "--formats", "--json"))["formats"]

    assert re.search(r"^  discord-json +Discord \(JSON\): DiscordChatExporter", said, re.MULTILINE)
    assert [one["name"] for one in found if not one["how"]] == []


def test_several_files_are_merged(table: Shell) -> None:
    log = json.loads((EXAMPLES / "discord.json").read_text("utf-8"))
    for name, channel, messages in (("a", "1", log["messages"][::2]), ("b", "2", log["messages"][1::2])):
        one = {**log, "channel": {**log["channel"], "id": channel, "name": f"the-table-{name}"}}
        (table.folder / f"{name}.json").write_text(
            json.dumps({**one, "messages": messages, "messageCount": len(messages)})
        )
    (table.folder / "ours.toml").write_text(
        ANSWERED.replace(
            "[people.Zel]", '[channels]\nthe-table-a = "story"\nthe-table-b = "story"\n[people.Zel]'
        )
    )

    said = table.done("import", "a.json", "b.json", "--map", "ours.toml", "--into", "salt-road", "--check")

    assert said.startswith("31 units in 2 files (discord).\n")
    assert "New sessions: 2 (2026-03-01, 2026-03-02).\n" in said


# --- asked ------------------------------------------------------------------------------------------------


def test_a_person_who_never_saw_retold_brings_in_an_evening(table: Shell) -> None:
    said = typed(table, "mary\nplays Zel\n\n\nby Ada\n\n", "import", "discord.json", "--into", "salt-road")

    assert said.code == 0
    assert "\n5 questions. Enter takes the answer in brackets; " in said.err
    assert "\n1. Who is the game master?\n" in said.err
    assert "\n   [a label, or nobody] \n2. Who is Jon? 8 units, 4 throws.\n" in said.err
    assert "       ties the boat to the second post\n" in said.err
    assert '\n   [is Odd <b>"&" Sons</b>] \n5. Who are those that speak three times or less?\n' in said.err
    assert "The new campaign's title? [The Table] " in said.err
    assert 'New in the cast: Zel, Pell, Odd <b>"&" Sons</b>.\n' in said.out
    assert kept(table) == Answers(
        family="discord",
        sessions="gap 4h",
        game_master=("Mary",),
        channels={"the-table": Use.STORY},
        people={
            "Zel": Person("Jon", ("Jon",)),  # whose account speaks under both names
            'Odd <b>"&" Sons</b>': Person('Odd <b>"&" Sons</b>', ("Odd",), ("@1",)),
            "Pell": Person("Ada"),
        },
        accounts={"@1": "900000000000000046"},
    )


def test_an_answer_that_is_not_understood_is_asked_again_with_what_it_may_have_been(table: Shell) -> None:
    said = typed(table, "Nobody here\nmar\n?\nZel\nplayer now\n", "import", "discord.json")

    assert "   There is no “Nobody here” here." in said.err
    assert kept(table).game_master == ("Mary",)
    assert "   plays Zel   it is a player; Zel is the character they play\n" in said.err
    assert (
        "   Did you mean plays Zel (their character), by Zel (their player) or is Zel (one person)?"
        in said.err
    )
    assert "   Type player alone.\n" in said.err


def test_back_asks_the_question_before_once_more(table: Shell) -> None:
    typed(table, "mary\nplayer\nback\nplays Zel\n", "import", "discord.json")

    assert set(kept(table).people) == {"Zel"}


def test_all_who_are_left_may_be_npcs(table: Shell) -> None:
    said = typed(table, "mary\nall npc\n", "import", "discord.json")

    assert said.code == 0
    assert {name: one.role for name, one in kept(table).people.items()} == {
        "Jon": "npc",
        'Odd <b>"&" Sons</b>': "npc",
        "Pell": "npc",
        "Zel": "npc",
    }


def test_an_interrupted_import_keeps_its_answers(table: Shell) -> None:
    stopped = typed(table, "mary\nplays Zel\n", "import", "discord.json", "--into", "salt-road")
    went_on = typed(table, "\n\n\n\n", "import", "discord.json", "--into", "salt-road")

    assert stopped.code == 130
    assert stopped.err.endswith(
        "Stopped. What you answered is kept in discord.import.toml; nothing is recorded.\n"
        "To go on: retold import discord.json --into salt-road\n"
    )
    assert "1. Who is Odd <b>" in went_on.err
    assert (went_on.code, campaigns(table)) == (0, ["salt-road.retold"])


def test_the_tables_own_file_keeps_its_comments_and_its_order(table: Shell) -> None:
    (table.folder / "discord.import.toml").write_text(ANSWERED.replace('[people.Pell]\nrole = "npc"\n', ""))

    typed(table, "by Ada\n", "import", "discord.json")

    text = (table.folder / "discord.import.toml").read_text()
    kept_lines = iter(text.splitlines())
    assert all(line in kept_lines for line in ANSWERED.splitlines()[:-2])
    assert kept(table).people["Pell"] == Person("Ada")


def test_comments_of_questions_go_once_they_are_answered(table: Shell) -> None:
    table.say("import", "discord.json")
    typed(table, "mary\n\n\n\n\n", "import", "discord.json")

    assert "#[people" not in (table.folder / "discord.import.toml").read_text()


def test_lines_of_text_are_shown_as_they_are_read_before_it_goes_on(table: Shell) -> None:
    said = typed(table, "\nmary\n\n\n\n", "import", "plain.txt")

    assert "1. How is a line read?\n" in said.err
    assert "     Mary: The ferry has not moved since noon. Its lamp is lit all t" in said.err
    assert kept(table, "plain.import.toml").pattern == "Name: words"


def test_who_may_see_what_is_not_marked_is_said_and_not_taken_with_enter(table: Shell) -> None:
    said = typed(table, "UTC\n\n\ntable\n\n\n\n", "import", "fantasy-grounds.html")

    assert "3. " not in said.err.partition("Who may see what is not marked?")[0].partition("2. ")[0]
    assert "   [table or gm]    Say table or gm; ? explains.\n   [table or gm] " in said.err
    assert "What is in the channels?" not in said.err
    assert kept(table, "fantasy-grounds.import.toml").unmarked is Unmarked.TABLE


@pytest.mark.parametrize("log", ["craig", "lonelog-old.md", "iron-vault"])
def test_voices_and_games_without_a_game_master_hide_nothing(table: Shell, log: str) -> None:
    refused = table.say("--yes", "import", log, "--into", "ours") if log == "craig" else None
    masters = () if refused is None else ("--game-master", "nobody")
    said = table.say("--yes", "import", log, "--into", "ours", *masters)

    assert refused is None or (refused.code == 1 and "--game-master LABEL" in refused.err)
    assert "not marked" not in said.err
    assert kept(table, f"{Path(log).stem}.import.toml").game_master == ("nobody",)
    assert kept(table, f"{Path(log).stem}.import.toml").unmarked is Unmarked.ASK
    assert "New: " in said.out


@pytest.mark.parametrize("log", ["lonelog-old.md", "iron-vault"])
def test_days_without_hours_need_no_time_zone(table: Shell, log: str) -> None:
    said = table.say("--yes", "import", log, "--into", "ours")

    assert "time zone" not in said.err
    assert " 00:00" not in said.out
    assert "New sessions: " in said.out
    assert "(2026-0" in said.out.partition("New sessions: ")[2]


NIGHTS = (
    "[22:58] <Mary> The ferry waits.\n[23:59] <Zel> I knock.\n[00:05] <Mary> Nothing.\n"
    "[19:40] <Mary> A new evening.\n[19:41] <Zel> Again?\n"
)


FERRY = "".join(
    f"[19:{minute:02}] <{name}> El barco no se mueve desde el mediodía, y en la orilla no hay nadie.\n"
    for minute in range(10)
    for name in ("Mary", "Zel")
)


@pytest.mark.parametrize(("typed_first", "language"), [("", "es"), ("es-MX", "es-MX")])
def test_B15_the_language_of_a_log_is_proposed_and_is_the_campaigns(
    table: Shell, typed_first: str, language: str
) -> None:
    (table.folder / "barco.log").write_text(FERRY, "utf-8")
    said = typed(
        table,
        f"2026-03-01\nlisbon\n{typed_first}\nmary\nplayer\n\n\n",
        "import",
        "barco.log",
        "--into",
        "barco",
    )

    assert "In which language are the words?" in said.err
    assert kept(table, "barco.import.toml").language == language
    assert f"option language={language}" in table.say("-c", "barco.retold", "log", "-n", "0").out
    again = table.say("--yes", "import", "barco.log", "--into", "barco")
    assert "In which language" not in again.err
    assert "New: 0." in again.out


def test_B8_the_day_is_asked_once_and_every_hour_is_kept(table: Shell) -> None:
    (table.folder / "nights.log").write_text(NIGHTS, "utf-8")
    said = typed(table, "2026-03-01\nlisbon\nmary\nplayer\n\n\n", "import", "nights.log", "--into", "nights")

    assert "On which day does the log begin?" in said.err
    before, _, after = said.out.partition("New: 5.")
    assert "not kept, for the log never says the day: 5." in before
    assert "not kept" not in after
    assert "New sessions: 2 (2026-03-01, 2026-03-02)." in said.out
    log = table.say("-c", "nights.retold", "log", "-n", "0").out
    assert "“Nothing.” (played 2026-03-02 00:05Z)" in log
    assert "New: 0. Known already: 5." in table.say("--yes", "import", "nights.log", "--into", "nights").out


def test_B8_the_beginnings_of_sessions_propose_the_day(table: Shell) -> None:
    (table.folder / "nights.log").write_text(NIGHTS, "utf-8")
    (table.folder / "nights.import.toml").write_text('sessions = "at 2026-03-01T22:00, 2026-03-02T19:00"\n')

    said = table.say("--yes", "import", "nights.log", "--into", "nights", "--game-master", "Mary")

    assert "New sessions: 2 (2026-03-01, 2026-03-02)." in said.out


def test_B8_logs_without_days_are_asked_about_together_unless_their_names_have_the_day(table: Shell) -> None:
    names = ("one.log", "two.log"), ("2026-03-01.log", "2026-03-08.log")
    for name in (*names[0], *names[1]):
        (table.folder / name).write_text(NIGHTS.replace("Nothing", name), "utf-8")
    unnamed, named = (table.say("import", *files, "--into", "nights").err for files in names)

    assert "On which day do the 2 logs without days begin? One answer is for all of them." in unnamed
    assert "On which day" not in named


def test_B8_a_day_that_is_told_later_makes_no_unit_new(table: Shell) -> None:
    (table.folder / "nights.log").write_text(NIGHTS, "utf-8")
    unknown = table.say("--yes", "import", "nights.log", "--into", "nights", "--game-master", "Mary")
    assert "Hours that are not kept, for the log never says the day: 5." in unknown.out
    file = table.folder / "nights.import.toml"
    answers = file.read_text("utf-8").replace('began = "unknown"', 'began = "2026-03-01"\nzone = "UTC"')
    file.write_text(answers, "utf-8")

    assert "New: 0. Known already: 5." in table.say("--yes", "import", "nights.log", "--into", "nights").out


def test_I15_evenings_of_a_few_lines_are_offered_to_the_one_before(table: Shell) -> None:
    days = [
        f"[2026-03-{day:02} 19:{minute:02}:00] <Mary> So.\n" for day in range(1, 12) for minute in range(day)
    ]
    (table.folder / "days.log").write_text("".join(days), "utf-8")
    said = table.say("import", "days.log").out

    assert "  11 sessions by the rule “gap 4h”.\n" in said
    assert '  8 of them have fewer than 10 units; sessions = "gap 4h least 10" in the answers' in said


@pytest.mark.parametrize(
    ("name", "text", "way"),
    [
        ("own.txt", "Mary | Rain.\nJon | Yes.\n", "retold import own.txt --as plain"),
        ("teams.txt", "~~ Mary ~~\nRain.\n", "retold import teams.txt --as plain"),
        (
            "otter.txt",
            "Mary  00:28:10\nRain.\n\nMary  00:29:10\nFog.\n",
            "retold import otter.txt --as sealdice-text or --as plain",
        ),
        ("logs/own.txt", "Mary | Rain.\nJon | Yes.\n", "retold import logs/own.txt --as plain"),
        ("evening.csv", "when;whose;text\n1;Mary;Rain.\n", "retold import evening.csv --as table"),
        (
            "result.json",
            '{"about": "Here is the data you requested.",\n "chats": {"about": "All chats."}}\n',
            "export one alone",
        ),
        ("chat.json", '[\n {"who": "Mary"}\n]\n', "retold import chat.json --as table"),
        ("page.html", "<html>\n<b>Mary</b> Rain.\n</html>\n", "retold import page.txt --as plain"),
        ("db.xml", '<root version="4.4" dataversion="2">\n</root>\n', "chatlog.html"),
        ("tickets.html", "<html><discord-messages></discord-messages></html>\n", "DiscordChatExporter"),
        ("tool.html", "<html><script src='https://tickettool.xyz/x.js'>\n</html>\n", "DiscordChatExporter"),
    ],
)
def test_B6_a_refusal_shows_two_lines_and_the_way_on(table: Shell, name: str, text: str, way: str) -> None:
    (table.folder / name).parent.mkdir(exist_ok=True)
    (table.folder / name).write_text(text, "utf-8")
    said = table.say("import", name.partition("/")[0])

    assert said.code == 1
    assert text.splitlines()[0] in said.err
    assert way in said.err


def test_a_list_of_objects_in_json_is_read_as_a_table(table: Shell) -> None:
    rows = [{"who": "Mary", "said": "Rain."}, {"who": "Jon", "said": "1d20 = 17", "at": "2026-03-01 19:42"}]
    (table.folder / "own.json").write_text(json.dumps({"log": rows}, indent=1), "utf-8")
    (table.folder / "own.import.toml").write_text('[columns]\nname = "who"\nwords = "said"\ntime = "at"\n')

    said = table.say("import", "own.json", "--as", "table").out

    assert "  Read: 2. Unread: 0. Left out: 0.\n  Throws: 1; 1 with faces" in said
    assert "Speakers: Mary 1, Jon 1." in said


def test_B6_the_pattern_that_a_refusal_shows_reads_such_lines(table: Shell) -> None:
    (table.folder / "own.txt").write_text("Mary | Rain.\nJon | Yes.\n", "utf-8")
    refused = table.say("import", "own.txt").err
    (table.folder / "own.import.toml").write_text(f"{PATTERN}\n", "utf-8")

    assert PATTERN in refused
    assert "Speakers: Mary 1, Jon 1." in table.say("import", "own.txt", "--as", "plain").out


def test_channels_that_are_taken_unasked_are_told(table: Shell) -> None:
    said = table.say("--yes", "import", "cocofolia.html", "--into", "ours", "--game-master", "Mary")

    assert "What is in the channels? " in said.err
    assert "yes" not in said.err.partition("What is in the channels? ")[2].partition("\n")[0]


def test_a_dice_bot_that_the_log_names_does_not_join_the_cast(table: Shell) -> None:
    log = "sealdice/sealdice-standard-log.json"
    said = table.say("--yes", "import", log, "--into", "ours", "--game-master", "Mary")

    assert "Who is 海豹? 3 units. bot\n" in said.err
    assert "海豹" not in said.out.partition("New in the cast: ")[2]
    assert "Throws: 10 (10 with faces, 0 with a total, 0 in words).\n" in said.out
    assert "Throws that were recorded: 10 " in said.out


@pytest.mark.parametrize(
    ("as_", "told"),
    [("foundry", "does not look like a log of foundry."), ("", "is no log that can be read.")],
)
def test_an_unknown_format_names_the_list_of_formats(table: Shell, as_: str, told: str) -> None:
    (table.folder / "shopping.json").write_text('{"eggs": 12}')

    said = table.say("import", "shopping.json", *(["--as", as_] if as_ else []))

    assert said.code == 1
    assert said.err.startswith(f"shopping.json {told} What can be read: retold import --formats.\n")


def test_a_game_master_who_speaks_nowhere_is_told(table: Shell) -> None:
    (table.folder / "discord.import.toml").write_text(ANSWERED.replace('["Mary"]', '["Marie"]'))
    mistyped = table.say("import", "discord.json")
    (table.folder / "discord.import.toml").write_text(ANSWERED.replace('["Mary"]', '["MARY"]'))
    typed_well = table.say("import", "discord.json")
    other = '["Marie"]\n[people.Marie]\nlabels = ["Mary"]\n'
    (table.folder / "discord.import.toml").write_text(ANSWERED.replace('["Mary"]   # who else\n', other))
    by_another_label = table.say("import", "discord.json")

    told = "discord.import.toml: the game master is Marie, and no line of this log has that label.\n"
    assert told in mistyped.err
    assert "no line of this log" not in typed_well.err + by_another_label.err


def test_an_open_conflict_is_told_before_anything_is_asked(table: Shell) -> None:
    table.done("new", "ours", "--game", "d20")
    for line in ("cast Zel", "cast Pell", 'conflict "The ferry" Zel vs Pell'):
        table.done("-c", "ours", *shlex.split(line))

    said = typed(table, "", "import", "discord.json", "--into", "ours")

    assert said == Said(1, "", "A conflict is open: end it first (end conflict), then take the log in.\n")


@pytest.mark.parametrize("word", ["", "all npc", "ALL NPC", "npc"])
def test_the_default_in_brackets_may_be_typed(table: Shell, word: str) -> None:
    said = typed(table, f"\ntable\n\n\n{word}\n", "import", "fantasy-grounds.html")

    assert said.code == 0, said.err
    assert kept(table, "fantasy-grounds.import.toml").people["Old Ferryman"].role == "npc"


@pytest.mark.parametrize("word", ["", "yes"])
def test_channels_may_be_agreed_to_in_a_word(table: Shell, word: str) -> None:
    typed(table, f"mary\n{word}\n", "import", "cocofolia.html")

    assert kept(table, "cocofolia.import.toml").channels["main"] is Use.STORY


def test_a_shape_of_the_tables_own_is_read_at_once(table: Shell) -> None:
    (table.folder / "own.txt").write_text("Zel | hello\nPell | yes\nZel: no\n" * 3)

    said = typed(table, "(?P<name>\\w+) \\| (?P<words>.*)\nZel\n\n\n", "import", "own.txt")

    assert "  Read: 3." in said.out
    assert kept(table, "own.import.toml").pattern == r"(?P<name>\w+) \| (?P<words>.*)"
    assert "Pell" in {*kept(table, "own.import.toml").people, *kept(table, "own.import.toml").game_master}


def test_a_shape_that_fits_no_line_is_one_sentence_and_is_mended_in_the_file(table: Shell) -> None:
    typed(table, "(?P<name>X+)(?P<words>.*)\n", "import", "plain.txt")

    assert table.say("import", "plain.txt").err.splitlines() == [
        "No line of plain.txt fits the pattern in plain.import.toml: mend or remove it there.",
        "It begins with “Typed up by Mary, the morning after.” and “# The ferry”.",
    ]


def test_a_column_that_is_not_there_is_asked_again(table: Shell) -> None:
    (table.folder / "rows.csv").write_text("Author,Message\n" + "Zel,Hello\n" * 4)

    said = typed(table, "name=Writer words=Message\nname=author words=Message\n", "import", "rows.csv")

    assert "   There is no “Writer” here." in said.err
    assert kept(table, "rows.import.toml").columns == {"name": "Author", "words": "Message"}


def test_columns_of_a_table_are_proposed_by_their_headings(table: Shell) -> None:
    rows = "".join(
        f'2026-03-01 19:4{n}:00,{who},"Line {n}, said"\n' for n, who in enumerate(["Zel", "Mary"] * 4)
    )
    (table.folder / "rows.csv").write_text(f"Date,Author,Message\n{rows}")

    said = typed(table, "\nlisbon\nMary\nby Jon\n", "import", "rows.csv", "--into", "rows")

    assert "     words: Message\n" in said.err
    answers = kept(table, "rows.import.toml")
    assert answers.columns == {"name": "Author", "words": "Message", "time": "Date"}
    assert answers.zone == "Europe/Lisbon"


def test_the_import_asks_about_ambiguous_days_and_months(table: Shell) -> None:
    typed(table, "month\n", "import", "discord.txt")

    assert str(kept(table).dates) == "month first"


def test_an_encoding_is_asked_with_a_line_in_each_that_it_may_be(table: Shell) -> None:
    lines = "".join(f"{who}: Да\n" for who in ("Зея", "Юлия") * 3)
    (table.folder / "old.txt").write_bytes(lines.encode("cp1251"))

    refused = table.say("import", "old.txt", "--as", "plain")
    said = typed(table, "klingon\ncp1251\n\nЮлия\n\n", "import", "old.txt", "--as", "plain")

    assert refused.code == 1
    assert "--encoding" in refused.err
    assert "cp1251: Зея: Да" in refused.err
    assert "  cp1251: Зея: Да\n" in said.err
    assert kept(table, "old.import.toml").encoding == "cp1251"
    assert "Юлия 3" in said.out


def discord_log(table: Shell, name: str, *messages: tuple[str, str, str, int]) -> None:
    """A log of Discord: label, account, words, and minutes after the first message."""
    log = json.loads((EXAMPLES / "the-table.json").read_text("utf-8"))
    pattern = log["messages"][0]
    log["messages"] = [
        {
            **pattern,
            "id": str(int(pattern["id"]) + (place << 30)),
            "timestamp": (START + timedelta(minutes=minutes)).isoformat(),
            "content": words,
            "author": {**pattern["author"], "id": account, "name": label, "nickname": label},
        }
        for place, (label, account, words, minutes) in enumerate(messages)
    ]
    (table.folder / name).write_text(json.dumps({**log, "messageCount": len(messages)}))


START = datetime(2026, 3, 1, 19, 0, tzinfo=UTC)


def test_one_name_of_two_accounts_is_asked(table: Shell) -> None:
    log = [("Mary", "900000000000000001", "The ferry has not moved since noon. " * 9, 0)]
    log += [("Zel", f"90000000000000001{n % 2}", f"So says number {n % 2}.", n) for n in range(1, 9)]
    discord_log(table, "two.json", *log)

    one = typed(table, "mary\n\nby Jon\n", "import", "two.json", "--map", "one.toml")
    two = typed(table, "mary\nZel, Zel of the Mill\n", "import", "two.json", "--map", "two.toml")

    assert (
        "2. Zel is the name of 2 accounts:\n     1. 4: So says number 1.\n     2. 4: So says number 0.\n"
        in one.err
    )
    assert kept(table, "one.toml").people == {"Zel": Person("Jon", accounts=("@1", "@2"))}
    assert two.code == 0
    found = kept(table, "two.toml")
    assert [found.person_of("Zel", f"90000000000000001{n}") for n in (1, 0)] == ["Zel", "Zel of the Mill"]


def test_play_by_post_is_asked_how_its_sessions_are_cut(table: Shell) -> None:
    log = [("Mary", "900000000000000001", f"Day {n} is over.", n * 60 * 30) for n in range(28)]
    discord_log(table, "post.json", *log)

    said = typed(table, "day\n\n", "import", "post.json")

    assert "1. Days pass between most lines. Where do sessions begin?\n" in said.err
    assert "How many there are: gap 4h: 28, day: 28, week: " in said.err
    assert kept(table, "post.import.toml").sessions == "day"


def test_channels_are_proposed_by_their_names_and_changed_by_naming_one(table: Shell) -> None:
    log = json.loads((EXAMPLES / "the-table.json").read_text("utf-8"))
    for place, name in enumerate(("the-table", "ooc-chat", "maps")):
        channel = {**log["channel"], "id": str(place), "name": name}
        messages = [{**one, "id": f"{one['id']}{place}"} for one in log["messages"]]
        (table.folder / f"{place}.json").write_text(
            json.dumps({**log, "channel": channel, "messages": messages})
        )

    said = typed(
        table, "mary\nmaps skip\n\nall npc\n", "import", "0.json", "1.json", "2.json", "--map", "ours.toml"
    )

    assert "     the-table: story\n     ooc-chat: aside\n     maps: story\n" in said.err
    assert kept(table, "ours.toml").channels == {
        "the-table": Use.STORY,
        "ooc-chat": Use.ASIDE,
        "maps": Use.SKIP,
    }


def test_a_file_of_which_several_readers_know_something_is_asked(table: Shell) -> None:
    (table.folder / "both.csv").write_text("name,words\n" + "Zel: one,two\n" * 9)

    said = typed(table, "table\n", "import", "both.csv")

    assert "both.csv may be:\n  table: a table (CSV)\n  plain: lines of text\n" in said.err
    assert kept(table, "both.import.toml").format == "table"


def test_a_person_who_sees_a_hidden_tab_is_asked_once_the_people_are_known(table: Shell) -> None:
    said = typed(
        table,
        "mary\n\n\n" + "all npc\n" * 3 + "zel\n\n" * 2,
        "import",
        "cocofolia.html",
        "--map",
        "ours.toml",
    )

    assert "Everything in HO1 is hidden. Who sees it beside the game master?\n" in said.err
    assert kept(table, "ours.toml").audience.keys() == {"HO1", "KP用"}


def test_import_asks_about_units_that_are_gone(table: Shell) -> None:
    typed(table, "mary\nby Jon\nby Ada\n\n\n", "import", "the-table.json", "--into", "salt-road")
    log = json.loads((EXAMPLES / "the-table.json").read_text("utf-8"))
    kept_messages = [log["messages"][0], *log["messages"][8:]]
    (table.folder / "the-table.json").write_text(
        json.dumps({**log, "messages": kept_messages, "messageCount": len(kept_messages)})
    )
    before = table.bytes("salt-road.retold")

    refused = table.say("import", "the-table.json", "--into", "salt-road")
    no = typed(table, "n\n", "import", "the-table.json", "--into", "salt-road")
    yes = typed(table, "y\n", "import", "the-table.json", "--into", "salt-road")

    assert refused.code == 1
    assert "are gone from the source" in refused.err
    assert "Go on all the same? Nothing is changed yet: add --yes to go on." in refused.err
    assert (no.code, yes.code) == (1, 0)
    assert "Go on all the same? [y/N] " in no.err
    assert yes.out.count("Gone from the source, ") == 6
    assert table.bytes("salt-road.retold") == before


def test_the_cast_of_the_campaign_is_proposed(table: Shell) -> None:
    table.done("new", "salt-road")
    table.play(
        "cast gm by=Zel\ncast Pell by=Ada\ncast Ferry alias=The-Ferryman\ncast Old-Mary by=Mary\n",
        "salt-road.retold",
    )

    said = typed(table, "\n\n\n\n", "import", "the-table.json", "--into", "salt-road")

    assert [line for line in said.err.splitlines() if line.startswith("   [")] == [
        "   [Zel] ",
        "   [plays Old-Mary] ",
        "   [by Ada] ",
        "   [is Ferry] ",
    ]
    assert "New in the cast" not in said.out
    assert table.done("-c", "salt-road", "verify", "--rules").startswith("The record is whole")


TYPED = (
    *(
        "",
        "",
        "?",
        "back",
        "by Jon",
        "by Zel",
        "plays Zel",
        "is Zel",
        "is Mary",
        "npc",
        "gm",
        "bot",
        "nobody",
    ),
    *(
        "all npc",
        "player",
        "by",
        "is",
        "Zel by Jon",
        "Pell is Zel",
        "gm by Ada",
        "Mary",
        "Zel, Pell",
        "table",
    ),
    *(
        "day",
        "week",
        "gap 4h",
        "at 2026",
        "lisbon",
        "story",
        "maps skip",
        "Name: words",
        "(",
        "name=a words=b",
    ),
    *("\x1b[31m", "by \u202e", f"plays {'x' * 300}", 'plays "Q"', "by [x]", "plays a.b", "by #", "plays '''"),
)


@pytest.mark.parametrize("log", ["discord.json", "plain.txt", "discord.txt", "cocofolia.html", "foundry"])
def test_whatever_is_typed_is_an_answer_or_a_sentence(table: Shell, log: str) -> None:
    for number in range(6):
        luck = random.Random(f"{log} {number}")
        lines = "".join(f"{luck.choice(TYPED)}\n" for _ in range(luck.randint(0, 25)))
        said = typed(table, lines, "import", log, "--map", f"{number}.toml", "--into", f"{number}")

        assert said.code in (0, 1, 130), lines
        assert "went wrong" not in said.err, lines
        assert not set("\x1b\u202e") & set(said.out + said.err), lines


# --- refused ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("nowhere.json",), "There is no file nowhere.json."),
        (("discord.json", "--as", "foo"), "There is no format 'foo'; there are "),
        (("discord.json", "--as", "foundry-db"), "Nothing in discord.json is understood as Foundry VTT"),
        (("empty",), "empty is no log that can be read."),
        (("bomb.zip",), "bomb.zip would be larger than 2 GB when unpacked"),
        (("discord.json", "--encoding", "klingon"), "There is no encoding 'klingon'"),
        (("foundry", "--map", "ours.toml"), "ours.toml holds answers about discord, and this is foundry"),
        (("discord.json", "--map", "wrong.toml"), "wrong.toml, line 2: there is no time zone 'Mars/Base'"),
        (("discord.json", "--map", "nowhere/a.toml"), "nowhere/a.toml cannot be written"),
        (
            ("discord.json", "--into", "elsewhere:road", "--map", "ours.toml"),
            "There is no server called elsewhere",
        ),
        (
            ("discord.json", "--into", "nowhere/salt-road", "--map", "ours.toml"),
            "nowhere/salt-road.retold cannot",
        ),
        (("discord.json", "--into", "empty", "--map", "ours.toml"), "empty"),
        (("discord.json", "--into", "notes.txt", "--map", "ours.toml"), "notes.txt"),
    ],
)
def test_what_cannot_come_in_is_one_sentence_and_leaves_nothing(
    table: Shell, words: tuple[str, ...], sentence: str
) -> None:
    (table.folder / "empty").mkdir()
    (table.folder / "empty" / "notes.bin").write_bytes(b"\x00\x01")
    (table.folder / "ours.toml").write_text(ANSWERED)
    (table.folder / "wrong.toml").write_text('family = "discord"\nzone = "Mars/Base"\n')
    (table.folder / "notes.txt").write_text("no campaign")
    make_bomb(table.folder / "bomb.zip")

    said = table.say("import", *words)

    assert said.code == 1
    assert said.err.startswith(sentence)
    shown = ("It begins with “", "Its first file is ", "There are no words in it.", "It may be ")
    assert said.err.count("\n") == 1 + sum(line.startswith(shown) for line in said.err.splitlines())
    assert campaigns(table) == []


def make_bomb(path: Path) -> None:
    """An archive whose table says that its files are large."""
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(3):
            archive.writestr(f"{number}.json", b"{}")
    data = bytearray(path.read_bytes())
    place = data.find(b"PK\x01\x02")
    while place >= 0:
        data[place + 24 : place + 28] = struct.pack("<I", 1_000_000_000)
        place = data.find(b"PK\x01\x02", place + 1)
    path.write_bytes(bytes(data))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "Say what comes in: retold import FILE."),
        (("discord.json", "--check"), "--check is about a campaign: say --into NAME too."),
        (("discord.json", "--title", "Salt"), "--title is for a campaign that is made"),
        (("discord.json", "--wrong"), "No such option"),
    ],
)
def test_a_wrong_command_line_says_what_is_missing(
    table: Shell, words: tuple[str, ...], sentence: str
) -> None:
    assert table.misused("import", *words).startswith(sentence)


def test_a_hostile_label_is_text(table: Shell) -> None:
    log = json.loads((EXAMPLES / "discord.json").read_text("utf-8"))
    for message in log["messages"]:
        message["author"]["nickname"] = message["author"]["name"] = "\x1b[31m\u202eevil\n[people.Mallory]\x07"
    (table.folder / "evil.json").write_text(json.dumps(log))

    looked = table.say("import", "evil.json")
    came = typed(table, "nobody\n\n\n\n\n\n\n", "import", "evil.json", "--into", "evil")

    for said in (looked, came):
        assert not set("\x1b\u202e\x07") & set(said.out + said.err)
    assert "Mallory" not in kept(table, "evil.import.toml").people
    assert came.code == 0


def test_a_campaign_that_got_nothing_is_taken_away_again(table: Shell) -> None:
    def refused(*_: object, **__: object) -> Intake:
        raise Refused("The second count differs.")

    (table.folder / "discord.import.toml").write_text(ANSWERED)
    table.monkeypatch.setattr(import_recording, "take_in", refused)

    assert table.refused("import", "discord.json", "--into", "salt-road") == "The second count differs."
    assert campaigns(table) == []


def test_an_interruption_says_how_far_it_came_and_the_same_command_does_the_rest(table: Shell) -> None:
    (table.folder / "discord.import.toml").write_text(ANSWERED)
    table.monkeypatch.setattr("retold.importing.recording.MOST_ACTS", 5)
    tell = import_recording._Progress.report

    def interrupted(self: import_recording._Progress, done: int, total: int) -> None:
        if done > 10:
            signal.raise_signal(signal.SIGINT)
        tell(self, done, total)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(import_recording._Progress, "report", interrupted)
        stopped = table.say("import", "discord.json", "--into", "salt-road")
    rest = table.done("import", "discord.json", "--into", "salt-road")

    assert stopped.code == 130
    assert stopped.err.startswith("Interrupted after ")
    assert stopped.err.endswith(
        "The same command does the rest: retold import discord.json --into salt-road\n"
    )
    table.done("import", "discord.json", "--into", "whole")
    assert "New: 0." in table.done("import", "discord.json", "--into", "salt-road")
    assert "New: 24." not in rest
    _, *came = table.done("-c", "salt-road", "log", "-n", "0").splitlines()
    _, *whole = table.done("-c", "whole", "log", "-n", "0").splitlines()
    assert came == whole


# --- the paper --------------------------------------------------------------------------------------------

PROMPT = re.compile(
    r"^(?P<asked>(?:   |The new campaign's title\? )\[[^\n]+?\])(?: (?P<typed>[^\n]+))?$", re.MULTILINE
)


def evening_of(paper: str) -> str:
    """The evening that a paper shows as it is typed."""
    text = (ROOT / paper).read_text("utf-8")
    shown: list[str] = re.findall(r"```text\n(.*?)```", text, re.DOTALL)
    return next(one for one in shown if "retold import" in one)


def test_the_evening_of_the_paper_is_what_happens(table: Shell) -> None:
    shown = evening_of("docs/imports.md")
    first, _, rest = shown.partition("\n")
    typed_lines = "".join(f"{found['typed'] or ''}\n" for found in PROMPT.finditer(rest))

    screen = Terminal()
    table.monkeypatch.setattr(sys, "stdin", Terminal(typed_lines))
    table.monkeypatch.setattr(sys, "stderr", screen)
    table.monkeypatch.setattr(sys, "stdout", screen)
    table.monkeypatch.setenv("COLUMNS", "200")

    assert main(tuple(shlex.split(first.removeprefix("$ retold ")))) == 0
    echoed = iter(PROMPT.finditer(rest))
    said = re.sub(
        r"(\[(?:a label, or nobody|player|npc|The Table)\]) ",
        lambda found: f"{found[1]}{' ' + answer if (answer := next(echoed)['typed']) else ''}\n",
        screen.getvalue(),
    )
    assert said == rest


def test_the_readme_shows_lines_of_that_evening() -> None:
    whole = iter(evening_of("docs/imports.md").splitlines())

    assert all(line in whole for line in evening_of("README.md").splitlines() if line != "…")


def test_every_field_of_the_report_is_documented(table: Shell) -> None:
    (table.folder / "discord.import.toml").write_text(ANSWERED)
    told = json.loads(table.done("import", "discord.json", "--into", "salt-road", "--json"))
    (row,) = re.findall(r"^\| `import` .*$", (ROOT / "docs/json.md").read_text("utf-8"), re.MULTILINE)

    assert [name for name in told if f"`{name}`" not in row] == ["retold", "version"]


def test_the_answers_of_the_paper_are_answers() -> None:
    text = (ROOT / "docs/imports.md").read_text("utf-8")
    answers, *parts = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    found = read_answers(answers, "paper.toml")
    assert all(read_answers(part, "paper.toml") != Answers() for part in parts)

    assert set(Answers.__dataclass_fields__) == set(tomllib.loads(answers))
    assert found.people["Zel"].plays == "Jon"


FORMATS = [
    command
    for line in (ROOT / "docs/imports.md").read_text("utf-8").partition("\n## Formats\n")[2].splitlines()
    for command in re.findall(r"`retold (import [^`]+)`", line)
]


@pytest.mark.parametrize("command", FORMATS)
def test_the_commands_of_the_formats_take_the_examples_in(table: Shell, command: str) -> None:
    said = table.say("--yes", *shlex.split(command), "--into", "ours", "--game-master", "nobody")

    assert said.code == 0, said.err
    assert campaigns(table) == ["ours.retold"]


def test_every_family_of_readers_has_its_commands_in_the_paper(table: Shell) -> None:
    shown = {json.loads(table.say(*shlex.split(command), "--json").out)["family"] for command in FORMATS}

    assert shown == {reader.family for reader in readers()} - {"table"}
