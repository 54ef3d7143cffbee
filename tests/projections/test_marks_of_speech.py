"""Speech that was typed in marks of its own is not set in two pairs of them."""

from __future__ import annotations

import pytest

import retold
from retold.projections.prose.phrases import ENGLISH
from retold.projections.prose.shared import without_marks


@pytest.mark.parametrize(
    ("typed", "spoken"),
    [
        ('"Tea?"', "Tea?"),
        ("“Tea?”", "Tea?"),
        ("''Tea?''", "Tea?"),
        ("''Tea'' or ''tea''", "''Tea'' or ''tea''"),
        ("Tea?", "Tea?"),
        ('"Tea," he says. "Now."', '"Tea," he says. "Now."'),
        ('Tea, or "tea"', 'Tea, or "tea"'),
        ('""', ""),
        ('*"Stop there,"*', "*Stop there,*"),
        ("**“Stop!”**", "**Stop!**"),
        ("_''Tea?''_", "_Tea?_"),
        ('*"Tea," he says. "Now."*', '*"Tea," he says. "Now."*'),
        ('*"Tea, *or* tea"*', '*"Tea, *or* tea"*'),
        ('*"Tea?"', '*"Tea?"'),
        ("\u201c\u201cTea!!\u201d\u201d", "Tea!!"),
        ('""Tea!!""', "Tea!!"),
        ("\u201eTee?\u201c", "Tee?"),
        ("\u00ab Th\u00e9 ? \u00bb", "Th\u00e9 ?"),
        ("\u300c\u8336\u300d", "\u8336"),
        ('"Tea!! she shouts', "Tea!! she shouts"),
        ('"', '"'),
    ],
)
def test_marks_around_all_of_a_speech_are_the_pages(typed: str, spoken: str) -> None:
    assert without_marks(typed) == spoken


@pytest.mark.parametrize("voice", ["report", "prose"])
def test_B15_a_line_of_speech_has_one_pair_of_quotation_marks(tmp_path: object, voice: str) -> None:
    with retold.new(f"{tmp_path}/salt.retold") as campaign:
        campaign.play('cast gm by=Mary\ncast Bruno\nsession One\nBruno: "Tea?"\n')

        assert "“Tea?”" in campaign.tell(voice=voice)
        assert "““" not in campaign.tell(voice=voice)


def test_marks_within_a_speech_are_the_inner_ones_single_or_double(tmp_path: object) -> None:
    with retold.new(f"{tmp_path}/salt.retold") as campaign:
        campaign.play("cast gm by=Mary\ncast Bruno\nsession One\nBruno: \"He said 'go', and don't.\"\n")
        campaign.play("Bruno: He said \"she cried 'go' twice\".")

        assert "“He said \u2018go\u2019, and don\u2019t.”" in campaign.tell()
        assert "“He said \u2018she cried “go” twice\u2019.”" in campaign.tell()


@pytest.mark.parametrize(
    ("wording", "told"), [("Who else knows?", "is over “Who else knows?”"), ("A knee", "is over “A knee”.")]
)
def test_a_wording_that_ends_by_itself_is_not_ended_twice(wording: str, told: str) -> None:
    assert ENGLISH.say("changed.recovered", who="Kit", wording=wording) == f"Kit {told}"
