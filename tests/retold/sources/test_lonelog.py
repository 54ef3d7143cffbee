"""Lonelog and Partylog: given this text, these units."""

from __future__ import annotations

from pathlib import Path

import pytest

from retold.journal.decks.chance import Luck, SeededDealer
from retold.journal.decks.expressions import parse_throw
from retold.journal.decks.throws import throw
from retold.journal.refused import Refused
from retold.sources import READERS, Unit, read
from retold.sources.dice import Rung, lonelog
from retold.sources.lonelog.log import look
from retold.sources.sniffing import Head, Likeness
from retold.sources.unit import FactKind, Precision, Reason, Sort
from tests.retold.sources.made_up_lonelog import NOTEBOOK, OLD, PARTY

FENCE = "```"


@pytest.fixture(name="path")
def _path(tmp_path: Path) -> Path:
    return tmp_path / "log.md"


def units(path: Path, text: str) -> list[Unit]:
    """Units of a log in blocks, without the fences."""
    path.write_text(f"{FENCE}\n{text}\n{FENCE}\n", "utf-8")
    return [unit for unit in read(path, format="lonelog") if unit.left_out is not Reason.FRAME]


def told(found: list[Unit]) -> list[tuple[str, str, str]]:
    return [(str(unit.sort), unit.speaker, unit.text) for unit in found]


# --- Signs ---


def test_an_act_a_roll_and_what_came_of_it(path: Path) -> None:
    found = units(path, "@(Zel) Pick the lock\nd: 2d6=8 vs TN 7 -> Success\n=> The door opens.")

    assert told(found) == [
        ("declared", "Zel", "Pick the lock"),
        ("roll", "Zel", "2d6=8 vs TN 7 -> Success"),
        ("told", "", "The door opens."),
    ]
    (thrown,) = found[1].throws
    assert (thrown.rung, thrown.dice, thrown.total) == (Rung.TOTAL, "2d6", 8)
    assert (thrown.against, thrown.verdict) == ("TN 7", "Success")


@pytest.mark.parametrize(
    ("text", "sort", "speaker", "words"),
    [
        ("@(Zel+Pell) Force the door", "declared", "Zel", "(Zel+Pell) Force the door"),
        ("@(Zel > Pell) Hold the rope", "declared", "Zel", "(Zel > Pell) Hold the rope"),
        ("@Run", "declared", "PC", "Run"),
        ('@(Zel) "Who sent you?"', "said", "Zel", "Who sent you?"),
        ('@(Zel) "Stay," he says', "declared", "Zel", '"Stay," he says'),
        ("? Is it locked?", "aside", "PC", "Is it locked?"),
        ("?(Zel asks) Is it locked?", "aside", "Zel", "Is it locked?"),
        ("! A bell rings", "told", "", "A bell rings"),
        ("!A bell rings", "told", "", "A bell rings"),
        ('PC(Zel): "Not today."', "said", "Zel", "Not today."),
        ('N (Warder): [nervous] "Just an old place."', "said", "Warder", "[nervous] Just an old place."),
        ('PC (Zel, whisper): "Run."', "said", "Zel", "[whisper] Run."),
        ('PJ : "Personne."', "said", "PC", "Personne."),
        ("(note: a good roll)", "note", "", "a good roll"),
        ("(once) or (twice)", "note", "", "(once) or (twice)"),
        ("(house rule: fog counts double)", "note", "", "house rule: fog counts double"),
        ("(Back to the present)", "note", "", "Back to the present"),
        ("\\--- A letter, wet ---\\", "told", "", "A letter, wet"),
        ("The lamp goes out.", "told", "", "The lamp goes out."),
        ("R2", "note", "", "R2"),
        ("tbl: Mood [Tense, Hopeful]", "note", "", "Mood [Tense, Hopeful]"),
        ("d: option of the table", "note", "", "option of the table"),
    ],
)
def test_a_line_of_each_sign(path: Path, text: str, sort: str, speaker: str, words: str) -> None:
    assert told(units(path, f"@(Ana) Wait\n\n{text}")[1:]) == [(sort, speaker, words)]


def test_a_bare_act_is_of_the_only_character_who_is_played(path: Path) -> None:
    found = units(path, "[PC:Zel|HP 8]\n@ Run\nPC: Wait!\n[PC:HP-2]")

    assert [unit.speaker for unit in found] == ["", "Zel", "Zel", ""]
    assert (found[3].facts[1].whose, found[3].facts[1].value) == ("Zel", "6")


def test_an_answer_belongs_to_its_question(path: Path) -> None:
    question, answer, roll, free = units(path, "? Is it locked?\n-> No\nd: d6=5 vs 4 -> Yes\n=> It is.\n")

    assert answer.answers == roll.answers == question.key
    assert (answer.sort, roll.sort, free.answers) == (Sort.ASIDE, Sort.ROLL, "")
    assert roll.throws[0].text == "Is it locked?"


def test_an_answer_with_its_die_is_a_roll(path: Path) -> None:
    found = units(path, "? Is it locked?\n-> Yes, but... (d6=4 on oracle)")[1]

    assert (found.sort, found.text) == (Sort.ROLL, "Yes, but... (d6=4 on oracle)")
    assert (found.throws[0].faces, found.throws[0].verdict) == ((4,), "Yes, but...")


def test_who_helps_and_who_throws(path: Path) -> None:
    """In Lonelog the second of two makes the roll, in Partylog, which has `!`, the first."""
    act = "@(Ana > Zel) Hold the rope\nd: d20=4 -> No"

    assert [unit.speaker for unit in units(path, act)] == ["Ana", "Zel"]
    assert [unit.speaker for unit in units(path, "! Rain\n" + act)[1:]] == ["Ana", "Ana"]


def test_a_line_goes_on_below_it(path: Path) -> None:
    text = '=> A long\n   sentence.\n(note: open\nstill open)\nPC(Zel): "Two\nlines."\n'
    text += "gen: Clerk\n  Role: d6=2 -> Rude"
    found = units(path, text)

    assert [unit.text for unit in found] == [
        "A long\nsentence.",
        "open\nstill open",
        "Two\nlines.",
        "Clerk\nRole: d6=2 -> Rude",
    ]
    assert [unit.pieces for unit in found] == [2, 2, 2, 2]
    assert found[3].throws[0].verdict == "Rude"


def test_a_line_in_shorthand_is_several_units_and_one_piece(path: Path) -> None:
    found = units(path, "S1 @Sneak d:4≥5 F => noise [E:Alert 1/6] ?Seen? ->Nb3 => distracted")

    assert told(found) == [
        ("scene", "", "S1"),
        ("declared", "PC", "Sneak"),
        ("note", "", "4≥5 F"),
        ("told", "", "noise"),
        ("aside", "PC", "Seen?"),
        ("aside", "PC", "Nb3"),
        ("told", "", "distracted"),
    ]
    assert [unit.pieces for unit in found] == [1, 0, 0, 0, 0, 0, 0]


def test_words_that_look_like_a_sign_inside_a_line_are_words(path: Path) -> None:
    assert told(units(path, "=> He reads: d: a letter -> nothing\n! A sign says d: none")) == [
        ("told", "", "He reads: d: a letter -> nothing"),
        ("told", "", "A sign says d: none"),
    ]


# --- Old signs, notebooks ---


@pytest.mark.parametrize(
    ("text", "is_old"),
    [
        ("> Run\nd: d6=4 => Fail\n=> Mud.", True),
        ("@ Run\nd: d6=4 -> Fail\n=> Mud.", False),
        ("d: Far 2d6 [Far->Close] = 8 => Near", True),
        ("d: d6=4 -> Fail => Mud.", False),
        ("> Run\n=> Mud.", True),
        ("@ Run\n=> Mud.", False),
    ],
)
def test_the_first_roll_tells_the_signs_and_the_report_says_them(path: Path, text: str, is_old: bool) -> None:
    path.write_text(f"{FENCE}\n{text}\n{FENCE}\n", "utf-8")
    source = read(path, format="lonelog")

    assert ("older signs" in source.report().tally.pattern) is is_old


def test_old_acts_stand_in_blocks_and_quotations_beside_them(path: Path) -> None:
    path.write_text(f"{FENCE}\n> Run\nd: d6=4 => Fail\n{FENCE}\n\n> Rain.\n", "utf-8")
    found = [unit for unit in read(path, format="lonelog") if unit.is_read]

    assert told(found) == [("declared", "PC", "Run"), ("roll", "PC", "d6=4 => Fail"), ("told", "", "> Rain.")]
    assert found[1].throws[0].verdict == "Fail"


@pytest.mark.parametrize("text", [PARTY, OLD, NOTEBOOK])
def test_nothing_is_unread_but_a_block_of_another_kind(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")

    assert [unit.raw.split("\n")[0] for unit in read(path) if unit.unread] == (
        ["```dataview"] if "dataview" in text else []
    )


# --- Headings, header ---


def test_sessions_and_scenes_are_told_by_headings(path: Path) -> None:
    text = "# Fog\n\n## Session 3: The toll\n*Date: 2026-03-01 | Duration: 3h*\n\n"
    path.write_text(
        text + "### S7 *Dark alley*\n\n=> Rain.\n\n## Sessione 4\n\n### S7a *Before*\n\n@ Wait\n", "utf-8"
    )
    found = [unit for unit in read(path, format="lonelog") if unit.is_read]

    assert [(unit.text, unit.session) for unit in found] == [
        ("Fog", ""),
        ("Date: 2026-03-01 | Duration: 3h", "Session 3: The toll"),
        ("Dark alley", "Session 3: The toll"),
        ("Rain.", "Session 3: The toll"),
        ("S7a Before", "Sessione 4"),
        ("Wait", "Sessione 4"),
    ]
    when = found[3].when
    assert when is not None
    assert (when.time.isoformat(), when.precision) == ("2026-03-01T00:00:00", Precision.DAY)
    assert found[5].when is None


def test_a_date_that_may_begin_with_the_month_is_asked(path: Path) -> None:
    path.write_text("=== Sessione 1 ===\n[Data] 03-02-2026\n\n=> Pioggia.\n", "utf-8")
    source = read(path, format="lonelog")

    assert source.report().tally.dates_unclear
    assert all(unit.when is None for unit in source)


def test_the_header_names_title_game_and_people(path: Path) -> None:
    path.write_text(PARTY, "utf-8")
    facts = [fact for unit in read(path) if unit.place.first < 13 for fact in unit.facts]

    assert [(fact.kind, fact.name) for fact in facts[:3]] == [
        (FactKind.TITLE, "The Ferry at Grey Sound"),
        (FactKind.GAME, "Two Dice"),
        (FactKind.GAME_MASTER, "Mary"),
    ]
    assert [(fact.name, fact.player) for fact in facts if fact.player] == [("Zel", "Jon"), ("Pell", "Ana")]


# --- Tags ---


@pytest.mark.parametrize(
    ("tag", "facts"),
    [
        ("[N:Warder|asleep]", [("person", "Warder", "asleep", "")]),
        ("[PNG:Warder|+sveglio]", [("person", "Warder", "+sveglio", "")]),
        (
            "[PC:Zel|trait:quick|status:hurt|stat:HP 8, Nerve 3]",
            [
                ("person", "Zel", "trait:quick, status:hurt", ""),
                ("track", "HP", "8", "Zel"),
                ("track", "Nerve", "3", "Zel"),
            ],
        ),
        ("[PC:Zel|HP 12/34]", [("person", "Zel", "", ""), ("track", "HP", "12/34", "Zel")]),
        ("[PC:Zel|HP-5→HP 13/18]", [("person", "Zel", "", ""), ("track", "HP", "13/18", "Zel")]),
        ("[PC:Zel|HP-2]", [("person", "Zel", "HP-2", "")]),
        ("[L:Ferry House|dark|wet]", [("place", "Ferry House", "dark, wet", "")]),
        ("[Fil:Qui paie ?|Ouvert]", [("thread", "Qui paie ?", "Ouvert", "")]),
        ("[Quest:The Third Crossing|Main]", [("thread", "The Third Crossing", "Main", "")]),
        ("[Clock:Watch 2/6]", [("clock", "Watch", "2/6", "")]),
        ("[E:AlarmClock 1/4]", [("clock", "AlarmClock", "1/4", "")]),
        ("[Track:Escape 3/8]", [("track", "Escape", "3/8", "")]),
        ("[Timer:Dawn 3]", [("track", "Dawn", "3", "")]),
        ("[Party:Gold 30|Rations 4]", [("track", "Gold", "30", ""), ("track", "Rations", "4", "")]),
    ],
)
def test_a_tag_states_facts(path: Path, tag: str, facts: list[tuple[str, str, str, str]]) -> None:
    (found,) = units(path, tag)

    assert (found.sort, found.text) == (Sort.NOTE, "")
    assert [(str(one.kind), one.name, one.value, one.whose) for one in found.facts] == facts


@pytest.mark.parametrize(
    "tag", ["[Loot:Ring|unassigned]", "[OOC: Break | 15 mins]", "[Party:XP+1 each]", "[Clock:Watch +1]"]
)
def test_a_tag_that_states_nothing_stays_as_words(path: Path, tag: str) -> None:
    (found,) = units(path, tag)

    assert (found.text, found.facts) == (tag, ())


def test_a_change_is_counted_from_what_was_said_before(path: Path) -> None:
    found = units(path, "[PC:Zel|HP 8/9] [Clock:Watch 1/6]\n=> Hit. [PC:Zel|HP-3] [Clock:Watch +2]")

    assert [fact.value for fact in found[1].facts if fact.value] == ["5/9", "3/6"]
    assert found[1].text == "Hit."


def test_a_tag_inside_a_sentence_leaves_its_name(path: Path) -> None:
    found = units(
        path, "=> [#N:Warder] comes closer, and [PC:Zel|hurt] meets him.\n=> He leaves. [N:Warder|gone]"
    )

    assert [unit.text for unit in found] == ["Warder comes closer, and Zel meets him.", "He leaves."]


# --- Dice ---


@pytest.mark.parametrize(
    ("words", "dice", "faces", "total"),
    [
        ("Stealth d6=4 vs TN 5", "1d6", (4,), 4),
        ("4d6=6,6,4,1", "4d6", (6, 6, 4, 1), 17),
        ("4d6=6,5,4,2 (take highest=6)", "4d6kh1", (6, 5, 4, 2), 6),
        ("2d20=17,8 (take lower)", "2d20kl1", (17, 8), 8),
        ("d20=15+Mod=2=17 vs AC 16", "1d20+2", (15,), 17),
        ("2d6=4+3=7", "2d6", (4, 3), 7),
        ("4dF=+1 (+0+-) +Skill=3 = +4", "4dF+3", (1, 0, 1, -1), 4),
        ("Challenge d10=3,7", "2d10", (3, 7), 10),
        ("d%=34", "1d100", (34,), 34),
        ("Zel rolls 2d6: 5 4 (called)", "2d6", (5, 4), 9),
        ("The fog rolls 4dF: + 0 - - (gewürfelt)", "4dF", (1, 0, -1, -1), -1),
    ],
)
def test_faces_that_retolds_rules_take(words: str, dice: str, faces: tuple[int, ...], total: int) -> None:
    (found,) = lonelog.throws(words)
    luck = Luck(SeededDealer(b"", 1, {}), [str(face) for face in found.faces])
    taken = throw(parse_throw(found.dice), luck)
    luck.finish()

    assert (found.rung, found.dice, found.faces, found.total) == (Rung.FACES, dice, faces, total)
    assert taken.total == total


@pytest.mark.parametrize(
    ("words", "dice", "total"),
    [
        ("2d6=8 vs TN 7", "2d6", 8),
        ("d20+5=8 vs DC 14", "1d20+5", 8),
        ("d20+6 (adv)=21 vs AC 16", "2d20kh1+6", 21),
        ("d20+6 [Dis: fog] = 9", "2d20kl1+6", 9),
        ("4d6dl1=15", "4d6kh3", 15),
        ("5d10>=7=3", "5d10>=7", 3),
        ("Damage 2d6! =13", "2d6!", 13),
        ("Overcome 4dF+2=3", "4dF+2", 3),
        ("4dF=+2 (++0-)", "4dF", 2),
    ],
)
def test_totals_where_faces_are_not_given(words: str, dice: str, total: int) -> None:
    (found,) = lonelog.throws(words)

    assert (found.rung, found.dice, found.total) == (Rung.TOTAL, dice, total)
    parse_throw(found.dice)


def test_I6_a_number_that_the_die_does_not_have_is_words() -> None:
    (found,) = lonelog.throws("d6=9")

    assert (found.rung, found.words) == (Rung.WORDS, "d6=9")


@pytest.mark.parametrize(
    "words", ["d20+Lockpicking=17 vs DC 15", "draw=Qs", "2d6+Shadow, a miss", "200d6=700"]
)
def test_dice_and_cards_that_stay_words(words: str) -> None:
    assert [one.rung for one in lonelog.throws(words)] == [Rung.WORDS]


@pytest.mark.parametrize(
    "words", ["5≥4 S", "spend a lamp", "Osk: 1d20+4\uff3bdex\uff3d is 18 against 15, passed by 3"]
)
def test_lines_without_dice_of_their_own_are_no_throw(words: str) -> None:
    assert lonelog.throws(words) == ()


@pytest.mark.parametrize(
    ("words", "verdict", "dice", "faces"),
    [
        ("2d10", "Strong hit (8, 7)", "2d10", (8, 7)),
        ("Climb d20+2", "Success (15)", "1d20+2", (15,)),
        ("d100", "45: A lamp", "1d100", (45,)),
    ],
)
def test_faces_may_stand_in_the_outcome(words: str, verdict: str, dice: str, faces: tuple[int, ...]) -> None:
    (found,) = lonelog.throws(words, verdict)

    assert (found.rung, found.dice, found.faces, found.verdict) == (Rung.FACES, dice, faces, verdict)


@pytest.mark.parametrize("verdict", ["Miss (10 wolves)", "Hit (8)", "Hit (8, 17)", "7-9, partly"])
def test_other_numbers_in_an_outcome_are_no_faces(verdict: str) -> None:
    assert [one.rung for one in lonelog.throws("2d10", verdict)] == [Rung.WORDS]


def test_an_outcome_may_hold_a_throw_of_its_own() -> None:
    found = lonelog.throws("d20+6=21 vs AC 16", "Hit, 1d12+4=13 dmg")

    assert [(one.dice, one.total, one.verdict) for one in found] == [
        ("1d20+6", 21, "Hit, 1d12+4=13 dmg"),
        ("1d12+4", 13, ""),
    ]


# --- Whole files ---


def test_a_hidden_comment_is_for_the_game_master(path: Path) -> None:
    path.write_text("%% The warder\nlies. %%\n\n@ Ask\n\n<!-- So does Pell. -->\n", "utf-8")
    found = list(read(path, format="lonelog"))

    assert [(unit.text, unit.hidden) for unit in found if unit.sort is Sort.NOTE] == [
        ("The warder\nlies.", True),
        ("So does Pell.", True),
    ]


def test_a_picture_is_its_name(path: Path) -> None:
    path.write_text("@ Look\n\n![the map](maps/grey.png?key=1)\n![[pell.webp|200]]\n", "utf-8")

    assert list(read(path, format="lonelog"))[1].attached == ("[picture: grey.png]", "[picture: pell.webp]")


@pytest.mark.parametrize(
    ("text", "likeness"),
    [
        (PARTY, Likeness.SURELY),
        (OLD, Likeness.SURELY),
        (NOTEBOOK, Likeness.SURELY),
        ("S1 @Sneak d:4≥5 F => noise\nS2 @Search d:6≥4 S\n=> key\n", Likeness.SURELY),
        ("=> once\n", Likeness.PERHAPS),
        ("- a list\n- of things\n> a quotation\n", Likeness.NO),
        ("Zel: Not today.\nPell: Nor tomorrow.\n", Likeness.NO),
        ("const f = (a) =>\n  a;\n", Likeness.NO),
    ],
)
def test_how_a_log_looks(text: str, likeness: Likeness) -> None:
    assert look(Head("log.md", text)) is likeness


def test_prose_alone_is_no_log(path: Path) -> None:
    path.write_text("Once upon a time there was a ferry.\n", "utf-8")

    with pytest.raises(Refused, match="no line that begins with a sign of Lonelog"):
        list(read(path, format="lonelog"))


def test_a_log_cannot_mark_what_was_hidden() -> None:
    (reader,) = (one for one in READERS if one.name == "lonelog")

    assert (reader.can_mark, reader.has_ids) == (False, False)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "(",
            "[",
            "@(",
            "d:",
            "d6+",
            "d6=1,",
            "-",
            "=",
            "* ",
            "#",
            "|",
            "[PC:a|",
            "(note: ",
            "`",
            "S1",
            "1",
        ),
        *('"', "[N:a]", "\\--- ", " ", "a: ", "@a d:1 ", "=> "),
    ],
)
def test_a_long_line_of_one_sign_is_read(path: Path, text: str) -> None:
    """A pattern that took more than linear time would run into the time limit of all tests."""
    long = text * (250_000 // len(text))
    path.write_text(f"@ Wait\n{FENCE}\n{long}\n{FENCE}\n{long}\n", "utf-8")
    report = read(path, format="lonelog").report()

    assert (report.pieces, len(report.unread)) == (5 - long.isspace() * 2, 0)


def test_half_a_piece_at_the_end_is_a_piece(path: Path) -> None:
    for length in range(0, len(PARTY), 37):
        path.write_text(PARTY[:length], "utf-8")
        try:
            report = read(path, format="lonelog").report()
        except Refused:
            continue
        assert report.pieces == report.counted


@pytest.mark.parametrize("text", [PARTY, OLD, NOTEBOOK])
def test_keys_hold_when_the_log_grows(path: Path, text: str) -> None:
    """Whatever is read up to some line has the same key in the whole log; only the last unit may go on."""
    path.write_text(text, "utf-8")
    whole = [unit.key for unit in read(path)]

    lines = text.split("\n")
    for number in range(25, len(lines)):
        path.write_text("\n".join(lines[:number]), "utf-8")
        part = [unit.key for unit in read(path, format="lonelog")]
        assert part[:-1] == whole[: len(part) - 1]
