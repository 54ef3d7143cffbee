"""Roll20's page and its JSON: who speaks in a run, what is hidden, and every face that lay."""

from __future__ import annotations

import base64
import importlib.util
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.journal.refused import Refused
from retold.sources import Unit, read
from retold.sources.dice import Rung, Throw, roll20
from retold.sources.unit import Precision, Reason, Sort
from tests.retold.sources import made_up_roll20
from tests.retold.sources.made_up import EXAMPLES
from tests.retold.sources.made_up_roll20 import push_id
from tests.retold.sources.test_dice import is_taken

pytestmark = pytest.mark.skipif(importlib.util.find_spec("selectolax") is None, reason="reads HTML")


def shown(*rows: str) -> str:
    return f'<html><body><div id="textchat"><div class="content">{"".join(rows)}</div></div></body></html>'


def row(
    words: str, by: str = "", *, at: float = 0, kind: str = "general", stamp: str = "", key: str = ""
) -> str:
    """Message as a page shows it."""
    named = f'<span class="by">{by}:</span>' if by else ""
    time = f'<span class="tstamp">{stamp}</span>' if stamp else ""
    identifier = key or push_id(at, round(at * 10))
    return f'<div class="message {kind}" data-messageid="{identifier}">{time}{named}{words}</div>'


def told(tmp_path: Path, *rows: str) -> list[Unit]:
    (tmp_path / "chat.html").write_text(shown(*rows), "utf-8")
    return list(read(tmp_path / "chat.html"))


def archived(tmp_path: Path, *messages: dict[str, Any]) -> list[Unit]:
    """Units of messages in JSON."""
    page = {
        push_id(number, number): {"who": "Zel", "playerid": "-Jon", "type": "general", **one}
        for number, one in enumerate(messages)
    }
    (tmp_path / "chat.json").write_text(json.dumps([page]), "utf-8")
    return list(read(tmp_path / "chat.json"))


def titled(expression: str, sums: str, total: str) -> Throw:
    found = roll20.of_title(f"Rolling {expression} = {sums}", total)
    assert found is not None
    return found


def faces(*numbers: int | str) -> str:
    return "(" + "+".join(f'<span class="basicdiceroll">{number}</span>' for number in numbers) + ")"


# --- Who speaks ---


def test_a_run_goes_on_under_the_name_above_it(tmp_path: Path) -> None:
    found = told(
        tmp_path, row("Somebody is aboard.", "Zel"), row("Its lamp is lit.", at=5), row("Look.", at=9)
    )

    assert [unit.speaker for unit in found] == ["Zel", "Zel", "Zel"]


@pytest.mark.parametrize(
    "between",
    [
        row("The tide turns.", kind="desc", at=2),
        row("Zel looks up", kind="emote", at=2),
        row("Then what?", "(From Pell)", kind="private whisper", at=2),
        row("Pell disconnected", kind="system", at=2),
    ],
)
def test_a_name_is_not_carried_past_another_kind_of_message(tmp_path: Path, between: str) -> None:
    found = told(tmp_path, row("Somebody is aboard.", "Zel"), between, row("Its lamp is lit.", at=5))

    assert found[-1].speaker == "?"


def test_a_name_is_not_carried_past_the_end_of_an_evening(tmp_path: Path) -> None:
    found = told(tmp_path, row("Good night.", "Zel"), row("Who said this?", at=86_400))

    assert [unit.speaker for unit in found] == ["Zel", "?"]


def test_a_name_is_not_carried_from_the_savers_words_to_anothers(tmp_path: Path) -> None:
    found = told(tmp_path, row("Mine.", "Mary (GM)", kind="general you"), row("Not mine.", at=5))

    assert [unit.speaker for unit in found] == ["Mary", "?"]


def test_own_words_without_a_name_are_the_savers_who_has_one_name_only(tmp_path: Path) -> None:
    mine = row("Mine.", "Mary (GM)", kind="general you")
    found = told(
        tmp_path, mine, row("Yours.", "Zel", at=3), row("Mine again.", kind="general you", at=86_400)
    )

    assert [unit.speaker for unit in found] == ["Mary", "Zel", "Mary"]


def test_I16_a_roll_without_a_name_is_the_game_masters_whose_number_it_has(tmp_path: Path) -> None:
    roll = {"type": "rollresult", "content": '{"rolls":[],"total":3}', "origRoll": "3", "who": ""}
    *_, one, other = archived(
        tmp_path,
        {"type": "general", "content": "Rain.", "who": "Mary (GM)", "playerid": "-Mary"},
        {"type": "general", "content": "Hm.", "who": "Zel", "playerid": "-Jon"},
        {**roll, "playerid": "-Mary"},
        {**roll, "playerid": "-Jon"},
    )

    assert (one.speaker, other.speaker) == ("Mary", "?")


def test_a_missing_name_is_told(tmp_path: Path) -> None:
    (tmp_path / "chat.html").write_text(shown(row("Who said this?")), "utf-8")

    assert read(tmp_path / "chat.html").report().tally.warnings == [
        "Messages without a name in front or above, told as words of ?: 1."
    ]


def test_an_emote_is_its_actors_by_a_name_known_or_repeated(tmp_path: Path) -> None:
    found = told(
        tmp_path,
        row("Zel looks up", kind="emote"),
        row("Zel's lamp goes out", kind="emote", at=1),
        row("Guard of the Tower coughs", kind="emote", at=2),
        row("Guard of the Tower nods", kind="emote", at=3),
        row("Somebody laughs", kind="emote", at=4),
        row("Quinn O'Hara stays at the oars", kind="emote", at=4.1),
        row("Zel and Pell laugh", kind="emote", at=4.15),
        row("The soldier nods", kind="emote", at=4.2),
        row("The smith nods", kind="emote", at=4.3),
        row("Here.", "Zel", at=5),
    )

    assert [(unit.speaker, unit.text) for unit in found] == [
        ("Zel", "looks up"),
        ("Zel", "Zel's lamp goes out"),
        ("Guard of the Tower", "coughs"),
        ("Guard of the Tower", "nods"),
        ("", "Somebody laughs"),
        ("Quinn O'Hara", "stays at the oars"),
        ("Zel", "Zel and Pell laugh"),
        ("", "The soldier nods"),
        ("", "The smith nods"),
        ("Zel", "Here."),
    ]
    assert {unit.sort for unit in found[:-1]} == {Sort.TOLD}


def test_the_page_marks_the_game_master() -> None:
    for name in ("roll20.html", "roll20.json"):
        report = read(EXAMPLES / name).report()

        assert report.tally.game_masters == {"Mary"}
        assert "Game master, as the source says: Mary." in list(report.lines())


# --- When ---


def test_an_id_holds_the_instant_and_an_hour_without_a_date_needs_no_other(tmp_path: Path) -> None:
    found = told(tmp_path, row("Late.", "Zel", stamp="7:42PM"), row("Later.", at=61))

    assert [unit.when.time.isoformat() for unit in found if unit.when] == [
        "2026-03-01T19:42:10.123000+00:00",
        "2026-03-01T19:43:11.123000+00:00",
    ]


def test_where_ids_hold_no_time_the_date_is_carried_past_midnight(tmp_path: Path) -> None:
    found = told(
        tmp_path,
        row("No date yet.", "Zel", stamp="8:22PM", key="a"),
        row("Dated.", "Pell", stamp="March 01, 2026 11:50PM", key="b"),
        row("Run on.", key="c"),
        row("Past midnight.", "Zel", stamp="12:10AM", key="d"),
    )

    assert [unit.when and unit.when.time.isoformat() for unit in found] == [
        None,
        "2026-03-01T23:50:00",
        "2026-03-01T23:50:00",
        "2026-03-02T00:10:00",
    ]
    assert found[1].when is not None
    assert (found[1].when.precision, found[1].when.is_instant) == (Precision.MINUTE, False)


@pytest.mark.parametrize("day", ["December 03, 2026", "Dec. 03, 2026", "Dezember 03, 2026", "Dic 03, 2026"])
def test_a_month_has_its_name_in_any_language(tmp_path: Path, day: str) -> None:
    (found,) = told(tmp_path, row("Dated.", "Pell", stamp=f"{day} 11:50PM", key="b"))

    assert found.when is not None
    assert found.when.time.isoformat() == "2026-12-03T23:50:00"


def test_a_word_that_is_no_month_makes_no_date(tmp_path: Path) -> None:
    (found,) = told(tmp_path, row("Dated.", "Pell", stamp="Decembrist 03, 2026 11:50PM", key="b"))

    assert found.when is None


def test_a_date_that_an_id_contradicts_is_taken_from_the_page(tmp_path: Path) -> None:
    (found,) = told(tmp_path, row("Moved.", "Zel", stamp="March 01, 2024 7:42PM"))

    assert found.when is not None
    assert found.when.time.isoformat() == "2024-03-01T19:42:00"


# --- What is hidden ---


def test_whispers_and_secret_rolls_are_hidden_and_name_their_recipients() -> None:
    for name in ("roll20.html", "roll20.json"):
        hidden = [(unit.speaker, unit.to, unit.sort) for unit in read(EXAMPLES / name) if unit.hidden]

        assert hidden == [
            ("Mary", ("Mary",), Sort.ROLL),
            ("Mary", ("Zel",), Sort.SAID),
            ("Zel", ("Mary",), Sort.SAID),
        ]


def test_a_whisper_goes_on_without_a_name_and_stays_hidden(tmp_path: Path) -> None:
    found = told(
        tmp_path,
        row("It is no lamp.", "(From Mary (GM) to Zel, Pell)", kind="private whisper"),
        row("Look away.", kind="private whisper", at=4),
        row("Seen by all?", at=9),
    )

    assert [(unit.speaker, unit.to, unit.hidden) for unit in found] == [
        ("Mary", ("Zel", "Pell"), True),
        ("Mary", ("Zel", "Pell"), True),
        ("?", (), False),
    ]


def test_a_whisper_of_the_savers_is_the_game_masters_whatever_name_they_spoke_under(tmp_path: Path) -> None:
    found = told(
        tmp_path,
        row("Good evening.", "Mary (GM)", kind="general you"),
        row("Ahoy.", "Old Ferryman", kind="general you", at=1),
        row("Ahoy, I said.", kind="general you", at=2),
        row("It is no lamp.", "(To Zel)", kind="private whisper you", at=3),
    )

    assert [(unit.speaker, unit.to) for unit in found][-1] == ("Mary", ("Zel",))


@pytest.mark.parametrize(
    "more",
    [
        {"type": "whisper", "target": "gm"},
        {"type": "gmrollresult", "content": '{"rolls":[],"total":3}', "origRoll": "3"},
        {"type": "secretrollresult", "content": '{"rolls":[],"total":3}', "origRoll": "3"},
        {"type": "hidden", "original_type": "whisper", "target": "gm"},
        {"type": "general", "secret": True},
    ],
)
def test_every_kind_of_secret_in_json_is_hidden(tmp_path: Path, more: dict[str, Any]) -> None:
    (found,) = archived(tmp_path, {"content": "It is no lamp.", **more})

    assert (found.hidden, found.to) == (True, ("GM",))


# --- What is one message ---


def test_what_looks_like_a_message_in_an_attribute_a_script_or_the_words_is_none() -> None:
    for name in ("roll20.html", "roll20.json"):
        units = list(read(EXAMPLES / name))

        assert not [unit for unit in units if "Forged" in unit.key or unit.key == "-Old"]
        assert sum("Nobody said this." in unit.text for unit in units) == 1


def test_a_repeated_id_is_a_repeat_unless_the_words_differ() -> None:
    found = [unit for unit in read(EXAMPLES / "roll20.html") if unit.key.startswith(push_id(7_600, 90))]

    assert [(unit.text, unit.left_out) for unit in found] == [
        ("Once more.", None),
        ("Once more.", Reason.REPEAT),
        ("Twice.", None),
    ]
    assert len({unit.key for unit in found}) == 2


def test_the_page_and_the_archive_tell_the_same() -> None:
    def known(name: str) -> dict[str, tuple[object, ...]]:
        return {
            unit.key: (
                unit.sort,
                unit.speaker if unit.sort is not Sort.TOLD else "",
                unit.hidden,
                unit.to,
                unit.when,
                [(one.rung, one.dice, one.faces, one.total, one.text) for one in unit.throws],
                "" if unit.throws else unit.text,
            )
            for unit in read(EXAMPLES / name)
            if unit.is_read
        }

    page, archive = known("roll20.html"), known("roll20.json")
    assert {key: page[key] for key in archive} == archive
    assert known("roll20-alone.html") == archive


def test_letters_that_the_exporter_garbled_are_put_right() -> None:
    text = (EXAMPLES / "roll20.json").read_text("utf-8")

    assert "fÃ¤hre" in text
    assert [unit.text for unit in read(EXAMPLES / "roll20.json")][-1] == "Good night, fähre."


def test_a_page_with_messages_and_json_is_read_once(tmp_path: Path) -> None:
    key = push_id(0, 0)
    data = base64.b64encode(
        json.dumps([{key: {"who": "Zel", "type": "general", "content": "Look."}}]).encode()
    ).decode()
    page = shown(row("Look.", "Zel", key=key), row("Only here.", "Pell", at=5))
    (tmp_path / "chat.html").write_text(
        page.replace("<body>", f'<body><script>var msgdata = "{data}";</script>'), "utf-8"
    )
    found = list(read(tmp_path / "chat.html"))

    assert [(unit.text, unit.left_out) for unit in found] == [
        ("Look.", None),
        ("", Reason.REPEAT),
        ("Only here.", None),
    ]


def test_the_exporters_zip_has_the_chat_beside_the_campaign(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "salt.zip", "w") as archive:
        archive.writestr("campaign.json", json.dumps({"chat_archive": made_up_roll20.pages()}))
        archive.writestr("chat_archive.json", made_up_roll20.as_archive())
    source = read(tmp_path / "salt.zip")

    assert source.ignored == ("campaign.json",)
    assert list(source) == list(read(EXAMPLES / "roll20.json"))


def test_an_archive_that_is_cut_off_is_read_up_to_its_last_whole_message(tmp_path: Path) -> None:
    path, whole = tmp_path / "chat.json", made_up_roll20.as_archive()
    path.write_text(whole, "utf-8")
    units = {unit.key: unit for unit in read(path)}
    cut = []
    for length in range(3_000, len(whole) - 3, 211):
        path.write_text(whole[:length], "utf-8")
        source = read(path)
        found = [unit for unit in source if not unit.unread]
        cut += [unit.raw for unit in source if unit.unread]

        assert all(one.text == units[one.key].text for one in found)
        assert any("is cut off" in line for line in source.report().lines())
    assert len(cut) > 5
    assert not [raw for raw in cut if any(player in raw for player in made_up_roll20.PLAYERS.values())]


def test_no_player_is_in_the_words_of_an_unread_unit(tmp_path: Path) -> None:
    (found,) = archived(tmp_path, {"type": "", "playerid": "-KxAbCdEfGhIjKlMnOpQ", "content": ""})

    assert found.unread
    assert "-KxAbCdEfGhIjKlMnOpQ" not in found.raw


def test_an_archive_that_is_damaged_is_one_sentence(tmp_path: Path) -> None:
    damaged = made_up_roll20.as_archive().replace('"type"', "type", 1)
    (tmp_path / "chat.json").write_text(damaged, "utf-8")

    with pytest.raises(Refused, match=r"^chat\.json holds messages of Roll20 that are no whole JSON"):
        list(read(tmp_path / "chat.json"))


def test_a_page_that_is_cut_off_says_so_and_keeps_its_whole_messages(tmp_path: Path) -> None:
    page = made_up_roll20.as_page()
    (tmp_path / "chat.html").write_text(page[: page.index("Its lamp is lit.")], "utf-8")
    report = read(tmp_path / "chat.html").report()

    assert (report.units, report.tally.warnings) == (
        3,
        ["chat.html is cut off: its last message may be incomplete. Save the page again if you can."],
    )


def test_a_page_that_grew_begins_with_the_same_units(tmp_path: Path) -> None:
    rows = [*made_up_roll20._rows(), *made_up_roll20.ONLY_SHOWN]
    whole = told(tmp_path, *rows)

    for number in range(1, len(rows)):
        keys = [unit.key for unit in told(tmp_path, *rows[:number])]
        assert keys == [unit.key for unit in whole][:number]


def test_pictures_keep_their_names_alone() -> None:
    for name in ("roll20.html", "roll20.json"):
        (found,) = [unit for unit in read(EXAMPLES / name) if unit.attached]

        assert (found.text, found.attached) == ("See", ("[picture: ferry.png]",))


# --- Throws ---


@pytest.mark.parametrize(
    ("expression", "sums", "total", "dice", "lying"),
    [
        ("1d20cs>20 + 3[STR] + 2[PROF]", faces(18) + "+3+2", "23", "1d20+5", (18,)),
        ("1d20 + -1[DEX]", faces(7) + "+-1", "6", "1d20-1", (7,)),
        ("4d6kh3", faces(1, 4, 5, 6), "15", "4d6kh3", (1, 4, 5, 6)),
        ("4d6d1", faces(1, 4, 5, 6), "15", "4d6kh3", (1, 4, 5, 6)),
        ("2d20kl1+5", faces(3, 17) + "+5", "8", "2d20kl1+5", (3, 17)),
        ("3d6!", faces(6, 6, 2, 1, 3), "18", "3d6!", (6, 1, 3, 6, 2)),
        ("2d6r<2", faces(1, 2, 5, 4), "9", "2d6r<=2", (1, 4, 2, 5)),
        ("2d6ro<2", faces(1, 2, 5), "7", "2d6ro<=2", (1, 5, 2)),
        ("5d10>7", faces(7, 8, 1, 2, 3), "2", "5d10>=7", (7, 8, 1, 2, 3)),
        ("2d6 + 1d8 + (2+3)[magic]", f"{faces(3, 5)}+{faces(8)}+(2+3)", "21", "2d6+1d8+5", (3, 5, 8)),
        ("1d20+2+14/100[tie]", faces(10) + "+2+14/100", "12.14", "1d20+2", (10,)),
        ("4dF+2", faces("+", "-", 0, 1) + "+2", "3", "4dF+2", (1, -1, 0, 1)),
        ("9 [1d20 + 2]", "(7) + 2 = 9", "9", "1d20+2", (7,)),
        ("1d100cs1cf100", "", "25", "1d100", (25,)),
        ("(1d8+4)*2", f"({faces(4)}+4)*2", "16", "(1d8+4)*2", (4,)),
        ("floor(1d8/2)", f"floor({faces(5)}/2)", "2", "1d8/2", (5,)),
        ("3d6!>5", faces(5, 2, 6, 1, 3), "17", "3d6!>4", (5, 6, 3, 2, 1)),
        ("5d10>7f1", faces(10, 8, 3, 1, 1), "0", "5d10>=7f1", (10, 8, 3, 1, 1)),
    ],
)
def test_inline_rolls_have_faces_that_are_taken(
    expression: str, sums: str, total: str, dice: str, lying: tuple[int, ...]
) -> None:
    found = titled(expression, sums, total)

    assert (found.rung, found.dice, found.faces) == (Rung.FACES, dice, lying)
    assert is_taken(found)


@pytest.mark.parametrize(
    ("expression", "sums", "total", "dice", "formula"),
    [
        ("2d6", faces(3, 5), "9", "2d6", "Rolling 2d6 = (3+5) = 9"),
        ("3d6!!", faces(6, 3, 2), "17", "3d6", "Rolling 3d6!! = (6+3+2) = 17"),
        ("1d6/2", f"{faces(5)}/2", "2.5", "1d6", "Rolling 1d6/2 = (5)/2 = 2.5"),
    ],
)
def test_I6_dice_that_come_to_another_total_stand_alone_beside_the_formula(
    expression: str, sums: str, total: str, dice: str, formula: str
) -> None:
    found = titled(expression, sums, total)

    assert (found.rung, found.dice, found.formula) == (Rung.FACES, dice, formula)
    assert is_taken(found)


def test_a_pool_without_its_single_dice_keeps_its_total() -> None:
    found = titled("{1d20,1d20}kh1+5", f"{{{faces(4)},{faces(17)}}}+5", "22")

    assert (found.rung, found.dice, found.faces, found.total) == (Rung.TOTAL, "2d20kh1+5", (), 22)


@pytest.mark.parametrize("title", ["Rolling 2[CON] = 2", "Rolling 1t[treasure] = lamp", "A lamp", ""])
def test_a_title_without_dice_is_no_throw(title: str) -> None:
    assert roll20.of_title(title, "2") is None


@pytest.mark.parametrize(
    ("typed", "expression", "words"),
    [
        ("1d20+3 Stealth check", "1d20+3", "Stealth check"),
        ("2d6+3[fire] \\ the hook", "2d6+3[fire]", "the hook"),
        ("d20", "d20", ""),
    ],
)
def test_the_words_behind_a_typed_roll_are_what_it_was_for(typed: str, expression: str, words: str) -> None:
    assert roll20.split(typed) == (expression, words)


def test_both_dice_of_an_advantage_are_kept_with_the_cards_label() -> None:
    (found,) = [unit for unit in read(EXAMPLES / "roll20.html") if "Boathook" in unit.text]

    assert [(one.faces, one.total, one.text) for one in found.throws] == [
        ((7,), 10, "Boathook"),
        ((20,), 23, "Boathook"),
    ]
    assert "Pell the Tall" in found.text


def test_a_roll_that_a_sheet_made_and_did_not_show_is_none(tmp_path: Path) -> None:
    rolls = [
        {"expression": "1d20", "results": made_up_roll20.result(face, made_up_roll20.dice(20, face))}
        for face in (7, 20)
    ]
    content = "{{rname=^{stealth-u}}} {{normal=1}} {{r1=$[[0]]}} {{r2=$[[1]]}}"
    (found,) = archived(tmp_path, {"content": content, "rolltemplate": "simple", "inlinerolls": rolls})

    assert [(one.faces, one.text) for one in found.throws] == [((7,), "Stealth")]


@pytest.mark.parametrize(
    ("template", "content", "acts"),
    [
        ("npcatk", "{{rname=Bite}} {{r1=$[[0]]}} {{normal=1}}", ["attack"]),
        ("npcaction", "{{rname=Bite}} {{description=Jaws}} {{dmg1=$[[1]]}}", ["damage"]),
        ("dmg", "{{rname=Bite}} {{dmg1=$[[1]]}}", ["damage"]),
        ("simple", "{{rname=Stealth}} {{r1=$[[0]]}}", [""]),
    ],
)
def test_a_template_says_what_its_throws_are_for(
    tmp_path: Path, template: str, content: str, acts: list[str]
) -> None:
    rolls = [
        {"expression": f"1d{sides}", "results": made_up_roll20.result(3, made_up_roll20.dice(sides, 3))}
        for sides in (20, 4)
    ]
    (found,) = archived(tmp_path, {"content": content, "rolltemplate": template, "inlinerolls": rolls})

    assert [one.act for one in found.throws] == acts


def test_a_newer_sheets_card_has_its_formula_and_total_side_by_side(tmp_path: Path) -> None:
    card = (
        '<rolltemplate class="dnd-2024"><div class="header__title">Wisdom Save</div>'
        '<div class="rt-formula"><span class="rt-formula__raw">1d20</span>'
        '<span class="rt-formula__evaluated">12</span></div>'
        '<div class="total"><span class="total__value">15</span></div></rolltemplate>'
    )
    (found,) = told(tmp_path, row(card, "Zel"))

    assert [(one.dice, one.faces, one.total, one.text) for one in found.throws] == [
        ("1d20+3", (12,), 15, "Wisdom Save")
    ]


def test_every_throw_of_the_examples_is_taken() -> None:
    for name in ("roll20.html", "roll20.json"):
        throws = [one for unit in read(EXAMPLES / name) for one in unit.throws]

        assert [one.rung for one in throws].count(Rung.FACES) == len(throws)
        assert all(is_taken(one) for one in throws if one.rung is Rung.FACES)


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(["R", "M", "G", "+2", "1d6", ""]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["type", "rolls", "results", "v", "d", "dice", "sides", "expr", "total", "mods", "fate"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@given(st.text(alphabet="0123456789dF+-*/()[]{}<>!krs.$ ", max_size=60), ANYTHING)
def test_any_result_is_a_throw_or_none(expression: str, result: object) -> None:
    found = roll20.of_result(expression, result)

    assert found is None or found.rung in Rung


@given(st.text(alphabet="0123456789dF+-*/()[]{}<>!krs.=\"' aRollingspcb", max_size=120), st.text(max_size=8))
def test_any_title_is_a_throw_or_none(title: str, total: str) -> None:
    found = roll20.of_title(f"Rolling {title}", total)

    assert found is None or found.rung in Rung


@given(
    st.dictionaries(
        st.sampled_from(
            ["who", "type", "content", "origRoll", "inlinerolls", "target", "rolltemplate", ".priority"]
        ),
        ANYTHING
        | st.sampled_from(
            ["general", "rollresult", "whisper", "hidden", "$[[0]]", "{{name=x}} {{r1=$[[7]]}}"]
        ),
    )
)
def test_any_message_is_a_unit(tmp_path_factory: pytest.TempPathFactory, message: dict[str, object]) -> None:
    path = tmp_path_factory.getbasetemp() / "roll20.json"
    path.write_text(json.dumps([{push_id(0, 0): message}]), "utf-8")
    report = read(path, format="roll20-json").report()

    assert report.pieces == report.counted == 1


@pytest.mark.parametrize(
    "text", ["<", '"', "=", "<div ", '<div class="', "(", "[", "{{", "\\", "-", "a ", "$[[", "<a b='"]
)
def test_a_long_text_of_one_sign_is_read_to_its_end(tmp_path: Path, text: str) -> None:
    hostile = (text * 250_000)[:250_000]
    (tmp_path / "chat.html").write_text(shown(row("Look.", "Zel")) + hostile, "utf-8")
    (tmp_path / "chat.json").write_text(
        json.dumps([{push_id(0, 0): {"who": "Zel", "type": "general", "content": hostile}}]), "utf-8"
    )

    assert read(tmp_path / "chat.html").report().units == 1
    assert read(tmp_path / "chat.json").report().units == 1
    assert roll20.of_title(f"Rolling 1d6{hostile}", "3") is not None
