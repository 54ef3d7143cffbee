"""Fantasy Grounds' log: starts, greetings, colours of both themes, and dice behind the words."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.journal.refused import Refused
from retold.sources import Unit, read
from retold.sources.dice import Rung, fantasy_grounds
from retold.sources.unit import Precision, Reason, Sort
from tests.retold.sources import made_up_fantasy_grounds
from tests.retold.sources.made_up import EXAMPLES
from tests.retold.sources.made_up_fantasy_grounds import DARK, LIGHT, line
from tests.retold.sources.test_dice import is_taken

START = "<br />\n<b>Chat log started at 28.2.2026 / 19:40:12</b><br/>\n<br />"


def units(tmp_path: Path, *lines: str, start: str = START) -> list[Unit]:
    """Units of lines behind a start, without the start's own."""
    (tmp_path / "chatlog.html").write_text("\n".join([start, *lines]), "utf-8")
    return [unit for unit in read(tmp_path / "chatlog.html") if unit.left_out is not Reason.FRAME]


# --- Starts and greetings ---


@pytest.mark.parametrize(
    ("start", "time"),
    [
        (START, "2026-02-28T19:40:12"),
        (
            '<a name="2026-03-01" /><b>Session started at 2026-03-01 / 19:40</b>\n<br />',
            "2026-03-01T19:40:00",
        ),
        ("<b>Chat log started at 99.99.2026 / 19:40:12</b><br/>", None),
    ],
)
def test_lines_have_the_day_of_their_start(tmp_path: Path, start: str, time: str | None) -> None:
    (found,) = units(tmp_path, line(LIGHT["said"], "Zel: Look."), start=start)

    assert (found.when and found.when.time.isoformat()) == time
    assert found.when is None or found.when.precision is Precision.DAY


def test_greetings_are_left_out_where_they_name_themselves_or_come_again() -> None:
    found = [
        unit.text.partition("\n")[0]
        for unit in read(EXAMPLES / "fantasy-grounds.html")
        if unit.left_out is Reason.BANNER
    ]

    assert found == [
        "5E ruleset v3.1.7 for Fantasy Grounds",
        "Tides and Ferries Theme v1.0",
        "5E ruleset v3.1.8 for Fantasy Grounds",
        "Tides and Ferries Theme v1.0",
        "Lamps of the Coast by Odd.",
        "5E ruleset v4.0.0 for Fantasy Grounds",
        "Tides and Ferries Theme v1.0",
        "Lamps of the Coast by Odd.",
    ]


def test_spoken_words_repeated_after_a_start_are_no_greeting(tmp_path: Path) -> None:
    said = line(LIGHT["said"], "GM: Welcome back.")
    turn = line(LIGHT["notice"], "[TURN] Zel")
    found = units(tmp_path, said, turn, START, said, turn)

    assert [unit.left_out for unit in found] == [None] * 4


def test_a_log_that_grew_begins_with_the_same_units(tmp_path: Path) -> None:
    rows = made_up_fantasy_grounds.as_log().split("\r\n")
    whole = list(read(EXAMPLES / "fantasy-grounds.html"))
    path = tmp_path / "chatlog.html"

    for number in range(5, 52):
        path.write_text("\n".join(rows[:number]), "utf-8")
        grown = [unit for unit in read(path) if unit.left_out is not Reason.FRAME]
        assert grown == [unit for unit in whole if unit.left_out is not Reason.FRAME][: len(grown)]


LINK = '<a href="https://example.org/ext">(LINK)</a>'


def test_I12_text_after_half_the_starts_is_a_banner_despite_markup(tmp_path: Path) -> None:
    said = [line(LIGHT["said"], f"Zel: Word {number}.") for number in range(4)]
    odd = "<i>Lamps (v2.1) are lit</i>"
    rows = [line(LIGHT["story"], "Lamps 1.0: by Odd."), LINK, *[odd] * 2]
    log = [row for words in said for row in (START, *rows, words)]
    found = units(tmp_path, *log[1:])

    left = [(unit.left_out, unit.unread) for unit in found]
    first = [(None, False), (Reason.BANNER, False), (None, True), (None, True), (None, False)]
    assert left[:10] == first * 2
    assert left[10:] == ([(Reason.BANNER, False)] * 4 + [(None, False)]) * 2


def test_I12_a_sentence_said_or_told_late_in_two_evenings_is_no_banner(tmp_path: Path) -> None:
    talk = [line(LIGHT["said"], f"Zel: Word {number}.") for number in range(45)]
    told = line(LIGHT["story"], "The lamp goes out.")
    found = units(tmp_path, *[row for _ in range(4) for row in (*talk, told, START)])

    assert {unit.left_out for unit in found} == {None}


# --- Words ---


LONG = "The common room is low and warm, the fire is nearly out, and nobody looks up when the door opens."


@pytest.mark.parametrize(
    ("words", "sort"),
    [
        (LONG, Sort.TOLD),
        ("The door is locked from the inside.", Sort.TOLD),
        ("[TURN] Zel", Sort.NOTICE),
        ("Effect applied", Sort.NOTICE),
        ("Image record shared", Sort.NOTICE),
    ],
)
def test_I8_a_colour_of_notices_that_carries_speech_tells_sentences(
    tmp_path: Path, words: str, sort: Sort
) -> None:
    notice = LIGHT["notice"]
    speech = [line(notice, f"Zel: Word {number}.") for number in range(3)]
    *_, found = units(tmp_path, *speech, line(notice, words))

    assert (found.sort, found.speaker) == (sort, "")


def test_I8_a_long_sentence_in_a_colour_of_notices_is_told_and_a_short_one_is_not(tmp_path: Path) -> None:
    notice = LIGHT["notice"]
    found = units(tmp_path, line(notice, LONG), line(notice, "The tower is loaded now."))

    assert [unit.sort for unit in found] == [Sort.TOLD, Sort.NOTICE]


@pytest.mark.parametrize(
    "words",
    [
        "You stand in a small inn (the Bell: it is empty) by the river.",
        "It is as you feared: nobody is here.",
        "Suddenly, a voice: run!",
        "There are three doors here, all shut: left, right, ahead.",
        "Old letters, tied with string: all of them unread.",
        "A bell rings out over the water: once.",
    ],
)
def test_I9_the_start_of_a_sentence_is_no_speaker(tmp_path: Path, words: str) -> None:
    (found,) = units(tmp_path, line(LIGHT["story"], words))

    assert (found.sort, found.speaker, found.text) == (Sort.TOLD, "", words)


@pytest.mark.parametrize(
    ("words", "speaker", "text"),
    [
        ("Zel (softly): Not today.", "Zel", "(softly) Not today."),
        ("Zel (takes a hand): Come.", "Zel", "(takes a hand) Come."),
        ("Guard (2): Halt.", "Guard (2)", "Halt."),
        ("Mr. Oaks: Good evening.", "Mr. Oaks", "Good evening."),
        ("Keeper of the Lamps: Halt.", "Keeper of the Lamps", "Halt."),
    ],
)
def test_I9_a_name_with_a_manner_of_speaking_is_the_name(
    tmp_path: Path, words: str, speaker: str, text: str
) -> None:
    (found,) = units(tmp_path, line(LIGHT["said"], words))

    assert (found.sort, found.speaker, found.text) == (Sort.SAID, speaker, text)


def test_I9_a_name_like_a_sentence_is_one_if_it_comes_often(tmp_path: Path) -> None:
    found = units(tmp_path, *[line(LIGHT["said"], f"There she goes: Word {number}.") for number in range(3)])

    assert {unit.speaker for unit in found} == {"There she goes"}


def test_line_ends_are_those_that_the_program_wrote(tmp_path: Path) -> None:
    story = LIGHT["story"]
    found = units(
        tmp_path,
        line(story, "One.&#10;Two.&#13;Three.\\rFour &#38; five."),
        line(story, "Kept in C:\\rolls\\ferry."),
        f'<font color="{story}">It goes on\nin the next line.</font><br />',
    )

    assert [unit.text for unit in found] == [
        "One.\nTwo.\nThree.\nFour & five.",
        "Kept in C:\\rolls\\ferry.",
        "It goes on\nin the next line.",
    ]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_speech_emotes_and_words_out_of_character_are_told_apart(
    tmp_path: Path, theme: dict[str, str]
) -> None:
    found = units(
        tmp_path,
        line(theme["said"], "Zel: Somebody is aboard: look."),
        line(theme["said"], "Pell [Infernal] (warns): Not today."),
        line(theme["story"], "Zel looks up"),
        line(theme["story"], "The lamp goes out."),
        line(theme["aside"], "Jon (Zel): one moment"),
        line(theme["aside"], " (Pell): back"),
        line(theme["notice"], "[TURN] Zel"),
        line(theme["roll"], "Damage [6] -&#62; [to Pell] [STATUS: Wounded]"),
        line(theme["roll"], "Pell: [CAST] Lamp [at Zel]"),
    )

    assert [(unit.sort, unit.speaker, unit.text) for unit in found] == [
        (Sort.SAID, "Zel", "Somebody is aboard: look."),
        (Sort.SAID, "Pell", "[Infernal] (warns) Not today."),
        (Sort.TOLD, "Zel", "looks up"),
        (Sort.TOLD, "", "The lamp goes out."),
        (Sort.ASIDE, "Zel", "one moment"),
        (Sort.ASIDE, "Pell", "back"),
        (Sort.NOTICE, "", "[TURN] Zel"),
        (Sort.NOTICE, "", "Damage [6] -> [to Pell] [STATUS: Wounded]"),
        (Sort.DECLARED, "Pell", "casts lamp at Zel"),
    ]
    assert [unit.channel for unit in found][:1] == [theme["said"].casefold()]
    assert found[4].account == "Jon"


def test_an_unknown_colour_is_classified_by_its_content(tmp_path: Path) -> None:
    found = units(
        tmp_path,
        line("#0A0B0C", "Zel: ", "1d6 = 4"),
        line("#0A0B0C", "No eggs."),
        line("#102030", "Jon (Zel): one moment"),
        line("#102030", "and another"),
        line("#102030", "Ann (Pell): well"),
        line("#405060", "The lamp goes out."),
    )

    assert [unit.sort for unit in found] == [
        Sort.ROLL,
        Sort.NOTICE,
        Sort.ASIDE,
        Sort.ASIDE,
        Sort.ASIDE,
        Sort.TOLD,
    ]


@pytest.mark.parametrize(
    "words",
    [
        "'Jon' connected",
        "'Jon' connection lost.  Waiting for reconnect",
        "Campaign saved. (2s)",
        "/die [NdN+N] &#60;message&#62;",
    ],
)
def test_notices_of_the_program_are_left_out(tmp_path: Path, words: str) -> None:
    (found,) = units(tmp_path, line(LIGHT["roll"], words))

    assert found.left_out is Reason.NOTICE


def test_a_whisper_and_a_roll_in_the_tower_are_hidden(tmp_path: Path) -> None:
    found = units(
        tmp_path,
        line(DARK["said"], " -&#62; Zel: It is no lamp."),
        line(DARK["said"], "Zel -&#62; Pell: Did you hear?"),
        line(DARK["roll"], "Pell: [TOWER] [CHECK] Wisdom", "d20+1 = 9"),
    )

    assert [(unit.speaker, unit.to, unit.hidden) for unit in found] == [
        ("GM", ("Zel",), True),
        ("Zel", ("Pell",), True),
        ("Pell", ("GM",), True),
    ]


def test_B26_a_link_behind_a_start_is_part_of_the_greeting(tmp_path: Path) -> None:
    link = '[Rules] <a href="https://example.org/rules">(Read them)</a><br />'
    said = '<font color="#880000">Mary: Rain.</font>'
    found = units(tmp_path, link, said, link)

    assert [(unit.left_out, unit.unread) for unit in found[-3:]] == [
        (Reason.BANNER, False),
        (None, False),
        (None, True),
    ]


def test_a_line_without_markup_is_unread(tmp_path: Path) -> None:
    found = units(tmp_path, "<<<<<<< mended by hand", line(LIGHT["said"], "Zel: Look."))

    assert [(unit.unread, unit.raw) for unit in found] == [(True, "<<<<<<< mended by hand"), (False, "")]


def test_a_file_without_colours_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "chatlog.html").write_text("<p>No log.</p>", "utf-8")

    with pytest.raises(Refused, match=r"^chatlog\.html has no line in a colour"):
        list(read(tmp_path / "chatlog.html", format="fantasy-grounds"))


# --- Throws ---


@pytest.mark.parametrize(
    ("log", "rung", "dice", "lying", "total"),
    [
        (("", "1d20+5 = 17"), Rung.FACES, "1d20+5", (12,), 17),
        (("", "d20-1 = 4"), Rung.FACES, "1d20-1", (5,), 4),
        (("", "1d100 = 43"), Rung.FACES, "1d100", (43,), 43),
        (("", "2d6+1 = 8"), Rung.TOTAL, "2d6+1", (), 8),
        (("[EFFECTS 1d6]", "1d20+1p6+4 = 17"), Rung.TOTAL, "1d20+1d6+4", (), 17),
        (("[CRITICAL]", "d8+1g8+3 = 12"), Rung.TOTAL, "1d8+1d8+3", (), 12),
        (("[ADV]", "1g20+5 = 17"), Rung.TOTAL, "2d20kh1+5", (), 17),
        (("[DIS]", "r20+5 = 6"), Rung.TOTAL, "2d20kl1+5", (), 6),
        (("[ADV] [DIS]", "d20+5 = 6"), Rung.FACES, "1d20+5", (1,), 6),
        (("[ADV] [DROPPED 3]", "g20+5 = 17"), Rung.FACES, "2d20kh1+5", (12, 3), 17),
        (("[DIS] [DROPPED 3]", "r20+5 = 17"), Rung.TOTAL, "2d20kl1+5", (), 17),
        (("", "2d20k1+5 = 17"), Rung.TOTAL, "2d20kh1+5", (), 17),
        (("", "4d6d1 = 13"), Rung.TOTAL, "4d6kh3", (), 13),
        (("[TYPE: fire (1d6=4)] [TYPE: cold (2d4+1=7)]", "11 = 11"), Rung.TOTAL, "1d6+2d4+1", (), 11),
        (("[MANUAL ROLL]", "1d20+5 = 5"), Rung.WORDS, "", (), None),
        (("", "1d0 = 0"), Rung.WORDS, "", (), None),
        (("", "2d6*2 = 8"), Rung.TOTAL, "2d6*2", (), 8),
        (("", "2d6*2 = 7"), Rung.WORDS, "", (), None),
    ],
)
def test_a_single_die_has_its_face_and_more_have_their_total(
    log: tuple[str, str], rung: Rung, dice: str, lying: tuple[int, ...], total: int | None
) -> None:
    words, shown = log
    found = fantasy_grounds.throw_of(shown, words)

    assert found is not None
    assert (found.rung, found.dice, found.faces, found.total) == (rung, dice, lying, total)
    assert rung is not Rung.FACES or is_taken(found)


@pytest.mark.parametrize(("shown", "words"), [("17", ""), (" = 4", ""), ("8 = 8", "[TYPE: fire (8=8)]")])
def test_a_number_without_dice_is_no_throw(shown: str, words: str) -> None:
    assert fantasy_grounds.throw_of(shown, words) is None


def test_a_number_without_dice_stays_with_its_words(tmp_path: Path) -> None:
    (found,) = units(tmp_path, line(LIGHT["roll"], "Zel: [DEATH]", "7"))

    assert (found.sort, found.speaker, found.text) == (Sort.ASIDE, "Zel", "[DEATH] = 7")


@pytest.mark.parametrize(
    ("words", "name", "text"),
    [
        ("Zel: [ATTACK (M)] Boathook", "Zel", "[ATTACK (M)] Boathook"),
        ("Trap: Spikes: [SAVE] Dexterity", "Trap: Spikes", "[SAVE] Dexterity"),
        ("GM: [TABLE] Ferries: Challenge 0-4 = ", "GM", "[TABLE] Ferries: Challenge 0-4"),
        ("Ferryman (old): [SAVE] Wisdom", "Ferryman (old)", "[SAVE] Wisdom"),
        ("Zel: ", "Zel", ""),
        ("[SAVE] Wisdom", "", "[SAVE] Wisdom"),
    ],
)
def test_the_thrower_is_told_from_names_with_colons(tmp_path: Path, words: str, name: str, text: str) -> None:
    (found,) = units(tmp_path, line(LIGHT["roll"], words, "1d20 = 9"))

    assert (found.speaker, found.throws[0].text) == (name, text)


def test_target_and_verdict_are_the_logs_own_words(tmp_path: Path) -> None:
    (found,) = units(tmp_path, line(LIGHT["roll"], "Zel: [SAVE] Wisdom [vs. DC 15] [FAILURE]", "1d20 = 9"))

    assert (found.throws[0].against, found.throws[0].verdict) == ("DC 15", "FAILURE")


@given(
    st.text(alphabet="0123456789dgrpk+-= .*![]", max_size=40),
    st.sampled_from(["", "[ADV]", "[DIS] [DROPPED 7]"]),
)
def test_any_words_behind_a_line_are_a_throw_or_none(shown: str, words: str) -> None:
    found = fantasy_grounds.throw_of(shown, words)

    assert found is None or found.rung is not Rung.FACES or is_taken(found)


@given(st.lists(st.text(alphabet="<>fontbr/ =\"#880 Zel:[]()d20&;'->\\", max_size=60), max_size=6))
def test_any_lines_are_units(tmp_path_factory: pytest.TempPathFactory, lines: list[str]) -> None:
    path = tmp_path_factory.getbasetemp() / "chatlog.html"
    path.write_text("\n".join([START, line("#880000", "Zel: Look."), *lines]), "utf-8")
    report = read(path).report()

    assert report.pieces == report.counted


@pytest.mark.parametrize(
    "sign", ["<", "[", "(", ": ", "a", " ", "-> ", "<font ", "</font>", "'", "\\r", "&#10;", "[x] "]
)
def test_a_long_line_of_one_sign_is_read_to_its_end(tmp_path: Path, sign: str) -> None:
    hostile = (sign * 250_000)[:250_000]
    found = units(
        tmp_path, line(LIGHT["said"], f"Zel{hostile}"), hostile, line(LIGHT["roll"], hostile, "1d6 = 3")
    )

    assert 2 <= len(found) <= 3


def test_a_name_with_the_game_masters_mark_is_the_game_master(tmp_path: Path) -> None:
    (found,) = units(tmp_path, line(DARK["notice"], "Mary (GM): Who comes?"))

    assert (found.speaker, found.text) == ("GM", "Who comes?")


@pytest.mark.parametrize(
    "text",
    [
        "\u201eGeht nicht\u201c, sagt der Wirt und schlie\u00dft die T\u00fcr: \u201eMorgen wieder.\u201c",
        "\u00abOn ferme\u00bb, dit l'aubergiste, et il referme sa porte : \u00abDemain.\u00bb",
        "\u00c5lrik lyfter lampan och ser att ingen l\u00e4ngre sitter vid \u00e5ran.",
    ],
)
def test_I8_narration_in_the_colour_of_notices_may_begin_and_end_with_quotes(
    tmp_path: Path, text: str
) -> None:
    (found,) = units(tmp_path, line(DARK["notice"], f"{text} Und so blieb es f\u00fcr den Rest der Nacht."))
    (quoted,) = units(tmp_path, line(DARK["notice"], f"Es war Nacht am Fluss, und niemand kam mehr. {text}"))

    assert (found.sort, found.speaker) == (quoted.sort, quoted.speaker) == (Sort.TOLD, "")
