"""Foundry's database: the newest row counts, what is hidden stays hidden, and every face is where it lay."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.journal.markup import words_of
from retold.sources import Unit, read
from retold.sources.dice import Rung, foundry
from retold.sources.unit import Reason, Sort
from tests.retold.sources import made_up
from tests.retold.sources.made_up import EXAMPLES
from tests.retold.sources.test_dice import is_taken


def by_letter() -> dict[str, Unit]:
    return {unit.key[0]: unit for unit in read(EXAMPLES / "foundry") if len(unit.key) == 16}


def test_the_last_line_of_an_id_counts_and_its_lines_are_one_unit() -> None:
    found = by_letter()["b"]

    assert (found.text, found.pieces) == ("Somebody is aboard, I think.", 2)


def test_a_deleted_message_and_the_index_are_frame_and_half_a_line_is_unread() -> None:
    found = list(read(EXAMPLES / "foundry"))

    assert [unit.pieces for unit in found if unit.left_out is Reason.FRAME] == [1, 2]
    assert [unit.raw for unit in found if unit.unread] == [
        '{"_id":"mmmmmmmmmmmmmmmm","user":"…","content":"half a l'
    ]


def test_the_tools_own_greeting_is_a_banner() -> None:
    assert by_letter()["n"].left_out is Reason.BANNER


def test_messages_are_in_the_order_of_time_and_then_of_ids() -> None:
    found = [unit.key[0] for unit in read(EXAMPLES / "foundry") if unit.is_read]

    assert found == list("abcdefghik")


def test_a_whisper_is_hidden_and_a_blind_roll_even_from_its_thrower() -> None:
    found = by_letter()

    assert (found["g"].hidden, found["g"].to) == (True, ("Mary", "unknown user 38d787"))
    assert (found["f"].hidden, found["f"].blind, found["f"].to) == (True, True, ())
    assert not found["g"].blind
    assert not any(unit.hidden for letter, unit in found.items() if letter not in "fgn")


def test_the_label_is_the_alias_or_else_the_actor_or_the_user() -> None:
    found = by_letter()

    assert [found[letter].speaker for letter in "bka"] == ["Zel", "Zel", "Mary"]


def test_a_card_is_its_words_without_buttons_and_pictures() -> None:
    card = by_letter()["i"]

    assert (card.sort, card.text) == (Sort.CARD, "Boathook\nA hook & a pole.")
    assert card.passed == (Reason.BUTTON, Reason.DECORATION)


def test_throws_keep_their_faces() -> None:
    rungs = {
        letter: [throw.rung for throw in unit.throws] for letter, unit in by_letter().items() if unit.throws
    }
    stealth, rerolled = by_letter()["c"].throws[0], by_letter()["d"].throws[0]

    assert rungs == {"c": [Rung.FACES], "d": [Rung.FACES] * 2, "e": [Rung.FACES], "f": [Rung.WORDS]}
    assert (stealth.dice, stealth.faces, stealth.text) == ("2d20kh1+5", (4, 17), "Stealth")
    assert (rerolled.dice, rerolled.faces, rerolled.formula) == ("4d6", (1, 6, 3, 2), "2d6rx = 12")


def lying(*faces: int, rerolled: int = 0, exploded: int = 0, dropped: int = 0) -> list[dict[str, Any]]:
    """Faces, of which so many at the beginning were rerolled or exploded, or at the end dropped."""
    found = [made_up._lay(face, rerolled=place < rerolled) for place, face in enumerate(faces)]
    for place, one in enumerate(found):
        one.update(exploded=place < exploded, discarded=place >= len(faces) - dropped)
    return found


@pytest.mark.parametrize(
    ("term", "dice", "faces", "total"),
    [
        (made_up._die(4, 6, lying(6, 5, 3, 1, dropped=1), "dl1"), "4d6kh3", (6, 5, 3, 1), 14),
        (made_up._die(2, 6, lying(1, 5, 3, rerolled=1), "r1"), "2d6ro1", (1, 5, 3), 8),
        (made_up._die(2, 6, lying(6, 6, 6, 2, 1, exploded=3), "x"), "2d6!", (6, 6, 6, 1, 2), 21),
        (made_up._die(3, 10, lying(9, 7, 2), "cs>=7"), "3d10>=7", (9, 7, 2), 2),
    ],
)
def test_foundrys_faces_are_taken(
    term: dict[str, Any], dice: str, faces: tuple[int, ...], total: int
) -> None:
    found = foundry.throw_of(made_up._roll("?", total, term))

    assert found is not None
    assert (found.rung, found.dice, found.faces, found.total) == (Rung.FACES, dice, faces, total)
    assert is_taken(found)


def test_a_fraction_that_parts_equal_initiatives_is_left_away() -> None:
    found = foundry.throw_of(
        made_up._roll("1d20 + 2 + 0.14", 14.14, made_up._die(1, 20, lying(12)), *_plus(2), *_plus(0.14))
    )

    assert found is not None
    assert (found.rung, found.dice, found.faces, found.total) == (Rung.FACES, "1d20+2", (12,), 14)
    assert found.words == "1d20 + 2 + 0.14 = 14.14"


def test_I6_half_a_total_is_kept_beside_its_die() -> None:
    found = foundry.throw_of(made_up._roll("1d6 / 2", 2.5, made_up._die(1, 6, lying(5)), {"class": "X"}))

    assert found is not None
    assert (found.rung, found.dice, found.faces, found.formula) == (
        Rung.FACES,
        "1d6",
        (5,),
        "1d6 / 2 = 2.5",
    )


def test_files_beside_the_messages_are_no_log_even_if_the_tool_is_named() -> None:
    source = read(EXAMPLES / "foundry", format="foundry")

    assert sorted(source.ignored) == ["actors.db", "users.db"]


def _plus(number: float) -> list[dict[str, Any]]:
    return [made_up.PLUS, made_up._number(number)]


def test_rolls_of_old_versions_have_bare_signs_and_numbers() -> None:
    found = foundry.throw_of(made_up._roll("1d6 - 2", 3, made_up._die(1, 6, [made_up._lay(5)]), "-", 2))

    assert found is not None
    assert (found.rung, found.dice) == (Rung.FACES, "1d6-2")


# --- The text log ---


def test_the_text_log_has_faces_where_a_term_is_one_die() -> None:
    throws = [throw for unit in read(EXAMPLES / "foundry.txt") for throw in unit.throws]

    assert [(throw.rung, throw.dice, throw.faces, throw.total) for throw in throws] == [
        (Rung.TOTAL, "2d20kh1+5", (), 22),
        (Rung.FACES, "1d20", (12,), 12),
        (Rung.FACES, "1d6+1d4-1", (5, 3), 7),
        (Rung.FACES, "1d20+2", (12,), 14),
        (Rung.FACES, "(1d6+1)*2", (5,), 12),
    ]
    assert all(is_taken(throw) for throw in throws if throw.rung is Rung.FACES)


def test_hyphens_inside_a_message_are_told_by_what_follows() -> None:
    found = [unit for unit in read(EXAMPLES / "foundry.txt") if unit.speaker == "Pell"]

    assert [unit.left_out for unit in found] == [None, Reason.EMPTY, None]
    assert found[0].text.endswith(f"{'-' * 27}\nand it goes on. x = 2 = y")


@pytest.mark.parametrize("end", ["-" * 27, f"\n{'-' * 27}\n\n", "-" * 14])
def test_B27_the_line_under_the_last_message_of_pasted_text_is_no_word(tmp_path: Path, end: str) -> None:
    whole = f"[3/1/2026, 7:42:10 PM] Zel\nNot today.\n{'-' * 27}\n[3/1/2026, 7:43:10 PM] Pell\nSoon."
    (tmp_path / "fvtt-log.txt").write_text(whole, "utf-8")
    (tmp_path / "pasted.txt").write_text(f"{whole}\n{end}", "utf-8")
    first, last = read(tmp_path / "pasted.txt")

    assert [first.text, last.text] == ["Not today.", "Soon."]
    assert [first.key, last.key] == [unit.key for unit in read(tmp_path / "fvtt-log.txt")]
    assert (first.former, bool(last.former)) == ("", True)


def test_times_of_the_text_log_are_month_first_and_local() -> None:
    first = next(iter(read(EXAMPLES / "foundry.txt")))

    assert first.when is not None
    assert first.when.time.isoformat() == "2026-03-01T19:42:10"


@given(st.text(alphabet="0123456789d+-=. khx<>()[]r", max_size=60))
def test_any_line_is_a_throw_or_none(line: str) -> None:
    found = foundry.throw_in(line)

    assert found is None or found.rung in Rung


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(["Die", "NumericTerm", "+", "kh", "cs>"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["class", "number", "faces", "results", "result", "terms", "total", "modifiers", "operator"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@pytest.mark.parametrize("field", ["class", "number", "faces", "results", "modifiers"])
@pytest.mark.parametrize("value", [5, 1.5, True, "x", None, [7], {"a": 1}])
def test_a_die_with_a_field_of_another_type_is_a_throw(field: str, value: object) -> None:
    term = {**made_up._die(1, 6, lying(4)), field: value}
    found = foundry.throw_of({"formula": "1d6", "total": 4, "terms": [term]})

    assert found is not None
    assert found.words == "1d6 = 4"


@given(ANYTHING)
def test_any_roll_is_a_throw_or_none(roll: object) -> None:
    found = foundry.throw_of(roll)

    assert found is None or found.rung in Rung


@given(st.dictionaries(st.sampled_from(sorted(made_up.FOUNDRY_ROWS[3])), ANYTHING))
def test_any_message_is_a_unit(tmp_path_factory: pytest.TempPathFactory, changes: dict[str, object]) -> None:
    path: Path = tmp_path_factory.getbasetemp() / "messages.db"
    rows = [made_up.FOUNDRY_ROWS[1], {**made_up.FOUNDRY_ROWS[3], **changes}]
    path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    report = read(path, format="foundry-db").report()

    assert report.pieces == report.counted == 2


@given(st.text(alphabet="<>/&;=\"' abdivpscriptbuttonh3!-[]", max_size=60))
def test_words_of_any_fragment_are_text(fragment: str) -> None:
    assert "\n\n" not in words_of(fragment).text
