"""What a refusal says a line may have meant: quotes left out, names not joined, a word nearly right."""

from __future__ import annotations

import pytest

from tests.journal.language.test_forms import refused


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (
            "maneuver Jade Office as Dark and wet with stealth",
            '“and” does not fit here. Quote it: maneuver Jade Office as "Dark and wet" with stealth.',
        ),
        (
            "cast Captain Thoss guenask heart=3",
            '“Thoss” does not fit here. Quote it: cast "Captain Thoss" guenask heart=3.',
        ),
        (
            "cast Gatto edgerunner aspect.debt=Never leaves a debt by=Sam",
            (
                "“leaves” does not fit here."
                ' Quote it: cast Gatto edgerunner aspect.debt="Never leaves a debt" by=Sam.'
            ),
        ),
        (
            "image quay quay.jpg 'alt=Three boats in fog' credit=Mara",
            '“boats” does not fit here. Quote it: image quay quay.jpg alt="Three boats in fog" credit=Mara.',
        ),
        (
            "conflict Out by the stair bruise Zel vs Guards",
            '“the” does not fit here. Quote it: conflict "Out by the stair" bruise Zel vs Guards.',
        ),
        (
            "conflict edgerunner Gatto Jade vs Hargan Thugs",
            (
                "“Jade” does not fit here. Join names with +: conflict edgerunner Gatto+Jade vs Hargan Thugs;"
                ' a name of several words is quoted: conflict edgerunner "Gatto Jade" vs Hargan Thugs.'
            ),
        ),
        (
            "edgerunner.place Gatto Jade Dock",
            (
                "“Dock” does not fit here. Join names with +: edgerunner.place Gatto+Jade Dock;"
                ' a name of several words is quoted: edgerunner.place "Gatto Jade" Dock;'
                ' or edgerunner.place Gatto "Jade Dock".'
            ),
        ),
        ("whiskey.declare Irena engages Pole", "“engages” does not fit here. Did you mean engage?"),
        ("end confict", "“confict” does not fit here. Did you mean conflict?"),
    ],
)
def test_a_slip_is_answered_with_what_to_write(line: str, sentence: str) -> None:
    assert refused(line) == sentence


def test_if_a_game_may_be_misspelled_both_are_said() -> None:
    assert refused("cast Zel brusie") == (
        "“brusie” does not fit here; wanted: a name (SYSTEM) or nothing more."
        ' A name of several words is quoted: cast "Zel brusie".'
        " The form is: cast WHO [SYSTEM] [--describe] KEY=VALUE… [: text]."
    )


@pytest.mark.parametrize(
    "line", ["undo now", "raise Vera Hob", "whiskey.declare stand", "check Hana wits vs 3 4"]
)
def test_no_quotes_are_proposed_that_do_not_help(line: str) -> None:
    assert "uote" not in refused(line)


@pytest.mark.parametrize("verb", ["say", "note", "narrate"])
def test_N10_several_names_for_one_are_answered_line_by_line(verb: str) -> None:
    assert "One name fits here, so type a line for each." in refused(f"{verb} Ana+Bo: Run.")
