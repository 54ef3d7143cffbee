"""Discord's four formats: golden units, the traps of each, and the same units from JSON and HTML."""

from __future__ import annotations

import importlib.util
import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from retold.journal.refused import Refused
from retold.sources import Hints, Order, Unit, read
from retold.sources.dice import Rung
from retold.sources.unit import Place, Reason, Sort
from tests.retold.sources import made_up
from tests.retold.sources.made_up import DISCORD, EVENING, EXAMPLES, JON, MARY, Sent

HTML = pytest.mark.skipif(importlib.util.find_spec("selectolax") is None, reason="needs retold[import]")
EVERY = [pytest.param(name, marks=HTML) if name.endswith("html") else name for name in DISCORD]


def units(path: Path, evening: Sequence[Sent], made: Callable[[Sequence[Sent]], str]) -> list[Unit]:
    path.write_text(made(evening), "utf-8", newline="")
    return list(read(path, hints=Hints(dates=Order.MONTH_FIRST)))


@pytest.mark.parametrize("name", EVERY)
def test_each_message_is_one_unit(name: str) -> None:
    report = read(EXAMPLES / name).report()

    assert report.units == report.counted == len(EVENING)


@pytest.mark.parametrize("name", EVERY)
def test_a_longer_export_begins_with_the_units_of_the_shorter(tmp_path: Path, name: str) -> None:
    evening = made_up.many(seed=5, number=60)
    keys = [unit.key for unit in units(tmp_path / name, evening, DISCORD[name])]

    for length in (1, 17, 40):
        assert [unit.key for unit in units(tmp_path / name, evening[:length], DISCORD[name])] == keys[:length]


def without_accounts_and_places(unit: Unit) -> Unit:
    return replace(unit, place=Place(1, 1), account="")


@HTML
def test_I19_json_and_html_of_one_channel_are_the_same_units(tmp_path: Path) -> None:
    """Words of a kind that no reader knows are words in both: the HTML does not have the kind."""
    evening = [*EVENING[:-4], *EVENING[-3:]]
    evening += [replace(sent, after=sent.after + 90_000) for sent in made_up.many(seed=1, number=400)]
    one = units(tmp_path / "chat.json", evening, made_up.as_json)
    other = units(tmp_path / "chat.html", evening, made_up.as_html)

    assert [*map(without_accounts_and_places, one)] == [*map(without_accounts_and_places, other)]


def test_nearly_all_throws_of_the_known_bots_keep_their_faces(tmp_path: Path) -> None:
    found = units(tmp_path / "chat.json", made_up.many(seed=2, number=600), made_up.as_json)
    rungs = Counter(throw.rung for unit in found for throw in unit.throws)

    assert rungs[Rung.FACES] == rungs.total() > 300
    assert {unit.speaker for unit in found if unit.throws} == {"Zel", "Jon", 'Odd <b>"&" Sons</b>'}


def test_two_characters_of_one_proxy_are_two_speakers_with_one_account(tmp_path: Path) -> None:
    found = units(tmp_path / "chat.json", EVENING[1:3], made_up.as_json)

    assert [unit.speaker for unit in found] == ["Zel", "Pell"]
    assert len({unit.account for unit in found}) == 1
    assert {unit.sort for unit in found} == {Sort.SAID}


def test_I7_a_command_without_an_answer_in_time_is_no_speech(tmp_path: Path) -> None:
    roll = replace(EVENING[9], after=200)
    found = units(tmp_path / "chat.json", [EVENING[8], roll], made_up.as_json)

    assert [unit.left_out for unit in found] == [Reason.COMMAND, None]
    assert found[1].speaker == "Jon"


def test_a_bot_answers_who_used_the_slash_command(tmp_path: Path) -> None:
    (found,) = units(tmp_path / "chat.json", EVENING[10:11], made_up.as_json)

    assert (found.speaker, found.through, found.sort) == ('Odd <b>"&" Sons</b>', "Avrae", Sort.ROLL)


@pytest.mark.parametrize("kept", [1, 3])
def test_an_export_that_is_cut_off_is_read_to_its_last_whole_message(tmp_path: Path, kept: int) -> None:
    whole = made_up.as_json(EVENING[:5])
    end = whole.index(f'"content": {json.dumps(EVENING[kept].words)}') + 15
    path = tmp_path / "chat.json"
    path.write_text(whole[:end], "utf-8")
    source = read(path)
    found = list(source)

    assert [unit.left_out for unit in found] == [None] * kept + [Reason.CUT]  # I7
    assert not any(unit.unread for unit in found)
    assert "is cut off" in source.report().tally.warnings[0]


def test_no_account_is_in_the_words_of_an_unread_unit(tmp_path: Path) -> None:
    path = tmp_path / "chat.json"
    path.write_text(made_up.as_json([EVENING[0]])[:-80], "utf-8")
    (found,) = read(path)

    assert found.left_out is Reason.CUT
    assert str(MARY.number) not in found.raw


def test_a_mentioned_account_is_told_by_its_name_where_that_is_known(tmp_path: Path) -> None:
    said = f"<@{MARY.number}> and <@!{MARY.number}>, who is <@123456789012345678>?"
    found = units(tmp_path / "chat.json", [EVENING[0], Sent(1, JON, said)], made_up.as_json)

    assert found[1].text == f"@{found[0].speaker} and @{found[0].speaker}, who is @somebody?"


def test_commands_keep_their_names_and_codes_of_pictures_are_no_words(tmp_path: Path) -> None:
    said = "<:blade:123456789012345678> <a:wave:123456789012345678> </roll dice:123456789012345678> <b:1>"
    found = units(tmp_path / "chat.json", [Sent(0, JON, said)], made_up.as_json)

    assert found[0].text == "/roll dice <b:1>"


def test_the_same_message_twice_is_left_out_once(tmp_path: Path) -> None:
    found = units(tmp_path / "chat.json", [EVENING[0], EVENING[0]], made_up.as_json)

    assert [unit.left_out for unit in found] == [None, Reason.REPEAT]


def test_a_message_that_is_too_long_keeps_its_end_unread(tmp_path: Path) -> None:
    path = tmp_path / "chat.json"
    path.write_text(made_up.as_json([Sent(0, JON, "a" * 1_000_000 + "the end")]), "utf-8")
    source = read(path)
    (found,) = source

    assert (len(found.text), found.raw) == (1_000_000, "the end")
    assert source.report().shortened == 1


def test_another_schema_is_refused_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "chat.json"
    path.write_text(made_up.as_json(EVENING).replace("{", '{"schemaVersion": 2,', 1), "utf-8")

    with pytest.raises(Refused, match="schemaVersion 2"):
        list(read(path))


def test_messages_before_the_name_of_their_channel_are_in_it(tmp_path: Path) -> None:
    export = json.loads(made_up.as_json(EVENING[:2]))
    path = tmp_path / "chat.json"
    path.write_text(json.dumps({"messages": export.pop("messages"), **export}), "utf-8")

    assert [unit.channel for unit in read(path)] == ["the-table", "the-table"]


def test_unread_fields_are_counted_by_name(tmp_path: Path) -> None:
    path = tmp_path / "chat.json"
    path.write_text(made_up.as_json(EVENING[:3]).replace('"isPinned"', '"mood": "good", "isPinned"'), "utf-8")

    assert read(path).report().tally.fields == {"message.mood": 3}


def test_halves_of_characters_are_replaced_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "chat.json"
    path.write_text(made_up.as_json(EVENING[:1]).replace("The ferry", "\\ud800\\u0000 ferry"), "utf-8")
    source = read(path)
    (found,) = source

    assert found.text.startswith("\ufffd\ufffd ferry")
    assert source.report().tally.replaced == 2


def test_text_by_day_first_and_by_month_first_is_told_by_the_whole_file(tmp_path: Path) -> None:
    evening = [EVENING[0], replace(EVENING[1], after=14 * 86_400)]  # the fifteenth can be no month
    path = tmp_path / "chat.txt"
    path.write_text(made_up.as_text(evening), "utf-8")
    months = [unit.when.time.month for unit in read(path) if unit.when]
    path.write_text(made_up.as_text(evening, lambda time: time.strftime("%d.%m.%Y %H:%M")), "utf-8")

    assert months == [unit.when.time.month for unit in read(path) if unit.when] == [3, 3]


def test_dates_that_may_be_read_in_two_ways_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "chat.txt"
    path.write_text(made_up.as_text(EVENING[:3]), "utf-8")
    source = read(path)

    assert all(unit.when is None for unit in source)
    assert source.report().tally.dates_unclear


def test_a_head_inside_a_message_forges_none(tmp_path: Path) -> None:
    words = "He wrote:\n\n\n[3/1/2026 6:00\u202fPM] Mary\nI never said this."
    found = units(tmp_path / "chat.txt", [EVENING[0], Sent(90, JON, words)], made_up.as_text)

    assert [unit.speaker for unit in found] == [MARY.name, JON.name]
    assert found[1].text == words


def test_a_head_that_cannot_be_told_from_a_message_is_refused(tmp_path: Path) -> None:
    words = "He wrote:\n\n\n[3/1/2026 8:00\u202fPM] Mary\nI never said this."

    with pytest.raises(Refused, match=r"found 3 units in chat\.txt and a second count 2"):
        units(tmp_path / "chat.txt", [EVENING[0], Sent(90, JON, words)], made_up.as_text)


@pytest.mark.parametrize("blanks", ["\n\n", "\n"])
def test_text_whose_blank_lines_were_deleted_by_hand_is_read(tmp_path: Path, blanks: str) -> None:
    text = made_up.as_text(EVENING[:5])
    _, body, *_ = re.split(r"={62}\n(?=\n|Exported)", text)
    path = tmp_path / "chat.txt"
    path.write_text(text.replace(body, re.sub(r"\n{2,}(?=\[|\Z)", blanks, body)), "utf-8")

    edited = list(read(path, hints=Hints(dates=Order.MONTH_FIRST)))

    assert edited[0].place.first < edited[1].place.first
    assert [(one.speaker, one.text) for one in edited] == [
        (one.speaker, one.text) for one in units(tmp_path / "whole.txt", EVENING[:5], made_up.as_text)
    ]


def test_text_from_which_a_message_was_deleted_by_hand_is_read(tmp_path: Path) -> None:
    path = tmp_path / "chat.txt"
    text = re.sub(r"\n\n\n(?=\[)", "\n\n", made_up.as_text(EVENING[:3]))
    path.write_text(text.replace("Exported 3 message", "Exported 4 message"), "utf-8")

    assert read(path, hints=Hints(dates=Order.MONTH_FIRST)).report().units == 3


def test_old_csv_has_local_times_to_the_minute(tmp_path: Path) -> None:
    path = tmp_path / "chat.csv"
    path.write_text(
        "AuthorID,Author,Date,Content,Attachments,Reactions\n"
        '"1","odd#0001","04-Jul-19 08:35 PM","Hi, ""you""","","",\n',
        "utf-8",
    )
    (found,) = read(path)

    assert found.text == 'Hi, "you"'
    assert found.when is not None
    assert (found.when.time.isoformat(), found.when.precision) == ("2019-07-04T20:35:00", "minute")


def test_I17_csv_with_a_column_more_is_read_and_the_column_counted(tmp_path: Path) -> None:
    path = tmp_path / "chat.csv"
    header, _, rest = made_up.as_csv(EVENING[:1]).partition("\n")
    path.write_text(f"{header.rstrip()},Topic\n{rest.rstrip()},salt\n", "utf-8")
    source = read(path)

    assert [(unit.speaker, unit.is_read) for unit in source] == [("mary_quill", True)]
    assert source.report().tally.fields["Topic"] == 1


def test_I7_csv_that_is_cut_off_leaves_its_last_row_out(tmp_path: Path) -> None:
    path = tmp_path / "chat.csv"
    whole = made_up.as_csv(EVENING[:3])
    path.write_text(whole[: whole.index("Or something")], "utf-8", newline="")
    found = list(read(path))

    assert [unit.left_out for unit in found] == [None, None, Reason.CUT]


# --- Answers of bots ---


def chat(tmp_path: Path, *rows: tuple[str, str] | tuple[str, str, str]) -> list[Unit]:
    """Units of a JSON export of these messages: who, words, and the title of a card with the words in it."""
    messages = [
        {
            "id": str(1477752830549819392 + place * 10_000_000_000),
            "type": "Default",
            "timestamp": f"2026-03-01T19:42:{place:02}+00:00",
            "content": "" if title else row[1],
            "author": {
                "id": {"Zel": "11", "Pell": "12"}.get(row[0], "99"),
                "name": row[0],
                "nickname": row[0],
                "isBot": row[0] not in ("Zel", "Pell"),
                "discriminator": "0000",
            },
            "embeds": [{"title": title[0], "description": row[1]}] if title else [],
        }
        for place, row in enumerate(rows)
        for title in [row[2:]]
    ]
    path = tmp_path / "chat.json"
    path.write_text(
        json.dumps({"guild": {}, "channel": {"name": "x"}, "dateRange": {}, "messages": messages}), "utf-8"
    )
    return list(read(path))


def test_B10_an_answer_of_2018_is_read_by_the_command_above_it(tmp_path: Path) -> None:
    """Also where the exporter gives the bot the discriminator of a webhook."""
    found = chat(
        tmp_path,
        ("Zel", "!roll 3d6 e6"),
        ("Pell", "!roll 2d6 - 1 ! climbing"),
        ("Dice Maiden", "@Zel Roll: `[6, 4, 2], [3]` Result: `15`"),
        ("Dice Maiden", "@Pell Roll: `[4, 3]` Result: `6`"),
        ("Pell", "I knock."),
    )
    rolls = [(unit.speaker, unit.text, throw) for unit in found for throw in unit.throws]

    assert [unit.left_out for unit in found] == [Reason.ANSWERED, Reason.ANSWERED, None, None, None]
    assert [(who, text, one.dice, one.faces, one.total, one.text) for who, text, one in rolls] == [
        ("Zel", "", "3d6!o", (6, 4, 2, 3), 15, ""),
        ("Pell", "", "2d6-1", (4, 3), 6, "climbing"),
    ]


@pytest.mark.parametrize(("named", "speaker"), [("Zel", "Zel"), ("Luck", "")])
def test_an_answer_may_name_in_bold_who_asked(tmp_path: Path, named: str, speaker: str) -> None:
    *_, rolled = chat(
        tmp_path,
        ("Zel", "I knock."),
        ("Dice Maiden", f"**{named}** Request: `[2d6]` Roll: `[6, 5]` Result: `11`"),
    )

    assert (rolled.speaker, rolled.throws[0].faces) == (speaker, (6, 5))


@pytest.mark.parametrize(
    ("command", "answer", "dice", "faces"),
    [
        ("!r 2d6+3 fire", "@Zel rolled [4, 2] = 9", "2d6+3", (4, 2)),
        ("/roll d20", "@Zel rolled **17**", "1d20", (17,)),
        ("$roll 4d6kh3", "Rolls: 6, 4, 6, 1\nTotal: 16", "4d6kh3", (6, 4, 6, 1)),
        ("!r 2d6", "` 9 ` ⟵ [6, 3]2d6", "2d6", (6, 3)),
    ],
)
def test_B10_other_bots_answers_are_read_by_the_command_too(
    tmp_path: Path, command: str, answer: str, dice: str, faces: tuple[int, ...]
) -> None:
    asked, rolled = chat(tmp_path, ("Zel", command), ("Rollem", answer))

    assert asked.left_out is Reason.ANSWERED
    assert (rolled.speaker, [(one.dice, one.faces) for one in rolled.throws]) == ("Zel", [(dice, faces)])


@pytest.mark.parametrize(
    ("title", "speaker"),
    [
        ("Zel makes a Stealth check!", "Zel"),
        ("Zel attacks with a Sling!", "Zel"),
        ("Zel casts Fireball!", "Zel"),
        ("Zel's Stealth check", "Zel"),
        ("Zel\u2019s attack", "Zel"),
        ("Zel tries something", "Zel"),
        ("Old Hob makes a Dexterity Save!", "Old Hob"),
        ("Old Hob's initiative roll", "Old Hob"),
        ("An unknown creature makes a check!", ""),
        ("Stealth", ""),
        ("Zelda sleeps", ""),
    ],
)
def test_B22_a_throw_belongs_to_the_person_in_the_cards_title(
    tmp_path: Path, title: str, speaker: str
) -> None:
    *_, found = chat(tmp_path, ("Zel", "Somebody is aboard."), ("Avrae", "1d20 (17) + 5 = `22`", title))

    assert (found.sort, found.speaker, found.throws[0].dice) == (Sort.ROLL, speaker, "1d20+5")


# --- Commands that nobody answers ---


@pytest.mark.parametrize(
    "words",
    [
        *("!attack sword", "!attack claw -h", "!check stealth", "!r 60d6", "!i next", "!2d6+1", "/roll"),
        *(
            "/r 1d20+5",
            ".st hp-2",
            ".ra侦查 50",
            ".r1d6",
            "$roll 2d6",
            "pk;switch Zel",
            "!cast bless\n-t Pell",
            *("!Roll 2d6", ".RA 50", ";check stealth", "!roll(2d6)", "!R 1D20"),
        ),
    ],
)
def test_I7_commands_are_no_speech(tmp_path: Path, words: str) -> None:
    (found,) = chat(tmp_path, ("Zel", words))

    assert found.left_out is Reason.COMMAND


@pytest.mark.parametrize(
    "words",
    [
        *(
            "... what?",
            ".. hm",
            "!",
            "! Stop",
            "!Stop",
            "?what",
            "$5 says she runs",
            "/me waves",
            ".45 magnum",
        ),
        *("!c'mon", "!attacked", "- Not today.", "Roll 2d6, please", "; she waits", "!a.b"),
        *("-Attack! he shouts, and they run.", "-Help!", "-help me up", "?Check the door", "?check-in"),
        *("+roll on", "~attack~", "!Cast off!", "!a monster", "!help!", "/Attack the gate", "$help!"),
    ],
)
def test_speech_that_begins_with_a_sign_is_speech(tmp_path: Path, words: str) -> None:
    (found,) = chat(tmp_path, ("Zel", words))

    assert found.left_out is None


@pytest.mark.parametrize("command", ["!roll d20", "+roll d20", "-roll d20", "~roll d20", "$Roll d20"])
def test_a_command_behind_any_sign_that_a_bot_answers_is_no_speech(tmp_path: Path, command: str) -> None:
    asked, _ = chat(tmp_path, ("Zel", command), ("Rollem", "@Zel, 17 ⟵ [17] d20"))

    assert asked.left_out is Reason.ANSWERED


def test_I7_words_below_a_command_are_kept(tmp_path: Path) -> None:
    spoken = "-Hide! he says.\nI hide behind the mast."
    (found,) = chat(tmp_path, ("Zel", f"!check stealth\n-t Pell\n{spoken}"))

    assert (found.sort, found.text, found.passed) == (Sort.SAID, spoken, (Reason.COMMAND,))
