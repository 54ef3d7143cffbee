"""Heads of lines: clients, phones and meetings of every locale, and any parts combined."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.sources import Hints, Unit, read
from retold.sources.unit import Reason, Sort


def units(tmp_path: Path, text: str, name: str = "evening.txt", hints: Hints | None = None) -> list[Unit]:
    path = tmp_path / name
    path.write_text(text, "utf-8", newline="")
    source = read(path, hints=hints or Hints())
    assert source.family == "plain"
    report = source.report()
    assert report.pieces == report.counted
    return list(source)


def told(found: list[Unit]) -> list[tuple[str, str, str]]:
    """Time, speaker and words of each unit that is read."""
    return [
        (unit.when.time.isoformat(" ") if unit.when else "", unit.speaker, unit.text)
        for unit in found
        if unit.is_read
    ]


WEECHAT = """\
2026-03-01 19:28:09\t-->\tmary (~m@host.example) has joined #ferry
2026-03-01 19:28:09\t--\tMode #ferry [+nst]
2026-03-01 19:28:11\tmary\tThe ferry has not moved since noon.
2026-03-01 19:28:35\tjon\tSomebody is aboard.
2026-03-01 19:29:37\t *\tada ties the boat
2026-03-01 19:29:42\t@mary\tNobody answers.
2026-03-01 19:29:53\t<--\tjon (~j@host.example) has quit (Ping timeout)
2026-03-01 19:30:53\t\tirc: disconnected from server
"""
LOUNGE = """\
[2026-03-01T19:28:09.000Z] *** mary (~m@host.example) joined
[2026-03-01T19:28:11.120Z] <mary> The ferry has not moved since noon.
[2026-03-01T19:28:35.120Z] <jon> Somebody is aboard.
[2026-03-01T19:29:37.120Z] * ada ties the boat
[2026-03-01T19:29:39.120Z] *** jon is now known as jon|Zel
[2026-03-01T19:29:42.120Z] <@mary> Nobody answers.
"""
ON_IRC = [
    ("mary", "The ferry has not moved since noon."),
    ("jon", "Somebody is aboard."),
    ("ada", "ties the boat"),
    ("mary", "Nobody answers."),
]


HEXCHAT = """\
**** BEGIN LOGGING AT Sun Mar  1 19:27:01 2026

Mar 01 19:28:09 *\tNow talking on #ferry
Mar 01 19:28:09 *\tTopic for #ferry is: boats
Mar 01 19:28:11 <mary>\tThe ferry has not moved since noon.
Mar 01 19:28:35 <jon>\tSomebody is aboard.
Mar 01 19:29:37 *\tada ties the boat
Mar 01 19:29:42 <mary>\tNobody answers.
**** ENDING LOGGING AT Sun Mar  1 20:00:00 2026
"""
MIRC = """\
Session Start: Sun Mar 01 19:28:00 2026
Session Ident: #ferry
[19:28] * Now talking in #ferry
[19:28] <@mary> The ferry has not moved since noon.
[19:28] <jon> Somebody is aboard.
[19:29] * ada ties the boat
[19:29] <@mary> Nobody answers.
"""
EGGDROP = """\
[00:00] --- Sun Mar  1 2026
[19:28] <mary> The ferry has not moved since noon.
[19:28] <jon> Somebody is aboard.
[19:29] Action: ada ties the boat
[19:29] ada (~a@host.example) joined #ferry.
[19:29] <mary> Nobody answers.
"""
QUASSEL = """\
[2026-03-01 19:28:11] <mary> The ferry has not moved since noon.
[2026-03-01 19:28:35] <jon> Somebody is aboard.
[2026-03-01 19:29:20] --> ada (~a@host.example) has joined #ferry
[2026-03-01 19:29:37] -*- ada ties the boat
[2026-03-01 19:29:42] <mary> Nobody answers.
"""
PIDGIN = """\
Conversation with #ferry at Sun 01 Mar 2026 07:28:11 PM CET on mary@irc.example.org (irc)
(07:28:11 PM) The topic for #ferry is: boats
(07:28:11 PM) mary: The ferry has not moved since noon.
(07:28:35 PM) jon: Somebody is aboard.
(07:29:37 PM) ***ada ties the boat
(07:29:42 PM) mary: Nobody answers.
(07:29:53 PM) jon left the room (quit: Ping timeout).
"""


@pytest.mark.parametrize("log", [WEECHAT, LOUNGE, HEXCHAT, MIRC, EGGDROP, QUASSEL, PIDGIN])
def test_B6_clients_of_irc_are_read_with_their_notices_and_emotes(tmp_path: Path, log: str) -> None:
    found = units(tmp_path, log, "irc.log")

    assert [(speaker, words) for _, speaker, words in told(found)] == ON_IRC
    assert [when[:16] for when, _, _ in told(found)] == ["2026-03-01 19:28"] * 2 + ["2026-03-01 19:29"] * 2
    assert [unit.sort for unit in found if unit.speaker == "ada"] == [Sort.TOLD]
    assert {unit.left_out for unit in found} == {None, Reason.NOTICE}


@pytest.mark.parametrize(
    "head",
    [
        "[2026-03-01 19:4{n}:11] <mary> ",
        "2026-03-01T19:4{n}:11Z <mary> ",
        "[2026-03-01T19:4{n}:11+0000] <mary> ",
        "[2026-03-01] [19:4{n}:11] <mary> ",
        "[Sunday 01 March 2026] [19:4{n}:11] <mary>\t",
        "2026-03-01 19:4{n}:11\t+mary\t",
        "[3/13/2026 7:4{n}:11 PM] mary: ",
        "[3/13/2026 7:4{n}:11 PM | Edited 7:50:02 PM] mary: ",
        "[13.03.2026, 19:4{n}:11] mary: ",
        "13/03/2026, 19:4{n} - mary: ",
        "3/13/26, 7:4{n}\u202fPM - mary: ",
        "13/3/2026 7:4{n}\u00a0p.\u00a0m. - mary: ",
        "13/03/2026 \u00e0 19:4{n} - mary: ",
        "13/03/2026 19 h 4{n} - mary: ",
        "2026-03-13, 7:4{n} p.m. - mary: ",
        "13.3.2026 klo 19.4{n} - mary: ",
        "2026. 3. 13. \uc624\ud6c4 7:4{n}, mary : ",
        "26. 3. 13. \uc624\ud6c4 7:4{n}, mary : ",
        "2026\ub144 3\uc6d4 13\uc77c \uc624\ud6c4 7:4{n}, mary : ",
        "2026/3/13 \u4e0b\u53487:4{n} - mary: ",
        "2026\u5e743\u670813\u65e5 19:4{n} - mary\uff1a ",
        "\u0661\u0663\u200f/\u0663\u200f/\u0662\u0660\u0662\u0666\u060c \u0667:\u0664{a} \u0645 - mary: ",
        "13/3/2569 19:4{n} - mary: ",
        "\u06f1\u06f4\u06f0\u06f4/\u06f1\u06f2/\u06f2\u06f2\u060c\u200f 19:4{n} - mary: ",
        "[1404/12/10, 19:4{n}:11] mary: ",
        "[13 Mar 2026 at 19:4{n}] mary: ",
        "March 13, 2026 at 7:4{n} PM, mary : ",
        "13. M\u00e4rz 2026 um 19:4{n} Uhr - mary: ",
        "[19:4{n}, 13/03/2026] mary: ",
        "[7:4{n} PM, 3/13/2026] mary: ",
        "19:4{n}, 13/3/2026 - mary: ",
        "[Friday, March 13, 2026] [7:4{n}:11 PM CET] <mary> ",
        "\u200f13.3.2026, 7:4{n} \u05d0\u05d7\u05d4\u05f4\u05e6 - mary: ",
        '13.3.2026, 7:4{n} \u05d0\u05d7\u05d4"\u05e6 - mary: ',
    ],
)
def test_B6_B9_any_time_format_is_read_before_any_mark(tmp_path: Path, head: str) -> None:
    lines = [f"{head.format(n=n, a=chr(0x660 + n))}words {n}\n" for n in range(4)]

    found = told(units(tmp_path, "".join(lines)))

    assert [(speaker, words) for _, speaker, words in found] == [("mary", f"words {n}") for n in range(4)]
    assert [when[11:16] for when, _, _ in found] == [f"19:4{n}" for n in range(4)]
    assert {when[:10] for when, _, _ in found} <= {"2026-03-01", "2026-03-13"}


@pytest.mark.parametrize(
    ("lines", "hours"),
    [
        (
            "2026. 3. 1. \uc624\ud6c4 7:42, Mary : a\n2026. 3. 1. \uc624\uc804 1:44, Ada : b\n",
            ["19:42", "01:44"],
        ),
        ("2026/3/1 \u4e0b\u53487:42 - Mary: a\n2026/3/1 \u4e0a\u53481:44 - Ada: b\n", ["19:42", "01:44"]),
        ("1/3/2026 8:45 p. m. - Jon: a\n13/3/2026 12:46 a. m. - Ada: b\n", ["20:45", "00:46"]),
    ],
)
def test_B9_the_half_of_the_day_is_read_in_any_language(tmp_path: Path, lines: str, hours: list[str]) -> None:
    assert [when[11:16] for when, _, _ in told(units(tmp_path, lines))] == hours


def test_B9_the_whole_file_tells_the_day_from_the_month(tmp_path: Path) -> None:
    text = "01/03/2026 à 19:42 - Mary: Le bac.\n13/03/2026 à 19:44 - Ada: Je frappe.\n"

    assert [when[:10] for when, _, _ in told(units(tmp_path, text))] == ["2026-03-01", "2026-03-13"]


def test_B9_marks_of_direction_are_no_part_of_a_name(tmp_path: Path) -> None:
    line = "\u200e[3/13/26, 7:42:1{}\u202fPM] \u202aMary Quill\u202c: שלום\u200f!\n"

    found = told(units(tmp_path, line.format(0) + line.format(1)))

    assert {(speaker, words) for _, speaker, words in found} == {("Mary Quill", "שלום\u200f!")}


PASTED = """\
Mary — Today at 7:42 PM
The ferry has not moved since noon.
Its lamp is lit.
Zel — Today at 7:43 PM
Somebody is aboard.
Mary
 — 01/03/2026 19:46
Because.
[19:47]
I say so.
(edited)
Avrae
APP
 — 01/03/2026 19:48
22
Zel
 —
Today at 7:49 PM
No.
"""


def test_B21_words_copied_out_of_discord_are_read(tmp_path: Path) -> None:
    found = units(tmp_path, PASTED)

    assert [(unit.speaker, unit.text) for unit in found] == [
        ("Mary", "The ferry has not moved since noon.\nIts lamp is lit."),
        ("Zel", "Somebody is aboard."),
        ("Mary", "Because.\nI say so."),
        ("Avrae", "22"),
        ("Zel", "No."),
    ]
    assert [str(unit.place) for unit in found] == ["1-3", "4-5", "6-11", "12-15", "16-19"]


@pytest.mark.parametrize(
    "head",
    [
        "Mary  00:28:1{n}\n",
        "Mary Smith 0:1{n}\n",
        "Mary (28:1{n}):\n",
        "Mary\n28:1{n}\n",
        "Mary: [00:28:1{n}] ",
        "[00:00:1{n}] Mary: ",
        "0:1{n} - Mary\n",
        "Mary  75:1{n}\n",
    ],
)
def test_B21_a_transcript_of_a_meeting_counts_from_its_beginning(tmp_path: Path, head: str) -> None:
    found = units(tmp_path, "".join(f"{head.format(n=n)}words {n}\n\n" for n in range(4)))

    assert [(unit.speaker[:4], unit.text) for unit in found] == [("Mary", f"words {n}") for n in range(4)]
    assert all(unit.clock is not None and unit.undated is None for unit in found)
    assert {unit.sort for unit in found} == {Sort.ASIDE}  # as in any recording, unless the answers say more


@pytest.mark.parametrize(
    "line",
    [
        "19:42:1{n} From Mary to Everyone: words {n}\n",
        "19:42:1{n}\t From Mary : words {n}\n",
        "19:42:1{n} From Mary to Everyone:\n\twords {n}\n",
        "[Mary] [7:42:1{n} PM] words {n}\n",
        "19:42:1{n}\tMary\twords {n}\n",
        "(19:42:1{n}) Mary: words {n}\n",
        "[7:42:1{n} PM]Mary: words {n}\n",
        "Mary (7:42:1{n} PM): words {n}\n",
        "Mary — 7:42 PM\nwords {n}\n",
        "Mary\n  7:42 PM\nwords {n}\n",
        "[19:42] Mary\nwords {n}\n",
        "Mary, [13.03.2026 19:4{n}]\nwords {n}\n",
        "Mary — heute um 19:42 Uhr\nwords {n}\n",
        "Mary — Aujourd\u2019hui à 19:42\nwords {n}\n",
    ],
)
def test_B21_a_name_may_stand_on_either_side_of_the_time(tmp_path: Path, line: str) -> None:
    found = units(tmp_path, "".join(line.format(n=n) for n in range(4)))

    assert [(unit.speaker, unit.text) for unit in found] == [("Mary", f"words {n}") for n in range(4)]
    assert all(unit.undated or unit.when for unit in found)
    assert {time.time.hour for unit in found if (time := unit.undated or unit.when)} == {19}


def test_B21_a_private_line_of_a_meeting_is_hidden(tmp_path: Path) -> None:
    text = "19:42:10 From Mary to Everyone: hello\n19:42:11 From Mary to Jon(Direct Message): he lies\n"

    assert [(unit.hidden, unit.to) for unit in units(tmp_path, text)] == [(False, ()), (True, ("Jon",))]


# --- Any parts ---

NAMES = ["Mary", "Zel the Quick", "jon|Zel", "Łukasz", "메리", "船長", "Ms. Pym", "44 7700 900123", "Ada-2"]
WORDS = [
    "The ferry.",
    "배가 안 움직여.",
    "a: b",
    "it is 19:42 now",
    "<b> - c",
    "2d6!",
    "[19:42] <x> y",
    "* waves",
]
DAYS = [
    "%Y-%m-%d",
    "%d/%m/%Y",
    "%d.%m.%y",
    "%m/%d/%Y",
    "%Y年%m月%d日",
    "%Y. %m. %d.",
    "%d %b %Y",
    "%B %d, %Y",
]
CLOCKS = ["%H:%M", "%H:%M:%S", "%I:%M %p", "%I:%M:%S\u202f%p", "%H.%M", "오전%I:%M", "a. m. %I:%M", "%H h %M"]
JOINS = [" ", ", ", " at ", " à ", "\u00a0"]
FRAMES = ["{}", "[{}]", "({})"]
LAYOUTS = ["{time} <{name}> {words}", "{time} - {name}: {words}", "{time}\t{name}\t{words}"]
BRACKETED = ["{time} {name}: {words}", "{time}{name}: {words}"]


@given(
    st.lists(
        st.tuples(st.sampled_from(NAMES), st.sampled_from(WORDS), st.integers(0, 300)), min_size=2, max_size=6
    ),
    st.tuples(st.sampled_from(DAYS), st.sampled_from(JOINS), st.sampled_from(CLOCKS)).map("".join),
    st.sampled_from(FRAMES),
    st.sampled_from(LAYOUTS + BRACKETED),
    st.sampled_from(
        [
            "0123456789",
            "٠١٢٣٤٥٦٧٨٩",
            "۰۱۲۳۴۵۶۷۸۹",
            "\uff10\uff11\uff12\uff13\uff14\uff15\uff16\uff17\uff18\uff19",
        ]
    ),
)
def test_B6_a_head_of_any_parts_is_read_back(
    said: list[tuple[str, str, int]], time: str, frame: str, layout: str, digits: str
) -> None:
    if layout in BRACKETED and frame == "{}":
        frame = "[{}]"
    moments = [datetime(2026, 3, 13, 9, 15, 30) + timedelta(minutes=later) for *_, later in said]  # noqa: DTZ001
    moments = [moment if moment.hour < 12 else moment.replace(hour=9) for moment in moments]
    lines = []
    for moment, (name, words, _) in zip(moments, said, strict=True):
        written = moment.strftime(time).translate(str.maketrans("0123456789", digits))
        lines.append(layout.format(time=frame.format(written), name=name, words=words))

    with TemporaryDirectory() as folder:
        path = Path(folder, "evening.txt")
        path.write_text("\n".join(lines), "utf-8")
        found = list(read(path, format="plain"))

    assert [unit.speaker for unit in found] == [name for name, *_ in said]
    assert [unit.text for unit in found] == [words for _, words, _ in said]
    expected = [moment.replace(second=moment.second if "%S" in time else 0) for moment in moments]
    assert [unit.when and unit.when.time for unit in found] == expected


def test_B8_hours_of_a_log_without_days_are_counted_and_pass_midnight(tmp_path: Path) -> None:
    text = "[22:58] <Mary> a\n[23:59] <Zel> b\n[00:01] <Mary> c\n[19:40] <Mary> d\n"
    found = units(tmp_path, text)

    hours = [unit.undated.time.isoformat(" ") for unit in found if unit.undated]
    assert hours == [
        "2000-01-01 22:58:00",
        "2000-01-01 23:59:00",
        "2000-01-02 00:01:00",
        "2000-01-02 19:40:00",
    ]
    report = read(tmp_path / "evening.txt").report()
    assert "Hours that are not kept, for the log never says the day: 4." in list(report.lines())


def test_B8_a_file_named_by_its_day_says_the_day(tmp_path: Path) -> None:
    found = units(tmp_path, "[23:59:10] <Mary> a\n[00:01:10] <Zel> b\n", "2026-03-01.log")

    assert [when for when, *_ in told(found)] == ["2026-03-01 23:59:10", "2026-03-02 00:01:10"]


@pytest.mark.parametrize(
    "opening",
    [
        "Session Start: Sun Mar 01 19:30:00 2026",
        "**** BEGIN LOGGING AT Sun Mar  1 19:30:00 2026",
        "--------------- 2026\ub144 3\uc6d4 1\uc77c \uc77c\uc694\uc77c ---------------",
        "2026/03/01(\u65e5)",
        "Sunday, March 1, 2026",
    ],
)
def test_B8_a_line_that_states_a_day_dates_those_below(tmp_path: Path, opening: str) -> None:
    found = units(tmp_path, f"{opening}\n19:42 <Mary> a\n00:05 <Zel> b\n")

    assert [when for when, *_ in told(found)] == ["2026-03-01 19:42:00", "2026-03-02 00:05:00"]


def test_what_a_phone_writes_above_its_chat_is_a_notice(tmp_path: Path) -> None:
    said = "".join(f"19:4{n}\tMary\twords {n}\n" for n in range(4))
    text = f"[LINE] Chat history with Mary\nSaved on: 2026/03/02, 10:00\n\n2026/03/01(Sun)\n{said}"

    assert [unit.left_out for unit in units(tmp_path, text)] == [Reason.NOTICE] * 3 + [None] * 4


def test_B6_an_example_line_is_a_pattern(tmp_path: Path) -> None:
    path = tmp_path / "evening.txt"
    path.write_text("Mary: a\nZel: b\n" * 3 + "[19:42] <Jon> c\n", "utf-8")

    found = read(path, format="plain", hints=Hints(pattern="[19:42] <Name> words"))

    assert [unit.speaker for unit in found if unit.is_read] == ["Jon"]


COPIED = {
    "Teams": "{name}\n13/3 19:{minute}\n{words}\n\n",
    "Teams, a bracket": "[3/13 7:{minute} PM] {name}\n{words}\n",
    "Teams, in German": "[13.03. 19:{minute}] {name}\n{words}\n",
    "Teams, with a tab": "{name}\t13.03. 19:{minute}\n{words}\n",
    "Teams, a weekday": "[Friday 7:{minute} PM] {name}\n{words}\n",
    "Teams, the name behind": "{name}\nFreitag 19:{minute}\n{words}\n",
    "Google Chat": "{name}, Fri 7:{minute} PM\n{words}\n",
    "Google Chat, changed": "{name},7:{minute} PM, Edited\n{words}\n",
    "Slack, a status": "{name}:rowboat:  7:{minute} PM\n{words}\n",
    "Slack, a narrow blank": "{name}:rowboat:\n  7:{minute}\u202fPM\n{words}\n",
    "Signal": "From: {name} (+15550001)\nSent: Fri, 13 Mar 2026 19:{minute}:10 +0000\n\n{words}\n\n",
    "Viber": "[ 13 March 2026 ][ 19:{minute} ]  {name}: {words}\n",
    "WhatsApp in Croatian": "13. 03. 2026. u 19:{minute} - {name}: {words}\n",
    "WhatsApp in Burmese": "\u1041\u1043/\u1043/\u1042\u1046\u104a 19:{minute} - {name}: {words}\n",
    "captions of Zoom": "[{name}] 19:{minute}:10\n{words}\n\n",
    "Krisp": "{name} | 00:{minute}\n{words}\n\n",
    "WeeChat's window": "19:{minute}:10  {name} | {words}\n",
}
"""Heads of copies and exports, with the places of their parts."""
SAYING = [("Mary", "The ferry."), ("Jon", "Aboard."), ("Mary", "Lit."), ("Jon", "So.")]


@pytest.mark.parametrize("shape", COPIED.values(), ids=COPIED.keys())
def test_what_people_copy_out_of_their_chats_is_read(tmp_path: Path, shape: str) -> None:
    text = "".join(
        shape.format(name=name, minute=42 + place, words=words) for place, (name, words) in enumerate(SAYING)
    )
    path = tmp_path / "evening.txt"
    path.write_text(text, "utf-8")
    found = [unit for unit in read(path, format="plain") if unit.is_read]

    assert [(unit.speaker, unit.text) for unit in found] == SAYING
    assert all(unit.when or unit.undated or unit.clock is not None for unit in found)


def test_a_name_as_companies_list_it_is_one_name(tmp_path: Path) -> None:
    lines = ("[13.03. 19:42] Quill, Mary\nThe ferry.\n", "[13.03. 19:43] Brown, Jon (Guest)\nAboard.\n")

    assert [unit.speaker for unit in units(tmp_path, "".join(lines))] == ["Quill, Mary", "Brown, Jon (Guest)"]


def test_days_without_a_year_are_as_far_apart_as_they_say(tmp_path: Path) -> None:
    lines = [f"[{day}.03. 19:42] Mary\nThe ferry.\n" for day in (13, 14, 20)]
    found = [unit.undated.time for unit in units(tmp_path, "".join(lines)) if unit.undated]

    assert [time - found[0] for time in found] == [timedelta(), timedelta(days=1), timedelta(days=7)]


def test_a_name_and_a_colon_may_stand_above_the_words(tmp_path: Path) -> None:
    path = tmp_path / "copied.txt"
    path.write_text("> Mary:\nThe ferry.\n\n> Jon:\nAboard.\n\n" * 3, "utf-8")

    assert [(one.speaker, one.text) for one in read(path, format="plain")][:2] == [
        ("Mary", "The ferry."),
        ("Jon", "Aboard."),
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("7:42 e paradites", "7:42 e pasdites"),
        ("7:42 dop.", "7:42 odp."),
        ("7:42 пр.об.", "7:42 сл.об."),  # noqa: RUF001
        ("7:42 пре подне", "7:42 по подне"),
        ("7:42 قبل‌ازظهر", "7:42 بعدازظهر"),
        ("පෙ.ව. 7:42", "ප.ව. 7:42"),
        ("7:42 priekšpusdienā", "7:42 pēcpusdienā"),
        ("7:42 կեսօրից առաջ", "7:42 կեսօրից հետո"),
    ],
)
def test_halves_of_the_day_may_be_several_words_or_have_dots(tmp_path: Path, before: str, after: str) -> None:
    log = f"13/3/2026, {before} - Jon: a\n13/3/2026, {after} - Ada: b\n"

    assert told(units(tmp_path, log)) == [
        ("2026-03-13 07:42:00", "Jon", "a"),
        ("2026-03-13 19:42:00", "Ada", "b"),
    ]


def test_a_dump_of_slack_in_text_has_the_replies_of_its_threads(tmp_path: Path) -> None:
    log = """
> Ada Hill [U01] @ 13/03/2026 19:42:10 Z:
Two
lines.
|
|   > Jon [U02] @ 13/03/2026 19:43:10 +0100:
|   A reply.

> Jon [U02] @ 13/03/2026 19:45:10 Z:
Last.
"""

    assert told(units(tmp_path, log.replace("|\n", "|   \n"))) == [
        ("2026-03-13 19:42:10+00:00", "Ada Hill", "Two\nlines."),
        ("2026-03-13 19:43:10+01:00", "Jon", "A reply."),
        ("2026-03-13 19:45:10+00:00", "Jon", "Last."),
    ]


def test_minutes_and_seconds_may_have_a_fraction(tmp_path: Path) -> None:
    found = units(tmp_path, "Ada (00:01.120)\nHello.\n\nJon (00:09.5)\nYes.\n\nAda (01:02:09.912)\nNo.\n")

    assert [one.clock and one.clock.total_seconds() for one in found] == [1.12, 9.5, 3729.912]


def test_a_transcript_that_lists_who_attends_needs_no_name_thrice(tmp_path: Path) -> None:
    log = "Attendees\nAda Hill, Jon\n\nTranscript\n00:00:00\nAda Hill: One.\nJon: Two.\n"
    (tmp_path / "meeting.txt").write_text(f"{log}Meeting ended after 00:55:10\n", "utf-8")
    found = list(read(tmp_path / "meeting.txt", format="plain"))

    assert [(one.speaker, one.text) for one in found if one.is_read] == [
        ("Ada Hill", "One."),
        ("Jon", "Two."),
    ]
    assert not any(one.unread for one in found)


def test_an_emote_of_a_name_of_several_words_is_its_speakers(tmp_path: Path) -> None:
    head = "13/03/2026, 19:42:10 - "
    log = f"{head}Ada Hill: One.\n{head}* Ada Hill rows\n{head}Ada Hill: Two.\n"

    assert [(one.speaker, one.text) for one in units(tmp_path, log)][1] == ("Ada Hill", "rows")


HEADED_TRANSCRIPT = """\
Sun, Mar 01, 2026 7:40PM \u2022 1:02:05

SUMMARY KEYWORDS
ferry, lamp

SPEAKERS
Mary, Jon

Mary  00:03
The ferry is late.

Jon  01:12
Who is there?

Mary  01:01:20
Nobody.
"""


def test_B21_the_time_above_a_transcript_is_when_it_began(tmp_path: Path) -> None:
    found = units(tmp_path, HEADED_TRANSCRIPT)

    assert told(found) == [
        ("2026-03-01 19:40:03", "Mary", "The ferry is late."),
        ("2026-03-01 19:41:12", "Jon", "Who is there?"),
        ("2026-03-01 20:41:20", "Mary", "Nobody."),
    ]
    assert found[-1].clock == timedelta(hours=1, minutes=1, seconds=20)
    assert not any(unit.unread for unit in found)


FORUMS = [
    "Post by {name} \u00bb Sun Mar 01, 2026 7:42 pm\n\n{words}\n",
    "von {name} \u00bb 01.03.2026, 19:42\n\n{words}\n",
    "{name}\nplayer, 12 posts\nSun 1 Mar 2026\nat 19:42\n\n{words}\n",
]


@pytest.mark.parametrize("post", FORUMS)
def test_B6_a_post_of_a_forum_has_its_writer_and_its_time(tmp_path: Path, post: str) -> None:
    posts = [("Mary", "The ferry is late."), ("Zel", "I knock."), ("Mary", "Nobody.")]
    text = "\n".join(post.format(name=name, words=words) for name, words in posts)

    assert told(units(tmp_path, text)) == [("2026-03-01 19:42:00", *one) for one in posts]


@pytest.mark.parametrize(("date", "said"), [("01.03.2026", "2026-03-01"), ("01/03/2026", "")])
def test_B9_a_date_with_dots_begins_with_the_day(tmp_path: Path, date: str, said: str) -> None:
    (found,) = told(units(tmp_path, f"{date} 19:42 - Mary: The ferry is late.\n"))

    assert found[0].partition(" ")[0] == said


WITH_ITS_PAGE = """\
Mary
Role icon, Game Master
 \u2014
3/13/26, 7:42 PM
The ferry is late.
March 14, 2026
NEW
Zel
 \u2014
3/14/26, 7:43 PM
I knock.
\U0001f44d
2
"""


def test_B21_signs_of_a_page_are_no_words(tmp_path: Path) -> None:
    assert told(units(tmp_path, WITH_ITS_PAGE)) == [
        ("2026-03-13 19:42:00", "Mary", "The ferry is late."),
        ("2026-03-14 19:43:00", "Zel", "I knock."),
    ]


def test_B6_what_mirc_says_itself_is_a_notice(tmp_path: Path) -> None:
    lines = (
        "Set by Mary!~m@host.example on Sat Feb 28 10:00:00",
        "Pell (~p@host.example) Quit (Ping timeout)",
    )
    text = "".join(f"[19:28] * {line}\n" for line in lines) + "[19:29] <Mary> Late.\n"

    assert told(units(tmp_path, text)) == [("", "Mary", "Late.")]


def test_B5_a_mention_on_a_phone_is_a_name_without_signs(tmp_path: Path) -> None:
    text = "[01/03/2026, 19:42:10] Mary: Ask @\u2068~\u202fZel\u2069 that.\n"

    assert [words for _, _, words in told(units(tmp_path, text))] == ["Ask @Zel that."]


OF_A_BOT = """\
Vesna — 03/14/2023 7:12 PM
Kolya opens the hatch.
Avrae
APP
 — 03/14/2023 7:15 PM
@Sam 🎲
Result: 1d20 (14) + 3
Total: 17
Sam — 03/14/2023 7:16 PM
"After you."
"""


def test_a_bots_answer_in_copied_words_is_a_throw_of_who_asked(tmp_path: Path) -> None:
    throw = next(one for one in units(tmp_path, OF_A_BOT) if one.throws)

    assert (throw.sort, throw.speaker, throw.through) == (Sort.ROLL, "Sam", "Avrae")
    assert [(one.dice, one.faces, one.total) for one in throw.throws] == [("1d20+3", (14,), 17)]


def test_reactions_in_words_are_none(tmp_path: Path) -> None:
    log = (
        "[2023-04-13 21:15:05] Lena: The cart stops.\n(- 😂: Ole -)\n"
        '[2023-04-13 21:16:05] Ole: Reacted to "The cart stops." with 👍\n'
    )
    first, second = units(tmp_path, log)

    assert (first.text, first.passed) == ("The cart stops.", (Reason.REACTION,))
    assert second.left_out is Reason.REACTION


def test_headings_of_a_text_are_its_sessions(tmp_path: Path) -> None:
    part = "Ilse: Who goes there?\nBram: Only me.\n"
    log = f"# Session 1\n## The gate\n{part * 2}\n# Session 2\n{part * 2}"
    (tmp_path / "log.txt").write_text(log, "utf-8")

    found = list(read(tmp_path / "log.txt", format="plain"))

    assert [one.session for one in found if one.sort is Sort.SAID] == ["Session 1"] * 4 + ["Session 2"] * 4
    assert [one.text for one in found if one.sort is Sort.SCENE and one.is_read] == ["The gate"]


@pytest.mark.parametrize("time", ["[19:42] ", "19:42 - ", ""])
def test_who_rolled_is_no_part_of_the_words_that_say_so(tmp_path: Path, time: str) -> None:
    lines = (
        "Ilse: I climb.",
        "Ilse rolled 1d20+4: 17",
        "Ilse: I am up.",
        "Odo: So am I.",
        "Odo w\u00fcrfelt 2d6 = 9",
    )
    text = "".join(f"{time}{line}\n" for line in (*lines, "Ilse: Good.", "Odo: Yes.", "Odo: Quick."))

    (tmp_path / "evening.txt").write_text(text, "utf-8")

    found = list(read(tmp_path / "evening.txt", format="plain"))

    assert [(one.speaker, throw.dice, throw.total) for one in found for throw in one.throws] == [
        ("Ilse", "1d20+4", 17),
        ("Odo", "2d6", 9),
    ]
    assert {one.speaker for one in found} == {"Ilse", "Odo"}


IN_SEVERAL_LINES = [
    "{name}\nPERCEPTION: CHECK\n15+5\n1d20+5\n=\n20\n7:42 PM\n",
    "{name}\nPerception: check\n1d20+5\n15+5\n=\n20\n7:42 PM\n",
    "{name}\nPerception\n1d20+5\n20\n2 minutes ago\n",
    "{name}\n1d20 + 5\n20\n",
]


@pytest.mark.parametrize("throw", IN_SEVERAL_LINES)
def test_a_throw_in_several_lines_is_of_the_name_above_it(tmp_path: Path, throw: str) -> None:
    names = ["Thia Bright", "Wolf", "Thia Bright"]
    found = units(tmp_path, "".join(throw.format(name=name) for name in names))

    assert [(one.speaker, one.throws[0].dice, one.throws[0].total) for one in found] == [
        (name, "1d20+5", 20) for name in names
    ]
    assert not any("7:42" in one.text or "ago" in one.text for one in found)


@pytest.mark.parametrize("mark", ["(edited)", "(modifi\u00e9)", "(bearbeitet)", "(\u7de8\u96c6\u6e08)"])
@pytest.mark.parametrize("gap", [" ", "\n"])
def test_the_mark_of_an_edited_message_is_no_word_of_it(tmp_path: Path, gap: str, mark: str) -> None:
    first, second = units(
        tmp_path,
        f"Mary \u2014 03/14/2023 7:12 PM\nThe ferry.{gap}{mark}\nZel \u2014 03/14/2023 7:13 PM\nSo.\n",
    )

    assert (first.text, second.text) == ("The ferry.", "So.")


OF_BEYOND = """\
Thia Bright
To: DM
stealth: check
(17,4)+5
2d20kh1+5
22
Rolled with Basic Black: Black
8:01 PM
Wolf
custom: roll
6
1d6
6
2 hours ago
Thia Bright
shortsword: damage
4+2-1
2d6-1
5
just now
"""
"""Entries in the order of D&D Beyond's own page: who, to whom, what, faces, dice, total, time."""


def test_faces_stand_above_the_dice_in_the_log_of_dnd_beyond(tmp_path: Path) -> None:
    found = units(tmp_path, OF_BEYOND)
    throws = [throw for one in found for throw in one.throws]

    assert [(one.speaker, one.sort, one.hidden) for one in found] == [
        ("Thia Bright", Sort.ROLL, True),
        ("Wolf", Sort.ROLL, False),
        ("Thia Bright", Sort.ROLL, False),
    ]
    assert [(one.text, one.dice, one.faces, one.total) for one in throws] == [
        ("stealth: check", "2d20kh1+5", (17, 4), 22),
        ("custom: roll", "1d6", (6,), 6),
        ("shortsword: damage", "2d6-1", (4, 2), 5),
    ]
