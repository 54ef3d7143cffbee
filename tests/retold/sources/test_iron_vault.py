"""Journals of Iron Vault: given a note, these units."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from retold.journal.refused import Refused
from retold.sources import Unit, read
from retold.sources.dice import Rung
from retold.sources.keys import Ordinals
from retold.sources.unit import Fact, FactKind, Precision, Reason, Sort
from tests.retold.sources.made_up import EXAMPLES

pytest.importorskip("ckdl", reason="needs retold[import]")


def noted(tmp_path: Path, text: str, name: str = "note.md") -> list[Unit]:
    """Units of a note, which is named as one of Iron Vault."""
    (tmp_path / name).write_text(text, "utf-8")
    return list(read(tmp_path / name, format="iron-vault"))


def mechanics(tmp_path: Path, kdl: str) -> Unit:
    """The unit of a block of mechanics."""
    (unit,) = noted(tmp_path, f"```iron-vault-mechanics\n{kdl}\n```\n")
    return unit


def thrown(unit: Unit) -> list[tuple[str, tuple[int, ...], str]]:
    return [(throw.dice, throw.faces, throw.text) for throw in unit.throws]


def test_values_stand_by_name_or_in_their_order(tmp_path: Path) -> None:
    named = mechanics(tmp_path, 'roll "iron" action=2 stat=3 adds=1 vs1=5 vs2=6')
    ordered = mechanics(tmp_path, 'roll "iron" 2 3 1 5 6')

    assert thrown(named) == [("1d6+3+1", (2,), "iron"), ("2d10", (5, 6), "challenge dice")]
    assert thrown(ordered) == thrown(named)


def test_a_negative_number_is_taken_off(tmp_path: Path) -> None:
    unit = mechanics(tmp_path, 'roll "iron" action=2 stat=-1 adds=0 vs1=5 vs2=6')

    assert thrown(unit)[0] == ("1d6-1", (2,), "iron")


def test_a_die_that_shows_more_than_it_can_keeps_its_words(tmp_path: Path) -> None:
    unit = mechanics(tmp_path, 'roll "iron" action=9 stat=1 adds=0 vs1=5 vs2=16')

    assert [throw.rung for throw in unit.throws] == [Rung.WORDS, Rung.WORDS]
    assert [throw.words for throw in unit.throws] == ["iron 9 1 0", "challenge dice 5 16"]


def test_moves_of_an_actor_are_spoken_by_them_and_change_their_meters(tmp_path: Path) -> None:
    unit = mechanics(
        tmp_path, r'actor name="[[People\/Zel.md|Zel]]" { move "Endure Harm" { meter "health" from=3 to=2 } }'
    )

    assert unit.speaker == "Zel"
    assert unit.facts == (Fact(FactKind.TRACK, "health", "2", "Zel"),)


@pytest.mark.parametrize(
    ("kdl", "fact"),
    [
        ('progress name="V" from=12 rank="formidable" steps=2', Fact(FactKind.TRACK, "V", "20/40")),
        ('progress name="V" from-boxes=9 rank="troublesome"', Fact(FactKind.TRACK, "V", "40/40")),
        ('track "V" from-boxes=1 to-boxes=2 to-ticks=3', Fact(FactKind.TRACK, "V", "11/40")),
        ('track "V" status="added"', Fact(FactKind.THREAD, "V", "added")),
        ('clock "C" from=1 to=2 out-of=6', Fact(FactKind.CLOCK, "C", "2/6")),
        ('clock "C" status="removed"', Fact(FactKind.CLOCK, "C", "removed")),
        ("xp 2 4", Fact(FactKind.TRACK, "xp", "4")),
        ("burn 7 2", Fact(FactKind.TRACK, "momentum", "2")),
    ],
)
def test_tracks_and_clocks_are_facts(tmp_path: Path, kdl: str, fact: Fact) -> None:
    assert mechanics(tmp_path, kdl).facts == (fact,)


def test_I11_words_throws_and_meters_of_a_block_keep_their_order(tmp_path: Path) -> None:
    roll = 'roll "heart" action=3 stat=2 adds=0 vs1=4 vs2=9'
    kdl = f'- "A step."\n{roll}\n- "It slips."\nmeter "health" from=3 to=2'
    unit = mechanics(tmp_path, kdl)

    assert unit.order == ("A step.", *unit.throws, "It slips.", *unit.facts)
    assert (len(unit.throws), unit.text) == (2, "A step.\nIt slips.")


def test_nested_oracles_are_throws_of_their_own(tmp_path: Path) -> None:
    unit = mechanics(tmp_path, 'oracle name="[A](x)" roll=34 result="Yes" { oracle "B" 71 "a child" }')

    assert thrown(unit) == [("1d100", (34,), "A: Yes"), ("1d100", (71,), "B: a child")]


@pytest.mark.parametrize(
    "kdl",
    ['roll "iron" {', "a {" * 30 + "}" * 30, 'a "' + "x" * 200_000 + '"', "\ufffd\x7f}{"],
    ids=["open", "deep", "long", "no KDL"],
)
def test_a_block_that_cannot_be_parsed_is_unread_whole(tmp_path: Path, kdl: str) -> None:
    unit = mechanics(tmp_path, kdl)

    assert unit.unread
    assert kdl in unit.raw


def test_an_unknown_node_keeps_its_text_and_is_counted(tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text('```iron-vault-mechanics\nlantern "low" oil=1\n```\n', "utf-8")
    source = read(tmp_path / "note.md")

    assert [unit.text for unit in source] == ["lantern low oil=1"]
    assert source.report().tally.fields["mechanics: lantern"] == 1


def test_codes_in_a_line_become_throws_and_leave_its_words(tmp_path: Path) -> None:
    (unit,) = noted(
        tmp_path, "She hides. `iv-move:Face Danger|shadow|4|2|0|1|6|move:x|burn=8:2` Nobody comes."
    )

    assert (unit.sort, unit.text) == (Sort.TOLD, "She hides. Nobody comes.\nmomentum burnt")
    assert thrown(unit) == [("1d6+2", (4,), "Face Danger (shadow)"), ("2d10", (1, 6), "challenge dice")]
    assert unit.facts == (Fact(FactKind.TRACK, "momentum", "2"),)


def test_an_unknown_code_stays_in_the_text(tmp_path: Path) -> None:
    (unit,) = noted(tmp_path, "x `iv-unknown:what` y")

    assert unit.text == "x `iv-unknown:what` y"


def test_words_out_of_character_are_an_aside_of_their_own_or_stand_in_brackets(tmp_path: Path) -> None:
    alone, inside = noted(tmp_path, "`iv-ooc:a break`\n\nShe waits. `iv-ooc:a break`")

    assert (alone.sort, alone.text) == (Sort.ASIDE, "a break")
    assert (inside.sort, inside.text) == (Sort.TOLD, "She waits.\n(a break)")


@pytest.mark.parametrize(
    "text", ["> [!spoiler]- Who\n> Nobody did.", "%%\nWho\nNobody did.\n%%", "<!-- Who\nNobody did. -->"]
)
def test_spoilers_and_comments_are_notes_of_the_game_master(tmp_path: Path, text: str) -> None:
    (unit,) = noted(tmp_path, text)

    assert (unit.sort, unit.hidden, unit.text) == (Sort.NOTE, True, "Who\nNobody did.")


def test_a_comment_that_never_ends_hides_its_line_and_not_the_note(tmp_path: Path) -> None:
    first, second = noted(tmp_path, "%%Who\n\nShe waits.")

    assert (first.hidden, second.hidden) == (True, False)


def test_links_are_their_words(tmp_path: Path) -> None:
    (unit,) = noted(tmp_path, "[[A/Zel.md]], [[A/b#c|Pell]], [[Jon#Hair]] and [the lamp](a.md)")

    assert unit.text == "Zel, Pell, Jon and the lamp"


def test_mechanics_inside_a_callout_are_read(tmp_path: Path) -> None:
    units = noted(tmp_path, "> [!INFO] The hold\n> Water.\n> ```mechanics\n> xp 1 2\n> ```\n> Mud.")

    assert [(unit.text, len(unit.facts)) for unit in units] == [
        ("The hold", 0),
        ("Water.", 0),
        ("", 1),
        ("Mud.", 0),
    ]


def test_a_spoiler_with_mechanics_stays_hidden_whole(tmp_path: Path) -> None:
    (unit,) = noted(tmp_path, "> [!spoiler]\n> ```iron-vault-mechanics\n> xp 1 2\n> ```")

    assert unit.hidden


@pytest.mark.parametrize(
    ("head", "name", "when", "precision"),
    [
        ("---\ndate: 2026-03-01T19:30\n---\n", "note.md", "2026-03-01T19:30:00", Precision.MINUTE),
        ("", "2026-03-02 The hold.md", "2026-03-02T00:00:00", Precision.DAY),
        ("---\ncreated: 2026-02-30\n---\n", "2026-03-02.md", "2026-03-02T00:00:00", Precision.DAY),
    ],
)
def test_the_day_is_that_of_a_property_or_of_the_name(
    tmp_path: Path, head: str, name: str, when: str, precision: Precision
) -> None:
    *_, unit = noted(tmp_path, f"{head}She waits.", name)

    assert unit.when is not None
    assert (unit.when.time.isoformat(), unit.when.precision) == (when, precision)


def test_properties_are_counted_and_left_out(tmp_path: Path) -> None:
    head, _ = noted(tmp_path, "---\ndate: 2026-03-01\n---\nShe waits.")

    assert head.left_out is Reason.FRAME


def test_a_rule_at_the_top_without_an_end_begins_no_properties(tmp_path: Path) -> None:
    rule, words = noted(tmp_path, "---\nShe waits.")

    assert (rule.left_out, words.text) == (Reason.FRAME, "She waits.")


def test_sheets_of_a_vault_are_no_play() -> None:
    source = read(EXAMPLES / "iron-vault")

    assert {unit.channel for unit in source} == {"2026-03-01 The ferry", "2026-03-02"}
    assert source.ignored == ("Zel.md",)


def test_a_note_of_one_sign_is_read_in_a_moment(tmp_path: Path) -> None:
    for sign in ("[", "`", "#", "%", "> x", "^", "!", "-", "[[a|", "`iv-", "%%\n"):
        assert noted(tmp_path, sign * (100_000 // len(sign)))


def test_without_the_library_mechanics_are_refused_with_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ckdl", None)

    with pytest.raises(Refused, match="ckdl, which is an extra: "):
        mechanics(tmp_path, "xp 1 2")


NOTES = """\
---
title: The chapel
date: 14/02/2025
---

# Session 12

## The nave

Water stands in the nave. #wet

**Mira**: "I am not going in there."
**Corin:** You are.
The door closes.

- They find the [[Silver Key|key]]
- Corin loses a boot

**Loot:** a brass key

| who | what |
|---|---|
| Mira | rope |

#session #chapel

# Session 13 (2025-02-21)

**GM**: Something moved.
"""


def test_notes_of_a_session_have_speech_days_and_sessions(tmp_path: Path) -> None:
    found = [one for one in noted(tmp_path, NOTES) if one.is_read]

    assert [(one.session[8:10], one.sort.value, one.speaker, one.text) for one in found] == [
        ("12", "scene", "", "The nave"),
        ("12", "told", "", "Water stands in the nave. #wet"),
        ("12", "said", "Mira", '"I am not going in there."'),
        ("12", "said", "Corin", "You are."),
        ("12", "told", "", "The door closes."),
        ("12", "told", "", "They find the key\nCorin loses a boot"),
        ("12", "aside", "", "**Loot:** a brass key"),
        ("12", "aside", "", "| who | what |\n|---|---|\n| Mira | rope |"),
        ("13", "said", "GM", "Something moved."),
    ]
    days = {one.session[8:10]: one.when.time.date().isoformat() for one in found if one.when}
    assert days == {"12": "2025-02-14", "13": "2025-02-21"}


def test_speech_in_a_paragraph_keeps_the_key_that_the_paragraph_had(tmp_path: Path) -> None:
    whole, *_ = noted(tmp_path, '**Mira** waits.\n"No."')
    first, second = noted(tmp_path, '**Mira:** "No."\nShe waits.')

    assert (whole.former, first.former, first.key == second.key) == ("", second.former, False)


@pytest.mark.parametrize("date", ["1492-04-03", "12 Mirtul 1492", "03/04/2025"])
def test_a_day_of_another_world_or_order_dates_no_note(tmp_path: Path, date: str) -> None:
    source = read(_written(tmp_path, f"---\ndate: {date}\n---\nShe waits."), format="iron-vault")

    assert [one.when for one in source] == [None, None]
    assert source.report().tally.dates_unclear is (date == "03/04/2025")


def test_notes_are_known_and_a_log_of_names_is_none(tmp_path: Path) -> None:
    for text in ("---\ndate: 2025-02-14\n---\nShe waits.", "# Session 1\n\nShe waits."):
        with pytest.raises(Refused, match="may be notes in Markdown"):
            read(_written(tmp_path, text))
    with pytest.raises(Refused, match="may be lines of text"):
        read(_written(tmp_path, "# Session 1\n" + "Mira: I go.\nCorin: Go.\n" * 3))


def _written(folder: Path, text: str) -> Path:
    (folder / "notes.md").write_text(text, "utf-8")
    return folder / "notes.md"


def test_a_comment_within_a_line_leaves_the_line_and_its_count(tmp_path: Path) -> None:
    found = noted(tmp_path, "It rains. %%They know.%% Then <!-- not -->it stops.\nSo.\n\n%%a%% %%b%%")

    assert [(one.text, one.hidden, one.pieces) for one in found] == [
        ("It rains. Then it stops.\nSo.", False, 2),
        ("They know.", True, 0),
        ("not", True, 0),
        ("a", True, 1),
        ("b", True, 0),
    ]


def test_signs_of_a_comment_in_code_hide_nothing_behind_it(tmp_path: Path) -> None:
    *_, told, note = noted(tmp_path, "```mermaid\n%% graph\n```\n\nIt ends. %%Or not.%%")

    assert (told.text, told.hidden, note.text, note.hidden) == ("It ends.", False, "Or not.", True)


def test_a_paragraph_with_a_comment_has_the_key_of_the_whole_as_its_former(tmp_path: Path) -> None:
    text = "It rains. %%They know.%% Then it stops."
    told, _ = noted(tmp_path, text)

    assert told.former == Ordinals().key("", text) != told.key
