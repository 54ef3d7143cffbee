"""What a reader would stumble over on a page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from retold.__main__ import main
from retold.projections.exports import export
from retold.projections.prose import VOICES
from tests.projections.scripted import exported, read_off

# --- what was told with an act is told (C7) ---------------------------------------------------------------

QUAY = """\
cast gm by=Mary
cast Łucja edgerunner by=Jo athletics=3
cast Rusk edgerunner by=Omar
session
conflict "The crane" Łucja vs Rusk
map Deck 1 Gantry 3 Attic
place Łucja+Rusk Deck
exchange
"""
CLIMBS = "I swing myself up by the chain."


def told(folder: Path, line: str) -> tuple[list[tuple[str, str]], list[str]]:
    """The words of a page, and what nobody has told yet, after a move that is applied without a word."""
    page = exported(folder, f"{QUAY}{line}\napply\n")
    return read_off(page), [one.what for one in page.end.untold]


def test_C7_a_move_told_with_its_act_is_told_once(tmp_path: Path) -> None:
    # 1 shift to Gantry, and +++0 with athletics 3 makes 6
    page, untold = told(tmp_path, f"move Łucja to Gantry with athletics = +++0: {CLIMBS}")

    assert page == [("Łucja moves", CLIMBS)]
    assert untold == []


def test_C7_a_move_without_words_is_untold(tmp_path: Path) -> None:
    page, untold = told(tmp_path, "move Łucja to Gantry with athletics = +++0")

    assert page == [("", "Łucja moved to Gantry.")]
    assert untold == ["Łucja moved to Gantry."]


def test_C7_a_move_that_ends_elsewhere_is_untold(tmp_path: Path) -> None:
    # 1 + 3 shifts to Attic, and 0000 with athletics 3 makes 3: as far as Gantry
    page, untold = told(tmp_path, f"move Łucja to Gantry Attic with athletics = 0000: {CLIMBS}")

    assert page == [("Łucja moves", CLIMBS), ("", "Łucja moved to Gantry.")]
    assert untold == ["Łucja moved to Gantry."]


def test_C7_words_of_an_earlier_act_tell_nothing(tmp_path: Path) -> None:
    first = f"move Łucja to Gantry with athletics = +++0: {CLIMBS}"
    then = ("apply", "simple Rusk", "exchange", "continue Łucja to Attic")
    _, untold = told(tmp_path, "\n".join((first, *then)))

    assert untold == ["Łucja moved to Attic."]


def test_C7_a_person_who_is_brought_somewhere_as_was_said_is_told(tmp_path: Path) -> None:
    page, untold = told(tmp_path, f"move Łucja Rusk to Gantry with athletics = +++0: {CLIMBS}")

    assert page == [("Łucja moves Rusk", CLIMBS)]
    assert untold == []


# --- the game master is called so (C8) --------------------------------------------------------------------

FEN = """\
cast gm by=Mary
cast Zel bruise by=Jon clubs=4 melee=2
cast Guards bruise spades=3 dodge=2
session
conflict bruise Zel vs gm
draw Zel clubs+melee = KS JD 10S 7C 4C 3D
draw gm 1 = 9H
quality gm 9
end conflict
conflict bruise gm+Guards vs Zel
concede gm: I give it up.
"""
COMPELS = """\
cast gm by=Mary
cast Gatto edgerunner by=Jo aspect.gun="Only if this gun fired once"
session
compel Gatto "Only if this gun fired once": It jams.
"""
RAW = re.compile(r"\bgm\b")


def shown(folder: Path, lines: str, voice: str) -> str:
    """All that a page says; its properties, which are for machines, left out."""
    page = replace(exported(folder, lines, voice=voice), voice="", viewer="")
    return export("text", page).decode()


@pytest.mark.parametrize("voice", list(VOICES))
@pytest.mark.parametrize("lines", [FEN, COMPELS])
def test_C8_no_page_has_the_word_that_one_types_for_the_game_master(
    tmp_path: Path, voice: str, lines: str
) -> None:
    assert RAW.findall(shown(tmp_path, lines, voice)) == []


def test_C8_headings_name_the_game_master(tmp_path: Path) -> None:
    page = exported(tmp_path, FEN)
    headings = [one.conflict for scene in page.scenes for one in scene.passages if one.conflict is not None]

    assert [(one.title, one.sides) for one in headings] == [
        ("Zel vs the game master", (("Zel",), ("the game master",))),
        ("The game master + Guards vs Zel", (("the game master", "Guards"), ("Zel",))),
    ]
    assert (
        "The game master + Guards vs Zel (Bruise, the game master + Guards vs Zel) is not over."
        in page.end.open
    )


def test_C8_a_voice_has_its_own_word(tmp_path: Path) -> None:
    page = exported(tmp_path, FEN, voice="script")
    first = next(one.conflict for scene in page.scenes for one in scene.passages if one.conflict is not None)

    assert first.title == "Zel vs GM"


@pytest.mark.parametrize("view", ["cast", "conflicts", "decks", "pending", "untold"])
def test_C8_no_view_has_it(tmp_path: Path, view: str, capsys: pytest.CaptureFixture[str]) -> None:
    exported(tmp_path, FEN)
    assert main(["-c", str(tmp_path / "evening.retold"), "show", view]) == 0
    table = capsys.readouterr().out.splitlines()

    assert [line for line in table if RAW.search(line) and not line.startswith("the game master\tgm")] == []


def test_C8_a_person_who_bears_a_name_is_called_by_it(tmp_path: Path) -> None:
    page = exported(tmp_path, FEN.replace("session\n", "cast gm name=Fate\nsession\n", 1))

    assert page.end.open[0].startswith("Fate + Guards vs Zel")


# --- a conflict that goes on (C9) -------------------------------------------------------------------------

HUT = """\
cast gm by=Mary
cast A by=Pa
cast B by=Pb
cast C by=Pc
session
option spacetime.require_tactics=no
scene The hut
conflict "The well" spacetime A vs C
narrate A: I begin.
scene The ridge
"""


def continued_conflicts(folder: Path, line: str) -> list[tuple[tuple[tuple[str, ...], ...], int]]:
    """The sides under each heading of a conflict that continues after this line, and its paragraphs."""
    page = exported(folder, HUT + line).without_mechanics()
    passages = [one for scene in page.scenes for one in scene.passages]
    return [
        (one.conflict.sides, len(one.paragraphs))
        for one in passages
        if one.conflict is not None and one.conflict.continued
    ]


@pytest.mark.parametrize(
    ("line", "sides"),
    [
        ("join B A", (("A", "B"), ("C",))),
        ("join B", (("A",), ("C",), ("B",))),
        ("reformulate A A+B vs C: Two of us.", (("A", "B"), ("C",))),
        ("join B A\nscene The top\nleave A", (("B",), ("C",))),
    ],
)
def test_C9_a_conflict_continues_between_its_present_sides(
    tmp_path: Path, line: str, sides: tuple[tuple[str, ...], ...]
) -> None:
    assert continued_conflicts(tmp_path, line)[-1] == (sides, 1)


@pytest.mark.parametrize(("line", "headings"), [("shuffle", 0), ("narrate C: Fine.", 1)])
def test_C9_a_conflict_without_words_is_not_continued(tmp_path: Path, line: str, headings: int) -> None:
    assert len(continued_conflicts(tmp_path, f"{line}\nend conflict")) == headings


# --- two speeches (C12) -----------------------------------------------------------------------------------

REEDS = """\
cast gm by=Mary
cast Ada by=Pa
session
say gm: Who goes there?
say gm: Stand still!
say Ada: It is me.
say Ada: Only me.
"""


def test_C12_two_speeches_without_a_name_are_two_and_with_one_they_are_one_with_a_tag(tmp_path: Path) -> None:
    assert read_off(exported(tmp_path, REEDS, voice="prose").running()) == [
        ("", "Who goes there?"),
        ("", "Stand still!"),
        ("", "“It is me. Only me,” said Ada."),
    ]


# --- what changed (C10) -----------------------------------------------------------------------------------

DEALT = """\
cast gm by=Mary
cast Ada by=Pa
cast Bo by=Pb
session
option spacetime.require_tactics=no
conflict "The well" spacetime Ada vs Bo
narrate Ada: I begin.
"""


def test_C10_unspent_tokens_are_no_change(tmp_path: Path) -> None:
    # docs/rules/spacetime.md: 3 tokens each an evening, and overruling costs one
    assert exported(tmp_path, DEALT).end.changed == ()


def test_C10_one_that_was_spent_is(tmp_path: Path) -> None:
    assert exported(tmp_path, f"{DEALT}overrule Bo Ada: No.\n").end.changed == ("Pb: tokens 3 → 2.",)


# --- who begins anew (the editor's third sentence) --------------------------------------------------------

ANEW = """\
cast gm by=Mary
cast Ada by=Pa
cast Bo by=Pb
cast Cy by=Pc
session
option spacetime.require_tactics=no
conflict "The well" spacetime Ada vs Bo vs Cy
narrate Ada: I begin.
narrate Ada: I go on.
reformulate Ada Ada+Bo vs Cy: We go together.
declare Ada: A lamp in every boat.
"""


def test_what_is_put_anew_is_a_paragraph_of_its_own_under_the_names_of_its_people(tmp_path: Path) -> None:
    assert read_off(exported(tmp_path, ANEW, voice="prose").without_mechanics().running()) == [
        ("Ada", "I begin. I go on."),
        ("Ada and Bo", "We go together."),
        ("Ada", "A lamp in every boat."),
    ]
